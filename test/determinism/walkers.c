// The same walks everywhere: the hash of bodies that walk side by side, in one set of clips, while their goals change,
// for each instruction set and 1, 3 and 8 workers, with a value frozen here.
//
// A change of a result on purpose changes the frozen value: `walkers --print` writes the new one.
#include "frozen.h"

#include "fureai/human_walk.h"

#define FROZEN UINT64_C(0x71a375d4ea4b024c)

enum { PEOPLE = 12, FRAMES = 500, EVERY = 83 };

typedef struct walkers {
    fr_skeleton *skeleton;
    fr_walk_set *set;
    uint64_t hashes[PEOPLE];
} walkers;

// New goals, two at times, and a stop now and then.
static void direct(fr_random *random, int turn, fr_walk *walk) {
    fr_walk_goal goals[2];
    for (int i = 0; i < 2; i++) {
        double z = fr_random_between(random, -4.0, 4.0), x = fr_random_between(random, -4.0, 4.0);
        goals[i].place = fr_vec3_make(x, 0.0, z);
        goals[i].heading = fr_random_between(random, -3.0, 3.0);
        goals[i].has_heading = fr_random_below(random, 2) == 0;
    }
    if (turn % 5 == 4) {
        require(fr_walk_stop(walk, NULL) == FR_OK, "a stop");
    } else {
        require(fr_walk_go(walk, goals, 1 + (size_t)(turn % 2), turn % 4 == 3 ? 200 : 0, NULL) == FR_OK, "a goal");
    }
}

static void go(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    walkers *w = context;
    for (size_t i = begin; i < end; i++) {
        fr_walk_def def = fr_default_walk_def();
        def.set = w->set;
        def.person = i;
        def.variety = i % 3 == 0 ? 0.0 : 1.0;
        fr_walk *walk;
        require(fr_walk_create(&def, &walk, NULL) == FR_OK, "making a walk");
        fr_random random = fr_random_seed(i);
        fr_quat turns[FR_LINK_COUNT];
        fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
        require(fr_posture_rest(w->skeleton, &posture, NULL) == FR_OK, "a posture");
        for (int frame = 0; frame < FRAMES; frame++) {
            if (frame % EVERY == 0) { direct(&random, frame / EVERY + (int)i, walk); }
            require(fr_walk_step(walk, &posture, NULL) == FR_OK, "a step");
            uint64_t hash = fr_hash(turns, sizeof turns, w->hashes[i]);
            w->hashes[i] = fr_hash(&posture.place, sizeof posture.place, hash);
        }
        fr_walk_destroy(walk);
    }
}

static uint64_t hash_of(const fr_tasks *tasks) {
    walkers w = {0};
    fr_body_def body = fr_default_body_def();
    fr_walk_set_def set = fr_default_walk_set_def();
    require(fr_skeleton_create_body(&body, &w.skeleton, NULL) == FR_OK, "making a body");
    set.skeleton = w.skeleton;
    require(fr_walk_set_create(&set, &w.set, NULL) == FR_OK, "making a walk set");
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, PEOPLE, 1, go, &w);
    fr_walk_set_release(w.set);
    fr_skeleton_release(w.skeleton);
    return fr_hash(w.hashes, sizeof w.hashes, 0);
}

int main(int argc, char **argv) {
    require_frozen(argc, argv, hash_of, FROZEN);
    printf("walkers: the same hash everywhere\n");
    return EXIT_SUCCESS;
}
