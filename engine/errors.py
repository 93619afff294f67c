"""The exceptions of the engine; other packages derive their own from ArenaError.

ArenaError                what a user did wrong, told in one line: expected, then got
├── SetupError            no such game, wonder, edition, expansion or number of players
├── NotationError         a text that names no action
├── DumpError             a dumped state that cannot be read back
├── TraceError            a recorded game that the rules do not confirm
├── HiddenError           a view was played on without imagining what it does not know
└── IllegalActionError    a seat that is not asked, or an answer it may not give
"""


class ArenaError(Exception):
    """Something a user can mend; its text is one line of at most 400 characters.

    It may quote what a stranger wrote, so what is longer is cut.
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


class IllegalActionError(ArenaError):
    """A seat answered that was not asked, or as it may not."""
