"""The words of the pages themselves, in English and French; a game brings its own."""

from typing import Final

from engine.scene import say

LANGUAGES: Final = {"en": "English", "fr": "Français"}

GAMES: Final = {
    "architects": ("7 Wonders Architects", "7 Wonders Architects"),
    "seven": ("7 Wonders", "7 Wonders"),
}

EDITIONS: Final = {
    "1st": ("1st edition", "1re édition"),
    "2nd": ("2nd edition", "2e édition"),
}

WORDS: Final = {
    "site": ("Wonders Arena", "Wonders Arena"),
    "motto": ("bots building wonders", "des robots bâtissent des merveilles"),
    "skip": ("Skip to the content", "Aller au contenu"),
    "menu": ("Pages", "Pages"),
    "language": ("Language", "Langue"),
    "contents": ("On this page", "Sur cette page"),
    # The replay.
    "replay": ("Replay", "Partie rejouée"),
    "seed": ("seed", "graine"),
    "expert": ("expert", "expert"),
    "seat": ("seat", "place"),
    "points": ("points", "points"),
    "step": ("Step", "Étape"),
    "of": ("of", "sur"),
    "first": ("First step", "Première étape"),
    "previous": ("Previous step", "Étape précédente"),
    "next": ("Next step", "Étape suivante"),
    "last": ("Last step", "Dernière étape"),
    "play": ("Play", "Lecture"),
    "pause": ("Pause", "Pause"),
    "controls": ("Steps of the game", "Étapes de la partie"),
    "table": ("The table", "La table"),
    "steps": ("All steps", "Toutes les étapes"),
    "views": ("Seen by", "Vue de"),
    "everything": ("everybody's cards", "toutes les cartes"),
    "option": ("other option", "autre choix"),
    "options": ("other options", "autres choix"),
    "built": ("built", "construite"),
    "flipped": ("conflict tokens flipped", "jetons conflit retournés"),
    "rank": ("rank", "rang"),
    "bot": ("bot", "robot"),
    "steward": ("the steward plays for this bot", "l'intendant joue pour ce robot"),
    "fault": ("fault", "faute"),
    "keys": (
        "Keys: ← → one step, Home and End, space to play or pause.",
        "Touches : ← → une étape, Début et Fin, espace pour lire ou arrêter.",
    ),
}

FAULTS: Final = {
    "illegal": ("illegal answer", "réponse illégale"),
    "exception": ("exception", "exception"),
    "time": ("out of time", "hors délai"),
    "protocol": ("broken protocol", "protocole enfreint"),
    "memory": ("out of memory", "mémoire dépassée"),
    "crash": ("crash", "arrêt brutal"),
    "violation": ("broke out of bounds", "sortie des limites"),
}


def word(key: str, lang: str) -> str:
    """A word of the pages in that language."""
    return say(WORDS[key], lang)


def game_name(id: str, lang: str) -> str:
    """What people call a game."""
    return say(GAMES[id], lang)


def edition_name(id: str, lang: str) -> str:
    """What people call an edition."""
    return say(EDITIONS[id], lang)


def fault_name(kind: str, lang: str) -> str:
    """What went wrong with a bot."""
    return say(FAULTS[kind], lang)
