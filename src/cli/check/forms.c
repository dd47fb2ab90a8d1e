/* The three ways in which messages lie on the wire: lines of JSON, XML that follows on XML, requests of HTTP.
 */
#include "cli/check/check.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of JSON. */

static enum err forms_line_say(struct check *c, struct check_client *client, struct span text) {
    (void)c;
    struct buf line = {0};
    buf_append(&line, text);
    buf_append_byte(&line, '\n');
    enum err e = send_all(client->fd, buf_span(&line));
    buf_free(&line);
    return e;
}

/* Servers ask whether somebody is there, and want an answer. */
static bool forms_line_is_ping(struct check_client *client, struct span line) {
    json_t *message = json_loadb(line.data, line.size, 0, NULL);
    const char *type = json_string_value(json_object_get(message, "type"));
    bool is_ping = type != NULL && (strcmp(type, "ping") == 0 || strcmp(type, "pong") == 0);
    enum err e =
        is_ping && strcmp(type, "ping") == 0 ? send_all(client->fd, SPAN("{\"type\":\"pong\"}\n")) : ERR_OK;
    (void)e; /* a connection that is lost shows with the next message */
    json_decref(message);
    return is_ping;
}

static bool forms_line_take(struct check *c, struct check_client *client, struct buf *out) {
    (void)c;
    for (;;) {
        const char *end =
            client->input.size == 0 ? NULL : memchr(client->input.data, '\n', client->input.size);
        if (end == NULL)
            return false;
        size_t size = (size_t)(end - client->input.data);
        struct span line = span_make(client->input.data, size);
        bool is_shown = size > 0 && !forms_line_is_ping(client, line);
        if (is_shown)
            buf_append(out, line);
        buf_consume(&client->input, size + 1);
        if (is_shown)
            return true;
    }
}

static bool forms_json_fits(struct check *, const json_t *pattern, const json_t *value, const char *name,
                            char *complaint);

static bool forms_json_complain(char *complaint, const char *name, const char *what) {
    snprintf(complaint, CHECK_COMPLAINT_BYTES, "\"%s\" %s", name, what);
    return false;
}

static bool forms_json_text(struct check *c, const json_t *pattern, const json_t *value, const char *name,
                            char *complaint) {
    const char *text = json_string_value(pattern);
    char number[32];
    if (strcmp(text, "*") == 0)
        return true;
    snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    const char *found = json_is_string(value)    ? json_string_value(value)
                        : json_is_integer(value) ? number
                                                 : NULL;
    if (found != NULL && check_glob(c, text, span_of(found)))
        return true;
    snprintf(complaint, CHECK_COMPLAINT_BYTES, "\"%s\" is not \"%s\"", name, text);
    return false;
}

static bool forms_json_object(struct check *c, const json_t *pattern, const json_t *value, const char *name,
                              char *complaint) {
    const char *key;
    json_t *inner;
    if (!json_is_object(value))
        return forms_json_complain(complaint, name, "is no object");
    json_object_foreach((json_t *)(uintptr_t)pattern, key, inner) {
        const json_t *found = json_object_get(value, key);
        if (found == NULL)
            return forms_json_complain(complaint, key, "is missing");
        if (!forms_json_fits(c, inner, found, key, complaint))
            return false;
    }
    return true;
}

static bool forms_json_fits(struct check *c, const json_t *pattern, const json_t *value, const char *name,
                            char *complaint) {
    if (json_is_string(pattern))
        return forms_json_text(c, pattern, value, name, complaint);
    if (json_is_object(pattern))
        return forms_json_object(c, pattern, value, name, complaint);
    if (!json_is_array(pattern))
        return json_equal(pattern, value) || forms_json_complain(complaint, name, "has another value");
    if (!json_is_array(value) || json_array_size(value) != json_array_size(pattern))
        return forms_json_complain(complaint, name, "is no list of so many");
    for (size_t i = 0; i < json_array_size(pattern); i++)
        if (!forms_json_fits(c, json_array_get(pattern, i), json_array_get(value, i), name, complaint))
            return false;
    return true;
}

static bool forms_line_fits(struct check *c, const char *pattern, struct span message,
                            char complaint[CHECK_COMPLAINT_BYTES]) {
    json_t *wanted = json_loads(pattern, 0, NULL), *found = json_loadb(message.data, message.size, 0, NULL);
    bool fits = found != NULL && forms_json_fits(c, wanted, found, "the message", complaint);
    if (found == NULL)
        snprintf(complaint, CHECK_COMPLAINT_BYTES, "the line is no JSON");
    json_decref(wanted);
    json_decref(found);
    return fits;
}

