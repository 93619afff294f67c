"""Architects as people see it: the table, moves in words, and what is in the box."""

from collections.abc import Sequence
from functools import cache
from typing import final

from arena.display.architects_cards import card_piece, name
from arena.display.architects_moves import describe_action, drawn_besides, move_face, prospects
from arena.display.architects_texts import (
    DECKS_EMPTY,
    EFFECT_SIGNS,
    LABELS,
    LAST_TURN,
    LEGEND,
    OBJECTIVES,
    POWERS,
    PROVISIONAL,
    SCORES,
    TIES,
    TOKEN_EFFECTS,
    TOLD,
    WONDER_COMPLETE,
    count,
    label,
)
from arena.display.scene import (
    CONFLICT,
    MEDAL,
    PAWN,
    PILE,
    SHIELDS,
    STAGE,
    TOKEN,
    VICTORY,
    Line,
    MoveFace,
    Panel,
    Piece,
    Prospects,
    Scene,
    Sheet,
    sheet,
    ties,
)
from arena.display.signs import WONDERS as ICONS
from arena.i18n import gettext, semicolon
from engine.architects.actions import OVER
from engine.architects.battle import shields
from engine.architects.components.cards import CENTRE_CARDS, KINDS
from engine.architects.components.ids import WONDER_IDS
from engine.architects.components.lookup import (
    CENTRE_MEDALS,
    CONFLICTS,
    HIDDEN,
    KIND_COUNT,
    NO_MEDAL,
    NO_TOKEN,
)
from engine.architects.components.medals import MEDALS
from engine.architects.components.tokens import TOKENS, ProgressToken
from engine.architects.components.wonders import WONDERS
from engine.architects.score import MEDAL_POINTS, MILITARY_POINTS, total
from engine.architects.score import sheet as points
from engine.architects.setup import check_edition
from engine.architects.state import ArchitectsPosition, given_seat
from engine.contract import State
from engine.match import Setup


def _notices(wonders: tuple[str, ...], lang: str) -> list[str]:
    """A line for each wonder whose printed components are not known."""
    rows = [WONDERS[WONDER_IDS.index(id)] for id in wonders]
    return [gettext(PROVISIONAL, lang, wonder=name(row, lang)) for row in rows if row.provisional]


def _scene(p: ArchitectsPosition, lang: str) -> Scene:
    """The table, as far as it lies open to everybody or the view knows it."""
    turn = name(WONDERS[p.wonder[p.turn]], lang)
    if p.ask == OVER:
        heading = label("over", lang)
    else:
        heading = gettext("{wonder} to play", lang, wonder=turn)
    seats = [_seat(p, seat, lang) for seat in range(p.players)]
    return Scene(heading, [_middle(p, lang), *seats])


def _middle(p: ArchitectsPosition, lang: str) -> Panel:
    face_up = [_token(TOKENS[token], 1, lang) for token in p.face_up if token != NO_TOKEN]
    stack = Piece(gettext("+{n} in the stack", lang, n=p.stacked), kind=PILE, mark=f"{p.stacked}")
    lines = [
        _line("deck", _top(p, int(p.players), lang), lang),
        _line("progress", [*face_up, stack], lang),
        _line("conflict", [_conflicts(p)], lang),
    ]
    medals = [p.medal[p.players + place] for place in range(CENTRE_MEDALS)]
    lines += _medals_line(medals, lang)
    return Panel(label("middle", lang), lines, name=label("middle", lang))


def _line(id: str, pieces: list[Piece], lang: str) -> Line:
    return Line(id, label(id, lang), pieces)


def _conflicts(p: ArchitectsPosition) -> Piece:
    flipped = int(p.flipped)
    count = int(CONFLICTS[p.players])
    text = "✕" * flipped + "·" * (count - flipped)
    done = flipped == count
    return Piece(text, kind=CONFLICT, mark=f"{flipped}/{count}", done=done)


def _token(token: ProgressToken, count: int, lang: str) -> Piece:
    note = gettext(TOKEN_EFFECTS[token.id], lang)
    return Piece(name(token, lang), "", count, kind=TOKEN, note=note)


def _medals_line(medals: list[int], lang: str) -> list[Line]:
    texts = [gettext(OBJECTIVES[MEDALS[medal].id], lang) for medal in medals if medal != NO_MEDAL]
    pieces = [Piece(text, kind=MEDAL, mark=f"{MEDAL_POINTS}") for text in texts]
    return [_line("medal", pieces, lang)] if pieces else []


def _top(p: ArchitectsPosition, deck: int, lang: str) -> list[Piece]:
    pieces = [Piece(count(int(p.size[deck]), "cards", lang), kind=PILE, mark=f"{p.size[deck]}")]
    hidden = deck == p.players and (p.viewer < 0 or p.top(deck) == HIDDEN)
    if p.size[deck] and not hidden:
        pieces.insert(0, card_piece(int(p.top(deck)), lang))
    return pieces


