// The face octree method: four steps over cubes that are never stored.
//
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

#include "collide/swept_hull.h"
#include "fureai/base_order.h"
#include "fureai/octree.h"
#include "math/path_bounds.h"

#include <string.h>

enum { MAX_DEPTH = 16 };

typedef fr__octree_member member;
typedef fr__octree_face face;
typedef fr__octree_root octree;

// Whether faces are the boxes of their paths.
static bool has_paths(const fr__query *query) { return query->is_over_step && !query->input->is_as_printed; }

void fr__octree_scratch_make(fr__octree_scratch *scratch, const fr_allocator *allocator) {
    scratch->parts = fr__part_name_array_make(allocator);
    scratch->members = fr__octree_member_array_make(allocator);
    scratch->corners = fr__vec3_array_make(allocator);
    scratch->faces = fr__octree_face_array_make(allocator);
    scratch->boxes = fr__bounds_array_make(allocator);
    scratch->paths = fr__bounds_array_make(allocator);
    scratch->lists = fr_uint32_array_make(allocator);
    scratch->seen = fr__listed_candidate_array_make(allocator);
    scratch->cells = fr__face_cell_array_make(allocator);
    scratch->trees = fr__octree_owner_array_make(allocator);
    scratch->walked = fr__octree_view_array_make(allocator);
    scratch->owners = fr_uint32_array_make(allocator);
    scratch->walk = fr__walk_block_array_make(allocator);
    scratch->partners = fr__member_pair_array_make(allocator);
}

void fr__octree_scratch_free(fr__octree_scratch *scratch) {
    for (size_t i = 0; i < scratch->trees.count; i++) {
        fr_octree_destroy(scratch->trees.data[i]);
    }
    fr__part_name_array_destroy(&scratch->parts);
    fr__octree_member_array_destroy(&scratch->members);
    fr__vec3_array_destroy(&scratch->corners);
    fr__octree_face_array_destroy(&scratch->faces);
    fr__bounds_array_destroy(&scratch->boxes);
    fr__bounds_array_destroy(&scratch->paths);
    fr_uint32_array_destroy(&scratch->lists);
    fr__listed_candidate_array_destroy(&scratch->seen);
    fr__face_cell_array_destroy(&scratch->cells);
    fr__octree_owner_array_destroy(&scratch->trees);
    fr__octree_view_array_destroy(&scratch->walked);
    fr_uint32_array_destroy(&scratch->owners);
    fr__walk_block_array_destroy(&scratch->walk);
    fr__member_pair_array_destroy(&scratch->partners);
}

// ---------------------------------------------------------------------------------------------------------------
// Step 1: boxes

static uint64_t key_of_part(const fr__part_name *name) { return fr__pair_key(name->object, name->part); }

static bool part_is_before(const fr__part_name *a, const fr__part_name *b) { return key_of_part(a) < key_of_part(b); }

static bool member_is_before_key(const fr__octree_member *entry, uint64_t key) {
    return fr__pair_key(entry->object, entry->part) < key;
}

FR_SORT_TYPE(sort_parts, fr__part_name, part_is_before);
FR_SEARCH_TYPE(search_members, fr__octree_member, uint64_t, member_is_before_key);

// The member of a side; there is one.
static uint32_t find_member(const fr__octree_member_array *members, const fr__side *side) {
    return (uint32_t)search_members(members->data, members->count, fr__pair_key(side->object, side->part));
}

// Every part of the plan once, sorted.
static bool collect_members(fr__run *run) {
    fr__octree_scratch *scratch = &run->scratch->octree;
    const fr__pair_geometry *geometries = run->scratch->geometries.data;
    size_t count = 2 * (size_t)run->plan.part_pair_count;
    scratch->parts.count = scratch->members.count = 0;
    fr__part_name *parts = fr__part_name_array_push(&scratch->parts, count);
    if (parts == NULL || !fr__octree_member_array_reserve(&scratch->members, count)) { return fr__run_fail(run); }
    for (size_t i = 0; i < count; i++) {
        const fr__side *side = i % 2 == 0 ? &geometries[i / 2].a : &geometries[i / 2].b;
        parts[i] = (fr__part_name){side->object, side->part};
    }
    sort_parts(parts, count);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && key_of_part(&parts[i - 1]) == key_of_part(&parts[i])) { continue; }
        scratch->members.data[scratch->members.count++] = (member){.object = parts[i].object, .part = parts[i].part};
    }
    return true;
}

