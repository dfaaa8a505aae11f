// The exact test of continuous collision of two triangles. First come the cheap tests, the boxes over the step and the
// exact test of the start; then conservative advancement along the paths.
#include "shape/triangle_time.h"

#include "shape/meeting.h"
#include "shape/parting.h"
#include "shape/triangle_triangle.h"

fr_time_input fr_default_time_input(void) {
    fr_time_input input = {1e-6, 0.0, 0.0, 1.0, false, false, 1e-6, 4000};
    return input;
}

// Reports triangles that share points at a time, by the exact test: the contact is proven then.
static void report_overlap(const fr_vec3 a[3], const fr_vec3 b[3], double time, uint32_t flags, uint32_t steps,
                           fr_time_output *out) {
    if (out == NULL) { return; }
    fr_section section;
    fr_triangle_section(a, b, &section);
    fr__meeting_none(steps, out);
    out->is_hit = true;
    out->time = out->time_sure = time;
    out->distance = 0.0;
    out->point = section.points[0];
    out->flags = flags;
    if (section.is_coplanar) { out->flags |= FR_TIME_COPLANAR; }
    if (!section.is_crossing) { out->flags |= FR_TIME_TOUCHING; }
}

// The same at a time within the step: the positions are rounded, so an overlap is near, not proven.
static bool overlaps_at(const fr__moving_pair *pair, double t, fr__arrival *at) {
    fr__swept_at(&pair->a, t, &at->a);
    fr__swept_at(&pair->b, t, &at->b);
    if (!fr__triangle_overlap(at->a.at, at->b.at)) { return false; }
    at->hit = true;
    at->capped = false;
    at->t = t;
    at->distance = fr_triangle_distance(at->a.at, at->b.at, &at->gap.on_a, &at->gap.on_b);
    at->steps = 0;
    return true;
}

// How far the corners at the end of a motion are from where the path is at t = 1.
static double stray(const fr__moving_pair *pair, const fr__swept *s, const fr_triangle_path *path) {
    if (path->motion == NULL) { return 0.0; }
    fr__moving m;
    fr__swept_at(s, 1.0, &m);
    double greatest = 0.0;
    for (int i = 0; i < 3; i++) {
        double away = fr_vec3_distance(m.at[i], fr_vec3_sub(path->end[i], pair->origin));
        greatest = away > greatest ? away : greatest;
    }
    return greatest;
}

// Whether the given ends are within the separation although the paths never are. The paths are then farther than
// m + e / 2 - error apart at t = 1, so ends that stray by less than e / 4 need no look.
static bool ends_meet(const fr__moving_pair *pair, const fr_triangle_path *a, const fr_triangle_path *b) {
    double away = stray(pair, &pair->a, a) + stray(pair, &pair->b, b);
    if (away <= 0.25 * pair->tolerance) { return false; }
    return pair->separation > 0.0 ? fr_triangle_distance(a->end, b->end, NULL, NULL) <= pair->separation
                                  : fr_triangle_overlap(a->end, b->end);
}

// The corners as they were given for the end, with the speeds that their paths have there.
static fr__moving given_end(const fr__swept *s, const fr_triangle_path *path) {
    fr__moving end;
    fr__swept_at(s, 1.0, &end);
    for (int i = 0; i < 3; i++) {
        end.at[i] = path->end[i];
    }
    return end;
}

// The ends are within the separation, exactly or by their rounded distance.
static void report_ends(const fr__moving_pair *pair, const fr_triangle_path *a, const fr_triangle_path *b,
                        fr_time_output *out) {
    if (out == NULL) { return; }
    uint32_t steps = out->iterations;
    fr_vec3 on_a, on_b, zero = {0.0, 0.0, 0.0};
    double distance = fr_triangle_distance(a->end, b->end, &on_a, &on_b);
    if (distance == 0.0) {
        report_overlap(a->end, b->end, 1.0, 0, steps, out);
        return;
    }
    fr__meeting_none(steps, out);
    out->is_hit = true;
    out->time = out->time_sure = out->time_end = 1.0;
    out->distance = distance;
    out->point = fr_vec3_lerp(on_a, on_b, 0.5);
    out->normal = fr_vec3_unit(fr_vec3_sub(on_b, on_a), zero);
    fr__moving end_a = given_end(&pair->a, a), end_b = given_end(&pair->b, b);
    out->approach = fr__meeting_approach(pair, &end_a, &end_b, on_a, on_b, out->normal);
}

static void report_end(const fr__moving_pair *pair, const fr_time_input *input, fr_time_output *out) {
    bool capped = (out->flags & FR_TIME_CAPPED) != 0;
    out->time_end = capped ? 1.0 : fr__parting_kernel()->time(pair, out->time, out->distance, input, &capped);
    if (capped) { out->flags |= FR_TIME_END_CAPPED; }
}

// The search on paths that do not share points at the beginning, or at a later one.
static bool search(const fr__moving_pair *pair, const fr_time_input *input, fr_time_output *out) {
    fr__arrival at;
    if (input->begin == 0.0 || !overlaps_at(pair, input->begin, &at)) {
        fr__advance_run(pair, input->begin, input->end, input->cap, &at);
    }
    if (out != NULL) { fr__meeting_result(pair, &at, out); }
    return at.hit;
}

bool fr__triangle_time(const fr__guide *guide_a, const fr_triangle_path *a, const fr__guide *guide_b,
                       const fr_triangle_path *b, bool is_apart, const fr_time_input *input, fr_time_output *out) {
    fr__moving_pair pair;
    fr__moving_pair_make(&pair, guide_a, a, 3, guide_b, b, 3, input);
    bool starts = !is_apart && input->begin == 0.0 && fr__triangle_overlap(a->start, b->start);
    if (starts) { report_overlap(a->start, b->start, 0.0, FR_TIME_START, 0, out); }
    if (starts || search(&pair, input, out)) {
        if (out != NULL && input->is_end_wanted) { report_end(&pair, input, out); }
        return true;
    }
    if (input->has_ends && input->end >= 1.0 && ends_meet(&pair, a, b)) {
        report_ends(&pair, a, b, out);
        return true;
    }
    return false;
}

bool fr_triangle_time(const fr_triangle_path *a, const fr_triangle_path *b, const fr_time_input *input,
                      fr_time_output *out) {
    fr__guide guide_a = fr__guide_of(a->motion), guide_b = fr__guide_of(b->motion);
    return fr__triangle_time(&guide_a, a, &guide_b, b, false, input, out);
}
