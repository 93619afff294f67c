"""Storage opened: one handle with its parts; who opens it for reading gets no writers."""

from pathlib import Path
from typing import Self

from leagues.accounts.accounts import AccountsReader, AccountsWriter
from leagues.accounts.identities import Identities
from leagues.accounts.invitations import InvitationsReader, InvitationsWriter
from leagues.accounts.site_state import SiteState, VersionsReader
from leagues.accounts.teams import TeamsReader, TeamsWriter
from leagues.moderation.moderate import ModerationReader, ModerationWriter
from leagues.moderation.seasons import SeasonsWriter
from leagues.storage.database import Database, open_for_reading, open_for_writing
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
        self.results = ResultsReader(database)
        self.ratings = RatingsReader(database)
        self.leagues = LeaguesReader(database)
        self.stages = StagesReader(database)
        self.leases = LeasesReader(database)
        self.moderation = ModerationReader(database)
        self.accounts = AccountsReader(database)
        self.invitations = InvitationsReader(database)
        self.teams = TeamsReader(database)
        self.versions = VersionsReader(database)

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


class Storage:
    """What writes, and the reader of the same database; to be closed, or used in a `with`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.reader = StorageReader(database)
        self.results = ResultsWriter(database)
        self.ratings = RatingsWriter(database)
        self.leagues = LeaguesWriter(database)
        self.stages = StagesWriter(database)
        self.leases = LeasesWriter(database)
        self.webhooks = Webhooks(database)
        self.moderation = ModerationWriter(database)
        self.seasons = SeasonsWriter(database)
        self.accounts = AccountsWriter(database)
        self.invitations = InvitationsWriter(database)
        self.teams = TeamsWriter(database)
        self.identities = Identities(database)
        self.site = SiteState(database)

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
