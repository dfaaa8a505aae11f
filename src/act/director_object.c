// Objects that people hold and move: claims, the objects' own skills, and how their intents become wishes.
#include "act/director.h"

#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Claims

static fr__director_held *find_held(fr__director_person *person, fr_object_id object) {
    for (uint32_t i = 0; i < person->held_count; i++) {
        if (fr_object_id_equal(person->held[i].object, object)) { return &person->held[i]; }
    }
    return NULL;
}

static void remove_held(fr__director_person *person, fr__director_held *held) {
    *held = person->held[--person->held_count];
}

static void let_go(fr_director *d, fr__director_person *person, fr__director_held *held) {
    (void)fr_cast_let_go(d->def.cast, held->object, fr__director_holder(person), NULL);
    remove_held(person, held);
}

// A motion takes an object; one that is in the person's hand already stays there if it does the same as before.
static fr_status take(fr_director *d, fr__director_person *person, const fr__director_motion *motion, fr_error *error) {
    fr_claim claim = {.object = motion->object,
                      .rank = FR_RANK_VIRTUAL_HUMAN,
                      .holder = fr__director_holder(person),
                      .name = fr_person_name(person->person)};
    fr_status status = fr_cast_grab(d->def.cast, &claim, error);
    if (status != FR_OK) { return status; }
    fr__director_held *held = find_held(person, motion->object);
    if (held == NULL && person->held_count == FR__DIRECTOR_MAX_HELD) {
        (void)fr_cast_let_go(d->def.cast, motion->object, claim.holder, NULL);
        return fr_error_set(error, FR_ERROR_LIMIT, "%s has %u objects already", claim.name, FR__DIRECTOR_MAX_HELD);
    }
    if (held == NULL) {
        held = &person->held[person->held_count++];
        memset(held, 0, sizeof *held);
        held->object = motion->object;
    }
    if (held->skill != motion->skill) { memset(&held->state, 0, sizeof held->state); }
    held->skill = motion->skill;
    held->threshold = motion->threshold;
    held->size = motion->size;
    held->has_knob = motion->has_knob;
    held->knob = motion->knob;
    held->is_of_list = true;
    return FR_OK;
}

fr_status fr__director_claim(fr_director *d, fr__director_person *person, fr_error *error) {
    const fr__director_list *list = &person->lists.data[0];
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < list->motion_count && status == FR_OK; i++) {
        if (list->motions[i].skill != NULL) { status = take(d, person, &list->motions[i], error); }
    }
    if (status != FR_OK) { fr__director_let_go(d, person, false); }
    return status;
}

void fr__director_let_go(fr_director *d, fr__director_person *person, bool is_all) {
    for (uint32_t i = person->held_count; i-- > 0;) {
        fr__director_held *held = &person->held[i];
        bool stays = !is_all && held->state.is_attached != 0 && strcmp(held->skill->name, "follow_hand") == 0;
        held->is_of_list = false;
        if (!stays) { let_go(d, person, held); }
    }
}

bool fr__director_lose(fr_director *d, fr__director_person *person, char *reason, size_t size) {
    bool is_needed = false;
    for (uint32_t i = person->held_count; i-- > 0;) {
        fr__director_held *held = &person->held[i];
        const fr_claim *claim = fr_cast_claim(d->def.cast, held->object);
        if (claim != NULL && claim->holder == fr__director_holder(person)) { continue; }
        bool is_gone = !fr_object_exists(fr_world_space(d->world), held->object);
        bool has_name = claim != NULL && claim->name != NULL && claim->name[0] != '\0';
        if (held->is_of_list) {
            is_needed = true;
            (void)snprintf(reason, size, is_gone ? "the object is gone" : "the object was taken by %s",
                           has_name ? claim->name : "another");
        }
        remove_held(person, held);
    }
    return is_needed;
}

