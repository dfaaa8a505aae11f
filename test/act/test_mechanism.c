// The mechanism of a world: nuts, a cover and a wrench (acceptance: the cover is not off before the fourth nut), what
// follows a turn, what programs and live hands do, replay, memory.
#include "failing.h"
#include "frame.h"

#include "fureai/act_mechanism.h"
#include "fureai/world_state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { NUTS = 4 };

#define PITCH 0.0015

// What moves the wrench and pulls at the cover, and reports events of hands.
typedef struct mover {
    fr_object_id wrench, cover, pulled;
    fr_pose to; // of the wrench
    const char *events[4];
    fr_object_id of[4];
    int event_count;
} mover;

typedef struct bench {
    fr_world *world;
    fr_cast *cast;
    fr_mechanism *mechanism;
    mover hand;
    fr_object_id machine, nuts[NUTS];
    fr_pose cover_place;
} bench;

static fr_library *library; // the classes that come with the project

static int open_library(void **state) {
    (void)state;
    return fr_library_open(OBJECT_FOLDER, NULL, &library, NULL) == FR_OK ? 0 : -1;
}

static int close_library(void **state) {
    (void)state;
    fr_library_destroy(library);
    return 0;
}

static fr_status move_hand(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal;
    mover *m = user;
    fr_wish wish = {.object = m->wrench, .kind = FR_WISH_NEXT, .pose = m->to};
    fr_status status = m->wrench.index1 != 0 ? fr_wishes_add(wishes, &wish, error) : FR_OK;
    if (m->pulled.index1 != 0 && status == FR_OK) {
        wish.object = m->pulled;
        wish.pose = fr_pose_make(fr_vec3_make(0.0, 2.0, 0.0), fr_quat_identity());
        status = fr_wishes_add(wishes, &wish, error);
    }
    for (int i = 0; i < m->event_count && status == FR_OK; i++) {
        fr_event event = {.kind = FR_EVENT_NAMED, .a = m->of[i]};
        memcpy(event.name, m->events[i], strlen(m->events[i]));
        status = fr_wishes_add_event(wishes, &event, error);
    }
    return status;
}

static fr_object_id add_box(fr_world *world, const char *name, fr_vec3 place) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("box", NULL, &mesh, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    part.pose.scale = 0.01;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = place;
    fr_object_id id;
    assert_int_equal(fr_object_add(fr_world_space(world), &def, &id, NULL), FR_OK);
    fr_mesh_release(mesh);
    fr_label label = fr_default_label();
    label.name = name;
    assert_int_equal(fr_world_set_label(world, id, &label, NULL), FR_OK);
    return id;
}

static fr_status set_class(const bench *b, fr_object_id id, const char *name) {
    fr_class *c;
    assert_int_equal(fr_library_find(library, name, &c, NULL), FR_OK);
    fr_status status = fr_mechanism_set_class(b->mechanism, id, c, NULL);
    fr_class_release(c);
    return status;
}

static fr_vec3 place_of_nut(int i) { return fr_vec3_make(i % 2 == 0 ? 0.1 : -0.1, 0.02, i < 2 ? 0.1 : -0.1); }

// The world and its objects, before they have classes.
static void open_world(bench *b) {
    memset(b, 0, sizeof *b);
    fr_world_def def = fr_default_world_def();
    def.step = 0.02;
    def.want = FR_WANT_PAIRS;
    assert_int_equal(fr_world_create(&def, &b->world, NULL), FR_OK);
    b->machine = add_box(b->world, "machine", fr_vec3_make(0, -1, 0));
    b->hand.cover = add_box(b->world, "cover", fr_vec3_make(0, 0, 0));
    for (int i = 0; i < NUTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "nut%d", i);
        b->nuts[i] = add_box(b->world, name, place_of_nut(i));
    }
    b->hand.wrench = add_box(b->world, "wrench", fr_vec3_make(0, 1, 0));
    b->hand.to = fr_object_get(fr_world_space(b->world), b->hand.wrench)->pose;
    b->cover_place = fr_object_get(fr_world_space(b->world), b->hand.cover)->pose;
}

