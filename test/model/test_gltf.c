// glTF and GLB: what is written comes back, documents are checked at their place, nothing outside the
// folder is read.
#include "glb_bytes.h"
#include "rich_model.h"

// A triangle: three positions and three indices of 16 bits, as base64.
#define TRIANGLE_BYTES "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA"
#define TRIANGLE_URI "data:application/octet-stream;base64," TRIANGLE_BYTES

// A document around a triangle, in which parts can be replaced.
typedef struct parts {
    const char *uri, *nodes, *scene, *accessors, *views, *extra, *attributes;
} parts;

static const parts usual = {
    TRIANGLE_URI,
    "{\"name\":\"t\\u00e9\",\"mesh\":0,\"translation\":[1,2,3]}",
    "\"scenes\":[{\"nodes\":[0]}]",
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}",
    "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":6}",
    "",
    "",
};

static void document(const parts *p, char *text, size_t size) {
    int length = snprintf(text, size,
                          "{\"asset\":{\"version\":\"2.0\"},\n\"buffers\":[{\"byteLength\":42,\"uri\":\"%s\"}],\n"
                          "\"bufferViews\":[%s],\n\"accessors\":[%s],\n"
                          "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0%s},\"indices\":1}]}],\n"
                          "\"nodes\":[%s],\n%s%s}",
                          p->uri, p->views, p->accessors, p->attributes, p->nodes, p->scene, p->extra);
    assert_true(length > 0 && (size_t)length < size);
}

static fr_model *read_parts(const parts *p, fr_error *error, fr_status *status) {
    char text[4000];
    document(p, text, sizeof text);
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_GLTF;
    fr_model *model;
    *status = read_bytes(text, strlen(text), &options, &model, error);
    return model;
}

static void a_triangle_is_read(void **state) {
    (void)state;
    fr_error error;
    fr_status status;
    fr_model *model = read_parts(&usual, &error, &status);
    if (status != FR_OK) { fail_msg("%d:%d: %s", error.line, error.column, error.message); }
    const fr_model_view *view = fr_model_get(model);
    assert_int_equal(view->node_count, 1);
    assert_string_equal(view->nodes[0].name, "t\xc3\xa9");
    assert_int_equal(view->triangle_count, 1);
    assert_true(view->bounds.max.x == 2.0 && view->bounds.max.y == 3.0 && view->bounds.max.z == 3.0);
    fr_model_destroy(model);
}

// A file's textures begin at the top left, ours at the lower left: v goes up, as in VRML.
static void textures_stand_upright(void **state) {
    (void)state;
    parts p = usual;
    p.attributes = ",\"TEXCOORD_0\":2"; // x and y of the positions
    p.views = "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":6},"
              "{\"buffer\":0,\"byteLength\":36,\"byteStride\":12}";
    p.accessors = "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
                  "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"},"
                  "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}";
    fr_error error;
    fr_status status;
    fr_model *model = read_parts(&p, &error, &status);
    if (status != FR_OK) { fail_msg("%d:%d: %s", error.line, error.column, error.message); }
    const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
    for (uint32_t c = 0; c < 3; c++) {
        const float *at = mesh->positions_float + (size_t)3 * mesh->corners[c], *uv = mesh->corner_uvs + (size_t)2 * c;
        assert_true(uv[0] == at[0] && uv[1] == 1.0f - at[1]);
    }
    // Written again it is as it was.
    fr_model *again = written_and_read(model, FR_MODEL_GLB);
    assert_memory_equal(fr_model_get(again)->meshes[0].corner_uvs, mesh->corner_uvs, 6 * sizeof(float));
    fr_model_destroy(again);
    fr_model_destroy(model);
}

static void refuses_parts(parts p, fr_status expected, int line, const char *words) {
    fr_error error;
    fr_status status;
    fr_model *model = read_parts(&p, &error, &status);
    assert_null(model);
    if (strstr(error.message, words) == NULL) { fail_msg("'%s' in '%s'", words, error.message); }
    assert_int_equal(status, expected);
    assert_int_equal(error.line, line);
}

static parts with(size_t offset, const char *value) {
    parts p = usual;
    memcpy((char *)&p + offset, &value, sizeof value);
    return p;
}

#define WITH(member, value) with(offsetof(parts, member), value)

