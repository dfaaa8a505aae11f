// Faces that are distributed among ranks: for any number of ranks, and whoever gives which object, pairs, contacts and
// intervals are those of one process, bit for bit; and what one rank cannot do ends all.
#include "collide/moving_scenes.h"
#include "collide/thread_ranks.h"
#include "frame.h"

#include "fureai/collide_domain.h"

static const uint32_t rank_counts[] = {2, 3, 4, 8, 1};

// What a rank does, and what came of it.
typedef struct rank_query {
    fr_domain_input input;
    const fr_allocator *allocator; // of this rank; NULL: the default
    bool leaves;
    fr_domain *domain; // made by the first query
    fr_domain_output output;
    fr_status status;
    fr_error error;
} rank_query;

static void *be_rank(void *context) {
    thread_rank *rank = context;
    rank_query *q = rank->context;
    q->input.exchange = &rank->exchange;
    q->status = q->domain == NULL ? fr_domain_create(q->allocator, &q->domain, &q->error) : FR_OK;
    if (!q->leaves && q->status == FR_OK) { q->status = fr_domain_find(q->domain, &q->input, &q->output, &q->error); }
    thread_leave(rank);
    return NULL;
}

static void run_ranks(rank_query *queries, uint32_t count) {
    static thread_group group;
    thread_ranks_run(&group, count, FR_EXCHANGE_STATIC, be_rank, queries, sizeof queries[0]);
    for (uint32_t r = 0; r < count; r++) {
        assert_false(group.ranks[r].begins);
        if (queries[r].status != FR_OK || queries[r].leaves || count == 1) { continue; }
        const fr_domain_stats *stats = &queries[r].output.stats;
        assert_int_equal(group.ranks[r].gathers + group.ranks[r].all_to_alls, stats->gathers);
        assert_int_equal(stats->gathers, stats->is_cut ? 4 : 2);
    }
}