static fr_status open_mechanism(bench *b, const fr_allocator *allocator) {
    fr_cast_def cast = fr_default_cast_def();
    cast.world = b->world;
    assert_int_equal(fr_cast_create(&cast, &b->cast, NULL), FR_OK);
    const fr_actor hand = {.name = "hand", .move = move_hand, .user = &b->hand};
    assert_int_equal(fr_cast_add(b->cast, &hand, NULL), FR_OK);
    fr_mechanism_def def = fr_default_mechanism_def();
    def.cast = b->cast;
    if (allocator != NULL) { def.allocator = *allocator; }
    fr_status status = fr_mechanism_create(&def, &b->mechanism, NULL);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_mechanism_actor(b->mechanism);
    assert_int_equal(fr_cast_add(b->cast, &actor, NULL), FR_OK);
    status = set_class(b, b->hand.cover, "cover");
    for (int i = 0; i < NUTS && status == FR_OK; i++) {
        status = set_class(b, b->nuts[i], "nut");
    }
    return status == FR_OK ? set_class(b, b->hand.wrench, "wrench") : status;
}

static void open_bench(bench *b) {
    open_world(b);
    assert_int_equal(open_mechanism(b, NULL), FR_OK);
}

static void close_bench(bench *b) {
    fr_cast_destroy(b->cast);
    fr_world_destroy(b->world);
}

