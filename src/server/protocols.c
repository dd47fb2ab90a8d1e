#include "server/protocols.h"

#include "base/address.h"
#include "base/mem.h"
#include "wire/http/guard.h"
#include "wire/http/health_route.h"
#include "wire/http/page_route.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define ENTRY(name) extern const struct protocol name;
#include "wire/protocol_list.h"
#undef ENTRY

#define ENTRY(name) &name,
const struct protocol *const protocols[] = {
#include "wire/protocol_list.h"
    NULL,
};
#undef ENTRY

_Static_assert(sizeof protocols / sizeof *protocols <= PROTOCOLS_MAX, "every protocol has its place");

static const char *const proxy_header_words[] = {
    [HTTP_X_FORWARDED_FOR] = "x-forwarded-for", [HTTP_FORWARDED] = "forwarded", NULL};

static const struct option_row http_rows[] = {
    FIELD_SECONDS("idle-timeout", struct http_port_config, idle_timeout_ms, 1, OPTION_SECONDS_MS_MAX,
                  "for the next request on an HTTP connection"),
    FIELD_TEXT("host", "NAMES", struct http_port_config, guard.hosts,
               "names by which the page is reached, with commas; addresses and localhost always are"),
    FIELD_TEXT("trusted-proxy", "ADDRS", struct http_port_config, proxy_text,
               "addresses of proxies, with commas, that say where their clients are; limits count for those"),
    {.name = "proxy-header",
     .value = "HEADER",
     .help = "in which those of --trusted-proxy say it over HTTP: x-forwarded-for, or forwarded (RFC 7239)",
     .kind = OPTION_WORD,
     .offset = offsetof(struct http_port_config, proxy_header),
     .words = proxy_header_words},
    {0},
};

static const struct option_row tls_rows[] = {
    FIELD_TEXT("tls-certificate", "FILE", struct protocols_setup, tls_certificate,
               "certificate for TLS in PEM, with those that lead to it; read again on SIGHUP"),
    FIELD_TEXT("tls-key", "FILE", struct protocols_setup, tls_key,
               "its key in PEM, if it is not in the same file; read again on SIGHUP"),
    FIELD_TEXT("proxy-protocol", "NAMES", struct protocols_setup, proxy_text,
               "listeners, with commas, or all: where those of --trusted-proxy begin every connection with a "
               "header of the PROXY protocol"),
    {0},
};

void protocols_tls_name(const char *name, char out[PROTOCOLS_NAME_BYTES_MAX]) {
    bool is_http = strcmp(name, PROTOCOLS_HTTP_NAME) == 0;
    snprintf(out, PROTOCOLS_NAME_BYTES_MAX, is_http ? "%ss" : "%s-tls", name);
}

static void listener_add(struct protocols_setup *s, const char *name, const char *about,
                         const char *address) {
    struct protocols_listener *l = &s->listeners[s->listener_count];
    *l = (struct protocols_listener){.name = name, .about = about, .address = address};
    s->addresses[s->listener_count++] = (struct option_row){
        .name = name, .value = "ADDR:PORT", .help = about, .kind = OPTION_TEXT, .target = &l->address};
}

/* Beside every listener one for TLS, which is off unless it is asked for. */
static void listeners_add_tls(struct protocols_setup *s) {
    for (size_t i = 0; i < s->listener_count; i++) {
        struct protocols_listener *l = &s->listeners[i];
        protocols_tls_name(l->name, l->tls_name);
        snprintf(l->tls_about, sizeof l->tls_about, "what --%s serves, over TLS", l->name);
        l->tls_address = "off";
        s->addresses[s->listener_count + i] = (struct option_row){.name = l->tls_name,
                                                                  .value = "ADDR:PORT",
                                                                  .help = l->tls_about,
                                                                  .kind = OPTION_TEXT,
                                                                  .target = &l->tls_address};
    }
}

/* Another framing is told what the protocol itself is told. */
static void *config_of(const struct protocols_setup *s, const struct protocol *protocol) {
    for (size_t i = 0; protocols[i] != NULL; i++)
        if (protocols[i] == protocol)
            return s->config[i];
    return NULL;
}

