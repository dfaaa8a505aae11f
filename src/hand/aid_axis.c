// Pegs and holes: a round place of the held object lines up with one of an object that stands.
//
// What counts is one end of each: the end of the peg and the mouth of the hole, looking at one another. In line, the
// held one can go along the line and turn about it; that it goes in is left to the displacement, which is checked
// against the real faces.
#include "aid.h"

#define MOST_NEAR 16
#define TAKE_COSINE 0.96592582628906831 // of 15 degrees
#define KEEP_COSINE 0.92387953251128674 // of 22.5 degrees
#define PARALLEL_COSINE 0.99996192306417131
#define KEEP_REACH 1.5
#define RAISES 3 // tries to line up higher above the mouth

static double reach_of(const fr_aid *aid) { return aid->def.magnet * aid->def.axis_reach; }

// ---------------------------------------------------------------------------------------------------------------
// Round places of meshes

static fr_status rounds_of(fr_aid *aid, const fr_mesh *mesh, const fr__aid_rounds **out, fr_error *error) {
    const fr__aid_rounds *known = aid->rounds.data;
    for (size_t i = 0; i < aid->rounds.count; i++) {
        if (known[i].mesh == mesh) {
            *out = &known[i];
            return FR_OK;
        }
    }
    fr__aid_rounds r = {.mesh = mesh};
    fr_status status = fr_aid_axes(mesh, &aid->def.allocator, NULL, 0, &r.count, error);
    if (status != FR_OK) { return status; }
    if (r.count > 0) {
        r.axes = fr_allocate(&aid->def.allocator, r.count, sizeof *r.axes, _Alignof(fr_aid_axis));
        if (r.axes == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the axes of a mesh"); }
        status = fr_aid_axes(mesh, &aid->def.allocator, r.axes, r.count, &r.count, error);
    }
    fr__aid_rounds *place = status == FR_OK ? fr_array_push(&aid->rounds, 1) : NULL;
    if (place == NULL) {
        fr_deallocate(&aid->def.allocator, r.axes, r.count, sizeof *r.axes);
        return status != FR_OK ? status : fr_error_set(error, FR_ERROR_MEMORY, "no memory for the axes of a mesh");
    }
    *place = r;
    (void)fr_mesh_retain(mesh);
    *out = place;
    return FR_OK;
}

void fr__aid_rounds_free(fr_aid *aid) {
    fr__aid_rounds *rounds = aid->rounds.data;
    for (size_t i = 0; i < aid->rounds.count; i++) {
        fr_deallocate(&aid->def.allocator, rounds[i].axes, rounds[i].count, sizeof *rounds[i].axes);
        fr_mesh_release(rounds[i].mesh);
    }
    fr_array_destroy(&aid->rounds);
}

// ---------------------------------------------------------------------------------------------------------------
// A peg and a hole

// One end of a round place, in the axes of its object.
typedef struct round_end {
    fr_vec3 at;
    fr_vec3 outward;
    double length;
} round_end;

static round_end end_of(const fr_aid_axis *axis, const fr_pose *part, bool is_upper) {
    double sign = is_upper ? 1.0 : -1.0;
    round_end e;
    e.at = fr_pose_apply(part, fr_vec3_add_scaled(axis->point, 0.5 * sign * axis->length, axis->direction));
    e.outward = fr_vec3_scale(sign, fr_pose_turn(part, axis->direction));
    e.length = part->scale * axis->length;
    return e;
}

// Whether one is a peg and the other a hole that it fits into at any turn.
static bool fits(const fr_aid *aid, const fr_aid_axis *a, double a_scale, const fr_aid_axis *b, double b_scale) {
    if (a->is_hole == b->is_hole) { return false; }
    double peg = a->is_hole ? b_scale * b->outer : a_scale * a->outer;
    double hole = a->is_hole ? a_scale * a->inner : b_scale * b->inner;
    return peg + 2.0 * aid->def.skin < hole && hole <= aid->def.clearance * peg;
}

// How an end of the held object stands to one of another, in the world.
typedef struct stand {
    double height;  // of the one over the other, > 0 apart
    double lateral; // of the one from the other's axis
    double cosine;  // of the angle between their axes; 1: they look at one another
} stand;

static stand stand_of(fr_vec3 at, fr_vec3 outward, fr_vec3 other_at, fr_vec3 other_outward) {
    fr_vec3 displacement = fr_vec3_sub(at, other_at);
    stand s;
    s.height = fr_vec3_dot(displacement, other_outward);
    s.lateral = fr_vec3_length(fr_vec3_add_scaled(displacement, -s.height, other_outward));
    s.cosine = -fr_vec3_dot(outward, other_outward);
    return s;
}

// Faces that hold already must lie across the axis.
static bool agrees_with_faces(const fr_aid *aid, fr_vec3 outward) {
    for (uint32_t i = 0; i < aid->face_count; i++) {
        if (fabs(fr_vec3_dot(aid->faces[i].plane.normal, outward)) < PARALLEL_COSINE) { return false; }
    }
    return true;
}

typedef struct axis_choice {
    fr_pose base;
    double best;
    fr__aid_snap *out;
    fr_aid_pair pair;
} axis_choice;

// Both ends of two round places that fit.
static void weigh(const fr__aid_frame *f, axis_choice *w, const fr_aid_axis *a, const fr_pose *a_part,
                  const fr_aid_axis *b, const fr_pose *b_part, const fr_pose *b_pose) {
    double reach = reach_of(f->aid);
    for (int k = 0; k < 4; k++) {
        round_end own = end_of(a, a_part, (k & 1) != 0), other = end_of(b, b_part, (k & 2) != 0);
        fr_vec3 outward = fr_pose_turn(b_pose, other.outward), at = fr_pose_apply(b_pose, other.at);
        stand s = stand_of(fr_pose_apply(&w->base, own.at), fr_pose_turn(&w->base, own.outward), at, outward);
        double depth = a->is_hole ? w->base.scale * own.length : b_pose->scale * other.length;
        bool is_near = s.cosine >= TAKE_COSINE && s.height <= reach && s.height >= -depth && s.lateral <= reach &&
                       s.lateral < w->best && agrees_with_faces(f->aid, outward);
        if (!is_near) { continue; }
        w->best = s.lateral;
        fr__aid_snap *snap = w->out;
        *snap = (fr__aid_snap){.held = {.kind = FR_AID_AXIS, .pair = w->pair}, .place = other.at};
        snap->outward = other.outward;
        snap->held.plane.normal_local = own.outward;
        snap->held.plane.centroid_local = own.at;
        snap->held.plane.normal = outward;
        snap->held.plane.offset = fr_vec3_dot(outward, at);
        snap->held.distance = s.lateral;
        snap->held.threshold = KEEP_REACH * reach;
    }
}

static fr_status find_in_parts(fr__aid_frame *f, axis_choice *w, const fr_object_view *view, fr_error *error) {
    fr_aid *aid = f->aid;
    fr_part_view part = fr_object_part(f->space, w->pair.other, w->pair.other_part);
    const fr_part_def *own = &aid->parts[w->pair.part];
    const fr__aid_rounds *a, *b;
    fr_status status = rounds_of(aid, part.mesh, &b, error);
    if (status == FR_OK) { status = rounds_of(aid, own->mesh, &a, error); }
    if (status != FR_OK) { return status; }
    // The list may have moved when the second was added
    (void)rounds_of(aid, part.mesh, &b, NULL);
    double a_scale = own->pose.scale * w->base.scale, b_scale = part.pose.scale * view->pose.scale;
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < b->count; k++) {
            if (!fits(aid, &a->axes[i], a_scale, &b->axes[k], b_scale)) { continue; }
            w->pair.face = i;
            w->pair.other_face = k;
            weigh(f, w, &a->axes[i], &own->pose, &b->axes[k], &part.pose, &view->pose);
        }
    }
    return FR_OK;
}

