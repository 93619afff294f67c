"""The exception family.

ArenaError                what a user did wrong, told in one line: expected, then got
├── SetupError            no such game, wonder, edition, expansion or number of players
├── NotationError         a text that names no action
├── DumpError             a dumped state that cannot be read back
├── TraceError            a recorded game that the rules do not confirm
├── HiddenError           a view was played on without imagining what it does not know
├── BotError              a bot that cannot be found, read or started (bots.discovery.spec)
├── RatingError           results and ratings that do not agree (leagues.ratings.trueskill_fold)
└── StoreError            a database that cannot be opened, read, written (leagues.storage.database)
    ├── AbsentError       there is none yet
    ├── UnknownError      it does not have what was asked for
    └── RefusedError      it may not be told this now
"""


class ArenaError(Exception):
    """Something a user can mend; its text is one line, whatever it quotes.

    A message may have {fields}; it is kept beside them, so that it can be translated.
    """

    def __init__(self, message: str, /, **fields: object) -> None:
        text = message.format(**fields) if fields else message
        super().__init__(" ".join(text.split())[:400])
        self.message = message
        self.fields = fields


class SetupError(ArenaError):
    """The match asked for cannot be set up."""


class NotationError(ArenaError):
    """The text names no action of this game."""


class DumpError(ArenaError):
    """The text is not a state of this game."""


class TraceError(ArenaError):
    """The recorded game and the rules disagree."""


class HiddenError(ArenaError):
    """A view was played on, or asked for what it does not know."""
