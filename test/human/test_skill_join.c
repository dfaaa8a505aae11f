// Skills in any order, with any goals, cut off and fused at any frame: no joint's velocity jumps where one begins or
// ends.
#include "fureai/human_skill.h"

#include "frame.h"
#include "fureai/human_files.h"
#include "stage.h"

// The lists of a stretch follow one another on one body; stretches do not know of one another, so that parts of a long
// run may be on several machines.
enum { STRETCH = 400, STRETCHES = 50 };

static stage on;

static fr_pose facing(double x, double y, double z, double heading) {
    return fr_pose_make(fr_vec3_make(x, y, z), fr_quat_from_axis_angle(fr_vec3_make(0.0, 1.0, 0.0), heading));
}

// The rows of the table, each with a step that notes which links its task cares for.
static fr_skill noted_rows[64];
static uint64_t carers[2][STAGE_LINKS]; // in this frame, in the last
static bool was_changed[STAGE_LINKS];   // in the last

static fr_status noted_step(const fr_skill_input *input, const fr_skill_state *skill_state, fr_skill_output *output,
                            fr_error *error) {
    fr_status status = fr_skill_at((uint32_t)(input->skill - noted_rows))->step(input, skill_state, output, error);
    for (uint32_t i = 0; status == FR_OK && i < STAGE_LINKS; i++) {
        if (output->weights[i] > 0.0) { carers[0][i] += (uint64_t)(uintptr_t)input->fields; }
    }
    return status;
}

static void note_rows(void) {
    for (uint32_t i = 0; i < fr_skill_count(); i++) {
        noted_rows[i] = *fr_skill_at(i);
        noted_rows[i].step = noted_step;
    }
}

// One frame; returns the greatest jump of a link for which tasks began or ended to care in this frame or in the last.
static double step_noted(uint32_t *worst_link) {
    fr_quat a[STAGE_LINKS], b[STAGE_LINKS];
    memcpy(a, on.before[0], sizeof a);
    memcpy(b, on.before[1], sizeof b);
    bool has_two = on.frames >= 2;
    memset(carers[0], 0, sizeof carers[0]);
    stage_step(&on);
    double worst = 0.0;
    for (uint32_t i = 1; i < STAGE_LINKS; i++) {
        bool is_changed = carers[0][i] != carers[1][i];
        fr_vec3 first = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(a[i]), b[i]));
        fr_vec3 second = fr_quat_to_vector(fr_quat_multiply(fr_quat_conjugate(b[i]), on.output.posture.turns[i]));
        double jump = 60.0 * fr_vec3_distance(first, second);
        if (has_two && (is_changed || was_changed[i]) && jump > worst) {
            worst = jump;
            *worst_link = i;
        }
        was_changed[i] = is_changed;
        carers[1][i] = carers[0][i];
    }
    return worst;
}

typedef struct random_goal {
    fr_quat turns[STAGE_LINKS];
    fr_posture posture;
    double weights[STAGE_LINKS + 1];
    fr_pose via[3];
} random_goal;

static fr_pose random_near(fr_random *random, double far) {
    fr_vec3 place = fr_performer_get(on.performer).posture.place;
    fr_pose pose = facing(place.x + fr_random_between(random, -far, far), fr_random_between(random, 0.3, 1.4),
                          place.z + fr_random_between(random, -far, far), fr_random_between(random, -3.1, 3.1));
    return pose;
}

// A seat behind the body, or anywhere near.
static fr_pose random_seat(fr_random *random) {
    if (fr_random_below(random, 3) == 0) { return random_near(random, 0.8); }
    fr_vec3 place = fr_performer_get(on.performer).posture.place;
    double heading = on.frames > 0 ? stage_heading(&on) : 0.0, back = fr_random_between(random, 0.25, 0.5);
    return facing(place.x - back * sin(heading), fr_random_between(random, 0.35, 0.6), place.z - back * cos(heading),
                  heading + fr_random_between(random, -0.4, 0.4));
}

