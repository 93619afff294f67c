"""Cannot even be imported."""

raise RuntimeError("no import of mine")
