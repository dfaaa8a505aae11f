// The same motions everywhere: hashes over random drags by the aid of a hand, random falls, and paths that a planner
// finds among faces, for each instruction set there is, against values frozen here. They hold for gcc and clang, every
// level of optimisation, x86-64 and aarch64. `make test` hashes a sample of them, `make test-long` all of them.
//
// A change of a result on purpose changes a frozen value: `moved_bodies --print` writes the hashes.
#include "frame.h"
#include "hand/parts.h"
#include "plan/window.h"

#include "fureai/hand.h"
#include "fureai/touch.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 12, STEPS = 16 };

static void require(bool holds, const char *what) {
    if (holds) { return; }
    printf("failed: %s\n", what);
    exit(EXIT_FAILURE);
}

static double between(fr_random *random, double low, double high) { return fr_random_between(random, low, high); }

static fr_vec3 any_vector(fr_random *random, double reach) {
    double x = between(random, -reach, reach), y = between(random, -reach, reach);
    return fr_vec3_make(x, y, between(random, -reach, reach));
}

static uint64_t hash_double(uint64_t hash, double x) { return fr_hash(&x, sizeof x, hash); }
static uint64_t hash_vector(uint64_t hash, fr_vec3 v) { return fr_hash(&v, sizeof v, hash); }

static uint64_t hash_count(uint64_t hash, uint64_t count) { return fr_hash(&count, sizeof count, hash); }

static uint64_t hash_pose(uint64_t hash, const fr_pose *pose) {
    hash = hash_double(hash, pose->rotation.w);
    hash = hash_vector(hash, fr_vec3_make(pose->rotation.x, pose->rotation.y, pose->rotation.z));
    return hash_vector(hash, pose->position);
}

static fr_mesh *make_box(double x, double y, double z) {
    fr_mesh *mesh;
    require(fr_mesh_create_box(fr_vec3_make(x, y, z), NULL, &mesh, NULL) == FR_OK, "making a box");
    return mesh;
}

static fr_mesh *make_named(const char *name) {
    fr_mesh *mesh;
    require(fr_mesh_create_named(name, NULL, &mesh, NULL) == FR_OK, "making a mesh");
    return mesh;
}

static fr_mesh *make_cylinder(double radius, double length, uint32_t slices) {
    fr_mesh *mesh;
    fr_status status = fr_mesh_create_cylinder(radius, length, slices, FR_AXIS_Y, NULL, &mesh, NULL);
    require(status == FR_OK, "making a cylinder");
    return mesh;
}

static fr_mesh *make_torus(double radius, double tube) {
    fr_mesh *mesh;
    fr_status status = fr_mesh_create_torus(radius, tube, 24, 12, FR_AXIS_Y, NULL, &mesh, NULL);
    require(status == FR_OK, "making a torus");
    return mesh;
}

// Takes over the mesh.
static fr_object_id put(fr_space *space, fr_mesh *mesh, double x, double y, double z) {
    fr_part_def part;
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose.position = fr_vec3_make(x, y, z);
    fr_object_id id;
    require(fr_object_add(space, &def, &id, NULL) == FR_OK, "adding an object");
    fr_mesh_release(mesh);
    return id;
}

// ---------------------------------------------------------------------------------------------------------------
// Drags

typedef struct bench {
    fr_space *space;
    fr_aid *aids[2];
    fr_object_id held[2];
    int hands;
    uint64_t frames, held_frames, blocked_frames, taken_frames;
} bench;

// Cubes; fine plates; a corner of three walls; a gear and its housing; a ball and a torus; two hands.
enum { BENCHES = 6 };

