// Plug-ins: a skill through a process gives the bits that it gives in the library, in lines and in binary frames; and
// programs that do what they may not end their own motion, in time, and leave nothing behind.
#include "failing.h"
#include "folder.h"
#include "frame.h"

#include "fureai/act_plug_in.h"
#include "fureai/human_files.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------------------------
// A body, and the fields that skills ask for

static fr_skeleton *skeleton;
static fr_walk_set *walk_set;
static fr_clip *clip;
static char clip_path[128];

static bool put_bytes(const char *bytes, size_t size, void *context) {
    fr_byte_array *out = context;
    unsigned char *room = fr_byte_array_push(out, size);
    if (room != NULL) { memcpy(room, bytes, size); }
    return room != NULL;
}

// A clip in a file, and as it is read from there.
static bool write_clip(void) {
    fr_clip *made;
    fr_byte_array bytes = fr_byte_array_make(NULL);
    if (fr_walk_set_clip(walk_set, 300, NULL, &made, NULL) != FR_OK) { return false; }
    bool is_good = fr_ahmc_write(made, false, put_bytes, &bytes, NULL) == FR_OK;
    fr_clip_release(made);
    snprintf(clip_path, sizeof clip_path, "%s/clip.ahmc", folder);
    FILE *file = fopen(clip_path, "wb");
    is_good = is_good && file != NULL && fwrite(bytes.data, 1, bytes.count, file) == bytes.count;
    if (file != NULL) { fclose(file); }
    fr_ahmc_input input = fr_default_ahmc_input();
    input.text = (const char *)bytes.data;
    input.size = bytes.count;
    is_good = is_good && fr_ahmc_read(&input, &clip, NULL) == FR_OK;
    fr_byte_array_destroy(&bytes);
    return is_good;
}

static int set_up(void **state) {
    (void)state;
    fr_body_def body = fr_default_body_def();
    if (fr_skeleton_create_body(&body, &skeleton, NULL) != FR_OK) { return 1; }
    fr_walk_set_def set = fr_default_walk_set_def();
    set.skeleton = skeleton;
    if (fr_walk_set_create(&set, &walk_set, NULL) != FR_OK) { return 1; }
    return make_bad_folder() && write_clip() ? 0 : 1;
}

static int tear_down(void **state) {
    (void)state;
    (void)unlink(clip_path);
    remove_bad_folder();
    fr_clip_release(clip);
    fr_walk_set_release(walk_set);
    fr_skeleton_release(skeleton);
    return 0;
}

static fr_quat goal_turns[FR_LINK_COUNT];
static double goal_weights[FR_LINK_COUNT + 1];
static fr_posture goal_posture = {.turns = goal_turns, .count = FR_LINK_COUNT};
static fr_pose goal_poses[2];

// Some skills act on what faces the person, on a seat, or with one arm.
static void suit(const char *name, fr_skill_fields *f) {
    fr_quat towards = fr_quat_from_vector(fr_vec3_make(0.0, 3.14159265358979, 0.0));
    f->target = fr_pose_make(fr_vec3_make(-0.2, 1.15, 0.35), towards);
    goal_poses[0] = fr_pose_make(fr_vec3_make(-0.15, 1.1, 0.35), towards);
    goal_poses[1] = fr_pose_make(fr_vec3_make(0.15, 1.1, 0.35), towards);
    f->side = FR_SIDE_RIGHT;
    if (strcmp(name, "hold_arm") == 0 || strcmp(name, "carry") == 0) { f->given |= FR_FIELD_SIDE; }
    if (strcmp(name, "sit") == 0) { f->target = fr_pose_make(fr_vec3_make(0.0, 0.45, -0.2), fr_quat_identity()); }
    if (strcmp(name, "ik_reach") == 0) {
        f->goal.position = fr_vec3_make(-0.25, 1.0, 0.3);
        f->given &= ~FR_FIELD_CLIP;
    }
    if (strcmp(name, "step_reach") == 0) {
        f->goal = fr_pose_make(fr_vec3_make(-0.2, 1.1, 1.4), fr_quat_identity());
        f->given &= ~FR_FIELD_OBJECT;
    }
    bool is_far = strcmp(name, "call") == 0 || strcmp(name, "point") == 0;
    if (is_far) { f->target.position = fr_vec3_make(-0.4, 1.3, 2.0); }
    if (strcmp(name, "touch_panel") == 0) { f->goal = f->target; }
    const fr_skill *skill = fr_skill_find(name);
    if (skill->partner != NULL) { f->goal = fr_pose_make(fr_vec3_make(-0.15, 1.0, 0.4), fr_quat_identity()); }
    if (strcmp(name, "hand_over") == 0) {
        goal_poses[0] = fr_pose_identity();
        f->goal = fr_pose_make(fr_vec3_make(-0.25, 1.0, 0.3), fr_quat_identity());
    }
    if (strcmp(name, "walk") == 0) { f->given &= ~FR_FIELD_POSES; }
}

