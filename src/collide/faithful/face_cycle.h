// One cycle of the source's search for colliding faces (Kitamura ch. 3): boxes, candidate faces, the face octree,
// pairs. Four steps, as they are printed, over objects whose vertices are known at t_i and t_i+1; deformation is
// allowed.
//
//   step 1  the upright boxes of the objects, and where two of them overlap
//   step 2  the faces that reach into an overlap
//   step 3  cubes, from the root down to the given depth, divided only while they hold candidates of two objects; the
//           faces of different objects in a smallest cube are listed, each pair once
//   step 4  each listed pair is tested
#ifndef FUREAI_COLLIDE_FAITHFUL_FACE_CYCLE_H
#define FUREAI_COLLIDE_FAITHFUL_FACE_CYCLE_H

#include "fureai/collide.h"

#ifdef __cplusplus
extern "C" {
#endif

// The test of a listed pair.
typedef enum fr_face_test {
    FR_FACE_TEST_SWEPT,  // the edges and facets of the swept hulls, as printed (fr_swept_hull_cross)
    FR_FACE_TEST_WHOLE,  // the same, and a hull inside the other (fr_swept_hull_meet)
    FR_FACE_TEST_INSTANT // whether the faces share a point at t_i ("Method 1" of Fig. 3.6): what happens before t_i+1
                         // is not seen
} fr_face_test;

typedef struct fr_face_object {
    const fr_vec3 *start; // the vertices at t_i, in the world; finite
    const fr_vec3 *end;   // and at t_i+1
    const uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
} fr_face_object;

typedef struct fr_face_cycle_input {
    const fr_face_object *objects;
    uint32_t object_count;
    fr_vec3 root_min; // low corner of the root cube; what is outside it is not seen
    double root_edge; // over 0
    uint32_t depth;   // 1 .. 16
    fr_face_test test;
    bool is_swept; // false: steps 1 to 3 look at t_i alone, as printed, and miss what meets across the wall of a cube
                   // or of a box. True: a face is the box of its corners at both ends, and pairs are listed only where
                   // these boxes overlap; then nothing the test accepts is missed
    fr_balance balance;        // FR_BALANCE_SERIAL, _STATIC or _DYNAMIC
    const fr_tasks *tasks;     // of STATIC and DYNAMIC; NULL: the calling thread
    const fr_control *control; // may be NULL
    uint64_t (*clock)(void);   // nanoseconds, called by the calling thread; NULL: fr_clock_ns
} fr_face_cycle_input;

// Serial, as printed, of nothing in a cube of edge 16 of depth 6: the source's experiments.
fr_face_cycle_input fr_default_face_cycle_input(void);

typedef struct fr_face_cycle_output {
    const fr_face_pair *pairs; // a, b are places in `objects`; sorted, each once
    size_t pair_count;         // p
    uint64_t overlaps;         // pairs of objects whose boxes overlap
    uint64_t candidates;       // faces of step 2
    uint64_t cubes;            // looked at in step 3
    uint64_t listed;           // P
    uint64_t accesses; // counted, to the lists that workers share: P + p (static), 2 P + p (dynamic), 0 (serial)
    double ms[4];      // of each step; dynamic: steps 3 and 4 run at once, and their time is all in step 4
    double ms_total;
} fr_face_cycle_output;

// The memory of one context. Results live in it until the next cycle. One thread at a time.
typedef struct fr_face_cycle fr_face_cycle;

fr_status fr_face_cycle_create(const fr_allocator *allocator, fr_face_cycle **out, fr_error *error);
void fr_face_cycle_destroy(fr_face_cycle *cycle);

// Runs one cycle. The pairs do not depend on the balance or the number of workers. FR_ERROR_ARGUMENT for an input
// outside its limits, FR_ERROR_STOPPED, FR_ERROR_MEMORY; then `output` is empty.
fr_status fr_face_cycle_run(fr_face_cycle *cycle, const fr_face_cycle_input *input, fr_face_cycle_output *output,
                            fr_error *error);

#ifdef __cplusplus
}
#endif

#endif
