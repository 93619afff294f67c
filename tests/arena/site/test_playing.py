"""People at the tables of the site: asked like bots, shown no more than bots."""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import FastAPI

from arena.display import display_of
from arena.display.scene import STAGE, Line, Panel, Piece, Scene
from arena.playing.human import ME
from arena.playing.referee import build_decision
from arena.site.app.factory import create_app
from arena.site.links import Links, address
from arena.site.live_games import (
    OPPONENTS,
    FullError,
    GameWishes,
    LiveGames,
    LiveTable,
    seat_wonder,
)
from arena.site.pages.own_game.hand import OptionGroup, option_groups, tell_hint
from arena.site.pages.own_game.lobby import DEFAULT_OPPONENTS, STRENGTHS, wonder_groups
from arena.site.pages.own_game.table import (
    outcome,
    prompt_of,
    question,
    standings,
    table_page,
    tell_empty_decks,
    tell_last_stages,
)
from arena.site.security.rate_limit import SiteLimits
from bots.house.hint import STRONGEST, Hint, ImaginedEnds, hint
from engine.catalog import find
from engine.errors import ArenaError
from engine.match import Fault, FaultKind, MatchResult
from engine.rng import Rng
from leagues.storage.handle import open_storage
from tests.arena.playing.sample_decision import first_decision
from tests.arena.site.markup import Markup
from tests.arena.site.sample_site import Visitor
from tests.support.french import FrenchTexts, english_in

pytestmark = pytest.mark.slow


@pytest.fixture
def live_games() -> Iterator[LiveGames]:
    it = LiveGames(most=2)
    yield it
    it.close()


@pytest.mark.parametrize(("game", "opponents"), [("architects", 1), ("seven", 2)])
def test_a_move_may_be_taken_back_until_the_others_moves_are_shown(
    live_games: LiveGames, game: str, opponents: int
) -> None:
    wishes = GameWishes(confirms=True)
    table = live_games.open("ann", game, ["random"] * opponents, seed=1, wishes=wishes)
    before = table.snapshot(60)
    assert before.decision is not None
    for option in (1, 0):
        table.choose(before.turn, option)
        chosen = table.snapshot(60)
        assert chosen.chosen == before.decision.options[option].action
        assert chosen.decision is before.decision  # with no card more than before
        assert chosen.rounds == before.rounds
        assert table._decisions == []  # no bot was told
        table.undo(before.turn)
        assert table.snapshot(60).chosen is None
    table.confirm(before.turn)  # there is nothing to play
    table.choose(before.turn, 1)
    table.confirm(before.turn + 1)  # of no turn there is: nothing happens
    table.undo(before.turn + 1)
    assert table.snapshot(60).chosen == before.decision.options[1].action
    table.confirm(before.turn)
    after = table.snapshot(60)
    table.undo(before.turn)  # the others' moves are known: too late
    assert table.snapshot(60) == after
    assert after.turn == before.turn + 1
    assert table._decisions[0] == before.decision.options[1].action


def test_what_happened_is_shown_until_a_choice_is_final(live_games: LiveGames) -> None:
    wishes = GameWishes(confirms=True)
    table = live_games.open("ann", "seven", ["random"] * 2, seed=1, wishes=wishes)
    table.choose(table.snapshot(60).turn, 0)
    table.confirm(table.snapshot(60).turn)
    before = table.snapshot(60)
    assert len(before.rounds) == 1
    table.choose(before.turn, 0)
    assert table.snapshot(60).rounds == before.rounds
    table.undo(before.turn)
    assert table.snapshot(60).rounds == before.rounds
    table.choose(before.turn, 0)
    table.confirm(before.turn)
    after = table.snapshot(60)
    assert len(after.rounds) == 1
    assert after.rounds != before.rounds


def test_who_does_not_want_to_be_asked_is_not(live_games: LiveGames) -> None:
    wishes = GameWishes(confirms=True)
    table = live_games.open("ann", "seven", ["random", "random"], seed=1, wishes=wishes)
    table.choose(table.snapshot(60).turn, 0)
    table.confirm(table.snapshot(60).turn, always=True)
    assert table.snapshot(60).turn == 2
    assert not table.asks_first
    table.choose(2, 0)
    assert table.snapshot(60).turn == 3
    table.ask_first(True)
    table.choose(3, 0)
    assert table.snapshot(60).turn == 3
    assert table.snapshot(60).chosen is not None


