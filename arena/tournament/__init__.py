"""A tournament: its plan, its entrants, its run, and the check of what was stored."""
