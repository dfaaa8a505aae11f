// Model files that become objects of a world: read by a scene of one object each, which is then written again with
// places, units and colours.
#include "scene/scene_layout.h"
#include "scene/scene_play.h"

#include "fureai/scene_import.h"

#include <inttypes.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

#define IMPORT_COOKIE UINT32_C(0x73696d31)

enum { NUMBERED_MAX = 100000 };

FR_ARRAY_TYPE(import_file_array, const char *);

struct fr_scene_import {
    fr_scene_import_def def;
    fr_allocator allocator;
    fr_scene *scene;  // that is shown; until it is added the one that was read
    fr_scene *before; // that was read, once it was added
    fr_scene_player *player;
    fr_scene_build_input building;
    fr__scene_stock *stock;
    fr_imported_model *models;
    fr_object_id *ids;       // of the objects, once they were added
    fr_color *colors;        // of the palette; alpha 0: the model's own
    import_file_array files; // that were loaded, in `names`
    fr_arena *names;
};

fr_scene_import_def fr_default_scene_import_def(void) { return (fr_scene_import_def){.cookie = IMPORT_COOKIE}; }

// ---------------------------------------------------------------------------------------------------------------
// The text of a scene

static bool append_text(const void *bytes, size_t size, void *context) {
    unsigned char *place = fr_byte_array_push(context, size);
    if (place != NULL) { memcpy(place, bytes, size); }
    return place != NULL;
}

static void write_unit(fr_json_writer *j, double unit) {
    static const char *const names[] = {"mm", "cm", "m", "km", "in", "ft"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (fr_model_unit_of_text(names[i]) == unit) {
            fr_json_write_string_field(j, "unit", names[i]);
            return;
        }
    }
    fr_json_write_number_field(j, "unit", unit);
}

static const char *up_name(fr_model_up up) {
    static const char *const names[] = {"y", "x", "y", "z"};
    return names[up];
}

// What is written of an object; NULL and 0 of what is not known yet.
typedef struct object_text {
    const char *name, *folder, *path;
    double unit;
    fr_model_up up;
    bool is_guessed;
    const fr_pose *pose;
    fr_color color; // alpha 0: none
} object_text;

static void write_object(fr_json_writer *j, const object_text *text) {
    char path[FR_SCENE_PATH_MAX_BYTES + 1];
    snprintf(path, sizeof path, "%s%s", text->folder != NULL ? text->folder : "", text->path);
    fr_json_write_object(j);
    fr_json_write_string_field(j, "name", text->name);
    fr_json_write_string_field(j, "model", path);
    if (text->unit > 0.0) { write_unit(j, text->unit); }
    if (text->up != FR_MODEL_UP_AS_FILE) { fr_json_write_string_field(j, "up", up_name(text->up)); }
    if (text->is_guessed && text->unit == 0.0) { fr_json_write_string_field(j, "unit", "guess"); }
    if (text->is_guessed && text->up == FR_MODEL_UP_AS_FILE) { fr_json_write_string_field(j, "up", "guess"); }
    if (text->pose != NULL) {
        const fr_pose *p = text->pose;
        const double rotation[4] = {p->rotation.w, p->rotation.x, p->rotation.y, p->rotation.z};
        const double position[3] = {p->position.x, p->position.y, p->position.z};
        fr_json_write_numbers_field(j, "position", position, 3);
        if (rotation[0] != 1.0) { fr_json_write_numbers_field(j, "rotation", rotation, 4); }
        if (p->scale != 1.0) { fr_json_write_number_field(j, "scale", p->scale); }
    }
    if (text->color.a > 0) {
        const double color[3] = {text->color.r, text->color.g, text->color.b};
        fr_json_write_numbers_field(j, "color", color, 3);
    }
    fr_json_write_object_end(j);
}

static void begin_scene(fr_json_writer *j, const char *title, double step) {
    j->indent = 2;
    j->line_depth = 2;
    fr_json_write_object(j);
    fr_json_write_int_field(j, "fureai", 1);
    if (title != NULL) { fr_json_write_string_field(j, "title", title); }
    fr_json_write_number_field(j, "step", step);
    fr_json_write_key(j, "objects");
    fr_json_write_array(j);
}

