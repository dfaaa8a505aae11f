// A simulated person at a simulated pen: a hand that goes to its aim and puts right what is seen to be wrong, takes
// parts of an assembly, carries them and puts them into their places. What is seen comes through a space that shows the
// objects, so that the same person works in a world at hand and in one that is served.
#ifndef FUREAI_TEST_PEN_PERSON_H
#define FUREAI_TEST_PEN_PERSON_H

#include "fureai/devices.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PERSON_SPEED 0.3      // metres a second of the hand
#define PERSON_TURN_SPEED 2.0 // radians a second
#define PERSON_SETTLE 2.0     // of what the hand sees to be wrong it corrects so much a second
#define PERSON_STRENGTH 8e-3  // metres beyond its aim that the hand reaches: 3.2 N of its grip
#define PERSON_HIGH 0.12      // metres above the table, where parts are carried

static const fr_vec3 person_place = {0.0, 0.2, 0.0}; // of the device in the room

typedef struct pen_person {
    pthread_mutex_t mutex; // the hand may move in a thread of its own: all down to `tip`
    double now;
    fr_vec3 aim; // where the hand goes, in the room
    fr_quat turn_aim;
    fr_vec3 goal;      // on the path there
    fr_vec3 put_right; // what it has corrected
    fr_vec3 wish;      // of the hand, in the device's frame
    fr_quat turn;      // of the pen
    double tremor, speed;
    bool is_pressed;
    fr_vec3 tip; // truly, in the room

    fr_space *space; // shows the objects
    const fr_assembly *assembly;
    void (*tick)(void *user);                            // goes on to the next picture
    bool (*is_holding)(fr_object_id object, void *user); // as it is seen
    bool (*is_fitted)(uint32_t part, void *user);
    void *user;
} pen_person;

static inline void person_begin(pen_person *p) {
    memset(p, 0, sizeof *p);
    assert_int_equal(pthread_mutex_init(&p->mutex, NULL), 0);
    p->turn = p->turn_aim = fr_quat_identity();
    p->aim = p->goal = p->tip = person_place;
    p->tremor = 5e-4;
    p->speed = PERSON_SPEED;
}

static inline void person_end(pen_person *p) { pthread_mutex_destroy(&p->mutex); }

// ---------------------------------------------------------------------------------------------------------------
// The device

static inline fr_vec3 person_wish(double time, void *user) {
    (void)time;
    return ((pen_person *)user)->wish;
}

static inline fr_quat person_turn(double time, void *user) {
    (void)time;
    return ((pen_person *)user)->turn;
}

// A device about a room of 3 m.
static inline fr_simulated_pen_def person_device(pen_person *p) {
    fr_simulated_pen_def def = fr_default_simulated_pen_def();
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        def.strings.anchors[i] = fr_vec3_scale(6.0, def.strings.anchors[i]);
    }
    def.grip = 400.0;
    def.damping = 10.0;
    def.wish = person_wish;
    def.turn = person_turn;
    def.wish_user = p;
    return def;
}

// The hand goes on by `dt`: to its aim, and it puts right what it sees to be wrong.
static inline void person_move(pen_person *p, fr_simulated_pen *device, double dt) {
    pthread_mutex_lock(&p->mutex);
    p->now += dt;
    p->tip = fr_vec3_add(fr_simulated_pen_get(device).tip, person_place);
    fr_vec3 left = fr_vec3_sub(p->aim, p->goal);
    double length = fr_vec3_length(left), step = p->speed * dt;
    p->goal = length > step ? fr_vec3_add_scaled(p->goal, step / length, left) : p->aim;
    p->put_right = fr_vec3_add_scaled(p->put_right, PERSON_SETTLE * dt, fr_vec3_sub(p->goal, p->tip));
    double most = fr_vec3_length(p->put_right);
    if (most > PERSON_STRENGTH) { p->put_right = fr_vec3_scale(PERSON_STRENGTH / most, p->put_right); }
    p->wish = fr_vec3_add(fr_vec3_sub(p->goal, person_place), p->put_right);
    p->wish.x += p->tremor * sin(57.0 * p->now);
    p->wish.y += p->tremor * sin(52.0 * p->now + 1.0);
    p->wish.z += p->tremor * sin(61.0 * p->now + 2.0);
    fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(p->turn_aim, fr_quat_conjugate(p->turn)));
    double angle = fr_vec3_length(turn), share = angle > PERSON_TURN_SPEED * dt ? PERSON_TURN_SPEED * dt / angle : 1.0;
    p->turn = fr_quat_multiply(fr_quat_from_vector(fr_vec3_scale(share, turn)), p->turn);
    (void)fr_quat_normalize(&p->turn, NULL);
    fr_simulated_pen_press(device, FR_DEVICE_BUTTON_HELD | (p->is_pressed ? FR_DEVICE_BUTTON_GRASP : 0u));
    pthread_mutex_unlock(&p->mutex);
}

