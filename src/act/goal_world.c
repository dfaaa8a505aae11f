// What the search for a goal sees of a world: the objects that are known with their states and joints, what lies on
// what, and what is in hands.
#include "act/mechanism.h"
#include "act/offers.h"
#include "act/pursuit.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

// So far under a thing it is looked for what it lies on, metres.
static const double BELOW = 0.03;

// ---------------------------------------------------------------------------------------------------------------
// Objects

static uint32_t find_id(const fr__goal_world *w, fr_object_id id) {
    for (uint32_t i = 0; i < w->object_count; i++) {
        if (fr_object_id_equal(w->ids[i], id)) { return i; }
    }
    return FR_NONE;
}

static void add_object(fr_director *d, fr__goal_world *w, fr_object_id id) {
    if (id.index1 == 0 || find_id(w, id) != FR_NONE) { return; }
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), id);
    const fr_class *c = fr__director_class(d, id);
    if (view == NULL) { return; }
    w->ids[w->object_count] = id;
    w->objects[w->object_count++] = (fr_goal_object){
        .machine = {.c = c != NULL ? fr_class_get(c) : NULL, .state = FR_NONE, .pose = view->pose, .value = FR_UNKNOWN},
        .on = FR_NONE};
}

// The objects of the mechanism come first, so that references are right.
static fr_status add_objects(fr_director *d, const fr__goal_want *wants, uint32_t count, fr_arena *arena,
                             fr__goal_world *w, fr_error *error) {
    fr_mechanism *m = d->mechanism;
    fr_status status = fr__mechanism_link(m, error);
    if (status == FR_OK) { status = fr__mechanism_see(m, error); }
    if (status != FR_OK) { return status; }
    size_t most =
        m->objects.count + d->objects.count + 2 * (size_t)count + (size_t)d->person_count * FR__DIRECTOR_MAX_HELD + 1;
    w->ids = fr_arena_alloc(arena, most, sizeof *w->ids, alignof(fr_object_id));
    w->objects = fr_arena_alloc(arena, most, sizeof *w->objects, alignof(fr_goal_object));
    if (w->ids == NULL || w->objects == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the objects of a goal");
    }
    for (size_t i = 0; i < m->objects.count; i++) {
        fr_goal_object *o = &w->objects[i];
        *o = (fr_goal_object){.machine = m->seen.data[i], .on = FR_NONE};
        const fr_class *c = fr__director_class(d, m->objects.data[i].object);
        if (o->machine.c == NULL && c != NULL) { o->machine.c = fr_class_get(c); }
        w->ids[w->object_count++] = m->objects.data[i].object;
    }
    // Both lists grow by index: what the mechanism has is passed over.
    for (size_t i = 0, k = 0; i < d->objects.count; i++) {
        fr_object_id id = d->objects.data[i].object;
        while (k < m->objects.count && m->objects.data[k].object.index1 < id.index1) {
            k++;
        }
        bool is_known = k < m->objects.count && fr_object_id_equal(m->objects.data[k].object, id);
        if (is_known || d->objects.data[i].c == NULL || !fr_object_exists(fr_world_space(d->world), id)) { continue; }
        uint32_t first = w->object_count;
        w->ids[first] = id;
        w->objects[first] = (fr_goal_object){.machine = {.c = fr_class_get(d->objects.data[i].c),
                                                         .state = FR_NONE,
                                                         .pose = fr_object_get(fr_world_space(d->world), id)->pose,
                                                         .value = FR_UNKNOWN},
                                             .on = FR_NONE};
        w->object_count++;
    }
    for (uint32_t i = 0; i < count; i++) {
        add_object(d, w, wants[i].object);
        add_object(d, w, wants[i].on);
    }
    for (uint32_t i = 0; i < d->person_count; i++) { // a hand that has something is not free
        for (uint32_t k = 0; k < d->people[i]->held_count; k++) {
            add_object(d, w, d->people[i]->held[k].object);
        }
    }
    for (uint32_t i = 0; i < w->object_count; i++) {
        const char *name = fr_world_label(d->world, w->ids[i]).name;
        w->objects[i].name = name[0] != '\0' ? name : "something";
    }
    return FR_OK;
}

