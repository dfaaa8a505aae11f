// What benchmarks of colliding faces stand on: a space with its asker and the workers of --threads.
#ifndef FUREAI_BENCH_STAGE_H
#define FUREAI_BENCH_STAGE_H

#include "bench.h"
#include "collide_scenes.h"

#include "fureai/fureai.h"

#include <stdio.h>

typedef struct stage {
    fr_space *space;
    fr_collide *collide;
    fr_task_pool *pool;
    fr_tasks tasks;
    fr_collide_input input;
} stage;

// Ends the program with the error's message.
static inline void require(fr_status status, const fr_error *error) {
    if (status == FR_OK) { return; }
    fprintf(stderr, "bench: %s\n", error->message);
    exit(EXIT_FAILURE);
}

static inline fr_mesh *make_mesh(const scene_mesh *from) {
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_double = from->positions;
    def.vertex_count = from->vertex_count;
    def.triangles = from->triangles;
    def.triangle_count = from->triangle_count;
    def.is_double = true;
    fr_mesh *mesh;
    fr_error error;
    require(fr_mesh_create(&def, &mesh, &error), &error);
    return mesh;
}

static inline fr_mesh *make_sphere(int meridians, int stacks, bool bumpy) {
    scene_mesh from = scene_sphere(meridians, stacks, bumpy);
    fr_mesh *mesh = make_mesh(&from);
    scene_free_mesh(&from);
    return mesh;
}

static inline fr_pose pose_of(const scene_pose *from) {
    const scene_quat *q = &from->rotation;
    const double *p = from->position;
    return fr_pose_make(fr_vec3_make(p[0], p[1], p[2]), (fr_quat){q->w, q->x, q->y, q->z});
}

static inline stage make_stage(const bench *b) {
    stage s;
    fr_error error;
    fr_space_def space_def = fr_default_space_def();
    require(fr_space_create(&space_def, &s.space, &error), &error);
    require(fr_collide_create(NULL, &s.collide, &error), &error);
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = bench_threads(b);
    require(fr_task_pool_create(&pool_def, &s.pool, &error), &error);
    s.tasks = fr_task_pool_tasks(s.pool);
    s.input = fr_default_collide_input();
    s.input.space = s.space;
    return s;
}

// Lets the workers take part, once the stage stands where it stays.
static inline void use_tasks(stage *s, const bench *b) { s->input.tasks = bench_threads(b) > 1 ? &s->tasks : NULL; }

static inline void end_stage(stage *s) {
    fr_collide_destroy(s->collide);
    fr_space_destroy(s->space);
    fr_task_pool_destroy(s->pool);
}

static inline fr_object_id add_object(stage *s, const fr_mesh *mesh, fr_pose pose) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose = pose;
    fr_object_id id;
    fr_error error;
    require(fr_object_add(s->space, &def, &id, &error), &error);
    return id;
}

#endif
