// A model as lines of text, for people and for comparing two readings of a file.
#include "fureai/model.h"

#include <stdarg.h>
#include <stdio.h>

// Where the text goes.
typedef struct printer {
    fr_model_sink_fn *sink;
    void *context;
    bool is_ended; // the sink took no more
} printer;

static void print_bytes(printer *t, const char *bytes, size_t size) {
    if (!t->is_ended && size > 0) { t->is_ended = !t->sink(bytes, size, t->context); }
}

FR_PRINTF(2, 3) static void print(printer *t, const char *format, ...) {
    char text[512]; // every line is printed in pieces of a few numbers and a word
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    FR_ASSERT(length >= 0 && (size_t)length < sizeof text);
    print_bytes(t, text, (size_t)length);
}

// What would steer a terminal becomes '?'.
static void print_name(printer *t, const char *name) {
    for (const char *at = name; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        print_bytes(t, c < 0x20 || c == 0x7f ? "?" : at, 1);
    }
}

static void print_index(printer *t, const char *word, uint32_t index) {
    if (index != FR_NONE) { print(t, " %s %u", word, index); }
}

static void print_quoted(printer *t, const char *word, const char *text) {
    print(t, " %s \"", word);
    print_name(t, text);
    print(t, "\"");
}

static void print_floats(printer *t, const char *word, const float *values, size_t count) {
    print(t, " %s", word);
    for (size_t i = 0; i < count; i++) {
        print(t, " %.9g", (double)values[i]);
    }
}

static void print_vector(printer *t, const char *word, fr_vec3 v) {
    print(t, " %s %.17g %.17g %.17g", word, v.x, v.y, v.z);
}

static void dump_node(printer *t, const fr_model_view *view, uint32_t index) {
    const fr_model_node *node = &view->nodes[index];
    print(t, "node %u", index);
    print_index(t, "parent", node->parent);
    if (node->name[0] != '\0') { print_quoted(t, "name", node->name); }
    print_index(t, "mesh", node->mesh);
    print_index(t, "material", node->material);
    print_index(t, "placement", node->placement);
    if (node->flags != 0) { print(t, " flags %u", node->flags); }
    for (size_t i = 0; node->transform != NULL && i < 12; i++) {
        print(t, "%s%.17g", i == 0 ? " transform " : " ", node->transform[i]);
    }
    print(t, "\n");
}

