// Drawings: faces, meshes of three kinds, blocks set in, text and binary; drawings without a face are refused.
#include "text_model.h"

// Pairs in text: "0 SECTION; 2 ENTITIES; ..." becomes lines.
static char *lines_of(const char *pairs) {
    char *text = malloc(strlen(pairs) + 2), *to = text;
    assert_non_null(text);
    bool in_code = true;
    for (const char *p = pairs; *p != '\0'; p++) {
        if (*p == ';') {
            *to++ = '\n';
            in_code = true;
            p += p[1] == ' ';
        } else if (*p == ' ' && in_code) {
            *to++ = '\n';
            in_code = false;
        } else {
            *to++ = *p;
        }
    }
    *to++ = '\n';
    *to = '\0';
    return text;
}

static fr_status read_pairs(const char *pairs, fr_model **model, fr_error *error) {
    char *text = lines_of(pairs);
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_DXF;
    fr_status status = read_bytes(text, strlen(text), &options, model, error);
    free(text);
    return status;
}

static fr_model *model_of(const char *pairs) {
    fr_model *model;
    fr_error error;
    if (read_pairs(pairs, &model, &error) != FR_OK) { fail_msg("%d:%d: %s", error.line, error.column, error.message); }
    return model;
}

static void refuses_pairs(const char *pairs, fr_status status, int line, const char *words) {
    fr_model *model;
    fr_error error;
    assert_int_equal(read_pairs(pairs, &model, &error), status);
    if (strstr(error.message, words) == NULL) { fail_msg("'%s' in '%s'", words, error.message); }
    assert_int_equal(error.line, line);
}

#define BEGIN "0 SECTION; 2 ENTITIES; "
#define END "; 0 ENDSEC; 0 EOF"
#define TRIANGLE "10 0; 20 0; 30 0; 11 1; 21 0; 31 0; 12 0; 22 1; 32 0; 13 0; 23 1; 33 0"
#define SQUARE "10 0; 20 0; 30 0; 11 1; 21 0; 31 0; 12 1; 22 1; 32 0; 13 0; 23 1; 33 0"

static void faces_of_layers_are_parts(void **state) {
    (void)state;
    fr_model *model = model_of(BEGIN "0 3DFACE; 8 walls; " TRIANGLE "; 0 3DFACE; 8 roof; " SQUARE
                                     "; 0 LINE; 8 walls; 10 0; 20 0; 11 1; 21 1; 0 3DFACE; 8 walls; " SQUARE END);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 2);
    assert_string_equal(view->nodes[0].name, "walls");
    assert_string_equal(view->nodes[1].name, "roof");
    const fr_model_mesh *walls = &view->meshes[0];
    assert_int_equal(walls->face_count, 2);
    assert_int_equal(walls->vertex_count, 7);
    assert_int_equal(walls->face_ids[0], 0);
    assert_int_equal(walls->face_ids[1], 2);
    assert_int_equal(view->triangle_count, 5);
    assert_int_equal(view->line_count, 1);
    assert_non_null(walls->positions_double);
    assert_true(view->bounds.max.x == 1.0 && view->bounds.max.z == 0.0);
    fr_model_destroy(model);
}

static void faces_without_area_are_passed_over(void **state) {
    (void)state;
    fr_model *model = model_of(BEGIN "0 3DFACE; 8 0; 10 1; 20 0; 30 0; 11 1; 21 0; 31 0; 12 2; 22 1; 32 0; 13 2; 23 1; "
                                     "33 0; 0 3DFACE; 8 0; " TRIANGLE END);
    assert_int_equal(fr_model_get(model)->face_count, 1);
    assert_int_equal(fr_model_get(model)->warning_count, 1);
    assert_int_equal(fr_model_get(model)->warnings[0].line, 6);
    assert_int_equal(fr_model_get(model)->meshes[0].first_face, 1);
    fr_model_destroy(model);
}

#define VERTEX(x, y, z, flags) "; 0 VERTEX; 8 0; 10 " x "; 20 " y "; 30 " z "; 70 " flags
#define FACE(a, b, c, d) "; 0 VERTEX; 8 0; 70 128; 71 " a "; 72 " b "; 73 " c "; 74 " d

