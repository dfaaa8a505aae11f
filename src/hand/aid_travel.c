// The motion from one shown pose to the next: checked over its whole course, and cut before what stops it.
//
// Held faces lie a skin away from their planes, so sliding along them is free. A motion is checked with a margin of
// half a skin, so that what stops it is not touched. What is nearer already (it was stopped there) is checked with
// less, and last with none: then it may leave or pass, but not come nearer.
#include "aid.h"

#include "collide/mover.h"

#define LEVELS 3
#define STRAIGHT 0.9999 // cosine between faces that look at one another
#define SHARE 0.125     // of the margin at each next level
#define BACK 0.1        // skins that are left besides the margin
#define MIN_HEIGHT 0.1  // skins over its plane: less is lying in it
#define ROUNDS 3        // of stepping off
#define SHALLOW 0.003   // metres: what was moved into the held object by less is stepped off

// What the held object may meet: its follower moves with it.
static fr_query_filter filter_of(const fr_aid *aid) {
    const fr_aid *follower = fr__aid_follower(aid);
    fr_query_filter filter = fr_default_query_filter();
    filter.as_object = aid->held;
    if (follower != NULL) { filter.ignore = follower->held; }
    return filter;
}

// What the follower would meet on the same motion, where that is earlier. It is no face of the held object: contact and
// normal stop it, and nothing holds.
static fr_status query_follower(fr__aid_frame *f, const fr_motion *motion, const fr_move_input *own,
                                fr_move_output *move, fr_error *error) {
    fr_aid *aid = f->aid, *follower = fr__aid_follower(aid);
    aid->is_follower_stopped = false;
    if (follower == NULL || !fr_object_exists(f->space, follower->held)) { return FR_OK; }
    fr_move_input q = *own;
    fr_contact first;
    fr_query_filter filter = fr_default_query_filter();
    filter.as_object = follower->held;
    filter.ignore = aid->held;
    q.filter = &filter;
    q.parts = follower->parts;
    q.part_count = follower->part_count;
    q.contacts = &first;
    q.capacity = 1;
    (void)fr__aid_follower_motion(aid, motion, &q.motion);
    fr_move_output of_follower;
    const fr__move_options options = {.memory = &aid->memory};
    fr_status status = fr__collide_move(&q, &options, &of_follower, error);
    // What the follower is in already does not stop it
    bool is_earlier = status == FR_OK && of_follower.is_hit && (of_follower.first.flags & FR_CONTACT_START) == 0 &&
                      (!move->is_hit || of_follower.free_time < move->free_time);
    if (is_earlier) {
        *move = of_follower;
        aid->contacts[0] = of_follower.first;
        aid->contact_count = 1;
        aid->is_follower_stopped = true;
    }
    return status;
}

// With `is_to_be_free` the contacts are not wanted where the motion begins within the margin of something.
static fr_status query_contacts(fr__aid_frame *f, const fr_motion *motion, double margin, bool is_to_be_free,
                                fr_move_output *move, fr_error *error) {
    fr_aid *aid = f->aid;
    fr_query_filter filter = filter_of(aid);
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
    const fr__move_options options = {.memory = &aid->memory, .near = aid->near, .ends_at_start = is_to_be_free};
    fr_status status = fr__collide_move(&q, &options, move, error);
    aid->contact_count = status == FR_OK ? move->contact_count : 0;
    return status == FR_OK ? query_follower(f, motion, &q, move, error) : status;
}

typedef struct near_objects {
    fr_bounds bounds;
    fr_object_id *ids;
    uint32_t capacity, count;
} near_objects;

// Notes the object and refuses it: its triangles are not wanted.
static bool note(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)b;
    near_objects *n = context;
    fr_bounds bounds;
    if (n->count == n->capacity) { return false; }
    if (fr_object_bounds(space, a, &bounds, NULL) != FR_OK || !fr_bounds_overlap(&bounds, &n->bounds)) { return false; }
    for (uint32_t i = 0; i < n->count; i++) {
        if (fr_object_id_equal(n->ids[i], a)) { return false; }
    }
    n->ids[n->count++] = a;
    return false;
}

