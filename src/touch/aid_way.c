// The way from one shown pose to the next: asked over its whole course, and cut before what is in it.
//
// Held faces lie a skin away from their planes, so sliding along them is free. A way is asked with a margin of half a
// skin, so that what stops it is not touched. What is nearer already (it was stopped there) is asked with less, and
// last with none: then it may leave or pass, but not come nearer.
#include "aid.h"

#define LEVELS 3
#define SHARE 0.125 // of the margin at each next level

// Layers, masks and groups as for any two objects; sensors stop nothing.
static bool may_meet(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)b;
    const fr_aid *aid = context;
    const fr_object_view *one = fr_object_get(space, a), *held = fr_object_get(space, aid->held);
    if (one == NULL || held == NULL || (one->flags & FR_OBJECT_SENSOR) != 0) { return false; }
    fr_filter x = one->filter, y = held->filter;
    if (x.group != 0 && x.group == y.group) { return x.group > 0; }
    return (x.layers & y.mask) != 0 && (y.layers & x.mask) != 0;
}

static fr_status ask(fr__aid_frame *f, const fr_motion *motion, double margin, fr_move_output *move, fr_error *error) {
    fr_aid *aid = f->aid;
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = aid->held;
    filter.accept = may_meet;
    filter.context = aid;
    fr_move_input q = fr_default_move_input();
    q.space = f->space;
    q.parts = aid->parts;
    q.part_count = aid->part_count;
    q.motion = *motion;
    q.margin = margin;
    q.tolerance = 1e-3 * aid->def.skin;
    q.filter = &filter;
    q.contacts = aid->contacts;
    q.capacity = FR__AID_CONTACTS;
    fr_status status = fr_collide_move(&q, move, error);
    aid->contact_count = status == FR_OK ? move->contact_count : 0;
    return status;
}

fr_status fr__aid_near(fr__aid_frame *f, const fr_pose *pose, double margin, fr_error *error) {
    fr_motion still = fr_motion_still(pose);
    fr_move_output move;
    fr_status status = ask(f, &still, margin, &move, error);
    return status == FR_OK ? fr__aid_collect(f->aid, f->space, error) : status;
}

static fr_motion motion_to(const fr__aid_frame *f, const fr_pose *from, const fr_pose *to) {
    fr_vec3 pivot = {0.0, 0.0, 0.0};
    if (f->aid->face_count > 0) { pivot = f->aid->faces[0].plane.centroid_local; }
    return fr_motion_between(from, to, pivot);
}

// How much of a way is free, 0 .. 1. `is_inside` when it begins where it shares points with something.
static fr_status free_part(fr__aid_frame *f, const fr_motion *motion, double *part, bool *is_inside, fr_error *error) {
    double margin = 0.5 * f->aid->def.skin;
    *is_inside = false;
    for (int level = 0; level < LEVELS; level++) {
        fr_move_output move;
        fr_status status = ask(f, motion, level + 1 < LEVELS ? margin : 0.0, &move, error);
        if (status != FR_OK) { return status; }
        *part = move.hit ? move.free_time : 1.0;
        if (!move.hit) { return FR_OK; }
        if (level + 1 < LEVELS && move.free_time > 0.0) { return FR_OK; }
        *is_inside = (move.first.flags & FR_CONTACT_START) != 0;
        margin *= SHARE;
    }
    // Within the least margin, and something is in the way: no nearer
    *part = 0.0;
    return FR_OK;
}

// A pose a skin away from all that is touched; false where that does not help.
static fr_status step_off(fr__aid_frame *f, fr_pose *pose, bool *is_free, fr_error *error) {
    const fr_aid *aid = f->aid;
    fr_vec3 normals[3];
    uint32_t count = 0;
    fr_pose off = *pose;
    for (uint32_t i = 0; i < aid->contact_count && count < 3; i++) {
        fr_vec3 n = aid->contacts[i].normal;
        bool is_new = fr_vec3_length_squared(n) > 0.5 && (aid->contacts[i].flags & FR_CONTACT_COPLANAR) != 0;
        for (uint32_t k = 0; k < count; k++) {
            is_new = is_new && fr_vec3_dot(normals[k], n) < 0.9;
        }
        if (!is_new) { continue; }
        normals[count++] = n;
        off.position = fr_vec3_add_scaled(off.position, -aid->def.skin, n);
    }
    fr_motion still = fr_motion_still(&off);
    fr_move_output move;
    fr_status status = ask(f, &still, 0.0, &move, error);
    *is_free = status == FR_OK && !move.hit;
    if (*is_free) { *pose = off; }
    return status;
}

// A tilted object that is laid flat on its way down would dip a little through the plane: it is turned first at the
// height it has, then goes down.
static fr_status travel_over(fr__aid_frame *f, fr_pose *reached, bool *is_through, fr_error *error) {
    const fr_aid_plane *plane = &f->aid->faces[f->aid->face_count - 1].plane;
    fr_vec3 was = fr_pose_apply(&f->from, plane->centroid_local);
    double height = fr_vec3_dot(plane->normal, was) - plane->offset;
    *is_through = false;
    if (!(height > 0.0)) { return FR_OK; }
    fr_pose over = f->to;
    over.position = fr_vec3_add_scaled(over.position, height, plane->normal);
    fr_motion motion = motion_to(f, &f->from, &over);
    double part = 0.0;
    bool is_inside;
    fr_status status = free_part(f, &motion, &part, &is_inside, error);
    if (status != FR_OK || part < 1.0) { return status; }
    motion = motion_to(f, &over, &f->to);
    status = free_part(f, &motion, &part, &is_inside, error);
    if (status != FR_OK) { return status; }
    *is_through = part >= 1.0;
    *reached = part >= 1.0 ? f->to : fr_motion_pose(&motion, part);
    return FR_OK;
}

fr_status fr__aid_travel(fr__aid_frame *f, fr_pose *reached, bool *is_blocked, fr_error *error) {
    fr_motion motion = motion_to(f, &f->from, &f->to);
    double part = 0.0;
    bool is_inside = false;
    fr_status status = free_part(f, &motion, &part, &is_inside, error);
    if (status == FR_OK && is_inside) {
        bool is_off = false;
        uint32_t contacts = f->aid->contact_count;
        status = step_off(f, &f->from, &is_off, error);
        if (status != FR_OK) { return status; }
        if (is_off) {
            motion = motion_to(f, &f->from, &f->to);
            status = free_part(f, &motion, &part, &is_inside, error);
        } else if (contacts > 0) {
            // In something already: it may be pulled out
            part = 1.0;
            f->aid->contact_count = 0;
        }
    }
    if (status != FR_OK) { return status; }
    *is_blocked = part < 1.0;
    *reached = part >= 1.0 ? f->to : fr_motion_pose(&motion, part);
    if (*is_blocked && f->aid->face_count > 0) {
        bool is_through = false;
        fr_pose other = *reached;
        status = travel_over(f, &other, &is_through, error);
        if (status != FR_OK) { return status; }
        if (is_through) {
            *reached = other;
            *is_blocked = false;
        } else {
            // What stopped the straight way is what may hold it
            status = free_part(f, &motion, &part, &is_inside, error);
        }
    }
    return status == FR_OK ? fr__aid_collect(f->aid, f->space, error) : status;
}
