// The player: repeats the calls of a record. A record is not trusted: every count is checked against the bytes that are
// there, so that memory stays within a small factor of the record's size.
#include "space/replay.h"

#include "space/object.h"
#include "space/record.h"
#include "space/skin_record.h"

#include <string.h>

// Bytes of a PLACE and a JOINT_PLACE in a record, their numbers included.
#define PLACE_BYTES 44u
#define JOINT_PLACE_BYTES 12u

// Many bodies share one mesh and one skin, and bring 64 bytes a bone and step each.
#define SKINNED_TRIANGLES_A_BYTE 16u

// Versions count up by one, so no genuine record comes near this.
#define VERSION_MAX (UINT64_C(1) << 62)

// ---------------------------------------------------------------------------------------------------------------
// The state a recording began with

static fr_status do_MESH(fr__player *p, const fr__operation *o) {
    if (o->index != p->meshes.count) {
        return fr_error_set(p->error, FR_ERROR_CORRUPT, "mesh %u comes as number %zu", o->index, p->meshes.count);
    }
    const fr_mesh **place = fr__mesh_pointer_array_push(&p->meshes, 1);
    if (place == NULL) { return fr_error_set(p->error, FR_ERROR_MEMORY, "out of memory for a mesh"); }
    *place = NULL;
    fr_mesh *mesh = NULL;
    fr_status status =
        fr_mesh_from_cooked(o->bytes, (size_t)o->byte_count, false, &p->space->allocator, &mesh, p->error);
    *place = mesh;
    return status;
}

static fr_status do_SKIN(fr__player *p, const fr__operation *o) {
    if (o->index != p->skins.count) {
        return fr_error_set(p->error, FR_ERROR_CORRUPT, "skin %u comes as number %zu", o->index, p->skins.count);
    }
    const fr_skin **place = fr__skin_pointer_array_push(&p->skins, 1);
    if (place == NULL) { return fr_error_set(p->error, FR_ERROR_MEMORY, "out of memory for a skin"); }
    fr_skin *skin = NULL;
    fr_status status = fr__skin_from_bytes(o->bytes, (size_t)o->byte_count, &p->space->allocator, &skin, p->error);
    *place = skin;
    return status;
}

static size_t bytes_left(const fr__player *p) { return p->codec.size - p->codec.at; }

// Every place that is made is restored later, which takes bytes of the record.
static fr_status do_HOLE(fr__player *p, const fr__operation *o) {
    (void)o;
    uint64_t unrestored = (uint64_t)fr__places_count(&p->space->object_places) + 1 - p->restored;
    if (bytes_left(p) / PLACE_BYTES < unrestored) {
        return fr_error_set(p->error, FR_ERROR_CORRUPT, "a place is made and never restored");
    }
    return fr__object_add_hole(p->space, p->error);
}

static bool are_honest(const fr_versions *versions) {
    return versions->shape < VERSION_MAX && versions->vertices < VERSION_MAX && versions->pose < VERSION_MAX &&
           versions->filter < VERSION_MAX;
}

static fr_status do_PLACE(fr__player *p, const fr__operation *o) {
    fr__places *places = &p->space->object_places;
    bool is_next = o->index == p->restored && o->index < fr__places_count(places);
    bool is_last = fr__places_is_used(places, is_next ? o->index : 0) && o->generation == UINT32_MAX;
    if (!is_next || is_last || fr__places_count(&p->space->joint_places) > 0 || !are_honest(&o->versions)) {
        return fr_error_set(p->error, FR_ERROR_CORRUPT, "the state of place %u is none", o->index);
    }
    fr__places_restore(places, o->index, o->generation);
    fr__space_objects(p->space)[o->index].versions = o->versions;
    p->restored++;
    return FR_OK;
}

static fr_status do_JOINT_HOLE(fr__player *p, const fr__operation *o) {
    (void)o;
    uint64_t unrestored = (uint64_t)fr__places_count(&p->space->joint_places) + 1 - p->joints_restored;
    if (bytes_left(p) / JOINT_PLACE_BYTES < unrestored) {
        return fr_error_set(p->error, FR_ERROR_CORRUPT, "a joint's place is made and never restored");
    }
    return fr__joint_add_hole(p->space, p->error);
}

