// A served scene that is made of a scene file: its world, its cast, and layers that are drawn over it.
#include "fureai/server.h"

#include <string.h>

#define SERVED_SCENE_DEF_COOKIE 0x53564454u

FR_ARRAY_TYPE(import_array, fr_scene_import *);

// What fr_served_scene.user points to.
typedef struct served_world {
    fr_scene *scene;
    fr_scene_player *player;
    fr_world *world;
    fr_cast *cast;
    import_array imports;
    fr_allocator allocator;
} served_world;

fr_served_scene_def fr_default_served_scene_def(void) {
    return (fr_served_scene_def){.allocator = fr_default_allocator(), .cookie = SERVED_SCENE_DEF_COOKIE};
}

static fr_status restart_scene(void *user, fr_error *error) {
    const served_world *s = user;
    fr_status status = fr_scene_restart_world(s->scene, s->world, error);
    for (size_t i = 0; i < s->imports.count && status == FR_OK; i++) {
        status = fr_scene_import_restart(s->imports.data[i], s->world, error);
    }
    if (status != FR_OK) { return status; }
    return fr_scene_player_place(s->player, fr_world_space(s->world), 0.0, error);
}

static fr_status add_actor(fr_cast *cast, const fr_actor *actor, fr_error *error) {
    fr_status status = fr_cast_add(cast, actor, error);
    if (status != FR_OK) { actor->leave(actor->user); }
    return status;
}

static fr_status add_octree(fr_cast *cast, fr_served_octree *octree, const fr_allocator *allocator, fr_error *error) {
    fr_octree_layer_def def = fr_default_octree_layer_def();
    def.object = fr_world_find(fr_cast_world(cast), octree->name);
    def.name = octree->name;
    def.depth = octree->depth;
    def.allocator = *allocator;
    octree->is_found = def.object.index1 != 0;
    if (!octree->is_found) { return FR_OK; }
    fr_actor actor;
    fr_status status = fr_octree_layer_create(&def, &actor, error);
    return status == FR_OK ? add_actor(cast, &actor, error) : status;
}

static fr_status add_pen(fr_cast *cast, const fr_served_scene_def *def, fr_error *error) {
    fr_pen_def pen_def = fr_default_pen_def();
    pen_def.device = def->pen;
    pen_def.cast = cast;
    pen_def.allocator = def->allocator;
    fr_pen *pen;
    fr_status status = fr_pen_create(&pen_def, &pen, error);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_pen_actor(pen);
    return add_actor(cast, &actor, error);
}

// A forecast about all objects, where the scene has none of its own.
static fr_status add_forecast(fr_cast *cast, const fr_served_scene_def *def, fr_error *error) {
    if (fr_cast_find(cast, FR_FORECAST_NAME) != NULL) { return FR_OK; }
    fr_forecast_def forecast_def = fr_default_forecast_def();
    forecast_def.world = def->world;
    forecast_def.seconds = def->ahead;
    forecast_def.allocator = def->allocator;
    fr_forecast *forecast;
    fr_status status = fr_forecast_create(&forecast_def, &forecast, error);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_forecast_actor(forecast);
    return add_actor(cast, &actor, error);
}

static fr_status add_remote(fr_cast *cast, const fr_served_scene_def *def, fr_remote **out, fr_error *error) {
    fr_remote_def remote_def = fr_default_remote_def();
    remote_def.cast = cast;
    remote_def.allocator = def->allocator;
    fr_status status = fr_remote_create(&remote_def, out, error);
    if (status != FR_OK) { return status; }
    const fr_actor actor = fr_remote_actor(*out);
    return add_actor(cast, &actor, error);
}

static fr_status add_layers(fr_cast *cast, const fr_served_scene_def *def, fr_error *error) {
    fr_status status = FR_OK;
    if (def->ahead > 0.0) { status = add_forecast(cast, def, error); }
    for (uint32_t i = 0; i < def->octree_count && status == FR_OK; i++) {
        status = add_octree(cast, &def->octrees[i], &def->allocator, error);
    }
    if (status == FR_OK && def->pen.read != NULL) { status = add_pen(cast, def, error); }
    if (status == FR_OK && def->read_sensor != NULL) {
        status = fr_scene_add_followers(def->scene, cast, def->read_sensor, def->sensor_user, &def->allocator, error);
    }
    return status;
}

