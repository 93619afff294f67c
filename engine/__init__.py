"""The rules: pure, deterministic, typed; it says what may happen and nothing else."""

from typing import Final

from engine import rng

COMPILED: Final = not rng.__file__.endswith(".py")
