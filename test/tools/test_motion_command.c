// The command motion as a user runs it: what a capture holds, carried over, cleaned, written in both formats, drawn.
#include "scratch.h"

// Runs `fureai motion` with up to seven words.
static int motion(const char *const words[7]) {
    const char *argv[11] = {FUREAI_TOOL, "--json", "motion"};
    for (int i = 0; i < 7 && words[i] != NULL; i++) {
        argv[3 + i] = words[i];
    }
    assert_true(process_start(&p, argv, PROCESS_PIPES));
    process_finish(&p);
    return p.status;
}

static void says(const char *words) {
    if (strstr(p.out, words) == NULL) { fail_msg("'%s' in '%s%s'", words, p.out, p.err); }
}

static const char hips_only[] = "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0\n"
                                "  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
                                "  End Site\n  {\n    OFFSET 0 120 0\n  }\n}\n"
                                "MOTION\nFrames: 3\nFrame Time: 0.01\n0 90 0 0 0 0\n1 90 0 0 0 10\n2 90 0 0 0 20\n";

// A person of two legs in centimetres who stands.
static void put_person(void) {
    char text[4096];
    int n = snprintf(text, sizeof text,
                     "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n"
                     " CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
                     " JOINT Spine1\n {\n  OFFSET 0 10 0\n  CHANNELS 3 Zrotation Yrotation Xrotation\n"
                     "  End Site\n  {\n   OFFSET 0 60 0\n  }\n }\n");
    for (int i = 0; i < 2; i++) {
        const char *side = i == 0 ? "Left" : "Right";
        n += snprintf(text + n, sizeof text - (size_t)n,
                      " JOINT %sUpLeg\n {\n  OFFSET %d 0 0\n  CHANNELS 3 Zrotation Yrotation Xrotation\n"
                      "  JOINT %sLeg\n  {\n   OFFSET 0 -42 0\n   CHANNELS 3 Zrotation Yrotation Xrotation\n"
                      "   JOINT %sFoot\n   {\n    OFFSET 0 -42 0\n    CHANNELS 3 Zrotation Yrotation Xrotation\n"
                      "    End Site\n    {\n     OFFSET 0 -6 15\n    }\n   }\n  }\n }\n",
                      side, i == 0 ? 9 : -9, side, side);
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "}\nMOTION\nFrames: 30\nFrame Time: 0.0166667\n");
    for (int frame = 0; frame < 30; frame++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "%d.%d 90 0", frame / 10, frame % 10);
        for (int i = 0; i < 24; i++) {
            n += snprintf(text + n, sizeof text - (size_t)n, " 0");
        }
        n += snprintf(text + n, sizeof text - (size_t)n, "\n");
    }
    put_file("person.bvh", text);
}

static int set_up(void **state) {
    if (make_folder(state) != 0) { return -1; }
    put_file("hips.bvh", hips_only);
    put_person();
    return 0;
}

static void tells_what_a_capture_holds(void **state) {
    (void)state;
    assert_int_equal(motion((const char *const[7]){"hips.bvh"}), 0);
    says("\"frames\":3");
    says("\"joints\":1");
    says("\"channels\":6");
    assert_null(strstr(p.out, "contacts")); // hips have no feet
}

static void carries_over_cleans_and_writes(void **state) {
    (void)state;
    assert_int_equal(motion((const char *const[7]){"person.bvh", "child.bvh", "--body=1.2", "--clean", "--fps=120"}),
                     0);
    says("\"joints\":43");
    says("\"contacts\":4");
    says("\"fps\":120");
    assert_int_equal(motion((const char *const[7]){"child.bvh", "child.ahmc"}), 0);
    says("\"channels\":132");
    assert_int_equal(motion((const char *const[7]){"child.ahmc", "text.ahmc", "--text"}), 0);
    assert_int_equal(motion((const char *const[7]){"text.ahmc", "again.bvh"}), 0);
    says("\"joints\":43");
    assert_int_equal(motion((const char *const[7]){"person.bvh", "person.glb"}), 0);
    says("\"joints\":43");
    RUN("info", "person.glb");
    expect_in(p.out, "glb");
}

// A person who only stands has no steps; a walk of our own has some, which walk again.
static void captures_are_cut_into_steps(void **state) {
    (void)state;
    assert_int_equal(motion((const char *const[7]){"person.bvh", "--cells=steps.ahmw"}), 1);
    expect_in(p.err, "no step");
    put_file("scene.json",
             "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"post\",\"shape\":\"box\",\"position\":[9,0,9]}],"
             "\"people\":[{\"name\":\"Hana\",\"detail\":\"coarse\"}]}");
    put_file("walk.json",
             "{\"fureai\":1,\"scene\":\"scene.json\",\"commands\":[{\"motion\":\"walk\",\"goal\":[0,0,5]}]}");
    RUN("act", "walk.json", "--out", "walk.ahmc");
    assert_int_equal(p.status, 0);
    assert_int_equal(motion((const char *const[7]){"walk.ahmc", "person.bvh", "walk.ahmc", "--cells=steps.ahmw"}), 0);
    says("\"captures\":3");
    says("\"class\":\"straight\"");
    assert_int_equal(motion((const char *const[7]){"steps.ahmw", "again.glb"}), 0);
    says("\"joints\":43");
    assert_int_equal(motion((const char *const[7]){"walk.ahmc", "out.bvh", "more.bvh"}), 2);
    put_file("bad.ahmw", "AHMW 1\nleg 0.9\nclip 9\n");
    assert_int_equal(motion((const char *const[7]){"bad.ahmw"}), 3);
    assert_non_null(strstr(p.err, "bad.ahmw:4:1"));
}

static void wrong_words_and_files_are_refused(void **state) {
    (void)state;
    assert_int_equal(motion((const char *const[7]){"hips.bvh", "out.fbx"}), 2);
    assert_non_null(strstr(p.err, "neither in .bvh nor in .ahmc"));
    assert_int_equal(motion((const char *const[7]){"hips.bvh", "--body=3"}), 2);
    assert_int_equal(motion((const char *const[7]){"hips.bvh", "--body=1.7"}), 1);
    assert_non_null(strstr(p.err, "thigh"));
    put_file("bad.bvh", "HIERARCHY\nROOT Hips\n{\n OFFSET 0 zero 0\n");
    assert_int_equal(motion((const char *const[7]){"bad.bvh"}), 3);
    assert_non_null(strstr(p.err, "bad.bvh:4:11: a number is missing here"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_what_a_capture_holds),
        cmocka_unit_test(carries_over_cleans_and_writes),
        cmocka_unit_test(captures_are_cut_into_steps),
        cmocka_unit_test(wrong_words_and_files_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