static void wrong_documents_are_refused_at_their_place(void **state) {
    (void)state;
    refuses_parts(WITH(uri, "data:;base64,AAAA"), FR_ERROR_CORRUPT, 2, "42 bytes, but there are 3");
    refuses_parts(WITH(uri, "data:;base64,A*AA"), FR_ERROR_CORRUPT, 2, "not base64");
    refuses_parts(WITH(uri, "../a.bin"), FR_ERROR_UNSUPPORTED, 2, "model's folder");
    refuses_parts(WITH(uri, "/etc/passwd"), FR_ERROR_UNSUPPORTED, 2, "model's folder");
    refuses_parts(WITH(uri, "http://x/a.bin"), FR_ERROR_UNSUPPORTED, 2, "model's folder");
    refuses_parts(WITH(uri, "a/%2e%2e/%2e./b.bin"), FR_ERROR_UNSUPPORTED, 2, "model's folder");
    refuses_parts(WITH(uri, "a.bin"), FR_ERROR_FILE, 2, "not there");
    refuses_parts(WITH(views, "{\"buffer\":0,\"byteLength\":43}"), FR_ERROR_CORRUPT, 3, "does not lie");
    refuses_parts(WITH(views, "{\"buffer\":1,\"byteLength\":4}"), FR_ERROR_CORRUPT, 3, "no buffer of this number");
    refuses_parts(WITH(accessors, "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}"),
                  FR_ERROR_CORRUPT, 4, "4 elements do not fit");
    refuses_parts(
        WITH(accessors, "{\"bufferView\":0,\"componentType\":5126,\"count\":9007199254740991,\"type\":\"VEC3\"}"),
        FR_ERROR_CORRUPT, 4, "do not fit");
    refuses_parts(WITH(accessors, "{\"bufferView\":1,\"componentType\":5123,\"count\":1,\"type\":\"VEC3\"},"
                                  "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}"),
                  FR_ERROR_CORRUPT, 5, "vertex 1 of 1");
    refuses_parts(WITH(nodes, "{\"children\":[0]}"), FR_ERROR_LIMIT, 6, "below itself");
    refuses_parts(WITH(nodes, "{\"children\":[1,2]},{\"children\":[2]},{}"), FR_ERROR_CORRUPT, 6, "two parents");
    refuses_parts(WITH(nodes, "{\"mesh\":1}"), FR_ERROR_CORRUPT, 6, "no mesh of this number");
    refuses_parts(WITH(nodes, "{\"mesh\":0,\"matrix\":[1,2]}"), FR_ERROR_SYNTAX, 6, "16 numbers");
    refuses_parts(WITH(scene, "\"scenes\":[{\"nodes\":[7]}]"), FR_ERROR_CORRUPT, 7, "no node of this number");
    refuses_parts(WITH(scene, "\"scenes\":[{}]"), FR_ERROR_UNSUPPORTED, 1, "the scene has no node");
    refuses_parts(WITH(extra, ",\"x\":[1,2"), FR_ERROR_SYNTAX, 7, "',' or ']'");
    refuses_parts(WITH(extra, ",\"x\":\"\\q\""), FR_ERROR_SYNTAX, 7, "backslash");
    refuses("[1]", FR_MODEL_GLTF, FR_ERROR_SYNTAX, 1, 1, "one object");
    refuses("{\"asset\":{\"version\":\"1.0\"}}", FR_MODEL_GLTF, FR_ERROR_UNSUPPORTED, 1, 21, "glTF 2");
    refuses("glTF", FR_MODEL_GLB, FR_ERROR_SYNTAX, 0, 0, "cut off");
    char deep[1000] = "{\"a\":";
    memset(deep + 5, '[', 900);
    deep[905] = '\0';
    refuses(deep, FR_MODEL_GLTF, FR_ERROR_LIMIT, 1, 133, "inside one another");
}

// ---------------------------------------------------------------------------------------------------------------
// Sparse accessors

// Three positions; the second and third are put in the place of others, and their numbers; as base64:
// 0 0 0, 1 0 0, 0 1 0 | 1, 2 of 8 bits and 2 of padding | 4 0 0, 0 5 0.
#define SPARSE_URI                                                                                                     \
    "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAQIAAAAAgEAAAAAAAAAAAAAAAAAAAKBAAAAAAA=="
