// Primitives of glTF that Draco compressed: the meshes that went in come back; streams that are wrong or swell are
// refused; without Draco the extension is named.
#include "draco_encode.h"
#include "glb_bytes.h"

#include "model/draco.h"

#define SIDE 9 // squares a side
#define VERTICES ((SIDE + 1) * (SIDE + 1))
#define FACES (2 * SIDE * SIDE)

typedef struct sheet {
    float positions[3 * VERTICES], normals[3 * VERTICES];
    unsigned char colors[4 * VERTICES];
    uint32_t indices[3 * FACES];
} sheet;

static void make_sheet(sheet *s) {
    size_t n = 0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        uint32_t x = v % (SIDE + 1), y = v / (SIDE + 1);
        const float at[3] = {(float)x / SIDE, (float)y / SIDE, (float)(x * x + y) / 100.0f}, up[3] = {0, 0, 1};
        const unsigned char color[4] = {(unsigned char)(20 * x), (unsigned char)(20 * y), 7, 255};
        memcpy(s->positions + (size_t)3 * v, at, sizeof at);
        memcpy(s->normals + (size_t)3 * v, up, sizeof up);
        memcpy(s->colors + (size_t)4 * v, color, sizeof color);
        if (x == SIDE || y == SIDE) { continue; }
        const uint32_t square[6] = {v, v + 1, v + SIDE + 1, v + 1, v + SIDE + 2, v + SIDE + 1};
        memcpy(s->indices + n, square, sizeof square);
        n += 6;
    }
}

// A document around one stream; the accessors say `count` vertices.
static void write_document(char *json, size_t capacity, size_t size, int count, const char *colors) {
    int length = snprintf(json, capacity,
                          "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],"
                          "\"buffers\":[{\"byteLength\":%zu}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%zu}],"
                          "\"accessors\":[{\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},"
                          "{\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},"
                          "{\"componentType\":5121,\"normalized\":true,\"count\":%d,\"type\":\"VEC4\"},"
                          "{\"componentType\":5123,\"count\":486,\"type\":\"SCALAR\"}],"
                          "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"COLOR_0\":2},"
                          "\"indices\":3,\"mode\":4,\"extensions\":{\"KHR_draco_mesh_compression\":{\"bufferView\":0,"
                          "\"attributes\":{\"POSITION\":0,\"NORMAL\":1,\"COLOR_0\":%s}}}}]}],\"nodes\":[{\"mesh\":0}]}",
                          size, size, count, count, count, colors);
    assert_true(length > 0 && (size_t)length < capacity);
}

static size_t encode_sheet(const sheet *s, int is_edgebreaker, int bits, unsigned char *out, size_t capacity) {
    draco_input input = {s->positions, s->normals, s->colors, s->indices, VERTICES, FACES, is_edgebreaker, bits};
    size_t size = draco_encode(&input, out, capacity);
    assert_true(size > 0);
    return size;
}

static fr_model *read_sheet(const unsigned char *stream, size_t size) {
    char json[2000];
    fr_status status;
    fr_error error;
    write_document(json, sizeof json, size, VERTICES, "2");
    fr_model *model = read_glb(json, stream, size, &status, &error);
    if (status != FR_OK) { fail_msg("%d:%d: %s", error.line, error.column, error.message); }
    return model;
}

// Streams that change nothing give the same bits, in the same order.
static void streams_without_loss_come_back(void **state) {
    (void)state;
    sheet s;
    unsigned char stream[20000];
    make_sheet(&s);
    fr_model *model = read_sheet(stream, encode_sheet(&s, 0, 0, stream, sizeof stream));
    const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
    assert_int_equal(mesh->vertex_count, VERTICES);
    assert_int_equal(mesh->face_count, FACES);
    assert_memory_equal(mesh->positions_float, s.positions, sizeof s.positions);
    assert_memory_equal(mesh->corners, s.indices, sizeof s.indices);
    for (size_t c = 0; c < (size_t)3 * FACES; c++) {
        assert_true(mesh->corner_normals[3 * c + 2] == 1.0f);
        assert_memory_equal(&mesh->corner_colors[c], s.colors + (size_t)4 * s.indices[c], 4);
    }
    fr_model_destroy(model);
}

// The corner of a face of the sheet that is nearest to a point, by its distance.
static double distance_to_sheet(const sheet *s, const float *at) {
    double nearest = 1e9;
    for (uint32_t v = 0; v < VERTICES; v++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            double d = (double)s->positions[3 * v + (uint32_t)k] - (double)at[k];
            square += d * d;
        }
        nearest = square < nearest ? square : nearest;
    }
    return sqrt(nearest);
}

