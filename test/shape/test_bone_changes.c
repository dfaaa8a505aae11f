// Bones in the frames of their parents: what is taken over, against poses composed in long double, and when.
#include "frame.h"
#include "fureai/shape.h"
#include "random_vector.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define MAX_BONES 37
#define MAX_GROUPS ((MAX_BONES + 3) / 4)
#define SAME_TURN 1e-6
#define SAME_PLACE 1e-6
#define SAME_SCALE 1e-6

typedef struct skeleton {
    uint32_t count, parents[MAX_BONES];
    fr_pose bones[MAX_BONES];
} skeleton;

static fr_pose any_pose(fr_random *random, bool has_scale) {
    fr_vec3 place = random_about(random, 2.0);
    fr_pose pose = fr_pose_make(place, fr_quat_from_vector(random_about(random, 3.0)));
    if (has_scale) { pose.scale = fr_random_between(random, 0.5, 2.0); }
    return pose;
}

// A parent may come after its bone; some bones have none, some name one that is not there.
static skeleton any_skeleton(fr_random *random) {
    skeleton s = {.count = 1 + (uint32_t)fr_random_below(random, MAX_BONES)};
    bool has_scale = fr_random_below(random, 2) == 0;
    for (uint32_t i = 0; i < s.count; i++) {
        uint32_t draw = (uint32_t)fr_random_below(random, 2 * s.count);
        s.parents[i] = draw == i ? FR_NONE : draw;
        s.bones[i] = any_pose(random, has_scale);
    }
    return s;
}

static bool take(const skeleton *s, uint32_t stamp, fr_bone_group *groups) {
    fr_bone_changes_input input = fr_default_bone_changes_input();
    input.bones = s->bones;
    input.parents = s->parents;
    input.bone_count = s->count;
    input.stamp = stamp;
    input.same_turn = SAME_TURN;
    input.same_place = SAME_PLACE;
    input.same_scale = SAME_SCALE;
    fr_bone_changes_output output = {.groups = groups};
    assert_int_equal(fr_bone_changes(&input, &output, NULL), FR_OK);
    return output.is_changed;
}

// ---------------------------------------------------------------------------------------------------------------
// What a bone is in the frame of its parent, in long double

typedef struct local {
    long double turn[4], place[4];
} local;

static void multiply(const long double a[4], const long double b[4], long double out[4]) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

static local local_of(const skeleton *s, uint32_t bone) {
    const fr_pose *own = &s->bones[bone];
    local result = {{own->rotation.w, own->rotation.x, own->rotation.y, own->rotation.z},
                    {own->position.x, own->position.y, own->position.z, own->scale}};
    if (s->parents[bone] >= s->count) { return result; }
    const fr_pose *parent = &s->bones[s->parents[bone]];
    const long double p[4] = {parent->rotation.w, parent->rotation.x, parent->rotation.y, parent->rotation.z};
    const long double back[4] = {p[0], -p[1], -p[2], -p[3]};
    const long double apart[4] = {0.0L, result.place[0] - parent->position.x, result.place[1] - parent->position.y,
                                  result.place[2] - parent->position.z};
    long double turn[4], half[4], turned[4];
    multiply(back, result.turn, turn);
    memcpy(result.turn, turn, sizeof turn);
    multiply(back, apart, half);
    multiply(half, p, turned);
    for (int k = 0; k < 3; k++) {
        result.place[k] = turned[k + 1] / parent->scale;
    }
    result.place[3] /= parent->scale;
    return result;
}

static void expect_taken(const skeleton *s, const fr_bone_group *groups, uint32_t stamp) {
    for (uint32_t i = 0; i < s->count; i++) {
        const fr_bone_group *group = &groups[i / 4];
        local expected = local_of(s, i);
        for (int k = 0; k < 4; k++) {
            assert_true(fabsl(group->turn[k][i % 4] - expected.turn[k]) < 1e-7L);
            assert_true(fabsl(group->place[k][i % 4] - expected.place[k]) < 1e-6L * (1.0L + fabsl(expected.place[k])));
        }
        assert_int_equal(group->turned[i % 4], stamp);
        assert_int_equal(group->placed[i % 4], stamp);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Tests

static void refuses_what_is_missing(void **state) {
    (void)state;
    fr_bone_changes_input input = fr_default_bone_changes_input();
    fr_bone_changes_output output = {.groups = NULL};
    assert_int_equal(fr_bone_changes(&input, &output, NULL), FR_OK);
    assert_false(output.is_changed);
    input.bone_count = 1;
    assert_int_equal(fr_bone_changes(&input, &output, NULL), FR_ERROR_ARGUMENT);
    input.cookie = 0;
    assert_int_equal(fr_bone_changes(&input, &output, NULL), FR_ERROR_ARGUMENT);
}

static void new_bones_are_all_taken(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2411);
    for (uint64_t i = 0; i < test_count(5000, 200000); i++) {
        skeleton s = any_skeleton(&random);
        fr_bone_group groups[MAX_GROUPS + 1];
        memset(groups, 0, sizeof groups);
        assert_true(take(&s, 7, groups));
        expect_taken(&s, groups, 7);
        // Lanes and groups beyond the last bone stay.
        for (uint32_t k = s.count; k < 4 * (MAX_GROUPS + 1); k++) {
            assert_int_equal(groups[k / 4].turned[k % 4], 0);
            assert_int_equal(groups[k / 4].placed[k % 4], 0);
        }
        assert_false(take(&s, 8, groups));
        expect_taken(&s, groups, 7);
    }
}

// The whole body moves and turns: nothing changes in the parents' frames but bones without a parent.
static void a_rigid_motion_changes_the_roots_alone(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2412);
    for (int i = 0; i < 2000; i++) {
        skeleton s = any_skeleton(&random);
        fr_bone_group groups[MAX_GROUPS];
        memset(groups, 0, sizeof groups);
        (void)take(&s, 1, groups);
        fr_pose motion = any_pose(&random, false);
        for (uint32_t k = 0; k < s.count; k++) {
            s.bones[k] = fr_pose_compose(&motion, &s.bones[k]);
        }
        (void)take(&s, 2, groups);
        for (uint32_t k = 0; k < s.count; k++) {
            bool is_root = s.parents[k] >= s.count;
            assert_int_equal(groups[k / 4].turned[k % 4], is_root ? 2 : 1);
            assert_int_equal(groups[k / 4].placed[k % 4], is_root ? 2 : 1);
        }
    }
}

