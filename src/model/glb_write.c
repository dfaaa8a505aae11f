// Writes GLB: glTF 2.0 as one file. Polygons are cut into triangles of floats; a mesh whose corners have something of
// their own (normals, texture coordinates, colours) gets a vertex for each corner, as the format has it. What polygons
// are painted with becomes colours of vertices. The JSON in front is made first, since it says where each list of the
// binary part lies; the lists follow in the same order.
#include "glb_write.h"
#include "bytes.h"
#include "polygon.h"

#include <math.h>
#include <string.h>

// The lists of a mesh.
enum { POSITIONS, NORMALS, UVS, COLORS, JOINTS_0, WEIGHTS_0, JOINTS_1, WEIGHTS_1, TRIANGLES, LIST_COUNT };
static const uint32_t element_bytes[LIST_COUNT] = {12, 12, 8, 4, 8, 16, 8, 16, 12};

void fr__glb_put(fr__glb_out *out, const char *text) { fr__sink_text(out->sink, text); }

void fr__glb_put_whole(fr__glb_out *out, const char *before, uint64_t value) {
    fr__glb_put(out, before);
    fr__sink_integer(out->sink, value);
}

// A text in quotes; bytes that JSON or UTF-8 have no place for change.
void fr__glb_put_string(fr__glb_out *out, const char *before, const char *text) {
    fr__glb_put(out, before);
    fr__glb_put(out, "\"");
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') { fr__glb_put(out, "\\"); }
        *fr__sink_room(out->sink, 1) = c < 0x20 ? ' ' : *text;
    }
    fr__glb_put(out, "\"");
}

void fr__glb_put_floats(fr__glb_out *out, const char *before, const float *values, int count) {
    fr__glb_put(out, before);
    for (int i = 0; i < count; i++) {
        fr__glb_put(out, i > 0 ? "," : "[");
        fr__sink_float(out->sink, values[i]);
    }
    fr__glb_put(out, "]");
}

// ---------------------------------------------------------------------------------------------------------------
// What a mesh has

static bool is_painted(const fr_model_mesh *mesh) {
    return mesh->corner_colors != NULL || mesh->face_colors != NULL || mesh->face_materials != NULL;
}

static bool has_list(const fr_model_mesh *mesh, int list) {
    if (list == NORMALS) { return mesh->corner_normals != NULL; }
    if (list == UVS) { return mesh->corner_uvs != NULL; }
    if (list >= JOINTS_0 && list <= WEIGHTS_1) { return (uint32_t)(list - JOINTS_0) / 2 < fr__glb_set_count(mesh); }
    return list != COLORS || is_painted(mesh);
}

static bool has_own_corners(const fr_model_mesh *mesh) {
    return mesh->corner_normals != NULL || mesh->corner_uvs != NULL || is_painted(mesh);
}

static uint64_t list_length(const fr_model_mesh *mesh, int list) {
    uint64_t corners = fr__corner_count(mesh);
    if (list == TRIANGLES) { return corners - (uint64_t)2 * mesh->face_count; }
    return has_own_corners(mesh) ? corners : mesh->vertex_count;
}

// Vertex `i` of the mesh as it is written.
static uint32_t source_vertex(const fr_model_mesh *mesh, uint32_t i) {
    return has_own_corners(mesh) ? mesh->corners[i] : i;
}

// Shapes of a mesh that is written, and what one of them adds to a vertex.
static uint32_t shape_count(const fr_model_mesh *mesh) {
    return mesh->face_count > 0 ? fr__deform_of(mesh).target_count : 0;
}

static const float *shape_at(const fr_model_mesh *mesh, uint32_t shape, uint32_t vertex) {
    return mesh->deform->targets + (size_t)3 * ((size_t)shape * mesh->vertex_count + vertex);
}

static bool take_position(fr__glb_out *out, const fr_model_mesh *mesh, uint32_t vertex, float p[3]) {
    fr_vec3 v = fr__position(mesh, vertex);
    p[0] = (float)v.x;
    p[1] = (float)v.y;
    p[2] = (float)v.z;
    if (isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2])) { return true; }
    fr__sink_fail(out->sink, FR_ERROR_NOT_FINITE, "a coordinate is too large for glTF, which has floats");
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// The text: buffer views and accessors

