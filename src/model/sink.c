// The sink of writers: bytes, numbers and texts, through a buffer to the caller.
#include "sink.h"

#include <string.h>

#define PROGRESS_FACES 4096

void fr__sink_flush(fr__sink *sink) {
    if (sink->sum != NULL) { fr__checksum_add(sink->sum, sink->bytes, sink->used); }
    if (sink->status == FR_OK && sink->used > 0 && !sink->take(sink->bytes, sink->used, sink->context)) {
        fr__sink_fail(sink, FR_ERROR_FILE, "the bytes could not be written");
    }
    sink->flushed += sink->used;
    sink->used = 0;
    (void)fr__sink_goes_on(sink, FR__SINK_BYTES / 2);
}

char *fr__sink_room(fr__sink *sink, size_t size) {
    FR_ASSERT(size <= FR__SINK_BYTES);
    if (FR__SINK_BYTES - sink->used < size) { fr__sink_flush(sink); }
    char *room = sink->bytes + sink->used;
    sink->used += size;
    return room;
}

void fr__sink_bytes(fr__sink *sink, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        size_t piece = size < FR__SINK_BYTES ? size : FR__SINK_BYTES;
        memcpy(fr__sink_room(sink, piece), at, piece);
        at += piece;
        size -= piece;
    }
}

void fr__sink_text(fr__sink *sink, const char *text) { fr__sink_bytes(sink, text, strlen(text)); }

void fr__sink_name(fr__sink *sink, const char *name) {
    for (; *name != '\0'; name++) {
        bool control = (unsigned char)*name < 0x20 || *name == 0x7f;
        *fr__sink_room(sink, 1) = control ? '_' : *name;
    }
}

// Gives back the part of the room that a number did not take.
static void shrink(fr__sink *sink, size_t length) { sink->used -= FR_NUMBER_BYTES - length; }

void fr__sink_integer(fr__sink *sink, uint64_t value) {
    shrink(sink, fr_number_write_whole(value, fr__sink_room(sink, FR_NUMBER_BYTES)));
}

void fr__sink_float(fr__sink *sink, float value) {
    shrink(sink, fr_number_write_float(value, fr__sink_room(sink, FR_NUMBER_BYTES)));
}

void fr__sink_double(fr__sink *sink, double value) {
    shrink(sink, fr_number_write(value, fr__sink_room(sink, FR_NUMBER_BYTES)));
}

fr_vec3 fr__written_position(fr__sink *sink, const fr__placed *placed, uint32_t vertex) {
    fr_vec3 p = fr__placed_position(placed, vertex);
    if (placed->is_moved && !fr_vec3_is_finite(p)) {
        fr__sink_fail(sink, FR_ERROR_NOT_FINITE, "a transform takes a vertex beyond all numbers");
    }
    return p;
}

void fr__sink_position(fr__sink *sink, const fr__placed *placed, uint32_t vertex) {
    bool is_float = !placed->is_moved && placed->mesh->positions_float != NULL;
    fr_vec3 p = fr__written_position(sink, placed, vertex);
    const double numbers[3] = {p.x, p.y, p.z};
    for (size_t i = 0; i < 3; i++) {
        if (i > 0) { fr__sink_bytes(sink, " ", 1); }
        if (is_float) {
            fr__sink_float(sink, (float)numbers[i]);
        } else {
            fr__sink_double(sink, numbers[i]);
        }
    }
}

void fr__sink_fail(fr__sink *sink, fr_status status, const char *message) {
    if (sink->status != FR_OK) { return; }
    sink->status = fr_error_set(sink->error, status, "%s", message);
}

bool fr__sink_goes_on(fr__sink *sink, size_t work) {
    if (!fr__meter_on(&sink->meter, work)) { fr__sink_fail(sink, FR_ERROR_STOPPED, "writing was stopped"); }
    return sink->status == FR_OK;
}

bool fr__sink_face_done(fr__sink *sink) { return fr__sink_faces_done(sink, 1); }

