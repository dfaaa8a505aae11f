// What is the same for all formats: detection, limits, memory, stopping.
#include "text_model.h"

static const char obj_text[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\no a\nf 1 2 3\nf 1 2 3 4\no b\nusemtl m\nf 4 3 2\nf 1 2\n";
static const char stl_text[] =
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
    "endfacet\nendsolid a\nsolid b\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
    "vertex 0 1 0\nvertex 1 1 1\nendloop\nendfacet\nendsolid b\n";
static const char ply_text[] =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
    "property float z\nelement face 2\nproperty list uchar int vertex_indices\n"
    "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n0 0 0\n1 0 0\n"
    "0 1 0\n0 0 1\n3 0 1 2 1 2 3\n4 0 1 2 3 4 5 6\n";
static const char off_text[] = "OFF\n4 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n2 0 1\n4 0 1 2 3 9 9 9\n";
static const struct {
    const char *text;
    fr_model_format format;
} samples[] = {
    {obj_text, FR_MODEL_OBJ}, {stl_text, FR_MODEL_STL_ASCII}, {ply_text, FR_MODEL_PLY_ASCII}, {off_text, FR_MODEL_OFF}};
#define SAMPLE_COUNT (sizeof samples / sizeof samples[0])

static void formats_have_names_and_endings(void **state) {
    (void)state;
    static const struct {
        fr_model_format format;
        const char *name, *file; // NULL where another format has the ending
    } known[] = {{FR_MODEL_AUTO, "auto", "x.txt"},    {FR_MODEL_OBJ, "obj", "x.obj"},
                 {FR_MODEL_STL, "stl", "x.stl"},      {FR_MODEL_STL_ASCII, "stl-ascii", NULL},
                 {FR_MODEL_PLY, "ply", "x.ply"},      {FR_MODEL_PLY_ASCII, "ply-ascii", NULL},
                 {FR_MODEL_OFF, "off", "x.off"},      {FR_MODEL_VRML, "vrml", "x.wrl.gz"},
                 {FR_MODEL_VRML_1, "VRML 1.0", NULL}, {FR_MODEL_INVENTOR, "Inventor 2.x", "x.iv"},
                 {FR_MODEL_X3D, "x3d", "x.x3d"},      {FR_MODEL_X3D_VRML, "x3dv", "x.x3dv"},
                 {FR_MODEL_DXF, "dxf", "x.dxf"},      {FR_MODEL_GLTF, "gltf", "x.gltf"},
                 {FR_MODEL_GLB, "glb", "x.glb"},      {FR_MODEL_COLLADA, "collada", "x.dae"},
                 {FR_MODEL_FRM, "frm", "x.frm"}};
    assert_int_equal(sizeof known / sizeof known[0], FR_MODEL_FORMAT_COUNT);
    for (size_t i = 0; i < FR_MODEL_FORMAT_COUNT; i++) {
        assert_string_equal(fr_model_format_name(known[i].format), known[i].name);
        if (known[i].file != NULL) { assert_int_equal(fr_model_format_of_name(known[i].file), known[i].format); }
    }
    assert_string_equal(fr_model_format_name((fr_model_format)99), "auto");
    assert_string_equal(fr_model_format_name((fr_model_format)-1), "auto");
    assert_int_equal(fr_model_format_of_name("a/b.OBJ"), FR_MODEL_OBJ);
    assert_int_equal(fr_model_format_of_name("x.Stl"), FR_MODEL_STL);
    assert_int_equal(fr_model_format_of_name(".ply"), FR_MODEL_PLY);
    assert_int_equal(fr_model_format_of_name("x.off"), FR_MODEL_OFF);
    assert_int_equal(fr_model_format_of_name("obj"), FR_MODEL_AUTO);
    assert_int_equal(fr_model_format_of_name("x.obj.gz"), FR_MODEL_AUTO);
    assert_int_equal(fr_model_format_of_name(NULL), FR_MODEL_AUTO);
}

static void bytes_decide_the_format(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        size_t size = strlen(samples[i].text);
        assert_int_equal(fr_model_format_detect(samples[i].text, size, NULL), samples[i].format);
        // The mark in front wins over a wrong ending; OBJ has none.
        fr_model_format expected = samples[i].format == FR_MODEL_OBJ ? FR_MODEL_OFF : samples[i].format;
        assert_int_equal(fr_model_format_detect(samples[i].text, size, "x.off"), expected);
    }
    assert_int_equal(fr_model_format_detect("1 0 0\n", 6, "x.off"), FR_MODEL_OFF);
    assert_int_equal(fr_model_format_detect("# x\n\n  v 0 0 0", 14, NULL), FR_MODEL_OBJ);
    assert_int_equal(fr_model_format_detect("solid\0\0\0", 8, NULL), FR_MODEL_AUTO);
    assert_int_equal(fr_model_format_detect("?", 1, "x.wrl"), FR_MODEL_VRML);
    assert_int_equal(fr_model_format_detect(NULL, 0, "x.obj"), FR_MODEL_OBJ);
    refuses("what is this", FR_MODEL_AUTO, FR_ERROR_UNSUPPORTED, 0, 0, "OBJ, STL, PLY, OFF");
    refuses("", FR_MODEL_AUTO, FR_ERROR_UNSUPPORTED, 0, 0, "none of the formats");
}

