// Step 1: the upright box of every part that may meet another, and where two boxes overlap.
// Step 2: the faces of each part that reach into an overlap.
// Step 3: cubes, from a root that holds all overlaps. A cube is divided only while it holds faces of two parts that may
//         meet; the faces in a smallest cube make pairs. No cube is stored: a list of faces lives while its cube is
//         looked at.
// Step 4 is the judge's.
//
// Nothing is lost: a point that two faces share lies in the boxes of both parts, so in their overlap, and in some
// closed cube of every size; fr_triangle_box_overlap never misses. Neighbouring cubes have the same doubles as borders.
// With a margin m, the point of the one face lies in a cube and the other face is within m of it: boxes and cubes are
// grown by m and 2^-40 of their reach, for the judge's own rounding.
//
// Over a step a face is the box of its whole path, in all three steps, and what comes within the distance of
// fr__swept_pair is listed. As printed faces are taken where they are at the beginning, and what meets across the wall
// of a cube is missed.
#include "collide/face_octree.h"

#include "fureai/octree.h"
#include "math/path_bounds.h"

#include <string.h>

enum { MAX_DEPTH = 16 };

typedef fr__octree_member member;
typedef fr__octree_face face;
typedef fr__octree_root octree;

// Whether faces are the boxes of their paths.
static bool has_paths(const fr__question *q) { return q->is_over_step && !q->input->as_printed; }

void fr__octree_memory_make(fr__octree_memory *memory, const fr_allocator *allocator) {
    memory->members = fr_array_make(sizeof(member), allocator);
    memory->corners = fr_array_make(sizeof(fr_vec3), allocator);
    memory->faces = fr_array_make(sizeof(face), allocator);
    memory->boxes = fr_array_make(sizeof(fr_bounds), allocator);
    memory->paths = fr_array_make(sizeof(fr_bounds), allocator);
    memory->lists = fr_array_make(sizeof(uint32_t), allocator);
    memory->seen = fr_array_make(sizeof(fr__listed), allocator);
    memory->cells = fr_array_make(sizeof(fr__keyed), allocator);
    memory->trees = fr_array_make(sizeof(fr_octree *), allocator);
    memory->walked = fr_array_make(sizeof(fr_octree *), allocator);
    memory->owners = fr_array_make(sizeof(uint32_t), allocator);
    memory->walk = fr_array_make(64, allocator);
    memory->partners = fr_array_make(sizeof(fr__keyed), allocator);
}

void fr__octree_memory_free(fr__octree_memory *memory) {
    fr_array_free(&memory->members);
    fr_array_free(&memory->corners);
    fr_array_free(&memory->faces);
    fr_array_free(&memory->boxes);
    fr_array_free(&memory->paths);
    fr_array_free(&memory->lists);
    fr_array_free(&memory->seen);
    fr_octree **trees = memory->trees.data;
    for (size_t i = 0; i < memory->trees.count; i++) {
        fr_octree_destroy(trees[i]);
    }
    fr_array_free(&memory->cells);
    fr_array_free(&memory->trees);
    fr_array_free(&memory->walked);
    fr_array_free(&memory->owners);
    fr_array_free(&memory->walk);
    fr_array_free(&memory->partners);
}

// ---------------------------------------------------------------------------------------------------------------
// Step 1: boxes

// Room for `count` records in both arrays that a sort needs; NULL without memory.
static fr__keyed *take_records(fr__question *q, size_t count) {
    fr_array *records = &q->collide->records, *scratch = &q->collide->scratch;
    records->count = 0;
    if (!fr_array_reserve(scratch, count)) { return NULL; }
    return fr_array_push(records, count);
}

static uint32_t find_member(const fr_array *members, uint64_t part) {
    const member *all = members->data;
    size_t low = 0, high = members->count - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (all[middle].part < part) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (uint32_t)low;
}

static uint64_t part_of(const fr__side *side) { return fr__two_in_one(side->object, side->part); }

