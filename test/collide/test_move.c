// What a geometry would touch on its way is what an object on the same way touches.
#include "collide/moving_scenes.h"
#include "frame.h"

enum { MOST = 16384 };
static fr_contact kept[MOST];

static bool accept_none(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space, (void)a, (void)b;
    ++*(int *)context;
    return false;
}

// Random objects, of which the one at place 0 moves, and the others too where asked.
static fr_space *moving_scene(uint64_t seed, bool others_move) {
    fr_random r = fr_random_seed(seed);
    static scene_plan plan;
    scene_random_plan(&r, seed % 5 == 4, &plan);
    for (uint32_t i = 0; i < plan.object_count; i++) {
        plan.flags[i] &= ~(uint32_t)FR_OBJECT_SELF;
    }
    fr_space *space = scene_build(&plan, &scene_as_it_is);
    scene_random_motion(&r, space, plan.unit, seed % 3 == 0 ? 20.0 : 2.0);
    fr_object_id mover = fr_space_object_at(space, 0);
    fr_motion motion = fr_object_get(space, mover)->motion;
    fr_pose end = fr_motion_pose(&motion, 1.0);
    assert_int_equal(fr_object_set_motion(space, mover, &motion, &end, NULL), FR_OK);
    for (uint32_t i = 1; i < plan.object_count && !others_move; i++) {
        fr_object_id id = fr_space_object_at(space, i);
        fr_pose pose = fr_object_get(space, id)->pose;
        assert_int_equal(fr_object_set_pose(space, id, &pose, NULL), FR_OK);
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return space;
}

static bool is_same_contact(const fr_contact *a, const fr_contact *b) {
    return fr_object_id_equal(a->b, b->b) && a->triangle_a == b->triangle_a && a->triangle_b == b->triangle_b &&
           a->time == b->time && a->part_a == b->part_a && a->face_b == b->face_b &&
           fr_vec3_equal(a->point, b->point) && fr_vec3_equal(a->normal, b->normal);
}

// What was kept is what the object at place 0 touches about when it first does.
static void check_against_object(const fr_collide_output *all, const fr_move_output *out, uint64_t seed) {
    double least = (double)INFINITY, earliest = 1.0;
    for (size_t i = 0; i < all->pair_count; i++) {
        if (all->pairs[i].a != 0) { continue; }
        least = all->contacts[i].time_sure < least ? all->contacts[i].time_sure : least;
        earliest = all->contacts[i].time < earliest ? all->contacts[i].time : earliest;
    }
    size_t expected = 0;
    for (size_t i = 0; i < all->pair_count; i++) {
        const fr_contact *c = &all->contacts[i];
        if (all->pairs[i].a != 0 || !(c->time <= least + 1e-3)) { continue; }
        expected++;
        bool is_there = false;
        for (uint32_t k = 0; k < out->contact_count && !is_there; k++) {
            is_there = is_same_contact(&kept[k], c);
        }
        if (!is_there) { fail_msg("scene %llu: a contact is missing", (unsigned long long)seed); }
    }
    assert_int_equal(out->contact_count, expected);
    assert_int_equal(out->is_hit, expected > 0);
    assert_true(out->free_time == earliest && !out->has_more);
    for (uint32_t k = 1; k < out->contact_count; k++) {
        assert_true(kept[k - 1].time <= kept[k].time);
    }
    if (out->is_hit) { assert_memory_equal(&out->first.time, &kept[0].time, sizeof(double)); }
}

// With less room the earliest are kept; what was found before an earlier contact was needs none.
static void check_less_room(fr_move_input move, uint32_t expected) {
    static fr_contact few[MOST];
    const uint32_t rooms[2] = {1, expected};
    for (int i = 0; i < 2 && expected > 0; i++) {
        move.contacts = few;
        move.capacity = rooms[i];
        fr_move_output less;
        assert_int_equal(fr_collide_move(&move, &less, NULL), FR_OK);
        assert_true(less.contact_count == rooms[i] && less.has_more == (expected > rooms[i]));
        assert_true(few[0].time == kept[0].time && few[0].triangle_a == kept[0].triangle_a &&
                    few[0].triangle_b == kept[0].triangle_b);
    }
}

// The object at place 0 moves; asked about it as a geometry, the space being the others'.
static void compare_with_object(uint64_t seed, bool others_move) {
    fr_space *space = moving_scene(seed, others_move);
    fr_collide *asker = scene_asker();
    fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
    input.want = FR_WANT_CONTACTS;
    fr_collide_output all = scene_ask_step(asker, &input);

    fr_object_id mover = fr_space_object_at(space, 0);
    fr_part_def parts[2];
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = mover;
    fr_move_input move = fr_default_move_input();
    move.space = space;
    move.parts = parts;
    move.part_count = fr_object_get(space, mover)->part_count;
    for (uint32_t i = 0; i < move.part_count; i++) {
        fr_part_view view = fr_object_part(space, mover, i);
        parts[i] = (fr_part_def){view.mesh, view.pose};
    }
    move.motion = fr_object_get(space, mover)->motion;
    move.may_others_move = others_move;
    move.filter = &filter;
    move.contacts = kept;
    move.capacity = MOST;
    fr_move_output out;
    fr_error error;
    if (fr_collide_move(&move, &out, &error) != FR_OK) { fail_msg("%s", error.message); }
    check_against_object(&all, &out, seed);
    check_less_room(move, out.contact_count);
    fr_collide_destroy(asker);
    fr_space_destroy(space);
}

static void a_geometry_touches_what_an_object_does(void **state) {
    (void)state;
    uint64_t count = test_count(60, 5000);
    for (uint64_t seed = 0; seed < count; seed++) {
        compare_with_object(seed, seed % 2 == 0);
    }
}

static void filters_and_wrong_input(void **state) {
    (void)state;
    static scene_plan plan;
    fr_random r = fr_random_seed(1);
    scene_random_plan(&r, false, &plan);
    fr_space *space = scene_build(&plan, &scene_as_it_is);
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(9.0, 9.0, 9.0), NULL, &mesh, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_move_input move = fr_default_move_input();
    fr_move_output out;
    fr_error error;
    assert_int_equal(fr_collide_move(&move, &out, &error), FR_ERROR_ARGUMENT);
    move.space = space;
    move.parts = &part;
    move.part_count = 1;
    move.motion.travel.x = (double)NAN;
    assert_int_equal(fr_collide_move(&move, &out, &error), FR_ERROR_NOT_FINITE);
    move.motion.travel.x = 100.0 * plan.unit;
    int asked = 0;
    fr_query_filter filter = fr_default_query_filter();
    filter.accept = accept_none;
    filter.context = &asked;
    move.filter = &filter;
    assert_int_equal(fr_collide_move(&move, &out, &error), FR_OK);
    assert_true(!out.is_hit && out.free_time == 1.0 && asked > 0);
    move.cookie = 0;
    assert_int_equal(fr_collide_move(&move, &out, &error), FR_ERROR_ARGUMENT);
    move = fr_default_move_input();
    move.space = space;
    move.parts = &part;
    move.part_count = 1;
    assert_int_equal(fr_object_remove(space, fr_space_object_at(space, 0), NULL), FR_OK);
    assert_int_equal(fr_collide_move(&move, &out, &error), FR_ERROR_STALE_DATA);
    fr_mesh_release(mesh);
    fr_space_destroy(space);
}

// A box of 2 that flies at another one.
typedef struct flight {
    fr_space *space;
    fr_mesh *mesh;
    fr_part_def part;
    fr_move_input move;
} flight;

static void open_flight(flight *f) {
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &f->space, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2.0, 2.0, 2.0), NULL, &f->mesh, NULL), FR_OK);
    f->part = fr_default_part_def();
    f->part.mesh = f->mesh;
    fr_object_def object = fr_default_object_def();
    object.parts = &f->part;
    object.part_count = 1;
    fr_object_id id;
    assert_int_equal(fr_object_add(f->space, &object, &id, NULL), FR_OK);
    assert_int_equal(fr_space_update(f->space, NULL, NULL), FR_OK);
    f->move = fr_default_move_input();
    f->move.space = f->space;
    f->move.parts = &f->part;
    f->move.part_count = 1;
    f->move.motion.start.position.x = 10.0;
    f->move.motion.travel.x = -20.0;
}

