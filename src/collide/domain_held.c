// The faces that a rank holds, as a space of its own: objects with the numbers, poses and motions of the whole ones,
// and parts that have the faces which were sent here.
#include "collide/domain.h"

#include "fureai/base_order.h"

#include <string.h>

// A block that was received, and its faces.
typedef struct received {
    fr__domain_block head;
    const unsigned char *faces;
} received;

FR_ARRAY_TYPE(received_array, received);

static bool received_is_before(const received *a, const received *b) {
    return a->head.number != b->head.number ? a->head.number < b->head.number : a->head.part < b->head.part;
}
FR_SORT_TYPE(sort_received, received, received_is_before);

static bool object_is_before(const fr__domain_object *object, uint32_t number) { return object->number < number; }
FR_SEARCH_TYPE(find_object, fr__domain_object, uint32_t, object_is_before);

const fr__domain_object *fr__domain_object_of(const fr_domain *domain, uint32_t number) {
    size_t i = find_object(domain->objects.data, domain->objects.count, number);
    return i < domain->objects.count && domain->objects.data[i].number == number ? &domain->objects.data[i] : NULL;
}

// ---------------------------------------------------------------------------------------------------------------
// What was received

// Takes the blocks that a rank sent.
static fr_status take_blocks(const fr_domain *domain, const unsigned char *bytes, size_t size, received_array *out) {
    while (size > 0) {
        received block;
        if (size < sizeof block.head) { return FR_ERROR_CORRUPT; }
        memcpy(&block.head, bytes, sizeof block.head);
        block.faces = bytes + sizeof block.head;
        size -= sizeof block.head;
        if (block.head.kind > FR__DOMAIN_STRAIGHT || block.head.face_count == 0) { return FR_ERROR_CORRUPT; }
        size_t each = fr__domain_face_bytes(block.head.kind);
        if (block.head.face_count > size / each) { return FR_ERROR_CORRUPT; }
        if (fr__domain_object_of(domain, block.head.number) == NULL) { return FR_ERROR_CORRUPT; }
        size_t faces = each * block.head.face_count;
        bytes = block.faces + faces;
        size -= faces;
        received *place = received_array_push(out, 1);
        if (place == NULL) { return FR_ERROR_MEMORY; }
        *place = block;
    }
    return FR_OK;
}

static fr_status take_all(const fr__domain_run *run, const fr_gathered *gathered, received_array *out) {
    fr_status status = FR_OK;
    for (uint32_t r = 0; r < fr__domain_rank_count(run->input) && status == FR_OK; r++) {
        size_t begin = r > 0 ? gathered->ends[r - 1] : 0, size = gathered->ends[r] - begin;
        if (size > 0) { status = take_blocks(run->domain, gathered->bytes + begin, size, out); }
    }
    sort_received(out->data, out->count);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Meshes

// The arrays of one mesh while it is made.
typedef struct mesh_arrays {
    float *floats;
    double *doubles;
    uint32_t *corners, *polygons;
    size_t count; // of faces
} mesh_arrays;

static bool make_arrays(const fr_allocator *allocator, uint32_t kind, size_t count, mesh_arrays *out) {
    *out = (mesh_arrays){.count = count,
                         .corners = fr_allocate(allocator, 3 * count, sizeof *out->corners, 16),
                         .polygons = fr_allocate(allocator, count, sizeof *out->polygons, 16)};
    if (kind == FR__DOMAIN_FLOAT) {
        out->floats = fr_allocate(allocator, 9 * count, sizeof *out->floats, 16);
    } else {
        out->doubles = fr_allocate(allocator, 9 * count, sizeof *out->doubles, 16);
    }
    return out->corners != NULL && out->polygons != NULL && (out->floats != NULL || out->doubles != NULL);
}

static void free_arrays(const fr_allocator *allocator, mesh_arrays *arrays) {
    fr_deallocate(allocator, arrays->corners, 3 * arrays->count, sizeof *arrays->corners);
    fr_deallocate(allocator, arrays->polygons, arrays->count, sizeof *arrays->polygons);
    fr_deallocate(allocator, arrays->floats, 9 * arrays->count, sizeof *arrays->floats);
    fr_deallocate(allocator, arrays->doubles, 9 * arrays->count, sizeof *arrays->doubles);
}

// Writes the faces of a block into arrays and into what the domain knows of each.
static void read_faces(const received *block, const mesh_arrays *arrays, uint32_t *triangles, fr__domain_low *lows) {
    size_t each = fr__domain_face_bytes(block->head.kind);
    for (size_t i = 0; i < arrays->count; i++) {
        fr__domain_sent_face sent;
        const unsigned char *from = block->faces + i * each;
        memcpy(&sent, from, sizeof sent);
        triangles[i] = sent.triangle;
        lows[i] = sent.low;
        arrays->polygons[i] = sent.polygon;
        if (arrays->floats != NULL) {
            memcpy(arrays->floats + 9 * i, from + sizeof sent, 9 * sizeof(float));
        } else {
            memcpy(arrays->doubles + 9 * i, from + sizeof sent, 9 * sizeof(double));
        }
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            arrays->corners[k] = (uint32_t)k;
        }
    }
}

