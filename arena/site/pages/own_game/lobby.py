"""Where a visitor picks a game and opponents."""

from collections.abc import Mapping

from arena.display.names import edition_name, game_name, wonder_name
from arena.i18n import N_, pgettext
from arena.site.links import Links
from arena.site.templating import draw
from bots.house import LADDER
from engine.catalog import GAMES
from engine.match import Variant

MAX_OPPONENTS = max(count for game in GAMES for count in game.players) - 1
# From weak to strong, as far as matches show it: docs/ladder.md, docs/sage.md.
STRENGTHS = (
    (N_("Weak, to learn the rules"), ("random", "greedy")),
    (N_("Fair"), ("planner", "military", "science", "builder")),
    (N_("Good"), ("flat", "ismcts")),
    (N_("Strong"), ("sage", "oracle")),
)
DEFAULT_GAME = "seven"
# One to beat and one to learn from; both answer at once.
DEFAULT_OPPONENTS = ("planner", "sage")


def lobby_page(
    links: Links,
    token: str,
    problem: str = "",
    chosen: Mapping[str, str] | None = None,
    others: Mapping[str, list[str]] | None = None,
    running: str | None = None,
) -> str:
    """Where a visitor picks a game and opponents; what was chosen before stays chosen.

    Opponents out of leagues are listed by the league. A game that is running can be played on.
    """
    return draw(
        "lobby.html",
        links.frame(pgettext("game", "Play", links.lang)),
        links=links,
        token=token,
        problem=problem,
        chosen=chosen or default_choice(),
        games=[(game.id, game.players.start, game.players.stop - 1) for game in GAMES],
        strengths=STRENGTHS,
        others=others or {},
        running=running,
        about=LADDER,
        most=MAX_OPPONENTS,
        wonders=wonder_groups(links.lang),
        editions=[edition for game in GAMES for edition in game.editions],
        expansions=[expansion for game in GAMES for expansion in game.expansions],
    )


def default_choice() -> dict[str, str]:
    """What the form begins with."""
    bots = {f"bot{number}": bot for number, bot in enumerate(DEFAULT_OPPONENTS, 1)}
    return {"game": DEFAULT_GAME, "confirm": "1", **bots}


def wonder_groups(lang: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The wonders of every game, edition and expansion: whose, a title, their ids and names."""
    found = []
    for game in GAMES:
        for edition in reversed(game.editions or (None,)):
            more = edition_name(edition, lang) if edition else ""
            found.append((game, more, game.wonders(Variant(game.id, edition))))
        for expansion in game.expansions:
            known = [id for _, _, ids in found for id in ids]
            ids = game.wonders(Variant(game.id, expansions=(expansion,)))
            found.append((game, expansion.capitalize(), [id for id in ids if id not in known]))
    return [
        (
            game.id,
            " · ".join(each for each in (game_name(game.id), more) if each),
            [(id, wonder_name(game.id, id, lang)) for id in ids],
        )
        for game, more, ids in found
        if ids
    ]
