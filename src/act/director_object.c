// Objects that people hold and move: claims, the objects' own skills, and how their intents become wishes.
#include "act/director.h"

#include "act/offers.h"

#include "fureai/base_drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What is dropped does not meet the body for so many seconds.
static const double LOOSE_SECONDS = 1.0;

// ---------------------------------------------------------------------------------------------------------------
// Claims

static fr__director_held *find_held(fr__director_person *person, fr_object_id object) {
    for (uint32_t i = 0; i < person->held_count; i++) {
        if (fr_object_id_equal(person->held[i].object, object)) { return &person->held[i]; }
    }
    return NULL;
}

static bool is_in_hand(const fr__director_held *held) {
    bool is_carried = held->skill == NULL || strcmp(held->skill->name, "follow_hand") == 0;
    return held->state.is_attached != 0 && is_carried && !held->is_failed;
}

static void remove_held(fr__director_person *person, fr__director_held *held) {
    fr_plug_in_destroy(held->plug_in);
    *held = person->held[--person->held_count];
}

static void let_go(fr_director *d, fr__director_person *person, fr__director_held *held) {
    (void)fr_cast_let_go(d->def.cast, held->object, fr__director_holder(person), NULL);
    remove_held(person, held);
}

// The skill of an object that a program carries out; the program goes on where it does so already.
static fr_status take_program(fr_director *d, const fr__director_person *person, fr__director_held *held,
                              const fr__director_program *program, fr_error *error) {
    const char *name = program->name != NULL ? program->name : "";
    if (held->plug_in != NULL && strcmp(held->program, name) == 0) { return FR_OK; }
    fr_plug_in_destroy(held->plug_in);
    held->plug_in = NULL;
    held->program[0] = '\0';
    memset(&held->state, 0, sizeof held->state);
    if (name[0] == '\0') { return FR_OK; }
    fr_status status = fr__director_start_program(d, person, program, held->object, &held->plug_in, error);
    if (status == FR_OK) { memcpy(held->program, name, strlen(name) + 1); }
    return status;
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
    if (held->plug_in != NULL || motion->program.name != NULL) {
        status = take_program(d, person, held, &motion->program, error);
        if (status != FR_OK) {
            held->is_of_list = true;
            return status;
        }
    } else if (held->skill != motion->skill) {
        memset(&held->state, 0, sizeof held->state);
    }
    held->skill = motion->skill;
    // Several motions of one list with an object: it comes to the hand from as far as any of them lets it.
    held->threshold = held->is_of_list ? fmax(held->threshold, motion->threshold) : motion->threshold;
    held->waits_for = held->state.is_attached == 0 ? motion->after : NULL;
    held->size = motion->size;
    held->has_knob = motion->has_knob;
    held->knob = motion->knob;
    held->surface = motion->surface;
    held->report_count = 0;
    held->is_of_list = true;
    return FR_OK;
}

fr_status fr__director_claim(fr_director *d, fr__director_person *person, fr_error *error) {
    const fr__director_list *list = fr__director_first(person);
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < list->motion_count && status == FR_OK; i++) {
        bool has_skill = list->motions[i].skill != NULL || list->motions[i].program.name != NULL;
        if (has_skill) { status = take(d, person, &list->motions[i], error); }
    }
    if (status != FR_OK) { fr__director_let_go(d, person, false); }
    return status;
}

// What was in a hand touches it, and would lie on it: it does not meet the body that dropped it for a while.
static void loosen(fr_director *d, fr__director_person *person) {
    fr_space *space = fr_world_space(d->world);
    const fr_object_view *view = fr_object_get(space, person->falling), *piece = fr_object_get(space, person->piece);
    if (view == NULL || piece == NULL) { return; }
    fr_filter filter = person->loose_filter = view->filter;
    filter.group = piece->filter.group;
    if (fr_object_set_filter(space, person->falling, filter, NULL) != FR_OK) { return; }
    person->loose = person->falling;
    person->loose_until = d->tick + (uint64_t)(LOOSE_SECONDS / fr_world_step(d->world));
}

static void tighten(fr_director *d, fr__director_person *person) {
    (void)fr_object_set_filter(fr_world_space(d->world), person->loose, person->loose_filter, NULL);
    person->loose = (fr_object_id){0, 0, 0};
}

