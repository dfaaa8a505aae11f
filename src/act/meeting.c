// What two people do together: one proposes it, the other agrees or refuses, they come near one another, and both begin
// in the same tick. Whichever of them ends, the other ends too.
#include "act/director.h"

#include "fureai/base_drawing.h"
#include "fureai/human_meeting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NEAR_ENOUGH 0.04   // metres from the natural distance at which one need not walk
#define FACING_DEG 4.0     // degrees that one may face beside the other
#define FACE 0.09          // metres from the head's joint to the face
#define SPARE 0.03         // metres that two who meet stay apart beyond what people keep
#define PATIENCE_MAX 600.0 // seconds
enum { DIRECTIONS = 9, DISTANCES = 5 };

fr__director_person *fr__director_find_skin(const fr_director *d, fr_object_id object) {
    for (uint32_t i = 0; i < d->person_count && object.index1 != 0; i++) {
        if (fr_object_id_equal(fr_person_skin(d->people[i]->person), object)) { return d->people[i]; }
    }
    return NULL;
}

static const char *name_of(const fr__director_person *person) { return fr_person_name(person->person); }

static const char *label_of(const fr_director *d, fr_object_id object) {
    const char *name = fr_world_label(d->world, object).name;
    return name != NULL && name[0] != '\0' ? name : "something";
}

static fr_performer_view view_of(const fr__director_person *person) {
    return fr_performer_get(fr_person_performer(person->person));
}

// The task of the stage that comes next which takes two; NULL: none.
static fr__director_task *find_task(const fr__director_list *list) {
    for (uint32_t i = fr__director_stage_first(list); i < list->ends[list->stage]; i++) {
        if (list->tasks[i].skill->partner != NULL) { return &list->tasks[i]; }
    }
    return NULL;
}

static bool is_gift(const fr_skill *skill) { return strcmp(skill->partner, skill->name) != 0; }

// Of a gift: who of the two gives.
static bool gives(const fr_skill *skill) { return strcmp(skill->name, "hand_over") == 0; }

// ---------------------------------------------------------------------------------------------------------------
// Proposing

// A meeting that one proposes to another.
typedef struct proposal {
    fr__director_person *people[2]; // who proposes, and the other
    const fr_skill *skill;          // of the first
    const fr__director_task *task;
    fr_side sides[2];
    fr_object_id thing;
    fr_pose underside;
    fr_vec3 place; // where the first one stands
    double facing; // its heading there
} proposal;

static fr_status refuse(fr_error *error, const char *who, const char *what, const char *more) {
    return fr_error_set(error, FR_ERROR_BUSY, "%s refuses: %s%s", who, what, more);
}

// Whether the class of a person says that it takes part in nothing (`accepts` of its free keys).
static bool accepts(const fr_director *d, const fr__director_person *person) {
    const fr_class *c = fr__director_class(d, fr_person_skin(person->person));
    const fr_class_values *extra = c != NULL ? &fr_class_get(c)->extra : NULL;
    for (uint32_t i = 0; extra != NULL && i < extra->count; i++) {
        const fr_class_value *value = &extra->list[i];
        if (strcmp(value->key, "accepts") != 0) { continue; }
        return value->kind == FR_CLASS_TEXT ? strcmp(value->text, "no") != 0 : value->numbers[0] != 0.0;
    }
    return true;
}

// What the other is at; NULL: nothing.
static const char *busy_with(const fr__director_person *other) {
    if (fr__director_list_count(other) > 0) { return fr__director_first(other)->motions[0].name; }
    return other->walker.is_aside || view_of(other).walk != NULL ? "walk" : NULL;
}

