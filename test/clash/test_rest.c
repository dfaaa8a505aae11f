// Clashes of parts at rest: kinds, depth, region, tolerance, wrong input, threads, stopping, memory.
#include "failing.h"
#include "fureai/clash.h"

#include <string.h>

static fr_mesh *shape(const char *name) {
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create_named(name, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

static fr_clash_part part_at(fr_mesh *mesh, double x, double y, double z, double scale) {
    fr_clash_part part = {mesh, fr_pose_identity()};
    part.pose.position = fr_vec3_make(x, y, z);
    part.pose.scale = scale;
    return part;
}

typedef struct query {
    fr_clash_finder *finder;
    fr_clash_input input;
    fr_clash_output output;
} query;

static query begin(const fr_clash_part *parts, size_t count) {
    query q = {.input = fr_default_clash_input()};
    assert_int_equal(fr_clash_finder_create(NULL, &q.finder, NULL), FR_OK);
    q.input.parts = parts;
    q.input.part_count = count;
    return q;
}

static void find(query *q) { assert_int_equal(fr_clash_find(q->finder, &q->input, &q->output, NULL), FR_OK); }

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void wrong_input_is_refused(void **state) {
    (void)state;
    fr_mesh *box = shape("box");
    fr_clash_part parts[2] = {part_at(box, 0, 0, 0, 1), part_at(box, 0.5, 0, 0, 1)};
    query q = begin(parts, 2);
    fr_error error;
    q.input.cookie = 0;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_ARGUMENT);
    q.input.cookie = fr_default_clash_input().cookie;
    q.input.tolerance = -1.0;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_ARGUMENT);
    q.input.tolerance = FR_UNKNOWN;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_ARGUMENT);
    q.input.tolerance = 0.0;
    q.input.parts = NULL;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_ARGUMENT);
    q.input.parts = parts;
    parts[1].mesh = NULL;
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_ARGUMENT);
    parts[1] = part_at(box, FR_UNKNOWN, 0, 0, 1);
    assert_int_equal(fr_clash_find(q.finder, &q.input, &q.output, &error), FR_ERROR_NOT_FINITE);
    assert_int_equal(q.output.count, 0);
    parts[1] = part_at(box, 0.5, 0, 0, 1);
    find(&q);
    assert_int_equal(q.output.count, 1);
    fr_clash_finder_destroy(q.finder);
    fr_clash_finder_destroy(NULL);
    fr_mesh_release(box);
}

