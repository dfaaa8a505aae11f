#include "collide/judge.h"

#include "shape/triangle_triangle.h"
#include "space/part.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Sides and cases

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
    const fr__object *object = fr__space_object(space, object_index);
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

void fr__case_make(const fr__question *q, uint32_t parts_index, fr__case *out) {
    const fr__parts *parts = fr__question_parts(q, parts_index);
    fr__side_of_part(q->space, parts->object_a, parts->part_a, &out->a);
    fr__side_of_part(q->space, parts->object_b, parts->part_b, &out->b);
    out->parts = parts_index;
    out->object_pair = parts->object_pair;
    out->flags = parts->flags;
    if (!q->is_over_step) { return; }
    fr__course_make(&fr__space_object(q->space, parts->object_a)->view, &out->a, &out->course_a);
    fr__course_make(&fr__space_object(q->space, parts->object_b)->view, &out->b, &out->course_b);
}

// ---------------------------------------------------------------------------------------------------------------
// Judging

uint32_t fr__shared_flags(const fr_vec3 a[3], const fr_vec3 b[3]) {
    fr_section section;
    fr_triangle_section(a, b, &section);
    uint32_t flags = FR_CONTACT_START;
    if (section.coplanar) { flags |= FR_CONTACT_COPLANAR; }
    if (!section.crossing) { flags |= FR_CONTACT_TOUCHING; }
    return flags;
}

static bool put_hit(fr__question *q, const fr__case *of, int worker, fr__candidate c, uint32_t flags) {
    uint64_t key = fr__two_in_one(of->a.first_triangle + c.a, of->b.first_triangle + c.b);
    uint64_t value = fr__two_in_one(of->object_pair, of->flags | flags);
    fr_collide *collide = q->collide;
    return fr__hit_put(&collide->pool, &collide->workers[worker].hits, key, value) || fr__question_fail(q);
}

uint32_t fr__question_spend(fr__question *q, uint32_t count) {
    if (q->budget_left == UINT64_MAX) { return count; }
    if (count > q->budget_left) {
        count = (uint32_t)q->budget_left;
        q->over_budget = true;
    }
    q->budget_left -= count;
    return count;
}

void fr__question_give_back_hits(fr__question *q) {
    for (int w = 0; w < q->worker_count; w++) {
        fr__hit_list_give_back(&q->collide->pool, &q->collide->workers[w].hits);
    }
}

// Without a margin: whether they share a point. With one: whether they are within it.
static bool decide(const fr__question *q, const fr_vec3 a[3], const fr_vec3 b[3], uint32_t *flags) {
    if (q->margin > 0.0) {
        double distance = fr_triangle_distance(a, b, NULL, NULL);
        if (!(distance <= q->margin)) { return false; }
        *flags = distance > 0.0 ? (uint32_t)FR_CONTACT_NEAR : fr__shared_flags(a, b);
        return true;
    }
    if (!fr__triangle_overlap(a, b)) { return false; }
    *flags = fr__shared_flags(a, b);
    return true;
}

bool fr__judge_corners(fr__question *q, const fr__case *of, int worker, fr__candidate candidate, const fr_vec3 a[3],
                       const fr_vec3 b[3]) {
    if (fr__question_spend(q, 1) == 0) { return false; }
    uint32_t flags;
    q->collide->workers[worker].tested++;
    return !decide(q, a, b, &flags) || put_hit(q, of, worker, candidate, flags);
}

bool fr__judge_one(fr__question *q, const fr__case *of, int worker, fr__candidate candidate) {
    fr_vec3 a[3], b[3];
    fr__side_corners(&of->a, candidate.a, a);
    fr__side_corners(&of->b, candidate.b, b);
    return fr__judge_corners(q, of, worker, candidate, a, b);
}

// Those that the kernel is sure of cross: all six corners are strictly beside the other plane and both comparisons of
// the second stage are strict, so the stretches in which the planes' common line runs inside the triangles overlap by
// more than a point. The others are decided here.
static bool judge_by_kernel(fr__question *q, const fr__case *of, int worker, const fr__candidate *candidates,
                            uint32_t count) {
    fr__judged judged[FR__BATCH];
    uint32_t left = q->judges->judge(&of->a, &of->b, candidates, count, judged);
    for (uint32_t i = 0; i < left; i++) {
        fr__candidate c = candidates[judged[i].index];
        uint32_t flags = FR_CONTACT_START;
        if (!judged[i].sure) {
            fr_vec3 a[3], b[3];
            fr__side_corners(&of->a, c.a, a);
            fr__side_corners(&of->b, c.b, b);
            q->collide->workers[worker].exact++;
            if (!decide(q, a, b, &flags)) { continue; }
        }
        if (!put_hit(q, of, worker, c, flags)) { return false; }
    }
    return true;
}

bool fr__judge_batch(fr__question *q, const fr__case *of, int worker, const fr__candidate *candidates, uint32_t count) {
    FR_ASSERT(count <= FR__BATCH);
    bool goes_on = true;
    if (q->margin > 0.0) {
        for (uint32_t i = 0; i < count && goes_on; i++) {
            goes_on = fr__judge_one(q, of, worker, candidates[i]);
        }
    } else {
        count = fr__question_spend(q, count);
        q->collide->workers[worker].tested += count;
        goes_on = judge_by_kernel(q, of, worker, candidates, count);
    }
    return goes_on && !fr__question_ended(q, worker);
}

bool fr__judge_crossing(fr__question *q, const fr__case *of, int worker, const fr__candidate *candidates,
                        uint32_t count) {
    count = fr__question_spend(q, count);
    q->collide->workers[worker].tested += count;
    for (uint32_t i = 0; i < count; i++) {
        if (!put_hit(q, of, worker, candidates[i], FR_CONTACT_START)) { return false; }
    }
    return !fr__question_ended(q, worker);
}
