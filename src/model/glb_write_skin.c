// Writes skins of glTF, and of meshes the bones of their vertices and the shapes that they can take.
#include "bytes.h"
#include "glb_write.h"
#include "model.h"

#define SET 4u // bones in one list of a mesh

uint32_t fr__glb_set_count(const fr_model_mesh *mesh) { return (fr__deform_of(mesh).influence_count + SET - 1) / SET; }

bool fr__glb_has_skin(const fr__glb_out *out, uint32_t skin) {
    const fr_model_skin *s = &out->view->skins[skin];
    for (uint32_t b = 0; b < s->bone_count; b++) {
        if (out->node_ids[s->nodes[b]] == FR_NONE) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The text

void fr__glb_put_skin_views(fr__glb_out *out) {
    out->first_skin = out->views;
    for (uint32_t i = 0; i < out->view->skin_count; i++) {
        fr__glb_put_view(out, (uint64_t)64 * out->view->skins[i].bone_count, "}");
    }
}

void fr__glb_put_skin_accessors(fr__glb_out *out) {
    for (uint32_t i = 0; i < out->view->skin_count; i++) {
        uint32_t view = out->first_skin + i;
        fr__glb_put_whole(out, view > 0 ? ",\n{\"bufferView\":" : "{\"bufferView\":", view);
        fr__glb_put_whole(out, ",\"componentType\":5126,\"type\":\"MAT4\",\"count\":", out->view->skins[i].bone_count);
        fr__glb_put(out, "}");
    }
}

// The number in the file of a node whose frame things stand in.
static uint32_t inner_of(const fr__glb_out *out, uint32_t node) {
    return out->inner_ids[node] != FR_NONE ? out->inner_ids[node] : out->node_ids[node];
}

void fr__glb_put_skins(fr__glb_out *out) {
    for (uint32_t i = 0; i < out->view->skin_count; i++) {
        const fr_model_skin *skin = &out->view->skins[i];
        fr__glb_put(out, i > 0 ? ",\n" : ",\n\"skins\":[");
        fr__glb_put_string(out, "{\"name\":", skin->name);
        fr__glb_put_whole(out, ",\"inverseBindMatrices\":", out->first_skin + i);
        if (skin->root != FR_NONE && out->node_ids[skin->root] != FR_NONE) {
            fr__glb_put_whole(out, ",\"skeleton\":", out->node_ids[skin->root]);
        }
        fr__glb_put(out, ",\"joints\":[");
        for (uint32_t b = 0; b < skin->bone_count; b++) {
            // A skin with a bone that is left out is not used; its place is kept.
            fr__glb_put_whole(out, b > 0 ? "," : "", fr__glb_has_skin(out, i) ? inner_of(out, skin->nodes[b]) : 0);
        }
        fr__glb_put(out, "]}");
    }
    if (out->view->skin_count > 0) { fr__glb_put(out, "]"); }
}

void fr__glb_put_shapes(fr__glb_out *out, const fr_model_mesh *mesh, uint32_t accessor) {
    fr_model_deform deform = fr__deform_of(mesh);
    for (uint32_t i = 0; i < deform.target_count; i++) {
        fr__glb_put_whole(out, i > 0 ? ",{\"POSITION\":" : ",\"targets\":[{\"POSITION\":", accessor + i);
        fr__glb_put(out, "}");
    }
    if (deform.target_count > 0) { fr__glb_put(out, "]"); }
}

void fr__glb_put_shape_weights(fr__glb_out *out, const fr_model_mesh *mesh) {
    fr_model_deform deform = fr__deform_of(mesh);
    if (deform.target_weights == NULL || deform.target_count == 0) { return; }
    fr__glb_put_floats(out, ",\"weights\":", deform.target_weights, (int)deform.target_count);
}

// ---------------------------------------------------------------------------------------------------------------
// The binary part

void fr__glb_put_influences(fr__glb_out *out, const fr_model_mesh *mesh, uint32_t vertex, uint32_t set,
                            bool is_weights) {
    const fr_model_deform *deform = mesh->deform;
    for (uint32_t k = SET * set; k < SET * set + SET; k++) {
        bool is_there = k < deform->influence_count;
        size_t at = is_there ? (size_t)vertex * deform->influence_count + k : 0;
        if (is_weights) {
            fr__store_float(fr__sink_room(out->sink, 4), is_there ? deform->weights[at] : 0.0f);
        } else {
            char *room = fr__sink_room(out->sink, 2);
            uint32_t bone = is_there ? deform->bones[at] : 0;
            room[0] = (char)(bone & 0xff);
            room[1] = (char)(bone >> 8);
        }
    }
}

void fr__glb_put_skin_bytes(fr__glb_out *out) {
    for (uint32_t i = 0; i < out->view->skin_count && out->sink->status == FR_OK; i++) {
        const fr_model_skin *skin = &out->view->skins[i];
        for (uint32_t b = 0; b < skin->bone_count; b++) {
            const double *m = skin->inverse_binds + (size_t)12 * b;
            for (int k = 0; k < 16; k++) {
                double number = k % 4 < 3 ? m[4 * (k % 4) + k / 4] : (k == 15 ? 1.0 : 0.0);
                fr__store_float(fr__sink_room(out->sink, 4), (float)number);
            }
        }
    }
}
