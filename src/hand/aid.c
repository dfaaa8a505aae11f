// The aid of one hand: what is held, what holds it, and the frame that goes from one shown pose to the next.
#include "aid.h"

#include <string.h>

#define AID_COOKIE 0x41494421u

fr_aid_def fr_default_aid_def(void) {
    fr_aid_def def;
    memset(&def, 0, sizeof def);
    def.weight_normals = 3.0;
    def.weight_approach = 1.0;
    def.angle_min = fr_radians(120.0);
    def.overlap_threshold = 0.05;
    def.hysteresis = 0.05;
    def.hold = 0.5;
    def.magnet = 1.0;
    def.turn_max = fr_radians(10.0);
    def.pause = 0.1;
    def.separation = 0.005;
    def.clearance = 1.15;
    def.flat = 5e-4;
    def.skin = 1e-5;
    def.cookie = AID_COOKIE;
    return def;
}

static bool is_between(double x, double low, double high) { return x >= low && x <= high; }

static fr_status check_def(const fr_aid_def *def, fr_error *error) {
    if (def->cookie != AID_COOKIE) { return fr_error_set_cookie(error, "fr_default_aid_def"); }
    bool is_right = is_between(def->weight_normals, 0.0, 1e9) && is_between(def->weight_approach, 0.0, 1e9) &&
                    is_between(def->angle_min, 0.5 * FR_PI, FR_PI) && is_between(def->overlap_threshold, 0.0, 1.0) &&
                    is_between(def->hysteresis, 0.0, 1.0) && is_between(def->hold, 0.0, 1e9) &&
                    is_between(def->turn_max, 0.0, FR_PI) && is_between(def->pause, 0.0, 1e9) &&
                    is_between(def->separation, 0.0, 1e9) && is_between(def->skin, 1e-9, 1.0) &&
                    is_between(def->magnet, 0.0, 100.0) && is_between(def->blend, 0.0, 10.0) &&
                    is_between(def->edge_reach, 0.0, 1e9) && is_between(def->axis_reach, 0.0, 1e9) &&
                    is_between(def->clearance, 1.0, 10.0) && is_between(def->friction, 0.0, 1e9) &&
                    is_between(def->flat, 0.0, 1e9);
    if (!is_right) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a number of the aid is outside its limits"); }
    return FR_OK;
}

fr_status fr_aid_create(const fr_aid_def *def, fr_aid **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_aid *aid = fr_allocate(&allocator, 1, sizeof *aid, _Alignof(fr_aid));
    if (aid == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an aid"); }
    memset(aid, 0, sizeof *aid);
    aid->def = *def;
    aid->def.allocator = allocator;
    aid->shapes = fr_array_make(sizeof(fr__aid_shape), &allocator);
    aid->rounds = fr_array_make(sizeof(fr__aid_rounds), &allocator);
    for (int k = 0; k < 2; k++) {
        aid->corners[k] = fr_array_make(sizeof(fr_vec3), &allocator);
        aid->edges[k] = fr_array_make(sizeof(fr__aid_edge), &allocator);
        aid->live[k] = fr_array_make(sizeof(uint32_t), &allocator);
    }
    *out = aid;
    return FR_OK;
}

static void let_go(fr_aid *aid) {
    for (uint32_t i = 0; i < aid->part_count; i++) {
        fr_mesh_release(aid->parts[i].mesh);
    }
    fr_deallocate(&aid->def.allocator, aid->parts, aid->part_count, sizeof *aid->parts);
    aid->parts = NULL;
    aid->part_count = 0;
    aid->face_count = 0;
    aid->reported_count = 0;
    aid->has_time = false;
    aid->is_blending = false;
    aid->was_blocked = false;
    aid->near_level = 0;
    aid->snap_count = 0;
    aid->snap_faces = 0;
    aid->stuck_count = 0;
    aid->held = (fr_object_id){0};
    memset(aid->drops, 0, sizeof aid->drops);
    fr__near_list_destroy(aid->near, &aid->def.allocator);
    aid->near = NULL;
}

void fr_aid_destroy(fr_aid *aid) {
    if (aid == NULL) { return; }
    fr_aid_join(aid, NULL);
    let_go(aid);
    fr__aid_snaps_free(aid);
    fr__aid_shapes_free(aid);
    fr_allocator allocator = aid->def.allocator;
    fr_deallocate(&allocator, aid, 1, sizeof *aid);
}

// ---------------------------------------------------------------------------------------------------------------
// Taking hold

// The centre of the volumes of the parts; of their surfaces where they enclose none.
static fr_vec3 center_of(const fr_aid *aid) {
    fr_vec3 by_volume = {0.0, 0.0, 0.0}, by_area = {0.0, 0.0, 0.0};
    double volume = 0.0, area = 0.0;
    for (uint32_t i = 0; i < aid->part_count; i++) {
        fr_mass mass = fr_mesh_mass(aid->parts[i].mesh);
        double scale = aid->parts[i].pose.scale;
        fr_vec3 center = fr_pose_apply(&aid->parts[i].pose, mass.center);
        by_volume = fr_vec3_add_scaled(by_volume, mass.volume * scale * scale * scale, center);
        by_area = fr_vec3_add_scaled(by_area, mass.area * scale * scale, center);
        volume += mass.volume * scale * scale * scale;
        area += mass.area * scale * scale;
    }
    if (volume > 0.0) { return fr_vec3_scale(1.0 / volume, by_volume); }
    return area > 0.0 ? fr_vec3_scale(1.0 / area, by_area) : by_area;
}

// The farthest that a corner of the parts' bounds is from the centre.
static double radius_of(const fr_aid *aid) {
    double radius = 0.0;
    for (uint32_t i = 0; i < aid->part_count; i++) {
        fr_bounds box = fr_mesh_get(aid->parts[i].mesh)->bounds;
        for (int k = 0; k < 8; k++) {
            fr_vec3 corner = fr_vec3_make((k & 1) != 0 ? box.max.x : box.min.x, (k & 2) != 0 ? box.max.y : box.min.y,
                                          (k & 4) != 0 ? box.max.z : box.min.z);
            fr_vec3 at = fr_pose_apply(&aid->parts[i].pose, corner);
            radius = fmax(radius, fr_vec3_distance(at, aid->center_local));
        }
    }
    return radius;
}

// What is near to a held object of more triangles is stored from one query to the next.
enum { MANY_TRIANGLES = 256 };

static uint64_t triangles_of(const fr_aid *aid) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < aid->part_count; i++) {
        count += fr_mesh_get(aid->parts[i].mesh)->triangle_count;
    }
    return count;
}

