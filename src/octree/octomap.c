// OctoMap's binary files: some lines of text, then two bytes a node, depth first. The pair of bits of a child says
// unknown (0), free (1), occupied (2) or divided (3); children are numbered as ours. A tree is 16 deep, its middle at
// the origin. It is walked twice: to check it and find out where it is occupied, then to fill a tree of ours that lies
// there.
#include "octree/octree.h"

#include <string.h>

#define OCTOMAP_INPUT_COOKIE 0x4f435442u

enum { OCTOMAP_DEPTH = 16 };

// Coordinates are OctoMap's cells of depth 16, from the origin.
typedef struct octomap {
    const uint8_t *bytes;
    size_t size, at;
    int line; // of the text
    fr_octomap_info info;
    uint64_t nodes;
    int64_t low[3], high[3]; // of all that is occupied
    int64_t root[3];         // low corner of the tree's root
    fr_octree *tree;         // to be filled; NULL in the first walk
    fr_error *error;
} octomap;

fr_octomap_input fr_default_octomap_input(void) { return (fr_octomap_input){.cookie = OCTOMAP_INPUT_COOKIE}; }

static fr_status refuse(const octomap *m, fr_status status, const char *what) {
    fr_error_set(m->error, status, "%s", what);
    fr_error_locate(m->error, NULL, m->line, 0);
    return status;
}

// The next line without its end; false when there is none.
static bool next_line(octomap *m, const char **text, size_t *length) {
    const uint8_t *end = m->at < m->size ? memchr(m->bytes + m->at, '\n', m->size - m->at) : NULL;
    if (end == NULL) { return false; }
    *text = (const char *)m->bytes + m->at;
    *length = (size_t)(end - (m->bytes + m->at));
    m->at += *length + 1;
    m->line++;
    if (*length > 0 && (*text)[*length - 1] == '\r') { (*length)--; }
    return true;
}

// What stands after a word and a blank; NULL where the line begins otherwise.
static const char *after(const char *text, size_t length, const char *word) {
    size_t n = strlen(word);
    return length > n && memcmp(text, word, n) == 0 && text[n] == ' ' ? text + n + 1 : NULL;
}

static fr_status read_field(octomap *m, const char *text, size_t length, bool *has_id) {
    const char *end = text + length, *value;
    int64_t whole;
    if ((value = after(text, length, "id")) != NULL) {
        *has_id = (size_t)(end - value) == 6 && memcmp(value, "OcTree", 6) == 0;
        if (!*has_id) { return refuse(m, FR_ERROR_UNSUPPORTED, "only maps with the id OcTree are read"); }
    } else if ((value = after(text, length, "size")) != NULL) {
        if (!fr_number_read_whole(&value, end, &whole) || value != end || whole < 0) {
            return refuse(m, FR_ERROR_SYNTAX, "the size is no whole number");
        }
        m->info.node_count = (uint64_t)whole;
    } else if ((value = after(text, length, "res")) != NULL) {
        double *resolution = &m->info.resolution;
        if (fr_number_read(&value, end, resolution) != FR_NUMBER_OK || value != end || *resolution < 1e-100 ||
            *resolution > 1e60) {
            return refuse(m, FR_ERROR_SYNTAX, "the resolution is no length");
        }
    } else {
        return refuse(m, FR_ERROR_SYNTAX, "a line of the header is none of id, size, res, data");
    }
    return FR_OK;
}

static fr_status read_header(octomap *m) {
    static const char first[] = "# Octomap OcTree binary file";
    const char *text;
    size_t length;
    bool has_id = false;
    if (!next_line(m, &text, &length) || length < sizeof first - 1 || memcmp(text, first, sizeof first - 1) != 0) {
        return refuse(m, FR_ERROR_SYNTAX, "the first line is not that of an OctoMap binary file");
    }
    while (next_line(m, &text, &length)) {
        if (length == 0 || text[0] == '#') { continue; }
        if (length == 4 && memcmp(text, "data", 4) == 0) {
            if (!has_id) { return refuse(m, FR_ERROR_SYNTAX, "the header has no id"); }
            if (m->info.resolution == 0.0) { return refuse(m, FR_ERROR_SYNTAX, "the header has no resolution"); }
            m->line = 0;
            return FR_OK;
        }
        fr_status status = read_field(m, text, length, &has_id);
        if (status != FR_OK) { return status; }
    }
    return refuse(m, FR_ERROR_SYNTAX, "the header has no line data");
}

// An occupied cell: counted, then filled. A voxel of the tree is black that holds any of it.
static void take_cell(octomap *m, const int64_t low[3], int64_t edge) {
    if (m->tree == NULL) {
        for (int a = 0; a < 3; a++) {
            bool is_first = m->info.occupied == 0;
            m->low[a] = is_first || low[a] < m->low[a] ? low[a] : m->low[a];
            m->high[a] = is_first || low[a] + edge > m->high[a] ? low[a] + edge : m->high[a];
        }
        m->info.occupied++;
        return;
    }
    int64_t voxel = (int64_t)1 << m->info.level, from[3], to[3];
    for (int a = 0; a < 3; a++) {
        from[a] = (low[a] - m->root[a]) / voxel;
        to[a] = (low[a] + edge - m->root[a] + voxel - 1) / voxel;
    }
    fr_octree_fill(m->tree, from, to, FR_CELL_BLACK);
}

