// Records of moving parts that meet: the sorted list of them, their intervals and their triangles.
#include "clash/motion_record.h"

#include "fureai/base_order.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// The list

typedef struct record_key {
    uint32_t a, b;
} record_key;

static bool record_is_before(const fr__motion_record *record, record_key key) {
    return record->a != key.a ? record->a < key.a : record->b < key.b;
}

FR_SEARCH_TYPE(find_record, fr__motion_record, record_key, record_is_before);

size_t fr__motion_record_place(const fr__motion_record_array *records, uint32_t a, uint32_t b) {
    return find_record(records->data, records->count, (record_key){a, b});
}

fr__motion_record *fr__motion_record_at(const fr__motion_record_array *records, size_t place, uint32_t a, uint32_t b) {
    fr__motion_record *list = records->data;
    bool is_there = place < records->count && list[place].a == a && list[place].b == b;
    return is_there ? &list[place] : NULL;
}

fr__motion_record *fr__motion_record_open(fr__motion_record_array *records, uint32_t a, uint32_t b) {
    size_t at = fr__motion_record_place(records, a, b);
    fr__motion_record *known = fr__motion_record_at(records, at, a, b);
    if (known != NULL) { return known; }
    if (fr__motion_record_array_push(records, 1) == NULL) { return NULL; }
    fr__motion_record *list = records->data;
    memmove(&list[at + 1], &list[at], (records->count - 1 - at) * sizeof *list);
    list[at] = (fr__motion_record){.a = a, .b = b, .first = (double)INFINITY, .depth = FR_UNKNOWN};
    list[at].intervals = fr__clash_interval_array_make(&records->allocator);
    list[at].triangles = fr__triangle_pair_array_make(&records->allocator);
    list[at].lines = fr__contact_lines_make(&records->allocator);
    list[at].point = list[at].normal = fr_vec3_make(FR_UNKNOWN, FR_UNKNOWN, FR_UNKNOWN);
    return &list[at];
}

void fr__motion_records_clear(fr__motion_record_array *records) {
    fr__motion_record *list = records->data;
    for (size_t i = 0; i < records->count; i++) {
        fr__clash_interval_array_destroy(&list[i].intervals);
        fr__triangle_pair_array_destroy(&list[i].triangles);
        fr__contact_lines_free(&list[i].lines);
    }
    records->count = 0;
}

fr_motion_clash fr__motion_record_view(const fr__motion_record *r) {
    return (fr_motion_clash){.a = r->a,
                             .b = r->b,
                             .kind = r->kind,
                             .intervals = r->intervals.data,
                             .interval_count = r->intervals.count,
                             .triangles = r->triangles.data,
                             .triangle_count = r->triangles.count,
                             .is_lasting = r->is_lasting,
                             .first = r->first,
                             .point = r->point,
                             .normal = r->normal,
                             .at = r->at,
                             .depth = r->depth,
                             .region = fr__contact_lines_view(&r->lines)};
}

// ---------------------------------------------------------------------------------------------------------------
// Intervals and triangles

bool fr__intervals_add(fr__clash_interval_array *intervals, double begin, double end, double gap) {
    fr_clash_interval *list = intervals->data;
    size_t first = intervals->count;
    while (first > 0 && list[first - 1].end + gap >= begin) {
        first--;
    }
    size_t past = first;
    while (past < intervals->count && list[past].begin <= end + gap) {
        begin = list[past].begin < begin ? list[past].begin : begin;
        end = list[past].end > end ? list[past].end : end;
        past++;
    }
    if (past == first) {
        if (fr__clash_interval_array_push(intervals, 1) == NULL) { return false; }
        list = intervals->data;
        memmove(&list[first + 1], &list[first], (intervals->count - 1 - first) * sizeof *list);
    } else {
        memmove(&list[first + 1], &list[past], (intervals->count - past) * sizeof *list);
        intervals->count -= past - first - 1;
    }
    list[first] = (fr_clash_interval){begin, end};
    return true;
}

static bool pair_is_before(const fr_triangle_pair *a, const fr_triangle_pair *b) {
    return a->a != b->a ? a->a < b->a : a->b < b->b;
}

FR_SORT_TYPE(sort_pairs, fr_triangle_pair, pair_is_before);

void fr__triangle_pairs_sort(fr__triangle_pair_array *pairs) {
    fr_triangle_pair *list = pairs->data;
    size_t count = 0;
    sort_pairs(list, pairs->count);
    for (size_t i = 0; i < pairs->count; i++) {
        if (count == 0 || pair_is_before(&list[count - 1], &list[i])) { list[count++] = list[i]; }
    }
    pairs->count = count;
}