void fr__glb_put_view(fr__glb_out *out, uint64_t bytes, const char *after) {
    fr__glb_put(out, out->views > 0 ? ",\n" : "");
    fr__glb_put_whole(out, "{\"buffer\":0,\"byteOffset\":", out->at);
    fr__glb_put_whole(out, ",\"byteLength\":", bytes);
    fr__glb_put(out, after);
    out->at += (bytes + 3) / 4 * 4;
    out->views++;
}

static void put_views(fr__glb_out *out) {
    fr__glb_put(out, ",\n\"bufferViews\":[");
    for (uint32_t m = 0; m < out->view->mesh_count; m++) {
        const fr_model_mesh *mesh = &out->view->meshes[m];
        out->mesh_ids[m] = mesh->face_count > 0 ? out->views : FR_NONE;
        for (int list = 0; list < LIST_COUNT && mesh->face_count > 0; list++) {
            if (!has_list(mesh, list)) { continue; }
            uint64_t bytes = list_length(mesh, list) * element_bytes[list];
            fr__glb_put_view(out, bytes, list == TRIANGLES ? ",\"target\":34963}" : ",\"target\":34962}");
        }
        for (uint32_t i = 0; i < shape_count(mesh); i++) {
            fr__glb_put_view(out, list_length(mesh, POSITIONS) * 12, ",\"target\":34962}");
        }
    }
    fr__glb_put_skin_views(out);
    fr__glb_put_track_views(out);
    for (uint32_t t = 0; t < out->view->texture_count; t++) {
        if (out->view->textures[t].bytes != NULL) { fr__glb_put_view(out, out->view->textures[t].byte_count, "}"); }
    }
    fr__glb_put(out, "]");
}

// The bounds of the positions of a mesh, or of one of its shapes; FR_NONE: the positions.
static void put_bounds(fr__glb_out *out, const fr_model_mesh *mesh, uint32_t shape) {
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    uint64_t count = list_length(mesh, POSITIONS);
    for (uint32_t i = 0; i < count; i++) {
        float p[3];
        if (shape != FR_NONE) {
            memcpy(p, shape_at(mesh, shape, source_vertex(mesh, i)), sizeof p);
        } else if (!take_position(out, mesh, source_vertex(mesh, i), p)) {
            return;
        }
        for (int k = 0; k < 3; k++) {
            low[k] = p[k] < low[k] ? p[k] : low[k];
            high[k] = p[k] > high[k] ? p[k] : high[k];
        }
    }
    fr__glb_put_floats(out, ",\"min\":", low, 3);
    fr__glb_put_floats(out, ",\"max\":", high, 3);
}

static void put_accessors(fr__glb_out *out) {
    static const char *const kinds[LIST_COUNT] = {
        ",\"componentType\":5126,\"type\":\"VEC3\"",  ",\"componentType\":5126,\"type\":\"VEC3\"",
        ",\"componentType\":5126,\"type\":\"VEC2\"",  ",\"componentType\":5121,\"normalized\":true,\"type\":\"VEC4\"",
        ",\"componentType\":5123,\"type\":\"VEC4\"",  ",\"componentType\":5126,\"type\":\"VEC4\"",
        ",\"componentType\":5123,\"type\":\"VEC4\"",  ",\"componentType\":5126,\"type\":\"VEC4\"",
        ",\"componentType\":5125,\"type\":\"SCALAR\""};
    uint32_t view = 0;
    fr__glb_put(out, ",\n\"accessors\":[");
    for (uint32_t m = 0; m < out->view->mesh_count && out->sink->status == FR_OK; m++) {
        const fr_model_mesh *mesh = &out->view->meshes[m];
        for (int list = 0; list < LIST_COUNT && mesh->face_count > 0; list++) {
            if (!has_list(mesh, list)) { continue; }
            fr__glb_put(out, view > 0 ? ",\n" : "");
            fr__glb_put_whole(out, "{\"bufferView\":", view++);
            fr__glb_put_whole(out, ",\"count\":", list_length(mesh, list) * (list == TRIANGLES ? 3 : 1));
            fr__glb_put(out, kinds[list]);
            if (list == POSITIONS) { put_bounds(out, mesh, FR_NONE); }
            fr__glb_put(out, "}");
        }
        for (uint32_t i = 0; i < shape_count(mesh); i++) {
            fr__glb_put_whole(out, ",\n{\"bufferView\":", view++);
            fr__glb_put_whole(out, ",\"count\":", list_length(mesh, POSITIONS));
            fr__glb_put(out, kinds[POSITIONS]);
            put_bounds(out, mesh, i);
            fr__glb_put(out, "}");
        }
    }
    fr__glb_put_skin_accessors(out);
    fr__glb_put_track_accessors(out);
    fr__glb_put(out, "]");
}

