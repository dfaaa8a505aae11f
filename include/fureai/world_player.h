// Fureai world: record players, which show a record of a world at any of its ticks (seek).
//
// A record player reads a record once and stores checkpoints (key frames) as it goes, so that going to a tick costs a
// bounded part of the record, however long it is.
#ifndef FUREAI_WORLD_PLAYER_H
#define FUREAI_WORLD_PLAYER_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// One thread at a time.
typedef struct fr_record_player fr_record_player;

typedef struct fr_record_player_def {
    const void *bytes; // of the record (fr_world_record); must outlive the player
    size_t size;
    uint64_t checkpoint_bytes; // memory for checkpoints, default 64 MB; with less a seek reads more of the record
    uint64_t interval_bytes;   // of the record between two checkpoints at least, from 1 on; default 256 KB
    const fr_control *control; // of the first reading; may be NULL
    fr_allocator allocator;    // default: the process default
    uint32_t cookie;           // set by fr_default_record_player_def
} fr_record_player_def;

FR_API fr_record_player_def fr_default_record_player_def(void);

// Reads a record and stands at its beginning. A record that is damaged, or ends too soon, after its first tick is shown
// up to there: fr_record_player_flaw. Contents are checked as by fr_world_replay, but that the ticks have the hashes
// they had. FR_ERROR_SYNTAX for what is no record, FR_ERROR_VERSION for one of another version, FR_ERROR_CORRUPT for
// one that is damaged before its first tick, FR_ERROR_STOPPED, FR_ERROR_MEMORY. O(size).
FR_API fr_status fr_record_player_create(const fr_record_player_def *def, fr_record_player **out, fr_error *error);
FR_API void fr_record_player_destroy(fr_record_player *player); // NULL is ignored

// How many ticks the record has, paused ones included.
FR_API uint64_t fr_record_player_tick_count(const fr_record_player *player);

// Why the record ends where it does, in a sentence with the byte; "" where it is whole.
FR_API const char *fr_record_player_flaw(const fr_record_player *player);

// Goes to where a number of ticks has been taken; 0 is the beginning, and more than there are is the end. Reads at most
// the part of the record between two checkpoints, and detects no collisions. FR_ERROR_STOPPED, FR_ERROR_MEMORY: the
// player stands at the beginning, or at a tick between.
FR_API fr_status fr_record_player_seek(fr_record_player *player, uint64_t tick, const fr_control *control,
                                       fr_error *error);

// Ticks taken where it stands.
FR_API uint64_t fr_record_player_tick(const fr_record_player *player);

// The world as it was then: poses, bones, vertices, joints, labels, states and holds, no touches and no snapshot. To
// read, until the next seek, which may make another one; its space is not up to date for queries. Meshes are the same
// in all of them.
FR_API fr_world *fr_record_player_world(const fr_record_player *player);

#ifdef __cplusplus
}
#endif

#endif
