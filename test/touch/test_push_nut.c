// A nut on its bolt, turned by a wrench's two jaws by faces alone: it goes along the thread and through nothing.
#include "touch/push_scene.h"

#define PITCH 0.00125
#define GAP 40e-6
#define SKIN 5e-6
#define JAW_GAP 1e-4

typedef struct nut_size {
    uint32_t rod_slices, nut_slices, strips; // of the threads
    int turns;                               // on, and as many off
} nut_size;

static fr_mesh *thread_of(const nut_size *size, bool is_nut) {
    fr_thread_def def = fr_default_thread_def();
    fr_mesh *mesh;
    def.length = is_nut ? 0.0065 : 0.02;
    def.across = is_nut ? 0.013 : 0.0;
    def.gap = GAP;
    def.slices = is_nut ? size->nut_slices : size->rod_slices;
    def.flank_strips = size->strips;
    assert_int_equal(fr_mesh_create_thread(&def, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

// The two jaws of a wrench in one mesh's two parts: here two objects on one motion.
static push_scene *open_nut(const nut_size *size) {
    push_scene *s = scene_open(thread_of(size, true), at_place(0.0, 0.0, 0.0));
    scene_stand(s, thread_of(size, false), at_place(0.0, 0.0, 0.0));
    for (int i = 0; i < 2; i++) {
        double side = (i == 0 ? 1.0 : -1.0) * (0.0065 + JAW_GAP + 0.002);
        scene_pusher(s, scene_box(0.014, 0.004, 0.03), at_place(0.0, side, 0.0), fr_vec3_make(0.0, 0.0, 0.0),
                     fr_vec3_make(0.0, 0.0, 0.0));
        s->pushers[i].motion.pivot_local = fr_vec3_make(0.0, -side, 0.0);
    }
    s->input.skin = SKIN;
    scene_ready(s);
    return s;
}

// Turns by 6 degrees a step; returns how far the nut went along the axis.
static double turn_nut(push_scene *s, int steps, double angle) {
    double from = s->input.pose.position.z, turned = 0.0;
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < 2; k++) {
            s->pushers[k].motion.turn = fr_vec3_make(0.0, 0.0, angle);
        }
        fr_quat before = s->input.pose.rotation;
        fr_push_output out = scene_push(s);
        assert_int_equal(out.end, FR_PUSH_ARRIVED);
        check_pieces(s, &out, 17);
        scene_go_on(s, &out);
        turned += fr_quat_to_vector(fr_quat_multiply(out.pose.rotation, fr_quat_conjugate(before))).z;
        fr_vec3 axis = fr_pose_turn(&out.pose, fr_vec3_make(0.0, 0.0, 1.0));
        assert_true(fabs(out.pose.position.x) < 2.0 * GAP && fabs(out.pose.position.y) < 2.0 * GAP);
        assert_true(axis.z > 1.0 - 1e-3);
    }
    // It turns with the wrench, but for the jaws' play: 0.1 mm on either side of a flat 3.75 mm long
    assert_true(fabs(turned - steps * angle) < 4.0 * JAW_GAP / 0.0037);
    return s->input.pose.position.z - from;
}

// Five pitches to 2 %, and the thread's play along the axis.
static void turn_on_and_off(const nut_size *size) {
    const int steps = 60 * size->turns;
    const double play = 2.0 * GAP / 0.866, way = PITCH * size->turns;
    push_scene *s = open_nut(size);
    double on = turn_nut(s, steps, FR_PI / 30.0), off = turn_nut(s, steps, -FR_PI / 30.0);
    print_message("nut: %.4f mm on, %.4f mm off\n", 1e3 * on, 1e3 * off);
    // Half a degree of turn that the jaws' play takes is 2 um of travel
    assert_true(fabs(on - way) < 0.02 * way + play);
    assert_true(fabs(off + way) < 0.02 * way + play);
    scene_close(s);
}

static void test_a_nut_goes_on_and_off(void **state) {
    (void)state;
    const nut_size coarse = {48, 72, 1, 1}, fine = {88, 240, 3, 5};
    turn_on_and_off(test_is_long() ? &fine : &coarse);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_nut_goes_on_and_off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
