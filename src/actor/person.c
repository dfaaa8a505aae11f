// A person of a world: a performer, the skin that follows it, and the rigid pieces that are touched in its place.
#include "fureai/actor_person.h"

#include "fureai/base_drawing.h"

#include <math.h>
#include <string.h>

#define PERSON_COOKIE 0x50455253u

// The target of a task that goes with an object.
typedef struct carried_target {
    uint64_t task;
    fr_object_id object;
    uint32_t bone1; // as of fr_person_task
    fr_pose local;
} carried_target;

FR_ARRAY_TYPE(person_event_array, fr_event);

// Where a body is.
typedef struct body_place {
    fr_pose links[FR_LINK_COUNT]; // in the world
    fr_pose bones[FR_LINK_COUNT]; // about the skin's place
    fr_vec3 skin;                 // its place
} body_place;

struct fr_person {
    fr_person_def def; // its pointers but world, skeleton and walk set are not read after its making
    fr_allocator allocator;
    char name[FR_PERSON_NAME_MAX_BYTES + 1];
    fr_object_id proxies[FR_FIGURE_PROXY_COUNT];
    bool has_proxies;
    fr_query_filter filter; // all but its own body
    fr_performer *performer;
    carried_target targets[FR_MAX_TASKS]; // of the tasks that were begun last
    uint32_t target_count;
    fr_performer_output output; // of the last step
    person_event_array events;  // of this tick, beside those of its skills
    uint64_t tick;              // that was begun last, and 1; 0: none
    body_place places[2];
    uint32_t now;   // which of them is that of the last step
    uint32_t shown; // and which is wished
};

fr_person_def fr_default_person_def(void) {
    fr_person_def def;
    memset(&def, 0, sizeof def);
    def.cookie = PERSON_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Where it is

// The links of a posture. The skin is about the point below the hip: its bones have small numbers however far it went.
static fr_status take_posture(fr_person *p, const fr_posture *posture, fr_error *error) {
    body_place *to = &p->places[p->now];
    fr_status status = fr_posture_poses(p->def.skeleton, posture, 1, to->links, error);
    if (status != FR_OK) { return status; }
    to->skin = fr_vec3_make(posture->place.x, p->def.place.y, posture->place.z);
    for (uint32_t i = 0; p->def.skin.index1 != 0 && i < FR_LINK_COUNT; i++) {
        to->bones[i] = to->links[i];
        to->bones[i].position = fr_vec3_sub(to->links[i].position, to->skin);
    }
    return FR_OK;
}

// One that is put somewhere is shown there at once.
static fr_status put_posture(fr_person *p, const fr_posture *posture, fr_error *error) {
    p->shown = p->now;
    return take_posture(p, posture, error);
}

static const body_place *shown(const fr_person *p) { return &p->places[p->shown]; }

static fr_pose skin_pose(const fr_person *p) { return fr_pose_make(shown(p)->skin, fr_quat_identity()); }

// Puts the objects where the links are, between ticks.
static fr_status put_objects(const fr_person *p, fr_error *error) {
    fr_space *space = fr_world_space(p->def.world);
    fr_status status = FR_OK;
    if (p->def.skin.index1 != 0) {
        fr_pose pose = skin_pose(p);
        status = fr_object_set_pose(space, p->def.skin, &pose, error);
        if (status == FR_OK) {
            status = fr_object_set_bones(space, p->def.skin, shown(p)->bones, FR_LINK_COUNT, error);
        }
    }
    for (uint32_t i = 0; p->has_proxies && i < FR_FIGURE_PROXY_COUNT && status == FR_OK; i++) {
        status = fr_object_set_pose(space, p->proxies[i], &shown(p)->links[fr_figure_proxy_link(i)], error);
    }
    return status;
}

// The posture at its place: as it stands by its walk set, else at rest.
static fr_status stand(const fr_person *p, fr_posture *posture, fr_error *error) {
    fr_status status = fr_posture_rest(p->def.skeleton, posture, error);
    if (status != FR_OK) { return status; }
    const fr_vec3 up = {0.0, 1.0, 0.0};
    posture->turns[0] = fr_quat_multiply(fr_quat_from_axis_angle(up, p->def.heading), posture->turns[0]);
    posture->place = fr_vec3_add(posture->place, p->def.place);
    if (p->def.walk_set == NULL) { return FR_OK; }
    double height = posture->place.y;
    status = fr_walk_set_stand(p->def.walk_set, p->def.place, p->def.heading, posture, error);
    if (p->def.place.y != 0.0) { posture->place.y = fmin(height, posture->place.y + p->def.place.y); }
    return status;
}

fr_status fr_person_put(fr_person *person, const fr_posture *posture, fr_error *error) {
    fr_status status = fr_performer_put(person->performer, posture, error);
    if (status == FR_OK) { status = put_posture(person, posture, error); }
    return status == FR_OK ? put_objects(person, error) : status;
}

fr_status fr_person_restart(fr_person *person, fr_error *error) {
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    person->target_count = person->output.event_count = person->output.end_count = 0;
    person->events.count = 0;
    person->tick = 0;
    fr_status status = stand(person, &posture, error);
    return status == FR_OK ? fr_person_put(person, &posture, error) : status;
}

fr_status fr_person_follow(fr_person *person, fr_error *error) {
    FR_ASSERT(person != NULL);
    if (person->def.skin.index1 == 0) { return FR_OK; }
    const fr_object_view *skin = fr_object_get(fr_world_space(person->def.world), person->def.skin);
    if (skin == NULL || skin->bones == NULL) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "the skin of %s is gone", person->name);
    }
    person->target_count = 0;
    const uint32_t *parents = fr_skeleton_get(person->def.skeleton)->parents;
    const uint8_t sole = FR_CONTACT_HEEL | FR_CONTACT_TOE;
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT, .contact_left = sole, .contact_right = sole};
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        fr_quat turn = skin->bones[i].rotation;
        turns[i] = i == 0 ? fr_quat_multiply(skin->pose.rotation, turn)
                          : fr_quat_multiply(fr_quat_conjugate(skin->bones[parents[i]].rotation), turn);
    }
    posture.place = fr_pose_apply(&skin->pose, skin->bones[0].position);
    fr_status status = fr_posture_check(person->def.skeleton, &posture, error);
    if (status == FR_OK) { status = fr_performer_put(person->performer, &posture, error); }
    return status == FR_OK ? put_posture(person, &posture, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status check_objects(const fr_person_def *def, fr_error *error) {
    const fr_space *space = fr_world_space(def->world);
    if (def->skin.index1 != 0) {
        const fr_object_view *view = fr_object_get(space, def->skin);
        if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object for a skin"); }
        if (view->bone_count != FR_LINK_COUNT) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skin of a person follows %u bones, not %u",
                                (unsigned)FR_LINK_COUNT, (unsigned)view->bone_count);
        }
    }
    for (uint32_t i = 0; def->proxies != NULL && i < FR_FIGURE_PROXY_COUNT; i++) {
        if (fr_object_exists(space, def->proxies[i])) { continue; }
        return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object for the %s of a person",
                            fr_figure_proxy_name(i));
    }
    return FR_OK;
}

