#include "cli/check/check.h"

#include "base/clock.h"
#include "base/mem.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHECK_READ_BYTES = 16 * 1024 };

const char *check_look(const struct check *c, struct span name) {
    for (size_t i = 0; i < c->kept_count; i++)
        if (span_is(name, c->kept[i].name))
            return c->kept[i].value;
    return NULL;
}

bool check_keep(struct check *c, struct span name, struct span value) {
    const char *known = check_look(c, name);
    if (known != NULL)
        return span_is(value, known);
    if (c->kept_count == CHECK_KEPT_MAX)
        return false;
    struct check_kept *kept = &c->kept[c->kept_count];
    if (!span_copy(name, kept->name, sizeof kept->name) || !span_copy(value, kept->value, sizeof kept->value))
        return false;
    c->kept_count++;
    return true;
}

/* The name in braces at which the text begins; empty when there is none. */
static struct span check_name_at(const char *text) {
    size_t size = *text == '{' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz.") : 0;
    return size > 0 && text[size + 1] == '}' ? span_make(text + 1, size) : span_make(text, 0);
}

void check_fill(const struct check *c, const char *text, struct buf *out) {
    while (*text != '\0') {
        struct span name = check_name_at(text);
        const char *value = name.size > 0 ? check_look(c, name) : NULL;
        if (value == NULL) {
            buf_append_byte(out, *text++);
            continue;
        }
        buf_append_text(out, value);
        text += name.size + 2;
    }
}

/* A {name} takes as little as it can before the literal text that follows. */
static bool check_glob_name(struct check *c, struct span name, const char *rest, struct span text) {
    const char *known = check_look(c, name);
    if (known != NULL) {
        size_t size = strlen(known);
        return text.size >= size && memcmp(text.data, known, size) == 0 &&
               check_glob(c, rest, span_make(text.data + size, text.size - size));
    }
    bool is_any = span_is(name, "...");
    for (size_t size = is_any ? 0 : 1; size <= text.size; size++) {
        size_t kept = c->kept_count;
        if (check_glob(c, rest, span_make(text.data + size, text.size - size)) &&
            (is_any || check_keep(c, name, span_make(text.data, size))))
            return true;
        c->kept_count = kept;
        if (!is_any && size < text.size && strchr("\"<>", text.data[size]) != NULL)
            return false;
    }
    return false;
}

bool check_glob(struct check *c, const char *pattern, struct span text) {
    while (*pattern != '\0') {
        struct span name = check_name_at(pattern);
        if (name.size > 0)
            return check_glob_name(c, name, pattern + name.size + 2, text);
        if (text.size == 0 || text.data[0] != *pattern)
            return false;
        pattern++;
        text = span_make(text.data + 1, text.size - 1);
    }
    return text.size == 0;
}

/* Whose connections a step is about: "AB", "{first}" for the one whose name was heard so, "!{first}" for the
 * other. */
static void check_who(const struct check *c, const char *who, char out[CHECK_CLIENTS_MAX + 1]) {
    bool is_other = *who == '!';
    struct span name = check_name_at(who + is_other);
    const char *value = name.size > 0 ? check_look(c, name) : NULL, *ann = check_look(c, SPAN("ann"));
    if (value == NULL)
        snprintf(out, CHECK_CLIENTS_MAX + 1, "%s", name.size > 0 ? "A" : who);
    else
        snprintf(out, CHECK_CLIENTS_MAX + 1, "%s", (strcmp(value, ann) == 0) != is_other ? "A" : "B");
}

static struct check_client *check_client_of(struct check *c, char who) {
    return &c->clients[(unsigned)(who - 'A') % CHECK_CLIENTS_MAX];
}

static struct check_result *check_add(struct check *c, const struct check_step *step, char who) {
    if (c->result_count == c->result_capacity) {
        c->result_capacity = c->result_capacity == 0 ? 32 : 2 * c->result_capacity;
        c->results = mem_resize(c->results, c->result_capacity * sizeof *c->results);
    }
    struct check_result *r = &c->results[c->result_count++];
    *r = (struct check_result){
        .is_heard = step->kind == CHECK_HEAR, .conforms = true, .who = who, .step = step};
    return r;
}

