// The inside of a pen, which its files share.
#ifndef FUREAI_ACTOR_PEN_H
#define FUREAI_ACTOR_PEN_H

#include "actor/retained_parts.h"

#include "fureai/actor.h"

FR_ARRAY_TYPE(fr__touch_hit_array, fr_touch_hit);
FR_ARRAY_TYPE(fr__pen_contact_array, fr_pen_contact);

struct fr_pen {
    fr_allocator allocator;
    fr_pen_settings settings;
    fr_object_id object; // the operated one
    fr__retained_parts body;
    fr_query_filter filter;
    fr_touch_input input;
    fr__touch_hit_array hits;               // of the step
    fr__pen_contact_array contacts, before; // of this step, and of the last one by their elements
    fr_haptic *haptic;
    uint64_t steps;        // so far
    fr_vec3 tip, velocity; // of the operating point
    fr_vec3 felt;          // force on the hand at the end of the step

    fr_vec3 home; // of the device's frame, in the world
    fr_strings strings;
    fr_strings_pull_output pull;
    double reported; // newtons, of the last event
};

// pen_strings.c: puts a frame of strings about the reach of the tip.
void fr__pen_place_frame(fr_pen *pen, const fr_bounds *reach);

#endif
