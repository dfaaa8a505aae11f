// The same colliding faces everywhere, at an instant and over a step: hashes over scenes, for each instruction set and
// 1, 2, 3, 5 and 8 workers, against values frozen here. They hold for gcc and clang, every level of optimisation,
// x86-64 and aarch64. Contacts are hashed by their flags, features and numbers; NaN is kept out.
//
// A change of a result on purpose changes a frozen value: `colliding_faces --print` writes the table anew.
#include "frame.h"

#include "fureai/collide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(bool holds, const char *what) {
    if (holds) { return; }
    printf("failed: %s\n", what);
    exit(EXIT_FAILURE);
}

static void add(fr_space *space, const fr_mesh *mesh, fr_vec3 position, fr_vec3 turn, double scale, uint32_t flags) {
    fr_part_def parts[2] = {fr_default_part_def(), fr_default_part_def()};
    parts[0].mesh = parts[1].mesh = mesh;
    parts[1].pose = fr_pose_make(fr_vec3_make(0.5, 0.25, 0.0), fr_quat_from_vector(fr_vec3_make(0.0, 0.5, 1.0)));
    fr_object_def def = fr_default_object_def();
    def.parts = parts;
    def.part_count = flags != 0 ? 2 : 1;
    def.pose = fr_pose_make(position, fr_quat_from_vector(turn));
    def.pose.scale = scale;
    def.flags = flags;
    fr_object_id id;
    require(fr_object_add(space, &def, &id, NULL) == FR_OK, "adding an object");
}

static fr_vec3 any_point(fr_random *r, double reach) {
    double x = fr_random_between(r, -reach, reach), y = fr_random_between(r, -reach, reach);
    double z = fr_random_between(r, -reach, reach);
    return fr_vec3_make(x, y, z);
}

// Shapes by name, some on a grid so that they touch, some anywhere.
static fr_space *make_scene(const char *name, int count, double reach, double offset, uint64_t seed) {
    fr_space *space;
    fr_space_def def = fr_default_space_def();
    require(fr_space_create(&def, &space, NULL) == FR_OK, "making a space");
    fr_mesh *mesh;
    require(fr_mesh_create_named(name, NULL, &mesh, NULL) == FR_OK, "making a mesh");
    fr_random r = fr_random_seed(seed);
    for (int i = 0; i < count; i++) {
        fr_vec3 position = any_point(&r, reach), turn = any_point(&r, 3.0);
        if (i % 4 == 0) {
            position = fr_vec3_make(0.5 * (i % 3), 0.5 * (i % 5), 0.0);
            turn = fr_vec3_make(0.0, 0.0, 0.0);
        }
        position.x += offset;
        add(space, mesh, position, turn, i % 5 == 1 ? 0.75 : 1.0, i % 6 == 5 ? FR_OBJECT_SELF : 0);
    }
    fr_mesh_release(mesh);
    require(fr_space_update(space, NULL, NULL) == FR_OK, "updating a space");
    return space;
}

static uint64_t hash_output(const fr_collide_output *out, uint64_t hash) {
    hash = fr_hash(out->pairs, out->pair_count * sizeof *out->pairs, hash);
    for (size_t i = 0; i < out->object_pair_count; i++) {
        uint64_t pair[3] = {out->object_pairs[i].a, out->object_pairs[i].b, (uint64_t)out->object_pairs[i].relation};
        hash = fr_hash(pair, sizeof pair, hash);
    }
    for (size_t i = 0; i < out->pair_count && out->contacts != NULL; i++) {
        const fr_contact *c = &out->contacts[i];
        double numbers[7] = {c->point.x, c->point.y, c->point.z, c->normal.x, c->normal.y, c->normal.z, c->distance};
        for (int k = 0; k < 7; k++) {
            numbers[k] += 0.0; // -0 becomes 0
        }
        uint64_t feature = (uint64_t)c->feature;
        hash = fr_hash(&feature, sizeof feature, fr_hash(numbers, sizeof numbers, hash));
    }
    return hash;
}

typedef struct scene_case {
    const char *name;
    int count;
    double reach, offset, margin;
    uint64_t frozen;
} scene_case;

