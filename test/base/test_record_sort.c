// Records of one type sorted by their keys.
#include "base/record_sort.h"

#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_COUNT = 3000 };

typedef struct record {
    uint64_t key, value;
} record;

static uint64_t key_of(const record *r) { return r->key; }

FR__SORT_TYPE(sort_records, record, key_of);

static void sorting_keeps_the_order_of_equal_keys(void **state) {
    (void)state;
    static record records[MAX_COUNT], scratch[MAX_COUNT];
    fr_random r = fr_random_seed(1);
    uint64_t tries = test_count(300, 20000);
    for (uint64_t n = 0; n < tries; n++) {
        size_t count = (size_t)fr_random_below(&r, n % 3 == 0 ? 40 : MAX_COUNT);
        uint64_t mask = n % 4 == 0   ? 0xff00ff00000000ffu
                        : n % 4 == 1 ? 0x3fu
                        : n % 4 == 2 ? 0xffff00000fffu
                                     : ~UINT64_C(0);
        for (size_t i = 0; i < count; i++) {
            records[i] = (record){fr_random_bits(&r) & mask, i};
        }
        uint64_t sum = 0, after = 0;
        for (size_t i = 0; i < count; i++) {
            sum += records[i].key ^ (records[i].value << 20);
        }
        sort_records(records, count, scratch);
        for (size_t i = 0; i < count; i++) {
            after += records[i].key ^ (records[i].value << 20);
            if (i == 0) { continue; }
            assert_true(records[i - 1].key < records[i].key ||
                        (records[i - 1].key == records[i].key && records[i - 1].value < records[i].value));
        }
        assert_true(sum == after);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorting_keeps_the_order_of_equal_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
