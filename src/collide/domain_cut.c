// How space is cut into domains: each has some stretches of the Morton curve through the cells of a grid over all
// objects, so that every rank has about as many faces, and those took about as much work in the last query.
#include "collide/domain.h"

#include "fureai/base_order.h"
#include "octree/octree.h"

#include <math.h>
#include <string.h>

// A rank has several stretches, so that one where much meets and one where little does make a domain.
enum { CELLS = 1 << FR__DOMAIN_BITS, MAX_SAMPLES = 1024, STRETCHES_A_RANK = 8 };

// ---------------------------------------------------------------------------------------------------------------
// Cells

// Rounding is monotone in x, so cells are in the order of the points.
static uint16_t cell_at(double x, double min, double cells) {
    double cell = (x - min) * cells;
    return (uint16_t)fmax(0.0, fmin((double)(CELLS - 1), cell));
}

fr__domain_low fr__domain_cell(const fr__domain_cut *cut, fr_vec3 point) {
    const fr_vec3 *min = &cut->bounds.min;
    return (fr__domain_low){cell_at(point.x, min->x, cut->cells.x), cell_at(point.y, min->y, cut->cells.y),
                            cell_at(point.z, min->z, cut->cells.z)};
}

uint32_t fr__domain_code(fr__domain_low cell) { return fr__morton3(cell.x, cell.y, cell.z); }

