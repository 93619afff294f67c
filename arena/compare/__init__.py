"""Is one bot better than another: paired games, and a sequential test on them."""
