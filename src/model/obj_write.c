// Writes OBJ: `o` for each part, `usemtl` where the material changes, polygons as they are.
#include "sink.h"

// The material of the polygons that follow, when it is another than before.
static void write_material(fr__sink *sink, const fr_model *model, const fr_model_mesh *mesh, uint32_t face,
                           uint32_t *current) {
    uint32_t material = mesh->face_materials != NULL ? mesh->face_materials[face] : FR_NONE;
    if (material == *current || material == FR_NONE) { return; }
    *current = material;
    fr__sink_text(sink, "usemtl ");
    fr__sink_name(sink, model->view.materials[material].name);
    fr__sink_text(sink, "\n");
}

static void write_face(fr__sink *sink, const fr_model_mesh *mesh, uint32_t face, uint64_t first_vertex) {
    fr__sink_text(sink, "f");
    for (uint32_t c = fr_model_face_begin(mesh, face); c < fr_model_face_end(mesh, face); c++) {
        fr__sink_text(sink, " ");
        fr__sink_integer(sink, first_vertex + mesh->corners[c] + 1);
    }
    fr__sink_text(sink, "\n");
}

void fr__write_obj(fr__sink *sink, const fr_model *model) {
    fr__totals totals = fr__total(model);
    uint64_t first_vertex = 0;
    uint32_t material = FR_NONE;
    for (uint32_t node = 0; node < model->view.node_count; node++) {
        const fr_model_mesh *mesh = fr__mesh_of(model, node);
        const char *name = model->view.nodes[node].name;
        if (mesh == NULL) { continue; }
        if (totals.parts > 1 || name[0] != '\0') {
            fr__sink_text(sink, "o ");
            fr__sink_name(sink, name);
            fr__sink_text(sink, "\n");
        }
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            fr__sink_text(sink, "v ");
            fr__sink_position(sink, mesh, v);
            fr__sink_text(sink, "\n");
        }
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            write_material(sink, model, mesh, f, &material);
            write_face(sink, mesh, f, first_vertex);
            if (!fr__sink_face_done(sink)) { return; }
        }
        first_vertex += mesh->vertex_count;
    }
}
