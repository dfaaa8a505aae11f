// Collada that is not quite right: what is repaired is warned of, and refused at its place by a strict reading; and
// controllers, which are shown as the shapes that they bind.
#include "text_model.h"

// A document of five lines around a list of triangles, whose parts can be replaced.
typedef struct parts {
    const char *unit, *array, *accessor, *inputs, *list, *controllers, *shown;
} parts;

static const parts usual = {
    "<unit meter=\"0.5\"/>",           "count=\"12\"", "count=\"4\" stride=\"3\"", "", "count=\"2\"", "",
    "<instance_geometry url=\"#g\"/>",
};

static void write_document(const parts *p, char *text, size_t size) {
    int length = snprintf(
        text, size,
        "<?xml version=\"1.0\"?><COLLADA><asset>%s</asset>\n"
        "<library_geometries><geometry id=\"g\"><mesh><source id=\"s\"><float_array id=\"a\" %s>0 0 0 1 0 0 1 1 "
        "0 0 1 0</float_array>\n<technique_common><accessor source=\"#a\" %s/></technique_common></source>"
        "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>\n"
        "<triangles %s><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>%s<p>0 1 2 0 2 3</p></triangles>"
        "</mesh></geometry></library_geometries>\n%s<library_visual_scenes><visual_scene id=\"vs\"><node>%s"
        "</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#vs\"/></scene>"
        "</COLLADA>\n",
        p->unit, p->array, p->accessor, p->list, p->inputs, p->controllers, p->shown);
    assert_true(length > 0 && (size_t)length < size);
}

static fr_status read_parts(const parts *p, bool is_strict, fr_model **model, fr_error *error) {
    char text[4000];
    write_document(p, text, sizeof text);
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_COLLADA;
    options.is_strict = is_strict;
    return read_bytes(text, strlen(text), &options, model, error);
}

static fr_model *read_leniently(const parts *p) {
    fr_model *model;
    fr_error error;
    if (read_parts(p, false, &model, &error) != FR_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    }
    return model;
}

// ---------------------------------------------------------------------------------------------------------------
// Repairs

// One thing is wrong: read with one warning there, and refused there.
static void is_repaired(size_t offset, const char *value, int line, const char *words) {
    parts p = usual;
    memcpy((char *)&p + offset, &value, sizeof value);
    fr_model *model = read_leniently(&p);
    const fr_model_view *view = fr_model_get(model);
    if (view->warning_count != 1 || strstr(view->warnings[0].message, words) == NULL) {
        fail_msg("%s: %d warnings, '%s'", value, (int)view->warning_count,
                 view->warning_count > 0 ? view->warnings[0].message : "");
    }
    assert_int_equal(view->warnings[0].line, line);
    assert_true(view->warnings[0].column > 0);
    assert_int_equal(view->triangle_count, 2);
    fr_model_destroy(model);
    fr_error error;
    assert_int_equal(read_parts(&p, true, &model, &error), FR_ERROR_SYNTAX);
    assert_non_null(strstr(error.message, words));
    assert_int_equal(error.line, line);
    assert_true(error.column > 0);
}

#define REPAIRED(member, value, line, words) is_repaired(offsetof(parts, member), value, line, words)

static void what_is_right_passes_a_strict_reading(void **state) {
    (void)state;
    fr_model *model;
    fr_error error;
    assert_int_equal(read_parts(&usual, true, &model, &error), FR_OK);
    assert_int_equal(fr_model_get(model)->warning_count, 0);
    fr_model_destroy(model);
}

static void what_is_repaired_is_warned_of_or_refused(void **state) {
    (void)state;
    REPAIRED(unit, "<unit meter=\"0\"/>", 1, "unit of 0 metres");
    REPAIRED(unit, "<unit meter=\"nan\"/>", 1, "unit of nan metres");
    REPAIRED(unit, "<unit meter=\"-1\"/>", 1, "unit of -1 metres");
    REPAIRED(unit, "<up_axis>W_UP</up_axis>", 1, "an axis");
    REPAIRED(array, "count=\"13\"", 2, "a list of 13 numbers has 12");
    REPAIRED(array, "count=\"-3\"", 2, "count=\"-3\" is no whole number");
    REPAIRED(array, "count=\"x\"", 2, "count=\"x\" is no whole number");
    REPAIRED(accessor, "count=\"400\" stride=\"3\"", 4, "400 elements has numbers for 4");
    REPAIRED(accessor, "count=\"4\" stride=\"3\" offset=\"-1\"", 3, "offset=\"-1\"");
    REPAIRED(list, "count=\"77\"", 4, "a list of 77 triangles has 2");
    REPAIRED(list, "count=\"2.5\"", 4, "count=\"2.5\"");
    REPAIRED(inputs, "<input semantic=\"NORMAL\" source=\"#n\" offset=\"0\"/>", 4, "source of NORMAL is not there");
    REPAIRED(inputs, "<input semantic=\"NORMAL\" source=\"#s\" offset=\"-1\"/>", 4, "offset=\"-1\"");
    REPAIRED(inputs, "<input semantic=\"NORMAL\" source=\"s\" offset=\"0\"/>", 4, "without a semantic and a source");
    REPAIRED(shown, "<instance_geometry url=\"#g\"/><instance_geometry url=\"#h\"/>", 5, "geometry that is not there");
    REPAIRED(shown, "<instance_geometry url=\"#g\"/><instance_node url=\"#g\"/>", 5, "node that is not there");
}

