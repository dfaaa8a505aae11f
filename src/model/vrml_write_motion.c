// Writes what moves and sounds in VRML97: a TimeSensor for each clock, an interpolator for each track, routes from the
// one through the other to a field, and Sound nodes.
#include "vrml_write.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Names

// Appends the letters of a name as VRML has them. Ours begin with _fr_ as no other does.
static bool make_name(fr__vrml_out *out, const char *name, fr__span *made) {
    bool wrong_first = (*name >= '0' && *name <= '9') || *name == '+' || *name == '-' || strncmp(name, "_fr_", 4) == 0;
    size_t length = strlen(name), count = 0;
    char *letters = fr_arena_alloc(out->arena, length + 1, 1, 1);
    if (letters == NULL) { return false; }
    if (wrong_first) { letters[count++] = '_'; }
    for (; *name != '\0'; name++) {
        bool wrong = (unsigned char)*name <= ' ' || *name == 0x7f || strchr("\"#',.[\\]{}", *name) != NULL;
        letters[count++] = wrong ? '_' : *name;
    }
    *made = (fr__span){letters, count};
    return true;
}

static bool count_name(fr__vrml_out *out, const char *name) {
    fr__span made;
    if (name[0] == '\0') { return true; }
    if (!make_name(out, name, &made)) { return false; }
    uint32_t number = fr__names_find_or_append(&out->names, made);
    if (number == FR_NONE) { return false; }
    while (out->name_counts.count <= number) {
        if (!fr__push_index(&out->name_counts, 0)) { return false; }
    }
    out->name_counts.data[number]++;
    return true;
}

static bool count_names(fr__vrml_out *out) {
    const fr_model_view *view = &out->model->view;
    bool done = true;
    for (uint32_t i = 0; i < view->node_count && done; i++) {
        done = count_name(out, view->nodes[i].name);
    }
    for (uint32_t i = 0; i < view->material_count && done; i++) {
        done = count_name(out, view->materials[i].name);
    }
    for (uint32_t i = 0; i < view->clock_count && done; i++) {
        done = count_name(out, view->clocks[i].name);
    }
    return done;
}

static void put_letters(fr__vrml_out *out, const char *before, fr__span letters) {
    fr__sink_text(out->sink, before);
    fr__sink_bytes(out->sink, letters.begin, letters.length);
}

void fr__vrml_put_name(fr__vrml_out *out, const char *before, const char *name) {
    if (name[0] == '\0') { return; }
    fr_arena_mark mark = fr_arena_get_mark(out->arena);
    fr__span letters;
    if (make_name(out, name, &letters)) {
        put_letters(out, before, letters);
        fr__sink_text(out->sink, " ");
    } else {
        fr__sink_fail(out->sink, FR_ERROR_MEMORY, fr_status_text(FR_ERROR_MEMORY));
    }
    fr_arena_rewind(out->arena, mark);
}

void fr__vrml_put_own_name(fr__vrml_out *out, const char *before, const char *name, const char *kind, uint32_t number) {
    fr_arena_mark mark = fr_arena_get_mark(out->arena);
    fr__span letters = {"", 0};
    uint32_t found = FR_NONE;
    if (name[0] != '\0' && make_name(out, name, &letters)) { found = fr__names_find_or_append(&out->names, letters); }
    bool is_own = found < out->name_counts.count && out->name_counts.data[found] == 1;
    if (is_own) {
        put_letters(out, before, letters);
    } else {
        fr__sink_text(out->sink, before);
        fr__vrml_put_numbered(out->sink, kind, number);
    }
    fr_arena_rewind(out->arena, mark);
}

// ---------------------------------------------------------------------------------------------------------------
// What tracks and sounds belong to

// Whether a node or one above it is left out.
static bool is_written(const fr_model_view *view, uint32_t node) {
    return (view->nodes[node].flags & (FR_MODEL_HIDDEN | FR_MODEL_PROXY)) == 0;
}

