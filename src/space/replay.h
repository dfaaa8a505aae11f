// The player of records.
#ifndef FUREAI_SPACE_REPLAY_H
#define FUREAI_SPACE_REPLAY_H

#include "space/operation.h"

FR_ARRAY_TYPE(fr__mesh_pointer_array, const fr_mesh *);
FR_ARRAY_TYPE(fr__skin_pointer_array, const fr_skin *);
FR_ARRAY_TYPE(fr__part_def_array, fr_part_def);

// The state of a replay, operation by operation, so that the record of a world may contain one of its space.
typedef struct fr__player {
    fr_space *space;
    fr__codec codec;
    fr__mesh_pointer_array meshes; // by number
    fr__skin_pointer_array skins;  // by number
    fr__part_def_array parts;      // of the object that is being added
    uint32_t restored, joints_restored;
    uint64_t deformable_triangles; // how many may still get trees of their own
    fr_error *error;
} fr__player;

// Opens a record for a space that never had an object and has no recorder. On failure there is nothing to close.
// `error` must not be NULL and must outlive the player.
fr_status fr__player_open(fr__player *player, fr_space *space, const void *bytes, size_t size, fr_error *error);
void fr__player_close(fr__player *player);

// Reads the eight bytes and the version that a record of `what` begins with.
fr_status fr__player_begin(fr__player *player, const char *magic, uint32_t version, const char *what);

// The status that says why no more could be read.
fr_status fr__player_read_too_far(const fr__player *player);

// Reads the rest of an operation whose number was read, and does it.
fr_status fr__player_do(fr__player *player, uint32_t kind);

// The player skips recorded updates, and the space counts as current nevertheless. This call ends that and returns
// whether the space counted as current.
bool fr__player_settle(fr__player *player);

// fr_space_replay; `counts` (may be NULL) gets how often each kind of operation was done.
fr_status fr__replay(fr_space *space, const void *bytes, size_t size, const fr_control *control,
                     uint64_t counts[FR__OPERATION_COUNT], fr_error *error);

#endif
