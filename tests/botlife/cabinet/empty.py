"""Nothing that decides."""
