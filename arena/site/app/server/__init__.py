"""Between the network and the pages: connections, and pages that are kept."""
