// Commands: which person does what, by what the class of the object says about the motion.
#include "act/director.h"

#include "fureai/base_drawing.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Parameters: of the command, of the skill, of the motion, in this order

static const fr_class_value *find_value(const fr_class_values *values, const char *key) {
    for (uint32_t i = 0; i < values->count; i++) {
        if (strcmp(values->list[i].key, key) == 0) { return &values->list[i]; }
    }
    return NULL;
}

static const char *command_text(const fr_command *command, const char *key) {
    for (uint32_t i = 0; i < command->parameter_count; i++) {
        if (strcmp(command->parameters[i].key, key) == 0) { return command->parameters[i].value; }
    }
    return NULL;
}

static const fr_class_value *class_value(const fr__director_source *m, const char *key) {
    const fr_class_value *value = m->own != NULL ? find_value(&m->own->parameters, key) : NULL;
    return value == NULL && m->motion != NULL ? find_value(&m->motion->parameters, key) : value;
}

// A text; NULL: none is given.
static const char *text_of(const fr__director_source *m, const char *key) {
    const char *text = command_text(m->command, key);
    if (text != NULL) { return text; }
    const fr_class_value *value = class_value(m, key);
    return value != NULL && value->kind == FR_CLASS_TEXT ? value->text : NULL;
}

static fr_status wrong_number(const fr__director_source *m, const char *key, uint32_t count, fr_error *error) {
    if (count == 1) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' of '%s' is a number", key, m->command->name);
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' of '%s' is %u numbers", key, m->command->name, (unsigned)count);
}

// `count` numbers, of a command written with commas between; *is_given is false where there are none.
static fr_status numbers_of(const fr__director_source *m, const char *key, uint32_t count, double *out, bool *is_given,
                            fr_error *error) {
    const char *text = command_text(m->command, key);
    const fr_class_value *value = text == NULL ? class_value(m, key) : NULL;
    *is_given = text != NULL || value != NULL;
    if (value != NULL) {
        if (value->kind == FR_CLASS_TEXT || value->count != count) { return wrong_number(m, key, count, error); }
        memcpy(out, value->numbers, count * sizeof *out);
    }
    if (text == NULL) { return FR_OK; }
    const char *end = text + strlen(text);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && (text == end || *text++ != ',')) { return wrong_number(m, key, count, error); }
        if (fr_number_read(&text, end, &out[i]) != FR_NUMBER_OK || !isfinite(out[i])) {
            return wrong_number(m, key, count, error);
        }
    }
    return text == end ? FR_OK : wrong_number(m, key, count, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Fields

static const fr_class_frame *find_frame(const fr_class_view *c, const char *name) {
    for (uint32_t i = 0; i < c->frame_count; i++) {
        if (strcmp(c->frames[i].name, name) == 0) { return &c->frames[i]; }
    }
    return NULL;
}

static fr_pose seat_pose(const fr_class_seat *seat) {
    const fr_vec3 up = {0.0, 1.0, 0.0};
    return fr_pose_make(seat->position, fr_quat_from_axis_angle(up, seat->facing));
}

// Where on the object the skill acts: at the frame that `frame` names, else on the seat or at the grip where the class
// has one and the skill is about it, else at the object's origin.
static fr_status set_target(const fr__director_source *m, fr_skill_fields *fields, fr_error *error) {
    fields->target = fr_pose_identity();
    fields->given |= FR_FIELD_TARGET;
    const char *name = text_of(m, "frame");
    if (m->is_person) { return FR_OK; } // its frames are its links
    if (name != NULL) {
        const fr_class_frame *frame = m->c != NULL ? find_frame(m->c, name) : NULL;
        if (frame == NULL) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' has no frame '%s'", m->c != NULL ? m->c->name : "it",
                                name);
        }
        fields->target = frame->pose;
        return FR_OK;
    }
    if (m->c == NULL) { return FR_OK; }
    bool is_seat = strcmp(m->skill->name, "sit") == 0;
    if (is_seat && m->c->seat != NULL) { fields->target = seat_pose(m->c->seat); }
    if (!is_seat && m->c->grip != NULL) { fields->target = m->c->grip->pose; }
    return FR_OK;
}

