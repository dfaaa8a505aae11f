// Two trees that grow towards one another (Kuffner and LaValle's connect), with motions checked over their whole
// course. A motion goes until a face stops it, and then on along that face: what is left of it, without the part that
// presses on. Nodes that get nowhere reach less and less far (the dynamic domain of Yershova and others).
#include "collide/mover.h"
#include "plan/path.h"

#include <float.h>
#include <string.h>

#define MAX_SLIDES 3
#define BACK_OFF 0.002   // of the reach: how far from a face a motion stops
#define MIN_STEP 0.01    // of the reach: less is no progress
#define MIN_SLIDE 0.05   // of the reach: less is not worth sliding
#define LIFT 0.004       // of the reach: by how much a slide leaves the face
#define FIRST_DOMAIN 2.0 // of the reach: how far a node that failed looks
#define MIN_DOMAIN 0.2   // of the reach
#define LEAD_ITERATIONS 50
#define IDLE_ITERATIONS 20 // without a motion check count as one

typedef struct path_search {
    fr__path_body *body;
    fr__path_tree trees[2]; // of the start, of the goals
    fr__path_guide guide;
    fr_random random;
    double step; // between two nodes of one motion
    bool has_failed;
} path_search;

static uint32_t add_node(path_search *s, fr__path_tree *tree, const fr_pose *pose, uint32_t parent) {
    fr_vec3 pivot = fr__path_pivot(s->body, pose);
    uint32_t node = fr__path_tree_add(tree, pose, pivot, parent);
    if (node == FR_NONE) {
        s->has_failed = true;
        return parent;
    }
    if (parent != FR_NONE) { fr__path_report(s->body, &fr__path_tree_at(tree, parent)->pose, pose, tree->is_goal); }
    if (s->guide.cell_count > 0) {
        s->guide.visited[fr__path_guide_cell(&s->guide, pivot)] |= (uint8_t)(tree->is_goal ? 2 : 1);
    }
    return node;
}

// ---------------------------------------------------------------------------------------------------------------
// Growing

// Adds the nodes of a motion's first part; false where it leaves the bounds.
static bool add_course(path_search *s, fr__path_tree *tree, const fr_motion *motion, double part, const fr_pose *end,
                       uint32_t *node) {
    double length = part * fr__path_size(s->body, motion);
    uint32_t pieces = (uint32_t)fmin(ceil(length / s->step), 1e6);
    pieces = pieces < 1 ? 1 : pieces;
    for (uint32_t i = 1; i <= pieces; i++) {
        fr_pose pose = fr_motion_pose(motion, part * (double)i / (double)pieces);
        if (i == pieces && end != NULL) { pose = *end; }
        if (!fr__path_is_inside(s->body, &pose)) { return false; }
        *node = add_node(s, tree, &pose, *node);
        if (s->has_failed) { return false; }
    }
    return true;
}

typedef struct tree_growth {
    path_search *s;
    fr__path_tree *tree;
    const fr_pose *to;
    uint32_t node; // the last
    fr_pose at;    // of the last node
    bool is_sliding, is_there;
} tree_growth;

// The next leg: straight to the pose, or along the faces that stopped the last one.
static fr_status aim(fr__leg *leg, void *context, fr_error *error) {
    (void)error;
    tree_growth *g = context;
    path_search *s = g->s;
    leg->motion = fr__path_motion(s->body, &g->at, g->to);
    leg->end = *g->to;
    g->is_sliding = leg->number > 0 && leg->move.is_hit;
    if (!g->is_sliding) { return FR_OK; }
    const fr__path_faces faces = {.contacts = s->body->scratch->contacts,
                                  .count = leg->move.contact_count,
                                  .lift = LIFT * s->body->reach,
                                  .distance = -DBL_MAX,
                                  .rounds = 8};
    fr__path_slide_along(s->body, &faces, fr__path_pivot(s->body, &g->at), &leg->motion);
    double size = fr__path_size(s->body, &leg->motion);
    leg->is_last = !(size >= MIN_SLIDE * s->body->reach);
    if (size > s->step) {
        leg->motion.travel = fr_vec3_scale(s->step / size, leg->motion.travel);
        leg->motion.turn = fr_vec3_scale(s->step / size, leg->motion.turn);
    }
    return FR_OK;
}

static fr_status check_leg(fr__leg *leg, void *context, fr_error *error) {
    (void)error;
    const tree_growth *g = context;
    fr__path_body *body = g->s->body;
    leg->move = fr__path_check_motion(body, &leg->motion, body->scratch->contacts);
    double size = fr__path_size(body, &leg->motion);
    leg->rule = (fr__stop_rule){.length = size, .back_off = BACK_OFF * body->reach, .min_share = 0.0};
    return FR_OK;
}

