// A person shows the skills of the table, one after another. With a folder as argument every skill is written there as
// a clip file, for `fureai motion FILE --picture strip.png`.
#include "fureai/human_files.h"
#include "fureai/human_meeting.h"
#include "fureai/human_skill.h"
#include "fureai/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_MAX 2000u
#define RATE 60.0

// The frames of the skill that is shown.
typedef struct film {
    uint32_t count;
    fr_vec3 places[FRAMES_MAX];
    fr_quat turns[FRAMES_MAX * FR_LINK_COUNT];
    uint8_t contacts[2 * FRAMES_MAX];
} film;

typedef struct show {
    fr_skeleton *skeleton;
    fr_walk_set *set;
    fr_performer *performer;
    fr_space *space;    // what skills look at; NULL: nothing
    const char *folder; // NULL: nothing is written
    film film;
} show;

static void add_frame(film *f, const fr_posture *posture) {
    if (f->count == FRAMES_MAX) { return; }
    f->places[f->count] = posture->place;
    memcpy(&f->turns[f->count * FR_LINK_COUNT], posture->turns, FR_LINK_COUNT * sizeof(fr_quat));
    f->contacts[2 * f->count] = posture->contact_left;
    f->contacts[2 * f->count + 1] = posture->contact_right;
    f->count++;
}

static bool put(const char *bytes, size_t size, void *context) { return fwrite(bytes, 1, size, context) == size; }

static bool write_film(const show *s, const char *name) {
    fr_clip_def def = fr_default_clip_def();
    def.name = name;
    def.frame_rate = RATE;
    def.frame_count = s->film.count;
    def.link_count = FR_LINK_COUNT;
    def.places = s->film.places;
    def.turns = s->film.turns;
    def.contacts = s->film.contacts;
    fr_clip *clip;
    char path[512];
    snprintf(path, sizeof path, "%s/%s.ahmc", s->folder, name);
    if (fr_clip_create(&def, &clip, NULL) != FR_OK) { return false; }
    FILE *file = fopen(path, "wb");
    bool is_written = file != NULL && fr_ahmc_write(clip, true, put, file, NULL) == FR_OK;
    if (file != NULL && fclose(file) != 0) { is_written = false; }
    fr_clip_release(clip);
    return is_written;
}

// The body stands at the origin and faces +Z.
static void stand_at_origin(show *s) {
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    fr_posture_rest(s->skeleton, &posture, NULL);
    fr_walk_set_stand(s->set, fr_vec3_make(0, 0, 0), 0.0, &posture, NULL);
    fr_performer_put(s->performer, &posture, NULL);
}

// Performs tasks until all are over, and some frames more. The film begins with the posture before them.
static bool perform(show *s, const char *name, const fr_task *tasks, uint32_t count, uint32_t more) {
    fr_error error = {0};
    fr_performer_output output;
    const fr_performer_input input = {.space = s->space};
    s->film.count = 0;
    fr_posture before = fr_performer_get(s->performer).posture;
    add_frame(&s->film, &before);
    if (fr_performer_begin(s->performer, tasks, count, &input, &error) != FR_OK) {
        printf("%s: %s\n", name, error.message);
        return false;
    }
    uint32_t frames = 0;
    printf("%-12s", name);
    for (bool is_over = false; more > 0; more -= is_over ? 1 : 0) {
        fr_performer_step(s->performer, &input, &output, NULL);
        add_frame(&s->film, &output.posture);
        for (uint32_t i = 0; i < output.event_count; i++) {
            printf(" %s", output.events[i].name);
        }
        frames += is_over ? 0 : 1;
        is_over = fr_performer_get(s->performer).task_count == 0;
    }
    printf(" %u frames\n", frames);
    return s->folder == NULL || write_film(s, name);
}

static fr_task task_of(uint64_t id, const char *skill, uint32_t given) {
    fr_task task = {.id = id, .skill = fr_skill_find(skill)};
    task.fields.given = given;
    return task;
}

static fr_pose facing(double x, double y, double z, double heading_deg) {
    fr_quat turn = fr_quat_from_axis_angle(fr_vec3_make(0, 1, 0), fr_radians(heading_deg));
    return fr_pose_make(fr_vec3_make(x, y, z), turn);
}

