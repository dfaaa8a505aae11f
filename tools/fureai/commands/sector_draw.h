// Sectors and what is asked about them, in pictures.
#ifndef FUREAI_TOOL_SECTOR_DRAW_H
#define FUREAI_TOOL_SECTOR_DRAW_H

#include "fureai/scene.h"

// What a query came to. A number that is not known is NAN.
typedef struct sector_answer {
    bool hit;
    double distance; // 0 for a hit
    double angle;    // radians turned until first contact
    bool exact;      // about the sector or sweep itself
} sector_answer;

extern const fr_color sector_hit_color, sector_miss_color;

// The sector that an entry stands for: the source's, of an exact sweep the conservative one.
fr_sector sector_shown(const fr_sector_entry *entry);

// An entry: its sector, and the box at the start and at the end of its turn.
void sector_draw_entry(const fr_draw *draw, const fr_sector_entry *entry);

// The shape of a query, red when it is hit.
void sector_draw_query(const fr_draw *draw, const fr_sector_query *query, bool hit);

#endif
