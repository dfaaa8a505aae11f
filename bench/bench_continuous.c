// Searches over a step: nanoseconds a pair of the elementary ones, on random pairs and on the pairs of two spheres as
// they meet, turning.
#include "bench.h"

#include "fureai/shape.h"
#include "shape/triangle_time.h"

#include <stdlib.h>

#define PAIRS 2048

typedef struct moving_pair {
    fr_triangle_path a, b;
} moving_pair;

typedef struct moving_pairs {
    moving_pair *list;
    size_t count;
    fr_motion motion_a, motion_b; // of all of them, where they turn
    double end;                   // of the search
} moving_pairs;

static fr_vec3 any_point(fr_random *random, double reach) {
    double x = fr_random_between(random, -reach, reach), y = fr_random_between(random, -reach, reach);
    return fr_vec3_make(x, y, fr_random_between(random, -reach, reach));
}

static bool make_room(bench *b, size_t count, moving_pairs *out) {
    out->list = malloc(count * sizeof *out->list);
    out->count = 0;
    out->end = 1.0;
    if (out->list == NULL) { bench_skip(b, "out of memory"); }
    return out->list != NULL;
}

// Triangles of size 1 with their middles in a cube of edge 0.8, each corner with a way of its own of up to 1. Some meet
// at the start, some on the way.
static bool make_straight(bench *b, moving_pairs *out) {
    if (!make_room(b, PAIRS, out)) { return false; }
    fr_random random = fr_random_seed(17);
    for (; out->count < PAIRS; out->count++) {
        moving_pair *pair = &out->list[out->count];
        fr_triangle_path *paths[2] = {&pair->a, &pair->b};
        for (int k = 0; k < 2; k++) {
            fr_vec3 middle = any_point(&random, 0.4), way = any_point(&random, 0.75);
            for (int i = 0; i < 3; i++) {
                paths[k]->start[i] = fr_vec3_add(middle, any_point(&random, 0.5));
                paths[k]->end[i] = fr_vec3_add(fr_vec3_add(paths[k]->start[i], way), any_point(&random, 0.25));
            }
            paths[k]->motion = NULL;
        }
    }
    return true;
}

// The same triangles on two motions with a turn of `angle` each.
static bool make_turning(bench *b, double angle, moving_pairs *out) {
    if (!make_straight(b, out)) { return false; }
    fr_pose pose = fr_pose_identity();
    out->motion_a = out->motion_b = fr_motion_still(&pose);
    out->motion_a.travel = fr_vec3_make(0.75, 0.25, 0.0);
    out->motion_a.turn = fr_vec3_make(0.0, 0.6 * angle, 0.8 * angle);
    out->motion_b.travel = fr_vec3_make(-0.5, 0.5, 0.25);
    out->motion_b.turn = fr_vec3_make(0.8 * angle, 0.0, 0.6 * angle);
    for (size_t i = 0; i < out->count; i++) {
        out->list[i].a.motion = &out->motion_a;
        out->list[i].b.motion = &out->motion_b;
    }
    return true;
}

// Two spheres of 960 faces, one at rest, one that comes from 3 away and turns by 1 radian: the face pairs whose boxes
// meet while their middles come from 2.05 to 1.95 of each other.
static bool make_spheres(bench *b, moving_pairs *out) {
    fr_mesh *mesh;
    if (fr_mesh_create_sphere(1.0, 21, 24, FR_AXIS_Z, NULL, &mesh, NULL) != FR_OK || !make_room(b, 100000, out)) {
        return false;
    }
    fr_pose still = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), fr_quat_from_vector(fr_vec3_make(0.4, 0.2, 0.7)));
    fr_pose start = fr_pose_make(fr_vec3_make(3.0, 0.0, 0.0), fr_quat_from_vector(fr_vec3_make(1.0, -0.3, 0.5)));
    fr_motion motion = {start, {0.0, 0.0, 0.0}, {-6.0, 0.0, 0.0}, {0.6, 0.48, 0.64}};
    out->motion_b = motion;
    out->end = (3.0 - 1.95) / 6.0;
    uint32_t count = fr_mesh_get(mesh)->triangle_count;
    for (uint32_t i = 0; i < count; i++) {
        fr_triangle_path a = {.motion = NULL};
        fr_mesh_corners(mesh, i, a.start);
        fr_pose_apply_many(&still, a.start, 3, a.start);
        fr_bounds box_a = fr_bounds_of_points(a.start, 3);
        for (int k = 0; k < 3; k++) {
            a.end[k] = a.start[k];
        }
        for (uint32_t j = 0; j < count && out->count < 100000; j++) {
            fr_vec3 corners[3];
            fr_mesh_corners(mesh, j, corners);
            fr_bounds box_b = fr_bounds_empty();
            for (int k = 0; k < 3; k++) {
                fr_bounds path = fr_motion_path_bounds(&motion, corners[k], (3.0 - 2.05) / 6.0, out->end);
                box_b = fr_bounds_union(&box_b, &path);
            }
            if (!fr_bounds_overlap(&box_a, &box_b)) { continue; }
            moving_pair *pair = &out->list[out->count++];
            pair->a = a;
            pair->b.motion = &out->motion_b;
            fr_pose_apply_many(&start, corners, 3, pair->b.start);
            fr_pose_apply_many(&start, corners, 3, pair->b.end);
        }
    }
    fr_mesh_release(mesh);
    return true;
}

