"""How the site is watched by who runs it: an access log, a health check, and metrics."""
