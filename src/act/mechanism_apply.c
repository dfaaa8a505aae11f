// What states and transitions do to the world: joints, looks, labels, values and events.
#include "act/mechanism.h"

#include "fureai/world_state.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Joints

const fr_joint *fr__mechanism_joint(const fr_mechanism *m, fr_object_id child, fr_joint_id *id) {
    const fr_space *space = fr_world_space(m->world);
    uint32_t places = fr_space_joint_places(space);
    for (uint32_t i = 0; i < places; i++) {
        *id = fr_space_joint_at(space, i);
        const fr_joint *joint = fr_joint_get(space, *id);
        if (joint != NULL && fr_object_id_equal(joint->child, child)) { return joint; }
    }
    return NULL;
}

uint32_t fr__mechanism_nearest(const fr_mechanism *m, const fr__mechanism_object *o,
                               const fr_class_reference *reference, const char *frame) {
    const fr_space *space = fr_world_space(m->world);
    const fr_object_view *self = fr_object_get(space, o->object);
    uint32_t best = FR_NONE;
    double best_distance = 0.0;
    if (reference->pattern == NULL || o->references == NULL || self == NULL) { return FR_NONE; }
    const fr_machine_targets *targets = &o->references[reference->index];
    for (uint32_t i = 0; i < targets->count; i++) {
        const fr__mechanism_object *other = &m->objects.data[targets->list[i]];
        const fr_object_view *view = fr_object_get(space, other->object);
        if (view == NULL || other == o) { continue; }
        const fr_machine_object at = {.c = other->c != NULL ? fr_class_get(other->c) : NULL, .pose = view->pose};
        double distance = fr_vec3_distance(fr_machine_place(&at, frame).position, self->pose.position);
        if (best != FR_NONE && distance >= best_distance) { continue; }
        best = targets->list[i];
        best_distance = distance;
    }
    return best;
}

static fr_status detach(fr_mechanism *m, const fr__mechanism_object *o, fr_error *error) {
    fr_joint_id id;
    if (fr__mechanism_joint(m, o->object, &id) == NULL) { return FR_OK; }
    return fr_joint_remove(fr_world_space(m->world), id, error);
}

// The joint's frame in the child: its z is the axis.
static fr_pose axis_frame(const fr_scene_joint *joint) {
    const fr_vec3 z = {0.0, 0.0, 1.0};
    return fr_pose_make(joint->position, fr_quat_between(z, joint->axis));
}

static fr_pose joint_motion(const fr_scene_joint *joint, double value) {
    const fr_vec3 z = {0.0, 0.0, 1.0};
    fr_pose motion = fr_pose_identity();
    if (joint->kind != FR_JOINT_SLIDER) { motion.rotation = fr_quat_from_axis_angle(z, value); }
    if (joint->kind == FR_JOINT_SLIDER) { motion.position.z = value; }
    if (joint->kind == FR_JOINT_SCREW) { motion.position.z = joint->pitch * value; }
    return motion;
}

// A joint by which the object is where it is now.
static fr_status attach(fr_mechanism *m, const fr__mechanism_object *o, fr_joint_kind kind, uint32_t parent,
                        const fr_scene_joint *spec, fr_error *error) {
    fr_space *space = fr_world_space(m->world);
    const fr_object_view *child = fr_object_get(space, o->object);
    fr_joint joint = {.kind = kind, .child = o->object, .frame_parent = fr_pose_identity()};
    joint.frame_child = spec != NULL ? axis_frame(spec) : fr_pose_identity();
    if (parent != FR_NONE) { joint.parent = m->objects.data[parent].object; }
    if (spec != NULL) {
        joint.low = spec->low;
        joint.high = spec->high;
        joint.pitch = spec->pitch;
        joint.value = fr_class_constraint_value(
            NULL, &(fr_class_constraint){.kind = FR_CONSTRAINT_JOINT, .joint = *spec}, FR_UNKNOWN);
        fr_pose motion = joint_motion(spec, joint.value);
        joint.frame_parent = fr_pose_inverse(&motion);
    }
    fr_pose own = fr_pose_compose(&child->pose, &joint.frame_child);
    own.scale = 1.0;
    joint.frame_parent = fr_pose_compose(&own, &joint.frame_parent);
    const fr_object_view *carrier = parent != FR_NONE ? fr_object_get(space, joint.parent) : NULL;
    if (carrier != NULL) {
        fr_pose back = fr_pose_inverse(&carrier->pose);
        joint.frame_parent = fr_pose_compose(&back, &joint.frame_parent);
    }
    fr_status status = detach(m, o, error);
    fr_joint_id id;
    if (status != FR_OK) { return status; }
    fr_error why = {0};
    status = fr_joint_add(space, &joint, &id, &why);
    // What cannot hang there, such as an object on its own child, hangs on nothing.
    return status == FR_ERROR_MEMORY ? fr_error_set(error, status, "%s", why.message) : FR_OK;
}

