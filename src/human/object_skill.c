// Skills of objects: the table, the check of what they are given, and what a hand does to a cup, a door, a button, a
// lever and a dial.
#include "fureai/human_object.h"

#include "posture.h"

#include <math.h>
#include <string.h>

#define OBJECT_COOKIE 0x4F424A53u
#define PRESSED_PART 0.5  // of a button's travel: it counts as pressed from there on
#define RELEASED_PART 0.2 // it can be pressed again when it is back within this
#define NO_HAND 2u

fr_object_input fr_default_object_input(void) {
    fr_object_input input = {.object = fr_pose_identity(), .joint = fr_pose_identity(), .cookie = OBJECT_COOKIE};
    input.kind = FR_JOINT_HINGE;
    input.high = 1.0;
    input.threshold = 0.15;
    input.size = 0.02;
    for (int i = 0; i < 2; i++) {
        input.hands[i].palm = fr_pose_identity();
    }
    return input;
}

// ---------------------------------------------------------------------------------------------------------------
// What all of them share

static fr_status check_hand(const fr_object_hand *hand, fr_error *error) {
    if (!hand->is_there) { return FR_OK; }
    fr_pose palm = hand->palm;
    if (!fr_vec3_is_finite(hand->grip) || !fr_vec3_is_finite(hand->tip) ||
        fr_vec3_largest(hand->grip) > FR_LENGTH_MAX || fr_vec3_largest(hand->tip) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a point of a hand is not finite");
    }
    return fr_pose_check(&palm, error);
}

static fr_status begin(const fr_object_input *input, fr_object_output *output, fr_error *error) {
    *output = (fr_object_output){.intent = {.offset = fr_pose_identity(), .pose = fr_pose_identity()}};
    if (input->cookie != OBJECT_COOKIE) { return fr_error_set_cookie(error, "fr_default_object_input"); }
    output->intent.value = input->value;
    const double numbers[] = {input->low, input->high, input->value, input->threshold, input->size};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!isfinite(numbers[i]) || fabs(numbers[i]) > FR_LENGTH_MAX) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "a number of an object, %g, is not finite", numbers[i]);
        }
    }
    if (!fr_vec3_is_finite(input->knob) || fr_vec3_largest(input->knob) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the knob of an object is not finite");
    }
    if (input->low > input->high || input->threshold < 0.0 || input->size < 0.0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "limits %g .. %g, threshold %g, size %g do not make an object",
                            input->low, input->high, input->threshold, input->size);
    }
    if (input->kind != FR_JOINT_HINGE && input->kind != FR_JOINT_SLIDER) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an object that is moved has a hinge or a slider");
    }
    fr_pose object = input->object, joint = input->joint;
    fr_status status = fr_pose_check(&object, error);
    if (status == FR_OK) { status = fr_pose_check(&joint, error); }
    for (int i = 0; i < 2 && status == FR_OK; i++) {
        status = check_hand(&input->hands[i], error);
    }
    return status;
}

static void emit(fr_object_output *output, const char *name, double value) {
    FR_ASSERT(output->event_count < FR_MAX_OBJECT_EVENTS);
    output->events[output->event_count++] = (fr_object_event){name, value};
}

static double clamp(const fr_object_input *input, double value) {
    return value < input->low ? input->low : value > input->high ? input->high : value;
}

// Takes a value of the joint over, and announces when it comes to a limit.
static void set_value(const fr_object_input *input, fr_object_state *state, fr_object_output *output, double wanted) {
    double value = clamp(input, wanted);
    bool is_at_limit = wanted <= input->low || wanted >= input->high;
    output->intent.kind = FR_INTENT_JOINT;
    output->intent.value = value;
    if (is_at_limit && state->is_at_limit == 0 && value != input->value) { emit(output, "limit", value); }
    state->is_at_limit = is_at_limit;
}

// A point of the world in the joint's frame.
static fr_vec3 in_joint(const fr_object_input *input, fr_vec3 point) {
    fr_pose joint = fr_pose_make(input->joint.position, input->joint.rotation);
    (void)fr_quat_normalize(&joint.rotation, NULL);
    return fr__quat_turn(fr_quat_conjugate(joint.rotation), fr_vec3_sub(point, joint.position));
}

static double wrapped(double angle) {
    while (angle > FR_PI) {
        angle -= 2.0 * FR_PI;
    }
    while (angle <= -FR_PI) {
        angle += 2.0 * FR_PI;
    }
    return angle;
}

// Where the knob is now, in the joint's frame.
static fr_vec3 knob_now(const fr_object_input *input) {
    if (input->kind == FR_JOINT_SLIDER) {
        return fr_vec3_make(input->knob.x, input->knob.y, input->knob.z + input->value);
    }
    return fr__quat_turn(fr__quat_about(2, input->value), input->knob);
}