static fr_status check_other(const fr_director *d, const proposal *p, fr_error *error) {
    const fr__director_person *other = p->people[1];
    const char *name = name_of(other);
    if (other == p->people[0]) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%s takes two: %s alone cannot", p->skill->name, name);
    }
    if (!accepts(d, other)) { return refuse(error, name, "it takes part in nothing", ""); }
    if (other->away > 0) { return refuse(error, name, "its body is moved by ", fr__director_rival(d, other)); }
    if (other->is_stopped || busy_with(other) != NULL) {
        return refuse(error, name, "it is busy with ", other->is_stopped ? "a stop" : busy_with(other));
    }
    if (view_of(other).walk_set != NULL && !fr__director_stands(other)) { return refuse(error, name, "it sits", ""); }
    if (view_of(p->people[0]).walk_set != NULL && !fr__director_stands(p->people[0])) {
        return fr_error_set(error, FR_ERROR_BUSY, "%s does not stand", name_of(p->people[0]));
    }
    return FR_OK;
}

static const char *word_of(fr_side side) { return side == FR_LEFT ? "left" : "right"; }

static fr_status hand_is_full(const fr_director *d, fr__director_person *person, fr_side side, fr_error *error) {
    const fr__director_held *held = fr__director_in_hand(person, side);
    if (held == NULL) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_BUSY, "the %s hand of %s holds %s", word_of(side), name_of(person),
                        label_of(d, held->object));
}

// The underside of what is in a palm: the middle below it, y upwards, in the palm's frame.
static fr_pose underside_of(const fr_director *d, fr__director_person *giver, const fr__director_held *held) {
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), held->object);
    // As the object stands upright: its own y is up.
    fr_bounds bounds = {.min = {INFINITY, INFINITY, INFINITY}, .max = {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; view != NULL && i < view->part_count; i++) {
        fr_part_view shape = fr_object_part(fr_world_space(d->world), held->object, i);
        fr_bounds part = fr_mesh_get(shape.mesh)->bounds;
        for (int k = 0; k < 8; k++) {
            fr_vec3 corner = fr_vec3_make(k & 1 ? part.max.x : part.min.x, k & 2 ? part.max.y : part.min.y,
                                          k & 4 ? part.max.z : part.min.z);
            corner = fr_vec3_scale(view->pose.scale, fr_pose_apply(&shape.pose, corner));
            bounds.min = fr_vec3_min(bounds.min, corner);
            bounds.max = fr_vec3_max(bounds.max, corner);
        }
    }
    (void)giver;
    fr_vec3 middle = fr_vec3_lerp(bounds.min, bounds.max, 0.5);
    fr_pose under = fr_pose_make(fr_vec3_make(middle.x, bounds.min.y, middle.z), fr_quat_identity());
    return fr_pose_compose(&held->state.offset, &under);
}

static fr_status choose_hands(const fr_director *d, proposal *p, fr_error *error) {
    bool is_left = (p->task->fields.given & FR_FIELD_SIDE) != 0 && p->task->fields.side == FR_SIDE_LEFT;
    p->sides[0] = p->sides[1] = is_left ? FR_LEFT : FR_RIGHT;
    if (!is_gift(p->skill)) {
        fr_status status = hand_is_full(d, p->people[0], p->sides[0], error);
        return status == FR_OK ? hand_is_full(d, p->people[1], p->sides[1], error) : status;
    }
    uint32_t giver = gives(p->skill) ? 0 : 1;
    fr__director_held *held = fr__director_in_hand(p->people[giver], FR_RIGHT);
    if (held == NULL) { held = fr__director_in_hand(p->people[giver], FR_LEFT); }
    if (held == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%s holds nothing to give", name_of(p->people[giver]));
    }
    if (held->plug_in != NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "a program has %s", label_of(d, held->object));
    }
    p->thing = held->object;
    p->sides[giver] = (fr_side)held->state.side;
    p->underside = underside_of(d, p->people[giver], held);
    fr_side side = FR_RIGHT;
    if (fr__director_in_hand(p->people[1 - giver], side) != NULL) { side = FR_LEFT; }
    p->sides[1 - giver] = side;
    return hand_is_full(d, p->people[1 - giver], side, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Where they meet

static fr_meeting_input input_of(const proposal *p) {
    fr_meeting_input input = fr_default_meeting_input();
    uint32_t giver = is_gift(p->skill) && !gives(p->skill) ? 1 : 0;
    input.kind = is_gift(p->skill) ? FR_MEETING_HAND_OVER : FR_MEETING_SHAKE_HAND;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t role = i ^ giver;
        input.skeletons[role] = view_of(p->people[i]).skeleton;
        input.places[role] = fr__director_place(p->people[i]);
        input.sides[role] = p->sides[i];
    }
    if (is_gift(p->skill)) { input.thing = p->underside; }
    return input;
}

