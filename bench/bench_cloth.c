// Self-collision of cloth and rods: frames of ccd-scalable, and a sheet that is rolled up.
#include "bench.h"

#include "fureai/fureai.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A mesh at the beginning and at the end of a step.
typedef struct cloth {
    uint32_t vertex_count, triangle_count;
    fr_vec3 *start, *end;
    uint32_t *triangles;
} cloth;

static void free_cloth(cloth *c) {
    free(c->start);
    free(c->end);
    free(c->triangles);
}

// Reads vertices, and the triangles too unless `triangles` is NULL. These files are little endian: three doubles a
// vertex, then 3 and three integers a face.
static fr_vec3 *read_frame(const char *name, cloth *c, uint32_t **triangles) {
    const char *shared = getenv("FUREAI_SHARED");
    char path[1024], line[256] = "";
    if (shared == NULL) { return NULL; }
    snprintf(path, sizeof path, "%s/data/ccd-scalable/%s.ply", shared, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return NULL; }
    while (strcmp(line, "end_header\n") != 0 && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "element vertex ", 15) == 0) { c->vertex_count = (uint32_t)strtoul(line + 15, NULL, 10); }
        if (strncmp(line, "element face ", 13) == 0) { c->triangle_count = (uint32_t)strtoul(line + 13, NULL, 10); }
    }
    fr_vec3 *vertices = malloc(c->vertex_count * sizeof *vertices);
    size_t left = vertices != NULL ? c->vertex_count - fread(vertices, sizeof *vertices, c->vertex_count, file) : 1;
    if (triangles != NULL) { *triangles = malloc(3 * c->triangle_count * sizeof **triangles); }
    for (uint32_t t = 0; left == 0 && triangles != NULL && *triangles != NULL && t < c->triangle_count; t++) {
        if (fgetc(file) != 3 || fread(*triangles + 3 * (size_t)t, 4, 3, file) != 3) { left = 1; }
    }
    fclose(file);
    if (left == 0) { return vertices; }
    free(vertices);
    return NULL;
}

static bool read_cloth(const char *first, const char *second, cloth *c) {
    *c = (cloth){0};
    c->start = read_frame(first, c, &c->triangles);
    c->end = read_frame(second, c, NULL);
    return c->start != NULL && c->end != NULL && c->triangles != NULL;
}

// A sheet rolled up to a spiral whose turns are `apart` from each other, and wound closer during the step.
static fr_vec3 spiral_at(double u, double v, double apart) {
    double angle = 40.0 * u, radius = 0.1 + apart * angle / 6.283185307179586, sine, cosine;
    fr_sincos(angle, &sine, &cosine);
    return fr_vec3_make(radius * cosine, v + 0.001 * fr_sin(50.0 * u), radius * sine);
}

static bool make_spiral(uint32_t side, cloth *c) {
    uint32_t row = side + 1;
    *c = (cloth){row * row, 2 * side * side, NULL, NULL, NULL};
    c->start = malloc(c->vertex_count * sizeof *c->start);
    c->end = malloc(c->vertex_count * sizeof *c->end);
    c->triangles = malloc(3 * c->triangle_count * sizeof *c->triangles);
    if (c->start == NULL || c->end == NULL || c->triangles == NULL) { return false; }
    uint32_t *t = c->triangles;
    for (uint32_t i = 0; i < c->vertex_count; i++) {
        uint32_t x = i % row, y = i / row;
        double u = (double)x / side, v = (double)y / side;
        c->start[i] = spiral_at(u, v, 0.02);
        c->end[i] = spiral_at(u, v, 0.0195);
        if (x == side || y == side) { continue; }
        const uint32_t corners[6] = {i, i + 1, i + row + 1, i, i + row + 1, i + row};
        memcpy(t, corners, sizeof corners);
        t += 6;
    }
    return true;
}