fr_status fr__aid_near(fr__aid_frame *f, const fr_pose *pose, double margin, fr_object_id *ids, uint32_t capacity,
                       uint32_t *count, fr_error *error) {
    fr_aid *aid = f->aid;
    near_objects n = {.bounds = fr_bounds_empty(), .ids = ids, .capacity = capacity};
    for (uint32_t i = 0; i < aid->part_count; i++) {
        fr_bounds box = fr_mesh_get(aid->parts[i].mesh)->bounds;
        for (int k = 0; k < 8; k++) {
            fr_vec3 corner = fr_vec3_make((k & 1) != 0 ? box.max.x : box.min.x, (k & 2) != 0 ? box.max.y : box.min.y,
                                          (k & 4) != 0 ? box.max.z : box.min.z);
            fr_vec3 at = fr_pose_apply(pose, fr_pose_apply(&aid->parts[i].pose, corner));
            n.bounds = fr_bounds_with_point(&n.bounds, at);
        }
    }
    n.bounds = fr_bounds_grow(&n.bounds, 2.0 * aid->def.skin + margin);
    fr_query_filter filter = filter_of(aid);
    filter.accept = note;
    filter.context = &n;
    fr_overlap_shape shape = {.kind = FR_OVERLAP_BOX, .box = n.bounds, .pose = fr_pose_identity()};
    uint32_t none = 0;
    fr_status status = fr_space_overlap(f->space, &shape, &filter, NULL, 0, &none, error);
    *count = n.count;
    if (status != FR_OK) { return fr_error_set(error, status, "what is near the held object cannot be queried"); }
    return FR_OK;
}

static fr_motion motion_to(const fr__aid_frame *f, const fr_pose *from, const fr_pose *to) {
    fr_vec3 pivot = {0.0, 0.0, 0.0};
    if (f->aid->face_count > 0) { pivot = f->aid->faces[0].plane.centroid_local; }
    if (fr__aid_has_axis(f->aid)) { pivot = f->aid->snaps[0].held.plane.centroid_local; }
    return fr_motion_between(from, to, pivot);
}

// A motion that is stopped backs off a little, so that what stops it is not within the margin from then on.
static fr__stop_rule stop_rule(const fr_aid *aid, const fr_motion *motion) {
    double lever = aid->radius + fr_vec3_distance(motion->pivot_local, aid->center_local) * motion->start.scale;
    double length = fr_vec3_length(motion->travel) + fr_vec3_length(motion->turn) * lever;
    return (fr__stop_rule){.length = length, .back_off = BACK * aid->def.skin, .min_share = 0.0};
}

// Checks a motion with less and less margin. `is_inside` when it begins where it shares points with something.
static fr_status check_motion(fr__aid_frame *f, const fr_motion *motion, fr_move_output *move, bool *is_inside,
                              fr_error *error) {
    static const double margins[LEVELS] = {0.5, 0.5 * SHARE, 0.0}; // skins
    fr_aid *aid = f->aid;
    *is_inside = false;
    // What was within a margin of this very pose still is: a check with it is of no use
    uint32_t level = fr__aid_same_pose(&aid->near_pose, &motion->start) ? aid->near_level : 0;
    for (; level < LEVELS; level++) {
        fr_status status = query_contacts(f, motion, margins[level] * aid->def.skin, level + 1 < LEVELS, move, error);
        if (status != FR_OK) { return status; }
        if (!move->is_hit || (level + 1 < LEVELS && move->free_time > 0.0)) { return FR_OK; }
        // What is nearer than can be distinguished stops every motion, also one that leads away
        *is_inside = (move->first.flags & FR_CONTACT_START) != 0 ||
                     (level + 1 == LEVELS && (move->first.flags & FR_CONTACT_NEAR) != 0 && move->first.time == 0.0);
        aid->near_pose = motion->start;
        aid->near_level = level + 1 < LEVELS ? level + 1 : level;
    }
    // Something is within the smallest margin and stops the motion: the body comes no nearer
    move->free_time = 0.0;
    return FR_OK;
}

