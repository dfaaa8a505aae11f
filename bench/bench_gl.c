// What OpenGL draws and tests beside the processor's own travel, sending and reading back included: one sample is a
// frame.
#include "fureai/gl.h"
#include "stage.h"

// ---------------------------------------------------------------------------------------------------------------
// Radars

#define MOST 100

// Balls in a cube, 100 in one of edge 40, each with a travel of its own.
typedef struct room {
    stage s;
    fr_gl *gl;
    fr_radar *radar;
    fr_radar_input inputs[MOST];
    fr_radar_output outputs[MOST];
    size_t count;
} room;

static double any(fr_random *random, double reach) { return fr_random_between(random, -reach, reach); }

// False where OpenGL is wanted and not there.
static bool open_gl(bench *b, fr_gl **gl) {
    fr_gl_def def = fr_default_gl_def();
    fr_error error;
    if (fr_gl_create(&def, gl, &error) == FR_OK) { return true; }
    bench_skip(b, error.message);
    return false;
}

static bool open_room(bench *b, room *r, bool is_drawn, const char *shape, double half, uint32_t resolution) {
    fr_error error;
    r->gl = NULL;
    if (is_drawn && !open_gl(b, &r->gl)) { return false; }
    r->s = make_stage(b);
    fr_mesh *ball;
    require(fr_mesh_create_named(shape, NULL, &ball, &error), &error);
    require(fr_radar_create(NULL, &r->radar, &error), &error);
    if (is_drawn) {
        fr_radar_backend backend = fr_gl_radar_backend(r->gl);
        fr_radar_set_backend(r->radar, &backend);
    }
    fr_random random = fr_random_seed(5);
    for (size_t i = 0; i < r->count; i++) {
        fr_vec3 place = fr_vec3_make(any(&random, half), any(&random, half), any(&random, half));
        fr_vec3 travel = fr_vec3_make(any(&random, 1.0), any(&random, 1.0), any(&random, 1.0));
        r->inputs[i] = fr_default_radar_input();
        r->inputs[i].mover = add_object(&r->s, ball, fr_pose_make(place, fr_quat_identity()));
        r->inputs[i].space = r->s.space;
        r->inputs[i].travel = fr_vec3_scale(0.5, fr_vec3_unit(travel, fr_vec3_make(1.0, 0.0, 0.0)));
        r->inputs[i].is_round = true;
        r->inputs[i].resolution = resolution;
    }
    fr_mesh_release(ball);
    require(fr_space_update(r->s.space, NULL, &error), &error);
    return true;
}

static void close_room(room *r) {
    fr_radar_destroy(r->radar);
    fr_gl_destroy(r->gl);
    end_stage(&r->s);
}

static void run_balls(bench *b, bool is_drawn, const char *shape, double half, uint32_t resolution) {
    static room r;
    r.count = bench_size(b, 10, MOST);
    if (!open_room(b, &r, is_drawn, shape, half, resolution)) { return; }
    while (bench_repeat(b)) {
        fr_error error;
        require(fr_radar_move_many(r.radar, r.inputs, r.count, r.outputs, &error), &error);
        bench_pause(b);
        int hits = 0;
        double triangles = 0.0;
        for (size_t i = 0; i < r.count; i++) {
            hits += r.outputs[i].is_hit ? 1 : 0;
            triangles += (double)r.outputs[i].stats.triangles;
        }
        bench_count(b, "hits", hits);
        bench_count(b, "triangles", triangles);
    }
    bench_items(b, (double)r.count);
    close_room(&r);
}

#define BALLS(name, shape, half, resolution)                                                                           \
    static void name(bench *b) { run_balls(b, false, shape, half, resolution); }                                       \
    static void name##_gl(bench *b) { run_balls(b, true, shape, half, resolution); }

BALLS(balls_10, "sphere_168", 20.0, 10)
BALLS(balls_50, "sphere_168", 20.0, 50)
BALLS(crowded_50, "sphere_3968", 4.0, 50)

// ---------------------------------------------------------------------------------------------------------------
// One large image, and a turn

static void run_one(bench *b, bool is_drawn, bool is_turn, uint32_t resolution) {
    static room r;
    r.count = 2;
    if (!open_room(b, &r, is_drawn, "sphere_3968", 0.9, (uint32_t)bench_size(b, 16, resolution))) { return; }
    fr_radar_input *input = &r.inputs[0];
    input->is_round = false;
    input->axis = fr_vec3_make(0.1, 1.0, 0.2);
    input->pivot = fr_vec3_make(3.0, 0.0, 0.0);
    input->angle = 3.0;
    while (bench_repeat(b)) {
        fr_error error;
        // A little aside each time, so that the mask is drawn again.
        input->travel.x += 1e-6;
        if (is_turn) {
            require(fr_radar_turn(r.radar, input, &r.outputs[0], &error), &error);
        } else {
            require(fr_radar_move(r.radar, input, &r.outputs[0], &error), &error);
        }
        bench_pause(b);
        bench_count(b, "triangles", (double)r.outputs[0].stats.triangles);
        bench_count(b, "cells", (double)r.outputs[0].stats.cells);
    }
    close_room(&r);
}

