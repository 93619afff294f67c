"""What a seat may know: redacted views, imagined worlds, and facts as plain data."""
