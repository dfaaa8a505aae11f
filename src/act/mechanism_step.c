// A tick of a mechanism: what the tick before reported, the transitions of it, and what follows the turn of another.
#include "act/mechanism.h"

#include <stdalign.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Names

// Which objects of the world a class of one refers to, as a mark by the index of an object.
static bool is_referred_to(const fr_mechanism *m, const char *name) {
    for (size_t i = 0; i < m->objects.count; i++) {
        const fr_class *c = m->objects.data[i].c;
        if (c == NULL) { continue; }
        const fr_class_texts *references = &fr_class_get(c)->references;
        // Objects of one class refer to the same.
        if (i > 0 && m->objects.data[i - 1].c == c) { continue; }
        for (uint32_t k = 0; k < references->count; k++) {
            if (fr_class_pattern_matches(references->list[k], name)) { return true; }
        }
    }
    return false;
}

static bool is_kept(const fr_mechanism *m, const fr__mechanism_object *o) {
    return o->c != NULL && fr_object_exists(fr_world_space(m->world), o->object);
}

// Those that are gone, and those that were only referred to, are forgotten.
static void forget_objects(fr_mechanism *m) {
    size_t left = 0;
    for (size_t i = 0; i < m->objects.count; i++) {
        if (is_kept(m, &m->objects.data[i])) {
            m->objects.data[left++] = m->objects.data[i];
        } else {
            fr_class_release(m->objects.data[i].c);
        }
    }
    m->objects.count = left;
}

// Merges in what is referred to; the objects of the world come by growing index.
static fr_status add_referred(fr_mechanism *m, fr_error *error) {
    const fr_space *space = fr_world_space(m->world);
    uint32_t places = fr_space_object_places(space);
    fr__mechanism_object_array added = fr__mechanism_object_array_make(&m->allocator);
    size_t at = 0;
    bool is_right = true;
    for (uint32_t i = 0; i < places && is_right; i++) {
        fr_object_id id = fr_space_object_at(space, i);
        if (id.index1 == 0) { continue; }
        while (at < m->objects.count && m->objects.data[at].object.index1 < id.index1) {
            at++;
        }
        if (at < m->objects.count && m->objects.data[at].object.index1 == id.index1) { continue; }
        const char *name = fr_world_label(m->world, id).name;
        if (name[0] == '\0' || !is_referred_to(m, name)) { continue; }
        fr__mechanism_object *place = fr__mechanism_object_array_push(&added, 1);
        is_right = place != NULL;
        if (is_right) { *place = (fr__mechanism_object){.object = id, .state = FR_NONE, .initial = FR_NONE}; }
    }
    size_t own = m->objects.count, more = added.count;
    is_right = is_right && (more == 0 || fr__mechanism_object_array_push(&m->objects, more) != NULL);
    for (size_t to = m->objects.count; is_right && more > 0;) {
        bool is_own = own > 0 && m->objects.data[own - 1].object.index1 > added.data[more - 1].object.index1;
        m->objects.data[--to] = is_own ? m->objects.data[--own] : added.data[--more];
    }
    fr__mechanism_object_array_destroy(&added);
    return is_right ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "no memory for the objects of a mechanism");
}

// What a name of a class stands for, once for each name.
static bool find_targets(fr_mechanism *m, const char *pattern, fr_machine_targets *out) {
    uint32_t count = 0;
    for (int round = 0; round < 2; round++) {
        uint32_t *list = NULL;
        if (round == 1) {
            list = fr_arena_alloc(m->names, (size_t)count + 1, sizeof *list, alignof(uint32_t));
            if (list == NULL) { return false; }
            *out = (fr_machine_targets){list, count};
            count = 0;
        }
        for (size_t i = 0; i < m->objects.count; i++) {
            const char *name = fr_world_label(m->world, m->objects.data[i].object).name;
            if (!fr_class_pattern_matches(pattern, name)) { continue; }
            if (list != NULL) { list[count] = (uint32_t)i; }
            count++;
        }
    }
    return true;
}

static bool find_references(fr_mechanism *m, fr__mechanism_object *o) {
    if (o->c == NULL) { return true; }
    const fr_class_texts *names = &fr_class_get(o->c)->references;
    o->references = fr_arena_alloc(m->names, (size_t)names->count + 1, sizeof *o->references, alignof(max_align_t));
    if (o->references == NULL) { return false; }
    for (uint32_t i = 0; i < names->count; i++) {
        if (!find_targets(m, names->list[i], &o->references[i])) { return false; }
    }
    return true;
}