// ---------------------------------------------------------------------------------------------------------------
// The text: meshes, materials, nodes

// A mesh of the file is a mesh of ours with a material: one for each node that has one, in the order of the walk.
static bool put_mesh(uint32_t index, void *context) {
    static const char *const names[LIST_COUNT] = {
        "\"POSITION\":",  ",\"NORMAL\":",    ",\"TEXCOORD_0\":", ",\"COLOR_0\":",
        ",\"JOINTS_0\":", ",\"WEIGHTS_0\":", ",\"JOINTS_1\":",   ",\"WEIGHTS_1\":"};
    fr__glb_out *out = context;
    const fr_model_node *node = &out->view->nodes[index];
    if (node->mesh == FR_NONE || out->mesh_ids[node->mesh] == FR_NONE) { return true; }
    const fr_model_mesh *mesh = &out->view->meshes[node->mesh];
    uint32_t accessor = out->mesh_ids[node->mesh];
    fr__glb_put(out, out->next++ > 0 ? ",\n" : ",\n\"meshes\":[");
    fr__glb_put_string(out, "{\"name\":", node->name);
    fr__glb_put(out, ",\"primitives\":[{\"attributes\":{");
    for (int list = 0; list < TRIANGLES; list++) {
        if (has_list(mesh, list)) { fr__glb_put_whole(out, names[list], accessor++); }
    }
    fr__glb_put_whole(out, "},\"indices\":", accessor);
    fr__glb_put_shapes(out, mesh, accessor + 1);
    if (node->material != FR_NONE) { fr__glb_put_whole(out, ",\"material\":", node->material); }
    fr__glb_put(out, "}]");
    fr__glb_put_shape_weights(out, mesh);
    fr__glb_put(out, "}");
    return out->sink->status == FR_OK;
}

static bool is_two_sided(const fr_model_view *view, uint32_t material) {
    for (uint32_t n = 0; n < view->node_count; n++) {
        if (view->nodes[n].material == material && view->nodes[n].mesh != FR_NONE &&
            view->meshes[view->nodes[n].mesh].is_two_sided) {
            return true;
        }
    }
    return false;
}

static void put_material(fr__glb_out *out, uint32_t index) {
    const fr_model_material *material = &out->view->materials[index];
    const float color[4] = {material->diffuse[0], material->diffuse[1], material->diffuse[2],
                            1.0f - material->transparency};
    const float rough = 1.0f - material->shininess;
    fr__glb_put_string(out, "{\"name\":", material->name);
    fr__glb_put_floats(out, ",\"pbrMetallicRoughness\":{\"baseColorFactor\":", color, 4);
    fr__glb_put(out, ",\"metallicFactor\":0,\"roughnessFactor\":");
    fr__sink_float(out->sink, rough);
    const fr_model_texture *texture = material->texture != FR_NONE ? &out->view->textures[material->texture] : NULL;
    if (texture != NULL && (texture->path[0] != '\0' || texture->bytes != NULL)) {
        fr__glb_put_whole(out, ",\"baseColorTexture\":{\"index\":", material->texture);
        fr__glb_put(out, "}");
    }
    fr__glb_put_floats(out, "},\"emissiveFactor\":", material->emissive, 3);
    if (material->transparency > 0.0f) { fr__glb_put(out, ",\"alphaMode\":\"BLEND\""); }
    if (is_two_sided(out->view, index)) { fr__glb_put(out, ",\"doubleSided\":true"); }
    if (material->is_unlit) { fr__glb_put(out, ",\"extensions\":{\"KHR_materials_unlit\":{}}"); }
    fr__glb_put(out, "}");
}

static const char *picture_type(const fr_model_texture *texture) {
    const unsigned char *bytes = texture->bytes;
    return texture->byte_count > 2 && bytes[0] == 0xff && bytes[1] == 0xd8 ? "image/jpeg" : "image/png";
}

