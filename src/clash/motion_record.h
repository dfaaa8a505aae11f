// What is gathered about two moving parts that meet, step by step.
#ifndef FR_CLASH_MOTION_RECORD_H
#define FR_CLASH_MOTION_RECORD_H

#include "clash/contact_region.h"

FR_ARRAY_TYPE(fr__clash_interval_array, fr_clash_interval);
FR_ARRAY_TYPE(fr__triangle_pair_array, fr_triangle_pair);

typedef struct fr__motion_record {
    uint32_t a, b; // in the list of parts, a < b
    fr_clash_kind kind;
    fr__clash_interval_array intervals; // sorted
    fr__triangle_pair_array triangles;
    fr__contact_lines lines;
    bool is_lasting;
    double first;
    fr_vec3 point, normal;
    double at, depth;
    bool is_crossing;    // some faces go through one another
    bool is_deforming;   // one of them changes its shape: neither depth nor being inside is looked for
    bool is_inside;      // one is inside the other since their surfaces last met
    uint64_t seen;       // sequence of the snapshot in which faces were last in contact at its end
    size_t max_count;    // triangles that collide at the instant `at`; 0: it is between two instants
    double max_duration; // seconds, of the meetings between instants
    fr_pose poses[2];    // of the owners at that time
} fr__motion_record;

FR_ARRAY_TYPE(fr__motion_record_array, fr__motion_record);

// Where the record of two parts is, or would be, in an array of records sorted by a and b.
size_t fr__motion_record_place(const fr__motion_record_array *records, uint32_t a, uint32_t b);

// The record at a place when it is that of two parts; else NULL.
fr__motion_record *fr__motion_record_at(const fr__motion_record_array *records, size_t place, uint32_t a, uint32_t b);

// The record of two parts, made when it is new; NULL without memory.
fr__motion_record *fr__motion_record_open(fr__motion_record_array *records, uint32_t a, uint32_t b);

// Gives back what the records hold and empties the array.
void fr__motion_records_clear(fr__motion_record_array *records);

// Adds an interval; those that it meets within `gap` become one with it. Intervals come step by step: what it meets is
// at the end. False without memory.
bool fr__intervals_add(fr__clash_interval_array *intervals, double begin, double end, double gap);

// Sorts pairs of triangles and drops repeated ones.
void fr__triangle_pairs_sort(fr__triangle_pair_array *pairs);

// The record as users see it; valid until it changes.
fr_motion_clash fr__motion_record_view(const fr__motion_record *record);

#endif
