// Model files as programs write them, in memory: a wavy height field of 2 side^2 triangles. Ours and the rival's
// benchmark read the same bytes.
#ifndef FUREAI_BENCH_MODEL_FILES_H
#define FUREAI_BENCH_MODEL_FILES_H

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct model_file {
    char *bytes;
    size_t size;
    size_t capacity;
    double triangles;
} model_file;

static inline void model_file_print(model_file *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    file->size += (size_t)vsnprintf(file->bytes + file->size, file->capacity - file->size, format, arguments);
    va_end(arguments);
}

static inline model_file model_file_make(size_t side, size_t bytes_a_triangle) {
    model_file file = {NULL, 0, 2 * side * side * bytes_a_triangle + 1024 * (side + 1), 2.0 * (double)(side * side)};
    file.bytes = (char *)malloc(file.capacity);
    if (file.bytes == NULL) { abort(); }
    return file;
}

// The vertex at column i, row j.
static inline void model_file_vertex(size_t i, size_t j, float p[3]) {
    double x = (double)i * 0.0137, z = (double)j * 0.0119;
    p[0] = (float)x;
    p[1] = (float)(0.7 * sin(3.1 * x) * cos(2.3 * z) + 0.01 * sin(97.0 * x + 31.0 * z));
    p[2] = (float)z;
}

// The corners of triangle t (0 or 1) of the square at column i, row j.
static inline void model_file_corners(size_t i, size_t j, int t, size_t corners[3][2]) {
    const size_t offsets[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}};
    for (int k = 0; k < 3; k++) {
        corners[k][0] = i + offsets[t][k][0];
        corners[k][1] = j + offsets[t][k][1];
    }
}

static inline model_file model_file_obj(size_t side) {
    model_file file = model_file_make(side, 80);
    model_file_print(&file, "# a height field\no field\n");
    for (size_t j = 0; j <= side; j++) {
        for (size_t i = 0; i <= side; i++) {
            float p[3];
            model_file_vertex(i, j, p);
            model_file_print(&file, "v %.6f %.6f %.6f\n", (double)p[0], (double)p[1], (double)p[2]);
        }
    }
    for (size_t n = 0; n < 2 * side * side; n++) {
        size_t c[3][2], row = side + 1;
        model_file_corners(n / 2 % side, n / 2 / side, (int)(n % 2), c);
        model_file_print(&file, "f %zu %zu %zu\n", c[0][1] * row + c[0][0] + 1, c[1][1] * row + c[1][0] + 1,
                         c[2][1] * row + c[2][0] + 1);
    }
    return file;
}

static inline model_file model_file_stl_ascii(size_t side) {
    model_file file = model_file_make(side, 320);
    model_file_print(&file, "solid field\n");
    for (size_t n = 0; n < 2 * side * side; n++) {
        size_t c[3][2];
        model_file_corners(n / 2 % side, n / 2 / side, (int)(n % 2), c);
        model_file_print(&file, "  facet normal 0.000000e+00 1.000000e+00 0.000000e+00\n    outer loop\n");
        for (int k = 0; k < 3; k++) {
            float p[3];
            model_file_vertex(c[k][0], c[k][1], p);
            model_file_print(&file, "      vertex %e %e %e\n", (double)p[0], (double)p[1], (double)p[2]);
        }
        model_file_print(&file, "    endloop\n  endfacet\n");
    }
    model_file_print(&file, "endsolid field\n");
    return file;
}

