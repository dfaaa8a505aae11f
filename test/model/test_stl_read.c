#include "text_model.h"

#include "model/bytes.h"

#include <math.h>
#include <stdio.h>

#define FACET "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"

static void solids_are_parts(void **state) {
    (void)state;
    fr_model *model = read_text("solid one of two\n" FACET "endsolid one of two\nSOLID Second\n" FACET FACET
                                "ENDSOLID\nsolid\nendsolid\n",
                                FR_MODEL_AUTO);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->format, FR_MODEL_STL_ASCII);
    assert_int_equal(view->node_count, 3);
    assert_string_equal(view->nodes[0].name, "one of two");
    assert_string_equal(view->nodes[1].name, "Second");
    assert_string_equal(view->nodes[2].name, "");
    assert_int_equal(view->meshes[1].face_count, 2);
    assert_int_equal(view->meshes[1].first_face, 1);
    assert_int_equal(view->meshes[1].vertex_count, 6);
    assert_int_equal(view->meshes[1].corners[5], 5);
    assert_non_null(view->meshes[1].positions_float);
    fr_model_destroy(model);
}

static void words_are_read_in_any_layout(void **state) {
    (void)state;
    fr_model *model =
        read_text("solid x\nFACET NORMAL nan nan nan\n OUTER LOOP VERTEX 0 0 0 vertex 1 0 0\r\nvertex 0 1\n0 "
                  "endloop endfacet facet outer loop\nvertex 0 0 0 vertex 1 0 0 vertex 0 1 0 vertex 0 0 1\n"
                  "endloop\n\n\nendfacet facet normal 1 2 3 outer loop vertex 1 1 1 vertex 2 2 2\n"
                  "vertex 3 3 3 endloop endfacet endsolid",
                  FR_MODEL_STL_ASCII);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->face_count, 3);
    assert_int_equal(view->corner_count, 10);
    assert_int_equal(view->warning_count, 0);
    fr_model_destroy(model);
}

// What follows the layout of the facets before takes another path through the reader; both must say the same.
static void a_change_of_layout_changes_nothing(void **state) {
    (void)state;
    static const char *const blanks[] = {" ", "\n", "  ", "\t\r\n"};
    fr_random random = fr_random_seed(3);
    for (int round = 0; round < 300; round++) {
        char text[20000];
        size_t length = (size_t)snprintf(text, sizeof text, "solid s\n");
        float expected[40 * 9];
        uint64_t style = fr_random_below(&random, 4);
        for (int facet = 0; facet < 40; facet++) {
            if (fr_random_below(&random, 6) == 0) { style = fr_random_below(&random, 4); }
            const char *b = blanks[style];
            length += (size_t)snprintf(text + length, sizeof text - length, "facet%snormal 0 0 %d%souter%sloop%s", " ",
                                       facet, b, " ", b);
            for (int corner = 0; corner < 3; corner++) {
                float *p = expected + 9 * facet + 3 * corner;
                for (int i = 0; i < 3; i++) {
                    p[i] = (float)fr_random_below(&random, 3) * 1000.25f;
                }
                length += (size_t)snprintf(text + length, sizeof text - length, "vertex%s%g%s%g %g%s", b, (double)p[0],
                                           b, (double)p[1], (double)p[2], b);
            }
            length += (size_t)snprintf(text + length, sizeof text - length, "endloop%sendfacet%s", b, b);
            if (fr_random_below(&random, 10) == 0) {
                length += (size_t)snprintf(text + length, sizeof text - length, "endsolid s\nsolid s\n");
            }
        }
        fr_model *model = read_text(text, FR_MODEL_STL_ASCII);
        const fr_model_view *view = fr_model_get(model);
        assert_int_equal(view->face_count, 40);
        const float *p = expected;
        for (uint32_t i = 0; i < view->mesh_count; i++) {
            size_t count = (size_t)9 * view->meshes[i].face_count;
            if (count > 0) { assert_memory_equal(view->meshes[i].positions_float, p, count * sizeof *p); }
            p += count;
        }
        fr_model_destroy(model);
    }
}

static void what_is_out_of_place_is_refused(void **state) {
    (void)state;
    fr_model_format f = FR_MODEL_STL_ASCII;
    refuses("solid\nvertex 0 0 0\n", f, FR_ERROR_SYNTAX, 2, 1, "expected facet");
    refuses("solid\nfacet\nvertex 0 0 0\n", f, FR_ERROR_SYNTAX, 3, 1, "expected outer loop");
    refuses("solid\nfacet\nouter loop\nvertex 0 0 0\nendloop\n", f, FR_ERROR_SYNTAX, 5, 1, "three vertices");
    refuses("solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 0\nendloop\n", f, FR_ERROR_SYNTAX, 6, 1, "endloop");
    refuses("solid\nfacet\nouter loop\nvertex 0 0 inf\n", f, FR_ERROR_NOT_FINITE, 4, 12, "inf");
    refuses("solid\nfacet\nouter loop\nvertex 0 0 1e39\n", f, FR_ERROR_NOT_FINITE, 4, 12, "too large");
    refuses("solid\nfacet\nouter loop\nvertex 0 0 0\nvertexx", f, FR_ERROR_SYNTAX, 5, 1, "vertex or endloop");
    refuses("solid\nfacet\nendsolid\n", f, FR_ERROR_SYNTAX, 3, 1, "endfacet");
    refuses("solid\nfacet normal 0 0 1\nouter", f, FR_ERROR_SYNTAX, 3, 6, "expected loop");
    refuses("solid\n" FACET "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 x 0\n", f,
            FR_ERROR_SYNTAX, 13, 10, "'x'");
    refuses("solid\nfacet\nouter loop\nvertex 0 0 0\n", f, FR_ERROR_SYNTAX, 5, 1, "the end of the file");
}