static void end_ranks(rank_query *queries, uint32_t count) {
    for (uint32_t r = 0; r < count; r++) {
        fr_domain_destroy(queries[r].domain);
        queries[r].domain = NULL;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Against one process

static void check_contacts(const fr_domain_output *out, const fr_collide_output *expected) {
    assert_true((out->contacts != NULL) == (expected->contacts != NULL) || out->pair_count == 0);
    for (size_t i = 0; i < out->pair_count && expected->contacts != NULL; i++) {
        fr_contact wanted = expected->contacts[i];
        wanted.a = (fr_object_id){.index1 = wanted.a.index1};
        wanted.b = (fr_object_id){.index1 = wanted.b.index1};
        assert_memory_equal(&out->contacts[i], &wanted, offsetof(fr_contact, flags) + sizeof wanted.flags);
    }
}

static void check_output(const fr_domain_output *out, const fr_collide_output *expected, uint64_t seed) {
    if (out->pair_count != expected->pair_count) {
        fail_msg("scene %d: %zu pairs, not %zu", (int)seed, out->pair_count, expected->pair_count);
    }
    if (out->pair_count > 0) { assert_memory_equal(out->pairs, expected->pairs, out->pair_count * sizeof *out->pairs); }
    check_contacts(out, expected);
    assert_int_equal(out->interval_count, expected->interval_count);
    if (out->interval_count > 0) {
        assert_memory_equal(out->intervals, expected->intervals, out->interval_count * sizeof *out->intervals);
    }
    assert_memory_equal(&out->free_time, &expected->free_time, sizeof out->free_time);
    assert_int_equal(out->is_partial, expected->is_partial);
}

static fr_collide_output find_alone(fr_collide *collide, const fr_domain_input *input) {
    fr_collide_input query = fr_default_collide_input();
    query.space = input->space;
    query.want = input->want;
    query.margin = input->margin;
    query.tolerance = input->tolerance;
    return input->is_over_step ? scene_ask_step(collide, &query) : scene_ask(collide, &query);
}

// Every held face has its middle, or the low corner of its box, in one domain: together they are all, once.
static void check_faces(const rank_query *queries, uint32_t count, const fr_space *space) {
    uint64_t given = 0, home = 0, faces = 0;
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        const fr_object_view *view = fr_object_get(space, fr_space_object_at(space, i)); // NULL: a hole
        faces += view == NULL || (view->flags & FR_OBJECT_GHOST) != 0 ? 0 : view->triangle_count;
    }
    for (uint32_t r = 0; r < count && count > 1; r++) {
        given += queries[r].output.stats.given_faces;
        home += queries[r].output.stats.home_faces;
        assert_true(queries[r].output.stats.held_faces >= queries[r].output.stats.home_faces);
    }
    if (count > 1) {
        assert_int_equal(given, faces);
        assert_int_equal(home, faces);
    }
}

static void check_step(rank_query *queries, uint32_t count, const fr_domain_input *input, uint64_t seed) {
    fr_collide *collide = scene_asker();
    fr_collide_output expected = find_alone(collide, input);
    run_ranks(queries, count);
    for (uint32_t r = 0; r < count; r++) {
        if (queries[r].status != FR_OK) { fail_msg("scene %d, rank %u: %s", (int)seed, r, queries[r].error.message); }
        check_output(&queries[r].output, &expected, seed);
    }
    check_faces(queries, count, input->space);
    fr_collide_destroy(collide);
}

// ---------------------------------------------------------------------------------------------------------------
// Spaces that hold a part of the scene

typedef struct share_space {
    fr_space *space;
    uint32_t numbers[64];
} share_space;

static void add_copy(const fr_space *from, fr_object_id id, share_space *to) {
    const fr_object_view *view = fr_object_get(from, id);
    fr_part_def parts[8];
    assert_true(view->part_count <= 8 && fr_space_object_places(to->space) < 64);
    for (uint32_t k = 0; k < view->part_count; k++) {
        fr_part_view part = fr_object_part(from, id, k);
        parts[k] = fr_default_part_def();
        parts[k].mesh = part.mesh;
        parts[k].pose = part.pose;
    }
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = view->part_count;
    def.pose = view->pose;
    def.pivot_local = view->pivot_local;
    def.filter = view->filter;
    def.flags = view->flags;
    fr_object_id copy;
    assert_int_equal(fr_object_add(to->space, &def, &copy, NULL), FR_OK);
    to->numbers[copy.index1 - 1] = id.index1 - 1;
}

// Moves what a rank has to where the whole scene has it.
static void follow(const fr_space *from, share_space *to) {
    for (uint32_t i = 0; i < fr_space_object_places(to->space); i++) {
        fr_object_id id = fr_space_object_at(to->space, i);
        const fr_object_view *view = fr_object_get(from, fr_space_object_at(from, to->numbers[i]));
        assert_int_equal(fr_object_set_pose(to->space, id, &view->pose, NULL), FR_OK);
        if (!view->is_moving) { continue; }
        assert_int_equal(fr_object_set_motion(to->space, id, &view->motion, &view->next, NULL), FR_OK);
    }
    assert_int_equal(fr_space_update(to->space, NULL, NULL), FR_OK);
}

// Deals the objects of a scene out to ranks, some of which may get none.
static void deal_out(fr_random *r, const fr_space *space, share_space *shares, uint32_t count) {
    for (uint32_t k = 0; k < count; k++) {
        shares[k].space = scene_space();
    }
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        add_copy(space, fr_space_object_at(space, i), &shares[fr_random_below(r, count)]);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Random scenes

static fr_domain_input random_input(fr_random *r, const fr_space *space, double unit) {
    fr_domain_input input = fr_default_domain_input();
    input.space = space;
    input.is_over_step = fr_random_below(r, 4) > 0;
    input.want = (fr_want)fr_random_below(r, 4);
    input.margin = fr_random_below(r, 3) == 0 ? 0.05 * unit : 0.0;
    input.imbalance = fr_random_below(r, 2) == 0 ? 1.0 : 1.2;
    return input;
}

// Several steps, of which some need another cut and some do not.
static void check_scene(uint64_t seed, uint64_t *cuts) {
    static scene_plan plan;
    fr_random r = fr_random_seed(seed + 55000);
    scene_random_plan(&r, seed % 7 == 3, &plan);
    fr_space *space = scene_build(&plan, &scene_as_it_is);
    fr_domain_input input = random_input(&r, space, plan.unit);
    uint32_t count = rank_counts[seed % 5];
    bool is_dealt = seed % 2 == 1;
    static share_space shares[THREAD_MOST_RANKS];
    rank_query queries[THREAD_MOST_RANKS] = {0};
    if (is_dealt) { deal_out(&r, space, shares, count); }
    for (int step = 0; step < 3; step++) {
        scene_random_motion(&r, space, step == 0 ? plan.unit : 0.01 * plan.unit, step == 0 ? 2.0 : 0.01);
        for (uint32_t k = 0; k < count; k++) {
            queries[k].input = input;
            if (!is_dealt) { continue; }
            follow(space, &shares[k]);
            queries[k].input.space = shares[k].space;
            queries[k].input.numbers = shares[k].numbers;
        }
        check_step(queries, count, &input, seed);
        *cuts += queries[0].output.stats.is_cut;
        assert_int_equal(fr_space_commit(space, NULL), FR_OK);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    }
    end_ranks(queries, count);
    for (uint32_t k = 0; k < count && is_dealt; k++) {
        fr_space_destroy(shares[k].space);
    }
    fr_space_destroy(space);
}

static void random_scenes_are_those_of_one_process(void **state) {
    (void)state;
    uint64_t count = test_count(60, 2000), cuts = 0;
    for (uint64_t seed = 0; seed < count; seed++) {
        check_scene(seed, &cuts);
    }
    print_message("%d queries, %d of them with a cut\n", (int)(3 * count), (int)cuts);
    assert_true(cuts > count && cuts < 3 * count);
}

// ---------------------------------------------------------------------------------------------------------------
// Larger ones

static void check_space(fr_space *space, bool is_over_step, double margin, uint64_t seed) {
    fr_domain_input input = fr_default_domain_input();
    input.space = space;
    input.is_over_step = is_over_step;
    input.want = FR_WANT_INTERVALS;
    input.margin = margin;
    for (int k = 0; k < 5; k++) {
        rank_query queries[THREAD_MOST_RANKS] = {0};
        for (uint32_t i = 0; i < rank_counts[k]; i++) {
            queries[i].input = input;
        }
        check_step(queries, rank_counts[k], &input, seed);
        end_ranks(queries, rank_counts[k]);
    }
}

static void balls_and_heaps_are_cut(void **state) {
    (void)state;
    fr_random r = fr_random_seed(6);
    fr_space *space = scene_two_spheres("sphere_3968", 0.7);
    check_space(space, false, 0.0, 0);
    scene_random_motion(&r, space, 0.2, 0.3);
    check_space(space, true, 0.0, 1);
    fr_space_destroy(space);
    space = scene_space();
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_sphere(0.5, 4, 8, FR_AXIS_X, NULL, &mesh, NULL), FR_OK);
    for (int i = 0; i < (int)test_count(200, 1600); i++) {
        (void)scene_add_at(space, mesh, scene_point(&r, 3.0), i % 50 == 7 ? FR_OBJECT_SELF : 0);
    }
    fr_mesh_release(mesh);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    check_space(space, false, 0.02, 2);
    fr_space_destroy(space);
}

// Vertices that go straight are sent with both ends.
static void soft_balls_are_cut_at_every_query(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < test_count(4, 100); seed++) {
        fr_random r = fr_random_seed(seed + 900);
        fr_space *space = scene_two_spheres("sphere_168", 0.9);
        for (uint32_t i = 0; i < 2; i++) {
            fr_object_id id = fr_space_object_at(space, i);
            const fr_mesh_view *mesh = fr_mesh_get(fr_object_part(space, id, 0).mesh);
            fr_vec3 vertices[200];
            assert_true(mesh->vertex_count <= 200);
            for (int end = 0; end < 2; end++) {
                if (end == 0 && seed % 2 == 0) { continue; }
                for (uint32_t v = 0; v < mesh->vertex_count; v++) {
                    const float *p = mesh->positions_float + 3 * (size_t)v;
                    vertices[v] =
                        fr_vec3_add(fr_vec3_make((double)p[0], (double)p[1], (double)p[2]), scene_point(&r, 0.2));
                }
                assert_int_equal((end == 0 ? fr_object_set_vertices : fr_object_set_next_vertices)(
                                     space, id, vertices, mesh->vertex_count, NULL),
                                 FR_OK);
            }
        }
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        check_space(space, true, 0.0, seed);
        check_space(space, false, 0.0, seed);
        fr_space_destroy(space);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Little and strange input

static void little_input_is_no_special_case(void **state) {
    (void)state;
    fr_space *space = scene_space();
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    check_space(space, true, 0.0, 0); // no faces
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("sphere_168", NULL, &mesh, NULL), FR_OK);
    (void)scene_add_at(space, mesh, fr_vec3_make(0.0, 0.0, 0.0), 0);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    check_space(space, false, 0.0, 1); // one part
    // Faces that all lie in one cell: a thing far away makes the grid coarse.
    (void)scene_add_at(space, mesh, fr_vec3_make(0.1, 0.2, 0.0), 0);
    (void)scene_add_at(space, mesh, fr_vec3_make(1e6, 1e6, 1e6), 0);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    check_space(space, false, 0.0, 2);
    (void)scene_add_at(space, mesh, fr_vec3_make(0.1, 0.2, 0.0), FR_OBJECT_GHOST);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    check_space(space, true, 0.5, 3);
    fr_mesh_release(mesh);
    fr_space_destroy(space);
    // All in one point: the grid has no length.
    const float point[9] = {1, 2, 3, 1, 2, 3, 1, 2, 3};
    const uint32_t corners[3] = {0, 1, 2};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = point;
    def.vertex_count = 3;
    def.triangles = corners;
    def.triangle_count = 1;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    space = scene_space();
    for (int i = 0; i < 5; i++) {
        (void)scene_add_at(space, mesh, fr_vec3_make(0.0, 0.0, 0.0), 0);
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    check_space(space, false, 0.0, 4);
    fr_mesh_release(mesh);
    fr_space_destroy(space);
}

// Objects that come and go between two queries, and others whose filters change, need no word.
static void objects_come_and_go(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_168", 0.5);
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("sphere_168", NULL, &mesh, NULL), FR_OK);
    fr_domain_input input = fr_default_domain_input();
    input.space = space;
    input.want = FR_WANT_CONTACTS;
    rank_query queries[3] = {0};
    for (int k = 0; k < 6; k++) {
        fr_object_id first = fr_space_object_at(space, 0);
        if (k == 1) { (void)scene_add_at(space, mesh, fr_vec3_make(0.2, 0.1, 0.0), 0); }
        if (k == 3) { assert_int_equal(fr_object_remove(space, first, NULL), FR_OK); }
        if (k == 4) { (void)scene_add_at(space, mesh, fr_vec3_make(0.0, 0.4, 0.0), FR_OBJECT_REAL); }
        if (k == 5) {
            fr_filter none = {.layers = 2, .mask = 0};
            assert_int_equal(fr_object_set_filter(space, first, none, NULL), FR_OK);
        }
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        for (int r = 0; r < 3; r++) {
            queries[r].input = input;
        }
        check_step(queries, 3, &input, (uint64_t)k);
        bool has_changed = k != 2 && k != 5;
        assert_true(queries[0].output.stats.is_cut || !has_changed);
    }
    end_ranks(queries, 3);
    fr_mesh_release(mesh);
    fr_space_destroy(space);
}

// Two balls that meet in a corner of the scene: faces alone give one rank nearly all of the work, and the second cut,
// which knows what it took, less.
static void work_is_balanced_from_step_to_step(void **state) {
    (void)state;
    fr_space *space = scene_space();
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_sphere(1.0, 60, 120, FR_AXIS_Z, NULL, &mesh, NULL), FR_OK);
    for (int i = 0; i < 8; i++) {
        (void)scene_add_at(space, mesh, fr_vec3_scale(i < 2 ? 0.2 * i : i, fr_vec3_make(3.0, 2.5, 2.0)), 0);
    }
    fr_mesh_release(mesh);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_domain_input input = fr_default_domain_input();
    input.space = space;
    rank_query queries[4] = {0};
    double first = 0.0, last = 0.0;
    for (int k = 0; k < 7; k++) {
        for (int r = 0; r < 4; r++) {
            queries[r].input = input;
        }
        check_step(queries, 4, &input, (uint64_t)k);
        last = queries[0].output.stats.balance; // of the query before
        if (k == 1) { first = last; }
        for (int r = 0; r < 4; r++) {
            // No rank holds the whole scene.
            assert_true(2 * queries[r].output.stats.held_faces < 8 * 2 * 59 * 120);
        }
    }
    print_message("most work over the mean: %.2f, then %.2f\n", first, last);
    assert_true(first > 1.8 && last < 1.3);
    assert_false(queries[0].output.stats.is_cut);
    end_ranks(queries, 4);
    fr_space_destroy(space);
}

