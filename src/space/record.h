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

// Ends the recording.
void fr__recorder_destroy(fr_space *space);

#endif
