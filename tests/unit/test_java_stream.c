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

/* Refusals. */

#define CLIENT_CLASS(SIZE, NAME)                                                                             \
    "7372" SIZE "69742e706f6c696d692e696e6773772e6d657373616765732e636c69656e74546f5365727665722e" NAME
#define PONG        CLIENT_CLASS("002c", "506f6e67") "78fcbdced314c7c8"
#define LOGIN       CLIENT_CLASS("0034", "4c6f67696e4d657373616765") "5c5e58134d8cef37"
#define LOGIN_FIELD "4c0008757365726e616d65"
#define OF_STRING   "7400124c6a6176612f6c616e672f537472696e673b"
#define LOGIN_WHOLE LOGIN "020001" LOGIN_FIELD OF_STRING "7870"

static enum java_result read_hex(struct java_reader *r, const char *hex, char *complaint) {
    struct buf bytes = {0};
    size_t size;
    hex_append(&bytes, hex);
    complaint[0] = '\0';
    r->has_begun = true;
    enum java_result result = java_read(r, buf_span(&bytes), &message, &size, complaint);
    buf_free(&bytes);
    return result;
}

static void expect_refused(const char *hex, const char *why) {
    struct java_reader r = {.classes = renaissance_java_heard};
    char complaint[JAVA_COMPLAINT_BYTES_MAX];
    assert_int_equal(read_hex(&r, hex, complaint), JAVA_REFUSED);
    assert_string_equal(complaint, why);
    assert_int_equal(r.handle_count, 0);
    assert_int_equal(r.known_count, 0);
    java_reader_free(&r);
}

static void another_class_is_refused_by_its_name(void **unused) {
    (void)unused;
    expect_refused("737200116a6176612e7574696c2e48617368536574ba44859596b8b734",
                   "the class 'java.util.HashSet' is not in the list");
    expect_refused(
        "7372002c69742e706f6c696d692e696e6773772e6d657373616765732e736572766572546f436c69656e742e50696e67",
        "the class 'it.polimi.ingsw.messages.serverToClient.Ping' is not in the list");
    expect_refused(
        CLIENT_CLASS("002c", "506f6e67") "78fcbdced314c7c9",
        "the class 'it.polimi.ingsw.messages.clientToServer.Pong' is another one than that of the list");
    expect_refused(
        PONG "030000",
        "the class 'it.polimi.ingsw.messages.clientToServer.Pong' is another one than that of the list");
    expect_refused(
        PONG "020001",
        "the class 'it.polimi.ingsw.messages.clientToServer.Pong' is another one than that of the list");
    expect_refused(LOGIN "0200007870", "the class 'it.polimi.ingsw.messages.clientToServer.LoginMessage' is "
                                       "another one than that of the list");
    expect_refused(LOGIN "020001" LOGIN_FIELD "7400014c",
                   "the class 'it.polimi.ingsw.messages.clientToServer.LoginMessage' is another one than "
                   "that of the list");
    expect_refused("737200136a6176612e7574696c2e41727261794c6973747881d21d99c7619d03000149000473697a657870000"
                   "00000770400000000",
                   "the class 'java.util.ArrayList' cannot stand at 1");
}

static void another_byte_is_refused_with_its_place(void **unused) {
    (void)unused;
    static const char *const codes[] = {"70", "71", "72", "74", "75", "76", "77", "78",
                                        "7a", "7b", "7c", "7d", "7e", "00", "ff"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char why[64];
        snprintf(why, sizeof why, "byte %s at 0 cannot stand there", codes[i]);
        expect_refused(codes[i], why);
    }
    expect_refused("7374", "byte 74 at 1 cannot stand there");
    expect_refused(LOGIN_WHOLE "7b", "byte 7b at 101 cannot stand there");
    expect_refused(PONG "02000077", "byte 77 at 59 cannot stand there");
}

static void what_leads_nowhere_is_refused(void **unused) {
    (void)unused;
    expect_refused("7371007e0000", "the reference 007e0000 leads to nothing");
    expect_refused("7371ffffffff", "the reference ffffffff leads to nothing");
    expect_refused(LOGIN_WHOLE "71007e0000",
                   "the reference 007e0000 leads to nothing"); /* a class is no value */
    expect_refused(LOGIN_WHOLE "71007e0002",
                   "the reference 007e0002 leads to nothing"); /* the message itself */
    expect_refused(LOGIN_WHOLE "740002c041", "the text at 104 is no modified UTF-8");
    expect_refused(LOGIN_WHOLE "74000100", "the text at 104 is no modified UTF-8");
    expect_refused(LOGIN_WHOLE "740004f09f8eb2", "the text at 104 is no modified UTF-8");
    expect_refused(LOGIN_WHOLE
                   "737200116a6176612e6c616e672e496e746567657212e2a0a4f78187380200014900"
                   "0576616c7565787200106a6176612e6c616e672e4e756d62657286ac951d0b94e08b020000787000000001",
                   "the field 'username' of 'it.polimi.ingsw.messages.clientToServer.LoginMessage' has a "
                   "value of another type");
    expect_refused(LOGIN_WHOLE "74ffff", "the message is too large");
}

