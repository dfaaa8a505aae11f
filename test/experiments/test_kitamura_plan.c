// What Kitamura's chapter 4 prints and our reconstruction settles. Times are reported and never tested.
#include "repeat.h"

#include "fureai/math.h"

#include <string.h>

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

// The window is passed by turning alone: all three searches turn.
static void passes_a_window_by_turning(const char *name, double nodes, double robot_nodes) {
    static const char *const methods[] = {"leaves", "swept", "lattice"};
    repeat(name, 2);
    is_between("world: black nodes", nodes, nodes);
    is_between("robot: black nodes", robot_nodes, robot_nodes);
    for (int i = 0; i < 3; i++) {
        char label[96];
        snprintf(label, sizeof label, "%s: found", methods[i]);
        is_between(label, 1, 1);
        snprintf(label, sizeof label, "%s: turned", methods[i]);
        is_between(label, 3, 36);
    }
    is_between("leaves, all worlds: found by turning", 100, 100);
    is_between("transform: largest relative difference", 0, 1e-6);
}

static void in_space_a_narrow_part_is_passed_by_turning(void **state) {
    (void)state;
    passes_a_window_by_turning("kitamura-4.9", 2689, 74);
    experiment_end(&run);
    passes_a_window_by_turning("kitamura-4.10", 303, 115);
    experiment_end(&run);
    if (!test_is_long()) { return; }
    passes_a_window_by_turning("kitamura-4.8", 981, 74);
    assert_true(row_of("leaves, all worlds: search over potential, middle")->printed == 4.7 / 2.8);
    experiment_end(&run);
    passes_a_window_by_turning("kitamura-4.11", 1777, 74);
    experiment_end(&run);
}

// Cells that points of a bar of 11 x 3 lie in, turned about the middle of a cell; points on its outline do not count.
static int cells_of_bar(double degrees) {
    static bool is_met[32][32];
    memset(is_met, 0, sizeof is_met);
    double c = cos(fr_radians(degrees)), s = sin(fr_radians(degrees));
    int count = 0;
    for (int i = 0; i < 2200; i++) {
        for (int k = 0; k < 600; k++) {
            double u = -5.5 + (i + 0.5) / 200.0, v = -1.5 + (k + 0.5) / 200.0;
            bool *is_in = &is_met[(int)floor(16.5 + c * u - s * v)][(int)floor(16.5 + s * u + c * v)];
            count += !*is_in;
            *is_in = true;
        }
    }
    return count;
}

static void a_turned_robot_is_made_of_the_cells_it_touches(void **state) {
    (void)state;
    repeat("kitamura-4.5", 1);
    for (int degrees = 0; degrees < 360; degrees += 30) {
        char label[96];
        int cells = cells_of_bar(degrees);
        snprintf(label, sizeof label, "turned by %d about z: cells", degrees);
        is_between(label, cells, cells);
        snprintf(label, sizeof label, "turned by %d about z: black nodes", degrees);
        is_between(label, cells / 4.0, cells - 1);
    }
    experiment_end(&run);
    repeat("kitamura-4.7", 1);
    is_between("turned by 0 about z: black nodes", 74, 74);
    assert_true(row_of("turned by 0 about z: black nodes")->printed == 74.0);
    double cells = measured("turned by 0 about z: cells");
    for (int axis = 0; axis < 3; axis++) {
        char label[96];
        snprintf(label, sizeof label, "turned by 90 about %c: cells", "xyz"[axis]);
        is_between(label, cells, cells);
        snprintf(label, sizeof label, "turned by 30 about %c: cells", "xyz"[axis]);
        is_between(label, cells + 1, 3 * cells);
    }
    experiment_end(&run);
}

static void in_space_the_field_does_not_depend_on_its_nodes(void **state) {
    (void)state;
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
        cmocka_unit_test(a_turned_robot_is_made_of_the_cells_it_touches),
        cmocka_unit_test(in_space_a_narrow_part_is_passed_by_turning),
        cmocka_unit_test(in_space_the_field_does_not_depend_on_its_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
