#include "wire/http/head.h"

#include <http_parser.h>

/* The package is built without HTTP_PARSER_STRICT: it lets blanks into names, takes any two bytes for the end
 * of a chunk, a line feed for the end of a line, and a version for granted. What is checked here is what it
 * does not. */

/* Letters, digits and these make names of methods and headers. */
static bool is_token(char c) {
    unsigned char byte = (unsigned char)c;
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           (byte > ' ' && byte < 0x7f && strchr("!#$%&'*+-.^_`|~", byte) != NULL);
}

/* The size of the empty lines at the start; SIZE_MAX when there are too many. */
static size_t blank_lines(struct span bytes) {
    size_t size = 0;
    while (bytes.size - size >= 2 && bytes.data[size] == '\r' && bytes.data[size + 1] == '\n') {
        size += 2;
        if (size > 2 * HTTP_BLANK_LINES_MAX)
            return SIZE_MAX;
    }
    return size;
}

int http_head_find(struct span bytes, size_t bytes_max, size_t *looked, size_t *head_size) {
    *head_size = 0;
    size_t start = blank_lines(bytes);
    if (start == SIZE_MAX)
        return 400;
    bool may_be_blank = bytes.size - start == 1 && bytes.data[start] == '\r';
    if (start < bytes.size && !may_be_blank && !is_token(bytes.data[start]))
        return 400;
    size_t limit = bytes.size < bytes_max ? bytes.size : bytes_max;
    size_t at = *looked > start ? *looked : start;
    while (at < limit) {
        const char *found = memchr(bytes.data + at, '\n', limit - at);
        if (found == NULL)
            break;
        size_t end = (size_t)(found - bytes.data);
        if (bytes.data[end - 1] != '\r')
            return 400;
        if (bytes.data[end - 2] == '\n') {
            *head_size = end + 1;
            return 0;
        }
        at = end + 1;
    }
    *looked = limit;
    return bytes.size >= bytes_max ? 431 : 0;
}

static int http_head_refuse(struct http_head *head, struct http_refusal why) {
    head->complaint = why.sentence;
    return why.status;
}

/* Cuts the first line off, without its CR LF. */
static struct span line_next(struct span *text) {
    const char *end = memchr(text->data, '\n', text->size);
    size_t size = (size_t)(end - text->data);
    struct span line = span_make(text->data, size - 1);
    *text = span_make(end + 1, text->size - size - 1);
    return line;
}

static int version_check(struct http_head *head, struct span version) {
    if (version.size != 8 || memcmp(version.data, "HTTP/", 5) != 0 || version.data[5] < '0' ||
        version.data[5] > '9' || version.data[6] != '.' || version.data[7] < '0' || version.data[7] > '9')
        return http_head_refuse(head, http_line_malformed);
    if (version.data[5] != '1')
        return http_head_refuse(head, http_version_other);
    head->is_1_0 = version.data[7] == '0';
    return 0;
}

