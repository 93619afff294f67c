"""Fitting the networks to what self-play noted: Adam on minibatches, in numpy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bots.house.learned.net import ONE, SHIFT
from bots.house.learned.selfplay import Notes

Floats = NDArray[np.float32]

BATCH: Final = 256
_FAST: Final = 0.9
_SLOW: Final = 0.999
_MOST_WEIGHT: Final = 32767


@dataclass(frozen=True)
class Rows:
    """Sparse rows of features with their targets."""

    parts: NDArray[np.uint8]
    targets: Floats
    starts: NDArray[np.int64]  # of each row, and where the last one ends
    places: NDArray[np.int16]
    numbers: NDArray[np.int16]

    @classmethod
    def of(cls, notes: Notes) -> Rows:
        """What self-play noted."""
        counts = np.frombuffer(notes.counts.getvalue(), "<i2").astype(np.int64)
        return cls(
            np.frombuffer(notes.parts.getvalue(), np.uint8),
            (np.frombuffer(notes.targets.getvalue(), "<i4") / ONE).astype(np.float32),
            np.concatenate([[0], np.cumsum(counts)]),
            np.frombuffer(notes.places.getvalue(), "<i2"),
            np.frombuffer(notes.numbers.getvalue(), "<i2"),
        )

    def dense(self, chosen: NDArray[np.int64], scale: Floats) -> Floats:
        """These rows as a matrix of scaled features; the last column is 1."""
        starts = self.starts[chosen]
        counts = self.starts[chosen + 1] - starts
        ends = np.cumsum(counts)
        at = np.arange(ends[-1]) + np.repeat(starts - ends + counts, counts)
        matrix = np.zeros((len(chosen), len(scale)), np.float32)
        places = self.places[at]
        matrix[np.repeat(np.arange(len(chosen)), counts), places] = self.numbers[at] * scale[places]
        matrix[:, -1] = 1
        return matrix


@dataclass
class Model:
    """One network in floating point, and what Adam remembers of it."""

    inner: Floats  # by feature: the rectifiers, then the linear part
    outer: Floats
    scale: Floats  # what a feature is multiplied with before it is learned from
    steps: int = 0
    moments: list[Floats] = field(default_factory=list)

    @classmethod
    def new(cls, features: int, hidden: int, dice: np.random.Generator) -> Model:
        """Small random weights."""
        inner = dice.normal(0, 0.1, (features + 1, hidden + 1)).astype(np.float32)
        inner[:, -1] = 0
        outer = dice.normal(0, 0.15, hidden).astype(np.float32)
        made = cls(inner, outer, np.ones(features + 1, np.float32))
        made.moments = [np.zeros_like(each) for each in (inner, inner, outer, outer)]
        return made

    def fit(self, rows: Rows, chosen: NDArray[np.int64], rate: float) -> float:
        """Learn from rows in their order; the mean loss."""
        loss = 0.0
        for at in range(0, len(chosen), BATCH):
            batch = chosen[at : at + BATCH]
            loss += self._step(rows.dense(batch, self.scale), rows.targets[batch], rate)
        return loss / max(1, len(chosen))

    def _step(self, matrix: Floats, targets: Floats, rate: float) -> float:
        sums = matrix @ self.inner
        raised = np.maximum(sums[:, :-1], 0)
        logits = np.clip(raised @ self.outer + sums[:, -1], -8, 8)
        guess = 1 / (1 + np.exp(-logits))
        error = ((guess - targets) / len(targets)).astype(np.float32)
        back = np.empty_like(sums)
        back[:, :-1] = (error[:, None] * self.outer) * (sums[:, :-1] > 0)
        back[:, -1] = error
        self.steps += 1
        self._adam(self.inner, matrix.T @ back, 0, rate)
        self._adam(self.outer, raised.T @ error, 2, rate)
        return float(((guess - targets) ** 2).sum())

    def _adam(self, weights: Floats, slope: Floats, at: int, rate: float) -> None:
        first, second = self.moments[at], self.moments[at + 1]
        first += (1 - _FAST) * (slope - first)
        second += (1 - _SLOW) * (slope * slope - second)
        size = rate * np.sqrt(1 - _SLOW**self.steps) / (1 - _FAST**self.steps)
        weights -= (size * first / (np.sqrt(second) + 1e-8)).astype(np.float32)

    def set_scale(self, rows: Rows, chosen: NDArray[np.int64]) -> None:
        """Bring features that are large on average down to about 1."""
        matrix = rows.dense(chosen, np.ones_like(self.scale))
        self.scale = (1 / np.maximum(1, np.sqrt((matrix**2).mean(0)))).astype(np.float32)

    def integers(self) -> list[int]:
        """The weights as the integers that are played by."""
        inner = self.inner * self.scale[:, None]
        numbers = np.concatenate([inner.ravel(), self.outer]) * (1 << SHIFT)
        whole = np.clip(np.rint(numbers), -_MOST_WEIGHT, _MOST_WEIGHT).astype(int)
        found: list[int] = whole.tolist()
        return found

    def saved(self, name: str) -> dict[str, Any]:
        """All of it as arrays by name."""
        return {
            f"{name}.inner": self.inner,
            f"{name}.outer": self.outer,
            f"{name}.scale": self.scale,
            f"{name}.steps": self.steps,
            **{f"{name}.moment{at}": each for at, each in enumerate(self.moments)},
        }

    @classmethod
    def restored(cls, name: str, saved: Any) -> Model:
        """The inverse of `saved`."""
        return cls(
            saved[f"{name}.inner"],
            saved[f"{name}.outer"],
            saved[f"{name}.scale"],
            int(saved[f"{name}.steps"]),
            [saved[f"{name}.moment{at}"] for at in range(4)],
        )
