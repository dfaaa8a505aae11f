// Meshes of a glTF file: each primitive that is shown becomes a part of the builder, in the order of the file.
#include "gltf.h"

#include <math.h>
#include <string.h>

enum { MODE_POINTS, MODE_LINES, MODE_LINE_LOOP, MODE_LINE_STRIP, MODE_TRIANGLES, MODE_STRIP, MODE_FAN };

// Adds to a sum that may not come over a limit; what the file has bytes for is within it.
static fr_status add_up(fr__gltf *gltf, fr_json_value value, uint64_t count, uint64_t limit, uint64_t *sum,
                        const char *what) {
    uint64_t file = (uint64_t)(gltf->reader->cursor.end - gltf->reader->cursor.begin);
    if (limit < file) { limit = file; }
    *sum = count < limit ? *sum + count : limit + 1;
    if (*sum <= limit) { return FR_OK; }
    return fr__gltf_fail(gltf, value, FR_ERROR_LIMIT, "more than %llu %s in all that is used, the limit",
                         (unsigned long long)limit, what);
}

fr_status fr__gltf_count(fr__gltf *gltf, fr_json_value value, uint64_t count) {
    return add_up(gltf, value, count, gltf->reader->builder.limits.placed_vertices, &gltf->elements, "elements");
}

static fr_status count_triangles(fr__gltf *gltf, fr_json_value value, uint64_t count) {
    return add_up(gltf, value, count, gltf->reader->builder.limits.placed_triangles, &gltf->triangles, "triangles");
}

// ---------------------------------------------------------------------------------------------------------------
// Parts

// Positions of the primitive at hand.
static bool add_vertices(fr__gltf *gltf, size_t count) {
    fr__builder *builder = &gltf->reader->builder;
    void *place = fr__builder_vertices(builder, count);
    if (place == NULL) { return false; }
    if (!builder->is_double) {
        memcpy(place, gltf->positions.data, 3 * count * sizeof(float));
        return true;
    }
    double *to = place;
    for (size_t i = 0; i < 3 * count; i++) {
        to[i] = (double)gltf->positions.data[i];
    }
    return true;
}

// The vertices of the corners of all triangles; false when there is no memory.
static bool list_corners(fr__gltf *gltf, uint64_t mode, size_t count) {
    const uint32_t *indices = gltf->indices.data;
    gltf->corners.count = 0;
    uint32_t *to = fr_uint32_array_push(&gltf->corners, mode == MODE_TRIANGLES ? count : 3 * (count - 2));
    if (to == NULL) { return false; }
    if (mode == MODE_TRIANGLES) {
        memcpy(to, indices, count * sizeof *to);
        return true;
    }
    for (size_t i = 0; i + 2 < count; i++, to += 3) {
        // Every other triangle of a strip is turned about.
        size_t odd = i % 2;
        to[0] = indices[mode == MODE_FAN ? 0 : i + odd];
        to[1] = indices[mode == MODE_FAN ? i + 1 : i + 1 - odd];
        to[2] = indices[i + 2];
    }
    return true;
}

static uint8_t channel(float value) {
    return (uint8_t)(value > 0.0f ? (value < 1.0f ? value * 255.0f + 0.5f : 255.0f) : 0.0f);
}

// What stands at the vertices, given to the corners from `first` on. Textures of a file begin at the top left, ours at
// the lower left.
static bool add_attributes(fr__gltf *gltf, size_t first) {
    fr__builder *builder = &gltf->reader->builder;
    fr__builder_part *part = fr__builder_last_part(builder);
    const uint32_t *corners = gltf->corners.data;
    size_t count = gltf->corners.count;
    part->has_normals = gltf->normals.count > 0;
    part->has_uvs = gltf->uvs.count > 0;
    part->has_colors = gltf->colors.count > 0;
    size_t end = builder->corners.count;
    fr__float3 *normals = NULL;
    fr__float2 *uvs = NULL;
    fr_color *colors = NULL;
    if (part->has_normals) { normals = fr__float3_array_extend(&builder->corner_normals, first, end); }
    if (part->has_uvs) { uvs = fr__float2_array_extend(&builder->corner_uvs, first, end); }
    if (part->has_colors) { colors = fr__color_array_extend(&builder->corner_colors, first, end); }
    if ((normals == NULL && part->has_normals) || (uvs == NULL && part->has_uvs) ||
        (colors == NULL && part->has_colors)) {
        return false;
    }
    for (size_t c = 0; c < count && normals != NULL; c++) {
        memcpy(normals[c], gltf->normals.data + (size_t)3 * corners[c], 3 * sizeof(float));
    }
    for (size_t c = 0; c < count && uvs != NULL; c++) {
        const float *uv = gltf->uvs.data + (size_t)2 * corners[c];
        uvs[c][0] = uv[0];
        uvs[c][1] = 1.0f - uv[1];
    }
    for (size_t c = 0; c < count && colors != NULL; c++) {
        const float *v = gltf->colors.data + (size_t)4 * corners[c];
        colors[c] = (fr_color){channel(v[0]), channel(v[1]), channel(v[2]), channel(v[3])};
    }
    return true;
}

