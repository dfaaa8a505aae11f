// What surfaces let a body do: a hall of furniture from scratch, and after one chair moved. What objects afford by
// their states: one tick of many state machines. Goals: the chain of motions alone, and the tick of a world in which it
// is searched with places and reaches.
#include "bench.h"

#include "fureai/act.h"
#include "fureai/human_surface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 8 };

// A box whose sides are cut into n x n squares, at a place of the object.
typedef struct board {
    fr_vec3 size, at;
} board;

// One side of a box: (n + 1)^2 points, 2 n^2 triangles.
static void add_side(float *positions, uint32_t *triangles, uint32_t side, uint32_t n, fr_vec3 half) {
    uint32_t first = side * (n + 1) * (n + 1), axis = side / 2;
    double sign = side % 2 == 0 ? 1.0 : -1.0, h[3] = {half.x, half.y, half.z};
    for (uint32_t i = 0; i <= n; i++) {
        for (uint32_t k = 0; k <= n; k++) {
            float *p = positions + 3 * (size_t)(first + i * (n + 1) + k);
            double u = 2.0 * i / n - 1.0, v = sign * (2.0 * k / n - 1.0);
            p[axis] = (float)(sign * h[axis]);
            p[(axis + 1) % 3] = (float)(u * h[(axis + 1) % 3]);
            p[(axis + 2) % 3] = (float)(v * h[(axis + 2) % 3]);
        }
    }
    for (uint32_t i = 0; i < n * n; i++) {
        uint32_t a = first + i / n * (n + 1) + i % n, b = a + n + 1;
        uint32_t *t = triangles + 6 * (size_t)(side * n * n + i);
        const uint32_t corners[6] = {a, b, b + 1, a, b + 1, a + 1};
        for (int k = 0; k < 6; k++) {
            t[k] = corners[k];
        }
    }
}

static fr_mesh *make_board(fr_vec3 size, uint32_t n) {
    size_t points = 6 * (size_t)(n + 1) * (n + 1), count = 12 * (size_t)n * n;
    float *positions = calloc(3 * points, sizeof *positions);
    uint32_t *triangles = calloc(3 * count, sizeof *triangles);
    fr_mesh *mesh = NULL;
    if (positions != NULL && triangles != NULL) {
        for (uint32_t side = 0; side < 6; side++) {
            add_side(positions, triangles, side, n, fr_vec3_scale(0.5, size));
        }
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_float = positions;
        def.vertex_count = (uint32_t)points;
        def.triangles = triangles;
        def.triangle_count = (uint32_t)count;
        if (fr_mesh_create(&def, &mesh, NULL) != FR_OK) { mesh = NULL; }
    }
    free(positions);
    free(triangles);
    return mesh;
}

static bool add_piece(fr_space *space, const board *boards, uint32_t count, uint32_t n, fr_pose pose,
                      fr_object_id *out) {
    fr_part_def parts[PARTS_MAX];
    bool is_whole = true;
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = fr_default_part_def();
        parts[i].mesh = make_board(boards[i].size, n);
        parts[i].pose.position = boards[i].at;
        is_whole = is_whole && parts[i].mesh != NULL;
    }
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = count;
    def.pose = pose;
    is_whole = is_whole && fr_object_add(space, &def, out, NULL) == FR_OK;
    for (uint32_t i = 0; i < count; i++) {
        fr_mesh_release(parts[i].mesh);
    }
    return is_whole;
}

