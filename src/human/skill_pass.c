// A palm that meets a goal while the body moves on (see reach_pass.c), as a part of skills.
#include "human/skill_arm.h"

#include "human/posture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define OFF_COURSE 0.05    // metres that the body may be off the course
#define ON_COURSE 1e-3     // metres within which it is where it should be
#define SPARE_SECONDS 10.0 // that a body may be late by
#define PASS_WEIGHT 1e4    // of the arm, and of a chest that turns: the walk turns them too, and the palm goes by them

static fr_status place_on_course(const fr_skill_input *input, uint32_t frame, fr_vec3 *place, fr_error *error) {
    fr_quat turns[FR_MAX_LINKS];
    fr_posture body = {.turns = turns, .count = input->body.count};
    fr_status status = fr_clip_frame(input->fields->clip, frame, &body, error);
    *place = body.place;
    return status;
}

static fr_status off_course(fr_error *error) {
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the body does not go as the reach was planned for");
}

static fr_status refuse(const fr_skill_input *input, const fr_reach_plan_output *output, fr_error *error) {
    char words[256];
    bool has_name = output->obstacle.b.index1 != 0 && input->object_name != NULL;
    const char *obstacle = has_name ? input->object_name(output->obstacle.b, input->object_name_context) : NULL;
    fr_reach_plan_words(input->skeleton, output, obstacle, words, sizeof words);
    return fr_error_set(error, FR_ERROR_ARGUMENT, "%s", words);
}

fr_status fr__arm_pass_begin(const fr_skill_input *input, fr_side side, fr__arm_pass *pass, uint32_t *frames,
                             fr_error *error) {
    const fr_clip_view *course = fr_clip_get(input->fields->clip);
    double value = (input->fields->given & FR_FIELD_VALUE) != 0 ? input->fields->value : 0.0;
    double stay = floor(fmax(value, 0.0) * input->rate + 0.5);
    uint32_t last = input->frames > 0 ? input->frames : course->frame_count - 1;
    if (fabs(course->frame_rate - input->rate) > 1e-6 * input->rate || course->link_count != input->body.count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the course of a reach has %u links and %g frames a second",
                            course->link_count, course->frame_rate);
    }
    if (last >= course->frame_count || stay >= (double)last) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a reach of %u frames on a course of %u", last,
                            course->frame_count);
    }
    fr_vec3 place;
    fr_status status = place_on_course(input, 0, &place, error);
    if (status == FR_OK && fr_vec3_distance(place, input->body.place) > OFF_COURSE) { status = off_course(error); }
    if (status == FR_OK) { status = fr__hand_shape_turns(input, side, FR__HAND_OPEN, pass->to, error); }
    if (status != FR_OK) { return status; }
    fr__hand_read(input, side, &input->body, pass->from);
    fr_reach_pass_input reach = fr_default_reach_pass_input();
    reach.skeleton = input->skeleton;
    reach.figure = input->figure;
    reach.course = input->fields->clip;
    reach.meet = last - (uint32_t)stay;
    reach.end = last;
    reach.side = side;
    reach.fingers = pass->to;
    reach.goals = &input->fields->goal;
    reach.goal_count = 1;
    reach.space = input->space;
    reach.filter = input->filter;
    fr_reach_plan_output output;
    status = fr_reach_pass_find(&reach, &pass->pass, &output, error);
    if (status == FR_OK && output.result != FR_REACH_FOUND) { status = refuse(input, &output, error); }
    *frames = last + fr__skill_frames(input, SPARE_SECONDS);
    return status;
}

// The frame of the course in which the body is now: the one that it should be in, or where programs move it late, one
// before or after it.
static fr_status find_frame(const fr_skill_input *input, const fr__arm_pass *pass, uint32_t *frame, fr_error *error) {
    static const int tries[3] = {0, -1, 1};
    double nearest = INFINITY;
    for (int i = 0; i < 3 && nearest > ON_COURSE; i++) {
        uint32_t at = (uint32_t)((int64_t)pass->frame + tries[i]);
        if ((pass->frame == 0 && tries[i] < 0) || at > pass->pass.end) { continue; }
        fr_vec3 place;
        fr_status status = place_on_course(input, at, &place, error);
        if (status != FR_OK) { return status; }
        double distance = fr_vec3_distance(place, input->body.place);
        if (!(distance < nearest)) { continue; }
        nearest = distance;
        *frame = at;
    }
    return nearest <= OFF_COURSE ? FR_OK : off_course(error);
}

fr_status fr__arm_pass_step(const fr_skill_input *input, fr__arm_pass *pass, fr_skill_output *output, fr_error *error) {
    const fr_reach_pass *p = &pass->pass;
    uint32_t last = 0;
    fr_status status = find_frame(input, pass, &last, error);
    if (status != FR_OK) { return status; }
    bool was_there = last >= p->meet;
    uint32_t frame = pass->frame = last < p->end ? last + 1 : p->end;
    status = fr_reach_pass_apply(input->skeleton, p, input->fields->clip, frame, &output->posture, error);
    if (status != FR_OK) { return status; }
    double part = frame < p->meet ? (double)frame / (double)p->meet : 1.0;
    if (!was_there) { fr__hand_write(input, p->side, pass->from, pass->to, fr_reach_progress(part), output); }
    for (uint32_t i = 0; i < FR__HAND_LINKS && was_there; i++) {
        fr_link thumb = p->side == FR_RIGHT ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1;
        output->weights[fr__skill_link(input, (fr_link)(thumb + i))] = FR__WEIGHT_NORMAL; // what grasps goes before
    }
    fr__skill_weigh_arm(input, output, p->side, PASS_WEIGHT);
    if (fr_vec3_length_squared(p->chest) > 0.0) { output->weights[p->links[0]] = PASS_WEIGHT; }
    if (!was_there && frame >= p->meet) { fr__skill_emit(input, output, "reached", 0.0, 0.0); }
    output->is_done = frame >= p->end;
    return FR_OK;
}
