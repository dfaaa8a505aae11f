// Skins of an intermediate file, and how its meshes are deformed. Numbers are checked with those of the whole model.
#include "bytes.h"
#include "frm.h"

static uint32_t u32(const char *at) { return fr__load_u32(at, false); }
static uint64_t u64(const char *at) { return fr__load_u64(at, false); }

static fr_status no_memory(const fr__frm_file *file) {
    return fr__frm_fail(file, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
}

static fr_status read_deform(fr__frm_file *file, fr_model *model, const char *at) {
    uint32_t index = u32(at);
    if (index >= model->meshes.count) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "mesh %u of %zu is deformed", index, model->meshes.count);
    }
    fr_model_mesh *mesh = model->meshes.data + index;
    fr_model_deform *deform = fr__builder_alloc(&model->store, 1, sizeof *deform, _Alignof(fr_model_deform));
    if (deform == NULL) { return no_memory(file); }
    *deform =
        (fr_model_deform){.influence_count = u32(at + 4), .bone_count = u32(at + 8), .target_count = u32(at + 12)};
    uint64_t influences = (uint64_t)deform->influence_count * mesh->vertex_count;
    uint64_t numbers = (uint64_t)deform->target_count * mesh->vertex_count;
    const void *bones = NULL, *weights = NULL, *targets = NULL, *rest = NULL;
    FR__TRY(fr__frm_array(file, FR__FRM_BONE, u64(at + 16), influences, 4, &bones));
    FR__TRY(fr__frm_array(file, FR__FRM_BONE, u64(at + 24), influences, 4, &weights));
    FR__TRY(fr__frm_array(file, FR__FRM_BONE, u64(at + 32), numbers, 12, &targets));
    FR__TRY(fr__frm_array(file, FR__FRM_BONE, u64(at + 40), deform->target_count, 4, &rest));
    deform->bones = bones;
    deform->weights = weights;
    deform->targets = targets;
    deform->target_weights = rest;
    mesh->deform = deform;
    return FR_OK;
}

static fr_status read_skin(fr__frm_file *file, fr_model *model, const char *at) {
    fr_model_skin skin = {.bone_count = u32(at + 8), .root = u32(at + 12)};
    const void *nodes = NULL, *binds = NULL;
    FR__TRY(fr__frm_text(file, u64(at), &skin.name));
    FR__TRY(fr__frm_array(file, FR__FRM_BONE, u64(at + 16), skin.bone_count, 4, &nodes));
    FR__TRY(fr__frm_array(file, FR__FRM_BONE, u64(at + 24), skin.bone_count, 96, &binds));
    skin.nodes = nodes;
    skin.inverse_binds = binds;
    return fr__model_skin_array_add(&model->store.skins, &skin) != FR_NONE ? FR_OK : no_memory(file);
}

static fr_status read_follower(fr__frm_file *file, fr_model *model, const char *at) {
    uint32_t node = u32(at);
    if (node >= model->store.nodes.count || model->store.skins.count == 0) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "node %u of %zu has a skin", node, model->store.nodes.count);
    }
    model->store.nodes.data[node].skin = u32(at + 4);
    return FR_OK;
}

fr_status fr__frm_read_skins(fr__frm_file *file, fr_model *model) {
    static const struct {
        fr__frm_tag tag;
        fr_status (*read)(fr__frm_file *file, fr_model *model, const char *at);
    } lists[] = {{FR__FRM_DFRM, read_deform}, {FR__FRM_SKIN, read_skin}, {FR__FRM_FLLW, read_follower}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (uint64_t k = 0; k < fr__frm_count(file, lists[i].tag); k++) {
            FR__TRY(lists[i].read(file, model, fr__frm_record(file, lists[i].tag, k)));
        }
    }
    return FR_OK;
}
