#include "text_model.h"

static const char two_objects[] =
    "# two\nmtllib a.mtl\no first thing \nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n"
    "o second\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nusemtl blue\nf 4 5 6 7\nf -4 -3 -2\n";

static void parts_are_the_objects(void **state) {
    (void)state;
    fr_model *model = read_text(two_objects, FR_MODEL_AUTO);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->format, FR_MODEL_OBJ);
    assert_int_equal(view->node_count, 2);
    assert_string_equal(view->nodes[0].name, "first thing");
    assert_string_equal(view->nodes[1].name, "second");
    assert_int_equal(view->nodes[1].parent, FR_NONE);
    const fr_model_mesh *mesh = &view->meshes[view->nodes[1].mesh];
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->face_count, 2);
    assert_int_equal(mesh->first_face, 1);
    assert_null(mesh->face_ids);
    const uint32_t corners[] = {0, 1, 2, 3, 0, 1, 2};
    assert_memory_equal(mesh->corners, corners, sizeof corners);
    assert_int_equal(fr_model_face_end(mesh, 0), 4);
    assert_true(mesh->positions_double[3] == 1.0 && mesh->positions_double[5] == 1.0);
    assert_int_equal(view->material_count, 2);
    assert_string_equal(view->materials[mesh->face_materials[0]].name, "blue");
    assert_int_equal(view->warning_count, 1); // the library is not there
    assert_int_equal(view->triangle_count, 4);
    assert_true(view->bounds.max.z == 1.0 && view->bounds.min.x == 0.0);
    fr_model_destroy(model);
}

static void without_objects_parts_are_the_groups_by_name(void **state) {
    (void)state;
    fr_model *model = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\ng default\ng a b\nf 1 2 3\ng c\nf 3 2 1\nf 4 2 1\n"
                                "g a b\nf 2 3 1\n",
                                FR_MODEL_OBJ);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 2);
    assert_string_equal(view->nodes[0].name, "a b");
    assert_string_equal(view->nodes[1].name, "c");
    const fr_model_mesh *first = &view->meshes[0], *second = &view->meshes[1];
    assert_int_equal(first->face_count, 2);
    assert_int_equal(first->face_ids[0], 0);
    assert_int_equal(first->face_ids[1], 3);
    assert_int_equal(second->face_ids[0], 1);
    assert_int_equal(first->vertex_count, 3);
    assert_int_equal(second->vertex_count, 4);
    assert_int_equal(second->corners[3], 3);
    fr_model_destroy(model);
}

static void one_part_keeps_every_vertex(void **state) {
    (void)state;
    fr_model *model = read_text("v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\ng only\nf 2 3 4\nv 8 8 8\n", FR_MODEL_OBJ);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->vertex_count, 5);
    assert_int_equal(view->meshes[0].corners[0], 1);
    assert_string_equal(view->nodes[0].name, "only");
    fr_model_destroy(model);
}

static void every_form_of_corner_is_read(void **state) {
    (void)state;
    fr_model *model = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2//1 3/1\nf 1/ 2// 3/1/\n"
                                "f -3/-1/-1 -2//-1 -1\nf 1\\\n 2 \\\r\n3\nf\t1   2\t3 # a comment\n  f 1 2 3",
                                FR_MODEL_OBJ);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->face_count, 6);
    for (uint32_t i = 0; i < 18; i++) {
        assert_int_equal(view->meshes[0].corners[i], i % 3);
    }
    assert_null(view->meshes[0].face_starts);
    fr_model_destroy(model);
}

static void vertices_may_follow_their_polygons(void **state) {
    (void)state;
    fr_model_destroy(read_text("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", FR_MODEL_OBJ));
    refuses("v 0 0 0\nf 1 1 1\n f 1 7 1\nv 0 0 0\n", FR_MODEL_OBJ, FR_ERROR_CORRUPT, 3, 6,
            "vertex 7, but the file has 2");
}

static void lines_end_with_lf_crlf_or_cr(void **state) {
    (void)state;
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (int i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text, "v 0 0 0%sv 1 0 0%sv 0 1 0%s%sf 1 2 3%so x%sf 1 2 x%s", ends[i], ends[i], ends[i],
                 ends[i], ends[i], ends[i], ends[i]);
        refuses(text, FR_MODEL_OBJ, FR_ERROR_SYNTAX, 7, 7, "found 'x'");
    }
}