static void kinds_have_names(void **state) {
    (void)state;
    assert_string_equal(fr_clash_kind_name(FR_CLASH_TOUCHING), "touching");
    assert_string_equal(fr_clash_kind_name(FR_CLASH_PENETRATING), "penetrating");
    assert_string_equal(fr_clash_kind_name(FR_CLASH_CONTAINED), "contained");
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

// Boxes of edge 1: side by side, one into the other by a quarter, one of edge 0.25 inside, one far away.
static void kinds_and_depths_are_as_known(void **state) {
    (void)state;
    fr_mesh *box = shape("box");
    const fr_clash_part parts[] = {part_at(box, 0, 0, 0, 1), part_at(box, 1, 0, 0, 1), part_at(box, 0, 0.75, 0, 1),
                                   part_at(box, 0.125, -0.125, 0, 0.25), part_at(box, 9, 9, 9, 1)};
    query q = begin(parts, 5);
    find(&q);
    const fr_clash *c = q.output.clashes;
    assert_int_equal(q.output.count, 4);
    assert_true(c[0].a == 0 && c[0].b == 1 && c[0].kind == FR_CLASH_TOUCHING && fr_is_unknown(c[0].depth));
    assert_true(c[0].region.line_count > 0 && c[0].shared_count > 0 && c[0].shared_count <= c[0].count);
    assert_true(c[1].a == 0 && c[1].b == 2 && c[1].kind == FR_CLASH_PENETRATING);
    assert_true(c[2].a == 0 && c[2].b == 3 && c[2].kind == FR_CLASH_CONTAINED && c[2].region.line_count == 0);
    assert_true(c[2].depth == 0.375);
    assert_true(c[3].a == 1 && c[3].b == 2);
    for (size_t i = 0; i < q.output.count; i++) {
        assert_true(c[i].first + c[i].count <= q.output.pair_count);
        for (size_t k = c[i].first; k < c[i].first + c[i].count; k++) {
            assert_true(q.output.pairs[k].a == c[i].a && q.output.pairs[k].b == c[i].b);
        }
    }
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(box);
}

// A face without area, a needle, that begins inside a box of edge 1 and sticks out, or stays inside, whichever of its
// corners comes first.
static void a_needle_that_sticks_out_is_not_contained(void **state) {
    (void)state;
    fr_mesh *box = shape("box");
    for (uint32_t i = 0; i < 6; i++) {
        double end = i < 3 ? 2.0 : 0.375;
        const double points[9] = {0, 0.125, 0.0625, end, 0.125, 0.0625, 0.5 * end, 0.125, 0.0625};
        const uint32_t corners[3] = {i % 3, (i + 1) % 3, (i + 2) % 3};
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_double = points;
        def.vertex_count = 3;
        def.triangles = corners;
        def.triangle_count = 1;
        fr_mesh *needle;
        assert_int_equal(fr_mesh_create(&def, &needle, NULL), FR_OK);
        const fr_clash_part parts[2] = {part_at(box, 0, 0, 0, 1), part_at(needle, 0, 0, 0, 1)};
        query q = begin(parts, 2);
        find(&q);
        assert_int_equal(q.output.count, 1);
        assert_int_equal(q.output.clashes[0].kind, i < 3 ? FR_CLASH_PENETRATING : FR_CLASH_CONTAINED);
        fr_clash_finder_destroy(q.finder);
        fr_mesh_release(needle);
    }
    fr_mesh_release(box);
}

// Spheres of radius 1 whose centres are 1.75 apart: with a tolerance over the depth they touch, and so do spheres
// apart.
static void a_tolerance_lets_parts_touch(void **state) {
    (void)state;
    fr_mesh *sphere = shape("sphere_168");
    fr_clash_part parts[2] = {part_at(sphere, 0, 0, 0, 1), part_at(sphere, 1.75, 0, 0, 1)};
    query q = begin(parts, 2);
    find(&q);
    double depth = q.output.clashes[0].depth;
    assert_true(q.output.clashes[0].kind == FR_CLASH_PENETRATING && depth > 0.1 && depth < 0.25);
    q.input.tolerance = depth;
    find(&q);
    assert_true(q.output.clashes[0].kind == FR_CLASH_TOUCHING && q.output.clashes[0].depth == depth);
    parts[1] = part_at(sphere, 1.9375, 0, 0, 1);
    find(&q);
    assert_true(q.output.count == 1 && q.output.clashes[0].kind == FR_CLASH_TOUCHING);
    assert_true(q.output.clashes[0].shared_count == 0 && q.output.clashes[0].count > 0);
    q.input.tolerance = 0.0;
    find(&q);
    assert_int_equal(q.output.count, 0);
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(sphere);
}

static void nothing_and_one_part_do_not_clash(void **state) {
    (void)state;
    fr_mesh *box = shape("box");
    const fr_clash_part part = part_at(box, 0, 0, 0, 1);
    query q = begin(&part, 0);
    find(&q);
    assert_int_equal(q.output.count, 0);
    q.input.part_count = 1;
    find(&q);
    assert_int_equal(q.output.count, 0);
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(box);
}

// A single triangle has no inside: it crosses, without a depth of the box's corners in it. One that is only a segment
// and one that is only a point count as what they are.
static void degenerate_and_open_parts_clash(void **state) {
    (void)state;
    fr_mesh *box = shape("box"), *flat[3];
    const float corners[3][9] = {
        {0, 0, 0, 2, 0, 0, 0, 2, 0}, {0, 0, 0, 2, 0, 0, 1, 0, 0}, {0.25f, 0, 0, 0.25f, 0, 0, 0.25f, 0, 0}};
    const uint32_t triangle[3] = {0, 1, 2};
    fr_clash_part parts[4] = {part_at(box, 0, 0, 0, 1)};
    for (int i = 0; i < 3; i++) {
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_float = corners[i];
        def.vertex_count = 3;
        def.triangles = triangle;
        def.triangle_count = 1;
        assert_int_equal(fr_mesh_create(&def, &flat[i], NULL), FR_OK);
        parts[i + 1] = part_at(flat[i], 0, 0, 0, 1);
    }
    query q = begin(parts, 4);
    find(&q);
    assert_true(q.output.count >= 2);
    for (size_t i = 0; i < q.output.count; i++) {
        const fr_clash *c = &q.output.clashes[i];
        if (c->a == 0 && c->b == 1) { assert_int_equal(c->kind, FR_CLASH_PENETRATING); }
        if (c->a == 0 && c->b == 3) { assert_int_equal(c->kind, FR_CLASH_CONTAINED); }
    }
    fr_clash_finder_destroy(q.finder);
    for (int i = 0; i < 3; i++) {
        fr_mesh_release(flat[i]);
    }
    fr_mesh_release(box);
}

// ---------------------------------------------------------------------------------------------------------------
// Threads, stopping, memory

static uint64_t hash_output(const fr_clash_output *o) {
    uint64_t hash = fr_hash(&o->count, sizeof o->count, 1);
    for (size_t i = 0; i < o->count; i++) {
        const fr_clash *c = &o->clashes[i];
        const uint64_t numbers[] = {c->a, c->b, (uint64_t)c->kind, c->shared_count, c->first, c->count};
        hash = fr_hash(numbers, sizeof numbers, hash);
        hash = fr_hash(&c->depth, sizeof c->depth, hash);
        hash = fr_hash(c->region.points, c->region.point_count * sizeof(fr_vec3), hash);
        hash = fr_hash(c->region.lines, c->region.line_count * sizeof(fr_contact_line), hash);
    }
    return hash;
}

#define MANY 60

// Spheres and boxes in a small place, by a stream of random numbers.
static void scatter(fr_mesh *box, fr_mesh *sphere, fr_clash_part parts[MANY]) {
    fr_random random = fr_random_seed(21);
    for (int i = 0; i < MANY; i++) {
        double n[4];
        for (int k = 0; k < 4; k++) {
            n[k] = fr_random_between(&random, 0.0, 1.0);
        }
        parts[i] = part_at(i % 2 == 0 ? box : sphere, 4 * n[0], 4 * n[1], 4 * n[2], 0.25 + n[3]);
    }
}

static void threads_make_no_difference(void **state) {
    (void)state;
    fr_mesh *box = shape("box"), *sphere = shape("sphere_168");
    fr_clash_part parts[MANY];
    scatter(box, sphere, parts);
    query q = begin(parts, MANY);
    find(&q);
    uint64_t hash = hash_output(&q.output);
    assert_true(q.output.count > MANY);
    for (int workers = 2; workers <= 8; workers *= 2) {
        fr_task_pool_def def = fr_default_task_pool_def();
        def.worker_count = workers;
        fr_task_pool *pool;
        assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
        fr_tasks tasks = fr_task_pool_tasks(pool);
        q.input.tasks = &tasks;
        find(&q);
        assert_true(hash_output(&q.output) == hash);
        fr_task_pool_destroy(pool);
    }
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(box);
    fr_mesh_release(sphere);
}

static bool stop_after(void *user) { return --*(int *)user < 0; }

static void it_can_be_stopped_at_any_time(void **state) {
    (void)state;
    fr_mesh *box = shape("box"), *sphere = shape("sphere_168");
    fr_clash_part parts[MANY];
    scatter(box, sphere, parts);
    query q = begin(parts, MANY);
    fr_status status = FR_ERROR_STOPPED;
    for (int calls = 0; status == FR_ERROR_STOPPED; calls = 2 * calls + 1) {
        int left = calls;
        const fr_control control = {.stop = stop_after, .user = &left};
        q.input.control = &control;
        status = fr_clash_find(q.finder, &q.input, &q.output, NULL);
        if (status == FR_ERROR_STOPPED) { assert_int_equal(q.output.count, 0); }
    }
    assert_int_equal(status, FR_OK);
    fr_clash_finder_destroy(q.finder);
    fr_mesh_release(box);
    fr_mesh_release(sphere);
}

static fr_status find_with(const fr_allocator *allocator, void *context) {
    fr_clash_finder *finder = NULL;
    fr_status status = fr_clash_finder_create(allocator, &finder, NULL);
    fr_clash_output output;
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        status = fr_clash_find(finder, context, &output, NULL);
    }
    fr_clash_finder_destroy(finder);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    fr_mesh *box = shape("box"), *sphere = shape("sphere_24");
    const fr_clash_part parts[] = {part_at(box, 0, 0, 0, 1), part_at(sphere, 0.75, 0, 0, 0.5),
                                   part_at(box, 0, 0.75, 0, 1)};
    fr_clash_input input = fr_default_clash_input();
    input.parts = parts;
    input.part_count = 3;
    assert_true(test_every_failure(find_with, &input) > 20);
    fr_mesh_release(box);
    fr_mesh_release(sphere);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_input_is_refused),          cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(kinds_and_depths_are_as_known),   cmocka_unit_test(a_needle_that_sticks_out_is_not_contained),
        cmocka_unit_test(a_tolerance_lets_parts_touch),    cmocka_unit_test(nothing_and_one_part_do_not_clash),
        cmocka_unit_test(degenerate_and_open_parts_clash), cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(it_can_be_stopped_at_any_time),   cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