static void tick(bench *b) {
    fr_error error = {0};
    if (fr_cast_tick(b->cast, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    b->hand.event_count = 0;
}

static void ticks(bench *b, int count) {
    for (int i = 0; i < count; i++) {
        tick(b);
    }
}

static bool is_in(const bench *b, fr_object_id id, const char *state) {
    return fr_world_state(b->world, id, state) == 1.0;
}

static void happen(bench *b, const char *event, fr_object_id of) {
    b->hand.events[b->hand.event_count] = event;
    b->hand.of[b->hand.event_count++] = of;
}

static fr_pose pose_of(const bench *b, fr_object_id id) { return fr_object_get(fr_world_space(b->world), id)->pose; }

static const fr_joint *joint_of(const bench *b, fr_object_id id) {
    const fr_space *space = fr_world_space(b->world);
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        const fr_joint *joint = fr_joint_get(space, fr_space_joint_at(space, i));
        if (joint != NULL && fr_object_id_equal(joint->child, id)) { return joint; }
    }
    return NULL;
}

// The wrench's head comes to a place, with the wrench turned about the vertical by an angle.
static void hold_at(bench *b, fr_vec3 place, double angle) {
    const fr_vec3 head = {0.15, -0.035, 0.0};
    fr_quat turn = fr_quat_from_axis_angle(fr_vec3_make(0, 1, 0), angle);
    b->hand.to = fr_pose_make(fr_vec3_sub(place, fr_mat3_apply(fr_quat_to_mat3(turn), head)), turn);
}

static uint32_t count_off(const bench *b) {
    uint32_t count = 0;
    for (int i = 0; i < NUTS; i++) {
        count += is_in(b, b->nuts[i], "off") ? 1 : 0;
    }
    return count;
}

// The cover does not move, however it is pulled, before all nuts are off.
static void expect_bolted(const bench *b) {
    if (count_off(b) == NUTS) { return; }
    assert_true(is_in(b, b->hand.cover, "bolted"));
    assert_false(is_in(b, b->hand.cover, "loose") || is_in(b, b->hand.cover, "in_hand"));
    fr_pose pose = pose_of(b, b->hand.cover);
    assert_true(fr_vec3_distance(pose.position, b->cover_place.position) < 1e-12);
}

// Turns a nut off by strokes of random size; what happens beside it at random changes nothing.
static void turn_off(bench *b, int nut, fr_random *random) {
    static const char *const illegal[] = {"grasp", "release", "attached", "turn", "pull", "moved", "off", "press"};
    double angle = fr_random_between(random, -3, 3), turned = 0.0;
    fr_vec3 place = pose_of(b, b->nuts[nut]).position;
    hold_at(b, place, angle);
    tick(b);
    tick(b);
    for (int k = 0; k < 200 && !is_in(b, b->nuts[nut], "off"); k++) {
        double value = joint_of(b, b->nuts[nut])->value;
        assert_true(fabs(value - fmin(turned, fr_radians(150.0))) < 1e-9);
        fr_pose pose = pose_of(b, b->nuts[nut]);
        assert_true(fabs(pose.position.y - 0.02 - PITCH * value / (2.0 * FR_PI)) < 1e-9);
        double more = fr_random_between(random, 0.01, 0.6);
        if (is_in(b, b->nuts[nut], "gripped")) {
            angle += more;
            turned += more;
        }
        hold_at(b, pose.position, angle);
        fr_object_id of = k % 2 == 0 ? b->hand.cover : b->nuts[fr_random_below(random, NUTS)];
        happen(b, illegal[fr_random_below(random, 8)], of);
        tick(b);
        expect_bolted(b);
    }
    assert_true(is_in(b, b->nuts[nut], "off"));
    assert_null(joint_of(b, b->nuts[nut]));
}

static void take_wrench(bench *b) {
    tick(b);
    assert_true(is_in(b, b->hand.wrench, "lying"));
    happen(b, "attached", b->hand.wrench);
    tick(b);
    tick(b);
    assert_true(is_in(b, b->hand.wrench, "in_hand"));
}

static void take_all_off(bench *b, fr_random *random) {
    int order[NUTS] = {0, 1, 2, 3};
    for (uint32_t i = NUTS; i > 1; i--) {
        uint32_t k = (uint32_t)fr_random_below(random, i);
        int other = order[i - 1];
        order[i - 1] = order[k];
        order[k] = other;
    }
    take_wrench(b);
    b->hand.pulled = b->hand.cover;
    for (int i = 0; i < NUTS; i++) {
        assert_int_equal(count_off(b), i);
        turn_off(b, order[i], random);
    }
    b->hand.pulled = (fr_object_id){0, 0, 0};
    tick(b);
    // What happened to it at last may have taken it in hand.
    assert_true(is_in(b, b->hand.cover, "loose") || is_in(b, b->hand.cover, "in_hand"));
}

// ---------------------------------------------------------------------------------------------------------------

static void the_cover_is_held_by_the_last_nut(void **state) {
    (void)state;
    fr_random random = fr_random_seed(4);
    int rounds = (int)test_count(300, 10000);
    for (int i = 0; i < rounds; i++) {
        bench b;
        open_bench(&b);
        take_all_off(&b, &random);
        happen(&b, "grasp", b.hand.cover);
        tick(&b);
        tick(&b);
        assert_true(is_in(&b, b.hand.cover, "in_hand"));
        // The nuts that lie on it go along.
        for (int k = 0; k < NUTS; k++) {
            assert_true(is_in(&b, b.nuts[k], "on_cover"));
            assert_int_equal(joint_of(&b, b.nuts[k])->kind, FR_JOINT_ATTACHED);
        }
        close_bench(&b);
    }
}

// A wrench that is beside the nut, askew, or not in hand does not turn it.
static void only_an_engaged_wrench_turns(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    fr_vec3 place = place_of_nut(0);
    for (int k = 0; k < 20; k++) {
        hold_at(&b, place, 0.1 * k);
        tick(&b);
    }
    assert_true(joint_of(&b, b.nuts[0])->value == 0.0 && is_in(&b, b.nuts[0], "on_bolt"));
    take_wrench(&b);
    for (int k = 0; k < 20; k++) {
        hold_at(&b, fr_vec3_add(place, fr_vec3_make(0.0, 0.0101, 0.0)), 0.1 * k);
        tick(&b);
    }
    assert_true(joint_of(&b, b.nuts[0])->value == 0.0);
    for (int k = 0; k < 20; k++) {
        hold_at(&b, place, 0.0);
        fr_quat tilt = fr_quat_from_axis_angle(fr_vec3_make(1, 0, 0), fr_radians(10.5));
        fr_quat turn = fr_quat_from_axis_angle(fr_vec3_make(0, 1, 0), 0.1 * k);
        b.hand.to.rotation = fr_quat_multiply(tilt, turn);
        fr_vec3 head = fr_mat3_apply(fr_quat_to_mat3(b.hand.to.rotation), fr_vec3_make(0.15, -0.035, 0.0));
        b.hand.to.position = fr_vec3_sub(place, head);
        tick(&b);
    }
    assert_true(joint_of(&b, b.nuts[0])->value == 0.0 && is_in(&b, b.nuts[0], "on_bolt"));
    close_bench(&b);
}

// Turned back it goes back; taken off, the nut stays as it is, and goes on from there.
static void a_nut_goes_on_where_it_was(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    take_wrench(&b);
    fr_vec3 place = place_of_nut(1);
    hold_at(&b, place, 0.0);
    ticks(&b, 3);
    double angle = 0.0;
    const double strokes[] = {0.5, 0.4, -0.3, 0.2};
    for (int k = 0; k < 4; k++) {
        hold_at(&b, place, angle += strokes[k]);
        tick(&b);
    }
    assert_true(fabs(joint_of(&b, b.nuts[1])->value - 0.8) < 1e-9);
    hold_at(&b, fr_vec3_make(0, 1, 0), angle);
    ticks(&b, 3);
    double value = joint_of(&b, b.nuts[1])->value;
    assert_true(is_in(&b, b.nuts[1], "on_bolt") && fabs(value - 0.8) < 1e-9);
    hold_at(&b, pose_of(&b, b.nuts[1]).position, 2.0);
    ticks(&b, 3);
    assert_true(is_in(&b, b.nuts[1], "gripped"));
    double now = joint_of(&b, b.nuts[1])->value;
    hold_at(&b, pose_of(&b, b.nuts[1]).position, 2.1);
    tick(&b);
    assert_true(fabs(joint_of(&b, b.nuts[1])->value - now - 0.1) < 1e-9);
    close_bench(&b);
}

// A guard tells what it lacks; what does not exist says nothing.
static void it_explains(void **state) {
    (void)state;
    bench b;
    char text[96];
    open_bench(&b);
    ticks(&b, 2);
    assert_int_equal(fr_mechanism_count(b.mechanism), NUTS + 2);
    assert_int_equal(fr_mechanism_state(b.mechanism, b.hand.cover), 0);
    assert_int_equal(fr_mechanism_state(b.mechanism, b.machine), FR_NONE);
    fr_mechanism_explain(b.mechanism, b.hand.cover, 1, text, sizeof text);
    assert_string_equal(text, "4 of 4 nut* are not off");
    fr_mechanism_explain(b.mechanism, b.hand.cover, 2, text, sizeof text);
    assert_string_equal(text, "");
    fr_mechanism_explain(b.mechanism, b.machine, 0, text, sizeof text);
    assert_string_equal(text, "");
    close_bench(&b);
}

// A state that another program sets is gone to; the scene begins again in the first.
static void programs_may_set_states(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    ticks(&b, 2);
    for (int i = 0; i < NUTS; i++) {
        assert_int_equal(fr_world_set_state(b.world, b.nuts[i], "off", 1.0, NULL), FR_OK);
    }
    ticks(&b, 3);
    assert_int_equal(count_off(&b), NUTS);
    assert_true(isnan(fr_world_state(b.world, b.nuts[0], "on_bolt")));
    assert_true(is_in(&b, b.hand.cover, "loose"));
    assert_null(joint_of(&b, b.hand.cover));
    assert_int_equal(fr_cast_begin(b.cast, NULL), FR_OK);
    ticks(&b, 2);
    assert_int_equal(count_off(&b), 0);
    assert_true(is_in(&b, b.hand.cover, "bolted") && joint_of(&b, b.hand.cover)->kind == FR_JOINT_FIXED);
    assert_true(joint_of(&b, b.nuts[2])->kind == FR_JOINT_SCREW && joint_of(&b, b.nuts[2])->value == 0.0);
    close_bench(&b);
}

// What the world has of an object as it gets its class is where it begins: a scene or a journal says so.
static void objects_begin_where_the_world_has_them(void **state) {
    (void)state;
    bench b;
    open_world(&b);
    assert_int_equal(fr_world_set_state(b.world, b.nuts[3], "off", 1.0, NULL), FR_OK);
    assert_int_equal(open_mechanism(&b, NULL), FR_OK);
    ticks(&b, 2);
    assert_true(is_in(&b, b.nuts[3], "off") && is_in(&b, b.nuts[2], "on_bolt"));
    assert_null(joint_of(&b, b.nuts[3]));
    // An object that goes is one nut less, and one that comes one more.
    assert_int_equal(fr_object_remove(fr_world_space(b.world), b.nuts[0], NULL), FR_OK);
    assert_int_equal(fr_object_remove(fr_world_space(b.world), b.nuts[1], NULL), FR_OK);
    ticks(&b, 3);
    assert_int_equal(fr_mechanism_count(b.mechanism), NUTS);
    char text[96];
    fr_mechanism_explain(b.mechanism, b.hand.cover, 1, text, sizeof text);
    assert_string_equal(text, "1 of 2 nut* are not off");
    fr_object_id more = add_box(b.world, "nut9", fr_vec3_make(1, 0, 0));
    assert_int_equal(set_class(&b, more, "nut"), FR_OK);
    ticks(&b, 3);
    fr_mechanism_explain(b.mechanism, b.hand.cover, 1, text, sizeof text);
    assert_string_equal(text, "2 of 3 nut* are not off");
    assert_int_equal(fr_mechanism_set_class(b.mechanism, more, NULL, NULL), FR_OK);
    ticks(&b, 3);
    assert_int_equal(fr_mechanism_state(b.mechanism, more), FR_NONE);
    assert_int_equal(fr_mechanism_set_class(b.mechanism, b.nuts[0], NULL, NULL), FR_ERROR_STALE_ID);
    close_bench(&b);
}

// A world that is put back as another run had it: a nut that is half off stays half off, and what was in a hand is
// released, as the hand is gone with the other run.
static void a_world_that_is_put_back_goes_on(void **state) {
    (void)state;
    bench b, again;
    open_bench(&b);
    take_wrench(&b);
    fr_vec3 place = place_of_nut(1);
    hold_at(&b, place, 0.0);
    ticks(&b, 3);
    hold_at(&b, place, 0.8);
    ticks(&b, 2);
    assert_true(is_in(&b, b.nuts[1], "gripped") && fabs(joint_of(&b, b.nuts[1])->value - 0.8) < 1e-9);
    assert_int_equal(fr_world_set_state(b.world, b.nuts[2], "off", 1.0, NULL), FR_OK);
    ticks(&b, 2);

    open_bench(&again);
    tick(&again);
    fr_space *space = fr_world_space(again.world);
    fr_pose pose = pose_of(&b, b.nuts[1]);
    assert_int_equal(fr_object_set_pose(space, again.nuts[1], &pose, NULL), FR_OK);
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        fr_joint_id id = fr_space_joint_at(space, i);
        const fr_joint *now = fr_joint_get(space, id);
        if (now == NULL || !fr_object_id_equal(now->child, again.nuts[1])) { continue; }
        fr_joint joint = *now;
        joint.value = joint_of(&b, b.nuts[1])->value;
        assert_int_equal(fr_joint_set(space, id, &joint, NULL), FR_OK);
    }
    const fr_object_id objects[] = {again.nuts[1], again.nuts[2], again.hand.wrench};
    static const char *const from[] = {"on_bolt", "on_bolt", "lying"}, *const to[] = {"gripped", "off", "in_hand"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(fr_world_remove_state(again.world, objects[i], from[i], NULL), FR_OK);
        assert_int_equal(fr_world_set_state(again.world, objects[i], to[i], 1.0, NULL), FR_OK);
    }
    assert_int_equal(fr_cast_resume(again.cast, NULL), FR_OK);
    assert_null(joint_of(&again, again.nuts[2]));
    ticks(&again, 3);
    assert_true(is_in(&again, again.hand.wrench, "lying") && !is_in(&again, again.hand.wrench, "in_hand"));
    assert_true(is_in(&again, again.nuts[1], "on_bolt") && !is_in(&again, again.nuts[1], "gripped"));
    assert_true(is_in(&again, again.nuts[2], "off") && !is_in(&again, again.nuts[2], "on_bolt"));
    assert_true(is_in(&again, again.nuts[3], "on_bolt"));
    assert_true(joint_of(&again, again.nuts[1])->value == joint_of(&b, b.nuts[1])->value);
    assert_true(fr_vec3_distance(pose_of(&again, again.nuts[1]).position, pose.position) < 1e-12);
    close_bench(&again);
    close_bench(&b);
}

