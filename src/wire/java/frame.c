#include "wire/java/frame.h"

/* Moves as much of the input as is surely of the message that is not whole yet. True: it may be whole now. */
static bool frame_gather(struct java_frame *f, struct span *input) {
    size_t size = f->missing < input->size ? f->missing : input->size;
    buf_append(&f->partial, span_make(input->data, size));
    *input = span_make(input->data + size, input->size - size);
    f->missing -= size;
    return f->missing == 0;
}

/* So much of what was being read is done with. */
static void frame_consume(struct java_frame *f, struct span *input, size_t size) {
    if (f->partial.size > 0)
        buf_free(&f->partial); /* it never has more than one message */
    else
        *input = span_make(input->data + size, input->size - size);
}

static bool frame_break(struct java_frame *f, struct peer *peer, struct span *input, const char *complaint,
                        uint64_t now_ms) {
    f->is_broken = true;
    input->size = 0;
    peer_malformed(peer, span_make(NULL, 0), ERR_MALFORMED, complaint, now_ms);
    return true;
}

bool java_frame_take(struct java_frame *f, const struct java_class *const *classes, struct peer *peer,
                     struct span *input, uint64_t now_ms) {
    struct java_message message;
    char complaint[JAVA_COMPLAINT_BYTES_MAX];
    f->reader.classes = classes;
    while (input->size > 0 && !f->is_broken) {
        size_t size;
        if (f->partial.size > 0 && !frame_gather(f, input))
            return false;
        struct span bytes = f->partial.size > 0 ? buf_span(&f->partial) : *input;
        switch (java_read(&f->reader, bytes, &message, &size, complaint)) {
        case JAVA_MORE:
            f->missing = size;
            if (f->partial.size == 0) {
                buf_append(&f->partial, *input);
                input->size = 0;
            }
            break;
        case JAVA_PASSED: frame_consume(f, input, size); break;
        case JAVA_MESSAGE:
            peer_received(peer, &message, span_make(bytes.data, size), now_ms);
            frame_consume(f, input, size);
            return true;
        case JAVA_REFUSED: return frame_break(f, peer, input, complaint, now_ms);
        }
    }
    input->size = 0;
    return false;
}

void java_frame_release(struct java_frame *f) {
    java_reader_free(&f->reader);
    buf_free(&f->partial);
}
