"""What people call games, editions, faults, states and wonders, in the reader's language."""

from functools import cache
from typing import Final

from arena.display import display_of
from arena.i18n import N_, gettext
from engine.catalog import find
from engine.match import Variant

GAMES: Final = {"architects": "7 Wonders Architects", "seven": "7 Wonders"}
EDITIONS: Final = {"1st": N_("1st edition"), "2nd": N_("2nd edition")}
FAULTS: Final = {
    "illegal": N_("illegal answer"),
    "exception": N_("exception"),
    "time": N_("out of time"),
    "protocol": N_("broken protocol"),
    "memory": N_("out of memory"),
    "crash": N_("crash"),
    "resigned": N_("left the table"),
    "violation": N_("broke out of bounds"),
}
# Of leagues and of submissions.
STATES: Final = {
    "CREATED": N_("takes bots, plays later"),
    "OPEN": N_("open"),
    "PAUSED": N_("paused"),
    "FROZEN": N_("frozen"),
    "FINAL": N_("final"),
    "CLOSED": N_("closed"),
    "ARCHIVED": N_("archived"),
    "RECEIVED": N_("waits to be checked"),
    "ACCEPTED": N_("accepted"),
    "REJECTED": N_("rejected"),
    "RETIRED": N_("replaced by a newer version"),
    "WITHDRAWN": N_("withdrawn"),
    "SUSPENDED": N_("suspended"),
    "RESUMED": N_("accepted"),
    "BANNED": N_("its owner is banned"),
    "HIDDEN": N_("hidden"),
    "ERASED": N_("erased"),
}


# How bots were contained.
SANDBOXES: Final = {
    "full": N_("full"),
    "strong": N_("strong"),
    "reduced": N_("reduced"),
    "unsafe": N_("unsafe"),
    "house": N_("none, only built-in bots played"),
    "trusted": N_("none, the bots were trusted"),
    "in-process": N_("none, the bots ran in the arena's own process"),
}
SCHEDULES: Final = {
    "balanced": N_("balanced"),
    "full": N_("full"),
    "random": N_("random"),
    "gauntlet": N_("gauntlet"),
    "adaptive": N_("adaptive"),
    "swiss": N_("Swiss rounds"),
    "knockout": N_("knockout"),
    "double": N_("double elimination"),
}


def sandbox_name(level: str, lang: str) -> str:
    """How bots were contained, in words."""
    return gettext(SANDBOXES.get(level, level), lang)


def schedule_name(stage: str, lang: str) -> str:
    """What a stage of a tournament is called; a league's stages have names of their own."""
    return gettext(SCHEDULES.get(stage, stage), lang)


def game_name(id: str) -> str:
    """What people call a game; the same in every language."""
    return GAMES[id]


def rules_title(id: str, lang: str) -> str:
    """What the page with the rules of a game is called."""
    return gettext("{game} rules", lang, game=game_name(id))


def edition_name(id: str, lang: str) -> str:
    """What people call an edition."""
    return gettext(EDITIONS[id], lang)


def fault_name(kind: str, lang: str) -> str:
    """What went wrong with a bot."""
    return gettext(FAULTS[kind], lang)


def state_name(state: str, lang: str) -> str:
    """What became of a league or a submission."""
    return gettext(STATES[state], lang)


def wonder_name(game: str, id: str, lang: str) -> str:
    """What people call a wonder, with its side."""
    return _wonders(game, lang).get(id, id)


@cache
def score_names(game: str, lang: str) -> dict[str, str]:
    """What people call the categories of a score sheet, by their keys."""
    rules = find(game)
    found: dict[str, str] = {}
    for expansions in ((), *((each,) for each in rules.expansions)):
        setup = rules.setup(rules.players[0], 0, variant=Variant(game, None, expansions))
        pad = display_of(game).score_pad(rules.deal(setup, 0), lang)
        found |= dict(zip(pad.keys, pad.headings, strict=True))
    return found


@cache
def _wonders(game: str, lang: str) -> dict[str, str]:
    """The names of the wonders of every edition, as the box has them."""
    rules = find(game)
    found = {}
    for edition in rules.editions or (None,):
        for sheet in display_of(game).components(edition, lang):
            if {"id", "name", "monument"} <= set(sheet.keys):
                for row in sheet.rows:
                    facts = dict(zip(sheet.keys, row, strict=True))
                    side = f" ({facts['side']})" if "side" in facts else ""
                    found[f"{facts['id']}"] = f"{facts['name']}{side}"
    return found
