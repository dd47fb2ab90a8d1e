#include "server/libraries.h"

#include "base/mem.h"

#include <assert.h>
#include <jansson.h>
#include <sqlite3.h>
#include <uv.h>

void libraries_adopt(void) {
    json_set_alloc_funcs(mem_library_take, mem_free);
    int failed = uv_replace_allocator(mem_library_take, mem_resize, mem_library_clear, mem_free);
    assert(failed == 0);
    (void)failed;
    sqlite3_soft_heap_limit64(LIBRARIES_SQLITE_BYTES);
}
