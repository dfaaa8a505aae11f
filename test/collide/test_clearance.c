// What an asker remembers from step to step changes no answer: an asker that remembers and one that is asked afresh,
// over lives of scenes in which objects drift, jump, deform, go and come.
#include "collide/moving_scenes.h"
#include "frame.h"

enum { BODIES = 24, STEPS = 12, MESHES = 4, MOST_VERTICES = 4096 };

typedef struct life {
    fr_space *space;
    fr_mesh *meshes[MESHES];
    fr_object_id ids[BODIES];
    const fr_mesh *mesh_of[BODIES];
    fr_vec3 travel[BODIES], turn[BODIES];
    fr_random random;
} life;

static fr_pose any_pose(fr_random *r, int body) {
    fr_vec3 at = fr_vec3_make(1.1 * (body % 6), 1.1 * (double)(body / 6), 0.0);
    at = fr_vec3_add(at, scene_point(r, 0.2));
    return fr_pose_make(at, fr_quat_from_vector(scene_point(r, 3.0)));
}

static void put_body(life *l, int body) {
    fr_random *r = &l->random;
    fr_pose pose = any_pose(r, body);
    l->mesh_of[body] = l->meshes[fr_random_below(r, MESHES)];
    l->ids[body] = scene_add(l->space, l->mesh_of[body], &pose, body % 9 == 4 ? FR_OBJECT_SELF : 0);
    double speed = body % 3 == 0 ? 0.0 : 0.004;
    l->travel[body] = scene_point(r, speed);
    l->turn[body] = scene_point(r, speed);
}

static void begin_life(life *l, uint64_t seed) {
    static const char *const names[MESHES] = {"chair", "torus", "gear", "sphere_48"};
    l->random = fr_random_seed(seed);
    l->space = scene_space();
    for (int i = 0; i < MESHES; i++) {
        assert_int_equal(fr_mesh_create_named(names[i], NULL, &l->meshes[i], NULL), FR_OK);
    }
    for (int i = 0; i < BODIES; i++) {
        put_body(l, i);
    }
}

static void end_life(life *l) {
    for (int i = 0; i < MESHES; i++) {
        fr_mesh_release(l->meshes[i]);
    }
    fr_space_destroy(l->space);
}

// Stretches a body along one axis and shakes it a little.
static void deform(life *l, int body, bool as_next) {
    const fr_mesh_view *view = fr_mesh_get(l->mesh_of[body]);
    static fr_vec3 vertices[MOST_VERTICES];
    assert_true(view->vertex_count <= MOST_VERTICES);
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        double at[3];
        for (uint32_t k = 0; k < 3; k++) {
            size_t place = 3 * (size_t)i + k;
            at[k] =
                view->positions_double != NULL ? view->positions_double[place] : (double)view->positions_float[place];
        }
        vertices[i] = fr_vec3_add(fr_vec3_make(1.3 * at[0], at[1], at[2]), scene_point(&l->random, 0.01));
    }
    fr_status status = as_next ? fr_object_set_next_vertices(l->space, l->ids[body], vertices, view->vertex_count, NULL)
                               : fr_object_set_vertices(l->space, l->ids[body], vertices, view->vertex_count, NULL);
    assert_int_equal(status, FR_OK);
}

// The motions of the next step, and what happens besides.
static void live_on(life *l, int step) {
    fr_random *r = &l->random;
    if (step > 0) { assert_int_equal(fr_space_commit(l->space, NULL), FR_OK); }
    for (int i = 0; i < BODIES; i++) {
        fr_pose next = fr_object_get(l->space, l->ids[i])->pose;
        next.position = fr_vec3_add(next.position, l->travel[i]);
        next.rotation = fr_quat_multiply(fr_quat_from_vector(l->turn[i]), next.rotation);
        assert_int_equal(fr_quat_normalize(&next.rotation, NULL), FR_OK);
        bool moves = fr_vec3_largest(l->travel[i]) > 0.0;
        if (moves) { assert_int_equal(fr_object_set_next(l->space, l->ids[i], &next, NULL), FR_OK); }
    }
    int jumps = (int)fr_random_below(r, BODIES), goes = (int)fr_random_below(r, BODIES);
    if (step % 3 == 2) {
        fr_pose pose = any_pose(r, (int)fr_random_below(r, BODIES));
        assert_int_equal(fr_object_set_pose(l->space, l->ids[jumps], &pose, NULL), FR_OK);
    }
    if (step % 4 == 3) {
        assert_int_equal(fr_object_remove(l->space, l->ids[goes], NULL), FR_OK);
        put_body(l, goes); // in the same place, with the next generation
    }
    if (step % 5 == 4) { deform(l, (int)fr_random_below(r, BODIES), step % 2 == 0); }
    assert_int_equal(fr_space_update(l->space, NULL, NULL), FR_OK);
}

