#include "wire/http/guard.h"

enum { PORT_HTTP = 80, PORT_HTTPS = 443, PORT_MAX = 65535, IPV4_PARTS = 4, IPV4_PART_MAX = 255 };

/* "name:port" or "[address]:port", as in a Host header and behind the scheme of an origin. */
struct authority {
    struct span name;
    bool has_port;
    int64_t port;
};

/* Cuts the next item off a list with commas. */
static struct span list_next(struct span *list) {
    const char *comma = memchr(list->data, ',', list->size);
    size_t size = comma == NULL ? list->size : (size_t)(comma - list->data);
    struct span item = span_trim(span_make(list->data, size));
    size += comma != NULL;
    *list = span_make(list->data + size, list->size - size);
    return item;
}

static bool span_equal_nocase(struct span a, struct span b) {
    char text[256];
    return a.size == b.size && span_copy(b, text, sizeof text) && span_is_nocase(a, text);
}

static bool hosts_have(const struct http_guard *guard, struct span name) {
    struct span list = span_of(guard->hosts == NULL ? "" : guard->hosts);
    while (list.size > 0)
        if (span_equal_nocase(list_next(&list), name))
            return true;
    return false;
}

static bool authority_read(struct span text, struct authority *out) {
    const char *bracket = text.size > 0 && text.data[0] == '[' ? memchr(text.data, ']', text.size) : NULL;
    size_t from = bracket == NULL ? 0 : (size_t)(bracket - text.data);
    const char *colon = text.size == 0 ? NULL : memchr(text.data + from, ':', text.size - from);
    size_t size = colon == NULL ? text.size : (size_t)(colon - text.data);
    *out = (struct authority){.name = span_make(text.data, size), .has_port = colon != NULL};
    if (size > 0 && text.data[size - 1] == '.') /* the same name, written out in full */
        out->name.size--;
    if (out->name.size == 0)
        return false;
    return colon == NULL || (span_to_int(span_make(colon + 1, text.size - size - 1), &out->port) &&
                             out->port >= 0 && out->port <= PORT_MAX);
}

static bool is_ipv4(struct span name) {
    unsigned parts = 0;
    while (name.size > 0) {
        const char *dot = memchr(name.data, '.', name.size);
        size_t size = dot == NULL ? name.size : (size_t)(dot - name.data);
        int64_t value;
        if (size == 0 || name.data[0] < '0' || name.data[0] > '9' ||
            !span_to_int(span_make(name.data, size), &value) || value > IPV4_PART_MAX)
            return false;
        parts++;
        if (dot != NULL && size + 1 == name.size)
            return false;
        size += dot != NULL;
        name = span_make(name.data + size, name.size - size);
    }
    return parts == IPV4_PARTS;
}

static bool is_address(struct span name) {
    return (name.size > 2 && name.data[0] == '[' && name.data[name.size - 1] == ']') || is_ipv4(name);
}

static bool host_is_ours(const struct http_guard *guard, struct span host) {
    struct authority a;
    return authority_read(host, &a) &&
           (is_address(a.name) || span_is_nocase(a.name, "localhost") ||
            span_is_nocase(a.name, guard->place) ||
            (guard->tls_place != NULL && span_is_nocase(a.name, guard->tls_place)) ||
            hosts_have(guard, a.name));
}

/* The authority of an origin and the port that its scheme has when it says none. */
static bool origin_read(struct span origin, struct authority *out, int64_t *port) {
    static const struct {
        const char *scheme;
        int64_t port;
    } schemes[] = {{"http://", PORT_HTTP}, {"https://", PORT_HTTPS}};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t size = strlen(schemes[i].scheme);
        *port = schemes[i].port;
        if (origin.size > size && span_is_nocase(span_make(origin.data, size), schemes[i].scheme))
            return authority_read(span_make(origin.data + size, origin.size - size), out);
    }
    return false;
}

/* Of the server itself: the origin of the name that was asked. Whether the page came by http or https is not
 * known here, where a proxy may stand before the server; one that does not hand the name on is known by
 * --host. */
static bool origin_is_own(const struct http_guard *guard, const struct http_request *request) {
    struct authority page, host;
    int64_t port;
    if (!origin_read(request->origin, &page, &port) || !authority_read(request->host, &host))
        return false;
    int64_t page_port = page.has_port ? page.port : port, host_port = host.has_port ? host.port : port;
    if (span_equal_nocase(page.name, host.name) && page_port == host_port)
        return true;
    return !page.has_port && hosts_have(guard, page.name);
}

static bool changes_something(const struct http_request *request) {
    return request->wants_websocket ||
           (request->method != HTTP_METHOD_GET && request->method != HTTP_METHOD_HEAD &&
            request->method != HTTP_METHOD_OPTIONS);
}

enum err http_guard_check(const struct http_guard *guard, const char *invited,
                          const struct http_request *request) {
    if (guard->place == NULL)
        return ERR_OK;
    if (request->host.size > 0 && !host_is_ours(guard, request->host))
        return ERR_HOST_UNKNOWN;
    if (request->origin.size == 0 || !changes_something(request) || origin_is_own(guard, request))
        return ERR_OK;
    bool is_invited = invited != NULL &&
                      (strcmp(invited, "*") == 0 || span_equal_nocase(request->origin, span_of(invited)));
    return is_invited ? ERR_OK : ERR_ORIGIN_REFUSED;
}

bool http_guard_names_are_valid(struct span names) {
    do {
        struct span name = list_next(&names);
        for (size_t i = 0; i < name.size; i++) {
            char c = name.data[i];
            bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!is_plain && c != '-' && c != '.' && c != '_')
                return false;
        }
        if (name.size == 0)
            return false;
    } while (names.size > 0);
    return true;
}
