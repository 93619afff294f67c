"""Is this bot ready to compete? Numbered steps, each with what was found."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from arena.i18n import N_
from arena.playing.entrants import check_games
from arena.playing.referee import Watcher, play
from bots.api import Seating
from bots.chairs.base import MAX_PRINTED, Chair, ChairFault
from bots.chairs.limits import Limits, limit_words
from bots.chairs.pool import IsolationKind, choose_isolation, open_chair
from bots.chairs.steward import Steward
from bots.discovery.digest import digest
from bots.discovery.finder import find_bot
from bots.discovery.manifest import Manifest, Source
from bots.discovery.sandbox_hints import sandbox_hint, taken_names
from bots.discovery.spec import parse_spec
from bots.protocol.sanitize import for_storage
from bots.protocol.tracebacks import summary_line
from engine.catalog import GAMES
from engine.contract import Action, Game, Seat, State
from engine.match import MatchResult, Variant

MAX_MEGABYTES: Final = 512
MAX_PROGRAM_MEGABYTES: Final = 1024
GAMES_PER_COUNT: Final = 2
MAX_GAMES: Final = 60
BUDGET: Final = 20.0  # seconds after which a quick check starts no further game
SEEDS_PER_COUNT: Final = 1000
STEPS: Final = (
    N_("manifest"),
    N_("startup"),
    N_("whole games at every number of players"),
    N_("every kind of question"),
    N_("time"),
    N_("same decisions again under the same seed"),
    N_("memory"),
)
# Why a step fails; pages translate the stored sentence by these messages.
FAULT_IN_GAME = N_(
    "{kind} in {game}, {players} players, seed {seed}, decision {decision}: {problem}"
)
TOO_MUCH_MEMORY = N_("expected at most {limit} MB, got {megabytes}")


@dataclass(frozen=True)
class CheckScope:
    """How much of a bot is checked."""

    games: tuple[str, ...] = ()  # all that the bot plays, if none are named
    budget: float = math.inf  # seconds after which no further game is started
    players: int | None = None  # with a seed: this one game alone
    seed: int | None = None


EVERYTHING: Final = CheckScope()


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

    def __init__(self, chair: Chair, on_progress: Callable[[str], None]) -> None:
        self.chair = chair
        self.on_progress = on_progress
        self.games = 0
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
                self.on_progress(f"{self.games} games, {len(self.seconds)} decisions")
            if seat in state.pending():
                self.prompts.add((game.id, game.prompts[state.prompt(seat)]))

        return watch


def _describe_failure(
    problem: StepFailed | ChairFault, chair: Chair, manifest: Manifest, contained: bool
) -> str:
    """What went wrong in a line; then its traceback, and what the bot printed, if there is any."""
    detail = problem.detail.strip("\n")
    parts = [problem.summary_line, *([detail] if "\n" in detail else [])]
    printed = for_storage(chair.output(), MAX_PRINTED).strip()
    if printed and printed not in detail:
        parts.append(f"it printed:\n{printed}")
    if contained and (hint := sandbox_hint(manifest, f"{detail}\n{printed}")):
        parts.append(f"hint: {hint}")
    return "\n".join(parts)


class BotCheck:
    """The steps, in order; the first that fails is the last."""

    def __init__(
        self,
        text: str,
        limits: Limits,
        trust: bool = False,
        in_process: bool = False,
        scope: CheckScope = EVERYTHING,
        on_progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.text = text
        self.limits = limits
        self.spec = parse_spec(text)
        self.manifest: Manifest = find_bot(self.spec)
        check_games([text], scope.games)
        self.isolation = choose_isolation([text], in_process, trust)
        self.scope = scope
        self.on_progress = on_progress
        self.results: dict[tuple[str, int, int], MatchResult] = {}
        self.printed = ""  # in the first game in which it printed anything
        self.failed_game: tuple[str, int, int] | None = None  # game, players and seed
        self.end = math.inf

    def run(self) -> Iterator[CheckStep]:
        """Carry out the steps."""
        steps: tuple[Callable[[], str], ...] = (
            self.describes,
            self.loads,
            self.survives,
            self.answers,
            self.keeps_time,
            self.repeats,
            self.stays_small,
        )
        chair = open_chair(self.spec, self.manifest, self.limits, self.isolation)
        self.chair = chair
        self.log = AnswerLog(chair, self.on_progress)
        self.end = time.monotonic() + self.scope.budget
        try:
            for number, step in enumerate(steps, 1):
                name = STEPS[number - 1]
                try:
                    found = step()
                except (StepFailed, ChairFault) as problem:
                    contained = self.isolation.layers is not None
                    found = _describe_failure(problem, chair, self.manifest, contained)
                    yield CheckStep(number, name, "FAIL", found)
                    return
                yield CheckStep(
                    number, name, "note" if isinstance(found, StepNote) else "ok", found
                )
        finally:
            chair.close()

    def repeat_command(self) -> str:
        """The command that plays again the game in which a step failed; all steps, if none did."""
        words = ["arena", "bot", "check", self.text]
        if self.failed_game:
            game, players, seed = self.failed_game
            words += ["--game", game, "--players", str(players), "--seed", str(seed)]
        else:
            words += [word for game in self.scope.games for word in ("--game", game)]
            words += [] if self.scope.players is None else ["--players", str(self.scope.players)]
        words += limit_words(self.limits)
        words += ["--trust-bots"] if self.isolation.name is IsolationKind.TRUSTED else []
        return shlex.join(words)

    def games(self) -> list[Game]:
        """The games asked about that the bot says it plays; all, if it does not say."""
        said = self.manifest.games or tuple(game.id for game in GAMES)
        asked = self.scope.games or said
        return [game for game in GAMES if game.id in said and game.id in asked]

    def describes(self) -> str:
        games = ", ".join(game.id for game in self.games())
        bot = self.manifest
        version = "" if bot.source is Source.FILE else f" {bot.version}" if bot.version else ""
        found = f"{bot.name}@{digest(self.spec)[:6]}{version} ({bot.source}), {games}"
        if taken := taken_names(bot):
            names = " and ".join(taken)
            return StepNote(f"{found}; rename {names}: import finds the arena's package instead")
        return found

    def loads(self) -> str:
        began = time.perf_counter()
        game = self.games()[0]
        setup = game.setup(game.players[0], 1)
        self.chair.start(Seating(game, setup, 0, 1))
        return f"after {time.perf_counter() - began:.2f} s"

    def survives(self) -> str:
        """Play every number of players; within the budget, but every game of the box once."""
        planned = self._planned()
        started: set[str] = set()
        for game, players, seed in planned:
            if time.monotonic() < self.end or game.id not in started:
                started.add(game.id)
                self.results[game.id, players, seed] = self.match(game, players, seed)
        played = len(self.results)
        found = f"{played} games, {len(self.log.seconds)} decisions"
        if played < len(planned):
            return StepNote(f"{found}; {self._left(len(planned) - played, 'games')}")
        return found

    def _planned(self) -> list[tuple[Game, int, int]]:
        """The games of the third step: those of a box in turn, every number of players first."""
        scope = self.scope
        if scope.seed is not None:
            game = self.games()[0]
            return [(game, scope.players or game.players[0], scope.seed)]
        return [
            (game, players, seed_of(players, number))
            for number in range(GAMES_PER_COUNT)
            for counts in zip_longest(
                *([(game, players) for players in self._counts(game)] for game in self.games())
            )
            for game, players in filter(None, counts)
        ]

    def _counts(self, game: Game) -> list[int]:
        only = self.scope.players
        return [players for players in game.players if only in (None, players)]

    def _left(self, count: int, what: str) -> str:
        return f"{count} {what} not played in {self.scope.budget:g} s (--full plays all)"

    def match(self, game: Game, players: int, seed: int) -> MatchResult:
        """One game of the bot against stewards; StepFailed if it faults."""
        number = seed % SEEDS_PER_COUNT
        expansions = game.expansions[:1] if number % 2 else ()
        edition = game.editions[number % len(game.editions)] if game.editions else None
        expert = bool(expansions) and number % 4 == 3
        variant = Variant(game.id, edition, expansions, expert)
        setup = game.setup(players, seed, (), variant)
        seat = number % players
        spec = game.spec(setup, seed, ("steward",) * players)
        chairs: list[Chair] = [Steward(seed, other) for other in range(players)]
        chairs[seat] = self.chair
        self.log.games += 1
        result = play(spec, chairs, self.limits, self.log.watcher(game, seat))
        self.printed = self.printed or result.accounts[seat].printed
        for fault in result.faults:
            self.failed_game = (game.id, players, seed)
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
            most = self._counts(game)[-1]
            for number in range(GAMES_PER_COUNT, MAX_GAMES):
                if self._has_heard_enough(game):
                    break
                self.match(game, most, seed_of(most, number))
            missing += self.unasked(game)
        if missing:
            return StepNote(f"never asked in {self.log.games} games: {', '.join(missing)}")
        return f"{len(self.log.prompts)} kinds"

    def _has_heard_enough(self, game: Game) -> bool:
        over = time.monotonic() > self.end or self.scope.seed is not None
        return over or not self.unasked(game)

    def unasked(self, game: Game) -> list[str]:
        """Prompts of a game the bot was not asked yet."""
        asked = self.log.prompts
        return [f"{game.id} {prompt}" for prompt in game.prompts if (game.id, prompt) not in asked]

    def keeps_time(self) -> str:
        seconds = sorted(self.log.seconds) or [0.0]
        return (
            f"median {1000 * seconds[len(seconds) // 2]:.1f} ms, "
            f"slowest {1000 * seconds[-1]:.1f} ms of {1000 * self.limits.move:.0f}, of CPU time"
        )

    def repeats(self) -> str:
        (id, players, seed), first = next(iter(self.results.items()))
        game = next(game for game in GAMES if game.id == id)
        again = self.match(game, players, seed)
        if again.decisions != first.decisions:
            return StepNote("no: it decides differently, as searching by the clock does")
        return "yes"

    def stays_small(self) -> str:
        megabytes = self.chair.peak() // 1024
        limit = MAX_PROGRAM_MEGABYTES if self.manifest.is_program else MAX_MEGABYTES
        if not megabytes:
            return "not known on this system"
        if megabytes > limit:
            raise StepFailed(TOO_MUCH_MEMORY.format(limit=limit, megabytes=megabytes))
        return f"{megabytes} MB of {limit}"


def seed_of(players: int, number: int) -> int:
    """The seed of the nth game at a number of players."""
    return SEEDS_PER_COUNT * players + number
