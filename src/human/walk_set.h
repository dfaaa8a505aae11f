// The private structure of a set of walking clips.
#ifndef FUREAI_HUMAN_WALK_SET_H
#define FUREAI_HUMAN_WALK_SET_H

#include "fureai/human_walk.h"
#include "human/walk_clip.h"

#include <stdatomic.h>

#define FR__NO_FRAMES UINT32_MAX

struct fr_walk_set {
    fr_walk_set_view view;
    fr__walk_body body;
    fr__gait gait;
    fr__walk_clip clips[FR_WALK_CLIPS];
    fr__walk_frame *frames;
    size_t capacity;       // frames that there is room for
    bool is_lazy;          // clips have no frames (`first` is FR__NO_FRAMES) until they are needed
    fr__walk_figure stand; // at the origin
    fr_allocator allocator;
    atomic_uint references;
};

// The index of a clip. Direction and facing are in units of 30 degrees: direction 0 .. 6, facing -5 .. 6, and from 0
// for directions 0 and 6, starts and ends.
uint32_t fr__walk_clip_index(fr_clip_class clip_class, int direction, int facing, fr_stride stride, int joined);

// What a clip is, beside its frames.
const fr__walk_clip *fr__walk_set_look_up(const fr_walk_set *set, uint32_t index);

// A clip is about to be walked: it has frames from now on. False without memory.
bool fr__walk_set_need(const fr_walk_set *set, uint32_t index);

// The figure of a clip at a frame, which need not be whole. The clip was needed before.
void fr__walk_set_figure(const fr_walk_set *set, const fr__walk_clip *clip, double frame, fr__walk_figure *figure);

// Whether the foot of a clip stands at a frame, and on which of its contacts; else the contact that it leaves.
bool fr__walk_stands(const fr__walk_clip *clip, int foot, double frame, uint32_t *contact);

// The bits of a planted foot with that pitch.
uint8_t fr__walk_contact_bits(double pitch);

#endif
