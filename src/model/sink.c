#include "sink.h"

#include <string.h>

#define CHECK_FACES 4096

static void flush(fr__sink *sink) {
    if (sink->status == FR_OK && sink->used > 0 && !sink->take(sink->bytes, sink->used, sink->context)) {
        fr__sink_fail(sink, FR_ERROR_FILE, "the bytes could not be written");
    }
    sink->used = 0;
}

char *fr__sink_room(fr__sink *sink, size_t size) {
    FR_ASSERT(size <= FR__SINK_BYTES);
    if (FR__SINK_BYTES - sink->used < size) { flush(sink); }
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

static void sink_double(fr__sink *sink, double value) {
    shrink(sink, fr_number_write(value, fr__sink_room(sink, FR_NUMBER_BYTES)));
}

void fr__sink_position(fr__sink *sink, const fr_model_mesh *mesh, uint32_t vertex) {
    for (size_t i = 0; i < 3; i++) {
        if (i > 0) { fr__sink_bytes(sink, " ", 1); }
        size_t place = (size_t)3 * vertex + i;
        if (mesh->positions_double != NULL) {
            sink_double(sink, mesh->positions_double[place]);
        } else {
            fr__sink_float(sink, mesh->positions_float[place]);
        }
    }
}

void fr__sink_fail(fr__sink *sink, fr_status status, const char *message) {
    if (sink->status != FR_OK) { return; }
    sink->status = fr_error_set(sink->error, status, "%s", message);
}

bool fr__sink_face_done(fr__sink *sink) {
    if (++sink->faces_done % CHECK_FACES == 0) {
        if (fr_control_stop(sink->control)) { fr__sink_fail(sink, FR_ERROR_STOPPED, "writing was stopped"); }
        fr_control_progress(sink->control, (double)sink->faces_done / (double)sink->faces_all, "writing");
    }
    return sink->status == FR_OK;
}

fr_status fr__sink_finish(fr__sink *sink) {
    flush(sink);
    if (sink->status == FR_OK) { fr_control_progress(sink->control, 1.0, "writing"); }
    return sink->status;
}

fr__totals fr__total(const fr_model *model) {
    fr__totals totals = {0};
    for (uint32_t node = 0; node < model->view.node_count; node++) {
        const fr_model_mesh *mesh = fr__mesh_of(model, node);
        if (mesh == NULL) { continue; }
        totals.parts++;
        totals.vertices += mesh->vertex_count;
        totals.faces += mesh->face_count;
        totals.triangles += fr__corner_count(mesh) - (uint64_t)2 * mesh->face_count;
        totals.is_colored = totals.is_colored || mesh->face_colors != NULL;
        if (totals.longest < 3) { totals.longest = 3; }
        for (uint32_t f = 0; f < mesh->face_count && mesh->face_starts != NULL; f++) {
            uint32_t count = fr_model_face_end(mesh, f) - fr_model_face_begin(mesh, f);
            if (count > totals.longest) { totals.longest = count; }
        }
    }
    return totals;
}
