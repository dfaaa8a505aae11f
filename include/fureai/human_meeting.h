// Fureai human: where the hands of two people meet (interaction of virtual humans): how far apart they stand, and the
// place between them that both of their arms reach.
#ifndef FUREAI_HUMAN_MEETING_H
#define FUREAI_HUMAN_MEETING_H

#include "human_reach.h"

#ifdef __cplusplus
extern "C" {
#endif

// What two people do together.
typedef enum fr_meeting_kind {
    FR_MEETING_SHAKE_HAND, // palms clasp one another; both hands are of the same side
    FR_MEETING_HAND_OVER   // the first holds a thing, which the open palm of the second takes from below
} fr_meeting_kind;

typedef struct fr_meeting_input {
    fr_meeting_kind kind;
    const fr_skeleton *skeletons[2];
    fr_vec3 places[2]; // of the roots of the bodies, which stand upright and face one another
    fr_side sides[2];  // the hand of each; default FR_RIGHT
    fr_pose thing;     // of a hand-over: the middle of the thing's underside in the palm of who holds it, y upwards;
                       // default: 0.1 m before the wrist, y along the thumb
    uint32_t cookie;   // set by fr_default_meeting_input
} fr_meeting_input;

FR_API fr_meeting_input fr_default_meeting_input(void);

typedef struct fr_meeting_output {
    fr_pose goals[2]; // in the world: where the palms meet, as each of the two has it: z along the fingers, y out of
                      // the palm. Of who holds a thing: where its underside comes, y upwards
    double ratio;     // of the second one's hand to the first one's
    bool is_reached;  // both arms come there within the limits of their joints, without a lean
    double miss;      // metres that the worse of both is short of it
    double excess;    // radians that it is beyond its limits
} fr_meeting_output;

// How far apart the roots of two bodies are that do this naturally, metres, by the lengths of their arms.
FR_API double fr_meeting_distance(const fr_meeting_input *input);

// Finds the place where the hands meet: of heights between the hips and the shoulders of both, and of turns about the
// line between them, the first that both arms reach, else the one that they miss least. A pure job: any thread, no
// memory. About 1 ms, up to 40 ms where nothing is reached. FR_ERROR_ARGUMENT for a forgotten default, a skeleton
// without a complete arm on its side, two sides that do not clasp, or places above one another; FR_ERROR_NOT_FINITE.
FR_API fr_status fr_meeting_find(const fr_meeting_input *input, fr_meeting_output *output, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
