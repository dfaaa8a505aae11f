// What objects without a class afford by their surfaces (human_surface.h): for each body of other measures they are
// found on demand, and what an object offers becomes a class of its own, with frames at the
// targets.
#include "act/offers.h"

#include "fureai/base_drawing.h"
#include "fureai/human_surface.h"

#include <math.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 1 << 15, MOTIONS_MAX = 24, MOTION_BYTES = 1 << 10 };

// Hips are so high over a foot's joint that the sole is lower by this, metres.
static const double SOLE = 0.08;

typedef struct offers_body {
    fr_body_measures measures;
    fr_surfaces *surfaces;
    bool is_seen;  // the surfaces are those of a space with
    uint64_t seen; // these versions
} offers_body;

// What an object offers to a body.
typedef struct offers_object {
    fr_object_id object;
    uint32_t body;
    uint64_t found; // number of the look that found it last
    uint64_t hash;  // of its surfaces
    fr_class *c;    // NULL: nothing
} offers_object;

FR_ARRAY_TYPE(offers_body_array, offers_body);
FR_ARRAY_TYPE(offers_object_array, offers_object);

struct fr__offers {
    offers_body_array bodies;
    offers_object_array objects;
    uint64_t finds; // looks
    fr_allocator allocator;
};

fr__offers *fr__offers_create(const fr_allocator *allocator) {
    fr__offers *o = fr_allocate(allocator, 1, sizeof *o, alignof(fr__offers));
    if (o == NULL) { return NULL; }
    *o = (fr__offers){.allocator = *allocator};
    o->bodies = offers_body_array_make(allocator);
    o->objects = offers_object_array_make(allocator);
    return o;
}

void fr__offers_destroy(fr__offers *offers) {
    if (offers == NULL) { return; }
    for (size_t i = 0; i < offers->bodies.count; i++) {
        fr_surfaces_destroy(offers->bodies.data[i].surfaces);
    }
    for (size_t i = 0; i < offers->objects.count; i++) {
        fr_class_release(offers->objects.data[i].c);
    }
    offers_body_array_destroy(&offers->bodies);
    offers_object_array_destroy(&offers->objects);
    fr_allocator allocator = offers->allocator;
    fr_deallocate(&allocator, offers, 1, sizeof *offers);
}

// ---------------------------------------------------------------------------------------------------------------
// Surfaces of a body

// Bodies are left out: they move, and are looked at when something is done.
static bool is_thing(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)b, (void)context;
    const fr_object_view *view = fr_object_get(space, a);
    return view != NULL && (view->flags & FR_OBJECT_PROXY) == 0 && view->bone_count == 0;
}

// A hash of what was changed so far in a space.
static uint64_t hash_versions(const fr_space *space) {
    uint64_t hash = 0;
    uint32_t places = fr_space_object_places(space);
    for (uint32_t i = 0; i < places; i++) {
        const fr_object_id id = fr_space_object_at(space, i);
        const fr_versions v = fr_object_versions(space, id);
        const uint64_t parts[6] = {id.index1, id.generation, v.shape, v.vertices, v.pose, v.filter};
        hash = fr_hash(parts, sizeof parts, hash);
    }
    return hash;
}

