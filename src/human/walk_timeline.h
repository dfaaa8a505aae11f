// A timeline of steps, and the figure of a body that walks along it, with the look of measured gait.
#ifndef FUREAI_HUMAN_WALK_TIMELINE_H
#define FUREAI_HUMAN_WALK_TIMELINE_H

#include "human/gait.h"
#include "human/walk_bend.h"

#define FR__MAX_MOVES 8
#define FR__MAX_KNOTS 20
#define FR__DROPS 120

// A foot leaves the ground and lands on a print.
typedef struct fr__walk_move {
    int foot;
    double off, land;     // seconds
    fr__walk_print print; // where it lands
    double push;          // seconds over which the heel rises before
    double off_pitch;     // of the foot, as it leaves
    double land_pitch;    // as it lands
    fr_vec3 off_slope;    // what the ankle's travel lacks as it leaves, metres a swing; set by fr__walk_timeline_finish
    fr_vec3 land_slope;   // likewise as it lands
    fr__walk_bend leaving, landing; // how the leg bends after the foot has left, and stretches before it lands
    bool has_steady_off;            // it leaves as in steady walking: the pitch is the table's
    bool has_steady_land;           // likewise
} fr__walk_move;

// A smooth curve through points in time (cubic Hermite).
typedef struct fr__walk_curve {
    int count;
    double times[FR__MAX_KNOTS];
    double values[FR__MAX_KNOTS][2];
    double slopes[FR__MAX_KNOTS][2];
} fr__walk_curve;

typedef struct fr__walk_timeline {
    const fr__gait *gait;
    const fr__walk_body *body;
    double duration;
    fr__walk_print begin[2]; // prints at time 0, of a foot that is in the air then too
    fr__walk_move moves[FR__MAX_MOVES];
    int move_count;
    fr__walk_curve path;              // x and z of the middle of the hips
    fr__walk_curve heading;           // of the body, and of the head
    fr__walk_curve phase;             // of the right stride, and how much of the table's walking there is, 0 .. 1
    bool is_table;                    // steady walking: the path is the table's
    double lean;                      // radians, of the trunk at its peak in the middle of the clip
    double steady_ends[3][2];         // of a right ankle in a swing of steady walking: left, up, forward
    double drops[FR__DROPS + 1];      // how much the hips are lowered at equal times, so that the legs reach
    double clearances[FR__MAX_MOVES]; // how much higher than the table's each swing goes
} fr__walk_timeline;

// Adds a knot; slopes are set by fr__walk_curve_smooth but where `slope` is given.
void fr__walk_curve_add(fr__walk_curve *curve, double time, double first, double second);
void fr__walk_curve_smooth(fr__walk_curve *curve, const double *begin_slope, const double *end_slope);
void fr__walk_curve_at(const fr__walk_curve *curve, double time, double out[2]);

// The steady print of a foot whose stride begins at time 0 with the hips at z = 0, and the hips at a phase of the right
// stride (both relative to a straight path along z).
fr__walk_print fr__walk_steady_print(const fr__gait *gait, int foot);
fr_vec3 fr__walk_steady_middle(const fr__gait *gait, double phase);

// Seconds over which the heel rises before a foot leaves in steady walking.
double fr__walk_push(const fr__gait *gait);

// Sets pitches and clearances of the moves from the curves; figures need it.
void fr__walk_timeline_finish(fr__walk_timeline *timeline);

// The figure at a time of 0 .. duration.
void fr__walk_timeline_figure(const fr__walk_timeline *timeline, double time, fr__walk_figure *figure);

// The figure of a body that stands, at the origin, facing +Z.
void fr__walk_stand(const fr__walk_body *body, fr__walk_figure *figure);

// The print of a standing foot of a body at a place with a heading.
fr__walk_print fr__walk_standing_print(const fr__walk_body *body, int foot, double x, double z, double heading);

#endif
