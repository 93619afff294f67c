"""Playing matches: the referee, the processes it runs in, and what watches over them."""