static fr_status add_body(fr_director *d, const fr__director_person *person, const fr_body_measures *measures,
                          fr_error *error) {
    const fr_pose *links = fr_person_links(person->person);
    fr_surfaces_def def = fr_default_surfaces_def();
    offers_body *body = offers_body_array_push(&d->offers->bodies, 1);
    if (body == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the surfaces of a body"); }
    *body = (offers_body){.measures = *measures};
    def.measures = *measures;
    def.ground = fmin(links[FR_LINK_LEFT_FOOT].position.y, links[FR_LINK_RIGHT_FOOT].position.y) - SOLE;
    def.allocator = d->allocator;
    fr_status status = fr_surfaces_create(&def, &body->surfaces, error);
    if (status != FR_OK) { d->offers->bodies.count--; }
    return status;
}

// The body of a person, with its surfaces as they are now; FR_NONE: it has no measures.
static fr_status find_body(fr_director *d, const fr__director_person *person, uint32_t *out, fr_error *error) {
    fr_body_measures measures;
    const fr_figure *figure = fr_performer_get(fr_person_performer(person->person)).figure;
    *out = FR_NONE;
    if (figure == NULL || fr_body_measures_of(figure, &measures, NULL) != FR_OK) { return FR_OK; }
    uint32_t at = 0;
    while (at < d->offers->bodies.count &&
           memcmp(&d->offers->bodies.data[at].measures, &measures, sizeof measures) != 0) {
        at++;
    }
    fr_status status = at == d->offers->bodies.count ? add_body(d, person, &measures, error) : FR_OK;
    if (status != FR_OK) { return status; }
    *out = at;
    offers_body *body = &d->offers->bodies.data[at];
    fr_space *space = fr_world_space(d->world);
    if (!fr_space_is_current(space)) { status = fr_space_update(space, d->def.tasks, error); }
    uint64_t seen = hash_versions(space);
    if (status != FR_OK || (body->is_seen && body->seen == seen)) { return status; }
    fr_query_filter filter = fr_default_query_filter();
    filter.accept = is_thing;
    fr_surfaces_input input = fr_default_surfaces_input();
    input.space = space;
    input.filter = &filter;
    input.tasks = d->def.tasks;
    status = fr_surfaces_update(body->surfaces, &input, error);
    body->is_seen = status == FR_OK;
    body->seen = seen;
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// A class of them

typedef struct offers_text {
    char *bytes;
    size_t size;
    fr_pose frame;                          // of the object
    uint32_t counts[FR_SURFACE_KIND_COUNT]; // motions of each kind
    uint32_t count;
} offers_text;

static void put(offers_text *t, const char *format, ...) FR_PRINTF(2, 3);

static void put(offers_text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vsnprintf(t->bytes + t->size, TEXT_BYTES - t->size, format, list);
    va_end(list);
    t->size += length > 0 ? (size_t)length : 0;
    if (t->size >= TEXT_BYTES) { t->size = TEXT_BYTES - 1; }
}

// The same in every locale.
static void put_number(offers_text *t, double value) {
    char digits[FR_NUMBER_BYTES + 1];
    digits[fr_number_write(value, digits)] = '\0';
    put(t, "%s", digits);
}

static void put_list(offers_text *t, const double *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        put(t, i == 0 ? "[" : ",");
        put_number(t, numbers[i]);
    }
    put(t, "]");
}

static double yaw_of(fr_quat rotation) {
    fr_vec3 z = fr_mat3_apply(fr_quat_to_mat3(rotation), fr_vec3_make(0.0, 0.0, 1.0));
    return fr_atan2(z.x, z.z);
}

static void put_frame(offers_text *t, const char *name, const fr_pose *world) {
    fr_pose back = fr_pose_inverse(&t->frame), local = fr_pose_compose(&back, world);
    fr_vec3 turn = fr_quat_to_vector(local.rotation), axis = fr_vec3_unit(turn, fr_vec3_make(0.0, 0.0, 1.0));
    const double place[3] = {local.position.x, local.position.y, local.position.z};
    const double numbers[4] = {axis.x, axis.y, axis.z, fr_degrees(fr_vec3_length(turn))};
    put(t, "{\"name\":\"%s\",\"position\":", name);
    put_list(t, place, 3);
    put(t, ",\"axis_angle_deg\":");
    put_list(t, numbers, 4);
    put(t, "},");
}

static void put_walk(offers_text *t, fr_vec3 place, double heading) {
    fr_pose back = fr_pose_inverse(&t->frame);
    fr_vec3 goal = fr_pose_apply(&back, place);
    const double numbers[3] = {goal.x, goal.y, goal.z};
    put(t, "{\"skill\":\"walk\",\"parameters\":{\"goal\":");
    put_list(t, numbers, 3);
    put(t, ",\"facing_deg\":");
    put_number(t, fr_degrees(heading - yaw_of(t->frame.rotation)));
    put(t, "}}");
}

static bool is_offered(const fr_surface *s) {
    static const fr_surface_kind kinds[] = {FR_SURFACE_SIT,      FR_SURFACE_PUT,   FR_SURFACE_LEAN,  FR_SURFACE_PASS,
                                            FR_SURFACE_SIDEWAYS, FR_SURFACE_GRASP, FR_SURFACE_PRESS, FR_SURFACE_HOLD};
    bool is_one = false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        is_one = is_one || s->kind == kinds[i];
    }
    return is_one;
}

// Whether the outward direction of a target is level.
static bool is_upright(const fr_surface *s) {
    return fabs(fr_mat3_apply(fr_quat_to_mat3(s->target.rotation), fr_vec3_make(0.0, 0.0, 1.0)).y) < 0.5;
}

