"""The errors a visitor may meet, in French; what is not among them stays as it is."""

import re
from typing import Final

from arena.site.words import FAULTS, GAMES

# As they are raised, with what varies in them, and the same in French.
SENTENCES: Final = (
    (
        r"expected (\d+) to (\d+) players for (\w+), got (\d+)",
        "{2} : {0} à {1} joueurs, et non {3}",
    ),
    (r"expected a free table, got (\d+) taken", "aucune table n'est libre : {0} sont prises"),
    (
        r"expected a table of yours, got none: it may have been closed",
        "cette table n'est pas à vous, ou elle a été fermée",
    ),
    (r"expected the number of an option, got something else", "choisissez une des options"),
    (r"expected an option from 0 to (\d+), got (\d+)", "choix de 0 à {0} attendu, et non {1}"),
    (
        r"expected a form of this site, got another: load the page again",
        "ce formulaire n'est plus valable : rechargez la page",
    ),
    (r"expected the token of an owner, got another", "ce jeton n'est à personne"),
    (r"expected the token of an owner first, got none", "donnez d'abord votre jeton"),
    (r"expected a file, got none", "choisissez un fichier"),
    (
        r"expected a folder, or a .py, .zip, .tar or .tar.gz file, got '(.*)'",
        "fichier .py, .zip, .tar ou .tar.gz attendu, et non {0}",
    ),
    (
        r"expected a bot of your own, got the content of another's",
        "ce robot est le même que celui d'un autre",
    ),
    (
        r"expected a league that takes submissions, got one that is (\w+)",
        "cette ligue ne prend pas de robots en ce moment",
    ),
    (r"expected at most ([\d,]+) bytes, got more", "plus de {0} octets"),
    (
        r"expected fewer requests, got one more: wait (\d+) s",
        "trop de demandes : attendez {0} s",
    ),
    (
        r"expected the results, got trouble with the database",
        "les résultats ne peuvent être lus",
    ),
    (r"expected a league out of .*, got (.*)", "{0} n'existe pas ici"),
    (r"expected the league (.*), got none yet: .*", "{0} n'existe pas ici"),
    (r"expected a tournament of this database, got (.*)", "{0} n'existe pas ici"),
    (r"expected a bot of (.*), got (\d+)", "{0} n'a pas de robot {1}"),
    (r"expected a match of this database, got (\d+)", "il n'y a pas de partie {0}"),
    (r"expected a page from 1 to (\d+), got (\d+)", "page de 1 à {0} attendue, et non {1}"),
    (r"expected a submission of yours, got (\d+)", "cette inscription n'est pas à vous"),
    (r"Not Found", "il n'y a pas de telle page"),
    (r"Method Not Allowed", "cela ne peut être demandé ainsi"),
    (r"step (\d+), ([\w ]+): (.*)", "étape {0}, {1} : {2}"),
    (r"it failed in (\d+) of (\d+) games: (.*)", "fautes dans {0} parties sur {1} : {2}"),
)
# What a check does with a bot, step by step.
STEPS: Final = {
    "describes itself": "se décrit",
    "loads and answers the greeting": "se charge et répond au salut",
    "survives whole games at every number of players": "finit des parties à tout nombre de joueurs",
    "answers every kind of question": "répond à toute sorte de question",
    "keeps time": "tient les délais",
    "decides the same again under the same seed": "redécide de même sous la même graine",
    "stays small": "reste petit",
}
PATTERNS: Final = tuple((re.compile(english), french) for english, french in SENTENCES)


def translated(text: str, lang: str) -> str:
    """The sentence in that language, where it is one of the site's own."""
    if lang != "fr":
        return text
    for pattern, french in PATTERNS:
        if found := pattern.fullmatch(text):
            return french.format(*(_word(part) for part in found.groups()))
    return text


def _word(part: str) -> str:
    """A game by its name, a step and faults by theirs."""
    if part in GAMES:
        return GAMES[part][1]
    if part in STEPS:
        return STEPS[part]
    # At the beginning, or counted; elsewhere it is the bot's own word, such as its file's name.
    for kind, (_, french) in FAULTS.items():
        part = re.sub(rf"(?:^|(?<=\d )){kind}\b(?!\.)", french, part)
    return part
