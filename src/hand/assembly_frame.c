// A part in a hand: whether it has come to its place.
#include "hand/assembly.h"

#include <string.h>

static bool is_within(const fr_assembly_part *def, const fr__assembly_error *e, double times) {
    return e->distance <= times * def->tolerance && e->angle <= times * def->angle;
}

// The order in which places are looked at: one that would do, one that is reached, one that is near.
static int rank_of(const fr_assembly *assembly, uint32_t part, uint32_t place, const fr__assembly_error *e) {
    if (!is_within(&assembly->pieces[place].def, e, 1.0)) { return 2; }
    bool would_do = fr__assembly_missing(assembly, place) == FR_NONE && assembly->states[part].left != place;
    return would_do ? 0 : 1;
}

// The empty place that a part is nearest to; FR_NONE where there is none.
static fr_status nearest_place(const fr_assembly *assembly, const fr_space *space, uint32_t part, const fr_pose *pose,
                               uint32_t *place, fr__assembly_error *best, fr_error *error) {
    int best_rank = 3;
    *place = FR_NONE;
    for (uint32_t i = 0; i < assembly->count; i++) {
        if (assembly->pieces[i].kind != assembly->pieces[part].kind || assembly->in_place[i] != FR_NONE) { continue; }
        fr__assembly_error e;
        fr_status status = fr__assembly_measure(assembly, space, i, part, pose, &e, error);
        if (status != FR_OK) { return status; }
        int rank = rank_of(assembly, part, i, &e);
        if (rank > best_rank || (rank == best_rank && e.distance >= best->distance)) { continue; }
        best_rank = rank;
        *best = e;
        *place = i;
    }
    return FR_OK;
}

// A part that has been away by twice the tolerance may be fitted, and heard, again.
static fr_status arm(fr_assembly *assembly, const fr_space *space, uint32_t part, const fr_pose *pose,
                     fr_error *error) {
    fr_assembly_state *state = &assembly->states[part];
    if (state->left == FR_NONE) { return FR_OK; }
    fr__assembly_error e;
    fr_status status = fr__assembly_measure(assembly, space, state->left, part, pose, &e, error);
    if (status != FR_OK) { return status; }
    if (!is_within(&assembly->pieces[state->left].def, &e, 2.0)) { state->left = FR_NONE; }
    return FR_OK;
}

static void report(const fr_assembly *assembly, uint32_t part, const fr_pose *pose, double time,
                   fr_assembly_output *out) {
    const fr__assembly_piece *piece = &assembly->pieces[part];
    const fr_assembly_state *state = &assembly->states[part];
    out->has_event = true;
    out->event.kind = FR_HAND_FITTED;
    out->event.object = piece->def.object;
    out->event.point = fr__assembly_middle(piece, &out->target);
    out->event.time = time;
    double dt = isnan(state->time) ? 0.0 : time - state->time;
    if (dt > 0.0) { out->event.speed = fr_vec3_distance(state->middle, fr__assembly_middle(piece, pose)) / dt; }
}

static void fit(fr_assembly *assembly, uint32_t part, uint32_t place, const fr__assembly_error *e,
                fr_assembly_output *out) {
    fr__assembly_settle(assembly, part, place, e->turn);
    out->result = FR_ASSEMBLY_FITTED;
    out->pose = e->target;
}

static fr_status check(const fr_assembly *assembly, const fr_space *space, uint32_t part, fr_pose *pose, double time,
                       fr_error *error) {
    if (part >= assembly->count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the assembly has no part %u", (unsigned)part);
    }
    const fr__assembly_piece *piece = &assembly->pieces[part];
    const fr_assembly_state *state = &assembly->states[part];
    if (fr_object_get(space, piece->def.object) == NULL) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "the object of the part '%s' is not there any more", piece->name);
    }
    if (!fr_space_is_current(space)) {
        return fr_error_set(error, FR_ERROR_STALE_DATA, "the space is to be updated first");
    }
    if (!isfinite(time)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "the time is not finite"); }
    if (!isnan(state->time) && time < state->time) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the time of the part '%s' goes back", piece->name);
    }
    fr_status status = fr_pose_check(pose, error);
    if (status == FR_OK && pose->scale != piece->scale) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the scale of the part '%s' changes", piece->name);
    }
    return status;
}

