// The same bodies with bones everywhere: the hashes of a world in which skins walk among one another and blocks, for
// each instruction set and 1, 3 and 8 workers, with a value frozen here; and the same hashes again from its record,
// also from one that ends in the middle of a tick, as when the writer is killed, and from there on.
//
// A change of a result on purpose changes the frozen value: `walking_skins --print` tells the new one.
#include "frozen.h"
#include "mesh_object.h"

#include "fureai/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FROZEN UINT64_C(0x1fabf575a0b4c3e0)

enum { BODIES = 6, BLOCKS = 6, BONES = 5, TICKS = 12, MAX_VERTICES = 1024, MAX_BYTES = 1 << 22 };

typedef struct crowd {
    fr_world *world;
    fr_mesh *body, *block;
    fr_skin *skin;
    fr_object_id bodies[BODIES], blocks[BLOCKS];
    fr_pose bones[BODIES][BONES]; // that are wished: they stay until the tick is over
} crowd;

// What a recorder was given, and where each tick ended.
typedef struct written {
    size_t size, ends[TICKS + 1];
    uint64_t hashes[TICKS + 1];
    unsigned char bytes[MAX_BYTES];
} written;

// ---------------------------------------------------------------------------------------------------------------
// Bodies

// A chain of bones along y in a sphere of radius 1: a vertex follows the two that are nearest.
static fr_skin *make_skin(const fr_mesh *mesh) {
    static uint32_t bones[2 * MAX_VERTICES];
    static float weights[2 * MAX_VERTICES];
    static const uint32_t parents[BONES] = {FR_NONE, 0, 1, 2, 3};
    double binds[12 * BONES] = {0.0};
    const fr_mesh_view *view = fr_mesh_get(mesh);
    require(view->vertex_count <= MAX_VERTICES, "room for the vertices");
    for (uint32_t v = 0; v < view->vertex_count; v++) {
        double along = ((double)view->positions_float[3 * v + 1] + 1.0) * 0.5 * (BONES - 1);
        uint32_t low = along < BONES - 2 ? (uint32_t)along : BONES - 2;
        bones[2 * v] = low;
        bones[2 * v + 1] = low + 1;
        weights[2 * v + 1] = (float)(along - low);
        weights[2 * v] = 1.0f - weights[2 * v + 1];
    }
    for (uint32_t b = 0; b < BONES; b++) {
        binds[12 * b] = binds[12 * b + 5] = binds[12 * b + 10] = 1.0;
        binds[12 * b + 7] = 1.0 - 0.5 * b;
    }
    fr_skin_def def = fr_default_skin_def();
    def.mesh = mesh;
    def.vertex_count = view->vertex_count;
    def.bones = bones;
    def.weights = weights;
    def.influence_count = 2;
    def.bone_count = BONES;
    def.inverse_binds = binds;
    def.parents = parents;
    fr_skin *skin = NULL;
    require(fr_skin_create(&def, &skin, NULL) == FR_OK, "making a skin");
    return skin;
}

// Where the bones of a body are: each turns on the one below it.
static void pose_bones(uint64_t tick, int body, fr_pose out[BONES]) {
    for (int b = 0; b < BONES; b++) {
        double angle = 0.2 * fr_sin(0.4 * (double)tick + 1.3 * b + body);
        fr_vec3 turn = fr_vec3_make(angle, 0.3 * angle, b % 2 == 0 ? -angle : angle);
        fr_pose local = fr_pose_make(fr_vec3_make(0.0, b == 0 ? -1.0 : 0.5, 0.0), fr_quat_from_vector(turn));
        local.scale = 1.0 + 0.1 * angle;
        out[b] = b == 0 ? local : fr_pose_compose(&out[b - 1], &local);
    }
}

