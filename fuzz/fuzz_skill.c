// Any bytes as a script of a performer: tasks of any skill with any fields in any order, in any small world, by a body
// with a figure, which looks at the world, or without. A call that fails changes nothing and says why, turns stay unit,
// places and events finite, and the skills that promise it keep the limits of the joints.
#include "fureai/human_skill.h"
#include "fureai/shape.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BODIES = 3, MAX_OPERATIONS = 8, MAX_STEPS = 60, MAX_TASKS = 3, MAX_BOXES = 3 };

typedef struct bytes {
    const uint8_t *data;
    size_t size;
} bytes;

static void require(bool holds) {
    if (!holds) { abort(); }
}

static uint8_t next_byte(bytes *b) {
    if (b->size == 0) { return 0; }
    b->size--;
    return *b->data++;
}

// A number near 0 from one byte, or any double.
static double next_number(bytes *b) {
    uint8_t first = next_byte(b);
    if (first < 250) { return (first - 125) / 50.0; }
    double number = 0.0;
    uint8_t raw[sizeof number];
    for (size_t i = 0; i < sizeof raw; i++) {
        raw[i] = next_byte(b);
    }
    memcpy(&number, raw, sizeof number);
    return number;
}

static fr_pose next_pose(bytes *b) {
    fr_vec3 place = {next_number(b), next_number(b), next_number(b)}, turn = {0.0, next_number(b), 0.0};
    if (next_byte(b) % 2 == 1) { turn = (fr_vec3){next_number(b), next_number(b), next_number(b)}; }
    fr_pose pose = fr_pose_make(place, fr_quat_identity());
    if (fr_vec3_is_finite(turn) && fr_vec3_largest(turn) < 100.0) { pose.rotation = fr_quat_from_vector(turn); }
    if (next_byte(b) == 255) { pose.rotation.w = next_number(b); }
    return pose;
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies: one that walks, one that cannot, and one without limbs; made once

static fr_skeleton *skeletons[BODIES];
static fr_figure *figures[BODIES]; // NULL: of a body without limbs
static fr_walk_set *set;
static fr_clip *clip;

static void make_worm(void) {
    const uint32_t parents[2] = {FR_NO_LINK, 0};
    const char *const names[2] = {"a", "b"};
    const fr_vec3 offsets[2] = {{0.0, 1.0, 0.0}, {0.0, 0.5, 0.0}};
    fr_skeleton_def def = fr_default_skeleton_def();
    def.link_count = 2;
    def.parents = parents;
    def.names = names;
    def.offsets = offsets;
    require(fr_skeleton_create(&def, &skeletons[2], NULL) == FR_OK);
}

static void make_bodies(void) {
    if (skeletons[0] != NULL) { return; }
    fr_body_def body = fr_default_body_def();
    require(fr_skeleton_create_body(&body, &skeletons[0], NULL) == FR_OK);
    body.stature = 1.1;
    require(fr_skeleton_create_body(&body, &skeletons[1], NULL) == FR_OK);
    make_worm();
    for (int i = 0; i < 2; i++) {
        fr_figure_def figure = fr_default_figure_def();
        figure.skeleton = skeletons[i];
        figure.detail = FR_FIGURE_COARSE;
        require(fr_figure_create(&figure, &figures[i], NULL) == FR_OK);
    }
    fr_walk_set_def def = fr_default_walk_set_def();
    def.skeleton = skeletons[0];
    def.frame_rate = FR_WALK_MIN_RATE;
    require(fr_walk_set_create(&def, &set, NULL) == FR_OK);
    require(fr_walk_set_clip(set, 300, NULL, &clip, NULL) == FR_OK);
}

static fr_performer *make_performer(uint8_t which, uint8_t person) {
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = skeletons[which % BODIES];
    def.walk_set = which % BODIES == 0 ? set : NULL;
    def.figure = which / (2 * BODIES) % 2 == 1 ? figures[which % BODIES] : NULL;
    def.rate = FR_WALK_MIN_RATE;
    def.person = person;
    def.variety = person / 128.0;
    fr_performer *performer = NULL;
    require(fr_performer_create(&def, &performer, NULL) == FR_OK);
    return performer;
}

// ---------------------------------------------------------------------------------------------------------------
// World and tasks

static fr_space *make_world(bytes *b, fr_object_id *object) {
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    require(fr_space_create(&def, &space, NULL) == FR_OK);
    uint8_t count = next_byte(b) % (MAX_BOXES + 1);
    for (uint8_t i = 0; i < count; i++) {
        fr_mesh *mesh = NULL;
        require(fr_mesh_create_box(fr_vec3_make(0.3, 0.2, 0.2), NULL, &mesh, NULL) == FR_OK);
        fr_part_def part = fr_default_part_def();
        fr_object_def box = fr_default_object_def();
        part.mesh = mesh;
        box.parts = &part;
        box.part_count = 1;
        box.pose = next_pose(b);
        (void)fr_object_add(space, &box, object, NULL);
        fr_mesh_release(mesh);
    }
    require(fr_space_update(space, NULL, NULL) == FR_OK);
    return space;
}

// What the fields of the tasks of one list point to.
typedef struct goals {
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture;
    double weights[FR_LINK_COUNT + 1];
    fr_pose poses[4];
} goals;

static fr_task next_task(bytes *b, uint32_t links, fr_object_id object, goals *g) {
    static const char *const words[] = {"bow", "nod", "shake", "shrug", "surprise", "thumb_up", "wave", "fly"};
    fr_task task = {.id = next_byte(b), .skill = fr_skill_at(next_byte(b) % fr_skill_count())};
    fr_skill_fields *fields = &task.fields;
    fields->given = next_byte(b) | (uint32_t)next_byte(b) << 8;
    if (fields->given % 4 != 3) { fields->given |= task.skill->needs; }
    task.start = next_byte(b) % 16;
    fields->target = next_pose(b);
    fields->object = object;
    fields->goal = next_pose(b);
    fields->heading = next_number(b);
    fields->side = (fr_skill_side)(next_byte(b) % 4);
    fields->clip = clip;
    g->posture = (fr_posture){.turns = g->turns, .count = links};
    fr_vec3 turn = {next_number(b), next_number(b), next_number(b)};
    uint8_t link = next_byte(b);
    for (uint32_t i = 0; i < links; i++) {
        bool is_turned = i == link % links && fr_vec3_is_finite(turn) && fr_vec3_largest(turn) < 100.0;
        g->turns[i] = is_turned ? fr_quat_from_vector(turn) : fr_quat_identity();
        g->weights[i] = i == link % links ? next_number(b) : 0.0;
    }
    g->weights[links] = next_number(b);
    fields->posture = &g->posture;
    fields->weights = g->weights;
    fields->value = next_number(b);
    for (int i = 0; i < 4; i++) {
        g->poses[i] = fields->goal;
        g->poses[i].position.x += 0.1 * i;
    }
    fields->poses = g->poses;
    fields->pose_count = next_byte(b) % 5;
    strcpy(fields->word, words[next_byte(b) % 8]);
    fields->diameter = next_number(b);
    fields->frames = next_byte(b);
    fields->speed = next_number(b);
    return task;
}

// ---------------------------------------------------------------------------------------------------------------
// The script

static void check_posture(const fr_skeleton *skeleton, const fr_posture *posture, bool has_limits) {
    require(fr_vec3_is_finite(posture->place));
    for (uint32_t i = 0; i < posture->count; i++) {
        fr_quat q = posture->turns[i];
        require(fabs((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z) - 1.0) <= 1e-8);
        // A joint that comes to rest at ten frames a second coasts a little.
        require(!has_limits || fr_skeleton_excess(skeleton, i, q) <= 0.15);
    }
}

// Whether a skill brings no joint beyond its limits. Those that do: a posture or a clip may be anything, who sits bends
// its ankles, a cup or a tap is taken with joints a little beyond, and so is a partner's hand.
static bool keeps_limits(const char *name) {
    static const char *const others[] = {"drink", "hand_over", "mocap_play", "receive", "shake_hand",
                                         "sit",   "slerp",     "stand",      "tap"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(name, others[i]) == 0) { return false; }
    }
    return true;
}