void fr__director_let_go(fr_director *d, fr__director_person *person, bool is_all) {
    for (uint32_t i = person->held_count; i-- > 0;) {
        fr__director_held *held = &person->held[i];
        bool stays = !is_all && is_in_hand(held);
        held->is_of_list = false;
        if (!stays) { let_go(d, person, held); }
    }
    if (is_all && person->loose.index1 != 0) { tighten(d, person); }
}

// The name of a class; "" where there is none, or one of surfaces, which others may have found since.
static const char *own_class(const fr_class *c) {
    const char *name = c != NULL ? fr_class_get(c)->name : "";
    return strcmp(name, FR__OFFERS_CLASS) != 0 ? name : "";
}

// Whether an object of the first list is gone, or of another class than when the command was given.
static bool is_changed(const fr_director *d, const fr__director_person *person, char *reason, size_t size) {
    const fr__director_list *list = fr__director_first(person);
    for (uint32_t i = 0; i < list->motion_count; i++) {
        const fr__director_motion *motion = &list->motions[i];
        if (motion->object.index1 == 0) { continue; }
        bool is_gone = !fr_object_exists(fr_world_space(d->world), motion->object);
        const fr_class *now = !is_gone ? fr__director_class(d, motion->object) : NULL;
        bool is_same = now == motion->c || strcmp(own_class(now), own_class(motion->c)) == 0;
        if (!is_gone && is_same) { continue; }
        (void)snprintf(reason, size, is_gone ? "the object is gone" : "the object was changed");
        return true;
    }
    return false;
}

bool fr__director_lose(fr_director *d, fr__director_person *person, char *reason, size_t size) {
    bool is_needed = is_changed(d, person, reason, size);
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
    if (person->loose.index1 != 0 && d->tick >= person->loose_until) { tighten(d, person); }
    for (uint32_t i = person->held_count; i-- > 0;) {
        if (person->held[i].is_failed) {
            let_go(d, person, &person->held[i]);
            continue;
        }
        if (!person->held[i].is_dropped) { continue; }
        if (person->loose.index1 != 0) { tighten(d, person); }
        person->falling = person->held[i].object;
        loosen(d, person);
        let_go(d, person, &person->held[i]);
    }
    if (person->falling.index1 == 0) { return; }
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), person->falling);
    bool is_held = view != NULL && fr_world_hold(d->world, person->falling) == FR_HOLD_HELD;
    if (view != NULL && !is_held && fr_world_drag(d->world, person->falling, &view->pose, NULL) == FR_OK) { return; }
    if (is_held) { (void)fr_world_let_go(d->world, person->falling, NULL); }
    person->falling = (fr_object_id){0, 0, 0};
}

// What is in a hand goes with it.
bool fr__director_may_meet(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space, (void)b;
    const fr__director_person *person = context;
    const fr__director_held *held = find_held(context, a);
    // Hands that meet are looked at by the skills of those who meet.
    bool is_met =
        person->with != NULL && (fr_person_has(person->with, a) || fr_object_id_equal(person->meeting.thing, a));
    return !is_met && (held == NULL || !is_in_hand(held));
}

fr__director_held *fr__director_in_hand(fr__director_person *person, fr_side side) {
    for (uint32_t i = 0; i < person->held_count; i++) {
        fr__director_held *held = &person->held[i];
        if (is_in_hand(held) && !held->is_dropped && held->state.side == (uint32_t)side) { return held; }
    }
    return NULL;
}

fr_status fr__director_change_hands(fr_director *d, fr__director_person *from, fr__director_person *to, fr_side side,
                                    fr_object_id object, fr_error *error) {
    fr__director_held *held = find_held(from, object);
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), object);
    if (held == NULL || view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the object is gone"); }
    if (to->held_count == FR__DIRECTOR_MAX_HELD) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%s has %u objects already", fr_person_name(to->person),
                            FR__DIRECTOR_MAX_HELD);
    }
    fr_claim claim = {object, FR_RANK_VIRTUAL_HUMAN, fr__director_holder(from), fr_person_name(from->person)};
    fr_status status = fr_cast_let_go(d->def.cast, object, claim.holder, error);
    if (status != FR_OK) { return status; }
    claim.holder = fr__director_holder(to);
    claim.name = fr_person_name(to->person);
    status = fr_cast_grab(d->def.cast, &claim, error);
    if (status != FR_OK) {
        claim.holder = fr__director_holder(from);
        claim.name = fr_person_name(from->person);
        (void)fr_cast_grab(d->def.cast, &claim, NULL);
        return status;
    }
    fr__director_held *got = &to->held[to->held_count++];
    *got = *held;
    held->plug_in = NULL;
    remove_held(from, held);
    const fr_pose *palm = &fr_person_links(to->person)[side == FR_LEFT ? FR_LINK_LEFT_PALM : FR_LINK_RIGHT_PALM];
    fr_pose back = fr_pose_inverse(palm), pose = view->pose;
    pose.scale = 1.0;
    got->state.offset = fr_pose_compose(&back, &pose);
    got->state.side = (uint32_t)side;
    got->state.is_attached = 1;
    got->is_of_list = true;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Where a palm grips

