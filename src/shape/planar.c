// Planar faces: groups grown over shared edges from the largest triangle left, then their boundaries walked.
#include "shape/mesh.h"

#include "fureai/base_order.h"

#include <string.h>

#define PLANAR_DEF_COOKIE 0x504c414eu

fr_planar_def fr_default_planar_def(void) {
    fr_planar_def def;
    memset(&def, 0, sizeof def);
    def.angle = fr_radians(0.1);
    def.distance = 1e-6;
    def.cookie = PLANAR_DEF_COOKIE;
    return def;
}

// The public result with all its arrays, one allocation each.
typedef struct planar_block {
    fr_planar_faces planar; // first, so that the public pointer is the block
    fr_allocator allocator;
    uint32_t triangle_count;
    size_t face_capacity, loop_capacity, vertex_capacity;
    fr_planar_face *faces;
    uint32_t *face_of, *triangles, *loop_begin, *loop_vertices;
} planar_block;

// One run of the grouping.
typedef struct planar_run {
    const fr_mesh_view *view;
    const fr_mesh *mesh;
    const fr_topology *topology;
    double chord;    // greatest distance between two unit normals
    double distance; // metres
    planar_block *block;
    uint32_t *queue; // triangles of the group being grown
    bool *walked;    // edges whose boundary is in a loop
} planar_run;

// ---------------------------------------------------------------------------------------------------------------
// Triangles

// The normal times twice the area.
static fr_vec3 area_normal(const fr_mesh_view *view, uint32_t triangle) {
    fr_vec3 p[3];
    fr__mesh_corners(view, triangle, p);
    return fr_vec3_cross(fr_vec3_sub(p[1], p[0]), fr_vec3_sub(p[2], p[0]));
}

static const fr_vec3 no_direction = {0.0, 0.0, 0.0};

static fr_vec3 unit_normal(const fr_mesh *mesh, uint32_t triangle) {
    if (fr_mesh_is_degenerate(mesh, triangle)) { return no_direction; }
    return fr_vec3_unit(area_normal(&mesh->view, triangle), no_direction);
}

// The distance between two unit vectors at an angle. Comparing chords keeps small angles apart where cosines, all near
// 1, would not.
static double angle_chord(double angle) { return 2.0 * fr_sin(0.5 * angle); }

typedef struct triangle_size {
    double size; // twice the area, squared; negative for a degenerate triangle
    uint32_t triangle;
} triangle_size;

// Largest first, then by number.
static bool size_is_before(const triangle_size *a, const triangle_size *b) {
    return a->size != b->size ? a->size > b->size : a->triangle < b->triangle;
}

FR_SORT_TYPE(sort_sizes, triangle_size, size_is_before);

static triangle_size *sort_by_size(const planar_run *run) {
    uint32_t count = run->view->triangle_count;
    triangle_size *sizes = fr_allocate(&run->block->allocator, count, sizeof *sizes, _Alignof(triangle_size));
    if (sizes == NULL) { return NULL; }
    for (uint32_t t = 0; t < count; t++) {
        bool degenerate = fr_mesh_is_degenerate(run->mesh, t);
        sizes[t].size = degenerate ? -1.0 : fr_vec3_length_squared(area_normal(run->view, t));
        sizes[t].triangle = t;
    }
    sort_sizes(sizes, count);
    return sizes;
}

// ---------------------------------------------------------------------------------------------------------------
// Groups

static bool lies_in_plane(const planar_run *run, const fr_planar_face *face, uint32_t triangle) {
    fr_vec3 p[3];
    fr__mesh_corners(run->view, triangle, p);
    for (int k = 0; k < 3; k++) {
        if (!(fabs(fr_vec3_dot(face->normal, p[k]) - face->offset) <= run->distance)) { return false; }
    }
    if (fr_mesh_is_degenerate(run->mesh, triangle)) { return true; }
    return fr_vec3_distance(face->normal, unit_normal(run->mesh, triangle)) <= run->chord;
}

