// Meshes: the layout of their block, their checks and measures, and their references.
#include "shape/mesh.h"

#include <float.h>
#include <string.h>

#define MESH_DEF_COOKIE 0x4d455348u

fr_mesh_def fr_default_mesh_def(void) {
    fr_mesh_def def;
    memset(&def, 0, sizeof def);
    def.cookie = MESH_DEF_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Layout of the block

// Adds an array at the next aligned place. False on overflow.
static bool append_array(size_t *end, size_t count, size_t element_bytes, size_t *offset) {
    size_t aligned = (*end + (FR__MESH_ALIGN - 1)) & ~(size_t)(FR__MESH_ALIGN - 1);
    if (aligned < *end || count > (SIZE_MAX - aligned) / element_bytes) { return false; }
    *offset = aligned;
    *end = aligned + count * element_bytes;
    return true;
}

bool fr__mesh_lay_out(uint32_t vertex_count, uint32_t triangle_count, bool keeps_double, bool has_faces,
                      fr__mesh_layout *out) {
    size_t position_bytes = 3 * (keeps_double ? sizeof(double) : sizeof(float));
    size_t words = ((size_t)triangle_count + 63) / 64;
    out->end = sizeof(fr__mesh_header);
    out->faces = 0;

    bool fits = append_array(&out->end, vertex_count, position_bytes, &out->positions) &&
                append_array(&out->end, triangle_count, 3 * sizeof(uint32_t), &out->triangles);
    if (fits && has_faces) { fits = append_array(&out->end, triangle_count, sizeof(uint32_t), &out->faces); }
    if (fits) { fits = append_array(&out->end, words, sizeof(uint64_t), &out->degenerate); }
    // The end is aligned too, so that a tree can follow.
    return fits && append_array(&out->end, 0, 1, &out->end);
}

// ---------------------------------------------------------------------------------------------------------------
// Measuring

// Area <= 1e-14 of the longest edge squared (colliding-faces 10). The edges are scaled to about 1 first, so that
// neither 1e-150 nor 1e38 spoils the squares.
static bool is_degenerate(const fr_vec3 corners[3]) {
    fr_vec3 edges[3];
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        edges[k] = fr_vec3_sub(corners[(k + 1) % 3], corners[k]);
        double size = fr_vec3_largest(edges[k]);
        largest = size > largest ? size : largest;
    }
    double scale = 1.0 / largest;
    if (!isfinite(scale)) { return true; }

    double longest_squared = 0.0;
    for (int k = 0; k < 3; k++) {
        edges[k] = fr_vec3_scale(scale, edges[k]);
        double squared = fr_vec3_length_squared(edges[k]);
        longest_squared = squared > longest_squared ? squared : longest_squared;
    }
    double twice_area = fr_vec3_length(fr_vec3_cross(edges[0], edges[1]));
    return 0.5 * twice_area <= 1e-14 * longest_squared;
}

static fr_status stopped(fr_error *error) {
    return fr_error_set(error, FR_ERROR_STOPPED, "stopped while making a mesh");
}

static fr_status measure_positions(fr_mesh_view *view, const fr_control *control, fr_error *error) {
    double largest = 0.0;
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        if (fr__is_stopped(control, i)) { return stopped(error); }
        fr_vec3 p = fr__mesh_position(view, i);
        double size = fr_vec3_largest(p);
        // Written so that NaN, which fr_vec3_largest may pass over, is caught as well.
        if (!fr_vec3_is_finite(p) || size > (double)FLT_MAX) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "vertex %u: position (%g, %g, %g) is not a finite float", i,
                                p.x, p.y, p.z);
        }
        largest = size > largest ? size : largest;
    }
    view->largest = largest;
    return FR_OK;
}

