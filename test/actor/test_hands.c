// Hands in a world: blocks that snap, stop, fall and go back, for one person and for two.
#include "failing.h"
#include "frame.h"
#include "hands_room.h"
#include "tape.h"

#include <math.h>

#define TABLE "{\"name\":\"table\",\"shape\":\"box\",\"position\":[0,-0.5,0],\"static\":true}"
#define BLOCK(name, x, z) "{\"name\":\"" name "\",\"shape\":\"box\",\"position\":[" x ",0.0501," z "],\"scale\":0.1}"
#define SCENE(aid)                                                                                                     \
    "{\"fureai\":1,\"step\":0.01,\"steps\":1,\"objects\":[" TABLE                                                      \
    "," BLOCK("a", "-0.2", "0") "," BLOCK("b", "0.2", "0") "," BLOCK("c", "0.2", "0.3") "],\"aid\":" aid "}"
#define STAYS SCENE("{\"blend\":0}")
#define FALLS SCENE("{\"fall\":true,\"mode\":5}")

// ---------------------------------------------------------------------------------------------------------------
// One hand

static void a_block_snaps_onto_another_and_never_goes_in(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, STAYS);
    (void)lead(&r, r.a, fr_vec3_make(0.2, 0.3, 0.0), 40, FR_EVENT_SNAP);
    assert_true(fr_vec3_distance(pose_of(&r, r.a).position, fr_vec3_make(0.2, 0.3, 0.0)) < 1e-9);
    // Far below the top of b: it stops there, held by one face, and pushes back.
    size_t snaps = lead(&r, r.a, fr_vec3_make(0.2, 0.13, 0.0), 40, FR_EVENT_SNAP);
    assert_true(snaps >= 1);
    fr_vec3 place = pose_of(&r, r.a).position;
    assert_true(fabs(place.y - 0.1501) < 1e-3 && fabs(place.x - 0.2) < 1e-6);
    fr_hand_state held;
    assert_true(fr_hands_get(r.hands, r.a, &held));
    assert_true(held.is_held && held.held_count == 1 && held.freedom == 3);
    assert_true(held.force > 4.0 && held.force <= 8.0);

    // Pulled off by a little it stays; let go, it stays where it is shown.
    assert_int_equal(fr_world_let_go(r.world, r.a, NULL), FR_OK);
    tick(&r);
    fr_event force = {.value = 1.0};
    assert_int_equal(events_of(&r, FR_EVENT_DONE, NULL), 1);
    assert_int_equal(events_of(&r, FR_EVENT_FORCE, &force), 1);
    assert_true(force.value == 0.0);
    for (int i = 0; i < 5; i++) {
        tick(&r);
    }
    assert_true(fr_vec3_equal(pose_of(&r, r.a).position, place));
    assert_int_equal(fr_hands_count(r.hands), 0);
    close_room(&r);
}

static void what_is_let_go_in_the_air_falls_and_can_be_caught(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, FALLS);
    (void)lead(&r, r.a, fr_vec3_make(-0.2, 0.4, 0.0), 40, FR_EVENT_SNAP);
    for (int i = 0; i < 30; i++) {
        tick(&r);
    }
    assert_int_equal(fr_world_let_go(r.world, r.a, NULL), FR_OK);
    for (int i = 0; i < 12; i++) {
        tick(&r);
    }
    double height = pose_of(&r, r.a).position.y;
    assert_true(height < 0.39 && height > 0.2);

    // Caught: it stays in the hand.
    hold(&r, r.a, pose_of(&r, r.a).position, pose_of(&r, r.a).rotation);
    for (int i = 0; i < 10; i++) {
        tick(&r);
    }
    assert_true(fabs(pose_of(&r, r.a).position.y - height) < 1e-9);
    assert_int_equal(fr_world_let_go(r.world, r.a, NULL), FR_OK);
    rest(&r, 400);
    assert_true(fabs(pose_of(&r, r.a).position.y - 0.05) < 1e-3);
    close_room(&r);
}

