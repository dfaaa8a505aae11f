#include "collide/step_judge.h"

#include "collide/swept_hull.h"

#include <string.h>

// The judge's flags are handed on as they are.
_Static_assert((int)FR_TIME_NEAR == (int)FR_CONTACT_NEAR && (int)FR_TIME_CAPPED == (int)FR_CONTACT_CAPPED &&
                   (int)FR_TIME_COPLANAR == (int)FR_CONTACT_COPLANAR &&
                   (int)FR_TIME_TOUCHING == (int)FR_CONTACT_TOUCHING && (int)FR_TIME_START == (int)FR_CONTACT_START,
               "flags of a time and of a contact have the same values");

double fr__step_limit(const fr__question *q, uint32_t parts) {
    return q->has_limits ? ((const double *)q->collide->limits.data)[parts] : 1.0;
}

// Contacts later than a proven one and a little are not wanted any more.
static void lower_limit(const fr__question *q, uint32_t parts, double time_sure) {
    if (!q->has_limits || fr_is_unknown(time_sure)) { return; }
    double *limit = (double *)q->collide->limits.data + parts;
    if (time_sure + FR__FIRST_SPAN < *limit) { *limit = time_sure + FR__FIRST_SPAN; }
}

fr_time_options fr__step_options(const fr__question *q) {
    fr_time_options options = fr_default_time_options();
    options.tolerance = q->tolerance;
    options.separation = q->margin;
    options.with_ends = true;
    options.want_end = q->input->want >= FR_WANT_INTERVALS;
    options.time_tolerance = q->input->time_tolerance;
    return options;
}

// Corners at the end that are where their paths end, within a quarter of the tolerance, are not looked at by the judge
// (triangle_time.c); so it is not asked to where that holds for all of two parts, rounding included.
static bool ends_count(const fr__case *of, const fr_time_options *options) {
    const fr__course *a = &of->course_a, *b = &of->course_b;
    double gap = a->end_gap + b->end_gap + 2.0 * (a->rounding + b->rounding);
    return options->with_ends && options->end >= 1.0 && !(gap <= 0.25 * options->tolerance);
}

bool fr__step_ask(const fr__case *of, fr__candidate candidate, bool is_apart, const fr_time_options *options,
                  fr_time_result *out) {
    fr_triangle_path a, b;
    fr_time_options asked = *options;
    asked.with_ends = ends_count(of, options);
    fr__course_path_until(&of->course_a, &of->a, candidate.a, asked.with_ends, &a);
    fr__course_path_until(&of->course_b, &of->b, candidate.b, asked.with_ends, &b);
    return fr__triangle_time(&of->course_a.guide, &a, &of->course_b.guide, &b, is_apart, &asked, out);
}

// `number` is that of what the judge told, in the list of times.
static bool put_told(fr__question *q, const fr__case *of, int worker, fr__candidate c, uint32_t number) {
    fr_collide *collide = q->collide;
    uint64_t key = fr__two_in_one(of->a.first_triangle + c.a, of->b.first_triangle + c.b);
    uint64_t value = fr__two_in_one(of->object_pair, number);
    return (number != FR_NONE && fr__hit_put(&collide->pool, &collide->workers[worker].hits, key, value)) ||
           fr__question_fail(q);
}

static bool put_hit(fr__question *q, const fr__case *of, int worker, fr__candidate c, const fr_time_result *result) {
    return put_told(q, of, worker, c, fr__time_list_add(&q->collide->times, result));
}

// What is told of a pair whose hulls meet.
static fr_time_result near_at_start(const fr__case *of) {
    fr_time_result result;
    memset(&result, 0, sizeof result);
    result.hit = true;
    result.time_sure = result.time_end = FR_UNKNOWN;
    result.flags = FR_CONTACT_NEAR | of->flags;
    return result;
}

static bool test_hulls(fr__question *q, const fr__case *of, int worker, fr__candidate c) {
    fr_triangle_path a, b;
    fr__course_path(&of->course_a, &of->a, c.a, &a);
    fr__course_path(&of->course_b, &of->b, c.b, &b);
    q->collide->workers[worker].tested++;
    if (!fr__swept_hulls_meet(&a, &b, q->margin + q->tolerance)) { return true; }
    fr_time_result result = near_at_start(of);
    return put_hit(q, of, worker, c, &result);
}

bool fr__step_judge(fr__question *q, const fr__case *of, int worker, fr__candidate candidate, bool is_apart) {
    if (fr__question_spend(q, 1) == 0) { return false; }
    if (q->input->narrow == FR_NARROW_HULL) { return test_hulls(q, of, worker, candidate); }
    fr_time_options options = fr__step_options(q);
    double limit = fr__step_limit(q, of->parts);
    options.end = limit < 1.0 ? limit : 1.0;
    fr_time_result result;
    q->collide->workers[worker].tested++;
    if (!fr__step_ask(of, candidate, is_apart, &options, &result)) { return true; }
    lower_limit(q, of->parts, result.time_sure);
    result.flags |= of->flags;
    return put_hit(q, of, worker, candidate, &result);
}

// What fr_triangle_time tells of triangles that cross at the beginning, but for the point: contacts measure it anew.
static fr_time_result crossing_at_start(const fr__case *of) {
    fr_time_result result;
    memset(&result, 0, sizeof result);
    result.hit = true;
    result.time_end = FR_UNKNOWN;
    result.flags = FR_CONTACT_START | of->flags;
    return result;
}

bool fr__step_tells_crossing(const fr__question *q) {
    return q->input->want < FR_WANT_INTERVALS && q->input->narrow == FR_NARROW_EXACT;
}

bool fr__step_put_crossing(fr__question *q, const fr__case *of, int worker, const fr__candidate *candidates,
                           uint32_t count) {
    if (count == 0) { return true; }
    const fr_time_result at_start = crossing_at_start(of);
    uint32_t number = fr__time_list_add(&q->collide->times, &at_start); // the same is told of all
    lower_limit(q, of->parts, 0.0);
    for (uint32_t i = 0; i < count; i++) {
        if (fr__question_spend(q, 1) == 0) { return false; }
        q->collide->workers[worker].tested++;
        if (!put_told(q, of, worker, candidates[i], number)) { return false; }
    }
    return true;
}

// First what is sure: it lowers the limit of the rest.
bool fr__step_judge_batch(fr__question *q, const fr__case *of, int worker, const fr__candidate *candidates,
                          uint32_t count) {
    FR_ASSERT(count <= FR__BATCH);
    fr__judged judged[FR__BATCH];
    fr__candidate sure[FR__BATCH] = {{0, 0}};
    enum { APART, PERHAPS, CROSSES } found[FR__BATCH] = {APART};
    bool is_told = fr__step_tells_crossing(q);
    uint32_t left = is_told ? q->judges->judge(&of->a, &of->b, candidates, count, judged) : 0, sure_count = 0;
    for (uint32_t i = 0; i < left; i++) {
        found[judged[i].index] = judged[i].sure ? CROSSES : PERHAPS;
        if (judged[i].sure) { sure[sure_count++] = candidates[judged[i].index]; }
    }
    if (!fr__step_put_crossing(q, of, worker, sure, sure_count)) { return false; }
    for (uint32_t i = 0; i < count; i++) {
        bool is_apart = is_told && found[i] == APART;
        if (found[i] != CROSSES && !fr__step_judge(q, of, worker, candidates[i], is_apart)) { return false; }
    }
    return true;
}
