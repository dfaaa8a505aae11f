// Readers of octrees: DF code as letters and in bits, and OctoMap's binary files. The first byte says which and how
// deep. What is read is a valid tree, and its code gives the same tree again.
#include "fureai/octree.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
    if (!condition) { abort(); }
}

static void check_tree(const fr_octree_def *def, fr_octree *tree) {
    fr_error error;
    check(fr_octree_validate(tree, &error));
    size_t letters = fr_octree_write_code(tree, NULL, 0), bytes = fr_octree_write_packed(tree, NULL, 0);
    char *text = malloc(letters);
    uint8_t *packed = malloc(bytes);
    check(text != NULL && packed != NULL);
    fr_octree_write_code(tree, text, letters);
    fr_octree_write_packed(tree, packed, bytes);
    fr_octree *by_text = NULL, *by_bits = NULL;
    check(fr_octree_read_code(def, text, letters, &by_text, &error) == FR_OK && fr_octree_equal(tree, by_text));
    check(fr_octree_read_packed(def, packed, bytes, &by_bits, &error) == FR_OK && fr_octree_equal(tree, by_bits));
    fr_octree_destroy(by_text);
    fr_octree_destroy(by_bits);
    free(text);
    free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) { return 0; }
    fr_octree_def def = fr_default_octree_def();
    uint32_t kind = data[0] % 4;
    def.dimension = data[0] >> 2 & 1 ? 2 : 3;
    def.depth = 1 + (data[0] >> 3) % 6;
    if (kind >= 2) { def.dimension = 3; }
    const uint8_t *rest = data + 1;
    size_t rest_size = size - 1;
    fr_octree *tree = NULL;
    fr_error error;
    fr_octomap_info info;
    fr_octomap_input map = fr_default_octomap_input();
    map.bytes = rest;
    map.size = rest_size;
    map.depth = data[0] >= 128 ? 0 : def.depth;
    map.is_about_origin = kind == 3;
    map.may_prune = (data[0] >> 2 & 1) != 0;
    fr_status status = kind == 0   ? fr_octree_read_code(&def, (const char *)rest, rest_size, &tree, &error)
                       : kind == 1 ? fr_octree_read_packed(&def, rest, rest_size, &tree, &error)
                                   : fr_octree_read_octomap(&map, &tree, &info, &error);
    check((status == FR_OK) == (tree != NULL));
    if (status != FR_OK) {
        check(error.status == status && error.message[0] != '\0');
        return 0;
    }
    if (kind >= 2) { def = fr_octree_get_def(tree); }
    check_tree(&def, tree);
    fr_octree_destroy(tree);
    return 0;
}
