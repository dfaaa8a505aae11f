// The scenes that the command serve offers.
#include "gallery.h"

#include "folder.h"
#include "fureai/act_additions.h"
#include "fureai/base_order.h"
#include "scene_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SCENES_MAX = 256 };

static const char ending[] = ".json", record_ending[] = ".record";

// ---------------------------------------------------------------------------------------------------------------
// One scene

static gallery_scene *scene_at(const gallery *g, size_t i) { return (gallery_scene *)g->scenes.data + i; }

static void free_scene(gallery_scene *scene) {
    free(scene->path);
    free(scene->name);
    free(scene->title);
    free(scene->about);
    free(scene->hint);
    free(scene->picture);
}

static bool ends_with(const char *text, const char *tail) {
    size_t length = strlen(text), size = strlen(tail);
    return length > size && strcmp(text + length - size, tail) == 0;
}

// The name of a file without its folder and ending.
static char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *begin = slash != NULL ? slash + 1 : path;
    size_t length = strlen(begin);
    if (ends_with(begin, ending)) {
        length -= sizeof ending - 1;
    } else if (ends_with(begin, record_ending)) {
        length -= sizeof record_ending - 1;
    }
    return strndup(begin, length);
}

// The picture of a scene is pictures/NAME.jpg beside it. NULL: there is none, or no memory.
static char *find_picture(const char *path, const char *name) {
    const char *slash = strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    size_t size = (size_t)folder + strlen(name) + sizeof "pictures/.jpg";
    char *picture = malloc(size);
    if (picture == NULL) { return NULL; }
    snprintf(picture, size, "%.*spictures/%s.jpg", folder, path, name);
    struct stat about;
    if (stat(picture, &about) == 0 && S_ISREG(about.st_mode)) { return picture; }
    free(picture);
    return NULL;
}

// Whether the name of a scene can be shown to people and stored.
static bool is_printable(const char *name) {
    size_t size = strlen(name), at = 0;
    while (at < size) {
        size_t length = fr_utf8_length(name + at, size - at);
        if (length == 0 || (unsigned char)name[at] < 0x20 || name[at] == 0x7f) { return false; }
        at += length;
    }
    return true;
}

// A scene or, without a view, a record.
static fr_status add_entry(gallery *g, const char *path, const fr_scene_view *view, fr_error *error) {
    const char *about = view != NULL ? view->about : "What a world did, to go through in time.";
    gallery_scene made = {.path = strdup(path), .name = name_of(path), .about = strdup(about)};
    made.is_record = view == NULL;
    made.hint = strdup(view != NULL ? view->hint : "");
    made.title = made.name != NULL ? strdup(view != NULL && view->title[0] != '\0' ? view->title : made.name) : NULL;
    made.picture = made.name != NULL ? find_picture(path, made.name) : NULL;
    bool is_whole =
        made.path != NULL && made.name != NULL && made.title != NULL && made.about != NULL && made.hint != NULL;
    if (is_whole && !is_printable(made.name)) {
        free_scene(&made);
        fr_error_set(error, FR_ERROR_FILE, "the name of the file is no UTF-8 or holds a control character");
        fr_error_locate(error, path, 0, 0);
        return FR_ERROR_FILE;
    }
    gallery_scene *place = is_whole ? fr_array_push(&g->scenes, 1) : NULL;
    if (place == NULL) {
        free_scene(&made);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the gallery");
    }
    *place = made;
    return FR_OK;
}

static fr_status add_scene(gallery *g, const char *path, bool is_plain, fr_error *error) {
    fr_scene *scene = NULL;
    fr_status status = scene_file_parse(g->tool, path, is_plain, &scene, error);
    if (status != FR_OK) { return status; }
    status = add_entry(g, path, fr_scene_get(scene), error);
    fr_scene_destroy(scene);
    return status;
}

bool gallery_is_record(const char *path) {
    char begin[8];
    FILE *file = fopen(path, "rb");
    bool is_record = file != NULL && fread(begin, 1, sizeof begin, file) == sizeof begin &&
                     memcmp(begin, "FRWORLD\n", sizeof begin) == 0;
    if (file != NULL) { fclose(file); }
    return is_record;
}

// What is wrong with a record is said when it is opened: it is read then.
static fr_status add_record(gallery *g, const char *path, fr_error *error) { return add_entry(g, path, NULL, error); }

// ---------------------------------------------------------------------------------------------------------------
// A folder of them

static bool is_scene_name(const char *name) {
    return name[0] != '.' && (ends_with(name, ending) || ends_with(name, record_ending));
}