// The primitive at hand as a part. Points and lines are counted; their vertices stay.
static bool add_part(fr__gltf *gltf, uint64_t mode, size_t vertices, size_t count) {
    fr__builder *builder = &gltf->reader->builder;
    if (!fr__builder_begin_part(builder, (fr__span){"", 0}) || !add_vertices(gltf, vertices)) { return false; }
    switch (mode) {
    case MODE_POINTS: builder->point_count += count; return true;
    case MODE_LINES: builder->line_count += count / 2; return true;
    case MODE_LINE_LOOP: builder->line_count += count; return true;
    case MODE_LINE_STRIP: builder->line_count += count - 1; return true;
    default: break;
    }
    size_t first = builder->corners.count;
    return list_corners(gltf, mode, count) &&
           fr__builder_triangles(builder, gltf->corners.data, gltf->corners.count / 3) && add_attributes(gltf, first);
}

// ---------------------------------------------------------------------------------------------------------------
// Primitives

// One list of a primitive beside its positions; empty where it has none, and where a number of it is not finite.
static fr_status read_attribute(fr__gltf *gltf, fr_json_value value, const char *key, uint32_t width, size_t vertices,
                                fr_float_array *out) {
    out->count = 0;
    if (value == FR_JSON_NONE) { return FR_OK; }
    FR__TRY(fr__gltf_floats(gltf, value, width, width == 4, out));
    if (out->count != vertices * width) {
        return fr__gltf_fail(gltf, value, FR_ERROR_CORRUPT, "%s has %zu elements for %zu vertices", key,
                             out->count / width, vertices);
    }
    if (gltf->reader->input->is_strict) { return fr__gltf_check_finite(gltf, value, width, out); }
    for (size_t i = 0; i < out->count; i++) {
        if (isfinite(out->data[i])) { continue; }
        fr__reader_warn(gltf->reader, NULL, "%s of a primitive is passed over: element %zu is not finite", key,
                        i / width);
        out->count = 0;
    }
    return FR_OK;
}

// The lists of a primitive; *count is how many corners it names.
static fr_status read_lists(fr__gltf *gltf, const fr_json_value attributes[FR__GLTF_ATTRIBUTES], fr_json_value indices,
                            size_t *count) {
    FR__TRY(fr__gltf_floats(gltf, attributes[0], 3, false, &gltf->positions));
    FR__TRY(fr__gltf_check_finite(gltf, attributes[0], 3, &gltf->positions));
    size_t vertices = gltf->positions.count / 3;
    FR__TRY(fr__gltf_count(gltf, attributes[0], vertices));
    gltf->has_positions = true;
    FR__TRY(read_attribute(gltf, attributes[1], "NORMAL", 3, vertices, &gltf->normals));
    FR__TRY(read_attribute(gltf, attributes[2], "TEXCOORD_0", 2, vertices, &gltf->uvs));
    FR__TRY(read_attribute(gltf, attributes[3], "COLOR_0", 4, vertices, &gltf->colors));
    if (gltf->draco.mesh != NULL) {
        FR__TRY(fr__gltf_draco_indices(gltf, indices, vertices, &gltf->indices));
        FR__TRY(count_triangles(gltf, indices, gltf->draco.face_count));
    } else if (indices != FR_JSON_NONE) {
        FR__TRY(fr__gltf_indices(gltf, indices, vertices, &gltf->indices));
        FR__TRY(count_triangles(gltf, indices, gltf->indices.count / 3));
    } else {
        gltf->indices.count = 0;
        uint32_t *to = fr_uint32_array_push(&gltf->indices, vertices);
        if (to == NULL) { return fr__gltf_no_memory(gltf); }
        for (uint32_t i = 0; i < vertices; i++) {
            to[i] = i;
        }
    }
    *count = gltf->indices.count;
    return FR_OK;
}

