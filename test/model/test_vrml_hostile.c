// VRML and X3D that mean harm: every limit, every cut, every failure of memory.
#include "vrml_text.h"

#include "failing.h"

#include <zlib.h>

// One of everything, in classic text.
static const char *const all_of_it = V2
    "WorldInfo { title \"all \\\"of\\\" it\" }\n"
    "PROTO P [ field SFVec3f s 1 1 1 eventIn SFVec3f go field MFNode kids [ ] ] {\n"
    " DEF t Transform { translation IS s set_translation IS go children [ Group { children IS kids } "
    "Shape { geometry Box { size IS s } } ] }\n DEF c TimeSensor { loop TRUE }\n"
    " DEF i PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0 1 1 1 ] }\n"
    " ROUTE c.fraction_changed TO i.set_fraction ROUTE i.value_changed TO t.translation }\n"
    "DEF p P { s 2 2 2 kids " SHAPE " } USE p\n"
    "EXTERNPROTO E [ field SFFloat r ] \"lib.wrl#E\" E { r 2 }\n"
    "Inline { url \"part.wrl\" } Unknown { x [ 1 { } ] }\n"
    "Transform { scale 1 2 3 children Shape { appearance Appearance { material DEF m Material { diffuseColor 1 0 0 } "
    "texture "
    "PixelTexture { image 2 1 1 0xff 0 } } geometry IndexedFaceSet { creaseAngle 1 coord DEF k Coordinate { point [ 0 "
    "0 0 1 0 0 "
    "1 1 0 0 1 1 ] } coordIndex [ 0 1 2 -1 0 2 3 ] color Color { color [ 1 0 0 0 1 0 ] } colorPerVertex FALSE } } }\n"
    "Shape { geometry ElevationGrid { xDimension 2 zDimension 2 height [ 0 1 2 3 ] } } Shape { geometry Extrusion { } "
    "}\n"
    "Switch { whichChoice 0 choice Sound { source AudioClip { url \"a.wav\" } } } Script { field SFNode n USE m "
    "eventIn SFTime x "
    "url \"javascript: {\" }\n";

static vrml_file beside[] = {
    {"part.wrl", V2 "DEF q " SHAPE " USE q"},
    {"lib.wrl", V2 "PROTO E [ field SFFloat r 1 ] { Shape { geometry Cone { bottomRadius IS r } } }"},
    {"a.wav", "x"},
    {NULL, NULL}};

static const char *const all_of_xml =
    "<?xml version='1.0'?>\n<X3D><head><meta name='a' content='b'/></head><Scene><WorldInfo title='t'/>"
    "<ProtoDeclare name='P'><ProtoInterface><field name='s' type='SFVec3f' accessType='initializeOnly' value='1 1 1'/>"
    "<field name='k' type='MFNode' "
    "accessType='initializeOnly'><Shape><Box/></Shape></field></ProtoInterface><ProtoBody>"
    "<Transform><IS><connect nodeField='translation' protoField='s'/></IS><Group><IS><connect nodeField='children' "
    "protoField='k'/></IS></Group></Transform></ProtoBody></ProtoDeclare>"
    "<ProtoInstance name='P' DEF='p'><fieldValue name='s' value='2 2 2'/></ProtoInstance><ProtoInstance USE='p'/>"
    "<Shape><Appearance><Material diffuseColor='1 0 0'/></Appearance><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate "
    "DEF='c' "
    "point='0 0 0 1 0 0 0 1 0'/></IndexedFaceSet></Shape><TimeSensor DEF='t'/><Unknown "
    "a='b'><Shape/></Unknown></Scene></X3D>";

static fr_status read_all_of_it(const fr_allocator *allocator, void *context) {
    const char *text = context;
    fr_model_read_input options = vrml_options(beside);
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
    assert_int_equal(fr_model_get(model)->warning_count, 1);
    assert_int_equal(fr_model_get(model)->track_count, 2);
    fr_model_destroy(model);
    char text[8192];
    strcpy(text, all_of_it);
    test_every_failure(read_all_of_it, text);
    strcpy(text, all_of_xml);
    test_every_failure(read_all_of_it, text);
}

