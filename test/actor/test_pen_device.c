// A pen with a device behind it, in a world: it touches, feels, takes, carries, fits and lets go. The device is a
// simulated pen on strings, in the hand of a simulated person.
#include "demo.h"
#include "failing.h"
#include "frame.h"

#include "fureai/devices.h"

#include <math.h>

#define DT 1e-3
#define SPEED 0.3      // metres a second of the hand
#define TURN_SPEED 2.0 // radians a second
#define SETTLE 2.0     // of what the hand sees to be wrong it corrects so much a second
#define STRENGTH 8e-3  // metres beyond its aim that the hand reaches: 3.2 N of its grip
#define HIGH 0.12      // metres above the table, where parts are carried

// A person at a device in a world.
typedef struct bench {
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_pen *pen;
    const fr_hands *hands;
    fr_simulated_pen *device;
    fr_haptic_loop *loop;
    fr_random random;
    double now;
    fr_vec3 aim; // where the hand goes, in the room
    fr_quat turn_aim;
    fr_vec3 goal;      // on the path there
    fr_vec3 put_right; // what it has corrected
    fr_vec3 wish;      // of the hand, in the device's frame
    fr_quat turn;      // of the pen
    double tremor, speed;
    bool is_pressed;
    double force_max;
    uint32_t events[FR_EVENT_KIND_COUNT];
    uint32_t lost, back;
} bench;

static const fr_vec3 place = {0.0, 0.2, 0.0}; // of the device in the room

static fr_vec3 wish_of(double time, void *user) {
    (void)time;
    return ((bench *)user)->wish;
}

static fr_quat turn_of(double time, void *user) {
    (void)time;
    return ((bench *)user)->turn;
}

static void open_device(bench *b, double loss_time) {
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        def.strings.anchors[i] = fr_vec3_scale(6.0, def.strings.anchors[i]); // about a room of 3 m
    }
    def.grip = 400.0;
    def.damping = 10.0;
    def.wish = wish_of;
    def.turn = turn_of;
    def.wish_user = b;
    def.loss_time = loss_time;
    def.loss_seconds = 0.5;
    assert_int_equal(fr_simulated_pen_create(&def, &b->device, NULL), FR_OK);
    fr_haptic_loop_def loop = fr_default_haptic_loop_def();
    loop.device = fr_simulated_pen_device(b->device);
    loop.track.mount.position = place;
    assert_int_equal(fr_haptic_loop_create(&loop, &b->loop, NULL), FR_OK);
}

static void begin(bench *b, fr_scene *scene, uint64_t seed, double loss_time) {
    memset(b, 0, sizeof *b);
    b->scene = scene;
    b->random = fr_random_seed(seed);
    b->turn = b->turn_aim = fr_quat_identity();
    b->aim = b->goal = place;
    b->tremor = 5e-4;
    b->speed = SPEED;
    b->world = demo_world(scene, DEMO_FOLDER, FR_SENSE_CONTINUOUS);
    assert_int_equal(fr_scene_cast(scene, b->world, NULL, &b->cast, NULL), FR_OK);
    const fr_actor *hands = fr_cast_find(b->cast, "hands");
    b->hands = hands != NULL ? hands->user : NULL;
    open_device(b, loss_time);
    fr_pen_def def = fr_default_pen_def();
    def.device = fr_haptic_loop_pen(b->loop);
    def.cast = b->cast;
    assert_int_equal(fr_pen_create(&def, &b->pen, NULL), FR_OK);
    fr_actor actor = fr_pen_actor(b->pen);
    assert_int_equal(fr_cast_add(b->cast, &actor, NULL), FR_OK);
}

static void end(bench *b) {
    fr_cast_destroy(b->cast);
    fr_world_destroy(b->world);
    fr_scene_destroy(b->scene);
    fr_haptic_loop_destroy(b->loop);
    fr_simulated_pen_destroy(b->device);
}

