// Looks at a space that was changed since its last update: the results are those after an update.
#include "failing.h"
#include "heap_calls.h"
#include "seen.h"

enum { OTHERS = 5, MAX_VERTICES = 300 };

static const fr_quat unturned = {1.0, 0.0, 0.0, 0.0};

// Pulls the vertices of an object's mesh in and out.
static void deform(stage *s, fr_object_id id, fr_random *random) {
    const fr_mesh_view *view = fr_mesh_get(fr_object_part(s->space, id, 0).mesh);
    fr_vec3 vertices[MAX_VERTICES];
    assert_true(view->vertex_count <= MAX_VERTICES);
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        const float *p = view->positions_float + 3 * (size_t)v;
        vertices[v] =
            fr_vec3_scale(fr_random_between(random, 0.5, 1.6), fr_vec3_make((double)p[0], (double)p[1], (double)p[2]));
    }
    assert_int_equal(fr_object_set_vertices(s->space, id, vertices, view->vertex_count, NULL), FR_OK);
}

static fr_vec3 some_place(fr_random *random) {
    return fr_vec3_make(fr_random_between(random, -1.5, 1.5), fr_random_between(random, -1.5, 1.5),
                        fr_random_between(random, 2.5, 9.0));
}

// Changes what may change without an update: vertices, poses, motions, filters.
static void change(stage *s, const fr_object_id *ids, fr_random *random) {
    for (int i = 0; i <= OTHERS; i++) {
        uint64_t what = fr_random_below(random, 6);
        if (what < 2) { deform(s, ids[i], random); }
        if ((what == 2 || what == 0) && i > 0) {
            fr_pose pose = fr_pose_make(some_place(random), fr_quat_from_vector(random_about(random, 2.0)));
            assert_int_equal(fr_object_set_pose(s->space, ids[i], &pose, NULL), FR_OK);
        }
        if (what == 3) {
            fr_filter filter = {.layers = fr_random_below(random, 2) == 0 ? 1u : 2u, .mask = UINT32_MAX};
            assert_int_equal(fr_object_set_filter(s->space, ids[i], filter, NULL), FR_OK);
        }
        if (what == 4 && i > 0) {
            fr_pose pose = fr_object_get(s->space, ids[i])->pose, next = pose;
            next.position = fr_vec3_add(pose.position, fr_vec3_make(0.5, -0.5, -1.0));
            assert_int_equal(fr_object_set_next(s->space, ids[i], &next, NULL), FR_OK);
        }
    }
}

typedef fr_status ask_fn(fr_radar *radar, const fr_radar_input *input, fr_radar_output *output, fr_error *error);

static fr_radar_output ask(stage *s, ask_fn *fn, const fr_radar_input *input) {
    fr_radar_output out;
    fr_error error = {0};
    if (fn(s->radar, input, &out, &error) != FR_OK) { fail_msg("%s", error.message); }
    return out;
}

static bool is_same(double a, double b) { return a == b || fabs(a - b) <= 1e-12 * fabs(a); }

static void check_same(const fr_radar_output *a, const fr_radar_output *b) {
    assert_true(a->is_hit == b->is_hit && a->flags == b->flags && a->kind == b->kind && a->points == b->points);
    assert_true(is_same(a->distance, b->distance) && is_same(a->low, b->low) && is_same(a->high, b->high));
    assert_int_equal(a->contact.a.index1, b->contact.a.index1);
    assert_int_equal(a->contact.b.index1, b->contact.b.index1);
}

static void check_search(stage *s, bool is_before, fr_radar_look look, fr_radar_sight *sights, uint32_t *count) {
    fr_radar_search_input input = fr_default_radar_search_input();
    input.space = s->space;
    input.direction = fr_vec3_make(0, 0, 1);
    input.eye = fr_vec3_make(0, 0, 0);
    input.width = input.height = 5.0;
    input.depth = 12.0;
    input.look = look;
    input.filter.mask = 1;
    fr_radar_search_output out;
    assert_int_equal(fr_radar_search(s->radar, &input, &out, NULL), FR_OK);
    for (uint32_t i = 0; i < out.count && i <= OTHERS; i++) {
        if (is_before) {
            sights[i] = out.sights[i];
        } else {
            assert_int_equal(sights[i].object.index1, out.sights[i].object.index1);
            assert_true(is_same(sights[i].distance, out.sights[i].distance) &&
                        sights[i].pixels == out.sights[i].pixels);
        }
    }
    if (!is_before) { assert_int_equal(out.count, *count); }
    *count = out.count;
}

static void a_changed_space_looks_as_after_an_update(void **state) {
    (void)state;
    uint64_t tries = test_count(8, 300), hits = 0;
    for (uint64_t n = 0; n < tries; n++) {
        fr_random random = fr_random_seed(n + 1);
        stage s;
        stage_open(&s, NULL);
        fr_object_id ids[OTHERS + 1];
        ids[0] = stage_add(&s, star(&random, 5, 0.2), fr_vec3_make(0, 0, 0), unturned);
        for (int i = 1; i <= OTHERS; i++) {
            ids[i] = stage_add(&s, star(&random, 5, 0.2), some_place(&random), unturned);
        }
        assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
        for (int round = 0; round < 3; round++) {
            change(&s, ids, &random);
            fr_radar_input input = s.input;
            input.mover = ids[0];
            input.travel = fr_vec3_make(0.3, -0.2, 12.0);
            input.pivot = fr_vec3_make(0, 6, 0);
            input.axis = fr_vec3_make(1, 0.1, 0);
            input.angle = 1.2;
            input.filter.mask = 1;
            input.is_all_drawn = n % 5 == 4;
            ask_fn *const calls[] = {fr_radar_move, fr_radar_turn, fr_radar_meet, fr_radar_travel};
            fr_radar_output before[4][4];
            fr_radar_sight sights[2][OTHERS + 1];
            uint32_t counts[2];
            bool was_current = fr_space_is_current(s.space);
            for (int pass = 0; pass < 2; pass++) {
                for (int k = 0; k < 16; k++) {
                    input.look = (fr_radar_look)(k % 4);
                    fr_radar_output out = ask(&s, calls[k / 4], &input);
                    if (pass == 0) {
                        before[k / 4][k % 4] = out;
                    } else {
                        check_same(&before[k / 4][k % 4], &out);
                        hits += out.is_hit;
                    }
                }
                for (int look = 0; look < 2; look++) {
                    check_search(&s, pass == 0, (fr_radar_look)look, sights[look], &counts[look]);
                }
                // No look has brought anything up to date.
                assert_true(pass == 1 || fr_space_is_current(s.space) == was_current);
                assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
            }
        }
        stage_close(&s);
    }
    assert_true(hits > 10 * tries);
}

