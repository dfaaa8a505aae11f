// Plug-ins: frames a second of one program by binary frames and by lines, against the same skill in the library; from
// the start of a program to its first frame, and of one that waits; ten people by programs, without and with objects.
#include "bench.h"

#include "fureai/act_director.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct person {
    fr_skeleton *skeleton;
    fr_plug_ins *plug_ins;
    fr_walk_set *walk_set; // NULL: it does not walk
    fr_clip *clip;
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
    fr_clip_release(p->clip);
    fr_walk_set_release(p->walk_set);
    fr_skeleton_release(p->skeleton);
}

static fr_plug_in *open_program(person *p, const char *name, bool is_binary) {
    fr_plug_in_def def = fr_default_plug_in_def();
    def.name = name;
    if (strcmp(name, "mocap_play") == 0) { def.data = "door"; }
    def.is_lockstep = true;
    def.is_binary = is_binary;
    fr_plug_in *plug_in = NULL;
    (void)fr_plug_in_create(p->plug_ins, &def, &plug_in, NULL);
    return plug_in;
}

static fr_performer *begin_task(person *p, const fr_task *task) {
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = p->skeleton;
    def.walk_set = p->walk_set;
    fr_performer *performer = NULL;
    if (fr_performer_create(&def, &performer, NULL) != FR_OK) { return NULL; }
    if (fr_performer_begin(performer, task, 1, NULL, NULL) == FR_OK) { return performer; }
    fr_performer_destroy(performer);
    return NULL;
}

static fr_performer *begin(person *p, const fr_skill *skill) {
    fr_task task = {.id = 1, .skill = skill};
    task.fields.given = FR_FIELD_POSTURE | FR_FIELD_FRAMES;
    task.fields.posture = &p->goal;
    task.fields.frames = FR_MAX_SKILL_FRAMES;
    return begin_task(p, &task);
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
        fr_plug_in *plug_in = open_program(&p, "slerp", is_binary);
        run_steps(b, &p, plug_in != NULL ? fr_plug_in_skill(plug_in) : NULL);
        fr_plug_in_destroy(plug_in);
    }
    close_person(&p);
}

static void steps_by_frames(bench *b) { steps_by(b, true); }
static void steps_by_lines(bench *b) { steps_by(b, false); }

// A task of each program that is begun: a posture, a walk of two metres, a clip that is made by code.
static fr_performer *begin_named(person *p, const char *name, fr_plug_in *plug_in) {
    if (plug_in == NULL) { return NULL; }
    if (strcmp(name, "slerp") == 0) { return begin(p, fr_plug_in_skill(plug_in)); }
    fr_task task = {.id = 1, .skill = fr_plug_in_skill(plug_in)};
    bool is_walk = strcmp(name, "walk") == 0;
    task.fields.given = is_walk ? FR_FIELD_GOAL : FR_FIELD_CLIP;
    task.fields.goal = fr_pose_identity();
    task.fields.goal.position.z = 2.0;
    task.fields.clip = p->clip;
    return begin_task(p, &task);
}

