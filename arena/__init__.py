"""The arena makes it happen: it schedules, referees, runs and shows."""
