// Unit and up axis of files that say neither.
#include "text_model.h"

#include <math.h>
#include <stdio.h>

// A triangle whose longest side along x is `size`, as OBJ.
static fr_model *read_obj(double size, double unit, fr_model_up up, bool may_guess) {
    char text[200];
    snprintf(text, sizeof text, "v 0 0 0\nv %.9g 0 0\nv 0 0 1\nf 1 2 3\n", size);
    fr_model_read_input input = fr_default_model_read_input();
    input.name = "a.obj";
    input.unit = unit;
    input.up = up;
    input.may_guess = may_guess;
    fr_model *model;
    assert_int_equal(fr_model_read(text, strlen(text), &input, &model, NULL), FR_OK);
    return model;
}

static void expect_obj(double size, double unit, fr_model_up up, bool may_guess, double found, fr_model_up found_up) {
    fr_model *model = read_obj(size, unit, up, may_guess);
    const fr_model_view *view = fr_model_get(model);
    assert_true(view->unit == found);
    assert_int_equal(view->up, found_up);
    assert_true(view->is_unit_guessed == (may_guess && unit == 0.0));
    assert_true(view->is_up_guessed == (may_guess && up == FR_MODEL_UP_AS_FILE));
    assert_true(fabs(view->bounds.max.x - (found_up == FR_MODEL_UP_X ? 0.0 : size * found)) <= 1e-12 * size);
    fr_model_destroy(model);
}

static void the_unit_goes_by_the_size(void **state) {
    (void)state;
    expect_obj(10.0, 0.0, FR_MODEL_UP_AS_FILE, true, 1.0, FR_MODEL_UP_Y);
    expect_obj(10.5, 0.0, FR_MODEL_UP_AS_FILE, true, 0.001, FR_MODEL_UP_Y);
    expect_obj(1e-5, 0.0, FR_MODEL_UP_AS_FILE, true, 1.0, FR_MODEL_UP_Y);
    expect_obj(1e30, 0.0, FR_MODEL_UP_AS_FILE, true, 0.001, FR_MODEL_UP_Y);
}

static void what_is_given_is_not_guessed(void **state) {
    (void)state;
    expect_obj(50.0, 0.0254, FR_MODEL_UP_AS_FILE, true, 0.0254, FR_MODEL_UP_Y);
    expect_obj(50.0, 0.0, FR_MODEL_UP_Z, true, 0.001, FR_MODEL_UP_Z);
    expect_obj(50.0, 0.0, FR_MODEL_UP_AS_FILE, false, 1.0, FR_MODEL_UP_AS_FILE);
}

static fr_model_view read_as(const char *text, fr_model_format format, fr_model **model) {
    fr_model_read_input input = fr_default_model_read_input();
    input.format = format;
    input.may_guess = true;
    assert_int_equal(fr_model_read(text, strlen(text), &input, model, NULL), FR_OK);
    return *fr_model_get(*model);
}

static void drawings_have_z_up_and_formats_with_a_frame_keep_it(void **state) {
    (void)state;
    fr_model *model;
    fr_model_view view =
        read_as("solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 100 0 0\nvertex 0 0 40\n"
                "endloop\nendfacet\nendsolid s\n",
                FR_MODEL_STL_ASCII, &model);
    assert_true(view.up == FR_MODEL_UP_Z && view.unit == 0.001);
    // What pointed along z in the file points up, 40 mm of it.
    assert_true(fabs(view.bounds.max.y - 0.04) < 1e-12);
    fr_model_destroy(model);
    view = read_as("#VRML V2.0 utf8\nShape { geometry Box { size 100 100 100 } }\n", FR_MODEL_VRML, &model);
    assert_true(!view.is_unit_guessed && !view.is_up_guessed && view.unit == 1.0);
    fr_model_destroy(model);
}

static void units_have_names(void **state) {
    (void)state;
    assert_true(fr_model_unit_of_text("mm") == 0.001 && fr_model_unit_of_text("ft") == 0.3048);
    assert_true(fr_model_unit_of_text("2.5") == 2.5 && fr_model_unit_of_text("1e9") == 1e9);
    static const char *const wrong[] = {"", "MM", "mm ", "-1", "0", "1e10", "nan", "inf", "1 m"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_true(fr_model_unit_of_text(wrong[i]) == 0.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_unit_goes_by_the_size),
        cmocka_unit_test(what_is_given_is_not_guessed),
        cmocka_unit_test(drawings_have_z_up_and_formats_with_a_frame_keep_it),
        cmocka_unit_test(units_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