// Fields that suit a skill; whatever it takes is given.
static fr_skill_fields fields_of(const fr_skill *skill) {
    fr_skill_fields f = {.given = skill->needs | (skill->takes & ~(FR_FIELD_SPEED | FR_FIELD_FRAMES | FR_FIELD_SIDE))};
    (void)fr_posture_rest(skeleton, &goal_posture, NULL);
    goal_posture.place = fr_vec3_make(0.0, goal_posture.place.y, 0.0);
    goal_turns[7] = fr_quat_multiply(goal_turns[7], fr_quat_from_vector(fr_vec3_make(0.3, 0.1, -0.2)));
    for (int i = 0; i <= FR_LINK_COUNT; i++) {
        goal_weights[i] = i < 10 ? 1.0 : 0.0;
    }
    f.target = fr_pose_make(fr_vec3_make(-0.25, 1.0, 0.35), fr_quat_identity());
    f.object = (fr_object_id){3, 0, 1};
    f.goal = fr_pose_make(fr_vec3_make(0.4, 0.0, 1.7), fr_quat_identity());
    f.heading = 0.7;
    f.clip = clip;
    f.posture = &goal_posture;
    f.weights = goal_weights;
    f.value = 0.5;
    goal_poses[0] = fr_pose_make(fr_vec3_make(0.1, 1.1, 0.3), fr_quat_identity());
    goal_poses[1] = fr_pose_make(fr_vec3_make(0.0, 1.0, 0.4), fr_quat_identity());
    f.poses = goal_poses;
    f.pose_count = 2;
    snprintf(f.word, sizeof f.word, "nod");
    f.diameter = 0.07;
    bool is_free = strcmp(skill->name, "mocap_play") != 0 && (skill->needs & (FR_FIELD_TARGET | FR_FIELD_POSES)) == 0;
    if ((skill->takes & FR_FIELD_FRAMES) != 0 && is_free) {
        f.given |= FR_FIELD_FRAMES;
        f.frames = 80;
    }
    suit(skill->name, &f);
    return f;
}

static fr_performer *make_performer(void) {
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = skeleton;
    def.walk_set = walk_set;
    def.person = UINT64_C(0xfedcba9876543210);
    fr_performer *performer;
    assert_int_equal(fr_performer_create(&def, &performer, NULL), FR_OK);
    return performer;
}

static fr_plug_in *open_plug_in(fr_plug_ins *plug_ins, const char *name, bool is_lockstep, bool is_binary) {
    fr_plug_in_def def = fr_default_plug_in_def();
    def.name = name;
    def.human = "h1";
    def.target = "cup1";
    if (strcmp(name, "ik_reach") != 0) { def.data = clip_path; } // which would reach on the course of a body
    def.is_lockstep = is_lockstep;
    def.is_binary = is_binary;
    fr_plug_in *plug_in;
    fr_error error = {0};
    if (fr_plug_in_create(plug_ins, &def, &plug_in, &error) != FR_OK) { fail_msg("%s: %s", name, error.message); }
    return plug_in;
}

// ---------------------------------------------------------------------------------------------------------------
// One implementation

