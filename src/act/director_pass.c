// Reaching while walking: the walk is planned whole, so that the body is known in all its frames, and the palm meets
// what the body passes in the frame in which it can.
#include "act/director.h"

#include "fureai/base_drawing.h"

#include <math.h>
#include <string.h>

#define COURSE_MAX 4096u // frames of a walk that are looked at
#define REST_SECONDS 1.0 // that are looked at after its end
#define STAY_SECONDS 0.36
#define TRIES 3            // palms in one frame that do not get round what they take
#define LEAST_SECONDS 0.45 // of a reach
#define HIGHER 0.01        // metres over the middle of a grip
#define HIGHEST 0.03
#define SLACK 0.0015 // metres that a palm may come to rest higher or lower
#define FAR 0.5      // metres beyond the arm's length where nothing helps

// Where a palm may meet something, seconds after the shoulder is nearest to it, and how long the reach takes.
static const double MEETS[] = {-0.2, -0.1, -0.3, 0.0, -0.4, 0.1, -0.5, 0.2};
static const double REACHES[] = {0.8, 1.1};
enum { GOALS_MAX = 2 * FR__DIRECTOR_PASS_PALMS };

enum { MEET_COUNT = sizeof MEETS / sizeof MEETS[0], REACH_COUNT = sizeof REACHES / sizeof REACHES[0] };

// ---------------------------------------------------------------------------------------------------------------
// The course of the body

// Frames of a body as they are put into a clip.
typedef struct course_frames {
    fr_vec3 *places;
    fr_quat *turns;
    uint8_t *contacts;
    uint32_t count, links;
    fr_allocator allocator;
} course_frames;

static void free_frames(course_frames *f, uint32_t capacity) {
    fr_deallocate(&f->allocator, f->places, capacity, sizeof *f->places);
    fr_deallocate(&f->allocator, f->turns, (size_t)capacity * f->links, sizeof *f->turns);
    fr_deallocate(&f->allocator, f->contacts, (size_t)capacity * 2, sizeof *f->contacts);
}

static bool reserve_frames(course_frames *f, uint32_t capacity) {
    f->places = fr_allocate(&f->allocator, capacity, sizeof *f->places, _Alignof(fr_vec3));
    f->turns = fr_allocate(&f->allocator, (size_t)capacity * f->links, sizeof *f->turns, _Alignof(fr_quat));
    f->contacts = fr_allocate(&f->allocator, (size_t)capacity * 2, sizeof *f->contacts, 1);
    return f->places != NULL && f->turns != NULL && f->contacts != NULL;
}

static void add_frame(course_frames *f, const fr_posture *posture) {
    f->places[f->count] = posture->place;
    memcpy(&f->turns[(size_t)f->count * f->links], posture->turns, f->links * sizeof *f->turns);
    f->contacts[2 * f->count] = posture->contact_left;
    f->contacts[2 * f->count + 1] = posture->contact_right;
    f->count++;
}

static fr_status make_clip(const course_frames *f, double rate, fr_clip **out, fr_error *error) {
    fr_clip_def def = fr_default_clip_def();
    def.name = "course";
    def.frame_rate = rate;
    def.frame_count = f->count;
    def.link_count = f->links;
    def.places = f->places;
    def.turns = f->turns;
    def.contacts = f->contacts;
    def.allocator = f->allocator;
    return fr_clip_create(&def, out, error);
}

// All frames of a walk, the first one as the body stands now, and some after it.
static fr_status walk_course(fr_performer *scout, const fr_task *walk, course_frames *f, double rate, fr_clip **out,
                             fr_error *error) {
    fr_task now = *walk;
    now.start = 0;
    fr_status status = fr_performer_begin(scout, &now, 1, NULL, error);
    if (status != FR_OK) { return status; }
    const fr_walk *own = fr_performer_get(scout).walk;
    uint32_t steps = (own != NULL ? fr_walk_get(own).frame_count : 0) + (uint32_t)(REST_SECONDS * rate);
    uint32_t delay = walk->start < COURSE_MAX ? walk->start : COURSE_MAX;
    steps = steps < COURSE_MAX - delay ? steps : COURSE_MAX - delay;
    uint32_t capacity = steps + delay + 1;
    if (!reserve_frames(f, capacity)) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the course of a walk");
    }
    fr_posture posture = fr_performer_get(scout).posture;
    for (uint32_t i = 0; i <= delay && status == FR_OK; i++) {
        add_frame(f, &posture);
    }
    fr_performer_output output;
    for (uint32_t i = 0; i < steps && status == FR_OK; i++) {
        status = fr_performer_step(scout, NULL, &output, error);
        if (status == FR_OK) { add_frame(f, &output.posture); }
    }
    if (status == FR_OK) { status = make_clip(f, rate, out, error); }
    free_frames(f, capacity);
    return status;
}

