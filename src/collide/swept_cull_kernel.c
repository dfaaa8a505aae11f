// Candidates for the judge of a step, culled eight at once: a direction along which they stay apart is tried
// among the normals of both and the products of their edges; and when they can meet at the earliest. In one of the two
// frames the one stands still and the other goes along chords, so its heights over a direction are linear in time:
// apart in the same order at both ends of the time in which their boxes meet is apart all the time. Which direction is
// tried does not matter for what is proven; a height is wrong by less than 24 u |n| W, |n| the sum of its coordinates
// (a corner rounded 1, taken into the frame 6, moved to a time 6, product and sums 4), of which there are two, and the
// growth has room for 64 (swept_pair.c).
#include "collide/swept_kernel.h"
#include "math/wide.h"

typedef struct eight_points {
    fr__f8 at[3];
} eight_points;

typedef struct eight_triangles {
    eight_points corner[3];
} eight_triangles;

static inline fr__f8 dot(const eight_points *a, const eight_points *b) {
    fr__f8 xy = fr__f8_add(fr__f8_mul(a->at[0], b->at[0]), fr__f8_mul(a->at[1], b->at[1]));
    return fr__f8_add(xy, fr__f8_mul(a->at[2], b->at[2]));
}

static inline eight_points minus(const eight_points *a, const eight_points *b) {
    eight_points d;
    for (int i = 0; i < 3; i++) {
        d.at[i] = fr__f8_sub(a->at[i], b->at[i]);
    }
    return d;
}

static inline eight_points cross(const eight_points *u, const eight_points *v) {
    eight_points n;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n.at[i] = fr__f8_sub(fr__f8_mul(u->at[j], v->at[k]), fr__f8_mul(u->at[k], v->at[j]));
    }
    return n;
}

// The corners of a triangle into lane `lane`.
static inline void put_corners(const fr__side *side, uint32_t triangle, uint32_t lane, float out[3][3][8]) {
    const uint32_t *t = side->triangles + 3 * (size_t)triangle;
    for (int c = 0; c < 3; c++) {
        size_t at = 3 * (size_t)t[c];
        for (size_t i = 0; i < 3; i++) {
            out[c][i][lane] =
                side->positions_double != NULL ? (float)side->positions_double[at + i] : side->positions_float[at + i];
        }
    }
}

static inline eight_triangles load_triangles(float from[3][3][8]) {
    eight_triangles t;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            t.corner[c].at[i] = fr__f8_load_aligned(from[c][i]);
        }
    }
    return t;
}

static inline eight_points move_point(const eight_points *p, const fr__swept_frame *frame, int end) {
    eight_points moved;
    for (int i = 0; i < 3; i++) {
        fr__f8 sum = fr__f8_splat(frame->move[end][i]);
        for (int j = 0; j < 3; j++) {
            sum = fr__f8_add(sum, fr__f8_mul(fr__f8_splat(frame->turn[end][i][j]), p->at[j]));
        }
        moved.at[i] = sum;
    }
    return moved;
}

// Where triangles are at two times, between the ends of their chords.
static inline void move_triangles(const eight_triangles *t, const fr__swept_frame *frame, fr__f8 enter, fr__f8 exit,
                                  eight_triangles *first, eight_triangles *last) {
    for (int c = 0; c < 3; c++) {
        eight_points from = move_point(&t->corner[c], frame, 0), to = move_point(&t->corner[c], frame, 1);
        eight_points travel = minus(&to, &from);
        for (int i = 0; i < 3; i++) {
            first->corner[c].at[i] = fr__f8_add(from.at[i], fr__f8_mul(enter, travel.at[i]));
            last->corner[c].at[i] = fr__f8_add(from.at[i], fr__f8_mul(exit, travel.at[i]));
        }
    }
}

typedef struct heights {
    fr__f8 low, high;
} heights;

static inline heights heights_of(const eight_triangles *t, const eight_points *n) {
    fr__f8 h0 = dot(n, &t->corner[0]), h1 = dot(n, &t->corner[1]), h2 = dot(n, &t->corner[2]);
    heights h = {fr__f8_min(fr__f8_min(h0, h1), h2), fr__f8_max(fr__f8_max(h0, h1), h2)};
    return h;
}

// Eight pairs: the one that stands still, and the other at both times.
typedef struct cull_meeting {
    eight_triangles still, first, last;
    fr__f8 growth;
} cull_meeting;

// What one direction proves about eight pairs: which are apart all the time, and which part of the time is over, at
// least, before they can meet. The height between them is concave in time, so it is no less than its chord.
typedef struct verdict {
    fr__m8 apart;
    fr__f8 part;
} verdict;