static void polyfaces_have_their_vertices(void **state) {
    (void)state;
    fr_model *model = model_of(BEGIN "0 POLYLINE; 8 0; 66 1; 70 64; 71 4; 72 3" VERTEX("0", "0", "0", "192")
                                   VERTEX("1", "0", "0", "192") VERTEX("1", "1", "0", "192")
                                       VERTEX("0", "1", "0", "192") FACE("1", "2", "-3", "4") FACE("1", "2", "3", "0")
                                           FACE("1", "2", "0", "0") "; 0 SEQEND; 8 0" END);
    const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->face_count, 2);
    assert_int_equal(fr_model_get(model)->triangle_count, 3);
    assert_int_equal(mesh->corners[2], 2);
    fr_model_destroy(model);
    refuses_pairs(BEGIN "0 POLYLINE; 8 0; 70 64" VERTEX("0", "0", "0", "192") FACE("1", "2", "3", "0") END,
                  FR_ERROR_CORRUPT, 24, "vertex 2 of 1");
}

static void meshes_of_rows_may_be_closed(void **state) {
    (void)state;
#define ROWS                                                                                                           \
    VERTEX("0", "0", "0", "64")                                                                                        \
    VERTEX("1", "0", "0", "64")                                                                                        \
    VERTEX("1", "1", "0", "64") VERTEX("0", "0", "1", "64") VERTEX("1", "0", "1", "64") VERTEX("1", "1", "1", "64")
    fr_model *open = model_of(BEGIN "0 POLYLINE; 8 0; 70 16; 71 2; 72 3" ROWS "; 0 SEQEND" END);
    fr_model *closed = model_of(BEGIN "0 POLYLINE; 8 0; 70 48; 71 2; 72 3" ROWS "; 0 SEQEND" END);
    assert_int_equal(fr_model_get(open)->face_count, 2);
    assert_int_equal(fr_model_get(closed)->face_count, 3);
    const uint32_t last[4] = {2, 5, 3, 0};
    assert_memory_equal(fr_model_get(closed)->meshes[0].corners + 8, last, sizeof last);
    fr_model_destroy(open);
    fr_model_destroy(closed);
    // Fewer vertices than the rows need.
    fr_model *short_one =
        model_of(BEGIN "0 POLYLINE; 8 0; 70 16; 71 9; 72 3" ROWS "; 0 SEQEND; 0 3DFACE; " TRIANGLE END);
    assert_int_equal(fr_model_get(short_one)->face_count, 1);
    assert_int_equal(fr_model_get(short_one)->warning_count, 1);
    fr_model_destroy(short_one);
}

static void mesh_entities_have_polygons_of_any_size(void **state) {
    (void)state;
#define MESH_HEAD                                                                                                      \
    "0 MESH; 5 2F; 100 AcDbEntity; 8 skin; 100 AcDbSubDMesh; 71 2; 72 0; 91 0; 92 5; 10 0; 20 0; 30 0; 10 1; 20 0; "   \
    "30 "                                                                                                              \
    "0; 10 2; 20 1; 30 0; 10 1; 20 2; 30 0; 10 0; 20 1; 30 0; "
    fr_model *model =
        model_of(BEGIN MESH_HEAD "93 10; 90 5; 90 0; 90 1; 90 2; 90 3; 90 4; 90 3; 90 0; 90 1; 90 2; 94 1; 90 0; 90 1; "
                                 "95 1; 140 0" END);
    const fr_model_view *view = fr_model_get(model);
    assert_string_equal(view->nodes[0].name, "skin");
    assert_int_equal(view->face_count, 2);
    assert_int_equal(view->triangle_count, 4);
    assert_int_equal(view->vertex_count, 5);
    fr_model_destroy(model);
    refuses_pairs(BEGIN MESH_HEAD "93 4; 90 3; 90 0; 90 1; 90 5" END, FR_ERROR_CORRUPT, 62, "vertex 5 of 5");
    refuses_pairs(BEGIN MESH_HEAD "93 4; 90 9; 90 0" END, FR_ERROR_CORRUPT, 56, "9 corners, but 3");
}

#define BLOCK(name, base, content) "0 BLOCK; 2 " name "; 10 " base "; 20 0; 30 0; " content "; 0 ENDBLK; "
#define BLOCKS(content) "0 SECTION; 2 BLOCKS; " content "0 ENDSEC; "

