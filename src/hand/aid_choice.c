// Which faces hold, and which come off.
#include "aid.h"

#define SPAN_SINE 0.17364817766693033 // sin 10 degrees: a normal nearer to the span of those held adds nothing
#define MATCH 0.008726646259971648    // 0.5 degrees: faces must enclose the same angle as their planes

static double angle_between(fr_vec3 a, fr_vec3 b) {
    return fr_atan2(fr_vec3_length(fr_vec3_cross(a, b)), fr_vec3_dot(a, b));
}

// Edges and corners go with the faces they were taken with: where one more is taken or comes off they are gone.
static uint32_t count_held(const fr_aid *aid) { return aid->face_count + (fr__aid_has_axis(aid) ? 1 : 0); }

// ---------------------------------------------------------------------------------------------------------------
// Taking a face

// The part of a normal that is not in the span of those held.
static double beyond_span(const fr_aid *aid, fr_vec3 n) {
    fr_vec3 basis[FR_AID_FACES];
    uint32_t count = 0;
    for (uint32_t i = 0; i <= aid->face_count; i++) {
        fr_vec3 rest = i < aid->face_count ? aid->faces[i].plane.normal : n;
        for (uint32_t k = 0; k < count; k++) {
            rest = fr_vec3_add_scaled(rest, -fr_vec3_dot(rest, basis[k]), basis[k]);
        }
        if (i == aid->face_count) { return fr_vec3_length(rest); }
        basis[count++] = fr_vec3_unit(rest, n);
    }
    return 0.0;
}

static bool angles_match(const fr_aid *aid, const fr_aid_plane *plane) {
    for (uint32_t i = 0; i < aid->face_count; i++) {
        const fr_aid_plane *held = &aid->faces[i].plane;
        double faces = angle_between(held->normal_local, plane->normal_local);
        double planes = angle_between(held->normal, plane->normal);
        if (fabs(faces - planes) > MATCH) { return false; }
    }
    return true;
}

static bool is_barred(const fr__aid_frame *f, const fr_aid_pair *pair, fr_vec3 raw_centroid) {
    const fr_aid *aid = f->aid;
    for (uint32_t i = 0; i < FR__AID_DROPS; i++) {
        const fr__aid_drop *drop = &aid->drops[i];
        if (!drop->is_used || !fr__aid_same(&drop->pair, pair)) { continue; }
        bool is_near = fr_vec3_distance(drop->place, raw_centroid) < aid->def.separation;
        if (f->time - drop->time < aid->def.pause || is_near) { return true; }
    }
    return false;
}

// The displacement of the held face against the standing one; of the standing one, where the held one does not move.
static fr_vec3 displacement_of(const fr__aid_frame *f, const fr_aid_pair *pair, const fr_aid_plane *plane,
                               fr_vec3 centroid) {
    fr_vec3 from = fr_pose_apply(&f->from, plane->centroid_local);
    fr_vec3 displacement = fr_vec3_sub(fr_pose_apply(&f->to, plane->centroid_local), from);
    if (fr_vec3_length_squared(displacement) > 0.0) { return displacement; }
    const fr_object_view *view = fr_object_get(f->space, pair->other);
    if (view == NULL || !view->is_moving) { return displacement; }
    fr_pose back = fr_pose_inverse(&view->pose);
    fr_vec3 at = fr_pose_apply(&back, centroid);
    return fr_vec3_sub(centroid, fr_motion_point(&view->motion, at, 1.0));
}

// Whether three planes stand so that the third face lies in its own after the first two have turned the object.
static bool is_laid(const fr_pose *pose, const fr_aid_plane *plane) {
    fr_vec3 m = fr_pose_turn(pose, plane->normal_local);
    return angle_between(m, fr_vec3_negate(plane->normal)) <= MATCH;
}

