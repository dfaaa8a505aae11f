// Colliding faces over a step, on scenes that rivals run too.
#include "stage.h"
#include "step_scenes.h"

// ---------------------------------------------------------------------------------------------------------------
// W5: one sphere flies through another and turns

typedef struct moved {
    fr_pose still, from, to;
} moved;

// One sample is all motions once: the first contacts of each.
static void run_motions(bench *b, int n, int m, fr_contact_set set) {
    fr_mesh *mesh = make_sphere(n, m, false);
    stage s = make_stage(b);
    use_tasks(&s, b);
    fr_object_id ids[2] = {add_object(&s, mesh, fr_pose_identity()), add_object(&s, mesh, fr_pose_identity())};
    scene_motion motions[SCENE_W5_MOTIONS];
    moved poses[SCENE_W5_MOTIONS];
    int count = (int)bench_size(b, 2, SCENE_W5_MOTIONS);
    scene_motions(SCENE_W5_MOTIONS, SCENE_W5_SEED, motions);
    for (int k = 0; k < count; k++) {
        poses[k] = (moved){pose_of(&motions[k].still), pose_of(&motions[k].from), pose_of(&motions[k].to)};
    }

    fr_error error;
    s.input.want = FR_WANT_CONTACTS;
    s.input.set = set;
    while (bench_repeat(b)) {
        double found = 0.0, tested = 0.0, times = 0.0;
        for (int k = 0; k < count; k++) {
            fr_collide_output out;
            require(fr_object_set_pose(s.space, ids[0], &poses[k].still, &error), &error);
            require(fr_object_set_pose(s.space, ids[1], &poses[k].from, &error), &error);
            require(fr_object_set_next(s.space, ids[1], &poses[k].to, &error), &error);
            require(fr_collide_continuous_pair(s.collide, &s.input, ids[0], ids[1], &out, &error), &error);
            found += (double)out.pair_count;
            tested += (double)out.stats.tested;
            times += out.free_time;
        }
        bench_pause(b);
        bench_count(b, "pairs", found);
        bench_count(b, "tested", tested / count);
        bench_count(b, "mean time", times / count);
    }
    bench_items(b, count);
    end_stage(&s);
    fr_mesh_release(mesh);
}

static void w5_960(bench *b) { run_motions(b, 24, 21, FR_SET_FIRST); }
static void w5_3968(bench *b) { run_motions(b, 64, 32, FR_SET_FIRST); }
static void w5_960_all(bench *b) { run_motions(b, 24, 21, FR_SET_ALL); }

// ---------------------------------------------------------------------------------------------------------------
// K: Kitamura's spheres in their last cycle

// One sample is one question: every pair of the step, with contacts.
static void run_kitamura(bench *b, uint32_t stacks, fr_collide_method method, fr_narrow narrow) {
    fr_mesh_def like = fr_default_mesh_def();
    like.is_double = true;
    fr_mesh *mesh;
    fr_error error;
    require(fr_mesh_create_sphere(SCENE_K_RADIUS, stacks, 2 * stacks, FR_AXIS_Y, &like, &mesh, &error), &error);
    stage s = make_stage(b);
    use_tasks(&s, b);
    for (int which = 0; which < 2; which++) {
        scene_pose now = scene_kitamura(which, SCENE_K_CYCLE), then = scene_kitamura(which, SCENE_K_CYCLE + 1);
        fr_pose next = pose_of(&then);
        fr_object_id id = add_object(&s, mesh, pose_of(&now));
        require(fr_object_set_next(s.space, id, &next, &error), &error);
    }
    require(fr_space_update(s.space, NULL, &error), &error);
    s.input.want = FR_WANT_CONTACTS;
    s.input.method = method;
    s.input.narrow = narrow;
    s.input.octree_edge = 16.0;
    s.input.octree_depth = 6;
    while (bench_repeat(b)) {
        fr_collide_output out;
        require(fr_collide_continuous(s.collide, &s.input, &out, &error), &error);
        bench_pause(b);
        bench_count(b, "pairs", (double)out.pair_count);
        bench_count(b, "listed", (double)out.stats.candidates);
        bench_count(b, "tested", (double)out.stats.tested);
    }
    end_stage(&s);
    fr_mesh_release(mesh);
}

