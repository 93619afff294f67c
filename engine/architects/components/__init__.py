"""Cards, wonders and tokens of 7 Wonders Architects, and tables to look them up."""
