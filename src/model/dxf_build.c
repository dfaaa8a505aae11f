// From pieces and inserts to parts and nodes. What blocks come to once they are set in is counted first: blocks in
// blocks multiply.
#include "dxf.h"
#include "fureai/base_order.h"
#include "model.h"

#include <string.h>

// Pieces of one container and one layer, which are one part.
typedef struct group {
    uint32_t container, layer, mesh;
    size_t first_piece, piece_end;
} group;

FR_ARRAY_TYPE(group_array, group);

typedef struct dxf_build {
    fr__dxf *dxf;
    group_array groups;                   // by container
    size_t *group_starts, *insert_starts; // of each container, and the end of the last
} dxf_build;

static uint64_t add_up(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }
static uint64_t times(uint64_t a, uint64_t b) { return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b; }

static bool piece_is_before(const fr__dxf_piece *a, const fr__dxf_piece *b) {
    if (a->container != b->container) { return a->container < b->container; }
    return a->layer != b->layer ? a->layer < b->layer : a->first_point < b->first_point;
}

static bool insert_is_before(const fr__dxf_insert *a, const fr__dxf_insert *b) {
    return a->container != b->container ? a->container < b->container : a->at < b->at;
}

FR_SORT_TYPE(sort_pieces, fr__dxf_piece, piece_is_before);
FR_SORT_TYPE(sort_inserts, fr__dxf_insert, insert_is_before);

// `at` is the place of what needs it; NULL: none by itself.
static fr_status no_memory(dxf_build *b, const char *at) {
    char text[FR_ERROR_MESSAGE_BYTES];
    fr_status status = fr__reader_memory_status(b->dxf->reader);
    const char *message = fr__reader_memory_text(b->dxf->reader, text);
    return fr__dxf_fail(b->dxf, status == FR_ERROR_LIMIT ? at : NULL, status, "%s", message);
}

// ---------------------------------------------------------------------------------------------------------------
// Order

static fr_status find_groups(dxf_build *b) {
    fr__dxf *dxf = b->dxf;
    fr__dxf_piece *pieces = dxf->pieces.data;
    sort_pieces(pieces, dxf->pieces.count);
    for (size_t i = 0; i < dxf->pieces.count; i++) {
        group *last = b->groups.count > 0 ? b->groups.data + b->groups.count - 1 : NULL;
        if (last == NULL || last->container != pieces[i].container || last->layer != pieces[i].layer) {
            last = group_array_push(&b->groups, 1);
            if (last == NULL) { return no_memory(b, NULL); }
            *last = (group){pieces[i].container, pieces[i].layer, FR_NONE, i, i};
        }
        last->piece_end = i + 1;
    }
    return FR_OK;
}