// Reads the node at `low`, `edge` voxels wide, whose children are half as wide.
static fr_status read_node(octomap *m, const int64_t low[3], int64_t edge) {
    if (m->size - m->at < 2) { return refuse(m, FR_ERROR_SYNTAX, "the data end inside the tree"); }
    if (edge == 1) { return refuse(m, FR_ERROR_SYNTAX, "the tree is deeper than 16"); }
    uint32_t kinds = m->bytes[m->at] | (uint32_t)m->bytes[m->at + 1] << 8;
    m->at += 2;
    m->nodes++;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t c = 0; c < 8; c++) {
            uint32_t kind = kinds >> 2 * c & 3u;
            int64_t half = edge / 2;
            const int64_t at[3] = {low[0] + (c & 1 ? half : 0), low[1] + (c & 2 ? half : 0),
                                   low[2] + (c & 4 ? half : 0)};
            fr_status status = FR_OK;
            if (pass == 0 && kind != 0 && kind != 3) { m->nodes++; }
            if (pass == 0 && kind == 1 && m->tree == NULL) { m->info.free++; }
            if (pass == 0 && kind == 2) { take_cell(m, at, half); }
            if (pass == 1 && kind == 3) { status = read_node(m, at, half); }
            if (status != FR_OK) { return status; }
        }
    }
    return FR_OK;
}

static fr_status walk(octomap *m) {
    const int64_t edge = (int64_t)1 << OCTOMAP_DEPTH, low[3] = {-edge / 2, -edge / 2, -edge / 2};
    fr_status status = FR_OK;
    m->nodes = 0;
    if (m->info.node_count > 0) { status = read_node(m, low, edge); }
    if (status != FR_OK) { return status; }
    if (m->at != m->size) { return refuse(m, FR_ERROR_SYNTAX, "the data go on after the tree"); }
    if (m->nodes != m->info.node_count) {
        return refuse(m, FR_ERROR_CORRUPT, "the tree has another number of nodes than the header says");
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// The root

static int64_t multiple_below(int64_t x, int64_t step) { return (x >= 0 ? x : x - step + 1) / step * step; }

// Whether all that is occupied fits a root of 2^depth voxels of that level, and where the root lies then.
static bool place_root(octomap *m, bool is_about_origin, uint32_t depth, uint32_t level) {
    int64_t voxel = (int64_t)1 << level, edge = voxel << depth;
    bool fits = false;
    // The largest step that lets the cells fit keeps most of OctoMap's cells whole.
    for (int64_t step = is_about_origin ? voxel : edge; step >= voxel && !fits; step /= 2) {
        fits = true;
        for (int a = 0; a < 3; a++) {
            m->root[a] = is_about_origin ? -edge / 2 : multiple_below(m->low[a], step);
            fits = fits && m->low[a] >= m->root[a] && m->high[a] <= m->root[a] + edge;
        }
    }
    return fits;
}

// Chooses depth, level and root; `depth` is 0 where it is free.
static fr_status choose_root(octomap *m, const fr_octomap_input *input, uint32_t *depth) {
    uint32_t fitting = 1;
    while (fitting <= OCTOMAP_DEPTH && !place_root(m, input->is_about_origin, fitting, 0)) {
        fitting++;
    }
    if (*depth == 0) { *depth = fitting < FR_OCTREE_MAX_DEPTH ? fitting : FR_OCTREE_MAX_DEPTH; }
    if (fitting > *depth && !input->may_prune) {
        fr_error_set(m->error, FR_ERROR_LIMIT,
                     "the occupied cells need a depth of %u, the tree has %u; prune it to take wider voxels",
                     (unsigned)fitting, (unsigned)*depth);
        return FR_ERROR_LIMIT;
    }
    m->info.level = 0;
    while (!place_root(m, input->is_about_origin, *depth, m->info.level)) {
        m->info.level++;
    }
    return FR_OK;
}

fr_status fr_octree_read_octomap(const fr_octomap_input *input, fr_octree **out, fr_octomap_info *info,
                                 fr_error *error) {
    *out = NULL;
    if (input->cookie != OCTOMAP_INPUT_COOKIE) { return fr_error_set_cookie(error, "fr_default_octomap_input"); }
    octomap m = {.bytes = input->bytes, .size = input->size, .error = error};
    fr_octree_def def = fr_default_octree_def();
    def.depth = input->depth;
    def.allocator = input->allocator;
    if (def.depth > FR_OCTREE_MAX_DEPTH) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the depth %u is over %d", (unsigned)def.depth,
                            FR_OCTREE_MAX_DEPTH);
    }
    fr_status status = read_header(&m);
    size_t data = m.at;
    if (status == FR_OK) { status = walk(&m); }
    if (status == FR_OK) { status = choose_root(&m, input, &def.depth); }
    if (status != FR_OK) { return status; }
    double cell = m.info.resolution;
    def.edge = ldexp(cell, (int)(def.depth + m.info.level));
    def.min = fr_vec3_make((double)m.root[0] * cell, (double)m.root[1] * cell, (double)m.root[2] * cell);
    status = fr_octree_create(&def, &m.tree, error);
    m.at = data;
    if (status == FR_OK) { status = walk(&m); }
    FR_ASSERT(m.tree == NULL || status == FR_OK); // the first walk found nothing wrong
    if (info != NULL && status == FR_OK) { *info = m.info; }
    *out = m.tree;
    return status;
}