// One texture and one image for each picture, so that they have its number; pixels alone are an image without a source.
static void put_textures(fr__glb_out *out) {
    uint32_t view = out->views;
    for (uint32_t t = 0; t < out->view->texture_count; t++) {
        view -= out->view->textures[t].bytes != NULL;
    }
    fr__glb_put(out, ",\n\"textures\":[");
    for (uint32_t t = 0; t < out->view->texture_count; t++) {
        fr__glb_put_whole(out, t > 0 ? ",{\"source\":" : "{\"source\":", t);
        fr__glb_put(out, "}");
    }
    fr__glb_put(out, "],\n\"images\":[");
    for (uint32_t t = 0; t < out->view->texture_count; t++) {
        const fr_model_texture *texture = &out->view->textures[t];
        fr__glb_put(out, t > 0 ? "," : "");
        if (texture->bytes != NULL) {
            fr__glb_put_string(out, "{\"mimeType\":", picture_type(texture));
            fr__glb_put_whole(out, ",\"bufferView\":", view++);
        } else {
            fr__glb_put_string(out, "{\"uri\":", texture->path);
        }
        fr__glb_put(out, "}");
    }
    fr__glb_put(out, "]");
}

static void put_looks(fr__glb_out *out) {
    bool has_unlit = false;
    for (uint32_t i = 0; i < out->view->material_count; i++) {
        fr__glb_put(out, i > 0 ? ",\n" : ",\n\"materials\":[");
        put_material(out, i);
        has_unlit = has_unlit || out->view->materials[i].is_unlit;
    }
    if (out->view->material_count > 0) { fr__glb_put(out, "]"); }
    if (has_unlit) { fr__glb_put(out, ",\n\"extensionsUsed\":[\"KHR_materials_unlit\"]"); }
    if (out->view->texture_count > 0) { put_textures(out); }
}

// Columns of a matrix of 4 rows.
static void put_matrix(fr__glb_out *out, const double m[12]) {
    fr__glb_put(out, ",\"matrix\":[");
    for (int i = 0; i < 16; i++) {
        fr__glb_put(out, i > 0 ? "," : "");
        fr__sink_double(out->sink, i % 4 < 3 ? m[4 * (i % 4) + i / 4] : (i == 15 ? 1.0 : 0.0));
    }
    fr__glb_put(out, "]");
}

static void put_children(fr__glb_out *out, const char *word, uint32_t parent) {
    uint32_t child = out->outline.first_child[parent];
    if (child == FR_NONE) { return; }
    fr__glb_put(out, word);
    for (const char *comma = "["; child != FR_NONE; child = out->outline.next_sibling[child], comma = ",") {
        fr__glb_put_whole(out, comma, out->node_ids[child]);
    }
    fr__glb_put(out, "]");
}

// The mesh of a node and the nodes below it; both stand in another node where that brings a centre back.
static void put_held(fr__glb_out *out, uint32_t index) {
    const fr_model_node *node = &out->view->nodes[index];
    if (node->mesh != FR_NONE && out->mesh_ids[node->mesh] != FR_NONE) {
        fr__glb_put_whole(out, ",\"mesh\":", out->next++);
        if (node->skin != FR_NONE && fr__glb_has_skin(out, node->skin)) {
            fr__glb_put_whole(out, ",\"skin\":", node->skin);
        }
    }
    put_children(out, ",\"children\":", index);
    fr__glb_put(out, "}");
}

static bool put_node(uint32_t index, void *context) {
    fr__glb_out *out = context;
    const fr_model_node *node = &out->view->nodes[index];
    fr__glb_put(out, out->node_ids[index] > 0 ? ",\n" : "");
    fr__glb_put_string(out, "{\"name\":", node->name);
    if (out->is_moved[index]) {
        fr__glb_put_parts(out, index);
    } else if (node->transform != NULL) {
        put_matrix(out, node->transform);
    }
    if (out->inner_ids[index] != FR_NONE) {
        fr__glb_put_whole(out, ",\"children\":[", out->inner_ids[index]);
        fr__glb_put(out, "]},\n{\"name\":\"\"");
        fr__glb_put_center(out, index);
    }
    put_held(out, index);
    return out->sink->status == FR_OK;
}

