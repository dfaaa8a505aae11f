// Mirrored postures: twice is the same again, and the links are where a mirror shows them.
#include "failing.h"
#include "frame.h"
#include "fureai/human.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

static fr_vec3 reflected(fr_vec3 v) { return fr_vec3_make(-v.x, v.y, v.z); }

static bool same_quat(fr_quat a, fr_quat b) { return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z; }

// The rule of the thesis: relative turns (w, x, y, z) become (w, -x, y, -z) of the link on the other side.
static void follows_the_rule_of_the_thesis(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    fr_random random = fr_random_seed(1);
    fr_quat turns[FR_LINK_COUNT], mirrored[FR_LINK_COUNT];
    fr_posture from = {.turns = turns, .count = FR_LINK_COUNT}, to = {.turns = mirrored, .count = FR_LINK_COUNT};
    random_posture(&random, 3.0, &from);
    from.contact_left = FR_CONTACT_HEEL;
    from.contact_right = FR_CONTACT_TOE;
    assert_int_equal(fr_posture_mirror(body, &from, &to, NULL), FR_OK);
    for (uint32_t i = 1; i < FR_LINK_COUNT; i++) {
        fr_quat q = turns[fr_skeleton_get(body)->partners[i]], expected = {q.w, -q.x, q.y, -q.z};
        assert_true(same_quat(mirrored[i], expected));
    }
    assert_true(fr_vec3_equal(to.place, reflected(from.place)));
    assert_int_equal(to.contact_left, FR_CONTACT_TOE);
    assert_int_equal(to.contact_right, FR_CONTACT_HEEL);

    // Upright is its own mirror image.
    assert_int_equal(fr_posture_rest(body, &from, NULL), FR_OK);
    assert_int_equal(fr_posture_mirror(body, &from, &to, NULL), FR_OK);
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        assert_true(same_quat(mirrored[i], turns[i]));
    }
    from.count--;
    assert_int_equal(fr_posture_mirror(body, &from, &to, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_posture_mirror(body, &to, &from, NULL), FR_ERROR_ARGUMENT);
    fr_skeleton_release(body);
}

// Every axis of every link points to where the mirror shows that of its partner; its y axis, which goes across, to the
// opposite.
static void check_reflection(const fr_skeleton *body, const fr_pose *from, const fr_pose *to) {
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        uint32_t partner = fr_skeleton_get(body)->partners[i];
        assert_true(fr_vec3_distance(to[i].position, reflected(from[partner].position)) <= 1e-12);
        for (int axis = 0; axis < 3; axis++) {
            fr_vec3 unit = {axis == 0, axis == 1, axis == 2};
            fr_vec3 shown = reflected(fr_pose_turn(&from[partner], unit)), own = fr_pose_turn(&to[i], unit);
            if (axis == 1) { shown = fr_vec3_negate(shown); }
            assert_true(fr_vec3_distance(shown, own) <= 1e-12);
        }
    }
}

static void is_what_a_mirror_shows(void **state) {
    (void)state;
    fr_skeleton *body = default_body();
    fr_random random = fr_random_seed(2);
    fr_quat turns[FR_LINK_COUNT], mirrored[FR_LINK_COUNT], again[FR_LINK_COUNT];
    fr_posture from = {.turns = turns, .count = FR_LINK_COUNT}, to = {.turns = mirrored, .count = FR_LINK_COUNT};
    fr_posture back = {.turns = again, .count = FR_LINK_COUNT};
    fr_pose a[FR_LINK_COUNT], b[FR_LINK_COUNT];
    uint64_t count = test_count(1000, 10000);
    for (uint64_t i = 0; i < count; i++) {
        random_posture(&random, 3.0, &from);
        assert_int_equal(fr_posture_mirror(body, &from, &to, NULL), FR_OK);
        assert_int_equal(fr_posture_poses(body, &from, 1, a, NULL), FR_OK);
        assert_int_equal(fr_posture_poses(body, &to, 1, b, NULL), FR_OK);
        check_reflection(body, a, b);
        assert_int_equal(fr_posture_mirror(body, &to, &back, NULL), FR_OK);
        assert_memory_equal(again, turns, sizeof turns);
        assert_memory_equal(&back.place, &from.place, sizeof from.place);
        // In place.
        assert_int_equal(fr_posture_mirror(body, &from, &from, NULL), FR_OK);
        assert_memory_equal(turns, mirrored, sizeof turns);
    }
    fr_skeleton_release(body);
}

