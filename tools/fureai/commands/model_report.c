// The report of a model: counts, materials, tracks and sounds.
#include "model_report.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const char *const track_kinds[] = {"translation",       "rotation",     "scale",    "center",
                                          "scale orientation", "coordinates",  "diffuse",  "emissive",
                                          "specular",          "transparency", "rotation", "weights"};

static const struct {
    uint32_t flag;
    const char *word, *key;
} flags[] = {{FR_MODEL_HIDDEN, "hidden", "hidden"},
             {FR_MODEL_NO_COLLIDE, "not touched", "no_collide"},
             {FR_MODEL_PROXY, "not shown", "proxy"},
             {FR_MODEL_BILLBOARD, "billboard", "billboard"}};

// What a track moves: a node, a mesh or a material.
static const char *target_of(const fr_model_track *track) {
    if (track->kind == FR_MODEL_COORDINATES) { return "mesh"; }
    bool is_look = track->kind >= FR_MODEL_DIFFUSE && track->kind <= FR_MODEL_TRANSPARENCY;
    return is_look ? "material" : "node";
}

// ---------------------------------------------------------------------------------------------------------------
// For people

static void print_name(tool *t, const char *name) { tool_print_name(t, name[0] != '\0' ? name : "(no name)"); }

// How deep a node is, as far as it is shown.
static int depth_of(const fr_model_view *view, uint32_t node) {
    int depth = 0;
    while ((node = view->nodes[node].parent) != FR_NONE && depth < 20) {
        depth++;
    }
    return depth;
}

static void print_node(tool *t, const fr_model_view *view, uint32_t index, bool is_again) {
    const fr_model_node *node = &view->nodes[index];
    tool_print(t, "%*s", 2 + 2 * depth_of(view, index), "");
    print_name(t, node->name);
    tool_print(t, ": %u faces", node->mesh != FR_NONE ? view->meshes[node->mesh].face_count : 0);
    if (is_again) { tool_print(t, ", mesh %u again", node->mesh); }
    for (size_t i = 0; i < COUNT(flags); i++) {
        if ((node->flags & flags[i].flag) != 0) { tool_print(t, ", %s", flags[i].word); }
    }
    tool_print(t, "\n");
}

// The first node of each mesh, to find its instances; NULL without memory, when none is reported.
static uint32_t *first_users(const fr_model_view *view) {
    uint32_t *first = malloc(((size_t)view->mesh_count + 1) * sizeof *first);
    for (uint32_t i = 0; first != NULL && i < view->mesh_count; i++) {
        first[i] = FR_NONE;
    }
    for (uint32_t i = view->node_count; first != NULL && i-- > 0;) {
        if (view->nodes[i].mesh != FR_NONE) { first[view->nodes[i].mesh] = i; }
    }
    return first;
}

static void print_looks(tool *t, const fr_model_view *view) {
    if (view->material_count > 0) { tool_print(t, "materials  %u\n", view->material_count); }
    for (uint32_t i = 0; i < view->material_count; i++) {
        const fr_model_material *m = &view->materials[i];
        tool_print(t, "  ");
        print_name(t, m->name);
        tool_print(t, ": colour %g %g %g", (double)m->diffuse[0], (double)m->diffuse[1], (double)m->diffuse[2]);
        if (m->transparency > 0.0f) { tool_print(t, ", transparency %g", (double)m->transparency); }
        if (m->texture != FR_NONE) { tool_print(t, ", texture %u", m->texture); }
        tool_print(t, "\n");
    }
    if (view->texture_count > 0) { tool_print(t, "textures   %u\n", view->texture_count); }
    for (uint32_t i = 0; i < view->texture_count; i++) {
        const fr_model_texture *x = &view->textures[i];
        tool_print(t, "  ");
        tool_print_name(t, x->path[0] != '\0' ? x->path : "(in the model)");
        if (x->pixels != NULL) { tool_print(t, ": %u by %u, %u bytes a pixel", x->width, x->height, x->components); }
        tool_print(t, "\n");
    }
}

