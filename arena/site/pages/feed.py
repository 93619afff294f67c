"""The Atom feed of a league: its news for feed readers."""

import time
from typing import Final
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element, SubElement, tostring

from arena.league.news import REASONED, public_news
from bots.protocol.sanitize import for_terminal
from leagues.records import League
from leagues.storage.handle import StorageReader

ATOM: Final = "http://www.w3.org/2005/Atom"
MAX_ITEMS: Final = 50
TAG_YEAR: Final = "2026"  # of the tag URIs that name the items


def atom_feed(reader: StorageReader, league: League, base: str) -> bytes:
    """The newest news; base is the absolute address of the site, without a slash at its end."""
    page = f"{base}/leagues/{league.name}"
    authority = urlsplit(base).hostname or "localhost"
    tag = f"tag:{authority},{TAG_YEAR}:{league.name}"
    items = public_news(reader, league, MAX_ITEMS)
    feed = Element("feed", xmlns=ATOM)
    SubElement(feed, "id").text = tag
    SubElement(feed, "title").text = league.name
    SubElement(feed, "updated").text = _moment(items[0].at if items else league.created)
    SubElement(SubElement(feed, "author"), "name").text = "Wonders Arena"
    SubElement(feed, "link", rel="self", href=f"{page}/feed.atom")
    SubElement(feed, "link", href=page)
    for item in items:
        entry = SubElement(feed, "entry")
        SubElement(entry, "id").text = f"{tag}/{item.id}"
        SubElement(entry, "title").text = for_terminal(item.title)
        SubElement(entry, "updated").text = _moment(item.at)
        link = page if item.entrant is None else f"{page}/bots/{item.entrant}"
        SubElement(entry, "link", href=link)
        if item.reason and (item.source == "league" or item.kind in REASONED):
            SubElement(entry, "summary").text = for_terminal(item.reason)
    document: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return document


def _moment(seconds: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
