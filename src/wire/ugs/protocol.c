/* What the server can be told about the Universal Game System. */
#include "wire/protocol.h"
#include "base/utf8.h"
#include "host/championship/championship.h"
#include "host/hall/mixed.h"
#include "wire/ugs/port.h"

#include <stdio.h>

enum { UGS_PARALLEL_MAX = 1000 * 1000, UGS_PORT_NUMBER_NONE = -1 };

struct ugs_options {
    struct ugs_port_config port;
    const char *championship; /* "TYPE PLAYERS", or NULL */
    char type[HALL_TYPE_BYTES_MAX + 1];
    int64_t number; /* of the port to listen on */
};

static const char *const ugs_attack_words[] = {[ATTACK_TOP] = "top", [ATTACK_BOTTOM] = "bottom", NULL};

#define UGS_SECONDS(name, field, help)                                                                       \
    FIELD_SECONDS(name, struct ugs_options, port.field, 1, OPTION_SECONDS_MS_MAX, help)
static const struct option_row ugs_rows[] = {
    {.name = "championship",
     .value = "TYPE PLAYERS",
     .help = "wait for so many players, let everybody meet everybody, end",
     .kind = OPTION_TEXT,
     .offset = offsetof(struct ugs_options, championship),
     .takes_two = true},
    FIELD_INT("port", struct ugs_options, number, 0, 65535, "the port of --ugs, on its address"),
    FIELD_U32("max-parallel", struct ugs_options, port.hall.tables_per_master_max, 0, UGS_PARALLEL_MAX,
              "tables that one game master runs at the same time, 0 for no limit"),
    {.name = "no-builtin-master",
     .help = "leave Paper Soccer to a game master that logs in",
     .kind = OPTION_NO_FLAG,
     .offset = offsetof(struct ugs_options, port.has_master)},
    {.name = "first-attacks",
     .value = "GOAL",
     .help = "the goal that the first player attacks, top or bottom",
     .kind = OPTION_WORD,
     .offset = offsetof(struct ugs_options, port.master.first_attack),
     .words = ugs_attack_words},
    ROW_GONE("lenient-moves", "players that send one segment per message are understood without it"),
    UGS_SECONDS("move-timeout", hall.move_timeout_ms, "for a player's move"),
    UGS_SECONDS("thanks-timeout", hall.thanks_timeout_ms, "for a player's thanks after a table"),
    UGS_SECONDS("master-timeout", hall.master_timeout_ms, "for the answer of a game master that logged in"),
    UGS_SECONDS("settle-timeout", hall.settle_timeout_ms,
                "for the verdict of such a master when a player left"),
    UGS_SECONDS("login-timeout", hall.login_timeout_ms, "for logging in"),
    FIELD_SECONDS("lobby-after", struct ugs_options, port.hall.alone_timeout_ms, 0, OPTION_SECONDS_MS_MAX,
                  "until a player who waits alone is shown in the lobby as an open table; 0 is never"),
    FIELD_FLAG("championship-resume", struct ugs_options, port.hall.championship_resumes,
               "go on with the --championship that an earlier run left unfinished, if there is one"),
    UGS_SECONDS("championship-return", hall.return_timeout_ms,
                "for the players of a championship to come back after a restart before they have lost"),
    FIELD_FLAG("no-xml-decl", struct ugs_options, port.style.omits_declaration,
               "write XML messages without <?xml ...?>"),
    FIELD_FLAG("newline", struct ugs_options, port.style.ends_with_newline,
               "end XML messages with a line feed"),
    {0},
};

static void ugs_defaults(void *target) {
    *(struct ugs_options *)target =
        (struct ugs_options){.port = ugs_port_config_default(), .number = UGS_PORT_NUMBER_NONE};
}

/* Splits "TYPE PLAYERS" at its last space. */
static bool ugs_check_championship(struct ugs_options *o, char complaint[PROTOCOL_COMPLAINT_BYTES_MAX]) {
    const char *space = strrchr(o->championship, ' ');
    int64_t players;
    if (space == NULL || !span_to_int(span_of(space + 1), &players) || players < CHAMPIONSHIP_ENTRANTS_MIN ||
        players > CHAMPIONSHIP_ENTRANTS_MAX) {
        snprintf(complaint, PROTOCOL_COMPLAINT_BYTES_MAX,
                 "--championship takes a game type and a number of players from %d to %d",
                 CHAMPIONSHIP_ENTRANTS_MIN, CHAMPIONSHIP_ENTRANTS_MAX);
        return false;
    }
    struct span type = span_make(o->championship, (size_t)(space - o->championship));
    if (type.size == 0 || !utf8_is_valid(type) || !span_copy(type, o->type, sizeof o->type)) {
        snprintf(complaint, PROTOCOL_COMPLAINT_BYTES_MAX, "a game type has from 1 to %d bytes of UTF-8",
                 HALL_TYPE_BYTES_MAX);
        return false;
    }
    o->port.hall.championship_type = o->type;
    o->port.hall.championship_players = (uint32_t)players;
    return true;
}

static bool ugs_check(void *target, struct protocol_place *place,
                      char complaint[PROTOCOL_COMPLAINT_BYTES_MAX]) {
    struct ugs_options *o = target;
    bool has_number = o->number != UGS_PORT_NUMBER_NONE;
    if (o->championship != NULL && !ugs_check_championship(o, complaint))
        return false;
    if (place->is_off && (has_number || o->championship != NULL)) {
        snprintf(complaint, PROTOCOL_COMPLAINT_BYTES_MAX, "--%s needs the --ugs listener, which is off",
                 has_number ? "port" : "championship");
        return false;
    }
    if (has_number)
        place->number = (uint16_t)o->number;
    return true;
}

static struct port *ugs_open(const void *given, const struct protocol_host *host) {
    struct ugs_port_config c = ((const struct ugs_options *)given)->port;
    c.hall.tables = host->tables;
    c.hall.keeps_championships = true;
    c.hall.players_max = host->players_max;
    c.message_timeout_ms = host->message_timeout_ms;
    c.desk = host->desk;
    c.master.inspector = host->inspector;
    return ugs_port_create(&c);
}

const struct protocol ugs_protocol = {
    .name = "ugs",
    .about = "Universal Game System: Paper Soccer, game masters",
    .game = "paper-soccer",
    .page = "protocols/ugs.md",
    .default_address = "127.0.0.1:8888",
    .config_size = sizeof(struct ugs_options),
    .defaults = ugs_defaults,
    .rows = ugs_rows,
    .check = ugs_check,
    .port = ugs_open,
    .restored = mixed_restored,
};
