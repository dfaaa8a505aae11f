// Triangles, quads, strips and fans written as polygons that end with -1.
#include "geometry_face_set.h"

// Where the polygons go, or only their number while `out` is NULL.
typedef struct polygons {
    int32_t *out;
    size_t count; // numbers so far
} polygons;

static void add_number(polygons *p, int32_t number) {
    if (p->out != NULL) { p->out[p->count] = number; }
    p->count++;
}

static void add_triangle(polygons *p, int32_t a, int32_t b, int32_t c) {
    add_number(p, a);
    add_number(p, b);
    add_number(p, c);
    add_number(p, -1);
}

// The index at a place: that of the file, or the place where the file has none.
static int32_t index_at(const fr__face_set *set, size_t place) {
    return set->indices != NULL ? set->indices[place] : (int32_t)place;
}

// A strip or a fan of the indices begin .. end - 1. Every second triangle of a strip is turned about.
static void add_run(polygons *p, const fr__face_set *set, size_t begin, size_t end) {
    for (size_t k = begin; end - begin >= 3 && k + 2 < end; k++) {
        int32_t a = index_at(set, k), b = index_at(set, k + 1), c = index_at(set, k + 2);
        if (set->layout == FR__TRIANGLE_FANS) {
            add_triangle(p, index_at(set, begin), b, c);
        } else if ((k - begin) % 2 == 0) {
            add_triangle(p, a, b, c);
        } else {
            add_triangle(p, b, a, c);
        }
    }
}

static void add_runs(polygons *p, const fr__face_set *set, size_t count) {
    size_t begin = 0;
    for (size_t r = 0; set->runs != NULL && r < set->run_count; r++) {
        size_t length = set->runs[r] > 0 ? (size_t)set->runs[r] : 0;
        size_t end = length < count - begin ? begin + length : count;
        add_run(p, set, begin, end);
        begin = end;
    }
    if (set->runs != NULL) { return; }
    for (size_t k = 0; k <= count; k++) {
        if (k < count && index_at(set, k) != -1) { continue; }
        add_run(p, set, begin, k);
        begin = k + 1;
    }
}

// Polygons of `sides` corners; what is left over at the end becomes one that has too few.
static void add_equal(polygons *p, const fr__face_set *set, size_t count, size_t sides) {
    for (size_t k = 0; k < count; k++) {
        add_number(p, index_at(set, k));
        if ((k + 1) % sides == 0 || k + 1 == count) { add_number(p, -1); }
    }
}

static void add_all(polygons *p, const fr__face_set *set, size_t count) {
    switch (set->layout) {
    case FR__TRIANGLES: add_equal(p, set, count, 3); break;
    case FR__QUADS: add_equal(p, set, count, 4); break;
    default: add_runs(p, set, count); break;
    }
}

bool fr__face_set_layout(fr__face_set_work *work) {
    const fr__face_set *set = work->set;
    if (set->layout == FR__POLYGONS) {
        work->indices = set->indices;
        work->index_count = set->indices != NULL ? set->index_count : 0;
        return true;
    }
    size_t count = set->indices != NULL ? set->index_count : set->point_count;
    if (count > INT32_MAX) { count = INT32_MAX; }
    polygons p = {NULL, 0};
    add_all(&p, set, count);
    int32_t *out = fr_arena_alloc(work->geometry->scratch, p.count, sizeof *out, _Alignof(int32_t));
    if (out == NULL) { return false; }
    p = (polygons){out, 0};
    add_all(&p, set, count);
    work->indices = out;
    work->index_count = p.count;
    return true;
}
