// Paths among faces: an L before a window, and OMPL's problems where they are at hand; each sample another seed, so
// that the median is that of the seeds. What is timed is from the question to the proven answer.
#include "bench.h"
#include "path_problem.h"

#include "fureai/plan.h"

static fr_mesh *mesh_of(const path_mesh *from) {
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = from->positions;
    def.vertex_count = from->vertex_count;
    def.triangles = from->triangles;
    def.triangle_count = from->triangle_count;
    def.is_double = true;
    fr_mesh *mesh = NULL;
    return fr_mesh_create(&def, &mesh, NULL) == FR_OK ? mesh : NULL;
}

static fr_pose pose_of(const double from[7]) {
    fr_pose pose = fr_pose_identity();
    pose.position = fr_vec3_make(from[0], from[1], from[2]);
    pose.rotation = (fr_quat){from[3], from[4], from[5], from[6]};
    return pose;
}

static fr_space *space_of(fr_mesh *world) {
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    fr_part_def part = fr_default_part_def();
    part.mesh = world;
    fr_object_def object = fr_default_object_def();
    object.parts = &part;
    object.part_count = 1;
    fr_object_id id;
    if (fr_space_create(&def, &space, NULL) != FR_OK) { return NULL; }
    (void)fr_object_add(space, &object, &id, NULL);
    (void)fr_space_update(space, NULL, NULL);
    return space;
}

static void run_seeds(bench *b, const path_problem *problem) {
    fr_mesh *robot = mesh_of(&problem->robot), *world = mesh_of(&problem->world);
    fr_space *space = space_of(world);
    fr_part_def part = fr_default_part_def();
    part.mesh = robot;
    fr_path_input input = fr_default_path_input();
    input.space = space;
    input.parts = &part;
    input.part_count = 1;
    input.start = pose_of(problem->start);
    input.goal = pose_of(problem->goal);
    input.bounds.min = fr_vec3_make(problem->low[0], problem->low[1], problem->low[2]);
    input.bounds.max = fr_vec3_make(problem->high[0], problem->high[1], problem->high[2]);
    double asked = 0.0, runs = 0.0, found = 0.0;
    input.seed = 0;
    while (bench_repeat(b)) {
        fr_path path;
        input.seed++;
        (void)fr_plan_path(&input, &path, NULL);
        bench_pause(b);
        runs += 1.0;
        asked += (double)path.moves;
        found += path.is_found && path.is_checked ? 1.0 : 0.0;
        bench_count(b, "motions", asked / runs);
        bench_count(b, "found of 100", 100.0 * found / runs);
        fr_path_destroy(&path);
    }
    fr_space_destroy(space);
    fr_mesh_release(robot);
    fr_mesh_release(world);
}

static void run_window(bench *b, double side) {
    path_problem problem;
    if (!path_problem_window(side, &problem)) {
        bench_skip(b, "out of memory");
        return;
    }
    run_seeds(b, &problem);
    path_problem_free(&problem);
}

static void run_ompl(bench *b, const char *name) {
    path_problem problem;
    if (bench_size(b, 0, 1) == 0) {
        bench_skip(b, "takes too long to show that it runs");
        return;
    }
    if (!path_problem_ompl(name, &problem)) {
        bench_skip(b, "FUREAI_SHARED does not lead to the problem");
        return;
    }
    run_seeds(b, &problem);
    path_problem_free(&problem);
}

static void run_window_17(bench *b) { run_window(b, 1.7); }
static void run_window_14(bench *b) { run_window(b, 1.4); }
static void run_window_10(bench *b) { run_window(b, 1.0); }
static void run_easy(bench *b) { run_ompl(b, "Easy"); }
static void run_cubicles(bench *b) { run_ompl(b, "cubicles"); }
static void run_home(bench *b) { run_ompl(b, "Home"); }
static void run_twistycool(bench *b) { run_ompl(b, "Twistycool"); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"window 1.7", run_window_17}, {"window 1.4", run_window_14},
                                       {"window 1.0", run_window_10}, {"Easy", run_easy},
                                       {"cubicles", run_cubicles},    {"Home", run_home},
                                       {"Twistycool", run_twistycool}};
    return bench_main(argc, argv, "fureai", "path", cases, sizeof cases / sizeof cases[0]);
}
