// The judge of an instant, and the geometry of part pairs that both judges see.
#include "collide/judge.h"

#include "collide/neighbour_faces.h"
#include "shape/triangle_triangle.h"
#include "space/part.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Geometry

void fr__side_of_mesh(const fr_mesh *mesh, const fr_pose *part_pose, const fr_pose *object_pose, fr__side *out) {
    const fr_mesh_view *view = &mesh->view;
    memset(out, 0, sizeof *out);
    out->mesh = mesh;
    out->tree = view->tree;
    out->triangles = view->triangles;
    out->positions_float = view->positions_float;
    out->positions_double = view->positions_double;
    out->triangle_count = view->triangle_count;
    out->vertex_count = view->vertex_count;
    out->object = out->part = FR_NONE;
    out->leaf_corners = mesh->leaf_corners;
    out->largest = view->largest;
    out->ball_center = mesh->ball_center;
    out->ball_radius = mesh->ball_radius;
    fr__side_set_poses(out, part_pose, object_pose);
}

static void set_ball(fr__side *side, const fr__part *part) {
    const fr_bounds *bounds = &part->bounds_local;
    if (part->vertices == NULL) {
        side->ball_center = part->mesh->ball_center;
        side->ball_radius = part->mesh->ball_radius;
        return;
    }
    side->ball_center = fr_bounds_center(bounds);
    side->ball_radius = (1.0 + 0x1p-40) * fr_vec3_length(fr_vec3_sub(bounds->max, side->ball_center));
}

void fr__side_of_part(const fr_space *space, uint32_t object_index, uint32_t part_index, fr__side *out) {
    const fr__object *object = fr__space_fresh(space, object_index);
    const fr__part *part = &object->parts[part_index];
    const fr_mesh_view *view = &part->mesh->view;
    out->mesh = part->mesh;
    out->tree = part->tree;
    out->triangles = view->triangles;
    out->is_deformed = part->vertices != NULL;
    out->positions_float = out->is_deformed ? NULL : view->positions_float;
    out->positions_double = out->is_deformed ? &part->vertices->x : view->positions_double;
    out->triangle_count = view->triangle_count;
    out->vertex_count = view->vertex_count;
    out->first_triangle = part->first_triangle;
    out->first_vertex = part->first_vertex;
    out->object = object_index;
    out->part = part_index;
    out->leaf_corners = out->is_deformed ? NULL : part->mesh->leaf_corners;
    out->largest = part->largest;
    set_ball(out, part);
    fr__side_set_poses(out, &part->pose, &object->view.pose);
}

void fr__pair_geometry_move(const fr_space *space, uint32_t object_a, uint32_t part_a, uint32_t object_b,
                            uint32_t part_b, fr__pair_geometry *out) {
    fr__side_of_part(space, object_a, part_a, &out->a);
    fr__side_of_part(space, object_b, part_b, &out->b);
    fr__course_make(&fr__space_object(space, object_a)->view, &out->a, &out->course_a);
    fr__course_make(&fr__space_object(space, object_b)->view, &out->b, &out->course_b);
}

void fr__pair_geometry_follow(const fr_space *space, uint32_t object_a, uint32_t part_a, uint32_t object_b,
                              uint32_t part_b, fr__pair_geometry *geometry) {
    bool is_same = geometry->a.object == object_a && geometry->b.object == object_b && geometry->a.part == part_a &&
                   geometry->b.part == part_b;
    if (!is_same) { fr__pair_geometry_move(space, object_a, part_a, object_b, part_b, geometry); }
}

