// Writes OBJ: `o` for each part, `usemtl` where the material changes, polygons as they are.
#include "sink.h"

// The material of the polygons that follow, when it is another than before.
static void write_material(fr__sink *sink, const fr_model *model, uint32_t node, uint32_t face, uint32_t *current) {
    const fr_model_mesh *mesh = &model->view.meshes[model->view.nodes[node].mesh];
    uint32_t material = mesh->face_materials != NULL ? mesh->face_materials[face] : FR_NONE;
    if (material == FR_NONE) { material = model->view.nodes[node].material; }
    if (material == *current || material == FR_NONE) { return; }
    *current = material;
    fr__sink_text(sink, "usemtl ");
    fr__sink_name(sink, model->view.materials[material].name);
    fr__sink_text(sink, "\n");
}

static void write_face(fr__sink *sink, const fr__placed *placed, uint32_t face, uint64_t first_vertex) {
    uint32_t count = fr_model_face_end(placed->mesh, face) - fr_model_face_begin(placed->mesh, face);
    fr__sink_text(sink, "f");
    for (uint32_t i = 0; i < count; i++) {
        fr__sink_text(sink, " ");
        fr__sink_integer(sink, first_vertex + fr__written_corner(placed, face, i) + 1);
    }
    fr__sink_text(sink, "\n");
}

void fr__write_obj(fr__sink *sink, const fr_model *model) {
    fr__totals totals = sink->totals;
    uint64_t first_vertex = 0;
    uint32_t material = FR_NONE;
    fr__sink_frame(sink, "# ");
    for (uint32_t node = 0; node < model->view.node_count; node++) {
        fr__placed placed = fr__written_node(sink, model, node);
        const fr_model_mesh *mesh = placed.mesh;
        const char *name = model->view.nodes[node].name;
        if (mesh == NULL) { continue; }
        if (totals.parts > 1 || name[0] != '\0') {
            fr__sink_text(sink, "o ");
            fr__sink_name(sink, name);
            fr__sink_text(sink, "\n");
        }
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            fr__sink_text(sink, "v ");
            fr__sink_position(sink, &placed, v);
            fr__sink_text(sink, "\n");
        }
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            write_material(sink, model, node, f, &material);
            write_face(sink, &placed, f, first_vertex);
            if (!fr__sink_face_done(sink)) { return; }
        }
        first_vertex += mesh->vertex_count;
    }
}
