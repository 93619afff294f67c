"""What people read of 7 Wonders as message ids, but for the names of cards, which the rows have."""

from typing import Final

from arena.i18n import N_, NN_, gettext, ngettext

# Wonders: their names, and their monuments.
WONDERS: Final = {
    "alexandria": N_("Alexandria"),
    "babylon": N_("Babylon"),
    "ephesos": N_("Éphesos"),
    "gizah": N_("Gizah"),
    "halikarnassos": N_("Halikarnassos"),
    "olympia": N_("Olympía"),
    "rhodos": N_("Rhódos"),
}
MONUMENTS: Final = {
    "alexandria": N_("Lighthouse"),
    "babylon": N_("Hanging Gardens"),
    "ephesos": N_("Temple of Artemis"),
    "gizah": N_("Pyramids"),
    "halikarnassos": N_("Mausoleum"),
    "olympia": N_("Statue of Zeus"),
    "rhodos": N_("Colossus"),
}
SIDES: Final = {
    "a": N_("side A"),
    "b": N_("side B"),
    "day": N_("Day"),
    "night": N_("Night"),
}

RESOURCES: Final = {
    "W": N_("wood"),
    "S": N_("stone"),
    "O": N_("ore"),
    "C": N_("clay"),
    "G": N_("glass"),
    "P": N_("papyrus"),
    "L": N_("cloth"),
    "$": N_("coin"),
}
# So many of them, as a cost or as a gift.
AMOUNTS: Final = {
    "W": NN_("{n} wood", "{n} wood"),
    "S": NN_("{n} stone", "{n} stone"),
    "O": NN_("{n} ore", "{n} ore"),
    "C": NN_("{n} clay", "{n} clay"),
    "G": NN_("{n} glass", "{n} glass"),
    "P": NN_("{n} papyrus", "{n} papyrus"),
    "L": NN_("{n} cloth", "{n} cloth"),
    "$": NN_("{n} coin", "{n} coins"),
}
SYMBOLS: Final = (
    N_("compass"),
    N_("gear"),
    N_("tablet"),
    N_("any science symbol"),
)
COLOURS: Final = {
    "brown": N_("brown"),
    "grey": N_("grey"),
    "blue": N_("blue"),
    "yellow": N_("yellow"),
    "red": N_("red"),
    "green": N_("green"),
    "purple": N_("purple"),
}

# What is counted: colours of cards, then the rest.
COUNTED: Final = (
    *(N_("brown card"), N_("grey card"), N_("blue card"), N_("yellow card")),
    *(N_("red card"), N_("green card"), N_("purple card")),
    N_("wonder stage"),
    N_("defeat token"),
)
# Where it is counted or bought, by the bits of own, left and right.
PLACES: Final = {
    1: N_("in your city"),
    2: N_("on the left"),
    4: N_("on the right"),
    6: N_("in the neighbouring cities"),
    7: N_("in your city and the neighbouring cities"),
}

POWERS: Final = {
    1: N_("play the seventh card of each age as well"),
    2: N_("once an age, build a card for nothing"),
    4: N_("score one guild of a neighbour"),
    8: N_("the first card of each colour costs nothing"),
    16: N_("the first card of an age costs nothing"),
    32: N_("the sixth card of an age costs nothing"),
    64: N_("build a card of the discard pile for nothing"),
}

DISCOUNT: Final = N_("{resources} for 1 coin {where}")
COINS_EACH: Final = NN_("{n} coin for each {what} {where}", "{n} coins for each {what} {where}")
POINTS_EACH: Final = NN_("{n} point for each {what} {where}", "{n} points for each {what} {where}")
POINTS_COMPLETE: Final = NN_(
    "{n} point if your wonder is complete", "{n} points if your wonder is complete"
)

# A move that may be made.
MOVES: Final = {
    "build": N_("build {card}"),
    "stage": N_("build a stage with {card}"),
    "sell": N_("sell {card}"),
    "free": N_("build {card} for nothing"),
    "revive": N_("build {card} out of the discard pile"),
    "pass": N_("pass"),
    "pay": N_(", paying {payments}"),
}

