"""Matches as pages: the list, and one with its replay and all that is known of it."""

from collections.abc import Collection
from dataclasses import replace

from arena.display.names import game_name
from arena.i18n import gettext, translate_error
from arena.reports.wording import format_time
from arena.site.contests import Contests, MissingError, SiteContest
from arena.site.formatting import brief
from arena.site.links import Links
from arena.site.pages.replay import replay_page
from arena.site.templating import Link, draw
from engine.errors import SetupError, TraceError
from leagues.records import StoredMatch
from leagues.storage.match_filter import ALL

PAGE = 50  # matches on one page
LATEST = 60  # among them those worth watching are looked for
SHOWN = 24


def matches_page(
    contests: Contests,
    contest: SiteContest,
    links: Links,
    bot: int | None = None,
    players: int | None = None,
    faulty: bool = False,
    number: int = 1,
    game: str | None = None,
) -> str:
    """The matches of a contest, the latest first."""
    if bot is not None:
        contest.entrant(bot)
    if game is not None:
        contest.game(game)
    which = replace(contest.which, players=players, entrant=bot, faulty=faulty, game=game)
    last = max(1, -(-contests.reader.results.count(which) // PAGE))
    if number > last:
        raise MissingError(
            "expected a page from 1 to {last}, got {number}", last=last, number=number
        )
    asked: dict[str, object] = {"bot": bot, "players": players, "game": game}
    asked["faulty"] = int(faulty) or None

    def matches(**changed: object) -> str:
        return links.within(contest.path, "matches", **{**asked, **changed})

    def choices(key: str, *values: tuple[str, object]) -> list[Link]:
        every = ((gettext("all", lang) if key != "faulty" else all_matches, None), *values)
        return [Link(text, matches(**{key: it}), it == asked[key]) for text, it in every]

    lang = links.lang
    all_matches = gettext("all matches", lang)
    free = links.live or bot is None  # plain files do not have every combination
    games = [(game_name(each), each) for each in contest.games]
    counts = contest.counts(game)
    if players is not None and players not in counts:  # of another game, and asked for all the same
        counts = sorted([*counts, players])
    return draw(
        "matches.html",
        links.frame(f"{contest.name} · {gettext('Matches', lang)}"),
        contest=contest,
        links=links,
        bot=None if bot is None else contest.names[bot],
        games=choices("game", *games) if len(games) > 1 and links.live else [],
        counts=choices("players", *((str(each), each) for each in counts))
        if len(counts) > 1 and free
        else [],
        faults=choices("faulty", (gettext("only those with a fault", lang), 1)) if free else [],
        everyone=matches(bot=None) if bot is not None else "",
        asked=any(asked.values()),
        number=number,
        last=last,
        newer=matches(page=number - 1 if number > 2 else None) if number > 1 else "",
        older=matches(page=number + 1) if number < last else "",
        rows=contests.matches(which, PAGE, PAGE * (number - 1)),
        order=ranking,
        moment=format_time,
    )


def ranking(stored: StoredMatch) -> list[int]:
    """The seats of a match from first to last."""
    ranks = stored.result.ranks
    return sorted(range(len(ranks)), key=lambda seat: (ranks[seat], seat))


def match_page(
    contests: Contests,
    links: Links,
    id: int,
    step: int | None = None,
    seat: int | None = None,
    replay: bool = True,
    owners: Collection[str] = (),
    embedded: bool = False,
    begin: int = 0,
) -> str:
    """A match at a step of its replay, with what is known of it; embedded, the replay alone."""
    stored = contests.match(id, owners)
    contest = contests.contest_of(stored)
    names = tuple(brief(contest.names[entrant.id]) for entrant in stored.entrants)
    title = f"{gettext('match', links.lang)} {id} · {contest.name}"
    frame = replace(
        links.frame(title, stored.result.spec.game), description=f"{title}: {', '.join(names)}"
    )
    values = {
        "contest": contest,
        "links": links,
        "stored": stored,
        "played": format_time(stored.played_at),
        "moment": format_time,
        "faults": {fault.seat: fault for fault in stored.result.faults},
        "accounts": stored.result.accounts,
        "seen_by": seat,
    }
    if not replay:
        return draw("match_facts.html", frame, problem="", **values)
    try:
        rendered = contests.rendered(stored, links.lang, seat, names)
    except (TraceError, SetupError) as problem:
        if seat is not None and not 0 <= seat < stored.players:
            raise
        return draw(
            "match_facts.html", frame, problem=translate_error(problem, links.lang), **values
        )
    template = "embed.html" if embedded else "match.html"
    return replay_page(rendered, frame, step, not links.live, template, begin, **values)


def watch_page(contests: Contests, links: Links) -> str:
    """Matches worth watching: of the latest those that ended closest."""
    found = worth_watching(contests.matches(ALL, LATEST))[:SHOWN]
    return draw(
        "watch.html",
        links.frame(gettext("Watch", links.lang)),
        links=links,
        found=[(stored, contests.contest_of(stored), ranking(stored)) for stored in found],
        margin=margin,
        moment=format_time,
    )


def worth_watching(matches: list[StoredMatch]) -> list[StoredMatch]:
    """Those without a fault, the closest first; of equally close ones that with more players."""
    fair = [stored for stored in matches if not stored.result.faults and not stored.excluded]
    return sorted(fair or matches, key=lambda stored: (margin(stored), -stored.players))


def margin(stored: StoredMatch) -> int:
    """By how many points the first was ahead of the second."""
    best = sorted(stored.result.scores, reverse=True)
    return best[0] - best[1]
