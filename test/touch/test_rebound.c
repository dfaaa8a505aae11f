// Velocities after contacts: momentum, energy, friction.
#include "frame.h"

#include "fureai/touch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static fr_vec3 random_vector(fr_random *r, double size) {
    return fr_vec3_make(fr_random_between(r, -size, size), fr_random_between(r, -size, size),
                        fr_random_between(r, -size, size));
}

// Any body: the inertia of a box of random sides, turned.
static fr_rebound_body random_body(fr_random *r, uint32_t index1) {
    double mass = fr_random_between(r, 0.1, 10.0), a = fr_random_between(r, 0.1, 2.0);
    double b = fr_random_between(r, 0.1, 2.0), c = fr_random_between(r, 0.1, 2.0);
    fr_quat turn = fr_quat_from_vector(random_vector(r, 3.0));
    fr_mat3 m = fr_quat_to_mat3(turn), i = fr_mat3_identity();
    i.row[0].x = 12.0 / (mass * (b * b + c * c));
    i.row[1].y = 12.0 / (mass * (a * a + c * c));
    i.row[2].z = 12.0 / (mass * (a * a + b * b));
    fr_rebound_body body = {.object = {index1, 1, 1}, .center = random_vector(r, 1.0)};
    body.velocity = random_vector(r, 3.0);
    body.spin = random_vector(r, 3.0);
    body.inverse_mass = 1.0 / mass;
    body.inverse_inertia = fr_mat3_multiply(fr_mat3_multiply(m, i), fr_mat3_transpose(m));
    return body;
}

static fr_contact contact_of(const fr_rebound_body *a, const fr_rebound_body *b, fr_vec3 point, fr_vec3 normal) {
    fr_contact c;
    memset(&c, 0, sizeof c);
    c.a = a->object;
    if (b != NULL) { c.b = b->object; }
    c.point = point;
    c.normal = normal;
    return c;
}

static fr_rebound_output solve(fr_rebound_body *bodies, uint32_t body_count, const fr_contact *contacts,
                               uint32_t contact_count) {
    fr_rebound_input input = fr_default_rebound_input();
    input.bodies = bodies;
    input.body_count = body_count;
    input.contacts = contacts;
    input.contact_count = contact_count;
    input.slow = 0.0;
    fr_rebound_output output;
    assert_int_equal(fr_touch_rebound(&input, &output, NULL), FR_OK);
    return output;
}

static fr_vec3 momentum(const fr_rebound_body *bodies, uint32_t count) {
    fr_vec3 sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < count; i++) {
        sum = fr_vec3_add_scaled(sum, 1.0 / bodies[i].inverse_mass, bodies[i].velocity);
    }
    return sum;
}

static fr_mat3 inverse_of(fr_mat3 m) {
    fr_vec3 a = m.row[0], b = m.row[1], c = m.row[2];
    fr_mat3 t = {{fr_vec3_cross(b, c), fr_vec3_cross(c, a), fr_vec3_cross(a, b)}};
    t = fr_mat3_transpose(t);
    double d = 1.0 / fr_mat3_determinant(m);
    for (int i = 0; i < 3; i++) {
        t.row[i] = fr_vec3_scale(d, t.row[i]);
    }
    return t;
}

static fr_vec3 angular_momentum(const fr_rebound_body *bodies, uint32_t count) {
    fr_vec3 sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < count; i++) {
        fr_vec3 p = fr_vec3_scale(1.0 / bodies[i].inverse_mass, bodies[i].velocity);
        sum = fr_vec3_add(sum, fr_vec3_cross(bodies[i].center, p));
        sum = fr_vec3_add(sum, fr_mat3_apply(inverse_of(bodies[i].inverse_inertia), bodies[i].spin));
    }
    return sum;
}

static double energy(const fr_rebound_body *bodies, uint32_t count) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sum += 0.5 * fr_vec3_length_squared(bodies[i].velocity) / bodies[i].inverse_mass;
        sum += 0.5 * fr_vec3_dot(bodies[i].spin, fr_mat3_apply(inverse_of(bodies[i].inverse_inertia), bodies[i].spin));
    }
    return sum;
}

