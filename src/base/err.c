#include "base/err.h"

#include <assert.h>

static const struct err_row err_rows[] = {ERR_LIST(ERR_ROW)};

const struct err_row *err_row(enum err e) {
    assert(e >= 0 && e < ERR_COUNT);
    return &err_rows[e];
}

const char *err_word(enum err e) {
    return err_row(e)->word;
}

const char *err_sentence(enum err e) {
    return err_row(e)->sentence;
}
