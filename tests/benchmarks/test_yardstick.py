"""The yardstick plays the games of the engine: only then its time says anything."""

from pathlib import Path

import pytest

from tests.benchmarks import random_play, yardstick
from tests.benchmarks.setups import Row

pytestmark = pytest.mark.slow

GAMES = 50
VARIANTS = (((), False), (("medals",), False), (("medals",), True))


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = yardstick.compiler()
    if compiler is None:
        pytest.skip("needs gcc")
    return yardstick.build(compiler, tmp_path_factory.mktemp("yardstick"))


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize(("expansions", "expert"), VARIANTS)
def test_it_plays_the_games_of_the_engine(
    binary: Path, players: int, expansions: tuple[str, ...], expert: bool
) -> None:
    row = Row("architects", players, None, expansions, expert)
    result = yardstick.run(binary, row, 0, GAMES)
    assert (result.checksum, result.decisions) == random_play.check(row, 0, GAMES)