fr_status fr__aid_find_axis(fr__aid_frame *f, fr__aid_snap *out, bool *is_found, fr_error *error) {
    fr_aid *aid = f->aid;
    fr_object_id near[MOST_NEAR];
    uint32_t count = 0;
    axis_choice w = {.base = fr__aid_lay(f, &f->raw, 0), .best = HUGE_VAL, .out = out};
    *is_found = false;
    fr_status status = fr__aid_near(f, &w.base, reach_of(aid), near, MOST_NEAR, &count, error);
    for (uint32_t i = 0; status == FR_OK && i < count; i++) {
        const fr_object_view *view = fr_object_get(f->space, near[i]);
        if (view == NULL || view->vertices != NULL) { continue; }
        w.pair = (fr_aid_pair){.other = near[i]};
        for (uint32_t k = 0; status == FR_OK && k < view->part_count * aid->part_count; k++) {
            w.pair.other_part = k / aid->part_count;
            w.pair.part = k % aid->part_count;
            status = find_in_parts(f, &w, view, error);
        }
    }
    *is_found = status == FR_OK && w.best < HUGE_VAL;
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// In line

static stand stand_now(const fr__aid_frame *f, const fr_pose *pose) {
    const fr__aid_snap *s = &f->aid->snaps[0];
    const fr_aid_plane *p = &s->held.plane;
    const fr_object_view *view = fr_object_get(f->space, s->held.pair.other);
    fr_vec3 at = view != NULL ? fr_pose_apply(&view->pose, s->place) : fr_vec3_scale(p->offset, p->normal);
    return stand_of(fr_pose_apply(pose, p->centroid_local), fr_pose_turn(pose, p->normal_local), at, p->normal);
}

bool fr__aid_axis_holds(fr__aid_frame *f) {
    fr_aid_held *h = &f->aid->snaps[0].held;
    fr_pose base = fr__aid_lay(f, &f->raw, 0);
    stand s = stand_now(f, &base);
    double most = KEEP_REACH * reach_of(f->aid);
    h->distance = s.lateral;
    h->threshold = most;
    return s.lateral <= most && s.height <= most && s.cosine >= KEEP_COSINE;
}

// A pose turned into line with its end on the axis, at a height over the other end.
static fr_pose in_line(const fr__aid_frame *f, const fr_pose *pose, double height) {
    const fr__aid_snap *s = &f->aid->snaps[0];
    const fr_aid_plane *p = &s->held.plane;
    const fr_object_view *view = fr_object_get(f->space, s->held.pair.other);
    if (view == NULL) { return *pose; }
    fr_pose out = *pose;
    fr_quat turn = fr_quat_between(fr_pose_turn(pose, p->normal_local), fr_vec3_negate(p->normal));
    out.rotation = fr_quat_multiply(turn, pose->rotation);
    // A product of two unit quaternions is unit but for rounding: there is nothing to refuse
    (void)fr_quat_normalize(&out.rotation, NULL);
    fr_vec3 wanted = fr_vec3_add_scaled(fr_pose_apply(&view->pose, s->place), height, p->normal);
    fr_vec3 is = fr_pose_apply(&out, p->centroid_local);
    out.position = fr_vec3_add(out.position, fr_vec3_sub(wanted, is));
    return out;
}

fr_pose fr__aid_on_axis(const fr__aid_frame *f, const fr_pose *hand) {
    const fr_aid *aid = f->aid;
    fr_pose pose = in_line(f, hand, stand_now(f, hand).height);
    for (uint32_t i = 0; i < aid->face_count; i++) {
        const fr_aid_plane *p = &aid->faces[i].plane;
        fr_vec3 u = aid->snaps[0].held.plane.normal;
        double share = fr_vec3_dot(p->normal, u);
        if (fabs(share) < PARALLEL_COSINE) { continue; }
        double off = p->offset - fr_vec3_dot(p->normal, fr_pose_apply(&pose, p->centroid_local));
        pose.position = fr_vec3_add_scaled(pose.position, off / share, u);
    }
    return pose;
}

// What was in line with an axis that has moved was carried by it: else it would begin inside of the other.
void fr__aid_carry_on_axis(fr__aid_frame *f, const fr_aid_plane *was) {
    fr_vec3 end = fr_pose_apply(&f->from, was->centroid_local);
    double height = fr_vec3_dot(was->normal, end) - was->offset;
    stand now = stand_now(f, &f->from);
    bool is_there =
        now.lateral < f->aid->def.skin && fabs(now.height - height) < f->aid->def.skin && now.cosine > 1.0 - 1e-12;
    bool was_in_line = fr_vec3_dot(fr_pose_turn(&f->from, was->normal_local), was->normal) < -1.0 + 1e-9;
    if (was_in_line && !is_there) { f->from = in_line(f, &f->from, height); }
}

fr_status fr__aid_go_to_axis(fr__aid_frame *f, fr_pose *reached, bool *is_there, fr_error *error) {
    // The end of a tilted peg reaches below its middle: it is put in line where it is, else higher, then goes along
    stand s = stand_now(f, reached);
    double sine = sqrt(fmax(0.0, 1.0 - s.cosine * s.cosine)), raise = 0.0;
    double step = reach_of(f->aid) * fmax(sine, 0.1) + 2.0 * f->aid->def.skin, part = 0.0;
    *is_there = false;
    for (int i = 0; i < RAISES && !*is_there; i++, raise = i == 1 ? step : 4.0 * step) {
        fr_pose at, line = in_line(f, reached, s.height + raise);
        fr_status status = fr__aid_free(f, reached, &line, &at, &part, error);
        if (status != FR_OK) { return status; }
        if (part < 1.0) { continue; }
        *is_there = true;
        status = fr__aid_free(f, &line, &f->to, reached, &part, error);
        f->output->is_blocked = part < 1.0;
        return status;
    }
    return FR_OK;
}
