// Every method gives the same pairs with the same flags, on random scenes of all kinds.
#include "collide/scenes.h"
#include "failing.h"
#include "frame.h"
#include "walking_body.h"

static void compare_methods(uint64_t seed, bool far_away, double margin_in_units) {
    fr_random r = fr_random_seed(seed);
    static scene_plan plan;
    scene_random_plan(&r, far_away, &plan);
    fr_space *space = scene_build(&plan, &scene_as_it_is);
    fr_collide *askers[3] = {scene_asker(), scene_asker(), scene_asker()};
    static const fr_collide_method methods[3] = {FR_COLLIDE_BRUTE, FR_COLLIDE_TREE, FR_COLLIDE_FACE_OCTREE};
    static const char *const names[3] = {"brute", "tree", "face-octree"};
    fr_collide_output out[3];
    for (int i = 0; i < 3; i++) {
        fr_collide_input input = scene_question(space, methods[i]);
        input.margin = margin_in_units * plan.unit;
        input.is_containment_wanted = true;
        out[i] = scene_ask(askers[i], &input);
        assert_false(out[i].is_partial);
        scene_check_order(&out[i]);
        if (i > 0) { scene_check_equal(&out[i], &out[0], names[i], seed); }
    }
    for (int i = 0; i < 3; i++) {
        fr_collide_destroy(askers[i]);
    }
    fr_space_destroy(space);
}

static void methods_agree(void **state) {
    (void)state;
    uint64_t count = test_count(300, 10000);
    for (uint64_t seed = 0; seed < count; seed++) {
        compare_methods(seed, false, 0.0);
    }
}

static void methods_agree_far_away(void **state) {
    (void)state;
    uint64_t count = test_count(60, 3000);
    for (uint64_t seed = 0; seed < count; seed++) {
        compare_methods(1000000 + seed, true, 0.0);
    }
}

