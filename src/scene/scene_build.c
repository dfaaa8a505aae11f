// Puts the objects of a scene into a space.
#include "scene/scene_play.h"

#include "fureai/base_order.h"

#include <stdalign.h>
#include <string.h>

#define BUILD_COOKIE UINT32_C(0x73636231)

// Where the parts of an object stand among all parts.
typedef struct part_range {
    uint32_t first, count;
} part_range;

// What an object is made of, to find those made of the same.
typedef enum source_kind { SOURCE_SHAPE, SOURCE_MODEL, SOURCE_CLASS } source_kind;

typedef struct source {
    const char *text; // path or name
    source_kind kind;
    const fr_scene_object *made; // of it: its unit and up axis
    uint32_t object;
} source;

FR_ARRAY_TYPE(part_skin_array, fr_skin *);

// What the objects of a scene are made of, and what it takes to make it.
struct fr__scene_stock {
    const fr_scene *scene;
    const fr_scene_build_input *input;
    fr_allocator allocator;
    uint32_t count;             // objects
    fr_space *space;            // that objects are added to; NULL before
    fr__scene_part_array parts; // each holds a reference to its mesh
    part_skin_array skins;      // of each part, likewise; NULL: none
    fr_uint32_array nodes;      // the nodes of the model at hand that became parts
    uint32_t *played;           // of each object: its number with the player
    fr_color color;             // of the model at hand; alpha 0: none
    fr_figure *figure;          // of the person at hand, whose rigid pieces come behind the skin; NULL: none yet
    part_range *ranges;         // of each object
    uint32_t *first;            // the first object that is made of the same as each
    fr__scene_source *sources;  // of each object: what its model is; NULL: not wanted
    fr__scene_source source;    // of the model at hand
    fr_error *error;
};

fr_scene_build_input fr_default_scene_build_input(void) { return (fr_scene_build_input){.cookie = BUILD_COOKIE}; }

// ---------------------------------------------------------------------------------------------------------------
// Meshes

// Says where the scene asks for what failed, unless the error names a place in a file of its own.
static fr_status located(const fr__scene_stock *b, uint32_t object, fr_status status) {
    const fr_scene_object *o = &b->scene->view.objects[object];
    if (b->error->path[0] == '\0') { fr_error_locate(b->error, b->scene->view.name, o->line, o->column); }
    return status;
}

// Adds a part; the references to the mesh and to the skin, which may be NULL, become the builder's.
static fr_status add_part(fr__scene_stock *b, fr_mesh *mesh, fr_skin *skin) {
    fr_skin **place = part_skin_array_push(&b->skins, 1);
    if (place != NULL) { *place = NULL; }
    fr_part_def *part = place != NULL ? fr__scene_part_array_push(&b->parts, 1) : NULL;
    if (part == NULL) {
        fr_mesh_release(mesh);
        fr_skin_release(skin);
        return fr_error_set(b->error, FR_ERROR_MEMORY, "no memory for the parts of a scene");
    }
    *part = fr_default_part_def();
    part->mesh = mesh;
    *place = skin;
    return FR_OK;
}

static fr_status add_shape(fr__scene_stock *b, const char *name) {
    fr_mesh_def like = fr_default_mesh_def();
    like.is_double = b->input->is_double;
    like.tasks = b->input->tasks;
    like.control = b->input->control;
    like.allocator = b->input->allocator;
    fr_mesh *mesh;
    fr_status status = fr_mesh_create_named(name, &like, &mesh, b->error);
    return status == FR_OK ? add_part(b, mesh, NULL) : status;
}

// The corners of a box of cells about the object's origin, metres; its z is one cell thick in the plane.
static void put_box(const fr_scene_object *object, const fr_plan_box *box, double edge, double *positions) {
    const double pivot[3] = {object->cell_pivot.x, object->cell_pivot.y, object->cell_pivot.z};
    for (int corner = 0; corner < 8; corner++) {
        for (int axis = 0; axis < 3; axis++) {
            int32_t cell = (corner >> axis & 1) != 0 ? box->high[axis] : box->low[axis];
            positions[3 * corner + axis] = ((double)cell - pivot[axis]) * edge;
        }
    }
}

