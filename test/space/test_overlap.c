// Which triangles share a point with a shape, against every triangle one by one.
#include "frame.h"
#include "scene_sets.h"

static fr_overlap_shape make_shape(fr_overlap_kind kind) {
    fr_overlap_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.kind = kind;
    shape.radius = 1;
    shape.box.max = fr_vec3_make(1, 1, 1);
    shape.pose = fr_pose_identity();
    return shape;
}

static void what_is_no_shape_is_refused(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    uint32_t count = 7;
    fr_overlap_shape shape = make_shape(FR_OVERLAP_BOX);
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, NULL, 0, &count, NULL), FR_ERROR_STALE_DATA);
    scene_update(&s);
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, NULL, 0, &count, NULL), FR_OK);
    assert_int_equal(count, 0);
    shape.box.max.x = NAN;
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, NULL, 0, &count, NULL), FR_ERROR_ARGUMENT);
    shape = make_shape(FR_OVERLAP_BALL);
    shape.radius = -1;
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, NULL, 0, &count, NULL), FR_ERROR_ARGUMENT);
    shape.radius = FR_LENGTH_MAX;
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, NULL, 0, &count, NULL), FR_OK);
    shape.radius = 2 * FR_LENGTH_MAX;
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, NULL, 0, &count, NULL), FR_ERROR_ARGUMENT);
    shape = make_shape(FR_OVERLAP_CAPSULE);
    shape.points[1].y = INFINITY;
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, NULL, 0, &count, NULL), FR_ERROR_ARGUMENT);
    shape = make_shape(FR_OVERLAP_MESH);
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, NULL, 0, &count, NULL), FR_ERROR_ARGUMENT);
    shape.mesh = s.meshes[0];
    shape.pose.rotation.w = 0.5;
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, NULL, 0, &count, NULL), FR_ERROR_ARGUMENT);
    shape = make_shape((fr_overlap_kind)9);
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, NULL, 0, &count, NULL), FR_ERROR_ARGUMENT);
    scene_close(&s);
}

// A ball that touches a face counts; so does one that holds the object whole; one a little away does not.
static void touching_counts(void **state) {
    (void)state;
    scene s;
    scene_open(&s, 1, 3, 0, NULL);
    (void)scene_add_cube(&s, fr_vec3_make(0, 0, 0), 1, 0);
    scene_update(&s);
    fr_space_item items[12];
    uint32_t count;
    fr_overlap_shape shape = make_shape(FR_OVERLAP_BALL);
    shape.points[0] = fr_vec3_make(2, 0.25, 0);
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, items, 12, &count, NULL), FR_OK);
    assert_true(count == 1 || count == 2);
    shape.points[0].x = 2.0001;
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, items, 12, &count, NULL), FR_OK);
    assert_int_equal(count, 0);
    shape.radius = 10;
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, items, 12, &count, NULL), FR_OK);
    assert_int_equal(count, 12);
    for (uint32_t i = 0; i < 12; i++) {
        assert_int_equal(items[i].triangle, i);
    }
    shape = make_shape(FR_OVERLAP_MESH);
    fr_mesh *box = NULL;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(2, 2, 2), NULL, &box, NULL), FR_OK);
    shape.mesh = box;
    shape.pose.position.x = 2; // face to face
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, items, 3, &count, NULL), FR_OK);
    assert_int_equal(count, 10); // all but the two of the far face
    assert_int_equal(items[0].triangle < items[1].triangle && items[1].triangle < items[2].triangle, true);
    shape.pose.position.x = 0;
    shape.pose.scale = 0.5; // inside: surfaces share nothing
    assert_int_equal(fr_space_overlap(s.space, &shape, NULL, items, 3, &count, NULL), FR_OK);
    assert_int_equal(count, 0);
    fr_mesh_release(box);
    scene_close(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Against brute force

typedef struct brute_items {
    const fr_overlap_shape *shape;
    fr_space_item sure[20000], maybe[20000]; // that share a point; that are within the stated bound of it
    uint32_t sure_count, maybe_count;
} brute_items;

static double farthest(const fr_vec3 corners[3], const fr_overlap_shape *shape) {
    double most = fr_vec3_distance(shape->points[0], shape->points[1]);
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fmax(fr_vec3_distance(corners[k], shape->points[0]), fr_vec3_length(corners[k])));
    }
    return most;
}

