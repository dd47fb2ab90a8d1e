/* Eriantys: two to four schools send students to twelve islands in a ring, win professors with those they
 * keep, and build towers where mother nature stops. The rules are numbered in docs/rules/eriantys.md; the
 * branches that implement them cite the numbers.
 *
 * Everything is open, so every view is the whole state. Everything random is an action of chance: the state
 * knows how many students of each colour are in the bag, not in which order they will come.
 *
 * The flow is in eriantys.c, what happens on the board in board.c, draws from the bag in
 * chance.c, the twelve characters in characters.c, invariants in valid.c and texts
 * in text.c. */
#ifndef GAMES_ERIANTYS_ERIANTYS_H
#define GAMES_ERIANTYS_ERIANTYS_H

#include "game/game.h"
#include "games/eriantys/refusals.h"

enum {
    ERIANTYS_SEATS_MIN = 2,
    ERIANTYS_SEATS_MAX = 4,
    ERIANTYS_TEAMS_MAX = 3,
    ERIANTYS_COLORS = 5,
    ERIANTYS_STUDENTS_PER_COLOR = 26, /* R2 */
    ERIANTYS_ISLANDS = 12,
    ERIANTYS_CLOUDS_MAX = 4,
    ERIANTYS_ASSISTANTS = 10,      /* R2: values 1 to 10, one hand per seat */
    ERIANTYS_ROUNDS_MAX = 10,      /* R21 */
    ERIANTYS_TABLE_SEATS = 10,     /* R11: per colour in a dining room */
    ERIANTYS_GROUPS_END = 3,       /* R19 */
    ERIANTYS_COINS = 20,           /* R23: with the bank and those that lie on characters */
    ERIANTYS_COIN_EVERY_SEATS = 3, /* R23 */
    ERIANTYS_BANS = 4,             /* R31: no-entry tiles */
    ERIANTYS_CHARACTERS = 12,
    ERIANTYS_CHARACTERS_IN_PLAY = 3, /* R5 */

    /* A student of every colour to every island or the dining room, and the Monk's students to every island.
     */
    ERIANTYS_ACTIONS_MAX = ERIANTYS_COLORS * (ERIANTYS_ISLANDS + 1) + ERIANTYS_COLORS * ERIANTYS_ISLANDS,

    ERIANTYS_NONE = 0xff, /* in place of a seat, a team, a colour or an index: there is none */
};

/* Indices into game_options.value. */
enum { ERIANTYS_OPTION_MODE /* enum eriantys_mode */ };

enum eriantys_mode { ERIANTYS_NORMAL, ERIANTYS_EXPERT };

/* In the order of their names, as the protocol lists them. */
enum eriantys_color { ERIANTYS_BLUE, ERIANTYS_FUCHSIA, ERIANTYS_GREEN, ERIANTYS_RED, ERIANTYS_YELLOW };

/* The towers of team 0, 1 and 2 are white, black and grey. */

enum eriantys_phase {
    ERIANTYS_SETUP_ISLANDS,    /* chance: a student on each of ten islands (R3) */
    ERIANTYS_SETUP_ENTRANCES,  /* chance: one draw per seat (R4) */
    ERIANTYS_SETUP_CHARACTERS, /* chance: which three are in play (R5) */
    ERIANTYS_SETUP_CARDS,      /* chance: one draw per character that holds students (R5) */
    ERIANTYS_FILLING,          /* chance: one draw per cloud (R6) */
    ERIANTYS_PLANNING,         /* seats play assistants (R7) */
    ERIANTYS_STUDENTS,         /* the mover moves its students (R10) */
    ERIANTYS_MOTHER,           /* then mother nature (R13) */
    ERIANTYS_CLOUD_CHOICE,     /* and takes a cloud (R17) */
    ERIANTYS_OVER,
};

/* How it ended. */
enum eriantys_end {
    ERIANTYS_RUNNING,
    ERIANTYS_BY_TOWERS,     /* R18: somebody placed the last tower */
    ERIANTYS_BY_GROUPS,     /* R19: three groups of islands or fewer */
    ERIANTYS_BY_BAG,        /* R20: the bag was empty, or could not fill the clouds */
    ERIANTYS_BY_ASSISTANTS, /* R21: the last assistants were played */
};

