// The definition of an object of one mesh, as most tests need one.
#ifndef FUREAI_TEST_MESH_OBJECT_H
#define FUREAI_TEST_MESH_OBJECT_H

#include "fureai/space.h"

// `part` is the caller's: it stays where it is until the object is added, and may be changed before.
static inline fr_object_def test_mesh_object(const fr_mesh *mesh, fr_part_def *part) {
    *part = fr_default_part_def();
    part->mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = part;
    def.part_count = 1;
    return def;
}

#endif
