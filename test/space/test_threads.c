// Updates by many workers, and queries at once: the same results as by one.
#include "frame.h"
#include "scene_sets.h"
#include "space/broad_phase.h"

static void fill_large(scene *s) {
    scene_fill(s, 600, true);
    for (int i = 0; i < 20; i++) {
        scene_deform(s, scene_any(s));
    }
    for (int i = 0; i < 200; i++) {
        fr_pose next = scene_pose(s);
        assert_int_equal(fr_object_set_next(s->space, scene_any(s), &next, NULL), FR_OK);
    }
}

static uint64_t hash_boxes(const fr_space *space) {
    uint64_t hash = 0;
    for (int i = 0; i < FR__SET_COUNT; i++) {
        const fr__proxy_set *set = &space->sets[i];
        hash = fr_hash(set->boxes.data, set->boxes.count * sizeof(fr_box), hash);
        hash = fr_hash(fr__tree_block(set->tree), fr__tree_block_bytes(set->tree), hash);
    }
    return hash;
}

static void updates_do_not_depend_on_workers(void **state) {
    (void)state;
    const int workers[] = {1, 2, 3, 5, 8};
    uint64_t first = 0;
    for (int w = 0; w < 5; w++) {
        fr_task_pool_def def = fr_default_task_pool_def();
        def.worker_count = workers[w];
        fr_task_pool *pool = NULL;
        assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
        fr_tasks tasks = fr_task_pool_tasks(pool);
        scene s;
        scene_open(&s, 11, 15, 0, NULL);
        fill_large(&s);
        assert_int_equal(fr_space_update(s.space, &tasks, NULL), FR_OK);
        uint64_t hash = hash_boxes(s.space);
        assert_int_equal(fr_space_commit(s.space, NULL), FR_OK);
        assert_int_equal(fr_space_update(s.space, &tasks, NULL), FR_OK);
        hash = fr_hash(&hash, sizeof hash, hash_boxes(s.space));
        scene_validate(&s);
        if (w == 0) { first = hash; }
        assert_true(hash == first);
        scene_close(&s);
        fr_task_pool_destroy(pool);
    }
}

typedef struct asking {
    const scene *s;
    const fr_ray *rays;
    uint64_t hashes[64];
} asking;

static bool accept_all(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)context;
    (void)b;
    return fr_object_exists(space, a);
}

static bool add_pair(const fr_part_pair *pair, void *context) {
    *(uint64_t *)context += fr_hash(pair, sizeof *pair, 0);
    return true;
}

// Hashes the results of every kind of query.
static uint64_t run_queries(const scene *s, const fr_ray *ray) {
    fr_query_filter filter = fr_default_query_filter();
    filter.accept = accept_all;
    fr_space_hit hit, cast;
    fr_space_closest closest;
    fr_object_distance distance;
    fr_space_item items[8];
    memset(items, 0, sizeof items);
    uint32_t count;
    bool any;
    uint64_t pairs = 0;
    fr_space_pairs_input query = {0, NULL, NULL};
    fr_overlap_shape ball;
    memset(&ball, 0, sizeof ball);
    ball.kind = FR_OVERLAP_BALL;
    ball.points[0] = ray->origin;
    ball.radius = 1;
    fr_object_id a = fr_space_object_at(s->space, 0), b = fr_space_object_at(s->space, 1);
    assert_int_equal(fr_space_ray(s->space, ray, &filter, &hit, NULL), FR_OK);
    assert_int_equal(fr_space_ray_any(s->space, ray, NULL, &any, NULL), FR_OK);
    assert_int_equal(fr_space_cast_ball(s->space, ray->origin, ray->direction, 0.2, NULL, &cast, NULL), FR_OK);
    assert_int_equal(fr_space_closest_point(s->space, ray->origin, INFINITY, true, NULL, &closest, NULL), FR_OK);
    assert_int_equal(fr_space_distance(s->space, a, b, INFINITY, &distance, NULL), FR_OK);
    assert_int_equal(fr_space_overlap(s->space, &ball, &filter, items, 8, &count, NULL), FR_OK);
    assert_int_equal(fr_space_pairs(s->space, &query, add_pair, &pairs, NULL), FR_OK);
    uint64_t hash = fr_hash(&hit.distance, sizeof hit.distance, pairs + count + any);
    hash = fr_hash(&cast.distance, sizeof cast.distance, hash);
    hash = fr_hash(&closest.point, sizeof closest.point, hash);
    hash = fr_hash(&distance.distance, sizeof distance.distance, hash);
    for (int i = 0; i < 8; i++) {
        items[i].object.space = 0; // another one in another scene
    }
    return fr_hash(items, sizeof items, hash);
}

static void ask_range(size_t begin, size_t end, int worker, void *context) {
    asking *a = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        a->hashes[i] = run_queries(a->s, &a->rays[i]);
    }
}

static void queries_run_at_once(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 12, 12, 0, NULL);
    fill_large(&s);
    scene_update(&s);
    fr_ray rays[64];
    fr_vec3 points[64];
    for (int i = 0; i < 64; i++) {
        rays[i] = (fr_ray){scene_point(&s), scene_direction(&s), INFINITY};
        points[i] = rays[i].origin;
    }
    asking alone = {&s, rays, {0}}, together = alone;
    ask_range(0, 64, 0, &alone);
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = 4;
    fr_task_pool *pool = NULL;
    assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    fr_tasks_run(&tasks, FR_SCHEDULE_DYNAMIC, 64, 1, ask_range, &together);
    assert_memory_equal(alone.hashes, together.hashes, sizeof alone.hashes);

    // The batches, by one worker and by four.
    static fr_space_hit hits[2][64];
    static fr_space_closest closest[2][64];
    for (int k = 0; k < 2; k++) {
        const fr_tasks *by = k == 0 ? NULL : &tasks;
        assert_int_equal(fr_space_ray_many(s.space, rays, 64, NULL, by, hits[k], NULL), FR_OK);
        assert_int_equal(fr_space_closest_many(s.space, points, 64, 3, true, NULL, by, closest[k], NULL), FR_OK);
    }
    assert_memory_equal(hits[0], hits[1], sizeof hits[0]);
    assert_memory_equal(closest[0], closest[1], sizeof closest[0]);
    fr_task_pool_destroy(pool);
    scene_close(&s);
}

// Every instruction set there is gives the same boxes, trees and results.
static void results_do_not_depend_on_registers(void **state) {
    (void)state;
    uint64_t first = 0;
    for (int simd = (int)FR_SIMD_BASELINE; simd <= (int)fr_simd_best(); simd++) {
        assert_true(fr_simd_set((fr_simd)simd));
        scene s;
        scene_open(&s, 13, 12, 0, NULL);
        fill_large(&s);
        scene_update(&s);
        uint64_t hash = hash_boxes(s.space);
        for (int i = 0; i < 64; i++) {
            fr_ray ray = {scene_point(&s), scene_direction(&s), INFINITY};
            uint64_t result = run_queries(&s, &ray);
            hash = fr_hash(&result, sizeof result, hash);
        }
        if (simd == 0) { first = hash; }
        assert_true(hash == first);
        scene_close(&s);
    }
    assert_true(fr_simd_set(fr_simd_best()));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_do_not_depend_on_workers),
        cmocka_unit_test(queries_run_at_once),
        cmocka_unit_test(results_do_not_depend_on_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
