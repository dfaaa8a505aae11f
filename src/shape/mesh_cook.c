// A mesh as one piece of bytes (cooked), and back. The bytes are not trusted: the hash only detects damage, and every
// offset, index and box is checked against the triangles.
#include "shape/mesh.h"
#include "shape/tree.h"

#include <string.h>

#define MESH_VERSION 1u

static const char mesh_magic[8] = {'F', 'R', 'M', 'E', 'S', 'H', '\r', '\n'};

static uint64_t hash_piece(const void *block, uint64_t size) {
    size_t begin = offsetof(fr__mesh_header, hash) + sizeof(uint64_t);
    return fr_hash((const unsigned char *)block + begin, (size_t)size - begin, size);
}

// ---------------------------------------------------------------------------------------------------------------
// Writing

static void fill_header(const fr_mesh *mesh, const fr__mesh_layout *layout, size_t tree_bytes,
                        fr__mesh_header *header) {
    const fr_mesh_view *view = &mesh->view;
    memset(header, 0, sizeof *header);
    memcpy(header->magic, mesh_magic, sizeof mesh_magic);
    header->version = MESH_VERSION;
    header->keeps_double = view->positions_double != NULL;
    header->size = layout->end + tree_bytes;
    header->vertex_count = view->vertex_count;
    header->triangle_count = view->triangle_count;
    header->face_count = view->face_count;
    header->degenerate_count = view->degenerate_count;
    header->positions_offset = layout->positions;
    header->triangles_offset = layout->triangles;
    header->faces_offset = layout->faces;
    header->degenerate_offset = layout->degenerate;
    header->tree_offset = layout->end;
    header->tree_bytes = tree_bytes;
    memcpy(header->bounds, &view->bounds, sizeof header->bounds);
    header->largest = view->largest;
    header->rounding = view->rounding;
}

