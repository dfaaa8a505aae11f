// The judge of a step: decides candidates by fr_triangle_time, and keeps the limits of first contacts.
#include "collide/step_judge.h"

#include "collide/neighbour_faces.h"
#include "collide/swept_hull.h"

#include <string.h>

// The judge's flags are handed on as they are.
_Static_assert((int)FR_TIME_NEAR == (int)FR_CONTACT_NEAR && (int)FR_TIME_CAPPED == (int)FR_CONTACT_CAPPED &&
                   (int)FR_TIME_COPLANAR == (int)FR_CONTACT_COPLANAR &&
                   (int)FR_TIME_TOUCHING == (int)FR_CONTACT_TOUCHING && (int)FR_TIME_START == (int)FR_CONTACT_START,
               "flags of a time and of a contact have the same values");

double fr__step_limit(const fr__run *run, uint32_t part_pair) {
    return run->plan.has_limits ? run->scratch->limits.data[part_pair] : 1.0;
}

// Contacts later than a proven one and a little are not wanted any more.
static void lower_limit(const fr__run *run, uint32_t part_pair, double time_sure) {
    if (!run->plan.has_limits || fr_is_unknown(time_sure)) { return; }
    double *limit = &run->scratch->limits.data[part_pair];
    if (time_sure + FR__FIRST_SPAN < *limit) { *limit = time_sure + FR__FIRST_SPAN; }
}

fr_time_input fr__step_options(const fr__query *query) {
    fr_time_input options = fr_default_time_input();
    options.tolerance = query->tolerance;
    options.separation = query->margin;
    options.has_ends = true;
    options.is_end_wanted = query->input->want >= FR_WANT_INTERVALS;
    options.time_tolerance = query->input->time_tolerance;
    return options;
}

// Corners at the end that are where their paths end, within a quarter of the tolerance, are not looked at by the judge
// (triangle_time.c); so it need not do so where that holds for all of two parts, rounding included.
static bool ends_count(const fr__pair_geometry *geometry, const fr_time_input *options) {
    const fr__course *a = &geometry->course_a, *b = &geometry->course_b;
    double gap = a->end_gap + b->end_gap + 2.0 * (a->rounding + b->rounding);
    return options->has_ends && options->end >= 1.0 && !(gap <= 0.25 * options->tolerance);
}

// The paths of two faces of one part, and their common corners.
static fr__neighbours neighbours_of(const fr__pair_geometry *geometry, fr__candidate candidate, fr_triangle_path *a,
                                    fr_triangle_path *b) {
    fr__course_path(&geometry->course_a, &geometry->a, candidate.a, a);
    fr__course_path(&geometry->course_b, &geometry->b, candidate.b, b);
    return fr__neighbours_over(a, b);
}

bool fr__step_time(const fr__pair_geometry *geometry, fr__candidate candidate, bool is_apart,
                   const fr_time_input *options, fr_time_output *out) {
    fr_triangle_path a, b;
    if (fr__pair_is_self(geometry)) {
        fr__neighbours neighbours = neighbours_of(geometry, candidate, &a, &b);
        if (neighbours.count > 0) { return fr__neighbours_time(&neighbours, &a, &b, options, out); }
    }
    fr_time_input needed = *options;
    needed.has_ends = ends_count(geometry, options);
    fr__course_path_until(&geometry->course_a, &geometry->a, candidate.a, needed.has_ends, &a);
    fr__course_path_until(&geometry->course_b, &geometry->b, candidate.b, needed.has_ends, &b);
    return fr__triangle_time(&geometry->course_a.guide, &a, &geometry->course_b.guide, &b, is_apart, &needed, out);
}

// `number` is that of the judge's result in the list of results.
static bool put_result(fr__run *run, const fr__pair_geometry *geometry, int worker, fr__candidate c, uint32_t number) {
    fr__found found = {.hit = {.triangle_a = geometry->a.first_triangle + c.a,
                               .triangle_b = geometry->b.first_triangle + c.b,
                               .object_pair = geometry->object_pair,
                               .result = number}};
    return number != FR_NONE ? fr__run_put(run, worker, found) : fr__run_fail(run);
}

static bool put_hit(fr__run *run, const fr__pair_geometry *geometry, int worker, fr__candidate c,
                    const fr_time_output *result) {
    return put_result(run, geometry, worker, c, fr__result_list_add(&run->scratch->results, result));
}

// What is reported of a pair whose hulls meet.
static fr_time_output near_at_start(const fr__pair_geometry *geometry) {
    fr_time_output result;
    memset(&result, 0, sizeof result);
    result.is_hit = true;
    result.time_sure = result.time_end = FR_UNKNOWN;
    result.flags = FR_CONTACT_NEAR | geometry->flags;
    return result;
}

