// Trees of deformed parts: refitted by the first query that meets them, with the results of trees that were fresh.
#include "failing.h"
#include "frame.h"
#include "heap_calls.h"
#include "scene_sets.h"
#include "space/part.h"
#include "tape.h"

enum { BODIES = 24 };

// Every body is deformed, by bones or by hand, now or at the end of the step; some move rigidly besides.
static void move_all(scene *s) {
    for (uint32_t i = 0; i < fr_space_object_places(s->space); i++) {
        fr_object_id id = fr_space_object_at(s->space, i);
        const fr_object_view *view = fr_object_get(s->space, id);
        uint32_t kind = scene_below(s, 4);
        if (view->bone_count > 0) {
            fr_pose bones[SCENE_BONES];
            for (int twice = 0; twice < 2; twice++) {
                scene_bones(s, bones);
                assert_int_equal(
                    (kind < 2 ? fr_object_set_bones : fr_object_set_next_bones)(s->space, id, bones, SCENE_BONES, NULL),
                    FR_OK);
            }
        } else {
            scene_deform_by(s, id, kind < 2 ? fr_object_set_vertices : fr_object_set_next_vertices);
        }
        fr_pose next = scene_pose(s);
        if (kind % 2 == 1) { assert_int_equal(fr_object_set_next(s->space, id, &next, NULL), FR_OK); }
    }
}

// Bodies of one part, half of them with one skin that they share. The trees exist after the first update, so that the
// next ones leave them stale.
static void open_bodies(scene *s, uint64_t seed, double spread, double offset) {
    scene_open(s, seed, spread, offset, NULL);
    fr_skin *skin = scene_skin(s, s->meshes[2]);
    for (uint32_t i = 0; i < BODIES; i++) {
        fr_part_def part;
        fr_object_def def = test_mesh_object(s->meshes[i % 2 == 0 ? 2 : scene_below(s, SCENE_MESHES)], &part);
        def.pose = scene_pose(s);
        fr_object_id id;
        assert_int_equal(fr_object_add(s->space, &def, &id, NULL), FR_OK);
        if (i % 2 == 0) { assert_int_equal(fr_object_set_skin(s->space, id, 0, skin, FR_SKIN_LINEAR, NULL), FR_OK); }
    }
    fr_skin_release(skin);
    move_all(s);
    scene_update(s);
}

static uint32_t count_stale(const scene *s) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < fr_space_object_places(s->space); i++) {
        count += !fr__object_is_fresh(fr__space_object(s->space, i));
    }
    return count;
}

// Distances without a limit meet every object. Those of a ghost with bones are refused: it has no trees of its bones.
static void refit_by_queries(const scene *s) {
    uint32_t count = fr_space_object_places(s->space);
    for (uint32_t i = 0; i < 2 * count; i++) {
        fr_object_id a = fr_space_object_at(s->space, i / 2), b = fr_space_object_at(s->space, (i + 1) / 2 % count);
        const fr_object_view *views[2] = {fr_object_get(s->space, a), fr_object_get(s->space, b)};
        bool is_refused = false;
        for (int k = 0; k < 2; k++) {
            bool has_bones = views[k]->bones != NULL || views[k]->next_bones != NULL;
            is_refused = is_refused || (has_bones && (views[k]->flags & FR_OBJECT_GHOST) != 0);
        }
        fr_object_distance distance;
        fr_status wanted = is_refused ? FR_ERROR_UNSUPPORTED : FR_OK;
        assert_int_equal(fr_space_distance(s->space, a, b, INFINITY, &distance, NULL), wanted);
    }
    assert_int_equal(count_stale(s), 0);
}

// ---------------------------------------------------------------------------------------------------------------
// What is refitted