// Whether the edge's twin has the opposite direction, as between two faces that agree on what is outside.
static bool has_opposite_twin(const planar_run *run, uint32_t edge) {
    uint32_t twin = run->topology->twin[edge];
    if (twin == FR_NONE) { return false; }
    const uint32_t *triangles = run->view->triangles;
    uint32_t next = edge % 3 == 2 ? edge - 2 : edge + 1;
    if (triangles[twin] == triangles[next] || triangles[twin] == triangles[edge]) {
        return triangles[twin] == triangles[next]; // both ends may be at one place
    }
    fr_vec3 start = fr__mesh_position(run->view, triangles[twin]), end = fr__mesh_position(run->view, triangles[next]);
    return fr_vec3_equal(start, end);
}

// Grows a group from `seed` and numbers its triangles; returns how many.
static uint32_t grow_group(planar_run *run, uint32_t seed, uint32_t number) {
    fr_planar_face *face = &run->block->faces[number];
    memset(face, 0, sizeof *face);
    fr_vec3 corners[3];
    fr__mesh_corners(run->view, seed, corners);
    face->normal = unit_normal(run->mesh, seed);
    face->offset = fr_vec3_dot(face->normal, corners[0]);

    uint32_t *face_of = run->block->face_of, count = 0;
    run->queue[count++] = seed;
    face_of[seed] = number;
    // A degenerate triangle left over has no plane to share.
    if (fr_vec3_equal(face->normal, no_direction)) { return count; }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t edge = 3 * run->queue[i]; edge < 3 * run->queue[i] + 3; edge++) {
            if (!has_opposite_twin(run, edge)) { continue; }
            uint32_t beside = run->topology->twin[edge] / 3;
            if (face_of[beside] != FR_NONE || !lies_in_plane(run, face, beside)) { continue; }
            face_of[beside] = number;
            run->queue[count++] = beside;
        }
    }
    return count;
}

static uint32_t find_groups(planar_run *run, const triangle_size *sizes) {
    uint32_t group_count = 0;
    memset(run->block->face_of, 0xff, run->view->triangle_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < run->view->triangle_count; i++) {
        uint32_t seed = sizes[i].triangle;
        if (run->block->face_of[seed] != FR_NONE) { continue; }
        uint32_t count = grow_group(run, seed, group_count);
        run->block->faces[group_count++].triangle_count = count;
    }
    return group_count;
}

// Numbers the groups by their lowest triangle and lists their triangles; `order` has room for every group.
static void order_groups(planar_run *run, uint32_t group_count, uint32_t *order, fr_planar_face *sorted) {
    planar_block *block = run->block;
    uint32_t next = 0, begin = 0;
    memset(order, 0xff, group_count * sizeof *order);
    for (uint32_t t = 0; t < run->view->triangle_count; t++) {
        uint32_t group = block->face_of[t];
        if (order[group] == FR_NONE) {
            sorted[next] = block->faces[group];
            sorted[next].first_triangle = begin;
            begin += sorted[next].triangle_count;
            sorted[next].triangle_count = 0;
            order[group] = next++;
        }
        uint32_t number = order[group];
        block->face_of[t] = number;
        block->triangles[sorted[number].first_triangle + sorted[number].triangle_count++] = t;
    }
    memcpy(block->faces, sorted, group_count * sizeof *sorted);
}

// Area and centroid; relative to the first corner, so that a face far from the origin keeps its digits.
static void measure_face(const planar_run *run, fr_planar_face *face) {
    fr_vec3 corners[3], weighted = no_direction;
    fr__mesh_corners(run->view, run->block->triangles[face->first_triangle], corners);
    fr_vec3 origin = corners[0];
    for (uint32_t i = 0; i < face->triangle_count; i++) {
        uint32_t triangle = run->block->triangles[face->first_triangle + i];
        double area = 0.5 * fr_vec3_length(area_normal(run->view, triangle));
        fr__mesh_corners(run->view, triangle, corners);
        fr_vec3 sum = fr_vec3_add(fr_vec3_add(fr_vec3_sub(corners[0], origin), fr_vec3_sub(corners[1], origin)),
                                  fr_vec3_sub(corners[2], origin));
        face->area += area;
        weighted = fr_vec3_add_scaled(weighted, area / 3.0, sum);
    }
    face->centroid = face->area > 0.0 ? fr_vec3_add_scaled(origin, 1.0 / face->area, weighted) : origin;
}