// ---------------------------------------------------------------------------------------------------------------
// Going

static inline void person_aim(pen_person *p, fr_vec3 aim) {
    pthread_mutex_lock(&p->mutex);
    p->aim = aim;
    pthread_mutex_unlock(&p->mutex);
}

static inline void person_press(pen_person *p, bool is_pressed) {
    pthread_mutex_lock(&p->mutex);
    p->is_pressed = is_pressed;
    pthread_mutex_unlock(&p->mutex);
    p->tick(p->user);
    p->tick(p->user);
}

// What the hand is like now: a copy whose mutex is not to be used.
static inline pen_person person_look(pen_person *p) {
    pthread_mutex_lock(&p->mutex);
    pen_person copy = *p;
    pthread_mutex_unlock(&p->mutex);
    return copy;
}

// Goes there until it is there, or for so long.
static inline void person_go(pen_person *p, fr_vec3 aim, double seconds) {
    person_aim(p, aim);
    double until = person_look(p).now + seconds;
    for (pen_person at = person_look(p); at.now < until; at = person_look(p)) {
        p->tick(p->user);
        at = person_look(p);
        fr_quat off = fr_quat_multiply(at.turn_aim, fr_quat_conjugate(at.turn));
        bool is_turned = fr_vec3_length(fr_quat_to_vector(off)) < 0.01;
        if (is_turned && fr_vec3_distance(at.tip, aim) < 3e-3) { return; }
    }
}

// Goes there, and stays for all the time.
static inline void person_lean(pen_person *p, fr_vec3 aim, double seconds) {
    person_aim(p, aim);
    for (double until = person_look(p).now + seconds; person_look(p).now < until;) {
        p->tick(p->user);
    }
}

static inline fr_pose person_sees(const pen_person *p, fr_object_id object) {
    return fr_object_get(p->space, object)->pose;
}

static inline bool person_holds(const pen_person *p, fr_object_id object) { return p->is_holding(object, p->user); }

// Brings the pen to an object, and takes hold of it.
static inline void person_take(pen_person *p, fr_object_id object) {
    fr_bounds box;
    assert_int_equal(fr_space_update(p->space, NULL, NULL), FR_OK);
    assert_int_equal(fr_object_bounds(p->space, object, &box, NULL), FR_OK);
    fr_vec3 above = fr_bounds_center(&box), tip = person_look(p).tip;
    above.y = box.max.y + 0.005;
    fr_vec3 high = above;
    high.y = fmax(above.y, PERSON_HIGH);
    person_go(p, fr_vec3_make(tip.x, fmax(tip.y, PERSON_HIGH), tip.z), 2.0);
    person_go(p, high, 4.0);
    person_go(p, above, 2.0);
    person_press(p, true);
    // What a client sees is a little late.
    for (double until = person_look(p).now + 0.5; person_look(p).now < until && !person_holds(p, object);) {
        p->tick(p->user);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Fitting

// Brings what is held to a pose, by the tip and turn of the pen with which it is there.
static inline void person_bring(pen_person *p, const fr_pose *grip, const fr_pose *to, double seconds) {
    fr_quat turn = fr_quat_multiply(to->rotation, fr_quat_conjugate(grip->rotation));
    assert_int_equal(fr_quat_normalize(&turn, NULL), FR_OK);
    fr_pose turned = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), turn);
    pthread_mutex_lock(&p->mutex);
    p->turn_aim = turn;
    pthread_mutex_unlock(&p->mutex);
    person_go(p, fr_vec3_sub(to->position, fr_pose_turn(&turned, grip->position)), seconds);
}

