// A pen with a device behind it, in a world: it touches, feels, takes, carries, fits and lets go. The device is a
// simulated pen on strings, in the hand of a simulated person.
#include "demo.h"
#include "failing.h"
#include "frame.h"
#include "pen_person.h"

#define DT 1e-3

// A person at a device in a world.
typedef struct bench {
    pen_person person;
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_pen *pen;
    const fr_hands *hands;
    fr_simulated_pen *device;
    fr_haptic_loop *loop;
    fr_random random;
    double force_max;
    uint32_t events[FR_EVENT_KIND_COUNT];
    uint32_t lost, back;
} bench;

static void open_device(bench *b, double loss_time) {
    fr_simulated_pen_def def = person_device(&b->person);
    def.loss_time = loss_time;
    def.loss_seconds = 0.5;
    assert_int_equal(fr_simulated_pen_create(&def, &b->device, NULL), FR_OK);
    fr_haptic_loop_def loop = fr_default_haptic_loop_def();
    loop.device = fr_simulated_pen_device(b->device);
    loop.track.mount.position = person_place;
    assert_int_equal(fr_haptic_loop_create(&loop, &b->loop, NULL), FR_OK);
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

static void tick(void *user) {
    bench *b = user;
    int steps = (int)(fr_world_step(b->world) / DT + 0.5);
    for (int i = 0; i < steps; i++) {
        person_move(&b->person, b->device, DT);
        fr_simulated_pen_advance(b->device, DT);
        fr_haptic_loop_step(b->loop, b->person.now);
        b->force_max = fmax(b->force_max, fr_vec3_length(fr_haptic_loop_state(b->loop).force));
    }
    assert_int_equal(fr_cast_tick(b->cast, NULL, NULL), FR_OK);
    note_events(b);
}

static bool is_holding(fr_object_id object, void *user) {
    return fr_object_id_equal(fr_pen_get(((bench *)user)->pen).held, object);
}

static bool is_fitted(uint32_t part, void *user) {
    return fr_assembly_states(fr_hands_assembly(((bench *)user)->hands))[part].place != FR_NONE;
}

static void begin(bench *b, fr_scene *scene, uint64_t seed, double loss_time) {
    memset(b, 0, sizeof *b);
    person_begin(&b->person);
    b->scene = scene;
    b->random = fr_random_seed(seed);
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
    b->person.space = fr_world_space(b->world);
    b->person.assembly = b->hands != NULL ? fr_hands_assembly(b->hands) : NULL;
    b->person.tick = tick;
    b->person.is_holding = is_holding;
    b->person.is_fitted = is_fitted;
    b->person.user = b;
}

static void end(bench *b) {
    fr_cast_destroy(b->cast);
    fr_world_destroy(b->world);
    fr_scene_destroy(b->scene);
    fr_haptic_loop_destroy(b->loop);
    fr_simulated_pen_destroy(b->device);
    person_end(&b->person);
}

static fr_vec3 tip_of(const bench *b) { return fr_vec3_add(fr_simulated_pen_get(b->device).tip, person_place); }

static fr_pose pose_of(const bench *b, fr_object_id object) { return person_sees(&b->person, object); }

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
    person_go(&b.person, fr_vec3_make(0.05, 0.05, 0.0), 2.0);
    assert_true(b.back == 1 && b.lost == 0 && b.force_max == 0.0);
    person_lean(&b.person, fr_vec3_make(0.05, -0.005, 0.0), 1.5);
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
    person_lean(&b.person, fr_vec3_make(0.15, -0.005, 0.0), 1.5);
    assert_true(fr_haptic_loop_state(b.loop).force.y > 1.0);
    person_lean(&b.person, fr_vec3_make(0.3, -0.005, 0.0), 2.0);
    assert_true(fr_vec3_length(fr_haptic_loop_state(b.loop).force) < 0.05 && tip_of(&b).y < -0.003);
    assert_true(fr_haptic_loop_report(b.loop)->energy_max <= 1e-3);
    end(&b);
}

