// A bench for the tests of the assembly: a socket, and four parts that belong on it.
#ifndef FUREAI_TEST_HAND_ASSEMBLY_BENCH_H
#define FUREAI_TEST_HAND_ASSEMBLY_BENCH_H

#include "fureai/hand.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define TOLERANCE 0.015
#define EPSILON 1e-9

enum { PEG, LID, BOLT, TWIN, PARTS };

// A socket with a square hole, 20.2 mm wide and 40 mm deep; a peg of 20 mm for it, whose top is flush; a lid that lies
// on both; two equal bolts that stand on the lid.
typedef struct bench {
    fr_space *space;
    fr_mesh *meshes[8];
    uint32_t mesh_count;
    fr_object_id socket, objects[PARTS];
    fr_assembly_part parts[PARTS];
    uint32_t after_lid[1];
    fr_assembly *assembly;
    fr_assembly_output out;
    double time;
    uint32_t events;
} bench;

static inline const fr_mesh *box(bench *b, double x, double y, double z) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(x, y, z), NULL, &mesh, NULL), FR_OK);
    b->meshes[b->mesh_count++] = mesh;
    return mesh;
}

static inline fr_object_id add(bench *b, const fr_part_def *parts, uint32_t count, fr_vec3 at) {
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = count;
    def.pose = fr_pose_make(at, fr_quat_identity());
    fr_object_id id;
    assert_int_equal(fr_object_add(b->space, &def, &id, NULL), FR_OK);
    assert_int_equal(fr_space_update(b->space, NULL, NULL), FR_OK);
    return id;
}

static inline fr_object_id add_mesh(bench *b, const fr_mesh *mesh, fr_vec3 at) {
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    return add(b, &part, 1, at);
}

static inline void add_socket(bench *b) {
    const fr_mesh *side = box(b, 0.0399, 0.04, 0.1), *end = box(b, 0.0202, 0.04, 0.0399);
    fr_part_def walls[4];
    for (int i = 0; i < 4; i++) {
        walls[i] = fr_default_part_def();
        walls[i].mesh = i < 2 ? side : end;
        double at = (i & 1) != 0 ? 0.03005 : -0.03005;
        walls[i].pose.position = i < 2 ? fr_vec3_make(at, 0.0, 0.0) : fr_vec3_make(0.0, 0.0, at);
    }
    b->socket = add(b, walls, 4, fr_vec3_make(0.0, 0.0, 0.0));
}

static inline void open_bench(bench *b) {
    static const char *const names[PARTS] = {"peg", "lid", "bolt", "twin"};
    memset(b, 0, sizeof *b);
    fr_space_def space = fr_default_space_def();
    assert_int_equal(fr_space_create(&space, &b->space, NULL), FR_OK);
    add_socket(b);
    const fr_mesh *bolt = box(b, 0.006, 0.03, 0.006);
    b->objects[PEG] = add_mesh(b, box(b, 0.02, 0.04, 0.02), fr_vec3_make(0.0, 0.3, 0.0));
    b->objects[LID] = add_mesh(b, box(b, 0.06, 0.005, 0.06), fr_vec3_make(0.3, 0.3, 0.0));
    b->objects[BOLT] = add_mesh(b, bolt, fr_vec3_make(0.5, 0.3, 0.0));
    b->objects[TWIN] = add_mesh(b, bolt, fr_vec3_make(0.5, 0.3, 0.2));
    for (int i = 0; i < PARTS; i++) {
        b->parts[i] = fr_default_assembly_part();
        b->parts[i].name = names[i];
        b->parts[i].object = b->objects[i];
        b->parts[i].insertion = fr_vec3_make(0.0, -2.0, 0.0); // need not be unit
    }
    b->parts[PEG].axis = fr_vec3_make(0.0, 1.0, 0.0);
    b->parts[PEG].fold = 4;
    b->parts[LID].place.position = fr_vec3_make(0.0, 0.0225, 0.0);
    b->parts[LID].relative_to = PEG;
    b->after_lid[0] = LID;
    for (int i = BOLT; i <= TWIN; i++) {
        b->parts[i].place.position = fr_vec3_make(i == BOLT ? -0.02 : 0.02, 0.04, 0.0);
        b->parts[i].after = b->after_lid;
        b->parts[i].after_count = 1;
        b->parts[i].axis = fr_vec3_make(0.0, 1.0, 0.0);
        b->parts[i].fold = 0;
    }
    b->parts[TWIN].like = BOLT;
}

static inline fr_status create(bench *b, fr_error *error) {
    fr_assembly_def def = fr_default_assembly_def();
    def.parts = b->parts;
    def.part_count = PARTS;
    return fr_assembly_create(&def, b->space, &b->assembly, error);
}

static inline void start(bench *b) {
    open_bench(b);
    assert_int_equal(create(b, NULL), FR_OK);
}

static inline void finish(bench *b) {
    fr_assembly_destroy(b->assembly);
    fr_space_destroy(b->space);
    for (uint32_t i = 0; i < b->mesh_count; i++) {
        fr_mesh_release(b->meshes[i]);
    }
}

static inline void put(bench *b, int part, const fr_pose *pose) {
    assert_int_equal(fr_object_set_pose(b->space, b->objects[part], pose, NULL), FR_OK);
    assert_int_equal(fr_space_update(b->space, NULL, NULL), FR_OK);
}

// One frame with the part at a pose, and what a caller does after it.
static inline fr_assembly_result show(bench *b, int part, const fr_pose *pose) {
    b->time += 0.01;
    put(b, part, pose);
    assert_int_equal(fr_assembly_frame(b->assembly, b->space, (uint32_t)part, pose, b->time, &b->out, NULL), FR_OK);
    if (b->out.result == FR_ASSEMBLY_FITTED) { put(b, part, &b->out.pose); }
    b->events += b->out.has_event ? 1 : 0;
    return b->out.result;
}

static inline fr_assembly_result show_at(bench *b, int part, double x, double y, double z) {
    fr_pose pose = fr_pose_make(fr_vec3_make(x, y, z), fr_quat_identity());
    return show(b, part, &pose);
}

static inline fr_assembly_result show_turned(bench *b, int part, fr_vec3 at, fr_vec3 axis, double angle) {
    fr_pose pose = fr_pose_make(at, fr_quat_from_axis_angle(axis, angle));
    return show(b, part, &pose);
}

static inline void assemble(bench *b) {
    assert_int_equal(show_at(b, PEG, 0.0, 0.01, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(show_at(b, LID, 0.0, 0.03, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(show_at(b, BOLT, -0.02, 0.045, 0.0), FR_ASSEMBLY_FITTED);
    assert_int_equal(show_at(b, TWIN, 0.02, 0.045, 0.0), FR_ASSEMBLY_FITTED);
}

static inline uint32_t found(bench *b, double x, double y, double z) {
    fr_assembly_find_output grasp;
    assert_int_equal(fr_assembly_find(b->assembly, b->space, fr_vec3_make(x, y, z), &grasp, NULL), FR_OK);
    return grasp.part;
}

static inline void assert_near(double a, double b, double within) {
    if (!(fabs(a - b) <= within)) { fail_msg("%.17g is not %.17g", a, b); }
}

static inline void assert_at(const fr_pose *pose, double x, double y, double z) {
    assert_true(fr_vec3_distance(pose->position, fr_vec3_make(x, y, z)) < 1e-12);
}

#endif
