// Which parts are fitted, which a hand would catch, and which it may take.
#include "hand/assembly.h"

#include <string.h>

static fr_assembly_state loose(void) {
    return (fr_assembly_state){.place = FR_NONE, .left = FR_NONE, .turn = fr_quat_identity(), .time = FR_UNKNOWN};
}

void fr_assembly_reset(fr_assembly *assembly) {
    FR_ASSERT(assembly != NULL);
    for (uint32_t i = 0; i < assembly->count; i++) {
        assembly->states[i] = loose();
        assembly->in_place[i] = FR_NONE;
    }
}

uint32_t fr_assembly_count(const fr_assembly *assembly) { return assembly->count; }

uint32_t fr_assembly_fitted_count(const fr_assembly *assembly) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < assembly->count; i++) {
        count += assembly->states[i].place != FR_NONE ? 1 : 0;
    }
    return count;
}

const fr_assembly_part *fr_assembly_get(const fr_assembly *assembly, uint32_t part) {
    FR_ASSERT(part < assembly->count);
    return &assembly->pieces[part].def;
}

uint32_t fr_assembly_part_of(const fr_assembly *assembly, fr_object_id object) {
    for (uint32_t i = 0; i < assembly->count; i++) {
        if (fr_object_id_equal(assembly->pieces[i].def.object, object)) { return i; }
    }
    return FR_NONE;
}

uint32_t fr_assembly_in_place(const fr_assembly *assembly, uint32_t place) {
    return place < assembly->count ? assembly->in_place[place] : FR_NONE;
}

const fr_assembly_state *fr_assembly_states(const fr_assembly *assembly) { return assembly->states; }

uint32_t fr__assembly_missing(const fr_assembly *assembly, uint32_t place) {
    const fr_assembly_part *d = &assembly->pieces[place].def;
    if (d->relative_to != FR_NONE && assembly->in_place[d->relative_to] == FR_NONE) { return d->relative_to; }
    for (uint32_t i = 0; i < d->after_count; i++) {
        if (assembly->in_place[d->after[i]] == FR_NONE) { return d->after[i]; }
    }
    return FR_NONE;
}

void fr__assembly_settle(fr_assembly *assembly, uint32_t part, uint32_t place, fr_quat turn) {
    fr_assembly_state *state = &assembly->states[part];
    if (state->place != FR_NONE) { assembly->in_place[state->place] = FR_NONE; }
    state->place = place;
    state->left = FR_NONE;
    state->turn = turn;
    if (place != FR_NONE) { assembly->in_place[place] = part; }
}

// ---------------------------------------------------------------------------------------------------------------
// Back to other states

static bool is_possible(const fr_assembly *assembly, const fr_assembly_state *states, uint32_t part,
                        const bool *is_filled) {
    const fr_assembly_state *s = &states[part];
    fr_quat turn = s->turn;
    if (fr_quat_normalize(&turn, NULL) != FR_OK || !fr_vec3_is_finite(s->middle) || isinf(s->time)) { return false; }
    uint32_t kind = assembly->pieces[part].kind;
    if (s->left != FR_NONE && (s->left >= assembly->count || assembly->pieces[s->left].kind != kind)) { return false; }
    if (s->place == FR_NONE) { return true; }
    if (s->place >= assembly->count || assembly->pieces[s->place].kind != kind) { return false; }
    for (uint32_t i = 0; i < assembly->count; i++) {
        if (i != part && states[i].place == s->place) { return false; }
        if (fr__assembly_follows(assembly, s->place, i) && !is_filled[i]) { return false; }
    }
    return true;
}

