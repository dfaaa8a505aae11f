// A hand that closes on a cylinder, a box, a ball, a ring and a plate: no phalanx enters them, and those that stopped
// touch them, by the distance of the faces.
#include "frame.h"
#include "fureai/human_reach.h"
#include "furniture.h"

#include <math.h>

// A ring about x: what is next to the palm runs across it.
static fr_mesh *make_ring(double radius, double thickness) {
    enum { AROUND = 20, ACROSS = 8 };
    double points[AROUND * ACROSS][3];
    uint32_t triangles[2 * AROUND * ACROSS][3];
    for (uint32_t i = 0; i < AROUND; i++) {
        for (uint32_t k = 0; k < ACROSS; k++) {
            double a = 2.0 * FR_PI * i / AROUND, b = 2.0 * FR_PI * k / ACROSS;
            double *p = points[i * ACROSS + k];
            p[0] = thickness * sin(b);
            p[1] = (radius + thickness * cos(b)) * cos(a);
            p[2] = (radius + thickness * cos(b)) * sin(a);
            uint32_t i1 = (i + 1) % AROUND, k1 = (k + 1) % ACROSS;
            uint32_t c[4] = {i * ACROSS + k, i1 * ACROSS + k, i1 * ACROSS + k1, i * ACROSS + k1};
            uint32_t t[2][3] = {{c[0], c[1], c[2]}, {c[0], c[2], c[3]}};
            for (int j = 0; j < 6; j++) {
                triangles[2 * (i * ACROSS + k) + (uint32_t)j / 3][j % 3] = t[j / 3][j % 3];
            }
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = &points[0][0];
    def.vertex_count = AROUND * ACROSS;
    def.triangles = &triangles[0][0];
    def.triangle_count = 2 * AROUND * ACROSS;
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    return mesh;
}

enum { CYLINDER, BOX, BALL, RING, PLATE, THINGS };

// A thing of a size, and the distance of its middle from the palm's skin.
static fr_mesh *make_thing(int kind, double size) {
    fr_mesh_def like = fr_default_mesh_def();
    fr_mesh *mesh = NULL;
    if (kind == RING) { return make_ring(0.055, size); }
    if (kind == CYLINDER) {
        assert_int_equal(fr_mesh_create_cylinder(size, 0.2, 24, FR_AXIS_Z, &like, &mesh, NULL), FR_OK);
    }
    if (kind == BALL) { assert_int_equal(fr_mesh_create_sphere(size, 10, 16, FR_AXIS_Y, &like, &mesh, NULL), FR_OK); }
    fr_vec3 box = kind == BOX ? fr_vec3_make(2 * size, 2 * size, 0.15) : fr_vec3_make(0.05, 2 * size, 0.15);
    if (mesh == NULL) { assert_int_equal(fr_mesh_create_box(box, &like, &mesh, NULL), FR_OK); }
    return mesh;
}

// The shortest distance from a phalanx to the faces of an object (triangle by triangle).
static double distance_of(const fr_space *space, fr_object_id id, const fr_mesh *mesh, const fr_pose *pose) {
    double least = INFINITY;
    const fr_bounds *box = &fr_mesh_get(mesh)->bounds;
    fr_vec3 middle = fr_pose_apply(pose, fr_bounds_center(box));
    fr_space_closest closest;
    assert_int_equal(fr_space_closest_point(space, middle, 0.5 * fr_vec3_distance(box->min, box->max) + 2e-3, false,
                                            NULL, &closest, NULL),
                     FR_OK);
    if (closest.object.index1 == 0) { return INFINITY; }
    const fr_object_view *object = fr_object_get(space, id);
    for (uint32_t i = 0; i < fr_mesh_get(mesh)->triangle_count; i++) {
        fr_vec3 a[3], b[3];
        fr_mesh_corners(mesh, i, a);
        for (int k = 0; k < 3; k++) {
            a[k] = fr_pose_apply(pose, a[k]);
        }
        for (uint32_t t = 0; t < object->triangle_count; t++) {
            assert_int_equal(fr_object_corners(space, id, t, b, NULL), FR_OK);
            least = fmin(least, fr_triangle_distance(a, b, NULL, NULL));
        }
    }
    return least;
}

typedef struct outcome {
    fr_grip_output output;
    uint32_t touching; // phalanges nearer than 1 mm
    double depth;
} outcome;

static outcome grip(person *p, fr_side side, int kind, double size, fr_vec3 off) {
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    double sign = side == FR_RIGHT ? 1.0 : -1.0;
    fr_pose palm = p->poses[side == FR_RIGHT ? FR_LINK_RIGHT_PALM : FR_LINK_LEFT_PALM];
    fr_vec3 local = {-0.085 + off.x, -sign * (0.028 + size + off.y), off.z};
    fr_object_id id;
    put_mesh(space, make_thing(kind, size), fr_pose_apply(&palm, local), palm.rotation, &id);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);

    fr_grip_input input = fr_default_grip_input();
    input.skeleton = p->skeleton;
    input.figure = p->figure;
    input.posture = &p->posture;
    input.side = side;
    input.space = space;
    person q = *p;
    q.posture.turns = q.turns;
    outcome out = {0};
    assert_int_equal(fr_grip_close(&input, &q.posture, &out.output, NULL), FR_OK);
    assert_int_equal(fr_posture_poses(q.skeleton, &q.posture, 1, q.poses, NULL), FR_OK);
    uint32_t first = side == FR_RIGHT ? 0 : 14;
    for (uint32_t i = 0; i < 14; i++) {
        const fr_figure_proxy *piece = &fr_figure_get(p->figure)->phalanxes[first + i];
        out.depth = fmax(out.depth, depth_of_piece(space, piece->mesh, &q.poses[piece->link], NULL));
        out.touching += distance_of(space, id, piece->mesh, &q.poses[piece->link]) < 1e-3;
        assert_true(fr_skeleton_excess(p->skeleton, piece->link, q.turns[piece->link]) < 1e-6);
    }
    for (uint32_t i = 0; i < FR_BODY_LINK_COUNT; i++) {
        assert_true(fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(p->turns[i]), q.turns[i])).x == 0.0);
    }
    fr_space_destroy(space);
    return out;
}

