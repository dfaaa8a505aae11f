// The counts of Kitamura's chapters 2 and 5 that our reconstruction settles. Times are reported and never tested.
#include "repeat.h"

// The thesis's run: collision at t = 116 with 15 pairs.
static void two_spheres_collide_as_printed(void **state) {
    (void)state;
    repeat("kitamura-2.9", 2);
    is_between("octree: collision found at", 116, 116);
    is_between("octree: colliding pairs", 15, 15);
    is_between("octree: interfering cells", 25, 40);
    is_between("octree: cells from", 5, 20);
    is_between("octree: faces from", 45, 75);
    is_between("octree, rule (b) as printed: collision found at", 116, 116);
    is_between("octree, rule (b) as printed: colliding pairs", 15, 15);
    is_between("octree, rule (b) as printed: interfering cells", 5, 25);
    experiment_end(&run);
    repeat("kitamura-2.7", 2);
    is_between("octree 168: collision found at", 116, 116);
    is_between("octree 168: colliding pairs", 15, 15);
    is_between("octree 24: colliding pairs", 1, 100);
    experiment_end(&run);
}

static void more_objects_change_no_pair(void **state) {
    (void)state;
    repeat("kitamura-2.11", 2);
    for (int n = 2; n <= 8; n++) {
        char label[64];
        snprintf(label, sizeof label, "octree, %d objects: colliding pairs", n);
        is_between(label, 15, 15);
    }
    experiment_end(&run);
}

static void shuttles_and_depths_run(void **state) {
    (void)state;
    if (!test_is_long()) { skip(); }
    repeat("kitamura-2.13", 2);
    is_between("octree: colliding pairs", 1, 200);
    experiment_end(&run);
    repeat("kitamura-2.15", 2);
    is_between("octree 48, depth 3: mean longest edge of a face", 0.875, 0.885);
    is_between("octree 360, depth 4: mean longest edge of a face", 0.725, 0.735);
    is_between("octree 960, depth 5: mean longest edge of a face", 0.905, 0.915);
    is_between("octree 48: best depth", 3, 6);
    is_between("octree 360: best depth", 3, 6);
    is_between("octree 960: best depth", 3, 6);
    experiment_end(&run);
}

static void updates_take_the_known_numbers_of_tests(void **state) {
    (void)state;
    repeat("kitamura-5.12", 2);
    is_between("wa: tests of an update", 57000, 60000);
    is_between("wa-exact: tests of an update", 42000, 46000);
    is_between("wa: tests of wa-exact's", 1.25, 1.4);
    experiment_end(&run);
    repeat("kitamura-5.13", 2);
    const double naive = experiment_row_find(&run, "planes: comparisons of an update")->measured;
    is_between("axis-trees, compact: comparisons of an update", 1, naive / 10.0);
    experiment_end(&run);
}

static void cubes_are_as_many_as_known(void **state) {
    (void)state;
    repeat("kitamura-table-5.1", 2);
    is_between("wa: black nodes", 864, 864);
    is_between("compact: cubes", 422, 422);
    experiment_end(&run);
    repeat("kitamura-5.4", 2);
    const double compact = experiment_row_find(&run, "compact, in one tree: tests of an update")->measured;
    is_between("overlapping: cubes", 1, 300);
    is_between("overlapping, in one tree: tests of an update", 1, compact);
    experiment_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_spheres_collide_as_printed), cmocka_unit_test(more_objects_change_no_pair),
        cmocka_unit_test(shuttles_and_depths_run),        cmocka_unit_test(updates_take_the_known_numbers_of_tests),
        cmocka_unit_test(cubes_are_as_many_as_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
