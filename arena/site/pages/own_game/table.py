"""The table where a visitor plays, and how the game ended."""

from collections.abc import Sequence
from dataclasses import replace

from arena.display import display_of
from arena.display.names import wonder_name
from arena.display.scene import PILE, SHIELDS, Line, Panel, Scene
from arena.i18n import N_, colon, gettext, ngettext, translate_error
from arena.playing.human import ME, capital
from arena.site.frames import build_frames, left_seats
from arena.site.links import Links
from arena.site.live_games import LiveTable, PlayedRound, TableSnapshot
from arena.site.pages.news import ToldMove, consequences, in_order, stages_built, stages_of
from arena.site.pages.own_game.hand import describe_option, option_groups, tell_hint
from arena.site.pages.own_game.preview import Preview
from arena.site.pages.replay import render_replay, render_table, replay_page
from arena.site.templating import draw
from bots.api import Decision
from bots.house.hint import STRONGEST, Hint
from engine.contract import Seat
from engine.match import MatchResult

# What is asked besides a card each turn, by the prompt.
YOUR_TURN = N_("Your turn")
QUESTIONS = {
    "draw": N_("Your turn: take the top card of one of these decks"),
    "act": N_("Your turn goes on"),
    "any": N_("Stage built: take the top card of any deck"),
    "progress": N_("Choose a Progress token"),
    "side": N_("Stage built: choose the deck to look through"),
    "pick": N_("Stage built: keep one of these cards"),
    "steal": N_("Stage built: take a card of another city"),
    "last": N_("Your wonder: play the last card of the Age too"),
    "revive": N_("Stage built: build a card of the discard pile for nothing"),
}

# A deck that cannot be drawn from: of the middle, the seat, and the seat to the right.
EMPTY_DECKS = (
    N_("The central deck is empty."),
    N_("Your own deck is empty."),
    N_("The right neighbour's deck is empty."),
)

# A wonder that is nearly complete.
OWN_LAST_STAGE = N_("Your next stage completes your wonder and ends the game.")
LAST_STAGE = N_(
    "One stage left: {players}. The first complete wonder ends the game, and two stages can be "
    "built in one turn."
)

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
    frame = links.frame(gettext("Your game", lang), spec.game)
    if snapshot.result is not None:
        frames = build_frames(snapshot.result, lang, seat, names)
        # Why it ended is said once, above the viewer.
        rendered = render_replay(replace(frames, ending=""))
        last = len(rendered.steps) - 1
        left = table.seat in left_seats(snapshot.result)  # there is no last turn of the visitor's
        return replay_page(
            rendered,
            frame,
            last if step is None else step,
            template="game_over.html",
            links=links,
            told=outcome(snapshot.result, table.seat, names, lang),
            ending=frames.ending,
            moves=[] if left else _news(table, snapshot, names, lang),
            table=table.id,
            link=snapshot.link,
            shared=snapshot.link and links.origin + links.to("g", snapshot.link),
        )
    asked: dict[str, object] = {"scene": None}
    if snapshot.decision is not None:
        asked = _asked(snapshot, snapshot.decision, names, lang, hint)
    return draw(
        "table.html",
        frame,
        links=links,
        token=token,
        table=table,
        turn=snapshot.turn,
        names=names,
        strongest=STRONGEST,
        problem=snapshot.problem and translate_error(snapshot.problem, lang),
        moves=_news(table, snapshot, names, lang),
        **asked,
    )


def _asked(
    snapshot: TableSnapshot,
    decision: Decision,
    names: tuple[str, ...],
    lang: str,
    hint: Hint | None,
) -> dict[str, object]:
    """What the page of a question shows besides the moves before it."""
    display = display_of(decision.game.id)
    seat = decision.seat
    scene = display.scene(decision.view, lang)
    who = distinct_names(names, scene)
    preview = Preview(decision, who, lang)
    groups = option_groups(decision, lang, snapshot.chosen, hint, preview)
    options = [option for group in groups for option in group.options]
    taken = next((it for it in options if decision.options[it.at].action == snapshot.chosen), None)
    chosen = "" if taken is None else describe_option(decision, taken.at, lang)
    return {
        "scene": scene,
        "who": who,
        "drawn": render_table(scene, names, lang, seat),
        "groups": groups,
        "taken": taken,
        "chosen": capital(chosen),
        "heading": question(decision, lang),
        "hint": [] if hint is None else tell_hint(decision, hint, lang),
        "versus": shields_beside(scene, seat),
        "pad": display.score_pad(decision.view, lang),
        "standings": standings(scene),
        "soon": display.ending(decision.view, who, lang)
        or tell_last_stages(scene, seat, who, lang),
        "missing": "" if prompt_of(decision) != "draw" else tell_empty_decks(scene, seat, lang),
        "brief": brief_lines(scene, seat),
        "conflict": line_of(scene.panels[0], "conflict"),
        "next_stage": next_stage(scene, seat),
        "stage": next((it.face.stage for it in options if it.face.verb == "stage"), 0),
    }