static void check_same(const fr_collide_output *out, const fr_collide_output *expected, uint64_t seed) {
    scene_check_equal(out, expected, "remembering", seed);
    assert_true(out->free_time == expected->free_time && out->interval_count == expected->interval_count);
    for (size_t i = 0; i < out->interval_count; i++) {
        const fr_touch_interval *a = &out->intervals[i], *b = &expected->intervals[i];
        assert_true(a->pair == b->pair && a->begin == b->begin && a->end == b->end);
    }
    for (size_t i = 0; i < out->pair_count; i++) {
        const fr_contact *a = &out->contacts[i], *b = &expected->contacts[i];
        assert_memory_equal(&a->point, &b->point, sizeof a->point);
        assert_memory_equal(&a->normal, &b->normal, sizeof a->normal);
        assert_true(a->time == b->time && a->distance == b->distance);
    }
}

static void remembering_changes_no_answer(void **state) {
    (void)state;
    uint64_t count = test_count(3, 300), skipped[3] = {0, 0, 0};
    fr_task_pool *pool = scene_pool(3);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    fr_collide *afresh = scene_asker(), *askers[3] = {scene_asker(), scene_asker(), scene_asker()};
    for (uint64_t seed = 0; seed < count; seed++) {
        static life l;
        begin_life(&l, seed);
        for (int step = 0; step < STEPS; step++) {
            live_on(&l, step);
            fr_collide_input input = scene_question(l.space, FR_COLLIDE_AUTO);
            input.want = step % 4 == 0 ? FR_WANT_INTERVALS : FR_WANT_CONTACTS;
            input.margin = seed % 2 == 1 ? 0.01 : 0.0;
            for (int k = 0; k < 3; k++) { // alone, with workers, and for first contacts
                input.set = k == 2 ? FR_SET_FIRST : FR_SET_ALL;
                input.tasks = NULL;
                input.is_from_scratch = true;
                fr_collide_output expected = scene_ask_step(afresh, &input);
                assert_int_equal(expected.stats.skipped, 0);
                input.tasks = k == 0 ? NULL : &tasks;
                input.is_from_scratch = false;
                fr_collide_output out = scene_ask_step(askers[k], &input);
                skipped[k] += out.stats.skipped;
                check_same(&out, &expected, seed);
            }
        }
        end_life(&l);
    }
    print_message("%llu scenes: %llu, %llu and %llu pairs of parts skipped\n", (unsigned long long)count,
                  (unsigned long long)skipped[0], (unsigned long long)skipped[1], (unsigned long long)skipped[2]);
    assert_true(skipped[0] > 5 * count && skipped[1] > 5 * count && skipped[2] > 5 * count);
    for (int k = 0; k < 3; k++) {
        fr_collide_destroy(askers[k]);
    }
    fr_collide_destroy(afresh);
    fr_task_pool_destroy(pool);
}

// Two links of a chain that do not touch need no look while they stand; a jump is seen at once.
static void what_stands_is_skipped_until_it_moves(void **state) {
    (void)state;
    fr_space *space = scene_space();
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_torus(1.0, 0.2, 24, 12, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    fr_pose poses[2] = {fr_pose_identity(), fr_pose_identity()};
    poses[1].position = fr_vec3_make(1.0, 0.0, 0.0); // the next link of a chain
    poses[1].rotation = fr_quat_from_vector(fr_vec3_make(0.5 * FR_PI, 0.0, 0.0));
    fr_object_id ids[2] = {scene_add(space, mesh, &poses[0], 0), scene_add(space, mesh, &poses[1], 0)};
    fr_mesh_release(mesh);
    fr_collide *asker = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_AUTO);
    for (int step = 0; step < 6; step++) {
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        fr_collide_output out = scene_ask_step(asker, &input);
        assert_int_equal(out.pair_count, 0);
        assert_int_equal(out.stats.object_pairs, 1);
        assert_int_equal(out.stats.skipped, step > 0);
    }
    for (int far = 0; far < 2; far++) { // onto the other, at rest and at the end of a step
        fr_pose there = poses[1];
        there.position.x = 1.8;
        if (far == 0) { assert_int_equal(fr_object_set_pose(space, ids[1], &there, NULL), FR_OK); }
        if (far == 1) { assert_int_equal(fr_object_set_pose(space, ids[1], &poses[1], NULL), FR_OK); }
        if (far == 1) { assert_int_equal(fr_object_set_next(space, ids[1], &there, NULL), FR_OK); }
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        fr_collide_output out = scene_ask_step(asker, &input);
        assert_true(out.pair_count > 0 && out.stats.skipped == 0);
    }
    fr_collide_destroy(asker);
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_is_skipped_until_it_moves),
        cmocka_unit_test(remembering_changes_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