static void mark_moved(fr__vrml_out *out) {
    const fr_model_view *view = &out->model->view;
    for (uint32_t i = 0; i < view->track_count; i++) {
        const fr_model_track *track = &view->tracks[i];
        if (track->kind == FR_MODEL_WEIGHTS) {
            out->mesh_moved[view->nodes[track->target].mesh] = true;
        } else if (fr__moves_placement(track->kind)) {
            out->node_moved[track->target] = is_written(view, track->target);
        } else if (track->kind == FR_MODEL_COORDINATES) {
            out->mesh_moved[track->target] = true;
        } else {
            out->look_moved[track->target] = true;
        }
    }
}

static void link_sounds(fr__vrml_out *out) {
    const fr_model_view *view = &out->model->view;
    for (uint32_t i = view->sound_count; i-- > 0;) {
        uint32_t node = view->sounds[i].node;
        out->next_sound[i] = out->first_sound[node];
        out->first_sound[node] = i;
    }
}

static size_t flag_count(const fr_model_view *view) {
    return (size_t)view->node_count + 2 * ((size_t)view->mesh_count + view->material_count) + 1;
}

static size_t link_count(const fr_model_view *view) { return (size_t)view->node_count + view->sound_count + 1; }

bool fr__vrml_out_make(fr__sink *sink, const fr_model *model, fr__vrml_out *out) {
    const fr_model_view *view = &model->view;
    const fr_allocator *allocator = &model->store.allocator;
    *out = (fr__vrml_out){.sink = sink,
                          .model = model,
                          .names = fr__names_make(allocator),
                          .name_counts = fr_uint32_array_make(allocator)};
    bool *flags = fr_allocate(allocator, flag_count(view), sizeof *flags, 1);
    uint32_t *links = fr_allocate(allocator, link_count(view), sizeof *links, sizeof *links);
    out->flags = flags;
    out->links = links;
    if (fr_arena_create(0, allocator, &out->arena, NULL) != FR_OK) { out->arena = NULL; }
    bool has_outline = fr__outline_make(model, &out->outline);
    if (flags == NULL || links == NULL || out->arena == NULL || !has_outline) { return false; }
    memset(flags, 0, flag_count(view) * sizeof *flags);
    memset(links, 0xff, link_count(view) * sizeof *links);
    out->mesh_done = flags;
    out->mesh_moved = out->mesh_done + view->mesh_count;
    out->material_done = out->mesh_moved + view->mesh_count;
    out->look_moved = out->material_done + view->material_count;
    out->node_moved = out->look_moved + view->material_count;
    out->first_sound = links;
    out->next_sound = links + view->node_count;
    mark_moved(out);
    link_sounds(out);
    return view->track_count == 0 || count_names(out);
}

void fr__vrml_out_free(fr__vrml_out *out) {
    const fr_allocator *allocator = &out->model->store.allocator;
    fr_deallocate(allocator, out->flags, flag_count(&out->model->view), sizeof(bool));
    fr_deallocate(allocator, out->links, link_count(&out->model->view), sizeof(uint32_t));
    if (out->outline.first_child != NULL) { fr__outline_free(&out->outline); }
    fr__names_free(&out->names);
    fr_uint32_array_destroy(&out->name_counts);
    fr_arena_destroy(out->arena);
}

// ---------------------------------------------------------------------------------------------------------------
// Sounds

static void put_number(fr__sink *sink, const char *word, double number, double usual) {
    if (number != usual) { fr__vrml_put_numbers(sink, word, &number, 1); }
}

