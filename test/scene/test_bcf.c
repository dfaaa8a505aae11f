// Issues in BCF: wrong input, stopping, limits and memory. What stands in the archive is checked by tools/bcf_check.
#include "failing.h"
#include "fureai/scene_bcf.h"

#include <string.h>

static bool count_bytes(const void *bytes, size_t size, void *context) {
    uint64_t *hash = context;
    *hash = fr_hash(bytes, size, *hash);
    return true;
}

static bool is_full(const void *bytes, size_t size, void *context) {
    (void)bytes, (void)size, (void)context;
    return false;
}

typedef struct assembly {
    fr_mesh *box;
    fr_clash_part parts[3];
    const char *names[3];
    fr_clash_finder *finder;
    fr_clash_output found;
    fr_bcf_input input;
} assembly;

static assembly make_assembly(void) {
    assembly a = {.names = {"one", "two", "three"}};
    assert_int_equal(fr_mesh_create_named("box", NULL, &a.box, NULL), FR_OK);
    for (int i = 0; i < 3; i++) {
        a.parts[i] = (fr_clash_part){a.box, fr_pose_identity()};
        a.parts[i].pose.position.x = 0.25 * i;
    }
    assert_int_equal(fr_clash_finder_create(NULL, &a.finder, NULL), FR_OK);
    return a;
}

static void find(assembly *a) {
    fr_clash_input input = fr_default_clash_input();
    input.parts = a->parts;
    input.part_count = 3;
    assert_int_equal(fr_clash_find(a->finder, &input, &a->found, NULL), FR_OK);
    assert_int_equal(a->found.count, 3);
    a->input = fr_default_bcf_input();
    a->input.found = &a->found;
    a->input.parts = a->parts;
    a->input.names = a->names;
}

static void drop(assembly *a) {
    fr_clash_finder_destroy(a->finder);
    fr_mesh_release(a->box);
}

static bool stop(void *user) {
    (void)user;
    return true;
}

static void wrong_input_is_refused(void **state) {
    (void)state;
    assembly a = make_assembly();
    find(&a);
    uint64_t hash = 0, again = 0;
    fr_error error;
    assert_int_equal(fr_bcf_write(&a.input, count_bytes, &hash, NULL), FR_OK);
    assert_int_equal(fr_bcf_write(&a.input, count_bytes, &again, NULL), FR_OK);
    assert_true(hash == again);
    assert_int_equal(fr_bcf_write(&a.input, is_full, NULL, &error), FR_ERROR_FILE);
    const fr_control control = {.stop = stop};
    a.input.control = &control;
    assert_int_equal(fr_bcf_write(&a.input, count_bytes, &hash, &error), FR_ERROR_STOPPED);
    a.input.control = NULL;
    a.input.names = NULL;
    assert_int_equal(fr_bcf_write(&a.input, count_bytes, &hash, &error), FR_ERROR_ARGUMENT);
    a.input.names = a.names;
    a.input.cookie = 0;
    assert_int_equal(fr_bcf_write(&a.input, count_bytes, &hash, &error), FR_ERROR_ARGUMENT);
    a.input.cookie = fr_default_bcf_input().cookie;
    fr_clash_output many = a.found;
    many.count = 32001;
    a.input.found = &many;
    assert_int_equal(fr_bcf_write(&a.input, count_bytes, &hash, &error), FR_ERROR_LIMIT);
    drop(&a);
}

static fr_status write_it(const fr_allocator *allocator, void *context) {
    fr_bcf_input input = *(const fr_bcf_input *)context;
    input.allocator = *allocator;
    uint64_t hash = 0;
    return fr_bcf_write(&input, count_bytes, &hash, NULL);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    assembly a = make_assembly();
    find(&a);
    assert_true(test_every_failure(write_it, &a.input) > 10);
    drop(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
