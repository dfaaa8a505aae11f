// Balls that look ahead before they move: one sample is a frame, in which every ball asks how far it may go. One mask
// serves all, but where it says that each has its own.
#include "stage.h"

#define WAY 0.5

typedef struct room {
    stage s;
    fr_radar *radar;
    fr_radar_input input;
    fr_object_id *ids;
    fr_vec3 *travels;
    int count;
} room;

static double any(fr_random *random, double reach) { return fr_random_between(random, -reach, reach); }

// Balls of 168 faces and radius 1, 100 in a cube of edge 40 and as densely whatever their number. Some overlap.
static room open_room(bench *b, int count) {
    room r = {.s = make_stage(b), .count = count};
    fr_error error;
    fr_mesh *ball;
    require(fr_mesh_create_named("sphere_168", NULL, &ball, &error), &error);
    require(fr_radar_create(NULL, &r.radar, &error), &error);
    r.ids = malloc((size_t)count * sizeof *r.ids);
    r.travels = malloc((size_t)count * sizeof *r.travels);
    if (r.ids == NULL || r.travels == NULL) { abort(); }
    fr_random random = fr_random_seed(5);
    double half = 20.0 * cbrt(count / 100.0);
    for (int i = 0; i < count; i++) {
        fr_vec3 place = fr_vec3_make(any(&random, half), any(&random, half), any(&random, half));
        r.ids[i] = add_object(&r.s, ball, fr_pose_make(place, fr_quat_identity()));
        fr_vec3 travel = fr_vec3_make(any(&random, 1.0), any(&random, 1.0), any(&random, 1.0));
        r.travels[i] = fr_vec3_scale(WAY, fr_vec3_unit(travel, fr_vec3_make(1.0, 0.0, 0.0)));
    }
    fr_mesh_release(ball);
    require(fr_space_update(r.s.space, NULL, &error), &error);
    r.input = fr_default_radar_input();
    r.input.space = r.s.space;
    return r;
}

static void close_room(room *r) {
    fr_radar_destroy(r->radar);
    free(r->ids);
    free(r->travels);
    end_stage(&r->s);
}

static void run_frames(bench *b, int count, uint32_t resolution, fr_radar_look look, bool is_round) {
    room r = open_room(b, (int)bench_size(b, 10, (size_t)count));
    r.input.resolution = resolution;
    r.input.look = look;
    r.input.is_round = is_round;
    while (bench_repeat(b)) {
        fr_error error;
        fr_radar_output out;
        int hits = 0, masks = 0;
        uint64_t triangles = 0, cells = 0;
        for (int i = 0; i < r.count; i++) {
            r.input.mover = r.ids[i];
            r.input.travel = r.travels[i];
            require(fr_radar_move(r.radar, &r.input, &out, &error), &error);
            hits += out.is_hit ? 1 : 0;
            masks += out.stats.is_mask_drawn ? 1 : 0;
            triangles += out.stats.triangles;
            cells += out.stats.cells;
        }
        bench_pause(b);
        bench_count(b, "hits", hits);
        bench_count(b, "masks", masks);
        bench_count(b, "triangles", (double)triangles / r.count);
        bench_count(b, "cells", (double)cells / r.count);
    }
    bench_items(b, r.count);
    close_room(&r);
}

#define FRAMES(name, count, resolution, look, is_round)                                                                \
    static void name(bench *b) { run_frames(b, count, resolution, look, is_round); }

FRAMES(balls_10, 10, 10, FR_RADAR_CENTRE, true)
FRAMES(balls_100, 100, 10, FR_RADAR_CENTRE, true)
FRAMES(balls_1000, 1000, 10, FR_RADAR_CENTRE, true)
FRAMES(balls_10000, 10000, 10, FR_RADAR_CENTRE, true)
FRAMES(balls_100_25, 100, 25, FR_RADAR_CENTRE, true)
FRAMES(balls_100_50, 100, 50, FR_RADAR_CENTRE, true)
FRAMES(anew_100, 100, 10, FR_RADAR_CENTRE, false)
FRAMES(anew_100_50, 100, 50, FR_RADAR_CENTRE, false)
FRAMES(columns_100, 100, 10, FR_RADAR_CONSERVATIVE, false)
FRAMES(columns_100_50, 100, 50, FR_RADAR_CONSERVATIVE, false)
FRAMES(exact_100, 100, 10, FR_RADAR_EXACT, false)

// ---------------------------------------------------------------------------------------------------------------
// Radar or collide: one ball asks how far it may go to another, which it meets off its middle

