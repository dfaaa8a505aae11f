// A pen: what an object touches step by step, the force of each touch, and what a hand that leads it feels.
#include "actor/pen.h"

#include "fureai/base_order.h"
#include "touch/pair_query.h"

#include <math.h>
#include <string.h>

#define PEN_COOKIE 0x50454e21u
#define TICK 1e-3        // seconds
#define TICKS_MAX 1e5    // of a step
#define SLOW 0.02        // metres a second: a pen that is slower has no direction
#define FIRST_HITS 64    // that there is memory for at first
#define SAME_PLACE 1e-6  // metres between planes that are one
#define SAME_NORMAL 1e-3 // between their normals

static fr_status no_memory(fr_error *error) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a pen"); }

// ---------------------------------------------------------------------------------------------------------------
// Making

fr_pen_settings fr_default_pen_settings(void) {
    return (fr_pen_settings){.pairs = FR_TOUCH_ORIGIN_FACE,
                             .distance = 0.01,
                             .strategy = FR_TOUCH_COMBINED_NEAR,
                             .stiffness = 400.0,
                             .damping = 0.1,
                             .force_max = 4.0,
                             .pulse_force = 1.0,
                             .pulse_time = 0.06};
}

fr_pen_def fr_default_pen_def(void) {
    fr_pen_def def;
    memset(&def, 0, sizeof def);
    def.settings = fr_default_pen_settings();
    def.reach = fr_bounds_empty();
    def.grasp = 0.02;
    def.density = 700.0;
    def.cookie = PEN_COOKIE;
    return def;
}

static fr_status make_haptic(fr_pen *p, fr_error *error) {
    fr_haptic_def def = fr_default_haptic_def();
    def.stiffness = p->settings.stiffness;
    def.damping = p->settings.damping;
    def.force_max = p->settings.force_max;
    def.pulse_force = p->settings.pulse_force;
    def.pulse_time = p->settings.pulse_time;
    def.allocator = p->allocator;
    return fr_haptic_create(&def, &p->haptic, error);
}

static void set_input(fr_pen *p) {
    const fr_pen_settings *settings = &p->settings;
    p->filter = fr_default_query_filter();
    p->filter.ignore = p->object;
    p->input = fr_default_touch_input();
    p->input.origin_local = settings->point;
    p->input.pairs = settings->pairs;
    p->input.distance = settings->distance;
    p->input.strategy = settings->strategy;
    p->input.flags = settings->flags;
}

static fr_status check_def(const fr_pen_def *def, fr_error *error) {
    if (def->cookie != PEN_COOKIE) { return fr_error_set_cookie(error, "fr_default_pen_def"); }
    bool has_device = def->device.read != NULL, is_cone = has_device && def->object.index1 == 0;
    if (has_device) {
        fr_status status = fr__pen_check_device(def, error);
        if (status != FR_OK) { return status; }
    } else if (def->space == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a pen needs a space");
    }
    const fr_space *space = has_device ? fr_world_space(fr_cast_world(def->cast)) : def->space;
    if (!is_cone && !fr_object_exists(space, def->object)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object");
    }
    bool is_reach =
        fr_bounds_is_empty(&def->reach) || (fr_vec3_is_finite(def->reach.min) && fr_vec3_is_finite(def->reach.max));
    return is_reach ? FR_OK : fr_error_set(error, FR_ERROR_ARGUMENT, "the reach of a pen is not finite");
}

static fr_status prepare(fr_pen *p, const fr_pen_def *def, fr_error *error) {
    bool has_device = def->device.read != NULL;
    const fr_space *space = has_device ? fr_world_space(fr_cast_world(def->cast)) : def->space;
    fr_status status = has_device ? fr__pen_open_device(p, def, error) : FR_OK;
    if (status != FR_OK) { return status; }
    set_input(p);
    status = fr__touch_settings_check(&p->input, error);
    if (status == FR_OK) { status = make_haptic(p, error); }
    if (status != FR_OK) { return status; }
    bool is_whole = fr__retained_parts_take(&p->body, &p->allocator, space, p->object) &&
                    fr__touch_hit_array_reserve(&p->hits, FIRST_HITS);
    if (!is_whole) { return no_memory(error); }
    p->input.parts = p->body.parts;
    p->input.part_count = p->body.part_count;
    fr__pen_place_frame(p, &def->reach);
    return FR_OK;
}

fr_status fr_pen_create(const fr_pen_def *def, fr_pen **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_pen *p = fr_allocate(&allocator, 1, sizeof *p, _Alignof(fr_pen));
    if (p == NULL) { return no_memory(error); }
    memset(p, 0, sizeof *p);
    p->allocator = allocator;
    p->settings = def->settings;
    p->object = def->object;
    p->hits = fr__touch_hit_array_make(&allocator);
    p->contacts = fr__pen_contact_array_make(&allocator);
    p->before = fr__pen_contact_array_make(&allocator);
    status = prepare(p, def, error);
    if (status != FR_OK) {
        fr_pen_destroy(p);
        return status;
    }
    *out = p;
    return FR_OK;
}