static fr_status find_course(const fr_director *d, const fr__director_person *person, const fr_task *walk,
                             fr_clip **out, fr_error *error) {
    fr_performer_view view = fr_performer_get(fr_person_performer(person->person));
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = view.skeleton;
    def.walk_set = view.walk_set;
    def.posture = &view.posture;
    def.person = view.person;
    def.variety = view.variety;
    def.rate = view.rate;
    def.allocator = d->allocator;
    fr_performer *scout = NULL;
    course_frames f = {.links = view.posture.count, .allocator = d->allocator};
    fr_status status = fr_performer_create(&def, &scout, error);
    if (status == FR_OK) { status = walk_course(scout, walk, &f, view.rate, out, error); }
    fr_performer_destroy(scout);
    return status;
}

// The part of a course from one frame to another.
static fr_status cut_course(const fr_director *d, const fr_clip *whole, uint32_t first, uint32_t last, fr_clip **out,
                            fr_error *error) {
    const fr_clip_view *view = fr_clip_get(whole);
    course_frames f = {.links = view->link_count, .allocator = d->allocator};
    uint32_t capacity = last - first + 1;
    fr_status status = FR_OK;
    if (!reserve_frames(&f, capacity)) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the course of a walk");
    }
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    for (uint32_t i = first; i <= last && status == FR_OK; i++) {
        status = fr_clip_frame(whole, i, &posture, error);
        if (status == FR_OK) { add_frame(&f, &posture); }
    }
    if (status == FR_OK) { status = make_clip(&f, view->frame_rate, out, error); }
    free_frames(&f, capacity);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// One reach

typedef struct pass_choice {
    fr_director *d;
    const fr__director_person *person;
    const fr__director_task *task;
    const fr_skeleton *skeleton;
    const fr_clip *course;
    double rate;
    fr_pose place;             // of what is reached for; of a goal that is given, the goal
    uint32_t stay;             // frames that the palm stays
    fr_reach_plan_output best; // the refusal that came farthest
    bool has_best;
    bool has_grasp;   // the hand closes there
    bool is_slippery; // the hand did not get round it where it came to it
    double nearest;   // metres from a shoulder to the place, beyond the arm's length
} pass_choice;

static fr_posture posture_at(const pass_choice *s, uint32_t frame, fr_quat turns[FR_LINK_COUNT]) {
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    (void)fr_clip_frame(s->course, frame, &posture, NULL);
    return posture;
}

static void shoulders_at(const pass_choice *s, uint32_t frame, fr_vec3 shoulders[2]) {
    fr_quat turns[FR_LINK_COUNT];
    fr_pose links[FR_LINK_COUNT];
    fr_posture posture = posture_at(s, frame, turns);
    (void)fr_posture_poses(s->skeleton, &posture, 1, links, NULL);
    shoulders[FR_RIGHT] = links[FR_LINK_RIGHT_UPPER_ARM].position;
    shoulders[FR_LEFT] = links[FR_LINK_LEFT_UPPER_ARM].position;
}

static double arm_length(const pass_choice *s) {
    const fr_skeleton_view *view = fr_skeleton_get(s->skeleton);
    return fr_vec3_length(view->offsets[FR_LINK_RIGHT_FOREARM]) + fr_vec3_length(view->offsets[FR_LINK_RIGHT_PALM]);
}

// The frame in which a shoulder is nearest to the place, and how near.
static uint32_t nearest_frame(const pass_choice *s, fr_side side, double *distance) {
    uint32_t best = 0;
    *distance = HUGE_VAL;
    for (uint32_t i = 0; i < fr_clip_get(s->course)->frame_count; i++) {
        fr_vec3 shoulders[2];
        shoulders_at(s, i, shoulders);
        double now = fr_vec3_distance(shoulders[side], s->place.position);
        if (!(now < *distance)) { continue; }
        *distance = now;
        best = i;
    }
    return best;
}

