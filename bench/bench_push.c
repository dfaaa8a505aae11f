// A nut on its bolt: what a screw of the nut would touch, and a wrench that turns it by faces alone. M8, 2 x 20,000
// faces. Times are of one thread.
#include "stage.h"

#include "fureai/base_order.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define PITCH 0.00125
#define STEP_DEG 6.0

static fr_mesh *make_thread(const bench *b, bool is_nut, double gap) {
    bool is_small = bench_size(b, 1, 2) == 1;
    fr_thread_def def = fr_default_thread_def();
    def.length = is_nut ? 0.0065 : 0.018;
    def.across = is_nut ? 0.013 : 0.0;
    def.gap = gap;
    def.slices = is_small ? 24 : is_nut ? 240 : 88;
    def.flank_strips = is_small ? 1 : 3;
    fr_mesh *mesh;
    fr_error error;
    require(fr_mesh_create_thread(&def, NULL, &mesh, &error), &error);
    return mesh;
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---------------------------------------------------------------------------------------------------------------
// One question

// A screw of the nut in the middle of its play, from anywhere on the thread: 80 um from all flanks.
static void screw(bench *b, double angle_deg) {
    stage s = make_stage(b);
    fr_mesh *bolt = make_thread(b, false, 0.0), *nut = make_thread(b, true, 80e-6);
    fr_error error;
    (void)add_object(&s, bolt, fr_pose_identity());
    require(fr_space_update(s.space, NULL, &error), &error);
    fr_part_def part = fr_default_part_def();
    part.mesh = nut;
    double angle = fr_radians(angle_deg);
    double least = 1e9;
    size_t count = bench_size(b, 1, 10);
    while (bench_repeat(b)) {
        for (size_t i = 0; i < count; i++) {
            fr_move_input input = fr_default_move_input();
            input.space = s.space;
            input.parts = &part;
            input.part_count = 1;
            double from = fr_radians(37.0 * (double)i);
            input.motion.start.rotation = fr_quat_from_axis_angle(fr_vec3_make(0.0, 0.0, 1.0), from);
            input.motion.start.position.z = PITCH * from / (2.0 * FR_PI);
            input.motion.turn.z = angle;
            input.motion.travel.z = PITCH * angle / (2.0 * FR_PI);
            fr_move_output output;
            double begin = cpu_seconds();
            require(fr_collide_move(&input, &output, &error), &error);
            least = fmin(least, cpu_seconds() - begin);
            if (output.is_hit) { abort(); }
        }
    }
    bench_items(b, (double)count);
    bench_count(b, "cpu_ms_min", 1e3 * least);
    bench_count(b, "faces", (double)(fr_mesh_get(bolt)->triangle_count + fr_mesh_get(nut)->triangle_count));
    fr_mesh_release(bolt);
    fr_mesh_release(nut);
    end_stage(&s);
}

static void screw_1(bench *b) { screw(b, 1.0); }
static void screw_6(bench *b) { screw(b, 6.0); }
static void screw_30(bench *b) { screw(b, 30.0); }

// ---------------------------------------------------------------------------------------------------------------
// The wrench

typedef struct workbench {
    fr_mesh *bolt, *nut, *jaw;
    fr_part_def part;
    fr_query_filter filter;
    fr_pusher wrench;
    fr_push_input input;
} workbench;

static void set_up(const bench *b, stage *s, workbench *w) {
    fr_error error;
    w->bolt = make_thread(b, false, 0.0);
    w->nut = make_thread(b, true, 40e-6);
    require(fr_mesh_create_box(fr_vec3_make(0.014, 0.004, 0.03), NULL, &w->jaw, &error), &error);
    (void)add_object(s, w->bolt, fr_pose_identity());
    fr_object_id nut = add_object(s, w->nut, fr_pose_identity());
    fr_part_def jaws[2] = {fr_default_part_def(), fr_default_part_def()};
    for (int i = 0; i < 2; i++) {
        jaws[i].mesh = w->jaw;
        jaws[i].pose.position.y = (i == 0 ? 1.0 : -1.0) * (0.0065 + 1e-4 + 0.002);
    }
    fr_object_def def = fr_default_object_def();
    def.parts = jaws;
    def.part_count = 2;
    fr_pose at = fr_pose_identity();
    w->wrench.motion = fr_motion_still(&at);
    require(fr_object_add(s->space, &def, &w->wrench.object, &error), &error);
    require(fr_space_update(s->space, NULL, &error), &error);
    w->part = fr_default_part_def();
    w->part.mesh = w->nut;
    w->filter = fr_default_query_filter();
    w->filter.ignore = nut;
    w->input = fr_default_push_input();
    w->input.space = s->space;
    w->input.parts = &w->part;
    w->input.part_count = 1;
    w->input.filter = &w->filter;
    w->input.pushers = &w->wrench;
    w->input.pusher_count = 1;
    w->input.skin = 5e-6;
    require(fr_rebound_body_of(s->space, nut, 7800.0, &w->input.body, &error), &error);
}

// A turn on and a turn off; CPU time of every step, the least of all repeats: each repeat takes the same steps.
static void turn_nut(bench *b) {
    static _Alignas(max_align_t) unsigned char scratch[FR_PUSH_SCRATCH_BYTES];
    stage s = make_stage(b);
    workbench w;
    set_up(b, &s, &w);
    w.input.scratch = scratch;
    const fr_push_input first = w.input;
    const fr_motion start = w.wrench.motion;
    size_t steps = bench_size(b, 4, 60);
    double *seconds = malloc(2 * steps * sizeof *seconds), *sorted = malloc(2 * steps * sizeof *sorted);
    if (seconds == NULL || sorted == NULL) { abort(); }
    for (size_t i = 0; i < 2 * steps; i++) {
        seconds[i] = 1e9;
    }
    while (bench_repeat(b)) {
        double pieces = 0.0, checks = 0.0;
        w.input = first;
        w.wrench.motion = start;
        for (size_t i = 0; i < 2 * steps; i++) {
            fr_error error;
            fr_push_output output;
            w.wrench.motion.turn.z = fr_radians(i < steps ? STEP_DEG : -STEP_DEG);
            double begin = cpu_seconds();
            require(fr_touch_push(&w.input, &output, &error), &error);
            seconds[i] = fmin(seconds[i], cpu_seconds() - begin);
            w.input.pose = output.pose;
            w.input.body = output.body;
            w.wrench.motion.start = fr_motion_pose(&w.wrench.motion, output.fraction);
            pieces += output.piece_count;
            checks += output.checks;
        }
        bench_pause(b);
        memcpy(sorted, seconds, 2 * steps * sizeof *seconds);
        fr_sort_double(sorted, 2 * steps);
        bench_count(b, "step_ms_min", 1e3 * sorted[0]);
        bench_count(b, "step_ms_median", 1e3 * sorted[steps]);
        bench_count(b, "step_ms_max", 1e3 * sorted[2 * steps - 1]);
        bench_count(b, "pieces_a_step", pieces / (double)(2 * steps));
        bench_count(b, "checks_a_step", checks / (double)(2 * steps));
    }
    bench_items(b, (double)(2 * steps));
    free(seconds);
    free(sorted);
    fr_mesh_release(w.bolt);
    fr_mesh_release(w.nut);
    fr_mesh_release(w.jaw);
    end_stage(&s);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"thread, a screw of 1 degree", screw_1},
        {"thread, a screw of 6 degrees", screw_6},
        {"thread, a screw of 30 degrees", screw_30},
        {"push, a nut by 6 degrees a step", turn_nut},
    };
    return bench_main(argc, argv, "fureai", "push", cases, sizeof cases / sizeof cases[0]);
}
