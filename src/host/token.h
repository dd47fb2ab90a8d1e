/* Secrets by which somebody is known at a table: 128 random bits as text. Only the hash is kept. */
#ifndef HOST_TOKEN_H
#define HOST_TOKEN_H

#include "base/digest.h"

enum { TOKEN_CHARS = 32 };

/* A new one, and what is kept of it. */
void token_make(char text[TOKEN_CHARS + 1], struct digest *hash);

/* The one that follows from a secret of its player and what it is for, so that who asks again is given the
 * same and nobody else can. */
void token_derive(struct span secret, const char *purpose, uint64_t table, char text[TOKEN_CHARS + 1],
                  struct digest *hash);

/* What is kept of a token that somebody shows; false when the text is none. */
bool token_hash(struct span text, struct digest *hash);

#endif
