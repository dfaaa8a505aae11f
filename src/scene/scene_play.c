// The models of a scene that move by themselves.
#include "scene/scene_play.h"

#include <stdalign.h>
#include <string.h>

// A part of an object: a node of its model, and where its vertices stand among the object's.
typedef struct played_part {
    uint32_t node, first_vertex, vertex_count;
} played_part;

FR_ARRAY_TYPE(played_part_array, played_part);

// A model that moves, and its bones or its vertices at a time. All objects of the model share them.
typedef struct played_model {
    fr_model *model;
    fr_model_play *play;
    played_part_array parts;
    fr_vec3 *vertices;
    uint32_t vertex_count; // 0: bones are played
    fr_pose *bones;        // as they were last, and after them as the play has them
    uint32_t bone_count;   // 0: vertices are played
    bool is_moving;
    bool has_moving_sound;
    uint32_t first_sound, sound_count; // among those of all models
} played_model;

FR_ARRAY_TYPE(played_model_array, played_model);
FR_ARRAY_TYPE(sound_array, fr_sound);
FR_ARRAY_TYPE(color_array, fr_color);

struct fr_scene_player {
    const fr_scene *scene; // NULL until one is built with it
    fr_allocator allocator;
    played_model_array models;
    fr_uint32_array object_models; // by object of the scene: its model, FR_NONE for one that does not move by itself
    color_array colors;            // by object of the scene that is built
    sound_array model_sounds;      // one model's after another's, of no object yet
    fr_uint32_array origins;       // for each of those: its number in the model
    sound_array sounds;
    fr_uint32_array sources; // for each of those: the one of its model
    fr_arena *files;         // bytes of the sounds; NULL while there are none
    fr__scene_looks looks;
};

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_status fr_scene_player_create(const fr_allocator *allocator, fr_scene_player **out, fr_error *error) {
    fr_allocator taken = fr_allocator_or_default(allocator);
    fr_scene_player *player = fr_allocate(&taken, 1, sizeof *player, alignof(fr_scene_player));
    *out = player;
    if (player == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a player"); }
    *player = (fr_scene_player){.allocator = taken};
    player->models = played_model_array_make(&taken);
    player->object_models = fr_uint32_array_make(&taken);
    player->colors = color_array_make(&taken);
    player->model_sounds = sound_array_make(&taken);
    player->origins = fr_uint32_array_make(&taken);
    player->sounds = sound_array_make(&taken);
    player->sources = fr_uint32_array_make(&taken);
    player->looks = fr__scene_looks_make(&taken);
    return FR_OK;
}

static void destroy_model(const fr_scene_player *player, played_model *a) {
    fr_model_play_destroy(a->play);
    fr_model_destroy(a->model);
    played_part_array_destroy(&a->parts);
    fr_deallocate(&player->allocator, a->vertices, a->vertex_count, sizeof *a->vertices);
    fr_deallocate(&player->allocator, a->bones, 2 * (size_t)a->bone_count, sizeof *a->bones);
}

void fr__scene_player_clear(fr_scene_player *player) {
    played_model *models = player->models.data;
    for (size_t i = 0; i < player->models.count; i++) {
        destroy_model(player, &models[i]);
    }
    player->models.count = 0;
    player->object_models.count = 0;
    player->colors.count = 0;
    player->model_sounds.count = 0;
    player->origins.count = 0;
    player->sounds.count = 0;
    player->sources.count = 0;
    if (player->files != NULL) { fr_arena_destroy(player->files); }
    player->files = NULL;
    fr__scene_looks_clear(&player->looks);
    player->scene = NULL;
}

void fr_scene_player_destroy(fr_scene_player *player) {
    if (player == NULL) { return; }
    fr__scene_player_clear(player);
    played_model_array_destroy(&player->models);
    fr_uint32_array_destroy(&player->object_models);
    color_array_destroy(&player->colors);
    sound_array_destroy(&player->model_sounds);
    fr_uint32_array_destroy(&player->origins);
    sound_array_destroy(&player->sounds);
    fr_uint32_array_destroy(&player->sources);
    fr__scene_looks_free(&player->looks);
    fr_allocator allocator = player->allocator;
    fr_deallocate(&allocator, player, 1, sizeof *player);
}

bool fr__scene_player_begin(fr_scene_player *player, const fr_scene *scene, bool is_added) {
    if (!is_added) { fr__scene_player_clear(player); }
    player->colors.count = 0;
    uint32_t count = scene->view.object_count;
    fr_color *colors = color_array_push(&player->colors, count);
    if (colors == NULL) { return false; }
    memset(colors, 0, count * sizeof *colors);
    if (is_added) { return true; }
    uint32_t *object_models = fr_uint32_array_push(&player->object_models, count);
    for (uint32_t i = 0; object_models != NULL && i < count; i++) {
        object_models[i] = FR_NONE;
    }
    player->scene = scene;
    return object_models != NULL;
}

void fr__scene_player_set_scene(fr_scene_player *player, const fr_scene *scene) { player->scene = scene; }

void fr__scene_player_set_color(fr_scene_player *player, uint32_t object, fr_color color) {
    player->colors.data[object] = color;
}

fr_color fr__scene_player_color(const fr_scene_player *player, uint32_t object) { return player->colors.data[object]; }

fr__scene_looks *fr__scene_player_looks(fr_scene_player *player) { return &player->looks; }

const fr_looks *fr_scene_player_looks(fr_scene_player *player) { return fr__scene_looks_get(&player->looks); }

bool fr__scene_has_color(const fr_scene_object *object) {
    const fr_color plain = fr_default_label().color, given = object->color;
    return given.r != plain.r || given.g != plain.g || given.b != plain.b || given.a != plain.a;
}

// ---------------------------------------------------------------------------------------------------------------
// Models

static bool has_moving_part(const played_model *a, const uint32_t *nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (fr_model_play_moves(a->play, nodes[i])) { return true; }
    }
    return false;
}