// Any beginning of a file is read leniently, or refused with a message, strictly.
static void every_cut(void **state) {
    (void)state;
    static const char *const texts[] = {all_of_it, all_of_xml};
    for (int k = 0; k < 2; k++) {
        for (size_t size = 0; size <= strlen(texts[k]); size++) {
            for (int strict = 0; strict < 2; strict++) {
                fr_model_read_input options = vrml_options(beside);
                options.is_strict = strict == 1;
                fr_model *model;
                fr_error error;
                fr_status status = read_bytes(texts[k], size, &options, &model, &error);
                bool is_refused = status == FR_ERROR_SYNTAX || status == FR_ERROR_UNSUPPORTED;
                if (status != FR_OK) { assert_true(is_refused && error.line > 0 && error.message[0] != '\0'); }
                fr_model_destroy(model);
            }
        }
    }
}

static void deep_nesting(void **state) {
    (void)state;
    char *text = vrml_repeated(V2, "Group{children[", 100000, "");
    vrml_refused(text, FR_ERROR_LIMIT, 2, 1 + 15 * 128, "deeper than 128");
    free(text);
    text = vrml_repeated(V2, "Group{children[", 100, SHAPE);
    assert_int_equal(vrml_triangles(text), 1);
    free(text);
    // Brackets of what is not known nest without a limit and without a stack.
    text = vrml_repeated(V2 SHAPE "Unknown", "{[", 100000, "");
    assert_int_equal(vrml_triangles(text), 1);
    free(text);
    text = vrml_repeated(V2, "PROTO A[field MFNode a[", 1000, "");
    fr_model_read_input options = vrml_options(NULL);
    fr_model *model = vrml_with(text, &options);
    fr_model_destroy(model);
    free(text);
    text = vrml_repeated("<X3D><Scene>", "<Group>", 1000, "");
    vrml_refused(text, FR_ERROR_LIMIT, 1, 13 + 7 * 128, "deeper than 128");
    free(text);
}

// Levels of prototypes, or of nodes that are used again, each of `width` of the level below.
static void put_nested(bool is_proto, int levels, int width, char *text, size_t room) {
    size_t at = (size_t)snprintf(text, room, is_proto ? V2 "PROTO n0 [] { %s }\n" : V2 "DEF n0 %s\n", SHAPE);
    for (int i = 1; i <= levels; i++) {
        const char *head = is_proto ? "PROTO n%d [] { Group { children [" : "DEF n%d Group { children [";
        at += (size_t)snprintf(text + at, room - at, head, i);
        for (int k = 0; k < width; k++) {
            at += (size_t)snprintf(text + at, room - at, is_proto ? " n%d {}" : " USE n%d", i - 1);
        }
        at += (size_t)snprintf(text + at, room - at, is_proto ? " ] } }\n" : " ] }\n");
    }
    if (is_proto) { snprintf(text + at, room - at, "n%d {}\n", levels); }
    assert_true(strlen(text) < 1000);
}

// What is bounded to less memory than it takes ends soon: within a second of the processor, with nothing left.
static void nested_files_end_under_a_bound(void **state) {
    (void)state;
    static const int shapes[][2] = {{7, 8}, {10, 4}, {12, 3}, {6, 10}};
    char text[2048];
    for (size_t i = 0; i < 2 * (sizeof shapes / sizeof shapes[0]); i++) {
        put_nested(i % 2 == 0, shapes[i / 2][0], shapes[i / 2][1], text, sizeof text);
        uint64_t step = test_is_long() ? 5000000 : 15000000;
        for (uint64_t bound = 50000000; bound <= 80000000; bound += step) {
            fr_probe *probe = fr_probe_create();
            fr_model_read_input options = vrml_options(NULL);
            options.allocator = fr_probe_allocator(probe);
            fr_probe_bound(probe, bound);
            fr_model *model;
            clock_t since = clock();
            fr_status status = fr_model_read(text, strlen(text), &options, &model, NULL);
            double seconds = (double)(clock() - since) / CLOCKS_PER_SEC;
            fr_model_destroy(model);
            assert_true(status == FR_OK || status == FR_ERROR_MEMORY || status == FR_ERROR_LIMIT);
            if (seconds > 1.0 * TEST_SAMPLE_DIVISOR) { fail_msg("%.2f s for %zu bytes", seconds, strlen(text)); }
            assert_int_equal(fr_probe_get(probe).live_blocks, 0);
            fr_probe_destroy(probe);
        }
    }
}

