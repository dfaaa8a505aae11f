// What a geometry would touch on its motion: the first contacts of its parts with those of the objects whose boxes it
// sweeps over, by the same slices, walks and judge as a query over a step. Nothing is remembered, so a pair that two
// slices share may be judged twice; the judge decides the same both times.
#include "collide/move.h"

#include "collide/part_pairs.h"
#include "collide/slices.h"
#include "collide/step_contact.h"
#include "collide/step_judge.h"
#include "fureai/base_order.h"
#include "space/broad_phase.h"
#include "space/filter.h"

#include <string.h>

#define MOVE_COOKIE 0x4d4f5645u
#define MEET_COOKIE 0x4d454554u

fr_move_input fr_default_move_input(void) {
    fr_move_input input;
    memset(&input, 0, sizeof input);
    input.motion.start = fr_pose_identity();
    input.tolerance = 1e-6;
    input.cookie = MOVE_COOKIE;
    return input;
}

static fr_status check_distances(double margin, double tolerance, fr_error *error) {
    if (margin >= 0.0 && margin <= FR_LENGTH_MAX && tolerance >= 0.0 && tolerance <= FR_LENGTH_MAX) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "margin or tolerance is not in 0 .. 2^300");
}

static fr_status check_input(const fr_move_input *input, fr_motion *motion, fr_error *error) {
    if (input->cookie != MOVE_COOKIE) { return fr_error_set_cookie(error, "fr_default_move_input"); }
    if (input->space == NULL || input->parts == NULL || input->part_count == 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the input names no space or no parts");
    }
    fr_status checked = check_distances(input->margin, input->tolerance, error);
    if (checked != FR_OK) { return checked; }
    for (uint32_t i = 0; i < input->part_count; i++) {
        fr_pose pose = input->parts[i].pose;
        if (input->parts[i].mesh == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "part %u has no mesh", i); }
        fr_status status = fr_pose_check(&pose, error);
        if (status != FR_OK) { return status; }
    }
    return fr_motion_check(motion, error);
}

// ---------------------------------------------------------------------------------------------------------------
// What was found

typedef struct moving {
    const fr_move_input *input;
    fr_move_output *output;
    fr_object_id mover;   // id of the geometry where it is an object; else all zeros
    fr_object_view view;  // of the geometry, as if it were an object
    fr__pair_geometry of; // the two parts that are looked at
    fr__slice slice;
    uint32_t part, first_triangle; // of the geometry
    uint32_t few_count;            // of pairs that a walk left
    double limit;                  // later contacts are not wanted
    double min_left_out;           // time of the earliest contact there was no room for
    double apart;                  // margin and tolerance
    bool ends_at_start;            // a contact at the beginning ends the search
    fr__near_list *near;           // may be NULL
    fr__move_memory *memory;
    fr__near_faces_fn *visit; // of faces that are near at the beginning; NULL: contacts are looked for
    void *visit_context;      //
    fr__near_cache *visited;  //
    bool is_stopped;          // by what visits
    uint32_t worst_part;      // of the geometry
    uint64_t worst_nodes;     //
} moving;

// By time; of equals by object, part and triangles.
static bool comes_before(const fr_contact *x, const fr_contact *y) {
    if (x->time != y->time) { return x->time < y->time; }
    if (x->b.index1 != y->b.index1) { return x->b.index1 < y->b.index1; }
    if (x->triangle_a != y->triangle_a) { return x->triangle_a < y->triangle_a; }
    return x->triangle_b < y->triangle_b;
}

static bool is_same(const fr_contact *x, const fr_contact *y) {
    return x->b.index1 == y->b.index1 && x->triangle_a == y->triangle_a && x->triangle_b == y->triangle_b;
}

