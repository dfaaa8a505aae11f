// What Kitamura's chapter 4 prints and our reconstruction settles. Times are reported and never tested.
#include "repeat.h"

static void is_none(const char *label) { assert_true(isnan(measured(label))); }

// The robot passes the narrow part by turning; where no leaf has its middle in it, only the lattice does.
static void a_narrow_part_is_passed_by_turning(void **state) {
    (void)state;
    repeat("kitamura-4.4", 2);
    is_between("leaves, slit of 8: found", 1, 1);
    is_between("leaves, slit of 8: turned", 1, 12);
    is_between("swept, slit of 8: turned", 1, 12);
    is_between("swept, slit of 8: collides between states", 0, 0);
    is_between("leaves, two gaps: collides between states", 1, 1);
    is_between("leaves, slit of 5: found", 0, 0);
    is_between("swept, slit of 4: found", 0, 0);
    is_between("lattice, slit of 5: turned", 3, 3);
    is_between("lattice, slit of 4: length", 40, 41);
    is_between("swept, random maps: collides between states", 0, 0);
    is_between("lattice, random maps: collides between states", 0, 0);
    experiment_end(&run);
}

// The loop over nodes and the transform give one field, which is as high as pmax on obstacles.
static void the_field_repels_from_obstacles(void **state) {
    (void)state;
    repeat("kitamura-4.3", 2);
    static const char *const worlds[] = {"slit of 8", "slit of 5", "slit of 4", "two gaps"};
    for (int i = 0; i < 4; i++) {
        char label[96];
        snprintf(label, sizeof label, "transform, %s: largest difference from nodes'", worlds[i]);
        is_between(label, 0.0, 1e-9);
        snprintf(label, sizeof label, "nodes, %s: highest potential", worlds[i]);
        is_between(label, 100.0, 200.0);
        snprintf(label, sizeof label, "nodes, %s: cells lower than all beside them", worlds[i]);
        is_between(label, 1, 100);
    }
    experiment_end(&run);
}

// Blocked until the obstacle has moved, then through the narrow part by turning.
static void an_obstacle_that_moves_away_is_waited_for(void **state) {
    (void)state;
    repeat("kitamura-4.6", 2);
    is_between("visited, plug in 8: arrived after", 31, 300);
    is_between("visited, plug in 8: turned", 1, 40);
    is_between("visited, hollow: arrived after", 5, 20);
    is_none("strict, plug in 8: arrived after");
    is_none("strict, hollow: arrived after");
    is_none("visited, plug in 5: arrived after");
    is_between("lattice, block: arrived after", 31, 100);
    is_between("lattice, plug in 5: turned", 3, 3);
    experiment_end(&run);
}

static void in_space_the_field_does_not_depend_on_its_nodes(void **state) {
    (void)state;
    repeat("kitamura-4.10", 2);
    is_between("world: black nodes", 303, 303);
    is_between("robot: black nodes", 115, 115);
    is_between("leaves: found", 1, 1);
    is_between("leaves: turned", 1, 50);
    is_between("lattice: found", 1, 1);
    is_between("transform: largest relative difference", 0, 1e-6);
    experiment_end(&run);
    repeat("kitamura-4.12", 2);
    is_between("compact: largest relative difference", 0, 1e-6);
    is_between("compact: cubes of nodes", 0.1, 1);
    is_between("leaves, depth 5: found", 1, 1);
    experiment_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_field_repels_from_obstacles),
        cmocka_unit_test(a_narrow_part_is_passed_by_turning),
        cmocka_unit_test(an_obstacle_that_moves_away_is_waited_for),
        cmocka_unit_test(in_space_the_field_does_not_depend_on_its_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
