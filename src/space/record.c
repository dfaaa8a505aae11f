// The recorder. A record is 8 magic bytes, the version, then operations, each a number and its fields.
//
// An operation is recorded after it was done, by a call that cannot fail. Only the cooking of a mesh needs memory, and
// that happens before its object is added.
#include "space/record.h"

#include "space/skin_record.h"

#include <string.h>

// A mesh or a skin that was recorded.
typedef struct shared_entry {
    const void *thing; // retained, so that nothing else gets its address; NULL: empty
    uint32_t number;   // among the meshes, or among the skins
    bool is_skin;
} shared_entry;

FR_ARRAY_TYPE(operation_part_array, fr__operation_part);

struct fr__recorder {
    fr__codec codec;
    shared_entry *entries; // a hash table by address, at most half full
    size_t entry_count;    // a power of two, or 0
    uint32_t mesh_count, skin_count;
    operation_part_array parts; // of the object that is being added
};

// ---------------------------------------------------------------------------------------------------------------
// Numbers of meshes and skins

static shared_entry *find_entry(shared_entry *entries, size_t count, const void *thing) {
    uintptr_t address = (uintptr_t)thing;
    size_t at = (size_t)fr_hash(&address, sizeof address, 0) & (count - 1);
    while (entries[at].thing != NULL && entries[at].thing != thing) {
        at = (at + 1) & (count - 1);
    }
    return &entries[at];
}

static bool grow_entries(fr__recorder *recorder, const fr_allocator *allocator) {
    if (2 * ((size_t)recorder->mesh_count + recorder->skin_count + 1) <= recorder->entry_count) { return true; }
    size_t count = recorder->entry_count > 0 ? 2 * recorder->entry_count : 64;
    shared_entry *entries = fr_allocate(allocator, count, sizeof *entries, _Alignof(shared_entry));
    if (entries == NULL) { return false; }
    memset(entries, 0, count * sizeof *entries);
    for (size_t i = 0; i < recorder->entry_count; i++) {
        const shared_entry *old = &recorder->entries[i];
        if (old->thing != NULL) { *find_entry(entries, count, old->thing) = *old; }
    }
    fr_deallocate(allocator, recorder->entries, recorder->entry_count, sizeof *entries);
    recorder->entries = entries;
    recorder->entry_count = count;
    return true;
}

static void write_operation(fr__recorder *recorder, const fr__operation *operation) {
    fr__operation written = *operation;
    uint32_t kind = (uint32_t)operation->kind;
    fr__code_u32(&recorder->codec, &kind);
    fr__operation_code(&recorder->codec, &written);
    fr__codec_flush(&recorder->codec);
}

