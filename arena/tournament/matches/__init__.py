"""Single stored matches: shown, debugged, explained."""