fr_status fr_assembly_restore(fr_assembly *assembly, const fr_assembly_state *states, uint32_t count, fr_error *error) {
    FR_ASSERT(assembly != NULL && (states != NULL || count == 0));
    if (count != assembly->count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the assembly has %u parts, not %u", (unsigned)assembly->count,
                            (unsigned)count);
    }
    bool is_filled[FR_ASSEMBLY_MAX_PARTS] = {false};
    for (uint32_t i = 0; i < count; i++) {
        if (states[i].place < count) { is_filled[states[i].place] = true; }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (is_possible(assembly, states, i, is_filled)) { continue; }
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the state of the part '%s' cannot be", assembly->pieces[i].name);
    }
    memmove(assembly->states, states, count * sizeof *states);
    for (uint32_t i = 0; i < count; i++) {
        assembly->in_place[i] = FR_NONE;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (states[i].place != FR_NONE) { assembly->in_place[states[i].place] = i; }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Taking

uint32_t fr_assembly_held_by(const fr_assembly *assembly, uint32_t part) {
    uint32_t place = part < assembly->count ? assembly->states[part].place : FR_NONE;
    if (place == FR_NONE) { return FR_NONE; }
    for (uint32_t i = 0; i < assembly->count; i++) {
        if (assembly->in_place[i] != FR_NONE && fr__assembly_follows(assembly, i, place)) {
            return assembly->in_place[i];
        }
    }
    return FR_NONE;
}

static bool is_this(const fr_space *space, fr_object_id a, fr_object_id b, void *context) {
    (void)space;
    (void)b;
    return fr_object_id_equal(a, *(const fr_object_id *)context);
}

static fr_status is_caught(const fr__assembly_piece *piece, const fr_space *space, const fr_pose *pose, fr_vec3 point,
                           bool *out, fr_error *error) {
    if (piece->def.mode == FR_ASSEMBLY_BY_BOX) {
        fr_pose back = fr_pose_inverse(pose);
        fr_bounds box = fr_bounds_grow(&piece->box, piece->def.margin / pose->scale);
        *out = fr_bounds_contain_point(&box, fr_pose_apply(&back, point));
        return FR_OK;
    }
    fr_object_id object = piece->def.object;
    fr_query_filter filter = fr_default_query_filter();
    filter.accept = is_this;
    filter.context = &object;
    fr_space_closest closest;
    fr_status status = fr_space_closest_point(space, point, piece->def.margin, true, &filter, &closest, error);
    if (status != FR_OK) { return fr_error_set(error, status, "the part '%s' cannot be queried", piece->name); }
    *out = closest.object.index1 != 0;
    return FR_OK;
}

fr_status fr_assembly_find(const fr_assembly *assembly, const fr_space *space, fr_vec3 point,
                           fr_assembly_find_output *out, fr_error *error) {
    FR_ASSERT(assembly != NULL && space != NULL && out != NULL);
    *out = (fr_assembly_find_output){FR_NONE, FR_NONE, 0.0};
    if (!fr_vec3_is_finite(point)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the operating point is not finite");
    }
    for (uint32_t i = 0; i < assembly->count; i++) {
        const fr__assembly_piece *piece = &assembly->pieces[i];
        const fr_object_view *view = fr_object_get(space, piece->def.object);
        bool is_here = false;
        if (view == NULL) { continue; }
        fr_status status = is_caught(piece, space, &view->pose, point, &is_here, error);
        if (status != FR_OK) { return status; }
        if (!is_here) { continue; }
        double distance = fr_vec3_distance(point, fr__assembly_middle(piece, &view->pose));
        uint32_t holder = fr_assembly_held_by(assembly, i);
        bool is_better = out->part == FR_NONE || (holder == FR_NONE && out->held_by != FR_NONE) ||
                         ((holder == FR_NONE) == (out->held_by == FR_NONE) && distance < out->distance);
        if (is_better) { *out = (fr_assembly_find_output){i, holder, distance}; }
    }
    return FR_OK;
}

fr_status fr_assembly_take(fr_assembly *assembly, uint32_t part, fr_error *error) {
    FR_ASSERT(assembly != NULL);
    if (part >= assembly->count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the assembly has no part %u", (unsigned)part);
    }
    uint32_t holder = fr_assembly_held_by(assembly, part), place = assembly->states[part].place;
    if (holder != FR_NONE) {
        return fr_error_set(error, FR_ERROR_BUSY, "'%s' cannot be taken while '%s' is fitted after it",
                            assembly->pieces[part].name, assembly->pieces[holder].name);
    }
    assembly->states[part].time = FR_UNKNOWN;
    if (place == FR_NONE) { return FR_OK; }
    fr__assembly_settle(assembly, part, FR_NONE, fr_quat_identity());
    assembly->states[part].left = place;
    return FR_OK;
}