// Makes the mesh of a block. A failure of the whole's memory is one of the rank's.
static fr_status make_mesh(fr__domain_run *run, const received *block, fr_mesh **out, fr_error *error) {
    fr_domain *domain = run->domain;
    mesh_arrays arrays;
    size_t count = block->head.face_count;
    uint32_t *triangles = fr_uint32_array_push(&domain->triangles, count);
    fr__domain_low *lows = fr__domain_low_array_push(&domain->lows, count);
    fr_status status = FR_ERROR_MEMORY;
    bool has_room = count <= FR_MESH_MAX_TRIANGLES && triangles != NULL && lows != NULL;
    if (make_arrays(&domain->allocator, block->head.kind, count, &arrays) && has_room) {
        read_faces(block, &arrays, triangles, lows);
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_float = arrays.floats;
        def.positions_double = arrays.doubles;
        def.is_double = arrays.doubles != NULL;
        def.vertex_count = (uint32_t)(3 * count);
        def.triangles = arrays.corners;
        def.triangle_count = (uint32_t)count;
        def.faces = arrays.polygons;
        def.tasks = run->input->tasks;
        def.allocator = domain->allocator;
        status = fr_mesh_create(&def, out, error);
        if (status == FR_ERROR_NOT_FINITE) { status = FR_ERROR_LIMIT; } // beyond the floats' range
    }
    free_arrays(&domain->allocator, &arrays);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Objects

static fr_status move_object(fr_domain *domain, fr_object_id id, const fr__domain_object *report, fr_error *error) {
    fr_status status = fr_object_set_pose(domain->space, id, &report->pose, error);
    if (status == FR_OK && report->is_moving != 0) {
        status = fr_object_set_motion(domain->space, id, &report->motion, &report->next, error);
    }
    return status;
}

// The vertices at the end of the step, of an object whose parts go straight.
static fr_status set_end(fr_domain *domain, fr_object_id id, const received *blocks, size_t block_count,
                         fr_error *error) {
    size_t faces = 0, each = fr__domain_face_bytes(FR__DOMAIN_STRAIGHT), at = 0;
    for (size_t i = 0; i < block_count; i++) {
        faces += blocks[i].head.face_count;
    }
    fr_vec3 *vertices = fr_allocate(&domain->allocator, 3 * faces, sizeof *vertices, 16);
    if (vertices == NULL) { return FR_ERROR_MEMORY; }
    for (size_t i = 0; i < block_count; i++) {
        for (uint32_t k = 0; k < blocks[i].head.face_count; k++, at += 3) {
            const unsigned char *end = blocks[i].faces + (k + 1) * each - 9 * sizeof(double);
            memcpy(vertices + at, end, 9 * sizeof(double));
        }
    }
    fr_status status = fr_object_set_next_vertices(domain->space, id, vertices, (uint32_t)(3 * faces), error);
    fr_deallocate(&domain->allocator, vertices, 3 * faces, sizeof *vertices);
    return status;
}

static fr_status add_object(fr_domain *domain, const fr__domain_object *report, const fr_part_def *parts,
                            const received *blocks, size_t block_count, fr_error *error) {
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = (uint32_t)block_count;
    def.pose = report->pose;
    def.pivot_local = report->pivot_local;
    def.filter = report->filter;
    def.flags = report->flags;
    fr__domain_held *held = &domain->held.data[domain->held.count - 1];
    fr_status status = fr_object_add(domain->space, &def, &held->id, error);
    if (status == FR_OK) { status = move_object(domain, held->id, report, error); }
    bool is_straight = blocks[0].head.kind == FR__DOMAIN_STRAIGHT;
    return status == FR_OK && is_straight ? set_end(domain, held->id, blocks, block_count, error) : status;
}

// Makes the object that some blocks are of.
static fr_status hold_object(fr__domain_run *run, const received *blocks, size_t block_count, fr_error *error) {
    fr_domain *domain = run->domain;
    fr__domain_held *held = fr__domain_held_array_push(&domain->held, 1);
    fr_part_def *parts = fr_allocate(&domain->allocator, block_count, sizeof *parts, 16);
    fr_mesh **meshes = fr_allocate(&domain->allocator, block_count, sizeof *meshes, 16);
    uint32_t first_part = (uint32_t)domain->parts.count;
    uint32_t *numbers = fr_uint32_array_push(&domain->parts, block_count);
    fr_status status = FR_ERROR_MEMORY;
    size_t made = 0;
    if (held != NULL && parts != NULL && meshes != NULL && numbers != NULL) {
        *held = (fr__domain_held){
            .number = blocks[0].head.number, .first_face = domain->triangles.count, .first_part = first_part};
        status = FR_OK;
        for (; made < block_count && status == FR_OK; made += status == FR_OK) {
            status = make_mesh(run, &blocks[made], &meshes[made], error);
            if (status != FR_OK) { break; }
            parts[made] = fr_default_part_def();
            parts[made].mesh = meshes[made];
            parts[made].pose = blocks[made].head.pose;
            numbers[made] = blocks[made].head.part;
        }
    }
    if (status == FR_OK) {
        const fr__domain_object *report = fr__domain_object_of(domain, held->number);
        status = add_object(domain, report, parts, blocks, block_count, error);
    }
    for (size_t i = 0; i < made; i++) {
        fr_mesh_release(meshes[i]);
    }
    fr_deallocate(&domain->allocator, parts, block_count, sizeof *parts);
    fr_deallocate(&domain->allocator, meshes, block_count, sizeof *meshes);
    return status;
}

static void count_home(fr__domain_run *run) {
    fr_domain *domain = run->domain;
    uint32_t rank = fr__domain_rank(run->input);
    run->stats.held_faces = domain->triangles.count;
    run->stats.home_faces = 0;
    for (size_t i = 0; i < domain->lows.count; i++) {
        run->stats.home_faces += fr__domain_rank_of(&domain->cut, fr__domain_code(domain->lows.data[i])) == rank;
    }
}

fr_status fr__domain_hold(fr__domain_run *run, const fr_gathered *gathered, fr_error *error) {
    fr_domain *domain = run->domain;
    fr_space_destroy(domain->space);
    domain->space = NULL;
    domain->held.count = domain->parts.count = domain->triangles.count = domain->lows.count = 0;
    fr_space_def def = fr_default_space_def();
    def.allocator = domain->allocator;
    def.origin = fr_bounds_is_empty(&run->bounds) ? def.origin : fr_bounds_center(&run->bounds);
    fr_status status = fr_space_create(&def, &domain->space, error);
    received_array blocks = received_array_make(&domain->allocator);
    if (status == FR_OK) { status = take_all(run, gathered, &blocks); }
    for (size_t i = 0, end; i < blocks.count && status == FR_OK; i = end) {
        for (end = i; end < blocks.count && blocks.data[end].head.number == blocks.data[i].head.number;) {
            end++;
        }
        status = hold_object(run, &blocks.data[i], end - i, error);
    }
    received_array_destroy(&blocks);
    if (status == FR_OK) { status = fr_space_update(domain->space, run->input->tasks, error); }
    count_home(run);
    return status;
}

fr_status fr__domain_follow(fr__domain_run *run, fr_error *error) {
    fr_domain *domain = run->domain;
    fr_status status = FR_OK;
    for (size_t i = 0; i < domain->held.count && status == FR_OK; i++) {
        const fr__domain_object *report = fr__domain_object_of(domain, domain->held.data[i].number);
        if (report == NULL) { return FR_ERROR_CORRUPT; }
        fr_object_id id = domain->held.data[i].id;
        status = move_object(domain, id, report, error);
        // Filters and flags may have been set since.
        const fr_object_view *view = fr_object_get(domain->space, id);
        if (status == FR_OK && view->flags != report->flags) {
            status = fr_object_set_flags(domain->space, id, report->flags, error);
        }
        if (status == FR_OK) { status = fr_object_set_filter(domain->space, id, report->filter, error); }
    }
    if (status == FR_OK) { status = fr_space_update(domain->space, run->input->tasks, error); }
    count_home(run);
    return status;
}
