// Parts in hands: fitted where they belong, in order, held there, taken out and back.
#include "frame.h"
#include "hands_room.h"

#include <math.h>

#define OBJECTS                                                                                                        \
    "{\"name\":\"table\",\"shape\":\"box\",\"position\":[0,-0.5,0],\"static\":true},"                                  \
    "{\"name\":\"a\",\"shape\":\"box\",\"position\":[-0.3,0.0501,0],\"scale\":0.1},"                                   \
    "{\"name\":\"b\",\"shape\":\"box\",\"position\":[0.3,0.0501,0],\"scale\":0.1}"
#define ASSEMBLY                                                                                                       \
    "\"assembly\":{\"parts\":[{\"object\":\"a\",\"place\":{\"position\":[0,0.05,0]},\"insertion\":[0,-1,0]},"          \
    "{\"object\":\"b\",\"place\":{\"position\":[0,0.1,0],\"relative_to\":\"a\"},\"insertion\":[0,-1,0]}]}"
#define SCENE "{\"fureai\":1,\"objects\":[" OBJECTS "]," ASSEMBLY ",\"aid\":{\"fall\":true}}"

static bool is_fitted(const hands_room *r, uint32_t part) {
    return fr_assembly_states(fr_hands_assembly(r->hands))[part].place != FR_NONE;
}

// Leads a part over its place and down; how often it was reported as fitted.
static size_t fit(hands_room *r, fr_object_id part, double height) {
    (void)lead(r, part, fr_vec3_make(0.004, height + 0.15, 0.003), 40, FR_EVENT_FITTED);
    return lead(r, part, fr_vec3_make(0.004, height, 0.003), 60, FR_EVENT_FITTED);
}

static void let_go(hands_room *r, fr_object_id part) {
    assert_int_equal(fr_world_let_go(r->world, part, NULL), FR_OK);
    rest(r, 500);
}

static void a_part_is_fitted_once_and_stands(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, SCENE);
    assert_int_equal(fit(&r, r.a, 0.05), 1);
    assert_true(is_fitted(&r, 0) && !is_fitted(&r, 1));
    assert_true(fr_vec3_distance(pose_of(&r, r.a).position, fr_vec3_make(0, 0.05, 0)) < 1e-12);
    // The hand is open, wherever it goes.
    (void)lead(&r, r.a, fr_vec3_make(0.3, 0.4, 0.2), 10, FR_EVENT_FITTED);
    assert_true(fr_vec3_distance(pose_of(&r, r.a).position, fr_vec3_make(0, 0.05, 0)) < 1e-12);
    let_go(&r, r.a);

    // Taken again it is loose, and let go in the air it falls.
    assert_int_equal(grab(&r, r.a, NULL), FR_OK);
    (void)lead(&r, r.a, fr_vec3_make(-0.3, 0.2, 0.0), 60, FR_EVENT_FITTED);
    assert_false(is_fitted(&r, 0));
    let_go(&r, r.a);
    assert_true(fabs(pose_of(&r, r.a).position.y - 0.05) < 2e-3);
    close_room(&r);
}

static void parts_are_fitted_in_order_and_taken_in_reverse(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, SCENE);
    fr_error error = {0};
    assert_int_equal(fit(&r, r.b, 0.15), 0); // its place is not there yet
    (void)lead(&r, r.b, fr_vec3_make(0.3, 0.2, 0.0), 60, FR_EVENT_FITTED);
    let_go(&r, r.b);
    assert_int_equal(fit(&r, r.a, 0.05), 1);
    let_go(&r, r.a);
    assert_int_equal(fit(&r, r.b, 0.15), 1);
    let_go(&r, r.b);
    assert_int_equal(fr_assembly_fitted_count(fr_hands_assembly(r.hands)), 2);

    assert_int_equal(grab(&r, r.a, &error), FR_ERROR_BUSY);
    assert_non_null(strstr(error.message, "'b'"));
    // A holder that takes it all the same, without a server, does not move it.
    (void)lead(&r, r.a, fr_vec3_make(-0.3, 0.3, 0.0), 10, FR_EVENT_FITTED);
    assert_true(fr_vec3_distance(pose_of(&r, r.a).position, fr_vec3_make(0, 0.05, 0)) < 1e-12);
    let_go(&r, r.a);
    assert_true(is_fitted(&r, 0));
    assert_int_equal(grab(&r, r.b, NULL), FR_OK);
    (void)lead(&r, r.b, fr_vec3_make(0.3, 0.3, 0.0), 60, FR_EVENT_FITTED);
    let_go(&r, r.b);
    assert_int_equal(grab(&r, r.a, NULL), FR_OK);
    close_room(&r);
}

