// Writes OFF: all parts in one list of vertices and one of polygons, with their colours.
#include "sink.h"

static void put_face(fr__sink *sink, const fr_model_mesh *mesh, uint32_t face, uint64_t first_vertex) {
    uint32_t begin = fr_model_face_begin(mesh, face), end = fr_model_face_end(mesh, face);
    fr__sink_integer(sink, end - begin);
    for (uint32_t c = begin; c < end; c++) {
        fr__sink_text(sink, " ");
        fr__sink_integer(sink, first_vertex + mesh->corners[c]);
    }
    if (mesh->face_colors != NULL) {
        fr_color color = mesh->face_colors[face];
        uint8_t channels[4] = {color.r, color.g, color.b, color.a};
        for (int i = 0; i < (color.a == 255 ? 3 : 4); i++) {
            fr__sink_text(sink, " ");
            fr__sink_integer(sink, channels[i]);
        }
    }
    fr__sink_text(sink, "\n");
}

void fr__write_off(fr__sink *sink, const fr_model *model) {
    fr__totals totals = fr__total(model);
    fr__sink_text(sink, "OFF\n");
    fr__sink_integer(sink, totals.vertices);
    fr__sink_text(sink, " ");
    fr__sink_integer(sink, totals.faces);
    fr__sink_text(sink, " 0\n");
    for (uint32_t node = 0; node < model->view.node_count && sink->status == FR_OK; node++) {
        const fr_model_mesh *mesh = fr__mesh_of(model, node);
        for (uint32_t v = 0; mesh != NULL && v < mesh->vertex_count; v++) {
            fr__sink_position(sink, mesh, v);
            fr__sink_text(sink, "\n");
        }
    }
    uint64_t first_vertex = 0;
    for (uint32_t node = 0; node < model->view.node_count; node++) {
        const fr_model_mesh *mesh = fr__mesh_of(model, node);
        if (mesh == NULL) { continue; }
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            put_face(sink, mesh, f, first_vertex);
            if (!fr__sink_face_done(sink)) { return; }
        }
        first_vertex += mesh->vertex_count;
    }
}
