"""The state of the served site: what it works with, and whom it knows."""

import threading
from dataclasses import dataclass, field
from typing import Annotated, Final

from fastapi import Depends, Request

from arena.site.app.cookies import SESSION
from arena.site.app.middleware import too_many
from arena.site.contests import Contests
from arena.site.csrf import CsrfTokens
from arena.site.league_opponents import LeagueOpponents
from arena.site.live_games import LiveGames
from arena.site.monitoring.access_log import RequestCounter
from arena.site.pages.events import Listeners
from arena.site.rate_limit import RateLimiter, SiteLimits
from leagues.storage.handle import Storage

SIGN_UPS: Final = 20  # requests to come in, of one address in an hour


@dataclass
class AppState:
    """What the site works with."""

    storage: Storage
    contests: Contests
    csrf: CsrfTokens = field(default_factory=CsrfTokens)
    requests: RequestCounter = field(default_factory=RequestCounter)
    limits: SiteLimits = field(default_factory=SiteLimits)
    open_sign_up: bool = False  # whether anybody may ask to come in

    def __post_init__(self) -> None:
        self.sign_ups = RateLimiter(SIGN_UPS, 3600.0)
        self.uploads = RateLimiter(self.limits.uploads, 60.0)
        self.live_games = LiveGames(self.limits.all_tables, self.limits.tables)
        self.listeners = Listeners()
        self.hint_lock = threading.Lock()  # one at a time: it computes
        self.league_bots = LeagueOpponents(self.contests)

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

    def count_upload(self, owner: str) -> None:
        """Let an owner upload, but not all the time."""
        if (wait := self.uploads.wait(owner)) > 0:
            raise too_many(wait)


def get_app_state(request: Request) -> AppState:
    """The state of the site that was asked."""
    state: AppState = request.app.state.state
    return state


AppStateDep = Annotated[AppState, Depends(get_app_state)]
