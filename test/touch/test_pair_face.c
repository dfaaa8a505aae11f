// Polygon against polygon, bit for bit as every triangle against every other gives it, near and far, and stopped.
#include "frame.h"
#include "random_vector.h"

#include "fureai/touch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_HITS 2048

// A thing of two parts, and a held model of two.
typedef struct room {
    fr_space *space;
    fr_mesh *thing, *held;
    fr_part_def parts[2];
    fr_object_id id;
    fr_touch_input input;
    fr_touch_hit *hits;
} room;

static fr_mesh *named(const char *name) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named(name, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

// Both models have their mesh twice, the second one smaller and beside the first.
static void two_parts(const fr_mesh *mesh, fr_part_def parts[2]) {
    parts[0] = parts[1] = fr_default_part_def();
    parts[0].mesh = parts[1].mesh = mesh;
    parts[1].pose.position = fr_vec3_make(1.5, 0.2, -0.1);
    parts[1].pose.rotation = fr_quat_from_axis_angle(fr_vec3_make(1.0, 1.0, 0.0), 0.8);
    parts[1].pose.scale = 0.4;
}

// Takes over the meshes.
static void open_room(room *r, fr_mesh *thing, fr_mesh *held) {
    memset(r, 0, sizeof *r);
    r->thing = thing;
    r->held = held;
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &r->space, NULL), FR_OK);
    fr_part_def parts[2];
    two_parts(thing, parts);
    fr_object_def object = fr_default_object_def();
    object.parts = parts;
    object.part_count = 2;
    object.pose.position = fr_vec3_make(0.3, -0.2, 0.1);
    object.pose.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.3, 1.0, -0.4), 1.1);
    object.pose.scale = 0.7;
    assert_int_equal(fr_object_add(r->space, &object, &r->id, NULL), FR_OK);
    assert_int_equal(fr_space_update(r->space, NULL, NULL), FR_OK);
    two_parts(held, r->parts);
    r->hits = calloc(MOST_HITS, sizeof *r->hits);
    assert_non_null(r->hits);
    r->input = fr_default_touch_input();
    r->input.space = r->space;
    r->input.parts = r->parts;
    r->input.part_count = 2;
    r->input.pairs = FR_TOUCH_FACE_FACE;
    r->input.hits = r->hits;
    r->input.capacity = MOST_HITS;
}

static void close_room(room *r) {
    fr_space_destroy(r->space);
    fr_mesh_release(r->thing);
    fr_mesh_release(r->held);
    free(r->hits);
}

// ---------------------------------------------------------------------------------------------------------------
// Every triangle against every other

// The nearest held triangle of one triangle of the thing, the lowest of equals.
static fr_touch_hit nearest_of(const room *r, const fr_vec3 near[3]) {
    fr_touch_hit hit = {.distance = INFINITY};
    uint32_t index = 0;
    for (uint32_t p = 0; p < r->input.part_count; p++) {
        const fr_part_def *part = &r->parts[p];
        uint32_t count = fr_mesh_get(part->mesh)->triangle_count;
        for (uint32_t i = 0; i < count; i++, index++) {
            fr_vec3 c[3], on_held, on_near;
            fr_mesh_corners(part->mesh, i, c);
            for (int k = 0; k < 3; k++) {
                c[k] = fr_pose_apply(&r->input.pose, fr_pose_apply(&part->pose, c[k]));
            }
            double distance = fr_triangle_distance(c, near, &on_held, &on_near);
            if (!(distance < hit.distance)) { continue; }
            hit = (fr_touch_hit){.point_index = index, .distance = distance, .point = on_held, .foot = on_near};
        }
    }
    return hit;
}

// The next hit that is wanted, of the polygon of a triangle and those after it; returns the triangle after these.
static uint32_t wanted_hit(const room *r, const fr_part_view *view, uint32_t triangle, fr_touch_hit *out) {
    uint32_t face = fr_mesh_face(view->mesh, triangle), count = fr_mesh_get(view->mesh)->triangle_count;
    *out = (fr_touch_hit){.distance = INFINITY};
    for (; triangle < count && fr_mesh_face(view->mesh, triangle) == face; triangle++) {
        fr_vec3 near[3];
        assert_int_equal(fr_object_corners(r->space, r->id, view->first_triangle + triangle, near, NULL), FR_OK);
        fr_touch_hit hit = nearest_of(r, near);
        if (!(hit.distance < out->distance)) { continue; }
        *out = hit;
        out->element = face;
        out->triangle = view->first_triangle + triangle;
    }
    return triangle;
}

// What is wanted of all polygons, however far they are.
static uint32_t want_all(const room *r, fr_touch_hit *wanted) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < 2; p++) {
        fr_part_view view = fr_object_part(r->space, r->id, p);
        for (uint32_t i = 0; i < fr_mesh_get(view.mesh)->triangle_count; count++) {
            assert_true(count < MOST_HITS);
            i = wanted_hit(r, &view, i, &wanted[count]);
            wanted[count].part = p;
        }
    }
    return count;
}

