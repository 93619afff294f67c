"""The ids of all components, in the order of their rows."""

from typing import Final

from engine.architects.components.cards import KINDS
from engine.architects.components.medals import MEDALS
from engine.architects.components.tokens import TOKENS
from engine.architects.components.wonders import WONDERS

KIND_IDS: Final = tuple(kind.id for kind in KINDS)
WONDER_IDS: Final = tuple(wonder.id for wonder in WONDERS)
TOKEN_IDS: Final = tuple(token.id for token in TOKENS)
MEDAL_IDS: Final = tuple(medal.id for medal in MEDALS)
