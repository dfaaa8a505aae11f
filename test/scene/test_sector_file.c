// The sector file: what it says, where it is wrong, and that the schema agrees.
#include "failing.h"
#include "schema.h"

#include "fureai/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BAT                                                                                                            \
    "{\"name\":\"bat\",\"box\":{\"center\":[0,5,0],\"size\":[1,4,0.5]},\"pivot\":[0,0,0],\"axis\":[0,0,2],"            \
    "\"angle_deg\":-90"
#define VIEW                                                                                                           \
    "{\"name\":\"view\",\"center\":[1,2,3],\"axis\":[0,1,0],\"bisector\":[0,0,1],\"half_angle_deg\":45,\"inner\":0,"   \
    "\"outer\":10,\"half_thickness\":2}"
#define WITH(sectors, queries) "{\"fureai\":1,\"sectors\":[" sectors "],\"queries\":[" queries "]}"

static fr_json *schema;
static char *schema_text;

static int open_schema(void **state) {
    (void)state;
    FILE *file = fopen(SCHEMA_FILE, "rb");
    if (file == NULL) { return -1; }
    schema_text = calloc(1, 1 << 16);
    size_t size = fread(schema_text, 1, (1 << 16) - 1, file);
    fclose(file);
    schema = schema_parse(schema_text, size);
    return schema != NULL ? 0 : -1;
}

static int close_schema(void **state) {
    (void)state;
    fr_json_destroy(schema);
    free(schema_text);
    return 0;
}

static bool schema_says(const char *text) {
    fr_json *json = schema_parse(text, strlen(text));
    if (json == NULL) { return false; }
    bool right = schema_accepts(schema, json);
    fr_json_destroy(json);
    return right;
}

static fr_sector_file *read_right(const char *text) {
    fr_sector_file *file;
    fr_error error = {0};
    if (fr_sector_file_read(text, strlen(text), NULL, &file, &error) != FR_OK) { fail_msg("%s", error.message); }
    assert_true(schema_says(text));
    return file;
}

// Wrong at this column of the first line; `by_schema`: the schema refuses it too.
static void expect_wrong(const char *text, const char *message, const char *at, bool by_schema) {
    fr_sector_file *file;
    fr_error error = {0};
    fr_status status = fr_sector_file_read(text, strlen(text), NULL, &file, &error);
    assert_true(status != FR_OK && file == NULL && error.status == status);
    if (strstr(error.message, message) == NULL) { fail_msg("%s", error.message); }
    assert_int_equal(error.line, 1);
    assert_int_equal(error.column, (int)(strstr(text, at) - text) + 1);
    assert_int_equal(schema_says(text), !by_schema);
}

static void test_reads_all_of_it(void **state) {
    (void)state;
    fr_sector_file *file = read_right(WITH(
        VIEW "," BAT "},{\"name\":\"exact\",\"box\":{\"center\":[0,5,0],\"size\":[1,4,0.5],\"rotation\":[1,0,0,0]},"
             "\"pivot\":[0,0,0],\"axis\":[0,0,1],\"angle_deg\":30,\"build\":\"exact\",\"slide\":0}",
        "{\"sector\":\"view\",\"shape\":\"point\",\"point\":[1,2,4]},"
        "{\"sector\":\"bat\",\"shape\":\"sphere\",\"center\":[1,2,4],\"radius\":0.5},"
        "{\"sector\":\"bat\",\"shape\":\"capsule\",\"from\":[1,2,4],\"to\":[1,2,5],\"radius\":0.5},"
        "{\"sector\":\"exact\",\"shape\":\"box\",\"center\":[1,2,4],\"size\":[1,1,2],\"rotation\":[0,1,0,0]},"
        "{\"sector\":\"exact\",\"shape\":\"triangle\",\"points\":[[1,2,4],[0,0,1],[7,8,9]]},"
        "{\"sector\":\"view\",\"shape\":\"sector\",\"with\":\"bat\"}"));
    const fr_sector_file_view *view = fr_sector_file_get(file);
    assert_int_equal(view->sector_count, 3);
    assert_int_equal(view->query_count, 6);
    const fr_sector_entry *s = view->sectors;
    assert_true(s[0].build == FR_SECTOR_GIVEN && s[0].sector.outer == 10.0 &&
                fabs(s[0].sector.sine - sqrt(0.5)) < 1e-12);
    assert_true(s[1].build == FR_SECTOR_CONSERVATIVE && s[1].screw.axis.z == 1.0 && s[1].box.half.y == 2.0);
    assert_true(fabs(s[1].screw.angle + 0.5 * FR_PI) < 1e-12 && s[1].sector.inner > 2.99);
    assert_true(s[2].build == FR_SECTOR_EXACT && s[2].swing.distance == 5.0);
    const fr_sector_query *q = view->queries;
    assert_true(q[0].shape == FR_SECTOR_QUERY_POINT && q[0].points[0].z == 4.0 && q[0].sector == 0);
    assert_true(q[2].points[1].z == 5.0 && q[2].radius == 0.5);
    assert_true(q[3].box.half.z == 1.0 && q[4].points[2].z == 9.0 && q[5].other == 1);
    fr_sector_file_destroy(file);
    fr_sector_file_destroy(read_right("{\"fureai\":1,\"sectors\":[]}"));
}