static fr_status check_def(const fr_person_def *def, fr_error *error) {
    if (def->cookie != PERSON_COOKIE) { return fr_error_set_cookie(error, "fr_default_person_def"); }
    if (def->world == NULL || def->skeleton == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a person needs a world and a skeleton");
    }
    const fr_skeleton_view *skeleton = fr_skeleton_get(def->skeleton);
    bool is_body = skeleton->link_count == FR_LINK_COUNT;
    for (uint32_t i = 0; is_body && i < FR_LINK_COUNT; i++) {
        is_body = skeleton->roles[i] == i;
    }
    if (!is_body) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a person has the %u links of a body", (unsigned)FR_LINK_COUNT);
    }
    if (!fr_vec3_is_finite(def->place) || !isfinite(def->heading)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the place or heading of a person is not finite");
    }
    return check_objects(def, error);
}

static fr_status create_performer(fr_person *p, fr_error *error) {
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = p->def.skeleton;
    def.walk_set = p->def.walk_set;
    def.figure = p->def.figure;
    def.person = p->def.seed;
    def.variety = p->def.variety;
    def.rate = 1.0 / fr_world_step(p->def.world);
    def.allocator = p->allocator;
    return fr_performer_create(&def, &p->performer, error);
}

fr_status fr_person_create(const fr_person_def *def, fr_person **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_person *p = fr_allocate(&allocator, 1, sizeof *p, _Alignof(fr_person));
    if (p == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a person"); }
    memset(p, 0, sizeof *p);
    p->allocator = allocator;
    p->def = *def;
    fr_utf8_repair(def->name != NULL && def->name[0] != '\0' ? def->name : "a person", p->name, sizeof p->name);
    p->events = person_event_array_make(&allocator);
    p->filter = fr_default_query_filter();
    p->filter.ignore = def->skin;
    p->filter.accept = def->accept;
    p->filter.context = def->accept_context;
    if (def->proxies != NULL) {
        memcpy(p->proxies, def->proxies, sizeof p->proxies);
        p->has_proxies = true;
        p->filter.as_object = p->proxies[0];
    }
    (void)fr_skeleton_retain(def->skeleton);
    if (def->walk_set != NULL) { (void)fr_walk_set_retain(def->walk_set); }
    status = create_performer(p, error);
    if (status == FR_OK) { status = fr_person_restart(p, error); }
    if (status != FR_OK) {
        fr_person_destroy(p);
        return status;
    }
    *out = p;
    return FR_OK;
}

void fr_person_destroy(fr_person *person) {
    if (person == NULL) { return; }
    fr_performer_destroy(person->performer);
    person_event_array_destroy(&person->events);
    fr_walk_set_release(person->def.walk_set);
    fr_skeleton_release(person->def.skeleton);
    fr_allocator allocator = person->allocator;
    fr_deallocate(&allocator, person, 1, sizeof *person);
}

// ---------------------------------------------------------------------------------------------------------------
// Tasks

fr_performer *fr_person_performer(const fr_person *person) { return person->performer; }

const char *fr_person_name(const fr_person *person) { return person->name; }

// Where an object is at the end of this step, as far as it is known by now; with `bone1` a bone of its skin, which is
// known as it was before this step.
static bool find_object(const fr_person *p, const fr_wishes *wishes, fr_object_id object, uint32_t bone1,
                        fr_pose *out) {
    const fr_object_view *view = fr_object_get(fr_world_space(p->def.world), object);
    if (view == NULL) { return false; }
    const fr_wish *wish = wishes != NULL ? fr_wishes_find(wishes, object) : NULL;
    bool has_bone = bone1 > 0 && view->bones != NULL && bone1 <= view->bone_count;
    *out = wish != NULL && wish->kind != FR_WISH_STAY && !has_bone ? wish->pose : view->pose;
    out->scale = 1.0;
    if (has_bone) { *out = fr_pose_compose(out, &view->bones[bone1 - 1]); }
    out->scale = 1.0;
    return true;
}

// The poses of a task in the world; false where its object is gone.
static bool place_task(const fr_person *p, const fr_wishes *wishes, const fr_person_task *from, fr_task *to,
                       fr_pose *poses) {
    fr_skill_fields *fields = &to->fields;
    fr_pose frame;
    if ((fields->given & FR_FIELD_OBJECT) == 0) { return true; }
    if (!find_object(p, wishes, fields->object, from->bone1, &frame)) { return false; }
    if ((fields->given & FR_FIELD_TARGET) == 0) { fields->target = fr_pose_identity(); }
    fields->given |= FR_FIELD_TARGET;
    fields->target = fr_pose_compose(&frame, &fields->target);
    bool has_goal = (fields->given & FR_FIELD_GOAL) != 0;
    bool is_goal_local = has_goal && (from->in_world & FR_FIELD_GOAL) == 0;
    if (is_goal_local) { fields->goal = fr_pose_compose(&frame, &fields->goal); }
    if ((fields->given & FR_FIELD_POSES & ~from->in_world) == 0) { return true; }
    for (uint32_t i = 0; i < fields->pose_count; i++) {
        poses[i] = fr_pose_compose(&frame, &fields->poses[i]);
    }
    fields->poses = poses;
    return true;
}

// All tasks in the world, with room for their poses.
static fr_status place_tasks(const fr_person *p, const fr_wishes *wishes, const fr_person_task *from, uint32_t count,
                             fr_task *to, fr_pose *poses, fr_error *error) {
    for (uint32_t i = 0; i < count; i++) {
        to[i] = from[i].task;
        if (!place_task(p, wishes, &from[i], &to[i], poses)) {
            return fr_error_set(error, FR_ERROR_STALE_ID, "the object of '%s' is gone", to[i].skill->name);
        }
        if ((to[i].fields.given & FR_FIELD_POSES) != 0) { poses += to[i].fields.pose_count; }
    }
    return FR_OK;
}

// Those tasks whose target goes with an object, by their targets in its frame, in place of older ones of the same id.
static void carry_targets(fr_person *p, const fr_person_task *tasks, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const fr_skill_fields *fields = &tasks[i].task.fields;
        uint32_t place = 0;
        while (place < p->target_count && p->targets[place].task != tasks[i].task.id) {
            place++;
        }
        if ((fields->given & FR_FIELD_OBJECT) == 0 || place == FR_MAX_TASKS) { continue; }
        bool has_target = (fields->given & FR_FIELD_TARGET) != 0;
        if (place == p->target_count) { p->target_count++; }
        p->targets[place] = (carried_target){tasks[i].task.id, fields->object, tasks[i].bone1,
                                             has_target ? fields->target : fr_pose_identity()};
    }
}