static bool test_hulls(fr__run *run, const fr__pair_geometry *geometry, int worker, fr__candidate c) {
    fr_triangle_path a, b;
    fr__course_path(&geometry->course_a, &geometry->a, c.a, &a);
    fr__course_path(&geometry->course_b, &geometry->b, c.b, &b);
    run->scratch->workers[worker].tested++;
    // The hulls of neighbours always meet, which says nothing: the exact test decides.
    if (fr__pair_is_self(geometry)) {
        fr__neighbours neighbours = fr__neighbours_over(&a, &b);
        fr_time_input options = fr__step_options(&run->query);
        fr_time_output met;
        if (neighbours.count > 0 && !fr__neighbours_time(&neighbours, &a, &b, &options, &met)) { return true; }
    }
    if (!fr__swept_hulls_meet(&a, &b, run->query.margin, run->query.tolerance)) { return true; }
    fr_time_output result = near_at_start(geometry);
    return put_hit(run, geometry, worker, c, &result);
}

bool fr__step_judge(fr__run *run, const fr__pair_geometry *geometry, int worker, fr__candidate candidate,
                    bool is_apart) {
    if (fr__run_spend(run, 1) == 0) { return false; }
    if (run->query.input->narrow == FR_NARROW_HULL) { return test_hulls(run, geometry, worker, candidate); }
    fr_time_input options = fr__step_options(&run->query);
    double limit = fr__step_limit(run, geometry->part_pair);
    options.end = limit < 1.0 ? limit : 1.0;
    fr_time_output result;
    run->scratch->workers[worker].tested++;
    if (!fr__step_time(geometry, candidate, is_apart, &options, &result)) { return true; }
    lower_limit(run, geometry->part_pair, result.time_sure);
    result.flags |= geometry->flags;
    return put_hit(run, geometry, worker, candidate, &result);
}

// What fr_triangle_time reports of triangles that cross at the beginning, but for the point: contacts measure it again.
static fr_time_output crossing_at_start(const fr__pair_geometry *geometry) {
    fr_time_output result;
    memset(&result, 0, sizeof result);
    result.is_hit = true;
    result.time_end = FR_UNKNOWN;
    result.flags = FR_CONTACT_START | geometry->flags;
    return result;
}

bool fr__step_accepts_crossing(const fr__query *query) {
    return query->input->want < FR_WANT_INTERVALS && query->input->narrow == FR_NARROW_EXACT;
}

bool fr__step_put_crossing(fr__run *run, const fr__pair_geometry *geometry, int worker, const fr__candidate *candidates,
                           uint32_t count) {
    if (count == 0) { return true; }
    const fr_time_output at_start = crossing_at_start(geometry);
    uint32_t number = fr__result_list_add(&run->scratch->results, &at_start); // the same is reported of all
    lower_limit(run, geometry->part_pair, 0.0);
    for (uint32_t i = 0; i < count; i++) {
        if (fr__run_spend(run, 1) == 0) { return false; }
        run->scratch->workers[worker].tested++;
        if (!put_result(run, geometry, worker, candidates[i], number)) { return false; }
    }
    return true;
}

// First what is sure: it lowers the limit of the rest.
bool fr__step_judge_batch(fr__run *run, const fr__pair_geometry *geometry, int worker, const fr__candidate *candidates,
                          uint32_t count) {
    FR_ASSERT(count <= FR__BATCH);
    fr__judged judged[FR__BATCH];
    fr__candidate sure[FR__BATCH] = {{0, 0}};
    enum { APART, PERHAPS, CROSSES } found[FR__BATCH] = {APART};
    bool is_accepted = fr__step_accepts_crossing(&run->query);
    uint32_t left = 0, sure_count = 0;
    if (is_accepted) { left = run->plan.judges->judge(&geometry->a, &geometry->b, false, candidates, count, judged); }
    for (uint32_t i = 0; i < left; i++) {
        found[judged[i].index] = judged[i].sure ? CROSSES : PERHAPS;
        if (judged[i].sure) { sure[sure_count++] = candidates[judged[i].index]; }
    }
    if (!fr__step_put_crossing(run, geometry, worker, sure, sure_count)) { return false; }
    for (uint32_t i = 0; i < count; i++) {
        bool is_apart = is_accepted && found[i] == APART;
        if (found[i] != CROSSES && !fr__step_judge(run, geometry, worker, candidates[i], is_apart)) { return false; }
    }
    return true;
}
