// Writes VRML97: a Transform for each node, a Shape for its mesh; meshes and materials that several nodes have are
// written once and used again. Words are kept as they can be: names with bytes that VRML has no names with change them.
#include "vrml_write.h"
#include "decompose.h"

#include <math.h>
#include <string.h>

void fr__vrml_put_quoted(fr__sink *sink, const char *text) {
    fr__sink_text(sink, "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') { fr__sink_text(sink, "\\"); }
        *fr__sink_room(sink, 1) = *text;
    }
    fr__sink_text(sink, "\"");
}

void fr__vrml_put_numbers(fr__sink *sink, const char *word, const double *numbers, int count) {
    fr__sink_text(sink, word);
    for (int i = 0; i < count; i++) {
        fr__sink_text(sink, " ");
        fr__sink_double(sink, numbers[i]);
    }
    fr__sink_text(sink, "\n");
}

void fr__vrml_put_floats(fr__sink *sink, const float *numbers, int count, const char *after) {
    for (int i = 0; i < count; i++) {
        if (i > 0) { fr__sink_text(sink, " "); }
        fr__sink_float(sink, numbers[i]);
    }
    fr__sink_text(sink, after);
}

void fr__vrml_put_numbered(fr__sink *sink, const char *word, uint32_t number) {
    fr__sink_text(sink, word);
    fr__sink_integer(sink, number);
}

// ---------------------------------------------------------------------------------------------------------------
// Placement

static void put_vec3(fr__sink *sink, const char *word, fr_vec3 v, double usual) {
    if (v.x == usual && v.y == usual && v.z == usual) { return; }
    const double numbers[3] = {v.x, v.y, v.z};
    fr__vrml_put_numbers(sink, word, numbers, 3);
}

static void put_turn(fr__sink *sink, const char *word, fr_quat q) {
    fr_vec3 turn = fr_quat_to_vector(q);
    double angle = fr_vec3_length(turn);
    if (angle == 0.0) { return; }
    const double numbers[4] = {turn.x / angle, turn.y / angle, turn.z / angle, angle};
    fr__vrml_put_numbers(sink, word, numbers, 4);
}

static void put_placement(fr__sink *sink, const fr_model_placement *placement) {
    put_vec3(sink, "translation", placement->translation, 0.0);
    put_vec3(sink, "center", placement->center, 0.0);
    put_turn(sink, "rotation", placement->rotation);
    put_vec3(sink, "scale", placement->scale, 1.0);
    put_turn(sink, "scaleOrientation", placement->scale_orientation);
}

// ---------------------------------------------------------------------------------------------------------------
// Appearance

static void put_material(fr__sink *sink, const fr_model_material *material) {
    fr__sink_text(sink, "Material {\nambientIntensity ");
    fr__vrml_put_floats(sink, &material->ambient, 1, "\ndiffuseColor ");
    fr__vrml_put_floats(sink, material->diffuse, 3, "\nemissiveColor ");
    fr__vrml_put_floats(sink, material->emissive, 3, "\nspecularColor ");
    fr__vrml_put_floats(sink, material->specular, 3, "\nshininess ");
    fr__vrml_put_floats(sink, &material->shininess, 1, "\ntransparency ");
    fr__vrml_put_floats(sink, &material->transparency, 1, "\n}\n");
}

static void put_appearance(fr__vrml_out *out, uint32_t index) {
    if (index == FR_NONE) { return; }
    const fr_model_view *view = &out->model->view;
    const fr_model_material *material = &view->materials[index];
    if (out->material_done[index]) {
        fr__vrml_put_numbered(out->sink, "appearance USE _fr_look_", index);
        fr__sink_text(out->sink, "\n");
        return;
    }
    out->material_done[index] = true;
    fr__vrml_put_numbered(out->sink, "appearance DEF _fr_look_", index);
    fr__sink_text(out->sink, " Appearance {\nmaterial ");
    if (out->look_moved[index]) {
        fr__vrml_put_own_name(out, "DEF ", material->name, "_fr_material_", index);
        fr__sink_text(out->sink, " ");
    } else {
        fr__vrml_put_name(out, "DEF ", material->name);
    }
    put_material(out->sink, material);
    if (material->texture != FR_NONE && view->textures[material->texture].path[0] != '\0') {
        const fr_model_texture *texture = &view->textures[material->texture];
        fr__sink_text(out->sink, "texture ImageTexture {\nurl ");
        fr__vrml_put_quoted(out->sink, texture->path);
        fr__sink_text(out->sink, texture->is_repeated_s ? "\n" : "\nrepeatS FALSE\n");
        fr__sink_text(out->sink, texture->is_repeated_t ? "}\n" : "repeatT FALSE\n}\n");
    }
    fr__sink_text(out->sink, "}\n");
}

// ---------------------------------------------------------------------------------------------------------------
// Geometry

