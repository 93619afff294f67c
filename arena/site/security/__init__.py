"""Who may do what, and how often: form keys, rate limits, names of hosts, log-in elsewhere."""