static const board table[] = {
    {{1.4, 0.03, 0.8}, {0, 0.735, 0}},          {{0.05, 0.72, 0.05}, {0.65, 0.36, 0.35}},
    {{0.05, 0.72, 0.05}, {-0.65, 0.36, 0.35}},  {{0.05, 0.72, 0.05}, {0.65, 0.36, -0.35}},
    {{0.05, 0.72, 0.05}, {-0.65, 0.36, -0.35}},
};
static const board chair[] = {
    {{0.44, 0.04, 0.42}, {0, 0.43, 0}},         {{0.44, 0.45, 0.03}, {0, 0.69, -0.19}},
    {{0.04, 0.41, 0.04}, {0.19, 0.205, 0.18}},  {{0.04, 0.41, 0.04}, {-0.19, 0.205, 0.18}},
    {{0.04, 0.41, 0.04}, {0.19, 0.205, -0.18}}, {{0.04, 0.41, 0.04}, {-0.19, 0.205, -0.18}},
};
static const board shelf[] = {
    {{0.02, 1.8, 0.3}, {0.5, 0.9, 0}}, {{0.02, 1.8, 0.3}, {-0.5, 0.9, 0}}, {{0.98, 0.02, 0.3}, {0, 0.2, 0}},
    {{0.98, 0.02, 0.3}, {0, 0.6, 0}},  {{0.98, 0.02, 0.3}, {0, 1.0, 0}},   {{0.98, 0.02, 0.3}, {0, 1.4, 0}},
    {{0.98, 0.02, 0.3}, {0, 1.79, 0}},
};
static const board hall[] = {
    {{24, 0.1, 18}, {0, -0.05, 0}},
    {{24, 3, 0.1}, {0, 1.5, 9.05}},
    {{24, 3, 0.1}, {0, 1.5, -9.05}},
    {{0.1, 3, 18}, {12.05, 1.5, 0}},
};

typedef struct room {
    fr_space *space;
    fr_object_id moved; // a chair
    fr_task_pool *pool;
    fr_tasks tasks;
} room;

static fr_pose at(double x, double z, double heading) {
    return fr_pose_make(fr_vec3_make(x, 0.0, z), fr_quat_from_vector(fr_vec3_make(0.0, heading, 0.0)));
}

// 30 tables, 70 chairs and 19 shelves in a hall of 24 x 18 m; no two share a mesh.
static bool fill(bench *b, room *r) {
    uint32_t fine = (uint32_t)bench_size(b, 1, 6), coarse = (uint32_t)bench_size(b, 1, 4);
    fr_random random = fr_random_seed(29);
    fr_object_id id;
    bool is_full = add_piece(r->space, hall, 4, 1, fr_pose_identity(), &id);
    for (int i = 0; i < 30 && is_full; i++) {
        double x = -9.5 + 3.7 * (i % 6), z = -7.0 + 3.4 * (i / 6);
        is_full = add_piece(r->space, table, 5, fine, at(x, z, fr_random_between(&random, -0.2, 0.2)), &id);
        int chairs = i < 10 ? 3 : 2;
        for (int k = 0; k < chairs && is_full; k++) {
            double off = k == 2 ? 0.0 : 0.95, side = k == 2 ? 1.4 : 0.0, sign = k == 1 ? 1.0 : -1.0;
            double away = fr_random_between(&random, 0.0, 0.2);
            fr_pose pose = at(x + side, z + sign * off + (k == 2 ? 0.0 : sign * away), k == 1 ? FR_PI : 0.0);
            is_full = add_piece(r->space, chair, 6, coarse, pose, i == 14 ? &r->moved : &id);
        }
    }
    for (int i = 0; i < 19 && is_full; i++) {
        is_full = add_piece(r->space, shelf, 7, fine,
                            at(-11.0 + 1.5 * (i % 15), i < 15 ? 8.7 : -8.7, i < 15 ? FR_PI : 0.0), &id);
    }
    return is_full && fr_space_update(r->space, NULL, NULL) == FR_OK;
}

static void free_room(room *r) {
    fr_space_destroy(r->space);
    fr_task_pool_destroy(r->pool);
}

static bool make_room(bench *b, room *r) {
    *r = (room){0};
    fr_space_def def = fr_default_space_def();
    fr_task_pool_def pool = fr_default_task_pool_def();
    pool.worker_count = bench_threads(b);
    bool is_made = fr_space_create(&def, &r->space, NULL) == FR_OK && fill(b, r) &&
                   fr_task_pool_create(&pool, &r->pool, NULL) == FR_OK;
    if (is_made) { r->tasks = fr_task_pool_tasks(r->pool); }
    if (!is_made) { bench_skip(b, "out of memory"); }
    return is_made;
}

