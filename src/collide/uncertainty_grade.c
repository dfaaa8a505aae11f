// The grade of a pair of faces whose objects are not known exactly.
//
// Certain. Let every corner of both faces move straight to where a truth has it, those of one by at most d_a and of the
// other by at most d_b; then so does every point of the faces. Meanwhile the number of times that an edge goes through
// the face, counted with its side, can change only when an end of the edge meets the face or the edge meets the face's
// border. With both farther away than d_a + d_b at first neither happens, so an edge that goes through does so in the
// end too. That the place where it goes through is that far from the border would not be enough: an edge that is
// nearly in the face's plane slides out of the face when it is lifted a little.
#include "collide/judge.h"
#include "collide/neighbour_faces.h"
#include "collide/uncertainty.h"
#include "space/part.h"

#define SURE_TIMES 16 // of a step at which a pair that collides is looked at

// ---------------------------------------------------------------------------------------------------------------
// Faces

void fr__doubtful_make(const fr_space *space, const fr__doubt *doubts, uint32_t place, uint32_t triangle,
                       bool is_over_step, fr__doubtful *out) {
    const fr__object *object = fr__space_object(space, place);
    out->part = fr__object_part_of(object, triangle);
    const fr__part *part = &object->parts[out->part];
    out->object = object;
    out->doubt = &doubts[place];
    out->place = place;
    fr__part_corners_local(part, triangle - part->first_triangle, out->local);
    bool moves = is_over_step && object->view.is_moving;
    fr__frame end = moves ? fr__frame_make(&object->view.next) : object->frame;
    const uint32_t *corners = part->mesh->view.triangles + 3 * (size_t)(triangle - part->first_triangle);
    out->is_straight = moves && object->view.next_vertices != NULL;
    for (int k = 0; k < 3; k++) {
        out->local[k] = out->local_end[k] = fr__frame_apply(&part->frame, out->local[k]);
        if (out->is_straight) {
            fr_vec3 next = object->view.next_vertices[part->first_vertex + corners[k]];
            out->local_end[k] = fr__frame_apply(&part->frame, next);
        }
        out->world[k] = fr__frame_apply(&object->frame, out->local[k]);
        out->end[k] = fr__frame_apply(&end, out->local_end[k]);
    }
}

static bool is_one_part(const fr__doubtful *a, const fr__doubtful *b) {
    return a->place == b->place && a->part == b->part;
}

static double rho_of(const fr__doubtful *face) {
    const fr_object_view *view = &face->object->view;
    double scale = view->is_moving && view->next.scale > view->pose.scale ? view->next.scale : view->pose.scale;
    double max = 0.0;
    for (int k = 0; k < 3; k++) {
        double distance = fr_vec3_distance(face->local[k], face->doubt->reference_local);
        double at_end = fr_vec3_distance(face->local_end[k], face->doubt->reference_local);
        max = fmax(max, fmax(distance, at_end));
    }
    return scale * max * (1.0 + 0x1p-40);
}

// Faces of one object go together: no error of its pose brings them nearer.
static double separation_of(const fr__doubtful *a, const fr__doubtful *b) {
    if (a->place == b->place) { return a->doubt->arithmetic + b->doubt->arithmetic; }
    return (fr__doubt_reach(a->doubt, rho_of(a)) + fr__doubt_reach(b->doubt, rho_of(b))) * (1.0 + 0x1p-40);
}

static fr_triangle_path path_of(const fr__doubtful *face) {
    fr_triangle_path path;
    path.motion = face->object->view.is_moving && !face->is_straight ? &face->object->view.motion : NULL;
    for (int k = 0; k < 3; k++) {
        path.start[k] = face->world[k];
        path.end[k] = face->end[k];
    }
    return path;
}

// ---------------------------------------------------------------------------------------------------------------
// Certain

// A plane is known by its normal, rounded: the other two conditions alone prove that the edge goes through.
static bool is_beside(fr_vec3 point, const fr_vec3 face[3], double separation) {
    fr_vec3 zero = {0.0, 0.0, 0.0};
    fr_vec3 normal = fr_vec3_unit(fr_vec3_cross(fr_vec3_sub(face[1], face[0]), fr_vec3_sub(face[2], face[0])), zero);
    return fabs(fr_vec3_dot(normal, fr_vec3_sub(point, face[0]))) > separation &&
           fr_triangle_closest(face, point).distance > separation;
}

static bool goes_through(const fr_vec3 edge[2], const fr_vec3 face[3], double separation) {
    int side = fr_orient3d(face[0], face[1], face[2], edge[0]);
    if (side == 0 || fr_orient3d(face[0], face[1], face[2], edge[1]) != -side) { return false; }
    if (!is_beside(edge[0], face, separation) || !is_beside(edge[1], face, separation)) { return false; }
    if (!fr_segment_triangle_overlap(edge, face, NULL)) { return false; }
    for (int k = 0; k < 3; k++) {
        const fr_vec3 border[2] = {face[k], face[(k + 1) % 3]};
        if (!(fr_segment_distance(edge, border, NULL, NULL) > separation)) { return false; }
    }
    return true;
}

static bool some_edge_goes_through(const fr_vec3 edges_of[3], const fr_vec3 face[3], double separation) {
    for (int k = 0; k < 3; k++) {
        const fr_vec3 edge[2] = {edges_of[k], edges_of[(k + 1) % 3]};
        if (fr_vec3_distance(edge[0], edge[1]) > 2.0 * separation && goes_through(edge, face, separation)) {
            return true;
        }
    }
    return false;
}

bool fr__uncertainty_is_sure(const fr_vec3 a[3], const fr_vec3 b[3], double separation) {
    return some_edge_goes_through(a, b, separation) || some_edge_goes_through(b, a, separation);
}