/* R27 to R38: rule 26 + id. */
enum eriantys_character {
    ERIANTYS_MONK = 1,
    ERIANTYS_FARMER,
    ERIANTYS_HERALD,
    ERIANTYS_MESSENGER,
    ERIANTYS_HERBALIST,
    ERIANTYS_CENTAUR,
    ERIANTYS_JESTER,
    ERIANTYS_KNIGHT,
    ERIANTYS_MUSHROOM_SELLER,
    ERIANTYS_MINSTREL,
    ERIANTYS_PRINCESS,
    ERIANTYS_THIEF,
};

/* Kinds of actions. Colours are enum eriantys_color. An island is named by the id of its group, which is the
 * id of its first island in clockwise order: see eriantys_group_id. */
enum {
    /* of seats */
    ERIANTYS_PLAY_ASSISTANT = 1, /* arg[0]: value, 1 to 10 */
    ERIANTYS_TO_ISLAND,          /* from the entrance; arg[0]: colour, arg[1]: island */
    ERIANTYS_TO_DINING,          /* from the entrance; arg[0]: colour */
    ERIANTYS_MOVE_MOTHER,        /* arg[0]: the island where she stops */
    ERIANTYS_TAKE_CLOUD,         /* arg[0]: cloud, from 0 */
    ERIANTYS_PAY,                /* arg[0]: enum eriantys_character */
    /* what a paid character lets do; not to use it is allowed (R25) */
    ERIANTYS_USE_MONK,     /* arg[0]: colour, arg[1]: island */
    ERIANTYS_USE_HERALD,   /* arg[0]: island */
    ERIANTYS_USE_BAN,      /* Herbalist; arg[0]: island */
    ERIANTYS_USE_IGNORE,   /* Mushroom seller; arg[0]: colour */
    ERIANTYS_USE_PRINCESS, /* arg[0]: colour */
    ERIANTYS_USE_RETURN,   /* Thief; arg[0]: colour */
    /* R26: the halves of a swap of Jester or Minstrel, in any order */
    ERIANTYS_SWAP_IN,  /* from the card or the dining room into the entrance; arg[0]: colour */
    ERIANTYS_SWAP_OUT, /* from the entrance to the card or the dining room; arg[0]: colour */
    /* of chance */
    ERIANTYS_PLACE_STUDENTS, /* arg[i]: colour on the i-th of the islands 1 to 5 and 7 to 11 */
    ERIANTYS_DRAW,           /* arg[0]: enum eriantys_place, arg[1]: seat, character or cloud, arg[2..6]: how
                                many students of each colour */
    ERIANTYS_CHOOSE_CHARACTERS, /* arg[0] < arg[1] < arg[2]: enum eriantys_character */
};

/* Where students can be, in draws and in moves as a protocol words them. */
enum eriantys_place {
    ERIANTYS_AT_ENTRANCE,
    ERIANTYS_AT_DINING,
    ERIANTYS_AT_ISLAND,
    ERIANTYS_AT_CARD,
    ERIANTYS_AT_CLOUD,
    ERIANTYS_PLACES,
};

struct eriantys_seat {
    uint8_t entrance[ERIANTYS_COLORS];
    uint8_t dining[ERIANTYS_COLORS];
    uint16_t hand;     /* bit v: the assistant of value v is still there */
    uint8_t assistant; /* the value played in this round; 0: none yet */
    uint8_t coins;     /* 0 in normal games */
};

/* A group of islands that belong together; at first each island is one (R16). It covers size islands from id
 * on, modulo 12. */
struct eriantys_group {
    uint8_t id;
    uint8_t size;
    uint8_t tower; /* the team whose towers stand there, or ERIANTYS_NONE */
    uint8_t bans;  /* no-entry tiles (R39) */
    uint8_t students[ERIANTYS_COLORS];
};

struct eriantys_card {
    uint8_t id;                        /* enum eriantys_character; 0: not chosen yet, or a normal game */
    uint8_t has_coin;                  /* it was paid before, so it costs one more (R24) */
    uint8_t bans;                      /* no-entry tiles that are left, on the Herbalist */
    uint8_t students[ERIANTYS_COLORS]; /* on Monk, Jester and Princess */
};