#define SPARSE_VIEWS                                                                                                   \
    "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":2},"                              \
    "{\"buffer\":0,\"byteOffset\":40,\"byteLength\":24}"
#define SPARSE_PART(count, indices, type)                                                                              \
    "\"sparse\":{\"count\":" count ",\"indices\":{\"bufferView\":1,\"componentType\":" type indices                    \
    "},\"values\":{\"bufferView\":2}}"

static void sparse_document(const char *accessor, char *text, size_t size) {
    int length =
        snprintf(text, size,
                 "{\"asset\":{\"version\":\"2.0\"},\n\"buffers\":[{\"byteLength\":64,\"uri\":\"" SPARSE_URI "\"}],\n"
                 "\"bufferViews\":[" SPARSE_VIEWS "],\n\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",%s}],\n"
                 "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\n\"nodes\":[{\"mesh\":0}]}",
                 accessor);
    assert_true(length > 0 && (size_t)length < size);
}

static void refuses_sparse(const char *accessor, fr_status status, const char *words) {
    char text[4000];
    sparse_document(accessor, text, sizeof text);
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_GLTF;
    fr_model *model;
    fr_error error;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, &error), status);
    if (strstr(error.message, words) == NULL) { fail_msg("'%s' in '%s'", words, error.message); }
    assert_int_equal(error.line, status == FR_ERROR_LIMIT || status == FR_ERROR_CORRUPT ? 4 : error.line);
}