// One mesh of all boxes, each a face of its own on every side.
static fr_status add_cells(fr__scene_stock *b, const fr_scene_object *object) {
    static const uint8_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const fr_allocator *allocator = &b->input->allocator;
    size_t count = object->box_count;
    double *positions = fr_allocate(allocator, count, 24 * sizeof *positions, alignof(double));
    uint32_t *triangles = fr_allocate(allocator, count, 36 * sizeof *triangles, alignof(uint32_t));
    fr_status status = FR_ERROR_MEMORY;
    if (positions != NULL && triangles != NULL) {
        for (size_t i = 0; i < count; i++) {
            put_box(object, &object->boxes[i], fr_scene_cell_edge(b->scene), positions + 24 * i);
            for (size_t k = 0; k < 36; k++) {
                triangles[36 * i + k] = (uint32_t)(8 * i) + sides[k / 3][k % 3];
            }
        }
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_double = positions;
        def.vertex_count = (uint32_t)(8 * count);
        def.triangles = triangles;
        def.triangle_count = (uint32_t)(12 * count);
        def.is_double = b->input->is_double;
        def.tasks = b->input->tasks;
        def.control = b->input->control;
        def.allocator = *allocator;
        fr_mesh *mesh;
        status = fr_mesh_create(&def, &mesh, b->error);
        if (status == FR_OK) { status = add_part(b, mesh, NULL); }
    } else {
        fr_error_set(b->error, status, "no memory for the cells of an object");
    }
    fr_deallocate(allocator, triangles, count, 36 * sizeof *triangles);
    fr_deallocate(allocator, positions, count, 24 * sizeof *positions);
    return status;
}