static void instances_that_double(void **state) {
    (void)state;
    char text[8192];
    int length = snprintf(text, sizeof text, "%sDEF g0 %s\n", V2, SHAPE);
    for (int i = 1; i <= 60; i++) {
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "DEF g%d Group { children [ USE g%d USE g%d ] }\n", i, i - 1, i - 1);
    }
    fr_probe *probe = fr_probe_create();
    fr_model_read_input options = vrml_options(NULL);
    options.allocator = fr_probe_allocator(probe);
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "its instances come to more than 10000000 nodes"));
    assert_true(fr_probe_get(probe).peak_bytes < 200000);
    fr_probe_destroy(probe);

    // Vertices and triangles have limits of their own.
    options = vrml_options(NULL);
    options.limits.placed_vertices = 8;
    const char *three = V2 "DEF s " SHAPE " USE s USE s";
    assert_int_equal(read_bytes(three, strlen(three), &options, &model, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "vertices"));
    options.limits.placed_vertices = 9;
    options.limits.placed_triangles = 2;
    assert_int_equal(read_bytes(three, strlen(three), &options, &model, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "triangles"));
}

// Files of many small nodes ask for the most memory a byte.
static void memory_grows_with_the_bytes_alone(void **state) {
    (void)state;
    static const struct {
        const char *begin, *row, *end;
        fr_model_format format;
    } cases[] = {{V2, "Group{}", "", FR_MODEL_VRML},
                 {V2 "Group{}", "U{}", "", FR_MODEL_VRML},
                 {V2 "Group{}", "Box{}", "", FR_MODEL_VRML},
                 {V2 "Group{}", "LOD{}", "", FR_MODEL_VRML},
                 {V2 "Group{}", "PROTO A[]{}", "", FR_MODEL_VRML},
                 {V2 "Group{}", "PROTO A[]{PROTO B[]{}}", "", FR_MODEL_VRML},
                 {V2 "Group{}", "EXTERNPROTO A[]\"\"", "", FR_MODEL_VRML},
                 {"<X3D><Scene><Group/>", "<a/>", "</Scene></X3D>", FR_MODEL_X3D},
                 {"<X3D><Scene>", "<Group/>", "</Scene></X3D>", FR_MODEL_X3D}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = vrml_repeated(cases[i].begin, cases[i].row, 5000, cases[i].end);
        fr_probe *probe = fr_probe_create();
        fr_model_read_input options = vrml_options(NULL);
        options.format = cases[i].format;
        options.allocator = fr_probe_allocator(probe);
        fr_model *model = vrml_with(text, &options);
        uint64_t peak = fr_probe_get(probe).peak_bytes;
        if (peak > 256 * strlen(text) + 65536) {
            fail_msg("%s: %.1f bytes a byte", cases[i].row, (double)peak / (double)strlen(text));
        }
        fr_model_destroy(model);
        fr_probe_destroy(probe);
        free(text);
    }
}

// What is found where a value should be is reported, also where there is nothing.
static void the_end_is_reported(void **state) {
    (void)state;
    fr_model_read_input options = vrml_options(NULL);
    options.is_strict = true;
    fr_model *model;
    fr_error error;
    const char *text = V2 "Transform { translation";
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_SYNTAX);
    assert_string_equal(error.message, "expected SFVec3f, found the end of the file");
}