static fr_vec3 vertex_at(const fr_model_mesh *mesh, uint32_t vertex) {
    size_t i = (size_t)3 * vertex;
    if (mesh->positions_double != NULL) {
        const double *p = mesh->positions_double + i;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    const float *p = mesh->positions_float + i;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

// The plane of a polygon: its unit normal, and what its points give with it.
static void print_plane(printer *t, const fr_model_mesh *mesh, uint32_t begin, uint32_t end) {
    fr_vec3 origin = vertex_at(mesh, mesh->corners[begin]), sum = {0.0, 0.0, 0.0};
    for (uint32_t k = begin + 2; k < end; k++) {
        fr_vec3 p = fr_vec3_sub(vertex_at(mesh, mesh->corners[k - 1]), origin);
        sum = fr_vec3_add(sum, fr_vec3_cross(p, fr_vec3_sub(vertex_at(mesh, mesh->corners[k]), origin)));
    }
    fr_vec3 normal = fr_vec3_unit(sum, fr_vec3_make(0.0, 0.0, 0.0));
    print(t, " plane %.9g %.9g %.9g %.9g", normal.x, normal.y, normal.z, -fr_vec3_dot(normal, origin));
}

static void dump_face(printer *t, const fr_model_mesh *mesh, uint32_t face) {
    uint32_t begin = fr_model_face_begin(mesh, face), end = fr_model_face_end(mesh, face);
    print(t, "face %u corners", mesh->face_ids != NULL ? mesh->face_ids[face] : mesh->first_face + face);
    for (uint32_t k = begin; k < end; k++) {
        print(t, " %u", mesh->corners[k]);
    }
    print_plane(t, mesh, begin, end);
    if (mesh->face_materials != NULL) { print_index(t, "material", mesh->face_materials[face]); }
    if (mesh->face_colors != NULL) {
        fr_color c = mesh->face_colors[face];
        print(t, " color %u %u %u %u", c.r, c.g, c.b, c.a);
    }
    for (uint32_t k = begin; mesh->corner_colors != NULL && k < end; k++) {
        fr_color c = mesh->corner_colors[k];
        print(t, "%s%u %u %u %u", k == begin ? " colors " : " ", c.r, c.g, c.b, c.a);
    }
    if (mesh->corner_normals != NULL) {
        print_floats(t, "normals", mesh->corner_normals + (size_t)3 * begin, (size_t)3 * (end - begin));
    }
    if (mesh->corner_uvs != NULL) {
        print_floats(t, "uvs", mesh->corner_uvs + (size_t)2 * begin, (size_t)2 * (end - begin));
    }
    print(t, "\n");
}

static void dump_mesh(printer *t, const fr_model_view *view, uint32_t index) {
    static const char *const kinds[] = {"box", "sphere", "cylinder", "cone"};
    const fr_model_mesh *mesh = &view->meshes[index];
    print(t, "mesh %u vertices %u faces %u", index, mesh->vertex_count, mesh->face_count);
    if (mesh->is_two_sided) { print(t, " two-sided"); }
    if (mesh->primitive != NULL) {
        const fr_model_primitive *p = mesh->primitive;
        print(t, " %s %.17g %.17g %.17g", kinds[p->kind], p->size[0], p->size[1], p->size[2]);
    }
    print(t, "\n");
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        fr_vec3 p = vertex_at(mesh, v);
        if (mesh->positions_double != NULL) {
            print(t, "vertex %.17g %.17g %.17g\n", p.x, p.y, p.z);
        } else {
            print(t, "vertex %.9g %.9g %.9g\n", p.x, p.y, p.z);
        }
    }
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        dump_face(t, mesh, face);
    }
}

static void dump_looks(printer *t, const fr_model_view *view) {
    for (uint32_t i = 0; i < view->material_count; i++) {
        const fr_model_material *m = &view->materials[i];
        print(t, "material %u", i);
        print_quoted(t, "name", m->name);
        print_floats(t, "diffuse", m->diffuse, 3);
        print_floats(t, "emissive", m->emissive, 3);
        print_floats(t, "specular", m->specular, 3);
        print(t, " ambient %.9g shininess %.9g transparency %.9g%s", (double)m->ambient, (double)m->shininess,
              (double)m->transparency, m->is_unlit ? " unlit" : "");
        print_index(t, "texture", m->texture);
        print(t, "\n");
    }
    for (uint32_t i = 0; i < view->texture_count; i++) {
        const fr_model_texture *x = &view->textures[i];
        print(t, "texture %u", i);
        print_quoted(t, "path", x->path);
        print(t, " bytes %zu pixels %u %u %u repeat %d %d", x->byte_count, x->width, x->height, x->components,
              x->is_repeated_s ? 1 : 0, x->is_repeated_t ? 1 : 0);
        print_floats(t, "center", x->center, 2);
        print_floats(t, "rotation", &x->rotation, 1);
        print_floats(t, "scale", x->scale, 2);
        print_floats(t, "translation", x->translation, 2);
        print(t, "\n");
    }
}

static void dump_motion(printer *t, const fr_model_view *view) {
    for (uint32_t i = 0; i < view->placement_count; i++) {
        const fr_model_placement *p = &view->placements[i];
        print(t, "placement %u", i);
        print_vector(t, "translation", p->translation);
        print_vector(t, "center", p->center);
        print_vector(t, "scale", p->scale);
        print(t, " rotation %.17g %.17g %.17g %.17g\n", p->rotation.w, p->rotation.x, p->rotation.y, p->rotation.z);
    }
    for (uint32_t i = 0; i < view->clock_count; i++) {
        const fr_model_clock *c = &view->clocks[i];
        print(t, "clock %u", i);
        print_quoted(t, "name", c->name);
        print(t, " cycle %.17g start %.17g stop %.17g%s%s\n", c->cycle, c->start, c->stop, c->is_loop ? " loop" : "",
              c->is_enabled ? "" : " off");
    }
    for (uint32_t i = 0; i < view->track_count; i++) {
        const fr_model_track *track = &view->tracks[i];
        print(t, "track %u kind %u target %u clock %u", i, (unsigned)track->kind, track->target, track->clock);
        print_floats(t, "keys", track->keys, track->key_count);
        print_floats(t, "values", track->values, (size_t)track->key_count * track->width);
        print(t, "\n");
    }
}

