"""Traces: a match written down step by step, which anyone can check against the rules."""

import json
from typing import TypeGuard

from engine.catalog import find
from engine.contract import Action, Game, State
from engine.errors import ArenaError, TraceError
from engine.match import MatchResult, Setup, Variant


def trace(result: MatchResult) -> dict[str, object]:
    """The whole game in words, from the spec and the decisions alone."""
    game = find(result.spec.game)
    if result.spec.version != game.version:
        raise TraceError(
            f"expected version {game.version} of {game.id}, got a match of {result.spec.version}"
        )
    setup = result.spec.setup
    variant = setup.variant
    state = game.deal(setup, result.spec.seed)
    decisions = iter(result.decisions)
    deal = game.deal_facts(state)
    journal: list[list[int]] = []
    state.journal = journal
    steps: list[dict[str, object]] = []
    while seats := state.pending():
        for seat in seats:
            choice = next(decisions)
            steps.append(_step(game, state, seat, choice))
            state.apply(seat, choice)
            steps.extend(game.chance_facts(event) for event in journal)
            journal.clear()
    return {
        "game": game.id,
        "edition": variant.edition,
        "expansions": list(variant.expansions),
        "expert": variant.expert,
        "players": setup.players,
        "wonders": list(setup.wonders),
        "deal": deal,
        "steps": steps,
        "scores": game.score_sheet(state),
        "ranks": state.ranks(),
    }


def _step(game: Game, state: State, seat: int, choice: Action) -> dict[str, object]:
    return {
        "seat": seat,
        "prompt": game.prompts[state.prompt(seat)],
        "options": [game.text(action) for action in state.legal(seat)],
        "choice": game.text(choice),
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
        told = step.get("options")
        # Another engine may list the same options in another order.
        if not _are_texts(told) or sorted(told) != sorted(options):
            self._compare("options", options, told)
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
