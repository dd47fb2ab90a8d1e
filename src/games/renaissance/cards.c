/* The 48 development cards, the 16 leaders and the seven tokens, as printed, and their names. In a file of
 * its own because it is data. */
#include "games/renaissance/renaissance.h"

#include <assert.h>
#include <stdio.h>

/* Short names for the tables alone. */
enum {
    P = RENAISSANCE_CARD_PURPLE,
    Y = RENAISSANCE_CARD_YELLOW,
    G = RENAISSANCE_CARD_GREEN,
    B = RENAISSANCE_CARD_BLUE
};

/* clang-format off */
/* Resources are coins, stones, servants, shields. By the number of the card: level by level, rank by rank,
 * green, purple, blue, yellow. */
static const struct renaissance_card cards[RENAISSANCE_CARDS + 1] = {
    /* level, colour, points, cost, input, output, faith */
    [1] = {1, G, 1, {0, 0, 0, 2}, {1, 0, 0, 0}, {0, 0, 0, 0}, 1},
    [2] = {1, P, 1, {0, 0, 2, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}, 1},
    [3] = {1, B, 1, {2, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}, 1},
    [4] = {1, Y, 1, {0, 2, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}, 1},
    [5] = {1, G, 2, {0, 1, 1, 1}, {0, 1, 0, 0}, {0, 0, 1, 0}, 0},
    [6] = {1, P, 2, {1, 0, 1, 1}, {1, 0, 0, 0}, {0, 0, 0, 1}, 0},
    [7] = {1, B, 2, {1, 1, 1, 0}, {0, 0, 1, 0}, {0, 1, 0, 0}, 0},
    [8] = {1, Y, 2, {1, 1, 0, 1}, {0, 0, 0, 1}, {1, 0, 0, 0}, 0},
    [9] = {1, G, 3, {0, 0, 0, 3}, {0, 0, 2, 0}, {1, 1, 0, 1}, 0},
    [10] = {1, P, 3, {0, 0, 3, 0}, {2, 0, 0, 0}, {0, 1, 1, 1}, 0},
    [11] = {1, B, 3, {3, 0, 0, 0}, {0, 2, 0, 0}, {1, 0, 1, 1}, 0},
    [12] = {1, Y, 3, {0, 3, 0, 0}, {0, 0, 0, 2}, {1, 1, 1, 0}, 0},
    [13] = {1, G, 4, {2, 0, 0, 2}, {0, 1, 1, 0}, {2, 0, 0, 0}, 1},
    [14] = {1, P, 4, {0, 2, 2, 0}, {1, 0, 0, 1}, {0, 2, 0, 0}, 1},
    [15] = {1, B, 4, {2, 0, 2, 0}, {0, 1, 0, 1}, {0, 0, 2, 0}, 1},
    [16] = {1, Y, 4, {0, 2, 0, 2}, {1, 0, 1, 0}, {0, 0, 0, 2}, 1},
    [17] = {2, G, 5, {0, 0, 0, 4}, {0, 1, 0, 0}, {0, 0, 0, 0}, 2},
    [18] = {2, P, 5, {0, 0, 4, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}, 2},
    [19] = {2, B, 5, {4, 0, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}, 2},
    [20] = {2, Y, 5, {0, 4, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}, 2},
    [21] = {2, G, 6, {0, 0, 2, 3}, {0, 0, 1, 1}, {0, 3, 0, 0}, 0},
    [22] = {2, P, 6, {2, 0, 3, 0}, {1, 0, 1, 0}, {0, 0, 0, 3}, 0},
    [23] = {2, B, 6, {3, 2, 0, 0}, {1, 1, 0, 0}, {0, 0, 3, 0}, 0},
    [24] = {2, Y, 6, {0, 3, 0, 2}, {0, 1, 0, 1}, {3, 0, 0, 0}, 0},
    [25] = {2, G, 7, {0, 0, 0, 5}, {2, 0, 0, 0}, {0, 2, 0, 0}, 2},
    [26] = {2, P, 7, {0, 0, 5, 0}, {0, 2, 0, 0}, {2, 0, 0, 0}, 2},
    [27] = {2, B, 7, {5, 0, 0, 0}, {0, 0, 2, 0}, {0, 0, 0, 2}, 2},
    [28] = {2, Y, 7, {0, 5, 0, 0}, {0, 0, 0, 2}, {0, 0, 2, 0}, 2},
    [29] = {2, G, 8, {3, 0, 0, 3}, {1, 0, 0, 0}, {0, 0, 0, 2}, 1},
    [30] = {2, P, 8, {0, 0, 3, 3}, {0, 1, 0, 0}, {0, 0, 2, 0}, 1},
    [31] = {2, B, 8, {3, 3, 0, 0}, {0, 0, 1, 0}, {0, 2, 0, 0}, 1},
    [32] = {2, Y, 8, {0, 3, 3, 0}, {0, 0, 0, 1}, {2, 0, 0, 0}, 1},
    [33] = {3, G, 9, {0, 0, 0, 6}, {2, 0, 0, 0}, {0, 3, 0, 0}, 2},
    [34] = {3, P, 9, {0, 0, 6, 0}, {0, 2, 0, 0}, {3, 0, 0, 0}, 2},
    [35] = {3, B, 9, {6, 0, 0, 0}, {0, 0, 2, 0}, {0, 0, 0, 3}, 2},
    [36] = {3, Y, 9, {0, 6, 0, 0}, {0, 0, 0, 2}, {0, 0, 3, 0}, 2},
    [37] = {3, G, 10, {0, 0, 2, 5}, {1, 0, 1, 0}, {0, 2, 0, 2}, 1},
    [38] = {3, P, 10, {2, 0, 5, 0}, {0, 1, 0, 1}, {2, 0, 2, 0}, 1},
    [39] = {3, B, 10, {5, 2, 0, 0}, {1, 0, 0, 1}, {0, 2, 2, 0}, 1},
    [40] = {3, Y, 10, {0, 5, 2, 0}, {0, 1, 1, 0}, {2, 0, 0, 2}, 1},
    [41] = {3, G, 11, {0, 0, 0, 7}, {0, 0, 1, 0}, {1, 0, 0, 0}, 3},
    [42] = {3, P, 11, {0, 0, 7, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, 3},
    [43] = {3, B, 11, {7, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}, 3},
    [44] = {3, Y, 11, {0, 7, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}, 3},
    [45] = {3, G, 12, {4, 0, 0, 4}, {0, 1, 0, 0}, {3, 0, 0, 1}, 0},
    [46] = {3, P, 12, {0, 0, 4, 4}, {1, 0, 0, 0}, {0, 3, 1, 0}, 0},
    [47] = {3, B, 12, {4, 4, 0, 0}, {0, 0, 1, 0}, {1, 0, 0, 3}, 0},
    [48] = {3, Y, 12, {0, 4, 4, 0}, {0, 0, 0, 1}, {0, 1, 3, 0}, 0},
};

/* Cards asked for are purple, yellow, green, blue. */
static const struct renaissance_leader leaders[RENAISSANCE_LEADERS + 1] = {
    /* ability, kind, points, resources, cards, cards of level 2 */
    [1] = {RENAISSANCE_DISCOUNT, RENAISSANCE_SERVANTS, 2, {0, 0, 0, 0}, {0, 1, 1, 0}, {0, 0, 0, 0}},
    [2] = {RENAISSANCE_DISCOUNT, RENAISSANCE_SHIELDS, 2, {0, 0, 0, 0}, {1, 0, 0, 1}, {0, 0, 0, 0}},
    [3] = {RENAISSANCE_DISCOUNT, RENAISSANCE_STONES, 2, {0, 0, 0, 0}, {0, 0, 1, 1}, {0, 0, 0, 0}},
    [4] = {RENAISSANCE_DISCOUNT, RENAISSANCE_COINS, 2, {0, 0, 0, 0}, {1, 1, 0, 0}, {0, 0, 0, 0}},
    [5] = {RENAISSANCE_STORE, RENAISSANCE_STONES, 3, {5, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
    [6] = {RENAISSANCE_STORE, RENAISSANCE_SERVANTS, 3, {0, 5, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
    [7] = {RENAISSANCE_STORE, RENAISSANCE_SHIELDS, 3, {0, 0, 5, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
    [8] = {RENAISSANCE_STORE, RENAISSANCE_COINS, 3, {0, 0, 0, 5}, {0, 0, 0, 0}, {0, 0, 0, 0}},
    [9] = {RENAISSANCE_EXCHANGE, RENAISSANCE_SERVANTS, 5, {0, 0, 0, 0}, {0, 2, 0, 1}, {0, 0, 0, 0}},
    [10] = {RENAISSANCE_EXCHANGE, RENAISSANCE_SHIELDS, 5, {0, 0, 0, 0}, {1, 0, 2, 0}, {0, 0, 0, 0}},
    [11] = {RENAISSANCE_EXCHANGE, RENAISSANCE_STONES, 5, {0, 0, 0, 0}, {0, 1, 0, 2}, {0, 0, 0, 0}},
    [12] = {RENAISSANCE_EXCHANGE, RENAISSANCE_COINS, 5, {0, 0, 0, 0}, {2, 0, 1, 0}, {0, 0, 0, 0}},
    [13] = {RENAISSANCE_PRODUCTION, RENAISSANCE_SHIELDS, 4, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}},
    [14] = {RENAISSANCE_PRODUCTION, RENAISSANCE_SERVANTS, 4, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}},
    [15] = {RENAISSANCE_PRODUCTION, RENAISSANCE_STONES, 4, {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}},
    [16] = {RENAISSANCE_PRODUCTION, RENAISSANCE_COINS, 4, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, 0}},
};
/* clang-format on */

/* R33 */
static const char *const token_texts[RENAISSANCE_TOKENS + 1] = {
    NULL,
    "two green cards discarded",
    "two yellow cards discarded",
    "two blue cards discarded",
    "two purple cards discarded",
    "two faith steps",
    "two faith steps",
    "one faith step, tokens shuffled",
};

static const char *const resource_words[RENAISSANCE_KINDS] = {"COINS", "STONES", "SERVANTS", "SHIELDS"};
static const char *const marble_words[RENAISSANCE_MARBLE_COLOURS] = {"WHITE",  "RED",  "BLUE",
                                                                     "YELLOW", "GREY", "PURPLE"};
static const char *const colour_words[RENAISSANCE_COLOURS] = {"PURPLE", "YELLOW", "GREEN", "BLUE"};

const struct renaissance_card *renaissance_card(unsigned card) {
    assert(card >= 1 && card <= RENAISSANCE_CARDS);
    return &cards[card];
}

const struct renaissance_leader *renaissance_leader(unsigned leader) {
    assert(leader >= 1 && leader <= RENAISSANCE_LEADERS);
    return &leaders[leader];
}

const char *renaissance_token_text(unsigned token) {
    assert(token >= 1 && token <= RENAISSANCE_TOKENS);
    return token_texts[token];
}

const char *renaissance_resource_word(unsigned kind) {
    return kind < RENAISSANCE_KINDS ? resource_words[kind] : NULL;
}

const char *renaissance_marble_word(unsigned marble) {
    return marble < RENAISSANCE_MARBLE_COLOURS ? marble_words[marble] : NULL;
}

const char *renaissance_colour_word(unsigned colour) {
    return colour < RENAISSANCE_COLOURS ? colour_words[colour] : NULL;
}

void renaissance_card_id(unsigned card, char id[RENAISSANCE_ID_BYTES]) {
    snprintf(id, RENAISSANCE_ID_BYTES, "D%03u", card % 1000);
}

void renaissance_leader_id(unsigned leader, char id[RENAISSANCE_ID_BYTES]) {
    snprintf(id, RENAISSANCE_ID_BYTES, "L%03u", leader % 1000);
}

static unsigned number_of_id(struct span id, char letter, unsigned max) {
    unsigned number = 0;
    if (id.size != RENAISSANCE_ID_BYTES - 1 || id.data[0] != letter)
        return 0;
    for (size_t i = 1; i < id.size; i++) {
        if (id.data[i] < '0' || id.data[i] > '9')
            return 0;
        number = 10 * number + (unsigned)(id.data[i] - '0');
    }
    return number <= max ? number : 0;
}

unsigned renaissance_card_of_id(struct span id) {
    return number_of_id(id, 'D', RENAISSANCE_CARDS);
}

unsigned renaissance_leader_of_id(struct span id) {
    return number_of_id(id, 'L', RENAISSANCE_LEADERS);
}

/* The place of a colour in the numbers of the cards. */
static unsigned printed_place(unsigned colour) {
    static const uint8_t places[RENAISSANCE_COLOURS] = {[G] = 0, [P] = 1, [B] = 2, [Y] = 3};
    return places[colour];
}

unsigned renaissance_pile_card(unsigned pile, unsigned i) {
    unsigned colour = pile % RENAISSANCE_COLOURS, level_index = pile / RENAISSANCE_COLOURS;
    return 1 + level_index * RENAISSANCE_COLOURS * RENAISSANCE_PILE_CARDS + i * RENAISSANCE_COLOURS +
           printed_place(colour);
}

unsigned renaissance_pile_place(unsigned card) {
    return (card - 1) / RENAISSANCE_COLOURS % RENAISSANCE_PILE_CARDS;
}
