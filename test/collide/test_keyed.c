// Keys with values in order.
#include "collide/keyed.h"
#include "fureai/base.h"

#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 3000 };

static void sorting_keeps_the_order_of_equal_keys(void **state) {
    (void)state;
    static fr__keyed records[MOST], scratch[MOST];
    fr_random r = fr_random_seed(1);
    uint64_t tries = test_count(300, 20000);
    for (uint64_t n = 0; n < tries; n++) {
        size_t count = (size_t)fr_random_below(&r, n % 3 == 0 ? 40 : MOST);
        uint64_t mask = n % 4 == 0   ? 0xff00ff00000000ffu
                        : n % 4 == 1 ? 0x3fu
                        : n % 4 == 2 ? 0xffff00000fffu
                                     : ~UINT64_C(0);
        for (size_t i = 0; i < count; i++) {
            records[i] = (fr__keyed){fr_random_bits(&r) & mask, i};
        }
        uint64_t sum = 0, after = 0;
        for (size_t i = 0; i < count; i++) {
            sum += records[i].key ^ (records[i].value << 20);
        }
        fr__keyed_sort(records, count, scratch);
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