// Begins or adds a list. Returns whether it has a skill that may go beyond limits.
static bool begin_list(bytes *b, fr_performer *performer, bool is_added, const fr_performer_input *world,
                       fr_object_id object) {
    fr_task tasks[MAX_TASKS];
    static goals lists[MAX_TASKS];
    uint32_t links = fr_performer_get(performer).posture.count, count = next_byte(b) % (MAX_TASKS + 1);
    bool is_other = false;
    for (uint32_t i = 0; i < count; i++) {
        tasks[i] = next_task(b, links, object, &lists[i]);
        is_other = is_other || !keeps_limits(tasks[i].skill->name);
    }
    uint64_t before = fr_performer_hash(performer);
    fr_error error = {0};
    fr_status status = is_added ? fr_performer_add(performer, tasks, count, world, &error)
                                : fr_performer_begin(performer, tasks, count, world, &error);
    if (status == FR_OK) { return is_other; }
    require(error.status == status && error.message[0] != '\0' && fr_performer_hash(performer) == before);
    return false;
}

static void step_often(bytes *b, fr_performer *performer, fr_performer_input *world, bool has_limits) {
    static fr_performer_output output;
    fr_task_target target = {.task = next_byte(b), .target = next_pose(b)};
    world->targets = &target;
    world->target_count = target.task % 2;
    uint32_t steps = next_byte(b) % (MAX_STEPS + 1);
    for (uint32_t k = 0; k < steps; k++) {
        uint64_t before = fr_performer_hash(performer);
        fr_error error = {0};
        fr_status status = fr_performer_step(performer, world, &output, &error);
        if (status != FR_OK) {
            require(error.message[0] != '\0' && fr_performer_hash(performer) == before);
            break;
        }
        check_posture(fr_performer_get(performer).skeleton, &output.posture, has_limits);
        for (uint32_t i = 0; i < output.event_count; i++) {
            require(isfinite(output.events[i].numbers[0]) && isfinite(output.events[i].numbers[1]));
            require(output.events[i].name[0] != '\0');
        }
        for (uint32_t i = 0; i < output.end_count; i++) {
            require((output.ends[i].reason == FR_TASK_FAILED) == (output.ends[i].message[0] != '\0'));
        }
    }
    world->target_count = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes b = {data, size};
    make_bodies();
    uint8_t which = next_byte(&b);
    fr_performer *performer = make_performer(which, next_byte(&b));
    fr_object_id object = {0, 0, 0};
    fr_space *space = make_world(&b, &object);
    fr_performer_input world = {.space = which % 2 == 0 ? space : NULL};
    bool has_limits = which % BODIES != 2;
    for (int k = 0; k < MAX_OPERATIONS && b.size > 0; k++) {
        uint8_t operation = next_byte(&b) % 8;
        if (operation == 7) {
            (void)fr_performer_stop(performer, next_byte(&b));
        } else if (operation >= 4) {
            step_often(&b, performer, &world, has_limits);
        } else if (begin_list(&b, performer, operation % 2 == 1, &world, object)) {
            has_limits = false;
        }
    }
    fr_performer_destroy(performer);
    fr_space_destroy(space);
    return 0;
}
