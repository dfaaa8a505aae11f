// Where nodes stand.
#include "model.h"

#include <string.h>

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

fr_model_node fr_default_model_node(void) {
    return (fr_model_node){
        .name = "", .parent = FR_NONE, .mesh = FR_NONE, .material = FR_NONE, .placement = FR_NONE, .skin = FR_NONE};
}

void fr__matrix_multiply(const double a[12], const double b[12], double out[12]) {
    double product[12];
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            const double *r = a + (ptrdiff_t)4 * row;
            double sum = (r[0] * b[column] + r[1] * b[4 + column]) + r[2] * b[8 + column];
            product[4 * row + column] = column == 3 ? sum + r[3] : sum;
        }
    }
    memcpy(out, product, sizeof product);
}

static void multiply_shift(double matrix[12], fr_vec3 shift, double sign) {
    double step[12];
    memcpy(step, identity, sizeof step);
    step[3] = sign * shift.x;
    step[7] = sign * shift.y;
    step[11] = sign * shift.z;
    fr__matrix_multiply(matrix, step, matrix);
}

static void multiply_turn(double matrix[12], fr_quat turn) {
    fr_mat3 m = fr_quat_to_mat3(turn);
    const fr_vec3 *r = m.row;
    const double step[12] = {r[0].x, r[0].y, r[0].z, 0, r[1].x, r[1].y, r[1].z, 0, r[2].x, r[2].y, r[2].z, 0};
    fr__matrix_multiply(matrix, step, matrix);
}

void fr_model_placement_matrix(const fr_model_placement *placement, double matrix[12]) {
    memcpy(matrix, identity, sizeof identity);
    multiply_shift(matrix, placement->translation, 1.0);
    multiply_shift(matrix, placement->center, 1.0);
    multiply_turn(matrix, placement->rotation);
    multiply_turn(matrix, placement->scale_orientation);
    const double scale[12] = {placement->scale.x, 0, 0, 0, 0, placement->scale.y, 0, 0, 0, 0, placement->scale.z, 0};
    fr__matrix_multiply(matrix, scale, matrix);
    multiply_turn(matrix, fr_quat_conjugate(placement->scale_orientation));
    multiply_shift(matrix, placement->center, -1.0);
}

void fr_model_node_matrix(const fr_model *model, uint32_t node, double matrix[12]) {
    FR_ASSERT(node < model->view.node_count);
    const fr_model_node *nodes = model->view.nodes;
    memcpy(matrix, identity, sizeof identity);
    for (uint32_t i = node; i != FR_NONE; i = nodes[i].parent) {
        if (nodes[i].transform != NULL) { fr__matrix_multiply(nodes[i].transform, matrix, matrix); }
    }
}

double fr__matrix_determinant(const double m[12]) {
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
           m[2] * (m[4] * m[9] - m[5] * m[8]);
}

bool fr__matrix_invert(const double m[12], double out[12]) {
    double determinant = fr__matrix_determinant(m), s = 1.0 / determinant;
    if (determinant == 0.0 || s * 0.0 != 0.0) { return false; }
    const double turn[9] = {
        s * (m[5] * m[10] - m[6] * m[9]), s * (m[2] * m[9] - m[1] * m[10]), s * (m[1] * m[6] - m[2] * m[5]),
        s * (m[6] * m[8] - m[4] * m[10]), s * (m[0] * m[10] - m[2] * m[8]), s * (m[2] * m[4] - m[0] * m[6]),
        s * (m[4] * m[9] - m[5] * m[8]),  s * (m[1] * m[8] - m[0] * m[9]),  s * (m[0] * m[5] - m[1] * m[4])};
    double inverse[12];
    for (int i = 0; i < 3; i++) {
        const double *r = turn + (ptrdiff_t)3 * i;
        memcpy(inverse + (ptrdiff_t)4 * i, r, 3 * sizeof *r);
        inverse[4 * i + 3] = -((r[0] * m[3] + r[1] * m[7]) + r[2] * m[11]);
    }
    memcpy(out, inverse, sizeof inverse);
    return true;
}

fr__placed fr__place_node(const fr_model *model, uint32_t node) {
    uint32_t mesh = model->view.nodes[node].mesh;
    fr__placed placed = {.mesh = mesh != FR_NONE ? &model->view.meshes[mesh] : NULL};
    if (placed.mesh != NULL && fr__place_shape(model, node, &placed)) { return placed; }
    fr_model_node_matrix(model, node, placed.matrix);
    placed.is_moved = memcmp(placed.matrix, identity, sizeof identity) != 0;
    placed.is_mirrored = fr__matrix_determinant(placed.matrix) < 0.0;
    return placed;
}
