"""The pages of a visitor's own game: a new table, the table, and how it ended."""

from collections.abc import Mapping

from arena.display import display_of
from arena.display.names import game_name
from arena.i18n import gettext, translate_error
from arena.playing.human import ME, capital
from arena.reports.wording import format_move
from arena.site.frames import build_frames
from arena.site.links import Links
from arena.site.live_games import OPPONENTS, LiveTable, TableSnapshot
from arena.site.pages.replay import render_replay, render_table, replay_page
from arena.site.templating import draw
from bots.house import LADDER
from engine.catalog import GAMES

MAX_OPPONENTS = max(count for game in GAMES for count in game.players) - 1


def lobby_page(
    links: Links, token: str, problem: str = "", chosen: Mapping[str, str] | None = None
) -> str:
    """Where a visitor picks a game and opponents; what was chosen before stays chosen."""
    return draw(
        "lobby.html",
        links.frame(gettext("Play yourself", links.lang)),
        links=links,
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
    snapshot: TableSnapshot,
    links: Links,
    token: str,
    step: int | None = None,
    seat: int | None = None,
) -> str:
    """The table as its visitor sees it; at the end all cards, or those of a seat."""
    spec = table.spec
    lang = links.lang
    names = tuple(gettext("you", lang) if bot == ME else bot for bot in spec.bots)
    title = f"{gettext('Your game', lang)} · {game_name(spec.game)}"
    frame = links.frame(title)
    if snapshot.result is not None:
        rendered = render_replay(build_frames(snapshot.result, lang, seat, names))
        last = len(rendered.steps) - 1
        rank = snapshot.result.ranks[table.seat] + 1
        return replay_page(
            rendered,
            frame,
            last if step is None else step,
            template="game_over.html",
            links=links,
            rank=rank,
            players=len(names),
        )
    display = display_of(spec.game)
    decision = snapshot.decision
    moves = [
        format_move(
            names[seat],
            seat,
            display.describe_action(action, lang, seat == table.seat, before),
            lang,
        )
        for seat, action, before in snapshot.moves
    ]
    scene = None if decision is None else display.scene(decision.view, lang)
    return draw(
        "table.html",
        frame,
        links=links,
        token=token,
        table=table,
        turn=snapshot.turn,
        problem=snapshot.problem and translate_error(snapshot.problem, lang),
        moves=moves,
        scene=scene,
        drawn="" if scene is None else render_table(scene, names, lang),
        options=[]
        if decision is None
        else [
            capital(display.describe_action(option.action, lang, state=decision.view))
            for option in decision.options
        ],
    )
