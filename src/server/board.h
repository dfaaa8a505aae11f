// A board of notices: what everybody must be told once, in order, and what those who come later must be told, too.
//
// Each reader only remembers the last notice it has read. A notice that no longer holds is taken off, so that a late
// reader is told the state of things and not their history; a farewell stays until all who were there have read it.
#ifndef FUREAI_SERVER_BOARD_H
#define FUREAI_SERVER_BOARD_H

#include "server/letter.h"

typedef struct fr__notice {
    uint64_t serial; // grows along the board
    bool is_farewell;
    bool is_off;       // taken off
    uint32_t mesh;     // number of a mesh, which is told piece by piece when somebody reads; 0: a letter
    fr__letter letter; // empty for a mesh: meshes are large, and few come late
} fr__notice;

typedef struct fr__board {
    fr_array notices; // of fr__notice
    uint64_t last;    // serial of the newest; never goes back
    size_t off_count;
    size_t farewell_count; // that stand
    fr_allocator allocator;
} fr__board;

// Where a reader is.
typedef struct fr__bookmark {
    uint64_t read;   // serial of the last notice it read
    uint64_t joined; // farewells up to this one are not for it
} fr__bookmark;

fr__board fr__board_make(const fr_allocator *allocator);

// Takes all notices off; serials go on.
void fr__board_clear(fr__board *board);
void fr__board_free(fr__board *board);

// Puts a letter up, which becomes the board's, and returns its serial; 0, with the letter freed, when there is no
// memory.
uint64_t fr__board_put(fr__board *board, fr__letter *letter);
uint64_t fr__board_put_mesh(fr__board *board, uint32_t mesh);

// Takes a notice off. With a farewell, which becomes the board's, those who may have read it are told. Serials that are
// 0 or off already are ignored but for the farewell.
void fr__board_take(fr__board *board, uint64_t serial, fr__letter *farewell);

// A bookmark before the first notice.
fr__bookmark fr__board_join(const fr__board *board);

// The next notice for a reader, NULL when it has read all. It stays until the board is changed.
const fr__notice *fr__board_next(const fr__board *board, const fr__bookmark *mark);

// The farewells up to this serial are none that a reader still has to read.
uint64_t fr__bookmark_passed(const fr__bookmark *mark);

// Forgets farewells that every reader has passed: `read_by_all` is the least of fr__bookmark_passed.
void fr__board_sweep(fr__board *board, uint64_t read_by_all);

#endif
