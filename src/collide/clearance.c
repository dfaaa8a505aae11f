// A proof is a walk of the two trees at the end of the step, of boxes grown by the distance to be proven. At a later
// step no point of a part is farther from where it was then than the poses are apart, and what it moves during the
// step; where both together are less than what was proven, less the distance that counts and all rounding, nothing can
// meet. Nothing is assumed about how the objects came to where they are.
#include "collide/clearance.h"

#include "collide/slices.h"
#include "shape/tree.h"

// Walks of fewer pairs of nodes are not worth a proof.
enum { WORTH_NODES = 4 };

// A proof reaches this many steps ahead: twice as many after a success, half as many after a failure.
#define FIRST_STEPS 8.0
#define LEAST_STEPS 2.0
#define MOST_STEPS 64.0

// And no less than this part of the smaller part's radius, so that what hardly moves is proven for long.
#define LEAST_PART 0x1p-7

// After a proof that fails so many questions go by, each time twice as many.
enum { FIRST_PATIENCE = 4, MOST_PATIENCE = 64 };

// Of what moves fast, only parts that have been near for so many questions are worth a proof.
enum { WORTH_AGE = 4 };

// ---------------------------------------------------------------------------------------------------------------
// What is known

static int compare(const fr__clearance *a, const fr__parts *b) {
    uint32_t x[4] = {a->object_a, a->object_b, a->part_a, a->part_b};
    uint32_t y[4] = {b->object_a, b->object_b, b->part_a, b->part_b};
    for (int i = 0; i < 4; i++) {
        if (x[i] != y[i]) { return x[i] < y[i] ? -1 : 1; }
    }
    return 0;
}

static fr__clearance nothing_known(const fr__parts *parts, uint32_t generation_a, uint32_t generation_b) {
    fr__clearance c = {.object_a = parts->object_a,
                       .object_b = parts->object_b,
                       .part_a = parts->part_a,
                       .part_b = parts->part_b,
                       .generation_a = generation_a,
                       .generation_b = generation_b,
                       .clearance = -1.0,
                       .steps = FIRST_STEPS,
                       .patience = FIRST_PATIENCE};
    return c;
}

// Both lists are sorted. An object that was removed has a new generation where another one stands.
bool fr__clearances_begin(fr__question *q) {
    fr_collide *collide = q->collide;
    fr_array before = collide->clearances;
    collide->clearances = collide->clearances_before;
    if (collide->clearances_of != q->space->number) { before.count = 0; }
    collide->clearances_before = before;
    collide->clearances_of = q->space->number;
    collide->clearances.count = 0;
    if (!fr_array_reserve(&collide->clearances_before, q->parts_count)) { return false; }
    fr__clearance *now = fr_array_push(&collide->clearances, q->parts_count);
    if (now == NULL) { return false; }
    const fr__clearance *old = collide->clearances_before.data, *end = old + collide->clearances_before.count;
    for (uint32_t i = 0; i < q->parts_count; i++) {
        const fr__parts *parts = fr__question_parts(q, i);
        uint32_t a = fr__places_generation(&q->space->object_places, parts->object_a);
        uint32_t b = fr__places_generation(&q->space->object_places, parts->object_b);
        while (old != end && compare(old, parts) < 0) {
            old++;
        }
        bool is_known = old != end && compare(old, parts) == 0 && old->generation_a == a && old->generation_b == b;
        now[i] = is_known ? *old : nothing_known(parts, a, b);
        now[i].is_met = true;
        if (now[i].wait > 0) { now[i].wait--; }
        if (now[i].age < WORTH_AGE) { now[i].age++; }
    }
    q->clearances = now;
    return true;
}

// Vertices that deform, and faces of one part, are never proven apart.
static bool can_be_known(const fr__case *of) {
    bool is_self = of->a.object == of->b.object && of->a.part == of->b.part;
    return !is_self && !of->a.is_deformed && !of->b.is_deformed;
}

// A point that turns by an angle on a circle is displaced by no more than the angle, and no more than 2, times the
// radius.
double fr__clearance_way(const fr__case *of) {
    const fr__course *a = &of->course_a, *b = &of->course_b;
    double turn_a = a->axis.angle < 2.0 ? a->axis.angle : 2.0, turn_b = b->axis.angle < 2.0 ? b->axis.angle : 2.0;
    double way = fr_vec3_distance(a->travel, b->travel) + turn_a * (a->arm + a->radius) + turn_b * (b->arm + b->radius);
    return (way + a->end_gap + b->end_gap) * (1.0 + 0x1p-40);
}

