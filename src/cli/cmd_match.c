/* parlor match: two to four contestants, many games, and what they show. */
#include "cli/command.h"
#include "cli/game_choice.h"
#include "cli/match/match.h"
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char program_prefix[] = "cmd:";

static bool cmd_match_contestant(struct match *m, const char *text) {
    struct match_contestant *c = &m->contestant[m->count];
    const char *complaint;
    c->text = text;
    m->count++;
    if (strncmp(text, program_prefix, sizeof program_prefix - 1) == 0) {
        c->program = text + sizeof program_prefix - 1;
        m->has_programs = true;
        if (*c->program != '\0')
            return true;
        fprintf(stderr, "parlor: '%s' names no program\n", text);
        return false;
    }
    if (!bot_spec_read(span_of(text), m->game, &c->spec, &complaint)) {
        fprintf(stderr, "parlor: '%s': %s\n", text, complaint);
        return false;
    }
    if (c->spec.ms == 0 && c->spec.nodes == 0)
        c->spec.ms = m->ms;
    return true;
}

/* The directory for a new match: made when it is missing, refused when another match is in it. */
static bool cmd_match_output(const char *output) {
    char report[MATCH_PATH_BYTES_MAX];
    if (mkdir(output, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "parlor: %s: %s\n", output, strerror(errno));
        return false;
    }
    snprintf(report, sizeof report, "%s/report.json", output);
    if (access(report, F_OK) != 0)
        return true;
    fprintf(stderr, "parlor: %s holds a match already; --output names another directory\n", output);
    return false;
}

static bool cmd_match_check(const struct match *m) {
    if (m->has_programs && m->opening > 0) {
        fprintf(stderr, "parlor: --opening is for bots alone: programs play from the start\n");
        return false;
    }
    if (m->has_programs && strcmp(m->game->name, "paper-soccer") == 0 && *m->options_text != '\0') {
        fprintf(stderr, "parlor: games of programs on the Universal Game System take no --option\n");
        return false;
    }
    return true;
}

static bool cmd_match_fill(struct match *m, const char *game, const char *sprt, const struct operands *who) {
    if (game == NULL) {
        fprintf(stderr, "parlor: --game GAME is needed\n");
        return false;
    }
    if (!game_choice(game, who->count, m->options_text, &m->game, &m->options))
        return false;
    for (int i = 0; i < who->count; i++)
        if (!cmd_match_contestant(m, who->list[i]))
            return false;
    if (sprt != NULL && !sprt_read(&m->sprt, sprt)) {
        fprintf(stderr, "parlor: --sprt is elo0=N,elo1=N with elo0 below elo1\n");
        return false;
    }
    return cmd_match_check(m);
}

static int cmd_match_play(struct match *m) {
    char report[MATCH_PATH_BYTES_MAX];
    snprintf(report, sizeof report, "%s/report.json", m->output);
    match_run(m);
    match_print(m);
    if (!match_save(m, report)) {
        fprintf(stderr, "parlor: %s could not be written\n", report);
        return 1;
    }
    return m->broken == m->counted ? 1 : 0;
}

static int match_command(int argc, char **argv) {
    const char *game = NULL, *sprt = NULL;
    int64_t seed = 1;
    struct match m = {
        .games = 100, .jobs = 1, .limit_ms = 30 * 1000, .output = "parlor-match", .options_text = ""};
    const struct option_row rows[] = {
        ROW_TEXT("game", "GAME", &game, "what is played"),
        ROW_TEXT("option", "NAME=VALUE", &m.options_text, "of the game; several with commas"),
        ROW_U32("games", &m.games, 1, MATCH_GAMES_MAX, "how many games, unless --sprt ends it sooner"),
        ROW_U32(
            "time", &m.ms, 0, BOT_SPEC_MS_MAX,
            "milliseconds for a decision of bots that have no budget of their own; 0: as their level says"),
        ROW_TEXT("sprt", "elo0=N,elo1=N", &sprt, "end when it is clear which of the two the first one is"),
        ROW_U32("jobs", &m.jobs, 1, MATCH_JOBS_MAX, "games at the same time"),
        ROW_U32("opening", &m.opening, 0, MATCH_OPENING_MAX,
                "actions at the start that are drawn, the same for everybody in a round"),
        ROW_SECONDS("limit", &m.limit_ms, "silence of a program that loses the game"),
        ROW_NUMBER("seed", &seed, 0, INT64_MAX, "of chance and of the bots' own choices"),
        ROW_TEXT("output", "DIR", &m.output, "where every game and report.json are kept"),
        {0},
    };
    const struct options options = {
        .command = "match",
        .operands = "A B [C D]",
        .about =
            "Lets contestants play many games. One is a bot (level:3, level:5,ms=100, search:nodes=2000,\n"
            "random) or a program over the protocol of the game, on a server of its own for each game:\n"
            "'cmd:./mybot {host} {port} {name}', also with {table}, {players}, {ms} and {seed}. In a round\n"
            "everybody has every seat once, with the same chance. One contestant alone plays games for one.",
        .rows = rows,
        .operands_min = 1,
        .operands_max = SEATS_MAX,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    m.seed = (uint64_t)seed;
    if (!cmd_match_fill(&m, game, sprt, &operands))
        return EXIT_USAGE;
    return cmd_match_output(m.output) ? cmd_match_play(&m) : 1;
}

const struct command cmd_match = {"match", "let bots and programs play each other", match_command};