static bool end_scene(fr_json_writer *j) {
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
    return fr_json_writer_end(j);
}

// What is known of model `i` and goes into a scene file: unit and axis where the file does not say them itself.
static object_text text_of(const fr_scene_import *import, uint32_t i) {
    const fr_imported_model *model = &import->models[i];
    object_text text = {.name = model->name, .path = model->path};
    if (model->is_unit_guessed || import->def.unit > 0.0) { text.unit = model->unit; }
    if (model->is_up_guessed || import->def.up != FR_MODEL_UP_AS_FILE) { text.up = model->up; }
    text.color = import->colors[i];
    return text;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for models that are imported");
}

static void unload_file(const void *bytes, size_t size, void *context) {
    const fr_scene_import *import = context;
    if (import->def.unload != NULL) { import->def.unload(bytes, size, import->def.context); }
}

// Remembers that a file was loaded. False without memory.
static bool note_file(fr_scene_import *import, const char *path) {
    for (size_t i = 0; i < import->files.count; i++) {
        if (strcmp(import->files.data[i], path) == 0) { return true; }
    }
    size_t bytes = strlen(path) + 1;
    char *copy = fr_arena_alloc(import->names, bytes, 1, 1);
    const char **place = copy != NULL ? import_file_array_push(&import->files, 1) : NULL;
    if (place == NULL) { return false; }
    memcpy(copy, path, bytes);
    *place = copy;
    return true;
}

// A model by its path, or a file that one refers to.
static fr_status load_file(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    fr_scene_import *import = context;
    const fr_scene_import_def *def = &import->def;
    fr_status status = def->load(path, bytes, size, def->context, error);
    bool is_model = false;
    for (uint32_t i = 0; i < def->path_count && !is_model; i++) {
        is_model = strcmp(def->paths[i], path) == 0;
    }
    if (status != FR_OK && !is_model && def->missing != NULL) { def->missing(path, def->context); }
    if (status == FR_OK && !note_file(import, path)) {
        unload_file(*bytes, *size, context);
        return no_memory(error);
    }
    return status;
}

static fr_status read_scene_text(const fr_byte_array *text, const fr_allocator *allocator, fr_scene **out,
                                 fr_error *error) {
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.allocator = *allocator;
    return fr_scene_read(text->data, text->count, &reading, out, error);
}

// The scene by which the models are read; its objects have numbers as names.
static fr_status read_first(fr_scene_import *import, fr_error *error) {
    fr_byte_array text = fr_byte_array_make(&import->allocator);
    fr_json_writer j = fr_json_writer_make(append_text, &text, 0, &import->allocator);
    begin_scene(&j, NULL, 1.0);
    for (uint32_t i = 0; i < import->def.path_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "%" PRIu32, i);
        object_text object = {.name = name, .path = import->def.paths[i], .unit = import->def.unit};
        object.up = import->def.up;
        object.is_guessed = true;
        write_object(&j, &object);
    }
    fr_status status = end_scene(&j) ? read_scene_text(&text, &import->allocator, &import->scene, error) //
                                     : no_memory(error);
    fr_byte_array_destroy(&text);
    return status;
}

// The scene is a text of ours: an error is about the file of the object that it is at.
static void name_file(const fr_scene_import *import, fr_error *error) {
    if (error->path[0] != '\0' || error->line == 0) { return; }
    const fr_scene_view *scene = fr_scene_get(import->scene);
    for (uint32_t i = 0; i < scene->object_count; i++) {
        if (scene->objects[i].line == error->line && scene->objects[i].column == error->column) {
            fr_error_locate(error, import->def.paths[i], 0, 0);
            return;
        }
    }
}

