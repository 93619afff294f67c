"""What the arena and a bot say to each other, and the loop on the bot's side."""
