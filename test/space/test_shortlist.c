// The first of many in an order, by a heap in the caller's memory.
#include "space/shortlist.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

static bool is_before(const uint32_t *a, const uint32_t *b) { return *a < *b; }

FR__SHORTLIST_TYPE(number_list, uint32_t, is_before);

static int order(const void *a, const void *b) { return is_before(a, b) ? -1 : is_before(b, a); }

static void the_first_are_kept_in_order(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    for (int round = 0; round < 2000; round++) {
        uint32_t items[100], kept[100];
        uint32_t count = (uint32_t)fr_random_below(&random, 101), capacity = (uint32_t)fr_random_below(&random, 21);
        number_list list = {.items = kept, .capacity = capacity};
        for (uint32_t i = 0; i < count; i++) {
            items[i] = (uint32_t)(fr_random_bits(&random) << 8 | i);
            number_list_offer(&list, &items[i]);
        }
        number_list_finish(&list);
        qsort(items, count, sizeof items[0], order);
        assert_int_equal(list.offered, count);
        assert_int_equal(list.count, count < capacity ? count : capacity);
        for (uint32_t i = 0; i < list.count; i++) {
            assert_int_equal(kept[i], items[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_are_kept_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