// Indices of the polygons: of vertices, or, where each corner has its own, counted.
static void put_indices(fr__sink *sink, const char *word, const fr_model_mesh *mesh, bool is_counted) {
    fr__sink_text(sink, word);
    fr__sink_text(sink, " [\n");
    for (uint32_t f = 0; f < mesh->face_count && sink->status == FR_OK; f++) {
        for (uint32_t c = fr_model_face_begin(mesh, f); c < fr_model_face_end(mesh, f); c++) {
            fr__sink_integer(sink, is_counted ? c : mesh->corners[c]);
            fr__sink_text(sink, " ");
        }
        fr__sink_text(sink, "-1\n");
    }
    fr__sink_text(sink, "]\n");
}

static void put_color(fr__sink *sink, fr_color color) {
    const float parts[3] = {(float)color.r / 255.0f, (float)color.g / 255.0f, (float)color.b / 255.0f};
    fr__vrml_put_floats(sink, parts, 3, "\n");
}

static void put_colors(fr__vrml_out *out, uint32_t node, const fr_model_mesh *mesh) {
    fr__sink *sink = out->sink;
    bool by_corner = mesh->corner_colors != NULL;
    bool by_face = !by_corner && (mesh->face_colors != NULL || mesh->face_materials != NULL);
    if (!by_corner && !by_face) { return; }
    fr__sink_text(sink, by_face ? "colorPerVertex FALSE\ncolor Color { color [\n" : "color Color { color [\n");
    uint32_t count = by_face ? mesh->face_count : fr__corner_count(mesh);
    for (uint32_t i = 0; i < count; i++) {
        put_color(sink, by_face ? fr__written_color(out->model, node, i) : mesh->corner_colors[i]);
    }
    fr__sink_text(sink, "] }\n");
    if (by_corner) { put_indices(sink, "colorIndex", mesh, true); }
}

static void put_corner_lists(fr__sink *sink, const fr_model_mesh *mesh) {
    uint32_t count = fr__corner_count(mesh);
    if (mesh->corner_normals != NULL) {
        fr__sink_text(sink, "normal Normal { vector [\n");
        for (uint32_t i = 0; i < count; i++) {
            fr__vrml_put_floats(sink, mesh->corner_normals + (size_t)3 * i, 3, "\n");
        }
        fr__sink_text(sink, "] }\n");
        put_indices(sink, "normalIndex", mesh, true);
    }
    if (mesh->corner_uvs != NULL) {
        fr__sink_text(sink, "texCoord TextureCoordinate { point [\n");
        for (uint32_t i = 0; i < count; i++) {
            fr__vrml_put_floats(sink, mesh->corner_uvs + (size_t)2 * i, 2, "\n");
        }
        fr__sink_text(sink, "] }\n");
        put_indices(sink, "texCoordIndex", mesh, true);
    }
}

// How the vertices of a node are written in its own frame: those that follow bones as the bones stand at rest.
static fr__placed place_own(const fr_model *model, uint32_t node) {
    const fr_model_node *which = &model->view.nodes[node];
    fr__placed own = {.mesh = &model->view.meshes[which->mesh]};
    double matrix[12];
    fr_model_node_matrix(model, node, matrix);
    if (which->skin == FR_NONE || !fr__matrix_invert(matrix, matrix)) { return own; }
    own = fr__place_node(model, node);
    memcpy(own.matrix, matrix, sizeof matrix);
    return own;
}

static void put_geometry(fr__vrml_out *out, uint32_t node) {
    uint32_t index = out->model->view.nodes[node].mesh;
    const fr_model_mesh *mesh = &out->model->view.meshes[index];
    fr__sink *sink = out->sink;
    bool is_skinned = out->model->view.nodes[node].skin != FR_NONE;
    if (out->mesh_done[index] && !is_skinned) {
        fr__vrml_put_numbered(sink, "geometry USE _fr_mesh_", index);
        fr__sink_text(sink, "\n");
        fr__sink_faces_done(sink, mesh->face_count);
        return;
    }
    if (is_skinned) {
        fr__sink_text(sink, "geometry");
    } else {
        out->mesh_done[index] = true;
        fr__vrml_put_numbered(sink, "geometry DEF _fr_mesh_", index);
    }
    fr__sink_text(sink, mesh->is_two_sided ? " IndexedFaceSet {\nsolid FALSE\nconvex FALSE\n"
                                           : " IndexedFaceSet {\nconvex FALSE\n");
    fr__sink_text(sink, "coord ");
    if (out->mesh_moved[index] && !is_skinned) {
        fr__vrml_put_numbered(sink, "DEF _fr_points_", index);
        fr__sink_text(sink, " ");
    }
    fr__sink_text(sink, "Coordinate { point [\n");
    fr__placed own = place_own(out->model, node);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        fr__sink_position(sink, &own, v);
        fr__sink_text(sink, "\n");
    }
    fr__sink_text(sink, "] }\n");
    put_indices(sink, "coordIndex", mesh, false);
    put_colors(out, node, mesh);
    put_corner_lists(sink, mesh);
    fr__sink_text(sink, "}\n");
    fr__sink_faces_done(sink, mesh->face_count);
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

