// BVH read and written: against matrices for every order of channels, out and in again, and hostile files.
#include "failing.h"

#include "bvh_text.h"
#include "random_posture.h"

#include <math.h>
#include <stdio.h>

static const char sample[] = "HIERARCHY\n"
                             "ROOT Hips\n"
                             "{\n"
                             "  OFFSET 0 0 0\n"
                             "  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
                             "  JOINT Spine One\n"
                             "  {\n"
                             "    OFFSET 0 40 0\n"
                             "    CHANNELS 3 Xrotation Zrotation Yrotation\n"
                             "    End Site\n"
                             "    {\n"
                             "      OFFSET 0 80 10\n"
                             "    }\n"
                             "  }\n"
                             "}\n"
                             "MOTION\n"
                             "Frames: 3\n"
                             "Frame Time: 0.01\n"
                             "0 90 0 0 0 0 0 0 0\n"
                             "1 91 2 10 20 30 40 50 60\n"
                             "2 92 4 -10 -20 -30 -40 -50 -60\n";

// ---------------------------------------------------------------------------------------------------------------
// Reading

static void reads_what_the_text_says(void **state) {
    (void)state;
    fr_skeleton *skeleton;
    fr_clip *clip;
    fr_bvh_facts facts;
    fr_error error;
    assert_int_equal(bvh_text_read(sample, strlen(sample), 0.0, &skeleton, &clip, &facts, &error), FR_OK);
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    assert_int_equal(view->link_count, 2);
    assert_string_equal(view->names[1], "Spine One");
    assert_int_equal(view->roles[FR_LINK_HIP], 0);
    assert_int_equal(facts.joint_count, 2);
    assert_int_equal(facts.channel_count, 9);
    assert_int_equal(facts.declared_frames, 3);
    assert_near(facts.unit, 0.01, 0.0); // 120 units are a person in centimetres
    assert_near(facts.height, 1.2, 1e-12);
    assert_near(view->offsets[1].y, 0.4, 1e-12);
    assert_near(view->tips[1].z, 0.1, 1e-12);
    const fr_clip_view *motion = fr_clip_get(clip);
    assert_int_equal(motion->frame_count, 3);
    assert_near(motion->frame_rate, 100.0, 1e-9);

    fr_quat turns[2];
    fr_posture posture = {.turns = turns, .count = 2};
    assert_int_equal(fr_clip_frame(clip, 1, &posture, NULL), FR_OK);
    assert_near(posture.place.y, 0.91, 1e-7);
    const fr_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    fr_quat hips = fr_quat_multiply(
        fr_quat_multiply(fr_quat_from_axis_angle(z, fr_radians(10.0)), fr_quat_from_axis_angle(y, fr_radians(20.0))),
        fr_quat_from_axis_angle(x, fr_radians(30.0)));
    fr_quat spine = fr_quat_multiply(
        fr_quat_multiply(fr_quat_from_axis_angle(x, fr_radians(40.0)), fr_quat_from_axis_angle(z, fr_radians(50.0))),
        fr_quat_from_axis_angle(y, fr_radians(60.0)));
    fr_quat wanted[2] = {hips, spine};
    for (int i = 0; i < 2; i++) {
        fr_vec3 off = fr_quat_to_vector(fr_quat_multiply(turns[i], fr_quat_conjugate(wanted[i])));
        assert_true(fr_vec3_length(off) < 1e-6);
    }
    fr_clip_release(clip);
    fr_skeleton_release(skeleton);
}

