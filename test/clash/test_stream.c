// Clashes of parts whose meshes are made when they are needed: the same as of fr_clash_find for any limit, wrong input,
// limits kept, meshes that fail, threads, stopping, memory.
#include "failing.h"
#include "fureai/clash_stream.h"
#include "fureai/fureai.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SHAPES 12
#define MAX_PARTS 160

// An assembly, as both queries want it.
typedef struct assembly {
    fr_mesh *meshes[MAX_SHAPES];
    fr_clash_shape shapes[MAX_SHAPES];
    uint32_t shape_count;
    fr_clash_instance parts[MAX_PARTS];
    uint32_t part_count;
    char names[MAX_PARTS][24];
    const char *name_list[MAX_PARTS];
    fr_clash_rule rules[2];
    uint32_t failing; // the shape that cannot be made; FR_NONE: all can
    atomic_uint made;
} assembly;

static fr_status give(uint32_t shape, const fr_control *control, fr_mesh **out, void *user, fr_error *error) {
    (void)control;
    assembly *a = user;
    atomic_fetch_add(&a->made, 1);
    if (shape == a->failing) { return fr_error_set(error, FR_ERROR_FILE, "shape %u is gone", shape); }
    *out = fr_mesh_retain(a->meshes[shape]);
    return FR_OK;
}

static void add_shape(assembly *a, const char *name) {
    fr_mesh **mesh = &a->meshes[a->shape_count];
    assert_int_equal(fr_mesh_create_named(name, NULL, mesh, NULL), FR_OK);
    const fr_mesh_view *view = fr_mesh_get(*mesh);
    a->shapes[a->shape_count++] = (fr_clash_shape){view->bounds, view->triangle_count};
}

static void add_part(assembly *a, uint32_t shape, fr_pose pose) {
    uint32_t i = a->part_count++;
    a->parts[i] = (fr_clash_instance){shape, pose};
    snprintf(a->names[i], sizeof a->names[i], "%s.%u", i % 3 == 0 ? "bolt" : i % 3 == 1 ? "plate" : "pipe", i);
    a->name_list[i] = a->names[i];
}

static void destroy_assembly(assembly *a) {
    for (uint32_t i = 0; i < a->shape_count; i++) {
        fr_mesh_release(a->meshes[i]);
    }
    free(a);
}

// Shapes in a small place, turned or not; some of them twice in one place, by their own shape or by an equal one.
static assembly *make_assembly(uint64_t seed) {
    assembly *a = calloc(1, sizeof *a);
    assert_non_null(a);
    static const char *const names[] = {"box", "sphere_24", "sphere_168", "box", "capsule", "sphere_24"};
    for (int i = 0; i < 6; i++) {
        add_shape(a, names[i]);
    }
    a->failing = FR_NONE;
    fr_random random = fr_random_seed(seed);
    uint32_t count = (uint32_t)fr_random_between(&random, 2.0, 90.0);
    double edge = fr_random_between(&random, 4.0, 16.0);
    for (uint32_t i = 0; i < count; i++) {
        fr_pose pose = fr_pose_identity();
        pose.position.x = fr_random_between(&random, 0.0, edge);
        pose.position.y = fr_random_between(&random, 0.0, edge);
        pose.position.z = fr_random_between(&random, 0.0, edge);
        pose.scale = fr_random_between(&random, 0.0, 1.0) < 0.5 ? 1.0 : fr_random_between(&random, 0.25, 1.5);
        if (fr_random_between(&random, 0.0, 1.0) < 0.5) {
            fr_vec3 axis = {fr_random_between(&random, -1.0, 1.0), fr_random_between(&random, -1.0, 1.0), 1.0};
            pose.rotation = fr_quat_from_axis_angle(axis, fr_random_between(&random, 0.0, 3.0));
        }
        uint32_t shape = (uint32_t)fr_random_between(&random, 0.0, 6.0);
        add_part(a, shape, pose);
        double dice = fr_random_between(&random, 0.0, 1.0);
        uint32_t equal = shape == 0 ? 3 : shape == 3 ? 0 : shape == 1 ? 5 : shape == 5 ? 1 : shape;
        for (int k = 0; k < 2 && dice < 0.2; k++, dice += 0.1) {
            add_part(a, k == 0 ? equal : shape, pose);
        }
    }
    return a;
}