static void what_was_fitted_is_taken_back_and_done_again(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, SCENE);
    fr_pose first = pose_of(&r, r.a);
    assert_int_equal(fit(&r, r.a, 0.05), 1);
    let_go(&r, r.a);
    assert_int_equal(fr_cast_undo(r.cast, false, NULL), FR_OK);
    tick(&r);
    assert_false(is_fitted(&r, 0));
    assert_true(fr_vec3_equal(pose_of(&r, r.a).position, first.position));
    assert_int_equal(fr_cast_undo(r.cast, true, NULL), FR_OK);
    tick(&r);
    assert_true(is_fitted(&r, 0));
    assert_true(fr_vec3_distance(pose_of(&r, r.a).position, fr_vec3_make(0, 0.05, 0)) < 1e-12);

    assert_int_equal(fr_cast_begin(r.cast, NULL), FR_OK);
    assert_int_equal(fr_assembly_fitted_count(fr_hands_assembly(r.hands)), 0);
    close_room(&r);
}

static void an_assembly_alone_has_the_aid_too(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, "{\"fureai\":1,\"objects\":[" OBJECTS "]," ASSEMBLY "}");
    assert_non_null(r.hands);
    assert_int_equal(fit(&r, r.a, 0.05), 1);
    let_go(&r, r.a);
    close_room(&r);
}

typedef struct stretch {
    fr_pose from, to;
    int ticks;
} stretch;

// Leads a part along a leg until it is fitted; whether it was.
static bool go(hands_room *r, fr_object_id part, const stretch *leg) {
    fr_motion motion = fr_motion_between(&leg->from, &leg->to, fr_vec3_make(0, 0, 0));
    for (int i = 1; i <= leg->ticks; i++) {
        fr_pose raw = fr_motion_pose(&motion, (double)i / leg->ticks);
        assert_int_equal(fr_world_drag(r->world, part, &raw, NULL), FR_OK);
        tick(r);
        if (events_of(r, FR_EVENT_FITTED, NULL) > 0) { return true; }
    }
    return false;
}

// Where the part of a place belongs, by the places that it counts from.
static fr_pose place_of(const hands_room *r, uint32_t place) {
    const fr_assembly *assembly = fr_hands_assembly(r->hands);
    fr_pose pose = fr_assembly_get(assembly, place)->place;
    pose.scale = 1.0;
    for (uint32_t k = fr_assembly_get(assembly, place)->relative_to; k != FR_NONE;
         k = fr_assembly_get(assembly, k)->relative_to) {
        fr_pose base = fr_assembly_get(assembly, k)->place;
        base.scale = 1.0;
        pose = fr_pose_compose(&base, &pose);
    }
    pose.scale = pose_of(r, fr_assembly_get(assembly, place)->object).scale;
    return pose;
}

// One part of a demo: lifted, turned high above all, brought before its place, and in until it is fitted.
static void fit_part(hands_room *r, const char *name) {
    fr_object_id part = fr_world_find(r->world, name);
    uint32_t place = fr_assembly_part_of(fr_hands_assembly(r->hands), part);
    fr_pose goal = place_of(r, place), from = pose_of(r, part);
    fr_vec3 travel = fr_pose_turn(&goal, fr_assembly_get(fr_hands_assembly(r->hands), place)->insertion);
    fr_pose before = goal, over = goal, up = from;
    before.position = fr_vec3_add_scaled(goal.position, -0.15, travel);
    over.position = before.position;
    up.position.y = over.position.y = 1.0;
    const stretch legs[] = {{from, up, 20}, {up, over, 30}, {over, before, 20}, {before, goal, 60}};
    bool is_in = false;
    for (int i = 0; i < 4 && !is_in; i++) {
        is_in = go(r, part, &legs[i]);
    }
    if (!is_in) { fail_msg("%s is not fitted", name); }
    let_go(r, part);
    assert_true(is_fitted(r, place));
}

