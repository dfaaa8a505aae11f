// What surfaces need to know of a mesh: its planar faces as rectangles, its pieces as boxes, and long straight borders.
#include "human/surface.h"

#include <math.h>

static const double FLATNESS = 0.012; // metres that corners of a face may be off its plane: cushions; ours
static const double NARROWEST = 0.008, SMALLEST = 6e-5; // metres, square metres: what is less is no face; ours
static const double RIDGE_COSINE = 0.866;               // of 30 degrees: what bends more is a ridge; ours
static const double RIDGE_LENGTH = 0.3;                 // metres of a border that is kept; ours
static const double BUTTON = 0.12;                      // metres across a piece that is pressed; ours
static const double THINNEST = 0.012;                   // metres of a piece that is kept; ours
static const double SMALLER = 0.98;                     // of the volume of another box that is worth it; ours

typedef struct mesh_run {
    fr__surface_mesh *out;
    const fr_mesh_view *view;
    const fr_topology *topology;
    const fr_planar_faces *planar;
    uint32_t component_count;
    fr_bounds *outlines; // of each component, in the axes of the mesh
    uint32_t *largest;   // of each component, its largest planar face
    uint32_t *first;     // of each component, its lowest triangle
    fr_mat3 *axes;       // of each component, those of that face
    fr_bounds *boxes;    // of each component, in these axes
} mesh_run;

static fr_vec3f floats(fr_vec3 v) { return (fr_vec3f){(float)v.x, (float)v.y, (float)v.z}; }

