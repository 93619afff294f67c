"""The pages of a visitor's own game: a new table, the table, and how it ended."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from arena.display import display_of
from arena.display.names import edition_name, game_name, wonder_name
from arena.display.scene import SHIELDS, MoveFace, Piece, Scene
from arena.i18n import N_, gettext, ngettext, pgettext, translate_error
from arena.playing.human import ME, capital
from arena.site.frames import build_frames, left_seats
from arena.site.links import Links
from arena.site.live_games import OPPONENTS, LiveTable, PlayedRound, TableSnapshot
from arena.site.pages.news import ToldMove, consequences
from arena.site.pages.replay import render_replay, render_table, replay_page
from arena.site.templating import draw
from bots.api import Decision
from bots.house import LADDER
from bots.house.hint import OptionValue, best_option
from engine.catalog import GAMES
from engine.match import MatchResult, Variant

MAX_OPPONENTS = max(count for game in GAMES for count in game.players) - 1
DEFAULT_GAME = "seven"
DEFAULT_OPPONENT = "sage"  # strong, and answers at once
DEFAULT_COUNT = 2

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

# How a game ended for the visitor.
WON = N_("You won with {points}, {lead} ahead of {rival}.")
WON_TIE = N_("You won with {points}, as many as {rival}: the tie-break decided.")
SHARED = N_("You came {place} with {points}, level with {rival}.")
PLACED = N_("You came {place} with {points}, {lead} behind {rival}.")
PLACED_TIE = N_("You came {place} with {points}, as many as {rival}: the tie-break decided.")


@dataclass(frozen=True)
class OptionGroup:
    """A card of the hand with all that can be done with it; or what is done without a card."""

    card: Piece | None
    options: tuple[tuple[int, MoveFace], ...]
    chosen: bool
    value: int | None  # of the best of its options, in hundredths, after a hint
    best: bool
    stands: bool  # in the city already, so that it cannot be built again


def lobby_page(
    links: Links,
    token: str,
    problem: str = "",
    chosen: Mapping[str, str] | None = None,
    others: Mapping[str, list[str]] | None = None,
) -> str:
    """Where a visitor picks a game and opponents; what was chosen before stays chosen.

    Opponents out of leagues are listed by the league.
    """
    return draw(
        "lobby.html",
        links.frame(pgettext("game", "Play", links.lang)),
        links=links,
        token=token,
        problem=problem,
        chosen=chosen or default_choice(),
        games=[(game.id, game.players.start, game.players.stop - 1) for game in GAMES],
        opponents=OPPONENTS,
        others=others or {},
        about=LADDER,
        most=MAX_OPPONENTS,
        wonders=wonder_groups(links.lang),
        editions=[edition for game in GAMES for edition in game.editions],
        expansions=[expansion for game in GAMES for expansion in game.expansions],
    )


def default_choice() -> dict[str, str]:
    """What the form begins with."""
    bots = {f"bot{number}": DEFAULT_OPPONENT for number in range(1, DEFAULT_COUNT + 1)}
    return {"game": DEFAULT_GAME, "confirm": "1", **bots}


def wonder_groups(lang: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The wonders of every game and edition, by id and name."""
    found = []
    for game in GAMES:
        for edition in reversed(game.editions or (None,)):
            ids = game.wonders(Variant(game.id, edition))
            title = game_name(game.id) + (f" · {edition_name(edition, lang)}" if edition else "")
            found.append((title, [(id, wonder_name(game.id, id, lang)) for id in ids]))
    return found


def table_page(
    table: LiveTable,
    snapshot: TableSnapshot,
    links: Links,
    token: str,
    step: int | None = None,
    seat: int | None = None,
    values: list[OptionValue] | None = None,
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
        groups=[] if decision is None else option_groups(decision, lang, snapshot.chosen, values),
        chosen=""
        if decision is None or snapshot.chosen is None
        else capital(
            display.describe_action(snapshot.chosen, lang, state=decision.view, seat=decision.seat)
        ),
        heading="" if decision is None else question(decision, lang),
        values=values,
        versus=[] if scene is None else shields_beside(scene, table.seat),
        games=sum(value.games for value in values or ()),
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


def option_groups(
    decision: Decision, lang: str, chosen: int | None, values: list[OptionValue] | None
) -> list[OptionGroup]:
    """The options by card, in the order of the hand; those without a card come last."""
    display = display_of(decision.game.id)
    by_card = decision.game.id == "seven"
    faces: dict[object, list[tuple[int, MoveFace]]] = {}
    for at, option in enumerate(decision.options):
        face = display.move_face(option.action, lang, decision.view, decision.seat)
        key = face.card.key if by_card and face.card else f"option {at}"
        faces.setdefault(key, []).append((at, face))
    top = None if values is None else best_option(values)
    own = display.scene(decision.view, lang).panels[1 + decision.seat]
    lines = {line.id: line.pieces for line in own.lines}
    held = [piece.key for piece in lines.get("hand", ())]
    built = {piece.text for piece in lines.get("cards", ())}
    groups = []
    for options in faces.values():
        card = options[0][1].card
        if card is not None and held.count(card.key) > 1:
            card = replace(card, count=held.count(card.key))
        places = [at for at, _ in options]
        tried = [values[at].value for at in places if values[at].games] if values else []
        groups.append(
            OptionGroup(
                card,
                tuple(options),
                any(decision.options[at].action == chosen for at in places),
                round(100 * max(tried)) if tried else None,
                top in places,
                by_card and card is not None and card.text in built,
            )
        )
    return sorted(groups, key=lambda group: group.card is None)
