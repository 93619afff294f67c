"""Who may come in: tokens, sessions, invitations, and organisers."""