static const char *name_of(fr_object_id object, void *context) {
    const fr_world *world = context;
    return fr_world_label(world, object).name;
}

fr_performer_input fr_person_input(const fr_person *p) {
    FR_ASSERT(p != NULL);
    const fr_space *space = fr_world_space(p->def.world);
    return (fr_performer_input){.space = fr_space_is_current(space) ? space : NULL,
                                .filter = &p->filter,
                                .has_planned_path = p->def.has_planned_paths,
                                .object_name = name_of,
                                .object_name_context = p->def.world};
}

// How many poses of the tasks go with objects.
static fr_status count_poses(const fr_person_task *tasks, uint32_t count, size_t *out, fr_error *error) {
    *out = 0;
    if (count > FR_MAX_TASKS) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a person does at most %u things at once", (unsigned)FR_MAX_TASKS);
    }
    for (uint32_t i = 0; i < count; i++) {
        const fr_skill_fields *fields = &tasks[i].task.fields;
        bool is_carried = (fields->given & FR_FIELD_OBJECT) != 0 && (fields->given & FR_FIELD_POSES) != 0;
        if (is_carried && fields->pose_count > FR_MAX_SKILL_POSES) {
            return fr_error_set(error, FR_ERROR_LIMIT, "a task has at most %u poses", (unsigned)FR_MAX_SKILL_POSES);
        }
        if (is_carried) { *out += fields->pose_count; }
    }
    return FR_OK;
}

