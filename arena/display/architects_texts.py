"""What people read: effects, objectives and labels as message ids."""

from typing import Final

from arena.i18n import N_, NN_, gettext, ngettext

# By wonder.
POWERS: Final = {
    "alexandria": N_("take the top card of any deck on the table"),
    "babylon": N_("take a Progress token"),
    "ephesus": N_("take the top card of the centre"),
    "giza": N_("none, but more points"),
    "halicarnassus": N_("keep one of the top five cards of a deck beside you"),
    "olympia": N_("take the top cards of both decks beside you"),
    "rhodes": N_("one more shield for the rest of the game"),
    "rome": N_("take an opponent's card; a face-down card makes up for it"),
    "ur": N_("take the Cat, look at the centre, draw again"),
}

# What cards do, by card or colour; and what is drawn on those that are not named as their icon.
CARD_EFFECTS: Final = {
    "grey": N_("a resource: pays for stages of the wonder, different or alike"),
    "yellow": N_("a coin: stands for any resource"),
    "civ3": N_("points at the end of the game"),
    "civ2cat": N_("points at the end of the game, and the Cat"),
    "green": N_("science: two alike or three different bring a Progress token"),
    "red0": N_("a shield for battles"),
    "red": N_("a shield for battles; horns bring the next battle nearer"),
}
CARD_SIGNS: Final = {
    "civ3": "v3",
    "civ2cat": "v2 cat",
    "red0": "shield",
    "red1": "shield horn",
    "red2": "shield horn horn",
}
# What is drawn for the effect of a stage, by wonder.
EFFECT_SIGNS: Final = {
    "alexandria": "pile",
    "babylon": "token",
    "ephesus": "back",
    "giza": "point",
    "halicarnassus": "pile",
    "olympia": "left right",
    "rhodes": "shield",
    "rome": "copy",
    "ur": "cat",
}

# By Progress token.
TOKEN_EFFECTS: Final = {
    "urbanism": N_("extra card on wood or clay"),
    "crafts": N_("extra card on papyrus or glass"),
    "jewellery": N_("extra card on stone or coin"),
    "science": N_("extra card on a green card"),
    "propaganda": N_("extra card on a horn"),
    "architecture": N_("extra card on a stage built"),
    "economy": N_("one coin counts double each turn"),
    "engineering": N_("once a turn, any resources pay a stage"),
    "tactics": N_("2 shields"),
    "decor": N_("4 points, 6 with the wonder complete"),
    "politics": N_("1 point for each Cat icon"),
    "strategy": N_("1 point for each military token"),
    "education": N_("2 points for each Progress token"),
    "culture": N_("4, 12 or 16 points for 1, 2 or 3 of these tokens"),
    "logistics": N_("2 points for each grey card"),
    "domestication": N_("look at the centre each turn, without the Cat"),
    "entrenchment": N_("horned cards survive battles"),
}

# By medal.
OBJECTIVES: Final = {
    "blue3": N_("3 blue cards"),
    "green3": N_("3 green cards"),
    "grey3": N_("3 grey cards"),
    "red3": N_("3 red cards"),
    "four_colors": N_("a green, a yellow, a blue and a red card"),
    "coin_cat_horn": N_("a yellow card, a Cat icon and a horn"),
    "cards7": N_("7 cards"),
    "stages3": N_("3 stages"),
    "stages2_cat": N_("2 stages and the Cat"),
    "progress2": N_("2 Progress tokens"),
    "progress_military_cat": N_("a Progress token, a military token and the Cat"),
    "military2_one_battle": N_("2 military tokens in one battle"),
}

