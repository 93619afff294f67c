"""The pages of a visitor's own game: a new table, the table, and how it ended."""

from collections.abc import Mapping

from arena.display import display_of
from arena.display.names import game_name
from arena.i18n import gettext, translate_error
from arena.playing.human import ME, capital
from arena.reports.wording import format_move
from arena.site.frames import film
from arena.site.links import Links
from arena.site.live_games import OPPONENTS, LiveTable, TableSnapshot
from arena.site.pages.replay import cut, replay_page, still
from arena.site.templating import draw
from bots.house import LADDER
from engine.catalog import GAMES

MAX_OPPONENTS = max(count for game in GAMES for count in game.players) - 1


def lobby_page(
    ways: Links, token: str, problem: str = "", chosen: Mapping[str, str] | None = None
) -> str:
    """Where a visitor picks a game and opponents; what was chosen before stays chosen."""
    return draw(
        "lobby.html",
        ways.frame(gettext("Play yourself", ways.lang)),
        ways=ways,
        token=token,
        problem=problem,
        chosen=chosen or {},
        games=[(game.id, game.players.start, game.players.stop - 1) for game in GAMES],
        opponents=OPPONENTS,
        about=LADDER,
        most=MAX_OPPONENTS,
    )


def table_page(
    table: LiveTable,
    glance: TableSnapshot,
    ways: Links,
    token: str,
    step: int | None = None,
    seat: int | None = None,
) -> str:
    """The table as its visitor sees it; at the end all cards, or those of a seat."""
    spec = table.spec
    lang = ways.lang
    names = tuple(gettext("you", lang) if bot == ME else bot for bot in spec.bots)
    title = f"{gettext('Your game', lang)} · {game_name(spec.game)}"
    frame = ways.frame(title)
    if glance.result is not None:
        reel = cut(film(glance.result, lang, seat, names))
        last = len(reel.steps) - 1
        rank = glance.result.ranks[table.seat] + 1
        return replay_page(
            reel,
            frame,
            last if step is None else step,
            template="game_over.html",
            ways=ways,
            rank=rank,
            players=len(names),
        )
    display = display_of(spec.game)
    decision = glance.decision
    moves = [
        format_move(
            names[seat],
            seat,
            display.describe_action(action, lang, seat == table.seat, before),
            lang,
        )
        for seat, action, before in glance.moves
    ]
    scene = None if decision is None else display.scene(decision.view, lang)
    return draw(
        "table.html",
        frame,
        ways=ways,
        token=token,
        table=table,
        turn=glance.turn,
        problem=glance.problem and translate_error(glance.problem, lang),
        moves=moves,
        scene=scene,
        drawn="" if scene is None else still(scene, names, lang),
        options=[]
        if decision is None
        else [
            capital(display.describe_action(option.action, lang, state=decision.view))
            for option in decision.options
        ],
    )
