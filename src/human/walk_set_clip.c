// Makes a motion of one clip of a set.
#include "human/walk_set.h"

#include <stdio.h>

// How many links a motion of the set has: the body without fingers, or all links of any other skeleton.
static uint32_t link_count(const fr_walk_set *set) {
    uint32_t count = 0;
    for (int i = 0; i < FR_BODY_LINK_COUNT; i++) {
        if (set->body.links[i] != (uint32_t)i) { return fr_skeleton_get(set->view.skeleton)->link_count; }
        count++;
    }
    return count;
}

static void name_clip(const fr__walk_clip *clip, char name[FR_MAX_CLIP_NAME + 1]) {
    static const char *const classes[] = {[FR_CLIP_ONE_STEP] = "1step",
                                          [FR_CLIP_TWO_STEPS] = "2step",
                                          [FR_CLIP_START] = "start",
                                          [FR_CLIP_STRAIGHT] = "straight",
                                          [FR_CLIP_END] = "end"};
    const char *stride = clip->stride == FR_STRIDE_SMALL ? " small" : "";
    const char *joined = clip->clip_class != FR_CLIP_END ? "" : (clip->joined == FR__LEFT ? " left" : " right");
    (void)snprintf(name, FR_MAX_CLIP_NAME + 1, "%s %d %d%s%s", classes[clip->clip_class], clip->direction_deg,
                   clip->facing_deg, stride, joined);
}

static fr_status fill(const fr_walk_set *set, const fr__walk_clip *clip, fr_vec3 *places, fr_quat *turns,
                      uint8_t *contacts, uint32_t links, fr_error *error) {
    const fr_skeleton *skeleton = set->view.skeleton;
    fr_quat all[FR_MAX_LINKS];
    fr_posture posture = {.turns = all, .count = fr_skeleton_get(skeleton)->link_count};
    fr_status status = fr_posture_rest(skeleton, &posture, error);
    for (uint32_t i = 0; i < clip->frame_count && status == FR_OK; i++) {
        fr__walk_figure figure;
        uint32_t contact;
        fr__walk_set_figure(set, clip, (double)i, &figure);
        fr__walk_pose_planned(skeleton, &set->body, &figure, &posture);
        places[i] = posture.place;
        for (uint32_t link = 0; link < links; link++) {
            turns[(size_t)i * links + link] = all[link];
        }
        for (int foot = 0; foot < 2; foot++) {
            bool stands = fr__walk_stands(clip, foot, (double)i, &contact);
            contacts[2 * i + (uint32_t)foot] = stands ? fr__walk_contact_bits(figure.legs[foot].pitch) : 0;
        }
    }
    return status;
}

fr_status fr_walk_set_clip(const fr_walk_set *set, uint32_t index, const fr_allocator *allocator, fr_clip **out,
                           fr_error *error) {
    FR_ASSERT(set != NULL && out != NULL);
    *out = NULL;
    if (index >= FR_WALK_CLIPS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "clip %u of a set of %u", index, FR_WALK_CLIPS);
    }
    if (!fr__walk_set_need(set, index)) {
        return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a clip of a walk");
    }
    const fr__walk_clip *clip = &set->clips[index];
    fr_allocator memory = fr_allocator_or_default(allocator);
    uint32_t links = link_count(set);
    size_t frames = clip->frame_count;
    fr_vec3 *places = fr_allocate(&memory, frames, sizeof *places, _Alignof(fr_vec3));
    fr_quat *turns = fr_allocate(&memory, frames * links, sizeof *turns, _Alignof(fr_quat));
    uint8_t *contacts = fr_allocate(&memory, 2 * frames, 1, 1);
    fr_status status = FR_OK;
    if (places == NULL || turns == NULL || contacts == NULL) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a clip of a walk");
    }
    if (status == FR_OK) { status = fill(set, clip, places, turns, contacts, links, error); }
    if (status == FR_OK) {
        char name[FR_MAX_CLIP_NAME + 1];
        name_clip(clip, name);
        fr_clip_def def = fr_default_clip_def();
        def.name = name;
        def.clip_class = clip->clip_class;
        def.direction = fr_radians((double)clip->direction_deg);
        def.facing = fr_radians((double)clip->facing_deg);
        def.stride = clip->stride;
        def.last_foot =
            clip->clip_class != FR_CLIP_END ? FR_FOOT_NONE : (clip->joined == FR__LEFT ? FR_FOOT_LEFT : FR_FOOT_RIGHT);
        def.frame_rate = set->view.frame_rate;
        def.length = sqrt(clip->travel.x * clip->travel.x + clip->travel.y * clip->travel.y);
        def.frame_count = clip->frame_count;
        def.link_count = links;
        def.places = places;
        def.turns = turns;
        def.contacts = contacts;
        def.allocator = memory;
        status = fr_clip_create(&def, out, error);
    }
    fr_deallocate(&memory, places, frames, sizeof *places);
    fr_deallocate(&memory, turns, frames * links, sizeof *turns);
    fr_deallocate(&memory, contacts, 2 * frames, 1);
    return status;
}