static void blocks_are_set_in_where_they_belong(void **state) {
    (void)state;
    fr_model *model = model_of(BLOCKS(BLOCK("leg", "1", "0 3DFACE; 8 wood; " SQUARE) BLOCK(
        "table", "0", "0 INSERT; 2 leg; 10 5; 20 0; 30 0; 50 90; 41 2; 42 1; 43 1; 0 INSERT; 2 leg; 10 0; 20 0; 30 0"))
                                   BEGIN
                               "0 INSERT; 2 table; 10 0; 20 10; 30 0; 0 INSERT; 2 table; 10 0; 20 0; 30 7" END);
    const fr_model_view *view = fr_model_get(model);
    // Two tables of two legs of one mesh: 2 + 4 + 4 nodes.
    assert_int_equal(view->node_count, 10);
    assert_int_equal(view->mesh_count, 1);
    assert_int_equal(view->placed_triangle_count, 8);
    assert_string_equal(view->nodes[0].name, "table");
    assert_string_equal(view->nodes[1].name, "leg");
    assert_string_equal(view->nodes[2].name, "wood");
    assert_int_equal(view->nodes[2].parent, 1);
    // The first leg, scaled, turned and moved: (x, y) goes to (5 - y, 2 (x - 1)), with the table 10 further.
    fr_mesh *mesh;
    assert_int_equal(fr_model_part_mesh(model, 2, NULL, &mesh, NULL), FR_OK);
    const float expected[] = {5, 8, 0, 5, 10, 0, 4, 10, 0, 4, 8, 0};
    assert_memory_equal(fr_mesh_get(mesh)->positions_float, expected, sizeof expected);
    fr_mesh_release(mesh);
    fr_model_destroy(model);
}

static void columns_rows_and_mirrors_are_set_in(void **state) {
    (void)state;
    fr_model *model = model_of(BLOCKS(BLOCK("b", "0", "0 3DFACE; 8 0; " SQUARE)) BEGIN
                               "0 INSERT; 2 b; 10 1; 20 0; 30 0; 70 3; 71 2; 44 2; 45 4; 210 0; 220 0; 230 -1" END);
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 12);
    assert_int_equal(view->placed_triangle_count, 12);
    // Seen from below: x runs to the left.
    assert_true(view->bounds.min.x == -6.0 && view->bounds.max.x == -1.0 && view->bounds.max.y == 5.0);
    fr_model_destroy(model);
}

static void blocks_in_themselves_and_too_many_are_refused(void **state) {
    (void)state;
    refuses_pairs(BLOCKS(BLOCK("a", "0", "0 INSERT; 2 b") BLOCK("b", "0", "0 INSERT; 2 a")) BEGIN "0 INSERT; 2 a" END,
                  FR_ERROR_CORRUPT, 32, "into itself");
    // Each block holds the next twice.
    char text[8000] = "0 SECTION; 2 BLOCKS; ";
    for (int i = 0; i < 40; i++) {
        char block[200];
        snprintf(block, sizeof block, "0 BLOCK; 2 b%d; 0 INSERT; 2 b%d; 0 INSERT; 2 b%d; 0 ENDBLK; ", i, i + 1, i + 1);
        strcat(text, block);
    }
    strcat(text, BLOCK("b40", "0", "0 3DFACE; 8 0; " SQUARE) "0 ENDSEC; " BEGIN "0 INSERT; 2 b0" END);
    refuses_pairs(text, FR_ERROR_LIMIT, 612, "nodes");
}

static void drawings_without_a_face_are_refused_politely(void **state) {
    (void)state;
    refuses_pairs(BEGIN "0 LINE; 8 0; 10 0; 20 0" END, FR_ERROR_UNSUPPORTED, 6, "drawing (1 lines");
    refuses_pairs(BEGIN "0 CIRCLE; 8 0; 0 3DSOLID; 8 0; 1 xyz" END, FR_ERROR_UNSUPPORTED, 10, "ACIS");
    refuses_pairs(BEGIN "0 3DFACE; 67 1; " TRIANGLE END, FR_ERROR_UNSUPPORTED, 0, "empty");
    refuses_pairs("0 SECTION; 2 ENTITIES; 0 3DFACE; 10 nan" END, FR_ERROR_NOT_FINITE, 8, "nan");
    refuses_pairs("0 SECTION; 2 ENTITIES; 0 3DFACE; 10 1.5x" END, FR_ERROR_SYNTAX, 8, "1.5x");
    refuses_pairs("0 SECTION; x ENTITIES", FR_ERROR_SYNTAX, 3, "code of a group");
    refuses_pairs("0 NOTHING", FR_ERROR_SYNTAX, 2, "SECTION");
}