// The boxes of the paths of a part's triangles, which stand at `corners` at the beginning, and the box of them all.
static bool bound_paths(fr__run *run, const fr__side *side, const fr__course *course, const fr_vec3 *corners,
                        fr_bounds *all) {
    fr_bounds *out = fr__bounds_array_push(&run->scratch->octree.paths, side->triangle_count);
    if (out == NULL) { return fr__run_fail(run); }
    fr__sweep sweep;
    if (course->motion != NULL) { fr__sweep_make(&sweep, course->motion, 0.0, 1.0); }
    *all = fr_bounds_empty();
    for (uint32_t t = 0; t < side->triangle_count; t++) {
        fr_triangle_path path;
        fr__course_path(course, side, t, &path);
        fr_bounds start = fr_bounds_of_points(corners + 3 * (size_t)t, 3), end = fr_bounds_of_points(path.end, 3);
        out[t] = fr_bounds_union(&start, &end);
        for (int k = 0; course->motion != NULL && k < 3; k++) {
            fr_bounds swept = fr__sweep_point(&sweep, path.start[k]);
            out[t] = fr_bounds_union(&out[t], &swept);
        }
        *all = fr_bounds_union(all, &out[t]);
    }
    return true;
}

// Moves a part's triangles into the world and finds their box.
static bool move_member(fr__run *run, const fr__side *side, const fr__course *course, member *moved) {
    fr__vec3_array *corners = &run->scratch->octree.corners;
    moved->first = corners->count;
    moved->count = side->triangle_count;
    fr_vec3 *out = fr__vec3_array_push(corners, 3 * (size_t)side->triangle_count);
    if (out == NULL) { return fr__run_fail(run); }
    for (uint32_t t = 0; t < side->triangle_count; t++) {
        fr__side_corners(side, t, out + 3 * (size_t)t);
    }
    moved->box = fr_bounds_of_points(out, 3 * (size_t)side->triangle_count);
    moved->wanted = fr_bounds_empty();
    return !has_paths(&run->query) || bound_paths(run, side, course, out, &moved->box);
}

static uint64_t key_of_partners(const fr__member_pair *pair) { return fr__pair_key(pair->a, pair->b); }

static bool partners_are_before(const fr__member_pair *a, const fr__member_pair *b) {
    uint64_t key_a = key_of_partners(a), key_b = key_of_partners(b);
    return key_a != key_b ? key_a < key_b : a->part_pair < b->part_pair;
}

static bool partners_are_before_key(const fr__member_pair *pair, uint64_t key) { return key_of_partners(pair) < key; }

FR_SORT_TYPE(sort_partners, fr__member_pair, partners_are_before);
FR_SEARCH_TYPE(search_partners, fr__member_pair, uint64_t, partners_are_before_key);

static fr_bounds meet(const fr_bounds *a, const fr_bounds *b) {
    fr_bounds both = {fr_vec3_max(a->min, b->min), fr_vec3_min(a->max, b->max)};
    return both;
}

static double reach_of(const fr_bounds *box) {
    double low = fr_vec3_largest(box->min), high = fr_vec3_largest(box->max);
    return low > high ? low : high;
}

// What counts as meeting over the step, beyond the margin; hulls may be rounded by more.
static double tolerance_of(const fr__query *query, const member *a, const member *b) {
    if (query->input->narrow == FR_NARROW_EXACT) { return query->tolerance; }
    double size = fr_vec3_distance(a->box.min, a->box.max) + fr_vec3_distance(b->box.min, b->box.max);
    return fr__swept_hull_tolerance(query->tolerance, size);
}

