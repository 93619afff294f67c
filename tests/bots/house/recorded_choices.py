"""What `sage` chooses in 1,000 positions, to be the same interpreted, compiled and everywhere.

After new weights: python -m tests.bots.house.recorded_choices
"""

import json
from pathlib import Path

from bots.house.learned.policy import first_best
from bots.house.learned.weights import shipped_value
from engine.catalog import GAMES
from engine.contract import Game
from engine.rng import Rng, derive

RECORDED = Path(__file__).parent / "recorded_choices.json"
POSITIONS = 500  # of each game
WORLDS = 2


def choices(game: Game) -> str:
    """A letter for each choice: its place among the options, in random games at all tables."""
    value = shipped_value(game.id)
    found: list[str] = []
    seed = 0
    while len(found) < POSITIONS:
        seed += 1
        players = game.players[seed % len(game.players)]
        state, dice = game.deal(game.setup(players, seed), seed), Rng(derive(seed, "dice"))
        while seats := state.pending():
            for seat in seats:
                options = state.legal(seat)
                if dice.below(3) == 0:  # not every position of a game
                    view = state.view(seat)
                    sums = value.weigh_view(view, seat, options, WORLDS, dice)
                    found.append(chr(65 + first_best(sums)))
                state.apply(seat, options[dice.below(len(options))])
    return "".join(found[:POSITIONS])


if __name__ == "__main__":
    RECORDED.write_text(json.dumps({game.id: choices(game) for game in GAMES}, indent=1) + "\n")