static void compare_frames(const fr_skeleton *skeleton, const fr_clip *clip, const fr_skeleton *other,
                           const fr_clip *back) {
    static fr_quat a_turns[FR_MAX_LINKS], b_turns[FR_MAX_LINKS];
    static fr_pose a_poses[FR_MAX_LINKS], b_poses[FR_MAX_LINKS];
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    fr_posture a = {.turns = a_turns, .count = view->link_count}, b = {.turns = b_turns, .count = view->link_count};
    for (uint32_t frame = 0; frame < fr_clip_get(clip)->frame_count; frame++) {
        assert_int_equal(fr_clip_frame(clip, frame, &a, NULL), FR_OK);
        assert_int_equal(fr_clip_frame(back, frame, &b, NULL), FR_OK);
        assert_int_equal(fr_posture_poses(skeleton, &a, 1, a_poses, NULL), FR_OK);
        assert_int_equal(fr_posture_poses(other, &b, 1, b_poses, NULL), FR_OK);
        for (uint32_t i = 0; i < view->link_count; i++) {
            uint32_t k = fr_skeleton_find(other, view->names[i], strlen(view->names[i]));
            assert_true(k != FR_NO_LINK);
            fr_vec3 off = fr_quat_to_vector(fr_quat_multiply(a_turns[i], fr_quat_conjugate(b_turns[k])));
            assert_true(fr_degrees(fr_vec3_length(off)) < 1e-4);
            assert_true(fr_vec3_distance(a_poses[i].position, b_poses[k].position) < 1e-5);
        }
    }
}

