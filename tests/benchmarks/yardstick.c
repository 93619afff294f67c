/*
 * The yardstick: random games of 7 Wonders Architects in plain C.
 *
 * It plays the games the engine plays: equal seeds give equal deals, options, choices and scores,
 * and the checksum it prints proves it. So its time is what the same work costs in C.
 *
 *     yardstick PLAYERS MEDALS EXPERT FIRST_SEED GAMES
 *
 * prints the checksum, the number of decisions and the CPU seconds. Wonders and dice are drawn
 * before the clock starts; deal (with the hash of its seed), play, scores and ranks are timed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Chance ---------------------------------------------------------------------------------- */

#define MULTIPLIER 2131995753ULL
#define DIGIT 0xFFFFFFFFULL

static uint32_t word(uint64_t *state) {
    *state = MULTIPLIER * (*state & DIGIT) + (*state >> 32);
    return (uint32_t)(*state ^ *state >> 32);
}

static uint32_t below(uint64_t *state, uint32_t bound) {
    uint64_t product = (uint64_t)word(state) * bound;
    if ((product & DIGIT) < bound) {
        uint64_t uneven = (DIGIT + 1) % bound;
        while ((product & DIGIT) < uneven)
            product = (uint64_t)word(state) * bound;
    }
    return (uint32_t)(product >> 32);
}

static void shuffle(uint64_t *state, uint8_t *cards, int count) {
    for (int last = count - 1; last > 0; last--) {
        int other = (int)below(state, (uint32_t)last + 1);
        uint8_t card = cards[last];
        cards[last] = cards[other];
        cards[other] = card;
    }
}