static void what_carried_is_taken_away_and_the_rest_falls(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, FALLS);
    (void)lead(&r, r.a, fr_vec3_make(0.2, 0.3, 0.0), 40, FR_EVENT_SNAP);
    (void)lead(&r, r.a, fr_vec3_make(0.2, 0.15, 0.0), 40, FR_EVENT_SNAP);
    assert_int_equal(fr_world_let_go(r.world, r.a, NULL), FR_OK);
    rest(&r, 400);
    assert_true(fabs(pose_of(&r, r.a).position.y - 0.15) < 1e-3);
    // b is drawn from under it.
    (void)lead(&r, r.b, fr_vec3_make(0.2, 0.0501, -0.3), 60, FR_EVENT_SNAP);
    assert_int_equal(fr_world_let_go(r.world, r.b, NULL), FR_OK);
    rest(&r, 400);
    assert_true(fabs(pose_of(&r, r.a).position.y - 0.05) < 2e-3);
    close_room(&r);
}

static void what_was_placed_is_taken_back_and_done_again(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, FALLS);
    fr_error error = {0};
    assert_int_equal(fr_cast_undo(r.cast, false, &error), FR_ERROR_ARGUMENT);
    fr_pose first = pose_of(&r, r.a);
    (void)lead(&r, r.a, fr_vec3_make(0.2, 0.3, 0.0), 40, FR_EVENT_SNAP);
    assert_int_equal(fr_cast_undo(r.cast, false, &error), FR_ERROR_ARGUMENT); // it is in a hand yet
    assert_int_equal(fr_world_let_go(r.world, r.a, NULL), FR_OK);
    rest(&r, 400);
    fr_pose last = pose_of(&r, r.a);
    assert_true(fr_vec3_distance(first.position, last.position) > 0.2);

    assert_int_equal(fr_cast_undo(r.cast, false, NULL), FR_OK);
    assert_int_equal(fr_cast_undo(r.cast, false, NULL), FR_ERROR_BUSY); // not done yet
    tick(&r);
    assert_true(fr_vec3_equal(pose_of(&r, r.a).position, first.position));
    assert_int_equal(fr_cast_undo(r.cast, false, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_cast_undo(r.cast, true, NULL), FR_OK);
    tick(&r);
    assert_true(fr_vec3_equal(pose_of(&r, r.a).position, last.position));

    // Another object stands where it was: it stays, and goes back when the place is free.
    (void)lead(&r, r.c, fr_vec3_make(-0.2, 0.3, 0.0), 40, FR_EVENT_SNAP);
    (void)lead(&r, r.c, fr_vec3_make(-0.2, 0.05, 0.0), 40, FR_EVENT_SNAP);
    assert_int_equal(fr_world_let_go(r.world, r.c, NULL), FR_OK);
    rest(&r, 400);
    assert_int_equal(fr_cast_undo(r.cast, false, NULL), FR_OK); // c
    tick(&r);
    assert_int_equal(fr_cast_undo(r.cast, true, NULL), FR_OK);
    tick(&r);
    assert_int_equal(fr_cast_begin(r.cast, NULL), FR_OK);
    assert_int_equal(fr_cast_undo(r.cast, false, NULL), FR_ERROR_ARGUMENT);
    close_room(&r);
}

static void a_place_that_is_taken_is_not_gone_back_to(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, STAYS);
    (void)lead(&r, r.a, fr_vec3_make(-0.2, 0.5, 0.3), 40, FR_EVENT_SNAP);
    assert_int_equal(fr_world_let_go(r.world, r.a, NULL), FR_OK);
    tick(&r);
    (void)lead(&r, r.c, fr_vec3_make(-0.15, 0.3, 0.0), 40, FR_EVENT_SNAP);
    (void)lead(&r, r.c, fr_vec3_make(-0.15, 0.06, 0.0), 40, FR_EVENT_SNAP);
    // c is still in a hand: what is taken back is a.
    fr_error error = {0};
    assert_int_equal(fr_cast_undo(r.cast, false, &error), FR_ERROR_BUSY);
    assert_string_equal(error.message, "its place is not free");
    (void)lead(&r, r.c, fr_vec3_make(0.5, 0.4, 0.0), 40, FR_EVENT_SNAP);
    assert_int_equal(fr_cast_undo(r.cast, false, NULL), FR_OK);
    tick(&r);
    assert_true(fabs(pose_of(&r, r.a).position.y - 0.0501) < 1e-12);
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Modes

