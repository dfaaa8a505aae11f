#include "failing.h"
#include "solids.h"

#include <string.h>

static const char head[] = "# Octomap OcTree binary file\n# made by hand\n#\nid OcTree\nsize %d\nres %s\ndata\n";

// A file with the nodes given as pairs of bytes.
static size_t make_file(uint8_t *out, int nodes, const char *resolution, const uint8_t *data, size_t size) {
    int length = snprintf((char *)out, 200, head, nodes, resolution);
    if (size > 0) { memcpy(out + length, data, size); }
    return (size_t)length + size;
}

static fr_octomap_input map_of(uint32_t depth, const uint8_t *bytes, size_t size) {
    fr_octomap_input input = fr_default_octomap_input();
    input.bytes = bytes;
    input.size = size;
    input.depth = depth;
    return input;
}

// A root about the origin.
static fr_status read_file(uint32_t depth, const uint8_t *bytes, size_t size, fr_octree **out, fr_octomap_info *info,
                           fr_error *error) {
    fr_octomap_input input = map_of(depth, bytes, size);
    input.is_about_origin = true;
    return fr_octree_read_octomap(&input, out, info, error);
}

// The way from the root of depth 16 to a voxel of level `level` just above the origin on all axes: child 7 once, then
// child 0, the last of which is `kind`.
static size_t way_to_origin(uint8_t *data, int level, uint8_t kind) {
    size_t size = 0;
    for (int l = 15; l >= level; l--) {
        uint32_t child = l == 15 ? 7 : 0;
        uint32_t pair = (l == level ? kind : 3u) << 2 * child;
        data[size++] = (uint8_t)pair;
        data[size++] = (uint8_t)(pair >> 8);
    }
    return size;
}

static void an_occupied_cell_is_black_where_it_belongs(void **state) {
    (void)state;
    uint8_t file[400], data[64];
    for (int level = 0; level <= 4; level++) {
        size_t size = way_to_origin(data, level, 2);
        size_t bytes = make_file(file, (int)size / 2 + 1, "0.25", data, size);
        fr_octree *tree;
        fr_octomap_info info;
        fr_error error;
        assert_int_equal(read_file(6, file, bytes, &tree, &info, &error), FR_OK);
        fr_octree_counts counts = fr_octree_count(tree);
        assert_int_equal(counts.black, 1);
        assert_int_equal(counts.black_voxels, 1 << 3 * level);
        assert_int_equal(info.occupied, 1);
        assert_int_equal(info.free, 0);
        assert_true(info.resolution == 0.25);
        assert_int_equal(fr_octree_at(tree, fr_vec3_make(0.1, 0.1, 0.1)), FR_CELL_BLACK);
        assert_int_equal(fr_octree_at(tree, fr_vec3_make(-0.1, 0.1, 0.1)), FR_CELL_WHITE);
        double edge = 0.25 * (1 << level);
        assert_int_equal(fr_octree_at(tree, fr_vec3_make(edge - 0.01, 0.0, 0.0)), FR_CELL_BLACK);
        assert_int_equal(fr_octree_at(tree, fr_vec3_make(edge + 0.01, 0.0, 0.0)), FR_CELL_WHITE);
        fr_octree_destroy(tree);
    }
}

static void free_cells_are_white_and_counted(void **state) {
    (void)state;
    // The root has a free child 0 and an occupied child 7, both far larger than any root of ours.
    const uint8_t data[2] = {1, 2 << 6};
    uint8_t file[400];
    size_t bytes = make_file(file, 3, "1", data, 2);
    fr_octree *tree;
    fr_error error;
    assert_int_equal(read_file(5, file, bytes, &tree, NULL, &error), FR_ERROR_LIMIT);
    assert_null(tree);
    const uint8_t only_free[2] = {1, 0};
    fr_octomap_info info;
    bytes = make_file(file, 2, "1", only_free, 2);
    assert_int_equal(read_file(5, file, bytes, &tree, &info, &error), FR_OK);
    assert_int_equal(info.free, 1);
    assert_int_equal(fr_octree_count(tree).black, 0);
    fr_octree_destroy(tree);
}

