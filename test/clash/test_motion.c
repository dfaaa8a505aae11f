// Clashes of parts in motion: when they meet, what passes between two instants, threads, stopping, memory.
#include "failing.h"
#include "fureai/clash.h"

// A box of edge 1 that stands, and one of edge 0.5 that flies through it at 8 m/s in steps of a second, from 4 m away.
typedef struct flight {
    fr_allocator allocator;
    fr_world *world;
    fr_object_id flying;
} flight;

static fr_status fly(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const flight *f = user;
    fr_wish wish = {.object = f->flying, .kind = FR_WISH_NEXT};
    wish.pose = fr_object_get(proposal->space, f->flying)->pose;
    wish.pose.position.x += 8.0 * proposal->step;
    return fr_wishes_add(wishes, &wish, error);
}

static fr_status add_box(flight *f, double scale, fr_vec3 position, fr_object_id *id) {
    fr_mesh *mesh = NULL;
    fr_mesh_def like = fr_default_mesh_def();
    like.allocator = f->allocator;
    fr_status status = fr_mesh_create_named("box", &like, &mesh, NULL);
    if (status != FR_OK) { return status; }
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = position;
    def.pose.scale = scale;
    status = fr_object_add(fr_world_space(f->world), &def, id, NULL);
    fr_mesh_release(mesh);
    return status;
}

static fr_status begin(flight *f, const fr_allocator *allocator, double step) {
    *f = (flight){.allocator = fr_allocator_or_default(allocator)};
    fr_world_def def = fr_default_world_def();
    def.step = step;
    def.sense = FR_SENSE_CONTINUOUS;
    def.want = FR_WANT_INTERVALS;
    def.allocator = f->allocator;
    fr_object_id standing;
    fr_status status = fr_world_create(&def, &f->world, NULL);
    if (status == FR_OK) { status = add_box(f, 1.0, fr_vec3_make(0, 0, 0), &standing); }
    if (status == FR_OK) { status = add_box(f, 0.5, fr_vec3_make(-4, 0.125, 0.0625), &f->flying); }
    const fr_corrector mover = {"flight", fly, f};
    if (status == FR_OK) { status = fr_world_add_mover(f->world, &mover, NULL); }
    return status;
}

