// Any bytes as an intermediate file: copied, mapped where they lie, and with the end that belongs to them.
#include "model_bytes.h"

// The same bytes where a mapped file would lie; the model and its meshes are used while they are there.
static void try_mapped(const uint8_t *data, size_t size) {
    void *bytes = aligned_alloc(64, (size + 64) / 64 * 64);
    require(bytes != NULL);
    memcpy(bytes, data, size);
    fr_model *model = NULL;
    if (fr_model_map(bytes, size, NULL, &model, NULL) == FR_OK) {
        const fr_model_view *view = fr_model_get(model);
        for (uint32_t i = 0; i < view->mesh_count; i++) {
            check_mesh(&view->meshes[i], view->material_count);
        }
        for (uint32_t i = 0; i < view->node_count && view->corner_count < 2000; i++) {
            fr_mesh *mesh = NULL;
            fr_model_part_mesh(model, i, NULL, &mesh, NULL);
            fr_mesh_release(mesh);
        }
    }
    fr_model_destroy(model);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_mapped(data, size);
    return try_model_bytes(data, size, FR_MODEL_FRM);
}
