// The records of an intermediate file that stand beside its meshes.
#include "bytes.h"
#include "frm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint32_t u32(const char *at) { return fr__load_u32(at, false); }
static uint64_t u64(const char *at) { return fr__load_u64(at, false); }
static double f64(const char *at) { return fr__load_double(at, false); }

static fr_vec3 vec3(const char *at) { return fr_vec3_make(f64(at), f64(at + 8), f64(at + 16)); }

static fr_status no_memory(const fr__frm_file *file) {
    return fr__frm_fail(file, FR_ERROR_MEMORY, "%s", fr_status_text(FR_ERROR_MEMORY));
}

// Fails unless a list has room for all records of a chunk.
static fr_status check_room(const fr__frm_file *file, bool has_room) { return has_room ? FR_OK : no_memory(file); }

static size_t count_of(const fr__frm_file *file, fr__frm_tag tag) { return (size_t)fr__frm_count(file, tag); }

// Reads one record, into the model.
typedef fr_status record_fn(fr__frm_file *file, fr_model *model, const char *at);

static fr_status read_records(fr__frm_file *file, fr_model *model, fr__frm_tag tag, record_fn *read) {
    for (uint64_t i = 0; i < fr__frm_count(file, tag); i++) {
        FR__TRY(read(file, model, fr__frm_record(file, tag, i)));
    }
    return FR_OK;
}

static fr_status read_floats(const fr__frm_file *file, const char *at, size_t count, const char *what, float *out) {
    for (size_t i = 0; i < count; i++) {
        out[i] = fr__load_float(at + 4 * i, false);
        if (!isfinite(out[i])) {
            return fr__frm_fail(file, FR_ERROR_NOT_FINITE, "a number of a %s is not finite", what);
        }
    }
    return FR_OK;
}

