// Primitives of a glTF file that KHR_draco_mesh_compression compresses: decoded while they are read.
#include "draco.h"
#include "gltf.h"

#ifndef FR_HAVE_DRACO
const fr__draco_codec *fr__draco(void) { return NULL; }
#endif

fr_status fr__gltf_check_draco(fr__gltf *gltf, fr_json_value value) {
    if (fr__draco() != NULL) { return FR_OK; }
    return fr__gltf_fail(gltf, value, FR_ERROR_UNSUPPORTED,
                         "the extension KHR_draco_mesh_compression is read where Fureai was built with libdraco "
                         "(FUREAI_DRACO)");
}

void fr__gltf_close_draco(fr__gltf *gltf) {
    if (gltf->draco.mesh != NULL) { fr__draco()->close(gltf->draco.mesh); }
    gltf->draco = (fr__gltf_draco){.mesh = NULL};
}

// Whether a primitive has its positions without Draco too.
static bool has_own_positions(const fr__gltf *gltf, fr_json_value positions) {
    uint64_t index = 0;
    return fr_json_get_whole(gltf->json, positions, &index) && index < gltf->lists[FR__GLTF_ACCESSORS].count &&
           fr_json_member(gltf->json, fr__gltf_item(gltf, FR__GLTF_ACCESSORS, index), "bufferView") != FR_JSON_NONE;
}

static fr_status open_mesh(fr__gltf *gltf, fr_json_value extension) {
    uint64_t view = 0;
    uint32_t stride = 0;
    fr__span bytes = {NULL, 0};
    FR__TRY(fr__gltf_check_draco(gltf, extension));
    FR__TRY(fr__gltf_index(gltf, fr_json_member(gltf->json, extension, "bufferView"), FR__GLTF_VIEWS, "buffer view",
                           &view));
    FR__TRY(fr__gltf_view(gltf, view, &bytes, &stride));
    fr__draco_size size;
    fr_status status =
        fr__draco()->open(bytes.begin, bytes.length, fr__gltf_inflatable(gltf), &gltf->draco.mesh, &size);
    switch (status) {
    case FR_OK: break;
    case FR_ERROR_MEMORY: return fr__gltf_no_memory(gltf);
    case FR_ERROR_LIMIT: return fr__gltf_count_inflated(gltf, extension, UINT64_MAX);
    default: return fr__gltf_fail(gltf, extension, status, "the %zu bytes are no mesh of Draco", bytes.length);
    }
    gltf->draco.vertex_count = size.vertex_count;
    gltf->draco.face_count = size.face_count;
    return fr__gltf_count_inflated(gltf, extension, size.bytes);
}

fr_status fr__gltf_open_draco(fr__gltf *gltf, fr_json_value primitive, const char *const *names,
                              const fr_json_value *accessors) {
    fr_json_value extension =
        fr_json_member(gltf->json, fr_json_member(gltf->json, primitive, "extensions"), "KHR_draco_mesh_compression");
    fr_json_value ids[FR__GLTF_ATTRIBUTES];
    fr__gltf_close_draco(gltf);
    if (extension == FR_JSON_NONE || has_own_positions(gltf, accessors[0])) { return FR_OK; }
    FR__TRY(open_mesh(gltf, extension));
    fr_json_members(gltf->json, fr_json_member(gltf->json, extension, "attributes"), names, FR__GLTF_ATTRIBUTES, ids);
    for (size_t i = 0; i < FR__GLTF_ATTRIBUTES; i++) {
        uint64_t id = 0, accessor = 0;
        if (ids[i] == FR_JSON_NONE || accessors[i] == FR_JSON_NONE) { continue; }
        FR__TRY(fr__gltf_index(gltf, accessors[i], FR__GLTF_ACCESSORS, "accessor", &accessor));
        if (!fr_json_get_whole(gltf->json, ids[i], &id) || id > UINT32_MAX) {
            return fr__gltf_fail(gltf, ids[i], FR_ERROR_SYNTAX, "the id of an attribute is a whole number");
        }
        gltf->draco.attributes[gltf->draco.attribute_count++] = (fr__gltf_draco_attribute){accessor, (uint32_t)id};
    }
    return FR_OK;
}

fr_status fr__gltf_draco_elements(fr__gltf *gltf, uint64_t accessor, const fr__gltf_element *element,
                                  const char **data) {
    const fr__gltf_draco *draco = &gltf->draco;
    fr_json_value value = fr__gltf_item(gltf, FR__GLTF_ACCESSORS, accessor);
    *data = NULL;
    for (size_t i = 0; i < draco->attribute_count; i++) {
        if (draco->attributes[i].accessor != accessor) { continue; }
        if (element->count != draco->vertex_count) {
            return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "%llu elements, but Draco's mesh has %u vertices",
                                 (unsigned long long)element->count, draco->vertex_count);
        }
        gltf->scratch.count = 0;
        unsigned char *out = fr_byte_array_push(&gltf->scratch, (size_t)element->count * element->size);
        if (out == NULL) { return fr__gltf_no_memory(gltf); }
        if (!fr__draco()->attribute(draco->mesh, draco->attributes[i].id, element->type, element->width, (char *)out)) {
            return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "Draco's mesh has no attribute %u of this type",
                                 draco->attributes[i].id);
        }
        *data = (const char *)out;
        return FR_OK;
    }
    return FR_OK;
}

fr_status fr__gltf_draco_indices(fr__gltf *gltf, fr_json_value value, uint64_t limit, fr_uint32_array *out) {
    size_t count = (size_t)3 * gltf->draco.face_count;
    out->count = 0;
    uint32_t *to = fr_uint32_array_push(out, count);
    if (to == NULL) { return fr__gltf_no_memory(gltf); }
    fr__draco()->indices(gltf->draco.mesh, to);
    for (size_t i = 0; i < count; i++) {
        if (to[i] < limit) { continue; }
        return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "index %zu is vertex %u of %llu", i, to[i],
                             (unsigned long long)limit);
    }
    return FR_OK;
}
