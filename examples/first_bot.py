"""A first bot, a plain function: prefer what adds to the city, else take any option."""

import random

from bots.api import Decision, Option

LIKED = ("stage", "free", "build", "study", "revive", "token")  # the best verb first


def decide(decision: Decision) -> Option:
    """Take the first option of the best verb; every text begins with its verb."""
    for verb in LIKED:
        for option in decision.options:
            if option.text.startswith(verb):
                return option
    return random.choice(decision.options)  # seeded by the arena: a match can be played again
