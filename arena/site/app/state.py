"""The desk of the served site: what it works with, and whom it knows."""

from dataclasses import dataclass, field
from typing import Annotated, Final

from fastapi import Depends, Request

from arena.site.app.cookies import OWNER
from arena.site.app.middleware import too_many
from arena.site.contests import Contests
from arena.site.live_games import LiveGames
from arena.site.security import CsrfToken, RateLimiter
from leagues.storage.handle import Storage

UPLOADS: Final = 10  # a minute, of one owner


@dataclass
class AppState:
    """What the site works with."""

    storage: Storage
    archive: Contests
    seal: CsrfToken = field(default_factory=CsrfToken)
    parlour: LiveGames = field(default_factory=LiveGames)
    uploads: RateLimiter = field(default_factory=lambda: RateLimiter(UPLOADS, 60.0))

    def owner(self, token: str) -> str | None:
        """Whose token this is."""
        return self.archive.reader.leagues.owner_of(token) if token else None

    def visitor_owner(self, request: Request) -> str | None:
        """The owner a visitor came in as."""
        return self.owner(request.cookies.get(OWNER, ""))

    def count_upload(self, owner: str) -> None:
        """Let an owner upload, but not all the time."""
        if (wait := self.uploads.wait(owner)) > 0:
            raise too_many(wait)


def desk_of(request: Request) -> AppState:
    """The desk of the site that was asked."""
    desk: AppState = request.app.state.desk
    return desk


AppStateDep = Annotated[AppState, Depends(desk_of)]
