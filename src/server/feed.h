// A feed of notices with a cursor for each reader: what every client must be sent once, in order, and also what clients
// that come later must be sent.
//
// A reader only remembers the last notice that it has read. A notice that no longer holds is taken off, so that a late
// reader is sent the present state and not its history; a farewell stays until all who were there have read it.
#ifndef FUREAI_SERVER_FEED_H
#define FUREAI_SERVER_FEED_H

#include "server/packet.h"

typedef struct fr__notice {
    uint64_t serial; // grows along the feed
    bool is_farewell;
    bool is_off;       // taken off
    uint32_t mesh;     // number of a mesh, which is sent piece by piece when it is read; 0: a packet
    fr__packet packet; // empty for a mesh: meshes are large, and few come late
} fr__notice;

FR_ARRAY_TYPE(fr__notice_array, fr__notice);

typedef struct fr__feed {
    fr__notice_array notices;
    uint64_t last; // serial of the newest; never goes back
    size_t off_count;
    size_t farewell_count; // that stand
    uint64_t changes;      // grows whenever a notice comes or goes
    fr_allocator allocator;
} fr__feed;

// Where a reader is.
typedef struct fr__feed_cursor {
    uint64_t read;   // serial of the last notice it read
    uint64_t joined; // farewells up to this one are not for it
} fr__feed_cursor;

fr__feed fr__feed_make(const fr_allocator *allocator);

// Takes all notices off; serials go on.
void fr__feed_clear(fr__feed *feed);
void fr__feed_free(fr__feed *feed);

// Puts a packet up, which becomes the feed's, and returns its serial; 0, with the packet freed, when there is no
// memory.
uint64_t fr__feed_put(fr__feed *feed, fr__packet *packet);
uint64_t fr__feed_put_mesh(fr__feed *feed, uint32_t mesh);

// Takes a notice off. With a farewell, which becomes the feed's, those who may have read it are sent it. Serials that
// are 0 or off already are ignored but for the farewell.
void fr__feed_take(fr__feed *feed, uint64_t serial, fr__packet *farewell);

// A bookmark before the first notice.
fr__feed_cursor fr__feed_join(const fr__feed *feed);

// The next notice for a reader, NULL when it has read all. It stays until the feed is changed.
const fr__notice *fr__feed_next(const fr__feed *feed, const fr__feed_cursor *mark);

// The farewells up to this serial are none that a reader still has to read.
uint64_t fr__cursor_passed(const fr__feed_cursor *mark);

// Forgets farewells that every reader has passed: `read_by_all` is the least of fr__cursor_passed.
void fr__feed_sweep(fr__feed *feed, uint64_t read_by_all);

#endif