static void a_mode_without_the_aid_lets_the_hand_through(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, SCENE("{\"mode\":6,\"fall\":true}"));
    fr_error error = {0};
    size_t contacts = 0;
    for (int i = 0; i <= 40; i++) {
        fr_pose raw = pose_of(&r, r.a);
        raw.position = fr_vec3_make(-0.2 + 0.01 * i, 0.0501, 0.0);
        assert_int_equal(fr_world_drag(r.world, r.a, &raw, NULL), FR_OK);
        assert_int_equal(fr_world_tick(r.world, NULL, &error), FR_OK);
        contacts += events_of(&r, FR_EVENT_CONTACT, NULL);
        assert_int_equal(events_of(&r, FR_EVENT_SNAP, NULL), 0);
    }
    assert_int_equal(contacts, 1);
    assert_true(fr_vec3_distance(pose_of(&r, r.a).position, pose_of(&r, r.b).position) < 1e-9);

    // A state of the object changes its mode: now the aid has it, and lets it out again.
    assert_int_equal(fr_world_set_state(r.world, r.a, FR_HANDS_STATE, 5, NULL), FR_OK);
    fr_pose raw = pose_of(&r, r.a);
    raw.position = fr_vec3_make(0.2, 0.4, 0.0);
    assert_int_equal(fr_world_drag(r.world, r.a, &raw, NULL), FR_OK);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(fr_world_tick(r.world, NULL, &error), FR_OK);
    }
    fr_hand_state held;
    assert_true(fr_hands_get(r.hands, r.a, &held) && held.is_aided);
    tick(&r);
    (void)lead(&r, r.a, fr_vec3_make(0.2, 0.13, 0.0), 40, FR_EVENT_SNAP);
    assert_true(pose_of(&r, r.a).position.y > 0.149);
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Two hands

static void two_hands_that_meet_do_not_go_through_one_another(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, FALLS);
    fr_quat straight = fr_quat_identity();
    for (int i = 0; i <= 200; i++) {
        double t = 0.005 * i, away = 0.4 * (1.0 - 2.0 * t);
        hold(&r, r.a, fr_vec3_make(-away, 0.3, 0.0), straight);
        hold(&r, r.b, fr_vec3_make(away, 0.31, 0.0), straight);
        tick(&r);
    }
    // Each has the other before it still.
    assert_true(pose_of(&r, r.a).position.x < pose_of(&r, r.b).position.x);
    assert_int_equal(fr_world_let_go(r.world, r.a, NULL), FR_OK);
    assert_int_equal(fr_world_let_go(r.world, r.b, NULL), FR_OK);
    rest(&r, 800);
    close_room(&r);
}

// What is thrown against another stands for a moment by friction, and falls on.
static void what_is_thrown_against_another_falls(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, FALLS);
    (void)lead(&r, r.b, fr_vec3_make(0.2, 0.4, 0.0), 40, FR_EVENT_SNAP);
    (void)lead(&r, r.a, fr_vec3_make(0.0, 0.4, 0.0), 40, FR_EVENT_SNAP);
    (void)lead(&r, r.a, fr_vec3_make(0.09, 0.4, 0.0), 4, FR_EVENT_SNAP);
    assert_int_equal(fr_world_let_go(r.world, r.a, NULL), FR_OK);
    for (int i = 0; i < 200; i++) {
        tick(&r);
    }
    assert_true(pose_of(&r, r.a).position.y < 0.06);
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Any hands