// Of distances near the natural one the first at which both arms reach.
static double find_distance(const proposal *p) {
    static const double parts[DISTANCES] = {1.0, 0.9, 0.8, 1.1, 1.2};
    fr_meeting_input input = input_of(p);
    double natural = fr_meeting_distance(&input), least = fr__director_apart(p->people[0], p->people[1]) + SPARE;
    for (int i = 0; i < DISTANCES; i++) {
        fr_meeting_output found;
        double distance = fmax(parts[i] * natural, least);
        uint32_t first = is_gift(p->skill) && !gives(p->skill) ? 1 : 0;
        double height = input.places[first].y - input.places[1 - first].y;
        input.places[first] = fr_vec3_add(input.places[1 - first], fr_vec3_make(0.0, height, distance));
        if (fr_meeting_find(&input, &found, NULL) == FR_OK && found.is_reached) { return distance; }
    }
    return fmax(natural, least);
}

static double angle_between(double a, double b) {
    double s, c;
    fr_sincos(a - b, &s, &c);
    return fabs(fr_atan2(s, c));
}

// The first one's place near the other: straight to it, or beside where something stands there.
static fr_status choose_place(fr_director *d, proposal *p, double distance, fr_error *error) {
    static const double turns_deg[DIRECTIONS] = {0, 30, -30, 60, -60, 90, -90, 135, -135};
    fr_vec3 here = fr__director_place(p->people[0]), there = fr__director_place(p->people[1]);
    double straight = fr_atan2(here.x - there.x, here.z - there.z);
    if (view_of(p->people[1]).walk_set == NULL) { straight = fr__director_heading(p->people[1]); }
    for (int i = 0; i < DIRECTIONS; i++) {
        double s, c, heading = straight + fr_radians(turns_deg[i]);
        bool is_free = false;
        fr_sincos(heading, &s, &c);
        p->place = fr_vec3_make(there.x + distance * s, 0.0, there.z + distance * c);
        p->facing = fr_atan2(-s, -c);
        bool has_walk = view_of(p->people[0]).walk_set != NULL;
        fr_vec3 off = fr_vec3_make(p->place.x - here.x, 0.0, p->place.z - here.z);
        if (i == 0 && fr_vec3_length(off) < NEAR_ENOUGH) { return FR_OK; }
        if (!has_walk) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "%s is out of reach of %s, who cannot walk",
                                name_of(p->people[1]), name_of(p->people[0]));
        }
        fr_status status = fr__director_is_free(d, p->people[0], p->place, &is_free, error);
        if (status != FR_OK) { return status; }
        if (is_free || view_of(p->people[1]).walk_set == NULL) { return FR_OK; }
    }
    return fr_error_set(error, FR_ERROR_BUSY, "there is no room before %s", name_of(p->people[1]));
}

// ---------------------------------------------------------------------------------------------------------------
// Agreeing

fr_status fr__director_put_first(fr_director *d, fr__director_person *person, const fr_command *command,
                                 uint64_t meeting, bool is_approach, fr_error *error) {
    fr__director_list list;
    fr_status status = fr__director_list_make(d, person, command, &list, error);
    if (status != FR_OK) { return status; }
    if (fr__director_list_array_push(&person->lists, 1) == NULL) {
        fr__director_list_end(d, &list);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a command");
    }
    list.meeting = meeting;
    list.is_approach = is_approach;
    fr__director_list *first = fr__director_first(person);
    memmove(first + 1, first, (person->lists.count - 1 - person->first) * sizeof *first);
    *first = list;
    d->command_count++;
    return FR_OK;
}

