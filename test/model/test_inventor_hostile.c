// VRML 1.0 and Inventor that mean harm: every limit, every cut, every failure of memory.
#include "inventor_text.h"

#include "failing.h"

#include <time.h>

// One of everything.
static const char *const all_of_it =
    IV "DEF look Group { Material { diffuseColor [ 1 0 0, 0 1 0 ] transparency [ 0 0.5 ] } Texture2 { image 2 1 1 0xff "
       "0 } "
       "Texture2Transform { scaleFactor 2 2 } }\n"
       "DEF chair Separator { renderCaching OFF Transform { translation 1 2 3 rotation 0 1 0 1 } ShapeHints { "
       "creaseAngle 1 "
       "vertexOrdering CLOCKWISE }\n DEF c Coordinate3 { point [ 0 0 0 1 0 0 1 1 0 0 1 1 ] } Normal { vector [ 1 0 0, "
       "0 1 0 "
       "] } NormalBinding { value PER_FACE } MaterialBinding { value PER_FACE } TextureCoordinate2 { point [ 0 0, 1 0, "
       "1 1, 0 "
       "1 ] }\n DEF f IndexedFaceSet { coordIndex [ 0 1 2 -1 0 2 3 ] materialIndex [ 1 0 ] } MaterialBinding { value "
       "PER_VERTEX } FaceSet { numVertices [ 3 -1 ] } TriangleStripSet { numVertices 4 } IndexedTriangleStripSet { "
       "coordIndex "
       "[ 0 1 2 3 ] } QuadMesh { verticesPerRow 2 verticesPerColumn 2 } LineSet { } PointSet { } IndexedLineSet { "
       "coordIndex "
       "[ 0 1 ] } }\n"
       "USE chair USE look USE f Array { numElements1 2 USE chair } Switch { whichChild 0 Cube { } Cylinder { parts ( "
       "SIDES | "
       "TOP ) } } MaterialBinding { value PER_PART } Cube { } Cone { }\n"
       "Units { units FEET } MatrixTransform { matrix 1 0 0 0 0 1 0 0 0 0 1 0 5 6 7 1 } ResetTransform { } Sphere { } "
       "Info { string \"a \\\" b\" } PerspectiveCamera { } DirectionalLight { } AsciiText { string \"x\" }\n"
       "Odd { fields [ SFFloat a ] a 1 ~ b = E { } . x Cube { } } Like { isA [ \"Cube\" ] width 3 } WWWInline { name "
       "\"part.wrl\" } File { name part97.wrl } VertexProperty { vertex [ 0 0 0 ] orderedRGBA [ 0xff00ff00 0 ] } LOD { "
       "range 1 "
       "Cube { } }\n";

static vrml_file beside[] = {{"part.wrl", V1 "DEF q Cube { } USE q WWWInline { name \"part97.wrl\" }"},
                             {"part97.wrl", V2 "DEF q " SHAPE " USE q"},
                             {NULL, NULL}};

static fr_status read_all_of_it(const fr_allocator *allocator, void *context) {
    const char *text = context;
    fr_model_read_input options = vrml_options(beside);
    options.has_all_choices = true;
    options.allocator = *allocator;
    fr_model *model;
    fr_error error;
    fr_status status = fr_model_read(text, strlen(text), &options, &model, &error);
    assert_true(status == FR_OK || error.status == status);
    fr_model_destroy(model);
    return status;
}

static void every_failure_of_memory(void **state) {
    (void)state;
    fr_model_read_input options = vrml_options(beside);
    fr_model *model = vrml_with(all_of_it, &options);
    assert_true(fr_model_get(model)->placed_triangle_count > 50);
    fr_model_destroy(model);
    char text[4096];
    strcpy(text, all_of_it);
    assert_true(test_every_failure(read_all_of_it, text) > 20);
}

// Any beginning of a file is read leniently, or refused with a message, strictly.
static void every_cut(void **state) {
    (void)state;
    for (size_t size = 0; size <= strlen(all_of_it); size++) {
        for (int strict = 0; strict < 2; strict++) {
            fr_model_read_input options = vrml_options(beside);
            options.is_strict = strict == 1;
            options.has_all_choices = size % 2 == 0;
            fr_model *model;
            fr_error error;
            fr_status status = read_bytes(all_of_it, size, &options, &model, &error);
            bool is_refused = status == FR_ERROR_SYNTAX || status == FR_ERROR_UNSUPPORTED;
            if (status != FR_OK) { assert_true(is_refused && error.line > 0 && error.message[0] != '\0'); }
            fr_model_destroy(model);
        }
    }
}