// ---------------------------------------------------------------------------------------------------------------
// What goes wrong

static void inputs_are_checked(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_168", 0.5);
    const uint32_t falling[2] = {1, 0}, twice[2] = {0, 1};
    for (int k = 0; k < 6; k++) {
        rank_query queries[2] = {0};
        for (int r = 0; r < 2; r++) {
            queries[r].input = fr_default_domain_input();
            queries[r].input.space = space;
        }
        if (k == 0) { queries[0].input.cookie = queries[1].input.cookie = 0; }
        if (k == 1) { queries[0].input.margin = queries[1].input.margin = -1.0; }
        if (k == 2) { queries[1].input.margin = 0.5; }      // other options
        if (k == 3) { queries[1].input.numbers = falling; } // one rank alone is wrong
        if (k == 4) { queries[0].input.numbers = queries[1].input.numbers = twice; }
        if (k == 5) { queries[0].input.imbalance = queries[1].input.imbalance = (double)NAN; }
        run_ranks(queries, 2);
        for (int r = 0; r < 2; r++) {
            assert_int_equal(queries[r].status, FR_ERROR_ARGUMENT);
            assert_null(queries[r].output.pairs);
            assert_true(queries[r].error.message[0] != '\0');
        }
        end_ranks(queries, 2);
    }
    // A space that is not current, on one rank.
    fr_space *stale = scene_two_spheres("sphere_168", 0.5);
    fr_pose pose = fr_pose_identity();
    assert_int_equal(fr_object_set_pose(stale, fr_space_object_at(stale, 0), &pose, NULL), FR_OK);
    rank_query queries[2] = {0};
    for (int r = 0; r < 2; r++) {
        queries[r].input = fr_default_domain_input();
        queries[r].input.space = r == 0 ? space : stale;
    }
    run_ranks(queries, 2);
    assert_int_equal(queries[0].status, FR_ERROR_STALE_DATA);
    assert_int_equal(queries[1].status, FR_ERROR_STALE_DATA);
    end_ranks(queries, 2);
    fr_space_destroy(stale);
    fr_space_destroy(space);
}