/* The state of the game; what struct game_state and struct game_view are underneath. There is no padding. */
struct eriantys {
    struct eriantys_seat seat[ERIANTYS_SEATS_MAX];
    uint8_t phase;      /* enum eriantys_phase */
    uint8_t mode;       /* enum eriantys_mode */
    uint8_t seat_count; /* 2 to 4 */
    uint8_t round;      /* from 0 */
    uint8_t first;      /* the seat that begins the planning of this round */
    uint8_t mover;      /* the seat to act in the planning and the action phase */
    /* In the action phase the seats in the order in which they act; turn is the index of the mover. In the
     * planning phase turn counts the assistants played, in the phases of chance the draws made. */
    uint8_t order[ERIANTYS_SEATS_MAX];
    uint8_t turn;
    uint8_t moved;          /* students moved in this turn */
    uint8_t is_last_round;  /* R20, R21 */
    uint8_t has_bag_failed; /* R20: it was empty or too small */
    uint8_t end;            /* enum eriantys_end */
    uint8_t winner;         /* team, once it is over; ERIANTYS_NONE for a draw */

    uint8_t team_count;
    uint8_t towers[ERIANTYS_TEAMS_MAX]; /* left, per team (R15) */
    uint8_t bag[ERIANTYS_COLORS];
    uint8_t cloud[ERIANTYS_CLOUDS_MAX][ERIANTYS_COLORS]; /* as many as seats */
    uint8_t group_count;
    uint8_t mother;                                /* index of the group where mother nature stands */
    struct eriantys_group group[ERIANTYS_ISLANDS]; /* clockwise, by rising id */
    uint8_t professor[ERIANTYS_COLORS];            /* seat, or ERIANTYS_NONE */

    /* Expert games. */
    uint8_t bank;                                           /* coins */
    struct eriantys_card card[ERIANTYS_CHARACTERS_IN_PLAY]; /* by rising id */
    uint8_t paid;       /* index of the card that was paid in this turn, or ERIANTYS_NONE */
    uint8_t uses_left;  /* of its effect: halves for swaps */
    uint8_t ignored;    /* colour without influence in this turn (R35), or ERIANTYS_NONE */
    uint8_t open_half;  /* R26: the half of a swap that was done, ERIANTYS_SWAP_IN or _OUT, or 0 */
    uint8_t unused;     /* always 0; without it there would be padding */
    uint8_t refill_due; /* index of the card that chance refills before anything else, or ERIANTYS_NONE */
};

extern const struct game eriantys_game;

static inline const struct eriantys *eriantys_of(const struct game_state *state) {
    return (const struct eriantys *)state;
}

static inline const struct eriantys *eriantys_of_view(const struct game_view *view) {
    return (const struct eriantys *)view;
}

/* R1: the team of a seat; every seat is its own with two and three players, 0 and 2 against 1 and 3 with
 * four. */
static inline unsigned eriantys_team(const struct eriantys *e, unsigned seat) {
    return seat < e->team_count ? seat : seat - e->team_count;
}

/* R2: steps of mother nature by the value of an assistant. */
static inline unsigned eriantys_assistant_steps(unsigned value) {
    return (value + 1) / 2;
}

/* Numbers that depend on how many play (R4, R6, R10). */
static inline unsigned eriantys_towers_of_team(const struct eriantys *e) {
    return e->seat_count == 3 ? 6 : 8;
}

static inline unsigned eriantys_entrance_size(const struct eriantys *e) {
    return e->seat_count == 3 ? 9 : 7;
}

static inline unsigned eriantys_cloud_size(const struct eriantys *e) {
    return e->seat_count == 3 ? 4 : 3;
}

static inline unsigned eriantys_students_per_turn(const struct eriantys *e) {
    return e->seat_count == 3 ? 4 : 3;
}

static inline unsigned eriantys_sum(const uint8_t students[ERIANTYS_COLORS]) {
    return (unsigned)students[0] + students[1] + students[2] + students[3] + students[4];
}

/* The characters: rows of a table. */

struct eriantys_character_row {
    const char *name;       /* "monk": in texts */
    const char *title;      /* "Mushroom seller" */
    const char *text;       /* what it does, for its player, in a few words */
    uint8_t cost;           /* of the first use; one more afterwards (R24) */
    uint8_t uses;           /* per payment; a swap has two halves. What the protocol calls usesNumber */
    uint8_t students;       /* that lie on it */
    uint8_t bans;           /* tiles that lie on it */
    uint8_t steps_more;     /* for mother nature in this turn */
    uint8_t influence_more; /* for the mover's team in this turn */
    bool wins_ties;         /* about professors, against their owner */
    bool without_towers;    /* towers have no influence in this turn */
    const struct eriantys_effect *effect; /* what it lets do once it is paid; NULL: nothing to do */
};