// The hand that is nearest to a point of the joint's frame and within the threshold of it.
static uint32_t nearest_hand(const fr_object_input *input, fr_vec3 point) {
    uint32_t best = NO_HAND;
    double least = INFINITY;
    for (uint32_t i = 0; i < 2; i++) {
        if (!input->hands[i].is_there) { continue; }
        double distance = fr_vec3_distance(in_joint(input, input->hands[i].grip), point);
        if (distance > input->threshold || !(distance < least)) { continue; }
        best = i;
        least = distance;
    }
    return best;
}

// ---------------------------------------------------------------------------------------------------------------
// follow_hand, fall

// Where it is held: at its knob, or at its origin where none is given.
static fr_vec3 held_place(const fr_object_input *input) {
    bool has_knob = fr_vec3_length_squared(input->knob) > 0.0;
    return has_knob ? fr_pose_apply(&input->joint, knob_now(input)) : input->object.position;
}

// Ichiguchi 5.3.4: once following, it never lets go.
static fr_status follow_hand(const fr_object_input *input, fr_object_state *state, fr_object_output *output,
                             fr_error *error) {
    fr_status status = begin(input, output, error);
    if (status != FR_OK) { return status; }
    fr_vec3 place = held_place(input);
    for (uint32_t i = 0; i < 2 && state->is_attached == 0; i++) {
        const fr_object_hand *hand = &input->hands[i], *other = &input->hands[1 - i];
        double distance = fr_vec3_distance(hand->grip, place);
        if (!hand->is_there || distance > input->threshold) { continue; }
        bool is_other_nearer = other->is_there && fr_vec3_distance(other->grip, place) < distance;
        if (is_other_nearer) { continue; }
        fr_pose back = fr_pose_inverse(&hand->palm);
        state->offset = fr_pose_compose(&back, &input->object);
        state->side = i;
        state->is_attached = 1;
        emit(output, "attached", 0.0);
    }
    if (state->is_attached == 0 || !input->hands[state->side].is_there) { return FR_OK; }
    output->intent.kind = FR_INTENT_ATTACH;
    output->intent.side = (fr_side)state->side;
    output->intent.offset = state->offset;
    output->intent.pose = fr_pose_compose(&input->hands[state->side].palm, &state->offset);
    return FR_OK;
}

