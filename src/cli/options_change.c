#include "cli/options_change.h"

enum { CHANGE_VALUE_BYTES = 1024 };

/* NAME, a blank, the value and NUL: no option has that in it. */
static bool change_row(void *context, const struct option_place *place) {
    struct buf *out = context;
    char text[CHANGE_VALUE_BYTES] = "";
    enum option_kind kind = place->row->kind;
    if (kind == OPTION_GONE)
        return true;
    if (kind == OPTION_FLAG || kind == OPTION_NO_FLAG)
        buf_printf(out, "%s %d", place->row->name, *(bool *)place->target);
    else
        buf_printf(out, "%s %s", place->row->name, options_default(place, text, sizeof text) ? text : "");
    buf_append_byte(out, '\0');
    return true;
}

void options_note(const struct options *o, struct buf *out) {
    options_each(o, change_row, out);
}

static struct span change_next(struct span *rest) {
    struct span row = span_of(rest->data);
    *rest = span_make(rest->data + row.size + 1, rest->size - row.size - 1);
    return row;
}

void options_changed(struct span before, struct span after, void (*visit)(void *context, struct span name),
                     void *context) {
    while (before.size > 0 && after.size > 0) {
        struct span was = change_next(&before), is = change_next(&after);
        if (!span_equal(was, is))
            visit(context, span_make(is.data, strcspn(is.data, " ")));
    }
}
