"""Architects for learners: every action in a row, and what an observation is made of."""

from functools import cache, partial
from itertools import combinations_with_replacement

from librt.vecs import vec
from mypy_extensions import i64

from arena.adapters.layout import UNKNOWN, FeatureBlock, Layout
from engine.architects.actions import PROMPTS
from engine.architects.build import offer_builds
from engine.architects.components.ids import KIND_IDS, MEDAL_IDS, TOKEN_IDS, WONDER_IDS
from engine.architects.components.lookup import (
    CENTRE_SIZE,
    COIN,
    COST,
    DECK_SIZE,
    ECONOMY,
    ENGINEERING,
    GREY_COUNT,
    KIND_COUNT,
    SAME,
    STAGE_COUNT,
)
from engine.architects.formats.notation import SEATS, VERBS
from engine.architects.state import STACK_SIZE, Position


def layout(players: int, _edition: str | None) -> Layout:
    """What a table of so many looks like, whatever the expansions."""
    return Layout(_table(players), _seat(), partial(actions, players))


def actions(players: int) -> list[int]:
    """Every action of a table of so many, the builds last."""
    found: list[int] = []
    for verb in VERBS:
        ones = players if verb.ones == SEATS else len(verb.ones)
        found += [
            verb.head + verb.step * one + two
            for one in range(ones)
            for two in range(len(verb.twos))
        ]
    return found + list(builds())


@cache
def builds() -> tuple[int, ...]:
    """Every payment the rules offer to a hand that holds just what the payment takes."""
    found: set[int] = set()
    most = int(max(COST))
    for wonder in _different_wonders():
        for stage in range(int(STAGE_COUNT)):
            for count in range(most + 1):
                for hand in combinations_with_replacement(range(int(GREY_COUNT)), count):
                    for owned in (0, ECONOMY, ENGINEERING, ECONOMY | ENGINEERING):
                        found.update(_offered(wonder, stage, hand, int(owned)))
    return tuple(sorted(found))


def _different_wonders() -> list[int]:
    """One wonder for each set of costs."""
    costs: dict[tuple[bytes, bytes], int] = {}
    for wonder in range(len(WONDER_IDS)):
        row = slice(wonder * int(STAGE_COUNT), (wonder + 1) * int(STAGE_COUNT))
        costs.setdefault((COST[row], SAME[row]), wonder)
    return list(costs.values())


def _offered(wonder: int, stage: int, hand: tuple[int, ...], owned: int) -> list[int]:
    """The ways to pay for the one stage that is missing, with these grey cards and many coins."""
    cards = [0] * int(2 * KIND_COUNT)
    for kind in hand:
        cards[kind] += 1
    cards[int(COIN)] = int(max(COST))
    p = Position(2, None)
    p.wonder = vec[i64]([wonder, wonder])
    p.cards = vec[i64](cards)
    p.owned = vec[i64]([owned, 0])
    p.built = vec[i64]([(1 << int(STAGE_COUNT)) - 1 - (1 << stage), 0])
    p.clear_options()
    offer_builds(p)
    return [int(p.options[at]) for at in range(int(p.offered))]


def _table(players: int) -> tuple[FeatureBlock, ...]:
    """What lies before nobody, and which seat is looking."""
    return (
        FeatureBlock("prompt", PROMPTS),
        FeatureBlock("progress.face_up", TOKEN_IDS),
        FeatureBlock("progress.stack", most=float(STACK_SIZE)),
        FeatureBlock("conflict.flipped", most=6),
        FeatureBlock("conflict.of", most=6),
        FeatureBlock("armed", TOKEN_IDS),
        FeatureBlock("used", TOKEN_IDS),
        FeatureBlock("centre_medals", MEDAL_IDS),
        FeatureBlock("centre.size", most=float(CENTRE_SIZE)),
        FeatureBlock("centre.top", KIND_IDS),
        FeatureBlock("centre.stock", KIND_IDS, 8),
        FeatureBlock("seat", tuple(range(players))),
    )


def _seat() -> tuple[FeatureBlock, ...]:
    """What lies before one seat."""
    return (
        FeatureBlock("to_move"),
        FeatureBlock("cat"),
        FeatureBlock("wonder", WONDER_IDS),
        FeatureBlock("stages", tuple(range(1, int(STAGE_COUNT) + 1))),
        FeatureBlock("cards", KIND_IDS, 4),
        FeatureBlock("tokens", TOKEN_IDS),
        FeatureBlock("shields", most=6),
        FeatureBlock("military", most=6),
        FeatureBlock("medals", most=6),
        FeatureBlock("points", most=50),
        FeatureBlock("deck.size", most=float(DECK_SIZE)),
        FeatureBlock("deck.top", KIND_IDS),
        FeatureBlock("deck.stock", KIND_IDS, 4),
        FeatureBlock("medal", MEDAL_IDS),
        FeatureBlock("face_down", KIND_IDS),
        FeatureBlock("face_down", UNKNOWN),
    )