// The hash of all postures, events and ends of a performer with one task.
static uint64_t perform(const fr_skill *skill, const fr_skill_fields *fields, uint32_t frames, fr_status *begun,
                        uint32_t *ends) {
    fr_performer *performer = make_performer();
    const fr_task task = {.id = 5, .skill = skill, .fields = *fields};
    fr_error error = {0};
    uint64_t hash = 1;
    *ends = 0;
    *begun = fr_performer_begin(performer, &task, 1, NULL, &error);
    if (*begun != FR_OK) { print_message("%s does not begin: %s\n", skill->name, error.message); }
    for (uint32_t i = 0; i < frames && *begun == FR_OK; i++) {
        fr_performer_output output;
        assert_int_equal(fr_performer_step(performer, NULL, &output, NULL), FR_OK);
        hash = fr_hash(output.posture.turns, output.posture.count * sizeof(fr_quat), hash);
        hash = fr_hash(&output.posture.place, sizeof output.posture.place, hash);
        for (uint32_t k = 0; k < output.event_count; k++) {
            hash = fr_hash(output.events[k].name, strlen(output.events[k].name), hash);
            hash = fr_hash(&output.events[k].object, sizeof output.events[k].object, hash);
            hash = fr_hash(output.events[k].numbers, sizeof output.events[k].numbers, hash);
        }
        for (uint32_t k = 0; k < output.end_count; k++) {
            const uint32_t end[2] = {i, (uint32_t)output.ends[k].reason};
            hash = fr_hash(end, sizeof end, hash);
            ++*ends;
        }
    }
    fr_performer_destroy(performer);
    return hash;
}

static void a_process_gives_the_bits_of_the_library(void **state) {
    (void)state;
    fr_plug_ins *plug_ins = open_folder(ALGORITHMS, patient_def(ALGORITHMS, NULL));
    uint32_t begun_count = 0;
    for (uint32_t i = 0; i < fr_skill_count(); i++) {
        const fr_skill *row = fr_skill_at(i);
        fr_skill_fields fields = fields_of(row);
        fr_status begun, again;
        uint32_t ends, other_ends;
        uint64_t expected = perform(row, &fields, 200, &begun, &ends);
        begun_count += begun == FR_OK;
        for (int is_binary = 0; is_binary < 2; is_binary++) {
            fr_plug_in *plug_in = open_plug_in(plug_ins, row->name, true, is_binary != 0);
            uint64_t got = perform(fr_plug_in_skill(plug_in), &fields, 200, &again, &other_ends);
            fr_plug_in_state now = fr_plug_in_get(plug_in);
            if ((begun == FR_OK) != (again == FR_OK) || got != expected || ends != other_ends) {
                fail_msg("%s, binary %d: begun %d and %d, ends %u and %u, frames %u", row->name, is_binary, (int)begun,
                         (int)again, ends, other_ends, now.frames);
            }
            assert_true(begun != FR_OK || (now.frames > 0 && now.late == 0 && now.is_binary == (is_binary != 0)));
            assert_true(now.is_reused == (is_binary != 0));
            fr_plug_in_destroy(plug_in);
        }
    }
    // All but a slide, which needs a space with the lever: it is refused here and there.
    print_message("%u of %u skills, equal bits\n", begun_count, fr_skill_count());
    assert_int_equal(begun_count, fr_skill_count() - 1);
    fr_plug_ins_state all = fr_plug_ins_get(plug_ins);
    assert_int_equal(all.started, fr_skill_count());
    assert_int_equal(all.reused, fr_skill_count());
    fr_plug_ins_destroy(plug_ins);
}

// Hands that come to an object, hold it, go about and leave.
static fr_object_input input_at(const fr_object_skill *skill, uint32_t frame) {
    fr_object_input input = fr_default_object_input();
    double t = 0.02 * frame;
    input.object = fr_pose_make(fr_vec3_make(0.3, 1.0, 0.2), fr_quat_identity());
    input.joint = input.object;
    input.knob = fr_vec3_make(0.1, 0.0, 0.0);
    input.high = strcmp(skill->name, "button") == 0 ? 0.01 : 1.5;
    input.value = strcmp(skill->name, "button") == 0 ? 0.0 : 0.2;
    fr_object_hand *hand = &input.hands[frame % 50 < 40 ? 0 : 1];
    hand->is_there = true;
    hand->palm.rotation = fr_quat_from_vector(fr_vec3_make(0.1, 0.3 * t, 0.7 * t));
    hand->palm.scale = 1.0;
    hand->grip = fr_vec3_make(0.4 + 0.1 * cos(t), 1.0 + 0.1 * sin(t), 0.2 + 0.4 * fabs(1.0 - t));
    hand->palm.position = hand->grip;
    hand->tip = fr_vec3_make(0.3, 1.0, 0.2 + 0.02 * cos(3.0 * t));
    return input;
}

