// Clocks, tracks and what they move: known values, a doll of nodes against matrices multiplied by hand, play.
#include "failing.h"
#include "text_model.h"

#define PI 3.14159265358979323846

static fr_model_clock clock_of(double cycle, double start, double stop, bool loop) {
    return (fr_model_clock){.cycle = cycle, .start = start, .stop = stop, .is_loop = loop, .is_enabled = true};
}

static void clocks_run_in_fractions(void **state) {
    (void)state;
    const struct {
        fr_model_clock clock;
        double time, fraction;
        bool has_begun;
    } cases[] = {
        {clock_of(4, 0, 0, true), -1, 0, false},   {clock_of(4, 0, 0, true), 0, 0, true},
        {clock_of(4, 0, 0, true), 1, 0.25, true},  {clock_of(4, 0, 0, true), 4, 1, true}, // the last key, not the first
        {clock_of(4, 0, 0, true), 5, 0.25, true},  {clock_of(4, 0, 0, true), 401, 0.25, true},
        {clock_of(4, 0, 0, false), 3, 0.75, true}, {clock_of(4, 0, 0, false), 9, 1, true},
        {clock_of(4, 2, 0, true), 1, 0, false},    {clock_of(4, 2, 0, true), 3, 0.25, true},
        {clock_of(4, 2, 5, true), 9, 0.75, true}, // stopped at 5, and stays there
        {clock_of(4, 2, 1, true), 9, 0.75, true}, // stop before start: never
        {clock_of(0, 0, 0, true), 9, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(fr_model_clock_fraction(&cases[i].clock, cases[i].time) == cases[i].fraction);
        assert_int_equal(fr_model_clock_has_begun(&cases[i].clock, cases[i].time), cases[i].has_begun);
    }
    fr_model_clock off = clock_of(4, 0, 0, true);
    off.is_enabled = false;
    assert_false(fr_model_clock_has_begun(&off, 1.0));
    assert_true(fr_model_clock_fraction(&off, 1.0) == 0.0);
}

static void values_are_linear_between_keys(void **state) {
    (void)state;
    const float keys[] = {0.25f, 0.5f, 0.5f, 1.0f}, values[] = {0, 0, 1, 2, 10, 20, 20, 40};
    const fr_model_track track = {
        .kind = FR_MODEL_COORDINATES, .key_count = 4, .width = 2, .keys = keys, .values = values};
    const double cases[][3] = {{0, 0, 0},      {0.25, 0, 0}, {0.375, 0.5, 1}, {0.5, 10, 20}, // a step: the later one
                               {0.75, 15, 30}, {1, 20, 40},  {2, 20, 40}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        float out[2];
        fr_model_track_value(&track, cases[i][0], out);
        assert_true((double)out[0] == cases[i][1] && (double)out[1] == cases[i][2]);
    }
}

static void turns_go_the_short_way(void **state) {
    (void)state;
    const float keys[] = {0, 1};
    // From 0.2 to 6.1 radians about z the smaller angle is back, over 0; from x to y halfway lies between.
    const float values[] = {0, 0, 1, 0.2f, 0, 0, 1, 6.1f};
    const fr_model_track track = {
        .kind = FR_MODEL_ROTATION, .key_count = 2, .width = 4, .keys = keys, .values = values};
    float out[4];
    fr_model_track_value(&track, 0.5, out);
    fr_quat turn =
        fr_quat_from_axis_angle(fr_vec3_make((double)out[0], (double)out[1], (double)out[2]), (double)out[3]);
    double middle = 0.5 * (0.2 + (double)6.1f - 2.0 * PI);
    fr_quat expected = fr_quat_from_axis_angle(fr_vec3_make(0, 0, 1), middle);
    double dot = turn.w * expected.w + turn.x * expected.x + turn.y * expected.y + turn.z * expected.z;
    assert_true(fabs(fabs(dot) - 1.0) < 1e-6);
    fr_model_track_value(&track, 1.0, out);
    assert_true(out[3] == 6.1f); // at a key: the key
}

// A doll: a body that slides, below it an arm that turns, below it a hand; beside it a block that stands.
static const float corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
static const uint32_t corners[] = {0, 1, 2};
static const double hand_at[12] = {1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0}, base[12] = {2, 0, 0, 5, 0, 2, 0, 0, 0, 0, 2, 0};
static const float slide_keys[] = {0, 1}, slide_values[] = {0, 0, 0, 8, 0, 0};
static const float turn_values[] = {0, 0, 1, 0, 0, 0, 1, (float)(PI / 2)};
static const float wave_values[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4, 1, 0, 4, 0, 1, 4};

static fr_status make_doll(const fr_allocator *allocator, fr_model **out) {
    const fr_model_mesh meshes[] = {
        {.positions_float = corner, .vertex_count = 3, .corners = corners, .face_count = 1},
        {.positions_float = corner, .vertex_count = 3, .corners = corners, .face_count = 1, .first_face = 1}};
    fr_model_node nodes[5];
    for (int i = 0; i < 5; i++) {
        nodes[i] = fr_default_model_node();
    }
    const fr_model_placement plain = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, {1, 0, 0, 0}, {1, 0, 0, 0}};
    fr_model_placement arm = plain;
    arm.translation = fr_vec3_make(0, 3, 0);
    const fr_model_placement placements[] = {plain, arm};
    double arm_at[12];
    fr_model_placement_matrix(&arm, arm_at);
    nodes[0].transform = base;
    nodes[1].parent = 0; // the body
    nodes[1].placement = 0;
    nodes[2].parent = 1; // the arm
    nodes[2].placement = 1;
    nodes[2].transform = arm_at;
    nodes[3].parent = 2; // the hand
    nodes[3].transform = hand_at;
    nodes[3].mesh = 0;
    nodes[4].parent = 0; // the block, whose mesh waves
    nodes[4].mesh = 1;
    const fr_model_clock clocks[] = {clock_of(2, 0, 0, true), clock_of(2, 1, 0, false)};
    const fr_model_track tracks[] = {
        {FR_MODEL_ROTATION, 2, 0, 2, 4, slide_keys, turn_values},
        {FR_MODEL_TRANSLATION, 1, 0, 2, 3, slide_keys, slide_values},
        {FR_MODEL_COORDINATES, 1, 1, 2, 9, slide_keys, wave_values},
    };
    fr_model_def def = fr_default_model_def();
    def.nodes = nodes;
    def.node_count = 5;
    def.meshes = meshes;
    def.mesh_count = 2;
    def.placements = placements;
    def.placement_count = 2;
    def.clocks = clocks;
    def.clock_count = 2;
    def.tracks = tracks;
    def.track_count = 3;
    if (allocator != NULL) { def.allocator = *allocator; }
    return fr_model_create(&def, out, NULL);
}

