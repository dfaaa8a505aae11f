// The same world everywhere: the hashes of a world's snapshots, for each instruction set and 1, 3 and 8 workers,
// with a value frozen here. It holds for gcc and clang, every level of optimisation, x86-64 and aarch64.
//
// A change of a result on purpose changes the frozen value: `living_world --print` tells the new one.
#include "frozen.h"
#include "mesh_object.h"

#include "fureai/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FROZEN UINT64_C(0x190f1d475e9e6870)

enum { BODIES = 18, TICKS = 24 };

typedef struct crowd {
    fr_world *world;
    fr_mesh *meshes[3];
    fr_object_id ids[BODIES];
} crowd;

static void add_bodies(crowd *c) {
    static const char *const names[3] = {"shuttle_528", "box", "sphere_168"};
    fr_random random = fr_random_seed(7);
    for (int i = 0; i < 3; i++) {
        require(fr_mesh_create_named(names[i], NULL, &c->meshes[i], NULL) == FR_OK, "making a mesh");
    }
    for (int i = 0; i < BODIES; i++) {
        fr_part_def part;
        fr_object_def def = test_mesh_object(c->meshes[i % 3], &part);
        double x = fr_random_between(&random, -2, 2), y = fr_random_between(&random, -2, 2);
        def.pose.position = fr_vec3_make(x, y, fr_random_between(&random, -2, 2));
        require(fr_object_add(fr_world_space(c->world), &def, &c->ids[i], NULL) == FR_OK, "adding an object");
    }
}

// Chains of three: each body hangs on the one before.
static void add_joints(crowd *c) {
    for (int i = 0; i < BODIES; i++) {
        if (i % 3 == 0) { continue; }
        fr_joint joint;
        memset(&joint, 0, sizeof joint);
        joint.kind = (fr_joint_kind)(i % 5);
        joint.parent = c->ids[i - 1];
        joint.child = c->ids[i];
        fr_quat turned = fr_quat_from_vector(fr_vec3_make(0.25 * i, 0.5, 1.0));
        joint.frame_parent = fr_pose_make(fr_vec3_make(0.5, 0.0, 0.25), turned);
        joint.frame_child = fr_pose_make(fr_vec3_make(-0.5, 0.25, 0.0), fr_quat_identity());
        joint.low = -1.0;
        joint.high = 1.0;
        joint.pitch = 0.125;
        fr_joint_id id;
        require(fr_joint_add(fr_world_space(c->world), &joint, &id, NULL) == FR_OK, "adding a joint");
    }
}

static fr_status swing(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const crowd *c = user;
    for (int i = 0; i < BODIES; i++) {
        fr_wish wish = {.object = c->ids[i], .kind = FR_WISH_NEXT};
        wish.pose = fr_object_get(proposal->space, wish.object)->pose;
        double way = 0.1 * fr_sin(0.3 * (double)(proposal->tick + (uint64_t)i));
        wish.pose.position.x += way;
        wish.pose.rotation = fr_quat_multiply(fr_quat_from_vector(fr_vec3_make(way, 0.1, way)), wish.pose.rotation);
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static uint64_t hash_of_life(const fr_tasks *tasks) {
    crowd c;
    fr_world_def def = fr_default_world_def();
    require(fr_world_create(&def, &c.world, NULL) == FR_OK, "making a world");
    add_bodies(&c);
    add_joints(&c);
    fr_corrector mover = {"swing", swing, &c};
    require(fr_world_add_mover(c.world, &mover, NULL) == FR_OK, "adding a mover");
    fr_tick_input input = fr_default_tick_input();
    input.tasks = tasks;
    uint64_t hash = 0;
    size_t pairs = 0;
    for (int i = 0; i < TICKS; i++) {
        fr_pose raw = fr_pose_make(fr_vec3_make(0.05 * i, 0, 0), fr_quat_from_vector(fr_vec3_make(0, 0.1 * i, 0)));
        require(fr_world_drag(c.world, c.ids[i % BODIES], &raw, NULL) == FR_OK, "moving by hand");
        require(fr_world_tick(c.world, &input, NULL) == FR_OK, "a tick");
        const fr_snapshot *snapshot = fr_world_snapshot(c.world);
        uint64_t now = fr_snapshot_hash(snapshot);
        hash = fr_hash(&now, sizeof now, hash);
        pairs += snapshot->pair_count;
        fr_snapshot_release(snapshot);
    }
    require(pairs > 1000, "meeting often enough");
    fr_world_destroy(c.world);
    for (int i = 0; i < 3; i++) {
        fr_mesh_release(c.meshes[i]);
    }
    return hash;
}

int main(int argc, char **argv) {
    require_frozen(argc, argv, hash_of_life, FROZEN);
    printf("%d ticks of %d bodies give the same for every instruction set and number of workers\n", TICKS, BODIES);
    return EXIT_SUCCESS;
}
