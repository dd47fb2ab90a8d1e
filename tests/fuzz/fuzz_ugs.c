/* What can be read can be written, and reading that gives the same again; points likewise. And framing agrees
 * with the parser: of a stream that the parser takes as one document, the first message means the same.
 *
 * The input is also what a player says that moves segment by segment. What passes of it is a move that the
 * rules accept, or one that is said to be illegal; what it is told has two points or none. */
#include "fuzz.h"

#include "games/paper_soccer/paper_soccer.h"
#include "wire/ugs/dialect.h"
#include "wire/ugs/segments.h"
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

static void segments_said(void *context, const struct hall_message *m) {
    (void)context;
    assert(m->type != HALL_GAME_STATE || (m->payload.size == 0 && m->point_count % 2 == 0));
    assert(m->point_count <= 2);
}

static const struct segments_output silence = {NULL, segments_said};

/* The other one moves, in the first direction that is free, and 7 is next; or the game is over. */
static void segments_answer(struct segments *s, struct pitch *pitch, bool has_moved) {
    struct pitch_point points[PITCH_MOVE_STEPS_MAX];
    struct hall_message state = {.type = HALL_GAME_STATE, .has_table = true, .table = SPAN("1")};
    size_t count = 0;
    for (unsigned mover = pitch->mover; has_moved && !pitch->is_over && pitch->mover == mover;) {
        pitch_step(pitch, (enum direction)__builtin_ctz(pitch_exits(pitch)));
        points[count++] = pitch_point_of(pitch->ball);
    }
    state.points = points;
    state.point_count = count;
    state.is_over = pitch->is_over;
    state.has_next = !state.is_over;
    state.next = SPAN("7");
    segments_tell(s, &state, &silence);
}

/* A whole move is told to the one who made it, and then answered. */
static void segments_passed(struct segments *s, struct pitch *pitch, const struct hall_message *move,
                            enum err why) {
    struct hall_message state = *move;
    enum err e = move->unread;
    if (e == ERR_OK)
        e = pitch_play_move(pitch, move->points, move->point_count, NULL);
    assert((e == ERR_OK) == (why == ERR_OK));
    state.type = HALL_GAME_STATE;
    state.payload = SPAN("");
    state.is_over = pitch->is_over || e != ERR_OK;
    state.has_next = !state.is_over;
    state.next = SPAN("other");
    segments_tell(s, &state, &silence);
    if (!state.is_over)
        segments_answer(s, pitch, true);
}

static void check_segments(struct ugs_reader *reader, struct span stream) {
    const struct hall_message login = {.type = HALL_PLAYER_LOGIN, .nick = SPAN("7")};
    struct segments *s = segments_create(&login, SPAN(""), ATTACK_BOTTOM);
    struct xml_frame frame = {0};
    struct span document;
    struct pitch pitch;
    pitch_setup(&pitch, ATTACK_BOTTOM);
    segments_answer(s, &pitch, stream.size % 2 == 1);
    while (xml_frame_next(&frame, &stream, &document) == ERR_OK && document.size > 0) {
        struct hall_message m, out;
        enum err why;
        if (ugs_read(reader, document, &m) != ERR_OK)
            break;
        enum segments_answer answer =
            segments_take(s, &m, ugs_reader_saw_point(reader), &silence, &out, &why);
        assert(why == ERR_OK || answer == SEGMENTS_PASSES);
        if (answer == SEGMENTS_NEVER)
            break;
        bool is_whole = answer == SEGMENTS_PASSES && out.type == HALL_MOVE && span_is(out.table, "1") &&
                        (why != ERR_OK || out.points != m.points);
        if (is_whole)
            segments_passed(s, &pitch, &out, why);
        if (pitch.is_over || why != ERR_OK)
            break;
    }
    segments_farewell(s, &silence);
    segments_free(s);
    xml_frame_free(&frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct ugs_reader *strict, *lenient; /* for all inputs: nothing may leak from one to the next */
    if (strict == NULL) {
        strict = ugs_reader_create(false);
        lenient = ugs_reader_create(true);
    }
    check(strict, span_make(data, size));
    check(lenient, span_make(data, size));
    check_segments(lenient, span_make(data, size));
    return 0;
}
