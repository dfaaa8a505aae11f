// The inside of a pen, which its files share.
#ifndef FUREAI_ACTOR_PEN_H
#define FUREAI_ACTOR_PEN_H

#include "actor/retained_parts.h"

#include "fureai/actor.h"

FR_ARRAY_TYPE(fr__touch_hit_array, fr_touch_hit);
FR_ARRAY_TYPE(fr__pen_contact_array, fr_pen_contact);

#define FR__PEN_FELT 32 // faces near the tip that are felt

// A face that the tip of a device came to from outside.
typedef struct fr__pen_felt {
    fr_object_id object;
    uint32_t part, triangle, id;
    fr_vec3 outward;
    double offset; // outward . x of the face
    double height; // of the tip before it; below 0 behind it
} fr__pen_felt;

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

    // With a device
    fr_pen_device device;
    fr_cast *cast; // NULL: there is none
    double grasp, density;
    uint64_t holder;          // of claims
    bool owns_object;         // the cone is the pen's
    double scale;             // of the object
    fr_haptic_state state;    // the last one of a device that was there
    bool is_lost, has_change; // `has_change`: that is to be reported
    bool is_pressed;          // the grasp button
    bool is_holding;
    fr_object_id held;
    fr_pose grip;       // of the held object in the pen's frame
    fr_vec3 grip_local; // of the tip in the held object
    double weight;      // newtons
    fr_vec3 shift;      // from where the hand has the grip to where it is shown
    fr__pen_felt felt_faces[FR__PEN_FELT];
    uint32_t felt_count;
    uint64_t drawn; // what the layer of touched faces shows; 0: nothing
};

// pen.c: what the pen touches with its object at a pose.
fr_status fr__pen_touch(fr_pen *pen, const fr_space *space, const fr_pose *pose, double step, const fr_control *control,
                        fr_error *error);

// pen_strings.c: puts a frame of strings about the reach of the tip.
void fr__pen_place_frame(fr_pen *pen, const fr_bounds *reach);

// pen_strings.c: reports what is felt where it changed.
fr_status fr__pen_report_force(fr_pen *pen, fr_wishes *wishes, fr_error *error);

// pen_device.c: the device of a definition is checked; opened, which adds the cone; and closed.
fr_status fr__pen_check_device(const fr_pen_def *def, fr_error *error);
fr_status fr__pen_open_device(fr_pen *pen, const fr_pen_def *def, fr_error *error);
void fr__pen_close_device(fr_pen *pen);

// pen_device.c: the functions of the actor.
fr_status fr__pen_prepare(void *pen, fr_error *error);
fr_status fr__pen_begin(void *pen, fr_error *error);
fr_status fr__pen_follow(const fr_proposal *proposal, fr_wishes *wishes, void *pen, fr_error *error);
void fr__pen_paint_touched(fr_painter *painter, const fr_proposal *proposal, fr_pen *pen);

#endif
