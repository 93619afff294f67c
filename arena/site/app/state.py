"""The state of the served site: what it works with, and whom it knows."""

from dataclasses import dataclass, field
from typing import Annotated, Final

from fastapi import Depends, Request

from arena.site.app.cookies import OWNER
from arena.site.app.middleware import too_many
from arena.site.contests import Contests
from arena.site.csrf import CsrfTokens
from arena.site.live_games import LiveGames
from arena.site.rate_limit import RateLimiter
from leagues.storage.handle import Storage

UPLOADS: Final = 10  # a minute, of one owner


@dataclass
class AppState:
    """What the site works with."""

    storage: Storage
    contests: Contests
    csrf: CsrfTokens = field(default_factory=CsrfTokens)
    live_games: LiveGames = field(default_factory=LiveGames)
    uploads: RateLimiter = field(default_factory=lambda: RateLimiter(UPLOADS, 60.0))

    def owner(self, token: str) -> str | None:
        """Whose token this is."""
        return self.contests.reader.leagues.owner_of(token) if token else None

    def visitor_owner(self, request: Request) -> str | None:
        """The owner a visitor came in as."""
        return self.owner(request.cookies.get(OWNER, ""))

    def count_upload(self, owner: str) -> None:
        """Let an owner upload, but not all the time."""
        if (wait := self.uploads.wait(owner)) > 0:
            raise too_many(wait)


def get_app_state(request: Request) -> AppState:
    """The state of the site that was asked."""
    state: AppState = request.app.state.state
    return state


AppStateDep = Annotated[AppState, Depends(get_app_state)]
