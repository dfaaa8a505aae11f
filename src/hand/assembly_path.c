// Whether the rest of the path of a part to its place is free.
#include "hand/assembly.h"

typedef struct leg {
    const fr__assembly_piece *piece;
    const fr_space *space;
    const fr_query_filter *filter;
} leg;

// Goes from one pose to another. `is_inside` when it begins in what it meets.
static fr_status go(const leg *l, const fr_pose *from, const fr_pose *to, fr_object_id *blocker, bool *is_inside,
                    fr_error *error) {
    fr_move_input q = fr_default_move_input();
    q.space = l->space;
    q.parts = l->piece->parts;
    q.part_count = l->piece->part_count;
    q.motion = fr_motion_between(from, to, fr_bounds_center(&l->piece->box));
    q.filter = l->filter;
    fr_move_output move;
    fr_status status = fr_collide_move(&q, &move, error);
    if (status != FR_OK) { return status; }
    *blocker = move.is_hit ? move.first.b : (fr_object_id){0};
    *is_inside = move.is_hit && (move.first.flags & FR_CONTACT_START) != 0;
    return FR_OK;
}

static bool is_free(fr_object_id blocker) { return blocker.index1 == 0; }

// The insertion, from `back` metres before the place.
static fr_status insert(const leg *l, const fr__assembly_error *e, double back, fr_object_id *blocker,
                        fr_error *error) {
    bool is_inside;
    fr_pose begin = e->target;
    begin.position = fr_vec3_add_scaled(begin.position, -back, e->insertion);
    return go(l, &begin, &e->target, blocker, &is_inside, error);
}

// Straight to where the insertion begins, `back` metres before the place, and then along it.
static fr_status go_in(const leg *l, const fr_pose *pose, const fr__assembly_error *e, double back,
                       fr_object_id *blocker, bool *is_inside, fr_error *error) {
    fr_pose begin = e->target;
    begin.position = fr_vec3_add_scaled(begin.position, -back, e->insertion);
    fr_status status = go(l, pose, &begin, blocker, is_inside, error);
    if (status != FR_OK || !is_free(*blocker) || !(back > 0.0)) { return status; }
    return insert(l, e, back, blocker, error);
}

// ---------------------------------------------------------------------------------------------------------------
// One in the midst of the other: the path was checked against surfaces alone

typedef struct midst {
    const fr__assembly_piece *piece;
    fr_pose back; // from the world to the held object
    fr_object_id found;
} midst;

// Notes an object that lies in what is held, and refuses all: their triangles are not wanted.
static bool note(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)b;
    midst *m = context;
    const fr_object_view *view = fr_object_get(space, a);
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_vec3 corners[3];
        (void)fr_object_corners(space, a, fr_object_part(space, a, i).first_triangle, corners, NULL);
        fr_vec3 point = fr_pose_apply(&m->back, corners[0]);
        for (uint32_t k = 0; k < m->piece->part_count; k++) {
            fr_pose into = fr_pose_inverse(&m->piece->parts[k].pose);
            bool is_in = fr_mesh_contains(m->piece->parts[k].mesh, fr_pose_apply(&into, point));
            if (is_in && (m->found.index1 == 0 || a.index1 < m->found.index1)) { m->found = a; }
        }
    }
    return false;
}

static fr_status ask_midst(const leg *l, const fr_pose *target, fr_object_id *blocker, fr_error *error) {
    const fr_part_def *part = &l->piece->parts[0];
    fr_vec3 corners[3];
    fr_mesh_corners(part->mesh, 0, corners);
    fr_vec3 point = fr_pose_apply(target, fr_pose_apply(&part->pose, corners[0]));
    fr_space_closest closest;
    fr_status status = fr_space_closest_point(l->space, point, 0.0, true, l->filter, &closest, error);
    if (status == FR_OK && closest.object.index1 != 0 && closest.distance < 0.0) {
        *blocker = closest.object;
        return FR_OK;
    }
    midst m = {l->piece, fr_pose_inverse(target), {0}};
    fr_motion still = fr_motion_still(target);
    fr_query_filter filter = *l->filter;
    filter.accept = note;
    filter.context = &m;
    fr_overlap_shape shape = {.kind = FR_OVERLAP_BOX, .pose = fr_pose_identity()};
    shape.box = fr_motion_box_bounds(&still, &l->piece->box, 0.0, 0.0);
    uint32_t none = 0;
    if (status == FR_OK) { status = fr_space_overlap(l->space, &shape, &filter, NULL, 0, &none, error); }
    if (status != FR_OK) { return fr_error_set(error, status, "what is about the place cannot be queried"); }
    *blocker = m.found;
    return FR_OK;
}

static fr_query_filter filter_of(const fr__assembly_piece *piece) {
    fr_query_filter filter = fr_default_query_filter();
    filter.as_object = piece->def.object;
    return filter;
}

fr_status fr__assembly_check_path(const fr_assembly *assembly, const fr_space *space, uint32_t part, uint32_t place,
                                  const fr_pose *pose, const fr__assembly_error *e, fr_object_id *blocker,
                                  fr_error *error) {
    const fr__assembly_piece *piece = &assembly->pieces[part];
    const fr_assembly_part *def = &assembly->pieces[place].def;
    fr_query_filter filter = filter_of(piece);
    const leg l = {piece, space, &filter};
    bool has_insertion = fr_vec3_length_squared(e->insertion) > 0.25;
    double farthest = has_insertion ? def->tolerance + def->reach : 0.0;

    // From where it is; where that is blocked, once more by going back first, as a hand would
    bool is_inside = false;
    fr_status status = go_in(&l, pose, e, fmin(fmax(e->along, 0.0), farthest), blocker, &is_inside, error);
    if (status == FR_OK && !is_free(*blocker) && is_inside) {
        status = insert(&l, e, farthest, blocker, error);
    } else if (status == FR_OK && !is_free(*blocker) && has_insertion) {
        fr_object_id again;
        status = go_in(&l, pose, e, farthest, &again, &is_inside, error);
        if (status == FR_OK && is_free(again)) { *blocker = again; }
    }
    if (status != FR_OK || !is_free(*blocker)) { return status; }
    return ask_midst(&l, &e->target, blocker, error);
}

fr_status fr_assembly_interference(const fr_assembly *assembly, const fr_space *space, uint32_t part,
                                   fr_object_id *with, fr_error *error) {
    FR_ASSERT(assembly != NULL && space != NULL && with != NULL);
    *with = (fr_object_id){0};
    if (part >= assembly->count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the assembly has no part %u", (unsigned)part);
    }
    const fr__assembly_piece *piece = &assembly->pieces[part];
    const fr_object_view *view = fr_object_get(space, piece->def.object);
    if (view == NULL) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "the object of the part '%s' is not there any more", piece->name);
    }
    fr_query_filter filter = filter_of(piece);
    const leg l = {piece, space, &filter};
    bool is_inside;
    fr_status status = go(&l, &view->pose, &view->pose, with, &is_inside, error);
    if (status != FR_OK || !is_free(*with)) { return status; }
    return ask_midst(&l, &view->pose, with, error);
}