static void drop_first(fr_director *d, fr__director_person *person) {
    fr__director_list *first = fr__director_first(person);
    fr__director_list_end(d, first);
    person->lists.count--;
    memmove(first, first + 1, (person->lists.count - person->first) * sizeof *first);
    d->command_count--;
}

// The walk or turn of one who comes to the meeting; nothing where it is there already.
static fr_status approach(fr_director *d, fr__director_person *person, fr_vec3 place, double facing, uint64_t meeting,
                          fr_error *error) {
    fr_vec3 here = fr__director_place(person);
    fr_vec3 off = fr_vec3_make(place.x - here.x, 0.0, place.z - here.z);
    bool walks = fr_vec3_length(off) >= NEAR_ENOUGH;
    bool turns = angle_between(fr__director_heading(person), facing) > fr_radians(FACING_DEG);
    if ((!walks && !turns) || view_of(person).walk_set == NULL) { return FR_OK; }
    fr_command command = {.name = walks ? "walk" : "turn", .given = FR_COMMAND_FACING, .facing = facing};
    if (walks) { command.given |= FR_COMMAND_GOAL; }
    command.goal = place;
    return fr__director_put_first(d, person, &command, meeting, true, error);
}

// The other takes part: it has the counterpart of the motion as its first list.
static fr_status accept(fr_director *d, proposal *p, fr_error *error) {
    fr__director_person *first = p->people[0], *other = p->people[1];
    uint64_t id = d->meetings + 1;
    const fr_skill_fields *fields = &p->task->fields;
    fr_command command = {.name = p->skill->partner, .object = fr_person_skin(first->person)};
    if ((fields->given & FR_FIELD_FRAMES) != 0) { command.frames = fields->frames; }
    fr_vec3 there = fr__director_place(other);
    fr_status status = fr__director_put_first(d, other, &command, id, false, error);
    if (status != FR_OK) { return status; }
    status = approach(d, other, there, p->facing + FR_PI, id, error);
    if (status == FR_OK) { status = approach(d, first, p->place, p->facing, id, error); }
    if (status != FR_OK) {
        while (fr__director_list_count(other) > 0 && fr__director_first(other)->meeting == id) {
            drop_first(d, other);
        }
        return status;
    }
    d->meetings = id;
    for (uint32_t i = 0; i < 2; i++) {
        fr__director_meeting *m = &p->people[i]->meeting;
        memset(m, 0, sizeof *m);
        m->id = id;
        m->partner = p->people[1 - i]->walker.index;
        m->is_first = i == 0;
        m->side = p->sides[i];
        m->thing = p->thing;
        m->underside = p->underside;
    }
    return FR_OK;
}

// Who is busy is waited for, where the command says for how long.
static bool waits(fr_director *d, fr__director_person *person, const fr__director_task *task) {
    double seconds = task->patience;
    if (!(seconds > 0.0)) { return false; }
    if (person->patience == 0) {
        person->patience = d->tick + 1 + (uint64_t)(fmin(seconds, PATIENCE_MAX) / fr_world_step(d->world));
    }
    return d->tick + 1 < person->patience;
}

static fr__director_ready propose(fr_director *d, fr__director_person *person, fr__director_list *list,
                                  const fr__director_task *task, fr_error *error) {
    proposal p = {.people = {person, fr__director_find_skin(d, task->object)}, .skill = task->skill, .task = task};
    fr_status status = FR_OK;
    if (p.people[1] == NULL) {
        status = fr_error_set(error, FR_ERROR_ARGUMENT, "%s takes two: the object is no person", task->skill->name);
    }
    if (status == FR_OK) { status = check_other(d, &p, error); }
    if (status == FR_ERROR_BUSY && waits(d, person, task)) { return FR__NOT_YET; }
    if (status == FR_OK) { status = choose_hands(d, &p, error); }
    if (status == FR_OK) { status = choose_place(d, &p, find_distance(&p), error); }
    // The list moves when another comes before it.
    uint64_t id = d->meetings + 1;
    if (status == FR_OK) {
        list->meeting = id;
        status = accept(d, &p, error);
        if (status != FR_OK) { list->meeting = 0; }
    }
    return status == FR_OK ? FR__NOT_YET : FR__NEVER;
}