void fr__vrml_put_sound(fr__sink *sink, const fr_model_sound *sound) {
    const double location[3] = {sound->location.x, sound->location.y, sound->location.z};
    const double direction[3] = {sound->direction.x, sound->direction.y, sound->direction.z};
    fr__sink_text(sink, "Sound {\n");
    fr__vrml_put_numbers(sink, "location", location, 3);
    fr__vrml_put_numbers(sink, "direction", direction, 3);
    put_number(sink, "intensity", sound->intensity, 1.0);
    put_number(sink, "minFront", sound->min_front, 1.0);
    put_number(sink, "maxFront", sound->max_front, 10.0);
    put_number(sink, "minBack", sound->min_back, 1.0);
    put_number(sink, "maxBack", sound->max_back, 10.0);
    fr__sink_text(sink, sound->is_spatial ? "source AudioClip {\nurl " : "spatialize FALSE\nsource AudioClip {\nurl ");
    fr__vrml_put_quoted(sink, sound->path);
    fr__sink_text(sink, "\n");
    if (sound->description[0] != '\0') {
        fr__sink_text(sink, "description ");
        fr__vrml_put_quoted(sink, sound->description);
        fr__sink_text(sink, "\n");
    }
    put_number(sink, "pitch", sound->pitch, 1.0);
    put_number(sink, "startTime", sound->start, 0.0);
    put_number(sink, "stopTime", sound->stop, 0.0);
    fr__sink_text(sink, sound->is_loop ? "loop TRUE\n}\n}\n" : "}\n}\n");
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

static void put_clock(fr__vrml_out *out, uint32_t index) {
    const fr_model_clock *clock = &out->model->view.clocks[index];
    fr__vrml_put_own_name(out, "DEF ", clock->name, "_fr_clock_", index);
    fr__sink_text(out->sink, " TimeSensor {\n");
    put_number(out->sink, "cycleInterval", clock->cycle, 1.0);
    put_number(out->sink, "startTime", clock->start, 0.0);
    put_number(out->sink, "stopTime", clock->stop, 0.0);
    fr__sink_text(out->sink, clock->is_enabled ? "" : "enabled FALSE\n");
    fr__sink_text(out->sink, clock->is_loop ? "loop TRUE\n}\n" : "}\n");
}

// The kinds of tracks: the node between clock and field, how many numbers stand in one of its values, and the field.
static const struct {
    const char *interpolator, *field;
    int width;
} kinds[] = {
    [FR_MODEL_TRANSLATION] = {"PositionInterpolator", "translation", 3},
    [FR_MODEL_ROTATION] = {"OrientationInterpolator", "rotation", 4},
    [FR_MODEL_SCALE] = {"PositionInterpolator", "scale", 3},
    [FR_MODEL_CENTER] = {"PositionInterpolator", "center", 3},
    [FR_MODEL_SCALE_ORIENTATION] = {"OrientationInterpolator", "scaleOrientation", 4},
    [FR_MODEL_COORDINATES] = {"CoordinateInterpolator", "point", 3},
    [FR_MODEL_DIFFUSE] = {"ColorInterpolator", "diffuseColor", 3},
    [FR_MODEL_EMISSIVE] = {"ColorInterpolator", "emissiveColor", 3},
    [FR_MODEL_SPECULAR] = {"ColorInterpolator", "specularColor", 3},
    [FR_MODEL_TRANSPARENCY] = {"ScalarInterpolator", "transparency", 1},
    [FR_MODEL_QUATERNION] = {"OrientationInterpolator", "rotation", 4},
    [FR_MODEL_WEIGHTS] = {"CoordinateInterpolator", "point", 3},
};

// A quaternion as VRML has turns: axis and angle.
static void put_turn(fr__sink *sink, const float *value) {
    fr_quat q = {.x = (double)value[0], .y = (double)value[1], .z = (double)value[2], .w = (double)value[3]};
    (void)fr_quat_normalize(&q, NULL);
    fr_vec3 turn = fr_quat_to_vector(q);
    double angle = fr_vec3_length(turn);
    fr_vec3 axis = angle > 0.0 ? fr_vec3_scale(1.0 / angle, turn) : fr_vec3_make(0.0, 0.0, 1.0);
    const float numbers[4] = {(float)axis.x, (float)axis.y, (float)axis.z, (float)angle};
    fr__vrml_put_floats(sink, numbers, 4, "\n");
}

// The places of all vertices at each key of a track of weights.
static void put_shapes(fr__vrml_out *out, const fr_model_track *track) {
    const fr_model_view *view = &out->model->view;
    const fr_model_mesh *mesh = &view->meshes[view->nodes[track->target].mesh];
    for (uint32_t k = 0; k < track->key_count && out->sink->status == FR_OK; k++) {
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            fr_vec3 p = fr__morphed_position(mesh, track->values + (size_t)track->width * k, v);
            const float numbers[3] = {(float)p.x, (float)p.y, (float)p.z};
            fr__vrml_put_floats(out->sink, numbers, 3, "\n");
        }
    }
}

