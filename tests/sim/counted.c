/* Counts what is allocated through base/mem.h, by wrapping its functions when the program is linked, and adds
 * the fixture game to the games that a restart knows in the same way. The simulation keeps its own memory
 * elsewhere, so this is what the server has. */
#include "sim.h"

#include "fixture_game.h"

#include <malloc.h>

void *__real_mem_alloc(size_t size);
void *__real_mem_resize(void *memory, size_t size);
char *__real_mem_copy_text(const char *text);
void __real_mem_free(void *memory);
void *__real_mem_library_take(size_t size);
void *__real_mem_library_clear(size_t count, size_t size);
void *__wrap_mem_library_take(size_t size);
void *__wrap_mem_library_clear(size_t count, size_t size);
void *__wrap_mem_alloc(size_t size);
void *__wrap_mem_resize(void *memory, size_t size);
char *__wrap_mem_copy_text(const char *text);
void __wrap_mem_free(void *memory);
const struct game *__real_game_by_name(struct span name);
const struct game *__wrap_game_by_name(struct span name);

static size_t blocks, bytes;
static bool is_paused;

void counted_pause(bool pauses) {
    is_paused = pauses;
}

static void *count(void *memory) {
    if (is_paused)
        return memory;
    blocks++;
    bytes += malloc_usable_size(memory);
    return memory;
}

static void discount(void *memory) {
    if (memory == NULL || is_paused)
        return;
    blocks--;
    bytes -= malloc_usable_size(memory);
}

void *__wrap_mem_alloc(size_t size) {
    return count(__real_mem_alloc(size));
}

void *__wrap_mem_resize(void *memory, size_t size) {
    discount(memory);
    return count(__real_mem_resize(memory, size));
}

char *__wrap_mem_copy_text(const char *text) {
    return count(__real_mem_copy_text(text));
}

void *__wrap_mem_library_take(size_t size) {
    return count(__real_mem_library_take(size));
}

void *__wrap_mem_library_clear(size_t number, size_t size) {
    return count(__real_mem_library_clear(number, size));
}

void __wrap_mem_free(void *memory) {
    discount(memory);
    __real_mem_free(memory);
}

size_t counted_blocks(void) {
    return blocks;
}

size_t counted_bytes(void) {
    return bytes;
}

const struct game *__wrap_game_by_name(struct span name) {
    return span_is(name, fixture_game.name) ? &fixture_game : __real_game_by_name(name);
}
