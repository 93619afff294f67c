"""What organisers did, as the database has it in a few words, in the reader's language."""

from typing import Final

from arena.display.names import state_name
from arena.i18n import N_, gettext
from arena.league.organiser.moderation import brief_fact
from leagues.records import Act, ActKind

ACTS: Final = {
    ActKind.STATE: N_("state of {subject}: {state}"),
    ActKind.EXCLUDE: N_("excluded: {subject}"),
    ActKind.RESTORE: N_("counted again: {subject}"),
    ActKind.BAN: N_("banned: {subject}"),
    ActKind.UNBAN: N_("ban lifted: {subject}"),
    ActKind.RENAME: N_("renamed: {subject}"),
    ActKind.HIDE: N_("hidden: {subject}"),
    ActKind.UNHIDE: N_("shown again: {subject}"),
    ActKind.ERASE: N_("erased: {subject}"),
    ActKind.EDIT: N_("edited: {subject} ({changes})"),
    ActKind.FINAL: N_("final of {subject}: {games} games"),
    ActKind.ROLE: N_("organiser: {subject}"),
    ActKind.MEMBER: N_("{member} joins the team {subject}"),
    ActKind.ADMIT: N_("accepted: {subject}"),
    ActKind.REFUSE: N_("refused: {subject}"),
    ActKind.SEASON: N_("{subject}: season {season}, after {previous}"),
}
NO_ORGANISER: Final = N_("no longer an organiser: {subject}")
NO_MEMBER: Final = N_("{member} leaves the team {subject}")
# What the subject of an act is, where it has a number and no name.
NUMBERED: Final = (N_("match"), N_("invitation"))
# What is edited of a league.
EDITED: Final = {
    "title": N_("title {text}"),
    "text": N_("text {text}"),
    "contact": N_("contact {text}"),
    "opens": N_("opens {text}"),
    "closes": N_("closes {text}"),
    "rules": N_("rules {text}"),
}


def translate_act(act: Act, lang: str) -> str:
    """What was done, in a few words."""
    facts = {"member": "", "games": "", "season": "", "previous": "", **act.facts}
    message = ACTS[act.kind]
    if act.kind is ActKind.ROLE and not facts.get("role"):
        message = NO_ORGANISER
    if act.kind is ActKind.MEMBER and not facts.get("is_member"):
        message = NO_MEMBER
    shown = {key: facts[key] for key in ("member", "games", "season", "previous")}
    shown |= {
        "subject": _subject(act.subject, lang),
        "state": state_name(str(facts["state"]), lang) if "state" in facts else "",
        "changes": _changes(facts, lang),
    }
    return gettext(message, lang, **shown)


def _subject(subject: str, lang: str) -> str:
    """Its name, or what it is and its number."""
    kind, _, number = subject.partition(" ")
    return f"{gettext(kind, lang)} {number}" if kind in NUMBERED and number else subject


def _changes(facts: dict[str, object], lang: str) -> str:
    """What is new about a league; of the rules those that changed."""
    shown = facts | ({"rules": facts["changed"]} if "changed" in facts else {})
    return ", ".join(
        gettext(message, lang, text=brief_fact(shown[key]))
        for key, message in EDITED.items()
        if key in shown
    )