// A zero byte ends no string of a file.
static void zero_bytes(void **state) {
    (void)state;
    static const char text[] = V1 "Odd { isA \"Separator\0\0 of any length\" Cube { } } DEF a\0b Cube { }";
    fr_model_read_input options = vrml_options(NULL);
    fr_model *model;
    assert_int_equal(read_bytes(text, sizeof text - 1, &options, &model, NULL), FR_OK);
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 24);
    assert_non_null(strstr(fr_model_get(model)->warnings[0].message, "Odd is not known"));
    fr_model_destroy(model);
}

static void deep_nesting(void **state) {
    (void)state;
    char *text = vrml_repeated(V1, "Separator{", 100000, "");
    vrml_refused(text, FR_ERROR_LIMIT, 2, 1 + 10 * 128, "deeper than 128");
    free(text);
    text = vrml_repeated(V1, "Separator{", 100, "Cube{}");
    assert_int_equal(vrml_triangles(text), 12);
    free(text);
    text = vrml_repeated(V1, "Unknown{", 100000, "");
    vrml_refused(text, FR_ERROR_LIMIT, 2, 1 + 8 * 128, "deeper than 128");
    free(text);
    text = vrml_repeated(V1 "Cube{} Unknown{ a ", "[{", 100000, "");
    assert_int_equal(vrml_triangles(text), 12);
    free(text);
}

// Reads a text that asks for too much; it may take little memory and must say why.
static void asks_for_too_much(const char *text, uint64_t most_bytes, const char *words) {
    fr_probe *probe = fr_probe_create();
    fr_model_read_input options = vrml_options(NULL);
    options.allocator = fr_probe_allocator(probe);
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    if (strstr(error.message, words) == NULL) { fail_msg("'%s' in '%s'", words, error.message); }
    uint64_t peak = fr_probe_get(probe).peak_bytes;
    if (peak > most_bytes) { fail_msg("%llu bytes for %.60s", (unsigned long long)peak, text); }
    fr_probe_destroy(probe);
}

static void instances_that_double(void **state) {
    (void)state;
    // Groups that put all back, and such that leave their transforms: both are counted before they are made.
    static const char *const kinds[] = {"Separator { USE g%d USE g%d }\n", "Group { USE g%d USE g%d }\n",
                                        "Group { Translation { translation 1 0 0 } USE g%d USE g%d }\n"};
    for (size_t k = 0; k < 3; k++) {
        char text[8192];
        int length = snprintf(text, sizeof text, V1 "DEF g0 Separator { Cube { } }\n");
        for (int i = 1; i <= 60; i++) {
            length += snprintf(text + length, sizeof text - (size_t)length, "DEF g%d ", i);
            length += snprintf(text + length, sizeof text - (size_t)length, kinds[k], i - 1, i - 1);
        }
        asks_for_too_much(text, 400000, "its instances come to more than 10000000 nodes");
    }

    // States that differ each time: materials and points in all combinations.
    static char text[60000];
    char *at = stpcpy(text, V1 "Switch { DEF s IndexedFaceSet { coordIndex [ 0 1 2 ] } ");
    at = stpcpy(at, "DEF a Group { ");
    for (int i = 0; i < 100; i++) {
        at += sprintf(at, "Coordinate3 { point [ 0 0 0, 1 0 0, 0 %d 0 ] } USE s ", i + 1);
    }
    at = stpcpy(at, "} DEF b Group { ");
    for (int i = 0; i < 100; i++) {
        at += sprintf(at, "Material { } USE a ");
    }
    at = stpcpy(at, "} DEF c Group { ");
    for (int i = 0; i < 100; i++) {
        at += sprintf(at, "Normal { vector [ 0 0 1, 0 0 1, 0 0 1 ] } USE b ");
    }
    strcpy(at, "} } USE c");
    asks_for_too_much(text, UINT64_C(200) << 20, "its instances come to more than");

    asks_for_too_much(IV "Array { numElements1 1000000 numElements2 1000000 numElements3 1000000 Cube { } }",
                      UINT64_C(100) << 20, "its instances come to more than");
    asks_for_too_much(IV "Array { numElements1 2147483647 numElements2 2147483647 numElements3 2147483647 Cube { } }",
                      UINT64_C(100) << 20, "its instances come to more than");
}

