"""Matches played again: by their decisions, or by a trace that anyone can check."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeGuard

from engine.catalog import find
from engine.contract import Action, Game, Seat, State
from engine.errors import ArenaError, NotationError, TraceError
from engine.match import MatchResult, Setup, Variant


@dataclass(frozen=True)
class Round:
    """The decisions that were due at the same moment; lists have an item for each of its seats."""

    number: int  # of its first decision in the match
    before: State
    seats: list[Seat]
    options: list[list[Action]]
    actions: list[Action]  # what was chosen
    events: list[list[list[int]]]  # chance, after each decision
    after: State


def rounds(result: MatchResult) -> Iterator[Round]:
    """A stored match played again; TraceError where the rules say otherwise."""
    spec = result.spec
    game = find(spec.game)
    version = game.version(spec.setup.variant)
    if spec.version != version:
        raise TraceError(
            "expected version {version} of {game}, got a match of {got}",
            version=version,
            game=game.id,
            got=spec.version,
        )
    state = game.deal(spec.setup, spec.seed)
    number = 0
    while seats := state.pending():
        round = _play_round(game, state, number, seats, result.decisions)
        yield round
        state = round.after
        number += len(seats)
    if number < len(result.decisions):
        raise TraceError(
            "expected {count} decisions, got {got}", count=number, got=len(result.decisions)
        )


def _play_round(
    game: Game, state: State, number: int, seats: list[int], decisions: list[int]
) -> Round:
    options = [state.legal(seat) for seat in seats]
    after = state.clone()
    actions: list[int] = []
    events: list[list[list[int]]] = []
    for place, seat in enumerate(seats, number):
        if place == len(decisions):
            raise TraceError(
                "expected decision {number} by seat {seat}, got the end", number=place, seat=seat
            )
        action = decisions[place]
        if action not in options[place - number]:
            raise TraceError(
                "expected a legal decision {number} by seat {seat}, got {text}",
                number=place,
                seat=seat,
                text=_written(game, action),
            )
        actions.append(action)
        after.journal = []
        after.apply(seat, action)
        events.append(after.journal or [])
    after.journal = None
    return Round(number, state, seats, options, actions, events, after)


def _written(game: Game, action: Action) -> str:
    """The notation of an action; its number if it is none of the game's."""
    try:
        return game.text(action)
    except NotationError:
        return str(action)


def final_state(result: MatchResult) -> State:
    """The end of a match, every decision checked; TraceError where the rules say otherwise."""
    state: State | None = None
    for round in rounds(result):
        state = round.after
    assert state is not None  # no game is over before its first decision
    return state


def trace(result: MatchResult) -> dict[str, object]:
    """The whole game in words, from the spec and the decisions alone."""
    game = find(result.spec.game)
    setup = result.spec.setup
    played = list(rounds(result))
    state = played[-1].after
    steps: list[dict[str, object]] = []
    for round in played:
        for at in range(len(round.seats)):
            steps.append(_step(game, round, at))
            steps.extend(game.chance_facts(event) for event in round.events[at])
    return {
        "game": game.id,
        "edition": setup.variant.edition,
        "expansions": list(setup.variant.expansions),
        "expert": setup.variant.expert,
        "players": setup.players,
        "wonders": list(setup.wonders),
        "deal": game.deal_facts(played[0].before),
        "steps": steps,
        "scores": game.score_sheet(state),
        "ranks": state.ranks(),
    }


def _step(game: Game, round: Round, at: int) -> dict[str, object]:
    seat = round.seats[at]
    return {
        "seat": seat,
        "prompt": game.prompts[round.before.prompt(seat)],
        "options": [game.text(action) for action in round.options[at]],
        "choice": game.text(round.actions[at]),
    }


def write_trace(facts: dict[str, object]) -> str:
    """A trace as one line of JSON."""
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


def read_trace(line: str) -> dict[str, object]:
    """The inverse of `write_trace`; what it says is not yet believed."""
    try:
        facts = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise TraceError(f"expected one JSON object a line, got {problem}") from None
    if not isinstance(facts, dict):
        raise TraceError(f"expected one JSON object a line, got {type(facts).__name__}")
    return facts