// A change a little above the tolerance is taken, one a little below it is not, and the opposite turn is the same.
static void tolerances_are_kept(void **state) {
    (void)state;
    fr_pose at = fr_pose_make(fr_vec3_make(0.5, 0.25, 1.0), fr_quat_identity());
    at.scale = 2.0;
    for (int number = 0; number < 6; number++) {
        for (int is_above = 0; is_above < 2; is_above++) {
            skeleton s = {.count = 1, .parents = {FR_NONE}, .bones = {at}};
            fr_bone_group group = {.turned = {0}};
            (void)take(&s, 1, &group);
            double step = is_above ? 1.01 : 0.99;
            double *positions[3] = {&s.bones[0].position.x, &s.bones[0].position.y, &s.bones[0].position.z};
            if (number < 3) { *positions[number] += step * SAME_PLACE; }
            if (number == 3) { s.bones[0].scale *= 1.0 + step * SAME_SCALE; }
            if (number >= 4) { s.bones[0].rotation.x = step * SAME_TURN; }
            if (number == 5) { s.bones[0].rotation.w = -1.0; }
            if (number == 5) { s.bones[0].rotation.x = -s.bones[0].rotation.x; }
            assert_int_equal(take(&s, 2, &group), is_above);
            assert_int_equal(group.turned[0], is_above && number >= 4 ? 2 : 1);
            assert_int_equal(group.placed[0], is_above && number < 4 ? 2 : 1);
        }
    }
}

// Numbers beyond the floats are taken as the largest, and a root keeps the sign of a zero.
static void extremes_are_taken(void **state) {
    (void)state;
    fr_pose far = fr_pose_make(fr_vec3_make(1e60, -1e60, -0.0), fr_quat_identity());
    skeleton s = {.count = 1, .parents = {5}, .bones = {far}};
    fr_bone_group group = {.turned = {0}};
    assert_true(take(&s, 1, &group));
    assert_true(group.place[0][0] == 3.4e38f && group.place[1][0] == -3.4e38f);
    assert_true(group.place[2][0] == 0.0f && signbit(group.place[2][0]));
}

static void every_instruction_set_gives_the_same_bits(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2413);
    fr_simd best = fr_simd_best();
    for (uint64_t i = 0; i < test_count(5000, 200000); i++) {
        skeleton s = any_skeleton(&random);
        fr_bone_group groups[2][MAX_GROUPS];
        memset(groups, 0, sizeof groups);
        for (uint32_t stamp = 1; stamp < 4; stamp++) {
            bool is_changed[2];
            for (int k = 0; k < 2; k++) {
                assert_true(fr_simd_set(k == 0 ? FR_SIMD_BASELINE : best));
                is_changed[k] = take(&s, stamp, groups[k]);
            }
            assert_int_equal(is_changed[0], is_changed[1]);
            assert_memory_equal(groups[0], groups[1], sizeof groups[0]);
            fr_pose *some = &s.bones[fr_random_below(&random, s.count)];
            some->position.x += fr_random_between(&random, -2e-6, 2e-6);
            some->scale *= 1.0 + fr_random_between(&random, -2e-6, 2e-6);
            some->rotation.y += fr_random_between(&random, -2e-6, 2e-6);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_missing),
        cmocka_unit_test(new_bones_are_all_taken),
        cmocka_unit_test(a_rigid_motion_changes_the_roots_alone),
        cmocka_unit_test(tolerances_are_kept),
        cmocka_unit_test(extremes_are_taken),
        cmocka_unit_test(every_instruction_set_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
