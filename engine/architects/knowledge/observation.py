"""What a view knows, by ids: for programs that do not use this library."""

from librt.vecs import vec
from mypy_extensions import i64

from engine.architects.battle import shields
from engine.architects.components.ids import KIND_IDS, MEDAL_IDS, TOKEN_IDS, WONDER_IDS
from engine.architects.components.lookup import (
    CENTRE_MEDALS,
    CONFLICTS,
    CULTURE_ID,
    DECK_SIZE,
    HIDDEN,
    KIND_COUNT,
    NO_MEDAL,
    NO_TOKEN,
    STAGE_COUNT,
)
from engine.architects.knowledge.redact import known_top
from engine.architects.score import total
from engine.architects.state import ArchitectsPosition, given_kind, given_seat


def facts(p: ArchitectsPosition) -> dict[str, object]:
    """The table; null stands for what the seat does not know, or what is not there."""
    return {
        "to_move": p.turn,
        "seats": [_seat(p, seat) for seat in range(p.players)],
        "centre": _deck(p, int(p.players)),
        "progress": {
            "face_up": [TOKEN_IDS[token] for token in p.face_up if token != NO_TOKEN],
            "stack": p.stacked,
        },
        "conflict": {"flipped": p.flipped, "of": CONFLICTS[p.players]},
        "cat": p.cat if p.cat >= 0 else None,
        "centre_medals": [_medal(p, int(p.players) + at) for at in range(CENTRE_MEDALS)],
        "armed": [TOKEN_IDS[at] for at in range(len(TOKEN_IDS)) if p.armed >> at & 1],
        "used": [TOKEN_IDS[at] for at in range(len(TOKEN_IDS)) if p.used >> at & 1],
    }


def _seat(p: ArchitectsPosition, seat: int) -> dict[str, object]:
    tokens = [id for at, id in enumerate(TOKEN_IDS) if p.copies(seat, at)]
    tokens += ["culture"] * int(p.copies(seat, CULTURE_ID) - 1)
    return {
        "wonder": WONDER_IDS[p.wonder[seat]],
        "stages": [stage + 1 for stage in range(STAGE_COUNT) if p.built[seat] >> stage & 1],
        "cards": _counts(p.cards, seat),
        "tokens": tokens,
        "shields": shields(p, seat),
        "military": p.military[seat],
        "medals": p.won[seat],
        "points": total(p, seat),
        "deck": _deck(p, seat),
        "medal": _medal(p, seat),
        "face_down": [
            KIND_IDS[given_kind(given)] if given_kind(given) != HIDDEN else None
            for given in p.given
            if given_seat(given) == seat
        ],
    }


def _deck(p: ArchitectsPosition, deck: int) -> dict[str, object]:
    """Its size, what is seen on top, top first, and the cards of it that never lay open."""
    shown = known_top(p, deck, p.viewer) if p.viewer >= 0 else 0
    top = deck * DECK_SIZE + p.size[deck]
    return {
        "size": p.size[deck],
        "top": [KIND_IDS[p.deck[top - 1 - at]] for at in range(shown)],
        "stock": _counts(p.stock, deck),
    }


def _counts(cards: vec[i64], row: int) -> dict[str, int]:
    start = row * int(KIND_COUNT)
    numbers = cards[start : start + int(KIND_COUNT)]
    return {id: count for id, count in zip(KIND_IDS, numbers, strict=True) if count}


def _medal(p: ArchitectsPosition, place: int) -> str | None:
    return None if p.medal[place] == NO_MEDAL else MEDAL_IDS[p.medal[place]]