static void sparse_accessors_are_read(void **state) {
    (void)state;
    static const struct {
        const char *accessor;
        float x1, y2;
    } cases[] = {{"\"bufferView\":0,\"count\":3," SPARSE_PART("2", "", "5121"), 4, 5},
                 {"\"bufferView\":0,\"count\":3," SPARSE_PART("1", "", "5121"), 4, 1},
                 {"\"bufferView\":0,\"count\":3," SPARSE_PART("0", "", "5121"), 1, 1},
                 {"\"count\":3," SPARSE_PART("2", "", "5121"), 4, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[4000];
        sparse_document(cases[i].accessor, text, sizeof text);
        fr_model *model = read_text(text, FR_MODEL_GLTF);
        const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
        assert_int_equal(mesh->vertex_count, 3);
        assert_true(mesh->positions_float[3] == cases[i].x1 && mesh->positions_float[7] == cases[i].y2);
        assert_true(mesh->positions_float[0] == 0.0f && mesh->positions_float[4] == 0.0f);
        fr_model_destroy(model);
    }
    refuses_sparse("\"count\":3," SPARSE_PART("3", "", "5121"), FR_ERROR_CORRUPT, "3 elements do not fit");
    refuses_sparse("\"count\":2," SPARSE_PART("2", "", "5121"), FR_ERROR_CORRUPT, "index 1 of a sparse accessor is 2");
    refuses_sparse("\"count\":999," SPARSE_PART("2", ",\"byteOffset\":1", "5121"), FR_ERROR_CORRUPT, "do not fit");
    refuses_sparse("\"count\":3," SPARSE_PART("1", "", "5126"), FR_ERROR_CORRUPT, "whole numbers");
    refuses_sparse("\"count\":3,\"sparse\":{\"count\":1}", FR_ERROR_SYNTAX, "indices and values");
    refuses_sparse("\"count\":9000000000," SPARSE_PART("1", "", "5121"), FR_ERROR_LIMIT, "elements");
    // Numbers that do not rise: 2 after 513 as one number of 16 bits, and the same twice.
    refuses_sparse("\"count\":3," SPARSE_PART("1", "", "5123"), FR_ERROR_CORRUPT, "is 513 of 3");
}

// ---------------------------------------------------------------------------------------------------------------
// Limits

// Positions that several primitives share are read for each: as many in all as the limit says, and not one more.
static void shared_lists_are_read_up_to_the_limit(void **state) {
    (void)state;
    enum { VERTICES = 3000, PRIMITIVES = 40 };
    static float positions[3 * VERTICES];
    char json[4000];
    size_t length = (size_t)snprintf(json, sizeof json,
                                     "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36000}],"
                                     "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36000}],\"accessors\":[{"
                                     "\"bufferView\":0,\"componentType\":5126,\"count\":3000,\"type\":\"VEC3\"}],"
                                     "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[");
    for (int i = 0; i < PRIMITIVES; i++) {
        length += (size_t)snprintf(json + length, sizeof json - length, "%s{\"attributes\":{\"POSITION\":0}}",
                                   i > 0 ? "," : "");
    }
    snprintf(json + length, sizeof json - length, "]}]}");
    fr_array bytes = glb_bytes(json, positions, sizeof positions);
    for (uint64_t less = 0; less < 2; less++) {
        fr_model_read_input options = fr_default_model_read_input();
        options.limits.placed_vertices = VERTICES * PRIMITIVES - less;
        fr_model *model;
        fr_error error;
        assert_int_equal(read_bytes(bytes.data, bytes.count, &options, &model, &error), less ? FR_ERROR_LIMIT : FR_OK);
        fr_model_destroy(model);
    }
    fr_array_destroy(&bytes);
}

// A list of zeros costs no byte, and so it may not be much longer than the file.
static void zeros_are_bounded_by_the_bytes(void **state) {
    (void)state;
    parts p = usual;
    char accessors[200];
    for (int count = 3000; count <= 300000; count += 297000) {
        snprintf(accessors, sizeof accessors,
                 "{\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},"
                 "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}",
                 count);
        p.accessors = accessors;
        fr_error error;
        fr_status status;
        fr_model *model = read_parts(&p, &error, &status);
        assert_int_equal(status, count == 3000 ? FR_OK : FR_ERROR_LIMIT);
        fr_model_destroy(model);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

// A door that turns about its hinge, slides, and grows, under two clocks.
static const char *const door =
    "#VRML V2.0 utf8\n"
    "DEF door Transform { translation 1 0 0 center 0.5 0 0 children [ Shape { geometry IndexedFaceSet { coord\n"
    "Coordinate { point [ 0 0 0 1 0 0 0 1 0 ] } coordIndex [ 0 1 2 -1 ] } }\n"
    "DEF knob Transform { scale 2 2 2 children Shape { geometry Box { } } } ] }\n"
    "DEF c TimeSensor { loop TRUE cycleInterval 4 } DEF d TimeSensor { startTime 2 stopTime 9 loop TRUE }\n"
    "DEF p PositionInterpolator { key [ 0 0.5 0.5 1 ] keyValue [ 0 0 0 1 0 0 3 0 0 3 4 0 ] }\n"
    "DEF o OrientationInterpolator { key [ 0 1 ] keyValue [ 0 1 0 0, 0 1 0 2 ] }\n"
    "DEF s PositionInterpolator { key [ 0 1 ] keyValue [ 1 1 1 2 3 4 ] }\n"
    "ROUTE c.fraction_changed TO p.set_fraction ROUTE p.value_changed TO door.set_translation\n"
    "ROUTE c.fraction_changed TO o.set_fraction ROUTE o.value_changed TO door.set_rotation\n"
    "ROUTE d.fraction_changed TO s.set_fraction ROUTE s.value_changed TO knob.set_scale\n";

// The greatest coordinates of a part at a time, in the model's frame: vertices may come in another order.
static fr_vec3 highest_at(fr_model_play *play, const fr_model *model, const char *part, double time) {
    const fr_model_view *view = fr_model_get(model);
    fr_vec3 vertices[64];
    uint32_t node = 0;
    while (node < view->node_count &&
           !(view->nodes[node].mesh != FR_NONE &&
             (strcmp(part, "box") == 0) == (view->meshes[view->nodes[node].mesh].vertex_count > 3))) {
        node++;
    }
    assert_true(node < view->node_count && view->meshes[view->nodes[node].mesh].vertex_count <= 64);
    fr_model_play_at(play, time);
    fr_model_play_vertices(play, node, vertices);
    fr_vec3 highest = vertices[0];
    for (uint32_t v = 1; v < view->meshes[view->nodes[node].mesh].vertex_count; v++) {
        highest = fr_vec3_make(fmax(highest.x, vertices[v].x), fmax(highest.y, vertices[v].y),
                               fmax(highest.z, vertices[v].z));
    }
    return highest;
}

static void glb_keeps_motion(void **state) {
    (void)state;
    fr_model *model = read_text(door, FR_MODEL_VRML);
    fr_model *again = written_and_read(model, FR_MODEL_GLB);
    const fr_model_view *a = fr_model_get(model), *b = fr_model_get(again);
    assert_int_equal(b->track_count, 3);
    assert_int_equal(b->clock_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_string_equal(b->clocks[i].name, a->clocks[i].name);
        assert_memory_equal(&b->clocks[i].cycle, &a->clocks[i].cycle, 3 * sizeof(double));
        assert_true(b->clocks[i].is_loop == a->clocks[i].is_loop && b->clocks[i].is_enabled == a->clocks[i].is_enabled);
    }
    // One node more, which brings the hinge back.
    assert_int_equal(b->node_count, a->node_count + 1);
    fr_model_play *first, *second;
    assert_int_equal(fr_model_play_create(model, NULL, &first, NULL), FR_OK);
    assert_int_equal(fr_model_play_create(again, NULL, &second, NULL), FR_OK);
    for (double time = 0.0; time < 12.0; time += 0.37) {
        const char *const shown[2] = {"triangle", "box"};
        for (int i = 0; i < 2; i++) {
            fr_vec3 x = highest_at(first, model, shown[i], time), y = highest_at(second, again, shown[i], time);
            if (fr_vec3_length(fr_vec3_sub(x, y)) > 1e-5) {
                fail_msg("%s at %g: %g %g %g, not %g %g %g", shown[i], time, y.x, y.y, y.z, x.x, x.y, x.z);
            }
        }
    }
    fr_model_play_destroy(first);
    fr_model_play_destroy(second);
    fr_model_destroy(again);
    fr_model_destroy(model);
}

// Times 0 and 2 and values of a translation, as base64: 0 2 | 0 0 0, 0 0 0, 4 0 0 | 0 0 0, 8 0 0, 0 0 0.
#define CURVE_URI                                                                                                      \
    "data:;base64,"                                                                                                    \
    "AAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABBAAAAAAAAAAAAAAAAAAAAAAAAAAA="

static fr_model *read_animation(const char *interpolation, const char *count, const char *channel, fr_status *status,
                                fr_error *error) {
    char text[4000], extra[1500];
    snprintf(extra, sizeof extra, ",\n\"animations\":[{\"samplers\":[{\"input\":2,\"output\":3%s}],\"channels\":[%s]}]",
             interpolation, channel);
    parts p = usual;
    char accessors[1000], views[600];
    snprintf(accessors, sizeof accessors,
             "%s,{\"bufferView\":2,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
             "{\"bufferView\":3,\"componentType\":5126,\"count\":%s,\"type\":\"VEC3\"}",
             usual.accessors, count);
    snprintf(views, sizeof views,
             "%s,{\"buffer\":1,\"byteLength\":8},{\"buffer\":1,\"byteOffset\":8,\"byteLength\":72}", usual.views);
    p.accessors = accessors;
    p.views = views;
    p.extra = extra;
    p.uri = TRIANGLE_URI "\"},{\"byteLength\":80,\"uri\":\"" CURVE_URI;
    document(&p, text, sizeof text);
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_GLTF;
    fr_model *model;
    *status = read_bytes(text, strlen(text), &options, &model, error);
    return model;
}

#define CHANNEL "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}"

static void interpolations_become_linear(void **state) {
    (void)state;
    static const struct {
        const char *interpolation, *count;
        uint32_t keys;
        double at_half, at_end; // x of the translation
    } cases[] = {{"", "2", 2, 0.0, 0.0},
                 {",\"interpolation\":\"STEP\"", "2", 3, 0.0, 0.0},
                 // From 0 with slope 4 to 8 with slope 0 over 2 s: at half 4 + 0.125 * 2 * 4.
                 {",\"interpolation\":\"CUBICSPLINE\"", "6", 9, 5.0, 8.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_status status;
        fr_error error;
        fr_model *model = read_animation(cases[i].interpolation, cases[i].count, CHANNEL, &status, &error);
        if (status != FR_OK) { fail_msg("%d:%d: %s", error.line, error.column, error.message); }
        const fr_model_view *view = fr_model_get(model);
        assert_int_equal(view->track_count, 1);
        assert_true(view->clocks[0].cycle == 2.0 && view->clocks[0].is_loop && view->clocks[0].is_enabled);
        assert_int_equal(view->tracks[0].key_count, cases[i].keys);
        float value[3];
        fr_model_track_value(&view->tracks[0], 0.5, value);
        assert_true(fabs((double)value[0] - cases[i].at_half) < 1e-6);
        fr_model_track_value(&view->tracks[0], 1.0, value);
        assert_true(fabs((double)value[0] - cases[i].at_end) < 1e-6);
        assert_true(view->placements[view->nodes[0].placement].translation.y == 2.0);
        fr_model_destroy(model);
    }
}

static void wrong_animations_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *interpolation, *count, *channel, *words;
    } cases[] = {
        {"", "3", CHANNEL, "9 numbers for 2 times"},
        {",\"interpolation\":\"CUBICSPLINE\"", "5", CHANNEL, "15 numbers for 2 times"},
        {"", "2", "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"translation\"}}", "no sampler"},
        {"", "2", "{\"sampler\":0,\"target\":{\"node\":7,\"path\":\"translation\"}}", "no node"},
        {"", "2", "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}}", "type that is needed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_status status;
        fr_error error;
        fr_model *model = read_animation(cases[i].interpolation, cases[i].count, cases[i].channel, &status, &error);
        assert_null(model);
        assert_int_equal(status, FR_ERROR_CORRUPT);
        if (strstr(error.message, cases[i].words) == NULL) { fail_msg("'%s' in '%s'", cases[i].words, error.message); }
    }
    // What else is animated of a node is passed over.
    fr_status status;
    fr_error error;
    fr_model *model = read_animation("", "2",
                                     "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}},{\"sampler\":0,"
                                     "\"target\":{\"path\":\"translation\"}}",
                                     &status, &error);
    assert_int_equal(status, FR_OK);
    assert_int_equal(fr_model_get(model)->track_count, 0);
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Primitives and nodes

// Five positions of floats, 0 0 0, 1 0 0, 0 1 0, 1 1 0, 0 2 0, as base64.
#define FIVE_URI "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAACAPwAAgD8AAAAAAAAAAAAAAEAAAAAA"

static fr_model *read_five(const char *meshes, const char *nodes) {
    char text[4000];
    int length = snprintf(text, sizeof text,
                          "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":60,\"uri\":\"" FIVE_URI
                          "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":60}],\"accessors\":[{\"bufferView\":0,"
                          "\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"}],\"meshes\":[%s],\"nodes\":%s}",
                          meshes, nodes);
    assert_true(length > 0 && (size_t)length < sizeof text);
    return read_text(text, FR_MODEL_GLTF);
}