// Every part of the list once, sorted.
static bool collect_members(fr__question *q, fr_array *members) {
    const fr__case *cases = q->collide->cases.data;
    size_t count = 2 * (size_t)q->parts_count;
    fr__keyed *parts = take_records(q, count);
    if (parts == NULL || !fr_array_reserve(members, count)) { return fr__question_fail(q); }
    for (size_t i = 0; i < count; i++) {
        parts[i] = (fr__keyed){part_of(i % 2 == 0 ? &cases[i / 2].a : &cases[i / 2].b), 0};
    }
    fr__keyed_sort(parts, count, q->collide->scratch.data);
    member *all = members->data;
    members->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && parts[i - 1].key == parts[i].key) { continue; }
        all[members->count++] = (member){.part = parts[i].key, .count = 0};
    }
    return true;
}

// The boxes of the paths of a part's triangles, which stand at `corners` at the beginning, and the box of them all.
static bool bound_paths(fr__question *q, const fr__side *side, const fr__course *course, const fr_vec3 *corners,
                        fr_bounds *all) {
    fr_bounds *out = fr_array_push(&q->collide->octree.paths, side->triangle_count);
    if (out == NULL) { return fr__question_fail(q); }
    fr__sweep sweep;
    if (course->motion != NULL) { fr__sweep_make(&sweep, course->motion, 0.0, 1.0); }
    *all = fr_bounds_empty();
    for (uint32_t t = 0; t < side->triangle_count; t++) {
        fr_triangle_path path;
        fr__course_path(course, side, t, &path);
        fr_bounds start = fr_bounds_of_points(corners + 3 * (size_t)t, 3), end = fr_bounds_of_points(path.end, 3);
        out[t] = fr_bounds_union(&start, &end);
        for (int k = 0; course->motion != NULL && k < 3; k++) {
            fr_bounds way = fr__sweep_point(&sweep, path.start[k]);
            out[t] = fr_bounds_union(&out[t], &way);
        }
        *all = fr_bounds_union(all, &out[t]);
    }
    return true;
}

// Moves a part's triangles into the world and finds their box.
static bool move_member(fr__question *q, const fr__side *side, const fr__course *course, member *of) {
    fr_array *corners = &q->collide->octree.corners;
    of->first = corners->count;
    of->count = side->triangle_count;
    fr_vec3 *out = fr_array_push(corners, 3 * (size_t)side->triangle_count);
    if (out == NULL) { return fr__question_fail(q); }
    for (uint32_t t = 0; t < side->triangle_count; t++) {
        fr__side_corners(side, t, out + 3 * (size_t)t);
    }
    of->box = fr_bounds_of_points(out, 3 * (size_t)side->triangle_count);
    of->wanted = fr_bounds_empty();
    return !has_paths(q) || bound_paths(q, side, course, out, &of->box);
}

static uint64_t partner_key(uint32_t a, uint32_t b) { return a < b ? fr__two_in_one(a, b) : fr__two_in_one(b, a); }

static fr_bounds meet(const fr_bounds *a, const fr_bounds *b) {
    fr_bounds both = {fr_vec3_max(a->min, b->min), fr_vec3_min(a->max, b->max)};
    return both;
}

static double reach_of(const fr_bounds *box) {
    double low = fr_vec3_largest(box->min), high = fr_vec3_largest(box->max);
    return low > high ? low : high;
}