#define FLESH 0.03 // metres from the palm's axis to the surface of what it grips

// The turn of a palm by the directions of its fingers and of its inner side, which are at right angles.
static fr_quat palm_turn(fr_vec3 fingers, fr_vec3 inner, bool is_left) {
    fr_vec3 x = fr_vec3_scale(-1.0, fingers), y = fr_vec3_scale(is_left ? 1.0 : -1.0, inner), z = fr_vec3_cross(x, y);
    const fr_mat3 axes = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return fr_quat_from_mat3(axes);
}

fr_pose fr__director_palm(const fr_skeleton *skeleton, const fr_vec3 shoulders[2], const fr__director_task *task,
                          const fr_pose *place, uint32_t index, fr_skill_side *side) {
    // Degrees by which the hand comes from farther out, and by which the fingers point up.
    static const double turns[FR__DIRECTOR_PASS_PALMS][2] = {
        {0.0, 0.0},    {0.0, 25.0},  {-30.0, 0.0},  {30.0, 0.0},  {-30.0, 25.0}, {30.0, 25.0},
        {-60.0, 0.0},  {60.0, 0.0},  {0.0, -25.0},  {60.0, 25.0}, {-60.0, 25.0}, {15.0, 40.0},
        {-15.0, 40.0}, {45.0, 12.0}, {-45.0, 12.0}, {75.0, 12.0}, {75.0, 30.0},  {90.0, 0.0},
        {90.0, 20.0},  {90.0, 40.0}, {105.0, 12.0}, {60.0, 40.0}, {-60.0, 40.0}, {-75.0, 12.0}};
    const fr_vec3 up = {0.0, 1.0, 0.0}, ahead = {0.0, 0.0, 1.0};
    fr_mat3 axes = fr_quat_to_mat3(place->rotation);
    fr_vec3 outward = fr_mat3_apply(axes, ahead);
    // What is gripped is a cylinder behind the place; it comes to lie in the open hand.
    fr_vec3 middle = fr_vec3_add_scaled(place->position, -0.5 * task->grip_diameter, outward);
    bool is_left = *side == FR_SIDE_LEFT;
    if (*side == FR_SIDE_NEAREST) {
        is_left = fr_vec3_distance(shoulders[FR_LEFT], middle) < fr_vec3_distance(shoulders[FR_RIGHT], middle);
    }
    *side = is_left ? FR_SIDE_LEFT : FR_SIDE_RIGHT;
    fr_vec3 trajectory = fr_vec3_sub(middle, shoulders[is_left ? FR_LEFT : FR_RIGHT]);
    fr_vec3 inner = fr_vec3_scale(-1.0, outward);
    if (task->grasp == FR__GRASP_BESIDE) {
        trajectory.y = 0.0;
        double out = fr_radians(is_left ? -turns[index][0] : turns[index][0]);
        trajectory = fr_mat3_apply(fr_quat_to_mat3(fr_quat_from_axis_angle(up, out)), trajectory);
        inner = fr_vec3_scale(is_left ? -1.0 : 1.0, fr_vec3_unit(fr_vec3_cross(up, trajectory), inner));
    }
    fr_vec3 across = fr_vec3_add_scaled(trajectory, -fr_vec3_dot(trajectory, inner), inner);
    fr_vec3 spare = fr_vec3_add_scaled(up, -fr_vec3_dot(up, inner), inner);
    fr_vec3 fingers = fr_vec3_unit(across, fr_vec3_unit(spare, ahead));
    // About the inner direction, so that it stays; right hands have their thumb on the other side than left ones.
    double raised =
        fr_radians(task->grasp == FR__GRASP_BESIDE ? turns[index][1] : 40.0 * (double)(index % FR__DIRECTOR_PALMS));
    fr_quat raise = fr_quat_from_axis_angle(inner, is_left ? raised : -raised);
    fingers = fr_mat3_apply(fr_quat_to_mat3(raise), fingers);
    fr_pose palm = fr_pose_make(middle, palm_turn(fingers, inner, is_left));
    const fr_skeleton_view *body = fr_skeleton_get(skeleton);
    fr_vec3 grip = body->points[is_left ? FR_POINT_LEFT_GRIP : FR_POINT_RIGHT_GRIP].offset;
    fr_vec3 held = fr_vec3_add_scaled(middle, -(0.5 * task->grip_diameter + FLESH), inner);
    palm.position = fr_vec3_sub(held, fr_mat3_apply(fr_quat_to_mat3(palm.rotation), grip));
    return palm;
}

