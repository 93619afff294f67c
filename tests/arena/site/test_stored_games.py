"""A visitor's game is played on after a restart, and by whichever process is asked."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.site.app.factory import create_app
from arena.site.live_games import FullError, GameWishes, LiveGames, LiveTable
from arena.site.stored_games import StoredGames, decode_finished, encode_finished, link_word
from engine.match import Fault, FaultKind
from leagues.storage.handle import Storage, open_storage
from tests.arena.site.sample_site import Visitor
from tests.support.setups import Row, random_match

pytestmark = pytest.mark.slow


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    with open_storage(tmp_path / "arena.db") as it:
        yield it


@pytest.fixture
def process(storage: Storage) -> Iterator[Callable[..., LiveGames]]:
    """Begins processes of a site, and ends them with the test."""
    begun: list[LiveGames] = []

    def begin(most: int = 8) -> LiveGames:
        begun.append(LiveGames(most=most, stored=StoredGames(storage.site)))
        return begun[-1]

    yield begin
    for each in begun:
        each.close()


def found(games: LiveGames, id: str) -> LiveTable:
    table = games.table(id, "ann")
    assert table is not None
    return table


def test_a_game_goes_on_after_a_restart(process: Callable[..., LiveGames]) -> None:
    before = process()
    table = before.open("ann", "seven", ["random", "random"], seed=1)
    for _ in range(3):
        table.choose(table.snapshot(60).turn, 0)
    asked = table.snapshot(60)
    before.close()
    after = process()
    assert after.table(table.id, "bob") is None
    assert after.table("another", "ann") is None
    again = found(after, table.id)
    shown = again.snapshot(60)
    assert shown.turn == asked.turn == 4
    assert shown.decision is not None
    assert asked.decision is not None
    assert shown.decision.view.dump() == asked.decision.view.dump()
    while (shown := again.snapshot(60)).decision is not None:
        again.choose(shown.turn, 0)
    assert shown.result is not None
    assert shown.result.faults == ()
    after.close()
    ended = found(process(), table.id).snapshot(60).result  # looked at once more
    assert ended is not None
    assert (ended.decisions, ended.ranks) == (shown.result.decisions, shown.result.ranks)


@pytest.mark.parametrize("game", ["architects", "seven"])
def test_a_finished_game_is_stored_as_it_was_played(game: str) -> None:
    result = random_match(Row(game, 3), 4)
    bots = ("me", "planner", "flat:ms=5")
    fault = Fault(1, FaultKind.TIME, "what nobody else may read", 7)
    played = replace(result, spec=replace(result.spec, bots=bots), faults=(fault,))
    text = encode_finished(played)
    assert fault.detail not in text
    assert len(text) < 2000
    again = decode_finished(text)
    assert (again.spec, again.decisions) == (played.spec, played.decisions)
    assert (again.scores, again.ranks) == (played.scores, played.ranks)
    assert again.faults == (replace(fault, detail=""),)


def test_the_link_of_a_finished_game_is_short_and_stays(
    storage: Storage, process: Callable[..., LiveGames]
) -> None:
    games = process()
    table = games.open("ann", "architects", ["random"], seed=1)
    assert table.snapshot(60).link == ""
    while (shown := table.snapshot(60)).result is None:
        table.choose(shown.turn, 0)
    assert re.fullmatch(r"\w{10}", shown.link)
    games.close()
    assert found(process(), table.id).snapshot(60).link == shown.link  # played by another process
    StoredGames(storage.site).forget("ann")
    stranger = Visitor(create_app(storage))
    for url in (f"/g/{shown.link}", f"/g/{shown.link}?seat=0&step=3&lang=fr"):
        assert stranger.get(url).status_code == 200
    assert "Human, random" in stranger.get(f"/g/{shown.link}").text
    assert stranger.get(f"/g/{shown.link[:-1]}").status_code == 404


def test_a_game_that_was_left_late_is_kept(
    storage: Storage, process: Callable[..., LiveGames]
) -> None:
    games = process()
    table = games.open("ann", "seven", ["random", "random"], seed=1)
    while (turn := table.snapshot(60).turn) <= 5:
        table.choose(turn, 0)
    table.resign()
    link = table.snapshot(60).link
    assert storage.site.finished_game(link) is not None
    games.close()
    assert found(process(), table.id).snapshot(60).link == link


def test_a_game_that_was_left_at_once_is_not_kept(
    storage: Storage, process: Callable[..., LiveGames]
) -> None:
    table = process().open("ann", "architects", ["random"], seed=1)
    table.resign()
    for _ in range(2):  # here, and by a process that finds it over
        shown = found(process(), table.id).snapshot(60)
        assert shown.result is not None
        assert shown.link == ""
    assert storage.site.finished_game(link_word(table.id)) is None


def test_a_game_by_rules_of_before_is_not_shown_wrongly(storage: Storage) -> None:
    result = random_match(Row("architects", 2), 1)
    older = replace(result, spec=replace(result.spec, version=0))
    storage.site.add_finished_game("older", encode_finished(older))
    answer = Visitor(create_app(storage)).get("/g/older")
    assert answer.status_code == 404
    assert "got a match of 0" in answer.text


def test_processes_take_turns(process: Callable[..., LiveGames]) -> None:
    processes = [process(), process()]
    table = processes[0].open("ann", "architects", ["random"], seed=1)
    turns = []
    at = 0
    while (shown := found(processes[at % 2], table.id).snapshot(60)).decision is not None:
        turns.append(shown.turn)
        found(processes[(at + 1) % 2], table.id).choose(shown.turn, 0)
        at += 1
    assert shown.result is not None
    assert turns == list(range(1, len(turns) + 1))
    assert len(turns) > 5
    assert not table.is_playing


def test_a_choice_and_a_resignation_are_kept(
    storage: Storage, process: Callable[..., LiveGames]
) -> None:
    first = process()
    table = first.open("ann", "seven", ["random", "random"], seed=1)
    shown = table.snapshot(60)
    assert shown.decision is not None
    stored = StoredGames(storage.site)
    assert stored.take_over(table.id, "bob") is None
    assert stored.take_over(table.id, "ann") is not None  # a third process, which dies at once
    table.choose(shown.turn, 2)  # seen by nobody: it is another's
    assert found(process(), table.id).snapshot(60).turn == 1
    second = process()
    found(second, table.id).resign()
    third = process()
    result = found(third, table.id).snapshot(60).result
    assert result is not None
    assert [fault.kind for fault in result.faults] == ["resigned"]


def test_a_choice_that_is_not_final_can_be_undone_by_another_process(
    process: Callable[..., LiveGames],
) -> None:
    wishes = GameWishes(confirms=True)
    table = process().open("ann", "seven", ["random", "random"], seed=1, wishes=wishes)
    shown = table.snapshot(60)
    assert shown.decision is not None
    table.choose(shown.turn, 2)
    second, third, fourth = process(), process(), process()
    chosen = found(second, table.id).snapshot(60)
    assert (chosen.turn, chosen.chosen) == (shown.turn, shown.decision.options[2].action)
    found(third, table.id).undo(shown.turn)
    assert found(fourth, table.id).snapshot(60).chosen is None
    found(fourth, table.id).choose(shown.turn, 1)
    found(second, table.id).confirm(shown.turn, always=True)
    assert found(second, table.id).snapshot(60).turn == 2
    found(third, table.id).choose(2, 0)
    assert found(third, table.id).snapshot(60).turn == 3  # it was not asked about


def test_tables_are_counted_over_all_processes(
    storage: Storage, process: Callable[..., LiveGames]
) -> None:
    one, other = process(most=1), process(most=1)
    table = one.open("ann", "architects", ["random"], address="here")
    with pytest.raises(FullError):
        other.open("bob", "architects", ["random"], address="there")
    again = other.open("ann", "architects", ["random"], address="here")  # in place of the first
    assert one.table(table.id, "ann") is None
    assert other.table(again.id, "ann") is again
    storage.site.sweep_games((), -1.0)  # as if nobody had looked for long
    assert other.table(again.id, "ann") is None


def test_forms_and_tables_of_a_page_work_after_a_restart(storage: Storage) -> None:
    visitor = Visitor(create_app(storage))
    (token,) = set(re.findall(r'name="token" value="(\w+)"', visitor.get("/play").text))
    form = {"token": token, "game": "architects", "bot1": "random"}
    place = visitor.post("/play", data=form).headers["location"]
    page = visitor.get(place).text
    (turn, *_) = re.findall(r'name="turn" value="(\d+)"', page)
    visitor.app.state.state.live_games.close()  # type: ignore[attr-defined]
    visitor.app = create_app(storage)
    moved = visitor.post(place, data={"token": token, "turn": turn, "option": "0"})
    assert moved.status_code == 303
    assert f'name="turn" value="{int(turn) + 1}"' in visitor.get(place).text
    visitor.app.state.state.live_games.close()