static fr_surfaces *open_surfaces(void) {
    fr_surfaces_def def = fr_default_surfaces_def();
    fr_surfaces *surfaces = NULL;
    return fr_surfaces_create(&def, &surfaces, NULL) == FR_OK ? surfaces : NULL;
}

static void note(bench *b, const fr_surfaces *surfaces) {
    fr_surfaces_stats stats = fr_surfaces_get_stats(surfaces);
    bench_count(b, "faces", stats.triangles);
    bench_count(b, "surfaces", stats.count);
    bench_count(b, "looked_at", stats.looked_at);
    bench_count(b, "bytes_a_face", (double)stats.bytes / stats.triangles);
}

static void run_hall(bench *b) {
    room r;
    if (make_room(b, &r)) {
        fr_surfaces_input input = fr_default_surfaces_input();
        input.space = r.space;
        input.tasks = &r.tasks;
        while (bench_repeat(b)) {
            fr_surfaces *surfaces = open_surfaces();
            if (surfaces == NULL || fr_surfaces_update(surfaces, &input, NULL) != FR_OK) {
                bench_skip(b, "out of memory");
            }
            bench_pause(b);
            if (surfaces != NULL) { note(b, surfaces); }
            fr_surfaces_destroy(surfaces);
        }
    }
    free_room(&r);
}

