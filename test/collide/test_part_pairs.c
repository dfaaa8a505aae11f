// Part pairs of deforming objects: their stale trees are refitted before the faces are looked at, by any workers, and
// the contacts are those of brute force among objects that were fresh.
#include "collide/moving_scenes.h"
#include "frame.h"
#include "space/space.h"

enum { SOFT = 12, VERTICES = 100 };

typedef struct crowd {
    fr_space *space;
    fr_random random;
    fr_vec3 rest[VERTICES];
    uint32_t vertex_count;
    fr_vec3 offset;
} crowd;

static void open_crowd(crowd *c, uint64_t seed) {
    c->random = fr_random_seed(seed);
    c->offset = fr_vec3_make(seed % 3 == 2 ? 1e6 : 0.0, 0.0, 0.0);
    fr_space_def def = fr_default_space_def();
    def.origin = c->offset;
    assert_int_equal(fr_space_create(&def, &c->space, NULL), FR_OK);
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_sphere(1.0, 5, 10, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    const fr_mesh_view *view = fr_mesh_get(mesh);
    c->vertex_count = view->vertex_count;
    assert_true(c->vertex_count <= VERTICES);
    for (uint32_t i = 0; i < c->vertex_count; i++) {
        const float *p = view->positions_float + 3 * (size_t)i;
        c->rest[i] = fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
    }
    for (uint32_t k = 0; k < SOFT; k++) {
        fr_vec3 place = scene_point(&c->random, k < SOFT - 3 ? 2.5 : 200.0);
        (void)scene_add_at(c->space, mesh, fr_vec3_add(c->offset, place), 0);
    }
    fr_mesh_release(mesh);
}

static void deform(crowd *c, fr_object_id id, bool is_next) {
    fr_vec3 vertices[VERTICES], field = scene_point(&c->random, 0.3), shift = scene_point(&c->random, 0.3);
    for (uint32_t i = 0; i < c->vertex_count; i++) {
        fr_vec3 bent = fr_vec3_add_scaled(c->rest[i], c->rest[i].y, field);
        vertices[i] = fr_vec3_add(fr_vec3_add(bent, shift), scene_point(&c->random, 0.02));
    }
    assert_int_equal(
        (is_next ? fr_object_set_next_vertices : fr_object_set_vertices)(c->space, id, vertices, c->vertex_count, NULL),
        FR_OK);
}

// All deform, each third along the step, each third moves as it is, each third stays where it is.
static void move_crowd(crowd *c) {
    for (uint32_t k = 0; k < SOFT; k++) {
        fr_object_id id = fr_space_object_at(c->space, k);
        deform(c, id, false);
        if (k % 3 == 0) { deform(c, id, true); }
        fr_pose next = fr_object_get(c->space, id)->pose;
        next.position = fr_vec3_add(next.position, scene_point(&c->random, 0.4));
        next.rotation = fr_quat_from_vector(scene_point(&c->random, 0.5));
        if (k % 3 != 2) { assert_int_equal(fr_object_set_next(c->space, id, &next, NULL), FR_OK); }
    }
}

static uint32_t count_stale(const crowd *c) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < SOFT; i++) {
        count += !fr__object_is_fresh(fr__space_object(c->space, i));
    }
    return count;
}

static void refit_by_queries(const crowd *c) {
    for (uint32_t i = 1; i < SOFT; i++) {
        fr_object_distance distance;
        assert_int_equal(fr_space_distance(c->space, fr_space_object_at(c->space, 0), fr_space_object_at(c->space, i),
                                           INFINITY, &distance, NULL),
                         FR_OK);
    }
    assert_int_equal(count_stale(c), 0);
}

typedef fr_collide_output ask_fn(fr_collide *asker, const fr_collide_input *input);

static void compare(const crowd *lazy, const crowd *fresh, ask_fn *ask, const fr_tasks *tasks, uint64_t seed) {
    fr_collide *askers[2] = {scene_asker(), scene_asker()};
    fr_collide_input input = scene_question(lazy->space, FR_COLLIDE_TREE);
    input.want = FR_WANT_CONTACTS;
    input.tasks = tasks;
    fr_collide_output by_tree = ask(askers[0], &input);
    input = scene_question(fresh->space, FR_COLLIDE_BRUTE);
    input.want = FR_WANT_CONTACTS;
    fr_collide_output by_brute = ask(askers[1], &input);
    scene_check_equal(&by_tree, &by_brute, "deforming", seed);
    for (size_t i = 0; i < by_tree.pair_count; i++) {
        assert_memory_equal(&by_tree.contacts[i].point, &by_brute.contacts[i].point, sizeof(fr_vec3));
        assert_memory_equal(&by_tree.contacts[i].time, &by_brute.contacts[i].time, sizeof(double));
    }
    fr_collide_destroy(askers[0]);
    fr_collide_destroy(askers[1]);
}

