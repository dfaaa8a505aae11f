// The server of a page that has none: scenes of a folder of the module's own file system, one client, and what it says
// and hears. The page fills the folder, carries the bytes and calls the steps; nothing leaves the module by itself.
#include "module.h"

#include "fureai/act_additions.h"
#include "fureai/act_script.h"
#include "fureai/base_order.h"
#include "fureai/library.h"
#include "fureai/server.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SCENES = 256, PATH_BYTES = 512 };

// A scene file of the folder, and its texts.
typedef struct page_scene {
    char name[PATH_BYTES]; // of the file, without its ending
    char *title, *about, *hint;
} page_scene;

// The reply to the last request.
typedef struct page_reply {
    unsigned status; // of HTTP; 0: none yet
    char *type, *name;
    void *bytes;
    size_t size;
} page_reply;

typedef struct page_server {
    char folder[PATH_BYTES], objects[PATH_BYTES];
    page_scene *scenes;
    fr_scene_entry *entries;
    uint32_t scene_count;
    fr_server *server;
    fr_session *session;       // NULL: none
    fr_library_finder *finder; // of the scene that is open
    fr_script *scripts[2];     // of that scene and of the one before, whose cast goes last
    page_reply reply;
    double wait; // seconds until the next step
} page_server;

// ---------------------------------------------------------------------------------------------------------------
// Scene files

static fr_status no_memory(void) {
    return fr_error_set(&module_error, FR_ERROR_MEMORY, "no memory for the scenes of the page");
}

static fr_status read_file(const char *path, fr_input_file *out, fr_error *error) {
    fr_input_file_def def = fr_default_input_file_def();
    def.path = path;
    return fr_input_file_read(&def, out, error);
}

static fr_status read_scene(const page_server *s, const char *path, fr_library_finder **finder, fr_scene **out,
                            fr_error *error) {
    fr_library_finder_def finding = fr_default_library_finder_def();
    finding.scene = path;
    finding.fallback = s->objects;
    fr_status status = fr_library_finder_create(&finding, finder, error);
    fr_input_file file;
    if (status == FR_OK) { status = read_file(path, &file, error); }
    if (status != FR_OK) { return status; }
    fr_scene_read_input reading = fr_default_scene_read_input();
    reading.name = path;
    reading.classes = fr_library_finder_classes(*finder);
    status = fr_scene_read(file.data, file.size, &reading, out, error);
    fr_input_file_destroy(&file);
    return status;
}

// What a scene is served of; all of it NULL until it is there.
typedef struct opened {
    fr_library_finder *finder;
    fr_scene *scene;
    fr_scene_player *player;
    fr_world *world;
} opened;

static fr_status build_world(const char *path, opened *o, fr_error *error) {
    fr_file_folder_def folder = fr_default_file_folder_def();
    fr_file_folder *beside = NULL;
    folder.path = path;
    folder.what = "model";
    folder.of = "scene";
    fr_status status = fr_file_folder_create(&folder, &beside, error);
    if (status == FR_OK) { status = fr_scene_player_create(NULL, &o->player, error); }
    if (status == FR_OK) {
        fr_world_def def = fr_scene_world_def(o->scene);
        def.sense = FR_SENSE_CONTINUOUS;
        def.want = FR_WANT_INTERVALS;
        status = fr_world_create(&def, &o->world, error);
    }
    if (status == FR_OK) {
        fr_scene_build_input building = fr_default_scene_build_input();
        building.classes = fr_library_finder_classes(o->finder);
        building.load = fr_file_folder_load;
        building.unload = fr_file_folder_unload;
        building.context = beside;
        building.player = o->player;
        building.is_double = true;
        status = fr_scene_build_world(o->scene, &building, o->world, NULL, error);
    }
    fr_file_folder_destroy(beside);
    return status;
}

static void close_opened(opened *o) {
    fr_world_destroy(o->world);
    fr_scene_player_destroy(o->player);
    fr_scene_destroy(o->scene);
    fr_library_finder_destroy(o->finder);
}

