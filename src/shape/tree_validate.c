// The check of a tree's structure: for tests after every change, and for blocks that come from outside. No value is
// trusted before it was checked.
#include "shape/tree.h"

#include <math.h>
#include <string.h>

// Marks of one pass: nodes come after their parents, so the depth of each is known when it is met.
typedef struct marks {
    uint8_t *node_depth; // 0: not met yet
    uint8_t *leaf_met;
    uint8_t *item_met;
} marks;

static fr_status corrupt(fr_error *error, const char *what, uint32_t index) {
    return fr_error_set(error, FR_ERROR_CORRUPT, "tree: %s (%u)", what, index);
}

// ---------------------------------------------------------------------------------------------------------------
// Header

fr_status fr__tree_check_header(const void *block, size_t bytes, fr__tree_header *out, fr_error *error) {
    if (bytes < sizeof *out) { return fr_error_set(error, FR_ERROR_CORRUPT, "tree: %zu bytes are no block", bytes); }
    memcpy(out, block, sizeof *out);
    if (out->version != FR__TREE_VERSION) {
        return fr_error_set(error, FR_ERROR_VERSION, "tree: version %u, not %u", out->version, FR__TREE_VERSION);
    }
    fr__tree_header expected = *out;
    bool fits = fr__tree_lay_out(&expected) && expected.bytes <= bytes;
    if (!fits || expected.bytes != out->bytes || expected.nodes_offset != out->nodes_offset ||
        expected.leaves_offset != out->leaves_offset || expected.segments_offset != out->segments_offset) {
        return fr_error_set(error, FR_ERROR_CORRUPT, "tree: sizes and offsets contradict the counts");
    }
    bool is_empty = out->item_count == 0;
    if (out->item_count > FR_TREE_MAX_ITEMS || out->node_count > out->item_count || out->leaf_count > out->item_count ||
        (out->node_count == 0) != is_empty || (out->leaf_count == 0) != is_empty || out->segment_count == 0 ||
        out->segment_count - 1 > out->node_count || out->depth > FR__TREE_MAX_DEPTH || !(out->build_cost >= 0.0) ||
        !isfinite(out->build_cost)) {
        return fr_error_set(error, FR_ERROR_CORRUPT, "tree: counts contradict one another");
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes and leaves

static bool inside(float min, float max, float outer_min, float outer_max) {
    return outer_min <= min && max <= outer_max;
}

static bool is_idle(float min, float max) { return min == INFINITY && max == -INFINITY; }

static fr_status check_leaf(const fr_tree *tree, const fr__tree_node *parent, uint32_t k, marks *m, fr_error *error) {
    uint32_t index = fr__tree_leaf_index(parent->child[k]);
    if (index >= tree->header->leaf_count) { return corrupt(error, "a leaf out of range", index); }
    if (m->leaf_met[index]) { return corrupt(error, "a leaf met twice", index); }
    m->leaf_met[index] = 1;
    const fr__tree_leaf *leaf = &tree->leaves[index];
    if (leaf->count == 0 || leaf->count > FR__TREE_LEAF_ITEMS) {
        return corrupt(error, "a leaf's count is wrong", index);
    }
    for (uint32_t i = 0; i < FR__TREE_LEAF_ITEMS; i++) {
        uint32_t item = leaf->item[i];
        if (i >= leaf->count) {
            if (item == FR_NONE && is_idle(leaf->x[i], leaf->x[4 + i]) && is_idle(leaf->y[i], leaf->y[4 + i]) &&
                is_idle(leaf->z[i], leaf->z[4 + i])) {
                continue;
            }
            return corrupt(error, "an idle place of a leaf is not empty", index);
        }
        if (item >= tree->header->item_count) { return corrupt(error, "an item out of range", item); }
        if (m->item_met[item]) { return corrupt(error, "an item met twice", item); }
        m->item_met[item] = 1;
        bool ordered = leaf->x[i] <= leaf->x[4 + i] && leaf->y[i] <= leaf->y[4 + i] && leaf->z[i] <= leaf->z[4 + i];
        if (!ordered || !inside(leaf->x[i], leaf->x[4 + i], parent->min_x[k], parent->max_x[k]) ||
            !inside(leaf->y[i], leaf->y[4 + i], parent->min_y[k], parent->max_y[k]) ||
            !inside(leaf->z[i], leaf->z[4 + i], parent->min_z[k], parent->max_z[k])) {
            return corrupt(error, "an item's box is not inside its leaf's", item);
        }
    }
    return FR_OK;
}

static fr_status check_inner(const fr_tree *tree, uint32_t parent_index, uint32_t k, uint32_t segment_end, marks *m,
                             fr_error *error) {
    const fr__tree_node *parent = &tree->nodes[parent_index];
    uint32_t index = parent->child[k];
    if (index <= parent_index || index >= segment_end) { return corrupt(error, "a child out of range", index); }
    if (m->node_depth[index] != 0) { return corrupt(error, "a node met twice", index); }
    m->node_depth[index] = (uint8_t)(m->node_depth[parent_index] + 1);
    const fr__tree_node *node = &tree->nodes[index];
    for (uint32_t i = 0; i < FR__TREE_WIDTH; i++) {
        if ((node->lanes >> i & 1u) == 0) { continue; }
        if (!inside(node->min_x[i], node->max_x[i], parent->min_x[k], parent->max_x[k]) ||
            !inside(node->min_y[i], node->max_y[i], parent->min_y[k], parent->max_y[k]) ||
            !inside(node->min_z[i], node->max_z[i], parent->min_z[k], parent->max_z[k])) {
            return corrupt(error, "a box is not inside its parent's", index);
        }
    }
    return FR_OK;
}

static fr_status check_node(const fr_tree *tree, uint32_t index, uint32_t segment_end, marks *m, fr_error *error) {
    const fr__tree_node *node = &tree->nodes[index];
    if (m->node_depth[index] == 0) { return corrupt(error, "a node is no node's child", index); }
    if (m->node_depth[index] > FR__TREE_MAX_DEPTH) { return corrupt(error, "the tree is too deep", index); }
    if (node->lanes == 0 || node->lanes > 0xffu || (node->lanes & (node->lanes + 1u)) != 0) {
        return corrupt(error, "a node's lanes are wrong", index);
    }
    for (uint32_t k = 0; k < FR__TREE_WIDTH; k++) {
        fr_status status = FR_OK;
        if ((node->lanes >> k & 1u) == 0) {
            if (node->child[k] != FR_NONE || !is_idle(node->min_x[k], node->max_x[k]) ||
                !is_idle(node->min_y[k], node->max_y[k]) || !is_idle(node->min_z[k], node->max_z[k])) {
                return corrupt(error, "an idle lane of a node is not empty", index);
            }
        } else if (fr__tree_is_leaf(node->child[k])) {
            status = check_leaf(tree, node, k, m, error);
        } else {
            status = check_inner(tree, index, k, segment_end, m, error);
        }
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

// Segments follow one another; children of the top may be anywhere, those of other segments stay inside.
static fr_status check_nodes(const fr_tree *tree, marks *m, fr_error *error) {
    const fr__tree_header *header = tree->header;
    const uint32_t *segments = tree->segments;
    uint32_t depth = 0;
    if (segments[0] != 0 || segments[header->segment_count] != header->node_count) {
        return corrupt(error, "the table of segments is wrong", 0);
    }
    if (header->node_count > 0) { m->node_depth[0] = 1; }
    for (uint32_t s = 0; s < header->segment_count; s++) {
        if (segments[s] > segments[s + 1] || segments[s + 1] > header->node_count) {
            return corrupt(error, "the table of segments is wrong", s);
        }
        uint32_t end = s == 0 ? header->node_count : segments[s + 1];
        for (uint32_t n = segments[s]; n < segments[s + 1]; n++) {
            fr_status status = check_node(tree, n, end, m, error);
            if (status != FR_OK) { return status; }
            if (m->node_depth[n] > depth) { depth = m->node_depth[n]; }
        }
    }
    return depth == header->depth ? FR_OK : corrupt(error, "the depth is wrong", header->depth);
}

static fr_status check_bounds(const fr_tree *tree, fr_error *error) {
    const fr_box *all = &tree->header->bounds;
    const fr__tree_node *root = &tree->nodes[0];
    for (uint32_t k = 0; tree->header->node_count > 0 && (root->lanes >> k & 1u) != 0; k++) {
        if (!inside(root->min_x[k], root->max_x[k], all->min.x, all->max.x) ||
            !inside(root->min_y[k], root->max_y[k], all->min.y, all->max.y) ||
            !inside(root->min_z[k], root->max_z[k], all->min.z, all->max.z)) {
            return corrupt(error, "a box is not inside the tree's", k);
        }
    }
    return FR_OK;
}

fr_status fr__tree_check_structure(const fr_tree *tree, fr_error *error) {
    const fr__tree_header *header = tree->header;
    size_t count = (size_t)header->node_count + header->leaf_count + header->item_count;
    if (count == 0) { return FR_OK; }
    uint8_t *met = fr_allocate(&tree->allocator, count, 1, 1);
    if (met == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory to check a tree"); }
    memset(met, 0, count);
    marks m = {met, met + header->node_count, met + header->node_count + header->leaf_count};

    fr_status status = check_nodes(tree, &m, error);
    // Nothing was met twice and all nodes were met: counting finds a leaf or an item that was not.
    for (uint32_t i = 0; status == FR_OK && i < header->leaf_count; i++) {
        if (!m.leaf_met[i]) { status = corrupt(error, "a leaf is no node's child", i); }
    }
    for (uint32_t i = 0; status == FR_OK && i < header->item_count; i++) {
        if (!m.item_met[i]) { status = corrupt(error, "an item is in no leaf", i); }
    }
    if (status == FR_OK) { status = check_bounds(tree, error); }
    fr_deallocate(&tree->allocator, met, count, 1);
    return status;
}

bool fr_tree_validate(const fr_tree *tree, fr_error *error) {
    FR_ASSERT(tree != NULL);
    fr__tree_header header;
    return fr__tree_check_header(tree->header, (size_t)tree->header->bytes, &header, error) == FR_OK &&
           fr__tree_check_structure(tree, error) == FR_OK;
}