static void wild(hands_room *r, fr_random *random, uint64_t ticks) {
    const fr_object_id blocks[3] = {r->a, r->b, r->c};
    fr_vec3 goals[3];
    for (int i = 0; i < 3; i++) {
        goals[i] = pose_of(r, blocks[i]).position;
    }
    for (uint64_t i = 0; i < ticks; i++) {
        for (int k = 0; k < 3; k++) {
            uint64_t what = fr_random_below(random, 200);
            if (what == 0) { assert_int_equal(fr_world_let_go(r->world, blocks[k], NULL), FR_OK); }
            if (what == 1) { (void)fr_cast_undo(r->cast, fr_random_below(random, 2) == 0, NULL); }
            if (what == 2) { (void)fr_world_resume(r->world, blocks[k], NULL); }
            if (what == 3) { goals[k] = fr_vec3_make(fr_random_between(random, -1e6, 1e6), 0.1, 0.0); }
            if (what < 10) {
                double x = fr_random_between(random, -0.3, 0.3), y = fr_random_between(random, -0.1, 0.4);
                goals[k] = fr_vec3_make(x, y, fr_random_between(random, -0.3, 0.3));
            }
            bool is_held = fr_world_hold(r->world, blocks[k]) == FR_HOLD_HELD;
            if (!is_held && what > 20) { continue; }
            fr_pose raw = pose_of(r, blocks[k]);
            raw.position = fr_vec3_add_scaled(fr_vec3_scale(0.95, raw.position), 0.05, goals[k]);
            fr_vec3 turn = {fr_random_between(random, -0.02, 0.02), fr_random_between(random, -0.02, 0.02), 0.01};
            raw.rotation = fr_quat_multiply(fr_quat_from_vector(turn), raw.rotation);
            fr_quat_normalize(&raw.rotation, NULL);
            (void)fr_world_drag(r->world, blocks[k], &raw, NULL);
        }
        tick(r);
    }
}

static void whatever_hands_do_nothing_is_in_anything(void **state) {
    (void)state;
    uint64_t count = test_count(2, 100);
    for (uint64_t i = 0; i < count; i++) {
        hands_room r;
        fr_random random = fr_random_seed(i + 1);
        open_room(&r, i % 2 == 0 ? FALLS : STAYS);
        wild(&r, &random, test_count(300, 3000));
        close_room(&r);
    }
}

static void the_same_hands_do_the_same(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        hands_room r;
        fr_random random = fr_random_seed(99);
        open_room(&r, FALLS);
        wild(&r, &random, 100);
        hashes[i] = r.hash;
        close_room(&r);
    }
    assert_true(hashes[0] == hashes[1]);
}

