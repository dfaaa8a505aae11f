// A desk's things as state machines: key and lock hold a drawer, plug and socket, a pen that falls and rolls. What no
// state listens to changes nothing.
#include "directed_place.h"

#include <math.h>

// What moves the objects in place of a hand, and reports its events.
typedef struct hand {
    fr_object_id object; // that it moves; all zeros: none
    fr_pose to;
    const char *event; // of the object, in the next tick; NULL: none
    fr_object_id of;
} hand;

typedef struct desk {
    place p;
    hand hand;
    fr_object_id drawer, lock, socket, key, plug, pen;
} desk;

static fr_status move_hand(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal;
    hand *h = user;
    fr_status status = FR_OK;
    if (h->object.index1 != 0) {
        const fr_wish wish = {.object = h->object, .kind = FR_WISH_NEXT, .pose = h->to};
        status = fr_wishes_add(wishes, &wish, error);
    }
    if (h->event == NULL || status != FR_OK) { return status; }
    fr_event event = {.kind = FR_EVENT_NAMED, .a = h->of};
    memcpy(event.name, h->event, strlen(h->event));
    h->event = NULL;
    return fr_wishes_add_event(wishes, &event, error);
}

enum { TEXT_BYTES = 4096 };

static size_t load(const char *path, char text[TEXT_BYTES]) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, TEXT_BYTES - 1, file);
    fclose(file);
    text[size] = '\0';
    return size;
}

static void open_desk(desk *d) {
    char text[TEXT_BYTES];
    (void)load(EXAMPLE_FOLDER "/desk_room.json", text);
    memset(d, 0, sizeof *d);
    open_place(&d->p, text, false);
    const fr_actor actor = {.name = "hand", .move = move_hand, .user = &d->hand};
    assert_int_equal(fr_cast_add(d->p.cast, &actor, NULL), FR_OK);
    d->drawer = find(&d->p, "drawer");
    d->lock = find(&d->p, "lock");
    d->socket = find(&d->p, "socket");
    d->key = find(&d->p, "key");
    d->plug = find(&d->p, "plug");
    d->pen = find(&d->p, "pen");
}

static void tick(desk *d) {
    fr_error error = {0};
    if (fr_cast_tick(d->p.cast, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
}

static void ticks(desk *d, int count) {
    for (int i = 0; i < count; i++) {
        tick(d);
    }
}

static bool is_in(const desk *d, fr_object_id id, const char *state) {
    return fr_world_state(d->p.world, id, state) == 1.0;
}

static void expect_in(const desk *d, fr_object_id id, const char *state) {
    if (!is_in(d, id, state)) { fail_msg("%s is not %s", fr_world_label(d->p.world, id).name, state); }
}

static fr_pose pose_of(const desk *d, fr_object_id id) { return fr_object_get(fr_world_space(d->p.world), id)->pose; }

static const fr_joint *joint_of(const desk *d, fr_object_id id) {
    const fr_space *space = fr_world_space(d->p.world);
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        const fr_joint *joint = fr_joint_get(space, fr_space_joint_at(space, i));
        if (joint != NULL && fr_object_id_equal(joint->child, id)) { return joint; }
    }
    return NULL;
}

static void happen(desk *d, const char *event, fr_object_id of) {
    d->hand.event = event;
    d->hand.of = of;
    ticks(d, 3);
}

// The hand has the object at a pose from now on.
static void hold(desk *d, fr_object_id object, fr_vec3 position, fr_quat rotation) {
    d->hand.object = object;
    d->hand.to = fr_pose_make(position, rotation);
    ticks(d, 3);
}

static void take(desk *d, fr_object_id object) {
    fr_pose pose = pose_of(d, object);
    happen(d, "attached", object);
    hold(d, object, pose.position, pose.rotation);
    expect_in(d, object, "in_hand");
}

static void let_go(desk *d) {
    fr_object_id object = d->hand.object;
    d->hand.object = (fr_object_id){0, 0, 0};
    happen(d, "released", object);
}

static fr_quat about_y(double angle) { return fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), angle); }

// The key with its bit in the lock, turned, and by so much beside it.
static void put_key(desk *d, double angle, fr_vec3 beside) {
    const fr_vec3 bit = {0.15, -0.047, 0.0}, axis = {0.0, -0.012, 0.0};
    fr_vec3 at = fr_vec3_add(fr_vec3_add(pose_of(d, d->lock).position, axis), beside);
    hold(d, d->key, fr_vec3_sub(at, fr_mat3_apply(fr_quat_to_mat3(about_y(angle)), bit)), about_y(angle));
}

