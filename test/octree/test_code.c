#include "failing.h"
#include "solids.h"

#include <string.h>

static fr_status read_text(int dimension, uint32_t depth, const char *text, fr_octree **out, fr_error *error) {
    fr_octree_def def = fr_default_octree_def();
    def.dimension = dimension;
    def.depth = depth;
    return fr_octree_read_code(&def, text, strlen(text), out, error);
}

// The code the source prints has one letter too many (Kitamura 5.2).
static void the_printed_code_is_refused_and_without_its_last_letter_read(void **state) {
    (void)state;
    const char printed[] = "(B(BWBBBWWWBWBWB(B(BWBBBWBWBBBBWBW";
    char whole[sizeof printed];
    fr_error error;
    fr_octree *tree;
    assert_int_equal(read_text(3, 5, printed, &tree, &error), FR_ERROR_SYNTAX);
    assert_null(tree);
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, 34);
    memcpy(whole, printed, sizeof printed);
    whole[33] = '\0';
    assert_int_equal(read_text(3, 5, whole, &tree, &error), FR_OK);
    fr_octree_counts counts = fr_octree_count(tree);
    assert_int_equal(counts.gray, 4);
    assert_int_equal(counts.black + counts.white + counts.gray, 33);
    char back[64];
    assert_int_equal(fr_octree_write_code(tree, back, sizeof back), 33);
    assert_memory_equal(back, whole, 33);
    fr_octree_destroy(tree);
}

static void wrong_codes_are_refused_where_they_are_wrong(void **state) {
    (void)state;
    const struct {
        const char *text;
        uint32_t depth;
        fr_status status;
        int line, column;
    } cases[] = {{"", 3, FR_ERROR_SYNTAX, 1, 1},
                 {"(BBBB", 3, FR_ERROR_SYNTAX, 1, 6},
                 {"BB", 3, FR_ERROR_SYNTAX, 1, 2},
                 {"(BBBB\nBBxB", 3, FR_ERROR_SYNTAX, 2, 3},
                 {"((BBBBBBBBWWWWWWW", 1, FR_ERROR_LIMIT, 1, 2},
                 {"b", 3, FR_ERROR_SYNTAX, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_error error;
        fr_octree *tree;
        assert_int_equal(read_text(3, cases[i].depth, cases[i].text, &tree, &error), cases[i].status);
        assert_null(tree);
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
    }
}

static void a_code_that_is_not_condensed_is_condensed(void **state) {
    (void)state;
    fr_error error;
    fr_octree *tree;
    assert_int_equal(read_text(3, 3, "((BBBBBBBB BBBB\r\nBBB\n", &tree, &error), FR_OK);
    char text[4];
    assert_int_equal(fr_octree_write_code(tree, text, sizeof text), 1);
    assert_int_equal(text[0], 'B');
    fr_octree_destroy(tree);
}

static void any_tree_comes_back_from_its_code(void **state) {
    (void)state;
    fr_random random = fr_random_seed(21);
    for (uint64_t round = 0; round < test_count(60, 1000); round++) {
        int dimension = 2 + (int)(round % 2);
        fr_octree *tree = make_tree(dimension, 1 + (uint32_t)(round / 2 % 6)), *back = NULL;
        fill_randomly(tree, &random, 1 + (int)(round % 11));
        fr_octree_def def = fr_octree_get_def(tree);
        fr_octree_counts counts = fr_octree_count(tree);
        size_t size = fr_octree_write_code(tree, NULL, 0), packed = fr_octree_write_packed(tree, NULL, 0);
        assert_int_equal(size, ((size_t)1 << dimension) * counts.gray + 1);
        assert_int_equal(packed, (size + 3) / 4);
        char *text = malloc(size);
        uint8_t *bytes = malloc(packed);
        fr_octree_write_code(tree, text, size);
        fr_octree_write_packed(tree, bytes, packed);
        fr_error error;
        assert_int_equal(fr_octree_read_code(&def, text, size, &back, &error), FR_OK);
        assert_true(fr_octree_equal(tree, back));
        fr_octree_destroy(back);
        assert_int_equal(fr_octree_read_packed(&def, bytes, packed, &back, &error), FR_OK);
        assert_true(fr_octree_equal(tree, back));
        fr_octree_destroy(back);
        // What does not fit is left out, and counted.
        char part[4] = {'#', '#', '#', '#'};
        uint8_t few[2] = {77, 77};
        assert_int_equal(fr_octree_write_code(tree, part, 3), size);
        assert_int_equal(fr_octree_write_packed(tree, few, 1), packed);
        assert_memory_equal(part, text, size < 3 ? size : 3);
        assert_true(part[3] == '#' && few[0] == bytes[0] && few[1] == 77);
        // Every shorter one is refused.
        assert_int_equal(fr_octree_read_code(&def, text, size - 1, &back, &error), FR_ERROR_SYNTAX);
        assert_int_equal(fr_octree_read_packed(&def, bytes, packed - 1, &back, &error), FR_ERROR_SYNTAX);
        free(text);
        free(bytes);
        fr_octree_destroy(tree);
    }
}

static void packed_codes_are_checked_to_the_last_bit(void **state) {
    (void)state;
    fr_octree_def def = fr_default_octree_def();
    fr_error error;
    fr_octree *tree;
    const uint8_t wrong[] = {3}, filled[] = {1 | 4}, longer[] = {1, 0};
    assert_int_equal(fr_octree_read_packed(&def, wrong, 1, &tree, &error), FR_ERROR_SYNTAX);
    assert_int_equal(fr_octree_read_packed(&def, filled, 1, &tree, &error), FR_ERROR_SYNTAX);
    assert_int_equal(fr_octree_read_packed(&def, longer, 2, &tree, &error), FR_ERROR_SYNTAX);
    assert_int_equal(fr_octree_read_packed(&def, NULL, 0, &tree, &error), FR_ERROR_SYNTAX);
    assert_int_equal(fr_octree_read_packed(&def, longer, 1, &tree, &error), FR_OK);
    assert_int_equal(fr_octree_count(tree).black, 1);
    fr_octree_destroy(tree);
}

static fr_status read_codes(const fr_allocator *allocator, void *context) {
    (void)context;
    const char text[] = "(B(BWBBBWWWBWBWB(B(BWBBBWBWBBBBWB";
    fr_octree_def def = fr_default_octree_def();
    def.depth = 5;
    def.allocator = *allocator;
    fr_octree *tree = NULL, *again = NULL;
    uint8_t packed[64];
    fr_status status = fr_octree_read_code(&def, text, sizeof text - 1, &tree, NULL);
    if (status == FR_OK) {
        size_t bytes = fr_octree_write_packed(tree, packed, sizeof packed);
        status = fr_octree_read_packed(&def, packed, bytes, &again, NULL);
    }
    if (status == FR_OK) { assert_true(fr_octree_equal(tree, again)); }
    fr_octree_destroy(again);
    fr_octree_destroy(tree);
    return status;
}

static void memory_may_run_out(void **state) {
    (void)state;
    assert_true(test_every_failure(read_codes, NULL) > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_printed_code_is_refused_and_without_its_last_letter_read),
        cmocka_unit_test(wrong_codes_are_refused_where_they_are_wrong),
        cmocka_unit_test(a_code_that_is_not_condensed_is_condensed),
        cmocka_unit_test(any_tree_comes_back_from_its_code),
        cmocka_unit_test(packed_codes_are_checked_to_the_last_bit),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
