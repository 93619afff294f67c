"""From what a user types to a bot: specs, manifests, files, digests and loading."""