static fr_status do_JOINT_PLACE(fr__player *p, const fr__operation *o) {
    fr__places *places = &p->space->joint_places;
    bool is_next = o->index == p->joints_restored && o->index < fr__places_count(places);
    bool is_last = fr__places_is_used(places, is_next ? o->index : 0) && o->generation == UINT32_MAX;
    if (!is_next || is_last) {
        return fr_error_set(p->error, FR_ERROR_CORRUPT, "the state of a joint's place %u is none", o->index);
    }
    fr__places_restore(places, o->index, o->generation);
    p->joints_restored++;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Objects

static fr_status do_OBJECT_ADD(fr__player *p, const fr__operation *o) {
    p->parts.count = 0;
    fr_part_def *parts = fr__part_def_array_push(&p->parts, o->def.part_count);
    if (parts == NULL) { return fr_error_set(p->error, FR_ERROR_MEMORY, "out of memory for an object"); }
    const fr_mesh *const *meshes = p->meshes.data;
    for (uint32_t i = 0; i < o->def.part_count; i++) {
        if (o->parts[i].mesh >= p->meshes.count) {
            return fr_error_set(p->error, FR_ERROR_CORRUPT, "a part is of mesh %u, which is not there",
                                o->parts[i].mesh);
        }
        parts[i].mesh = meshes[o->parts[i].mesh];
        parts[i].pose = o->parts[i].pose;
    }
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = o->def.part_count;
    def.pose = o->def.pose;
    def.pivot_local = o->def.pivot_local;
    def.filter = o->def.filter;
    def.flags = o->def.flags;
    fr_object_id id;
    return fr_object_add(p->space, &def, &id, p->error);
}

// Fills the player's error for a call that returns only a status.
static fr_status with_text(fr__player *p, fr_status status) {
    return status == FR_OK ? FR_OK : fr_error_set(p->error, status, "%s", fr_status_text(status));
}

static fr_status do_OBJECT_REMOVE(fr__player *p, const fr__operation *o) {
    return with_text(p, fr_object_remove(p->space, o->object, NULL));
}

static fr_status do_SET_POSE(fr__player *p, const fr__operation *o) {
    return fr_object_set_pose(p->space, o->object, &o->pose, p->error);
}

static fr_status do_SET_NEXT(fr__player *p, const fr__operation *o) {
    return fr_object_set_next(p->space, o->object, &o->pose, p->error);
}

static fr_status do_SET_MOTION(fr__player *p, const fr__operation *o) {
    return fr_object_set_motion(p->space, o->object, &o->motion, &o->pose, p->error);
}

static fr_status do_SET_FILTER(fr__player *p, const fr__operation *o) {
    return with_text(p, fr_object_set_filter(p->space, o->object, o->filter, NULL));
}

static fr_status do_SET_FLAGS(fr__player *p, const fr__operation *o) {
    return with_text(p, fr_object_set_flags(p->space, o->object, o->flags, NULL));
}

// A deformed object has trees of its own, over all triangles of its meshes: without a limit a few vertices in many
// objects could use any amount of memory. Each byte of the record allows one triangle; a genuine record has 12 bytes
// for each.
static fr_status pay_for_trees(fr__player *p, const fr__operation *o) {
    const fr_object_view *view = fr_object_get(p->space, o->object);
    if (view == NULL || view->vertices != NULL) { return FR_OK; }
    if (view->triangle_count > p->deformable_triangles) {
        return fr_error_set(p->error, FR_ERROR_LIMIT, "more triangles are deformed than the record has bytes");
    }
    p->deformable_triangles -= view->triangle_count;
    return FR_OK;
}

static fr_status do_SET_VERTICES(fr__player *p, const fr__operation *o) {
    fr_status status = pay_for_trees(p, o);
    if (status != FR_OK) { return status; }
    return fr_object_set_vertices(p->space, o->object, o->vertices, o->vertex_count, p->error);
}

static fr_status do_SET_NEXT_VERTICES(fr__player *p, const fr__operation *o) {
    fr_status status = pay_for_trees(p, o);
    if (status != FR_OK) { return status; }
    return fr_object_set_next_vertices(p->space, o->object, o->vertices, o->vertex_count, p->error);
}

static fr_status do_SET_SKIN(fr__player *p, const fr__operation *o) {
    if (o->index >= p->skins.count) {
        return fr_error_set(p->error, FR_ERROR_CORRUPT, "a part has skin %u, which is not there", o->index);
    }
    fr_skin_method method = (fr_skin_method)(o->method <= FR_SKIN_DUAL_QUATERNIONS ? o->method : UINT8_MAX);
    const fr_skin *const *skins = p->skins.data;
    fr_part_view part = fr_object_part(p->space, o->object, o->part);
    uint64_t price = part.mesh != NULL ? 1 + fr_mesh_get(part.mesh)->triangle_count / SKINNED_TRIANGLES_A_BYTE : 0;
    if (price > p->deformable_triangles) {
        return fr_error_set(p->error, FR_ERROR_LIMIT, "more triangles follow bones than a record of its size may have");
    }
    p->deformable_triangles -= price;
    return fr_object_set_skin(p->space, o->object, o->part, skins[o->index], method, p->error);
}

static fr_status do_SET_BONES(fr__player *p, const fr__operation *o) {
    return fr_object_set_bones(p->space, o->object, o->bones, o->bone_count, p->error);
}

static fr_status do_SET_NEXT_BONES(fr__player *p, const fr__operation *o) {
    return fr_object_set_next_bones(p->space, o->object, o->bones, o->bone_count, p->error);
}

// ---------------------------------------------------------------------------------------------------------------
// Joints and the space

static fr_status do_JOINT_ADD(fr__player *p, const fr__operation *o) {
    fr_joint_id id;
    return fr_joint_add(p->space, &o->joint, &id, p->error);
}

static fr_status do_JOINT_REMOVE(fr__player *p, const fr__operation *o) {
    return with_text(p, fr_joint_remove(p->space, o->joint_id, NULL));
}

static fr_status do_JOINT_SET(fr__player *p, const fr__operation *o) {
    return fr_joint_set(p->space, o->joint_id, &o->joint, p->error);
}

static fr_status do_COMMIT(fr__player *p, const fr__operation *o) {
    (void)o;
    return with_text(p, fr_space_commit(p->space, NULL));
}

// No later operation depends on what an update derives. So one update is done at the end, if the space was current
// then; until then the space only counts as current.
static fr_status do_UPDATE(fr__player *p, const fr__operation *o) {
    (void)o;
    p->space->is_current = true;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The player

static void own_ids(const fr_space *space, fr__operation *o) {
    fr_object_id *const ids[] = {&o->object, &o->joint.parent, &o->joint.child};
    for (int i = 0; i < 3; i++) {
        ids[i]->space = ids[i]->index1 != 0 ? space->number : 0;
    }
    o->joint_id.space = space->number;
}

fr_status fr__player_read_too_far(const fr__player *p) {
    const char *what = p->codec.status == FR_ERROR_MEMORY ? "out of memory" : "the record ends too soon";
    return fr_error_set(p->error, p->codec.status, "%s", what);
}

fr_status fr__player_do(fr__player *p, uint32_t kind) {
    static fr_status (*const does[])(fr__player * p, const fr__operation *o) = {
#define OPERATION_DO(name, text) do_##name,
        FR__OPERATION_TABLE(OPERATION_DO)
#undef OPERATION_DO
    };
    fr__operation operation;
    memset(&operation, 0, sizeof operation);
    if (kind >= FR__OPERATION_COUNT) {
        return fr_error_set(p->error, FR_ERROR_SYNTAX, "there is no operation %u", kind);
    }
    operation.kind = (fr__operation_kind)kind;
    if (p->codec.status == FR_OK) { fr__operation_code(&p->codec, &operation); }
    if (p->codec.status != FR_OK) { return fr__player_read_too_far(p); }
    own_ids(p->space, &operation);
    return does[kind](p, &operation);
}

fr_status fr__player_begin(fr__player *p, const char *magic, uint32_t version, const char *what) {
    const void *begins = NULL;
    uint32_t is_version = 0;
    fr__code_bytes(&p->codec, &begins, 8);
    fr__code_u32(&p->codec, &is_version);
    if (p->codec.status != FR_OK || memcmp(begins, magic, 8) != 0) {
        return fr_error_set(p->error, FR_ERROR_SYNTAX, "does not begin as a record of %s", what);
    }
    if (is_version != version) {
        return fr_error_set(p->error, FR_ERROR_VERSION, "version %u, this library reads %u", is_version, version);
    }
    return FR_OK;
}

fr_status fr__player_open(fr__player *p, fr_space *space, const void *bytes, size_t size, fr_error *error) {
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }
    bool is_new = fr__places_count(&space->object_places) == 0 && fr__places_count(&space->joint_places) == 0;
    if (!is_new || space->recorder != NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a record is replayed into a new space without a recorder");
    }
    *p = (fr__player){.space = space, .deformable_triangles = size, .error = error};
    fr__codec_make_reader(&p->codec, bytes, size, &space->allocator);
    p->meshes = fr__mesh_pointer_array_make(&space->allocator);
    p->skins = fr__skin_pointer_array_make(&space->allocator);
    p->parts = fr__part_def_array_make(&space->allocator);
    return FR_OK;
}

void fr__player_close(fr__player *p) {
    const fr_mesh **meshes = p->meshes.data;
    for (size_t i = 0; i < p->meshes.count; i++) {
        fr_mesh_release(meshes[i]);
    }
    const fr_skin **skins = p->skins.data;
    for (size_t i = 0; i < p->skins.count; i++) {
        fr_skin_release(skins[i]);
    }
    fr__mesh_pointer_array_destroy(&p->meshes);
    fr__skin_pointer_array_destroy(&p->skins);
    fr__part_def_array_destroy(&p->parts);
    fr__codec_free(&p->codec);
}

bool fr__player_settle(fr__player *p) {
    bool was_current = p->space->is_current;
    p->space->is_current = false;
    return was_current;
}

static fr_status play(fr__player *p, const fr_control *control, uint64_t counts[FR__OPERATION_COUNT], size_t *at) {
    *at = 0;
    fr_status status = fr__player_begin(p, FR__RECORD_MAGIC, FR__RECORD_VERSION, "a space");
    for (uint32_t done = 0; status == FR_OK && p->codec.at < p->codec.size; done++) {
        *at = p->codec.at;
        if (done % 64 == 0) {
            fr_control_progress(control, (double)p->codec.at / (double)p->codec.size, "replay");
            if (fr_control_is_stopped(control)) {
                return fr_error_set(p->error, FR_ERROR_STOPPED, "stopped by the caller");
            }
        }
        uint32_t kind = 0;
        fr__code_u32(&p->codec, &kind);
        status = fr__player_do(p, kind);
        if (status == FR_OK && counts != NULL) { counts[kind]++; }
    }
    return status;
}

fr_status fr__replay(fr_space *space, const void *bytes, size_t size, const fr_control *control,
                     uint64_t counts[FR__OPERATION_COUNT], fr_error *error) {
    FR_ASSERT(space != NULL && (bytes != NULL || size == 0));
    fr_error own;
    memset(&own, 0, sizeof own);
    fr__player p;
    fr_status status = fr__player_open(&p, space, bytes, size, &own);
    if (status != FR_OK) { return fr_error_set(error, status, "%s", own.message); }
    size_t at = 0;
    status = play(&p, control, counts, &at);
    bool was_current = fr__player_settle(&p);
    if (status == FR_OK && was_current) { status = fr_space_update(space, NULL, &own); }
    if (status != FR_OK) { (void)fr_error_set(error, status, "record, byte %zu: %s", at, own.message); }
    fr__player_close(&p);
    return status;
}

fr_status fr_space_replay(fr_space *space, const void *bytes, size_t size, const fr_control *control, fr_error *error) {
    return fr__replay(space, bytes, size, control, NULL, error);
}
