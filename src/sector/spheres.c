// One sector or box against many balls: kernels, tasks, ranges and predictions.
#include "sector/plane.h"
#include "sector/sphere_kernel.h"

#include <stdatomic.h>

// Balls of one piece of work; a multiple of 8, so that no two pieces share a byte.
#define GRAIN 16384

// Balls that are looked at together before an exact result.
#define BATCH 1024

// ---------------------------------------------------------------------------------------------------------------
// Batches

// What the kernel needs, each radius grown by `more`.
//
// It works with roundings of 2^-24. A coordinate in the sector's frame is off by at most 6 of them of the distance d
// from the center and 2 of the center's coordinates, so the point by 11 d + 4 c; the distance, which changes no faster
// than the point, is then computed with an error of 8 of the largest number. Together less than 20 times 2^-24 = 1.2e-6
// of all sizes; taken is 2e-6. A ball that is reported is no farther away than its radius, so d is at most the sector's
// size and the radius: the slack is a constant and a factor of the radius. What is passed over unseen is farther than
// that again.
static fr__float_sector float_sector(const fr_sector *s, double more) {
    const fr_vec3 axes[3] = {s->bisector, s->side, s->axis};
    fr__float_sector f = {.center = {(float)s->center.x, (float)s->center.y, (float)s->center.z},
                          .inner = (float)s->inner,
                          .outer = (float)s->outer,
                          .half_thickness = (float)s->half_thickness,
                          .cosine = (float)s->cosine,
                          .sine = (float)s->sine,
                          .factor = 1.0f + 4e-6f,
                          .far_factor = 1.0f + 12e-6f};
    for (int i = 0; i < 3; i++) {
        f.axes[i][0] = (float)axes[i].x;
        f.axes[i][1] = (float)axes[i].y;
        f.axes[i][2] = (float)axes[i].z;
    }
    // A sector of nearly a full turn must not lose its sine to rounding.
    if (f.cosine < 0.0f && f.sine <= 0.0f) { f.sine = 1e-30f; }
    double size = 2.0 * (s->outer + s->half_thickness) + fr_vec3_length(s->center);
    f.slack = (float)(2e-6 * size + more);
    f.far_slack = (float)(8e-6 * size + 1.01 * more);
    fr_bounds bounds = fr_sector_bounds(s);
    const double low[3] = {bounds.min.x, bounds.min.y, bounds.min.z},
                 high[3] = {bounds.max.x, bounds.max.y, bounds.max.z};
    for (int i = 0; i < 3; i++) {
        f.bounds.min[i] = fr_float_down(low[i]);
        f.bounds.max[i] = fr_float_up(high[i]);
    }
    return f;
}

// One batch with its tasks.
typedef struct batch {
    const fr__float_sector *sector; // or NULL
    const fr__float_box *box;
    const fr_spheres *spheres;
    uint8_t *bits;
    atomic_size_t hits;
} batch;

static fr_spheres part_of(const fr_spheres *s, size_t begin, size_t end) {
    return (fr_spheres){s->x + begin, s->y + begin, s->z + begin, s->radius != NULL ? s->radius + begin : NULL,
                        end - begin};
}

static size_t run_part(const batch *b, size_t begin, size_t end) {
    fr_spheres part = part_of(b->spheres, begin, end);
    const fr__sphere_table *kernels = fr__sphere_kernels();
    uint8_t *bits = b->bits + begin / 8;
    return b->sector != NULL ? kernels->sector(b->sector, &part, bits) : kernels->box(b->box, &part, bits);
}

static void run_range(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    batch *b = context;
    size_t last = end * GRAIN < b->spheres->count ? end * GRAIN : b->spheres->count;
    atomic_fetch_add_explicit(&b->hits, run_part(b, begin * GRAIN, last), memory_order_relaxed);
}

static size_t run_batch(batch *b, const fr_tasks *tasks) {
    size_t count = b->spheres->count;
    if (count == 0) { return 0; }
    if (tasks == NULL || count <= GRAIN) { return run_part(b, 0, count); }
    atomic_init(&b->hits, 0);
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, (count + GRAIN - 1) / GRAIN, 1, run_range, b);
    return atomic_load_explicit(&b->hits, memory_order_relaxed);
}

size_t fr_sector_spheres(const fr_sector *sector, const fr_spheres *spheres, const fr_tasks *tasks, uint8_t *bits) {
    fr__float_sector f = float_sector(sector, 0.0);
    batch b = {.sector = &f, .spheres = spheres, .bits = bits};
    return run_batch(&b, tasks);
}

