// Buffer views of glTF that are compressed: the same meshes as without, whatever the names of the extension; streams
// that are wrong or swell are refused.
#include "glb_bytes.h"
#include "meshopt_encode.h"

#define GRID 20 // squares a side
#define VERTICES ((GRID + 1) * (GRID + 1))
#define INDICES (6 * GRID * GRID)

typedef struct grid {
    float positions[3 * VERTICES];
    signed char normals[4 * VERTICES]; // of 8 bits, octahedral
    unsigned short indices[INDICES];
} grid;

// A curved sheet; its normals all point up.
static void make_grid(grid *g) {
    size_t n = 0;
    for (int v = 0; v < VERTICES; v++) {
        int x = v % (GRID + 1), y = v / (GRID + 1);
        const float at[3] = {(float)x * 0.1f, (float)y * 0.1f, (float)(x * y) * 0.01f};
        const signed char up[4] = {0, 0, 127, 0};
        memcpy(g->positions + (size_t)3 * (size_t)v, at, sizeof at);
        memcpy(g->normals + (size_t)4 * (size_t)v, up, sizeof up);
        if (x == GRID || y == GRID) { continue; }
        const int square[6] = {v, v + 1, v + GRID + 1, v + 1, v + GRID + 2, v + GRID + 1};
        for (int k = 0; k < 6; k++) {
            g->indices[n++] = (unsigned short)square[k];
        }
    }
}

// The three streams of a grid, one after another.
typedef struct streams {
    fr_byte_array bytes;
    size_t ends[3];
} streams;

static void add_stream(streams *s, const fr_byte_array *stream, int which) {
    for (size_t i = 0; i < stream->count; i++) {
        put_byte(&s->bytes, stream->data[i]);
    }
    s->ends[which] = s->bytes.count;
}

static streams encode_grid(const grid *g, int version, uint64_t seed) {
    fr_random random = fr_random_seed(seed);
    streams s = {.bytes = fr_byte_array_make(NULL)};
    fr_byte_array stream = fr_byte_array_make(NULL);
    uint32_t indices[INDICES];
    encode_attributes((const unsigned char *)g->positions, VERTICES, 12, version, &random, &stream);
    add_stream(&s, &stream, 0);
    encode_attributes((const unsigned char *)g->normals, VERTICES, 4, version, &random, &stream);
    add_stream(&s, &stream, 1);
    for (int i = 0; i < INDICES; i++) {
        indices[i] = g->indices[i];
    }
    encode_indices(indices, INDICES, &random, &stream);
    add_stream(&s, &stream, 2);
    fr_byte_array_destroy(&stream);
    return s;
}

// A view of the buffer that is not there, and the stream that stands for it.
static void add_view(char *json, size_t size, const char *extension, const char *kind, const size_t range[2],
                     const int elements[2]) {
    size_t length = strlen(json);
    int more = snprintf(json + length, size - length,
                        "{\"buffer\":1,\"byteLength\":%lld,\"byteStride\":%d,\"extensions\":{\"%s\":{\"buffer\":0,"
                        "\"byteOffset\":%zu,\"byteLength\":%zu,\"count\":%d,\"byteStride\":%d,\"mode\":%s}}}",
                        (long long)elements[0] * elements[1], elements[1], extension, range[0], range[1] - range[0],
                        elements[0], elements[1], kind);
    assert_true(more > 0 && (size_t)more < size - length);
}

static void write_document(char *json, size_t size, const streams *s, const char *extension, int vertices) {
    char views[3][400] = {"", "", ""};
    add_view(views[0], sizeof views[0], extension, "\"ATTRIBUTES\"", (const size_t[2]){0, s->ends[0]},
             (const int[2]){vertices, 12});
    add_view(views[1], sizeof views[1], extension, "\"ATTRIBUTES\",\"filter\":\"OCTAHEDRAL\"", s->ends,
             (const int[2]){vertices, 4});
    add_view(views[2], sizeof views[2], extension, "\"INDICES\"", s->ends + 1, (const int[2]){INDICES, 2});
    int length = snprintf(
        json, size,
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"%s\",\"KHR_mesh_quantization\"],"
        "\"buffers\":[{\"byteLength\":%zu},{\"byteLength\":99999,\"extensions\":{\"%s\":{\"fallback\":true}}}],"
        "\"bufferViews\":[%s,%s,%s],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":441,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5120,\"normalized\":true,\"count\":441,\"type\":\"VEC3\"},"
        "{\"bufferView\":2,\"componentType\":5123,\"count\":2400,\"type\":\"SCALAR\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"indices\":2}]}],"
        "\"nodes\":[{\"mesh\":0}]}",
        extension, s->bytes.count, extension, views[0], views[1], views[2]);
    assert_true(length > 0 && (size_t)length < size);
}

