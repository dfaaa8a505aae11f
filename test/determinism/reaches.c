// The same reaches everywhere: the hash of performers with figures that press a button and reach past a shelf before a
// wall, for each instruction set and 1, 3 and 8 workers, with a value frozen here.
//
// A change of a result on purpose changes the frozen value: `reaches --print` tells the new one.
#include "frozen.h"

#include "fureai/human_skill.h"

#define FROZEN UINT64_C(0xae76ad19004ab718)

enum { REACHERS = 6, FRAMES = 150 };

typedef struct reachers {
    fr_figure *figure;
    fr_space *space;
    fr_object_id button;
    fr_performer *people[REACHERS];
    uint64_t hashes[REACHERS];
} reachers;

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

// A press of the button, or a reach over the shelf, each person at another place.
static void begin_one(const reachers *t, int who, fr_performer *person, const fr_performer_input *world) {
    fr_task task = {.id = 1, .skill = fr_skill_find(who % 2 == 0 ? "press" : "ik_reach")};
    if (who % 2 == 0) {
        task.fields.given = FR_FIELD_TARGET | FR_FIELD_OBJECT;
        task.fields.object = t->button;
        task.fields.target = fr_pose_make(fr_vec3_make(-0.2, 1.15 + 0.03 * who, 0.49),
                                          fr_quat_from_vector(fr_vec3_make(0.0, FR_PI, 0.0)));
    } else {
        task.fields.given = FR_FIELD_GOAL | FR_FIELD_SIDE;
        task.fields.side = FR_SIDE_RIGHT;
        fr_pose links[FR_LINK_COUNT];
        fr_performer_view view = fr_performer_get(person);
        require(fr_posture_poses(view.skeleton, &view.posture, 1, links, NULL) == FR_OK, "placing a body");
        fr_quat turn = fr_quat_from_vector(fr_vec3_make(-1.4, 0.0, 0.0));
        task.fields.goal = fr_pose_make(fr_vec3_make(-0.2, 1.1 + 0.01 * who, 0.27),
                                        fr_quat_multiply(turn, links[FR_LINK_RIGHT_PALM].rotation));
    }
    require(fr_performer_begin(person, &task, 1, world, NULL) == FR_OK, "a reach");
}

static void perform(size_t begin, size_t end, int worker, void *context) {
    (void)worker;
    reachers *t = context;
    const fr_performer_input world = {.space = t->space};
    for (size_t i = begin; i < end; i++) {
        fr_performer_output output;
        begin_one(t, (int)i, t->people[i], &world);
        for (int frame = 0; frame < FRAMES; frame++) {
            require(fr_performer_step(t->people[i], &world, &output, NULL) == FR_OK, "a step");
            uint64_t hash = fr_performer_hash(t->people[i]);
            t->hashes[i] = fr_hash(&hash, sizeof hash, t->hashes[i]);
        }
    }
}

static uint64_t hash_of(const fr_tasks *tasks) {
    static reachers t;
    memset(&t, 0, sizeof t);
    fr_body_def body = fr_default_body_def();
    fr_skeleton *skeleton;
    require(fr_skeleton_create_body(&body, &skeleton, NULL) == FR_OK, "making a body");
    fr_figure_def figure = fr_default_figure_def();
    figure.skeleton = skeleton;
    figure.detail = FR_FIGURE_COARSE;
    require(fr_figure_create(&figure, &t.figure, NULL) == FR_OK, "making a figure");
    fr_space_def space = fr_default_space_def();
    require(fr_space_create(&space, &t.space, NULL) == FR_OK, "making a space");
    (void)add_box(t.space, fr_vec3_make(1.2, 1.2, 0.02), fr_vec3_make(0.0, 1.2, 0.51));
    (void)add_box(t.space, fr_vec3_make(0.4, 0.02, 0.2), fr_vec3_make(-0.25, 0.9, 0.28));
    t.button = add_box(t.space, fr_vec3_make(0.02, 0.02, 0.01), fr_vec3_make(-0.2, 1.18, 0.495));
    require(fr_space_update(t.space, NULL, NULL) == FR_OK, "updating a space");
    for (int i = 0; i < REACHERS; i++) {
        fr_performer_def def = fr_default_performer_def();
        def.skeleton = skeleton;
        def.figure = t.figure;
        def.person = (uint64_t)i;
        require(fr_performer_create(&def, &t.people[i], NULL) == FR_OK, "making a performer");
    }
    fr_tasks_run(tasks, FR_SCHEDULE_DYNAMIC, REACHERS, 1, perform, &t);
    uint64_t hash = fr_hash(t.hashes, sizeof t.hashes, 0);
    for (int i = 0; i < REACHERS; i++) {
        fr_performer_destroy(t.people[i]);
    }
    fr_space_destroy(t.space);
    fr_figure_release(t.figure);
    fr_skeleton_release(skeleton);
    return hash;
}

int main(int argc, char **argv) {
    require_frozen(argc, argv, hash_of, FROZEN);
    printf("reaches: the same hash everywhere\n");
    return EXIT_SUCCESS;
}
