// The pair that a search is about; the search itself is advance_kernel.c.
#include "shape/advance.h"

// A place known within `error` on each side, e >= 32 errors: the search counts on it.
#define ERRORS_A_TOLERANCE 32.0

static double larger(double a, double b) { return a > b ? a : b; }

// Whether two motions take every point of the world the same way, as those of the triangles of one object do.
static bool is_same_motion(const fr__guide *a, const fr__guide *b) {
    return a->is_motion && b->is_motion && a->axis.angle == b->axis.angle &&
           fr_vec3_equal(a->axis.unit, b->axis.unit) && fr_vec3_equal(a->pivot, b->pivot) &&
           fr_vec3_equal(a->travel, b->travel);
}

void fr__chase_make(fr__chase *chase, const fr__guide *guide_a, const fr_triangle_path *a, int count_a,
                    const fr__guide *guide_b, const fr_triangle_path *b, int count_b, const fr_time_input *input) {
    double largest = fr_vec3_largest(a->start[0]);
    for (int i = 0; i < count_b; i++) {
        largest = larger(largest, fr_vec3_largest(b->start[i]));
    }
    chase->origin = a->start[0];
    const fr__swept_make_kernel_table *kernel = fr__swept_make_kernel();
    kernel->make(&chase->a, guide_a, &(fr__swept_points){a->start, a->end, count_a, chase->origin, largest});
    kernel->make(&chase->b, guide_b, &(fr__swept_points){b->start, b->end, count_b, chase->origin, largest});
    chase->separation = input->separation;
    chase->error = chase->a.error + chase->b.error;
    chase->is_together = is_same_motion(guide_a, guide_b);
    chase->tolerance = larger(input->tolerance, ERRORS_A_TOLERANCE * chase->error);
}

void fr__chase_run(const fr__chase *chase, double begin, double end, uint32_t cap, fr__arrival *out) {
    fr__advance_kernel()->run(chase, begin, end, cap, out);
}
