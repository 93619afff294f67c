"""A second opinion on traces of Architects, by rules of its own.

`judge(trace)` returns the complaints about a trace, `play(...)` makes a trace by random play.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.engine.architects.slow_box import (
    CENTRE,
    CONFLICT_TOKENS,
    DECKS,
    MEDALS,
    MEDALS_WONDERS,
    SCORE_KEYS,
    STAGES,
    cards_of,
    progress_tokens,
)
from tests.engine.architects.slow_rules import Table, lay_out, play_out, results

# --- Judging a trace ----------------------------------------------------------------------------


class Complaint(Exception):
    """The trace departs from the rules."""


def must(holds: bool, where: str, expected: object, got: object) -> None:
    if not holds:
        raise Complaint(f"{where}: expected {expected}, got {got!r}")


def must_equal(where: str, expected: object, got: object) -> None:
    must(same(expected, got), where, repr(expected), got)


def same(expected: object, got: object) -> bool:
    """Equality that tells 1, 1.0 and True apart, at any depth."""
    if type(expected) is not type(got):
        return False
    if isinstance(expected, dict) and isinstance(got, dict):
        return expected.keys() == got.keys() and all(same(expected[k], got[k]) for k in expected)
    if isinstance(expected, list) and isinstance(got, list):
        return len(expected) == len(got) and all(map(same, expected, got))
    return expected == got


def must_have_keys(where: str, expected: Iterable[str], got: Any) -> None:
    must(isinstance(got, dict), where, "an object", got)
    must(set(got) == set(expected), where, f"the keys {sorted(expected)}", list(got))


def must_be_texts(where: str, got: Any) -> None:
    must(isinstance(got, list), where, "a list", got)
    must(all(isinstance(item, str) for item in got), where, "a list of texts", got)


def must_hold_cards(where: str, expected: Counter[str], got: Any) -> None:
    """The list is some order of exactly these cards or tokens."""
    must_be_texts(where, got)
    must(Counter(got) == expected, where, f"some order of {dict(expected)}", got)


def check_header(trace: Any) -> None:
    """Everything but the deal, the steps and the results."""
    keys = ("game", "edition", "expansions", "expert", "players", "wonders")
    must_have_keys("trace", (*keys, "deal", "steps", "scores", "ranks"), trace)
    must_equal("game", "architects", trace["game"])
    must_equal("edition", None, trace["edition"])
    expansions, expert, players = trace["expansions"], trace["expert"], trace["players"]
    must(expansions in ([], ["medals"], ["tokens"]), "expansions", "medals or tokens", expansions)
    must(isinstance(expert, bool), "expert", "true or false", expert)
    must(not expert or expansions == ["medals"], "expert", "false without medals", expert)
    must(type(players) is int and players in CONFLICT_TOKENS, "players", "2 to 7", players)
    wonders = trace["wonders"]
    must_be_texts("wonders", wonders)
    must(len(wonders) == players, "wonders", f"{players} of them", wonders)
    must(len(set(wonders)) == players, "wonders", "each only once", wonders)
    known = [w for w in STAGES if expansions or w not in MEDALS_WONDERS]
    must(set(wonders) <= set(known), "wonders", f"some of {known}", wonders)
    must(isinstance(trace["steps"], list), "steps", "a list", trace["steps"])


def check_deal(trace: dict[str, Any]) -> None:
    """All components are there, and no others."""
    deal, players, medals = trace["deal"], trace["players"], "medals" in trace["expansions"]
    must_have_keys("deal", ("decks", "centre", "progress", "medals", "centre_medals"), deal)
    must(isinstance(deal["decks"], list), "decks", "a list", deal["decks"])
    must(len(deal["decks"]) == players, "decks", f"{players} of them", len(deal["decks"]))
    for i, wonder in enumerate(trace["wonders"]):
        must_hold_cards(f"deck {i} ({wonder})", cards_of(DECKS[wonder]), deal["decks"][i])
    must_hold_cards("centre", cards_of(CENTRE), deal["centre"])
    must_hold_cards(
        "progress", Counter(progress_tokens(bool(trace["expansions"]))), deal["progress"]
    )
    amounts = {"medals": players * medals, "centre_medals": 2 * trace["expert"]}
    for name, amount in amounts.items():
        must_be_texts(name, deal[name])
        must(len(deal[name]) == amount, name, f"{amount} of them", deal[name])
    dealt = deal["medals"] + deal["centre_medals"]
    must(set(dealt) <= set(MEDALS), "medals", f"some of {list(MEDALS)}", dealt)
    must(len(set(dealt)) == len(dealt), "medals", "each only once", dealt)


class Replay:
    """Answers the rules from the recorded steps, and checks each of them on the way."""

    def __init__(self, steps: list[Any]) -> None:
        self.steps = steps
        self.done = 0

    def next_step(self, wanted: str, keys: tuple[str, ...]) -> tuple[str, Any]:
        """The name and the content of the next step."""
        where = f"step {self.done}"
        must(self.done < len(self.steps), where, wanted, "the end of the steps")
        step = self.steps[self.done]
        must(isinstance(step, dict), where, wanted, step)
        must(("chance" in step) == ("chance" in keys), where, wanted, step)
        must_have_keys(where, keys, step)
        self.done += 1
        return where, step

    def choose(self, i: int, prompt: str, options: list[str]) -> str:
        wanted = f"seat {i} asked {prompt} with {options}"
        where, step = self.next_step(wanted, ("seat", "prompt", "options", "choice"))
        got, choice = step["options"], step["choice"]
        must_be_texts(f"{where}, options", got)
        must(len(got) >= 2, where, f"no question of fewer than two options but {wanted}", step)
        must_equal(f"{where}, seat (asked {prompt})", i, step["seat"])
        must_equal(f"{where}, prompt (seat {i})", prompt, step["prompt"])
        where = f"{where}, seat {i}, {prompt}"
        must(len(set(got)) == len(got), where, "options without duplicates", got)
        if set(got) != set(options):
            missing, wrong = sorted(set(options) - set(got)), sorted(set(got) - set(options))
            raise Complaint(
                f"{where}: expected the options {options}, got {got}; "
                f"missing {missing}, not legal {wrong}"
            )
        must(isinstance(choice, str) and choice in got, f"{where}, choice", f"one of {got}", choice)
        return str(choice)

    def shuffle(self, deck: int, cards: list[str]) -> list[str]:
        wanted = f"a shuffle of deck {deck}, which holds {dict(Counter(cards))}"
        where, step = self.next_step(wanted, ("chance", "deck", "order"))
        must_equal(f"{where}, chance", "shuffle", step["chance"])
        must_equal(f"{where}, deck", deck, step["deck"])
        must_hold_cards(f"{where}, order of deck {deck}", Counter(cards), step["order"])
        return list(step["order"])


def check_results(trace: dict[str, Any], table: Table) -> None:
    scores, ranks = results(table)
    must(isinstance(trace["scores"], list), "scores", "a list", trace["scores"])
    must(len(trace["scores"]) == len(scores), "scores", f"{len(scores)} of them", trace["scores"])
    for i, got in enumerate(trace["scores"]):
        must_have_keys(f"scores of seat {i}", SCORE_KEYS, got)
        must_equal(f"scores of seat {i}", scores[i], got)
    must_equal("ranks", ranks, trace["ranks"])


def judge(trace: dict[str, Any]) -> list[str]:
    """The complaints about a trace: the first one found, or none."""
    try:
        check_header(trace)
        check_deal(trace)
        replay = Replay(trace["steps"])
        table = lay_out(trace["wonders"], trace["deal"], replay.choose, replay.shuffle)
        play_out(table)
        left_over = trace["steps"][replay.done :]
        must(not left_over, f"step {replay.done}", "the end of the game", left_over[:1])
        check_results(trace, table)
    except Complaint as complaint:
        return [str(complaint)]
    return []


# --- Making a trace -----------------------------------------------------------------------------


def make_deal(
    wonders: Sequence[str], expansions: Sequence[str], expert: bool, rng: random.Random
) -> dict[str, Any]:
    def shuffled(things: Iterable[str]) -> list[str]:
        listed = list(things)
        rng.shuffle(listed)
        return listed

    decks = [shuffled(cards_of(DECKS[wonder]).elements()) for wonder in wonders]
    drawn = shuffled(MEDALS) if "medals" in expansions else []
    return {
        "decks": decks,
        "centre": shuffled(cards_of(CENTRE).elements()),
        "progress": shuffled(progress_tokens(bool(expansions))),
        "medals": drawn[: len(wonders)],
        "centre_medals": drawn[len(wonders) : len(wonders) + 2] if expert else [],
    }


def record(
    wonders: Sequence[str],
    expansions: Sequence[str],
    expert: bool,
    deal: dict[str, Any],
    choose: Callable[[int, str, list[str]], str],
    rng: random.Random,
) -> dict[str, Any]:
    """The trace of a game from the given deal, with the choices of any policy."""
    steps: list[dict[str, Any]] = []

    def choose_and_note(i: int, prompt: str, options: list[str]) -> str:
        choice = choose(i, prompt, options)
        steps.append({"seat": i, "prompt": prompt, "options": options, "choice": choice})
        return choice

    def shuffle_and_note(deck: int, cards: list[str]) -> list[str]:
        rng.shuffle(cards)
        steps.append({"chance": "shuffle", "deck": deck, "order": list(cards)})
        return cards

    table = lay_out(wonders, deal, choose_and_note, shuffle_and_note)
    play_out(table)
    scores, ranks = results(table)
    trace: dict[str, Any] = {"game": "architects", "edition": None, "expansions": list(expansions)}
    trace |= {"expert": expert, "players": len(wonders), "wonders": list(wonders), "deal": deal}
    return trace | {"steps": steps, "scores": scores, "ranks": ranks}


def play(
    players: int,
    wonders: Sequence[str],
    expansions: Sequence[str],
    expert: bool,
    rng: random.Random,
) -> dict[str, Any]:
    """The trace of a game in which every choice is made at random."""
    assert players == len(wonders), "one wonder per player"
    deal = make_deal(wonders, expansions, expert, rng)
    return record(wonders, expansions, expert, deal, lambda i, p, options: rng.choice(options), rng)
