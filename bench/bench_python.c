// What Python's calls cost in C: the cases that bench/bench_python.py repeats from Python on the same arrays.
#include "bench.h"

#include "fureai/collide.h"

// A sphere of 2 slices (stacks - 1) triangles, whose arrays the case begins with.
static fr_mesh *make_source(size_t slices) {
    fr_mesh *mesh = NULL;
    fr_mesh_create_sphere(1.0, (uint32_t)slices / 2 + 1, (uint32_t)slices, FR_AXIS_Y, NULL, &mesh, NULL);
    return mesh;
}

static fr_mesh *make_again(const fr_mesh_view *source) {
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = source->positions_float;
    def.vertex_count = source->vertex_count;
    def.triangles = source->triangles;
    def.triangle_count = source->triangle_count;
    fr_mesh *mesh = NULL;
    fr_mesh_create(&def, &mesh, NULL);
    return mesh;
}

static void arrays_to_pairs(bench *b) {
    fr_mesh *source = make_source(bench_size(b, 40, 1000));
    while (bench_repeat(b)) {
        fr_space_def def = fr_default_space_def();
        fr_space *space = NULL;
        fr_collide *collide = NULL;
        fr_space_create(&def, &space, NULL);
        fr_collide_create(NULL, &collide, NULL);
        fr_mesh *meshes[2] = {make_again(fr_mesh_get(source)), make_again(fr_mesh_get(source))};
        fr_pose pose = fr_pose_make(fr_vec3_make(1.0, 0.1, 0.05), fr_quat_identity());
        fr_object_id id;
        fr_object_add_mesh(space, meshes[0], NULL, &id, NULL);
        fr_object_add_mesh(space, meshes[1], &pose, &id, NULL);
        fr_space_update(space, NULL, NULL);
        fr_collide_input input = fr_default_collide_input();
        input.space = space;
        fr_collide_output output;
        fr_collide_static(collide, &input, &output, NULL);
        bench_pause(b);
        bench_count(b, "pairs", (double)output.pair_count);
        fr_collide_destroy(collide);
        fr_space_destroy(space);
        fr_mesh_release(meshes[0]);
        fr_mesh_release(meshes[1]);
    }
    fr_mesh_release(source);
}

#define CALLS 1000

static void closest_points(bench *b) {
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    fr_space_create(&def, &space, NULL);
    fr_mesh *box = NULL;
    fr_object_id id;
    fr_mesh_create_box(fr_vec3_make(1.0, 1.0, 1.0), NULL, &box, NULL);
    fr_object_add_mesh(space, box, NULL, &id, NULL);
    fr_space_update(space, NULL, NULL);
    fr_query_filter filter = fr_default_query_filter();
    while (bench_repeat(b)) {
        for (int i = 0; i < CALLS; i++) {
            fr_space_closest out;
            fr_space_closest_point(space, fr_vec3_make(2.0, 0.1, 0.2), INFINITY, false, &filter, &out, NULL);
            bench_keep(&out);
        }
    }
    bench_count(b, "calls", CALLS);
    fr_mesh_release(box);
    fr_space_destroy(space);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"1M + 1M triangles, arrays to pairs", arrays_to_pairs},
                                       {"1000 closest points", closest_points}};
    return bench_main(argc, argv, "fureai", "python", cases, 2);
}