static void test_tells_what_is_wrong_and_where(void **state) {
    (void)state;
    expect_wrong("{\"fureai\":2,\"sectors\":[]}", "version 2", "2", true);
    expect_wrong(WITH("{\"name\":\"a\",\"axis\":[0,0,1],\"outer\":1}", ""), "needs center", "{\"name", true);
    expect_wrong(WITH(BAT ",\"inner\":1}", ""), "has no inner", "\"inner\"", true);
    expect_wrong(WITH(BAT ",\"build\":\"exakt\"}", ""), "did you mean 'exact'", "\"exakt\"", true);
    expect_wrong(WITH(BAT ",\"slide\":1,\"build\":\"thesis\"}", ""), "only a box that swings", "\"thesis\"", false);
    expect_wrong(WITH(BAT "},{\"axis\":[0,0,1],\"name\":\"bat\"}", ""), "another sector has the name", "\"bat\"}",
                 true);
    expect_wrong(WITH(VIEW, "{\"sector\":\"vieu\",\"shape\":\"point\",\"point\":[0,0,0]}"), "there is no sector 'vieu'",
                 "\"vieu\"", false);
    expect_wrong(WITH(VIEW, "{\"sector\":\"view\",\"shape\":\"point\",\"radius\":1,\"point\":[0,0,0]}"),
                 "a query by point has no radius", "\"radius\"", true);
    expect_wrong(WITH(VIEW, "{\"sector\":\"view\",\"shape\":\"sphere\",\"center\":[0,0,0],\"radius\":-1}"), "radius",
                 "-1", true);
    expect_wrong(WITH(VIEW, "{\"sector\":\"view\",\"shape\":\"triangle\",\"points\":[[0,0,0],[1,1,1]]}"), "points",
                 "[[0,0,0],[1", true);
}

static void test_sectors_that_are_none(void **state) {
    (void)state;
    expect_wrong("{\"fureai\":1,\"sectors\":[{\"name\":\"a\",\"center\":[0,0,0],\"axis\":[0,0,0],\"bisector\":[1,0,0],"
                 "\"half_angle_deg\":1,\"inner\":1,\"outer\":2,\"half_thickness\":0}]}",
                 "axis is zero", "{\"name", false);
    expect_wrong("{\"fureai\":1,\"sectors\":[{\"name\":\"a\",\"center\":[0,0,0],\"axis\":[0,0,1],\"bisector\":[1,0,0],"
                 "\"half_angle_deg\":1,\"inner\":3,\"outer\":2,\"half_thickness\":0}]}",
                 "0 <= inner <= outer", "{\"name", false);
    expect_wrong("{\"fureai\":1,\"sectors\":[{\"name\":\"a\",\"box\":{\"center\":[0,5,0],\"size\":[1,4,0.5]},"
                 "\"pivot\":[0,0,0],\"axis\":[0,0,0],\"angle_deg\":1}]}",
                 "axis is zero", "[0,0,0],\"angle", false);
}

static void test_there_are_so_many_and_no_more(void **state) {
    (void)state;
    static char text[3 * FR_SECTOR_FILE_MAX_QUERIES + 100];
    static const char *const begins[] = {"{\"fureai\":1,\"sectors\":[{}",
                                         "{\"fureai\":1,\"sectors\":[],\"queries\":[{}"};
    static const int most[] = {FR_SECTOR_FILE_MAX_SECTORS, FR_SECTOR_FILE_MAX_QUERIES};
    for (int i = 0; i < 2; i++) {
        for (int more = 0; more < 2; more++) {
            size_t size = (size_t)sprintf(text, "%s", begins[i]);
            for (int k = 1; k < most[i] + more; k++) {
                memcpy(text + size, ",{}", 3);
                size += 3;
            }
            size += (size_t)sprintf(text + size, "]}");
            fr_sector_file *file;
            // As many as may be are looked at, and are wrong.
            assert_int_equal(fr_sector_file_read(text, size, NULL, &file, NULL),
                             more ? FR_ERROR_LIMIT : FR_ERROR_SYNTAX);
        }
    }
}

static fr_status read_sectors(const fr_allocator *allocator, void *context) {
    const char *text = context;
    fr_scene_read_input options = fr_default_scene_read_input();
    options.allocator = *allocator;
    fr_sector_file *file;
    fr_status status = fr_sector_file_read(text, strlen(text), &options, &file, NULL);
    if (status == FR_OK) { test_note_number(fr_sector_file_get(file)->query_count); }
    fr_sector_file_destroy(file);
    return status;
}

static void test_memory_may_run_out(void **state) {
    (void)state;
    char text[] = WITH(VIEW, "{\"sector\":\"view\",\"shape\":\"point\",\"point\":[1,2,4]}");
    assert_true(test_every_failure(read_sectors, text) > 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_all_of_it),       cmocka_unit_test(test_tells_what_is_wrong_and_where),
        cmocka_unit_test(test_sectors_that_are_none), cmocka_unit_test(test_there_are_so_many_and_no_more),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, open_schema, close_schema);
}
