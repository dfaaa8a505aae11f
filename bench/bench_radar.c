// Balls that look ahead before they move: one sample is a frame, in which every ball asks how far it may go. One mask
// serves all, but where it says that each has its own.
#include "stage.h"

#define WAY 0.5

typedef struct room {
    stage s;
    fr_radar *radar;
    fr_radar_input input;
    fr_object_id *ids;
    fr_vec3 *ways;
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
    r.ways = malloc((size_t)count * sizeof *r.ways);
    if (r.ids == NULL || r.ways == NULL) { abort(); }
    fr_random random = fr_random_seed(5);
    double half = 20.0 * cbrt(count / 100.0);
    for (int i = 0; i < count; i++) {
        fr_vec3 place = fr_vec3_make(any(&random, half), any(&random, half), any(&random, half));
        r.ids[i] = add_object(&r.s, ball, fr_pose_make(place, fr_quat_identity()));
        fr_vec3 way = fr_vec3_make(any(&random, 1.0), any(&random, 1.0), any(&random, 1.0));
        r.ways[i] = fr_vec3_scale(WAY, fr_vec3_unit(way, fr_vec3_make(1.0, 0.0, 0.0)));
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
    free(r->ways);
    end_stage(&r->s);
}

static void run_frames(bench *b, int count, uint32_t resolution, fr_radar_look look, bool is_round) {
    room r = open_room(b, (int)bench_size(b, 10, (size_t)count));
    r.input.resolution = resolution;
    r.input.look = look;
    r.input.round = is_round;
    while (bench_repeat(b)) {
        fr_error error;
        fr_radar_output out;
        int hits = 0, masks = 0;
        uint64_t triangles = 0, cells = 0;
        for (int i = 0; i < r.count; i++) {
            r.input.mover = r.ids[i];
            r.input.way = r.ways[i];
            require(fr_radar_move(r.radar, &r.input, &out, &error), &error);
            hits += out.hit ? 1 : 0;
            masks += out.stats.mask_drawn ? 1 : 0;
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
    };
    return bench_main(argc, argv, "fureai", "radar", cases, sizeof cases / sizeof cases[0]);
}
