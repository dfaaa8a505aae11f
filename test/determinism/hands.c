// The same hands everywhere: the hash of performers with figures that slide a lever, close a hand on a bar, carry, type
// and walk round a box, for each instruction set and 1, 3 and 8 workers, with a value frozen here.
//
// A change of a result on purpose changes the frozen value: `hands --print` tells the new one.
#include "frozen.h"

#include "fureai/human_skill.h"

#define FROZEN UINT64_C(0xa706dd1d8f2bb4cc)

enum { KINDS = 5, PEOPLE = 10, FRAMES = 200 };

typedef struct people {
    fr_skeleton *skeleton;
    fr_figure *figure;
    fr_walk_set *set;
    fr_space *space;
    fr_object_id lever, bar;
    fr_performer *list[PEOPLE];
    uint64_t hashes[PEOPLE];
} people;

static fr_object_id add_box(fr_space *space, fr_vec3 size, fr_vec3 place) {
    fr_mesh *mesh;
    require(fr_mesh_create_box(size, NULL, &mesh, NULL) == FR_OK, "making a box");
    fr_part_def part = fr_default_part_def();
    part.mesh = mesh;
    fr_object_def def = fr_default_object_def();
    def.parts = &part;
    def.part_count = 1;
    def.pose.position = place;
    fr_object_id id;
    require(fr_object_add(space, &def, &id, NULL) == FR_OK, "adding a box");
    fr_mesh_release(mesh);
    return id;
}

// A handle that slides upwards by up to 0.2 m.
static void add_lever(people *t) {
    t->lever = add_box(t->space, fr_vec3_make(0.1, 0.02, 0.02), fr_vec3_make(-0.2, 1.0, 0.45));
    fr_pose at = fr_pose_make(fr_vec3_make(-0.2, 1.0, 0.45), fr_quat_identity());
    fr_joint joint = {.kind = FR_JOINT_SLIDER, .child = t->lever, .low = 0.0, .high = 0.2};
    joint.frame_child = fr_pose_make(fr_vec3_make(0, 0, 0), fr_quat_from_vector(fr_vec3_make(-0.5 * FR_PI, 0, 0)));
    joint.frame_parent = fr_pose_compose(&at, &joint.frame_child);
    fr_joint_id id;
    require(fr_joint_add(t->space, &joint, &id, NULL) == FR_OK, "adding a joint");
}

// Each person does one of five things, each at another place or time.
static void begin_one(const people *t, int who, fr_performer *person, const fr_performer_input *world) {
    static const char *const skills[KINDS] = {"slide", "grasp", "carry", "type", "walk"};
    fr_task task = {.id = 1, .skill = fr_skill_find(skills[who % KINDS])};
    fr_pose keys[4];
    double apart = 0.01 * who;
    task.fields.side = FR_SIDE_RIGHT;
    task.fields.given = FR_FIELD_SIDE;
    if (who % KINDS == 0) {
        task.fields.given |= FR_FIELD_TARGET | FR_FIELD_OBJECT | FR_FIELD_VALUE;
        task.fields.target =
            fr_pose_make(fr_vec3_make(-0.2, 1.0, 0.45), fr_quat_from_vector(fr_vec3_make(0.0, FR_PI, 0.0)));
        task.fields.object = t->lever;
        task.fields.value = 0.1 + apart;
    } else if (who % KINDS == 1) {
        task.fields.given |= FR_FIELD_OBJECT;
        task.fields.object = t->bar;
        task.start = (uint32_t)who;
    } else if (who % KINDS == 2) {
        task.fields.given |= FR_FIELD_FRAMES;
        task.fields.frames = 100 + (uint32_t)who;
    } else if (who % KINDS == 3) {
        task.fields.given = FR_FIELD_POSES;
        for (int i = 0; i < 4; i++) {
            keys[i] = fr_pose_make(fr_vec3_make(0.06 * i - 0.1 + apart, 0.98, 0.38),
                                   fr_quat_from_vector(fr_vec3_make(-0.5 * FR_PI, 0.0, 0.0)));
        }
        task.fields.poses = keys;
        task.fields.pose_count = 4;
    } else {
        task.fields.given = FR_FIELD_GOAL;
        task.fields.goal = fr_pose_make(fr_vec3_make(apart, 0.0, -3.0), fr_quat_identity());
    }
    fr_error error = {0};
    fr_status status = fr_performer_begin(person, &task, 1, world, &error);
    require(status == FR_OK, error.message);
}

static void perform(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    people *t = context;
    const fr_performer_input world = {.space = t->space};
    for (size_t i = begin; i < end; i++) {
        fr_performer_output output;
        begin_one(t, (int)i, t->list[i], &world);
        for (int frame = 0; frame < FRAMES; frame++) {
            require(fr_performer_step(t->list[i], &world, &output, NULL) == FR_OK, "a step");
            uint64_t hash = fr_performer_hash(t->list[i]);
            t->hashes[i] = fr_hash(&hash, sizeof hash, t->hashes[i]);
        }
    }
}

static uint64_t hash_of(const fr_tasks *tasks) {
    static people t;
    memset(&t, 0, sizeof t);
    fr_body_def body = fr_default_body_def();
    fr_figure_def figure = fr_default_figure_def();
    fr_walk_set_def set = fr_default_walk_set_def();
    fr_space_def space = fr_default_space_def();
    require(fr_skeleton_create_body(&body, &t.skeleton, NULL) == FR_OK, "making a body");
    figure.skeleton = set.skeleton = t.skeleton;
    figure.detail = FR_FIGURE_COARSE;
    require(fr_figure_create(&figure, &t.figure, NULL) == FR_OK, "making a figure");
    require(fr_walk_set_create(&set, &t.set, NULL) == FR_OK, "making a walk set");
    require(fr_space_create(&space, &t.space, NULL) == FR_OK, "making a space");
    add_lever(&t);
    t.bar = add_box(t.space, fr_vec3_make(0.03, 0.03, 0.3), fr_vec3_make(-0.3, 0.78, 0.12));
    (void)add_box(t.space, fr_vec3_make(0.5, 1.6, 0.3), fr_vec3_make(0.0, 0.8, -1.5));
    require(fr_space_update(t.space, NULL, NULL) == FR_OK, "updating a space");
    for (int i = 0; i < PEOPLE; i++) {
        fr_performer_def def = fr_default_performer_def();
        def.skeleton = t.skeleton;
        def.figure = t.figure;
        def.walk_set = t.set;
        def.person = (uint64_t)i;
        require(fr_performer_create(&def, &t.list[i], NULL) == FR_OK, "making a performer");
    }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, PEOPLE, 1, perform, &t);
    uint64_t hash = fr_hash(t.hashes, sizeof t.hashes, 0);
    for (int i = 0; i < PEOPLE; i++) {
        fr_performer_destroy(t.list[i]);
    }
    fr_space_destroy(t.space);
    fr_walk_set_release(t.set);
    fr_figure_release(t.figure);
    fr_skeleton_release(t.skeleton);
    return hash;
}

int main(int argc, char **argv) {
    require_frozen(argc, argv, hash_of, FROZEN);
    printf("hands: the same hash everywhere\n");
    return EXIT_SUCCESS;
}