// Each difference and square is off by 2^-24 of itself, so boxes and radii a little larger would be needed for none to
// be missed; the sizes are grown instead.
size_t fr_bounds_spheres(const fr_bounds *bounds, const fr_spheres *spheres, const fr_tasks *tasks, uint8_t *bits) {
    const double low[3] = {bounds->min.x, bounds->min.y, bounds->min.z};
    const double high[3] = {bounds->max.x, bounds->max.y, bounds->max.z};
    double size = 0.0;
    for (int i = 0; i < 3; i++) {
        size = fr__most(size, fr__most(fabs(low[i]), fabs(high[i])));
    }
    fr__float_box f;
    for (int i = 0; i < 3; i++) {
        f.min[i] = fr_float_down(low[i] - 2e-6 * size);
        f.max[i] = fr_float_up(high[i] + 2e-6 * size);
    }
    batch b = {.box = &f, .spheres = spheres, .bits = bits};
    return run_batch(&b, tasks);
}

// ---------------------------------------------------------------------------------------------------------------
// Ranges

static fr_vec3 center_of(const fr_spheres *s, size_t i) {
    return fr_vec3_make((double)s->x[i], (double)s->y[i], (double)s->z[i]);
}

static double radius_of(const fr_spheres *s, size_t i) { return s->radius != NULL ? (double)s->radius[i] : 0.0; }

size_t fr_sector_range(const fr_sector *sector, const fr_spheres *spheres, fr_range_hit *hits, size_t capacity) {
    fr__float_sector f = float_sector(sector, 0.0);
    uint8_t bits[BATCH / 8];
    size_t found = 0;
    for (size_t begin = 0; begin < spheres->count; begin += BATCH) {
        size_t end = begin + BATCH < spheres->count ? begin + BATCH : spheres->count;
        fr_spheres part = part_of(spheres, begin, end);
        if (fr__sphere_kernels()->sector(&f, &part, bits) == 0) { continue; }
        for (size_t i = begin; i < end; i++) {
            fr_vec3 center = center_of(spheres, i);
            double radius = radius_of(spheres, i);
            if ((bits[(i - begin) / 8] >> ((i - begin) % 8) & 1) == 0) { continue; }
            if (!fr_sector_overlap_sphere(sector, center, radius)) { continue; }
            if (found < capacity) {
                fr_vec3 p = fr__sector_local(sector, center);
                bool on_axis = p.x == 0.0 && p.y == 0.0;
                hits[found] = (fr_range_hit){(uint32_t)i, fr_vec3_length(p), on_axis ? 0.0 : fr_atan2(p.y, p.x)};
            }
            found++;
        }
    }
    return found;
}

// ---------------------------------------------------------------------------------------------------------------
// Predictions

// The turn over all frames; what is over a full turn adds nothing unless it slides.
static fr_screw whole_turn(const fr_screw *turn, double frames, double *taken) {
    *taken = frames;
    if (turn->slide == 0.0 && fabs(turn->angle) * frames > 2.0 * FR_PI) { *taken = 2.0 * FR_PI / fabs(turn->angle); }
    return (fr_screw){turn->point, turn->axis, *taken * turn->angle, *taken * turn->slide};
}

fr_status fr_predict(const fr_prediction_input *input, fr_prediction *out, size_t capacity, size_t *count,
                     fr_error *error) {
    *count = 0;
    fr_screw turn = input->turn;
    fr_status status = fr_screw_check(&turn, error);
    if (status != FR_OK) { return status; }
    if (input->frames < 1 || !(input->tolerance > 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a prediction needs a frame or more and a tolerance above 0");
    }
    double frames;
    fr_screw whole = whole_turn(&turn, input->frames, &frames);
    fr_sector sector;
    status = fr_sector_of_box(&input->box, &whole, &sector, error);
    if (status != FR_OK) { return status; }
    sector.outer += input->tolerance;
    sector.inner = fr__most(sector.inner - input->tolerance, 0.0);
    sector.half_thickness += input->tolerance;

    fr__float_sector f = float_sector(&sector, 2.0 * input->tolerance);
    uint8_t bits[BATCH / 8];
    const fr_spheres *s = &input->spheres;
    for (size_t begin = 0; begin < s->count; begin += BATCH) {
        size_t end = begin + BATCH < s->count ? begin + BATCH : s->count;
        fr_spheres part = part_of(s, begin, end);
        if (fr__sphere_kernels()->sector(&f, &part, bits) == 0) { continue; }
        for (size_t i = begin; i < end; i++) {
            if ((bits[(i - begin) / 8] >> ((i - begin) % 8) & 1) == 0) { continue; }
            fr_screw_hit hit =
                fr_screw_box_sphere(&input->box, &whole, center_of(s, i), radius_of(s, i), input->tolerance);
            if (!hit.is_hit) { continue; }
            if (*count < capacity) { out[*count] = (fr_prediction){(uint32_t)i, hit.time * frames, hit.point}; }
            (*count)++;
        }
    }
    return FR_OK;
}
