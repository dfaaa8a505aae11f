// What is kept of a world over a restart: the objects' last poses, bones, states and joints, by their names, in a JSON
// file.
#ifndef FUREAI_SERVER_STORE_H
#define FUREAI_SERVER_STORE_H

#include "fureai/file.h"
#include "fureai/world.h"

typedef struct fr__store_state {
    const char *name;
    double value;
} fr__store_state;

// What an object hangs on; the ids of `joint` are not set.
typedef struct fr__store_joint {
    fr_joint joint;
    const char *parent; // name; NULL: the world
} fr__store_joint;

typedef enum fr__store_has_joint {
    FR__JOINT_UNKNOWN, // nothing is known of its joint
    FR__JOINT_NONE,    // it hangs on none
    FR__JOINT_KNOWN    // it hangs on joint `joint` of the store
} fr__store_has_joint;

typedef struct fr__store_object {
    const char *name;
    fr_pose pose;
    bool is_placed;         // a person put it there
    bool is_unmoved;        // the pose is not known: it stands where the scene has it
    const char *class_name; // that it was added of; NULL: it is an object of the scene
    fr_pose added;          // where it was added, of such a one
    size_t first_state, state_count;
    bool has_all_states;           // it has no other states than these
    size_t first_bone, bone_count; // 0: it has no bones, or they were never set
    fr__store_has_joint has_joint; //
    size_t joint;                  // index in `joints`
} fr__store_object;

FR_ARRAY_TYPE(fr__store_state_array, fr__store_state);
FR_ARRAY_TYPE(fr__store_object_array, fr__store_object);
FR_ARRAY_TYPE(fr__store_bone_array, fr_pose);
FR_ARRAY_TYPE(fr__store_joint_array, fr__store_joint);

typedef struct fr__store {
    const char *scene; // name it was opened by; NULL: nothing is kept
    uint64_t tick;
    fr__store_object_array objects;
    fr__store_state_array states; // object after object
    fr__store_bone_array bones;   // likewise
    fr__store_joint_array joints;
    fr_arena *strings; // NULL where the texts are the caller's
} fr__store;

// An empty one.
fr__store fr__store_make(const fr_allocator *allocator);
void fr__store_free(fr__store *store);

// Reads a store from bytes, which may be anything. `path` is for messages. What is wrong is reported at its line and
// column; nothing is to be freed then.
fr_status fr__store_read(const char *bytes, size_t size, const char *path, const fr_allocator *allocator,
                         fr__store *out, fr_error *error);

// Appends a store as text to an array of bytes. Objects whose names cannot stand in a file (empty, or with control
// characters) are left out. False when there is no memory.
bool fr__store_write(const fr__store *store, fr_array *text);

// Reads one object as a store has it, or writes one, in a line of its own. The object that was read is the last one of
// `out`, which fr__store_make made or an earlier call filled, and stays as it was on failure.
fr_status fr__store_read_object(const char *bytes, size_t size, const char *path, fr__store *out, fr_error *error);
bool fr__store_write_object(const fr__store *store, const fr__store_object *object, fr_array *text);

// Whether a name can stand in a file: not empty, and without control characters.
bool fr__store_has_place(const char *name);

// Reads the file; an empty store where there is none.
fr_status fr__store_load(const char *path, const fr_allocator *allocator, fr__store *out, fr_error *error);

// Writes bytes to the file, whole or not at all: what stood there before stands there until the new ones are on disk.
// The caller is the only one to write it. `ops` and `allocator` may be NULL.
fr_status fr__store_save(const char *path, const void *bytes, size_t size, const fr_file_ops *ops,
                         const fr_allocator *allocator, fr_error *error);

#endif
