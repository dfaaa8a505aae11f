#include "collide/brute.h"

#include "collide/step_judge.h"

// Triangles of a that are moved once and meet every triangle of b.
enum { ROWS = 32 };

static bool share_a_vertex(const fr__side *side, uint32_t a, uint32_t b) {
    const uint32_t *s = side->triangles + 3 * (size_t)a, *t = side->triangles + 3 * (size_t)b;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (s[i] == t[j]) { return true; }
        }
    }
    return false;
}

// Of a part with itself each pair comes once, without those that share a vertex.
static bool is_a_pair(const fr__case *of, uint32_t a, uint32_t b) {
    bool self = of->a.object == of->b.object && of->a.part == of->b.part;
    return !self || (a < b && !share_a_vertex(&of->a, a, b));
}

static bool test_rows(fr__question *q, const fr__case *of, uint32_t first, uint32_t count, int worker) {
    fr_vec3 rows[ROWS][3], b[3];
    for (uint32_t i = 0; i < count; i++) {
        fr__side_corners(&of->a, first + i, rows[i]);
    }
    for (uint32_t j = 0; j < of->b.triangle_count; j++) {
        fr__side_corners(&of->b, j, b);
        for (uint32_t i = 0; i < count; i++) {
            fr__candidate candidate = {first + i, j};
            if (!is_a_pair(of, first + i, j)) { continue; }
            q->collide->workers[worker].candidates++;
            bool goes_on = q->is_over_step ? fr__step_judge(q, of, worker, candidate, false)
                                           : fr__judge_corners(q, of, worker, candidate, rows[i], b);
            if (!goes_on) { return false; }
        }
    }
    return !fr__question_ended(q, worker);
}

static void run_parts(size_t begin, size_t end, int worker, void *context) {
    fr__question *q = context;
    for (size_t i = begin; i < end; i++) {
        fr__case of;
        fr__case_make(q, (uint32_t)i, &of);
        for (uint32_t first = 0; first < of.a.triangle_count; first += ROWS) {
            uint32_t left = of.a.triangle_count - first;
            if (!test_rows(q, &of, first, left < ROWS ? left : ROWS, worker)) { return; }
        }
    }
}

void fr__brute_run(fr__question *q, const fr_tasks *tasks) {
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, q->parts_count, 1, run_parts, q);
}

bool fr__brute_list(fr__question *q) {
    const fr__case *cases = q->collide->cases.data;
    for (uint32_t p = 0; p < q->parts_count; p++) {
        for (uint32_t a = 0; a < cases[p].a.triangle_count; a++) {
            for (uint32_t b = 0; b < cases[p].b.triangle_count; b++) {
                fr__candidate candidate = {a, b};
                if (!is_a_pair(&cases[p], a, b)) { continue; }
                q->stats.candidates++;
                if (!fr__list_put(q, p, &candidate, 1)) { return false; }
            }
        }
    }
    return true;
}
