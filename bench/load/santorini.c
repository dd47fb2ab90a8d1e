/* Santorini over lines of JSON. It chooses among what it is offered, and knows of the board only where its
 * own builders stand; so the gods are two that never move anybody else's. */
#include "load.h"

#include "base/writer.h"

#include <stdio.h>

enum { BUILDERS = 2, CELL_TEXT_BYTES = 32 };

struct santorini_player {
    struct load_conn conn;                 /* first */
    unsigned mover;                        /* the builder that began the turn, and ends it */
    char cells[BUILDERS][CELL_TEXT_BYTES]; /* as they are written */
    char name[24];
    bool is_last; /* it has made the last move */
};

static const char *const santorini_gods[] = {"Pan", "Athena"};
static const char *const santorini_colors[] = {"WHITE", "MAGENTA"};

/* What another one has chosen already is taken by nobody else. */
static const char *santorini_other(struct span line, const char *field, const char *const words[2]) {
    return load_has(load_value(line, field, ']'), words[0]) ? words[1] : words[0];
}

static void santorini_begin(struct load_conn *conn) {
    struct santorini_player *p = (struct santorini_player *)conn;
    snprintf(p->name, sizeof p->name, "%s%u", load_wishes.name, conn->number);
}

/* The number of the cell in a list of cells, as it is written: {"x":1,"y":2}. Empty when there is none. */
static struct span santorini_cell(struct span list, uint32_t number) {
    struct span rest = list;
    const char *at;
    while ((at = rest.size == 0 ? NULL : memchr(rest.data, '{', rest.size)) != NULL) {
        const char *end = memchr(at, '}', rest.size - (size_t)(at - rest.data));
        if (end == NULL)
            break;
        if (number-- == 0)
            return span_make(at, (size_t)(end - at) + 1);
        rest = span_make(end + 1, rest.size - (size_t)(end + 1 - rest.data));
    }
    return (struct span){NULL, 0};
}

static uint32_t santorini_count(struct span list) {
    uint32_t count = 0;
    for (size_t i = 0; i < list.size; i++)
        count += list.data[i] == '{';
    return count;
}

/* A list of a list of lists, by its number, as text: the cells hold no brackets. */
static struct span santorini_list(struct span lists, unsigned number) {
    for (;; number--) {
        const char *at = lists.size == 0 ? NULL : memchr(lists.data, '[', lists.size);
        const char *end = at == NULL ? NULL : memchr(at, ']', lists.size - (size_t)(at - lists.data));
        if (end == NULL)
            return (struct span){NULL, 0};
        if (number == 0)
            return span_make(at, (size_t)(end - at));
        lists = span_make(end + 1, lists.size - (size_t)(end + 1 - lists.data));
    }
}

/* Which list of lists is chosen from: of a move that of any builder, of a build one of the builder that has
 * moved, the last two are domes. */
static unsigned santorini_group(const struct santorini_player *p, unsigned number, bool is_build) {
    return is_build ? (p->mover + BUILDERS * (number % 2) + number / 2) % (2 * BUILDERS) : number % BUILDERS;
}

/* Moves or builds at random with one of the builders. */
static void santorini_act(struct santorini_player *p, struct span line, bool is_build) {
    struct span lists = load_behind(line, "\"possibleDst\":[");
    unsigned groups = is_build ? 2 * BUILDERS : BUILDERS,
             first = is_build ? 0 : rng_below(&p->conn.rng, groups);
    for (unsigned i = 0; i < groups; i++) {
        unsigned group = santorini_group(p, first + i, is_build);
        unsigned builder = is_build ? p->mover : group;
        struct span list = santorini_list(lists, group);
        uint32_t count = santorini_count(list);
        char text[256];
        if (count == 0)
            continue;
        struct span cell = santorini_cell(list, rng_below(&p->conn.rng, count));
        const char *more = group >= BUILDERS ? ",\"buildDome\":true" : ",\"buildDome\":false";
        int size = snprintf(text, sizeof text, "{\"type\":\"%s\",\"src\":%s,\"dst\":%.*s%s}\n",
                            is_build ? "build" : "move", p->cells[builder], (int)cell.size, cell.data,
                            is_build ? more : "");
        p->mover = builder;
        if (!is_build && !span_copy(cell, p->cells[builder], CELL_TEXT_BYTES))
            load_error(&p->conn, "no cell", line);
        load_move(&p->conn, span_make(text, (size_t)size));
        return;
    }
    load_error(&p->conn, "nothing is possible", line);
}

