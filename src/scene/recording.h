// What the two halves of a recording share: its frames, and the model that is made of them.
#ifndef FUREAI_SCENE_RECORDING_PRIVATE_H
#define FUREAI_SCENE_RECORDING_PRIVATE_H

#include "fureai/scene_recording.h"
#include "fureai/space.h"

// Numbers of a pose in a frame: position, rotation (x, y, z, w), scale.
enum { FR__RECORDED_POSE = 8 };

typedef struct fr__recorded_part {
    const fr_mesh *mesh; // retained
    const fr_skin *skin; // retained; NULL: none
    fr_pose pose;        // in the object
} fr__recorded_part;

FR_ARRAY_TYPE(fr__recorded_part_array, fr__recorded_part);

typedef struct fr__recorded_object {
    fr_object_id id;
    char *name;
    fr_color color;
    bool is_plain; // shown in its colour, whatever its meshes look like
    bool has_moved;
    uint32_t first_part, part_count;
    const fr_skin *skin;   // whose bones the poses of a frame are, one of the parts'; NULL: none
    uint32_t pose_count;   // of a frame: its own, then its bones' in the frames of their parents
    fr_float_array values; // of all frames where it has moved, else of the first
} fr__recorded_object;

FR_ARRAY_TYPE(fr__recorded_object_array, fr__recorded_object);

struct fr_recording {
    fr_allocator allocator;
    fr_world *world;
    const fr_looks *looks; // never NULL
    fr_arena *arena;       // of the names
    fr__recorded_object_array objects;
    fr__recorded_part_array parts;
    uint32_t frame_count;
};

// The numbers of a frame of an object.
static inline const float *fr__recorded_frame(const fr__recorded_object *object, uint32_t frame) {
    return object->values.data + (object->has_moved ? (size_t)FR__RECORDED_POSE * object->pose_count * frame : 0);
}

#endif