// Where the palm may be in the frame in which it meets the place: what is taken from beside may be taken higher up.
static uint32_t goals_at(const pass_choice *s, uint32_t meet, fr_side side, fr_pose goals[GOALS_MAX]) {
    fr_vec3 shoulders[2];
    goals[0] = s->place;
    if (s->task->grasp == FR__GRASP_NONE) { return 1; }
    shoulders_at(s, meet, shoulders);
    fr_skill_side own = side == FR_RIGHT ? FR_SIDE_RIGHT : FR_SIDE_LEFT;
    uint32_t count = s->task->grasp == FR__GRASP_BESIDE ? GOALS_MAX : FR__DIRECTOR_PALMS;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = count == GOALS_MAX ? i / 2 : i;
        goals[i] = fr__director_palm(s->skeleton, shoulders, s->task, &s->place, index, &own);
        if (count == GOALS_MAX) { goals[i].position.y += i % 2 == 0 ? HIGHER : HIGHEST; }
    }
    return count;
}

// An open hand, as ik_reach has it until it arrives.
static void open_hand(const pass_choice *s, fr_side side, fr_quat fingers[14]) {
    const fr_quat *rests = fr_skeleton_get(s->skeleton)->rests;
    uint32_t thumb = side == FR_RIGHT ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1;
    for (uint32_t i = 0; i < 14; i++) {
        fingers[i] = fr_skeleton_clamp(s->skeleton, thumb + i, rests[thumb + i]);
    }
}

static void note_refusal(pass_choice *s, const fr_reach_plan_output *output) {
    bool is_better = !s->has_best || output->result > s->best.result ||
                     (output->result == s->best.result && output->miss < s->best.miss);
    if (is_better) { s->best = *output; }
    s->has_best = true;
}

// The rest of the body does not count.
bool fr__director_can_grip(const fr__director_person *person, const fr_posture *posture, fr_side side,
                           const fr_pose *palm) {
    fr_performer_input world = fr_person_input(person->person);
    fr_performer_view body = fr_performer_get(fr_person_performer(person->person));
    if (body.figure == NULL || world.space == NULL) { return true; }
    const fr_quat *rests = fr_skeleton_get(body.skeleton)->rests;
    fr_quat turns[FR_LINK_COUNT];
    fr_pose links[FR_LINK_COUNT];
    fr_posture moved = *posture;
    moved.turns = turns;
    memcpy(turns, posture->turns, FR_LINK_COUNT * sizeof *turns);
    uint32_t thumb = side == FR_RIGHT ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1;
    for (uint32_t i = 0; i < 14; i++) {
        turns[thumb + i] = fr_skeleton_clamp(body.skeleton, thumb + i, rests[thumb + i]);
    }
    (void)fr_posture_poses(body.skeleton, &moved, 1, links, NULL);
    fr_pose back = fr_pose_inverse(&links[side == FR_RIGHT ? FR_LINK_RIGHT_PALM : FR_LINK_LEFT_PALM]);
    fr_pose by = fr_pose_compose(palm, &back), root = fr_pose_compose(&by, &links[0]);
    moved.place = root.position;
    turns[0] = root.rotation;
    fr_grip_input grip = fr_default_grip_input();
    grip.skeleton = body.skeleton;
    grip.figure = body.figure;
    grip.posture = &moved;
    grip.side = side;
    grip.space = world.space;
    grip.filter = world.filter;
    fr_grip_output output;
    return fr_grip_close(&grip, &moved, &output, NULL) == FR_OK && output.result == FR_GRIP_HELD;
}

bool fr__director_grips_well(const fr__director_person *person, const fr_posture *posture, fr_side side,
                             const fr_pose *palm) {
    bool is_right = true;
    for (int i = -1; i <= 1 && is_right; i++) {
        fr_pose near = *palm;
        near.position.y += SLACK * i;
        is_right = fr__director_can_grip(person, posture, side, &near);
    }
    return is_right;
}

// Whether the hand of a pass gets round what it takes.
static bool can_grip(const pass_choice *s, fr_side side, const fr_pose *palm) {
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = posture_at(s, 0, turns);
    return !s->has_grasp || fr__director_can_grip(s->person, &posture, side, palm);
}