double fr__clearance_rounding(const fr__case *of) { return 2.0 * (of->course_a.rounding + of->course_b.rounding); }

static bool holds(const fr__question *q, const fr__swept_pair *pair) {
    const fr__case *of = pair->of;
    const fr__clearance *known = q->clearances != NULL ? &q->clearances[of->parts] : NULL;
    if (known == NULL || known->clearance < 0.0 || !can_be_known(of)) { return false; }
    double need = pair->distance + fr__clearance_rounding(of) + fr__clearance_way(of);
    if (need > known->clearance) { return false; }
    need += fr__pose_gap(&known->pose_a, &of->course_a.start, of->a.ball_center, of->a.ball_radius);
    need += fr__pose_gap(&known->pose_b, &of->course_b.start, of->b.ball_center, of->b.ball_radius);
    return need <= known->clearance;
}

bool fr__clearance_skips(const fr__question *q, const fr__swept_pair *pair, int worker) {
    bool is_known = holds(q, pair);
    q->collide->workers[worker].skipped += is_known;
    return is_known;
}

void fr__clearance_tell(const fr__question *q, uint32_t parts, uint64_t nodes) {
    if (q->clearances == NULL) { return; }
    q->clearances[parts].is_met = false;
    q->clearances[parts].nodes = nodes;
}

// ---------------------------------------------------------------------------------------------------------------
// Proving

static bool end_walk(fr__swept_walk *walk, const fr__swept_candidate *candidates, uint32_t count) {
    (void)walk, (void)candidates, (void)count;
    return false;
}

// Whether no faces of the two parts are within `distance` at the end of the step.
static bool are_apart(const fr__swept_pair *pair, double distance, fr__worker *worker) {
    fr__swept_pair wide = *pair;
    wide.distance = distance;
    fr__swept_relation relation = fr__swept_pair_relate_end(&wide);
    fr__swept_walk walk = {.a = &pair->of->a, .b = &pair->of->b, .relation = &relation, .found = end_walk};
    walk.at_once = true;
    walk.limit = 1.0f;
    const fr__node_pair roots = {0, 0, FR_NONE, FR_NONE};
    bool is_proven = fr__swept_kernel()->walk(&walk, roots);
    worker->nodes += walk.nodes;
    return is_proven;
}

static void prove(const fr__question *q, uint32_t parts, int worker) {
    fr__clearance *known = &q->clearances[parts];
    fr__case of;
    fr__swept_pair pair;
    fr__case_make(q, parts, &of);
    if (!can_be_known(&of)) { return; }
    fr__swept_pair_make(q->margin + q->tolerance, &of, &pair);
    double radius = of.course_a.radius < of.course_b.radius ? of.course_a.radius : of.course_b.radius;
    double ahead = known->steps * fr__clearance_way(&of), least = LEAST_PART * radius;
    if (ahead > least && known->age < WORTH_AGE) { return; }
    double distance = pair.distance + 3.0 * fr__clearance_rounding(&of) + (ahead > least ? ahead : least);
    bool is_proven = are_apart(&pair, distance, &q->collide->workers[worker]);
    known->clearance = is_proven ? distance - fr__clearance_rounding(&of) : -1.0;
    if (is_proven) {
        known->pose_a = of.course_a.end_pose;
        known->pose_b = of.course_b.end_pose;
        known->steps = 2.0 * known->steps < MOST_STEPS ? 2.0 * known->steps : MOST_STEPS;
        known->patience = FIRST_PATIENCE;
    } else {
        known->steps = 0.5 * known->steps > LEAST_STEPS ? 0.5 * known->steps : LEAST_STEPS;
        known->wait = known->patience;
        known->patience = 2 * known->patience < MOST_PATIENCE ? 2 * known->patience : MOST_PATIENCE;
    }
}

static void prove_some(size_t begin, size_t end, int worker, void *context) {
    fr__question *q = context;
    for (size_t i = begin; i < end && !fr__question_ended(q, worker); i++) {
        const fr__clearance *known = &q->clearances[i];
        if (!known->is_met && known->wait == 0 && known->nodes >= WORTH_NODES) { prove(q, (uint32_t)i, worker); }
    }
}

void fr__clearances_prove(fr__question *q, const fr_tasks *tasks) {
    if (q->clearances == NULL) { return; }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, q->parts_count, 64, prove_some, q);
}