static fr_status find(flight *f, fr_clash_finder *finder, uint64_t steps, const fr_tasks *tasks,
                      const fr_control *control, fr_motion_clash_output *out) {
    fr_motion_clash_input input = fr_default_motion_clash_input();
    input.world = f->world;
    input.steps = steps;
    input.tasks = tasks;
    input.control = control;
    return fr_clash_find_motion(finder, &input, out, NULL);
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void wrong_input_is_refused(void **state) {
    (void)state;
    fr_clash_finder *finder;
    fr_motion_clash_output output;
    assert_int_equal(fr_clash_finder_create(NULL, &finder, NULL), FR_OK);
    fr_motion_clash_input input = fr_default_motion_clash_input();
    assert_int_equal(fr_clash_find_motion(finder, &input, &output, NULL), FR_ERROR_ARGUMENT);
    flight f;
    assert_int_equal(begin(&f, NULL, 1.0), FR_OK);
    input.world = f.world;
    input.tolerance = -1.0;
    assert_int_equal(fr_clash_find_motion(finder, &input, &output, NULL), FR_ERROR_ARGUMENT);
    input.tolerance = 0.0;
    input.cookie = 0;
    assert_int_equal(fr_clash_find_motion(finder, &input, &output, NULL), FR_ERROR_ARGUMENT);
    fr_world_destroy(f.world);
    fr_clash_finder_destroy(finder);
}

// A world that senses at the ends of steps alone, or without intervals, or that was ticked, paused too, would report
// fewer clashes than there are.
static void a_world_that_cannot_report_all_is_refused(void **state) {
    (void)state;
    fr_clash_finder *finder;
    assert_int_equal(fr_clash_finder_create(NULL, &finder, NULL), FR_OK);
    for (int k = 0; k < 4; k++) {
        fr_world_def def = fr_default_world_def();
        def.sense = k == 0 ? FR_SENSE_STATIC : FR_SENSE_CONTINUOUS;
        def.want = k == 1 ? FR_WANT_CONTACTS : FR_WANT_INTERVALS;
        flight f = {.allocator = fr_allocator_or_default(NULL)};
        assert_int_equal(fr_world_create(&def, &f.world, NULL), FR_OK);
        fr_tick_input tick = fr_default_tick_input();
        tick.is_paused = k == 3;
        if (k >= 2) { assert_int_equal(fr_world_tick(f.world, &tick, NULL), FR_OK); }
        fr_motion_clash_input input = fr_default_motion_clash_input();
        fr_motion_clash_output output;
        fr_error error;
        input.world = f.world;
        input.steps = 1;
        assert_int_equal(fr_clash_find_motion(finder, &input, &output, &error), FR_ERROR_ARGUMENT);
        assert_true(output.count == 0 && error.message[0] != '\0');
        fr_world_destroy(f.world);
    }
    fr_clash_finder_destroy(finder);
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

// The fronts meet at 3.25 m, 0.40625 s; the small box has left at 4.75 m, 0.59375 s, inside meanwhile.
static void check_flight(const fr_motion_clash_output *o, double until) {
    assert_int_equal(o->part_count, 2);
    assert_true(o->parts[0].owner.index1 == 1 && o->parts[1].owner.index1 == 2 && o->parts[1].number == 0);
    assert_int_equal(o->count, 1);
    const fr_motion_clash *c = &o->clashes[0];
    assert_true(c->a == 0 && c->b == 1 && c->kind == FR_CLASH_PROTRUSION && !c->is_lasting);
    assert_true(c->first <= 0.40625 && c->first > 0.40625 - 1e-5 && c->depth > 0.1);
    assert_int_equal(c->interval_count, 1);
    assert_true(c->intervals[0].begin == c->first);
    assert_true(c->intervals[0].end >= 0.59375 && c->intervals[0].end < 0.59375 + 1e-5);
    assert_true(c->triangle_count > 0 && c->at > c->first && c->at < c->intervals[0].end);
    assert_true(fabs(c->point.x + 0.5) < 1e-5 && c->normal.x < -0.9);
    assert_true(!o->is_partial && o->until == until);
}

static void what_passes_between_instants_is_found(void **state) {
    (void)state;
    fr_clash_finder *finder;
    assert_int_equal(fr_clash_finder_create(NULL, &finder, NULL), FR_OK);
    for (int i = 0; i < 2; i++) {
        flight f;
        fr_motion_clash_output output;
        assert_int_equal(begin(&f, NULL, i == 0 ? 1.0 : 0.125), FR_OK);
        assert_int_equal(find(&f, finder, i == 0 ? 1 : 8, NULL, NULL, &output), FR_OK);
        check_flight(&output, 1.0);
        fr_world_destroy(f.world);
    }
    fr_clash_finder_destroy(finder);
}

// A small box at the middle of the large one stays inside: from the beginning, and lasting.
static void what_stays_inside_is_enclosed(void **state) {
    (void)state;
    flight f;
    fr_clash_finder *finder;
    fr_motion_clash_output output;
    assert_int_equal(fr_clash_finder_create(NULL, &finder, NULL), FR_OK);
    assert_int_equal(begin(&f, NULL, 1.0), FR_OK);
    assert_int_equal(fr_world_remove_corrector(f.world, fly, &f, NULL), FR_OK);
    const fr_pose middle = fr_pose_make(fr_vec3_make(0.125, 0, 0), fr_quat_identity());
    fr_pose small = middle;
    small.scale = 0.5;
    assert_int_equal(fr_object_set_pose(fr_world_space(f.world), f.flying, &small, NULL), FR_OK);
    assert_int_equal(find(&f, finder, 2, NULL, NULL, &output), FR_OK);
    assert_int_equal(output.count, 1);
    const fr_motion_clash *c = &output.clashes[0];
    assert_true(c->kind == FR_CLASH_ENCLOSED && c->is_lasting && c->first == 0.0 && c->triangle_count == 0);
    assert_true(c->interval_count == 1 && c->intervals[0].begin == 0.0 && c->intervals[0].end == 2.0);
    assert_true(fr_is_unknown(c->point.x) && c->depth == 0.25 && c->region.line_count == 0);
    fr_world_destroy(f.world);
    fr_clash_finder_destroy(finder);
}

static void an_empty_world_has_no_clash(void **state) {
    (void)state;
    flight f = {0};
    fr_clash_finder *finder;
    fr_motion_clash_output output;
    fr_world_def def = fr_default_world_def();
    def.sense = FR_SENSE_CONTINUOUS;
    def.want = FR_WANT_INTERVALS;
    assert_int_equal(fr_world_create(&def, &f.world, NULL), FR_OK);
    assert_int_equal(fr_clash_finder_create(NULL, &finder, NULL), FR_OK);
    assert_int_equal(find(&f, finder, 3, NULL, NULL, &output), FR_OK);
    assert_true(output.count == 0 && output.part_count == 0 && !output.is_partial);
    fr_world_destroy(f.world);
    fr_clash_finder_destroy(finder);
}

// ---------------------------------------------------------------------------------------------------------------
// Threads, stopping, memory

static void threads_make_no_difference(void **state) {
    (void)state;
    fr_clash_finder *finder;
    assert_int_equal(fr_clash_finder_create(NULL, &finder, NULL), FR_OK);
    fr_task_pool_def def = fr_default_task_pool_def();
    def.worker_count = 4;
    fr_task_pool *pool;
    assert_int_equal(fr_task_pool_create(&def, &pool, NULL), FR_OK);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        flight f;
        fr_motion_clash_output o;
        assert_int_equal(begin(&f, NULL, 0.0625), FR_OK);
        assert_int_equal(find(&f, finder, 16, i == 0 ? NULL : &tasks, NULL, &o), FR_OK);
        const fr_motion_clash *c = &o.clashes[0];
        const double numbers[] = {c->first, c->at, c->depth, c->point.x, c->normal.x};
        hashes[i] = fr_hash(numbers, sizeof numbers, o.count);
        hashes[i] = fr_hash(c->intervals, c->interval_count * sizeof *c->intervals, hashes[i]);
        hashes[i] = fr_hash(c->triangles, c->triangle_count * sizeof *c->triangles, hashes[i]);
        hashes[i] = fr_hash(c->region.points, c->region.point_count * sizeof(fr_vec3), hashes[i]);
        fr_world_destroy(f.world);
    }
    assert_true(hashes[0] == hashes[1]);
    fr_task_pool_destroy(pool);
    fr_clash_finder_destroy(finder);
}

static bool stop_after(void *user) { return --*(int *)user < 0; }

static void a_stopped_query_gives_a_part(void **state) {
    (void)state;
    fr_clash_finder *finder;
    assert_int_equal(fr_clash_finder_create(NULL, &finder, NULL), FR_OK);
    bool is_partial = true;
    for (int calls = 0; is_partial; calls += 3) {
        flight f;
        fr_motion_clash_output output;
        int left = calls;
        const fr_control control = {.stop = stop_after, .user = &left};
        assert_int_equal(begin(&f, NULL, 0.125), FR_OK);
        assert_int_equal(find(&f, finder, 8, NULL, &control, &output), FR_OK);
        is_partial = output.is_partial;
        assert_true(output.until <= 1.0);
        if (!is_partial) { check_flight(&output, 1.0); }
        fr_world_destroy(f.world);
    }
    fr_clash_finder_destroy(finder);
}

static fr_status fly_with(const fr_allocator *allocator, void *context) {
    (void)context;
    flight f;
    fr_clash_finder *finder = NULL;
    fr_motion_clash_output output;
    fr_status status = begin(&f, NULL, 0.25);
    if (status == FR_OK) { status = fr_clash_finder_create(allocator, &finder, NULL); }
    if (status == FR_OK) { status = find(&f, finder, 4, NULL, NULL, &output); }
    fr_world_destroy(f.world);
    fr_clash_finder_destroy(finder);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(test_every_failure(fly_with, NULL) > 20);
}

// ---------------------------------------------------------------------------------------------------------------
// Joints through their ranges

static void add_joint(flight *f, fr_joint_kind kind, fr_object_id child, fr_vec3 axis, fr_vec3 arm, double low,
                      double high) {
    fr_joint joint = {.kind = kind, .child = child, .low = low, .high = high, .pitch = 1.0};
    fr_vec3 z = fr_vec3_make(0.0, 0.0, 1.0), turn = fr_vec3_cross(z, axis);
    joint.frame_parent = fr_pose_identity();
    if (fr_vec3_length(turn) > 0.0) {
        joint.frame_parent.rotation = fr_quat_from_vector(fr_vec3_scale(0.5 * FR_PI, turn));
    }
    joint.frame_child = joint.frame_parent;
    joint.frame_child.position = fr_vec3_negate(arm);
    fr_joint_id id;
    assert_int_equal(fr_joint_add(fr_world_space(f->world), &joint, &id, NULL), FR_OK);
}

// A box goes in one step to the very place of an equal one.
static void equal_parts_that_coincide_have_no_region_of_lines(void **state) {
    (void)state;
    flight f;
    assert_int_equal(begin(&f, NULL, 1.0), FR_OK);
    fr_object_id same;
    assert_int_equal(add_box(&f, 0.5, fr_vec3_make(4, 0.125, 0.0625), &same), FR_OK);
    fr_clash_finder *finder;
    assert_int_equal(fr_clash_finder_create(NULL, &finder, NULL), FR_OK);
    fr_motion_clash_output out;
    assert_int_equal(find(&f, finder, 1, NULL, NULL, &out), FR_OK);
    assert_int_equal(out.count, 2);
    assert_int_equal(out.clashes[1].kind, FR_CLASH_DUPLICATE);
    assert_true(out.clashes[1].is_lasting && out.clashes[1].region.line_count == 1);
    fr_clash_finder_destroy(finder);
    fr_world_destroy(f.world);
}

// The objects of a mechanism.
typedef struct mechanism {
    fr_object_id sliding, standing, arm, post;
} mechanism;

// A box of edge 1 slides from -1 to 3 past one that stands at 2, and an arm, 2 long and 0.2 wide, turns about the
// origin into a third one. What the world moves by itself stands still meanwhile.
static void make_mechanism(flight *f, mechanism *m) {
    *f = (flight){.allocator = fr_allocator_or_default(NULL)};
    fr_world_def def = fr_default_world_def();
    def.step = 0.1;
    def.sense = FR_SENSE_CONTINUOUS;
    def.want = FR_WANT_INTERVALS;
    assert_int_equal(fr_world_create(&def, &f->world, NULL), FR_OK);
    assert_int_equal(add_box(f, 1.0, fr_vec3_make(0, 0, 20), &m->sliding), FR_OK);
    assert_int_equal(add_box(f, 1.0, fr_vec3_make(2, 0.25, 20), &m->standing), FR_OK);
    assert_int_equal(add_box(f, 1.0, fr_vec3_make(0, 2, 0), &m->post), FR_OK);
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2.0, 0.2, 0.2), NULL, &mesh, NULL), FR_OK);
    fr_pose pose = fr_pose_identity();
    pose.position.x = 1.5;
    assert_int_equal(fr_object_add_mesh(fr_world_space(f->world), mesh, &pose, &m->arm, NULL), FR_OK);
    fr_mesh_release(mesh);
    // The sliding joint's frame lies at height 20.
    add_joint(f, FR_JOINT_SLIDER, m->sliding, fr_vec3_make(1, 0, 0), fr_vec3_make(0, 0, 20), -1.0, 3.0);
    add_joint(f, FR_JOINT_HINGE, m->arm, fr_vec3_make(0, 0, 1), fr_vec3_make(1.5, 0, 0), 0.0, 0.5 * FR_PI);
    // One that would fly through everything.
    assert_int_equal(add_box(f, 0.5, fr_vec3_make(-4, 2, 0), &f->flying), FR_OK);
    const fr_corrector mover = {"flight", fly, f};
    assert_int_equal(fr_world_add_mover(f->world, &mover, NULL), FR_OK);
}