static void stale_trees_give_the_same_contacts(void **state) {
    (void)state;
    fr_task_pool *pool = scene_pool(4);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    uint32_t left = 0;
    for (uint64_t seed = 0; seed < test_count(6, 300); seed++) {
        static crowd lazy, fresh;
        open_crowd(&lazy, seed);
        open_crowd(&fresh, seed);
        for (int step = 0; step < 5; step++) {
            move_crowd(&lazy);
            move_crowd(&fresh);
            assert_int_equal(fr_space_update(lazy.space, seed % 2 == 0 ? &tasks : NULL, NULL), FR_OK);
            assert_int_equal(fr_space_update(fresh.space, NULL, NULL), FR_OK);
            refit_by_queries(&fresh);
            if (step > 0) { assert_true(count_stale(&lazy) >= SOFT / 3); }
            compare(&lazy, &fresh, step % 2 == 0 ? scene_ask_step : scene_ask, seed % 4 < 2 ? &tasks : NULL, seed);
            left += count_stale(&lazy);
            compare(&lazy, &fresh, step % 2 == 0 ? scene_ask : scene_ask_step, NULL, seed);
            if (step % 2 == 0) {
                assert_int_equal(fr_space_commit(lazy.space, NULL), FR_OK);
                assert_int_equal(fr_space_commit(fresh.space, NULL), FR_OK);
            }
        }
        fr_space_destroy(lazy.space);
        fr_space_destroy(fresh.space);
    }
    assert_true(left > 0); // those far away were met by nothing
    fr_task_pool_destroy(pool);
}

// Whatever of the room reads local bounds of a stale object makes it fresh first.
static void other_queries_see_fresh_trees(void **state) {
    (void)state;
    static crowd lazy, fresh;
    for (uint64_t seed = 0; seed < 6; seed++) {
        open_crowd(&lazy, seed);
        open_crowd(&fresh, seed);
        for (int step = 0; step < 3; step++) {
            move_crowd(&lazy);
            move_crowd(&fresh);
            assert_int_equal(fr_space_update(lazy.space, NULL, NULL), FR_OK);
            assert_int_equal(fr_space_update(fresh.space, NULL, NULL), FR_OK);
        }
        refit_by_queries(&fresh);
        const crowd *both[2] = {&lazy, &fresh};
        fr_error_budget budgets[2];
        fr_move_output moved[2];
        static fr_contact contacts[2][64];
        fr_mesh *mesh;
        assert_int_equal(fr_mesh_create_named("sphere_80", NULL, &mesh, NULL), FR_OK);
        fr_part_def part = fr_default_part_def();
        part.mesh = mesh;
        for (int k = 0; k < 2; k++) {
            fr_move_input input = fr_default_move_input();
            input.space = both[k]->space;
            input.parts = &part;
            input.part_count = 1;
            fr_pose from = fr_pose_make(fr_vec3_add(lazy.offset, fr_vec3_make(-4.0, 0.0, 0.0)), fr_quat_identity());
            fr_pose to = fr_pose_make(fr_vec3_add(lazy.offset, fr_vec3_make(4.0, 0.0, 0.0)), fr_quat_identity());
            input.motion = fr_motion_between(&from, &to, fr_vec3_make(0.0, 0.0, 0.0));
            input.contacts = contacts[k];
            input.capacity = 64;
            input.may_others_move = true;
            assert_int_equal(fr_collide_move(&input, &moved[k], NULL), FR_OK);
            fr_uncertain_input uncertain = fr_default_uncertain_input();
            uncertain.query.space = both[k]->space;
            uncertain.is_over_step = true;
            assert_int_equal(fr_collide_budget(&uncertain, fr_space_object_at(both[k]->space, 4), &budgets[k], NULL),
                             FR_OK);
        }
        assert_memory_equal(&budgets[0], &budgets[1], sizeof budgets[0]);
        assert_true(moved[0].is_hit);
        assert_int_equal(moved[0].contact_count, moved[1].contact_count);
        for (size_t i = 0; i < moved[0].contact_count; i++) {
            assert_memory_equal(&contacts[0][i].time, &contacts[1][i].time, sizeof(double));
        }
        fr_mesh_release(mesh);
        fr_space_destroy(lazy.space);
        fr_space_destroy(fresh.space);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stale_trees_give_the_same_contacts),
        cmocka_unit_test(other_queries_see_fresh_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
