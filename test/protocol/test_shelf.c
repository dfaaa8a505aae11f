// Things sorted by number.
#include "protocol/shelf.h"

#include "failing.h"

typedef struct book {
    uint32_t number;
    bool is_in;
} book;

static fr__shelf make_shelf(const fr_allocator *allocator) { return (fr__shelf){fr__thing_array_make(allocator)}; }

static void expect_sorted(const fr__shelf *shelf) {
    for (size_t i = 1; i < shelf->things.count; i++) {
        assert_true(((book *)fr__shelf_at(shelf, i - 1))->number < ((book *)fr__shelf_at(shelf, i))->number);
    }
}

static void random_books_are_found(void **state) {
    (void)state;
    enum { COUNT = 50 };
    book books[COUNT] = {{0}};
    for (uint32_t i = 0; i < COUNT; i++) {
        books[i].number = i == COUNT - 1 ? UINT32_MAX : 3 * i;
    }
    fr__shelf shelf = make_shelf(NULL);
    fr_random random = fr_random_seed(3);
    for (int step = 0; step < 3000; step++) {
        book *chosen = &books[fr_random_below(&random, COUNT)];
        if (chosen->is_in) {
            assert_ptr_equal(fr__shelf_remove(&shelf, chosen->number), chosen);
        } else {
            assert_null(fr__shelf_remove(&shelf, chosen->number));
            assert_true(fr__shelf_insert(&shelf, chosen));
        }
        chosen->is_in = !chosen->is_in;
        expect_sorted(&shelf);
        for (int i = 0; i < COUNT; i++) {
            assert_ptr_equal(fr__shelf_find(&shelf, books[i].number), books[i].is_in ? &books[i] : NULL);
        }
        assert_null(fr__shelf_find(&shelf, 1));
    }
    fr__thing_array_destroy(&shelf.things);
}

static fr_status fill(const fr_allocator *allocator, void *context) {
    book *books = context;
    fr__shelf shelf = make_shelf(allocator);
    fr_status status = FR_OK;
    for (int i = 0; i < 20 && status == FR_OK; i++) {
        size_t before = shelf.things.count;
        if (!fr__shelf_insert(&shelf, &books[i])) {
            status = FR_ERROR_MEMORY;
            assert_int_equal(shelf.things.count, before);
        }
        expect_sorted(&shelf);
    }
    fr__thing_array_destroy(&shelf.things);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    book books[20];
    for (uint32_t i = 0; i < 20; i++) {
        books[i].number = 100 - i;
    }
    assert_true(test_every_failure(fill, books) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_books_are_found),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