static fr_status walk(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    crowd *c = user;
    for (int i = 0; i < BODIES; i++) {
        pose_bones(proposal->tick + 1, i, c->bones[i]);
        fr_wish wish = {.object = c->bodies[i], .kind = FR_WISH_NEXT};
        wish.pose = fr_object_get(proposal->space, wish.object)->pose;
        double ahead = 0.05 * fr_sin(0.3 * (double)(proposal->tick + (uint64_t)i));
        wish.pose.position = fr_vec3_add(wish.pose.position, fr_vec3_make(ahead, 0.0, 0.5 * ahead));
        wish.pose.rotation = fr_quat_multiply(fr_quat_from_vector(fr_vec3_make(0, ahead, 0)), wish.pose.rotation);
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status == FR_OK) { status = fr_wishes_bones(wishes, c->bodies[i], c->bones[i], BONES, error); }
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static void open_crowd(crowd *c) {
    fr_world_def def = fr_default_world_def();
    def.sense = FR_SENSE_CONTINUOUS;
    def.want = FR_WANT_INTERVALS;
    require(fr_world_create(&def, &c->world, NULL) == FR_OK, "making a world");
    require(fr_mesh_create_named("sphere_528", NULL, &c->body, NULL) == FR_OK, "making a body");
    require(fr_mesh_create_named("box", NULL, &c->block, NULL) == FR_OK, "making a block");
    c->skin = make_skin(c->body);
    fr_space *space = fr_world_space(c->world);
    fr_random random = fr_random_seed(24);
    for (int i = 0; i < BODIES + BLOCKS; i++) {
        bool is_body = i < BODIES;
        fr_part_def part;
        fr_object_def object = test_mesh_object(is_body ? c->body : c->block, &part);
        double x = fr_random_between(&random, -2, 2), z = fr_random_between(&random, -2, 2);
        object.pose.position = fr_vec3_make(x, 0.0, z);
        object.pose.scale = is_body ? 1.0 : 0.5;
        fr_object_id *id = is_body ? &c->bodies[i] : &c->blocks[i - BODIES];
        require(fr_object_add(space, &object, id, NULL) == FR_OK, "adding an object");
        if (!is_body) { continue; }
        fr_pose bones[BONES];
        pose_bones(0, i, bones);
        fr_skin_method method = i % 3 == 2 ? FR_SKIN_DUAL_QUATERNIONS : FR_SKIN_LINEAR;
        require(fr_object_set_skin(space, *id, 0, c->skin, method, NULL) == FR_OK, "setting a skin");
        require(fr_object_set_bones(space, *id, bones, BONES, NULL) == FR_OK, "setting bones");
    }
}

static void close_crowd(crowd *c) {
    fr_world_destroy(c->world);
    fr_skin_release(c->skin);
    fr_mesh_release(c->body);
    fr_mesh_release(c->block);
}

// ---------------------------------------------------------------------------------------------------------------
// Ticks

// One tick, with a block in a hand; returns the hash of its snapshot.
static uint64_t tick(const crowd *c, uint64_t number, const fr_tasks *tasks, size_t *pairs) {
    fr_tick_input input = fr_default_tick_input();
    input.tasks = tasks;
    fr_pose raw = fr_pose_make(fr_vec3_make(0.1 * (double)number - 1.0, 0.1, 0.0), fr_quat_identity());
    raw.scale = 0.5;
    require(fr_world_drag(c->world, c->blocks[0], &raw, NULL) == FR_OK, "moving by hand");
    require(fr_world_tick(c->world, &input, NULL) == FR_OK, "a tick");
    const fr_snapshot *snapshot = fr_world_snapshot(c->world);
    uint64_t hash = fr_snapshot_hash(snapshot);
    *pairs += snapshot->pair_count;
    fr_snapshot_release(snapshot);
    return hash;
}

static void keep(const void *bytes, size_t size, void *context) {
    written *w = context;
    require(w->size + size <= MAX_BYTES, "room for the record");
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

static void record_walk(const fr_tasks *tasks, written *w) {
    crowd c;
    size_t pairs = 0;
    open_crowd(&c);
    fr_corrector mover = {"walk", walk, &c};
    require(fr_world_add_mover(c.world, &mover, NULL) == FR_OK, "adding a mover");
    w->size = 0;
    require(fr_world_record(c.world, keep, w, NULL) == FR_OK, "recording");
    w->ends[0] = w->size;
    for (int i = 0; i < TICKS; i++) {
        w->hashes[i + 1] = tick(&c, (uint64_t)i, tasks, &pairs);
        w->ends[i + 1] = w->size;
    }
    require(pairs > 1000, "meeting often enough");
    require(w->size - w->ends[0] < TICKS * BODIES * BONES * 120, "bones in the record, not vertices");
    close_crowd(&c);
}

typedef struct replayed {
    const written *w;
    int ticks, last; // taken, and after which it ends
} replayed;

static bool compare_tick(fr_world *world, void *context) {
    replayed *r = context;
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    require(fr_snapshot_hash(snapshot) == r->w->hashes[++r->ticks], "the hash of a tick again");
    fr_snapshot_release(snapshot);
    return r->ticks < r->last;
}

// How many ticks of what was written up to `size` can be replayed; all have their hashes.
static int count_whole(const fr_tasks *tasks, const written *w, size_t size) {
    fr_world_def def = fr_default_world_def();
    fr_world *world;
    require(fr_world_create(&def, &world, NULL) == FR_OK, "making a world");
    replayed r = {w, 0, TICKS};
    fr_replay_input input = {.tasks = tasks, .ticked = compare_tick, .context = &r};
    fr_status status = fr_world_replay(world, w->bytes, size, &input, NULL);
    require(size < w->size || status == FR_OK, "replaying");
    require(fr_space_validate(fr_world_space(world), NULL), "a space that is whole");
    fr_world_destroy(world);
    return r.ticks;
}

// Replays what was written up to `size`, where `whole` ticks were whole, and goes on from the last of these.
static void replay_walk(const fr_tasks *tasks, const written *w, size_t size, int whole) {
    crowd c;
    size_t pairs = 0;
    open_crowd(&c);
    fr_world *first = c.world;
    fr_world_def def = fr_default_world_def();
    require(fr_world_create(&def, &c.world, NULL) == FR_OK, "making a world");
    fr_world_destroy(first);
    require(count_whole(tasks, w, size) == whole, "every whole tick");
    replayed r = {w, 0, whole};
    fr_replay_input input = {.tasks = tasks, .ticked = compare_tick, .context = &r};
    require(fr_world_replay(c.world, w->bytes, size, &input, NULL) == FR_OK, "replaying what is whole");
    for (int i = 0; i < BODIES + BLOCKS; i++) {
        fr_object_id id = fr_space_object_at(fr_world_space(c.world), (uint32_t)i);
        *(i < BODIES ? &c.bodies[i] : &c.blocks[i - BODIES]) = id;
    }
    fr_corrector mover = {"walk", walk, &c};
    require(fr_world_add_mover(c.world, &mover, NULL) == FR_OK, "adding a mover");
    for (int i = whole; i < TICKS; i++) {
        require(tick(&c, (uint64_t)i, tasks, &pairs) == w->hashes[i + 1], "going on after a replay");
    }
    close_crowd(&c);
}

static uint64_t hash_of_walk(const fr_tasks *tasks) {
    static written w;
    record_walk(tasks, &w);
    replay_walk(tasks, &w, w.size, TICKS);
    for (int k = 3; k < TICKS; k += 5) {
        size_t middle = w.ends[k] + (w.ends[k + 1] - w.ends[k]) / 2;
        replay_walk(tasks, &w, k % 2 == 0 ? middle : w.ends[k + 1] - 1, k);
    }
    return fr_hash(w.hashes + 1, TICKS * sizeof w.hashes[0], 0);
}

int main(int argc, char **argv) {
    require_frozen(argc, argv, hash_of_walk, FROZEN);
    printf("%d ticks of %d bodies of %d bones give the same for every instruction set, number of workers and replay\n",
           TICKS, BODIES, BONES);
    return EXIT_SUCCESS;
}
