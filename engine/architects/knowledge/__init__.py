"""What a seat may know: redacted views, and facts as plain data."""
