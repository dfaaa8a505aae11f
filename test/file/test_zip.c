// Archives: what is written is found again by zlib, wrong names and full disks are said, every allocation may fail.
#include "failing.h"
#include "fureai/file_zip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct disk {
    unsigned char bytes[1 << 18];
    size_t size, room;
} disk;

static disk d;

static bool keep(const void *bytes, size_t size, void *context) {
    (void)context;
    if (size > d.room - d.size) { return false; }
    memcpy(d.bytes + d.size, bytes, size);
    d.size += size;
    return true;
}

static uint32_t take(size_t at, int bytes) {
    uint32_t value = 0;
    for (int i = bytes; i-- > 0;) {
        value = value << 8 | d.bytes[at + (size_t)i];
    }
    return value;
}

enum { FILES = 5 };
static const size_t sizes[FILES] = {0, 1, 100, 70000, 60000};

// The bytes of file i: text that repeats, and noise in the last one.
static void make_file(int i, unsigned char *out) {
    fr_random random = fr_random_seed(9);
    for (size_t k = 0; k < sizes[i]; k++) {
        double noise = fr_random_between(&random, 0.0, 256.0);
        out[k] = i == FILES - 1 ? (unsigned char)noise : (unsigned char)('a' + k % 7);
    }
}

static fr_status write_all(const fr_allocator *allocator, void *context) {
    (void)context;
    static unsigned char bytes[70000];
    d.size = 0;
    fr_zip_writer *zip = NULL;
    fr_status status = fr_zip_writer_create(keep, NULL, allocator, &zip, NULL);
    for (int i = 0; i < FILES && status == FR_OK; i++) {
        const char name[] = {(char)('a' + i), '/', 'x', '\0'};
        make_file(i, bytes);
        status = fr_zip_add(zip, name, bytes, sizes[i], NULL);
    }
    if (status == FR_OK) { status = fr_zip_finish(zip, NULL); }
    fr_zip_writer_destroy(zip);
    return status;
}

static void files_are_found_again(void **state) {
    (void)state;
    static unsigned char bytes[70000], unpacked[70001];
    d.room = sizeof d.bytes;
    assert_int_equal(write_all(NULL, NULL), FR_OK);
    size_t end = d.size - 22;
    assert_true(take(end, 4) == 0x06054b50 && take(end + 10, 2) == FILES);
    assert_int_equal(take(end + 12, 4) + take(end + 16, 4), end);
    size_t at = take(end + 16, 4);
    for (int i = 0; i < FILES; i++) {
        make_file(i, bytes);
        size_t local = take(at + 42, 4);
        assert_true(take(at, 4) == 0x02014b50 && take(local, 4) == 0x04034b50 && d.bytes[at + 46] == 'a' + i);
        assert_memory_equal(d.bytes + at + 6, d.bytes + local + 4, 26); // both say the same
        assert_int_equal(take(at + 16, 4), crc32(0, bytes, (uInt)sizes[i]));
        assert_int_equal(take(at + 24, 4), sizes[i]);
        size_t packed = take(at + 20, 4);
        const unsigned char *data = d.bytes + local + 30 + take(local + 26, 2);
        if (take(at + 10, 2) == 0) {
            assert_true(i < 2 || i == FILES - 1); // what does not become smaller
            assert_memory_equal(data, bytes, sizes[i]);
        } else {
            z_stream stream = {.next_in = (unsigned char *)(uintptr_t)data, .avail_in = (uInt)packed};
            stream.next_out = unpacked;
            stream.avail_out = sizeof unpacked;
            assert_int_equal(inflateInit2(&stream, -15), Z_OK);
            assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
            assert_true(stream.total_out == sizes[i] && packed < sizes[i]);
            assert_memory_equal(unpacked, bytes, sizes[i]);
            inflateEnd(&stream);
        }
        at += 46 + take(at + 28, 2);
    }
    assert_int_equal(at, end);
}

static void wrong_names_and_full_disks_are_said(void **state) {
    (void)state;
    fr_zip_writer *zip;
    fr_error error;
    char name[1100];
    memset(name, 'n', sizeof name);
    name[1025] = '\0';
    d = (disk){.room = sizeof d.bytes};
    assert_int_equal(fr_zip_writer_create(keep, NULL, NULL, &zip, NULL), FR_OK);
    assert_int_equal(fr_zip_add(zip, "", "x", 1, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_zip_add(zip, name, "x", 1, &error), FR_ERROR_ARGUMENT);
    assert_int_equal(d.size, 0);
    fr_zip_writer_destroy(zip);
    fr_zip_writer_destroy(NULL);
    size_t whole = (d.room = sizeof d.bytes, write_all(NULL, NULL) == FR_OK ? d.size : 0);
    for (d.room = 0; d.room < whole; d.room += 1 + d.room / 7) {
        assert_int_equal(write_all(NULL, NULL), FR_ERROR_FILE);
    }
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    d.room = sizeof d.bytes;
    assert_true(test_every_failure(write_all, NULL) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_found_again),
        cmocka_unit_test(wrong_names_and_full_disks_are_said),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