static void coordinates_have_their_exact_bits(void **state) {
    (void)state;
    const char *text = "v 0.1 1e-320 -0\nv .5 5. +1e+05\nv 123456789.123456789 1 1\nf 1 2 3\n";
    fr_model *model = read_text(text, FR_MODEL_OBJ);
    const double *p = fr_model_get(model)->meshes[0].positions_double;
    assert_true(p[0] == 0.1 && p[1] == 1e-320 && p[2] == 0.0 && signbit(p[2]));
    assert_true(p[3] == 0.5 && p[4] == 5.0 && p[5] == 1e5 && p[6] == 123456789.123456789);
    fr_model_destroy(model);
    fr_model_read_input options = fr_default_model_read_input();
    options.precision = FR_MODEL_FLOAT;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, NULL), FR_OK);
    const float *q = fr_model_get(model)->meshes[0].positions_float;
    assert_true(q[0] == 0.1f && q[6] == 123456789.123456789f);
    assert_null(fr_model_get(model)->meshes[0].positions_double);
    fr_model_destroy(model);
}

static void weights_and_colours_may_follow_a_position(void **state) {
    (void)state;
    fr_model *model =
        read_text("v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 0.5 0.5 0.5\nv 0 0 1 2\nf 1 2 3\n", FR_MODEL_OBJ);
    assert_int_equal(fr_model_get(model)->warning_count, 1);
    assert_int_equal(fr_model_get(model)->warnings[0].line, 4);
    fr_model_destroy(model);
    refuses("v 0 0 0 1 1\n", FR_MODEL_OBJ, FR_ERROR_SYNTAX, 1, 9, "2 numbers after x y z");
    refuses("v 0 0 0 a\n", FR_MODEL_OBJ, FR_ERROR_SYNTAX, 1, 9, "'a'");
}

static void what_is_not_known_is_a_warning(void **state) {
    (void)state;
    fr_model *model = read_text("v 0 0 0\ncurv 0 1 \\\n 2\nl 1 1\np 1\ns off\nf 1 1\nf 1 1 1\nf\n", FR_MODEL_OBJ);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 5);
    assert_string_equal(view->warnings[0].message, "statement 'curv' is passed over");
    assert_int_equal(view->warnings[0].line, 2);
    assert_string_equal(view->warnings[3].message, "a polygon of 2 corners is passed over");
    assert_int_equal(view->face_count, 1);
    // Its number in the file stays its own.
    assert_int_equal(view->meshes[0].first_face, 1);
    fr_model_destroy(model);
}

static void a_comment_that_ends_with_a_backslash_hides_nothing(void **state) {
    (void)state;
    fr_model *model = read_text("# saved to C:\\models\\\nv 0 0 0\nv 1 0 0 # x \\\nv 0 1 0\nf 1 2 3\n", FR_MODEL_OBJ);
    assert_int_equal(fr_model_get(model)->vertex_count, 3);
    fr_model_destroy(model);
}

static void wrong_numbers_are_refused_at_their_place(void **state) {
    (void)state;
    refuses("v 0 0\nf 1 1 1\n", FR_MODEL_OBJ, FR_ERROR_SYNTAX, 1, 6, "the end of the line");
    refuses("v 0 0 nan\n", FR_MODEL_OBJ, FR_ERROR_NOT_FINITE, 1, 7, "'nan'");
    refuses("\n\n v 0 -inf 0\n", FR_MODEL_OBJ, FR_ERROR_NOT_FINITE, 3, 6, "'-inf'");
    refuses("v 0 1e999 0\n", FR_MODEL_OBJ, FR_ERROR_NOT_FINITE, 1, 5, "too large");
    refuses("v 0 1.2.3 0\n", FR_MODEL_OBJ, FR_ERROR_SYNTAX, 1, 5, "'1.2.3'");
    refuses("v 0 0 0\nf 1 0 1\n", FR_MODEL_OBJ, FR_ERROR_CORRUPT, 2, 5, "counts vertices from 1");
    refuses("v 0 0 0\nf 1 -2 1\n", FR_MODEL_OBJ, FR_ERROR_CORRUPT, 2, 5, "vertex -2");
    refuses("v 0 0 0\nf 1 99999999999999999999 1\n", FR_MODEL_OBJ, FR_ERROR_CORRUPT, 2, 5, "the file has 1");
    refuses("v 0 0 0\nf 1/1/1/1 1 1\n", FR_MODEL_OBJ, FR_ERROR_SYNTAX, 2, 8, "'/1'");
    refuses("v 0 0 0\nf 1.5 1 1\n", FR_MODEL_OBJ, FR_ERROR_SYNTAX, 2, 4, "a corner is v");
}