bool fr__sink_faces_done(fr__sink *sink, uint64_t count) {
    uint64_t before = sink->faces_done / PROGRESS_FACES;
    sink->faces_done += count;
    (void)fr__sink_goes_on(sink, 16 * (size_t)count);
    if (sink->faces_done / PROGRESS_FACES != before) {
        fr_control_progress(sink->control, (double)sink->faces_done / (double)sink->totals.faces, "writing");
    }
    return sink->status == FR_OK;
}

fr_status fr__sink_finish(fr__sink *sink) {
    fr__sink_flush(sink);
    if (sink->status == FR_OK) { fr_control_progress(sink->control, 1.0, "writing"); }
    return sink->status;
}

void fr__sink_frame(fr__sink *sink, const char *before) {
    static const char *const axes[] = {"y", "x", "y", "z"};
    if (!sink->has_frame) { return; }
    fr__sink_text(sink, before);
    fr__sink_text(sink, "unit ");
    fr__sink_double(sink, sink->unit);
    fr__sink_text(sink, " m, up ");
    fr__sink_text(sink, axes[sink->up]);
    fr__sink_text(sink, "\n");
}

fr__placed fr__written_node(const fr__sink *sink, const fr_model *model, uint32_t node) {
    const fr_model_node *which = &model->view.nodes[node];
    if (which->mesh == FR_NONE || (which->flags & (FR_MODEL_HIDDEN | FR_MODEL_PROXY)) != 0) { return (fr__placed){0}; }
    fr__placed placed = fr__place_node(model, node);
    if (sink->has_frame) {
        fr__matrix_multiply(sink->frame, placed.matrix, placed.matrix);
        placed.is_moved = true;
    }
    return placed;
}

static uint8_t channel(float value) {
    return (uint8_t)(value > 0.0f ? (value < 1.0f ? value * 255.0f + 0.5f : 255.0f) : 0.0f);
}

fr_color fr__written_color(const fr_model *model, uint32_t node, uint32_t face) {
    const fr_model_view *view = &model->view;
    const fr_model_mesh *mesh = &view->meshes[view->nodes[node].mesh];
    if (mesh->face_colors != NULL) { return mesh->face_colors[face]; }
    uint32_t material = mesh->face_materials != NULL ? mesh->face_materials[face] : FR_NONE;
    if (material == FR_NONE) { material = view->nodes[node].material; }
    if (material == FR_NONE) { return (fr_color){204, 204, 204, 255}; }
    const fr_model_material *m = &view->materials[material];
    return (fr_color){channel(m->diffuse[0]), channel(m->diffuse[1]), channel(m->diffuse[2]),
                      channel(1.0f - m->transparency)};
}

void fr__sink_total(fr__sink *sink, const fr_model *model) {
    fr__totals totals = {0};
    for (uint32_t node = 0; node < model->view.node_count && fr__sink_goes_on(sink, 16); node++) {
        fr__placed placed = fr__written_node(sink, model, node);
        const fr_model_mesh *mesh = placed.mesh;
        if (mesh == NULL) { continue; }
        totals.parts++;
        totals.vertices += mesh->vertex_count;
        totals.faces += mesh->face_count;
        totals.triangles += fr__corner_count(mesh) - (uint64_t)2 * mesh->face_count;
        totals.is_colored =
            totals.is_colored || mesh->face_colors != NULL || model->view.nodes[node].material != FR_NONE;
        totals.is_double = totals.is_double || placed.is_moved || mesh->positions_double != NULL;
        if (totals.longest < 3) { totals.longest = 3; }
        for (uint32_t f = 0; f < mesh->face_count && mesh->face_starts != NULL && fr__sink_goes_on(sink, 1); f++) {
            uint32_t count = fr_model_face_end(mesh, f) - fr_model_face_begin(mesh, f);
            if (count > totals.longest) { totals.longest = count; }
        }
    }
    sink->totals = totals;
}
