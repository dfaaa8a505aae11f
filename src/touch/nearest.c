// The nearest triangle of one part to a triangle of another.
#include "touch/nearest.h"

#include "touch/element.h"

#include <math.h>

#define LARGEST 0x1p+60  // coordinates beyond which directions are not trusted to floats
#define SMALLEST 0x1p-60 // likewise

static const fr_vec3 zero = {0.0, 0.0, 0.0};

void fr__nearest_begin(fr__nearest *s, const fr_vec3 corners[3], double limit) {
    for (int k = 0; k < 3; k++) {
        s->corners[k] = corners[k];
    }
    s->distance = limit;
    s->index = FR_NONE;
}

// The direction from the triangle to the nearest so far, in the part's frame.
static void aim(fr__nearest *s, fr_vec3 direction) {
    s->direction = s->largest > SMALLEST && s->largest < LARGEST ? fr_vec3_unit(direction, zero) : zero;
    s->top = -INFINITY;
    for (int k = 0; k < 3; k++) {
        s->top = fmax(s->top, fr_vec3_dot(s->direction, s->own[k]));
    }
}

void fr__nearest_take(fr__nearest *s, uint32_t triangle) {
    fr_vec3 local[3], c[3], on_held, on_near;
    fr__mesh_corners(&s->mesh->view, triangle, local);
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        least = fmin(least, fr_vec3_dot(s->direction, local[k]));
    }
    if (least - s->top > s->distance * s->back.scale + s->slack) { return; }
    for (int k = 0; k < 3; k++) {
        c[k] = fr_pose_apply(&s->pose, fr_pose_apply(&s->part_pose, local[k]));
    }
    double distance = fr_triangle_distance(c, s->corners, &on_held, &on_near);
    uint32_t index = s->first + triangle;
    if (!(distance < s->distance || (distance == s->distance && index < s->index))) { return; }
    s->distance = distance;
    s->index = index;
    s->on_held = on_held;
    s->on_near = on_near;
    aim(s, fr_pose_turn(&s->back, fr_vec3_sub(on_held, on_near)));
}

void fr__nearest_part(fr__nearest *s, const fr_part_def *part, const fr_pose *pose, uint32_t first, uint32_t hint) {
    s->mesh = part->mesh;
    s->pose = *pose;
    s->part_pose = part->pose;
    s->first = first;
    fr_pose held_to_world = fr_pose_compose(pose, &part->pose);
    s->back = fr_pose_inverse(&held_to_world);
    for (int k = 0; k < 3; k++) {
        s->own[k] = fr_pose_apply(&s->back, s->corners[k]);
    }
    fr_bounds b = fr_bounds_of_points(s->own, 3);
    double largest = fmax(fr_vec3_largest(b.min), fr_vec3_largest(b.max)) + fr_vec3_largest(s->back.position);
    s->largest = largest + part->mesh->view.largest;
    s->slack = FR__ELEMENT_SLACK * s->back.scale + FR__ELEMENT_ROUNDING * s->largest;
    const double low[3] = {b.min.x, b.min.y, b.min.z}, high[3] = {b.max.x, b.max.y, b.max.z};
    for (int i = 0; i < 3; i++) {
        s->low[i] = fr_float_down(low[i]);
        s->high[i] = fr_float_up(high[i]);
    }
    int exponent = 0;
    frexp(s->largest, &exponent);
    s->scale = ldexpf(1.0f, exponent > -120 ? (exponent < 120 ? -exponent : -120) : 120);
    aim(s, zero);
    if (hint != FR_NONE) { fr__nearest_take(s, hint); }
    fr__nearest_kernel()->find(s);
}
