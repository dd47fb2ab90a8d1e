/* Ceilings that somebody has run into: how often, of each kind, and a line of the log now and then. What a
 * ceiling is and what becomes of whoever is beyond it is decided where it is checked; that place says so
 * here.
 *
 * One account of the process, for the loop's thread. */
#ifndef BASE_LIMIT_H
#define BASE_LIMIT_H

#include "base/address.h"

/* clang-format off */
/* The constant, the word in numbers and logs, and the option that moves it ("": none does). */
#define LIMIT_LIST(X) \
    X(CONNECTIONS,         "connections",         "connections-max") \
    X(ADDRESS_CONNECTIONS, "address-connections", "address-connections-max") \
    X(MEMORY,              "memory",              "memory-max") \
    X(UNSENT,              "unsent",              "") \
    X(ADDRESS_REQUESTS,    "address-requests",    "address-requests-max") \
    X(ADDRESS_BYTES,       "address-bytes",       "address-bytes-max") \
    X(ADDRESS_THINKING,    "address-thinking",    "address-thinking-max") \
    X(ADDRESS_TABLES,      "address-tables",      "address-tables-max") \
    X(ADDRESS_JOURNAL,     "address-journal",     "address-journal-max") \
    X(DISK,                "disk",                "disk-reserve") \
    X(TABLES,              "tables",              "") \
    X(WATCHERS,            "watchers",            "watchers-max") \
    X(PLAYERS,             "players",             "players-max") \
    X(GUESSES,             "guesses",             "") \
    X(BANS,                "bans",                "")
/* clang-format on */

#define LIMIT_CONSTANT(name, word, option) LIMIT_##name,
enum limit { LIMIT_LIST(LIMIT_CONSTANT) LIMIT_COUNT };

/* Somebody has run into it; NULL: it is not known who. */
void limit_hit(enum limit, const struct address *who);

uint64_t limit_hits(enum limit);
const char *limit_word(enum limit);

#endif
