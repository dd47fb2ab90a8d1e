/* The interface that every game implements: rules as pure functions over one flat struct.
 *
 * A state is plain bytes without pointers in memory that the caller gives: a clone is memcpy, undo is a copy.
 * No function here allocates, reads a clock, draws random numbers of its own or does I/O. Chance is a seat
 * like any other: whatever dice, bag or deck decide is an action of SEAT_CHANCE and stands in the journal.
 *
 * A game is one constant struct of functions beside its code and one line in games/meson.build. No function
 * may be left out; games without secrets or chance point at the stock functions in game/stock.h. */
#ifndef GAME_GAME_H
#define GAME_GAME_H

#include "base/err.h"
#include "base/rng.h"
#include "base/span.h"
#include "base/writer.h"

enum {
    SEATS_MAX = 4,
    SEAT_CHANCE = SEATS_MAX,      /* dice, bag, deck */
    SEAT_WATCHER = SEATS_MAX + 1, /* not a seat at all: sees what everybody may see, never acts */

    ACTION_BYTES = 16,
    ACTION_ARGS = ACTION_BYTES - 1,
    ACTION_TEXT_BYTES_MAX = 128, /* with the final NUL */
    GAME_OPTIONS_MAX = 8,
};

/* What a seat does: a small fixed value, not a tree. Unused bytes are zero, so that memcmp compares.
 *
 * The size was settled on the hardest cases of the five games: a 50-field half map is one action (2 bits a
 * field in 13 bytes, and the fort in one: 15 with the kind); a Renaissance payment is four resources from
 * three places, a nibble each in 6 bytes, beside card, slot and choices, or several small steps; an Eriantys
 * swap is two colours and a card. docs/decisions.md has the arithmetic. */
struct action {
    uint8_t kind;
    uint8_t arg[ACTION_ARGS];
};

/* Bit i stands for seat i, bit SEAT_CHANCE for chance. */
typedef uint32_t seat_set;
#define SEAT_BIT(seat) ((seat_set)1 << (seat))
#define SEATS_ALL      (SEAT_BIT(SEATS_MAX) - 1)

/* The full truth about a table, known to the host alone, and what one seat may know of it. Both are the
 * game's own struct underneath; the two names exist so that the compiler refuses to send the first where only
 * the second may go. game_view makes the second from the first, imagine goes back. */
struct game_state;
struct game_view;

struct game_option {
    const char *name; /* "first-attacks" */
    const char *help;
    const char *const *words; /* the allowed words, NULL-terminated; the value is the index. NULL: a number */
    int32_t value_min, value_max, value_default;
};

struct game_options {
    uint32_t seat_count;
    int32_t value[GAME_OPTIONS_MAX]; /* in the order of the game's list */
    uint32_t rules_version;          /* of a table that began by older rules; 0: the game's own */
};

/* What happens to a seat from outside the rules: its player is away, is back, or has gone for
 * good (left, resigned, out of time). */
enum attendance { SEAT_AWAY, SEAT_BACK, SEAT_RETIRED };

/* What legal answers when the actions are too many to list; sample and check then speak for them. */
#define LEGAL_UNLISTED SIZE_MAX

struct game {
    const char *name;       /* "paper-soccer": on wires, in commands, in the journal */
    const char *title;      /* "Paper Soccer" */
    uint32_t rules_version; /* raised when the same actions would lead elsewhere */
    uint32_t rules_oldest;  /* the first version by which tables can still go on; 0: only its own */
    uint32_t seats_min, seats_max;
    size_t state_size;
    size_t actions_max;                /* no list that legal gives is longer */
    size_t plies_max;                  /* every table is over after so many actions, chance included */
    const struct game_option *options; /* ended by a NULL name */
    const struct err_row *refusals; /* what it refuses by its rules, from ERR_GAME_FIRST on; ended by a NULL
                                       word; NULL: nothing. No word of them is one of base/err.h */
    int32_t score_unit; /* how much of a score is a point to people; the rest breaks ties. 0: all of it is
                           points */

    /* The start position. Refuses options outside their range and a seat count that the game does not have,
     * by nothing but an error of base/err.h. Clears every byte of the state, padding included. */
    enum err (*setup)(struct game_state *, const struct game_options *) MUST_CHECK;

    /* Who may act now; several seats in a simultaneous phase, SEAT_CHANCE alone when chance decides, nobody
     * when the table is over. */
    seat_set (*turn)(const struct game_state *);

    /* All actions of a seat that may act, each once, into room for actions_max of them. Derived from the same
     * code as check. Returns their number (at least 1) or LEGAL_UNLISTED. A seat that may not act has 0. */
    size_t (*legal)(const struct game_state *, unsigned seat, struct action *out);

    /* One random legal action of a seat that may act. Any that legal lists can come; where one random number
     * is taken for it, each has the same chance. For SEAT_CHANCE one outcome with its true probability. No
     * list is made to draw from: search and random games spend their time here. */
    void (*sample)(const struct game_state *, unsigned seat, struct rng *, struct action *out);

    /* Why this action of this seat is refused now, one of its own refusals or of base/err.h, or ERR_OK. Takes
     * any bytes, changes nothing. */
    enum err (*check)(const struct game_state *, unsigned seat, const struct action *) MUST_CHECK;

