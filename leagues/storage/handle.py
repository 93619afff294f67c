"""Storage opened: one handle with its parts; who opens it for reading gets no writers.

A part is loaded when it is asked for: most commands need few, and all of them take a while.
"""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from leagues.storage.database import Database, open_for_reading, open_for_writing

if TYPE_CHECKING:
    from leagues.accounts.accounts import AccountsReader, AccountsWriter
    from leagues.accounts.identities import Identities
    from leagues.accounts.invitations import InvitationsReader, InvitationsWriter
    from leagues.accounts.site_state import SiteState, VersionsReader
    from leagues.accounts.teams import TeamsReader, TeamsWriter
    from leagues.moderation.moderate import ModerationReader, ModerationWriter
    from leagues.moderation.seasons import SeasonsWriter
    from leagues.running_matches import RunningMatchesReader, RunningMatchesWriter
    from leagues.storage.derived.ratings import RatingsReader, RatingsWriter
    from leagues.storage.leagues import LeaguesReader, LeaguesWriter
    from leagues.storage.leases import LeasesReader, LeasesWriter
    from leagues.storage.queries import ResultsReader
    from leagues.storage.results import ResultsWriter
    from leagues.storage.stages import StagesReader, StagesWriter
    from leagues.webhooks import Webhooks


def open_storage(place: str | Path, create: bool = True) -> "Storage":
    """Storage in a file or at a URL of SQLAlchemy, its schema brought up to date."""
    return Storage(open_for_writing(place, create))


def read_storage(place: str | Path) -> "StorageReader":
    """Storage in a file or at a URL as it is, for those who write nothing."""
    return StorageReader(open_for_reading(place))


class StorageReader:
    """What reads: results, leagues, their stages, and leases; to be closed, or used in a `with`."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    @cached_property
    def results(self) -> "ResultsReader":
        from leagues.storage.queries import ResultsReader

        return ResultsReader(self.database)

    @cached_property
    def ratings(self) -> "RatingsReader":
        from leagues.storage.derived.ratings import RatingsReader

        return RatingsReader(self.database)

    @cached_property
    def leagues(self) -> "LeaguesReader":
        from leagues.storage.leagues import LeaguesReader

        return LeaguesReader(self.database)

    @cached_property
    def stages(self) -> "StagesReader":
        from leagues.storage.stages import StagesReader

        return StagesReader(self.database)

    @cached_property
    def leases(self) -> "LeasesReader":
        from leagues.storage.leases import LeasesReader

        return LeasesReader(self.database)

    @cached_property
    def running(self) -> "RunningMatchesReader":
        from leagues.running_matches import RunningMatchesReader

        return RunningMatchesReader(self.database)

    @cached_property
    def moderation(self) -> "ModerationReader":
        from leagues.moderation.moderate import ModerationReader

        return ModerationReader(self.database)

    @cached_property
    def accounts(self) -> "AccountsReader":
        from leagues.accounts.accounts import AccountsReader

        return AccountsReader(self.database)

    @cached_property
    def invitations(self) -> "InvitationsReader":
        from leagues.accounts.invitations import InvitationsReader

        return InvitationsReader(self.database)

    @cached_property
    def teams(self) -> "TeamsReader":
        from leagues.accounts.teams import TeamsReader

        return TeamsReader(self.database)

    @cached_property
    def versions(self) -> "VersionsReader":
        from leagues.accounts.site_state import VersionsReader

        return VersionsReader(self.database)


class Storage:
    """What writes, and the reader of the same database; to be closed, or used in a `with`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.reader = StorageReader(database)

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    @cached_property
    def results(self) -> "ResultsWriter":
        from leagues.storage.results import ResultsWriter

        return ResultsWriter(self.database)

    @cached_property
    def ratings(self) -> "RatingsWriter":
        from leagues.storage.derived.ratings import RatingsWriter

        return RatingsWriter(self.database)

    @cached_property
    def leagues(self) -> "LeaguesWriter":
        from leagues.storage.leagues import LeaguesWriter

        return LeaguesWriter(self.database)

    @cached_property
    def stages(self) -> "StagesWriter":
        from leagues.storage.stages import StagesWriter

        return StagesWriter(self.database)

    @cached_property
    def leases(self) -> "LeasesWriter":
        from leagues.storage.leases import LeasesWriter

        return LeasesWriter(self.database)

    @cached_property
    def running(self) -> "RunningMatchesWriter":
        from leagues.running_matches import RunningMatchesWriter

        return RunningMatchesWriter(self.database)

    @cached_property
    def webhooks(self) -> "Webhooks":
        from leagues.webhooks import Webhooks

        return Webhooks(self.database)

    @cached_property
    def moderation(self) -> "ModerationWriter":
        from leagues.moderation.moderate import ModerationWriter

        return ModerationWriter(self.database)

    @cached_property
    def seasons(self) -> "SeasonsWriter":
        from leagues.moderation.seasons import SeasonsWriter

        return SeasonsWriter(self.database)

    @cached_property
    def accounts(self) -> "AccountsWriter":
        from leagues.accounts.accounts import AccountsWriter

        return AccountsWriter(self.database)

    @cached_property
    def invitations(self) -> "InvitationsWriter":
        from leagues.accounts.invitations import InvitationsWriter

        return InvitationsWriter(self.database)

    @cached_property
    def teams(self) -> "TeamsWriter":
        from leagues.accounts.teams import TeamsWriter

        return TeamsWriter(self.database)

    @cached_property
    def identities(self) -> "Identities":
        from leagues.accounts.identities import Identities

        return Identities(self.database)

    @cached_property
    def site(self) -> "SiteState":
        from leagues.accounts.site_state import SiteState

        return SiteState(self.database)
