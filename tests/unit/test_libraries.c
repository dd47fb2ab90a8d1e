/* What libraries allocate for clients is in the account of memory, and goes out of it again. */
#include "tests.h"

#include "base/mem.h"
#include "server/libraries.h"
#include "wire/json/read.h"
#include "wire/xml/parser.h"

#include <sqlite3.h>
#include <uv.h>

enum { ENTRIES = 500 };

static void trees_of_json_count(void **state) {
    (void)state;
    struct buf text = {0};
    char complaint[JSON_COMPLAINT_BYTES_MAX];
    json_t *tree;
    buf_append(&text, SPAN("{\"list\":["));
    for (int i = 0; i < ENTRIES; i++)
        buf_printf(&text, "%s{\"text\":\"h\\u00e9llo %d\"}", i == 0 ? "" : ",", i);
    buf_append(&text, SPAN("]}"));
    size_t before = mem_used();
    assert_int_equal(json_read_object(buf_span(&text), &tree, complaint), ERR_OK);
    size_t with_tree = mem_used();
    assert_true(with_tree >= before + (size_t)ENTRIES * 64);
    json_decref(tree);
    assert_int_equal(mem_used(), before);
    buf_free(&text);
}

static void parsers_of_xml_count(void **state) {
    (void)state;
    struct xml_reader reader = {0};
    size_t before = mem_used();
    xml_reader_init(&reader);
    assert_true(mem_used() >= before + 1024);
    xml_reader_free(&reader);
    assert_int_equal(mem_used(), before);
}

static void loops_count(void **state) {
    (void)state;
    uv_loop_t loop;
    size_t before = mem_used();
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(mem_used() > before);
    assert_int_equal(uv_loop_close(&loop), 0);
    uv_library_shutdown();
    assert_int_equal(mem_used(), before);
}

/* A cache that could grow further does not. */
static void sqlite_stays_under_its_bound(void **state) {
    (void)state;
    sqlite3 *db;
    assert_int_equal(sqlite3_soft_heap_limit64(-1), LIBRARIES_SQLITE_BYTES);
    sqlite3_soft_heap_limit64(4 * 1024 * 1024);
    assert_int_equal(sqlite3_open("", &db), SQLITE_OK); /* a file that nobody sees */
    assert_int_equal(
        sqlite3_exec(db,
                     "PRAGMA cache_size = -65536; CREATE TABLE t(a);"
                     "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 16000) "
                     "INSERT INTO t SELECT randomblob(1000) FROM n; SELECT sum(length(a)) FROM t",
                     NULL, NULL, NULL),
        SQLITE_OK);
    assert_true(sqlite3_memory_used() < 6 * 1024 * 1024);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    sqlite3_soft_heap_limit64(LIBRARIES_SQLITE_BYTES);
}

int main(void) {
    libraries_adopt();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_json_count),
        cmocka_unit_test(parsers_of_xml_count),
        cmocka_unit_test(loops_count),
        cmocka_unit_test(sqlite_stays_under_its_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