#define PRIMITIVE(mode) "{\"attributes\":{\"POSITION\":0},\"mode\":" mode "}"

static void every_mode_is_read(void **state) {
    (void)state;
    static const struct {
        const char *mesh;
        uint32_t faces, corners[9];
        uint64_t lines, points;
    } cases[] = {
        {"{\"primitives\":[" PRIMITIVE("0") "]}", 0, {0}, 0, 5},
        {"{\"primitives\":[" PRIMITIVE("1") "]}", 0, {0}, 2, 0},
        {"{\"primitives\":[" PRIMITIVE("2") "]}", 0, {0}, 5, 0},
        {"{\"primitives\":[" PRIMITIVE("3") "]}", 0, {0}, 4, 0},
        {"{\"primitives\":[" PRIMITIVE("5") "]}", 3, {0, 1, 2, 2, 1, 3, 2, 3, 4}, 0, 0},
        {"{\"primitives\":[" PRIMITIVE("6") "]}", 3, {0, 1, 2, 0, 2, 3, 0, 3, 4}, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_model *model = read_five(cases[i].mesh, "[{\"mesh\":0}]");
        const fr_model_view *view = fr_model_get(model);
        assert_int_equal(view->mesh_count, 1);
        assert_int_equal(view->meshes[0].vertex_count, 5);
        assert_int_equal(view->face_count, cases[i].faces);
        for (uint32_t c = 0; c < 3 * cases[i].faces; c++) {
            assert_int_equal(view->meshes[0].corners[c], cases[i].corners[c]);
        }
        assert_int_equal(view->line_count, cases[i].lines);
        assert_int_equal(view->point_count, cases[i].points);
        fr_model_destroy(model);
    }
    // Five corners are no whole triangles.
    fr_model *model = read_five("{\"primitives\":[" PRIMITIVE("4") "," PRIMITIVE("6") "]}", "[{\"mesh\":0}]");
    assert_int_equal(fr_model_get(model)->warning_count, 1);
    assert_int_equal(fr_model_get(model)->face_count, 3);
    fr_model_destroy(model);
}

#define TWO_MESHES                                                                                                     \
    "{\"primitives\":[" PRIMITIVE("6") "]},{\"primitives\":[" PRIMITIVE("5") "," PRIMITIVE(                            \
        "0") "]},"                                                                                                     \
             "{\"primitives\":[" PRIMITIVE("6") "]}"

// Parts stand in the order of the file, whatever the tree; a node with several has one below it for each; meshes that
// the scene does not show are left out.
static void parts_stand_in_the_order_of_the_file(void **state) {
    (void)state;
    fr_model *model = read_five(TWO_MESHES, "[{\"name\":\"a\",\"mesh\":1,\"children\":[1]},{\"name\":\"b\",\"mesh\":0},"
                                            "{\"mesh\":2}],\"scenes\":[{\"nodes\":[0,0]}]");
    const fr_model_view *view = fr_model_get(model);
    static const struct {
        const char *name;
        uint32_t parent, mesh;
    } expected[] = {{"a", FR_NONE, FR_NONE}, {"a", 0, 1}, {"a", 0, 2}, {"b", 0, 0}};
    assert_int_equal(view->node_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(view->nodes[i].name, expected[i].name);
        assert_int_equal(view->nodes[i].parent, expected[i].parent);
        assert_int_equal(view->nodes[i].mesh, expected[i].mesh);
    }
    assert_int_equal(view->mesh_count, 3);
    assert_int_equal(view->meshes[1].first_face, 3);
    // The scene lists its node twice.
    assert_int_equal(view->warning_count, 1);
    fr_model_destroy(model);
}

static void transforms_are_translation_rotation_scale(void **state) {
    (void)state;
    fr_model *model = read_five("{\"primitives\":[" PRIMITIVE("6") "]}",
                                "[{\"mesh\":0,\"translation\":[1,2,3],\"rotation\":[0,0,0.70710678,0.70710678],"
                                "\"scale\":[2,-3,4]},{\"mesh\":0,\"matrix\":[0,1,0,0,-1,0,0,0,0,0,1,0,5,6,7,1]},"
                                "{\"mesh\":0,\"scale\":[1,1,1]}]");
    static const double first[12] = {0, 3, 0, 1, 2, 0, 0, 2, 0, 0, 4, 3};
    static const double second[12] = {0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 1, 7};
    const fr_model_node *nodes = fr_model_get(model)->nodes;
    for (int i = 0; i < 12; i++) {
        assert_true(fabs(nodes[0].transform[i] - first[i]) < 1e-6);
    }
    assert_memory_equal(nodes[1].transform, second, sizeof second);
    assert_null(nodes[2].transform);
    fr_model_destroy(model);
}

// What the scene does not show is checked as well.
static void hidden_meshes_are_checked(void **state) {
    (void)state;
    parts p = usual;
    p.nodes = "{\"mesh\":0},{}";
    p.scene = "\"scenes\":[{\"nodes\":[1]}]";
    fr_error error;
    fr_status status;
    fr_model *model = read_parts(&p, &error, &status);
    assert_int_equal(status, FR_OK);
    assert_int_equal(fr_model_get(model)->mesh_count, 0);
    fr_model_destroy(model);
    p.views = "{\"buffer\":0,\"byteLength\":43}";
    refuses_parts(p, FR_ERROR_CORRUPT, 3, "does not lie");
}

// ---------------------------------------------------------------------------------------------------------------
// Files beside the model

static int loaded, unloaded;

static fr_status load(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)error;
    if (strcmp(path, "a b.bin") != 0) { return FR_ERROR_FILE; }
    loaded++;
    *bytes = context;
    *size = 42;
    return FR_OK;
}

