// Any bytes as a cooked mesh whose size and hash were put right: refused with a message, or a mesh that answers.
#include "fureai/shape.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Where the header keeps the size and the hash of what follows.
enum { SIZE_AT = 16, HASH_AT = 24, HASHED_FROM = 32, MOST_BYTES = 1 << 20 };

static void require(bool holds) {
    if (!holds) { abort(); }
}

static void forge(unsigned char *block, uint64_t size) {
    uint64_t hash = fr_hash(block + HASHED_FROM, (size_t)size - HASHED_FROM, size);
    memcpy(block + SIZE_AT, &size, sizeof size);
    memcpy(block + HASH_AT, &hash, sizeof hash);
}

// Whatever was accepted cooks to as many bytes and can be asked.
static void use(const fr_mesh *mesh, size_t size) {
    require(fr_tree_validate(fr_mesh_get(mesh)->tree, NULL));
    unsigned char *again = fr_allocate(NULL, size, 1, 64);
    require(again != NULL && fr_mesh_cook(mesh, again, size) == size);
    fr_deallocate(NULL, again, size, 1);

    fr_ray ray = {{-10.0, 0.1, 0.2}, {1.0, 0.0, 0.0}, 100.0};
    fr_ray_hit hit = fr_mesh_ray(mesh, &ray);
    require(fr_mesh_ray_any(mesh, &ray) == (hit.triangle != FR_NONE));
    fr_closest closest = fr_mesh_closest(mesh, fr_vec3_make(1.0, 2.0, 3.0), (double)INFINITY);
    require(closest.triangle < fr_mesh_get(mesh)->triangle_count);
    (void)fr_mesh_mass(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size <= HASHED_FROM || size > MOST_BYTES) { return 0; }
    unsigned char *block = fr_allocate(NULL, size, 1, 64);
    require(block != NULL);
    memcpy(block, data, size);
    forge(block, size);

    for (int in_place = 0; in_place < 2; in_place++) {
        fr_mesh *mesh;
        fr_error error;
        fr_status status = fr_mesh_from_cooked(block, size, in_place == 1, NULL, &mesh, &error);
        if (status == FR_OK) {
            use(mesh, size);
            fr_mesh_release(mesh);
        } else {
            require(mesh == NULL && error.status == status && error.message[0] != '\0');
        }
    }
    fr_deallocate(NULL, block, size, 1);
    return 0;
}
