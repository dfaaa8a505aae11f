// A way that is asked about with what is kept from earlier questions has the answer that it has without.
#include "collide/move.h"
#include "collide/scenes.h"
#include "frame.h"
#include "hand/parts.h"

enum { MOST = 4096, WAYS = 48 };
static fr_contact kept[MOST], plain[MOST];

// A gear in its housing, which stands anywhere and is larger or smaller.
typedef struct fit {
    fr_space *space;
    fr_mesh *meshes[2];
    fr_object_id housing;
    fr_pose frame; // of the housing
    fr_part_def part;
    fr__near_list *near;
    fr_random random;
} fit;

static double between(fit *f, double low, double high) { return low + (high - low) * fr_random_unit(&f->random); }

static fr_vec3 anywhere(fit *f, double most) {
    return fr_vec3_make(between(f, -most, most), between(f, -most, most), between(f, -most, most));
}

static void put_housing(fit *f) {
    assert_int_equal(fr_object_set_pose(f->space, f->housing, &f->frame, NULL), FR_OK);
    assert_int_equal(fr_space_update(f->space, NULL, NULL), FR_OK);
}

static void open_fit(fit *f, uint64_t seed) {
    memset(f, 0, sizeof *f);
    f->random = fr_random_seed(seed);
    f->meshes[0] = part_gear();
    f->meshes[1] = part_housing(5e-4);
    fr_space_def space = fr_default_space_def();
    assert_int_equal(fr_space_create(&space, &f->space, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = f->meshes[1];
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    f->frame = fr_pose_make(anywhere(f, 3.0), fr_quat_from_vector(anywhere(f, 2.0)));
    f->frame.scale = seed % 2 == 0 ? 1.0 : between(f, 0.5, 2.0);
    def.pose = f->frame;
    assert_int_equal(fr_object_add(f->space, &def, &f->housing, NULL), FR_OK);
    put_housing(f);
    f->part = fr_default_part_def();
    f->part.mesh = f->meshes[0];
    f->near = fr__near_list_create(NULL);
    assert_non_null(f->near);
}

static void close_fit(fit *f) {
    fr__near_list_destroy(f->near, NULL);
    fr_space_destroy(f->space);
    fr_mesh_release(f->meshes[0]);
    fr_mesh_release(f->meshes[1]);
}

// A pose of the gear near where it lies, in the world.
static fr_pose near_rest(fit *f, double way, double turn) {
    fr_vec3 at = fr_vec3_add(fr_vec3_make(0.0, 1e-5 + fabs(between(f, -way, way)), 0.0), anywhere(f, 0.1 * way));
    fr_pose local = fr_pose_make(at, fr_quat_from_vector(anywhere(f, turn)));
    return fr_pose_compose(&f->frame, &local);
}

// Whether anything is met.
static bool ask_both(fit *f, const fr_motion *motion, double margin, bool ends_at_start) {
    fr_move_input q = fr_default_move_input();
    q.space = f->space;
    q.parts = &f->part;
    q.part_count = 1;
    q.motion = *motion;
    q.margin = margin;
    q.tolerance = 1e-8;
    q.contacts = plain;
    q.capacity = MOST;
    fr_move_output expected, found;
    assert_int_equal(fr_collide_move(&q, &expected, NULL), FR_OK);
    q.contacts = kept;
    f->near->wait = 0; // a new list whenever it is worth one
    static fr__move_memory memory;
    const fr__move_options options = {.memory = &memory, .near = f->near, .ends_at_start = ends_at_start};
    assert_int_equal(fr__collide_move(&q, &options, &found, NULL), FR_OK);
    assert_true(found.is_hit == expected.is_hit && found.free_time == expected.free_time);
    if (ends_at_start && expected.is_hit && expected.free_time == 0.0) { return true; }
    assert_int_equal(found.contact_count, expected.contact_count);
    assert_int_equal(found.has_more, expected.has_more);
    assert_memory_equal(&found.first, &expected.first, sizeof found.first);
    assert_memory_equal(kept, plain, found.contact_count * sizeof kept[0]);
    return expected.is_hit;
}

// Ways of all lengths from poses nearby, a hand's mostly; now and then the housing is moved.
static void wander(uint64_t seed, int ways) {
    static const double margins[3] = {5e-6, 6e-7, 0.0}, lengths[4] = {1e-6, 1e-4, 6e-4, 2e-2};
    fit f;
    int served = 0;
    open_fit(&f, seed);
    for (int i = 0; i < ways; i++) {
        double way = lengths[i % 7 == 6 ? 3 : i % 3], turn = 10.0 * way < 0.03 ? 10.0 * way : 0.03;
        bool is_flat = i / 8 % 2 == 0;
        fr_pose from = near_rest(&f, is_flat ? 0.0 : 1e-4, is_flat ? 0.0 : 1e-4), to = from;
        fr_vec3 step = anywhere(&f, way), spin = anywhere(&f, turn);
        if (is_flat) { step.y = spin.x = spin.z = 0.0; }
        to.position = fr_vec3_add(to.position, fr_pose_turn(&f.frame, step));
        to.rotation = fr_quat_multiply(fr_quat_from_vector(fr_pose_turn(&f.frame, spin)), to.rotation);
        fr_motion motion = fr_motion_between(&from, &to, anywhere(&f, 0.02));
        served += f.near->is_known ? 1 : 0;
        ask_both(&f, &motion, margins[i % 3], i % 4 == 3);
        if (i % 16 == 15) {
            f.frame.position = fr_vec3_add(f.frame.position, anywhere(&f, i % 32 == 31 ? 1.0 : 1e-4));
            put_housing(&f);
        }
    }
    assert_true(3 * served > ways);
    close_fit(&f);
}

static void what_is_kept_changes_no_answer(void **state) {
    (void)state;
    uint64_t count = test_count(2, 200);
    for (uint64_t seed = 0; seed < count; seed++) {
        assert_true(seed % 2 == 0 ? fr_simd_set(FR_SIMD_BASELINE) : fr_simd_set(fr_simd_best()));
        wander(seed, WAYS);
    }
    assert_true(fr_simd_set(fr_simd_best()));
}

// Flakes of a few millimetres, anywhere in a slab.
static fr_mesh *make_flakes(fr_random *random, double low, double high) {
    part_builder b = part_begin(12000, 4000);
    for (uint32_t i = 0; i < 4000; i++) {
        fr_vec3 at = fr_vec3_make(0.0, fr_random_between(random, low, high), 0.0);
        at.x = fr_random_between(random, -0.04, 0.04);
        at.z = fr_random_between(random, -0.04, 0.04);
        for (uint32_t k = 0; k < 3; k++) {
            fr_vec3 corner = fr_vec3_add(at, scene_point(random, 2e-3));
            part_vertex(&b, corner.x, corner.y, corner.z);
        }
        part_triangle(&b, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return part_end(&b);
}

// Two slabs of flakes come together over and over, by less than a list reaches: any two of them may be the first.
static void nothing_that_comes_near_is_left_out(void **state) {
    (void)state;
    uint64_t count = test_count(1, 40), served = 0, hits = 0;
    for (uint64_t seed = 0; seed < count; seed++) {
        fit f = {.random = fr_random_seed(500 + seed), .frame = fr_pose_identity()};
        f.meshes[0] = make_flakes(&f.random, 2.2e-3, 3e-3);
        f.meshes[1] = make_flakes(&f.random, -3e-3, -2.2e-3);
        f.space = scene_space();
        f.housing = scene_add(f.space, f.meshes[1], &f.frame, 0);
        put_housing(&f);
        f.part = fr_default_part_def();
        f.part.mesh = f.meshes[0];
        f.near = fr__near_list_create(NULL);
        assert_non_null(f.near);
        for (int i = 0; i < 60; i++) {
            fr_pose from = fr_pose_make(anywhere(&f, 4e-4), fr_quat_from_vector(anywhere(&f, 2e-3))), to = from;
            from.position.y -= i % 20 * 3e-5;
            to.position = fr_vec3_add(from.position, fr_vec3_add(anywhere(&f, 5e-4), fr_vec3_make(0.0, -5e-4, 0.0)));
            fr_motion motion = fr_motion_between(&from, &to, anywhere(&f, 0.02));
            uint32_t uses = f.near->uses;
            hits += ask_both(&f, &motion, 1e-5, false) ? 1 : 0;
            served += f.near->uses > uses ? 1 : 0;
        }
        close_fit(&f);
    }
    assert_true(served > 10 * count && hits > 5 * count && hits < 55 * count);
}

// Another object in the place of the one that the list is about.
static void what_is_kept_is_of_one_object(void **state) {
    (void)state;
    fit f;
    open_fit(&f, 3);
    fr_pose from = near_rest(&f, 0.0, 0.0), to = from;
    to.position = fr_vec3_add(to.position, fr_pose_turn(&f.frame, fr_vec3_make(1e-4, 0.0, 1e-4)));
    fr_motion motion = fr_motion_between(&from, &to, fr_vec3_make(0.0, 0.0, 0.0));
    ask_both(&f, &motion, 5e-6, false);
    assert_true(f.near->is_known && f.near->count > 0);
    assert_int_equal(fr_object_remove(f.space, f.housing, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = f.meshes[0];
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose = f.frame;
    assert_int_equal(fr_object_add(f.space, &def, &f.housing, NULL), FR_OK);
    put_housing(&f);
    for (int i = 0; i < 3; i++) {
        ask_both(&f, &motion, 5e-6, false);
    }
    close_fit(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_changes_no_answer),
        cmocka_unit_test(nothing_that_comes_near_is_left_out),
        cmocka_unit_test(what_is_kept_is_of_one_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
