"""What people read: effects, objectives and labels in English and French."""

from typing import Final

from arena.display.scene import POINTS, Forms, counted, say

# By wonder.
POWERS: Final = {
    "alexandria": (
        "take the top card of any deck on the table",
        "prend la première carte d'une pioche au choix",
    ),
    "babylon": ("take a Progress token", "prend un jeton Progrès"),
    "ephesus": ("take the top card of the centre", "prend la première carte du centre"),
    "giza": ("none, but more points", "aucun, mais plus de points"),
    "halicarnassus": (
        "keep one of the top five cards of a deck beside you",
        "garde une des cinq premières cartes d'une pioche voisine",
    ),
    "olympia": (
        "take the top cards of both decks beside you",
        "prend la première carte des deux pioches voisines",
    ),
    "rhodes": ("one more shield for good", "un bouclier de plus, pour toujours"),
    "rome": (
        "take an opponent's card; a face-down card makes up for it",
        "prend une carte d'un adversaire, qui reçoit une carte cachée",
    ),
    "ur": (
        "take the Cat, look at the centre, draw again",
        "prend le Chat, regarde le centre, pioche encore",
    ),
}

# By Progress token.
TOKEN_EFFECTS: Final = {
    "urbanism": ("extra card on wood or clay", "carte en plus sur bois ou brique"),
    "crafts": ("extra card on papyrus or glass", "carte en plus sur papyrus ou verre"),
    "jewellery": ("extra card on stone or coin", "carte en plus sur pierre ou pièce"),
    "science": ("extra card on a green card", "carte en plus sur une carte verte"),
    "propaganda": ("extra card on a horn", "carte en plus sur un cor"),
    "architecture": ("extra card on a stage built", "carte en plus sur une étape construite"),
    "economy": ("one coin counts double each turn", "une pièce compte double à chaque tour"),
    "engineering": (
        "once a turn, any resources pay a stage",
        "une fois par tour, toute ressource paie une étape",
    ),
    "tactics": ("2 shields", "2 boucliers"),
    "decor": ("4 points, 6 with the wonder complete", "4 points, 6 si la merveille est achevée"),
    "politics": ("1 point for each Cat icon", "1 point par icône Chat"),
    "strategy": ("1 point for each military token", "1 point par jeton militaire"),
    "education": ("2 points for each Progress token", "2 points par jeton Progrès"),
    "culture": ("4, 12 or 16 points for 1, 2 or 3", "4, 12 ou 16 points pour 1, 2 ou 3"),
    "logistics": ("2 points for each grey card", "2 points par carte grise"),
    "domestication": (
        "look at the centre each turn, without the Cat",
        "regarde le centre à chaque tour, sans le Chat",
    ),
    "entrenchment": ("horned cards survive battles", "les cartes à cor survivent aux batailles"),
}

# By medal.
OBJECTIVES: Final = {
    "blue3": ("3 blue cards", "3 cartes bleues"),
    "green3": ("3 green cards", "3 cartes vertes"),
    "grey3": ("3 grey cards", "3 cartes grises"),
    "red3": ("3 red cards", "3 cartes rouges"),
    "four_colors": (
        "a green, a yellow, a blue and a red card",
        "une carte verte, une jaune, une bleue et une rouge",
    ),
    "coin_cat_horn": (
        "a yellow card, a Cat icon and a horn",
        "une carte jaune, une icône Chat et un cor",
    ),
    "cards7": ("7 cards", "7 cartes"),
    "stages3": ("3 stages", "3 étapes"),
    "stages2_cat": ("2 stages and the Cat", "2 étapes et le Chat"),
    "progress2": ("2 Progress tokens", "2 jetons Progrès"),
    "progress_military_cat": (
        "a Progress token, a military token and the Cat",
        "un jeton Progrès, un jeton militaire et le Chat",
    ),
    "military2_one_battle": (
        "2 military tokens in one battle",
        "2 jetons militaires dans une bataille",
    ),
}