static void test_things_are_held(void **state) {
    (void)state;
    static const char *const names[THINGS] = {"cylinder", "box", "ball", "ring", "plate"};
    static const double sizes[THINGS][3] = {
        {0.012, 0.02, 0.035}, {0.012, 0.02, 0.03}, {0.02, 0.03, 0.04}, {0.008, 0.01, 0.012}, {0.002, 0.003, 0.004}};
    person p;
    make_person(&p);
    for (int kind = 0; kind < THINGS; kind++) {
        for (int i = 0; i < 3; i++) {
            for (int side = 0; side < 2; side++) {
                outcome out =
                    grip(&p, (fr_side)side, kind, sizes[kind][i], fr_vec3_make(0, kind == RING ? 0.055 : 0, 0));
                print_message("%s %.3f: result %d, %u phalanges, bits %x, depth %.1e\n", names[kind], sizes[kind][i],
                              (int)out.output.result, out.touching, out.output.touching, out.depth);
                assert_int_equal(out.output.result, FR_GRIP_HELD);
                assert_true(out.touching >= 4 && out.depth <= 1e-3);
                uint32_t bits = 0;
                for (uint32_t k = 0; k < 14; k++) {
                    bits += out.output.touching >> k & 1u;
                }
                assert_int_equal(bits, out.touching);
            }
        }
    }
    destroy_person(&p);
}

// What is too big is refused and named so; nothing within reach too; the hand that begins in something says where.
static void test_what_is_not_held(void **state) {
    (void)state;
    person p;
    make_person(&p);
    assert_int_equal(grip(&p, FR_RIGHT, BALL, 0.3, fr_vec3_make(0, 0, 0)).output.result, FR_GRIP_TOO_BIG);
    assert_int_equal(grip(&p, FR_LEFT, BOX, 0.25, fr_vec3_make(0, 0, 0)).output.result, FR_GRIP_TOO_BIG);
    outcome far = grip(&p, FR_RIGHT, CYLINDER, 0.02, fr_vec3_make(0, 1.0, 0));
    assert_true(far.output.result == FR_GRIP_NOTHING && far.output.touching == 0 && far.touching == 0);
    outcome inside = grip(&p, FR_RIGHT, BOX, 0.03, fr_vec3_make(-0.03, -0.06, 0));
    assert_true(inside.output.result == FR_GRIP_INSIDE && inside.output.link != FR_NO_LINK);
    destroy_person(&p);
}

// Objects at random in the hand: none is entered.
static void test_no_phalanx_enters(void **state) {
    (void)state;
    person p;
    make_person(&p);
    fr_random random = fr_random_seed(5);
    double depth = 0.0;
    uint64_t count = test_count(20, 3000);
    for (uint64_t i = 0; i < count; i++) {
        int kind = (int)(i % THINGS);
        double size = kind == RING ? fr_random_between(&random, 0.006, 0.015) : fr_random_between(&random, 0.004, 0.06);
        fr_vec3 off = random_within(&random, fr_vec3_make(-0.06, 0.0, -0.04), fr_vec3_make(0.03, 0.05, 0.04));
        outcome out = grip(&p, (fr_side)(i / THINGS % 2), kind, size, off);
        if (out.output.result != FR_GRIP_INSIDE) { depth = fmax(depth, out.depth); }
    }
    print_message("deepest of %u grips: %.1e m\n", (unsigned)count, depth);
    assert_true(depth <= 1e-3);
    destroy_person(&p);
}

static void test_bad_input_is_refused(void **state) {
    (void)state;
    person p;
    make_person(&p);
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    put_box(space, fr_vec3_make(1, 1, 1), fr_vec3_make(3, 0, 0), 0.0);
    fr_grip_output out;
    fr_grip_input input = {0};
    assert_int_equal(fr_grip_close(&input, &p.posture, &out, NULL), FR_ERROR_ARGUMENT);
    input = fr_default_grip_input();
    assert_int_equal(fr_grip_close(&input, &p.posture, &out, NULL), FR_ERROR_ARGUMENT);
    input.skeleton = p.skeleton;
    input.figure = p.figure;
    input.posture = &p.posture;
    input.space = space;
    assert_int_equal(fr_grip_close(&input, &p.posture, &out, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    assert_int_equal(fr_grip_close(&input, &p.posture, &out, NULL), FR_OK);
    input.gap = NAN;
    assert_int_equal(fr_grip_close(&input, &p.posture, &out, NULL), FR_ERROR_ARGUMENT);
    input.gap = 0.0;
    p.posture.count = 3;
    assert_int_equal(fr_grip_close(&input, &p.posture, &out, NULL), FR_ERROR_ARGUMENT);
    fr_space_destroy(space);
    destroy_person(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_things_are_held),
        cmocka_unit_test(test_what_is_not_held),
        cmocka_unit_test(test_no_phalanx_enters),
        cmocka_unit_test(test_bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