// Puts a contact among those that are kept, in order and once.
static void put_contact(moving *m, const fr_contact *contact) {
    fr_move_output *out = m->output;
    if (!out->is_hit || comes_before(contact, &out->first)) { out->first = *contact; }
    out->is_hit = true;
    fr_contact *kept = m->input->contacts;
    uint32_t place = 0, capacity = kept != NULL ? m->input->capacity : 0;
    while (place < out->contact_count && comes_before(&kept[place], contact)) {
        place++;
    }
    if (place < out->contact_count && is_same(&kept[place], contact)) { return; }
    if (out->contact_count == capacity) {
        double left_out = place == capacity ? contact->time : kept[capacity - 1].time;
        if (left_out < m->min_left_out) { m->min_left_out = left_out; }
    }
    if (place == capacity) { return; }
    uint32_t last = out->contact_count < capacity ? out->contact_count++ : capacity - 1;
    memmove(&kept[place + 1], &kept[place], (last - place) * sizeof *kept);
    kept[place] = *contact;
}

static void make_contact(const moving *m, fr__candidate c, const fr_time_output *result, fr_contact *out) {
    const fr__side *a = &m->of.a, *b = &m->of.b;
    memset(out, 0, sizeof *out);
    out->a = m->mover;
    out->b = fr__space_object_id(m->input->space, b->object);
    out->part_a = m->part;
    out->part_b = b->part;
    out->triangle_a = m->first_triangle + c.a;
    out->triangle_b = b->first_triangle + c.b;
    out->face_a = fr_mesh_face(a->mesh, c.a);
    out->face_b = fr_mesh_face(b->mesh, c.b);
    out->flags = (result->flags & ~(uint32_t)FR_TIME_END_CAPPED) | m->of.flags;
    fr__step_measure(&m->of, c, result, out);
}

// ---------------------------------------------------------------------------------------------------------------
// Two parts

static float limit_in_slice(const moving *m) {
    double length = m->slice.t1 - m->slice.t0;
    if (m->limit >= m->slice.t1) { return 1.0f; }
    return length > 0.0 ? fr_float_up((m->limit - m->slice.t0) / length * (1.0 + 0x1p-40)) : 0.0f;
}

static bool has_ended(const moving *m) {
    return m->is_stopped || (m->ends_at_start && m->output->is_hit && m->output->first.time == 0.0);
}

static bool test_first(fr__swept_walk *walk, fr__swept_candidate *candidates, uint32_t count) {
    moving *m = walk->context;
    fr_time_input options = fr_default_time_input();
    options.tolerance = m->input->tolerance;
    options.separation = m->input->margin;
    options.has_ends = true;
    for (uint32_t i = 0; i < count; i++) {
        if (candidates[i].enter > walk->limit) { continue; }
        fr__candidate c = {candidates[i].a, candidates[i].b};
        fr_time_output result;
        options.end = m->limit < 1.0 ? m->limit : 1.0;
        if (!fr__step_time(&m->of, c, false, &options, &result)) { continue; }
        fr_contact contact;
        make_contact(m, c, &result, &contact);
        put_contact(m, &contact);
        if (result.time_sure + FR__FIRST_SPAN < m->limit) { m->limit = result.time_sure + FR__FIRST_SPAN; }
        walk->limit = limit_in_slice(m);
        if (has_ended(m)) { return false; }
    }
    return true;
}

static void note_walk(moving *m, uint64_t nodes) {
    if (m->near == NULL || nodes <= m->worst_nodes) { return; }
    m->near->worst = m->of;
    m->worst_part = m->part;
    m->worst_nodes = nodes;
}

static fr__swept_walk walk_of(moving *m, const fr__swept_relation *relation) {
    fr__swept_walk walk = {.a = &m->of.a, .b = &m->of.b, .relation = relation, .found = test_first, .context = m};
    walk.memory = &m->memory->walk;
    walk.waiting = m->memory->waiting;
    walk.by_time = true;
    walk.limit = limit_in_slice(m);
    return walk;
}

// Keeps pairs for later; false when there are more than are worth it.
static bool put_few(fr__swept_walk *walk, fr__swept_candidate *candidates, uint32_t count) {
    moving *m = walk->context;
    if (m->few_count + count > FR__MOVE_FEW) { return false; }
    memcpy(m->memory->few + m->few_count, candidates, count * sizeof *candidates);
    m->few_count += count;
    return true;
}