static void close_flight(flight *f) {
    fr_mesh_release(f->mesh);
    fr_space_destroy(f->space);
}

static void a_query_as_an_object_meets_what_that_may_meet(void **state) {
    (void)state;
    flight f;
    open_flight(&f);
    fr_object_id target = fr_space_object_at(f.space, 0), self;
    fr_object_def object = fr_default_object_def();
    object.parts = &f.part;
    object.part_count = 1;
    object.pose.position.x = 5.0; // in the path: the query leaves it out
    assert_int_equal(fr_object_add(f.space, &object, &self, NULL), FR_OK);
    fr_query_filter filter = fr_default_query_filter();
    filter.as_object = self;
    f.move.filter = &filter;
    const struct {
        fr_filter own;
        uint32_t flags; // of the target
        bool is_met;
    } cases[] = {{{1, UINT32_MAX, 0}, 0, true},
                 {{1, UINT32_MAX, 0}, FR_OBJECT_SENSOR, false},
                 {{1, 2, 0}, 0, false},
                 {{1, 2, 7}, 0, true},
                 {{1, UINT32_MAX, -7}, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_filter group = {1, UINT32_MAX, 7};
        assert_int_equal(fr_object_set_filter(f.space, self, cases[i].own, NULL), FR_OK);
        assert_int_equal(fr_object_set_filter(f.space, target, group, NULL), FR_OK);
        assert_int_equal(fr_object_set_flags(f.space, target, cases[i].flags, NULL), FR_OK);
        assert_int_equal(fr_space_update(f.space, NULL, NULL), FR_OK);
        fr_move_output out;
        assert_int_equal(fr_collide_move(&f.move, &out, NULL), FR_OK);
        assert_true(out.is_hit == cases[i].is_met && (!out.is_hit || fr_object_id_equal(out.first.b, target)));
    }
    close_flight(&f);
}

static void a_margin_is_touched_earlier(void **state) {
    (void)state;
    flight f;
    open_flight(&f);
    fr_move_output out;
    const double margins[] = {0.0, 1.0, 7.0, 9.0}, times[] = {0.4, 0.35, 0.05, 0.0};
    for (int i = 0; i < 4; i++) {
        f.move.margin = margins[i];
        assert_int_equal(fr_collide_move(&f.move, &out, NULL), FR_OK);
        assert_true(out.is_hit && out.free_time <= times[i] && out.free_time > times[i] - 1e-6);
    }
    f.move.motion.start.position.y = 2.5; // past it, half a metre apart
    f.move.margin = 0.4;
    assert_int_equal(fr_collide_move(&f.move, &out, NULL), FR_OK);
    assert_true(!out.is_hit && out.free_time == 1.0);
    f.move.margin = 0.6;
    assert_int_equal(fr_collide_move(&f.move, &out, NULL), FR_OK);
    assert_true(out.is_hit);
    close_flight(&f);
}

// The earliest contact of two objects of a space over its step; 2: none.
static double first_of_pair(fr_collide *collide, const fr_space *space, fr_object_id a, fr_object_id b) {
    fr_collide_input input = fr_default_collide_input();
    input.space = space;
    input.want = FR_WANT_CONTACTS;
    fr_collide_output output;
    assert_int_equal(fr_collide_continuous_pair(collide, &input, a, b, &output, NULL), FR_OK);
    double first = 2.0;
    for (size_t i = 0; i < output.pair_count; i++) {
        first = output.contacts[i].time < first ? output.contacts[i].time : first;
    }
    return first;
}

static void check_meeting(fr_collide *collide, const fr_space *space, fr_object_id a, fr_object_id b) {
    fr_meet_input input = fr_default_meet_input();
    input.space = space;
    input.a = a;
    input.b = b;
    input.motion_a = fr_object_get(space, a)->motion;
    input.motion_b = fr_object_get(space, b)->motion;
    fr_move_output out;
    assert_int_equal(fr_collide_meet(&input, &out, NULL), FR_OK);
    double first = first_of_pair(collide, space, a, b);
    assert_int_equal(out.is_hit, first <= 1.0);
    assert_true(out.free_time == (first <= 1.0 ? first : 1.0));
    assert_true(!out.is_hit || (fr_object_id_equal(out.first.a, a) && fr_object_id_equal(out.first.b, b)));

    // From where both are in the middle of their motions on, the same contact comes as much earlier.
    const double part = 0.25;
    if (!(first > part && first <= 1.0)) { return; }
    fr_motion *motions[2] = {&input.motion_a, &input.motion_b};
    for (int i = 0; i < 2; i++) {
        motions[i]->start = fr_motion_pose(motions[i], part);
        motions[i]->travel = fr_vec3_scale(1.0 - part, motions[i]->travel);
        motions[i]->turn = fr_vec3_scale(1.0 - part, motions[i]->turn);
    }
    assert_int_equal(fr_collide_meet(&input, &out, NULL), FR_OK);
    if (!out.is_hit) { return; } // it came within the tolerance alone
    if (!(fabs(part + (1.0 - part) * out.free_time - first) < 1e-2)) { fail_msg("%g, not %g", out.free_time, first); }
}

static void two_objects_meet_when_a_step_has_them_meet(void **state) {
    (void)state;
    fr_collide *collide;
    assert_int_equal(fr_collide_create(NULL, &collide, NULL), FR_OK);
    for (uint64_t seed = 1; seed <= test_count(60, 1000); seed++) {
        fr_space *space = moving_scene(seed, true);
        uint32_t count = fr_space_object_places(space);
        for (uint32_t i = 0; i < count; i++) {
            fr_object_id id = fr_space_object_at(space, i);
            fr_motion motion = fr_object_get(space, id)->motion;
            fr_pose end = fr_motion_pose(&motion, 1.0);
            assert_int_equal(fr_object_set_motion(space, id, &motion, &end, NULL), FR_OK);
        }
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t k = i + 1; k < count; k++) {
                fr_object_id a = fr_space_object_at(space, i), b = fr_space_object_at(space, k);
                bool is_rigid =
                    fr_object_get(space, a)->next_vertices == NULL && fr_object_get(space, b)->next_vertices == NULL;
                if (is_rigid) { check_meeting(collide, space, a, b); }
            }
        }
        fr_space_destroy(space);
    }
    fr_collide_destroy(collide);
}