// Where each container's groups and inserts begin.
static void find_starts(dxf_build *b) {
    const group *groups = b->groups.data;
    const fr__dxf_insert *inserts = b->dxf->inserts.data;
    size_t next_group = 0, next_insert = 0;
    for (size_t c = 0; c <= b->dxf->blocks.count; c++) {
        while (next_group < b->groups.count && groups[next_group].container < c) {
            next_group++;
        }
        while (next_insert < b->dxf->inserts.count && inserts[next_insert].container < c) {
            next_insert++;
        }
        b->group_starts[c] = next_group;
        b->insert_starts[c] = next_insert;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Sums

static void sum_groups(const dxf_build *b, uint32_t container, fr__dxf_block *block) {
    const group *groups = b->groups.data;
    const fr__dxf_piece *pieces = b->dxf->pieces.data;
    const uint32_t *sizes = b->dxf->sizes.data;
    block->nodes = b->group_starts[container + 1] - b->group_starts[container];
    for (size_t g = b->group_starts[container]; g < b->group_starts[container + 1]; g++) {
        for (size_t i = groups[g].first_piece; i < groups[g].piece_end; i++) {
            block->vertices += pieces[i].point_count;
            for (size_t f = 0; f < pieces[i].face_count; f++) {
                block->triangles += sizes[pieces[i].first_face + f] - 2;
            }
        }
    }
}

// What a container comes to with all that is set into it; its depth is counted, so that the stack is bounded.
static fr_status sum_up(dxf_build *b, uint32_t container, uint32_t depth, const char *at) {
    fr__dxf *dxf = b->dxf;
    fr__dxf_block *blocks = dxf->blocks.data, *block = &blocks[container];
    if (block->state == 2) { return FR_OK; }
    if (block->state == 1) { return fr__dxf_fail(dxf, at, FR_ERROR_CORRUPT, "a block is set into itself"); }
    if (depth > dxf->reader->builder.limits.nesting) {
        return fr__dxf_fail(dxf, at, FR_ERROR_LIMIT, "more than %u blocks in one another, the limit",
                            dxf->reader->builder.limits.nesting);
    }
    block->state = 1;
    sum_groups(b, container, block);
    const fr__dxf_insert *inserts = dxf->inserts.data;
    for (size_t i = b->insert_starts[container]; i < b->insert_starts[container + 1]; i++) {
        const fr__dxf_insert *insert = &inserts[i];
        FR__TRY(sum_up(b, insert->block, depth + 1, insert->at));
        const fr__dxf_block *inner = &blocks[insert->block];
        if (inner->triangles == 0) { continue; }
        uint64_t count = (uint64_t)insert->columns * insert->rows;
        block->nodes = add_up(block->nodes, times(count, add_up(inner->nodes, 1)));
        block->vertices = add_up(block->vertices, times(count, inner->vertices));
        block->triangles = add_up(block->triangles, times(count, inner->triangles));
    }
    block->state = 2;
    return FR_OK;
}

// The insert of the drawing that comes to the most nodes; NULL where there is none.
static const char *find_heaviest(const dxf_build *b) {
    const fr__dxf_insert *inserts = b->dxf->inserts.data;
    const char *at = NULL;
    uint64_t most = 0;
    for (size_t i = b->insert_starts[0]; i < b->insert_starts[1]; i++) {
        uint64_t places = (uint64_t)inserts[i].columns * inserts[i].rows;
        const fr__dxf_block *block = b->dxf->blocks.data + inserts[i].block;
        uint64_t nodes = block->triangles > 0 ? times(places, add_up(block->nodes, 1)) : 0;
        if (nodes <= most) { continue; }
        most = nodes;
        at = inserts[i].at;
    }
    return at;
}

static fr_status check_sums(dxf_build *b) {
    FR__TRY(sum_up(b, 0, 1, NULL));
    const fr__dxf_block *all = b->dxf->blocks.data;
    const char *at = find_heaviest(b);
    const fr_model_limits *limits = &b->dxf->reader->builder.limits;
    const struct {
        const char *what;
        uint64_t count, limit;
    } sums[] = {{"nodes", all->nodes, limits->nodes},
                {"vertices after instancing", all->vertices, limits->placed_vertices},
                {"triangles after instancing", all->triangles, limits->placed_triangles}};
    for (size_t i = 0; i < 3; i++) {
        if (sums[i].count > sums[i].limit) {
            return fr__dxf_fail(b->dxf, at, FR_ERROR_LIMIT, "more than %llu %s, the limit",
                                (unsigned long long)sums[i].limit, sums[i].what);
        }
    }
    // All at once, or not at all: the nodes are the most that instances cost.
    bool has_room =
        all->nodes <= SIZE_MAX && fr__model_node_array_reserve(&b->dxf->reader->builder.nodes, (size_t)all->nodes);
    return has_room ? FR_OK : no_memory(b, at);
}

// ---------------------------------------------------------------------------------------------------------------
// Parts

static bool put_vertex(fr__builder *builder, fr_vec3 p) {
    void *place = fr__builder_vertex(builder);
    if (place == NULL) { return false; }
    const double numbers[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; i++) {
        if (builder->is_double) {
            ((double *)place)[i] = numbers[i];
        } else {
            ((float *)place)[i] = (float)numbers[i];
        }
    }
    return true;
}

static bool add_piece(dxf_build *b, const fr__dxf_piece *piece, size_t first_vertex) {
    const fr__dxf *dxf = b->dxf;
    fr__builder *builder = &dxf->reader->builder;
    const fr_vec3 *points = dxf->points.data + piece->first_point;
    const uint32_t *corner = dxf->corners.data + piece->first_corner;
    const uint32_t *sizes = dxf->sizes.data + piece->first_face;
    uint32_t before = (uint32_t)(builder->positions.count - first_vertex);
    for (uint32_t i = 0; i < piece->point_count; i++) {
        if (!put_vertex(builder, points[i])) { return false; }
    }
    for (uint32_t f = 0; f < piece->face_count; f++) {
        if (!fr__builder_set_id(builder, piece->first_id + f)) { return false; }
        for (uint32_t k = 0; k < sizes[f]; k++) {
            if (!fr__builder_corner(builder, before + *corner++)) { return false; }
        }
        if (!fr__builder_end_face(builder, sizes[f])) { return false; }
    }
    return true;
}

// Coordinates that are wanted as floats may be too large for them.
static fr_status check_floats(dxf_build *b) {
    const fr_vec3 *points = b->dxf->points.data;
    const double max = 3.4028235677973366e38;
    for (size_t i = 0; i < b->dxf->points.count && !b->dxf->reader->builder.is_double; i++) {
        fr_vec3 p = points[i];
        if (p.x > -max && p.x < max && p.y > -max && p.y < max && p.z > -max && p.z < max) { continue; }
        return fr__dxf_fail(b->dxf, NULL, FR_ERROR_NOT_FINITE, "a coordinate is too large for a float");
    }
    return FR_OK;
}

// A part for each layer of each container that is shown.
static fr_status add_parts(dxf_build *b) {
    fr__dxf *dxf = b->dxf;
    fr__builder *builder = &dxf->reader->builder;
    FR__TRY(check_floats(b));
    group *groups = b->groups.data;
    const fr__dxf_block *blocks = dxf->blocks.data;
    const fr__dxf_piece *pieces = dxf->pieces.data;
    for (size_t g = 0; g < b->groups.count; g++) {
        if (blocks[groups[g].container].state != 2) { continue; }
        groups[g].mesh = (uint32_t)builder->parts.count;
        size_t first_vertex = builder->positions.count;
        bool done = fr__builder_begin_part(builder, fr__names_get(&dxf->layers, groups[g].layer));
        for (size_t i = groups[g].first_piece; i < groups[g].piece_end && done; i++) {
            done = add_piece(b, &pieces[i], first_vertex);
        }
        if (!done) { return fr__reader_fail_building(dxf->reader, NULL); }
        FR__TRY(fr__cursor_check_now(&dxf->reader->cursor));
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Nodes

static fr_status add_container(dxf_build *b, uint32_t container, uint32_t parent);

// The matrices of an insert, row by row. A block that is shown many times has them once.
static fr_status make_places(dxf_build *b, fr__dxf_insert *insert) {
    fr__builder *builder = &b->dxf->reader->builder;
    const fr__dxf_block *block = b->dxf->blocks.data + insert->block;
    const double base[12] = {1, 0, 0, -block->base.x, 0, 1, 0, -block->base.y, 0, 0, 1, -block->base.z};
    size_t count = (size_t)insert->columns * insert->rows;
    double *matrix = fr__builder_alloc(builder, count, 12 * sizeof(double), sizeof(double));
    if (matrix == NULL) { return no_memory(b, insert->at); }
    insert->places = matrix;
    for (size_t i = 0; i < count; i++, matrix += 12) {
        if (!fr__builder_goes_on(builder, 8)) { return fr__reader_fail_building(b->dxf->reader, NULL); }
        double column = (double)(i % insert->columns), row = (double)(i / insert->columns);
        memcpy(matrix, insert->matrix, sizeof insert->matrix);
        matrix[3] += column * insert->step_x.x + row * insert->step_y.x;
        matrix[7] += column * insert->step_x.y + row * insert->step_y.y;
        matrix[11] += column * insert->step_x.z + row * insert->step_y.z;
        fr__matrix_multiply(matrix, base, matrix);
        for (int k = 0; k < 12; k++) {
            if (matrix[k] - matrix[k] == 0.0) { continue; }
            return fr__dxf_fail(b->dxf, insert->at, FR_ERROR_NOT_FINITE, "a block is set in beyond all numbers");
        }
    }
    return FR_OK;
}

// A node for each place of an insert, with what its block holds.
static fr_status add_places(dxf_build *b, fr__dxf_insert *insert, uint32_t parent) {
    fr__builder *builder = &b->dxf->reader->builder;
    fr__dxf_block *block = b->dxf->blocks.data + insert->block;
    if (block->name == NULL) {
        block->name = fr__builder_text(builder, fr__names_get(&b->dxf->names, insert->block - 1));
        if (block->name == NULL) { return no_memory(b, insert->at); }
    }
    if (insert->places == NULL) { FR__TRY(make_places(b, insert)); }
    size_t count = (size_t)insert->columns * insert->rows;
    for (size_t i = 0; i < count; i++) {
        fr_model_node node = fr_default_model_node();
        node.name = block->name;
        node.parent = parent;
        node.transform = insert->places + 12 * i;
        uint32_t index = fr__builder_add_node(builder, &node);
        if (index == FR_NONE || !fr__builder_goes_on(builder, 8)) {
            return fr__reader_fail_building(b->dxf->reader, NULL);
        }
        FR__TRY(add_container(b, insert->block, index));
    }
    return FR_OK;
}

// The parts of a container, then what is set into it.
static fr_status add_container(dxf_build *b, uint32_t container, uint32_t parent) {
    fr__builder *builder = &b->dxf->reader->builder;
    const group *groups = b->groups.data;
    fr__dxf_insert *inserts = b->dxf->inserts.data;
    for (size_t g = b->group_starts[container]; g < b->group_starts[container + 1]; g++) {
        fr_model_node node = fr_default_model_node();
        node.name = builder->parts.data[groups[g].mesh].name;
        node.parent = parent;
        node.mesh = groups[g].mesh;
        if (fr__builder_add_node(builder, &node) == FR_NONE) { return fr__reader_fail_building(b->dxf->reader, NULL); }
    }
    for (size_t i = b->insert_starts[container]; i < b->insert_starts[container + 1]; i++) {
        // Blocks of lines and texts alone give no node.
        if (b->dxf->blocks.data[inserts[i].block].triangles > 0) { FR__TRY(add_places(b, &inserts[i], parent)); }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// All

// Why there is no polygon.
static fr_status refuse(fr__dxf *dxf) {
    if (dxf->solids > 0) {
        return fr__dxf_fail(dxf, dxf->solid_at, FR_ERROR_UNSUPPORTED,
                            "its solids (%llu) are ACIS data, which is not read; export them as meshes",
                            (unsigned long long)dxf->solids);
    }
    if (dxf->drawn > 0) {
        return fr__dxf_fail(dxf, dxf->drawn_at, FR_ERROR_UNSUPPORTED,
                            "this is a drawing (%llu lines, texts and the like) without a face",
                            (unsigned long long)dxf->drawn);
    }
    return fr__dxf_fail(dxf, NULL, FR_ERROR_UNSUPPORTED, "this drawing is empty: it has no face");
}

static fr_status build_all(dxf_build *b) {
    FR__TRY(find_groups(b));
    find_starts(b);
    FR__TRY(check_sums(b));
    const fr__dxf_block *all = b->dxf->blocks.data;
    if (all->triangles == 0) { return refuse(b->dxf); }
    if (b->dxf->solids > 0) {
        fr__reader_warn(b->dxf->reader, b->dxf->is_binary ? NULL : b->dxf->solid_at,
                        "solids (%llu) of ACIS data are passed over", (unsigned long long)b->dxf->solids);
    }
    fr__builder_set_double(&b->dxf->reader->builder, b->dxf->reader->precision != FR_MODEL_FLOAT);
    FR__TRY(add_parts(b));
    return add_container(b, 0, FR_NONE);
}

fr_status fr__dxf_build(fr__dxf *dxf) {
    const fr_allocator *allocator = &dxf->reader->builder.allocator;
    size_t count = dxf->blocks.count + 1;
    dxf_build b = {.dxf = dxf, .groups = group_array_make(allocator)};
    b.group_starts = fr_allocate(allocator, count, sizeof(size_t), sizeof(size_t));
    b.insert_starts = fr_allocate(allocator, count, sizeof(size_t), sizeof(size_t));
    sort_inserts(dxf->inserts.data, dxf->inserts.count);
    fr_status status = b.group_starts != NULL && b.insert_starts != NULL ? build_all(&b) : no_memory(&b, NULL);
    fr_deallocate(allocator, b.group_starts, count, sizeof(size_t));
    fr_deallocate(allocator, b.insert_starts, count, sizeof(size_t));
    group_array_destroy(&b.groups);
    return status;
}
