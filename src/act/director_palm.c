// Which palm of a reach comes to what it shall grip: all turns and heights of it in one search.
#include "act/director.h"

#include <string.h>

// As the skill ik_reach begins: with the fingers as they are, then with an open hand.
static fr_status find_reach(const fr_reach_plan_input *input, fr_reach_plan_output *out, fr_error *error) {
    fr_status status = fr_reach_plan_find(input, out, error);
    bool is_blocked = out->result == FR_REACH_GOAL_BLOCKED || out->result == FR_REACH_PATH_BLOCKED;
    if (status != FR_OK || !is_blocked) { return status; } // other fingers reach no farther
    const fr_quat *rests = fr_skeleton_get(input->skeleton)->rests;
    uint32_t thumb = input->side == FR_RIGHT ? FR_LINK_RIGHT_THUMB_1 : FR_LINK_LEFT_THUMB_1;
    fr_quat fingers[14];
    for (uint32_t i = 0; i < 14; i++) {
        fingers[i] = fr_skeleton_clamp(input->skeleton, thumb + i, rests[thumb + i]);
    }
    fr_reach_plan_input open = *input;
    fr_reach_plan_output second;
    open.fingers = fingers;
    status = fr_reach_plan_find(&open, &second, error);
    if (status == FR_OK && second.result == FR_REACH_FOUND) { *out = second; }
    return status;
}

static void remove_palm(fr__director_palms *palms, uint32_t index) {
    size_t after = palms->count - index - 1;
    memmove(&palms->goals[index], &palms->goals[index + 1], after * sizeof *palms->goals);
    memmove(&palms->tries[index], &palms->tries[index + 1], after * sizeof *palms->tries);
    palms->count--;
}

fr_status fr__director_find_palm(const fr__director_person *person, fr_reach_plan_input *input, bool is_for_grasp,
                                 fr__director_palms *palms, fr_reach_plan_output *out, fr_error *error) {
    fr_status status = FR_OK;
    bool is_settled = false;
    // A search is dear: what no hand gets round is not searched for.
    for (uint32_t i = palms->count; is_for_grasp && i > 0; i--) {
        if (!fr__director_can_grip(person, input->posture, input->side, &palms->goals[i - 1])) {
            remove_palm(palms, i - 1);
        }
    }
    while (!is_settled && status == FR_OK && palms->count > 0) {
        input->goals = palms->goals;
        input->goal_count = palms->count;
        status = find_reach(input, out, error);
        is_settled = status != FR_OK || out->result != FR_REACH_FOUND || !is_for_grasp ||
                     fr__director_grips_well(person, input->posture, input->side, &palms->goals[out->goal]);
        if (!is_settled) { remove_palm(palms, out->goal); }
    }
    return status;
}

// The one task of a stage whose palm grips something by itself; NULL: there is none, or more than one.
static const fr__director_task *find_reacher(const fr__director_list *list) {
    const fr__director_task *found = NULL;
    for (uint32_t i = fr__director_stage_first(list); i < list->ends[list->stage]; i++) {
        const fr__director_task *task = &list->tasks[i];
        if (task->grasp == FR__GRASP_NONE) { continue; }
        bool is_one = found == NULL && task->program.name == NULL && strcmp(task->skill->name, "ik_reach") == 0;
        if (!is_one) { return NULL; }
        found = task;
    }
    return found;
}

uint32_t fr__director_next_palm(fr_director *d, const fr__director_person *person, const fr__director_list *list,
                                uint32_t tries) {
    const fr__director_task *task = find_reacher(list);
    fr_performer_view body = fr_performer_get(fr_person_performer(person->person));
    fr_performer_input world = fr_person_input(person->person);
    fr_pose place;
    if (task == NULL || task->is_blind || body.figure == NULL || world.space == NULL ||
        !fr__director_target(d, task, &place)) {
        return person->palm + 1;
    }
    const fr_pose *links = fr_person_links(person->person);
    const fr_vec3 shoulders[2] = {
        [FR_RIGHT] = links[FR_LINK_RIGHT_UPPER_ARM].position, [FR_LEFT] = links[FR_LINK_LEFT_UPPER_ARM].position};
    fr__director_palms palms = {0};
    fr_skill_side side = (task->fields.given & FR_FIELD_SIDE) != 0 ? task->fields.side : FR_SIDE_NEAREST;
    for (uint32_t i = person->palm + 1; i < tries && i < FR__DIRECTOR_ALL_PALMS; i++) {
        fr_pose *goal = &palms.goals[palms.count];
        palms.tries[palms.count] = i;
        if (task->grasp == FR__GRASP_TOOL) {
            if (i >= FR__DIRECTOR_PALMS ||
                fr__director_tool_palm(d, person, task, &place, i, goal, &side, NULL) != FR_OK) {
                continue;
            }
        } else {
            *goal = fr__director_still_palm(body.skeleton, shoulders, task, &place, i, &side);
        }
        palms.count++;
    }
    fr_reach_plan_input input = fr_default_reach_plan_input();
    input.skeleton = body.skeleton;
    input.figure = body.figure;
    input.posture = &body.posture;
    input.side = side == FR_SIDE_LEFT ? FR_LEFT : FR_RIGHT;
    input.space = world.space;
    input.filter = world.filter;
    input.lean_max = FR__DIRECTOR_LEAN;
    fr_reach_plan_output output = {.result = FR_REACH_TOO_FAR};
    fr_status status =
        fr__director_find_palm(person, &input, fr__director_is_for_grasp(list, task), &palms, &output, NULL);
    bool is_found = status == FR_OK && palms.count > 0 && output.result == FR_REACH_FOUND;
    return is_found ? palms.tries[output.goal] : tries;
}