// What is done at the target, after the walk.
static void put_skills(offers_text *t, const fr_surface *s, const char *name) {
    switch (s->kind) {
    case FR_SURFACE_SIT: put(t, ",{\"skill\":\"sit\",\"parameters\":{\"frame\":\"%s\"}}]", name); break;
    case FR_SURFACE_PUT:
        put(t,
            ",{\"skill\":\"ik_reach\",\"parameters\":{\"grasp\":\"tool\",\"tool\":\"base\",\"frame\":\"%s\","
            "\"spot\":\"free\"}},{\"skill\":\"release\"}]",
            name);
        break;
    case FR_SURFACE_GRASP: // what stands is taken from beside, what lies from before it
        put(t, ",{\"skill\":\"ik_reach\",\"parameters\":{\"grasp\":\"%s\",\"frame\":\"%s\",\"diameter\":",
            is_upright(s) ? "beside" : "before", name);
        put_number(t, fmax(s->width, 0.005));
        put(t,
            "}},{\"skill\":\"grasp\"}],\"object\":{\"skill\":\"follow_hand\",\"parameters\":{\"threshold\":0.3,"
            "\"knob\":\"%s\",\"after\":\"grasp\"}}",
            name);
        break;
    case FR_SURFACE_PRESS: put(t, ",{\"skill\":\"press\",\"parameters\":{\"frame\":\"%s\"}}]", name); break;
    case FR_SURFACE_LEAN:
    case FR_SURFACE_HOLD:
        put(t, ",{\"skill\":\"ik_reach\",\"parameters\":{\"grasp\":\"before\",\"frame\":\"%s\"}}]", name);
        break;
    default: // through a gap
        put(t, ",");
        put_walk(t, s->target.position, s->heading);
        put(t, "]");
        break;
    }
}

static void name_surface(offers_text *t, const fr_surface *s, char name[64]) {
    uint32_t number = ++t->counts[s->kind];
    int length = snprintf(name, 64, "%s", fr_surface_word(s->kind));
    if (number > 1 && length > 0) { (void)snprintf(name + length, 64 - (size_t)length, " %u", (unsigned)number); }
}

static bool is_of(const fr_surface *s, fr_object_id object) {
    return is_offered(s) && fr_object_id_equal(s->object, object);
}

static void put_frames(offers_text *t, const fr_surfaces *surfaces, fr_object_id object, const fr_bounds *box) {
    const fr_quat upright = fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), -0.5 * FR_PI);
    const fr_vec3 base = {0.5 * ((double)box->min.x + (double)box->max.x), (double)box->min.y,
                          0.5 * ((double)box->min.z + (double)box->max.z)};
    uint32_t count = fr_surfaces_get_stats(surfaces).count;
    put(t, "\"frames\":[");
    for (uint32_t i = 0; i < count && t->count < MOTIONS_MAX; i++) {
        fr_surface s = fr_surfaces_at(surfaces, i);
        char name[64];
        if (!is_of(&s, object)) { continue; }
        name_surface(t, &s, name);
        fr_pose target = s.target;
        if (s.kind == FR_SURFACE_GRASP || s.kind == FR_SURFACE_HOLD) { // the middle of a piece
            fr_vec3 out = fr_mat3_apply(fr_quat_to_mat3(target.rotation), fr_vec3_make(0.0, 0.0, 1.0));
            target.position = fr_vec3_add_scaled(target.position, 0.5 * s.width, out);
        }
        put_frame(t, name, &target);
        t->count++;
    }
    const fr_pose bottom = fr_pose_make(base, upright);
    put_frame(t, "base", &bottom);
    t->bytes[t->size - 1] = ']'; // in place of the last comma
    memset(t->counts, 0, sizeof t->counts);
    t->count = 0;
}

static void put_motions(offers_text *t, const fr_surfaces *surfaces, fr_object_id object) {
    uint32_t count = fr_surfaces_get_stats(surfaces).count;
    put(t, ",\"affords\":[");
    for (uint32_t i = 0; i < count && t->count < MOTIONS_MAX; i++) {
        fr_surface s = fr_surfaces_at(surfaces, i);
        char name[64];
        if (!is_of(&s, object)) { continue; }
        name_surface(t, &s, name);
        put(t, "%s{\"motion\":\"%s\",\"in_order\":true,\"human\":[", t->count > 0 ? "," : "", name);
        put_walk(t, s.place, s.heading);
        put_skills(t, &s, name);
        put(t, "}");
        t->count++;
    }
    if (t->counts[FR_SURFACE_GRASP] > 0) {
        put(t, ",{\"motion\":\"put down\",\"human\":[{\"skill\":\"release\"}],\"object\":{\"skill\":\"follow_hand\"}}");
    }
    put(t, "]}");
}

