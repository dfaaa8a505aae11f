// The update: the same for any number of workers, nothing allocated when warm, and nothing lost when memory is.
#include "failing.h"
#include "frame.h"
#include "heap_calls.h"
#include "scene_sets.h"
#include "space/broad_phase.h"

// ---------------------------------------------------------------------------------------------------------------
// Stale and current

static void every_change_makes_a_space_stale(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    assert_false(fr_space_is_current(s.space));
    scene_update(&s);
    assert_true(fr_space_is_current(s.space));
    fr_object_id id = scene_add(&s, true);
    for (int change = 0; change < 7; change++) {
        fr_pose pose = scene_pose(&s), now = fr_object_get(s.space, id)->pose;
        fr_motion motion = fr_motion_still(&now);
        scene_update(&s);
        switch (change) {
        case 0: assert_int_equal(fr_object_set_pose(s.space, id, &pose, NULL), FR_OK); break;
        case 1: assert_int_equal(fr_object_set_next(s.space, id, &pose, NULL), FR_OK); break;
        case 2: assert_int_equal(fr_space_commit(s.space, NULL), FR_OK); break;
        case 3: assert_int_equal(fr_object_set_motion(s.space, id, &motion, &now, NULL), FR_OK); break;
        case 4: assert_int_equal(fr_object_set_filter(s.space, id, (fr_filter){1, 2, 3}, NULL), FR_OK); break;
        case 5: assert_int_equal(fr_object_set_flags(s.space, id, FR_OBJECT_STATIC, NULL), FR_OK); break;
        default: scene_deform(&s, id); break;
        }
        fr_bounds bounds;
        assert_false(fr_space_is_current(s.space));
        assert_int_equal(fr_object_bounds(s.space, id, &bounds, NULL), FR_ERROR_STALE_DATA);
    }
    scene_update(&s);
    assert_int_equal(fr_object_remove(s.space, id, NULL), FR_OK);
    assert_false(fr_space_is_current(s.space));
    scene_close(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Warm

// A step of a simulation: everything moves, some things deform, the step is taken.
static void take_step(scene *s, const fr_object_id *ids, uint32_t count, fr_vec3 *vertices) {
    for (uint32_t i = 0; i < count; i++) {
        const fr_object_view *view = fr_object_get(s->space, ids[i]);
        fr_pose next = view->pose;
        next.position = fr_vec3_add_scaled(next.position, 0.3, scene_direction(s));
        next.rotation = fr_quat_multiply(fr_quat_from_vector(scene_direction(s)), next.rotation);
        if (i % 3 == 0) {
            assert_int_equal(fr_object_set_pose(s->space, ids[i], &next, NULL), FR_OK);
        } else {
            assert_int_equal(fr_object_set_next(s->space, ids[i], &next, NULL), FR_OK);
        }
        if (i % 5 != 0) { continue; }
        for (uint32_t k = 0; k < view->vertex_count; k++) {
            vertices[k] = scene_direction(s);
        }
        assert_int_equal(fr_object_set_vertices(s->space, ids[i], vertices, view->vertex_count, NULL), FR_OK);
    }
    scene_update(s);
    assert_int_equal(fr_space_commit(s->space, NULL), FR_OK);
    scene_update(s);
}

static bool count_pair(const fr_part_pair *pair, void *context) {
    (void)pair;
    (*(uint32_t *)context)++;
    return true;
}

static void a_warm_step_allocates_nothing(void **state) {
    (void)state;
    enum { COUNT = 300 };
    static fr_object_id ids[COUNT];
    static fr_vec3 vertices[1000];
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    scene s;
    scene_open(&s, 1, 20, 0, &allocator);
    for (int i = 0; i < COUNT; i++) {
        ids[i] = scene_add(&s, true);
    }
    for (int i = 0; i < 30; i++) {
        take_step(&s, ids, COUNT, vertices);
    }
    uint64_t before = test_allocations(probe);
    for (int i = 0; i < 100; i++) {
        take_step(&s, ids, COUNT, vertices);
    }
    assert_int_equal(test_allocations(probe), before);
    scene_validate(&s);

    // Questions never allocate.
    fr_ray ray = {{-50, 0, 0}, {1, 0, 0}, INFINITY};
    fr_space_hit hit;
    fr_space_closest closest;
    fr_object_distance distance;
    uint32_t count;
    assert_int_equal(fr_space_ray_all(s.space, &ray, NULL, &hit, 1, &count, NULL), FR_OK);
    assert_int_equal(fr_space_closest_point(s.space, ray.origin, INFINITY, true, NULL, &closest, NULL), FR_OK);
    assert_int_equal(fr_space_distance(s.space, ids[0], ids[1], INFINITY, &distance, NULL), FR_OK);
    assert_int_equal(fr_space_cast_ball(s.space, ray.origin, fr_vec3_make(100, 0, 0), 1, NULL, &hit, NULL), FR_OK);
    bool any;
    uint32_t pairs = 0;
    fr_overlap_shape ball = {.kind = FR_OVERLAP_BALL, .radius = 5};
    fr_space_pairs_input query = {0, NULL, NULL};
    assert_int_equal(fr_space_ray_any(s.space, &ray, NULL, &any, NULL), FR_OK);
    assert_int_equal(fr_space_ray_many(s.space, &ray, 1, NULL, NULL, &hit, NULL), FR_OK);
    assert_int_equal(fr_space_closest_many(s.space, &ray.origin, 1, INFINITY, true, NULL, NULL, &closest, NULL), FR_OK);
    assert_int_equal(fr_space_overlap(s.space, &ball, NULL, NULL, 0, &count, NULL), FR_OK);
    assert_int_equal(fr_space_pairs(s.space, &query, count_pair, &pairs, NULL), FR_OK);
    assert_true(pairs > 0 && count > 0);
    assert_int_equal(test_allocations(probe), before);
    scene_close(&s);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory that runs out

// A whole life, every failure handled: a call that fails is tried again once memory is back.
static fr_status live(const fr_allocator *allocator, void *context) {
    const scene *meshes = context;
    fr_space_def def = fr_default_space_def();
    def.allocator = *allocator;
    fr_space *space = NULL;
    fr_status status = fr_space_create(&def, &space, NULL);
    fr_object_id ids[70];
    for (uint32_t i = 0; i < 70 && status == FR_OK; i++) {
        fr_part_def parts[2] = {fr_default_part_def(), fr_default_part_def()};
        parts[0].mesh = meshes->meshes[i % SCENE_MESHES];
        parts[1].mesh = meshes->meshes[1];
        fr_object_def object = fr_default_object_def();
        object.parts = parts;
        object.part_count = 1 + i % 2;
        object.pose.position.x = 0.7 * i;
        object.flags = i % 7 == 0 ? (uint32_t)FR_OBJECT_STATIC : 0u;
        status = fr_object_add(space, &object, &ids[i], NULL);
        if (status != FR_OK) { assert_int_equal(fr_space_object_count(space), i); }
    }
    static const fr_vec3 vertices[64] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    if (status == FR_OK) { status = fr_space_update(space, NULL, NULL); }
    if (status == FR_OK) {
        uint32_t count = fr_object_get(space, ids[2])->vertex_count;
        status = fr_object_set_vertices(space, ids[2], vertices, count < 64 ? count : 64, NULL);
        if (status == FR_ERROR_ARGUMENT) { status = FR_OK; }
    }
    fr_pose next = fr_pose_identity();
    if (status == FR_OK) { status = fr_object_set_next(space, ids[3], &next, NULL); }
    if (status == FR_OK) {
        fr_pose pose = fr_object_get(space, ids[4])->pose;
        fr_motion motion = fr_motion_still(&pose);
        status = fr_object_set_motion(space, ids[4], &motion, &pose, NULL);
    }
    if (status == FR_OK) {
        uint32_t count = fr_object_get(space, ids[2])->vertex_count;
        status = fr_object_set_next_vertices(space, ids[2], vertices, count < 64 ? count : 64, NULL);
        if (status == FR_ERROR_ARGUMENT) { status = FR_OK; }
    }
    if (status == FR_OK) { status = fr_object_remove(space, ids[69], NULL); }
    fr_attachment_type type = {"thing", NULL, NULL};
    uint32_t slot, pairs = 0;
    if (status == FR_OK) { status = fr_space_attach(space, &type, &slot, NULL); }
    if (status == FR_OK) { status = fr_object_attach(space, ids[0], slot, &pairs, NULL); }
    if (status == FR_OK) { status = fr_space_update(space, NULL, NULL); }
    if (status == FR_OK) {
        fr_space_pairs_input query = {0, NULL, NULL};
        assert_true(fr_space_validate(space, NULL));
        assert_int_equal(fr_space_pairs(space, &query, count_pair, &pairs, NULL), FR_OK);
        assert_true(pairs > 50);
    } else if (space != NULL) {
        assert_false(fr_space_is_current(space) && fr_space_object_count(space) == 0);
    }
    fr_space_destroy(space);
    return status;
}

static void every_failure_is_survived(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    assert_true(test_every_failure(live, &s) > 10);
    scene_close(&s);
}

// An update that failed leaves the space stale; the next one does all of it.
static void a_failed_update_is_made_up_for(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    for (uint64_t n = 1;; n++) {
        scene s;
        scene_open(&s, 4, 5, 0, &allocator);
        scene_fill(&s, 40, false);
        scene_deform(&s, scene_any(&s));
        fr_probe_fail(probe, n, true);
        fr_status status = fr_space_update(s.space, NULL, NULL);
        fr_probe_fail(probe, 0, false);
        if (status != FR_OK) {
            assert_int_equal(status, FR_ERROR_MEMORY);
            assert_false(fr_space_is_current(s.space));
            assert_int_equal(fr_space_object_count(s.space), 40);
        }
        scene_update(&s);
        scene_validate(&s);
        scene_close(&s);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        if (status == FR_OK) { break; }
        assert_true(n < 1000);
    }
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_change_makes_a_space_stale),
        cmocka_unit_test(a_warm_step_allocates_nothing),
        cmocka_unit_test(every_failure_is_survived),
        cmocka_unit_test(a_failed_update_is_made_up_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