static void only_what_is_met_is_refitted(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 1, 0, NULL);
    fr_object_id ids[8];
    for (int i = 0; i < 8; i++) {
        ids[i] = scene_add_cube(&s, fr_vec3_make(10.0 * i, 0, 0), 1, 0);
        scene_deform(&s, ids[i]);
    }
    scene_update(&s);
    assert_int_equal(count_stale(&s), 0); // the trees are new
    for (int i = 0; i < 8; i++) {
        scene_deform(&s, ids[i]);
    }
    scene_update(&s);
    assert_int_equal(count_stale(&s), 8);

    // Bounds are exact without a tree, and a pair of far objects needs none.
    fr_bounds bounds, corners = fr_bounds_empty();
    assert_int_equal(fr_object_bounds(s.space, ids[3], &bounds, NULL), FR_OK);
    for (uint32_t t = 0; t < 12; t++) {
        fr_vec3 at[3];
        assert_int_equal(fr_object_corners(s.space, ids[3], t, at, NULL), FR_OK);
        for (int k = 0; k < 3; k++) {
            corners = fr_bounds_with_point(&corners, at[k]);
        }
    }
    assert_memory_equal(&bounds, &corners, sizeof bounds);
    fr_object_distance distance;
    assert_int_equal(fr_space_distance(s.space, ids[0], ids[1], 1.0, &distance, NULL), FR_OK);
    assert_int_equal(distance.triangle_a, FR_NONE);
    scene_validate(&s);
    assert_int_equal(count_stale(&s), 8);

    fr_ray ray = {{30, 5, 0}, {0, -1, 0}, 10};
    fr_space_hit hit;
    assert_int_equal(fr_space_ray(s.space, &ray, NULL, &hit, NULL), FR_OK);
    assert_int_equal(hit.object.index1, ids[3].index1);
    assert_int_equal(count_stale(&s), 7);
    assert_true(fr__object_is_fresh(fr__space_object(s.space, ids[3].index1 - 1)));

    // A pose alone changes no tree.
    fr_pose pose = fr_pose_identity();
    assert_int_equal(fr_object_set_pose(s.space, ids[3], &pose, NULL), FR_OK);
    scene_update(&s);
    assert_int_equal(count_stale(&s), 7);
    scene_validate(&s);
    scene_close(&s);
}

// The box of a rigid motion comes from the local bounds, so it holds the corners on the path of a stale object too.
static void boxes_hold_rigid_motions(void **state) {
    (void)state;
    scene s;
    open_bodies(&s, 3, 3, 0);
    for (int step = 0; step < 20; step++) {
        fr_object_id id = fr_space_object_at(s.space, 1);
        fr_pose next = scene_pose(&s);
        scene_deform(&s, id);
        if (step % 2 == 0) { scene_update(&s); } // stale before the motion is known
        assert_int_equal(fr_object_set_next(s.space, id, &next, NULL), FR_OK);
        scene_update(&s);
        fr_bounds bounds;
        assert_int_equal(fr_object_bounds(s.space, id, &bounds, NULL), FR_OK);
        bounds = fr_bounds_grow(&bounds, 1e-9);
        const fr_object_view *view = fr_object_get(s.space, id);
        for (uint32_t i = 0; i < view->vertex_count; i++) {
            for (int k = 0; k <= 8; k++) {
                fr_vec3 at = fr_motion_point(&view->motion, view->vertices[i], k / 8.0);
                assert_true(fr_bounds_contain_point(&bounds, at));
            }
        }
        scene_validate(&s);
        assert_int_equal(fr_space_commit(s.space, NULL), FR_OK);
    }
    scene_close(&s);
}

// Vertices that change their places wear a tree out. The refits find it, and the next update builds the tree again.
static void worn_trees_are_built_again(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 5, 2, 0, NULL);
    fr_part_def part;
    fr_object_def def = test_mesh_object(s.meshes[2], &part);
    fr_object_id id;
    assert_int_equal(fr_object_add(s.space, &def, &id, NULL), FR_OK);
    scene_deform(&s, id);
    scene_update(&s);
    const fr__object *object = fr__space_object(s.space, 0);
    uint32_t count = fr_object_get(s.space, id)->vertex_count;
    fr_vec3 *vertices = malloc(count * sizeof *vertices);
    assert_non_null(vertices);
    for (uint32_t i = 0; i < count; i++) {
        vertices[i] = scene_direction(&s);
    }
    bool was_worn = false;
    for (int step = 0; step < 12 && !was_worn; step++) {
        assert_int_equal(fr_object_set_vertices(s.space, id, vertices, count, NULL), FR_OK);
        scene_update(&s);
        assert_false(fr__object_is_fresh(object));
        (void)fr__object_fresh(s.space, object);
        was_worn = object->parts[0].is_worn;
    }
    assert_true(was_worn && fr_tree_quality(object->parts[0].tree) > 2.0);
    assert_int_equal(fr_object_set_vertices(s.space, id, vertices, count, NULL), FR_OK);
    scene_update(&s);
    assert_true(fr__object_is_fresh(object) && !object->parts[0].is_worn);
    assert_true(fr_tree_quality(object->parts[0].tree) == 1.0);
    free(vertices);
    scene_validate(&s);
    scene_close(&s);
}

