"""The plugin manager of a bot's own process: the house's bots, or exactly one stranger's."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from types import FunctionType, ModuleType
from typing import Final, cast

from pluggy import PluginManager

from bots.api import Bot, Decider, Decision, Maker, Option
from bots.discovery import hookspecs
from bots.discovery.compiled_sources import CompiledLoader, hook_folder, use_compiled
from bots.discovery.manifest import Manifest
from bots.discovery.spec import BotError

_prepared: Final[dict[str, ModuleType]] = {}


class Function(Bot):
    """A plain function as a bot."""

    def __init__(self, function: Decider) -> None:
        self.function = function

    def decide(self, decision: Decision) -> Option | str:
        return self.function(decision)


def find_maker(manifest: Manifest, compiled: bytes = b"") -> Maker:
    """Import the bot's code and learn how to make the bot. Runs in the bot's own process.

    What its sources were compiled to, if they were, is read here and nowhere else.
    """
    if compiled:
        use_compiled(compiled)
    if manifest.folder:
        hook_folder(manifest.folder)
        sys.path.insert(0, manifest.folder)
    module, _, attribute = manifest.entry.partition(":")
    plugin = _import(module, manifest.folder)
    return _of(getattr(plugin, attribute)) if attribute else _maker(plugin, manifest.name)


def make_bot(name: str, make: Maker, params: dict[str, str]) -> Bot:
    """A bot with these parameters, converted to their types; BotError if it does not take them."""
    if not params:  # every match makes one, and a signature takes milliseconds the first time
        return make()
    from bots.discovery.parameters import convert_parameters  # which most bots do without

    return make(**convert_parameters(name, make, params))


def _of(thing: object) -> Maker:
    """A class makes its bot; a function is one."""
    if isinstance(thing, type):
        return cast(Maker, thing)
    function = cast(Decider, thing)
    return lambda: Function(function)


def _import(module: str, folder: str) -> ModuleType:
    if not module.endswith(".py"):
        return importlib.import_module(module)
    file = f"{folder}/{module}"  # quicker, in every worker, than what knows all paths
    loaded = _prepared.pop(file, None) or _empty_module(file)
    sys.modules[loaded.__name__] = loaded
    assert isinstance(loaded.__loader__, CompiledLoader)
    code = loaded.__loader__.get_code(loaded.__name__)
    assert code is not None
    exec(code, vars(loaded))
    return loaded


def prepare_module(file: str) -> None:
    """Have ready what a bot's file will be loaded into, in this process or one forked from it."""
    _prepared[file] = _empty_module(file)


def _empty_module(file: str) -> ModuleType:
    # A file may be called random.py and still import random.
    name = f"bot {os.path.basename(file).removesuffix('.py')}"
    loader = CompiledLoader(name, file)
    spec = importlib.util.spec_from_file_location(name, file, loader=loader)
    assert spec is not None
    return importlib.util.module_from_spec(spec)


def _maker(plugin: ModuleType, name: str) -> Maker:
    """How to make the bot: as registered; else the module's `decide`, or its one class with it."""
    if hasattr(plugin, "register_bots"):
        return _registered(plugin, name)
    if isinstance(decide := getattr(plugin, "decide", None), FunctionType):
        return _of(decide)
    classes = [
        item
        for item in vars(plugin).values()
        if isinstance(item, type) and item.__module__ == plugin.__name__ and hasattr(item, "decide")
    ]
    if len(classes) != 1:
        found = f"the classes {', '.join(each.__name__ for each in classes)}" if classes else "none"
        raise BotError(
            "expected register_bots, a function decide, or one class with a method decide in "
            f"{_name(plugin)}, got {found}"
        )
    return _of(classes[0])


def _name(plugin: ModuleType) -> str:
    """What its author calls it: a file by itself by the file's name."""
    return os.path.basename(plugin.__file__ or "") if " " in plugin.__name__ else plugin.__name__


def _registered(plugin: ModuleType, name: str) -> Maker:
    manager = PluginManager("arena")
    manager.add_hookspecs(hookspecs)
    manager.register(plugin)
    manager.check_pending()
    makers: dict[str, Maker] = {}
    manager.hook.register_bots(register=makers.__setitem__)
    if name in makers:
        return makers[name]
    if len(makers) == 1:
        return next(iter(makers.values()))
    raise BotError(
        f"expected {_name(plugin)} to register {name}, got {', '.join(makers) or 'none'}"
    )
