"""A finished game in the address of its page: nothing is stored, and the link works for good."""

import base64
import binascii
import json
import re
import zlib
from typing import Any, Final

from arena.display.names import game_name
from arena.i18n import gettext
from arena.playing.human import ME
from arena.site.contests import MissingError
from arena.site.frames import build_frames
from arena.site.links import Links
from arena.site.pages.replay import render_replay, replay_page
from engine.catalog import find
from engine.errors import ArenaError
from engine.match import Fault, FaultKind, MatchResult, Variant
from engine.replay import final_state

MAX_TEXT: Final = 6000  # characters of an address
MAX_BYTES: Final = 40_000  # of the game in it
NAME: Final = re.compile(r"[\w./@:=#+-]{1,60}")


def encode_game(result: MatchResult) -> str:
    """The game as a word that fits into an address."""
    spec = result.spec
    variant = spec.setup.variant
    facts = [
        *(variant.game, variant.edition, list(variant.expansions), variant.expert),
        *(list(spec.setup.wonders), spec.seed, list(spec.bots)),
        *(result.decisions, [[fault.seat, fault.decision] for fault in result.faults]),
    ]
    packed = zlib.compress(json.dumps(facts, separators=(",", ":")).encode(), 9)
    return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()


def decode_game(word: str) -> MatchResult:
    """The game of an address; MissingError if it holds none."""
    try:
        return _decode(word)
    except (ArenaError, ValueError, TypeError, LookupError, binascii.Error, zlib.error):
        raise MissingError("expected a game in the address, got none: is the link whole?") from None


def _decode(word: str) -> MatchResult:
    if len(word) > MAX_TEXT:
        raise ValueError
    packed = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(packed, MAX_BYTES)
    if not unpacking.eof or unpacking.unused_data:
        raise ValueError
    facts: list[Any] = json.loads(text)
    game, edition, expansions, expert, wonders, seed, bots, decisions, faults = facts
    if not all(NAME.fullmatch(bot) for bot in bots):
        raise ValueError
    rules = find(game)
    variant = Variant(game, edition, tuple(expansions), bool(expert))
    setup = rules.setup(len(bots), int(seed), tuple(wonders), variant)
    spec = rules.spec(setup, int(seed), tuple(bots))
    failed = tuple(Fault(int(s), FaultKind.RESIGNED, "", int(at)) for s, at in faults)
    result = MatchResult(spec, [int(each) for each in decisions], [], [], failed)
    end = final_state(result)
    return MatchResult(spec, result.decisions, end.scores(), end.ranks(), failed)


def shared_game_page(
    word: str, links: Links, step: int | None = None, seat: int | None = None
) -> str:
    """The replay of a game that is in the address."""
    result = decode_game(word)
    lang = links.lang
    names = tuple(gettext("a visitor", lang) if bot == ME else bot for bot in result.spec.bots)
    title = f"{game_name(result.spec.game)} · {', '.join(names)}"
    rendered = render_replay(build_frames(result, lang, seat, names))
    return replay_page(rendered, links.frame(title), step)
