// The same announcements everywhere: the hashes of a world in which a forecast watches bodies that move and a seeker
// looks for one of them, for each instruction set and 1, 3 and 8 workers, with a value frozen here. It holds for gcc
// and clang, every level of optimisation, x86-64 and aarch64.
//
// A change of a result on purpose changes the frozen value: `live_senses --print` writes the new one.
#include "frozen.h"
#include "mesh_object.h"

#include "fureai/actor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FROZEN UINT64_C(0x9361eb1f250e35de)

enum { BODIES = 14, MOVING = 10, TICKS = 260 };

typedef struct sensed_world {
    fr_world *world;
    fr_cast *cast;
    fr_mesh *meshes[3];
    fr_object_id ids[BODIES];
    fr_motion motions[BODIES]; // of a second
} sensed_world;

static fr_status go(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const sensed_world *w = user;
    for (int i = 0; i < MOVING; i++) {
        fr_motion step = w->motions[i];
        step.start = fr_object_get(proposal->space, w->ids[i])->pose;
        // They turn back every second.
        double side = proposal->tick / 50 % 2 == 0 ? proposal->step : -proposal->step;
        step.travel = fr_vec3_scale(side, step.travel);
        step.turn = fr_vec3_scale(side, step.turn);
        const fr_wish wish = {
            .object = w->ids[i], .kind = FR_WISH_MOTION, .pose = fr_motion_pose(&step, 1.0), .motion = step};
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static fr_vec3 any_vector(fr_random *random, double half) {
    double x = fr_random_between(random, -half, half), y = fr_random_between(random, -half, half);
    return fr_vec3_make(x, y, fr_random_between(random, -half, half));
}

// The last body seeks the one before it.
static void add_bodies(sensed_world *w) {
    static const char *const names[3] = {"shuttle_528", "box", "sphere_168"};
    static const double scales[3] = {0.04, 0.7, 0.3};
    fr_random random = fr_random_seed(11);
    for (int i = 0; i < 3; i++) {
        require(fr_mesh_create_named(names[i], NULL, &w->meshes[i], NULL) == FR_OK, "making a mesh");
    }
    for (int i = 0; i < BODIES; i++) {
        fr_part_def part;
        int kind = i == BODIES - 1 ? 2 : i % 3;
        fr_object_def def = test_mesh_object(w->meshes[kind], &part);
        def.pose.position = any_vector(&random, 1.8);
        if (i == BODIES - 1) { def.pose.position = fr_vec3_make(-4.5, 0.0, 0.0); }
        if (i == BODIES - 2) { def.pose.position = fr_vec3_make(4.5, 0.0, 0.5); }
        def.pose.scale = scales[kind];
        require(fr_object_add(fr_world_space(w->world), &def, &w->ids[i], NULL) == FR_OK, "adding an object");
        w->motions[i] = (fr_motion){.start = def.pose};
        w->motions[i].travel = any_vector(&random, 1.5);
        w->motions[i].turn = any_vector(&random, 2.0);
    }
}

static void add_actors(sensed_world *w) {
    fr_cast_def cast_def = fr_default_cast_def();
    cast_def.world = w->world;
    require(fr_cast_create(&cast_def, &w->cast, NULL) == FR_OK, "making a cast");
    fr_seeker_def seeker_def = fr_default_seeker_def();
    seeker_def.world = w->world;
    seeker_def.object = w->ids[BODIES - 1];
    seeker_def.target = w->ids[BODIES - 2];
    seeker_def.speed = 2.5;
    fr_seeker *seeker;
    require(fr_seeker_create(&seeker_def, &seeker, NULL) == FR_OK, "making a seeker");
    fr_actor actor = fr_seeker_actor(seeker);
    require(fr_cast_add(w->cast, &actor, NULL) == FR_OK, "adding a seeker");
    fr_forecast_def forecast_def = fr_default_forecast_def();
    forecast_def.world = w->world;
    fr_forecast *forecast;
    require(fr_forecast_create(&forecast_def, &forecast, NULL) == FR_OK, "making a forecast");
    actor = fr_forecast_actor(forecast);
    require(fr_cast_add(w->cast, &actor, NULL) == FR_OK, "adding a forecast");
}

static uint64_t hash_of_senses(const fr_tasks *tasks) {
    sensed_world w;
    fr_world_def def = fr_default_world_def();
    def.step = 0.02;
    def.sense = FR_SENSE_CONTINUOUS;
    require(fr_world_create(&def, &w.world, NULL) == FR_OK, "making a world");
    add_bodies(&w);
    const fr_corrector mover = {"go", go, &w};
    require(fr_world_add_mover(w.world, &mover, NULL) == FR_OK, "adding a mover");
    add_actors(&w);
    fr_tick_input input = fr_default_tick_input();
    input.tasks = tasks;
    uint64_t hash = 0;
    size_t announcements = 0;
    for (int i = 0; i < TICKS; i++) {
        require(fr_cast_tick(w.cast, &input, NULL) == FR_OK, "a tick");
        const fr_snapshot *snapshot = fr_world_snapshot(w.world);
        uint64_t now = fr_snapshot_hash(snapshot);
        hash = fr_hash(&now, sizeof now, hash);
        for (size_t k = 0; k < snapshot->event_count; k++) {
            announcements += snapshot->events[k].kind == FR_EVENT_NAMED;
        }
        fr_snapshot_release(snapshot);
    }
    require(announcements > 10, "announcing often enough");
    fr_cast_destroy(w.cast);
    fr_world_destroy(w.world);
    for (int i = 0; i < 3; i++) {
        fr_mesh_release(w.meshes[i]);
    }
    return hash;
}

int main(int argc, char **argv) {
    require_frozen(argc, argv, hash_of_senses, FROZEN);
    printf("%d ticks of %d bodies are announced alike for every instruction set and number of workers\n", TICKS,
           BODIES);
    return EXIT_SUCCESS;
}