void fr__run_geometry(const fr__run *run, uint32_t part_pair, fr__pair_geometry *out) {
    const fr_space *space = run->query.space;
    const fr__part_pair *pair = &run->plan.part_pairs[part_pair];
    out->part_pair = part_pair;
    out->object_pair = pair->object_pair;
    out->flags = pair->flags;
    if (run->query.is_over_step) {
        fr__pair_geometry_move(space, pair->object_a, pair->part_a, pair->object_b, pair->part_b, out);
    } else {
        fr__side_of_part(space, pair->object_a, pair->part_a, &out->a);
        fr__side_of_part(space, pair->object_b, pair->part_b, &out->b);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Judging

uint32_t fr__shared_flags(const fr_vec3 a[3], const fr_vec3 b[3]) {
    fr_section section;
    fr_triangle_section(a, b, &section);
    uint32_t flags = FR_CONTACT_START;
    if (section.is_coplanar) { flags |= FR_CONTACT_COPLANAR; }
    if (!section.is_crossing) { flags |= FR_CONTACT_TOUCHING; }
    return flags;
}

static bool put_hit(fr__run *run, const fr__pair_geometry *geometry, int worker, fr__candidate c, uint32_t flags) {
    fr__found found = {.hit = {geometry->a.first_triangle + c.a,
                               geometry->b.first_triangle + c.b,
                               geometry->object_pair,
                               {geometry->flags | flags}}};
    return fr__run_put(run, worker, found);
}

uint32_t fr__run_spend(fr__run *run, uint32_t count) {
    if (run->budget_left == UINT64_MAX) { return count; }
    if (count > run->budget_left) {
        count = (uint32_t)run->budget_left;
        run->is_over_budget = true;
    }
    run->budget_left -= count;
    return count;
}

void fr__run_give_back_blocks(fr__run *run) {
    for (int w = 0; w < run->plan.worker_count; w++) {
        fr__found_list_give_back(&run->scratch->pool, &run->scratch->workers[w].found);
    }
}

// Without a margin: whether they share a point. With one: whether they are within it.
static bool decide(const fr__pair_geometry *geometry, double margin, const fr_vec3 a[3], const fr_vec3 b[3],
                   uint32_t *flags) {
    bool is_self = fr__pair_is_self(geometry);
    if (margin > 0.0) {
        double distance = fr__faces_distance(is_self, a, b, NULL, NULL);
        if (!(distance <= margin)) { return false; }
        *flags = distance > 0.0 ? (uint32_t)FR_CONTACT_NEAR : fr__shared_flags(a, b);
        return true;
    }
    if (is_self ? !fr__faces_overlap(true, a, b) : !fr__triangle_overlap(a, b)) { return false; }
    *flags = fr__shared_flags(a, b);
    return true;
}

bool fr__judge_corners(fr__run *run, const fr__pair_geometry *geometry, int worker, fr__candidate candidate,
                       const fr_vec3 a[3], const fr_vec3 b[3]) {
    if (fr__run_spend(run, 1) == 0) { return false; }
    uint32_t flags;
    run->scratch->workers[worker].tested++;
    return !decide(geometry, run->query.margin, a, b, &flags) || put_hit(run, geometry, worker, candidate, flags);
}

bool fr__judge_one(fr__run *run, const fr__pair_geometry *geometry, int worker, fr__candidate candidate) {
    fr_vec3 a[3], b[3];
    fr__side_corners(&geometry->a, candidate.a, a);
    fr__side_corners(&geometry->b, candidate.b, b);
    return fr__judge_corners(run, geometry, worker, candidate, a, b);
}

// Those that the kernel is sure of cross: all six corners are strictly beside the other plane and both comparisons of
// the second stage are strict, so the stretches in which the planes' common line runs inside the triangles overlap by
// more than a point. The others are decided here.
static bool judge_by_kernel(fr__run *run, const fr__pair_geometry *geometry, int worker,
                            const fr__candidate *candidates, uint32_t count) {
    fr__judged judged[FR__BATCH];
    bool is_self = fr__pair_is_self(geometry);
    uint32_t left = run->plan.judges->judge(&geometry->a, &geometry->b, is_self, candidates, count, judged);
    for (uint32_t i = 0; i < left; i++) {
        fr__candidate c = candidates[judged[i].index];
        uint32_t flags = FR_CONTACT_START;
        if (!judged[i].sure) {
            fr_vec3 a[3], b[3];
            fr__side_corners(&geometry->a, c.a, a);
            fr__side_corners(&geometry->b, c.b, b);
            run->scratch->workers[worker].exact++;
            if (!decide(geometry, run->query.margin, a, b, &flags)) { continue; }
        }
        if (!put_hit(run, geometry, worker, c, flags)) { return false; }
    }
    return true;
}

bool fr__judge_batch(fr__run *run, const fr__pair_geometry *geometry, int worker, const fr__candidate *candidates,
                     uint32_t count) {
    FR_ASSERT(count <= FR__BATCH);
    bool goes_on = true;
    if (run->query.margin > 0.0) {
        for (uint32_t i = 0; i < count && goes_on; i++) {
            goes_on = fr__judge_one(run, geometry, worker, candidates[i]);
        }
    } else {
        count = fr__run_spend(run, count);
        run->scratch->workers[worker].tested += count;
        goes_on = judge_by_kernel(run, geometry, worker, candidates, count);
    }
    return goes_on && !fr__run_has_ended(run, worker);
}

bool fr__judge_crossing(fr__run *run, const fr__pair_geometry *geometry, int worker, const fr__candidate *candidates,
                        uint32_t count) {
    count = fr__run_spend(run, count);
    run->scratch->workers[worker].tested += count;
    for (uint32_t i = 0; i < count; i++) {
        if (!put_hit(run, geometry, worker, candidates[i], FR_CONTACT_START)) { return false; }
    }
    return !fr__run_has_ended(run, worker);
}
