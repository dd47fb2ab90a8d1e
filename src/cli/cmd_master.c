/* parlor master: the Paper Soccer game master as a program of its own, for any UGS server. */
#include "base/clock.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/connect.h"
#include "cli/options.h"
#include "cli/tables_source.h"
#include "cli/ugs_client.h"
#include "host/hall/master.h"
#include "store/store.h"

#include <stdio.h>

static const char *const attack_words[] = {"top", "bottom", NULL};

struct master_program {
    struct ugs_client client;
    struct store *store; /* in memory: the server keeps the journal */
    struct tables *tables;
    enum err lost; /* ERR_OK while the connection holds */
};

static void cmd_master_say(void *context, const struct hall_message *m) {
    struct master_program *program = context;
    if (program->lost == ERR_OK)
        program->lost = ugs_client_send(&program->client, m);
}

static int login_refused(const struct hall_message *m) {
    fprintf(stderr, "parlor: the server refused the login: error %d, %s\n", (int)m->login_error,
            hall_login_sentence(m->login_error));
    return 1;
}

/* Serves until the server ends it. Returns the exit status. */
static int master_serve(struct master_program *program, struct master *master) {
    while (program->lost == ERR_OK) {
        struct hall_message m;
        enum err e = ugs_client_next(&program->client, &m);
        if (e == ERR_UNKNOWN_TYPE)
            continue;
        if (e != ERR_OK) {
            fprintf(stderr, "parlor: %s\n", err_sentence(e));
            return 1;
        }
        if (m.type == HALL_SERVER_SHUTDOWN)
            return 0;
        if (m.type == HALL_LOGIN_RESPONSE && m.login_error != HALL_LOGIN_OK)
            return login_refused(&m);
        if (m.type == HALL_LOGIN_RESPONSE)
            log_event(LOG_INFO, "logged-in");
        else if (m.type == HALL_ERROR)
            log_event(LOG_WARN, "server-error", LOG_TEXT("text", m.text));
        else
            master_take(master, &m, clock_monotonic_ms());
        while (store_drain(program->store) > 0)
            ;
    }
    fprintf(stderr, "parlor: %s\n", err_sentence(program->lost));
    return 1;
}

static int master_work(struct master_program *program, const struct master_config *config, const char *id,
                       const char *type) {
    program->lost = ugs_client_send(&program->client, &(struct hall_message){.type = HALL_MASTER_LOGIN,
                                                                             .id = span_of(id),
                                                                             .game_type = span_of(type),
                                                                             .players_min = 2,
                                                                             .players_max = 2});
    struct master *master = master_create(config);
    int status = master_serve(program, master);
    master_free(master);
    return status;
}

static int master_run(int argc, char **argv) {
    const char *address = NULL, *type = master_types[0], *id = "parlor";
    int first_attack = ATTACK_TOP;
    int64_t given_seed = -1;
    struct connect_way way = {0};
    const struct option_row rows[] = {
        ROW_TEXT("connect_to", "IP:PORT", &address, "the UGS server"),
        CONNECT_ROWS(way),
        ROW_TEXT("game-type", "TYPE", &type, "the name to log in with"),
        ROW_TEXT("id", "ID", &id, "the master's id"),
        ROW_WORD("first-attacks", "top|bottom", &first_attack, attack_words,
                 "the goal that the first player attacks"),
        ROW_GONE("lenient-moves", "parlor serve understands players that send one segment per message"),
        ROW_NUMBER("seed", &given_seed, -1, INT64_MAX, "decides who begins; -1 draws one"),
        {0},
    };
    const struct options options = {
        .command = "master",
        .operands = "",
        .about = "Runs the Paper Soccer game master and connects it to a UGS server.",
        .rows = rows,
    };
    struct operands operands;
    int wrong = options_parse(&options, argc, argv, &operands);
    if (wrong != OPTIONS_GO_ON)
        return wrong;
    if (address == NULL) {
        fprintf(stderr, "parlor: --connect_to IP:PORT is needed\n");
        return EXIT_USAGE;
    }
    if (!connect_is_address("--connect_to", address))
        return EXIT_USAGE;
    struct master_program program = {0};
    struct tables_source source = {.has_seed = given_seed >= 0};
    rng_seed(&source.rng, (uint64_t)given_seed);
    program.store = store_memory_open(true);
    struct tables_config tables = tables_source_config(&source, program.store);
    program.tables = tables_create(&tables);
    struct master_config config = {.first_attack = (enum attack)first_attack,
                                   .tables = program.tables,
                                   .context = &program,
                                   .say = cmd_master_say};
    int status =
        ugs_client_open(&program.client, address, &way, false) ? master_work(&program, &config, id, type) : 1;
    ugs_client_close(&program.client);
    store_close(program.store);
    tables_free(program.tables);
    return status;
}

const struct command cmd_master = {"master", "run the Paper Soccer game master for a UGS server", master_run};
