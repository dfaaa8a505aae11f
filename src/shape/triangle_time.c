// The judge of continuous collision. First what is cheap: boxes over the step, then the exact test of the start; what
// is left is chased along its paths.
#include "shape/triangle_time.h"

#include "shape/meeting.h"
#include "shape/parting.h"
#include "shape/triangle_triangle.h"

fr_time_input fr_default_time_input(void) {
    fr_time_input input = {1e-6, 0.0, 0.0, 1.0, false, false, 1e-6, 4000};
    return input;
}

// Sharing points at a moment, exactly: proven there.
static void tell_overlap(const fr_vec3 a[3], const fr_vec3 b[3], double time, uint32_t flags, uint32_t steps,
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

// At a time within the step: the places are rounded, so their sharing a point is near, not proven.
static bool overlaps_at(const fr__chase *chase, double t, fr__arrival *at) {
    fr__swept_at(&chase->a, t, &at->a);
    fr__swept_at(&chase->b, t, &at->b);
    if (!fr__triangle_overlap(at->a.at, at->b.at)) { return false; }
    at->hit = true;
    at->capped = false;
    at->t = t;
    at->distance = fr_triangle_distance(at->a.at, at->b.at, &at->gap.on_a, &at->gap.on_b);
    at->steps = 0;
    return true;
}

// How far the corners at the end of a motion are from where the path is at t = 1.
static double stray(const fr__chase *chase, const fr__swept *s, const fr_triangle_path *path) {
    if (path->motion == NULL) { return 0.0; }
    fr__moving m;
    fr__swept_at(s, 1.0, &m);
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        double away = fr_vec3_distance(m.at[i], fr_vec3_sub(path->end[i], chase->origin));
        most = away > most ? away : most;
    }
    return most;
}

// Whether the given ends are within the separation although the paths never are. The paths are then farther than
// m + e / 2 - error apart at t = 1, so ends that stray by less than e / 4 need no look.
static bool ends_meet(const fr__chase *chase, const fr_triangle_path *a, const fr_triangle_path *b) {
    double away = stray(chase, &chase->a, a) + stray(chase, &chase->b, b);
    if (away <= 0.25 * chase->tolerance) { return false; }
    return chase->separation > 0.0 ? fr_triangle_distance(a->end, b->end, NULL, NULL) <= chase->separation
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
static void tell_ends(const fr__chase *chase, const fr_triangle_path *a, const fr_triangle_path *b,
                      fr_time_output *out) {
    if (out == NULL) { return; }
    uint32_t steps = out->iterations;
    fr_vec3 on_a, on_b, zero = {0.0, 0.0, 0.0};
    double distance = fr_triangle_distance(a->end, b->end, &on_a, &on_b);
    if (distance == 0.0) {
        tell_overlap(a->end, b->end, 1.0, 0, steps, out);
        return;
    }
    fr__meeting_none(steps, out);
    out->is_hit = true;
    out->time = out->time_sure = out->time_end = 1.0;
    out->distance = distance;
    out->point = fr_vec3_lerp(on_a, on_b, 0.5);
    out->normal = fr_vec3_unit(fr_vec3_sub(on_b, on_a), zero);
    fr__moving end_a = given_end(&chase->a, a), end_b = given_end(&chase->b, b);
    out->approach = fr__meeting_approach(chase, &end_a, &end_b, on_a, on_b, out->normal);
}

static void tell_end(const fr__chase *chase, const fr_time_input *input, fr_time_output *out) {
    bool capped = (out->flags & FR_TIME_CAPPED) != 0;
    out->time_end = capped ? 1.0 : fr__parting_time(chase, out->time, out->distance, input, &capped);
    if (capped) { out->flags |= FR_TIME_END_CAPPED; }
}

// The search on paths that do not share points at the beginning, or at a later one.
static bool search(const fr__chase *chase, const fr_time_input *input, fr_time_output *out) {
    fr__arrival at;
    if (input->begin == 0.0 || !overlaps_at(chase, input->begin, &at)) {
        fr__chase_run(chase, input->begin, input->end, input->cap, &at);
    }
    if (out != NULL) { fr__meeting_answer(chase, &at, out); }
    return at.hit;
}

bool fr__triangle_time(const fr__guide *guide_a, const fr_triangle_path *a, const fr__guide *guide_b,
                       const fr_triangle_path *b, bool is_apart, const fr_time_input *input, fr_time_output *out) {
    fr__chase chase;
    fr__chase_make(&chase, guide_a, a, 3, guide_b, b, 3, input);
    bool starts = !is_apart && input->begin == 0.0 && fr__triangle_overlap(a->start, b->start);
    if (starts) { tell_overlap(a->start, b->start, 0.0, FR_TIME_START, 0, out); }
    if (starts || search(&chase, input, out)) {
        if (out != NULL && input->is_end_wanted) { tell_end(&chase, input, out); }
        return true;
    }
    if (input->has_ends && input->end >= 1.0 && ends_meet(&chase, a, b)) {
        tell_ends(&chase, a, b, out);
        return true;
    }
    return false;
}

bool fr_triangle_time(const fr_triangle_path *a, const fr_triangle_path *b, const fr_time_input *input,
                      fr_time_output *out) {
    fr__guide guide_a = fr__guide_of(a->motion), guide_b = fr__guide_of(b->motion);
    return fr__triangle_time(&guide_a, a, &guide_b, b, false, input, out);
}