static void print_motion(tool *t, const fr_model_view *view) {
    if (view->skin_count > 0) { tool_print(t, "skins      %u\n", view->skin_count); }
    for (uint32_t i = 0; i < view->skin_count; i++) {
        tool_print(t, "  ");
        print_name(t, view->skins[i].name);
        tool_print(t, ": %u bones\n", view->skins[i].bone_count);
    }
    if (view->shape_count > 0) { tool_print(t, "shapes     %llu\n", (unsigned long long)view->shape_count); }
    if (view->clock_count > 0) { tool_print(t, "animations %u\n", view->clock_count); }
    for (uint32_t i = 0; i < view->clock_count; i++) {
        tool_print(t, "  ");
        print_name(t, view->clocks[i].name);
        tool_print(t, ": %g s\n", view->clocks[i].cycle);
    }
    if (view->track_count > 0) { tool_print(t, "tracks     %u\n", view->track_count); }
    for (uint32_t i = 0; i < view->track_count; i++) {
        const fr_model_track *track = &view->tracks[i];
        const fr_model_clock *clock = &view->clocks[track->clock];
        tool_print(t, "  %s of %s %u: %u keys in %g s%s\n", track_kinds[track->kind], target_of(track), track->target,
                   track->key_count, clock->cycle, clock->is_loop ? ", again and again" : "");
    }
    if (view->sound_count > 0) { tool_print(t, "sounds     %u\n", view->sound_count); }
    for (uint32_t i = 0; i < view->sound_count; i++) {
        const fr_model_sound *s = &view->sounds[i];
        tool_print(t, "  ");
        tool_print_name(t, s->path);
        tool_print(t, ": at %g %g %g m of node %u, heard to %g m\n", s->location.x, s->location.y, s->location.z,
                   s->node, s->max_front);
    }
    if (view->note_count > 0) { tool_print(t, "notes      %u\n", view->note_count); }
    for (uint32_t i = 0; i < view->note_count; i++) {
        tool_print(t, "  ");
        tool_print_name(t, view->notes[i].kind);
        if (view->notes[i].name[0] != '\0') {
            tool_print(t, " ");
            tool_print_name(t, view->notes[i].name);
        }
        tool_print(t, ": ");
        tool_print_name(t, view->notes[i].text);
        tool_print(t, "\n");
    }
}

