from engine.architects.state import Position
from engine.scene import Scene, Sheet


def components(lang: str) -> list[Sheet]:
    return []


def scene(p: Position, lang: str) -> Scene:
    return Scene("", [])


def tell(action: int, lang: str) -> str:
    return ""


def notices(wonders: tuple[str, ...], lang: str) -> list[str]:
    return []