def test_a_wonder_may_be_chosen(live_games: LiveGames) -> None:
    wishes = GameWishes(wonder="gizah:night")
    table = live_games.open("ann", "seven", ["random", "random"], seed=1, wishes=wishes)
    assert table.spec.setup.wonders[0] == "gizah:night"
    assert len({wonder.partition(":")[0] for wonder in table.spec.setup.wonders}) == 3


def test_wonders_of_an_expansion_are_offered_with_its_name() -> None:
    groups = {title: ids for _, title, ids in wonder_groups("en")}
    base = [id for id, _ in groups["7 Wonders Architects"]]
    assert len(base) == 7
    assert [id for id, _ in groups["7 Wonders Architects · Medals"]] == ["rome", "ur"]


def test_wonders_stay_different_when_one_is_wished() -> None:
    drawn = ("rhodos:day", "gizah:day", "babylon:night")
    assert seat_wonder(drawn, "gizah:night") == ("gizah:night", "rhodos:day", "babylon:night")
    assert seat_wonder(drawn, "olympia:day") == ("olympia:day", "gizah:day", "babylon:night")
    assert seat_wonder(drawn, "rhodos:night") == ("rhodos:night", "gizah:day", "babylon:night")


@pytest.mark.parametrize("game", ["architects", "seven"])
def test_a_hint_is_what_the_strongest_bot_does_with_an_outlook_of_every_option(game: str) -> None:
    question = first_decision(game)
    rules = find(game)
    found = hint(question, rules.setup(3, 1), 0.05, 0.05)
    assert len(found.outlooks) == len(question.options)
    assert all(0 <= outlook <= 1 for outlook in found.outlooks)
    assert found.second not in (None, found.best)
    assert found.after_best.games == found.after_second.games > 0
    groups = option_groups(question, "en", None, found)
    options = [option for group in groups for option in group.options]
    assert [option.at for option in options if option.best] == [found.best]
    # On a slow machine there are too few games to compare anything.
    assert all((option.grade == "") == (option.best or found.is_thin) for option in options)


def test_a_hint_says_what_clearly_differs_from_the_next_best() -> None:
    question = first_decision("seven")
    names = ("wonder", "treasure", "military", "civil", "commerce", "science", "guilds", "total")
    one = [dict.fromkeys(names, 0) | {"science": 9, "military": at % 2} for at in range(20)]
    other = [dict.fromkeys(names, 0) | {"military": (at + 1) % 2} for at in range(20)]
    outlooks = [0.5 for _ in question.options]
    found = Hint(0, 1, outlooks, ImaginedEnds(15, [4] * 20, one), ImaginedEnds(5, [-5] * 20, other))
    told = tell_hint(question, found, "en")
    assert told[0].startswith("oracle, the strongest house bot, would: ")
    assert told[1] == (
        "Then you win 15 of 20 imagined games, 4 points ahead of the best rival on average."
    )
    assert told[3] == "Your points with the first, compared with that: science +9.0."
    few = replace(found, after_best=ImaginedEnds(1, [4] * 2, one[:2]))
    assert few.differences() == {}


def test_a_hint_in_a_lost_game_says_so_and_compares_nothing() -> None:
    question = first_decision("seven")
    sheets: list[dict[str, int]] = [{"total": 30}] * 20
    none = ImaginedEnds(0, [-12] * 20, sheets)
    found = Hint(1, 0, [0.01 for _ in question.options], none, none)
    told = tell_hint(question, found, "en")
    assert len(told) == 2
    assert "as good as lost: you win none of 20 imagined games" in told[1]
    options = [
        option for group in option_groups(question, "en", None, found) for option in group.options
    ]
    assert [option.at for option in options if option.best] == [1]
    assert all(not option.grade for option in options)
    one = replace(found, after_second=ImaginedEnds(1, [-12] * 20, sheets))
    assert not one.is_lost


