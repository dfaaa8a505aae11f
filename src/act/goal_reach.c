// Whether a person comes to where it can do a motion: places about the object where a body can stand, a path there, and
// the arm's own plan from there (fr_reach_plan_find), as the director would begin it.
#include "act/pursuit.h"

#include "fureai/base_drawing.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ANGLES = 16, MARGINS = 5, FACINGS = 3, STANDS = 48, CLOSED = 8 };

// Metres from an object to the middle of a body before it, and how many of them a place is worth that is nearer to it.
static const double margins[MARGINS] = {0.42, 0.30, 0.55, 0.22, 0.68};

// Degrees by which a body faces beside it, and what a place is worth where it does not.
static const double facings_deg[FACINGS] = {0.0, 30.0, -30.0};
static const double STRAIGHT = 0.25;
static const double USUAL = 0.42, WORTH = 1.5;

#define FAR 1.8          // metres from an object from where nothing is reached
#define SAME 0.05        // metres between two places that count as one
#define SAME_FACING 0.97 // cosine between two headings that do
#define PACE 1.2         // metres a second
#define DOING 2.5        // seconds that a motion takes, about
#define FOOT_TO_SOLE 0.08

bool fr__goal_reacher_begin(fr__goal_reacher *r) {
    const fr_allocator *allocator = &r->d->allocator;
    r->stands = fr__goal_stand_array_make(allocator);
    r->checks = fr__goal_check_array_make(allocator);
    r->grips = fr__goal_grip_array_make(allocator);
    r->results = fr__goal_result_array_make(allocator);
    fr__goal_stand *first = fr__goal_stand_array_push(&r->stands, 1);
    if (first == NULL) { return false; }
    *first = (fr__goal_stand){
        .place = fr__director_place(r->person), .heading = fr__director_heading(r->person), .is_reached = 1};
    return true;
}

void fr__goal_reacher_end(fr__goal_reacher *r) {
    fr__goal_stand_array_destroy(&r->stands);
    fr__goal_check_array_destroy(&r->checks);
    fr__goal_grip_array_destroy(&r->grips);
    fr__goal_result_array_destroy(&r->results);
    fr_performer_destroy(r->scout);
}

static const char *keep(fr__goal_reacher *r, const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = fr_arena_alloc(r->arena, size, 1, 1);
    if (copy == NULL) { r->status = FR_ERROR_MEMORY; }
    return copy != NULL ? memcpy(copy, text, size) : "";
}

static const char *label_of(const fr__goal_reacher *r, fr_object_id object) {
    const char *name = object.index1 != 0 ? fr_world_label(r->d->world, object).name : "";
    return name[0] != '\0' ? name : "something";
}

static double floor_distance(fr_vec3 a, fr_vec3 b) {
    double x = a.x - b.x, z = a.z - b.z;
    return sqrt(x * x + z * z);
}

// ---------------------------------------------------------------------------------------------------------------
// Where to stand

static double cost_of(const fr__goal_stand *stand, double margin, bool is_straight) {
    return stand->walk + WORTH * fabs(margin - USUAL) + (is_straight ? 0.0 : STRAIGHT);
}

// Places about the box of an object, those with the shortest walk first.
static bool add_stands(fr__goal_reacher *r, fr_object_id object) {
    fr_bounds box;
    if (fr_object_bounds(fr_world_space(r->d->world), object, &box, NULL) != FR_OK) { return true; }
    fr_vec3 middle =
        fr_vec3_make(0.5 * ((double)box.min.x + (double)box.max.x), 0.0, 0.5 * ((double)box.min.z + (double)box.max.z));
    double half_x = (double)box.max.x - middle.x, half_z = (double)box.max.z - middle.z;
    fr__goal_stand found[STANDS];
    double costs[STANDS];
    uint32_t count = 0;
    for (int i = 0; i < ANGLES * MARGINS * FACINGS; i++) {
        double s, c, angle = 2.0 * FR_PI * (i % ANGLES) / ANGLES, margin = margins[i / ANGLES % MARGINS];
        double facing = fr_radians(facings_deg[i / (ANGLES * MARGINS)]);
        fr_sincos(angle, &s, &c);
        double edge = fmin(fabs(s) > 1e-6 ? half_x / fabs(s) : HUGE_VAL, fabs(c) > 1e-6 ? half_z / fabs(c) : HUGE_VAL);
        fr__goal_stand stand = {.about = object, .is_reached = -1};
        stand.place = fr_vec3_make(middle.x + (edge + margin) * s, 0.0, middle.z + (edge + margin) * c);
        stand.heading = fr_atan2(-s, -c) + facing;
        stand.walk = floor_distance(stand.place, r->stands.data[0].place);
        double cost = cost_of(&stand, margin, i < ANGLES * MARGINS);
        bool is_free = false;
        if (count == STANDS && cost >= costs[STANDS - 1]) { continue; }
        r->status = fr__director_is_free(r->d, r->person, stand.place, &is_free, NULL);
        if (r->status != FR_OK) { return false; }
        if (!is_free) { continue; }
        uint32_t at = count < STANDS ? count++ : STANDS - 1;
        for (; at > 0 && costs[at - 1] > cost; at--) {
            found[at] = found[at - 1];
            costs[at] = costs[at - 1];
        }
        found[at] = stand;
        costs[at] = cost;
    }
    fr__goal_stand *place = count > 0 ? fr__goal_stand_array_push(&r->stands, count) : NULL;
    if (count > 0 && place == NULL) { r->status = FR_ERROR_MEMORY; }
    if (place != NULL) { memcpy(place, found, count * sizeof *place); }
    return r->status == FR_OK;
}

