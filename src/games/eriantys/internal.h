/* What the files of the Eriantys rules share with each other and with nobody else. */
#ifndef GAMES_ERIANTYS_INTERNAL_H
#define GAMES_ERIANTYS_INTERNAL_H

#include "games/eriantys/eriantys.h"

/* A number below the sum of all counts falls to one of the colours, by as many as each has: that colour, and
 * in *rest the number among those of it. Without branches, because chance leaves nothing to predict. */
static inline unsigned eriantys_color_nth(const unsigned counts[ERIANTYS_COLORS], unsigned n,
                                          unsigned *rest) {
    unsigned before[ERIANTYS_COLORS] = {0}, color = 0;
    for (unsigned i = 1; i < ERIANTYS_COLORS; i++) {
        before[i] = before[i - 1] + counts[i - 1];
        color += n >= before[i];
    }
    *rest = n - before[color];
    return color;
}

/* The board: board.c. */

/* R12: gives the professor of a colour to whom it belongs now; or all of them. */
void eriantys_professor_update(struct eriantys *, unsigned color);
void eriantys_professors_update(struct eriantys *);

/* A student comes to its table, which has room for it; a coin when it is seat 3, 6 or 9 of an expert game
 * (R23). The professor is left to the caller. */
void eriantys_dining_add(struct eriantys *, unsigned seat, unsigned color);

/* R14 to R19, R39: what happens to a group where mother nature, or the Herald, has stopped; the table may be
 * over afterwards. */
void eriantys_resolve(struct eriantys *, unsigned group_index);

/* R22: the table is over for this reason, and the winner follows from the board. */
void eriantys_finish(struct eriantys *, enum eriantys_end);

/* How many groups further the group of this id is for mother nature, from 1; 0 when there is no such group.
 */
unsigned eriantys_distance(const struct eriantys *, unsigned group_id);

/* True when the id names a group. */
bool eriantys_is_group(const struct eriantys *, unsigned group_id);

/* Chance: chance.c. */

/* What chance has to decide now, in the phases that are its own and when a card is to be refilled. */
static inline bool eriantys_is_chance(const struct eriantys *e) {
    return e->phase <= ERIANTYS_FILLING || (e->refill_due != ERIANTYS_NONE && e->phase != ERIANTYS_OVER);
}
enum err eriantys_chance_check(const struct eriantys *, const struct action *) MUST_CHECK;
void eriantys_chance_apply(struct eriantys *, const struct action *);
void eriantys_chance_sample(const struct eriantys *, struct rng *, struct action *out);
size_t eriantys_chance_legal(const struct eriantys *, struct action *out);

/* R6, R20: a round begins: chance fills the clouds, or it is the last one without them. */
void eriantys_round_begin(struct eriantys *);

/* R20: notes that the last student was drawn, or one was wanted in vain. */
void eriantys_bag_fail(struct eriantys *);

/* Characters: characters.c. */

/* What a paid character lets the mover do. */
struct eriantys_effect {
    uint32_t kinds; /* bit k: actions of kind k */
    /* Whether such an action of a mover who has paid for it can be done. The arguments are checked already:
     * colours are colours and islands are groups. The same for every island. */
    enum err (*check)(const struct eriantys *, const struct action *);
    void (*use)(struct eriantys *, const struct action *);
};

/* By id; row 0 stands for no character at all. */
extern const struct eriantys_character_row eriantys_rows[ERIANTYS_CHARACTERS + 1];

/* The row of the character that was paid in this turn; one without any effect when there is none. */
static inline const struct eriantys_character_row *eriantys_active_row(const struct eriantys *e) {
    return &eriantys_rows[e->paid == ERIANTYS_NONE ? 0 : e->card[e->paid].id];
}

/* R24: paying a character in the mover's own action phase. */
enum err eriantys_pay_check(const struct eriantys *, unsigned character) MUST_CHECK;
void eriantys_pay(struct eriantys *, unsigned character);

/* R25, R26: using it; actions from ERIANTYS_USE_MONK to ERIANTYS_SWAP_OUT. */
enum err eriantys_use_check(const struct eriantys *, const struct action *) MUST_CHECK;
void eriantys_use(struct eriantys *, const struct action *);

/* Payments and uses that are legal now: how many, and each by its number. */
unsigned eriantys_characters_count(const struct eriantys *);
void eriantys_characters_at(const struct eriantys *, unsigned index, struct action *out);

/* The parts of eriantys_game that stand in files of their own. */
const char *eriantys_valid(const struct game_state *);
void eriantys_describe(const struct game_view *, struct writer *);
void eriantys_action_format(const struct game_state *, unsigned seat, const struct action *,
                            char text[ACTION_TEXT_BYTES_MAX]);
enum err eriantys_action_parse(const struct game_state *, unsigned seat, struct span text,
                               struct action *out) MUST_CHECK;

#endif
