#include "text_model.h"

#include "model/bytes.h"

#include <math.h>

#define VERTEX "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
#define FACE "element face 2\nproperty list uchar int vertex_indices\n"
#define POINTS "0 0 0\n1 0 0\n1 1 0\n0 1 0.1\n"

static void text_is_read(void **state) {
    (void)state;
    fr_model *model = read_text("ply\nformat ascii 1.0\ncomment x\nobj_info y\n" VERTEX FACE "end_header\n" POINTS
                                "3 0 1 2\n4 0 1 2 3\n",
                                FR_MODEL_AUTO);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->format, FR_MODEL_PLY_ASCII);
    assert_int_equal(view->face_count, 2);
    assert_int_equal(view->triangle_count, 3);
    assert_true(view->meshes[0].positions_float[11] == 0.1f);
    assert_int_equal(fr_model_face_begin(&view->meshes[0], 1), 3);
    assert_int_equal(fr_model_face_end(&view->meshes[0], 1), 7);
    assert_int_equal(view->warning_count, 0);
    fr_model_destroy(model);
}

static void properties_come_in_any_order_and_type(void **state) {
    (void)state;
    fr_model *model = read_text(
        "ply\r\nformat ascii 1.0\r\nelement material 1\r\nproperty list uchar uchar name\r\nproperty int a\r\n"
        "element face 1\r\nproperty uchar red\r\nproperty list ushort uint vertex_index\r\nproperty float q\r\n"
        "property uchar green\r\nproperty uchar blue\r\nelement vertex 3\r\nproperty double z\r\n"
        "property list uchar float junk\r\nproperty uchar x\r\nproperty short y\r\nelement nothing 4000000000\r\n"
        "end_header\r\n3 65 66 67 9\r\n10 3 2 1 0 nan 20 30\r\n0.1 2 5 6 1 2\r\n0.2 0 3 -4\r\n0.3 1 7 5 6\r\n",
        FR_MODEL_PLY);
    const fr_model_view *view = fr_model_get(model);
    const fr_model_mesh *mesh = &view->meshes[0];
    assert_int_equal(mesh->vertex_count, 3);
    assert_true(mesh->positions_double[2] == 0.1 && mesh->positions_double[3] == 3.0);
    assert_true(mesh->positions_double[4] == -4.0 && mesh->positions_double[7] == 6.0);
    assert_int_equal(mesh->corners[0], 2);
    assert_int_equal(mesh->face_colors[0].r, 10);
    assert_int_equal(mesh->face_colors[0].b, 30);
    assert_int_equal(mesh->face_colors[0].a, 255);
    fr_model_destroy(model);
}

static void put_u32(fr_array *bytes, uint32_t value, bool big_endian) {
    char four[4];
    fr__store_u32(four, big_endian ? __builtin_bswap32(value) : value);
    push_bytes(four, 4, bytes);
}

static void put_float(fr_array *bytes, float value, bool big_endian) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put_u32(bytes, bits, big_endian);
}

static void put_double(fr_array *bytes, double value, bool big_endian) {
    uint64_t bits;
    memcpy(&bits, &value, 8);
    put_u32(bytes, (uint32_t)(big_endian ? bits >> 32 : bits), big_endian);
    put_u32(bytes, (uint32_t)(big_endian ? bits : bits >> 32), big_endian);
}

static fr_array binary_file(bool big_endian, double z) {
    fr_array bytes = fr_array_make(1, NULL);
    const char *first = big_endian ? "ply\nformat binary_big_endian 1.0\n" : "ply\nformat binary_little_endian 1.0\n";
    const char *rest = "element vertex 3\nproperty float x\nproperty uchar skip\nproperty float y\nproperty double z\n"
                       "element face 2\nproperty list uint8 int32 vertex_indices\nend_header\n";
    push_bytes(first, strlen(first), &bytes);
    push_bytes(rest, strlen(rest), &bytes);
    for (int i = 0; i < 3; i++) {
        put_float(&bytes, 0.1f * (float)i, big_endian);
        push_bytes("\r", 1, &bytes);
        put_float(&bytes, -0.2f * (float)i, big_endian);
        put_double(&bytes, i == 2 ? z : 0.3, big_endian);
    }
    for (uint32_t f = 0; f < 2; f++) {
        push_bytes("\3", 1, &bytes);
        for (uint32_t i = 0; i < 3; i++) {
            put_u32(&bytes, f == 0 ? i : 2 - i, big_endian);
        }
    }
    return bytes;
}