static void corners_at(const fr__doubtful *face, double t, fr_vec3 out[3]) {
    const fr_object_view *view = &face->object->view;
    for (int k = 0; k < 3; k++) {
        out[k] = face->is_straight ? fr_vec3_lerp(face->world[k], face->end[k], t)
                 : view->is_moving ? fr_motion_point(&view->motion, face->local[k], t)
                                   : face->world[k];
    }
}

// Whether they are sure to collide at one of some times of their first contact.
static bool is_sure_in_step(const fr__doubtful *a, const fr__doubtful *b, const fr_time_output *met,
                            double separation) {
    double begin = fr_is_unknown(met->time_sure) ? met->time : met->time_sure;
    for (int i = 0; i <= SURE_TIMES; i++) {
        double t = begin + (met->time_end - begin) * ((double)i / SURE_TIMES);
        fr_vec3 at_a[3], at_b[3];
        corners_at(a, t, at_a);
        corners_at(b, t, at_b);
        if (fr__uncertainty_is_sure(at_a, at_b, separation)) { return true; }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// Draws

static void path_of_draw(const fr_uncertain_input *input, const fr__doubtful *face, uint32_t k, fr__draw *draw,
                         fr_triangle_path *out) {
    fr__draw_make(face->object, face->doubt, input->seed, face->place, k, draw);
    fr__frame start = fr__frame_make(&draw->motion.start), end = fr__frame_make(&draw->end);
    bool moves = face->object->view.is_moving;
    out->motion = moves && !face->is_straight ? &draw->motion : NULL;
    for (int i = 0; i < 3; i++) {
        out->start[i] = fr__frame_apply(&start, face->local[i]);
        out->end[i] = moves ? fr__frame_apply(&end, face->local_end[i]) : out->start[i];
    }
}

static fr_time_input options_of(const fr_uncertain_input *input, double separation) {
    fr_time_input options = fr_default_time_input();
    options.tolerance = input->query.tolerance;
    options.separation = separation;
    options.has_ends = true;
    return options;
}

static uint64_t all_draws(uint32_t count) { return count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1; }

static uint64_t try_draws(const fr_uncertain_input *input, const fr__doubtful *a, const fr__doubtful *b) {
    const fr_time_input options = options_of(input, 0.0);
    uint64_t hits = 0;
    for (uint32_t k = 0; k < input->draws; k++) {
        fr__draw draw_a, draw_b;
        fr_triangle_path path_a, path_b;
        path_of_draw(input, a, k, &draw_a, &path_a);
        path_of_draw(input, b, k, &draw_b, &path_b);
        bool hit = input->is_over_step ? fr__faces_time(is_one_part(a, b), &path_a, &path_b, &options, NULL)
                                       : fr__faces_overlap(is_one_part(a, b), path_a.start, path_b.start);
        if (hit) { hits |= UINT64_C(1) << k; }
    }
    return hits;
}

// ---------------------------------------------------------------------------------------------------------------
// Grades

static bool grade_at_instant(const fr__doubtful *a, const fr__doubtful *b, fr_uncertain_pair *pair) {
    double distance = fr__faces_distance(is_one_part(a, b), a->world, b->world, NULL, NULL);
    if (!(distance <= pair->separation)) { return false; }
    pair->grade = FR_GRADE_POSSIBLE;
    if (distance > 0.0) {
        pair->flags |= FR_CONTACT_NEAR;
        return true;
    }
    pair->flags |= fr__shared_flags(a->world, b->world);
    pair->grade = fr__uncertainty_is_sure(a->world, b->world, pair->separation) ? FR_GRADE_CERTAIN : FR_GRADE_LIKELY;
    return true;
}

static bool grade_over_step(const fr_uncertain_input *input, const fr__doubtful *a, const fr__doubtful *b,
                            fr_uncertain_pair *pair) {
    fr_triangle_path path_a = path_of(a), path_b = path_of(b);
    fr_time_input options = options_of(input, pair->separation);
    fr_time_output near, met;
    bool is_near = fr__faces_time(is_one_part(a, b), &path_a, &path_b, &options, &near);
    options.separation = 0.0;
    options.is_end_wanted = true;
    bool meets = fr__faces_time(is_one_part(a, b), &path_a, &path_b, &options, &met);
    if (!is_near && !meets) { return false; }
    pair->time = fr_float_down(is_near ? near.time : met.time);
    pair->grade = FR_GRADE_POSSIBLE;
    if (!meets) {
        pair->flags |= FR_CONTACT_NEAR | (near.flags & FR_TIME_CAPPED);
        return true;
    }
    pair->flags |= met.flags & ~(uint32_t)FR_TIME_END_CAPPED;
    pair->grade = is_sure_in_step(a, b, &met, pair->separation) ? FR_GRADE_CERTAIN : FR_GRADE_LIKELY;
    return true;
}

static uint32_t count_bits(uint64_t bits) {
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

float fr__uncertainty_share(uint64_t hits, uint32_t draws) {
    return draws == 0 ? -1.0f : (float)count_bits(hits) / (float)draws;
}

bool fr__uncertainty_grade(const fr_uncertain_input *input, const fr__doubtful *a, const fr__doubtful *b,
                           fr_uncertain_pair *pair, uint64_t *hits) {
    pair->separation = separation_of(a, b);
    pair->time = 0.0f;
    bool may_collide = input->is_over_step ? grade_over_step(input, a, b, pair) : grade_at_instant(a, b, pair);
    if (!may_collide) { return false; }
    *hits = pair->grade == FR_GRADE_CERTAIN ? all_draws(input->draws) : try_draws(input, a, b);
    pair->share = fr__uncertainty_share(*hits, input->draws);
    return true;
}