static bool enters_before(const fr__swept_candidate *x, const fr__swept_candidate *y) {
    if (x->enter != y->enter) { return x->enter < y->enter; }
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

FR_SORT_TYPE(sort_few, fr__swept_candidate, enters_before);

// Out of line: the sort's memory is not in the frame below a walk.
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void
judge_few(moving *m, fr__swept_walk *walk) {
    sort_few(m->memory->few, m->few_count);
    (void)test_first(walk, m->memory->few, m->few_count);
}

// Walks over the slice, or over so many leaves of the list that is near, in a frame of its own, which the callers
// share. False when `found` ended it.
static bool walk_slice(moving *m, const fr__swept_pair *pair, fr__swept_fn *found, const uint32_t *listed,
                       uint64_t *nodes) {
    fr__swept_relation relation = fr__slice_relate(pair, &m->slice);
    fr__swept_walk walk = walk_of(m, &relation);
    const fr__node_pair roots = {0, 0, FR_NONE, FR_NONE};
    walk.found = found;
    walk.culls_itself = m->visit != NULL;
    if (m->slice.t1 == 0.0) { walk.limit = 1.0f; } // at the beginning alone nothing is later
    bool is_done = listed != NULL ? fr__swept_kernel()->meet(&walk, m->near->active, *listed)
                                  : fr__swept_kernel()->walk(&walk, roots);
    *nodes += walk.nodes;
    if (is_done && found == put_few) { judge_few(m, &walk); }
    return is_done;
}

// Pieces of a motion that are met by a list. The first is the shortest, so that a contact found soon ends it soon.
#define FIRST_PIECE 0x1p-6
#define LAST_PIECE 0.25
#define PIECE_GROWTH 4.0

// Meets as much of the motion as the list reaches; returns up to when.
static double meet_listed(moving *m, const fr__swept_pair *pair) {
    uint64_t nodes = 0;
    double t0 = 0.0, t1 = FIRST_PIECE;
    while (t0 < 1.0 && t0 <= m->limit && !has_ended(m)) {
        uint32_t count;
        if (!fr__near_list_pick(m->near, pair, t0, t1, &count)) { return t0; }
        m->slice = (fr__slice){t0, t1, false};
        (void)walk_slice(m, pair, test_first, &count, &nodes);
        t0 = t1;
        t1 = fmin(fmin(PIECE_GROWTH * t1, t1 + LAST_PIECE), 1.0);
    }
    return 1.0;
}

// A face, made where it is not among those that were visited last.
static fr__near_face *near_face(const fr__side *side, uint32_t triangle, uint32_t first, fr__near_face *faces) {
    fr__near_face *face = &faces[triangle % FR__NEAR_FACES];
    if (face->triangle == first + triangle) { return face; }
    fr_vec3 *corner = face->corner;
    fr__side_corners(side, triangle, corner);
    fr_vec3 ab = fr_vec3_sub(corner[1], corner[0]), bc = fr_vec3_sub(corner[2], corner[1]);
    fr_vec3 ca = fr_vec3_sub(corner[0], corner[2]);
    face->triangle = first + triangle;
    face->mark = 0;
    face->normal = fr_vec3_unit(fr_polygon_area_vector(corner, 3), fr_vec3_make(0.0, 0.0, 0.0));
    face->longest_squared =
        fmax(fmax(fr_vec3_length_squared(ab), fr_vec3_length_squared(bc)), fr_vec3_length_squared(ca));
    return face;
}

static void forget_faces(fr__near_cache *cache) {
    for (int i = 0; i < FR__NEAR_FACES; i++) {
        cache->a[i].triangle = cache->b[i].triangle = FR_NONE;
    }
}

// Reports faces that may be within the margin where the motion begins.
static bool visit_near(fr__swept_walk *walk, fr__swept_candidate *candidates, uint32_t count) {
    moving *m = walk->context;
    const fr__side *a = &m->of.a, *b = &m->of.b;
    fr__near_faces near = {.object = fr__space_object_id(m->input->space, b->object)};
    for (uint32_t i = 0; i < count && !m->is_stopped; i++) {
        near.a = near_face(a, candidates[i].a, m->first_triangle, m->visited->a);
        near.b = near_face(b, candidates[i].b, b->first_triangle, m->visited->b);
        m->is_stopped = !m->visit(&near, m->visit_context);
    }
    return !m->is_stopped;
}

// ---------------------------------------------------------------------------------------------------------------
// What lies along one another: a walk over much of a short motion, which most often leaves few pairs or none

// A motion is short that passes this many faces at most.
#define SHORT_FACES 24.0

// Where too many pairs are left over all of it: halves, and halves of these.
#define SHORT_PIECE 0.25

// False: more pairs are left than are worth the judge, and nothing was judged.
static bool meet_few(moving *m, const fr__swept_pair *pair, double t0, double t1, uint64_t *nodes) {
    m->slice = (fr__slice){t0, t1, false};
    m->few_count = 0;
    return walk_slice(m, pair, put_few, NULL, nodes);
}

// As much of the motion as can be met so; returns up to when.
static double meet_short(moving *m, const fr__swept_pair *pair, uint64_t *nodes) {
    const fr__course *a = &m->of.course_a, *b = &m->of.course_b;
    double face = fmin(a->face_size, b->face_size), t0 = 0.0, t1 = 1.0;
    double speed = fr_vec3_distance(a->travel, b->travel) + a->axis.angle * (a->arm + a->radius) +
                   b->axis.angle * (b->arm + b->radius);
    bool is_near = fr__swept_pair_clip(pair, &t0, &t1) && t0 == 0.0;
    if (!is_near || !(speed <= SHORT_FACES * face)) { return 0.0; }
    for (double length = 1.0; t0 < 1.0 && t0 <= m->limit && !has_ended(m);) {
        if (meet_few(m, pair, t0, t0 + length, nodes)) {
            t0 += length;
        } else if (length > SHORT_PIECE) {
            length *= 0.5;
        } else {
            return t0;
        }
    }
    return 1.0;
}

static void meet_parts(moving *m) {
    fr__swept_pair pair;
    uint64_t nodes = 0;
    fr__swept_pair_make(m->apart, &m->of, &pair);
    if (m->visit != NULL) {
        m->slice = (fr__slice){0.0, 0.0, false};
        forget_faces(m->visited);
        (void)walk_slice(m, &pair, visit_near, NULL, &nodes);
        return;
    }
    fr__slices slices = fr__slices_of(&pair, true);
    if (m->near != NULL && fr__near_list_is_about(m->near, &pair, m->part, m->input->space)) {
        slices.looked_to = meet_listed(m, &pair);
    }
    bool is_served = slices.looked_to > 0.0;
    if (m->near == NULL && !pair.has_end) { slices.looked_to = meet_short(m, &pair, &nodes); }
    if (m->near != NULL) { slices.first = slices.shortest; } // what is held seldom touches anything at the beginning
    while (fr__slices_next(&slices, &m->slice) && m->slice.t0 <= m->limit && !has_ended(m)) {
        (void)walk_slice(m, &pair, test_first, NULL, &nodes);
    }
    if (!is_served) { note_walk(m, nodes); }
}

// ---------------------------------------------------------------------------------------------------------------
// All objects

typedef struct proxy_search {
    moving *m;
    const fr__proxy_set *set;
} proxy_search;

static bool meet_proxy(uint32_t item, void *context) {
    const proxy_search *s = context;
    moving *m = s->m;
    const fr_space *space = m->input->space;
    const fr__proxy *proxy = &fr__set_proxies(s->set)[item];
    if (has_ended(m)) { return false; }
    if (!fr__query_accepts(space, m->input->filter, proxy)) { return true; }
    fr_object_view still = fr__space_object(space, proxy->object)->view;
    if (!m->input->may_others_move) { still.is_moving = false; }
    fr__side_of_part(space, proxy->object, proxy->part, &m->of.b);
    fr__course_make(&still, &m->of.b, &m->of.course_b);
    m->of.flags = (proxy->flags & FR_OBJECT_SENSOR) != 0 ? (uint32_t)FR_CONTACT_SENSOR : 0;
    meet_parts(m);
    return true;
}

// What goes along a motion, as an object.
static fr_object_view view_along(const fr_motion *motion) {
    fr_object_view view;
    memset(&view, 0, sizeof view);
    view.pose = motion->start;
    view.motion = *motion;
    view.next = fr_motion_pose(motion, 1.0);
    view.is_moving = true;
    return view;
}

// The side of a part of an object that stands at the beginning of a motion.
static void side_along(const fr_space *space, fr_object_id id, uint32_t part, const fr_object_view *view,
                       fr__side *side, fr__course *course) {
    fr__side_of_part(space, id.index1 - 1, part, side);
    fr_pose own = side->part_pose;
    fr__side_set_poses(side, &own, &view->pose);
    fr__course_make(view, side, course);
}

// One object alone, which goes along a motion of its own.
static void meet_object(moving *m, const fr__move_options *options) {
    const fr_space *space = m->input->space;
    const fr__object *b = fr__space_object(space, options->object.index1 - 1);
    const fr_object_view view_b = view_along(options->object_motion);
    m->of.flags = (b->view.flags & FR_OBJECT_SENSOR) != 0 ? (uint32_t)FR_CONTACT_SENSOR : 0;
    for (uint32_t i = 0; i < m->input->part_count && !has_ended(m); i++) {
        const fr_part_def *part = &m->input->parts[i];
        m->part = i;
        fr__side_of_mesh(part->mesh, &part->pose, &m->view.pose, &m->of.a);
        fr__course_make(&m->view, &m->of.a, &m->of.course_a);
        for (uint32_t k = 0; k < b->view.part_count && !has_ended(m); k++) {
            side_along(space, options->object, k, &view_b, &m->of.b, &m->of.course_b);
            meet_parts(m);
        }
        m->first_triangle += m->of.a.triangle_count;
    }
}

// The box that a part of the geometry sweeps over, and all that is within reach of the judge.
static fr_box swept_box(const moving *m, double slack) {
    const fr__course *course = &m->of.course_a;
    fr_vec3 center = fr_pose_apply(&m->of.a.part_pose, m->of.a.ball_center);
    double radius = m->of.a.part_pose.scale * m->of.a.ball_radius * (1.0 + 0x1p-40) + 0x1p-40 * course->reach;
    fr_bounds bounds = fr_motion_ball_bounds(&m->view.motion, center, radius, 0.0, 1.0);
    bounds = fr_bounds_grow(&bounds, m->apart + slack + 2.0 * course->rounding + course->end_gap);
    return fr_box_of_bounds(&bounds, m->input->space->origin);
}

static void meet_all(moving *m) {
    const fr_space *space = m->input->space;
    double slack = fr__part_pairs_slack(space);
    for (uint32_t i = 0; i < m->input->part_count; i++) {
        const fr_part_def *part = &m->input->parts[i];
        m->part = i;
        fr__side_of_mesh(part->mesh, &part->pose, &m->view.pose, &m->of.a);
        fr__course_make(&m->view, &m->of.a, &m->of.course_a);
        fr_box box = swept_box(m, slack);
        for (int k = 0; k < FR__SET_COUNT; k++) {
            proxy_search s = {m, &space->sets[k]};
            (void)fr_tree_overlap_box(s.set->tree, &box, meet_proxy, &s);
        }
        m->first_triangle += m->of.a.triangle_count;
    }
}

// Contacts that were found before an earlier one was, and are not among the first any more.
static void drop_late(moving *m) {
    fr_move_output *out = m->output;
    while (out->contact_count > 0 && m->input->contacts[out->contact_count - 1].time > m->limit) {
        out->contact_count--;
    }
    out->has_more = m->min_left_out <= m->limit;
}

static void keep_near(moving *m) {
    fr__swept_pair pair;
    if (m->worst_nodes == 0) { return; }
    fr__swept_pair_make(m->apart, &m->near->worst, &pair);
    fr__near_list_renew(m->near, &pair, m->worst_part, m->input->space, m->worst_nodes, &m->memory->walk);
}

fr_status fr__move_check_input(const fr_move_input *input, fr_error *error) {
    fr_motion motion = input->motion;
    return check_input(input, &motion, error);
}

fr_status fr_collide_move(const fr_move_input *input, fr_move_output *output, fr_error *error) {
    fr__move_memory memory;
    const fr__move_options options = {.memory = &memory};
    return fr__collide_move(input, &options, output, error);
}

static void begin_move(moving *m, const fr_move_input *input, const fr__move_options *options, fr_move_output *output) {
    memset(m, 0, sizeof *m);
    m->input = input;
    m->output = output;
    m->limit = 1.0;
    m->min_left_out = 2.0;
    m->apart = input->margin + input->tolerance;
    m->ends_at_start = options->ends_at_start;
    m->near = options->near;
    m->memory = options->memory;
    m->visit = options->visit;
    m->visit_context = options->visit_context;
    m->visited = options->visited;
}

fr_status fr__collide_move(const fr_move_input *input, const fr__move_options *options, fr_move_output *output,
                           fr_error *error) {
    FR_ASSERT(input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr_motion motion = input->motion;
    fr_status status = check_input(input, &motion, error);
    if (status != FR_OK) { return status; }
    status = fr__query_begin(input->space, input->filter, error);
    if (status != FR_OK) { return status; }
    moving m;
    begin_move(&m, input, options, output);
    m.view = view_along(&motion);
    if (options->object.index1 != 0) {
        meet_object(&m, options);
    } else {
        meet_all(&m);
    }
    if (m.near != NULL) { keep_near(&m); }
    fr__query_end(input->space, input->filter);
    drop_late(&m);
    output->free_time = output->is_hit ? output->first.time : 1.0;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Two objects

fr_meet_input fr_default_meet_input(void) {
    fr_meet_input input;
    memset(&input, 0, sizeof input);
    input.motion_a.start = input.motion_b.start = fr_pose_identity();
    input.tolerance = 1e-6;
    input.cookie = MEET_COOKIE;
    return input;
}

static fr_status check_meet(const fr_meet_input *input, fr_motion *motion_a, fr_motion *motion_b, fr_error *error) {
    if (input->cookie != MEET_COOKIE) { return fr_error_set_cookie(error, "fr_default_meet_input"); }
    if (input->space == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the input names no space"); }
    fr_status status = check_distances(input->margin, input->tolerance, error);
    if (status == FR_OK) { status = fr_motion_check(motion_a, error); }
    if (status == FR_OK) { status = fr_motion_check(motion_b, error); }
    if (status != FR_OK) { return status; }
    return fr__check_two(input->space, input->a, input->b, error);
}

fr_status fr__collide_meet(const fr_meet_input *input, fr__move_memory *memory, fr_move_output *output,
                           fr_error *error) {
    FR_ASSERT(input != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr_motion motion_a = input->motion_a, motion_b = input->motion_b;
    fr_status status = check_meet(input, &motion_a, &motion_b, error);
    if (status != FR_OK) { return status; }
    const fr__move_options options = {.memory = memory, .ends_at_start = true};
    const fr_move_input query = {.space = input->space, .margin = input->margin, .tolerance = input->tolerance};
    const fr__object *a = fr__space_object(input->space, input->a.index1 - 1);
    const fr__object *b = fr__space_object(input->space, input->b.index1 - 1);
    moving m;
    begin_move(&m, &query, &options, output);
    m.mover = input->a;
    m.view = view_along(&motion_a);
    const fr_object_view view_b = view_along(&motion_b);
    m.of.flags = ((a->view.flags | b->view.flags) & FR_OBJECT_SENSOR) != 0 ? (uint32_t)FR_CONTACT_SENSOR : 0;
    for (uint32_t i = 0; i < a->view.part_count && !has_ended(&m); i++) {
        m.part = i;
        side_along(input->space, input->a, i, &m.view, &m.of.a, &m.of.course_a);
        m.first_triangle = m.of.a.first_triangle;
        for (uint32_t k = 0; k < b->view.part_count && !has_ended(&m); k++) {
            side_along(input->space, input->b, k, &view_b, &m.of.b, &m.of.course_b);
            meet_parts(&m);
        }
    }
    output->free_time = output->is_hit ? output->first.time : 1.0;
    return FR_OK;
}

fr_status fr_collide_meet(const fr_meet_input *input, fr_move_output *output, fr_error *error) {
    fr__move_memory memory;
    return fr__collide_meet(input, &memory, output, error);
}
