// Material libraries of OBJ: the looks of the materials that a file uses; what is missing or wrong is a warning.
#include "vrml_text.h"

#define SQUARES                                                                                                        \
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl red\nf 1 2 3\nusemtl glass\nf 1 3 4\nusemtl plain\nf 1 2 4\n"

static fr_model_read_input options_with(vrml_file *files) {
    fr_model_read_input options = vrml_options(files);
    options.format = FR_MODEL_OBJ;
    return options;
}

static fr_model *read_with(const char *text, vrml_file *files) {
    fr_model_read_input options = options_with(files);
    return vrml_with(text, &options);
}

// The material of a polygon of the first part.
static const fr_model_material *material_of(const fr_model *model, uint32_t face) {
    const fr_model_view *view = fr_model_get(model);
    return &view->materials[view->meshes[view->nodes[0].mesh].face_materials[face]];
}

static bool is_color(const float color[3], float r, float g, float b) {
    return color[0] == r && color[1] == g && color[2] == b;
}

static const char looks[] =
    "# looks\r\nnewmtl other\nKd 1 1 1\nd 0\n\nnewmtl red\n\tKd 1 0 0\nKs 0.25\nKe 0 0.5 0\nNs 64\n"
    "illum 2\nmap_Kd a.png\n newmtl glass \nKd 0 2 -1\nd 0.25\nnewmtl  plain\nTr 0.5";

static void materials_have_the_looks_of_their_library(void **state) {
    (void)state;
    vrml_file files[] = {{"a.mtl", looks}, {NULL, NULL}};
    fr_model *model = read_with("mtllib a.mtl\n" SQUARES, files);
    assert_int_equal(fr_model_get(model)->warning_count, 0);
    assert_int_equal(fr_model_get(model)->material_count, 3);
    const fr_model_material *red = material_of(model, 0), *glass = material_of(model, 1),
                            *plain = material_of(model, 2);
    assert_string_equal(red->name, "red");
    assert_true(is_color(red->diffuse, 1, 0, 0) && is_color(red->specular, 0.25f, 0.25f, 0.25f));
    assert_true(is_color(red->emissive, 0, 0.5f, 0) && red->shininess == 0.5f && red->transparency == 0.0f);
    assert_true(is_color(glass->diffuse, 0, 1, 0) && glass->transparency == 0.75f);
    assert_true(is_color(plain->diffuse, 0.8f, 0.8f, 0.8f) && plain->transparency == 0.5f);
    fr_model_destroy(model);
}

// Several parts, and libraries after the polygons that use them.
static void parts_share_the_materials(void **state) {
    (void)state;
    vrml_file files[] = {{"a.mtl", "newmtl red\nKd 1 0 0\n"},
                         {"b c.mtl", "newmtl glass\nKd 0 0 1\n"},
                         {"d/e.mtl", "newmtl plain\nKd 0 1 0\n"},
                         {NULL, NULL}};
    fr_model *model =
        read_with("o x\n" SQUARES "o y\nf 1 2 3 4\nmtllib b c.mtl\nmtllib a.mtl ./x/../d\\e.mtl # ours\n", files);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 0);
    assert_int_equal(view->node_count, 2);
    assert_true(is_color(material_of(model, 0)->diffuse, 1, 0, 0));
    assert_true(is_color(material_of(model, 1)->diffuse, 0, 0, 1));
    assert_true(is_color(material_of(model, 2)->diffuse, 0, 1, 0));
    assert_ptr_equal(&view->materials[view->meshes[1].face_materials[0]], material_of(model, 2));
    fr_model_destroy(model);
}

static void expect_warning(const char *text, vrml_file *files, int line, int column, const char *words) {
    fr_model *model = read_with(text, files);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 1);
    if (strstr(view->warnings[0].message, words) == NULL) { fail_msg("'%s'", view->warnings[0].message); }
    assert_int_equal(view->warnings[0].line, line);
    assert_int_equal(view->warnings[0].column, column);
    assert_true(is_color(material_of(model, 0)->diffuse, 0.8f, 0.8f, 0.8f));
    fr_model_destroy(model);
}

static void what_is_missing_or_wrong_is_a_warning(void **state) {
    (void)state;
    vrml_file files[] = {{"a.mtl", "newmtl red\nKd 1 x 0\n"}, {"b.mtl", "newmtl red\n\n  d nan\n"}, {NULL, NULL}};
    expect_warning(SQUARES "mtllib gone.mtl\n", files, 11, 8, "gone.mtl is not there");
    expect_warning(SQUARES "mtllib gone.mtl\nmtllib gone.mtl\n", files, 11, 8, "gone.mtl is not there");
    expect_warning("mtllib ../a.mtl\n" SQUARES, files, 1, 8, "leaves the model's folder");
    expect_warning("mtllib /etc/passwd\n" SQUARES, files, 1, 8, "absolute");
    expect_warning("mtllib http://x/a.mtl\n" SQUARES, files, 1, 8, "beside the model");
    expect_warning("mtllib a.mtl\n" SQUARES, files, 1, 8, "a.mtl:2:1: a colour");
    expect_warning("mtllib b.mtl\n" SQUARES, files, 1, 8, "b.mtl:3:3: what is no number");
    expect_warning("mtllib a.mtl\n" SQUARES, NULL, 1, 8, "not there");
}

static fr_status count_loads(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)path;
    (void)error;
    ++*(int *)context;
    *bytes = "newmtl red\nKd 1 0 0\n";
    *size = strlen(*bytes);
    return FR_OK;
}

// A file of many names asks for no more than a hundred libraries.
static void libraries_are_bounded(void **state) {
    (void)state;
    char text[20000] = SQUARES;
    size_t length = strlen(text);
    for (int i = 0; i < 500; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "mtllib %d.mtl\n", i);
    }
    int loads = 0;
    fr_model_read_input options = options_with(NULL);
    options.files = (fr_model_files){count_loads, NULL, &loads};
    fr_model *model = vrml_with(text, &options);
    assert_int_equal(loads, 100);
    assert_int_equal(fr_model_get(model)->warning_count, 1);
    fr_model_destroy(model);
}

static void memory_may_run_out(void **state) {
    (void)state;
    static const char text[] = "mtllib a.mtl b c.mtl\no x\n" SQUARES "o y\nf 1 2 3 4\n";
    vrml_file files[] = {{"a.mtl", looks}, {NULL, NULL}};
    bounded_read read = {text, sizeof text - 1, options_with(files)};
    assert_true(test_every_failure(read_bounded, &read) < 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(materials_have_the_looks_of_their_library),
        cmocka_unit_test(parts_share_the_materials),
        cmocka_unit_test(what_is_missing_or_wrong_is_a_warning),
        cmocka_unit_test(libraries_are_bounded),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