def test_a_game_is_played_to_its_end(live_games: LiveGames) -> None:
    table = live_games.open("ann", "architects", ["random"], seed=1)
    turns = 0
    while (snapshot := table.snapshot(60)).decision is not None:
        table.choose(snapshot.turn, 0)
        table.choose(snapshot.turn, 1)  # a second click changes nothing
        turns += 1
    assert snapshot.result is not None
    assert snapshot.result.faults == ()
    assert turns > 5
    page = table_page(table, snapshot, Links(address(("play", table.id))), "token")
    seat, action = snapshot.rounds[-1].moves[-1]
    before = snapshot.rounds[-1].before
    news = page.partition("The last turn")[2].partition("</section>")[0]
    assert display_of("architects").tell_action(action, "en", True, before, seat) in news
    ending = display_of("architects").ending(snapshot.rounds[-1].after, ("you", "random"), "en")
    assert ending
    assert sum(ending in text for text in Markup(page).texts) == 1


def test_an_option_that_is_none_is_refused(live_games: LiveGames) -> None:
    table = live_games.open("ann", "architects", ["random"], seed=1)
    snapshot = table.snapshot(60)
    with pytest.raises(ArenaError, match="expected an option from 0 to"):
        table.choose(snapshot.turn, 99)
    assert table.snapshot(60).turn == snapshot.turn


def test_who_resigns_sees_how_it_ends(live_games: LiveGames) -> None:
    table = live_games.open("ann", "seven", ["random", "random"])
    table.snapshot(60)
    table.resign()
    result = table.snapshot(60).result
    assert result is not None
    assert [fault.kind for fault in result.faults] == ["resigned"]
    assert result.ranks[0] == 2


def test_cards_held_twice_are_counted() -> None:
    rules = find("seven")
    for seed in range(40):
        asked = build_decision(rules, rules.deal(rules.setup(7, seed), seed), 0, 1.0)
        hand = display_of("seven").scene(asked.view, "en").panels[1].lines[-1]
        keys = [piece.key for piece in hand.pieces]
        groups = option_groups(asked, "en")
        counts = {group.card.key: group.card.count for group in groups if group.card}
        assert counts == {key: keys.count(key) for key in keys}
        if max(counts.values()) > 1:
            return
    raise AssertionError("no hand had two cards alike")


def test_it_is_told_whether_a_card_stands_already_or_cannot_be_paid() -> None:
    rules = find("seven")
    found = set()
    for seed in range(20):
        state = rules.deal(rules.setup(7, seed), seed)
        for _ in range(5):
            for seat in state.pending():
                state.apply(seat, state.legal(seat)[0])
            if 0 not in state.pending():
                break
            asked = build_decision(rules, state, 0, 1.0)
            own = display_of("seven").scene(asked.view, "en").panels[1]
            built = [it.text for line in own.lines if line.id == "cards" for it in line.pieces]
            for group in option_groups(asked, "en"):
                verbs = {option.face.verb for option in group.options}
                if group.card and "build" not in verbs:
                    assert group.stands == (group.card.text in built)
                    assert group.obstacle
                    assert ("already" in group.obstacle) == group.stands
                    found.add(group.stands)
                assert ("stage" in verbs) == (group.no_stage == "")
                assert not (group.stands and "build" in verbs)
    assert found == {True, False}


def test_a_question_is_headed_by_its_cause_and_a_token_by_its_name() -> None:
    asked = first_decision("architects")
    assert question(asked, "en").startswith("Your turn: take the top card")
    rules = find("architects")
    state = rules.deal(rules.setup(2, 1), 1)
    dice = Rng(1)
    heads: dict[str, list[OptionGroup]] = {}
    while seats := state.pending():
        now = build_decision(rules, state, seats[0], 1.0)
        heads.setdefault(question(now, "en"), option_groups(now, "en"))
        options = state.legal(seats[0])
        state.apply(seats[0], options[dice.below(len(options))])
    faces = [option.face for group in heads["Choose a Progress token"] for option in group.options]
    tokens = [face for face in faces if face.verb == "token"]
    assert tokens
    assert all(face.label[0].isupper() and face.price for face in tokens)