LABELS: Final = {
    "wonders": ("Wonders", "Merveilles"),
    "stages": ("Stages", "Étapes"),
    "decks": ("Decks", "Pioches"),
    "tokens": ("Progress tokens", "Jetons Progrès"),
    "medals": ("Medals", "Médailles"),
    "id": ("id", "id"),
    "name": ("name", "nom"),
    "monument": ("monument", "monument"),
    "effect": ("effect", "effet"),
    "needs": ("needs", "extension"),
    "status": ("status", "état"),
    "wonder": ("wonder", "merveille"),
    "stage": ("stage", "étape"),
    "cost": ("cost", "coût"),
    "points": ("points", "points"),
    "has_effect": ("effect", "effet"),
    "rests_on": ("rests on", "repose sur"),
    "card": ("card", "carte"),
    "colour": ("colour", "couleur"),
    "centre": ("centre", "centre"),
    "copies": ("copies", "exemplaires"),
    "copies_with_medals": ("with Medals", "avec Medals"),
    "objective": ("objective", "objectif"),
    "provisional": ("provisional", "provisoire"),
    "yes": ("yes", "oui"),
    "deck": ("deck", "pioche"),
    "cards": ("cards", "cartes"),
    "military": ("military", "militaire"),
    "cat": ("Cat", "Chat"),
    "progress": ("progress", "progrès"),
    "conflict": ("conflict", "conflit"),
    "stack": ("in the stack", "dans la pile"),
    "medal": ("medal", "médaille"),
    "seat": ("seat", "place"),
    "over": ("game over", "partie terminée"),
    "plays": ("to play", "joue"),
    "grey": ("grey", "grise"),
    "yellow": ("yellow", "jaune"),
    "blue": ("blue", "bleue"),
    "green": ("green", "verte"),
    "red": ("red", "rouge"),
}

PROVISIONAL: Final = (
    "{}: provisional stages and deck, the printed ones are not publicly known",
    "{} : étapes et pioche provisoires, celles du jeu imprimé ne sont pas connues du public",
)

# The score pad.
SCORES: Final = {
    "scores": ("Score pad", "Feuille de score"),
    "city": ("city", "cité"),
    "wonder": ("wonder", "merveille"),
    "cat": ("Cat", "Chat"),
    "blue": ("blue cards", "cartes bleues"),
    "military": ("military", "militaire"),
    "progress": ("progress", "progrès"),
    "medals": ("medals", "médailles"),
    "total": ("total", "total"),
}

TIES: Final = (
    "{} each: the stages built decide; {}",
    "{} chacun : les étapes construites décident ; {}",
)

# A move, in words that suit any subject.
MOVES: Final = {
    "left": ("from the deck on the left", "dans la pioche de gauche"),
    "right": ("from the deck on the right", "dans la pioche de droite"),
    "centre": ("from the centre", "au centre"),
    "of": (" ({})", " ({})"),
    "card": ("a card", "une carte"),
    "take": ("take {} {}", "prendre {} {}"),
    "deck": ("from deck {}", "dans la pioche {}"),
    "deck_of": ("from the deck of {}", "dans la pioche de {}"),
    "end": ("end the turn", "terminer le tour"),
    "look": ("look through {}", "regarder {}"),
    "side_left": ("the deck on the left", "la pioche de gauche"),
    "side_right": ("the deck on the right", "la pioche de droite"),
    "token": ("take the token {}", "prendre le jeton {}"),
    "token_stack": ("take a token from the stack", "prendre un jeton de la pile"),
    "keep": ("keep {}", "garder {}"),
    "study": ("trade {} for a Progress token", "échanger {} contre un jeton Progrès"),
    "extra": ("use {} and {}", "utiliser {} et {}"),
    "steal": ("take {} from seat {}", "prendre {} à la place {}"),
    "build": ("build stage {} with {}", "construire l'étape {} avec {}"),
    "by": (" by {}", " grâce à {}"),
}

LEGEND: Final = (
    (
        "stages: 2= 4 costs 2 equal resources and gives 4 points, 2≠ different ones; ✓ is built",
        "étapes : 2= 4 coûte 2 ressources égales et vaut 4 points, 2≠ différentes ; ✓ construite",
    ),
    (
        "conflict: a horn turns a · to ✕; when all are turned, there is a battle",
        "conflit : un cor change un · en ✕ ; quand tous le sont, on se bat",
    ),
    (
        "deck: its top card, which all see, and how many cards there are",
        "pioche : sa première carte, que tous voient, et combien de cartes il y a",
    ),
)

# One and several.
COUNTS: Final[dict[str, Forms]] = {
    "cards": (("card", "cards"), ("carte", "cartes")),
    "points": POINTS,
    "shields": (("shield", "shields"), ("bouclier", "boucliers")),
    "face_down": (("face down", "face down"), ("cachée", "cachées")),
}


def count(value: int, key: str, lang: str) -> str:
    """So many of something in that language."""
    return counted(value, COUNTS[key], lang)


def label(key: str, lang: str) -> str:
    """A label in that language."""
    return say(LABELS[key], lang)