static void binary_of_both_byte_orders_is_read(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        fr_array bytes = binary_file(big != 0, 0.1);
        fr_model *model;
        assert_int_equal(read_bytes(bytes.data, bytes.count, NULL, &model, NULL), FR_OK);
        const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
        assert_int_equal(fr_model_get(model)->format, FR_MODEL_PLY);
        assert_true(mesh->positions_double[3] == (double)0.1f && mesh->positions_double[8] == 0.1);
        assert_true(mesh->positions_double[7] == (double)(-0.2f * 2.0f));
        assert_int_equal(mesh->corners[3], 2);
        fr_model_destroy(model);
        // Every shorter file is refused.
        for (size_t size = 0; size < bytes.count; size++) {
            fr_model_read_input options = fr_default_model_read_input();
            options.format = FR_MODEL_PLY;
            assert_int_not_equal(read_bytes(bytes.data, size, &options, &model, NULL), FR_OK);
        }
        fr_array_destroy(&bytes);
    }
}

static void binary_errors_name_the_byte(void **state) {
    (void)state;
    fr_array bytes = binary_file(true, NAN);
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(bytes.data, bytes.count, NULL, &model, &error), FR_ERROR_NOT_FINITE);
    assert_non_null(strstr(error.message, "at byte "));
    assert_int_equal(error.line, 0);
    fr_array_destroy(&bytes);
    bytes = binary_file(false, 1.0);
    ((char *)bytes.data)[bytes.count - 1] = 1;
    assert_int_equal(read_bytes(bytes.data, bytes.count, NULL, &model, &error), FR_ERROR_CORRUPT);
    assert_non_null(strstr(error.message, "a corner names a vertex that is not there, at byte"));
    fr_array_destroy(&bytes);
}

static void strips_become_triangles(void **state) {
    (void)state;
    fr_model *model = read_text("ply\nformat ascii 1.0\n" VERTEX "element tristrips 1\n"
                                "property list int int vertex_indices\nend_header\n" POINTS "9 0 1 2 3 -1 3 2 1 -1\n",
                                FR_MODEL_PLY);
    const uint32_t expected[] = {0, 1, 2, 2, 1, 3, 3, 2, 1};
    assert_int_equal(fr_model_get(model)->face_count, 3);
    assert_memory_equal(fr_model_get(model)->meshes[0].corners, expected, sizeof expected);
    fr_model_destroy(model);
}

static void rows_longer_than_the_header_are_a_warning(void **state) {
    (void)state;
    fr_model *model =
        read_text("ply\nformat ascii 1.0\n" VERTEX FACE "end_header\n" POINTS "3 0 1 2 9 9\n2 0 1\n", FR_MODEL_PLY);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 2);
    assert_int_equal(view->warnings[0].line, 14);
    assert_int_equal(view->warnings[0].column, 9);
    assert_int_equal(view->face_count, 1);
    fr_model_destroy(model);
}

static void wrong_headers_are_refused_at_their_place(void **state) {
    (void)state;
    fr_model_format f = FR_MODEL_PLY;
    refuses("plx\n", f, FR_ERROR_SYNTAX, 1, 1, "expected ply");
    refuses("ply\n", f, FR_ERROR_SYNTAX, 2, 1, "end_header");
    refuses("ply\nformat ascii 2.0\n", f, FR_ERROR_SYNTAX, 2, 14, "version 1.0");
    refuses("ply\nformat text 1.0\n", f, FR_ERROR_SYNTAX, 2, 8, "'text'");
    refuses("ply\nproperty float x\n", f, FR_ERROR_SYNTAX, 2, 1, "an element before");
    refuses("ply\nelement vertex -1\n", f, FR_ERROR_CORRUPT, 2, 16, "below 0");
    refuses("ply\nelement vertex 1\nproperty flot x\n", f, FR_ERROR_SYNTAX, 3, 10, "'flot'");
    refuses("ply\nelement vertex 1\nproperty list float int x\n", f, FR_ERROR_SYNTAX, 3, 10, "whole number");
    refuses("ply\nelement vertex 1\nproperty float x\nproperty int x\n", f, FR_ERROR_CORRUPT, 4, 14, "before");
    refuses("ply\nelement vertex 1\nelement vertex 1\n", f, FR_ERROR_CORRUPT, 3, 9, "before");
    refuses("ply\nelement face 1\nproperty list uchar float vertex_indices\n", f, FR_ERROR_SYNTAX, 3, 10, "corners");
    refuses("ply\n" VERTEX "end_header\n", f, FR_ERROR_SYNTAX, 1, 1, "no format");
    refuses("ply\nformat ascii 1.0\nelement vertex 0\nend_header\n", f, FR_ERROR_CORRUPT, 3, 9, "no x, y and z");
    refuses("ply\nformat ascii 1.0\n" VERTEX "element face 1\nproperty int a\nend_header\n" POINTS "1\n", f,
            FR_ERROR_CORRUPT, 7, 9, "vertex_indices");
    refuses("ply\nformat ascii 1.0\nend_header\n", f, FR_ERROR_CORRUPT, 1, 1, "no element vertex");
    refuses("ply\nformat ascii 1.0\nwhat\n", f, FR_ERROR_SYNTAX, 3, 1, "'what'");
}

