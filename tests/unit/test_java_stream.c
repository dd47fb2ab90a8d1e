/* Object streams: what Java wrote is read to the last byte and written again byte for byte; whatever is not
 * in the list of classes, or beyond a ceiling, is refused with a sentence that names it.
 *
 * usage: test_java_stream DIRECTORY, with recordings NAME.hex */
#include "tests.h"

#include "base/mem.h"
#include "wire/java/stream.h"
#include "wire/renaissance_java/records.h"

#include <glob.h>
#include <stdio.h>

static const char *recordings;
static struct java_message message;

static unsigned nibble(char digit) {
    return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a' + 10);
}

static void hex_append(struct buf *out, const char *hex) {
    for (; hex[0] != '\0' && hex[0] != '\n'; hex += hex[0] == ' ' ? 1 : 2)
        if (hex[0] != ' ')
            buf_append_byte(out, (char)(nibble(hex[0]) << 4 | nibble(hex[1])));
}

/* Writes a value as it was read. */
static void put_value(struct java_writer *w, const struct java_value *v) {
    if (v->is_reference) {
        java_put_reference(w, v->handle);
        return;
    }
    if (v->class != NULL || v->kind == JAVA_STRING)
        /* handles are where Java has them; before it those of a new class are taken */
        assert_true(w->handle_count <= v->handle);
    switch (v->kind) {
    case JAVA_NULL: java_put_null(w); return;
    case JAVA_INT: java_put_int(w, v->number); return;
    case JAVA_FLAG: java_put_flag(w, v->number != 0); return;
    case JAVA_STRING: java_put_modified(w, v->text); return;
    case JAVA_ENUM: java_put_word(w, v->class, (unsigned)v->number); return;
    case JAVA_INTEGER: java_put_integer(w, v->number); return;
    case JAVA_BOOLEAN: java_put_boolean(w, v->number != 0); return;
    case JAVA_LIST: java_put_list(w, v->count, (uint32_t)v->number); break;
    case JAVA_MAP: java_put_map(w, v->class, v->count / 2, v->number, v->threshold); break;
    case JAVA_ARRAY: java_put_array(w, v->class, v->count); break;
    default: java_put_record(w, v->class);
    }
    for (uint32_t i = 0; i < v->count; i++)
        put_value(w, java_item(&message, v, i));
    if (v->kind == JAVA_LIST)
        java_put_list_end(w);
    if (v->kind == JAVA_MAP)
        java_put_map_end(w, v->class);
}

/* One direction of a recorded connection. */
struct side {
    struct java_reader reader;
    struct java_writer writer;
    unsigned messages;
};

static void without_blanks(struct buf *out, struct span text) {
    buf_clear(out);
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] != ' ' && text.data[i] != '\n')
            buf_append_byte(out, text.data[i]);
}

static unsigned lists_again; /* messages that refer to a list or map */

/* The comment before a message says what it is; ours must say the same. */
static void expect_shown(const char *comment) {
    struct buf shown = {0}, found = {0}, expected = {0};
    for (uint32_t i = 0; i < message.count; i++) {
        const struct java_value *v = &message.values[i];
        if (v->is_reference && (v->kind == JAVA_LIST || v->kind == JAVA_MAP)) {
            lists_again++;
            return;
        }
    }
    java_show(&message, &shown);
    without_blanks(&found, buf_span(&shown));
    without_blanks(&expected, span_of(comment));
    assert_string_equal(buf_text(&found), buf_text(&expected));
    buf_free(&shown);
    buf_free(&found);
    buf_free(&expected);
}

static void hear(struct side *side, const char *hex, const char *comment) {
    struct buf bytes = {0}, again = {0};
    char complaint[JAVA_COMPLAINT_BYTES_MAX] = "";
    size_t size;
    hex_append(&bytes, hex);
    side->writer.out = &again;
    struct span rest = buf_span(&bytes);
    if (side->messages++ == 0) {
        assert_int_equal(java_read(&side->reader, rest, &message, &size, complaint), JAVA_PASSED);
        rest = span_make(rest.data + size, rest.size - size);
        java_put_header(&side->writer);
    }
    for (size_t part = 0; part < rest.size; part++) { /* any part of it is too little, and leaves no trace */
        enum java_result part_result =
            java_read(&side->reader, span_make(rest.data, part), &message, &size, complaint);
        assert_string_equal(complaint, "");
        assert_int_equal(part_result, JAVA_MORE);
        assert_in_range(size, 1, rest.size - part);
    }
    enum java_result result = java_read(&side->reader, rest, &message, &size, complaint);
    assert_string_equal(complaint, "");
    assert_int_equal(result, JAVA_MESSAGE);
    assert_int_equal(size, rest.size);
    expect_shown(comment);
    put_value(&side->writer, &message.values[0]);
    assert_int_equal(again.size, bytes.size);
    assert_memory_equal(again.data, bytes.data, bytes.size);
    buf_free(&bytes);
    buf_free(&again);
}

/* Returns how many messages there were. */
static unsigned hear_recording(const char *path, bool has_seen[RENAISSANCE_JAVA_RECORDS]) {
    struct side sides[2] = {{.reader = {.classes = renaissance_java_heard}},
                            {.reader = {.classes = renaissance_java_all, .knows_lists = true}}};
    char *line = NULL, comment[4096] = "";
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (getline(&line, &capacity, file) > 0) {
        if (line[0] == '#' && strlen(line) > 4)
            snprintf(comment, sizeof comment, "%s", line + 4);
        if (line[0] != 'C' && line[0] != 'S')
            continue;
        hear(&sides[line[0] == 'S'], line + 2, comment);
        has_seen[message.values[0].class - renaissance_java_records] = true;
    }
    fclose(file);
    free(line);
    for (int i = 0; i < 2; i++)
        java_reader_free(&sides[i].reader);
    return sides[0].messages + sides[1].messages;
}

static void recordings_are_read_and_written_again(void **unused) {
    (void)unused;
    bool has_seen[RENAISSANCE_JAVA_RECORDS] = {false};
    unsigned messages = 0;
    glob_t found;
    char pattern[4096];
    snprintf(pattern, sizeof pattern, "%s/*.hex", recordings);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 6);
    for (size_t i = 0; i < found.gl_pathc; i++)
        messages += hear_recording(found.gl_pathv[i], has_seen);
    globfree(&found);
    assert_int_equal(messages, 1040);
    assert_int_equal(lists_again, 3);
    for (int i = 0; i < RENAISSANCE_JAVA_RECORDS; i++)
        assert_true(has_seen[i]);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recordings_are_read_and_written_again),
    };
    if (argc != 2)
        return 2;
    recordings = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