static fr_status set_side(const fr__director_source *m, fr_skill_fields *fields, fr_error *error) {
    const char *hand = text_of(m, "hand");
    if (hand == NULL) { return FR_OK; }
    bool is_right = strcmp(hand, "right") == 0, is_left = strcmp(hand, "left") == 0;
    if (!is_right && !is_left && strcmp(hand, "nearest") != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'hand' is right, left or nearest, not '%s'", hand);
    }
    fields->side = is_right ? FR_SIDE_RIGHT : is_left ? FR_SIDE_LEFT : FR_SIDE_NEAREST;
    fields->given |= FR_FIELD_SIDE;
    return FR_OK;
}

// NULL without memory.
static const char *copy_text(fr_arena *arena, const char *text) {
    char *copy = fr_arena_alloc(arena, strlen(text) + 1, 1, 1);
    return copy != NULL ? memcpy(copy, text, strlen(text) + 1) : NULL;
}

// A palm that is given no goal goes to the target: how it comes there, `grasp` says.
static fr_status set_tool(const fr__director_source *m, fr_arena *arena, fr__director_task *task, fr_error *error) {
    const char *tool = text_of(m, "tool");
    double turn_deg = 0.0;
    bool is_given;
    if (tool == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' needs 'tool'", m->command->name); }
    task->tool = copy_text(arena, tool);
    if (task->tool == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a command"); }
    fr_status status = numbers_of(m, "turn_deg", 1, &turn_deg, &is_given, error);
    if (status == FR_OK) { status = numbers_of(m, "lift", 1, &task->lift, &is_given, error); }
    task->turn = fr_radians(turn_deg);
    const char *spot = text_of(m, "spot");
    task->is_spot = spot != NULL && strcmp(spot, "free") == 0;
    if (status == FR_OK && spot != NULL && !task->is_spot) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'spot' is free, not '%s'", spot);
    }
    return status;
}

static fr_status set_grasp(const fr__director_source *m, fr_arena *arena, fr__director_task *task, fr_error *error) {
    if (strcmp(m->skill->name, "ik_reach") != 0 || (task->fields.given & FR_FIELD_TARGET) == 0) { return FR_OK; }
    const char *grasp = text_of(m, "grasp");
    bool is_beside = grasp != NULL && strcmp(grasp, "beside") == 0,
         is_tool = grasp != NULL && strcmp(grasp, "tool") == 0;
    if (grasp != NULL && !is_beside && !is_tool && strcmp(grasp, "before") != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'grasp' is before, beside or tool, not '%s'", grasp);
    }
    task->grasp = is_tool ? FR__GRASP_TOOL : is_beside ? FR__GRASP_BESIDE : FR__GRASP_BEFORE;
    fr_status status = is_tool ? set_tool(m, arena, task, error) : FR_OK;
    if (status != FR_OK) { return status; }
    task->grip_diameter = (task->fields.given & FR_FIELD_DIAMETER) != 0 ? task->fields.diameter : 0.0;
    task->fields.goal = fr_pose_identity();
    task->fields.given |= FR_FIELD_GOAL;
    return FR_OK;
}

// A point of a panel, u to the right and v up, each 0 .. 1, is a goal in the plane of the target. The class says how
// large the panel is.
static fr_status set_point(const fr__director_source *m, fr__director_task *task, bool *is_given, fr_error *error) {
    double point[2];
    *is_given = false;
    if (m->c == NULL || m->motion == NULL || (m->motion->fields & FR_CLASS_ASKS_POINT) == 0) { return FR_OK; }
    fr_status status = numbers_of(m, "point", 2, point, is_given, error);
    if (status != FR_OK || !*is_given) { return status; }
    const fr_class_value *size = find_value(&m->c->extra, "panel_size");
    if (size == NULL || size->count != 2) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' has no 'panel_size' of two numbers", m->c->name);
    }
    if (point[0] < 0.0 || point[0] > 1.0 || point[1] < 0.0 || point[1] > 1.0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'point' of '%s' is within 0 and 1", m->command->name);
    }
    fr_vec3 at = {(point[0] - 0.5) * size->numbers[0], (point[1] - 0.5) * size->numbers[1], 0.0};
    task->fields.goal = fr_pose_make(fr_pose_apply(&task->fields.target, at), task->fields.target.rotation);
    task->fields.given |= FR_FIELD_GOAL;
    task->is_goal_local = true;
    return FR_OK;
}

