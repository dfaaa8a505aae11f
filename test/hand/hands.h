// A hand for the tests of the aid: where it may be, and the scene it works in.
#ifndef FUREAI_TEST_HAND_HANDS_H
#define FUREAI_TEST_HAND_HANDS_H

#include "failing.h"
#include "frame.h"
#include "mesh_object.h"

#include "fureai/hand.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static inline fr_vec3 random_unit(fr_random *random) {
    // One call a line: in which order arguments are found is a compiler's own business
    for (;;) {
        fr_vec3 v;
        v.z = fr_random_between(random, -1.0, 1.0);
        v.y = fr_random_between(random, -1.0, 1.0);
        v.x = fr_random_between(random, -1.0, 1.0);
        if (fr_vec3_length(v) > 0.1) { return fr_vec3_unit(v, v); }
    }
}

static inline fr_pose random_pose(fr_random *random, double reach, double angle) {
    fr_vec3 way = random_unit(random);
    fr_vec3 at = fr_vec3_scale(fr_random_between(random, 0.0, reach), way);
    double turn = fr_random_between(random, 0.0, angle);
    return fr_pose_make(at, fr_quat_from_axis_angle(random_unit(random), turn));
}

#define EDGE 0.07 // of the tasks' cubes
#define FRAME (1.0 / 30.0)
#define SKIN 1e-5

// ---------------------------------------------------------------------------------------------------------------
// Frames

#define MOST_OBJECTS 6

typedef struct scene {
    fr_space *space;
    fr_mesh *cube;
    fr_object_id held, others[MOST_OBJECTS];
    uint32_t other_count;
    fr_aid *aid;
    fr_pose raw;
    fr_aid_output out;
    double time;
    uint32_t snaps, releases, contacts, slides, pulls;
    fr_aid_cause cause; // of the last release
} scene;

static inline fr_object_id add_mesh(scene *s, const fr_mesh *mesh, const fr_pose *pose) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose = *pose;
    fr_object_id id;
    assert_int_equal(fr_object_add(s->space, &def, &id, NULL), FR_OK);
    return id;
}

// The held cube alone.
static inline void open_scene(scene *s, fr_vec3 start) {
    memset(s, 0, sizeof *s);
    fr_space_def space = fr_default_space_def();
    assert_int_equal(fr_space_create(&space, &s->space, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(EDGE, EDGE, EDGE), NULL, &s->cube, NULL), FR_OK);
    s->raw = fr_pose_make(start, fr_quat_identity());
    s->held = add_mesh(s, s->cube, &s->raw);
}

typedef struct failing_frame {
    const fr_space *space;
    fr_object_id held;
    fr_aid_def def;
    fr_pose raw;
} failing_frame;

// One frame of an aid. A frame that failed has taken nothing: the next takes it, and reports it.
static inline fr_status make_frame(const fr_allocator *allocator, void *context) {
    const failing_frame *f = context;
    fr_aid_def def = f->def;
    def.allocator = *allocator;
    fr_aid *aid = NULL;
    fr_aid_output out;
    fr_status status = fr_aid_create(&def, &aid, NULL);
    if (status != FR_OK) { return status; }
    status = fr_aid_grasp(aid, f->space, f->held, NULL);
    bool is_grasped = status == FR_OK;
    if (is_grasped) { status = fr_aid_frame(aid, f->space, &f->raw, 0.0, &out, NULL); }
    if (status != FR_OK) {
        test_lift_and_compare(allocator);
        if (!is_grasped) { assert_int_equal(fr_aid_grasp(aid, f->space, f->held, NULL), FR_OK); }
        assert_int_equal(fr_aid_frame(aid, f->space, &f->raw, 0.0, &out, NULL), FR_OK);
    }
    assert_int_equal(out.held_count, 1);
    assert_int_equal(out.events[out.event_count - 1].kind, FR_HAND_SNAP);
    test_note(&out.shown, sizeof out.shown);
    fr_aid_destroy(aid);
    return status;
}

