#include "solids.h"

#include <string.h>

static const char head[] = "# Octomap OcTree binary file\n# made by hand\n#\nid OcTree\nsize %d\nres %s\ndata\n";

// A file with the nodes given as pairs of bytes.
static size_t make_file(uint8_t *out, int nodes, const char *resolution, const uint8_t *data, size_t size) {
    int length = snprintf((char *)out, 200, head, nodes, resolution);
    if (size > 0) { memcpy(out + length, data, size); }
    return (size_t)length + size;
}

static fr_status read_file(uint32_t depth, const uint8_t *bytes, size_t size, fr_octree **out, fr_octomap_info *info,
                           fr_error *error) {
    fr_octree_def def = fr_default_octree_def();
    def.depth = depth;
    return fr_octree_read_octomap(&def, bytes, size, out, info, error);
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
    const char color[] = "# Octomap OcTree binary file\nid ColorOcTree\nsize 0\nres 1\ndata\n";
    assert_int_equal(read_file(5, (const uint8_t *)color, sizeof color - 1, &tree, NULL, &error), FR_ERROR_UNSUPPORTED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_occupied_cell_is_black_where_it_belongs),
        cmocka_unit_test(free_cells_are_white_and_counted),
        cmocka_unit_test(an_empty_map_is_white),
        cmocka_unit_test(what_is_malformed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