// The tree gets the nodes of the leg, where it leads far enough.
static fr_status add_leg(fr__leg *leg, void *context, fr_error *error) {
    (void)error;
    tree_growth *g = context;
    bool is_step = leg->part > 0.0 && leg->part * leg->rule.length > MIN_STEP * g->s->body->reach;
    bool is_end = !leg->move.is_hit && !g->is_sliding;
    if (is_step || is_end) {
        if (!add_course(g->s, g->tree, &leg->motion, leg->part, is_end ? g->to : NULL, &g->node)) {
            leg->is_last = true;
            return FR_OK;
        }
        g->at = fr__path_tree_at(g->tree, g->node)->pose;
    }
    g->is_there = leg->is_last = is_end;
    return FR_OK;
}

// Grows a tree from a node towards a pose; returns the last node, and whether it is at the pose.
static uint32_t grow(path_search *s, fr__path_tree *tree, uint32_t node, const fr_pose *to, bool *is_there) {
    tree_growth g = {.s = s, .tree = tree, .to = to, .node = node, .at = fr__path_tree_at(tree, node)->pose};
    const fr__mover_def mover = {aim, check_leg, add_leg, &g, MAX_SLIDES + 1};
    (void)fr__mover_run(&mover, NULL); // no function of it fails
    *is_there = g.is_there;
    return g.node;
}

// ---------------------------------------------------------------------------------------------------------------
// Where to grow

static fr_vec3 random_point(path_search *s) {
    const fr_bounds *b = &s->body->input->bounds;
    fr_vec3 p;
    p.x = fr_random_between(&s->random, b->min.x, b->max.x);
    p.y = fr_random_between(&s->random, b->min.y, b->max.y);
    p.z = fr_random_between(&s->random, b->min.z, b->max.z);
    return p;
}

// Turned from a node by up to half of a random rotation.
static fr_quat rotation_near(path_search *s, fr_quat from) {
    fr_quat r = fr__path_random_turn(s->body, &s->random);
    double part = 0.5 * fr_random_unit(&s->random), sign = r.w < 0.0 ? -part : part;
    r = (fr_quat){1.0 - part + sign * r.w, sign * r.x, sign * r.y, sign * r.z};
    r = fr_quat_multiply(r, from);
    double length = sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
    return (fr_quat){r.w / length, r.x / length, r.y / length, r.z / length};
}

static fr_pose pose_to_try(path_search *s, const fr__path_tree *tree) {
    fr_quat turn = fr__path_random_turn(s->body, &s->random);
    fr_quat rotation = fr_quat_multiply(turn, s->body->input->start.rotation);
    fr_vec3 pivot = random_point(s), sample;
    if (fr__path_guide_point(&s->guide, tree, &s->random, &sample)) {
        const fr_bounds *b = &s->body->input->bounds;
        pivot = fr_vec3_max(b->min, fr_vec3_min(b->max, sample));
        if (fr_random_unit(&s->random) < 0.5) {
            uint32_t near = fr__path_tree_near_point(tree, pivot);
            rotation = rotation_near(s, fr__path_tree_at(tree, near)->pose.rotation);
        }
    }
    return fr__path_pose_at(s->body, pivot, rotation);
}

// A node that failed looks less far the next time, one that succeeded a little farther.
static void learn(path_search *s, fr__path_node *node, bool has_grown) {
    const float first = (float)(FIRST_DOMAIN * s->body->reach), min = (float)(MIN_DOMAIN * s->body->reach);
    if (has_grown) {
        if (node->reach < FLT_MAX) { node->reach *= 1.1f; }
        return;
    }
    node->reach = node->reach == FLT_MAX ? first : 0.9f * node->reach;
    if (node->reach < min) { node->reach = min; }
}

// The other tree grows towards a node; the two nodes that met, where they did.
static bool connect(path_search *s, int growing, uint32_t node, uint32_t met[2]) {
    fr__path_tree *other = &s->trees[1 - growing];
    fr_pose pose = fr__path_tree_at(&s->trees[growing], node)->pose;
    uint32_t near = fr__path_tree_nearest(other, fr__path_pivot(s->body, &pose), pose.rotation, NULL);
    bool is_there;
    met[growing] = node;
    met[1 - growing] = grow(s, other, near, &pose, &is_there);
    return is_there;
}

// One tree grows towards a pose, the other towards what it reached. False where the nearest node would not try.
static bool try_pose(path_search *s, int growing, const fr_pose *pose, bool *has_met, uint32_t met[2]) {
    fr__path_tree *tree = &s->trees[growing];
    double distance;
    uint32_t near = fr__path_tree_nearest(tree, fr__path_pivot(s->body, pose), pose->rotation, &distance);
    *has_met = false;
    if (distance > (double)fr__path_tree_at(tree, near)->reach) { return false; }
    bool is_there;
    uint32_t node = grow(s, tree, near, pose, &is_there);
    learn(s, fr__path_tree_at(tree, near), node != near);
    *has_met = !s->has_failed && connect(s, growing, node, met);
    return true;
}

