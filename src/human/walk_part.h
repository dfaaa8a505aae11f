// Parts of a walk: clips that are deformed so that they begin and end where the walk wants them (12.6 of the source's
// revised text), with feet that stand on prints in the world.
#ifndef FUREAI_HUMAN_WALK_PART_H
#define FUREAI_HUMAN_WALK_PART_H

#include "human/walk_clear.h"
#include "human/walk_set.h"

// A place on the ground with a heading.
typedef struct fr__walk_spot {
    double x, z, heading;
} fr__walk_spot;

typedef struct fr__walk_part {
    fr__walk_clip clip;                         // mirrored where the part is
    bool is_mirrored;                           // the frames of the set are mirrored before use
    double begin;                               // frames of the walk before it
    double last;                                // frame of the clip after which the next part follows
    double length;                              // metres from its first spot to its last
    fr__walk_spot from;                         // where the path of the clip begins
    fr__walk_spot to;                           // and ends; its heading is that of the walk there
    double speeds[2];                           // of the hips at both ends, where the clip's own is 1
    double turns[2];                            // what the clip is turned by at its beginning and at its end
    fr__walk_print prints[2][FR__MAX_CONTACTS]; // where the feet stand in the world
    double lack;                                // how much nearer to one another legs come than they should, metres

    // How the feet go aside as they swing, and how the legs bend after they have left a print and stretch before they
    // land on the next one.
    fr__walk_aside asides[2][FR__MAX_CONTACTS - 1];
    fr__walk_bend leaving[2][FR__MAX_CONTACTS - 1], landing[2][FR__MAX_CONTACTS - 1];
} fr__walk_part;

// What a part is made of.
typedef struct fr__walk_part_input {
    uint32_t clip; // index in the set
    bool is_mirrored;
    fr__walk_spot from, to;
    double end_speed;            // of a body that walks on after it, where the clip's own is 1
    fr__walk_part *before;       // NULL: the body stands before it
    const fr__walk_print *stand; // two prints on which it does
    bool is_committed; // where a foot lands between two parts is decided by the earlier one, else by the later
} fr__walk_part_input;

void fr__walk_part_set(const fr_walk_set *set, const fr__walk_part_input *input, fr__walk_part *part);

// The figure of a part at a frame of its clip, and the contacts of the feet.
void fr__walk_part_figure(const fr_walk_set *set, const fr__walk_part *part, double frame, fr__walk_figure *figure,
                          uint8_t contacts[2]);

// Where the path is at a frame.
fr__walk_spot fr__walk_part_spot(const fr_walk_set *set, const fr__walk_part *part, double frame);

// Gives a part that was to be left early its end back.
void fr__walk_part_restore(const fr_walk_set *set, fr__walk_part *part);

// The first frame of a part from `within` on at which the body could stand, or its last one.
double fr__walk_part_stand(const fr_walk_set *set, const fr__walk_part *part, double within);

#endif