typedef struct duel {
    stage s;
    fr_radar *radar;
    fr_mesh *ball;
    fr_object_id mover;
    fr_vec3 travel;
} duel;

static duel open_duel(bench *b, const char *shape) {
    duel d = {.s = make_stage(b), .travel = {0.0, 0.0, 6.0}};
    fr_error error;
    require(fr_mesh_create_named(bench_size(b, 0, 1) == 0 ? "sphere_168" : shape, NULL, &d.ball, &error), &error);
    require(fr_radar_create(NULL, &d.radar, &error), &error);
    d.mover = add_object(&d.s, d.ball, fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), fr_quat_identity()));
    add_object(&d.s, d.ball, fr_pose_make(fr_vec3_make(0.7, 0.4, 5.0), fr_quat_identity()));
    require(fr_space_update(d.s.space, NULL, &error), &error);
    return d;
}

static void close_duel(duel *d) {
    fr_radar_destroy(d->radar);
    fr_mesh_release(d->ball);
    end_stage(&d->s);
}

// Ways differ a little: the mask is drawn each time, unless the ball is told to be round.
static void run_look(bench *b, const char *shape, uint32_t resolution, fr_radar_look look, bool is_round) {
    duel d = open_duel(b, shape);
    fr_radar_input input = fr_default_radar_input();
    input.space = d.s.space;
    input.mover = d.mover;
    input.resolution = resolution;
    input.look = look;
    input.is_round = is_round;
    int turn = 0;
    while (bench_repeat(b)) {
        fr_error error;
        fr_radar_output out;
        for (int i = 0; i < 20; i++) {
            input.travel = fr_vec3_make(1e-3 * (++turn % 97), 0.0, 6.0);
            require(fr_radar_move(d.radar, &input, &out, &error), &error);
        }
        bench_pause(b);
        bench_count(b, "distance", out.distance);
        bench_count(b, "triangles", (double)out.stats.triangles);
    }
    bench_items(b, 20);
    close_duel(&d);
}

static void run_collide(bench *b, const char *shape) {
    duel d = open_duel(b, shape);
    fr_part_def part = fr_default_part_def();
    part.mesh = d.ball;
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = d.mover;
    fr_move_input input = fr_default_move_input();
    input.space = d.s.space;
    input.parts = &part;
    input.part_count = 1;
    input.filter = &filter;
    fr_pose pose = fr_object_get(d.s.space, d.mover)->pose;
    int turn = 0;
    while (bench_repeat(b)) {
        fr_error error;
        fr_move_output out;
        for (int i = 0; i < 20; i++) {
            input.motion = fr_motion_still(&pose);
            input.motion.travel = fr_vec3_make(1e-3 * (++turn % 97), 0.0, 6.0);
            require(fr_collide_move(&input, &out, &error), &error);
        }
        bench_pause(b);
        bench_count(b, "distance", 6.0 * out.free_time);
    }
    bench_items(b, 20);
    close_duel(&d);
}

#define LOOK(name, shape, resolution, look, is_round)                                                                  \
    static void name(bench *b) { run_look(b, shape, resolution, look, is_round); }
#define COLLIDE(name, shape)                                                                                           \
    static void name(bench *b) { run_collide(b, shape); }

LOOK(look_168_10, "sphere_168", 10, FR_RADAR_CENTRE, true)
LOOK(look_168_32, "sphere_168", 32, FR_RADAR_CENTRE, true)
LOOK(look_168_100, "sphere_168", 100, FR_RADAR_CENTRE, true)
LOOK(drawn_168, "sphere_168", 32, FR_RADAR_CENTRE, false)
LOOK(exact_168, "sphere_168", 32, FR_RADAR_EXACT, false)
COLLIDE(collide_168, "sphere_168")
LOOK(look_960_10, "sphere_960", 10, FR_RADAR_CENTRE, true)
LOOK(look_960_32, "sphere_960", 32, FR_RADAR_CENTRE, true)
LOOK(look_960_100, "sphere_960", 100, FR_RADAR_CENTRE, true)
LOOK(drawn_960, "sphere_960", 32, FR_RADAR_CENTRE, false)
LOOK(exact_960, "sphere_960", 32, FR_RADAR_EXACT, false)
COLLIDE(collide_960, "sphere_960")
LOOK(look_3968_10, "sphere_3968", 10, FR_RADAR_CENTRE, true)
LOOK(look_3968_32, "sphere_3968", 32, FR_RADAR_CENTRE, true)
LOOK(look_3968_100, "sphere_3968", 100, FR_RADAR_CENTRE, true)
LOOK(drawn_3968, "sphere_3968", 32, FR_RADAR_CENTRE, false)
LOOK(exact_3968, "sphere_3968", 32, FR_RADAR_EXACT, false)
COLLIDE(collide_3968, "sphere_3968")

