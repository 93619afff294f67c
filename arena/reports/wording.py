"""Counts, times, lists and names, as reports and messages write them."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from arena.i18n import colon
from bots.protocol.sanitize import for_terminal

if TYPE_CHECKING:
    from leagues.records import Entrant, Origin

DEFAULT_DB: Final = "arena.db"
DIGITS: Final = 6  # of a digest, to tell bots of one name apart
LEAGUE_SPEC: Final = "league:"  # how the spec of a league's bot begins


def format_time(seconds: int) -> str:
    """A time in UTC, since results travel; the texts sort as the times do."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))


def format_count(count: int, what: str) -> str:
    """A count and its noun: 1 match, 2,000 matches."""
    plural = f"{what}es" if what.endswith("ch") else f"{what}s"
    return f"{count:,} {what if count == 1 else plural}"


def join_words(words: Iterable[object]) -> str:
    """A list as in a sentence: a, b and c."""
    *some, last = map(str, words)
    return f"{', '.join(some)} and {last}" if some else last


def first_line(text: str) -> str:
    """The first line of a text, safe for a terminal."""
    return for_terminal(text.strip().partition("\n")[0])


def db_words(db: str) -> list[str]:
    """The option that a suggested command needs to use the same database."""
    if db == DEFAULT_DB:
        return []
    from leagues.storage.database import shown  # loads SQLAlchemy

    return ["--db", shown(db)]


def db_option(db: str) -> str:
    """The same as text to append to a command."""
    return f" {shlex.join(words)}" if (words := db_words(db)) else ""


def uncontained_line(origins: Sequence[Origin]) -> str:
    """What is said of matches that count in a league though bots could have cheated in them."""
    loose = sum(each.matches for each in origins if not each.is_contained)
    if not loose:
        return ""
    return (
        f"NOT CONTAINED: {format_count(loose, 'match')} of bots that ran without a sandbox "
        "and could have cheated"
    )


def display_names(entrants: Sequence[Entrant], beside_contest: bool = False) -> dict[int, str]:
    """The label of each entrant, with a part of its digest where others have the same label.

    One bot in several leagues is several entrants, told apart by their numbers; not where the
    league stands beside them.
    """
    told_apart = [
        each for each in entrants if not (beside_contest and each.spec.startswith(LEAGUE_SPEC))
    ]
    apart = {each.id for each in told_apart}
    often = Counter(entrant.label for entrant in told_apart)
    same = Counter((entrant.label, entrant.digest[:DIGITS]) for entrant in told_apart)
    return {
        entrant.id: entrant.label
        if often[entrant.label] <= 1 or entrant.id not in apart
        else f"{entrant.label}+{entrant.digest[:DIGITS]}"
        if same[entrant.label, entrant.digest[:DIGITS]] == 1
        else f"{entrant.label}#{entrant.id}"
        for entrant in entrants
    }


def format_move(name: str, seat: int, text: str, lang: str) -> str:
    """A move and whose it is; bots may share a name, and never a seat."""
    return f"{for_terminal(name)} ({seat}){colon(lang)} {text}"