static void is_at(fr_vec3 p, double x, double y, double z) {
    if (fr_vec3_distance(p, fr_vec3_make(x, y, z)) > 1e-6) { fail_msg("%g %g %g", p.x, p.y, p.z); }
}

static void nodes_and_vertices_are_moved(void **state) {
    (void)state;
    fr_model *model;
    fr_model_play *play;
    assert_int_equal(make_doll(NULL, &model), FR_OK);
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    const bool moves[] = {false, true, true, true, true};
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(fr_model_play_moves(play, i), moves[i]);
    }
    fr_vec3 p[3];
    assert_true(fr_model_play_at(play, 0.0));
    assert_false(fr_model_play_at(play, 0.0));
    fr_model_play_vertices(play, 3, p);
    is_at(p[0], 5 + 2 * 2, 2 * 3, 0);
    is_at(p[2], 5 + 2 * 2, 2 * 4, 0);
    // At the end of the cycle the body is 8 along, the arm a quarter turned: the hand's (2, 0) is up.
    assert_true(fr_model_play_at(play, 2.0));
    fr_model_play_vertices(play, 3, p);
    is_at(p[0], 5 + 2 * 8, 2 * (3 + 2), 0);
    is_at(p[1], 5 + 2 * 8, 2 * (3 + 3), 0);
    // Halfway of the second clock, which began at 1 and ends at 3.
    fr_model_play_vertices(play, 4, p);
    is_at(p[1], 5 + 2 * 1, 0, 2 * 2);
    assert_true(fr_model_play_at(play, 3.5));
    fr_model_play_vertices(play, 4, p);
    is_at(p[1], 5 + 2 * 1, 0, 2 * 4);
    fr_model_play_at(play, 0.5);
    fr_model_play_vertices(play, 4, p); // not begun: as the file has it
    is_at(p[1], 5 + 2 * 1, 0, 0);
    fr_model_play_destroy(play);
    fr_model_play_destroy(NULL);
    fr_model_destroy(model);
}