static bool show_walking(show *s) {
    stand_at_origin(s);
    fr_task walk = task_of(1, "walk", FR_FIELD_GOAL | FR_FIELD_HEADING);
    walk.fields.goal = facing(0.5, 0, 3.0, 0);
    walk.fields.heading = fr_radians(90);
    if (!perform(s, "walk", &walk, 1, 20)) { return false; }
    fr_task turn = task_of(1, "turn", FR_FIELD_HEADING);
    turn.fields.heading = fr_radians(-60);
    return perform(s, "turn", &turn, 1, 20);
}

static bool show_sitting(show *s) {
    stand_at_origin(s);
    fr_task sit = task_of(1, "sit", FR_FIELD_TARGET);
    sit.fields.target = facing(0, 0.44, -0.4, 0);
    if (!perform(s, "sit", &sit, 1, 20)) { return false; }
    fr_task stand = task_of(1, "stand", 0);
    return perform(s, "stand", &stand, 1, 20);
}

static bool show_arms(show *s) {
    fr_task drink = task_of(1, "drink", FR_FIELD_SIDE);
    drink.fields.side = FR_SIDE_RIGHT;
    stand_at_origin(s);
    if (!perform(s, "drink", &drink, 1, 20)) { return false; }
    fr_task tap = task_of(1, "tap", FR_FIELD_TARGET | FR_FIELD_SIDE);
    tap.fields.target = facing(0.1, 1.0, 0.45, 180);
    tap.fields.side = FR_SIDE_LEFT;
    return perform(s, "tap", &tap, 1, 20);
}

// An arm goes to a posture, and stays as it is while the body walks.
static bool show_postures(show *s) {
    fr_quat turns[FR_LINK_COUNT];
    fr_posture goal = {.turns = turns, .count = FR_LINK_COUNT};
    double weights[FR_LINK_COUNT + 1] = {0.0};
    fr_posture_rest(s->skeleton, &goal, NULL);
    turns[FR_LINK_RIGHT_FOREARM] = fr_quat_from_axis_angle(fr_vec3_make(0, 1, 0), fr_radians(85));
    weights[FR_LINK_RIGHT_UPPER_ARM] = weights[FR_LINK_RIGHT_FOREARM] = weights[FR_LINK_RIGHT_PALM] = 100.0;
    fr_task slerp = task_of(1, "slerp", FR_FIELD_POSTURE | FR_FIELD_WEIGHTS);
    slerp.fields.posture = &goal;
    slerp.fields.weights = weights;
    stand_at_origin(s);
    if (!perform(s, "slerp", &slerp, 1, 20)) { return false; }
    fr_task both[2] = {task_of(1, "walk", FR_FIELD_GOAL), task_of(2, "hold_arm", FR_FIELD_SIDE | FR_FIELD_FRAMES)};
    both[0].fields.goal = facing(0, 0, 2.5, 0);
    both[1].fields.side = FR_SIDE_RIGHT;
    both[1].fields.frames = 240;
    return perform(s, "hold_arm", both, 2, 20);
}

// The palm in the world with its fingers forward and the thumb up.
static fr_pose palm_at(double x, double y, double z) {
    fr_mat3 axes = {{{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}}};
    return fr_pose_make(fr_vec3_make(x, y, z), fr_quat_from_mat3(axes));
}

// Steps to where the hand comes to a place that is out of reach.
static bool show_step(show *s) {
    fr_task step = task_of(1, "step_reach", FR_FIELD_GOAL | FR_FIELD_SIDE);
    step.fields.side = FR_SIDE_RIGHT;
    step.fields.goal = palm_at(-0.2, 1.1, 1.2);
    stand_at_origin(s);
    return perform(s, "step_reach", &step, 1, 20);
}