static fr_vec3 parting(const fr_rebound_body *a, const fr_rebound_body *b, fr_vec3 point) {
    fr_vec3 va = fr_vec3_add(a->velocity, fr_vec3_cross(a->spin, fr_vec3_sub(point, a->center)));
    fr_vec3 vb = fr_vec3_add(b->velocity, fr_vec3_cross(b->spin, fr_vec3_sub(point, b->center)));
    return fr_vec3_sub(vb, va);
}

// ---------------------------------------------------------------------------------------------------------------

static void test_momentum_stays_and_energy_at_restitution_1(void **state) {
    (void)state;
    fr_random r = fr_random_seed(5);
    uint64_t met = 0, count = test_count(2000, 100000);
    for (uint64_t i = 0; i < count; i++) {
        fr_rebound_body b[2] = {random_body(&r, 1), random_body(&r, 2)};
        b[0].restitution = b[1].restitution = 1.0;
        b[0].friction = b[1].friction = i % 2 == 0 ? 0.0 : fr_random_between(&r, 0.0, 1.0);
        fr_vec3 point = random_vector(&r, 1.0), up = {0.0, 1.0, 0.0}, normal = fr_vec3_unit(random_vector(&r, 1.0), up);
        fr_contact c = contact_of(&b[0], &b[1], point, normal);
        fr_vec3 p = momentum(b, 2), l = angular_momentum(b, 2);
        double e = energy(b, 2), before = fr_vec3_dot(parting(&b[0], &b[1], point), normal);
        fr_rebound_output out = solve(b, 2, &c, 1);
        assert_true(fr_vec3_distance(momentum(b, 2), p) <= 1e-9 * (1.0 + fr_vec3_length(p)));
        assert_true(fr_vec3_distance(angular_momentum(b, 2), l) <= 1e-9 * (1.0 + fr_vec3_length(l)));
        double after = fr_vec3_dot(parting(&b[0], &b[1], point), normal);
        if (before >= 0.0) {
            assert_int_equal(out.rounds, 0);
            continue;
        }
        met++;
        assert_true(after > -1e-9);
        assert_true(energy(b, 2) <= e * (1.0 + 1e-9) || i % 2 == 1);
        if (i % 2 == 0) {
            assert_true(fabs(energy(b, 2) - e) <= 1e-9 * e);
            assert_true(fabs(after + before) <= 1e-9 * (1.0 - before));
        }
    }
    assert_true(met > count / 4);
}

static void test_without_restitution_nothing_springs_back(void **state) {
    (void)state;
    fr_random r = fr_random_seed(6);
    for (int i = 0; i < 500; i++) {
        fr_rebound_body b[2] = {random_body(&r, 1), random_body(&r, 2)};
        b[0].friction = b[1].friction = 0.4;
        double e = energy(b, 2);
        fr_vec3 point = random_vector(&r, 1.0), up = {0.0, 1.0, 0.0}, normal = fr_vec3_unit(random_vector(&r, 1.0), up);
        fr_contact c = contact_of(&b[0], &b[1], point, normal);
        bool comes = fr_vec3_dot(parting(&b[0], &b[1], point), normal) < 0.0;
        fr_rebound_output out = solve(b, 2, &c, 1);
        if (!comes) { continue; }
        double after = fr_vec3_dot(parting(&b[0], &b[1], point), normal);
        assert_true(after > -1e-9 && after < 1e-2);
        assert_true(energy(b, 2) <= e * (1.0 + 1e-12));
        assert_true(fabs(out.energy_lost - (e - energy(b, 2))) <= 1e-9 * e);
    }
}