static scene_case cases[] = {
    {"sphere_168", 12, 1.5, 0.0, 0.0, 0x9d18c8ca2e576949u}, {"sphere_960", 4, 0.8, 0.0, 0.0, 0xf947cf3969f61b39u},
    {"chair", 6, 0.7, 1e6, 0.0, 0xe916b3e4674cf700u},       {"box", 24, 1.5, 0.0, 0.0, 0x5afb28771e41031au},
    {"sphere_80", 8, 1.5, 0.0, 0.03, 0x07dc011eed724fe0u},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static uint64_t ask(const scene_case *c, const fr_tasks *tasks) {
    fr_space *space = make_scene(c->name, c->count, c->reach, c->offset, 11);
    fr_collide *collide;
    require(fr_collide_create(NULL, &collide, NULL) == FR_OK, "making an asker");
    uint64_t hash = 0;
    for (int balance = FR_BALANCE_SERIAL; balance <= FR_BALANCE_STEAL; balance++) {
        fr_collide_input input = fr_default_collide_input();
        input.space = space;
        input.margin = c->margin;
        input.tasks = tasks;
        input.balance = (fr_balance)balance;
        input.is_containment_wanted = true;
        input.want = FR_WANT_CONTACTS;
        fr_collide_output out;
        require(fr_collide_static(collide, &input, &out, NULL) == FR_OK, "asking");
        require(out.pair_count > 0, "a scene without pairs");
        uint64_t now = hash_output(&out, 0);
        require(balance == FR_BALANCE_SERIAL || now == hash, "a schedule differs");
        hash = now;
    }
    fr_collide_destroy(collide);
    fr_space_destroy(space);
    return hash;
}

// ---------------------------------------------------------------------------------------------------------------
// Over a step

// Half of the objects go and turn, one in five by several radians.
static void set_motions(fr_space *space, uint64_t seed) {
    fr_random r = fr_random_seed(seed);
    for (uint32_t i = 0; i < fr_space_object_places(space); i += 2) {
        fr_object_id id = fr_space_object_at(space, i);
        fr_motion motion = fr_motion_still(&fr_object_get(space, id)->pose);
        motion.travel = any_point(&r, 0.5);
        motion.turn = any_point(&r, i % 5 == 0 ? 4.0 : 0.5);
        fr_pose end = fr_motion_pose(&motion, 1.0);
        require(fr_object_set_motion(space, id, &motion, &end, NULL) == FR_OK, "setting a motion");
    }
    require(fr_space_update(space, NULL, NULL) == FR_OK, "updating a space");
}

static double known(double x) { return fr_is_unknown(x) ? -1.0 : x; }

static uint64_t hash_step(const fr_collide_output *out, uint64_t hash) {
    hash = hash_output(out, hash);
    for (size_t i = 0; i < out->pair_count; i++) {
        const fr_contact *c = &out->contacts[i];
        double numbers[4] = {c->time, known(c->time_sure), known(c->time_end), known(c->approach) + 0.0};
        hash = fr_hash(numbers, sizeof numbers, hash);
    }
    for (size_t i = 0; i < out->interval_count; i++) {
        double numbers[3] = {(double)out->intervals[i].pair, out->intervals[i].begin, out->intervals[i].end};
        hash = fr_hash(numbers, sizeof numbers, hash);
    }
    return fr_hash(&out->free_time, sizeof out->free_time, hash);
}

static scene_case step_cases[] = {
    {"sphere_80", 5, 1.5, 0.0, 0.0, 0xa0b0c12a7ae0d10du},
    {"chair", 4, 0.7, 1e6, 0.0, 0xc44cb0045f42f82du},
    {"box", 12, 1.5, 0.0, 0.01, 0x3e20cd0e0c51e370u},
};
enum { STEP_CASES = sizeof step_cases / sizeof step_cases[0] };

// All contacts and the first ones; all also where one worker lists and the others test.
static uint64_t ask_step(const scene_case *c, const fr_tasks *tasks) {
    fr_space *space = make_scene(c->name, c->count, c->reach, c->offset, 12);
    set_motions(space, 13);
    fr_collide *collide;
    require(fr_collide_create(NULL, &collide, NULL) == FR_OK, "making an asker");
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++) {
        fr_collide_input input = fr_default_collide_input();
        input.space = space;
        input.margin = c->margin;
        input.tasks = tasks;
        input.set = k % 2 == 0 ? FR_SET_ALL : FR_SET_FIRST;
        input.balance = k < 2 ? FR_BALANCE_AUTO : FR_BALANCE_STATIC;
        input.want = FR_WANT_INTERVALS;
        fr_collide_output out;
        require(fr_collide_continuous(collide, &input, &out, NULL) == FR_OK, "asking about a step");
        require(out.pair_count > 0, "a step without pairs");
        hash = hash_step(&out, hash);
    }
    fr_collide_destroy(collide);
    fr_space_destroy(space);
    return hash;
}

// ---------------------------------------------------------------------------------------------------------------
// All of them

typedef uint64_t ask_fn(const scene_case *c, const fr_tasks *tasks);

// Asks about each case; the number of hashes that are not as frozen. `print` writes them instead.
static int compare(const scene_case *list, int count, ask_fn *asks, const fr_tasks *tasks, bool print) {
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        uint64_t hash = asks(&list[i], tasks);
        if (print) { printf("%s 0x%016llx\n", list[i].name, (unsigned long long)hash); }
        if (print || hash == list[i].frozen) { continue; }
        printf("%s, %s, %d workers: 0x%016llx\n", list[i].name, fr_simd_name(fr_simd_get()),
               fr_tasks_worker_count(tasks), (unsigned long long)hash);
        wrong++;
    }
    return wrong;
}

int main(int argc, char **argv) {
    bool print = argc > 1 && strcmp(argv[1], "--print") == 0;
    static const int workers[] = {1, 2, 3, 5, 8};
    int wrong = 0;
    for (int set = FR_SIMD_BASELINE; set <= (int)fr_simd_best(); set++) {
        require(fr_simd_set((fr_simd)set), "choosing an instruction set");
        for (int w = 0; w < 5; w++) {
            fr_task_pool_def def = fr_default_task_pool_def();
            def.worker_count = test_workers(workers[w]);
            fr_task_pool *pool;
            require(fr_task_pool_create(&def, &pool, NULL) == FR_OK, "starting workers");
            fr_tasks tasks = fr_task_pool_tasks(pool);
            wrong += compare(cases, CASES, ask, &tasks, print);
            wrong += compare(step_cases, STEP_CASES, ask_step, &tasks, print);
            fr_task_pool_destroy(pool);
            if (print) { return 0; }
        }
    }
    return wrong == 0 ? 0 : 1;
}
