"""Games of chosen bots as a file to learn from: written by `arena dataset`, read here."""