// A ball that comes at a wall at an angle a slides on when tan a > 3.5 mu, and rolls else.
static void test_friction_is_coulombs(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        fr_rebound_body ball = {.object = {1, 1, 1}, .inverse_mass = 1.0, .friction = 0.2};
        ball.inverse_inertia = fr_mat3_identity();
        for (int k = 0; k < 3; k++) {
            ball.inverse_inertia.row[k] = fr_vec3_scale(2.5, ball.inverse_inertia.row[k]);
        }
        ball.center = fr_vec3_make(0.0, 1.0, 0.0);
        double across = i == 0 ? 0.71 : 0.69;
        ball.velocity = fr_vec3_make(across, -1.0, 0.0);
        fr_vec3 point = {0.0, 0.0, 0.0};
        fr_contact c = contact_of(&ball, NULL, point, fr_vec3_make(0.0, -1.0, 0.0));
        (void)solve(&ball, 1, &c, 1);
        fr_vec3 at = fr_vec3_add(ball.velocity, fr_vec3_cross(ball.spin, fr_vec3_make(0.0, -1.0, 0.0)));
        assert_true(fabs(ball.velocity.y) < 1e-12);
        if (i == 0) {
            assert_true(fabs(ball.velocity.x - (across - 0.2)) < 1e-9);
            assert_true(at.x > 1e-3);
        } else {
            assert_true(fabs(at.x) < 1e-9);
        }
    }
}

static void test_the_mass_of_a_box(void **state) {
    (void)state;
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    fr_mesh *box;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(1.0, 2.0, 3.0), NULL, &box, NULL), FR_OK);
    // Two of them side by side are one of twice the width
    fr_part_def parts[2] = {fr_default_part_def(), fr_default_part_def()};
    parts[0].mesh = parts[1].mesh = box;
    parts[0].pose.position.x = -0.5;
    parts[1].pose.position.x = 0.5;
    fr_object_def object = fr_default_object_def();
    object.parts = parts;
    object.part_count = 2;
    object.pose.position = fr_vec3_make(5.0, 0.0, 0.0);
    object.pose.scale = 2.0;
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &object, &id, NULL), FR_OK);
    fr_rebound_body body;
    assert_int_equal(fr_rebound_body_of(space, id, 10.0, &body, NULL), FR_OK);
    double mass = 10.0 * 4.0 * 4.0 * 6.0;
    assert_true(fabs(body.inverse_mass * mass - 1.0) < 1e-12);
    assert_true(fabs(body.center.x - 5.0) < 1e-12);
    assert_true(fabs(body.inverse_inertia.row[0].x * mass * (16.0 + 36.0) / 12.0 - 1.0) < 1e-12);
    assert_true(fabs(body.inverse_inertia.row[1].y * mass * (16.0 + 36.0) / 12.0 - 1.0) < 1e-12);
    assert_true(fabs(body.inverse_inertia.row[2].z * mass * (16.0 + 16.0) / 12.0 - 1.0) < 1e-12);
    assert_int_equal(fr_rebound_body_of(space, id, 0.0, &body, NULL), FR_ERROR_ARGUMENT);
    assert_int_equal(fr_object_remove(space, id, NULL), FR_OK);
    assert_int_equal(fr_rebound_body_of(space, id, 1.0, &body, NULL), FR_ERROR_STALE_ID);
    fr_mesh_release(box);
    fr_space_destroy(space);
}

static void test_wrong_input_changes_nothing(void **state) {
    (void)state;
    fr_random r = fr_random_seed(7);
    fr_rebound_body b[2] = {random_body(&r, 1), random_body(&r, 2)}, kept[2];
    fr_contact c = contact_of(&b[0], &b[1], b[0].center, fr_vec3_make(1.0, 0.0, 0.0));
    fr_rebound_input input = fr_default_rebound_input();
    input.bodies = b;
    input.body_count = 2;
    input.contacts = &c;
    input.contact_count = 1;
    fr_rebound_output out;
    c.point.x = NAN;
    memcpy(kept, b, sizeof b);
    assert_int_equal(fr_touch_rebound(&input, &out, NULL), FR_ERROR_NOT_FINITE);
    assert_memory_equal(kept, b, sizeof b);
    c.point.x = 0.0;
    b[0].restitution = 2.0;
    assert_int_equal(fr_touch_rebound(&input, &out, NULL), FR_ERROR_ARGUMENT);
    b[0].restitution = 0.0;
    b[0].object.index1 = 9;
    assert_int_equal(fr_touch_rebound(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input.cookie = 0;
    assert_int_equal(fr_touch_rebound(&input, &out, NULL), FR_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum_stays_and_energy_at_restitution_1),
        cmocka_unit_test(test_without_restitution_nothing_springs_back),
        cmocka_unit_test(test_friction_is_coulombs),
        cmocka_unit_test(test_the_mass_of_a_box),
        cmocka_unit_test(test_wrong_input_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