// Boxes of all members; partners whose boxes overlap; what each member is wanted in. *all holds all overlaps.
static bool find_overlaps(fr__question *q, fr_bounds *all) {
    fr__octree_memory *memory = &q->collide->octree;
    const fr__case *cases = q->collide->cases.data;
    if (!collect_members(q, &memory->members)) { return false; }
    member *members = memory->members.data;
    memory->corners.count = 0;
    memory->paths.count = 0;
    memory->partners.count = 0;
    memory->slack = 0.0;
    *all = fr_bounds_empty();
    for (uint32_t i = 0; i < q->parts_count; i++) {
        uint32_t of[2] = {find_member(&memory->members, part_of(&cases[i].a)),
                          find_member(&memory->members, part_of(&cases[i].b))};
        for (int k = 0; k < 2; k++) {
            const fr__side *side = k == 0 ? &cases[i].a : &cases[i].b;
            const fr__course *course = k == 0 ? &cases[i].course_a : &cases[i].course_b;
            if (members[of[k]].count == 0 && !move_member(q, side, course, &members[of[k]])) { return false; }
        }
        member *a = &members[of[0]], *b = &members[of[1]];
        double slack = q->margin + 0x1p-40 * (reach_of(&a->box) + reach_of(&b->box));
        if (q->is_over_step) { slack += q->tolerance + cases[i].course_a.rounding + cases[i].course_b.rounding; }
        memory->slack = slack > memory->slack ? slack : memory->slack;
        fr_bounds grown_a = fr_bounds_grow(&a->box, slack), grown_b = fr_bounds_grow(&b->box, slack);
        if (!fr_bounds_overlap(&grown_a, &grown_b)) { continue; }
        fr_bounds overlap = meet(&grown_a, &grown_b);
        a->wanted = fr_bounds_union(&a->wanted, &overlap);
        b->wanted = fr_bounds_union(&b->wanted, &overlap);
        *all = fr_bounds_union(all, &overlap);
        fr__keyed *both = fr_array_push(&memory->partners, 1);
        if (both == NULL) { return fr__question_fail(q); }
        *both = (fr__keyed){partner_key(of[0], of[1]), i};
    }
    if (!fr_array_reserve(&q->collide->scratch, memory->partners.count)) { return fr__question_fail(q); }
    fr__keyed_sort(memory->partners.data, memory->partners.count, q->collide->scratch.data);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Step 2: candidate faces

static const fr_vec3 *corners_of(const fr__octree_memory *memory, const face *f) {
    const member *of = (const member *)memory->members.data + f->member;
    return (const fr_vec3 *)memory->corners.data + of->first + 3 * (size_t)f->triangle;
}

static const fr_bounds *path_of(const fr__octree_memory *memory, const face *f) {
    const member *of = (const member *)memory->members.data + f->member;
    return (const fr_bounds *)memory->paths.data + of->first / 3 + f->triangle;
}

// The faces of each part that meet what it is wanted in. *mean_edge is the mean of their longest edges.
static bool extract_faces(fr__question *q, double *mean_edge) {
    fr__octree_memory *memory = &q->collide->octree;
    const member *members = memory->members.data;
    double sum = 0.0;
    memory->faces.count = 0;
    memory->boxes.count = 0;
    for (uint32_t m = 0; m < memory->members.count; m++) {
        if (fr_bounds_is_empty(&members[m].wanted)) { continue; }
        for (uint32_t t = 0; t < members[m].count; t++) {
            face f = {m, t};
            const fr_vec3 *c = corners_of(memory, &f);
            fr_bounds bounds = has_paths(q) ? *path_of(memory, &f) : fr_bounds_of_points(c, 3);
            bool is_in = has_paths(q) ? fr_bounds_overlap(&bounds, &members[m].wanted)
                                      : fr_triangle_box_overlap(c, &members[m].wanted);
            if (!is_in) { continue; }
            face *out = fr_array_push(&memory->faces, 1);
            fr_bounds *box = fr_array_push(&memory->boxes, 1);
            if (out == NULL || box == NULL) { return fr__question_fail(q); }
            *out = f;
            *box = bounds;
            double e0 = fr_vec3_distance(c[0], c[1]), e1 = fr_vec3_distance(c[1], c[2]);
            sum += has_paths(q) ? fr_vec3_largest(fr_vec3_sub(bounds.max, bounds.min))
                                : fmax(fmax(e0, e1), fr_vec3_distance(c[2], c[0]));
        }
    }
    *mean_edge = memory->faces.count > 0 ? sum / (double)memory->faces.count : 0.0;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The root cube and the depth

// round(log2(edge / face)), 1 .. 16: a smallest cube about as large as a face (Kitamura 2.5).
static uint32_t depth_for(double edge, double face_edge) {
    uint32_t depth = 1;
    if (!(face_edge > 0.0)) { return depth; }
    while (depth < MAX_DEPTH && edge / ldexp(1.0, (int)depth) > 1.41421356237309505 * face_edge) {
        depth++;
    }
    return depth;
}

static bool holds(fr_vec3 min, double edge, const fr_bounds *box) {
    fr_vec3 max = fr_vec3_add(min, fr_vec3_make(edge, edge, edge));
    return min.x <= box->min.x && min.y <= box->min.y && min.z <= box->min.z && max.x >= box->max.x &&
           max.y >= box->max.y && max.z >= box->max.z;
}

// The cube that was given, or one about all overlaps. As printed, what leaves a given cube is not seen; otherwise a
// cube that does not hold everything is replaced.
static octree make_root(fr__question *q, const fr_bounds *all, double mean_edge, uint32_t most_depth) {
    const fr_collide_input *input = q->input;
    octree tree = {q, &q->collide->octree, input->octree_min, 0.0, input->octree_depth, 0.0, has_paths(q)};
    double edge = input->octree_edge;
    double reach = reach_of(all);
    tree.growth = q->margin + 0x1p-40 * (reach + q->margin);
    if (q->is_over_step) { tree.growth += tree.memory->slack; }
    if (!(edge > 0.0) || (!input->as_printed && !holds(tree.origin, edge, all))) {
        fr_vec3 size = fr_vec3_sub(all->max, all->min);
        edge = fr_vec3_largest(size) * (1.0 + 0x1p-20) + 0x1p-30 * reach + 0x1p-300;
        tree.origin = fr_vec3_sub(fr_bounds_center(all), fr_vec3_make(0.5 * edge, 0.5 * edge, 0.5 * edge));
    }
    if (tree.depth == 0) { tree.depth = depth_for(edge, mean_edge); }
    if (tree.depth > most_depth) { tree.depth = most_depth; }
    // Cubes smaller than what they are grown by hold what their neighbours hold: there would be 8 times as many for
    // each division, and nothing told apart.
    while (tree.depth > 1 && ldexp(edge, -(int)tree.depth) < tree.growth) {
        tree.depth--;
    }
    tree.leaf = ldexp(edge, -(int)tree.depth);
    return tree;
}

// The border number i, in smallest cubes, on an axis: the same double for both neighbours.
static double border(double origin, double leaf, uint32_t i) { return origin + (double)i * leaf; }

fr_bounds fr__octree_cube(const octree *tree, const uint32_t at[3], uint32_t edge) {
    fr_bounds cube = {{border(tree->origin.x, tree->leaf, at[0]), border(tree->origin.y, tree->leaf, at[1]),
                       border(tree->origin.z, tree->leaf, at[2])},
                      {border(tree->origin.x, tree->leaf, at[0] + edge),
                       border(tree->origin.y, tree->leaf, at[1] + edge),
                       border(tree->origin.z, tree->leaf, at[2] + edge)}};
    return fr_bounds_grow(&cube, tree->growth);
}

// ---------------------------------------------------------------------------------------------------------------
// Step 3: cubes

uint32_t fr__octree_find_parts(const octree *tree, uint32_t a, uint32_t b) {
    const fr_array *partners = &tree->memory->partners;
    const fr__keyed *all = partners->data;
    uint64_t key = partner_key(a, b);
    size_t low = 0, high = partners->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (all[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < partners->count && all[low].key == key ? (uint32_t)all[low].value : FR_NONE;
}

static size_t place_of(const fr__listed *pair, size_t size) {
    uint64_t hash = fr_hash(pair, sizeof *pair, 0);
    return (size_t)hash & (size - 1);
}

// Puts a pair into a table without asking for room; false when it is there.
static bool put_seen(fr__listed *table, size_t size, const fr__listed *pair) {
    for (size_t i = place_of(pair, size);; i = (i + 1) & (size - 1)) {
        if (table[i].parts == FR_NONE) {
            table[i] = *pair;
            return true;
        }
        if (memcmp(&table[i], pair, sizeof *pair) == 0) { return false; }
    }
}

// Makes the table `size` places large (a power of two) and puts in what is listed.
static bool fill_seen(fr__question *q, size_t size) {
    fr_array *seen = &q->collide->octree.seen;
    fr__pair_list *list = &q->collide->list;
    seen->count = 0;
    fr__listed *table = fr_array_push(seen, size);
    if (table == NULL) { return fr__question_fail(q); }
    memset(table, 0xff, size * sizeof *table);
    for (size_t i = 0; i < fr__pair_list_count(list); i++) {
        put_seen(table, size, fr__pair_list_at(list, i));
    }
    return true;
}

// Lists a pair unless it is listed. False when the work is to end.
static bool list_once(fr__question *q, const fr__listed *pair) {
    fr_array *seen = &q->collide->octree.seen;
    if (2 * (fr__pair_list_count(&q->collide->list) + 1) > seen->count && !fill_seen(q, 2 * seen->count)) {
        return false;
    }
    if (!put_seen(seen->data, seen->count, pair)) { return true; }
    q->stats.candidates++;
    return fr__list_put(q, pair->parts, &pair->pair, 1);
}

static bool share_a_vertex(const fr__side *side, uint32_t a, uint32_t b) {
    const uint32_t *s = side->triangles + 3 * (size_t)a, *t = side->triangles + 3 * (size_t)b;
    for (int i = 0; i < 9; i++) {
        if (s[i / 3] == t[i % 3]) { return true; }
    }
    return false;
}

// The differences are rounded by less than 2^-50 of the reach, of which the growth holds 2^-40.
static inline bool are_near(const fr_bounds *a, const fr_bounds *b, double growth) {
    return b->max.x - a->min.x >= -growth && a->max.x - b->min.x >= -growth && // x
           b->max.y - a->min.y >= -growth && a->max.y - b->min.y >= -growth && // y
           b->max.z - a->min.z >= -growth && a->max.z - b->min.z >= -growth;   // z
}

bool fr__octree_list_faces(const octree *tree, uint32_t i, uint32_t j) {
    fr__question *q = tree->q;
    const face *faces = tree->memory->faces.data;
    const fr_bounds *boxes = tree->memory->boxes.data;
    if (!q->input->as_printed && !are_near(&boxes[i], &boxes[j], tree->growth)) { return true; }
    uint32_t parts = fr__octree_find_parts(tree, faces[i].member, faces[j].member);
    if (parts == FR_NONE) { return true; }
    const fr__case *of = (const fr__case *)q->collide->cases.data + parts;
    const member *members = tree->memory->members.data;
    fr__listed pair = {parts, {faces[i].triangle, faces[j].triangle}};
    bool is_turned = faces[i].member == faces[j].member ? faces[i].triangle > faces[j].triangle
                                                        : members[faces[i].member].part != part_of(&of->a);
    if (is_turned) { pair.pair = (fr__candidate){faces[j].triangle, faces[i].triangle}; }
    if (faces[i].member == faces[j].member && share_a_vertex(&of->a, pair.pair.a, pair.pair.b)) { return true; }
    return list_once(q, &pair);
}

// Whether faces of two members that may meet are in a list, which is sorted by member.
static bool holds_partners(const octree *tree, const uint32_t *list, size_t count) {
    const face *faces = tree->memory->faces.data;
    if (count < 2) { return false; }
    if (faces[list[0]].member != faces[list[count - 1]].member) { return true; }
    return fr__octree_find_parts(tree, faces[list[0]].member, faces[list[0]].member) != FR_NONE;
}

static bool list_cube(const octree *tree, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            const uint32_t *list = (const uint32_t *)tree->memory->lists.data + first;
            if (!fr__octree_list_faces(tree, list[i], list[j])) { return false; }
        }
    }
    return !atomic_load_explicit(&tree->q->stopped, memory_order_relaxed);
}

bool fr__octree_face_meets(const octree *tree, uint32_t f, const fr_bounds *cube) {
    const face *faces = tree->memory->faces.data;
    const fr_bounds *boxes = tree->memory->boxes.data;
    if (!fr_bounds_overlap(&boxes[f], cube)) { return false; }
    return tree->has_paths || fr_triangle_box_overlap(corners_of(tree->memory, &faces[f]), cube);
}

// The faces of a list that meet a cube, as a new list at the end; SIZE_MAX without memory.
static size_t faces_in_cube(const octree *tree, size_t first, size_t count, const fr_bounds *cube) {
    fr_array *lists = &tree->memory->lists;
    size_t start = lists->count;
    if (fr_array_push(lists, count) == NULL) { return SIZE_MAX; }
    uint32_t *all = lists->data;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t f = all[first + i];
        if (fr__octree_face_meets(tree, f, cube)) { all[start + kept++] = f; }
    }
    lists->count = start + kept;
    return kept;
}

// Looks at a cube that holds the list [first, first + count). At most MAX_DEPTH deep.
static bool divide(const octree *tree, const uint32_t at[3], uint32_t depth, size_t first, size_t count) {
    fr_array *lists = &tree->memory->lists;
    tree->q->stats.nodes++;
    if (depth == tree->depth) { return list_cube(tree, first, count); }
    uint32_t edge = 1u << (tree->depth - depth - 1);
    for (uint32_t child = 0; child < 8; child++) {
        uint32_t low[3] = {at[0] + (child & 1) * edge, at[1] + (child >> 1 & 1) * edge, at[2] + (child >> 2) * edge};
        fr_bounds cube = fr__octree_cube(tree, low, edge);
        size_t start = lists->count;
        size_t kept = faces_in_cube(tree, first, count, &cube);
        if (kept == SIZE_MAX) { return fr__question_fail(tree->q); }
        const uint32_t *list = (const uint32_t *)lists->data + start;
        bool goes_on = !holds_partners(tree, list, kept) || divide(tree, low, depth + 1, start, kept);
        lists->count = start;
        if (!goes_on) { return false; }
    }
    return true;
}

bool fr__octree_begin(fr__question *q, uint32_t most_depth, octree *tree) {
    fr__octree_memory *memory = &q->collide->octree;
    uint64_t start = fr_clock_ns();
    fr_bounds all;
    memory->faces.count = 0;
    if (!find_overlaps(q, &all)) { return false; }
    q->stats.ms_bounds += fr_clock_ms_since(start);
    if (memory->partners.count == 0) { return true; }

    start = fr_clock_ns();
    double mean_edge;
    if (!extract_faces(q, &mean_edge)) { return false; }
    q->stats.ms_extract += fr_clock_ms_since(start);
    *tree = make_root(q, &all, mean_edge, most_depth);
    return fill_seen(q, 1024);
}

bool fr__face_octree_list(fr__question *q) {
    fr__octree_memory *memory = &q->collide->octree;
    octree tree;
    if (!fr__octree_begin(q, MAX_DEPTH, &tree)) { return false; }
    size_t count = memory->faces.count;
    if (count == 0) { return true; }
    memory->lists.count = 0;
    uint32_t *root = fr_array_push(&memory->lists, count);
    if (root == NULL) { return fr__question_fail(q); }
    for (size_t i = 0; i < count; i++) {
        root[i] = (uint32_t)i;
    }
    const uint32_t corner[3] = {0, 0, 0};
    return !holds_partners(&tree, root, count) || divide(&tree, corner, 0, 0, count);
}
