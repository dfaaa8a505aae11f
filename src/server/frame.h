// What a tick came to, as bytes: made when the first client needs it, once for all.
#ifndef FUREAI_SERVER_FRAME_H
#define FUREAI_SERVER_FRAME_H

#include "server/packet.h"

#include "fureai/world.h"

enum {
    FR__SECTION_CHANGES,   // STATE since the snapshot before
    FR__SECTION_COMPLETE,  // STATE of all objects
    FR__SECTION_BONES,     // BONES since the snapshot before
    FR__SECTION_ALL_BONES, // BONES of all bodies
    FR__SECTION_STATES,    // EVENTS of what states the objects have, for one who was not there when they were set
    FR__SECTION_PAIRS,
    FR__SECTION_CONTACTS,
    FR__SECTION_FACE_TOUCHES,
    FR__SECTION_EVENTS,
    FR__SECTIONS,
    FR__FRAME_KINDS = 32 // state of changes or complete, with or without pairs, contacts, events, face touches
};

typedef struct fr__section {
    fr_array bytes;
    bool is_made;
} fr__section;

FR_ARRAY_TYPE(fr__state_event_array, fr_event);

typedef struct fr__frames {
    fr_encoder *encoder; // the caller's
    const fr_snapshot *snapshot, *earlier;
    const fr_world *world;        // whose states are sent
    const fr_space *space;        // of the world, whose bones are sent
    fr__state_event_array states; // of the objects' states
    uint64_t sequence;            // of the snapshot; 0: there is none
    uint64_t since;               // of the one before; 0: none
    double step;
    double ms_encode, ms_encode_before; // of this tick so far, and of the one before
    fr__section sections[FR__SECTIONS];
    fr__packet packets[FR__FRAME_KINDS];
} fr__frames;

fr__frames fr__frames_make(fr_encoder *encoder, const fr_allocator *allocator);
void fr__frames_free(fr__frames *frames);

// Goes on to a snapshot of a world. All must stay until the next call; `earlier` may be NULL.
void fr__frames_begin(fr__frames *frames, fr_world *world, const fr_snapshot *snapshot, const fr_snapshot *earlier);

// The packet for one who wants this, of fr_wants, and has the state before, or not. NULL when there is no memory.
const fr__packet *fr__frames_get(fr__frames *frames, uint32_t wants, bool is_complete);

// Writes the packet for one who has the state before and wants fewer states of what is far; `input` gets its snapshots
// and its space here. False when there is no memory.
bool fr__frames_write_near(fr__frames *frames, uint32_t wants, fr_near_input *input, fr__packet *out);

// Appends STATS for one client.
bool fr__frames_write_stats(fr__frames *frames, uint32_t clients, uint64_t dropped, fr__packet *out);

#endif
