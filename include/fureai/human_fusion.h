// Fureai human: several motions of one body made into one (motion fusion, blending with inertialization).
#ifndef FUREAI_HUMAN_FUSION_H
#define FUREAI_HUMAN_FUSION_H

#include "human.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FR_MAX_FUSED_MOTIONS 32u

// One body and how it moves now. Each step takes the postures of all motions that are active and gives the one posture
// that the body has. A motion begins at the body's posture and velocity, whatever its own first posture is, and goes
// over to its own within 0.3 to 0.5 s; where one ends, the others take over in the same manner. One thread at a time.
typedef struct fr_fusion fr_fusion;

typedef struct fr_fusion_def {
    const fr_skeleton *skeleton; // retained
    const fr_posture *posture;   // of the body at first, at rest; NULL: that of the skeleton at rest. Copied
    fr_allocator allocator;      // default: the process default
    uint32_t cookie;             // set by fr_default_fusion_def
} fr_fusion_def;

FR_API fr_fusion_def fr_default_fusion_def(void);

// Makes a fusion; the only call of it that takes memory: 0.2 kB a link. FR_ERROR_ARGUMENT, FR_ERROR_NOT_FINITE for a
// posture that fr_posture_check refuses, FR_ERROR_MEMORY.
FR_API fr_status fr_fusion_create(const fr_fusion_def *def, fr_fusion **out, fr_error *error);
FR_API void fr_fusion_destroy(fr_fusion *fusion);

// A motion in a step.
typedef struct fr_fused_motion {
    uint64_t id;           // the caller's, the same in every step and of no two motions at once: a motion begins with
                           // the first step that has it and ends before the first that does not
    fr_posture posture;    // as the motion has it at the end of the step
    const double *weights; // posture.count + 1, as in fr_weighted_posture
} fr_fused_motion;

typedef struct fr_fusion_input {
    const fr_fused_motion *motions;
    uint32_t count;  // 0 .. FR_MAX_FUSED_MOTIONS
    double duration; // of the step, seconds, above 0, up to 1
} fr_fusion_input;

// The body's posture after a step: fr_posture_mean of the motions, and on top what is left of a transition, link by
// link. Where the motions that care for a link (weight above 0) change, the link goes on from its turn and velocity:
// its distance o from the mean fades as (1 - u)^3 (o + (3 o + v T) u), u = time / T (Ichiguchi A.7 with the exponent 3,
// and a term that keeps the velocity v), T = 0.3 .. 0.5 s. A link that no motion cares for comes to rest within its
// limit and keeps its turn; one that was over 0.1 rad beyond comes to rest no farther beyond. So does the place. A link
// whose mean leaps, since two motions are over half a turn apart, goes over in the same manner. Contacts are those of
// fr_posture_mean. The same bits everywhere, no memory. FR_ERROR_ARGUMENT for too many motions, an id twice, other
// numbers of links, no weights, a turn that is not unit within 1e-9 or a duration out of range, FR_ERROR_NOT_FINITE;
// then nothing has changed.
FR_API fr_status fr_fusion_step(fr_fusion *fusion, const fr_fusion_input *input, fr_posture *out, fr_error *error);

// Puts the body into a posture, at rest: all motions begin again. Fails as fr_fusion_create does, without memory.
FR_API fr_status fr_fusion_put(fr_fusion *fusion, const fr_posture *posture, fr_error *error);

// The body's posture after the last step: a view, valid until the next call.
FR_API fr_posture fr_fusion_posture(const fr_fusion *fusion);

// A hash of all that later steps depend on.
FR_API uint64_t fr_fusion_hash(const fr_fusion *fusion);

// When a motion of a command is active: in the frames start < k <= start + count, whatever its own length is. Sets
// *fraction to (k - start - 1) / (count - 1), 0 .. 1, which stretches postures and weights with it (0 for one frame).
// False outside; then *fraction is unchanged.
typedef struct fr_frame_span {
    uint32_t start; // frames before it
    uint32_t count; // frames of it
} fr_frame_span;

FR_API bool fr_frame_span_at(fr_frame_span span, uint64_t frame, double *fraction);

#ifdef __cplusplus
}
#endif

#endif
