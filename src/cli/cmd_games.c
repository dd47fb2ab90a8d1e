/* parlor games: the games that this program has, with their seats, options, bots and protocols. */
#include "bots/bots.h"
#include "cli/catalogue.h"
#include "cli/command.h"
#include "game/game.h"
#include "server/protocols.h"

#include <stdio.h>
#include <string.h>

static bool protocol_speaks(const struct protocol *protocol, const struct game *game) {
    return protocol->game == NULL || strcmp(protocol->game, game->name) == 0;
}

static void game_print(const struct game *game) {
    if (game->seats_min == game->seats_max)
        printf("%-14s %-24s %u players   ", game->name, game->title, game->seats_min);
    else
        printf("%-14s %-24s %u-%u players ", game->name, game->title, game->seats_min, game->seats_max);
    for (size_t i = 0; protocols[i] != NULL; i++)
        if (protocol_speaks(protocols[i], game))
            printf(" %s", protocols[i]->name);
    printf("\n");
}

static void games_print(void) {
    for (size_t i = 0; games[i] != NULL; i++)
        game_print(games[i]);
}

static void game_write_item(const struct game *game, struct writer *w) {
    writer_object_begin(w, NULL);
    game_write(game, w);
    writer_list_begin(w, "bots");
    for (size_t i = 0; bot_kinds[i] != NULL; i++)
        if (bot_kinds[i]->game == NULL || bot_kinds[i]->game == game)
            writer_text(w, NULL, span_of(bot_kinds[i]->name));
    writer_list_end(w);
    writer_list_begin(w, "protocols");
    for (size_t i = 0; protocols[i] != NULL; i++)
        if (protocol_speaks(protocols[i], game))
            writer_text(w, NULL, span_of(protocols[i]->name));
    writer_list_end(w);
    writer_object_end(w);
}

static void games_write(struct writer *w) {
    for (size_t i = 0; games[i] != NULL; i++)
        game_write_item(games[i], w);
}

static const struct catalogue games_catalogue = {
    .command = "games",
    .about = "Lists the games, with the number of their players and the protocols that speak of them.",
    .print = games_print,
    .write = games_write,
};

static int games_run(int argc, char **argv) {
    return catalogue_run(&games_catalogue, argc, argv);
}

const struct command cmd_games = {"games", "list the games", games_run};
