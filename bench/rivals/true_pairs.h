// The true number of face pairs, for rivals whose own count is another: counted by our library, untimed, so that a
// table shows both.
#ifndef FUREAI_BENCH_RIVALS_TRUE_PAIRS_H
#define FUREAI_BENCH_RIVALS_TRUE_PAIRS_H

#include "bench.h"
#include "collide_scenes.h"

#include "fureai/fureai.h"

#include <cstdlib>

namespace true_pairs {

inline void require(fr_status status) {
    if (status != FR_OK) std::abort();
}

inline fr_pose pose_of(const scene_pose &from) {
    const scene_quat &q = from.rotation;
    const double *p = from.position;
    return fr_pose_make(fr_vec3_make(p[0], p[1], p[2]), fr_quat{q.w, q.x, q.y, q.z});
}

// Face pairs of all bodies where they are now.
inline long of_bodies(const scene_mesh &shape, const scene_bodies &bodies) {
    fr_mesh_def mesh_def = fr_default_mesh_def();
    mesh_def.positions_double = shape.positions;
    mesh_def.vertex_count = shape.vertex_count;
    mesh_def.triangles = shape.triangles;
    mesh_def.triangle_count = shape.triangle_count;
    mesh_def.keep_double = true;
    fr_mesh *mesh;
    require(fr_mesh_create(&mesh_def, &mesh, nullptr));
    fr_space_def space_def = fr_default_space_def();
    fr_space *space;
    require(fr_space_create(&space_def, &space, nullptr));
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    for (int i = 0; i < bodies.count; i++) {
        def.pose = pose_of(bodies.poses[i]);
        fr_object_id id;
        require(fr_object_add(space, &def, &id, nullptr));
    }
    require(fr_space_update(space, nullptr, nullptr));

    fr_collide *collide;
    require(fr_collide_create(nullptr, &collide, nullptr));
    fr_collide_input input = fr_default_collide_input();
    input.space = space;
    fr_collide_output output;
    require(fr_collide_static(collide, &input, &output, nullptr));
    long count = (long)output.pair_count;
    fr_collide_destroy(collide);
    fr_space_destroy(space);
    fr_mesh_release(mesh);
    return count;
}

// Puts both counts beside the time. bench/run.sh says so where they differ.
inline void count(bench *b, long found, long expected) {
    bench_count(b, "pairs", (double)found);
    bench_count(b, "true pairs", (double)expected);
}

} // namespace true_pairs

#endif
