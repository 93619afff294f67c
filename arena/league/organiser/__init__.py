"""What an organiser does: moderate, change a league, run its seasons, invite people."""
