"""The words of the pages themselves, in English and French; a game brings its own."""

from functools import cache
from typing import Final

from arena.display import display_of
from arena.display.scene import say
from engine.catalog import find

LANGUAGES: Final = {"en": "English", "fr": "Français"}

GAMES: Final = {
    "architects": ("7 Wonders Architects", "7 Wonders Architects"),
    "seven": ("7 Wonders", "7 Wonders"),
}

EDITIONS: Final = {
    "1st": ("1st edition", "1re édition"),
    "2nd": ("2nd edition", "2e édition"),
}

# One and several.
COUNTS: Final = {
    "bots": (("bot", "bots"), ("robot", "robots")),
    "matches": (("match", "matches"), ("partie", "parties")),
    "points": (("point", "points"), ("point", "points")),
    "options": (("other option", "other options"), ("autre choix", "autres choix")),
    "bytes": (("byte", "bytes"), ("octet", "octets")),
}

WORDS: Final = {
    "site": ("Wonders Arena", "Wonders Arena"),
    "motto": ("bots building wonders", "des robots bâtissent des merveilles"),
    "skip": ("Skip to the content", "Aller au contenu"),
    "menu": ("Pages", "Pages"),
    "language": ("Language", "Langue"),
    "edition": ("Edition", "Édition"),
    "contents": ("On this page", "Sur cette page"),
    # The site.
    "welcome": ("Bot competitions", "Tournois de robots"),
    "about": (
        "Programs play 7 Wonders. Watch every match again; every rating says how sure it is.",
        "Des programmes jouent à 7 Wonders. Chaque partie se revoit, chaque cote dit sa certitude.",
    ),
    "rules": ("{} rules", "Règles de {}"),
    "play_yourself": ("Play yourself", "Jouer soi-même"),
    "submit": ("Submit a bot", "Envoyer un robot"),
    "api": ("For programs", "Pour les programmes"),
    "leagues": ("Leagues", "Ligues"),
    "tournaments": ("Tournaments", "Tournois"),
    "tournament": ("tournament", "tournoi"),
    "no_tournaments": ("There is no tournament yet. Try:", "Il n'y a pas encore de tournoi :"),
    "bots": ("bots", "robots"),
    "leaderboard": ("Leaderboard", "Classement"),
    "meetings": ("Head to head", "Face à face"),
    "matches": ("Matches", "Parties"),
    "match": ("match", "partie"),
    "game": ("game", "jeu"),
    "players": ("players", "joueurs"),
    "all": ("all", "tous"),
    "rating": ("rating", "cote"),
    "skill": ("skill, 95 in 100", "force, 95 sur 100"),
    "played": ("games", "jouées"),
    "wins": ("wins", "victoires"),
    "mean_rank": ("mean rank", "rang moyen"),
    "mean_score": ("mean score", "score moyen"),
    "faults": ("faults", "fautes"),
    "level": ("cannot be told from the next", "ne se distingue pas du suivant"),
    "provisional": ("provisional: will still move", "provisoire : va encore bouger"),
    "board_note": (
        "By rating: a skill it almost surely has (μ − 3σ). Bars: the skill, 95 times in 100.",
        "Par cote : une force presque sûre (μ − 3σ). Barres : où est la force 95 fois sur 100.",
    ),
    "league_note": (
        "By skill, from all results at once; bars hold it 95 times in 100. Live: match by match.",
        "Par force, d'après tous les résultats ; barres : 95 fois sur 100. Direct : au fil du jeu.",
    ),
    "live": ("live", "en direct"),
    "unrated": (
        "Not rated: these bots were not contained, and any of them could have cheated.",
        "Non classé : ces robots n'étaient pas confinés, chacun aurait pu tricher.",
    ),
    "no_matches": ("No matches yet.", "Pas encore de partie."),
    "played_by": ("The command that played this", "La commande qui a joué ceci"),
    "meetings_caption": (
        "How often one finishes above the other",
        "Combien de fois l'un finit devant l'autre",
    ),
    "meetings_note": (
        "Row against column; a tie is half. Small figures: games together.",
        "Ligne contre colonne ; une égalité compte pour moitié. En petit : parties communes.",
    ),
    "standing": ("Standing", "Situation"),
    "version": ("version", "version"),
    "versions": ("Versions", "Versions"),
    "owner": ("owner", "propriétaire"),
    "digest": ("digest", "empreinte"),
    "entered": ("entered", "inscrit"),
    "timing": ("Computing time", "Temps de calcul"),
    "answers": ("answers", "réponses"),
    "mean_match": ("a match with its start, in the mean", "une partie et son début, en moyenne"),
    "longest_half": ("longest of a match, half are below", "la plus longue, médiane"),
    "longest_most": ("longest of a match, 95 in 100", "la plus longue, 95 sur 100"),
    "longest_ever": ("longest answer", "la plus longue réponse"),
    "no_timing": ("No times were kept.", "Aucun temps n'a été noté."),
    "history": ("Rating over the matches", "La cote au fil des parties"),
    "history_note": (
        "By all matches up to there; the band holds 95 times in 100.",
        "D'après toutes les parties jusque-là ; la bande vaut 95 fois sur 100.",
    ),
    "decision": ("decision", "décision"),
    "effects": ("Where it is strong", "Où il est fort"),
    "effects_note": (
        "Wins by players: 1 is fair. Rank points: the share of opponents left behind.",
        "Victoires selon les joueurs : 1 est équitable. Points de rang : part des rivaux devancés.",
    ),
    "lift": ("wins × players", "victoires × joueurs"),
    "rank_points": ("rank points", "points de rang"),
    "wonder": ("wonder", "merveille"),
    "opponent": ("opponent", "rival"),
    "above": ("finishes above", "finit devant"),
    "expected": ("expected", "attendu"),
    "latest": ("Latest matches", "Dernières parties"),
    "all_of_bot": ("All matches of this bot", "Toutes les parties de ce robot"),
    "bots_by_rank": ("bots by rank, with scores", "robots par rang, avec les scores"),
    "when": ("when", "quand"),
    "excluded": ("excluded", "exclue"),
    "with_faults": ("with faults", "avec fautes"),
    "only_of": ("Only matches of", "Seulement les parties de"),
    "everybody": ("everybody's", "celles de tous"),
    "paging": ("More matches", "Plus de parties"),
    "more_tournaments": ("More tournaments", "Plus de tournois"),
    "newer": ("Newer", "Plus récentes"),
    "newer_ones": ("Newer", "Plus récents"),
    "page": ("Page", "Page"),
    "older": ("Older", "Plus anciennes"),
    "older_ones": ("Older", "Plus anciens"),
    "about_match": ("About this match", "À propos de cette partie"),
    "stage": ("stage", "phase"),
    "round": ("round", "ronde"),
    "sandbox": ("sandbox", "bac à sable"),
    "rated": ("rated", "classée"),
    "yes": ("yes", "oui"),
    "no": ("no", "non"),
    "seats": ("Seats", "Places"),
    "computing": ("computing", "calcul"),
    "printed": ("Printed", "Affiché"),
    "no_replay": ("This match cannot be shown again:", "Cette partie ne peut être revue :"),
    # Leagues and submissions.
    "submissions": ("Submissions", "Inscriptions"),
    "state": ("state", "état"),
    "reason": ("reason", "raison"),
    "no_submissions": ("No submissions yet.", "Pas encore d'inscription."),
    "league": ("league", "ligue"),
    "token": ("Your token", "Votre jeton"),
    "token_about": (
        "A token says whose bots they are. The keeper of the leagues makes one:",
        "Un jeton dit à qui sont les robots. Le gardien des ligues en crée un :",
    ),
    "enter": ("Come in", "Entrer"),
    "leave": ("Leave", "Sortir"),
    "submit_about": (
        "A .py file, or a .zip or .tar.gz of a folder with a bot.toml: Python, or a program.",
        "Un fichier .py, ou un .zip ou .tar.gz d'un dossier avec bot.toml : Python ou programme.",
    ),
    "checked_when": (
        "A program is any language's, run over stdio. The next worker of the league checks it.",
        "Un programme, par stdio, est de tout langage. Le prochain ouvrier le contrôle.",
    ),
    "worker": (
        "A worker is there: what you hand in is checked in a moment.",
        "Un ouvrier est là : ce que vous envoyez est contrôlé dans un instant.",
    ),
    "no_worker": (
        "No worker is there now: what you hand in waits until the host starts one.",
        "Aucun ouvrier n'est là : ce que vous envoyez attend que l'hôte en lance un.",
    ),
    "kind": ("kind", "sorte"),
    "program": ("program over stdio", "programme par stdio"),
    "no_league": ("No league takes bots now.", "Aucune ligue ne prend de robots."),
    "file": ("File", "Fichier"),
    "files": ("Files", "Fichiers"),
    "upload": ("Upload", "Envoyer"),
    "mine": ("Your submissions", "Vos inscriptions"),
    "withdraw": ("Withdraw this bot", "Retirer ce robot"),
    "league_rules": ("The rules of this league", "Le règlement de cette ligue"),
    # A visitor's own game.
    "lobby_about": (
        "Take a seat against bots of the house. They play in the sandbox, on this machine.",
        "Prenez place contre les robots de la maison. Ils jouent dans le bac à sable, ici même.",
    ),
    "opponents": ("Opponents", "Rivaux"),
    "begin": ("Begin", "Commencer"),
    "your_game": ("Your game", "Votre partie"),
    "your_turn": ("Your turn", "À vous"),
    "you": ("you", "vous"),
    "just_now": ("What happened", "Ce qui s'est passé"),
    "thinking": ("The bots are thinking.", "Les robots réfléchissent."),
    "resign": ("Leave the table", "Quitter la table"),
    "over": ("The game is over. Your rank:", "La partie est finie. Votre rang :"),
    "again": ("Another game", "Une autre partie"),
    # When something is wrong.
    "problem": ("That did not work", "Cela n'a pas marché"),
    "api_about": (
        "Everything on these pages is also there for programs, as JSON. Its description:",
        "Tout ce que montrent ces pages existe aussi pour les programmes, en JSON. Description :",
    ),
    "parameters": ("parameters", "paramètres"),
    "answer": ("answer", "réponse"),
    "schemas": ("Shapes of the answers", "Formes des réponses"),
    "to_start": ("To the first page", "Vers la première page"),
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
    "built": ("built", "construite"),
    "flipped": ("conflict tokens flipped", "jetons conflit retournés"),
    "rank": ("rank", "rang"),
    "bot": ("bot", "robot"),
    "failed": ("failed", "en faute"),
    "failed_last": (
        "Seats whose bot failed come last, whatever the steward made of them.",
        "Les places au robot en faute sont dernières, quoi qu'en ait fait l'intendant.",
    ),
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
    "resigned": ("left the table", "a quitté la table"),
    "violation": ("broke out of bounds", "sortie des limites"),
}

