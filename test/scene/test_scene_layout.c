// Models side by side: no two boxes overlap, all stand on the ground, beside what is there.
#include "failing.h"

#include "scene/scene_layout.h"

enum { ITEMS_MAX = 40 };

static fr_bounds placed(const fr__layout_item *item) {
    return (fr_bounds){fr_vec3_add(item->bounds.min, item->position), fr_vec3_add(item->bounds.max, item->position)};
}

static void expect_apart(const fr__layout_item *items, uint32_t count, const fr_bounds *taken) {
    for (uint32_t i = 0; i < count; i++) {
        fr_bounds box = placed(&items[i]);
        assert_true(fabs(box.min.y) < 1e-9 * (1.0 + fr_vec3_largest(items[i].bounds.min)));
        if (!fr_bounds_is_empty(taken)) { assert_true(box.min.x >= taken->max.x); }
        for (uint32_t k = 0; k < i; k++) {
            fr_bounds other = placed(&items[k]);
            assert_false(fr_bounds_overlap(&box, &other));
        }
    }
}

static void boxes_of_any_size_are_apart(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    for (int round = 0; round < 300; round++) {
        fr__layout_item items[ITEMS_MAX];
        uint32_t count = 1 + (uint32_t)fr_random_below(&random, ITEMS_MAX);
        for (uint32_t i = 0; i < count; i++) {
            double low[3], size[3];
            for (int axis = 0; axis < 3; axis++) {
                low[axis] = 200.0 * fr_random_unit(&random) - 100.0;
                size[axis] = fr_random_unit(&random) * (fr_random_below(&random, 3) == 0 ? 10.0 : 0.1);
            }
            items[i] = (fr__layout_item){.bounds = {.min = {low[0], low[1], low[2]}}};
            items[i].bounds.max = fr_vec3_make(low[0] + size[0], low[1] + size[1], low[2] + size[2]);
        }
        fr_bounds taken = fr_bounds_empty();
        if (round % 2 == 1) { taken = (fr_bounds){{-3, 0, -2}, {5, 1, 4}}; }
        fr__layout_rows(items, count, &taken);
        expect_apart(items, count, &taken);
    }
}

static void a_few_stand_in_one_row_about_the_middle(void **state) {
    (void)state;
    fr__layout_item items[3];
    for (int i = 0; i < 3; i++) {
        items[i] = (fr__layout_item){.bounds = {{0, 0, 0}, {1, 1 + i, 1}}};
    }
    fr_bounds taken = fr_bounds_empty();
    fr__layout_rows(items, 3, &taken);
    fr_bounds first = placed(&items[0]), last = placed(&items[2]);
    assert_true(fabs(first.min.x + last.max.x) < 1e-12);
    assert_true(fabs(first.min.z + first.max.z) < 1e-12 && fabs(last.min.z + last.max.z) < 1e-12);
}

static void empty_boxes_are_points(void **state) {
    (void)state;
    fr__layout_item items[2] = {{.bounds = fr_bounds_empty()}, {.bounds = fr_bounds_empty()}};
    fr_bounds taken = fr_bounds_empty();
    fr__layout_rows(items, 2, &taken);
    assert_true(isfinite(items[0].position.x) && items[0].position.x < items[1].position.x);
    fr__layout_rows(NULL, 0, &taken);
}

static void neighbours_have_other_colors(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 100; i++) {
        fr_color a = fr__palette_color(i), b = fr__palette_color(i + 1);
        int apart = abs(a.r - b.r) + abs(a.g - b.g) + abs(a.b - b.b);
        assert_true(a.a == 255 && apart > 60);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_of_any_size_are_apart),
        cmocka_unit_test(a_few_stand_in_one_row_about_the_middle),
        cmocka_unit_test(empty_boxes_are_points),
        cmocka_unit_test(neighbours_have_other_colors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