static void turn_key(desk *d, double from, double to) {
    for (int i = 0; i <= 20; i++) {
        put_key(d, from + (to - from) * i / 20.0, fr_vec3_make(0.0, 0.0, 0.0));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Key, lock and drawer

static double pulled_out(desk *d) {
    fr_pose shut = pose_of(d, d->drawer);
    hold(d, d->drawer, fr_vec3_add(shut.position, fr_vec3_make(0.05, 0.02, -0.2)), shut.rotation);
    d->hand.object = (fr_object_id){0, 0, 0};
    tick(d);
    return shut.position.z - pose_of(d, d->drawer).position.z;
}

static void a_key_in_its_lock_frees_the_drawer(void **state) {
    (void)state;
    static desk d;
    open_desk(&d);
    ticks(&d, 3);
    expect_in(&d, d.lock, "locked");
    expect_in(&d, d.drawer, "locked");
    assert_true(fabs(pulled_out(&d)) < 1e-12);
    take(&d, d.key);
    // Beside the lock it turns nothing.
    put_key(&d, 0.0, fr_vec3_make(0.0, 0.0, 0.009));
    put_key(&d, 1.0, fr_vec3_make(0.0, 0.0, 0.009));
    expect_in(&d, d.lock, "locked");
    assert_true(joint_of(&d, d.lock)->value == 0.0);
    turn_key(&d, 0.0, fr_radians(40.0));
    expect_in(&d, d.lock, "keyed");
    assert_true(fabs(joint_of(&d, d.lock)->value - fr_radians(40.0)) < 1e-9);
    assert_true(fabs(pulled_out(&d)) < 1e-12);
    put_key(&d, fr_radians(40.0), fr_vec3_make(0.0, 0.0, 0.0));
    turn_key(&d, fr_radians(40.0), fr_radians(60.0));
    expect_in(&d, d.lock, "turned");
    expect_in(&d, d.drawer, "closed");
    // It goes along its slider alone, and no farther than that.
    assert_true(fabs(pulled_out(&d) - 0.2) < 1e-9);
    expect_in(&d, d.drawer, "out");
    assert_true(fabs(pulled_out(&d) - 0.1) < 1e-9);
    assert_true(fabs(pose_of(&d, d.drawer).position.x + 0.28) < 1e-9);
    assert_true(fabs(pose_of(&d, d.drawer).position.y - 0.64) < 1e-9);
    close_place(&d.p);
}

// While the drawer is out, the lock does not lock; shut, it does.
static void a_lock_does_not_lock_over_a_drawer(void **state) {
    (void)state;
    static desk d;
    open_desk(&d);
    ticks(&d, 3);
    take(&d, d.key);
    turn_key(&d, 0.0, fr_radians(60.0));
    assert_true(pulled_out(&d) > 0.19);
    put_key(&d, fr_radians(60.0), fr_vec3_make(0.0, 0.0, 0.0));
    turn_key(&d, fr_radians(60.0), fr_radians(-20.0));
    expect_in(&d, d.lock, "turned");
    expect_in(&d, d.drawer, "out");
    fr_pose shut = pose_of(&d, d.drawer);
    hold(&d, d.drawer, fr_vec3_add(shut.position, fr_vec3_make(0.0, 0.0, 0.5)), shut.rotation);
    assert_true(fabs(pose_of(&d, d.drawer).position.z - 0.73) < 1e-9);
    expect_in(&d, d.lock, "keyed");
    expect_in(&d, d.drawer, "locked");
    close_place(&d.p);
}

// A key that is let go in the lock stays there; elsewhere it falls.
static void a_key_stays_in_its_lock(void **state) {
    (void)state;
    static desk d;
    open_desk(&d);
    ticks(&d, 3);
    take(&d, d.key);
    put_key(&d, 0.3, fr_vec3_make(0.0, 0.0, 0.0));
    fr_pose in = pose_of(&d, d.key);
    let_go(&d);
    ticks(&d, 50);
    expect_in(&d, d.key, "in_lock");
    assert_true(fr_vec3_distance(pose_of(&d, d.key).position, in.position) < 1e-9);
    expect_in(&d, d.lock, "locked");
    take(&d, d.key);
    hold(&d, d.key, fr_vec3_make(-0.3, 0.9, 1.0), fr_quat_identity());
    let_go(&d);
    ticks(&d, 100);
    expect_in(&d, d.key, "lying");
    fr_vec3 at = pose_of(&d, d.key).position;
    assert_true(at.y > 0.74 && at.y < 0.82);
    close_place(&d.p);
}

// Events that no state listens to, at random, and hands that are elsewhere: nothing comes into another state.
static void illegal_events_change_nothing(void **state) {
    (void)state;
    static const char *const events[] = {"release", "turn",   "pull", "moved",    "unlocked", "put in",
                                         "press",   "opened", "open", "power on", "locked",   "reached"};
    static desk d;
    open_desk(&d);
    ticks(&d, 3);
    fr_random random = fr_random_seed(29);
    const fr_pose pen = pose_of(&d, d.pen);
    const fr_object_id all[] = {d.drawer, d.lock, d.socket, d.key, d.plug, d.pen};
    const char *const first[] = {"locked", "locked", "empty", "lying", "lying", "lying"};
    for (uint32_t i = 0; i < test_count(200, 10000); i++) {
        d.hand.event = events[fr_random_below(&random, 12)];
        d.hand.of = all[fr_random_below(&random, 6)];
        tick(&d);
        for (int k = 0; k < 6; k++) {
            expect_in(&d, all[k], first[k]);
        }
    }
    assert_true(fr_vec3_equal(pose_of(&d, d.pen).position, pen.position));
    close_place(&d.p);
}

// ---------------------------------------------------------------------------------------------------------------
// Plug and socket

static void a_socket_has_power_while_a_plug_is_in_it(void **state) {
    (void)state;
    static desk d;
    open_desk(&d);
    ticks(&d, 3);
    fr_vec3 in = fr_vec3_add(pose_of(&d, d.socket).position, fr_vec3_make(0.0, 0.022, 0.0));
    take(&d, d.plug);
    hold(&d, d.plug, in, fr_quat_identity());
    expect_in(&d, d.socket, "empty"); // in hand it may still go out
    let_go(&d);
    expect_in(&d, d.plug, "in_socket");
    expect_in(&d, d.socket, "in_use");
    take(&d, d.plug);
    expect_in(&d, d.socket, "empty");
    // Askew, and beside: it is let go and falls.
    hold(&d, d.plug, in, fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), fr_radians(12.0)));
    let_go(&d);
    assert_false(is_in(&d, d.plug, "in_socket"));
    expect_in(&d, d.socket, "empty");
    close_place(&d.p);
}