// The hand of a person in a millisecond: it goes on to its aim, and puts right what it sees to be wrong.
static void move_hand(bench *b) {
    fr_vec3 left = fr_vec3_sub(b->aim, b->goal);
    double length = fr_vec3_length(left), step = b->speed * DT;
    b->goal = length > step ? fr_vec3_add_scaled(b->goal, step / length, left) : b->aim;
    fr_vec3 tip = fr_vec3_add(fr_simulated_pen_get(b->device).tip, place), wrong = fr_vec3_sub(b->goal, tip);
    b->put_right = fr_vec3_add_scaled(b->put_right, SETTLE * DT, wrong);
    double most = fr_vec3_length(b->put_right);
    if (most > STRENGTH) { b->put_right = fr_vec3_scale(STRENGTH / most, b->put_right); }
    b->wish = fr_vec3_add(fr_vec3_sub(b->goal, place), b->put_right);
    b->wish.x += b->tremor * sin(57.0 * b->now);
    b->wish.y += b->tremor * sin(52.0 * b->now + 1.0);
    b->wish.z += b->tremor * sin(61.0 * b->now + 2.0);
    fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(b->turn_aim, fr_quat_conjugate(b->turn)));
    double angle = fr_vec3_length(turn), share = angle > TURN_SPEED * DT ? TURN_SPEED * DT / angle : 1.0;
    b->turn = fr_quat_multiply(fr_quat_from_vector(fr_vec3_scale(share, turn)), b->turn);
    assert_int_equal(fr_quat_normalize(&b->turn, NULL), FR_OK);
}

static void note_events(bench *b) {
    const fr_snapshot *snapshot = fr_world_snapshot(b->world);
    for (size_t i = 0; i < snapshot->event_count; i++) {
        const fr_event *e = &snapshot->events[i];
        b->events[e->kind]++;
        if (e->kind == FR_EVENT_NAMED) {
            b->lost += strcmp(e->name, FR_PEN_LOST) == 0;
            b->back += strcmp(e->name, FR_PEN_BACK) == 0;
        }
    }
    fr_snapshot_release(snapshot);
}

static void tick(bench *b) {
    int steps = (int)(fr_world_step(b->world) / DT + 0.5);
    for (int i = 0; i < steps; i++) {
        b->now += DT;
        move_hand(b);
        uint32_t buttons = FR_DEVICE_BUTTON_HELD | (b->is_pressed ? FR_DEVICE_BUTTON_GRASP : 0u);
        fr_simulated_pen_press(b->device, buttons);
        fr_simulated_pen_advance(b->device, DT);
        fr_haptic_loop_step(b->loop, b->now);
        b->force_max = fmax(b->force_max, fr_vec3_length(fr_haptic_loop_state(b->loop).force));
    }
    assert_int_equal(fr_cast_tick(b->cast, NULL, NULL), FR_OK);
    note_events(b);
}

static fr_vec3 tip_of(const bench *b) { return fr_vec3_add(fr_simulated_pen_get(b->device).tip, place); }

// Goes there until it is there, or for so long.
static void go(bench *b, fr_vec3 aim, double seconds) {
    b->aim = aim;
    for (double until = b->now + seconds; b->now < until;) {
        tick(b);
        bool is_there = fr_vec3_distance(tip_of(b), aim) < 3e-3;
        fr_quat off = fr_quat_multiply(b->turn_aim, fr_quat_conjugate(b->turn));
        if (is_there && fr_vec3_length(fr_quat_to_vector(off)) < 0.01) { return; }
    }
}

// Goes there, and stays for all the time.
static void lean(bench *b, fr_vec3 aim, double seconds) {
    b->aim = aim;
    for (double until = b->now + seconds; b->now < until;) {
        tick(b);
    }
}

static fr_pose pose_of(const bench *b, fr_object_id object) {
    return fr_object_get(fr_world_space(b->world), object)->pose;
}

static bool is_holding(const bench *b, fr_object_id object) {
    return fr_object_id_equal(fr_pen_get(b->pen).held, object);
}

// ---------------------------------------------------------------------------------------------------------------
// Touching

static fr_scene *read_text(const char *text) {
    fr_error error = {0};
    fr_scene *scene;
    if (fr_scene_read(text, strlen(text), NULL, &scene, &error) != FR_OK) { fail_msg("%s", error.message); }
    return scene;
}

#define TABLE "{\"name\":\"table\",\"shape\":\"box\",\"scale\":0.4,\"position\":[0,-0.2,0],\"static\":true}"
#define BLOCK(x) "{\"name\":\"block\",\"shape\":\"box\",\"scale\":0.06,\"position\":[" x ",0.0302,0]}"
#define SCENE(objects) "{\"fureai\":1,\"step\":0.01,\"objects\":[" objects "],\"aid\":{}}"

