// Fureai server: records as served scenes. People go through what a world did, forwards, backwards and at any speed.
// Library libfureai-world.
#ifndef FUREAI_SERVER_RECORD_H
#define FUREAI_SERVER_RECORD_H

#include "world_player.h"

#ifdef __cplusplus
extern "C" {
#endif

struct fr_served_scene;

// What a server shows of a record.
typedef struct fr_served_record fr_served_record;

#define FR_SERVED_RECORD_SPEED_MIN 0.01 // seconds of the record a second
#define FR_SERVED_RECORD_SPEED_MAX 100.0
#define FR_SERVED_RECORD_MAX_TOUCHES 20000u // begins and ends that are listed, the first of the record

typedef struct fr_served_record_def {
    const void *bytes; // of the record (fr_world_record); must outlive the scene
    size_t size;
    const char *name;          // for people; must outlive the scene
    fr_sense sense;            // of what is shown; default FR_SENSE_CONTINUOUS
    const fr_control *control; // of the first reading; may be NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_served_record_def
} fr_served_record_def;

FR_API fr_served_record_def fr_default_served_record_def(void);

// Makes the scene of a record, for the `open` of a provider: it stands at its beginning, in a world of its own, in
// which collisions are detected at the tick that is shown. Nothing of it can be handled. A server with a background
// looks for the touches of the whole record beside the ticks. The statuses of fr_record_player_create.
FR_API fr_status fr_served_record_create(const fr_served_record_def *def, struct fr_served_scene *out, fr_error *error);

// Destroys such a scene, for the `close` of a provider.
FR_API void fr_served_record_destroy(struct fr_served_scene *scene);

// Why the record ends where it does, in a sentence; "" where it is whole.
FR_API const char *fr_served_record_flaw(const fr_served_record *record);

#ifdef __cplusplus
}
#endif

#endif