// Objects of one class share what their names stand for.
static bool link_objects(fr_mechanism *m) {
    fr_arena_reset(m->names);
    for (size_t i = 0; i < m->objects.count; i++) {
        fr__mechanism_object *o = &m->objects.data[i];
        o->references = NULL;
        for (size_t k = i; o->c != NULL && k-- > 0 && o->references == NULL && i - k < 64;) {
            if (m->objects.data[k].c == o->c) { o->references = m->objects.data[k].references; }
        }
        if (o->references == NULL && !find_references(m, o)) { return false; }
    }
    return true;
}

static bool fill_slots(fr_mechanism *m) {
    uint32_t places = fr_space_object_places(fr_world_space(m->world));
    m->slots.count = 0;
    uint32_t *slots = fr_uint32_array_push(&m->slots, (size_t)places + 1);
    if (slots == NULL) { return false; }
    memset(slots, 0, ((size_t)places + 1) * sizeof *slots);
    for (size_t i = 0; i < m->objects.count; i++) {
        slots[m->objects.data[i].object.index1 - 1] = (uint32_t)i + 1;
    }
    return true;
}

fr_status fr__mechanism_link(fr_mechanism *m, fr_error *error) {
    if (!m->is_changed) { return FR_OK; }
    forget_objects(m);
    fr_status status = add_referred(m, error);
    if (status != FR_OK) { return status; }
    if (!link_objects(m) || !fill_slots(m)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the names of a mechanism");
    }
    m->is_changed = false;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// What is and what happened

static uint32_t slot_of(const fr_mechanism *m, fr_object_id id) {
    if (id.index1 == 0 || id.index1 > m->slots.count || m->slots.data[id.index1 - 1] == 0) { return FR_NONE; }
    uint32_t place = m->slots.data[id.index1 - 1] - 1;
    return fr_object_id_equal(m->objects.data[place].object, id) ? place : FR_NONE;
}

fr_status fr__mechanism_see(fr_mechanism *m, fr_error *error) {
    const fr_space *space = fr_world_space(m->world);
    m->seen.count = 0;
    if (m->objects.count > 0 && fr__machine_object_array_push(&m->seen, m->objects.count) == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the objects of a mechanism");
    }
    for (size_t i = 0; i < m->objects.count; i++) {
        const fr__mechanism_object *o = &m->objects.data[i];
        const fr_object_view *view = fr_object_get(space, o->object);
        double seconds = (double)(m->tick - o->since) * fr_world_step(m->world);
        m->seen.data[i] = (fr_machine_object){.c = o->c != NULL ? fr_class_get(o->c) : NULL,
                                              .state = o->state,
                                              .seconds = seconds,
                                              .pose = view != NULL ? view->pose : fr_pose_identity(),
                                              .value = FR_UNKNOWN,
                                              .constraint = o->constraint,
                                              .references = o->references};
    }
    uint32_t places = fr_space_joint_places(space);
    for (uint32_t i = 0; i < places; i++) {
        const fr_joint *joint = fr_joint_get(space, fr_space_joint_at(space, i));
        uint32_t place = joint != NULL ? slot_of(m, joint->child) : FR_NONE;
        if (place == FR_NONE || joint->kind == FR_JOINT_FIXED || joint->kind == FR_JOINT_ATTACHED) { continue; }
        m->seen.data[place].value = joint->value;
        m->seen.data[place].low = joint->low;
        m->seen.data[place].high = joint->high;
    }
    return FR_OK;
}

// A hand of the cast has a claim; what is let fall between two ticks has none.
static const char *name_of_hold(fr_mechanism *m, const fr_event *event) {
    uint32_t place = slot_of(m, event->a);
    if (place == FR_NONE) { return NULL; }
    fr__mechanism_object *o = &m->objects.data[place];
    o->is_let_go = event->kind == FR_EVENT_RELEASED;
    if (o->is_let_go) { return o->is_held ? "release" : NULL; }
    o->is_held = fr_cast_claim(m->def.cast, event->a) != NULL;
    return o->is_held ? "grasp" : NULL;
}

static bool see_event(fr_mechanism *m, const fr_event *event) {
    fr_machine_event seen = {.a = slot_of(m, event->a), .b = slot_of(m, event->b)};
    switch (event->kind) {
    case FR_EVENT_NAMED: seen.name = event->name; break;
    case FR_EVENT_HELD:
    case FR_EVENT_RELEASED: seen.name = name_of_hold(m, event); break;
    case FR_EVENT_CONTACT: // what falls keeps a skin away from what it meets
    case FR_EVENT_TOUCH_BEGIN: seen.kind = FR_MACHINE_CONTACT_BEGIN; break;
    case FR_EVENT_TOUCH_END: seen.kind = FR_MACHINE_CONTACT_END; break;
    default: return true;
    }
    bool is_named = seen.kind != FR_MACHINE_NAMED || seen.name != NULL;
    if (!is_named || (seen.a == FR_NONE && seen.b == FR_NONE)) { return true; }
    fr_machine_event *place = fr__machine_event_array_push(&m->events, 1);
    if (place != NULL) { *place = seen; }
    return place != NULL;
}

// A state that another program set; FR_NONE: the object is in it, or it is none of its class.
static uint32_t find_forced(const fr_mechanism *m, const fr__mechanism_object *o) {
    const fr_class_view *view = fr_class_get(o->c);
    for (uint32_t i = 0; i < view->state_count; i++) {
        double value = fr_world_state(m->world, o->object, view->states[i].name);
        if (i != o->state && !fr_is_unknown(value) && value != 0.0) { return i; }
    }
    return FR_NONE;
}

static fr_status enter_forced(fr_mechanism *m, const fr_event *event, fr_error *error) {
    uint32_t place = slot_of(m, event->a);
    if (event->kind != FR_EVENT_STATE || place == FR_NONE || m->objects.data[place].c == NULL) { return FR_OK; }
    fr__mechanism_object *o = &m->objects.data[place];
    uint32_t state = o->state != FR_NONE ? find_forced(m, o) : FR_NONE;
    return state != FR_NONE ? fr__mechanism_enter(m, o, state, error) : FR_OK;
}

// An object that was not looked at yet is in the state that the world has of it, else in the first.
static fr_status begin_object(fr_mechanism *m, fr__mechanism_object *o, fr_error *error) {
    const fr_object_view *view = fr_object_get(fr_world_space(m->world), o->object);
    if (o->c == NULL || o->state != FR_NONE || view == NULL) { return FR_OK; }
    uint32_t state = find_forced(m, o);
    if (state == FR_NONE) { state = o->initial != FR_NONE ? o->initial : 0; }
    if (o->initial == FR_NONE) {
        fr_joint_id id;
        const fr_joint *joint = fr__mechanism_joint(m, o->object, &id);
        o->initial = state;
        o->has_first = joint != NULL;
        if (joint != NULL) { o->first = *joint; }
        o->first_flags = view->flags;
        o->first_color = fr_world_label(m->world, o->object).color;
    }
    fr_status status = fr__mechanism_adopt(m, o, state, error);
    return status == FR_OK ? fr__mechanism_enter(m, o, state, error) : status;
}

// The last of its states that the world has of it: an object of which the world has none stays in its own.
static uint32_t find_shown(const fr_mechanism *m, const fr__mechanism_object *o) {
    const fr_class_view *view = fr_class_get(o->c);
    for (uint32_t i = view->state_count; i-- > 0;) {
        double value = fr_world_state(m->world, o->object, view->states[i].name);
        if (!fr_is_unknown(value) && value != 0.0) { return i; }
    }
    return o->state;
}

fr_status fr__mechanism_resume(void *user, fr_error *error) {
    fr_mechanism *m = user;
    m->steps.count = m->step_next = m->events.count = m->emits.count = 0;
    m->cut = FR_NONE;
    m->tick = fr_world_tick_count(m->world);
    fr_status status = fr__mechanism_link(m, error);
    for (size_t i = 0; i < m->objects.count && status == FR_OK; i++) {
        fr__mechanism_object *o = &m->objects.data[i];
        if (o->c == NULL || o->state == FR_NONE) { continue; }
        if (!fr_object_exists(fr_world_space(m->world), o->object)) { continue; }
        uint32_t state = find_shown(m, o);
        status = fr__mechanism_adopt(m, o, state, error);
        if (status == FR_OK) { status = fr__mechanism_enter(m, o, state, error); }
    }
    for (size_t i = 0; i < m->objects.count; i++) {
        fr__mechanism_object *o = &m->objects.data[i];
        o->is_held = o->is_let_go = false;
        o->is_lost = o->c != NULL && fr_cast_claim(m->def.cast, o->object) == NULL;
    }
    return status;
}

// Whoever had an object in another run released it, by hand or by a skill.
static bool see_lost(fr_mechanism *m, size_t place) {
    static const char *const names[] = {"release", "released"};
    if (!m->objects.data[place].is_lost) { return true; }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        fr_machine_event *event = fr__machine_event_array_push(&m->events, 1);
        if (event == NULL) { return false; }
        *event = (fr_machine_event){.name = names[i], .a = (uint32_t)place, .b = FR_NONE};
    }
    return true;
}