/* The row of a character, 1 to 12. */
const struct eriantys_character_row *eriantys_character_row(unsigned id);

/* What a card costs now (R24). */
unsigned eriantys_cost(const struct eriantys_card *);

/* The index of the card of a character that is in play, or ERIANTYS_NONE. */
unsigned eriantys_card_index(const struct eriantys *, unsigned character);

/* True from the payment to the end of the turn. */
bool eriantys_is_active(const struct eriantys *, unsigned character);

/* How often the effect of the card at this index can still be used in this turn: the row's uses, or what is
 * left of them when it was paid in this turn. Effects without anything to do are never used up. The
 * protocol's usesNumber. */
unsigned eriantys_uses_left(const struct eriantys *, unsigned card_index);

/* What a protocol needs to show the state. */

/* The upper-case name of a colour, "FUCHSIA"; and back without regard to case, ERIANTYS_NONE when it is none.
 */
const char *eriantys_color_name(unsigned color);
unsigned eriantys_color_of_name(struct span name);

/* The name of a team's towers: "WHITE", "BLACK", "GREY". */
const char *eriantys_tower_name(unsigned team);

/* "PLANNING" or "ACTION". Before the first round "PLANNING", of a finished table the one in which it ended.
 */
const char *eriantys_phase_name(const struct eriantys *);

/* "PLAY_ASSISTANT", "MOVE_STUDENT_1" to "_4", "MOVE_MOTHER_NATURE", "CHOOSE_CLOUD"; of a finished table
 * "END_TURN". */
const char *eriantys_subphase_name(const struct eriantys *);

/* The group with this island (0 to 11) in it, as an index. */
unsigned eriantys_group_index(const struct eriantys *, unsigned island);

/* The id by which actions name the group with this island in it; any other number comes back as it is, for
 * check to refuse. */
unsigned eriantys_group_id(const struct eriantys *, unsigned island);

/* The influence of a team on a group, with what is active in this turn (R14). */
unsigned eriantys_influence(const struct eriantys *, unsigned group_index, unsigned team);

/* How far mother nature may go now; 0 before the mover has played an assistant. */
unsigned eriantys_steps_max(const struct eriantys *);

/* The seat that has two more influence in this turn (R34), or ERIANTYS_NONE. */
unsigned eriantys_bonus_seat(const struct eriantys *);

/* R8: every assistant in the hand of the mover lies on the table already, so that it may play one of those.
 */
bool eriantys_hand_is_taken(const struct eriantys *);

/* R22: who has won a table that is over: both partners of a team, nobody when it is a draw. */
seat_set eriantys_winners(const struct eriantys *);

/* Towers of a team on the islands, and professors of all its seats. */
unsigned eriantys_towers_placed(const struct eriantys *, unsigned team);
unsigned eriantys_professors(const struct eriantys *, unsigned team);

/* Commands as actions. */

static inline struct action eriantys_action(unsigned kind, unsigned first) {
    return (struct action){.kind = (uint8_t)kind, .arg = {(uint8_t)first}};
}

static inline struct action eriantys_action_two(unsigned kind, unsigned first, unsigned second) {
    return (struct action){.kind = (uint8_t)kind, .arg = {(uint8_t)first, (uint8_t)second}};
}

/* A student on its way, as the protocol says it. */
struct eriantys_move {
    unsigned color;
    enum eriantys_place from, to; /* entrance, dining room, island or card */
    unsigned from_id, to_id; /* of an island (any of its group) or a character, otherwise ERIANTYS_NONE */
    bool is_special;         /* by the effect of a character */
};

/* The action that such a move is:
 *
 *     entrance -> island                 a student of the turn
 *     entrance -> dining room            a student of the turn, or when special the half of a Minstrel's swap
 *     card 1 -> island                   Monk
 *     card 7 -> entrance and back        a half of a Jester's swap
 *     dining room -> entrance            a half of a Minstrel's swap
 *     card 11 -> dining room             Princess
 *
 * Also special is a move from the entrance to the dining room when that half is due and nothing else is
 * allowed. A card may be left out (ERIANTYS_NONE) as the move tells it. Refuses other ways (ERR_MOVE_WAY) and
 * cards that do not do such a thing (ERR_EFFECT_OTHER); whether the action is legal is for check to say. */
enum err eriantys_move_action(const struct eriantys *, const struct eriantys_move *,
                              struct action *out) MUST_CHECK;

#endif