// Where the palm is in the frame in which it is at the goal: joints that were brought back within their limits leave it
// up to a millimetre beside.
static fr_status find_palm(const pass_choice *s, const fr_reach_pass *pass, const fr_clip *course, fr_pose *palm,
                           fr_error *error) {
    fr_quat turns[FR_LINK_COUNT];
    fr_pose links[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    fr_quat arm[FR_REACH_LINKS];
    fr_status status = fr_clip_frame(course, 0, &posture, error);
    for (uint32_t k = 1; k <= pass->meet && status == FR_OK; k++) {
        for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
            arm[i] = turns[pass->links[i]];
        }
        status = fr_clip_frame(course, k, &posture, error);
        for (uint32_t i = 0; i < FR_REACH_LINKS; i++) {
            turns[pass->links[i]] = arm[i];
        }
        if (status == FR_OK) { status = fr_reach_pass_apply(s->skeleton, pass, course, k, &posture, error); }
    }
    if (status == FR_OK) { status = fr_posture_poses(s->skeleton, &posture, 1, links, error); }
    if (status == FR_OK) { *palm = links[pass->side == FR_RIGHT ? FR_LINK_RIGHT_PALM : FR_LINK_LEFT_PALM]; }
    return status;
}

// The reach whose palm is there in a frame, on a part of the course that is the pass's own.
static fr_status try_meet(pass_choice *s, fr_side side, uint32_t start, uint32_t meet, fr__director_pass *out,
                          bool *is_found, fr_error *error) {
    *is_found = false;
    fr_performer_input world = fr_person_input(s->person->person);
    fr_performer_view body = fr_performer_get(fr_person_performer(s->person->person));
    fr_pose goals[GOALS_MAX];
    fr_quat fingers[14];
    open_hand(s, side, fingers);
    fr_clip *course = NULL;
    fr_status status = cut_course(s->d, s->course, start, meet + s->stay, &course, error);
    fr_reach_pass_input input = fr_default_reach_pass_input();
    input.skeleton = s->skeleton;
    input.figure = body.figure;
    input.course = course;
    input.meet = meet - start;
    input.end = input.meet + s->stay;
    input.side = side;
    input.fingers = fingers;
    input.goals = goals;
    input.goal_count = goals_at(s, meet, side, goals);
    input.space = world.space;
    input.filter = world.filter;
    for (int i = 0; i < TRIES && status == FR_OK && !*is_found && input.goal_count > 0; i++) {
        fr_reach_pass pass;
        fr_reach_plan_output output;
        status = fr_reach_pass_find(&input, &pass, &output, error);
        if (status != FR_OK || output.result != FR_REACH_FOUND) {
            if (status == FR_OK) { note_refusal(s, &output); }
            break;
        }
        out->goal = goals[output.goal];
        fr_pose palm = out->goal;
        status = find_palm(s, &pass, course, &palm, error);
        *is_found = status == FR_OK && can_grip(s, side, &palm);
        s->is_slippery = !*is_found;
        goals[output.goal] = goals[--input.goal_count];
    }
    if (!*is_found) {
        fr_clip_release(course);
        return status;
    }
    out->start = start;
    out->meet = meet;
    out->end = meet + s->stay;
    out->side = side == FR_RIGHT ? FR_SIDE_RIGHT : FR_SIDE_LEFT;
    out->course = course;
    return FR_OK;
}

static uint32_t frames_of(const pass_choice *s, double seconds) {
    double frames = floor(seconds * s->rate + 0.5);
    return frames > 1.0 ? (uint32_t)frames : 1;
}

// A skill that is blind, as a program is, sees no shapes and no course: it gets where the palm would go if the body
// stood still.
static void blind_pass(const pass_choice *s, fr_side side, uint32_t start, uint32_t meet, fr__director_pass *out) {
    fr_quat turns[FR_LINK_COUNT];
    fr_posture then = posture_at(s, meet, turns);
    fr_pose later = fr_pose_make(then.place, then.turns[0]);
    fr_posture now = posture_at(s, start, turns);
    fr_pose first = fr_pose_make(now.place, now.turns[0]), back = fr_pose_inverse(&later);
    fr_pose goals[GOALS_MAX];
    uint32_t count = goals_at(s, meet, side, goals), palm = s->person->palm < count ? s->person->palm : 0;
    fr_pose seen = fr_pose_compose(&back, &goals[palm]);
    out->start = start;
    out->meet = out->end = meet;
    out->goal = fr_pose_compose(&first, &seen);
    out->side = side == FR_RIGHT ? FR_SIDE_RIGHT : FR_SIDE_LEFT;
    out->course = NULL;
}

