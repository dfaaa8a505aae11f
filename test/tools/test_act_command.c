// The command act as a user runs it.
#include "scratch.h"

static int set_up(void **state) {
    if (make_folder(state) != 0) { return -1; }
    put_file("scene.json",
             "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"post\",\"shape\":\"box\",\"position\":[9,0,9]}],"
             "\"people\":[{\"name\":\"Hana\",\"detail\":\"coarse\"}]}");
    put_file("empty.json", "{\"fureai\":1,\"objects\":[]}");
    put_file("right.json",
             "{\"fureai\":1,\"scene\":\"scene.json\",\"commands\":[{\"motion\":\"walk\",\"goal\":[0,0,1]},"
             "{\"person\":\"Hana\",\"motion\":\"gesture\",\"parameters\":{\"word\":\"nod\"}}]}");
    put_file("half.json", "{\"fureai\":1,\"scene\":\"scene.json\",\"commands\":[{\"motion\":\"walk\",\"goal\":[0,0,1]},"
                          "{\"motion\":\"take\",\"object\":\"cup\"}]}");
    put_file("wrong.json", "{\"fureai\":1,\n\"commands\":[{\"motion\":7}]}");
    return 0;
}

static void scripts_are_carried_out(void **state) {
    (void)state;
    RUN("act", "right.json", "--out", "hana.bvh");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "walk: done\n");
    expect_in(p.out, "gesture: done\n2 of 2 commands done in ");
    RUN("motion", "hana.bvh");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "at 50 a second, 43 joints");
}

static void what_is_not_done_has_a_reason(void **state) {
    (void)state;
    RUN("--json", "act", "half.json");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "\"done\":1,\"count\":2,\"steps\":[{\"human\":\"\",\"motion\":\"walk\"");
    expect_in(p.out, "\"object\":\"cup\",\"done\":false,\"reason\":\"there is no object 'cup'\"");
    RUN("act", "half.json", "--check");
    assert_int_equal(p.status, 4);
    RUN("act", "right.json", "--ticks", "3");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "it was not over in time");
}

static void work_is_studied(void **state) {
    (void)state;
    RUN("act", "right.json", "--study");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "Hana: RULA ");
    expect_in(p.out, "Hana: seated, the hand reaches ");
    RUN("--json", "act", "right.json", "--percentiles", "5", "--csv", "study.csv");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "\"study\":[{\"person\":\"Hana\",\"rows\":");
    expect_in(p.out, "\"sex\":\"woman\",\"percentile\":5,\"stature\":1.525,\"can\":true,\"done\":2,\"count\":2");
    expect_in(p.out, "\"sex\":\"man\",\"percentile\":5,\"stature\":1.648");
    RUN("act", "half.json", "--percentiles", "50");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "does 1 of 2 commands: take: there is no object 'cup'");
    static const char *const wrong[] = {
        "0", "100", "5,", ",5", "5 50", "x", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        RUN("act", "right.json", "--percentiles", wrong[i]);
        assert_int_equal(p.status, 2);
        expect_in(p.err, "--percentiles");
    }
    RUN("act", "right.json", "--percentiles", "5", "--connect", "ws://127.0.0.1:1");
    assert_int_equal(p.status, 2);
    RUN("act", "right.json", "--picture", "study.gif");
    assert_int_equal(p.status, 2);
}

static void wrong_input_is_refused(void **state) {
    (void)state;
    RUN("act", "wrong.json");
    assert_int_equal(p.status, 3);
    expect_in(p.err, "wrong.json:2:");
    RUN("act", "right.json", "--scene", "empty.json");
    assert_int_equal(p.status, 3);
    expect_in(p.err, "no people");
    RUN("act", "right.json", "--scene", "missing.json");
    assert_int_equal(p.status, 3);
    RUN("act", "right.json", "--out", "hana.txt");
    assert_int_equal(p.status, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_are_carried_out),
        cmocka_unit_test(what_is_not_done_has_a_reason),
        cmocka_unit_test(work_is_studied),
        cmocka_unit_test(wrong_input_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