static void config_prepare(struct protocols_setup *s, size_t i, size_t *groups) {
    if (protocols[i]->of != NULL) {
        s->config[i] = config_of(s, protocols[i]->of);
        assert(s->config[i] != NULL);
        return;
    }
    s->config[i] = mem_alloc(protocols[i]->config_size);
    protocols[i]->defaults(s->config[i]);
    s->groups[(*groups)++] = (struct option_group){protocols[i]->rows, s->config[i]};
}

void protocols_prepare(struct protocols_setup *s, const struct option_row *own) {
    size_t groups = 0;
    *s = (struct protocols_setup){.http = http_port_config_default()};
    s->groups[groups++] = (struct option_group){own, NULL};
    s->groups[groups++] = (struct option_group){http_rows, &s->http};
    s->groups[groups++] = (struct option_group){tls_rows, s};
    listener_add(s, PROTOCOLS_HTTP_NAME, "HTTP: the web page, the native API, Treasure Hunt",
                 PROTOCOLS_HTTP_ADDRESS);
    for (size_t i = 0; protocols[i] != NULL; i++) {
        config_prepare(s, i, &groups);
        if (protocols[i]->default_address != NULL)
            listener_add(s, protocols[i]->name, protocols[i]->about, protocols[i]->default_address);
    }
    listeners_add_tls(s);
}

void protocols_release(struct protocols_setup *s) {
    for (size_t i = 0; protocols[i] != NULL; i++)
        if (protocols[i]->of == NULL)
            mem_free(s->config[i]);
}

static bool place_read(struct protocols_setup *s, const char *name, const char *address,
                       struct protocol_place *out) {
    *out = (struct protocol_place){.is_off = strcmp(address, "off") == 0};
    if (out->is_off || address_split(address, out->host, sizeof out->host, &out->number) == ERR_OK)
        return true;
    snprintf(s->complaint, sizeof s->complaint,
             "--%s cannot be '%s': it takes ADDR:PORT with a port from 0 to 65535, or off", name, address);
    return false;
}

static bool listener_check(struct protocols_setup *s, struct protocols_listener *l) {
    if (!place_read(s, l->name, l->address, &l->place) ||
        !place_read(s, l->tls_name, l->tls_address, &l->tls_place))
        return false;
    if (l->tls_place.is_off || s->tls_certificate != NULL)
        return true;
    snprintf(s->complaint, sizeof s->complaint, "--%s needs --tls-certificate", l->tls_name);
    return false;
}

/* Marks the listeners that --proxy-protocol names. */
static bool headers_check(struct protocols_setup *s) {
    struct span rest = span_of(s->proxy_text == NULL ? "" : s->proxy_text);
    while (rest.size > 0) {
        const char *comma = memchr(rest.data, ',', rest.size);
        size_t size = comma == NULL ? rest.size : (size_t)(comma - rest.data);
        struct span name = span_trim(span_make(rest.data, size));
        bool is_known = false;
        for (size_t i = 0; i < s->listener_count; i++)
            if (span_is(name, "all") || span_is(name, s->listeners[i].name))
                is_known = s->listeners[i].wants_header = true;
        if (!is_known || s->http.proxy_text == NULL) {
            snprintf(s->complaint, sizeof s->complaint,
                     is_known ? "--proxy-protocol needs --trusted-proxy"
                              : "--proxy-protocol takes listeners such as http or ugs, with commas, or all");
            return false;
        }
        size += comma != NULL;
        rest = span_make(rest.data + size, rest.size - size);
    }
    return true;
}

/* Where a protocol is spoken. */
static struct protocol_place *place_of(struct protocols_setup *s, const struct protocol *protocol) {
    for (size_t i = 1; i < s->listener_count; i++)
        if (strcmp(s->listeners[i].name, protocol->name) == 0)
            return &s->listeners[i].place;
    return &s->listeners[0].place;
}

