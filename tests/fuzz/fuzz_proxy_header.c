/* A header of a proxy is read in the same way whatever pieces it comes in, and nothing that cannot become one
 * is waited for. And the headers of HTTP that say the same are read from any bytes. */
#include "fuzz.h"

#include "server/proxy_header.h"
#include "wire/http/forwarded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct proxy_header whole, part;
    const char *reason = NULL, *earlier = NULL;
    struct address address;
    if (size == 0)
        return 0;
    forwarded_read(span_make(data, size), &address);
    forwarded_read_plain(span_make(data, size), &address);
    enum proxy_header_state last = proxy_header_read(span_make(data, size), &whole, &reason);
    assert((last == PROXY_HEADER_REFUSED) == (reason != NULL));
    assert(last != PROXY_HEADER_WAITS || size < PROXY_HEADER_BYTES_MAX);
    assert(last != PROXY_HEADER_READ || (whole.size > 0 && whole.size <= size));
    size_t until = last == PROXY_HEADER_READ ? whole.size : size;
    for (size_t some = 1; some <= until; some++) {
        enum proxy_header_state state = proxy_header_read(span_make(data, some), &part, &earlier);
        if (state == PROXY_HEADER_REFUSED) {
            assert(last == PROXY_HEADER_REFUSED);
            return 0;
        }
        assert(state == (some == until ? last : PROXY_HEADER_WAITS));
    }
    assert(last != PROXY_HEADER_READ ||
           (part.has_origin == whole.has_origin && address_equal(&part.origin, &whole.origin)));
    return 0;
}
