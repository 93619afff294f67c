"""Why a bot was rejected or suspended, as the database has it in English, in the reader's language.

The database keeps the sentence alone, so its fields are found by the message that made it.
"""

import re

from arena.display.names import FAULTS, fault_name
from arena.i18n import N_, gettext
from arena.league.admission import MACHINE_FAILED, STEP_FAILED
from arena.league.suspension import TOO_MANY_FAULTS
from arena.playing.conformance import FAULT_IN_GAME, TOO_MUCH_MEMORY
from arena.playing.entrants import OTHER_GAME

# What steps of a check were called before; sentences with these names are stored.
FORMER_STEPS = (
    N_("describes itself"),
    N_("loads and answers the greeting"),
    N_("survives whole games at every number of players"),
    N_("answers every kind of question"),
    N_("keeps time"),
    N_("decides the same again under the same seed"),
    N_("stays small"),
)
FAULT = re.compile(rf"\b({'|'.join(FAULTS)})\b")


def parse_fields(message: str, text: str) -> dict[str, str] | None:
    """The fields with which the message makes this text; none if it cannot."""
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*?)", re.escape(message))
    found = re.fullmatch(pattern, text, re.DOTALL)
    return None if found is None else found.groupdict()


def translate_reason(text: str, lang: str) -> str:
    """The reason in that language; what a bot itself said stays as it is."""
    if lang == "en":
        return text
    if fields := parse_fields(STEP_FAILED, text):
        step = gettext(fields["step"], lang)
        reason = _translate_step(fields["reason"], lang)
        return gettext(STEP_FAILED, lang, **{**fields, "step": step, "reason": reason})
    if fields := parse_fields(TOO_MANY_FAULTS, text):
        faults = FAULT.sub(lambda found: fault_name(found[1], lang), fields["faults"])
        return gettext(TOO_MANY_FAULTS, lang, **{**fields, "faults": faults})
    for message in (OTHER_GAME, MACHINE_FAILED):
        if fields := parse_fields(message, text):
            return gettext(message, lang, **fields)
    return text


def _translate_step(text: str, lang: str) -> str:
    """Why a step of the check failed, in that language."""
    fields = parse_fields(FAULT_IN_GAME, text)
    if fields and fields["kind"] in FAULTS:
        kind = fault_name(fields["kind"], lang)
        return gettext(FAULT_IN_GAME, lang, **{**fields, "kind": kind})
    if fields := parse_fields(TOO_MUCH_MEMORY, text):
        return gettext(TOO_MUCH_MEMORY, lang, **fields)
    return text