/* The values of a list of this class, so many and so deep in each other as the hex says. */
static void lengths_and_depths_have_ceilings(void **unused) {
    (void)unused;
    struct java_reader r = {.classes = renaissance_java_heard};
    char complaint[JAVA_COMPLAINT_BYTES_MAX];
    struct buf bytes = {0};
    struct java_writer w;
    size_t size;
    r.has_begun = true;
    static const int32_t counts[] = {-1, JAVA_VALUES_MAX, INT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        buf_clear(&bytes);
        java_begin(&w, &bytes);
        java_put_record(&w, &renaissance_java_records[RENAISSANCE_JAVA_LEADER_CARDS_REPLY]);
        java_put_list(&w, (uint32_t)counts[i], 0);
        assert_int_equal(java_read(&r, buf_span(&bytes), &message, &size, complaint), JAVA_REFUSED);
        assert_non_null(strstr(complaint, "too many values"));
    }
    for (unsigned depth = JAVA_DEPTH_MAX - 2; depth <= JAVA_DEPTH_MAX; depth++) {
        buf_clear(&bytes);
        java_begin(&w, &bytes);
        java_put_record(&w, &renaissance_java_records[RENAISSANCE_JAVA_LEADER_CARDS_REPLY]);
        for (unsigned i = 0; i < depth; i++)
            java_put_list(&w, i + 1 < depth, 0);
        for (unsigned i = 0; i < depth; i++)
            java_put_list_end(&w);
        java_put_null(&w);
        enum java_result result = java_read(&r, buf_span(&bytes), &message, &size, complaint);
        assert_int_equal(result, depth < JAVA_DEPTH_MAX ? JAVA_MESSAGE : JAVA_REFUSED);
    }
    java_reader_free(&r);
    buf_free(&bytes);
}

/* The same short message for days: nothing is remembered of it but the number. What is remembered of texts
 * ends at a ceiling. */
static void a_long_stream_needs_little_memory(void **unused) {
    (void)unused;
    struct java_reader r = {.classes = renaissance_java_heard, .has_begun = true};
    char complaint[JAVA_COMPLAINT_BYTES_MAX] = "";
    struct buf bytes = {0};
    struct java_writer w;
    size_t size;
    java_begin(&w, &bytes);
    for (int i = 0; i < 200000; i++) {
        buf_clear(&bytes);
        java_put_record(&w, &renaissance_java_records[RENAISSANCE_JAVA_PONG]);
        assert_int_equal(java_read(&r, buf_span(&bytes), &message, &size, complaint), JAVA_MESSAGE);
    }
    assert_int_equal(r.known_count, 1);
    for (int i = 0; i < 2 * JAVA_KNOWN_MAX; i++) {
        buf_clear(&bytes);
        java_put_record(&w, &renaissance_java_records[RENAISSANCE_JAVA_LOGIN_MESSAGE]);
        java_put_text(&w, SPAN("a name of somebody"));
        assert_int_equal(java_read(&r, buf_span(&bytes), &message, &size, complaint), JAVA_MESSAGE);
    }
    assert_true(r.known_count <= JAVA_KNOWN_MAX && r.texts.size <= JAVA_KNOWN_BYTES_MAX);
    /* after a reset everything can be known again */
    buf_clear(&bytes);
    java_put_reset(&w);
    assert_int_equal(java_read(&r, buf_span(&bytes), &message, &size, complaint), JAVA_PASSED);
    assert_int_equal(r.known_count + r.handle_count + r.texts.size, 0);
    java_reader_free(&r);
    buf_free(&bytes);
}

/* Modified UTF-8 has other ideas of U+0000 and of what lies beyond U+FFFF. */
static void texts_become_utf_8_and_back(void **unused) {
    (void)unused;
    static const char *const texts[] = {"", "plain", "\xc3\xb6\xe2\x82\xac",
                                        "a\xf0\x9f\x8e\xb2z\xf4\x8f\xbf\xbf"};
    struct buf bytes = {0}, text = {0};
    struct java_writer w;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        buf_clear(&bytes);
        buf_clear(&text);
        java_begin(&w, &bytes);
        java_put_text(&w, span_of(texts[i]));
        java_text_append(&text, span_make(bytes.data + 3, bytes.size - 3));
        assert_true(span_is(buf_span(&text), texts[i]));
    }
    buf_clear(&text);
    java_text_append(&text, SPAN("a\xc0\x80z"));
    assert_true(span_equal(buf_span(&text), span_make("a\0z", 3)));
    buf_clear(&text);
    java_text_append(&text, SPAN("\xed\xa0\xbc")); /* half a pair */
    assert_true(span_is(buf_span(&text), "\xed\xa0\xbc"));
    buf_free(&bytes);
    buf_free(&text);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recordings_are_read_and_written_again),
        cmocka_unit_test(another_class_is_refused_by_its_name),
        cmocka_unit_test(another_byte_is_refused_with_its_place),
        cmocka_unit_test(what_leads_nowhere_is_refused),
        cmocka_unit_test(lengths_and_depths_have_ceilings),
        cmocka_unit_test(a_long_stream_needs_little_memory),
        cmocka_unit_test(texts_become_utf_8_and_back),
    };
    if (argc != 2)
        return 2;
    recordings = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
