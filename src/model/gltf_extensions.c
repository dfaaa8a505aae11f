// Extensions that a glTF file requires: which are read, which change nothing that is kept, and which are refused by
// their name.
#include "gltf.h"

#include <string.h>

// Read here, or by the mere types of accessors.
static const char *const readable[] = {"EXT_mesh_gpu_instancing", "EXT_meshopt_compression", "KHR_mesh_quantization",
                                       "KHR_meshopt_compression", "KHR_node_visibility"};

// What begins with one of these concerns looks, light, cameras, sound or words beside the geometry: the shapes of a
// file are whole without it.
static const char *const beside[] = {
    "ADOBE_materials_",
    "EXT_feature_metadata",
    "EXT_instance_features",
    "EXT_lights_",
    "EXT_materials_",
    "EXT_mesh_features",
    "EXT_property_metadata",
    "EXT_structural_metadata",
    "EXT_texture_",
    "KHR_animation_",
    "KHR_audio",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_techniques_webgl",
    "KHR_texture_",
    "KHR_xmp",
    "MSFT_packing_",
    "MSFT_texture_",
    "VRM",
};

static bool begins_with(fr_json_text text, const char *word) {
    size_t length = strlen(word);
    return text.size >= length && memcmp(text.bytes, word, length) == 0;
}

static bool is_known(const fr_json *json, fr_json_value name) {
    for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++) {
        if (fr_json_equals(json, name, readable[i])) { return true; }
    }
    fr_json_text text = fr_json_get_text(json, name);
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        if (begins_with(text, beside[i])) { return true; }
    }
    return false;
}

fr_status fr__gltf_check_extensions(fr__gltf *gltf) {
    const fr_json *json = gltf->json;
    fr_json_value list = fr_json_member(json, FR_JSON_ROOT, "extensionsRequired");
    if (!fr_json_is(json, list, FR_JSON_ARRAY)) { return FR_OK; }
    for (fr_json_value item = fr_json_first(json, list); item != FR_JSON_NONE; item = fr_json_next(json, item)) {
        if (!fr_json_is(json, item, FR_JSON_STRING)) {
            return fr__gltf_fail(gltf, item, FR_ERROR_SYNTAX, "the name of an extension is a text");
        }
        if (is_known(json, item)) { continue; }
        if (fr_json_equals(json, item, "KHR_draco_mesh_compression")) {
            FR__TRY(fr__gltf_check_draco(gltf, item));
            continue;
        }
        fr_json_text text = fr_json_get_text(json, item);
        return fr__gltf_fail(gltf, item, FR_ERROR_UNSUPPORTED, "the extension %.*s is required and not read",
                             (int)(text.size < 80 ? text.size : 80), text.bytes);
    }
    return FR_OK;
}
