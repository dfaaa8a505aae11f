// Commands to the actors of a cast: what they may hold, which object a point means, which actor takes them, how they
// end.
#include "fureai/actor.h"

#include "world/world.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// What can be done

const fr_affordance *fr_cast_affords(const fr_cast *cast, fr_object_id object, uint32_t index) {
    FR_ASSERT(cast != NULL);
    if (!fr_object_exists(fr_world_space(fr_cast_world(cast)), object)) { return NULL; }
    for (uint32_t i = 0; i < fr_cast_count(cast); i++) {
        const fr_actor *actor = fr_cast_get(cast, i);
        for (uint32_t k = 0; actor->affords != NULL; k++) {
            const fr_affordance *affordance = actor->affords(object, k, actor->user);
            if (affordance == NULL) { break; }
            if (index-- == 0) { return affordance; }
        }
    }
    return NULL;
}

static bool is_afforded(const fr_cast *cast, fr_object_id object, const char *name) {
    const fr_affordance *affordance;
    for (uint32_t i = 0; (affordance = fr_cast_affords(cast, object, i)) != NULL; i++) {
        if (strcmp(affordance->name, name) == 0) { return true; }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// The object that a point means

// How far a point is from the box of an object; from its origin where it has no box now.
static double distance_to(const fr_space *space, fr_object_id object, fr_vec3 point) {
    fr_bounds box;
    if (fr_object_bounds(space, object, &box, NULL) != FR_OK || fr_bounds_is_empty(&box)) {
        return fr_vec3_distance(fr_object_get(space, object)->pose.position, point);
    }
    double x = fmax(fmax(box.min.x - point.x, point.x - box.max.x), 0.0);
    double y = fmax(fmax(box.min.y - point.y, point.y - box.max.y), 0.0);
    double z = fmax(fmax(box.min.z - point.z, point.z - box.max.z), 0.0);
    return fr_vec3_length(fr_vec3_make(x, y, z));
}

static fr_status find_nearest(const fr_cast *cast, fr_command *command, fr_error *error) {
    const fr_space *space = fr_world_space(fr_cast_world(cast));
    double nearest = HUGE_VAL, nearest_origin = HUGE_VAL;
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id object = fr_space_object_at(space, i);
        if (object.index1 == 0) { continue; }
        double distance = distance_to(space, object, command->point);
        double origin = fr_vec3_distance(fr_object_get(space, object)->pose.position, command->point);
        // Of several boxes around the point the one whose origin is nearer is meant.
        bool is_nearer = distance < nearest || (distance == nearest && origin < nearest_origin);
        if (!is_nearer || !is_afforded(cast, object, command->name)) { continue; }
        nearest = distance;
        nearest_origin = origin;
        command->object = object;
    }
    if (command->object.index1 != 0) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_STALE_ID, "nothing here affords '%s'", command->name);
}

// ---------------------------------------------------------------------------------------------------------------
// Checking

static fr_status check_numbers(const fr_command *command, fr_error *error) {
    if ((command->given & ~FR_COMMAND_GIVEN_ALL) != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a command gives a place that is not known");
    }
    fr_vec3 none = fr_vec3_make(0.0, 0.0, 0.0);
    fr_vec3 point = (command->given & FR_COMMAND_POINT) != 0 ? command->point : none;
    fr_vec3 goal = (command->given & FR_COMMAND_GOAL) != 0 ? command->goal : none;
    double facing = (command->given & FR_COMMAND_FACING) != 0 ? command->facing : 0.0;
    if (!fr_vec3_is_finite(point) || !fr_vec3_is_finite(goal) || !isfinite(facing)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a number of a command is not finite");
    }
    if (fr_vec3_largest(point) > FR_LENGTH_MAX || fr_vec3_largest(goal) > FR_LENGTH_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a place of a command is farther away than 2^300");
    }
    if (command->frames > FR_COMMAND_MAX_FRAMES || command->start > FR_COMMAND_MAX_FRAMES) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a command has at most %u frames", FR_COMMAND_MAX_FRAMES);
    }
    return FR_OK;
}