// Parts that came or went are known only after an update.
static void members_need_an_update(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_radar_search_input search = fr_default_radar_search_input();
    fr_radar_search_output found;
    search.space = s.space;
    search.direction = fr_vec3_make(0, 0, 1);
    assert_int_equal(fr_radar_search(s.radar, &search, &found, NULL), FR_ERROR_STALE_DATA); // never updated
    fr_object_id a = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, 0), unturned);
    fr_object_id b = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, 4), unturned);
    s.input.mover = a;
    s.input.travel = fr_vec3_make(0, 0, 9);
    assert_int_equal(fr_radar_move(s.radar, &s.input, &s.output, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_radar_move(s.radar, &s.input, &s.output, NULL), FR_OK);
    assert_int_equal(fr_object_remove(s.space, b, NULL), FR_OK);
    assert_int_equal(fr_radar_move(s.radar, &s.input, &s.output, NULL), FR_ERROR_STALE_DATA);
    stage_close(&s);
}

// Triangles of a soup share no vertex: deformed it is open, before its first update as after it.
static void a_soup_that_is_deformed_is_open(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_mesh *whole = box(2, 2, 2);
    const fr_mesh_view *view = fr_mesh_get(whole);
    float positions[3 * 36];
    uint32_t triangles[36];
    assert_int_equal(view->triangle_count, 12);
    for (uint32_t i = 0; i < 36; i++) {
        triangles[i] = i;
        for (uint32_t k = 0; k < 3; k++) {
            positions[3 * i + k] = view->positions_float[3 * view->triangles[i] + k];
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = positions;
    def.vertex_count = 36;
    def.triangles = triangles;
    def.triangle_count = 12;
    fr_mesh *soup;
    assert_int_equal(fr_mesh_create(&def, &soup, NULL), FR_OK);
    fr_mesh_release(whole);
    s.input.mover = stage_add(&s, soup, fr_vec3_make(0, 0, 0), unturned);
    stage_add(&s, box(0.2, 0.2, 0.2), fr_vec3_make(0, 0, 0), unturned);
    s.input.travel = fr_vec3_make(0, 0, 5);
    s.input.look = FR_RADAR_CONSERVATIVE;
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_radar_move(s.radar, &s.input, &s.output, NULL), FR_OK);
    assert_true((s.output.flags & FR_RADAR_START_OVERLAP) != 0);
    fr_vec3 vertices[36];
    for (uint32_t i = 0; i < 36; i++) {
        vertices[i] =
            fr_vec3_make((double)positions[3 * i], (double)positions[3 * i + 1], (double)positions[3 * i + 2]);
    }
    assert_int_equal(fr_object_set_vertices(s.space, s.input.mover, vertices, 36, NULL), FR_OK);
    fr_radar_output before = ask(&s, fr_radar_move, &s.input);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    fr_radar_output after = ask(&s, fr_radar_move, &s.input);
    check_same(&before, &after);
    assert_true((after.flags & FR_RADAR_START_OVERLAP) == 0);
    stage_close(&s);
}

// Looks at what deforms: a second one allocates nothing, and memory may fail at any place.
static void memory_is_taken_once_and_may_fail(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    fr_random random = fr_random_seed(3);
    stage s;
    stage_open(&s, &allocator);
    s.input.mover = stage_add(&s, star(&random, 5, 0.2), fr_vec3_make(0, 0, 0), unturned);
    fr_object_id other = stage_add(&s, star(&random, 8, 0.2), fr_vec3_make(0.1, 0.2, 4), unturned);
    s.input.travel = fr_vec3_make(0, 0, 6);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    uint64_t before = 0;
    for (int round = 0; round < 3; round++) {
        random = fr_random_seed(4); // the same shape again, as new vertices
        deform(&s, s.input.mover, &random);
        deform(&s, other, &random);
        uint64_t warm = test_allocations(probe);
        for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_CONSERVATIVE; look++) {
            s.input.look = (fr_radar_look)look;
            (void)ask(&s, fr_radar_move, &s.input);
        }
        before = test_allocations(probe) - warm;
    }
    assert_int_equal(before, 0);
    s.input.look = FR_RADAR_CENTRE;
    stage_question query = {fr_radar_move, s.input, FR_RADAR_EXACT};
    assert_true(test_every_failure(stage_ask_new_radar, &query) > 5);
    stage_close(&s);
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_space_looks_as_after_an_update),
        cmocka_unit_test(members_need_an_update),
        cmocka_unit_test(a_soup_that_is_deformed_is_open),
        cmocka_unit_test(memory_is_taken_once_and_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
