/* A stream gives the same messages and the same refusal in whatever pieces it comes. */
#include "fuzz.h"

#include "base/rng.h"
#include "wire/xml/frame.h"

enum piece_size { WHOLE, SINGLE_BYTES, RANDOM };

/* All messages with a NUL behind each, at last the word of the error. */
static struct buf run(struct span stream, enum piece_size piece_size) {
    struct buf out = {0};
    struct xml_frame frame = {0};
    struct rng rng;
    rng_seed(&rng, stream.size);
    enum err e = ERR_OK;
    while (e == ERR_OK && stream.size > 0) {
        size_t size = piece_size == WHOLE          ? stream.size
                      : piece_size == SINGLE_BYTES ? 1
                                                   : 1 + rng_below(&rng, 40);
        struct span piece = {stream.data, size < stream.size ? size : stream.size};
        stream = span_make(stream.data + piece.size, stream.size - piece.size);
        struct span message;
        while ((e = xml_frame_next(&frame, &piece, &message)) == ERR_OK && message.size > 0) {
            assert(message.data[0] == '<' && message.data[message.size - 1] == '>');
            buf_append(&out, message);
            buf_append_byte(&out, '\0');
        }
        assert(frame.partial.capacity <= XML_FRAME_BYTES_MAX);
        assert(xml_frame_is_partial(&frame) || frame.partial.data == NULL);
    }
    buf_append_text(&out, err_word(e));
    xml_frame_free(&frame);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct buf whole = run(span_make(data, size), WHOLE);
    for (int piece_size = SINGLE_BYTES; piece_size <= RANDOM; piece_size++) {
        struct buf other = run(span_make(data, size), (enum piece_size)piece_size);
        assert(span_equal(buf_span(&whole), buf_span(&other)));
        buf_free(&other);
    }
    buf_free(&whole);
    return 0;
}