static bool number_node(uint32_t index, void *context) {
    fr__glb_out *out = context;
    if (!fr__sink_goes_on(out->sink, 8)) { return false; }
    out->node_ids[index] = out->next++;
    return true;
}

// The same once it is known which nodes need another below them.
static bool number_again(uint32_t index, void *context) {
    fr__glb_out *out = context;
    if (!fr__sink_goes_on(out->sink, 8)) { return false; }
    out->node_ids[index] = out->next++;
    if (fr__glb_has_center(out, index)) { out->inner_ids[index] = out->next++; }
    return true;
}

static bool pass(uint32_t index, void *context) {
    (void)index;
    (void)context;
    return true;
}

static void walk(fr__glb_out *out, fr__outline_fn *enter) {
    out->next = 0;
    fr__outline_walk(&out->outline, out->model, enter, pass, out);
}

// All nodes, below one more that turns and scales them where another frame is wanted.
static void put_nodes(fr__glb_out *out) {
    walk(out, number_again);
    uint32_t count = out->next;
    walk(out, put_mesh);
    if (out->next > 0) { fr__glb_put(out, "]"); }
    fr__glb_put(out, ",\n\"nodes\":[");
    walk(out, put_node);
    if (out->sink->has_frame) {
        fr__glb_put(out, count > 0 ? ",\n{\"name\":\"frame\"" : "{\"name\":\"frame\"");
        put_matrix(out, out->sink->frame);
        put_children(out, ",\"children\":", out->view->node_count);
        fr__glb_put(out, "}");
    }
    fr__glb_put(out, "],\n\"scene\":0,\"scenes\":[{");
    if (out->sink->has_frame) {
        fr__glb_put_whole(out, "\"nodes\":[", count);
        fr__glb_put(out, "]");
    } else {
        put_children(out, "\"nodes\":", out->view->node_count);
    }
    fr__glb_put(out, "}]");
}

static void put_text(fr__glb_out *out) {
    static const char *const axes[] = {"y", "x", "y", "z"};
    fr__glb_put(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"fureai\"");
    if (out->sink->has_frame) {
        fr__glb_put(out, ",\"extras\":{\"unit\":");
        fr__sink_double(out->sink, out->sink->unit);
        fr__glb_put_string(out, ",\"up\":", axes[out->sink->up]);
        fr__glb_put(out, "}");
    }
    fr__glb_put(out, "}");
    walk(out, number_node);
    fr__glb_find_moved(out);
    put_views(out);
    put_accessors(out);
    put_nodes(out);
    fr__glb_put_skins(out);
    fr__glb_put_animations(out);
    put_looks(out);
    if (out->at > 0) {
        fr__glb_put_whole(out, ",\n\"buffers\":[{\"byteLength\":", out->at);
        fr__glb_put(out, "}]");
    }
    fr__glb_put(out, "}");
}

// ---------------------------------------------------------------------------------------------------------------
// The binary part

static void pad(fr__glb_out *out, uint64_t bytes) {
    fr__sink_bytes(out->sink, "\0\0\0", (size_t)((4 - bytes % 4) % 4));
}

static void put_vertices(fr__glb_out *out, const fr_model_mesh *mesh, int list) {
    uint64_t count = list_length(mesh, list);
    for (uint32_t i = 0; i < count && out->sink->status == FR_OK; i++) {
        float p[3];
        if (list == POSITIONS && !take_position(out, mesh, source_vertex(mesh, i), p)) { return; }
        const float *values = list == POSITIONS ? p
                              : list == NORMALS ? mesh->corner_normals + (size_t)3 * i
                                                : mesh->corner_uvs + (size_t)2 * i;
        for (int k = 0; k < (list == UVS ? 2 : 3); k++) {
            // Textures begin at the top here.
            float value = list == UVS && k == 1 ? 1.0f - values[k] : values[k];
            fr__store_float(fr__sink_room(out->sink, 4), value);
        }
    }
}

static void put_bones(fr__glb_out *out, const fr_model_mesh *mesh, int list) {
    uint64_t count = list_length(mesh, list);
    uint32_t set = (uint32_t)(list - JOINTS_0) / 2;
    for (uint32_t i = 0; i < count && out->sink->status == FR_OK; i++) {
        fr__glb_put_influences(out, mesh, source_vertex(mesh, i), set, (list - JOINTS_0) % 2 == 1);
    }
}

