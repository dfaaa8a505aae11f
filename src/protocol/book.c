// What receivers have of each object: compared with one snapshot after another.
#include "protocol/book.h"

#include <math.h>
#include <string.h>

// Numbers of a unit quaternion that differ by less are the same turn: rounding errors of bones in their parents' frames
// are far below it, and the error of a packed turn far above.
#define SAME_TURN 5e-7
#define SAME_SCALE 0x1p-22 // of a scale

fr__book fr__book_make(const fr_allocator *allocator) {
    return (fr__book){.objects = fr__book_object_array_make(allocator),
                      .old_objects = fr__book_object_array_make(allocator),
                      .groups = fr__book_group_array_make(allocator),
                      .old_groups = fr__book_group_array_make(allocator)};
}

void fr__book_free(fr__book *book) {
    fr__book_object_array_destroy(&book->objects);
    fr__book_object_array_destroy(&book->old_objects);
    fr__book_group_array_destroy(&book->groups);
    fr__book_group_array_destroy(&book->old_groups);
}

uint32_t fr__book_stamp(const fr__book *book, uint64_t sequence) {
    return sequence >= book->first ? (uint32_t)(sequence - book->first) + 1 : 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Bones

// The skin of an object that hangs its bones together: that of its first part that has one.
static const fr_skin_view *skeleton_of(const fr_space *space, fr_object_id id) {
    const fr_object_view *view = fr_object_get(space, id);
    for (uint32_t i = 0; view != NULL && i < view->part_count; i++) {
        const fr_skin *skin = fr_object_part(space, id, i).skin;
        if (skin != NULL) { return fr_skin_get(skin); }
    }
    return NULL;
}

// A few millionths of the size of a skeleton: of the farthest bone from the mesh's origin.
static double grain_of(const fr_skin_view *skin) {
    double largest = 0.0;
    for (uint32_t i = 0; i < skin->bone_count; i++) {
        const double *inverse = skin->inverse_binds + 12 * (size_t)i;
        largest = fmax(largest, fmax(fabs(inverse[3]), fmax(fabs(inverse[7]), fabs(inverse[11]))));
    }
    int exponent = 0;
    (void)frexp(largest > 0.0 ? largest : 1.0, &exponent);
    return ldexp(1.0, exponent - 22);
}

// Takes the bones of an object over; true where one changed.
static bool take_bones(const fr__book_object *object, const fr_pose *now, uint32_t stamp, fr_bone_group *groups) {
    fr_bone_changes_input input = fr_default_bone_changes_input();
    input.bones = now;
    input.parents = object->skin->parents;
    input.bone_count = object->bone_count;
    input.stamp = stamp;
    input.same_turn = SAME_TURN;
    input.same_place = object->grain;
    input.same_scale = SAME_SCALE;
    fr_bone_changes_output output = {.groups = groups};
    return fr_bone_changes(&input, &output, NULL) == FR_OK && output.is_changed;
}

// ---------------------------------------------------------------------------------------------------------------
// Objects

static bool has_same_objects(const fr__book *book, const fr_snapshot *snapshot) {
    if (book->objects.count != snapshot->object_count) { return false; }
    for (size_t i = 0; i < snapshot->object_count; i++) {
        if (!fr_object_id_equal(book->objects.data[i].id, snapshot->objects[i].id)) { return false; }
    }
    return true;
}

// Room for the bones of an object; those that it had are copied from the old list.
static bool give_bones(fr__book *book, fr__book_object *object, uint32_t count) {
    const fr_bone_group *old = book->old_groups.data + object->first_group;
    bool is_kept = count > 0 && object->bone_count == count;
    object->first_group = book->groups.count;
    object->bone_count = count;
    if (count == 0) { return true; }
    size_t group_count = fr__bone_groups(count);
    fr_bone_group *groups = fr__book_group_array_push(&book->groups, group_count);
    if (groups == NULL) { return false; }
    if (is_kept) {
        memcpy(groups, old, group_count * sizeof *groups);
    } else {
        memset(groups, 0, group_count * sizeof *groups);
        object->renewed = 0;
    }
    return true;
}

// How many bones of an object can be sent, and the skin that they hang together by.
static uint32_t find_skin(const fr_space *space, const fr_snapshot_object *now, fr__book_object *object) {
    bool is_known = object->skin != NULL && object->shape == now->versions.shape && object->bone_count > 0;
    if (is_known && now->bone_count == object->bone_count && fr_object_get(space, now->id) != NULL) {
        return object->bone_count;
    }
    object->shape = now->versions.shape;
    const fr_skin_view *skin = now->bone_count > 0 ? skeleton_of(space, now->id) : NULL;
    if (skin != NULL && skin->bone_count != now->bone_count) { skin = NULL; }
    if (skin != NULL && skin != object->skin) { object->grain = grain_of(skin); }
    object->skin = skin;
    return skin != NULL ? skin->bone_count : 0;
}

// Writes the lists again for the objects of a snapshot; those that stay keep what is known of them.
static bool list_objects(fr__book *book, const fr_space *space, const fr_snapshot *snapshot) {
    fr__book_object_array objects = book->old_objects;
    fr__book_group_array groups = book->old_groups;
    book->old_objects = book->objects;
    book->old_groups = book->groups;
    book->objects = objects;
    book->groups = groups;
    book->objects.count = book->groups.count = 0;
    fr__book_object *list = fr__book_object_array_push(&book->objects, snapshot->object_count);
    if (list == NULL && snapshot->object_count > 0) { return false; }
    size_t at = 0;
    for (size_t i = 0; i < snapshot->object_count; i++) {
        const fr_snapshot_object *now = &snapshot->objects[i];
        const fr__book_object *old = book->old_objects.data;
        while (at < book->old_objects.count && old[at].id.index1 < now->id.index1) {
            at++;
        }
        bool is_known = at < book->old_objects.count && fr_object_id_equal(old[at].id, now->id);
        list[i] = is_known ? old[at] : (fr__book_object){.id = now->id};
        if (!give_bones(book, &list[i], find_skin(space, now, &list[i]))) { return false; }
    }
    return true;
}

// Whether all bodies have the bones that the book has room for.
static bool has_same_bones(const fr__book *book, const fr_space *space, const fr_snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->object_count; i++) {
        fr__book_object *object = &book->objects.data[i];
        uint32_t count = object->bone_count;
        if (snapshot->objects[i].bone_count == 0 && count == 0) { continue; }
        if (find_skin(space, &snapshot->objects[i], object) != count) { return false; }
    }
    return true;
}

