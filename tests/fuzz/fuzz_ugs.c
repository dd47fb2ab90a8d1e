/* What can be read can be written, and reading that gives the same again; points likewise. And framing agrees
 * with the parser: of a stream that the parser takes as one document, the first message means the same. */
#include "fuzz.h"

#include "games/paper_soccer/paper_soccer.h"
#include "wire/ugs/dialect.h"
#include "wire/xml/frame.h"

static const struct ugs_style style = {0};

/* The points of a message, written and read again, are the same. */
static void check_points(const struct hall_message *m) {
    static struct ugs_reader *reader; /* the other one's still holds the message */
    if (reader == NULL)
        reader = ugs_reader_create(false);
    if (m->unread != ERR_OK) {
        assert(m->point_count == 0);
        return;
    }
    struct buf written = {0};
    struct hall_message again = {.type = HALL_MOVE, .points = m->points, .point_count = m->point_count};
    ugs_write(&written, &again, &style);
    enum err e = ugs_read(reader, buf_span(&written), &again);
    assert(e == ERR_OK && again.unread == ERR_OK && again.point_count == m->point_count);
    assert(m->point_count == 0 || memcmp(again.points, m->points, m->point_count * sizeof *m->points) == 0);
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
    check_points(&message);
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

static void check(struct ugs_reader *reader, struct span input) {
    struct buf first = {0}, second = {0};
    if (rewrite(reader, input, &first) && first.size <= XML_FRAME_BYTES_MAX) {
        bool is_read = rewrite(reader, buf_span(&first), &second);
        assert(is_read && span_equal(buf_span(&first), buf_span(&second)));
        check_framing(reader, input, buf_span(&first));
    }
    buf_free(&first);
    buf_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct ugs_reader *strict, *lenient; /* for all inputs: nothing may leak from one to the next */
    if (strict == NULL) {
        strict = ugs_reader_create(false);
        lenient = ugs_reader_create(true);
    }
    check(strict, span_make(data, size));
    check(lenient, span_make(data, size));
    return 0;
}
