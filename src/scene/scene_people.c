// The people of a scene: how they are read, and how they stand at first.
#include "scene/scene_reader.h"

#include <string.h>

// Proxies of one person never meet one another: each person has a group of its own, far from those of files.
#define FIRST_GROUP (INT32_MIN + 1)

enum { NAME_MAX_BYTES = FR_WORLD_NAME_MAX_BYTES - 32 }; // the name of a piece comes behind it

// ---------------------------------------------------------------------------------------------------------------
// Standing

fr_status fr__scene_person_skeleton(const fr_scene_person *person, const fr_allocator *allocator, fr_skeleton **out,
                                    fr_error *error) {
    fr_body_def body = person->body;
    body.allocator = *allocator;
    return fr_skeleton_create_body(&body, out, error);
}

// Where the links of a person are who stands upright, FR_LINK_COUNT of them, about its place.
static void stand(const fr_scene_person *person, const fr_skeleton *skeleton, fr_pose *bones) {
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    (void)fr_posture_rest(skeleton, &posture, NULL); // a body of that many links does not fail
    fr_quat turn = fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), person->heading);
    turns[0] = fr_quat_multiply(turn, turns[0]);
    (void)fr_posture_poses(skeleton, &posture, 1, bones, NULL);
}

fr_status fr__scene_person_place(const fr_scene *scene, uint32_t object, fr_space *space, fr_object_id id,
                                 fr_error *error) {
    const fr_scene_object *o = &scene->view.objects[object];
    if (o->person == FR_NONE || o->proxy != FR_NONE) { return FR_OK; }
    const fr_scene_person *person = &scene->view.people[o->person];
    fr_skeleton *skeleton;
    fr_status status = fr__scene_person_skeleton(person, &scene->allocator, &skeleton, error);
    if (status != FR_OK) { return status; }
    fr_pose bones[FR_LINK_COUNT];
    stand(person, skeleton, bones);
    fr_skeleton_release(skeleton);
    return fr_object_set_bones(space, id, bones, FR_LINK_COUNT, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

enum {
    PERSON_NAME,
    PERSON_STATURE,
    PERSON_MASS,
    PERSON_SEED,
    PERSON_CURVES,
    PERSON_DETAIL,
    PERSON_POSITION,
    PERSON_HEADING,
    PERSON_SOLID,
    PERSON_SPEED,
    PERSON_VARIETY,
    PERSON_LOOP,
    PERSON_DOES,
    PERSON_CLASS,
    PERSON_KEYS
};

#define AMOUNT(name, member, low, high)                                                                                \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBER, .offset = offsetof(fr_scene_person, member), .range = { low, high }    \
    }

static const fr_json_word details[] = {{"coarse", FR_FIGURE_COARSE}, {"fine", FR_FIGURE_FINE}, {NULL, 0}};
static const fr_json_word solids[] = {
    {"links", FR_SCENE_SOLID_LINKS}, {"skin", FR_SCENE_SOLID_SKIN}, {"none", FR_SCENE_SOLID_NONE}, {NULL, 0}};

static const fr_json_field person_fields[PERSON_KEYS] = {
    [PERSON_NAME] = {.key = "name",
                     .is_required = true,
                     .type = FR_JSON_AS_STRING,
                     .offset = offsetof(fr_scene_person, name),
                     .count = NAME_MAX_BYTES},
    [PERSON_STATURE] = AMOUNT("stature", body.stature, 1.0, 2.0),
    [PERSON_MASS] = AMOUNT("mass", body.mass, 1.0, 500.0),
    [PERSON_SEED] = {.key = "seed",
                     .type = FR_JSON_AS_WHOLE,
                     .offset = offsetof(fr_scene_person, seed),
                     .range = {0.0, UINT32_MAX}},
    [PERSON_CURVES] = AMOUNT("curves", curves, 0.0, 1.0),
    [PERSON_DETAIL] = {.key = "detail",
                       .type = FR_JSON_AS_WORD,
                       .offset = offsetof(fr_scene_person, detail),
                       .words = details},
    [PERSON_POSITION] = FR__SCENE_VECTOR("position", fr_scene_person, place, FR_SCENE_PERSON_PLACE_MAX),
    [PERSON_HEADING] = AMOUNT("heading_deg", heading, -360.0, 360.0),
    [PERSON_SOLID] = {.key = "solid",
                      .type = FR_JSON_AS_WORD,
                      .offset = offsetof(fr_scene_person, solid),
                      .words = solids},
    [PERSON_SPEED] = AMOUNT("speed", speed, 0.01, 10.0),
    [PERSON_VARIETY] = AMOUNT("variety", variety, 0.0, 2.0),
    [PERSON_LOOP] = {.key = "loop", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr_scene_person, is_loop)},
    [PERSON_DOES] = {.key = "does"},
    [PERSON_CLASS] = {.key = "class"},
};

