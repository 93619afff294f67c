"""One module for each kind of page, shared by the server and the static site."""
