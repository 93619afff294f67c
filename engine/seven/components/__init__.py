"""Cards and wonders of both editions of 7 Wonders, and tables to look them up."""