static void k_3968(bench *b) { run_kitamura(b, 32, FR_COLLIDE_TREE, FR_NARROW_EXACT); }
static void k_3968_hull(bench *b) { run_kitamura(b, 32, FR_COLLIDE_TREE, FR_NARROW_HULL); }
static void k_3968_octree(bench *b) { run_kitamura(b, 32, FR_COLLIDE_FACE_OCTREE, FR_NARROW_EXACT); }
static void k_960(bench *b) { run_kitamura(b, 16, FR_COLLIDE_TREE, FR_NARROW_EXACT); }

// ---------------------------------------------------------------------------------------------------------------
// W4: many bodies that move

typedef enum asked { AT_AN_INSTANT, FIRST_CONTACTS, ALL_CONTACTS } asked;

static void set_poses(stage *s, const fr_object_id *ids, const fr_pose *poses, int count, bool as_next) {
    fr_error error;
    for (int i = 0; i < count; i++) {
        require(as_next ? fr_object_set_next(s->space, ids[i], &poses[i], &error)
                        : fr_object_set_pose(s->space, ids[i], &poses[i], &error),
                &error);
    }
}

// One sample is a step of all bodies, from each frame to the next: poses, update, question.
static void run_bodies(bench *b, int count, asked what) {
    fr_mesh *mesh = make_sphere(SCENE_W4_MERIDIANS, SCENE_W4_STACKS, false);
    stage s = make_stage(b);
    use_tasks(&s, b);
    scene_flight flight = scene_make_flight(count);
    size_t pose_count = (size_t)count * (size_t)flight.frame_count;
    fr_pose *poses = malloc(pose_count * sizeof *poses);
    fr_object_id *ids = malloc((size_t)count * sizeof *ids);
    if (poses == NULL || ids == NULL) { abort(); }
    for (size_t i = 0; i < pose_count; i++) {
        poses[i] = pose_of(&flight.poses[i]);
    }
    for (int i = 0; i < count; i++) {
        ids[i] = add_object(&s, mesh, poses[i]);
    }
    fr_error error;
    s.input.set = what == FIRST_CONTACTS ? FR_SET_FIRST : FR_SET_ALL;
    while (bench_repeat(b)) {
        double found = 0.0, tested = 0.0;
        set_poses(&s, ids, poses, count, false);
        for (int f = 0; f + 1 < flight.frame_count; f++) {
            fr_collide_output out;
            set_poses(&s, ids, poses + (size_t)(f + 1) * (size_t)count, count, what != AT_AN_INSTANT);
            require(fr_space_update(s.space, s.input.tasks, &error), &error);
            require(what == AT_AN_INSTANT ? fr_collide_static(s.collide, &s.input, &out, &error)
                                          : fr_collide_continuous(s.collide, &s.input, &out, &error),
                    &error);
            if (what != AT_AN_INSTANT) { require(fr_space_commit(s.space, NULL), &error); }
            found += (double)out.pair_count;
            tested += (double)out.stats.tested;
        }
        bench_pause(b);
        bench_count(b, "pairs", found);
        bench_count(b, "tested", tested);
    }
    bench_items(b, flight.frame_count - 1);
    free(ids);
    free(poses);
    scene_free_flight(&flight);
    end_stage(&s);
    fr_mesh_release(mesh);
}

static void w4_still(bench *b) { run_bodies(b, (int)bench_size(b, 100, 10000), AT_AN_INSTANT); }
static void w4_first(bench *b) { run_bodies(b, (int)bench_size(b, 100, 10000), FIRST_CONTACTS); }
static void w4_all(bench *b) { run_bodies(b, (int)bench_size(b, 100, 10000), ALL_CONTACTS); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"W5 960 first 32 motions", w5_960},
        {"W5 3968 first 32 motions", w5_3968},
        {"W5 960 all 32 motions", w5_960_all},
        {"K 960 last cycle", k_960},
        {"K 3968 last cycle", k_3968},
        {"K 3968 last cycle by hulls", k_3968_hull},
        {"K 3968 last cycle by face octree", k_3968_octree},
        {"W4 10000 bodies 19 instants", w4_still},
        {"W4 10000 bodies 19 steps first", w4_first},
        {"W4 10000 bodies 19 steps all", w4_all},
    };
    return bench_main(argc, argv, "fureai", "step", cases, sizeof cases / sizeof cases[0]);
}
