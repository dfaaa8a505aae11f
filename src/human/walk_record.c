// The motion of a whole walk as one clip.
#include "human/walk_set.h"

#include <string.h>

FR_ARRAY_TYPE(walked_turn_array, fr_quat);
FR_ARRAY_TYPE(walked_place_array, fr_vec3);

typedef struct walk_record {
    walked_turn_array turns;
    walked_place_array places;
    fr_byte_array contacts;
} walk_record;

static bool record_frame(walk_record *r, const fr_posture *posture) {
    fr_quat *turns = walked_turn_array_push(&r->turns, posture->count);
    fr_vec3 *place = walked_place_array_push(&r->places, 1);
    unsigned char *contacts = fr_byte_array_push(&r->contacts, 2);
    if (turns == NULL || place == NULL || contacts == NULL) { return false; }
    memcpy(turns, posture->turns, posture->count * sizeof *turns);
    *place = posture->place;
    contacts[0] = posture->contact_left;
    contacts[1] = posture->contact_right;
    return true;
}

static fr_status record_walk(fr_walk *walk, fr_posture *posture, walk_record *r, fr_error *error) {
    fr_status status = FR_OK;
    bool is_over = false;
    while (status == FR_OK && !is_over) {
        is_over = !fr_walk_get(walk).is_walking;
        if (r->places.count == FR_MAX_CLIP_FRAMES) {
            return fr_error_set(error, FR_ERROR_LIMIT, "a walk of more than %u frames", FR_MAX_CLIP_FRAMES);
        }
        if (!record_frame(r, posture)) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a walk"); }
        if (!is_over) { status = fr_walk_step(walk, posture, error); }
    }
    return status;
}

fr_status fr_walk_set_record(const fr_walk_set *set, const fr_walk_goal *goals, size_t count,
                             const fr_allocator *allocator, fr_clip **out, fr_error *error) {
    FR_ASSERT(set != NULL && out != NULL);
    *out = NULL;
    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = {.turns = turns, .count = fr_skeleton_get(set->view.skeleton)->link_count};
    fr_walk_def def = fr_default_walk_def();
    def.set = set;
    def.allocator = fr_allocator_or_default(allocator);
    walk_record r = {walked_turn_array_make(&def.allocator), walked_place_array_make(&def.allocator),
                     fr_byte_array_make(&def.allocator)};
    fr_walk *walk = NULL;
    fr_status status = fr_posture_rest(set->view.skeleton, &posture, error);
    if (status == FR_OK) { status = fr_walk_set_stand(set, fr_vec3_make(0.0, 0.0, 0.0), 0.0, &posture, error); }
    if (status == FR_OK) { status = fr_walk_create(&def, &walk, error); }
    if (status == FR_OK) { status = fr_walk_begin(walk, &posture, error); }
    if (status == FR_OK) { status = fr_walk_go(walk, goals, count, 0, error); }
    if (status == FR_OK) { status = record_walk(walk, &posture, &r, error); }
    if (status == FR_OK) {
        fr_clip_def clip = fr_default_clip_def();
        clip.name = "walk";
        clip.frame_rate = set->view.frame_rate;
        clip.length = fr_walk_get(walk).length;
        clip.frame_count = (uint32_t)r.places.count;
        clip.link_count = posture.count;
        clip.places = r.places.data;
        clip.turns = r.turns.data;
        clip.contacts = r.contacts.data;
        clip.allocator = def.allocator;
        status = fr_clip_create(&clip, out, error);
    }
    fr_walk_destroy(walk);
    walked_turn_array_destroy(&r.turns);
    walked_place_array_destroy(&r.places);
    fr_byte_array_destroy(&r.contacts);
    return status;
}