// The same parts in one piece.
static fr_clash_input plain_input(const assembly *a, fr_clash_part *parts) {
    for (uint32_t i = 0; i < a->part_count; i++) {
        parts[i] = (fr_clash_part){a->meshes[a->parts[i].shape], a->parts[i].pose};
    }
    fr_clash_input input = fr_default_clash_input();
    input.parts = parts;
    input.part_count = a->part_count;
    return input;
}

static fr_clash_stream_input stream_input(assembly *a) {
    fr_clash_stream_input input = fr_default_clash_stream_input();
    input.shapes = a->shapes;
    input.shape_count = a->shape_count;
    input.parts = a->parts;
    input.part_count = a->part_count;
    input.make = give;
    input.user = a;
    return input;
}

// All bits, with each clash's own pairs of triangles.
static void assert_equal_outputs(const fr_clash_output *x, const fr_clash_output *y) {
    assert_int_equal(x->count, y->count);
    assert_int_equal(x->group_count, y->group_count);
    for (size_t i = 0; i < x->count; i++) {
        const fr_clash *c = &x->clashes[i], *d = &y->clashes[i];
        assert_int_equal(c->a, d->a);
        assert_int_equal(c->b, d->b);
        assert_int_equal(c->kind, d->kind);
        assert_int_equal(c->shared_count, d->shared_count);
        assert_memory_equal(&c->depth, &d->depth, sizeof c->depth);
        assert_memory_equal(&c->distance, &d->distance, sizeof c->distance);
        assert_int_equal(c->group, d->group);
        assert_int_equal(c->count, d->count);
        assert_true(d->first + d->count <= y->pair_count);
        for (size_t k = 0; k < c->count; k++) {
            assert_memory_equal(&x->pairs[c->first + k], &y->pairs[d->first + k], sizeof(fr_face_pair));
        }
        assert_int_equal(c->region.point_count, d->region.point_count);
        assert_int_equal(c->region.line_count, d->region.line_count);
        for (size_t k = 0; k < c->region.point_count; k++) {
            assert_memory_equal(&c->region.points[k], &d->region.points[k], sizeof(fr_vec3));
        }
        for (size_t k = 0; k < c->region.line_count; k++) {
            assert_memory_equal(&c->region.lines[k], &d->region.lines[k], sizeof(fr_contact_line));
        }
    }
    for (size_t i = 0; i < x->group_count; i++) {
        assert_int_equal(x->groups[i].first, y->groups[i].first);
        assert_int_equal(x->groups[i].count, y->groups[i].count);
    }
}