// The hand of a live person, who has a claim, takes and lets go; what is only moved by a program's drag does not.
static void a_live_hand_grasps(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    ticks(&b, 2);
    fr_object_id wrench = b.hand.wrench;
    b.hand.wrench = (fr_object_id){0, 0, 0};
    fr_pose pose = pose_of(&b, wrench);
    assert_int_equal(fr_world_drag(b.world, wrench, &pose, NULL), FR_OK);
    ticks(&b, 2);
    assert_true(is_in(&b, wrench, "lying"));
    assert_int_equal(fr_world_let_go(b.world, wrench, NULL), FR_OK);
    ticks(&b, 2);
    const fr_claim claim = {.object = wrench, .rank = FR_RANK_PERSON, .holder = 7};
    assert_int_equal(fr_cast_grab(b.cast, &claim, NULL), FR_OK);
    assert_int_equal(fr_world_drag(b.world, wrench, &pose, NULL), FR_OK);
    ticks(&b, 2);
    assert_true(is_in(&b, wrench, "in_hand"));
    assert_int_equal(fr_cast_let_go(b.cast, wrench, 7, NULL), FR_OK);
    assert_int_equal(fr_world_let_go(b.world, wrench, NULL), FR_OK);
    ticks(&b, 2);
    assert_true(is_in(&b, wrench, "lying"));
    close_bench(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// Other triggers and actions

#define LAMP                                                                                                           \
    "{\"fureai\":1,\"shapes\":[\"a.obj\"],\"states\":["                                                                \
    "{\"name\":\"dark\",\"affords\":[],\"looks\":{\"color\":[9,8,7]},\"transitions\":["                                \
    "{\"on\":{\"contact\":\"begin\",\"with\":\"wre*\"},\"to\":\"lit\",\"do\":[{\"emit\":\"ping\",\"value\":2}]},"      \
    "{\"on\":{\"event\":\"spin\"},\"to\":\"round\"}]},"                                                                \
    "{\"name\":\"lit\",\"affords\":[],\"looks\":{\"hidden\":true},\"transitions\":["                                   \
    "{\"on\":{\"seconds\":0.2},\"to\":\"falling\"}]},"                                                                 \
    "{\"name\":\"falling\",\"affords\":[],\"constraint\":{\"kind\":\"falling\"},\"transitions\":["                     \
    "{\"on\":{\"event\":\"grasp\"},\"to\":\"round\",\"do\":[{\"attach\":\"machine\"}]}]},"                             \
    "{\"name\":\"round\",\"affords\":[],\"transitions\":[{\"when\":{\"all\":[]},\"to\":\"back\"}]},"                   \
    "{\"name\":\"back\",\"affords\":[],\"transitions\":[{\"when\":{\"all\":[]},\"to\":\"round\"}]}]}"

static uint32_t count_events(const bench *b, const char *name) {
    const fr_snapshot *seen = fr_world_snapshot(b->world);
    uint32_t count = 0;
    for (size_t i = 0; i < seen->event_count; i++) {
        count += seen->events[i].kind == FR_EVENT_NAMED && strcmp(seen->events[i].name, name) == 0 ? 1 : 0;
    }
    fr_snapshot_release(seen);
    return count;
}

static fr_object_id add_lamp(bench *b) {
    fr_object_id lamp = add_box(b->world, "lamp", fr_vec3_make(3, 0, 0));
    fr_class_read_input input = fr_default_class_read_input();
    fr_class *c;
    fr_error error = {0};
    if (fr_class_read(LAMP, strlen(LAMP), &input, &c, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_int_equal(fr_mechanism_set_class(b->mechanism, lamp, c, NULL), FR_OK);
    fr_class_release(c);
    return lamp;
}

// Contacts, timers, named events, looks; what falls is let go as by a hand.
static void a_lamp_goes_its_states(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    fr_object_id lamp = add_lamp(&b);
    ticks(&b, 2);
    assert_true(is_in(&b, lamp, "dark"));
    assert_int_equal(fr_world_label(b.world, lamp).color.g, 8);
    assert_string_equal(fr_world_label(b.world, lamp).name, "lamp");
    b.hand.to.position = fr_vec3_make(3, 0, 0);
    tick(&b);
    tick(&b);
    assert_true(is_in(&b, lamp, "lit"));
    assert_int_equal(count_events(&b, "ping"), 1);
    assert_int_equal(fr_world_label(b.world, lamp).color.g, 200);
    const fr_space *space = fr_world_space(b.world);
    assert_true((fr_object_get(space, lamp)->flags & FR_OBJECT_PROXY) != 0);
    ticks(&b, 9);
    assert_true(is_in(&b, lamp, "lit"));
    ticks(&b, 2);
    assert_true(is_in(&b, lamp, "falling") && (fr_object_get(space, lamp)->flags & FR_OBJECT_PROXY) == 0);
    ticks(&b, 3);
    assert_int_equal(fr_world_hold(b.world, lamp), FR_HOLD_PLACED);
    happen(&b, "grasp", lamp);
    ticks(&b, 2);
    assert_int_equal(joint_of(&b, lamp)->kind, FR_JOINT_ATTACHED);
    assert_true(fr_object_id_equal(joint_of(&b, lamp)->parent, b.machine));
    close_bench(&b);
}

// A cycle is cut, said once a tick, and the object is in one of its states.
static void a_cycle_is_cut(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    fr_object_id lamp = add_lamp(&b);
    ticks(&b, 2);
    happen(&b, "spin", lamp);
    ticks(&b, 2);
    assert_int_equal(count_events(&b, FR_MECHANISM_CUT), 1);
    assert_true(is_in(&b, lamp, "round") != is_in(&b, lamp, "back"));
    tick(&b);
    assert_int_equal(count_events(&b, FR_MECHANISM_CUT), 1);
    close_bench(&b);
}

// ---------------------------------------------------------------------------------------------------------------

static void push_bytes(const void *bytes, size_t size, void *context) {
    unsigned char *place = fr_byte_array_push(context, size);
    assert_non_null(place);
    memcpy(place, bytes, size);
}

// The record compares the hash of every tick.
static void it_replays_bit_for_bit(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    fr_byte_array record = fr_byte_array_make(NULL);
    fr_random random = fr_random_seed(8);
    assert_int_equal(fr_world_record(b.world, push_bytes, &record, NULL), FR_OK);
    take_all_off(&b, &random);
    assert_int_equal(fr_world_record(b.world, NULL, NULL, NULL), FR_OK);
    fr_world_def def = fr_default_world_def();
    fr_world *again;
    assert_int_equal(fr_world_create(&def, &again, NULL), FR_OK);
    fr_error error = {0};
    if (fr_world_replay(again, record.data, record.count, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_snapshot *one = fr_world_snapshot(b.world), *other = fr_world_snapshot(again);
    assert_true(fr_snapshot_hash(one) == fr_snapshot_hash(other));
    assert_true(fr_world_state(again, fr_world_find(again, "nut3"), "off") == 1.0);
    fr_snapshot_release(one);
    fr_snapshot_release(other);
    fr_world_destroy(again);
    fr_byte_array_destroy(&record);
    close_bench(&b);
}

// The same bits every time: states, joints and places.
static void it_is_the_same_every_time(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        bench b;
        open_bench(&b);
        fr_random random = fr_random_seed(77);
        take_all_off(&b, &random);
        const fr_snapshot *seen = fr_world_snapshot(b.world);
        hashes[i] = fr_hash(&(uint64_t){fr_snapshot_hash(seen)}, 8, fr_mechanism_hash(b.mechanism));
        fr_snapshot_release(seen);
        close_bench(&b);
    }
    assert_true(hashes[0] == hashes[1]);
}

// Ticks with little memory: one that fails is taken again, and all goes as it would have gone.
static fr_status make_mechanism(const fr_allocator *allocator, void *context) {
    (void)context;
    bench b;
    open_world(&b);
    fr_status status = open_mechanism(&b, allocator);
    for (int k = 0; k < 12 && status == FR_OK; k++) {
        if (k == 2) { happen(&b, "attached", b.hand.wrench); }
        if (k >= 4) { hold_at(&b, pose_of(&b, b.nuts[2]).position, 0.4 * (k - 4)); }
        status = fr_cast_tick(b.cast, NULL, NULL);
        if (status == FR_ERROR_MEMORY) {
            test_lift_and_compare(allocator);
            assert_int_equal(fr_cast_tick(b.cast, NULL, NULL), FR_OK);
            for (b.hand.event_count = 0, k++; k < 12; k++, b.hand.event_count = 0) {
                if (k == 2) { happen(&b, "attached", b.hand.wrench); }
                if (k >= 4) { hold_at(&b, pose_of(&b, b.nuts[2]).position, 0.4 * (k - 4)); }
                assert_int_equal(fr_cast_tick(b.cast, NULL, NULL), FR_OK);
            }
        }
        b.hand.event_count = 0;
    }
    if (b.mechanism != NULL && (status == FR_OK || test_is_compared)) {
        test_note_number(fr_mechanism_hash(b.mechanism));
        char text[96];
        fr_mechanism_explain(b.mechanism, b.hand.cover, 1, text, sizeof text);
        test_note(text, strlen(text));
        const fr_joint *joint = joint_of(&b, b.nuts[2]);
        test_note_number(joint != NULL);
        if (joint != NULL) { test_note(&joint->value, sizeof joint->value); }
    }
    close_bench(&b);
    return status;
}

static void memory_may_run_short(void **state) {
    (void)state;
    test_every_failure(make_mechanism, NULL);
}

static void definitions_are_checked(void **state) {
    (void)state;
    fr_mechanism_def def = fr_default_mechanism_def();
    fr_mechanism *m;
    assert_int_equal(fr_mechanism_create(&def, &m, NULL), FR_ERROR_ARGUMENT);
    def.cookie = 0;
    assert_int_equal(fr_mechanism_create(&def, &m, NULL), FR_ERROR_ARGUMENT);
    assert_null(m);
    fr_mechanism_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_are_checked),
        cmocka_unit_test(only_an_engaged_wrench_turns),
        cmocka_unit_test(a_nut_goes_on_where_it_was),
        cmocka_unit_test(it_explains),
        cmocka_unit_test(programs_may_set_states),
        cmocka_unit_test(objects_begin_where_the_world_has_them),
        cmocka_unit_test(a_world_that_is_put_back_goes_on),
        cmocka_unit_test(a_live_hand_grasps),
        cmocka_unit_test(a_lamp_goes_its_states),
        cmocka_unit_test(a_cycle_is_cut),
        cmocka_unit_test(the_cover_is_held_by_the_last_nut),
        cmocka_unit_test(it_replays_bit_for_bit),
        cmocka_unit_test(it_is_the_same_every_time),
        cmocka_unit_test(memory_may_run_short),
    };
    return cmocka_run_group_tests(tests, open_library, close_library);
}
