// What snaps besides faces: edges, corners and axes. They are taken last in a frame and only where the path to them is
// free, and they come off at one and a half times the reach at which they are taken, so that nothing chatters.
#include "aid.h"

bool fr__aid_has_axis(const fr_aid *aid) { return aid->snap_count > 0 && aid->snaps[0].held.kind == FR_AID_AXIS; }

bool fr__aid_is_beside_axis(const fr_aid *aid, const fr_aid_plane *plane) {
    return fr__aid_has_axis(aid) && fabs(fr_vec3_dot(plane->normal, aid->snaps[0].held.plane.normal)) < 0.99;
}

const fr_aid_held *fr__aid_held_at(const fr_aid *aid, uint32_t index) {
    return index < aid->face_count ? &aid->faces[index] : &aid->snaps[index - aid->face_count].held;
}

fr_pose fr__aid_lay(const fr__aid_frame *f, const fr_pose *hand, uint32_t snaps) {
    const fr_aid *aid = f->aid;
    if (fr__aid_has_axis(aid) && snaps > 0) { return fr__aid_on_axis(f, hand); }
    fr_aid_plane planes[FR_AID_FACES];
    uint32_t count = 0;
    for (; count < aid->face_count; count++) {
        planes[count] = aid->faces[count].plane;
    }
    // Edges and corners are of the faces they were taken with; while a face more is tried they are not there
    if (aid->face_count == aid->snap_faces) {
        for (uint32_t i = 0; i < snaps && i < aid->snap_count && count < FR_AID_FACES; i++) {
            planes[count++] = aid->snaps[i].held.plane;
        }
    }
    return fr_aid_project(hand, planes, count, aid->def.pivot);
}

// ---------------------------------------------------------------------------------------------------------------
// Letting go

// Drops the snaps from an index on: the later ones were found with those before them.
static void drop_from(fr__aid_frame *f, uint32_t index, fr_aid_cause cause) {
    fr_aid *aid = f->aid;
    if (index >= aid->snap_count) { return; }
    fr__aid_begin_blend(f);
    while (aid->snap_count > index) {
        const fr_aid_held *h = &aid->snaps[--aid->snap_count].held;
        fr_hand_event *e = fr__aid_add_event(f->output, FR_HAND_RELEASE, &h->pair, 0.0, 0.0);
        e->held = h->kind;
        e->cause = cause;
        e->count = aid->face_count + aid->snap_count;
        e->pull = cause == FR_AID_CAUSE_DISTANCE ? 1.0 : 0.0;
        e->point = fr_pose_apply(&f->from, h->plane.centroid_local);
    }
}

void fr__aid_refresh_snaps(fr__aid_frame *f) {
    fr_aid *aid = f->aid;
    for (uint32_t i = 0; i < aid->snap_count; i++) {
        fr__aid_snap *s = &aid->snaps[i];
        const fr_object_view *view = fr_object_get(f->space, s->held.pair.other);
        if (view == NULL || view->vertices != NULL) {
            drop_from(f, i, FR_AID_CAUSE_GONE);
            return;
        }
        fr_aid_plane was = s->held.plane;
        fr_vec3 outward = fr_pose_turn(&view->pose, s->outward);
        s->held.plane.normal = s->held.kind == FR_AID_AXIS ? outward : fr_vec3_negate(outward);
        s->held.plane.offset = fr_vec3_dot(s->held.plane.normal, fr_pose_apply(&view->pose, s->place));
        if (s->held.kind == FR_AID_AXIS) { fr__aid_carry_on_axis(f, &was); }
    }
}

// Edges and corners go with the faces they were taken with: when one comes off, and when one more is taken.
static void yield(fr__aid_frame *f) {
    const fr_aid *aid = f->aid;
    if (!fr__aid_has_axis(aid) && aid->face_count != aid->snap_faces) { drop_from(f, 0, FR_AID_CAUSE_GONE); }
}

