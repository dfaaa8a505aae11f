// Path planning problems that our planner and its rivals solve alike: plain numbers, so that every program can read
// them.
#ifndef FUREAI_BENCH_PATH_PROBLEM_H
#define FUREAI_BENCH_PATH_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct path_mesh {
    double *positions;   // 3 a vertex
    uint32_t *triangles; // 3 a triangle
    uint32_t vertex_count, triangle_count;
} path_mesh;

typedef struct path_problem {
    path_mesh robot, world;
    double start[7], goal[7]; // x y z, and a quaternion w x y z
    double low[3], high[3];   // of the robot's origin
} path_problem;

// An L of two bars before a window of this side in a wall.
bool path_problem_window(double side, path_problem *out);

// A problem of OMPL.app below the folder that FUREAI_SHARED names, such as "cubicles"; false where it is not there.
bool path_problem_ompl(const char *name, path_problem *out);

void path_problem_free(path_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