static void open_bench(int kind, bench *out) {
    memset(out, 0, sizeof *out);
    fr_space_def def = fr_default_space_def();
    fr_aid_def aid = fr_default_aid_def();
    require(fr_space_create(&def, &out->space, NULL) == FR_OK, "making a space");
    out->hands = kind == 5 ? 2 : 1;
    fr_mesh *held = NULL;
    if (kind == 0) {
        (void)put(out->space, make_box(0.07, 0.07, 0.07), 0.0, -0.035, 0.0);
        (void)put(out->space, make_box(0.05, 0.09, 0.05), 0.07, -0.01, 0.01);
        held = make_box(0.07, 0.07, 0.07);
        aid.edge_reach = 0.005;
    } else if (kind == 1) {
        (void)put(out->space, part_plate(0.1, 0.01, 9), 0.0, -0.005, 0.0);
        held = part_plate(0.07, 0.01, 7);
        aid.friction = 0.3;
    } else if (kind == 2) {
        (void)put(out->space, make_box(0.2, 0.02, 0.2), 0.0, -0.01, 0.0);
        (void)put(out->space, make_box(0.02, 0.2, 0.2), -0.06, 0.1, 0.0);
        (void)put(out->space, make_box(0.2, 0.2, 0.02), 0.0, 0.1, -0.06);
        held = make_box(0.06, 0.04, 0.05);
        aid.blend = 0.08;
    } else if (kind == 3) {
        (void)put(out->space, part_housing(5e-4), 0.0, 0.0, 0.0);
        held = part_gear();
        aid.axis_reach = 0.004;
    } else if (kind == 4) {
        (void)put(out->space, make_torus(0.05, 0.02), 0.0, -0.02, 0.0);
        (void)put(out->space, make_cylinder(0.02, 0.06, 16), 0.08, -0.03, 0.0);
        held = make_cylinder(0.025, 0.05, 20);
        aid.axis_reach = 0.01;
    } else {
        (void)put(out->space, make_box(0.2, 0.02, 0.2), 0.0, -0.01, 0.0);
        out->held[1] = put(out->space, make_box(0.05, 0.03, 0.05), 0.0, 0.1, 0.0);
        held = make_box(0.06, 0.04, 0.05);
    }
    out->held[0] = put(out->space, held, 0.0, 0.2, 0.0);
    for (int i = 0; i < out->hands; i++) {
        require(fr_aid_create(&aid, &out->aids[i], NULL) == FR_OK, "making an aid");
    }
    if (out->hands == 2) { fr_aid_join(out->aids[0], out->aids[1]); }
}

static void close_bench(bench *b) {
    fr_aid_destroy(b->aids[0]);
    fr_aid_destroy(b->aids[1]);
    fr_space_destroy(b->space);
}

static void place(bench *b, fr_object_id object, const fr_pose *pose) {
    require(fr_object_set_pose(b->space, object, pose, NULL) == FR_OK, "placing an object");
    require(fr_space_update(b->space, NULL, NULL) == FR_OK, "updating a space");
}

static uint64_t hash_output(uint64_t hash, const fr_aid_output *out) {
    hash = hash_pose(hash, &out->shown);
    hash = hash_count(hash, (out->held_count * 16 + out->freedom) * 2 + (out->is_blocked ? 1 : 0));
    for (uint32_t i = 0; i < out->held_count; i++) {
        hash = hash_double(hash_double(hash, out->held[i].area), out->held[i].distance);
    }
    for (uint32_t i = 0; i < out->event_count; i++) {
        hash = hash_count(hash, (uint64_t)out->events[i].kind);
        hash = hash_double(hash_double(hash, out->events[i].speed), out->events[i].pull);
    }
    return out->taken.index1 != 0 ? hash_pose(hash, &out->taken_pose) : hash;
}

static uint64_t drag_frame(bench *b, int hand, const fr_pose *raw, double time, uint64_t hash) {
    fr_aid_output out;
    require(fr_aid_frame(b->aids[hand], b->space, raw, time, &out, NULL) == FR_OK, "a frame of the aid");
    b->frames++;
    b->held_frames += out.held_count > 0 ? 1 : 0;
    b->blocked_frames += out.is_blocked ? 1 : 0;
    b->taken_frames += out.taken.index1 != 0 ? 1 : 0;
    place(b, b->held[hand], &out.shown);
    if (out.taken.index1 != 0) { place(b, out.taken, &out.taken_pose); }
    return hash_output(hash, &out);
}