static fr_status take_part(const fr_model_part *made, void *context, fr_error *error) {
    fr__scene_stock *b = context;
    fr_status status = add_part(b, made->mesh, made->skin);
    if (status != FR_OK) { return status; }
    b->parts.data[b->parts.count - 1].pose = made->pose;
    uint32_t *node = fr_uint32_array_push(&b->nodes, 1);
    if (node == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts of a scene"); }
    *node = made->node;
    return FR_OK;
}

// Every node with polygons that can be touched becomes a part; nodes of one mesh share it. `play` may be NULL.
static fr_status add_nodes(fr__scene_stock *b, const fr_model *model, const fr_model_play *play) {
    fr_model_mesh_input input = fr_default_model_mesh_input();
    input.is_double = b->input->is_double;
    fr_model_format format = fr_model_get(model)->format;
    input.is_welded = b->input->is_welded && (format == FR_MODEL_STL || format == FR_MODEL_STL_ASCII);
    input.play = play;
    input.tasks = b->input->tasks;
    input.control = b->input->control;
    input.allocator = b->input->allocator;
    size_t before = b->parts.count;
    fr_status status = fr_model_parts(model, &input, take_part, b, b->error);
    if (status != FR_OK || b->parts.count > before) { return status; }
    return fr_error_set(b->error, FR_ERROR_ARGUMENT, "the model has no polygons that can be touched");
}

// The colour of the part with the most polygons: an object has one.
static fr_color find_color(const fr_model_view *view, const uint32_t *nodes, size_t count) {
    uint32_t most = 0, material = FR_NONE;
    for (size_t i = 0; i < count; i++) {
        const fr_model_node *node = &view->nodes[nodes[i]];
        if (node->material == FR_NONE || view->meshes[node->mesh].face_count <= most) { continue; }
        most = view->meshes[node->mesh].face_count;
        material = node->material;
    }
    if (material == FR_NONE) { return (fr_color){0, 0, 0, 0}; }
    fr_color color = fr_model_material_color(&view->materials[material]);
    return (fr_color){color.r, color.g, color.b, 255};
}

static fr_status load_beside(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    const fr__scene_beside *b = context;
    const char *slash = strrchr(b->model, '/');
    size_t folder = slash != NULL ? (size_t)(slash - b->model) + 1 : 0, length = strlen(path);
    char joined[2 * FR_SCENE_PATH_MAX_BYTES + 2];
    if (folder + length >= sizeof joined) {
        return fr_error_set(error, FR_ERROR_LIMIT, "the path of a file that a model refers to is too long");
    }
    memcpy(joined, b->model, folder);
    memcpy(joined + folder, path, length + 1);
    return b->files->load(joined, bytes, size, b->files->context, error);
}

static void unload_beside(const void *bytes, size_t size, void *context) {
    const fr__scene_beside *b = context;
    if (b->files->unload != NULL) { b->files->unload(bytes, size, b->files->context); }
}

fr_model_files fr__scene_files_beside(fr__scene_beside *beside) {
    return (fr_model_files){load_beside, unload_beside, beside};
}

// The model goes to the player, who keeps its looks, and all of it where it moves by itself; without `play` it does
// not.
static fr_status end_model(fr__scene_stock *b, fr_model *model, fr_model_play *play, const fr_model_files *files,
                           uint32_t *index) {
    fr_scene_player *player = b->input->player;
    uint32_t count = (uint32_t)b->nodes.count;
    size_t first = b->parts.count - count;
    const fr__scene_look_input looks = {model, b->nodes.data, b->parts.data + first, b->skins.data + first,
                                        count, files};
    if (!fr__scene_looks_add(fr__scene_player_looks(player), &looks)) {
        fr_model_play_destroy(play);
        fr_model_destroy(model);
        return fr_error_set(b->error, FR_ERROR_MEMORY, "no memory for the looks of a model");
    }
    if (play == NULL) {
        fr_model_destroy(model);
        return FR_OK;
    }
    fr_status status = fr__scene_player_take(player, model, play, b->nodes.data, count, files, index);
    return status == FR_OK ? FR_OK : fr_error_set(b->error, status, "no memory for a model that moves");
}

static fr__scene_source source_of(const fr_model_view *view) {
    return (fr__scene_source){.format = view->format,
                              .unit = view->unit,
                              .up = view->up,
                              .is_unit_guessed = view->is_unit_guessed,
                              .is_up_guessed = view->is_up_guessed,
                              .triangle_count = view->placed_triangle_count,
                              .bounds = view->bounds,
                              .has_looks = fr__scene_has_looks(view)};
}

// Reads a model by its path. With `played` it may move by itself, and its number with the player is written there.
// `object` is the one whose model it is, with the unit and the up axis that it gives; NULL: a class's.
static fr_status add_model(fr__scene_stock *b, const fr_scene_classes *files, const char *path,
                           const fr_scene_object *object, uint32_t *played) {
    const fr_scene_build_input *input = b->input;
    if (files->load == NULL) {
        return fr_error_set(b->error, FR_ERROR_UNSUPPORTED, "models are not loaded here; 'shape' is");
    }
    const void *bytes;
    size_t size;
    fr_status status = files->load(path, &bytes, &size, files->context, b->error);
    if (status != FR_OK) { return status; }

    fr_model_read_input reading = fr_default_model_read_input();
    reading.name = path;
    reading.control = input->control;
    reading.allocator = input->allocator;
    if (object != NULL) {
        reading.unit = object->unit;
        reading.up = object->up;
        reading.may_guess = object->is_guessed;
    }
    if (input->memory > 0) { fr_model_limits_set_memory(&reading.limits, input->memory); }
    fr__scene_beside near = {files, path};
    reading.files = fr__scene_files_beside(&near);
    fr_model *model;
    status = fr_model_read(bytes, size, &reading, &model, b->error);
    if (files->unload != NULL) { files->unload(bytes, size, files->context); }
    if (status != FR_OK) { return status; }
    b->source = source_of(fr_model_get(model));
    b->nodes.count = 0;
    fr_model_play *play = NULL;
    bool may_play = input->player != NULL && played != NULL && !input->is_added;
    if (may_play) { status = fr_model_play_create(model, &input->allocator, &play, b->error); }
    if (status == FR_OK) { status = add_nodes(b, model, play); }
    fr_color color = find_color(fr_model_get(model), b->nodes.data, b->nodes.count);
    if (played != NULL) { b->color = color; }
    if (status == FR_OK && input->player != NULL) { return end_model(b, model, play, &reading.files, played); }
    fr_model_play_destroy(play);
    fr_model_destroy(model);
    return status;
}

// The figure of a person who has none yet; its rigid pieces are made of the same.
static fr_status make_figure(fr__scene_stock *b, const fr_scene_person *person) {
    fr_figure_release(b->figure);
    b->figure = NULL;
    fr_skeleton *skeleton;
    fr_status status = fr__scene_person_skeleton(person, &b->input->allocator, &skeleton, b->error);
    if (status != FR_OK) { return status; }
    fr_figure_def def = fr_default_figure_def();
    def.skeleton = skeleton;
    def.detail = person->detail;
    def.curves = person->curves;
    def.seed = person->seed;
    def.allocator = b->input->allocator;
    status = fr_figure_create(&def, &b->figure, b->error);
    fr_skeleton_release(skeleton);
    return status;
}

// The skin of a person, whose looks go to the player, or one of its rigid pieces.
static fr_status add_person(fr__scene_stock *b, const fr_scene_object *object) {
    fr_status status = FR_OK;
    if (object->proxy == FR_NONE) { status = make_figure(b, &b->scene->view.people[object->person]); }
    if (status != FR_OK) { return status; }
    const fr_figure_view *figure = fr_figure_get(b->figure);
    if (object->proxy != FR_NONE) { return add_part(b, fr_mesh_retain(figure->proxies[object->proxy].mesh), NULL); }
    fr_scene_player *player = b->input->player;
    if (player != NULL && !fr__scene_looks_add_colors(fr__scene_player_looks(player), figure->mesh, figure->colors)) {
        return fr_error_set(b->error, FR_ERROR_MEMORY, "no memory for the looks of a person");
    }
    return add_part(b, fr_mesh_retain(figure->mesh), fr_skin_retain(figure->skin));
}

// The models of a class one after another; the first may move by itself.
static fr_status add_class(fr__scene_stock *b, const fr_scene_object *object, uint32_t *played) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < object->model_count && status == FR_OK; i++) {
        status = add_model(b, &b->input->classes, object->models[i], NULL, i == 0 ? played : NULL);
    }
    return status;
}