// The first stand about an object, and how many there are.
static uint32_t find_stands(fr__goal_reacher *r, fr_object_id object, uint32_t *count) {
    for (int round = 0; round < 2; round++) {
        uint32_t first = FR_NONE;
        *count = 0;
        for (uint32_t i = 1; i < r->stands.count; i++) {
            if (!fr_object_id_equal(r->stands.data[i].about, object)) { continue; }
            first = first == FR_NONE ? i : first;
            ++*count;
        }
        if (first != FR_NONE || round == 1 || !add_stands(r, object)) { return first; }
    }
    return FR_NONE;
}

// Why another stand about the same object is closed; NULL: none was found to be.
static const char *find_closed(const fr__goal_reacher *r, fr_object_id about) {
    for (uint32_t i = 0; i < r->stands.count; i++) {
        const fr__goal_stand *stand = &r->stands.data[i];
        if (stand->closed != NULL && fr_object_id_equal(stand->about, about)) { return stand->closed; }
    }
    return NULL;
}

static bool is_reached(fr__goal_reacher *r, uint32_t index) {
    fr__goal_stand *stand = &r->stands.data[index];
    if (stand->is_reached >= 0) { return stand->is_reached == 1; }
    // What closes the path is looked for once for an object, as that takes longer than the path itself.
    const char *known = find_closed(r, stand->about);
    fr_error why = {0};
    bool is_found = false;
    fr_status status = fr__director_find_path(r->d, r->person, stand->place, &is_found, known == NULL ? &why : NULL);
    if (status == FR_ERROR_MEMORY) { r->status = status; }
    stand->is_reached = is_found ? 1 : 0;
    if (!is_found) { stand->closed = known != NULL ? known : keep(r, why.message); }
    return is_found;
}

// ---------------------------------------------------------------------------------------------------------------
// The body there

// A motion that is tried: its list as the director would do it.
typedef struct goal_trial {
    fr__goal_reacher *r;
    const fr_goal_reach_input *input;
    fr_object_id object, tool; // tool all zeros: none
    fr__director_list list;
    bool is_made;
    bool takes;     // the object comes into the hand
    bool has_grip;  // where the palm is on it is known
    fr_pose grip;   // of the palm, in the object
    bool is_in_use; // the tool has come to a place: it is where the palm has it
    double heading; // of the body
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture;
    fr_pose links[FR_LINK_COUNT];
    char why[FR_GOAL_WHY_MAX_BYTES + 1];
} goal_trial;

static bool refuse(goal_trial *t, const char *format, ...) FR_PRINTF(2, 3);

static bool refuse(goal_trial *t, const char *format, ...) {
    char text[2 * FR_GOAL_WHY_MAX_BYTES];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fr_utf8_repair(text, t->why, sizeof t->why);
    return false;
}