// Memory for what is played: bones where the play has any, else the vertices of all parts.
static bool take_bones(const fr_scene_player *player, played_model *a) {
    uint32_t count = fr_model_play_bone_count(a->play);
    a->bones = fr_allocate(&player->allocator, 2 * (size_t)count, sizeof *a->bones, alignof(fr_pose));
    a->bone_count = a->bones != NULL ? count : 0;
    for (uint32_t i = 0; i < a->bone_count; i++) {
        a->bones[i] = fr_pose_identity();
    }
    return a->bones != NULL;
}

static bool list_parts(const fr_scene_player *player, played_model *a, const uint32_t *nodes, uint32_t count) {
    if (fr_model_play_bone_count(a->play) > 0) { return take_bones(player, a); }
    const fr_model_view *view = fr_model_get(a->model);
    played_part *parts = played_part_array_push(&a->parts, count);
    if (parts == NULL) { return false; }
    uint32_t vertices = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t of_part = view->meshes[view->nodes[nodes[i]].mesh].vertex_count;
        parts[i] = (played_part){nodes[i], vertices, of_part};
        vertices += of_part;
    }
    a->vertices = fr_allocate(&player->allocator, vertices, sizeof *a->vertices, alignof(fr_vec3));
    a->vertex_count = a->vertices != NULL ? vertices : 0;
    return a->vertices != NULL;
}

// A copy of a sound's file; NULL without memory.
static const void *keep_file(fr_scene_player *player, const void *bytes, size_t size) {
    if (player->files == NULL && fr_arena_create(0, &player->allocator, &player->files, NULL) != FR_OK) {
        player->files = NULL;
        return NULL;
    }
    void *copy = fr_arena_alloc(player->files, size, 1, 1);
    if (copy != NULL) { memcpy(copy, bytes, size); }
    return copy;
}

// Where a sound is in its model, by the matrix of its node.
static fr_vec3 place_sound(const double m[12], const fr_model_sound *from) {
    fr_vec3 p = from->location;
    return fr_vec3_make(m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                        m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]);
}

// How a sound is played, and where it is while nothing moves.
static fr_sound sound_of(const fr_model *model, const fr_model_sound *from) {
    double m[12];
    fr_model_node_matrix(model, from->node, m);
    fr_sound sound = {.intensity = from->intensity,
                      .near = from->min_front,
                      .far = from->max_front,
                      .pitch = from->pitch,
                      .start = from->start,
                      .stop = from->stop,
                      .is_loop = from->is_loop,
                      .is_spatial = from->is_spatial};
    sound.point = place_sound(m, from);
    return sound;
}

