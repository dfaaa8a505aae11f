// What a forecast costs a tick: bodies that turn, watched a second ahead, among others that stand or go.
#include "bench.h"

#include "fureai/actor.h"

#include <stdlib.h>

typedef struct watched_world {
    fr_world *world;
    fr_cast *cast;
    fr_mesh *mesh;
    fr_object_id *ids;
    fr_motion *motions; // of a second, from time 0
    size_t count, turning;
    bool do_others_move;
} watched_world;

static fr_status go(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const watched_world *w = user;
    size_t moving = w->do_others_move ? w->count : w->turning;
    for (size_t i = 0; i < moving; i++) {
        fr_wish wish = {.object = w->ids[i], .kind = FR_WISH_MOTION, .motion = w->motions[i]};
        wish.motion.start = fr_object_get(proposal->space, w->ids[i])->pose;
        wish.motion.travel = fr_vec3_scale(proposal->step, wish.motion.travel);
        wish.motion.turn = fr_vec3_scale(proposal->step, wish.motion.turn);
        wish.pose = fr_motion_pose(&w->motions[i], (double)(proposal->tick + 1) * proposal->step);
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static void close_world(watched_world *w) {
    fr_cast_destroy(w->cast);
    fr_world_destroy(w->world);
    fr_mesh_release(w->mesh);
    free(w->ids);
    free(w->motions);
}

// Bodies of 168 triangles and radius 1, about 5 metres apart; those that turn do so about points 2 metres beside them.
static bool add_bodies(watched_world *w) {
    fr_random random = fr_random_seed(1);
    double side = 5.0 * cbrt((double)w->count);
    for (size_t i = 0; i < w->count; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = w->mesh;
        fr_object_def def = fr_default_object_def();
        def.parts = &part;
        def.part_count = 1;
        def.pose.position.x = fr_random_between(&random, 0, side);
        def.pose.position.y = fr_random_between(&random, 0, side);
        def.pose.position.z = fr_random_between(&random, 0, side);
        if (fr_object_add(fr_world_space(w->world), &def, &w->ids[i], NULL) != FR_OK) { return false; }
        w->motions[i] = (fr_motion){.start = def.pose};
        if (i < w->turning) {
            w->motions[i].pivot_local = fr_vec3_make(2.0, 0.0, 0.0);
            w->motions[i].turn = fr_vec3_make(0.0, fr_random_between(&random, 1.0, 3.0), 0.0);
        } else {
            w->motions[i].travel = fr_vec3_make(0.0, 0.0, fr_random_between(&random, -1.0, 1.0));
        }
    }
    return true;
}

static bool add_forecast(watched_world *w) {
    fr_forecast_object *objects = calloc(w->turning, sizeof *objects);
    fr_cast_def cast_def = fr_default_cast_def();
    cast_def.world = w->world;
    if (objects == NULL || fr_cast_create(&cast_def, &w->cast, NULL) != FR_OK) {
        free(objects);
        return false;
    }
    for (size_t i = 0; i < w->turning; i++) {
        objects[i] = (fr_forecast_object){w->ids[i], 1.0};
    }
    fr_forecast_def def = fr_default_forecast_def();
    def.world = w->world;
    def.objects = objects;
    def.object_count = (uint32_t)w->turning;
    fr_forecast *forecast;
    fr_status status = fr_forecast_create(&def, &forecast, NULL);
    free(objects);
    if (status != FR_OK) { return false; }
    const fr_actor actor = fr_forecast_actor(forecast);
    return fr_cast_add(w->cast, &actor, NULL) == FR_OK;
}

static void run(bench *b, bool do_others_move, bool has_forecast) {
    watched_world w = {.count = bench_size(b, 100, 1000), .turning = bench_size(b, 10, 100)};
    w.do_others_move = do_others_move;
    w.ids = malloc(w.count * sizeof *w.ids);
    w.motions = malloc(w.count * sizeof *w.motions);
    fr_world_def def = fr_default_world_def();
    def.want = FR_WANT_PAIRS;
    const fr_corrector mover = {"go", go, &w};
    bool good = w.ids != NULL && w.motions != NULL &&
                fr_mesh_create_named("sphere_168", NULL, &w.mesh, NULL) == FR_OK &&
                fr_world_create(&def, &w.world, NULL) == FR_OK && add_bodies(&w) &&
                fr_world_add_mover(w.world, &mover, NULL) == FR_OK && (!has_forecast || add_forecast(&w));
    if (!good) {
        close_world(&w);
        bench_skip(b, "out of memory");
        return;
    }
    double events = 0.0, ticks = 0.0, us_correctors = 0.0;
    while (bench_repeat(b)) {
        (void)fr_world_tick(w.world, NULL, NULL);
        bench_pause(b);
        const fr_snapshot *snapshot = fr_world_snapshot(w.world);
        for (size_t k = 0; k < snapshot->event_count; k++) {
            events += snapshot->events[k].kind == FR_EVENT_NAMED;
        }
        us_correctors += 1e3 * snapshot->stats.ms_correctors;
        ticks += 1.0;
        fr_snapshot_release(snapshot);
    }
    bench_count(b, "events_a_second", 100.0 * events / ticks);
    bench_count(b, "us_correctors", us_correctors / ticks);
    bench_items(b, (double)w.turning);
    close_world(&w);
}

static void run_none_standing(bench *b) { run(b, false, false); }
static void run_standing(bench *b) { run(b, false, true); }
static void run_none_moving(bench *b) { run(b, true, false); }
static void run_moving(bench *b) { run(b, true, true); }

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"tick, 100 turn, 900 stand", run_none_standing},
        {"forecast, 100 turn, 900 stand", run_standing},
        {"tick, 100 turn, 900 go", run_none_moving},
        {"forecast, 100 turn, 900 go", run_moving},
    };
    return bench_main(argc, argv, "fureai", "forecast", cases, sizeof cases / sizeof cases[0]);
}
