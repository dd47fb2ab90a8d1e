/* XML framing: where messages begin and end on a stream, in any split, and what is refused. */
#include "tests.h"

#include "base/rng.h"
#include "wire/xml/frame.h"

enum { LARGE_BYTES = 64 * 1024 }; /* such streams are run in fewer splits */

/* What a stream gave: all messages one after the other, each followed by a NUL, and how it ended. */
struct result {
    struct buf messages;
    size_t count;
    enum err error;
    bool is_partial;
};

static void feed(struct xml_frame *frame, struct span piece, struct result *out) {
    while (out->error == ERR_OK) {
        struct span message;
        out->error = xml_frame_next(frame, &piece, &message);
        if (out->error != ERR_OK || message.size == 0)
            break;
        buf_append(&out->messages, message);
        buf_append_byte(&out->messages, '\0');
        out->count++;
    }
    assert_true(frame->partial.capacity <= XML_FRAME_BYTES_MAX);
    if (!xml_frame_is_partial(frame))
        assert_null(frame->partial.data);
}

/* Feeds pieces of at most piece_max bytes: of exactly 1 when it is 1, of the whole when it is 0, random
 * otherwise. Every piece is copied, so that a read beyond its end is noticed. */
static struct result run(struct span stream, uint32_t piece_max) {
    struct xml_frame frame = {0};
    struct result result = {0};
    struct rng rng;
    rng_seed(&rng, piece_max);
    while (stream.size > 0) {
        size_t size = piece_max == 0 ? stream.size : 1 + rng_below(&rng, piece_max);
        size = size > stream.size ? stream.size : size;
        char *copy = malloc(size);
        memcpy(copy, stream.data, size);
        feed(&frame, span_make(copy, size), &result);
        free(copy);
        stream = span_make(stream.data + size, stream.size - size);
    }
    result.is_partial = xml_frame_is_partial(&frame);
    xml_frame_free(&frame);
    return result;
}

static void expect_same(const struct result *a, const struct result *b) {
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->error, b->error);
    assert_int_equal(a->is_partial, b->is_partial);
    assert_true(span_equal(buf_span(&a->messages), buf_span(&b->messages)));
}

static struct result run_all_splits(struct span stream) {
    struct result whole = run(stream, 0);
    const uint32_t piece_max[] = {1, 2, 3, 7, 64, 1000};
    for (size_t i = 0; i < sizeof piece_max / sizeof *piece_max; i++) {
        if (stream.size > LARGE_BYTES && piece_max[i] != 1 && piece_max[i] != 1000)
            continue;
        struct result other = run(stream, piece_max[i]);
        expect_same(&whole, &other);
        buf_free(&other.messages);
    }
    return whole;
}

/* expected: the messages, each ended by '|'. */
static void expect_messages(struct span stream, const char *expected, bool is_partial) {
    struct result result = run_all_splits(stream);
    assert_int_equal(result.error, ERR_OK);
    for (size_t i = 0; i < result.messages.size; i++)
        if (result.messages.data[i] == '\0')
            result.messages.data[i] = '|';
    assert_string_equal(buf_text(&result.messages), expected);
    assert_int_equal(result.is_partial, is_partial);
    buf_free(&result.messages);
}

static void expect_refused(struct span stream, size_t count, enum err error) {
    struct result result = run_all_splits(stream);
    assert_int_equal(result.count, count);
    assert_string_equal(err_word(result.error), err_word(error));
    buf_free(&result.messages);
}

static void messages_end_with_their_root(void **unused) {
    (void)unused;
    expect_messages(SPAN(""), "", false);
    expect_messages(SPAN("<a/>"), "<a/>|", false);
    expect_messages(SPAN("<a></a>"), "<a></a>|", false);
    expect_messages(SPAN("<a:b-c\tx='1'><d/></a:b-c\n>"), "<a:b-c\tx='1'><d/></a:b-c\n>|", false);
    expect_messages(SPAN("<a/><b></b><c/>"), "<a/>|<b></b>|<c/>|", false);
    expect_messages(SPAN("<message type=\"logout\" />"), "<message type=\"logout\" />|", false);
    expect_messages(SPAN("<a><a><a/></a><b></b></a ><a"), "<a><a><a/></a><b></b></a >|", true);
    expect_messages(SPAN("<?xml version='1.0'?><a>x</a><?xml version='1.0'?>"),
                    "<?xml version='1.0'?><a>x</a>|", true);
}