static void promises_take_no_memory(void **state) {
    (void)state;
    refuses("ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\n"
            "end_header\n0 0 0\n",
            FR_MODEL_PLY, FR_ERROR_CORRUPT, 3, 9, "promises 4000000000 rows");
    refuses("ply\nformat ascii 1.0\n" VERTEX "element face 1\nproperty list int int vertex_indices\nend_header\n" POINTS
            "2000000000 0 1 2\n",
            FR_MODEL_PLY, FR_ERROR_SYNTAX, 15, 1, "the end of the file");
}

static void wrong_rows_are_refused_at_their_place(void **state) {
    (void)state;
    refuses("ply\nformat ascii 1.0\n" VERTEX FACE "end_header\n" POINTS "3 0 1 4\n3 0 1 2\n", FR_MODEL_PLY,
            FR_ERROR_CORRUPT, 14, 6, "a vertex that is not there");
    refuses("ply\nformat ascii 1.0\n" VERTEX FACE "end_header\n" POINTS "3 0 1 -1\n3 0 1 2\n", FR_MODEL_PLY,
            FR_ERROR_CORRUPT, 14, 6, "vertex -1");
    refuses("ply\nformat ascii 1.0\n" VERTEX FACE "end_header\n0 0 0\n0 0 nan\n0 0 0\n0 0 0\n3 0 1 2\n3 0 1 2\n",
            FR_MODEL_PLY, FR_ERROR_NOT_FINITE, 11, 5, "nan");
    refuses("ply\nformat ascii 1.0\n" VERTEX FACE "end_header\n" POINTS "3 0 1 2\n", FR_MODEL_PLY, FR_ERROR_SYNTAX, 15,
            1, "the end of the file");
}

// Also where vertices come after the polygons; a normal that is no number leaves its corner the polygon's own.
static void normals_of_vertices_are_read(void **state) {
    (void)state;
    static const char *const files[] = {
        "ply\nformat ascii 1.0\n" VERTEX "property float nx\nproperty double ny\nproperty float nz\n" FACE
        "end_header\n0 0 0 0 0 2\n1 0 0 3 0 4\n1 1 0 nan 0 0\n0 1 0 0 0 0\n3 0 1 2\n4 0 1 2 3\n",
        "ply\nformat ascii 1.0\n" FACE VERTEX "property float nx\nproperty double ny\nproperty float nz\n"
        "end_header\n3 0 1 2\n4 0 1 2 3\n0 0 0 0 0 2\n1 0 0 3 0 4\n1 1 0 1e999 0 0\n0 1 0 0x 0 0\n"};
    for (int i = 0; i < 2; i++) {
        fr_model *model = read_text(files[i], FR_MODEL_PLY);
        const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
        const float expected[21] = {0, 0, 1, 0.6f, 0, 0.8f, 0, 0, 1, 0, 0, 1, 0.6f, 0, 0.8f, 0, 0, 1, 0, 0, 1};
        assert_non_null(mesh->corner_normals);
        assert_memory_equal(mesh->corner_normals, expected, sizeof expected);
        fr_model_destroy(model);
    }
    // Two of three are none.
    fr_model *model = read_text("ply\nformat ascii 1.0\n" VERTEX "property float nx\nproperty float nz\n" FACE
                                "end_header\n0 0 0 0 2\n1 0 0 3 4\n1 1 0 0 0\n0 1 0 0 0\n3 0 1 2\n4 0 1 2 3\n",
                                FR_MODEL_PLY);
    assert_null(fr_model_get(model)->meshes[0].corner_normals);
    fr_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read),
        cmocka_unit_test(properties_come_in_any_order_and_type),
        cmocka_unit_test(binary_of_both_byte_orders_is_read),
        cmocka_unit_test(binary_errors_name_the_byte),
        cmocka_unit_test(strips_become_triangles),
        cmocka_unit_test(rows_longer_than_the_header_are_a_warning),
        cmocka_unit_test(wrong_headers_are_refused_at_their_place),
        cmocka_unit_test(promises_take_no_memory),
        cmocka_unit_test(wrong_rows_are_refused_at_their_place),
        cmocka_unit_test(normals_of_vertices_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
