// An air compressor, designed by others, many times beside itself: clashes by ranks are those of one process.
#include "ranks.h"

#include <math.h>

static const char *const files[] = {"Closure.STL", "Hinge.STL",          "Hinge 2.STL",      "Piston.STL",
                                    "Hinge_2.STL", "Closure Casing.STL", "Drilling Jig.STL", "Drilling Holder.STL"};

enum { FILE_COUNT = sizeof files / sizeof files[0], HEAD_BYTES = 84, TRIANGLE_BYTES = 50 };

// Copies a binary STL file, moved.
static void copy_moved(const char *from, const char *to, const float offset[3]) {
    char *bytes;
    FILE *file = fopen(from, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    uint32_t count;
    memcpy(&count, bytes + HEAD_BYTES - 4, sizeof count);
    assert_true(size == HEAD_BYTES + (size_t)count * TRIANGLE_BYTES);
    for (size_t i = 0; i < count; i++) {
        float corners[9];
        char *at = bytes + HEAD_BYTES + i * TRIANGLE_BYTES + 12;
        memcpy(corners, at, sizeof corners);
        for (int k = 0; k < 9; k++) {
            corners[k] += offset[k % 3];
        }
        memcpy(at, corners, sizeof corners);
    }
    file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

// Copies stand in a grid, so near that neighbours meet.
static void copies_of_the_air_compressor_clash_alike(void **state) {
    (void)state;
    int copies = (int)test_count(2, 100), edge = (int)ceil(cbrt(copies));
    static char arguments[1 << 19];
    size_t length = (size_t)snprintf(arguments, sizeof arguments, "clash");
    FILE *scene = fopen("scene.json", "w");
    assert_non_null(scene);
    fprintf(scene, "{\"fureai\":1,\"step\":1,\"steps\":1,\"objects\":[");
    for (int c = 0; c < copies; c++) {
        float offset[3] = {30.0f * (float)(c % edge), 30.0f * (float)(c / edge % edge),
                           40.0f * (float)(c / edge / edge)};
        for (int f = 0; f < FILE_COUNT; f++) {
            char relative[128], from[512], to[64];
            snprintf(relative, sizeof relative, "data/cad-air-compressor/%s", files[f]);
            test_shared_path(relative, from, sizeof from);
            snprintf(to, sizeof to, "part_%d_%d.stl", c, f);
            copy_moved(from, to, offset);
            length += (size_t)snprintf(arguments + length, sizeof arguments - length, " %s", to);
            fprintf(scene, "%s{\"name\":\"%s\",\"model\":\"%s\"}", c + f > 0 ? "," : "", to, to);
        }
    }
    fprintf(scene, "]}");
    assert_int_equal(fclose(scene), 0);
    static const int rank_counts[] = {2, 4, 8, 3, 1};
    for (int k = 0; k < (test_is_long() ? 5 : 1); k++) {
        check_same_faces(rank_counts[k], "scene.json", "--static", arguments + sizeof "clash");
        check_same(rank_counts[k], k % 2 == 0 ? "counter" : "static", arguments);
    }
    print_message("%d parts, %d clashes\n", copies * FILE_COUNT, count_in("alone", "\"kind\":\""));
    assert_true(count_in("alone", "\"kind\":\"") > 8 * copies);
}

int main(void) {
    (void)test_shared_folder();
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_of_the_air_compressor_clash_alike)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
