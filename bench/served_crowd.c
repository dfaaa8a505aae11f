#define _DEFAULT_SOURCE // for MAP_ANONYMOUS

#include "served_crowd.h"

#include "fureai/server_redis.h"

#include "walking_body.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PEOPLE_MAX = 100, OBJECTS_MAX = 1100, TICKS_KEPT = 1 << 12 };

struct served_crowd {
    fr_world *world;
    uint32_t people, objects;
    fr_object_id ids[OBJECTS_MAX];
    fr_pose bones[PEOPLE_MAX][WALKER_BONES];
    _Atomic uint64_t tick_ns[TICKS_KEPT]; // when each began
};

served_crowd *served_crowd_create(uint32_t people, uint32_t objects) {
    served_crowd *c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (c == MAP_FAILED) { return NULL; }
    c->people = people < PEOPLE_MAX ? people : PEOPLE_MAX;
    c->objects = objects < OBJECTS_MAX ? objects : OBJECTS_MAX;
    return c;
}

void served_crowd_destroy(served_crowd *crowd) {
    if (crowd != NULL) { (void)munmap(crowd, sizeof *crowd); }
}

static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    served_crowd *c = user;
    fr_status status = FR_OK;
    uint64_t tick = proposal->tick + 1;
    atomic_store(&c->tick_ns[tick % TICKS_KEPT], fr_clock_ns());
    for (uint32_t i = 0; i < c->objects && status == FR_OK; i++) {
        fr_wish wish = {.object = c->ids[i], .kind = FR_WISH_NEXT, .pose = walker_place(i, tick)};
        status = fr_wishes_add(wishes, &wish, error);
        if (status != FR_OK || i >= c->people) { continue; }
        walker_bones(i, tick, WALKER_JOINTS, c->bones[i]);
        status = fr_wishes_bones(wishes, c->ids[i], c->bones[i], WALKER_BONES, error);
    }
    return status;
}

static fr_status add_object(served_crowd *c, uint32_t i, const fr_mesh *ball, const fr_skin *skin, fr_error *error) {
    fr_space *space = fr_world_space(c->world);
    const fr_pose pose = walker_place(i, 0);
    char text[24];
    snprintf(text, sizeof text, "object %u", i);
    const fr_label label = {text, {200, 200, 200, 255}};
    fr_status status = fr_object_add_mesh(space, ball, &pose, &c->ids[i], error);
    if (status == FR_OK) { status = fr_world_set_label(c->world, c->ids[i], &label, error); }
    if (status != FR_OK || i >= c->people) { return status; }
    return fr_object_set_skin(space, c->ids[i], 0, skin, FR_SKIN_LINEAR, error);
}

static fr_status open_crowd(const char *name, fr_served_scene *scene, void *user, fr_error *error) {
    served_crowd *c = user;
    fr_mesh *ball = NULL;
    fr_world_def def = fr_default_world_def();
    def.step = 1.0 / CROWD_TICKS_A_SECOND;
    fr_status status = fr_world_create(&def, &c->world, error);
    if (status == FR_OK) { status = fr_mesh_create_named("sphere_168", NULL, &ball, error); }
    fr_skin *skin = status == FR_OK ? walker_skin(ball) : NULL;
    for (uint32_t i = 0; i < c->objects && status == FR_OK; i++) {
        status = add_object(c, i, ball, skin, error);
    }
    fr_corrector mover = {"crowd", propose, c};
    if (status == FR_OK) { status = fr_world_add_mover(c->world, &mover, error); }
    fr_skin_release(skin);
    fr_mesh_release(ball);
    *scene = (fr_served_scene){.world = c->world, .title = name, .user = c};
    return status;
}

static void close_crowd(fr_served_scene *scene, void *user) {
    (void)user;
    fr_world_destroy(scene->world);
}

fr_scene_provider served_crowd_provider(served_crowd *crowd) {
    return (fr_scene_provider){.first = "crowd", .open = open_crowd, .close = close_crowd, .user = crowd};
}

uint64_t served_crowd_tick_ns(const served_crowd *crowd, uint64_t tick) {
    return atomic_load(&crowd->tick_ns[tick % TICKS_KEPT]);
}

// ---------------------------------------------------------------------------------------------------------------
// Servers

static void *run(void *server) {
    (void)fr_server_run(server, NULL, NULL);
    return NULL;
}

bool served_thread_start(served_thread *thread, const fr_server_def *def) {
    *thread = (served_thread){0};
    thread->is_running = fr_server_create(def, &thread->server, NULL) == FR_OK &&
                         pthread_create(&thread->thread, NULL, run, thread->server) == 0;
    return thread->is_running;
}

void served_thread_stop(served_thread *thread) {
    if (thread->is_running) {
        fr_server_stop(thread->server);
        (void)pthread_join(thread->thread, NULL);
    }
    fr_server_destroy(thread->server);
    *thread = (served_thread){0};
}

static bool is_orphan(void *user) { return getppid() != *(const pid_t *)user; }

static fr_server *own_server; // of this process, where it is one that serves

static void stop_own_server(int number) {
    (void)number;
    if (own_server != NULL) { fr_server_stop(own_server); }
}

static bool reach_redis(const char *url, fr_redis **redis) {
    fr_redis_def def = fr_default_redis_def();
    def.url = url;
    def.timeout_seconds = 10.0;
    return url == NULL || fr_redis_create(&def, redis, NULL) == FR_OK;
}

static int serve(const fr_server_def *given, const char *redis_url, int out, pid_t parent) {
    const fr_control control = {.stop = is_orphan, .user = &parent};
    uint16_t port = 0;
    fr_redis *redis = NULL;
    fr_broadcast broadcast;
    fr_server_def def = *given;
    bool good = reach_redis(redis_url, &redis);
    if (redis != NULL) {
        broadcast = fr_redis_table(redis);
        def.broadcast = &broadcast;
    }
    if (good && fr_server_create(&def, &own_server, NULL) == FR_OK) { port = fr_server_port(own_server); }
    (void)signal(SIGTERM, stop_own_server);
    good = write(out, &port, sizeof port) == sizeof port && port != 0 &&
           fr_server_run(own_server, &control, NULL) == FR_OK;
    fr_server_destroy(own_server);
    fr_redis_destroy(redis);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

bool served_process_start(served_process *process, const fr_server_def *def, const char *redis_url) {
    *process = (served_process){0};
    int ends[2];
    if (pipe(ends) != 0) { return false; }
    (void)fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        close(ends[0]);
        _exit(serve(def, redis_url, ends[1], parent));
    }
    close(ends[1]);
    bool good = child > 0 && read(ends[0], &process->port, sizeof process->port) == sizeof process->port;
    close(ends[0]);
    if (child > 0) { process->process = child; }
    return good && process->port != 0;
}

void served_process_stop(served_process *process) {
    if (process->process == 0) { return; }
    (void)kill(process->process, SIGTERM);
    (void)waitpid(process->process, NULL, 0);
    *process = (served_process){0};
}

// ---------------------------------------------------------------------------------------------------------------
// What a process takes

double bench_processor_seconds(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) { return 0.0; }
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double bench_resident_kb(pid_t process) {
    char path[64], line[256];
    double kb = 0.0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "rb");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0) { kb = atof(line + 6); }
    }
    if (file != NULL) { fclose(file); }
    return kb;
}