static void only_the_first_4_kib_are_looked_at(void **state) {
    (void)state;
    static char text[4096 + 8];
    memset(text, ' ', sizeof text);
    memcpy(text + 4088, "v 0 0 0\n", 8);
    assert_int_equal(fr_model_format_detect(text, sizeof text, NULL), FR_MODEL_OBJ);
    memset(text, ' ', sizeof text);
    memcpy(text + 4096, "v 0 0 0\n", 8);
    assert_int_equal(fr_model_format_detect(text, sizeof text, NULL), FR_MODEL_AUTO);
}

static void limits_have_their_defaults(void **state) {
    (void)state;
    const fr_model_limits l = fr_default_model_read_input().limits;
    assert_true(l.bytes == UINT64_C(1) << 31 && l.vertices == 1 << 28 && l.faces == 1 << 27 && l.corners == 1 << 30);
    assert_true(l.polygon_corners == 1 << 16 && l.nodes == 10000000 && l.inflated_bytes == 1 << 30);
    assert_true(l.inflation == 200 && l.placed_vertices == 50000000 && l.placed_triangles == 100000000);
    assert_true(l.elements == 50000000 && l.string_bytes == 1 << 20 && l.pixels == 1 << 26);
    assert_true(l.nesting == 128 && l.proto_nesting == 32 && l.inline_nesting == 8);
}

static fr_status read_limited(size_t sample, fr_model_limits limits) {
    fr_model_read_input options = fr_default_model_read_input();
    options.limits = limits;
    fr_model *model;
    fr_error error;
    fr_status status = read_bytes(samples[sample].text, strlen(samples[sample].text), &options, &model, &error);
    fr_model_destroy(model);
    return status;
}

static void every_limit_holds(void **state) {
    (void)state;
    const fr_model_limits open = fr_default_model_read_input().limits;
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        assert_int_equal(read_limited(i, open), FR_OK);
        fr_model_limits limits = open;
        limits.bytes = strlen(samples[i].text) - 1;
        assert_int_equal(read_limited(i, limits), FR_ERROR_LIMIT);
        limits.bytes++;
        assert_int_equal(read_limited(i, limits), FR_OK);
        limits = open;
        limits.vertices = 3;
        assert_int_equal(read_limited(i, limits), FR_ERROR_LIMIT);
        limits = open;
        limits.faces = 1;
        assert_int_equal(read_limited(i, limits), FR_ERROR_LIMIT);
        limits = open;
        limits.corners = 6;
        assert_int_equal(read_limited(i, limits), FR_ERROR_LIMIT);
        limits = open;
        limits.polygon_corners = 3;
        assert_int_equal(read_limited(i, limits), FR_ERROR_LIMIT);
    }
    fr_model_limits limits = open;
    limits.nodes = 1;
    assert_int_equal(read_limited(0, limits), FR_ERROR_LIMIT);
    assert_int_equal(read_limited(1, limits), FR_ERROR_LIMIT);
    assert_int_equal(read_limited(2, limits), FR_OK);
}

