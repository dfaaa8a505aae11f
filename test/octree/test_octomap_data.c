// A real map of OctoMap: every occupied cell of the file is black where it belongs, at its own width and pruned.
#include "frame.h"
#include "solids.h"

#include <string.h>

#define MAX_BYTES (1 << 20)

// What a walk of its own counts, and the trees that it compares.
typedef struct walker {
    const uint8_t *at, *end;
    uint64_t leaves, voxels, wrong;
    const fr_octree *trees[2];
} walker;

// The node at a low corner, in cells of the resolution; its occupied children are looked up in their middle and at
// their corners.
static void walk(walker *w, const double low[3], double edge, double resolution) {
    assert_true(w->end - w->at >= 2);
    uint32_t kinds = w->at[0] | (uint32_t)w->at[1] << 8;
    w->at += 2;
    double half = edge / 2.0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t c = 0; c < 8; c++) {
            uint32_t kind = kinds >> 2 * c & 3u;
            double child[3];
            for (int a = 0; a < 3; a++) {
                child[a] = low[a] + ((c >> a & 1) != 0 ? half : 0.0);
            }
            if (pass == 1 && kind == 3) { walk(w, child, half, resolution); }
            if (pass == 1 || kind != 2) { continue; }
            w->leaves++;
            w->voxels += (uint64_t)(half * half * half);
            for (int i = 0; i < 6; i++) {
                double f = i % 3 == 0 ? 0.5 : i % 3 == 1 ? 0.01 : half - 0.01;
                fr_vec3 at =
                    fr_vec3_make((child[0] + f) * resolution, (child[1] + f) * resolution, (child[2] + f) * resolution);
                w->wrong += fr_octree_at(w->trees[i / 3], at) != FR_CELL_BLACK;
            }
        }
    }
}

static fr_octree *read_map(const uint8_t *bytes, size_t size, uint32_t depth, bool may_prune, fr_octomap_info *info) {
    fr_octomap_input input = fr_default_octomap_input();
    input.bytes = bytes;
    input.size = size;
    input.depth = depth;
    input.may_prune = may_prune;
    fr_octree *tree;
    fr_error error;
    if (fr_octree_read_octomap(&input, &tree, info, &error) != FR_OK) { fail_msg("%s", error.message); }
    return tree;
}

static void a_map_of_a_building_opens(void **state) {
    (void)state;
    static uint8_t bytes[MAX_BYTES];
    char path[1000];
    snprintf(path, sizeof path, "%s/data/octree-octomap/data/geb079.bt", test_shared_folder());
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    fr_octomap_info info, pruned;
    fr_octree *tree = read_map(bytes, size, 0, false, &info), *coarse = read_map(bytes, size, 6, true, &pruned);
    assert_int_equal(fr_octree_get_def(tree).depth, 9);
    assert_int_equal(info.level, 0);
    assert_int_equal(pruned.level, 3);
    const char *data = "\ndata\n";
    size_t begin = 0;
    while (memcmp(bytes + begin, data, strlen(data)) != 0) {
        begin++;
    }
    walker w = {.at = bytes + begin + strlen(data), .end = bytes + size, .trees = {tree, coarse}};
    const double low[3] = {-32768.0, -32768.0, -32768.0};
    walk(&w, low, 65536.0, info.resolution);
    assert_ptr_equal(w.at, w.end);
    assert_int_equal(w.wrong, 0);
    assert_int_equal(w.leaves, info.occupied);
    assert_int_equal(w.voxels, fr_octree_count(tree).black_voxels);
    printf("%llu occupied cells, %llu voxels of %g m\n", (unsigned long long)w.leaves, (unsigned long long)w.voxels,
           info.resolution);
    fr_octree_destroy(tree);
    fr_octree_destroy(coarse);
}

int main(void) {
    test_shared_folder();
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_map_of_a_building_opens)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