fr_status fr_aid_grasp(fr_aid *aid, const fr_space *space, fr_object_id object, fr_error *error) {
    FR_ASSERT(aid != NULL && space != NULL);
    let_go(aid);
    const fr_object_view *view = fr_object_get(space, object);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the object to be held is not there"); }
    if (view->vertices != NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "a deformed object has no faces to be held by");
    }
    aid->parts = fr_allocate(&aid->def.allocator, view->part_count, sizeof *aid->parts, _Alignof(fr_part_def));
    if (aid->parts == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts of an object"); }
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, object, i);
        aid->parts[i] = fr_default_part_def();
        aid->parts[i].mesh = fr_mesh_retain(part.mesh);
        aid->parts[i].pose = part.pose;
    }
    aid->part_count = view->part_count;
    for (uint32_t i = 0; i < aid->part_count; i++) {
        const fr_planar_faces *planar;
        fr_status status = fr__aid_planar(aid, aid->parts[i].mesh, &planar, error);
        if (status != FR_OK) {
            let_go(aid);
            return status;
        }
    }
    if (triangles_of(aid) >= MANY_TRIANGLES) {
        aid->near = fr__near_list_create(&aid->def.allocator);
        if (aid->near == NULL) {
            let_go(aid);
            return fr_error_set(error, FR_ERROR_MEMORY, "no memory for what is near an object");
        }
    }
    aid->center_local = center_of(aid);
    aid->radius = view->pose.scale * radius_of(aid);
    aid->held = object;
    aid->shown = view->pose;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// A frame

static fr_status check_frame(const fr_aid *aid, const fr_space *space, fr_pose *raw, double time, fr_error *error) {
    const fr_object_view *view = fr_object_get(space, aid->held);
    if (aid->part_count == 0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the aid holds nothing"); }
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the held object is not there any more"); }
    if (!isfinite(time)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "the time is not finite"); }
    if (aid->has_time && time < aid->time) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the time goes back"); }
    fr_status status = fr_pose_check(raw, error);
    if (status == FR_OK && raw->scale != aid->shown.scale) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the scale of the held object changes");
    }
    return status;
}

static void fill(const fr_aid *aid, fr_aid_output *output) {
    static const uint32_t freedoms[FR_AID_FACES + 1] = {6, 3, 1, 0};
    output->shown = aid->shown;
    output->held_count = aid->face_count + aid->snap_count;
    for (uint32_t i = 0; i < output->held_count; i++) {
        output->held[i] = *fr__aid_held_at(aid, i);
    }
    output->freedom = freedoms[output->held_count];
    if (fr__aid_has_axis(aid)) { output->freedom = aid->face_count > 0 ? 1 : 2; }
    fr__aid_fill_events(aid, output);
}

// Where a displacement ended.
typedef struct stop {
    fr_pose reached, to;
    fr_contact first; // that stopped it
    uint32_t contact_count;
    bool is_blocked;
} stop;