const struct check_form check_lines_form = {forms_line_say, forms_line_take, forms_line_fits};

/* XML that follows on XML. */

static enum err forms_xml_say(struct check *c, struct check_client *client, struct span text) {
    (void)c;
    return send_all(client->fd, text);
}

/* Without what means nothing: declaration, line ends and blanks between elements, the kind of quotes. */
static void forms_xml_plain(struct span text, struct buf *out) {
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.data[i] == '\'' ? '"' : text.data[i];
        bool is_blank = byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
        bool is_between = out->size == 0 || out->data[out->size - 1] == '>';
        size_t next = i + 1;
        while (next < text.size && strchr(" \n\r\t", text.data[next]) != NULL)
            next++;
        if (is_blank && (is_between || next == text.size || strchr("</>", text.data[next]) != NULL))
            continue;
        buf_append_byte(out, byte);
    }
}

static const char *forms_find(struct span text, const char *word) {
    return text.size == 0 ? NULL : memmem(text.data, text.size, word, strlen(word));
}

static bool forms_xml_take(struct check *c, struct check_client *client, struct buf *out) {
    static const char end[] = "</message>";
    (void)c;
    const char *begin = forms_find(buf_span(&client->input), "<message"),
               *at = forms_find(buf_span(&client->input), end);
    if (begin == NULL || at == NULL)
        return false;
    size_t size = (size_t)(at - client->input.data) + sizeof end - 1;
    if (begin < at)
        forms_xml_plain(span_make(begin, (size_t)(client->input.data + size - begin)), out);
    buf_consume(&client->input, size);
    return true;
}

static bool forms_xml_fits(struct check *c, const char *pattern, struct span message,
                           char complaint[CHECK_COMPLAINT_BYTES]) {
    (void)complaint;
    return check_glob(c, pattern, message);
}

const struct check_form check_xml_form = {forms_xml_say, forms_xml_take, forms_xml_fits};

/* Requests of HTTP: "METHOD PATH BODY". */

static enum err forms_http_say(struct check *c, struct check_client *client, struct span text) {
    const char *path = memchr(text.data, ' ', text.size), *end = text.data + text.size;
    const char *body = memchr(path + 1, ' ', (size_t)(end - path - 1));
    body = body == NULL ? end : body;
    size_t body_size = body == end ? 0 : (size_t)(end - body - 1);
    struct buf request = {0};
    buf_append(&request, span_make(text.data, (size_t)(body - text.data)));
    buf_printf(&request, " HTTP/1.1\r\nHost: %s\r\nAccept: application/xml\r\n", c->server);
    if (body_size > 0)
        buf_printf(&request, "Content-Type: application/xml\r\n");
    buf_printf(&request, "Content-Length: %zu\r\n\r\n", body_size);
    if (body_size > 0)
        buf_append(&request, span_make(body + 1, body_size));
    enum err e = send_all(client->fd, buf_span(&request));
    buf_free(&request);
    return e;
}

/* Status, a blank, and the body without what means nothing. */
static bool forms_http_take(struct check *c, struct check_client *client, struct buf *out) {
    struct span input = buf_span(&client->input);
    const char *head_end = forms_find(input, "\r\n\r\n");
    (void)c;
    if (head_end == NULL)
        return false;
    char head[4096];
    size_t head_size = (size_t)(head_end - input.data) + 4;
    if (!span_copy(span_make(input.data, head_size), head, sizeof head))
        head[0] = '\0';
    const char *length = strcasestr(head, "\r\ncontent-length:");
    size_t size = length == NULL ? 0 : (size_t)strtoul(length + 17, NULL, 10);
    if (size > CHECK_MESSAGE_BYTES_MAX || input.size - head_size < size)
        return false;
    buf_printf(out, "%ld ", strlen(head) > 9 ? strtol(head + 9, NULL, 10) : 0);
    struct buf plain = {0};
    forms_xml_plain(span_make(input.data + head_size, size), &plain);
    const char *declaration = forms_find(buf_span(&plain), "?>");
    struct span body = declaration == NULL
                           ? buf_span(&plain)
                           : span_make(declaration + 2, plain.size - (size_t)(declaration + 2 - plain.data));
    buf_append(out, body);
    buf_free(&plain);
    buf_consume(&client->input, head_size + size);
    return true;
}

const struct check_form check_http_form = {forms_http_say, forms_http_take, forms_xml_fits};
