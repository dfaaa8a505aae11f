// Models from files, with the files that they refer to.
#include "text_model.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/fureai-model-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) != NULL && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return chdir("/") == 0 ? system(line) : -1;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char triangle[] = "mtllib looks/red.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n";

static void write_triangle(void) {
    mkdir("in", 0700);
    mkdir("in/looks", 0700);
    write_text("in/triangle.obj", triangle);
    write_text("in/looks/red.mtl", "newmtl red\nKd 1 0 0\n");
}

static void test_a_model_has_what_lies_beside_it(void **state) {
    (void)state;
    write_triangle();
    fr_model *model;
    fr_error error = {0};
    assert_int_equal(fr_model_read_file("in/triangle.obj", NULL, &model, &error), FR_OK);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->material_count, 1);
    assert_true(view->materials[0].diffuse[0] > 0.99f && view->materials[0].diffuse[1] < 0.01f);
    fr_model_destroy(model);
}

static fr_status refuse(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)bytes;
    (void)size;
    ++*(int *)context;
    return fr_error_set(error, FR_ERROR_FILE, "%s is not for you", path);
}

static void test_the_callers_files_come_first(void **state) {
    (void)state;
    write_triangle();
    int asked = 0;
    fr_model_read_input input = fr_default_model_read_input();
    input.files = (fr_model_files){.load = refuse, .context = &asked};
    fr_model *model;
    assert_int_equal(fr_model_read_file("in/triangle.obj", &input, &model, NULL), FR_OK);
    assert_int_equal(asked, 1);
    assert_true(fr_model_get(model)->warning_count > 0);
    fr_model_destroy(model);
}

static void expect_failure(const char *path, const fr_model_read_input *input, fr_status expected,
                           const char *message) {
    fr_model *model;
    fr_error error = {0};
    assert_int_equal(fr_model_read_file(path, input, &model, &error), expected);
    assert_null(model);
    char line[512];
    fr_error_format(&error, line, sizeof line);
    if (strstr(line, message) == NULL) { fail_msg("%s", line); }
}

static void test_failures_name_the_file_and_the_place(void **state) {
    (void)state;
    write_text("broken.obj", "v 0 0 0\nf 1 2 3\n");
    write_text("long.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_failure("none.obj", NULL, FR_ERROR_FILE, "none.obj: cannot open: No such file");
    expect_failure("/", NULL, FR_ERROR_FILE, "it is a folder");
    expect_failure("broken.obj", NULL, FR_ERROR_CORRUPT, "broken.obj:2:");
    fr_model_read_input input = fr_default_model_read_input();
    input.limits.bytes = 10;
    expect_failure("long.obj", &input, FR_ERROR_LIMIT, "long.obj");
    input.cookie = 0;
    expect_failure("long.obj", &input, FR_ERROR_ARGUMENT, "fr_default_model_read_input");
}

static fr_status make_from_file(const fr_allocator *allocator, void *context) {
    (void)context;
    fr_model_read_input input = fr_default_model_read_input();
    input.allocator = *allocator;
    fr_model *model;
    fr_status status = fr_model_read_file("in/triangle.obj", &input, &model, NULL);
    fr_model_destroy(model);
    return status;
}

static void test_memory_that_runs_short(void **state) {
    (void)state;
    write_triangle();
    test_every_failure(make_from_file, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_model_has_what_lies_beside_it),
        cmocka_unit_test(test_the_callers_files_come_first),
        cmocka_unit_test(test_failures_name_the_file_and_the_place),
        cmocka_unit_test(test_memory_that_runs_short),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