static bool take_sounds(fr_scene_player *player, played_model *a, const fr_model_files *files) {
    const fr_model_view *view = fr_model_get(a->model);
    a->first_sound = (uint32_t)player->model_sounds.count;
    for (uint32_t i = 0; i < view->sound_count && files->load != NULL; i++) {
        const void *bytes;
        size_t size;
        fr_error unasked = {0};
        const char *path = view->sounds[i].path;
        if (path[0] == '\0' || files->load(path, &bytes, &size, files->context, &unasked) != FR_OK) { continue; }
        fr_sound sound = sound_of(a->model, &view->sounds[i]);
        bool fits = size > 0 && size <= FR_SOUND_MAX_BYTES;
        sound.file = fits ? keep_file(player, bytes, size) : NULL;
        sound.file_bytes = fits ? (uint32_t)size : 0;
        files->unload(bytes, size, files->context);
        fr_sound *place = sound.file != NULL ? sound_array_push(&player->model_sounds, 1) : NULL;
        uint32_t *origin = place != NULL ? fr_uint32_array_push(&player->origins, 1) : NULL;
        if (fits && origin == NULL) { return false; }
        if (origin == NULL) { continue; }
        *place = sound;
        *origin = i;
        a->has_moving_sound = a->has_moving_sound || fr_model_play_moves(a->play, view->sounds[i].node);
    }
    a->sound_count = (uint32_t)player->model_sounds.count - a->first_sound;
    return true;
}

fr_status fr__scene_player_take(fr_scene_player *player, fr_model *model, fr_model_play *play, const uint32_t *nodes,
                                uint32_t count, const fr_model_files *files, uint32_t *index) {
    *index = FR_NONE;
    played_model a = {.model = model, .play = play, .parts = played_part_array_make(&player->allocator)};
    fr_status status = FR_OK;
    a.is_moving = has_moving_part(&a, nodes, count);
    if (a.is_moving && !list_parts(player, &a, nodes, count)) { status = FR_ERROR_MEMORY; }
    if (status == FR_OK && !take_sounds(player, &a, files)) { status = FR_ERROR_MEMORY; }
    bool is_kept = status == FR_OK && (a.is_moving || a.sound_count > 0);
    played_model *place = is_kept ? played_model_array_push(&player->models, 1) : NULL;
    if (place == NULL) {
        destroy_model(player, &a);
        return is_kept ? FR_ERROR_MEMORY : status;
    }
    *place = a;
    *index = (uint32_t)(player->models.count - 1);
    return FR_OK;
}

bool fr__scene_player_moves(const fr_scene_player *player, uint32_t object) {
    if (object >= player->object_models.count) { return false; }
    uint32_t index = player->object_models.data[object];
    return index != FR_NONE && player->models.data[index].is_moving;
}

bool fr__scene_player_assign(fr_scene_player *player, const fr_scene_object *o, uint32_t object, fr_object_id id,
                             uint32_t index) {
    bool has_model = o->model != NULL || o->class_name != NULL;
    if (has_model && fr__scene_has_color(o) && !fr__scene_looks_add_plain(&player->looks, id)) { return false; }
    if (index == FR_NONE) { return true; }
    player->object_models.data[object] = index;
    const played_model *a = player->models.data + index;
    if (a->sound_count == 0) { return true; }
    fr_sound *sounds = sound_array_push(&player->sounds, a->sound_count);
    uint32_t *sources = sounds != NULL ? fr_uint32_array_push(&player->sources, a->sound_count) : NULL;
    for (uint32_t i = 0; sources != NULL && i < a->sound_count; i++) {
        sources[i] = a->first_sound + i;
        sounds[i] = player->model_sounds.data[sources[i]];
        sounds[i].object = id;
    }
    return sources != NULL;
}

const fr_sound *fr_scene_player_sounds(const fr_scene_player *player, uint32_t *count) {
    *count = (uint32_t)player->sounds.count;
    return player->sounds.data;
}

// ---------------------------------------------------------------------------------------------------------------
// Playing

// The bones or vertices of a model at the time that it was moved to. Bones that are too far away for poses stay.
static void set_shape(played_model *a) {
    if (a->bone_count > 0 && fr_model_play_bones(a->play, a->bones + a->bone_count)) {
        memcpy(a->bones, a->bones + a->bone_count, a->bone_count * sizeof *a->bones);
    }
    const played_part *parts = a->parts.data;
    for (size_t i = 0; i < a->parts.count; i++) {
        fr_model_play_vertices(a->play, parts[i].node, a->vertices + parts[i].first_vertex);
    }
}