static stop stop_of(const fr__aid_frame *f, const fr_pose *reached) {
    stop s = {.reached = *reached, .to = f->to, .is_blocked = f->output->is_blocked};
    s.contact_count = f->aid->contact_count;
    if (s.contact_count > 0) { s.first = f->aid->contacts[0]; }
    return s;
}

static void go_back(fr__aid_frame *f, const stop *s, fr_pose *reached) {
    f->to = s->to;
    f->output->is_blocked = s->is_blocked;
    f->aid->contact_count = s->contact_count > 0 ? 1 : 0;
    if (s->contact_count > 0) { f->aid->contacts[0] = s->first; }
    *reached = s->reached;
}

// Goes, takes what is met, and goes again. A face that cannot be laid on the other, because something else blocks it,
// does not hold after all: it is taken back, and the displacement ends where it did before.
static fr_status go(fr__aid_frame *f, fr_pose *reached, fr_error *error) {
    fr_aid *aid = f->aid;
    fr_status status = fr__aid_travel(f, reached, &f->output->is_blocked, error);
    while (status == FR_OK) {
        fr__aid_report_contacts(f);
        stop before = stop_of(f, reached);
        if (aid->face_count == FR_AID_FACES || !fr__aid_choose(f)) { return FR_OK; }
        f->to = fr__aid_goal(f);
        status = fr__aid_travel(f, reached, &f->output->is_blocked, error);
        if (status == FR_OK && f->output->is_blocked && !fr__aid_is_held(f, reached)) {
            fr__aid_take_back(f);
            go_back(f, &before, reached);
            return FR_OK;
        }
    }
    return status;
}

// What is held, to go back to.
typedef struct holding {
    fr_aid_held faces[FR_AID_FACES];
    fr__aid_snap snaps[FR__AID_SNAPS];
    uint32_t face_count, snap_count, snap_faces;
} holding;

static holding holding_of(const fr_aid *aid) {
    holding h = {.face_count = aid->face_count, .snap_count = aid->snap_count, .snap_faces = aid->snap_faces};
    memcpy(h.faces, aid->faces, sizeof h.faces);
    memcpy(h.snaps, aid->snaps, sizeof h.snaps);
    return h;
}

static void hold_again(fr_aid *aid, const holding *h) {
    memcpy(aid->faces, h->faces, sizeof h->faces);
    memcpy(aid->snaps, h->snaps, sizeof h->snaps);
    aid->face_count = h->face_count;
    aid->snap_count = h->snap_count;
    aid->snap_faces = h->snap_faces;
}

// Stage 1: what fails comes off. Stage 2: go, take what is met, and go again. Stage 3: edges, corners and axes; go
// along what is not taken. Stage 4: supports and reports.
fr_status fr_aid_frame(fr_aid *aid, const fr_space *space, const fr_pose *raw, double time, fr_aid_output *output,
                       fr_error *error) {
    FR_ASSERT(aid != NULL && space != NULL && raw != NULL && output != NULL);
    memset(output, 0, sizeof *output);
    fr__aid_frame f = {.aid = aid, .space = space, .raw = *raw, .from = aid->shown, .time = time, .output = output};
    fr_status status = check_frame(aid, space, &f.raw, time, error);
    if (status == FR_OK && !fr_space_is_current(space)) {
        status = fr_error_set(error, FR_ERROR_STALE_DATA, "the space is to be updated first");
    }
    if (status != FR_OK) { return status; }
    aid->shared_count = 0;
    fr__aid_refresh_snaps(&f);
    fr__aid_release_failing(&f);
    fr__aid_keep_snaps(&f);

    holding held = holding_of(aid);
    fr_pose reached = f.from;
    status = go(&f, &reached, error);
    if (status == FR_OK) { status = fr__aid_take_snaps(&f, &reached, error); }
    if (status == FR_OK && output->is_blocked && aid->snap_count == 0) { status = fr__aid_slide(&f, &reached, error); }
    if (status == FR_OK) { status = fr__aid_support(&f, &reached, error); }
    if (status != FR_OK) {
        hold_again(aid, &held); // what was taken in this frame was not
        return status;
    }
    fr__aid_report_slide(&f, &reached);
    fr__aid_report_pull(&f, &reached);
    fr__aid_take_along(aid, &reached, output);
    aid->shown = reached;
    aid->was_blocked = output->is_blocked;
    fr__aid_stick(&f);
    aid->time = time;
    aid->has_time = true;
    fill(aid, output);
    return FR_OK;
}

void fr_aid_let_go(fr_aid *aid, fr_aid_output *output) {
    FR_ASSERT(aid != NULL);
    if (output != NULL) {
        memset(output, 0, sizeof *output);
        if (aid->part_count > 0) {
            fr__aid_add_event(output, FR_HAND_DONE, NULL, 0.0, 0.0)->count = aid->face_count + aid->snap_count;
        }
        fill(aid, output);
    }
    let_go(aid);
}