// A ball looks at one of 100,000 faces that is deformed in every frame: as it is, or after an update of its tree.
static void run_deforming(bench *b, bool is_updated) {
    fr_error error;
    stage s = make_stage(b);
    fr_mesh *ball, *cloth;
    fr_radar *radar;
    uint32_t stacks = (uint32_t)bench_size(b, 8, 224);
    require(fr_mesh_create_named("sphere_168", NULL, &ball, &error), &error);
    require(fr_mesh_create_sphere(1.0, stacks, stacks, FR_AXIS_Y, NULL, &cloth, &error), &error);
    require(fr_radar_create(NULL, &radar, &error), &error);
    fr_radar_input input = fr_default_radar_input();
    input.mover = add_object(&s, ball, fr_pose_make(fr_vec3_make(0.0, 0.0, -3.0), fr_quat_identity()));
    fr_object_id deformed = add_object(&s, cloth, fr_pose_identity());
    const fr_mesh_view *view = fr_mesh_get(cloth);
    fr_vec3 *vertices = malloc(view->vertex_count * sizeof *vertices);
    if (vertices == NULL) { abort(); }
    require(fr_space_update(s.space, NULL, &error), &error);
    input.space = s.space;
    input.travel = fr_vec3_make(0.0, 0.0, 3.0);
    double grown = 1.0;
    while (bench_repeat(b)) {
        fr_radar_output out;
        grown = grown > 1.2 ? 1.0 : grown + 0.01;
        for (uint32_t i = 0; i < view->vertex_count; i++) {
            const float *p = view->positions_float + 3 * (size_t)i;
            vertices[i] = fr_vec3_make(grown * (double)p[0], (double)p[1], grown * (double)p[2]);
        }
        require(fr_object_set_vertices(s.space, deformed, vertices, view->vertex_count, &error), &error);
        if (is_updated) { require(fr_space_update(s.space, NULL, &error), &error); }
        require(fr_radar_move(radar, &input, &out, &error), &error);
        bench_pause(b);
        bench_count(b, "distance", out.distance);
        bench_count(b, "triangles", (double)out.stats.triangles);
    }
    free(vertices);
    fr_radar_destroy(radar);
    fr_mesh_release(ball);
    fr_mesh_release(cloth);
    end_stage(&s);
}

static void deforming_as_it_is(bench *b) { run_deforming(b, false); }
static void deforming_updated(bench *b) { run_deforming(b, true); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"10 balls, 10 x 10", balls_10},
        {"100 balls, 10 x 10", balls_100},
        {"1000 balls, 10 x 10", balls_1000},
        {"10000 balls, 10 x 10", balls_10000},
        {"100 balls, 25 x 25", balls_100_25},
        {"100 balls, 50 x 50", balls_100_50},
        {"100 balls, 10 x 10, a mask each", anew_100},
        {"100 balls, 50 x 50, a mask each", anew_100_50},
        {"100 balls, 10 x 10, conservative", columns_100},
        {"100 balls, 50 x 50, conservative", columns_100_50},
        {"100 balls, 10 x 10, exact", exact_100},
        {"radar, 168 faces, 10 x 10", look_168_10},
        {"radar, 168 faces, 32 x 32", look_168_32},
        {"radar, 168 faces, 100 x 100", look_168_100},
        {"radar, 168 faces, 32 x 32, a mask each", drawn_168},
        {"radar, 168 faces, exact", exact_168},
        {"collide, 168 faces", collide_168},
        {"radar, 960 faces, 10 x 10", look_960_10},
        {"radar, 960 faces, 32 x 32", look_960_32},
        {"radar, 960 faces, 100 x 100", look_960_100},
        {"radar, 960 faces, 32 x 32, a mask each", drawn_960},
        {"radar, 960 faces, exact", exact_960},
        {"collide, 960 faces", collide_960},
        {"radar, 3968 faces, 10 x 10", look_3968_10},
        {"radar, 3968 faces, 32 x 32", look_3968_32},
        {"radar, 3968 faces, 100 x 100", look_3968_100},
        {"radar, 3968 faces, 32 x 32, a mask each", drawn_3968},
        {"radar, 3968 faces, exact", exact_3968},
        {"collide, 3968 faces", collide_3968},
        {"radar, 100,000 faces that deform", deforming_as_it_is},
        {"radar, 100,000 faces that deform, updated", deforming_updated},
    };
    return bench_main(argc, argv, "fureai", "radar", cases, sizeof cases / sizeof cases[0]);
}