// What a pair would be as one more face; false where it is no candidate.
static bool weigh(const fr__aid_frame *f, const fr_aid_pair *pair, fr_aid_held *out, double *attraction) {
    fr_aid *aid = f->aid;
    fr__aid_face held, other;
    if (!fr__aid_faces_of(aid, f->space, pair, &f->to, &held, &other)) { return false; }
    fr_aid_plane plane = fr__aid_plane_of(aid, pair, &other);
    if (fr_vec3_length_squared(held.normal) < 0.5 || fr_vec3_length_squared(plane.normal) < 0.5) { return false; }
    if (angle_between(held.normal, plane.normal) < aid->def.angle_min) { return false; }
    fr_vec3 displacement = displacement_of(f, pair, &plane, other.centroid);
    if (!(fr_vec3_dot(displacement, plane.normal) < 0.0)) { return false; }
    if (fr__aid_is_beside_axis(aid, &plane)) { return false; }
    if (beyond_span(aid, plane.normal) <= SPAN_SINE || !angles_match(aid, &plane)) { return false; }
    fr_vec3 raw_centroid = fr_pose_apply(&f->raw, plane.centroid_local);
    if (is_barred(f, pair, raw_centroid)) { return false; }

    // With it held: how far it turns, and what the faces share then
    *out = (fr_aid_held){.pair = *pair, .plane = plane};
    aid->faces[aid->face_count] = *out;
    aid->face_count++;
    fr_pose laid = fr__aid_goal(f);
    aid->face_count--;
    if (!is_laid(&laid, &plane)) { return false; }
    fr_quat turn = fr_quat_multiply(laid.rotation, fr_quat_conjugate(f->to.rotation));
    if (aid->face_count > 0 && fr_vec3_length(fr_quat_to_vector(turn)) > aid->def.turn_max) { return false; }
    *attraction =
        fr__aid_attraction(held.normal, plane.normal, displacement, aid->def.weight_normals, aid->def.weight_approach);
    out->area = fr__aid_area(aid, f->space, pair, &laid, &out->ratio);
    out->distance = fr_vec3_dot(plane.normal, raw_centroid) - plane.offset;
    out->threshold = fr__aid_threshold(aid, out->area);
    return out->ratio > aid->def.overlap_threshold + aid->def.hysteresis;
}

static bool is_lower(const fr_aid_pair *a, const fr_aid_pair *b) {
    if (a->other.index1 != b->other.index1) { return a->other.index1 < b->other.index1; }
    if (a->other_part != b->other_part) { return a->other_part < b->other_part; }
    if (a->other_face != b->other_face) { return a->other_face < b->other_face; }
    return a->part != b->part ? a->part < b->part : a->face < b->face;
}

