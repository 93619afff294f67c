"""A schedule in words: what will be played, before it is."""

from arena.schedule.cyclic import Cycle, spreads
from arena.schedule.fixtures import Balanced, Schedule, Track
from arena.schedule.gauntlet import Gauntlet


def describe(schedule: Schedule) -> str:
    """What will be played, a line a fact: the field, the tracks, games of each bot, balance."""
    rounds = schedule.rounds
    lines = [f"{len(schedule.labels)} bots: {', '.join(schedule.labels)}"]
    lines += [f"{_track(schedule, track)}" for track in schedule.tracks]
    if rounds is None:
        lines.append(f"{schedule.design.stage} design, round after round until told to stop")
    else:
        lines.append(
            f"{schedule.design.stage} design, {len(schedule)} games in all; {_share(schedule)}"
        )
    lines += _balance(schedule)
    return "\n".join(lines)


def _track(schedule: Schedule, track: Track) -> str:
    design, rounds = schedule.design, schedule.rounds
    games = design.games(track)
    often = "rounds" if rounds is None else _number(rounds * track.weight, "round")
    sides = sum(len(sides) for sides in track.pool.wonders)
    pool = f"{len(track.pool)} wonders" + (f", {sides} sides" if sides > len(track.pool) else "")
    text = (
        f"{track.rules.name}, {track.players} players: {often} of {_number(games, 'game')}, {pool}"
    )
    return text + (f", weight {track.weight}" if len(schedule.tracks) > 1 else "")


def _share(schedule: Schedule) -> str:
    """How many games a bot plays; of a gauntlet, the newcomer plays them all."""
    assert schedule.rounds is not None
    games = [0.0] * len(schedule.labels)
    for track in schedule.tracks:
        played = schedule.rounds * track.weight * schedule.design.games(track)
        regulars = list(track.bots)
        seats = track.players
        if isinstance(schedule.design, Gauntlet):
            regulars.remove(schedule.design.newcomer)
            games[schedule.design.newcomer] += played
            seats -= 1
        for bot in regulars:
            games[bot] += played * seats / len(regulars)
    low, high = min(games), max(games)
    text = f"{low:.0f}" if high - low < 0.5 else f"{low:.0f} to {high:.0f}"
    about = "about " if schedule.design.stage == "random" else ""
    return f"{about}{text} games for each bot"


def _balance(schedule: Schedule) -> list[str]:
    design = schedule.design
    if isinstance(design, Gauntlet):
        name = schedule.labels[design.newcomer]
        one = f"{name} plays every game: with each other bot equally often, left, right or opposite"
        return [one, "its seats and its wonders are even too"]
    if not isinstance(design, Balanced):
        return []
    one = "a round is one deal: every bot sits once in every seat, with every wonder of the round"
    return [one, *dict.fromkeys(_evenness(design.cycle(track)) for track in schedule.tracks)]


def _evenness(cycle: Cycle) -> str:
    end, way = spreads(cycle.blocks, cycle.bots)
    if not any((*end, *way)):
        return f"{cycle.players} players: every pair meets equally often, also as neighbours"
    after = f"after {_number(len(cycle.blocks), 'round')}"
    return (
        f"{cycle.players} players: pairs of bots differ by at most {way[1]} meetings after a round"
        f" ({way[0]} as neighbours), and by {end[1]} ({end[0]}) {after}"
    )


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