// How much of a motion is free, 0 .. 1.
static fr_status free_part(fr__aid_frame *f, const fr_motion *motion, double *part, bool *is_inside, fr_error *error) {
    fr_move_output move;
    const fr__stop_rule rule = stop_rule(f->aid, motion);
    fr_status status = check_motion(f, motion, &move, is_inside, error);
    if (status == FR_OK) { *part = fr__stop_part(&move, &rule); }
    return status;
}

fr_status fr__aid_free(fr__aid_frame *f, const fr_pose *from, const fr_pose *to, fr_pose *reached, double *part,
                       fr_error *error) {
    fr_motion motion = motion_to(f, from, to);
    bool is_inside = false;
    fr_status status = free_part(f, &motion, part, &is_inside, error);
    if (status != FR_OK || is_inside) { *part = 0.0; }
    *reached = *part >= 1.0 ? *to : fr_motion_pose(&motion, *part);
    return status;
}

static fr_vec3 normal_of(const fr_vec3 corners[3]) {
    fr_vec3 n = fr_vec3_cross(fr_vec3_sub(corners[1], corners[0]), fr_vec3_sub(corners[2], corners[0]));
    return fr_vec3_unit(n, fr_vec3_make(0.0, 0.0, 0.0));
}

// The normal of the other's triangle, turned to it, where it looks straight at the held one's; zero where it does not.
// Those beside one another in the side of a pile touch too, and to go along their normals leads nowhere.
static fr_vec3 facing(const fr__aid_frame *f, const fr_contact *c) {
    const fr_aid *aid = f->aid;
    uint32_t triangle = c->triangle_a;
    for (uint32_t i = 0; i < c->part_a; i++) {
        triangle -= fr_mesh_get(aid->parts[i].mesh)->triangle_count;
    }
    fr_vec3 one[3], other[3], none = {0.0, 0.0, 0.0};
    fr_mesh_corners(aid->parts[c->part_a].mesh, triangle, one);
    if (fr_object_corners(f->space, c->b, c->triangle_b, other, NULL) != FR_OK) { return none; }
    fr_vec3 own = fr_pose_turn(&f->from, fr_pose_turn(&aid->parts[c->part_a].pose, normal_of(one)));
    fr_vec3 towards = fr_vec3_negate(normal_of(other));
    return fr_vec3_dot(own, towards) > STRAIGHT ? towards : none;
}

// The normals of what is touched, up to three that differ: of faces that look at one another, else by a flag.
static uint32_t touched(const fr__aid_frame *f, uint32_t flag, fr_vec3 normals[3]) {
    const fr_aid *aid = f->aid;
    uint32_t count = 0;
    for (uint32_t i = 0; i < aid->contact_count && count < 3; i++) {
        const fr_contact *c = &aid->contacts[i];
        fr_vec3 n = flag == 0 && c->distance >= 0.0 ? facing(f, c) : c->normal;
        bool is_new = fr_vec3_length_squared(n) > 0.5 && (flag == 0 ? c->distance >= 0.0 : (c->flags & flag) != 0);
        for (uint32_t k = 0; k < count; k++) {
            is_new = is_new && fr_vec3_dot(normals[k], n) < 0.9;
        }
        if (is_new) { normals[count++] = n; }
    }
    return count;
}

// How deep what is crossed reaches in, the largest along each of up to three normals that differ. Faces that cross
// edge to edge may report the depth of the whole object: what is deeper than SHALLOW does not count.
static uint32_t crossed(const fr_aid *aid, fr_vec3 normals[3], double depths[3]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < aid->contact_count; i++) {
        const fr_contact *c = &aid->contacts[i];
        bool is_shallow = c->distance < 0.0 && c->distance >= -SHALLOW;
        if (!is_shallow || fr_vec3_length_squared(c->normal) < 0.5) { continue; }
        uint32_t k = 0;
        while (k < count && fr_vec3_dot(normals[k], c->normal) < 0.9) {
            k++;
        }
        if (k == 3) { continue; }
        if (k == count) {
            normals[count] = c->normal;
            depths[count++] = 0.0;
        }
        depths[k] = fmax(depths[k], -c->distance);
    }
    return count;
}

