#include "host/token.h"

#include <stdio.h>

static void token_of(const struct digest *random, char text[TOKEN_CHARS + 1], struct digest *hash) {
    char digits[2 * DIGEST_BYTES + 1];
    digest_format(random, digits);
    memcpy(text, digits, TOKEN_CHARS);
    text[TOKEN_CHARS] = '\0';
    bool is_token = token_hash(span_of(text), hash);
    (void)is_token;
}

void token_make(char text[TOKEN_CHARS + 1], struct digest *hash) {
    struct digest random;
    digest_secret(&random);
    token_of(&random, text, hash);
}

void token_derive(struct span secret, const char *purpose, uint64_t table, char text[TOKEN_CHARS + 1],
                  struct digest *hash) {
    struct digest derived;
    uint8_t number[8];
    digest_number(table, number);
    const struct span pieces[] = {SPAN("parlor derived token"), span_of(purpose),
                                  span_make(number, sizeof number), secret};
    digest_of(&derived, NULL, pieces, sizeof pieces / sizeof *pieces);
    token_of(&derived, text, hash);
}

bool token_hash(struct span text, struct digest *hash) {
    if (text.size != TOKEN_CHARS)
        return false;
    for (size_t i = 0; i < text.size; i++)
        if (!((text.data[i] >= '0' && text.data[i] <= '9') || (text.data[i] >= 'a' && text.data[i] <= 'f')))
            return false;
    digest_of(hash, NULL, (struct span[]){SPAN("parlor token"), text}, 2);
    return true;
}