// The goal of the command is in the world, that of a class in the object's frame.
static fr_status set_goal(const fr__director_source *m, fr_arena *arena, fr__director_task *task, fr_error *error) {
    fr_skill_fields *fields = &task->fields;
    if ((m->command->given & FR_COMMAND_GOAL) != 0) {
        fields->goal = fr_pose_make(m->command->goal, fr_quat_identity());
        fields->given |= FR_FIELD_GOAL;
        return FR_OK;
    }
    double numbers[3];
    bool is_given;
    fr_status status = set_point(m, task, &is_given, error);
    if (status != FR_OK || is_given) { return status; }
    status = numbers_of(m, "goal", 3, numbers, &is_given, error);
    if (status != FR_OK) { return status; }
    fields->goal = fr_pose_identity();
    if (is_given) {
        fields->goal.position = fr_vec3_make(numbers[0], numbers[1], numbers[2]);
    } else {
        return set_grasp(m, arena, task, error);
    }
    fields->given |= FR_FIELD_GOAL;
    task->is_goal_local = true;
    return FR_OK;
}

// A number of the fields by the key of a parameter.
static fr_status set_number(const fr__director_source *m, const char *key, uint32_t bit, double *out, uint32_t *given,
                            fr_error *error) {
    bool is_given;
    fr_status status = numbers_of(m, key, 1, out, &is_given, error);
    if (status == FR_OK && is_given) { *given |= bit; }
    return status;
}

static fr_status set_word(const fr__director_source *m, fr_skill_fields *fields, fr_error *error) {
    const char *word = text_of(m, "word");
    if (word == NULL) { return FR_OK; }
    if (strlen(word) > FR_MAX_SKILL_WORD) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'word' of '%s' is too long", m->command->name);
    }
    memcpy(fields->word, word, strlen(word) + 1);
    fields->given |= FR_FIELD_WORD;
    return FR_OK;
}

static fr_status set_clip(const fr_director *d, const fr__director_source *m, const fr__director_person *person,
                          fr_arena *arena, fr__director_task *task, fr_error *error) {
    const char *path = m->own != NULL ? m->own->data : NULL;
    if (path == NULL && m->motion != NULL && m->motion->data.count > 0) { path = m->motion->data.list[0]; }
    if (path == NULL) { path = text_of(m, "clip"); }
    if (path == NULL) { return FR_OK; }
    const char *class_name = m->c != NULL ? m->c->name : ".";
    fr_status status = FR_OK;
    if (task->program.name != NULL) {
        status = fr__director_set_data(d, class_name, path, arena, &task->program, error);
        // What a program of one's own reads from it is its own affair.
        if (status != FR_OK || fr_skill_find(task->program.name) == NULL) { return status; }
    }
    fr_clip *clip;
    status = fr__director_load_clip(d, class_name, path, person, &clip, error);
    if (status != FR_OK) { return status; }
    fr_skill_fields *fields = &task->fields;
    fields->clip = clip;
    fields->given |= FR_FIELD_CLIP;
    return FR_OK;
}

