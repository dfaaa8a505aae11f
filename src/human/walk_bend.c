// Bends legs that swing.
//
// The distance r from hip joint to ankle and the length of the leg L give x = 1 - r / L, about an eighth of the square
// of the knee's angle. The bend is the root of x, so that a smooth bend is a smooth knee. Near the straight leg, where
// the root is steep, and beyond it the bend goes on along its tangent.
#include "human/walk_bend.h"

// Below this x the bend is a line: a knee at about 7 degrees.
static const double STRAIGHT = 0.002;

double fr__walk_bend_of(const fr__walk_body *body, const fr__walk_figure *figure, int side) {
    double r = fr_vec3_distance(fr__walk_hip_joint(body, figure, side), figure->legs[side].ankle);
    double x = 1.0 - r / (body->thigh + body->shin), root = sqrt(STRAIGHT);
    return x > STRAIGHT ? sqrt(x) : root + (x - STRAIGHT) / (2.0 * root);
}

void fr__walk_bend_apply(const fr__walk_bend *bend, const fr__walk_body *body, int side, double time,
                         fr__walk_figure *figure) {
    if (!(time > bend->begin && time < bend->end)) { return; }
    double width = bend->end - bend->begin, u = (time - bend->begin) / width, s = 1.0 - u, root = sqrt(STRAIGHT);
    double value = bend->values[0] * s * s * (1.0 + 2.0 * u) + bend->values[1] * u * u * (3.0 - 2.0 * u) +
                   u * s * width * (bend->speeds[0] * s - bend->speeds[1] * u);
    double x = value > root ? value * value : STRAIGHT + 2.0 * root * (value - root);
    fr_vec3 hip = fr__walk_hip_joint(body, figure, side), *ankle = &figure->legs[side].ankle;
    fr_vec3 to = fr_vec3_sub(*ankle, hip);
    *ankle = fr_vec3_add_scaled(hip, (1.0 - x) * (body->thigh + body->shin) / fr_vec3_length(to), to);
}
