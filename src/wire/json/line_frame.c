#include "wire/json/line_frame.h"

/* Bytes before the end of the line, or all of them. */
static size_t length_of(struct span input) {
    const char *lf = memchr(input.data, '\n', input.size);
    size_t size = lf == NULL ? input.size : (size_t)(lf - input.data);
    const char *cr = memchr(input.data, '\r', size);
    return cr == NULL ? size : (size_t)(cr - input.data);
}

static void consume(struct span *input, size_t size) {
    input->data += size;
    input->size -= size;
}

static bool json_line_frame_is_blank(struct span line) {
    return span_trim(line).size == 0;
}

/* The line that ends here, from the input alone or with what came before. Valid until the next call. */
static struct span json_line_frame_end(struct line_frame *f, struct span tail) {
    if (f->partial.size == 0)
        return tail;
    buf_append(&f->partial, tail);
    return buf_span(&f->partial);
}

enum err line_frame_next(struct line_frame *f, struct span *input, struct span *line) {
    /* A line that was handed out is not needed any more; one without its end is. */
    if (f->is_given)
        buf_clear(&f->partial);
    f->is_given = false;
    *line = (struct span){0};
    while (input->size > 0) {
        size_t size = length_of(*input);
        bool has_end = size < input->size;
        struct span piece = {input->data, size};
        consume(input, has_end ? size + 1 : size);
        if (f->is_skipping) {
            f->is_skipping = !has_end;
            continue;
        }
        if (f->partial.size + size > LINE_FRAME_BYTES_MAX) {
            f->is_skipping = !has_end;
            buf_free(&f->partial);
            return ERR_TOO_LARGE;
        }
        if (!has_end) {
            buf_append(&f->partial, piece);
            return ERR_OK;
        }
        struct span whole = json_line_frame_end(f, piece);
        if (!json_line_frame_is_blank(whole)) {
            f->is_given = true;
            *line = whole;
            return ERR_OK;
        }
        buf_clear(&f->partial);
    }
    if (f->partial.size == 0)
        buf_free(&f->partial);
    return ERR_OK;
}

void line_frame_free(struct line_frame *f) {
    buf_free(&f->partial);
}
