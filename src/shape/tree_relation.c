// How much boxes must grow so that no touching pair is lost when one tree's boxes are taken into the other's frame.
//
// In the world, a point x of item a stands at A(x) = R_A s_A x + p_A and a point y of item b at B(y) = R_B s_B y + p_B,
// in real arithmetic on the doubles of the poses; fr_pose_apply is off by at most r_A and r_B (fr_pose_rounding), also
// for points between vertices. Points that the exact test may accept as within the margin m satisfy
//     |A(x) - B(y)| <= d = m + r_A + r_B.
// R_A is a rotation up to e = 2^-44 (its quaternion is unit within 4 ulp, its elements are rounded), so
//     x = M y + t + f,   M = (s_B / s_A) R_A^T R_B,   t = R_A^T (p_B - p_A) / s_A,   |f| <= (1 + e) d / s_A + e |x|.
// Let G be the largest coordinate of b's tree and W the largest of sum_j |M_ij| G + |t_i|: no coordinate of M y + t, of
// the centre or the half size of a box in a's frame, is larger. With u = 2^-24, the float version of a coordinate is
// off
//     centre: 1 u (element rounded to float) + 1 u (centre) + 1 u (product) + 3 u (sums), each times W at most,
//     half:   1 u + 1 u + 1 u + 2 u, and 1 u for adding the growth,
//     centre -+ half: 1 u of 2 W,
// together less than 16 u W (higher powers of u included). The doubles M and t are off by less than 64 2^-53 W, and
// e |x| <= 2^-43 W: far below another 4 u W. Elements and products below 2^-126 lose up to 2^-149 absolutely: G 2^-140
// and 2^-126 are enough. So
//     growth = d (1 + 2^-30) / s_A + 24 u W + 2^-140 G + 2^-126.
// Where a float overflows, boxes become infinite or NaN, which the walker takes as overlap. The other direction is the
// same with a and b exchanged.
#include "shape/tree_relation.h"

#include "shape/tree.h"

#include <string.h>

#define FLOAT_ROUNDING 0x1p-24

// The largest absolute coordinate of any box.
static double largest_coordinate(const fr_tree *tree) {
    const fr_box *box = &tree->header->bounds;
    if (tree->header->item_count == 0) { return 0.0; }
    double low = fr_vec3_largest(fr_vec3_from_floats(box->min)), high = fr_vec3_largest(fr_vec3_from_floats(box->max));
    return low > high ? low : high;
}

static double dot_column(const fr_mat3 *m, int column, fr_vec3 v) {
    const fr_vec3 *r = m->row;
    switch (column) {
    case 0: return (r[0].x * v.x + r[1].x * v.y) + r[2].x * v.z;
    case 1: return (r[0].y * v.x + r[1].y * v.y) + r[2].y * v.z;
    default: return (r[0].z * v.x + r[1].z * v.y) + r[2].z * v.z;
    }
}

static fr_vec3 column_of(const fr_mat3 *m, int column) {
    const fr_vec3 *r = m->row;
    switch (column) {
    case 0: return fr_vec3_make(r[0].x, r[1].x, r[2].x);
    case 1: return fr_vec3_make(r[0].y, r[1].y, r[2].y);
    default: return fr_vec3_make(r[0].z, r[1].z, r[2].z);
    }
}

// The frame that takes boxes of a tree at pose `from`, with no coordinate larger than `largest`, into pose `to`;
// `distance` is the d above.
static fr__tree_frame make_frame(const fr_pose *from, const fr_pose *to, double largest, double distance) {
    fr_mat3 turn_from = fr_quat_to_mat3(from->rotation), turn_to = fr_quat_to_mat3(to->rotation);
    fr_vec3 apart = fr_vec3_sub(from->position, to->position);
    double scale = from->scale / to->scale;
    fr__tree_frame frame;
    double reach = 0.0;
    for (int i = 0; i < 3; i++) {
        double move = dot_column(&turn_to, i, apart) / to->scale;
        double sum = fabs(move);
        for (int j = 0; j < 3; j++) {
            double element = scale * dot_column(&turn_to, i, column_of(&turn_from, j));
            frame.turn[i][j] = (float)element;
            frame.size[i][j] = fabsf(frame.turn[i][j]);
            sum += fabs(element) * largest;
        }
        frame.move[i] = (float)move;
        reach = sum > reach ? sum : reach;
    }
    frame.growth = fr_float_up(distance * (1.0 + 0x1p-30) / to->scale + 24.0 * FLOAT_ROUNDING * reach +
                               0x1p-140 * largest + 0x1p-126);
    return frame;
}

fr__tree_relation fr__tree_relate(const fr_tree *a, const fr_pose *pose_a, const fr_tree *b, const fr_pose *pose_b,
                                  double margin) {
    double largest_a = largest_coordinate(a), largest_b = largest_coordinate(b);
    double distance = margin + fr_pose_rounding(pose_a, largest_a) + fr_pose_rounding(pose_b, largest_b);
    fr__tree_relation relation;
    relation.same_frame = false;
    relation.self = false;
    relation.b_to_a = make_frame(pose_b, pose_a, largest_b, distance);
    relation.a_to_b = make_frame(pose_a, pose_b, largest_a, distance);
    return relation;
}

fr__tree_relation fr__tree_relate_same(const fr_tree *a, const fr_tree *b, double margin) {
    fr__tree_relation relation;
    memset(&relation, 0, sizeof relation);
    relation.same_frame = true;
    relation.self = a == b;
    // Without a margin boxes are compared as they are; else b's box is moved by it, with one rounding a side.
    double reach = largest_coordinate(b) + margin;
    if (margin > 0.0) { relation.b_to_a.growth = fr_float_up(margin + 2.0 * FLOAT_ROUNDING * reach + 0x1p-126); }
    return relation;
}