void fr_pen_destroy(fr_pen *p) {
    if (p == NULL) { return; }
    fr__pen_close_device(p);
    fr_haptic_destroy(p->haptic);
    fr__retained_parts_release(&p->body);
    fr__touch_hit_array_destroy(&p->hits);
    fr__pen_contact_array_destroy(&p->contacts);
    fr__pen_contact_array_destroy(&p->before);
    fr_allocator allocator = p->allocator;
    fr_deallocate(&allocator, p, 1, sizeof *p);
}

fr_pen_output fr_pen_get(const fr_pen *p) {
    FR_ASSERT(p != NULL);
    return (fr_pen_output){.object = p->object,
                           .steps = p->steps,
                           .tip = p->tip,
                           .velocity = p->velocity,
                           .felt = p->felt,
                           .contacts = p->contacts.data,
                           .contact_count = (uint32_t)p->contacts.count,
                           .home = p->home,
                           .strings = p->strings,
                           .pull = p->pull,
                           .is_lost = p->is_lost,
                           .held = p->is_holding ? p->held : (fr_object_id){0, 0, 0}};
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts

// By point and element, which are the same for the same contact.
static bool contact_is_before(const fr_pen_contact *a, const fr_pen_contact *b) {
    const fr_touch_hit *x = &a->hit, *y = &b->hit;
    if (x->pair != y->pair) { return x->pair < y->pair; }
    if (x->point_index != y->point_index) { return x->point_index < y->point_index; }
    if (x->object.index1 != y->object.index1) { return x->object.index1 < y->object.index1; }
    return x->part != y->part ? x->part < y->part : x->element < y->element;
}

FR_SORT_TYPE(sort_contacts, fr_pen_contact, contact_is_before);
FR_SEARCH_TYPE(find_contact, fr_pen_contact, const fr_pen_contact *, contact_is_before);

static fr_status find_hits(fr_pen *p, uint32_t *count, fr_error *error) {
    for (;;) {
        p->input.hits = p->hits.data;
        p->input.capacity = (uint32_t)p->hits.capacity;
        fr_status status = fr_touch_pairs(&p->input, count, error);
        if (status != FR_OK || *count <= p->input.capacity) { return status; }
        if (!fr__touch_hit_array_reserve(&p->hits, *count)) { return no_memory(error); }
    }
}

// How far before a face the operated point is, on the side it came from; below 0 behind it. Of the operating point
// itself where it is now, also where it met the hit earlier in the step.
static double height_of(const fr_pen *p, const fr_pen_contact *c) {
    const uint32_t origins = FR_TOUCH_ORIGIN_BOX_FACE | FR_TOUCH_ORIGIN_FACE;
    fr_vec3 at = ((uint32_t)c->hit.pair & origins) != 0 ? p->tip : c->hit.point;
    return c->side * fr_vec3_dot(c->hit.normal, fr_vec3_sub(at, c->hit.foot));
}

// Along the face's normal by the law of the haptic tick; where points met, a pulse against the pen's motion, or away
// from the point, or up.
static fr_vec3 force_of(const fr_pen *p, const fr_pen_contact *c, double step) {
    const fr_pen_settings *touch = &p->settings;
    const fr_vec3 zero = {0.0, 0.0, 0.0}, up = {0.0, 1.0, 0.0};
    if (c->side != 0) {
        fr_vec3 out = fr_vec3_scale(c->side, c->hit.normal);
        double into = (touch->is_at_surface ? 0.0 : touch->distance) - height_of(p, c);
        double force = touch->stiffness * into - touch->damping * fr_vec3_dot(out, p->velocity);
        return fr_vec3_scale(fmin(fmax(force, 0.0), touch->force_max), out);
    }
    if ((double)(p->steps - c->since) * step > touch->pulse_time) { return zero; }
    fr_vec3 away = fr_vec3_unit(fr_vec3_sub(c->hit.point, c->hit.foot), up);
    if (fr_vec3_length(p->velocity) > SLOW) { away = fr_vec3_unit(fr_vec3_negate(p->velocity), away); }
    return fr_vec3_scale(touch->pulse_force, away);
}

static fr_status gather_contacts(fr_pen *p, uint32_t count, double step, fr_error *error) {
    fr__pen_contact_array last = p->before;
    p->before = p->contacts;
    p->contacts = last;
    p->contacts.count = 0;
    sort_contacts(p->before.data, p->before.count);
    for (uint32_t i = 0; i < count; i++) {
        fr_pen_contact *c = fr__pen_contact_array_push(&p->contacts, 1);
        if (c == NULL) { return no_memory(error); }
        *c = (fr_pen_contact){.hit = p->hits.data[i], .since = p->steps, .is_new = true};
        c->side = c->hit.side;
        size_t at = find_contact(p->before.data, p->before.count, c);
        if (at < p->before.count && !contact_is_before(c, &p->before.data[at])) {
            const fr_pen_contact *known = &p->before.data[at];
            c->side = known->side;
            c->since = known->since;
            c->is_new = false;
        }
        c->force = force_of(p, c, step);
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// What is felt

static bool is_known_plane(const fr_haptic_input *input, const fr_haptic_plane *plane) {
    for (uint32_t i = 0; i < input->plane_count; i++) {
        const fr_haptic_plane *other = &input->planes[i];
        bool is_near = fabs(other->offset - plane->offset) < SAME_PLACE;
        if (is_near && fr_vec3_distance(other->normal, plane->normal) < SAME_NORMAL) { return true; }
    }
    return false;
}

// The plane of a contact, moved so that the tip is before it as far as the touching point is.
static fr_haptic_plane plane_of(const fr_pen *p, const fr_pen_contact *c) {
    const fr_touch_hit *hit = &c->hit;
    fr_haptic_plane plane = {.normal = hit->normal, .side = c->side};
    plane.offset = fr_vec3_dot(hit->normal, p->tip) - c->side * height_of(p, c);
    plane.distance = p->settings.is_at_surface ? 0.0 : p->settings.distance;
    plane.id = 1 + ((((uint32_t)hit->pair * 31 + hit->point_index) * 31 + hit->object.index1) * 31 + hit->part) * 31 +
               hit->element;
    if (plane.id == 0) { plane.id = 1; }
    return plane;
}

// The planes to be sent: the deepest of the step, no two alike.
static void choose_planes(const fr_pen *p, fr_haptic_input *input) {
    const fr_pen_contact *contacts = p->contacts.data;
    double last = -INFINITY;
    while (input->plane_count < FR_HAPTIC_PLANES) {
        const fr_pen_contact *deepest = NULL;
        for (size_t i = 0; i < p->contacts.count; i++) {
            if (contacts[i].side == 0 || !(height_of(p, &contacts[i]) > last)) { continue; }
            if (deepest == NULL || height_of(p, &contacts[i]) < height_of(p, deepest)) { deepest = &contacts[i]; }
        }
        if (deepest == NULL) { return; }
        last = height_of(p, deepest);
        fr_haptic_plane plane = plane_of(p, deepest);
        if (!is_known_plane(input, &plane)) { input->planes[input->plane_count++] = plane; }
    }
}

// A hand that goes straight to where the tip is at the next step.
static void feel(fr_pen *p, fr_vec3 next, double step) {
    fr_haptic_input input = {.has_planes = true, .is_held = true};
    choose_planes(p, &input);
    const fr_pen_contact *contacts = p->contacts.data;
    for (size_t i = 0; i < p->contacts.count && !input.has_pulse; i++) {
        input.has_pulse = contacts[i].is_new && contacts[i].side == 0;
        input.pulse_from = contacts[i].hit.foot;
    }
    uint32_t ticks = (uint32_t)fmax(1.0, fmin(round(step / TICK), TICKS_MAX));
    input.dt = step / ticks;
    for (uint32_t i = 1; i <= ticks; i++) {
        fr_haptic_output output;
        input.tip = fr_vec3_lerp(p->tip, next, (double)i / ticks);
        fr_haptic_tick(p->haptic, &input, &output);
        p->felt = output.force;
        input.has_planes = input.has_pulse = false;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// A step

fr_status fr__pen_touch(fr_pen *p, const fr_space *space, const fr_pose *pose, double step, const fr_control *control,
                        fr_error *error) {
    bool is_first = p->steps == 0;
    fr_vec3 tip = fr_pose_apply(pose, p->settings.point);
    p->input.space = space;
    p->input.filter = &p->filter;
    p->input.control = control;
    p->input.last = is_first ? *pose : p->input.pose;
    p->input.pose = *pose;
    p->velocity = is_first ? fr_vec3_make(0.0, 0.0, 0.0) : fr_vec3_scale(1.0 / step, fr_vec3_sub(tip, p->tip));
    p->tip = tip;
    p->steps++;
    uint32_t count;
    fr_status status = find_hits(p, &count, error);
    return status == FR_OK ? gather_contacts(p, count, step, error) : status;
}

fr_status fr_pen_step(fr_pen *p, const fr_space *space, double step, const fr_control *control, fr_error *error) {
    FR_ASSERT(p != NULL && space != NULL);
    if (!(step > 0.0) || !isfinite(step)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a step takes a time above 0");
    }
    const fr_object_view *view = fr_object_get(space, p->object);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the pen is gone"); }
    fr_pose pose = view->pose;
    fr_vec3 tip = fr_pose_apply(&pose, p->settings.point);
    if (p->steps > 0) { feel(p, tip, step); }
    return fr__pen_touch(p, space, &pose, step, control, error);
}
