"""Games played to be learned from, on all cores: what `arena dataset` does."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from arena.compare.run import INTERRUPTED, RunSettings
from arena.dataset.game_file import DatasetHeader, GameFileWriter, recorded
from arena.playing import worker
from arena.playing.entrants import check_games, contenders
from arena.playing.progress import Ticker, notify
from arena.playing.runner import NotPlayed
from arena.reports.output import report_file
from arena.series.run import Series
from engine.catalog import find
from engine.errors import ArenaError
from engine.match import MatchResult


def record_games(series: Series, settings: RunSettings, out: Path) -> int:
    """Play the games of a series and write them in their order; the exit code.

    The file appears when all games are played: an interrupted run leaves none.
    """
    setup = next(series.seated()).spec.setup  # bad input is found before anything is played
    distinct = list(dict.fromkeys(series.bots))
    check_games(distinct, [series.variant.game])
    labels = {bot: each.label for bot, each in zip(distinct, contenders(distinct), strict=True)}
    variant = setup.variant
    header = DatasetHeader(
        variant.game,
        variant.edition,
        variant.expansions,
        variant.expert,
        find(variant.game).version(variant),
        setup.players,
        tuple(labels.values()),
        series.seed,
        series.games,
    )
    part = out.with_name(out.name + ".part")
    try:
        with part.open("wb") as file:
            writer = GameFileWriter(file, header)
            for result in _played(series, settings, labels):
                writer.add(recorded(result, header.bots))
            writer.close()
        part.replace(out)
    except OSError as problem:
        raise ArenaError(f"cannot write {out}: {problem.strerror}") from None
    except KeyboardInterrupt:
        notify("interrupted: nothing was written")
        return INTERRUPTED
    finally:
        part.unlink(missing_ok=True)
    digest = hashlib.sha256(out.read_bytes()).hexdigest()
    report_file(out, f"{series.games} games, {out.stat().st_size:,} bytes, sha256 {digest}")
    return 0


def _played(series: Series, settings: RunSettings, labels: dict[str, str]) -> Iterator[MatchResult]:
    """The matches in the order of the series, each as soon as those before it are played."""
    seated = replace(series, bots=tuple(labels[bot] for bot in series.bots))
    bots = {label: bot for bot, label in labels.items()}
    conditions = settings.conditions(bots, settings.isolate(list(labels)))
    matches = ((number, game.spec) for number, game in enumerate(seated.seated()))
    waiting: dict[int, MatchResult] = {}
    wanted = 0
    with (
        settings.workers(conditions) as open_runner,
        open_runner(worker.play) as runner,
        Ticker(0, series.games, list) as ticker,
    ):
        for number, outcome in runner.run(matches):
            if isinstance(outcome, NotPlayed):
                raise ArenaError(f"game {number + 1} was not played: {outcome.detail}")
            ticker.count(len(outcome.faults))
            waiting[number] = outcome
            while wanted in waiting:
                yield waiting.pop(wanted)
                wanted += 1
