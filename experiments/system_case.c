// People of the six cases that Ichiguchi measured.
#include "system_case.h"

#include "fureai/human_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Table 5.8 names slerp where the case of table 5.6 has a walk with an object.
const system_case system_cases[SYSTEM_CASES] = {
    {"mocap_play", {"mocap_play"}, 1, false, 4.96, 24.98, {5.2}},
    {"walk", {"walk"}, 1, false, 4.96, 24.93, {5.3}},
    {"slerp", {"slerp"}, 1, false, 4.96, 24.97, {5.2}},
    {"walk + slerp", {"walk", "slerp"}, 2, false, 4.96, 24.89, {5.4, 6.1}},
    {"walk + object", {"walk"}, 1, true, 4.96, 12.48, {5.4, 5.9}},
    {"walk + slerp + object", {"walk", "slerp"}, 2, true, 4.96, 12.51, {5.4, 6.8, 6.2}},
};

static const double WALK_LENGTH = 400.0; // metres: more frames than are taken

// ---------------------------------------------------------------------------------------------------------------
// Opening

static bool put_bytes(const char *bytes, size_t size, void *context) { return fwrite(bytes, 1, size, context) == size; }

// The clip as a file, which a program reads by itself.
static fr_status write_clip(system_person *p, fr_error *error) {
    snprintf(p->clip_path, sizeof p->clip_path, "/tmp/fureai-clip-XXXXXX");
    int descriptor = mkstemp(p->clip_path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (file == NULL) {
        p->clip_path[0] = '\0';
        return fr_error_set(error, FR_ERROR_FILE, "no file for a clip in /tmp");
    }
    fr_status status = fr_ahmc_write(p->clip, true, put_bytes, file, error);
    return fclose(file) == 0 || status != FR_OK ? status : fr_error_set(error, FR_ERROR_FILE, "no room in /tmp");
}

static fr_status open_programs(const char *algorithms, system_person *p, fr_error *error) {
    char launcher[4096];
    fr_plug_ins_def def = fr_default_plug_ins_def();
    def.memory_bytes = UINT64_MAX; // they are our own, and a checked build of them takes much
    snprintf(launcher, sizeof launcher, "%s/../fureai-launch", algorithms);
    def.folder = algorithms;
    def.launcher = launcher;
    def.step_seconds = 10.0;
    def.max_warm = 8;
    return fr_plug_ins_create(&def, &p->plug_ins, error);
}

fr_status system_person_open(const system_case *c, const char *algorithms, system_person *p, fr_error *error) {
    memset(p, 0, sizeof *p);
    p->c = c;
    fr_body_def body = fr_default_body_def();
    fr_walk_set_def set = fr_default_walk_set_def();
    fr_status status = fr_skeleton_create_body(&body, &p->skeleton, error);
    set.skeleton = p->skeleton;
    if (status == FR_OK) { status = fr_walk_set_create(&set, &p->walk_set, error); }
    if (status == FR_OK) { status = fr_clip_create_made(p->walk_set, FR_MADE_DOOR, NULL, &p->clip, error); }
    if (status == FR_OK && algorithms != NULL) { status = open_programs(algorithms, p, error); }
    if (status == FR_OK && algorithms != NULL) { status = write_clip(p, error); }
    if (status != FR_OK) { return status; }
    // The goal of slerp: an arm before the body.
    p->goal = (fr_posture){.turns = p->turns, .count = FR_LINK_COUNT};
    status = fr_posture_rest(p->skeleton, &p->goal, error);
    p->turns[FR_LINK_RIGHT_FOREARM] = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), fr_radians(90.0));
    p->object_pose = fr_pose_identity();
    return status;
}

static void close_programs(system_person *p) {
    fr_performer_destroy(p->performer);
    p->performer = NULL;
    for (int i = 0; i < SYSTEM_MAX_SKILLS; i++) {
        fr_plug_in_destroy(p->programs[i]);
        p->programs[i] = NULL;
    }
    fr_plug_in_destroy(p->object_program);
    p->object_program = NULL;
}

fr_status system_person_restart(system_person *p, const char *algorithms, fr_error *error) {
    close_programs(p);
    fr_plug_ins_destroy(p->plug_ins);
    p->plug_ins = NULL;
    return open_programs(algorithms, p, error);
}