// The far side of a thing that is thinner than the reach does not push.
static void test_a_small_thing_pushes_from_its_near_side(void **state) {
    (void)state;
    bench b;
    begin(&b, read_text(SCENE("{\"name\":\"dice\",\"shape\":\"box\",\"scale\":0.012,\"static\":true}")), 1, INFINITY);
    person_go(&b.person, fr_vec3_make(0.0, 0.05, 0.0), 2.0);
    person_go(&b.person, fr_vec3_make(0.0, 0.007, 0.0), 1.0);
    assert_true(b.force_max < 1e-9);
    person_lean(&b.person, fr_vec3_make(0.0, -0.002, 0.0), 1.0);
    assert_true(fr_haptic_loop_state(b.loop).force.y > 0.5);
    end(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// Carrying

static void test_a_block_is_carried_with_its_weight(void **state) {
    (void)state;
    bench b;
    begin(&b, read_text(SCENE(TABLE "," BLOCK("0"))), 1, INFINITY);
    fr_object_id block = fr_world_find(b.world, "block");
    person_take(&b.person, block);
    assert_true(is_holding(block, &b) && b.events[FR_EVENT_HELD] == 1);
    person_go(&b.person, fr_vec3_make(0.1, 0.2, 0.05), 3.0);
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
    person_lean(&b.person, fr_vec3_make(0.1, 0.04, 0.05), 2.0);
    assert_true(fr_haptic_loop_state(b.loop).force.y > 0.3);
    assert_true(pose_of(&b, block).position.y > 0.0299);
    person_press(&b.person, false);
    assert_true(!is_holding(block, &b) && b.events[FR_EVENT_RELEASED] == 1);
    fr_vec3 left = pose_of(&b, block).position;
    person_go(&b.person, fr_vec3_make(0.1, 0.2, 0.05), 2.0);
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
    person_take(&b.person, block);
    person_go(&b.person, fr_vec3_make(0.1, 0.2, 0.05), 2.0);
    while (b.person.now < 5.98) {
        tick(&b);
    }
    assert_true(is_holding(block, &b) && b.lost == 0);
    for (int i = 0; i < 4; i++) {
        tick(&b);
    }
    assert_true(b.lost == 1 && b.back == 1 && !is_holding(block, &b) && fr_pen_get(b.pen).is_lost);
    assert_true(fr_vec3_length(fr_haptic_loop_state(b.loop).force) == 0.0);
    assert_true(b.events[FR_EVENT_RELEASED] == 1 && fr_cast_claim(b.cast, block) == NULL);
    fr_vec3 left = pose_of(&b, block).position;
    assert_true(left.y > 0.1);
    while (b.person.now < 7.5) {
        tick(&b);
    }
    assert_true(b.back == 2 && !fr_pen_get(b.pen).is_lost);
    assert_true(fr_vec3_distance(pose_of(&b, block).position, left) < 1e-9);
    end(&b);
}

// ---------------------------------------------------------------------------------------------------------------
// The piston

static void test_the_piston_is_put_together(void **state) {
    (void)state;
    uint64_t seeds = test_count(1, 20), done = 0;
    double force_max = 0.0, energy_max = -1.0, seconds = 0.0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        bench b;
        begin(&b, demo_read(DEMO_FOLDER, "piston.json"), seed, INFINITY);
        b.person.tremor = fr_random_between(&b.random, 2e-4, 1e-3);
        b.person.now = fr_random_between(&b.random, 0.0, 1.0); // of the tremor
        uint32_t count = fr_assembly_count(fr_hands_assembly(b.hands));
        for (uint32_t part = 0; part < count; part++) {
            for (int i = 0; i < 2 && !is_fitted(part, &b); i++) {
                person_fit(&b.person, part);
            }
            if (!is_fitted(part, &b)) { print_message("seed %d: part %u is not fitted\n", (int)seed, part); }
        }
        const fr_haptic_report *r = fr_haptic_loop_report(b.loop);
        force_max = fmax(force_max, fmax(b.force_max, fr_simulated_pen_get(b.device).force_max));
        energy_max = fmax(energy_max, r->energy_max);
        seconds += b.person.now;
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