static void wrong_meetings_are_refused(void **state) {
    (void)state;
    flight f;
    open_flight(&f);
    fr_move_output out;
    fr_meet_input input = fr_default_meet_input();
    assert_int_equal(fr_collide_meet(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input.space = f.move.space;
    assert_int_equal(fr_collide_meet(&input, &out, NULL), FR_ERROR_STALE_ID);
    input.a = input.b = fr_space_object_at(input.space, 0);
    input.margin = -1.0;
    assert_int_equal(fr_collide_meet(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input.margin = 0.0;
    input.motion_b.travel.x = (double)NAN;
    assert_int_equal(fr_collide_meet(&input, &out, NULL), FR_ERROR_NOT_FINITE);
    input.cookie = 0;
    assert_int_equal(fr_collide_meet(&input, &out, NULL), FR_ERROR_ARGUMENT);
    close_flight(&f);
}

static void wrong_geometries_are_refused(void **state) {
    (void)state;
    flight f;
    open_flight(&f);
    fr_move_output out;
    const double bad[] = {-1.0, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 3; i++) {
        fr_move_input move = f.move;
        move.margin = bad[i];
        assert_int_equal(fr_collide_move(&move, &out, NULL), FR_ERROR_ARGUMENT);
        move = f.move;
        move.tolerance = bad[i];
        assert_int_equal(fr_collide_move(&move, &out, NULL), FR_ERROR_ARGUMENT);
    }
    f.part.pose.position.x = (double)NAN;
    assert_int_equal(fr_collide_move(&f.move, &out, NULL), FR_ERROR_NOT_FINITE);
    f.part = fr_default_part_def();
    assert_int_equal(fr_collide_move(&f.move, &out, NULL), FR_ERROR_ARGUMENT);
    f.move.part_count = 0;
    assert_int_equal(fr_collide_move(&f.move, &out, NULL), FR_ERROR_ARGUMENT);
    close_flight(&f);
}

enum { ASKED_AT_ONCE = 64 };

typedef struct many_asked {
    const fr_move_input *move;
    fr_move_output outputs[ASKED_AT_ONCE];
} many_asked;

static void ask_some(size_t begin, size_t end, int worker, void *context) {
    many_asked *many = context;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        (void)fr_collide_move(many->move, &many->outputs[i], NULL);
    }
}

static void many_may_ask_at_once_and_nothing_is_allocated(void **state) {
    (void)state;
    flight f;
    open_flight(&f);
    fr_task_pool *pool = scene_pool(4);
    fr_tasks tasks = fr_task_pool_tasks(pool);
    fr_probe *probe = fr_probe_create();
    fr_set_default_allocator(fr_probe_allocator(probe));
    static many_asked many;
    many.move = &f.move;
    fr_tasks_run(&tasks, FR_SCHEDULE_DYNAMIC, ASKED_AT_ONCE, 1, ask_some, &many);
    fr_set_default_allocator((fr_allocator){NULL, NULL, NULL});
    assert_int_equal(fr_probe_get(probe).allocations, 0);
    for (int i = 0; i < ASKED_AT_ONCE; i++) {
        assert_true(many.outputs[i].is_hit && many.outputs[i].free_time == many.outputs[0].free_time);
        assert_int_equal(many.outputs[i].first.triangle_a, many.outputs[0].first.triangle_a);
        assert_int_equal(many.outputs[i].first.triangle_b, many.outputs[0].first.triangle_b);
    }
    fr_probe_destroy(probe);
    fr_task_pool_destroy(pool);
    close_flight(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_geometry_touches_what_an_object_does),
        cmocka_unit_test(filters_and_wrong_input),
        cmocka_unit_test(a_query_as_an_object_meets_what_that_may_meet),
        cmocka_unit_test(a_margin_is_touched_earlier),
        cmocka_unit_test(two_objects_meet_when_a_step_has_them_meet),
        cmocka_unit_test(wrong_meetings_are_refused),
        cmocka_unit_test(wrong_geometries_are_refused),
        cmocka_unit_test(many_may_ask_at_once_and_nothing_is_allocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
