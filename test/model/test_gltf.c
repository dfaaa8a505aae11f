// glTF and GLB: what is written comes back, documents are checked at their place, nothing outside the folder is asked
// for. Where the library was built without assimp reading says so, and what needs it is skipped.
#include "rich_model.h"

// A triangle: three positions and three indices of 16 bits, as base64.
#define TRIANGLE_BYTES "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA"
#define TRIANGLE_URI "data:application/octet-stream;base64," TRIANGLE_BYTES

// A document around a triangle, in which parts can be replaced.
typedef struct parts {
    const char *uri, *nodes, *scene, *accessors, *views, *extra;
} parts;

static const parts usual = {
    TRIANGLE_URI,
    "{\"name\":\"t\\u00e9\",\"mesh\":0,\"translation\":[1,2,3]}",
    "\"scenes\":[{\"nodes\":[0]}]",
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
    "{\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}",
    "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":6}",
    "",
};

static void document(const parts *p, char *text, size_t size) {
    int length = snprintf(text, size,
                          "{\"asset\":{\"version\":\"2.0\"},\n\"buffers\":[{\"byteLength\":42,\"uri\":\"%s\"}],\n"
                          "\"bufferViews\":[%s],\n\"accessors\":[%s],\n"
                          "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\n"
                          "\"nodes\":[%s],\n%s%s}",
                          p->uri, p->views, p->accessors, p->nodes, p->scene, p->extra);
    assert_true(length > 0 && (size_t)length < size);
}

static bool has_assimp(void) {
    char text[4000];
    document(&usual, text, sizeof text);
    fr_model_read_options options = fr_default_model_read_options();
    options.format = FR_MODEL_GLTF;
    fr_model *model;
    fr_status status = read_bytes(text, strlen(text), &options, &model, NULL);
    fr_model_destroy(model);
    return status != FR_ERROR_UNSUPPORTED;
}

static fr_model *read_parts(const parts *p, fr_error *error, fr_status *status) {
    char text[4000];
    document(p, text, sizeof text);
    fr_model_read_options options = fr_default_model_read_options();
    options.format = FR_MODEL_GLTF;
    fr_model *model;
    *status = read_bytes(text, strlen(text), &options, &model, error);
    return model;
}

static void a_triangle_is_read(void **state) {
    (void)state;
    if (!has_assimp()) { skip(); }
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
    refuses_parts(WITH(extra, ",\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]"), FR_ERROR_UNSUPPORTED, 7,
                  "extension");
    refuses_parts(WITH(extra, ",\"x\":[1,2"), FR_ERROR_SYNTAX, 7, "',' or ']'");
    refuses_parts(WITH(extra, ",\"x\":\"\\q\""), FR_ERROR_SYNTAX, 7, "escape");
    refuses("[1]", FR_MODEL_GLTF, FR_ERROR_SYNTAX, 1, 1, "one object");
    refuses("{\"asset\":{\"version\":\"1.0\"}}", FR_MODEL_GLTF, FR_ERROR_UNSUPPORTED, 1, 22, "glTF 2");
    refuses("glTF", FR_MODEL_GLB, FR_ERROR_SYNTAX, 0, 0, "cut off");
    char deep[1000] = "{\"a\":";
    memset(deep + 5, '[', 900);
    deep[905] = '\0';
    refuses(deep, FR_MODEL_GLTF, FR_ERROR_LIMIT, 1, 133, "brackets");
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

static void buffers_are_asked_of_the_caller(void **state) {
    (void)state;
    if (!has_assimp()) { skip(); }
    const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint16_t indices[3] = {0, 1, 2};
    char bytes[42], text[4000];
    memcpy(bytes, positions, 36);
    memcpy(bytes + 36, indices, 6);
    parts p = WITH(uri, "a%20b.bin");
    document(&p, text, sizeof text);
    fr_model_read_options options = fr_default_model_read_options();
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
    if (!has_assimp()) { skip(); }
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
    assert_true(b->materials[0].transparency == 0.5f && b->materials[0].unlit);
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

static void glb_has_the_frame_that_is_asked_for(void **state) {
    (void)state;
    if (!has_assimp()) { skip(); }
    fr_model *model = rich_model(false);
    fr_model_write_options options = fr_default_model_write_options();
    options.unit = 0.001;
    options.up = FR_MODEL_UP_Z;
    fr_array bytes = fr_array_make(1, NULL);
    assert_int_equal(fr_model_write(model, FR_MODEL_GLB, &options, push_bytes, &bytes, NULL), FR_OK);
    fr_model_read_options reading = fr_default_model_read_options();
    reading.unit = 0.001;
    reading.up = FR_MODEL_UP_Z;
    fr_model *again;
    assert_int_equal(read_bytes(bytes.data, bytes.count, &reading, &again, NULL), FR_OK);
    const fr_model_view *a = fr_model_get(model), *b = fr_model_get(again);
    assert_true(fabs(a->bounds.max.y - b->bounds.max.y) < 1e-6 && fabs(a->bounds.min.z - b->bounds.min.z) < 1e-6);
    fr_model_destroy(again);
    fr_array_free(&bytes);
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
        fr_model_read_options options = fr_default_model_read_options();
        options.format = round % 2 == 0 ? FR_MODEL_GLTF : FR_MODEL_GLB;
        fr_model *again;
        fr_error error;
        size_t length = round % 5 == 0 ? fr_random_below(&random, size + 1) : size;
        fr_status status = fr_model_read(copy, length, &options, &again, &error);
        assert_true(status == FR_OK || error.message[0] != '\0');
        fr_model_destroy(again);
        free(copy);
    }
    fr_array_free(&bytes);
    fr_model_destroy(model);
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    if (!has_assimp()) { skip(); }
    char text[4000];
    document(&usual, text, sizeof text);
    fr_probe *probe = fr_probe_create();
    fr_model_read_options options = fr_default_model_read_options();
    options.format = FR_MODEL_GLTF;
    options.allocator = fr_probe_allocator(probe);
    fr_status status = FR_ERROR_MEMORY;
    for (uint64_t n = 1; status != FR_OK; n++) {
        fr_probe_fail(probe, n, false);
        fr_model *model;
        status = fr_model_read(text, strlen(text), &options, &model, NULL);
        assert_true(status == FR_OK || status == FR_ERROR_MEMORY);
        fr_model_destroy(model);
        assert_int_equal(fr_probe_get(probe).live_blocks, 0);
        assert_true(n < 200);
    }
    fr_probe_destroy(probe);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle_is_read),
        cmocka_unit_test(wrong_documents_are_refused_at_their_place),
        cmocka_unit_test(buffers_are_asked_of_the_caller),
        cmocka_unit_test(glb_keeps_nodes_triangles_and_materials),
        cmocka_unit_test(glb_has_the_frame_that_is_asked_for),
        cmocka_unit_test(damaged_files_are_survived),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