static void compressed_meshes_are_as_without(void **state) {
    (void)state;
    static const char *const names[2] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    grid g;
    make_grid(&g);
    for (int i = 0; i < 4; i++) {
        streams s = encode_grid(&g, i / 2, (uint64_t)i);
        char json[4000];
        fr_status status;
        fr_error error;
        write_document(json, sizeof json, &s, names[i % 2], VERTICES);
        fr_model *model = read_glb(json, s.bytes.data, s.bytes.count, &status, &error);
        if (status != FR_OK) { fail_msg("%d:%d: %s", error.line, error.column, error.message); }
        const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
        assert_int_equal(mesh->vertex_count, VERTICES);
        assert_memory_equal(mesh->positions_float, g.positions, sizeof g.positions);
        assert_int_equal(mesh->face_count, INDICES / 3);
        for (uint32_t c = 0; c < INDICES; c++) {
            assert_int_equal(mesh->corners[c], g.indices[c]);
            const float *normal = mesh->corner_normals + (size_t)3 * c;
            assert_true(normal[0] == 0.0f && normal[1] == 0.0f && normal[2] == 1.0f);
        }
        fr_model_destroy(model);
        fr_byte_array_destroy(&s.bytes);
    }
}

static void refuses_grid(const streams *s, int vertices, fr_status expected, const char *words) {
    char json[4000];
    fr_status status;
    fr_error error;
    write_document(json, sizeof json, s, "EXT_meshopt_compression", vertices);
    fr_model *model = read_glb(json, s->bytes.data, s->bytes.count, &status, &error);
    assert_null(model);
    assert_int_equal(status, expected);
    assert_int_equal(error.line, 1);
    if (strstr(error.message, words) == NULL) { fail_msg("'%s' in '%s'", words, error.message); }
}

static void wrong_streams_are_refused(void **state) {
    (void)state;
    grid g;
    make_grid(&g);
    streams s = encode_grid(&g, 1, 9);
    refuses_grid(&s, VERTICES + 300, FR_ERROR_CORRUPT, "no valid stream");
    refuses_grid(&s, VERTICES - 300, FR_ERROR_CORRUPT, "no valid stream");
    refuses_grid(&s, 0, FR_ERROR_CORRUPT, "1 to 2^32 - 1 elements");
    refuses_grid(&s, 2000000000, FR_ERROR_CORRUPT, "shorter than its elements need");
    s.bytes.data[0] = 0xa2;
    refuses_grid(&s, VERTICES, FR_ERROR_CORRUPT, "no valid stream");
    fr_byte_array_destroy(&s.bytes);
}

// One byte of a stream may stand for 1024: the bytes that come from it are bounded as those of a gzip file are.
static void what_swells_is_refused(void **state) {
    (void)state;
    for (int blocks = 30000; blocks >= 60; blocks /= 500) {
        fr_byte_array stream = fr_byte_array_make(NULL);
        put_byte(&stream, 0xa1);
        for (int i = 0; i < blocks; i++) {
            put_byte(&stream, 0xaa); // four places without differences
        }
        for (int i = 0; i < 24; i++) {
            put_byte(&stream, 0);
        }
        char json[2000], view[400] = "";
        add_view(view, sizeof view, "KHR_meshopt_compression", "\"ATTRIBUTES\"", (const size_t[2]){0, stream.count},
                 (const int[2]){256 * blocks, 4});
        snprintf(json, sizeof json,
                 "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%zu},{\"byteLength\":1}],"
                 "\"bufferViews\":[%s],"
                 "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"},"
                 "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
                 "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1}}]}],\"nodes\":[{\"mesh\":0}],"
                 "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[]}]}",
                 stream.count, view);
        fr_status status;
        fr_error error;
        fr_model *model = read_glb(json, stream.data, stream.count, &status, &error);
        // 60 kB from a file of 1 kB are no reason to refuse, 30 MB from 30 kB are.
        assert_int_equal(status, blocks == 30000 ? FR_ERROR_LIMIT : FR_OK);
        if (status != FR_OK) { assert_non_null(strstr(error.message, "swells")); }
        fr_model_destroy(model);
        fr_byte_array_destroy(&stream);
    }
}

static void memory_may_run_out(void **state) {
    (void)state;
    grid g;
    make_grid(&g);
    streams s = encode_grid(&g, 1, 10);
    char json[4000];
    write_document(json, sizeof json, &s, "KHR_meshopt_compression", VERTICES);
    fr_array bytes = glb_bytes(json, s.bytes.data, s.bytes.count);
    survives_failures(bytes.data, bytes.count, FR_MODEL_GLB, 200);
    fr_array_destroy(&bytes);
    fr_byte_array_destroy(&s.bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(compressed_meshes_are_as_without),
                                       cmocka_unit_test(wrong_streams_are_refused),
                                       cmocka_unit_test(what_swells_is_refused), cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