static fr_status record_mesh(fr_space *space, const fr_mesh *mesh, fr_error *error) {
    fr__recorder *recorder = space->recorder;
    if (!grow_entries(recorder, &space->allocator)) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory"); }
    shared_entry *entry = find_entry(recorder->entries, recorder->entry_count, mesh);
    if (entry->thing != NULL) { return FR_OK; }

    size_t bytes = fr_mesh_cook(mesh, NULL, 0);
    void *block = fr_allocate(&space->allocator, bytes, 1, FR__MESH_ALIGN);
    if (block == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a mesh of %zu bytes", bytes); }
    (void)fr_mesh_cook(mesh, block, bytes);
    entry->thing = fr_mesh_retain(mesh);
    entry->number = recorder->mesh_count++;
    fr__operation operation = {.kind = FR__OPERATION_MESH, .index = entry->number, .bytes = block, .byte_count = bytes};
    write_operation(recorder, &operation);
    fr_deallocate(&space->allocator, block, bytes, 1);
    return FR_OK;
}

fr_status fr__record_skin(fr_space *space, const fr_skin *skin, fr_error *error) {
    fr__recorder *recorder = space->recorder;
    if (recorder == NULL) { return FR_OK; }
    if (!grow_entries(recorder, &space->allocator)) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory"); }
    shared_entry *entry = find_entry(recorder->entries, recorder->entry_count, skin);
    if (entry->thing != NULL) { return FR_OK; }

    fr_byte_array bytes = fr_byte_array_make(&space->allocator);
    bool is_written = fr__skin_to_bytes(skin, &bytes);
    if (is_written) {
        *entry = (shared_entry){fr_skin_retain(skin), recorder->skin_count++, true};
        fr__operation operation = {.kind = FR__OPERATION_SKIN, .index = entry->number, .bytes = bytes.data};
        operation.byte_count = bytes.count;
        write_operation(recorder, &operation);
    }
    fr_byte_array_destroy(&bytes);
    return is_written ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a skin");
}

// ---------------------------------------------------------------------------------------------------------------
// Operations

void fr__record(fr_space *space, const fr__operation *operation) {
    if (space->recorder != NULL) { write_operation(space->recorder, operation); }
}

fr_status fr__record_meshes(fr_space *space, const fr_object_def *def, fr_error *error) {
    if (space->recorder == NULL) { return FR_OK; }
    if (!operation_part_array_reserve(&space->recorder->parts, def->part_count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for %u parts", def->part_count);
    }
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < def->part_count && status == FR_OK; i++) {
        status = record_mesh(space, def->parts[i].mesh, error);
    }
    return status;
}

// The recorded poses are the checked (normalized) ones, not the caller's.
void fr__record_add(fr_space *space, uint32_t index) {
    fr__recorder *recorder = space->recorder;
    if (recorder == NULL) { return; }
    const fr__object *object = fr__space_object(space, index);
    fr__operation_part *parts = recorder->parts.data;
    for (uint32_t i = 0; i < object->view.part_count; i++) {
        parts[i].mesh = find_entry(recorder->entries, recorder->entry_count, object->parts[i].mesh)->number;
        parts[i].pose = object->parts[i].pose;
    }
    fr__operation operation = {.kind = FR__OPERATION_OBJECT_ADD, .parts = parts};
    operation.def.pose = object->view.pose;
    operation.def.pivot_local = object->view.pivot_local;
    operation.def.filter = object->view.filter;
    operation.def.flags = object->view.flags;
    operation.def.part_count = object->view.part_count;
    write_operation(recorder, &operation);
}

void fr__record_set_skin(fr_space *space, fr_object_id id, uint32_t part) {
    fr__recorder *recorder = space->recorder;
    if (recorder == NULL) { return; }
    const fr__part *dressed = &fr__space_object(space, id.index1 - 1)->parts[part];
    fr__operation operation = {.kind = FR__OPERATION_SET_SKIN, .object = id, .part = part};
    operation.index = find_entry(recorder->entries, recorder->entry_count, dressed->skin)->number;
    operation.method = (uint32_t)dressed->method;
    write_operation(recorder, &operation);
}

// ---------------------------------------------------------------------------------------------------------------
// The state before the recording

static fr_status record_objects(fr_space *space, fr_error *error) {
    for (uint32_t i = 0; i < fr__places_count(&space->object_places); i++) {
        if (!fr__places_is_used(&space->object_places, i)) {
            fr__operation hole = {.kind = FR__OPERATION_HOLE};
            fr__record(space, &hole);
            continue;
        }
        const fr__object *object = fr__space_object(space, i);
        fr_status status = FR_OK;
        if (!operation_part_array_reserve(&space->recorder->parts, object->view.part_count)) {
            status = FR_ERROR_MEMORY;
        }
        for (uint32_t k = 0; k < object->view.part_count && status == FR_OK; k++) {
            status = record_mesh(space, object->parts[k].mesh, error);
            const fr_skin *skin = object->parts[k].skin;
            if (status == FR_OK && skin != NULL) { status = fr__record_skin(space, skin, error); }
        }
        if (status != FR_OK) { return fr_error_set(error, status, "out of memory for a record"); }
        fr__record_add(space, i);
    }
    return FR_OK;
}

// The player's objects are new: their ids have generation 0 until their places are restored.
static void record_states(fr_space *space) {
    for (uint32_t i = 0; i < fr__places_count(&space->object_places); i++) {
        if (!fr__places_is_used(&space->object_places, i)) { continue; }
        const fr__object *object = fr__space_object(space, i);
        const fr_object_view *view = &object->view;
        fr__operation deform = {.kind = FR__OPERATION_SET_VERTICES, .object = {i + 1, 0, 0}};
        fr__operation move = {.kind = FR__OPERATION_SET_MOTION, .object = {i + 1, 0, 0}};
        deform.vertices = view->vertices;
        deform.vertex_count = view->vertex_count;
        move.motion = view->motion;
        move.pose = view->next;
        for (uint32_t k = 0; k < view->part_count; k++) {
            if (object->parts[k].skin != NULL) { fr__record_set_skin(space, deform.object, k); }
        }
        bool has_skin = view->bone_count > 0;
        if (has_skin) {
            deform = (fr__operation){.kind = FR__OPERATION_SET_BONES, .object = deform.object, .bones = view->bones};
            deform.bone_count = view->bone_count;
        }
        if (has_skin ? view->bones != NULL : view->vertices != NULL) { fr__record(space, &deform); }
        if (view->is_moving) { fr__record(space, &move); }
        deform.kind = has_skin ? FR__OPERATION_SET_NEXT_BONES : FR__OPERATION_SET_NEXT_VERTICES;
        deform.vertices = view->next_vertices;
        deform.bones = view->next_bones;
        if (has_skin ? view->next_bones != NULL : view->next_vertices != NULL) { fr__record(space, &deform); }
    }
    for (uint32_t i = 0; i < fr__places_count(&space->object_places); i++) {
        fr__operation place = {.kind = FR__OPERATION_PLACE, .index = i};
        place.generation = fr__places_generation(&space->object_places, i);
        place.versions = fr__space_objects(space)[i].versions;
        fr__record(space, &place);
    }
}

static void record_joints(fr_space *space) {
    for (uint32_t i = 0; i < fr__places_count(&space->joint_places); i++) {
        bool is_used = fr__places_is_used(&space->joint_places, i);
        fr__operation joint = {.kind = is_used ? FR__OPERATION_JOINT_ADD : FR__OPERATION_JOINT_HOLE};
        if (is_used) { joint.joint = fr__space_joints(space)[i].joint; }
        fr__record(space, &joint);
    }
    for (uint32_t i = 0; i < fr__places_count(&space->joint_places); i++) {
        fr__operation place = {.kind = FR__OPERATION_JOINT_PLACE, .index = i};
        place.generation = fr__places_generation(&space->joint_places, i);
        fr__record(space, &place);
    }
}

static fr_status record_beginning(fr_space *space, fr_error *error) {
    fr__codec *codec = &space->recorder->codec;
    const void *magic = FR__RECORD_MAGIC;
    uint32_t version = FR__RECORD_VERSION;
    fr__code_bytes(codec, &magic, 8);
    fr__code_u32(codec, &version);
    fr__codec_flush(codec);
    fr_status status = record_objects(space, error);
    if (status != FR_OK) { return status; }
    record_states(space);
    record_joints(space);
    fr__operation update = {.kind = FR__OPERATION_UPDATE};
    if (space->is_current) { fr__record(space, &update); }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning and end

void fr__recorder_destroy(fr_space *space) {
    fr__recorder *recorder = space->recorder;
    if (recorder == NULL) { return; }
    for (size_t i = 0; i < recorder->entry_count; i++) {
        const shared_entry *entry = &recorder->entries[i];
        if (entry->is_skin) {
            fr_skin_release(entry->thing);
        } else {
            fr_mesh_release(entry->thing);
        }
    }
    fr_deallocate(&space->allocator, recorder->entries, recorder->entry_count, sizeof *recorder->entries);
    operation_part_array_destroy(&recorder->parts);
    fr_deallocate(&space->allocator, recorder, 1, sizeof *recorder);
    space->recorder = NULL;
}

// Gives meshes and skins that the reader of the record has already the numbers that they have there.
static fr_status take_known(fr_space *space, const fr__record_known *known, fr_error *error) {
    fr__recorder *recorder = space->recorder;
    for (uint32_t i = 0; i < known->mesh_count + known->skin_count; i++) {
        if (!grow_entries(recorder, &space->allocator)) {
            return fr_error_set(error, FR_ERROR_MEMORY, "out of memory");
        }
        bool is_skin = i >= known->mesh_count;
        const void *thing = is_skin ? (const void *)known->skins[i - known->mesh_count] : known->meshes[i];
        shared_entry *entry = find_entry(recorder->entries, recorder->entry_count, thing);
        uint32_t number = is_skin ? recorder->skin_count++ : recorder->mesh_count++;
        if (entry->thing != NULL) { continue; } // the first of its numbers stands
        const void *retained = is_skin ? (const void *)fr_skin_retain(thing) : fr_mesh_retain(thing);
        *entry = (shared_entry){retained, number, is_skin};
    }
    return FR_OK;
}

fr_status fr_space_record(fr_space *space, fr_record_fn *record, void *context, fr_error *error) {
    return fr__space_record(space, NULL, record, context, error);
}

fr_status fr__space_record(fr_space *space, const fr__record_known *known, fr_record_fn *record, void *context,
                           fr_error *error) {
    FR_ASSERT(space != NULL);
    fr_status status = fr__space_check_change(space, error);
    if (status != FR_OK) { return status; }
    fr__recorder_destroy(space);
    if (record == NULL) { return FR_OK; }

    fr__recorder *recorder = fr_allocate(&space->allocator, 1, sizeof *recorder, _Alignof(fr__recorder));
    if (recorder == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a recorder"); }
    memset(recorder, 0, sizeof *recorder);
    fr__codec_make_writer(&recorder->codec, record, context);
    recorder->parts = operation_part_array_make(&space->allocator);
    space->recorder = recorder;
    if (known != NULL) { status = take_known(space, known, error); }
    if (status == FR_OK) { status = record_beginning(space, error); }
    if (status != FR_OK) { fr__recorder_destroy(space); }
    return status;
}