// Checks one command and finds its object.
static fr_status prepare(const fr_cast *cast, fr_command *command, fr_error *error) {
    if (command->name == NULL || command->name[0] == '\0') {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a command needs a name");
    }
    if (command->parameter_count > FR_COMMAND_MAX_PARAMETERS) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a command has at most %u parameters", FR_COMMAND_MAX_PARAMETERS);
    }
    fr_status status = check_numbers(command, error);
    if (status != FR_OK) { return status; }
    bool is_named = command->object.index1 != 0 || command->object.generation != 0;
    if (is_named && !fr_object_exists(fr_world_space(fr_cast_world(cast)), command->object)) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "there is no such object");
    }
    bool is_near = !is_named && (command->given & FR_COMMAND_POINT) != 0;
    return is_near ? find_nearest(cast, command, error) : FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Giving and ending

fr_status fr_cast_command(fr_cast *cast, const fr_command *command, fr_error *error) {
    FR_ASSERT(cast != NULL && command != NULL);
    fr_command first = *command, fused[FR_COMMAND_MAX_FUSED];
    if (fr_cast_world(cast)->is_ticking) { return fr_error_set(error, FR_ERROR_BUSY, "the world is in a tick"); }
    if (command->fused_count >= FR_COMMAND_MAX_FUSED) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "at most %u commands are fused", FR_COMMAND_MAX_FUSED);
    }
    fr_status status = prepare(cast, &first, error);
    for (uint32_t i = 0; i < command->fused_count && status == FR_OK; i++) {
        fused[i] = command->fused[i];
        status = prepare(cast, &fused[i], error);
    }
    if (status != FR_OK) { return status; }
    first.fused = first.fused_count > 0 ? fused : NULL;
    for (uint32_t i = 0; i < fr_cast_count(cast); i++) {
        const fr_actor *actor = fr_cast_get(cast, i);
        status = actor->command != NULL ? actor->command(&first, actor->user, error) : FR_ERROR_UNSUPPORTED;
        if (status != FR_ERROR_UNSUPPORTED) { return status; }
    }
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "no actor knows the command '%s'", command->name);
}

bool fr_cast_ended(fr_cast *cast, fr_command_end *out) {
    FR_ASSERT(cast != NULL && out != NULL);
    for (uint32_t i = 0; i < fr_cast_count(cast); i++) {
        const fr_actor *actor = fr_cast_get(cast, i);
        if (actor->ended != NULL && actor->ended(out, actor->user)) { return true; }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------
// People

// The actor of the person of an index, with what it says of that person; NULL: there is none.
static const fr_actor *person_at(const fr_cast *cast, uint32_t index, fr_cast_person *out) {
    for (uint32_t i = 0; i < fr_cast_count(cast); i++) {
        const fr_actor *actor = fr_cast_get(cast, i);
        for (uint32_t k = 0; actor->person != NULL && actor->person(k, out, actor->user); k++) {
            if (index-- == 0) { return actor; }
        }
    }
    return NULL;
}

bool fr_cast_get_person(const fr_cast *cast, uint32_t index, fr_cast_person *out) {
    FR_ASSERT(cast != NULL && out != NULL);
    return person_at(cast, index, out) != NULL;
}

// The actor of the person of a name.
static fr_status find_person(const fr_cast *cast, const char *name, const fr_actor **out, fr_error *error) {
    fr_cast_person person;
    for (uint32_t i = 0; (*out = person_at(cast, i, &person)) != NULL; i++) {
        if (strcmp(person.name, name) == 0) { return FR_OK; }
    }
    return fr_error_set(error, FR_ERROR_ARGUMENT, "there is no person '%.64s'", name);
}

fr_status fr_cast_pull(fr_cast *cast, const char *person, fr_pull_part part, fr_vec3 point, fr_error *error) {
    FR_ASSERT(cast != NULL && person != NULL);
    const fr_actor *actor;
    if (fr_cast_world(cast)->is_ticking) { return fr_error_set(error, FR_ERROR_BUSY, "the world is in a tick"); }
    fr_status status = find_person(cast, person, &actor, error);
    if (status != FR_OK) { return status; }
    if (actor->pull != NULL) { return actor->pull(person, part, point, actor->user, error); }
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "%.64s is not bent by hand", person);
}

fr_status fr_cast_posture(fr_cast *cast, const char *person, fr_clip **out, fr_error *error) {
    FR_ASSERT(cast != NULL && person != NULL && out != NULL);
    const fr_actor *actor;
    *out = NULL;
    fr_status status = find_person(cast, person, &actor, error);
    if (status != FR_OK) { return status; }
    if (actor->posture != NULL) { return actor->posture(person, out, actor->user, error); }
    return fr_error_set(error, FR_ERROR_UNSUPPORTED, "%.64s has no posture to write", person);
}
