// The sort, the heap and the search: against oracles, for input made to be slow, and without memory.
#include "fureai/base_order.h"

#include "frame.h"
#include "heap_calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_COUNT = 3000, PATTERNS = 11 };

typedef struct record {
    uint64_t key, value;
} record;

static bool key_is_before(const record *a, const record *b) { return a->key < b->key; }

static bool record_is_before(const record *a, const record *b) {
    return a->key != b->key ? a->key < b->key : a->value < b->value;
}

FR_SORT_TYPE(sort_by_key, record, key_is_before);
FR_SORT_TYPE(sort_records, record, record_is_before);

static int compare(const void *a, const void *b) {
    return record_is_before(a, b) ? -1 : record_is_before(b, a) ? 1 : 0;
}

// Random keys of many or few bits, and orders that sorts stumble over.
static uint64_t pattern_key(fr_random *r, int pattern, size_t i, size_t count) {
    switch (pattern) {
    case 0: return fr_random_bits(r);
    case 1: return fr_random_below(r, 4);
    case 2: return i;
    case 3: return count - i;
    case 4: return i < count / 2 ? i : count - i;
    case 5: return i % 17;
    case 6: return 7;
    case 7: return fr_random_below(r, 50) == 0 ? fr_random_below(r, count) : i;
    case 8: return i + 1 == count ? 0 : i + 1;
    case 9: return (i * 2 + 1) % (count | 1);
    default: return fr_random_bits(r) & 0xff00ff00000000ffu;
    }
}

static void fill(fr_random *r, int pattern, record *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        out[i] = (record){pattern_key(r, pattern, i, count), i};
    }
}

static void records_are_sorted_as_by_the_oracle(void **state) {
    (void)state;
    static record records[MAX_COUNT], wanted[MAX_COUNT];
    fr_random r = fr_random_seed(1);
    uint64_t tries = test_count(2000, 100000);
    for (uint64_t n = 0; n < tries; n++) {
        size_t count = (size_t)fr_random_below(&r, n % 3 == 0 ? 60 : n % 3 == 1 ? 300 : MAX_COUNT);
        fill(&r, (int)(n % PATTERNS), records, count);
        memcpy(wanted, records, sizeof wanted);
        qsort(wanted, count, sizeof wanted[0], compare);
        sort_records(records, count);
        assert_memory_equal(records, wanted, count * sizeof *records);
    }
    sort_records(NULL, 0);
}

// Equal elements come in some order, the same each time, and none is lost.
static void equal_elements_stay_together(void **state) {
    (void)state;
    static record records[MAX_COUNT], again[MAX_COUNT], wanted[MAX_COUNT];
    fr_random r = fr_random_seed(2);
    for (int n = 0; n < 20 * PATTERNS; n++) {
        fill(&r, n % PATTERNS, records, MAX_COUNT);
        memcpy(again, records, sizeof again);
        memcpy(wanted, records, sizeof wanted);
        sort_by_key(records, MAX_COUNT);
        sort_by_key(again, MAX_COUNT);
        assert_memory_equal(records, again, sizeof records);
        for (size_t i = 1; i < MAX_COUNT; i++) {
            assert_true(records[i - 1].key <= records[i].key);
        }
        sort_records(records, MAX_COUNT);
        qsort(wanted, MAX_COUNT, sizeof wanted[0], compare);
        assert_memory_equal(records, wanted, sizeof records);
    }
}

