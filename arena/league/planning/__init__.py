"""What a league plays next: stages, their tables, and what they will cost."""