static void put_interpolator(fr__vrml_out *out, const fr_model_track *track, uint32_t index) {
    fr__sink *sink = out->sink;
    fr__vrml_put_numbered(sink, "DEF _fr_track_", index);
    fr__sink_text(sink, " ");
    fr__sink_text(sink, kinds[track->kind].interpolator);
    fr__sink_text(sink, " {\nkey [\n");
    for (uint32_t i = 0; i < track->key_count; i++) {
        fr__vrml_put_floats(sink, track->keys + i, 1, "\n");
    }
    fr__sink_text(sink, "]\nkeyValue [\n");
    int width = kinds[track->kind].width;
    size_t count = track->kind != FR_MODEL_WEIGHTS ? (size_t)track->key_count * track->width : 0;
    if (track->kind == FR_MODEL_WEIGHTS) { put_shapes(out, track); }
    for (size_t i = 0; i + (size_t)width <= count && sink->status == FR_OK; i += (size_t)width) {
        if (track->kind == FR_MODEL_QUATERNION) {
            put_turn(sink, track->values + i);
        } else {
            fr__vrml_put_floats(sink, track->values + i, width, "\n");
        }
    }
    fr__sink_text(sink, "]\n}\n");
}

static void put_routes(fr__vrml_out *out, const fr_model_track *track, uint32_t index) {
    const fr_model_view *view = &out->model->view;
    fr__sink *sink = out->sink;
    fr__vrml_put_own_name(out, "ROUTE ", view->clocks[track->clock].name, "_fr_clock_", track->clock);
    fr__vrml_put_numbered(sink, ".fraction_changed TO _fr_track_", index);
    fr__vrml_put_numbered(sink, ".set_fraction\nROUTE _fr_track_", index);
    fr__sink_text(sink, ".value_changed TO ");
    if (track->kind == FR_MODEL_WEIGHTS) {
        fr__vrml_put_numbered(sink, "_fr_points_", view->nodes[track->target].mesh);
    } else if (fr__moves_placement(track->kind)) {
        fr__vrml_put_own_name(out, "", view->nodes[track->target].name, "_fr_node_", track->target);
    } else if (track->kind == FR_MODEL_COORDINATES) {
        fr__vrml_put_numbered(sink, "_fr_points_", track->target);
    } else {
        fr__vrml_put_own_name(out, "", view->materials[track->target].name, "_fr_material_", track->target);
    }
    fr__sink_text(sink, ".set_");
    fr__sink_text(sink, kinds[track->kind].field);
    fr__sink_text(sink, "\n");
}

// Whether the node, mesh or material that a track moves is in the file.
static bool has_target(const fr__vrml_out *out, const fr_model_track *track) {
    if (fr__moves_placement(track->kind)) { return out->node_moved[track->target]; }
    if (track->kind == FR_MODEL_WEIGHTS) {
        const fr_model_node *node = &out->model->view.nodes[track->target];
        return node->skin == FR_NONE && out->mesh_done[node->mesh];
    }
    return track->kind == FR_MODEL_COORDINATES ? out->mesh_done[track->target] : out->material_done[track->target];
}

void fr__vrml_put_motion(fr__vrml_out *out) {
    const fr_model_view *view = &out->model->view;
    for (uint32_t i = 0; i < view->clock_count; i++) {
        put_clock(out, i);
    }
    for (uint32_t i = 0; i < view->track_count && out->sink->status == FR_OK; i++) {
        const fr_model_track *track = &view->tracks[i];
        if (!has_target(out, track)) { continue; }
        put_interpolator(out, track, i);
        put_routes(out, track, i);
    }
}
