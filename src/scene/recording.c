// Recordings: which objects of a world are shown, and where they are frame by frame.
#include "scene/recording.h"

#include <string.h>

#define RECORDING_COOKIE UINT32_C(0x7265636f)

fr_recording_def fr_default_recording_def(void) { return (fr_recording_def){.cookie = RECORDING_COOKIE}; }

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a recording");
}

// ---------------------------------------------------------------------------------------------------------------
// Objects

static bool is_plain(const fr_looks *looks, fr_object_id id) {
    uint32_t low = 0, high = looks->plain_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (looks->plain[middle].index1 < id.index1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < looks->plain_count && fr_object_id_equal(looks->plain[low], id);
}

static bool add_parts(fr_recording *r, const fr_space *space, const fr_object_view *view, fr__recorded_object *object) {
    fr__recorded_part *parts = fr__recorded_part_array_push(&r->parts, view->part_count);
    if (parts == NULL) { return false; }
    object->first_part = (uint32_t)(r->parts.count - view->part_count);
    object->part_count = view->part_count;
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, object->id, i);
        // Until bones are set the mesh's own vertices stand.
        bool has_bones = part.skin != NULL && view->bones != NULL;
        parts[i] = (fr__recorded_part){.mesh = fr_mesh_retain(part.mesh), .pose = part.pose};
        if (has_bones) { parts[i].skin = object->skin = fr_skin_retain(part.skin); }
    }
    if (object->skin != NULL) { object->pose_count += view->bone_count; }
    return true;
}

static bool add_object(fr_recording *r, const fr_space *space, fr_object_id id) {
    const fr_object_view *view = fr_object_get(space, id);
    fr_label label = fr_world_label(r->world, id);
    size_t bytes = strlen(label.name) + 1;
    char *name = fr_arena_alloc(r->arena, bytes, 1, 1);
    fr__recorded_object *object = fr__recorded_object_array_push(&r->objects, 1);
    if (object == NULL) { return false; }
    *object = (fr__recorded_object){.id = id,
                                    .name = name,
                                    .color = label.color,
                                    .is_plain = is_plain(r->looks, id),
                                    .pose_count = 1,
                                    .values = fr_float_array_make(&r->allocator)};
    if (name == NULL) { return false; }
    memcpy(name, label.name, bytes);
    return add_parts(r, space, view, object);
}