// The keys of a text that is typed: frames of the class named by their characters.
static fr_status set_poses(const fr__director_source *m, fr_arena *arena, fr_skill_fields *fields, fr_error *error) {
    const char *text = text_of(m, "text");
    if (text == NULL || m->c == NULL) { return FR_OK; }
    size_t size = strlen(text);
    fr_pose *poses = fr_arena_alloc(arena, FR_MAX_SKILL_POSES, sizeof *poses, alignof(fr_pose));
    if (poses == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the keys of a text"); }
    uint32_t count = 0;
    for (size_t at = 0; at < size;) {
        char key[5] = {0};
        size_t length = fr_utf8_length(text + at, size - at);
        if (length == 0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the text is not UTF-8"); }
        memcpy(key, text + at, length);
        const fr_class_frame *frame = find_frame(m->c, key);
        if (frame == NULL && strcmp(key, " ") == 0) { frame = find_frame(m->c, "space"); }
        if (frame == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' has no key '%s'", m->c->name, key); }
        if (count == FR_MAX_SKILL_POSES) {
            return fr_error_set(error, FR_ERROR_LIMIT, "a text has at most %u keys", FR_MAX_SKILL_POSES);
        }
        poses[count++] = frame->pose;
        at += length;
    }
    if (count == 0) { return FR_OK; }
    fields->poses = poses;
    fields->pose_count = count;
    fields->given |= FR_FIELD_POSES;
    return FR_OK;
}

// What the skill needs and did not get. What two people do, and where a person is, is known when it begins.
static fr_status check_needs(const fr__director_source *m, uint32_t given, fr_error *error) {
    uint32_t missing = m->skill->needs & ~given;
    if (m->skill->partner != NULL) { missing &= FR_FIELD_TARGET; }
    if (m->is_person) { missing &= ~FR_FIELD_HEADING; }
    for (uint32_t bit = 0; bit < FR_FIELD_COUNT; bit++) {
        if ((missing >> bit & 1u) == 0) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' needs '%s'", m->command->name,
                            fr_skill_field_name(1u << bit));
    }
    return FR_OK;
}

// A heading that the class gives is about the object; without one it is in the world.
static fr_status set_facing(const fr_director *d, const fr__director_source *m, fr_skill_fields *fields,
                            fr_error *error) {
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), m->command->object);
    double degrees;
    bool is_given;
    fr_status status = numbers_of(m, "facing_deg", 1, &degrees, &is_given, error);
    if (status != FR_OK || !is_given) { return status; }
    fields->heading = fr_radians(degrees);
    if (view != NULL) {
        fr_vec3 ahead = fr_mat3_apply(fr_quat_to_mat3(view->pose.rotation), fr_vec3_make(0.0, 0.0, 1.0));
        fields->heading += fr_atan2(ahead.x, ahead.z);
    }
    fields->given |= FR_FIELD_HEADING;
    return FR_OK;
}

static fr_status set_numbers(const fr_director *d, const fr__director_source *m, fr_skill_fields *fields,
                             fr_error *error) {
    fr_status status = set_number(m, "value", FR_FIELD_VALUE, &fields->value, &fields->given, error);
    if (status == FR_OK) { status = set_number(m, "speed", FR_FIELD_SPEED, &fields->speed, &fields->given, error); }
    if (status == FR_OK) {
        status = set_number(m, "diameter", FR_FIELD_DIAMETER, &fields->diameter, &fields->given, error);
    }
    bool has_grip = m->c != NULL && m->c->grip != NULL && m->c->grip->diameter > 0.0;
    if ((fields->given & FR_FIELD_DIAMETER) == 0 && has_grip) {
        fields->diameter = m->c->grip->diameter;
        fields->given |= FR_FIELD_DIAMETER;
    }
    uint32_t frames = m->command->frames > 0 ? m->command->frames : m->own != NULL ? m->own->frames : 0;
    if (frames > 0) {
        fields->frames = frames;
        fields->given |= FR_FIELD_FRAMES;
    }
    if ((m->command->given & FR_COMMAND_FACING) != 0) {
        fields->heading = m->command->facing;
        fields->given |= FR_FIELD_HEADING;
    } else if (status == FR_OK) {
        status = set_facing(d, m, fields, error);
    }
    return status;
}

// The link of a person that is meant, by its name.
static fr_status set_bone(const fr__director_source *m, fr__director_task *task, fr_error *error) {
    static const char *const names[FR_LINK_COUNT] = {
#define LINK_NAME(name, parent, text, h_anim, bvh) [FR_LINK_##name] = text,
        FR_LINK_TABLE(LINK_NAME)
#undef LINK_NAME
    };
    const char *name = text_of(m, "frame");
    for (uint32_t i = 0; i < FR_LINK_COUNT && name != NULL && task->bone1 == 0; i++) {
        if (strcmp(names[i], name) == 0) { task->bone1 = i + 1; }
    }
    if (name == NULL || task->bone1 != 0) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "a person has no link '%s'", name);
}

