// Moves an octree: blocks of voxels of the target are looked up in the reference image of the source.
#include "octree/move.h"

#include "octree/plane_motion.h"

#include <string.h>

#define MOVE_INPUT_COOKIE 0x4d4f5645u

fr_octree_move_input fr_default_octree_move_input(void) {
    fr_octree_move_input input;
    memset(&input, 0, sizeof input);
    input.motion = fr_octree_motion_identity();
    input.cookie = MOVE_INPUT_COOKIE;
    return input;
}

// Which bit of a Morton index (x, y, z, 2 x, 2 y, 2 z) each bit of a place in a table stands for.
static const uint8_t by_index[6] = {0, 1, 2, 3, 4, 5}, by_window[6] = {0, 1, 4, 2, 3, 5};

// Sums of six steps by the bits of their place. Sums wrap, as the images they are added to do.
static void make_sums(const int64_t a[3], int64_t scale, int64_t base, const uint8_t order[6], int32_t sums[64]) {
    sums[0] = (int32_t)(uint32_t)(uint64_t)base;
    for (uint32_t bit = 0; bit < 6; bit++) {
        uint32_t step = (uint32_t)(uint64_t)(a[order[bit] % 3] * scale) << order[bit] / 3, count = 1u << bit;
        for (uint32_t i = 0; i < count; i++) {
            sums[count + i] = (int32_t)((uint32_t)sums[i] + step);
        }
    }
}

// At depth 9 an image takes more than 32 bits: voxels are stored in two words, and the clearances with less fraction.
static void make_split_tables(fr__move_job *job, int axis, uint32_t levels) {
    const int64_t *a = job->map->a[axis];
    int64_t sum = a[0] + a[1] + a[2];
    for (int64_t i = 0; i < 64; i++) {
        int64_t x = (i & 1) + (i >> 2 & 2), y = (i >> 1 & 1) + (i >> 3 & 2), z = (i >> 2 & 1) + (i >> 4 & 2);
        int64_t step = a[0] * x + a[1] * y + a[2] * z;
        job->voxel[axis][i] = (int32_t)(uint32_t)(uint64_t)step;
        job->voxel_high[axis][i] = (int32_t)(step >> 32);
        for (uint32_t k = 0; k < levels; k++) {
            int64_t size = (int64_t)4 << 2 * k;
            job->middle[k][axis][i] = (int32_t)((size * step + (size - 1) * sum / 2) >> FR__COARSE_SHIFT);
        }
    }
}

// The tables of a job; see move.h.
static void make_tables(fr__move_job *job, uint32_t levels) {
    const fr_octree_map *m = job->map;
    bool is_split = m->shift == 32;
    job->clear_shift = m->shift - (is_split ? FR__COARSE_SHIFT : 0);
    for (int axis = 0; axis < 3; axis++) {
        const int64_t *a = m->a[axis];
        int64_t sum = a[0] + a[1] + a[2];
        if (is_split) {
            make_split_tables(job, axis, levels);
            continue;
        }
        make_sums(a, 1, 0, by_index, job->voxel[axis]);
        make_sums(a, 1, 0, by_window, job->window[axis]);
        job->window_low[axis] = 0;
        for (int c = 0; c < 3; c++) {
            job->window_low[axis] += a[c] < 0 ? 3 * a[c] : 0;
        }
        for (uint32_t k = 0; k < levels; k++) {
            int64_t size = (int64_t)4 << 2 * k;
            make_sums(a, size, (size - 1) * sum / 2, by_index, job->middle[k][axis]);
        }
    }
    job->unit = ldexp(1.0, -m->shift);
}

static bool has_no_turn(const fr_octree_map *m) {
    for (int i = 0; i < 9; i++) {
        if (m->a[i / 3][i % 3] != (i % 4 == 0 ? (int64_t)1 << m->shift : 0)) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Moving

typedef struct move_pass {
    const fr__move_job *job;
    const fr__move_kernel_table *kernel;
    uint32_t k;
    uint64_t mixed[FR_MAX_WORKERS];
} move_pass;

static void fill_blocks(size_t begin, size_t end, int worker, void *context) {
    move_pass *f = context;
    const uint8_t *colors = f->job->out->colors[2 * f->k + 2];
    for (size_t i = begin; i < end; i++) {
        if (colors[i] == FR_CELL_GRAY) { f->mixed[worker] += f->kernel->fill(f->job, f->k, i); }
    }
}

// The largest blocks first: of 4 voxels up to depth 3, of 16 up to 7, else of 64. Those that a block map decides
// are classified; at depth 4 and 5 there are too few of them to be worth it.
static uint64_t move_blocks(fr__move_job *job, const fr_tasks *tasks) {
    uint32_t depth = job->map->depth, levels = fr__clearance_levels(depth);
    move_pass f = {.job = job, .kernel = fr__move_kernel(), .k = depth <= 3 ? 0 : depth <= 7 ? 1 : 2};
    size_t count = (size_t)1 << 3 * (depth - 2 * f.k - 2);
    uint8_t *colors = job->out->colors[2 * f.k + 2];
    make_tables(job, levels);
    if (count < 8 || f.k >= levels) {
        memset(colors, FR_CELL_GRAY, count);
    } else {
        uint32_t group = count < 64 ? 8 : 64;
        for (size_t first = 0; first < count; first += group) {
            f.kernel->classify(job, f.k, first, group);
        }
    }
    fr_tasks_run(depth > 5 ? tasks : NULL, FR_SCHEDULE_DYNAMIC, count, depth > 5 ? 4 : count, fill_blocks, &f);
    fr__octree_close_above(job->out, 2 * f.k + 2);
    uint64_t mixed = 0;
    for (int w = 0; w < FR_MAX_WORKERS; w++) {
        mixed += f.mixed[w];
    }
    return mixed;
}

fr_status fr_octree_move(const fr_octree_reference *reference, const fr_octree_move_input *input, fr_octree *out,
                         fr_octree_move_output *output, fr_error *error) {
    if (input->cookie != MOVE_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_octree_move_input"); }
    bool is_flat = reference->dimension == 2;
    if (out->dimension != reference->dimension || out->def.depth != reference->depth) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the trees differ in dimension or depth");
    }
    fr_octree_map map;
    fr_status status = fr__map_make_affine(reference->depth, &input->motion, input->rule, &map, error);
    if (status != FR_OK) { return status; }
    if (is_flat && !fr__plane_motion_is_flat(&input->motion)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the motion leaves the plane of the quadtree");
    }

    uint64_t mixed = 0;
    if (map.is_away || fr_bounds_is_empty(&reference->bounds)) {
        fr_octree_clear(out, FR_CELL_WHITE);
    } else if (is_flat) {
        if (!fr__rule_is_center(input->rule)) { fr__map_make_axes(&map); }
        mixed = fr__plane_move(reference, &map, out);
    } else {
        fr__move_job job;
        job.reference = reference;
        job.map = &map;
        job.out = out;
        job.clear = fr__rule_is_center(input->rule) ? reference->center : reference->overlap;
        if (reference->depth <= FR__SHIFT_DEPTH && has_no_turn(&map)) {
            fr__move_shift(&job);
            fr__octree_close_above(out, 2);
        } else {
            if (!fr__rule_is_center(input->rule)) { fr__map_make_axes(&map); }
            mixed = move_blocks(&job, input->tasks);
        }
    }
    if (output != NULL) {
        output->is_clipped = fr__reference_is_clipped(reference, &input->motion);
        output->mixed_blocks = mixed;
    }
    return FR_OK;
}