typedef bool time_fn(const fr_triangle_path *a, const fr_triangle_path *b, const fr_time_input *options,
                     fr_time_output *out);

static void run(bench *b, moving_pairs *pairs, time_fn *time) {
    size_t turns = bench_size(b, 1, 20);
    fr_time_input options = fr_default_time_input();
    options.end = pairs->end;
    double hits = 0.0, near = 0.0, steps = 0.0;
    while (bench_repeat(b)) {
        hits = near = steps = 0.0;
        for (size_t turn = 0; turn < turns; turn++) {
            for (size_t i = 0; i < pairs->count; i++) {
                fr_time_output r;
                hits += time(&pairs->list[i].a, &pairs->list[i].b, &options, &r);
                near += r.is_hit && (r.flags & FR_TIME_NEAR) != 0;
                steps += r.iterations;
            }
        }
        bench_keep(&hits);
    }
    double asked = (double)(turns * pairs->count);
    bench_items(b, asked);
    bench_count(b, "pairs", (double)pairs->count);
    bench_count(b, "hit_percent", 100.0 * hits / asked);
    bench_count(b, "near_percent", 100.0 * near / asked);
    bench_count(b, "steps", steps / asked);
    free(pairs->list);
}

static void triangle_straight(bench *b) {
    moving_pairs pairs;
    if (make_straight(b, &pairs)) { run(b, &pairs, fr_triangle_time); }
}

static void vertex_face_straight(bench *b) {
    moving_pairs pairs;
    if (make_straight(b, &pairs)) { run(b, &pairs, fr_vertex_face_time); }
}

static void edge_edge_straight(bench *b) {
    moving_pairs pairs;
    if (make_straight(b, &pairs)) { run(b, &pairs, fr_edge_edge_time); }
}

static void triangle_turning(bench *b) {
    moving_pairs pairs;
    if (make_turning(b, 1.5, &pairs)) { run(b, &pairs, fr_triangle_time); }
}

static void triangle_ten_turns(bench *b) {
    moving_pairs pairs;
    if (make_turning(b, 20.0 * FR_PI, &pairs)) { run(b, &pairs, fr_triangle_time); }
}

// As collide asks: what depends on the motions alone is made once.
static fr__guide guide_a, guide_b;

static bool guided_time(const fr_triangle_path *a, const fr_triangle_path *b, const fr_time_input *options,
                        fr_time_output *out) {
    return fr__triangle_time(&guide_a, a, &guide_b, b, false, options, out);
}

static void triangle_spheres(bench *b) {
    moving_pairs pairs;
    if (!make_spheres(b, &pairs)) { return; }
    guide_a = fr__guide_of(NULL);
    guide_b = fr__guide_of(&pairs.motion_b);
    run(b, &pairs, guided_time);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"vertex_face_straight", vertex_face_straight}, {"edge_edge_straight", edge_edge_straight},
        {"triangle_straight", triangle_straight},       {"triangle_turning", triangle_turning},
        {"triangle_ten_turns", triangle_ten_turns},     {"triangle_spheres", triangle_spheres},
    };
    return bench_main(argc, argv, "fureai", "continuous", cases, sizeof cases / sizeof cases[0]);
}