static void take_object(const fr__book *book, const fr_snapshot_object *now, uint32_t stamp, fr__book_object *object) {
    bool is_new = object->renewed == 0;
    if (is_new || now->hold != object->hold || now->pose.scale != object->pose.scale) { object->renewed = stamp; }
    bool is_changed = is_new || memcmp(&now->pose, &object->pose, sizeof now->pose) != 0;
    if (object->bone_count > 0) {
        is_changed = take_bones(object, now->bones, stamp, book->groups.data + object->first_group) || is_changed;
    }
    object->pose = now->pose;
    object->hold = now->hold;
    if (is_changed) { object->changed = stamp; }
}

static bool advance(fr__book *book, const fr_space *space, const fr_snapshot *snapshot) {
    bool is_same = has_same_objects(book, snapshot) && has_same_bones(book, space, snapshot);
    if (!is_same && !list_objects(book, space, snapshot)) {
        book->space = 0;
        return false;
    }
    uint32_t stamp = fr__book_stamp(book, snapshot->sequence);
    for (size_t i = 0; i < snapshot->object_count; i++) {
        take_object(book, &snapshot->objects[i], stamp, &book->objects.data[i]);
    }
    book->sequence = snapshot->sequence;
    return true;
}

static bool begin(fr__book *book, const fr_space *space, const fr_snapshot *snapshot) {
    book->space = snapshot->object_count > 0 ? snapshot->objects[0].id.space : 0;
    book->first = snapshot->sequence;
    book->objects.count = book->groups.count = 0;
    return advance(book, space, snapshot);
}

bool fr__book_take(fr__book *book, const fr_space *space, const fr_snapshot *snapshot, const fr_snapshot *previous) {
    bool is_known = snapshot->object_count > 0 && book->space == snapshot->objects[0].id.space &&
                    book->sequence <= snapshot->sequence && snapshot->sequence - book->first < UINT32_MAX;
    if (is_known && book->sequence == snapshot->sequence) { return true; }
    if (is_known) { return advance(book, space, snapshot); }
    return begin(book, space, previous != NULL ? previous : snapshot) &&
           (previous == NULL || advance(book, space, snapshot));
}
