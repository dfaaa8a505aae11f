// Polygon against polygon: of each near polygon the nearest of the held triangles.
#include "touch/nearest.h"
#include "touch/pair_query.h"

// A triangle of the held model by its part.
typedef struct held_triangle {
    uint32_t part, triangle;
} held_triangle;

// The held triangle that is nearest to one triangle, within a limit; where the last one was found it is looked for
// first, since neighbours are near neighbours. False: there is none.
static bool find_nearest(const fr_touch_input *in, held_triangle *last, fr__nearest *s) {
    uint32_t first = 0;
    held_triangle found = *last;
    for (uint32_t i = 0; i < in->part_count; i++) {
        uint32_t before = s->index;
        fr__nearest_part(s, &in->parts[i], &in->pose, first, last->part == i ? last->triangle : FR_NONE);
        if (s->index != before) { found = (held_triangle){i, s->index - first}; }
        first += fr_mesh_get(in->parts[i].mesh)->triangle_count;
    }
    *last = found;
    return s->index != FR_NONE;
}

// Reports a hit, whose triangle is counted in the object, with the plane of its polygon.
static void add_hit(fr__pair_query *q, const fr__pair_part *part, fr_touch_hit *hit) {
    uint32_t triangle = hit->triangle - part->view.first_triangle;
    fr_vec3 corners[3];
    fr__part_corners(part->body, part->piece, triangle, corners);
    fr__pair_plane plane = fr__pair_plane_of(part, triangle, corners);
    const fr__element_point at = {.path = {hit->point, hit->point}};
    hit->normal = plane.normal;
    hit->side = fr__element_side(&at, plane.normal, plane.origin);
    fr__pair_add_hit(q, hit);
}

fr_status fr__pair_meet_faces(fr__pair_query *q, const fr__pair_part *part, const fr__pair_candidates *c) {
    double reach = fr__pair_reach(q, FR_TOUCH_FACE_FACE);
    held_triangle last = {FR_NONE, FR_NONE};
    fr_touch_hit best = {0};
    bool has_best = false;
    for (uint32_t i = 0; i < c->count; i++) {
        if (fr_control_is_stopped(q->input->control)) { return FR_ERROR_STOPPED; }
        uint32_t triangle = fr__pair_candidate(c, i), face = fr_mesh_face(part->view.mesh, triangle);
        bool is_same = has_best && best.element == face;
        fr_vec3 corners[3];
        fr__part_corners(part->body, part->piece, triangle, corners);
        fr__nearest s;
        fr__nearest_begin(&s, corners, is_same ? best.distance : reach);
        if (!find_nearest(q->input, &last, &s)) { continue; }
        if (is_same && !(s.distance < best.distance)) { continue; }
        if (has_best && !is_same) { add_hit(q, part, &best); }
        best = fr__pair_hit(FR_TOUCH_FACE_FACE, s.index, part, face);
        best.triangle = part->view.first_triangle + triangle;
        best.distance = s.distance;
        best.point = s.on_held;
        best.foot = s.on_near;
        has_best = true;
    }
    if (has_best) { add_hit(q, part, &best); }
    return FR_OK;
}