fr_status fr__mesh_measure(fr_mesh_view *view, uint64_t *degenerate, const fr_control *control, fr_error *error) {
    fr_status status = measure_positions(view, control, error);
    if (status != FR_OK) { return status; }

    view->bounds = fr_bounds_empty();
    view->face_count = view->faces == NULL ? view->triangle_count : 0;
    view->degenerate_count = 0;
    memset(degenerate, 0, ((size_t)view->triangle_count + 63) / 64 * sizeof(uint64_t));
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        if (fr__is_stopped(control, t)) { return stopped(error); }
        for (int k = 0; k < 3; k++) {
            uint32_t index = view->triangles[3 * (size_t)t + (size_t)k];
            if (index >= view->vertex_count) {
                return fr_error_set(error, FR_ERROR_CORRUPT, "triangle %u: corner %d is vertex %u of only %u", t, k,
                                    index, view->vertex_count);
            }
        }
        fr_vec3 corners[3];
        fr__mesh_corners(view, t, corners);
        for (int k = 0; k < 3; k++) {
            view->bounds = fr_bounds_with_point(&view->bounds, corners[k]);
        }
        if (is_degenerate(corners)) {
            degenerate[t / 64] |= UINT64_C(1) << (t % 64);
            view->degenerate_count++;
        }
        if (view->faces != NULL && view->faces[t] >= view->face_count) {
            if (view->faces[t] == FR_NONE) {
                return fr_error_set(error, FR_ERROR_CORRUPT, "triangle %u: polygon %u is over the limit", t, FR_NONE);
            }
            view->face_count = view->faces[t] + 1;
        }
    }
    return FR_OK;
}

// Makes leaf_corners and node_leans.
static fr_status fill_leaves(fr_mesh *mesh, const fr_control *control, fr_error *error) {
    mesh->leaf_corners = fr__leaf_corners_create(&mesh->view, mesh->tree, &mesh->allocator);
    if (fr_control_is_stopped(control)) { return stopped(error); }
    mesh->node_leans = fr__node_lean_create(&mesh->view, mesh->tree, &mesh->allocator);
    if (mesh->leaf_corners != NULL && mesh->node_leans != NULL) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the corners of %u triangles",
                        mesh->view.triangle_count);
}

// A squared distance is off by less than 8 2^-53 of itself, for which 2^-40 has room, or lost altogether among the
// smallest numbers, for which 2^-500 has.
static bool set_ball(fr_mesh *mesh, const fr_control *control) {
    const fr_mesh_view *view = &mesh->view;
    fr_vec3 center = fr_bounds_center(&view->bounds);
    double farthest = 0.0;
    for (size_t i = 0; i < 3 * (size_t)view->triangle_count; i++) {
        if (fr__is_stopped(control, i)) { return false; }
        fr_vec3 away = fr_vec3_sub(fr__mesh_position(view, view->triangles[i]), center);
        double squared = fr_vec3_length_squared(away);
        farthest = squared > farthest ? squared : farthest;
    }
    mesh->ball_center = center;
    mesh->ball_radius = sqrt(farthest) * (1.0 + 0x1p-40) + 0x1p-500;
    return true;
}

// The twice area vector of a triangle; zero for a sliver.
static fr_vec3 clear_normal(const fr_vec3 c[3]) {
    fr_vec3 u = fr_vec3_sub(c[1], c[0]), v = fr_vec3_sub(c[2], c[0]), w = fr_vec3_sub(c[2], c[1]);
    double longest = fmax(fmax(fr_vec3_length_squared(u), fr_vec3_length_squared(v)), fr_vec3_length_squared(w));
    fr_vec3 n = fr_vec3_cross(u, v);
    bool is_clear = fr_vec3_length(n) >= FR__SLIVER * longest;
    return is_clear ? n : fr_vec3_make(0.0, 0.0, 0.0);
}

