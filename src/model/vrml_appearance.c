// Appearance: materials and textures.
#include "vrml.h"

#include <stdio.h>
#include <string.h>

uint32_t fr__vrml_find_key(fr__vrml *vrml, fr__names *names, const void *bytes, size_t size, bool *is_new) {
    fr_arena_mark mark = fr_arena_get_mark(vrml->key_arena);
    size_t count = names->spans.count;
    char *key = fr_arena_alloc(vrml->key_arena, size, 1, 8);
    if (key == NULL) { return FR_NONE; }
    memcpy(key, bytes, size);
    uint32_t number = fr__names_find_or_append(names, (fr__span){key, size});
    *is_new = names->spans.count > count;
    if (!*is_new && number != FR_NONE) { fr_arena_rewind(vrml->key_arena, mark); }
    return number;
}

fr_status fr__vrml_note_use(fr__vrml *vrml, fr__vnode *node, uint32_t index) {
    const fr__vuse *uses = vrml->uses.data;
    if (node->first_place != FR_NONE && uses[node->first_place].index == index) { return FR_OK; }
    fr__vuse *place = fr__vuse_array_push(&vrml->uses, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = (fr__vuse){node, index, node->first_place};
    node->first_place = (uint32_t)(vrml->uses.count - 1);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Files

// Whether the caller has a file; each is looked for once.
static fr_status look_for_file(fr__vrml *vrml, const char *path, bool *is_there) {
    const fr_model_files *files = &vrml->reader->input->files;
    *is_there = true;
    if (files->load == NULL) { return FR_OK; }
    bool is_new;
    uint32_t number = fr__vrml_find_key(vrml, &vrml->file_keys, path, strlen(path), &is_new);
    if (number == FR_NONE) { return fr__vrml_memory(vrml); }
    if (!is_new) {
        *is_there = vrml->files_found.data[number];
        return FR_OK;
    }
    const void *bytes = NULL;
    size_t size = 0;
    fr_error error;
    *is_there = files->load(path, &bytes, &size, files->context, &error) == FR_OK;
    if (*is_there && files->unload != NULL) { files->unload(bytes, size, files->context); }
    bool *place = fr__bool_array_push(&vrml->files_found, 1);
    if (place == NULL) { return fr__vrml_memory(vrml); }
    *place = *is_there;
    return FR_OK;
}

fr_status fr__vrml_local_file(fr__vrml *vrml, const fr__vnode *node, const char **path) {
    *path = NULL;
    const fr__value *urls = fr__value_find(node, "url");
    if (urls == NULL || urls->count == 0) { return FR_OK; }
    const fr__source *source = fr__vrml_source_of(vrml, node->at);
    const char *why = NULL;
    for (uint32_t i = 0; i < urls->count && *path == NULL; i++) {
        const char *refused, *found = fr__url_resolve(vrml, source->path, urls->strings[i], &refused);
        if (found == NULL && refused == NULL) { return fr__vrml_memory(vrml); }
        if (found == NULL) {
            why = refused;
            continue;
        }
        bool is_there;
        FR__TRY(look_for_file(vrml, found, &is_there));
        why = "cannot be read";
        if (!is_there) { continue; }
        *path = fr__builder_text(&vrml->reader->builder, (fr__span){found, strlen(found)});
        if (*path == NULL) { return fr__vrml_memory(vrml); }
    }
    if (*path == NULL) {
        fr__vrml_warn(vrml, urls->at, "%s has no file: '%.*s' %s", node->type->name, FR__SHOW(urls->strings[0]), why);
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Textures

static void set_transform(fr_model_texture *texture, const fr__vnode *transform) {
    texture->scale[0] = texture->scale[1] = 1.0f;
    // Of several layers the first one is shown.
    if (transform != NULL && fr__has_field(transform, "textureTransform")) {
        transform = fr__value_node(transform, "textureTransform");
    }
    if (transform == NULL) { return; }
    fr__value_floats(transform, "center", texture->center, 2);
    fr__value_floats(transform, "scale", texture->scale, 2);
    fr__value_floats(transform, "translation", texture->translation, 2);
    texture->rotation = fr__value_float(transform, "rotation");
}

static fr_status set_pixels(fr__vrml *vrml, const fr__vnode *node, fr_model_texture *texture) {
    const fr__value *image = fr__value_find(node, "image");
    if (image == NULL || image->count < 3) { return FR_OK; }
    uint32_t width = (uint32_t)image->wholes[0], height = (uint32_t)image->wholes[1];
    uint32_t components = (uint32_t)image->wholes[2];
    uint64_t count = (uint64_t)width * height;
    if (count == 0 || components == 0 || image->count < count + 3) { return FR_OK; }
    uint8_t *pixels = fr__builder_alloc(&vrml->reader->builder, (size_t)count * components, 1, 1);
    if (pixels == NULL) { return fr__vrml_memory(vrml); }
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bits = (uint32_t)image->wholes[i + 3];
        for (uint32_t k = 0; k < components; k++) {
            pixels[i * components + k] = (uint8_t)(bits >> (8 * (components - 1 - k)));
        }
    }
    texture->pixels = pixels;
    texture->width = width;
    texture->height = height;
    texture->components = components;
    return FR_OK;
}

fr_status fr__vrml_texture(fr__vrml *vrml, const fr__vnode *node, const fr__vnode *transform, uint32_t *index) {
    *index = FR_NONE;
    if (node != NULL && fr__has_field(node, "texture")) { node = fr__value_node(node, "texture"); }
    if (node == NULL) { return FR_OK; }
    bool is_image = node->type->kind == FR__KIND_IMAGE_TEXTURE, is_pixels = node->type->kind == FR__KIND_PIXEL_TEXTURE;
    if (!is_image && !is_pixels) { return FR_OK; }
    fr_model_texture texture;
    memset(&texture, 0, sizeof texture);
    texture.path = "";
    set_transform(&texture, transform);
    texture.is_repeated_s = fr__value_bool(node, "repeatS");
    texture.is_repeated_t = fr__value_bool(node, "repeatT");
    const char *path = NULL;
    if (is_image) { FR__TRY(fr__vrml_local_file(vrml, node, &path)); }
    if (is_image && path == NULL) { return FR_OK; }

    // The same picture in the same place is one texture.
    char key[512];
    const float *numbers = texture.center;
    int length = snprintf(key, sizeof key, "%a %a %a %a %a %a %a %d %d ", (double)numbers[0], (double)numbers[1],
                          (double)texture.scale[0], (double)texture.scale[1], (double)texture.translation[0],
                          (double)texture.translation[1], (double)texture.rotation, texture.is_repeated_s,
                          texture.is_repeated_t);
    size_t used = length > 0 ? (size_t)length : 0;
    if (is_image && used + strlen(path) < sizeof key) {
        memcpy(key + used, path, strlen(path));
        used += strlen(path);
    } else {
        memcpy(key + used, &node, sizeof node);
        used += sizeof node;
    }
    bool is_new;
    uint32_t number = fr__vrml_find_key(vrml, &vrml->texture_keys, key, used, &is_new);
    if (number == FR_NONE) { return fr__vrml_memory(vrml); }
    *index = number;
    if (!is_new) { return FR_OK; }
    if (is_image) {
        texture.path = path;
    } else {
        FR__TRY(set_pixels(vrml, node, &texture));
    }
    return fr__model_texture_array_add(&vrml->reader->builder.textures, &texture) != FR_NONE ? FR_OK
                                                                                             : fr__vrml_memory(vrml);
}

// ---------------------------------------------------------------------------------------------------------------
// Materials

// Numbers of a field brought into 0 .. 1.
static fr_status take_fractions(fr__vrml *vrml, const fr__vnode *node, const char *field, float *numbers,
                                uint32_t count) {
    if (!fr__has_field(node, field)) { return FR_OK; }
    fr__value_floats(node, field, numbers, count);
    bool is_over = false;
    for (uint32_t i = 0; i < count; i++) {
        is_over = is_over || !(numbers[i] >= 0.0f && numbers[i] <= 1.0f);
        numbers[i] = numbers[i] > 0.0f ? numbers[i] < 1.0f ? numbers[i] : 1.0f : 0.0f;
    }
    if (!is_over) { return FR_OK; }
    const fr__value *value = fr__value_find(node, field);
    return fr__vrml_problem(vrml, value != NULL ? value->at : node->at, "%s outside of 0 .. 1 is brought into it",
                            field);
}

static fr_status fill_material(fr__vrml *vrml, const fr__vnode *node, fr_model_material *material) {
    FR__TRY(take_fractions(vrml, node, "diffuseColor", material->diffuse, 3));
    FR__TRY(take_fractions(vrml, node, "emissiveColor", material->emissive, 3));
    FR__TRY(take_fractions(vrml, node, "specularColor", material->specular, 3));
    FR__TRY(take_fractions(vrml, node, "ambientIntensity", &material->ambient, 1));
    FR__TRY(take_fractions(vrml, node, "shininess", &material->shininess, 1));
    FR__TRY(take_fractions(vrml, node, "transparency", &material->transparency, 1));
    if (!fr__has_field(node, "diffuseColor")) {
        // X3D's UnlitMaterial.
        memcpy(material->diffuse, material->emissive, sizeof material->diffuse);
        material->is_unlit = true;
    }
    return FR_OK;
}

// The index of a material, found again where it is the same in all but its place in memory.
static fr_status find_material(fr__vrml *vrml, const fr_model_material *material, const fr__vnode *named,
                               uint32_t *index) {
    struct {
        float numbers[12];
        uint32_t unlit, texture;
        const fr__vnode *named;
    } key;
    memset(&key, 0, sizeof key);
    memcpy(key.numbers, material->diffuse, sizeof material->diffuse);
    memcpy(key.numbers + 3, material->emissive, sizeof material->emissive);
    memcpy(key.numbers + 6, material->specular, sizeof material->specular);
    key.numbers[9] = material->ambient;
    key.numbers[10] = material->shininess;
    key.numbers[11] = material->transparency;
    key.unlit = material->is_unlit;
    key.texture = material->texture;
    key.named = named;
    bool is_new;
    *index = fr__vrml_find_key(vrml, &vrml->material_keys, &key, sizeof key, &is_new);
    if (*index == FR_NONE) { return fr__vrml_memory(vrml); }
    if (!is_new) { return FR_OK; }
    fr__builder *builder = &vrml->reader->builder;
    fr_model_material kept = *material;
    // Names that our writer makes up say nothing.
    if (named != NULL && strncmp(named->name, "_fr_", 4) != 0) {
        kept.name = fr__builder_text(builder, (fr__span){named->name, strlen(named->name)});
    }
    if (kept.name == NULL || fr__model_material_array_add(&builder->material_list, &kept) == FR_NONE) {
        return fr__vrml_memory(vrml);
    }
    return FR_OK;
}

fr_status fr__vrml_material(fr__vrml *vrml, fr__vnode *appearance, uint32_t *index, bool *has_texture) {
    fr_model_material material = fr_default_model_material();
    material.name = "";
    fr__vnode *node = appearance != NULL ? fr__value_node(appearance, "material") : NULL;
    if (node != NULL && node->type->kind != FR__KIND_MATERIAL) { node = NULL; }
    if (appearance != NULL && appearance->type->kind == FR__KIND_APPEARANCE &&
        (appearance->flags & FR__NODE_BUILT) != 0) {
        *index = appearance->material;
        *has_texture = appearance->mesh != FR_NONE;
        return FR_OK;
    }
    if (node != NULL) {
        FR__TRY(fill_material(vrml, node, &material));
    } else {
        for (int i = 0; i < 3; i++) {
            material.diffuse[i] = 1.0f;
        }
        material.is_unlit = true;
    }
    fr__vnode *texture = appearance != NULL ? fr__value_node(appearance, "texture") : NULL;
    *has_texture = texture != NULL;
    if (texture != NULL) {
        FR__TRY(fr__vrml_texture(vrml, texture, fr__value_node(appearance, "textureTransform"), &material.texture));
    }
    const fr__vnode *named = node != NULL && node->name != NULL ? node : NULL;
    if (named == NULL && appearance != NULL && appearance->name != NULL) { named = appearance; }
    FR__TRY(find_material(vrml, &material, named, index));
    if (node != NULL && node->name != NULL) { FR__TRY(fr__vrml_note_use(vrml, node, *index)); }
    if (appearance != NULL && appearance->type->kind == FR__KIND_APPEARANCE) {
        appearance->flags |= FR__NODE_BUILT;
        appearance->material = *index;
        appearance->mesh = texture != NULL ? 0 : FR_NONE; // stands for "has a texture"
    }
    return FR_OK;
}
