// A proof is a walk of the two trees at the end of the step, of boxes grown by the distance to be proven. At a later
// step no point of a part is farther from where it was then than the poses are apart, and what it moves during the
// step; where both together are less than what was proven, less the distance that counts and all rounding, nothing can
// meet. Nothing is assumed about how the objects came to where they are.
#include "collide/clearance.h"

#include "collide/slices.h"
#include "collide/walk_memory.h"
#include "shape/tree.h"

// Walks of fewer pairs of nodes are not worth a proof.
enum { WORTH_NODES = 4 };

// A proof reaches this many steps ahead: twice as many after a success, half as many after a failure.
#define FIRST_STEPS 8.0
#define LEAST_STEPS 2.0
#define MOST_STEPS 64.0

// And no less than this part of the smaller part's radius, so that what hardly moves is proven for long.
#define MIN_PART 0x1p-7

// After a proof that fails so many queries go by, each time twice as many.
enum { FIRST_PATIENCE = 4, MOST_PATIENCE = 64 };

// Of what moves fast, only parts that have been near for so many queries are worth a proof.
enum { WORTH_AGE = 4 };

// ---------------------------------------------------------------------------------------------------------------
// What is known

static int compare(const fr__clearance *a, const fr__part_pair *b) {
    uint32_t x[4] = {a->object_a, a->object_b, a->part_a, a->part_b};
    uint32_t y[4] = {b->object_a, b->object_b, b->part_a, b->part_b};
    for (int i = 0; i < 4; i++) {
        if (x[i] != y[i]) { return x[i] < y[i] ? -1 : 1; }
    }
    return 0;
}

static fr__clearance nothing_known(const fr__part_pair *part_pair, uint32_t generation_a, uint32_t generation_b) {
    fr__clearance c = {.object_a = part_pair->object_a,
                       .object_b = part_pair->object_b,
                       .part_a = part_pair->part_a,
                       .part_b = part_pair->part_b,
                       .generation_a = generation_a,
                       .generation_b = generation_b,
                       .clearance = -1.0,
                       .steps = FIRST_STEPS,
                       .patience = FIRST_PATIENCE};
    return c;
}

// Both lists are sorted. An object that was removed has a new generation where another one stands.
bool fr__clearances_begin(fr__run *run) {
    fr_collide *scratch = run->scratch;
    fr__clearance_array before = scratch->clearances;
    scratch->clearances = scratch->clearances_before;
    if (scratch->clearances_space != run->query.space->number) { before.count = 0; }
    scratch->clearances_before = before;
    scratch->clearances_space = run->query.space->number;
    scratch->clearances.count = 0;
    if (!fr__clearance_array_reserve(&scratch->clearances_before, run->plan.part_pair_count)) { return false; }
    fr__clearance *now = fr__clearance_array_push(&scratch->clearances, run->plan.part_pair_count);
    if (now == NULL) { return false; }
    size_t known = scratch->clearances_before.count;
    const fr__clearance *old = scratch->clearances_before.data, *end = known > 0 ? old + known : old;
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        const fr__part_pair *part_pair = &run->plan.part_pairs[i];
        uint32_t a = fr__places_generation(&run->query.space->object_places, part_pair->object_a);
        uint32_t b = fr__places_generation(&run->query.space->object_places, part_pair->object_b);
        while (old != end && compare(old, part_pair) < 0) {
            old++;
        }
        bool is_known = old != end && compare(old, part_pair) == 0 && old->generation_a == a && old->generation_b == b;
        now[i] = is_known ? *old : nothing_known(part_pair, a, b);
        now[i].is_met = true;
        if (now[i].wait > 0) { now[i].wait--; }
        if (now[i].age < WORTH_AGE) { now[i].age++; }
    }
    run->plan.clearances = now;
    return true;
}

// Vertices that deform, and faces of one part, are never proven apart.
static bool can_be_known(const fr__pair_geometry *geometry) {
    bool is_self = geometry->a.object == geometry->b.object && geometry->a.part == geometry->b.part;
    return !is_self && !geometry->a.is_deformed && !geometry->b.is_deformed;
}

// A point that turns by an angle on a circle is displaced by no more than the angle, and no more than 2, times the
// radius.
double fr__clearance_travel(const fr__pair_geometry *geometry) {
    const fr__course *a = &geometry->course_a, *b = &geometry->course_b;
    double turn_a = a->axis.angle < 2.0 ? a->axis.angle : 2.0, turn_b = b->axis.angle < 2.0 ? b->axis.angle : 2.0;
    double travel =
        fr_vec3_distance(a->travel, b->travel) + turn_a * (a->arm + a->radius) + turn_b * (b->arm + b->radius);
    return (travel + a->end_gap + b->end_gap) * (1.0 + 0x1p-40);
}

