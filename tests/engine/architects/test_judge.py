"""Two implementations that know nothing of each other agree on every option of every game."""

import json
import random
from typing import Any

import pytest

from engine.replay import Replay, read_trace, trace, write_trace
from tests.engine.architects.judge import judge, make_deal, play, record
from tests.support.setups import ROWS, Row, random_match

rows = [row for row in ROWS if row.game == "architects"]
every_setup = pytest.mark.parametrize("row", rows, ids=[row.id for row in rows])


def confirm(facts: dict[str, Any]) -> None:
    replay = Replay(read_trace(json.dumps(facts)))
    while replay.advance():
        pass


@pytest.mark.slow
@every_setup
def test_the_judge_confirms_the_engine(row: Row, many: int) -> None:
    for seed in range(many * 2):
        facts = json.loads(write_trace(trace(random_match(row, seed))))
        assert judge(facts) == []


@every_setup
def test_the_engine_confirms_the_judge(row: Row, many: int) -> None:
    for seed in range(many):
        setup = row.spec(seed).setup
        wonders, expansions = list(setup.wonders), list(setup.variant.expansions)
        confirm(play(row.players, wonders, expansions, setup.variant.expert, random.Random(seed)))


@every_setup
def test_both_agree_where_tokens_come_early_and_builds_late(row: Row, many: int) -> None:
    """Stacked decks and players who rather study than build reach what random games rarely do."""
    for seed in range(many):
        rng = random.Random(seed)
        setup = row.spec(seed).setup
        wonders, expansions = list(setup.wonders), setup.variant.expansions
        deal = make_deal(wonders, expansions, setup.variant.expert, rng)
        for cards in [*deal["decks"], deal["centre"]]:
            cards.sort(key=lambda card: card in ("gear", "compass", "tablet"), reverse=True)
        early = ("economy", "engineering", "architecture")
        deal["progress"].sort(key=lambda token: token not in early)

        def choose(seat: int, prompt: str, options: list[str], rng: random.Random = rng) -> str:
            rare = [option for option in options if " by " in option or option.startswith("extra")]
            late = [option for option in options if not option.startswith("build")]
            return rng.choice(rare or late or options)

        confirm(record(wonders, setup.variant.expansions, setup.variant.expert, deal, choose, rng))


def test_the_judge_finds_a_changed_score() -> None:
    facts: dict[str, Any] = trace(random_match(rows[0], 1))
    facts["scores"][0]["total"] += 1
    assert judge(json.loads(write_trace(facts)))