// A joint that goes on has the limits of the new constraint.
static fr_status go_on(const fr_mechanism *m, const fr__mechanism_object *o, const fr_scene_joint *spec,
                       fr_error *error) {
    fr_joint_id id;
    const fr_joint *now = fr__mechanism_joint(m, o->object, &id);
    if (now == NULL || (now->low == spec->low && now->high == spec->high)) { return FR_OK; }
    fr_joint joint = *now;
    joint.low = spec->low;
    joint.high = spec->high;
    joint.value = joint.value < joint.low ? joint.low : joint.value > joint.high ? joint.high : joint.value;
    return fr_joint_set(fr_world_space(m->world), id, &joint, error);
}

static bool is_near_pose(const fr_pose *a, const fr_pose *b) {
    const fr_quat p = a->rotation, q = b->rotation;
    double dot = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z;
    return fr_vec3_distance(a->position, b->position) < 1e-9 && fabs(dot) > 1.0 - 1e-9;
}

// Whether an object hangs as a constraint wants it.
static bool fits(const fr_mechanism *m, const fr__mechanism_object *o, const fr_class_constraint *to) {
    fr_joint_id id;
    const fr_joint *now = fr__mechanism_joint(m, o->object, &id);
    switch (to->kind) {
    case FR_CONSTRAINT_FREE: return now == NULL;
    case FR_CONSTRAINT_FIXED: return now != NULL && now->kind == FR_JOINT_FIXED;
    case FR_CONSTRAINT_ATTACHED: return now != NULL && now->kind == FR_JOINT_ATTACHED;
    case FR_CONSTRAINT_JOINT: break;
    case FR_CONSTRAINT_NONE:
    case FR_CONSTRAINT_FALLING: return false;
    }
    const fr_pose axis = axis_frame(&to->joint);
    return now != NULL && now->kind == to->joint.kind && now->pitch == to->joint.pitch &&
           is_near_pose(&now->frame_child, &axis);
}

fr_status fr__mechanism_adopt(fr_mechanism *m, fr__mechanism_object *o, uint32_t state, fr_error *error) {
    const fr_class_constraint *to = fr_class_get(o->c)->states[state].constraint;
    // A state without a constraint leaves that of the state before.
    if (to == NULL || to->kind == FR_CONSTRAINT_NONE) { to = o->constraint; }
    o->constraint = to != NULL && fits(m, o, to) ? to : NULL;
    bool has_limits = o->constraint != NULL && to->kind == FR_CONSTRAINT_JOINT;
    return has_limits ? go_on(m, o, &to->joint, error) : FR_OK;
}

