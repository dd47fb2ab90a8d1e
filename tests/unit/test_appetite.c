/* What one address may ask for in a second: requests and bytes. */
#include "tests.h"

#include "base/limit.h"
#include "server/appetite.h"

static struct address address_of(const char *text) {
    struct address address;
    assert_true(address_parse(span_of(text), &address));
    return address;
}

static void requests_are_refused_until_they_have_leaked(void **state) {
    struct appetite a = appetite_make(2, 0);
    struct address one = address_of("192.0.2.1"), other = address_of("192.0.2.2");
    uint64_t before = limit_hits(LIMIT_ADDRESS_REQUESTS);
    (void)state;
    for (int i = 0; i < 20; i++)
        assert_true(appetite_allows(&a, &one, 1000 * 1000, 1000));
    assert_false(appetite_allows(&a, &one, 0, 1000));
    assert_true(appetite_allows(&a, &other, 0, 1000));
    assert_int_equal(limit_hits(LIMIT_ADDRESS_REQUESTS) - before, 1);
    assert_true(appetite_allows(&a, &one, 0, 1500)); /* two a second */
    assert_false(appetite_allows(&a, &one, 0, 1500));
    appetite_free(&a);
}

static void bytes_are_refused_until_they_have_leaked(void **state) {
    struct appetite a = appetite_make(0, 100);
    struct address one = address_of("192.0.2.1");
    uint64_t before = limit_hits(LIMIT_ADDRESS_BYTES);
    (void)state;
    assert_true(appetite_allows(&a, &one, 999, 1000));
    assert_false(appetite_allows(&a, &one, 1, 1000));
    assert_int_equal(limit_hits(LIMIT_ADDRESS_BYTES) - before, 1);
    assert_true(appetite_allows(&a, &one, 0, 1010)); /* a byte in ten milliseconds */
    appetite_spend(&a, &one, 1, 1010);
    assert_false(appetite_allows(&a, &one, 0, 1010));
    appetite_free(&a);
}

static void a_network_of_64_bits_is_one_address(void **state) {
    struct appetite a = appetite_make(1, 0);
    struct address one = address_of("2001:db8::1"), same = address_of("2001:db8::ffff:1"),
                   other = address_of("2001:db8:0:1::1");
    (void)state;
    for (int i = 0; i < 10; i++)
        assert_true(appetite_allows(&a, i % 2 == 0 ? &one : &same, 0, 1000));
    assert_false(appetite_allows(&a, &one, 0, 1000));
    assert_false(appetite_allows(&a, &same, 0, 1000));
    assert_true(appetite_allows(&a, &other, 0, 1000));
    appetite_free(&a);
}

static void nobody_in_particular_has_no_limit(void **state) {
    static const struct address nobody;
    struct appetite a = appetite_make(1, 1);
    (void)state;
    for (int i = 0; i < 100; i++)
        assert_true(appetite_allows(&a, &nobody, 1000, 1000));
    appetite_free(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_refused_until_they_have_leaked),
        cmocka_unit_test(bytes_are_refused_until_they_have_leaked),
        cmocka_unit_test(a_network_of_64_bits_is_one_address),
        cmocka_unit_test(nobody_in_particular_has_no_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
