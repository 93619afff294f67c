"""What `--json` prints, as types; the JSON Schema files beside them are generated from these."""
