"""What moderators do: acts that are recorded in a hash chain, and what follows from them."""
