"""The runner of tournaments and comparisons, with this process as its only worker."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

from arena.api.games import LocalPlayer
from arena.playing.runner import MatchOutcome, Runner
from engine.match import MatchSpec

Params = ParamSpec("Params")
Result = TypeVar("Result")


class LocalExecutor(Executor):
    """Does what is submitted at once, in the thread that submits it."""

    def submit(
        self, function: Callable[Params, Result], /, *args: Params.args, **kwargs: Params.kwargs
    ) -> Future[Result]:
        future: Future[Result] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as problem:  # raised where the result is asked for
            future.set_exception(problem)
        return future


def open_local_runner(player: LocalPlayer) -> Runner[Any]:
    """A runner whose matches are played in this process, one at a time."""

    def play(specs: list[MatchSpec], **_: object) -> list[MatchOutcome]:
        return [player.play(spec) for spec in specs]

    return Runner(LocalExecutor, play, lambda: 1, portion=0.0)