static void dump_skins(printer *t, const fr_model_view *view) {
    for (uint32_t i = 0; i < view->mesh_count; i++) {
        const fr_model_deform *deform = view->meshes[i].deform;
        if (deform == NULL) { continue; }
        size_t vertices = view->meshes[i].vertex_count;
        print(t, "deform %u influences %u bones %u shapes %u", i, deform->influence_count, deform->bone_count,
              deform->target_count);
        for (size_t k = 0; k < deform->influence_count * vertices; k++) {
            print(t, " %u:%.9g", deform->bones[k], (double)deform->weights[k]);
        }
        print_floats(t, "targets", deform->targets, 3 * deform->target_count * vertices);
        print(t, "\n");
    }
    for (uint32_t i = 0; i < view->skin_count; i++) {
        const fr_model_skin *skin = &view->skins[i];
        print(t, "skin %u", i);
        print_quoted(t, "name", skin->name);
        print_index(t, "root", skin->root);
        for (uint32_t b = 0; b < skin->bone_count; b++) {
            print(t, " bone %u", skin->nodes[b]);
            for (int k = 0; k < 12; k++) {
                print(t, " %.17g", skin->inverse_binds[12 * b + (uint32_t)k]);
            }
        }
        print(t, "\n");
    }
    for (uint32_t i = 0; i < view->node_count; i++) {
        if (view->nodes[i].skin != FR_NONE) { print(t, "follower %u skin %u\n", i, view->nodes[i].skin); }
    }
}

static void dump_words(printer *t, const fr_model_view *view) {
    for (uint32_t i = 0; i < view->sound_count; i++) {
        const fr_model_sound *s = &view->sounds[i];
        print(t, "sound %u", i);
        print_quoted(t, "path", s->path);
        print_index(t, "node", s->node);
        print_vector(t, "location", s->location);
        print_vector(t, "direction", s->direction);
        print(t, " intensity %.9g pitch %.9g front %.9g %.9g back %.9g %.9g%s%s\n", s->intensity, s->pitch,
              s->min_front, s->max_front, s->min_back, s->max_back, s->is_loop ? " loop" : "",
              s->is_spatial ? " spatial" : "");
    }
    for (uint32_t i = 0; i < view->note_count; i++) {
        print(t, "note %u", i);
        print_quoted(t, "kind", view->notes[i].kind);
        print_quoted(t, "name", view->notes[i].name);
        print_quoted(t, "text", view->notes[i].text);
        print(t, "\n");
    }
    for (uint32_t i = 0; i < view->listed_warning_count; i++) {
        const fr_model_warning *w = &view->warnings[i];
        print(t, "warning %d %d", w->line, w->column);
        print_quoted(t, "text", w->message);
        print(t, "\n");
    }
}

fr_status fr_model_dump(const fr_model *model, fr_model_sink_fn *sink, void *context, fr_error *error) {
    FR_ASSERT(model != NULL && sink != NULL);
    const fr_model_view *view = fr_model_get(model);
    printer made = {.sink = sink, .context = context}, *t = &made;
    static const char *const ups[] = {"file", "x", "y", "z"};
    print(t, "model format %s unit %.17g up %s lines %llu points %llu\n", fr_model_format_name(view->format),
          view->unit, ups[view->up], (unsigned long long)view->line_count, (unsigned long long)view->point_count);
    for (uint32_t i = 0; i < view->node_count; i++) {
        dump_node(t, view, i);
    }
    for (uint32_t i = 0; i < view->mesh_count; i++) {
        dump_mesh(t, view, i);
    }
    dump_looks(t, view);
    dump_motion(t, view);
    dump_skins(t, view);
    dump_words(t, view);
    return made.is_ended ? fr_error_set(error, FR_ERROR_FILE, "the text cannot be written") : FR_OK;
}