static void limits_of_values(void **state) {
    (void)state;
    fr_model_read_input options = vrml_options(NULL);
    fr_model *model;
    fr_error error;
    options.limits.elements = 2;
    const char *text = V2 SHAPE;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "more than 2 values in one list"));
    options = vrml_options(NULL);
    options.limits.string_bytes = 5;
    text = V2 "WorldInfo { title \"123456\" }";
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    assert_int_equal(error.column, 19);
    options = vrml_options(NULL);
    options.limits.nodes = 2;
    text = V2 "Group { children Group { children Group { } } }";
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    assert_int_equal(error.column, 35);
    options = vrml_options(beside);
    options.limits.inline_nesting = 0;
    text = V2 "Inline { url \"part.wrl\" }";
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "files are nested deeper than 0"));
    options = vrml_options(NULL);
    options.limits.proto_nesting = 1;
    text = V2 "PROTO A [ ] { " SHAPE " } A { }";
    fr_model_destroy(vrml_with(text, &options));
    text = V2 "PROTO A [ ] { PROTO B [ ] { " SHAPE " } B { } } A { }";
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    options = vrml_options(NULL);
    options.limits.pixels = 3;
    text = V2 "Shape { appearance Appearance { texture PixelTexture { image 2 2 1 0 0 0 0 } } geometry Box { } }";
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "a picture of 4 pixels, the limit is 3"));
    // Dimensions that no memory holds.
    text = V2 SHAPE " Shape { geometry ElevationGrid { xDimension 2147483647 zDimension 2147483647 height [ 0 ] } }";
    assert_int_equal(vrml_triangles(text), 1);
}

// A file that is not there is looked for once, and found again however many there are.
static void many_files_that_are_not_there(void **state) {
    (void)state;
    fr_array text = fr_array_make(1, NULL);
    push_bytes(V2, strlen(V2), &text);
    for (int i = 0; i < 20000; i++) {
        char node[64];
        int length = snprintf(node, sizeof node, "Inline{url\"%d\"}Inline{url\"%d\"}", i, i);
        push_bytes(node, (size_t)length, &text);
    }
    fr_model_read_input options = vrml_options(beside);
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(text.data, text.count, &options, &model, &error), FR_OK);
    assert_int_equal(fr_model_get(model)->node_count, 40000);
    assert_int_equal(fr_model_get(model)->warning_count, 40001);
    assert_int_equal(fr_model_get(model)->listed_warning_count, FR_MODEL_MAX_WARNINGS);
    fr_model_destroy(model);
    fr_array_destroy(&text);
}

static bool stop_now(void *user) {
    (void)user;
    return true;
}

static void a_reading_can_be_stopped(void **state) {
    (void)state;
    fr_control control = {.stop = stop_now};
    fr_model_read_input options = vrml_options(NULL);
    options.control = &control;
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(all_of_it, strlen(all_of_it), &options, &model, &error), FR_ERROR_STOPPED);
    assert_int_equal(read_bytes(all_of_xml, strlen(all_of_xml), &options, &model, &error), FR_ERROR_STOPPED);
}

static void xml_that_means_harm(void **state) {
    (void)state;
    vrml_refused("<!DOCTYPE X3D [ <!ENTITY a 'x'> ]>\n<X3D><Scene/></X3D>", FR_ERROR_UNSUPPORTED, 1, 28, "entities");
    vrml_refused("<html/>", FR_ERROR_UNSUPPORTED, 1, 1, "XML of <html>");
    vrml_refused("<", FR_ERROR_SYNTAX, 1, 1, "the XML is wrong");
    warns("<X3D><Scene><Shape><Box/></Shape></Group></Scene></X3D>", 1, 36, "the XML is wrong");
}

// ---------------------------------------------------------------------------------------------------------------
// Gzip

static size_t gzipped(const char *text, size_t length, unsigned char *out, size_t size) {
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)text,
                       .avail_in = (uInt)length,
                       .next_out = out,
                       .avail_out = (uInt)size};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return size - stream.avail_out;
}

