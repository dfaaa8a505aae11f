// Trees of poses, and which node is the nearest. Nodes are looked at one by one: a motion costs as much as thousands of
// them.
#include "plan/path.h"

#include <float.h>

void fr__path_tree_make(fr__path_tree *tree, bool is_goal, double arm, fr_vec3 origin, const fr_allocator *allocator) {
    tree->nodes = fr__path_node_array_make(allocator);
    tree->places = fr__path_place_array_make(allocator);
    tree->is_goal = is_goal;
    tree->arm = arm;
    tree->origin = origin;
}

void fr__path_tree_free(fr__path_tree *tree) {
    fr__path_node_array_destroy(&tree->nodes);
    fr__path_place_array_destroy(&tree->places);
}

uint32_t fr__path_tree_count(const fr__path_tree *tree) { return (uint32_t)tree->nodes.count; }

fr__path_node *fr__path_tree_at(const fr__path_tree *tree, uint32_t i) { return tree->nodes.data + i; }

static fr__path_place place_of(const fr__path_tree *tree, fr_vec3 at, fr_quat q) {
    fr_vec3 pivot = fr_vec3_sub(at, tree->origin);
    return (fr__path_place){(float)pivot.x, (float)pivot.y, (float)pivot.z, (float)q.w,
                            (float)q.x,     (float)q.y,     (float)q.z,     0.0f};
}

uint32_t fr__path_tree_add(fr__path_tree *tree, const fr_pose *pose, fr_vec3 pivot, uint32_t parent) {
    fr__path_place *at = fr__path_place_array_push(&tree->places, 1);
    if (at == NULL) { return FR_NONE; }
    fr__path_node *node = fr__path_node_array_push(&tree->nodes, 1);
    if (node == NULL) {
        tree->places.count--;
        return FR_NONE;
    }
    *at = place_of(tree, pivot, pose->rotation);
    *node = (fr__path_node){*pose, parent, FLT_MAX};
    return (uint32_t)tree->nodes.count - 1;
}

// The square of the distance, the turn t counted as 4 sin(t / 4) of the arm: t, when it is small.
static float distance_squared(const fr__path_place *a, const fr__path_place *b, float turn_weight) {
    float x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
    float c = a->qw * b->qw + a->qx * b->qx + a->qy * b->qy + a->qz * b->qz;
    c = c < 0.0f ? -c : c;
    float s = c < 1.0f ? 8.0f * (1.0f - c) : 0.0f;
    return x * x + y * y + z * z + turn_weight * s;
}

uint32_t fr__path_tree_nearest(const fr__path_tree *tree, fr_vec3 pivot, fr_quat rotation, double *distance) {
    const fr__path_place to = place_of(tree, pivot, rotation), *places = tree->places.data;
    float weight = (float)(tree->arm * tree->arm), min = FLT_MAX;
    uint32_t nearest = 0;
    for (uint32_t i = 0; i < tree->places.count; i++) {
        float d = distance_squared(&places[i], &to, weight);
        if (d < min) {
            min = d;
            nearest = i;
        }
    }
    if (distance != NULL) { *distance = sqrt((double)min); }
    return nearest;
}

uint32_t fr__path_tree_near(const fr__path_tree *tree, fr_vec3 pivot, fr_quat rotation, uint32_t capacity,
                            uint32_t *out) {
    const fr__path_place to = place_of(tree, pivot, rotation), *places = tree->places.data;
    float weight = (float)(tree->arm * tree->arm);
    uint32_t count = 0;
    for (uint32_t i = 0; i < tree->places.count && capacity > 0; i++) {
        float d = distance_squared(&places[i], &to, weight);
        if (d == 0.0f) { continue; }
        if (count == capacity && d >= distance_squared(&places[out[count - 1]], &to, weight)) { continue; }
        uint32_t at = count < capacity ? count++ : count - 1;
        for (; at > 0 && d < distance_squared(&places[out[at - 1]], &to, weight); at--) {
            out[at] = out[at - 1];
        }
        out[at] = i;
    }
    return count;
}

uint32_t fr__path_tree_near_point(const fr__path_tree *tree, fr_vec3 pivot) {
    const fr__path_place to = place_of(tree, pivot, fr_quat_identity()), *places = tree->places.data;
    float min = FLT_MAX;
    uint32_t nearest = 0;
    for (uint32_t i = 0; i < tree->places.count; i++) {
        float d = distance_squared(&places[i], &to, 0.0f);
        if (d < min) {
            min = d;
            nearest = i;
        }
    }
    return nearest;
}