// The chair goes to and fro by 5 cm.
static void run_moved(bench *b) {
    room r;
    fr_surfaces *surfaces = open_surfaces();
    if (make_room(b, &r) && surfaces != NULL) {
        fr_surfaces_input input = fr_default_surfaces_input();
        input.space = r.space;
        input.tasks = &r.tasks;
        (void)fr_surfaces_update(surfaces, &input, NULL);
        fr_pose pose = fr_object_get(r.space, r.moved)->pose;
        double step = 0.05;
        pose.position.x += step;
        (void)fr_object_set_pose(r.space, r.moved, &pose, NULL);
        (void)fr_space_update(r.space, NULL, NULL);
        while (bench_repeat(b)) {
            (void)fr_surfaces_update(surfaces, &input, NULL);
            bench_pause(b);
            note(b, surfaces);
            step = -step;
            pose.position.x += step;
            (void)fr_object_set_pose(r.space, r.moved, &pose, NULL);
            (void)fr_space_update(r.space, NULL, NULL);
        }
    }
    fr_surfaces_destroy(surfaces);
    free_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// State machines

enum { MACHINES = 200, STATES = 10, REFERENCES = 2 };

// Each state waits for an event, a time, a limit, another object's state, and for a tool that comes near.
static fr_class *make_machine(void) {
    char text[1 << 14];
    size_t size = (size_t)snprintf(text, sizeof text,
                                   "{\"fureai\":1,\"shapes\":[\"a.obj\"],\"frames\":[{\"name\":\"axis\",\"position\":"
                                   "[0,0,0]}],\"states\":[");
    for (int i = 0; i < STATES; i++) {
        size += (size_t)snprintf(
            text + size, sizeof text - size,
            "%s{\"name\":\"s%d\",\"affords\":[],\"transitions\":[{\"on\":{\"event\":\"turn\"},\"to\":\"s%d\"},"
            "{\"on\":{\"seconds\":1e9},\"to\":\"s0\"},{\"on\":{\"limit\":\"max\"},\"to\":\"s0\"},"
            "{\"on\":{\"state\":\"s9\",\"of\":\"near*\"},\"to\":\"s0\"},{\"when\":{\"all\":[{\"dist\":[{\"frame\":"
            "\"axis\"},{\"object\":\"tool\",\"frame\":\"axis\"}],\"below\":0.01,\"within_deg\":10},{\"state\":\"s1\","
            "\"of\":\"near*\"}]},\"to\":\"s0\"}]}",
            i > 0 ? "," : "", i, (i + 1) % STATES);
    }
    (void)snprintf(text + size, sizeof text - size, "]}");
    fr_class *c = NULL;
    return fr_class_read(text, strlen(text), NULL, &c, NULL) == FR_OK ? c : NULL;
}

static void run_states(bench *b) {
    static fr_machine_object objects[MACHINES];
    static uint32_t lists[MACHINES][5];
    static fr_machine_targets targets[MACHINES][REFERENCES];
    static fr_machine_event events[20];
    fr_class *c = make_machine();
    fr_arena *arena = NULL;
    if (c == NULL || fr_arena_create(1 << 16, NULL, &arena, NULL) != FR_OK) {
        bench_skip(b, "out of memory");
        fr_class_release(c);
        return;
    }
    for (uint32_t i = 0; i < MACHINES; i++) {
        uint32_t first = i < MACHINES - 4 ? i : MACHINES - 4;
        for (uint32_t k = 0; k < 4; k++) {
            lists[i][k] = first + k;
        }
        lists[i][4] = 0;
        targets[i][0] = (fr_machine_targets){lists[i], 4};
        targets[i][1] = (fr_machine_targets){&lists[i][4], 1};
        objects[i] = (fr_machine_object){.c = fr_class_get(c),
                                         .state = i % STATES,
                                         .value = 0.5,
                                         .high = 1.0,
                                         .pose = at(1.0 + i, 0.0, 0.0),
                                         .references = targets[i]};
    }
    for (uint32_t i = 0; i < 20; i++) {
        events[i] = (fr_machine_event){FR_MACHINE_NAMED, i % 2 == 0 ? "turn" : "press", 10 * i, FR_NONE};
    }
    fr_machines_input input = fr_default_machines_input();
    input.objects = objects;
    input.object_count = MACHINES;
    input.events = events;
    input.event_count = 20;
    input.arena = arena;
    fr_machines_output out = {0};
    while (bench_repeat(b)) {
        fr_arena_reset(arena);
        (void)fr_machines_evaluate(&input, &out, NULL);
    }
    bench_count(b, "machines", MACHINES);
    bench_count(b, "transitions", out.step_count);
    fr_arena_destroy(arena);
    fr_class_release(c);
}

typedef struct machine_world {
    fr_world *world;
    fr_cast *cast;
    fr_mechanism *mechanism;
} machine_world;

static bool fill_world(machine_world *w, const fr_class *c) {
    fr_world_def world = fr_default_world_def();
    fr_cast_def cast = fr_default_cast_def();
    fr_mechanism_def def = fr_default_mechanism_def();
    if (fr_world_create(&world, &w->world, NULL) != FR_OK) { return false; }
    cast.world = w->world;
    if (fr_cast_create(&cast, &w->cast, NULL) != FR_OK) { return false; }
    def.cast = w->cast;
    if (fr_mechanism_create(&def, &w->mechanism, NULL) != FR_OK) { return false; }
    const board piece = {{0.1, 0.1, 0.1}, {0, 0, 0}};
    bool is_full = true;
    for (int i = 0; i < MACHINES && is_full; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, i == 0 ? "tool" : i < 5 ? "near%d" : "far%d", i);
        fr_label label = fr_default_label();
        label.name = name;
        fr_object_id id;
        is_full = add_piece(fr_world_space(w->world), &piece, 1, 1, at(1.0 + i, 0.0, 0.0), &id) &&
                  fr_world_set_label(w->world, id, &label, NULL) == FR_OK &&
                  fr_mechanism_set_class(w->mechanism, id, c, NULL) == FR_OK;
    }
    return is_full && fr_cast_tick(w->cast, NULL, NULL) == FR_OK;
}