static fr_status read_models(fr_scene_import *import, fr_error *error) {
    const fr_scene_import_def *def = &import->def;
    fr_scene_build_input *building = &import->building;
    *building = fr_default_scene_build_input();
    building->load = load_file;
    building->unload = unload_file;
    building->context = import;
    building->is_double = true;
    building->is_welded = true;
    building->player = import->player;
    building->memory = def->memory;
    building->tasks = def->tasks;
    building->control = def->control;
    building->allocator = import->allocator;
    fr_status status = fr__scene_stock_create(import->scene, building, &import->stock, error);
    if (status != FR_OK) {
        name_file(import, error);
        return status;
    }
    const fr__scene_source *sources = fr__scene_stock_sources(import->stock);
    for (uint32_t i = 0; i < def->path_count; i++) {
        const fr__scene_source *from = &sources[i];
        import->models[i] = (fr_imported_model){.path = def->paths[i],
                                                .format = from->format,
                                                .unit = from->unit,
                                                .up = from->up,
                                                .is_unit_guessed = from->is_unit_guessed,
                                                .is_up_guessed = from->is_up_guessed,
                                                .has_looks = from->has_looks,
                                                .triangle_count = from->triangle_count,
                                                .bounds = from->bounds,
                                                .name = ""};
    }
    return FR_OK;
}

static fr_status check_def(const fr_scene_import_def *def, fr_error *error) {
    if (def->cookie != IMPORT_COOKIE) { return fr_error_set_cookie(error, "fr_default_scene_import_def"); }
    FR_ASSERT(def->load != NULL && def->paths != NULL);
    if (def->path_count < 1 || def->path_count > FR_IMPORT_MAX_MODELS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%" PRIu32 " models; 1 to %u are imported at once", def->path_count,
                            FR_IMPORT_MAX_MODELS);
    }
    for (uint32_t i = 0; i < def->path_count; i++) {
        if (strlen(def->paths[i]) > FR_SCENE_PATH_MAX_BYTES) {
            return fr_error_set(error, FR_ERROR_LIMIT, "the path of a model has more than %d bytes",
                                FR_SCENE_PATH_MAX_BYTES);
        }
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(def->paths[k], def->paths[i]) == 0) {
                return fr_error_set(error, FR_ERROR_ARGUMENT, "the model '%.200s' is there twice", def->paths[i]);
            }
        }
    }
    return FR_OK;
}

fr_status fr_scene_import_create(const fr_scene_import_def *def, fr_scene_import **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    fr_error unasked;
    if (error == NULL) { error = &unasked; }
    *error = (fr_error){0};
    *out = NULL;
    fr_status status = check_def(def, error);
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_scene_import *import =
        status == FR_OK ? fr_allocate(&allocator, 1, sizeof *import, alignof(fr_scene_import)) : NULL;
    if (import == NULL) {
        if (def->release != NULL) { def->release(def->context); }
        return status != FR_OK ? status : no_memory(error);
    }
    *import = (fr_scene_import){.def = *def, .allocator = allocator};
    import->files = import_file_array_make(&allocator);
    uint32_t count = def->path_count;
    import->models = fr_allocate(&allocator, count, sizeof *import->models, alignof(fr_imported_model));
    import->ids = fr_allocate(&allocator, count, sizeof *import->ids, alignof(fr_object_id));
    import->colors = fr_allocate(&allocator, count, sizeof *import->colors, alignof(fr_color));
    bool has_lists = import->models != NULL && import->ids != NULL && import->colors != NULL;
    status = has_lists ? fr_arena_create(0, &allocator, &import->names, error) : no_memory(error);
    if (status == FR_OK) { status = fr_scene_player_create(&allocator, &import->player, error); }
    if (status == FR_OK) { status = read_first(import, error); }
    if (status == FR_OK) { status = read_models(import, error); }
    if (status != FR_OK) {
        fr_scene_import_destroy(import);
        return status;
    }
    *out = import;
    return FR_OK;
}

void fr_scene_import_destroy(fr_scene_import *import) {
    if (import == NULL) { return; }
    fr_allocator allocator = import->allocator;
    uint32_t count = import->def.path_count;
    fr__scene_stock_destroy(import->stock);
    fr_scene_player_destroy(import->player);
    fr_scene_destroy(import->before);
    fr_scene_destroy(import->scene);
    import_file_array_destroy(&import->files);
    fr_arena_destroy(import->names);
    if (import->def.release != NULL) { import->def.release(import->def.context); }
    fr_deallocate(&allocator, import->colors, count, sizeof *import->colors);
    fr_deallocate(&allocator, import->ids, count, sizeof *import->ids);
    fr_deallocate(&allocator, import->models, count, sizeof *import->models);
    fr_deallocate(&allocator, import, 1, sizeof *import);
}