static inline void person_set_speed(pen_person *p, double speed) {
    pthread_mutex_lock(&p->mutex);
    p->speed = speed;
    pthread_mutex_unlock(&p->mutex);
}

// To before the place; what is seen to be wrong there is put right; and slowly in.
static inline void person_insert(pen_person *p, const fr_pose *grip, fr_object_id object, const fr_pose *before,
                                 const fr_pose *to) {
    fr_pose from = *before, in = *to;
    person_bring(p, grip, before, 3.0);
    for (int i = 0; i < 4 && person_holds(p, object); i++) {
        for (int k = 0; k < 10; k++) {
            p->tick(p->user);
        }
        fr_vec3 wrong = fr_vec3_sub(before->position, person_sees(p, object).position);
        if (fr_vec3_length(wrong) < 2e-4) { break; }
        from.position = fr_vec3_add_scaled(from.position, 0.7, wrong);
        in.position = fr_vec3_add_scaled(in.position, 0.7, wrong);
        person_bring(p, grip, &from, 0.1);
    }
    person_set_speed(p, 0.1);
    if (person_holds(p, object)) { person_bring(p, grip, &in, 2.0); }
    person_set_speed(p, PERSON_SPEED);
}

// The place that a part goes to: an equal one may stand in its own already, then it is that one's.
static inline uint32_t person_place_of(const pen_person *p, uint32_t part) {
    const fr_assembly_part *def = fr_assembly_get(p->assembly, part);
    if (def->like == FR_NONE || !p->is_fitted(def->like, p->user)) { return part; }
    fr_pose other = person_sees(p, fr_assembly_get(p->assembly, def->like)->object);
    fr_assembly_measure_output there;
    assert_int_equal(fr_assembly_measure(p->assembly, p->space, def->like, part, &other, &there, NULL), FR_OK);
    return there.distance < 1e-3 ? def->like : part;
}

// Takes a part and tries to put it into its place.
static inline void person_fit(pen_person *p, uint32_t part) {
    const fr_assembly_part *def = fr_assembly_get(p->assembly, part);
    person_take(p, def->object);
    if (!person_holds(p, def->object)) {
        person_press(p, false);
        return;
    }
    pen_person hand = person_look(p);
    fr_pose now = person_sees(p, def->object), pen = fr_pose_make(hand.tip, hand.turn), back = fr_pose_inverse(&pen);
    fr_pose grip = fr_pose_compose(&back, &now), up = now;
    fr_assembly_measure_output there;
    uint32_t to = person_place_of(p, part);
    assert_int_equal(fr_assembly_measure(p->assembly, p->space, part, to, &now, &there, NULL), FR_OK);
    fr_bounds box;
    assert_int_equal(fr_space_update(p->space, NULL, NULL), FR_OK);
    assert_int_equal(fr_object_bounds(p->space, def->object, &box, NULL), FR_OK);
    bool has_insertion = fr_vec3_length(there.insertion) > 0.5;
    fr_vec3 inwards = has_insertion ? there.insertion : fr_vec3_make(0.0, -1.0, 0.0);
    fr_pose before = there.pose, over;
    double length = def->tolerance + def->reach + 0.03 + 0.5 * fr_vec3_distance(box.min, box.max);
    before.position = fr_vec3_add_scaled(there.pose.position, -length, inwards);
    up.position.y = fmax(now.position.y + PERSON_HIGH, before.position.y);
    over = before;
    over.position.y = up.position.y;
    person_bring(p, &grip, &up, 3.0);
    person_bring(p, &grip, &over, 5.0);
    for (int i = 0; i < 8 && person_holds(p, def->object); i++) {
        person_insert(p, &grip, def->object, &before, &there.pose);
    }
    person_press(p, false);
}

#endif