static fr_status fall(const fr_object_input *input, fr_object_state *state, fr_object_output *output, fr_error *error) {
    fr_status status = begin(input, output, error);
    if (status != FR_OK) { return status; }
    if (state->is_attached == 0) { emit(output, "fall", 0.0); }
    state->is_attached = 1;
    output->intent.kind = FR_INTENT_FALL;
    output->is_done = true;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// door, lever, dial

// How far a point is from where the knob can go.
static double off_course(const fr_object_input *input, fr_vec3 point) {
    fr_vec3 knob = input->knob;
    double across, along;
    if (input->kind == FR_JOINT_SLIDER) {
        across = point.x - knob.x;
        along = point.y - knob.y;
    } else {
        across = sqrt(point.x * point.x + point.y * point.y) - sqrt(knob.x * knob.x + knob.y * knob.y);
        along = point.z - knob.z;
    }
    return sqrt(across * across + along * along);
}

// The value at which the knob is next to a point: of a turn the one nearest to the present value.
static double value_at(const fr_object_input *input, fr_vec3 point) {
    if (input->kind == FR_JOINT_SLIDER) { return point.z - input->knob.z; }
    if (point.x == 0.0 && point.y == 0.0) { return input->value; }
    double angle = fr_atan2(point.y, point.x) - fr_atan2(input->knob.y, input->knob.x);
    return input->value + wrapped(wrapped(angle) - wrapped(input->value));
}

// Notes where the knob is in the palm at a value.
static void note_knob(const fr_object_input *input, double value, fr_object_state *state) {
    fr_object_input moved = *input;
    moved.value = value;
    fr_pose to_palm = fr_pose_inverse(&input->hands[state->side].palm);
    state->offset.position = fr_pose_apply(&to_palm, fr_pose_apply(&input->joint, knob_now(&moved)));
}

static void attach(fr_object_state *state, const fr_object_input *input, uint32_t side, fr_object_output *output) {
    state->is_attached = 1;
    state->side = side;
    state->value = input->value;
    note_knob(input, input->value, state);
    state->turn = input->hands[side].palm.rotation;
    emit(output, "attached", input->value);
}

static void release(fr_object_state *state, const fr_object_input *input, fr_object_output *output) {
    if (state->is_attached == 0) { return; }
    state->is_attached = 0;
    emit(output, "released", input->value);
    if (input->value != state->value) { emit(output, "moved", input->value); }
}

// A hand within the threshold of the knob takes it; it holds it while it is within the threshold of the knob's course.
// A door comes to the hand; the knob of a lever stays where it was in the palm, as far as its joint lets it.
static fr_status follow_course(const fr_object_input *input, bool is_lever, fr_object_state *state,
                               fr_object_output *output, fr_error *error) {
    fr_status status = begin(input, output, error);
    if (status != FR_OK) { return status; }
    const fr_object_hand *hand = &input->hands[state->side];
    bool is_held =
        state->is_attached != 0 && hand->is_there && off_course(input, in_joint(input, hand->grip)) <= input->threshold;
    if (!is_held) {
        uint32_t nearest = nearest_hand(input, knob_now(input));
        if (nearest != state->side || nearest == NO_HAND) { release(state, input, output); }
        if (nearest == NO_HAND) { return FR_OK; }
        if (state->is_attached == 0) { attach(state, input, nearest, output); }
    }
    hand = &input->hands[state->side];
    fr_vec3 point = is_lever ? fr_pose_apply(&hand->palm, state->offset.position) : hand->grip;
    set_value(input, state, output, value_at(input, in_joint(input, point)));
    if (is_lever) { note_knob(input, output->intent.value, state); } // the hand may slip across its course
    return FR_OK;
}

static fr_status lever(const fr_object_input *input, fr_object_state *state, fr_object_output *output,
                       fr_error *error) {
    return follow_course(input, true, state, output, error);
}

static fr_status door(const fr_object_input *input, fr_object_state *state, fr_object_output *output, fr_error *error) {
    fr_object_input hinged = *input;
    hinged.kind = FR_JOINT_HINGE;
    return follow_course(&hinged, false, state, output, error);
}

// The turn of a rotation about the joint's axis.
static double twist(const fr_object_input *input, fr_quat turn) {
    fr_vec3 axis = fr__quat_turn(input->joint.rotation, fr_vec3_make(0.0, 0.0, 1.0));
    double along = fr_vec3_dot(axis, fr_vec3_make(turn.x, turn.y, turn.z));
    return along == 0.0 && turn.w == 0.0 ? 0.0 : wrapped(2.0 * fr_atan2(along, turn.w));
}

static fr_status dial(const fr_object_input *input, fr_object_state *state, fr_object_output *output, fr_error *error) {
    fr_status status = begin(input, output, error);
    if (status != FR_OK) { return status; }
    uint32_t side = nearest_hand(input, input->knob);
    bool is_held = state->is_attached != 0 && input->hands[state->side].is_there &&
                   fr_vec3_distance(in_joint(input, input->hands[state->side].grip), input->knob) <= input->threshold;
    if (!is_held) {
        if (state->is_attached != 0) {
            state->is_attached = 0;
            emit(output, "released", input->value);
            emit(output, "moved", input->value);
        }
        if (side == NO_HAND) { return FR_OK; }
        attach(state, input, side, output);
    }
    fr_quat now = input->hands[state->side].palm.rotation;
    state->value += twist(input, fr_quat_multiply(now, fr_quat_conjugate(state->turn)));
    state->turn = now;
    set_value(input, state, output, state->value);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// button

static fr_status button(const fr_object_input *input, fr_object_state *state, fr_object_output *output,
                        fr_error *error) {
    fr_status status = begin(input, output, error);
    if (status != FR_OK) { return status; }
    double depth = 0.0;
    for (int i = 0; i < 2; i++) {
        fr_vec3 tip = in_joint(input, input->hands[i].tip);
        bool is_over = sqrt(tip.x * tip.x + tip.y * tip.y) <= 0.5 * input->size;
        if (!input->hands[i].is_there || !is_over || -tip.z > input->high + input->threshold) { continue; }
        depth = -tip.z > depth ? -tip.z : depth;
    }
    double value = clamp(input, depth), travel = input->high - input->low;
    if (value != input->value) {
        output->intent.kind = FR_INTENT_JOINT;
        output->intent.value = value;
    }
    double part = travel > 0.0 ? (value - input->low) / travel : depth > 0.0 ? 1.0 : 0.0;
    if (part >= PRESSED_PART && state->is_pressed == 0) {
        state->is_pressed = 1;
        emit(output, "press", value);
    }
    if (part <= RELEASED_PART) { state->is_pressed = 0; }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The table

static const fr_object_skill SKILLS[] = {
    {"button", "Goes in by the depth of an index tip and is pressed once each time.", button},
    {"dial", "Turns about its axis with the palm that holds it.", dial},
    {"door", "Turns about its hinge after the hand at its knob.", door},
    {"fall", "Falls freely.", fall},
    {"follow_hand", "Goes with the palm that comes near it.", follow_hand},
    {"lever", "Goes along its hinge or slider after the hand that holds it.", lever},
};

uint32_t fr_object_skill_count(void) { return (uint32_t)(sizeof SKILLS / sizeof SKILLS[0]); }

const fr_object_skill *fr_object_skill_at(uint32_t index) {
    FR_ASSERT(index < fr_object_skill_count());
    return &SKILLS[index];
}

const fr_object_skill *fr_object_skill_find(const char *name) {
    FR_ASSERT(name != NULL);
    for (uint32_t i = 0; i < fr_object_skill_count(); i++) {
        if (strcmp(SKILLS[i].name, name) == 0) { return &SKILLS[i]; }
    }
    return NULL;
}