static double bend_of_run(const fr_mesh_view *view, uint32_t first, uint32_t end) {
    fr_vec3 sum = fr_vec3_make(0.0, 0.0, 0.0), c[3];
    for (uint32_t t = first; t < end; t++) {
        fr__mesh_corners(view, t, c);
        sum = fr_vec3_add(sum, fr_vec3_cross(fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[0])));
    }
    double greatest = 0.0;
    for (uint32_t t = first; t < end; t++) {
        fr__mesh_corners(view, t, c);
        fr_vec3 n = clear_normal(c);
        if (fr_vec3_length_squared(n) == 0.0) { continue; }
        double along = fr_vec3_dot(n, sum);
        greatest = along > 0.0 ? fmax(greatest, fr_vec3_length(fr_vec3_cross(n, sum)) / along) : INFINITY;
    }
    return greatest;
}

static bool set_bend(fr_mesh *mesh, const fr_control *control) {
    const fr_mesh_view *view = &mesh->view;
    mesh->bend = 0.0;
    for (uint32_t first = 0, end = 0; view->faces != NULL && first < view->triangle_count; first = end) {
        for (end = first + 1; end < view->triangle_count && view->faces[end] == view->faces[first];) {
            end++;
        }
        if (end - first > 1) { mesh->bend = fmax(mesh->bend, bend_of_run(view, first, end)); }
        bool is_time = first >> 16 != end >> 16;
        if (is_time && fr_control_is_stopped(control)) { return false; }
    }
    return true;
}

static bool set_facing(fr_mesh *mesh, const fr_control *control) {
    mesh->facing = 0.0;
    if (mesh->border.count > 0) { return true; }
    fr__volume_sign facing = fr__volume_sign_begin(&mesh->view.bounds);
    for (uint32_t t = 0; t < mesh->view.triangle_count; t++) {
        if (fr__is_stopped(control, t)) { return false; }
        fr_vec3 corners[3];
        fr__mesh_corners(&mesh->view, t, corners);
        fr__volume_sign_add(&facing, corners);
    }
    mesh->facing = fr__volume_sign_end(&facing);
    return true;
}

fr_status fr__mesh_finish(fr_mesh *mesh, const fr_control *control, fr_error *error) {
    fr_status status = fill_leaves(mesh, control, error);
    if (status != FR_OK) { return status; }
    bool is_done = set_ball(mesh, control) && set_bend(mesh, control) && set_facing(mesh, control);
    return is_done ? FR_OK : stopped(error);
}

fr_box fr__mesh_triangle_box(const fr_mesh_view *view, uint32_t triangle) {
    fr_vec3 corners[3];
    fr__mesh_corners(view, triangle, corners);
    fr_vec3 low = fr_vec3_min(fr_vec3_min(corners[0], corners[1]), corners[2]);
    fr_vec3 high = fr_vec3_max(fr_vec3_max(corners[0], corners[1]), corners[2]);
    if (view->positions_float != NULL) {
        fr_box exact = {{(float)low.x, (float)low.y, (float)low.z}, {(float)high.x, (float)high.y, (float)high.z}};
        return exact;
    }
    fr_bounds bounds = {low, high};
    return fr_box_of_bounds(&bounds, fr_vec3_make(0.0, 0.0, 0.0));
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status check_def(const fr_mesh_def *def, fr_error *error) {
    if (def->cookie != MESH_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_mesh_def"); }
    if (def->triangle_count == 0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the mesh has no triangle"); }
    if (def->triangle_count > FR_MESH_MAX_TRIANGLES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u triangles; the limit is %u", def->triangle_count,
                            FR_MESH_MAX_TRIANGLES);
    }
    if (def->vertex_count > FR_MESH_MAX_VERTICES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u vertices; the limit is %u", def->vertex_count,
                            FR_MESH_MAX_VERTICES);
    }
    bool one_kind = (def->positions_float == NULL) != (def->positions_double == NULL);
    if (def->triangles == NULL || (def->vertex_count > 0 && !one_kind)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "triangles and one kind of positions must be given");
    }
    return FR_OK;
}

