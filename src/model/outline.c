// The order in which writers of trees go through the nodes.
#include "outline.h"

static bool is_shown(const fr_model_node *node) { return (node->flags & (FR_MODEL_HIDDEN | FR_MODEL_PROXY)) == 0; }

bool fr__outline_make(const fr_model *model, fr__outline *outline) {
    const fr_model_node *nodes = model->view.nodes;
    uint32_t count = model->view.node_count;
    *outline = (fr__outline){.allocator = model->store.allocator, .count = count};
    outline->first_child = fr_allocate(&outline->allocator, (size_t)count + 1, sizeof(uint32_t), sizeof(uint32_t));
    outline->next_sibling = fr_allocate(&outline->allocator, (size_t)count + 1, sizeof(uint32_t), sizeof(uint32_t));
    if (outline->first_child == NULL || outline->next_sibling == NULL) {
        fr__outline_free(outline);
        return false;
    }
    for (uint32_t i = 0; i <= count; i++) {
        outline->first_child[i] = outline->next_sibling[i] = FR_NONE;
    }
    // From the last node to the first, so that each list is in the order of the nodes.
    for (uint32_t i = count; i-- > 0;) {
        if (!is_shown(&nodes[i])) { continue; }
        uint32_t parent = nodes[i].parent != FR_NONE ? nodes[i].parent : count;
        outline->next_sibling[i] = outline->first_child[parent];
        outline->first_child[parent] = i;
    }
    return true;
}

void fr__outline_free(fr__outline *outline) {
    size_t count = (size_t)outline->count + 1;
    fr_deallocate(&outline->allocator, outline->first_child, count, sizeof(uint32_t));
    fr_deallocate(&outline->allocator, outline->next_sibling, count, sizeof(uint32_t));
    outline->first_child = outline->next_sibling = NULL;
}

void fr__outline_walk(const fr__outline *outline, const fr_model *model, fr__outline_fn *enter, fr__outline_fn *leave,
                      void *context) {
    uint32_t node = outline->first_child[outline->count];
    while (node != FR_NONE) {
        if (!enter(node, context)) { return; }
        if (outline->first_child[node] != FR_NONE) {
            node = outline->first_child[node];
            continue;
        }
        for (;;) {
            if (!leave(node, context)) { return; }
            if (outline->next_sibling[node] != FR_NONE) {
                node = outline->next_sibling[node];
                break;
            }
            node = model->view.nodes[node].parent;
            if (node == FR_NONE) { return; }
        }
    }
}