bool protocols_check(struct protocols_setup *s) {
    bool is_any = false;
    for (size_t i = 0; i < s->listener_count; i++) {
        if (!listener_check(s, &s->listeners[i]))
            return false;
        is_any = is_any || !s->listeners[i].place.is_off || !s->listeners[i].tls_place.is_off;
    }
    if (!is_any) {
        snprintf(s->complaint, sizeof s->complaint, "every listener is off, there is nothing to serve");
        return false;
    }
    if (s->http.guard.hosts != NULL && !http_guard_names_are_valid(span_of(s->http.guard.hosts))) {
        snprintf(s->complaint, sizeof s->complaint,
                 "--host takes names such as games.example.org, with commas and no ports");
        return false;
    }
    if (s->http.proxy_text != NULL && !addresses_parse(span_of(s->http.proxy_text), &s->http.proxies)) {
        snprintf(s->complaint, sizeof s->complaint,
                 "--trusted-proxy takes up to 8 addresses such as 127.0.0.1 or ::1, with commas");
        return false;
    }
    if (!headers_check(s))
        return false;
    for (size_t i = 0; protocols[i] != NULL; i++)
        if (protocols[i]->check != NULL &&
            !protocols[i]->check(s->config[i], place_of(s, protocols[i]), s->complaint))
            return false;
    return true;
}

/* Whatever is served over HTTP: the protocols in their order, at last the health of the server and the page.
 */
static struct port *http_open(const struct protocols_setup *s, const struct protocol_host *host) {
    struct http_route routes[HTTP_ROUTES_MAX] = {0};
    size_t count = 0;
    for (size_t i = 0; protocols[i] != NULL; i++)
        if (protocols[i]->route != NULL) {
            assert(count < HTTP_ROUTES_MAX - 2);
            routes[count++] = protocols[i]->route(s->config[i], host);
        }
    routes[count++] = health_route(host);
    routes[count++] = page_route();
    struct http_port_config config = s->http;
    config.header_timeout_ms = host->message_timeout_ms;
    config.guard.place = s->listeners[0].place.host;
    config.guard.tls_place = s->listeners[0].tls_place.host;
    return http_port_create(&config, routes, count);
}

struct port *protocols_open(const struct protocols_setup *s, size_t listener,
                            const struct protocol_host *host) {
    if (listener == 0)
        return http_open(s, host);
    size_t i = 0;
    while (strcmp(protocols[i]->name, s->listeners[listener].name) != 0)
        i++;
    return protocols[i]->port(s->config[i], host);
}

const char *protocols_listener_of(const struct protocol *protocol) {
    return protocol->default_address == NULL ? PROTOCOLS_HTTP_NAME : protocol->name;
}

static void text_write(struct writer *w, const char *name, const char *value) {
    if (value == NULL)
        writer_null(w, name);
    else
        writer_text(w, name, span_of(value));
}

void protocols_write(struct writer *w, const char *(*address)(const void *context, const char *listener),
                     const void *context) {
    for (size_t i = 0; protocols[i] != NULL; i++) {
        const struct protocol *p = protocols[i];
        const char *listener = protocols_listener_of(p);
        char tls_listener[PROTOCOLS_NAME_BYTES_MAX];
        protocols_tls_name(listener, tls_listener);
        writer_object_begin(w, NULL);
        text_write(w, "name", p->name);
        text_write(w, "about", p->about);
        text_write(w, "game", p->game);
        text_write(w, "of", p->of == NULL ? NULL : p->of->name);
        text_write(w, "listener", listener);
        text_write(w, "address", address(context, listener));
        text_write(w, "tls_listener", tls_listener);
        text_write(w, "tls_address", address(context, tls_listener));
        text_write(w, "page", p->page);
        writer_bool(w, "has_schemas", p->messages != NULL);
        writer_object_end(w);
    }
}

void protocols_restored(struct table *table, bool is_shared) {
    for (size_t i = 0; protocols[i] != NULL && !is_shared; i++)
        if (protocols[i]->restored != NULL && strcmp(protocols[i]->name, table_protocol(table)) == 0) {
            protocols[i]->restored(table);
            return;
        }
    table_disown(table);
}