const fr_imported_model *fr_scene_import_models(const fr_scene_import *import, uint32_t *count) {
    *count = import->def.path_count;
    return import->models;
}

// ---------------------------------------------------------------------------------------------------------------
// Files again

const char *fr_scene_import_file(const fr_scene_import *import, uint32_t index) {
    return index < import->files.count ? import->files.data[index] : NULL;
}

fr_status fr_scene_import_load(const fr_scene_import *import, const char *path, const void **bytes, size_t *size,
                               fr_error *error) {
    return import->def.load(path, bytes, size, import->def.context, error);
}

void fr_scene_import_unload(const fr_scene_import *import, const void *bytes, size_t size) {
    if (import->def.unload != NULL) { import->def.unload(bytes, size, import->def.context); }
}

fr_status fr_scene_import_model(const fr_scene_import *import, uint32_t index, const fr_control *control,
                                fr_model **out, fr_error *error) {
    FR_ASSERT(index < import->def.path_count);
    const fr_imported_model *model = &import->models[index];
    const void *bytes;
    size_t size;
    *out = NULL;
    fr_status status = fr_scene_import_load(import, model->path, &bytes, &size, error);
    if (status != FR_OK) { return status; }
    const fr_scene_classes files = {
        .load = import->def.load, .unload = import->def.unload, .context = import->def.context};
    fr__scene_beside beside = {&files, model->path};
    fr_model_read_input reading = fr_default_model_read_input();
    reading.name = model->path;
    reading.unit = model->is_unit_guessed || import->def.unit > 0.0 ? model->unit : 0.0;
    reading.up = model->is_up_guessed || import->def.up != FR_MODEL_UP_AS_FILE ? model->up : FR_MODEL_UP_AS_FILE;
    reading.files = fr__scene_files_beside(&beside);
    reading.control = control;
    reading.allocator = import->allocator;
    if (import->def.memory > 0) { fr_model_limits_set_memory(&reading.limits, import->def.memory); }
    status = fr_model_read(bytes, size, &reading, out, error);
    fr_scene_import_unload(import, bytes, size);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// A sentence

// A length in the unit that shows it with one to three digits before the point.
static const char *unit_of_length(double metres, double *value) {
    bool is_small = metres < 0.1, is_large = metres >= 1000.0;
    *value = metres * (is_small ? 1000.0 : is_large ? 0.001 : 1.0);
    return is_small ? "mm" : is_large ? "km" : "m";
}

static void write_count(uint64_t count, char text[32]) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) { text[at++] = ','; }
        text[at++] = digits[i];
    }
    text[at] = '\0';
}

void fr_imported_model_text(const fr_imported_model *model, char text[FR_IMPORTED_TEXT_BYTES]) {
    const char *slash = strrchr(model->path, '/');
    const char *file = slash != NULL ? slash + 1 : model->path;
    fr_vec3 size = fr_vec3_make(0.0, 0.0, 0.0);
    if (!fr_bounds_is_empty(&model->bounds)) { size = fr_vec3_sub(model->bounds.max, model->bounds.min); }
    double largest = fr_vec3_largest(size), shown;
    const char *unit = unit_of_length(largest, &shown);
    double scale = largest > 0.0 ? shown / largest : 1.0;
    char count[32], frame[64] = "";
    write_count(model->triangle_count, count);
    if (model->is_unit_guessed || model->is_up_guessed) {
        snprintf(frame, sizeof frame, "; guessed:%s%s%s%s", model->is_unit_guessed ? " unit " : "",
                 !model->is_unit_guessed ? ""
                 : model->unit < 1.0     ? "mm"
                                         : "m",
                 model->is_unit_guessed && model->is_up_guessed ? "," : "", model->is_up_guessed ? " up " : "");
        if (model->is_up_guessed) { strcat(frame, up_name(model->up)); }
    }
    snprintf(text, FR_IMPORTED_TEXT_BYTES, "%.100s: %.3g x %.3g x %.3g %s, %s triangles%s", file, scale * size.x,
             scale * size.y, scale * size.z, unit, count, frame);
}

