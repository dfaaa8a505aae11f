// Paths in time: each that is found touches nothing at many instants, by a query that has nothing to do with how it was
// found, and one is found wherever a search over all cells in time finds one.
#include "timed_worlds.h"

#include "failing.h"

static fr_path find(const fr_path_input *input) {
    fr_path path;
    fr_error error = {0};
    fr_status status = fr_plan_path(input, &path, &error);
    if (status != FR_OK) { fail_msg("%s", error.message); }
    return path;
}

// ---------------------------------------------------------------------------------------------------------------
// Random worlds

enum { TICKS = 160 };

static void test_it_finds_what_cells_in_time_find(void **state) {
    (void)state;
    uint64_t count = test_count(10, 100), found = 0, by_cells = 0, samples = 0, waits = 0;
    fr_random random = fr_random_seed(77);
    for (uint64_t i = 0; i < count;) {
        timed_world w;
        if (!timed_open(&random, i % 2 == 0 ? 2 : 3, &w)) { continue; }
            timed_close(&w);
            i++;
            continue;
        }
        uint32_t tick = timed_reach(&w, TICKS);
        fr_path path = find(&w.input);
        if (test_is_long()) {
            print_message("world %u: cells %d, faces %d by %.1f s, %.1f waiting, %lu moves %.0f ms\n", (unsigned)i,
                          (int)tick, path.is_found, path.is_found ? path.times[path.state_count - 1] : 0.0,
                          path.waiting, (unsigned long)path.moves, path.search_ms);
        }
        if (tick != UINT32_MAX && !path.is_found) { fail_msg("world %u: cells get there at %u", (unsigned)i, tick); }
        if (path.is_found) {
            assert_true(path.is_checked && path.is_timed);
            assert_int_equal(timed_count_touches(&w, &path, 0.02, &samples), 0);
        }
        found += path.is_found ? 1 : 0;
        waits += path.waiting > 0.0 ? 1 : 0;
        by_cells += tick != UINT32_MAX ? 1 : 0;
        fr_path_destroy(&path);
        timed_close(&w);
        i++;
    }
    print_message("of %u worlds cells in time get through %u, faces %u, %u of them waiting; %u samples\n",
                  (unsigned)count, (unsigned)by_cells, (unsigned)found, (unsigned)waits, (unsigned)samples);
    assert_true(by_cells > count / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_finds_what_cells_in_time_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