static fr_vec3 position(const mesh_run *run, uint32_t vertex) {
    const fr_mesh_view *view = run->view;
    if (view->positions_double != NULL) {
        const double *p = view->positions_double + 3 * (size_t)vertex;
        return fr_vec3_make(p[0], p[1], p[2]);
    }
    const float *p = view->positions_float + 3 * (size_t)vertex;
    return fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

// The direction of the longest border of a face; of a closed one any.
static fr_vec3 longest_border(const mesh_run *run, const fr_planar_face *face) {
    const fr_planar_faces *planar = run->planar;
    fr_vec3 best = fr_vec3_perpendicular(face->normal);
    double longest = 0.0;
    for (uint32_t l = face->first_loop; l < face->first_loop + face->loop_count; l++) {
        uint32_t begin = planar->loop_begin[l], end = planar->loop_begin[l + 1];
        for (uint32_t i = begin; i < end; i++) {
            fr_vec3 a = position(run, planar->loop_vertices[i]);
            fr_vec3 b = position(run, planar->loop_vertices[i + 1 < end ? i + 1 : begin]);
            double length = fr_vec3_distance(a, b);
            if (length <= longest * (1.0 + 1e-9)) { continue; }
            longest = length;
            best = fr_vec3_sub(b, a);
        }
    }
    best = fr_vec3_add_scaled(best, -fr_vec3_dot(best, face->normal), face->normal);
    return fr_vec3_unit(best, fr_vec3_perpendicular(face->normal));
}

// The axes of a face, z its normal.
static fr_mat3 face_axes(const mesh_run *run, const fr_planar_face *face) {
    fr_vec3 axis = longest_border(run, face);
    return (fr_mat3){{axis, fr_vec3_cross(face->normal, axis), face->normal}};
}

static fr_bounds bounds_in(const mesh_run *run, const fr_planar_face *face, fr_mat3 axes) {
    fr_bounds bounds = fr_bounds_empty();
    for (uint32_t i = 0; i < face->triangle_count; i++) {
        const uint32_t *corners = run->view->triangles + 3 * (size_t)run->planar->triangles[face->first_triangle + i];
        for (int k = 0; k < 3; k++) {
            bounds = fr_bounds_with_point(&bounds, fr_mat3_apply(axes, position(run, corners[k])));
        }
    }
    return bounds;
}

// Whether a face is that of a small piece, and the surface bends outwards by 30 degrees all along its border, or ends.
static bool is_distinct(const mesh_run *run, uint32_t index) {
    const fr_planar_face *face = &run->planar->faces[index];
    uint32_t component = run->topology->component[run->planar->triangles[face->first_triangle]];
    if (component == FR_NONE) { return false; }
    const fr_bounds *outline = &run->outlines[component];
    if (fr_vec3_distance(outline->min, outline->max) * run->out->scale > BUTTON) { return false; }
    for (uint32_t i = 0; i < 3 * face->triangle_count; i++) {
        uint32_t triangle = run->planar->triangles[face->first_triangle + i / 3];
        uint32_t twin = run->topology->twin[3 * triangle + i % 3];
        if (twin == FR_NONE) { continue; }
        uint32_t other = run->planar->face_of[twin / 3];
        if (other == index) { continue; }
        const fr_planar_face *beside = &run->planar->faces[other];
        if (fr_vec3_dot(beside->normal, face->normal) > RIDGE_COSINE) { return false; }
        if (fr_vec3_dot(beside->centroid, face->normal) > face->offset) { return false; }
    }
    return true;
}

static bool add_patch(mesh_run *run, uint32_t index) {
    const fr_planar_face *face = &run->planar->faces[index];
    double scale = run->out->scale;
    if (!(face->area * scale * scale >= SMALLEST) || fr_vec3_length_squared(face->normal) < 0.5) { return true; }
    fr_mat3 axes = face_axes(run, face);
    fr_bounds b = bounds_in(run, face, axes);
    double half[2] = {0.5 * (b.max.x - b.min.x), 0.5 * (b.max.y - b.min.y)};
    if (2.0 * scale * fmin(half[0], half[1]) < NARROWEST) { return true; }
    int longer = half[0] >= half[1] ? 0 : 1;
    fr__patch *patch = fr__patch_array_push(&run->out->patches, 1);
    if (patch == NULL) { return false; }
    fr_vec3 middle = fr_bounds_center(&b);
    middle.z = face->offset;
    *patch = (fr__patch){
        .center = floats(fr_mat3_apply(fr_mat3_transpose(axes), middle)),
        .axis = floats(axes.row[longer]),
        .normal = floats(face->normal),
        .half = {(float)half[longer], (float)half[1 - longer]},
        .triangle = run->planar->triangles[face->first_triangle],
        .is_distinct = 2.0 * scale * fmax(half[0], half[1]) <= FR__SURFACE_PRESS_MAX && is_distinct(run, index),
    };
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Ridges

static bool add_ridge(mesh_run *run, fr_vec3 a, fr_vec3 b) {
    if (fr_vec3_distance(a, b) * run->out->scale < RIDGE_LENGTH) { return true; }
    fr__ridge *ridge = fr__ridge_array_push(&run->out->ridges, 1);
    if (ridge == NULL) { return false; }
    *ridge = (fr__ridge){{floats(a), floats(b)}};
    return true;
}

// The straight parts of a loop, corner by corner; one that runs over the loop's first vertex is cut there.
static bool add_loop(mesh_run *run, uint32_t loop) {
    const uint32_t *vertices = run->planar->loop_vertices;
    uint32_t begin = run->planar->loop_begin[loop], end = run->planar->loop_begin[loop + 1];
    fr_vec3 from = position(run, vertices[begin]), last = from, direction = {0.0, 0.0, 0.0};
    for (uint32_t i = begin + 1; i <= end; i++) {
        fr_vec3 next = position(run, vertices[i < end ? i : begin]);
        fr_vec3 step = fr_vec3_unit(fr_vec3_sub(next, last), direction);
        if (i > begin + 1 && fr_vec3_dot(step, direction) < 0.9999) {
            if (!add_ridge(run, from, last)) { return false; }
            from = last;
        }
        direction = step;
        last = next;
    }
    return add_ridge(run, from, last);
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces

static void release_components(mesh_run *run, const fr_allocator *allocator) {
    fr_deallocate(allocator, run->outlines, run->component_count, sizeof *run->outlines);
    fr_deallocate(allocator, run->largest, run->component_count, sizeof *run->largest);
    fr_deallocate(allocator, run->first, run->component_count, sizeof *run->first);
    fr_deallocate(allocator, run->axes, run->component_count, sizeof *run->axes);
    fr_deallocate(allocator, run->boxes, run->component_count, sizeof *run->boxes);
}

static bool take_components(mesh_run *run, const fr_allocator *allocator) {
    uint32_t count = run->component_count = run->topology->component_count;
    run->outlines = fr_allocate(allocator, count, sizeof *run->outlines, _Alignof(fr_bounds));
    run->largest = fr_allocate(allocator, count, sizeof *run->largest, _Alignof(uint32_t));
    run->first = fr_allocate(allocator, count, sizeof *run->first, _Alignof(uint32_t));
    run->axes = fr_allocate(allocator, count, sizeof *run->axes, _Alignof(fr_mat3));
    run->boxes = fr_allocate(allocator, count, sizeof *run->boxes, _Alignof(fr_bounds));
    if (count == 0) { return true; }
    if (run->outlines == NULL || run->largest == NULL || run->first == NULL || run->axes == NULL ||
        run->boxes == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        run->largest[i] = run->first[i] = FR_NONE;
        run->outlines[i] = run->boxes[i] = fr_bounds_empty();
    }
    return true;
}

// The outline of each component, the axes of its largest face, and its box in them.
static void measure_components(mesh_run *run) {
    const uint32_t *component = run->topology->component, *triangles = run->view->triangles;
    for (uint32_t i = 0; i < run->planar->face_count; i++) {
        const fr_planar_face *face = &run->planar->faces[i];
        uint32_t c = component[run->planar->triangles[face->first_triangle]];
        if (c == FR_NONE || fr_vec3_length_squared(face->normal) < 0.5) { continue; }
        uint32_t *largest = &run->largest[c];
        if (*largest == FR_NONE || face->area > run->planar->faces[*largest].area) { *largest = i; }
    }
    for (uint32_t i = 0; i < run->component_count; i++) {
        if (run->largest[i] != FR_NONE) { run->axes[i] = face_axes(run, &run->planar->faces[run->largest[i]]); }
    }
    for (uint32_t t = 0; t < run->view->triangle_count; t++) {
        uint32_t c = component[t];
        if (c == FR_NONE || run->largest[c] == FR_NONE) { continue; }
        if (run->first[c] == FR_NONE) { run->first[c] = t; }
        for (size_t k = 3 * (size_t)t; k < 3 * (size_t)t + 3; k++) {
            fr_vec3 point = position(run, triangles[k]);
            run->outlines[c] = fr_bounds_with_point(&run->outlines[c], point);
            run->boxes[c] = fr_bounds_with_point(&run->boxes[c], fr_mat3_apply(run->axes[c], point));
        }
    }
}

static double volume_of(const fr_bounds *box) {
    fr_vec3 size = fr_vec3_sub(box->max, box->min);
    return size.x * size.y * size.z;
}

// Of something round the largest face says little: the axes of the mesh, where its box in them is smaller.
static void choose_axes(mesh_run *run, uint32_t c) {
    if (!(volume_of(&run->outlines[c]) < SMALLER * volume_of(&run->boxes[c]))) { return; }
    run->axes[c] = fr_quat_to_mat3(fr_quat_identity());
    run->boxes[c] = run->outlines[c];
}

static bool add_piece(mesh_run *run, uint32_t c) {
    if (run->first[c] == FR_NONE) { return true; }
    choose_axes(run, c);
    fr_vec3 size = fr_vec3_scale(0.5, fr_vec3_sub(run->boxes[c].max, run->boxes[c].min));
    double half[3] = {size.x, size.y, size.z};
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++) { // three exchanges of neighbours sort three numbers
        int k = i == 1 ? 1 : 0, swap = order[k];
        if (half[order[k]] <= half[order[k + 1]]) { continue; }
        order[k] = order[k + 1];
        order[k + 1] = swap;
    }
    double thin = 2.0 * run->out->scale * half[order[0]];
    if (thin < THINNEST || thin > FR__SURFACE_GRASP_MAX) { return true; }
    fr__piece *piece = fr__piece_array_push(&run->out->pieces, 1);
    if (piece == NULL) { return false; }
    fr_vec3 middle = fr_mat3_apply(fr_mat3_transpose(run->axes[c]), fr_bounds_center(&run->boxes[c]));
    *piece = (fr__piece){.center = floats(middle), .triangle = run->first[c]};
    for (int k = 0; k < 3; k++) {
        piece->axes[k] = floats(run->axes[c].row[order[k]]);
        piece->half[k] = (float)half[order[k]];
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

static bool fill(mesh_run *run, const fr_allocator *allocator) {
    bool is_whole = take_components(run, allocator);
    if (is_whole) { measure_components(run); }
    for (uint32_t i = 0; is_whole && i < run->planar->face_count; i++) {
        is_whole = add_patch(run, i);
    }
    for (uint32_t i = 0; is_whole && i < run->planar->loop_count; i++) {
        is_whole = add_loop(run, i);
    }
    for (uint32_t i = 0; is_whole && i < run->component_count; i++) {
        is_whole = add_piece(run, i);
    }
    release_components(run, allocator);
    return is_whole;
}

bool fr__surface_mesh_fill(fr__surface_mesh *out, const fr_allocator *allocator) {
    mesh_run run = {.out = out, .view = fr_mesh_get(out->mesh)};
    out->patches = fr__patch_array_make(allocator);
    out->pieces = fr__piece_array_make(allocator);
    out->ridges = fr__ridge_array_make(allocator);
    fr_topology_def topology_def = fr_default_topology_def();
    topology_def.is_welded = true;
    topology_def.allocator = *allocator;
    fr_topology *topology = NULL;
    if (fr_topology_create(out->mesh, &topology_def, &topology, NULL) != FR_OK) { return false; }
    double diagonal = fr_vec3_distance(run.view->bounds.min, run.view->bounds.max);
    fr_planar_def planar_def = fr_default_planar_def();
    planar_def.angle = fr_radians(10.0);
    planar_def.distance = diagonal > 0.0 ? fmax(1e-6, FLATNESS / (out->scale * diagonal)) : 1e-6;
    planar_def.topology = topology;
    planar_def.allocator = *allocator;
    fr_planar_faces *planar = NULL;
    bool is_whole = fr_planar_create(out->mesh, &planar_def, &planar, NULL) == FR_OK;
    if (is_whole) {
        run.topology = topology;
        run.planar = planar;
        out->is_open = !topology->is_closed;
        is_whole = fill(&run, allocator);
    }
    fr_planar_destroy(planar);
    fr_topology_destroy(topology);
    return is_whole;
}

void fr__surface_mesh_release(fr__surface_mesh *mesh) {
    fr_mesh_release(mesh->mesh);
    fr__patch_array_destroy(&mesh->patches);
    fr__piece_array_destroy(&mesh->pieces);
    fr__ridge_array_destroy(&mesh->ridges);
}
