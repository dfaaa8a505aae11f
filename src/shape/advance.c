// Preparing a pair for conservative advancement; the search itself is in advance_kernel.c.
#include "shape/advance.h"

// The tolerance e is at least 32 errors of a position, which the search relies on.
#define ERRORS_A_TOLERANCE 32.0

static double larger(double a, double b) { return a > b ? a : b; }

// Whether two motions move every point of the world equally, as the motions of two triangles of one object do.
static bool is_same_motion(const fr__guide *a, const fr__guide *b) {
    return a->is_motion && b->is_motion && a->axis.angle == b->axis.angle &&
           fr_vec3_equal(a->axis.unit, b->axis.unit) && fr_vec3_equal(a->pivot, b->pivot) &&
           fr_vec3_equal(a->travel, b->travel);
}

void fr__moving_pair_make(fr__moving_pair *pair, const fr__guide *guide_a, const fr_triangle_path *a, int count_a,
                          const fr__guide *guide_b, const fr_triangle_path *b, int count_b,
                          const fr_time_input *input) {
    double largest = fr_vec3_largest(a->start[0]);
    for (int i = 0; i < count_b; i++) {
        largest = larger(largest, fr_vec3_largest(b->start[i]));
    }
    pair->origin = a->start[0];
    const fr__swept_make_kernel_table *kernel = fr__swept_make_kernel();
    kernel->make(&pair->a, guide_a, &(fr__swept_points){a->start, a->end, count_a, pair->origin, largest});
    kernel->make(&pair->b, guide_b, &(fr__swept_points){b->start, b->end, count_b, pair->origin, largest});
    pair->separation = input->separation;
    pair->error = pair->a.error + pair->b.error;
    pair->is_together = is_same_motion(guide_a, guide_b);
    pair->tolerance = larger(input->tolerance, ERRORS_A_TOLERANCE * pair->error);
}

void fr__advance_run(const fr__moving_pair *pair, double begin, double end, uint32_t cap, fr__arrival *out) {
    fr__advance_kernel()->run(pair, begin, end, cap, out);
}