// Only what the skill knows is given to it.
static fr_status fill_task(const fr_director *d, const fr__director_source *m, const fr__director_person *person,
                           fr_arena *arena, fr__director_task *task, fr_error *error) {
    fr_skill_fields *fields = &task->fields;
    fr_status status = set_numbers(d, m, fields, error);
    if (status == FR_OK && task->object.index1 != 0) {
        fields->object = task->object;
        fields->given |= FR_FIELD_OBJECT;
        status = set_target(m, fields, error);
    }
    if (status == FR_OK) { status = set_goal(m, arena, task, error); }
    if (status == FR_OK) { status = set_side(m, fields, error); }
    if (status == FR_OK) { status = set_word(m, fields, error); }
    if (status == FR_OK) { status = set_poses(m, arena, fields, error); }
    uint32_t known = m->skill->needs | m->skill->takes;
    if (status == FR_OK && (known & FR_FIELD_CLIP) != 0) { status = set_clip(d, m, person, arena, task, error); }
    if (status == FR_OK && m->is_person) { status = set_bone(m, task, error); }
    bool is_given;
    if (status == FR_OK) { status = numbers_of(m, "patience", 1, &task->patience, &is_given, error); }
    fields->given &= known | FR_FIELD_OBJECT | FR_FIELD_FRAMES | FR_FIELD_CLIP;
    return status == FR_OK ? check_needs(m, fields->given, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Lists

// A program of one's own takes whatever is given.
static const fr_skill any_program = {.name = "program", .takes = UINT32_MAX >> (32 - FR_FIELD_COUNT)};

static const fr_skill *find_skill(const fr_director *d, const char *name, fr_error *error) {
    const fr_skill *skill = fr_skill_find(name);
    if (skill != NULL) { return skill; }
    if (d->def.plug_ins != NULL && fr_plug_ins_has(d->def.plug_ins, name)) { return &any_program; }
    fr_suggestion suggestion = fr_suggestion_begin(name);
    for (uint32_t i = 0; i < fr_skill_count(); i++) {
        fr_suggestion_offer(&suggestion, fr_skill_at(i)->name);
    }
    fr_error_set(error, FR_ERROR_ARGUMENT,
                 suggestion.best != NULL ? "no skill '%s'; did you mean '%s'?" : "no skill '%s'", name,
                 suggestion.best);
    return NULL;
}

// The tasks of a list while it is made, by stage.
typedef struct list_making {
    fr_director *d;
    const fr__director_person *person;
    fr__director_list *list;
    fr__director_task_array tasks;
    fr_uint32_array stages; // of each task
    uint32_t stage_count;
} list_making;

static fr_status add_task(list_making *g, const fr__director_source *m, uint32_t stage, fr_error *error) {
    fr__director_task *task = fr__director_task_array_push(&g->tasks, 1);
    uint32_t *of = fr_uint32_array_push(&g->stages, 1);
    if (task == NULL || of == NULL) {
        if (task != NULL) { g->tasks.count--; }
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a command");
    }
    memset(task, 0, sizeof *task);
    *of = stage;
    // A program sees no shapes.
    fr__director_source source = *m;
    source.looks = m->skill->may_read_space && fr_performer_get(fr_person_performer(g->person->person)).figure != NULL;
    fr_status status = fr__director_set_program(g->d, &source, g->list->arena, &task->program, error);
    if (status != FR_OK) { return status; }
    task->is_blind = task->program.name != NULL || (source.looks && g->d->def.is_forced);
    task->skill = m->skill;
    task->object = m->command->object;
    task->start = (stage == 0 ? m->command->start : 0) + (m->own != NULL ? m->own->start : 0);
    if (stage + 1 > g->stage_count) { g->stage_count = stage + 1; }
    return fill_task(g->d, m, g->person, g->list->arena, task, error);
}

// What the object does meanwhile, and what is held of it: the frame `knob`, else its grip.
static fr_status set_object_skill(const fr_director *d, fr__director_source *m, fr_arena *arena,
                                  fr__director_motion *motion, fr_error *error) {
    if (m->motion->object == NULL) { return FR_OK; }
    m->own = m->motion->object;
    motion->skill = fr_object_skill_find(m->own->name);
    fr_status status = fr__director_set_program(d, m, arena, &motion->program, error);
    if (status != FR_OK) { return status; }
    if (m->own->data != NULL && motion->program.name != NULL) {
        status = fr__director_set_data(d, m->c->name, m->own->data, arena, &motion->program, error);
        if (status != FR_OK) { return status; }
    }
    if (motion->skill == NULL && motion->program.name == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "objects have no skill '%s'", m->own->name);
    }
    bool is_given;
    status = numbers_of(m, "threshold", 1, &motion->threshold, &is_given, error);
    if (status == FR_OK) { status = numbers_of(m, "size", 1, &motion->size, &is_given, error); }
    const char *after = text_of(m, "after");
    motion->after = after != NULL ? copy_text(arena, after) : NULL;
    if (after != NULL && motion->after == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a command");
    }
    const char *knob = text_of(m, "knob");
    const fr_class_frame *frame = knob != NULL ? find_frame(m->c, knob) : NULL;
    if (knob != NULL && frame == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'%s' has no frame '%s'", m->c->name, knob);
    }
    const char *surface = text_of(m, "frame");
    const fr_class_frame *pressed = surface != NULL ? find_frame(m->c, surface) : NULL;
    motion->surface = pressed != NULL ? pressed->pose : fr_pose_identity();
    // What follows a hand is about its origin, unless it says where it is held.
    bool is_by_grip = m->c->grip != NULL && strcmp(m->own->name, "follow_hand") != 0;
    motion->has_knob = frame != NULL || is_by_grip;
    if (motion->has_knob) { motion->knob = frame != NULL ? frame->pose.position : m->c->grip->pose.position; }
    return status;
}

static fr_status add_motion(list_making *g, const fr_command *command, fr_error *error) {
    fr__director_motion *motion = &g->list->motions[g->list->motion_count++];
    memset(motion, 0, sizeof *motion);
    fr_utf8_repair(command->name, motion->name, sizeof motion->name);
    motion->object = command->object;
    fr_class *c = command->object.index1 != 0 ? fr__director_new_class(g->d, g->person, command->object) : NULL;
    fr__director_source m = {.command = command, .c = c != NULL ? fr_class_get(c) : NULL};
    m.is_person = fr__director_find_skin(g->d, command->object) != NULL;
    if (c != NULL) { motion->c = fr_class_retain(c); }
    if (c != NULL) { m.motion = fr__director_find_motion(g->d, command->object, m.c, command->name, error); }
    motion->is_afforded = m.motion != NULL;
    if (m.motion == NULL && c != NULL && fr__director_has_motion(m.c, command->name)) { return FR_ERROR_ARGUMENT; }
    if (m.motion == NULL) { // a skill by its own name, with any object
        fr_error *unless = c != NULL && find_skill(g->d, command->name, NULL) == NULL ? NULL : error;
        m.skill = find_skill(g->d, command->name, unless);
        if (m.skill == NULL || fr__director_check_parameters(g->d, command, NULL, error) != FR_OK) {
            return FR_ERROR_ARGUMENT;
        }
        return add_task(g, &m, 0, error);
    }
    const char *from = command_text(command, "from");
    bool has_walk = m.motion->is_in_order && m.motion->skill_count > 1 && strcmp(m.motion->skills[0].name, "walk") == 0;
    bool is_here = from != NULL && strcmp(from, "here") == 0 && has_walk;
    if (from != NULL && strcmp(from, "here") != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "'from' is here, not '%s'", from);
    }
    fr_status status = fr__director_check_parameters(g->d, command, m.motion, error);
    if (status == FR_OK) { status = set_object_skill(g->d, &m, g->list->arena, motion, error); }
    for (uint32_t i = 0; i < m.motion->skill_count && status == FR_OK; i++) {
        m.own = &m.motion->skills[i];
        m.skill = find_skill(g->d, m.own->name, error);
        // Who stands where it shall stand goes nowhere.
        if (is_here && i == 0) { continue; }
        status = m.skill != NULL ? add_task(g, &m, m.motion->is_in_order ? i - is_here : 0, error) : FR_ERROR_ARGUMENT;
    }
    return status;
}

