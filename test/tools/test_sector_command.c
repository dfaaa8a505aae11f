// The command sector, as a user runs it.
#include "scratch.h"

#define SWING                                                                                                          \
    "{\"fureai\":1,\"sectors\":[{\"name\":\"bat\",\"box\":{\"center\":[0,5,0],\"size\":[0.2,4,0.2]},\"pivot\":[0,0,0]" \
    ","                                                                                                                \
    "\"axis\":[0,0,-1],\"angle_deg\":90,\"build\":\"exact\"},{\"name\":\"view\",\"center\":[0,0,0],\"axis\":[0,1,0],"  \
    "\"bisector\":[0,0,1],\"half_angle_deg\":45,\"inner\":0,\"outer\":10,\"half_thickness\":2},{\"name\":\"thin\","    \
    "\"box\":{\"center\":[0,5,0],\"size\":[0.2,4,0.2]},\"pivot\":[0,0,0],\"axis\":[0,0,-1],\"angle_deg\":90,"          \
    "\"build\":\"thesis\"}],\"queries\":["                                                                             \
    "{\"sector\":\"bat\",\"shape\":\"sphere\",\"center\":[4,4,0],\"radius\":0.25},"                                    \
    "{\"sector\":\"bat\",\"shape\":\"point\",\"point\":[-3,-3,0]},"                                                    \
    "{\"sector\":\"view\",\"shape\":\"point\",\"point\":[0,0,12]},"                                                    \
    "{\"sector\":\"view\",\"shape\":\"box\",\"center\":[0,0,5],\"size\":[1,1,1]},"                                     \
    "{\"sector\":\"view\",\"shape\":\"triangle\",\"points\":[[0,5,5],[1,5,5],[0,6,5]]},"                               \
    "{\"sector\":\"bat\",\"shape\":\"capsule\",\"from\":[4,4,-1],\"to\":[4,4,1],\"radius\":0.1},"                      \
    "{\"sector\":\"view\",\"shape\":\"sector\",\"with\":\"thin\"}]}"

static void answers_are_told(void **state) {
    (void)state;
    put_file("swing.json", SWING);
    RUN("sector", "swing.json");
    expect_answer("bat, sphere: hit, touched after 4");
    expect_in(p.out, "bat, point: miss, ");
    expect_in(p.out,
              "view, point: miss, 2 m away\nview, box: hit\nview, triangle: miss, 3 m away\nbat, capsule: hit, ");
    expect_in(p.out, "view, sector: miss\n3 sectors, 7 queries, 3 hits\n");
    assert_string_equal(p.err, "");
}

static void what_is_left_of_rounding_is_not_told(void **state) {
    (void)state;
    put_file("near.json",
             "{\"fureai\":1,\"sectors\":[{\"name\":\"view\",\"center\":[0,0,0],\"axis\":[0,1,0],"
             "\"bisector\":[0,0,1],\"half_angle_deg\":45,\"inner\":0,\"outer\":10,\"half_thickness\":2}],"
             "\"queries\":[{\"sector\":\"view\",\"shape\":\"point\",\"point\":[0,0,10.000000000000002]}]}");
    RUN("sector", "near.json");
    expect_answer("view, point: miss, under 1e-9 m away\n");
}

static void the_document_has_its_fields(void **state) {
    (void)state;
    put_file("swing.json", SWING);
    RUN("--json", "sector", "swing.json");
    expect_answer("{\"results\":[{\"sector\":\"bat\",\"query\":\"sphere\",\"hit\":true,\"distance\":0,\"angle_deg\":4");
    expect_in(
        p.out,
        "{\"sector\":\"view\",\"query\":\"point\",\"hit\":false,\"distance\":2,\"angle_deg\":null,\"exact\":true}");
    expect_in(p.out, "{\"sector\":\"view\",\"query\":\"sector\",\"hit\":false,\"distance\":null,\"angle_deg\":null,"
                     "\"exact\":false}]}");
}

static void wrong_files_are_refused(void **state) {
    (void)state;
    put_file("wrong.json", "{\"fureai\":1,\n \"sectors\":[{\"name\":\"a\"}]}");
    RUN("sector", "wrong.json");
    expect_failure(3, "wrong.json:2:13: ");
    RUN("sector", "none.json");
    assert_int_equal(p.status, 3);
    RUN("sector");
    assert_int_equal(p.status, 2);
}

static void pictures_are_drawn(void **state) {
    (void)state;
    if (!FUREAI_HAVE_PICTURES) { skip(); }
    put_file("swing.json", SWING);
    RUN("sector", "swing.json", "--picture", "swing.svg");
    assert_int_equal(p.status, 0);
    FILE *file = fopen("swing.svg", "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    assert_true(ftell(file) > 10000);
    fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_told),
        cmocka_unit_test(what_is_left_of_rounding_is_not_told),
        cmocka_unit_test(the_document_has_its_fields),
        cmocka_unit_test(wrong_files_are_refused),
        cmocka_unit_test(pictures_are_drawn),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
