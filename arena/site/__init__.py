"""The pages people read in a browser: their look, their words, and the replay viewer."""
