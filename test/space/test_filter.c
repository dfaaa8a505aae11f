// Queries that run as if an object made them, against its filter and the other's one by one.
#include "frame.h"
#include "scene_sets.h"

// Two cubes side by side; whether a query on behalf of the first one finds the second one.
typedef struct couple {
    scene s;
    fr_object_id self, other;
} couple;

static void open_couple(couple *c) {
    scene_open(&c->s, 1, 3, 0, NULL);
    c->self = scene_add_cube(&c->s, fr_vec3_make(0, 0, 0), 1, 0);
    c->other = scene_add_cube(&c->s, fr_vec3_make(4, 0, 0), 1, 0);
    scene_update(&c->s);
}

static fr_query_filter filter_of(const couple *c) {
    fr_query_filter filter = fr_default_query_filter();
    filter.as_object = c->self;
    return filter;
}

// A ray through both, from the side of the first one.
static fr_status hit_of(const couple *c, const fr_query_filter *filter, fr_object_id *hit) {
    fr_ray ray = {.origin = {-9, 0.25, 0.125}, .direction = {1, 0, 0}, .limit = 99};
    fr_space_hit out = {0};
    fr_status status = fr_space_ray(c->s.space, &ray, filter, &out, NULL);
    *hit = out.object;
    return status;
}

static bool is_met(const couple *c) {
    fr_query_filter filter = filter_of(c);
    fr_object_id hit;
    assert_int_equal(hit_of(c, &filter, &hit), FR_OK);
    assert_false(fr_object_id_equal(hit, c->self));
    return fr_object_id_equal(hit, c->other);
}