size_t fr_mesh_cook(const fr_mesh *mesh, void *block, size_t size) {
    FR_ASSERT(mesh != NULL && (block != NULL || size == 0));
    const fr_mesh_view *view = &mesh->view;
    fr__mesh_layout layout;
    bool fits = fr__mesh_lay_out(view->vertex_count, view->triangle_count, view->positions_double != NULL,
                                 view->faces != NULL, &layout);
    size_t tree_bytes = fr__tree_block_bytes(mesh->tree);
    FR_ASSERT(fits && layout.end == mesh->arrays_bytes);
    (void)fits;
    size_t needed = layout.end + tree_bytes;
    if (size < needed) { return needed; }

    unsigned char *out = block;
    fr__mesh_header header;
    fill_header(mesh, &layout, tree_bytes, &header);
    memcpy(out, mesh->block, layout.end);
    memcpy(out, &header, sizeof header);
    memcpy(out + layout.end, fr__tree_block(mesh->tree), tree_bytes);
    header.hash = hash_piece(out, header.size);
    memcpy(out, &header, sizeof header);
    return needed;
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

static fr_status refuse(fr_error *error, fr_status status, const char *what) {
    return fr_error_set(error, status, "cooked mesh: %s", what);
}

static fr_status check_header(const void *block, size_t size, fr__mesh_header *header, fr_error *error) {
    if (size < sizeof *header) { return refuse(error, FR_ERROR_SYNTAX, "too short for a header"); }
    memcpy(header, block, sizeof *header);
    if (memcmp(header->magic, mesh_magic, sizeof mesh_magic) != 0) {
        return refuse(error, FR_ERROR_SYNTAX, "does not begin as one");
    }
    if (header->version != MESH_VERSION) {
        return fr_error_set(error, FR_ERROR_VERSION, "cooked mesh: version %u, this library reads %u", header->version,
                            MESH_VERSION);
    }
    if (header->size != size) {
        return fr_error_set(error, FR_ERROR_CORRUPT, "cooked mesh: %llu bytes by its header, %zu are here",
                            (unsigned long long)header->size, size);
    }
    if (header->hash != hash_piece(block, size)) { return refuse(error, FR_ERROR_CORRUPT, "the hash is wrong"); }
    return FR_OK;
}

// The counts allow only one layout, so every offset is checked by computing it again.
static fr_status check_layout(const fr__mesh_header *header, fr__mesh_layout *layout, fr_error *error) {
    bool counts = header->triangle_count >= 1 && header->triangle_count <= FR_MESH_MAX_TRIANGLES &&
                  header->vertex_count <= FR_MESH_MAX_VERTICES && header->keeps_double <= 1;
    bool same = counts &&
                fr__mesh_lay_out(header->vertex_count, header->triangle_count, header->keeps_double == 1,
                                 header->faces_offset != 0, layout) &&
                header->positions_offset == layout->positions && header->triangles_offset == layout->triangles &&
                header->faces_offset == layout->faces && header->degenerate_offset == layout->degenerate &&
                header->tree_offset == layout->end && header->size >= layout->end &&
                header->tree_bytes == header->size - layout->end;
    return same ? FR_OK : refuse(error, FR_ERROR_CORRUPT, "counts and offsets do not agree");
}

static void point_view(const fr__mesh_header *header, const unsigned char *block, fr_mesh *mesh) {
    fr_mesh_view *view = &mesh->view;
    const void *positions = block + header->positions_offset;
    if (header->keeps_double == 1) {
        view->positions_double = positions;
    } else {
        view->positions_float = positions;
    }
    view->vertex_count = header->vertex_count;
    view->triangle_count = header->triangle_count;
    view->triangles = (const void *)(block + header->triangles_offset);
    if (header->faces_offset != 0) { view->faces = (const void *)(block + header->faces_offset); }
    view->rounding = header->rounding;
    mesh->degenerate = (const void *)(block + header->degenerate_offset);
}

// Measures the arrays again and compares with what the piece says of itself.
static fr_status check_arrays(const fr__mesh_header *header, fr_mesh *mesh, fr_error *error) {
    fr_mesh_view *view = &mesh->view;
    size_t words = ((size_t)view->triangle_count + 63) / 64;
    uint64_t *degenerate = fr_allocate(&mesh->allocator, words, sizeof *degenerate, _Alignof(uint64_t));
    if (degenerate == NULL) { return refuse(error, FR_ERROR_MEMORY, "out of memory"); }
    fr_status status = fr__mesh_measure(view, degenerate, NULL, error);
    if (status == FR_OK) {
        bool same = memcmp(degenerate, mesh->degenerate, words * sizeof *degenerate) == 0 &&
                    view->face_count == header->face_count && view->degenerate_count == header->degenerate_count &&
                    memcmp(&view->bounds, header->bounds, sizeof header->bounds) == 0 &&
                    view->largest == header->largest && header->rounding >= 0.0 && isfinite(header->rounding);
        if (!same) { status = refuse(error, FR_ERROR_CORRUPT, "the arrays are not those it describes"); }
    }
    fr_deallocate(&mesh->allocator, degenerate, words, sizeof *degenerate);
    return status;
}

// The tree must be over these triangles: each leaf box is its triangle's, to the bit.
static fr_status check_tree(const fr_mesh *mesh, fr_error *error) {
    const fr_tree *tree = mesh->tree;
    if (tree->header->item_count != mesh->view.triangle_count) {
        return refuse(error, FR_ERROR_CORRUPT, "the tree is over another number of triangles");
    }
    for (uint32_t l = 0; l < tree->header->leaf_count; l++) {
        const fr__tree_leaf *leaf = &tree->leaves[l];
        for (uint32_t i = 0; i < leaf->count; i++) {
            fr_box box = fr__mesh_triangle_box(&mesh->view, leaf->item[i]);
            bool same = box.min.x == leaf->min_x[i] && box.min.y == leaf->min_y[i] && box.min.z == leaf->min_z[i] &&
                        box.max.x == leaf->max_x[i] && box.max.y == leaf->max_y[i] && box.max.z == leaf->max_z[i];
            if (!same) {
                return fr_error_set(error, FR_ERROR_CORRUPT, "cooked mesh: the tree's box of triangle %u is another",
                                    leaf->item[i]);
            }
        }
    }
    return FR_OK;
}

// Points the mesh at its bytes: the caller's, or a copy.
static fr_status take_bytes(const void *block, size_t size, bool in_place, fr_mesh *mesh, fr_error *error) {
    mesh->block = block;
    mesh->block_bytes = size;
    if (in_place) {
        bool aligned = (uintptr_t)block % FR__MESH_ALIGN == 0;
        return aligned ? FR_OK : refuse(error, FR_ERROR_ARGUMENT, "the block is not aligned to 64");
    }
    void *copy = fr_allocate(&mesh->allocator, size, 1, FR__MESH_ALIGN);
    if (copy == NULL) { return refuse(error, FR_ERROR_MEMORY, "out of memory"); }
    memcpy(copy, block, size);
    mesh->block = copy;
    mesh->owns_block = true;
    return FR_OK;
}

static fr_status fill_mesh(const fr__mesh_header *header, const fr__mesh_layout *layout, fr_mesh *mesh,
                           fr_error *error) {
    const unsigned char *bytes = mesh->block;
    mesh->arrays_bytes = layout->end;
    point_view(header, bytes, mesh);
    fr_status status = check_arrays(header, mesh, error);
    if (status != FR_OK) { return status; }
    status = fr__tree_from_block(bytes + header->tree_offset, (size_t)header->tree_bytes, true, &mesh->allocator,
                                 &mesh->tree, error);
    if (status != FR_OK) { return status; }
    mesh->view.tree = mesh->tree;
    return check_tree(mesh, error);
}

fr_status fr_mesh_from_cooked(const void *block, size_t size, bool is_in_place, const fr_allocator *allocator,
                              fr_mesh **out, fr_error *error) {
    FR_ASSERT(block != NULL && out != NULL);
    *out = NULL;
    fr__mesh_header header;
    fr__mesh_layout layout;
    fr_status status = check_header(block, size, &header, error);
    if (status == FR_OK) { status = check_layout(&header, &layout, error); }
    if (status != FR_OK) { return status; }

    fr_allocator chosen = fr_allocator_or_default(allocator);
    fr_mesh *mesh = fr_allocate(&chosen, 1, sizeof *mesh, _Alignof(fr_mesh));
    if (mesh == NULL) { return refuse(error, FR_ERROR_MEMORY, "out of memory"); }
    memset(mesh, 0, sizeof *mesh);
    mesh->allocator = chosen;
    atomic_init(&mesh->references, 1u);

    status = take_bytes(block, size, is_in_place, mesh, error);
    if (status == FR_OK) { status = fill_mesh(&header, &layout, mesh, error); }
    if (status == FR_OK) { status = fr__mesh_border_find(&mesh->view, NULL, &mesh->allocator, &mesh->border, error); }
    if (status == FR_OK) { status = fr__mesh_finish(mesh, NULL, error); }
    if (status != FR_OK) {
        fr_mesh_release(mesh);
        return status;
    }
    *out = mesh;
    return FR_OK;
}
