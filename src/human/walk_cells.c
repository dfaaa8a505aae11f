// Captured steps: which cell a piece fills, and which piece is the best of its cell.
#include "human/walk_cells.h"

#include "human/walk_plan.h"

#include <math.h>
#include <string.h>

#define CELLS_COOKIE 0x43454c4cu

fr_walk_cells_def fr_default_walk_cells_def(void) { return (fr_walk_cells_def){.cookie = CELLS_COOKIE}; }

fr_status fr_walk_cells_create(const fr_walk_cells_def *def, fr_walk_cells **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != CELLS_COOKIE) { return fr_error_set_cookie(error, "fr_default_walk_cells_def"); }
    if (def->skeleton == NULL || !(def->speed >= 0.0 && def->speed <= 100.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "captured steps need a skeleton, and a speed of 0 .. 100 m/s");
    }
    fr__walk_body body;
    fr_status status = fr__walk_body_read(def->skeleton, &body, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_walk_cells *cells = fr_allocate(&allocator, 1, sizeof *cells, _Alignof(fr_walk_cells));
    if (cells == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for captured steps"); }
    *cells = (fr_walk_cells){.allocator = allocator,
                             .skeleton = fr_skeleton_retain(def->skeleton),
                             .body = body,
                             .speed = def->speed,
                             .leg = body.leg,
                             .pieces = fr__cell_piece_array_make(&allocator)};
    *out = cells;
    return FR_OK;
}

void fr_walk_cells_destroy(fr_walk_cells *cells) {
    if (cells == NULL) { return; }
    for (size_t i = 0; i < cells->pieces.count; i++) {
        fr_clip_release(cells->pieces.data[i].clip);
    }
    fr__cell_piece_array_destroy(&cells->pieces);
    fr_skeleton_release(cells->skeleton);
    fr_allocator allocator = cells->allocator;
    fr_deallocate(&allocator, cells, 1, sizeof *cells);
}

uint32_t fr__walk_cell_of(const fr_clip_view *clip) {
    int d = fr__walk_nearest(clip->direction), f = fr__walk_nearest(clip->facing);
    bool has_stride = clip->stride != FR_STRIDE_NONE;
    switch (clip->clip_class) {
    case FR_CLIP_ONE_STEP:
    case FR_CLIP_TWO_STEPS:
        if (clip->direction < 0.0 && d > 0 && d < 6) { return FR__NO_CELL; }
        if (clip->facing < 0.0 && f > 0) { f = f == 6 ? 6 : -f; }
        return has_stride && (f >= 0 || d % 6 != 0)
                   ? fr__walk_clip_index(clip->clip_class, d, f, clip->stride, FR__LEFT)
                   : FR__NO_CELL;
    case FR_CLIP_START:
        return clip->direction < 0.0 && d > 0 && d < 6
                   ? FR__NO_CELL
                   : fr__walk_clip_index(FR_CLIP_START, d, 0, FR_STRIDE_NONE, FR__LEFT);
    case FR_CLIP_STRAIGHT: return fr__walk_clip_index(FR_CLIP_STRAIGHT, 0, 0, FR_STRIDE_NONE, FR__LEFT);
    case FR_CLIP_END: {
        int joined = clip->last_foot == FR_FOOT_LEFT ? FR__LEFT : FR__RIGHT;
        bool is_cell = has_stride && clip->last_foot != FR_FOOT_NONE && (clip->facing >= 0.0 || f == 0 || f == 6);
        return is_cell ? fr__walk_clip_index(FR_CLIP_END, 0, f, clip->stride, joined) : FR__NO_CELL;
    }
    default: return FR__NO_CELL;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// The choice

// The median speed of the steady steps: the piece that as many are slower than as faster. 0 for none.
static double median_speed(const fr_walk_cells *cells) {
    uint32_t straight = fr__walk_clip_index(FR_CLIP_STRAIGHT, 0, 0, FR_STRIDE_NONE, FR__LEFT);
    const fr__cell_piece *pieces = cells->pieces.data;
    size_t count = 0;
    for (size_t i = 0; i < cells->pieces.count; i++) {
        count += pieces[i].cell == straight;
    }
    for (size_t i = 0; i < cells->pieces.count; i++) {
        if (pieces[i].cell != straight) { continue; }
        size_t slower = 0, as_fast = 0;
        for (size_t k = 0; k < cells->pieces.count; k++) {
            if (pieces[k].cell != straight) { continue; }
            slower += pieces[k].speed < pieces[i].speed;
            as_fast += pieces[k].speed == pieces[i].speed;
        }
        if (slower <= count / 2 && count / 2 < slower + as_fast) { return pieces[i].speed; }
    }
    return 0.0;
}

// A start or an end must fit to the steady step: one that is half as fast again does not.
static double cost_of(const fr__cell_piece *piece, double speed) {
    if (piece->speed == 0.0 || speed == 0.0) { return piece->off; }
    double ratio = piece->speed / speed, apart = fabs(ratio > 1.0 ? ratio - 1.0 : 1.0 / ratio - 1.0);
    return apart > 0.5 ? INFINITY : piece->off + 4.0 * apart;
}

void fr__walk_cells_choose(fr_walk_cells *cells) {
    double speed = cells->speed > 0.0 ? cells->speed : median_speed(cells), costs[FR_WALK_CLIPS];
    memset(cells->clips, 0, sizeof cells->clips);
    cells->filled = 0;
    for (size_t i = 0; i < cells->pieces.count; i++) {
        const fr__cell_piece *piece = &cells->pieces.data[i];
        double cost = cost_of(piece, speed);
        const fr_clip **clip = &cells->clips[piece->cell];
        if (cost == INFINITY || (*clip != NULL && costs[piece->cell] <= cost)) { continue; }
        cells->filled += *clip == NULL;
        *clip = piece->clip;
        costs[piece->cell] = cost;
    }
}

fr_status fr_walk_cells_add(fr_walk_cells *cells, const fr_clip *clip, uint32_t *found, fr_error *error) {
    FR_ASSERT(cells != NULL && clip != NULL);
    size_t before = cells->pieces.count;
    if (found != NULL) { *found = 0; }
    if (cells->skeleton == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "steps that were read from a file take no captures");
    }
    if (fr_clip_get(clip)->link_count > fr_skeleton_get(cells->skeleton)->link_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the clip has more links than the skeleton of the steps");
    }
    fr_clean_input input = fr_default_clean_input();
    input.skeleton = cells->skeleton;
    input.clip = clip;
    input.allocator = cells->allocator;
    fr_clip *clean = NULL;
    fr_status status = fr_clip_clean(&input, &clean, error);
    if (status == FR_OK) { status = fr__walk_cut(cells, clean, error); }
    fr_clip_release(clean);
    fr__walk_cells_choose(cells);
    if (found != NULL) { *found = (uint32_t)(cells->pieces.count - before); }
    return status;
}

fr_walk_cells_view fr_walk_cells_get(const fr_walk_cells *cells) {
    FR_ASSERT(cells != NULL);
    const fr_clip *step = cells->clips[fr__walk_clip_index(FR_CLIP_STRAIGHT, 0, 0, FR_STRIDE_NONE, FR__LEFT)];
    double seconds = step != NULL ? fr_clip_get(step)->duration : 0.0;
    return (fr_walk_cells_view){.leg = cells->leg,
                                .speed = seconds > 0.0 ? fr_clip_get(step)->length / seconds : 0.0,
                                .filled = cells->filled,
                                .piece_count = (uint32_t)cells->pieces.count,
                                .clips = cells->clips};
}
