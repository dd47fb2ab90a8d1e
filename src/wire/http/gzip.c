/* gzip for answers, by zlib. Separate so that nothing else of HTTP knows the library. */
#include "base/mem.h"
#include "wire/http/http.h"

#include <assert.h>
#include <zlib.h>

enum { GZIP_WINDOW_BITS = 15 + 16 /* 16 asks for gzip instead of zlib's own form */, GZIP_MEM_LEVEL = 8 };

static void *gzip_alloc(void *context, unsigned count, unsigned size) {
    (void)context;
    return mem_alloc((size_t)count * size);
}

static void gzip_free(void *context, void *memory) {
    (void)context;
    mem_free(memory);
}

void http_gzip(struct buf *out, struct span body) {
    z_stream stream = {.zalloc = gzip_alloc, .zfree = gzip_free};
    int result = deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS, GZIP_MEM_LEVEL,
                              Z_DEFAULT_STRATEGY);
    assert(result == Z_OK);
    size_t bound = deflateBound(&stream, body.size);
    if (!buf_reserve(out, bound)) {
        deflateEnd(&stream);
        return;
    }
    stream.next_in = (Bytef *)(uintptr_t)body.data;
    stream.avail_in = (uInt)body.size;
    stream.next_out = (Bytef *)out->data + out->size;
    stream.avail_out = (uInt)bound;
    result = deflate(&stream, Z_FINISH);
    assert(result == Z_STREAM_END);
    (void)result;
    out->size += stream.total_out;
    deflateEnd(&stream);
}