static void units_are_noted(void **state) {
    (void)state;
    fr_model *model = model_of("999 made by hand; 0 SECTION; 2 HEADER; 9 $INSUNITS; 70 4; 0 ENDSEC; " BEGIN
                               "0 3DFACE; " TRIANGLE END);
    assert_int_equal(fr_model_get(model)->note_count, 1);
    assert_string_equal(fr_model_get(model)->notes[0].kind, "unit");
    assert_string_equal(fr_model_get(model)->notes[0].text, "millimetres");
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Binary

static void push_u16(fr_array *bytes, int value) {
    const char b[2] = {(char)(value & 255), (char)(value >> 8 & 255)};
    push_bytes(b, 2, bytes);
}

// The same pairs in binary; codes of one byte as before release 13, or of two.
static fr_array binary_of(const char *pairs, bool wide) {
    fr_array bytes = fr_array_make(1, NULL);
    char *text = lines_of(pairs);
    push_bytes("AutoCAD Binary DXF\r\n\032", 22, &bytes);
    for (char *code = strtok(text, "\n"); code != NULL; code = strtok(NULL, "\n")) {
        char *value = strtok(NULL, "\n");
        int number = atoi(code);
        if (wide) {
            push_u16(&bytes, number);
        } else {
            const char one = (char)number;
            push_bytes(&one, 1, &bytes);
        }
        if (number >= 10 && number < 60) {
            double real = strtod(value, NULL);
            push_bytes(&real, 8, &bytes);
        } else if (number >= 60 && number < 80) {
            push_u16(&bytes, atoi(value));
        } else {
            push_bytes(value, strlen(value) + 1, &bytes);
        }
    }
    free(text);
    return bytes;
}

#define BINARY_SAMPLE                                                                                                  \
    BLOCKS(BLOCK("b", "0", "0 3DFACE; 8 walls; " SQUARE))                                                              \
    BEGIN "0 INSERT; 2 b; 10 4.5; 20 0; 30 0; 0 3DFACE; 8 roof; " TRIANGLE END

static void binary_gives_the_same(void **state) {
    (void)state;
    fr_model *text = model_of(BINARY_SAMPLE);
    for (int wide = 0; wide < 2; wide++) {
        fr_array bytes = binary_of(BINARY_SAMPLE, wide != 0);
        assert_int_equal(fr_model_format_detect(bytes.data, bytes.count, NULL), FR_MODEL_DXF);
        fr_model *model;
        fr_error error;
        if (read_bytes(bytes.data, bytes.count, NULL, &model, &error) != FR_OK) { fail_msg("%s", error.message); }
        const fr_model_view *a = fr_model_get(text), *b = fr_model_get(model);
        assert_int_equal(a->node_count, b->node_count);
        assert_int_equal(a->triangle_count, b->triangle_count);
        assert_memory_equal(&a->bounds, &b->bounds, sizeof a->bounds);
        fr_model_destroy(model);
        for (size_t size = 0; size < bytes.count; size++) {
            fr_status status = read_bytes(bytes.data, size, NULL, &model, &error);
            assert_true(status == FR_OK || error.message[0] != '\0');
            fr_model_destroy(model);
        }
        fr_array_destroy(&bytes);
    }
    fr_model_destroy(text);
}

static void damaged_drawings_are_survived(void **state) {
    (void)state;
    fr_random random = fr_random_seed(12);
    char *text = lines_of(BINARY_SAMPLE);
    fr_array binary = binary_of(BINARY_SAMPLE, true);
    for (int round = 0; round < 6000; round++) {
        size_t size = round % 2 == 0 ? strlen(text) : binary.count;
        char *bytes = malloc(size);
        assert_non_null(bytes);
        memcpy(bytes, round % 2 == 0 ? text : binary.data, size);
        for (uint64_t k = fr_random_below(&random, 5); k > 0; k--) {
            bytes[fr_random_below(&random, size)] = (char)fr_random_bits(&random);
        }
        fr_model_read_input options = fr_default_model_read_input();
        options.format = FR_MODEL_DXF;
        fr_model *model;
        fr_error error;
        fr_status status = fr_model_read(bytes, fr_random_below(&random, size + 1), &options, &model, &error);
        assert_true(status == FR_OK || error.message[0] != '\0');
        fr_model_destroy(model);
        free(bytes);
    }
    free(text);
    fr_array_destroy(&binary);
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    char *text = lines_of(BINARY_SAMPLE);
    survives_failures(text, strlen(text), FR_MODEL_AUTO, 200);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_of_layers_are_parts),
        cmocka_unit_test(faces_without_area_are_passed_over),
        cmocka_unit_test(polyfaces_have_their_vertices),
        cmocka_unit_test(meshes_of_rows_may_be_closed),
        cmocka_unit_test(mesh_entities_have_polygons_of_any_size),
        cmocka_unit_test(blocks_are_set_in_where_they_belong),
        cmocka_unit_test(columns_rows_and_mirrors_are_set_in),
        cmocka_unit_test(blocks_in_themselves_and_too_many_are_refused),
        cmocka_unit_test(drawings_without_a_face_are_refused_politely),
        cmocka_unit_test(units_are_noted),
        cmocka_unit_test(binary_gives_the_same),
        cmocka_unit_test(damaged_drawings_are_survived),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