static void methods_agree_with_margins(void **state) {
    (void)state;
    static const double margins[] = {1e-9, 0.01, 0.1, 0.5};
    uint64_t count = test_count(24, 1000);
    for (uint64_t seed = 0; seed < count; seed++) {
        compare_methods(2000000 + seed, seed % 8 == 7, margins[seed % 4]);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Exact changes of a scene change the answer alike

// The pair as it is called in the scene before the change.
static fr_face_pair as_before(const fr_face_pair *pair, const scene_plan *plan, const scene_change *change) {
    uint32_t object[2] = {pair->a, pair->b}, triangle[2] = {pair->triangle_a, pair->triangle_b};
    for (int k = 0; k < 2; k++) {
        if (change->swapped && object[k] < 2) { object[k] = 1 - object[k]; }
        uint32_t first = plan->soups[plan->soup_of[object[k]][0]].triangle_count;
        uint32_t second = plan->soups[plan->soup_of[object[k]][1]].triangle_count;
        if (!change->permuted) { continue; }
        triangle[k] = triangle[k] < first ? first - 1 - triangle[k] : first + second - 1 - (triangle[k] - first);
    }
    bool turned = object[0] > object[1] || (object[0] == object[1] && triangle[0] > triangle[1]);
    fr_face_pair out = {object[turned], object[!turned], triangle[turned], triangle[!turned], 0.0f, pair->flags};
    return out;
}

static bool has_pair(const fr_collide_output *out, const fr_face_pair *pair) {
    for (size_t i = 0; i < out->pair_count; i++) {
        if (memcmp(&out->pairs[i], pair, sizeof *pair) == 0) { return true; }
    }
    return false;
}

static void exact_changes_change_nothing(void **state) {
    (void)state;
    static const scene_change changes[] = {
        {1.0, false, true, false},  {1.0, false, false, true},     {1.0, true, false, false},
        {4.0, false, false, false}, {0x1p-7, false, false, false}, {0x1p+11, true, true, true},
    };
    static scene_plan plan;
    fr_collide *first = scene_asker(), *second = scene_asker();
    uint64_t count = test_count(40, 2000);
    for (uint64_t seed = 0; seed < count; seed++) {
        fr_random r = fr_random_seed(3000000 + seed);
        scene_random_plan(&r, seed % 5 == 4, &plan);
        fr_space *space = scene_build(&plan, &scene_as_it_is);
        fr_collide_input input = scene_question(space, FR_COLLIDE_TREE);
        fr_collide_output before = scene_ask(first, &input);
        const scene_change *change = &changes[seed % 6];
        fr_space *changed = scene_build(&plan, change);
        input.space = changed;
        fr_collide_output after = scene_ask(second, &input);
        assert_int_equal(after.pair_count, before.pair_count);
        for (size_t i = 0; i < after.pair_count; i++) {
            fr_face_pair pair = as_before(&after.pairs[i], &plan, change);
            if (!has_pair(&before, &pair)) { fail_msg("scene %llu: a pair is new", (unsigned long long)seed); }
        }
        fr_space_destroy(changed);
        fr_space_destroy(space);
    }
    fr_collide_destroy(first);
    fr_collide_destroy(second);
}

// ---------------------------------------------------------------------------------------------------------------
// Two balls: the calls

typedef struct balls {
    fr_space *space;
    fr_collide *collide;
    fr_object_id a, b;
} balls;

static balls make_balls(double distance, uint32_t flags) {
    balls two;
    fr_mesh *mesh;
    two.space = scene_space();
    assert_int_equal(fr_mesh_create_named("sphere_168", NULL, &mesh, NULL), FR_OK);
    two.a = scene_add_at(two.space, mesh, fr_vec3_make(0.0, 0.0, 0.0), flags);
    two.b = scene_add_at(two.space, mesh, fr_vec3_make(distance, 0.0, 0.0), flags);
    fr_mesh_release(mesh);
    assert_int_equal(fr_space_update(two.space, NULL, NULL), FR_OK);
    two.collide = scene_asker();
    return two;
}

static void end_balls(balls *two) {
    fr_collide_destroy(two->collide);
    fr_space_destroy(two->space);
}

static void a_stale_space_is_refused(void **state) {
    (void)state;
    balls two = make_balls(1.5, 0);
    fr_collide_input input = scene_question(two.space, FR_COLLIDE_AUTO);
    assert_true(scene_ask(two.collide, &input).pair_count > 0);
    fr_pose pose = fr_pose_identity();
    pose.position.x = 9.0;
    assert_int_equal(fr_object_set_pose(two.space, two.b, &pose, NULL), FR_OK);
    fr_collide_output out;
    fr_error error;
    assert_int_equal(fr_collide_static(two.collide, &input, &out, &error), FR_ERROR_STALE_DATA);
    assert_true(out.pair_count == 0 && out.pairs == NULL);
    assert_int_equal(fr_collide_static_pair(two.collide, &input, two.a, two.b, &out, &error), FR_OK);
    assert_int_equal(out.pair_count, 0);
    assert_int_equal(fr_space_update(two.space, NULL, NULL), FR_OK);
    assert_int_equal(scene_ask(two.collide, &input).pair_count, 0);
    assert_int_equal(fr_object_remove(two.space, two.b, NULL), FR_OK);
    assert_int_equal(fr_collide_static_pair(two.collide, &input, two.a, two.b, &out, &error), FR_ERROR_STALE_ID);
    end_balls(&two);
}

// A ghost with bones has the tree that it had when it was touched, and no vertices that follow its bones.
static void a_ghost_with_bones_is_in_no_pair(void **state) {
    (void)state;
    balls two = make_balls(1.5, 0);
    fr_skin *skin = walker_skin(fr_object_part(two.space, two.b, 0).mesh);
    assert_int_equal(fr_object_set_skin(two.space, two.b, 0, skin, FR_SKIN_LINEAR, NULL), FR_OK);
    fr_pose bones[WALKER_BONES];
    for (int i = 0; i < WALKER_BONES; i++) {
        bones[i] = fr_pose_identity();
    }
    fr_collide_input input = scene_question(two.space, FR_COLLIDE_AUTO);
    fr_collide_output out;
    for (int is_ghost = 0; is_ghost < 2; is_ghost++) {
        assert_int_equal(fr_object_set_flags(two.space, two.b, is_ghost ? FR_OBJECT_GHOST : 0, NULL), FR_OK);
        assert_int_equal(fr_object_set_bones(two.space, two.b, bones, WALKER_BONES, NULL), FR_OK);
        assert_int_equal(fr_space_update(two.space, NULL, NULL), FR_OK);
        fr_status wanted = is_ghost ? FR_ERROR_UNSUPPORTED : FR_OK;
        assert_int_equal(fr_collide_static_pair(two.collide, &input, two.a, two.b, &out, NULL), wanted);
        assert_int_equal(out.pair_count > 0, !is_ghost);
        assert_int_equal(fr_collide_static_pair(two.collide, &input, two.b, two.b, &out, NULL), wanted);
        assert_int_equal(fr_collide_continuous_pair(two.collide, &input, two.b, two.a, &out, NULL), wanted);
    }
    fr_skin_release(skin);
    end_balls(&two);
}

static void wrong_input_is_refused(void **state) {
    (void)state;
    balls two = make_balls(1.5, 0);
    fr_collide_output out;
    fr_error error;
    const double bad[] = {-1.0, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 3; i++) {
        fr_collide_input input = scene_question(two.space, FR_COLLIDE_AUTO);
        input.margin = bad[i];
        assert_int_equal(fr_collide_static(two.collide, &input, &out, &error), FR_ERROR_ARGUMENT);
        input.margin = 0.0;
        input.octree_edge = bad[i];
        assert_int_equal(fr_collide_static(two.collide, &input, &out, &error), FR_ERROR_ARGUMENT);
    }
    fr_collide_input input, wrong[6];
    for (int i = 0; i < 6; i++) {
        wrong[i] = scene_question(two.space, FR_COLLIDE_AUTO);
    }
    wrong[0].method = (fr_collide_method)77;
    wrong[1].want = (fr_want)77;
    wrong[2].balance = (fr_balance)77;
    wrong[3].narrow = (fr_narrow)77;
    wrong[4].octree_depth = 17;
    wrong[5].octree_min.y = (double)NAN;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(fr_collide_static(two.collide, &wrong[i], &out, &error), FR_ERROR_ARGUMENT);
    }
    memset(&input, 0, sizeof input);
    assert_int_equal(fr_collide_static(two.collide, &input, &out, &error), FR_ERROR_ARGUMENT);
    input = fr_default_collide_input();
    assert_int_equal(fr_collide_static(two.collide, &input, &out, &error), FR_ERROR_ARGUMENT);
    end_balls(&two);
    fr_collide_destroy(NULL);
}

static void two_objects_alone_are_the_same(void **state) {
    (void)state;
    balls two = make_balls(1.5, FR_OBJECT_SENSOR | FR_OBJECT_REAL);
    fr_collide *other = scene_asker();
    fr_collide_input input = scene_question(two.space, FR_COLLIDE_AUTO);
    fr_collide_output all = scene_ask(two.collide, &input), out;
    assert_int_equal(all.pairs[0].flags & (FR_CONTACT_SENSOR | FR_CONTACT_REAL), FR_CONTACT_SENSOR | FR_CONTACT_REAL);
    assert_int_equal(fr_collide_static_pair(other, &input, two.a, two.b, &out, NULL), FR_OK);
    scene_check_equal(&out, &all, "pair", 0);
    assert_int_equal(fr_collide_static_pair(other, &input, two.b, two.a, &out, NULL), FR_OK);
    scene_check_equal(&out, &all, "pair turned", 0);
    assert_int_equal(fr_collide_static_pair(other, &input, two.a, two.a, &out, NULL), FR_OK);
    assert_int_equal(out.pair_count, 0);

    // Whatever their filters; with intervals as with contacts.
    assert_int_equal(fr_object_set_filter(two.space, two.a, (fr_filter){1, 0, 0}, NULL), FR_OK);
    assert_int_equal(fr_space_update(two.space, NULL, NULL), FR_OK);
    input.want = FR_WANT_INTERVALS;
    assert_int_equal(fr_collide_static_pair(other, &input, two.a, two.b, &out, NULL), FR_OK);
    assert_true(out.pair_count > 0 && out.contacts != NULL && out.intervals == NULL && out.interval_count == 0);
    assert_int_equal(scene_ask(two.collide, &input).pair_count, 0);
    fr_collide_destroy(other);
    end_balls(&two);
}

static void a_budget_makes_the_answer_partial(void **state) {
    (void)state;
    balls two = make_balls(1.5, 0);
    fr_collide *other = scene_asker();
    for (int method = FR_COLLIDE_TREE; method <= FR_COLLIDE_BRUTE; method++) {
        fr_collide_input input = scene_question(two.space, (fr_collide_method)method);
        fr_collide_output all = scene_ask(other, &input);
        input.budget = all.stats.tested;
        fr_collide_output out = scene_ask(two.collide, &input);
        assert_false(out.is_partial);
        scene_check_equal(&out, &all, "budget", (uint64_t)method);
        input.budget = all.stats.tested / 2;
        out = scene_ask(two.collide, &input);
        assert_true(out.is_partial && out.stats.tested <= input.budget && out.pair_count < all.pair_count);
        for (size_t i = 0; i < out.pair_count; i++) {
            assert_true(has_pair(&all, &out.pairs[i]));
        }
    }
    fr_collide_destroy(other);
    end_balls(&two);
}

static bool stop_at_once(void *user) {
    ++*(int *)user;
    return true;
}

static void a_stopped_answer_is_partial(void **state) {
    (void)state;
    balls two = make_balls(1.5, 0);
    int asked = 0;
    fr_control control = {stop_at_once, NULL, &asked};
    for (int method = FR_COLLIDE_TREE; method <= FR_COLLIDE_BRUTE; method++) {
        fr_collide_input input = scene_question(two.space, (fr_collide_method)method);
        input.control = &control;
        assert_true(scene_ask(two.collide, &input).is_partial);
    }
    assert_true(asked >= 3);
    end_balls(&two);
}

// Balls whose faces were not looked at seem to hold one another.
static void a_stopped_answer_calls_nothing_contained(void **state) {
    (void)state;
    balls two = make_balls(0.0, 0);
    fr_pose above = fr_pose_identity();
    above.position.y = 0.5;
    assert_int_equal(fr_object_set_pose(two.space, two.b, &above, NULL), FR_OK);
    assert_int_equal(fr_space_update(two.space, NULL, NULL), FR_OK);
    int asked = 0;
    fr_control control = {stop_at_once, NULL, &asked};
    fr_collide_input input = scene_question(two.space, FR_COLLIDE_TREE);
    input.is_containment_wanted = true;
    input.control = &control;
    fr_collide_output out = scene_ask(two.collide, &input);
    assert_true(out.is_partial);
    for (size_t i = 0; i < out.object_pair_count; i++) {
        assert_true(out.object_pairs[i].relation <= FR_RELATION_CROSSING);
    }
    // The first question is asked before anything is tested.
    assert_int_equal(out.stats.tested, 0);
    end_balls(&two);
}

static bool refuse(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space, (void)a, (void)b;
    ++*(int *)context;
    return false;
}

static void a_filter_may_refuse(void **state) {
    (void)state;
    balls two = make_balls(1.5, 0);
    int asked = 0;
    fr_collide_input input = scene_question(two.space, FR_COLLIDE_AUTO);
    input.filter = refuse;
    input.filter_context = &asked;
    assert_int_equal(scene_ask(two.collide, &input).pair_count, 0);
    assert_int_equal(asked, 1);
    end_balls(&two);
}

// ---------------------------------------------------------------------------------------------------------------
// Deforming objects

static void deformed_objects_are_found_alike(void **state) {
    (void)state;
    balls two = make_balls(1.5, FR_OBJECT_SELF);
    fr_collide *other = scene_asker();
    fr_part_view part = fr_object_part(two.space, two.a, 0);
    const fr_mesh_view *view = fr_mesh_get(part.mesh);
    static fr_vec3 vertices[1000];
    uint64_t count = test_count(20, 500);
    for (uint64_t seed = 0; seed < count; seed++) {
        fr_random r = fr_random_seed(seed);
        for (uint32_t i = 0; i < view->vertex_count; i++) {
            fr_vec3 v = {(double)view->positions_float[3 * i], (double)view->positions_float[3 * i + 1],
                         (double)view->positions_float[3 * i + 2]};
            vertices[i] = fr_vec3_add(v, scene_point(&r, seed % 3 == 0 ? 0.6 : 0.1));
        }
        fr_object_id id = seed % 2 == 0 ? two.a : two.b;
        assert_int_equal(fr_object_set_vertices(two.space, id, vertices, view->vertex_count, NULL), FR_OK);
        fr_collide_input input = scene_question(two.space, FR_COLLIDE_TREE);
        fr_collide_output out;
        assert_int_equal(fr_collide_static_pair(two.collide, &input, two.a, two.b, &out, NULL), FR_ERROR_STALE_DATA);
        assert_int_equal(fr_space_update(two.space, NULL, NULL), FR_OK);
        out = scene_ask(two.collide, &input);
        for (int method = FR_COLLIDE_FACE_OCTREE; method <= FR_COLLIDE_BRUTE; method++) {
            input.method = (fr_collide_method)method;
            fr_collide_output same = scene_ask(other, &input);
            scene_check_equal(&same, &out, "deformed", seed);
        }
    }
    fr_collide_destroy(other);
    end_balls(&two);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    balls two = make_balls(1.2, FR_OBJECT_SELF);
    for (int method = FR_COLLIDE_TREE; method <= FR_COLLIDE_BRUTE; method++) {
        for (int balance = FR_BALANCE_SERIAL; balance <= FR_BALANCE_STATIC; balance++) {
            fr_collide_input input = scene_question(two.space, (fr_collide_method)method);
            input.balance = (fr_balance)balance;
            input.want = FR_WANT_CONTACTS;
            scene_failing_question question = {fr_collide_static, &input};
            assert_true(test_every_failure(scene_ask_new_asker, &question) > 3);
        }
    }
    end_balls(&two);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(methods_agree_far_away),
        cmocka_unit_test(methods_agree_with_margins),
        cmocka_unit_test(exact_changes_change_nothing),
        cmocka_unit_test(a_stale_space_is_refused),
        cmocka_unit_test(a_ghost_with_bones_is_in_no_pair),
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(two_objects_alone_are_the_same),
        cmocka_unit_test(a_budget_makes_the_answer_partial),
        cmocka_unit_test(a_stopped_answer_is_partial),
        cmocka_unit_test(a_stopped_answer_calls_nothing_contained),
        cmocka_unit_test(a_filter_may_refuse),
        cmocka_unit_test(deformed_objects_are_found_alike),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
