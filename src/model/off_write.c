// Writes OFF: all parts in one list of vertices and one of polygons, with their colours.
#include "sink.h"

static void put_face(fr__sink *sink, const fr__placed *placed, uint32_t face, uint64_t first_vertex,
                     const fr_color *painted) {
    uint32_t count = fr_model_face_end(placed->mesh, face) - fr_model_face_begin(placed->mesh, face);
    fr__sink_integer(sink, count);
    for (uint32_t i = 0; i < count; i++) {
        fr__sink_text(sink, " ");
        fr__sink_integer(sink, first_vertex + fr__written_corner(placed, face, i));
    }
    if (painted != NULL) {
        fr_color color = *painted;
        uint8_t channels[4] = {color.r, color.g, color.b, color.a};
        for (int i = 0; i < (color.a == 255 ? 3 : 4); i++) {
            fr__sink_text(sink, " ");
            fr__sink_integer(sink, channels[i]);
        }
    }
    fr__sink_text(sink, "\n");
}

void fr__write_off(fr__sink *sink, const fr_model *model) {
    fr__totals totals = sink->totals;
    fr__sink_text(sink, "OFF\n");
    fr__sink_frame(sink, "# ");
    fr__sink_integer(sink, totals.vertices);
    fr__sink_text(sink, " ");
    fr__sink_integer(sink, totals.faces);
    fr__sink_text(sink, " 0\n");
    for (uint32_t node = 0; node < model->view.node_count && sink->status == FR_OK; node++) {
        fr__placed placed = fr__written_node(sink, model, node);
        for (uint32_t v = 0; placed.mesh != NULL && v < placed.mesh->vertex_count; v++) {
            fr__sink_position(sink, &placed, v);
            fr__sink_text(sink, "\n");
        }
    }
    uint64_t first_vertex = 0;
    for (uint32_t node = 0; node < model->view.node_count; node++) {
        fr__placed placed = fr__written_node(sink, model, node);
        if (placed.mesh == NULL) { continue; }
        for (uint32_t f = 0; f < placed.mesh->face_count; f++) {
            fr_color color = fr__written_color(model, node, f);
            put_face(sink, &placed, f, first_vertex, totals.is_colored ? &color : NULL);
            if (!fr__sink_face_done(sink)) { return; }
        }
        first_vertex += placed.mesh->vertex_count;
    }
}