static fr_status begin(fr_person *p, const fr_person_task *tasks, uint32_t count, const fr_wishes *wishes,
                       bool is_added, fr_error *error) {
    FR_ASSERT(p != NULL && tasks != NULL);
    fr_task placed[FR_MAX_TASKS];
    size_t pose_count;
    fr_status status = count_poses(tasks, count, &pose_count, error);
    if (status != FR_OK) { return status; }
    fr_pose *poses = NULL;
    if (pose_count > 0) {
        poses = fr_allocate(&p->allocator, pose_count, sizeof *poses, _Alignof(fr_pose));
        if (poses == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the poses of a task"); }
    }
    status = place_tasks(p, wishes, tasks, count, placed, poses, error);
    if (status == FR_OK) {
        const fr_performer_input input = fr_person_input(p);
        status = is_added ? fr_performer_add(p->performer, placed, count, &input, error)
                          : fr_performer_begin(p->performer, placed, count, &input, error);
    }
    fr_deallocate(&p->allocator, poses, pose_count, sizeof *poses);
    if (status != FR_OK) { return status; }
    if (!is_added) { p->target_count = 0; }
    carry_targets(p, tasks, count);
    return FR_OK;
}

fr_status fr_person_begin(fr_person *person, const fr_person_task *tasks, uint32_t count, const fr_wishes *wishes,
                          fr_error *error) {
    return begin(person, tasks, count, wishes, false, error);
}

fr_status fr_person_add(fr_person *person, const fr_person_task *tasks, uint32_t count, const fr_wishes *wishes,
                        fr_error *error) {
    return begin(person, tasks, count, wishes, true, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Moving

bool fr_person_begin_tick(fr_person *person, uint64_t tick) {
    if (person->tick == tick + 1) { return false; }
    person->tick = tick + 1;
    person->events.count = 0;
    person->output.event_count = person->output.end_count = 0;
    return true;
}

fr_status fr_person_step(fr_person *person, const fr_wishes *wishes, fr_error *error) {
    fr_task_target targets[FR_MAX_TASKS];
    fr_performer_input input = fr_person_input(person);
    input.targets = targets;
    for (uint32_t i = 0; i < person->target_count; i++) {
        const carried_target *from = &person->targets[i];
        fr_pose frame;
        if (!find_object(person, wishes, from->object, from->bone1, &frame)) { continue; }
        targets[input.target_count++] = (fr_task_target){from->task, fr_pose_compose(&frame, &from->local)};
    }
    fr_status status = fr_performer_step(person->performer, &input, &person->output, error);
    if (status == FR_OK && person->def.is_delayed) {
        person->shown = person->now;
        person->now = 1 - person->now;
    }
    return status == FR_OK ? take_posture(person, &person->output.posture, error) : status;
}

void fr_person_forget_event(fr_person *person, uint32_t index) {
    fr_performer_output *output = &person->output;
    FR_ASSERT(index < output->event_count);
    size_t behind = --output->event_count - index;
    memmove(&output->events[index], &output->events[index + 1], behind * sizeof *output->events);
}

const fr_performer_output *fr_person_output(const fr_person *person) { return &person->output; }

const fr_pose *fr_person_links(const fr_person *person) { return person->places[person->now].links; }

// ---------------------------------------------------------------------------------------------------------------
// Events and wishes

static fr_event make_event(const fr_person *p, const char *name, fr_object_id object, const double numbers[2]) {
    fr_event event = {.kind = FR_EVENT_NAMED, .a = p->def.skin, .b = object, .value = numbers[0], .second = numbers[1]};
    fr_utf8_repair(name, event.name, sizeof event.name);
    return event;
}

fr_status fr_person_add_event(fr_person *person, const char *name, fr_object_id object, const double numbers[2],
                              fr_error *error) {
    if (person->def.skin.index1 == 0) { return FR_OK; }
    fr_event *event = person_event_array_push(&person->events, 1);
    if (event == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the events of a person"); }
    *event = make_event(person, name, object, numbers);
    return FR_OK;
}

// An event beyond the last that a tick may have is lost; an object that is gone by now is none.
static fr_status report(const fr_person *p, fr_event event, fr_wishes *wishes, fr_error *error) {
    if (!fr_object_exists(fr_world_space(p->def.world), event.b)) { event.b = (fr_object_id){0, 0, 0}; }
    fr_status status = fr_wishes_add_event(wishes, &event, error);
    return status == FR_ERROR_LIMIT ? FR_OK : status;
}

static fr_status report_events(const fr_person *p, fr_wishes *wishes, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; p->def.skin.index1 != 0 && i < p->output.event_count && status == FR_OK; i++) {
        const fr_skill_event *event = &p->output.events[i];
        status = report(p, make_event(p, event->name, event->object, event->numbers), wishes, error);
    }
    for (size_t i = 0; i < p->events.count && status == FR_OK; i++) {
        status = report(p, p->events.data[i], wishes, error);
    }
    return status;
}

fr_status fr_person_wish(fr_person *person, fr_wishes *wishes, fr_error *error) {
    fr_status status = FR_OK;
    if (person->def.skin.index1 != 0) {
        fr_wish wish = {.object = person->def.skin, .kind = FR_WISH_NEXT, .pose = skin_pose(person)};
        status = fr_wishes_add(wishes, &wish, error);
        if (status == FR_OK) {
            status = fr_wishes_bones(wishes, person->def.skin, shown(person)->bones, FR_LINK_COUNT, error);
        }
    }
    // Another thread may have computed the links: all that are read are fetched before the first is needed.
    for (uint32_t i = 0; person->has_proxies && i < FR_FIGURE_PROXY_COUNT; i++) {
        __builtin_prefetch(&shown(person)->links[fr_figure_proxy_link(i)]);
    }
    fr_wish wish = {.kind = FR_WISH_NEXT};
    for (uint32_t i = 0; person->has_proxies && i < FR_FIGURE_PROXY_COUNT && status == FR_OK; i++) {
        wish.object = person->proxies[i];
        wish.pose = shown(person)->links[fr_figure_proxy_link(i)];
        status = fr_wishes_add(wishes, &wish, error);
    }
    return status == FR_OK ? report_events(person, wishes, error) : status;
}

fr_object_id fr_person_skin(const fr_person *person) { return person->def.skin; }

const fr_object_id *fr_person_proxies(const fr_person *person) {
    FR_ASSERT(person != NULL);
    return person->has_proxies ? person->proxies : NULL;
}

bool fr_person_has(const fr_person *person, fr_object_id object) {
    if (object.index1 == 0) { return false; }
    bool is_own = fr_object_id_equal(object, person->def.skin);
    for (uint32_t i = 0; person->has_proxies && i < FR_FIGURE_PROXY_COUNT && !is_own; i++) {
        is_own = fr_object_id_equal(object, person->proxies[i]);
    }
    return is_own;
}