// Each allocation of an aid fails in turn, then bytes are bounded, until it holds what it should at `raw`.
static inline void fail_frames(const fr_space *space, fr_object_id held, fr_aid_def def, fr_pose raw) {
    failing_frame frame = {space, held, def, raw};
    assert_true(test_every_failure(make_frame, &frame) > 5);
}

static inline void add_other(scene *s, const fr_mesh *mesh, fr_vec3 at) {
    fr_pose pose = fr_pose_make(at, fr_quat_identity());
    s->others[s->other_count++] = add_mesh(s, mesh, &pose);
}

static inline void grasp(scene *s, const fr_aid_def *def) {
    fr_aid_def standard = fr_default_aid_def();
    assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK);
    assert_int_equal(fr_aid_create(def != NULL ? def : &standard, &s->aid, NULL), FR_OK);
    assert_int_equal(fr_aid_grasp(s->aid, s->space, s->held, NULL), FR_OK);
}

static inline void close_scene(scene *s) {
    fr_aid_destroy(s->aid);
    fr_space_destroy(s->space);
    fr_mesh_release(s->cube);
}

// One frame; the object is put where it is shown. Whether it shares points with another is left to the callers.
static inline void frame(scene *s) {
    fr_error error;
    s->time += FRAME;
    fr_status status = fr_aid_frame(s->aid, s->space, &s->raw, s->time, &s->out, &error);
    if (status != FR_OK) { print_message("%s\n", error.message); }
    assert_int_equal(status, FR_OK);
    for (uint32_t i = 0; i < s->out.event_count; i++) {
        const fr_hand_event *e = &s->out.events[i];
        s->snaps += e->kind == FR_HAND_SNAP;
        s->contacts += e->kind == FR_HAND_CONTACT;
        s->slides += e->kind == FR_HAND_SLIDE;
        s->pulls += e->kind == FR_HAND_PULL;
        if (e->kind == FR_HAND_RELEASE) {
            s->releases++;
            s->cause = e->cause;
        }
    }
    assert_int_equal(fr_object_set_pose(s->space, s->held, &s->out.shown, NULL), FR_OK);
    assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK);
}

// Goes straight to a place in steps of at most `step` metres a frame.
static inline void drag(scene *s, fr_vec3 to, double step) {
    fr_vec3 from = s->raw.position;
    int count = (int)(fr_vec3_distance(from, to) / step) + 1;
    for (int i = 1; i <= count; i++) {
        s->raw.position = fr_vec3_lerp(from, to, (double)i / count);
        frame(s);
    }
}

// The first event of a kind in the last frame; NULL where there is none.
static inline const fr_hand_event *told(const scene *s, fr_hand_kind kind) {
    for (uint32_t i = 0; i < s->out.event_count; i++) {
        if (s->out.events[i].kind == kind) { return &s->out.events[i]; }
    }
    return NULL;
}

static inline fr_aid_output release(scene *s) {
    fr_aid_output out;
    fr_aid_let_go(s->aid, &out);
    return out;
}

// The cube above another at the origin, moved sideways by `shift`; dropped onto it.
static inline void land(scene *s, double shift, const fr_aid_def *def) {
    open_scene(s, fr_vec3_make(shift, 0.1, 0.0));
    add_other(s, s->cube, fr_vec3_make(0.0, 0.0, 0.0));
    grasp(s, def);
    drag(s, fr_vec3_make(shift, EDGE - 0.004, 0.0), 0.002);
}

// How far the raw cube is over its resting place when it comes off, lifted by a millimetre a frame.
static inline double lift_off(scene *s) {
    while (s->out.held_count > 0 && s->raw.position.y < 0.3) {
        s->raw.position.y += 0.001;
        frame(s);
    }
    assert_int_equal(s->releases, 1);
    assert_int_equal(s->cause, FR_AID_CAUSE_DISTANCE);
    assert_true(fr_vec3_distance(s->out.shown.position, s->raw.position) < 1e-12);
    return s->raw.position.y - EDGE;
}