static bool starts_untouched(const fr_model *model, uint32_t node) {
    const fr_model_node *nodes = model->view.nodes;
    uint32_t above = nodes[node].parent != FR_NONE ? nodes[nodes[node].parent].flags : 0;
    return (nodes[node].flags & FR_MODEL_NO_COLLIDE) != 0 && (above & FR_MODEL_NO_COLLIDE) == 0;
}

// A node that only holds one thing, a mesh or a sound, is that, as VRML has it.
static bool is_alone(const fr__vrml_out *out, uint32_t index) {
    const fr_model_node *node = &out->model->view.nodes[index];
    uint32_t sound = out->first_sound[index];
    bool is_one = sound == FR_NONE ? node->mesh != FR_NONE : node->mesh == FR_NONE && out->next_sound[sound] == FR_NONE;
    return is_one && node->transform == NULL && node->placement == FR_NONE &&
           out->outline.first_child[index] == FR_NONE;
}

// What a node holds beside its children.
static void put_own(fr__vrml_out *out, uint32_t index) {
    const fr_model_view *view = &out->model->view;
    if (view->nodes[index].mesh != FR_NONE) {
        fr__sink_text(out->sink, "Shape {\n");
        put_appearance(out, view->nodes[index].material);
        put_geometry(out, index);
        fr__sink_text(out->sink, "}\n");
    }
    for (uint32_t i = out->first_sound[index]; i != FR_NONE; i = out->next_sound[i]) {
        fr__vrml_put_sound(out->sink, &view->sounds[i]);
    }
}

static bool enter_node(uint32_t index, void *context) {
    fr__vrml_out *out = context;
    const fr_model_view *view = &out->model->view;
    const fr_model_node *node = &view->nodes[index];
    fr__sink *sink = out->sink;
    if (starts_untouched(out->model, index)) { fr__sink_text(sink, "Collision { collide FALSE children [\n"); }
    if (out->node_moved[index]) {
        fr__vrml_put_own_name(out, "DEF ", node->name, "_fr_node_", index);
        fr__sink_text(sink, " ");
    } else {
        fr__vrml_put_name(out, "DEF ", node->name);
    }
    if (is_alone(out, index)) {
        put_own(out, index);
        return sink->status == FR_OK;
    }
    fr__sink_text(sink, "Transform {\n");
    if (node->placement != FR_NONE) {
        put_placement(sink, &view->placements[node->placement]);
    } else if (node->transform != NULL) {
        fr_model_placement placement = fr__decompose(node->transform);
        put_placement(sink, &placement);
    }
    fr__sink_text(sink, "children [\n");
    put_own(out, index);
    return sink->status == FR_OK;
}

static bool leave_node(uint32_t index, void *context) {
    fr__vrml_out *out = context;
    if (!is_alone(out, index)) { fr__sink_text(out->sink, "] }\n"); }
    if (starts_untouched(out->model, index)) { fr__sink_text(out->sink, "] }\n"); }
    return out->sink->status == FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The file

static void put_nodes(fr__vrml_out *out) {
    fr__sink *sink = out->sink;
    fr__sink_text(sink, "#VRML V2.0 utf8\n");
    fr__sink_frame(sink, "# ");
    for (uint32_t i = 0; i < out->model->view.note_count; i++) {
        const fr_model_note *note = &out->model->view.notes[i];
        if (strcmp(note->kind, "WorldInfo") != 0) { continue; }
        fr__sink_text(sink, "WorldInfo { title ");
        fr__vrml_put_quoted(sink, note->text);
        fr__sink_text(sink, " }\n");
    }
    if (sink->has_frame) {
        fr_model_placement frame = fr__decompose(sink->frame);
        fr__sink_text(sink, "Transform {\n");
        put_placement(sink, &frame);
        fr__sink_text(sink, "children [\n");
    }
    fr__outline_walk(&out->outline, out->model, enter_node, leave_node, out);
    if (sink->has_frame) { fr__sink_text(sink, "] }\n"); }
    fr__vrml_put_motion(out);
}

void fr__write_vrml(fr__sink *sink, const fr_model *model) {
    fr__vrml_out out;
    if (fr__vrml_out_make(sink, model, &out)) {
        put_nodes(&out);
    } else {
        fr__sink_fail(sink, FR_ERROR_MEMORY, fr_status_text(FR_ERROR_MEMORY));
    }
    fr__vrml_out_free(&out);
}