class Replay:
    """A recorded game played again step by step; TraceError where the rules say otherwise."""

    def __init__(self, facts: dict[str, object]) -> None:
        self.game: Game = _game_of(facts)
        self.setup: Setup = _setup_of(self.game, facts)
        self.facts = facts
        deal = facts.get("deal")
        if not isinstance(deal, dict):
            raise TraceError("expected the deal as an object, got none")
        self.state: State = self.game.deal_again(self.setup, deal)
        steps = facts.get("steps")
        if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
            raise TraceError("expected the steps as a list of objects, got something else")
        self.steps: list[dict[str, object]] = steps
        self.state.journal = []
        self.state.script = [
            self.game.chance_again(step) for step in self.steps if "chance" in step
        ]
        self._at = 0
        self._asked: list[int] = []

    def advance(self) -> tuple[int, Action] | None:
        """Take the next decision and the chance after it; None when the game is over."""
        if not self._asked:
            self._asked = self.state.pending()
        if not self._asked:
            self._check_end()
            return None
        seat = self._asked.pop(0)
        actions = self.state.legal(seat)
        options = [self.game.text(action) for action in actions]
        step = self._next("a decision")
        self._compare("seat", seat, step.get("seat"))
        self._compare("prompt", self.game.prompts[self.state.prompt(seat)], step.get("prompt"))
        recorded = step.get("options")
        # Another engine may list the same options in another order.
        if not _are_texts(recorded) or sorted(recorded) != sorted(options):
            self._compare("options", options, recorded)
        choice = step.get("choice")
        if choice not in options:
            raise self._wrong("a choice out of the options", f"{choice}")
        action = actions[options.index(choice)]
        self._apply(seat, action)
        return seat, action

    def _compare(self, what: str, expected: object, got: object) -> None:
        if expected != got:
            raise self._wrong(f"{what} {expected}", f"{got}")

    def _apply(self, seat: int, action: Action) -> None:
        journal = self.state.journal
        assert journal is not None
        journal.clear()
        self.state.apply(seat, action)
        for event in journal:
            wanted = self.game.chance_facts(event)
            step = self._next("a chance event")
            self._compare("chance", wanted, step)

    def _next(self, wanted: str) -> dict[str, object]:
        if self._at == len(self.steps):
            raise TraceError(f"step {self._at + 1}: expected {wanted}, got the end of the trace")
        self._at += 1
        return self.steps[self._at - 1]

    def _wrong(self, expected: str, got: str) -> TraceError:
        return TraceError(f"step {self._at}: expected {expected}, got {got}")

    def _check_end(self) -> None:
        if self._at < len(self.steps):
            raise TraceError(f"step {self._at + 1}: expected the end of the game, got more")
        for key, value in (
            ("scores", self.game.score_sheet(self.state)),
            ("ranks", self.state.ranks()),
        ):
            if self.facts.get(key) != value:
                raise TraceError(f"expected {key} {value}, got {self.facts.get(key)}")


def _game_of(facts: dict[str, object]) -> Game:
    id = facts.get("game")
    if not isinstance(id, str):
        raise TraceError(f"expected the name of a game, got {id}")
    try:
        return find(id)
    except ArenaError as problem:
        raise TraceError(f"{problem}") from None


def _setup_of(game: Game, facts: dict[str, object]) -> Setup:
    players = facts.get("players")
    wonders = facts.get("wonders")
    edition = facts.get("edition")
    expansions = facts.get("expansions")
    expert = facts.get("expert")
    if not isinstance(players, int) or isinstance(players, bool):
        raise TraceError(f"expected the number of players, got {players}")
    if not _are_texts(wonders):
        raise TraceError(f"expected a list of wonders, got {wonders}")
    if edition is not None and not isinstance(edition, str):
        raise TraceError(f"expected an edition or null, got {edition}")
    if not _are_texts(expansions):
        raise TraceError(f"expected a list of expansions, got {expansions}")
    if not isinstance(expert, bool):
        raise TraceError(f"expected expert as true or false, got {expert}")
    if len(wonders) != players:
        raise TraceError(f"expected {players} wonders, got {len(wonders)}")
    try:
        variant = Variant(game.id, edition, tuple(expansions), expert)
        return game.setup(players, 0, tuple(wonders), variant)
    except ArenaError as problem:
        raise TraceError(f"{problem}") from None


def _are_texts(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)