// The result of a part that stands in its place.
static fr_status report_fitted(const fr_assembly *assembly, const fr_space *space, uint32_t part,
                               fr_assembly_output *out, fr_error *error) {
    uint32_t place = assembly->states[part].place;
    fr__assembly_error e;
    fr_pose stands = fr_object_get(space, assembly->pieces[part].def.object)->pose;
    fr_status status = fr__assembly_measure(assembly, space, place, part, &stands, &e, error);
    if (status != FR_OK) { return status; }
    out->result = FR_ASSEMBLY_FITTED;
    out->place = place;
    out->pose = out->target = e.target;
    return FR_OK;
}

static fr_status result_at(fr_assembly *assembly, const fr_space *space, uint32_t part, const fr_pose *pose,
                           double time, const fr__assembly_error *e, bool lets_go, fr_assembly_output *out,
                           fr_error *error) {
    const fr_assembly_state *state = &assembly->states[part];
    const fr_assembly_part *def = &assembly->pieces[out->place].def;
    bool is_here = is_within(def, e, 1.0), is_leaving = state->left == out->place;
    out->result = is_leaving ? FR_ASSEMBLY_LEAVING : FR_ASSEMBLY_AWAY;
    if (!is_here || (is_leaving && !lets_go)) { return FR_OK; }
    out->missing = fr__assembly_missing(assembly, out->place);
    if (out->missing != FR_NONE) {
        out->result = FR_ASSEMBLY_EARLY;
        return FR_OK;
    }
    fr_status status = fr__assembly_check_path(assembly, space, part, out->place, pose, e, &out->blocker, error);
    if (status != FR_OK) { return status; }
    if (out->blocker.index1 != 0) {
        out->result = FR_ASSEMBLY_BLOCKED;
        return FR_OK;
    }
    if (!is_leaving) {
        report(assembly, part, pose, time, out);
        assembly->states[part].fitted++;
    }
    fit(assembly, part, out->place, e, out);
    return FR_OK;
}

static fr_status run(fr_assembly *assembly, const fr_space *space, uint32_t part, const fr_pose *given, double time,
                     bool lets_go, fr_assembly_output *out, fr_error *error) {
    FR_ASSERT(assembly != NULL && space != NULL && given != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    out->place = out->missing = FR_NONE;
    out->pose = out->target = *given;
    fr_pose pose = *given;
    fr_status status = check(assembly, space, part, &pose, time, error);
    if (status != FR_OK) { return status; }
    fr_assembly_state *state = &assembly->states[part];
    if (state->place != FR_NONE) { return report_fitted(assembly, space, part, out, error); }

    fr__assembly_error e;
    memset(&e, 0, sizeof e);
    status = arm(assembly, space, part, &pose, error);
    if (status == FR_OK) { status = nearest_place(assembly, space, part, &pose, &out->place, &e, error); }
    if (status == FR_OK && out->place != FR_NONE) {
        out->target = e.target;
        out->distance = e.distance;
        out->turn = e.angle;
        status = result_at(assembly, space, part, &pose, time, &e, lets_go, out, error);
    }
    if (status != FR_OK) { return status; }
    state->middle = fr__assembly_middle(&assembly->pieces[part], &pose);
    state->time = time;
    return FR_OK;
}

fr_status fr_assembly_frame(fr_assembly *assembly, const fr_space *space, uint32_t part, const fr_pose *pose,
                            double time, fr_assembly_output *output, fr_error *error) {
    return run(assembly, space, part, pose, time, false, output, error);
}

fr_status fr_assembly_let_go(fr_assembly *assembly, const fr_space *space, uint32_t part, const fr_pose *pose,
                             double time, fr_assembly_output *output, fr_error *error) {
    return run(assembly, space, part, pose, time, true, output, error);
}
