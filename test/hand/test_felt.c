// The aid as a hand feels it: blocks that are placed and pulled off, thirty pictures and a thousand ticks a second.
#include "hands.h"

#include "fureai/haptic.h"

#define TICK 1e-3
#define TICKS 33 // a picture

// What the tick shall feel of what the aid holds: the middle of the first face, as the hand has it and as it is shown.
static fr_haptic_hold hold_of(const scene *s, fr_vec3 *point_local) {
    fr_haptic_hold hold;
    memset(&hold, 0, sizeof hold);
    for (uint32_t i = 0; i < s->out.held_count; i++) {
        const fr_aid_held *held = &s->out.held[i];
        if (held->kind != FR_AID_FACE) { continue; }
        if (hold.count == 0) { *point_local = held->plane.centroid_local; }
        hold.normals[hold.count] = held->plane.normal;
        hold.thresholds[hold.count++] = held->threshold;
    }
    hold.raw = fr_pose_make(fr_pose_apply(&s->raw, *point_local), s->raw.rotation);
    hold.shown = fr_pose_make(fr_pose_apply(&s->out.shown, *point_local), s->out.shown.rotation);
    return hold;
}

// The hand: 0.3 kg on the spring of a grip of 20 Hz.
typedef struct hand {
    fr_vec3 x, v; // the object's origin, as the hand has it
    double most_pull, most_push, given, most_given;
} hand;

static void move(hand *h, fr_vec3 wish, fr_vec3 force) {
    double w = 2.0 * FR_PI * 20.0, dt = TICK / 10.0;
    for (int i = 0; i < 10; i++) {
        fr_vec3 a = fr_vec3_scale(w * w, fr_vec3_sub(wish, h->x));
        a = fr_vec3_add_scaled(a, -0.6 * w, h->v);
        h->v = fr_vec3_add_scaled(h->v, dt, fr_vec3_add_scaled(a, 1.0 / 0.3, force));
        h->x = fr_vec3_add_scaled(h->x, dt, h->v);
        h->given += dt * fr_vec3_dot(force, h->v);
    }
    h->most_given = fmax(h->most_given, h->given);
}

// One picture by the aid, and the ticks after it.
static void picture(scene *s, fr_haptic *haptic, hand *h, fr_vec3 wish, fr_vec3 *point_local) {
    s->raw.position = h->x;
    frame(s);
    fr_haptic_hold hold = hold_of(s, point_local);
    for (int i = 0; i < TICKS; i++) {
        fr_haptic_input in;
        memset(&in, 0, sizeof in);
        fr_pose raw = fr_pose_make(h->x, s->raw.rotation);
        in.dt = TICK;
        in.tip = fr_pose_apply(&raw, *point_local);
        in.has_rotation = true;
        in.rotation = raw.rotation;
        in.is_held = true;
        in.has_hold = i == 0;
        in.hold = hold;
        fr_haptic_output out;
        fr_haptic_tick(haptic, &in, &out);
        assert_int_equal(out.flags & (FR_HAPTIC_NOT_FINITE | FR_HAPTIC_STALE | FR_HAPTIC_JUMPED), 0);
        h->most_pull = fmax(h->most_pull, -out.force.y);
        h->most_push = fmax(h->most_push, out.force.y);
        move(h, wish, out.force);
    }
}

static fr_haptic *make(double stiffness) {
    fr_haptic_def def = fr_default_haptic_def();
    def.stiffness = stiffness;
    def.force_max = 8.0;
    fr_haptic *haptic = NULL;
    assert_int_equal(fr_haptic_create(&def, &haptic, NULL), FR_OK);
    return haptic;
}

static void test_a_cube_lands_is_held_and_comes_off(void **state) {
    (void)state;
    const double stiffnesses[] = {400.0, 2000.0};
    for (size_t k = 0; k < 2; k++) {
        scene s;
        open_scene(&s, fr_vec3_make(0.0, 0.1, 0.0));
        add_other(&s, s.cube, fr_vec3_make(0.0, 0.0, 0.0));
        grasp(&s, NULL);
        fr_haptic *haptic = make(stiffnesses[k]);
        hand h = {.x = s.raw.position};
        fr_vec3 point = {0.0, 0.0, 0.0};
        // Down to 5 mm inside the other, and a rest there
        for (int i = 0; i < 60; i++) {
            picture(&s, haptic, &h, fr_vec3_make(0.0, fmax(0.1 - 0.001 * i, EDGE - 0.005), 0.0), &point);
        }
        assert_int_equal(s.snaps, 1);
        assert_true(s.out.held_count == 1 && h.most_push > 1.5);
        // Up, 20 mm a second
        double off = 0.0;
        for (int i = 0; i < 120 && s.releases == 0; i++) {
            picture(&s, haptic, &h, fr_vec3_make(0.0, EDGE - 0.005 + 0.02 * FRAME * i, 0.0), &point);
            off = s.raw.position.y - EDGE;
        }
        double expected = fmin(8.0, stiffnesses[k] * 0.035 / 2.0);
        print_message("K = %.1f N/mm: pushed by %.2f N, pulled by %.2f N, off at %.1f mm, %.3f mJ made at most\n",
                      1e-3 * stiffnesses[k], h.most_push, h.most_pull, 1e3 * off, 1e3 * h.most_given);
        assert_int_equal(s.releases, 1);
        assert_true(fabs(h.most_pull - expected) < 0.1 * expected && fabs(off - 0.035) < 0.002);
        assert_true(h.most_given <= 1e-3);
        close_scene(&s);
        fr_haptic_destroy(haptic);
    }
}

// Two and three faces: pushed into the corner the hand is held by all of them.
static void test_a_corner_pushes_from_all_sides(void **state) {
    (void)state;
    scene s;
    open_task(&s, 3);
    fr_random random = fr_random_seed(3);
    do_task(&s, 3, &random);
    assert_int_equal(s.out.held_count, 3);
    fr_vec3 point = {0.0, 0.0, 0.0};
    fr_haptic_hold hold = hold_of(&s, &point);
    assert_int_equal(hold.count, 3);
    fr_haptic *haptic = make(400.0);
    fr_haptic_output out;
    for (int i = 0; i < 600; i++) {
        fr_haptic_input in;
        memset(&in, 0, sizeof in);
        in.dt = TICK;
        in.tip = hold.raw.position;
        in.is_held = true;
        in.has_hold = true;
        in.hold = hold;
        fr_haptic_tick(haptic, &in, &out);
    }
    fr_vec3 way = fr_vec3_sub(hold.shown.position, hold.raw.position);
    assert_true(fr_vec3_length(way) > 1e-3);
    double size = fmin(8.0, 400.0 * fr_vec3_length(way));
    assert_true(fabs(fr_vec3_length(out.force) - size) < 0.01 * size);
    assert_true(fr_vec3_dot(out.force, way) > 0.999 * size * fr_vec3_length(way));
    assert_true(fr_vec3_distance(out.proxy, hold.shown.position) < 1e-12);
    close_scene(&s);
    fr_haptic_destroy(haptic);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cube_lands_is_held_and_comes_off),
        cmocka_unit_test(test_a_corner_pushes_from_all_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