void system_person_close(system_person *p) {
    close_programs(p);
    fr_plug_ins_destroy(p->plug_ins);
    if (p->clip_path[0] != '\0') { unlink(p->clip_path); }
    fr_clip_release(p->clip);
    fr_walk_set_release(p->walk_set);
    fr_skeleton_release(p->skeleton);
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

static fr_status open_program(system_person *p, const char *name, fr_plug_in **out, fr_error *error) {
    fr_plug_in_def def = fr_default_plug_in_def();
    def.name = name;
    def.is_lockstep = true;
    def.data = strcmp(name, "mocap_play") == 0 ? p->clip_path : "";
    return fr_plug_in_create(p->plug_ins, &def, out, error);
}

static void set_fields(const system_person *p, const char *skill, fr_skill_fields *fields) {
    if (strcmp(skill, "mocap_play") == 0) {
        fields->given = FR_FIELD_CLIP;
        fields->clip = p->clip;
    } else if (strcmp(skill, "walk") == 0) {
        fields->given = FR_FIELD_GOAL;
        fields->goal = fr_pose_make(fr_vec3_make(0.0, 0.0, WALK_LENGTH), fr_quat_identity());
    } else {
        fields->given = FR_FIELD_POSTURE | FR_FIELD_FRAMES;
        fields->posture = &p->goal;
        fields->frames = 100000;
    }
}

fr_status system_person_begin(system_person *p, fr_error *error) {
    close_programs(p);
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = p->skeleton;
    def.walk_set = p->walk_set;
    fr_task tasks[SYSTEM_MAX_SKILLS];
    memset(tasks, 0, sizeof tasks);
    memset(&p->object, 0, sizeof p->object);
    fr_status status = fr_performer_create(&def, &p->performer, error);
    for (uint32_t i = 0; i < p->c->skill_count && status == FR_OK; i++) {
        tasks[i].id = i + 1;
        set_fields(p, p->c->skills[i], &tasks[i].fields);
        if (p->plug_ins != NULL) { status = open_program(p, p->c->skills[i], &p->programs[i], error); }
        if (status != FR_OK) { break; }
        tasks[i].skill = p->plug_ins != NULL ? fr_plug_in_skill(p->programs[i]) : fr_skill_find(p->c->skills[i]);
    }
    if (status == FR_OK && p->plug_ins != NULL && p->c->has_object) {
        status = open_program(p, "follow_hand", &p->object_program, error);
    }
    if (status == FR_OK) { status = fr_performer_begin(p->performer, tasks, p->c->skill_count, NULL, error); }
    return status;
}

// The object sees the posture of the same frame.
static fr_status step_object(system_person *p, const fr_posture *posture, fr_error *error) {
    fr_pose poses[FR_LINK_COUNT];
    fr_status status = fr_posture_poses(p->skeleton, posture, 1, poses, error);
    const fr_link_point *grip = &fr_skeleton_get(p->skeleton)->points[FR_POINT_RIGHT_GRIP];
    fr_object_input input = fr_default_object_input();
    fr_object_output output;
    input.hands[FR_RIGHT].is_there = true;
    input.hands[FR_RIGHT].palm = poses[FR_LINK_RIGHT_PALM];
    input.hands[FR_RIGHT].grip = fr_pose_apply(&poses[grip->link], grip->offset);
    if (p->frames == 0) { p->object_pose = fr_pose_make(input.hands[FR_RIGHT].grip, fr_quat_identity()); }
    input.object = p->object_pose;
    if (status == FR_OK) {
        status = p->object_program != NULL
                     ? fr_plug_in_step_object(p->object_program, &input, &output, error)
                     : fr_object_skill_find("follow_hand")->step(&input, &p->object, &output, error);
    }
    if (status == FR_OK && output.intent.kind == FR_INTENT_ATTACH) { p->object_pose = output.intent.pose; }
    return status;
}

fr_status system_person_step(system_person *p, fr_error *error) {
    fr_performer_output output;
    fr_status status = fr_performer_step(p->performer, NULL, &output, error);
    for (uint32_t i = 0; i < output.end_count && status == FR_OK; i++) {
        if (output.ends[i].reason != FR_TASK_FAILED) { continue; }
        status = fr_error_set(error, FR_ERROR_ARGUMENT, "%s: %s", p->c->name, output.ends[i].message);
    }
    if (status == FR_OK && p->c->has_object) { status = step_object(p, &output.posture, error); }
    p->frames++;
    return status;
}