// Boxes of all members; partners whose boxes overlap; what each member is wanted in. *all holds all overlaps.
static bool find_overlaps(fr__run *run, fr_bounds *all) {
    fr__octree_scratch *scratch = &run->scratch->octree;
    const fr__pair_geometry *geometries = run->scratch->geometries.data;
    if (!collect_members(run)) { return false; }
    member *members = scratch->members.data;
    scratch->corners.count = 0;
    scratch->paths.count = 0;
    scratch->partners.count = 0;
    scratch->slack = 0.0;
    *all = fr_bounds_empty();
    for (uint32_t i = 0; i < run->plan.part_pair_count; i++) {
        uint32_t pair[2] = {find_member(&scratch->members, &geometries[i].a),
                            find_member(&scratch->members, &geometries[i].b)};
        for (int k = 0; k < 2; k++) {
            const fr__side *side = k == 0 ? &geometries[i].a : &geometries[i].b;
            const fr__course *course = k == 0 ? &geometries[i].course_a : &geometries[i].course_b;
            if (members[pair[k]].count == 0 && !move_member(run, side, course, &members[pair[k]])) { return false; }
        }
        member *a = &members[pair[0]], *b = &members[pair[1]];
        double slack = run->query.margin + 0x1p-40 * (reach_of(&a->box) + reach_of(&b->box));
        if (run->query.is_over_step) {
            slack +=
                tolerance_of(&run->query, a, b) + geometries[i].course_a.rounding + geometries[i].course_b.rounding;
        }
        scratch->slack = slack > scratch->slack ? slack : scratch->slack;
        fr_bounds grown_a = fr_bounds_grow(&a->box, slack), grown_b = fr_bounds_grow(&b->box, slack);
        if (!fr_bounds_overlap(&grown_a, &grown_b)) { continue; }
        fr_bounds overlap = meet(&grown_a, &grown_b);
        a->wanted = fr_bounds_union(&a->wanted, &overlap);
        b->wanted = fr_bounds_union(&b->wanted, &overlap);
        *all = fr_bounds_union(all, &overlap);
        fr__member_pair *both = fr__member_pair_array_push(&scratch->partners, 1);
        if (both == NULL) { return fr__run_fail(run); }
        bool is_sorted = pair[0] < pair[1];
        *both = (fr__member_pair){pair[is_sorted ? 0 : 1], pair[is_sorted ? 1 : 0], i};
    }
    sort_partners(scratch->partners.data, scratch->partners.count);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Step 2: candidate faces

static const fr_vec3 *corners_of(const fr__octree_scratch *scratch, const face *f) {
    return scratch->corners.data + scratch->members.data[f->member].first + 3 * (size_t)f->triangle;
}

static const fr_bounds *path_of(const fr__octree_scratch *scratch, const face *f) {
    return scratch->paths.data + scratch->members.data[f->member].first / 3 + f->triangle;
}

// The faces of each part that meet what it is wanted in. *mean_edge is the mean of their longest edges.
static bool extract_faces(fr__run *run, double *mean_edge) {
    fr__octree_scratch *scratch = &run->scratch->octree;
    const member *members = scratch->members.data;
    double sum = 0.0;
    scratch->faces.count = 0;
    scratch->boxes.count = 0;
    for (uint32_t m = 0; m < scratch->members.count; m++) {
        if (fr_bounds_is_empty(&members[m].wanted)) { continue; }
        for (uint32_t t = 0; t < members[m].count; t++) {
            face f = {m, t};
            const fr_vec3 *c = corners_of(scratch, &f);
            fr_bounds bounds = has_paths(&run->query) ? *path_of(scratch, &f) : fr_bounds_of_points(c, 3);
            bool is_in = has_paths(&run->query) ? fr_bounds_overlap(&bounds, &members[m].wanted)
                                                : fr_triangle_box_overlap(c, &members[m].wanted);
            if (!is_in) { continue; }
            face *out = fr__octree_face_array_push(&scratch->faces, 1);
            fr_bounds *box = fr__bounds_array_push(&scratch->boxes, 1);
            if (out == NULL || box == NULL) { return fr__run_fail(run); }
            *out = f;
            *box = bounds;
            double e0 = fr_vec3_distance(c[0], c[1]), e1 = fr_vec3_distance(c[1], c[2]);
            sum += has_paths(&run->query) ? fr_vec3_largest(fr_vec3_sub(bounds.max, bounds.min))
                                          : fmax(fmax(e0, e1), fr_vec3_distance(c[2], c[0]));
        }
    }
    *mean_edge = scratch->faces.count > 0 ? sum / (double)scratch->faces.count : 0.0;
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
static octree make_root(fr__run *run, const fr_bounds *all, double mean_edge, uint32_t max_depth) {
    const fr_collide_input *input = run->query.input;
    octree tree = {run, &run->scratch->octree, input->octree_min, 0.0, input->octree_depth,
                   0.0, has_paths(&run->query)};
    double edge = input->octree_edge;
    double reach = reach_of(all);
    tree.growth = run->query.margin + 0x1p-40 * (reach + run->query.margin);
    if (run->query.is_over_step) { tree.growth += tree.scratch->slack; }
    if (!(edge > 0.0) || (!input->is_as_printed && !holds(tree.origin, edge, all))) {
        fr_vec3 size = fr_vec3_sub(all->max, all->min);
        edge = fr_vec3_largest(size) * (1.0 + 0x1p-20) + 0x1p-30 * reach + 0x1p-300;
        tree.origin = fr_vec3_sub(fr_bounds_center(all), fr_vec3_make(0.5 * edge, 0.5 * edge, 0.5 * edge));
    }
    if (tree.depth == 0) { tree.depth = depth_for(edge, mean_edge); }
    if (tree.depth > max_depth) { tree.depth = max_depth; }
    // Cubes smaller than what they are grown by hold what their neighbours hold: there would be 8 times as many for
    // each division, and nothing would be separated.
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

uint32_t fr__octree_find_part_pair(const octree *tree, uint32_t a, uint32_t b) {
    const fr__member_pair_array *partners = &tree->scratch->partners;
    const fr__member_pair *all = partners->data;
    uint64_t key = a < b ? fr__pair_key(a, b) : fr__pair_key(b, a);
    size_t at = search_partners(all, partners->count, key);
    return at < partners->count && key_of_partners(&all[at]) == key ? all[at].part_pair : FR_NONE;
}

static size_t place_of(const fr__listed_candidate *pair, size_t size) {
    uint64_t hash = fr_hash(pair, sizeof *pair, 0);
    return (size_t)hash & (size - 1);
}

// Puts a pair into a table without asking for room; false when it is there.
static bool put_seen(fr__listed_candidate *table, size_t size, const fr__listed_candidate *pair) {
    for (size_t i = place_of(pair, size);; i = (i + 1) & (size - 1)) {
        if (table[i].part_pair == FR_NONE) {
            table[i] = *pair;
            return true;
        }
        if (memcmp(&table[i], pair, sizeof *pair) == 0) { return false; }
    }
}

// Makes the table `size` places large (a power of two) and puts in what is listed.
static bool fill_seen(fr__run *run, size_t size) {
    fr__listed_candidate_array *seen = &run->scratch->octree.seen;
    fr__pair_list *list = &run->scratch->list;
    seen->count = 0;
    fr__listed_candidate *table = fr__listed_candidate_array_push(seen, size);
    if (table == NULL) { return fr__run_fail(run); }
    memset(table, 0xff, size * sizeof *table);
    for (size_t i = 0; i < fr__pair_list_count(list); i++) {
        put_seen(table, size, fr__pair_list_at(list, i));
    }
    return true;
}

// Lists a pair unless it is listed. False when the work is to end.
static bool list_once(fr__run *run, const fr__listed_candidate *pair) {
    fr__listed_candidate_array *seen = &run->scratch->octree.seen;
    if (2 * (fr__pair_list_count(&run->scratch->list) + 1) > seen->count && !fill_seen(run, 2 * seen->count)) {
        return false;
    }
    if (!put_seen(seen->data, seen->count, pair)) { return true; }
    run->stats.candidates++;
    return fr__list_put(run, pair->part_pair, &pair->candidate, 1);
}

// The differences are rounded by less than 2^-50 of the reach, of which the growth holds 2^-40.
static inline bool are_near(const fr_bounds *a, const fr_bounds *b, double growth) {
    return b->max.x - a->min.x >= -growth && a->max.x - b->min.x >= -growth && // x
           b->max.y - a->min.y >= -growth && a->max.y - b->min.y >= -growth && // y
           b->max.z - a->min.z >= -growth && a->max.z - b->min.z >= -growth;   // z
}

static bool is_member_of(const member *m, const fr__side *side) {
    return m->object == side->object && m->part == side->part;
}

bool fr__octree_list_faces(const octree *tree, uint32_t i, uint32_t j) {
    fr__run *run = tree->run;
    const face *faces = tree->scratch->faces.data;
    const fr_bounds *boxes = tree->scratch->boxes.data;
    if (!run->query.input->is_as_printed && !are_near(&boxes[i], &boxes[j], tree->growth)) { return true; }
    uint32_t part_pair = fr__octree_find_part_pair(tree, faces[i].member, faces[j].member);
    if (part_pair == FR_NONE) { return true; }
    const fr__pair_geometry *geometry = &run->scratch->geometries.data[part_pair];
    const member *members = tree->scratch->members.data;
    fr__listed_candidate pair = {part_pair, {faces[i].triangle, faces[j].triangle}};
    bool is_turned = faces[i].member == faces[j].member ? faces[i].triangle > faces[j].triangle
                                                        : !is_member_of(&members[faces[i].member], &geometry->a);
    if (is_turned) { pair.candidate = (fr__candidate){faces[j].triangle, faces[i].triangle}; }
    return list_once(run, &pair);
}

// Whether faces of two members that may meet are in a list, which is sorted by member.
static bool holds_partners(const octree *tree, const uint32_t *list, size_t count) {
    const face *faces = tree->scratch->faces.data;
    if (count < 2) { return false; }
    if (faces[list[0]].member != faces[list[count - 1]].member) { return true; }
    return fr__octree_find_part_pair(tree, faces[list[0]].member, faces[list[0]].member) != FR_NONE;
}

static bool list_cube(const octree *tree, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            const uint32_t *list = tree->scratch->lists.data + first;
            if (!fr__octree_list_faces(tree, list[i], list[j])) { return false; }
        }
    }
    return !atomic_load_explicit(&tree->run->is_stopped, memory_order_relaxed);
}

bool fr__octree_face_meets(const octree *tree, uint32_t f, const fr_bounds *cube) {
    const face *faces = tree->scratch->faces.data;
    const fr_bounds *boxes = tree->scratch->boxes.data;
    if (!fr_bounds_overlap(&boxes[f], cube)) { return false; }
    return tree->has_paths || fr_triangle_box_overlap(corners_of(tree->scratch, &faces[f]), cube);
}

// The faces of a list that meet a cube, as a new list at the end; SIZE_MAX without scratch.
static size_t faces_in_cube(const octree *tree, size_t first, size_t count, const fr_bounds *cube) {
    fr_uint32_array *lists = &tree->scratch->lists;
    size_t start = lists->count;
    if (fr_uint32_array_push(lists, count) == NULL) { return SIZE_MAX; }
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
    fr_uint32_array *lists = &tree->scratch->lists;
    tree->run->stats.nodes++;
    if (depth == tree->depth) { return list_cube(tree, first, count); }
    uint32_t edge = 1u << (tree->depth - depth - 1);
    for (uint32_t child = 0; child < 8; child++) {
        uint32_t low[3] = {at[0] + (child & 1) * edge, at[1] + (child >> 1 & 1) * edge, at[2] + (child >> 2) * edge};
        fr_bounds cube = fr__octree_cube(tree, low, edge);
        size_t start = lists->count;
        size_t kept = faces_in_cube(tree, first, count, &cube);
        if (kept == SIZE_MAX) { return fr__run_fail(tree->run); }
        const uint32_t *list = lists->data + start;
        bool goes_on = !holds_partners(tree, list, kept) || divide(tree, low, depth + 1, start, kept);
        lists->count = start;
        if (!goes_on) { return false; }
    }
    return true;
}

bool fr__octree_begin(fr__run *run, uint32_t max_depth, octree *tree) {
    fr__octree_scratch *scratch = &run->scratch->octree;
    uint64_t start = fr_clock_ns();
    fr_bounds all;
    scratch->faces.count = 0;
    if (!find_overlaps(run, &all)) { return false; }
    run->stats.ms_bounds += fr_clock_ms_since(start);
    if (scratch->partners.count == 0) { return true; }

    start = fr_clock_ns();
    double mean_edge;
    if (!extract_faces(run, &mean_edge)) { return false; }
    run->stats.ms_extract += fr_clock_ms_since(start);
    *tree = make_root(run, &all, mean_edge, max_depth);
    return fill_seen(run, 1024);
}

bool fr__face_octree_list(fr__run *run) {
    fr__octree_scratch *scratch = &run->scratch->octree;
    octree tree;
    if (!fr__octree_begin(run, MAX_DEPTH, &tree)) { return false; }
    size_t count = scratch->faces.count;
    if (count == 0) { return true; }
    scratch->lists.count = 0;
    uint32_t *root = fr_uint32_array_push(&scratch->lists, count);
    if (root == NULL) { return fr__run_fail(run); }
    for (size_t i = 0; i < count; i++) {
        root[i] = (uint32_t)i;
    }
    const uint32_t corner[3] = {0, 0, 0};
    return !holds_partners(&tree, root, count) || divide(&tree, corner, 0, 0, count);
}
