#include "text_model.h"

static void polygons_and_their_colours_are_read(void **state) {
    (void)state;
    fr_model *model = read_text("# first\nOFF # word\n4 5 0\n0 0 0\n1 0 0\n# between\n1 1 0\n0 1 0.1\n3 0 1 2\n"
                                "4 0 1 2 3 255 128 0\n3 0 1 2 0.5 0.25 1.0 0.5 # colour\n3 2 1 0 7\n3 0 2 3 1 2 3 4\n",
                                FR_MODEL_AUTO);
    const fr_model_view *view = fr_model_get(model);
    const fr_model_mesh *mesh = &view->meshes[0];
    assert_int_equal(view->format, FR_MODEL_OFF);
    assert_int_equal(view->face_count, 5);
    assert_true(mesh->positions_double[11] == 0.1);
    assert_int_equal(mesh->face_colors[0].r, 204);
    assert_int_equal(mesh->face_colors[1].g, 128);
    assert_int_equal(mesh->face_colors[1].a, 255);
    assert_int_equal(mesh->face_colors[2].r, 128);
    assert_int_equal(mesh->face_colors[2].b, 255);
    assert_int_equal(mesh->face_colors[2].a, 128);
    assert_int_equal(mesh->face_colors[3].r, 204);
    assert_int_equal(mesh->face_colors[4].a, 4);
    assert_int_equal(view->warning_count, 0);
    fr_model_destroy(model);
}

static void the_word_in_front_has_variants(void **state) {
    (void)state;
    static const char *const words[] = {"OFF\n",   "OFF ",    "off\n",       "COFF\n", "NOFF\n",
                                        "CNOFF\n", "STOFF\n", "STCNOFF\r\n", ""};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s3 1\n0 0 0 9 9 9\n1 0 0 9 9\n0 1 0\n3 0 1 2\n", words[i]);
        fr_model *model = read_text(text, FR_MODEL_OFF);
        assert_int_equal(fr_model_get(model)->face_count, 1);
        assert_true(fr_model_get(model)->bounds.max.x == 1.0);
        fr_model_destroy(model);
    }
}

static void other_dimensions_and_binary_are_refused_politely(void **state) {
    (void)state;
    refuses("4OFF\n1 0 0\n0 0 0 0\n", FR_MODEL_OFF, FR_ERROR_UNSUPPORTED, 1, 1, "three dimensions");
    refuses("nOFF\n5\n1 0 0\n", FR_MODEL_AUTO, FR_ERROR_UNSUPPORTED, 1, 1, "three dimensions");
    refuses("C4nOFF\n", FR_MODEL_OFF, FR_ERROR_UNSUPPORTED, 1, 1, "three dimensions");
    refuses("OFF BINARY\n", FR_MODEL_OFF, FR_ERROR_UNSUPPORTED, 1, 5, "binary OFF");
}

static void small_polygons_are_passed_over_with_their_number(void **state) {
    (void)state;
    fr_model *model = read_text("OFF 3 4 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n2 0 1\n0\n3 2 1 0\n", FR_MODEL_OFF);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 2);
    assert_int_equal(view->face_count, 2);
    assert_int_equal(view->meshes[0].face_ids[0], 0);
    assert_int_equal(view->meshes[0].face_ids[1], 3);
    fr_model_destroy(model);
}

static void wrong_files_are_refused_at_their_place(void **state) {
    (void)state;
    fr_model_format f = FR_MODEL_OFF;
    refuses("", f, FR_ERROR_SYNTAX, 1, 1, "the end of the file");
    refuses("OF\n", f, FR_ERROR_SYNTAX, 1, 1, "'OF'");
    refuses("OFF\nx\n", f, FR_ERROR_SYNTAX, 2, 1, "count of vertices");
    refuses("OFF\n1 x\n", f, FR_ERROR_SYNTAX, 2, 3, "count of polygons");
    refuses("OFF\n-1 0 0\n", f, FR_ERROR_CORRUPT, 2, 1, "below 0");
    refuses("OFF\n4000000000 1 0\n0 0 0\n", f, FR_ERROR_CORRUPT, 2, 1, "promises 4000000000 vertices");
    refuses("OFF\n1 4000000000 0\n0 0 0\n", f, FR_ERROR_CORRUPT, 2, 3, "promises 4000000000 polygons");
    refuses("OFF\n1 1 0\n0 0 0\n3 0 0 1\n", f, FR_ERROR_CORRUPT, 4, 7, "vertex 1 of 1");
    refuses("OFF\n1 1 0\n0 0 0\n3 0 0 -1\n", f, FR_ERROR_CORRUPT, 4, 7, "vertex -1");
    refuses("OFF\n1 1 0\n0 0 0\n-3 0 0 0\n", f, FR_ERROR_CORRUPT, 4, 1, "below 0");
    refuses("OFF\n1 1 0\n0 0 0\n3 0 0\n", f, FR_ERROR_SYNTAX, 5, 1, "the end of the file");
    refuses("OFF\n1 1 0\n0 nan 0\n3 0 0 0\n", f, FR_ERROR_NOT_FINITE, 3, 3, "nan");
    refuses("OFF\n1 1 0\n0 0 0\n3 0 0 0 1 2 3 4 5\n", f, FR_ERROR_SYNTAX, 4, 17, "more than 4");
}

static void what_follows_is_a_warning(void **state) {
    (void)state;
    fr_model *model = read_text("OFF\n1 0 0\n0 0 0\nmore\n", FR_MODEL_OFF);
    assert_int_equal(fr_model_get(model)->warning_count, 2);
    assert_int_equal(fr_model_get(model)->warnings[0].line, 4);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_and_their_colours_are_read),
        cmocka_unit_test(the_word_in_front_has_variants),
        cmocka_unit_test(other_dimensions_and_binary_are_refused_politely),
        cmocka_unit_test(small_polygons_are_passed_over_with_their_number),
        cmocka_unit_test(wrong_files_are_refused_at_their_place),
        cmocka_unit_test(what_follows_is_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