// A track's value at `time`; false before its clock has begun.
static bool value_at(const fr_model_view *view, const fr_model_track *track, double time, float *values) {
    const fr_model_clock *clock = &view->clocks[track->clock];
    if (fr_model_clock_has_begun(clock, time)) {
        fr_model_track_value(track, fr_model_clock_fraction(clock, time), values);
    }
    return fr_model_clock_has_begun(clock, time);
}

// Nodes of the doll to their parents' frames: body and arm have one track each.
static void place_doll(const fr_model_view *view, double time, double locals[5 * 12]) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (size_t i = 0; i < 5; i++) {
        memcpy(locals + 12 * i, view->nodes[i].transform != NULL ? view->nodes[i].transform : identity,
               sizeof identity);
    }
    fr_model_placement arm = view->placements[1], body = view->placements[0];
    float v[4];
    assert_true(value_at(view, &view->tracks[0], time, v));
    arm.rotation = fr_quat_from_axis_angle(fr_vec3_make((double)v[0], (double)v[1], (double)v[2]), (double)v[3]);
    assert_true(value_at(view, &view->tracks[1], time, v));
    body.translation = fr_vec3_make((double)v[0], (double)v[1], (double)v[2]);
    fr_model_placement_matrix(&body, locals + 12);
    fr_model_placement_matrix(&arm, locals + 24);
}

// The same from what the tracks say one by one, multiplied from the top down.
static void play_is_what_the_tracks_say(void **state) {
    (void)state;
    fr_model *model;
    fr_model_play *play;
    assert_int_equal(make_doll(NULL, &model), FR_OK);
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    const fr_model_view *view = fr_model_get(model);
    for (int step = 0; step < 40; step++) {
        double time = 0.13 * step, locals[5 * 12], matrix[12];
        float positions[9];
        place_doll(view, time, locals);
        fr_model_play_at(play, time);
        for (uint32_t node = 3; node < 5; node++) {
            fr_vec3 p[3];
            fr_model_play_vertices(play, node, p);
            bool is_moved = node == 4 && value_at(view, &view->tracks[2], time, positions);
            assert_int_equal(is_moved, node == 4 && time >= 1.0);
            for (int v = 0; v < 3; v++) {
                const float *from = (is_moved ? positions : corner) + (ptrdiff_t)3 * v;
                double q[3] = {(double)from[0], (double)from[1], (double)from[2]};
                for (uint32_t n = node; n != FR_NONE; n = view->nodes[n].parent) {
                    const double *m = locals + (size_t)12 * n;
                    double r[3];
                    for (int k = 0; k < 3; k++) {
                        r[k] = m[4 * k] * q[0] + m[4 * k + 1] * q[1] + m[4 * k + 2] * q[2] + m[4 * k + 3];
                    }
                    memcpy(q, r, sizeof q);
                }
                is_at(p[v], q[0], q[1], q[2]);
            }
            fr_model_play_matrix(play, node, matrix);
            assert_true(isfinite(matrix[11]));
        }
    }
    fr_model_play_destroy(play);
    fr_model_destroy(model);
}

static void what_has_no_tracks_can_be_played_too(void **state) {
    (void)state;
    fr_model *model = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", FR_MODEL_OBJ);
    fr_model_play *play;
    assert_int_equal(fr_model_play_create(model, NULL, &play, NULL), FR_OK);
    assert_false(fr_model_play_moves(play, 0));
    assert_true(fr_model_play_at(play, 1.0));
    assert_false(fr_model_play_at(play, 2.0));
    fr_vec3 p[3];
    fr_model_play_vertices(play, 0, p);
    is_at(p[1], 1, 0, 0);
    fr_model_play_destroy(play);
    fr_model_destroy(model);
}

static fr_status make_play(const fr_allocator *allocator, void *context) {
    fr_model_play *play;
    fr_status status = fr_model_play_create(context, allocator, &play, NULL);
    if (status == FR_OK) { fr_model_play_at(play, 1.0); }
    fr_model_play_destroy(play);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    fr_model *model;
    assert_int_equal(make_doll(NULL, &model), FR_OK);
    assert_true(test_every_failure(make_play, model) >= 5);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_run_in_fractions),
        cmocka_unit_test(values_are_linear_between_keys),
        cmocka_unit_test(turns_go_the_short_way),
        cmocka_unit_test(nodes_and_vertices_are_moved),
        cmocka_unit_test(what_has_no_tracks_can_be_played_too),
        cmocka_unit_test(play_is_what_the_tracks_say),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
