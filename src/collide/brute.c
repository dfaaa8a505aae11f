// The brute force method: every triangle of one part with every triangle of the other.
#include "collide/brute.h"

#include "collide/step_judge.h"

// Triangles of a that are moved once and meet every triangle of b.
enum { ROWS = 32 };

// Of a part with itself each pair comes once.
static bool is_a_pair(const fr__pair_geometry *geometry, uint32_t a, uint32_t b) {
    return !fr__pair_is_self(geometry) || a < b;
}

static bool test_rows(fr__run *run, const fr__pair_geometry *geometry, uint32_t first, uint32_t count, int worker) {
    fr_vec3 rows[ROWS][3], b[3];
    for (uint32_t i = 0; i < count; i++) {
        fr__side_corners(&geometry->a, first + i, rows[i]);
    }
    for (uint32_t j = 0; j < geometry->b.triangle_count; j++) {
        fr__side_corners(&geometry->b, j, b);
        for (uint32_t i = 0; i < count; i++) {
            fr__candidate candidate = {first + i, j};
            if (!is_a_pair(geometry, first + i, j)) { continue; }
            run->scratch->workers[worker].candidates++;
            bool goes_on = run->query.is_over_step ? fr__step_judge(run, geometry, worker, candidate, false)
                                                   : fr__judge_corners(run, geometry, worker, candidate, rows[i], b);
            if (!goes_on) { return false; }
        }
    }
    return !fr__run_has_ended(run, worker);
}

static void run_parts(size_t begin, size_t end, int worker, void *context) {
    fr__run *run = context;
    for (size_t i = begin; i < end; i++) {
        fr__pair_geometry geometry;
        fr__run_geometry(run, (uint32_t)i, &geometry);
        for (uint32_t first = 0; first < geometry.a.triangle_count; first += ROWS) {
            uint32_t left = geometry.a.triangle_count - first;
            if (!test_rows(run, &geometry, first, left < ROWS ? left : ROWS, worker)) { return; }
        }
    }
}

void fr__brute_run(fr__run *run, const fr_tasks *tasks) {
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, run->plan.part_pair_count, 1, run_parts, run);
}

bool fr__brute_list(fr__run *run) {
    const fr__pair_geometry *geometries = run->scratch->geometries.data;
    for (uint32_t p = 0; p < run->plan.part_pair_count; p++) {
        for (uint32_t a = 0; a < geometries[p].a.triangle_count; a++) {
            for (uint32_t b = 0; b < geometries[p].b.triangle_count; b++) {
                fr__candidate candidate = {a, b};
                if (!is_a_pair(&geometries[p], a, b)) { continue; }
                run->stats.candidates++;
                if (!fr__list_put(run, p, &candidate, 1)) { return false; }
            }
        }
    }
    return true;
}