# What is done with a card that is pointed at.
DEEDS: Final = {
    "build": N_("Build"),
    "stage": N_("Wonder, stage {stage}: {gain}"),
    "sell": N_("Sell for 3 coins"),
    "free": N_("Build for nothing, by the wonder"),
    "revive": N_("Build for nothing"),
    "pass": N_("Pass"),
}
PAID: Final = N_("{coins} to {city}")
OWN_GOODS: Final = N_("own goods")
COSTS_NOTHING: Final = N_("costs nothing")
FREE_BY: Final = N_("free thanks to {card}")

# Chains, as a card tells of them.
FREE_WITH: Final = N_("free with {cards}")
FREE_LATER: Final = N_("makes free: {cards}")
OR: Final = N_(" or ")

PAYMENTS: Final = (N_("{coins} to the left"), N_("{coins} to the right"))
AND: Final = N_(" and ")

# What others see of a move that hides its card.
CLOSED_MOVES: Final = {
    "stage": N_("build a stage"),
    "sell": N_("sell a card"),
}

# A move that was made, after the name of whoever made it.
TOLD: Final = {
    "build": N_("built {card}"),
    "stage": N_("built stage {stage} with {card}"),
    "sell": N_("sold {card}"),
    "free": N_("built {card} for nothing"),
    "revive": N_("built {card} out of the discard pile"),
    "pass": N_("passed"),
}
CLOSED_TOLD: Final = {
    "stage": N_("built stage {stage}"),
    "sell": N_("sold a card"),
}

# The score pad.
SCORES: Final = {
    "scores": N_("Score pad"),
    "city": N_("city"),
    "seat": N_("seat"),
    "wonder": N_("wonder"),
    "treasure": N_("coins"),
    "military": N_("military"),
    "civil": N_("blue cards"),
    "commerce": N_("commerce"),
    "science": N_("science"),
    "guilds": N_("guilds"),
    "total": N_("total"),
}

TIES: Final = (
    N_("{points} each: coins decide; {cities}"),
    N_("{points} and as many coins each: the place is shared; {cities}"),
)

HEADING: Final = N_("age {age}, turn {turn}: {prompt}")
WHEN: Final = N_("age {age}, turn {turn} of {turns}")
PROMPTS: Final = (
    N_("everybody chooses a card"),
    N_("the last card may be played"),
    N_("a card may be built from the discard pile"),
    N_("game over"),
)

LAST_AGE: Final = N_("The game is over: the third Age has ended.")

LABELS: Final = {
    "cards": N_("cards"),
    "boards": N_("wonder boards"),
    "stages": N_("stages"),
    "id": N_("id"),
    "name": N_("name"),
    "age": N_("age"),
    "turn": N_("turn"),
    "colour": N_("colour"),
    "cost": N_("cost"),
    "effect": N_("effect"),
    "copies": N_("copies, by players"),
    "free_from": N_("free from"),
    "chains_to": N_("chains to"),
    "wonder": N_("wonder"),
    "side": N_("side"),
    "monument": N_("monument"),
    "starts_with": N_("starts with"),
    "stage": N_("stage"),
    "guild": N_("guild"),
    "coins": N_("coins"),
    "military": N_("military"),
    "hand": N_("hand"),
    "goods": N_("makes"),
    "symbols": N_("science"),
    "remembered": N_("of"),
    "table": N_("table"),
    "discards": N_("discard pile"),
}

# One and several.
COUNTS: Final = {
    "cards": NN_("{n} card", "{n} cards"),
    "coins": NN_("{n} coin", "{n} coins"),
    "points": NN_("{n} point", "{n} points"),
    "shields": NN_("{n} shield", "{n} shields"),
    "victories": NN_("{n} point won", "{n} points won"),
    "defeats": NN_("{n} defeat", "{n} defeats"),
    "hidden": NN_("{n} hidden", "{n} hidden"),
}

LEGEND: Final = (
    N_("stages: cost: what they give; ✓ is built; they are built from the first to the last"),
    N_("points won and defeats: of battles; each defeat is a point less"),
)


def count(value: int, key: str, lang: str) -> str:
    """So many of something in that language."""
    return ngettext(*COUNTS[key], value, lang)


def label(key: str, lang: str) -> str:
    """A label in that language."""
    return gettext(LABELS[key], lang)
