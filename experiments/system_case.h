// The six cases that Ichiguchi measured, as people who move: by the library, or by programs (plug-ins).
#ifndef FUREAI_EXPERIMENTS_SYSTEM_CASE_H
#define FUREAI_EXPERIMENTS_SYSTEM_CASE_H

#include "fureai/act_plug_in.h"

#define SYSTEM_CASES 6
#define SYSTEM_MAX_SKILLS 2

typedef struct system_case {
    const char *name;
    const char *skills[SYSTEM_MAX_SKILLS]; // of the person, done at the same time
    uint32_t skill_count;
    bool has_object;     // an object follows the hand
    double picture_rate; // printed in table 5.5, pictures a second
    double frame_rate;   // printed in table 5.6, frames a second
    double starts[3];    // printed in table 5.8, milliseconds: of each skill, then of the object's
} system_case;

extern const system_case system_cases[SYSTEM_CASES];

// One person, and what it does in a case.
typedef struct system_person {
    const system_case *c;
    fr_skeleton *skeleton;
    fr_walk_set *walk_set;
    fr_clip *clip;
    char clip_path[64]; // of the same as a file, for programs; "": none
    fr_performer *performer;
    fr_plug_ins *plug_ins; // NULL: by the library
    fr_plug_in *programs[SYSTEM_MAX_SKILLS], *object_program;
    fr_object_state object;
    fr_pose object_pose;
    fr_quat turns[FR_LINK_COUNT];
    fr_posture goal;
    uint32_t frames; // taken
} system_person;

// Makes the person; `algorithms` is the folder of the programs, NULL: by the library. To be closed also where it
// failed.
fr_status system_person_open(const system_case *c, const char *algorithms, system_person *p, fr_error *error);
void system_person_close(system_person *p);

// Ends all programs, so that the next ones start from nothing.
fr_status system_person_restart(system_person *p, const char *algorithms, fr_error *error);

// Begins, or begins again, what the case is about.
fr_status system_person_begin(system_person *p, fr_error *error);

// Goes on by one frame, the object after the person.
fr_status system_person_step(system_person *p, fr_error *error);

#endif