// What is written reads back to the same poses of all links, for any tree.
static void out_and_in_again(void **state) {
    (void)state;
    fr_random random = fr_random_seed(1);
    for (uint32_t round = 0; round < test_count(12, 200); round++) {
        static random_tree tree;
        static fr_quat turns[7 * FR_MAX_LINKS];
        fr_vec3 places[7];
        uint32_t links = round % 12 == 11 ? FR_MAX_LINKS : 1 + (uint32_t)fr_random_below(&random, 60);
        fr_skeleton_def def = random_skeleton_def(&random, links, &tree);
        fr_skeleton *skeleton, *other;
        assert_int_equal(fr_skeleton_create(&def, &skeleton, NULL), FR_OK);
        for (uint32_t i = 0; i < 7; i++) {
            places[i] = random_about(&random, 3.0);
        }
        for (uint32_t i = 0; i < 7 * links; i++) {
            turns[i] = random_turn(&random);
            if (i % 5 == 0) { turns[i] = fr_quat_from_axis_angle((fr_vec3){0, 1, 0}, 0.5 * FR_PI); } // gimbal lock
        }
        fr_clip_def clip_def = fr_default_clip_def();
        clip_def.frame_count = 7;
        clip_def.link_count = links;
        clip_def.places = places;
        clip_def.turns = turns;
        clip_def.frame_rate = 120.0;
        fr_clip *clip, *back;
        assert_int_equal(fr_clip_create(&clip_def, &clip, NULL), FR_OK);
        bvh_text text = {0};
        assert_int_equal(fr_bvh_write(skeleton, clip, 100.0, bvh_text_add, &text, NULL), FR_OK);
        fr_bvh_facts facts;
        fr_error error;
        assert_int_equal(bvh_text_read(text.bytes, text.size, 0.01, &other, &back, &facts, &error), FR_OK);
        assert_int_equal(facts.joint_count, links);
        assert_near(fr_clip_get(back)->frame_rate, 120.0, 1e-9);

        compare_frames(skeleton, clip, other, back);

        // A writer that is refused says so, wherever.
        bvh_text refused = {.fail_at = 1 + fr_random_below(&random, text.size - 1)};
        assert_int_equal(fr_bvh_write(skeleton, clip, 100.0, bvh_text_add, &refused, &error), FR_ERROR_FILE);
        free(refused.bytes);
        free(text.bytes);
        fr_clip_release(clip);
        fr_clip_release(back);
        fr_skeleton_release(skeleton);
        fr_skeleton_release(other);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Bad files

typedef struct bad {
    const char *from, *to; // the text of the sample in which one thing is replaced
    fr_status status;
    int line;
    const char *says;
} bad;

static void bad_files_say_where(void **state) {
    (void)state;
    static const bad table[] = {
        {"HIERARCHY", "HIERACHY", FR_ERROR_SYNTAX, 1, "begins with HIERARCHY"},
        {"ROOT", "JOINT", FR_ERROR_SYNTAX, 2, "ROOT is missing"},
        {"Spine One", "", FR_ERROR_SYNTAX, 6, "name of a joint is missing"},
        {"Spine One", "Hips", FR_ERROR_SYNTAX, 6, "two joints"},
        {"OFFSET 0 40 0", "OFFSET 0 nan 0", FR_ERROR_SYNTAX, 8, "not finite"},
        {"OFFSET 0 40 0", "OFFSET 0 1e400 0", FR_ERROR_SYNTAX, 8, "not finite"},
        {"OFFSET 0 40 0", "OFFSET 0 40", FR_ERROR_SYNTAX, 9, "number is missing"},
        {"OFFSET 0 40 0", "OFFSET 0 4O 0", FR_ERROR_SYNTAX, 8, "no number"},
        {"CHANNELS 3", "CHANNELS 7", FR_ERROR_SYNTAX, 9, "0 to 6"},
        {"CHANNELS 3", "CHANNELS -1", FR_ERROR_SYNTAX, 9, "0 to 6"},
        {"3 Xrotation Zrotation", "3 Xrotation Xrotation", FR_ERROR_SYNTAX, 9, "twice"},
        {"3 Xrotation Zrotation", "3 Xrotation Wrotation", FR_ERROR_SYNTAX, 9, "Xposition"},
        {"MOTION", "}", FR_ERROR_SYNTAX, 16, "MOTION"},
        {"Frames: 3", "Frames: x", FR_ERROR_SYNTAX, 17, "number is missing"},
        {"Frame Time: 0.01", "Frame Time: 0", FR_ERROR_SYNTAX, 18, "lasts"},
        {"Frame Time: 0.01", "Frame Time: -1", FR_ERROR_SYNTAX, 18, "lasts"},
        {"-50 -60\n", "-50\n", FR_ERROR_SYNTAX, 22, "ends early"},
        {"-50 -60\n", "-50 inf\n", FR_ERROR_SYNTAX, 21, "not finite"},
        {"-50 -60\n", "-50 1e9\n", FR_ERROR_SYNTAX, 21, "angle is too large"},
        {"-50 -60\n", "-50 -60 1\n", FR_ERROR_SYNTAX, 22, "ends early"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char text[2048];
        const char *found = strstr(sample, table[i].from);
        assert_non_null(found);
        int size = snprintf(text, sizeof text, "%.*s%s%s", (int)(found - sample), sample, table[i].to,
                            found + strlen(table[i].from));
        fr_skeleton *skeleton;
        fr_clip *clip;
        fr_error error;
        fr_status status = bvh_text_read(text, (size_t)size, 0.0, &skeleton, &clip, NULL, &error);
        if (status != table[i].status || error.line != table[i].line || strstr(error.message, table[i].says) == NULL) {
            fail_msg("%s -> %s: status %d, %d:%d: %s", table[i].from, table[i].to, status, error.line, error.column,
                     error.message);
        }
        assert_null(skeleton);
        assert_null(clip);
    }
}

// Cut at every byte: an error, or the frames that are whole.
static void cut_anywhere(void **state) {
    (void)state;
    size_t whole = strlen(sample);
    for (size_t size = 0; size < whole; size++) {
        char *copy = malloc(size + 1); // of its exact size, for the sanitizer
        memcpy(copy, sample, size);
        char *exact = realloc(copy, size > 0 ? size : 1);
        fr_skeleton *skeleton;
        fr_clip *clip;
        fr_status status = bvh_text_read(exact, size, 0.0, &skeleton, &clip, NULL, NULL);
        assert_int_equal(status == FR_OK, clip != NULL);
        fr_clip_release(clip);
        fr_skeleton_release(skeleton);
        free(exact);
    }
}

static void many_joints_are_refused(void **state) {
    (void)state;
    bvh_text text = {0};
    const char *head = "HIERARCHY ROOT r { OFFSET 0 0 0 CHANNELS 0\n";
    bvh_text_add(head, strlen(head), &text);
    for (int i = 0; i < 100000; i++) {
        char line[64];
        int size = snprintf(line, sizeof line, "JOINT j%d\n{ OFFSET 0 1 0\n", i);
        bvh_text_add(line, (size_t)size, &text);
    }
    fr_skeleton *skeleton;
    fr_clip *clip;
    fr_error error;
    assert_int_equal(bvh_text_read(text.bytes, text.size, 0.0, &skeleton, &clip, NULL, &error), FR_ERROR_LIMIT);
    assert_true(error.line > 0);
    free(text.bytes);
}

// A declared number of frames costs nothing until they are there.
static void declared_frames_are_not_believed(void **state) {
    (void)state;
    char text[2048];
    const char *found = strstr(sample, "Frames: 3");
    int size = snprintf(text, sizeof text, "%.*sFrames: 4000000000%s", (int)(found - sample), sample,
                        found + strlen("Frames: 3"));
    fr_probe *probe = fr_probe_create();
    fr_bvh_input input = fr_default_bvh_input();
    input.text = text;
    input.size = (size_t)size;
    input.allocator = fr_probe_allocator(probe);
    fr_skeleton *skeleton;
    fr_clip *clip;
    fr_bvh_facts facts;
    assert_int_equal(fr_bvh_read(&input, &skeleton, &clip, &facts, NULL), FR_OK);
    assert_int_equal(facts.declared_frames, 4000000000u);
    assert_int_equal(fr_clip_get(clip)->frame_count, 3);
    fr_clip_release(clip);
    fr_skeleton_release(skeleton);
    assert_true(fr_probe_get(probe).peak_bytes < 100000);
    fr_probe_destroy(probe);
}

static bool stop_at_once(void *user) {
    (void)user;
    return true;
}

static void bad_calls_are_refused(void **state) {
    (void)state;
    fr_bvh_input input = {0};
    fr_skeleton *skeleton;
    fr_clip *clip;
    fr_error error;
    assert_int_equal(fr_bvh_read(&input, &skeleton, &clip, NULL, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(bvh_text_read(sample, strlen(sample), -1.0, &skeleton, &clip, NULL, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(bvh_text_read(NULL, 0, 0.0, &skeleton, &clip, NULL, &error), FR_ERROR_SYNTAX);
    const fr_control control = {.stop = stop_at_once};
    input = fr_default_bvh_input();
    input.text = sample;
    input.size = strlen(sample);
    input.control = &control;
    assert_int_equal(fr_bvh_read(&input, &skeleton, &clip, NULL, &error), FR_ERROR_STOPPED);
    assert_int_equal(bvh_text_read(sample, strlen(sample), 0.0, &skeleton, &clip, NULL, NULL), FR_OK);
    bvh_text text = {0};
    assert_int_equal(fr_bvh_write(skeleton, clip, 0.0, bvh_text_add, &text, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_bvh_write(skeleton, clip, NAN, bvh_text_add, &text, &error), FR_ERROR_ARGUMENT);
    fr_clip_release(clip);
    fr_skeleton_release(skeleton);
}

static fr_status make(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_bvh_input input = fr_default_bvh_input();
    input.text = sample;
    input.size = strlen(sample);
    input.allocator = *allocator;
    fr_skeleton *skeleton;
    fr_clip *clip;
    fr_status status = fr_bvh_read(&input, &skeleton, &clip, NULL, NULL);
    if (status != FR_OK) { return status; }
    test_note_number(fr_clip_get(clip)->frame_count);
    fr_clip_release(clip);
    fr_skeleton_release(skeleton);
    return FR_OK;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    assert_true(test_every_failure(make, NULL) >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_the_text_says), cmocka_unit_test(out_and_in_again),
        cmocka_unit_test(bad_files_say_where),      cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(many_joints_are_refused),  cmocka_unit_test(declared_frames_are_not_believed),
        cmocka_unit_test(bad_calls_are_refused),    cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
