"""The rows of the database, known to `leagues` alone; records travel to the rest of the program.

Every row has a checksum over its content, a match over its seats too; but workers, claims and
webhooks, which come and go, the last act, and counts and ratings, which are made of other rows.
Times of day are whole seconds since 1970, spans are microseconds: integers mean the same in every
database. They are in several modules, as most commands need few of them; a module imports those
that its foreign keys lead to.
"""