// A path of divided nodes to one occupied voxel at (x, y, z) from the origin; returns its bytes.
static size_t path_to_voxel(uint8_t *data, int x, int y, int z) {
    size_t size = 0;
    uint32_t at[3] = {(uint32_t)(x + 32768), (uint32_t)(y + 32768), (uint32_t)(z + 32768)};
    for (int l = 15; l >= 0; l--) {
        uint32_t child = (at[0] >> l & 1) | (at[1] >> l & 1) << 1 | (at[2] >> l & 1) << 2;
        uint32_t pair = (l == 0 ? 2u : 3u) << 2 * child;
        data[size++] = (uint8_t)pair;
        data[size++] = (uint8_t)(pair >> 8);
    }
    return size;
}

// Any voxel of the 2^48 opens, with a root about it that needs one level.
static void a_voxel_anywhere_opens(void **state) {
    (void)state;
    static const int places[][3] = {{0, 0, 0}, {-1, -1, -1}, {32767, -32768, 5}, {12345, -23456, 31000}};
    uint8_t file[400], data[64];
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int *p = places[i];
        size_t size = path_to_voxel(data, p[0], p[1], p[2]), bytes = make_file(file, 17, "0.5", data, size);
        for (uint32_t depth = 0; depth <= 9; depth += 3) {
            fr_octomap_input input = map_of(depth, file, bytes);
            fr_octree *tree;
            fr_octomap_info info;
            fr_error error;
            assert_int_equal(fr_octree_read_octomap(&input, &tree, &info, &error), FR_OK);
            assert_int_equal(fr_octree_count(tree).black_voxels, 1);
            assert_int_equal(fr_octree_get_def(tree).depth, depth > 0 ? depth : 1);
            assert_int_equal(info.level, 0);
            fr_vec3 middle = fr_vec3_make(0.5 * p[0] + 0.25, 0.5 * p[1] + 0.25, 0.5 * p[2] + 0.25);
            assert_int_equal(fr_octree_at(tree, middle), FR_CELL_BLACK);
            middle.x += 0.5;
            assert_int_equal(fr_octree_at(tree, middle), FR_CELL_WHITE);
            fr_octree_destroy(tree);
        }
    }
}

// Cells that are farther apart than the depth reaches are refused, or pruned: every occupied place stays black.
static void what_does_not_fit_is_pruned_on_request(void **state) {
    (void)state;
    uint8_t file[400], data[128];
    // Two voxels at opposite corners of the map: children 0 and 7 of the root, then 0 and 7 all the way.
    size_t size = 0;
    data[size++] = 3;
    data[size++] = 3 << 6;
    for (int c = 0; c < 2; c++) {
        for (int l = 14; l >= 0; l--) {
            uint32_t pair = (l == 0 ? 2u : 3u) << (c == 0 ? 0 : 14);
            data[size++] = (uint8_t)pair;
            data[size++] = (uint8_t)(pair >> 8);
        }
    }
    size_t bytes = make_file(file, 33, "0.25", data, size);
    for (uint32_t depth = 0; depth <= 9; depth += 3) {
        fr_octomap_input input = map_of(depth, file, bytes);
        fr_octree *tree;
        fr_octomap_info info;
        fr_error error;
        assert_int_equal(fr_octree_read_octomap(&input, &tree, &info, &error), FR_ERROR_LIMIT);
        assert_null(tree);
        assert_non_null(strstr(error.message, "need a depth of 16"));
        input.may_prune = true;
        assert_int_equal(fr_octree_read_octomap(&input, &tree, &info, &error), FR_OK);
        uint32_t used = depth > 0 ? depth : 9;
        assert_int_equal(fr_octree_get_def(tree).depth, used);
        assert_int_equal(info.level, 16 - used);
        assert_int_equal(info.occupied, 2);
        assert_int_equal(fr_octree_count(tree).black_voxels, 2);
        assert_int_equal(fr_octree_at(tree, fr_vec3_make(-8192.0, -8192.0, -8192.0)), FR_CELL_BLACK);
        assert_int_equal(fr_octree_at(tree, fr_vec3_make(8191.9, 8191.9, 8191.9)), FR_CELL_BLACK);
        fr_octree_destroy(tree);
    }
}