// As it is now, elsewhere moved as a whole; of one who does not stand, upright at rest.
static void stand_at(goal_trial *t, const fr__goal_stand *at) {
    fr_performer_view body = fr_performer_get(fr_person_performer(t->r->person->person));
    const fr_skeleton_view *skeleton = fr_skeleton_get(body.skeleton);
    t->posture = (fr_posture){.turns = t->turns, .count = FR_LINK_COUNT};
    (void)fr_posture_copy(&body.posture, &t->posture, NULL);
    const fr_vec3 up = {0.0, 1.0, 0.0};
    t->heading = at->heading;
    if (fr__director_stands(t->r->person)) {
        double turn = at->heading - t->r->stands.data[0].heading;
        if (turn != 0.0) { t->turns[0] = fr_quat_multiply(fr_quat_from_axis_angle(up, turn), t->turns[0]); }
        t->posture.place = fr_vec3_make(at->place.x, t->posture.place.y, at->place.z);
        (void)fr_posture_poses(body.skeleton, &t->posture, 1, t->links, NULL);
        return;
    }
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        t->turns[i] = fr_skeleton_clamp(body.skeleton, i, skeleton->rests[i]);
    }
    t->turns[0] = fr_quat_multiply(fr_quat_from_axis_angle(up, at->heading), skeleton->uprights[0]);
    t->posture.place = fr_vec3_make(at->place.x, 0.0, at->place.z);
    (void)fr_posture_poses(body.skeleton, &t->posture, 1, t->links, NULL);
    double foot = fmin(t->links[FR_LINK_LEFT_FOOT].position.y, t->links[FR_LINK_RIGHT_FOOT].position.y);
    double ground = t->r->d->floor != NULL ? t->r->d->floor->def.ground : 0.0;
    t->posture.place.y = ground + FOOT_TO_SOLE - foot;
    (void)fr_posture_poses(body.skeleton, &t->posture, 1, t->links, NULL);
}

// Whether the body meets nothing as it stands there; its arms are looked at where they reach.
static bool is_clear(goal_trial *t) {
    const fr_figure *figure = fr_performer_get(fr_person_performer(t->r->person->person)).figure;
    fr_performer_input world = fr_person_input(t->r->person->person);
    for (uint32_t i = 0; figure != NULL && world.space != NULL && i < FR_FIGURE_PROXY_COUNT; i++) {
        const fr_figure_proxy *piece = &fr_figure_get(figure)->proxies[i];
        bool is_trunk = piece->link == FR_LINK_HIP || piece->link == FR_LINK_CHEST ||
                        piece->link == FR_LINK_RIGHT_THIGH || piece->link == FR_LINK_LEFT_THIGH ||
                        piece->link == FR_LINK_RIGHT_SHIN || piece->link == FR_LINK_LEFT_SHIN;
        if (!is_trunk) { continue; }
        fr_part_def part = fr_default_part_def();
        part.mesh = piece->mesh;
        fr_move_input move = fr_default_move_input();
        fr_move_output output;
        move.space = world.space;
        move.parts = &part;
        move.part_count = 1;
        move.motion = fr_motion_still(&t->links[piece->link]);
        move.filter = world.filter;
        if (fr_collide_move(&move, &output, NULL) != FR_OK || !output.is_hit) { continue; }
        return refuse(t, "'%s', face %u is where the %s would be", label_of(t->r, output.first.b), output.first.face_b,
                      piece->name);
    }
    return true;
}

// What an arm must go round: not what the hand has by then.
typedef struct goal_sight {
    const fr_query_filter *outer;
    fr_object_id tool;
} goal_sight;

static bool may_meet(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    const goal_sight *sight = context;
    if (sight->tool.index1 != 0 && fr_object_id_equal(a, sight->tool)) { return false; }
    return sight->outer == NULL || sight->outer->accept == NULL ||
           sight->outer->accept(space, a, b, sight->outer->context);
}

static fr_query_filter sight_filter(goal_sight *sight) {
    fr_query_filter filter = sight->outer != NULL ? *sight->outer : fr_default_query_filter();
    filter.accept = may_meet;
    filter.context = sight;
    return filter;
}

// ---------------------------------------------------------------------------------------------------------------
// Palms