static fr_clash_finder *make_finder(void) {
    fr_clash_finder *finder;
    assert_int_equal(fr_clash_finder_create(NULL, &finder, NULL), FR_OK);
    return finder;
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static fr_status try_stream(const fr_clash_stream_input *input, const char *word) {
    fr_clash_finder *finder = make_finder();
    fr_clash_output output;
    fr_error error = {0};
    fr_status status = fr_clash_find_stream(finder, input, &output, NULL, &error);
    if (status != FR_OK) {
        assert_int_equal(output.count, 0);
        assert_non_null(strstr(error.message, word));
    }
    fr_clash_finder_destroy(finder);
    return status;
}

static void wrong_input_is_refused(void **state) {
    (void)state;
    assembly *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->failing = FR_NONE;
    add_shape(a, "box");
    add_part(a, 0, fr_pose_identity());
    add_part(a, 0, fr_pose_identity());
    a->parts[1].pose.position.x = 0.5;
    fr_clash_stream_input input = stream_input(a);
    assert_int_equal(try_stream(&input, ""), FR_OK);
    input.cookie = 0;
    assert_int_equal(try_stream(&input, "fr_default_clash_stream_input"), FR_ERROR_ARGUMENT);
    input = stream_input(a);
    input.make = NULL;
    assert_int_equal(try_stream(&input, "missing"), FR_ERROR_ARGUMENT);
    input = stream_input(a);
    input.tolerance = -1.0;
    assert_int_equal(try_stream(&input, "tolerance"), FR_ERROR_ARGUMENT);
    input = stream_input(a);
    input.clearance = FR_UNKNOWN;
    assert_int_equal(try_stream(&input, "clearance"), FR_ERROR_ARGUMENT);
    a->parts[1].shape = 1;
    assert_int_equal(try_stream(&input, "clearance"), FR_ERROR_ARGUMENT);
    input = stream_input(a);
    assert_int_equal(try_stream(&input, "shape 1 of 1"), FR_ERROR_ARGUMENT);
    a->parts[1].shape = 0;
    a->parts[1].pose.position.x = (double)INFINITY;
    assert_int_equal(try_stream(&input, ""), FR_ERROR_NOT_FINITE);
    a->parts[1].pose.position.x = 0.5;
    a->shapes[0].triangle_count++;
    assert_int_equal(try_stream(&input, "other triangles"), FR_ERROR_ARGUMENT);
    a->shapes[0].triangle_count--;
    a->shapes[0].bounds.max.y = 0.25;
    assert_int_equal(try_stream(&input, "other triangles or bounds"), FR_ERROR_ARGUMENT);
    a->shapes[0].bounds = fr_bounds_empty();
    assert_int_equal(try_stream(&input, "no bounds"), FR_ERROR_ARGUMENT);
    a->shapes[0].bounds = fr_mesh_get(a->meshes[0])->bounds;
    a->failing = 0;
    assert_int_equal(try_stream(&input, "shape 0 is gone"), FR_ERROR_FILE);
    a->failing = FR_NONE;
    assert_int_equal(try_stream(&input, ""), FR_OK);
    input.part_count = 0;
    assert_int_equal(try_stream(&input, ""), FR_OK);
    destroy_assembly(a);
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

// Boxes in a long row, each with a shape of its own: with room for four at once each is made once, and parts without a
// neighbour are not made at all.
static void few_meshes_are_there_at_once(void **state) {
    (void)state;
    assembly *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->failing = FR_NONE;
    for (uint32_t i = 0; i < MAX_SHAPES; i++) {
        add_shape(a, "box");
        fr_pose pose = fr_pose_identity();
        pose.position.x = i < 10 ? 0.875 * i : 100.0 * i;
        add_part(a, i, pose);
    }
    fr_clash_stream_input input = stream_input(a);
    input.memory = 4 * 12 * FR_CLASH_TRIANGLE_BYTES;
    fr_clash_finder *finder = make_finder();
    fr_clash_output output;
    fr_clash_stream_stats stats;
    assert_int_equal(fr_clash_find_stream(finder, &input, &output, &stats, NULL), FR_OK);
    assert_int_equal(output.count, 9);
    assert_int_equal(stats.made_count, 10);
    assert_int_equal(atomic_load(&a->made), 10);
    assert_true(stats.batch_count > 1 && stats.max_bytes <= input.memory && stats.max_bytes > 0);
    fr_clash_finder_destroy(finder);
    destroy_assembly(a);
}

// A flat square three times: the first two are too far apart to be the same, but the third is the same as both.
static void flat_parts_that_are_nearly_the_same_are_duplicates(void **state) {
    (void)state;
    assembly *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->failing = FR_NONE;
    const double points[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = points;
    def.vertex_count = 4;
    def.triangles = corners;
    def.triangle_count = 2;
    assert_int_equal(fr_mesh_create(&def, &a->meshes[0], NULL), FR_OK);
    a->shapes[0] = (fr_clash_shape){fr_mesh_get(a->meshes[0])->bounds, 2};
    a->shape_count = 1;
    for (int i = 0; i < 3; i++) {
        fr_pose pose = fr_pose_identity();
        pose.position.z = 1e-9 * (i == 0 ? 0.0 : i == 1 ? 2.4 : 1.2); // the middle one comes last
        add_part(a, 0, pose);
    }
    fr_clash_part parts[3];
    const fr_clash_input plain = plain_input(a, parts);
    fr_clash_stream_input input = stream_input(a);
    fr_clash_finder *finders[2] = {make_finder(), make_finder()};
    fr_clash_output expected, output;
    assert_int_equal(fr_clash_find(finders[0], &plain, &expected, NULL), FR_OK);
    assert_int_equal(expected.count, 2);
    assert_true(expected.clashes[1].kind == FR_CLASH_DUPLICATE && expected.clashes[1].a == 0);
    assert_int_equal(fr_clash_find_stream(finders[1], &input, &output, NULL, NULL), FR_OK);
    assert_equal_outputs(&expected, &output);
    input.part_count = 1;
    a->parts[0].shape = 7;
    assert_int_equal(fr_clash_find_stream(finders[1], &input, &output, NULL, NULL), FR_ERROR_ARGUMENT);
    fr_clash_finder_destroy(finders[0]);
    fr_clash_finder_destroy(finders[1]);
    destroy_assembly(a);
}

// ---------------------------------------------------------------------------------------------------------------
// Random against fr_clash_find

static void choose_rules(assembly *a, fr_random *random, fr_clash_input *plain, fr_clash_stream_input *input) {
    bool is_ignoring = fr_random_between(random, 0.0, 1.0) < 0.5;
    a->rules[0] = (fr_clash_rule){is_ignoring ? FR_CLASH_RULE_IGNORE : FR_CLASH_RULE_ONLY, "bolt*", "p*", 0.0};
    a->rules[1] = (fr_clash_rule){FR_CLASH_RULE_CLEARANCE, "pipe*", "*", 0.25};
    plain->names = input->names = a->name_list;
    plain->rules = input->rules = a->rules;
    plain->rule_count = input->rule_count = 2;
}

static uint32_t largest_shape(const assembly *a) {
    uint32_t largest = 0;
    for (uint32_t i = 0; i < a->shape_count; i++) {
        uint32_t count = a->shapes[i].triangle_count;
        largest = count > largest ? count : largest;
    }
    return largest;
}

static void every_limit_gives_the_same(void **state) {
    (void)state;
    uint64_t rounds = test_count(24, 4000);
    size_t clashes = 0, duplicates = 0, batches = 0;
    for (uint64_t round = 0; round < rounds; round++) {
        if (!test_is_in_part(round, rounds)) { continue; }
        assembly *a = make_assembly(round);
        fr_random random = fr_random_seed(round + 77);
        static fr_clash_part parts[MAX_PARTS * 3];
        fr_clash_input plain = plain_input(a, parts);
        fr_clash_stream_input input = stream_input(a);
        double dice = fr_random_between(&random, 0.0, 1.0);
        if (dice < 0.3) { plain.tolerance = input.tolerance = 0.01; }
        if (dice > 0.1 && dice < 0.5) { plain.clearance = input.clearance = 0.125; }
        if (dice > 0.4 && dice < 0.8) { choose_rules(a, &random, &plain, &input); }
        fr_clash_finder *finders[2] = {make_finder(), make_finder()};
        fr_clash_output expected, output;
        assert_int_equal(fr_clash_find(finders[0], &plain, &expected, NULL), FR_OK);
        const size_t limits[] = {0, 1, 300 * FR_CLASH_TRIANGLE_BYTES, 60 * FR_CLASH_TRIANGLE_BYTES};
        for (int i = 0; i < 4; i++) {
            input.memory = limits[i];
            fr_clash_stream_stats stats;
            fr_status status = fr_clash_find_stream(finders[1], &input, &output, &stats, NULL);
            assert_int_equal(status, FR_OK);
            assert_equal_outputs(&expected, &output);
            // The limit is kept, but for two meshes that meet.
            size_t pair = 2 * (size_t)largest_shape(a) * FR_CLASH_TRIANGLE_BYTES;
            assert_true(limits[i] == 0 || stats.max_bytes <= (limits[i] > pair ? limits[i] : pair));
            batches += stats.batch_count;
        }
        clashes += expected.count;
        for (size_t i = 0; i < expected.count; i++) {
            duplicates += expected.clashes[i].kind == FR_CLASH_DUPLICATE;
        }
        fr_clash_finder_destroy(finders[0]);
        fr_clash_finder_destroy(finders[1]);
        destroy_assembly(a);
    }
    assert_true(clashes > 5 * rounds && duplicates > rounds / 4 && batches > 10 * rounds);
}

// ---------------------------------------------------------------------------------------------------------------
// Threads, stopping, memory

static void threads_make_no_difference(void **state) {
    (void)state;
    assembly *a = make_assembly(5);
    fr_clash_finder *finders[2] = {make_finder(), make_finder()};
    fr_clash_stream_input input = stream_input(a);
    input.memory = 400 * FR_CLASH_TRIANGLE_BYTES;
    fr_clash_output expected, output;
    assert_int_equal(fr_clash_find_stream(finders[0], &input, &expected, NULL, NULL), FR_OK);
    assert_true(expected.count > 10);
    for (int workers = 2; workers <= 4; workers *= 2) {
        fr_task_pool_def def = fr_default_task_pool_def();
        def.worker_count = test_workers(workers);
        fr_task_pool *pool;
        assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
        fr_tasks tasks = fr_task_pool_tasks(pool);
        input.tasks = &tasks;
        assert_int_equal(fr_clash_find_stream(finders[1], &input, &output, NULL, NULL), FR_OK);
        assert_equal_outputs(&expected, &output);
        fr_task_pool_destroy(pool);
    }
    fr_clash_finder_destroy(finders[0]);
    fr_clash_finder_destroy(finders[1]);
    destroy_assembly(a);
}

static bool stop_after(void *user) { return --*(int *)user < 0; }

static void it_can_be_stopped_at_any_time(void **state) {
    (void)state;
    assembly *a = make_assembly(5);
    fr_clash_finder *finder = make_finder();
    fr_clash_stream_input input = stream_input(a);
    input.memory = 400 * FR_CLASH_TRIANGLE_BYTES;
    fr_status status = FR_ERROR_STOPPED;
    fr_clash_output output;
    int tries = 0;
    for (int calls = 0; status == FR_ERROR_STOPPED; calls = 2 * calls + 1, tries++) {
        int left = calls;
        const fr_control control = {.stop = stop_after, .user = &left};
        input.control = &control;
        status = fr_clash_find_stream(finder, &input, &output, NULL, NULL);
        if (status == FR_ERROR_STOPPED) { assert_int_equal(output.count, 0); }
    }
    assert_true(status == FR_OK && tries > 3 && output.count > 10);
    fr_clash_finder_destroy(finder);
    destroy_assembly(a);
}

static fr_status find_with(const fr_allocator *allocator, void *context) {
    fr_clash_finder *finder = NULL;
    fr_status status = fr_clash_finder_create(allocator, &finder, NULL);
    fr_clash_output output;
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        status = fr_clash_find_stream(finder, context, &output, NULL, NULL);
    }
    fr_clash_finder_destroy(finder);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assembly *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->failing = FR_NONE;
    add_shape(a, "box");
    add_shape(a, "sphere_24");
    for (int i = 0; i < 5; i++) {
        fr_pose pose = fr_pose_identity();
        pose.position.x = i == 4 ? 0.875 * 3 : 0.875 * i;
        add_part(a, i == 1 ? 1 : 0, pose);
    }
    fr_clash_stream_input input = stream_input(a);
    input.memory = 1;
    a->rules[0] = (fr_clash_rule){FR_CLASH_RULE_IGNORE, "bolt*", "x*", 0.0};
    input.names = a->name_list;
    input.rules = a->rules;
    input.rule_count = 1;
    assert_true(test_every_failure(find_with, &input) > 20);
    destroy_assembly(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(few_meshes_are_there_at_once),
        cmocka_unit_test(flat_parts_that_are_nearly_the_same_are_duplicates),
        cmocka_unit_test(every_limit_gives_the_same),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(it_can_be_stopped_at_any_time),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