// It comes down on a table: it is held up there, the force is that of the spring, and all of it is seen.
static void test_a_table_holds_the_pen(void **state) {
    (void)state;
    bench b;
    begin(&b, read_text(SCENE(TABLE)), 1, INFINITY);
    go(&b, fr_vec3_make(0.05, 0.05, 0.0), 2.0);
    assert_true(b.back == 1 && b.lost == 0 && b.force_max == 0.0);
    lean(&b, fr_vec3_make(0.05, -0.005, 0.0), 1.5);
    fr_pen_output pen = fr_pen_get(b.pen);
    fr_haptic_state felt = fr_haptic_loop_state(b.loop);
    assert_true(felt.force.y > 1.0 && fabs(felt.force.x) < 0.1 && b.force_max <= 4.0 + 1e-9);
    assert_true(tip_of(&b).y > -0.0101 && tip_of(&b).y < 0.0);
    assert_true(fr_vec3_distance(pen.felt, felt.force) < 0.5 && b.events[FR_EVENT_FORCE] > 3);
    // The pen is shown on the table, not in it.
    fr_pose shown = pose_of(&b, pen.object);
    fr_vec3 tip = fr_pose_apply(&shown, fr_vec3_make(0.0, -0.5, 0.0));
    assert_true(fabs(tip.y) < 2e-3);
    // Along the table it slides freely, beyond its edge it goes down.
    lean(&b, fr_vec3_make(0.15, -0.005, 0.0), 1.5);
    assert_true(fr_haptic_loop_state(b.loop).force.y > 1.0);
    lean(&b, fr_vec3_make(0.3, -0.005, 0.0), 2.0);
    assert_true(fr_vec3_length(fr_haptic_loop_state(b.loop).force) < 0.05 && tip_of(&b).y < -0.003);
    assert_true(fr_haptic_loop_report(b.loop)->energy_max <= 1e-3);
    end(&b);
}