// The tasks go to the list by their stages; at most FR_MAX_TASKS in each.
static fr_status settle_list(list_making *g, fr_error *error) {
    fr__director_list *list = g->list;
    list->tasks = fr_arena_alloc(list->arena, g->tasks.count + 1, sizeof *list->tasks, alignof(fr__director_task));
    list->ends = fr_arena_alloc(list->arena, (size_t)g->stage_count + 1, sizeof *list->ends, alignof(uint32_t));
    if (list->tasks == NULL || list->ends == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a command");
    }
    uint32_t count = 0;
    for (uint32_t stage = 0; stage < g->stage_count; stage++) {
        uint32_t first = count;
        for (size_t i = 0; i < g->tasks.count; i++) {
            if (g->stages.data[i] == stage) { list->tasks[count++] = g->tasks.data[i]; }
        }
        list->ends[stage] = count;
        if (count - first <= FR_MAX_TASKS) { continue; }
        return fr_error_set(error, FR_ERROR_LIMIT, "a person does at most %u things at once", FR_MAX_TASKS);
    }
    list->stage_count = g->stage_count;
    return FR_OK;
}

static void release_clips(const fr__director_task *tasks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if ((tasks[i].fields.given & FR_FIELD_CLIP) != 0) { fr_clip_release(tasks[i].fields.clip); }
    }
}

