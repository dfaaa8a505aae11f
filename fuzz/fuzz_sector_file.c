// Any bytes as a sector file: refused with a place, or sectors that can be asked.
#include "fureai/scene.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

static void ask(const fr_sector_file_view *view, const fr_sector_query *q) {
    require(q->sector < view->sector_count && q->other < view->sector_count);
    const fr_sector *s = &view->sectors[q->sector].sector;
    double d = fr_sector_distance(s, q->points[0]);
    require(d >= 0.0 || isnan(d));
    if (fr_sector_overlap_sphere(s, q->points[0], q->radius)) {
        require(d <= q->radius * (1.0 + 1e-9) + 1e-9 * s->outer);
    }
    d = fr_sector_segment_distance(s, q->points);
    require(d >= 0.0 || isnan(d));
    (void)fr_sector_overlap_capsule(s, q->points, q->radius);
    (void)fr_sector_overlap_triangle(s, q->points);
    (void)fr_sector_overlap_box(s, &q->box);
    (void)fr_sector_overlap_sector(s, &view->sectors[q->other].sector, 1e-3 * s->outer);
    const fr_sector_entry *e = &view->sectors[q->sector];
    if (e->build != FR_SECTOR_GIVEN) { (void)fr_screw_box_sphere(&e->box, &e->screw, q->points[0], q->radius, 1e-6); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1 << 14) { return 0; }
    fr_sector_file *file;
    fr_error error = {0};
    fr_status status = fr_sector_file_read(data, size, NULL, &file, &error);
    if (status != FR_OK) {
        require(file == NULL && error.status == status && error.line >= 1 && error.column >= 1);
        require(error.message[0] != '\0');
        return 0;
    }
    const fr_sector_file_view *view = fr_sector_file_get(file);
    for (uint32_t i = 0; i < view->query_count && i < 64; i++) {
        ask(view, &view->queries[i]);
    }
    fr_sector_file_destroy(file);
    return 0;
}
