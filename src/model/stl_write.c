// Writes STL: triangles of floats, in text a solid for each part, in binary all in one.
#include "bytes.h"
#include "polygon.h"
#include "sink.h"

#include <math.h>
#include <string.h>

#define NAME_BYTES 80

typedef struct facet {
    float normal[3];
    float corners[3][3];
} facet;

// Takes one facet.
typedef void facet_fn(fr__sink *sink, const facet *f);

// The unit normal of a triangle; zeros when it has no area.
static void find_normal(facet *f) {
    fr_vec3 p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = fr_vec3_make((double)f->corners[i][0], (double)f->corners[i][1], (double)f->corners[i][2]);
    }
    fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 n = fr_vec3_unit(fr_vec3_cross(fr_vec3_sub(p[1], p[0]), fr_vec3_sub(p[2], p[0])), zero);
    f->normal[0] = (float)n.x;
    f->normal[1] = (float)n.y;
    f->normal[2] = (float)n.z;
}

static bool make_facet(fr__sink *sink, const fr__placed *placed, const uint32_t vertices[3], facet *f) {
    for (int i = 0; i < 3; i++) {
        fr_vec3 p = fr__placed_position(placed, vertices[i > 0 && placed->is_mirrored ? 3 - i : i]);
        f->corners[i][0] = (float)p.x;
        f->corners[i][1] = (float)p.y;
        f->corners[i][2] = (float)p.z;
        for (int k = 0; k < 3; k++) {
            if (isfinite(f->corners[i][k])) { continue; }
            fr__sink_fail(sink, FR_ERROR_NOT_FINITE, "a coordinate is too large for STL, which has floats");
            return false;
        }
    }
    find_normal(f);
    return true;
}

// All facets of a mesh, in order.
static void write_facets(fr__sink *sink, const fr_model *model, const fr__placed *placed, facet_fn *put) {
    const fr_model_mesh *mesh = placed->mesh;
    fr__cutter cutter;
    fr_uint32_array vertices = fr_uint32_array_make(&model->store.allocator);
    fr_status status = fr__cutter_create(&model->store.allocator, &cutter);
    for (uint32_t face = 0; face < mesh->face_count && status == FR_OK; face++) {
        uint32_t count = fr_model_face_end(mesh, face) - fr_model_face_begin(mesh, face) - 2;
        uint32_t *triangle = fr_uint32_array_reset(&vertices, (size_t)3 * count);
        status = triangle != NULL ? fr__cut_polygon(&cutter, mesh, face, triangle) : FR_ERROR_MEMORY;
        for (uint32_t i = 0; i < count && status == FR_OK; i++) {
            facet f;
            if (!make_facet(sink, placed, triangle + 3 * i, &f)) { break; }
            put(sink, &f);
            if (sink->status != FR_OK) { break; }
        }
        if (!fr__sink_face_done(sink)) { break; }
    }
    fr_uint32_array_destroy(&vertices);
    fr__cutter_destroy(&cutter);
    if (status != FR_OK) { fr__sink_fail(sink, status, fr_status_text(status)); }
}

static void put_floats(fr__sink *sink, const char *words, const float values[3]) {
    fr__sink_text(sink, words);
    for (int i = 0; i < 3; i++) {
        fr__sink_text(sink, " ");
        fr__sink_float(sink, values[i]);
    }
    fr__sink_text(sink, "\n");
}

static void put_text(fr__sink *sink, const facet *f) {
    put_floats(sink, "facet normal", f->normal);
    fr__sink_text(sink, "outer loop\n");
    for (int i = 0; i < 3; i++) {
        put_floats(sink, "vertex", f->corners[i]);
    }
    fr__sink_text(sink, "endloop\nendfacet\n");
}

static void put_solid_line(fr__sink *sink, const char *word, const char *name) {
    fr__sink_text(sink, word);
    if (name[0] != '\0') {
        fr__sink_text(sink, " ");
        fr__sink_name(sink, name);
    }
    fr__sink_text(sink, "\n");
}

void fr__write_stl_ascii(fr__sink *sink, const fr_model *model) {
    uint32_t solids = 0;
    for (uint32_t node = 0; node < model->view.node_count && sink->status == FR_OK; node++) {
        fr__placed placed = fr__written_node(sink, model, node);
        if (placed.mesh == NULL) { continue; }
        put_solid_line(sink, "solid", model->view.nodes[node].name);
        write_facets(sink, model, &placed, put_text);
        put_solid_line(sink, "endsolid", model->view.nodes[node].name);
        solids++;
    }
    if (solids == 0) { fr__sink_text(sink, "solid\nendsolid\n"); }
}

static void put_binary(fr__sink *sink, const facet *f) {
    char *at = fr__sink_room(sink, 50);
    for (int i = 0; i < 3; i++) {
        fr__store_float(at + 4 * i, f->normal[i]);
    }
    for (int i = 0; i < 9; i++) {
        fr__store_float(at + 12 + 4 * i, f->corners[i / 3][i % 3]);
    }
    at[48] = 0;
    at[49] = 0;
}

// The name of a model of one part goes into the 80 bytes in front; after a blank, so that they never read "solid".
static void put_header(fr__sink *sink, const fr_model *model, uint64_t parts) {
    char *header = fr__sink_room(sink, NAME_BYTES);
    memset(header, 0, NAME_BYTES);
    for (uint32_t node = 0; node < model->view.node_count && parts == 1; node++) {
        if (fr__written_node(sink, model, node).mesh == NULL) { continue; }
        const char *name = model->view.nodes[node].name;
        for (size_t i = 1; name[i - 1] != '\0' && i < NAME_BYTES; i++) {
            header[0] = ' ';
            header[i] = (unsigned char)name[i - 1] < 0x20 || name[i - 1] == 0x7f ? '_' : name[i - 1];
        }
    }
}

void fr__write_stl(fr__sink *sink, const fr_model *model) {
    fr__totals totals = sink->totals;
    if (totals.triangles > UINT32_MAX) {
        fr__sink_fail(sink, FR_ERROR_LIMIT, "more triangles than binary STL can count");
        return;
    }
    put_header(sink, model, totals.parts);
    fr__store_u32(fr__sink_room(sink, 4), (uint32_t)totals.triangles);
    for (uint32_t node = 0; node < model->view.node_count && sink->status == FR_OK; node++) {
        fr__placed placed = fr__written_node(sink, model, node);
        if (placed.mesh != NULL) { write_facets(sink, model, &placed, put_binary); }
    }
}