// Takes something in the right hand, carries it and lets it go.
static bool show_hand(show *s) {
    fr_task reach = task_of(1, "ik_reach", FR_FIELD_GOAL | FR_FIELD_SIDE);
    fr_task grasp = task_of(1, "grasp", FR_FIELD_SIDE | FR_FIELD_DIAMETER), open = task_of(1, "release", FR_FIELD_SIDE);
    reach.fields.side = grasp.fields.side = open.fields.side = FR_SIDE_RIGHT;
    reach.fields.goal = palm_at(-0.2, 1.1, 0.35);
    grasp.fields.diameter = 0.07;
    stand_at_origin(s);
    if (!perform(s, "ik_reach", &reach, 1, 20) || !perform(s, "grasp", &grasp, 1, 20)) { return false; }
    fr_task both[2] = {task_of(1, "carry", FR_FIELD_SIDE | FR_FIELD_FRAMES), task_of(2, "walk", FR_FIELD_GOAL)};
    both[0].fields.side = FR_SIDE_RIGHT;
    both[0].fields.frames = 260;
    both[1].fields.goal = facing(0, 0, 2.5, 0);
    both[1].start = 30;
    return perform(s, "carry", both, 2, 20) && perform(s, "release", &open, 1, 20);
}

// A handle, 0.1 m wide, that slides upwards before the body.
static bool make_lever(show *s, const fr_pose *target, fr_object_id *lever) {
    fr_space_def def = fr_default_space_def();
    fr_mesh_def like = fr_default_mesh_def();
    fr_mesh *mesh = NULL;
    if (fr_space_create(&def, &s->space, NULL) != FR_OK ||
        fr_mesh_create_box(fr_vec3_make(0.1, 0.02, 0.02), &like, &mesh, NULL) != FR_OK) {
        return false;
    }
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def object = fr_default_object_def();
    object.parts = &part;
    object.part_count = 1;
    object.pose = *target;
    bool is_made = fr_object_add(s->space, &object, lever, NULL) == FR_OK;
    fr_mesh_release(mesh);
    const fr_pose upwards = facing(0, 0, 0, 0);
    fr_joint joint = {.kind = FR_JOINT_SLIDER, .child = *lever, .low = 0.0, .high = 0.2};
    joint.frame_child = upwards;
    joint.frame_child.rotation = fr_quat_from_axis_angle(fr_vec3_make(1, 0, 0), fr_radians(-90));
    joint.frame_parent = fr_pose_compose(target, &joint.frame_child);
    fr_joint_id id;
    return is_made && fr_joint_add(s->space, &joint, &id, NULL) == FR_OK &&
           fr_space_update(s->space, NULL, NULL) == FR_OK;
}

// Takes the handle and slides it up by 0.2 m.
static bool show_lever(show *s) {
    fr_task slide = task_of(1, "slide", FR_FIELD_TARGET | FR_FIELD_OBJECT | FR_FIELD_VALUE | FR_FIELD_SIDE);
    slide.fields.target = facing(-0.2, 1.0, 0.45, 180);
    slide.fields.value = 0.2;
    slide.fields.side = FR_SIDE_RIGHT;
    stand_at_origin(s);
    bool is_shown = make_lever(s, &slide.fields.target, &slide.fields.object) && perform(s, "slide", &slide, 1, 20);
    fr_space_destroy(s->space);
    s->space = NULL;
    return is_shown;
}

// What an operator does at a panel and a keyboard.
static bool show_panel(show *s) {
    static const char *const skills[] = {"press", "touch_panel", "look_at", "check", "read", "point", "call"};
    for (int i = 0; i < 7; i++) {
        fr_task task = task_of(1, skills[i], FR_FIELD_TARGET);
        bool is_far = i > 1;
        task.fields.target = is_far ? facing(-1.2, 1.5, 1.6, 180) : facing(-0.1, 1.15, 0.45, 180);
        if (i == 4) { task.fields.target = facing(0.1, 1.0, 0.4, 180); } // a manual on a desk
        // Who looks or points goes on until it is stopped.
        if (i == 2 || i == 5) { task.fields.given |= FR_FIELD_FRAMES; }
        task.fields.frames = 90;
        stand_at_origin(s);
        if (!perform(s, skills[i], &task, 1, 20)) { return false; }
    }
    fr_pose keys[6];
    for (int i = 0; i < 6; i++) {
        keys[i] = fr_pose_make(fr_vec3_make(0.06 * i - 0.15, 0.98, 0.38),
                               fr_quat_from_axis_angle(fr_vec3_make(1, 0, 0), fr_radians(-90)));
    }
    fr_task type = task_of(1, "type", FR_FIELD_POSES);
    type.fields.poses = keys;
    type.fields.pose_count = 6;
    stand_at_origin(s);
    return perform(s, "type", &type, 1, 20);
}