static void a_stale_object_is_refused_by_every_query(void **state) {
    (void)state;
    couple c;
    open_couple(&c);
    fr_query_filter filter = filter_of(&c);
    assert_int_equal(fr_object_remove(c.s.space, c.self, NULL), FR_OK);
    scene_update(&c.s);
    fr_object_id hit;
    assert_int_equal(hit_of(&c, &filter, &hit), FR_ERROR_STALE_ID);
    fr_ray ray = {.origin = {-9, 0, 0}, .direction = {1, 0, 0}, .limit = 99};
    fr_space_hit hits[2];
    uint32_t count;
    bool is_any;
    assert_int_equal(fr_space_ray_any(c.s.space, &ray, &filter, &is_any, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_space_ray_all(c.s.space, &ray, &filter, hits, 2, &count, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_space_ray_many(c.s.space, &ray, 1, &filter, NULL, hits, NULL), FR_ERROR_STALE_ID);
    fr_overlap_shape shape = {.kind = FR_OVERLAP_BALL, .radius = 1, .pose = fr_pose_identity()};
    assert_int_equal(fr_space_overlap(c.s.space, &shape, &filter, NULL, 0, &count, NULL), FR_ERROR_STALE_ID);
    fr_vec3 point = {0, 0, 0};
    fr_space_closest closest;
    assert_int_equal(fr_space_closest_point(c.s.space, point, 1, false, &filter, &closest, NULL), FR_ERROR_STALE_ID);
    assert_int_equal(fr_space_closest_many(c.s.space, &point, 1, 1, false, &filter, NULL, &closest, NULL),
                     FR_ERROR_STALE_ID);
    assert_int_equal(fr_space_cast_ball(c.s.space, point, point, 1, &filter, hits, NULL), FR_ERROR_STALE_ID);
    scene_close(&c.s);
}

static void the_object_itself_and_sensors_are_left_out(void **state) {
    (void)state;
    couple c;
    open_couple(&c);
    fr_object_id hit;
    fr_query_filter filter = fr_default_query_filter();
    assert_int_equal(filter.as_object.index1, 0);
    assert_int_equal(hit_of(&c, &filter, &hit), FR_OK);
    assert_true(fr_object_id_equal(hit, c.self));
    assert_true(is_met(&c));
    assert_int_equal(fr_object_set_flags(c.s.space, c.other, FR_OBJECT_SENSOR, NULL), FR_OK);
    scene_update(&c.s);
    assert_false(is_met(&c));
    // A sensor's own query finds what is none.
    assert_int_equal(fr_object_set_flags(c.s.space, c.other, 0, NULL), FR_OK);
    assert_int_equal(fr_object_set_flags(c.s.space, c.self, FR_OBJECT_SENSOR, NULL), FR_OK);
    scene_update(&c.s);
    assert_true(is_met(&c));
    scene_close(&c.s);
}

// It has a box and a pose as any other, and becomes one that is touched.
static void a_ghost_is_met_by_nothing(void **state) {
    (void)state;
    couple c;
    open_couple(&c);
    assert_int_equal(fr_object_set_flags(c.s.space, c.other, FR_OBJECT_GHOST | FR_OBJECT_SELF, NULL), FR_OK);
    scene_update(&c.s);
    scene_validate(&c.s);
    assert_false(is_met(&c));
    fr_bounds bounds;
    assert_int_equal(fr_object_bounds(c.s.space, c.other, &bounds, NULL), FR_OK);
    assert_true(bounds.min.x <= 3.0 && bounds.max.x >= 5.0);
    fr_pose near = fr_pose_identity();
    near.position.x = 2.0;
    assert_int_equal(fr_object_set_pose(c.s.space, c.other, &near, NULL), FR_OK);
    scene_update(&c.s);
    scene_validate(&c.s);
    assert_false(is_met(&c));
    assert_int_equal(fr_object_set_flags(c.s.space, c.other, FR_OBJECT_PROXY, NULL), FR_OK);
    scene_update(&c.s);
    scene_validate(&c.s);
    assert_true(is_met(&c));
    scene_close(&c.s);
}

static void mask_ignore_and_function_decide_too(void **state) {
    (void)state;
    couple c;
    open_couple(&c);
    fr_object_id hit;
    fr_query_filter filter = filter_of(&c);
    filter.ignore = c.other;
    assert_int_equal(hit_of(&c, &filter, &hit), FR_OK);
    assert_int_equal(hit.index1, 0);
    filter = filter_of(&c);
    filter.mask = 2;
    assert_int_equal(hit_of(&c, &filter, &hit), FR_OK);
    assert_int_equal(hit.index1, 0);
    filter = filter_of(&c);
    filter.accept = scene_accept_even;
    assert_int_equal(hit_of(&c, &filter, &hit), FR_OK);
    assert_true(hit.index1 == (c.other.index1 % 2 == 0 ? c.other.index1 : 0));
    scene_close(&c.s);
}

// Written from the words of space.h: one group always or never, else layers in each other's mask.
static bool may_meet(fr_filter a, fr_filter b) {
    bool is_one_group = a.group == b.group && a.group != 0;
    bool is_masked = (a.layers & b.mask) != 0 && (b.layers & a.mask) != 0;
    return is_one_group ? a.group > 0 : is_masked;
}

static fr_filter filter_at(uint32_t i) {
    fr_filter filter = {.layers = 1 + i % 3, .mask = i / 3 % 4, .group = (int32_t)(i / 12) - 1};
    return filter;
}

static void layers_masks_and_groups_decide_as_for_two_objects(void **state) {
    (void)state;
    couple c;
    open_couple(&c);
    uint32_t met = 0;
    for (uint32_t i = 0; i < 36; i++) {
        assert_int_equal(fr_object_set_filter(c.s.space, c.self, filter_at(i), NULL), FR_OK);
        for (uint32_t k = 0; k < 36; k++) {
            assert_int_equal(fr_object_set_filter(c.s.space, c.other, filter_at(k), NULL), FR_OK);
            scene_update(&c.s);
            assert_true(is_met(&c) == may_meet(filter_at(i), filter_at(k)));
            met += is_met(&c) ? 1 : 0;
        }
    }
    assert_true(met > 200 && met < 1000);
    scene_close(&c.s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stale_object_is_refused_by_every_query),
        cmocka_unit_test(the_object_itself_and_sensors_are_left_out),
        cmocka_unit_test(a_ghost_is_met_by_nothing),
        cmocka_unit_test(mask_ignore_and_function_decide_too),
        cmocka_unit_test(layers_masks_and_groups_decide_as_for_two_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
