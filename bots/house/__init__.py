"""The built-in ladder."""