static int request_line_check(struct http_head *head, struct span line) {
    const char *first = memchr(line.data, ' ', line.size);
    const char *last = first == NULL ? NULL : memrchr(line.data, ' ', line.size);
    const char *end = line.data + line.size;
    if (first == NULL || first == line.data || last == first + 1 || last == first ||
        memchr(first + 1, ' ', (size_t)(last - first - 1)) != NULL)
        return http_head_refuse(head, http_line_malformed);
    head->method = span_make(line.data, (size_t)(first - line.data));
    for (size_t i = 0; i < head->method.size; i++)
        if (!is_token(head->method.data[i]))
            return http_head_refuse(head, http_method_malformed);
    for (const char *c = first + 1; c < last; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return http_head_refuse(head, http_target_malformed);
    int status = version_check(head, span_make(last + 1, (size_t)(end - last - 1)));
    if (status == 0 && (span_is(head->method, "CONNECT") || span_is(head->method, "TRACE")))
        return http_head_refuse(head, http_method_not_served);
    return status;
}

static bool has_control(struct span text) {
    for (size_t i = 0; i < text.size; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if ((byte < ' ' && byte != '\t') || byte == 0x7f)
            return true;
    }
    return false;
}

static int header_lines_check(struct http_head *head, struct span lines) {
    while (lines.size > 2) {
        struct span line = line_next(&lines);
        if (line.data[0] == ' ' || line.data[0] == '\t')
            return http_head_refuse(head, http_header_folded);
        size_t size = 0;
        while (size < line.size && is_token(line.data[size]))
            size++;
        if (size == 0 || size == line.size || line.data[size] != ':')
            return http_head_refuse(head, http_header_malformed);
        if (has_control(span_make(line.data + size, line.size - size)))
            return http_head_refuse(head, http_header_control);
    }
    return 0;
}

/* What the library's callbacks need. */
struct reading {
    struct http_head *head;
    struct span target;
    struct span name; /* of the header whose value comes next */
    struct span transfer_encoding;
    unsigned host_count;
    unsigned transfer_encoding_count;
    bool has_length;
    bool has_other_expectation;
};

/* "gzip;q=0" says that it is not accepted. */
static bool is_weightless(struct span parameters) {
    const char *found = memmem(parameters.data, parameters.size, "q=", 2);
    if (found == NULL)
        found = memmem(parameters.data, parameters.size, "Q=", 2);
    if (found == NULL)
        return false;
    const char *end = parameters.data + parameters.size;
    for (found += 2; found < end && *found != ';' && *found != ' '; found++)
        if (*found != '0' && *found != '.')
            return false;
    return true;
}

/* Whether a list of what is accepted names one of two things with a weight that is not nothing. */
static bool accepts_either(struct span value, const char *first, const char *second) {
    while (value.size > 0) {
        const char *comma = memchr(value.data, ',', value.size);
        struct span item = span_make(value.data, comma == NULL ? value.size : (size_t)(comma - value.data));
        value = comma == NULL ? SPAN("") : span_make(comma + 1, value.size - item.size - 1);
        const char *semicolon = memchr(item.data, ';', item.size);
        size_t size = semicolon == NULL ? item.size : (size_t)(semicolon - item.data);
        struct span thing = span_trim(span_make(item.data, size));
        if ((span_is_nocase(thing, first) || span_is_nocase(thing, second)) &&
            !is_weightless(span_make(item.data + size, item.size - size)))
            return true;
    }
    return false;
}

static void header_take(struct reading *r, struct span value) {
    struct http_head *head = r->head;
    struct span name = r->name;
    if (span_is_nocase(name, "host")) {
        r->host_count++;
        head->host = value;
    } else if (span_is_nocase(name, "accept")) {
        head->accepts_html =
            head->accepts_html || accepts_either(value, "text/html", "application/xhtml+xml");
    } else if (span_is_nocase(name, "idempotency-key")) {
        head->idempotency_key = value;
    } else if (span_is_nocase(name, "x-forwarded-for")) {
        head->forwarded_for = value;
    } else if (span_is_nocase(name, "x-forwarded-proto")) {
        head->forwarded_proto = value;
    } else if (span_is_nocase(name, "forwarded")) {
        head->forwarded = value;
    } else if (span_is_nocase(name, "content-type")) {
        head->content_type = value;
    } else if (span_is_nocase(name, "authorization")) {
        head->authorization = value;
    } else if (span_is_nocase(name, "accept-encoding")) {
        head->accepts_gzip = head->accepts_gzip || accepts_either(value, "gzip", "x-gzip");
    } else if (span_is_nocase(name, "if-none-match")) {
        head->if_none_match = value;
    } else if (span_is_nocase(name, "origin")) {
        head->origin = value;
    } else if (span_is_nocase(name, "sec-websocket-key")) {
        head->websocket_key = value;
    } else if (span_is_nocase(name, "sec-websocket-version")) {
        head->websocket_version = value;
    } else if (span_is_nocase(name, "upgrade")) {
        head->upgrade = value;
    } else if (span_is_nocase(name, "transfer-encoding")) {
        r->transfer_encoding_count++;
        r->transfer_encoding = value;
    } else if (span_is_nocase(name, "content-length")) {
        r->has_length = true;
    } else if (span_is_nocase(name, "expect")) {
        head->expects_continue = span_is_nocase(value, "100-continue");
        r->has_other_expectation = r->has_other_expectation || !head->expects_continue;
    }
}

static int on_url(http_parser *parser, const char *at, size_t size) {
    struct reading *r = parser->data;
    r->target = span_make(at, size);
    return 0;
}

/* The head is given to the library in one piece, so that names and values come in one piece, too. */
static int on_header_field(http_parser *parser, const char *at, size_t size) {
    struct reading *r = parser->data;
    r->name = span_make(at, size);
    return 0;
}

static int on_header_value(http_parser *parser, const char *at, size_t size) {
    struct reading *r = parser->data;
    header_take(r, span_trim(span_make(at, size)));
    return 0;
}

static int on_headers_complete(http_parser *parser) {
    struct reading *r = parser->data;
    bool has_length = (parser->flags & F_CONTENTLENGTH) != 0;
    r->head->body_bytes = has_length ? parser->content_length : 0;
    r->head->keeps_alive = http_should_keep_alive(parser) != 0;
    if ((parser->flags & F_CONNECTION_UPGRADE) == 0)
        r->head->upgrade = SPAN("");
    return 1; /* bodies are not its business */
}

static int parser_refusal(struct http_head *head, const http_parser *parser) {
    switch (HTTP_PARSER_ERRNO(parser)) {
    case HPE_INVALID_METHOD: return http_head_refuse(head, http_method_unknown);
    case HPE_UNEXPECTED_CONTENT_LENGTH: return http_head_refuse(head, http_length_twice);
    case HPE_INVALID_CONTENT_LENGTH: return http_head_refuse(head, http_length_malformed);
    case HPE_INVALID_URL: return http_head_refuse(head, http_target_malformed);
    default: return http_head_refuse(head, http_head_malformed);
    }
}

static int framing_check(struct reading *r) {
    struct http_head *head = r->head;
    if (r->transfer_encoding_count == 0)
        return 0;
    if (r->has_length || r->transfer_encoding_count > 1)
        return http_head_refuse(head, http_length_twice);
    if (head->is_1_0)
        return http_head_refuse(head, http_chunks_of_1_0);
    if (!span_is_nocase(r->transfer_encoding, "chunked"))
        return http_head_refuse(head, http_transfer_other);
    head->is_chunked = true;
    return 0;
}

static int parser_run(struct reading *r, struct span text) {
    static const http_parser_settings settings = {
        .on_url = on_url,
        .on_header_field = on_header_field,
        .on_header_value = on_header_value,
        .on_headers_complete = on_headers_complete,
    };
    http_parser parser;
    http_parser_init(&parser, HTTP_REQUEST);
    parser.data = r;
    size_t size = http_parser_execute(&parser, &settings, text.data, text.size);
    int status = framing_check(r); /* before the library's own words for the same */
    if (status != 0)
        return status;
    if (HTTP_PARSER_ERRNO(&parser) != HPE_OK || size != text.size)
        return parser_refusal(r->head, &parser);
    return 0;
}

/* Splits the target into path and query: "/path?query", "http://host/path?query" or "*". */
static int target_split(struct http_head *head, struct span target) {
    const char *fragment = memchr(target.data, '#', target.size);
    if (fragment != NULL)
        target.size = (size_t)(fragment - target.data);
    if (target.data[0] != '/' && !span_is(target, "*")) {
        struct http_parser_url url;
        http_parser_url_init(&url);
        if (http_parser_parse_url(target.data, target.size, 0, &url) != 0)
            return http_head_refuse(head, http_target_malformed);
        bool has_path = (url.field_set & (1 << UF_PATH)) != 0;
        bool has_query = (url.field_set & (1 << UF_QUERY)) != 0;
        head->path = has_path
                         ? span_make(target.data + url.field_data[UF_PATH].off, url.field_data[UF_PATH].len)
                         : SPAN("/");
        head->query =
            has_query ? span_make(target.data + url.field_data[UF_QUERY].off, url.field_data[UF_QUERY].len)
                      : SPAN("");
        return 0;
    }
    const char *mark = memchr(target.data, '?', target.size);
    size_t size = mark == NULL ? target.size : (size_t)(mark - target.data);
    head->path = span_make(target.data, size);
    head->query = mark == NULL ? SPAN("") : span_make(mark + 1, target.size - size - 1);
    return 0;
}

static int host_check(const struct reading *r) {
    if (r->host_count == 1 || (r->host_count == 0 && r->head->is_1_0))
        return 0;
    return http_head_refuse(r->head, r->host_count == 0 ? http_host_missing : http_host_twice);
}

int http_head_read(struct span text, struct http_head *out) {
    *out = (struct http_head){.complaint = ""};
    size_t blank = blank_lines(text);
    text = span_make(text.data + blank, text.size - blank);
    struct span lines = text;
    int status = request_line_check(out, line_next(&lines));
    if (status == 0)
        status = header_lines_check(out, lines);
    struct reading r = {.head = out};
    if (status == 0)
        status = parser_run(&r, text);
    if (status == 0)
        status = host_check(&r);
    if (status == 0)
        status = target_split(out, r.target);
    if (status == 0 && out->is_1_0)
        out->expects_continue = false;
    else if (status == 0 && r.has_other_expectation)
        status = http_head_refuse(out, http_expectation_other);
    return status;
}