// ---------------------------------------------------------------------------------------------------------------
// The pen

// It falls to the board, rolls down and comes to rest at the ledge.
static void a_pen_falls_and_rolls(void **state) {
    (void)state;
    static desk d;
    open_desk(&d);
    ticks(&d, 3);
    take(&d, d.pen);
    hold(&d, d.pen, fr_vec3_make(0.28, 0.96, 1.15), fr_quat_identity());
    fr_quat before = pose_of(&d, d.pen).rotation;
    double turned = 0.0, lowest = 1.0;
    let_go(&d);
    for (int i = 0; i < 600; i++) {
        tick(&d);
        fr_pose now = pose_of(&d, d.pen);
        turned += fr_quat_to_vector(fr_quat_multiply(now.rotation, fr_quat_conjugate(before))).x;
        before = now.rotation;
        lowest = fmin(lowest, now.position.y);
    }
    fr_vec3 at = pose_of(&d, d.pen).position;
    print_message("pen: rests at %.3f %.3f %.3f, turned by %.2f\n", at.x, at.y, at.z, turned);
    expect_in(&d, d.pen, "lying");
    assert_true(lowest > 0.745 && at.z < 0.80 && at.z > 0.745);
    fr_vec3 later = at;
    ticks(&d, 20);
    assert_true(fr_vec3_distance(pose_of(&d, d.pen).position, later) < 1e-6);
    assert_true(turned < -10.0); // 0.4 m of its girth, about +x for -z
    close_place(&d.p);
}

// ---------------------------------------------------------------------------------------------------------------
// A person

// examples/desk.json: the key opens the lock and frees the drawer, the plug goes into its socket, the pen falls.
static void a_person_uses_them(void **state) {
    (void)state;
    static desk d;
    char text[TEXT_BYTES];
    open_desk(&d);
    fr_script *script;
    fr_error error = {0};
    size_t size = load(EXAMPLE_FOLDER "/desk.json", text);
    if (fr_script_read(text, size, NULL, &script, &error) != FR_OK) { fail_msg("%s", error.message); }
    fr_script_run_input input = fr_default_script_run_input();
    input.script = script;
    input.cast = d.p.cast;
    input.max_ticks = 3000;
    fr_script_run run;
    assert_int_equal(fr_script_carry_out(&input, &run, NULL), FR_OK);
    for (uint32_t i = 0; i < run.result_count && run.done_count != run.result_count; i++) {
        print_message("%u: %s\n", i, run.results[i].reason);
    }
    assert_int_equal(run.done_count, 9);
    fr_script_run_destroy(&run);
    fr_script_destroy(script);
    ticks(&d, 100);
    expect_in(&d, d.lock, "open");
    expect_in(&d, d.drawer, "closed");
    expect_in(&d, d.key, "lying");
    expect_in(&d, d.plug, "in_socket");
    expect_in(&d, d.socket, "in_use");
    expect_in(&d, d.pen, "lying");
    assert_true(pulled_out(&d) > 0.19);
    close_place(&d.p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_key_in_its_lock_frees_the_drawer),
        cmocka_unit_test(a_lock_does_not_lock_over_a_drawer),
        cmocka_unit_test(a_key_stays_in_its_lock),
        cmocka_unit_test(illegal_events_change_nothing),
        cmocka_unit_test(a_socket_has_power_while_a_plug_is_in_it),
        cmocka_unit_test(a_pen_falls_and_rolls),
        cmocka_unit_test(a_person_uses_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
