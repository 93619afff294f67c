"""What people read: names, effects and labels in English and French."""

from typing import Final

from arena.display.scene import POINTS, Forms, counted, say

# Cards, by name; the English ones are in the tables.
CARDS_FR: Final = {
    "clay_pit": "Fosse argileuse",
    "clay_pool": "Bassin argileux",
    "excavation": "Excavation",
    "forest_cave": "Gisement",
    "lumber_yard": "Chantier",
    "mine": "Mine",
    "ore_vein": "Filon",
    "stone_pit": "Cavité",
    "timber_yard": "Exploitation forestière",
    "tree_farm": "Friche",
    "glassworks": "Verrerie",
    "loom": "Métier à tisser",
    "press": "Presse",
    "altar": "Autel",
    "baths": "Bains",
    "theater": "Théâtre",
    "well": "Puits",
    "east_trading_post": "Comptoir Est",
    "marketplace": "Marché",
    "tavern": "Taverne",
    "west_trading_post": "Comptoir Ouest",
    "barracks": "Caserne",
    "guard_tower": "Tour de garde",
    "stockade": "Palissade",
    "apothecary": "Officine",
    "scriptorium": "Scriptorium",
    "workshop": "Atelier",
    "brickyard": "Briqueterie",
    "foundry": "Fonderie",
    "quarry": "Carrière",
    "sawmill": "Scierie",
    "aqueduct": "Aqueduc",
    "courthouse": "Tribunal",
    "statue": "Statue",
    "temple": "Temple",
    "bazar": "Bazar",
    "caravansery": "Caravansérail",
    "forum": "Forum",
    "vineyard": "Vignoble",
    "archery_range": "Champs de tir",
    "stables": "Écuries",
    "training_ground": "Place d'armes",
    "walls": "Muraille",
    "dispensary": "Dispensaire",
    "laboratory": "Laboratoire",
    "library": "Bibliothèque",
    "school": "École",
    "gardens": "Jardins",
    "palace": "Palace",
    "pantheon": "Panthéon",
    "senate": "Sénat",
    "town_hall": "Hôtel de ville",
    "arena": "Arène",
    "chamber_of_commerce": "Chambre de commerce",
    "haven": "Port",
    "lighthouse": "Phare",
    "ludus": "Ludus",
    "arsenal": "Arsenal",
    "castrum": "Castrum",
    "circus": "Cirque",
    "fortifications": "Fortifications",
    "siege_workshop": "Atelier de siège",
    "academy": "Académie",
    "lodge": "Loge",
    "observatory": "Observatoire",
    "study": "Étude",
    "university": "Université",
    "builders_guild": "Guilde des bâtisseurs",
    "craftsmens_guild": "Guilde des artisans",
    "decorators_guild": "Guilde des décorateurs",
    "magistrates_guild": "Guilde des magistrats",
    "philosophers_guild": "Guilde des philosophes",
    "scientists_guild": "Guilde des scientifiques",
    "shipowners_guild": "Guilde des armateurs",
    "spies_guild": "Guilde des espions",
    "traders_guild": "Guilde des commerçants",
    "workers_guild": "Guilde des travailleurs",
    "pawnshop": "Prêteur sur gages",
    "strategists_guild": "Guilde des stratèges",
}

# Wonders: their names, and their monuments.
WONDERS: Final = {
    "alexandria": ("Alexandria", "Alexandrie"),
    "babylon": ("Babylon", "Babylone"),
    "ephesos": ("Éphesos", "Éphèse"),
    "gizah": ("Gizah", "Gizeh"),
    "halikarnassos": ("Halikarnassos", "Halicarnasse"),
    "olympia": ("Olympía", "Olympie"),
    "rhodos": ("Rhódos", "Rhodes"),
}
MONUMENTS: Final = {
    "alexandria": ("Lighthouse", "Phare"),
    "babylon": ("Hanging Gardens", "Jardins suspendus"),
    "ephesos": ("Temple of Artemis", "Temple d'Artémis"),
    "gizah": ("Pyramids", "Pyramides"),
    "halikarnassos": ("Mausoleum", "Mausolée"),
    "olympia": ("Statue of Zeus", "Statue de Zeus"),
    "rhodos": ("Colossus", "Colosse"),
}
SIDES: Final = {
    "a": ("side A", "face A"),
    "b": ("side B", "face B"),
    "day": ("Day", "Jour"),
    "night": ("Night", "Nuit"),
}

RESOURCES: Final = {
    "W": ("wood", "bois"),
    "S": ("stone", "pierre"),
    "O": ("ore", "minerai"),
    "C": ("clay", "argile"),
    "G": ("glass", "verre"),
    "P": ("papyrus", "papyrus"),
    "L": ("cloth", "tissu"),
    "$": ("coin", "pièce"),
}
SYMBOLS: Final = (
    ("compass", "compas"),
    ("gear", "engrenage"),
    ("tablet", "tablette"),
    ("any science symbol", "symbole scientifique au choix"),
)
COLOURS: Final = {
    "brown": ("brown", "marron"),
    "grey": ("grey", "grise"),
    "blue": ("blue", "bleue"),
    "yellow": ("yellow", "jaune"),
    "red": ("red", "rouge"),
    "green": ("green", "verte"),
    "purple": ("purple", "violette"),
}

