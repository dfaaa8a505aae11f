// Two boxes with axes of their own, by the 15 axes on which such boxes can be apart: three of each and the nine
// crossings (Gottschalk, Lin, Manocha 1996). Conservative.
//
// The bound. Any axis L proves the boxes apart when |L . t| > sum a_i |L . A_i| + sum b_i |L . B_i|, t the difference
// of the centres. The products below are those for axes A and B that are unit and perpendicular; where they are so
// within d = 1e-14 only, each product of two axes is off by at most 2 d, plus 3 e rounding. On a crossing axis such an
// error comes in twice. The half sizes enter with a weight of 1 at most, and the centres' difference is off by 2 e M.
// So 6 d + 16 e, less than 1.1e-13, times (sum of half sizes + size of t), plus 2 e M, covers an axis's error; since t
// counts only while the boxes are nearly touching, t is then no larger than twice the sum of the half sizes.
#include "fureai/shape.h"

#define AXIS_ERROR 0x1p-43 // 1.1e-13

static double component(fr_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

typedef struct relative_boxes {
    double turn[3][3]; // A_i . B_j
    double size[3][3]; // |A_i . B_j|
    double t[3];       // the centres' difference in a's axes
    double a[3], b[3]; // half sizes
    double error;
} relative_boxes;

static relative_boxes relate(const fr_oriented_box *a, const fr_oriented_box *b) {
    relative_boxes r;
    fr_vec3 t = fr_vec3_sub(b->center, a->center);
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        r.a[i] = component(a->half, i);
        r.b[i] = component(b->half, i);
        r.t[i] = fr_vec3_dot(t, a->axes.row[i]);
        sum += r.a[i] + r.b[i];
        for (int j = 0; j < 3; j++) {
            r.turn[i][j] = fr_vec3_dot(a->axes.row[i], b->axes.row[j]);
            r.size[i][j] = fabs(r.turn[i][j]);
        }
    }
    double largest = fr_vec3_largest(a->center) + fr_vec3_largest(b->center);
    r.error = AXIS_ERROR * (sum + fr_vec3_largest(t)) + 0x1p-51 * largest;
    return r;
}

static bool is_apart_on_faces(const relative_boxes *r) {
    for (int i = 0; i < 3; i++) {
        double of_b = (r->size[i][0] * r->b[0] + r->size[i][1] * r->b[1]) + r->size[i][2] * r->b[2];
        if (fabs(r->t[i]) > r->a[i] + of_b + r->error) { return true; }
        double along = (r->t[0] * r->turn[0][i] + r->t[1] * r->turn[1][i]) + r->t[2] * r->turn[2][i];
        double of_a = (r->a[0] * r->size[0][i] + r->a[1] * r->size[1][i]) + r->a[2] * r->size[2][i];
        if (fabs(along) > of_a + r->b[i] + r->error) { return true; }
    }
    return false;
}

// The axis A_i x B_j: its products with the other axes are elements of the turn.
static bool is_apart_on_cross(const relative_boxes *r, int i, int j) {
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    double along = r->t[i2] * r->turn[i1][j] - r->t[i1] * r->turn[i2][j];
    double of_a = r->a[i1] * r->size[i2][j] + r->a[i2] * r->size[i1][j];
    double of_b = r->b[j1] * r->size[i][j2] + r->b[j2] * r->size[i][j1];
    return fabs(along) > of_a + of_b + r->error;
}

bool fr_oriented_box_overlap(const fr_oriented_box *a, const fr_oriented_box *b) {
    relative_boxes r = relate(a, b);
    if (is_apart_on_faces(&r)) { return false; }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (is_apart_on_cross(&r, i, j)) { return false; }
        }
    }
    return true;
}