// ---------------------------------------------------------------------------------------------------------------
// Boundaries

static bool is_boundary(const planar_run *run, uint32_t edge) {
    const uint32_t *face_of = run->block->face_of;
    return !has_opposite_twin(run, edge) || face_of[run->topology->twin[edge] / 3] != face_of[edge / 3];
}

// The boundary edge after `edge`: the first one around its end, turning inside the face.
static uint32_t next_boundary(const planar_run *run, uint32_t edge) {
    uint32_t next = edge;
    do {
        next = next % 3 == 2 ? next - 2 : next + 1;
        if (is_boundary(run, next)) { return next; }
        next = run->topology->twin[next];
    } while (true);
}

// Twice the area of a loop seen against the normal; > 0 when it runs counter-clockwise.
static double loop_area(const planar_run *run, const fr_planar_face *face, uint32_t loop) {
    const uint32_t *begin = run->block->loop_begin, *vertices = run->block->loop_vertices;
    fr_vec3 sum = no_direction, origin = fr__mesh_position(run->view, vertices[begin[loop]]);
    for (uint32_t i = begin[loop]; i < begin[loop + 1]; i++) {
        uint32_t after = i + 1 < begin[loop + 1] ? i + 1 : begin[loop];
        fr_vec3 a = fr_vec3_sub(fr__mesh_position(run->view, vertices[i]), origin);
        fr_vec3 b = fr_vec3_sub(fr__mesh_position(run->view, vertices[after]), origin);
        sum = fr_vec3_add(sum, fr_vec3_cross(a, b));
    }
    return fr_vec3_dot(face->normal, sum);
}

// Walks one loop that starts with `edge` and appends it.
static void walk_loop(planar_run *run, uint32_t edge) {
    fr_planar_faces *planar = &run->block->planar;
    uint32_t *begin = run->block->loop_begin;
    uint32_t end = begin[planar->loop_count];
    while (!run->walked[edge]) {
        run->walked[edge] = true;
        run->block->loop_vertices[end++] = run->view->triangles[edge];
        edge = next_boundary(run, edge);
    }
    begin[++planar->loop_count] = end;
}

static void reverse(uint32_t *values, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t swap = values[i];
        values[i] = values[count - 1 - i];
        values[count - 1 - i] = swap;
    }
}

// Brings loop `outer` of a face before the others, keeping their order: a rotation by three reversals.
static void bring_forward(planar_block *block, uint32_t first, uint32_t outer) {
    uint32_t *begin = block->loop_begin;
    size_t before = begin[outer] - begin[first], length = begin[outer + 1] - begin[outer];
    uint32_t *vertices = block->loop_vertices + begin[first];
    reverse(vertices, before);
    reverse(vertices + before, length);
    reverse(vertices, before + length);
    for (uint32_t i = outer; i > first; i--) {
        begin[i] = begin[i - 1] + (uint32_t)length;
    }
}

