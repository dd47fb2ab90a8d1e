/* Whatever clients of Santorini send and whenever they go, tables keep the rules and everything that is said
 * is JSON. And a line that is JSON is the same value after it was mended. */
#include "lines.h"

#include "wire/json/mend.h"
#include "wire/santorini/port.h"

static void check_mended(struct span line) {
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *plain, *mended;
    struct buf text = {0};
    json_mend(line, &text);
    if (json_read_object(line, &plain, complaint) == ERR_OK) {
        enum err e = json_read_object(buf_span(&text), &mended, complaint);
        assert(e == ERR_OK && json_equal(plain, mended));
        json_decref(mended);
        json_decref(plain);
    }
    buf_free(&text);
}

static struct port *create(struct tables *tables) {
    struct santorini_port_config config = santorini_port_config_default();
    config.tables = tables;
    return santorini_port_create(&config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct span rest = span_make(data, size);
    while (rest.size > 0) {
        const char *end = memchr(rest.data, '\n', rest.size);
        struct span line = span_make(rest.data, end == NULL ? rest.size : (size_t)(end - rest.data));
        if (line.size > 0)
            check_mended(span_make(line.data + 1, line.size - 1));
        size_t taken = line.size + (end != NULL);
        rest = span_make(rest.data + taken, rest.size - taken);
    }
    lines_fuzz(data, size, create, NULL, SPAN(""));
    return 0;
}
