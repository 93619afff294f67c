"""What organisers see: who waits for them, what they can do, and what was done."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from arena.i18n import N_, gettext
from arena.league.organiser.moderation import find_duplicates
from arena.reports.wording import format_time
from arena.site.links import Links
from arena.site.pages.acts import translate_act
from arena.site.templating import draw
from leagues.accounts.invitations import InvitationState
from leagues.records import League, LeagueState, Submission, SubmissionState
from leagues.storage.handle import StorageReader

LATEST: Final = 50  # acts that are shown
MAX_FAULTY: Final = 20


@dataclass(frozen=True)
class ActForm:
    """A form for what can be done to one kind of thing."""

    key: str
    title: str
    subject: str  # what names the thing
    button: str
    actions: dict[str, str]  # what each does, in words
    known: str = ""  # the list of names to choose from
    name: str = ""  # of what else is asked for, if anything
    in_league: bool = False


ACT_FORMS: Final = (
    ActForm(
        "bot",
        N_("A bot"),
        N_("Owner and bot, as in ann/mybot"),
        N_("Change this bot"),
        {
            "suspend": N_("suspend: it plays no more until it is resumed"),
            "resume": N_("resume: it plays again"),
            "hide": N_("hide: it plays no more and is shown as anonymous"),
            "unhide": N_("show its name again"),
        },
        known="bots",
        in_league=True,
    ),
    ActForm(
        "match",
        N_("A match"),
        N_("Number of the match"),
        N_("Change this match"),
        {
            "exclude": N_("exclude: it no longer counts"),
            "restore": N_("count it again"),
        },
    ),
    ActForm(
        "owner",
        N_("An owner"),
        N_("Name of the owner"),
        N_("Change this owner"),
        {
            "ban": N_("ban: its bots stop playing in all leagues, and it can submit none"),
            "unban": N_("lift the ban"),
            "rename": N_("rename, with all its bots"),
        },
        known="owners",
        name=N_("New name, if it is renamed"),
    ),
    ActForm(
        "team",
        N_("A team"),
        N_("Name of the team"),
        N_("Change this team"),
        {
            "add to team": N_("add a member, who may act for it"),
            "remove from team": N_("remove a member"),
        },
        known="teams",
        name=N_("Name of the member"),
    ),
)


def organiser_page(
    reader: StorageReader,
    links: Links,
    token: str,
    problem: str = "",
    typed: Mapping[str, str] | None = None,
) -> str:
    """The page; after a problem, with what was typed."""
    rows = reader.leagues.all()
    states = reader.leagues.states()
    ended = (LeagueState.ARCHIVED, LeagueState.CLOSED)
    leagues = [row for row in rows if states[row.id] not in ended]
    entries = [(row.name, entry) for row in leagues for entry in reader.leagues.submissions(row.id)]
    count, seal = reader.moderation.last_seal()
    return draw(
        "organiser.html",
        links.frame(gettext("Organisers", links.lang)),
        links=links,
        token=token,
        problem=problem,
        typed=typed or {},
        forms=ACT_FORMS,
        known_as=_known_as,
        leagues=[row.name for row in leagues],
        known={
            "bots": sorted({_known_as(entry) for _, entry in entries}),
            "owners": sorted(owner.name for owner in reader.leagues.owners()),
            "teams": sorted(reader.teams.all()),
        },
        queue=[
            (name, entry)
            for name, entry in entries
            if entry.state == SubmissionState.RECEIVED and not entry.moderation
        ],
        asked=[each for each in reader.invitations.all() if each.state == InvitationState.ASKED],
        duplicates=[
            (row.name, same) for row in leagues for same in find_duplicates(reader, row.id)
        ],
        faulty=[each for row in leagues for each in _faulty(reader, row)],
        suspended=[pair for pair in entries if pair[1].state == SubmissionState.SUSPENDED],
        acts=reader.moderation.acts()[-LATEST:][::-1],
        describe=partial(translate_act, lang=links.lang),
        count=count,
        seal=seal,
        moment=format_time,
    )


def _known_as(entry: Submission) -> str:
    """What an organiser types to mean a bot."""
    return entry.label if entry.is_anonymous else f"{entry.owner}/{entry.name}"


def _faulty(reader: StorageReader, league: League) -> list[tuple[str, Submission, int, int]]:
    """Who plays and fails, how often, and in how many games; the worst first."""
    playing = {entry.entrant: entry for entry in reader.leagues.playing(league.id)}
    found = [
        (league.name, playing[entrant], each.failed, each.games)
        for entrant, each in reader.leagues.reliability(league.id).items()
        if each.failed and entrant in playing
    ]
    return sorted(found, key=lambda row: -row[2] / row[3])[:MAX_FAULTY]
