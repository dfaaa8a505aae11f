// Materials and pictures of a glTF file.
#include "gltf.h"

#include <string.h>

static fr_status take_picture(fr__gltf *gltf, fr_json_value image, fr_model_texture *texture) {
    const fr_json *json = gltf->json;
    fr_json_value uri = fr_json_member(json, image, "uri"), view = fr_json_member(json, image, "bufferView");
    fr__span bytes = {NULL, 0};
    if (view != FR_JSON_NONE) {
        uint64_t index = 0;
        uint32_t stride = 0;
        FR__TRY(fr__gltf_index(gltf, view, FR__GLTF_VIEWS, "buffer view", &index));
        FR__TRY(fr__gltf_view(gltf, index, &bytes, &stride));
    } else if (uri != FR_JSON_NONE) {
        char path[FR__GLTF_PATH_BYTES];
        if (fr__gltf_path(gltf, uri, path)) {
            texture->path = fr__builder_text(&gltf->reader->builder, (fr__span){path, strlen(path)});
            return texture->path != NULL ? FR_OK : fr__gltf_no_memory(gltf);
        }
        fr__reader_warn(gltf->reader, NULL, "a picture that is no file in the model's folder is passed over");
        return FR_OK;
    }
    if (bytes.length == 0) { return FR_OK; }
    void *copy = fr__builder_alloc(&gltf->reader->builder, bytes.length, 1, 8);
    if (copy == NULL) { return fr__gltf_no_memory(gltf); }
    memcpy(copy, bytes.begin, bytes.length);
    texture->bytes = copy;
    texture->byte_count = bytes.length;
    return FR_OK;
}

// Numbers from 0 to 1; others leave what is there.
static void take_floats(const fr_json *json, fr_json_value array, int count, float *values) {
    if (!fr_json_is(json, array, FR_JSON_ARRAY)) { return; }
    fr_json_value item = fr_json_first(json, array);
    for (int i = 0; i < count && item != FR_JSON_NONE; i++, item = fr_json_next(json, item)) {
        double value = 0.0;
        if (fr_json_get_number(json, item, &value) && value >= 0.0 && value <= 1.0) { values[i] = (float)value; }
    }
}

static fr_status read_material(fr__gltf *gltf, fr_json_value value) {
    static const char *const keys[5] = {"pbrMetallicRoughness", "name", "alphaMode", "emissiveFactor", "extensions"};
    const fr_json *json = gltf->json;
    fr_json_value members[5];
    fr_json_members(json, value, keys, 5, members);
    float color[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    double rough = 1.0;
    take_floats(json, fr_json_member(json, members[0], "baseColorFactor"), 4, color);
    fr_json_get_number(json, fr_json_member(json, members[0], "roughnessFactor"), &rough);
    fr_model_material material = fr_default_model_material();
    material.name = fr__gltf_text(gltf, members[1]);
    if (material.name == NULL) { return fr__gltf_no_memory(gltf); }
    memcpy(material.diffuse, color, sizeof material.diffuse);
    bool is_opaque = members[2] == FR_JSON_NONE || fr_json_equals(json, members[2], "OPAQUE");
    material.transparency = is_opaque ? 0.0f : 1.0f - color[3];
    material.shininess = rough >= 0.0 && rough <= 1.0 ? (float)(1.0 - rough) : 0.0f;
    take_floats(json, members[3], 3, material.emissive);
    material.is_unlit = fr_json_member(json, members[4], "KHR_materials_unlit") != FR_JSON_NONE;
    fr_json_value texture = fr_json_member(json, fr_json_member(json, members[0], "baseColorTexture"), "index");
    uint64_t index = 0;
    if (texture != FR_JSON_NONE) {
        FR__TRY(fr__gltf_index(gltf, texture, FR__GLTF_TEXTURES, "texture", &index));
        material.texture = (uint32_t)index;
    }
    return fr__model_material_array_add(&gltf->reader->builder.material_list, &material) != FR_NONE
               ? FR_OK
               : fr__gltf_no_memory(gltf);
}

fr_status fr__gltf_read_looks(fr__gltf *gltf) {
    for (size_t i = 0; i < gltf->lists[FR__GLTF_TEXTURES].count; i++) {
        fr_json_value token = fr__gltf_item(gltf, FR__GLTF_TEXTURES, i);
        fr_json_value source = fr_json_member(gltf->json, token, "source");
        fr_model_texture texture = {.path = "", .is_repeated_s = true, .is_repeated_t = true, .scale = {1.0f, 1.0f}};
        uint64_t image = 0;
        if (source != FR_JSON_NONE) {
            FR__TRY(fr__gltf_index(gltf, source, FR__GLTF_IMAGES, "image", &image));
            FR__TRY(take_picture(gltf, fr__gltf_item(gltf, FR__GLTF_IMAGES, image), &texture));
        }
        if (fr__model_texture_array_add(&gltf->reader->builder.textures, &texture) == FR_NONE) {
            return fr__gltf_no_memory(gltf);
        }
    }
    for (size_t i = 0; i < gltf->lists[FR__GLTF_MATERIALS].count; i++) {
        FR__TRY(read_material(gltf, fr__gltf_item(gltf, FR__GLTF_MATERIALS, i)));
    }
    return FR_OK;
}
