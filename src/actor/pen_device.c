// A pen with a device behind it: where the device has it, what it feels, what it takes, carries and lets go, and what
// watchers see of that.
#include "actor/pen.h"

#include "shape/mesh.h"

#include <math.h>
#include <string.h>

#define REACH 0.02       // metres: faces this near are sent, also those that the tip is inside of
#define SAME_SIDE 0.5    // cosine between normals of one side of a shape that is felt on from face to face
#define SAME_PLANE 0.985 // cosine between the normals of planes that are felt as one
#define GRAVITY 9.81     // metres a second squared
#define OFF 1e-4         // metres between RAW and SHOWN that are no force
#define PARALLEL 1e-3    // of the product of normals: faces that hold alike
#define CONE 0.06        // metres: length of the pen that is shown
#define TOUCHED 2e-3     // metres before a face at which it blinks
#define BLINK 0.2        // seconds on, and as long off
#define HOLDER 0x70656e0000000001u

// ---------------------------------------------------------------------------------------------------------------
// Where the pen is

static fr_pose pose_of(const fr_pen *p, fr_vec3 tip, fr_quat rotation) {
    fr_pose pose = fr_pose_make(tip, rotation);
    pose.scale = p->scale;
    pose.position = fr_vec3_sub(tip, fr_pose_turn(&pose, fr_vec3_scale(p->scale, p->settings.point)));
    return pose;
}

