// The loop of a force pen while a world of 1,000 bodies ticks a hundred times a second: how long a tick of the loop
// takes the processor, the simulated pen included, and how late it comes.
#include "bench.h"

#include "fureai/devices.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef struct room {
    fr_world *world;
    fr_cast *cast;
    fr_mesh *mesh;
    fr_simulated_pen *device;
    fr_simulated_wander hand;
    fr_haptic_loop *loop;
    fr_object_id *ids;
    size_t count;
} room;

static void close_room(room *r) {
    fr_haptic_loop_stop(r->loop);
    fr_cast_destroy(r->cast);
    fr_world_destroy(r->world);
    fr_mesh_release(r->mesh);
    fr_haptic_loop_destroy(r->loop);
    fr_simulated_pen_destroy(r->device);
    free(r->ids);
}

// Bodies that sway about their places; one of them is under the pen and stands.
static fr_status sway(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    const room *r = user;
    for (size_t i = 1; i < r->count; i++) {
        fr_wish wish = {.object = r->ids[i], .kind = FR_WISH_NEXT};
        wish.pose = fr_object_get(proposal->space, r->ids[i])->pose;
        wish.pose.position.x += (proposal->tick + i) % 20 < 10 ? 1e-3 : -1e-3;
        fr_status status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static bool add_bodies(room *r) {
    fr_random random = fr_random_seed(1);
    for (size_t i = 0; i < r->count; i++) {
        fr_part_def part = fr_default_part_def();
        part.mesh = r->mesh;
        fr_object_def def = fr_default_object_def();
        def.parts = &part;
        def.part_count = 1;
        def.pose.scale = i == 0 ? 0.1 : 0.02; // metres: radius
        double x = fr_random_between(&random, 0.2, 3.0), y = fr_random_between(&random, 0.0, 2.0);
        def.pose.position = fr_vec3_make(x, y, fr_random_between(&random, 0.0, 3.0));
        if (i == 0) { def.pose.position = fr_vec3_make(0.0, -0.11, 0.0); }
        if (fr_object_add(fr_world_space(r->world), &def, &r->ids[i], NULL) != FR_OK) { return false; }
    }
    return true;
}

static bool open_pen(room *r) {
    fr_simulated_pen_def device = fr_default_simulated_pen_def();
    r->hand =
        (fr_simulated_wander){.centre = {0.0, -0.01, 0.0}, .reach = {0.03, 0.02, 0.03}, .seconds = 0.3, .seed = 1};
    device.is_real_time = true;
    device.wish = fr_simulated_wander_wish;
    device.wish_user = &r->hand;
    fr_haptic_loop_def loop = fr_default_haptic_loop_def();
    if (fr_simulated_pen_create(&device, &r->device, NULL) != FR_OK) { return false; }
    loop.device = fr_simulated_pen_device(r->device);
    if (fr_haptic_loop_create(&loop, &r->loop, NULL) != FR_OK) { return false; }
    fr_pen_def def = fr_default_pen_def();
    def.device = fr_haptic_loop_pen(r->loop);
    def.cast = r->cast;
    fr_pen *pen;
    if (fr_pen_create(&def, &pen, NULL) != FR_OK) { return false; }
    const fr_actor actor = fr_pen_actor(pen);
    return fr_cast_add(r->cast, &actor, NULL) == FR_OK && fr_haptic_loop_start(r->loop, NULL) == FR_OK;
}

static bool open_room(room *r, size_t count) {
    *r = (room){.count = count, .ids = calloc(count, sizeof *r->ids)};
    fr_world_def world = fr_default_world_def();
    fr_cast_def cast = fr_default_cast_def();
    bool is_open = r->ids != NULL && fr_world_create(&world, &r->world, NULL) == FR_OK &&
                   fr_mesh_create_named("sphere_168", NULL, &r->mesh, NULL) == FR_OK && add_bodies(r);
    cast.world = r->world;
    is_open = is_open && fr_cast_create(&cast, &r->cast, NULL) == FR_OK;
    const fr_actor mover = {.name = "sway", .move = sway, .user = r};
    return is_open && fr_cast_add(r->cast, &mover, NULL) == FR_OK && open_pen(r);
}

// A sample is a second of the world, which waits for the clock between ticks.
static void carry_on(bench *b) {
    room r;
    size_t ticks = bench_size(b, 5, 100);
    if (!open_room(&r, bench_size(b, 20, 1000))) {
        bench_skip(b, "no memory for the room, or no thread for the loop");
        return;
    }
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    double world_ms = 0.0;
    while (bench_repeat(b)) {
        for (size_t i = 0; i < ticks; i++) {
            uint64_t begin = fr_clock_ns();
            (void)fr_cast_tick(r.cast, NULL, NULL);
            world_ms = fmax(world_ms, fr_clock_ms_since(begin));
            due.tv_nsec += 10000000;
            if (due.tv_nsec >= 1000000000) {
                due.tv_nsec -= 1000000000;
                due.tv_sec++;
            }
            (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        }
    }
    fr_haptic_loop_stop(r.loop);
    const fr_haptic_report *report = fr_haptic_loop_report(r.loop);
    bench_count(b, "loop_cpu_us_median", 1e6 * fr_haptic_times_share(&report->cpu, 0.5));
    bench_count(b, "loop_cpu_us_p99.9", 1e6 * fr_haptic_times_share(&report->cpu, 0.999));
    bench_count(b, "loop_late_us_p99.9", 1e6 * fr_haptic_times_share(&report->late, 0.999));
    bench_count(b, "force_max_mN", 1e3 * report->force_max);
    bench_count(b, "energy_max_uJ", 1e6 * report->energy_max);
    bench_count(b, "world_ms_max", world_ms);
    close_room(&r);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {{"pen in a world", carry_on}};
    return bench_main(argc, argv, "fureai", "haptic", cases, sizeof cases / sizeof cases[0]);
}