// Tries one frame to meet in after another; where the command says when the reach begins, that alone.
static fr_status try_side(pass_choice *s, fr_side side, fr__director_pass *out, bool *is_found, fr_error *error) {
    double distance;
    uint32_t count = fr_clip_get(s->course)->frame_count, nearest = nearest_frame(s, side, &distance);
    uint32_t least = frames_of(s, LEAST_SECONDS), begin = s->task->start;
    bool has_frames = (s->task->fields.given & FR_FIELD_FRAMES) != 0;
    fr_status status = FR_OK;
    s->nearest = fmin(s->nearest, distance - arm_length(s));
    *is_found = false;
    if (distance > arm_length(s) + FAR) { return FR_OK; }
    for (int i = 0; i < (begin > 0 ? 1 : MEET_COUNT) && status == FR_OK && !*is_found; i++) {
        for (int k = 0; k < (has_frames ? 1 : REACH_COUNT) && status == FR_OK && !*is_found; k++) {
            uint32_t reach = has_frames ? s->task->fields.frames : frames_of(s, REACHES[k]);
            double wanted = begin > 0 ? (double)begin + reach : (double)nearest + floor(MEETS[i] * s->rate);
            uint32_t meet = wanted > least + 1 ? (uint32_t)wanted : least + 1;
            if (begin == 0 && !has_frames && reach + 1 > meet) { reach = meet - 1; }
            if (reach + 1 > meet || meet + s->stay >= count) { continue; }
            *is_found = s->task->is_blind;
            if (*is_found) {
                blind_pass(s, side, meet - reach, meet, out);
            } else {
                status = try_meet(s, side, meet - reach, meet, out, is_found, error);
            }
        }
    }
    return status;
}

static fr_status refuse(const pass_choice *s, fr_error *error) {
    const char *name = fr_world_label(s->d->world, s->task->object).name;
    bool has_name = s->task->object.index1 != 0 && name != NULL && name[0] != '\0';
    const char *what = has_name ? name : "the goal";
    if (s->nearest > FAR || (!s->has_best && !s->is_slippery)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "walking, the hand comes no nearer to '%s' than %.2f m", what,
                            s->nearest > 0.0 ? s->nearest : 0.0);
    }
    if (s->is_slippery) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "walking past '%s', the hand does not get round it", what);
    }
    char words[256];
    fr_object_id met = s->best.obstacle.b;
    const char *obstacle = met.index1 != 0 ? fr_world_label(s->d->world, met).name : NULL;
    fr_reach_plan_words(s->skeleton, &s->best, obstacle, words, sizeof words);
    return fr_error_set(error, FR_ERROR_ARGUMENT, "walking past '%s': %s", what, words);
}