static fr_status put_cloth(const cloth *c, fr_space **space, fr_mesh **mesh) {
    fr_mesh_def mesh_def = fr_default_mesh_def();
    mesh_def.positions_double = &c->start->x;
    mesh_def.vertex_count = c->vertex_count;
    mesh_def.triangles = c->triangles;
    mesh_def.triangle_count = c->triangle_count;
    mesh_def.is_double = true;
    fr_space_def space_def = fr_default_space_def();
    fr_status status = fr_mesh_create(&mesh_def, mesh, NULL);
    if (status == FR_OK) { status = fr_space_create(&space_def, space, NULL); }
    if (status != FR_OK) { return status; }
    fr_object_def def = fr_default_object_def();
    fr_part_def part = fr_default_part_def();
    part.mesh = *mesh;
    def.parts = &part;
    def.part_count = 1;
    def.flags = FR_OBJECT_SELF;
    fr_object_id id;
    status = fr_object_add(*space, &def, &id, NULL);
    if (status == FR_OK) { status = fr_object_set_next_vertices(*space, id, c->end, c->vertex_count, NULL); }
    return status == FR_OK ? fr_space_update(*space, NULL, NULL) : status;
}

static void run(bench *b, cloth *c, bool is_over_step) {
    fr_space *space = NULL;
    fr_mesh *mesh = NULL;
    fr_collide *collide = NULL;
    fr_task_pool *pool = NULL;
    fr_task_pool_def pool_def = fr_default_task_pool_def();
    pool_def.worker_count = bench_threads(b);
    fr_status status = put_cloth(c, &space, &mesh);
    if (status == FR_OK) { status = fr_collide_create(NULL, &collide, NULL); }
    if (status == FR_OK) { status = fr_task_pool_create(&pool_def, &pool, NULL); }
    if (status == FR_OK) {
        fr_tasks tasks = fr_task_pool_tasks(pool);
        fr_collide_input input = fr_default_collide_input();
        input.space = space;
        input.tasks = &tasks;
        fr_collide_output out;
        memset(&out, 0, sizeof out);
        double least = (double)INFINITY; // CPU time of all workers together
        while (bench_repeat(b)) {
            clock_t begin = clock();
            (void)(is_over_step ? fr_collide_continuous(collide, &input, &out, NULL)
                                : fr_collide_static(collide, &input, &out, NULL));
            double used = 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC;
            least = used < least ? used : least;
        }
        bench_count(b, "cpu_ms", least);
        bench_count(b, "pairs", (double)out.pair_count);
        bench_count(b, "tested", (double)out.stats.tested);
        bench_count(b, "candidates", (double)out.stats.candidates);
        bench_items(b, (double)c->triangle_count);
    } else {
        bench_skip(b, fr_status_text(status));
    }
    fr_task_pool_destroy(pool);
    fr_collide_destroy(collide);
    fr_space_destroy(space);
    fr_mesh_release(mesh);
    free_cloth(c);
}

static void run_read(bench *b, const char *first, const char *second, bool is_over_step) {
    cloth c;
    if (read_cloth(first, second, &c)) {
        run(b, &c, is_over_step);
        return;
    }
    free_cloth(&c);
    bench_skip(b, "FUREAI_SHARED does not lead to the frames");
}

static void run_spiral(bench *b, bool is_over_step) {
    cloth c;
    if (make_spiral((uint32_t)bench_size(b, 20, 100), &c)) {
        run(b, &c, is_over_step);
        return;
    }
    free_cloth(&c);
    bench_skip(b, "no memory");
}

#define FUNNEL "cloth-funnel/frames/227", "cloth-funnel/frames/228"
#define RODS "rod-twist/frames/3036", "rod-twist/frames/3037"

static void funnel_static(bench *b) { run_read(b, FUNNEL, false); }
static void funnel_step(bench *b) { run_read(b, FUNNEL, true); }
static void rods_static(bench *b) { run_read(b, RODS, false); }
static void rods_step(bench *b) { run_read(b, RODS, true); }
static void spiral_static(bench *b) { run_spiral(b, false); }
static void spiral_step(bench *b) { run_spiral(b, true); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"cloth in a funnel, at an instant", funnel_static}, {"cloth in a funnel, over the step", funnel_step},
        {"twisted rods, at an instant", rods_static},        {"twisted rods, over the step", rods_step},
        {"rolled up sheet, at an instant", spiral_static},   {"rolled up sheet, over the step", spiral_step},
    };
    return bench_main(argc, argv, "fureai", "cloth", cases, sizeof cases / sizeof cases[0]);
}
