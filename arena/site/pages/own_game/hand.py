"""What a visitor is asked at a table: the options by card, what hinders others, and a hint."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from arena.display import display_of
from arena.display.names import score_names
from arena.display.scene import MoveFace, Piece
from arena.i18n import N_, gettext, ngettext
from arena.site.formatting import largest_gaps
from arena.site.pages.own_game.preview import Foreseen, Preview
from bots.api import Decision
from bots.house.hint import STRONGEST, Hint, ImaginedEnds

# How much worse an option is than the best, in hundredths at most, in words.
GRADES: Final = (
    (1, N_("as good")),
    (4, N_("a little worse")),
    (10, N_("worse")),
    (100, N_("much worse")),
)
WOULD: Final = N_("{bot}, the strongest house bot, would: {move}.")
AHEAD: Final = N_(
    "Then you win {wins} of {games} imagined games, {points} ahead of the best rival on average."
)
BEHIND: Final = N_(
    "Then you win {wins} of {games} imagined games, {points} behind the best rival on average."
)
LOST: Final = N_(
    "But this game is as good as lost: you win none of {games} imagined games, and are {points} "
    "behind the best rival on average. So the options are not compared."
)
THIN: Final = N_("There was no time to imagine enough games, so the options are not compared.")
SECOND: Final = N_("Next best: {move}.")
DIFFERENCE: Final = N_("Your points with the first, compared with that: {categories}.")


@dataclass(frozen=True)
class HandOption:
    """An option by its number, as it is drawn, with what it does and what a hint says of it."""

    at: int
    face: MoveFace
    foreseen: tuple[Foreseen, ...] = ()
    best: bool = False  # by the hint
    gap: float = 0.0  # by the hint, how much worse it is than the best
    grade: str = ""  # the same in words


@dataclass(frozen=True)
class OptionGroup:
    """A card of the hand with all that can be done with it; or what is done without a card."""

    card: Piece | None
    options: tuple[HandOption, ...]
    chosen: bool = False
    stands: bool = False  # in the city already, so that it cannot be built again
    obstacle: str = ""  # why the card cannot be built
    no_stage: str = ""  # why no stage can be built with it

    @property
    def best(self) -> HandOption | None:
        """The option a hint is for, if it is one of these."""
        return next((option for option in self.options if option.best), None)

    @property
    def shown(self) -> HandOption:
        """The option whose grade stands for the card."""
        return min(self.options, key=lambda option: option.gap)


def option_groups(
    decision: Decision,
    lang: str,
    chosen: int | None = None,
    hint: Hint | None = None,
    preview: Preview | None = None,
) -> list[OptionGroup]:
    """The options by card, in the order of the hand; those without a card come last."""
    display = display_of(decision.game.id)
    by_card = decision.game.id == "seven"
    found: dict[object, list[HandOption]] = {}
    for at, option in enumerate(decision.options):
        face = display.move_face(option.action, lang, decision.view, decision.seat)
        key = face.card.key if by_card and face.card else f"option {at}"
        foreseen = () if preview is None else tuple(preview.foresee(option.action))
        found.setdefault(key, []).append(_hinted(HandOption(at, face, foreseen), hint, lang))
    own = display.scene(decision.view, lang).panels[1 + decision.seat]
    lines = {line.id: line.pieces for line in own.lines}
    held = [piece.key for piece in lines.get("hand", ())]
    built = {piece.text for piece in lines.get("cards", ())} if by_card else set()
    hindered = display.obstacles(decision.view, decision.seat, lang)
    groups = []
    for options in found.values():
        verbs = list(dict.fromkeys(option.face.verb for option in options))
        options.sort(key=lambda option: (verbs.index(option.face.verb), option.face.paid))
        group = _group(tuple(options), held, built, hindered)
        places = [option.at for option in options]
        is_chosen = any(decision.options[at].action == chosen for at in places)
        groups.append(replace(group, chosen=is_chosen))
    return sorted(groups, key=lambda group: group.card is None)


def _hinted(option: HandOption, hint: Hint | None, lang: str) -> HandOption:
    """The option with what a hint says of it."""
    if hint is None:
        return option
    if hint.is_lost or hint.is_thin:
        return replace(option, best=option.at == hint.best)
    if option.at == hint.best:
        return replace(option, best=True, gap=-1.0)
    # What was hardly tried may look good by chance: none is better than the next best.
    next_best = option.at if hint.second is None else hint.second
    outlook = min(hint.outlooks[option.at], hint.outlooks[next_best])
    gap = 100 * (hint.outlooks[hint.best] - outlook)
    grade = next(words for most, words in GRADES if gap <= most)
    return replace(option, gap=gap, grade=gettext(grade, lang))


def _group(
    options: tuple[HandOption, ...],
    held: list[str],
    built: set[str],
    hindered: Mapping[str, str],
) -> OptionGroup:
    card = options[0].face.card
    if card is None:
        return OptionGroup(card, options)
    if held.count(card.key) > 1:
        card = replace(card, count=held.count(card.key))
    verbs = [option.face.verb for option in options]
    stands = card.text in built
    if "sell" not in verbs:  # no turn, with all one can do in one
        return OptionGroup(card, options, stands=stands)
    obstacle = hindered.get(card.key, "") if verbs[0] in ("sell", "stage") else ""
    no_stage = "" if "stage" in verbs else hindered.get("", "")
    return OptionGroup(card, options, stands=stands, obstacle=obstacle, no_stage=no_stage)


def tell_hint(decision: Decision, hint: Hint, lang: str) -> list[str]:
    """What the strongest bot does, how games end after it, and what the next best changes."""
    told = [
        gettext(WOULD, lang, bot=STRONGEST, move=describe_option(decision, hint.best, lang)),
        gettext(THIN, lang) if hint.is_thin else _tell_ends(hint.after_best, hint.is_lost, lang),
    ]
    if hint.second is not None and not hint.is_lost and not hint.is_thin:
        told.append(gettext(SECOND, lang, move=describe_option(decision, hint.second, lang)))
        if categories := _difference(decision.game.id, hint, lang):
            told.append(gettext(DIFFERENCE, lang, categories=categories))
    return told


def _tell_ends(ends: ImaginedEnds, is_lost: bool, lang: str) -> str:
    lead = round(ends.mean_lead)
    points = ngettext("{n} point", "{n} points", abs(lead), lang)
    message = LOST if is_lost else (AHEAD if lead >= 0 else BEHIND)
    return gettext(message, lang, wins=ends.wins, games=ends.games, points=points)


def describe_option(decision: Decision, at: int, lang: str) -> str:
    """An option by its number, in words."""
    action, view = decision.options[at].action, decision.view
    describe = display_of(decision.game.id).describe_action
    return describe(action, lang, state=view, seat=decision.seat, yours=True)


def _difference(game: str, hint: Hint, lang: str) -> str:
    """Where the points clearly differ, by category, the most first."""
    found = {key: gap for key, gap in hint.differences().items() if key != "total"}
    return largest_gaps(found, score_names(game, lang), 1, lang)