fr_pose fr__director_still_palm(const fr_skeleton *skeleton, const fr_vec3 shoulders[2], const fr__director_task *task,
                                const fr_pose *place, uint32_t index, fr_skill_side *side) {
    static const double heights[FR__DIRECTOR_HEIGHTS] = {0.0, 0.02, 0.035, -0.025, -0.05};
    uint32_t height = index / FR__DIRECTOR_PALMS % FR__DIRECTOR_HEIGHTS;
    fr_pose palm = fr__director_palm(skeleton, shoulders, task, place, index % FR__DIRECTOR_PALMS, side);
    palm.position.y += heights[height];
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

// Where a joint, whose frame in the world is given, puts its child at some value.
static fr_pose joint_pose(const fr_pose *frame, const fr_joint *joint, double value) {
    const fr_vec3 z = {0.0, 0.0, 1.0};
    fr_pose motion = fr_pose_identity();
    bool turns = joint->kind == FR_JOINT_HINGE || joint->kind == FR_JOINT_SCREW;
    if (turns) { motion.rotation = fr_quat_from_axis_angle(z, value); }
    if (joint->kind == FR_JOINT_SLIDER) { motion.position.z = value; }
    if (joint->kind == FR_JOINT_SCREW) { motion.position.z = joint->pitch * value; }
    fr_pose moved = fr_pose_compose(frame, &motion), back = fr_pose_inverse(&joint->frame_child);
    return fr_pose_compose(&moved, &back);
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

// A button sees the hands from its surface where it is not pressed.
static void look_from_surface(const fr__director_held *held, const fr_joint *joint, fr_object_input *input) {
    if (held->skill == NULL || strcmp(held->skill->name, "button") != 0) { return; }
    fr_pose rest = joint->child.index1 != 0 ? joint_pose(&input->joint, joint, 0.0) : input->object;
    input->joint = fr_pose_compose(&rest, &held->surface);
}

// What an intent asks of the world.
static void take_intent(fr__director_held *held, const fr_pose *frame, const fr_joint *joint, const fr_intent *intent) {
    held->has_wish = intent->kind == FR_INTENT_ATTACH || (intent->kind == FR_INTENT_JOINT && joint->child.index1 != 0);
    held->wish = (fr_wish){.object = held->object, .kind = FR_WISH_NEXT};
    if (intent->kind == FR_INTENT_ATTACH) { held->wish.pose = intent->pose; }
    if (intent->kind == FR_INTENT_JOINT && held->has_wish) {
        held->wish.pose = joint_pose(frame, joint, intent->value);
    }
}

static bool has_event(const fr__director_person *person, fr_object_id object, const char *name) {
    const fr_performer_output *output = fr_person_output(person->person);
    for (uint32_t i = 0; i < output->event_count; i++) {
        const fr_skill_event *event = &output->events[i];
        if (strcmp(event->name, name) == 0 && fr_object_id_equal(event->object, object)) { return true; }
    }
    return false;
}

// A hand that opens lets go of what is in it, whatever the motion was with; what is let go so has the event, too.
static fr_status let_fall(fr__director_person *person, const fr__director_held *held, bool *is_let_go,
                          fr_error *error) {
    const fr_performer_output *output = fr_person_output(person->person);
    const double numbers[2] = {(double)held->state.side, 0.0};
    *is_let_go = has_event(person, held->object, "release");
    bool opens = false;
    for (uint32_t i = 0; i < output->event_count && !*is_let_go && is_in_hand(held); i++) {
        const fr_skill_event *event = &output->events[i];
        opens = opens || (strcmp(event->name, "release") == 0 && event->numbers[0] == numbers[0]);
    }
    *is_let_go = *is_let_go || opens;
    return opens ? fr_person_add_event(person->person, "release", held->object, numbers, error) : FR_OK;
}

// A program that cannot go on ends the motion, and no other.
static void fail_held(fr__director_person *person, fr__director_held *held, fr_status status, const char *reason) {
    held->is_failed = true;
    if (!held->is_of_list || fr__director_list_count(person) == 0 || person->is_over) { return; }
    person->is_over = true;
    person->end_status = status;
    fr_utf8_repair(reason, person->reason, sizeof person->reason);
}

static fr_status run_skill(fr__director_person *person, fr__director_held *held, const fr_object_input *input,
                           fr_object_output *output, fr_error *error) {
    memset(output, 0, sizeof *output);
    if (held->plug_in == NULL) { return held->skill->step(input, &held->state, output, error); }
    fr_error why = {0};
    fr_status status = fr_plug_in_step_object(held->plug_in, input, output, &why);
    held->state.is_attached = status == FR_OK && output->intent.kind == FR_INTENT_ATTACH;
    if (status == FR_ERROR_MEMORY) { return fr_error_set(error, status, "%s", why.message); }
    if (status != FR_OK) { fail_held(person, held, status, why.message); }
    return FR_OK;
}

// Person and object may see the same happen, as when a button is pressed: it is reported once, by the first.
static bool is_news(fr__director_held *held, const char *name, bool is_of_person) {
    const fr__director_report report = {fr_hash(name, strlen(name), 0), is_of_person};
    for (uint32_t i = 0; i < held->report_count; i++) {
        if (held->reports[i].name == report.name) { return held->reports[i].is_of_person == is_of_person; }
    }
    if (held->report_count < FR__DIRECTOR_MAX_REPORTS) { held->reports[held->report_count++] = report; }
    return true;
}

static void leave_out_known(fr__director_person *person, fr__director_held *held) {
    const fr_performer_output *output = fr_person_output(person->person);
    for (uint32_t i = 0; i < output->event_count; i++) {
        const fr_skill_event *event = &output->events[i];
        if (!fr_object_id_equal(event->object, held->object) || is_news(held, event->name, true)) { continue; }
        fr_person_forget_event(person->person, i--);
    }
}

static fr_status step_object(fr_director *d, fr__director_person *person, fr__director_held *held, fr_error *error) {
    fr_object_input input;
    fr_joint joint;
    held->before = held->wish;
    held->had_wish = held->has_wish;
    held->has_wish = false;
    if (held->waits_for != NULL && !has_event(person, held->object, held->waits_for)) { return FR_OK; }
    held->waits_for = NULL;
    if (held->is_dropped || held->is_failed || !make_input(d, person, held, &input, &joint)) { return FR_OK; }
    const fr_pose frame = input.joint;
    look_from_surface(held, &joint, &input);
    fr_object_output output;
    fr_status status = run_skill(person, held, &input, &output, error);
    if (status != FR_OK || held->is_failed) { return status; }
    take_intent(held, &frame, &joint, &output.intent);
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), held->object);
    held->wish.pose.scale = view->pose.scale;
    for (uint32_t i = 0; i < output.event_count && status == FR_OK; i++) {
        const fr_object_event *event = &output.events[i];
        const double numbers[2] = {event->value, 0.0};
        if (!is_news(held, event->name, false)) { continue; }
        status = fr_person_add_event(person->person, event->name, held->object, numbers, error);
    }
    bool is_let_go = false;
    if (status == FR_OK) { status = let_fall(person, held, &is_let_go, error); }
    held->is_dropped = is_let_go || output.intent.kind == FR_INTENT_FALL;
    return status;
}

fr_status fr__director_step_objects(fr_director *d, fr__director_person *person, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < person->held_count && status == FR_OK; i++) {
        leave_out_known(person, &person->held[i]);
        status = step_object(d, person, &person->held[i], error);
    }
    return status;
}

// With people who are shown one tick late goes what their objects did then; a program replies of that tick by itself.
fr_status fr__director_wish_objects(const fr_director *d, const fr__director_person *person, fr_wishes *wishes,
                                    fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < person->held_count && status == FR_OK; i++) {
        const fr__director_held *held = &person->held[i];
        bool is_before = fr__director_is_delayed(d) && held->plug_in == NULL;
        bool has_wish = is_before ? held->had_wish : held->has_wish;
        if (has_wish) { status = fr_wishes_add(wishes, is_before ? &held->before : &held->wish, error); }
    }
    return status;
}
