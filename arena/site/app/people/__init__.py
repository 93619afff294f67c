"""People on the site: how they come in, their tokens, and what organisers do."""
