// Parts that geometry nodes make, and queries of them.
#ifndef FUREAI_TEST_MADE_PART_H
#define FUREAI_TEST_MADE_PART_H

#include "model/geometry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct made {
    fr__builder builder;
    fr__geometry geometry;
    char warnings[8][FR_MODEL_WARNING_BYTES];
    const char *places[8];
    int warning_count;
    fr_status warn_status; // what the function that takes warnings returns
    fr_model *model;       // when it is finished
} made;

static inline fr_status note_warning(void *context, const char *at, const char *message) {
    made *m = context;
    if (m->warning_count < 8) {
        snprintf(m->warnings[m->warning_count], sizeof m->warnings[0], "%s", message);
        m->places[m->warning_count] = at;
    }
    m->warning_count++;
    return m->warn_status;
}

static inline fr_status begin_with(made *m, const fr_allocator *allocator) {
    fr_model_limits limits = fr_default_model_read_input().limits;
    *m = (made){.builder = fr__builder_make(&limits, allocator)};
    return fr__geometry_create(&m->builder, note_warning, m, &m->geometry);
}

static inline void begin(made *m) { assert_int_equal(begin_with(m, NULL), FR_OK); }

// Makes the model; its first mesh.
static inline const fr_model_mesh *finished(made *m) {
    assert_int_equal(fr__builder_finish(&m->builder, FR_MODEL_VRML, &m->model), FR_OK);
    return fr_model_get(m->model)->meshes;
}

static inline void end(made *m) {
    fr__geometry_destroy(&m->geometry);
    fr__builder_free(&m->builder);
    fr_model_destroy(m->model);
}

static inline void has_warning(const made *m, int index, const char *at, const char *words) {
    assert_true(index < m->warning_count);
    if (strstr(m->warnings[index], words) == NULL) { fail_msg("'%s' in '%s'", words, m->warnings[index]); }
    assert_ptr_equal(m->places[index], at);
}

static inline void has_vertex(const fr_model_mesh *mesh, uint32_t vertex, double x, double y, double z) {
    const float *p = mesh->positions_float + (size_t)3 * vertex;
    assert_true(fabs((double)p[0] - x) < 1e-6 && fabs((double)p[1] - y) < 1e-6 && fabs((double)p[2] - z) < 1e-6);
}

static inline void has_polygon(const fr_model_mesh *mesh, uint32_t face, const uint32_t *corners, uint32_t count) {
    uint32_t first = fr_model_face_begin(mesh, face);
    assert_int_equal(fr_model_face_end(mesh, face) - first, count);
    assert_memory_equal(mesh->corners + first, corners, count * sizeof *corners);
}

// The mesh of the whole, cut into triangles.
static inline fr_mesh *cut_mesh(const made *m) {
    fr_mesh *mesh;
    fr_error error;
    if (fr_model_whole_mesh(m->model, NULL, &mesh, &error) != FR_OK) { fail_msg("%s", error.message); }
    return mesh;
}

static inline fr_mass mass_of(const made *m) {
    fr_mesh *mesh = cut_mesh(m);
    fr_mass mass = fr_mesh_mass(mesh);
    fr_mesh_release(mesh);
    return mass;
}

// Whether the polygons close a solid with their faces outwards.
static inline bool is_closed(const made *m) {
    fr_mesh *mesh = cut_mesh(m);
    fr_topology_def def = fr_default_topology_def();
    fr_topology *topology;
    assert_int_equal(fr_topology_create(mesh, &def, &topology, NULL), FR_OK);
    bool closed = topology->is_closed;
    fr_topology_destroy(topology);
    fr_mesh_release(mesh);
    return closed;
}

#endif
