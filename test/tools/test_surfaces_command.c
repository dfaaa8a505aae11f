// The command surfaces as a user runs it, on the room of the demonstration: chair, table, door, and a child.
#include "scratch.h"

static const char room[] =
    "{\"fureai\":1,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\",\"position\":[0,-0.001,0]},"
    "{\"name\":\"wall\",\"class\":\"wall_2\"},{\"name\":\"table\",\"class\":\"table\",\"position\":[2.55,0,4.5]},"
    "{\"name\":\"chair\",\"class\":\"chair\",\"position\":[1.3,0,4.5],\"axis_angle_deg\":[0,1,0,90]},"
    "{\"name\":\"door\",\"class\":\"door\",\"position\":[1.4,0,0],\"value_deg\":";

static int set_up(void **state) {
    if (make_folder(state) != 0) { return -1; }
    char text[1024];
    snprintf(text, sizeof text, "%s90}]}", room);
    put_file("open.json", text);
    snprintf(text, sizeof text, "%s0}]}", room);
    put_file("closed.json", text);
    return 0;
}

// The chair is a seat, the table a place for things, and the door, where it is open, a gap to pass.
static void room_offers_what_it_should(void **state) {
    (void)state;
    RUN("surfaces", "open.json");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "sit            chair at ");
    expect_in(p.out, "put            table at ");
    expect_in(p.out, "\npass           ");
    RUN("surfaces", "closed.json");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "sit            chair at ");
    assert_null(strstr(p.out, "\npass           "));
}

// For a child of 1.00 m the chair is a place for things.
static void child_is_offered_other_things(void **state) {
    (void)state;
    RUN("--json", "surfaces", "open.json", "--stature", "1.0");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "{\"does\":\"put\",\"object\":\"chair\"");
    expect_in(p.out, "\"does\":\"pass\"");
    assert_null(strstr(p.out, "\"does\":\"sit\""));
    assert_null(strstr(p.out, "{\"does\":\"put\",\"object\":\"table\""));
}

static void wrong_usage_is_refused(void **state) {
    (void)state;
    RUN("surfaces");
    assert_int_equal(p.status, 2);
    RUN("surfaces", "open.json", "--stature", "7");
    assert_int_equal(p.status, 2);
    RUN("surfaces", "none.json");
    assert_int_equal(p.status, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_offers_what_it_should),
        cmocka_unit_test(child_is_offered_other_things),
        cmocka_unit_test(wrong_usage_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