LABELS: Final = {
    "wonders": N_("Wonders"),
    "stages": N_("Stages"),
    "decks": N_("Decks"),
    "tokens": N_("Progress tokens"),
    "medals": N_("Medals"),
    "id": N_("id"),
    "name": N_("name"),
    "monument": N_("monument"),
    "effect": N_("effect"),
    "needs": N_("needs"),
    "status": N_("status"),
    "wonder": N_("wonder"),
    "stage": N_("stage"),
    "cost": N_("cost"),
    "points": N_("points"),
    "has_effect": N_("effect of the wonder"),
    "rests_on": N_("rests on"),
    "card": N_("card"),
    "colour": N_("colour"),
    "centre": N_("central deck"),
    "middle": N_("centre"),
    "copies": N_("copies"),
    "copies_expanded": N_("with Medals"),
    "objective": N_("objective"),
    "provisional": N_("provisional"),
    "yes": N_("yes"),
    "deck": N_("deck"),
    "cards": N_("cards"),
    "military": N_("military"),
    "cat": N_("Cat"),
    "progress": N_("progress"),
    "conflict": N_("conflict"),
    "medal": N_("medal"),
    "seat": N_("seat"),
    "over": N_("game over"),
    "grey": N_("grey"),
    "yellow": N_("yellow"),
    "blue": N_("blue"),
    "green": N_("green"),
    "red": N_("red"),
}

PROVISIONAL: Final = N_(
    "{wonder}: provisional stages and deck, the printed ones are not publicly known"
)

# The score pad.
SCORES: Final = {
    "scores": N_("Score pad"),
    "city": N_("city"),
    "wonder": N_("wonder"),
    "cat": N_("Cat"),
    "blue": N_("blue cards"),
    "military": N_("military tokens"),
    "progress": N_("progress"),
    "medals": N_("medals"),
    "total": N_("total"),
}

TIES: Final = (
    N_("{points} each: the stages built decide; {cities}"),
    N_("{points} each and as many stages built: the place is shared; {cities}"),
)

# Why the game is over, or will be.
WONDER_COMPLETE: Final = N_("The game is over: the wonder of {city} ({player}) is complete.")
DECKS_EMPTY: Final = N_("The game is over: all decks are empty.")
LAST_TURN: Final = N_("The wonder of {city} ({player}) is complete: the game ends with this turn.")

# Where a card is taken, and what is looked through: for the seat itself, and for anybody.
PLACES: Final = {
    "left": N_("from your own deck"),
    "right": N_("from the right neighbour's deck"),
    "centre": N_("from the central deck"),
    "deck": N_("from deck {deck}"),
    "deck_of": N_("from the deck of {wonder}"),
    "side_left": N_("your own deck"),
    "side_right": N_("the right neighbour's deck"),
    "side_of": N_("the deck of {wonder}"),
    "card": N_("a card"),
    "by": N_(" by {tokens}"),
}

# A move that may be made.
MOVES: Final = {
    "take": N_("take {card} {place}"),
    "end": N_("end the turn"),
    "look": N_("look through {place}"),
    "token": N_("take the token {token}"),
    "token_stack": N_("take a token from the stack"),
    "token_top": N_("take the token {token} from the stack"),
    "keep": N_("keep {card}"),
    "study": N_("trade {cards} for a Progress token"),
    "extra": N_("use {token} and {move}"),
    "steal": N_("take {card} from {city}"),
    "build": N_("build stage {stage} with {cards}"),
}

# A move that was made, after the name of whoever made it.
TOLD: Final = {
    "take": N_("took {card} {place}"),
    "end": N_("ended the turn"),
    "look": N_("looked through {place}"),
    "token": N_("took the token {token}"),
    "token_stack": N_("took a token from the stack"),
    "token_top": N_("took the token {token} from the stack"),
    "keep": N_("kept {card}"),
    "study": N_("traded {cards} for a Progress token"),
    "extra": N_("used {token} and {move}"),
    "steal": N_("took {card} from {city}"),
    "build": N_("built stage {stage} with {cards}"),
}
ALSO: Final = N_("also took {cards}")

LEGEND: Final = (
    N_("stages: 2= 4 costs 2 equal resources and gives 4 points, 2≠ different ones; ✓ is built"),
    N_("conflict: a horn turns a · to ✕; when all are turned, there is a battle"),
    N_("deck: its top card, which all see, and how many cards there are"),
)

# One and several.
COUNTS: Final = {
    "cards": NN_("{n} card", "{n} cards"),
    "points": NN_("{n} point", "{n} points"),
    "shields": NN_("{n} shield", "{n} shields"),
    "face_down": NN_("{n} face down", "{n} face down"),
}


def count(value: int, key: str, lang: str) -> str:
    """So many of something in that language."""
    return ngettext(*COUNTS[key], value, lang)


def label(key: str, lang: str) -> str:
    """A label in that language."""
    return gettext(LABELS[key], lang)
