// Clashes that the ranks of an exchange described, each some of them, brought together on all.
#include "clash/finder.h"

#include <string.h>

// What a rank gives of a clash, before its points and lines.
typedef struct described {
    uint64_t kind;
    double depth;
    uint64_t point_count, line_count;
} described;

static bool put_clash(fr__share *share, const fr_clash *c) {
    const fr_contact_region *region = &c->region;
    const described head = {(uint64_t)c->kind, c->depth, region->point_count, region->line_count};
    size_t points = region->point_count * sizeof(fr_vec3), lines = region->line_count * sizeof(fr_contact_line);
    unsigned char *out = fr__share_put(share, sizeof head + points + lines);
    if (out == NULL) { return false; }
    memcpy(out, &head, sizeof head);
    if (points > 0) { memcpy(out + sizeof head, c->region.points, points); }
    if (lines > 0) { memcpy(out + sizeof head + points, c->region.lines, lines); }
    return true;
}

// FR_ERROR_CORRUPT where the bytes end too soon.
static fr_status take_clash(fr_clash *c, fr__contact_lines *lines, const unsigned char **bytes, size_t *left) {
    described head;
    if (*left < sizeof head) { return FR_ERROR_CORRUPT; }
    memcpy(&head, *bytes, sizeof head);
    size_t rest = *left - sizeof head;
    if (head.point_count > rest / sizeof(fr_vec3)) { return FR_ERROR_CORRUPT; }
    size_t point_count = (size_t)head.point_count, point_bytes = point_count * sizeof(fr_vec3);
    if (head.line_count > (rest - point_bytes) / sizeof(fr_contact_line)) { return FR_ERROR_CORRUPT; }
    size_t line_count = (size_t)head.line_count, line_bytes = line_count * sizeof(fr_contact_line);
    fr_vec3 *points = fr__vec3_array_push(&lines->points, point_count);
    fr_contact_line *out = fr__contact_line_array_push(&lines->lines, line_count);
    if (points == NULL || out == NULL) { return FR_ERROR_MEMORY; }
    if (point_bytes > 0) { memcpy(points, *bytes + sizeof head, point_bytes); }
    if (line_bytes > 0) { memcpy(out, *bytes + sizeof head + point_bytes, line_bytes); }
    c->kind = (fr_clash_kind)head.kind;
    c->depth = head.depth;
    c->region = fr__contact_lines_view(lines);
    *bytes += sizeof head + point_bytes + line_bytes;
    *left = rest - point_bytes - line_bytes;
    return FR_OK;
}

fr_status fr__rest_gather(fr_clash_finder *finder, const size_t *first, fr_error *error) {
    fr__share *share = &finder->share;
    if (share->exchange == NULL) { return FR_OK; }
    fr_clash *clashes = finder->clashes.data;
    fr__contact_lines *lines = finder->lines.data;
    uint32_t own = share->exchange->rank;
    for (size_t i = first[own]; i < first[own + 1]; i++) {
        if (!put_clash(share, &clashes[i])) { break; } // the gather reports it
    }
    fr_gathered gathered;
    if (!fr__share_gather(share, false, FR_OK, &gathered)) { return fr__share_error(share, error); }
    for (uint32_t r = 0; r < share->exchange->rank_count; r++) {
        size_t left;
        const unsigned char *bytes = fr__share_of(&gathered, r, &left);
        for (size_t i = first[r]; i < first[r + 1] && r != own; i++) {
            fr_status status = take_clash(&clashes[i], &lines[i], &bytes, &left);
            if (status != FR_OK) { return fr_error_set(error, status, "%s", fr_status_text(status)); }
        }
    }
    return FR_OK;
}