// The stretch of the curve that a cell is in.
static uint32_t stretch_of(const fr__domain_cut *cut, uint32_t code) {
    uint32_t low = 0, high = (uint32_t)cut->first_code.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cut->first_code.data[middle] <= code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint32_t fr__domain_rank_of(const fr__domain_cut *cut, uint32_t code) {
    return cut->rank_of.data[stretch_of(cut, code)];
}

// A box of cells whose ranks are listed.
typedef struct box_listing {
    const fr__domain_cut *cut;
    fr__domain_low low, high;
    uint32_t *ranks;
    bool *is_marked;
    uint32_t count;
} box_listing;

static void mark(box_listing *l, uint32_t rank) {
    if (!l->is_marked[rank]) {
        l->is_marked[rank] = true;
        l->ranks[l->count++] = rank;
    }
}

// The cube of 8^level cells that begins at a code.
static void list_cube(box_listing *l, uint32_t code, uint32_t level) {
    uint32_t edge = (1u << level) - 1;
    uint32_t x = fr__gather3(code), y = fr__gather3(code >> 1), z = fr__gather3(code >> 2);
    if (x > l->high.x || y > l->high.y || z > l->high.z || x + edge < l->low.x || y + edge < l->low.y ||
        z + edge < l->low.z) {
        return;
    }
    uint32_t first = stretch_of(l->cut, code);
    if (level == 0 || first == stretch_of(l->cut, code + (1u << 3 * level) - 1)) {
        mark(l, l->cut->rank_of.data[first]);
        return;
    }
    for (uint32_t child = 0; child < 8; child++) {
        list_cube(l, code + (child << 3 * (level - 1)), level - 1);
    }
}

// The code of a cell in a box is not below that of its low corner nor above that of its high one.
uint32_t fr__domain_ranks_of(const fr__domain_cut *cut, fr__domain_low low, fr__domain_low high, uint32_t *ranks,
                             bool *is_marked) {
    box_listing l = {cut, low, high, ranks, is_marked, 0};
    uint32_t first = stretch_of(cut, fr__domain_code(low));
    if (first == stretch_of(cut, fr__domain_code(high))) {
        ranks[0] = cut->rank_of.data[first];
        return 1;
    }
    list_cube(&l, 0, FR__DOMAIN_BITS);
    for (uint32_t i = 0; i < l.count; i++) {
        is_marked[ranks[i]] = false;
    }
    return l.count;
}

// ---------------------------------------------------------------------------------------------------------------
// Weights

// Where a face is on the curve, and its share of the work of the last query. Samples are sums over some faces.
typedef struct weighed_face {
    uint32_t code;
    float faces, work;
} weighed_face;

static bool weighed_is_before(const weighed_face *a, const weighed_face *b) { return a->code < b->code; }
FR_SORT_TYPE(sort_weighed, weighed_face, weighed_is_before);

// What a rank's faces took: of its work, this share goes with the faces, the rest with the pairs they were in.
#define SHARE_OF_FACES 0.1

typedef struct weighing {
    const fr__domain_run *run;
    const fr__domain_cut *before; // NULL: nothing is known of the work
    double total_work;
    weighed_face *out;
} weighing;

static double work_of(const weighing *w, const fr__domain_face *face, fr_vec3 middle) {
    const fr_domain *domain = w->run->domain;
    if (w->before == NULL || w->total_work <= 0.0) { return 0.0; }
    uint32_t rank = fr__domain_rank_of(w->before, fr__domain_code(fr__domain_cell(w->before, middle)));
    const fr__domain_effort *effort = &domain->efforts.data[rank];
    double share = 1.0 / fmax(1.0, (double)effort->faces);
    if (effort->pairs > 0) {
        double hits = (double)domain->hits.data[face->index] / (2.0 * (double)effort->pairs);
        share = SHARE_OF_FACES * share + (1.0 - SHARE_OF_FACES) * hits;
    }
    return effort->work * share / w->total_work;
}

static bool weigh_face(const fr__domain_face *face, void *context) {
    weighing *w = context;
    fr_vec3 middle = fr_bounds_center(&face->box);
    w->out[face->index] = (weighed_face){fr__domain_code(fr__domain_cell(&w->run->domain->cut, middle)), 1.0f,
                                         (float)work_of(w, face, middle)};
    return true;
}

// What a place on the curve weighs: its share of all faces and its share of all work, which count alike, so that memory
// is shared as well.
static double weight_of(const weighed_face *face, double all_faces, double all_work) {
    return (double)face->faces / fmax(1.0, all_faces) + (all_work > 0.0 ? (double)face->work / all_work : 0.0);
}

static void add_up(const weighed_face *faces, size_t count, double *all_faces, double *all_work) {
    *all_faces = *all_work = 0.0;
    for (size_t i = 0; i < count; i++) {
        *all_faces += (double)faces[i].faces;
        *all_work += (double)faces[i].work;
    }
}

// Puts stretches of the curve that weigh alike to the next gather.
static void put_samples(fr__share *share, const weighed_face *faces, size_t count) {
    double all_faces, all_work, weight = 0.0;
    add_up(faces, count, &all_faces, &all_work);
    double each = (all_work > 0.0 ? 2.0 : 1.0) / MAX_SAMPLES;
    weighed_face sample = {0, 0.0f, 0.0f};
    for (size_t i = 0; i < count; i++) {
        weight += weight_of(&faces[i], all_faces, all_work);
        sample.code = faces[i].code; // of the last face
        sample.faces += faces[i].faces;
        sample.work += faces[i].work;
        if (i + 1 < count && weight < each) { continue; }
        void *out = fr__share_put(share, sizeof sample);
        if (out == NULL) { return; }
        memcpy(out, &sample, sizeof sample);
        sample.faces = sample.work = 0.0f;
        weight = 0.0;
    }
}

static fr_status sample(fr__domain_run *run, const fr__domain_cut *before) {
    fr_domain *domain = run->domain;
    size_t count = (size_t)run->stats.given_faces;
    weighed_face *faces = fr_allocate(&domain->allocator, count + 1, sizeof *faces, 16);
    if (faces == NULL) { return FR_ERROR_MEMORY; }
    bool is_known = before->rank_count == domain->cut.rank_count && before->rank_of.count > 0;
    weighing w = {run, is_known ? before : NULL, 0.0, faces};
    for (size_t r = 0; r < domain->efforts.count; r++) {
        w.total_work += domain->efforts.data[r].work;
    }
    (void)fr__domain_each_face(run, weigh_face, &w);
    sort_weighed(faces, count);
    put_samples(&domain->share, faces, count);
    fr_deallocate(&domain->allocator, faces, count + 1, sizeof *faces);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The cut

// Takes the samples of all ranks, sorted along the curve.
static weighed_face *take_samples(const fr_domain *domain, const fr_gathered *gathered, size_t *count) {
    size_t size, at = 0;
    *count = 0;
    for (uint32_t r = 0; r < domain->cut.rank_count; r++) {
        (void)fr__share_of(gathered, r, &size);
        *count += size / sizeof(weighed_face);
    }
    weighed_face *samples = fr_allocate(&domain->allocator, *count + 1, sizeof *samples, 16);
    for (uint32_t r = 0; r < domain->cut.rank_count && samples != NULL; r++) {
        const unsigned char *bytes = fr__share_of(gathered, r, &size);
        size_t own = size / sizeof(weighed_face);
        if (own > 0) { memcpy(samples + at, bytes, own * sizeof(weighed_face)); }
        at += own;
    }
    if (samples != NULL) { sort_weighed(samples, *count); }
    return samples;
}

// A stretch of the curve, and what it weighs.
typedef struct stretch {
    uint32_t number;
    double faces, work;
} stretch;

static bool stretch_is_before(const stretch *a, const stretch *b) {
    double weight_a = a->faces + a->work, weight_b = b->faces + b->work;
    return weight_a != weight_b ? weight_a > weight_b : a->number < b->number;
}
FR_SORT_TYPE(sort_stretches, stretch, stretch_is_before);

// Cuts the curve into stretches that weigh alike, where samples end.
static void set_stretches(fr__domain_cut *cut, const weighed_face *samples, size_t count, stretch *out) {
    double all_faces, all_work, sum = 0.0;
    uint32_t stretches = cut->rank_count * STRETCHES_A_RANK, next = 0;
    add_up(samples, count, &all_faces, &all_work);
    double total = all_work > 0.0 ? 2.0 : 1.0;
    for (uint32_t k = 0; k < stretches; k++) {
        out[k] = (stretch){k, 0.0, 0.0};
    }
    for (size_t i = 0; i < count; i++) {
        out[next].faces += (double)samples[i].faces / fmax(1.0, all_faces);
        out[next].work += all_work > 0.0 ? (double)samples[i].work / all_work : 0.0;
        sum += weight_of(&samples[i], all_faces, all_work);
        while (next + 1 < stretches && sum >= total * (next + 1) / stretches) {
            cut->first_code.data[next++] = samples[i].code + 1;
        }
    }
    while (next + 1 < stretches) {
        cut->first_code.data[next++] = 1u << 3 * FR__DOMAIN_BITS; // no cells
    }
}

// Gives the heaviest stretches first, each to the rank that then has the least: of faces or of work, whichever is more.
static void deal_stretches(fr__domain_cut *cut, stretch *stretches, double *faces, double *work) {
    uint32_t count = cut->rank_count * STRETCHES_A_RANK;
    sort_stretches(stretches, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t best = 0;
        double least = (double)INFINITY;
        for (uint32_t r = 0; r < cut->rank_count; r++) {
            double most = fmax(faces[r] + stretches[i].faces, work[r] + stretches[i].work);
            double sum = most + 1e-3 * (faces[r] + work[r]);
            if (sum < least) {
                least = sum;
                best = r;
            }
        }
        faces[best] += stretches[i].faces;
        work[best] += stretches[i].work;
        cut->rank_of.data[stretches[i].number] = best;
    }
}

// Every rank sorts the same samples by the same rule, so all cuts are equal.
static fr_status divide(fr_domain *domain, const fr_gathered *gathered) {
    size_t count, ranks = domain->cut.rank_count;
    weighed_face *samples = take_samples(domain, gathered, &count);
    stretch *stretches = fr_allocate(&domain->allocator, ranks * STRETCHES_A_RANK, sizeof *stretches, 16);
    double *sums = fr_allocate(&domain->allocator, 2 * ranks, sizeof *sums, 16);
    bool has_room = samples != NULL && stretches != NULL && sums != NULL;
    if (has_room) {
        memset(sums, 0, 2 * ranks * sizeof *sums);
        set_stretches(&domain->cut, samples, count, stretches);
        deal_stretches(&domain->cut, stretches, sums, sums + ranks);
    }
    fr_deallocate(&domain->allocator, samples, count + 1, sizeof *samples);
    fr_deallocate(&domain->allocator, stretches, ranks * STRETCHES_A_RANK, sizeof *stretches);
    fr_deallocate(&domain->allocator, sums, 2 * ranks, sizeof *sums);
    return has_room ? FR_OK : FR_ERROR_MEMORY;
}

static double cells_a_metre(double min, double max) {
    double cells = (double)CELLS / (max - min);
    return max > min && isfinite(cells) ? cells : 0.0;
}

static fr_status begin_cut(fr_domain *domain, uint32_t ranks, const fr_bounds *bounds) {
    fr__domain_cut *cut = &domain->cut;
    *cut = (fr__domain_cut){.bounds = *bounds,
                            .cells = {cells_a_metre(bounds->min.x, bounds->max.x),
                                      cells_a_metre(bounds->min.y, bounds->max.y),
                                      cells_a_metre(bounds->min.z, bounds->max.z)},
                            .rank_count = ranks,
                            .first_code = fr_uint32_array_make(&domain->allocator),
                            .rank_of = fr_uint32_array_make(&domain->allocator)};
    size_t count = (size_t)ranks * STRETCHES_A_RANK;
    bool has_room = fr_uint32_array_push(&cut->first_code, count - 1) != NULL;
    uint32_t *rank_of = fr_uint32_array_push(&cut->rank_of, count);
    if (!has_room || rank_of == NULL) { return FR_ERROR_MEMORY; }
    memset(rank_of, 0, count * sizeof *rank_of);
    memset(cut->first_code.data, 0, (count - 1) * sizeof *rank_of);
    return FR_OK;
}

bool fr__domain_cut_space(fr__domain_run *run) {
    fr_domain *domain = run->domain;
    fr__share *share = &domain->share;
    fr__domain_cut before = domain->cut;
    fr_status status = begin_cut(domain, fr__domain_rank_count(run->input), &run->bounds);
    if (run->failure == FR_OK) { run->failure = status; }
    if (run->failure == FR_OK) { run->failure = sample(run, &before); }
    fr_gathered gathered;
    run->stats.gathers++;
    bool is_done = fr__share_gather(share, false, run->failure, &gathered);
    if (is_done) {
        run->stats.gathered_bytes += gathered.ends[fr__domain_rank_count(run->input) - 1];
        run->failure = divide(domain, &gathered);
    }
    fr_uint32_array_destroy(&before.first_code);
    fr_uint32_array_destroy(&before.rank_of);
    return is_done;
}
