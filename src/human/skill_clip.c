// The skill mocap_play: plays a recorded motion from where the body is.
#include "human/skill.h"

#include "human/posture.h"

// What takes the clip's frames into the world: a turn about the vertical, then a displacement.
typedef struct clip_state {
    double heading;
    fr_vec3 first; // place of the clip's first frame
    fr_vec3 place; // where that goes
} clip_state;

// Clips are recorded on the ground y = 0.
static fr_status clip_init(const fr_skill_input *input, const fr_skill_state *state, uint32_t *frames,
                           fr_error *error) {
    clip_state *mine = state->bytes;
    const fr_skill_fields *fields = input->fields;
    const fr_clip_view *clip = fr_clip_get(fields->clip);
    fr_quat turns[FR_MAX_LINKS];
    fr_posture first = {.turns = turns, .count = input->body.count};
    fr_status status = fr_clip_frame(fields->clip, 0, &first, error);
    if (status != FR_OK) { return status; }

    fr_vec3 place = input->body.place;
    double heading = fr__skill_heading(input->skeleton, &input->body), ground = 0.0;
    if ((fields->given & FR_FIELD_GOAL) != 0) {
        place = fields->goal.position;
        fr_vec3 forward = fr__quat_turn(fields->goal.rotation, (fr_vec3){0.0, 0.0, 1.0});
        heading = fr_atan2(forward.x, forward.z);
        ground = place.y;
    } else {
        (void)fr__skill_ground(input->skeleton, &input->body, &ground);
    }
    mine->heading = heading - fr__skill_heading(input->skeleton, &first);
    mine->first = fr_vec3_make(first.place.x, 0.0, first.place.z);
    mine->place = fr_vec3_make(place.x, ground, place.z);
    *frames = input->frames > 0 ? input->frames : fr__skill_frames(input, clip->duration);
    return fr__skill_check_time(input, clip->duration, "the clip", error);
}

// The first step is the clip one frame after its first posture, which is the body's.
static fr_status clip_step(const fr_skill_input *input, const fr_skill_state *state, fr_skill_output *output,
                           fr_error *error) {
    const clip_state *mine = state->bytes;
    const fr_skill_fields *fields = input->fields;
    double part = fr__skill_part(input);
    fr_status status =
        fr_clip_sample(fields->clip, part * fr_clip_get(fields->clip)->duration, &output->posture, error);
    if (status == FR_OK) {
        status = fr_clip_weights(fields->clip, part, output->weights, output->posture.count + 1, error);
    }
    if (status != FR_OK) { return status; }
    fr_quat turn = fr__quat_about(1, mine->heading);
    fr_posture *posture = &output->posture;
    posture->turns[0] = fr__quat_product(turn, posture->turns[0]);
    posture->place = fr_vec3_add(mine->place, fr__quat_turn(turn, fr_vec3_sub(posture->place, mine->first)));
    return FR_OK;
}

const fr_skill fr__skill_mocap_play = {
    .name = "mocap_play",
    .words = "plays a clip from where the body stands and faces, or from a goal",
    .needs = FR_FIELD_CLIP,
    .takes = FR_FIELD_GOAL | FR_FIELD_FRAMES,
    .state_bytes = sizeof(clip_state),
    .init = clip_init,
    .step = clip_step,
};