static void joints_go_through_their_ranges(void **state) {
    (void)state;
    flight f;
    mechanism m;
    make_mechanism(&f, &m);
    fr_clash_finder *finder;
    assert_int_equal(fr_clash_finder_create(NULL, &finder, NULL), FR_OK);
    fr_motion_clash_input input = fr_default_motion_clash_input();
    input.world = f.world;
    input.joint_steps = 2;
    fr_motion_clash_output out;
    assert_int_equal(fr_clash_find_motion(finder, &input, &out, NULL), FR_ERROR_ARGUMENT);
    input.joint_steps = 40;
    assert_int_equal(fr_clash_find_motion(finder, &input, &out, NULL), FR_OK);
    assert_int_equal(out.drive_count, 2);
    assert_int_equal(out.drives[0].down + out.drives[0].up + out.drives[0].back, 10 + 40 + 30);
    assert_int_equal(out.drives[1].down + out.drives[1].up + out.drives[1].back, 0 + 40 + 40);
    assert_int_equal(out.count, 2);

    // They meet at 1, touch once more at 3, and the same on the way back: one meeting, since the end is a touch.
    const fr_motion_clash *slide = &out.clashes[0];
    assert_int_equal(slide->a, m.sliding.index1 - 1);
    assert_int_equal(slide->b, m.standing.index1 - 1);
    assert_int_equal(slide->kind, FR_CLASH_PROTRUSION);
    assert_true(fabs(fr_joint_drive_value(&out.drives[0], slide->first) - 1.0) < 1e-4);
    const fr_clash_interval *last = &slide->intervals[slide->interval_count - 1];
    assert_true(fabs(fr_joint_drive_value(&out.drives[0], last->end) - 1.0) < 1e-4);
    assert_false(slide->is_lasting);

    // The arm's long edge comes to the post's edge at (0.5, 1.5).
    const fr_motion_clash *turn = &out.clashes[1];
    double wanted = atan2(1.5, 0.5) - asin(0.1 / sqrt(2.5));
    double met = fr_joint_drive_value(&out.drives[1], turn->first);
    print_message("the arm meets at %.6f, %.6f expected\n", met, wanted);
    assert_true(fabs(met - wanted) < 1e-3 && met <= wanted + 1e-6);

    // Joints and the flying box are where they were.
    const fr_space *space = fr_world_space(f.world);
    assert_true(fabs(fr_object_get(space, m.sliding)->pose.position.x) < 1e-9);
    assert_true(fabs(fr_object_get(space, m.arm)->pose.position.x - 1.5) < 1e-9);
    assert_true(fr_object_get(space, f.flying)->pose.position.x == -4.0);
    fr_clash_finder_destroy(finder);
    fr_world_destroy(f.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(a_world_that_cannot_report_all_is_refused),
        cmocka_unit_test(what_passes_between_instants_is_found),
        cmocka_unit_test(what_stays_inside_is_enclosed),
        cmocka_unit_test(an_empty_world_has_no_clash),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(a_stopped_query_gives_a_part),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(equal_parts_that_coincide_have_no_region_of_lines),
        cmocka_unit_test(joints_go_through_their_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
