// Plug-ins: frames a second of one program by binary frames and by lines, against the same skill in the library; from
// the start of a program to its first frame, and of one that waits.
#include "bench.h"

#include "fureai/act_plug_in.h"

#include <string.h>

typedef struct person {
    fr_skeleton *skeleton;
    fr_plug_ins *plug_ins;
    fr_quat turns[FR_LINK_COUNT];
    fr_posture goal;
} person;

static bool open_person(bench *b, person *p) {
    memset(p, 0, sizeof *p);
    fr_body_def body = fr_default_body_def();
    fr_plug_ins_def def = fr_default_plug_ins_def();
    def.folder = ALGORITHMS;
    def.launcher = LAUNCHER;
    def.step_seconds = 10.0;
    bool is_good = fr_skeleton_create_body(&body, &p->skeleton, NULL) == FR_OK &&
                   fr_plug_ins_create(&def, &p->plug_ins, NULL) == FR_OK;
    p->goal = (fr_posture){.turns = p->turns, .count = FR_LINK_COUNT};
    if (is_good) { (void)fr_posture_rest(p->skeleton, &p->goal, NULL); }
    if (!is_good) { bench_skip(b, "no plug-ins"); }
    return is_good;
}

static void close_person(person *p) {
    fr_plug_ins_destroy(p->plug_ins);
    fr_skeleton_release(p->skeleton);
}

static fr_plug_in *open_slerp(person *p, bool is_binary) {
    fr_plug_in_def def = fr_default_plug_in_def();
    def.name = "slerp";
    def.is_lockstep = true;
    def.is_binary = is_binary;
    fr_plug_in *plug_in = NULL;
    (void)fr_plug_in_create(p->plug_ins, &def, &plug_in, NULL);
    return plug_in;
}

static fr_performer *begin(person *p, const fr_skill *skill) {
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = p->skeleton;
    fr_performer *performer = NULL;
    fr_task task = {.id = 1, .skill = skill};
    task.fields.given = FR_FIELD_POSTURE | FR_FIELD_FRAMES;
    task.fields.posture = &p->goal;
    task.fields.frames = FR_MAX_SKILL_FRAMES;
    if (fr_performer_create(&def, &performer, NULL) != FR_OK) { return NULL; }
    if (fr_performer_begin(performer, &task, 1, NULL, NULL) == FR_OK) { return performer; }
    fr_performer_destroy(performer);
    return NULL;
}

// One sample is many steps of a performer with one task.
static void run_steps(bench *b, person *p, const fr_skill *skill) {
    size_t count = bench_size(b, 10, 1000);
    fr_performer *performer = skill != NULL ? begin(p, skill) : NULL;
    if (performer == NULL) {
        bench_skip(b, "the skill does not begin");
        return;
    }
    fr_performer_output output;
    while (bench_repeat(b)) {
        for (size_t i = 0; i < count; i++) {
            (void)fr_performer_step(performer, NULL, &output, NULL);
            bench_keep(&output);
        }
    }
    bench_items(b, (double)count);
    fr_performer_destroy(performer);
}

static void steps_in_the_library(bench *b) {
    person p;
    if (open_person(b, &p)) { run_steps(b, &p, fr_skill_find("slerp")); }
    close_person(&p);
}

static void steps_by(bench *b, bool is_binary) {
    person p;
    if (open_person(b, &p)) {
        fr_plug_in *plug_in = open_slerp(&p, is_binary);
        run_steps(b, &p, plug_in != NULL ? fr_plug_in_skill(plug_in) : NULL);
        fr_plug_in_destroy(plug_in);
    }
    close_person(&p);
}

static void steps_by_frames(bench *b) { steps_by(b, true); }
static void steps_by_lines(bench *b) { steps_by(b, false); }

// From nothing, or from a process that waits, to the first frame.
static void start(bench *b, bool is_warm) {
    person p;
    if (open_person(b, &p)) {
        while (bench_repeat(b)) {
            fr_plug_in *plug_in = open_slerp(&p, true);
            fr_performer *performer = plug_in != NULL ? begin(&p, fr_plug_in_skill(plug_in)) : NULL;
            fr_performer_output output;
            if (performer != NULL) { (void)fr_performer_step(performer, NULL, &output, NULL); }
            bench_keep(&output);
            bench_pause(b);
            fr_performer_destroy(performer);
            fr_plug_in_destroy(plug_in);
            if (is_warm) { continue; }
            fr_plug_ins_destroy(p.plug_ins);
            fr_plug_ins_def def = fr_default_plug_ins_def();
            def.folder = ALGORITHMS;
            def.launcher = LAUNCHER;
            if (fr_plug_ins_create(&def, &p.plug_ins, NULL) != FR_OK) { break; }
        }
    }
    close_person(&p);
}

static void start_to_the_first_frame(bench *b) { start(b, false); }
static void start_of_one_that_waits(bench *b) { start(b, true); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"steps in the library", steps_in_the_library},
                                       {"steps by binary frames", steps_by_frames},
                                       {"steps by lines", steps_by_lines},
                                       {"start to the first frame", start_to_the_first_frame},
                                       {"start of one that waits", start_of_one_that_waits}};
    return bench_main(argc, argv, "fureai", "act", cases, sizeof cases / sizeof cases[0]);
}
