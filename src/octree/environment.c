// The octree of an environment: objects put in, moved and removed by their voxels.
#include "fureai/base_order.h"
#include "octree/builder.h"
#include "octree/cells.h"

#include "shape/mesh.h"

#include <string.h>

// One object, and what it put in: its faces in voxels, sorted, the voxel in the high half.
typedef struct member {
    uint64_t key;
    uint64_t *faces;
    size_t count;
} member;

FR_ARRAY_TYPE(member_array, member);
FR_ARRAY_TYPE(fr__cell_edit_array, fr__cell_edit);

struct fr_environment {
    fr_allocator allocator;
    fr_octree_def def; // of a checked root
    double voxel;
    member_array members;  // sorted by key
    fr_uint64_array found; // faces in voxels of the object that is being set
    fr__vec3_array points; // its vertices in voxels
    fr__cell_edit_array edits;
    atomic_flag lock; // of `cells`
    fr_cells *cells;
    uint64_t changed;
};

fr_status fr_environment_create(const fr_octree_def *def, fr_environment **out, fr_error *error) {
    *out = NULL;
    // A tree of the definition checks it, and is not kept: the root alone is.
    fr_octree_def small = *def;
    if (small.edge == 0.0 && def->depth <= FR_OCTREE_MAX_DEPTH) { small.edge = ldexp(1.0, (int)def->depth); }
    fr_octree *tree = NULL;
    fr_status status = fr_octree_create(&small, &tree, error);
    if (status != FR_OK) { return status; }
    small = fr_octree_get_def(tree);
    fr_octree_destroy(tree);
    if (def->dimension != 3) { return fr_error_set(error, FR_ERROR_ARGUMENT, "an environment has 3 dimensions"); }

    fr_environment *e = fr_allocate(&small.allocator, 1, sizeof *e, _Alignof(fr_environment));
    fr_cells *cells = fr__cells_make(&small);
    if (e == NULL || cells == NULL) {
        fr_deallocate(&small.allocator, e, 1, sizeof *e);
        fr_cells_release(cells);
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for an environment");
    }
    memset(e, 0, sizeof *e);
    e->allocator = small.allocator;
    e->def = small;
    e->voxel = ldexp(small.edge, -(int)small.depth);
    e->members = member_array_make(&e->allocator);
    e->found = fr_uint64_array_make(&e->allocator);
    e->points = fr__vec3_array_make(&e->allocator);
    e->edits = fr__cell_edit_array_make(&e->allocator);
    atomic_flag_clear(&e->lock);
    e->cells = cells;
    *out = e;
    return FR_OK;
}

void fr_environment_destroy(fr_environment *e) {
    if (e == NULL) { return; }
    member *members = e->members.data;
    for (size_t i = 0; i < e->members.count; i++) {
        fr_deallocate(&e->allocator, members[i].faces, members[i].count, sizeof(uint64_t));
    }
    member_array_destroy(&e->members);
    fr_uint64_array_destroy(&e->found);
    fr__vec3_array_destroy(&e->points);
    fr__cell_edit_array_destroy(&e->edits);
    fr_cells_release(e->cells);
    fr_allocator allocator = e->allocator;
    fr_deallocate(&allocator, e, 1, sizeof *e);
}

// ---------------------------------------------------------------------------------------------------------------
// Voxels of an object

typedef struct voxel_collection {
    fr_uint64_array *found;
    uint32_t triangle;
} voxel_collection;

static bool find_voxel(uint32_t x, uint32_t y, uint32_t z, void *context) {
    const voxel_collection *f = context;
    uint64_t *entry = fr_uint64_array_push(f->found, 1);
    if (entry == NULL) { return false; }
    *entry = (uint64_t)fr__morton3(x, y, z) << 32 | f->triangle;
    return true;
}

