// The scenes that the command serve offers.
#include "gallery.h"

#include "fureai/act_director.h"
#include "fureai/base_order.h"
#include "scene_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SCENES_MAX = 256 };

static const char ending[] = ".json";

// ---------------------------------------------------------------------------------------------------------------
// One scene

static gallery_scene *scene_at(const gallery *g, size_t i) { return (gallery_scene *)g->scenes.data + i; }

static void free_scene(gallery_scene *scene) {
    free(scene->path);
    free(scene->name);
    free(scene->title);
    free(scene->about);
}

// The name of a file without its folder and ending.
static char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *begin = slash != NULL ? slash + 1 : path;
    size_t length = strlen(begin), tail = sizeof ending - 1;
    if (length > tail && strcmp(begin + length - tail, ending) == 0) { length -= tail; }
    return strndup(begin, length);
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

static fr_status add_scene(gallery *g, const char *path, input_source source, fr_error *error) {
    fr_scene *scene = NULL;
    fr_status status = scene_file_parse(g->tool, path, source, &scene, error);
    if (status != FR_OK) { return status; }
    const fr_scene_view *view = fr_scene_get(scene);
    gallery_scene made = {.path = strdup(path), .name = name_of(path), .about = strdup(view->about)};
    made.title = made.name != NULL ? strdup(view->title[0] != '\0' ? view->title : made.name) : NULL;
    fr_scene_destroy(scene);
    bool is_whole = made.path != NULL && made.name != NULL && made.title != NULL && made.about != NULL;
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

// ---------------------------------------------------------------------------------------------------------------
// A folder of them

static bool is_scene_name(const char *name) {
    size_t length = strlen(name), tail = sizeof ending - 1;
    return name[0] != '.' && length > tail && strcmp(name + length - tail, ending) == 0;
}

// A file of the folder; one that is wrong is left out, as the others can be shown all the same.
static fr_status add_file(gallery *g, const char *folder, const char *name, fr_error *error) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the gallery"); }
    snprintf(path, size, "%s/%s", folder, name);
    fr_error why = {0};
    fr_status status = add_scene(g, path, INPUT_QUOTED, &why);
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

static fr_status open_scene(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    gallery *g = user;
    const gallery_scene *scene = find_scene(g, name);
    if (scene == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no scene '%s'", name); }
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
    def.octrees = g->octrees.list;
    def.octree_count = g->octrees.count;
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
    fr_director_def directing = fr_default_director_def();
    directing.cast = out->cast;
    directing.library = fr_library_finder_library(shown.finder);
    fr_director *director;
    status = fr_director_create_for_scene(&directing, shown.scene, &director, error);
    if (status == FR_OK && g->script != NULL) {
        fr_actor prompter;
        status = fr_script_prompter_create(g->script, out->cast, NULL, &prompter, error);
        if (status == FR_OK) { status = fr_cast_add(out->cast, &prompter, error); }
    }
    if (status != FR_OK) { fr_served_scene_destroy(out); }
    fr_library_finder_destroy(status == FR_OK ? g->finder : shown.finder); // that of the scene before
    if (status == FR_OK) { g->finder = shown.finder; }
    return status;
}

static void close_scene(fr_served_scene *scene, void *user) {
    (void)user;
    fr_served_scene_destroy(scene);
}

static fr_status make_provider(gallery *g, const char *first, fr_error *error) {
    fr_scene_entry *entries = fr_array_push(&g->entries, g->scenes.count);
    if (entries == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the gallery"); }
    for (size_t i = 0; i < g->scenes.count; i++) {
        const gallery_scene *scene = scene_at(g, i);
        entries[i] = (fr_scene_entry){scene->name, scene->title, scene->about};
    }
    g->provider = (fr_scene_provider){.entries = entries,
                                      .entry_count = (uint32_t)g->scenes.count,
                                      .first = first != NULL ? first : entries[0].name,
                                      .open = open_scene,
                                      .close = close_scene,
                                      .user = g};
    return FR_OK;
}

// One NAME:DEPTH; a name may hold colons.
static bool read_octree(const char *text, size_t size, fr_served_octree *out) {
    bool has_depth = size >= 3 && text[size - 2] == ':' && text[size - 1] >= '0' + FR_OCTREE_LAYER_MIN_DEPTH &&
                     text[size - 1] <= '0' + FR_OCTREE_LAYER_MAX_DEPTH;
    if (!has_depth || size - 2 > FR_WORLD_NAME_MAX_BYTES) { return false; }
    *out = (fr_served_octree){.depth = (uint32_t)(text[size - 1] - '0')};
    memcpy(out->name, text, size - 2);
    return true;
}

bool gallery_read_octrees(const char *text, gallery_octrees *out) {
    *out = (gallery_octrees){.count = 0};
    while (text != NULL) {
        const char *comma = strchr(text, ',');
        size_t size = comma != NULL ? (size_t)(comma - text) : strlen(text);
        if (out->count == GALLERY_OCTREES_MAX || !read_octree(text, size, &out->list[out->count])) { return false; }
        out->count++;
        text = comma != NULL ? comma + 1 : NULL;
    }
    return true;
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

exit_status gallery_read(tool *t, const char *path, const char *first, gallery *out) {
    *out = (gallery){.tool = t,
                     .scenes = fr_array_make(sizeof(gallery_scene), NULL),
                     .entries = fr_array_make(sizeof(fr_scene_entry), NULL)};
    struct stat about;
    fr_error error = {0};
    bool is_folder = stat(path, &about) == 0 && S_ISDIR(about.st_mode);
    fr_status status = is_folder ? add_folder(out, path, &error) : add_scene(out, path, INPUT_TYPED, &error);
    exit_status result = status == FR_OK ? EXIT_STATUS_DONE : tool_bad_input(t, &error);
    if (status == FR_OK && first != NULL && find_scene(out, first) == NULL) {
        result = refuse_first(t, out, first);
    } else if (status == FR_OK && make_provider(out, first, &error) != FR_OK) {
        result = tool_failed(t, &error);
    }
    if (result != EXIT_STATUS_DONE) { gallery_release(out); }
    return result;
}

void gallery_release(gallery *g) {
    for (size_t i = 0; i < g->scenes.count; i++) {
        free_scene(scene_at(g, i));
    }
    fr_array_destroy(&g->scenes);
    fr_array_destroy(&g->entries);
    fr_library_finder_destroy(g->finder);
    fr_script_destroy(g->script);
    *g = (gallery){0};
}