def _news(
    table: LiveTable, snapshot: TableSnapshot, names: tuple[str, ...], lang: str
) -> list[ToldMove]:
    """What happened since the last question."""
    if not snapshot.rounds:
        return []
    scene = display_of(table.spec.game).scene(snapshot.rounds[0].before, lang)
    who = distinct_names(names, scene)
    told = []
    for round in snapshot.rounds:
        told += tell_round(table.spec.game, table.seat, round, who, lang)
        if snapshot.result is None:
            told += _tell_ending(table.spec.game, round, who, lang)
    return told


def question(decision: Decision, lang: str) -> str:
    """What the visitor is asked, by its cause where it is more than a turn."""
    return gettext(QUESTIONS.get(prompt_of(decision), YOUR_TURN), lang)


def prompt_of(decision: Decision) -> str:
    """The name of what is asked."""
    return decision.game.prompts[decision.view.prompt(decision.seat)]


def tell_round(
    game: str, mine: Seat, round: PlayedRound, names: Sequence[str], lang: str
) -> list[ToldMove]:
    """What was decided, and what followed from it, as one of the seats may know it."""
    display = display_of(game)
    before, after = display.scene(round.before, lang), display.scene(round.after, lang)
    stages = stages_built(before, after)
    told: list[ToldMove] = []
    named = []
    is_over = not round.after.pending()  # then nothing is hidden any more
    for seat, action in round.moves:
        text = display.tell_action(action, lang, seat == mine or is_over, round.before, seat)
        stage = (seat, display.move_face(action, lang, round.before, seat).stage)
        if stage in stages:
            text += f"{colon(lang)} {stages[stage]}"
            named.append(stage)
        told.append((seat, names[seat], text))
    followed = list(consequences(before, after, names, lang, named))
    drawn = [
        (seat, names[seat], text)
        for seat, action in round.moves
        if (text := display.drawn_besides(round.before, action, round.after, lang))
    ]
    return told + in_order(followed, drawn)


def _tell_ending(game: str, round: PlayedRound, names: Sequence[str], lang: str) -> list[ToldMove]:
    """That the game will end, where the round has settled it."""
    ending = display_of(game).ending
    before, after = ending(round.before, names, lang), ending(round.after, names, lang)
    return [(None, "", after)] if after and after != before else []


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


def shields_beside(scene: Scene, seat: int) -> list[tuple[int, str, int, int]]:
    """The neighbours by seat and name, with their shields and one's own."""
    panels = [panel for panel in scene.panels if panel.seat is not None]
    strength = [
        next((int(it.mark) for line in panel.lines for it in line.pieces if it.kind == SHIELDS), 0)
        for panel in panels
    ]
    beside = dict.fromkeys(((seat + 1) % len(panels), (seat - 1) % len(panels)))
    return [
        (other, panels[other].name.partition(" (")[0], strength[other], strength[seat])
        for other in beside
    ]


def standings(scene: Scene) -> list[Panel]:
    """The seats by their points now, the most first."""
    seats = [panel for panel in scene.panels if panel.seat is not None]
    return sorted(seats, key=lambda panel: -panel.points)


def tell_last_stages(scene: Scene, seat: int, names: tuple[str, ...], lang: str) -> str:
    """Who ends the game with the next stage; nobody does in a game of Ages."""
    close = [
        panel.seat
        for panel in scene.panels
        if panel.seat is not None and sum(not stage.done for stage in stages_of(panel)) == 1
    ]
    if not close or scene.age:
        return ""
    if close == [seat]:
        return gettext(OWN_LAST_STAGE, lang)
    return gettext(LAST_STAGE, lang, players=", ".join(names[each] for each in close))


def tell_empty_decks(scene: Scene, seat: int, lang: str) -> str:
    """Which of the decks that a seat may draw from are empty, and so not among its options."""
    seats = len(scene.panels) - 1
    panels = (scene.panels[0], scene.panels[1 + seat], scene.panels[1 + (seat - 1) % seats])
    told = []
    for panel, message in zip(panels, EMPTY_DECKS, strict=True):
        deck = line_of(panel, "deck")
        if deck and any(piece.kind == PILE and piece.mark == "0" for piece in deck.pieces):
            told.append(gettext(message, lang))
    return " ".join(told)


def brief_lines(scene: Scene, seat: int) -> list[Line]:
    """What a seat can pay with, and the symbols it has: for a screen with room for a line."""
    own = next(panel for panel in scene.panels if panel.seat == seat)
    wanted = ("coins", "goods", "symbols") if scene.age else ("cards", "progress")
    return [line for line in own.lines if line.id in wanted]


def line_of(panel: Panel, id: str) -> Line | None:
    """The line of a panel with this id, if it has one."""
    return next((line for line in panel.lines if line.id == id), None)


def next_stage(scene: Scene, seat: int) -> str:
    """What the next stage of the seat's wonder costs; empty if all are built."""
    panel = next(panel for panel in scene.panels if panel.seat == seat)
    return next((stage.mark for stage in stages_of(panel) if not stage.done), "")
