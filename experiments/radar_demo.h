// Demonstrations of the radar: each plays in a space of its own and remembers where its objects were, so that it can be
// drawn, shown as a scene, and checked.
#ifndef FUREAI_EXPERIMENTS_RADAR_DEMO_H
#define FUREAI_EXPERIMENTS_RADAR_DEMO_H

#include "fureai/radar.h"

// Where an object was at a time, seconds.
typedef struct demo_sample {
    double time;
    fr_pose pose;
} demo_sample;

typedef struct demo_object {
    char name[32];
    const char *shape; // of `fureai shape`; NULL: a model
    const char *model; // beside the scene, with the same mesh; NULL: a shape
    fr_color color;
    bool is_static;
    fr_object_id id;
    fr_array samples; // demo_sample; one: it stands there
} demo_object;

typedef struct demo_figure {
    const char *name;
    double value;
} demo_figure;

#define DEMO_MAX_FIGURES 12

typedef struct radar_demo radar_demo;

struct radar_demo {
    const char *title, *about;
    fr_space *space;
    fr_radar *radar;
    fr_array objects; // demo_object
    double time;      // of the samples to come, seconds
    char found[160];  // what came out, as a sentence
    demo_figure figures[DEMO_MAX_FIGURES];
    int figure_count;
};

typedef struct demo_look {
    uint64_t seed;             // of what is chosen by chance
    uint32_t frames;           // of the balls; 0: 200
    const fr_control *control; // of the balls; NULL: none
    // Called after each frame of the balls, with the space up to date; NULL: not.
    void (*seen)(const radar_demo *demo, uint32_t frame, void *user);
    void *user;
} demo_look;

// A long-range radar turns until it sees something, goes there and touches it.
fr_status radar_demo_search(radar_demo *demo, const demo_look *look, fr_error *error);

// Branches grow where their radar sees no other.
fr_status radar_demo_tree(radar_demo *demo, const demo_look *look, fr_error *error);

// A hand rises to a ball and closes about it, joint by joint.
fr_status radar_demo_grasp(radar_demo *demo, const demo_look *look, fr_error *error);

// A hundred balls bounce about a room.
fr_status radar_demo_balls(radar_demo *demo, const demo_look *look, fr_error *error);

// Opens an empty demonstration; all zeros may be closed, so a failure may be followed by radar_demo_close.
fr_status radar_demo_open(radar_demo *demo, const char *title, const char *about, fr_error *error);
void radar_demo_close(radar_demo *demo);

// Adds an object with a mesh like `like` says, at a pose; its first sample is of now. The space must be updated after.
fr_status radar_demo_add(radar_demo *demo, const fr_mesh *mesh, const demo_object *like, const fr_pose *pose,
                         fr_object_id *id, fr_error *error);

// Puts an object elsewhere, with a sample of now.
fr_status radar_demo_put(radar_demo *demo, fr_object_id id, const fr_pose *pose, fr_error *error);

void radar_demo_add_figure(radar_demo *demo, const char *name, double value);

// The figure of that name; NAN where there is none.
double radar_demo_figure(const radar_demo *demo, const char *name);

const demo_object *radar_demo_object(const radar_demo *demo, fr_object_id id);

#endif