static void blanks_and_nul_are_skipped_between_messages(void **unused) {
    (void)unused;
    expect_messages(SPAN(" \r\n\t<a/>\0\0\n<b/>\n"), "<a/>|<b/>|", false);
    expect_messages(SPAN("<?xml?> \n<!-- c -->\n<a/>"), "<?xml?> \n<!-- c -->\n<a/>|", false);
    expect_refused(SPAN("<?xml?>\0<a/>"), 0, ERR_NOT_XML);
}

static void one_byte_order_mark_at_the_start(void **unused) {
    (void)unused;
    expect_messages(SPAN("\xef\xbb\xbf<a/>"), "<a/>|", false);
    expect_messages(SPAN("\xef\xbb"), "", false);
    expect_refused(SPAN("\xef\xbb\xbf\xef\xbb\xbf<a/>"), 0, ERR_NOT_XML);
    expect_refused(SPAN(" \xef\xbb\xbf<a/>"), 0, ERR_NOT_XML);
    expect_refused(SPAN("<a/>\xef\xbb\xbf<a/>"), 1, ERR_NOT_XML);
    expect_refused(SPAN("\xef\xbf\xbb<a/>"), 0, ERR_NOT_XML);
}

static void markup_in_quotes_comments_and_cdata_is_not_markup(void **unused) {
    (void)unused;
    const char *const whole[] = {
        "<a b='>' c=\"/>\"/>",
        "<a b='\"' c=\"'\">x</a>",
        "<a><!-- </a> ' \" - ->--></a>",
        "<a><![CDATA[</a>]] ]>]]]></a>",
        "<a><?p </a> ? >?></a>",
        "<!-- <b> --><?p <b> ?\?><a>it's \"quoted\" > x</a>",
        "<a><!----></a>",
        "<a><![CDATA[]]></a>",
    };
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        struct buf stream = {0}, expected = {0};
        buf_printf(&stream, "%s%s", whole[i], whole[i]);
        buf_printf(&expected, "%s|%s|", whole[i], whole[i]);
        expect_messages(buf_span(&stream), buf_text(&expected), false);
        buf_free(&stream);
        buf_free(&expected);
    }
}

static void what_is_not_xml_is_refused_at_its_first_byte(void **unused) {
    (void)unused;
    expect_refused(SPAN("G"), 0, ERR_NOT_XML);
    expect_refused(SPAN("GET / HTTP/1.1\r\n\r\n"), 0, ERR_NOT_XML);
    expect_refused(SPAN("<a/>x"), 1, ERR_NOT_XML);
    expect_refused(SPAN("<?xml?>x"), 0, ERR_NOT_XML);
    expect_refused(SPAN("\xff\xfe<\0a\0"), 0, ERR_NOT_XML);
    expect_refused(SPAN("\1"), 0, ERR_NOT_XML);
}

static void doctype_is_refused_as_soon_as_it_is_recognised(void **unused) {
    (void)unused;
    expect_refused(SPAN("<!DOCTYPE"), 0, ERR_DOCTYPE);
    expect_refused(SPAN("<?xml version='1.0'?>\n<!-- c --><!DOCTYPE a [<!ENTITY b 'c'>]><a/>"), 0,
                   ERR_DOCTYPE);
    expect_refused(SPAN("<a/><!DOCTYPE a>"), 1, ERR_DOCTYPE);
    expect_messages(SPAN("<!DOCTYP"), "", true);
}