// What people of the scene do by themselves, where it names a script beside it.
static fr_status prompt(page_server *s, const char *own, fr_cast *cast, fr_error *error) {
    char path[2 * PATH_BYTES];
    fr_input_file file;
    if (own[0] == '\0') { return FR_OK; }
    snprintf(path, sizeof path, "%s/%.500s", s->folder, own);
    fr_status status = read_file(path, &file, error);
    if (status != FR_OK) { return status; }
    fr_script_read_input input = fr_default_script_read_input();
    fr_script *script = NULL;
    fr_actor prompter;
    input.name = path;
    status = fr_script_read(file.data, file.size, &input, &script, error);
    fr_input_file_destroy(&file);
    if (status != FR_OK) { return status; }
    fr_script_destroy(s->scripts[1]);
    s->scripts[1] = s->scripts[0];
    s->scripts[0] = script;
    status = fr_script_prompter_create(script, cast, NULL, &prompter, error);
    return status == FR_OK ? fr_cast_add(cast, &prompter, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// The provider

// What was added points into its own scenes, which go after the world.
static void close_scene(fr_served_scene *scene, void *user) {
    (void)user;
    fr_additions *additions = scene->stock.user;
    fr_served_scene_destroy(scene);
    fr_additions_destroy(additions);
}

// People who take commands, and classes of objects that can be added.
static fr_status direct(opened *o, fr_served_scene *out, fr_additions **additions, fr_error *error) {
    (void)fr_library_finder_open(o->finder, fr_scene_get(o->scene)->library, NULL); // without: nothing is added
    fr_director_def directing = fr_default_director_def();
    fr_additions_def adding = fr_default_additions_def();
    adding.cast = directing.cast = out->cast;
    adding.library = directing.library = fr_library_finder_library(o->finder);
    adding.player = o->player;
    fr_status status = fr_director_create_for_scene(&directing, o->scene, &adding.director, error);
    if (status == FR_OK) { status = fr_additions_create(&adding, additions, error); }
    if (status == FR_OK) { out->stock = fr_additions_stock(*additions); }
    return status;
}

static fr_status open_scene(const char *name, fr_served_scene *out, void *user, fr_error *error) {
    page_server *s = user;
    const page_scene *scene = NULL;
    for (uint32_t i = 0; i < s->scene_count; i++) {
        if (strcmp(s->scenes[i].name, name) == 0) { scene = &s->scenes[i]; }
    }
    if (scene == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no scene '%s'", name); }
    char path[2 * PATH_BYTES + 8];
    snprintf(path, sizeof path, "%s/%s.json", s->folder, name);
    opened o = {0};
    fr_status status = read_scene(s, path, &o.finder, &o.scene, error);
    if (status == FR_OK) { status = build_world(path, &o, error); }
    if (status == FR_OK) {
        fr_served_scene_def def = fr_default_served_scene_def();
        def.scene = o.scene;
        def.player = o.player;
        def.world = o.world;
        status = fr_served_scene_create(&def, out, error);
    }
    if (status != FR_OK) {
        close_opened(&o);
        return status;
    }
    out->title = scene->title;
    fr_additions *additions = NULL;
    status = direct(&o, out, &additions, error);
    if (status == FR_OK) { status = prompt(s, fr_scene_get(o.scene)->script, out->cast, error); }
    if (status != FR_OK) {
        fr_served_scene_destroy(out);
        fr_additions_destroy(additions);
        fr_library_finder_destroy(o.finder);
        return status;
    }
    fr_library_finder_destroy(s->finder); // that of the scene before
    s->finder = o.finder;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The folder of scenes

static void free_scenes(page_server *s) {
    for (uint32_t i = 0; i < s->scene_count; i++) {
        free(s->scenes[i].title);
        free(s->scenes[i].about);
        free(s->scenes[i].hint);
    }
    free(s->scenes);
    free(s->entries);
}

static fr_status add_scene(page_server *s, const char *file_name) {
    char path[2 * PATH_BYTES];
    fr_library_finder *finder = NULL;
    fr_scene *scene = NULL;
    snprintf(path, sizeof path, "%s/%.500s", s->folder, file_name);
    fr_status status = read_scene(s, path, &finder, &scene, &module_error);
    if (status == FR_OK) {
        page_scene *made = &s->scenes[s->scene_count++];
        const fr_scene_view *view = fr_scene_get(scene);
        snprintf(made->name, sizeof made->name, "%.*s", (int)(strlen(file_name) - 5), file_name);
        made->title = strdup(view->title[0] != '\0' ? view->title : made->name);
        made->about = strdup(view->about);
        made->hint = strdup(view->hint);
        if (made->title == NULL || made->about == NULL || made->hint == NULL) { status = no_memory(); }
    }
    fr_scene_destroy(scene);
    fr_library_finder_destroy(finder);
    return status;
}

static bool scene_is_before(const page_scene *a, const page_scene *b) { return strcmp(a->name, b->name) < 0; }

FR_SORT_TYPE(sort_scenes, page_scene, scene_is_before);

static fr_status list_scenes(page_server *s) {
    s->scenes = calloc(MAX_SCENES, sizeof *s->scenes);
    s->entries = calloc(MAX_SCENES, sizeof *s->entries);
    if (s->scenes == NULL || s->entries == NULL) { return no_memory(); }
    DIR *list = opendir(s->folder);
    if (list == NULL) { return fr_error_set(&module_error, FR_ERROR_FILE, "there is no folder '%s'", s->folder); }
    fr_status status = FR_OK;
    const struct dirent *entry;
    while (status == FR_OK && (entry = readdir(list)) != NULL) {
        size_t length = strlen(entry->d_name);
        bool is_scene = length > 5 && length < PATH_BYTES && strcmp(entry->d_name + length - 5, ".json") == 0;
        if (is_scene && s->scene_count < MAX_SCENES) { status = add_scene(s, entry->d_name); }
    }
    closedir(list);
    if (status != FR_OK) { return status; }
    sort_scenes(s->scenes, s->scene_count);
    for (uint32_t i = 0; i < s->scene_count; i++) {
        const page_scene *scene = &s->scenes[i];
        s->entries[i] = (fr_scene_entry){scene->name, scene->title, scene->about, scene->hint, NULL};
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The server

EXPORT(fureai_server_destroy) void fureai_server_destroy(page_server *s) {
    fr_session_destroy(s->session);
    fr_server_destroy(s->server);
    fr_library_finder_destroy(s->finder);
    fr_script_destroy(s->scripts[0]);
    fr_script_destroy(s->scripts[1]);
    free_scenes(s);
    free(s->reply.type);
    free(s->reply.name);
    free(s->reply.bytes);
    free(s);
}

// Serves the scenes of a folder, `first` to begin with, with the classes of objects of another.
EXPORT(fureai_server_create)
page_server *fureai_server_create(const char *folder, const char *objects, const char *first) {
    page_server *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)no_memory();
        return NULL;
    }
    snprintf(s->folder, sizeof s->folder, "%s", folder);
    snprintf(s->objects, sizeof s->objects, "%s", objects);
    fr_status status = list_scenes(s);
    if (status == FR_OK) {
        fr_server_def def = fr_default_server_def();
        def.provider = (fr_scene_provider){s->entries, s->scene_count, first, open_scene, close_scene, s};
        def.is_local = true;
        def.viewer_folder = "";
        def.may_upload = true;
        def.messages_per_second = 1000000; // nobody but the page itself is there
        status = fr_server_create(&def, &s->server, &module_error);
    }
    if (status == FR_OK) { return s; }
    fureai_server_destroy(s);
    return NULL;
}

EXPORT(fureai_server_step) int fureai_server_step(page_server *s) {
    return fr_server_step(s->server, &s->wait, &module_error) == FR_OK;
}

// Seconds until the next step is due.
EXPORT(fureai_server_wait) double fureai_server_wait(const page_server *s) { return s->wait; }

// Makes the client, in place of the one that was there.
EXPORT(fureai_session_open) int fureai_session_open(page_server *s) {
    fr_session_destroy(s->session);
    s->session = NULL;
    s->reply.status = 0;
    return fr_session_create(s->server, &s->session, &module_error) == FR_OK;
}

EXPORT(fureai_session_close) void fureai_session_close(page_server *s) {
    fr_session_destroy(s->session);
    s->session = NULL;
}

EXPORT(fureai_session_send) int fureai_session_send(page_server *s, const void *bytes, size_t size) {
    if (s->session == NULL) { return fr_error_set(&module_error, FR_ERROR_STOPPED, "there is no session") == FR_OK; }
    return fr_session_send(s->session, bytes, size, &module_error) == FR_OK;
}

// The next messages of the server, until the next call; NULL: there are none.
EXPORT(fureai_session_take) const void *fureai_session_take(page_server *s, size_t *size) {
    const void *bytes = NULL;
    return s->session != NULL && fr_session_take(s->session, &bytes, size) ? bytes : NULL;
}

EXPORT(fureai_session_close_code) int fureai_session_close_code(const page_server *s) {
    return s->session != NULL ? fr_session_close_code(s->session) : 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Requests

static char *copy_text(const char *text) { return text != NULL ? strdup(text) : NULL; }

static void take_reply(unsigned status, const char *type, const char *name, const void *bytes, size_t size,
                       void *context) {
    page_reply *reply = &((page_server *)context)->reply;
    free(reply->type);
    free(reply->name);
    free(reply->bytes);
    *reply = (page_reply){status, copy_text(type), copy_text(name), malloc(size + 1), size};
    if (reply->bytes == NULL) {
        reply->status = 507; // there is no room for it
        reply->size = 0;
        return;
    }
    if (size > 0) { memcpy(reply->bytes, bytes, size); }
}

// One request at a time; `bytes` of NULL asks for a file.
EXPORT(fureai_session_request)
int fureai_session_request(page_server *s, const char *path, const void *bytes, size_t size) {
    s->reply.status = 0;
    if (s->session == NULL) { return fr_error_set(&module_error, FR_ERROR_STOPPED, "there is no session") == FR_OK; }
    return fr_session_request(s->session, path, bytes, size, take_reply, s, &module_error) == FR_OK;
}

// 0: there is no reply yet.
EXPORT(fureai_reply_status) unsigned fureai_reply_status(const page_server *s) { return s->reply.status; }
EXPORT(fureai_reply_type) const char *fureai_reply_type(const page_server *s) {
    return s->reply.type != NULL ? s->reply.type : "";
}
EXPORT(fureai_reply_name) const char *fureai_reply_name(const page_server *s) {
    return s->reply.name != NULL ? s->reply.name : "";
}
EXPORT(fureai_reply_bytes) const void *fureai_reply_bytes(const page_server *s) { return s->reply.bytes; }
EXPORT(fureai_reply_size) size_t fureai_reply_size(const page_server *s) { return s->reply.size; }