// All hits are as wanted; returns how many there are.
static uint32_t compare(room *r, const fr_touch_hit *wanted, uint32_t wanted_count) {
    uint32_t count, place = 0;
    assert_int_equal(fr_touch_pairs(&r->input, &count, NULL), FR_OK);
    for (uint32_t i = 0; i < wanted_count; i++) {
        const fr_touch_hit *hit = &r->hits[place], *want = &wanted[i];
        if (!(want->distance <= r->input.distance)) { continue; }
        assert_true(place++ < count);
        assert_int_equal(hit->pair, FR_TOUCH_FACE_FACE);
        assert_true(hit->part == want->part && hit->element == want->element && hit->triangle == want->triangle);
        assert_int_equal(hit->point_index, want->point_index);
        assert_true(hit->distance == want->distance);
        assert_true(fr_vec3_equal(hit->point, want->point) && fr_vec3_equal(hit->foot, want->foot));
    }
    assert_int_equal(place, count);
    return count;
}

static void place_held(room *r, fr_random *random, double far) {
    r->input.pose.position = random_about(random, far);
    r->input.pose.rotation = fr_quat_from_axis_angle(random_about(random, 1.0), 6.0 * fr_random_unit(random));
    r->input.pose.scale = fr_random_between(random, 0.3, 1.5);
}

static void test_the_nearest_is_that_of_all(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"sphere_80", "cone"}, {"box", "sphere_80"}, {"gear", "box"}, {"chair", "box"}};
    static const double reaches[] = {0.05, 0.5, 1e6};
    static fr_touch_hit wanted[MOST_HITS];
    const fr_simd before = fr_simd_get();
    fr_random random = fr_random_seed(11);
    uint64_t count = test_count(12, 600), all = 0;
    for (uint64_t i = 0; i < count; i++) {
        room r;
        open_room(&r, named(names[i % 4][0]), named(names[i % 4][1]));
        // In one another, beside one another, and far away
        place_held(&r, &random, i % 3 == 0 ? 0.2 : i % 3 == 1 ? 2.0 : 50.0);
        uint32_t wanted_count = want_all(&r, wanted);
        for (int k = 0; k < 3; k++) {
            r.input.distance = reaches[k];
            fr_simd_set((i + (uint64_t)k) % 2 == 0 ? FR_SIMD_BASELINE : before);
            r.input.strategy = k == 1 ? FR_TOUCH_POLYGON_ALL : FR_TOUCH_COMBINED_NEAR;
            all += compare(&r, wanted, wanted_count);
        }
        close_room(&r);
    }
    fr_simd_set(before);
    assert_true(all > 100 * count);
}

// Boxes whose faces lie in one another: many triangles are equally near, and the lowest is told.
static void test_of_equals_the_lowest_is_told(void **state) {
    (void)state;
    static fr_touch_hit wanted[MOST_HITS];
    room r;
    open_room(&r, named("box"), named("box"));
    fr_pose there = fr_object_get(r.space, r.id)->pose;
    for (int i = 0; i < 8; i++) {
        r.input.pose = there;
        fr_vec3 aside = {(i & 1) != 0 ? 1.0 : 0.0, (i & 2) != 0 ? 1.0 : 0.0, (i & 4) != 0 ? 1.25 : 0.0};
        r.input.pose.position = fr_pose_apply(&there, aside);
        r.input.distance = 1e6;
        assert_true(compare(&r, wanted, want_all(&r, wanted)) > 0);
    }
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Stopped

typedef struct patience {
    uint32_t left;
    uint32_t asked;
} patience;

static bool stops(void *user) {
    patience *p = user;
    p->asked++;
    if (p->left == 0) { return true; }
    p->left--;
    return false;
}

static void test_a_question_is_stopped(void **state) {
    (void)state;
    room r;
    open_room(&r, named("sphere_48"), named("sphere_48"));
    r.input.distance = 1e6;
    for (uint32_t pairs = FR_TOUCH_FACE_FACE; pairs != 0;
         pairs = pairs == FR_TOUCH_FACE_FACE ? FR_TOUCH_VERTEX_FACE : 0) {
        r.input.pairs = pairs;
        for (int strategy = FR_TOUCH_POLYGON_ALL; strategy <= FR_TOUCH_COMBINED_NEAR; strategy++) {
            r.input.strategy = (fr_touch_strategy)strategy;
            patience p = {.left = UINT32_MAX};
            const fr_control control = {.stop = stops, .user = &p};
            uint32_t count = 0;
            r.input.control = &control;
            assert_int_equal(fr_touch_pairs(&r.input, &count, NULL), FR_OK);
            uint32_t all = p.asked;
            assert_true(count > 0 && all >= 50);
            p = (patience){.left = all / 2};
            fr_error error = {0};
            assert_int_equal(fr_touch_pairs(&r.input, &count, &error), FR_ERROR_STOPPED);
            assert_int_equal(count, 0);
            assert_int_equal(p.asked, all / 2 + 1);
            assert_string_equal(error.message, "stopped");
        }
    }
    close_room(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_nearest_is_that_of_all),
        cmocka_unit_test(test_of_equals_the_lowest_is_told),
        cmocka_unit_test(test_a_question_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