// One of two who meet: the other, of the same size, stands before the body and does the same or the counterpart.
static bool show_meeting(show *s) {
    static const char *const skills[] = {"shake_hand", "hand_over", "receive"};
    for (int i = 0; i < 3; i++) {
        fr_meeting_input input = fr_default_meeting_input();
        fr_meeting_output found;
        stand_at_origin(s);
        input.kind = i == 0 ? FR_MEETING_SHAKE_HAND : FR_MEETING_HAND_OVER;
        input.skeletons[0] = input.skeletons[1] = s->skeleton;
        int own = i == 2 ? 1 : 0;
        fr_posture posture = fr_performer_get(s->performer).posture;
        fr_vec3 other = fr_vec3_add(posture.place, fr_vec3_make(0, 0, fr_meeting_distance(&input)));
        input.places[own] = posture.place;
        input.places[1 - own] = other;
        if (fr_meeting_find(&input, &found, NULL) != FR_OK || !found.is_reached) { return false; }
        fr_task task = task_of(1, skills[i], FR_FIELD_TARGET | FR_FIELD_GOAL | FR_FIELD_SIDE | FR_FIELD_POSES);
        task.fields.target = fr_pose_make(other, fr_quat_from_axis_angle(fr_vec3_make(0, 1, 0), FR_PI));
        task.fields.goal = found.goals[own];
        task.fields.side = FR_SIDE_RIGHT;
        task.fields.poses = &input.thing;
        task.fields.pose_count = 1;
        if (!perform(s, skills[i], &task, 1, 20)) { return false; }
    }
    return true;
}

static bool show_gestures(show *s) {
    static const char *const words[] = {"bow", "nod", "shake", "shrug", "surprise", "thumb_up", "wave"};
    for (int i = 0; i < 7; i++) {
        fr_task task = task_of(1, "gesture", FR_FIELD_WORD);
        strcpy(task.fields.word, words[i]);
        stand_at_origin(s);
        if (!perform(s, words[i], &task, 1, 20)) { return false; }
    }
    return true;
}

// The door of the demonstration, as a clip that is played.
static bool show_clip(show *s) {
    fr_clip *clip = NULL;
    if (fr_clip_create_made(s->set, FR_MADE_DOOR, NULL, &clip, NULL) != FR_OK) { return false; }
    fr_task play = task_of(1, "mocap_play", FR_FIELD_CLIP);
    play.fields.clip = clip;
    stand_at_origin(s);
    bool is_shown = perform(s, "mocap_play", &play, 1, 20);
    fr_clip_release(clip);
    return is_shown;
}

int main(int argc, char **argv) {
    show *s = calloc(1, sizeof *s);
    if (s == NULL) { return 1; }
    s->folder = argc > 1 ? argv[1] : NULL;
    fr_body_def body = fr_default_body_def();
    fr_walk_set_def set_def = fr_default_walk_set_def();
    fr_performer_def def = fr_default_performer_def();
    bool is_made = fr_skeleton_create_body(&body, &s->skeleton, NULL) == FR_OK;
    set_def.skeleton = def.skeleton = s->skeleton;
    is_made = is_made && fr_walk_set_create(&set_def, &s->set, NULL) == FR_OK;
    def.walk_set = s->set;
    is_made = is_made && fr_performer_create(&def, &s->performer, NULL) == FR_OK;
    bool is_shown = is_made && show_walking(s) && show_sitting(s) && show_arms(s) && show_postures(s) && show_hand(s) &&
                    show_step(s) && show_lever(s) && show_panel(s) && show_meeting(s) && show_gestures(s) &&
                    show_clip(s);
    fr_performer_destroy(s->performer);
    fr_walk_set_release(s->set);
    fr_skeleton_release(s->skeleton);
    free(s);
    return is_shown ? 0 : 1;
}
