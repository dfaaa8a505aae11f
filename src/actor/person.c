// A person of a world: a performer, the skin that follows it, and the rigid pieces that are touched in its place.
#include "fureai/actor_person.h"

#include "actor/claim.h"

#include <math.h>
#include <string.h>

#define PERSON_COOKIE 0x50455253u

struct fr_person {
    fr_person_def def; // its pointers but world, skeleton and walk set are not read
    fr_allocator allocator;
    char name[FR_PERSON_NAME_MAX_BYTES + 1];
    fr_object_id proxies[FR_FIGURE_PROXY_COUNT];
    bool has_proxies;
    fr_query_filter filter;
    fr_performer *performer;
    fr_pose links[FR_LINK_COUNT]; // in the world
    fr_pose bones[FR_LINK_COUNT]; // about the skin's place
    fr_vec3 place;                // of the skin
};

fr_person_def fr_default_person_def(void) {
    fr_person_def def;
    memset(&def, 0, sizeof def);
    def.cookie = PERSON_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Where it is

// The links of a posture. The skin is about the point below the hip: its bones have small numbers however far it went.
static fr_status take_posture(fr_person *p, const fr_posture *posture, fr_error *error) {
    fr_status status = fr_posture_poses(p->def.skeleton, posture, 1, p->links, error);
    if (status != FR_OK) { return status; }
    p->place = fr_vec3_make(posture->place.x, p->def.place.y, posture->place.z);
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        p->bones[i] = p->links[i];
        p->bones[i].position = fr_vec3_sub(p->links[i].position, p->place);
    }
    return FR_OK;
}

static fr_pose skin_pose(const fr_person *p) { return fr_pose_make(p->place, fr_quat_identity()); }

// Puts the objects where the links are, between ticks.
static fr_status put_objects(const fr_person *p, fr_error *error) {
    fr_space *space = fr_world_space(p->def.world);
    fr_status status = FR_OK;
    if (p->def.skin.index1 != 0) {
        fr_pose pose = skin_pose(p);
        status = fr_object_set_pose(space, p->def.skin, &pose, error);
        if (status == FR_OK) { status = fr_object_set_bones(space, p->def.skin, p->bones, FR_LINK_COUNT, error); }
    }
    for (uint32_t i = 0; p->has_proxies && i < FR_FIGURE_PROXY_COUNT && status == FR_OK; i++) {
        status = fr_object_set_pose(space, p->proxies[i], &p->links[fr_figure_proxy_link(i)], error);
    }
    return status;
}

// The posture at its place: as it stands by its walk set, else at rest.
static fr_status stand(const fr_person *p, fr_posture *posture, fr_error *error) {
    fr_status status = fr_posture_rest(p->def.skeleton, posture, error);
    if (status != FR_OK) { return status; }
    const fr_vec3 up = {0.0, 1.0, 0.0};
    posture->turns[0] = fr_quat_multiply(fr_quat_from_axis_angle(up, p->def.heading), posture->turns[0]);
    posture->place = fr_vec3_add(posture->place, p->def.place);
    if (p->def.walk_set == NULL) { return FR_OK; }
    double height = posture->place.y;
    status = fr_walk_set_stand(p->def.walk_set, p->def.place, p->def.heading, posture, error);
    if (p->def.place.y != 0.0) { posture->place.y = fmin(height, posture->place.y + p->def.place.y); }
    return status;
}

fr_status fr_person_restart(fr_person *person, fr_error *error) {
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture = {.turns = turns, .count = FR_LINK_COUNT};
    fr_status status = stand(person, &posture, error);
    if (status == FR_OK) { status = fr_performer_put(person->performer, &posture, error); }
    if (status == FR_OK) { status = take_posture(person, &posture, error); }
    return status == FR_OK ? put_objects(person, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_status check_objects(const fr_person_def *def, fr_error *error) {
    const fr_space *space = fr_world_space(def->world);
    if (def->skin.index1 != 0) {
        const fr_object_view *view = fr_object_get(space, def->skin);
        if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object for a skin"); }
        if (view->bone_count != FR_LINK_COUNT) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skin of a person follows %u bones, not %u",
                                (unsigned)FR_LINK_COUNT, (unsigned)view->bone_count);
        }
    }
    for (uint32_t i = 0; def->proxies != NULL && i < FR_FIGURE_PROXY_COUNT; i++) {
        if (fr_object_exists(space, def->proxies[i])) { continue; }
        return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object for the %s of a person",
                            fr_figure_proxy_name(i));
    }
    return FR_OK;
}