// From a random place, where it may be in something, down onto what stands, to and fro there, and off.
static uint64_t drag(bench *b, fr_random *random, uint64_t hash) {
    fr_pose raw[2];
    fr_vec3 speed[2], turn[2];
    for (int k = 0; k < b->hands; k++) {
        fr_vec3 at = any_vector(random, 0.04);
        at.y += k == 0 ? 0.07 : 0.12;
        raw[k] = fr_pose_make(at, fr_quat_from_vector(any_vector(random, 0.15)));
        speed[k] = any_vector(random, 0.01);
        turn[k] = any_vector(random, 0.05);
        speed[k].y = -fabs(speed[k].y) - 0.004;
        place(b, b->held[k], &raw[k]);
        require(fr_aid_grasp(b->aids[k], b->space, b->held[k], NULL) == FR_OK, "grasping");
    }
    for (int i = 1; i <= FRAMES; i++) {
        for (int k = 0; k < b->hands; k++) {
            if (i == FRAMES / 2) { speed[k] = any_vector(random, 0.02); }
            raw[k].position = fr_vec3_add(raw[k].position, fr_vec3_add(speed[k], any_vector(random, 0.002)));
            raw[k].rotation = fr_quat_multiply(fr_quat_from_vector(turn[k]), raw[k].rotation);
            hash = drag_frame(b, k, &raw[k], i / 60.0, hash);
        }
    }
    for (int k = 0; k < b->hands; k++) {
        fr_aid_let_go(b->aids[k], NULL);
    }
    return hash;
}

static uint64_t hash_drags(uint64_t count) {
    uint64_t hash = 0;
    for (int kind = 0; kind < BENCHES; kind++) {
        bench b;
        fr_random random = fr_random_seed(100 + (uint64_t)kind);
        open_bench(kind, &b);
        for (uint64_t i = (uint64_t)kind; i < count; i += BENCHES) {
            hash = drag(&b, &random, hash);
        }
        require(b.held_frames + b.blocked_frames > b.frames / 20, "meeting often enough");
        require(b.hands == 1 || b.taken_frames > b.frames / 100, "taking along often enough");
        close_bench(&b);
    }
    return hash;
}

// ---------------------------------------------------------------------------------------------------------------
// Falls

static uint64_t fall(fr_space *space, fr_mesh *mesh, fr_object_id filled, fr_random *random, uint64_t hash) {
    fr_pose pose = fr_pose_make(any_vector(random, 0.4), fr_quat_from_vector(any_vector(random, 3.0)));
    pose.position.y = between(random, 0.16, 0.6);
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = filled;
    static _Alignas(max_align_t) unsigned char scratch[FR_FALL_SCRATCH_BYTES];
    fr_fall_input input = fr_default_fall_input();
    input.scratch = scratch;
    input.space = space;
    input.parts = &part;
    input.part_count = 1;
    input.pose = pose;
    input.filter = &filter;
    require(fr_object_set_pose(space, filled, &pose, NULL) == FR_OK, "placing a body");
    require(fr_space_update(space, NULL, NULL) == FR_OK, "updating a space");
    require(fr_rebound_body_of(space, filled, 1000.0, &input.body, NULL) == FR_OK, "weighing a body");
    input.body.velocity = any_vector(random, 2.0);
    input.body.velocity.y -= 2.0;
    input.body.spin = any_vector(random, 8.0);
    input.body.friction = between(random, 0.0, 1.0);
    input.body.restitution = input.restitution = between(random, 0.0, 0.8);
    for (int i = 0; i < STEPS; i++) {
        fr_fall_output out;
        require(fr_touch_fall(&input, &out, NULL) == FR_OK, "a step of a fall");
        input.pose = out.pose;
        input.body = out.body;
        hash = hash_vector(hash_vector(hash_pose(hash, &out.pose), out.body.velocity), out.body.spin);
        hash = hash_count(hash, out.contacts * 2 + (out.is_resting ? 1 : 0));
    }
    return hash;
}

