// Parts over the step: what is proven to stay apart does, at many times of the step and at both end poses.
#include "failing.h"
#include "frame.h"
#include "scene_sets.h"
#include "space/part.h"

static fr_vec3 point_within(fr_random *r, double reach) {
    return fr_vec3_make(fr_random_between(r, -reach, reach), fr_random_between(r, -reach, reach),
                        fr_random_between(r, -reach, reach));
}

// An object of a small sphere, with a part that stands beside its origin, which goes, turns, and may end elsewhere.
static void add_mover(fr_random *r, fr_space *space, const fr_mesh *mesh, fr_vec3 offset, uint64_t n) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    part.pose = fr_pose_make(point_within(r, 1.0), fr_quat_from_vector(point_within(r, 1.0)));
    part.pose.scale = 0.5;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose = fr_pose_make(fr_vec3_add(offset, point_within(r, 2.5)), fr_quat_from_vector(point_within(r, 2.0)));
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    if (n % 4 == 0) { return; }
    fr_motion motion = fr_motion_still(&def.pose);
    motion.pivot_local = point_within(r, 1.0);
    motion.travel = point_within(r, n % 3 == 0 ? 1.0 : 0.1);
    motion.turn = point_within(r, n % 5 == 0 ? 4.0 : 0.1);
    fr_pose end = fr_motion_pose(&motion, 1.0);
    if (n % 7 == 0) { end.position = fr_vec3_add(end.position, point_within(r, 1.0)); }
    assert_int_equal(fr_object_set_motion(space, id, &motion, &end, NULL), FR_OK);
}

// Corners of an object at t, and at its next pose where t is more than 1.
static void corners_at(const fr__object *object, double t, fr_vec3 *out) {
    const fr__part *part = &object->parts[0];
    fr_pose pose = t > 1.0 ? object->view.next : fr_motion_pose(&object->view.motion, t);
    if (!object->view.is_moving) { pose = object->view.pose; }
    for (uint32_t i = 0; i < part->mesh->view.vertex_count; i++) {
        out[i] = fr_pose_apply(&pose, fr_pose_apply(&part->pose, fr__part_vertex(part, i)));
    }
}

static void check_apart(const fr__object *a, const fr__object *b, double margin) {
    enum { TIMES = 24, MAX_VERTICES = 32 };
    fr_vec3 p[MAX_VERTICES], q[MAX_VERTICES];
    uint32_t count = a->parts[0].mesh->view.vertex_count;
    assert_true(count <= MAX_VERTICES);
    for (int k = 0; k <= TIMES + 1; k++) {
        corners_at(a, (double)k / TIMES, p);
        corners_at(b, (double)k / TIMES, q);
        for (uint32_t i = 0; i < count; i++) {
            for (uint32_t j = 0; j < count; j++) {
                assert_true(fr_vec3_distance(p[i], q[j]) > margin);
            }
        }
    }
}

static void what_stays_apart_never_meets(void **state) {
    (void)state;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("sphere_24", NULL, &mesh, NULL), FR_OK);
    uint64_t count = test_count(2000, 100000), proven = 0;
    for (uint64_t n = 0; n < count; n++) {
        fr_random r = fr_random_seed(4100000 + n);
        fr_space_def def = fr_default_space_def();
        fr_space *space;
        assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
        fr_vec3 offset = n % 6 == 0 ? point_within(&r, 1e6) : fr_vec3_make(0.0, 0.0, 0.0);
        add_mover(&r, space, mesh, offset, n);
        add_mover(&r, space, mesh, offset, n / 2 + 1);
        assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
        const fr__object *a = fr__space_object(space, 0), *b = fr__space_object(space, 1);
        double margin = n % 3 == 0 ? 0.2 : 1e-6;
        if (fr__parts_stay_apart(a, &a->parts[0], b, &b->parts[0], margin)) {
            check_apart(a, b, margin);
            proven++;
        }
        fr_space_destroy(space);
    }
    fr_mesh_release(mesh);
    printf("%llu of %llu pairs stay apart\n", (unsigned long long)proven, (unsigned long long)count);
    assert_true(8 * proven > count && 10 * proven < 9 * count);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_stays_apart_never_meets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