// What a tick of a world pays for its objects' states while nothing happens.
static void run_mechanism(bench *b) {
    machine_world w = {0};
    fr_class *c = make_machine();
    if (c != NULL && fill_world(&w, c)) {
        const fr_actor actor = fr_mechanism_actor(w.mechanism);
        (void)actor.prepare(actor.user, NULL);
        while (bench_repeat(b)) {
            (void)actor.prepare(actor.user, NULL);
        }
        bench_count(b, "machines", fr_mechanism_count(w.mechanism));
    } else {
        bench_skip(b, "out of memory");
    }
    fr_mechanism_destroy(w.mechanism);
    fr_cast_destroy(w.cast);
    fr_world_destroy(w.world);
    fr_class_release(c);
}

// ---------------------------------------------------------------------------------------------------------------
// A goal

// A cover that one nut holds: the wrench is taken, the nut turned three times, the cover taken off, the wrench put
// down.
static const char workshop[] = "{\"fureai\":1,\"step\":0.02,\"objects\":[{\"name\":\"floor\",\"class\":\"floor\"},"
                               "{\"name\":\"machine\",\"class\":\"machine\",\"position\":[0,0,1]},"
                               "{\"name\":\"cover\",\"class\":\"cover\",\"position\":[0,0.85,1]},"
                               "{\"name\":\"nut1\",\"class\":\"nut\",\"position\":[-0.13,0.869,0.89]},"
                               "{\"name\":\"wrench\",\"class\":\"wrench\",\"position\":[0.05,0.906,0.83]}],"
                               "\"people\":[{\"name\":\"Aya\",\"position\":[-1.5,0,-0.5],\"detail\":\"coarse\"}]}";

typedef struct goal_world {
    fr_library *library;
    fr_scene *scene;
    fr_world *world;
    fr_cast *cast;
    fr_director *director;
} goal_world;

static bool open_goal(goal_world *w) {
    fr_scene_read_input reading = fr_default_scene_read_input();
    fr_scene_build_input building = fr_default_scene_build_input();
    fr_director_def directing = fr_default_director_def();
    if (fr_library_open(OBJECT_FOLDER, NULL, &w->library, NULL) != FR_OK) { return false; }
    reading.classes = building.classes = fr_library_classes(w->library);
    if (fr_scene_read(workshop, strlen(workshop), &reading, &w->scene, NULL) != FR_OK) { return false; }
    fr_world_def def = fr_scene_world_def(w->scene);
    if (fr_world_create(&def, &w->world, NULL) != FR_OK ||
        fr_scene_build_world(w->scene, &building, w->world, NULL, NULL) != FR_OK ||
        fr_scene_cast(w->scene, w->world, NULL, &w->cast, NULL) != FR_OK) {
        return false;
    }
    directing.cast = w->cast;
    directing.library = w->library;
    return fr_director_create_for_scene(&directing, w->scene, &w->director, NULL) == FR_OK &&
           fr_cast_tick(w->cast, NULL, NULL) == FR_OK;
}

static bool say(const goal_world *w, const char *name) {
    const fr_command_parameter want = {FR_DIRECTOR_WANT, "cover in_hand and wrench lying"};
    bool is_goal = strcmp(name, FR_DIRECTOR_GOAL) == 0;
    const fr_command command = {
        .name = name, .person = "Aya", .parameters = &want, .parameter_count = is_goal ? 1 : 0, .ticket = 1};
    return fr_cast_command(w->cast, &command, NULL) == FR_OK && fr_cast_tick(w->cast, NULL, NULL) == FR_OK;
}

