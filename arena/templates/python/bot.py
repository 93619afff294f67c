"""A first bot: build when you can, else take anything."""

from bots.api import Bot, Decision, Option, Seating


class FirstBot(Bot):
    """Only `decide` is needed; `start`, `observe` and `finish` may be added."""

    def start(self, seating: Seating) -> None:
        """Keep dice of its own, with all that the `random` module has: same seed, same game."""
        self.dice = seating.random

    def decide(self, decision: Decision) -> Option:
        """Choose one of decision.options; decision.prompt and decision.game.id say what is asked.

        decision.facts() is all this seat knows, as plain data; decision.view is the same as a
        state to clone, imagine and play on. `bots.api` has typed facts and helpers for search.
        What you print is shown by `arena bot check`; `arena match show ID` shows it too, and what
        you leave beside a decision by `decision.note("...")`.
        """
        builds = [option for option in decision.options if option.text.startswith("build")]
        return self.dice.choice(builds or decision.options)