// The far side of a thing that is thinner than the reach does not push.
static void test_a_small_thing_pushes_from_its_near_side(void **state) {
    (void)state;
    bench b;
    begin(&b, read_text(SCENE("{\"name\":\"dice\",\"shape\":\"box\",\"scale\":0.012,\"static\":true}")), 1, INFINITY);
    go(&b, fr_vec3_make(0.0, 0.05, 0.0), 2.0);
    go(&b, fr_vec3_make(0.0, 0.007, 0.0), 1.0);
    assert_true(b.force_max < 1e-9);
    lean(&b, fr_vec3_make(0.0, -0.002, 0.0), 1.0);
    assert_true(fr_haptic_loop_state(b.loop).force.y > 0.5);
    end(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// Carrying

// Brings the pen to an object, and takes hold of it.
static void take(bench *b, fr_object_id object) {
    fr_space *space = fr_world_space(b->world);
    fr_bounds box;
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    assert_int_equal(fr_object_bounds(space, object, &box, NULL), FR_OK);
    fr_vec3 above = fr_bounds_center(&box);
    above.y = box.max.y + 0.005;
    fr_vec3 high = above;
    high.y = fmax(above.y, HIGH);
    go(b, fr_vec3_make(tip_of(b).x, fmax(tip_of(b).y, HIGH), tip_of(b).z), 2.0);
    go(b, high, 4.0);
    go(b, above, 2.0);
    b->is_pressed = true;
    tick(b);
    tick(b);
}

static void release(bench *b) {
    b->is_pressed = false;
    tick(b);
    tick(b);
}

static void test_a_block_is_carried_with_its_weight(void **state) {
    (void)state;
    bench b;
    begin(&b, read_text(SCENE(TABLE "," BLOCK("0"))), 1, INFINITY);
    fr_object_id block = fr_world_find(b.world, "block");
    take(&b, block);
    assert_true(is_holding(&b, block) && b.events[FR_EVENT_HELD] == 1);
    go(&b, fr_vec3_make(0.1, 0.2, 0.05), 3.0);
    for (int i = 0; i < 100; i++) {
        tick(&b);
    }
    // 0.216 l of wood: 1.483 N
    fr_vec3 force = fr_haptic_loop_state(b.loop).force;
    assert_true(fabs(force.y + 1.483) < 0.05 && fabs(force.x) < 0.05);
    assert_true(fr_vec3_distance(pose_of(&b, block).position, fr_vec3_make(0.1, 0.1652, 0.05)) < 0.01);
    fr_claim claim = {.object = block, .rank = FR_RANK_PERSON, .holder = 7, .name = "Ann"};
    assert_int_equal(fr_cast_grab(b.cast, &claim, NULL), FR_ERROR_BUSY);

    // Down on the table it is held up by that: the hand feels the table, and the block is not in it.
    lean(&b, fr_vec3_make(0.1, 0.04, 0.05), 2.0);
    assert_true(fr_haptic_loop_state(b.loop).force.y > 0.3);
    assert_true(pose_of(&b, block).position.y > 0.0299);
    release(&b);
    assert_true(!is_holding(&b, block) && b.events[FR_EVENT_RELEASED] == 1);
    fr_vec3 left = pose_of(&b, block).position;
    go(&b, fr_vec3_make(0.1, 0.2, 0.05), 2.0);
    assert_true(fr_vec3_distance(pose_of(&b, block).position, left) < 1e-9);
    assert_int_equal(fr_cast_grab(b.cast, &claim, NULL), FR_OK);
    assert_true(b.force_max <= 4.0 + 1e-9 && fr_haptic_loop_report(b.loop)->energy_max <= 1e-3);
    end(&b);
}

// Gone: no force at once, what it held stays where it is, watchers get an event; back when it is back, with an empty
// hand.
static void test_a_device_that_is_gone_lets_go(void **state) {
    (void)state;
    bench b;
    begin(&b, read_text(SCENE(TABLE "," BLOCK("0"))), 1, 6.0);
    fr_object_id block = fr_world_find(b.world, "block");
    take(&b, block);
    go(&b, fr_vec3_make(0.1, 0.2, 0.05), 2.0);
    while (b.now < 5.98) {
        tick(&b);
    }
    assert_true(is_holding(&b, block) && b.lost == 0);
    for (int i = 0; i < 4; i++) {
        tick(&b);
    }
    assert_true(b.lost == 1 && b.back == 1 && !is_holding(&b, block) && fr_pen_get(b.pen).is_lost);
    assert_true(fr_vec3_length(fr_haptic_loop_state(b.loop).force) == 0.0);
    assert_true(b.events[FR_EVENT_RELEASED] == 1 && fr_cast_claim(b.cast, block) == NULL);
    fr_vec3 left = pose_of(&b, block).position;
    assert_true(left.y > 0.1);
    while (b.now < 7.5) {
        tick(&b);
    }
    assert_true(b.back == 2 && !fr_pen_get(b.pen).is_lost);
    assert_true(fr_vec3_distance(pose_of(&b, block).position, left) < 1e-9);
    end(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// The piston

// The tip and turn of the pen with which what it holds is at a pose.
static void aim_at(bench *b, const fr_pose *grip, const fr_pose *to, fr_vec3 *tip) {
    b->turn_aim = fr_quat_multiply(to->rotation, fr_quat_conjugate(grip->rotation));
    assert_int_equal(fr_quat_normalize(&b->turn_aim, NULL), FR_OK);
    fr_pose turned = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), b->turn_aim);
    *tip = fr_vec3_sub(to->position, fr_pose_turn(&turned, grip->position));
}

// Brings what is held to a pose.
static void bring(bench *b, const fr_pose *grip, const fr_pose *to, double seconds) {
    fr_vec3 tip;
    aim_at(b, grip, to, &tip);
    go(b, tip, seconds);
}

static bool is_fitted(const bench *b, uint32_t part) {
    return fr_assembly_states(fr_hands_assembly(b->hands))[part].place != FR_NONE;
}

// To before the place; what is seen to be wrong there is put right; and slowly in.
static void insert(bench *b, const fr_pose *grip, fr_object_id object, const fr_pose *before, const fr_pose *to) {
    fr_pose from = *before, in = *to;
    bring(b, grip, before, 3.0);
    for (int i = 0; i < 4 && is_holding(b, object); i++) {
        for (int k = 0; k < 10; k++) {
            tick(b);
        }
        fr_vec3 wrong = fr_vec3_sub(before->position, pose_of(b, object).position);
        if (fr_vec3_length(wrong) < 2e-4) { break; }
        from.position = fr_vec3_add_scaled(from.position, 0.7, wrong);
        in.position = fr_vec3_add_scaled(in.position, 0.7, wrong);
        bring(b, grip, &from, 0.1);
    }
    b->speed = 0.1;
    if (is_holding(b, object)) { bring(b, grip, &in, 2.0); }
    b->speed = SPEED;
}

static void fit(bench *b, uint32_t part) {
    const fr_assembly *assembly = fr_hands_assembly(b->hands);
    const fr_assembly_part *def = fr_assembly_get(assembly, part);
    const fr_space *space = fr_world_space(b->world);
    take(b, def->object);
    if (!is_holding(b, def->object)) { return; }
    fr_pose now = pose_of(b, def->object), pen = fr_pose_make(tip_of(b), b->turn), back = fr_pose_inverse(&pen);
    fr_pose grip = fr_pose_compose(&back, &now), up = now;
    fr_assembly_measure_output there;
    // An equal part may stand in its place already; then this one belongs into that one's.
    uint32_t to = fr_assembly_in_place(assembly, part) == FR_NONE ? part : def->like;
    assert_int_equal(fr_assembly_measure(assembly, space, part, to, &now, &there, NULL), FR_OK);
    fr_bounds box;
    assert_int_equal(fr_object_bounds(space, def->object, &box, NULL), FR_OK);
    bool has_insertion = fr_vec3_length(there.insertion) > 0.5;
    fr_vec3 inwards = has_insertion ? there.insertion : fr_vec3_make(0.0, -1.0, 0.0);
    fr_pose before = there.pose, over;
    double length = def->tolerance + def->reach + 0.03 + 0.5 * fr_vec3_distance(box.min, box.max);
    before.position = fr_vec3_add_scaled(there.pose.position, -length, inwards);
    up.position.y = fmax(now.position.y + HIGH, before.position.y);
    over = before;
    over.position.y = up.position.y;
    bring(b, &grip, &up, 3.0);
    bring(b, &grip, &over, 5.0);
    for (int i = 0; i < 8 && is_holding(b, def->object); i++) {
        insert(b, &grip, def->object, &before, &there.pose);
    }
    release(b);
}

static void test_the_piston_is_put_together(void **state) {
    (void)state;
    uint64_t seeds = test_count(1, 20), done = 0;
    double force_max = 0.0, energy_max = -1.0, seconds = 0.0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        bench b;
        begin(&b, demo_read(DEMO_FOLDER, "piston.json"), seed, INFINITY);
        b.tremor = fr_random_between(&b.random, 2e-4, 1e-3);
        b.now = fr_random_between(&b.random, 0.0, 1.0); // of the tremor
        uint32_t count = fr_assembly_count(fr_hands_assembly(b.hands));
        for (uint32_t part = 0; part < count; part++) {
            for (int i = 0; i < 2 && !is_fitted(&b, part); i++) {
                fit(&b, part);
            }
            if (!is_fitted(&b, part)) { print_message("seed %d: part %u is not fitted\n", (int)seed, part); }
        }
        const fr_haptic_report *r = fr_haptic_loop_report(b.loop);
        force_max = fmax(force_max, fmax(b.force_max, fr_simulated_pen_get(b.device).force_max));
        energy_max = fmax(energy_max, r->energy_max);
        seconds += b.now;
        done += fr_assembly_fitted_count(fr_hands_assembly(b.hands)) == count && b.events[FR_EVENT_FITTED] == count;
        assert_true(b.events[FR_EVENT_HELD] >= count && b.lost == 0 && fr_simulated_pen_get(b.device).refused == 0);
        end(&b);
    }
    print_message("%d of %d pistons, %.0f s each, %.2f N at most, observer %.4f mJ\n", (int)done, (int)seeds,
                  seconds / (double)seeds, force_max, 1e3 * energy_max);
    assert_true(done == seeds && energy_max <= 1e-3);
    assert_true(force_max <= 4.0 + 0.05); // strings that pull at least a little add that
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_table_holds_the_pen),
        cmocka_unit_test(test_a_small_thing_pushes_from_its_near_side),
        cmocka_unit_test(test_a_block_is_carried_with_its_weight),
        cmocka_unit_test(test_a_device_that_is_gone_lets_go),
        cmocka_unit_test(test_the_piston_is_put_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
