"""A first bot: build when you can, else take anything."""

import random

from bots.api import Bot, Decision, Option


class FirstBot(Bot):
    """Only `decide` is needed; `start`, `observe` and `finish` may be added."""

    def decide(self, decision: Decision) -> Option:
        """Choose one of decision.options; decision.prompt and decision.game.id say what is asked.

        decision.facts() is all this seat knows, as plain data; decision.view is the same as a
        state to clone, imagine and play on. `bots.api` has typed facts and helpers for search.
        What you print is shown by `arena bot check`.
        """
        builds = [option for option in decision.options if option.text.startswith("build")]
        return random.choice(builds or decision.options)  # `random` is seeded by the arena