    /* Plays an action that check allows. Deterministic, cannot fail. */
    void (*apply)(struct game_state *, unsigned seat, const struct action *);

    /* The player of a seat is away, back or gone for good; any time before the table is over. True when the
     * rules know what follows and the state has changed: the game goes on, perhaps without that seat, perhaps
     * over. False when nothing changes, or when the rules do not know: then policy decides (who retires
     * loses, who is away is waited for). Deterministic. Games that are played by all or not at all:
     * stock_attend. */
    bool (*attend)(struct game_state *, unsigned seat, enum attendance) MUST_CHECK;

    /* Who wins when this seat is lost and the rules do not know how to go on without it (attend is false):
     * all seats that do not play on its side. Bits of seats that the table does not have mean nothing. Games
     * in which everybody plays alone: stock_rivals. */
    seat_set (*rivals)(const struct game_state *, unsigned seat);

    /* The result of a table that is over, per seat: more is better, equal is shared. Of a seat that played
     * alone, more than 0 is won. */
    void (*score)(const struct game_state *, int32_t points[SEATS_MAX]);

    /* NULL when the state keeps all invariants, otherwise the name of a broken one. For tests and restore. */
    const char *(*valid)(const struct game_state *);

    /* Blanks what the viewer (a seat or SEAT_WATCHER) may not know, in place: see game_view. */
    void (*redact_state)(struct game_state *, unsigned viewer);

    /* Blanks what the viewer may not know of an action that actor is about to play in this state. */
    void (*redact_action)(const struct game_state *, unsigned actor, struct action *, unsigned viewer);

    /* Fills what is blank in the viewer's view with a random world that agrees with it; redacting that world
     * gives the view again. In place: the view becomes a state. */
    void (*imagine)(struct game_view *, unsigned viewer, struct rng *);

    /* True when what the viewer sees after this action of its own follows from its view alone: it is then the
     * same in every world that agrees with the view. Only for actions that check allows, which is never a
     * secret. Games in which nothing comes to light by an action: stock_foresee. */
    bool (*foresee)(const struct game_view *, unsigned viewer, const struct action *) MUST_CHECK;

    /* The view as one object. A board of cells is written by writer_grid: then people can play the game in
     * the terminal and on the page although nobody has drawn it. */
    void (*describe)(const struct game_view *, struct writer *);

    /* Short text for an action and back: parse(format(a)) == a. Parse refuses text that is no action of the
     * game; whether the action is legal is for check to say. */
    void (*action_format)(const struct game_state *, unsigned seat, const struct action *,
                          char text[ACTION_TEXT_BYTES_MAX]);
    enum err (*action_parse)(const struct game_state *, unsigned seat, struct span text,
                             struct action *out) MUST_CHECK;

    /* Plays on at random in place until the table is over and returns the number of actions: stock_playout,
     * or something faster that draws the same random numbers in the same order. */
    size_t (*playout)(const struct game *, struct game_state *, struct rng *);

    /* Number of action sequences of so many turns (see game/perft.h): stock_perft, or something faster that a
     * test holds against it. */
    uint64_t (*perft)(const struct game *, const struct game_state *, unsigned turns);
};

/* The default options for so many seats. */
struct game_options game_options_default(const struct game *, uint32_t seat_count);

/* Sets one option by name from text ("top", "3"). */
enum err game_options_set(const struct game *, struct game_options *, const char *name,
                          const char *value) MUST_CHECK;

/* Checks seat count and every option against the game's list; what setup functions begin with. */
enum err game_options_check(const struct game *, const struct game_options *) MUST_CHECK;

/* What an error says that may be one of the game's own; NULL: of no game. */
const struct err_row *game_refusal(const struct game *, enum err);

/* Whether tables of this version of the rules can be played on. */
bool game_knows_rules(const struct game *, uint32_t version);

/* The version of the rules by which a table with these options is played. */
uint32_t game_options_rules(const struct game *, const struct game_options *);

/* Copies the state into out (state_size bytes, same alignment) and blanks what the viewer may not know. The
 * only way from a state to a view. */
void game_view(const struct game *, const struct game_state *, unsigned viewer, struct game_view *out);

/* False when every viewer may know everything: then a view is the state as it is. */
bool game_has_secrets(const struct game *);

/* True when the seat is one of those to act. */
static inline bool game_may_act(const struct game *game, const struct game_state *state, unsigned seat) {
    return seat <= SEAT_CHANCE && (game->turn(state) & SEAT_BIT(seat)) != 0;
}

static inline bool action_equal(const struct action *a, const struct action *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* Memory for one state of any game, aligned for it; gives, to be freed with mem_free. */
struct game_state *game_state_alloc(const struct game *);

/* What people and programs ask about a game: name, title, seats, options; the fields of an object that has
 * begun. game_option_write writes a value of one option: its word, or the number. */
void game_write(const struct game *, struct writer *);
void game_option_write(const struct game_option *, int32_t value, const char *name, struct writer *);

/* The points of a score as people count them; a score of rules that are not known (NULL) is its points. */
static inline int32_t game_points(const struct game *game, int32_t score) {
    return game == NULL || game->score_unit == 0 ? score : score / game->score_unit;
}

/* The list of games, ended by NULL, and one of them by name (NULL when there is none). */
extern const struct game *const games[];
const struct game *game_by_name(struct span name);

#endif
