#include "base/err.h"

#include <assert.h>

static const struct {
    const char *word;
    const char *sentence;
    const char *rule;
} err_table[ERR_COUNT] = {
#define ERR_ROW(name, word, sentence, rule) [ERR_##name] = {word, sentence, rule},
    ERR_LIST(ERR_ROW)
#undef ERR_ROW
};

const char *err_word(enum err e) {
    assert(e >= 0 && e < ERR_COUNT);
    return err_table[e].word;
}

const char *err_sentence(enum err e) {
    assert(e >= 0 && e < ERR_COUNT);
    return err_table[e].sentence;
}

const char *err_rule(enum err e) {
    assert(e >= 0 && e < ERR_COUNT);
    return err_table[e].rule;
}
