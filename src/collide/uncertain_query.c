// Which faces may collide when poses are not known exactly: two queries, one among the objects that are certain and
// one, within the largest separation, about the others; then each pair of these is graded by its own separation.
#include "collide/run.h"
#include "collide/uncertainty.h"

#include <string.h>

#define UNCERTAIN_INPUT_COOKIE 0x554e4352u
#define MAX_DRAWS 64

fr_uncertain_input fr_default_uncertain_input(void) {
    fr_uncertain_input input;
    memset(&input, 0, sizeof input);
    input.query = fr_default_collide_input();
    input.draws = 32;
    input.cookie = UNCERTAIN_INPUT_COOKIE;
    return input;
}

void fr__uncertain_scratch_make(fr__uncertain_scratch *scratch, const fr_allocator *allocator) {
    scratch->doubts = fr__doubt_array_make(allocator);
    scratch->pairs = fr__uncertain_pair_array_make(allocator);
    scratch->hits = fr_uint64_array_make(allocator);
    scratch->certain = fr__uncertain_pair_array_make(allocator);
    scratch->objects = fr__uncertain_objects_array_make(allocator);
}

void fr__uncertain_scratch_free(fr__uncertain_scratch *scratch) {
    fr__doubt_array_destroy(&scratch->doubts);
    fr__uncertain_pair_array_destroy(&scratch->pairs);
    fr_uint64_array_destroy(&scratch->hits);
    fr__uncertain_pair_array_destroy(&scratch->certain);
    fr__uncertain_objects_array_destroy(&scratch->objects);
}

// ---------------------------------------------------------------------------------------------------------------
// Checks

static fr_status check_input(const fr_uncertain_input *input, fr_error *error) {
    if (input->cookie != UNCERTAIN_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_uncertain_input"); }
    const fr_collide_input *ask = &input->query;
    if (ask->space == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the input names no space"); }
    if (ask->margin != 0.0 || ask->set != FR_SET_ALL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "with uncertainties the margin is 0 and the set all");
    }
    if (!(ask->tolerance >= 0.0) || ask->tolerance > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "tolerance %g is not in 0 .. 2^300", ask->tolerance);
    }
    if (input->draws > MAX_DRAWS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%u draws are over %d", (unsigned)input->draws, MAX_DRAWS);
    }
    if (!fr_space_is_current(ask->space)) {
        return fr_error_set(error, FR_ERROR_STALE_DATA, "the space was changed after the last update");
    }
    return FR_OK;
}

// One query while it runs.
typedef struct fr__uncertain_run {
    fr_collide *collide;
    const fr_uncertain_input *input;
    fr__doubt *doubts; // by place
    bool has_certain, has_uncertain;
    double separation;         // the largest of any two faces
    bool about_uncertain;      // which of the two queries
    const fr_face_pair *found; // its pairs
    fr_uncertain_pair *pairs;
    uint64_t *hits;
    atomic_bool stopped;
} fr__uncertain_run;

static fr_status list_errors(fr__uncertain_run *q, fr_error *error) {
    const fr_uncertain_input *input = q->input;
    const fr_collide_input *ask = &input->query;
    for (size_t i = 0; i < input->uncertainty_count; i++) {
        const fr_object_uncertainty *one = &input->uncertainties[i];
        const fr__object *object = fr__space_find(ask->space, one->id);
        if (object == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "uncertainty %zu is of no object", i); }
        fr_status status = fr__uncertainty_check(&one->uncertainty, error);
        if (status != FR_OK) { return status; }
        fr__doubt *doubt = &q->doubts[one->id.index1 - 1];
        if (doubt->is_listed) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "uncertainty %zu is of an object that has one", i);
        }
        *doubt = fr__doubt_make(fr__object_fresh(ask->space, object), &one->uncertainty, input->is_over_step,
                                ask->tolerance);
        doubt->is_listed = true;
    }
    return FR_OK;
}