static fr_task random_task(fr_random *random, uint64_t id, const fr_clip *clip, random_goal *goal) {
    static const char *const words[] = {"bow", "nod", "shake", "shrug", "surprise", "thumb_up", "wave"};
    fr_task task = {.id = id, .skill = &noted_rows[fr_random_below(random, fr_skill_count())]};
    fr_skill_fields *fields = &task.fields;
    goal->posture = (fr_posture){.turns = goal->turns, .count = STAGE_LINKS};
    for (uint32_t i = 0; i <= STAGE_LINKS; i++) {
        bool is_body = i < FR_LINK_RIGHT_UPPER_ARM || (i >= FR_LINK_RIGHT_THIGH && i <= FR_LINK_LEFT_FOOT);
        goal->weights[i] = is_body || i == STAGE_LINKS ? 0.0 : (double)fr_random_below(random, 3) * 50.0;
        if (i == STAGE_LINKS) { break; }
        fr_quat turn = fr_quat_from_vector(random_about(random, 1.2));
        goal->turns[i] = fr_skeleton_clamp(on.skeleton, i, turn);
    }
    goal->weights[FR_LINK_HEAD] = 1.0;
    fields->given = task.skill->needs | (task.skill->takes & (uint32_t)fr_random_bits(random) & ~FR_FIELD_FRAMES);
    fields->target = strcmp(task.skill->name, "sit") == 0 ? random_seat(random) : random_near(random, 0.6);
    fields->goal = random_near(random, 3.0);
    fields->goal.position.y = 0.0;
    fields->heading = fr_random_between(random, -3.1, 3.1);
    fields->side = (fr_skill_side)fr_random_below(random, 3);
    fields->clip = clip;
    fields->posture = &goal->posture;
    fields->weights = goal->weights;
    fields->given |= (task.skill->takes & FR_FIELD_WEIGHTS);
    fields->value = fr_random_between(random, -1.0, 1.0);
    for (int i = 0; i < 3; i++) {
        goal->via[i] = random_near(random, 2.0);
    }
    fields->poses = goal->via;
    fields->pose_count = 1 + (uint32_t)fr_random_below(random, 3);
    strcpy(fields->word, words[fr_random_below(random, 7)]);
    fields->diameter = fr_random_between(random, 0.02, 0.1);
    fields->speed = fr_random_between(random, 0.8, 1.6);
    task.start = fr_random_below(random, 3) == 0 ? (uint32_t)fr_random_below(random, 60) : 0;
    return task;
}

static fr_clip *short_clip(void) {
    static fr_quat turns[60][STAGE_LINKS];
    static fr_vec3 places[60];
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    fr_task bow = stage_task(1, "gesture");
    bow.fields.given = FR_FIELD_WORD;
    strcpy(bow.fields.word, "bow");
    stage_begin(&on, &bow, 1);
    for (int k = 0; k < 60; k++) {
        stage_step(&on);
        memcpy(turns[k], on.output.posture.turns, sizeof turns[k]);
        places[k] = on.output.posture.place;
    }
    fr_clip_def def = fr_default_clip_def();
    def.frame_count = 60;
    def.link_count = STAGE_LINKS;
    def.places = places;
    def.turns = turns[0];
    fr_clip *clip = NULL;
    assert_int_equal(fr_clip_create(&def, &clip, NULL), FR_OK);
    return clip;
}

// What the frames of some stretches showed.
typedef struct join_tally {
    uint64_t begun, refused;
    uint64_t frames, frames_over;       // all; those in which a joint jumps by over 4 rad/s
    uint64_t boundaries, boundary_over; // frames in which tasks begin or end to care for a link that moves
    uint64_t beyond;                    // frames in which a link is beyond its limit by over a tenth of a degree
    uint64_t rests, rests_beyond;       // links that came to rest, frames by frames; beyond their limits likewise
    double worst, boundary_worst, excess;
    uint32_t worst_link, boundary_link, excess_link;
} join_tally;

// Links that no task cares for and that have not moved for some frames (a walk that comes to its stop does), of those
// that were within their limits, or nearly so, when they were left.
static void tally_rests(join_tally *t) {
    static double excess_left[STAGE_LINKS];
    static uint32_t still[STAGE_LINKS];
    for (uint32_t i = 1; i < STAGE_LINKS; i++) {
        double excess = fr_skeleton_excess(on.skeleton, i, on.output.posture.turns[i]);
        bool is_still = memcmp(&on.before[0][i], &on.before[1][i], sizeof(fr_quat)) == 0;
        still[i] = is_still && on.frames >= 2 ? still[i] + 1 : 0;
        if (carers[1][i] != 0 || on.frames < 2) {
            excess_left[i] = excess;
            still[i] = 0;
        } else if (still[i] > 5 && excess_left[i] < 0.1) {
            t->rests++;
            t->rests_beyond += excess > fr_radians(0.1) ? 1 : 0;
        }
    }
}

