// One clip of a walk: figures at equal intervals with the prints of the feet, and the timelines that make them.
#ifndef FUREAI_HUMAN_WALK_CLIP_H
#define FUREAI_HUMAN_WALK_CLIP_H

#include "human/walk_timeline.h"

#define FR__MAX_CONTACTS 4 // of a foot in one clip

// A frame as a set stores it. Places are in the clip's axes: it begins at the origin, facing +Z.
typedef struct fr__walk_frame {
    float middle[3];
    float turns[FR__FIGURE_TURNS][4];
    float legs[2][6]; // x, y, z of the ankle; heading and pitch of the foot; heading of the knee
} fr__walk_frame;

// A foot stands on one print.
typedef struct fr__walk_contact {
    double begin, end; // frames; a contact that ends after the clip has the last frame
    fr__walk_print print;
} fr__walk_contact;

// What a clip is, beside its frames.
typedef struct fr__walk_clip {
    fr_clip_class clip_class;
    int direction_deg, facing_deg; // multiples of 30
    fr_stride stride;
    int joined;                 // the foot that is joined last in an end: FR__LEFT, FR__RIGHT
    fr_vec2 travel;             // from the beginning of the path to its end: x, z
    double heading;             // of the path at the end
    uint32_t frame_count;       // 2 or more
    uint32_t first;             // index of its first frame in the set
    uint32_t contact_counts[2]; // of each foot
    fr__walk_contact contacts[2][FR__MAX_CONTACTS];
} fr__walk_clip;

// Fills in what a clip is from its class, direction, facing, stride and joined foot, and the timeline of its figures,
// which fr__walk_timeline_finish finishes.
// `mirrored` says that the figures of the timeline are those of the mirrored clip.
void fr__walk_clip_plan(const fr__gait *gait, const fr__walk_body *body, double frame_rate, fr__walk_clip *clip,
                        fr__walk_timeline *timeline, bool *is_mirrored);

// Mirrors a figure left to right.
void fr__walk_mirror(fr__walk_figure *figure);

void fr__walk_store(const fr__walk_figure *figure, fr__walk_frame *frame);

// The figure at a part 0 .. 1 between two frames.
void fr__walk_load(const fr__walk_frame *a, const fr__walk_frame *b, double part, fr__walk_figure *figure);

#endif