static void no_polygon_is_a_warning(void **state) {
    (void)state;
    fr_model *model = read_text("v 1 2 3\n", FR_MODEL_OBJ);
    assert_int_equal(fr_model_get(model)->vertex_count, 1);
    assert_int_equal(fr_model_get(model)->face_count, 0);
    assert_int_equal(fr_model_get(model)->warning_count, 1);
    fr_model_destroy(model);
    model = read_text("", FR_MODEL_OBJ);
    assert_int_equal(fr_model_get(model)->node_count, 1);
    fr_model_destroy(model);
}

static void expect_normal(const fr_model_mesh *mesh, uint32_t corner, float x, float y, float z) {
    const float *n = mesh->corner_normals + 3 * (size_t)corner;
    assert_true(n[0] == x && n[1] == y && n[2] == z);
}

// Normals become unit; one that is none, zero or not there leaves its corner the polygon's own.
static void normals_stand_at_corners(void **state) {
    (void)state;
    fr_model *model = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 2\nvn 3 0 4\nvn 0 0 0\nvn 1 y 0\n"
                                "f 1//2 2/9/1 3//-3\nf 1 2//3 3//4\nf 1//9 3//2 2\n",
                                FR_MODEL_OBJ);
    const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
    assert_non_null(mesh->corner_normals);
    expect_normal(mesh, 0, 0.6f, 0, 0.8f);
    expect_normal(mesh, 1, 0, 0, 1);
    expect_normal(mesh, 2, 0.6f, 0, 0.8f);
    for (uint32_t c = 3; c < 6; c++) {
        expect_normal(mesh, c, 0, 0, 1);
    }
    expect_normal(mesh, 6, 0, 0, -1);
    expect_normal(mesh, 7, 0.6f, 0, 0.8f);
    expect_normal(mesh, 8, 0, 0, -1);
    assert_int_equal(fr_model_get(model)->warning_count, 1);
    fr_model_destroy(model);
}

// Each part has its own, or none.
static void normals_go_with_the_parts(void **state) {
    (void)state;
    fr_model *model = read_text("o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nvn 0 1 0\nvn 1 0 0\nf 3//1 2//2 1//1\n"
                                "o c\nf 2//2 3//2 1//1\n",
                                FR_MODEL_OBJ);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->mesh_count, 3);
    assert_null(view->meshes[0].corner_normals);
    expect_normal(&view->meshes[1], 1, 1, 0, 0);
    expect_normal(&view->meshes[1], 2, 0, 1, 0);
    expect_normal(&view->meshes[2], 0, 1, 0, 0);
    expect_normal(&view->meshes[2], 2, 0, 1, 0);
    fr_model_destroy(model);
    model = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1 2 3\n", FR_MODEL_OBJ);
    assert_null(fr_model_get(model)->meshes[0].corner_normals);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_the_objects),
        cmocka_unit_test(without_objects_parts_are_the_groups_by_name),
        cmocka_unit_test(one_part_keeps_every_vertex),
        cmocka_unit_test(every_form_of_corner_is_read),
        cmocka_unit_test(vertices_may_follow_their_polygons),
        cmocka_unit_test(lines_end_with_lf_crlf_or_cr),
        cmocka_unit_test(coordinates_have_their_exact_bits),
        cmocka_unit_test(weights_and_colours_may_follow_a_position),
        cmocka_unit_test(what_is_not_known_is_a_warning),
        cmocka_unit_test(a_comment_that_ends_with_a_backslash_hides_nothing),
        cmocka_unit_test(wrong_numbers_are_refused_at_their_place),
        cmocka_unit_test(no_polygon_is_a_warning),
        cmocka_unit_test(normals_stand_at_corners),
        cmocka_unit_test(normals_go_with_the_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