static inline verdict try_side(fr__f8 first, fr__f8 last) {
    fr__f8 zero = fr__f8_splat(0.0f), least = fr__f8_splat(0x1p-100f);
    fr__f8 gap = fr__f8_max(first, zero), closed = fr__f8_sub(gap, fr__f8_min(last, zero));
    verdict v = {fr__m8_and(fr__f8_gt(first, zero), fr__f8_gt(last, zero)), fr__f8_div(gap, fr__f8_max(closed, least))};
    return v;
}

static inline verdict try_direction(const cull_meeting *m, const eight_points *n) {
    heights still = heights_of(&m->still, n), first = heights_of(&m->first, n), last = heights_of(&m->last, n);
    fr__f8 size = fr__f8_add(fr__f8_add(fr__f8_abs(n->at[0]), fr__f8_abs(n->at[1])), fr__f8_abs(n->at[2]));
    fr__f8 bound = fr__f8_mul(size, m->growth);
    fr__f8 high = fr__f8_add(still.high, bound), low = fr__f8_sub(still.low, bound);
    verdict above = try_side(fr__f8_sub(first.low, high), fr__f8_sub(last.low, high));
    verdict below = try_side(fr__f8_sub(low, first.high), fr__f8_sub(low, last.high));
    verdict v = {fr__m8_or(above.apart, below.apart), fr__f8_max(above.part, below.part)};
    return v;
}

static inline void edges_of(const eight_triangles *t, eight_points edge[3]) {
    for (int c = 0; c < 3; c++) {
        edge[c] = minus(&t->corner[(c + 1) % 3], &t->corner[c]);
    }
}

// Lanes of pairs that stay apart along some direction; and what part of their time is over before the others can meet,
// a little less: the quotient and the numbers it is made of are rounded, which the growth has room for.
static inline uint32_t apart_lanes(const cull_meeting *m, fr__f8 *part) {
    eight_points of_still[3], of_first[3], of_last[3], of_moving[3];
    edges_of(&m->still, of_still);
    edges_of(&m->first, of_first);
    edges_of(&m->last, of_last);
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) { // between both times, twice as long
            of_moving[c].at[i] = fr__f8_add(of_first[c].at[i], of_last[c].at[i]);
        }
    }
    eight_points n = cross(&of_still[0], &of_still[1]);
    verdict v = try_direction(m, &n);
    uint32_t apart = (uint32_t)fr__m8_bits(v.apart);
    *part = v.part;
    for (int k = -1; k < 9 && apart != 0xffu; k++) {
        n = k < 0 ? cross(&of_moving[0], &of_moving[1]) : cross(&of_still[k / 3], &of_moving[k % 3]);
        v = try_direction(m, &n);
        apart |= (uint32_t)fr__m8_bits(v.apart);
        *part = fr__f8_max(v.part, *part);
    }
    *part = fr__f8_mul(*part, fr__f8_splat(1.0f - 0x1p-16f));
    return apart;
}

static uint32_t cull(const fr__swept_walk *walk, fr__swept_candidate *candidates, uint32_t count) {
    const fr__swept_relation *relation = walk->relation;
    bool turned = relation->b_is_better;
    const fr__side *still = turned ? walk->b : walk->a, *moving = turned ? walk->a : walk->b;
    const fr__swept_frame *frame = turned ? &relation->a_to_b : &relation->b_to_a;
    uint32_t kept = 0;
    for (uint32_t begin = 0; begin < count; begin += 8) {
        _Alignas(32) float at_still[3][3][8], at_moving[3][3][8], enter[8], exit[8];
        uint32_t rest = count - begin < 8 ? count - begin : 8;
        for (uint32_t k = 0; k < 8; k++) {
            const fr__swept_candidate *c = &candidates[begin + (k < rest ? k : 0)];
            put_corners(still, turned ? c->b : c->a, k, at_still);
            put_corners(moving, turned ? c->a : c->b, k, at_moving);
            enter[k] = c->enter;
            exit[k] = c->exit < walk->limit ? c->exit : walk->limit;
        }
        cull_meeting m = {.still = load_triangles(at_still), .growth = fr__f8_splat(frame->growth)};
        eight_triangles t = load_triangles(at_moving);
        move_triangles(&t, frame, fr__f8_load_aligned(enter), fr__f8_load_aligned(exit), &m.first, &m.last);
        fr__f8 part;
        uint32_t apart = apart_lanes(&m, &part);
        fr__f8 from = fr__f8_load_aligned(enter), to = fr__f8_load_aligned(exit);
        fr__f8_store_aligned(enter, fr__f8_add(from, fr__f8_mul(part, fr__f8_sub(to, from))));
        for (uint32_t k = 0; k < rest; k++) {
            if ((apart >> k & 1u) != 0) { continue; }
            candidates[kept] = candidates[begin + k];
            candidates[kept++].enter = enter[k];
        }
    }
    return kept;
}

const fr__swept_cull_kernel_table FR_KERNEL_NAME(fr__swept_cull_kernel) = {.cull = cull};
