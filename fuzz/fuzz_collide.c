// Any bytes as a scene of two meshes and their poses: the tree, the face octree and brute force find the same.
#include "geometry_bytes.h"

#include "fureai/collide.h"

#include <string.h>

enum { OCTREE_DEPTH = 4 };

static void compare(const fr_space *space, double margin) {
    static const fr_collide_method methods[3] = {FR_COLLIDE_BRUTE, FR_COLLIDE_TREE, FR_COLLIDE_FACE_OCTREE};
    fr_collide *askers[3];
    fr_collide_output out[3];
    for (int i = 0; i < 3; i++) {
        fr_collide_input input = fr_default_collide_input();
        input.space = space;
        input.method = methods[i];
        input.margin = margin;
        input.octree_depth = OCTREE_DEPTH;
        input.want = FR_WANT_CONTACTS;
        input.is_containment_wanted = true;
        require(fr_collide_create(NULL, &askers[i], NULL) == FR_OK);
        require(fr_collide_static(askers[i], &input, &out[i], NULL) == FR_OK);
        require(out[i].pair_count == out[0].pair_count && out[i].object_pair_count == out[0].object_pair_count);
        size_t bytes = out[i].pair_count * sizeof *out[i].pairs;
        require(bytes == 0 || memcmp(out[i].pairs, out[0].pairs, bytes) == 0);
    }
    for (int i = 0; i < 3; i++) {
        fr_collide_destroy(askers[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    source s = {data, size};
    fr_mesh *meshes[2] = {take_mesh(&s), take_mesh(&s)};
    fr_space *space;
    fr_space_def def = fr_default_space_def();
    require(fr_space_create(&def, &space, NULL) == FR_OK);
    uint32_t count = 2 + take(&s) % 3;
    for (uint32_t i = 0; i < count; i++) {
        (void)add_object(space, meshes[i % 2], &s);
    }
    require(fr_space_update(space, NULL, NULL) == FR_OK);
    compare(space, take(&s) % 4 == 0 ? fabs(take_number(&s)) : 0.0);
    fr_space_destroy(space);
    fr_mesh_release(meshes[0]);
    fr_mesh_release(meshes[1]);
    return 0;
}
