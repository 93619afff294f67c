"""The history of the schema, oldest first; `storage.database` brings a database to its end."""