double fr__clearance_rounding(const fr__pair_geometry *geometry) {
    return 2.0 * (geometry->course_a.rounding + geometry->course_b.rounding);
}

static bool holds(const fr__run *run, const fr__swept_pair *pair) {
    const fr__pair_geometry *geometry = pair->geometry;
    const fr__clearance *known = run->plan.clearances != NULL ? &run->plan.clearances[geometry->part_pair] : NULL;
    if (known == NULL || known->clearance < 0.0 || !can_be_known(geometry)) { return false; }
    double need = pair->distance + fr__clearance_rounding(geometry) + fr__clearance_travel(geometry);
    if (need > known->clearance) { return false; }
    need += fr__pose_gap(&known->pose_a, &geometry->course_a.start, geometry->a.ball_center, geometry->a.ball_radius);
    need += fr__pose_gap(&known->pose_b, &geometry->course_b.start, geometry->b.ball_center, geometry->b.ball_radius);
    return need <= known->clearance;
}

bool fr__clearance_skips(const fr__run *run, const fr__swept_pair *pair, int worker) {
    bool is_known = holds(run, pair);
    run->scratch->workers[worker].skipped += is_known;
    return is_known;
}

void fr__clearance_report(const fr__run *run, uint32_t part_pair, uint64_t nodes) {
    if (run->plan.clearances == NULL) { return; }
    run->plan.clearances[part_pair].is_met = false;
    run->plan.clearances[part_pair].nodes = nodes;
}

// ---------------------------------------------------------------------------------------------------------------
// Proving

static bool end_walk(fr__swept_walk *walk, fr__swept_candidate *candidates, uint32_t count) {
    (void)walk, (void)candidates, (void)count;
    return false;
}

// Whether no faces of the two parts are within `distance` at the end of the step.
static bool are_apart(const fr__swept_pair *pair, double distance, fr__worker *worker) {
    fr__swept_pair wide = *pair;
    wide.distance = distance;
    fr__swept_relation relation = fr__swept_pair_relate_end(&wide);
    fr__swept_walk walk = {.a = &pair->geometry->a, .b = &pair->geometry->b, .relation = &relation, .found = end_walk};
    walk.at_once = true;
    walk.limit = 1.0f;
    const fr__node_pair roots = {0, 0, FR_NONE, FR_NONE};
    fr__walk_memory_use(&walk, worker);
    bool is_proven = fr__swept_kernel()->walk(&walk, roots);
    worker->nodes += walk.nodes;
    return is_proven;
}

static void prove(const fr__run *run, uint32_t part_pair, int worker) {
    fr__clearance *known = &run->plan.clearances[part_pair];
    fr__pair_geometry geometry;
    fr__swept_pair pair;
    fr__run_geometry(run, part_pair, &geometry);
    if (!can_be_known(&geometry)) { return; }
    fr__swept_pair_make(run->query.margin + run->query.tolerance, &geometry, &pair);
    double radius =
        geometry.course_a.radius < geometry.course_b.radius ? geometry.course_a.radius : geometry.course_b.radius;
    double ahead = known->steps * fr__clearance_travel(&geometry), least = MIN_PART * radius;
    if (ahead > least && known->age < WORTH_AGE) { return; }
    double distance = pair.distance + 3.0 * fr__clearance_rounding(&geometry) + (ahead > least ? ahead : least);
    bool is_proven = are_apart(&pair, distance, &run->scratch->workers[worker]);
    known->clearance = is_proven ? distance - fr__clearance_rounding(&geometry) : -1.0;
    if (is_proven) {
        known->pose_a = geometry.course_a.end_pose;
        known->pose_b = geometry.course_b.end_pose;
        known->steps = 2.0 * known->steps < MOST_STEPS ? 2.0 * known->steps : MOST_STEPS;
        known->patience = FIRST_PATIENCE;
    } else {
        known->steps = 0.5 * known->steps > LEAST_STEPS ? 0.5 * known->steps : LEAST_STEPS;
        known->wait = known->patience;
        known->patience = 2 * known->patience < MOST_PATIENCE ? 2 * known->patience : MOST_PATIENCE;
    }
}

static void prove_some(size_t begin, size_t end, int worker, void *context) {
    fr__run *run = context;
    for (size_t i = begin; i < end && !fr__run_has_ended(run, worker); i++) {
        const fr__clearance *known = &run->plan.clearances[i];
        if (!known->is_met && known->wait == 0 && known->nodes >= WORTH_NODES) { prove(run, (uint32_t)i, worker); }
    }
}

void fr__clearances_prove(fr__run *run, const fr_tasks *tasks) {
    if (run->plan.clearances == NULL) { return; }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, run->plan.part_pair_count, 64, prove_some, run);
}
