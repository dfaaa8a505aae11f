// Boxes of vertices over the step, four at once.
#include "space/vertex_box.h"

#include "math/wide.h"

// Four points by axis.
typedef struct point_lanes {
    fr__d4 at[3];
} point_lanes;

// row . p, in the order of operations of fr_vec3_dot.
FR__WIDE fr__d4 row_dot(const fr_vec3 *row, const point_lanes *p) {
    fr__d4 x = fr__d4_mul(fr__d4_splat(row->x), p->at[0]), y = fr__d4_mul(fr__d4_splat(row->y), p->at[1]);
    return fr__d4_add(fr__d4_add(x, y), fr__d4_mul(fr__d4_splat(row->z), p->at[2]));
}

// fr__frame_apply.
FR__WIDE point_lanes place_points(const fr__frame *frame, const point_lanes *p) {
    const double *position = &frame->position.x;
    fr__d4 scale = fr__d4_splat(frame->scale);
    point_lanes scaled = {{fr__d4_mul(scale, p->at[0]), fr__d4_mul(scale, p->at[1]), fr__d4_mul(scale, p->at[2])}}, out;
    for (int i = 0; i < 3; i++) {
        out.at[i] = fr__d4_add(row_dot(&frame->rotation.row[i], &scaled), fr__d4_splat(position[i]));
    }
    return out;
}

// The low sides of four boxes and their high sides, negated: 0 .. 2 and 3 .. 5.
typedef struct box_sides {
    _Alignas(32) double side[6][4];
} box_sides;

// fr__to_part_point and fr__to_part_margin.
FR__WIDE void see_points(const fr__next_view *view, const point_lanes *next, box_sides *out) {
    const fr__to_part *to = &view->to_part;
    point_lanes in_object = place_points(&view->part, next), world = place_points(&view->object, &in_object), from;
    const double *origin = &to->origin.x;
    fr__d4 largest = fr__d4_splat(to->reach), size = fr__d4_splat(0.0);
    for (int i = 0; i < 3; i++) {
        from.at[i] = fr__d4_sub(world.at[i], fr__d4_splat(origin[i]));
        size = fr__d4_max(fr__d4_abs(world.at[i]), size);
    }
    fr__d4 margin = fr__d4_mul(fr__d4_add(size, largest), fr__d4_splat(0x1p-40));
    margin = fr__d4_mul(fr__d4_add(margin, fr__d4_splat(to->rounding)), fr__d4_splat(to->to_local * (1.0 + 0x1p-39)));
    for (int i = 0; i < 3; i++) {
        fr__d4 local = row_dot(&to->turn.row[i], &from);
        fr__d4_store_aligned(out->side[i], fr__d4_sub(local, margin));
        fr__d4_store_aligned(out->side[3 + i], fr__d4_sub(fr__d4_neg(local), margin));
    }
}

// A float next to x is within 2^-24 of it, and at least 2^-24 |x| or 2^-149 are subtracted: a side may be two floats
// too far out, never one too far in. Where that may be beyond the floats it is looked at closely.
FR__WIDE void join_sides(const box_sides *sides, size_t count, fr__corner_box *boxes) {
    _Alignas(32) float low[6][4];
    const double *from = &sides->side[0][0];
    float *to = &low[0][0];
    bool is_large = false;
    for (int i = 0; i < 24; i++) {
        float near = (float)from[i];
        to[i] = near - (fabsf(near) * 0x1p-23f + 0x1p-149f);
        is_large = is_large || !(fabs(from[i]) < 0x1p+127);
    }
    for (int i = 0; i < 24 && is_large; i++) {
        to[i] = fr_float_down(from[i]);
    }
    for (size_t v = 0; v < count; v++) {
        float *side = boxes[v].side;
        for (int k = 0; k < 3; k++) {
            side[k] = low[k][v] < side[k] ? low[k][v] : side[k];
            side[4 + k] = low[3 + k][v] < side[4 + k] ? low[3 + k][v] : side[4 + k];
        }
    }
}

static void join_next(const fr__next_view *view, const fr_vec3 *next, size_t count, fr__corner_box *boxes) {
    for (size_t i = 0; i < count; i += 4) {
        size_t rest = count - i < 4 ? count - i : 4;
        const fr_vec3 *p = next + i, *q = p + (rest - 1);
        point_lanes points;
        fr__d4_gather(&p->x, &(rest > 1 ? p + 1 : q)->x, &(rest > 2 ? p + 2 : q)->x, &q->x, &points.at[0],
                      &points.at[1], &points.at[2]);
        box_sides sides;
        see_points(view, &points, &sides);
        join_sides(&sides, rest, boxes + i);
    }
}

const fr__vertex_box_kernel_table FR_KERNEL_NAME(fr__vertex_box_kernel) = {.join_next = join_next};
