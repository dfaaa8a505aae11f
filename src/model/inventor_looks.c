// The looks of VRML 1.0: materials, colours and textures of the state as an Appearance of VRML97.
#include "inventor.h"

#include <string.h>

static const fr__vtype *type_of(const char *name) { return fr__vtype_find((fr__span){name, strlen(name)}); }

static uint32_t count_of(const fr__vnode *node, const char *field) {
    const fr__value *value = node != NULL ? fr__value_find(node, field) : NULL;
    return value != NULL ? value->count : 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Colours

// Colours of 4 bytes, red the first.
static const float *unpack(fr__inventor *inventor, const fr__value *packed) {
    float *colors = fr__vrml_alloc(inventor->vrml, (size_t)4 * packed->count, sizeof(float), _Alignof(float));
    for (uint32_t i = 0; colors != NULL && i < 4 * packed->count; i++) {
        uint32_t bits = (uint32_t)packed->wholes[i / 4];
        colors[i] = (float)(bits >> (24 - 8 * (i % 4)) & 255u) / 255.0f;
    }
    return colors;
}

// Colours of a Material with their own transparencies.
static const float *join_alphas(fr__inventor *inventor, const fr__value *diffuse, const fr__value *transparency) {
    float *colors = fr__vrml_alloc(inventor->vrml, (size_t)4 * diffuse->count, sizeof(float), _Alignof(float));
    for (uint32_t i = 0; colors != NULL && i < diffuse->count; i++) {
        uint32_t last = transparency->count - 1;
        memcpy(colors + (size_t)4 * i, diffuse->floats + (size_t)3 * i, 3 * sizeof(float));
        colors[(size_t)4 * i + 3] = 1.0f - transparency->floats[i < last ? i : last];
    }
    return colors;
}

// Where the colours of a node stand: a field of colours, or of packed ones.
static const fr__value *colors_of(const fr__vnode *holder, bool *is_packed) {
    static const char *const fields[] = {"diffuseColor", "rgb", "orderedRGBA", "rgba"};
    for (size_t i = 0; holder != NULL && i < sizeof fields / sizeof fields[0]; i++) {
        const fr__value *value = fr__value_find(holder, fields[i]);
        *is_packed = i >= 2;
        if (value != NULL) { return value; }
    }
    return NULL;
}

fr_status fr__inventor_colors(fr__inventor *inventor, const fr__vnode *holder, fr__vnode **colors) {
    *colors = NULL;
    bool is_packed;
    const fr__value *value = colors_of(holder, &is_packed);
    // A material that only glows has its colours there.
    if (value != NULL && value->count == 0) { value = fr__value_find(holder, "emissiveColor"); }
    if (value == NULL || value->count < 2) { return FR_OK; }
    const fr__made_key key = {.made_for = FR__MADE_COLOR, .nodes = {holder}};
    FR__TRY(fr__inventor_find(inventor, &key, colors));
    if (*colors != NULL) { return FR_OK; }
    const fr__value *transparency = fr__value_find(holder, "transparency");
    bool has_alphas = transparency != NULL && transparency->count > 1;
    const float *wide = is_packed    ? unpack(inventor, value)
                        : has_alphas ? join_alphas(inventor, value, transparency)
                                     : NULL;
    if (wide == NULL && (is_packed || has_alphas)) { return fr__vrml_memory(inventor->vrml); }
    fr__maker maker = fr__maker_make(inventor, type_of(wide != NULL ? "ColorRGBA" : "Color"), holder, false);
    fr__value list = *value;
    list.storage = FR__FLOATS;
    if (wide != NULL) { list.floats = wide; }
    fr__maker_value(&maker, "color", &list);
    FR__TRY(fr__maker_end(&maker, colors));
    return fr__inventor_remember(inventor, &key, *colors);
}

// ---------------------------------------------------------------------------------------------------------------
// Material

// VRML97 has a share of the diffuse colour where VRML 1.0 has a colour.
static fr_status set_ambient(fr__inventor *inventor, fr__maker *maker, const fr__vnode *material) {
    const fr__value *ambient = fr__value_find(material, "ambientColor");
    const fr__value *diffuse = fr__value_find(material, "diffuseColor");
    if (ambient == NULL || ambient->count == 0) { return FR_OK; }
    const float *a = ambient->floats, initial[3] = {0.8f, 0.8f, 0.8f};
    const float *d = diffuse != NULL && diffuse->count > 0 ? diffuse->floats : initial;
    float light = (d[0] + d[1]) + d[2], share = light > 0.0f ? ((a[0] + a[1]) + a[2]) / light : 0.0f;
    float *kept = fr__vrml_alloc(inventor->vrml, 1, sizeof *kept, _Alignof(float));
    if (kept == NULL) { return fr__vrml_memory(inventor->vrml); }
    *kept = share > 0.0f ? share < 1.0f ? share : 1.0f : 0.0f;
    fr__maker_floats(maker, "ambientIntensity", kept, 1);
    return FR_OK;
}

// The first of packed colours, and its transparency.
static fr_status set_packed(fr__inventor *inventor, fr__maker *maker, const fr__value *packed, const char *field) {
    const fr__value first = {.wholes = packed->wholes, .count = 1};
    const float *color = unpack(inventor, &first);
    float *transparency = fr__vrml_alloc(inventor->vrml, 1, sizeof *transparency, _Alignof(float));
    if (color == NULL || transparency == NULL) { return fr__vrml_memory(inventor->vrml); }
    *transparency = 1.0f - color[3];
    fr__maker_floats(maker, field, color, 1);
    fr__maker_floats(maker, "transparency", transparency, 1);
    return FR_OK;
}

static fr_status make_material(fr__inventor *inventor, const fr__inventor_state *state, const fr__vnode *at,
                               fr__vnode **material) {
    const fr__vnode *from = state->material;
    bool is_packed = false;
    const fr__value *colors = colors_of(state->colors, &is_packed);
    bool has_colors = colors != NULL && colors->count > 0;
    // A material whose other colours are empty has its light in it.
    bool is_glowing =
        state->colors == from && colors != NULL && colors->count == 0 && count_of(from, "emissiveColor") > 0;
    bool is_unlit = state->is_unlit != 0 || is_glowing;
    const fr__vnode *named = from != NULL ? from : at;
    fr__maker maker = fr__maker_make(inventor, type_of(is_unlit ? "UnlitMaterial" : "Material"), named, from != NULL);
    const char *field = is_unlit ? "emissiveColor" : "diffuseColor";
    static const float grey[3] = {0.8f, 0.8f, 0.8f};
    if (from != NULL) { fr__maker_copy(&maker, "transparency", from, "transparency"); }
    if (is_glowing) {
        fr__maker_copy(&maker, field, from, "emissiveColor");
    } else if (has_colors && is_packed) {
        FR__TRY(set_packed(inventor, &maker, colors, field));
    } else if (has_colors) {
        fr__maker_value(&maker, field, colors);
    } else {
        fr__maker_floats(&maker, field, grey, 1);
    }
    if (from != NULL && !is_unlit) {
        FR__TRY(set_ambient(inventor, &maker, from));
        fr__maker_copy(&maker, "specularColor", from, "specularColor");
        fr__maker_copy(&maker, "emissiveColor", from, "emissiveColor");
        fr__maker_copy(&maker, "shininess", from, "shininess");
    }
    return fr__maker_end(&maker, material);
}

// ---------------------------------------------------------------------------------------------------------------
// Texture

static fr_status find_texture(fr__inventor *inventor, const fr__vnode *from, fr__vnode **texture) {
    *texture = NULL;
    if (from == NULL) { return FR_OK; }
    const fr__made_key key = {.made_for = FR__MADE_TEXTURE, .nodes = {from}};
    FR__TRY(fr__inventor_find(inventor, &key, texture));
    if (*texture != NULL) { return FR_OK; }
    const fr__value *file = fr__value_find(from, "filename"), *image = fr__value_find(from, "image");
    bool is_file = file != NULL && file->count > 0 && file->strings[0].length > 0;
    bool is_image = !is_file && image != NULL && image->count > 3;
    if (!is_file && !is_image) { return FR_OK; }
    fr__maker maker = fr__maker_make(inventor, type_of(is_file ? "ImageTexture" : "PixelTexture"), from, false);
    fr__maker_value(&maker, is_file ? "url" : "image", is_file ? file : image);
    fr__maker_bool(&maker, "repeatS", !fr__inventor_has_word(from, "wrapS", "CLAMP", false));
    fr__maker_bool(&maker, "repeatT", !fr__inventor_has_word(from, "wrapT", "CLAMP", false));
    FR__TRY(fr__maker_end(&maker, texture));
    return fr__inventor_remember(inventor, &key, *texture);
}

// VRML 1.0: x' = t + c + R S (x - c). VRML97: x' = -c + S R (x + t + c). Both are the same for a turn and a scale that
// may be swapped, where the centre is turned about and the translation goes back through both.
static fr_status make_texture_transform(fr__inventor *inventor, const fr__vnode *from, fr__vnode **transform) {
    *transform = NULL;
    if (from == NULL) { return FR_OK; }
    float *numbers = fr__vrml_alloc(inventor->vrml, 7, sizeof *numbers, _Alignof(float));
    if (numbers == NULL) { return fr__vrml_memory(inventor->vrml); }
    float *center = numbers, *translation = numbers + 2, *scale = numbers + 4, *turn = numbers + 6;
    fr__value_floats(from, "center", center, 2);
    fr__value_floats(from, "translation", translation, 2);
    fr__value_floats(from, "scaleFactor", scale, 2);
    *turn = fr__value_float(from, "rotation");
    center[0] = -center[0];
    center[1] = -center[1];
    double sine, cosine, x = (double)translation[0], y = (double)translation[1];
    fr_sincos((double)*turn, &sine, &cosine);
    if (scale[0] != 0.0f && scale[1] != 0.0f) {
        translation[0] = (float)((cosine * x + sine * y) / (double)scale[0]);
        translation[1] = (float)((cosine * y - sine * x) / (double)scale[1]);
    }
    fr__maker maker = fr__maker_make(inventor, type_of("TextureTransform"), from, false);
    fr__maker_floats(&maker, "center", center, 1);
    fr__maker_floats(&maker, "translation", translation, 1);
    fr__maker_floats(&maker, "scale", scale, 1);
    fr__maker_floats(&maker, "rotation", turn, 1);
    return fr__maker_end(&maker, transform);
}

// ---------------------------------------------------------------------------------------------------------------
// Appearance

fr_status fr__inventor_appearance(fr__inventor *inventor, const fr__inventor_state *state, const fr__vnode *at,
                                  fr__vnode **appearance) {
    const fr__made_key key = {.made_for = FR__MADE_APPEARANCE,
                              .state = {.material = state->material,
                                        .colors = state->colors,
                                        .texture = state->texture,
                                        .texture_transform = state->texture_transform,
                                        .is_unlit = state->is_unlit}};
    FR__TRY(fr__inventor_find(inventor, &key, appearance));
    if (*appearance != NULL) { return FR_OK; }
    fr__vnode *material, *texture, *transform;
    FR__TRY(make_material(inventor, state, at, &material));
    FR__TRY(find_texture(inventor, state->texture, &texture));
    FR__TRY(make_texture_transform(inventor, state->texture_transform, &transform));
    fr__maker maker = fr__maker_make(inventor, type_of("Appearance"), at, false);
    fr__maker_node(&maker, "material", material);
    fr__maker_node(&maker, "texture", texture);
    fr__maker_node(&maker, "textureTransform", transform);
    FR__TRY(fr__maker_end(&maker, appearance));
    return fr__inventor_remember(inventor, &key, *appearance);
}
