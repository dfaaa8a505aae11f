// Clashes of parts at rest: the colliding faces of all parts, and for each pair of parts its kind, region and depth.
#include "clash/finder.h"
#include "clash/solid.h"
#include "clash/twins.h"
#include "fureai/base_order.h"
#include "world/pose_compare.h"

#include <stdatomic.h>

#define CLASH_INPUT_COOKIE 0x434c4153u

// Ends of pieces of a contact region are one point within this fraction of the parts' size.
#define WELD_FRACTION 1e-9

// Clashes are described in batches of this many, so that progress can be reported between them.
#define BATCH_COUNT 256

fr_clash_input fr_default_clash_input(void) { return (fr_clash_input){.cookie = CLASH_INPUT_COOKIE}; }

// ---------------------------------------------------------------------------------------------------------------
// Work shared by workers

typedef struct rest_work {
    fr_clash_finder *finder;
    const fr__rest_query *query;
    const fr_collide_output *found;
    const size_t *cut;      // one a rank and the end: which clashes it describes
    size_t first, end;      // those of this rank
    size_t begin;           // of the batch
    atomic_bool is_stopped; // the control said so: only the calling thread, worker 0, may ask it
} rest_work;

// The control of one worker: worker 0 checks the caller's, the others its flag.
typedef struct worker_control {
    rest_work *work;
    int worker;
} worker_control;

static bool wants_stop(void *user) {
    const worker_control *a = user;
    if (a->worker == 0 && fr_control_is_stopped(a->work->query->control)) { atomic_store(&a->work->is_stopped, true); }
    return atomic_load(&a->work->is_stopped);
}

static const fr__rest_part *part_of(const rest_work *w, uint32_t part) { return w->finder->placed.data + part; }

static fr__clash_solid *solid_of(const rest_work *w, uint32_t part) {
    return w->finder->solids.data + part_of(w, part)->solid;
}