// Of faces that follow one another along their edges the order may change, not the places, the sides or the colours.
static void edgebreaker_streams_come_back(void **state) {
    (void)state;
    sheet s;
    unsigned char stream[20000];
    make_sheet(&s);
    fr_model *model = read_sheet(stream, encode_sheet(&s, 1, 14, stream, sizeof stream));
    const fr_model_mesh *mesh = &fr_model_get(model)->meshes[0];
    assert_int_equal(mesh->vertex_count, VERTICES);
    assert_int_equal(mesh->face_count, FACES);
    for (uint32_t v = 0; v < VERTICES; v++) {
        assert_true(distance_to_sheet(&s, mesh->positions_float + (size_t)3 * v) < 2.0 / (1 << 14));
    }
    for (uint32_t f = 0; f < FACES; f++) {
        const float *p[3];
        for (uint32_t k = 0; k < 3; k++) {
            p[k] = mesh->positions_float + (size_t)3 * mesh->corners[3 * f + k];
            const fr_color *color = &mesh->corner_colors[3 * f + k];
            assert_int_equal(color->r, lround((double)p[k][0] * SIDE) * 20);
            assert_int_equal(color->g, lround((double)p[k][1] * SIDE) * 20);
        }
        double turn = (double)(p[1][0] - p[0][0]) * (double)(p[2][1] - p[0][1]) -
                      (double)(p[1][1] - p[0][1]) * (double)(p[2][0] - p[0][0]);
        assert_true(fabs(turn - 1.0 / SIDE / SIDE) < 1e-3);
    }
    fr_model_destroy(model);
}

static void refuses_sheet(const unsigned char *stream, size_t size, int count, const char *colors, fr_status expected,
                          const char *words) {
    char json[2000];
    fr_status status;
    fr_error error;
    write_document(json, sizeof json, size, count, colors);
    fr_model *model = read_glb(json, stream, size, &status, &error);
    assert_null(model);
    assert_int_equal(status, expected);
    assert_int_equal(error.line, 1);
    if (strstr(error.message, words) == NULL) { fail_msg("'%s' in '%s'", words, error.message); }
}

static void wrong_streams_are_refused(void **state) {
    (void)state;
    sheet s;
    unsigned char stream[20000];
    make_sheet(&s);
    size_t size = encode_sheet(&s, 1, 14, stream, sizeof stream);
    refuses_sheet(stream, size, VERTICES + 1, "2", FR_ERROR_CORRUPT, "has 100 vertices");
    refuses_sheet(stream, size, VERTICES, "1", FR_ERROR_CORRUPT, "no attribute 1 of this type");
    refuses_sheet(stream, size, VERTICES, "9", FR_ERROR_CORRUPT, "no attribute 9 of this type");
    refuses_sheet(stream, size, VERTICES, "-1", FR_ERROR_SYNTAX, "whole number");
    refuses_sheet(stream, size / 2, VERTICES, "2", FR_ERROR_CORRUPT, "no mesh of Draco");
    refuses_sheet(stream, 0, VERTICES, "2", FR_ERROR_CORRUPT, "no mesh of Draco");
    // The header: five letters, the version, kind, method and flags; then how the faces go on, and two numbers.
    assert_memory_equal(stream, "DRACO\x02\x02\x01\x01", 9);
    stream[6] = 1;
    refuses_sheet(stream, size, VERTICES, "2", FR_ERROR_CORRUPT, "no mesh of Draco");
    stream[6] = 2;
    static const unsigned char many[5] = {0xff, 0xff, 0xff, 0xff, 0x0f};
    memcpy(stream + 12, many, sizeof many);
    refuses_sheet(stream, size, VERTICES, "2", FR_ERROR_LIMIT, "swells");
}

// Any change of a stream gives a mesh or a status; the sanitizer's build sees a step outside.
static void changed_streams_give_a_status(void **state) {
    (void)state;
    sheet s;
    unsigned char stream[20000];
    char json[2000];
    make_sheet(&s);
    fr_random random = fr_random_seed(1);
    for (int n = 0; n < 400; n++) {
        size_t size = encode_sheet(&s, n % 2, n % 3 == 0 ? 0 : 10, stream, sizeof stream);
        for (int k = 0; k < 1 + n % 3; k++) {
            stream[(size_t)fr_random_below(&random, n % 4 == 0 ? 40 : size)] = (unsigned char)fr_random_bits(&random);
        }
        fr_status status;
        fr_error error;
        write_document(json, sizeof json, size, VERTICES, "2");
        fr_model *model = read_glb(json, stream, size, &status, &error);
        assert_true(status == FR_OK || status == FR_ERROR_CORRUPT || status == FR_ERROR_LIMIT ||
                    status == FR_ERROR_NOT_FINITE);
        fr_model_destroy(model);
    }
}

static void memory_may_run_out(void **state) {
    (void)state;
    sheet s;
    unsigned char stream[20000];
    char json[2000];
    make_sheet(&s);
    size_t size = encode_sheet(&s, 1, 12, stream, sizeof stream);
    write_document(json, sizeof json, size, VERTICES, "2");
    fr_array bytes = glb_bytes(json, stream, size);
    survives_failures(bytes.data, bytes.count, FR_MODEL_GLB, 200);
    fr_array_destroy(&bytes);
}

int main(void) {
    if (fr__draco() == NULL) { return 1; }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_without_loss_come_back),
        cmocka_unit_test(edgebreaker_streams_come_back),
        cmocka_unit_test(wrong_streams_are_refused),
        cmocka_unit_test(changed_streams_give_a_status),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