void model_report_print(tool *t, const fr_model_view *view) {
    uint32_t *first = first_users(view);
    for (uint32_t i = 0; i < view->node_count && !fr_control_is_stopped(&t->control); i++) {
        uint32_t mesh = view->nodes[i].mesh;
        print_node(t, view, i, first != NULL && mesh != FR_NONE && first[mesh] != i);
    }
    free(first);
    print_looks(t, view);
    print_motion(t, view);
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static void index_field(fr_json_writer *j, const char *key, uint32_t index) {
    fr_json_write_key(j, key);
    if (index == FR_NONE) {
        fr_json_write_null(j);
    } else {
        fr_json_write_uint(j, index);
    }
}

static void floats_field(fr_json_writer *j, const char *key, const float *values) {
    const double numbers[3] = {(double)values[0], (double)values[1], (double)values[2]};
    fr_json_write_numbers_field(j, key, numbers, 3);
}

static void write_tree(fr_json_writer *j, const fr_model_view *view, const fr_control *control) {
    fr_json_write_key(j, "tree");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->node_count && !fr_control_is_stopped(control); i++) {
        const fr_model_node *node = &view->nodes[i];
        fr_json_write_object(j);
        fr_json_write_string_field(j, "name", node->name);
        index_field(j, "parent", node->parent);
        if (node->mesh != FR_NONE) {
            json_fields(j, "vertices", view->meshes[node->mesh].vertex_count, "faces",
                        view->meshes[node->mesh].face_count, "mesh", node->mesh);
        }
        if (node->material != FR_NONE) { fr_json_write_uint_field(j, "material", node->material); }
        if (node->transform != NULL) { fr_json_write_numbers_field(j, "transform", node->transform, 12); }
        for (size_t k = 0; k < COUNT(flags); k++) {
            if ((node->flags & flags[k].flag) != 0) { fr_json_write_bool_field(j, flags[k].key, true); }
        }
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_looks(fr_json_writer *j, const fr_model_view *view) {
    fr_json_write_key(j, "materials");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->material_count; i++) {
        const fr_model_material *m = &view->materials[i];
        fr_json_write_object(j);
        fr_json_write_string_field(j, "name", m->name);
        floats_field(j, "diffuse", m->diffuse);
        floats_field(j, "emissive", m->emissive);
        floats_field(j, "specular", m->specular);
        fr_json_write_number_field(j, "transparency", (double)m->transparency);
        index_field(j, "texture", m->texture);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_key(j, "textures");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->texture_count; i++) {
        fr_json_write_object(j);
        json_fields(j, "path", view->textures[i].path, "width", view->textures[i].width, "height",
                    view->textures[i].height);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_motion(fr_json_writer *j, const fr_model_view *view) {
    fr_json_write_key(j, "skins");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->skin_count; i++) {
        fr_json_write_object(j);
        fr_json_write_string_field(j, "name", view->skins[i].name);
        fr_json_write_key(j, "bones");
        fr_json_write_array(j);
        for (uint32_t b = 0; b < view->skins[i].bone_count; b++) {
            fr_json_write_string(j, view->nodes[view->skins[i].nodes[b]].name);
        }
        fr_json_write_array_end(j);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_uint_field(j, "shapes", view->shape_count);
    fr_json_write_key(j, "animations");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->clock_count; i++) {
        fr_json_write_object(j);
        json_fields(j, "name", view->clocks[i].name, "cycle", view->clocks[i].cycle);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_key(j, "tracks");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->track_count; i++) {
        const fr_model_track *track = &view->tracks[i];
        const fr_model_clock *clock = &view->clocks[track->clock];
        fr_json_write_object(j);
        json_fields(j, "kind", track_kinds[track->kind], target_of(track), track->target, "keys", track->key_count,
                    "cycle", clock->cycle, "start", clock->start, "loop", clock->is_loop);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_key(j, "sounds");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->sound_count; i++) {
        const fr_model_sound *s = &view->sounds[i];
        fr_json_write_object(j);
        json_fields(j, "path", s->path, "node", s->node, "location", s->location, "intensity", s->intensity, "loop",
                    s->is_loop);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_key(j, "notes");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->note_count; i++) {
        fr_json_write_object(j);
        json_fields(j, "kind", view->notes[i].kind, "name", view->notes[i].name, "text", view->notes[i].text);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

void model_report_write(fr_json_writer *j, const fr_model_view *view, const fr_control *control) {
    write_tree(j, view, control);
    write_looks(j, view);
    write_motion(j, view);
}

// ---------------------------------------------------------------------------------------------------------------
// The models of a file

static void report_group(tool *t, fr_json_writer *j, const fr_model_view *view, const fr_model_group *g) {
    const double low[3] = {g->bounds.min.x, g->bounds.min.y, g->bounds.min.z};
    const double high[3] = {g->bounds.max.x, g->bounds.max.y, g->bounds.max.z};
    tool_print(t, "  ");
    print_name(t, view->nodes[g->node].name);
    tool_print(t, ": %llu faces, %g %g %g to %g %g %g units of the file\n", (unsigned long long)g->faces,
               tool_plain(low[0]), tool_plain(low[1]), tool_plain(low[2]), tool_plain(high[0]), tool_plain(high[1]),
               tool_plain(high[2]));
    if (j == NULL) { return; }
    fr_json_write_object(j);
    json_fields(j, "name", view->nodes[g->node].name, "node", g->node, "faces", g->faces, "triangles", g->triangles);
    fr_json_write_numbers_field(j, "min", low, 3);
    fr_json_write_numbers_field(j, "max", high, 3);
    fr_json_write_object_end(j);
}

bool model_report_split(tool *t, fr_json_writer *j, const fr_model *model, const char *how) {
    const fr_model_view *view = fr_model_get(model);
    fr_model_group *groups = malloc(((size_t)view->node_count + 1) * sizeof *groups);
    if (groups == NULL) { return false; }
    fr_model_split_rule rule = how[0] == 's'   ? FR_MODEL_SPLIT_SHAPE
                               : how[0] == 'd' ? FR_MODEL_SPLIT_NAME
                                               : FR_MODEL_SPLIT_TOP;
    uint32_t count = fr_model_split(model, rule, groups);
    tool_print(t, "models     %u\n", count);
    if (j != NULL) {
        fr_json_write_key(j, "models");
        fr_json_write_array(j);
    }
    for (uint32_t i = 0; i < count; i++) {
        report_group(t, j, view, &groups[i]);
    }
    if (j != NULL) { fr_json_write_array_end(j); }
    free(groups);
    return true;
}