static void tally_frame(join_tally *t) {
    uint32_t link = 0;
    on.jump = on.excess = 0.0;
    double jump = step_noted(&link);
    tally_rests(t);
    t->frames++;
    t->frames_over += on.jump > 4.0 ? 1 : 0;
    t->boundaries += jump > 0.0 ? 1 : 0;
    t->boundary_over += jump > 4.0 ? 1 : 0;
    t->beyond += on.excess > fr_radians(0.1) ? 1 : 0;
    if (jump > t->boundary_worst) {
        t->boundary_worst = jump;
        t->boundary_link = link;
    }
    if (on.jump > t->worst) {
        t->worst = on.jump;
        t->worst_link = on.jump_link;
    }
    if (on.excess > t->excess) {
        t->excess = on.excess;
        t->excess_link = on.excess_link;
    }
}

static void join_stretch(uint64_t seed, const fr_clip *clip, uint64_t lists, join_tally *t) {
    static random_goal goals[4];
    fr_random random = fr_random_seed(seed);
    memset(carers, 0, sizeof carers);
    memset(was_changed, 0, sizeof was_changed);
    fr_performer_destroy(on.performer);
    on.performer = stage_performer(on.skeleton, on.set, 0);
    stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0);
    for (uint64_t n = 0; n < lists; n++) {
        uint32_t task_count = 1 + (uint32_t)fr_random_below(&random, 3);
        fr_task tasks[3];
        for (uint32_t i = 0; i < task_count; i++) {
            tasks[i] = random_task(&random, 3 * n + i, clip, &goals[i]);
        }
        fr_error error = {0};
        bool is_added = fr_random_below(&random, 2) == 0;
        fr_status status = is_added ? fr_performer_add(on.performer, tasks, task_count, NULL, &error)
                                    : fr_performer_begin(on.performer, tasks, task_count, NULL, &error);
        assert_true((status == FR_OK) == (error.message[0] == '\0'));
        t->begun += status == FR_OK ? 1 : 0;
        t->refused += status == FR_OK ? 0 : 1;
        if (fr_random_below(&random, 5) == 0) { (void)fr_performer_stop(on.performer, 3 * n); }
        for (uint32_t k = 0, frames = (uint32_t)fr_random_below(&random, 120); k < frames; k++) {
            tally_frame(t);
        }
        if (fr_vec3_length(on.output.posture.place) > 100.0) { stage_stand(&on, fr_vec3_make(0.0, 0.0, 0.0), 0.0); }
    }
}

// Skills begin, are cut off, fused and stopped in any order with any goals: no joint's velocity jumps by over 4 rad/s
// where one begins or ends (A19).
static void joins_any_skills_without_a_jump(void **state) {
    (void)state;
    fr_clip *clip = short_clip();
    note_rows();
    join_tally t = {0};
    for (uint64_t i = 0, count = test_is_long() ? STRETCHES : 1; i < count; i++) {
        if (!test_is_in_part(i, count)) { continue; }
        join_stretch(77 + i, clip, STRETCH, &t);
        print_message(
            "%llu lists begun, %llu refused; %llu frames, %llu over 4 rad/s (%.2f, link %u); %llu at "
            "boundaries, %llu over 4 (%.2f, link %u); %llu beyond a limit (%.1f degrees, link %u), %llu of %llu "
            "at rest\n",
            (unsigned long long)t.begun, (unsigned long long)t.refused, (unsigned long long)t.frames,
            (unsigned long long)t.frames_over, t.worst, t.worst_link, (unsigned long long)t.boundaries,
            (unsigned long long)t.boundary_over, t.boundary_worst, t.boundary_link, (unsigned long long)t.beyond,
            fr_degrees(t.excess), t.excess_link, (unsigned long long)t.rests_beyond, (unsigned long long)t.rests);
        fflush(stdout);
    }
    fr_clip_release(clip);
    assert_true(3 * t.begun >= t.refused);
    assert_int_equal(t.boundary_over, 0);
    assert_true(t.rests > 0);
    assert_int_equal(t.rests_beyond, 0);
    // Ankles of bodies that sit down, are cut off and stand up, and arms in clips that were made from such a body.
    assert_true(t.beyond <= 10 + t.frames / 200);
    assert_true(t.excess < (test_is_long() ? 0.6 : 0.1));
    // Means of motions that are half a turn apart, two fast motions at once, and a body that rises from a squat, is
    // stopped and stretches a knee to its end within a frame: 20 of 1.19 million frames at the full count, by up
    // to 9.00 rad/s.
    assert_true(t.worst < (test_is_long() ? 9.01 : 4.5) && t.frames_over <= 1 + t.frames / 20000);
}

static int open_stage(void **state) {
    (void)state;
    on = stage_open();
    return 0;
}

static int close_stage(void **state) {
    (void)state;
    stage_close(&on);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(joins_any_skills_without_a_jump)};
    return cmocka_run_group_tests(tests, open_stage, close_stage);
}