static fr_scene_object *add_object(fr__scene_reader *r, const char *name, fr_json_value value) {
    fr_scene_object *object = fr__scene_object_array_push(&r->scene->objects, 1);
    fr__name_place *place = fr__name_place_array_push(&r->names, 1);
    if (object == NULL || place == NULL) {
        fr_json_fail_memory(&r->reader);
        return NULL;
    }
    *place = (fr__name_place){name, value, (uint32_t)r->scene->objects.count - 1};
    *object = (fr_scene_object){.name = name, .pose = fr_pose_identity()};
    object->filter = fr_default_object_def().filter;
    object->color = fr_default_label().color;
    object->joint = object->proxy = object->tracked = FR_NONE;
    object->person = (uint32_t)r->scene->people.count;
    fr_json_place(r->reader.json, value, &r->reader.mark, &object->line, &object->column);
    return object;
}

// The name of a piece: that of the person and that of the piece.
static const char *name_piece(fr__scene_reader *r, const char *person, uint32_t proxy) {
    const char *piece = fr_figure_proxy_name(proxy);
    size_t length = strlen(person), more = strlen(piece) + 1;
    char *name = fr_arena_alloc(r->scene->strings, length + 1 + more, 1, 1);
    if (name == NULL) {
        fr_json_fail_memory(&r->reader);
        return NULL;
    }
    memcpy(name, person, length);
    name[length] = ' ';
    memcpy(name + length + 1, piece, more);
    return name;
}

static bool add_pieces(fr__scene_reader *r, const fr_scene_person *person, fr_json_value value) {
    fr_pose bones[FR_LINK_COUNT];
    fr_skeleton *skeleton;
    if (fr__scene_person_skeleton(person, &r->scene->allocator, &skeleton, NULL) != FR_OK) {
        return fr_json_fail_memory(&r->reader);
    }
    stand(person, skeleton, bones);
    fr_skeleton_release(skeleton);
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        const char *name = name_piece(r, person->name, i);
        fr_scene_object *object = name != NULL ? add_object(r, name, value) : NULL;
        if (object == NULL) { return false; }
        object->pose = bones[fr_figure_proxy_link(i)];
        object->pose.position = fr_vec3_add(object->pose.position, person->place);
        object->proxy = i;
        object->flags = FR_OBJECT_PROXY;
        object->filter.group = FIRST_GROUP + (int32_t)r->scene->people.count;
    }
    return true;
}

// The measures of the reader in place of the person's.
static bool take_body(fr__scene_reader *r, fr_json_value token, fr_scene_person *person) {
    fr_skeleton *skeleton = NULL;
    fr_error error = {0};
    person->body = *r->body;
    person->body.allocator = r->scene->allocator;
    fr_status status = fr__scene_person_skeleton(person, &r->scene->allocator, &skeleton, &error);
    fr_skeleton_release(skeleton);
    return status == FR_OK || fr_json_fail(&r->reader, token, status, "%s", error.message);
}

