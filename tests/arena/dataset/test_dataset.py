"""Data sets: what is written is read again, the same bytes each time, and bad files are refused."""

import gzip
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.api.games import play_games
from arena.cluster.workers import Workers
from arena.compare.run import RunSettings
from arena.dataset.arrays import decision_arrays
from arena.dataset.game_file import DatasetHeader, GameFile, GameFileWriter, recorded
from arena.dataset.recording import record_games
from arena.series.run import Series
from bots.chairs.limits import Limits
from engine.catalog import find
from engine.errors import ArenaError
from engine.match import MatchResult, Variant


def results(game: str, players: int, count: int) -> list[MatchResult]:
    played = play_games(game, ["random"] * players, count, seed=1, rotate=False)
    return [match.result for match in played]


def header(game: str, players: int, bots: tuple[str, ...]) -> DatasetHeader:
    variant = find(game).setup(players, 1).variant
    version = find(game).version(variant)
    return DatasetHeader(game, variant.edition, (), False, version, players, bots, 1, 2)


def written(path: Path, game: str, players: int) -> list[MatchResult]:
    """Two random games in a file."""
    found = results(game, players, 2)
    bots = tuple(dict.fromkeys(found[0].spec.bots))
    packed = io.BytesIO()
    writer = GameFileWriter(packed, header(game, players, bots))
    for result in found:
        writer.add(recorded(result, bots))
    writer.close()
    path.write_bytes(packed.getvalue())
    return found


@pytest.mark.parametrize(("game", "players"), [("architects", 3), ("seven", 4)])
def test_games_are_played_again_from_their_choices(game: str, players: int, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    found = written(path, game, players)
    file = GameFile(path)
    assert file.header.players == players
    for result, record in zip(found, file, strict=True):
        decisions = list(file.decisions(record))
        assert [each.action for each in decisions] == result.decisions
        assert all(each.action in each.state.legal(each.seat) for each in decisions)
        assert list(record.scores) == result.scores
        assert list(record.ranks) == result.ranks
    assert path.stat().st_size < 400 * players


def test_arrays_have_a_row_for_every_decision(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    found = written(path, "architects", 2)
    file = GameFile(path)
    rows = decision_arrays(file)
    count = sum(len(result.decisions) for result in found)
    game = find("architects")
    assert rows.features.shape == (count, game.feature_count)
    assert len(rows.starts) == count + 1
    actions = game.actions(file.header.variant, 2)
    assert [actions[at] for at in rows.actions] == [
        action for result in found for action in result.decisions
    ]
    for row in range(count):
        assert rows.actions[row] in rows.legal[rows.starts[row] : rows.starts[row + 1]]
    first = next(iter(file.decisions(next(iter(file)))))
    places, numbers = first.state.features(first.seat)
    assert np.flatnonzero(rows.features[0]).tolist() == places
    assert rows.features[0, places].tolist() == numbers
    assert len(decision_arrays(file, most_games=1).actions) == len(found[0].decisions)


@pytest.mark.slow
def test_the_same_games_give_the_same_bytes_in_their_order(tmp_path: Path) -> None:
    series = Series(Variant("seven"), ("greedy", "random", "random"), 1, 6)
    settings = RunSettings(Limits(), in_process=True, where=Workers(2))
    for name in ("one", "two"):
        assert record_games(series, settings, tmp_path / name) == 0
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]
    file = GameFile(tmp_path / "one")
    assert file.header.bots == ("greedy", "random")
    assert [game.seed for game in file] == [1, 1, 1, 2, 2, 2]
    assert [game.seats for game in file][:3] == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    for game in file:
        assert list(file.decisions(game))


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    with pytest.raises(ArenaError, match="cannot read"):
        GameFile(path)
    path.write_text("no gzip")
    with pytest.raises(ArenaError, match="cannot read"):
        GameFile(path)
    path.write_bytes(gzip.compress(b"[]"))
    with pytest.raises(ArenaError, match="expected an object of JSON in line 1"):
        GameFile(path)
    path.write_bytes(gzip.compress(b"{}"))
    with pytest.raises(ArenaError, match="expected a file of arena dataset"):
        GameFile(path)
    first = {"format": "wonders-arena games", "version": 2}
    path.write_bytes(gzip.compress(json.dumps(first).encode()))
    with pytest.raises(ArenaError, match="expected version 1 of the format, got 2"):
        GameFile(path)
    path.write_bytes(gzip.compress(json.dumps({**first, "version": 1, "dice": 6}).encode()))
    with pytest.raises(ArenaError, match="expected game, edition"):
        GameFile(path)


def test_a_file_that_was_cut_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    written(path, "architects", 2)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(ArenaError, match="cannot read"):
        list(GameFile(path))


def test_choices_that_are_none_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl.gz"
    written(path, "architects", 2)
    file = GameFile(path)
    game = next(iter(file))
    with pytest.raises(ArenaError, match=r"expected a choice among \d+ actions, got 99"):
        list(file.decisions(replace(game, choices=(99, *game.choices[1:]))))
    with pytest.raises(ArenaError, match="expected scores"):
        list(file.decisions(replace(game, scores=(0, 0))))
    file.header = replace(file.header, rules=99)
    with pytest.raises(ArenaError, match="expected rules of version"):
        list(file.decisions(game))