static void gzip_is_seen_by_its_bytes(void **state) {
    (void)state;
    unsigned char packed[8192];
    size_t size = gzipped(all_of_it, strlen(all_of_it), packed, sizeof packed);
    assert_int_equal(fr_model_format_detect(packed, size, "x.obj"), FR_MODEL_VRML);
    fr_model_read_input options = vrml_options(beside);
    options.format = FR_MODEL_AUTO;
    options.name = "x.wrz";
    fr_model *model, *plain = vrml_with(all_of_it, &options);
    fr_error error;
    assert_int_equal(read_bytes(packed, size, &options, &model, &error), FR_OK);
    const fr_model_view *a = fr_model_get(model), *b = fr_model_get(plain);
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_memory_equal(a->meshes[0].positions_float, b->meshes[0].positions_float, 12 * (size_t)a->vertex_count);
    // Places are those of the text.
    assert_int_equal(a->warnings[0].line, b->warnings[0].line);
    assert_int_equal(a->warnings[0].column, b->warnings[0].column);
    fr_model_destroy(model);
    fr_model_destroy(plain);

    // Cut at every byte, and every byte changed.
    for (size_t i = 0; i < size; i++) {
        fr_status status = read_bytes(packed, i, &options, &model, &error);
        assert_true(status == FR_OK || error.message[0] != '\0');
        fr_model_destroy(model);
        packed[i] ^= 0x55;
        status = read_bytes(packed, size, &options, &model, &error);
        assert_true(status == FR_OK || error.message[0] != '\0');
        fr_model_destroy(model);
        packed[i] ^= 0x55;
    }
    options.is_strict = true;
    assert_int_equal(read_bytes(packed, size - 9, &options, &model, &error), FR_ERROR_CORRUPT);
    assert_non_null(strstr(error.message, "cut short"));
}

// Without memory to look into it a file is what its name says.
static fr_status detect_packed(const fr_allocator *allocator, void *context) {
    const bounded_read *file = context;
    fr_set_default_allocator(*allocator);
    fr_model_format found = fr_model_format_detect(file->bytes, file->size, "x.x3dz");
    fr_set_default_allocator((fr_allocator){0});
    if (found == FR_MODEL_VRML) { return FR_OK; }
    assert_int_equal(found, fr_model_format_of_name("x.x3dz"));
    return FR_ERROR_MEMORY;
}

// All that zlib takes comes from the allocator, to see what a file is and to read it.
static void gzip_takes_our_memory(void **state) {
    (void)state;
    unsigned char packed[8192];
    size_t size = gzipped(all_of_it, strlen(all_of_it), packed, sizeof packed);
    bounded_read read = {packed, size, vrml_options(beside)};
    assert_true(test_every_failure(detect_packed, &read) > 0);
    read.options.format = FR_MODEL_AUTO;
    assert_true(test_every_failure(read_bounded, &read) > 20);
}

static void gzip_bombs(void **state) {
    (void)state;
    size_t length = 8u << 20;
    char *zeros = malloc(length);
    unsigned char *packed = malloc(65536);
    assert_non_null(zeros);
    assert_non_null(packed);
    memset(zeros, ' ', length);
    memcpy(zeros, V2, strlen(V2));
    size_t size = gzipped(zeros, length, packed, 65536);
    fr_probe *probe = fr_probe_create();
    fr_model_read_input options = vrml_options(NULL);
    options.allocator = fr_probe_allocator(probe);
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(packed, size, &options, &model, &error), FR_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "swells beyond the limit"));
    assert_true(fr_probe_get(probe).peak_bytes < 8 * (200 * size + 65536));
    options.limits.inflation = 100000;
    options.limits.inflated_bytes = 1 << 20;
    assert_int_equal(read_bytes(packed, size, &options, &model, &error), FR_ERROR_LIMIT);
    options.limits.inflated_bytes = length;
    assert_int_equal(read_bytes(packed, size, &options, &model, &error), FR_OK);
    fr_model_destroy(model);
    fr_probe_destroy(probe);
    free(zeros);
    free(packed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failure_of_memory),
        cmocka_unit_test(every_cut),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(instances_that_double),
        cmocka_unit_test(nested_files_end_under_a_bound),
        cmocka_unit_test(memory_grows_with_the_bytes_alone),
        cmocka_unit_test(the_end_is_reported),
        cmocka_unit_test(limits_of_values),
        cmocka_unit_test(many_files_that_are_not_there),
        cmocka_unit_test(a_reading_can_be_stopped),
        cmocka_unit_test(xml_that_means_harm),
        cmocka_unit_test(gzip_is_seen_by_its_bytes),
        cmocka_unit_test(gzip_takes_our_memory),
        cmocka_unit_test(gzip_bombs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
