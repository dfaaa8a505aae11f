// Clashes that ranks look for together: each rank gets what one process gets, bit for bit, at rest and in motion.
#include "collide/thread_ranks.h"
#include "failing.h"
#include "frame.h"
#include "fureai/clash.h"

#include <string.h>

enum { PARTS = 60 };

static const uint32_t rank_counts[] = {1, 2, 3, 4, 8};

// Parts of a few meshes, near and in one another; some twice in one place.
typedef struct assembly {
    fr_mesh *meshes[4];
    fr_clash_part parts[PARTS];
    const char *names[PARTS];
    char text[PARTS][24];
} assembly;

static void make_assembly(assembly *a, uint64_t seed) {
    static const char *const shapes[] = {"box", "sphere:6x12", "sphere:10x20", "box"};
    fr_random r = fr_random_seed(seed);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(fr_mesh_create_named(shapes[i], NULL, &a->meshes[i], NULL), FR_OK);
    }
    for (int i = 0; i < PARTS; i++) {
        fr_clash_part *p = &a->parts[i];
        *p = (fr_clash_part){a->meshes[fr_random_below(&r, 4)], fr_pose_identity()};
        double reach = 2.0, turn = fr_random_below(&r, 2) == 0 ? 1.0 : 0.0;
        double x = fr_random_between(&r, -reach, reach), y = fr_random_between(&r, -reach, reach);
        p->pose.position = fr_vec3_make(x, y, fr_random_between(&r, -reach, reach));
        p->pose.rotation = fr_quat_from_vector(fr_vec3_make(turn * x, turn * y, 0.3 * turn));
        p->pose.scale = fr_random_below(&r, 5) == 0 ? 0.2 : 0.7;
        if (i > 0 && fr_random_below(&r, 15) == 0) { *p = a->parts[i - 1]; }
        snprintf(a->text[i], sizeof a->text[i], "%s.%d", i % 3 == 0 ? "bolt" : "plate", i);
        a->names[i] = a->text[i];
    }
}

static void free_assembly(assembly *a) {
    for (int i = 0; i < 4; i++) {
        fr_mesh_release(a->meshes[i]);
    }
}

typedef struct rank_query {
    fr_clash_input input;
    const fr_allocator *allocator;
    fr_clash_finder *finder;
    fr_clash_output output;
    fr_status status;
    fr_error error;
} rank_query;

static void query_as_rank(rank_query *q) {
    q->status = fr_clash_finder_create(q->allocator, &q->finder, &q->error);
    for (int i = 0; i < 2 && q->status == FR_OK; i++) {
        q->status = fr_clash_find(q->finder, &q->input, &q->output, &q->error);
    }
}

static void *be_rank(void *context) {
    thread_rank *rank = context;
    rank_query *q = rank->context;
    q->input.exchange = &rank->exchange;
    query_as_rank(q);
    thread_leave(rank);
    return NULL;
}

static bool same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static void check_region(const fr_contact_region *a, const fr_contact_region *b) {
    assert_true(a->point_count == b->point_count && a->line_count == b->line_count);
    if (a->point_count > 0) { assert_memory_equal(a->points, b->points, a->point_count * sizeof *a->points); }
    if (a->line_count > 0) { assert_memory_equal(a->lines, b->lines, a->line_count * sizeof *a->lines); }
}

static void check_output(const fr_clash_output *a, const fr_clash_output *b) {
    assert_true(a->count == b->count && a->pair_count == b->pair_count && a->group_count == b->group_count);
    for (size_t i = 0; i < a->count; i++) {
        const fr_clash *p = &a->clashes[i], *q = &b->clashes[i];
        assert_true(p->a == q->a && p->b == q->b && p->kind == q->kind && p->group == q->group);
        assert_true(p->shared_count == q->shared_count && p->first == q->first && p->count == q->count);
        assert_true(same_double(p->depth, q->depth) && same_double(p->distance, q->distance));
        check_region(&p->region, &q->region);
    }
    if (a->pair_count > 0) { assert_memory_equal(a->pairs, b->pairs, a->pair_count * sizeof *a->pairs); }
    for (size_t i = 0; i < a->group_count; i++) {
        const fr_clash_group *p = &a->groups[i], *q = &b->groups[i];
        assert_true(p->kind == q->kind && p->first == q->first && p->count == q->count);
        assert_true(same_double(p->max_depth, q->max_depth) && same_double(p->min_distance, q->min_distance));
    }
}

