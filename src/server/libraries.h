/* What the libraries that serve clients allocate is in the account of base/mem.h, where they let others
 * choose how they allocate. Separate because it is the one thing that concerns all of them at once. */
#ifndef SERVER_LIBRARIES_H
#define SERVER_LIBRARIES_H

enum {
    /* SQLite has its own account, because its cache would look like something that clients ask for: from here
     * on it uses pages of its cache again instead of taking more, for all connections together. */
    LIBRARIES_SQLITE_BYTES = 96 * 1024 * 1024,
};

/* Before any of the libraries is used: jansson, libuv, SQLite. (expat and zlib are told wherever they are
 * used, wslay's memory is charged by wire/http/websocket.c.) */
void libraries_adopt(void);

#endif
