"""The parameters of a bot's spec, converted to the types its maker annotates them with."""

from __future__ import annotations

import inspect
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

from bots.api import Maker
from bots.discovery.spec import BotError

SCALARS: Final = (int, float, bool, str, NoneType)
NAMES: Final = {"int": "a whole number", "float": "a number", "bool": "true or false"}


def convert_parameters(name: str, make: Maker, params: dict[str, str]) -> dict[str, object]:
    """Arguments for `make`; BotError if it does not take one, or not as its annotated type.

    What has no annotation, or that of a type of the bot's own, stays text.
    """
    try:
        known = _signature(make).parameters
    except (TypeError, ValueError):  # a class that does not tell
        return dict(params)
    takes_all = any(each.kind is each.VAR_KEYWORD for each in known.values())
    converted: dict[str, object] = {}
    for key, text in params.items():
        if key in known:
            converted[key] = _convert(name, key, text, known[key].annotation)
        elif takes_all:
            converted[key] = text
        else:
            raise BotError(f"expected {', '.join(known) or 'no parameters'} for {name}, got {key}")
    return converted


def _signature(make: Maker) -> inspect.Signature:
    try:
        return inspect.signature(make, eval_str=True)
    except NameError:  # an annotation that only a type checker can resolve
        return inspect.signature(make)


def _convert(name: str, key: str, text: str, annotation: Any) -> object:
    if annotation is str or not _is_convertible(annotation):
        return text
    try:
        return msgspec.convert(text, annotation, strict=False)
    except msgspec.ValidationError:
        wanted = annotation.__name__ if inspect.isclass(annotation) else str(annotation)
        wanted = wanted.removeprefix("typing.")
        raise BotError(
            f"expected {key} as {NAMES.get(wanted, wanted)} for {name}, got {text!r}"
        ) from None


def _is_convertible(annotation: Any) -> bool:
    """Whether it is a scalar, an enumeration, a literal, or a union of such."""
    if get_origin(annotation) in (Union, UnionType):
        return all(map(_is_convertible, get_args(annotation)))
    if get_origin(annotation) is Annotated:
        return _is_convertible(get_args(annotation)[0])
    if inspect.isclass(annotation) and issubclass(annotation, Enum):
        return True
    return get_origin(annotation) is Literal or annotation in SCALARS
