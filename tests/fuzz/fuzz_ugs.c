/* What can be read can be written, and reading that gives the same again; points likewise. And framing agrees
 * with the parser: of a stream that the parser takes as one document, the first message means the same. */
#include "fuzz.h"

#include "games/paper_soccer/paper_soccer.h"
#include "wire/ugs/dialect.h"
#include "wire/xml/frame.h"

static const struct ugs_style style = {0};

static void check_points(struct ugs_reader *reader, struct span payload, bool accepts_move_points) {
    struct pitch_point points[PITCH_EDGES], again[PITCH_EDGES];
    size_t count, again_count;
    if (ugs_points_read(reader, payload, accepts_move_points, points, PITCH_EDGES, &count) != ERR_OK) {
        assert(count == 0);
        return;
    }
    struct buf written = {0};
    ugs_points_write(&written, "move", points, count);
    enum err e = ugs_points_read(reader, buf_span(&written), false, again, PITCH_EDGES, &again_count);
    assert(e == ERR_OK && again_count == count && memcmp(points, again, count * sizeof *points) == 0);
    buf_free(&written);
}

/* Appends the message as it is written. False when the document cannot be read. */
static bool rewrite(struct ugs_reader *reader, struct span document, struct buf *out) {
    struct hall_message message;
    if (ugs_read(reader, document, &message) != ERR_OK) {
        assert(ugs_reader_complaint(reader)[0] != '\0');
        return false;
    }
    ugs_write(out, &message, &style);
    check_points(reader, message.payload, false);
    check_points(reader, message.payload, true);
    return true;
}

static void check_framing(struct ugs_reader *reader, struct span stream, struct span expected) {
    struct xml_frame frame = {0};
    struct span document;
    enum err e = xml_frame_next(&frame, &stream, &document);
    if (e != ERR_TOO_DEEP) {
        assert(e == ERR_OK && document.size > 0);
        struct buf written = {0};
        bool is_read = rewrite(reader, document, &written);
        assert(is_read && span_equal(buf_span(&written), expected));
        buf_free(&written);
    }
    xml_frame_free(&frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct ugs_reader *reader; /* one for all inputs: nothing may leak from one to the next */
    if (reader == NULL)
        reader = ugs_reader_create();
    struct span input = span_make(data, size);
    struct buf first = {0}, second = {0};
    if (rewrite(reader, input, &first) && first.size <= XML_FRAME_BYTES_MAX) {
        bool is_read = rewrite(reader, buf_span(&first), &second);
        assert(is_read && span_equal(buf_span(&first), buf_span(&second)));
        check_framing(reader, input, buf_span(&first));
    }
    check_points(reader, input, false);
    check_points(reader, input, true);
    buf_free(&first);
    buf_free(&second);
    return 0;
}