static uint64_t note_object(uint64_t hash, const fr_object_output *output) {
    const int numbers[4] = {(int)output->intent.kind, (int)output->intent.side, (int)output->event_count,
                            output->is_done};
    hash = fr_hash(numbers, sizeof numbers, hash);
    if (output->intent.kind == FR_INTENT_JOINT) { hash = fr_hash(&output->intent.value, sizeof(double), hash); }
    if (output->intent.kind == FR_INTENT_ATTACH) {
        hash = fr_hash(&output->intent.offset, sizeof(fr_pose), hash);
        hash = fr_hash(&output->intent.pose, sizeof(fr_pose), hash);
    }
    for (uint32_t i = 0; i < output->event_count; i++) {
        hash = fr_hash(output->events[i].name, strlen(output->events[i].name), hash);
        hash = fr_hash(&output->events[i].value, sizeof(double), hash);
    }
    return hash;
}

static void a_process_of_an_object_gives_the_bits_of_the_library(void **state) {
    (void)state;
    fr_plug_ins *plug_ins = open_folder(ALGORITHMS, patient_def(ALGORITHMS, NULL));
    uint32_t intents = 0;
    for (uint32_t i = 0; i < fr_object_skill_count(); i++) {
        const fr_object_skill *row = fr_object_skill_at(i);
        fr_object_state memory = {0};
        fr_plug_in *plug_in = open_plug_in(plug_ins, row->name, true, true);
        uint64_t expected = 1, got = 1;
        bool is_over = false;
        for (uint32_t k = 1; k <= 120 && !is_over; k++) {
            fr_object_input input = input_at(row, k);
            fr_object_output own, other;
            memset(&own, 0, sizeof own);
            fr_error error = {0};
            assert_int_equal(row->step(&input, &memory, &own, &error), FR_OK);
            if (fr_plug_in_step_object(plug_in, &input, &other, &error) != FR_OK) { fail_msg("%s", error.message); }
            expected = note_object(expected, &own);
            got = note_object(got, &other);
            if (expected != got) { fail_msg("%s differs in frame %u", row->name, k); }
            intents += own.intent.kind != FR_INTENT_NONE;
            is_over = own.is_done;
        }
        fr_plug_in_destroy(plug_in);
    }
    assert_true(intents > 50);
    print_message("%u skills of objects, %u intents, equal bits\n", fr_object_skill_count(), intents);
    fr_plug_ins_destroy(plug_ins);
}

// In real time no step waits, and the motion is the same one, later.
static void in_real_time_no_step_waits(void **state) {
    (void)state;
    fr_plug_ins *plug_ins = open_folder(ALGORITHMS, patient_def(ALGORITHMS, NULL));
    fr_plug_in *plug_in = open_plug_in(plug_ins, "slerp", false, true);
    fr_performer *performer = make_performer();
    fr_task task = {.id = 5, .skill = fr_plug_in_skill(plug_in), .fields = fields_of(fr_skill_find("slerp"))};
    task.fields.given |= FR_FIELD_FRAMES;
    task.fields.frames = 12000;
    assert_int_equal(fr_performer_begin(performer, &task, 1, NULL, NULL), FR_OK);
    fr_performer_output output = {0};
    double longest = 0.0;
    for (int i = 0; i < 12000 && fr_plug_in_get(plug_in).frames < 20; i++) {
        clock_t since = clock();
        assert_int_equal(fr_performer_step(performer, NULL, &output, NULL), FR_OK);
        longest = fmax(longest, (double)(clock() - since) / CLOCKS_PER_SEC);
        assert_true(output.end_count == 0 || output.ends[0].reason == FR_TASK_DONE);
        struct timespec moment = {.tv_nsec = 5000000};
        (void)nanosleep(&moment, NULL);
    }
    assert_true(fr_plug_in_get(plug_in).frames >= 20);
    print_message("the longest step took %.2f ms of the processor\n", 1e3 * longest);
    fr_performer_destroy(performer);
    fr_plug_in_destroy(plug_in);
    fr_plug_ins_destroy(plug_ins);
}

