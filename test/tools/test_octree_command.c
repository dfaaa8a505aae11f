// The command octree, as a user runs it.
#include "scratch.h"

static void expect(int status, const char *words) {
    if (p.status != status || strstr(status == 0 ? p.out : p.err, words) == NULL) {
        fail_msg("status %d, '%s', '%s'", p.status, p.out, p.err);
    }
}

// What stands after the key of the last document, up to the next comma.
static double number_of(const char *key) {
    const char *at = strstr(p.out, key);
    assert_non_null(at);
    return atof(at + strlen(key));
}

static void a_model_becomes_cells(void **state) {
    (void)state;
    RUN("shape", "sphere_360", "sphere.obj");
    expect(0, "360 triangles");
    RUN("--json", "octree", "sphere.obj", "--depth", "4");
    expect(0, "{\"depth\":4,\"root\":{\"min\":[");
    expect(0, "\"code\":null}");
    double touch = number_of("\"voxels\":");
    assert_true(number_of("\"black\":") + number_of("\"white\":") + number_of("\"gray\":") ==
                8.0 * number_of("\"gray\":") + 1.0);
    RUN("--json", "octree", "sphere.obj", "--depth", "4", "--fill", "centre");
    double centre = number_of("\"voxels\":");
    RUN("--json", "octree", "sphere.obj", "--depth", "4", "--fill", "surface");
    double surface = number_of("\"voxels\":");
    assert_true(surface < touch && centre < touch && centre > 100.0);
    RUN("octree", "sphere.obj", "--depth", "4");
    expect(0, "gray cells;");
}

static void every_method_prints_the_same_code(void **state) {
    (void)state;
    static const char *const methods[] = {"wa", "wa-exact", "compact", "fast"};
    char *code = NULL;
    RUN("shape", "chair", "chair.obj");
    for (int i = 0; i < 4; i++) {
        RUN("--threads", i % 2 == 0 ? "1" : "2", "octree", "chair.obj", "--depth", "4", "--move", "0.3,0,-1;1,1,0,25",
            "--method", methods[i], "--code");
        expect(0, "(");
        if (code == NULL) {
            code = strdup(p.out);
        } else {
            assert_string_equal(p.out, code);
        }
    }
    // The code reads back as the same tree.
    put_file("chair.df", code);
    RUN("octree", "chair.df", "--depth", "4", "--code");
    expect(0, "(");
    assert_string_equal(p.out, code);
    free(code);
    RUN("--json", "octree", "chair.obj", "--depth", "4", "--move", "0,0,0;0,0,1,45", "--method", "compact");
    assert_true(number_of("\"tests\":") > 1000.0 && number_of("\"cubes\":") > 4.0);
    RUN("--json", "octree", "chair.obj", "--depth", "4", "--move", "9,0,0", "--rule", "overlap");
    expect(0, "\"clipped\":true");
}

static void wrong_input_and_usage_are_told(void **state) {
    (void)state;
    put_file("wrong.df", "(BBBB\nBBBx\n");
    RUN("octree", "wrong.df");
    expect(3, "wrong.df:2:4: a letter of the code is none of ( B W");
    put_file("wrong.bt", "# no map\n");
    RUN("octree", "wrong.bt");
    expect(3, "the first line is not that of an OctoMap binary file");
    RUN("octree", "none.obj");
    assert_int_equal(p.status, 3);
    RUN("octree", "chair.obj", "--depth", "10");
    assert_int_equal(p.status, 2);
    RUN("octree", "chair.obj", "--move", "1,2");
    expect(2, "is not TX,TY,TZ or");
    RUN("octree", "chair.obj", "--method", "wa", "--rule", "touch");
    expect(2, "--method wa knows --rule centre and centre-closed alone");
}

static void a_picture_is_drawn(void **state) {
    (void)state;
    if (!FUREAI_HAVE_PICTURES) { skip(); }
    RUN("shape", "chair", "chair.obj");
    RUN("octree", "chair.obj", "--depth", "4", "--picture", "chair.svg");
    assert_int_equal(p.status, 0);
    struct stat file;
    assert_int_equal(stat("chair.svg", &file), 0);
    assert_true(file.st_size > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_becomes_cells),
        cmocka_unit_test(every_method_prints_the_same_code),
        cmocka_unit_test(wrong_input_and_usage_are_told),
        cmocka_unit_test(a_picture_is_drawn),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
