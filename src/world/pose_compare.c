// Comparisons of poses.
#include "world/pose_compare.h"

#define SAME 0x1p-36

bool fr__pose_equal(const fr_pose *a, const fr_pose *b) {
    return a->rotation.w == b->rotation.w && a->rotation.x == b->rotation.x && a->rotation.y == b->rotation.y &&
           a->rotation.z == b->rotation.z && fr_vec3_equal(a->position, b->position) && a->scale == b->scale;
}

bool fr__pose_near(const fr_pose *a, const fr_pose *b, double reach) {
    const fr_quat *p = &a->rotation, *q = &b->rotation;
    double sign = p->w * q->w + p->x * q->x + p->y * q->y + p->z * q->z < 0.0 ? -1.0 : 1.0;
    double turned =
        fabs(p->w - sign * q->w) + fabs(p->x - sign * q->x) + fabs(p->y - sign * q->y) + fabs(p->z - sign * q->z);
    double size = fr_vec3_largest(a->position) + fr_vec3_largest(b->position) + reach;
    double moved = fr_vec3_largest(fr_vec3_sub(a->position, b->position));
    return turned <= SAME && moved <= SAME * size && fabs(a->scale - b->scale) <= SAME * a->scale;
}