// The cubes of a task; millimetres with z up become metres with y up.
static inline void open_task_with(scene *s, uint32_t faces, const fr_aid_def *def) {
    open_scene(s, fr_vec3_make(0.0, 0.0, 0.16));
    const fr_vec3 at[3] = {{0.0, 0.0, 0.0}, {0.0, EDGE, -EDGE}, {EDGE, EDGE, 0.0}};
    for (uint32_t i = 0; i < faces; i++) {
        add_other(s, s->cube, at[i]);
    }
    grasp(s, def);
}

static inline void open_task(scene *s, uint32_t faces) { open_task_with(s, faces, NULL); }

// Over a hump to 25 mm off the target, with the spread and the tilt of a hand, then against all faces.
static inline void do_task(scene *s, uint32_t faces, fr_random *random) {
    const fr_vec3 normals[3] = {{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {-1.0, 0.0, 0.0}};
    fr_vec3 target = fr_vec3_make(0.0, EDGE, 0.0), away = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < faces; i++) {
        away = fr_vec3_add(away, normals[i]);
    }
    fr_vec3 aside = random_unit(random);
    fr_vec3 spread = fr_vec3_scale(fr_random_between(random, 0.0, 0.004), aside);
    fr_vec3 off = fr_vec3_add(fr_vec3_add_scaled(target, 0.025, away), spread);
    double tilt = fr_random_between(random, 0.0, fr_radians(6.0));
    s->raw.rotation = fr_quat_from_axis_angle(random_unit(random), tilt);
    drag(s, fr_vec3_make(0.0, 0.14, 0.16), 0.008);
    drag(s, fr_vec3_make(off.x, 0.14, off.z), 0.008);
    drag(s, off, 0.005);
    drag(s, fr_vec3_add(fr_vec3_add_scaled(target, -0.008, away), spread), 0.003);
    for (int i = 0; i < 5; i++) {
        frame(s);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Random drags

// The hand's next pose: a little on, or with one chance in eight a jump to anywhere within `reach`.
static inline void wander(scene *s, fr_random *random, double reach) {
    fr_quat rotation = s->raw.rotation;
    fr_vec3 position = s->raw.position;
    if (fr_random_below(random, 8) == 0) {
        fr_pose jump = random_pose(random, reach, 3.0);
        position = jump.position;
        rotation = jump.rotation;
    } else {
        fr_pose little = random_pose(random, 0.02, 0.2);
        position = fr_vec3_add(position, little.position);
        rotation = fr_quat_multiply(little.rotation, rotation);
    }
    s->raw.position = position;
    s->raw.rotation = rotation;
}

// An aid with its switches at random: as it is by default, or with snaps, friction and blending.
static inline fr_aid_def random_def(fr_random *random) {
    fr_aid_def def = fr_default_aid_def();
    if (fr_random_below(random, 2) == 0) { return def; }
    def.edge_reach = fr_random_below(random, 2) == 0 ? 0.0 : 0.005;
    def.axis_reach = fr_random_below(random, 2) == 0 ? 0.0 : 0.005;
    def.friction = fr_random_below(random, 2) == 0 ? 0.0 : 0.4;
    def.blend = fr_random_below(random, 2) == 0 ? 0.0 : 0.08;
    def.magnet = fr_random_between(random, 0.2, 2.0);
    return def;
}

// Triangles of others that share a point with the held mesh where it is shown.
static inline uint32_t crossings(const scene *s, const fr_mesh *mesh) {
    fr_overlap_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.kind = FR_OVERLAP_MESH;
    shape.mesh = mesh;
    shape.pose = s->out.shown;
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = s->held;
    uint32_t count = 0;
    assert_int_equal(fr_space_overlap(s->space, &shape, &filter, NULL, 0, &count, NULL), FR_OK);
    return count;
}

// How many of what is held are of a kind.
static inline uint32_t held_of_kind(const scene *s, fr_aid_kind kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->out.held_count; i++) {
        count += s->out.held[i].kind == kind;
    }
    return count;
}

#endif
