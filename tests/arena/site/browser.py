"""A real browser, and a server that answers for one match as the site does."""

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from typing import Any, Final, Literal
from urllib.parse import parse_qs, urlsplit

import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Browser, Page, sync_playwright

from arena.i18n import LANGUAGES
from arena.site.links import Links, address
from arena.site.pages.replay import RenderedReplay, replay_page
from arena.site.pages.rules import rules_page
from arena.site.templating import ASSETS
from tests.arena.site.sample_replays import ROWS, frame, reel_of
from tests.support.command import ROOT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
# As strict as a site can be: no inline style or script would pass.
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


DESK: Any = {"width": 1280, "height": 800}
PHONE: Any = {"width": 390, "height": 844}
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")


class Visit:
    """A page with a note of everything that went wrong on it."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        # Nothing plays by itself where motion is not wanted.
        wanted = {"viewport": DESK, "reduced_motion": "reduce", **options}
        self.context = browser.new_context(**wanted)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)  # as a busy machine needs
        self.trouble: list[str] = []
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("console", lambda line: self.trouble.append(line.text))
        self.page.on("dialog", lambda dialog: self.trouble.append(dialog.message))


def take_picture(page: Page, name: str, lang: str, scheme: str, screen: str) -> None:
    """Keep how a page looks, for people to look at."""
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    for embedded in page.frames[1:]:
        embedded.wait_for_load_state()  # which may be later than the page's own
    page.screenshot(path=folder / f"site-{name}-{screen}-{scheme}-{lang}.png", full_page=True)


def take_every_picture(page: Page, name: str) -> None:
    """Keep how the page at this address looks on both screens, in both lights and languages."""
    bare = page.url.partition("?")[0]
    screens = (("desk", DESK), ("phone", PHONE))
    for (screen, size), scheme, lang in product(screens, SCHEMES, LANGUAGES):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{bare}?lang={lang}")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
        take_picture(page, name, lang, scheme, screen)


def rendered(at: int, lang: str, seat: int | None) -> RenderedReplay:
    return reel_of(ROWS[at], lang=lang, seat=seat)


class Answer(BaseHTTPRequestHandler):
    """`/0?step=3` is step 3 of the match of row 0, `/rules/seven` what is in that box."""

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.path.startswith("/static/"):
            asset = ASSETS / url.path.removeprefix("/static/")
            self.reply(TYPES[asset.suffix], asset.read_bytes())
        elif url.path.startswith("/rules/"):
            game = url.path.removeprefix("/rules/")
            page = rules_page(game, Links(address(("rules", game))))
            self.reply("text/html; charset=utf-8", page.encode())
        else:
            query = {key: values[0] for key, values in parse_qs(url.query).items()}
            lang = query.get("lang", "en")
            seat = int(query["seat"]) if "seat" in query else None
            shown = rendered(int(url.path[1:]), lang, seat)
            step = int(query["step"]) if "step" in query else None
            page = replay_page(shown, frame(lang), step)
            self.reply("text/html; charset=utf-8", page.encode())

    def reply(self, kind: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@contextmanager
def serving() -> Iterator[str]:
    """The address of the server, while it answers."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def serving_site(app: FastAPI) -> Iterator[str]:
    """The address of the whole site, while it answers."""
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, args=([sock],))
    thread.start()
    try:
        yield f"http://127.0.0.1:{sock.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        sock.close()
