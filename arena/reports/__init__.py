"""Tables, leaderboards, analyses and plots of stored results."""