// A record needs no hands: what they did and reported is in it.
static void what_hands_did_is_replayed_without_them(void **state) {
    (void)state;
    hands_room r;
    fr_random random = fr_random_seed(5);
    open_room(&r, FALLS);
    tape record = {0};
    assert_int_equal(fr_world_record(r.world, tape_keep, &record, NULL), FR_OK);
    (void)lead(&r, r.a, fr_vec3_make(0.2, 0.3, 0.0), 20, FR_EVENT_SNAP);
    assert_true(lead(&r, r.a, fr_vec3_make(0.2, 0.13, 0.0), 20, FR_EVENT_SNAP) > 0);
    wild(&r, &random, 50);
    fr_world_def def = fr_default_world_def();
    fr_world *again = NULL;
    fr_error error = {0};
    assert_int_equal(fr_world_create(&def, &again, NULL), FR_OK);
    if (fr_world_replay(again, record.bytes, record.size, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_snapshot *last = fr_world_snapshot(r.world), *replayed = fr_world_snapshot(again);
    assert_true(fr_snapshot_hash(last) == fr_snapshot_hash(replayed));
    fr_snapshot_release(last);
    fr_snapshot_release(replayed);
    fr_world_destroy(again);
    free(record.bytes);
    close_room(&r);
}

static void what_vanishes_in_a_hand_is_forgotten(void **state) {
    (void)state;
    hands_room r;
    open_room(&r, FALLS);
    (void)lead(&r, r.a, fr_vec3_make(0.2, 0.3, 0.0), 10, FR_EVENT_SNAP);
    assert_int_equal(fr_hands_count(r.hands), 1);
    assert_int_equal(fr_object_remove(fr_world_space(r.world), r.a, NULL), FR_OK);
    tick(&r);
    assert_int_equal(fr_hands_count(r.hands), 0);
    // What it was held by vanishes.
    (void)lead(&r, r.c, fr_vec3_make(0.2, 0.3, 0.0), 40, FR_EVENT_SNAP);
    (void)lead(&r, r.c, fr_vec3_make(0.2, 0.14, 0.0), 40, FR_EVENT_SNAP);
    fr_hand_state held;
    assert_true(fr_hands_get(r.hands, r.c, &held));
    assert_int_equal(held.held_count, 1);
    assert_int_equal(fr_object_remove(fr_world_space(r.world), r.b, NULL), FR_OK);
    tick(&r);
    tick(&r);
    fr_pose raw = pose_of(&r, r.c);
    raw.position.x = NAN;
    assert_int_equal(fr_world_drag(r.world, r.c, &raw, NULL), FR_ERROR_NOT_FINITE);
    tick(&r);
    assert_int_equal(fr_world_let_go(r.world, r.c, NULL), FR_OK);
    rest(&r, 400);
    close_room(&r);
}

static void a_scene_without_the_aid_gives_hands_nothing(void **state) {
    (void)state;
    static const char text[] = "{\"fureai\":1,\"objects\":[" TABLE "," BLOCK("a", "0", "0") "]}";
    hands_room r;
    open_room(&r, text);
    assert_null(r.hands);
    assert_int_equal(grab(&r, r.a, NULL), FR_OK);
    assert_int_equal(fr_cast_undo(r.cast, false, NULL), FR_ERROR_UNSUPPORTED);
    assert_int_equal(fr_cast_begin(r.cast, NULL), FR_OK);
    close_room(&r);
}

// Hands of their own in a cast of their own lead a block onto another; what fails in a tick is made up for in the next.
static fr_status lead_block(const fr_allocator *allocator, void *context) {
    const hands_room *r = context;
    fr_hands_def def = fr_default_hands_def();
    def.world = r->world;
    def.allocator = *allocator;
    fr_hands *hands = NULL;
    fr_status status = fr_hands_create(&def, &hands, NULL);
    if (status != FR_OK) { return status; }
    fr_cast_def cast_def = fr_default_cast_def();
    cast_def.world = r->world;
    fr_cast *cast;
    assert_int_equal(fr_cast_create(&cast_def, &cast, NULL), FR_OK);
    const fr_actor actor = fr_hands_actor(hands);
    assert_int_equal(fr_cast_add(cast, &actor, NULL), FR_OK);
    assert_int_equal(fr_scene_restart_world(r->scene, r->world, NULL), FR_OK);
    const fr_claim claim = {.object = r->a, .rank = FR_RANK_PERSON, .holder = 1};
    status = fr_cast_grab(cast, &claim, NULL);
    if (status != FR_OK) {
        test_lift(allocator);
        assert_int_equal(fr_cast_grab(cast, &claim, NULL), FR_OK);
    }
    for (int i = 0; i < 10; i++) {
        fr_pose raw = pose_of(r, r->a);
        raw.position.y += 0.02;
        assert_int_equal(fr_world_drag(r->world, r->a, &raw, NULL), FR_OK);
        fr_status ticked = fr_world_tick(r->world, NULL, NULL);
        if (ticked == FR_OK) { continue; }
        status = ticked;
        test_lift(allocator);
        assert_int_equal(fr_world_tick(r->world, NULL, NULL), FR_OK);
    }
    fr_cast_destroy(cast);
    return status;
}

static void memory_may_run_out(void **state) {
    (void)state;
    hands_room r;
    open_demo(&r, DEMO_FOLDER, "blocks.json");
    fr_cast_destroy(r.cast);
    r.cast = NULL;
    r.a = fr_space_object_at(fr_world_space(r.world), fr_space_object_places(fr_world_space(r.world)) - 1);
    test_every_bound(lead_block, &r, true);
    close_room(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_snaps_onto_another_and_never_goes_in),
        cmocka_unit_test(what_is_let_go_in_the_air_falls_and_can_be_caught),
        cmocka_unit_test(what_carried_is_taken_away_and_the_rest_falls),
        cmocka_unit_test(what_was_placed_is_taken_back_and_done_again),
        cmocka_unit_test(a_place_that_is_taken_is_not_gone_back_to),
        cmocka_unit_test(a_mode_without_the_aid_lets_the_hand_through),
        cmocka_unit_test(two_hands_that_meet_do_not_go_through_one_another),
        cmocka_unit_test(what_is_thrown_against_another_falls),
        cmocka_unit_test(whatever_hands_do_nothing_is_in_anything),
        cmocka_unit_test(the_same_hands_do_the_same),
        cmocka_unit_test(what_hands_did_is_replayed_without_them),
        cmocka_unit_test(what_vanishes_in_a_hand_is_forgotten),
        cmocka_unit_test(a_scene_without_the_aid_gives_hands_nothing),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