/* BLAKE2b of a message of one block, 16 bytes long. */
static void blake2b(const char *text, uint8_t digest[16]) {
    static const uint64_t iv[8] = {
        0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
        0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
    static const uint8_t order[10][16] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
        {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
        {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
        {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
        {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
        {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
        {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
        {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
        {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
        {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};
    static const uint8_t lines[8][4] = {{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14},
        {3, 7, 11, 15}, {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}};
    uint64_t block[16] = {0}, v[16];
    size_t length = strlen(text);
    for (size_t at = 0; at < length; at++)
        block[at / 8] |= (uint64_t)(uint8_t)text[at] << at % 8 * 8;
    memcpy(v, iv, sizeof iv);
    memcpy(v + 8, iv, sizeof iv);
    v[0] ^= 0x01010000 ^ 16;
    v[12] ^= length;
    v[14] = ~v[14];
#define TURN(x, n) ((x) = (x) >> (n) | (x) << (64 - (n)))
    for (int round = 0; round < 12; round++)
        for (int line = 0; line < 8; line++) {
            uint64_t *a = v + lines[line][0], *b = v + lines[line][1];
            uint64_t *c = v + lines[line][2], *d = v + lines[line][3];
            *a += *b + block[order[round % 10][2 * line]];
            *d ^= *a, TURN(*d, 32);
            *c += *d, *b ^= *c, TURN(*b, 24);
            *a += *b + block[order[round % 10][2 * line + 1]];
            *d ^= *a, TURN(*d, 16);
            *c += *d, *b ^= *c, TURN(*b, 63);
        }
    for (int at = 0; at < 16; at++) {
        uint64_t h = iv[at / 8] ^ v[at / 8] ^ v[at / 8 + 8];
        if (at < 8)
            h ^= 0x01010000 ^ 16;
        digest[at] = (uint8_t)(h >> at % 8 * 8);
    }
}

static uint64_t derive(int seed, const char *label) {
    char text[64];
    uint8_t digest[16];
    unsigned __int128 number = 0;
    snprintf(text, sizeof text, "%d/%s", seed, label);
    blake2b(text, digest);
    for (int at = 0; at < 16; at++)
        number = number << 8 | digest[at];
    return 1 + (uint64_t)(number % ((MULTIPLIER << 32) - 2));
}

/* ---- Components ------------------------------------------------------------------------------ */

enum { KINDS = 14, GREYS = 5, COIN = 5, SCIENCE = 8, STAGES = 5, DECK = 25, CENTRE_DECK = 60 };
enum { WONDERS = 9, BASE_WONDERS = 7, TOKENS = 17, MEDALS = 12, FACE_UP = 3, MOST_PLAYERS = 7 };
enum { NO_TOKEN = TOKENS, NO_MEDAL = MEDALS, NOBODY = -1, MOST_OPTIONS = 320, MOST_GIVEN = 64 };

/* wood stone clay papyrus glass coin civ3 civ2cat gear compass tablet red0 red1 red2 */
static const uint8_t colour[KINDS] = {0, 0, 0, 0, 0, 1, 2, 2, 3, 3, 3, 4, 4, 4};
static const uint8_t points[KINDS] = {[6] = 3, [7] = 2};
static const uint8_t cat_icon[KINDS] = {[7] = 1};
static const uint8_t shield[KINDS] = {[11] = 1, [12] = 1, [13] = 1};
static const uint8_t horns[KINDS] = {[12] = 1, [13] = 2};
static const uint8_t arms[KINDS] = {1, 4, 1, 2, 2, 4, 0, 0, 8, 8, 8, 0, 16, 16};

static const uint8_t starting[WONDERS + 1][KINDS] = {
    {2, 2, 2, 2, 1, 4, 2, 2, 2, 1, 1, 2, 1, 1}, /* Alexandria */
    {2, 1, 2, 2, 2, 3, 2, 2, 2, 2, 1, 2, 1, 1}, /* Babylon */
    {2, 2, 2, 2, 2, 3, 1, 2, 1, 2, 2, 2, 1, 1}, /* Ephesus */
    {2, 2, 1, 2, 2, 3, 2, 3, 1, 2, 1, 2, 2, 0}, /* Giza */
    {2, 2, 2, 1, 2, 3, 2, 2, 1, 1, 2, 2, 2, 1}, /* Halicarnassus */
    {1, 2, 2, 2, 2, 3, 1, 3, 1, 1, 2, 2, 2, 1}, /* Olympia */
    {2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 1}, /* Rhodes */
    {2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 3, 2, 1}, /* Rome */
    {2, 2, 2, 2, 2, 2, 1, 4, 1, 1, 2, 2, 1, 1}, /* Ur */
    {4, 4, 4, 4, 4, 6, 4, 8, 4, 4, 4, 4, 4, 2}, /* the centre */
};

/* Every wonder's stages cost 2 different, 2 alike, 3 different, 3 alike, 4 different. */
static const uint8_t cost[STAGES] = {2, 2, 3, 3, 4};
static const uint8_t alike[STAGES] = {0, 1, 0, 1, 0};
static const uint8_t stage_points[WONDERS][STAGES] = {
    {4, 3, 6, 5, 7}, {3, 0, 5, 5, 7}, {3, 3, 4, 5, 7}, {4, 5, 6, 7, 8}, {3, 3, 6, 5, 7},
    {3, 2, 5, 5, 7}, {4, 4, 5, 6, 7}, {4, 3, 5, 4, 7}, {3, 3, 6, 5, 7}};
static const uint8_t rests_on[WONDERS][STAGES] = { /* a bit for each stage */
    {0, 1, 2, 4, 8}, {0, 1, 2, 4, 4}, {0, 1, 1, 1, 14}, {0, 1, 2, 4, 8}, {0, 1, 2, 2, 12},
    {0, 1, 1, 6, 8}, {0, 0, 3, 4, 8}, {0, 0, 0, 7, 7}, {0, 1, 2, 4, 8}};
static const uint8_t has_effect[WONDERS] = {10, 10, 14, 0, 10, 10, 10, 10, 10}; /* likewise */
enum { ALEXANDRIA, BABYLON, EPHESUS, GIZA, HALICARNASSUS, OLYMPIA, RHODES, ROME, UR };

static const uint8_t copies[2][TOKENS] = { /* base game, with Medals */
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0, 0, 0},
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1}};
enum { EXTRA_TOKENS = 6, CULTURE_ID = 13 };
enum { ARCHITECTURE = 1 << 5, ECONOMY = 1 << 6, ENGINEERING = 1 << 7, TACTICS = 1 << 8,
    DECOR = 1 << 9, POLITICS = 1 << 10, STRATEGY = 1 << 11, EDUCATION = 1 << 12,
    CULTURE = 1 << 13, LOGISTICS = 1 << 14, DOMESTICATION = 1 << 15, ENTRENCHMENT = 1 << 16,
    CULTURE_2 = 1 << 17, CULTURE_3 = 1 << 18 };

/* What medals count: the five colours, then these. */
enum { RED_CARDS = 4, CAT_CARDS, HORNED_CARDS, ALL_CARDS, BUILT_STAGES, PROGRESS_TOKENS,
    MILITARY_TOKENS, CAT_PAWN };
static const struct { uint8_t what, least; } needs[MEDALS][4] = {
    {{2, 3}}, {{3, 3}}, {{0, 3}}, {{4, 3}}, {{3, 1}, {1, 1}, {2, 1}, {4, 1}},
    {{1, 1}, {CAT_CARDS, 1}, {HORNED_CARDS, 1}}, {{ALL_CARDS, 7}}, {{BUILT_STAGES, 3}},
    {{BUILT_STAGES, 2}, {CAT_PAWN, 1}}, {{PROGRESS_TOKENS, 2}},
    {{PROGRESS_TOKENS, 1}, {MILITARY_TOKENS, 1}, {CAT_PAWN, 1}}, {{0, 0}}};
enum { AT_BATTLE = 11 }; /* the medal that is claimed in a battle */

static const uint8_t conflicts[MOST_PLAYERS + 1] = {0, 0, 3, 3, 4, 5, 6, 6};

/* By set of grey kinds: how many, and one card of each in the layout of a payment. */
static uint8_t ones[1 << GREYS];
static int one_of_each[1 << GREYS];

static void fill_tables(void) {
    for (int set = 0; set < 1 << GREYS; set++)
        for (int kind = 0; kind < GREYS; kind++)
            if (set >> kind & 1) {
                ones[set]++;
                one_of_each[set] |= 1 << 3 * kind;
            }
}

/* ---- The table ------------------------------------------------------------------------------- */

enum { DRAW, ACT, ANY, PROGRESS, SIDE, PICK, STEAL, OVER };
enum { LEFT, RIGHT, CENTRE };
enum { TAKE = 0, END = 3, LOOK = 4, TAKE_DECK = 8, TOKEN = 32, TOKEN_STACK = 63, KEEP = 64,
    STUDY = 96, EXTRA = 128, STEAL_FROM = 256, BUILD = 1 << 24 };
enum { COINS_AT = 15, STAGE_AT = 18, BY_ECONOMY = 1 << 22, BY_ENGINEERING = 1 << 23 };

typedef struct {
    int players, medals, expert;
    int wonder[MOST_PLAYERS];
    uint8_t deck[MOST_PLAYERS * DECK + CENTRE_DECK];
    int size[MOST_PLAYERS + 1];
    int stock[MOST_PLAYERS + 1][KINDS];
    int cards[MOST_PLAYERS][KINDS];
    int built[MOST_PLAYERS], owned[MOST_PLAYERS], military[MOST_PLAYERS], won[MOST_PLAYERS];
    int face_up[FACE_UP];
    uint8_t stack[TOKENS + 2];
    int stacked;
    int medal[MOST_PLAYERS + 2];
    int given[MOST_GIVEN], given_count;
    int cat, flipped, turn, ask, armed, used, looking, peeked;
    uint64_t chance;
    int options[MOST_OPTIONS], offered;
} Table;

static int bits(int set) {
    int count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }
static int right_of(const Table *t, int seat) { return (seat + t->players - 1) % t->players; }
static void offer(Table *t, int action) { t->options[t->offered++] = action; }

static int deck_at(const Table *t, int which) {
    return which == CENTRE ? t->players : which == LEFT ? t->turn : right_of(t, t->turn);
}

/* ---- Medals ---------------------------------------------------------------------------------- */

static int count_of(const Table *t, int seat, int what) {
    int count = 0;
    switch (what) {
    case BUILT_STAGES: return bits(t->built[seat]);
    case PROGRESS_TOKENS: return bits(t->owned[seat]);
    case MILITARY_TOKENS: return t->military[seat];
    case CAT_PAWN: return t->cat == seat;
    }
    for (int kind = 0; kind < KINDS; kind++)
        if (what == ALL_CARDS || (what <= RED_CARDS && colour[kind] == what)
            || (what == CAT_CARDS && cat_icon[kind]) || (what == HORNED_CARDS && horns[kind]))
            count += t->cards[seat][kind];
    return count;
}

static void claim_place(Table *t, int place) {
    int medal = t->medal[place];
    if (medal == NO_MEDAL || medal == AT_BATTLE)
        return;
    for (int need = 0; need < 4 && needs[medal][need].least; need++)
        if (count_of(t, t->turn, needs[medal][need].what) < needs[medal][need].least)
            return;
    t->medal[place] = NO_MEDAL;
    t->won[t->turn]++;
}

static void claim(Table *t) {
    if (!t->medals)
        return;
    claim_place(t, t->turn);
    claim_place(t, right_of(t, t->turn));
    claim_place(t, t->players);
    claim_place(t, t->players + 1);
}

static void claim_at_battle(Table *t, int seat) {
    int places[2] = {seat, right_of(t, seat)};
    for (int at = 0; at < 2; at++)
        if (t->medal[places[at]] == AT_BATTLE) {
            t->medal[places[at]] = NO_MEDAL;
            t->won[seat]++;
        }
}

static void claim_from_centre(Table *t, int winners) {
    for (int place = t->players; winners && place < t->players + 2; place++)
        if (t->medal[place] == AT_BATTLE) {
            for (int seat = 0; seat < t->players; seat++)
                t->won[seat] += winners >> seat & 1;
            t->medal[place] = NO_MEDAL;
        }
}

/* ---- Gaining --------------------------------------------------------------------------------- */

static void gain(Table *t, int kind) {
    t->cards[t->turn][kind]++;
    if (cat_icon[kind])
        t->cat = t->turn;
    t->flipped = least(t->flipped + horns[kind], conflicts[t->players]);
    t->armed |= arms[kind] & t->owned[t->turn] & ~t->used;
    claim(t);
}

static int lift(Table *t, int deck) {
    int kind = t->deck[deck * DECK + --t->size[deck]];
    if (deck == t->players)
        t->peeked = 0;
    return kind;
}

static void take_top(Table *t, int deck) {
    int kind = lift(t, deck);
    t->stock[deck][kind]--;
    gain(t, kind);
}

static void take_if_any(Table *t, int deck) {
    if (t->size[deck])
        take_top(t, deck);
}

static void reveal_given(Table *t) {
    int kept = 0;
    for (int at = 0; at < t->given_count; at++) {
        int given = t->given[at], kind = given >> 4 & 15;
        if ((given & 15) == t->turn) {
            t->stock[t->players][kind]--;
            gain(t, kind);
        } else {
            t->given[kept++] = given;
        }
    }
    t->given_count = kept;
}

static void own_token(Table *t, int token) {
    int owned = t->owned[t->turn], bit = 1 << token;
    if (token == CULTURE_ID && owned & CULTURE)
        bit = owned & CULTURE_2 ? CULTURE_3 : CULTURE_2;
    t->owned[t->turn] = owned | bit;
    claim(t);
}

static void take_face_up(Table *t, int token) {
    int place = 0;
    while (t->face_up[place] != token)
        place++;
    t->face_up[place] = t->stacked ? t->stack[--t->stacked] : NO_TOKEN;
    own_token(t, token);
}

/* ---- Building -------------------------------------------------------------------------------- */

static int coins(const Table *t, int missing) {
    int pay = missing, code = 0;
    if (missing >= 2 && t->owned[t->turn] & ~t->used & ECONOMY) {
        pay = missing - 1;
        code = BY_ECONOMY;
    }
    return pay > t->cards[t->turn][COIN] ? -1 : code | pay << COINS_AT;
}

static int offer_different(Table *t, int stage) {
    const int *hand = t->cards[t->turn];
    int held = 0;
    for (int kind = 0; kind < GREYS; kind++)
        held |= (hand[kind] > 0) << kind;
    int types = ones[held], use = least(cost[stage], types), paid = coins(t, cost[stage] - use);
    int head = BUILD | stage << STAGE_AT | paid;
    if (paid < 0)
        return 0;
    if (use == types)
        offer(t, head | one_of_each[held]);
    else
        for (int set = 0; set < 1 << GREYS; set++)
            if ((set & held) == set && ones[set] == use)
                offer(t, head | one_of_each[set]);
    return 1;
}

static int offer_alike(Table *t, int stage) {
    const int *hand = t->cards[t->turn];
    int longest = 0;
    for (int kind = 0; kind < GREYS; kind++)
        longest = most(longest, hand[kind]);
    int use = least(cost[stage], longest), paid = coins(t, cost[stage] - use);
    int head = BUILD | stage << STAGE_AT | paid;
    if (paid < 0)
        return 0;
    if (use == 0)
        offer(t, head);
    else
        for (int kind = 0; kind < GREYS; kind++)
            if (hand[kind] >= use)
                offer(t, head | use << 3 * kind);
    return 1;
}

static void offer_any(Table *t, int stage) {
    const int *h = t->cards[t->turn];
    int use = least(cost[stage], h[0] + h[1] + h[2] + h[3] + h[4]);
    int paid = coins(t, cost[stage] - use), standard = alike[stage] ? use : 1;
    if (use < 2 || paid < 0)
        return;
    int head = BUILD | BY_ENGINEERING | stage << STAGE_AT | paid;
    for (int a = 0; a <= least(use, h[0]); a++)
        for (int b = 0; b <= least(use - a, h[1]); b++)
            for (int c = 0; c <= least(use - a - b, h[2]); c++)
                for (int d = 0; d <= least(use - a - b - c, h[3]); d++) {
                    int e = use - a - b - c - d;
                    if (e <= h[4] && most(most(most(a, b), most(c, d)), e) != standard)
                        offer(t, head | a | b << 3 | c << 6 | d << 9 | e << 12);
                }
}

static int offer_builds(Table *t) {
    int seat = t->turn, built = t->built[seat], mandatory = 0;
    const uint8_t *below_it = rests_on[t->wonder[seat]];
    for (int stage = 0; stage < STAGES; stage++) {
        if (built >> stage & 1 || (built & below_it[stage]) != below_it[stage])
            continue;
        mandatory |= alike[stage] ? offer_alike(t, stage) : offer_different(t, stage);
        if (t->owned[seat] & ~t->used & ENGINEERING)
            offer_any(t, stage);
    }
    return mandatory;
}

static void peek(Table *t) {
    if (t->size[t->players])
        t->peeked |= 1 << t->turn;
}

static void use_power(Table *t, int stage) {
    int wonder = t->wonder[t->turn];
    t->ask = ACT;
    if (!(has_effect[wonder] >> stage & 1))
        return;
    switch (wonder) {
    case ALEXANDRIA: t->ask = ANY; break;
    case BABYLON: t->ask = PROGRESS; break;
    case EPHESUS: take_if_any(t, t->players); break;
    case HALICARNASSUS: t->ask = SIDE; break;
    case OLYMPIA:
        take_if_any(t, deck_at(t, LEFT));
        take_if_any(t, deck_at(t, RIGHT));
        break;
    case ROME: t->ask = STEAL; break;
    case UR:
        t->cat = t->turn;
        peek(t);
        claim(t);
        t->ask = DRAW;
        break;
    }
}

static void build(Table *t, int action) {
    int *hand = t->cards[t->turn], stage = action >> STAGE_AT & 7;
    for (int kind = 0; kind < GREYS; kind++)
        hand[kind] -= action >> 3 * kind & 7;
    hand[COIN] -= action >> COINS_AT & 7;
    if (action & BY_ECONOMY)
        t->used |= ECONOMY;
    if (action & BY_ENGINEERING)
        t->used |= ENGINEERING;
    t->built[t->turn] |= 1 << stage;
    t->armed |= ARCHITECTURE & t->owned[t->turn] & ~t->used;
    claim(t);
    use_power(t, stage);
}

static void keep(Table *t, int kind) {
    int deck = t->looking, last = --t->size[deck], at = last;
    uint8_t *cards = t->deck + deck * DECK;
    while (cards[at] != kind)
        at--;
    for (; at < last; at++)
        cards[at] = cards[at + 1];
    t->looking = NOBODY;
    t->stock[deck][kind]--;
    shuffle(&t->chance, cards, last);
    t->ask = ACT;
    gain(t, kind);
}

static void steal(Table *t, int victim, int kind) {
    t->cards[victim][kind]--;
    t->ask = ACT;
    gain(t, kind);
    if (t->size[t->players]) {
        int knowing = t->peeked;
        t->given[t->given_count++] = victim | lift(t, t->players) << 4 | knowing << 8;
    }
}

/* ---- Battle and score ------------------------------------------------------------------------ */

static int shields(const Table *t, int seat) {
    int count = t->owned[seat] & TACTICS ? 2 : 0;
    for (int kind = 0; kind < KINDS; kind++)
        count += t->cards[seat][kind] * shield[kind];
    if (t->wonder[seat] == RHODES)
        count += bits(t->built[seat] & has_effect[RHODES]);
    return count;
}

static void fight(Table *t) {
    int n = t->players, winners = 0, force[MOST_PLAYERS];
    for (int seat = 0; seat < n; seat++)
        force[seat] = shields(t, seat);
    for (int seat = 0; seat < n; seat++) {
        int own = force[seat], left = force[(seat + 1) % n], right = force[right_of(t, seat)];
        int gained = (own > left) + (n > 2 ? own > right : own > left && own >= 2 * left);
        t->military[seat] += gained;
        if (gained == 2) {
            winners |= 1 << seat;
            claim_at_battle(t, seat);
        }
    }
    claim_from_centre(t, winners);
    for (int seat = 0; seat < n; seat++)
        for (int kind = 0; kind < KINDS; kind++)
            if (horns[kind] && !(t->owned[seat] & ENTRENCHMENT))
                t->cards[seat][kind] = 0;
    t->flipped = 0;
    claim(t);
}

static int total(const Table *t, int seat) {
    const int *hand = t->cards[seat];
    int owned = t->owned[seat], built = t->built[seat];
    int sum = 3 * t->military[seat] + 4 * t->won[seat] + (t->cat == seat ? 2 : 0);
    for (int stage = 0; stage < STAGES; stage++)
        if (built >> stage & 1)
            sum += stage_points[t->wonder[seat]][stage];
    for (int kind = 0; kind < KINDS; kind++) {
        sum += hand[kind] * points[kind];
        if (owned & POLITICS)
            sum += hand[kind] * cat_icon[kind];
        if (owned & LOGISTICS && kind < GREYS)
            sum += 2 * hand[kind];
    }
    if (owned & DECOR)
        sum += built == (1 << STAGES) - 1 ? 6 : 4;
    if (owned & STRATEGY)
        sum += t->military[seat];
    if (owned & EDUCATION)
        sum += 2 * bits(owned);
    return sum + (owned & CULTURE_3 ? 16 : owned & CULTURE_2 ? 12 : owned & CULTURE ? 4 : 0);
}

/* ---- The turn -------------------------------------------------------------------------------- */

static void start_turn(Table *t) {
    t->armed = t->used = 0;
    claim(t);
    reveal_given(t);
    if (t->cat == t->turn || t->owned[t->turn] & DOMESTICATION)
        peek(t);
    t->ask = DRAW;
}

static void end_turn(Table *t) {
    if (t->flipped == conflicts[t->players])
        fight(t);
    int empty = 0;
    while (empty <= t->players && t->size[empty] == 0)
        empty++;
    if (t->built[t->turn] == (1 << STAGES) - 1 || empty > t->players) {
        t->ask = OVER;
        return;
    }
    t->turn = (t->turn + 1) % t->players;
    start_turn(t);
}

static void offer_takes(Table *t, int head) {
    for (int which = LEFT; which <= CENTRE; which++)
        if (t->size[deck_at(t, which)])
            offer(t, head + which);
}

static void offer_acts(Table *t) {
    int mandatory = offer_builds(t);
    const int *science = t->cards[t->turn] + SCIENCE, *open = t->face_up;
    if (t->stacked || open[0] != NO_TOKEN || open[1] != NO_TOKEN || open[2] != NO_TOKEN) {
        for (int at = 0; at < 3; at++)
            if (science[at] > 1) {
                offer(t, STUDY + at);
                mandatory = 1;
            }
        if (science[0] && science[1] && science[2]) {
            offer(t, STUDY + 3);
            mandatory = 1;
        }
    }
    for (int token = 0; t->armed && token < EXTRA_TOKENS; token++)
        if (t->armed >> token & 1)
            offer_takes(t, EXTRA + token * 4);
    if (!mandatory)
        offer(t, END);
}

static void offer_tokens(Table *t) {
    const int *open = t->face_up;
    for (int place = 0; place < FACE_UP; place++)
        if (open[place] != NO_TOKEN && !(place > 0 && open[0] == open[place])
            && !(place > 1 && open[1] == open[place]))
            offer(t, TOKEN + open[place]);
    if (t->stacked)
        offer(t, TOKEN_STACK);
}

static void offer_picks(Table *t) {
    int top = t->size[t->looking], kinds = 0;
    for (int at = most(0, top - 5); at < top; at++)
        kinds |= 1 << t->deck[t->looking * DECK + at];
    for (int kind = 0; kind < KINDS; kind++)
        if (kinds >> kind & 1)
            offer(t, KEEP + kind);
}

static void offer_all(Table *t) {
    t->offered = 0;
    switch (t->ask) {
    case DRAW: offer_takes(t, TAKE); break;
    case ACT: offer_acts(t); break;
    case ANY:
        for (int deck = 0; deck < t->players; deck++)
            if (t->size[deck])
                offer(t, TAKE_DECK + deck);
        if (t->size[t->players])
            offer(t, TAKE + CENTRE);
        break;
    case PROGRESS: offer_tokens(t); break;
    case SIDE:
        for (int which = LEFT; which <= RIGHT; which++)
            if (t->size[deck_at(t, which)])
                offer(t, LOOK + which);
        break;
    case PICK: offer_picks(t); break;
    case STEAL:
        for (int seat = 0; seat < t->players; seat++)
            for (int kind = 0; seat != t->turn && kind < KINDS; kind++)
                if (t->cards[seat][kind])
                    offer(t, STEAL_FROM + seat * 16 + kind);
        break;
    }
}

static void study(Table *t, int choice) {
    int *science = t->cards[t->turn] + SCIENCE;
    if (choice < 3)
        science[choice] -= 2;
    else
        science[0]--, science[1]--, science[2]--;
    t->ask = PROGRESS;
}

static void step(Table *t, int action) {
    if (action >= BUILD) {
        build(t, action);
    } else if (action >= STEAL_FROM) {
        steal(t, (action - STEAL_FROM) >> 4, action & 15);
    } else if (action >= EXTRA) {
        int token = 1 << ((action - EXTRA) >> 2);
        t->used |= token;
        t->armed &= ~token;
        take_top(t, deck_at(t, action & 3));
    } else if (action >= STUDY) {
        study(t, action - STUDY);
    } else if (action >= KEEP) {
        keep(t, action - KEEP);
    } else if (action >= TOKEN) {
        t->ask = ACT;
        if (action == TOKEN_STACK)
            own_token(t, t->stack[--t->stacked]);
        else
            take_face_up(t, action - TOKEN);
    } else if (action >= TAKE_DECK) {
        t->ask = ACT;
        take_top(t, action - TAKE_DECK);
    } else if (action >= LOOK) {
        t->looking = deck_at(t, action - LOOK);
        t->ask = PICK;
    } else if (action == END) {
        end_turn(t);
    } else {
        t->ask = ACT;
        take_top(t, deck_at(t, action - TAKE));
    }
}

static void advance(Table *t) {
    while (t->ask != OVER) {
        offer_all(t);
        if (t->offered > 1)
            return;
        if (t->offered == 1)
            step(t, t->options[0]);
        else
            t->ask = ACT;
    }
}

/* ---- Games ----------------------------------------------------------------------------------- */

static void deal(Table *t, uint64_t rng) {
    uint8_t tokens[TOKENS + 2], medals[MEDALS];
    int count = 0, n = t->players;
    for (int deck = 0; deck <= n; deck++)
        for (int kind = 0; kind < KINDS; kind++) {
            t->stock[deck][kind] = starting[deck == n ? WONDERS : t->wonder[deck]][kind];
            for (int copy = 0; copy < t->stock[deck][kind]; copy++)
                t->deck[deck * DECK + t->size[deck]++] = (uint8_t)kind;
        }
    for (int deck = 0; deck <= n; deck++)
        shuffle(&rng, t->deck + deck * DECK, t->size[deck]);
    for (int token = 0; token < TOKENS; token++)
        for (int copy = 0; copy < copies[t->medals][token]; copy++)
            tokens[count++] = (uint8_t)token;
    shuffle(&rng, tokens, count);
    for (int place = 0; place < FACE_UP; place++)
        t->face_up[place] = tokens[place];
    while (t->stacked < count - FACE_UP)
        t->stack[t->stacked] = tokens[count - 1 - t->stacked], t->stacked++;
    for (int place = 0; place < MOST_PLAYERS + 2; place++)
        t->medal[place] = NO_MEDAL;
    if (t->medals) {
        for (int medal = 0; medal < MEDALS; medal++)
            medals[medal] = (uint8_t)medal;
        shuffle(&rng, medals, MEDALS);
        for (int place = 0; place < n + (t->expert ? 2 : 0); place++)
            t->medal[place] = medals[place];
    }
    t->chance = (uint64_t)(1 + below(&rng, MULTIPLIER - 1)) << 32;
    t->chance |= word(&rng);
    t->cat = t->looking = NOBODY;
    start_turn(t);
    advance(t);
}

typedef struct {
    int wonder[MOST_PLAYERS];
    uint64_t dice;
} Start;

static Start prepare(int players, int medals, int seed) {
    Start start = {.dice = derive(seed, "playout")};
    uint64_t rng = derive(seed, "wonders");
    int box[WONDERS], left = medals ? WONDERS : BASE_WONDERS;
    for (int wonder = 0; wonder < left; wonder++)
        box[wonder] = wonder;
    for (int seat = 0; seat < players; seat++) {
        int drawn = (int)below(&rng, (uint32_t)left--);
        start.wonder[seat] = box[drawn];
        for (int at = drawn; at < left; at++)
            box[at] = box[at + 1];
    }
    return start;
}

static uint64_t mix(uint64_t sum, int number) {
    return (sum ^ (uint64_t)number) * 1099511628211ULL;
}

int main(int argc, char **argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: yardstick PLAYERS MEDALS EXPERT FIRST_SEED GAMES\n");
        return 2;
    }
    int players = atoi(argv[1]), medals = atoi(argv[2]), expert = atoi(argv[3]);
    int first = atoi(argv[4]), games = atoi(argv[5]);
    if (players < 2 || players > MOST_PLAYERS || games < 1) {
        fprintf(stderr, "yardstick: expected 2 to 7 players and at least one game\n");
        return 2;
    }
    Start *starts = malloc((size_t)games * sizeof *starts);
    if (starts == NULL)
        return 1;
    fill_tables();
    for (int game = 0; game < games; game++)
        starts[game] = prepare(players, medals, first + game);

    uint64_t sum = 14695981039346656037ULL;
    long decisions = 0;
    clock_t begin = clock();
    for (int game = 0; game < games; game++) {
        Table table = {.players = players, .medals = medals, .expert = expert};
        int standing[MOST_PLAYERS], asked = 0;
        memcpy(table.wonder, starts[game].wonder, sizeof table.wonder);
        deal(&table, derive(first + game, "deal"));
        for (; table.ask != OVER; asked++) {
            step(&table, table.options[below(&starts[game].dice, (uint32_t)table.offered)]);
            advance(&table);
        }
        for (int seat = 0; seat < players; seat++) {
            int score = total(&table, seat);
            sum = mix(sum, score);
            standing[seat] = score * 8 + bits(table.built[seat]);
        }
        for (int seat = 0; seat < players; seat++) {
            int ahead = 0;
            for (int other = 0; other < players; other++)
                ahead += standing[other] > standing[seat];
            sum = mix(sum, ahead);
        }
        sum = mix(sum, asked);
        decisions += asked;
    }
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    printf("%016llx %ld %.6f\n", (unsigned long long)sum, decisions, seconds);
    free(starts);
    return 0;
}
