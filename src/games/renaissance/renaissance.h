/* Masters of Renaissance: one to four players take resources from a market of marbles, buy development cards
 * with them, let the cards produce, and advance on a faith track. Alone one plays against Lorenzo. The rules
 * are numbered in docs/rules/renaissance.md; the branches that implement them cite the numbers.
 *
 * Everything random is an action of chance: the marbles, the leaders dealt, every card when it becomes
 * visible, Lorenzo's tokens. The state knows only which cards of a pile were not seen yet, not their order.
 *
 * What a player does at once is several small actions, each of which can be listed:
 *
 *     market       PUSH, then one FILL per depot in their order: 0, 1, 2 and those of store leaders
 *     purchase     BUY, then one PAY per kind of resource that is owed, in the order of the kinds
 *     production   one BASE, CARD or LEADER per production used, in this order and by rising number, then
 * RUN, then PAY as above set-up       KEEP, then one PUT per starting resource leaders      PLAY or DISCARD,
 * before or after the main action end          END_TURN
 *
 * Nothing has moved before the last action of a purchase or a production, and until the last FILL the
 * warehouse stands in `before` as it was: a seat whose player goes away in the middle loses nothing but what
 * it took from the market. The rules allow to stop between any two actions; a protocol sends those of one
 * message in one request.
 *
 * What happens is in renaissance.c, what is allowed in check.c, questions about a board in
 * board.c, the faith track in faith.c, cards in cards.c, secrets and
 * invariants in sight.c, texts in text.c. */
#ifndef GAMES_RENAISSANCE_RENAISSANCE_H
#define GAMES_RENAISSANCE_RENAISSANCE_H

#include "game/game.h"
#include "games/renaissance/refusals.h"

enum {
    RENAISSANCE_SEATS_MAX = 4,

    RENAISSANCE_ROWS = 3,
    RENAISSANCE_COLUMNS = 4,
    RENAISSANCE_LINES = RENAISSANCE_ROWS + RENAISSANCE_COLUMNS,
    RENAISSANCE_CELLS = RENAISSANCE_ROWS * RENAISSANCE_COLUMNS,
    RENAISSANCE_MARBLES = RENAISSANCE_CELLS + 1,

    RENAISSANCE_LEVELS = 3,
    RENAISSANCE_PILES = 12, /* pile: (level - 1) * RENAISSANCE_COLOURS + colour */
    RENAISSANCE_PILE_CARDS = 4,
    RENAISSANCE_CARDS = RENAISSANCE_PILES * RENAISSANCE_PILE_CARDS,
    RENAISSANCE_SLOTS = 3,
    RENAISSANCE_CARDS_END = 7, /* R30 */

    RENAISSANCE_LEADERS = 16,
    RENAISSANCE_LEADERS_DEALT = 4,
    RENAISSANCE_LEADERS_KEPT = 2,

    RENAISSANCE_BASE_DEPOTS = 3,
    RENAISSANCE_DEPOTS = RENAISSANCE_BASE_DEPOTS + RENAISSANCE_LEADERS_KEPT,
    RENAISSANCE_LEADER_DEPOT_CAPACITY = 2,

    RENAISSANCE_FAITH_MAX = 24,
    RENAISSANCE_REPORTS = 3,
    RENAISSANCE_TOKENS = 7,

    /* R41: nobody reaches this who wants to get anywhere; every table must end. */
    RENAISSANCE_ROUNDS_MAX = 250,

    RENAISSANCE_ID_BYTES = 5,  /* "D001" with its end */
    RENAISSANCE_HIDDEN = 0xff, /* in place of a leader that the viewer may not know */
};

/* Versions of the rules. */
enum {
    RENAISSANCE_RULES_FIRST = 1,   /* a last round that everybody had left was over */
    RENAISSANCE_RULES_WAITING = 2, /* R38 as it stands */
};

enum renaissance_resource {
    RENAISSANCE_COINS,
    RENAISSANCE_STONES,
    RENAISSANCE_SERVANTS,
    RENAISSANCE_SHIELDS,
    RENAISSANCE_KINDS,
};

enum renaissance_marble {
    RENAISSANCE_WHITE,
    RENAISSANCE_RED,
    RENAISSANCE_BLUE,   /* shields */
    RENAISSANCE_YELLOW, /* coins */
    RENAISSANCE_GREY,   /* stones */
    RENAISSANCE_PURPLE, /* servants */
    RENAISSANCE_MARBLE_COLOURS,
};