static void large(bench *b) { run_one(b, false, false, 512); }
static void large_gl(bench *b) { run_one(b, true, false, 512); }
static void turn(bench *b) { run_one(b, false, true, 128); }
static void turn_gl(bench *b) { run_one(b, true, true, 128); }

// ---------------------------------------------------------------------------------------------------------------
// Sectors

#define SECTORS 100

typedef enum sector_way { BY_KERNEL, BY_GL, BY_GL_COUNTS } sector_way;

typedef struct crowd {
    float *lanes;
    uint8_t *bits;
    fr_spheres balls;
    fr_sector sectors[SECTORS];
    size_t hits[SECTORS];
} crowd;

static bool make_crowd(bench *b, size_t count, crowd *c) {
    c->lanes = malloc(4 * count * sizeof *c->lanes);
    c->bits = malloc(SECTORS * (count / 8 + 1));
    if (c->lanes == NULL || c->bits == NULL) {
        bench_skip(b, "out of memory");
        free(c->lanes);
        free(c->bits);
        return false;
    }
    fr_random random = fr_random_seed(5);
    for (size_t i = 0; i < 4 * count; i++) {
        c->lanes[i] = (float)(i < 3 * count ? any(&random, 50.0) : fr_random_between(&random, 0.0, 3.0));
    }
    c->balls = (fr_spheres){c->lanes, c->lanes + count, c->lanes + 2 * count, c->lanes + 3 * count, count};
    for (int k = 0; k < SECTORS; k++) {
        fr_error error;
        double inner = fr_random_between(&random, 0.0, 10.0);
        c->sectors[k] = (fr_sector){.center = fr_vec3_make(any(&random, 30.0), any(&random, 30.0), any(&random, 30.0)),
                                    .axis = fr_vec3_make(any(&random, 1.0), any(&random, 1.0), 1.0),
                                    .bisector = fr_vec3_make(1.0, any(&random, 1.0), 0.0),
                                    .inner = inner,
                                    .outer = inner + fr_random_between(&random, 1.0, 15.0),
                                    .half_thickness = fr_random_between(&random, 0.1, 10.0),
                                    .half_angle = fr_random_between(&random, 0.1, 3.0)};
        require(fr_sector_check(&c->sectors[k], &error), &error);
    }
    return true;
}

static void run_sectors(bench *b, sector_way travel) {
    static crowd c;
    size_t count = bench_size(b, 1000, 1000000), hits = 0;
    fr_gl *gl = NULL;
    fr_error error;
    if (travel != BY_KERNEL && !open_gl(b, &gl)) { return; }
    if (gl != NULL && !fr_gl_get_info(gl).has_compute) {
        bench_skip(b, "no compute shaders");
        fr_gl_destroy(gl);
        return;
    }
    if (!make_crowd(b, count, &c)) {
        fr_gl_destroy(gl);
        return;
    }
    while (bench_repeat(b)) {
        for (int k = 0; k < SECTORS && travel == BY_KERNEL; k++) {
            c.hits[k] = fr_sector_spheres(&c.sectors[k], &c.balls, NULL, c.bits + (size_t)k * ((count + 7) / 8));
        }
        if (travel != BY_KERNEL) {
            uint8_t *bits = travel == BY_GL ? c.bits : NULL;
            require(fr_gl_sector_spheres(gl, c.sectors, SECTORS, &c.balls, bits, c.hits, &error), &error);
        }
        bench_pause(b);
        hits = 0;
        for (int k = 0; k < SECTORS; k++) {
            hits += c.hits[k];
        }
    }
    bench_items(b, (double)count * SECTORS);
    bench_count(b, "hits", (double)hits);
    free(c.lanes);
    free(c.bits);
    fr_gl_destroy(gl);
}

static void sectors(bench *b) { run_sectors(b, BY_KERNEL); }
static void sectors_gl(bench *b) { run_sectors(b, BY_GL); }
static void sectors_gl_counts(bench *b) { run_sectors(b, BY_GL_COUNTS); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"100 balls, 10 x 10", balls_10},
        {"100 balls, 10 x 10, OpenGL", balls_10_gl},
        {"100 balls, 50 x 50", balls_50},
        {"100 balls, 50 x 50, OpenGL", balls_50_gl},
        {"100 balls of 3968 faces in a crowd, 50 x 50", crowded_50},
        {"100 balls of 3968 faces in a crowd, 50 x 50, OpenGL", crowded_50_gl},
        {"one travel, 3968 faces, 512 x 512", large},
        {"one travel, 3968 faces, 512 x 512, OpenGL", large_gl},
        {"one turn, 3968 faces, 128 x 128", turn},
        {"one turn, 3968 faces, 128 x 128, OpenGL", turn_gl},
        {"a million balls, 100 sectors", sectors},
        {"a million balls, 100 sectors, OpenGL", sectors_gl},
        {"a million balls, 100 sectors, OpenGL, counts alone", sectors_gl_counts},
    };
    return bench_main(argc, argv, "fureai", "gl", cases, sizeof cases / sizeof cases[0]);
}