static void broken_markup_is_refused(void **unused) {
    (void)unused;
    const char *const broken[] = {
        "<a><b></a>",
        "<a></b>",
        "<a></a x>",
        "<a:b></a:c>",
        "<message><m></message>",
        "<a></>",
        "</a>",
        "<?xml?></a>",
        "< a/>",
        "<>",
        "<1/>",
        "<!a>",
        "<!DOCTYPO",
        "<!ENTITY a 'b'>",
        "<![CDATA[x]]>",
        "<a><![CDATO[x]]></a>",
        "<!-a->",
        "<!-- a -- b -->",
        "<a <b/></a>",
        "<a / >",
        "<a></a<b>",
        "<a b='<'/>",
        "<a b=\"<\"/>",
        "<move><point x='0 y='1'/></move>",
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        expect_refused(span_of(broken[i]), 0, ERR_MALFORMED);
}

static void a_lost_stream_stays_lost(void **unused) {
    (void)unused;
    struct xml_frame frame = {0};
    struct span message, input = SPAN("<a><!DOCTYPE");
    assert_int_equal(xml_frame_next(&frame, &input, &message), ERR_DOCTYPE);
    input = SPAN("<a/>");
    assert_int_equal(xml_frame_next(&frame, &input, &message), ERR_DOCTYPE);
    assert_int_equal(message.size, 0);
    assert_false(xml_frame_is_partial(&frame));
    xml_frame_free(&frame);
}

static void a_whole_message_is_not_copied(void **unused) {
    (void)unused;
    struct xml_frame frame = {0};
    struct span message, input = SPAN("  <a>1</a><b/>");
    const char *start = input.data;
    assert_int_equal(xml_frame_next(&frame, &input, &message), ERR_OK);
    assert_ptr_equal(message.data, start + 2);
    assert_int_equal(xml_frame_next(&frame, &input, &message), ERR_OK);
    assert_ptr_equal(message.data, start + 10);
    assert_int_equal(input.size, 0);
    assert_null(frame.partial.data);
    xml_frame_free(&frame);
}

static void a_message_has_a_largest_size(void **unused) {
    (void)unused;
    struct buf stream = {0};
    const size_t tags = sizeof "<a></a>" - 1;
    buf_append_text(&stream, "<a>");
    while (stream.size < XML_FRAME_BYTES_MAX + 3 - tags)
        buf_append_byte(&stream, 'x');
    buf_append_text(&stream, "</a>");
    assert_int_equal(stream.size, XML_FRAME_BYTES_MAX);
    struct result result = run_all_splits(buf_span(&stream));
    assert_int_equal(result.error, ERR_OK);
    assert_int_equal(result.count, 1);
    assert_int_equal(result.messages.size, XML_FRAME_BYTES_MAX + 1);
    buf_free(&result.messages);

    stream.size -= 4;
    buf_append_text(&stream, "x</a>");
    expect_refused(buf_span(&stream), 0, ERR_TOO_LARGE);
    buf_free(&stream);
}

static void the_prolog_counts_towards_the_size(void **unused) {
    (void)unused;
    struct buf stream = {0};
    while (stream.size <= XML_FRAME_BYTES_MAX)
        buf_append_text(&stream, "<!-- and on -->");
    expect_refused(buf_span(&stream), 0, ERR_TOO_LARGE);
    buf_clear(&stream);
    while (stream.size <= 2 * XML_FRAME_BYTES_MAX)
        buf_append_byte(&stream, ' ');
    buf_append_text(&stream, "<a/>");
    expect_messages(buf_span(&stream), "<a/>|", false);
    buf_free(&stream);
}

static void elements_have_a_deepest_nesting(void **unused) {
    (void)unused;
    struct buf stream = {0};
    for (int i = 0; i < XML_FRAME_DEPTH_MAX; i++)
        buf_append_text(&stream, "<a>");
    size_t opened = stream.size;
    for (int i = 0; i < XML_FRAME_DEPTH_MAX; i++)
        buf_append_text(&stream, "</a>");
    struct result result = run_all_splits(buf_span(&stream));
    assert_int_equal(result.count, 1);
    buf_free(&result.messages);
    stream.size = opened;
    buf_append_text(&stream, "<b/>");
    expect_refused(buf_span(&stream), 0, ERR_TOO_DEEP);
    buf_free(&stream);
}

static void a_thousand_messages_in_one_buffer(void **unused) {
    (void)unused;
    struct buf stream = {0};
    for (int i = 0; i < 1000; i++)
        buf_printf(&stream, "%s<message type='move'><gameId id=\"%d\"/><move/></message>%s",
                   i % 2 ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" : "", i, i % 3 ? "" : "\r\n");
    struct result result = run_all_splits(buf_span(&stream));
    assert_int_equal(result.error, ERR_OK);
    assert_int_equal(result.count, 1000);
    assert_false(result.is_partial);
    buf_free(&result.messages);
    buf_free(&stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_end_with_their_root),
        cmocka_unit_test(blanks_and_nul_are_skipped_between_messages),
        cmocka_unit_test(one_byte_order_mark_at_the_start),
        cmocka_unit_test(markup_in_quotes_comments_and_cdata_is_not_markup),
        cmocka_unit_test(what_is_not_xml_is_refused_at_its_first_byte),
        cmocka_unit_test(doctype_is_refused_as_soon_as_it_is_recognised),
        cmocka_unit_test(broken_markup_is_refused),
        cmocka_unit_test(a_lost_stream_stays_lost),
        cmocka_unit_test(a_whole_message_is_not_copied),
        cmocka_unit_test(a_message_has_a_largest_size),
        cmocka_unit_test(the_prolog_counts_towards_the_size),
        cmocka_unit_test(elements_have_a_deepest_nesting),
        cmocka_unit_test(a_thousand_messages_in_one_buffer),
    };
    return cmocka_run_group_tests_name("xml_frame", tests, NULL, NULL);
}