static inline void model_file_put(model_file *file, const void *bytes, size_t size) {
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

// On a little-endian machine, as all that run the benchmarks are.
static inline model_file model_file_stl(size_t side) {
    model_file file = model_file_make(side, 50);
    uint32_t count = (uint32_t)(2 * side * side);
    memset(file.bytes, 0, 80);
    file.size = 80;
    model_file_put(&file, &count, 4);
    for (size_t n = 0; n < count; n++) {
        size_t c[3][2];
        float facet[12] = {0.0f, 1.0f, 0.0f};
        model_file_corners(n / 2 % side, n / 2 / side, (int)(n % 2), c);
        for (int k = 0; k < 3; k++) {
            model_file_vertex(c[k][0], c[k][1], facet + 3 + 3 * k);
        }
        model_file_put(&file, facet, 48);
        model_file_put(&file, "\0\0", 2);
    }
    return file;
}

static inline model_file model_file_ply(size_t side, int is_text) {
    model_file file = model_file_make(side, 80);
    size_t row = side + 1;
    model_file_print(&file,
                     "ply\nformat %s 1.0\nelement vertex %zu\nproperty float x\nproperty float y\nproperty float z\n"
                     "element face %zu\nproperty list uchar int vertex_indices\nend_header\n",
                     is_text ? "ascii" : "binary_little_endian", row * row, 2 * side * side);
    for (size_t v = 0; v < row * row; v++) {
        float p[3];
        model_file_vertex(v % row, v / row, p);
        if (is_text) {
            model_file_print(&file, "%.6f %.6f %.6f\n", (double)p[0], (double)p[1], (double)p[2]);
        } else {
            model_file_put(&file, p, 12);
        }
    }
    for (size_t n = 0; n < 2 * side * side; n++) {
        size_t c[3][2];
        model_file_corners(n / 2 % side, n / 2 / side, (int)(n % 2), c);
        int32_t corners[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = (int32_t)(c[k][1] * row + c[k][0]);
        }
        if (is_text) {
            model_file_print(&file, "3 %d %d %d\n", corners[0], corners[1], corners[2]);
        } else {
            model_file_put(&file, "\3", 1);
            model_file_put(&file, corners, 12);
        }
    }
    return file;
}

static inline model_file model_file_off(size_t side) {
    model_file text = model_file_ply(side, 1);
    size_t row = side + 1;
    model_file file = model_file_make(side, 80);
    model_file_print(&file, "OFF\n%zu %zu 0\n", row * row, 2 * side * side);
    const char *rows = strstr(text.bytes, "end_header\n") + 11;
    model_file_put(&file, rows, text.size - (size_t)(rows - text.bytes));
    free(text.bytes);
    return file;
}

// VRML97 as modellers write it: one IndexedFaceSet.
// One IndexedFaceSet with the words before its points, between them and its indices, and after those.
static inline model_file model_file_face_set(size_t side, const char *begin, const char *middle, const char *end) {
    model_file file = model_file_make(side, 80);
    size_t row = side + 1;
    model_file_print(&file, "%s", begin);
    for (size_t v = 0; v < row * row; v++) {
        float p[3];
        model_file_vertex(v % row, v / row, p);
        model_file_print(&file, "%.6f %.6f %.6f,\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    model_file_print(&file, "%s", middle);
    for (size_t n = 0; n < 2 * side * side; n++) {
        size_t c[3][2];
        model_file_corners(n / 2 % side, n / 2 / side, (int)(n % 2), c);
        model_file_print(&file, "%zu, %zu, %zu, -1,\n", c[0][1] * row + c[0][0], c[1][1] * row + c[1][0],
                         c[2][1] * row + c[2][0]);
    }
    model_file_print(&file, "%s", end);
    return file;
}

static inline model_file model_file_vrml(size_t side) {
    return model_file_face_set(side,
                               "#VRML V2.0 utf8\nShape { appearance Appearance { material Material { } }\n"
                               "geometry IndexedFaceSet {\ncoord Coordinate { point [\n",
                               "] }\ncoordIndex [\n", "] } }\n");
}

// Without normals, as the other has none.
static inline model_file model_file_vrml_1(size_t side) {
    return model_file_face_set(side,
                               "#VRML V1.0 ascii\nSeparator { Material { } ShapeHints { creaseAngle 0 }\n"
                               "Coordinate3 { point [\n",
                               "] }\nIndexedFaceSet { coordIndex [\n", "] } }\n");
}

// The same triangles, each a Shape of its own, as some programs write them.
static inline model_file model_file_shapes(size_t side) {
    model_file file = model_file_make(side, 160);
    model_file_print(&file, "#VRML V2.0 utf8\n");
    for (size_t n = 0; n < 2 * side * side; n++) {
        size_t c[3][2];
        model_file_corners(n / 2 % side, n / 2 / side, (int)(n % 2), c);
        model_file_print(&file, "Shape { geometry IndexedFaceSet { coord Coordinate { point [");
        for (int k = 0; k < 3; k++) {
            float p[3];
            model_file_vertex(c[k][0], c[k][1], p);
            model_file_print(&file, " %.4f %.4f %.4f", (double)p[0], (double)p[1], (double)p[2]);
        }
        model_file_print(&file, "] } coordIndex [0 1 2 -1] } }\n");
    }
    return file;
}

#endif