fr_status fr_served_scene_create(const fr_served_scene_def *def, fr_served_scene *out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = (fr_served_scene){0};
    if (def->cookie != SERVED_SCENE_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_served_scene_def"); }
    if (def->scene == NULL || def->player == NULL || def->world == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a served scene has a scene, a player and a world");
    }
    served_world *served = fr_allocate(&def->allocator, 1, sizeof *served, _Alignof(served_world));
    if (served == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a scene"); }
    fr_cast_def casting = fr_default_cast_def();
    casting.allocator = def->allocator;
    *served = (served_world){def->scene, def->player, def->world, NULL, {0}, def->allocator};
    served->imports = import_array_make(&def->allocator);
    fr_status status = fr_scene_cast(def->scene, def->world, &casting, &served->cast, error);
    if (status == FR_OK) { status = add_layers(served->cast, def, error); }
    fr_remote *remote = NULL;
    if (status == FR_OK) { status = add_remote(served->cast, def, &remote, error); }
    if (status != FR_OK) {
        fr_cast_destroy(served->cast);
        fr_deallocate(&def->allocator, served, 1, sizeof *served);
        return status;
    }
    *out = (fr_served_scene){.world = served->world, .cast = served->cast, .restart = restart_scene, .user = served};
    out->remote = remote;
    out->scene = fr_scene_get(served->scene);
    out->sounds = fr_scene_player_sounds(served->player, &out->sound_count);
    out->looks = fr_scene_player_looks(served->player);
    return FR_OK;
}

fr_status fr_served_scene_import(fr_served_scene *scene, fr_scene_import *import, fr_error *error) {
    FR_ASSERT(scene != NULL && import != NULL);
    if (scene->restart != restart_scene) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "this scene takes no models");
    }
    served_world *served = scene->user;
    if (!import_array_reserve_more(&served->imports, 1)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a model");
    }
    fr_status status = fr_scene_import_add(import, served->world, served->player, error);
    if (status != FR_OK) { return status; }
    *import_array_push(&served->imports, 1) = import;
    scene->imports = served->imports.data;
    scene->import_count = (uint32_t)served->imports.count;
    scene->looks = fr_scene_player_looks(served->player);
    return FR_OK;
}

void fr_served_scene_destroy(fr_served_scene *scene) {
    FR_ASSERT(scene != NULL);
    served_world *served = scene->user;
    if (served == NULL) { return; }
    fr_allocator allocator = served->allocator;
    fr_cast_destroy(served->cast);
    fr_world_destroy(served->world);
    fr_scene_player_destroy(served->player);
    for (size_t i = 0; i < served->imports.count; i++) {
        fr_scene_import_destroy(served->imports.data[i]);
    }
    import_array_destroy(&served->imports);
    fr_scene_destroy(served->scene);
    fr_deallocate(&allocator, served, 1, sizeof *served);
    *scene = (fr_served_scene){0};
}

// ---------------------------------------------------------------------------------------------------------------
// Octrees by their text

static bool read_octree(const char *text, size_t size, fr_served_octree *out) {
    bool has_depth = size >= 3 && text[size - 2] == ':' && text[size - 1] >= '0' + FR_OCTREE_LAYER_MIN_DEPTH &&
                     text[size - 1] <= '0' + FR_OCTREE_LAYER_MAX_DEPTH;
    if (!has_depth || size - 2 > FR_WORLD_NAME_MAX_BYTES) { return false; }
    *out = (fr_served_octree){.depth = (uint32_t)(text[size - 1] - '0')};
    memcpy(out->name, text, size - 2);
    return true;
}

bool fr_served_octrees_read(const char *text, fr_served_octree *out, uint32_t max, uint32_t *count) {
    *count = 0;
    while (text != NULL) {
        const char *comma = strchr(text, ',');
        size_t size = comma != NULL ? (size_t)(comma - text) : strlen(text);
        if (*count == max || !read_octree(text, size, &out[*count])) { return false; }
        (*count)++;
        text = comma != NULL ? comma + 1 : NULL;
    }
    return true;
}