static uint64_t hash_falls(uint64_t count) {
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    require(fr_space_create(&def, &space, NULL) == FR_OK, "making a space");
    (void)put(space, make_box(2.0, 0.1, 2.0), 0.0, -0.05, 0.0);
    (void)put(space, make_box(0.1, 1.0, 2.0), -0.6, 0.4, 0.0);
    (void)put(space, make_named("sphere_168"), 1.4, 0.0, 0.0);
    (void)put(space, make_box(0.3, 0.1, 0.2), 0.1, 0.05, 0.1);
    fr_mesh *meshes[4] = {make_box(0.1, 0.1, 0.1), make_cylinder(0.06, 0.2, 24), make_torus(0.08, 0.03),
                          part_plate(0.2, 0.03, 5)};
    fr_random random = fr_random_seed(7);
    uint64_t hash = 0;
    for (int k = 0; k < 4; k++) {
        fr_object_id filled = put(space, fr_mesh_retain(meshes[k]), 0.0, 9.0, 0.0);
        for (uint64_t i = (uint64_t)k; i < count; i += 4) {
            hash = fall(space, meshes[k], filled, &random, hash);
        }
        require(fr_object_remove(space, filled, NULL) == FR_OK, "removing a body");
        fr_mesh_release(meshes[k]);
    }
    fr_space_destroy(space);
    return hash;
}

// ---------------------------------------------------------------------------------------------------------------
// Paths

static uint64_t hash_paths(uint64_t count) {
    static const double sides[3] = {1.7, 1.4, 1.0};
    static const fr_path_objective objectives[4] = {FR_PATH_FIRST, FR_PATH_SHORTEST, FR_PATH_CLEAREST,
                                                    FR_PATH_FEWEST_TURNS};
    uint64_t hash = 0;
    for (uint64_t i = 0; i < count; i++) {
        window_problem p;
        fr_path path;
        window_open(sides[i % 3], &p);
        p.input.seed = i + 1;
        p.input.objective = objectives[i % 4];
        p.input.margin = i % 5 == 0 ? 0.02 : 0.0;
        p.input.is_goal_turn_any = i % 7 == 0;
        p.input.max_moves = 20000;
        p.input.optimize_moves = 300;
        require(fr_plan_path(&p.input, &path, NULL) == FR_OK, "finding a path");
        for (uint32_t k = 0; k < path.state_count; k++) {
            hash = hash_pose(hash, &path.states[k]);
        }
        hash = hash_count(hash_count(hash, path.moves), path.nodes);
        fr_path_destroy(&path);
        window_close(&p);
    }
    return hash;
}

// ---------------------------------------------------------------------------------------------------------------
// Against what is frozen

typedef struct frozen {
    const char *name;
    uint64_t (*hash)(uint64_t count);
    uint64_t counts[2]; // in the sample, in all
    uint64_t values[2];
} frozen;

static const frozen table[] = {
    {"drags", hash_drags, {300, 10000}, {0xcd62aa0be5d7ca2a, 0x557b4d92fb115278}},
    {"falls", hash_falls, {400, 10000}, {0xfab6a1524241b481, 0x9664b97ab32189f7}},
    {"paths", hash_paths, {4, 120}, {0x3874c9fab64e2209, 0x08aa8f33fa3bf824}},
};

static int compare(const frozen *row, int k, bool is_print) {
    uint64_t hash = row->hash(row->counts[k]);
    printf("%llu %s: 0x%016llx\n", (unsigned long long)row->counts[k], row->name, (unsigned long long)hash);
    if (is_print || hash == row->values[k]) { return 0; }
    printf("failed: frozen is 0x%016llx\n", (unsigned long long)row->values[k]);
    return 1;
}

int main(int argc, char **argv) {
    bool is_print = argc > 1 && strcmp(argv[1], "--print") == 0;
    int k = test_is_long() ? 1 : 0, wrong = 0;
    for (int simd = FR_SIMD_BASELINE; simd <= (int)fr_simd_best(); simd++) {
        require(fr_simd_set((fr_simd)simd), "choosing an instruction set");
        for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
            wrong += compare(&table[i], k, is_print);
        }
    }
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
