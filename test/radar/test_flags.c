// What flags tell; a switch and threads that change no result.
#include "seen.h"

#include <pthread.h>

static const fr_quat unturned = {1, 0, 0, 0};

static void too_few_layers_are_told(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_mesh *torus;
    assert_int_equal(fr_mesh_create_torus(1.0, 0.25, 32, 16, FR_AXIS_Z, NULL, &torus, NULL), FR_OK);
    fr_object_id ring = stage_add(&s, torus, fr_vec3_make(0, 0, 0), unturned);
    s.input.layers = 1;
    stage_look(&s, ring, fr_vec3_make(2, 0, 0));
    assert_true((s.output.flags & FR_RADAR_LAYER_OVERFLOW) != 0);
    s.input.layers = 2;
    stage_look(&s, ring, fr_vec3_make(2, 0, 0));
    assert_int_equal(s.output.flags, 0);
    stage_close(&s);
}

static void too_few_cells_leave_the_bracket_wide(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_random random = fr_random_seed(5);
    fr_object_id a = stage_add_star(&s, &random, 8, 0.3, fr_vec3_make(0, 0, 0));
    stage_add_star(&s, &random, 8, 0.3, fr_vec3_make(0.1, 0.2, 4));
    s.input.look = FR_RADAR_REFINED;
    s.input.resolution = 4;
    s.input.tolerance = 1e-4;
    stage_look(&s, a, fr_vec3_make(0, 0, 6));
    assert_true(s.output.high - s.output.low <= 1e-4 && (s.output.flags & FR_RADAR_WIDE) == 0);
    s.input.cells = 20;
    stage_look(&s, a, fr_vec3_make(0, 0, 6));
    assert_true(s.output.high - s.output.low > 1e-4 && (s.output.flags & FR_RADAR_WIDE) != 0);
    stage_close(&s);
}

// A cube comes down on a slope of one in a hundred, and of one in five, that rises along its travel.
static void what_grazes_is_told(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        stage s;
        stage_open(&s, NULL);
        fr_object_id cube = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, 0), unturned);
        fr_quat slope = fr_quat_from_axis_angle(fr_vec3_make(1, 0, 0), i == 0 ? -0.01 : -0.2);
        stage_add(&s, box(8, 1, 60), fr_vec3_make(0, i == 0 ? -1.1 : -3, 10), slope);
        s.input.look = FR_RADAR_EXACT;
        stage_look(&s, cube, fr_vec3_make(0, 0, 40));
        assert_true(s.output.is_hit && s.output.distance > 0.0);
        assert_true(((s.output.flags & FR_RADAR_GRAZING) != 0) == (i == 0));
        stage_close(&s);
    }
}

// Everybody is drawn, and the result is the same.
static void drawing_all_changes_nothing(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_random random = fr_random_seed(8);
    fr_object_id a = stage_add_star(&s, &random, 6, 0.3, fr_vec3_make(0, 0, 0));
    stage_add_star(&s, &random, 6, 0.3, fr_vec3_make(0.3, 0, 4));
    stage_add_star(&s, &random, 6, 0.3, fr_vec3_make(30, 0, 4));
    stage_look(&s, a, fr_vec3_make(0, 0, 6));
    fr_radar_output near = s.output;
    s.input.is_all_drawn = true;
    stage_look(&s, a, fr_vec3_make(0, 0, 6));
    assert_true(near.is_hit && near.distance == s.output.distance);
    assert_true(fr_vec3_equal(near.contact.normal, s.output.contact.normal));
    stage_close(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Threads

#define LOOKERS 4

typedef struct looker {
    fr_radar_input input;
    double distances[20];
    pthread_t thread;
} looker;

static void *look_on(void *user) {
    looker *l = user;
    fr_radar *radar;
    if (fr_radar_create(NULL, &radar, NULL) != FR_OK) { return NULL; }
    for (int i = 0; i < 20; i++) {
        fr_radar_output output;
        fr_radar_input input = l->input;
        input.look = (fr_radar_look)(i % 4);
        input.travel.x = 0.05 * i;
        bool is_answered = fr_radar_move(radar, &input, &output, NULL) == FR_OK;
        l->distances[i] = is_answered ? output.distance : -1.0;
    }
    fr_radar_destroy(radar);
    return l;
}

static void several_radars_look_at_one_space(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_random random = fr_random_seed(15);
    s.input.mover = stage_add_star(&s, &random, 6, 0.3, fr_vec3_make(0, 0, 0));
    stage_add_star(&s, &random, 6, 0.3, fr_vec3_make(0.3, 0.2, 4));
    s.input.travel = fr_vec3_make(0, 0, 6);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    static looker alone, lookers[LOOKERS];
    alone.input = s.input;
    assert_non_null(look_on(&alone));
    for (int i = 0; i < LOOKERS; i++) {
        lookers[i].input = s.input;
        assert_int_equal(pthread_create(&lookers[i].thread, NULL, look_on, &lookers[i]), 0);
    }
    for (int i = 0; i < LOOKERS; i++) {
        assert_int_equal(pthread_join(lookers[i].thread, NULL), 0);
        assert_memory_equal(lookers[i].distances, alone.distances, sizeof alone.distances);
    }
    stage_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_few_layers_are_told),
        cmocka_unit_test(too_few_cells_leave_the_bracket_wide),
        cmocka_unit_test(what_grazes_is_told),
        cmocka_unit_test(drawing_all_changes_nothing),
        cmocka_unit_test(several_radars_look_at_one_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
