// Inputs, holds, and wishes: who has the last word.
#include "worlds.h"

typedef struct room {
    fr_world *world;
    fr_mesh *box;
    fr_object_id a, b;
    shift moves; // a, by 1 along x
} room;

static void room_open(room *r) {
    r->world = world_open(NULL);
    r->box = world_mesh("box");
    r->a = world_add(r->world, r->box, 0, 0, 0);
    r->b = world_add(r->world, r->box, 0, 5, 0);
    r->moves = (shift){.object = r->a, .travel = {1, 0, 0}};
    world_shift(r->world, &r->moves);
}

static void room_close(room *r) {
    fr_world_destroy(r->world);
    fr_mesh_release(r->box);
}

// ---------------------------------------------------------------------------------------------------------------
// Inputs

static void bad_inputs_are_refused(void **state) {
    (void)state;
    room r;
    room_open(&r);
    fr_pose raw = pose_at(1, 2, 3), bad = raw;
    bad.rotation.w = 2.0;
    assert_int_equal(fr_world_drag(r.world, r.a, &bad, NULL), FR_ERROR_ARGUMENT);
    bad = pose_at(NAN, 0, 0);
    assert_int_equal(fr_world_drag(r.world, r.a, &bad, NULL), FR_ERROR_NOT_FINITE);
    assert_int_equal(fr_world_hold(r.world, r.a), FR_HOLD_FREE);
    assert_int_equal(fr_object_set_flags(fr_world_space(r.world), r.b, FR_OBJECT_STATIC, NULL), FR_OK);
    assert_int_equal(fr_world_drag(r.world, r.b, &raw, NULL), FR_ERROR_UNSUPPORTED);
    assert_int_equal(fr_object_set_flags(fr_world_space(r.world), r.b, FR_OBJECT_REAL, NULL), FR_OK);
    assert_int_equal(fr_world_drag(r.world, r.b, &raw, NULL), FR_ERROR_UNSUPPORTED);
    assert_int_equal(fr_object_remove(fr_world_space(r.world), r.b, NULL), FR_OK);
    assert_int_equal(fr_world_drag(r.world, r.b, &raw, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_world_let_go(r.world, r.b, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_world_resume(r.world, r.b, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_world_hold(r.world, r.b), FR_HOLD_FREE);
    room_close(&r);
}

static void what_people_hold_is_left_alone_by_movers(void **state) {
    (void)state;
    room r;
    room_open(&r);
    world_tick(r.world);
    fr_pose raw = pose_at(0, 0, 7), last = pose_at(0, 0, 8);
    assert_int_equal(fr_world_drag(r.world, r.a, &raw, NULL), FR_OK);
    assert_int_equal(fr_world_drag(r.world, r.a, &last, NULL), FR_OK);
    world_tick(r.world);
    assert_true(world_pose(r.world, r.a).position.z == 8.0 && world_pose(r.world, r.a).position.x == 0.0);
    assert_int_equal(world_events(r.world, FR_EVENT_HELD, NULL), 1);
    assert_int_equal(world_events(r.world, FR_EVENT_CORRECTED, NULL), 0);
    world_tick(r.world);
    assert_true(world_pose(r.world, r.a).position.z == 8.0);
    assert_int_equal(world_events(r.world, FR_EVENT_HELD, NULL), 0);

    // Let go, it stays; the last input counts all the same.
    assert_int_equal(fr_world_drag(r.world, r.a, &raw, NULL), FR_OK);
    assert_int_equal(fr_world_let_go(r.world, r.a, NULL), FR_OK);
    assert_int_equal(fr_world_hold(r.world, r.a), FR_HOLD_PLACED);
    world_tick(r.world);
    assert_true(world_pose(r.world, r.a).position.z == 7.0);
    assert_int_equal(world_events(r.world, FR_EVENT_RELEASED, NULL), 1);
    world_tick(r.world);
    assert_true(world_pose(r.world, r.a).position.z == 7.0 && world_pose(r.world, r.a).position.x == 0.0);
    const fr_snapshot *snapshot = fr_world_snapshot(r.world);
    assert_int_equal(snapshot->objects[0].hold, FR_HOLD_PLACED);
    fr_snapshot_release(snapshot);

    assert_int_equal(fr_world_resume(r.world, r.a, NULL), FR_OK);
    world_tick(r.world);
    assert_true(world_pose(r.world, r.a).position.x == 1.0);
    room_close(&r);
}

static void taken_and_let_go_between_ticks_is_told(void **state) {
    (void)state;
    room r;
    room_open(&r);
    fr_pose raw = pose_at(0, 0, 7);
    assert_int_equal(fr_world_drag(r.world, r.a, &raw, NULL), FR_OK);
    assert_int_equal(fr_world_let_go(r.world, r.a, NULL), FR_OK);
    world_tick(r.world);
    assert_int_equal(world_events(r.world, FR_EVENT_HELD, NULL), 1);
    assert_int_equal(world_events(r.world, FR_EVENT_RELEASED, NULL), 1);

    // Resuming forgets an input that no tick took.
    fr_object_id all = {0, 0, 0};
    assert_int_equal(fr_world_drag(r.world, r.b, &raw, NULL), FR_OK);
    assert_int_equal(fr_world_resume(r.world, all, NULL), FR_OK);
    world_tick(r.world);
    assert_true(world_pose(r.world, r.b).position.y == 5.0);
    assert_true(world_pose(r.world, r.a).position.x == 1.0);
    room_close(&r);
}

static void inputs_count_while_time_stands_still(void **state) {
    (void)state;
    room r;
    room_open(&r);
    fr_pose raw = pose_at(0, 0, 7);
    assert_int_equal(fr_world_drag(r.world, r.b, &raw, NULL), FR_OK);
    world_tick_paused(r.world);
    assert_true(world_pose(r.world, r.b).position.z == 7.0 && world_pose(r.world, r.a).position.x == 0.0);
    assert_true(fr_world_tick_count(r.world) == 0);
    room_close(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Wishes

typedef struct asked {
    fr_object_id object;
    fr_wish wish; // what it adds
    bool adds;
    fr_status answer; // of fr_wishes_add
    bool found;       // a wish was there before
    fr_pose next;     // of the object in the space
    bool current;     // the space
} asked;

static fr_status ask(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    asked *a = user;
    const fr_object_view *view = fr_object_get(proposal->space, a->object);
    if (view != NULL) { a->next = view->next; }
    a->found = fr_wishes_find(wishes, a->object) != NULL;
    a->current = fr_space_is_current(proposal->space);
    if (a->adds) { a->answer = fr_wishes_add(wishes, &a->wish, error); }
    return FR_OK;
}

static void add_asked(fr_world *world, asked *a, bool as_mover) {
    fr_corrector corrector = {"asked", ask, a};
    assert_int_equal(as_mover ? fr_world_add_mover(world, &corrector, NULL)
                              : fr_world_add_corrector(world, &corrector, NULL),
                     FR_OK);
}

static void correctors_see_and_have_the_last_word(void **state) {
    (void)state;
    room r;
    room_open(&r);
    asked first = {.object = r.a, .adds = true}, second = {.object = r.a};
    first.wish = (fr_wish){.object = r.a, .kind = FR_WISH_NEXT, .pose = pose_at(0.25, 0, 0)};
    add_asked(r.world, &first, false);
    add_asked(r.world, &second, false);
    fr_pose raw = pose_at(3, 0, 0);
    assert_int_equal(fr_world_drag(r.world, r.a, &raw, NULL), FR_OK);
    world_tick(r.world);
    assert_true(first.found && first.current && first.next.position.x == 3.0);
    assert_true(second.found && second.current && second.next.position.x == 0.25);
    assert_true(world_pose(r.world, r.a).position.x == 0.25);
    fr_event event = {0};
    assert_int_equal(world_events(r.world, FR_EVENT_CORRECTED, &event), 1);
    assert_true(event.value == 2.75);
    room_close(&r);
}

static void bad_wishes_are_refused(void **state) {
    (void)state;
    room r;
    room_open(&r);
    fr_pose here = pose_at(0, 5, 0), there = pose_at(1, 5, 0);
    fr_wish good = {.object = r.b, .kind = FR_WISH_MOTION, .pose = there};
    good.motion = fr_motion_between(&here, &there, fr_vec3_make(0, 0, 0));
    fr_wish wishes[6];
    fr_status statuses[6] = {
        FR_OK, FR_ERROR_STALE_ID, FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE, FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE};
    for (int i = 0; i < 6; i++) {
        wishes[i] = good;
    }
    wishes[1].object.generation++;
    wishes[2].kind = (fr_wish_kind)9;
    wishes[3].pose.scale = NAN;
    wishes[4].motion.start.position.x = 0.5;
    wishes[5].motion.travel.x = INFINITY;
    for (int i = 5; i >= 0; i--) {
        asked a = {.object = r.b, .wish = wishes[i], .adds = true};
        add_asked(r.world, &a, true);
        world_tick(r.world);
        assert_int_equal(a.answer, statuses[i]);
        assert_true(world_pose(r.world, r.b).position.x == (i == 0 ? 1.0 : 0.0));
        assert_int_equal(fr_world_remove_corrector(r.world, ask, &a, NULL), FR_OK);
    }
    room_close(&r);
}

static void each_kind_of_wish_is_done(void **state) {
    (void)state;
    static const fr_wish_kind kinds[] = {FR_WISH_NEXT, FR_WISH_MOTION, FR_WISH_JUMP, FR_WISH_STAY};
    for (int i = 0; i < 4; i++) {
        room r;
        room_open(&r);
        r.moves.kind = kinds[i];
        fr_pose next = pose_at(0, 0, 9);
        assert_int_equal(fr_object_set_next(fr_world_space(r.world), r.a, &next, NULL), FR_OK);
        asked looks = {.object = r.a};
        add_asked(r.world, &looks, false);
        world_tick(r.world);
        fr_vec3 position = world_pose(r.world, r.a).position;
        assert_true(position.x == (kinds[i] == FR_WISH_STAY ? 0.0 : 1.0) && position.z == 0.0);
        assert_true(looks.next.position.x == position.x);
        room_close(&r);
    }
}

// A corrector that gives a motion to what jumped: it goes on from where it jumped to.
static void a_motion_goes_on_from_a_jump(void **state) {
    (void)state;
    room r;
    room_open(&r);
    r.moves.kind = FR_WISH_JUMP;
    fr_pose from = pose_at(1, 0, 0), to = pose_at(1, 0, 2);
    asked goes = {.object = r.a, .adds = true};
    goes.wish = (fr_wish){.object = r.a, .kind = FR_WISH_MOTION, .pose = to};
    goes.wish.motion = fr_motion_between(&from, &to, fr_vec3_make(0, 0, 0));
    asked looks = {.object = r.a};
    add_asked(r.world, &goes, false);
    add_asked(r.world, &looks, false);
    world_tick(r.world);
    assert_int_equal(goes.answer, FR_OK);
    assert_true(looks.next.position.z == 2.0 && looks.next.position.x == 1.0);
    assert_true(world_pose(r.world, r.a).position.z == 2.0);
    room_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_inputs_are_refused),
        cmocka_unit_test(what_people_hold_is_left_alone_by_movers),
        cmocka_unit_test(taken_and_let_go_between_ticks_is_told),
        cmocka_unit_test(inputs_count_while_time_stands_still),
        cmocka_unit_test(correctors_see_and_have_the_last_word),
        cmocka_unit_test(bad_wishes_are_refused),
        cmocka_unit_test(each_kind_of_wish_is_done),
        cmocka_unit_test(a_motion_goes_on_from_a_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
