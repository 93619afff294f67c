"""7 Wonders Architects and its Medals expansion."""
