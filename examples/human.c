// A person walks round a table to a cup, reaches for it and closes the hand. With a path as argument the motion is
// written there as BVH, for `fureai motion FILE --picture strip.png` or any animation program.
#include "fureai/human_files.h"
#include "fureai/human_reach.h"
#include "fureai/human_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_MAX 2000u
#define RATE 60.0

// The frames so far.
typedef struct film {
    uint32_t count;
    fr_vec3 places[FRAMES_MAX];
    fr_quat turns[FRAMES_MAX * FR_LINK_COUNT];
    uint8_t contacts[2 * FRAMES_MAX];
} film;

static void add_frame(film *f, const fr_posture *posture) {
    if (f->count == FRAMES_MAX) { return; }
    f->places[f->count] = posture->place;
    memcpy(&f->turns[f->count * FR_LINK_COUNT], posture->turns, FR_LINK_COUNT * sizeof(fr_quat));
    f->contacts[2 * f->count] = posture->contact_left;
    f->contacts[2 * f->count + 1] = posture->contact_right;
    f->count++;
}

static bool put(const char *bytes, size_t size, void *context) { return fwrite(bytes, 1, size, context) == size; }

static int write_film(const fr_skeleton *skeleton, const film *f, const char *path) {
    fr_clip_def def = fr_default_clip_def();
    def.name = "to the cup";
    def.frame_rate = RATE;
    def.frame_count = f->count;
    def.link_count = FR_LINK_COUNT;
    def.places = f->places;
    def.turns = f->turns;
    def.contacts = f->contacts;
    fr_clip *clip;
    if (fr_clip_create(&def, &clip, NULL) != FR_OK) { return 1; }
    FILE *file = fopen(path, "wb");
    bool is_written = file != NULL && fr_bvh_write(skeleton, clip, 100.0, put, file, NULL) == FR_OK;
    if (file != NULL && fclose(file) != 0) { is_written = false; }
    fr_clip_release(clip);
    return is_written ? 0 : 1;
}

// Walks by the goals and adds every frame.
static int walk_there(const fr_skeleton *skeleton, fr_posture *posture, film *f) {
    fr_walk_set_def set_def = fr_default_walk_set_def();
    set_def.skeleton = skeleton;
    fr_walk_def def = fr_default_walk_def();
    fr_walk_set *set;
    fr_walk *walk;
    if (fr_walk_set_create(&set_def, &set, NULL) != FR_OK) { return 1; }
    def.set = set;
    int failed = fr_walk_create(&def, &walk, NULL) != FR_OK;
    if (!failed) {
        // Round the corner of the table at x = 1, then to the cup, facing it.
        const fr_walk_goal goals[3] = {
            {{0.0, 0.0, 2.0}, 0.0, false}, {{0.6, 0.0, 3.2}, 0.0, false}, {{1.0, 0.0, 4.0}, fr_radians(90.0), true}};
        failed = fr_walk_go(walk, goals, 3, 0, NULL) != FR_OK;
        printf("a walk of %.1f m in %u frames\n", fr_walk_get(walk).length, fr_walk_get(walk).frame_count);
        while (!failed && fr_walk_get(walk).is_walking) {
            failed = fr_walk_step(walk, posture, NULL) != FR_OK;
            add_frame(f, posture);
        }
        fr_walk_destroy(walk);
    }
    fr_walk_set_release(set);
    return failed;
}

// Brings the right palm to a place beside the cup, as people move a hand, and closes the fingers round it.
static int take_cup(const fr_skeleton *skeleton, fr_vec3 cup, double radius, fr_posture *posture, film *f) {
    fr_pose poses[FR_LINK_COUNT];
    if (fr_posture_poses(skeleton, posture, 1, poses, NULL) != FR_OK) { return 1; }
    fr_pose from = poses[FR_LINK_RIGHT_PALM], to = from;
    fr_vec3 grip_local = fr_skeleton_get(skeleton)->points[FR_POINT_RIGHT_GRIP].offset;

    // The forearm points at the cup: the palm has turned up by a right angle about the person's left.
    fr_quat up =
        fr_quat_from_axis_angle(fr_pose_turn(&poses[FR_LINK_CHEST], (fr_vec3){0.0, 1.0, 0.0}), fr_radians(-90.0));
    to.rotation = fr_quat_multiply(up, from.rotation);
    to.position = fr_vec3_sub(cup, fr_pose_turn(&to, grip_local));
    fr_reach_output output = {0};
    uint32_t frames = (uint32_t)(RATE * fr_reach_duration(fr_vec3_distance(from.position, to.position)));
    for (uint32_t i = 1; i <= frames; i++) {
        double s = fr_reach_progress((double)i / frames);
        fr_motion motion = fr_motion_between(&from, &to, (fr_vec3){0.0, 0.0, 0.0});
        fr_reach_input input = fr_default_reach_input();
        input.skeleton = skeleton;
        input.posture = posture;
        input.palm = fr_motion_pose(&motion, s);
        if (fr_reach_solve(&input, &output, NULL) != FR_OK) { return 1; }
        fr_reach_apply(skeleton, FR_RIGHT, &output, posture);
        add_frame(f, posture);
    }
    printf("reached in %u frames, %.0f mm short, the elbow at %.0f degrees\n", frames, 1000.0 * output.miss,
           fr_degrees(output.angles[3]));

    // From the open hand to the grip in a quarter of a second.
    fr_quat open_turns[FR_LINK_COUNT], closed_turns[FR_LINK_COUNT];
    fr_posture open = *posture, closed = *posture;
    open.turns = open_turns;
    closed.turns = closed_turns;
    fr_posture_copy(posture, &open, NULL);
    fr_posture_copy(posture, &closed, NULL);
    if (fr_grip_posture(skeleton, FR_RIGHT, radius, &closed, NULL) != FR_OK) { return 1; }
    for (int i = 1; i <= 15; i++) {
        fr_posture_slerp(&open, &closed, i / 15.0, posture, NULL);
        add_frame(f, posture);
    }
    double bend = fr_vec3_length(fr_quat_to_vector(closed_turns[FR_LINK_RIGHT_INDEX_1]));
    printf("the index finger bends by %.0f degrees first\n", fr_degrees(bend));
    return 0;
}

int main(int argc, char **argv) {
    fr_body_def body = fr_default_body_def();
    fr_skeleton *skeleton;
    film *f = calloc(1, sizeof *f);
    if (f == NULL || fr_skeleton_create_body(&body, &skeleton, NULL) != FR_OK) {
        free(f);
        return 1;
    }
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    int failed = fr_posture_rest(skeleton, &posture, NULL) != FR_OK;
    if (!failed) { failed = walk_there(skeleton, &posture, f); }
    printf("at %.2f left, %.2f forward\n", posture.place.x, posture.place.z);
    if (!failed) { failed = take_cup(skeleton, (fr_vec3){1.48, 1.1, 4.17}, 0.035, &posture, f); }
    if (!failed && argc > 1) { failed = write_film(skeleton, f, argv[1]); }
    fr_skeleton_release(skeleton);
    free(f);
    return failed;
}