// Copies positions into the block in the kind it keeps; returns the largest change of a coordinate.
static double copy_positions(const fr_mesh_def *def, void *out) {
    size_t count = 3 * (size_t)def->vertex_count;
    double rounding = 0.0;
    if (def->is_double) {
        double *positions = out;
        for (size_t i = 0; i < count; i++) {
            positions[i] = def->positions_double != NULL ? def->positions_double[i] : (double)def->positions_float[i];
        }
    } else if (def->positions_float != NULL) {
        if (count > 0) { memcpy(out, def->positions_float, count * sizeof(float)); }
    } else {
        float *positions = out;
        for (size_t i = 0; i < count; i++) {
            positions[i] = (float)def->positions_double[i];
            double change = fabs((double)positions[i] - def->positions_double[i]);
            if (change > rounding) { rounding = change; }
        }
    }
    return rounding;
}

// Takes memory for the block and fills its arrays; points the view at them.
static fr_status fill_block(const fr_mesh_def *def, fr_mesh *mesh, fr_error *error) {
    fr__mesh_layout layout;
    if (!fr__mesh_lay_out(def->vertex_count, def->triangle_count, def->is_double, def->faces != NULL, &layout)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "the mesh does not fit in memory");
    }
    unsigned char *block = fr_allocate(&mesh->allocator, layout.end, 1, FR__MESH_ALIGN);
    if (block == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a mesh of %zu bytes", layout.end);
    }
    memset(block, 0, layout.end); // padding is part of what a cooked mesh hashes
    mesh->block = block;
    mesh->block_bytes = layout.end;
    mesh->arrays_bytes = layout.end;
    mesh->owns_block = true;

    fr_mesh_view *view = &mesh->view;
    view->rounding = copy_positions(def, block + layout.positions);
    memcpy(block + layout.triangles, def->triangles, 3 * (size_t)def->triangle_count * sizeof(uint32_t));
    if (def->faces != NULL) {
        memcpy(block + layout.faces, def->faces, (size_t)def->triangle_count * sizeof(uint32_t));
        view->faces = (const uint32_t *)(const void *)(block + layout.faces);
    }
    if (def->is_double) {
        view->positions_double = (const double *)(const void *)(block + layout.positions);
    } else {
        view->positions_float = (const float *)(const void *)(block + layout.positions);
    }
    view->vertex_count = def->vertex_count;
    view->triangles = (const uint32_t *)(const void *)(block + layout.triangles);
    view->triangle_count = def->triangle_count;

    uint64_t *degenerate = (uint64_t *)(void *)(block + layout.degenerate);
    mesh->degenerate = degenerate;
    return fr__mesh_measure(view, degenerate, def->control, error);
}

static fr_status build_tree(const fr_mesh_def *def, fr_mesh *mesh, fr_error *error) {
    uint32_t count = mesh->view.triangle_count;
    fr_box *boxes = fr_allocate(&mesh->allocator, count, sizeof *boxes, FR__MESH_ALIGN);
    if (boxes == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the boxes of %u triangles", count);
    }
    bool is_stopped = false;
    for (uint32_t t = 0; t < count && !is_stopped; t++) {
        is_stopped = fr__is_stopped(def->control, t);
        boxes[t] = fr__mesh_triangle_box(&mesh->view, t);
    }

    fr_tree_def tree_def = fr_default_tree_def();
    tree_def.boxes = boxes;
    tree_def.count = count;
    tree_def.tasks = def->tasks;
    tree_def.control = def->control;
    tree_def.allocator = mesh->allocator;
    fr_status status = is_stopped ? stopped(error) : fr_tree_create(&tree_def, &mesh->tree, error);
    mesh->view.tree = mesh->tree;
    fr_deallocate(&mesh->allocator, boxes, count, sizeof *boxes);
    return status;
}

