/* A played game as readable text, one action a line, and its replay under the rules:
 *
 *     game paper-soccer 1
 *     seats 2
 *     option first-attacks top
 *     0 N
 *     chance 6
 *     end 1 0
 *
 * First the game with the version of its rules, then seats and options, then "SEAT ACTION" in the order of
 * play ("chance" for SEAT_CHANCE) and "away SEAT", "back SEAT", "retire SEAT" where the rules know what
 * follows from that, at last the points per seat once the table is over. Blank lines and lines
 * that begin with # are skipped. The files in tests/goldens are of this form. */
#ifndef GAME_REPLAY_H
#define GAME_REPLAY_H

#include "game/game.h"

struct replay {
    const struct game *only; /* not NULL: the text must be of this game */
    const struct game *game;
    struct game_options options;
    struct game_state *state; /* where the actions lead; owned */
    size_t plies;
    bool has_end;               /* the text says how it ended, and that agrees with the rules */
    size_t line;                /* of the text; the offending one after a refusal */
    enum attendance attendance; /* when visit is shown one */
    void (*visit)(void *context, const struct replay *, unsigned seat, const struct action *); /* or NULL */
    void *visit_context;
};

/* Plays the text from the start. Refuses what the rules refuse, with replay->line at the offence; replay_free
 * in any case. */
enum err replay_run(struct replay *, struct span text) MUST_CHECK;

/* The same for a text that must be of this one game, which need not stand in the list of games. */
enum err replay_run_of(struct replay *, const struct game *, struct span text) MUST_CHECK;

/* The same as replay_run, showing every action before it is played; replay is where it stands then. The
 * action is NULL where a seat is away, back or retires. */
typedef void replay_visit(void *context, const struct replay *, unsigned seat, const struct action *);
enum err replay_run_each(struct replay *, struct span text, replay_visit *, void *context) MUST_CHECK;

void replay_free(struct replay *);

/* Appends the head of a replay, one action (to be played in this state), and the closing line. */
void replay_write_head(struct buf *, const struct game *, const struct game_options *);
void replay_write_action(struct buf *, const struct game *, const struct game_state *, unsigned seat,
                         const struct action *);
void replay_write_attendance(struct buf *, unsigned seat, enum attendance);
void replay_write_end(struct buf *, const struct game *, const struct game_options *,
                      const struct game_state *);

#endif