static bool is_lost(const fr_haptic_state *s) {
    fr_quat q = s->rotation;
    return s->tick == 0 || (s->status & FR_DEVICE_LOST) != 0 || (s->track_flags & FR_TRACK_LOST) != 0 ||
           !fr_vec3_is_finite(s->tip) || fr_quat_normalize(&q, NULL) != FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Taking hold and letting go, between ticks

static const fr_hands *hands_of(const fr_pen *p) {
    const fr_actor *hands = fr_cast_find(p->cast, "hands");
    return hands != NULL ? hands->user : NULL;
}

static void let_go(fr_pen *p) {
    if (!p->is_holding) { return; }
    p->is_holding = false;
    // What is gone, or another's by now, is not let go by this pen.
    const fr_claim *claim = fr_cast_claim(p->cast, p->held);
    if (claim == NULL || claim->holder != p->holder) { return; }
    (void)fr_world_let_go(fr_cast_world(p->cast), p->held, NULL);
    (void)fr_cast_let_go(p->cast, p->held, p->holder, NULL);
}

static bool may_take(const fr_space *space, fr_object_id object) {
    const uint32_t never = FR_OBJECT_STATIC | FR_OBJECT_REAL | FR_OBJECT_SENSOR;
    const fr_object_view *view = fr_object_get(space, object);
    return view != NULL && (view->flags & never) == 0;
}

static bool is_takeable(const fr_space *space, fr_object_id object, fr_object_id none, void *context) {
    (void)none, (void)context;
    return may_take(space, object);
}

// The part that an assembly lets the tip catch, by its box or its surface; all zeros: none.
static fr_object_id find_part(const fr_pen *p, const fr_space *space, fr_vec3 tip) {
    const fr_hands *hands = hands_of(p);
    const fr_assembly *assembly = hands != NULL ? fr_hands_assembly(hands) : NULL;
    fr_assembly_find_output found;
    bool is_caught =
        assembly != NULL && fr_assembly_find(assembly, space, tip, &found, NULL) == FR_OK && found.part != FR_NONE;
    return is_caught ? fr_assembly_get(assembly, found.part)->object : (fr_object_id){0, 0, 0};
}

// The object next to the tip that may be taken, within the reach of the grasp.
static fr_object_id find_object(const fr_pen *p, fr_space *space, fr_vec3 tip) {
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = p->object;
    filter.accept = is_takeable;
    fr_space_closest nearest;
    memset(&nearest, 0, sizeof nearest);
    if (fr_space_update(space, NULL, NULL) != FR_OK) { return nearest.object; }
    fr_object_id part = find_part(p, space, tip);
    if (part.index1 != 0) { return part; }
    bool is_found = fr_space_closest_point(space, tip, p->grasp, false, &filter, &nearest, NULL) == FR_OK;
    return is_found ? nearest.object : (fr_object_id){0, 0, 0};
}

// What may be refused stays where it is, and the hand is empty.
static void take_hold(fr_pen *p, const fr_haptic_state *s) {
    fr_world *world = fr_cast_world(p->cast);
    fr_space *space = fr_world_space(world);
    const fr_claim claim = {
        .object = find_object(p, space, s->tip), .rank = FR_RANK_PERSON, .holder = p->holder, .name = "a pen"};
    if (claim.object.index1 == 0 || fr_cast_grab(p->cast, &claim, NULL) != FR_OK) { return; }
    fr_pose object = fr_object_get(space, claim.object)->pose, pen = fr_pose_make(s->tip, s->rotation);
    fr_pose back = fr_pose_inverse(&pen), object_back = fr_pose_inverse(&object);
    p->held = claim.object;
    p->grip = fr_pose_compose(&back, &object);
    p->grip_local = fr_pose_apply(&object_back, s->tip);
    p->is_holding = true;
    fr_rebound_body body;
    bool is_solid = fr_rebound_body_of(space, p->held, p->density, &body, NULL) == FR_OK;
    p->weight = is_solid && body.inverse_mass > 0.0 ? GRAVITY / body.inverse_mass : 0.0;
}

// RAW of what is held. A part that came to its place is let go there.
static void carry(fr_pen *p, const fr_haptic_state *s) {
    const fr_claim *claim = fr_cast_claim(p->cast, p->held);
    fr_hand_state hand;
    const fr_hands *hands = hands_of(p);
    bool is_fitted = hands != NULL && fr_hands_get(hands, p->held, &hand) && hand.is_fitted;
    if (claim == NULL || claim->holder != p->holder || is_fitted) {
        let_go(p);
        return;
    }
    fr_pose pen = fr_pose_make(s->tip, s->rotation), raw = fr_pose_compose(&pen, &p->grip);
    if (fr_world_drag(fr_cast_world(p->cast), p->held, &raw, NULL) != FR_OK) { let_go(p); }
}

fr_status fr__pen_prepare(void *user, fr_error *error) {
    (void)error;
    fr_pen *p = user;
    fr_haptic_state s = p->device.read(p->device.user);
    bool was_lost = p->is_lost;
    p->is_lost = is_lost(&s);
    p->has_change = p->is_lost != was_lost || p->has_change;
    if (p->is_lost) {
        let_go(p);
        p->is_pressed = true; // a button that is down when it is back takes nothing
        return FR_OK;
    }
    p->state = s;
    bool was_pressed = p->is_pressed;
    p->is_pressed = (s.buttons & FR_DEVICE_BUTTON_GRASP) != 0;
    if (p->is_pressed && !was_pressed && !p->is_holding) { take_hold(p, &s); }
    if (!p->is_pressed) { let_go(p); }
    if (p->is_holding) { carry(p, &s); }
    return FR_OK;
}

fr_status fr__pen_begin(void *user, fr_error *error) {
    (void)error;
    fr_pen *p = user;
    p->is_holding = false; // the claims were forgotten
    p->felt_count = 0;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// What is felt

// The normal of a face that points out of a closed mesh; of an open one to where the tip was at first.
static fr_vec3 outward_of(const fr_space *space, const fr_pen_contact *c) {
    double facing = fr_object_part(space, c->hit.object, c->hit.part).mesh->facing;
    double side = facing != 0.0 ? facing : (double)c->side;
    return side < 0.0 ? fr_vec3_negate(c->hit.normal) : c->hit.normal;
}

// A face that the tip is behind counts when the tip came in by it, or by one beside it on the same side of the shape:
// the far side of a thin thing does not push.
static bool is_felt_before(const fr_pen *p, const fr_touch_hit *hit, fr_vec3 outward) {
    for (uint32_t i = 0; i < p->felt_count; i++) {
        const fr__pen_felt *f = &p->felt_faces[i];
        bool is_same_part = fr_object_id_equal(f->object, hit->object) && f->part == hit->part;
        if (is_same_part && fr_vec3_dot(f->outward, outward) > SAME_SIDE) { return true; }
    }
    return false;
}

static bool is_another(const fr_haptic_contact *out, fr_vec3 normal) {
    for (uint32_t i = 0; i < out->plane_count; i++) {
        if (fr_vec3_dot(out->planes[i].normal, normal) > SAME_PLANE) { return false; }
    }
    return true;
}

static uint32_t plane_id(const fr_touch_hit *hit, fr_vec3 outward, double offset) {
    const int64_t name[5] = {(int64_t)hit->object.index1, (int64_t)floor(1e3 * outward.x + 0.5),
                             (int64_t)floor(1e3 * outward.y + 0.5), (int64_t)floor(1e3 * outward.z + 0.5),
                             (int64_t)floor(fmin(fmax(1e4 * offset, -1e15), 1e15) + 0.5)};
    return (uint32_t)fr_hash(name, sizeof name, 1) | 1u;
}

// The faces that are felt, nearest to the tip's inside first, as planes of other inclinations each.
static void choose_planes(fr_pen *p, const fr_space *space, fr_haptic_contact *out) {
    fr__pen_felt faces[FR__PEN_FELT];
    uint32_t count = 0;
    for (size_t i = 0; i < p->contacts.count && count < FR__PEN_FELT; i++) {
        const fr_pen_contact *c = &p->contacts.data[i];
        if (c->side == 0) { continue; }
        fr__pen_felt f = {.object = c->hit.object, .part = c->hit.part, .outward = outward_of(space, c)};
        f.triangle = c->hit.triangle;
        f.height = fr_vec3_dot(f.outward, fr_vec3_sub(p->tip, c->hit.foot));
        f.offset = fr_vec3_dot(f.outward, c->hit.foot);
        f.id = plane_id(&c->hit, f.outward, f.offset);
        if (f.height >= 0.0 || is_felt_before(p, &c->hit, f.outward)) { faces[count++] = f; }
    }
    memcpy(p->felt_faces, faces, count * sizeof faces[0]);
    p->felt_count = count;
    bool is_used[FR__PEN_FELT] = {false};
    while (out->plane_count < FR_HAPTIC_PLANES) {
        uint32_t best = FR_NONE;
        for (uint32_t i = 0; i < count; i++) {
            if (!is_used[i] && (best == FR_NONE || faces[i].height < faces[best].height)) { best = i; }
        }
        if (best == FR_NONE) { return; }
        is_used[best] = true;
        const fr__pen_felt *f = &faces[best];
        if (!is_another(out, f->outward)) { continue; }
        out->planes[out->plane_count++] =
            (fr_haptic_plane){.id = f->id, .normal = f->outward, .offset = f->offset, .side = 1};
    }
}

// Faces that hold what is in the hand, no two alike.
static void add_held(const fr_hand_state *hand, fr_haptic_hold *hold) {
    for (uint32_t i = 0; i < hand->held_count && hold->count < FR_HAPTIC_PLANES; i++) {
        const fr_aid_held *held = &hand->held[i];
        bool is_another_one = held->kind == FR_AID_FACE && held->threshold > 0.0;
        for (uint32_t k = 0; k < hold->count; k++) {
            fr_vec3 cross = fr_vec3_cross(hold->normals[k], held->plane.normal);
            is_another_one = is_another_one && fr_vec3_length(cross) > PARALLEL;
        }
        if (!is_another_one) { continue; }
        hold->normals[hold->count] = held->plane.normal;
        hold->thresholds[hold->count++] = held->threshold;
    }
}

// What is held is shown elsewhere than the hand has it: by faces that hold it, or since something is in its path.
static void feel_held(fr_pen *p, fr_haptic_contact *out) {
    fr_hand_state hand;
    const fr_hands *hands = hands_of(p);
    out->load = fr_vec3_make(0.0, -p->weight, 0.0);
    out->has_planes = true;
    p->shift = fr_vec3_make(0.0, 0.0, 0.0);
    if (hands == NULL || !fr_hands_get(hands, p->held, &hand)) { return; }
    fr_vec3 raw = fr_pose_apply(&hand.raw, p->grip_local), shown = fr_pose_apply(&hand.shown, p->grip_local);
    p->shift = fr_vec3_sub(shown, raw);
    fr_haptic_hold hold = {.raw = fr_pose_make(raw, hand.raw.rotation),
                           .shown = fr_pose_make(shown, hand.shown.rotation)};
    add_held(&hand, &hold);
    double distance = fr_vec3_length(p->shift);
    if (hold.count > 0) {
        out->has_planes = false;
        out->has_hold = true;
        out->hold = hold;
    } else if (distance > OFF) {
        fr_vec3 normal = fr_vec3_scale(1.0 / distance, p->shift);
        out->planes[out->plane_count++] =
            (fr_haptic_plane){.id = 1, .normal = normal, .offset = fr_vec3_dot(normal, shown), .side = 1};
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A tick

static fr_status report(fr_pen *p, fr_wishes *wishes, fr_error *error) {
    if (p->has_change) {
        fr_event event = {.kind = FR_EVENT_NAMED, .a = p->object, .point = p->tip};
        strcpy(event.name, p->is_lost ? FR_PEN_LOST : FR_PEN_BACK);
        fr_status status = fr_wishes_add_event(wishes, &event, error);
        if (status != FR_OK) { return status; }
        p->has_change = false;
    }
    return fr__pen_report_force(p, wishes, error);
}

fr_status fr__pen_follow(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_pen *p = user;
    if (!fr_object_exists(proposal->space, p->object)) { return FR_OK; }
    fr_haptic_contact contact;
    memset(&contact, 0, sizeof contact);
    p->felt = p->is_lost ? fr_vec3_make(0.0, 0.0, 0.0) : p->state.force;
    if (p->is_lost) { return report(p, wishes, error); }
    fr_pose pose = pose_of(p, p->state.tip, p->state.rotation);
    fr_status status = fr__pen_touch(p, proposal->space, &pose, proposal->step, NULL, error);
    if (status != FR_OK) { return status; }
    fr_vec3 shown = p->state.proxy;
    contact.has_planes = true;
    if (p->is_holding) {
        p->felt_count = 0;
        feel_held(p, &contact);
        shown = fr_vec3_add(p->state.tip, p->shift);
    } else {
        choose_planes(p, proposal->space, &contact);
    }
    p->device.send(&contact, p->device.user);
    if (!fr_vec3_is_finite(shown)) { shown = p->state.tip; }
    const fr_wish wish = {.object = p->object, .kind = FR_WISH_NEXT, .pose = pose_of(p, shown, p->state.rotation)};
    status = fr_wishes_add(wishes, &wish, error);
    return status == FR_OK ? report(p, wishes, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// What is shown: the faces that are touched blink

typedef struct touched {
    const fr_pen *pen;
    const fr_space *space;
    fr_blink_marks *marks;
} touched;

static void paint_object(const fr_draw *draw, const touched *t, fr_object_id object) {
    static const fr_color orange = {255, 150, 40, 255};
    uint32_t count;
    const unsigned char *marks = fr_blink_marks_get(t->marks, object, &count);
    for (uint32_t i = 0; marks != NULL && i < count; i++) {
        fr_vec3 corners[3];
        if (marks[i] == 0 || fr_object_corners(t->space, object, i, corners, NULL) != FR_OK) { continue; }
        double points[9];
        for (int k = 0; k < 3; k++) {
            points[3 * k] = corners[k].x;
            points[3 * k + 1] = corners[k].y;
            points[3 * k + 2] = corners[k].z;
        }
        fr_draw_triangles(draw, points, 1, orange);
    }
}

static void paint_touched(const fr_draw *draw, void *user) {
    const touched *t = user;
    for (uint32_t i = 0; i < t->pen->felt_count; i++) {
        fr_object_id object = t->pen->felt_faces[i].object;
        bool is_new = true;
        for (uint32_t k = 0; k < i; k++) {
            is_new = is_new && !fr_object_id_equal(object, t->pen->felt_faces[k].object);
        }
        if (is_new) { paint_object(draw, t, object); }
    }
}

// What is lit now, as a number; 0: nothing.
static uint64_t sum_of_touched(const fr_pen *p, double time) {
    uint64_t sum = 0;
    if (p->is_lost || (uint64_t)(fmax(time, 0.0) / BLINK) % 2 != 0) { return 0; }
    for (uint32_t i = 0; i < p->felt_count; i++) {
        const fr__pen_felt *f = &p->felt_faces[i];
        const uint32_t name[3] = {f->object.index1, f->object.generation, f->triangle};
        if (f->height <= TOUCHED) { sum += fr_hash(name, sizeof name, 7) | 1u; }
    }
    return sum;
}

void fr__pen_paint_touched(fr_painter *painter, const fr_proposal *proposal, fr_pen *p) {
    uint64_t sum = sum_of_touched(p, proposal->time);
    if (sum == p->drawn && !fr_painter_is_new(painter)) { return; }
    p->drawn = sum;
    touched t = {.pen = p, .space = proposal->space};
    fr_cast_layer layer = {.name = "touched", .user = &t};
    if (sum != 0 && fr_blink_marks_create(proposal->space, &p->allocator, &t.marks, NULL) == FR_OK) {
        for (size_t i = 0; i < p->contacts.count; i++) {
            const fr_touch_hit *hit = &p->contacts.data[i].hit;
            fr_vec3 outward = outward_of(proposal->space, &p->contacts.data[i]);
            bool is_near = fr_vec3_dot(outward, fr_vec3_sub(p->tip, hit->foot)) <= TOUCHED;
            if (is_near && is_felt_before(p, hit, outward)) { (void)fr_blink_marks_add(t.marks, hit, NULL); }
        }
        layer.paint = paint_touched;
    }
    (void)fr_painter_draw(painter, &layer, NULL);
    if (t.marks != NULL) { fr_blink_marks_destroy(t.marks); }
}

// ---------------------------------------------------------------------------------------------------------------
// Making

// A cone that is shown and meets nothing.
static fr_status add_cone(fr_pen *p, fr_error *error) {
    fr_world *world = fr_cast_world(p->cast);
    fr_mesh *mesh;
    fr_mesh_def looks = fr_default_mesh_def();
    looks.allocator = p->allocator;
    fr_status status = fr_mesh_create_named("cone", &looks, &mesh, error);
    if (status != FR_OK) { return status; }
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    part.pose.rotation = (fr_quat){0.0, 1.0, 0.0, 0.0}; // its tip is below
    fr_object_def object = fr_default_object_def();
    object.parts = &part;
    object.part_count = 1;
    object.pose.scale = CONE;
    object.flags = FR_OBJECT_SENSOR;
    object.filter = (fr_filter){.layers = 0, .mask = 0};
    status = fr_object_add(fr_world_space(world), &object, &p->object, error);
    fr_mesh_release(mesh);
    if (status != FR_OK) { return status; }
    p->owns_object = true;
    p->settings.point = fr_vec3_make(0.0, -0.5, 0.0);
    fr_label label = fr_default_label();
    label.name = "pen";
    label.color = (fr_color){200, 70, 60, 255};
    return fr_world_set_label(world, p->object, &label, error);
}

fr_status fr__pen_check_device(const fr_pen_def *def, fr_error *error) {
    if (def->device.send == NULL || def->cast == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a pen with a device needs a cast and what is sent to");
    }
    bool is_right = def->grasp >= 0.0 && isfinite(def->grasp) && def->density >= 0.0 && isfinite(def->density);
    return is_right ? FR_OK : fr_error_set(error, FR_ERROR_ARGUMENT, "the grasp or density of a pen is none");
}

fr_status fr__pen_open_device(fr_pen *p, const fr_pen_def *def, fr_error *error) {
    p->device = def->device;
    p->cast = def->cast;
    p->grasp = def->grasp;
    p->density = def->density;
    p->holder = HOLDER + fr_cast_count(def->cast);
    p->is_lost = true;
    p->settings.pairs = FR_TOUCH_ORIGIN_FACE;
    p->settings.distance = REACH;
    p->settings.strategy = FR_TOUCH_COMBINED_NEAR;
    p->settings.flags = 0;
    fr_status status = p->object.index1 == 0 ? add_cone(p, error) : FR_OK;
    if (status != FR_OK) { return status; }
    p->scale = fr_object_get(fr_world_space(fr_cast_world(p->cast)), p->object)->pose.scale;
    return FR_OK;
}

void fr__pen_close_device(fr_pen *p) {
    if (p->cast == NULL) { return; }
    let_go(p);
    fr_haptic_contact none;
    memset(&none, 0, sizeof none);
    none.has_planes = true;
    p->device.send(&none, p->device.user);
    if (p->owns_object) { (void)fr_object_remove(fr_world_space(fr_cast_world(p->cast)), p->object, NULL); }
}