static fr_status check_doubles(const fr__frm_file *file, const char *at, size_t count, const char *what) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(f64(at + 8 * i))) {
            return fr__frm_fail(file, FR_ERROR_NOT_FINITE, "a number of a %s is not finite", what);
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

static fr_status read_placements(fr__frm_file *file, fr_model *model) {
    FR__TRY(
        check_room(file, fr__model_placement_array_reserve(&model->store.placements, count_of(file, FR__FRM_PLAC))));
    for (uint64_t i = 0; i < fr__frm_count(file, FR__FRM_PLAC); i++) {
        const char *at = fr__frm_record(file, FR__FRM_PLAC, i);
        FR__TRY(check_doubles(file, at, 17, "placement"));
        fr_model_placement placement = {
            .translation = vec3(at),
            .center = vec3(at + 24),
            .scale = vec3(at + 48),
            .rotation = {f64(at + 72), f64(at + 80), f64(at + 88), f64(at + 96)},
            .scale_orientation = {f64(at + 104), f64(at + 112), f64(at + 120), f64(at + 128)}};
        fr__model_placement_array_add(&model->store.placements, &placement);
    }
    return FR_OK;
}

// A node's parent comes before it, and the tree is not too deep; `depths` has one for each node.
static fr_status check_parent(const fr__frm_file *file, const fr_model *model, const fr_model_node *node,
                              uint32_t *depths) {
    size_t index = model->store.nodes.count;
    if (node->parent != FR_NONE && node->parent >= index) {
        return fr__frm_fail(file, FR_ERROR_CORRUPT, "node %zu has parent %u, which does not come before it", index,
                            node->parent);
    }
    depths[index] = node->parent != FR_NONE ? depths[node->parent] + 1 : 1;
    if (depths[index] > model->store.limits.nesting) {
        return fr__frm_fail(file, FR_ERROR_LIMIT, "more than %u nodes in one another, the limit",
                            model->store.limits.nesting);
    }
    return FR_OK;
}

static fr_status read_nodes(fr__frm_file *file, fr_model *model, uint32_t *depths) {
    uint64_t transforms = fr__frm_count(file, FR__FRM_XFRM);
    const fr_model_node *nodes = model->store.nodes.data;
    for (uint64_t i = 0; i < fr__frm_count(file, FR__FRM_NODE); i++) {
        const char *at = fr__frm_record(file, FR__FRM_NODE, i);
        fr_model_node node = {.parent = u32(at + 8),
                              .mesh = u32(at + 12),
                              .material = u32(at + 16),
                              .placement = u32(at + 20),
                              .flags = u32(at + 24),
                              .skin = FR_NONE};
        uint32_t transform = u32(at + 28);
        FR__TRY(fr__frm_text(file, u64(at), &node.name));
        FR__TRY(check_parent(file, model, &node, depths));
        if (node.parent != FR_NONE) { node.flags |= nodes[node.parent].flags; }
        if (transform != FR_NONE) {
            if (transform >= transforms) {
                return fr__frm_fail(file, FR_ERROR_CORRUPT, "node %llu has transform %u of %llu", (unsigned long long)i,
                                    transform, (unsigned long long)transforms);
            }
            node.transform = (const double *)(const void *)fr__frm_record(file, FR__FRM_XFRM, transform);
        }
        fr__model_node_array_add(&model->store.nodes, &node);
    }
    return FR_OK;
}

fr_status fr__frm_read_nodes(fr__frm_file *file, fr_model *model) {
    uint64_t count = fr__frm_count(file, FR__FRM_NODE);
    if (count == 0) { return fr__frm_fail(file, FR_ERROR_CORRUPT, "there is no node"); }
    if (count > model->store.limits.nodes) {
        return fr__frm_fail(file, FR_ERROR_LIMIT, "more than %llu nodes, the limit",
                            (unsigned long long)model->store.limits.nodes);
    }
    FR__TRY(read_placements(file, model));
    FR__TRY(check_room(file, fr__model_node_array_reserve(&model->store.nodes, count_of(file, FR__FRM_NODE))));
    uint32_t *depths = fr_allocate(&model->store.allocator, (size_t)count, sizeof *depths, sizeof *depths);
    if (depths == NULL) { return no_memory(file); }
    fr_status status = read_nodes(file, model, depths);
    fr_deallocate(&model->store.allocator, depths, (size_t)count, sizeof *depths);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Materials and pictures

static fr_status read_material(fr__frm_file *file, fr_model *model, const char *at) {
    float n[12] = {0};
    FR__TRY(read_floats(file, at + 8, 12, "material", n));
    fr_model_material material = {.ambient = n[9],
                                  .shininess = n[10],
                                  .transparency = n[11],
                                  .is_unlit = (u32(at + 56) & FR__FRM_UNLIT) != 0,
                                  .texture = u32(at + 60)};
    memcpy(material.diffuse, n, sizeof material.diffuse);
    memcpy(material.emissive, n + 3, sizeof material.emissive);
    memcpy(material.specular, n + 6, sizeof material.specular);
    FR__TRY(fr__frm_text(file, u64(at), &material.name));
    fr__model_material_array_add(&model->store.material_list, &material);
    return FR_OK;
}

static fr_status read_texture(fr__frm_file *file, fr_model *model, const char *at) {
    fr_model_texture texture = {.width = u32(at + 32),
                                .height = u32(at + 36),
                                .components = u32(at + 40),
                                .is_repeated_s = (u32(at + 44) & FR__FRM_REPEAT_S) != 0,
                                .is_repeated_t = (u32(at + 44) & FR__FRM_REPEAT_T) != 0};
    uint64_t pixels = (uint64_t)texture.width * texture.height;
    if (pixels > model->store.limits.pixels || texture.components > 4) {
        return fr__frm_fail(file, FR_ERROR_LIMIT, "a picture has more than %llu pixels, the limit, or 4 components",
                            (unsigned long long)model->store.limits.pixels);
    }
    float n[7] = {0};
    FR__TRY(read_floats(file, at + 48, 7, "texture", n));
    memcpy(texture.center, n, sizeof texture.center);
    memcpy(texture.scale, n + 2, sizeof texture.scale);
    memcpy(texture.translation, n + 4, sizeof texture.translation);
    texture.rotation = n[6];
    const void *data = NULL;
    FR__TRY(fr__frm_text(file, u64(at), &texture.path));
    FR__TRY(fr__frm_array(file, FR__FRM_DATA, u64(at + 8), u64(at + 16), 1, &texture.bytes));
    FR__TRY(fr__frm_array(file, FR__FRM_DATA, u64(at + 24), pixels, texture.components, &data));
    texture.byte_count = texture.bytes != NULL ? (size_t)u64(at + 16) : 0;
    texture.pixels = data;
    fr__model_texture_array_add(&model->store.textures, &texture);
    return FR_OK;
}

fr_status fr__frm_read_looks(fr__frm_file *file, fr_model *model) {
    FR__TRY(
        check_room(file, fr__model_material_array_reserve(&model->store.material_list, count_of(file, FR__FRM_MATL))));
    FR__TRY(read_records(file, model, FR__FRM_MATL, read_material));
    FR__TRY(check_room(file, fr__model_texture_array_reserve(&model->store.textures, count_of(file, FR__FRM_TEXR))));
    return read_records(file, model, FR__FRM_TEXR, read_texture);
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

static fr_status read_clock(fr__frm_file *file, fr_model *model, const char *at) {
    FR__TRY(check_doubles(file, at + 8, 3, "clock"));
    fr_model_clock clock = {.cycle = f64(at + 8),
                            .start = f64(at + 16),
                            .stop = f64(at + 24),
                            .is_loop = (u32(at + 32) & FR__FRM_LOOP) != 0,
                            .is_enabled = (u32(at + 32) & FR__FRM_ENABLED) != 0};
    FR__TRY(fr__frm_text(file, u64(at), &clock.name));
    fr__model_clock_array_add(&model->store.clocks, &clock);
    return FR_OK;
}

static fr_status read_track(fr__frm_file *file, fr_model *model, const char *at) {
    fr_model_track track = {.kind = (fr_model_track_kind)u32(at),
                            .target = u32(at + 4),
                            .clock = u32(at + 8),
                            .key_count = u32(at + 12),
                            .width = u32(at + 16)};
    const void *keys = NULL, *values = NULL;
    FR__TRY(fr__frm_array(file, FR__FRM_KEYS, u64(at + 24), track.key_count, 4, &keys));
    FR__TRY(fr__frm_array(file, FR__FRM_KEYS, u64(at + 32), (uint64_t)track.key_count * track.width, 4, &values));
    if (keys == NULL || values == NULL) { return fr__frm_fail(file, FR_ERROR_CORRUPT, "a track has no keys"); }
    track.keys = keys;
    track.values = values;
    fr__model_track_array_add(&model->store.tracks, &track);
    return FR_OK;
}

fr_status fr__frm_read_motion(fr__frm_file *file, fr_model *model) {
    FR__TRY(check_room(file, fr__model_clock_array_reserve(&model->store.clocks, count_of(file, FR__FRM_CLCK))));
    FR__TRY(read_records(file, model, FR__FRM_CLCK, read_clock));
    FR__TRY(check_room(file, fr__model_track_array_reserve(&model->store.tracks, count_of(file, FR__FRM_ANIM))));
    return read_records(file, model, FR__FRM_ANIM, read_track);
}

// ---------------------------------------------------------------------------------------------------------------
// Sounds, notes, warnings

static fr_status read_sound(fr__frm_file *file, fr_model *model, const char *at) {
    FR__TRY(check_doubles(file, at + 24, 14, "sound"));
    fr_model_sound sound = {.node = u32(at + 16),
                            .location = vec3(at + 24),
                            .direction = vec3(at + 48),
                            .intensity = f64(at + 72),
                            .pitch = f64(at + 80),
                            .min_front = f64(at + 88),
                            .max_front = f64(at + 96),
                            .min_back = f64(at + 104),
                            .max_back = f64(at + 112),
                            .start = f64(at + 120),
                            .stop = f64(at + 128),
                            .is_loop = (u32(at + 20) & FR__FRM_LOOP) != 0,
                            .is_spatial = (u32(at + 20) & FR__FRM_SPATIAL) != 0};
    FR__TRY(fr__frm_text(file, u64(at), &sound.path));
    FR__TRY(fr__frm_text(file, u64(at + 8), &sound.description));
    fr__model_sound_array_add(&model->store.sounds, &sound);
    return FR_OK;
}

static fr_status read_note(fr__frm_file *file, fr_model *model, const char *at) {
    fr_model_note note;
    FR__TRY(fr__frm_text(file, u64(at), &note.kind));
    FR__TRY(fr__frm_text(file, u64(at + 8), &note.name));
    FR__TRY(fr__frm_text(file, u64(at + 16), &note.text));
    fr__model_note_array_add(&model->store.notes, &note);
    return FR_OK;
}

static fr_status read_warnings(fr__frm_file *file, fr_model *model) {
    uint64_t count = fr__frm_count(file, FR__FRM_WARN);
    if (count > FR_MODEL_MAX_WARNINGS) { count = FR_MODEL_MAX_WARNINGS; }
    if (!fr__model_warning_array_reserve(&model->store.warnings, (size_t)count)) { return no_memory(file); }
    for (uint64_t i = 0; i < count; i++) {
        const char *at = fr__frm_record(file, FR__FRM_WARN, i), *message = NULL;
        FR__TRY(fr__frm_text(file, u64(at + 8), &message));
        fr_model_warning warning = {.line = (int)(u32(at) & INT32_MAX), .column = (int)(u32(at + 4) & INT32_MAX)};
        snprintf(warning.message, sizeof warning.message, "%s", message);
        fr__model_warning_array_add(&model->store.warnings, &warning);
    }
    return FR_OK;
}

fr_status fr__frm_read_words(fr__frm_file *file, fr_model *model) {
    FR__TRY(check_room(file, fr__model_sound_array_reserve(&model->store.sounds, count_of(file, FR__FRM_SOND))));
    FR__TRY(read_records(file, model, FR__FRM_SOND, read_sound));
    FR__TRY(check_room(file, fr__model_note_array_reserve(&model->store.notes, count_of(file, FR__FRM_NOTE))));
    FR__TRY(read_records(file, model, FR__FRM_NOTE, read_note));
    return read_warnings(file, model);
}
