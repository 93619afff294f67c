"""Is this bot fit to play? Numbered steps, each with what was found."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from arena.i18n import N_
from arena.playing.referee import Watcher, play
from bots.api import Seating
from bots.chairs.base import MAX_PRINTED, Chair, ChairFault
from bots.chairs.limits import Limits
from bots.chairs.pool import choose_isolation, open_chair
from bots.chairs.steward import Steward
from bots.discovery.finder import find_bot
from bots.discovery.manifest import Manifest
from bots.discovery.spec import parse_spec
from bots.protocol.sanitize import for_storage
from bots.protocol.tracebacks import summary_line
from engine.catalog import GAMES
from engine.contract import Action, Game, Seat, State
from engine.match import MatchResult, Variant

MAX_MEGABYTES = 512
GAMES_PER_COUNT = 2
MAX_GAMES = 60
# Why a step fails; pages translate the stored sentence by these messages.
FAULT_IN_GAME = N_(
    "{kind} in {game}, {players} players, seed {seed}, decision {decision}: {problem}"
)
TOO_MUCH_MEMORY = N_("expected at most {limit} MB, got {megabytes}")


@dataclass(frozen=True)
class CheckStep:
    """One step of a check: ok, noted as something to know, or failed for the reason told."""

    number: int
    name: str
    verdict: str  # ok, note or FAIL
    found: str  # of a failure the reason in its first line, then all there is to see


class StepNote(str):
    """A finding its author should know of, though nothing is wrong by the rules."""


class StepFailed(Exception):  # noqa: N818 - a finding, not an error of ours
    """The bot does not pass a step: why, in a line, and all that is known of it."""

    def __init__(self, summary_line: str, detail: str = "") -> None:
        super().__init__(summary_line)
        self.summary_line = summary_line
        self.detail = detail


class AnswerLog:
    """What a bot answered, match after match: the time of every answer, and the prompts asked."""

    def __init__(self, chair: Chair) -> None:
        self.chair = chair
        self.seconds: list[float] = []
        self.prompts: set[tuple[str, str]] = set()

    def watcher(self, game: Game, seat: Seat) -> Watcher:
        """Watches the bot at that seat of one match."""
        computed = 0.0

        def watch(state: State, moves: list[tuple[Seat, Action]]) -> None:
            nonlocal computed
            before, computed = computed, self.chair.budget.computed
            if any(seat == mover for mover, _ in moves):
                self.seconds.append(computed - before)
            if seat in state.pending():
                self.prompts.add((game.id, game.prompts[state.prompt(seat)]))

        return watch


def _describe_failure(problem: StepFailed | ChairFault, chair: Chair) -> str:
    """What went wrong in a line; then its traceback, and what the bot printed, if there is any."""
    detail = problem.detail.strip("\n")
    parts = [problem.summary_line, *([detail] if "\n" in detail else [])]
    printed = for_storage(chair.output(), MAX_PRINTED).strip()
    if printed and printed not in detail:
        parts.append(f"it printed:\n{printed}")
    return "\n".join(parts)


class BotCheck:
    """The steps, in order; the first that fails is the last."""

    def __init__(
        self,
        text: str,
        limits: Limits,
        trust: bool = False,
        in_process: bool = False,
        only: Sequence[str] = (),
    ) -> None:
        self.text = text
        self.limits = limits
        self.spec = parse_spec(text)
        self.manifest: Manifest = find_bot(self.spec)
        self.isolation = choose_isolation([text], in_process, trust)
        self.only = only  # the games asked about; all, if none are named
        self.results: dict[tuple[str, int, int], MatchResult] = {}

    def run(self) -> Iterator[CheckStep]:
        """Carry out the steps."""
        steps: tuple[tuple[str, Callable[[], str]], ...] = (
            (N_("describes itself"), self.describes),
            (N_("loads and answers the greeting"), self.loads),
            (N_("survives whole games at every number of players"), self.survives),
            (N_("answers every kind of question"), self.answers),
            (N_("keeps time"), self.keeps_time),
            (N_("decides the same again under the same seed"), self.repeats),
            (N_("stays small"), self.stays_small),
        )
        chair = open_chair(self.spec, self.manifest, self.limits, self.isolation)
        self.chair = chair
        self.log = AnswerLog(chair)
        try:
            for number, (name, step) in enumerate(steps, 1):
                try:
                    found = step()
                except (StepFailed, ChairFault) as problem:
                    yield CheckStep(number, name, "FAIL", _describe_failure(problem, chair))
                    return
                yield CheckStep(
                    number, name, "note" if isinstance(found, StepNote) else "ok", found
                )
        finally:
            chair.close()

    def games(self) -> list[Game]:
        """The games asked about that the bot says it plays; all, if it does not say."""
        said = self.manifest.games or tuple(game.id for game in GAMES)
        return [game for game in GAMES if game.id in said and game.id in (self.only or said)]

    def describes(self) -> str:
        games = ", ".join(game.id for game in self.games())
        return f"{self.manifest.name} {self.manifest.version} ({self.manifest.source}), {games}"

    def loads(self) -> str:
        began = time.perf_counter()
        game = self.games()[0]
        setup = game.setup(game.players[0], 1)
        self.chair.start(Seating(game, setup, 0, 1))
        return f"after {time.perf_counter() - began:.2f} s"

    def survives(self) -> str:
        played = 0
        for game in self.games():
            for players in game.players:
                for number in range(GAMES_PER_COUNT):
                    self.results[game.id, players, number] = self.match(game, players, number)
                    played += 1
        return f"{played} games, {len(self.log.seconds)} decisions"

    def match(self, game: Game, players: int, number: int) -> MatchResult:
        """One game of the bot against stewards; StepFailed if it faults."""
        seed = 1000 * players + number
        expansions = game.expansions[:1] if number % 2 else ()
        edition = game.editions[number % len(game.editions)] if game.editions else None
        expert = bool(expansions) and number % 4 == 3
        variant = Variant(game.id, edition, expansions, expert)
        setup = game.setup(players, seed, (), variant)
        seat = number % players
        spec = game.spec(setup, seed, ("steward",) * players)
        chairs: list[Chair] = [Steward(seed, other) for other in range(players)]
        chairs[seat] = self.chair
        result = play(spec, chairs, self.limits, self.log.watcher(game, seat))
        for fault in result.faults:
            reason = FAULT_IN_GAME.format(
                kind=fault.kind,
                game=game.id,
                players=players,
                seed=seed,
                decision=fault.decision,
                problem=summary_line(fault.kind, fault.detail),
            )
            raise StepFailed(reason, fault.detail)
        return result

    def answers(self) -> str:
        """Play on until every prompt was asked; rare ones may need some games."""
        missing: list[str] = []
        for game in self.games():
            for number in range(GAMES_PER_COUNT, MAX_GAMES):
                if not self.unasked(game):
                    break
                self.match(game, game.players[-1], number)
            missing += self.unasked(game)
        if missing:
            return StepNote(f"never asked in {MAX_GAMES} games: {', '.join(missing)}")
        return f"{len(self.log.prompts)} kinds"

    def unasked(self, game: Game) -> list[str]:
        """Prompts of a game the bot was not asked yet."""
        asked = self.log.prompts
        return [f"{game.id} {prompt}" for prompt in game.prompts if (game.id, prompt) not in asked]

    def keeps_time(self) -> str:
        seconds = sorted(self.log.seconds)
        return (
            f"median {1000 * seconds[len(seconds) // 2]:.1f} ms, "
            f"slowest {1000 * seconds[-1]:.1f} ms of {1000 * self.limits.move:.0f}, of computing"
        )

    def repeats(self) -> str:
        game = self.games()[0]
        players = game.players[0]
        again = self.match(game, players, 0)
        if again.decisions != self.results[game.id, players, 0].decisions:
            return StepNote("no: it decides differently, as searching by the clock does")
        return "yes"

    def stays_small(self) -> str:
        megabytes = self.chair.peak() // 1024
        if not megabytes:
            return "not known on this system"
        if megabytes > MAX_MEGABYTES:
            reason = TOO_MUCH_MEMORY.format(limit=MAX_MEGABYTES, megabytes=megabytes)
            raise StepFailed(reason)
        return f"{megabytes} MB of {MAX_MEGABYTES}"