static void a_rank_that_leaves_ends_all(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_960", 0.7);
    rank_query queries[4] = {0};
    for (int r = 0; r < 4; r++) {
        queries[r].input = fr_default_domain_input();
        queries[r].input.space = space;
        queries[r].leaves = r == 2;
    }
    run_ranks(queries, 4);
    for (int r = 0; r < 4; r++) {
        assert_int_equal(queries[r].status, r == 2 ? FR_OK : FR_ERROR_SYSTEM);
    }
    end_ranks(queries, 4);
    fr_space_destroy(space);
}

static bool stop_at_once(void *user) {
    (void)user;
    return true;
}

static void one_rank_that_is_stopped_stops_all(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_960", 0.7);
    const fr_control control = {.stop = stop_at_once};
    rank_query queries[3] = {0};
    for (int r = 0; r < 3; r++) {
        queries[r].input = fr_default_domain_input();
        queries[r].input.space = space;
    }
    queries[1].input.control = &control;
    run_ranks(queries, 3);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(queries[r].status, FR_OK);
        assert_true(queries[r].output.is_partial);
    }
    end_ranks(queries, 3);
    fr_space_destroy(space);
}

// The n-th allocation of one rank fails: no rank waits, none has a result that is not the whole one.
static void memory_that_fails_on_a_rank_ends_all(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_168", 0.5);
    fr_random r = fr_random_seed(4);
    scene_random_motion(&r, space, 0.2, 0.3);
    fr_domain_input input = fr_default_domain_input();
    input.space = space;
    input.is_over_step = true;
    input.want = FR_WANT_INTERVALS;
    fr_collide *collide = scene_asker();
    fr_collide_output expected = find_alone(collide, &input);
    fr_probe *probe = fr_probe_create();
    fr_allocator allocator = fr_probe_allocator(probe);
    uint64_t failed = 0, count = 1, step = test_count(5, 1);
    for (uint64_t n = 0; n <= count; n += n == 0 ? 1 : step) { // 0: none fails, to count them
        rank_query queries[3] = {0};
        for (int i = 0; i < 3; i++) {
            queries[i].input = input;
        }
        queries[1].allocator = &allocator;
        fr_probe_fail(probe, n, n % 3 != 0);
        run_ranks(queries, 3);
        if (n == 0) { count = fr_probe_get(probe).allocations; }
        failed += queries[1].status != FR_OK;
        for (int i = 0; i < 3; i++) {
            bool is_failed = queries[i].status == FR_ERROR_MEMORY || queries[i].status == FR_ERROR_SYSTEM;
            assert_true(queries[i].status == FR_OK || is_failed);
            if (is_failed) { assert_null(queries[i].output.pairs); }
            if (queries[i].status == FR_OK) { check_output(&queries[i].output, &expected, n); }
        }
        end_ranks(queries, 3);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    }
    assert_true(failed >= count / step / 2);
    fr_probe_destroy(probe);
    fr_collide_destroy(collide);
    fr_space_destroy(space);
}