static void santorini_place(struct santorini_player *p, struct span line) {
    struct span list = load_behind(line, "\"possibleDst\":[");
    uint32_t count = santorini_count(list), first = rng_below(&p->conn.rng, count / 2);
    for (unsigned i = 0; i < BUILDERS; i++)
        if (!span_copy(santorini_cell(list, first + i * (count / 2)), p->cells[i], CELL_TEXT_BYTES))
            load_error(&p->conn, "no cell", line);
    load_say_text(&p->conn, "{\"type\":\"buildersPlacement\",\"positions\":[%s,%s]}\n", p->cells[0],
                  p->cells[1]);
}

/* What is asked before the first turn. */
static bool santorini_set_up(struct santorini_player *p, struct span line) {
    struct load_conn *conn = &p->conn;
    if (load_begins(line, "{\"type\":\"askNumberOfPlayers\""))
        load_say(conn, SPAN("{\"type\":\"setNumberOfPlayers\",\"numberOfPlayers\":2}\n"));
    else if (load_begins(line, "{\"type\":\"askNickAndDate\""))
        load_say_text(conn, "{\"type\":\"addPlayer\",\"name\":\"%s\",\"date\":\"2000.01.%02u\"}\n", p->name,
                      1 + conn->seat);
    else if (load_begins(line, "{\"type\":\"chooseMatchGodCards\""))
        load_say(conn, SPAN("{\"type\":\"setMatchGodCards\",\"godCardNames\":[\"Pan\",\"Athena\"]}\n"));
    else if (load_begins(line, "{\"type\":\"askGod\""))
        load_say_text(conn, "{\"type\":\"setGodCard\",\"godCard\":\"%s\"}\n",
                      santorini_other(line, "\"chosenGodCards\":", santorini_gods));
    else if (load_begins(line, "{\"type\":\"chooseStartPlayer\""))
        load_say_text(conn, "{\"type\":\"setStartPlayer\",\"name\":\"%s\"}\n", p->name);
    else if (load_begins(line, "{\"type\":\"askColor\""))
        load_say_text(conn, "{\"type\":\"colorUpdate\",\"color\":\"%s\"}\n",
                      santorini_other(line, "\"chosenColors\":", santorini_colors));
    else if (load_begins(line, "{\"type\":\"askBuilders\""))
        santorini_place(p, line);
    else
        return false;
    return true;
}

static void santorini_take(struct load_conn *conn, struct span line) {
    struct santorini_player *p = (struct santorini_player *)conn;
    if (load_begins(line, "{\"type\":\"move\",\"result\":true") ||
        load_begins(line, "{\"type\":\"build\",\"result\":true")) {
        p->is_last = conn->sent_ns != 0;
        load_answered(conn);
    } else if (load_begins(line, "{\"type\":\"possibleMoveDestinations\""))
        santorini_act(p, line, false);
    else if (load_begins(line, "{\"type\":\"possibleBuildDestinations\""))
        santorini_act(p, line, true);
    else if (load_begins(line, "{\"type\":\"endGame\"") && p->is_last)
        load_over(conn);
    else if (load_has(line, "the number of players is not asked for"))
        return; /* a place was free before the number was heard */
    else if (load_begins(line, "{\"type\":\"error") || load_has(line, "\"result\":false") ||
             load_begins(line, "{\"type\":\"askStep"))
        load_error(conn, "refused", line);
    else if (!load_pong(conn, line))
        santorini_set_up(p, line);
}

const struct load_client load_santorini = {
    .name = "santorini",
    .seats = 2,
    .size = sizeof(struct santorini_player),
    .begin = santorini_begin,
    .message = load_line,
    .take = santorini_take,
};