static fr_status find_faces(fr_environment *e, const fr_mesh *mesh, const fr_pose *given, fr_error *error) {
    const fr_mesh_view *view = fr_mesh_get(mesh);
    fr_pose pose = given != NULL ? *given : fr_pose_identity();
    fr_status status = fr_pose_check(&pose, error);
    if (status != FR_OK) { return status; }
    e->points.count = e->found.count = 0;
    fr_vec3 *points = fr__vec3_array_push(&e->points, view->vertex_count);
    if (points == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the vertices of a mesh"); }
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        points[i] = fr__mesh_position(view, i);
    }
    fr_pose_apply_many(&pose, points, view->vertex_count, points);
    for (uint32_t i = 0; i < view->vertex_count; i++) {
        points[i] = fr_vec3_scale(1.0 / e->voxel, fr_vec3_sub(points[i], e->def.min));
    }
    for (uint32_t i = 0; i < view->triangle_count; i++) {
        const uint32_t *t = view->triangles + 3 * (size_t)i;
        fr_vec3 corners[3] = {points[t[0]], points[t[1]], points[t[2]]};
        voxel_collection f = {&e->found, i};
        if (!fr__triangle_voxels(corners, e->def.depth, find_voxel, &f)) {
            return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the cells of a mesh");
        }
    }
    fr_sort_uint64(e->found.data, e->found.count);
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Changing

static bool member_is_before(const member *m, uint64_t key) { return m->key < key; }

FR_SEARCH_TYPE(find_key, member, uint64_t, member_is_before);

// The place of a key, or where it would stand.
static size_t find_member(const fr_environment *e, uint64_t key, bool *is_there) {
    const member *all = e->members.data;
    size_t at = find_key(all, e->members.count, key);
    *is_there = at < e->members.count && all[at].key == key;
    return at;
}

// What is in one of two sorted lists alone, as edits.
static bool compare_faces(fr_environment *e, const uint64_t *old, size_t old_count, const uint64_t *now,
                          size_t now_count) {
    e->edits.count = 0;
    size_t i = 0, k = 0;
    while (i < old_count || k < now_count) {
        if (i < old_count && k < now_count && old[i] == now[k]) {
            i++;
            k++;
            continue;
        }
        bool is_added = i == old_count || (k < now_count && now[k] < old[i]);
        uint64_t face = is_added ? now[k++] : old[i++];
        fr__cell_edit *edit = fr__cell_edit_array_push(&e->edits, 1);
        if (edit == NULL) { return false; }
        *edit = (fr__cell_edit){(uint32_t)(face >> 32), (uint32_t)face, is_added};
    }
    return true;
}

// Puts new cells in the place of the old.
static void publish(fr_environment *e, fr_cells *cells) {
    while (atomic_flag_test_and_set_explicit(&e->lock, memory_order_acquire)) {}
    fr_cells *old = e->cells;
    e->cells = cells;
    atomic_flag_clear_explicit(&e->lock, memory_order_release);
    fr_cells_release(old);
}

// Gives the object at a place other faces. The list is the member's from now on.
static fr_status replace_faces(fr_environment *e, uint64_t key, const member *old, const uint64_t *faces, size_t count,
                               fr_error *error) {
    uint64_t changed = 0;
    fr_cells *cells = NULL;
    if (compare_faces(e, old != NULL ? old->faces : NULL, old != NULL ? old->count : 0, faces, count)) {
        cells = fr__cells_edit(e->cells, key, e->edits.data, e->edits.count, &changed);
    }
    if (cells == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the cells of an environment"); }
    e->changed = changed;
    publish(e, cells);
    return FR_OK;
}

fr_status fr_environment_set(fr_environment *e, uint64_t key, const fr_mesh *mesh, const fr_pose *pose,
                             fr_error *error) {
    fr_status status = find_faces(e, mesh, pose, error);
    if (status != FR_OK) { return status; }
    bool is_there;
    size_t place = find_member(e, key, &is_there), count = e->found.count;
    uint64_t *faces = fr_allocate(&e->allocator, count, sizeof *faces, 8);
    if ((faces == NULL && count > 0) || !member_array_reserve_more(&e->members, 1)) {
        fr_deallocate(&e->allocator, faces, count, sizeof *faces);
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for an object of an environment");
    }
    if (count > 0) { memcpy(faces, e->found.data, count * sizeof *faces); }
    member *members = e->members.data;
    status = replace_faces(e, key, is_there ? &members[place] : NULL, faces, count, error);
    if (status != FR_OK) {
        fr_deallocate(&e->allocator, faces, count, sizeof *faces);
        return status;
    }
    if (is_there) {
        fr_deallocate(&e->allocator, members[place].faces, members[place].count, sizeof *faces);
    } else {
        memmove(members + place + 1, members + place, (e->members.count - place) * sizeof *members);
        e->members.count++;
    }
    members[place] = (member){key, faces, count};
    return FR_OK;
}

fr_status fr_environment_remove(fr_environment *e, uint64_t key, fr_error *error) {
    bool is_there;
    size_t place = find_member(e, key, &is_there);
    if (!is_there) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "no object of the environment has the key %llu",
                            (unsigned long long)key);
    }
    member *members = e->members.data;
    fr_status status = replace_faces(e, key, &members[place], NULL, 0, error);
    if (status != FR_OK) { return status; }
    fr_deallocate(&e->allocator, members[place].faces, members[place].count, sizeof(uint64_t));
    memmove(members + place, members + place + 1, (e->members.count - place - 1) * sizeof *members);
    e->members.count--;
    return FR_OK;
}

fr_environment_stats fr_environment_get_stats(const fr_environment *e) {
    return (fr_environment_stats){e->members.count, e->cells->cells, e->cells->faces, e->changed};
}

const fr_cells *fr_environment_snapshot(fr_environment *e) {
    while (atomic_flag_test_and_set_explicit(&e->lock, memory_order_acquire)) {}
    fr_cells *cells = e->cells;
    atomic_fetch_add_explicit(&cells->references, 1u, memory_order_relaxed);
    atomic_flag_clear_explicit(&e->lock, memory_order_release);
    return cells;
}