@pytest.mark.parametrize(
    ("points", "ranks", "told"),
    [
        ([58, 53, 40], [0, 1, 2], "You won with 58 points, 5 ahead of sage (Rhódos)."),
        ([53, 58, 53], [2, 0, 1], "You came 3rd with 53 points, 5 behind sage (Rhódos)."),
        ([50, 50, 40], [0, 0, 2], "You came 1st with 50 points, level with sage (Rhódos)."),
        ([50, 50, 40], [0, 1, 2], "You won with 50 points, as many as sage (Rhódos): the tie-"),
        ([50, 50, 40], [1, 0, 2], "You came 2nd with 50 points, as many as sage (Rhódos): the"),
    ],
)
def test_the_end_is_told_in_a_line(points: list[int], ranks: list[int], told: str) -> None:
    rules = find("seven")
    setup = rules.setup(3, 1, ("gizah:day", "rhodos:day", "olympia:day"))
    result = MatchResult(rules.spec(setup, 1, (ME, "sage", "random")), [], points, ranks)
    names = ("you", "sage", "random")
    assert outcome(result, 0, names, "en").startswith(told)
    left = replace(result, faults=(Fault(0, FaultKind.RESIGNED, "", 3),))
    assert outcome(left, 0, names, "en").startswith("You left; a bot finished your game")


def test_tables_are_few_and_each_is_its_visitor_s(live_games: LiveGames) -> None:
    first = live_games.open("ann", "architects", ["random"])
    second = live_games.open("bob", "architects", ["random"])
    with pytest.raises(FullError, match="all tables are taken"):
        live_games.open("cy", "architects", ["random"])
    assert live_games.table(first.id, "bob") is None
    assert live_games.table(first.id, "ann") is first
    third = live_games.open("ann", "architects", ["random"])
    assert live_games.table(first.id, "ann") is None
    assert not first._thread.is_alive()
    assert live_games.table(third.id, "ann") is third
    assert live_games.table(second.id, "bob") is second