// What is touched, the surest kind first; else what has come in a little.
static uint32_t touched_or_crossed(fr_vec3 normals[3], double depths[3], void *context) {
    const fr__aid_frame *f = context;
    static const uint32_t kinds[4] = {0, FR_CONTACT_COPLANAR, FR_CONTACT_TOUCHING, FR_CONTACT_NEAR};
    for (int i = 0; i < 4; i++) {
        uint32_t count = touched(f, kinds[i], normals);
        if (count > 0) { return count; }
    }
    return crossed(f->aid, normals, depths);
}

static fr_status is_free_at(const fr_pose *pose, bool *is_free, void *context, fr_error *error) {
    fr_motion still = fr_motion_still(pose);
    fr_move_output move;
    fr_status status = query_contacts(context, &still, 0.0, false, &move, error);
    *is_free = status == FR_OK && !move.is_hit;
    return status;
}

static fr_status meet(const fr_motion *motion, fr_move_output *move, const fr_contact **contacts, void *context,
                      fr_error *error) {
    fr__aid_frame *f = context;
    fr_status status = query_contacts(f, motion, 0.0, false, move, error);
    *contacts = f->aid->contacts;
    return status;
}

// A pose a skin away from all that is touched, or that has come in a little; false where that does not help.
static fr_status step_off(fr__aid_frame *f, fr_pose *pose, bool *is_free, fr_error *error) {
    const double skin = f->aid->def.skin;
    const fr__step_off step = {touched_or_crossed, is_free_at, meet, f, skin, 0.0, 1e-3 * skin, ROUNDS};
    return fr__mover_step_off(&step, pose, is_free, error);
}

// Where the held faces are laid flat as high above their planes as they are now. False where none is above its plane.
static bool lifted(const fr__aid_frame *f, fr_pose *over) {
    const fr_aid *aid = f->aid;
    fr_aid_plane planes[FR_AID_FACES];
    bool is_above = false;
    for (uint32_t i = 0; i < aid->face_count; i++) {
        planes[i] = aid->faces[i].plane;
        fr_vec3 was = fr_pose_apply(&f->from, planes[i].centroid_local);
        double height = fr_vec3_dot(planes[i].normal, was) - planes[i].offset;
        if (height > MIN_HEIGHT * aid->def.skin) {
            planes[i].offset += height;
            is_above = true;
        }
    }
    fr_pose hand = fr__aid_hand(f);
    *over = fr_aid_project(&hand, planes, aid->face_count, aid->def.pivot);
    return is_above;
}

// A tilted object that is laid flat while it goes down would dip a little through the plane: it is turned first at the
// height it has, then goes down. Where the first piece ends counts only if more of it than `least` is free.
static fr_status travel_over(fr__aid_frame *f, double least, fr_pose *reached, bool *is_through, fr_error *error) {
    *is_through = false;
    f->aid->contact_count = 0;
    fr_pose over;
    if (!lifted(f, &over)) { return FR_OK; }
    fr_motion motion = motion_to(f, &f->from, &over);
    double part = 0.0;
    bool is_inside;
    fr_status status = free_part(f, &motion, &part, &is_inside, error);
    if (status != FR_OK) { return status; }
    if (part < 1.0) {
        if (part > least) { *reached = fr_motion_pose(&motion, part); }
        return FR_OK;
    }
    motion = motion_to(f, &over, &f->to);
    status = free_part(f, &motion, &part, &is_inside, error);
    if (status != FR_OK) { return status; }
    *is_through = part >= 1.0;
    *reached = part >= 1.0 ? f->to : fr_motion_pose(&motion, part);
    return FR_OK;
}

// Laid flat from where it is, and not from where the hand wants it: that may be all there is room for.
static fr_status settle(fr__aid_frame *f, fr_pose *reached, fr_error *error) {
    const fr_aid *aid = f->aid;
    fr_aid_plane planes[FR_AID_FACES];
    for (uint32_t i = 0; i < aid->face_count; i++) {
        planes[i] = aid->faces[i].plane;
    }
    fr_pose flat = fr_aid_project(&f->from, planes, aid->face_count, aid->def.pivot);
    fr_motion motion = motion_to(f, &f->from, &flat);
    double part = 0.0;
    bool is_inside;
    fr_status status = free_part(f, &motion, &part, &is_inside, error);
    if (status == FR_OK && part >= 1.0) { *reached = flat; }
    return status;
}

