"""The type of what each command prints with `--json`, and its JSON Schema."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any, Final

import msgspec

from arena.schemas.architects_rules import ArchitectsRules
from arena.schemas.comparisons import ComparisonJson, SeriesJson, TuningJson
from arena.schemas.leagues import (
    ActJson,
    DuplicateJson,
    InvitationJson,
    LeagueFactsJson,
    LeagueJson,
    LeagueStandingJson,
    LiftJson,
    MachineJson,
    OwnerJson,
    PhaseJson,
    TokenJson,
    WebhookJson,
)
from arena.schemas.matches import (
    BotCheckJson,
    BotManifestJson,
    DebugJson,
    DoctorJson,
    LeafCountsJson,
    MatchCheckJson,
    MatchDiffJson,
    MatchExplanationJson,
    MatchJson,
    ReplayJson,
    ShownBotJson,
    StoredMatchJson,
)
from arena.schemas.rankings import (
    EffectJson,
    ExplanationJson,
    HeadToHeadJson,
    HistoryJson,
    LeaderboardJson,
    StatusJson,
    TournamentJson,
    VerifyJson,
)
from arena.schemas.seven_rules import SevenRules

OUTPUTS: Final[dict[str, Any]] = {
    "bot check": BotCheckJson,
    "bot list": list[BotManifestJson],
    "bot show": ShownBotJson,
    "cluster status": list[MachineJson],
    "compare": ComparisonJson,
    "doctor": DoctorJson,
    "ladder show": list[LeaderboardJson],
    "league acts": list[ActJson],
    "league collusion": list[LiftJson],
    "league duplicates": list[DuplicateJson],
    "league list": list[LeagueJson],
    "league show": LeagueFactsJson,
    "league simulate": list[PhaseJson],
    "league table": list[LeagueStandingJson],
    "league webhook list": list[WebhookJson],
    "match debug": DebugJson,
    "match diff": MatchDiffJson,
    "match explain": MatchExplanationJson,
    "match list": list[MatchJson],
    "match show": StoredMatchJson,
    "match verify": list[MatchCheckJson],
    "owner invitations": list[InvitationJson],
    "owner list": list[OwnerJson],
    "owner tokens": list[TokenJson],
    "perft": LeafCountsJson,
    "play": SeriesJson,
    "rank effects": list[EffectJson],
    "rank explain": list[ExplanationJson],
    "rank history": list[HistoryJson],
    "rank matrix": list[HeadToHeadJson],
    "rank show": list[LeaderboardJson],
    "replay": ReplayJson,
    "rules architects": ArchitectsRules,
    "rules seven": SevenRules,
    "tournament list": list[TournamentJson],
    "tournament run": list[LeaderboardJson],
    "tournament status": StatusJson,
    "tournament verify": VerifyJson,
    "tune": TuningJson,
}


def file_name(command: str) -> str:
    """The file beside this one that has the schema of a command's output."""
    return f"{command.replace(' ', '-')}.json"


def schema_text(command: str) -> str:
    """The JSON Schema of what a command prints."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"arena {command} --json",
        **msgspec.json.schema(OUTPUTS[command]),
    }
    for record in schema["$defs"].values():  # Python 3.13 took indentation out of docstrings
        if "description" in record:
            record["description"] = cleandoc(record["description"])
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"
