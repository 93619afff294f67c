"""A data set as arrays of numpy: a row for every decision."""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.dataset.game_file import GameFile
from engine.catalog import find


class DecisionArrays(NamedTuple):
    """Decisions in the order of the file; `legal[starts[row]:starts[row + 1]]` were the options.

    Actions are indices into `Game.actions` of the variant and the number of players, as in the
    vector environment.
    """

    features: NDArray[np.int16]  # what the seat saw, named by `Game.feature_labels`
    actions: NDArray[np.int32]  # chosen
    legal: NDArray[np.int32]
    starts: NDArray[np.int64]
    games: NDArray[np.int32]  # the number of the game in the file, from 0 on
    bots: NDArray[np.int16]  # which of the header's
    ranks: NDArray[np.int8]  # that the seat came to, 0 for the winner
    scores: NDArray[np.int16]


def decision_arrays(file: GameFile, most_games: int | None = None) -> DecisionArrays:
    """The decisions of a file, or of its first games; every game is played again."""
    header = file.header
    rules = find(header.game)
    index = {action: at for at, action in enumerate(rules.actions(header.variant, header.players))}
    places: list[NDArray[Any]] = []
    numbers: list[NDArray[Any]] = []
    columns: list[tuple[int, int, int, int, int]] = []
    legal: list[int] = []
    counts: list[int] = []
    for number, game in enumerate(islice(file, most_games)):
        for each in file.decisions(game):
            where, what = each.state.features(each.seat)
            places.append(np.array(where, np.int32))
            numbers.append(np.array(what, np.int16))
            legal.extend(index[action] for action in each.actions)
            counts.append(len(each.actions))
            seat = each.seat
            chosen = index[each.action], number, game.seats[seat], game.ranks[seat]
            columns.append((*chosen, game.scores[seat]))
    features = np.zeros((len(columns), rules.feature_count), np.int16)
    for row, (where_, what_) in enumerate(zip(places, numbers, strict=True)):
        features[row, where_] = what_
    table = np.array(columns, np.int32).reshape(-1, 5).T
    return DecisionArrays(
        features,
        table[0],
        np.array(legal, np.int32),
        np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]),
        table[1],
        table[2].astype(np.int16),
        table[3].astype(np.int8),
        table[4].astype(np.int16),
    )
