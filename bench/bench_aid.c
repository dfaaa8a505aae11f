// Frames of the manipulation aid: what a hand drags lands, slides, is pulled off and lands again. A sample is one such
// drag; counters tell the frame's mean and worst, in CPU time, so that a busy machine shows less. In the
// first drag the planar faces of what is met are found.
#include "bench.h"

#include "fureai/hand.h"

#include "hand/parts.h"

#include <stdio.h>
#include <time.h>

#define FRAME (1.0 / 60.0)
#define FRAMES 240

typedef struct table {
    fr_space *space;
    fr_aid *aid;
    fr_mesh *meshes[2];
    fr_object_id held;
    fr_vec3 rest; // where the held object would lie
    double reach; // how far from there the hand goes
    double depth; // how far it pushes into what holds
} table;

static void require(fr_status status, const fr_error *error) {
    if (status == FR_OK) { return; }
    fprintf(stderr, "bench: %s\n", error->message);
    exit(EXIT_FAILURE);
}

static fr_object_id add(fr_space *space, const fr_mesh *mesh, fr_vec3 at) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose = fr_pose_make(at, fr_quat_identity());
    fr_object_id id;
    fr_error error;
    require(fr_object_add(space, &def, &id, &error), &error);
    return id;
}

// The mesh that is held and the one that stands at the origin; the hand begins a reach above the rest.
static table lay(fr_mesh *held, fr_mesh *other, fr_vec3 rest, double reach, double depth) {
    table t = {.meshes = {held, other}, .rest = rest, .reach = reach, .depth = depth};
    fr_error error;
    fr_space_def space = fr_default_space_def();
    fr_aid_def aid = fr_default_aid_def();
    require(fr_space_create(&space, &t.space, &error), &error);
    (void)add(t.space, other, fr_vec3_make(0.0, 0.0, 0.0));
    t.held = add(t.space, held, fr_vec3_add(rest, fr_vec3_make(0.0, reach, 0.0)));
    require(fr_space_update(t.space, NULL, &error), &error);
    require(fr_aid_create(&aid, &t.aid, &error), &error);
    return t;
}

static void clear(table *t) {
    fr_aid_destroy(t->aid);
    fr_space_destroy(t->space);
    fr_mesh_release(t->meshes[0]);
    fr_mesh_release(t->meshes[1]);
}

// Down within a quarter of the frames, in circles and turned to and fro for a half, then up.
static fr_pose hand_at(const table *t, int frame) {
    double u = (double)frame / FRAMES, turn = 0.1 * fr_sin(40.0 * u), tilt = 0.03 * fr_sin(25.0 * u);
    double height = u < 0.25 ? t->reach * (1.0 - 4.0 * u) : (u < 0.75 ? 0.0 : t->reach * (4.0 * u - 3.0));
    double wide = u < 0.25 ? 0.0 : 0.5 * t->depth;
    fr_vec3 at = {wide * fr_cos(30.0 * u), height - t->depth * fmin(1.0, 4.0 * u), wide * fr_sin(30.0 * u)};
    fr_quat rotation = fr_quat_multiply(fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), turn * t->depth / 0.004),
                                        fr_quat_from_axis_angle(fr_vec3_make(1.0, 0.0, 0.0), tilt));
    return fr_pose_make(fr_vec3_add(t->rest, at), rotation);
}

static void run(bench *b, table t) {
    int frames = (int)bench_size(b, FRAMES / 4, FRAMES);
    double total = 0.0, worst = 0.0, first = 0.0, held = 0.0, count = 0.0;
    bool is_warm = false;
    fr_error error;
    fr_aid_output out;
    while (bench_repeat(b)) {
        fr_pose start = fr_pose_make(fr_vec3_add(t.rest, fr_vec3_make(0.0, t.reach, 0.0)), fr_quat_identity());
        require(fr_object_set_pose(t.space, t.held, &start, &error), &error);
        require(fr_space_update(t.space, NULL, &error), &error);
        require(fr_aid_grasp(t.aid, t.space, t.held, &error), &error);
        for (int i = 1; i <= frames; i++) {
            fr_pose raw = hand_at(&t, i);
            clock_t before = clock();
            require(fr_aid_frame(t.aid, t.space, &raw, FRAME * i, &out, &error), &error);
            double ms = 1e3 * (double)(clock() - before) / CLOCKS_PER_SEC;
            if (is_warm) {
                total += ms;
                worst = fmax(worst, ms);
                held += out.held_count > 0 ? 1.0 : 0.0;
                count += 1.0;
            } else {
                first = fmax(first, ms);
            }
            require(fr_object_set_pose(t.space, t.held, &out.shown, &error), &error);
            require(fr_space_update(t.space, NULL, &error), &error);
        }
        bench_pause(b);
        bench_count(b, "frames", frames);
        bench_count(b, "mean ms", is_warm ? total / count : 0.0);
        bench_count(b, "worst ms", worst);
        bench_count(b, "worst ms when a mesh is new", first);
        bench_count(b, "held of 100", is_warm ? 100.0 * held / count : 0.0);
        is_warm = true;
    }
    clear(&t);
}

static fr_mesh *box(void) {
    fr_mesh *mesh;
    fr_error error;
    require(fr_mesh_create_box(fr_vec3_make(0.07, 0.07, 0.07), NULL, &mesh, &error), &error);
    return mesh;
}

static fr_mesh *ball(void) {
    fr_mesh *mesh;
    fr_error error;
    require(fr_mesh_create_sphere(0.035, 32, 64, FR_AXIS_Y, NULL, &mesh, &error), &error);
    return mesh;
}

static void run_cubes(bench *b) { run(b, lay(box(), box(), fr_vec3_make(0.0, 0.07, 0.0), 0.05, 0.004)); }

static void run_plates(bench *b) {
    run(b, lay(part_plate(0.1, 0.01, 31), part_plate(0.1, 0.01, 31), fr_vec3_make(0.0, 0.01, 0.0), 0.06, 0.004));
}

// They do not fit one another: no squares of the one lie on squares of the other.
static void run_unlike_plates(bench *b) {
    run(b, lay(part_plate(0.07, 0.01, 31), part_plate(0.1, 0.01, 31), fr_vec3_make(0.003, 0.01, 0.002), 0.06, 0.004));
}

static void run_balls(bench *b) { run(b, lay(ball(), ball(), fr_vec3_make(0.0, 0.07, 0.0), 0.05, 0.004)); }

static void run_gear(bench *b) {
    run(b, lay(part_gear(), part_housing(5e-4), fr_vec3_make(0.0, 0.0, 0.0), 0.05, 4e-4));
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"cubes of 12", run_cubes},
                                       {"plates of 4092", run_plates},
                                       {"unlike plates of 4092", run_unlike_plates},
                                       {"balls of 3968", run_balls},
                                       {"gear of 4000 in its housing", run_gear}};
    return bench_main(argc, argv, "fureai", "aid", cases, sizeof cases / sizeof cases[0]);
}