fr_status fr__director_list_make(fr_director *d, const fr__director_person *person, const fr_command *command,
                                 fr__director_list *out, fr_error *error) {
    memset(out, 0, sizeof *out);
    if (strcmp(command->name, FR_DIRECTOR_GOAL) == 0) { return fr__director_pursuit_make(d, command, out, error); }
    out->ticket = command->ticket;
    fr_status status = fr_arena_create(0, &d->allocator, &out->arena, error);
    if (status != FR_OK) { return status; }
    out->motions = fr_arena_alloc(out->arena, (size_t)command->fused_count + 1, sizeof *out->motions, 8);
    if (out->motions == NULL) {
        fr__director_list_end(d, out);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a command");
    }
    list_making g = {.d = d, .person = person, .list = out};
    g.tasks = fr__director_task_array_make(&d->allocator);
    g.stages = fr_uint32_array_make(&d->allocator);
    status = add_motion(&g, command, error);
    for (uint32_t i = 0; i < command->fused_count && status == FR_OK; i++) {
        status = add_motion(&g, &command->fused[i], error);
    }
    if (status == FR_OK) { status = settle_list(&g, error); }
    if (status != FR_OK) {
        release_clips(g.tasks.data, g.tasks.count);
        out->stage_count = 0;
        fr__director_list_end(d, out);
    }
    fr__director_task_array_destroy(&g.tasks);
    fr_uint32_array_destroy(&g.stages);
    return status;
}

void fr__director_list_end(fr_director *d, fr__director_list *list) {
    (void)d;
    if (list->stage_count > 0) { release_clips(list->tasks, list->ends[list->stage_count - 1]); }
    uint32_t task_count = list->stage_count > 0 ? list->ends[list->stage_count - 1] : 0;
    for (uint32_t i = 0; i < task_count; i++) {
        fr_plug_in_destroy(list->tasks[i].plug_in);
    }
    for (uint32_t i = 0; i < list->motion_count; i++) {
        fr_class_release(list->motions[i].c);
    }
    fr__director_pursuit_end(list->pursuit);
    if (list->arena != NULL) { fr_arena_destroy(list->arena); }
    memset(list, 0, sizeof *list);
}

// ---------------------------------------------------------------------------------------------------------------
// Who does it

static fr_vec3 place_of(const fr__director_person *person) { return fr_person_links(person->person)[0].position; }

