"""The table where a visitor plays, and how the game ended."""

from arena.display import display_of
from arena.display.names import game_name, wonder_name
from arena.display.scene import SHIELDS, STAGE, Scene
from arena.i18n import N_, gettext, ngettext, translate_error
from arena.playing.human import ME, capital
from arena.site.frames import build_frames, left_seats
from arena.site.links import Links
from arena.site.live_games import LiveTable, PlayedRound, TableSnapshot
from arena.site.pages.news import ToldMove, consequences
from arena.site.pages.own_game.hand import option_groups, tell_hint
from arena.site.pages.replay import render_replay, render_table, replay_page
from arena.site.templating import draw
from bots.api import Decision
from bots.house.hint import STRONGEST, Hint
from engine.match import MatchResult

# What is asked besides a card each turn, by the prompt.
YOUR_TURN = N_("Your turn")
QUESTIONS = {
    "act": N_("Your turn goes on"),
    "any": N_("Stage built: take the top card of any deck"),
    "progress": N_("Choose a Progress token"),
    "side": N_("Stage built: choose the deck to look through"),
    "pick": N_("Stage built: keep one of these cards"),
    "steal": N_("Stage built: take a card of another city"),
    "last": N_("Your wonder: play the last card of the Age too"),
    "revive": N_("Stage built: build a card of the discard pile for nothing"),
}

# How the visitor stands.
PLACE = N_("{points}, {place} of {players}")
TIED = N_("{points}, tied for {place} of {players}")
ALL_LEVEL = N_("{points}, all level")

# How a game ended for the visitor.
WON = N_("You won with {points}, {lead} ahead of {rival}.")
WON_TIE = N_("You won with {points}, as many as {rival}: the tie-break decided.")
SHARED = N_("You came {place} with {points}, level with {rival}.")
PLACED = N_("You came {place} with {points}, {lead} behind {rival}.")
PLACED_TIE = N_("You came {place} with {points}, as many as {rival}: the tie-break decided.")