fr__director_ready fr__director_meet(fr_director *d, fr__director_person *person, fr_error *error) {
    fr__director_list *list = fr__director_first(person);
    const fr__director_task *task = list->is_approach ? NULL : find_task(list);
    if (task == NULL) { return FR__READY; }
    if (list->meeting == 0) { return propose(d, person, list, task, error); }
    if (person->meeting.id != list->meeting) {
        (void)fr_error_set(error, FR_ERROR_BUSY, "%s",
                           person->reason[0] != '\0' ? person->reason : "it was broken off");
        return FR__NEVER;
    }
    return person->meeting.start != 0 && d->tick + 1 >= person->meeting.start ? FR__READY : FR__NOT_YET;
}

// ---------------------------------------------------------------------------------------------------------------
// Beginning, giving, ending

static bool has_arrived(const fr__director_person *person) {
    if (fr__director_list_count(person) == 0 || person->is_begun || person->is_over) { return false; }
    const fr__director_list *list = fr__director_first(person);
    return list->meeting == person->meeting.id && !list->is_approach && view_of(person).walk == NULL &&
           !person->walker.is_aside;
}

// Both are there: the places of their hands are found, and both begin in this tick.
static fr_status agree(fr_director *d, fr__director_person *first, fr__director_person *other, fr_error *error) {
    const fr__director_task *task = find_task(fr__director_first(first));
    proposal p = {.people = {first, other}, .skill = task->skill, .task = task};
    p.sides[0] = first->meeting.side;
    p.sides[1] = other->meeting.side;
    p.underside = first->meeting.underside;
    fr_meeting_input input = input_of(&p);
    fr_meeting_output found;
    fr_status status = fr_meeting_find(&input, &found, error);
    if (status != FR_OK) { return status; }
    uint32_t giver = is_gift(task->skill) && !gives(task->skill) ? 1 : 0;
    for (uint32_t i = 0; i < 2; i++) {
        fr__director_meeting *m = &p.people[i]->meeting;
        m->goal = found.goals[i ^ giver];
        m->ratio = (i ^ giver) == 0 ? found.ratio : 1.0 / found.ratio;
        m->start = d->tick + 1;
        p.people[i]->with = p.people[1 - i]->person;
    }
    return FR_OK;
}

static bool has_event(const fr__director_person *person, const char *name) {
    const fr_performer_output *output = fr_person_output(person->person);
    for (uint32_t i = 0; i < output->event_count; i++) {
        if (strcmp(output->events[i].name, name) == 0) { return true; }
    }
    return false;
}

static void break_off(fr__director_person *person, const char *who, const char *reason) {
    char text[sizeof(fr_error) + FR_PERSON_NAME_MAX_BYTES];
    person->meeting.is_broken = true;
    (void)snprintf(text, sizeof text, "%s broke off: %s", who, reason);
    fr_utf8_repair(text, person->meeting.reason, sizeof person->meeting.reason);
}

static fr_status watch_meeting(fr_director *d, fr__director_person *first, fr_error *error) {
    fr__director_person *other = d->people[first->meeting.partner];
    if (other->meeting.id != first->meeting.id) { return FR_OK; }
    if (first->meeting.start == 0) {
        return has_arrived(first) && has_arrived(other) ? agree(d, first, other, error) : FR_OK;
    }
    if (first->meeting.thing.index1 == 0 || first->meeting.has_changed) { return FR_OK; }
    bool is_giver = has_event(first, "given"), is_taker = has_event(first, "received");
    fr__director_person *from = is_giver ? first : other, *to = is_giver ? other : first;
    if (!(is_giver && has_event(other, "received")) && !(is_taker && has_event(other, "given"))) { return FR_OK; }
    fr_error why = {0};
    fr_status status = fr__director_change_hands(d, from, to, to->meeting.side, first->meeting.thing, &why);
    first->meeting.has_changed = other->meeting.has_changed = true;
    if (status == FR_ERROR_MEMORY) { return fr_error_set(error, status, "%s", why.message); }
    if (status != FR_OK) {
        break_off(first, name_of(other), why.message);
        break_off(other, name_of(first), why.message);
    }
    return FR_OK;
}

