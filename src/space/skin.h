// Skins of objects, for the update and the end of an object.
#ifndef FUREAI_SPACE_SKIN_H
#define FUREAI_SPACE_SKIN_H

#include "space/space.h"

// Computes the vertices of the changed objects that have bones and are touched, and the boxes of ghosts that have
// bones. FR_ERROR_MEMORY: another update does the rest.
fr_status fr__skins_update(fr_space *space, const fr_tasks *tasks, fr_error *error);

// Whether the vertices of an object are not computed: it is a ghost, or its bones were never set.
static inline bool fr__object_is_unskinned(const fr__object *object) {
    if (object->view.bone_count == 0) { return false; }
    bool has_bones = object->view.bones != NULL || object->view.next_bones != NULL;
    return !has_bones || (object->view.flags & FR_OBJECT_GHOST) != 0;
}

// FR_ERROR_UNSUPPORTED for an object that has bones and no vertices that follow them, FR_OK for others.
fr_status fr__object_check_vertices(const fr__object *object, fr_error *error);

// Releases the skin of a part; nothing happens where it has none.
void fr__part_drop_skin(const fr_space *space, fr__part *part);

#endif