static bool check_done(struct check *c, struct check_result *r, const char *complaint) {
    if (complaint != NULL && r->complaint[0] == '\0')
        snprintf(r->complaint, sizeof r->complaint, "%s", complaint);
    r->conforms = r->complaint[0] == '\0';
    if (c->shown != NULL)
        c->shown(c->context, r);
    return r->conforms;
}

static bool check_open(struct check *c, const struct check_step *step) {
    struct check_client *client = check_client_of(c, step->who[0]);
    client->fd = connect_to(c->server);
    return client->fd >= 0 ? true
                           : check_done(c, check_add(c, step, step->who[0]), "no connection could be made");
}

static bool check_say(struct check *c, const struct check_step *step, char who) {
    struct check_result *r = check_add(c, step, who);
    check_fill(c, step->text, &r->text);
    enum err e = c->script->form->say(c, check_client_of(c, who), buf_span(&r->text));
    return check_done(c, r,
                      e == ERR_OK ? NULL : "it could not be sent: the server has closed the connection");
}

/* Waits for bytes; why none came, or NULL. */
static const char *check_wait(struct check_client *client, uint64_t until_ms) {
    static char input[CHECK_READ_BYTES];
    uint64_t now_ms = clock_monotonic_ms();
    struct pollfd wait = {.fd = client->fd, .events = POLLIN};
    if (client->input.size > CHECK_MESSAGE_BYTES_MAX)
        return "a message without an end came";
    if (now_ms >= until_ms || poll(&wait, 1, (int)(until_ms - now_ms)) <= 0)
        return "nothing came";
    ssize_t got = read(client->fd, input, sizeof input);
    if (got <= 0)
        return "the server closed the connection";
    buf_append(&client->input, span_make(input, (size_t)got));
    return NULL;
}

static bool check_hear(struct check *c, const struct check_step *step, char who) {
    struct check_client *client = check_client_of(c, who);
    struct check_result *r = check_add(c, step, who);
    uint64_t until_ms = clock_monotonic_ms() + c->patience_ms;
    const char *complaint = NULL;
    while (complaint == NULL && !c->script->form->take(c, client, &r->text))
        complaint = check_wait(client, until_ms);
    if (complaint == NULL && !c->script->form->fits(c, step->text, buf_span(&r->text), r->complaint) &&
        r->complaint[0] == '\0')
        complaint = "it is another message";
    return check_done(c, r, complaint);
}

static bool check_step_run(struct check *c, const struct check_step *step) {
    char who[CHECK_CLIENTS_MAX + 1];
    check_who(c, step->who, who);
    switch (step->kind) {
    case CHECK_OPEN: return check_open(c, step);
    case CHECK_SAY: return check_say(c, step, who[0]);
    case CHECK_HEAR:
        for (const char *one = who; *one != '\0'; one++)
            if (!check_hear(c, step, *one))
                return false;
        return true;
    case CHECK_CLOSE:
        close(check_client_of(c, step->who[0])->fd);
        check_client_of(c, step->who[0])->fd = -1;
        return true;
    case CHECK_END: break;
    }
    return true;
}

bool check_run(struct check *c) {
    const struct check_step *step = c->script->steps;
    for (size_t i = 0; i < CHECK_CLIENTS_MAX; i++)
        c->clients[i].fd = -1;
    while (step->kind != CHECK_END && check_step_run(c, step))
        step++;
    return step->kind == CHECK_END;
}

void check_hang_up(struct check *c) {
    for (size_t i = 0; i < CHECK_CLIENTS_MAX; i++) {
        if (c->clients[i].fd >= 0)
            close(c->clients[i].fd);
        c->clients[i].fd = -1;
    }
}

void check_free(struct check *c) {
    for (size_t i = 0; i < CHECK_CLIENTS_MAX; i++)
        buf_free(&c->clients[i].input);
    for (size_t i = 0; i < c->result_count; i++)
        buf_free(&c->results[i].text);
    mem_free(c->results);
}
