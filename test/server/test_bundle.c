// The files of one request.
#include "failing.h"

#include "server/bundle.h"

#include <string.h>

typedef struct bytes {
    unsigned char data[4096];
    size_t size;
} bytes;

static void put_number(bytes *b, uint64_t value, int count) {
    for (int i = 0; i < count; i++) {
        b->data[b->size++] = (unsigned char)(value >> (8 * i));
    }
}

static void put_file(bytes *b, const char *name, const char *text) {
    put_number(b, strlen(name), 4);
    put_number(b, strlen(text), 8);
    memcpy(b->data + b->size, name, strlen(name));
    b->size += strlen(name);
    memcpy(b->data + b->size, text, strlen(text));
    b->size += strlen(text);
}

static bytes two_files(void) {
    bytes b = {.size = 0};
    put_number(&b, 1, 4);
    put_number(&b, 2, 4);
    put_file(&b, "part.obj", "v 0 0 0");
    put_file(&b, "looks/part.mtl", "");
    return b;
}

static void files_are_found_by_path_and_by_name(void **state) {
    (void)state;
    bytes b = two_files();
    fr__bundle bundle;
    assert_int_equal(fr__bundle_read(b.data, b.size, NULL, &bundle, NULL), FR_OK);
    assert_int_equal(bundle.count, 2);
    assert_int_equal(bundle.flags, FR__BUNDLE_WITHOUT_MISSING);
    assert_memory_equal(fr__bundle_find(&bundle, "part.obj")->bytes, "v 0 0 0", 7);
    assert_ptr_equal(fr__bundle_find(&bundle, "part.mtl"), &bundle.files[1]);
    assert_ptr_equal(fr__bundle_find(&bundle, "other/part.mtl"), &bundle.files[1]);
    assert_null(fr__bundle_find(&bundle, "part.png"));
    fr__bundle_free(&bundle);
}

static void every_cut_and_every_surplus_is_refused(void **state) {
    (void)state;
    bytes b = two_files();
    fr__bundle bundle;
    for (size_t size = 0; size <= b.size + 1; size++) {
        bool is_whole = size == b.size;
        assert_true((fr__bundle_read(b.data, size, NULL, &bundle, NULL) == FR_OK) == is_whole);
        if (is_whole) { fr__bundle_free(&bundle); }
        assert_null(bundle.arena);
    }
}

static void names_stay_in_their_folder(void **state) {
    (void)state;
    static const char *const wrong[] = {"", "/a", "../a", "a/../b", "a//b", "a/", ".hidden", "a\\b", "a\x01", "\xff"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        bytes b = {.size = 0};
        fr__bundle bundle;
        put_number(&b, 0, 4);
        put_number(&b, 1, 4);
        put_file(&b, wrong[i], "x");
        assert_int_equal(fr__bundle_read(b.data, b.size, NULL, &bundle, NULL), FR_ERROR_ARGUMENT);
    }
}

static void promises_are_not_believed(void **state) {
    (void)state;
    bytes b = {.size = 0};
    fr__bundle bundle;
    put_number(&b, 0, 4);
    put_number(&b, FR__BUNDLE_MAX_FILES + 1, 4);
    assert_int_equal(fr__bundle_read(b.data, b.size, NULL, &bundle, NULL), FR_ERROR_LIMIT);
    b.size = 0;
    put_number(&b, 0, 4);
    put_number(&b, 1, 4);
    put_number(&b, 1, 4);
    put_number(&b, UINT64_MAX, 8);
    b.data[b.size++] = 'a';
    assert_int_equal(fr__bundle_read(b.data, b.size, NULL, &bundle, NULL), FR_ERROR_CORRUPT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_found_by_path_and_by_name),
        cmocka_unit_test(every_cut_and_every_surplus_is_refused),
        cmocka_unit_test(names_stay_in_their_folder),
        cmocka_unit_test(promises_are_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