fr_status fr_recording_create(const fr_recording_def *def, fr_recording **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    static const fr_looks none;
    *out = NULL;
    if (def->cookie != RECORDING_COOKIE) { return fr_error_set_cookie(error, "fr_default_recording_def"); }
    if (def->world == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a recording needs a world"); }
    fr_allocator own = fr_allocator_or_default(&def->allocator);
    fr_recording *r = fr_allocate(&own, 1, sizeof *r, _Alignof(fr_recording));
    if (r == NULL) { return no_memory(error); }
    *r = (fr_recording){.allocator = own, .world = def->world, .looks = def->looks != NULL ? def->looks : &none};
    r->objects = fr__recorded_object_array_make(&own);
    r->parts = fr__recorded_part_array_make(&own);
    bool is_made = fr_arena_create(0, &own, &r->arena, NULL) == FR_OK;
    const fr_space *space = fr_world_space(def->world);
    for (uint32_t i = 0; is_made && i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        if (id.index1 == 0 || (fr_object_get(space, id)->flags & FR_OBJECT_PROXY) != 0) { continue; }
        is_made = add_object(r, space, id);
    }
    if (!is_made) {
        fr_recording_destroy(r);
        return no_memory(error);
    }
    *out = r;
    return FR_OK;
}

void fr_recording_destroy(fr_recording *recording) {
    if (recording == NULL) { return; }
    for (size_t i = 0; i < recording->parts.count; i++) {
        fr_mesh_release(recording->parts.data[i].mesh);
        fr_skin_release(recording->parts.data[i].skin);
    }
    for (size_t i = 0; i < recording->objects.count; i++) {
        fr_float_array_destroy(&recording->objects.data[i].values);
    }
    fr__recorded_object_array_destroy(&recording->objects);
    fr__recorded_part_array_destroy(&recording->parts);
    if (recording->arena != NULL) { fr_arena_destroy(recording->arena); }
    fr_allocator own = recording->allocator;
    fr_deallocate(&own, recording, 1, sizeof *recording);
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

// Writes a pose with its rotation on the side of the one before, so that what is between two keys is the shorter turn.
static void put_pose(const fr_pose *pose, const float *before, float *to) {
    const fr_quat q = pose->rotation;
    double turn[4] = {q.x, q.y, q.z, q.w}, along = 0.0;
    for (int k = 0; k < 4 && before != NULL; k++) {
        along += turn[k] * (double)before[3 + k];
    }
    to[0] = (float)pose->position.x;
    to[1] = (float)pose->position.y;
    to[2] = (float)pose->position.z;
    for (int k = 0; k < 4; k++) {
        to[3 + k] = (float)(along < 0.0 ? -turn[k] : turn[k]);
    }
    to[7] = (float)pose->scale;
}

static void put_frame(const fr__recorded_object *object, const fr_object_view *view, const float *before, float *to) {
    put_pose(&view->pose, before, to);
    const uint32_t *parents = object->skin != NULL ? fr_skin_get(object->skin)->parents : NULL;
    for (uint32_t b = 0; b + 1 < object->pose_count; b++) {
        fr_pose pose = view->bones[b];
        if (parents[b] != FR_NONE) {
            fr_pose back = fr_pose_inverse(&view->bones[parents[b]]);
            pose = fr_pose_compose(&back, &pose);
        }
        size_t at = (size_t)FR__RECORDED_POSE * (b + 1);
        put_pose(&pose, before != NULL ? before + at : NULL, to + at);
    }
}

// Writes where an object is; one that is gone stays where it was.
static void put_object(const fr__recorded_object *object, const fr_object_view *view, const float *before, float *to) {
    bool is_there = view != NULL && (object->skin == NULL || view->bones != NULL);
    if (is_there) {
        put_frame(object, view, before, to);
    } else if (before != NULL) {
        memcpy(to, before, FR__RECORDED_POSE * object->pose_count * sizeof *to);
    } else {
        const fr_pose identity = fr_pose_identity();
        for (uint32_t i = 0; i < object->pose_count; i++) {
            put_pose(&identity, NULL, to + (size_t)FR__RECORDED_POSE * i);
        }
    }
}

// Adds one frame to an object; as long as nothing has moved the first one alone stays.
static bool take_object(const fr_recording *r, const fr_space *space, fr__recorded_object *object) {
    size_t count = (size_t)FR__RECORDED_POSE * object->pose_count, used = object->values.count;
    float *to = fr_float_array_push(&object->values, count);
    if (to == NULL) { return false; }
    const float *before = used > 0 ? to - count : NULL;
    put_object(object, fr_object_get(space, object->id), before, to);
    if (object->has_moved || used == 0) { return true; }
    if (memcmp(to, before, count * sizeof *to) == 0) {
        object->values.count = used;
        return true;
    }
    // It begins to move: the first frame stands for all until now.
    if (fr_float_array_push(&object->values, count * (r->frame_count - 1)) == NULL) { return false; }
    float *values = object->values.data;
    memmove(values + count * r->frame_count, values + count, count * sizeof *values);
    for (uint32_t f = 1; f < r->frame_count; f++) {
        memcpy(values + count * f, values, count * sizeof *values);
    }
    object->has_moved = true;
    return true;
}

// Takes back a frame that not all objects have.
static void drop_frame(fr_recording *r) {
    for (size_t i = 0; i < r->objects.count; i++) {
        fr__recorded_object *object = &r->objects.data[i];
        size_t frames = object->has_moved || r->frame_count == 0 ? r->frame_count : 1;
        object->values.count = FR__RECORDED_POSE * object->pose_count * frames;
    }
}

fr_status fr_recording_take(fr_recording *recording, fr_error *error) {
    FR_ASSERT(recording != NULL);
    if (recording->frame_count == FR_RECORDING_MAX_FRAMES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a recording has at most %u frames", FR_RECORDING_MAX_FRAMES);
    }
    const fr_space *space = fr_world_space(recording->world);
    for (size_t i = 0; i < recording->objects.count; i++) {
        if (take_object(recording, space, &recording->objects.data[i])) { continue; }
        drop_frame(recording);
        return no_memory(error);
    }
    recording->frame_count++;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// A body that moves as a clip does

// Plays the clip on the only object of a world, and records it.
static fr_status record_clip(const fr_figure_view *figure, const fr_clip *clip, fr_object_id id, fr_recording_def *def,
                             fr_model **out, fr_error *error) {
    fr_quat turns[FR_LINK_COUNT];
    fr_pose poses[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    fr_recording *recording = NULL;
    fr_status status = FR_OK;
    for (uint32_t f = 0; f < fr_clip_get(clip)->frame_count && status == FR_OK; f++) {
        status = fr_clip_frame(clip, f, &posture, error);
        if (status == FR_OK) { status = fr_posture_poses(figure->skeleton, &posture, 1, poses, error); }
        if (status == FR_OK) {
            status = fr_object_set_bones(fr_world_space(def->world), id, poses, FR_LINK_COUNT, error);
        }
        if (status == FR_OK && f == 0) { status = fr_recording_create(def, &recording, error); }
        if (status == FR_OK) { status = fr_recording_take(recording, error); }
    }
    if (status == FR_OK) { status = fr_recording_model(recording, out, error); }
    fr_recording_destroy(recording);
    return status;
}

static fr_status add_body(const fr_figure_view *figure, const char *name, fr_world *world, fr_object_id *id,
                          fr_error *error) {
    fr_part_def part = fr_default_part_def();
    part.mesh = figure->mesh;
    fr_object_def object = fr_default_object_def();
    object.parts = &part;
    object.part_count = 1;
    object.flags = FR_OBJECT_GHOST;
    fr_label label = fr_default_label();
    label.name = name;
    fr_space *space = fr_world_space(world);
    fr_status status = fr_object_add(space, &object, id, error);
    if (status == FR_OK) { status = fr_object_set_skin(space, *id, 0, figure->skin, FR_SKIN_LINEAR, error); }
    return status == FR_OK ? fr_world_set_label(world, *id, &label, error) : status;
}

fr_status fr_recording_model_of_clip(const fr_figure *figure, const fr_clip *clip, const fr_allocator *allocator,
                                     fr_model **out, fr_error *error) {
    FR_ASSERT(figure != NULL && clip != NULL && out != NULL);
    *out = NULL;
    const fr_figure_view *view = fr_figure_get(figure);
    const fr_clip_view *motion = fr_clip_get(clip);
    if (motion->link_count > FR_LINK_COUNT || fr_skeleton_get(view->skeleton)->link_count != FR_LINK_COUNT) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the clip is not one of a body of %u links", FR_LINK_COUNT);
    }
    fr_allocator own = fr_allocator_or_default(allocator);
    uint32_t triangles = fr_mesh_get(view->mesh)->triangle_count;
    fr_color *colors = fr_allocate(&own, (size_t)3 * triangles, sizeof *colors, _Alignof(fr_color));
    if (colors == NULL) { return no_memory(error); }
    for (uint32_t i = 0; i < 3 * triangles; i++) {
        colors[i] = view->colors[i / 3];
    }
    fr_mesh_look look = {.mesh = view->mesh, .material = FR_NONE, .colors = colors};
    fr_looks looks = {.meshes = &look, .mesh_count = 1};
    fr_world_def world = fr_default_world_def();
    world.step = 1.0 / motion->frame_rate;
    world.allocator = own;
    fr_recording_def def = fr_default_recording_def();
    def.looks = &looks;
    def.allocator = own;
    fr_object_id id = {0};
    fr_status status = fr_world_create(&world, &def.world, error);
    if (status == FR_OK) { status = add_body(view, motion->name, def.world, &id, error); }
    if (status == FR_OK) { status = record_clip(view, clip, id, &def, out, error); }
    fr_world_destroy(def.world);
    fr_deallocate(&own, colors, (size_t)3 * triangles, sizeof *colors);
    return status;
}