void fr__aid_keep_snaps(fr__aid_frame *f) {
    fr_aid *aid = f->aid;
    if (aid->snap_count == 0) { return; }
    if (fr__aid_has_axis(aid) && !fr__aid_axis_holds(f)) { drop_from(f, 0, FR_AID_CAUSE_DISTANCE); }
    yield(f);
    for (uint32_t i = 0; i < aid->snap_count && !fr__aid_has_axis(aid); i++) {
        if (!fr__aid_edge_holds(f, i)) { drop_from(f, i, FR_AID_CAUSE_DISTANCE); }
    }
    f->to = fr__aid_goal(f);
}

// ---------------------------------------------------------------------------------------------------------------
// Taking

// What was tried as the last snap is held from now on.
static void report_snap(fr__aid_frame *f, const fr_pose *before, const fr_pose *reached) {
    const fr_aid *aid = f->aid;
    const fr_aid_held *h = &aid->snaps[aid->snap_count - 1].held;
    fr_vec3 from = fr_pose_apply(before, h->plane.centroid_local), to = fr_pose_apply(reached, h->plane.centroid_local);
    double dt = aid->has_time ? f->time - aid->time : 0.0;
    fr_hand_event *e =
        fr__aid_add_event(f->output, FR_HAND_SNAP, &h->pair, dt > 0.0 ? fr_vec3_distance(from, to) / dt : 0.0, 0.0);
    e->held = h->kind;
    e->count = aid->face_count + aid->snap_count;
    e->point = to;
}

static fr_status take_axis(fr__aid_frame *f, fr_pose *reached, fr_error *error) {
    fr_aid *aid = f->aid;
    fr__aid_snap snap;
    bool is_there = false;
    fr_status status = fr__aid_find_axis(f, &snap, &is_there, error);
    if (status != FR_OK || !is_there) { return status; }
    fr_pose before = *reached, to = f->to;
    aid->snaps[aid->snap_count++] = snap;
    aid->snap_faces = aid->face_count;
    f->to = fr__aid_goal(f);
    status = fr__aid_go_to_axis(f, reached, &is_there, error);
    if (status == FR_OK && is_there) {
        report_snap(f, &before, reached);
        return status;
    }
    aid->snap_count--;
    f->to = to;
    *reached = before;
    return status;
}

// True as long as one more was taken.
static fr_status take_edge(fr__aid_frame *f, fr_pose *reached, bool *is_taken, fr_error *error) {
    fr_aid *aid = f->aid;
    fr__aid_snap snap;
    *is_taken = false;
    if (!fr__aid_find_edge(f, &snap)) { return FR_OK; }
    aid->snaps[aid->snap_count++] = snap;
    aid->snap_faces = aid->face_count;
    fr_pose to = fr__aid_goal(f), at;
    double part = 0.0;
    fr_status status = fr__aid_free(f, reached, &to, &at, &part, error);
    *is_taken = status == FR_OK && part >= 1.0;
    if (*is_taken) {
        report_snap(f, reached, &to);
        *reached = f->to = to;
    } else {
        aid->snap_count--;
    }
    return status;
}

fr_status fr__aid_take_snaps(fr__aid_frame *f, fr_pose *reached, fr_error *error) {
    fr_aid *aid = f->aid;
    yield(f);
    double reach = aid->def.magnet * aid->def.axis_reach;
    if (reach > 0.0 && aid->snap_count == 0 && aid->face_count < 2) {
        fr_status status = take_axis(f, reached, error);
        if (status != FR_OK || fr__aid_has_axis(aid)) { return status; }
    }
    // What is stopped somewhere else does not line up with edges
    reach = aid->def.magnet * aid->def.edge_reach;
    bool is_taken = reach > 0.0 && !f->output->is_blocked && !fr__aid_has_axis(aid);
    while (is_taken && aid->face_count > 0 && aid->face_count + aid->snap_count < FR_AID_FACES) {
        fr_status status = take_edge(f, reached, &is_taken, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

void fr__aid_snaps_free(fr_aid *aid) { fr__aid_rounds_free(aid); }