fr_status fr__director_watch_meetings(fr_director *d, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        fr__director_person *person = d->people[i];
        if (person->meeting.id != 0 && person->meeting.is_first) { status = watch_meeting(d, person, error); }
    }
    return status;
}

void fr__director_leave_meeting(fr_director *d, fr__director_person *person, const fr__director_list *list,
                                fr_status status, const char *reason) {
    fr__director_meeting *m = &person->meeting;
    if (list->meeting == 0 || list->meeting != m->id || (list->is_approach && status == FR_OK)) { return; }
    fr__director_person *other = d->people[m->partner];
    bool is_known = m->is_broken;
    if (status != FR_OK && other->meeting.id == m->id && !is_known) { break_off(other, name_of(person), reason); }
    memset(m, 0, sizeof *m);
    person->with = NULL;
}

fr_status fr__director_end_meetings(fr_director *d, fr_error *error) {
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < d->person_count && status == FR_OK; i++) {
        fr__director_person *person = d->people[i];
        if (!person->meeting.is_broken) { continue; }
        char reason[FR_COMMAND_END_MAX_BYTES + 1];
        memcpy(reason, person->meeting.reason, sizeof reason);
        uint64_t id = person->meeting.id;
        while (fr__director_list_count(person) > 0 && fr__director_first(person)->meeting == id && status == FR_OK) {
            status = fr__director_end_list(d, person, FR_ERROR_BUSY, reason, error);
        }
        memset(&person->meeting, 0, sizeof person->meeting);
        person->with = NULL;
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Tasks at a person

void fr__director_aim(const fr_director *d, const fr__director_person *person, const fr__director_task *from,
                      fr_person_task *to) {
    const fr__director_person *other = fr__director_find_skin(d, from->object);
    fr_skill_fields *fields = &to->task.fields;
    if (other == NULL) { return; }
    to->bone1 = from->bone1;
    if ((from->skill->needs & FR_FIELD_HEADING) != 0 && (fields->given & FR_FIELD_HEADING) == 0) {
        fr_vec3 off = fr_vec3_sub(fr__director_place(other), fr__director_place(person));
        fields->heading = fr_atan2(off.x, off.z);
        fields->given |= FR_FIELD_HEADING;
    }
    if (from->skill->partner == NULL) {
        if (to->bone1 != 0) { return; }
        to->bone1 = FR_LINK_HEAD + 1;
        fields->target = fr_pose_make(fr_vec3_make(-FACE, 0.0, 0.0), fr_quat_identity());
        return;
    }
    const fr__director_meeting *m = &person->meeting;
    to->bone1 = FR_LINK_HIP + 1;
    to->in_world |= FR_FIELD_GOAL | FR_FIELD_POSES;
    fields->target = fr_pose_identity();
    fields->goal = m->goal;
    fields->value = m->ratio;
    fields->side = m->side == FR_LEFT ? FR_SIDE_LEFT : FR_SIDE_RIGHT;
    fields->poses = &m->underside;
    fields->pose_count = 1;
    uint32_t known = from->skill->needs | from->skill->takes;
    fields->given |= known & (FR_FIELD_GOAL | FR_FIELD_VALUE | FR_FIELD_SIDE | FR_FIELD_POSES);
}

uint64_t fr__director_hash_meeting(const fr__director_meeting *meeting, uint64_t hash) {
    const uint64_t parts[3] = {meeting->id, meeting->start, (uint64_t)meeting->partner << 1 | meeting->is_first};
    return meeting->id != 0 ? fr_hash(parts, sizeof parts, hash) : hash;
}