// Removed, or made a ghost, while stale: nothing of it is left.
static void stale_objects_leave(void **state) {
    (void)state;
    scene s;
    open_bodies(&s, 7, 2, 0);
    for (int round = 0; round < 30; round++) {
        move_all(&s);
        scene_update(&s);
        uint32_t place = 2 * scene_below(&s, BODIES / 2);
        fr_object_id id = fr_space_object_at(s.space, place);
        if (round % 3 == 0) {
            assert_int_equal(fr_object_remove(s.space, id, NULL), FR_OK);
            fr_part_def part;
            fr_object_def def = test_mesh_object(s.meshes[1], &part);
            def.pose = scene_pose(&s);
            assert_int_equal(fr_object_add(s.space, &def, &id, NULL), FR_OK);
            assert_int_equal(id.index1, place + 1);
        } else {
            uint32_t flags = fr_object_get(s.space, id)->flags ^ FR_OBJECT_GHOST;
            assert_int_equal(fr_object_set_flags(s.space, id, flags, NULL), FR_OK);
        }
        scene_update(&s);
        scene_validate(&s);
        refit_by_queries(&s);
        scene_validate(&s);
    }
    scene_close(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Equal results

static bool add_item(const fr_part_pair *pair, void *context) {
    *(uint64_t *)context += fr_hash(pair, sizeof *pair, 0);
    return true;
}

typedef struct spot {
    fr_vec3 point, direction;
    uint32_t a, b;
} spot;

// Every kind of query of the room at a spot.
static uint64_t query_all(const scene *s, const spot *at) {
    fr_ray ray = {at->point, at->direction, INFINITY};
    fr_space_hit hit, cast;
    fr_space_closest closest;
    fr_object_distance distance;
    fr_overlap_shape ball;
    memset(&ball, 0, sizeof ball);
    ball.kind = FR_OVERLAP_BALL;
    ball.points[0] = at->point;
    ball.radius = 1;
    uint32_t count;
    uint64_t pairs = 0;
    fr_space_pairs_input query = {0.1, NULL, NULL};
    fr_object_id a = fr_space_object_at(s->space, at->a), b = fr_space_object_at(s->space, at->b);
    assert_int_equal(fr_space_overlap(s->space, &ball, NULL, NULL, 0, &count, NULL), FR_OK);
    assert_int_equal(fr_space_ray(s->space, &ray, NULL, &hit, NULL), FR_OK);
    assert_int_equal(fr_space_cast_ball(s->space, at->point, at->direction, 0.2, NULL, &cast, NULL), FR_OK);
    assert_int_equal(fr_space_closest_point(s->space, at->point, 2.0, true, NULL, &closest, NULL), FR_OK);
    assert_int_equal(fr_space_distance(s->space, a, b, 1.0, &distance, NULL), FR_OK);
    assert_int_equal(fr_space_pairs(s->space, &query, add_item, &pairs, NULL), FR_OK);
    uint64_t hash = fr_hash(&hit.distance, sizeof hit.distance, pairs + count);
    hash = fr_hash(&hit.triangle, sizeof hit.triangle, hash + hit.object.index1);
    hash = fr_hash(&cast.distance, sizeof cast.distance, hash);
    hash = fr_hash(&closest.point, sizeof closest.point, hash);
    return fr_hash(&distance.distance, sizeof distance.distance, hash);
}

typedef struct spots {
    const scene *s;
    spot at[64];
    uint64_t hashes[64];
} spots;

static void choose_spots(scene *s, spots *q) {
    q->s = s;
    for (int i = 0; i < 64; i++) {
        q->at[i] = (spot){scene_point(s), scene_direction(s), scene_below(s, BODIES), scene_below(s, BODIES)};
    }
}

static void query_range(size_t begin, size_t end, int worker, void *context) {
    spots *q = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        q->hashes[i] = query_all(q->s, &q->at[i]);
    }
}

// One space is queried as it is, by eight threads at once, and its twin after other queries made all of it fresh.
static void threads_refit_what_they_meet(void **state) {
    (void)state;
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = 8;
    fr_task_pool *pool = NULL;
    assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    for (uint64_t seed = 1; seed <= test_count(3, 200); seed++) {
        scene lazy, fresh;
        double offset = seed % 2 == 0 ? 1e6 : 0.0;
        open_bodies(&lazy, seed, 4, offset);
        open_bodies(&fresh, seed, 4, offset);
        for (int step = 0; step < 5; step++) {
            move_all(&lazy);
            move_all(&fresh);
            // Scratch for one refit at a time, or for all workers.
            assert_int_equal(fr_space_update(lazy.space, seed % 3 == 0 ? NULL : &tasks, NULL), FR_OK);
            scene_update(&fresh);
            assert_true(count_stale(&lazy) > 0);
            refit_by_queries(&fresh);
            static spots of_lazy, of_fresh;
            choose_spots(&lazy, &of_lazy);
            choose_spots(&fresh, &of_fresh);
            fr_tasks_run(&tasks, FR_SCHEDULE_DYNAMIC, 64, 1, query_range, &of_lazy);
            query_range(0, 64, 0, &of_fresh);
            assert_memory_equal(of_lazy.hashes, of_fresh.hashes, sizeof of_lazy.hashes);
            scene_validate(&lazy);
            if (step % 2 == 1) {
                assert_int_equal(fr_space_commit(lazy.space, NULL), FR_OK);
                assert_int_equal(fr_space_commit(fresh.space, NULL), FR_OK);
            }
        }
        scene_close(&lazy);
        scene_close(&fresh);
    }
    fr_task_pool_destroy(pool);
}

// A record that begins while trees are stale describes the same space.
static void stale_spaces_are_recorded(void **state) {
    (void)state;
    scene s, again;
    open_bodies(&s, 9, 3, 0);
    move_all(&s);
    scene_update(&s);
    assert_true(count_stale(&s) > 0);
    tape t = {0};
    assert_int_equal(fr_space_record(s.space, tape_keep, &t, NULL), FR_OK);
    move_all(&s);
    scene_update(&s);
    assert_int_equal(fr_space_record(s.space, NULL, NULL, NULL), FR_OK);
    scene_open(&again, 9, 3, 0, NULL);
    assert_int_equal(fr_space_replay(again.space, t.bytes, t.size, NULL, NULL), FR_OK);
    scene_update(&again);
    static spots first, second;
    choose_spots(&s, &first);
    second = first;
    second.s = &again;
    query_range(0, 64, 0, &first);
    query_range(0, 64, 0, &second);
    assert_memory_equal(first.hashes, second.hashes, sizeof first.hashes);
    free(t.bytes);
    scene_close(&again);
    scene_close(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

static void warm_refits_take_no_memory(void **state) {
    (void)state;
    scene s;
    open_bodies(&s, 11, 3, 0);
    uint64_t before = 0;
    for (int step = 0; step < 20; step++) {
        fr_object_id id = fr_space_object_at(s.space, 0);
        fr_pose bones[SCENE_BONES];
        scene_bones(&s, bones);
        if (step == 10) { before = test_heap_calls(); }
        assert_int_equal(fr_object_set_next_bones(s.space, id, bones, SCENE_BONES, NULL), FR_OK);
        assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
        assert_false(fr__object_is_fresh(fr__space_object(s.space, 0)));
        refit_by_queries(&s);
        assert_int_equal(fr_space_commit(s.space, NULL), FR_OK);
    }
    assert_true(test_heap_calls() == before);
    scene_close(&s);
}

static fr_status deform_twice(const fr_allocator *allocator, void *context) {
    scene *s = context;
    fr_space_def def = fr_default_space_def();
    def.allocator = *allocator;
    fr_space *space = NULL;
    fr_part_def part;
    fr_object_def object = test_mesh_object(s->meshes[2], &part);
    fr_object_id id;
    fr_vec3 vertices[64];
    uint32_t count = fr_mesh_get(s->meshes[2])->vertex_count;
    assert_true(count <= 64);
    fr_random random = fr_random_seed(1);
    fr_status first = FR_OK, status = fr_space_create(&def, &space, NULL);
    if (status == FR_OK) { status = fr_object_add(space, &object, &id, NULL); }
    for (int step = 0; step < 3 && status == FR_OK; step++) {
        for (uint32_t i = 0; i < count; i++) {
            double x = fr_random_between(&random, -1, 1), y = fr_random_between(&random, -1, 1);
            vertices[i] = fr_vec3_make(x, y, fr_random_between(&random, -1, 1));
        }
        status = fr_object_set_vertices(space, id, vertices, count, NULL);
        if (status == FR_OK) { status = fr_space_update(space, NULL, NULL); }
        if (status == FR_ERROR_MEMORY) {
            first = status;
            test_lift_and_compare(allocator);
            status = fr_object_set_vertices(space, id, vertices, count, NULL);
            if (status == FR_OK) { status = fr_space_update(space, NULL, NULL); }
        }
        if (status != FR_OK) { break; }
        fr_ray ray = {{-3, 0.1, 0.2}, {1, 0, 0}, 10};
        fr_space_hit hit;
        status = fr_space_ray(space, &ray, NULL, &hit, NULL);
        test_note(&hit.distance, sizeof hit.distance);
    }
    assert_true(status != FR_OK || fr_space_validate(space, NULL));
    fr_space_destroy(space);
    return first != FR_OK ? first : status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    assert_true(test_every_failure(deform_twice, &s) > 10);
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_met_is_refitted), cmocka_unit_test(boxes_hold_rigid_motions),
        cmocka_unit_test(worn_trees_are_built_again),   cmocka_unit_test(stale_objects_leave),
        cmocka_unit_test(threads_refit_what_they_meet), cmocka_unit_test(stale_spaces_are_recorded),
        cmocka_unit_test(warm_refits_take_no_memory),   cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