static void put_shapes(fr__glb_out *out, const fr_model_mesh *mesh) {
    uint64_t count = list_length(mesh, POSITIONS);
    for (uint32_t shape = 0; shape < shape_count(mesh); shape++) {
        for (uint32_t i = 0; i < count && out->sink->status == FR_OK; i++) {
            const float *step = shape_at(mesh, shape, source_vertex(mesh, i));
            for (int k = 0; k < 3; k++) {
                fr__store_float(fr__sink_room(out->sink, 4), step[k]);
            }
        }
    }
}

static void put_colors(fr__glb_out *out, uint32_t node, const fr_model_mesh *mesh) {
    for (uint32_t f = 0; f < mesh->face_count && out->sink->status == FR_OK; f++) {
        for (uint32_t c = fr_model_face_begin(mesh, f); c < fr_model_face_end(mesh, f); c++) {
            fr_color color =
                mesh->corner_colors != NULL ? mesh->corner_colors[c] : fr__written_color(out->model, node, f);
            const char bytes[4] = {(char)color.r, (char)color.g, (char)color.b, (char)color.a};
            fr__sink_bytes(out->sink, bytes, 4);
        }
    }
}

// The corner of a polygon that has a vertex, counted from the polygon's first.
static uint32_t corner_with(const fr_model_mesh *mesh, uint32_t face, uint32_t vertex) {
    uint32_t begin = fr_model_face_begin(mesh, face), end = fr_model_face_end(mesh, face);
    for (uint32_t c = begin; c < end; c++) {
        if (mesh->corners[c] == vertex) { return c; }
    }
    return begin;
}

static fr_status put_triangles(fr__glb_out *out, const fr_model_mesh *mesh, fr__cutter *cutter,
                               fr_uint32_array *vertices) {
    bool own_corners = has_own_corners(mesh);
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t count = fr_model_face_end(mesh, f) - fr_model_face_begin(mesh, f) - 2;
        uint32_t *triangle = fr_uint32_array_reset(vertices, (size_t)3 * count);
        if (triangle == NULL) { return FR_ERROR_MEMORY; }
        fr_status status = fr__cut_polygon(cutter, mesh, f, triangle);
        if (status != FR_OK) { return status; }
        for (uint32_t i = 0; i < 3 * count; i++) {
            uint32_t vertex = own_corners ? corner_with(mesh, f, triangle[i]) : triangle[i];
            fr__store_u32(fr__sink_room(out->sink, 4), vertex);
        }
        if (!fr__sink_face_done(out->sink)) { return FR_OK; }
    }
    return FR_OK;
}

// The first node that has a mesh: what its polygons are painted with where the material is the node's.
static uint32_t node_with(const fr_model_view *view, uint32_t mesh) {
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (view->nodes[i].mesh == mesh) { return i; }
    }
    return FR_NONE;
}