static void unload(const void *bytes, size_t size, void *context) {
    assert_ptr_equal(bytes, context);
    assert_int_equal(size, 42);
    unloaded++;
}

static void buffers_come_from_the_caller(void **state) {
    (void)state;
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint16_t indices[3] = {0, 1, 2};
    char bytes[42], text[4000];
    memcpy(bytes, positions, 36);
    memcpy(bytes + 36, indices, 6);
    parts p = WITH(uri, "a%20b.bin");
    document(&p, text, sizeof text);
    fr_model_read_input options = fr_default_model_read_input();
    options.format = FR_MODEL_GLTF;
    options.files = (fr_model_files){load, unload, bytes};
    fr_model *model;
    assert_int_equal(read_bytes(text, strlen(text), &options, &model, NULL), FR_OK);
    assert_true(loaded == 1 && unloaded == 1);
    fr_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------------------------
// Round trips

static void glb_keeps_nodes_triangles_and_materials(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    fr_model *again = written_and_read(model, FR_MODEL_GLB);
    const fr_model_view *a = fr_model_get(model), *b = fr_model_get(again);
    // All nodes but the hidden one; the points have no triangle.
    assert_int_equal(b->node_count, 4);
    assert_string_equal(b->nodes[1].name, "table leg");
    assert_int_equal(b->nodes[1].parent, 0);
    assert_memory_equal(b->nodes[0].transform, a->nodes[0].transform, 12 * sizeof(double));
    assert_memory_equal(b->nodes[1].transform, a->nodes[1].transform, 12 * sizeof(double));
    assert_int_equal(b->placed_triangle_count, 3 + 1 + 1 + 1);
    assert_int_equal(b->material_count, 2);
    assert_string_equal(b->materials[0].name, "oak");
    assert_memory_equal(b->materials[0].diffuse, a->materials[0].diffuse, sizeof a->materials[0].diffuse);
    assert_true(b->materials[0].transparency == 0.5f && b->materials[0].is_unlit);
    assert_int_equal(b->nodes[1].material, a->nodes[1].material);
    assert_string_equal(b->textures[0].path, "wood.png");
    assert_int_equal(b->textures[1].byte_count, 4);
    assert_memory_equal(b->textures[1].bytes, "\211PNG", 4);
    const fr_model_mesh *mesh = &b->meshes[b->nodes[1].mesh];
    // The vertices are the corners of before.
    for (uint32_t c = 0; c < 3 * mesh->face_count; c++) {
        uint32_t before = mesh->corners[c];
        assert_int_equal(mesh->corner_colors[c].b, (uint8_t)(20 * before));
        assert_true(mesh->corner_normals[3 * c + 2] == 1.0f);
        assert_true(mesh->corner_uvs[2 * c] == 0.25f * (float)before && mesh->corner_uvs[2 * c + 1] == 0.0f);
    }
    fr_model_destroy(again);
    fr_model_destroy(model);
}

static void glb_has_the_frame_that_is_wanted(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    fr_model_write_input options = fr_default_model_write_input();
    options.unit = 0.001;
    options.up = FR_MODEL_UP_Z;
    fr_array bytes = fr_array_make(1, NULL);
    assert_int_equal(fr_model_write(model, FR_MODEL_GLB, &options, push_bytes, &bytes, NULL), FR_OK);
    fr_model_read_input reading = fr_default_model_read_input();
    reading.unit = 0.001;
    reading.up = FR_MODEL_UP_Z;
    fr_model *again;
    assert_int_equal(read_bytes(bytes.data, bytes.count, &reading, &again, NULL), FR_OK);
    const fr_model_view *a = fr_model_get(model), *b = fr_model_get(again);
    assert_true(fabs(a->bounds.max.y - b->bounds.max.y) < 1e-6 && fabs(a->bounds.min.z - b->bounds.min.z) < 1e-6);
    fr_model_destroy(again);
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

static void damaged_files_are_survived(void **state) {
    (void)state;
    fr_model *model = rich_model(false);
    fr_array bytes = written(model, FR_MODEL_GLB);
    fr_random random = fr_random_seed(4);
    char text[4000];
    document(&usual, text, sizeof text);
    for (int round = 0; round < 600; round++) {
        size_t size = round % 2 == 0 ? strlen(text) : bytes.count;
        char *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, round % 2 == 0 ? text : bytes.data, size);
        for (uint64_t k = 1 + fr_random_below(&random, 3); k > 0; k--) {
            copy[fr_random_below(&random, size)] = (char)fr_random_bits(&random);
        }
        fr_model_read_input options = fr_default_model_read_input();
        options.format = round % 2 == 0 ? FR_MODEL_GLTF : FR_MODEL_GLB;
        fr_model *again;
        fr_error error;
        size_t length = round % 5 == 0 ? fr_random_below(&random, size + 1) : size;
        fr_status status = fr_model_read(copy, length, &options, &again, &error);
        assert_true(status == FR_OK || error.message[0] != '\0');
        fr_model_destroy(again);
        free(copy);
    }
    fr_array_destroy(&bytes);
    fr_model_destroy(model);
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    char text[4000];
    document(&usual, text, sizeof text);
    survives_failures(text, strlen(text), FR_MODEL_GLTF, 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle_is_read),
        cmocka_unit_test(textures_stand_upright),
        cmocka_unit_test(wrong_documents_are_refused_at_their_place),
        cmocka_unit_test(sparse_accessors_are_read),
        cmocka_unit_test(shared_lists_are_read_up_to_the_limit),
        cmocka_unit_test(zeros_are_bounded_by_the_bytes),
        cmocka_unit_test(glb_keeps_motion),
        cmocka_unit_test(interpolations_become_linear),
        cmocka_unit_test(wrong_animations_are_refused),
        cmocka_unit_test(every_mode_is_read),
        cmocka_unit_test(parts_stand_in_the_order_of_the_file),
        cmocka_unit_test(transforms_are_translation_rotation_scale),
        cmocka_unit_test(hidden_meshes_are_checked),
        cmocka_unit_test(buffers_come_from_the_caller),
        cmocka_unit_test(glb_keeps_nodes_triangles_and_materials),
        cmocka_unit_test(glb_has_the_frame_that_is_wanted),
        cmocka_unit_test(damaged_files_are_survived),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