bool fr__aid_choose(fr__aid_frame *f) {
    fr_aid *aid = f->aid;
    fr_aid_held best = {.area = 0.0};
    double best_attraction = -1.0;
    if (!(aid->def.magnet > 0.0)) { return false; }
    for (uint32_t i = 0; i < aid->pair_count; i++) {
        fr_aid_held held;
        double attraction;
        if (!weigh(f, &aid->pairs[i], &held, &attraction)) { continue; }
        bool is_equal = attraction == best_attraction;
        bool is_better = attraction > best_attraction || (is_equal && held.area > best.area) ||
                         (is_equal && held.area == best.area && is_lower(&held.pair, &best.pair));
        if (is_better) {
            best = held;
            best_attraction = attraction;
        }
    }
    if (best_attraction < 0.0) { return false; }
    aid->faces[aid->face_count++] = best;
    fr_vec3 from = fr_pose_apply(&f->from, best.plane.centroid_local);
    fr_vec3 to = fr_pose_apply(&f->to, best.plane.centroid_local);
    double dt = aid->has_time ? f->time - aid->time : 0.0;
    double displacement = fabs(fr_vec3_dot(best.plane.normal, fr_vec3_sub(to, from)));
    fr_hand_event *e =
        fr__aid_add_event(f->output, FR_HAND_SNAP, &best.pair, dt > 0.0 ? displacement / dt : 0.0, best.area);
    e->count = count_held(aid);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Letting go of one

// It may not be taken again for a while.
static void bar(fr__aid_frame *f, const fr_aid_held *held) {
    fr_aid *aid = f->aid;
    fr__aid_drop *mark = &aid->drops[aid->drop_next++ % FR__AID_DROPS];
    *mark = (fr__aid_drop){.pair = held->pair, .time = f->time, .is_used = true};
    mark->place = fr_pose_apply(&f->raw, held->plane.centroid_local);
}

bool fr__aid_is_held(fr__aid_frame *f, const fr_pose *pose) {
    fr_aid *aid = f->aid;
    double ratio;
    if (!fr__aid_is_laid(aid, pose)) { return false; }
    (void)fr__aid_area(aid, f->space, &aid->faces[aid->face_count - 1].pair, pose, &ratio);
    return ratio > aid->def.overlap_threshold + aid->def.hysteresis;
}

void fr__aid_take_back(fr__aid_frame *f) {
    fr_aid_output *out = f->output;
    f->aid->face_count--;
    bar(f, &f->aid->faces[f->aid->face_count]);
    // It is the last that was reported; contacts may have been reported since
    for (uint32_t i = out->event_count; i-- > 0;) {
        if (out->events[i].kind != FR_HAND_SNAP) { continue; }
        for (uint32_t k = i; k + 1 < out->event_count; k++) {
            out->events[k] = out->events[k + 1];
        }
        out->event_count--;
        return;
    }
}

static void drop(fr__aid_frame *f, uint32_t index, fr_aid_cause cause) {
    fr_aid *aid = f->aid;
    const fr_aid_held held = aid->faces[index];
    for (uint32_t i = index; i + 1 < aid->face_count; i++) {
        aid->faces[i] = aid->faces[i + 1];
    }
    aid->face_count--;
    bar(f, &held);
    fr__aid_begin_blend(f);
    fr_hand_event *e = fr__aid_add_event(f->output, FR_HAND_RELEASE, &held.pair, 0.0, 0.0);
    e->cause = cause;
    e->count = count_held(aid);
    e->pull = cause == FR_AID_CAUSE_DISTANCE ? 1.0 : 0.0;
    // Where it was held, not where it jumps to
    e->point = fr_pose_apply(&f->from, held.plane.centroid_local);
}

static bool is_same_plane(const fr_aid_plane *a, const fr_aid_plane *b) {
    return fr_vec3_equal(a->normal, b->normal) && a->offset == b->offset;
}

// What lies on faces that have moved was carried by them: else it would begin inside of them.
static void carry(fr__aid_frame *f) {
    const fr_aid *aid = f->aid;
    fr_aid_plane planes[FR_AID_FACES];
    for (uint32_t i = 0; i < aid->face_count; i++) {
        planes[i] = aid->faces[i].plane;
    }
    f->from = fr_aid_project(&f->from, planes, aid->face_count, aid->def.pivot);
}

// Where the planes are now; those whose face is not there any more, or that cannot be held together, go.
static void refresh(fr__aid_frame *f) {
    fr_aid *aid = f->aid;
    bool has_moved = false, lies = fr__aid_is_laid(aid, &f->from);
    for (uint32_t i = 0; i < aid->face_count;) {
        fr__aid_face held, other;
        fr_aid_plane was = aid->faces[i].plane;
        bool is_there = fr__aid_faces_of(aid, f->space, &aid->faces[i].pair, &f->raw, &held, &other);
        if (is_there) { aid->faces[i].plane = fr__aid_plane_of(aid, &aid->faces[i].pair, &other); }
        has_moved = has_moved || !is_same_plane(&was, &aid->faces[i].plane);
        uint32_t all = aid->face_count;
        aid->face_count = i;
        bool fits = is_there && (i == 0 || (angles_match(aid, &aid->faces[i].plane) &&
                                            beyond_span(aid, aid->faces[i].plane.normal) > SPAN_SINE));
        aid->face_count = all;
        if (fits) {
            i++;
        } else {
            drop(f, i, FR_AID_CAUSE_GONE);
        }
    }
    if (has_moved && lies && aid->face_count > 0) { carry(f); }
}

// How far over its limit a face is: above 1 it comes off, infinite without overlap.
static double strain(fr__aid_frame *f, fr_aid_held *h) {
    const fr_aid_def *def = &f->aid->def;
    // What was kept from where the hand wants it holds by what it lies on, not by what it would lie on there
    double shown_area = h->area - h->support, shown_ratio = h->ratio;
    double own = fr__aid_area(f->aid, f->space, &h->pair, &f->to, &h->ratio);
    if (f->aid->was_blocked) {
        own = fmin(own, shown_area);
        h->ratio = fmin(h->ratio, shown_ratio);
    }
    h->area = own + h->support;
    double least = fmax(0.0, def->overlap_threshold - def->hysteresis);
    fr_vec3 point = def->is_as_printed ? f->aid->center_local : h->plane.centroid_local;
    h->distance = fr_vec3_dot(h->plane.normal, fr_pose_apply(&f->raw, point)) - h->plane.offset;
    h->threshold = fr__aid_threshold(f->aid, h->area);
    if (h->ratio <= least && !(h->support > 0.0)) { return HUGE_VAL; }
    double pulled = def->may_release_inward ? fabs(h->distance) : h->distance;
    return pulled > h->threshold ? pulled / h->threshold : 0.0;
}

void fr__aid_release_failing(fr__aid_frame *f) {
    fr_aid *aid = f->aid;
    refresh(f);
    for (;;) {
        f->to = fr__aid_goal(f);
        double worst = 0.0;
        uint32_t index = 0;
        for (uint32_t i = 0; i < aid->face_count; i++) {
            double s = strain(f, &aid->faces[i]);
            if (s > worst) {
                worst = s;
                index = i;
            }
        }
        if (worst <= 1.0) { return; }
        drop(f, index, worst < HUGE_VAL ? FR_AID_CAUSE_DISTANCE : FR_AID_CAUSE_OVERLAP);
    }
}
