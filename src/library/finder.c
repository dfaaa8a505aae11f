// Finds the library of a scene file: the one that the user names, the one that the scene names, or a fallback.
#include "library/library.h"

#include <stdio.h>
#include <string.h>

#define FINDER_COOKIE UINT32_C(0x6c666e31)

struct fr_library_finder {
    fr_library *library;               // NULL until a class is looked up
    char *texts[3];                    // scene, folder and fallback of the definition, copied; NULL: not given
    char path[FR__LIBRARY_PATH_BYTES]; // of the library
    fr_allocator allocator;
};

enum { SCENE, FOLDER, FALLBACK };

fr_library_finder_def fr_default_library_finder_def(void) { return (fr_library_finder_def){.cookie = FINDER_COOKIE}; }

// Copies a text that may be NULL; false when there is no memory.
static bool copy(const fr_allocator *allocator, const char *text, char **out) {
    *out = NULL;
    if (text == NULL) { return true; }
    size_t bytes = strlen(text) + 1;
    *out = fr_allocate(allocator, bytes, 1, 1);
    if (*out != NULL) { memcpy(*out, text, bytes); }
    return *out != NULL;
}

fr_status fr_library_finder_create(const fr_library_finder_def *def, fr_library_finder **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != FINDER_COOKIE) { return fr_error_set_cookie(error, "fr_default_library_finder_def"); }
    fr_allocator mine = fr_allocator_or_default(&def->allocator);
    fr_library_finder *finder = fr_allocate(&mine, 1, sizeof *finder, _Alignof(fr_library_finder));
    if (finder != NULL) {
        *finder = (fr_library_finder){.allocator = mine};
        if (copy(&mine, def->scene, &finder->texts[SCENE]) && copy(&mine, def->folder, &finder->texts[FOLDER]) &&
            copy(&mine, def->fallback, &finder->texts[FALLBACK])) {
            *out = finder;
            return FR_OK;
        }
    }
    fr_library_finder_destroy(finder);
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the library of a scene");
}

void fr_library_finder_destroy(fr_library_finder *finder) {
    if (finder == NULL) { return; }
    fr_library_destroy(finder->library);
    fr_allocator allocator = finder->allocator;
    for (size_t i = 0; i < sizeof finder->texts / sizeof finder->texts[0]; i++) {
        if (finder->texts[i] == NULL) { continue; }
        fr_deallocate(&allocator, finder->texts[i], strlen(finder->texts[i]) + 1, 1);
    }
    fr_deallocate(&allocator, finder, 1, sizeof *finder);
}

// The folder that a scene names, from the folder of the scene; "": it names none, or one that it may not.
static void path_beside(const fr_library_finder *finder, const char *folder, char out[FR__LIBRARY_PATH_BYTES]) {
    const char *scene = finder->texts[SCENE] != NULL ? finder->texts[SCENE] : "";
    const char *slash = strrchr(scene, '/');
    int before = slash != NULL ? (int)(slash - scene) + 1 : 0;
    int written = folder[0] == '/' ? -1 : snprintf(out, FR__LIBRARY_PATH_BYTES, "%.*s%s", before, scene, folder);
    if (written < 0 || written >= FR__LIBRARY_PATH_BYTES) { out[0] = '\0'; }
}

fr_status fr_library_finder_open(fr_library_finder *finder, const char *named, fr_error *error) {
    FR_ASSERT(finder != NULL && named != NULL);
    char beside[FR__LIBRARY_PATH_BYTES] = "";
    if (finder->library != NULL) { return FR_OK; }
    if (named[0] != '\0') { path_beside(finder, named, beside); }
    if (named[0] != '\0' && beside[0] == '\0' && finder->texts[FOLDER] == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the library '%.200s' is no folder from the scene's", named);
    }
    const char *path = finder->texts[FOLDER] != NULL ? finder->texts[FOLDER]
                       : beside[0] != '\0'           ? beside
                                                     : finder->texts[FALLBACK];
    if (path == NULL) { return fr_error_set(error, FR_ERROR_FILE, "there is no library of objects"); }
    fr_status status = fr_library_open(path, &finder->allocator, &finder->library, error);
    if (status == FR_OK) { (void)snprintf(finder->path, sizeof finder->path, "%s", path); }
    return status;
}

static fr_status find_class(const char *named, const char *name, fr_scene_class *out, void *context, fr_error *error) {
    fr_library_finder *finder = context;
    fr_status status = fr_library_finder_open(finder, named, error);
    if (status != FR_OK) { return status; }
    fr_scene_classes classes = fr_library_classes(finder->library);
    return classes.find(named, name, out, classes.context, error);
}

static fr_status load_file(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    fr_library_finder *finder = context;
    if (finder->library == NULL) {
        return fr_error_set(error, FR_ERROR_FILE, "%s: no scene was read with this library", path);
    }
    fr_scene_classes classes = fr_library_classes(finder->library);
    return classes.load(path, bytes, size, classes.context, error);
}

static void unload_file(const void *bytes, size_t size, void *context) {
    fr_library_finder *finder = context;
    fr_scene_classes classes = fr_library_classes(finder->library);
    classes.unload(bytes, size, classes.context);
}

fr_scene_classes fr_library_finder_classes(fr_library_finder *finder) {
    return (fr_scene_classes){find_class, load_file, unload_file, finder};
}

fr_library *fr_library_finder_library(const fr_library_finder *finder) { return finder->library; }

const char *fr_library_finder_folder(const fr_library_finder *finder) { return finder->path; }
