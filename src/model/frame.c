// The frame of a file: metres a unit, and the axis that points up.
#include "model.h"

#include <string.h>

// Rows of the turn from y up to each axis up.
static const double turns[][9] = {[FR_MODEL_UP_AS_FILE] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                  [FR_MODEL_UP_X] = {0, 1, 0, -1, 0, 0, 0, 0, 1},
                                  [FR_MODEL_UP_Y] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                  [FR_MODEL_UP_Z] = {1, 0, 0, 0, 0, -1, 0, 1, 0}};

bool fr__frame_is_own(double unit, fr_model_up up) { return unit == 1.0 && up != FR_MODEL_UP_X && up != FR_MODEL_UP_Z; }

void fr__frame_to_file(double unit, fr_model_up up, double matrix[12]) {
    for (int i = 0; i < 12; i++) {
        matrix[i] = i % 4 < 3 ? turns[up][3 * (i / 4) + i % 4] / unit : 0.0;
    }
}

// The inverse: the turn's inverse is its transpose.
static void from_file(double unit, fr_model_up up, double matrix[12]) {
    for (int i = 0; i < 12; i++) {
        matrix[i] = i % 4 < 3 ? turns[up][3 * (i % 4) + i / 4] * unit : 0.0;
    }
}

// One node a part, where the reader added none.
static bool place_parts(fr__builder *builder) {
    const fr__builder_part *parts = builder->parts.data;
    for (size_t i = 0; i < builder->parts.count; i++) {
        fr_model_node node = fr_default_model_node();
        node.name = parts[i].name;
        node.mesh = (uint32_t)i;
        if (fr__model_node_array_add(&builder->nodes, &node) == FR_NONE) { return false; }
    }
    return true;
}

// Numbers the nodes of bones again, once a node stands in front of all others. The lists may be those of a file.
static bool shift_bones(fr__builder *builder) {
    for (size_t i = 0; i < builder->skins.count; i++) {
        fr_model_skin *skin = builder->skins.data + i;
        uint32_t *nodes = fr__builder_alloc(builder, skin->bone_count, sizeof *nodes, sizeof *nodes);
        if (nodes == NULL) { return false; }
        for (uint32_t b = 0; b < skin->bone_count; b++) {
            nodes[b] = skin->nodes[b] + 1;
        }
        skin->nodes = nodes;
        if (skin->root != FR_NONE) { skin->root++; }
    }
    return true;
}

// Puts a node in front of all others, as the parent of those at the top.
static bool add_root(fr__builder *builder, const fr_model_node *root) {
    if (fr__model_node_array_add(&builder->nodes, root) == FR_NONE) { return false; }
    fr_model_node *nodes = builder->nodes.data;
    memmove(nodes + 1, nodes, (builder->nodes.count - 1) * sizeof *nodes);
    nodes[0] = *root;
    for (size_t i = 1; i < builder->nodes.count; i++) {
        nodes[i].parent = nodes[i].parent != FR_NONE ? nodes[i].parent + 1 : 0;
    }
    fr_model_sound *sounds = builder->sounds.data;
    for (size_t i = 0; i < builder->sounds.count; i++) {
        sounds[i].node++;
    }
    fr_model_track *tracks = builder->tracks.data;
    for (size_t i = 0; i < builder->tracks.count; i++) {
        if (fr__is_of_node(tracks[i].kind)) { tracks[i].target++; }
    }
    return shift_bones(builder);
}

bool fr__builder_apply_frame(fr__builder *builder, double unit, fr_model_up up) {
    if (unit > 0.0) { builder->unit = unit; }
    if (up != FR_MODEL_UP_AS_FILE) { builder->up = up; }
    if (fr__frame_is_own(builder->unit, builder->up)) { return true; }
    double *matrix = fr__builder_alloc(builder, 12, sizeof(double), sizeof(double));
    if (matrix == NULL || (builder->nodes.count == 0 && !place_parts(builder))) { return false; }
    from_file(builder->unit, builder->up, matrix);
    fr_model_node root = fr_default_model_node();
    root.transform = matrix;
    return add_root(builder, &root);
}

double fr_model_unit_of_text(const char *text) {
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"mm", 0.001}, {"cm", 0.01}, {"m", 1.0}, {"km", 1000.0}, {"in", 0.0254}, {"ft", 0.3048}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(text, units[i].name) == 0) { return units[i].metres; }
    }
    const char *at = text, *end = text + strlen(text);
    double metres = 0.0;
    bool is_number = fr_number_read(&at, end, &metres) == FR_NUMBER_OK && at == end;
    return is_number && metres > 0.0 && metres <= 1e9 ? metres : 0.0;
}