static fr_status put_binary(fr__glb_out *out, fr__cutter *cutter, fr_uint32_array *vertices) {
    for (uint32_t m = 0; m < out->view->mesh_count && out->sink->status == FR_OK; m++) {
        const fr_model_mesh *mesh = &out->view->meshes[m];
        for (int list = 0; list < TRIANGLES && mesh->face_count > 0; list++) {
            if (!has_list(mesh, list)) { continue; }
            if (list >= JOINTS_0) {
                put_bones(out, mesh, list);
                continue;
            }
            if (list != COLORS) {
                put_vertices(out, mesh, list);
                continue;
            }
            // Where no node has it its colours are never shown; they are written all the same.
            uint32_t node = mesh->corner_colors == NULL ? node_with(out->view, m) : 0;
            if (node == FR_NONE) { node = 0; }
            put_colors(out, node, mesh);
        }
        fr_status status = put_triangles(out, mesh, cutter, vertices);
        if (status != FR_OK) { return status; }
        put_shapes(out, mesh);
    }
    fr__glb_put_skin_bytes(out);
    fr__glb_put_track_bytes(out);
    for (uint32_t t = 0; t < out->view->texture_count; t++) {
        const fr_model_texture *texture = &out->view->textures[t];
        if (texture->bytes == NULL) { continue; }
        fr__sink_bytes(out->sink, texture->bytes, texture->byte_count);
        pad(out, texture->byte_count);
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The file

static bool push_text(const void *bytes, size_t size, void *context) {
    fr_byte_array *text = context;
    unsigned char *place = fr_byte_array_push(text, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

// Makes the text in memory, with what is needed to know its length.
static void make_text(fr__glb_out *out, fr_byte_array *text, fr__sink *inner) {
    *inner = *out->sink;
    inner->take = push_text;
    inner->context = text;
    inner->used = 0;
    fr__sink *outer = out->sink;
    out->sink = inner;
    put_text(out);
    while ((text->count + inner->used) % 4 != 0) {
        fr__glb_put(out, " ");
    }
    fr__sink_flush(inner);
    out->sink = outer;
    outer->status = inner->status == FR_ERROR_FILE ? FR_ERROR_MEMORY : inner->status;
}

static void put_file(fr__glb_out *out, const fr_byte_array *text) {
    uint64_t all = 12 + 8 + text->count + (out->at > 0 ? 8 + out->at : 0);
    if (all > UINT32_MAX) {
        fr__sink_fail(out->sink, FR_ERROR_LIMIT, "more bytes than a GLB file can count");
        return;
    }
    fr__glb_put(out, "glTF");
    fr__store_u32(fr__sink_room(out->sink, 4), 2);
    fr__store_u32(fr__sink_room(out->sink, 4), (uint32_t)all);
    fr__store_u32(fr__sink_room(out->sink, 4), (uint32_t)text->count);
    fr__glb_put(out, "JSON");
    fr__sink_bytes(out->sink, text->data, text->count);
    if (out->at == 0) { return; }
    fr__store_u32(fr__sink_room(out->sink, 4), (uint32_t)out->at);
    fr__sink_bytes(out->sink, "BIN", 4);
    fr__cutter cutter;
    fr_uint32_array vertices = fr_uint32_array_make(&out->model->store.allocator);
    fr_status status = fr__cutter_create(&out->model->store.allocator, &cutter);
    if (status == FR_OK) { status = put_binary(out, &cutter, &vertices); }
    if (status != FR_OK) { fr__sink_fail(out->sink, status, fr_status_text(status)); }
    fr_uint32_array_destroy(&vertices);
    fr__cutter_destroy(&cutter);
}

// The sink of the text has a buffer too large for the stack beside the first.
static void write_glb(fr__glb_out *out, const fr_allocator *allocator) {
    fr_byte_array text = fr_byte_array_make(allocator);
    fr__sink *inner = fr_allocate(allocator, 1, sizeof *inner, _Alignof(fr__sink));
    if (inner != NULL) {
        make_text(out, &text, inner);
        if (out->sink->status == FR_OK) { put_file(out, &text); }
    } else {
        fr__sink_fail(out->sink, FR_ERROR_MEMORY, fr_status_text(FR_ERROR_MEMORY));
    }
    fr_deallocate(allocator, inner, 1, sizeof *inner);
    fr_byte_array_destroy(&text);
}

void fr__write_glb(fr__sink *sink, const fr_model *model) {
    const fr_allocator *allocator = &model->store.allocator;
    size_t nodes = model->view.node_count, meshes = model->view.mesh_count, tracks = model->view.track_count;
    size_t id_count = 2 * nodes + meshes + tracks;
    fr__glb_out out = {.sink = sink, .model = model, .view = &model->view};
    uint32_t *ids = fr_allocate(allocator, id_count, sizeof *ids, sizeof *ids);
    bool *moved = fr_allocate(allocator, nodes, sizeof *moved, 1);
    bool has_outline = fr__outline_make(model, &out.outline);
    if (ids != NULL && moved != NULL && has_outline) {
        memset(ids, 0xff, id_count * sizeof *ids);
        memset(moved, 0, nodes * sizeof *moved);
        out.node_ids = ids;
        out.inner_ids = out.node_ids + nodes;
        out.mesh_ids = out.inner_ids + nodes;
        out.track_ids = out.mesh_ids + meshes;
        out.is_moved = moved;
        write_glb(&out, allocator);
    } else {
        fr__sink_fail(sink, FR_ERROR_MEMORY, fr_status_text(FR_ERROR_MEMORY));
    }
    if (has_outline) { fr__outline_free(&out.outline); }
    fr_deallocate(allocator, moved, nodes, sizeof *moved);
    fr_deallocate(allocator, ids, id_count, sizeof *ids);
}
