/* Replays every game in a directory and compares where it leads with what was written down.
 *
 * NAME.txt is a whole game in the form of game/replay.h, with its result. NAME.view is the description of the
 * last position as everybody may see it, written as text. A new golden is a NAME.txt of any game; then
 *
 *     goldens --rewrite DIR
 *
 * (`make goldens`) writes the missing or changed results and views of all files, and the difference is
 * reviewed like any other change. It keeps comments and actions as they are, sets the version of the rules to
 * today's, and refuses what the rules refuse.
 *
 * usage: goldens [--rewrite] DIR */
#include "base/buf.h"
#include "base/mem.h"
#include "game/replay.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/param.h>

enum { FILE_BYTES_MAX = 1024 * 1024 };

static bool file_read(const char *path, struct buf *out) {
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    buf_clear(out);
    buf_reserve(out, FILE_BYTES_MAX);
    out->size = fread(out->data, 1, FILE_BYTES_MAX, file);
    bool is_good = !ferror(file) && out->size < FILE_BYTES_MAX;
    fclose(file);
    return is_good;
}

static bool file_write(const char *path, struct span content) {
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return false;
    bool is_good = fwrite(content.data, 1, content.size, file) == content.size;
    return fclose(file) == 0 && is_good;
}

static void view_write(const struct replay *r, struct buf *out) {
    struct game_view *view = mem_alloc(r->game->state_size);
    struct writer w;
    buf_clear(out);
    game_view(r->game, r->state, SEAT_WATCHER, view);
    writer_init(&w, WRITER_TEXT, out);
    r->game->describe(view, &w);
    if (out->size == 0 || out->data[out->size - 1] != '\n')
        buf_append_byte(out, '\n');
    mem_free(view);
}

static void view_path(const char *path, char *out, size_t size) {
    snprintf(out, size, "%.*s.view", (int)(strlen(path) - strlen(".txt")), path);
}

/* What is wrong with the golden, or NULL. */
static const char *golden_check(const char *path) {
    struct buf text = {0}, expected = {0}, actual = {0};
    struct replay r = {0};
    char view[MAXPATHLEN];
    const char *wrong = NULL;
    enum err e;
    view_path(path, view, sizeof view);
    if (!file_read(path, &text))
        wrong = "cannot be read";
    else if ((e = replay_run(&r, buf_span(&text))) != ERR_OK) {
        printf("# line %zu: %s\n", r.line, game_refusal(r.game, e)->sentence);
        wrong = "is refused by the rules";
    } else if (!r.has_end)
        wrong = "has no result";
    else if (r.game->valid(r.state) != NULL)
        wrong = "leads to an invalid position";
    else if (!file_read(view, &expected))
        wrong = "has no view";
    else {
        view_write(&r, &actual);
        if (!span_equal(buf_span(&actual), buf_span(&expected)))
            wrong = "ends in another view";
    }
    replay_free(&r);
    buf_free(&text);
    buf_free(&expected);
    buf_free(&actual);
    return wrong;
}

/* The text without its result, and with today's version of the rules. */
static void text_renew(struct span text, struct buf *out) {
    while (text.size > 0) {
        const char *end = memchr(text.data, '\n', text.size);
        struct span line = span_make(text.data, end == NULL ? text.size : (size_t)(end - text.data) + 1);
        text = span_make(text.data + line.size, text.size - line.size);
        if (line.size >= 3 && memcmp(line.data, "end", 3) == 0)
            continue;
        const struct game *game = NULL;
        for (size_t i = 0; games[i] != NULL && line.size > 5 && memcmp(line.data, "game ", 5) == 0; i++) {
            size_t size = strlen(games[i]->name);
            if (line.size > 5 + size && memcmp(line.data + 5, games[i]->name, size) == 0 &&
                line.data[5 + size] == ' ')
                game = games[i];
        }
        if (game != NULL)
            buf_printf(out, "game %s %u\n", game->name, game->rules_version);
        else
            buf_append(out, line);
    }
}

static const char *golden_rewrite(const char *path) {
    struct buf text = {0}, renewed = {0}, view = {0};
    struct replay r = {0};
    char view_file[MAXPATHLEN];
    const char *wrong = NULL;
    view_path(path, view_file, sizeof view_file);
    if (!file_read(path, &text))
        wrong = "cannot be read";
    text_renew(buf_span(&text), &renewed);
    if (wrong == NULL && replay_run(&r, buf_span(&renewed)) != ERR_OK)
        wrong = "is refused by the rules";
    if (wrong == NULL && r.game->turn(r.state) != 0)
        wrong = "is not played to its end";
    if (wrong == NULL) {
        replay_write_end(&renewed, r.game, &r.options, r.state);
        view_write(&r, &view);
        if (!file_write(path, buf_span(&renewed)) || !file_write(view_file, buf_span(&view)))
            wrong = "cannot be written";
    }
    replay_free(&r);
    buf_free(&text);
    buf_free(&renewed);
    buf_free(&view);
    return wrong;
}

static int is_golden(const struct dirent *entry) {
    size_t size = strlen(entry->d_name);
    return size > 4 && strcmp(entry->d_name + size - 4, ".txt") == 0;
}

int main(int argc, char **argv) {
    bool is_rewrite = argc == 3 && strcmp(argv[1], "--rewrite") == 0;
    struct dirent **entries = NULL;
    int count = argc == 2 || is_rewrite ? scandir(argv[argc - 1], &entries, is_golden, alphasort) : -1;
    int failures = count <= 0;
    if (count < 0)
        fprintf(stderr, "usage: goldens [--rewrite] DIR\n");
    for (int i = 0; i < count; i++) {
        char path[MAXPATHLEN];
        snprintf(path, sizeof path, "%s/%s", argv[argc - 1], entries[i]->d_name);
        const char *wrong = is_rewrite ? golden_rewrite(path) : golden_check(path);
        failures += wrong != NULL;
        printf("%sok %d - %s%s%s\n", wrong == NULL ? "" : "not ", i + 1, entries[i]->d_name,
               wrong == NULL ? "" : " ", wrong == NULL ? "" : wrong);
        free(entries[i]);
    }
    free(entries);
    printf("1..%d\n", count < 0 ? 0 : count);
    return failures == 0 ? 0 : 1;
}