def _seat(p: ArchitectsPosition, seat: int, lang: str) -> Panel:
    wonder = WONDERS[p.wonder[seat]]
    cards = [
        card_piece(at, lang, int(p.cards[seat * KIND_COUNT + at]))
        for at in range(int(KIND_COUNT))
        if p.cards[seat * KIND_COUNT + at]
    ]
    given = sum(1 for given in p.given if given_seat(given) == seat)
    if given:
        cards.append(Piece(count(given, "face_down", lang), kind=PILE, mark=f"{given}"))
    stages = _stack(int(p.wonder[seat]), int(p.built[seat]), lang)
    lines = [
        Line("stages", label("stages", lang).lower(), list(stages)),
        _line("cards", cards, lang),
        _line("progress", _tokens(p, seat, lang), lang),
        _line("deck", _top(p, seat, lang), lang),
        _line("military", _military(p, seat, lang), lang),
        *_medals_line([p.medal[seat]], lang),
    ]
    points = int(total(p, seat))
    cat = [Piece(label("cat", lang), kind=PAWN)] if p.cat == seat else []
    heads = [name(wonder, lang), count(points, "points", lang), *(pawn.text for pawn in cat)]
    shown = [line for line in lines if line.pieces]
    active = p.ask != OVER and p.turn == seat
    icon = ICONS.get(wonder.id, wonder.id)
    return Panel(" · ".join(heads), shown, seat, active, name(wonder, lang), points, cat, icon)


@cache  # a game shows each of them again and again
def _stack(number: int, built: int, lang: str) -> tuple[Piece, ...]:
    """The stages of a wonder, each above those it rests on."""
    wonder = WONDERS[number]
    pieces: list[Piece] = []
    for at, stage in enumerate(wonder.stages):
        cost = f"{stage.count}{stage.rule}"
        done = bool(built >> at & 1)
        level = max((pieces[below - 1].level + 1 for below in stage.on), default=0)
        gives = [count(stage.points, "points", lang)] if stage.points else []
        if stage.effect:
            gives.append(gettext(POWERS[wonder.id], lang))
        text = f"{cost}✓" if done else f"{cost} {stage.points}"
        note = f"{semicolon(lang)} ".join(gives)
        signs = f"v{stage.points}" if stage.points else ""
        if stage.effect:
            signs = f"{signs} {EFFECT_SIGNS[wonder.id]}".strip()
        pieces.append(
            Piece(text, kind=STAGE, mark=cost, note=note, level=level, done=done, gives=signs)
        )
    return tuple(pieces)


def _military(p: ArchitectsPosition, seat: int, lang: str) -> list[Piece]:
    strength = int(shields(p, seat))
    words = label("points", lang)
    text = count(strength, "shields", lang)
    pieces = [Piece(text, "red", kind=SHIELDS, mark=f"{strength}")]
    if p.military[seat]:
        text = f"{p.military[seat]} × {MILITARY_POINTS} {words}"
        pieces.append(Piece(text, kind=VICTORY, mark=f"{p.military[seat]}×{MILITARY_POINTS}"))
    if p.won[seat]:
        text = f"{p.won[seat]} × {MEDAL_POINTS} {words} ({label('medal', lang)})"
        pieces.append(Piece(text, kind=MEDAL, mark=f"{p.won[seat]}×{MEDAL_POINTS}"))
    return pieces


def _tokens(p: ArchitectsPosition, seat: int, lang: str) -> list[Piece]:
    if not p.owned[seat]:
        return []
    return [
        _token(token, int(p.copies(seat, at)), lang)
        for at, token in enumerate(TOKENS)
        if p.copies(seat, at)
    ]


def _score_pad(p: ArchitectsPosition, lang: str) -> Sheet:
    """The points of every seat by category."""
    sheets = [points(p, seat) for seat in range(p.players)]
    if not p.medals_used:
        for each in sheets:
            del each["medals"]
    cities = [name(WONDERS[p.wonder[seat]], lang) for seat in range(p.players)]
    rows: list[tuple[str | int, ...]] = [
        (seat, cities[seat], *row.values()) for seat, row in enumerate(sheets)
    ]
    built = [int(p.stages(seat)) for seat in range(p.players)]
    notes = tuple(ties([row["total"] for row in sheets], built, cities, TIES, lang))
    return sheet("scores", ("seat", "city", *sheets[0]), rows, {**LABELS, **SCORES}, lang, notes)


