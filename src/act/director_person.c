// The people of a director as a cast lists them, and how one who does nothing else is posed by hand.
#include "act/director.h"

bool fr__director_get_person(uint32_t index, fr_cast_person *out, void *user) {
    const fr_director *d = user;
    if (index >= d->person_count) { return false; }
    const fr__director_person *person = d->people[index];
    const fr_pose *links = fr_person_links(person->person);
    *out = (fr_cast_person){
        .name = fr_person_name(person->person), .object = fr_person_skin(person->person), .motion = ""};
    out->head = links[FR_LINK_HEAD].position;
    out->palms[FR_RIGHT] = links[FR_LINK_RIGHT_PALM].position;
    out->palms[FR_LEFT] = links[FR_LINK_LEFT_PALM].position;
    if (fr__director_list_count(person) == 0) { return true; }
    const fr__director_list *list = fr__director_first(person);
    out->motion = list->motions[0].name;
    out->ticket = list->ticket;
    out->waiting = (uint32_t)fr__director_list_count(person) - 1;
    return true;
}

// A copy of the posture that a person has, in turns of the caller.
static fr_posture copy_posture(const fr__director_person *person, fr_quat turns[FR_LINK_COUNT]) {
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    fr_performer_view view = fr_performer_get(fr_person_performer(person->person));
    (void)fr_posture_copy(&view.posture, &posture, NULL);
    return posture;
}

fr_status fr__director_pull(const char *name, fr_pull_part part, fr_vec3 point, void *user, fr_error *error) {
    const fr_director *d = user;
    const fr__director_person *person = fr__director_find_person(d, name);
    FR_ASSERT(person != NULL);
    if (fr__director_list_count(person) > 0) {
        return fr_error_set(error, FR_ERROR_BUSY, "%s does '%s': stop that first", name,
                            fr__director_first(person)->motions[0].name);
    }
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = copy_posture(person, turns);
    const fr_skeleton *skeleton = fr_performer_get(fr_person_performer(person->person)).skeleton;
    fr_status status = fr_posture_pull(skeleton, part, point, &posture, error);
    return status == FR_OK ? fr_person_put(person->person, &posture, error) : status;
}

fr_status fr__director_posture(const char *name, fr_clip **out, void *user, fr_error *error) {
    const fr_director *d = user;
    const fr__director_person *person = fr__director_find_person(d, name);
    FR_ASSERT(person != NULL);
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = copy_posture(person, turns);
    const uint8_t contacts[2] = {posture.contact_left, posture.contact_right};
    fr_clip_def def = fr_default_clip_def();
    def.name = "posture";
    def.clip_class = FR_CLIP_POSE;
    def.frame_count = 1;
    def.link_count = posture.count;
    def.places = &posture.place;
    def.turns = posture.turns;
    def.contacts = contacts;
    def.allocator = d->allocator;
    return fr_clip_create(&def, out, error);
}
