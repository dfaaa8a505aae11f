// Models taken apart: every part an object of one space, where its file puts it.
#ifndef FUREAI_TOOL_ASSEMBLY_H
#define FUREAI_TOOL_ASSEMBLY_H

#include "tool.h"

#include "fureai/model.h"
#include "fureai/space.h"

typedef struct assembly_part {
    char *name; // no other part's: that of the part, with that of its file where there are several files
    fr_mesh *mesh;
    fr_object_id object;
} assembly_part;

typedef struct assembly {
    fr_array parts; // assembly_part
    fr_space *space;
} assembly;

// Reads models and puts their parts into a space, which is up to date. Anything but DONE: return it, there is nothing
// to release.
exit_status assembly_read(tool *t, char *const *paths, int path_count, assembly *out);

// Meshes, retained, as parts without names. Release it, also after a failure.
fr_status assembly_of_meshes(fr_mesh *const *meshes, size_t count, assembly *out, fr_error *error);
void assembly_release(assembly *a);

// The part that an answer names by its object's index (index1 - 1).
const assembly_part *assembly_part_at(const assembly *a, uint32_t index);

#endif