fr_status fr_mesh_create(const fr_mesh_def *def, fr_mesh **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }

    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_mesh *mesh = fr_allocate(&allocator, 1, sizeof *mesh, _Alignof(fr_mesh));
    if (mesh == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a mesh"); }
    memset(mesh, 0, sizeof *mesh);
    mesh->allocator = allocator;
    atomic_init(&mesh->references, 1u);

    status = fill_block(def, mesh, error);
    if (status == FR_OK) { status = build_tree(def, mesh, error); }
    if (status == FR_OK) {
        status = fr__mesh_border_find(&mesh->view, def->control, &mesh->allocator, &mesh->border, error);
    }
    if (status == FR_OK) { status = fr__mesh_finish(mesh, def->control, error); }
    if (status != FR_OK) {
        fr_mesh_release(mesh);
        return status;
    }
    *out = mesh;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// References and reading

// A shared mesh is const; only its reference count changes.
static fr_mesh *counted(const fr_mesh *mesh) {
    union {
        const fr_mesh *shared;
        fr_mesh *counted;
    } same = {mesh};
    return same.counted;
}

fr_mesh *fr_mesh_retain(const fr_mesh *mesh) {
    FR_ASSERT(mesh != NULL);
    fr_mesh *mine = counted(mesh);
    atomic_fetch_add_explicit(&mine->references, 1u, memory_order_relaxed);
    return mine;
}

void fr_mesh_release(const fr_mesh *mesh) {
    if (mesh == NULL) { return; }
    fr_mesh *mine = counted(mesh);
    if (atomic_fetch_sub_explicit(&mine->references, 1u, memory_order_acq_rel) != 1u) { return; }

    fr_allocator allocator = mine->allocator;
    fr__leaf_corners_destroy(mine->leaf_corners, mine->tree, &allocator);
    fr__node_lean_destroy(mine->node_leans, mine->tree, &allocator);
    fr_tree_destroy(mine->tree);
    fr__mesh_border_release(&mine->border, &allocator);
    if (mine->owns_block) {
        union {
            const void *shared;
            void *owned;
        } block = {mine->block};
        fr_deallocate(&allocator, block.owned, mine->block_bytes, 1);
    }
    fr_deallocate(&allocator, mine, 1, sizeof *mine);
}

const fr_mesh_view *fr_mesh_get(const fr_mesh *mesh) {
    FR_ASSERT(mesh != NULL);
    return &mesh->view;
}

void fr_mesh_corners(const fr_mesh *mesh, uint32_t triangle, fr_vec3 corners[3]) {
    FR_ASSERT(mesh != NULL && triangle < mesh->view.triangle_count);
    fr__mesh_corners(&mesh->view, triangle, corners);
}

void fr_mesh_vertex_normals(const fr_mesh *mesh, fr_vec3 *normals) {
    FR_ASSERT(mesh != NULL && normals != NULL);
    const fr_mesh_view *view = &mesh->view;
    memset(normals, 0, view->vertex_count * sizeof *normals);
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        fr_vec3 c[3];
        fr__mesh_corners(view, t, c);
        fr_vec3 normal = fr_vec3_cross(fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[0]));
        for (uint32_t k = 0; k < 3; k++) {
            fr_vec3 *sum = &normals[view->triangles[3 * t + k]];
            *sum = fr_vec3_add(*sum, normal);
        }
    }
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        normals[v] = fr_vec3_unit(normals[v], fr_vec3_make(0.0, 1.0, 0.0));
    }
}

uint32_t fr_mesh_face(const fr_mesh *mesh, uint32_t triangle) {
    FR_ASSERT(mesh != NULL && triangle < mesh->view.triangle_count);
    return mesh->view.faces != NULL ? mesh->view.faces[triangle] : triangle;
}

bool fr_mesh_is_degenerate(const fr_mesh *mesh, uint32_t triangle) {
    FR_ASSERT(mesh != NULL && triangle < mesh->view.triangle_count);
    return (mesh->degenerate[triangle / 64] >> (triangle % 64) & 1u) != 0;
}
