"""The options of a hand: in which order they are shown, and how a hint grades them."""

from arena.playing.referee import build_decision
from arena.site.pages.own_game.hand import option_groups, tell_hint
from bots.house.hint import Hint, ImaginedEnds
from engine.catalog import find
from engine.rng import Rng


def test_the_cheapest_way_to_pay_comes_first() -> None:
    rules = find("seven")
    several = 0
    for seed in (1, 5):
        state, dice = rules.deal(rules.setup(3, seed), seed), Rng(1 + seed)
        while seats := state.pending():
            for seat in seats:
                for group in option_groups(build_decision(rules, state, seat, 1.0), "en"):
                    for verb in ("build", "stage"):
                        paid = [each.face.paid for each in group.options if each.face.verb == verb]
                        assert paid == sorted(paid)
                        several += len(set(paid)) > 1
            answers = [(seat, state.legal(seat)) for seat in seats]
            for seat, options in answers:
                state.apply(seat, options[dice.below(len(options))])
    assert several > 10


def test_no_option_is_graded_better_than_the_next_best() -> None:
    rules = find("seven")
    asked = build_decision(rules, rules.deal(rules.setup(3, 1), 1), 0, 1.0)
    outlooks = [0.5 for _ in asked.options]
    outlooks[0], outlooks[1], outlooks[2] = 0.6, 0.55, 0.59  # the last one by chance
    ends = ImaginedEnds(3, list(range(10)))
    groups = option_groups(asked, "en", None, Hint(0, 1, outlooks, ends, ends))
    grades = {each.at: each.grade for group in groups for each in group.options}
    assert grades[1] == grades[2] == "worse"


def test_of_too_few_imagined_games_nothing_is_concluded() -> None:
    rules = find("seven")
    asked = build_decision(rules, rules.deal(rules.setup(3, 1), 1), 0, 1.0)
    outlooks = [0.5 for _ in asked.options]
    ends = ImaginedEnds(0, [-17])
    found = Hint(0, 1, outlooks, ends, ends)
    options = [it for group in option_groups(asked, "en", None, found) for it in group.options]
    assert [option.at for option in options if option.best] == [0]
    assert not any(option.grade for option in options)
    would, why = tell_hint(asked, found, "en")
    assert would.startswith("oracle, the strongest house bot, would: ")
    assert why.startswith("There was no time to imagine enough games")
