// Addresses of pictures: which entry they name, and what is none.
#include "server/gallery_picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const fr_scene_entry entries[] = {{.name = "a", .title = "A", .about = "", .picture = "/x/a.jpg"},
                                         {.name = "b", .title = "B", .about = ""},
                                         {.name = "../c", .title = "C", .about = "", .picture = "c.jpg"}};
static const fr_scene_provider provider = {.entries = entries, .entry_count = 3};

static void an_address_leads_back_to_its_file(void **state) {
    (void)state;
    for (uint32_t i = 0; i < provider.entry_count; i++) {
        char address[FR__PICTURE_ADDRESS_BYTES], path[FR__PICTURE_ADDRESS_BYTES + 1] = "/";
        fr__picture_address(&provider, i, address);
        strcat(path, address);
        if (entries[i].picture == NULL) {
            assert_string_equal(address, "");
        } else {
            assert_ptr_equal(fr__picture_find(&provider, path), entries[i].picture);
        }
    }
}

static void anything_else_is_no_picture(void **state) {
    (void)state;
    static const char *const paths[] = {"/",
                                        "/pictures",
                                        "/pictures/",
                                        "/pictures/0.jpg",
                                        "/pictures/2.jpg",
                                        "/pictures/4.jpg",
                                        "/pictures/1",
                                        "/pictures/1.png",
                                        "/pictures/1.jpg/",
                                        "/pictures/ 1.jpg",
                                        "/pictures/+1.jpg",
                                        "/pictures/-1.jpg",
                                        "/pictures/01.jpg",
                                        "/pictures/a.jpg",
                                        "/pictures/99999999999999999999999.jpg",
                                        "/picture/1.jpg"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_null(fr__picture_find(&provider, paths[i]));
    }
    const fr_scene_provider none = {0};
    assert_null(fr__picture_find(&none, "/pictures/1.jpg"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_address_leads_back_to_its_file),
                                       cmocka_unit_test(anything_else_is_no_picture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