static fr_status first_failure(fr_status status, fr_error *error) {
    return fr_error_set(error, status, "%s", status == FR_ERROR_STOPPED ? "stopped" : fr_status_text(status));
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 1: the meshes of parts that clash are examined, once each

typedef struct mesh_user {
    const fr_mesh *mesh;
    uint32_t part;
} mesh_user;

static bool user_is_before(const mesh_user *a, const mesh_user *b) {
    return a->mesh != b->mesh ? (uintptr_t)a->mesh < (uintptr_t)b->mesh : a->part < b->part;
}
FR_SORT_TYPE(sort_users, mesh_user, user_is_before);

// Gives each mesh a solid, and each part the number of its mesh's.
static fr_status list_solids(fr_clash_finder *finder, fr_error *error) {
    fr__rest_part *parts = finder->placed.data;
    size_t count = finder->placed.count;
    mesh_user *users = fr_allocate(&finder->allocator, count + 1, sizeof *users, 16);
    bool is_done = users != NULL;
    for (size_t i = 0; is_done && i < count; i++) {
        users[i] = (mesh_user){parts[i].mesh, (uint32_t)i};
    }
    if (is_done) { sort_users(users, count); }
    for (size_t i = 0; is_done && i < count; i++) {
        if (i == 0 || users[i].mesh != users[i - 1].mesh) {
            fr__clash_solid *solid = fr__clash_solid_array_push(&finder->solids, 1);
            is_done = solid != NULL;
            if (!is_done) { break; }
            *solid = (fr__clash_solid){.mesh = users[i].mesh, .corners = fr__vec3_array_make(&finder->allocator)};
        }
        parts[users[i].part].solid = (uint32_t)finder->solids.count - 1;
    }
    fr_deallocate(&finder->allocator, users, count + 1, sizeof *users);
    return is_done ? FR_OK : fr__clash_no_memory(error);
}

static void examine_range(size_t begin, size_t end, int worker, void *context) {
    rest_work *w = context;
    worker_control a = {w, worker};
    const fr_control control = {.stop = wants_stop, .user = &a};
    for (size_t i = begin; i < end; i++) {
        fr__clash_solid *solid = w->finder->solids.data + i;
        if (!solid->is_clashing) { continue; }
        if (wants_stop(&a)) {
            solid->status = FR_ERROR_STOPPED;
        } else {
            fr__solid_examine(solid, &control, &w->finder->allocator);
        }
    }
}

// Only parts in one another need to know what is inside.
static bool needs_solids(const fr_clash *c) { return c->kind == FR_CLASH_PIERCING || c->kind == FR_CLASH_ENCLOSED; }

static fr_status examine_all(rest_work *w, fr_error *error) {
    fr_status status = list_solids(w->finder, error);
    if (status != FR_OK) { return status; }
    const fr_clash *clashes = w->finder->clashes.data;
    for (size_t i = w->first; i < w->end; i++) {
        if (!needs_solids(&clashes[i])) { continue; }
        solid_of(w, clashes[i].a)->is_clashing = true;
        solid_of(w, clashes[i].b)->is_clashing = true;
    }
    size_t count = w->finder->solids.count;
    const fr__clash_solid *solids = w->finder->solids.data;
    fr__share_note(&w->finder->share, true);
    fr_tasks_run(w->query->tasks, FR_SCHEDULE_DYNAMIC, count, 1, examine_range, w);
    fr__share_note(&w->finder->share, false);
    for (size_t i = 0; i < count; i++) {
        if (solids[i].status != FR_OK) { return first_failure(solids[i].status, error); }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Stage 2: clashes are described

// Collects what the triangles share.
static fr_status collect_pieces(const rest_work *w, const fr_clash *c, fr__contact_pieces *pieces) {
    const fr_face_pair *pairs = w->found->pairs;
    for (size_t i = c->first; i < c->first + c->count; i++) {
        fr_vec3 a[3], b[3];
        fr__placed_corners(part_of(w, c->a), pairs[i].triangle_a, a);
        fr__placed_corners(part_of(w, c->b), pairs[i].triangle_b, b);
        fr_section section;
        if (!fr_triangle_section(a, b, &section)) { continue; }
        if (!fr__contact_pieces_add(pieces, &section)) { return FR_ERROR_MEMORY; }
    }
    return FR_OK;
}

static fr_status find_region(const rest_work *w, fr_clash *c, fr__contact_lines *lines) {
    fr__contact_pieces pieces = fr__contact_pieces_make(&w->finder->allocator);
    fr_status status = collect_pieces(w, c, &pieces);
    if (status == FR_OK) {
        double weld = WELD_FRACTION * (fr__placed_size(part_of(w, c->a)) + fr__placed_size(part_of(w, c->b)));
        status = fr__contact_lines_join(lines, &pieces, weld > 0.0 ? weld : 1e-30);
    }
    fr__contact_pieces_free(&pieces);
    c->region = fr__contact_lines_view(lines);
    return status;
}

static size_t count_shared(const fr_face_pair *pairs, size_t first, size_t count) {
    size_t shared = 0;
    for (size_t i = first; i < first + count; i++) {
        shared += (pairs[i].flags & FR_CONTACT_NEAR) == 0;
    }
    return shared;
}

static fr_clash_kind kind_of(fr_relation relation) {
    switch (relation) {
    case FR_RELATION_CROSSING: return FR_CLASH_PIERCING;
    case FR_RELATION_A_INSIDE:
    case FR_RELATION_B_INSIDE: return FR_CLASH_ENCLOSED;
    default: return FR_CLASH_TOUCHING;
    }
}

// The least distance of a pair whose surfaces do not meet, within the tolerance or the clearance.
static double distance_of(const rest_work *w, const fr_clash *c) {
    const fr_face_pair *pairs = w->found->pairs;
    double least = (double)INFINITY;
    for (size_t i = c->first; i < c->first + c->count; i++) {
        fr_vec3 a[3], b[3];
        fr__placed_corners(part_of(w, c->a), pairs[i].triangle_a, a);
        fr__placed_corners(part_of(w, c->b), pairs[i].triangle_b, b);
        double distance = fr_triangle_distance(a, b, NULL, NULL);
        least = distance < least ? distance : least;
    }
    return isinf(least) ? FR_UNKNOWN : least;
}

static void measure_range(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    const rest_work *w = context;
    const fr_clash *clashes = w->finder->clashes.data;
    double *out = w->finder->distances.data;
    for (size_t i = begin; i < end; i++) {
        const fr_clash *c = &clashes[i];
        out[i] = c->shared_count > 0 ? 0.0 : distance_of(w, c);
    }
}

// Decides which parts that do not meet touch within the tolerance, and which are only within the clearance; drops
// those that are farther apart than theirs.
static fr_status judge_distances(rest_work *w, fr_error *error) {
    fr_clash_finder *finder = w->finder;
    size_t count = finder->clashes.count, kept = 0;
    double *distances = fr_double_array_reset(&finder->distances, count);
    if (distances == NULL) { return fr__clash_no_memory(error); }
    if (!fr__share_array(&finder->share, w->query->tasks, distances, sizeof *distances, count, 1, measure_range, w)) {
        return fr__share_error(&finder->share, error);
    }
    fr_clash *list = finder->clashes.data;
    for (size_t i = 0; i < count; i++) {
        fr_clash c = list[i];
        c.distance = distances[i];
        if (c.kind == FR_CLASH_TOUCHING && c.distance > w->query->tolerance) {
            if (c.distance > fr__clash_rules_clearance(w->query->rules, c.a, c.b)) { continue; }
            c.kind = FR_CLASH_CLEARANCE;
        }
        list[kept++] = c;
    }
    finder->clashes.count = kept;
    return FR_OK;
}

// Lists the pairs that were found, with the kind that their surfaces say.
static fr_status list_clashes(rest_work *w, fr_error *error) {
    fr_clash_finder *finder = w->finder;
    size_t count = w->found->object_pair_count;
    fr_clash *list = fr__clash_array_push(&finder->clashes, count);
    if (list == NULL) { return fr__clash_no_memory(error); }
    for (size_t i = 0; i < count; i++) {
        const fr_object_pair *pair = &w->found->object_pairs[i];
        list[i] = (fr_clash){.a = pair->a,
                             .b = pair->b,
                             .kind = kind_of(pair->relation),
                             .shared_count = count_shared(w->found->pairs, pair->first, pair->count),
                             .depth = FR_UNKNOWN,
                             .first = pair->first,
                             .count = pair->count};
    }
    return judge_distances(w, error);
}

static fr_status describe(const rest_work *w, size_t i, const fr_control *control) {
    fr_clash *c = w->finder->clashes.data + i;
    const fr__rest_part *a = part_of(w, c->a), *b = part_of(w, c->b);
    const fr__clash_solid *solid_a = solid_of(w, c->a), *solid_b = solid_of(w, c->b);
    fr_status status = find_region(w, c, w->finder->lines.data + i);
    if (status != FR_OK || !needs_solids(c)) { return status; }

    fr__entry entry = {.depth = FR_UNKNOWN};
    if (solid_b->is_closed) { status = fr__solid_depth(solid_a, a, b, control, &entry); }
    if (solid_a->is_closed && status == FR_OK) { status = fr__solid_depth(solid_b, b, a, control, &entry); }
    c->depth = entry.depth;
    if (c->kind == FR_CLASH_PIERCING && entry.has_corner) {
        c->kind = c->depth <= w->query->tolerance ? FR_CLASH_TOUCHING : FR_CLASH_PROTRUSION;
    }
    return status;
}

static void describe_range(size_t begin, size_t end, int worker, void *context) {
    rest_work *w = context;
    worker_control a = {w, worker};
    const fr_control control = {.stop = wants_stop, .user = &a};
    fr_status *results = w->finder->results.data;
    for (size_t i = w->begin + begin; i < w->begin + end; i++) {
        results[i] = wants_stop(&a) ? FR_ERROR_STOPPED : describe(w, i, &control);
    }
}

static fr_status describe_all(rest_work *w, fr_error *error) {
    fr_clash_finder *finder = w->finder;
    size_t count = finder->clashes.count;
    fr__contact_lines *lines = fr__contact_lines_array_push(&finder->lines, count);
    if (lines == NULL) { return fr__clash_no_memory(error); }
    for (size_t i = 0; i < count; i++) {
        lines[i] = fr__contact_lines_make(&finder->allocator);
    }
    fr_status *results = fr__status_array_push(&finder->results, count);
    if (results == NULL) { return fr__clash_no_memory(error); }
    for (w->begin = w->first; w->begin < w->end; w->begin += BATCH_COUNT) {
        if (fr_control_is_stopped(w->query->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        fr_control_progress(w->query->control, (double)(w->begin - w->first) / (double)(w->end - w->first), "clashes");
        size_t left = w->end - w->begin;
        fr__share_note(&finder->share, true);
        fr_tasks_run(w->query->tasks, FR_SCHEDULE_DYNAMIC, left < BATCH_COUNT ? left : BATCH_COUNT, 1, describe_range,
                     w);
        fr__share_note(&finder->share, false);
    }
    for (size_t i = w->first; i < w->end; i++) {
        if (results[i] != FR_OK) { return first_failure(results[i], error); }
    }
    return fr__rest_gather(finder, w->cut, error);
}

// Cuts the clashes, which are sorted, into a stretch for each rank, so that the ranks have about the same number of
// pairs of triangles to look at, and of triangles of solids to prepare. Neighbours in the list share a part.
static void cut_clashes(rest_work *w, size_t *cut) {
    const fr_exchange *exchange = w->finder->share.exchange;
    size_t count = w->finder->clashes.count, ranks = exchange != NULL ? exchange->rank_count : 1;
    const fr_clash *clashes = w->finder->clashes.data;
    double total = 0.0, sum = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        size_t rank = 0;
        for (size_t i = 0; i < count; i++) {
            const fr_clash *c = &clashes[i];
            double weight = 1.0 + (double)c->count;
            for (int k = 0; k < 2 && needs_solids(c); k++) {
                weight += 0.125 * fr_mesh_get(part_of(w, k == 0 ? c->a : c->b)->mesh)->triangle_count;
            }
            total += pass == 0 ? weight : 0.0;
            while (pass == 1 && rank < ranks && sum * (double)ranks >= total * (double)rank) {
                cut[rank++] = i;
            }
            sum += pass == 1 ? weight : 0.0;
        }
        for (; rank <= ranks; rank++) {
            cut[rank] = count;
        }
    }
    size_t own = exchange != NULL ? exchange->rank : 0;
    w->cut = cut;
    w->first = cut[own];
    w->end = cut[own + 1];
}

// ---------------------------------------------------------------------------------------------------------------
// All parts

void fr__rest_clear(fr_clash_finder *finder) {
    fr_space_destroy(finder->space);
    finder->space = NULL;
    const fr__rest_part *parts = finder->placed.data;
    for (size_t i = 0; i < finder->placed.count; i++) {
        fr_mesh_release(parts[i].mesh);
    }
    fr__clash_solid *solids = finder->solids.data;
    for (size_t i = 0; i < finder->solids.count; i++) {
        fr__vec3_array_destroy(&solids[i].corners);
    }
    fr__contact_lines *lines = finder->lines.data;
    for (size_t i = 0; i < finder->lines.count; i++) {
        fr__contact_lines_free(&lines[i]);
    }
    finder->placed.count = finder->solids.count = finder->lines.count = 0;
    finder->clashes.count = finder->results.count = 0;
    finder->kept_pairs.count = finder->kept_points.count = 0;
    finder->kept_lines.count = finder->kept_regions.count = 0;
}

fr_status fr__rest_add_part(fr_clash_finder *finder, fr_mesh *mesh, const fr_pose *pose, fr_error *error) {
    const fr_pose here = fr_pose_identity();
    fr_pose checked = *pose;
    fr_status status = fr_pose_check(&checked, error);
    if (status != FR_OK) { return status; }
    fr__rest_part *part = fr__rest_part_array_push(&finder->placed, 1);
    if (part == NULL) { return fr__clash_no_memory(error); }
    *part = (fr__rest_part){.mesh = fr_mesh_retain(mesh),
                            .pose = checked,
                            .is_placed = !fr__pose_equal(&checked, &here),
                            .is_current = true,
                            .triangle_count = fr_mesh_get(mesh)->triangle_count,
                            .solid = FR_NONE,
                            .twin = FR_NONE};
    return FR_OK;
}

static fr_status make_space(fr_clash_finder *finder, const fr_tasks *tasks, fr_error *error) {
    fr_space_def def = fr_default_space_def();
    def.allocator = finder->allocator;
    fr_status status = fr_space_create(&def, &finder->space, error);
    const fr__rest_part *parts = finder->placed.data;
    for (size_t i = 0; status == FR_OK && i < finder->placed.count; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = parts[i].mesh;
        fr_object_def object = fr_default_object_def();
        object.parts = &part;
        object.part_count = 1;
        object.pose = parts[i].pose;
        fr_object_id id;
        status = fr_object_add(finder->space, &object, &id, error);
        FR_ASSERT(status != FR_OK || id.index1 == i + 1);
    }
    return status == FR_OK ? fr_space_update(finder->space, tasks, error) : status;
}

// Surfaces of twins lie on one another everywhere: a list of all that meets says nothing and takes minutes.
typedef struct pair_filter {
    const fr__rest_part *parts;
    const fr__rest_query *query;
} pair_filter;

static bool is_compared(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space;
    const pair_filter *f = context;
    const fr__rest_part *p = &f->parts[a.index1 - 1], *q = &f->parts[b.index1 - 1];
    if (p->twin == q->twin || (!p->is_current && !q->is_current)) { return false; }
    if (p->is_current && q->is_current) { return fr__clash_rules_allow(f->query->rules, a.index1 - 1, b.index1 - 1); }
    const fr__rest_part *current = p->is_current ? p : q, *other = p->is_current ? q : p;
    return other->rank < current->rank && fr__clash_rules_allow(f->query->rules, a.index1 - 1, b.index1 - 1);
}

// The pairs of triangles of all parts that meet.
static fr_status collide_parts(fr_clash_finder *finder, const fr__rest_query *query, fr_collide_output *found,
                               fr_error *error) {
    fr_collide_input input = fr_default_collide_input();
    input.space = finder->space;
    input.want = FR_WANT_PAIRS;
    input.margin = fmax(query->tolerance, fr__clash_rules_max_clearance(query->rules));
    input.tasks = query->tasks;
    input.control = query->control;
    input.exchange = query->exchange;
    pair_filter filter = {finder->placed.data, query};
    input.filter = is_compared;
    input.filter_context = &filter;
    input.is_containment_wanted = true;
    return fr_collide_static(finder->collide, &input, found, error);
}

static fr_status describe_found(fr_clash_finder *finder, const fr__rest_query *query, const fr_collide_output *found,
                                fr_error *error) {
    if (found->is_partial) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
    size_t ranks = query->exchange != NULL ? query->exchange->rank_count : 1;
    size_t *cut = fr_allocate(&finder->allocator, ranks + 1, sizeof *cut, 16);
    if (cut == NULL) { return fr__clash_no_memory(error); }
    rest_work w = {.finder = finder, .query = query, .found = found};
    fr_status status = list_clashes(&w, error);
    if (status == FR_OK) {
        cut_clashes(&w, cut);
        status = examine_all(&w, error);
    }
    if (status == FR_OK) { status = describe_all(&w, error); }
    fr_deallocate(&finder->allocator, cut, ranks + 1, sizeof *cut);
    return status;
}

// Where it fails on this rank the others learn it: from the collision query, or here.
fr_status fr__rest_meet(fr_clash_finder *finder, const fr__rest_query *query, fr_collide_output *found,
                        fr_error *error) {
    fr_status status = make_space(finder, query->tasks, error);
    if (status == FR_OK) {
        status = collide_parts(finder, query, found, error);
        if (status != FR_OK) { return status; }
        status = describe_found(finder, query, found, error);
    }
    if (status != FR_OK) { fr__share_fail(&finder->share, status); }
    return status;
}

static bool clash_is_before(const fr_clash *a, const fr_clash *b) { return a->a != b->a ? a->a < b->a : a->b < b->b; }
FR_SORT_TYPE(sort_clashes, fr_clash, clash_is_before);

fr_status fr__rest_end(fr_clash_finder *finder, const fr__rest_query *query, fr_clash_output *output, fr_error *error) {
    const fr__rest_part *parts = finder->placed.data;
    for (uint32_t i = 0; i < finder->placed.count; i++) {
        if (parts[i].twin == i || !fr__clash_rules_allow(query->rules, parts[i].twin, i)) { continue; }
        fr_clash *c = fr__clash_array_push(&finder->clashes, 1);
        if (c == NULL) { return fr__clash_no_memory(error); }
        *c = (fr_clash){.a = parts[i].twin,
                        .b = i,
                        .kind = FR_CLASH_DUPLICATE,
                        .shared_count = parts[i].triangle_count,
                        .depth = FR_UNKNOWN};
    }
    sort_clashes(finder->clashes.data, finder->clashes.count);
    fr_status status = fr__group_clashes(finder, query->names, error);
    if (status != FR_OK) { return status; }
    output->clashes = finder->clashes.data;
    output->count = finder->clashes.count;
    output->groups = finder->groups.data;
    output->group_count = finder->groups.count;
    return FR_OK;
}

fr_status fr__rest_find(fr_clash_finder *finder, const fr__rest_query *query, fr_clash_output *output,
                        fr_error *error) {
    fr_status status =
        fr__find_twins(finder->placed.data, finder->placed.count, query->tasks, query->control, &finder->allocator);
    if (status != FR_OK) {
        fr__share_fail(&finder->share, status);
        return first_failure(status, error);
    }
    fr_collide_output found;
    status = fr__rest_meet(finder, query, &found, error);
    if (status != FR_OK) { return status; }
    fr_clash_output whole = {.pairs = found.pairs, .pair_count = found.pair_count};
    status = fr__rest_end(finder, query, &whole, error);
    if (status != FR_OK) {
        fr__share_fail(&finder->share, status);
        return status;
    }
    *output = whole;
    return FR_OK;
}

static fr_status find_of_parts(fr_clash_finder *finder, const fr_clash_input *input, fr_clash_output *output,
                               fr_error *error) {
    fr_status status = FR_OK;
    for (size_t i = 0; i < input->part_count && status == FR_OK; i++) {
        const fr_clash_part *part = &input->parts[i];
        status = part->mesh != NULL ? fr__rest_add_part(finder, part->mesh, &part->pose, error)
                                    : fr_error_set(error, FR_ERROR_ARGUMENT, "a part has no mesh");
    }
    fr__clash_rules rules;
    if (status == FR_OK) { status = fr__clash_rules_make(input, &finder->matches, &rules, error); }
    if (status != FR_OK) {
        fr__share_fail(&finder->share, status);
        return status;
    }
    const fr__rest_query query = {input->tolerance, &rules,         input->names,
                                  input->tasks,     input->control, input->exchange};
    return fr__rest_find(finder, &query, output, error);
}

fr_status fr_clash_find(fr_clash_finder *finder, const fr_clash_input *input, fr_clash_output *output,
                        fr_error *error) {
    FR_ASSERT(finder != NULL && input != NULL && output != NULL);
    *output = (fr_clash_output){0};
    if (input->cookie != CLASH_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_clash_input"); }
    if (input->parts == NULL && input->part_count > 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the parts are missing");
    }
    fr_status status = fr__clash_check_tolerance(input->tolerance, error);
    if (status == FR_OK) { status = fr__share_check(input->exchange, error); }
    fr__rest_clear(finder);
    if (status != FR_OK) { return status; }
    const double lengths[2] = {input->tolerance, input->clearance};
    fr__share_begin(&finder->share, input->exchange, fr_hash(lengths, sizeof lengths, input->part_count));
    status = find_of_parts(finder, input, output, error);
    finder->share.exchange = NULL; // of this query alone
    return status;
}