static fr_status add_source(fr__scene_stock *b, const fr_scene_object *object, uint32_t *played) {
    const fr_scene_build_input *input = b->input;
    const fr_scene_classes beside_scene = {.load = input->load, .unload = input->unload, .context = input->context};
    if (object->class_name != NULL) { return add_class(b, object, played); }
    if (object->model != NULL) { return add_model(b, &beside_scene, object->model, object, played); }
    if (object->shape != NULL) { return add_shape(b, object->shape); }
    return object->person != FR_NONE ? add_person(b, object) : add_cells(b, object);
}

// Makes the parts of all objects, each source once, in the order of the objects.
static fr_status add_parts(fr__scene_stock *b) {
    const fr_scene_view *view = &b->scene->view;
    fr_scene_player *player = b->input->player;
    for (uint32_t i = 0; i < view->object_count; i++) {
        fr_control_progress(b->input->control, (double)i / (double)view->object_count, "models");
        if (b->first[i] != i) {
            b->ranges[i] = b->ranges[b->first[i]];
            b->played[i] = b->played[b->first[i]];
            if (b->sources != NULL) { b->sources[i] = b->sources[b->first[i]]; }
            if (player != NULL) { fr__scene_player_set_color(player, i, fr__scene_player_color(player, b->first[i])); }
            continue;
        }
        const fr_scene_object *object = &view->objects[i];
        b->ranges[i].first = (uint32_t)b->parts.count;
        b->played[i] = FR_NONE;
        fr_status status = add_source(b, object, &b->played[i]);
        if (status != FR_OK) { return located(b, i, status); }
        if (b->sources != NULL) { b->sources[i] = b->source; }
        bool has_model = object->model != NULL || object->class_name != NULL;
        if (player != NULL && has_model) { fr__scene_player_set_color(player, i, b->color); }
        if (b->parts.count > FR_SPACE_MAX_PARTS) {
            return located(b, i, fr_error_set(b->error, FR_ERROR_LIMIT, "the models have too many parts"));
        }
        b->ranges[i].count = (uint32_t)b->parts.count - b->ranges[i].first;
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Who is made of the same

static bool source_is_before(const source *a, const source *b) {
    if (a->kind != b->kind) { return a->kind < b->kind; }
    int order = strcmp(a->text, b->text);
    if (order != 0) { return order < 0; }
    const fr_scene_object *p = a->made, *q = b->made;
    if (p->unit != q->unit) { return p->unit < q->unit; }
    if (p->up != q->up) { return p->up < q->up; }
    if (p->is_guessed != q->is_guessed) { return q->is_guessed; }
    return a->object < b->object;
}

FR_SORT_TYPE(sort_sources, source, source_is_before);

static bool is_same_source(const source *a, const source *b) {
    // Cells have no name: each object of them is made of its own
    return a->kind == b->kind && a->text[0] != '\0' && strcmp(a->text, b->text) == 0 &&
           a->made->unit == b->made->unit && a->made->up == b->made->up && a->made->is_guessed == b->made->is_guessed;
}

// People of the same measures and looks share skin and pieces.
static bool is_same_person(const fr_scene_person *a, const fr_scene_person *b) {
    const fr_body_def *p = &a->body, *q = &b->body;
    bool is_same_body = p->stature == q->stature && p->mass == q->mass && p->head == q->head && p->leg == q->leg &&
                        p->arm == q->arm && p->shoulder_width == q->shoulder_width && p->hip_width == q->hip_width &&
                        p->foot == q->foot;
    return is_same_body && a->detail == b->detail && a->curves == b->curves && a->seed == b->seed &&
           a->solid == b->solid;
}

// Each person is compared with those that differ from one another.
static void find_first_people(fr__scene_stock *b) {
    const fr_scene_view *view = &b->scene->view;
    for (uint32_t i = 0; i < view->person_count; i++) {
        const fr_scene_person *person = &view->people[i];
        uint32_t same = 0;
        while (b->first[view->people[same].object] != view->people[same].object ||
               !is_same_person(&view->people[same], person)) {
            same++; // the person itself at the latest
        }
        uint32_t count = person->solid == FR_SCENE_SOLID_LINKS ? 1 + FR_FIGURE_PROXY_COUNT : 1;
        for (uint32_t k = 0; k < count; k++) {
            b->first[person->object + k] = view->people[same].object + k;
        }
    }
}

static fr_status find_first(fr__scene_stock *b) {
    const fr_scene_view *view = &b->scene->view;
    size_t count = view->object_count;
    source *sources = fr_allocate(&b->input->allocator, count, sizeof *sources, alignof(source));
    if (sources == NULL) { return fr_error_set(b->error, FR_ERROR_MEMORY, "no memory for the objects of a scene"); }
    for (uint32_t i = 0; i < count; i++) {
        const fr_scene_object *o = &view->objects[i];
        source_kind kind = o->model != NULL ? SOURCE_MODEL : o->class_name != NULL ? SOURCE_CLASS : SOURCE_SHAPE;
        const char *text = kind == SOURCE_MODEL ? o->model : kind == SOURCE_CLASS ? o->class_name : o->shape;
        sources[i] = (source){text != NULL ? text : "", kind, o, i};
    }
    sort_sources(sources, count);
    for (size_t i = 0; i < count; i++) {
        bool again = i > 0 && is_same_source(&sources[i - 1], &sources[i]);
        uint32_t object = sources[i].object;
        b->first[object] = again ? b->first[sources[i - 1].object] : object;
    }
    fr_deallocate(&b->input->allocator, sources, count, sizeof *sources);
    find_first_people(b);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Objects

static fr_status set_skins(fr__scene_stock *b, uint32_t i, fr_object_id id) {
    fr_skin *const *skins = b->skins.data + b->ranges[i].first;
    fr_status status = FR_OK;
    for (uint32_t part = 0; part < b->ranges[i].count && status == FR_OK; part++) {
        if (skins[part] == NULL) { continue; }
        status = fr_object_set_skin(b->space, id, part, skins[part], FR_SKIN_LINEAR, b->error);
    }
    return status;
}

static fr_status add_object(fr__scene_stock *b, uint32_t i, fr_object_id *id) {
    const fr_scene_object *object = &b->scene->view.objects[i];
    fr_object_def def = fr_default_object_def();
    def.parts = b->parts.data + b->ranges[i].first;
    def.part_count = b->ranges[i].count;
    def.pose = fr_scene_pose(b->scene, i, b->input->k);
    def.pivot_local = object->pivot_local;
    def.filter = object->filter;
    def.flags = object->flags;
    def.user = (void *)object;
    fr_status status = fr_object_add(b->space, &def, id, b->error);
    if (status != FR_OK) { return status; }
    status = set_skins(b, i, *id);
    if (status == FR_OK) { status = fr__scene_person_place(b->scene, i, b->space, *id, b->error); }
    fr_scene_player *player = b->input->player;
    if (status == FR_OK && player != NULL && !fr__scene_player_assign(player, object, i, *id, b->played[i])) {
        status = fr_error_set(b->error, FR_ERROR_MEMORY, "no memory for the sounds of a scene");
    }
    if (status != FR_OK) { fr_object_remove(b->space, *id, NULL); }
    return status;
}

static void remove_objects(fr__scene_stock *b, const fr_object_id *ids, uint32_t count) {
    while (count > 0) {
        fr_object_remove(b->space, ids[--count], NULL);
    }
}

static fr_status add_objects(fr__scene_stock *b, fr_object_id *ids) {
    for (uint32_t i = 0; i < b->scene->view.object_count; i++) {
        fr_status status = add_object(b, i, &ids[i]);
        if (status == FR_OK) { continue; }
        remove_objects(b, ids, i);
        return located(b, i, status);
    }
    return FR_OK;
}

static fr_status add_joints(fr__scene_stock *b, const fr_object_id *ids) {
    const fr_scene_view *view = &b->scene->view;
    const fr_object_id world = {0, 0, 0};
    for (uint32_t i = 0; i < view->joint_count; i++) {
        const fr_scene_joint *joint = &view->joints[i];
        fr_object_id parent = joint->parent != FR_NONE ? ids[joint->parent] : world;
        fr_joint made = fr__scene_joint(b->scene, i, parent, ids[joint->child]);
        fr_joint_id id;
        fr_status status = fr_joint_add(b->space, &made, &id, b->error);
        if (status == FR_OK) { continue; }
        remove_objects(b, ids, view->object_count);
        return located(b, joint->child, status);
    }
    return FR_OK;
}

// Models that move by themselves are put where they are at the time of the step.
static fr_status place_players(fr__scene_stock *b, const fr_object_id *ids) {
    const fr_scene_build_input *input = b->input;
    if (input->player == NULL || input->is_added) { return FR_OK; }
    double time = fr_scene_time(b->scene, input->k);
    fr_status status = fr_scene_player_place(input->player, b->space, time, b->error);
    if (status != FR_OK) { remove_objects(b, ids, b->scene->view.object_count); }
    return status;
}

static fr_status begin(fr__scene_stock *b) {
    size_t count = b->count;
    b->ranges = fr_allocate(&b->allocator, count, sizeof *b->ranges, alignof(part_range));
    b->first = fr_allocate(&b->allocator, count, sizeof *b->first, alignof(uint32_t));
    b->played = fr_allocate(&b->allocator, count, sizeof *b->played, alignof(uint32_t));
    bool is_begun =
        b->ranges != NULL && b->first != NULL && b->played != NULL &&
        (b->input->player == NULL || fr__scene_player_begin(b->input->player, b->scene, b->input->is_added));
    return is_begun ? FR_OK : fr_error_set(b->error, FR_ERROR_MEMORY, "no memory for the objects of a scene");
}

static fr__scene_stock make_stock(const fr_scene *scene, const fr_scene_build_input *input, fr_error *error) {
    fr__scene_stock b = {.scene = scene, .input = input, .error = error, .count = scene->view.object_count};
    b.allocator = fr_allocator_or_default(&input->allocator);
    b.parts = fr__scene_part_array_make(&b.allocator);
    b.skins = part_skin_array_make(&b.allocator);
    b.nodes = fr_uint32_array_make(&b.allocator);
    return b;
}

// Reads and makes what all objects are made of.
static fr_status fill_stock(fr__scene_stock *b) {
    fr_status status = begin(b);
    if (status == FR_OK) { status = find_first(b); }
    return status == FR_OK ? add_parts(b) : status;
}

static void free_stock(fr__scene_stock *b) {
    const fr_part_def *parts = b->parts.data;
    for (size_t i = 0; i < b->parts.count; i++) {
        fr_mesh_release(parts[i].mesh);
    }
    for (size_t i = 0; i < b->skins.count; i++) {
        fr_skin_release(b->skins.data[i]);
    }
    fr__scene_part_array_destroy(&b->parts);
    part_skin_array_destroy(&b->skins);
    fr_uint32_array_destroy(&b->nodes);
    fr_figure_release(b->figure);
    fr_deallocate(&b->allocator, b->played, b->count, sizeof *b->played);
    fr_deallocate(&b->allocator, b->first, b->count, sizeof *b->first);
    fr_deallocate(&b->allocator, b->ranges, b->count, sizeof *b->ranges);
}

static fr_status build(fr__scene_stock *b, fr_object_id *ids) {
    fr_status status = add_objects(b, ids);
    if (status == FR_OK) { status = add_joints(b, ids); }
    return status == FR_OK ? place_players(b, ids) : status;
}

fr_status fr_scene_build(const fr_scene *scene, const fr_scene_build_input *input, fr_space *space, fr_object_id *ids,
                         fr_error *error) {
    FR_ASSERT(scene != NULL && space != NULL && (ids != NULL || scene->view.object_count == 0));
    fr_scene_build_input defaults = fr_default_scene_build_input();
    if (input == NULL) { input = &defaults; }
    if (input->cookie != BUILD_COOKIE) { return fr_error_set_cookie(error, "fr_default_scene_build_input"); }
    FR_ASSERT(input->k <= scene->view.steps);
    fr_error unasked;
    if (error == NULL) { error = &unasked; }
    *error = (fr_error){0};
    if (scene->view.object_count == 0) { return FR_OK; }

    fr__scene_stock b = make_stock(scene, input, error);
    fr_status status = fill_stock(&b);
    b.space = space;
    if (status == FR_OK) { status = build(&b, ids); }
    if (status != FR_OK && input->player != NULL && !input->is_added) { fr__scene_player_clear(input->player); }
    free_stock(&b);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// In two steps

fr_status fr__scene_stock_create(const fr_scene *scene, const fr_scene_build_input *input, fr__scene_stock **out,
                                 fr_error *error) {
    fr_allocator allocator = fr_allocator_or_default(&input->allocator);
    fr__scene_stock *b = fr_allocate(&allocator, 1, sizeof *b, alignof(fr__scene_stock));
    *out = b;
    if (b == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the models of a scene"); }
    *b = make_stock(scene, input, error);
    b->sources = fr_allocate(&allocator, b->count, sizeof *b->sources, alignof(fr__scene_source));
    fr_status status = b->sources != NULL ? fill_stock(b) : fr_error_set(error, FR_ERROR_MEMORY, "no memory");
    if (status == FR_OK) { return FR_OK; }
    fr__scene_stock_destroy(b);
    *out = NULL;
    return status;
}

const fr__scene_source *fr__scene_stock_sources(const fr__scene_stock *stock) { return stock->sources; }

void fr__scene_stock_destroy(fr__scene_stock *stock) {
    if (stock == NULL) { return; }
    fr_allocator allocator = stock->allocator;
    fr_deallocate(&allocator, stock->sources, stock->count, sizeof *stock->sources);
    free_stock(stock);
    fr_deallocate(&allocator, stock, 1, sizeof *stock);
}

fr_status fr__scene_stock_build(fr__scene_stock *stock, const fr_scene *scene, const fr_scene_build_input *input,
                                fr_space *space, fr_object_id *ids, fr_error *error) {
    FR_ASSERT(stock->count == scene->view.object_count && error != NULL);
    stock->scene = scene;
    stock->input = input;
    stock->space = space;
    stock->error = error;
    if (input->player != NULL) { fr__scene_player_set_scene(input->player, scene); }
    return build(stock, ids);
}

fr_status fr_scene_place(const fr_scene *scene, uint32_t k, fr_space *space, const fr_object_id *ids, fr_error *error) {
    for (uint32_t i = 0; i < scene->view.object_count; i++) {
        fr_pose pose = fr_scene_pose(scene, i, k);
        fr_status status = fr_object_set_pose(space, ids[i], &pose, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static bool moves(const fr_motion *motion) {
    fr_vec3 zero = {0.0, 0.0, 0.0};
    return !fr_vec3_equal(motion->travel, zero) || !fr_vec3_equal(motion->turn, zero);
}

fr_status fr_scene_move(const fr_scene *scene, uint32_t k, fr_space *space, const fr_object_id *ids, fr_error *error) {
    for (uint32_t i = 0; i < scene->view.object_count; i++) {
        fr_motion motion = fr_scene_motion(scene, i, k);
        fr_status status = fr_object_set_pose(space, ids[i], &motion.start, error);
        if (status == FR_OK && moves(&motion)) {
            fr_pose end = fr_scene_pose(scene, i, k + 1);
            status = fr_object_set_motion(space, ids[i], &motion, &end, error);
        }
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}
