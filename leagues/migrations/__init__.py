"""The history of the schema, oldest first; `leagues.database` brings a database to its end."""