def test_others_find_their_tables_while_one_is_closed(
    live_games: LiveGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    live_games.open("ann", "architects", ["random"])
    other = live_games.open("bob", "architects", ["random"])
    free = []
    close = LiveTable.close

    def closing(table: LiveTable) -> None:
        free.append(live_games._lock.acquire(blocking=False))
        if free[-1]:
            live_games._lock.release()
            assert live_games.table(other.id, "bob") is other
        close(table)

    monkeypatch.setattr(LiveTable, "close", closing)
    live_games.open("ann", "architects", ["random"])
    monkeypatch.undo()
    assert free == [True]


def test_one_place_does_not_take_all_tables() -> None:
    live_games = LiveGames(most=6)
    for name in ("ann", "bob", "cy", "dee"):
        live_games.open(name, "architects", ["random"], address="here")
    with pytest.raises(FullError):
        live_games.open("eve", "architects", ["random"], address="here")
    assert live_games.open("eve", "architects", ["random"], address="there").is_playing
    live_games.close()


def test_a_table_nobody_looks_at_is_closed() -> None:
    late = [0.0]
    live_games = LiveGames(most=1, clock=lambda: late[0])
    table = live_games.open("ann", "architects", ["random"])
    late[0] = table.used + 31 * 60
    other = live_games.open("bob", "architects", ["random"])
    assert live_games.table(table.id, "ann") is None
    assert live_games.table(other.id, "bob") is other
    live_games.close()
    assert not other._thread.is_alive()


def test_an_idle_table_is_closed_though_nobody_comes() -> None:
    late = [0.0]
    live_games = LiveGames(clock=lambda: late[0])
    idle = live_games.open("ann", "architects", ["random"])
    late[0] = 20 * 60
    other = live_games.open("bob", "architects", ["random"])
    late[0] = 31 * 60
    live_games.sweep()
    assert not idle.is_playing
    assert live_games.table(idle.id, "ann") is None
    assert live_games.table(other.id, "bob") is other
    live_games.close()


def test_the_site_sweeps_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.site.app.factory.SWEEP", 0.0)
    swept = asyncio.Event()

    async def stay(app: FastAPI) -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.setattr(LiveGames, "sweep", lambda _: loop.call_soon_threadsafe(swept.set))
        async with app.router.lifespan_context(app):
            await asyncio.wait_for(swept.wait(), 60)

    with open_storage(tmp_path / "arena.db") as storage:
        asyncio.run(stay(create_app(storage)))


def test_a_table_whose_bots_do_not_end_takes_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    live_games = LiveGames(most=1)
    stuck = live_games.open("ann", "architects", ["random"])
    monkeypatch.setattr(LiveTable, "leave", lambda _: None)
    monkeypatch.setattr(LiveTable, "close", lambda _: None)
    for visitor in ("ann", "bob"):
        with pytest.raises(FullError, match="all tables are taken"):
            live_games.open(visitor, "architects", ["random"])
    assert live_games.table(stuck.id, "ann") is None
    monkeypatch.undo()
    stuck.close()
    assert not stuck.is_playing
    assert live_games.open("bob", "architects", ["random"]).is_playing
    live_games.close()


@pytest.mark.parametrize(
    ("game", "opponents", "problem"),
    [
        ("seven", ["random"], "expected 3 to 7 players"),
        ("architects", [], "expected 2 to 7 players"),
        ("architects", ["./mine.py"], "expected opponents out of random"),
        ("chess", ["random"], "expected"),
    ],
)
def test_a_table_that_cannot_be_is_refused(
    live_games: LiveGames, game: str, opponents: list[str], problem: str
) -> None:
    with pytest.raises(ArenaError, match=problem):
        live_games.open("ann", game, opponents)


def test_a_game_by_forms_alone(tmp_path: Path) -> None:
    with open_storage(tmp_path / "arena.db") as storage:
        app = create_app(storage, limits=SiteLimits(writes=1000))
        visitor = Visitor(app)
        lobby = visitor.get("/play?lang=fr").text
        empty = re.findall(r'<option value="">(.*?)</option>', lobby.partition("<details")[0])
        assert set(empty) == {"personne"}
        token = field(lobby, "token")
        lonely = {"token": token, "game": "seven", "bot1": "random", "bot2": ""}
        answer = visitor.post("/play", data=lonely)
        assert answer.status_code == 422
        assert "expected 3 to 7 players" in answer.text
        answer = visitor.post("/play?lang=fr", data=lonely)
        assert "3 à 7 joueurs attendus pour seven, et non 2" in answer.text
        tags = Markup(answer.text).tags
        assert [tag["value"] for _, tag in tags if "checked" in tag] == ["seven"]
        assert [tag["value"] for _, tag in tags if "selected" in tag] == ["random"]
        form = {"token": token, "game": "seven", "bot1": "random", "bot2": "greedy"}
        answer = visitor.post("/play?lang=fr", data={**form, "confirm": "1"})
        assert answer.status_code == 303
        place = answer.headers["location"]
        assert place.startswith("/play/")
        assert place.endswith("?lang=fr")
        page = visitor.get(place).text
        Markup(page)
        assert english_in("\n".join(FrenchTexts(page).texts)) == []
        assert "À vous" in page
        assert "caché" in page  # the others' hands
        assert Visitor(app).get(place).status_code == 404
        assert f'href="{place}"' in visitor.get("/play?lang=fr").text  # the way back
        assert f'href="{place}"' not in Visitor(app).get("/play?lang=fr").text
        turn = field(page, "turn")
        bad = {"token": token, "turn": turn, "option": "x"}
        assert visitor.post(place, data=bad).status_code == 400
        assert visitor.post(place, data={**bad, "option": "99"}).status_code == 400
        answer = visitor.post(place, data={**bad, "option": "0"})
        assert (answer.status_code, answer.headers["location"]) == (303, place)
        page = visitor.get(place).text
        assert field(page, "turn") == turn
        assert "Choisi" in page
        assert english_in("\n".join(FrenchTexts(page).texts)) == []
        visitor.post(place, data={"token": token, "turn": turn, "undo": "1"})
        assert "À vous" in visitor.get(place).text
        visitor.post(place, data={**bad, "option": "0"})
        visitor.post(place, data={"token": token, "turn": turn, "confirm": "always"})
        page = visitor.get(place).text
        assert field(page, "turn") != turn
        assert 'name="ask"' in page
        assert english_in("\n".join(FrenchTexts(page).texts)) == []
        visitor.post(place, data={"token": token, "ask": "1"})
        visitor.post(place, data={**bad, "turn": field(page, "turn"), "option": "0"})
        assert "Choisi" in visitor.get(place).text
        visitor.post(place, data={"token": token, "resign": "1"})
        page = visitor.get(place).text
        assert f'href="{place}"' not in visitor.get("/play?lang=fr").text  # it is over
        texts = Markup(page).texts
        assert any(text.startswith("Vous avez quitté la table") for text in texts)
        assert "(parti)" in texts
        assert not any("échoué" in text or "intendant" in text for text in texts)
        assert english_in("\n".join(FrenchTexts(page).texts)) == []
        assert visitor.get(f"{place}&seat=1&step=0").status_code == 200
        why = visitor.get(place.replace("?", "/explain?"))
        assert "Vos perspectives" in why.text
        assert "Humain" not in why.text
        (answer,) = re.findall(r'<p class="lead answer">(.*?)</p>', why.text)
        assert "vous" in answer
        assert not re.search(r"vous \(\w+\) (gagne|menait|avait)|(à|pour) vous \(", answer)
        assert english_in("\n".join(FrenchTexts(why.text).texts)) == []
        assert Visitor(app).get(place.replace("?", "/explain?")).status_code == 404
        app.state.state.live_games.close()


def field(page: str, name: str) -> str:
    """The value of a hidden field."""
    for tag in Markup(page.partition('id="replay-data">')[0]).with_attribute("value"):
        if tag.get("name") == name:
            return f"{tag['value']}"
    raise AssertionError(name)


def test_every_house_bot_is_offered_by_its_strength() -> None:
    offered = [bot for _, bots in STRENGTHS for bot in bots]
    assert sorted(offered) == sorted(OPPONENTS)
    assert offered[-1] == STRONGEST
    strengths = [
        at for bot in DEFAULT_OPPONENTS for at, (_, bots) in enumerate(STRENGTHS) if bot in bots
    ]
    assert strengths == [1, 3]  # one that can play, and a strong one


def test_the_standings_begin_with_the_leader() -> None:
    points = [5, 9, 5]
    scene = Scene(
        "", [Panel("", []), *(Panel("", [], at, points=n) for at, n in enumerate(points))]
    )
    assert [panel.seat for panel in standings(scene)] == [1, 0, 2]


def test_an_empty_deck_is_told_to_whom_it_was_open() -> None:
    rules = find("architects")
    state = rules.deal(rules.setup(2, 1), 1)
    seen = set()
    while seats := state.pending():
        seat, options = seats[0], state.legal(seats[0])
        asked = build_decision(rules, state, seat, 1.0)
        scene = display_of("architects").scene(asked.view, "en")
        if prompt_of(asked) == "draw":
            told = tell_empty_decks(scene, seat, "en")
            open_decks = {rules.text(action) for action in options}
            assert ("Your own deck" in told) == ("take left" not in open_decks)
            assert ("right neighbour's" in told) == ("take right" not in open_decks)
            assert ("central deck" in told) == ("take centre" not in open_decks)
            seen.add(told)
        state.apply(seat, options[-seat])  # seat 0 empties its own deck, and the last is the centre
    assert seen == {"", "Your own deck is empty.", "The right neighbour's deck is empty."}


def test_it_is_told_who_ends_the_game_with_the_next_stage() -> None:
    names = ("you", "ann", "bob")

    def told(built: tuple[int, ...], age: str = "") -> str:
        stages = [[Piece("", kind=STAGE, done=at < count) for at in range(5)] for count in built]
        panels = [Panel("", [Line("stages", "", own)], at) for at, own in enumerate(stages)]
        return tell_last_stages(Scene("", [Panel("", []), *panels], age=age), 0, names, "en")

    assert told((3, 2, 0)) == ""
    assert told((4, 2, 0)) == "Your next stage completes your wonder and ends the game."
    assert told((4, 2, 4)).startswith("One stage left: you, bob. ")
    assert "two stages can be built in one turn" in told((4, 2, 4))
    assert told((4, 2, 4), "III") == ""