static fr_status find_with(const fr_allocator *allocator, void *context) {
    fr_domain *domain;
    fr_domain_output output;
    fr_status status = fr_domain_create(allocator, &domain, NULL);
    if (status != FR_OK) { return status; }
    status = fr_domain_find(domain, context, &output, NULL);
    if (status == FR_OK) { test_note(output.pairs, output.pair_count * sizeof *output.pairs); }
    fr_domain_destroy(domain);
    return status;
}

static void memory_that_fails_alone_is_survived(void **state) {
    (void)state;
    fr_space *space = scene_two_spheres("sphere_168", 0.5);
    fr_domain_input input = fr_default_domain_input();
    input.space = space;
    input.want = FR_WANT_CONTACTS;
    test_every_failure(find_with, &input);
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_checked),
        cmocka_unit_test(little_input_is_no_special_case),
        cmocka_unit_test(random_scenes_are_those_of_one_process),
        cmocka_unit_test(balls_and_heaps_are_cut),
        cmocka_unit_test(soft_balls_are_cut_at_every_query),
        cmocka_unit_test(objects_come_and_go),
        cmocka_unit_test(work_is_balanced_from_step_to_step),
        cmocka_unit_test(a_rank_that_leaves_ends_all),
        cmocka_unit_test(one_rank_that_is_stopped_stops_all),
        cmocka_unit_test(memory_that_fails_on_a_rank_ends_all),
        cmocka_unit_test(memory_that_fails_alone_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