static void walk_face(planar_run *run, fr_planar_face *face) {
    fr_planar_faces *planar = &run->block->planar;
    face->first_loop = planar->loop_count;
    uint32_t outer = FR_NONE;
    double greatest = 0.0;
    for (uint32_t i = 0; i < 3 * face->triangle_count; i++) {
        uint32_t edge = 3 * run->block->triangles[face->first_triangle + i / 3] + i % 3;
        if (run->walked[edge] || !is_boundary(run, edge)) { continue; }
        walk_loop(run, edge);
        double area = loop_area(run, face, planar->loop_count - 1);
        if (outer == FR_NONE || area > greatest) {
            greatest = area;
            outer = planar->loop_count - 1;
        }
    }
    face->loop_count = planar->loop_count - face->first_loop;
    if (face->loop_count > 1) { bring_forward(run->block, face->first_loop, outer); }
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static void destroy_block(planar_block *block) {
    if (block == NULL) { return; }
    fr_allocator allocator = block->allocator;
    fr_deallocate(&allocator, block->faces, block->face_capacity, sizeof *block->faces);
    fr_deallocate(&allocator, block->face_of, block->triangle_count, sizeof(uint32_t));
    fr_deallocate(&allocator, block->triangles, block->triangle_count, sizeof(uint32_t));
    fr_deallocate(&allocator, block->loop_begin, block->loop_capacity, sizeof(uint32_t));
    fr_deallocate(&allocator, block->loop_vertices, block->vertex_capacity, sizeof(uint32_t));
    fr_deallocate(&allocator, block, 1, sizeof *block);
}

// A result with room for one face for each triangle and one loop for each edge, the largest possible counts.
static planar_block *take_block(const fr_planar_def *def, uint32_t triangle_count) {
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    planar_block *block = fr_allocate(&allocator, 1, sizeof *block, _Alignof(planar_block));
    if (block == NULL) { return NULL; }
    memset(block, 0, sizeof *block);
    block->allocator = allocator;
    block->triangle_count = triangle_count;
    block->face_capacity = triangle_count;
    block->vertex_capacity = 3 * (size_t)triangle_count;
    block->loop_capacity = block->vertex_capacity + 1;
    block->faces = fr_allocate(&allocator, block->face_capacity, sizeof *block->faces, _Alignof(fr_planar_face));
    block->face_of = fr_allocate(&allocator, triangle_count, sizeof(uint32_t), _Alignof(uint32_t));
    block->triangles = fr_allocate(&allocator, triangle_count, sizeof(uint32_t), _Alignof(uint32_t));
    block->loop_begin = fr_allocate(&allocator, block->loop_capacity, sizeof(uint32_t), _Alignof(uint32_t));
    block->loop_vertices = fr_allocate(&allocator, block->vertex_capacity, sizeof(uint32_t), _Alignof(uint32_t));
    if (block->faces != NULL && block->face_of != NULL && block->triangles != NULL && block->loop_begin != NULL &&
        block->loop_vertices != NULL) {
        return block;
    }
    destroy_block(block);
    return NULL;
}

static bool fill_block(planar_run *run) {
    planar_block *block = run->block;
    const fr_allocator *allocator = &block->allocator;
    uint32_t count = run->view->triangle_count;
    size_t edge_count = 3 * (size_t)count;
    fr_planar_face *sorted = NULL;
    triangle_size *sizes = sort_by_size(run);
    run->queue = fr_allocate(allocator, count, sizeof(uint32_t), _Alignof(uint32_t));
    run->walked = fr_allocate(allocator, edge_count, sizeof(bool), _Alignof(bool));
    bool whole = sizes != NULL && run->queue != NULL && run->walked != NULL;

    uint32_t group_count = whole ? find_groups(run, sizes) : 0;
    if (whole) { sorted = fr_allocate(allocator, group_count, sizeof *sorted, _Alignof(fr_planar_face)); }
    if (sorted == NULL) { whole = false; }
    if (whole) {
        order_groups(run, group_count, run->queue, sorted);
        memset(run->walked, 0, edge_count * sizeof(bool));
        block->loop_begin[0] = 0;
        for (uint32_t i = 0; i < group_count; i++) {
            measure_face(run, &block->faces[i]);
            walk_face(run, &block->faces[i]);
        }
        block->planar.face_count = group_count;
        block->planar.faces = block->faces;
        block->planar.face_of = block->face_of;
        block->planar.triangles = block->triangles;
        block->planar.loop_begin = block->loop_begin;
        block->planar.loop_vertices = block->loop_vertices;
    }
    fr_deallocate(allocator, sizes, count, sizeof *sizes);
    fr_deallocate(allocator, run->queue, count, sizeof(uint32_t));
    fr_deallocate(allocator, run->walked, edge_count, sizeof(bool));
    fr_deallocate(allocator, sorted, group_count, sizeof *sorted);
    return whole;
}

fr_status fr_planar_create(const fr_mesh *mesh, const fr_planar_def *def, fr_planar_faces **out, fr_error *error) {
    FR_ASSERT(mesh != NULL && def != NULL && out != NULL);
    *out = NULL;
    const fr_mesh_view *view = &mesh->view;
    if (def->cookie != PLANAR_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_planar_def"); }
    if (def->topology == NULL || def->topology->edge_count != 3 * view->triangle_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "planar faces need the topology of the same mesh");
    }
    if (!(def->angle >= 0.0 && def->angle <= 0.5 * FR_PI) || !(def->distance >= 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the angle must be 0 .. pi / 2 and the distance at least 0");
    }
    planar_run run = {.view = view, .mesh = mesh, .topology = def->topology};
    run.chord = angle_chord(def->angle);
    run.distance = def->distance * fr_vec3_distance(view->bounds.min, view->bounds.max);
    run.block = take_block(def, view->triangle_count);
    if (run.block == NULL || !fill_block(&run)) {
        destroy_block(run.block);
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the planar faces of %u triangles",
                            view->triangle_count);
    }
    *out = &run.block->planar;
    return FR_OK;
}

void fr_planar_destroy(fr_planar_faces *planar) { destroy_block((planar_block *)planar); }

// ---------------------------------------------------------------------------------------------------------------
// Inclination

static bool is_inclined(const fr_mesh *mesh, uint32_t triangle, fr_vec3 normal, double chord, bool either_side) {
    fr_vec3 own = unit_normal(mesh, triangle);
    if (fr_vec3_equal(own, no_direction)) { return false; }
    return fr_vec3_distance(own, normal) <= chord ||
           (either_side && fr_vec3_distance(fr_vec3_negate(own), normal) <= chord);
}

uint32_t fr_mesh_inclined(const fr_mesh *mesh, uint32_t triangle, double angle, bool is_either_side,
                          const fr_topology *connected, uint32_t *out) {
    FR_ASSERT(mesh != NULL && out != NULL && triangle < mesh->view.triangle_count);
    FR_ASSERT(connected == NULL || connected->edge_count == 3 * mesh->view.triangle_count);
    const uint32_t unseen = FR_NONE, last = FR_NONE - 1;
    uint32_t triangle_count = mesh->view.triangle_count, count = 0;
    fr_vec3 normal = unit_normal(mesh, triangle);
    double chord = angle_chord(angle);
    if (fr_vec3_equal(normal, no_direction)) {
        out[0] = triangle;
        return 1;
    }

    // `out` first holds, for every triangle, the one below it on a stack, or that it was not seen.
    for (uint32_t t = 0; t < triangle_count; t++) {
        bool taken = connected == NULL && is_inclined(mesh, t, normal, chord, is_either_side);
        out[t] = taken ? last : unseen;
    }
    out[triangle] = last;
    for (uint32_t top = triangle; connected != NULL && top != last;) {
        uint32_t current = top;
        top = out[current];
        for (uint32_t edge = 3 * current; edge < 3 * current + 3; edge++) {
            uint32_t twin = connected->twin[edge];
            if (twin == FR_NONE || out[twin / 3] != unseen) { continue; }
            if (!is_inclined(mesh, twin / 3, normal, chord, is_either_side)) { continue; }
            out[twin / 3] = top;
            top = twin / 3;
        }
    }
    for (uint32_t t = 0; t < triangle_count; t++) {
        if (out[t] != unseen) { out[count++] = t; }
    }
    return count;
}