// Sets without indices take all points again, and a set under another state all of its corners.
static void corners_that_are_not_written(void **state) {
    (void)state;
    char *points = vrml_repeated(V1 "Coordinate3{point[", "0 0 1 1 0 0 0 1 0 ", 10000, "]}");
    char *text = vrml_repeated(points, "FaceSet{}", 2000, "");
    asks_for_too_much(text, 1 << 26, "corners, the limit");
    free(text);
    text = vrml_repeated(points, "TriangleStripSet{}", 1000, "");
    asks_for_too_much(text, 1 << 27, "corners, the limit");
    free(text);
    text = vrml_repeated(points, "QuadMesh{verticesPerRow 100 verticesPerColumn 300}", 500, "");
    asks_for_too_much(text, 1 << 27, "corners, the limit");
    free(text);
    free(points);
    char *faces = vrml_repeated(V1 "Switch{DEF s IndexedFaceSet{coordIndex[", "0 1 2 -1 ", 30000, "]}}");
    text = vrml_repeated(faces, "Coordinate3{point[0 0 0 1 0 0 0 1 0]}USE s ", 1000, "");
    asks_for_too_much(text, UINT64_C(1) << 30, "corners, the limit");
    free(text);
    free(faces);
    // Counts beyond all reason are cut to what there is.
    fr_model *model =
        vrml(IV "Coordinate3 { point [ 0 0 0, 1 0 0, 0 1 0 ] } FaceSet { numVertices 2147483647 } FaceSet { "
                "startIndex 2147483647 numVertices 2147483647 } QuadMesh { verticesPerRow 2147483647 "
                "verticesPerColumn 2147483647 } TriangleStripSet { numVertices [ 3 2147483647 ] startIndex -5 }");
    assert_int_equal(fr_model_get(model)->placed_triangle_count, 2);
    fr_model_destroy(model);
}

// Children that a Switch does not take cost nothing when it is used again.
static void choices_that_are_not_taken(void **state) {
    (void)state;
    char *choices = vrml_repeated(V1 "Switch{DEF s Switch{whichChild 0 ", "Cube{}", 200000, "}}");
    char *text = vrml_repeated(choices, "Material{}USE s ", 50000, "");
    clock_t start = clock();
    assert_int_equal(vrml_triangles(text), 600000);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 30.0);
    free(text);
    free(choices);
}

// Files of many small nodes ask for the most memory a byte.
static void memory_grows_with_the_bytes_alone(void **state) {
    (void)state;
    static const char *const rows[] = {"Cube{}",
                                       "Cone{}",
                                       "Group{}",
                                       "Group{Cube{}}",
                                       "U{}",
                                       "USE a ",
                                       "Info{}",
                                       "Scale{}Cube{}",
                                       "Scale{scaleFactor 1 2 1}Cube{}",
                                       "Material{}Cube{}",
                                       "Material{}USE a ",
                                       "FaceSet{}",
                                       "LOD{Cube{}}"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = vrml_repeated(V1 "Coordinate3{point[0 0 0 1 0 0 0 1 0]}DEF a Group{Cube{}}", rows[i], 5000, "");
        fr_probe *probe = fr_probe_create();
        fr_model_read_input options = vrml_options(NULL);
        options.allocator = fr_probe_allocator(probe);
        options.has_all_choices = true;
        fr_model *model;
        fr_error error;
        // So many scales are not finite, or there are too many instances: the memory counts whatever comes of it.
        fr_status status = read_bytes(text, strlen(text), &options, &model, &error);
        assert_true(status == FR_OK || status == FR_ERROR_LIMIT);
        uint64_t peak = fr_probe_get(probe).peak_bytes;
        if (peak > 320 * strlen(text) + 65536) {
            fail_msg("%s: %.1f bytes a byte", rows[i], (double)peak / (double)strlen(text));
        }
        fr_model_destroy(model);
        fr_probe_destroy(probe);
        free(text);
    }
}

static void limits_hold(void **state) {
    (void)state;
    fr_model_read_input options = vrml_options(NULL);
    fr_model *model;
    fr_error error;
    const char *text = V1 "DEF s Separator { Cube { } } USE s USE s";
    options.limits.placed_triangles = 35;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "triangles"));
    options = vrml_options(NULL);
    options.limits.nodes = 5;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "nodes"));
    options = vrml_options(NULL);
    options.limits.elements = 3;
    text = V1 "Coordinate3 { point [ 0 0 0 1 1 1 2 2 2 3 3 3 ] }";
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "values in one list"));
    // Numbers that are not finite become 0, with a warning.
    model =
        vrml(V1 "Coordinate3 { point [ nan 0 0, 1e999 0 0, 1.#INF 1 0, 1 0 0 ] } Transform { translation 1e999 nan 0 } "
                "IndexedFaceSet { coordIndex [ 0 2 3 -1 2147483647 -2147483648 99999999999 -1 ] }");
    assert_true(fr_model_get(model)->warning_count > 3);
    fr_model_destroy(model);
}

static bool stop_at_once(void *context) {
    (void)context;
    return true;
}

static void a_reading_can_be_stopped(void **state) {
    (void)state;
    fr_model_read_input options = vrml_options(NULL);
    fr_control control = {.stop = stop_at_once};
    options.control = &control;
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(V1 "Cube { }", 25, &options, &model, &error), FR_ERROR_STOPPED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failure_of_memory),
        cmocka_unit_test(every_cut),
        cmocka_unit_test(zero_bytes),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(instances_that_double),
        cmocka_unit_test(corners_that_are_not_written),
        cmocka_unit_test(choices_that_are_not_taken),
        cmocka_unit_test(memory_grows_with_the_bytes_alone),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(a_reading_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
