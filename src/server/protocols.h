/* All protocols together: the list, what they were told, and the listeners that lead to them. The list itself
 * is in src/wire/meson.build. */
#ifndef SERVER_PROTOCOLS_H
#define SERVER_PROTOCOLS_H

#include "wire/protocol.h"

/* Ended by NULL. */
extern const struct protocol *const protocols[];

enum { PROTOCOLS_MAX = 16 };

/* The listener of those that are routes of HTTP. */
#define PROTOCOLS_HTTP_NAME    "http"
#define PROTOCOLS_HTTP_ADDRESS "127.0.0.1:8080"

enum { PROTOCOLS_NAME_BYTES_MAX = 64, PROTOCOLS_HELP_BYTES_MAX = 128 };

/* One listener: the place, and whoever speaks there; and the place where the same is spoken over TLS. HTTP is
 * one for all protocols that are routes of it. */
struct protocols_listener {
    const char *name;  /* of the option and in the ready line */
    const char *about; /* for --help */
    const char *address;
    struct protocol_place place;
    bool wants_header; /* see proxy_text */
    char tls_name[PROTOCOLS_NAME_BYTES_MAX];
    char tls_about[PROTOCOLS_HELP_BYTES_MAX];
    const char *tls_address;
    struct protocol_place tls_place;
};

/* Everything that the protocols are told. */
struct protocols_setup {
    struct http_port_config http;
    void *config[PROTOCOLS_MAX];                        /* in the order of the list */
    struct protocols_listener listeners[PROTOCOLS_MAX]; /* HTTP first, the others in that order */
    size_t listener_count;
    struct option_row addresses[2 * PROTOCOLS_MAX + 1]; /* two options for every listener */
    const char *tls_certificate, *tls_key;              /* files; NULL: nothing is spoken over TLS */
    const char *proxy_text; /* listeners where trusted proxies say whose connection it is; NULL: none */
    struct option_group groups[PROTOCOLS_MAX + 4]; /* all others, for options_parse */
    char complaint[PROTOCOL_COMPLAINT_BYTES_MAX];
};

/* Writes the name of the listener by which another is reached over TLS: https, or NAME-tls. */
void protocols_tls_name(const char *name, char out[PROTOCOLS_NAME_BYTES_MAX]);

/* Fills in the defaults, and the options that change them: own, borrowed, are those of the caller. The setup
 * must not move afterwards. */
void protocols_prepare(struct protocols_setup *, const struct option_row *own);
void protocols_release(struct protocols_setup *);

/* The options have been read. Works out the places, and lets every protocol look at what it was told. False:
 * setup->complaint says what is wrong. */
bool protocols_check(struct protocols_setup *) MUST_CHECK;

/* Gives the port of a listener that is not off. */
struct port *protocols_open(const struct protocols_setup *, size_t listener, const struct protocol_host *);

/* Writes all of them as members of a list. address says where a listener is, NULL: it is off. */
void protocols_write(struct writer *, const char *(*address)(const void *context, const char *listener),
                     const void *context);

/* The listener of a protocol. */
const char *protocols_listener_of(const struct protocol *);

/* A table that was running when the server ended: its protocol knows what becomes of it. Others wait for
 * whoever comes, and so do those of a store that is shared: another node may have them. */
void protocols_restored(struct table *, bool is_shared);

#endif
