/* What the commands that play a game by name have in common: which game, for how many, with which options. */
#ifndef CLI_GAME_CHOICE_H
#define CLI_GAME_CHOICE_H

#include "game/game.h"

/* Reads a game's name, a number of seats (0: as few as the game allows) and its options as one text,
 * "NAME=VALUE,NAME=VALUE" (NULL or "": all as usual), into *game and *out. False, with the reason on standard
 * error, when something of it is not known or not allowed. */
bool game_choice(const char *name, int64_t seats, const char *options, const struct game **game,
                 struct game_options *out) MUST_CHECK;

/* Plays "SEAT ACTION,SEAT ACTION" (the seat may be left out: then the first that may act), up to the first
 * that is refused, with the reason on standard error. */
enum err game_choice_play(const struct game *, struct game_state *, const char *actions) MUST_CHECK;

#endif
