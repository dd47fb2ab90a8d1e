/* What a fuzz target is: one function over any bytes that returns 0 and aborts when a promise is broken. The
 * same file is linked with libFuzzer (meson option fuzz) or with driver.c, which runs it on its corpus and on
 * a fixed number of mutated inputs as an ordinary test. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
