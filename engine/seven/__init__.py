"""7 Wonders, second and first edition."""