static void a_program_in_python_is_a_plug_in(void **state) {
    (void)state;
    if (system("python3 -c '' >/dev/null 2>&1") != 0) { skip(); }
    fr_plug_ins *plug_ins = open_folder(ALGORITHMS, patient_def(ALGORITHMS, NULL));
    for (int round = 0; round < 2; round++) {
        fr_plug_in *plug_in = open_plug_in(plug_ins, "shake_head.py", true, true);
        fr_performer *performer = make_performer();
        fr_task task = {.id = 5, .skill = fr_plug_in_skill(plug_in)};
        task.fields.given = FR_FIELD_FRAMES;
        task.fields.frames = 40;
        fr_error error = {0};
        if (fr_performer_begin(performer, &task, 1, NULL, &error) != FR_OK) { fail_msg("%s", error.message); }
        fr_performer_output output = {0};
        uint32_t ends = 0, events = 0;
        double most = 0.0;
        fr_quat rest = fr_performer_get(performer).posture.turns[FR_LINK_HEAD];
        for (int i = 0; i < 40; i++) {
            assert_int_equal(fr_performer_step(performer, NULL, &output, NULL), FR_OK);
            fr_quat turn = fr_quat_multiply(fr_quat_conjugate(rest), output.posture.turns[FR_LINK_HEAD]);
            most = fmax(most, 2.0 * acos(fmin(1.0, fabs(turn.w))));
            for (uint32_t k = 0; k < output.end_count; k++) {
                if (output.ends[k].reason != FR_TASK_DONE) { fail_msg("%s", output.ends[k].message); }
                ends++;
            }
            events += output.event_count;
        }
        assert_true(most > 0.2);
        assert_int_equal(ends, 1);
        assert_int_equal(events, 1);
        assert_false(fr_plug_in_get(plug_in).is_binary);
        fr_performer_destroy(performer);
        fr_plug_in_destroy(plug_in);
    }
    assert_int_equal(fr_plug_ins_get(plug_ins).reused, 1);
    fr_plug_ins_destroy(plug_ins);
}

// ---------------------------------------------------------------------------------------------------------------
// Programs that do what they may not

// Runs a bad program beside a good one, which may take its time, and gives how its task ends: "" when it goes on.
// The good one is never disturbed.
static fr_task_end run_bad(fr_plug_ins *plug_ins, fr_plug_ins *patient, const char *name, bool is_lockstep, int frames,
                           uint32_t *late) {
    fr_plug_in *bad = open_plug_in(plug_ins, name, is_lockstep, false);
    fr_plug_in *good = open_plug_in(patient, "good", is_lockstep, false);
    fr_performer *performers[2] = {make_performer(), make_performer()};
    fr_task_end end = {.task = 0};
    fr_error error = {0};
    const fr_task tasks[2] = {{.id = 1, .skill = fr_plug_in_skill(bad)}, {.id = 2, .skill = fr_plug_in_skill(good)}};
    fr_status begun = fr_performer_begin(performers[0], &tasks[0], 1, NULL, &error);
    assert_int_equal(fr_performer_begin(performers[1], &tasks[1], 1, NULL, NULL), FR_OK);
    if (begun != FR_OK) {
        end = (fr_task_end){.task = 1, .reason = FR_TASK_FAILED, .status = begun};
        memcpy(end.message, error.message, FR_MAX_TASK_MESSAGE);
    }
    for (int i = 0; i < frames && end.task == 0; i++) {
        fr_performer_output output;
        for (int k = 0; k < 2; k++) {
            assert_int_equal(fr_performer_step(performers[k], NULL, &output, NULL), FR_OK);
            if (k == 0 && output.end_count > 0) { end = output.ends[0]; }
            if (k == 1 && output.end_count > 0) { assert_int_equal(output.ends[0].reason, FR_TASK_DONE); }
        }
        struct timespec moment = {.tv_nsec = 2000000};
        if (!is_lockstep) { (void)nanosleep(&moment, NULL); }
    }
    if (late != NULL) { *late = fr_plug_in_get(bad).late; }
    fr_performer_destroy(performers[0]);
    fr_performer_destroy(performers[1]);
    fr_plug_in_destroy(bad);
    fr_plug_in_destroy(good);
    return end;
}

