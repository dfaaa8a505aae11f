// A touch session step by step: what the operated object touches, the force of each touch, and what a hand would feel.
#ifndef FUREAI_TOOL_TOUCH_SESSION_H
#define FUREAI_TOOL_TOUCH_SESSION_H

#include "scene_file.h"

#include "fureai/haptic.h"
#include "fureai/touch.h"

typedef struct touch_contact {
    fr_touch_hit hit;
    int32_t side; // of the face where it was first touched; 0 where points met
    double since; // seconds of the scene at which it was first touched
    bool is_new;  // in this step
    fr_vec3 force;
} touch_contact;

typedef struct touch_session {
    const scene_file *file;
    fr_scene_touch touch; // as the scene has it, or as the user does
    fr_query_filter filter;
    fr_touch_input input;
    fr_array parts;            // fr_part_def, of the operated object
    fr_array hits;             // fr_touch_hit, of the step
    fr_array contacts, before; // touch_contact of this step, and of the last one by their elements
    fr_haptic haptic;
    fr_vec3 tip, velocity; // of the operating point
    fr_vec3 felt;          // force on the hand at the end of the step
    fr_array groups;       // fr_blink_groups *, of the scene's objects and their parts, made when needed
    fr_array marks;        // unsigned char a triangle of the scene's objects: it blinked
    fr_array first_part;   // uint32_t an object: of its first part among all
    fr_array first_mark;   // uint32_t an object, and one more: of its first triangle among all
} touch_session;

// Begins a session in a scene's space; the file must stay. End it whatever the status.
fr_status touch_session_begin(touch_session *s, const scene_file *file, const fr_scene_touch *touch, fr_error *error);
void touch_session_end(touch_session *s);

// Puts the objects where they are at t_K and finds what is touched, in s->contacts; K grows from 0 by 1. From one step
// to the next a hand is moved straight, a thousand ticks a second.
fr_status touch_session_step(touch_session *s, uint32_t k, fr_error *error);

// The number of a pair, from 1.
uint32_t touch_pair_number(fr_touch_pair pair);

// How many triangles of an object of the scene, by its index, have blinked; `of` gets how many it has.
uint32_t touch_session_blinks(const touch_session *s, uint32_t object, uint32_t *of);

// Whether one of them has.
bool touch_session_has_blinked(const touch_session *s, uint32_t object, uint32_t triangle);

#endif