static fr_status check_def(const fr_person_def *def, fr_error *error) {
    if (def->cookie != PERSON_COOKIE) { return fr_error_set_cookie(error, "fr_default_person_def"); }
    if (def->world == NULL || def->skeleton == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a person needs a world and a skeleton");
    }
    const fr_skeleton_view *skeleton = fr_skeleton_get(def->skeleton);
    bool is_body = skeleton->link_count == FR_LINK_COUNT;
    for (uint32_t i = 0; is_body && i < FR_LINK_COUNT; i++) {
        is_body = skeleton->roles[i] == i;
    }
    if (!is_body) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a person has the %u links of a body", (unsigned)FR_LINK_COUNT);
    }
    if (!fr_vec3_is_finite(def->place) || !isfinite(def->heading)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the place or heading of a person is not finite");
    }
    return check_objects(def, error);
}

static fr_status create_performer(fr_person *p, fr_error *error) {
    fr_performer_def def = fr_default_performer_def();
    def.skeleton = p->def.skeleton;
    def.walk_set = p->def.walk_set;
    def.person = p->def.seed;
    def.variety = p->def.variety;
    def.rate = 1.0 / fr_world_step(p->def.world);
    def.allocator = p->allocator;
    return fr_performer_create(&def, &p->performer, error);
}

fr_status fr_person_create(const fr_person_def *def, fr_person **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    if (status != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_person *p = fr_allocate(&allocator, 1, sizeof *p, _Alignof(fr_person));
    if (p == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a person"); }
    memset(p, 0, sizeof *p);
    p->allocator = allocator;
    p->def = *def;
    fr__copy_text(p->name, sizeof p->name, def->name != NULL && def->name[0] != '\0' ? def->name : "a person");
    p->filter = fr_default_query_filter();
    if (def->proxies != NULL) {
        memcpy(p->proxies, def->proxies, sizeof p->proxies);
        p->has_proxies = true;
        p->filter.as_object = p->proxies[0];
    }
    (void)fr_skeleton_retain(def->skeleton);
    if (def->walk_set != NULL) { (void)fr_walk_set_retain(def->walk_set); }
    status = create_performer(p, error);
    if (status == FR_OK) { status = fr_person_restart(p, error); }
    if (status != FR_OK) {
        fr_person_destroy(p);
        return status;
    }
    *out = p;
    return FR_OK;
}

void fr_person_destroy(fr_person *person) {
    if (person == NULL) { return; }
    fr_performer_destroy(person->performer);
    fr_walk_set_release(person->def.walk_set);
    fr_skeleton_release(person->def.skeleton);
    fr_allocator allocator = person->allocator;
    fr_deallocate(&allocator, person, 1, sizeof *person);
}

// ---------------------------------------------------------------------------------------------------------------
// Moving

fr_performer *fr_person_performer(const fr_person *person) { return person->performer; }

const char *fr_person_name(const fr_person *person) { return person->name; }

const fr_query_filter *fr_person_filter(const fr_person *person) {
    return person->has_proxies ? &person->filter : NULL;
}

fr_status fr_person_step(fr_person *person, const fr_performer_input *input, fr_performer_output *output,
                         fr_error *error) {
    fr_status status = fr_performer_step(person->performer, input, output, error);
    return status == FR_OK ? take_posture(person, &output->posture, error) : status;
}

const fr_pose *fr_person_links(const fr_person *person) { return person->links; }

fr_status fr_person_wish(fr_person *person, fr_wishes *wishes, fr_error *error) {
    fr_status status = FR_OK;
    if (person->def.skin.index1 != 0) {
        fr_wish wish = {.object = person->def.skin, .kind = FR_WISH_NEXT, .pose = skin_pose(person)};
        status = fr_wishes_add(wishes, &wish, error);
        if (status == FR_OK) {
            status = fr_wishes_bones(wishes, person->def.skin, person->bones, FR_LINK_COUNT, error);
        }
    }
    for (uint32_t i = 0; person->has_proxies && i < FR_FIGURE_PROXY_COUNT && status == FR_OK; i++) {
        fr_wish wish = {.object = person->proxies[i], .kind = FR_WISH_NEXT};
        wish.pose = person->links[fr_figure_proxy_link(i)];
        status = fr_wishes_add(wishes, &wish, error);
    }
    return status;
}

bool fr_person_has(const fr_person *person, fr_object_id object) {
    if (object.index1 == 0) { return false; }
    bool is_own = fr_object_id_equal(object, person->def.skin);
    for (uint32_t i = 0; person->has_proxies && i < FR_FIGURE_PROXY_COUNT && !is_own; i++) {
        is_own = fr_object_id_equal(object, person->proxies[i]);
    }
    return is_own;
}