// The tick in which a goal begins: places to stand at, paths, reaches and the chain. Then it is stopped.
static void run_goal(bench *b) {
    goal_world w = {0};
    bool is_right = open_goal(&w);
    fr_command_end end = {0};
    while (is_right && bench_repeat(b)) {
        is_right = say(&w, FR_DIRECTOR_GOAL);
        bench_pause(b);
        is_right = is_right && !fr_cast_ended(w.cast, &end) && say(&w, FR_DIRECTOR_STOP);
        while (is_right && fr_cast_ended(w.cast, &end)) {}
    }
    if (!is_right) { bench_skip(b, end.message[0] != '\0' ? end.message : "the workshop could not be opened"); }
    fr_cast_destroy(w.cast);
    fr_world_destroy(w.world);
    fr_scene_destroy(w.scene);
    fr_library_destroy(w.library);
}

// ---------------------------------------------------------------------------------------------------------------
// The chain alone

enum { VALVES = 6, HELPERS = 3 };

// Six valves, each opened by one motion of any of three people: the shortest chain has six
// motions, and the search orders all of them.
static fr_class *make_valve(void) {
    static const char text[] =
        "{\"fureai\":1,\"shapes\":[\"a.obj\"],\"states\":[{\"name\":\"shut\",\"affords\":[{\"motion\":\"open\","
        "\"human\":"
        "[{\"skill\":\"ik_reach\"}],\"parameters\":{\"causes\":\"turn\"}}],\"transitions\":[{\"on\":{\"event\":"
        "\"turn\"},"
        "\"to\":\"open\"}]},{\"name\":\"open\",\"affords\":[{\"motion\":\"shut\",\"human\":[{\"skill\":\"ik_reach\"}],"
        "\"parameters\":{\"causes\":\"turn\"}}],\"transitions\":[{\"on\":{\"event\":\"turn\"},\"to\":\"shut\"}]}]}";
    fr_class *c = NULL;
    return fr_class_read(text, sizeof text - 1, NULL, &c, NULL) == FR_OK ? c : NULL;
}

static void run_chain(bench *b) {
    fr_goal_object objects[VALVES];
    fr_goal_condition conditions[VALVES];
    fr_goal_person people[HELPERS];
    fr_class *c = make_valve();
    fr_arena *arena = NULL;
    fr_goal_search_output out = {0};
    if (c == NULL || fr_arena_create(1 << 20, NULL, &arena, NULL) != FR_OK) {
        bench_skip(b, "out of memory");
        fr_class_release(c);
        return;
    }
    for (uint32_t i = 0; i < VALVES; i++) {
        objects[i] = (fr_goal_object){.name = "valve", .on = FR_NONE};
        objects[i].machine = (fr_machine_object){.c = fr_class_get(c), .value = FR_UNKNOWN, .pose = at(i, 0.0, 0.0)};
        conditions[i] = (fr_goal_condition){.object = i, .state = "open", .on = FR_NONE};
    }
    for (uint32_t i = 0; i < HELPERS; i++) {
        people[i] = (fr_goal_person){.name = "helper", .held = {FR_NONE, FR_NONE}, .place = i};
    }
    fr_goal_search_input input = fr_default_goal_search_input();
    input.objects = objects;
    input.object_count = VALVES;
    input.people = people;
    input.person_count = HELPERS;
    input.conditions = conditions;
    input.condition_count = VALVES;
    input.arena = arena;
    while (bench_repeat(b)) {
        fr_arena_reset(arena);
        if (fr_goal_search(&input, &out, NULL) != FR_OK) { bench_skip(b, "the search failed"); }
    }
    if (out.result != FR_GOAL_FOUND || out.step_count != VALVES) { bench_skip(b, "not the chain that there is"); }
    bench_count(b, "steps", out.step_count);
    bench_count(b, "nodes", out.node_count);
    fr_arena_destroy(arena);
    fr_class_release(c);
}

int main(int argc, char **argv) {
    static const bench_case cases[] = {
        {"hall of furniture", run_hall},          {"one chair moved", run_moved},
        {"200 objects in 10 states", run_states}, {"states of 200 objects, a tick", run_mechanism},
        {"chain of six motions", run_chain},      {"goal of six motions", run_goal}};
    return bench_main(argc, argv, "fureai", "afford", cases, sizeof cases / sizeof cases[0]);
}