// It is held for one tick and let go then, as by a hand: whether it falls is the affair of the cast's hands.
void fr__director_drop(fr_director *d, fr__director_person *person) {
    for (uint32_t i = person->held_count; i-- > 0;) {
        if (!person->held[i].is_dropped) { continue; }
        person->falling = person->held[i].object;
        let_go(d, person, &person->held[i]);
    }
    if (person->falling.index1 == 0) { return; }
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), person->falling);
    bool is_held = view != NULL && fr_world_hold(d->world, person->falling) == FR_HOLD_HELD;
    if (view != NULL && !is_held && fr_world_drag(d->world, person->falling, &view->pose, NULL) == FR_OK) { return; }
    if (is_held) { (void)fr_world_let_go(d->world, person->falling, NULL); }
    person->falling = (fr_object_id){0, 0, 0};
}

// ---------------------------------------------------------------------------------------------------------------
// Where a palm grips

static fr_vec3 shoulder(const fr__director_person *person, bool is_left) {
    return fr_person_links(person->person)[is_left ? FR_LINK_LEFT_UPPER_ARM : FR_LINK_RIGHT_UPPER_ARM].position;
}

// The turn of a palm by the directions of its fingers and of its inner side, which are at right angles.
static fr_quat palm_turn(fr_vec3 fingers, fr_vec3 inner, bool is_left) {
    fr_vec3 x = fr_vec3_scale(-1.0, fingers), y = fr_vec3_scale(is_left ? 1.0 : -1.0, inner), z = fr_vec3_cross(x, y);
    const fr_mat3 axes = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return fr_quat_from_mat3(axes);
}

fr_pose fr__director_palm(const fr__director_person *person, const fr__director_task *task, const fr_pose *place,
                          uint32_t index, fr_skill_side *side) {
    // Degrees by which the hand comes from farther out, and by which the fingers point up.
    static const double turns[FR__DIRECTOR_PALMS][2] = {{0.0, 0.0},   {0.0, 25.0},   {-30.0, 0.0},
                                                        {30.0, 0.0},  {-30.0, 25.0}, {30.0, 25.0},
                                                        {-60.0, 0.0}, {60.0, 0.0},   {0.0, -25.0}};
    const fr_vec3 up = {0.0, 1.0, 0.0}, ahead = {0.0, 0.0, 1.0};
    fr_mat3 axes = fr_quat_to_mat3(place->rotation);
    fr_vec3 outward = fr_mat3_apply(axes, ahead);
    // What is gripped is a cylinder behind the place; its middle comes to where the hand grips.
    fr_vec3 middle = fr_vec3_add_scaled(place->position, -0.5 * task->grip_diameter, outward);
    bool is_left = *side == FR_SIDE_LEFT;
    if (*side == FR_SIDE_NEAREST) {
        is_left = fr_vec3_distance(shoulder(person, true), middle) < fr_vec3_distance(shoulder(person, false), middle);
    }
    *side = is_left ? FR_SIDE_LEFT : FR_SIDE_RIGHT;
    fr_vec3 course = fr_vec3_sub(middle, shoulder(person, is_left));
    fr_vec3 inner = fr_vec3_scale(-1.0, outward);
    if (task->grasp == FR__GRASP_BESIDE) {
        course.y = 0.0;
        double out = fr_radians(is_left ? -turns[index][0] : turns[index][0]);
        course = fr_mat3_apply(fr_quat_to_mat3(fr_quat_from_axis_angle(up, out)), course);
        inner = fr_vec3_scale(is_left ? -1.0 : 1.0, fr_vec3_unit(fr_vec3_cross(up, course), inner));
    }
    fr_vec3 across = fr_vec3_add_scaled(course, -fr_vec3_dot(course, inner), inner);
    fr_vec3 spare = fr_vec3_add_scaled(up, -fr_vec3_dot(up, inner), inner);
    fr_vec3 fingers = fr_vec3_unit(across, fr_vec3_unit(spare, ahead));
    // About the inner direction, so that it stays; right hands have their thumb on the other side than left ones.
    double raised = fr_radians(task->grasp == FR__GRASP_BESIDE ? turns[index][1] : 40.0 * (double)index);
    fr_quat raise = fr_quat_from_axis_angle(inner, is_left ? raised : -raised);
    fingers = fr_mat3_apply(fr_quat_to_mat3(raise), fingers);
    fr_pose palm = fr_pose_make(middle, palm_turn(fingers, inner, is_left));
    const fr_skeleton_view *body = fr_skeleton_get(fr_performer_get(fr_person_performer(person->person)).skeleton);
    fr_vec3 grip = body->points[is_left ? FR_POINT_LEFT_GRIP : FR_POINT_RIGHT_GRIP].offset;
    palm.position = fr_vec3_sub(middle, fr_mat3_apply(fr_quat_to_mat3(palm.rotation), grip));
    return palm;
}

