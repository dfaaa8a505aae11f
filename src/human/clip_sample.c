// The posture and the weights of a clip at a frame or a time.
#include "human/clip.h"

#include "human/posture_kernel.h"

static void read_turns(const fr_clip *clip, uint32_t frame, fr_quat *turns) {
    const float *numbers = clip->turns + 4 * (size_t)frame * clip->view.link_count;
    fr__posture_kernel()->read_floats(numbers, clip->view.link_count, turns);
}

static fr_vec3 place_at(const fr_clip *clip, uint32_t frame) {
    const float *t = clip->travels + 3 * (size_t)frame;
    return fr_vec3_add(clip->origin, fr_vec3_make((double)t[0], (double)t[1], (double)t[2]));
}

static fr_status check_room(const fr_clip *clip, const fr_posture *posture, fr_error *error) {
    if (posture->turns != NULL && posture->count >= clip->view.link_count) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "a posture of %u links for a clip of %u",
                        posture->turns != NULL ? posture->count : 0, clip->view.link_count);
}

static void fill_rest(const fr_clip *clip, uint32_t frame, fr_posture *posture) {
    for (uint32_t i = clip->view.link_count; i < posture->count; i++) {
        posture->turns[i] = fr_quat_identity();
    }
    posture->contact_left = clip->contacts[2 * (size_t)frame];
    posture->contact_right = clip->contacts[2 * (size_t)frame + 1];
}

fr_status fr_clip_frame(const fr_clip *clip, uint32_t frame, fr_posture *posture, fr_error *error) {
    FR_ASSERT(clip != NULL && posture != NULL);
    fr_status status = check_room(clip, posture, error);
    if (status != FR_OK) { return status; }
    if (frame >= clip->view.frame_count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "frame %u of a clip of %u", frame, clip->view.frame_count);
    }
    read_turns(clip, frame, posture->turns);
    posture->place = place_at(clip, frame);
    fill_rest(clip, frame, posture);
    return FR_OK;
}

fr_status fr_clip_sample(const fr_clip *clip, double seconds, fr_posture *posture, fr_error *error) {
    FR_ASSERT(clip != NULL && posture != NULL);
    fr_status status = check_room(clip, posture, error);
    if (status != FR_OK) { return status; }
    const fr_clip_view *view = &clip->view;
    double time = isfinite(seconds) && seconds > 0.0 ? seconds * view->frame_rate : 0.0;
    double last = (double)(view->frame_count - 1);
    time = time < last ? time : last;
    uint32_t frame = (uint32_t)time;
    double part = time - (double)frame;
    if (part == 0.0) { return fr_clip_frame(clip, frame, posture, error); }

    fr_quat next[FR_MAX_LINKS];
    read_turns(clip, frame, posture->turns);
    read_turns(clip, frame + 1, next);
    fr__posture_kernel()->slerp(posture->turns, next, part, view->link_count, posture->turns);
    posture->place = fr_vec3_lerp(place_at(clip, frame), place_at(clip, frame + 1), part);
    fill_rest(clip, frame, posture);
    return FR_OK;
}

// The key at or before a fraction, and how far the next one is on.
static uint32_t find_key(const fr_clip_view *view, double fraction, double *part) {
    uint32_t key = 0;
    while (key + 1 < view->weight_key_count && view->weight_times[key + 1] <= fraction) {
        key++;
    }
    *part = 0.0;
    if (key + 1 < view->weight_key_count && fraction > view->weight_times[key]) {
        *part = (fraction - view->weight_times[key]) / (view->weight_times[key + 1] - view->weight_times[key]);
    }
    return key;
}

fr_status fr_clip_weights(const fr_clip *clip, double fraction, double *weights, uint32_t count, fr_error *error) {
    FR_ASSERT(clip != NULL && weights != NULL);
    const fr_clip_view *view = &clip->view;
    uint32_t links = view->link_count;
    if (count <= links) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "room for %u weights of a clip of %u links", count, links);
    }
    double part;
    uint32_t key = find_key(view, fraction, &part);
    const float *now = view->weights + (size_t)key * (links + 1), *next = part > 0.0 ? now + (links + 1) : now;
    for (uint32_t i = 0; i < count; i++) {
        bool is_place = i == count - 1;
        uint32_t from = is_place ? links : i;
        weights[i] = i >= links && !is_place ? 0.0 : 1.0;
        if (weights[i] == 0.0 || view->weight_key_count == 0) { continue; }
        weights[i] = (1.0 - part) * (double)now[from] + part * (double)next[from];
    }
    return FR_OK;
}
