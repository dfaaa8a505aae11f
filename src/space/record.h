// The recorder of a space: turns operations into bytes.
#ifndef FUREAI_SPACE_RECORD_H
#define FUREAI_SPACE_RECORD_H

#include "space/operation.h"
#include "space/space.h"

#define FR__RECORD_VERSION 1u
#define FR__RECORD_MAGIC "FRSPACE\n" // 8 bytes without the terminating 0

// Records an operation that was done. Does nothing without a recorder; never fails.
void fr__record(fr_space *space, const fr__operation *operation);

// Records the meshes of a definition that were not recorded yet, or returns FR_ERROR_MEMORY.
fr_status fr__record_meshes(fr_space *space, const fr_object_def *def, fr_error *error);

// Records a skin that was not recorded yet, or returns FR_ERROR_MEMORY; records that a part has its skin.
fr_status fr__record_skin(fr_space *space, const fr_skin *skin, fr_error *error);
void fr__record_set_skin(fr_space *space, fr_object_id id, uint32_t part);

// Records the adding of an object at a place, whose meshes were recorded.
void fr__record_add(fr_space *space, uint32_t index);

// Meshes and skins that the reader of a record has before it begins, by their numbers there.
typedef struct fr__record_known {
    const fr_mesh *const *meshes;
    const fr_skin *const *skins;
    uint32_t mesh_count, skin_count;
} fr__record_known;

// fr_space_record, without the meshes and skins that are known; NULL: none are.
fr_status fr__space_record(fr_space *space, const fr__record_known *known, fr_record_fn *record, void *context,
                           fr_error *error);

// Ends the recording.
void fr__recorder_destroy(fr_space *space);

#endif