# What is counted: colours of cards, then the rest.
COUNTED: Final = (
    *((f"{en} card", f"carte {fr}") for en, fr in COLOURS.values()),
    ("wonder stage", "étape de merveille"),
    ("defeat token", "jeton défaite"),
    ("completed wonder", "merveille achevée"),
)
# Where it is counted or bought, by the bits of own, left and right.
PLACES: Final = {
    1: ("in your city", "dans votre cité"),
    2: ("on the left", "à gauche"),
    4: ("on the right", "à droite"),
    6: ("in the neighbouring cities", "dans les cités voisines"),
    7: ("in your city and beside it", "dans votre cité et les cités voisines"),
}

POWERS: Final = {
    1: (
        "play the seventh card of each age as well",
        "joue aussi la septième carte de chaque âge",
    ),
    2: ("once an age, build a card for nothing", "une fois par âge, construit une carte gratuite"),
    4: ("score one guild of a neighbour", "compte une guilde d'un voisin"),
    8: (
        "the first card of each colour costs nothing",
        "la première carte de chaque couleur est gratuite",
    ),
    16: ("the first card of an age costs nothing", "la première carte d'un âge est gratuite"),
    32: ("the sixth card of an age costs nothing", "la sixième carte d'un âge est gratuite"),
    64: (
        "build a card of the discard pile for nothing",
        "construit gratuitement une carte de la défausse",
    ),
}

# By kind of effect: what is given, filled in.
EFFECTS: Final = {
    "points": ("{} point{}", "{} point{}"),
    "coins": ("{} coin{}", "{} pièce{}"),
    "shields": ("{} shield{}", "{} bouclier{}"),
    "discount": ("{} for 1 coin {}", "{} pour 1 pièce {}"),
    "coins each": ("{} coin{} for each {} {}", "{} pièce{} par {} {}"),
    "points each": ("{} point{} for each {} {}", "{} point{} par {} {}"),
}

# A move, in words that suit any subject.
MOVES: Final = {
    "build": ("build {}", "construire {}"),
    "stage": ("bury {} for a stage", "enterrer {} pour une étape"),
    "sell": ("sell {}", "vendre {}"),
    "free": ("build {} for nothing", "construire {} gratuitement"),
    "revive": ("build {} out of the discard pile", "construire {} depuis la défausse"),
    "pass": ("pass", "passer"),
    "pay": (", paying {}", ", en payant {}"),
}

PAYMENTS: Final = (("{} to the left", "{} à gauche"), ("{} to the right", "{} à droite"))
AND: Final = (" and ", " et ")

# What others see of a move that hides its card.
CLOSED_MOVES: Final = {
    "stage": ("bury a card for a stage", "enterrer une carte pour une étape"),
    "sell": ("sell a card", "vendre une carte"),
}

# The score pad.
SCORES: Final = {
    "scores": ("Score pad", "Feuille de score"),
    "city": ("city", "cité"),
    "seat": ("seat", "place"),
    "wonder": ("wonder", "merveille"),
    "treasure": ("treasure", "trésor"),
    "military": ("military", "militaire"),
    "civil": ("civil", "civil"),
    "commerce": ("commerce", "commerce"),
    "science": ("science", "science"),
    "guilds": ("guilds", "guildes"),
    "total": ("total", "total"),
}

TIES: Final = ("{} each: coins decide; {}", "{} chacun : les pièces décident ; {}")

PROMPTS: Final = (
    ("everybody chooses a card", "chacun choisit une carte"),
    ("the last card may be played", "la dernière carte peut être jouée"),
    ("a card may be built from the discard pile", "une carte de la défausse peut être construite"),
    ("game over", "partie terminée"),
)

LABELS: Final = {
    "cards": ("cards", "cartes"),
    "boards": ("wonder boards", "plateaux merveilles"),
    "stages": ("stages", "étapes"),
    "id": ("id", "id"),
    "name": ("name", "nom"),
    "age": ("age", "âge"),
    "turn": ("turn", "tour"),
    "colour": ("colour", "couleur"),
    "cost": ("cost", "coût"),
    "effect": ("effect", "effet"),
    "copies": ("copies, by players", "exemplaires, par joueurs"),
    "free_from": ("free from", "gratuite avec"),
    "chains_to": ("chains to", "enchaîne vers"),
    "wonder": ("wonder", "merveille"),
    "side": ("side", "face"),
    "monument": ("monument", "monument"),
    "starts_with": ("starts with", "commence avec"),
    "stage": ("stage", "étape"),
    "guild": ("guild", "guilde"),
    "coins": ("coins", "pièces"),
    "military": ("military", "militaire"),
    "hand": ("hand", "main"),
    "remembered": ("of", "parmi"),
    "table": ("table", "table"),
    "discards": ("discard pile", "défausse"),
}

# One and several.
COUNTS: Final[dict[str, Forms]] = {
    "cards": (("card", "cards"), ("carte", "cartes")),
    "coins": (("coin", "coins"), ("pièce", "pièces")),
    "points": POINTS,
    "shields": (("shield", "shields"), ("bouclier", "boucliers")),
    "victories": (("point won", "points won"), ("point gagné", "points gagnés")),
    "defeats": (("defeat", "defeats"), ("défaite", "défaites")),
    "hidden": (("hidden", "hidden"), ("cachée", "cachées")),
}

LEGEND: Final = (
    (
        "stages: cost: what they give; ✓ is built; they are built from the first to the last",
        "étapes : coût : ce qu'elles donnent ; ✓ construite ; de la première à la dernière",
    ),
    (
        "points won and defeats: of battles; each defeat is a point less",
        "points gagnés et défaites : des batailles ; chaque défaite coûte un point",
    ),
)


def count(value: int, key: str, lang: str) -> str:
    """So many of something in that language."""
    return counted(value, COUNTS[key], lang)


def label(key: str, lang: str) -> str:
    """A label in that language."""
    return say(LABELS[key], lang)
