/* A person against the bots of a game in a terminal, line by line, so that it also works on a pipe.
 *
 * The loop is the same for every game. How a game is drawn and how its actions are typed is a struct
 * play_face GAME_face in draw/GAME.c, which is there because the file is; a game without one has the plain
 * face: its description, grids drawn, and its actions as it writes them. */
#ifndef CLI_PLAY_H
#define CLI_PLAY_H

#include "base/buf.h"
#include "game/game.h"

#include <stdio.h>

struct play_ply {
    unsigned seat;
    struct action action;
};

struct play_table {
    const struct game *game;
    struct game_options options;
    struct game_state *state; /* with the pending actions */
    unsigned person;          /* the seat of the person */
    struct play_ply *plies;   /* all actions so far */
    size_t count;
    size_t pending_from;        /* from here on the person may still take them back */
    size_t last_from, last_end; /* the turn that was finished last */
    bool is_ascii, has_color;
    struct span news;         /* what the others did since the person's last turn: lines, the latest last */
    unsigned page;            /* of choices that do not fit on one screen; any number */
    struct span narrowed;     /* words that the person has typed and that fit several actions, see fits */
    const char *const *names; /* NULL, or who sits where in a replay, in which nobody is to type anything */
};

struct play_face {
    const struct game *game; /* NULL: any */
    const char *help;        /* how actions are typed */
    /* A turn is sent as soon as it is complete and cannot be taken back: for games in which an action
     * uncovers something. What was typed behind it is played in the following turns. */
    bool sends_at_once;
    bool draws_news; /* in the picture; otherwise they stand under it */

    /* Appends the table as the person sees it. */
    void (*draw)(const struct play_table *, struct buf *out);

    /* Appends what a seat is about to do, as the person may know it, in a line of words without its end: "bot
     * 2 takes row 1 of the market". Nothing for what is not worth a line. */
    void (*tell)(const struct play_table *, const struct play_ply *, struct buf *out);

    /* Takes one action off the front of what was typed (not empty, without blanks at its ends). */
    enum err (*parse)(const struct play_table *, struct span *typed, struct action *out) MUST_CHECK;

    /* NULL, or: how many legal actions these words may mean; when it is one, it is in out. A person may then
     * say in several lines which action it is, as one points at a cell and then at another. */
    size_t (*fits)(const struct play_table *, struct span words, struct action *out);

    /* Appends what the person can type now, in a few words. */
    void (*choices)(const struct play_table *, struct buf *out);

    /* Appends why a table that is over ended, as a sentence without a full stop. */
    void (*reason)(const struct play_table *, struct buf *out);
};

extern const struct play_face plain_face; /* of any game */

#define ENTRY(name) extern const struct play_face name;
#include "cli/face_list.h"
#undef ENTRY

/* The face of a game; NULL when it has none of its own. */
const struct play_face *play_face_of(const struct game *);

enum play_seat { PLAY_FIRST, PLAY_SECOND, PLAY_THIRD, PLAY_FOURTH, PLAY_RANDOM };
extern const char *const play_seat_words[]; /* in that order, ended by NULL */

struct play_settings {
    const struct game *game;
    struct game_options options; /* seat_count 0: as few seats as the game allows, and its usual options */
    unsigned level;
    enum play_seat seat; /* one that the table has */
    uint64_t seed;
    bool is_ascii, has_color;
    bool clears;   /* every picture begins on an empty screen */
    unsigned rows; /* of that screen; 0: the usual 24 */
    bool echoes;   /* what is read is written too: for input that no terminal shows */
};

/* Plays one table after the other until the person has enough. Returns the exit status. */
int play_run(const struct play_settings *, FILE *in, FILE *out);

#endif