/* Colours of cards, in the order of the columns of the grid. */
enum renaissance_colour {
    RENAISSANCE_CARD_PURPLE,
    RENAISSANCE_CARD_YELLOW,
    RENAISSANCE_CARD_GREEN,
    RENAISSANCE_CARD_BLUE,
    RENAISSANCE_COLOURS,
};

/* Development cards have numbers from 1 to 48 ("D001" to "D048"), leaders from 1 to 16 ("L001" to "L016");
 * 0 is no card. */
struct renaissance_card {
    uint8_t level; /* 1 to 3 */
    uint8_t colour;
    uint8_t points;
    uint8_t cost[RENAISSANCE_KINDS];
    uint8_t input[RENAISSANCE_KINDS], output[RENAISSANCE_KINDS];
    uint8_t faith; /* that its production gives besides */
};

enum renaissance_ability {
    RENAISSANCE_DISCOUNT,
    RENAISSANCE_STORE,
    RENAISSANCE_EXCHANGE,
    RENAISSANCE_PRODUCTION,
};

struct renaissance_leader {
    uint8_t ability; /* enum renaissance_ability */
    uint8_t kind;    /* the resource that it is about */
    uint8_t points;
    uint8_t resources[RENAISSANCE_KINDS];      /* R25: that its owner must have */
    uint8_t cards[RENAISSANCE_COLOURS];        /* of any level, */
    uint8_t cards_level2[RENAISSANCE_COLOURS]; /* and of level 2 */
};

/* By their numbers. */
const struct renaissance_card *renaissance_card(unsigned card);
const struct renaissance_leader *renaissance_leader(unsigned leader);
void renaissance_card_id(unsigned card, char id[RENAISSANCE_ID_BYTES]);
void renaissance_leader_id(unsigned leader, char id[RENAISSANCE_ID_BYTES]);
/* The number of an id such as "D001" or "L016" ("d1" is none); 0 when there is no such card. */
unsigned renaissance_card_of_id(struct span id);
unsigned renaissance_leader_of_id(struct span id);
static inline unsigned renaissance_pile(unsigned colour, unsigned level) {
    return (level - 1) * RENAISSANCE_COLOURS + colour;
}
static inline unsigned renaissance_pile_of(unsigned card) {
    return renaissance_pile(renaissance_card(card)->colour, renaissance_card(card)->level);
}

/* Words in capitals, as protocols write them: "COINS", "WHITE", "PURPLE". NULL when there is no such thing.
 */
const char *renaissance_resource_word(unsigned kind);
const char *renaissance_marble_word(unsigned marble);
const char *renaissance_colour_word(unsigned colour);

enum renaissance_phase {
    RENAISSANCE_LAYING,    /* chance: the marbles */
    RENAISSANCE_SHOWING,   /* chance: the twelve visible cards */
    RENAISSANCE_DEALING,   /* chance: four leaders for seat after seat */
    RENAISSANCE_KEEPING,   /* every seat chooses its leaders */
    RENAISSANCE_STORING,   /* every seat chooses its starting resources; seats that get none owe nothing */
    RENAISSANCE_BEFORE,    /* a turn: before the main action */
    RENAISSANCE_ARRANGING, /* after PUSH: FILL */
    RENAISSANCE_CHOOSING,  /* of productions: after the first of them, until RUN */
    RENAISSANCE_PAYING,    /* PAY */
    RENAISSANCE_REVEALING, /* chance: the next card of the pile from which one was taken */
    RENAISSANCE_AFTER,     /* after the main action */
    RENAISSANCE_TURNING,   /* chance: Lorenzo's token */
    RENAISSANCE_OVER,
};

/* What a seat still has to do of the set-up. */
enum renaissance_stage {
    RENAISSANCE_MUST_KEEP,
    RENAISSANCE_MUST_PUT,
    RENAISSANCE_READY,
};

enum renaissance_end {
    RENAISSANCE_RUNNING,
    RENAISSANCE_BY_POINTS,  /* two to four players: the points decide (R31, R32) */
    RENAISSANCE_SOLO_WON,   /* R35 */
    RENAISSANCE_SOLO_FAITH, /* R35: lost, Lorenzo is on 24 */
    RENAISSANCE_SOLO_CARDS, /* R35: lost, a colour has no card left */
    RENAISSANCE_SOLO_LEFT,  /* R40: lost, the player is gone for good */
    RENAISSANCE_SOLO_LATE,  /* R41: lost, too many rounds */
};