// ---------------------------------------------------------------------------------------------------------------
// Adding

// The box about what may move, where new objects are put beside; of all that is there where nothing may.
static fr_bounds find_taken(const fr_space *space, uint32_t *count) {
    fr_bounds moving = fr_bounds_empty(), all = fr_bounds_empty();
    *count = 0;
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = fr_object_get(space, id);
        fr_bounds box;
        if (view == NULL) { continue; }
        (*count)++;
        if (fr_object_bounds(space, id, &box, NULL) != FR_OK || fr_bounds_is_empty(&box)) { continue; }
        all = fr_bounds_union(&all, &box);
        if ((view->flags & FR_OBJECT_STATIC) == 0) { moving = fr_bounds_union(&moving, &box); }
    }
    return fr_bounds_is_empty(&moving) ? all : moving;
}

static bool is_name_taken(const fr_scene_import *import, uint32_t before, const fr_world *world, const char *name) {
    for (uint32_t i = 0; i < before; i++) {
        if (strcmp(import->models[i].name, name) == 0) { return true; }
    }
    return fr_world_find(world, name).index1 != 0;
}

// The name of a file without folder and ending, with a number where another object has it.
static fr_status name_model(fr_scene_import *import, uint32_t i, const fr_world *world, fr_error *error) {
    const char *path = import->def.paths[i], *slash = strrchr(path, '/');
    const char *file = slash != NULL ? slash + 1 : path, *dot = strrchr(file, '.');
    size_t length = dot != NULL && dot != file ? (size_t)(dot - file) : strlen(file);
    enum { SUFFIX_BYTES = 16 };
    size_t longest = FR_WORLD_NAME_MAX_BYTES - SUFFIX_BYTES, fits = 0, at = 0;
    while (at < length && at <= longest) { // whole characters alone
        size_t bytes = fr_utf8_length(file + at, length - at);
        fits = at;
        at += bytes > 0 ? bytes : 1;
    }
    if (at <= longest) { fits = length; }
    char *name = fr_arena_alloc(import->names, FR_WORLD_NAME_MAX_BYTES + 1, 1, 1);
    if (name == NULL) { return no_memory(error); }
    snprintf(name, FR_WORLD_NAME_MAX_BYTES + 1, "%.*s", (int)fits, fits > 0 ? file : "");
    if (fits == 0) { snprintf(name, FR_WORLD_NAME_MAX_BYTES + 1, "model"); }
    size_t base = strlen(name);
    for (int number = 2; number < NUMBERED_MAX && is_name_taken(import, i, world, name); number++) {
        snprintf(name + base, SUFFIX_BYTES, " %d", number);
    }
    import->models[i].name = name;
    return FR_OK;
}

static void choose_places(fr_scene_import *import, const fr_space *space, fr__layout_item *items) {
    uint32_t count = import->def.path_count, there;
    fr_bounds taken = find_taken(space, &there);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = (fr__layout_item){.bounds = import->models[i].bounds};
        fr_color own = {0, 0, 0, 0};
        import->colors[i] = import->models[i].has_looks ? own : fr__palette_color(there + i);
    }
    if (!import->def.is_in_place) { fr__layout_rows(items, count, &taken); }
}

// The scene that is shown: with names, places and colours, in steps of the world.
static fr_status read_second(fr_scene_import *import, fr_world *world, fr_scene **out, fr_error *error) {
    uint32_t count = import->def.path_count;
    fr__layout_item *items = fr_allocate(&import->allocator, count, sizeof *items, alignof(fr__layout_item));
    if (items == NULL) { return no_memory(error); }
    choose_places(import, fr_world_space(world), items);
    fr_byte_array text = fr_byte_array_make(&import->allocator);
    fr_json_writer j = fr_json_writer_make(append_text, &text, 0, &import->allocator);
    begin_scene(&j, NULL, fr_world_step(world));
    for (uint32_t i = 0; i < count; i++) {
        fr_pose pose = fr_pose_identity();
        pose.position = items[i].position;
        object_text object = text_of(import, i);
        object.pose = &pose;
        write_object(&j, &object);
    }
    fr_status status = end_scene(&j) ? read_scene_text(&text, &import->allocator, out, error) : no_memory(error);
    fr_byte_array_destroy(&text);
    fr_deallocate(&import->allocator, items, count, sizeof *items);
    return status;
}

