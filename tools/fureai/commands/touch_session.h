// A touch session step by step: a pen along its path in a scene's space, and what blinks where it touches.
#ifndef FUREAI_TOOL_TOUCH_SESSION_H
#define FUREAI_TOOL_TOUCH_SESSION_H

#include "scene_file.h"

#include "fureai/actor.h"

typedef struct touch_session {
    const scene_file *file;
    fr_scene_touch touch; // as the scene has it, or as the user does
    fr_pen *pen;
    fr_blink_marks *marks; // of what blinked
} touch_session;

// Begins a session in a scene's space; the file must stay. End it whatever the status.
fr_status touch_session_begin(touch_session *s, const scene_file *file, const fr_scene_touch *touch, fr_error *error);
void touch_session_end(touch_session *s);

// Puts the objects where they are at t_K and finds what the pen touches there, as fr_pen_step does; K grows from 0
// by 1.
fr_status touch_session_step(touch_session *s, uint32_t k, const fr_control *control, fr_error *error);

// The number of a pair, from 1.
uint32_t touch_pair_number(fr_touch_pair pair);

// How many triangles of an object of the scene, by its index, have blinked; `of` gets how many it has.
uint32_t touch_session_blinks(const touch_session *s, uint32_t object, uint32_t *of);

// Whether one of them has.
bool touch_session_has_blinked(const touch_session *s, uint32_t object, uint32_t triangle);

#endif