/* Kinds of actions. */
enum {
    /* chance */
    RENAISSANCE_LAY = 1, /* arg[0..12]: marbles row by row, the free one last */
    RENAISSANCE_SHOW,    /* arg[0..11]: the first visible card of each pile */
    RENAISSANCE_DEAL,    /* arg[0]: seat, arg[1..4]: its leaders, rising */
    RENAISSANCE_REVEAL,  /* arg[0]: card */
    RENAISSANCE_TOKEN,   /* arg[0]: token, 1 to 7 */
    /* set-up */
    RENAISSANCE_KEEP, /* arg[0], arg[1]: leaders, rising */
    RENAISSANCE_PUT,  /* arg[0]: resource, arg[1]: depot */
    /* turn */
    RENAISSANCE_PUSH, /* arg[0]: line: rows 0 to 2, columns 3 to 6; arg[1]: with two exchange leaders in play,
                         how many of the white marbles count for the first one; otherwise 0 */
    RENAISSANCE_FILL, /* arg[0]: depot, arg[1]: resource, arg[2]: how many; an empty depot is resource 0 */
    RENAISSANCE_BUY,  /* arg[0]: colour, arg[1]: level, arg[2]: slot */
    RENAISSANCE_BASE, /* arg[0], arg[1]: resources paid, not falling; arg[2]: resource gained */
    RENAISSANCE_CARD, /* arg[0]: slot whose top card produces */
    RENAISSANCE_LEADER, /* arg[0]: index among the own production leaders in the order of play, arg[1]:
                           resource gained */
    RENAISSANCE_RUN,    /* nothing: no more productions, now pay */
    RENAISSANCE_PAY,    /* arg[0]: resource; arg[1], arg[2], arg[3]: how many from the base depots, the leader
                           depots, the strongbox */
    RENAISSANCE_PLAY,   /* arg[0]: leader */
    RENAISSANCE_DISCARD,  /* arg[0]: leader */
    RENAISSANCE_END_TURN, /* nothing */
};

/* Where a payment comes from. */
enum renaissance_source {
    RENAISSANCE_FROM_BASE,
    RENAISSANCE_FROM_LEADERS,
    RENAISSANCE_FROM_STRONGBOX,
    RENAISSANCE_SOURCES,
};

/* Productions, as bits of renaissance.productions. */
enum {
    RENAISSANCE_BIT_BASE = 1,
    RENAISSANCE_BIT_CARD = 1 << 1,   /* slot i: << i */
    RENAISSANCE_BIT_LEADER = 1 << 4, /* production leader i: << i */
};

/* So many of one kind; an empty one has kind 0. */
struct renaissance_depot {
    uint8_t kind, count;
};

struct renaissance_seat {
    uint16_t strongbox[RENAISSANCE_KINDS];
    /* Depots 0, 1, 2 of 1, 2, 3 resources; then those of store leaders in the order of play, of 2 each and
     * for their own kind. */
    struct renaissance_depot depot[RENAISSANCE_DEPOTS];
    uint8_t slot[RENAISSANCE_SLOTS][RENAISSANCE_LEVELS]; /* cards, bottom to top; 0: none */
    /* Leaders, 0 beyond the counts. The hand is secret: four before KEEP, then two, rising. So is what was
     * not kept. */
    uint8_t hand[RENAISSANCE_LEADERS_DEALT];
    uint8_t dropped[RENAISSANCE_LEADERS_KEPT];
    uint8_t played[RENAISSANCE_LEADERS_KEPT];    /* in the order of play */
    uint8_t discarded[RENAISSANCE_LEADERS_KEPT]; /* in the order of discarding */
    uint8_t hand_count, dropped_count, played_count, discarded_count;
    uint8_t faith;
    uint8_t stage;      /* enum renaissance_stage */
    uint8_t gifts;      /* starting resources that it has not put yet */
    uint8_t is_away;    /* 0 or 1 */
    uint8_t is_retired; /* 0 or 1; then it is away too */
};