// The farthest that a point of the held part may be from another.
static double extent_of(const fr_aid *aid, uint32_t part) {
    fr_bounds box = fr_mesh_get(aid->parts[part].mesh)->bounds;
    return aid->shown.scale * aid->parts[part].pose.scale * fr_vec3_distance(box.min, box.max);
}

static double tilt_of(const fr_aid_plane *plane, const fr_pose *pose) {
    return fr_vec3_length(fr_vec3_add(fr_pose_turn(pose, plane->normal_local), plane->normal));
}

// Two planes may enclose another angle than the faces by a little: as far as that keeps a face from its plane it lies
// in it still.
bool fr__aid_is_laid(const fr_aid *aid, const fr_pose *pose) {
    fr_aid_plane planes[FR_AID_FACES];
    for (uint32_t i = 0; i < aid->face_count; i++) {
        planes[i] = aid->faces[i].plane;
    }
    fr_pose flat = fr_aid_project(pose, planes, aid->face_count, aid->def.pivot);
    for (uint32_t i = 0; i < aid->face_count; i++) {
        const fr_aid_plane *plane = &planes[i];
        double height = fr_vec3_dot(plane->normal, fr_pose_apply(pose, plane->centroid_local)) - plane->offset;
        double least = tilt_of(plane, &flat);
        if (tilt_of(plane, pose) > least + 1e-6) { return false; }
        if (fabs(height) > aid->def.skin + least * extent_of(aid, aid->faces[i].pair.part)) { return false; }
    }
    return true;
}

// Whether the motion that was checked last begins in something, and not just nearer than can be distinguished.
static bool is_in_something(const fr_aid *aid) {
    for (uint32_t i = 0; i < aid->contact_count; i++) {
        if ((aid->contacts[i].flags & FR_CONTACT_START) != 0) { return true; }
    }
    return false;
}

// How much of the straight motion is free. What touches is put a skin away first; what is in something already goes
// freely.
static fr_status travel_straight(fr__aid_frame *f, fr_pose *reached, double *part, fr_error *error) {
    fr_motion motion = motion_to(f, &f->from, &f->to);
    bool is_inside = false;
    fr_status status = free_part(f, &motion, part, &is_inside, error);
    if (status == FR_OK && is_inside) {
        bool is_off = false, is_in = is_in_something(f->aid);
        status = step_off(f, &f->from, &is_off, error);
        if (status == FR_OK && is_off) {
            motion = motion_to(f, &f->from, &f->to);
            status = free_part(f, &motion, part, &is_inside, error);
        } else if (status == FR_OK && is_in) {
            *part = 1.0;
            f->aid->contact_count = 0;
        }
    }
    *reached = *part >= 1.0 ? f->to : fr_motion_pose(&motion, *part);
    return status;
}