static fr_status read_map(const fr_allocator *allocator, void *context) {
    fr_octomap_input input = *(const fr_octomap_input *)context;
    input.allocator = *allocator;
    fr_octree *tree;
    fr_status status = fr_octree_read_octomap(&input, &tree, NULL, NULL);
    assert_int_equal(tree != NULL, status == FR_OK);
    if (status == FR_OK) { test_note_number(fr_octree_count(tree).black_voxels); }
    fr_octree_destroy(tree);
    return status;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    uint8_t file[400], data[64];
    size_t bytes = make_file(file, 17, "0.5", data, path_to_voxel(data, 1, 2, 3));
    fr_octomap_input input = map_of(4, file, bytes);
    assert_true(test_every_failure(read_map, &input) < 10);
}

static void an_empty_map_is_white(void **state) {
    (void)state;
    uint8_t file[400];
    size_t bytes = make_file(file, 0, "0.1", NULL, 0);
    fr_octree *tree;
    fr_error error;
    assert_int_equal(read_file(5, file, bytes, &tree, NULL, &error), FR_OK);
    assert_int_equal(fr_octree_count(tree).white, 1);
    fr_octree_destroy(tree);
}

static void what_is_malformed_is_refused(void **state) {
    (void)state;
    uint8_t file[400], data[80];
    fr_octree *tree;
    fr_error error;
    size_t size = way_to_origin(data, 0, 2), bytes = make_file(file, (int)size / 2 + 1, "0.25", data, size);
    for (size_t cut = 0; cut < bytes; cut++) {
        assert_int_equal(read_file(5, file, cut, &tree, NULL, &error), FR_ERROR_SYNTAX);
        assert_null(tree);
    }
    bytes = make_file(file, 5, "0.25", data, size);
    assert_int_equal(read_file(5, file, bytes, &tree, NULL, &error), FR_ERROR_CORRUPT);
    bytes = make_file(file, (int)size / 2 + 1, "0.25", data, size);
    file[bytes] = 0;
    assert_int_equal(read_file(5, file, bytes + 1, &tree, NULL, &error), FR_ERROR_SYNTAX);
    size = way_to_origin(data, 0, 3);
    data[size] = data[size + 1] = 0;
    bytes = make_file(file, (int)size / 2 + 1, "0.25", data, size + 2);
    assert_int_equal(read_file(5, file, bytes, &tree, NULL, &error), FR_ERROR_SYNTAX);
    const char *resolutions[] = {"0", "-1", "nan", "x", "1 1"};
    for (int i = 0; i < 5; i++) {
        bytes = make_file(file, 0, resolutions[i], NULL, 0);
        assert_int_equal(read_file(5, file, bytes, &tree, NULL, &error), FR_ERROR_SYNTAX);
        assert_int_equal(error.line, 6);
    }
    fr_octomap_input input = map_of(10, file, bytes);
    assert_int_equal(fr_octree_read_octomap(&input, &tree, NULL, &error), FR_ERROR_ARGUMENT);
    input.cookie = 0;
    assert_int_equal(fr_octree_read_octomap(&input, &tree, NULL, &error), FR_ERROR_ARGUMENT);
    const char color[] = "# Octomap OcTree binary file\nid ColorOcTree\nsize 0\nres 1\ndata\n";
    assert_int_equal(read_file(5, (const uint8_t *)color, sizeof color - 1, &tree, NULL, &error), FR_ERROR_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_occupied_cell_is_black_where_it_belongs),
        cmocka_unit_test(free_cells_are_white_and_counted),
        cmocka_unit_test(a_voxel_anywhere_opens),
        cmocka_unit_test(what_does_not_fit_is_pruned_on_request),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(an_empty_map_is_white),
        cmocka_unit_test(what_is_malformed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