/* A Vatican report (R28), as it was at the moment it happened. */
struct renaissance_report {
    uint8_t happened;                     /* 0 or 1 */
    uint8_t kept;                         /* seat_set of those that got the tile */
    uint8_t faith[RENAISSANCE_SEATS_MAX]; /* markers at that moment */
    uint8_t lorenzo;
};

/* The state of the game; what struct game_state and struct game_view are underneath. In a view leaders that
 * the viewer may not know are RENAISSANCE_HIDDEN. */
struct renaissance {
    uint16_t round; /* from 0 */
    uint8_t phase;  /* enum renaissance_phase */
    uint8_t seats;
    uint8_t mover;     /* the seat whose turn it is, from RENAISSANCE_BEFORE on */
    uint8_t is_ending; /* R30: the round that runs is the last one */
    uint8_t end;       /* enum renaissance_end */
    uint8_t rules_version;

    uint8_t market[RENAISSANCE_CELLS]; /* enum renaissance_marble, row by row */
    uint8_t free_marble;

    /* Per pile the visible card (0: none), and as bits which of its cards (by their place in the pile's
     * numbers, renaissance_pile_card) were not seen yet, and which Lorenzo took. */
    uint8_t visible[RENAISSANCE_PILES];
    uint8_t unseen[RENAISSANCE_PILES];
    uint8_t lorenzo_took[RENAISSANCE_PILES];
    uint8_t revealing; /* pile, while RENAISSANCE_REVEALING */

    struct renaissance_report report[RENAISSANCE_REPORTS];

    /* Solo. */
    uint8_t lorenzo;      /* his marker */
    uint8_t tokens;       /* bit i: token i + 1 was not turned since the last shuffle */
    uint8_t token_last;   /* the one turned last; 0: none yet */
    uint8_t token_colour; /* of the cards that he still takes, */
    uint8_t token_cards;  /* and how many */
    uint8_t lorenzo_acts; /* 0 or 1: a token is being carried out */

    /* Of the action that is under way; 0 otherwise. */
    uint8_t line;                                        /* of the last PUSH; kept until the turn ends */
    uint8_t taken[RENAISSANCE_KINDS];                    /* from the market */
    struct renaissance_depot before[RENAISSANCE_DEPOTS]; /* the warehouse as it was when they were taken */
    uint8_t pool[RENAISSANCE_KINDS];                     /* stored and taken, not filled in yet */
    uint8_t depot_next;
    uint8_t bought, slot; /* card and slot */
    uint8_t productions;  /* bits */
    uint8_t base_input[2], base_output;
    uint8_t leader_output[RENAISSANCE_LEADERS_KEPT];
    uint8_t owed[RENAISSANCE_KINDS]; /* not paid yet */
    uint8_t paid[RENAISSANCE_KINDS][RENAISSANCE_SOURCES];

    struct renaissance_seat seat[RENAISSANCE_SEATS_MAX];
};

extern const struct game renaissance_game;

static inline const struct renaissance *renaissance_of(const struct game_state *state) {
    return (const struct renaissance *)state;
}

static inline const struct renaissance *renaissance_of_view(const struct game_view *view) {
    return (const struct renaissance *)view;
}

static inline struct action renaissance_action(unsigned kind, unsigned a, unsigned b, unsigned c,
                                               unsigned d) {
    return (struct action){.kind = (uint8_t)kind, .arg = {(uint8_t)a, (uint8_t)b, (uint8_t)c, (uint8_t)d}};
}

/* What a protocol asks. None of it needs more than the view of the seat in question. */

/* What a seat may begin now, as a protocol offers it: by phase alone, so that it may still turn out that
 * nothing can be bought. Bits; 0 when it is not the seat's turn or the seat owes something of the set-up. */
enum {
    RENAISSANCE_MAY_PLAY_LEADER = 1,
    RENAISSANCE_MAY_DISCARD_LEADER = 2,
    RENAISSANCE_MAY_BUY = 4,
    RENAISSANCE_MAY_PRODUCE = 8,
    RENAISSANCE_MAY_PUSH = 16,
    RENAISSANCE_MAY_END_TURN = 32,
};
unsigned renaissance_possible(const struct renaissance *, unsigned seat);

/* Whether the seat still owes leaders or starting resources, and is there: then it is among those to act, in
 * the set-up and later too, when it comes back. */
bool renaissance_owes_setup(const struct renaissance *, unsigned seat);

