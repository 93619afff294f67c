"""The state of the served site: what it works with, and whom it knows."""

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import Depends, Request

from arena.site.app.cookies import SESSION
from arena.site.app.middleware import too_many
from arena.site.contests import Contests
from arena.site.league_opponents import LeagueOpponents
from arena.site.live_games import LiveGames
from arena.site.monitoring.access_log import RequestCounter
from arena.site.pages.events import Listeners
from arena.site.security.csrf import CsrfTokens
from arena.site.security.rate_limit import Limiters, SiteLimits
from arena.site.stored_games import StoredGames
from arena.site.under_way import MatchesUnderWay
from leagues.errors import RefusedError
from leagues.storage.handle import Storage

if TYPE_CHECKING:
    from arena.site.security.oidc import OidcProvider

FORMS: Final = "forms"  # names of the keys that forms and log-ins are signed with
LOGINS: Final = "logins"


@dataclass
class AppState:
    """What the site works with."""

    storage: Storage
    contests: Contests
    requests: RequestCounter = field(default_factory=RequestCounter)
    limits: SiteLimits = field(default_factory=SiteLimits)
    open_sign_up: bool = False  # whether anybody may ask to come in
    oidc: "OidcProvider | None" = None  # whom visitors may log in with

    def __post_init__(self) -> None:
        self.login_key = self.storage.site.key(LOGINS)
        self.csrf = CsrfTokens(self.storage.site.key(FORMS))
        self.limiters = Limiters(self.limits, self.storage.site)
        self.live_games = LiveGames(
            self.limits.all_tables, self.limits.tables, stored=StoredGames(self.storage.site)
        )
        self.listeners = Listeners()
        self.hint_lock = threading.Lock()  # one at a time: it computes
        self.league_bots = LeagueOpponents(self.contests)
        self.under_way = MatchesUnderWay(self.contests)

    def owner(self, token: str) -> str | None:
        """Whose token this is."""
        return self.contests.reader.accounts.owner_of_token(token) if token else None

    def is_organiser(self, owner: str | None) -> bool:
        """Whether an owner may do what organisers do."""
        return owner is not None and owner in self.contests.reader.accounts.organisers()

    def visitor_owner(self, request: Request) -> str | None:
        """The owner a visitor came in as."""
        cookie = request.cookies.get(SESSION, "")
        return self.contests.reader.accounts.owner_of_session(cookie) if cookie else None

    def visitor_owners(self, request: Request) -> list[str]:
        """Those a visitor may act for: the owner they came in as, and its teams."""
        owner = self.visitor_owner(request)
        return [] if owner is None else [owner, *self.contests.reader.teams.of(owner)]

    def acting_for(self, owner: str, name: str) -> str:
        """The owner or the team of this name, if somebody may act for it."""
        if name and name != owner and name not in self.contests.reader.teams.of(owner):
            raise RefusedError("expected you or a team of yours, got {name}", name=name)
        return name or owner

    def count_upload(self, owner: str) -> None:
        """Let an owner upload, but not all the time."""
        if (wait := self.limiters.uploads.wait(owner)) > 0:
            raise too_many(wait)


def get_app_state(request: Request) -> AppState:
    """The state of the site that was asked."""
    state: AppState = request.app.state.state
    return state


AppStateDep = Annotated[AppState, Depends(get_app_state)]