// A stride that is none is taken as 1; then the list has too few elements and goes, too.
static void a_stride_that_is_none_is_noted(void **state) {
    (void)state;
    static const char *const strides[] = {"-3", "0", "65", "x"};
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        char accessor[100];
        snprintf(accessor, sizeof accessor, "count=\"12\" stride=\"%s\"", strides[i]);
        parts p = usual;
        p.accessor = accessor;
        fr_model *model = read_leniently(&p);
        assert_true(fr_model_get(model)->warning_count >= 1);
        fr_model_destroy(model);
        fr_error error;
        assert_int_equal(read_parts(&p, true, &model, &error), FR_ERROR_SYNTAX);
        assert_int_equal(error.line, 3);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Controllers

#define SKIN(id, source, matrix)                                                                                       \
    "<controller id=\"" id "\"><skin source=\"" source "\">" matrix                                                    \
    "<source id=\"j\"><Name_array id=\"ja\" count=\"1\">x</Name_array></source><joints/></skin></controller>"
#define MORPH "<controller id=\"m\"><morph source=\"#g\" method=\"NORMALIZED\"/></controller>"
#define BIND "<bind_shape_matrix>2 0 0 10  0 3 0 20  0 0 4 30  0 0 0 1</bind_shape_matrix>"
#define USE(url)                                                                                                       \
    "<translate>100 0 0</translate><instance_controller url=\"" url "\"><skeleton>#x</skeleton></instance_controller>"

static void expect_bounds(const char *controllers, const char *shown, const double low[3], const double high[3]) {
    parts p = usual;
    p.controllers = controllers;
    p.shown = shown;
    p.unit = "";
    fr_model *model = read_leniently(&p);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 0);
    assert_int_equal(view->placed_triangle_count, 2);
    fr_bounds b = view->bounds;
    assert_true(b.min.x == low[0] && b.min.y == low[1] && b.min.z == low[2]);
    assert_true(b.max.x == high[0] && b.max.y == high[1] && b.max.z == high[2]);
    fr_model_destroy(model);
}

static void controllers_show_what_they_bind(void **state) {
    (void)state;
    const double low[3] = {110, 20, 30}, high[3] = {112, 23, 30}, plain_low[3] = {100, 0, 0},
                 plain_high[3] = {101, 1, 0};
    expect_bounds("<library_controllers>" SKIN("c", "#g", BIND) "</library_controllers>", USE("#c"), low, high);
    expect_bounds("<library_controllers>" SKIN("c", "#g", "") MORPH "</library_controllers>", USE("#c"), plain_low,
                  plain_high);
    expect_bounds("<library_controllers>" MORPH "</library_controllers>", USE("#m"), plain_low, plain_high);
    // A skin over a morph, which comes later.
    expect_bounds("<library_controllers>" SKIN("c", "#m", BIND) MORPH "</library_controllers>", USE("#c"), low, high);
}

static void controllers_that_lead_nowhere_are_noted(void **state) {
    (void)state;
    static const char *const wrong[] = {SKIN("c", "#c", BIND), SKIN("c", "#d", "") SKIN("d", "#c", ""),
                                        SKIN("c", "#none", ""), "<controller id=\"c\"/>", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char controllers[1000];
        snprintf(controllers, sizeof controllers, "<library_controllers>%s</library_controllers>", wrong[i]);
        parts p = usual;
        p.controllers = controllers;
        p.shown = "<instance_geometry url=\"#g\"/>" USE("#c");
        fr_model *model = read_leniently(&p);
        assert_int_equal(fr_model_get(model)->warning_count, 1);
        assert_int_equal(fr_model_get(model)->placed_triangle_count, 2);
        fr_model_destroy(model);
    }
    parts p = usual;
    p.controllers =
        "<library_controllers>" SKIN("c", "#g", "<bind_shape_matrix>1 2</bind_shape_matrix>") "</library_controllers>";
    fr_model *model;
    fr_error error;
    assert_int_equal(read_parts(&p, false, &model, &error), FR_ERROR_SYNTAX);
}

static void memory_may_run_out(void **state) {
    (void)state;
    parts p = usual;
    p.controllers = "<library_controllers>" SKIN("c", "#m", BIND) MORPH "</library_controllers>";
    p.shown = USE("#c");
    p.list = "count=\"77\"";
    char text[4000];
    write_document(&p, text, sizeof text);
    survives_failures(text, strlen(text), FR_MODEL_COLLADA, 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_right_passes_a_strict_reading),
        cmocka_unit_test(what_is_repaired_is_warned_of_or_refused),
        cmocka_unit_test(a_stride_that_is_none_is_noted),
        cmocka_unit_test(controllers_show_what_they_bind),
        cmocka_unit_test(controllers_that_lead_nowhere_are_noted),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