def _ending(p: ArchitectsPosition, names: Sequence[str], lang: str) -> str:
    """Why the game is over, or will be when this turn is."""
    complete = [seat for seat in range(p.players) if p.complete(seat)]
    if complete:
        city = name(WONDERS[p.wonder[complete[0]]], lang)
        message = WONDER_COMPLETE if p.ask == OVER else LAST_TURN
        return gettext(message, lang, city=city, player=names[complete[0]])
    return gettext(DECKS_EMPTY, lang) if p.ask == OVER else ""


def _components(lang: str) -> list[Sheet]:
    """Wonders, stages, decks, tokens and medals."""
    return [_wonders(lang), _stages(lang), _decks(lang), _progress(lang), _medals(lang)]


def _wonders(lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (
            w.id,
            name(w, lang),
            gettext(w.monument, lang),
            gettext(POWERS[w.id], lang),
            gettext(w.expansion, lang),
            label("provisional", lang) if w.provisional else "",
        )
        for w in WONDERS
    ]
    keys = ("id", "name", "monument", "effect", "needs", "status")
    return sheet("wonders", keys, rows, LABELS, lang, tuple(_notices(WONDER_IDS, lang)))


def _stages(lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (
            wonder.id,
            name(wonder, lang),
            at + 1,
            f"{stage.count}{stage.rule}",
            stage.points,
            label("yes", lang) if stage.effect else "",
            " ".join(str(below) for below in stage.on),
        )
        for wonder in WONDERS
        for at, stage in enumerate(wonder.stages)
    ]
    keys = ("id", "wonder", "stage", "cost", "points", "has_effect", "rests_on")
    return sheet("stages", keys, rows, LABELS, lang)


def _decks(lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (
            kind.id,
            name(kind, lang),
            label(kind.colour, lang),
            *(wonder.deck[at] for wonder in WONDERS),
            CENTRE_CARDS[at],
        )
        for at, kind in enumerate(KINDS)
    ]
    keys = ("id", "card", "colour", *WONDER_IDS, "centre")
    names = {wonder.id: wonder.name for wonder in WONDERS}
    return sheet("decks", keys, rows, {**LABELS, **names}, lang)


def _progress(lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (t.id, name(t, lang), gettext(TOKEN_EFFECTS[t.id], lang), t.copies, t.copies_expanded)
        for t in TOKENS
    ]
    keys = ("id", "name", "effect", "copies", "copies_expanded")
    return sheet("tokens", keys, rows, LABELS, lang)


def _medals(lang: str) -> Sheet:
    rows: list[tuple[str | int, ...]] = [
        (m.id, gettext(OBJECTIVES[m.id], lang), int(MEDAL_POINTS)) for m in MEDALS
    ]
    return sheet("medals", ("id", "objective", "points"), rows, LABELS, lang)


@final
class ArchitectsDisplay:
    """7 Wonders Architects for people."""

    def components(self, edition: str | None, lang: str) -> list[Sheet]:
        check_edition(edition)
        return _components(lang)

    def cards(self, edition: str | None, lang: str) -> list[tuple[str, list[Piece]]]:
        check_edition(edition)
        return [(label("cards", lang), [card_piece(at, lang) for at in range(len(KINDS))])]

    def scene(self, state: State, lang: str) -> Scene:
        return _scene(_position(state), lang)

    def describe_action(
        self,
        action: int,
        lang: str,
        open: bool = True,
        state: State | None = None,
        seat: int | None = None,
        brief: bool = False,
        yours: bool = False,
    ) -> str:
        position = None if state is None else _position(state)
        return describe_action(action, lang, position, yours=yours)

    def tell_action(self, action: int, lang: str, open: bool, state: State, seat: int) -> str:
        return describe_action(action, lang, _position(state), TOLD)

    def move_face(self, action: int, lang: str, state: State, seat: int) -> MoveFace:
        return move_face(action, lang, _position(state))

    def drawn_besides(self, before: State, action: int, after: State, lang: str) -> str:
        return drawn_besides(_position(before), action, _position(after), lang)

    def prospects(self, state: State, seat: int, lang: str) -> Prospects:
        return prospects(_position(state), seat, lang)

    def obstacles(self, state: State, seat: int, lang: str) -> dict[str, str]:
        return {}  # stages are built as soon as they can be

    def legend(self, lang: str) -> list[str]:
        return [gettext(line, lang) for line in LEGEND]

    def score_pad(self, state: State, lang: str) -> Sheet:
        return _score_pad(_position(state), lang)

    def ending(self, state: State, names: Sequence[str], lang: str) -> str:
        return _ending(_position(state), names, lang)

    def setup_notices(self, setup: Setup, lang: str) -> list[str]:
        return _notices(setup.wonders, lang)


def _position(state: State) -> ArchitectsPosition:
    assert isinstance(state, ArchitectsPosition)
    return state
