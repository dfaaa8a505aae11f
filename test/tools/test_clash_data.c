// Clashes among the parts of an air compressor, designed by others.
#include "scratch.h"

#include "frame.h"

// Its twelve files were exported one by one, all about the same origin, and two of them twice.
static void the_air_compressor_clashes_as_known(void **state) {
    (void)state;
    char paths[5][512];
    const char *const files[] = {"Hinge.STL", "Hinge 2.STL", "Hinge_2.STL", "Piston.STL", "Drilling Holder.STL"};
    for (size_t i = 0; i < 5; i++) {
        char relative[128];
        snprintf(relative, sizeof relative, "data/cad-air-compressor/%s", files[i]);
        test_shared_path(relative, paths[i], sizeof paths[i]);
    }
    RUN("--json", "--quiet", "clash", "--check", "--csv", "clashes.csv", paths[0], paths[1], paths[2], paths[3],
        paths[4]);
    assert_int_equal(p.status, 4);
    char *table = strdup(take_file("clashes.csv"));
    assert_non_null(table);
    int lines = 0;
    for (char *at = table; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    assert_int_equal(lines, 11);
    expect_in(table, "Piston.STL\",protrusion,1239,6,");
    expect_in(table, "Hinge 2.STL\",protrusion,1259,3.45");
    assert_null(strstr(table, "enclosed"));
    free(table);

    // The same for any number of threads: as much of the document as is kept, which ends before its time.
    char *first = strdup(p.out);
    assert_non_null(first);
    assert_null(strstr(first, "\"ms\""));
    RUN("--json", "--quiet", "--threads", "1", "clash", paths[0], paths[1], paths[2], paths[3], paths[4]);
    assert_string_equal(p.out, first);
    free(first);
}

int main(void) {
    test_shared_folder();
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_air_compressor_clashes_as_known)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
