// The work study of the command act: its options, its report and its files.
#ifndef FUREAI_TOOL_ACT_STUDY_H
#define FUREAI_TOOL_ACT_STUDY_H

#include "picture.h"
#include "tool.h"

#include "fureai/act_script.h"
#include "fureai/act_study.h"

// How a body of the survey came out.
typedef struct act_trial {
    fr_survey_sex sex;
    double percentile, stature;
    uint32_t done_count, count;
    uint32_t rula_max, reba_max;                                                     // of all people
    char motion[FR_SCRIPT_NAME_MAX_BYTES + 1], reason[FR_COMMAND_END_MAX_BYTES + 1]; // of the first that failed
} act_trial;

#define ACT_STUDY_MAX_TRIALS 40u

typedef struct act_study {
    picture *picture; // NULL: none is wanted
    act_trial trials[ACT_STUDY_MAX_TRIALS];
    uint32_t trial_count;
} act_study;

bool act_study_is_wanted(const tool *t);

// Reads the options. Anything but DONE: return it, there is nothing to end.
exit_status act_study_begin(tool *t, act_study *out);
void act_study_end(act_study *study);

void act_trial_note(act_trial *trial, const fr_script *script, const fr_script_run *run, const fr_study *study);

// Writes the table and the picture; NULL for no study.
exit_status act_study_finish(tool *t, act_study *study, const fr_study *taken);

void act_study_print(tool *t, const act_study *study, const fr_study *taken, const fr_director *director,
                     const fr_world *world);
void act_study_write(fr_json_writer *j, const act_study *study, const fr_study *taken, const fr_director *director,
                     const fr_world *world);

#endif