// Files that ask for the most memory a byte.
static void memory_grows_with_the_bytes_alone(void **state) {
    (void)state;
    static const char *const heads[] = {"v 0 0 0\n", "v 0 0 0\n", "v 0 0 0\n", "", "solid\n", "OFF\n1 9999 0\n0 0 0\n"};
    static const char *const rows[] = {
        "o\nf 1 1 1\n",
        "g\nf 1 1 1\nusemtl\n",
        "v 0 0 0\n",
        "o\n",
        "solid\nfacet\nouter loop\nvertex 0 0 0 vertex 0 0 0 vertex 0 0 0\nendloop endfacet\n",
        "3 0 0 0\n"};
    for (int i = 0; i < 6; i++) {
        fr_array text = fr_array_make(1, NULL);
        push_bytes(heads[i], strlen(heads[i]), &text);
        for (int k = 0; k < 9999; k++) {
            push_bytes(rows[i], strlen(rows[i]), &text);
        }
        fr_probe *probe = fr_probe_create();
        fr_model_read_input options = fr_default_model_read_input();
        options.allocator = fr_probe_allocator(probe);
        fr_model *model;
        assert_int_equal(read_bytes(text.data, text.count, &options, &model, NULL), FR_OK);
        uint64_t peak = fr_probe_get(probe).peak_bytes;
        if (peak > 32 * text.count + 65536) {
            fail_msg("%s: %.1f bytes a byte", rows[i], (double)peak / (double)text.count);
        }
        fr_model_destroy(model);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        fr_probe_destroy(probe);
        fr_array_destroy(&text);
    }
}

typedef struct calls {
    int check_count, progress_count;
    int stop_at;
    double last;
} calls;

static bool stop(void *user) {
    calls *c = user;
    return ++c->check_count == c->stop_at;
}

static void progress(double fraction, const char *stage, void *user) {
    calls *c = user;
    assert_true(fraction >= c->last && fraction <= 1.0);
    assert_string_equal(stage, "reading");
    c->last = fraction;
    c->progress_count++;
}

static void a_long_reading_can_be_stopped(void **state) {
    (void)state;
    fr_array text = fr_array_make(1, NULL);
    for (int i = 0; i < 300000; i++) {
        push_bytes("v 0 0 0\n", 8, &text);
    }
    calls c = {0};
    fr_control control = {stop, progress, &c};
    fr_model_read_input options = fr_default_model_read_input();
    options.control = &control;
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(text.data, text.count, &options, &model, &error), FR_OK);
    assert_true(c.progress_count >= 10 && c.last == 1.0);
    fr_model_destroy(model);
    c = (calls){.stop_at = 5};
    assert_int_equal(read_bytes(text.data, text.count, &options, &model, &error), FR_ERROR_STOPPED);
    assert_int_equal(c.check_count, 5);
    fr_array_destroy(&text);
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        survives_failures(samples[i].text, strlen(samples[i].text), FR_MODEL_AUTO, 200);
    }
}

// Any cut and any change of a byte ends with a model or a message.
static void damaged_files_are_survived(void **state) {
    (void)state;
    fr_random random = fr_random_seed(8);
    for (size_t i = 0; i < SAMPLE_COUNT; i++) {
        char text[700];
        size_t size = strlen(samples[i].text);
        for (int round = 0; round < 4000; round++) {
            memcpy(text, samples[i].text, size);
            for (uint64_t k = fr_random_below(&random, 4); k > 0; k--) {
                text[fr_random_below(&random, size)] = (char)fr_random_bits(&random);
            }
            fr_model_read_input options = fr_default_model_read_input();
            options.format = samples[i].format;
            fr_model *model;
            fr_error error;
            fr_status status = read_bytes(text, fr_random_below(&random, size + 1), &options, &model, &error);
            assert_true(status == FR_OK || error.message[0] != '\0');
            fr_model_destroy(model);
        }
    }
}

static void warnings_beyond_the_first_are_counted(void **state) {
    (void)state;
    fr_array text = fr_array_make(1, NULL);
    for (int i = 0; i < 1000; i++) {
        push_bytes("what\n", 5, &text);
    }
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_OBJ;
    fr_model *model;
    assert_int_equal(read_bytes(text.data, text.count, &options, &model, NULL), FR_OK);
    assert_int_equal(fr_model_get(model)->warning_count, 1001);
    assert_int_equal(fr_model_get(model)->listed_warning_count, FR_MODEL_MAX_WARNINGS);
    assert_int_equal(fr_model_get(model)->warnings[99].line, 100);
    fr_model_destroy(model);
    fr_array_destroy(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_have_names_and_endings),
        cmocka_unit_test(bytes_decide_the_format),
        cmocka_unit_test(only_the_first_4_kib_are_looked_at),
        cmocka_unit_test(limits_have_their_defaults),
        cmocka_unit_test(every_limit_holds),
        cmocka_unit_test(memory_grows_with_the_bytes_alone),
        cmocka_unit_test(a_long_reading_can_be_stopped),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(damaged_files_are_survived),
        cmocka_unit_test(warnings_beyond_the_first_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