// What is known of every object, and the sum of the two that may be off most.
static fr_status find_doubts(fr__uncertain_run *q, fr_error *error) {
    const fr_collide_input *ask = &q->input->query;
    uint32_t count = fr_space_object_places(ask->space);
    fr__doubt_array *doubts = &q->collide->uncertain.doubts;
    doubts->count = 0;
    q->doubts = fr__doubt_array_push(doubts, count);
    if (q->doubts == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for uncertainties"); }
    memset(q->doubts, 0, count * sizeof *q->doubts);
    fr_status status = list_errors(q, error);
    if (status != FR_OK) { return status; }

    double first = 0.0, second = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        if (!fr__places_is_used(&ask->space->object_places, i)) { continue; }
        fr__doubt *doubt = &q->doubts[i];
        if (!doubt->is_listed) {
            *doubt = fr__doubt_make(fr__space_fresh(ask->space, i), NULL, q->input->is_over_step, ask->tolerance);
        }
        q->has_uncertain |= doubt->is_uncertain;
        q->has_certain |= !doubt->is_uncertain;
        double max = doubt->max > first ? doubt->max : first;
        second = doubt->max > first ? first : (doubt->max > second ? doubt->max : second);
        first = max;
    }
    q->separation = (first + second) * (1.0 + 0x1p-30);
    if (!(q->separation <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the errors leave the limits of lengths");
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The two queries

// Filters do not see one object with itself, so pairs are looked at again.
static bool belongs(const fr__uncertain_run *q, uint32_t a, uint32_t b) {
    return (q->doubts[a].is_uncertain || q->doubts[b].is_uncertain) == q->about_uncertain;
}

static bool accept_pair(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    const fr__uncertain_run *q = context;
    const fr_collide_input *ask = &q->input->query;
    return belongs(q, a.index1 - 1, b.index1 - 1) &&
           (ask->filter == NULL || ask->filter(space, a, b, ask->filter_context));
}

static void add_stats(fr_collide_stats *sum, const fr_collide_stats *more) {
    sum->object_pairs += more->object_pairs;
    sum->nodes += more->nodes;
    sum->candidates += more->candidates;
    sum->tested += more->tested;
    sum->exact += more->exact;
    sum->skipped += more->skipped;
    sum->accesses += more->accesses;
    sum->ms_bounds += more->ms_bounds;
    sum->ms_extract += more->ms_extract;
    sum->ms_divide += more->ms_divide;
    sum->ms_test += more->ms_test;
    sum->ms_total += more->ms_total;
}

static fr_status run_one(fr__uncertain_run *q, bool about_uncertain, fr_collide_output *found,
                         fr_uncertain_output *output, fr_error *error) {
    memset(found, 0, sizeof *found);
    if (!(about_uncertain ? q->has_uncertain : q->has_certain)) { return FR_OK; }
    fr_collide_input input = q->input->query;
    if (input.budget > 0) {
        if (output->stats.tested >= input.budget) {
            output->is_partial = true;
            return FR_OK;
        }
        input.budget -= output->stats.tested;
    }
    q->about_uncertain = about_uncertain;
    input.want = FR_WANT_PAIRS;
    input.narrow = FR_NARROW_EXACT;
    input.is_containment_wanted = false;
    input.margin = about_uncertain ? q->separation : 0.0;
    input.filter = accept_pair;
    input.filter_context = q;
    fr_status status = q->input->is_over_step ? fr_collide_continuous(q->collide, &input, found, error)
                                              : fr_collide_static(q->collide, &input, found, error);
    if (status != FR_OK) { return status; }
    add_stats(&output->stats, &found->stats);
    output->is_partial |= found->is_partial;
    return FR_OK;
}

// Pairs of certain objects: there is one truth, and only a search over a step may not have proven that they meet.
static bool take_certain(fr__uncertain_run *q, const fr_collide_output *found) {
    fr__uncertain_pair_array *certain = &q->collide->uncertain.certain;
    certain->count = 0;
    fr_uncertain_pair *out = fr__uncertain_pair_array_push(certain, found->pair_count);
    if (out == NULL) { return false; }
    size_t count = 0;
    for (size_t i = 0; i < found->pair_count; i++) {
        const fr_face_pair *p = &found->pairs[i];
        if (!belongs(q, p->a, p->b)) { continue; }
        bool is_proven = (p->flags & (FR_CONTACT_NEAR | FR_CONTACT_CAPPED)) == 0;
        out[count++] = (fr_uncertain_pair){.a = p->a,
                                           .b = p->b,
                                           .triangle_a = p->triangle_a,
                                           .triangle_b = p->triangle_b,
                                           .grade = is_proven ? FR_GRADE_CERTAIN : FR_GRADE_LIKELY,
                                           .flags = p->flags,
                                           .time = p->time,
                                           .share = q->input->draws > 0 ? 1.0f : -1.0f};
    }
    certain->count = count;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Grading

// What is no pair is marked by a separation below 0.
static void grade_range(size_t begin, size_t end, int worker, void *context) {
    fr__uncertain_run *q = context;
    const fr_collide_input *ask = &q->input->query;
    bool is_over_step = q->input->is_over_step;
    for (size_t i = begin; i < end; i++) {
        const fr_face_pair *p = &q->found[i];
        fr_uncertain_pair *out = &q->pairs[i];
        out->separation = -1.0;
        if (worker == 0 && fr_control_is_stopped(ask->control)) { atomic_store(&q->stopped, true); }
        if (atomic_load_explicit(&q->stopped, memory_order_relaxed) || !belongs(q, p->a, p->b)) { continue; }
        fr_uncertain_pair pair = {.a = p->a,
                                  .b = p->b,
                                  .triangle_a = p->triangle_a,
                                  .triangle_b = p->triangle_b,
                                  .flags = p->flags & (FR_CONTACT_SENSOR | FR_CONTACT_REAL | FR_CONTACT_SELF)};
        fr__doubtful a, b;
        fr__doubtful_make(ask->space, q->doubts, p->a, p->triangle_a, is_over_step, &a);
        fr__doubtful_make(ask->space, q->doubts, p->b, p->triangle_b, is_over_step, &b);
        if (fr__uncertainty_grade(q->input, &a, &b, &pair, &q->hits[i])) { *out = pair; }
    }
}

static bool grade_pairs(fr__uncertain_run *q, const fr_collide_output *found) {
    fr__uncertain_scratch *scratch = &q->collide->uncertain;
    scratch->pairs.count = scratch->hits.count = 0;
    q->found = found->pairs;
    q->pairs = fr__uncertain_pair_array_push(&scratch->pairs, found->pair_count);
    q->hits = fr_uint64_array_push(&scratch->hits, found->pair_count);
    if (q->pairs == NULL || q->hits == NULL) { return false; }
    const fr_tasks *tasks = q->input->query.budget > 0 ? NULL : q->input->query.tasks;
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, found->pair_count, 16, grade_range, q);
    size_t count = 0;
    for (size_t i = 0; i < found->pair_count; i++) {
        if (q->pairs[i].separation < 0.0) { continue; }
        q->hits[count] = q->hits[i];
        q->pairs[count++] = q->pairs[i];
    }
    scratch->pairs.count = scratch->hits.count = count;
    return true;
}

static bool comes_after(const fr_uncertain_pair *a, const fr_uncertain_pair *b) {
    if (a->a != b->a) { return a->a > b->a; }
    if (a->b != b->b) { return a->b > b->b; }
    return a->triangle_a != b->triangle_a ? a->triangle_a > b->triangle_a : a->triangle_b > b->triangle_b;
}

// Puts the pairs of certain objects among the others, from the end, so that nothing is overwritten.
static bool merge(fr__uncertain_run *q) {
    fr__uncertain_scratch *scratch = &q->collide->uncertain;
    size_t graded = scratch->pairs.count, certain = scratch->certain.count;
    if (fr__uncertain_pair_array_push(&scratch->pairs, certain) == NULL ||
        fr_uint64_array_push(&scratch->hits, certain) == NULL) {
        return false;
    }
    fr_uncertain_pair *pairs = scratch->pairs.data;
    const fr_uncertain_pair *kept = scratch->certain.data;
    uint64_t *hits = scratch->hits.data;
    while (certain > 0) {
        size_t to = graded + certain - 1;
        if (graded > 0 && comes_after(&pairs[graded - 1], &kept[certain - 1])) {
            graded--;
            pairs[to] = pairs[graded];
            hits[to] = hits[graded];
        } else {
            certain--;
            pairs[to] = kept[certain];
            hits[to] = UINT64_MAX >> (64 - (q->input->draws > 0 ? q->input->draws : 1));
        }
    }
    return true;
}

static bool list_objects(fr__uncertain_run *q) {
    fr__uncertain_scratch *scratch = &q->collide->uncertain;
    const fr_uncertain_pair *pairs = scratch->pairs.data;
    const uint64_t *hits = scratch->hits.data;
    scratch->objects.count = 0;
    for (size_t i = 0; i < scratch->pairs.count;) {
        fr_uncertain_objects *out = fr__uncertain_objects_array_push(&scratch->objects, 1);
        if (out == NULL) { return false; }
        *out = (fr_uncertain_objects){.a = pairs[i].a, .b = pairs[i].b, .grade = FR_GRADE_POSSIBLE, .first = i};
        uint64_t any = 0;
        for (; i < scratch->pairs.count && pairs[i].a == out->a && pairs[i].b == out->b; i++) {
            out->grade = pairs[i].grade > out->grade ? pairs[i].grade : out->grade;
            any |= hits[i];
        }
        out->count = i - out->first;
        out->share = fr__uncertainty_share(any, q->input->draws);
    }
    return true;
}

static fr_status make_output(fr__uncertain_run *q, fr_uncertain_output *output, fr_error *error) {
    fr__uncertain_scratch *scratch = &q->collide->uncertain;
    fr_collide_output found;
    fr_status status = run_one(q, false, &found, output, error);
    if (status != FR_OK) { return status; }
    bool has_memory = take_certain(q, &found);
    if (has_memory) {
        status = run_one(q, true, &found, output, error);
        if (status != FR_OK) { return status; }
        has_memory = grade_pairs(q, &found) && merge(q) && list_objects(q);
    }
    if (!has_memory) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for uncertain pairs"); }
    output->pairs = scratch->pairs.data;
    output->pair_count = scratch->pairs.count;
    output->objects = scratch->objects.data;
    output->object_count = scratch->objects.count;
    output->separation = q->has_uncertain ? q->separation : 0.0;
    output->is_partial |= atomic_load(&q->stopped);
    return FR_OK;
}

fr_status fr_collide_uncertain(fr_collide *collide, const fr_uncertain_input *input, fr_uncertain_output *output,
                               fr_error *error) {
    FR_ASSERT(collide != NULL && input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr_status status = check_input(input, error);
    if (status != FR_OK) { return status; }
    fr__uncertain_run q;
    memset(&q, 0, sizeof q);
    q.collide = collide;
    q.input = input;
    atomic_init(&q.stopped, false);
    uint64_t start = fr_clock_ns();
    status = find_doubts(&q, error);
    if (status == FR_OK) { status = make_output(&q, output, error); }
    if (status != FR_OK) {
        memset(output, 0, sizeof *output);
        return status;
    }
    output->stats.ms_total = fr_clock_ms_since(start);
    return FR_OK;
}
