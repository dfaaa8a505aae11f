#include "box_sets.h"
#include "failing.h"
#include "frame.h"
#include "heap_calls.h"
#include "shape/tree.h"

#include <string.h>

#define MOST 6000u

static fr_box boxes[MOST];
static uint8_t found_by_tree[MOST];

static void fill(box_set set, uint32_t count, uint64_t seed) {
    fr_random random = fr_random_seed(seed);
    for (uint32_t i = 0; i < count; i++) {
        boxes[i] = random_box_of(set, &random, i);
    }
}

static fr_tree *make_tree(uint32_t count, const fr_tasks *tasks) {
    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.count = count;
    def.tasks = tasks;
    fr_tree *tree = NULL;
    fr_error error = {0};
    if (fr_tree_create(&def, &tree, &error) != FR_OK) { fail_msg("%s", error.message); }
    if (!fr_tree_validate(tree, &error)) { fail_msg("%s", error.message); }
    return tree;
}

static bool mark_item(uint32_t item, void *context) {
    (void)context;
    assert_int_equal(found_by_tree[item], 0);
    found_by_tree[item] = 1;
    return true;
}

static void expect_same_as_brute_force(const fr_tree *tree, uint32_t count, const fr_box *box) {
    memset(found_by_tree, 0, count);
    assert_true(fr_tree_overlap_box(tree, box, mark_item, NULL));
    bool is_empty = box->min.x > box->max.x; // and shares no point with anything
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(found_by_tree[i], !is_empty && fr_box_overlap(&boxes[i], box));
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void refuses_what_is_no_box(void **state) {
    (void)state;
    fill(BOX_SET_PLAIN, 10, 1);
    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.count = 10;
    const float bad[] = {NAN, INFINITY, 100.0f};
    for (int k = 0; k < 3; k++) {
        fr_tree *tree = NULL;
        fr_error error = {0};
        boxes[7].min.y = bad[k];
        assert_int_equal(fr_tree_create(&def, &tree, &error), FR_ERROR_NOT_FINITE);
        assert_null(tree);
        assert_non_null(strstr(error.message, "box 7"));
    }
    def.count = FR_TREE_MAX_ITEMS + 1;
    fr_tree *tree = NULL;
    assert_int_equal(fr_tree_create(&def, &tree, NULL), FR_ERROR_LIMIT);
}

static bool always(void *user) {
    (void)user;
    return true;
}

static void stops_on_request(void **state) {
    (void)state;
    fill(BOX_SET_PLAIN, MOST, 2);
    fr_control control = {.stop = always};
    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.control = &control;
    for (uint32_t count = 100; count <= MOST; count += MOST - 100) {
        fr_tree *tree = NULL;
        def.count = count;
        assert_int_equal(fr_tree_create(&def, &tree, NULL), FR_ERROR_STOPPED);
        assert_null(tree);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void an_empty_tree_finds_nothing(void **state) {
    (void)state;
    fr_tree *tree = make_tree(0, NULL);
    fr_tree_stats stats = fr_tree_get_stats(tree);
    assert_int_equal(stats.depth, 0);
    assert_int_equal(stats.node_count, 0);
    fr_box all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    assert_true(fr_tree_overlap_box(tree, &all, mark_item, NULL));
    assert_int_equal(fr_tree_refit(tree, NULL, 0, NULL, NULL), FR_OK);
    assert_int_equal(fr_tree_update(tree, NULL, 0, 2.0, NULL, NULL), FR_OK);
    assert_true(fr_tree_quality(tree) == 1.0);
    fr_tree_destroy(tree);
    fr_tree_destroy(NULL);
}

static void leaves_hold_up_to_four(void **state) {
    (void)state;
    fill(BOX_SET_PLAIN, 9, 3);
    for (uint32_t count = 1; count <= 9; count++) {
        fr_tree *tree = make_tree(count, NULL);
        fr_tree_stats stats = fr_tree_get_stats(tree);
        assert_int_equal(stats.item_count, count);
        assert_int_equal(stats.node_count, 1);
        assert_true(stats.leaf_count >= (count + 3) / 4);
        assert_true(stats.sah_cost >= 1.0);
        fr_tree_destroy(tree);
    }
}

static bool end_now(uint32_t item, void *context) {
    (void)item;
    ++*(int *)context;
    return false;
}

static void a_callback_ends_the_search(void **state) {
    (void)state;
    fill(BOX_SET_EQUAL, 1000, 4);
    fr_tree *tree = make_tree(1000, NULL);
    int calls = 0;
    assert_false(fr_tree_overlap_box(tree, &boxes[0], end_now, &calls));
    assert_int_equal(calls, 1);
    fr_tree_destroy(tree);
}

// ---------------------------------------------------------------------------------------------------------------
// Against brute force

static fr_box random_query(box_set set, fr_random *random, uint32_t count, uint64_t i) {
    fr_box query = boxes[fr_random_below(random, count)];
    if (i % 3 == 0) { query = random_box_of(set, random, (uint32_t)fr_random_below(random, count)); }
    if (i % 16 == 1) { query.max = (fr_vec3f){INFINITY, INFINITY, INFINITY}; }
    if (i % 64 == 2) { query = (fr_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}; }
    if (i % 32 == 3) { query.min.x = nextafterf(query.max.x, INFINITY); }
    return query;
}

static void finds_what_brute_force_finds(void **state) {
    (void)state;
    fr_random random = fr_random_seed(5);
    const uint32_t counts[] = {1, 5, 33, 700, MOST};
    for (int set = 0; set < BOX_SET_COUNT; set++) {
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            uint32_t count = counts[k];
            fill((box_set)set, count, 100 + (uint64_t)set);
            fr_tree *tree = make_tree(count, NULL);
            assert_true(fr_tree_get_stats(tree).depth <= FR__TREE_MAX_DEPTH);
            uint64_t queries = test_count(60, 10000);
            for (uint64_t i = 0; i < queries; i++) {
                fr_box query = random_query((box_set)set, &random, count, i);
                if (fr_simd_set(i % 2 == 0 ? FR_SIMD_BASELINE : fr_simd_best())) {
                    expect_same_as_brute_force(tree, count, &query);
                }
            }
            fr_tree_destroy(tree);
        }
    }
    fr_simd_set(fr_simd_best());
}

// ---------------------------------------------------------------------------------------------------------------
// Refit and update

static void wobble(uint32_t count, float size, uint64_t seed) {
    fr_random random = fr_random_seed(seed);
    for (uint32_t i = 0; i < count; i++) {
        float x = size * (float)fr_random_between(&random, -1, 1), y = size * (float)fr_random_between(&random, -1, 1);
        boxes[i].min.x += x;
        boxes[i].max.x += x;
        boxes[i].min.y += y;
        boxes[i].max.y += y;
    }
}

static void a_refitted_tree_finds_the_new_boxes(void **state) {
    (void)state;
    fr_random random = fr_random_seed(6);
    fill(BOX_SET_PLAIN, MOST, 7);
    fr_tree *tree = make_tree(MOST, NULL);
    double last = fr_tree_quality(tree);
    assert_true(last == 1.0);
    for (int step = 0; step < 5; step++) {
        wobble(MOST, 0.3f, 8 + (uint64_t)step);
        fr_error error = {0};
        assert_int_equal(fr_tree_refit(tree, boxes, MOST, NULL, NULL), FR_OK);
        if (!fr_tree_validate(tree, &error)) { fail_msg("%s", error.message); }
        for (uint64_t i = 0; i < 40; i++) {
            fr_box query = random_query(BOX_SET_PLAIN, &random, MOST, i);
            expect_same_as_brute_force(tree, MOST, &query);
        }
    }
    assert_true(fr_tree_quality(tree) > 2.0);
    assert_int_equal(fr_tree_refit(tree, boxes, MOST - 1, NULL, NULL), FR_ERROR_ARGUMENT);
    boxes[3].min.z = NAN;
    assert_int_equal(fr_tree_refit(tree, boxes, MOST, NULL, NULL), FR_ERROR_NOT_FINITE);
    fr_tree_destroy(tree);
}

static void a_refit_allocates_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    fill(BOX_SET_PLAIN, MOST, 9);
    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.count = MOST;
    def.allocator = fr_probe_allocator(probe);
    fr_tree *tree = NULL;
    assert_int_equal(fr_tree_create(&def, &tree, NULL), FR_OK);
    uint64_t before = test_allocations(probe);
    assert_int_equal(fr_tree_refit(tree, boxes, MOST, NULL, NULL), FR_OK);
    assert_int_equal(fr_tree_update(tree, boxes, MOST, 1.5, NULL, NULL), FR_OK);
    assert_int_equal(test_allocations(probe), before);

    // Without memory for a new build the tree is refitted all the same.
    wobble(MOST, 1.0f, 10);
    fr_probe_fail(probe, 1, true);
    assert_int_equal(fr_tree_update(tree, boxes, MOST, 1.5, NULL, NULL), FR_ERROR_MEMORY);
    fr_probe_fail(probe, 0, false);
    assert_true(fr_tree_quality(tree) > 1.5);
    expect_same_as_brute_force(tree, MOST, &boxes[5]);
    assert_int_equal(fr_tree_update(tree, boxes, MOST, 1.5, NULL, NULL), FR_OK);
    assert_true(fr_tree_quality(tree) == 1.0);
    expect_same_as_brute_force(tree, MOST, &boxes[5]);
    fr_tree_destroy(tree);
    assert_int_equal(fr_probe_get(probe).live_blocks, 0);
    fr_probe_destroy(probe);
}

// ---------------------------------------------------------------------------------------------------------------
// Blocks

static void a_block_is_a_tree_anywhere(void **state) {
    (void)state;
    fill(BOX_SET_PLAIN, 1000, 11);
    fr_tree *tree = make_tree(1000, NULL);
    size_t bytes = fr__tree_block_bytes(tree);
    void *block = fr_allocate(NULL, bytes, 1, FR__TREE_ALIGN);
    memcpy(block, fr__tree_block(tree), bytes);
    fr_tree_destroy(tree);
    for (int in_place = 0; in_place < 2; in_place++) {
        fr_error error = {0};
        if (fr__tree_from_block(block, bytes, in_place == 1, NULL, &tree, &error) != FR_OK) {
            fail_msg("%s", error.message);
        }
        for (uint32_t i = 0; i < 50; i++) {
            expect_same_as_brute_force(tree, 1000, &boxes[i]);
        }
        fr_tree_destroy(tree);
    }
    fr_deallocate(NULL, block, bytes, 1);
}

// Any changed bit is found, or leaves a tree that is sound all the same (boxes that are larger than they need be, a
// cost, what is unused): then searching it must do no harm.
static void a_spoilt_block_does_no_harm(void **state) {
    (void)state;
    fill(BOX_SET_PLAIN, 300, 12);
    fr_tree *tree = make_tree(300, NULL);
    size_t bytes = fr__tree_block_bytes(tree);
    uint8_t *block = fr_allocate(NULL, bytes, 1, FR__TREE_ALIGN);
    fr_random random = fr_random_seed(13);
    uint64_t refused = 0, rounds = test_count(4000, 200000);
    for (uint64_t i = 0; i < rounds; i++) {
        memcpy(block, fr__tree_block(tree), bytes);
        size_t at = (size_t)fr_random_below(&random, i % 4 == 0 ? sizeof(fr__tree_header) : bytes);
        block[at] ^= (uint8_t)(1u << fr_random_below(&random, 8));
        fr_tree *other = NULL;
        if (fr__tree_from_block(block, bytes - (i % 8 == 1), true, NULL, &other, NULL) != FR_OK) {
            assert_null(other);
            refused++;
            continue;
        }
        memset(found_by_tree, 0, 300);
        fr_box all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
        fr_tree_overlap_box(other, &all, mark_item, NULL);
        for (uint32_t k = 0; k < 300; k++) {
            assert_int_equal(found_by_tree[k], 1);
        }
        fr_tree_destroy(other);
    }
    assert_true(refused > rounds / 4);
    fr_tree *none = NULL;
    assert_int_not_equal(fr__tree_from_block(block, 16, true, NULL, &none, NULL), FR_OK);
    fr_deallocate(NULL, block, bytes, 1);
    fr_tree_destroy(tree);
}

// A block whose nodes hang one below the other, each with a leaf of one item; `claimed` is the depth that it claims.
static fr_status read_chain(uint32_t nodes, uint32_t claimed, fr_error *error) {
    static _Alignas(FR__TREE_ALIGN) uint8_t block[32768];
    fr__tree_header header = {.version = FR__TREE_VERSION, .item_count = nodes, .node_count = nodes};
    header.leaf_count = nodes;
    header.segment_count = 1;
    header.depth = claimed;
    header.bounds = (fr_box){{0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
    assert_true(fr__tree_lay_out(&header) && header.bytes <= sizeof block);
    memset(block, 0, sizeof block);
    memcpy(block, &header, sizeof header);
    fr__tree_node *node = (fr__tree_node *)(void *)(block + header.nodes_offset);
    fr__tree_leaf *leaf = (fr__tree_leaf *)(void *)(block + header.leaves_offset);
    for (uint32_t n = 0; n < nodes; n++) {
        uint32_t used = n + 1 < nodes ? 2 : 1;
        node[n].lanes = (1u << used) - 1u;
        leaf[n].count = 1;
        for (uint32_t k = 0; k < FR__TREE_WIDTH; k++) {
            for (int side = 0; side < 6; side++) {
                float idle = side < 3 ? INFINITY : -INFINITY;
                node[n].side[side][k] = k >= used ? idle : side < 3 ? 0.0f : 1.0f;
            }
            node[n].child[k] = k >= used ? FR_NONE : k == 0 ? FR__TREE_LEAF | n : n + 1;
            bool is_low = k < 4, is_used = k % 4 == 0;
            float side = is_used ? (is_low ? 0.0f : 1.0f) : (is_low ? INFINITY : -INFINITY);
            leaf[n].x[k] = leaf[n].y[k] = leaf[n].z[k] = side;
            if (is_low) { leaf[n].item[k] = is_used ? n : FR_NONE; }
        }
    }
    memcpy(block + header.segments_offset, (const uint32_t[2]){0, nodes}, 2 * sizeof(uint32_t));
    fr_tree *tree = NULL;
    fr_status status = fr__tree_from_block(block, (size_t)header.bytes, true, NULL, &tree, error);
    fr_tree_destroy(tree);
    return status;
}

static void a_block_that_is_too_deep_is_refused(void **state) {
    (void)state;
    const uint32_t max = FR__TREE_MAX_DEPTH;
    fr_error error = {0};
    assert_int_equal(read_chain(max, max, &error), FR_OK);
    assert_int_equal(read_chain(max + 1, max + 1, &error), FR_ERROR_CORRUPT);
    assert_int_equal(read_chain(max + 1, max, &error), FR_ERROR_CORRUPT);
    assert_non_null(strstr(error.message, "too deep"));
}

static void expect_corrupt(fr_tree *tree, const char *what) {
    fr_error error = {0};
    assert_false(fr_tree_validate(tree, &error));
    if (strstr(error.message, what) == NULL) { fail_msg("'%s' is not in '%s'", what, error.message); }
}

static void validation_names_what_is_wrong(void **state) {
    (void)state;
    fill(BOX_SET_PLAIN, 1000, 14);
    fr_tree *tree = make_tree(1000, NULL);
    fr__tree_node *root = &tree->nodes[0];
    fr__tree_node saved = *root;
    fr__tree_leaf leaf = tree->leaves[0];

    root->child[0] = 0;
    expect_corrupt(tree, "a child out of range");
    root->child[0] = root->child[1];
    for (int side = 0; side < 6; side++) {
        root->side[side][0] = root->side[side][1];
    }
    expect_corrupt(tree, "met twice");
    *root = saved;
    root->max_x[0] -= 0.1f;
    expect_corrupt(tree, "not inside its parent's");
    *root = saved;
    root->lanes = 0x101u;
    expect_corrupt(tree, "lanes");
    *root = saved;
    tree->leaves[0].item[0] = 1000;
    expect_corrupt(tree, "an item out of range");
    tree->leaves[0].item[0] = tree->leaves[1].item[0];
    expect_corrupt(tree, "an item met twice");
    tree->leaves[0] = leaf;
    tree->leaves[0].min_x[0] = NAN;
    expect_corrupt(tree, "not inside its leaf's");
    tree->leaves[0] = leaf;
    tree->leaves[0].count = 5;
    expect_corrupt(tree, "count is wrong");
    tree->leaves[0] = leaf;
    tree->header->depth++;
    expect_corrupt(tree, "depth");
    tree->header->depth--;
    tree->header->item_count++;
    assert_false(fr_tree_validate(tree, NULL));
    tree->header->item_count--;
    assert_true(fr_tree_validate(tree, NULL));
    fr_tree_destroy(tree);
}

// ---------------------------------------------------------------------------------------------------------------
// Failing memory

static fr_status make_with(const fr_allocator *allocator, void *context) {
    fr_tree_def def = fr_default_tree_def();
    def.boxes = boxes;
    def.count = *(const uint32_t *)context;
    def.allocator = *allocator;
    fr_tree *tree = NULL;
    fr_status status = fr_tree_create(&def, &tree, NULL);
    // Over the limit: the tree is built again. Without memory for that it is refitted and usable.
    if (status == FR_OK) {
        status = fr_tree_update(tree, boxes, def.count, 0.5, NULL, NULL);
        fr_error error = {0};
        if (status == FR_OK && !fr_tree_validate(tree, &error)) { status = error.status; }
        if (status != FR_OK) {
            test_lift(allocator);
            assert_true(fr_tree_validate(tree, NULL));
        }
    }
    fr_tree_destroy(tree);
    return status;
}

static void survives_every_failure(void **state) {
    (void)state;
    fill(BOX_SET_PLAIN, MOST, 15);
    uint32_t counts[] = {0, 3, 500, MOST};
    for (int i = 0; i < 4; i++) {
        assert_true(test_every_failure(make_with, &counts[i]) >= 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_no_box),
        cmocka_unit_test(stops_on_request),
        cmocka_unit_test(an_empty_tree_finds_nothing),
        cmocka_unit_test(leaves_hold_up_to_four),
        cmocka_unit_test(a_callback_ends_the_search),
        cmocka_unit_test(finds_what_brute_force_finds),
        cmocka_unit_test(a_refitted_tree_finds_the_new_boxes),
        cmocka_unit_test(a_refit_allocates_nothing),
        cmocka_unit_test(a_block_is_a_tree_anywhere),
        cmocka_unit_test(a_spoilt_block_does_no_harm),
        cmocka_unit_test(a_block_that_is_too_deep_is_refused),
        cmocka_unit_test(validation_names_what_is_wrong),
        cmocka_unit_test(survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
