// The same people everywhere: the hash of performers that do a script of tasks side by side, for each instruction set
// and 1, 3 and 8 workers, with a value frozen here.
//
// A change of a result on purpose changes the frozen value: `performers --print` tells the new one.
#include "frozen.h"

#include "fureai/human_skill.h"

#define FROZEN UINT64_C(0xd796b04d54b3acec)

enum { PEOPLE = 12, FRAMES = 420, EVERY = 60 };

typedef struct troupe {
    fr_skeleton *skeleton;
    fr_walk_set *set;
    fr_clip *clip;
    fr_performer *people[PEOPLE];
    uint64_t hashes[PEOPLE];
} troupe;

static fr_task task_of(uint64_t id, const char *skill, uint32_t given) {
    fr_task task = {.id = id, .skill = fr_skill_find(skill)};
    task.fields.given = given;
    return task;
}

static fr_pose seen_from(const fr_posture *posture, double forward, double up, double turn) {
    fr_vec3 place = posture->place;
    return fr_pose_make(fr_vec3_make(place.x, up, place.z + forward),
                        fr_quat_from_vector(fr_vec3_make(0.0, turn, 0.0)));
}

// What a person begins with at a frame; what is refused leaves the person as it was.
static void direct(const troupe *t, int who, int frame, fr_performer *person) {
    static const char *const words[] = {"bow", "nod", "shake", "shrug", "surprise", "thumb_up", "wave"};
    fr_posture posture = fr_performer_get(person).posture;
    int part = frame / EVERY + who;
    uint64_t id = (uint64_t)frame;
    fr_task tasks[2] = {task_of(id, "walk", FR_FIELD_GOAL | FR_FIELD_HEADING),
                        task_of(id + 1, "gesture", FR_FIELD_WORD)};
    tasks[0].fields.goal = seen_from(&posture, 1.5 + 0.1 * who, 0.0, 0.0);
    tasks[0].fields.heading = 0.3 * who;
    strcpy(tasks[1].fields.word, words[part % 7]);
    tasks[1].start = 10;
    if (part % 7 == 1) {
        tasks[0] = task_of(id, "sit", FR_FIELD_TARGET);
        tasks[0].fields.target = seen_from(&posture, -0.4, 0.45, 0.0);
    } else if (part % 7 == 2) {
        tasks[0] = task_of(id, "stand", 0);
    } else if (part % 7 == 3) {
        tasks[0] = task_of(id, "drink", 0);
    } else if (part % 7 == 4) {
        tasks[0] = task_of(id, "tap", FR_FIELD_TARGET);
        tasks[0].fields.target = seen_from(&posture, 0.45, 1.0, FR_PI);
    } else if (part % 7 == 5) {
        tasks[0] = task_of(id, "mocap_play", FR_FIELD_CLIP);
        tasks[0].fields.clip = t->clip;
    } else if (part % 7 == 6) {
        tasks[0] = task_of(id, "hold_arm", FR_FIELD_SIDE | FR_FIELD_FRAMES);
        tasks[0].fields.side = FR_SIDE_LEFT;
        tasks[0].fields.frames = 50;
    }
    if (who % 2 == 0) {
        (void)fr_performer_begin(person, tasks, 2, NULL, NULL);
    } else {
        (void)fr_performer_add(person, tasks, 2, NULL, NULL);
    }
}

static void perform(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    troupe *t = context;
    for (size_t i = begin; i < end; i++) {
        fr_performer_output output;
        for (int frame = 0; frame < FRAMES; frame++) {
            if (frame % EVERY == 0) { direct(t, (int)i, frame, t->people[i]); }
            require(fr_performer_step(t->people[i], NULL, &output, NULL) == FR_OK, "a step");
            uint64_t hash = fr_performer_hash(t->people[i]);
            t->hashes[i] = fr_hash(&hash, sizeof hash, t->hashes[i]);
        }
    }
}

static uint64_t hash_of(const fr_tasks *tasks) {
    static troupe t;
    memset(&t, 0, sizeof t);
    fr_body_def body = fr_default_body_def();
    fr_walk_set_def set = fr_default_walk_set_def();
    require(fr_skeleton_create_body(&body, &t.skeleton, NULL) == FR_OK, "making a body");
    set.skeleton = t.skeleton;
    require(fr_walk_set_create(&set, &t.set, NULL) == FR_OK, "making a walk set");
    require(fr_clip_create_made(t.set, FR_MADE_DRINK, NULL, &t.clip, NULL) == FR_OK, "making a clip");
    for (int i = 0; i < PEOPLE; i++) {
        fr_performer_def def = fr_default_performer_def();
        def.skeleton = t.skeleton;
        def.walk_set = t.set;
        def.person = (uint64_t)i;
        def.variety = 1.0;
        require(fr_performer_create(&def, &t.people[i], NULL) == FR_OK, "making a performer");
    }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, PEOPLE, 1, perform, &t);
    uint64_t hash = fr_hash(t.hashes, sizeof t.hashes, 0);
    for (int i = 0; i < PEOPLE; i++) {
        fr_performer_destroy(t.people[i]);
    }
    fr_clip_release(t.clip);
    fr_walk_set_release(t.set);
    fr_skeleton_release(t.skeleton);
    return hash;
}

int main(int argc, char **argv) {
    require_frozen(argc, argv, hash_of, FROZEN);
    printf("performers: the same hash everywhere\n");
    return EXIT_SUCCESS;
}