// A skeleton with frames of the world, as BVH files have them, and one with other frames on every link.
static void mirrors_other_skeletons(void **state) {
    (void)state;
    enum { LINKS = 7 };
    const char *const names[LINKS] = {"Hips", "LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg", "Spine", "Tail"};
    const uint32_t parents[LINKS] = {FR_NO_LINK, 0, 1, 0, 3, 0, 1};
    const fr_vec3 offsets[LINKS] = {{0, 1, 0},        {0.1, -0.1, 0.02}, {0.03, -0.4, 0}, {-0.1, -0.1, 0.02},
                                    {-0.03, -0.4, 0}, {0, 0.3, 0.1},     {0, 0.1, 0.1}};
    fr_skeleton_def def = fr_default_skeleton_def();
    def.link_count = LINKS;
    def.names = names;
    def.parents = parents;
    def.offsets = offsets;
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create(&def, &skeleton, NULL), FR_OK);
    assert_int_equal(fr_skeleton_get(skeleton)->partners[6], FR_NO_LINK);
    fr_random random = fr_random_seed(3);
    fr_quat turns[LINKS], mirrored[LINKS], again[LINKS];
    fr_pose a[LINKS], b[LINKS];
    fr_posture from = {.turns = turns, .count = LINKS}, to = {.turns = mirrored, .count = LINKS};
    fr_posture back = {.turns = again, .count = LINKS};
    random_posture(&random, 3.0, &from);
    assert_int_equal(fr_posture_mirror(skeleton, &from, &to, NULL), FR_OK);
    assert_int_equal(fr_posture_mirror(skeleton, &to, &back, NULL), FR_OK);
    assert_int_equal(fr_posture_poses(skeleton, &from, 1, a, NULL), FR_OK);
    assert_int_equal(fr_posture_poses(skeleton, &to, 1, b, NULL), FR_OK);
    for (uint32_t i = 0; i < LINKS - 1; i++) {
        assert_true(same_quat(again[i], turns[i]));
        uint32_t partner = fr_skeleton_get(skeleton)->partners[i];
        assert_true(fr_vec3_distance(b[i].position, reflected(a[partner].position)) <= 1e-12);
    }
    assert_true(same_quat(mirrored[6], turns[6]));
    fr_skeleton_release(skeleton);

    // Frames at random: the same body, seen in other frames, goes to the same places.
    fr_quat frames[LINKS], rests[LINKS], seen[LINKS];
    fr_vec3 seen_offsets[LINKS];
    for (uint32_t i = 0; i < LINKS; i++) {
        frames[i] = random_turn(&random);
        fr_quat parent = i == 0 ? fr_quat_identity() : frames[parents[i]];
        fr_pose undo = fr_pose_make(fr_vec3_make(0, 0, 0), fr_quat_conjugate(parent));
        rests[i] = fr_quat_multiply(fr_quat_conjugate(parent), frames[i]);
        seen[i] = fr_quat_multiply(fr_quat_conjugate(parent), fr_quat_multiply(turns[i], frames[i]));
        seen_offsets[i] = fr_pose_turn(&undo, offsets[i]);
    }
    def.rests = rests;
    def.offsets = seen_offsets;
    assert_int_equal(fr_skeleton_create(&def, &skeleton, NULL), FR_OK);
    fr_posture other = {.place = from.place, .turns = seen, .count = LINKS};
    assert_int_equal(fr_posture_mirror(skeleton, &other, &other, NULL), FR_OK);
    assert_int_equal(fr_posture_poses(skeleton, &other, 1, a, NULL), FR_OK);
    for (uint32_t i = 0; i < LINKS - 1; i++) {
        assert_true(fr_vec3_distance(b[i].position, a[i].position) <= 1e-12);
    }
    fr_skeleton_release(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_the_rule_of_the_thesis),
        cmocka_unit_test(is_what_a_mirror_shows),
        cmocka_unit_test(mirrors_other_skeletons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
