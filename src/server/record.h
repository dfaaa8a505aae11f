// The record that is served, and the search for its touches beside the ticks.
#ifndef FUREAI_SERVER_RECORD_PRIVATE_H
#define FUREAI_SERVER_RECORD_PRIVATE_H

#include "fureai/server_record.h"

#include <stdatomic.h>

#define FR__RECORD_NAME_BYTES 48 // of an object in the list of touches; longer names are cut

// A touch begins or ends.
typedef struct fr__record_touch {
    uint64_t id;
    bool is_end;
    double at; // ticks of the record
    char a[FR__RECORD_NAME_BYTES], b[FR__RECORD_NAME_BYTES];
} fr__record_touch;

// Replays a whole record on another thread. Its owner reads `searched` and the first `count` touches at any time, and
// `flaw` when it is done.
typedef struct fr__record_search {
    const void *bytes;
    size_t size;
    fr_allocator allocator;
    fr__record_touch *touches; // FR_SERVED_RECORD_MAX_TOUCHES; NULL: there was no memory
    _Atomic uint32_t count;
    _Atomic uint64_t searched; // ticks
    atomic_bool is_full, is_stopped, is_done;
    fr_error flaw;
    const fr_tasks *tasks; // that it runs on; NULL: it does not run
    void *handle;
} fr__record_search;

// Begins the search where the tasks have a thread for it.
void fr__record_search_begin(fr__record_search *search, const fr_tasks *tasks);

// Ends it, and frees its memory.
void fr__record_search_end(fr__record_search *search);

struct fr_served_record {
    fr_record_player *player;
    fr_world *world; // that is shown
    const char *name;
    fr_allocator allocator;
    fr_array shown; // by the places of the record's objects
    double speed;
    uint64_t first;  // tick of the record that is shown as its beginning: time stands in those before
    uint64_t wanted; // a tick to go to, from the first on; UINT64_MAX: none
    bool is_next;    // the tick that runs is the one after that which is shown
    fr__record_search search;
    // What was published of it.
    uint64_t notice, published_searched;
    uint32_t published_touches;
    double published_speed;
    bool was_done;
    uint64_t published_ns;
};

// Goes to the tick that is wanted, or on by a number of ticks while it is played; at the end it does not go on.
// `is_paused` becomes whether time stands in the tick that comes.
fr_status fr__record_advance(fr_served_record *record, uint64_t ticks, bool *is_paused, fr_error *error);

// Whether the last tick is shown.
bool fr__record_is_over(const fr_served_record *record);

// How many ticks of a record are taken at once at its speed, so that no more than about one state is made for each tick
// of the record.
uint64_t fr__record_stride(const fr_served_record *record);

#endif