static fr_status make_class(fr_director *d, const fr_surfaces *surfaces, fr_object_id object, fr_class **out,
                            fr_error *error) {
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), object);
    fr_bounds box;
    offers_text t = {.frame = view->pose};
    t.frame.scale = 1.0;
    fr_status status = fr_object_bounds(fr_world_space(d->world), object, &box, error);
    if (status != FR_OK) { return status; }
    t.bytes = fr_allocate(&d->allocator, TEXT_BYTES, 1, 1);
    if (t.bytes == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for what an object affords"); }
    put(&t, "{\"fureai\":1,\"shapes\":[\"none.obj\"],");
    put_frames(&t, surfaces, object, &box);
    put_motions(&t, surfaces, object);
    fr_class_read_input input = fr_default_class_read_input();
    input.name = FR__OFFERS_CLASS;
    input.allocator = d->allocator;
    status = fr_class_read(t.bytes, t.size, &input, out, error);
    fr_deallocate(&d->allocator, t.bytes, TEXT_BYTES, 1);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// An object

// What it offers to a body; of FR_NONE to that for which it was found last.
static offers_object *find_object(const fr__offers *o, fr_object_id object, uint32_t body) {
    offers_object *last = NULL;
    for (size_t i = 0; i < o->objects.count; i++) {
        offers_object *entry = &o->objects.data[i];
        bool is_body = body == FR_NONE || entry->body == body;
        if (!is_body || !fr_object_id_equal(entry->object, object)) { continue; }
        if (last == NULL || entry->found > last->found) { last = entry; }
    }
    return last;
}

// What removed objects offered is forgotten before another one comes.
static offers_object *add_object(fr_director *d) {
    offers_object_array *all = &d->offers->objects;
    for (size_t i = all->count; i-- > 0;) {
        if (fr_object_exists(fr_world_space(d->world), all->data[i].object)) { continue; }
        fr_class_release(all->data[i].c);
        all->data[i] = all->data[--all->count];
    }
    return offers_object_array_push(all, 1);
}

fr_class *fr__offers_known(const fr__offers *offers, fr_object_id object) {
    const offers_object *entry = offers != NULL ? find_object(offers, object, FR_NONE) : NULL;
    return entry != NULL ? entry->c : NULL;
}

// Where its surfaces are as the object sees them, and how many.
static uint64_t hash_of(const fr_director *d, const fr_surfaces *surfaces, fr_object_id object, uint32_t *count) {
    fr_pose frame = fr_object_get(fr_world_space(d->world), object)->pose;
    uint64_t hash = fr_hash(&frame, sizeof frame, 0);
    uint32_t all = fr_surfaces_get_stats(surfaces).count;
    *count = 0;
    for (uint32_t i = 0; i < all; i++) {
        fr_surface s = fr_surfaces_at(surfaces, i);
        if (!is_of(&s, object)) { continue; }
        const double numbers[8] = {(double)s.kind,      s.place.x,           s.place.z,           s.heading,
                                   s.target.position.x, s.target.position.y, s.target.position.z, s.width};
        hash = fr_hash(numbers, sizeof numbers, hash);
        ++*count;
    }
    return hash;
}

fr_status fr__offers_find(fr_director *d, const fr__director_person *person, fr_object_id object, fr_class **out,
                          fr_error *error) {
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), object);
    *out = NULL;
    bool is_one = view != NULL && (view->flags & (FR_OBJECT_GHOST | FR_OBJECT_PROXY)) == 0 && view->bone_count == 0;
    if (d->offers == NULL || !is_one || d->person_count == 0) { return FR_OK; }
    // What is in a hand has the grip that it was taken by.
    if (d->is_planning || fr_cast_claim(d->def.cast, object) != NULL) {
        *out = fr__offers_known(d->offers, object);
        return FR_OK;
    }
    uint32_t body, count;
    fr_status status = find_body(d, person != NULL ? person : d->people[0], &body, error);
    if (status != FR_OK || body == FR_NONE) { return status; }
    const fr_surfaces *surfaces = d->offers->bodies.data[body].surfaces;
    uint64_t hash = hash_of(d, surfaces, object, &count);
    offers_object *entry = find_object(d->offers, object, body);
    if (entry == NULL) {
        entry = add_object(d);
        if (entry == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for what an object affords"); }
        *entry = (offers_object){.object = object, .body = body};
    }
    if (entry->hash != hash) {
        fr_class *made = NULL;
        if (count > 0) { status = make_class(d, surfaces, object, &made, error); }
        if (status != FR_OK) { return status; }
        fr_class_release(entry->c);
        entry->c = made;
        entry->hash = hash;
    }
    entry->found = ++d->offers->finds;
    *out = entry->c;
    return FR_OK;
}