// The model of an object; NULL where it does not move by itself, or is not the scene's.
static played_model *model_of(const fr_scene_player *player, const fr_object_view *view) {
    if (player->scene == NULL || view == NULL) { return NULL; }
    uint32_t object = fr__scene_object_of(player->scene, view->user);
    uint32_t index = object != FR_NONE ? player->object_models.data[object] : FR_NONE;
    played_model *a = index != FR_NONE ? player->models.data + index : NULL;
    return a != NULL && a->is_moving ? a : NULL;
}

// Whether the bones or vertices of an object are not those that are wanted. An object that someone else deformed is put
// right.
static bool differs(const fr_object_view *view, const played_model *a) {
    if (a->bone_count > 0) {
        return view->bones == NULL || memcmp(view->bones, a->bones, a->bone_count * sizeof *a->bones) != 0;
    }
    return view->vertices == NULL || memcmp(view->vertices, a->vertices, a->vertex_count * sizeof *a->vertices) != 0;
}

// The sounds of a model at that time.
static void set_sounds(const fr_scene_player *player, const played_model *a) {
    fr_sound *model_sounds = player->model_sounds.data;
    const uint32_t *origins = player->origins.data;
    for (uint32_t i = a->first_sound; i < a->first_sound + a->sound_count; i++) {
        const fr_model_sound *from = &fr_model_get(a->model)->sounds[origins[i]];
        double matrix[12];
        fr_model_play_matrix(a->play, from->node, matrix);
        model_sounds[i].point = place_sound(matrix, from);
    }
}

static void play_all(fr_scene_player *player, double time) {
    played_model *models = player->models.data;
    bool has_moved = false;
    for (size_t i = 0; i < player->models.count; i++) {
        played_model *a = &models[i];
        if (!(a->is_moving || a->has_moving_sound) || !fr_model_play_at(a->play, time)) { continue; }
        if (a->is_moving) { set_shape(a); }
        if (a->has_moving_sound) { set_sounds(player, a); }
        has_moved = has_moved || a->has_moving_sound;
    }
    const uint32_t *sources = player->sources.data;
    for (size_t i = 0; has_moved && i < player->sounds.count; i++) {
        player->sounds.data[i].point = player->model_sounds.data[sources[i]].point;
    }
}

static fr_status set_object(fr_space *space, fr_object_id id, const played_model *a, bool is_next, fr_error *error) {
    if (a->bone_count > 0) {
        return is_next ? fr_object_set_next_bones(space, id, a->bones, a->bone_count, error)
                       : fr_object_set_bones(space, id, a->bones, a->bone_count, error);
    }
    return is_next ? fr_object_set_next_vertices(space, id, a->vertices, a->vertex_count, error)
                   : fr_object_set_vertices(space, id, a->vertices, a->vertex_count, error);
}

static fr_status set_all(fr_scene_player *player, fr_space *space, double time, bool is_next, fr_error *error) {
    play_all(player, time);
    uint32_t places = fr_space_object_places(space);
    for (uint32_t i = 0; i < places && player->models.count > 0; i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = fr_object_get(space, id);
        const played_model *a = model_of(player, view);
        if (a == NULL || !differs(view, a)) { continue; }
        fr_status status = set_object(space, id, a, is_next, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

fr_status fr_scene_player_place(fr_scene_player *player, fr_space *space, double time, fr_error *error) {
    FR_ASSERT(player != NULL && space != NULL);
    return set_all(player, space, time, false, error);
}

fr_status fr_scene_player_move(fr_scene_player *player, fr_space *space, double time, fr_error *error) {
    FR_ASSERT(player != NULL && space != NULL);
    return set_all(player, space, time, true, error);
}

fr_status fr__scene_player_mover(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_scene_player *player = user;
    play_all(player, proposal->time + proposal->step);
    uint32_t places = player->models.count > 0 ? fr_space_object_places(proposal->space) : 0;
    for (uint32_t i = 0; i < places; i++) {
        fr_object_id id = fr_space_object_at(proposal->space, i);
        const fr_object_view *view = fr_object_get(proposal->space, id);
        const played_model *a = model_of(player, view);
        if (a == NULL || !differs(view, a)) { continue; }
        fr_status status = a->bone_count > 0 ? fr_wishes_bones(wishes, id, a->bones, a->bone_count, error)
                                             : fr_wishes_deform(wishes, id, a->vertices, a->vertex_count, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}