/* R5: starting resources of a seat, 0 to 2, and its first place on the track. */
unsigned renaissance_gifts(unsigned seats, unsigned seat);
unsigned renaissance_first_faith(unsigned seats, unsigned seat);

/* The capacity of a depot of the seat; 0 when it does not have it. Depots 3 and 4 come with store leaders. */
unsigned renaissance_depot_capacity(const struct renaissance_seat *, unsigned depot);
unsigned renaissance_depot_count(const struct renaissance_seat *);
/* The only kind that a depot of a store leader takes. */
unsigned renaissance_depot_kind(const struct renaissance_seat *, unsigned depot);
/* The warehouse of the seat as others see it: while it is being arranged, as it was before. */
const struct renaissance_depot *renaissance_warehouse(const struct renaissance *, unsigned seat);

/* How many of a kind the seat has: in the base depots, leader depots, strongbox; and altogether. */
void renaissance_stock(const struct renaissance_seat *, unsigned kind, unsigned out[RENAISSANCE_SOURCES]);
unsigned renaissance_stock_sum(const struct renaissance_seat *, unsigned kind);

/* The i-th leader in play with this ability, in the order of play; 0 when there is none. */
unsigned renaissance_leader_in_play(const struct renaissance_seat *, enum renaissance_ability, unsigned i);
unsigned renaissance_leaders_in_play(const struct renaissance_seat *, enum renaissance_ability);

/* R17: what the card costs this seat. */
void renaissance_price(const struct renaissance_seat *, unsigned card, uint8_t cost[RENAISSANCE_KINDS]);

/* R25: whether the seat has what the leader asks for. */
bool renaissance_leader_is_earned(const struct renaissance_seat *, unsigned leader);

/* The top card of a slot, or 0. */
unsigned renaissance_top(const struct renaissance_seat *, unsigned slot);
unsigned renaissance_cards_owned(const struct renaissance_seat *);

/* Marbles of a line, in the order in which they lie: 4 of a row, 3 of a column. Returns their number. */
unsigned renaissance_line(const struct renaissance *, unsigned line, uint8_t marbles[RENAISSANCE_COLUMNS]);
/* R10: the resource that a marble gives, or RENAISSANCE_KINDS when it gives none (white, red). */
unsigned renaissance_marble_kind(unsigned marble);

/* The i-th card of a pile, i from 0 to 3, and back: the place of a card among the four of its pile. */
unsigned renaissance_pile_card(unsigned pile, unsigned i);
unsigned renaissance_pile_place(unsigned card);
/* Cards of a pile that are left, the visible one included. */
unsigned renaissance_pile_left(const struct renaissance *, unsigned pile);

/* What happened on the faith track between two states of one table, in the order in which it happened: first
 * the reports, each as it was at its moment, then the markers where they are now, unless that is how the
 * last report left them. 0 when nothing changed. */
struct renaissance_faith_change {
    uint8_t report; /* the pope space of a report (8, 16, 24), or 0 */
    uint8_t kept;   /* seat_set of those that got the tile of that report */
    uint8_t faith[RENAISSANCE_SEATS_MAX];
    uint8_t lorenzo;
};
enum { RENAISSANCE_FAITH_CHANGES_MAX = RENAISSANCE_REPORTS + 1 };
unsigned renaissance_faith_changes(const struct renaissance *before, const struct renaissance *after,
                                   struct renaissance_faith_change out[RENAISSANCE_FAITH_CHANGES_MAX]);

/* R28: the pope space of a report (0 to 2), the first space of its section, the points of its tile. */
unsigned renaissance_pope_space(unsigned report);
unsigned renaissance_section_begin(unsigned report);
unsigned renaissance_tile_points(unsigned report);

/* R31: the points of a seat as it stands, whatever the table. struct game's score gives these times
 * RENAISSANCE_SCORE_UNIT plus the resources left (at most RENAISSANCE_SCORE_UNIT - 1), so that ties are
 * broken by R32; a solo game that is lost gives 0. */
enum { RENAISSANCE_SCORE_UNIT = 1000 };
unsigned renaissance_points(const struct renaissance *, unsigned seat);
/* R32: resources left in all depots and the strongbox. */
unsigned renaissance_resources_left(const struct renaissance_seat *);

/* R33: what the token does, in a few words: "two faith steps". */
const char *renaissance_token_text(unsigned token);

#endif
