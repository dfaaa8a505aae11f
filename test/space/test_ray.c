// Rays through the space, against every triangle one by one.
#include "frame.h"
#include "scene_sets.h"
#include "shape/mesh_ray.h"

// ---------------------------------------------------------------------------------------------------------------
// Validity and simple truths

static void what_is_no_ray_is_refused(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    scene_fill(&s, 3, true);
    fr_ray ray = {{0, 0, 0}, {1, 0, 0}, INFINITY};
    fr_space_hit hit;
    bool any;
    uint32_t count;
    assert_int_equal(fr_space_ray(s.space, &ray, NULL, &hit, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_ray_any(s.space, &ray, NULL, &any, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_ray_all(s.space, &ray, NULL, NULL, 0, &count, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_ray_many(s.space, &ray, 1, NULL, NULL, &hit, NULL), FR_ERROR_STALE_DATA);
    scene_update(&s);
    const fr_ray wrong[] = {{{NAN, 0, 0}, {1, 0, 0}, 1}, {{0, 0, 0}, {0, 0, 0}, 1},   {{0, 0, 0}, {1, INFINITY, 0}, 1},
                            {{0, 0, 0}, {1, 0, 0}, -1},  {{0, 0, 0}, {1, 0, 0}, NAN}, {{0x1p+301, 0, 0}, {1, 0, 0}, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(fr_space_ray(s.space, &wrong[i], NULL, &hit, NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(hit.object.index1, 0);
        assert_int_equal(fr_space_ray_any(s.space, &wrong[i], NULL, &any, NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(fr_space_ray_all(s.space, &wrong[i], NULL, NULL, 0, &count, NULL), FR_ERROR_ARGUMENT);
        assert_int_equal(fr_space_ray_many(s.space, &wrong[i], 1, NULL, NULL, &hit, NULL), FR_ERROR_ARGUMENT);
    }
    scene_close(&s);
}

static void a_box_is_met_at_its_face(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    fr_object_id near = scene_add_cube(&s, fr_vec3_make(10, 0, 0), 1, 0);
    fr_object_id far = scene_add_cube(&s, fr_vec3_make(20, 0, 0), 3, FR_OBJECT_STATIC);
    scene_update(&s);

    fr_ray ray = {{0, 0.25, 0.125}, {2, 0, 0}, INFINITY};
    fr_space_hit hit;
    assert_int_equal(fr_space_ray(s.space, &ray, NULL, &hit, NULL), FR_OK);
    assert_true(fr_object_id_equal(hit.object, near));
    assert_true(hit.distance == 4.5 && hit.point.x == 9.0 && hit.normal.x == -1.0);
    ray.limit = 4.25;
    assert_int_equal(fr_space_ray(s.space, &ray, NULL, &hit, NULL), FR_OK);
    assert_int_equal(hit.object.index1, 0);
    ray.limit = INFINITY;
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = near;
    assert_int_equal(fr_space_ray(s.space, &ray, &filter, &hit, NULL), FR_OK);
    assert_true(fr_object_id_equal(hit.object, far) && hit.distance == 8.5);
    fr_space_hit all[8];
    uint32_t count = 0;
    assert_int_equal(fr_space_ray_all(s.space, &ray, NULL, all, 8, &count, NULL), FR_OK);
    assert_int_equal(count, 4);
    assert_true(all[0].distance == 4.5 && all[1].distance == 5.5 && all[2].distance == 8.5 && all[3].distance == 11.5);
    assert_int_equal(fr_space_ray_all(s.space, &ray, NULL, all, 2, &count, NULL), FR_OK);
    assert_int_equal(count, 4);
    assert_true(all[0].distance == 4.5 && all[1].distance == 5.5);
    scene_close(&s);
}

// Identical meshes in identical poses: the lowest object of equals.
static void the_lowest_of_equals_is_met(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    for (int i = 0; i < 4; i++) {
        fr_part_def part;
        fr_object_def def = test_mesh_object(s.meshes[0], &part);
        def.flags = i == 0 ? FR_OBJECT_STATIC : 0; // the lowest is in the set that is searched last
        fr_object_id id;
        assert_int_equal(fr_object_add(s.space, &def, &id, NULL), FR_OK);
    }
    scene_update(&s);
    for (int i = 0; i < 200; i++) {
        fr_ray ray = {fr_vec3_scale(3, scene_direction(&s)), {0, 0, 0}, INFINITY};
        ray.direction = fr_vec3_negate(ray.origin);
        fr_space_hit hit, all[64];
        uint32_t count;
        assert_int_equal(fr_space_ray(s.space, &ray, NULL, &hit, NULL), FR_OK);
        assert_int_equal(hit.object.index1, 1);
        assert_int_equal(fr_space_ray_all(s.space, &ray, NULL, all, 64, &count, NULL), FR_OK);
        assert_int_equal(count % 4, 0);
        for (uint32_t k = 1; k < count; k++) {
            assert_true(all[k - 1].distance <= all[k].distance);
        }
    }
    scene_close(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Against brute force

typedef struct brute_hits {
    fr_ray ray;
    fr__ray_query world_ray;
    fr_space_hit hits[4096];
    uint32_t count;
} brute_hits;

static void brute_triangle(fr_object_id id, uint32_t triangle, const fr_vec3 corners[3], void *context) {
    brute_hits *b = context;
    b->world_ray.hit.triangle = FR_NONE;
    b->world_ray.hit.distance = b->world_ray.limit;
    fr__ray_corners(&b->world_ray, corners, triangle);
    if (b->world_ray.hit.triangle == FR_NONE) { return; }
    int exponent;
    frexp(fr_vec3_largest(b->ray.direction), &exponent);
    assert_true(b->count < 4096);
    fr_space_hit *hit = &b->hits[b->count++];
    hit->object = id;
    hit->triangle = triangle;
    hit->distance = ldexp(b->world_ray.hit.distance, -exponent);
}

static int order_hits(const void *a, const void *b) {
    const fr_space_hit *x = a, *y = b;
    if (x->distance != y->distance) { return x->distance < y->distance ? -1 : 1; }
    if (x->object.index1 != y->object.index1) { return x->object.index1 < y->object.index1 ? -1 : 1; }
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

static fr_ray random_ray(scene *s) {
    fr_ray ray = {scene_point(s), scene_direction(s), INFINITY};
    if (scene_below(s, 3) == 0) { ray.direction.y = 0; }
    if (scene_below(s, 4) == 0) { ray.direction.z = 0; }
    if (scene_below(s, 4) == 0) { ray.direction = fr_vec3_scale(1e3, ray.direction); }
    if (scene_below(s, 3) == 0) { ray.limit = scene_between(s, 0, 3); }
    if (scene_below(s, 4) == 0) {
        // At a corner, along an edge, from a corner.
        fr_object_id id = scene_any(s);
        fr_vec3 corners[3];
        uint32_t triangle = scene_below(s, fr_object_get(s->space, id)->triangle_count);
        (void)fr_object_corners(s->space, id, triangle, corners, NULL);
        if (scene_below(s, 2) == 0) { ray.origin = corners[1]; }
        ray.direction = fr_vec3_sub(corners[scene_below(s, 2) * 2], ray.origin);
        if (fr_vec3_largest(ray.direction) == 0.0) { ray.direction.x = 1; }
    }
    return ray;
}

static void compare_ray(scene *s) {
    static brute_hits b;
    fr_query_filter filter;
    const fr_query_filter *given = scene_random_filter(s, &filter);
    b.ray = random_ray(s);
    b.count = 0;
    fr_mesh_view nothing;
    memset(&nothing, 0, sizeof nothing);
    assert_true(fr__ray_prepare(&nothing, &b.ray, &b.world_ray));
    scene_each_triangle(s, given, brute_triangle, &b);
    qsort(b.hits, b.count, sizeof b.hits[0], order_hits);

    fr_space_hit hit, all[16];
    bool any;
    uint32_t count;
    assert_int_equal(fr_space_ray(s->space, &b.ray, given, &hit, NULL), FR_OK);
    assert_int_equal(fr_space_ray_any(s->space, &b.ray, given, &any, NULL), FR_OK);
    assert_int_equal(fr_space_ray_all(s->space, &b.ray, given, all, 16, &count, NULL), FR_OK);
    assert_int_equal(any, b.count > 0);
    assert_int_equal(count, b.count);
    if (b.count == 0) {
        assert_int_equal(hit.object.index1, 0);
        return;
    }
    for (uint32_t i = 0; i < count && i < 16; i++) {
        assert_true(fr_object_id_equal(all[i].object, b.hits[i].object));
        assert_int_equal(all[i].triangle, b.hits[i].triangle);
        assert_true(all[i].distance == b.hits[i].distance);
        assert_int_equal(all[i].part, fr_object_part_of_triangle(s->space, all[i].object, all[i].triangle));
    }
    assert_memory_equal(&hit, &all[0], sizeof hit);
}

static void rays_meet_what_brute_force_meets(void **state) {
    (void)state;
    const double offsets[] = {0, 0, 1e6};
    uint64_t scenes = test_count(60, 1000);
    for (uint64_t i = 0; i < scenes; i++) {
        scene s;
        scene_open(&s, i, i % 2 == 0 ? 3 : 8, offsets[i % 3], NULL);
        scene_fill(&s, 12, i % 4 == 0);
        for (int k = 0; k < 3; k++) {
            scene_deform(&s, scene_any(&s));
        }
        scene_update(&s);
        scene_validate(&s);
        for (int k = 0; k < 150; k++) {
            compare_ray(&s);
        }
        scene_close(&s);
    }
}

static void many_rays_are_the_same_rays(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 9, 4, 0, NULL);
    scene_fill(&s, 20, false);
    scene_update(&s);
    enum { COUNT = 500 };
    static fr_ray rays[COUNT];
    static fr_space_hit hits[COUNT];
    for (int i = 0; i < COUNT; i++) {
        rays[i] = random_ray(&s);
    }
    fr_query_filter filter = fr_default_query_filter();
    filter.accept = scene_accept_even;
    for (int k = 0; k < 2; k++) {
        const fr_query_filter *given = k == 0 ? NULL : &filter;
        assert_int_equal(fr_space_ray_many(s.space, rays, COUNT, given, NULL, hits, NULL), FR_OK);
        for (int i = 0; i < COUNT; i++) {
            fr_space_hit hit;
            assert_int_equal(fr_space_ray(s.space, &rays[i], given, &hit, NULL), FR_OK);
            assert_memory_equal(&hit, &hits[i], sizeof hit);
        }
    }
    scene_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_ray_is_refused),   cmocka_unit_test(a_box_is_met_at_its_face),
        cmocka_unit_test(the_lowest_of_equals_is_met), cmocka_unit_test(rays_meet_what_brute_force_meets),
        cmocka_unit_test(many_rays_are_the_same_rays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