static bool mesh_meets(const fr_overlap_shape *shape, const fr_vec3 corners[3]) {
    for (uint32_t t = 0; t < fr_mesh_get(shape->mesh)->triangle_count; t++) {
        fr_vec3 other[3];
        fr_mesh_corners(shape->mesh, t, other);
        for (int k = 0; k < 3; k++) {
            other[k] = fr_pose_apply(&shape->pose, other[k]);
        }
        if (fr_triangle_overlap(corners, other)) { return true; }
    }
    return false;
}

static void brute_triangle(fr_object_id id, uint32_t triangle, const fr_vec3 corners[3], void *context) {
    brute_items *b = context;
    const fr_overlap_shape *shape = b->shape;
    const fr_vec3 core[3] = {shape->points[0], shape->points[1], shape->points[1]};
    double slack = 1e-13 * (1.0 + farthest(corners, shape)), gap = 0;
    bool sure, maybe;
    switch (shape->kind) {
    case FR_OVERLAP_BOX: sure = maybe = fr_triangle_box_overlap(corners, &shape->box); break;
    case FR_OVERLAP_BALL:
        gap = fr_triangle_closest(corners, shape->points[0]).distance - shape->radius;
        sure = gap < -slack;
        maybe = gap < slack;
        break;
    case FR_OVERLAP_CAPSULE:
        gap = fr_triangle_distance(core, corners, NULL, NULL) - shape->radius;
        sure = gap < -slack;
        maybe = gap < slack;
        break;
    default: sure = maybe = mesh_meets(shape, corners); break;
    }
    fr_space_item item = {id, 0, triangle};
    assert_true(b->maybe_count < 20000);
    if (sure) { b->sure[b->sure_count++] = item; }
    if (maybe) { b->maybe[b->maybe_count++] = item; }
}

static fr_overlap_shape random_shape(scene *s) {
    fr_overlap_shape shape = make_shape((fr_overlap_kind)scene_below(s, 4));
    shape.points[0] = scene_point(s);
    shape.points[1] = fr_vec3_add(shape.points[0], scene_direction(s));
    shape.radius = scene_between(s, 0, 1.5);
    shape.box.min = scene_point(s);
    shape.box.max = fr_vec3_add(shape.box.min, fr_vec3_make(scene_between(s, 0, 2), scene_between(s, 0, 2), 1));
    if (scene_below(s, 4) == 0) { shape.box.min.y = rint(shape.box.min.y); }
    shape.mesh = s->meshes[scene_below(s, SCENE_MESHES)];
    shape.pose = scene_pose(s);
    return shape;
}

static bool holds(const fr_space_item *items, uint32_t count, const fr_space_item *item) {
    for (uint32_t i = 0; i < count; i++) {
        if (fr_object_id_equal(items[i].object, item->object) && items[i].triangle == item->triangle) { return true; }
    }
    return false;
}

static void compare_shape(scene *s, int time) {
    (void)time;
    static brute_items b;
    static fr_space_item items[20000];
    fr_query_filter filter;
    const fr_query_filter *given = scene_random_filter(s, &filter);
    fr_overlap_shape shape = random_shape(s);
    b.shape = &shape;
    b.sure_count = b.maybe_count = 0;
    scene_each_triangle(s, given, brute_triangle, &b);
    uint32_t count;
    assert_int_equal(fr_space_overlap(s->space, &shape, given, items, 20000, &count, NULL), FR_OK);
    assert_in_range(count, b.sure_count, b.maybe_count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(holds(b.maybe, b.maybe_count, &items[i]));
        assert_int_equal(items[i].part, fr_object_part_of_triangle(s->space, items[i].object, items[i].triangle));
        if (i == 0) { continue; }
        uint32_t a = items[i - 1].object.index1, c = items[i].object.index1;
        assert_true(a < c || (a == c && items[i - 1].triangle < items[i].triangle));
    }
    for (uint32_t i = 0; i < b.sure_count; i++) {
        assert_true(holds(items, count, &b.sure[i]));
    }
    if (count < 2) { return; }
    fr_space_item first[2];
    uint32_t again;
    assert_int_equal(fr_space_overlap(s->space, &shape, given, first, 2, &again, NULL), FR_OK);
    assert_int_equal(again, count);
    assert_memory_equal(first, items, sizeof first);
}

static void overlaps_are_those_of_brute_force(void **state) {
    (void)state;
    const scene_trial trial = {200, test_count(40, 400), {2.5, 6}, 10, 16, compare_shape};
    scene_compare(&trial);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_shape_is_refused),
        cmocka_unit_test(touching_counts),
        cmocka_unit_test(overlaps_are_those_of_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