static void other_lines_are_warnings(void **state) {
    (void)state;
    fr_model *model = read_text("solid a\ncolor 1 0 0\n" FACET "junk", FR_MODEL_STL_ASCII);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->warning_count, 3);
    assert_int_equal(view->warnings[0].line, 2);
    assert_string_equal(view->warnings[2].message, "the file ends without endsolid");
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Binary

// A binary file of `count` triangles, with `more` bytes after them; free it.
static char *binary_file(const char *header, uint32_t count, size_t more, size_t *size) {
    *size = 84 + (size_t)50 * count + more;
    char *bytes = calloc(1, *size);
    assert_non_null(bytes);
    memcpy(bytes, header, strlen(header));
    fr__store_u32(bytes + 80, count);
    for (uint32_t t = 0; t < count; t++) {
        for (uint32_t i = 0; i < 9; i++) {
            fr__store_float(bytes + 84 + 50 * t + 12 + 4 * i, (float)(t * 9 + i) * 0.1f);
        }
    }
    return bytes;
}

static void binary_keeps_every_bit(void **state) {
    (void)state;
    static const char *const headers[] = {"solid part one", "  part one ", "part one"};
    for (int h = 0; h < 3; h++) {
        size_t size;
        char *bytes = binary_file(headers[h], 5, 0, &size);
        fr_model *model;
        assert_int_equal(read_bytes(bytes, size, NULL, &model, NULL), FR_OK);
        const fr_model_view *view = fr_model_get(model);
        assert_int_equal(view->format, FR_MODEL_STL);
        assert_string_equal(view->nodes[0].name, "part one");
        assert_int_equal(view->face_count, 5);
        for (uint32_t i = 0; i < 45; i++) {
            assert_true(view->meshes[0].positions_float[i] == (float)i * 0.1f);
        }
        for (uint32_t i = 0; i < 15; i++) {
            assert_int_equal(view->meshes[0].corners[i], i);
        }
        fr_model_destroy(model);
        free(bytes);
    }
}

static void bytes_after_the_triangles_are_a_warning(void **state) {
    (void)state;
    size_t size;
    char *bytes = binary_file("solid x", 2, 7, &size);
    fr_model_read_input options = fr_default_model_read_input();
    options.name = "x.STL";
    fr_model *model;
    assert_int_equal(read_bytes(bytes, size, &options, &model, NULL), FR_OK);
    assert_int_equal(fr_model_get(model)->warning_count, 1);
    assert_int_equal(fr_model_get(model)->warnings[0].line, 0);
    fr_model_destroy(model);
    free(bytes);
}

static void a_short_binary_file_is_refused(void **state) {
    (void)state;
    size_t size;
    char *bytes = binary_file("x", 3, 0, &size);
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_STL;
    fr_error error;
    fr_model *model;
    for (size_t cut = 1; cut < size; cut += 7) {
        fr_status status = read_bytes(bytes, size - cut, &options, &model, &error);
        assert_int_equal(status, size - cut < 84 ? FR_ERROR_SYNTAX : FR_ERROR_CORRUPT);
    }
    // A promise of 4 G triangles takes no memory.
    fr__store_u32(bytes + 80, UINT32_MAX);
    fr_probe *probe = fr_probe_create();
    options.allocator = fr_probe_allocator(probe);
    assert_int_equal(read_bytes(bytes, size, &options, &model, &error), FR_ERROR_CORRUPT);
    assert_non_null(strstr(error.message, "promises 4294967295 triangles"));
    assert_true(fr_probe_get(probe).peak_bytes < 1000);
    fr_probe_destroy(probe);
    free(bytes);
}

static void text_that_is_no_stl_is_called_so(void **state) {
    (void)state;
    char letter[] =
        "Dear Sir,\nplease find enclosed the model of our new housing, as we said by telephone this morning.\n";
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_STL;
    fr_error error;
    fr_model *model;
    assert_int_equal(read_bytes(letter, sizeof letter - 1, &options, &model, &error), FR_ERROR_SYNTAX);
    assert_non_null(strstr(error.message, "this is text, but STL in text begins with 'solid'"));
    assert_int_equal(read_bytes(letter, 20, &options, &model, &error), FR_ERROR_SYNTAX);
    assert_non_null(strstr(error.message, "20 bytes are neither text that begins with 'solid' nor the 84"));
}

static void not_finite_is_refused_at_its_byte(void **state) {
    (void)state;
    size_t size;
    char *bytes = binary_file("x", 3, 0, &size);
    fr__store_float(bytes + 84 + 50, NAN); // a normal: not looked at
    fr_error error;
    fr_model *model;
    assert_int_equal(read_bytes(bytes, size, NULL, &model, &error), FR_OK);
    fr_model_destroy(model);
    fr__store_float(bytes + 84 + 50 + 12 + 12 + 4, INFINITY);
    assert_int_equal(read_bytes(bytes, size, NULL, &model, &error), FR_ERROR_NOT_FINITE);
    assert_non_null(strstr(error.message, "triangle 1, corner 1, at byte 158"));
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_are_parts),
        cmocka_unit_test(words_are_read_in_any_layout),
        cmocka_unit_test(a_change_of_layout_changes_nothing),
        cmocka_unit_test(what_is_out_of_place_is_refused),
        cmocka_unit_test(other_lines_are_warnings),
        cmocka_unit_test(binary_keeps_every_bit),
        cmocka_unit_test(bytes_after_the_triangles_are_a_warning),
        cmocka_unit_test(a_short_binary_file_is_refused),
        cmocka_unit_test(text_that_is_no_stl_is_called_so),
        cmocka_unit_test(not_finite_is_refused_at_its_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
