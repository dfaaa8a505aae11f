// OctoMap's binary files: some lines of text, then two bytes a node, depth first. The pair of bits of a child says
// unknown (0), free (1), occupied (2) or divided (3); children are numbered as ours. A tree is 16 deep, its middle at
// the origin.
#include "octree/octree.h"

#include <string.h>

enum { OCTOMAP_DEPTH = 16 };

typedef struct octomap {
    const uint8_t *bytes;
    size_t size, at;
    int line; // of the text
    fr_octree *tree;
    fr_octomap_info info;
    uint64_t nodes;
    fr_error *error;
} octomap;

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

// An occupied cell: its low corner and edge in voxels, the tree's root at 0.
static fr_status fill_cell(octomap *m, const int64_t low[3], int64_t edge) {
    int64_t n = (int64_t)1 << m->tree->def.depth;
    const int64_t high[3] = {low[0] + edge, low[1] + edge, low[2] + edge};
    for (int a = 0; a < 3; a++) {
        if (low[a] < 0 || high[a] > n) {
            return refuse(m, FR_ERROR_LIMIT, "an occupied cell is outside the root: ask for more depth");
        }
    }
    m->info.occupied++;
    fr_octree_fill(m->tree, low, high, FR_CELL_BLACK);
    return FR_OK;
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
            if (pass == 0 && kind == 1) { m->info.free++; }
            if (pass == 0 && kind == 2) { status = fill_cell(m, at, half); }
            if (pass == 1 && kind == 3) { status = read_node(m, at, half); }
            if (status != FR_OK) { return status; }
        }
    }
    return FR_OK;
}

static fr_status read_tree(octomap *m) {
    int64_t edge = (int64_t)1 << OCTOMAP_DEPTH, half = (int64_t)1 << (m->tree->def.depth - 1);
    const int64_t low[3] = {half - edge / 2, half - edge / 2, half - edge / 2};
    fr_status status = FR_OK;
    if (m->info.node_count > 0) { status = read_node(m, low, edge); }
    if (status != FR_OK) { return status; }
    if (m->at != m->size) { return refuse(m, FR_ERROR_SYNTAX, "the data go on after the tree"); }
    if (m->nodes != m->info.node_count) {
        return refuse(m, FR_ERROR_CORRUPT, "the tree has another number of nodes than the header says");
    }
    return FR_OK;
}

fr_status fr_octree_read_octomap(const fr_octree_def *def, const void *bytes, size_t size, fr_octree **out,
                                 fr_octomap_info *info, fr_error *error) {
    octomap m = {.bytes = bytes, .size = size, .error = error};
    *out = NULL;
    fr_octree_def sized = *def;
    if (def->dimension != 3) { return fr_error_set(error, FR_ERROR_ARGUMENT, "OctoMap's trees have 3 dimensions"); }
    fr_status status = read_header(&m);
    if (status != FR_OK) { return status; }
    sized.edge = ldexp(m.info.resolution, (int)def->depth);
    sized.min = fr_vec3_make(-0.5 * sized.edge, -0.5 * sized.edge, -0.5 * sized.edge);
    status = fr_octree_create(&sized, &m.tree, error);
    if (status == FR_OK) { status = read_tree(&m); }
    if (status != FR_OK) {
        fr_octree_destroy(m.tree);
        return status;
    }
    if (info != NULL) { *info = m.info; }
    *out = m.tree;
    return FR_OK;
}