fr_status fr__mechanism_look(fr_mechanism *m, fr_error *error) {
    const fr_snapshot *snapshot = fr_world_snapshot(m->world);
    fr_status status = FR_OK;
    m->events.count = 0;
    m->tick = fr_world_tick_count(m->world);
    bool is_new = snapshot != NULL && snapshot->sequence != m->sequence;
    for (size_t i = 0; is_new && !m->is_changed && i < snapshot->event_count; i++) {
        fr_event_kind kind = snapshot->events[i].kind;
        m->is_changed = kind == FR_EVENT_ADDED || kind == FR_EVENT_REMOVED;
    }
    status = fr__mechanism_link(m, error);
    for (size_t i = 0; i < m->objects.count && status == FR_OK; i++) {
        status = begin_object(m, &m->objects.data[i], error);
    }
    for (size_t i = 0; i < m->objects.count && status == FR_OK; i++) {
        if (!see_lost(m, i)) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the events of a tick"); }
    }
    for (size_t i = 0; is_new && i < snapshot->event_count && status == FR_OK; i++) {
        if (!see_event(m, &snapshot->events[i])) {
            status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the events of a tick");
        }
        if (status == FR_OK) { status = enter_forced(m, &snapshot->events[i], error); }
    }
    if (status == FR_OK) { status = fr__mechanism_see(m, error); }
    m->looked = is_new ? snapshot->sequence : m->sequence;
    // Names of events are the snapshot's; the world holds it until the next tick.
    if (snapshot != NULL) { fr_snapshot_release(snapshot); }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Transitions

fr_machines_input fr__mechanism_input(const fr_mechanism *m) {
    fr_machines_input input = fr_default_machines_input();
    input.objects = m->seen.data;
    input.object_count = (uint32_t)m->seen.count;
    input.events = m->events.data;
    input.event_count = (uint32_t)m->events.count;
    return input;
}

static fr_status evaluate(fr_mechanism *m, fr_error *error) {
    fr_machines_input input = fr__mechanism_input(m);
    fr_arena_reset(m->scratch);
    input.arena = m->scratch;
    fr_machines_output output;
    fr_status status = fr_machines_evaluate(&input, &output, error);
    if (status != FR_OK) { return status; }
    m->steps.count = m->step_next = 0;
    if (output.step_count == 0) { return FR_OK; }
    fr_machine_step *steps = fr__machine_step_array_push(&m->steps, output.step_count);
    if (steps == NULL || !fr__mechanism_emit_array_reserve(&m->emits, m->emits.count + 1)) {
        m->steps.count = 0;
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the transitions of objects");
    }
    memcpy(steps, output.steps, output.step_count * sizeof *steps);
    m->cut = output.cut;
    return FR_OK;
}

static fr_status carry_out(fr_mechanism *m, fr_error *error) {
    fr_status status = FR_OK;
    while (m->step_next < m->steps.count && status == FR_OK) {
        const fr_machine_step *step = &m->steps.data[m->step_next];
        status = fr__mechanism_take(m, &m->objects.data[step->object], step->transition, error);
        m->step_next += status == FR_OK ? 1 : 0;
    }
    if (status != FR_OK || m->cut == FR_NONE) { return status; }
    fr_event *event = fr__mechanism_emit_array_push(&m->emits, 1);
    if (event == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an event"); }
    memset(event, 0, sizeof *event);
    event->kind = FR_EVENT_NAMED;
    event->a = m->objects.data[m->cut].object;
    memcpy(event->name, FR_MECHANISM_CUT, sizeof FR_MECHANISM_CUT);
    m->cut = FR_NONE;
    return FR_OK;
}

// What falls is held for a tick and let go then, as by a hand: the hands of the cast let it fall.
static void let_fall(fr_mechanism *m, fr__mechanism_object *o) {
    const fr_object_view *view = fr_object_get(fr_world_space(m->world), o->object);
    if (view == NULL) { return; }
    if (o->falling == 2) { (void)fr_world_drag(m->world, o->object, &view->pose, NULL); }
    if (o->falling == 1) { (void)fr_world_let_go(m->world, o->object, NULL); }
    o->falling--;
}

fr_status fr__mechanism_prepare(void *user, fr_error *error) {
    fr_mechanism *m = user;
    if (m->objects.count == 0) { return FR_OK; }
    fr_status status = carry_out(m, error); // what a failure has left
    if (status == FR_OK) { status = fr__mechanism_look(m, error); }
    if (status == FR_OK) { status = evaluate(m, error); }
    if (status != FR_OK) { return status; }
    m->sequence = m->looked;
    for (size_t i = 0; i < m->objects.count; i++) {
        fr__mechanism_object *o = &m->objects.data[i];
        o->is_held = o->is_held && !o->is_let_go;
        o->is_let_go = o->is_lost = false;
        if (o->falling > 0) { let_fall(m, o); }
    }
    status = carry_out(m, error);
    return status;
}

fr_status fr__mechanism_move(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    (void)proposal;
    fr_mechanism *m = user;
    fr_status status = FR_OK;
    for (size_t i = 0; i < m->emits.count && status == FR_OK; i++) {
        status = fr_wishes_add_event(wishes, &m->emits.data[i], error);
        // An object that is gone by now has no events; one beyond the last of a tick is lost.
        if (status == FR_ERROR_STALE_ID || status == FR_ERROR_LIMIT) { status = FR_OK; }
    }
    if (status == FR_OK) { m->emits.count = 0; }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// What follows a turn

// The turn about an axis, of at most half a turn, between two rotations.
static double turn_about(fr_vec3 axis, fr_quat from, fr_quat to) {
    fr_quat turn = fr_quat_multiply(to, fr_quat_conjugate(from));
    double along = turn.x * axis.x + turn.y * axis.y + turn.z * axis.z;
    if (along == 0.0) { return 0.0; }
    return turn.w < 0.0 ? 2.0 * fr_atan2(-along, -turn.w) : 2.0 * fr_atan2(along, turn.w);
}

static fr_status drive(const fr_mechanism *m, const fr__mechanism_object *o, const fr_proposal *proposal,
                       fr_wishes *wishes, fr_error *error) {
    const fr_class_constraint *c = o->constraint;
    uint32_t by = fr__mechanism_nearest(m, o, &c->driver.object, c->driver.frame);
    if (by == FR_NONE) { return FR_OK; }
    fr_joint_id id;
    const fr_joint *joint = fr__mechanism_joint(m, o->object, &id);
    const fr_object_view *driver = fr_object_get(proposal->space, m->objects.data[by].object);
    if (joint == NULL || driver == NULL) { return FR_OK; }
    const fr_wish *wish = fr_wishes_find(wishes, m->objects.data[by].object);
    fr_quat to = wish != NULL && wish->kind != FR_WISH_STAY ? wish->pose.rotation : driver->next.rotation;
    const fr_object_view *parent = fr_object_get(proposal->space, joint->parent);
    fr_pose frame = parent != NULL ? fr_pose_compose(&parent->pose, &joint->frame_parent) : joint->frame_parent;
    fr_vec3 axis = fr_mat3_apply(fr_quat_to_mat3(frame.rotation), fr_vec3_make(0.0, 0.0, 1.0));
    double turn = turn_about(axis, driver->pose.rotation, to);
    if (turn == 0.0) { return FR_OK; }
    double value = joint->value + turn;
    value = value < joint->low ? joint->low : value > joint->high ? joint->high : value;
    fr_pose motion = fr_pose_identity();
    motion.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), value);
    if (joint->kind == FR_JOINT_SCREW) { motion.position.z = joint->pitch * value; }
    fr_pose moved = fr_pose_compose(&frame, &motion), back = fr_pose_inverse(&joint->frame_child);
    fr_wish own = {.object = o->object, .kind = FR_WISH_NEXT, .pose = fr_pose_compose(&moved, &back)};
    own.pose.scale = fr_object_get(proposal->space, o->object)->pose.scale;
    return fr_wishes_add(wishes, &own, error);
}

static bool is_driven(const fr__mechanism_object *o) {
    return o->state != FR_NONE && o->constraint != NULL && o->constraint->is_driven;
}

bool fr__mechanism_is_idle(void *user) {
    const fr_mechanism *m = user;
    bool is_idle = true;
    for (size_t i = 0; i < m->objects.count && is_idle; i++) {
        is_idle = !is_driven(&m->objects.data[i]);
    }
    return is_idle;
}

fr_status fr__mechanism_drive(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_mechanism *m = user;
    fr_status status = FR_OK;
    for (size_t i = 0; i < m->objects.count && status == FR_OK; i++) {
        const fr__mechanism_object *o = &m->objects.data[i];
        if (is_driven(o) && fr_object_exists(proposal->space, o->object)) {
            status = drive(m, o, proposal, wishes, error);
        }
    }
    return status;
}