static fr_status read_primitive(fr__gltf *gltf, fr_json_value value, fr__gltf_mesh *mesh) {
    static const char *const keys[5] = {"attributes", "indices", "mode", "material", "targets"};
    static const char *const names[FR__GLTF_ATTRIBUTES] = {"POSITION", "NORMAL",    "TEXCOORD_0", "COLOR_0",
                                                           "JOINTS_0", "WEIGHTS_0", "JOINTS_1",   "WEIGHTS_1"};
    fr_json_value members[5], attributes[FR__GLTF_ATTRIBUTES];
    uint64_t mode = MODE_TRIANGLES, material = FR_NONE;
    size_t count = 0;
    fr_json_members(gltf->json, value, keys, 5, members);
    fr_json_members(gltf->json, members[0], names, FR__GLTF_ATTRIBUTES, attributes);
    if (members[2] != FR_JSON_NONE && (!fr_json_get_whole(gltf->json, members[2], &mode) || mode > MODE_FAN)) {
        return fr__gltf_fail(gltf, members[2], FR_ERROR_CORRUPT, "a mode is a number from 0 to 6");
    }
    if (attributes[0] == FR_JSON_NONE) { return FR_OK; }
    FR__TRY(fr__gltf_open_draco(gltf, value, names, attributes));
    if (gltf->draco.mesh != NULL) { mode = MODE_TRIANGLES; }
    FR__TRY(read_lists(gltf, attributes, members[1], &count));
    if (members[3] != FR_JSON_NONE) {
        FR__TRY(fr__gltf_index(gltf, members[3], FR__GLTF_MATERIALS, "material", &material));
    }
    bool is_whole = mode == MODE_TRIANGLES ? count % 3 == 0 : mode < MODE_TRIANGLES || count >= 3;
    if (!is_whole) {
        fr__reader_warn(gltf->reader, NULL, "a primitive of %zu corners, no whole triangles, is passed over", count);
        return FR_OK;
    }
    if (!mesh->is_shown) { return FR_OK; }
    fr__gltf_primitive *primitive = fr__gltf_primitive_array_push(&gltf->primitives, 1);
    if (primitive == NULL) { return fr__gltf_no_memory(gltf); }
    *primitive = (fr__gltf_primitive){(uint32_t)gltf->reader->builder.parts.count, (uint32_t)material};
    mesh->primitive_count++;
    size_t vertices = gltf->positions.count / 3;
    if (!add_part(gltf, mode, vertices, count)) { return fr__reader_fail_building(gltf->reader, NULL); }
    FR__TRY(fr__gltf_read_influences(gltf, members[0], vertices));
    return fr__gltf_read_targets(gltf, members[4], mesh->weights, vertices);
}

fr_status fr__gltf_read_meshes(fr__gltf *gltf) {
    for (size_t i = 0; i < gltf->meshes.count; i++) {
        fr__gltf_mesh *mesh = &gltf->meshes.data[i];
        mesh->first_primitive = (uint32_t)gltf->primitives.count;
        fr_json_value value = fr__gltf_item(gltf, FR__GLTF_MESHES, i);
        fr_json_value list = fr_json_member(gltf->json, value, "primitives");
        if (mesh->weights == FR_JSON_NONE) { mesh->weights = fr_json_member(gltf->json, value, "weights"); }
        if (!fr_json_is(gltf->json, list, FR_JSON_ARRAY)) { continue; }
        for (fr_json_value item = fr_json_first(gltf->json, list); item != FR_JSON_NONE;
             item = fr_json_next(gltf->json, item)) {
            FR__TRY(read_primitive(gltf, item, mesh));
        }
        FR__TRY(fr__cursor_check_now(&gltf->reader->cursor));
    }
    return FR_OK;
}
