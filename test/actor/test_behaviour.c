// What actors do, frozen: hashes of every tick of random drags, of a piston that hands put together, and of a pilot's
// flight round an obstacle. A change that is not meant to change behaviour leaves them as they are.
#include "frame.h"
#include "hands_room.h"

#include <inttypes.h>

enum { DRAGS = 10000, DRAGS_A_WORLD = 100, HELD_MAX = 3 };

// Frozen with the code that stood in the tool.
static const uint64_t first_drags_hash = 0xf0497a4265cb3b49; // of the first world
static const uint64_t all_drags_hash = 0xd19e76b5949c5597;
static const uint64_t piston_hash = 0x5bf932df45856bba;
static const uint64_t window_hash = 0x486281b8b468e4f7;
static const uint64_t traffic_hash = 0x63ac6860ead570d5;

static void expect_hash(const char *what, uint64_t hash, uint64_t frozen) {
    if (hash != frozen) { fail_msg("%s: the hash is 0x%016" PRIx64 ", frozen was 0x%016" PRIx64, what, hash, frozen); }
}

static void hash_tick(fr_world *world, uint64_t *hash) {
    fr_error error = {0};
    if (fr_world_tick(world, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    uint64_t one = fr_snapshot_hash(snapshot);
    *hash = fr_hash(&one, sizeof one, *hash);
    fr_snapshot_release(snapshot);
}

// ---------------------------------------------------------------------------------------------------------------
// Drags

typedef struct drag {
    fr_vec3 goal;
    uint32_t ticks_left; // 0: it is not dragged
} drag;

static void begin_drag(fr_random *random, drag *d) {
    double x = fr_random_between(random, -0.5, 0.5), y = fr_random_between(random, 0.70, 0.95);
    d->goal = fr_vec3_make(x, y, fr_random_between(random, -0.25, 0.25));
    d->ticks_left = 10 + (uint32_t)fr_random_below(random, 30);
}

// The hand comes nearer to its goal, and turns.
static void go_on(hands_room *r, fr_random *random, fr_object_id object, drag *d) {
    fr_pose raw = pose_of(r, object);
    raw.position = fr_vec3_add_scaled(fr_vec3_scale(0.85, raw.position), 0.15, d->goal);
    fr_vec3 turn = {fr_random_between(random, -0.02, 0.02), fr_random_between(random, -0.02, 0.02), 0.005};
    raw.rotation = fr_quat_multiply(fr_quat_from_vector(turn), raw.rotation);
    assert_int_equal(fr_quat_normalize(&raw.rotation, NULL), FR_OK);
    assert_int_equal(fr_world_drag(r->world, object, &raw, NULL), FR_OK);
    if (--d->ticks_left == 0) { assert_int_equal(fr_world_let_go(r->world, object, NULL), FR_OK); }
}

// Drags in a world of its own, up to three at once, and what was placed is taken back now and then.
static uint64_t hash_drags(uint64_t seed) {
    hands_room r;
    open_demo(&r, DEMO_FOLDER, "blocks.json");
    fr_random random = fr_random_seed(seed);
    const fr_space *space = fr_world_space(r.world);
    uint32_t places = fr_space_object_places(space), begun = 0, held = 0;
    drag drags[DEMO_OBJECTS_MAX] = {{.ticks_left = 0}};
    uint64_t hash = seed;
    for (uint32_t i = 0; (begun < DRAGS_A_WORLD || held > 0) && i < 100000; i++) {
        uint32_t k = 1 + (uint32_t)fr_random_below(&random, places - 1);
        bool may_begin = begun < DRAGS_A_WORLD && held < HELD_MAX && drags[k].ticks_left == 0;
        if (may_begin && grab(&r, fr_space_object_at(space, k), NULL) == FR_OK) {
            begin_drag(&random, &drags[k]);
            begun++;
        }
        held = 0;
        for (k = 1; k < places; k++) {
            if (drags[k].ticks_left == 0) { continue; }
            go_on(&r, &random, fr_space_object_at(space, k), &drags[k]);
            held += drags[k].ticks_left > 0 ? 1 : 0;
        }
        uint64_t what = fr_random_below(&random, 100);
        if (what < 4) {
            fr_status status = fr_cast_undo(r.cast, what == 3, NULL);
            hash = fr_hash(&status, sizeof status, hash);
        }
        hash_tick(r.world, &hash);
    }
    close_room(&r);
    return hash;
}

static void drags_are_as_they_were(void **state) {
    (void)state;
    uint64_t worlds = test_is_long() ? DRAGS / DRAGS_A_WORLD : 1, hash = 0;
    for (uint64_t i = 0; i < worlds; i++) {
        uint64_t one = hash_drags(i + 1);
        if (i == 0) { expect_hash("the first drags", one, first_drags_hash); }
        hash = fr_hash(&one, sizeof one, hash);
    }
    if (test_is_long()) { expect_hash("all drags", hash, all_drags_hash); }
}

// ---------------------------------------------------------------------------------------------------------------
// The piston

// Leads a part to a pose by a straight motion.
static void lead_to(hands_room *r, fr_object_id part, const fr_pose *to, int ticks, uint64_t *hash) {
    fr_pose from = pose_of(r, part);
    fr_motion motion = fr_motion_between(&from, to, fr_vec3_make(0, 0, 0));
    for (int i = 1; i <= ticks; i++) {
        fr_pose raw = fr_motion_pose(&motion, (double)i / ticks);
        assert_int_equal(fr_world_drag(r->world, part, &raw, NULL), FR_OK);
        hash_tick(r->world, hash);
    }
}

// Every part is lifted, brought over its place, put in, and let go; the last one is taken back and done again.
static void the_piston_is_put_together_as_it_was(void **state) {
    (void)state;
    hands_room r;
    open_demo(&r, DEMO_FOLDER, "piston.json");
    const fr_scene_view *view = fr_scene_get(r.scene);
    uint64_t hash = 0;
    hash_tick(r.world, &hash);
    for (uint32_t i = 0; i < view->fit_count; i++) {
        fr_object_id part = fr_world_find(r.world, view->fits[i].part.name);
        fr_pose goal = view->fits[i].part.place;
        goal.scale = pose_of(&r, part).scale;
        for (uint32_t k = view->fits[i].part.relative_to; k != FR_NONE; k = view->fits[k].part.relative_to) {
            fr_pose base = view->fits[k].part.place;
            base.scale = 1.0;
            goal = fr_pose_compose(&base, &goal);
        }
        fr_vec3 insertion = fr_pose_turn(&goal, view->fits[i].part.insertion);
        fr_pose up = pose_of(&r, part), before = goal, over;
        before.position = fr_vec3_add_scaled(goal.position, -0.15, insertion);
        over = before;
        up.position.y = over.position.y = 1.0;
        assert_int_equal(grab(&r, part, NULL), FR_OK);
        lead_to(&r, part, &up, 20, &hash);
        lead_to(&r, part, &over, 30, &hash);
        lead_to(&r, part, &before, 20, &hash);
        lead_to(&r, part, &goal, 60, &hash);
        assert_int_equal(fr_world_let_go(r.world, part, NULL), FR_OK);
        for (int k = 0; k < 30; k++) {
            hash_tick(r.world, &hash);
        }
        assert_true(fr_vec3_distance(pose_of(&r, part).position, goal.position) < 1e-6);
    }
    for (int again = 0; again < 2; again++) {
        assert_int_equal(fr_cast_undo(r.cast, again == 1, NULL), FR_OK);
        hash_tick(r.world, &hash);
    }
    close_room(&r);
    expect_hash("the piston", hash, piston_hash);
}

// ---------------------------------------------------------------------------------------------------------------
// The pilot

// A flight; after 40 ticks an object is held in its path for 60, and let go.
static uint64_t hash_flight(const char *demo, const char *obstacle, fr_vec3 place) {
    fr_scene *scene = demo_read(DEMO_FOLDER, demo);
    fr_world *world = demo_world(scene, DEMO_FOLDER, FR_SENSE_CONTINUOUS);
    fr_cast *cast;
    assert_int_equal(fr_scene_cast(scene, world, NULL, &cast, NULL), FR_OK);
    fr_object_id object = fr_world_find(world, obstacle);
    uint64_t hash = 0;
    for (int i = 0; i < 240; i++) {
        if (i >= 40 && i < 100) {
            fr_pose raw = fr_object_get(fr_world_space(world), object)->pose;
            raw.position = place;
            assert_int_equal(fr_world_drag(world, object, &raw, NULL), FR_OK);
        }
        if (i == 100) { assert_int_equal(fr_world_let_go(world, object, NULL), FR_OK); }
        if (i == 200) { assert_int_equal(fr_cast_begin(cast, NULL), FR_OK); }
        hash_tick(world, &hash);
    }
    fr_cast_destroy(cast);
    fr_world_destroy(world);
    fr_scene_destroy(scene);
    return hash;
}

static void the_pilot_flies_as_it_did(void **state) {
    (void)state;
    uint64_t window = hash_flight("window.json", "block", fr_vec3_make(0.9, 1.5, 0.1));
    expect_hash("window", window, window_hash);
    uint64_t traffic = hash_flight("traffic.json", "first", fr_vec3_make(0.25, 1.6, 0.0));
    expect_hash("traffic", traffic, traffic_hash);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drags_are_as_they_were),
        cmocka_unit_test(the_piston_is_put_together_as_it_was),
        cmocka_unit_test(the_pilot_flies_as_it_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
