#include "host/token.h"

#include <stdio.h>

void token_make(char text[TOKEN_CHARS + 1], struct digest *hash) {
    struct digest random;
    char digits[2 * DIGEST_BYTES + 1];
    digest_secret(&random);
    digest_format(&random, digits);
    memcpy(text, digits, TOKEN_CHARS);
    text[TOKEN_CHARS] = '\0';
    bool is_token = token_hash(span_of(text), hash);
    (void)is_token;
}

bool token_hash(struct span text, struct digest *hash) {
    if (text.size != TOKEN_CHARS)
        return false;
    for (size_t i = 0; i < text.size; i++)
        if (strchr("0123456789abcdef", text.data[i]) == NULL || text.data[i] == '\0')
            return false;
    digest_of(hash, NULL, (struct span[]){SPAN("parlor token"), text}, 2);
    return true;
}
