// The counts of Kitamura's chapter 3, within what the unknown phase of contact leaves open. Times are told by the
// experiments and never tested.
#include "repeat.h"

static void cycles_and_pairs(void **state) {
    (void)state;
    repeat("kitamura-3.5", 1);
    is_between("face-octree 3968: boxes overlap from", 45, 47);
    is_between("swept-boxes 3968: boxes overlap from", 45, 45);
    is_between("face-octree 960: boxes overlap from", 45, 47);
    is_between("face-octree 3968: collision found at", 72, 72);
    is_between("face-octree 960: collision found at", 72, 72);
    is_between("fast 3968: collision found at", 72, 72);
    is_between("fast 960: collision found at", 72, 72);
    is_between("face-octree 3968: tested, P", 1000, 2000);
    is_between("face-octree 3968: colliding, p", 40, 170);
    is_between("face-octree 960: tested, P", 180, 330);
    is_between("face-octree 960: colliding, p", 9, 60);
    is_between("face-octree 3968: tested of all pairs", 0.0065, 0.0125);
    is_between("face-octree 960: tested of all pairs", 0.019, 0.041);
    is_between("face-octree 3968, phases: tested, P", 1000, 2000);
    is_between("face-octree 960, phases: tested, P", 180, 350);

    // Swept boxes list less and find no less; the faces that truly meet are among those whose hulls do.
    static const unsigned sizes[2] = {3968, 960};
    for (int i = 0; i < 2; i++) {
        char printed[64], swept[64], fast[64];
        snprintf(printed, sizeof printed, "face-octree %u: colliding, p", sizes[i]);
        snprintf(swept, sizeof swept, "swept-boxes %u: colliding, p", sizes[i]);
        snprintf(fast, sizeof fast, "fast %u: colliding", sizes[i]);
        assert_true(measured(swept) >= measured(printed));
        assert_true(measured(fast) <= measured(swept));
        assert_true(measured(fast) > 0.0);
        char hulls[64];
        snprintf(hulls, sizeof hulls, "fast, hulls %u: colliding", sizes[i]);
        assert_true(measured(hulls) >= measured(fast));
    }
    experiment_end(&run);
}

static void instant_misses_what_swept_finds(void **state) {
    (void)state;
    repeat("kitamura-3.6", 1);
    is_between("instant, a sheet through a sheet: found", 0, 0);
    is_between("swept, a sheet through a sheet: found", 4, 4);
    is_between("fast, a sheet through a sheet: found", 4, 4);
    is_between("instant 3968: colliding at the last cycle", 0, 0);
    is_between("instant 3968: collision found at", 73, 75);
    experiment_end(&run);
}

static void accesses_and_models(void **state) {
    (void)state;
    repeat("kitamura-3.5", 1); // for P and p
    double listed[2] = {measured("face-octree 3968: tested, P"), measured("face-octree 960: tested, P")};
    double found[2] = {measured("face-octree 3968: colliding, p"), measured("face-octree 960: colliding, p")};
    experiment_end(&run);

    repeat("kitamura-3.7", 2);
    assert_true(measured("static 3968: to shared memory, P + p") == listed[0] + found[0]);
    assert_true(measured("dynamic 3968: to shared memory, 2 P + p") == 2.0 * listed[0] + found[0]);
    // T_N of the printed shares, in ms of 434: 251.9 for 2 processors, 100.2 for 12; dynamic ends at step 3 alone.
    assert_true(fabs(row_of("model, static 3968, N = 2: speed-up over one")->printed - 434.0 / 251.9) < 1e-3);
    assert_true(fabs(row_of("model, static 3968, N = 12: speed-up over one")->printed - 434.0 / 100.2) < 1e-2);
    assert_true(fabs(row_of("model, dynamic 3968, N = 12: speed-up at most")->printed - 100.0 / 16.1) < 1e-9);
    assert_true(measured("static 3968, N = 2: speed-up over one") > 0.0);
    assert_true(measured("dynamic 3968, N = 2: speed-up over one") > 0.0);
    assert_true(isnan(measured("static 3968, N = 12: speed-up over one")));
    experiment_end(&run);

    repeat("kitamura-3.8", 2);
    assert_true(measured("static 960: to shared memory, P + p") == listed[1] + found[1]);
    assert_true(measured("dynamic 960: to shared memory, 2 P + p") == 2.0 * listed[1] + found[1]);
    experiment_end(&run);
}

static void head_meets_shuttle(void **state) {
    (void)state;
    repeat("kitamura-6.2", 1);
    is_between("face-octree head and shuttle: tested, P", 10, 2000);
    is_between("face-octree head and shuttle: colliding, p", 1, 300);
    is_between("fast head and shuttle: colliding", 1, 300);
    experiment_end(&run);
}

static void shares_sum_up(void **state) {
    (void)state;
    repeat("kitamura-table-3.1", 1);
    double sum = 0.0;
    for (int k = 1; k <= 4; k++) {
        char label[64];
        snprintf(label, sizeof label, "face-octree 3968, phases, step %d: share of time", k);
        const experiment_row *row = row_of(label);
        sum += row->measured;
        assert_true(row->error >= 0.0);
    }
    assert_true(fabs(sum - 100.0) < 1e-6);
    experiment_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_and_pairs),    cmocka_unit_test(instant_misses_what_swept_finds),
        cmocka_unit_test(accesses_and_models), cmocka_unit_test(head_meets_shuttle),
        cmocka_unit_test(shares_sum_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