static void the_snail_of_the_demo_is_built(void **state) {
    (void)state;
    static const char *const blocks[] = {"plate", "shell", "roof", "neck", "head"};
    hands_room r;
    open_demo(&r, DEMO_FOLDER, "blocks.json");
    tick(&r);
    for (int i = 0; i < 5; i++) {
        fit_part(&r, blocks[i]);
    }
    assert_int_equal(fr_assembly_fitted_count(fr_hands_assembly(r.hands)), 5);
    for (int i = 4; i >= 0; i--) {
        assert_int_equal(fr_cast_undo(r.cast, false, NULL), FR_OK);
        tick(&r);
    }
    assert_int_equal(fr_assembly_fitted_count(fr_hands_assembly(r.hands)), 0);
    close_room(&r);
}

static void the_piston_of_the_demo_is_put_together(void **state) {
    (void)state;
    hands_room r;
    open_demo(&r, DEMO_FOLDER, "piston.json");
    tick(&r);
    uint32_t count = fr_assembly_count(fr_hands_assembly(r.hands));
    for (uint32_t i = 0; i < count; i++) {
        fit_part(&r, fr_assembly_get(fr_hands_assembly(r.hands), i)->name);
    }
    assert_int_equal(fr_assembly_fitted_count(fr_hands_assembly(r.hands)), count);
    fr_error error = {0};
    assert_int_equal(grab(&r, fr_world_find(r.world, "pin"), &error), FR_OK);
    assert_int_equal(grab(&r, fr_world_find(r.world, "piston"), &error), FR_ERROR_BUSY);
    close_room(&r);
}

// Three hands at most take, turn, lead and drop what they like.
static void handle(hands_room *r, fr_random *random, fr_object_id object, fr_vec3 *goal, uint32_t *held) {
    uint64_t what = fr_random_below(random, 300);
    bool is_held = fr_world_hold(r->world, object) == FR_HOLD_HELD;
    if (is_held && what == 0) {
        (void)fr_world_let_go(r->world, object, NULL);
        (*held)--;
        return;
    }
    if (!is_held && (*held >= 3 || what > 4 || grab(r, object, NULL) != FR_OK)) { return; }
    *held += is_held ? 0 : 1;
    if (what < 6) {
        double x = fr_random_between(random, -0.5, 0.5), y = fr_random_between(random, 0.7, 0.95);
        *goal = fr_vec3_make(x, y, fr_random_between(random, -0.25, 0.25));
    }
    fr_pose raw = pose_of(r, object);
    fr_vec3 travel = fr_vec3_sub(*goal, raw.position);
    raw.position = fr_vec3_add_scaled(raw.position, fmin(1.0, 0.008 / fmax(fr_vec3_length(travel), 1e-9)), travel);
    double tilt = fr_random_between(random, -0.03, 0.03), twist = fr_random_between(random, -0.03, 0.03);
    raw.rotation = fr_quat_multiply(fr_quat_from_vector(fr_vec3_make(tilt, twist, 0.01)), raw.rotation);
    assert_int_equal(fr_quat_normalize(&raw.rotation, NULL), FR_OK);
    assert_int_equal(fr_world_drag(r->world, object, &raw, NULL), FR_OK);
}

static void three_hands_on_the_table_go_into_nothing(void **state) {
    (void)state;
    hands_room r;
    open_demo(&r, DEMO_FOLDER, "blocks.json");
    const fr_space *space = fr_world_space(r.world);
    uint32_t places = fr_space_object_places(space), held = 0;
    fr_vec3 goals[DEMO_OBJECTS_MAX] = {{0}};
    fr_random random = fr_random_seed(1);
    uint64_t ticks = test_count(600, 100000);
    for (uint64_t i = 0; i < ticks; i++) {
        for (uint32_t k = 1; k < places; k++) {
            handle(&r, &random, fr_space_object_at(space, k), &goals[k], &held);
        }
        tick(&r);
    }
    close_room(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_is_fitted_once_and_stands),
        cmocka_unit_test(parts_are_fitted_in_order_and_taken_in_reverse),
        cmocka_unit_test(what_was_fitted_is_taken_back_and_done_again),
        cmocka_unit_test(an_assembly_alone_has_the_aid_too),
        cmocka_unit_test(the_snail_of_the_demo_is_built),
        cmocka_unit_test(the_piston_of_the_demo_is_put_together),
        cmocka_unit_test(three_hands_on_the_table_go_into_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
