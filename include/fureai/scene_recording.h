// Fureai scene: recordings, what the objects of a world did frame by frame, as a model that moves (animation of glTF).
// Library libfureai-world.
#ifndef FUREAI_SCENE_RECORDING_H
#define FUREAI_SCENE_RECORDING_H

#include "human_figure.h"
#include "model.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// Where the objects of a world were, frame after frame. One thread at a time.
typedef struct fr_recording fr_recording;

#define FR_RECORDING_MAX_FRAMES 1000000u

typedef struct fr_recording_def {
    fr_world *world;        // must outlive the recording; a frame lasts as long as its step
    const fr_looks *looks;  // how meshes look, must outlive the recording; NULL, the default: by the objects' colours
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_recording_def
} fr_recording_def;

FR_API fr_recording_def fr_default_recording_def(void);

// Begins a recording, without a frame, of all objects that the world shows now: not of proxies, nor of those that come
// later. Meshes and skins are retained. FR_ERROR_ARGUMENT for a definition without a world or cookie, FR_ERROR_MEMORY.
FR_API fr_status fr_recording_create(const fr_recording_def *def, fr_recording **out, fr_error *error);
FR_API void fr_recording_destroy(fr_recording *recording); // NULL is ignored

// Takes the next frame: where the objects and their bones are now, as floats. One that is gone stays where it was last.
// Vertices that were set by themselves are not recorded. Between ticks. O(objects + bones); memory grows with what has
// moved so far, 32 bytes a frame for an object and for each of its bones. FR_ERROR_LIMIT, FR_ERROR_MEMORY.
FR_API fr_status fr_recording_take(fr_recording *recording, fr_error *error);

// Makes a model of the objects, which are its nodes at the top, with their looks; bones are nodes below one another,
// and what moved has tracks of one clock, a key a frame. FR_ERROR_ARGUMENT without a frame or without an object,
// FR_ERROR_MEMORY.
FR_API fr_status fr_recording_model(const fr_recording *recording, fr_model **out, fr_error *error);

// The model of one body that moves as a clip does, with the skin and the clothes of the figure; the clip is one of the
// figure's skeleton. `allocator` may be NULL. FR_ERROR_ARGUMENT for a clip of more links, FR_ERROR_MEMORY.
FR_API fr_status fr_recording_model_of_clip(const fr_figure *figure, const fr_clip *clip, const fr_allocator *allocator,
                                            fr_model **out, fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