static fr_status find_pass(pass_choice *s, fr__director_pass *out, fr_error *error) {
    fr_skill_side wanted = (s->task->fields.given & FR_FIELD_SIDE) != 0 ? s->task->fields.side : FR_SIDE_NEAREST;
    double distances[2];
    (void)nearest_frame(s, FR_RIGHT, &distances[FR_RIGHT]);
    (void)nearest_frame(s, FR_LEFT, &distances[FR_LEFT]);
    fr_side first = distances[FR_LEFT] < distances[FR_RIGHT] ? FR_LEFT : FR_RIGHT;
    if (wanted != FR_SIDE_NEAREST) { first = wanted == FR_SIDE_LEFT ? FR_LEFT : FR_RIGHT; }
    bool is_found = false;
    s->nearest = HUGE_VAL;
    fr_status status = try_side(s, first, out, &is_found, error);
    if (status == FR_OK && !is_found && wanted == FR_SIDE_NEAREST) {
        status = try_side(s, first == FR_LEFT ? FR_RIGHT : FR_LEFT, out, &is_found, error);
    }
    return status == FR_OK && !is_found ? refuse(s, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// The passes of a stage

static bool is_reach(const fr__director_task *task) { return strcmp(task->skill->name, "ik_reach") == 0; }
static bool is_grasp(const fr__director_task *task) { return strcmp(task->skill->name, "grasp") == 0; }

// Whether a task, without a start of its own, does something with the hand and the object of a reach.
static bool follows(const fr__director_task *task, const fr__director_task *reach) {
    bool has_hand = (task->skill->takes & FR_FIELD_SIDE) != 0 || (task->skill->needs & FR_FIELD_SIDE) != 0;
    return task != reach && has_hand && task->start == 0 && reach->object.index1 != 0 && !is_reach(task) &&
           fr_object_id_equal(task->object, reach->object);
}

// Frames for which the palm stays: until the hand has closed.
static uint32_t stay_of(const fr__director_list *list, const fr__director_task *reach, double rate) {
    for (uint32_t i = fr__director_stage_first(list); i < list->ends[list->stage]; i++) {
        const fr__director_task *task = &list->tasks[i];
        if (!follows(task, reach) || !is_grasp(task)) { continue; }
        return (task->fields.given & FR_FIELD_FRAMES) != 0 ? task->fields.frames : (uint32_t)ceil(STAY_SECONDS * rate);
    }
    return 0;
}

static bool find_place(const fr_director *d, const fr__director_task *task, fr_pose *out) {
    *out = task->fields.goal;
    if (task->grasp != FR__GRASP_NONE) { return fr__director_target(d, task, out); }
    const fr_object_view *view = fr_object_get(fr_world_space(d->world), task->object);
    if (!task->is_goal_local) { return true; }
    if (view == NULL) { return false; }
    fr_pose frame = view->pose;
    frame.scale = 1.0;
    *out = fr_pose_compose(&frame, &task->fields.goal);
    return true;
}

fr_status fr__director_find_passes(fr_director *d, const fr__director_person *person, const fr__director_list *list,
                                   fr__director_passes *out, fr_error *error) {
    out->count = 0;
    if (d->path_task == FR_NONE) { return FR_OK; }
    fr_performer_view body = fr_performer_get(fr_person_performer(person->person));
    fr_clip *course = NULL;
    fr_status status = FR_OK;
    for (uint32_t i = fr__director_stage_first(list); i < list->ends[list->stage] && status == FR_OK; i++) {
        const fr__director_task *task = &list->tasks[i];
        pass_choice s = {.d = d, .person = person, .task = task, .skeleton = body.skeleton, .rate = body.rate};
        if (!is_reach(task) || out->count == FR__DIRECTOR_MAX_PASSES || !find_place(d, task, &s.place)) { continue; }
        if (course == NULL) {
            fr_person_task walk = fr__director_person_task(d, list, d->path_task);
            status = find_course(d, person, &walk.task, &course, error);
        }
        if (status != FR_OK) { break; }
        s.course = course;
        s.stay = stay_of(list, task, body.rate);
        s.has_grasp = s.stay > 0;
        out->list[out->count].task = i;
        status = find_pass(&s, &out->list[out->count], error);
        if (status == FR_OK) { out->count++; }
    }
    fr_clip_release(course);
    if (status != FR_OK) { fr__director_free_passes(out); }
    return status;
}

void fr__director_free_passes(fr__director_passes *passes) {
    for (uint32_t i = 0; i < passes->count; i++) {
        fr_clip_release(passes->list[i].course);
    }
    passes->count = 0;
}

bool fr__director_take_pass(const fr__director_list *list, const fr__director_passes *passes, uint32_t task,
                            double rate, fr_person_task *to) {
    const fr__director_task *own = &list->tasks[task];
    fr_skill_fields *fields = &to->task.fields;
    for (uint32_t i = 0; i < passes->count; i++) {
        const fr__director_pass *pass = &passes->list[i];
        bool is_own = pass->task == task;
        if (!is_own && !follows(own, &list->tasks[pass->task])) { continue; }
        fields->side = pass->side;
        fields->given |= FR_FIELD_SIDE;
        if (!is_own) {
            to->task.start = is_grasp(own) ? pass->meet : pass->end;
            if (is_grasp(own) && pass->end > pass->meet) {
                fields->frames = pass->end - pass->meet;
                fields->given |= FR_FIELD_FRAMES;
            }
            continue;
        }
        to->task.start = pass->start;
        to->in_world |= FR_FIELD_GOAL;
        fields->goal = pass->goal;
        fields->frames = pass->end - pass->start;
        fields->given |= FR_FIELD_FRAMES;
        if (pass->course == NULL) { return true; }
        fields->value = (double)(pass->end - pass->meet) / rate;
        fields->clip = pass->course;
        fields->given |= FR_FIELD_CLIP | FR_FIELD_VALUE;
        return true;
    }
    return false;
}

void fr__director_wait_for_passes(fr__director_person *person, const fr__director_list *list,
                                  const fr__director_passes *passes) {
    for (uint32_t i = 0; i < passes->count; i++) {
        const fr__director_pass *pass = &passes->list[i];
        const fr__director_task *reach = &list->tasks[pass->task];
        for (uint32_t k = 0; k < person->held_count; k++) {
            fr__director_held *held = &person->held[k];
            bool is_new = fr_object_id_equal(held->object, reach->object) && held->state.is_attached == 0;
            if (!is_new) { continue; }
            held->waits_for = pass->course != NULL && pass->end > pass->meet ? "grasp" : "reached";
        }
    }
}
