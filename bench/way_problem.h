// Problems of finding a way that we and the rivals are given alike: plain numbers, so that anybody can read them.
#ifndef FUREAI_BENCH_WAY_PROBLEM_H
#define FUREAI_BENCH_WAY_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct way_mesh {
    double *positions;   // 3 a vertex
    uint32_t *triangles; // 3 a triangle
    uint32_t vertex_count, triangle_count;
} way_mesh;

typedef struct way_problem {
    way_mesh robot, world;
    double start[7], goal[7]; // x y z, and a quaternion w x y z
    double low[3], high[3];   // of the robot's origin
} way_problem;

// An L of two bars before a window of this side in a wall.
bool way_problem_window(double side, way_problem *out);

// A problem of OMPL.app below the folder that FUREAI_SHARED names, such as "cubicles"; false where it is not there.
bool way_problem_ompl(const char *name, way_problem *out);

void way_problem_free(way_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