// A joint of one that is in no states, as of a lever.
static void see_joints(const fr_director *d, fr__goal_world *w) {
    const fr_space *space = fr_world_space(d->world);
    for (uint32_t i = 0; i < fr_space_joint_places(space); i++) {
        const fr_joint *joint = fr_joint_get(space, fr_space_joint_at(space, i));
        if (joint == NULL || joint->kind == FR_JOINT_FIXED || joint->kind == FR_JOINT_ATTACHED) { continue; }
        uint32_t place = find_id(w, joint->child);
        if (place == FR_NONE || !fr_is_unknown(w->objects[place].machine.value)) { continue; }
        w->objects[place].machine.value = joint->value;
        w->objects[place].machine.low = joint->low;
        w->objects[place].machine.high = joint->high;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// What lies on what

// Bodies, and what is not there to be touched, are no supports.
static bool is_support(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)b, (void)context;
    const fr_object_view *view = fr_object_get(space, a);
    return view != NULL && (view->flags & (FR_OBJECT_GHOST | FR_OBJECT_PROXY)) == 0 && view->bone_count == 0;
}

// Looked for from a little above its lowest point downwards, at its middle and four places beside.
static uint32_t find_below(const fr_director *d, const fr__goal_world *w, fr_object_id object) {
    static const double places[5][2] = {{0.0, 0.0}, {0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}, {0.5, -0.5}};
    const fr_space *space = fr_world_space(d->world);
    fr_bounds box;
    if (fr_object_bounds(space, object, &box, NULL) != FR_OK) { return FR_NONE; }
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = object;
    filter.accept = is_support;
    double x = 0.5 * ((double)box.min.x + (double)box.max.x), z = 0.5 * ((double)box.min.z + (double)box.max.z);
    double half[2] = {0.5 * ((double)box.max.x - (double)box.min.x), 0.5 * ((double)box.max.z - (double)box.min.z)};
    for (int i = 0; i < 5; i++) {
        const fr_ray ray = {
            .origin = {x + 0.7 * places[i][0] * half[0], (double)box.min.y + BELOW, z + 0.7 * places[i][1] * half[1]},
            .direction = {0.0, -1.0, 0.0},
            .limit = 2.0 * BELOW};
        fr_space_hit hit;
        if (fr_space_ray(space, &ray, &filter, &hit, NULL) != FR_OK || hit.object.index1 == 0) { continue; }
        uint32_t below = find_id(w, hit.object);
        if (below != FR_NONE) { return below; }
    }
    return FR_NONE;
}

static bool can_be_taken(const fr_class_view *c) {
    for (uint32_t i = 0; c != NULL && i < c->state_count; i++) {
        for (uint32_t k = 0; k < c->states[i].motion_count; k++) {
            const fr_class_skill *own = c->states[i].motions[k].object;
            if (own != NULL && strcmp(own->name, "follow_hand") == 0) { return true; }
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// People

static void see_people(fr_director *d, const fr__director_person *person, fr__goal_world *w) {
    for (uint32_t i = 0; i < d->person_count && w->person_count < FR_GOAL_MAX_PEOPLE; i++) {
        fr__director_person *one = d->people[i];
        fr_goal_person *to = &w->people[w->person_count];
        *to =
            (fr_goal_person){.name = fr_person_name(one->person), .held = {FR_NONE, FR_NONE}, .is_out = one != person};
        bool has_one = one == person;
        for (int side = 0; side < 2; side++) {
            const fr__director_held *held = fr__director_in_hand(one, (fr_side)side);
            to->held[side] = held != NULL ? find_id(w, held->object) : FR_NONE;
            has_one = has_one || to->held[side] != FR_NONE;
        }
        // Who holds nothing that is known is left out; the own one always has a place.
        bool is_last = w->person_count + 1 == FR_GOAL_MAX_PEOPLE && one != person;
        if (!has_one || (is_last && person->walker.index > i)) { continue; }
        if (one == person) { w->own = w->person_count; }
        w->person_count++;
    }
}

static void add_conditions(const fr__goal_want *wants, uint32_t count, fr__goal_world *w) {
    for (uint32_t i = 0; i < count; i++) {
        w->conditions[w->condition_count++] =
            (fr_goal_condition){.object = find_id(w, wants[i].object),
                                .state = wants[i].state,
                                .on = wants[i].on.index1 != 0 ? find_id(w, wants[i].on) : FR_NONE,
                                .is_held = wants[i].is_held};
    }
}

// What the goal is about must still be there.
static fr_status check_wants(const fr_director *d, const fr__goal_want *wants, uint32_t count, fr_error *error) {
    const fr_space *space = fr_world_space(d->world);
    for (uint32_t i = 0; i < count; i++) {
        bool is_there = fr_object_exists(space, wants[i].object) &&
                        (wants[i].on.index1 == 0 || fr_object_exists(space, wants[i].on));
        if (!is_there) { return fr_error_set(error, FR_ERROR_STALE_ID, "what the goal is about is gone"); }
    }
    return FR_OK;
}

fr_status fr__goal_world_see(fr_director *d, fr__director_person *person, const fr__goal_want *wants, uint32_t count,
                             fr_arena *arena, fr__goal_world *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    fr_status status = check_wants(d, wants, count, error);
    for (uint32_t i = 0; i < 2 * count && status == FR_OK; i++) {
        fr_object_id object = i % 2 == 0 ? wants[i / 2].object : wants[i / 2].on;
        const fr_class *c = fr__director_class(d, object);
        fr_class *ignored;
        if (c == NULL || c == fr__offers_known(d->offers, object)) {
            status = fr__offers_find(d, person, object, &ignored, error);
        }
    }
    if (status == FR_OK) { status = add_objects(d, wants, count, arena, out, error); }
    if (status != FR_OK) { return status; }
    out->people = fr_arena_alloc(arena, FR_GOAL_MAX_PEOPLE, sizeof *out->people, alignof(fr_goal_person));
    out->conditions = fr_arena_alloc(arena, (size_t)count + 1, sizeof *out->conditions, alignof(fr_goal_condition));
    if (out->people == NULL || out->conditions == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the people of a goal");
    }
    see_joints(d, out);
    see_people(d, person, out);
    add_conditions(wants, count, out);
    for (uint32_t i = 0; i < out->object_count; i++) {
        bool is_wanted = can_be_taken(out->objects[i].machine.c);
        for (uint32_t k = 0; k < out->condition_count && !is_wanted; k++) {
            is_wanted = out->conditions[k].object == i;
        }
        for (uint32_t k = 0; k < out->person_count && is_wanted; k++) {
            is_wanted = out->people[k].held[FR_RIGHT] != i && out->people[k].held[FR_LEFT] != i;
        }
        if (is_wanted) { out->objects[i].on = find_below(d, out, out->ids[i]); }
    }
    return FR_OK;
}