// A file of the folder; one that is wrong is left out, as the others can be shown all the same.
static fr_status add_file(gallery *g, const char *folder, const char *name, fr_error *error) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the gallery"); }
    snprintf(path, size, "%s/%s", folder, name);
    fr_error why = {0};
    bool is_record = ends_with(name, record_ending);
    fr_status status = is_record ? add_record(g, path, &why) : add_scene(g, path, true, &why);
    free(path);
    if (status == FR_ERROR_MEMORY || status == FR_ERROR_STOPPED) {
        return fr_error_set(error, status, "%s", why.message);
    }
    if (status != FR_OK) {
        char text[FR_ERROR_MESSAGE_BYTES + FR_ERROR_PATH_BYTES + 32];
        fr_error_format(&why, text, sizeof text);
        tool_note(g->tool, "left out: %s", text);
    }
    return FR_OK;
}

static bool scene_is_before(const gallery_scene *a, const gallery_scene *b) { return strcmp(a->name, b->name) < 0; }

FR_SORT_TYPE(sort_scenes, gallery_scene, scene_is_before);

static fr_status add_folder(gallery *g, const char *folder, fr_error *error) {
    DIR *list = opendir(folder);
    if (list == NULL) {
        fr_error_set(error, FR_ERROR_FILE, "cannot open: %s", strerror(errno));
        fr_error_locate(error, folder, 0, 0);
        return FR_ERROR_FILE;
    }
    fr_status status = FR_OK;
    const struct dirent *entry;
    while (status == FR_OK && (entry = readdir(list)) != NULL) {
        if (is_scene_name(entry->d_name) && g->scenes.count < SCENES_MAX) {
            status = add_file(g, folder, entry->d_name, error);
        }
    }
    closedir(list);
    if (status == FR_OK && g->scenes.count == 0) {
        fr_error_set(error, FR_ERROR_FILE, "there is no scene in this folder");
        fr_error_locate(error, folder, 0, 0);
        status = FR_ERROR_FILE;
    }
    if (status == FR_OK) { sort_scenes(g->scenes.data, g->scenes.count); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The provider of scenes

static const gallery_scene *find_scene(const gallery *g, const char *name) {
    for (size_t i = 0; i < g->scenes.count; i++) {
        if (strcmp(scene_at(g, i)->name, name) == 0) { return scene_at(g, i); }
    }
    return NULL;
}

static void note_model(const char *text, void *context) { tool_note(context, "%s", text); }

// What was added points into its own scenes, which go after the world.
static void close_served(fr_served_scene *scene, fr_additions *additions) {
    fr_served_scene_destroy(scene);
    fr_additions_destroy(additions);
}

static gallery_record *record_place(gallery *g, const fr_served_record *record) {
    return &g->records[g->records[0].record == record ? 0 : 1];
}

static void close_scene(fr_served_scene *scene, void *user) {
    if (scene->clashes != NULL) {
        fr_served_clashes_destroy(scene);
        ((gallery *)user)->clashes = NULL;
        return;
    }
    if (scene->record == NULL) {
        close_served(scene, scene->stock.user);
        return;
    }
    gallery_record *place = record_place(user, scene->record);
    fr_served_record_destroy(scene);
    fr_input_file_destroy(&place->file);
    *place = (gallery_record){0};
}

static fr_status open_record(gallery *g, const gallery_scene *scene, fr_served_scene *out, fr_error *error) {
    gallery_record *place = record_place(g, NULL);
    fr_status status = tool_read(g->tool, scene->path, 0, &place->file, error);
    if (status != FR_OK) { return status; }
    fr_served_record_def def = fr_default_served_record_def();
    def.bytes = place->file.data;
    def.size = place->file.size;
    def.name = scene->title;
    def.control = &g->tool->control;
    bool is_static = strcmp(options_string(&g->tool->options, "sense"), "static") == 0;
    if (is_static) { def.sense = FR_SENSE_STATIC; }
    status = fr_served_record_create(&def, out, error);
    if (status != FR_OK) {
        fr_error_locate(error, scene->path, 0, 0);
        fr_input_file_destroy(&place->file);
        return status;
    }
    place->record = out->record;
    const char *flaw = fr_served_record_flaw(out->record);
    if (flaw[0] != '\0') { tool_note(g->tool, "%s: %s; it is shown up to there", scene->path, flaw); }
    return FR_OK;
}

static fr_status open_clash(gallery *g, const gallery_scene *scene, fr_served_scene *out, fr_error *error) {
    const options *o = &g->tool->options;
    fr_tasks tasks;
    fr_status status = tool_tasks(g->tool, &tasks, error);
    if (status != FR_OK) { return status; }
    fr_served_clashes_def def = fr_default_served_clashes_def();
    def.parts = g->parts.parts.data;
    def.names = g->parts.names.data;
    def.part_count = g->parts.parts.count;
    def.tolerance = options_number(o, "tolerance");
    def.title = scene->title;
    def.notes_path = options_string(o, "notes");
    def.tasks = &tasks;
    def.control = &g->tool->control;
    status = fr_served_clashes_create(&def, out, error);
    g->clashes = out->clashes;
    return status;
}

// What people do by themselves: what every scene is given, else what the scene names, else nothing.
static fr_status prompt(gallery *g, const char *scene_path, const char *own, fr_cast *cast, fr_error *error) {
    const fr_script *script = g->script;
    if (script == NULL && own[0] != '\0') {
        char path[FOLDER_PATH_BYTES];
        const char *end = strrchr(scene_path, '/');
        int folder = end != NULL ? (int)(end + 1 - scene_path) : 0;
        int length = snprintf(path, sizeof path, "%.*s%s", folder, scene_path, own);
        if (length < 0 || (size_t)length >= sizeof path) {
            return fr_error_set(error, FR_ERROR_LIMIT, "the path of the script is too long");
        }
        fr_script *read = NULL;
        fr_status status = script_file_read(g->tool, path, &read, error);
        if (status != FR_OK) { return status; }
        fr_script_destroy(g->own_scripts[1]);
        g->own_scripts[1] = g->own_scripts[0];
        g->own_scripts[0] = read;
        script = read;
    }
    if (script == NULL) { return FR_OK; }
    fr_actor prompter;
    fr_status status = fr_script_prompter_create(script, cast, NULL, &prompter, error);
    return status == FR_OK ? fr_cast_add(cast, &prompter, error) : status;
}

static fr_status open_scene(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    gallery *g = user;
    const gallery_scene *scene = find_scene(g, name);
    if (scene == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no scene '%s'", name); }
    if (g->is_clash) { return open_clash(g, scene, out, error); }
    if (scene->is_record) { return open_record(g, scene, out, error); }
    bool is_continuous = strcmp(options_string(&g->tool->options, "sense"), "continuous") == 0;
    scene_world shown;
    fr_status status = scene_world_open(g->tool, scene->path, is_continuous ? FR_SENSE_CONTINUOUS : FR_SENSE_STATIC,
                                        is_continuous ? FR_WANT_INTERVALS : FR_WANT_CONTACTS, &shown, error);
    if (status != FR_OK) { return status; }
    fr_served_scene_def def = fr_default_served_scene_def();
    def.scene = shown.scene;
    def.player = shown.player;
    def.world = shown.world;
    def.ahead = g->ahead;
    def.octrees = g->octrees;
    def.octree_count = g->octree_count;
    if (g->station != NULL) {
        def.pen = fr_station_pen(g->station);
        def.read_sensor = fr_station_read_sensor;
        def.sensor_user = g->station;
    }
    status = fr_served_scene_create(&def, out, error);
    if (status != FR_OK) {
        scene_world_close(&shown);
        return status;
    }
    out->title = scene->title;
    if (g->models.path_count > 0 && scene == scene_at(g, 0)) {
        g->models.note = note_model;
        g->models.note_context = g->tool;
        status = fr_served_scene_import_files(out, &g->models, error);
    }
    (void)fr_library_finder_open(shown.finder, fr_scene_get(shown.scene)->library, NULL); // without: nothing is added
    fr_director_def directing = fr_default_director_def();
    fr_additions_def adding = fr_default_additions_def();
    adding.cast = directing.cast = out->cast;
    directing.plug_ins = g->plug_ins;
    adding.library = directing.library = fr_library_finder_library(shown.finder);
    adding.player = shown.player;
    adding.memory = g->tool->memory;
    fr_additions *additions = NULL;
    if (status == FR_OK) { status = fr_director_create_for_scene(&directing, shown.scene, &adding.director, error); }
    if (status == FR_OK) { status = fr_additions_create(&adding, &additions, error); }
    if (status == FR_OK) { out->stock = fr_additions_stock(additions); }
    if (status == FR_OK) { status = prompt(g, scene->path, fr_scene_get(shown.scene)->script, out->cast, error); }
    if (status != FR_OK) { close_served(out, additions); }
    fr_library_finder_destroy(status == FR_OK ? g->finder : shown.finder); // that of the scene before
    if (status == FR_OK) { g->finder = shown.finder; }
    return status;
}

static fr_status make_provider(gallery *g, const char *first, fr_error *error) {
    fr_scene_entry *entries = fr_array_push(&g->entries, g->scenes.count);
    if (entries == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the gallery"); }
    for (size_t i = 0; i < g->scenes.count; i++) {
        const gallery_scene *scene = scene_at(g, i);
        entries[i] = (fr_scene_entry){scene->name, scene->title, scene->about, scene->hint, scene->picture};
    }
    g->provider = (fr_scene_provider){.entries = entries,
                                      .entry_count = (uint32_t)g->scenes.count,
                                      .first = first != NULL ? first : entries[0].name,
                                      .open = open_scene,
                                      .close = close_scene,
                                      .user = g};
    return FR_OK;
}

// A first scene that is not there, with the name that may have been meant.
static exit_status refuse_first(tool *t, const gallery *g, const char *first) {
    fr_suggestion suggestion = fr_suggestion_begin(first);
    for (size_t i = 0; i < g->scenes.count; i++) {
        fr_suggestion_offer(&suggestion, scene_at(g, i)->name);
    }
    if (suggestion.best == NULL) { return tool_wrong_usage(t, "--first: there is no scene '%s'", first); }
    return tool_wrong_usage(t, "--first: there is no scene '%s'; did you mean '%s'?", first, suggestion.best);
}

static gallery make_gallery(tool *t) {
    return (gallery){.tool = t,
                     .scenes = fr_array_make(sizeof(gallery_scene), NULL),
                     .entries = fr_array_make(sizeof(fr_scene_entry), NULL)};
}

// Makes the provider of what was added, unless that went wrong.
static exit_status complete(gallery *g, const char *first, fr_status status, fr_error *error) {
    exit_status result = status == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(g->tool, error);
    if (status == FR_OK && first != NULL && find_scene(g, first) == NULL) {
        result = refuse_first(g->tool, g, first);
    } else if (status == FR_OK && make_provider(g, first, error) != FR_OK) {
        result = tool_failed(g->tool, error);
    }
    if (result != EXIT_STATUS_DONE) { gallery_release(g); }
    return result;
}

exit_status gallery_read(tool *t, const char *path, const char *first, gallery *out) {
    *out = make_gallery(t);
    struct stat about;
    fr_error error = {0};
    bool is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    fr_status status = is_folder ? add_folder(out, path, &error) : add_scene(out, path, false, &error);
    return complete(out, first, status, &error);
}

exit_status gallery_read_records(tool *t, char *const *paths, int count, const char *first, gallery *out) {
    *out = make_gallery(t);
    fr_error error = {0};
    fr_status status = FR_OK;
    for (int i = 0; i < count && status == FR_OK; i++) {
        status = add_record(out, paths[i], &error);
    }
    return complete(out, first, status, &error);
}

exit_status gallery_read_clash(tool *t, char *const *paths, int count, assembly_frame frame, gallery *out) {
    *out = make_gallery(t);
    assembly parts;
    exit_status result = assembly_read(t, paths, count, frame, &parts);
    if (result != EXIT_STATUS_DONE) {
        gallery_release(out);
        return result;
    }
    out->is_clash = true;
    out->parts = parts;
    char title[64];
    const char *slash = strrchr(paths[0], '/');
    snprintf(title, sizeof title, "%d models", count);
    fr_scene_view view = {.title = count > 1       ? title
                                   : slash != NULL ? slash + 1
                                                   : paths[0],
                          .about = "Which parts of an assembly meet, how deep, and what was decided about it.",
                          .hint = "Choose a clash of the list: it is shown, and the rest steps back."};
    fr_error error = {0};
    return complete(out, NULL, add_entry(out, paths[0], &view, &error), &error);
}

void gallery_release(gallery *g) {
    if (g->is_clash) { assembly_release(&g->parts); }
    for (size_t i = 0; i < g->scenes.count; i++) {
        free_scene(scene_at(g, i));
    }
    fr_array_destroy(&g->scenes);
    fr_array_destroy(&g->entries);
    fr_library_finder_destroy(g->finder);
    fr_script_destroy(g->script);
    for (int i = 0; i < 2; i++) {
        fr_script_destroy(g->own_scripts[i]);
    }
    fr_plug_ins_destroy(g->plug_ins);
    *g = (gallery){0};
}