fr_status fr__aid_travel(fr__aid_frame *f, fr_pose *reached, bool *is_blocked, fr_error *error) {
    double part = 0.0;
    fr_status status = travel_straight(f, reached, &part, error);
    f->aid->pair_count = 0;
    if (status == FR_OK) { status = fr__aid_collect(f->aid, f->space, error); }
    *is_blocked = part < 1.0;
    if (status != FR_OK || !*is_blocked || f->aid->face_count == 0 || fr__aid_has_axis(f->aid)) { return status; }
    bool is_through = false;
    status = travel_over(f, part, reached, &is_through, error);
    *is_blocked = !is_through;
    // What stops either way may hold it
    if (status == FR_OK) { status = fr__aid_collect(f->aid, f->space, error); }
    bool is_to_settle = status == FR_OK && *is_blocked && !fr__aid_is_laid(f->aid, reached);
    return is_to_settle ? settle(f, reached, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Along what stops it

#define SLIDES 2
#define MIN_TURN 1e-3 // radians: less is not worth a query

// Takes from a travel what leads along the normals of what stops it; false where nothing is left of it.
static bool keep_along(fr_vec3 *travel, const fr_vec3 *normals, uint32_t held, uint32_t count) {
    fr_vec3 basis[FR_AID_FACES + SLIDES];
    uint32_t used = 0;
    double length = fr_vec3_length(*travel);
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 n = normals[i];
        for (uint32_t k = 0; k < used; k++) {
            n = fr_vec3_add_scaled(n, -fr_vec3_dot(n, basis[k]), basis[k]);
        }
        if (fr_vec3_length(n) < 1e-6) { continue; }
        n = fr_vec3_unit(n, n);
        double into = fr_vec3_dot(*travel, n);
        // A held face is neither left nor entered; what only stops it may be left
        if (i < held || into > 0.0) { *travel = fr_vec3_add_scaled(*travel, -into, n); }
        basis[used++] = n;
    }
    return fr_vec3_length(*travel) > 1e-6 * length;
}

typedef struct held_slide {
    fr__aid_frame *frame;
    fr_pose *reached;
    fr_vec3 normals[FR_AID_FACES + SLIDES];
    uint32_t count; // of normals
} held_slide;

// The next leg: along all that stops it.
static fr_status turn_aside(fr__leg *leg, void *context, fr_error *error) {
    (void)error;
    held_slide *s = context;
    fr__aid_frame *f = s->frame;
    s->normals[s->count++] = f->aid->contacts[0].normal;
    fr_vec3 travel = fr_vec3_sub(f->to.position, s->reached->position);
    leg->is_last = !keep_along(&travel, s->normals, f->aid->face_count, s->count);
    if (leg->is_last) { return FR_OK; }
    leg->end = *s->reached;
    leg->end.position = fr_vec3_add(leg->end.position, travel);
    leg->motion = motion_to(f, s->reached, &leg->end);
    return FR_OK;
}

static fr_status check_leg(fr__leg *leg, void *context, fr_error *error) {
    const held_slide *s = context;
    bool is_inside;
    leg->rule = stop_rule(s->frame->aid, &leg->motion);
    return check_motion(s->frame, &leg->motion, &leg->move, &is_inside, error);
}

static fr_status arrive(fr__leg *leg, void *context, fr_error *error) {
    (void)error;
    const held_slide *s = context;
    *s->reached = leg->pose;
    leg->is_last = leg->part >= 1.0 || s->frame->aid->contact_count == 0;
    return FR_OK;
}

// Turns where it is, as far as that is free.
static fr_status turn_along(fr__aid_frame *f, fr_pose *reached, fr_error *error) {
    const fr_aid *aid = f->aid;
    fr_quat left = fr_quat_multiply(f->to.rotation, fr_quat_conjugate(reached->rotation));
    if (fr_vec3_length(fr_quat_to_vector(left)) < MIN_TURN) { return FR_OK; }
    fr_vec3 pivot = aid->face_count > 0 ? aid->faces[0].plane.centroid_local : aid->center_local;
    fr_pose turned = f->to;
    fr_vec3 shift = fr_vec3_sub(fr_pose_apply(reached, pivot), fr_pose_apply(&turned, pivot));
    turned.position = fr_vec3_add(turned.position, shift);
    fr_motion motion = fr_motion_between(reached, &turned, pivot);
    double part = 0.0;
    bool is_inside;
    fr_status status = free_part(f, &motion, &part, &is_inside, error);
    if (status == FR_OK && part > 0.0) { *reached = part >= 1.0 ? turned : fr_motion_pose(&motion, part); }
    return status;
}

fr_status fr__aid_slide(fr__aid_frame *f, fr_pose *reached, fr_error *error) {
    const fr_aid *aid = f->aid;
    held_slide s = {.frame = f, .reached = reached, .count = aid->face_count};
    for (uint32_t i = 0; i < s.count; i++) {
        s.normals[i] = aid->faces[i].plane.normal;
    }
    const fr__mover_def mover = {turn_aside, check_leg, arrive, &s, aid->contact_count > 0 ? SLIDES : 0};
    fr_status status = fr__mover_run(&mover, error);
    if (status != FR_OK) { return status; }
    // Two faces and more leave no turn
    bool may_turn = aid->face_count == 0 || (aid->face_count == 1 && fr__aid_is_laid(aid, reached));
    return may_turn ? turn_along(f, reached, error) : FR_OK;
}
