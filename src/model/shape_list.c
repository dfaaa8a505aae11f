// The different meshes of the parts of a model, found by what they are made from.
#include "shape_list.h"

#include <string.h>

// What a mesh is made from. What is between the fields is zero.
typedef struct shape_key {
    double matrix[12];
    uint32_t mesh, material;
    uint64_t own; // 0: it may be shared; else the number of the node that has it alone, and 1
} shape_key;

fr_status fr__shape_list_begin(fr__shape_list *list, const fr_model *model, const fr_allocator *allocator,
                               fr_error *error) {
    *list = (fr__shape_list){.model = model,
                             .names = fr__names_make(allocator),
                             .placed = fr__placed_array_make(allocator),
                             .is_still = model->view.track_count == 0};
    return fr_arena_create(0, allocator, &list->keys, error);
}

void fr__shape_list_end(fr__shape_list *list) {
    fr__placed_array_destroy(&list->placed);
    fr__names_free(&list->names);
    fr_arena_destroy(list->keys);
}

fr_status fr__shape_list_shift(const fr__shape_list *list, uint32_t node, fr__placed *placed, fr_pose *pose,
                               fr_error *error) {
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    if (!list->is_still) { return FR_OK; }
    double *m = placed->matrix;
    pose->position = (fr_vec3){m[3], m[7], m[11]};
    m[3] = m[7] = m[11] = 0.0;
    placed->is_moved = memcmp(m, identity, sizeof identity) != 0;
    if (fr_vec3_is_finite(pose->position)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_NOT_FINITE, "a transform takes node %u beyond all numbers", node);
}

static uint32_t find_key(fr__shape_list *list, const shape_key *key, const fr__placed *placed) {
    uint32_t number = fr__names_find(&list->names, (fr__span){(const char *)key, sizeof *key});
    if (number != FR_NONE) { return number; }
    shape_key *kept = fr_arena_alloc(list->keys, 1, sizeof *kept, _Alignof(shape_key));
    fr__placed *place = kept != NULL ? fr__placed_array_push(&list->placed, 1) : NULL;
    if (place == NULL) { return FR_NONE; }
    memcpy(kept, key, sizeof *key);
    *place = *placed;
    number = fr__names_find_or_append(&list->names, (fr__span){(const char *)kept, sizeof *kept});
    if (number == FR_NONE) { list->placed.count--; }
    return number;
}

static shape_key key_of(const fr__shape_list *list, uint32_t node, const fr__placed *placed) {
    shape_key key;
    memset(&key, 0, sizeof key);
    memcpy(key.matrix, placed->matrix, sizeof key.matrix);
    key.mesh = list->model->view.nodes[node].mesh;
    key.material = list->model->view.nodes[node].material;
    return key;
}

uint32_t fr__shape_list_find(fr__shape_list *list, uint32_t node, const fr__placed *placed) {
    const shape_key key = key_of(list, node, placed);
    return find_key(list, &key, placed);
}

uint32_t fr__shape_list_add(fr__shape_list *list, uint32_t node, const fr__placed *placed) {
    shape_key key = key_of(list, node, placed);
    key.own = (uint64_t)node + 1;
    return find_key(list, &key, placed);
}