// ---------------------------------------------------------------------------------------------------------------
// Skills of objects

// The joint that an object hangs on; false: none.
static bool find_joint(const fr_space *space, fr_object_id child, fr_joint *out) {
    uint32_t places = fr_space_joint_places(space);
    for (uint32_t i = 0; i < places; i++) {
        const fr_joint *joint = fr_joint_get(space, fr_space_joint_at(space, i));
        if (joint == NULL || !fr_object_id_equal(joint->child, child)) { continue; }
        *out = *joint;
        return true;
    }
    return false;
}

static void set_hand(const fr_person *person, fr_side side, fr_object_hand *hand) {
    const fr_skeleton_view *skeleton = fr_skeleton_get(fr_performer_get(fr_person_performer(person)).skeleton);
    const fr_pose *links = fr_person_links(person);
    bool is_left = side == FR_LEFT;
    const fr_link_point *grip = &skeleton->points[is_left ? FR_POINT_LEFT_GRIP : FR_POINT_RIGHT_GRIP];
    uint32_t tip = is_left ? FR_LINK_LEFT_INDEX_3 : FR_LINK_RIGHT_INDEX_3;
    hand->is_there = true;
    hand->palm = links[is_left ? FR_LINK_LEFT_PALM : FR_LINK_RIGHT_PALM];
    hand->grip = fr_pose_apply(&links[grip->link], grip->offset);
    hand->tip = fr_pose_apply(&links[tip], skeleton->tips[tip]);
}

// What the skill of an object sees: hands of this frame, its joint, what is held of it.
static bool make_input(const fr_director *d, const fr__director_person *person, const fr__director_held *held,
                       fr_object_input *input, fr_joint *joint) {
    const fr_space *space = fr_world_space(d->world);
    const fr_object_view *view = fr_object_get(space, held->object);
    if (view == NULL) { return false; }
    *input = fr_default_object_input();
    input->object = view->pose;
    input->object.scale = 1.0;
    input->joint = input->object;
    if (held->threshold > 0.0) { input->threshold = held->threshold; }
    if (held->size > 0.0) { input->size = held->size; }
    if (held->has_knob) { input->knob = held->knob; }
    set_hand(person->person, FR_RIGHT, &input->hands[FR_RIGHT]);
    set_hand(person->person, FR_LEFT, &input->hands[FR_LEFT]);
    joint->child = (fr_object_id){0, 0, 0};
    if (!find_joint(space, held->object, joint)) { return true; }
    const fr_object_view *parent = fr_object_get(space, joint->parent);
    input->joint = parent != NULL ? fr_pose_compose(&parent->pose, &joint->frame_parent) : joint->frame_parent;
    input->joint.scale = 1.0;
    input->kind = joint->kind;
    input->low = joint->low;
    input->high = joint->high;
    input->value = joint->value;
    fr_pose to_joint = fr_pose_inverse(&joint->frame_child);
    if (held->has_knob) { input->knob = fr_pose_apply(&to_joint, held->knob); }
    return true;
}