// Models that move by themselves are played, as far as the world takes further movers; else they stand.
static void add_mover(fr_scene_import *import, fr_world *world) {
    bool is_moving = false;
    for (uint32_t i = 0; i < import->def.path_count; i++) {
        is_moving = is_moving || fr__scene_player_moves(import->player, i);
    }
    const fr_corrector mover = {"player", fr__scene_player_mover, import->player};
    if (is_moving) { (void)fr_world_add_mover(world, &mover, NULL); }
}

static fr_status label_objects(const fr_scene_import *import, const fr_scene *scene, fr_world *world, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < import->def.path_count && status == FR_OK; i++) {
        fr_color own = fr__scene_player_color(import->player, i);
        bool is_own = import->colors[i].a == 0 && own.a > 0;
        fr_label label = {scene->view.objects[i].name, is_own ? own : scene->view.objects[i].color};
        status = fr_world_set_label(world, import->ids[i], &label, error);
    }
    return status;
}

fr_status fr_scene_import_add(fr_scene_import *import, fr_world *world, fr_scene_player *player, fr_error *error) {
    FR_ASSERT(import != NULL && world != NULL && player != NULL && import->stock != NULL);
    uint32_t count = import->def.path_count;
    fr_error unasked;
    if (error == NULL) { error = &unasked; }
    *error = (fr_error){0};
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        status = name_model(import, i, world, error);
    }
    fr_scene *scene = NULL;
    if (status == FR_OK) { status = read_second(import, world, &scene, error); }
    if (status != FR_OK) { return status; }
    fr_space *space = fr_world_space(world);
    import->building.control = NULL;
    status = fr__scene_stock_build(import->stock, scene, &import->building, space, import->ids, error);
    if (status != FR_OK) {
        fr_scene_destroy(scene);
        return status;
    }
    status = label_objects(import, scene, world, error);
    if (status == FR_OK &&
        !fr__scene_looks_append(fr__scene_player_looks(player), fr__scene_player_looks(import->player))) {
        status = no_memory(error);
    }
    if (status != FR_OK) {
        for (uint32_t i = 0; i < count; i++) {
            fr_object_remove(space, import->ids[i], NULL);
        }
        fr__scene_player_set_scene(import->player, import->scene);
        fr_scene_destroy(scene);
        return status;
    }
    add_mover(import, world);
    import->before = import->scene;
    import->scene = scene;
    fr__scene_stock_destroy(import->stock);
    import->stock = NULL;
    return FR_OK;
}

fr_status fr_scene_import_restart(const fr_scene_import *import, fr_world *world, fr_error *error) {
    fr_status status = fr_scene_restart_world(import->scene, world, error);
    if (status != FR_OK) { return status; }
    return fr_scene_player_place(import->player, fr_world_space(world), 0.0, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

fr_status fr_scene_import_write(const fr_import_write_input *input, fr_json_write_fn *write, void *context,
                                fr_error *error) {
    FR_ASSERT(input != NULL && write != NULL);
    fr_json_writer j = fr_json_writer_make(write, context, 0, NULL);
    begin_scene(&j, input->title, fr_world_step(input->world));
    for (uint32_t i = 0; i < input->import_count; i++) {
        const fr_scene_import *import = input->imports[i];
        for (uint32_t k = 0; k < import->def.path_count; k++) {
            const fr_object_view *view = fr_object_get(fr_world_space(input->world), import->ids[k]);
            if (view == NULL) { continue; }
            object_text object = text_of(import, k);
            object.folder = input->folders[i];
            object.pose = &view->pose;
            write_object(&j, &object);
        }
    }
    if (end_scene(&j)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_FILE, "the scene could not be written");
}
