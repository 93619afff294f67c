"""Raises something awkward when asked: what=..."""

from bots.api import Bot


class Unprintable(Exception):
    def __str__(self) -> str:
        raise ValueError("not even this")


RAISED = {
    "huge": RuntimeError("long " * 100_000),
    "ansi": RuntimeError("\x1b[2J\x1b[31m[bold]red[/bold] \x9b31m \r\b" * 2000),
    "surrogate": RuntimeError("half \ud800 of a letter"),
    "unprintable": Unprintable(),
    "exit": SystemExit(0),
    "interrupt": KeyboardInterrupt(),
    "stop": StopIteration(),
}


class Raises(Bot):
    def __init__(self, what: str) -> None:
        self.what = what

    def decide(self, decision):
        if self.what == "recursion":
            return self.decide(decision)
        raise RAISED[self.what]