// The palm in the frame of what is in the hand, or will be.
static bool find_grip(const goal_trial *t, fr_object_id tool, fr_pose *out, double *heading) {
    const fr__goal_reacher *r = t->r;
    *heading = r->stands.data[0].heading;
    if (fr_object_id_equal(tool, t->object)) {
        *heading = t->heading;
        *out = t->grip;
        return t->has_grip;
    }
    for (int side = 0; side < 2; side++) {
        const fr__director_held *held = fr__director_in_hand(r->person, (fr_side)side);
        if (held == NULL || !fr_object_id_equal(held->object, tool)) { continue; }
        fr_pose object = fr_object_get(fr_world_space(r->d->world), tool)->pose;
        object.scale = 1.0;
        fr_pose back = fr_pose_inverse(&object);
        const fr_pose *links = fr_person_links(r->person->person);
        *out = fr_pose_compose(&back, &links[side == FR_LEFT ? FR_LINK_LEFT_PALM : FR_LINK_RIGHT_PALM]);
        return true;
    }
    for (size_t i = 0; i < r->grips.count; i++) {
        const fr__goal_grip *grip = &r->grips.data[i];
        if (!fr_object_id_equal(grip->object, tool) || grip->side != t->input->side) { continue; }
        *out = grip->palm;
        *heading = grip->heading;
        return true;
    }
    return false;
}

static uint32_t tool_goals(const goal_trial *t, const fr__director_task *task, const fr_pose *place,
                           fr_pose goals[FR__DIRECTOR_ALL_PALMS]) {
    fr_object_id tool = t->tool.index1 != 0 ? t->tool : t->object;
    const fr_class *c = fr__director_class(t->r->d, tool);
    fr_pose in_tool, grip, spots[FR__DIRECTOR_SPOTS];
    double heading;
    if (c == NULL || !fr__director_tool_frame(fr_class_get(c), task->tool, &in_tool) ||
        !find_grip(t, tool, &grip, &heading)) {
        return 0;
    }
    fr_pose out = fr_pose_inverse(&in_tool), palm_in_tool = fr_pose_compose(&out, &grip);
    fr_pose back = fr_pose_inverse(&palm_in_tool);
    fr_side side = t->input->side;
    fr_pose now = fr_pose_compose(&t->links[side == FR_LEFT ? FR_LINK_LEFT_PALM : FR_LINK_RIGHT_PALM], &back);
    if (!t->is_in_use) { // as it was taken, and as the body has turned since
        const fr_vec3 up = {0.0, 1.0, 0.0};
        const fr_object_view *view = fr_object_get(fr_world_space(t->r->d->world), tool);
        fr_quat turn = fr_quat_from_axis_angle(up, t->heading - heading);
        now.rotation = fr_quat_multiply(turn, fr_quat_multiply(view->pose.rotation, in_tool.rotation));
    }
    uint32_t spot_count = 0;
    if (task->is_spot) {
        goal_sight sight = {fr_person_input(t->r->person->person).filter, tool};
        fr_query_filter filter = sight_filter(&sight);
        const fr__director_before before = {t->posture.place, t->heading, side, &filter,
                                            fr__director_girth(t->r->d, tool)};
        spot_count = fr__director_find_spots(t->r->d, task->object, place, &before, spots);
        if (spot_count == 0) { return 0; }
    }
    for (uint32_t i = 0; i < FR__DIRECTOR_PALMS; i++) {
        const fr_pose *to = spot_count > 0 ? &spots[i / FR__DIRECTOR_SPOTS % spot_count] : place;
        fr_pose wanted = fr__director_turn_tool(task, &now, to, spot_count > 0 ? i % FR__DIRECTOR_SPOTS : i);
        goals[i] = fr_pose_compose(&wanted, &palm_in_tool);
        goals[i].scale = 1.0;
    }
    return FR__DIRECTOR_PALMS;
}

static uint32_t goals_of(const goal_trial *t, const fr__director_task *task, fr_pose goals[FR__DIRECTOR_ALL_PALMS]) {
    fr_pose place = task->fields.goal;
    if (task->grasp != FR__GRASP_NONE && !fr__director_target(t->r->d, task, &place)) { return 0; }
    if (task->grasp == FR__GRASP_TOOL) { return tool_goals(t, task, &place, goals); }
    if (task->grasp == FR__GRASP_NONE) {
        const fr_object_view *view = fr_object_get(fr_world_space(t->r->d->world), task->object);
        fr_pose frame = view != NULL ? view->pose : fr_pose_identity();
        frame.scale = 1.0;
        goals[0] = task->is_goal_local ? fr_pose_compose(&frame, &place) : place;
        return 1;
    }
    const fr_vec3 shoulders[2] = {
        [FR_RIGHT] = t->links[FR_LINK_RIGHT_UPPER_ARM].position, [FR_LEFT] = t->links[FR_LINK_LEFT_UPPER_ARM].position};
    const fr_skeleton *skeleton = fr_performer_get(fr_person_performer(t->r->person->person)).skeleton;
    fr_skill_side side = t->input->side == FR_LEFT ? FR_SIDE_LEFT : FR_SIDE_RIGHT;
    uint32_t count = fr__director_palm_tries(task);
    for (uint32_t i = 0; i < count; i++) {
        goals[i] = fr__director_still_palm(skeleton, shoulders, task, &place, i, &side);
    }
    return count;
}