static void plain_numbers_are_sorted(void **state) {
    (void)state;
    fr_random r = fr_random_seed(3);
    for (int n = 0; n < 200; n++) {
        uint32_t small[300];
        uint64_t large[300];
        double real[300];
        size_t count = (size_t)fr_random_below(&r, 301);
        for (size_t i = 0; i < count; i++) {
            large[i] = fr_random_bits(&r);
            small[i] = (uint32_t)large[i];
            real[i] = (double)small[i] - 2e9;
        }
        fr_sort_uint32(small, count);
        fr_sort_uint64(large, count);
        fr_sort_double(real, count);
        for (size_t i = 1; i < count; i++) {
            assert_true(small[i - 1] <= small[i] && large[i - 1] <= large[i] && real[i - 1] <= real[i]);
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Input that makes quicksorts quadratic

// The adversary of McIlroy (A killer adversary for quicksort, 1999) decides values while they are compared, so that
// every pivot is one of the least. It counts comparisons and the stack below its caller.
typedef struct adversary {
    uint32_t *values;
    uint32_t solid, candidate, gas;
    uint64_t comparisons;
    uintptr_t lowest;
} adversary;

static bool killer_is_before(const uint32_t *a, const uint32_t *b, adversary *k) {
    uint32_t x = *a, y = *b;
    uintptr_t here = (uintptr_t)&x;
    k->lowest = here < k->lowest ? here : k->lowest;
    k->comparisons++;
    if (k->values[x] == k->gas && k->values[y] == k->gas) { k->values[x == k->candidate ? x : y] = k->solid++; }
    if (k->values[x] == k->gas) {
        k->candidate = x;
    } else if (k->values[y] == k->gas) {
        k->candidate = y;
    }
    return k->values[x] < k->values[y];
}

FR_SORT_TYPE_BY(sort_killer, uint32_t, adversary *, killer_is_before);

typedef struct counted {
    const record *records;
    uint64_t comparisons;
} counted;

static bool counted_is_before(const uint32_t *a, const uint32_t *b, counted *c) {
    c->comparisons++;
    return c->records[*a].key < c->records[*b].key;
}

FR_SORT_TYPE_BY(sort_counted, uint32_t, counted *, counted_is_before);

static double log2_of(size_t count) {
    double log = 0.0;
    for (; count > 1; count /= 2) {
        log += 1.0;
    }
    return log + 1.0;
}

static void no_input_is_slow(void **state) {
    (void)state;
    size_t count = (size_t)test_count(200000, 4000000);
    uint32_t *items = calloc(count, sizeof *items), *values = calloc(count, sizeof *values);
    record *records = calloc(count, sizeof *records);
    assert_true(items != NULL && values != NULL && records != NULL);
    for (size_t i = 0; i < count; i++) {
        items[i] = (uint32_t)i;
        values[i] = (uint32_t)count;
    }
    values[1] = 0; // the first two are not in order
    values[0] = 1;
    uint32_t mark = 0;
    adversary k = {.values = values, .solid = 2, .gas = (uint32_t)count, .lowest = (uintptr_t)&mark};
    uint64_t calls = test_heap_calls();
    sort_killer(items, count, &k);
    assert_true(test_heap_calls() == calls);
    double bound = (double)count * log2_of(count);
    size_t stack = (size_t)((uintptr_t)&mark - k.lowest);
    print_message("adversary: %.2f n log n comparisons, %zu bytes of stack\n", (double)k.comparisons / bound, stack);
    assert_true((double)k.comparisons < 6.0 * bound);
    assert_true(stack < (TEST_SAMPLE_DIVISOR == 1 ? 4096u : 32768u));
    for (size_t i = 1; i < count; i++) {
        assert_true(values[items[i - 1]] <= values[items[i]]);
    }
    fr_random r = fr_random_seed(4);
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        fill(&r, pattern, records, count);
        for (size_t i = 0; i < count; i++) {
            items[i] = (uint32_t)i;
        }
        counted c = {records, 0};
        sort_counted(items, count, &c);
        if ((double)c.comparisons >= 2.0 * bound) {
            fail_msg("pattern %d: %g n log n", pattern, (double)c.comparisons / bound);
        }
        if (pattern == 2 || pattern == 6) { assert_true(c.comparisons < count); }
    }
    free(items);
    free(values);
    free(records);
}

static void the_heap_of_the_library_is_not_called(void **state) {
    (void)state;
    static record records[MAX_COUNT];
    fr_random r = fr_random_seed(5);
    uint64_t calls = test_heap_calls();
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        fill(&r, pattern, records, MAX_COUNT);
        sort_records(records, MAX_COUNT);
    }
    assert_true(test_heap_calls() == calls);
    // What the C library allocates by itself is seen.
    if (TEST_COUNTS_HEAP_CALLS) {
        char *text = strdup("seen");
        assert_true(text != NULL && test_heap_calls() == calls + 1);
        free(text);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The heap

FR_HEAP_TYPE(wide_heap, record, 4, record_is_before);

typedef struct placed {
    uint64_t keys[200];
    size_t places[200];
} placed;

static bool index_is_before(const uint32_t *a, const uint32_t *b, placed *p) {
    return p->keys[*a] != p->keys[*b] ? p->keys[*a] < p->keys[*b] : *a < *b;
}

static void index_moved(const uint32_t *index, size_t at, placed *p) { p->places[*index] = at; }

FR_HEAP_TYPE_BY(index_heap, uint32_t, 2, placed *, index_is_before, index_moved);

static void a_heap_gives_the_first_of_what_it_holds(void **state) {
    (void)state;
    fr_random r = fr_random_seed(6);
    uint64_t tries = test_count(300, 10000);
    for (uint64_t n = 0; n < tries; n++) {
        record heap[200], held[200];
        size_t count = 0, held_count = 0;
        for (int i = 0; i < 400; i++) {
            if (count == 0 || (count < 200 && fr_random_below(&r, 2) == 0)) {
                record added = {fr_random_below(&r, 20), (uint64_t)i};
                held[held_count++] = heap[count] = added;
                wide_heap_sift_up(heap, count++);
                continue;
            }
            size_t first = 0;
            for (size_t k = 1; k < held_count; k++) {
                first = record_is_before(&held[k], &held[first]) ? k : first;
            }
            record top = wide_heap_pop(heap, &count);
            assert_true(top.key == held[first].key && top.value == held[first].value);
            held[first] = held[--held_count];
        }
    }
}

static void places_follow_what_moves(void **state) {
    (void)state;
    fr_random r = fr_random_seed(7);
    placed p;
    uint32_t heap[200];
    size_t count = 0;
    for (uint32_t i = 0; i < 200; i++) {
        p.keys[i] = fr_random_below(&r, 1000);
        heap[count] = i;
        index_heap_sift_up(heap, count++, &p);
    }
    for (int n = 0; n < 5000; n++) {
        uint32_t changed = (uint32_t)fr_random_below(&r, 200);
        p.keys[changed] = fr_random_below(&r, 1000);
        index_heap_sift_up(heap, p.places[changed], &p);
        index_heap_sift_down(heap, count, p.places[changed], &p);
        for (uint32_t i = 0; i < 200; i++) {
            assert_int_equal(heap[p.places[i]], i);
            size_t parent = p.places[i] == 0 ? 0 : (p.places[i] - 1) / 2;
            assert_false(p.places[i] > 0 && index_is_before(&i, &heap[parent], &p));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The search

static bool is_before_key(const record *item, uint64_t key) { return item->key < key; }

FR_SEARCH_TYPE(find_key, record, uint64_t, is_before_key);

static void a_search_finds_the_first_that_is_not_before(void **state) {
    (void)state;
    fr_random r = fr_random_seed(8);
    record records[50];
    for (int n = 0; n < 3000; n++) {
        size_t count = (size_t)fr_random_below(&r, 51), wanted = 0;
        for (size_t i = 0; i < count; i++) {
            records[i] = (record){fr_random_below(&r, 30), i};
        }
        sort_records(records, count);
        uint64_t key = fr_random_below(&r, 32);
        while (wanted < count && records[wanted].key < key) {
            wanted++;
        }
        assert_int_equal(find_key(records, count, key), wanted);
    }
    assert_int_equal(find_key(NULL, 0, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_are_sorted_as_by_the_oracle),
        cmocka_unit_test(equal_elements_stay_together),
        cmocka_unit_test(plain_numbers_are_sorted),
        cmocka_unit_test(no_input_is_slow),
        cmocka_unit_test(the_heap_of_the_library_is_not_called),
        cmocka_unit_test(a_heap_gives_the_first_of_what_it_holds),
        cmocka_unit_test(places_follow_what_moves),
        cmocka_unit_test(a_search_finds_the_first_that_is_not_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
