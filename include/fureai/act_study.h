// Fureai act: work study (ergonomics) of people whom a director moves: postures over time with their RULA and REBA
// scores, loads, and how near people come to what they do not touch on purpose. Library libfureai-world.
#ifndef FUREAI_ACT_STUDY_H
#define FUREAI_ACT_STUDY_H

#include "act_director.h"
#include "human_files.h"
#include "human_study.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is known of all people of a director at times. One thread at a time.
typedef struct fr_study fr_study;

#define FR_STUDY_CLEARANCE_MAX 0.5  // metres: nothing farther away is looked for
#define FR_STUDY_MAX_ROWS 16000000u // of all people

typedef struct fr_study_def {
    fr_director *director;  // must outlive the study
    double every;           // seconds between two looks, 0.001 .. 60, rounded to ticks; default 0.1
    bool has_no_clearance;  // clearances are not measured, which takes most of the time; default false
    fr_allocator allocator; // default: the process default
    uint32_t cookie;        // set by fr_default_study_def
} fr_study_def;

FR_API fr_study_def fr_default_study_def(void);

// FR_ERROR_ARGUMENT for a definition without a director or cookie or a time out of range, FR_ERROR_MEMORY.
FR_API fr_status fr_study_create(const fr_study_def *def, fr_study **out, fr_error *error);
FR_API void fr_study_destroy(fr_study *study); // NULL is ignored

// Looks at all people, between ticks; nothing where the time since the last look is shorter than `every`. Of what a
// posture does not show (fr_work_conditions):
// - load: the sum of the masses that the classes of held objects give; one without a mass counts nothing.
// - coupling: 0 where the classes of all held objects have a grip or nothing is held, else 1.
// - seated: both thighs are raised by over 45 degrees, and something is within 0.25 m below the hips.
// - walking: the body is in a walk.
// - static: no angle has left a span of 10 degrees for over a minute, and the person does not walk.
// - repeated: a motion of the same name has begun more than four times within a minute.
// - trunk and arms count as not supported, loads as no shock, and no change as rapid.
// The clearance is the distance from the pieces of the body but its feet to the faces of objects that are not in its
// hands, not those of its motions, not the seat and not the person it meets; that of its legs also not to what its
// feet stand on. Pieces of other people count. A space that is not current is updated. FR_ERROR_LIMIT, FR_ERROR_MEMORY
// and the statuses of fr_work_angles_of, fr_space_update and fr_space_distance; what was known before stays.
FR_API fr_status fr_study_take(fr_study *study, fr_error *error);

// One person at one time.
typedef struct fr_study_row {
    double time;        // seconds of the world
    uint32_t person;    // index in the director
    const char *motion; // that it does, in the study's memory; "": none
    fr_work_angles angles;
    fr_work_conditions conditions;
    fr_rula rula[FR_WORK_SIDE_COUNT];
    fr_reba reba[FR_WORK_SIDE_COUNT];
    uint32_t unknown_count; // held objects whose class gives no mass
    double clearance;       // metres; FR_STUDY_CLEARANCE_MAX: nothing is nearer
    fr_object_id nearest;   // to which; all zeros: none
} fr_study_row;

// By time, then person; a view, valid until the next call that takes.
FR_API const fr_study_row *fr_study_rows(const fr_study *study, size_t *count);

// The worse side's score of a row.
FR_API uint32_t fr_study_rula(const fr_study_row *row);
FR_API uint32_t fr_study_reba(const fr_study_row *row);

// What the rows of a person come to; scores are those of the worse side.
typedef struct fr_study_summary {
    size_t row_count;
    uint32_t rula_max, reba_max;
    double rula_mean, reba_mean;
    size_t rula_counts[FR_RULA_MAX + 1]; // rows of each score
    size_t reba_counts[FR_REBA_MAX + 1];
    double rula_time, reba_time; // seconds of the world at which each is highest first
    const char *rula_motion;     // that the person did then
    const char *reba_motion;
    double load_max;        // kilograms
    double clearance;       // the least
    fr_object_id nearest;   // to which
    double clearance_time;  // when
    double seated, walking; // fractions of the rows
    uint32_t unknown_max;   // held objects without a mass
} fr_study_summary;

// All zeros for a person without rows.
FR_API fr_study_summary fr_study_sum(const fr_study *study, uint32_t person);

// Writes all rows as a table with commas (RFC 4180): a line of names, then a line a row; angles in degrees, rounded to
// 0.1, lengths in metres to 0.0001. FR_ERROR_FILE where `write` returned false.
FR_API fr_status fr_study_write(const fr_study *study, fr_bytes_fn *write, void *context, fr_error *error);

// Draws the first FR_STUDY_DRAWN_MAX people in the plane z = 0, one below another: both scores over time, what it did,
// sitting, walking, load and clearance below, and beside them how often each score was.
#define FR_STUDY_DRAWN_MAX 4u
FR_API void fr_study_draw(const fr_study *study, const fr_draw *draw);

#ifdef __cplusplus
}
#endif

#endif
