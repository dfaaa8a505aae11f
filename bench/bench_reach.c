// Arms and hands: the plan of a reach over a table, one frame of it, a grip on the faces of a cup, and a frame of a
// person who presses a button.
#include "bench.h"

#include "fureai/human_skill.h"

typedef struct desk {
    fr_skeleton *body;
    fr_figure *figure;
    fr_space *space;
    fr_quat turns[FR_LINK_COUNT], results[FR_LINK_COUNT];
    fr_posture posture, result;
    fr_pose goal;
    fr_reach_plan_output plan;
} desk;

static void free_desk(desk *d) {
    fr_space_destroy(d->space);
    fr_figure_release(d->figure);
    fr_skeleton_release(d->body);
}

static bool put(desk *d, fr_mesh *mesh, fr_pose pose) {
    if (mesh == NULL) { return false; }
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose = pose;
    fr_object_id id;
    bool is_added = fr_object_add(d->space, &def, &id, NULL) == FR_OK;
    fr_mesh_release(mesh);
    return is_added;
}

// A person before a table; the goal of the palm is over it, and a cup stands next to the hanging palm.
static bool fill(desk *d) {
    fr_mesh_def like = fr_default_mesh_def();
    fr_mesh *table = NULL, *cup = NULL;
    fr_pose poses[FR_LINK_COUNT];
    if (fr_posture_rest(d->body, &d->posture, NULL) != FR_OK) { return false; }
    (void)fr_posture_poses(d->body, &d->posture, 1, poses, NULL);
    fr_pose palm = poses[FR_LINK_RIGHT_PALM];
    (void)fr_mesh_create_box(fr_vec3_make(1.2, 0.03, 0.6), &like, &table, NULL);
    (void)fr_mesh_create_cylinder(0.035, 0.1, 24, FR_AXIS_Z, &like, &cup, NULL);
    bool is_full = put(d, table, fr_pose_make(fr_vec3_make(0.0, 0.75, 0.55), fr_quat_identity()));
    is_full =
        put(d, cup, fr_pose_make(fr_pose_apply(&palm, fr_vec3_make(-0.085, -0.063, 0.0)), palm.rotation)) && is_full;
    d->turns[FR_LINK_RIGHT_FOREARM] = fr_quat_from_vector(fr_vec3_make(0.0, 1.5, 0.0));
    (void)fr_posture_poses(d->body, &d->posture, 1, poses, NULL);
    d->goal = poses[FR_LINK_RIGHT_PALM];
    d->goal.position.z += 0.1;
    return is_full && fr_posture_rest(d->body, &d->posture, NULL) == FR_OK &&
           fr_space_update(d->space, NULL, NULL) == FR_OK;
}

static bool make_desk(bench *b, desk *d) {
    *d = (desk){0};
    d->posture = (fr_posture){.turns = d->turns, .count = FR_LINK_COUNT};
    d->result = (fr_posture){.turns = d->results, .count = FR_LINK_COUNT};
    fr_body_def body = fr_default_body_def();
    fr_space_def space = fr_default_space_def();
    fr_figure_def figure = fr_default_figure_def();
    bool is_made =
        fr_skeleton_create_body(&body, &d->body, NULL) == FR_OK && fr_space_create(&space, &d->space, NULL) == FR_OK;
    figure.skeleton = d->body;
    figure.detail = FR_FIGURE_COARSE;
    is_made = is_made && fr_figure_create(&figure, &d->figure, NULL) == FR_OK && fill(d) &&
              fr_posture_copy(&d->posture, &d->result, NULL) == FR_OK;
    if (!is_made) { bench_skip(b, "out of memory"); }
    return is_made;
}

static void find_plan(desk *d) {
    fr_reach_plan_input input = fr_default_reach_plan_input();
    input.skeleton = d->body;
    input.figure = d->figure;
    input.posture = &d->posture;
    input.goals = &d->goal;
    input.goal_count = 1;
    input.space = d->space;
    (void)fr_reach_plan_find(&input, &d->plan, NULL);
}

static void run_plan(bench *b) {
    desk d;
    if (make_desk(b, &d)) {
        while (bench_repeat(b)) {
            find_plan(&d);
        }
        bench_items(b, 1.0);
        if (d.plan.result != FR_REACH_FOUND) { bench_skip(b, "no plan was found"); }
    }
    free_desk(&d);
}

static void run_frame(bench *b) {
    desk d;
    if (make_desk(b, &d)) {
        find_plan(&d);
        while (bench_repeat(b)) {
            for (int i = 0; i < 64; i++) {
                fr_reach_plan_apply(d.body, &d.plan.plan, i / 64.0, &d.result);
            }
        }
        bench_items(b, 64.0);
        bench_keep(d.results);
    }
    free_desk(&d);
}

static void run_grip(bench *b) {
    desk d;
    if (make_desk(b, &d)) {
        fr_grip_input input = fr_default_grip_input();
        input.skeleton = d.body;
        input.figure = d.figure;
        input.posture = &d.posture;
        input.space = d.space;
        fr_grip_output output = {0};
        while (bench_repeat(b)) {
            (void)fr_grip_close(&input, &d.result, &output, NULL);
        }
        bench_items(b, 1.0);
        if (output.result != FR_GRIP_HELD) { bench_skip(b, "the cup was not held"); }
    }
    free_desk(&d);
}

// Begins again where the press is over.
static void run_press(bench *b) {
    desk d;
    fr_performer *performer = NULL;
    if (make_desk(b, &d)) {
        fr_performer_def def = fr_default_performer_def();
        def.skeleton = d.body;
        def.figure = d.figure;
        fr_task task = {.id = 1, .skill = fr_skill_find("press")};
        task.fields.given = FR_FIELD_TARGET;
        task.fields.target =
            fr_pose_make(fr_vec3_make(-0.2, 1.1, 0.5), fr_quat_from_vector(fr_vec3_make(0.0, FR_PI, 0.0)));
        fr_performer_input input = {.space = d.space};
        fr_performer_output output = {.end_count = 1};
        bool is_made = fr_performer_create(&def, &performer, NULL) == FR_OK;
        while (bench_repeat(b) && is_made) {
            (void)fr_performer_put(performer, &d.posture, NULL);
            is_made = fr_performer_begin(performer, &task, 1, &input, NULL) == FR_OK;
            for (int i = 0; i < 60; i++) {
                (void)fr_performer_step(performer, &input, &output, NULL);
            }
        }
        bench_items(b, 60.0);
        if (!is_made) { bench_skip(b, "the button was not reached"); }
    }
    fr_performer_destroy(performer);
    free_desk(&d);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"reach/plan", run_plan}, {"reach/frame", run_frame}, {"grip/close", run_grip}, {"press/60_frames", run_press}};
    return bench_main(argc, argv, "fureai", "reach", cases, sizeof cases / sizeof cases[0]);
}