// The arm goes there, and stays.
static bool try_reach(goal_trial *t, const fr__director_task *task) {
    fr_performer_view body = fr_performer_get(fr_person_performer(t->r->person->person));
    fr_performer_input world = fr_person_input(t->r->person->person);
    fr__director_palms palms = {0};
    goal_sight sight = {world.filter, t->tool.index1 != 0 ? t->tool : t->has_grip ? t->object : t->tool};
    fr_query_filter filter = sight_filter(&sight);
    fr_reach_plan_input input = fr_default_reach_plan_input();
    input.skeleton = body.skeleton;
    input.figure = body.figure;
    input.posture = &t->posture;
    input.side = t->input->side;
    input.space = world.space;
    input.filter = &filter;
    input.lean_max = FR__DIRECTOR_LEAN;
    palms.count = goals_of(t, task, palms.goals);
    fr_reach_plan_output output;
    fr_error error = {0};
    bool is_for_grasp = fr__director_is_for_grasp(&t->list, task);
    if (fr__director_find_palm(t->r->person, &input, is_for_grasp, &palms, &output, &error) != FR_OK) {
        return refuse(t, "%s", error.message);
    }
    if (palms.count == 0) {
        return refuse(t,
                      task->is_spot                   ? "no spot of '%s' is free within reach"
                      : task->grasp == FR__GRASP_TOOL ? "nothing is known of the grip of '%s'"
                                                      : "the hand does not get round '%s'",
                      label_of(t->r, task->object));
    }
    if (output.result != FR_REACH_FOUND) {
        char words[256];
        fr_object_id met = output.obstacle.b;
        fr_reach_plan_words(body.skeleton, &output, met.index1 != 0 ? label_of(t->r, met) : NULL, words, sizeof words);
        return refuse(t, "%s", words);
    }
    fr_reach_plan_apply(body.skeleton, &output.plan, 1.0, &t->posture);
    (void)fr_posture_poses(body.skeleton, &t->posture, 1, t->links, NULL);
    t->is_in_use = t->is_in_use || task->grasp == FR__GRASP_TOOL;
    if (task->grasp == FR__GRASP_BEFORE || task->grasp == FR__GRASP_BESIDE) {
        fr_pose object = fr_object_get(fr_world_space(t->r->d->world), t->object)->pose;
        object.scale = 1.0;
        fr_pose back = fr_pose_inverse(&object);
        t->grip = fr_pose_compose(&back, &palms.goals[output.goal]);
        t->has_grip = true;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Other skills

static fr_performer *find_scout(fr__goal_reacher *r) {
    if (r->scout != NULL) { return r->scout; }
    fr_performer_view body = fr_performer_get(fr_person_performer(r->person->person));
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = body.skeleton;
    def.walk_set = body.walk_set;
    def.figure = body.figure;
    def.rate = body.rate;
    def.allocator = r->d->allocator;
    if (fr_performer_create(&def, &r->scout, NULL) != FR_OK) { r->status = FR_ERROR_MEMORY; }
    return r->scout;
}

static fr_object_name_fn name_for_scout;

static const char *name_for_scout(fr_object_id object, void *context) { return label_of(context, object); }

// A skill begins there, or refuses.
static bool try_skill(goal_trial *t, uint32_t index) {
    fr_performer *scout = find_scout(t->r);
    fr_error error = {0};
    if (scout == NULL || fr_performer_put(scout, &t->posture, &error) != FR_OK) {
        return refuse(t, "%s", error.message);
    }
    const fr__director_task *from = &t->list.tasks[index];
    fr_task task = fr__director_person_task(t->r->d, &t->list, index).task;
    const fr_object_view *view = fr_object_get(fr_world_space(t->r->d->world), from->object);
    if (view != NULL) {
        fr_pose frame = view->pose;
        frame.scale = 1.0;
        task.fields.target = fr_pose_compose(&frame, &task.fields.target);
        if (from->is_goal_local) { task.fields.goal = fr_pose_compose(&frame, &task.fields.goal); }
    }
    task.start = 0;
    task.fields.side = t->input->side == FR_LEFT ? FR_SIDE_LEFT : FR_SIDE_RIGHT;
    uint32_t known = from->skill->needs | from->skill->takes;
    task.fields.given |= known & FR_FIELD_SIDE;
    fr_performer_input input = fr_person_input(t->r->person->person);
    input.targets = NULL;
    input.target_count = 0;
    input.object_name = name_for_scout;
    input.object_name_context = t->r;
    fr_status status = fr_performer_begin(scout, &task, 1, &input, &error);
    if (status == FR_ERROR_MEMORY) { t->r->status = status; }
    return status == FR_OK || refuse(t, "%s", error.message);
}

static bool is_skill(const fr__director_task *task, const char *name) { return strcmp(task->skill->name, name) == 0; }

// Skills that plan an arm: the first by a goal that the director finds.
static bool is_reach(const char *name) {
    static const char *const names[] = {"ik_reach", "press", "slide", "tap", "touch_panel", "type"};
    bool is_one = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        is_one = is_one || strcmp(name, names[i]) == 0;
    }
    return is_one;
}

// Whether a motion that takes an object brings the hand to it; one of a known skill without a reach does not.
static bool brings_hand(const fr_class_motion *motion) {
    bool brings = false;
    for (uint32_t i = 0; i < motion->skill_count; i++) {
        const char *name = motion->skills[i].name;
        brings = brings || fr_skill_find(name) == NULL || is_reach(name) || strcmp(name, "mocap_play") == 0;
    }
    return brings;
}

// ---------------------------------------------------------------------------------------------------------------
// A motion

bool fr__goal_takes_side(const fr_class_motion *motion) {
    bool takes = false;
    for (uint32_t i = 0; i < motion->skill_count; i++) {
        const fr_skill *skill = fr_skill_find(motion->skills[i].name);
        takes = takes || (skill != NULL && ((skill->takes | skill->needs) & FR_FIELD_SIDE) != 0);
    }
    return takes;
}

// A joint to which the motion gives any value goes to an end where it is not yet.
static double value_of(const goal_trial *t) {
    const fr_machine_object *m = &t->r->world->objects[t->input->object].machine;
    double value = m->value != m->high ? m->high : m->low;
    return isfinite(value) ? value : 0.0;
}

static fr_status make_list(goal_trial *t, fr_error *error) {
    const fr_class_motion *motion = t->input->motion;
    char number[FR_NUMBER_BYTES + 1];
    fr_command_parameter parameters[3] = {{"from", "here"}};
    fr_command command = {.name = motion->name, .object = t->object, .parameters = parameters, .parameter_count = 1};
    if (fr__goal_takes_side(motion)) {
        parameters[command.parameter_count++] =
            (fr_command_parameter){"hand", t->input->side == FR_LEFT ? "left" : "right"};
    }
    if ((motion->fields & FR_CLASS_ASKS_VALUE) != 0) {
        number[fr_number_write(value_of(t), number)] = '\0';
        parameters[command.parameter_count++] = (fr_command_parameter){"value", number};
    }
    return fr__director_list_make(t->r->d, t->r->person, &command, &t->list, error);
}

// The place to which the motion itself would walk first; FR_NONE: it names none, or no body can be there.
static uint32_t find_own_stand(goal_trial *t) {
    fr__goal_reacher *r = t->r;
    const fr_command command = {.name = t->input->motion->name, .object = t->object};
    fr__director_list list;
    uint32_t found = FR_NONE;
    bool is_free = false;
    if (fr__director_list_make(r->d, r->person, &command, &list, NULL) != FR_OK) { return FR_NONE; }
    const fr__director_task *task = &list.tasks[0];
    const uint32_t both = FR_FIELD_GOAL | FR_FIELD_HEADING;
    const fr_object_view *view = fr_object_get(fr_world_space(r->d->world), t->object);
    bool is_walk = view != NULL && is_skill(task, "walk") && (task->fields.given & both) == both;
    if (is_walk) {
        fr_pose frame = task->is_goal_local ? view->pose : fr_pose_identity();
        frame.scale = 1.0;
        fr__goal_stand stand = {.heading = task->fields.heading, .is_reached = -1};
        stand.place = fr_pose_apply(&frame, task->fields.goal.position);
        stand.place.y = 0.0;
        stand.walk = floor_distance(stand.place, r->stands.data[0].place);
        r->status = fr__director_is_free(r->d, r->person, stand.place, &is_free, NULL);
        fr__goal_stand *place = r->status == FR_OK && is_free ? fr__goal_stand_array_push(&r->stands, 1) : NULL;
        if (place != NULL) {
            *place = stand;
            found = (uint32_t)r->stands.count - 1;
        } else if (r->status == FR_OK && is_free) {
            r->status = FR_ERROR_MEMORY;
        }
    }
    fr__director_list_end(r->d, &list);
    return found;
}

static bool try_motion(goal_trial *t, uint32_t stand) {
    bool is_right = true;
    uint32_t count = t->list.ends[t->list.stage_count - 1];
    t->has_grip = t->is_in_use = false;
    stand_at(t, &t->r->stands.data[stand]);
    if (stand != 0) { is_right = is_clear(t); }
    for (uint32_t i = 0; i < count && is_right; i++) {
        const fr__director_task *task = &t->list.tasks[i];
        if (task->program.name != NULL) { continue; }
        if (is_skill(task, "ik_reach")) {
            is_right = try_reach(t, task);
        } else if (is_reach(task->skill->name)) {
            is_right = try_skill(t, i);
        }
    }
    return is_right;
}

static void note_grip(goal_trial *t) {
    fr__goal_reacher *r = t->r;
    if (!t->takes || !t->has_grip) { return; }
    for (size_t i = 0; i < r->grips.count; i++) {
        fr__goal_grip *known = &r->grips.data[i];
        if (fr_object_id_equal(known->object, t->object) && known->side == t->input->side) { return; }
    }
    fr__goal_grip *place = fr__goal_grip_array_push(&r->grips, 1);
    if (place == NULL) { r->status = FR_ERROR_MEMORY; }
    if (place != NULL) { *place = (fr__goal_grip){t->object, t->input->side, t->grip, t->heading}; }
}

static const char *find_refusal(const goal_trial *t, uint32_t stand) {
    const fr__goal_refusals *list = t->r->refusals;
    uint64_t motion = fr_hash(t->input->motion->name, strlen(t->input->motion->name), 0);
    for (uint32_t i = 0; i < list->count; i++) {
        const fr__goal_refusal *one = &list->list[i];
        const fr__goal_stand *at = &t->r->stands.data[stand];
        bool is_it = fr_object_id_equal(one->object, t->object) && one->motion == motion &&
                     fr_cos(one->heading - at->heading) > SAME_FACING;
        if (is_it && floor_distance(one->place, at->place) < SAME) { return one->why; }
    }
    return NULL;
}

// The same as before, where it was looked at before.
static bool check(goal_trial *t, uint32_t stand, const char **why) {
    fr__goal_reacher *r = t->r;
    for (size_t i = 0; i < r->checks.count; i++) {
        const fr__goal_check *c = &r->checks.data[i];
        bool is_it = c->stand == stand && c->motion == t->input->motion && c->side == t->input->side &&
                     fr_object_id_equal(c->object, t->object) && fr_object_id_equal(c->tool, t->tool);
        if (!is_it) { continue; }
        *why = c->why;
        return c->is_right;
    }
    const char *refusal = find_refusal(t, stand);
    bool is_right = refusal == NULL;
    if (is_right && !t->is_made) {
        fr_error error = {0};
        fr_status status = make_list(t, &error);
        if (status == FR_ERROR_MEMORY) { r->status = status; }
        t->is_made = status == FR_OK;
        if (!t->is_made) { is_right = refuse(t, "%s", error.message); }
    }
    if (is_right && !is_reached(r, stand)) {
        is_right = false;
        (void)refuse(t, "%s", r->stands.data[stand].closed);
    }
    is_right = is_right && try_motion(t, stand);
    if (is_right) { note_grip(t); }
    fr__goal_check *place = fr__goal_check_array_push(&r->checks, 1);
    if (place == NULL) {
        r->status = FR_ERROR_MEMORY;
        return false;
    }
    *place = (fr__goal_check){t->object, t->tool, t->input->motion, t->input->side, stand, is_right, ""};
    if (!is_right) { place->why = refusal != NULL ? refusal : keep(r, t->why); }
    *why = r->checks.data[r->checks.count - 1].why;
    return is_right;
}

static double seconds_of(const fr__goal_reacher *r, uint32_t from, uint32_t to) {
    return DOING +
           (from == to ? 0.0 : 0.5 + floor_distance(r->stands.data[from].place, r->stands.data[to].place) / PACE);
}

static bool find_place(goal_trial *t, fr_goal_reach *out) {
    fr__goal_reacher *r = t->r;
    const char *why = NULL, *first_why = NULL, *closed = NULL;
    uint32_t here = t->input->place, count, closed_count = 0;
    fr_bounds box;
    bool is_near = fr_object_bounds(fr_world_space(r->d->world), t->object, &box, NULL) == FR_OK &&
                   r->stands.data[here].place.x > (double)box.min.x - FAR &&
                   r->stands.data[here].place.x < (double)box.max.x + FAR &&
                   r->stands.data[here].place.z > (double)box.min.z - FAR &&
                   r->stands.data[here].place.z < (double)box.max.z + FAR;
    bool is_found = is_near && check(t, here, &why);
    uint32_t place = here;
    bool can_walk = fr_performer_get(fr_person_performer(r->person->person)).walk_set != NULL;
    if (!can_walk) { first_why = why != NULL ? why : "it is out of reach of one who cannot walk"; }
    uint32_t own = !is_found && can_walk && r->status == FR_OK ? find_own_stand(t) : FR_NONE;
    if (own != FR_NONE) {
        place = own;
        is_found = check(t, own, &why);
        first_why = why;
    }
    uint32_t first = !is_found && can_walk && r->status == FR_OK ? find_stands(r, t->object, &count) : FR_NONE;
    for (uint32_t i = first; first != FR_NONE && i < first + count && !is_found && r->status == FR_OK; i++) {
        place = i;
        is_found = check(t, i, &why);
        first_why = first_why == NULL ? why : first_why;
        bool is_closed = !is_found && r->stands.data[i].closed != NULL;
        if (is_closed) { closed = r->stands.data[i].closed; }
        closed_count += is_closed ? 1 : 0;
        if (closed_count == CLOSED) { break; }
    }
    if (is_found) {
        out->place = place;
        out->seconds = seconds_of(r, here, place);
        return true;
    }
    first_why = closed != NULL ? closed : first_why != NULL ? first_why : why;
    if (first_why == NULL) {
        (void)refuse(t, "there is no room to stand before '%s'", label_of(r, t->object));
        first_why = t->why;
    }
    fr_utf8_repair(first_why, out->why, sizeof out->why);
    return false;
}

static bool takes_object(const fr_class_motion *motion) {
    return motion->object != NULL && strcmp(motion->object->name, "follow_hand") == 0;
}

static const fr__goal_result *find_result(const goal_trial *t) {
    const fr__goal_result_array *all = &t->r->results;
    for (size_t i = 0; i < all->count; i++) {
        const fr__goal_result *one = &all->data[i];
        bool is_it = one->motion == t->input->motion && one->side == t->input->side && one->from == t->input->place &&
                     fr_object_id_equal(one->object, t->object) && fr_object_id_equal(one->tool, t->tool);
        if (is_it) { return one; }
    }
    return NULL;
}

// The same as before, where it was looked for before.
static bool find_place_once(goal_trial *t, fr_goal_reach *out) {
    fr__goal_reacher *r = t->r;
    const fr__goal_result *known = find_result(t);
    if (known != NULL) {
        *out = known->reach;
        return known->is_found;
    }
    bool is_found = find_place(t, out);
    fr__goal_result *place = fr__goal_result_array_push(&r->results, 1);
    if (place == NULL) {
        r->status = FR_ERROR_MEMORY;
        return false;
    }
    *place = (fr__goal_result){t->object, t->tool, t->input->motion, t->input->side, t->input->place, is_found, *out};
    return is_found;
}

bool fr__goal_reach(const fr_goal_reach_input *input, fr_goal_reach *out, void *user) {
    fr__goal_reacher *r = user;
    *out = (fr_goal_reach){.place = input->place, .seconds = DOING};
    if (r->status != FR_OK) { return false; }
    if (input->on == FR_GOAL_DROPPED) { return false; } // it would lie where it was let go
    // Where it will lie is known when it lies there.
    if (input->on != FR_NONE && input->on != r->world->objects[input->object].on) { return true; }
    goal_trial t = {.r = r, .input = input, .object = r->world->ids[input->object]};
    if (input->tool != FR_NONE) { t.tool = r->world->ids[input->tool]; }
    t.takes = takes_object(input->motion);
    if (t.takes && !brings_hand(input->motion)) { return false; }
    bool is_found = find_place_once(&t, out);
    if (t.is_made) { fr__director_list_end(r->d, &t.list); }
    return is_found && r->status == FR_OK;
}