static void end_queries(rank_query *queries, uint32_t count) {
    for (uint32_t r = 0; r < count; r++) {
        fr_clash_finder_destroy(queries[r].finder);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// At rest

static void random_assemblies_are_those_of_one_process(void **state) {
    (void)state;
    uint64_t count = test_count(8, 100), kinds = 0;
    static assembly a;
    for (uint64_t seed = 0; seed < count; seed++) {
        make_assembly(&a, seed);
        rank_query alone = {.input = fr_default_clash_input()};
        const fr_clash_rule rule = {FR_CLASH_RULE_IGNORE, "bolt*", "bolt*", 0.0};
        alone.input.parts = a.parts;
        alone.input.part_count = seed % 10 == 9 ? seed / 10 % 3 : PARTS; // none, one and two parts, too
        alone.input.names = seed % 2 == 0 ? a.names : NULL;
        alone.input.rules = &rule;
        alone.input.rule_count = seed % 4 == 0;
        alone.input.clearance = seed % 3 == 0 ? 0.1 : 0.0;
        alone.input.tolerance = seed % 5 == 0 ? 0.02 : 0.0;
        query_as_rank(&alone);
        assert_int_equal(alone.status, FR_OK);
        for (size_t i = 0; i < alone.output.count; i++) {
            kinds |= UINT64_C(1) << alone.output.clashes[i].kind;
        }
        rank_query queries[THREAD_MOST_RANKS] = {0};
        uint32_t ranks = rank_counts[seed % 5];
        for (uint32_t r = 0; r < ranks; r++) {
            queries[r].input = alone.input;
        }
        static thread_group group;
        thread_ranks_run(&group, ranks, (fr_exchange_cut)(seed % 2), be_rank, queries, sizeof queries[0]);
        for (uint32_t r = 0; r < ranks; r++) {
            if (queries[r].status != FR_OK) { fail_msg("rank %u: %s", r, queries[r].error.message); }
            check_output(&queries[r].output, &alone.output);
        }
        end_queries(queries, ranks);
        fr_clash_finder_destroy(alone.finder);
        free_assembly(&a);
    }
    assert_int_equal(kinds, (1 << FR_CLASH_KIND_COUNT) - 1); // every kind was among them
}

// ---------------------------------------------------------------------------------------------------------------
// In motion

// A world of balls that roll through one another; `user` is how far they go a step.
static fr_status move_balls(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const double *speed = user;
    for (uint32_t i = 0; i < fr_space_object_places(proposal->space); i++) {
        fr_wish wish = {.object = fr_space_object_at(proposal->space, i), .kind = FR_WISH_NEXT};
        wish.pose = fr_object_get(proposal->space, wish.object)->pose;
        wish.pose.position.x += *speed * (i % 2 == 0 ? 1.0 : -1.0);
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

typedef struct rank_motion {
    fr_world *world;
    fr_clash_finder *finder;
    fr_motion_clash_output output;
    const fr_exchange *exchange;
    double speed;
    fr_status status;
} rank_motion;

static fr_status make_world(rank_motion *m, const fr_mesh *mesh) {
    fr_world_def def = fr_default_world_def();
    def.sense = FR_SENSE_CONTINUOUS;
    def.want = FR_WANT_INTERVALS;
    fr_status status = fr_world_create(&def, &m->world, NULL);
    fr_random r = fr_random_seed(3);
    for (int i = 0; i < 12 && status == FR_OK; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = mesh;
        fr_object_def object = fr_default_object_def();
        object.parts = &part;
        object.part_count = 1;
        double side = i % 2 == 0 ? -2.0 : 2.0, y = fr_random_between(&r, -1.0, 1.0);
        object.pose.position = fr_vec3_make(side + 0.1 * i, y, fr_random_between(&r, -1.0, 1.0));
        object.pose.scale = 0.4;
        fr_object_id id;
        status = fr_object_add(fr_world_space(m->world), &object, &id, NULL);
    }
    m->speed = 0.3;
    const fr_corrector mover = {"balls", move_balls, &m->speed};
    return status == FR_OK ? fr_world_add_mover(m->world, &mover, NULL) : status;
}

static void find_motion(rank_motion *m) {
    fr_motion_clash_input input = fr_default_motion_clash_input();
    input.world = m->world;
    input.steps = 15;
    input.exchange = m->exchange;
    m->status = fr_clash_finder_create(NULL, &m->finder, NULL);
    if (m->status == FR_OK) { m->status = fr_clash_find_motion(m->finder, &input, &m->output, NULL); }
}

static void *be_moving_rank(void *context) {
    thread_rank *rank = context;
    rank_motion *m = rank->context;
    m->exchange = &rank->exchange;
    find_motion(m);
    thread_leave(rank);
    return NULL;
}

static void check_motion(const fr_motion_clash_output *a, const fr_motion_clash_output *b) {
    assert_true(a->count == b->count && a->count > 5 && !a->is_partial && same_double(a->until, b->until));
    for (size_t i = 0; i < a->count; i++) {
        const fr_motion_clash *p = &a->clashes[i], *q = &b->clashes[i];
        assert_true(p->a == q->a && p->b == q->b && p->kind == q->kind && p->is_lasting == q->is_lasting);
        assert_true(same_double(p->first, q->first) && same_double(p->at, q->at) && same_double(p->depth, q->depth));
        assert_true(p->interval_count == q->interval_count && p->triangle_count == q->triangle_count);
        if (p->interval_count > 0) {
            assert_memory_equal(p->intervals, q->intervals, p->interval_count * sizeof *p->intervals);
        }
        if (p->triangle_count > 0) {
            assert_memory_equal(p->triangles, q->triangles, p->triangle_count * sizeof *p->triangles);
        }
        check_region(&p->region, &q->region);
    }
}

static void motions_are_those_of_one_process(void **state) {
    (void)state;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("sphere:6x12", NULL, &mesh, NULL), FR_OK);
    rank_motion alone = {0};
    assert_int_equal(make_world(&alone, mesh), FR_OK);
    find_motion(&alone);
    assert_int_equal(alone.status, FR_OK);
    for (uint32_t k = 0; k < (uint32_t)test_count(2, 4); k++) {
        rank_motion motions[4] = {0};
        uint32_t ranks = 2 + k < 4 ? 2 + k : 4;
        for (uint32_t r = 0; r < ranks; r++) {
            assert_int_equal(make_world(&motions[r], mesh), FR_OK);
        }
        static thread_group group;
        thread_ranks_run(&group, ranks, (fr_exchange_cut)(k % 2), be_moving_rank, motions, sizeof motions[0]);
        for (uint32_t r = 0; r < ranks; r++) {
            assert_int_equal(motions[r].status, FR_OK);
            check_motion(&motions[r].output, &alone.output);
            fr_clash_finder_destroy(motions[r].finder);
            fr_world_destroy(motions[r].world);
        }
    }
    fr_clash_finder_destroy(alone.finder);
    fr_world_destroy(alone.world);
    fr_mesh_release(mesh);
}

// ---------------------------------------------------------------------------------------------------------------
// What goes wrong

static bool stop_at_once(void *user) {
    (void)user;
    return true;
}

static void one_rank_that_is_stopped_stops_all(void **state) {
    (void)state;
    static assembly a;
    make_assembly(&a, 1);
    const fr_control control = {.stop = stop_at_once};
    rank_query queries[3] = {0};
    for (int r = 0; r < 3; r++) {
        queries[r].input = fr_default_clash_input();
        queries[r].input.parts = a.parts;
        queries[r].input.part_count = PARTS;
    }
    queries[2].input.control = &control;
    static thread_group group;
    thread_ranks_run(&group, 3, FR_EXCHANGE_STATIC, be_rank, queries, sizeof queries[0]);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(queries[r].status, FR_ERROR_STOPPED);
        assert_int_equal(queries[r].output.count, 0);
    }
    end_queries(queries, 3);
    free_assembly(&a);
}

static void a_rank_with_other_parts_is_found(void **state) {
    (void)state;
    static assembly a;
    make_assembly(&a, 2);
    for (int k = 0; k < 2; k++) {
        rank_query queries[3] = {0};
        for (int r = 0; r < 3; r++) {
            queries[r].input = fr_default_clash_input();
            queries[r].input.parts = &a.parts[k == 0 && r == 1]; // one further
            queries[r].input.part_count = k == 1 && r == 1 ? PARTS - 2 : PARTS - 1;
        }
        static thread_group group;
        thread_ranks_run(&group, 3, FR_EXCHANGE_COUNTER, be_rank, queries, sizeof queries[0]);
        for (int r = 0; r < 3; r++) {
            assert_int_equal(queries[r].status, FR_ERROR_ARGUMENT);
        }
        end_queries(queries, 3);
    }
    free_assembly(&a);
}

static void memory_that_fails_on_a_rank_ends_all(void **state) {
    (void)state;
    static assembly a;
    make_assembly(&a, 1);
    rank_query alone = {.input = fr_default_clash_input()};
    alone.input.parts = a.parts;
    alone.input.part_count = 12;
    query_as_rank(&alone);
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    uint64_t failed = 0, tried = 0, count = 1;
    for (uint64_t n = 0; n <= count; n += n == 0 ? 1 : 1 + count / test_count(30, 300)) { // 0: to count them
        rank_query queries[3] = {0};
        for (int r = 0; r < 3; r++) {
            queries[r].input = alone.input;
        }
        queries[1].allocator = &allocator;
        fr_probe_fail(probe, n, true);
        static thread_group group;
        thread_ranks_run(&group, 3, (fr_exchange_cut)(n % 2), be_rank, queries, sizeof queries[0]);
        if (n == 0) { count = fr_probe_get(probe).allocations; }
        tried++;
        failed += queries[1].status != FR_OK;
        for (int r = 0; r < 3; r++) {
            bool is_failed = queries[r].status == FR_ERROR_MEMORY || queries[r].status == FR_ERROR_SYSTEM;
            assert_true(queries[r].status == FR_OK || is_failed);
            if (queries[r].status == FR_OK) { check_output(&queries[r].output, &alone.output); }
            if (is_failed) { assert_int_equal(queries[r].output.count, 0); }
        }
        end_queries(queries, 3);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    }
    assert_true(failed + 2 >= tried);
    fr_probe_destroy(probe);
    fr_clash_finder_destroy(alone.finder);
    free_assembly(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_assemblies_are_those_of_one_process),
        cmocka_unit_test(motions_are_those_of_one_process),
        cmocka_unit_test(one_rank_that_is_stopped_stops_all),
        cmocka_unit_test(a_rank_with_other_parts_is_found),
        cmocka_unit_test(memory_that_fails_on_a_rank_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