static fr_status constrain(fr_mechanism *m, fr__mechanism_object *o, const fr_class_constraint *to, fr_error *error) {
    fr_status status = FR_OK;
    fr_joint_id id;
    if (to == NULL || to->kind == FR_CONSTRAINT_NONE || to == o->constraint) { return FR_OK; }
    uint32_t parent = fr__mechanism_nearest(m, o, &to->parent, NULL);
    bool goes_on = fr_class_constraint_goes_on(o->constraint, to) && fr__mechanism_joint(m, o->object, &id) != NULL;
    o->falling = 0;
    switch (to->kind) {
    case FR_CONSTRAINT_NONE: break;
    case FR_CONSTRAINT_FREE:
    case FR_CONSTRAINT_FALLING:
        status = detach(m, o, error);
        o->falling = to->kind == FR_CONSTRAINT_FALLING ? 2 : 0;
        break;
    case FR_CONSTRAINT_FIXED: status = attach(m, o, FR_JOINT_FIXED, parent, NULL, error); break;
    case FR_CONSTRAINT_ATTACHED: status = attach(m, o, FR_JOINT_ATTACHED, parent, NULL, error); break;
    case FR_CONSTRAINT_JOINT:
        status = goes_on ? go_on(m, o, &to->joint, error) : attach(m, o, to->joint.kind, parent, &to->joint, error);
        break;
    }
    if (status == FR_OK) { o->constraint = to; }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Looks and the state of the world

static fr_status show(fr_mechanism *m, const fr__mechanism_object *o, const fr_class_looks *looks, fr_error *error) {
    fr_space *space = fr_world_space(m->world);
    const fr_object_view *view = fr_object_get(space, o->object);
    bool is_hidden = looks != NULL ? looks->is_hidden : (o->first_flags & FR_OBJECT_PROXY) != 0;
    uint32_t flags = is_hidden ? view->flags | FR_OBJECT_PROXY : view->flags & ~(uint32_t)FR_OBJECT_PROXY;
    fr_status status = FR_OK;
    if (flags != view->flags) { status = fr_object_set_flags(space, o->object, flags, error); }
    fr_label label = fr_world_label(m->world, o->object);
    fr_color color = looks != NULL && looks->has_color ? looks->color : o->first_color;
    bool is_same =
        color.r == label.color.r && color.g == label.color.g && color.b == label.color.b && color.a == label.color.a;
    if (status != FR_OK || is_same) { return status; }
    char name[FR_WORLD_NAME_MAX_BYTES + 1];
    memcpy(name, label.name, strlen(label.name) + 1);
    label.name = name;
    label.color = color;
    return fr_world_set_label(m->world, o->object, &label, error);
}

static bool is_memory(fr_status status) { return status == FR_ERROR_MEMORY; }

// An object that has as many states of programs as the world takes shows none of its own.
static fr_status publish(fr_mechanism *m, const fr__mechanism_object *o, uint32_t state, fr_error *error) {
    const fr_class_view *view = fr_class_get(o->c);
    fr_error why = {0};
    for (uint32_t i = 0; i < view->state_count; i++) {
        const char *name = view->states[i].name;
        if (i == state || fr_is_unknown(fr_world_state(m->world, o->object, name))) { continue; }
        if (is_memory(fr_world_remove_state(m->world, o->object, name, &why))) {
            return fr_error_set(error, why.status, "%s", why.message);
        }
    }
    if (fr_world_state(m->world, o->object, view->states[state].name) == 1.0) { return FR_OK; }
    if (!is_memory(fr_world_set_state(m->world, o->object, view->states[state].name, 1.0, &why))) { return FR_OK; }
    return fr_error_set(error, why.status, "%s", why.message);
}

fr_status fr__mechanism_enter(fr_mechanism *m, fr__mechanism_object *o, uint32_t state, fr_error *error) {
    const fr_class_state *next = &fr_class_get(o->c)->states[state];
    if (!fr_object_exists(fr_world_space(m->world), o->object)) { return FR_OK; }
    fr_status status = constrain(m, o, next->constraint, error);
    if (status == FR_OK) { status = show(m, o, next->looks, error); }
    if (status == FR_OK) { status = publish(m, o, state, error); }
    if (status != FR_OK) { return status; }
    o->state = state;
    o->since = m->tick;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Transitions

static fr_status set_value(const fr_mechanism *m, const fr__mechanism_object *o, const fr_class_action *action,
                           fr_error *error) {
    fr_joint_id id;
    const fr_joint *now = fr__mechanism_joint(m, o->object, &id);
    if (now == NULL) { return FR_OK; }
    fr_joint joint = *now;
    double value = action->is_deg ? fr_radians(action->value) : action->value;
    joint.value = value < joint.low ? joint.low : value > joint.high ? joint.high : value;
    return fr_joint_set(fr_world_space(m->world), id, &joint, error);
}

static fr_status act(fr_mechanism *m, fr__mechanism_object *o, const fr_class_action *action, fr_error *error) {
    fr_status status = FR_OK;
    uint32_t parent;
    switch (action->kind) {
    case FR_ACTION_SET: return set_value(m, o, action, error);
    case FR_ACTION_EMIT: return FR_OK; // by emit_all
    case FR_ACTION_ATTACH:
        parent = fr__mechanism_nearest(m, o, &action->object, NULL);
        if (parent != FR_NONE) { status = attach(m, o, FR_JOINT_ATTACHED, parent, NULL, error); }
        if (status == FR_OK) { o->constraint = NULL; }
        return status;
    case FR_ACTION_DETACH: o->constraint = NULL; return detach(m, o, error);
    }
    return FR_OK;
}

static void emit_all(fr_mechanism *m, const fr__mechanism_object *o, const fr_class_transition *t) {
    for (uint32_t i = 0; i < t->action_count; i++) {
        const fr_class_action *action = &t->actions[i];
        if (action->kind != FR_ACTION_EMIT) { continue; }
        fr_event *event = fr__mechanism_emit_array_push(&m->emits, 1); // reserved
        memset(event, 0, sizeof *event);
        event->kind = FR_EVENT_NAMED;
        event->a = o->object;
        event->value = action->value;
        memcpy(event->name, action->name, strlen(action->name));
    }
}

fr_status fr__mechanism_take(fr_mechanism *m, fr__mechanism_object *o, const fr_class_transition *t, fr_error *error) {
    if (!fr__mechanism_emit_array_reserve(&m->emits, m->emits.count + t->action_count)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the events of a transition");
    }
    fr_status status = fr__mechanism_enter(m, o, t->to, error);
    bool is_there = fr_object_exists(fr_world_space(m->world), o->object);
    for (uint32_t i = 0; i < t->action_count && status == FR_OK && is_there; i++) {
        status = act(m, o, &t->actions[i], error);
    }
    if (status == FR_OK) { emit_all(m, o, t); }
    return status;
}

fr_status fr__mechanism_restore(fr_mechanism *m, fr__mechanism_object *o, fr_error *error) {
    fr_space *space = fr_world_space(m->world);
    if (o->c == NULL || o->initial == FR_NONE || !fr_object_exists(space, o->object)) { return FR_OK; }
    fr_status status = detach(m, o, error);
    fr_joint_id id;
    if (status == FR_OK && o->has_first) { status = fr_joint_add(space, &o->first, &id, error); }
    if (status == FR_OK) { status = show(m, o, NULL, error); }
    if (status == FR_OK) { status = publish(m, o, o->initial, error); }
    o->state = FR_NONE;
    o->constraint = NULL;
    o->falling = 0;
    o->is_held = false;
    return status;
}