// Of those with the fewest commands the one nearest to the object; without an object the first.
static fr__director_person *choose_person(const fr_director *d, fr_object_id object) {
    const fr_object_view *view = object.index1 != 0 ? fr_object_get(fr_world_space(d->world), object) : NULL;
    fr__director_person *best = NULL;
    double best_distance = 0.0;
    for (uint32_t i = 0; i < d->person_count; i++) {
        fr__director_person *person = d->people[i];
        bool is_itself = object.index1 != 0 && fr_object_id_equal(object, fr_person_skin(person->person));
        if (person->away > 0 || is_itself) { continue; }
        double distance = view != NULL ? fr_vec3_distance(place_of(person), view->pose.position) : 0.0;
        bool is_better = best == NULL || fr__director_list_count(person) < fr__director_list_count(best) ||
                         (fr__director_list_count(person) == fr__director_list_count(best) && distance < best_distance);
        if (!is_better) { continue; }
        best = person;
        best_distance = distance;
    }
    return best;
}

static fr_status no_person(const fr_director *d, const char *name, fr_error *error) {
    fr_suggestion suggestion = fr_suggestion_begin(name);
    for (uint32_t i = 0; i < d->person_count; i++) {
        fr_suggestion_offer(&suggestion, fr_person_name(d->people[i]->person));
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT,
                        suggestion.best != NULL ? "there is no person '%s'; did you mean '%s'?"
                                                : "there is no person '%s'",
                        name, suggestion.best);
}

fr_status fr__director_command(const fr_command *command, void *user, fr_error *error) {
    fr_director *d = user;
    if (d->person_count == 0) { return fr_error_set(error, FR_ERROR_UNSUPPORTED, "there are no people"); }
    bool is_named = command->person != NULL && command->person[0] != '\0';
    fr__director_person *person =
        is_named ? fr__director_find_person(d, command->person) : choose_person(d, fr__director_about(d, command));
    if (person == NULL && !is_named) { return fr_error_set(error, FR_ERROR_BUSY, "programs outside move all people"); }
    if (person == NULL) { return no_person(d, command->person, error); }
    if (person->away > 0) {
        return fr_error_set(error, FR_ERROR_BUSY, "%s moves %s", fr__director_rival(d, person),
                            fr_person_name(person->person));
    }
    if (strcmp(command->name, FR_DIRECTOR_STOP) == 0) {
        person->is_stopped = true;
        return FR_OK;
    }
    if (d->command_count == FR_DIRECTOR_MAX_COMMANDS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "%u commands wait already", FR_DIRECTOR_MAX_COMMANDS);
    }
    fr__director_list list;
    fr_status status = fr__director_list_make(d, person, command, &list, error);
    if (status != FR_OK) { return status; }
    fr__director_list *place = fr__director_list_array_push(&person->lists, 1);
    if (place == NULL) {
        fr__director_list_end(d, &list);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a command");
    }
    *place = list;
    d->command_count++;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// What an object affords

const fr_affordance *fr__director_affords(fr_object_id object, uint32_t index, void *user) {
    fr_director *d = user;
    const fr_class *c =
        d->person_count > 0 && index == 0 ? fr__director_new_class(d, NULL, object) : fr__director_class(d, object);
    if (d->person_count == 0) { return NULL; }
    if (c == NULL) { return NULL; }
    const fr_class_state *state = fr__director_state(d, object, fr_class_get(c));
    if (index >= state->motion_count) { return NULL; }
    const fr_class_motion *motion = &state->motions[index];
    bool walks = motion->is_in_order && motion->skill_count > 1 && strcmp(motion->skills[0].name, "walk") == 0;
    const fr_skill *skill = fr_skill_find(motion->skills[walks ? 1 : 0].name);
    d->affordance = (fr_affordance){.name = motion->name, .fields = d->fields};
    d->affordance.about = skill != NULL ? skill->words : NULL;
    const char *name;
    for (uint32_t bit = 0; (name = fr_class_field_name(bit)) != NULL && d->affordance.field_count < 8; bit++) {
        if ((motion->fields >> bit & 1u) == 0) { continue; }
        bool is_free = 1u << bit == FR_CLASS_ASKS_FRAMES || 1u << bit == FR_CLASS_ASKS_START;
        d->fields[d->affordance.field_count++] = (fr_affordance_field){name, !is_free};
    }
    return &d->affordance;
}