def table_page(
    table: LiveTable,
    snapshot: TableSnapshot,
    links: Links,
    token: str,
    step: int | None = None,
    seat: int | None = None,
    hint: Hint | None = None,
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
        return replay_page(
            rendered,
            frame,
            last if step is None else step,
            template="game_over.html",
            links=links,
            told=outcome(snapshot.result, table.seat, names, lang),
            link=snapshot.link,
            shared=snapshot.link and links.origin + links.to("g", snapshot.link),
        )
    decision = snapshot.decision
    display = display_of(spec.game)
    scene = None if decision is None else display.scene(decision.view, lang)
    who = names if scene is None else distinct_names(names, scene)
    return draw(
        "table.html",
        frame,
        links=links,
        token=token,
        table=table,
        turn=snapshot.turn,
        problem=snapshot.problem and translate_error(snapshot.problem, lang),
        moves=[told for round in snapshot.rounds for told in tell_round(table, round, who, lang)],
        scene=scene,
        drawn="" if scene is None else render_table(scene, names, lang, table.seat),
        groups=[] if decision is None else option_groups(decision, lang, snapshot.chosen, hint),
        chosen=""
        if decision is None or snapshot.chosen is None
        else capital(
            display.describe_action(snapshot.chosen, lang, state=decision.view, seat=decision.seat)
        ),
        heading="" if decision is None else question(decision, lang),
        hint=[] if decision is None or hint is None else tell_hint(decision, hint, lang),
        lost=hint is not None and hint.is_lost,
        versus=[] if scene is None else shields_beside(scene, table.seat),
        strongest=STRONGEST,
        pad=None if decision is None else display.score_pad(decision.view, lang),
        names=names,
        place="" if scene is None else place_so_far(scene, table.seat, lang),
        next_stage="" if scene is None else next_stage(scene, table.seat),
    )


def question(decision: Decision, lang: str) -> str:
    """What the visitor is asked, by its cause where it is more than a turn."""
    asked = decision.game.prompts[decision.view.prompt(decision.seat)]
    return gettext(QUESTIONS.get(asked, YOUR_TURN), lang)


def tell_round(
    table: LiveTable, round: PlayedRound, names: tuple[str, ...], lang: str
) -> list[ToldMove]:
    """What was decided, and what followed from it."""
    display = display_of(table.spec.game)
    describe = display.describe_action
    told: list[ToldMove] = [
        (seat, names[seat], describe(action, lang, seat == table.seat, round.before, seat))
        for seat, action in round.moves
    ]
    before, after = display.scene(round.before, lang), display.scene(round.after, lang)
    return [*told, *consequences(before, after, names, lang)]


def outcome(result: MatchResult, seat: int, names: tuple[str, ...], lang: str) -> str:
    """How the game ended for a seat: its rank and points, and how far off the next one is."""
    ranks, points = result.ranks, result.scores
    cities = [
        wonder_name(result.spec.game, id, lang).partition(" (")[0]
        for id in result.spec.setup.wonders
    ]
    got = ngettext("{n} point", "{n} points", points[seat], lang)
    if seat in left_seats(result):
        return gettext("You left; a bot finished your game with {points}.", lang, points=got)
    others = [other for other in range(len(names)) if other != seat]
    if ranks[seat] == 0:
        rival = min(others, key=lambda other: (ranks[other], -points[other]))
        lead, message = points[seat] - points[rival], WON
    else:
        rival = next(other for other in others if ranks[other] == 0)
        lead, message = points[rival] - points[seat], PLACED
    if ranks[rival] == ranks[seat]:
        message = SHARED
    elif lead <= 0:
        message = WON_TIE if ranks[seat] == 0 else PLACED_TIE
    return gettext(
        message,
        lang,
        place=ordinal(ranks[seat] + 1, lang),
        points=got,
        lead=lead,
        rival=f"{names[rival]} ({cities[rival]})",
    )


def ordinal(number: int, lang: str) -> str:
    """A place below ten as one says it: 1st, 2nd."""
    if lang == "fr":
        return "1er" if number == 1 else f"{number}e"
    return f"{number}" + {1: "st", 2: "nd", 3: "rd"}.get(number, "th")


def distinct_names(names: tuple[str, ...], scene: Scene) -> tuple[str, ...]:
    """The names of the seats, with their cities where two are called the same."""
    cities = [panel.name.partition(" (")[0] for panel in scene.panels if panel.seat is not None]
    return tuple(
        f"{name} ({city})" if names.count(name) > 1 else name
        for name, city in zip(names, cities, strict=True)
    )


def shields_beside(scene: Scene, seat: int) -> list[tuple[str, int, int]]:
    """The neighbours by name, with their shields and one's own."""
    panels = [panel for panel in scene.panels if panel.seat is not None]
    strength = [
        next((int(it.mark) for line in panel.lines for it in line.pieces if it.kind == SHIELDS), 0)
        for panel in panels
    ]
    beside = dict.fromkeys(((seat + 1) % len(panels), (seat - 1) % len(panels)))
    return [
        (panels[other].name.partition(" (")[0], strength[other], strength[seat]) for other in beside
    ]


def place_so_far(scene: Scene, seat: int, lang: str) -> str:
    """The points of a seat now, and its place by them."""
    points = [panel.points for panel in scene.panels if panel.seat is not None]
    got = ngettext("{n} point", "{n} points", points[seat], lang)
    place = 1 + sum(other > points[seat] for other in points)
    message = PLACE
    if points.count(points[seat]) > 1:
        message = ALL_LEVEL if len(set(points)) == 1 else TIED
    return gettext(
        message,
        lang,
        points=got,
        place=ordinal(place, lang),
        players=len(points),
    )


def next_stage(scene: Scene, seat: int) -> str:
    """What the next stage of the seat's wonder costs; empty if all are built."""
    panel = next(panel for panel in scene.panels if panel.seat == seat)
    stages = [piece for line in panel.lines for piece in line.pieces if piece.kind == STAGE]
    return next((stage.mark for stage in stages if not stage.done), "")
