// The colours of a part's triangles, as corners, polygons and materials give them.
#include "fureai/model.h"

static uint8_t color_byte(float value) {
    return value > 0.0f ? (uint8_t)(value < 1.0f ? value * 255.0f + 0.5f : 255.0f) : 0;
}

fr_color fr_model_material_color(const fr_model_material *material) {
    const float *light = material->is_unlit ? material->emissive : material->diffuse;
    if (light[0] + light[1] + light[2] <= 0.0f) { light = material->diffuse; }
    return (fr_color){color_byte(light[0]), color_byte(light[1]), color_byte(light[2]),
                      color_byte(1.0f - material->transparency)};
}

// Readers that keep one list for all meshes give this grey to polygons without a colour.
static bool is_unpainted(fr_color color) { return color.r == 204 && color.g == 204 && color.b == 204; }

static fr_color mean_of_corners(const fr_color *colors, uint32_t count) {
    uint64_t sum[4] = {0};
    for (uint32_t i = 0; i < count; i++) {
        sum[0] += colors[i].r;
        sum[1] += colors[i].g;
        sum[2] += colors[i].b;
        sum[3] += colors[i].a;
    }
    return (fr_color){(uint8_t)(sum[0] / count), (uint8_t)(sum[1] / count), (uint8_t)(sum[2] / count),
                      (uint8_t)(sum[3] / count)};
}

// Finds the colour of a polygon; `material` is that of the node. False: it has none.
static bool find_color(const fr_model_view *view, const fr_model_mesh *mesh, uint32_t face, uint32_t material,
                       fr_color *out) {
    uint32_t begin = fr_model_face_begin(mesh, face), end = fr_model_face_end(mesh, face);
    uint32_t own = mesh->face_materials != NULL ? mesh->face_materials[face] : FR_NONE;
    if (own != FR_NONE) { material = own; }
    if (mesh->corner_colors != NULL) {
        *out = mean_of_corners(mesh->corner_colors + begin, end - begin);
    } else if (mesh->face_colors != NULL && !is_unpainted(mesh->face_colors[face])) {
        *out = mesh->face_colors[face];
    } else if (material != FR_NONE) {
        *out = fr_model_material_color(&view->materials[material]);
    } else {
        return false;
    }
    return !is_unpainted(*out);
}

bool fr_model_part_colors(const fr_model *model, uint32_t node, fr_color fallback, fr_color *colors) {
    const fr_model_view *view = fr_model_get(model);
    FR_ASSERT(node < view->node_count && view->nodes[node].mesh != FR_NONE);
    const fr_model_mesh *mesh = &view->meshes[view->nodes[node].mesh];
    bool has_any = false;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t triangles = fr_model_face_end(mesh, face) - fr_model_face_begin(mesh, face) - 2;
        fr_color color;
        bool is_found = find_color(view, mesh, face, view->nodes[node].material, &color);
        has_any = has_any || is_found;
        for (uint32_t i = 0; i < triangles; i++) {
            *colors++ = is_found ? color : fallback;
        }
    }
    return has_any;
}
