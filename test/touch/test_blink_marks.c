// Marks of triangles that have blinked.
#include "failing.h"

#include "fureai/touch.h"

typedef struct boxes {
    fr_space *space;
    fr_object_id ids[2];
} boxes;

static boxes set_up(void) {
    boxes b;
    fr_mesh *box;
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &b.space, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_named("box", NULL, &box, NULL), FR_OK);
    for (int i = 0; i < 2; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = box;
        fr_object_def object = fr_default_object_def();
        object.parts = &part;
        object.part_count = 1;
        assert_int_equal(fr_object_add(b.space, &object, &b.ids[i], NULL), FR_OK);
    }
    fr_mesh_release(box);
    return b;
}

static uint32_t count_of(const fr_blink_marks *marks, fr_object_id id) {
    uint32_t all, count = 0;
    const unsigned char *list = fr_blink_marks_get(marks, id, &all);
    for (uint32_t i = 0; i < all; i++) {
        count += list[i] != 0;
    }
    return count;
}

static void a_struck_face_blinks_with_its_inclination(void **state) {
    (void)state;
    boxes b = set_up();
    fr_blink_marks *marks;
    uint32_t all;
    assert_int_equal(fr_blink_marks_create(b.space, NULL, &marks, NULL), FR_OK);
    assert_true(fr_blink_marks_get(marks, b.ids[1], &all) != NULL && all == 12 && count_of(marks, b.ids[1]) == 0);
    fr_touch_hit hit = {.object = b.ids[1], .pair = FR_TOUCH_ORIGIN_FACE, .triangle = 3};
    assert_int_equal(fr_blink_marks_add(marks, &hit, NULL), FR_OK);
    assert_true(count_of(marks, b.ids[1]) >= 2 && count_of(marks, b.ids[1]) < 12 && count_of(marks, b.ids[0]) == 0);
    assert_true(fr_blink_marks_get(marks, b.ids[1], &all)[3] != 0);

    // A point that met a vertex lets the whole model blink.
    hit = (fr_touch_hit){.object = b.ids[0], .pair = FR_TOUCH_ORIGIN_VERTEX};
    assert_true(fr_blink_is_whole(hit.pair));
    assert_int_equal(fr_blink_marks_add(marks, &hit, NULL), FR_OK);
    assert_int_equal(count_of(marks, b.ids[0]), 12);

    hit.object = (fr_object_id){0};
    assert_int_equal(fr_blink_marks_add(marks, &hit, NULL), FR_ERROR_STALE_ID);
    assert_null(fr_blink_marks_get(marks, hit.object, &all));
    assert_int_equal(all, 0);
    fr_blink_marks_destroy(marks);
    fr_blink_marks_destroy(NULL);
    fr_space_destroy(b.space);
}

// The marks are of the objects that were there when they were made; a larger one in the same place is refused.
static void an_object_that_came_later_is_refused(void **state) {
    (void)state;
    boxes b = set_up();
    fr_blink_marks *marks;
    assert_int_equal(fr_blink_marks_create(b.space, NULL, &marks, NULL), FR_OK);
    assert_int_equal(fr_object_remove(b.space, b.ids[1], NULL), FR_OK);
    fr_mesh *sphere;
    assert_int_equal(fr_mesh_create_named("sphere_960", NULL, &sphere, NULL), FR_OK);
    fr_part_def part = fr_default_part_def();
    part.mesh = sphere;
    fr_object_def object = fr_default_object_def();
    object.parts = &part;
    object.part_count = 1;
    fr_object_id id;
    assert_int_equal(fr_object_add(b.space, &object, &id, NULL), FR_OK);
    assert_int_equal(id.index1, b.ids[1].index1);
    fr_touch_hit hit = {.object = id, .pair = FR_TOUCH_ORIGIN_FACE, .triangle = 900};
    assert_int_equal(fr_blink_marks_add(marks, &hit, NULL), FR_ERROR_STALE_DATA);
    uint32_t all;
    assert_true(fr_blink_marks_get(marks, id, &all) == NULL && all == 0);
    hit = (fr_touch_hit){.object = b.ids[0], .pair = FR_TOUCH_ORIGIN_FACE, .triangle = 12};
    assert_int_equal(fr_blink_marks_add(marks, &hit, NULL), FR_ERROR_ARGUMENT);
    hit = (fr_touch_hit){.object = b.ids[0], .pair = FR_TOUCH_ORIGIN_FACE, .part = 1};
    assert_int_equal(fr_blink_marks_add(marks, &hit, NULL), FR_ERROR_ARGUMENT);
    fr_mesh_release(sphere);
    fr_blink_marks_destroy(marks);
    fr_space_destroy(b.space);
}

static fr_status mark_with(const fr_allocator *allocator, void *context) {
    boxes *b = context;
    fr_blink_marks *marks = NULL;
    const fr_touch_hit hit = {.object = b->ids[0], .pair = FR_TOUCH_ORIGIN_FACE, .triangle = 1};
    fr_status status = fr_blink_marks_create(b->space, allocator, &marks, NULL);
    if (status == FR_OK) { status = fr_blink_marks_add(marks, &hit, NULL); }
    fr_blink_marks_destroy(marks);
    return status;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    boxes b = set_up();
    assert_true(test_every_failure(mark_with, &b) > 4);
    fr_space_destroy(b.space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_struck_face_blinks_with_its_inclination),
        cmocka_unit_test(an_object_that_came_later_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