// From nothing, or from a process that waits, to the first frame.
static void start(bench *b, const char *name, bool is_warm) {
    person p;
    bool is_good = open_person(b, &p);
    if (is_good && strcmp(name, "slerp") != 0) {
        fr_walk_set_def set = fr_default_walk_set_def();
        set.skeleton = p.skeleton;
        is_good = fr_walk_set_create(&set, &p.walk_set, NULL) == FR_OK &&
                  fr_clip_create_made(p.walk_set, fr_made_clip_find("door"), NULL, &p.clip, NULL) == FR_OK;
    }
    while (is_good && bench_repeat(b)) {
        fr_plug_in *plug_in = open_program(&p, name, true);
        fr_performer *performer = begin_named(&p, name, plug_in);
        fr_performer_output output;
        if (performer == NULL || fr_performer_step(performer, NULL, &output, NULL) != FR_OK) {
            bench_skip(b, "the program does not begin");
        }
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
    close_person(&p);
}

static void start_to_the_first_frame(bench *b) { start(b, "slerp", false); }
static void start_of_one_that_waits(bench *b) { start(b, "slerp", true); }
static void start_of_a_walk(bench *b) { start(b, "walk", false); }
static void start_of_a_walk_that_waits(bench *b) { start(b, "walk", true); }
static void start_of_a_clip(bench *b) { start(b, "mocap_play", false); }
static void start_of_a_clip_that_waits(bench *b) { start(b, "mocap_play", true); }

// ---------------------------------------------------------------------------------------------------------------
// Ten people, each with an arm that a process holds, and perhaps a box that a process lets follow the palm

enum { PEOPLE = 10 };

static const char carry_text[] =
    "{\"fureai\":1,\"shapes\":[\"box.obj\"],\"affords\":[{\"motion\":\"carry\",\"human\":[{\"skill\":\"hold_arm\"}],"
    "\"object\":{\"skill\":\"follow_hand\",\"parameters\":{\"threshold\":100}},\"parameters\":{\"hand\":\"right\"}}]}";

typedef struct crowd {
    person p;
    fr_world *world;
    fr_cast *cast;
    fr_director *director;
    fr_object_id boxes[PEOPLE];
} crowd;

static bool add_people(crowd *c) {
    fr_class *class = NULL;
    fr_mesh *mesh = NULL;
    fr_class_read_input input = fr_default_class_read_input();
    input.name = "box";
    bool is_good = fr_class_read(carry_text, sizeof carry_text - 1, &input, &class, NULL) == FR_OK &&
                   fr_mesh_create_named("box", NULL, &mesh, NULL) == FR_OK;
    for (int i = 0; i < PEOPLE && is_good; i++) {
        static const char *const names[PEOPLE] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
        fr_part_def part = fr_default_part_def();
        part.mesh = mesh;
        fr_object_def box = fr_default_object_def();
        box.parts = &part;
        box.part_count = 1;
        box.pose.position = fr_vec3_make(3.0 * i, 1.0, 0.5);
        fr_person_def def = fr_default_person_def();
        def.name = names[i];
        def.skeleton = c->p.skeleton;
        def.place = fr_vec3_make(3.0 * i, 0.0, 0.0);
        is_good = fr_object_add(fr_world_space(c->world), &box, &c->boxes[i], NULL) == FR_OK &&
                  fr_director_set_class(c->director, c->boxes[i], class, NULL) == FR_OK &&
                  fr_director_add_person(c->director, &def, NULL) == FR_OK;
    }
    fr_mesh_release(mesh);
    fr_class_release(class);
    return is_good;
}

static bool command_people(const crowd *c, bool has_objects) {
    const fr_command_parameter hand = {"hand", "right"};
    bool is_good = true;
    for (uint32_t i = 0; i < PEOPLE && is_good; i++) {
        fr_command command = {.name = has_objects ? "carry" : "hold_arm", .parameters = &hand, .parameter_count = 1};
        command.person = fr_person_name(fr_director_get(c->director, i).person);
        if (has_objects) { command.object = c->boxes[i]; }
        is_good = fr_cast_command(c->cast, &command, NULL) == FR_OK;
    }
    return is_good;
}

static bool open_crowd(bench *b, crowd *c, bool has_objects, bool is_lockstep) {
    memset(c, 0, sizeof *c);
    if (!open_person(b, &c->p)) { return false; }
    fr_world_def world = fr_default_world_def();
    world.step = 1.0 / 60.0;
    fr_cast_def cast = fr_default_cast_def();
    fr_director_def def = fr_default_director_def();
    def.plug_ins = c->p.plug_ins;
    def.is_lockstep = is_lockstep;
    bool is_good = fr_world_create(&world, &c->world, NULL) == FR_OK;
    cast.world = c->world;
    is_good = is_good && fr_cast_create(&cast, &c->cast, NULL) == FR_OK;
    def.cast = c->cast;
    is_good = is_good && fr_director_create(&def, &c->director, NULL) == FR_OK;
    if (is_good) {
        const fr_actor actor = fr_director_actor(c->director);
        is_good = fr_cast_add(c->cast, &actor, NULL) == FR_OK && add_people(c) && command_people(c, has_objects);
    }
    if (!is_good) { bench_skip(b, "no people"); }
    return is_good;
}

static void close_crowd(crowd *c) {
    fr_cast_destroy(c->cast);
    fr_world_destroy(c->world);
    close_person(&c->p);
}

static double count_late(const crowd *c) {
    double late = 0.0;
    for (uint32_t i = 0; i < PEOPLE; i++) {
        late += fr_director_get(c->director, i).is_late || fr_director_get(c->director, i).failed > 0;
    }
    return late;
}

// Processor time of this process so far, and of the programs that it has started and that still run, nanoseconds.
static double own_time_ns(void) {
    struct timespec used;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0 ? 1e9 * (double)used.tv_sec + (double)used.tv_nsec : 0.0;
}

static double time_of_programs_ns(void) {
    double sum = 0.0;
    DIR *processes = opendir("/proc");
    for (const struct dirent *entry; processes != NULL && (entry = readdir(processes)) != NULL;) {
        char path[300];
        long process = strtol(entry->d_name, NULL, 10), parent = 0;
        double used = 0.0;
        snprintf(path, sizeof path, "/proc/%ld/stat", process);
        FILE *file = process > 0 ? fopen(path, "r") : NULL;
        bool is_ours = file != NULL && fscanf(file, "%*d (%*[^)]) %*c %ld", &parent) == 1 && parent == (long)getpid();
        if (file != NULL) { fclose(file); }
        snprintf(path, sizeof path, "/proc/%ld/schedstat", process);
        file = is_ours ? fopen(path, "r") : NULL;
        if (file != NULL && fscanf(file, "%lf", &used) == 1) { sum += used; }
        if (file != NULL) { fclose(file); }
    }
    if (processes != NULL) { closedir(processes); }
    return sum;
}

static void wait_until(uint64_t due_ns) {
    uint64_t now = fr_clock_ns();
    if (now >= due_ns) { return; }
    const struct timespec left = {.tv_sec = (time_t)((due_ns - now) / 1000000000),
                                  .tv_nsec = (long)((due_ns - now) % 1000000000)};
    (void)nanosleep(&left, NULL);
}

// One sample is some ticks: as fast as they come, each waiting for its programs, or 60 a second, which wait for none.
static void run_crowd(bench *b, bool has_objects, bool is_lockstep) {
    crowd c;
    size_t count = bench_size(b, 2, 60);
    if (open_crowd(b, &c, has_objects, is_lockstep)) {
        for (int i = 0; i < 120; i++) { // until all programs are there
            (void)fr_cast_tick(c.cast, NULL, NULL);
            if (!is_lockstep) { wait_until(fr_clock_ns() + 5000000); }
        }
        uint64_t due_ns = fr_clock_ns(), ticks = 0;
        double own_ns = own_time_ns(), programs_ns = time_of_programs_ns();
        while (bench_repeat(b)) {
            for (size_t i = 0; i < count; i++) {
                (void)fr_cast_tick(c.cast, NULL, NULL);
                ticks++;
                due_ns += 16666667;
                if (!is_lockstep) { wait_until(due_ns); }
            }
        }
        bench_items(b, (double)count);
        bench_count(b, "late people", count_late(&c));
        bench_count(b, "own CPU ms a tick", 1e-6 * (own_time_ns() - own_ns) / (double)ticks);
        bench_count(b, "programs' CPU ms a tick", 1e-6 * (time_of_programs_ns() - programs_ns) / (double)ticks);
    }
    close_crowd(&c);
}

static void people_in_lockstep(bench *b) { run_crowd(b, false, true); }
static void people_with_objects_in_lockstep(bench *b) { run_crowd(b, true, true); }
static void people_in_real_time(bench *b) { run_crowd(b, false, false); }
static void people_with_objects_in_real_time(bench *b) { run_crowd(b, true, false); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"steps in the library", steps_in_the_library},
                                       {"steps by binary frames", steps_by_frames},
                                       {"steps by lines", steps_by_lines},
                                       {"start to the first frame", start_to_the_first_frame},
                                       {"start of one that waits", start_of_one_that_waits},
                                       {"start of a walk to the first frame", start_of_a_walk},
                                       {"start of a walk by one that waits", start_of_a_walk_that_waits},
                                       {"start of a clip to the first frame", start_of_a_clip},
                                       {"start of a clip by one that waits", start_of_a_clip_that_waits},
                                       {"ten people, ticks that wait", people_in_lockstep},
                                       {"ten people and objects, ticks that wait", people_with_objects_in_lockstep},
                                       {"ten people, 60 ticks a second", people_in_real_time},
                                       {"ten people and objects, 60 ticks a second", people_with_objects_in_real_time}};
    return bench_main(argc, argv, "fureai", "act", cases, sizeof cases / sizeof cases[0]);
}