static void what_may_not_be_done_ends_that_motion_alone(void **state) {
    (void)state;
    const struct {
        const char *name, *message; // part of it; "": it goes on
    } cases[] = {{"good", ""},
                 {"hang", "ten steps were late"},
                 {"flood", ""},
                 {"fork", ""},
                 {"half", "it ended in a message"},
                 {"half_hang", "ten steps were late"},
                 {"other", "it is at another frame"},
                 {"close_stdin", "it reads no more"},
                 {"deaf", "it reads no more"},
                 {"close_stdout", "it closed its output"},
                 {"die", "a signal ended it"},
                 {"garbage", "no message"},
                 {"twice", "it is at another frame"},
                 {"wrong", "no message"},
                 {"endless", "no message"},
                 {"error", "the cup is too hot"},
                 {"refuse", "there is no cup"},
                 {"no_ready", "it is not ready in time"},
                 {"gone", "it has ended"},
                 {"greedy", "no memory for it"},
                 {"script", "it cannot be run"}};
    // Clocks count for those that never answer alone: whatever else the machine does, the others may take their
    // time.
    fr_plug_ins_def hasty_def = fr_default_plug_ins_def();
    hasty_def.step_seconds = 0.1;
    hasty_def.ready_seconds = 3.0;
    fr_plug_ins *hasty = open_folder(folder, hasty_def), *patient = open_folder(folder, patient_def(folder, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_plug_ins *plug_ins = strstr("hang half_hang no_ready", cases[i].name) != NULL ? hasty : patient;
        for (int is_lockstep = 0; is_lockstep < 2; is_lockstep++) {
            if (HAS_SANITIZER && strcmp(cases[i].name, "greedy") == 0) { continue; }
            int frames = is_lockstep != 0 ? 29 : cases[i].message[0] == '\0' ? 500 : 15000;
            fr_task_end end = run_bad(plug_ins, patient, cases[i].name, is_lockstep != 0, frames, NULL);
            bool is_right = cases[i].message[0] == '\0'
                                ? end.message[0] == '\0'
                                : end.reason == FR_TASK_FAILED && strstr(end.message, cases[i].message) != NULL;
            // An output that is closed is seen before or after the process has ended, or it is late before that.
            bool is_other = strstr("close_stdout die gone script close_stdin", cases[i].name) != NULL &&
                            strstr(end.message, "it") != NULL && end.reason == FR_TASK_FAILED;
            if (!is_right && !is_other) { fail_msg("%s, lockstep %d: '%s'", cases[i].name, is_lockstep, end.message); }
        }
    }
    fr_plug_ins_destroy(hasty);
    fr_plug_ins_destroy(patient);
    // Nothing is left: no child of this process, running or not.
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

// Steps that are late now and then stand for one frame more, and are counted.
static void a_late_step_leaves_the_last_frame(void **state) {
    (void)state;
    fr_plug_ins_def def = patient_def(folder, NULL);
    def.step_seconds = 0.4;
    fr_plug_ins *plug_ins = open_folder(folder, def), *patient = open_folder(folder, patient_def(folder, NULL));
    uint32_t late = 0;
    fr_task_end end = run_bad(plug_ins, patient, "late", true, 9, &late);
    assert_int_equal(end.task, 0);
    assert_true(late >= 2);
    fr_plug_ins_destroy(plug_ins);
    fr_plug_ins_destroy(patient);
}

// A child of a plug-in ends with it.
static void a_fork_does_not_outlive_its_plug_in(void **state) {
    (void)state;
    fr_plug_ins *plug_ins = open_folder(folder, patient_def(folder, NULL));
    fr_plug_in *plug_in = open_plug_in(plug_ins, "fork", true, false);
    fr_performer *performer = make_performer();
    const fr_task task = {.id = 1, .skill = fr_plug_in_skill(plug_in)};
    fr_performer_output output;
    assert_int_equal(fr_performer_begin(performer, &task, 1, NULL, NULL), FR_OK);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(fr_performer_step(performer, NULL, &output, NULL), FR_OK);
    }
    int group = fr_plug_in_get(plug_in).process;
    assert_int_equal(kill(-group, 0), 0);
    fr_performer_destroy(performer);
    fr_plug_in_destroy(plug_in);
    fr_plug_ins_destroy(plug_ins);
    // The group is gone as soon as the system has taken its last process away.
    for (int i = 0; i < 200 && kill(-group, 0) == 0; i++) {
        struct timespec moment = {.tv_nsec = 10000000};
        (void)nanosleep(&moment, NULL);
    }
    assert_int_equal(kill(-group, 0), -1);
}

// Killed at any frame, by someone else.
static void a_plug_in_may_be_killed_at_any_frame(void **state) {
    (void)state;
    uint32_t count = test_is_long() ? 100 : 12;
    fr_plug_ins *plug_ins = open_folder(ALGORITHMS, fr_default_plug_ins_def());
    fr_random random = fr_random_seed(3);
    for (uint32_t i = 0; i < count; i++) {
        fr_plug_in *plug_in = open_plug_in(plug_ins, "slerp", i % 2 == 0, true);
        fr_performer *performer = make_performer();
        fr_task task = {.id = 5, .skill = fr_plug_in_skill(plug_in), .fields = fields_of(fr_skill_find("slerp"))};
        task.fields.given &= ~FR_FIELD_FRAMES;
        fr_error error = {0};
        uint64_t at = fr_random_below(&random, 40);
        bool has_ended = fr_performer_begin(performer, &task, 1, NULL, &error) != FR_OK;
        for (uint64_t k = 0; k < 30000 && !has_ended; k++) {
            if (k == at) { (void)kill(fr_plug_in_get(plug_in).process, SIGKILL); }
            fr_performer_output output;
            assert_int_equal(fr_performer_step(performer, NULL, &output, NULL), FR_OK);
            has_ended = output.end_count > 0;
            struct timespec moment = {.tv_nsec = 1000000};
            if (i % 2 != 0) { (void)nanosleep(&moment, NULL); }
        }
        assert_true(has_ended);
        // The body freezes, and can be given another motion.
        fr_performer_output output;
        assert_int_equal(fr_performer_step(performer, NULL, &output, NULL), FR_OK);
        fr_performer_destroy(performer);
        fr_plug_in_destroy(plug_in);
    }
    fr_plug_ins_destroy(plug_ins);
}

static void names_and_folders_are_checked(void **state) {
    (void)state;
    fr_plug_ins *plug_ins = open_folder(folder, fr_default_plug_ins_def());
    const struct {
        const char *name;
        fr_status status;
    } cases[] = {{"../bin/sh", FR_ERROR_ARGUMENT}, {"", FR_ERROR_ARGUMENT},    {".hidden", FR_ERROR_ARGUMENT},
                 {"a b", FR_ERROR_ARGUMENT},       {"nothing", FR_ERROR_FILE}, {"plain", FR_ERROR_FILE},
                 {NULL, FR_ERROR_ARGUMENT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_plug_in_def def = fr_default_plug_in_def();
        def.name = cases[i].name;
        fr_plug_in *plug_in;
        fr_error error = {0};
        assert_int_equal(fr_plug_in_create(plug_ins, &def, &plug_in, &error), cases[i].status);
        assert_null(plug_in);
        assert_true(error.message[0] != '\0');
    }
    fr_plug_ins_destroy(plug_ins);
    fr_plug_ins_def def = fr_default_plug_ins_def();
    def.folder = "/no/such/folder";
    def.launcher = LAUNCHER;
    assert_int_equal(fr_plug_ins_create(&def, &plug_ins, NULL), FR_ERROR_FILE);
    def.folder = folder;
    def.launcher = "/no/such/launcher";
    assert_int_equal(fr_plug_ins_create(&def, &plug_ins, NULL), FR_ERROR_FILE);
    def.launcher = LAUNCHER;
    def.max_processes = 0;
    assert_int_equal(fr_plug_ins_create(&def, &plug_ins, NULL), FR_ERROR_ARGUMENT);
    // So many processes, and no more.
    def = fr_default_plug_ins_def();
    def.max_processes = 2;
    plug_ins = open_folder(folder, def);
    fr_plug_in *a = open_plug_in(plug_ins, "good", true, false), *b = open_plug_in(plug_ins, "good", true, false), *c;
    fr_plug_in_def third = fr_default_plug_in_def();
    third.name = "good";
    assert_int_equal(fr_plug_in_create(plug_ins, &third, &c, NULL), FR_ERROR_LIMIT);
    fr_plug_in_destroy(a);
    fr_plug_in_destroy(b);
    fr_plug_ins_destroy(plug_ins);
}

// ---------------------------------------------------------------------------------------------------------------
// Memory

static fr_status use(const fr_allocator *allocator, void *context) {
    (void)context;
    const fr_plug_ins_def def = patient_def(folder, allocator);
    fr_plug_ins *plug_ins;
    fr_status status = fr_plug_ins_create(&def, &plug_ins, NULL);
    if (status != FR_OK) { return status; }
    fr_plug_in_def plug_in_def = fr_default_plug_in_def();
    const fr_plug_in_parameter hand = {"hand", "left"};
    plug_in_def.name = "good";
    plug_in_def.is_lockstep = true;
    plug_in_def.parameters = &hand;
    plug_in_def.parameter_count = 1;
    fr_plug_in *plug_in = NULL;
    status = fr_plug_in_create(plug_ins, &plug_in_def, &plug_in, NULL);
    const fr_plug_in_object cup = {"cup1", "cup", fr_pose_identity()};
    if (status == FR_OK) { status = fr_plug_in_show(plug_in, &cup, 1, NULL); }
    fr_performer *performer = make_performer();
    fr_error error = {0};
    if (status == FR_OK) {
        const fr_task task = {.id = 1, .skill = fr_plug_in_skill(plug_in)};
        status = fr_performer_begin(performer, &task, 1, NULL, &error);
    }
    for (int i = 0; i < 3 && status == FR_OK; i++) {
        fr_performer_output output;
        status = fr_performer_step(performer, NULL, &output, NULL);
        if (status == FR_OK && output.end_count > 0) { status = output.ends[0].status; }
    }
    fr_performer_destroy(performer);
    fr_plug_in_destroy(plug_in);
    fr_plug_ins_destroy(plug_ins);
    return status;
}

static fr_status use_object(const fr_allocator *allocator, void *context) {
    (void)context;
    const fr_plug_ins_def def = patient_def(ALGORITHMS, allocator);
    fr_plug_ins *plug_ins;
    fr_status status = fr_plug_ins_create(&def, &plug_ins, NULL);
    if (status != FR_OK) { return status; }
    fr_plug_in_def plug_in_def = fr_default_plug_in_def();
    plug_in_def.name = "follow_hand";
    plug_in_def.is_lockstep = true;
    fr_plug_in *plug_in = NULL;
    status = fr_plug_in_create(plug_ins, &plug_in_def, &plug_in, NULL);
    for (uint32_t i = 1; i < 4 && status == FR_OK; i++) {
        fr_object_input input = input_at(fr_object_skill_find("follow_hand"), i);
        fr_object_output output;
        status = fr_plug_in_step_object(plug_in, &input, &output, NULL);
    }
    fr_plug_in_destroy(plug_in);
    fr_plug_ins_destroy(plug_ins);
    return status;
}

static void every_failure_of_memory_is_survived(void **state) {
    (void)state;
    test_every_failure(use, NULL);
    test_every_failure(use_object, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_gives_the_bits_of_the_library),
        cmocka_unit_test(a_process_of_an_object_gives_the_bits_of_the_library),
        cmocka_unit_test(in_real_time_no_step_waits),
        cmocka_unit_test(a_program_in_python_is_a_plug_in),
        cmocka_unit_test(what_may_not_be_done_ends_that_motion_alone),
        cmocka_unit_test(a_late_step_leaves_the_last_frame),
        cmocka_unit_test(a_fork_does_not_outlive_its_plug_in),
        cmocka_unit_test(a_plug_in_may_be_killed_at_any_frame),
        cmocka_unit_test(names_and_folders_are_checked),
        cmocka_unit_test(every_failure_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