// Where a joint of some value puts its child.
static fr_pose joint_pose(const fr_object_input *input, const fr_joint *joint, double value) {
    const fr_vec3 z = {0.0, 0.0, 1.0};
    fr_pose motion = fr_pose_identity();
    bool turns = joint->kind == FR_JOINT_HINGE || joint->kind == FR_JOINT_SCREW;
    if (turns) { motion.rotation = fr_quat_from_axis_angle(z, value); }
    if (joint->kind == FR_JOINT_SLIDER) { motion.position.z = value; }
    if (joint->kind == FR_JOINT_SCREW) { motion.position.z = joint->pitch * value; }
    fr_pose moved = fr_pose_compose(&input->joint, &motion), back = fr_pose_inverse(&joint->frame_child);
    return fr_pose_compose(&moved, &back);
}

// What an intent asks of the world.
static void take_intent(fr__director_held *held, const fr_object_input *input, const fr_joint *joint,
                        const fr_intent *intent) {
    held->has_wish = intent->kind == FR_INTENT_ATTACH || (intent->kind == FR_INTENT_JOINT && joint->child.index1 != 0);
    held->wish = (fr_wish){.object = held->object, .kind = FR_WISH_NEXT};
    if (intent->kind == FR_INTENT_ATTACH) { held->wish.pose = intent->pose; }
    if (intent->kind == FR_INTENT_JOINT && held->has_wish) {
        held->wish.pose = joint_pose(input, joint, intent->value);
    }
}

static bool is_released(const fr__director_person *person, fr_object_id object) {
    for (uint32_t i = 0; i < person->output.event_count; i++) {
        const fr_skill_event *event = &person->output.events[i];
        if (strcmp(event->name, "release") == 0 && fr_object_id_equal(event->object, object)) { return true; }
    }
    return false;
}

static fr_status step_object(fr_director *d, fr__director_person *person, fr__director_held *held, fr_error *error) {
    fr_object_input input;
    fr_joint joint;
    held->has_wish = false;
    if (held->is_dropped || !make_input(d, person, held, &input, &joint)) { return FR_OK; }
    fr_object_output output;
    memset(&output, 0, sizeof output);
    fr_status status = held->skill->step(&input, &held->state, &output, error);
    if (status != FR_OK) { return status; }
    take_intent(held, &input, &joint, &output.intent);
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), held->object);
    held->wish.pose.scale = view->pose.scale;
    for (uint32_t i = 0; i < output.event_count && status == FR_OK; i++) {
        const fr_object_event *event = &output.events[i];
        status = fr__director_add_event(d, person, event->name, held->object, event->value, 0.0, error);
    }
    bool is_let_go = output.intent.kind == FR_INTENT_FALL || is_released(person, held->object);
    held->is_dropped = is_let_go;
    return status;
}

fr_status fr__director_step_objects(fr_director *d, fr__director_person *person, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < person->held_count && status == FR_OK; i++) {
        status = step_object(d, person, &person->held[i], error);
    }
    return status;
}

fr_status fr__director_wish_objects(const fr__director_person *person, fr_wishes *wishes, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < person->held_count && status == FR_OK; i++) {
        if (person->held[i].has_wish) { status = fr_wishes_add(wishes, &person->held[i].wish, error); }
    }
    return status;
}

fr_status fr__director_add_event(fr_director *d, const fr__director_person *person, const char *name,
                                 fr_object_id object, double value, double second, fr_error *error) {
    if (person->skin.index1 == 0 || d->events.count >= FR_WISHES_MAX_EVENTS) { return FR_OK; }
    fr_event *event = fr__director_event_array_push(&d->events, 1);
    if (event == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the events of people"); }
    *event = (fr_event){.kind = FR_EVENT_NAMED, .a = person->skin, .value = value, .second = second};
    if (fr_object_exists(fr_world_space(d->world), object)) { event->b = object; }
    fr__director_copy_text(event->name, sizeof event->name, name);
    return FR_OK;
}