# Of leagues and of submissions.
STATES: Final = {
    "CREATED": ("not open yet", "pas encore ouverte"),
    "OPEN": ("open", "ouverte"),
    "PAUSED": ("paused", "en pause"),
    "FROZEN": ("frozen", "gelée"),
    "CLOSED": ("closed", "close"),
    "RECEIVED": ("waits to be checked", "attend d'être contrôlé"),
    "ACCEPTED": ("accepted", "accepté"),
    "REJECTED": ("rejected", "refusé"),
    "RETIRED": ("replaced by a newer version", "remplacé par une version plus récente"),
    "WITHDRAWN": ("withdrawn", "retiré"),
    "SUSPENDED": ("suspended", "suspendu"),
    "RESUMED": ("accepted", "accepté"),
}


def word(key: str, lang: str) -> str:
    """A word of the pages in that language."""
    return say(WORDS[key], lang)


def game_name(id: str, lang: str) -> str:
    """What people call a game."""
    return say(GAMES[id], lang)


def rules_title(id: str, lang: str) -> str:
    """What the page with the rules of a game is called."""
    return word("rules", lang).format(game_name(id, lang))


def edition_name(id: str, lang: str) -> str:
    """What people call an edition."""
    return say(EDITIONS[id], lang)


def fault_name(kind: str, lang: str) -> str:
    """What went wrong with a bot."""
    return say(FAULTS[kind], lang)


def state_name(state: str, lang: str) -> str:
    """What became of a league or a submission."""
    return say(STATES[state], lang)


def wonder_name(game: str, id: str, lang: str) -> str:
    """What people call a wonder, with its side."""
    return _wonders(game, lang).get(id, id)


@cache
def _wonders(game: str, lang: str) -> dict[str, str]:
    """The names of the wonders of every edition, as the box has them."""
    rules = find(game)
    found = {}
    for edition in rules.editions or (None,):
        for sheet in display_of(game).components(edition, lang):
            if {"id", "name", "monument"} <= set(sheet.keys):
                for row in sheet.rows:
                    facts = dict(zip(sheet.keys, row, strict=True))
                    side = f" ({facts['side']})" if "side" in facts else ""
                    found[f"{facts['id']}"] = f"{facts['name']}{side}"
    return found