static bool read_person(fr__scene_reader *r, fr_json_value token, uint32_t max_objects) {
    fr_json_value values[PERSON_KEYS];
    fr_scene_person person = {.body = fr_default_body_def(), .detail = FR_FIGURE_FINE};
    bool right = fr_json_read_object(&r->reader, token, "a person", person_fields, PERSON_KEYS, values) &&
                 fr__scene_read_person_class(r, values[PERSON_CLASS], &person) &&
                 fr_json_read_fields(&r->reader, values, person_fields, PERSON_KEYS, &person);
    if (!right) { return false; }
    if (r->body != NULL && values[PERSON_DOES] == FR_JSON_NONE && !take_body(r, token, &person)) { return false; }
    person.heading = fr_radians(person.heading);
    person.object = (uint32_t)r->scene->objects.count;
    if (person.object + FR_FIGURE_PROXY_COUNT >= max_objects) {
        return fr_json_fail(&r->reader, token, FR_ERROR_LIMIT, "objects and people are more than %u objects",
                            (unsigned)max_objects);
    }
    fr_scene_object *skin = add_object(r, person.name, values[PERSON_NAME]);
    if (skin == NULL) { return false; }
    skin->pose.position = person.place;
    skin->flags = person.solid == FR_SCENE_SOLID_SKIN ? 0 : FR_OBJECT_GHOST;
    if (person.solid == FR_SCENE_SOLID_LINKS && !add_pieces(r, &person, values[PERSON_NAME])) { return false; }
    fr_scene_person *place = fr__scene_person_array_push(&r->scene->people, 1);
    if (place == NULL) { return fr_json_fail_memory(&r->reader); }
    *place = person;
    return true;
}

bool fr__scene_read_people(fr__scene_reader *r, fr_json_value token, uint32_t max_objects) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(&r->reader, token, "people", 0, FR_SCENE_MAX_PEOPLE)) { return false; }
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        if (!read_person(r, value, max_objects)) { return false; }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// What they do

static bool read_task(fr__scene_reader *r, fr_json_value value, fr_scene_person *person, uint32_t list) {
    fr_scene_task task = {.list = list, .object = FR_NONE};
    if (!fr_task_read(&r->reader, value, &task.text)) { return false; }
    if (person->task_count == FR_SCENE_MAX_TASKS) {
        return fr_json_fail(&r->reader, value, FR_ERROR_LIMIT, "a person has at most %d tasks", FR_SCENE_MAX_TASKS);
    }
    fr_json_value object = fr_json_member(r->reader.json, value, "object");
    if (object != FR_JSON_NONE && !fr__scene_read_object_name(r, object, "object", &task.object)) { return false; }
    fr_json_place(r->reader.json, value, &r->reader.mark, &task.line, &task.column);
    fr_scene_task *place = fr__scene_task_array_push(&r->scene->tasks, 1);
    if (place == NULL) { return fr_json_fail_memory(&r->reader); }
    *place = task;
    person->task_count++;
    return true;
}

// A list is a task, or several in an array, which are fused.
static bool read_list(fr__scene_reader *r, fr_json_value value, fr_scene_person *person, uint32_t list) {
    if (!fr_json_is(r->reader.json, value, FR_JSON_ARRAY)) { return read_task(r, value, person, list); }
    if (!fr_json_read_array(&r->reader, value, "a list of tasks", 1, FR_MAX_TASKS)) { return false; }
    for (fr_json_value task = fr_json_first(r->reader.json, value); task != FR_JSON_NONE;
         task = fr_json_next(r->reader.json, task)) {
        if (!read_task(r, task, person, list)) { return false; }
    }
    return true;
}

bool fr__scene_read_tasks(fr__scene_reader *r, fr_json_value people) {
    if (people == FR_JSON_NONE) { return true; }
    fr_json_value value = fr_json_first(r->reader.json, people);
    for (size_t i = 0; i < r->scene->people.count; i++, value = fr_json_next(r->reader.json, value)) {
        fr_json_value does = fr_json_member(r->reader.json, value, "does");
        if (does == FR_JSON_NONE) { continue; }
        if (!fr_json_read_array(&r->reader, does, "does", 0, FR_SCENE_MAX_TASKS)) { return false; }
        uint32_t list = 0;
        for (fr_json_value at = fr_json_first(r->reader.json, does); at != FR_JSON_NONE;
             at = fr_json_next(r->reader.json, at), list++) {
            if (!read_list(r, at, &r->scene->people.data[i], list)) { return false; }
        }
    }
    return true;
}

void fr__scene_settle_tasks(fr_scene *scene) {
    size_t at = 0;
    for (size_t i = 0; i < scene->people.count; i++) {
        fr_scene_person *person = &scene->people.data[i];
        person->tasks = person->task_count > 0 ? &scene->tasks.data[at] : NULL;
        at += person->task_count;
    }
}
