/* A stream gives the same lines in whatever pieces it comes, and every line is an object or refused with a
 * reason. */
#include "fuzz.h"

#include "wire/json/line_frame.h"
#include "wire/json/read.h"

/* All lines with a NUL behind each, an error as its word. */
static struct buf run(struct span stream, size_t piece_size) {
    struct buf out = {0};
    struct line_frame frame = {0};
    while (stream.size > 0) {
        struct span piece = {stream.data, piece_size < stream.size ? piece_size : stream.size}, line;
        stream = span_make(stream.data + piece.size, stream.size - piece.size);
        for (;;) {
            enum err e = line_frame_next(&frame, &piece, &line);
            if (e == ERR_OK && line.size == 0)
                break;
            buf_append(&out, e == ERR_OK ? line : span_of(err_word(e)));
            buf_append_byte(&out, '\0');
        }
        assert(frame.partial.size <= LINE_FRAME_BYTES_MAX);
    }
    line_frame_free(&frame);
    return out;
}

/* What is read the fast way is what the library reads. */
static void read_both_ways(struct span line) {
    json_t *plain = json_read_plain(line);
    if (plain == NULL)
        return;
    json_t *value = json_loadb(line.data, line.size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    assert(value != NULL && json_equal(plain, value));
    json_decref(plain);
    json_decref(value);
}

static void read_line(struct span line) {
    static const char *const names[] = {"type", "name", "i", "result", "positions"};
    char complaint[JSON_COMPLAINT_BYTES_MAX] = "";
    json_t *object;
    enum err e = json_read_object(line, &object, complaint);
    if (e != ERR_TOO_DEEP)
        read_both_ways(line);
    assert((e == ERR_OK) == (object != NULL) && (e == ERR_OK) == (complaint[0] == '\0'));
    for (size_t i = 0; e == ERR_OK && i < sizeof names / sizeof names[0]; i++) {
        int64_t number;
        bool flag;
        struct span text = json_text(object, names[i]);
        assert(text.data == NULL || json_has(object, names[i]));
        if (json_flag(object, names[i], &flag) && !json_is_boolean(json_object_get(object, names[i])))
            assert(json_int(object, names[i], &number) ? number == flag : text.data != NULL);
    }
    json_decref(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span stream = span_make(data, size);
    struct buf whole = run(stream, size), single = run(stream, 1), seven = run(stream, 7);
    assert(span_equal(buf_span(&whole), buf_span(&single)) && span_equal(buf_span(&whole), buf_span(&seven)));
    for (size_t at = 0; at < whole.size;) {
        const char *end = memchr(whole.data + at, '\0', whole.size - at);
        read_line(span_make(whole.data + at, (size_t)(end - whole.data) - at));
        at = (size_t)(end - whole.data) + 1;
    }
    buf_free(&whole);
    buf_free(&single);
    buf_free(&seven);
    return 0;
}