// The first tries need no field: straight on from either end.
static bool try_straight(path_search *s, const fr_pose *start, const fr_pose *goal, uint32_t met[2]) {
    bool has_met;
    (void)try_pose(s, 0, goal, &has_met, met);
    if (!has_met && !s->has_failed) { (void)try_pose(s, 1, start, &has_met, met); }
    return has_met;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static void mark_nodes(path_search *s) {
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < fr__path_tree_count(&s->trees[k]); i++) {
            fr_vec3 pivot = fr__path_pivot(s->body, &fr__path_tree_at(&s->trees[k], i)->pose);
            s->guide.visited[fr__path_guide_cell(&s->guide, pivot)] |= (uint8_t)(1 << k);
        }
    }
}

static fr_status search_on(path_search *s, const fr_pose *start, const fr_pose *goal, uint64_t last_move,
                           fr__path_search_output *outcome, uint32_t met[2], fr_error *error) {
    uint64_t begin = fr_clock_ns();
    fr_status status = fr__path_guide_make(s->body, &s->guide, error);
    if (status != FR_OK) { return status; }
    mark_nodes(s);
    s->step = fmax(s->body->reach, s->guide.edge);
    outcome->field_ms = fr_clock_ms_since(begin);
    const fr_vec3 ends[2] = {fr__path_pivot(s->body, start), fr__path_pivot(s->body, goal)};
    const uint64_t first_move = s->body->moves;
    uint64_t idle = 0;
    int growing = 0;
    for (uint64_t i = 0; s->body->moves + idle / IDLE_ITERATIONS < last_move && !outcome->is_found; i++) {
        if (fr_control_is_stopped(s->body->input->control)) {
            outcome->is_stopped = true;
            break;
        }
        if (i % 16 == 0) {
            double done = (double)(s->body->moves - first_move) / (double)(last_move - first_move);
            fr_control_progress(s->body->input->control, done, "searching");
        }
        if (i % LEAD_ITERATIONS == 0) { fr__path_guide_lead(&s->guide, ends[0], ends[1]); }
        fr_pose pose = pose_to_try(s, &s->trees[growing]);
        bool has_tried = try_pose(s, growing, &pose, &outcome->is_found, met);
        if (s->has_failed) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the trees"); }
        bool is_larger = fr__path_tree_count(&s->trees[1 - growing]) < fr__path_tree_count(&s->trees[growing]);
        idle += has_tried ? 0 : 1;
        if (is_larger || (!has_tried && fr_random_unit(&s->random) < 0.3)) { growing = 1 - growing; }
    }
    outcome->leads = s->guide.leads;
    return FR_OK;
}

// The poses from the start's root to where the trees met, and on to the goal's.
static bool collect(const path_search *s, const uint32_t met[2], fr__pose_array *poses) {
    size_t count = 0;
    for (uint32_t i = met[0]; i != FR_NONE; i = fr__path_tree_at(&s->trees[0], i)->parent) {
        count++;
    }
    fr_pose *out = fr__pose_array_push(poses, count);
    if (out == NULL) { return false; }
    for (uint32_t i = met[0]; i != FR_NONE; i = fr__path_tree_at(&s->trees[0], i)->parent) {
        out[--count] = fr__path_tree_at(&s->trees[0], i)->pose;
    }
    for (uint32_t i = fr__path_tree_at(&s->trees[1], met[1])->parent; i != FR_NONE;
         i = fr__path_tree_at(&s->trees[1], i)->parent) {
        out = fr__pose_array_push(poses, 1);
        if (out == NULL) { return false; }
        *out = fr__path_tree_at(&s->trees[1], i)->pose;
    }
    return true;
}

fr_status fr__path_search(fr__path_body *body, const fr_pose *start, const fr_pose *goals, uint32_t goal_count,
                          uint64_t max_moves, fr__pose_array *poses, fr__path_search_output *outcome, fr_error *error) {
    path_search s;
    memset(&s, 0, sizeof s);
    memset(outcome, 0, sizeof *outcome);
    s.body = body;
    s.random = fr_random_seed(body->seed);
    s.step = body->reach;
    uint64_t last_move = body->moves + max_moves;
    for (int k = 0; k < 2; k++) {
        fr__path_tree_make(&s.trees[k], k == 1, body->arm, body->input->bounds.min, &body->input->allocator);
    }
    (void)add_node(&s, &s.trees[0], start, FR_NONE);
    for (uint32_t i = 0; i < goal_count; i++) {
        (void)add_node(&s, &s.trees[1], &goals[i], FR_NONE);
    }
    fr_status status = FR_OK;
    uint32_t met[2] = {0, 0};
    if (!s.has_failed) { outcome->is_found = try_straight(&s, start, &goals[0], met); }
    if (s.has_failed) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the trees"); }
    if (status == FR_OK && !outcome->is_found) {
        status = search_on(&s, start, &goals[0], last_move, outcome, met, error);
    }
    if (status == FR_OK && outcome->is_found && !collect(&s, met, poses)) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the path");
    }
    outcome->nodes = fr__path_tree_count(&s.trees[0]) + fr__path_tree_count(&s.trees[1]);
    if (s.guide.cell_count > 0) { fr__path_guide_free(&s.guide); }
    fr__path_tree_free(&s.trees[0]);
    fr__path_tree_free(&s.trees[1]);
    return status;
}
