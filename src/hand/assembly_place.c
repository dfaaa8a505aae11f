// Where a place is, and how far a part is from it, by its symmetry.
#include "hand/assembly.h"

fr_vec3 fr__assembly_middle(const fr__assembly_piece *piece, const fr_pose *pose) {
    return fr_pose_apply(pose, fr_bounds_center(&piece->box));
}

// Turned by its symmetry about the point of its axis; at scale 1.
static fr_pose turned(const fr__assembly_piece *piece, fr_quat turn) {
    fr_vec3 center = fr_vec3_scale(piece->scale, piece->def.center);
    fr_pose about = fr_pose_make(fr_vec3_make(0.0, 0.0, 0.0), turn);
    about.position = fr_vec3_sub(center, fr_pose_turn(&about, center));
    return about;
}

// A place in the world at scale 1: from where the part stands that it counts from, without the turn of its symmetry.
static fr_status frame_of(const fr_assembly *assembly, const fr_space *space, uint32_t place, fr_pose *out,
                          fr_error *error) {
    const fr_assembly_part *def = &assembly->pieces[place].def;
    *out = def->place;
    if (def->relative_to == FR_NONE) { return FR_OK; }
    uint32_t base = assembly->in_place[def->relative_to];
    if (base == FR_NONE) { base = def->relative_to; }
    const fr__assembly_piece *piece = &assembly->pieces[base];
    const fr_object_view *view = fr_object_get(space, piece->def.object);
    if (view == NULL) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "the object of the part '%s' is not there any more", piece->name);
    }
    fr_pose stands = fr_pose_make(view->pose.position, view->pose.rotation);
    fr_pose about = turned(piece, assembly->states[base].turn), back = fr_pose_inverse(&about);
    fr_pose nominal = fr_pose_compose(&stands, &back);
    *out = fr_pose_compose(&nominal, &def->place);
    return FR_OK;
}

// The turn about the axis that comes nearest to r: what is left of it without the axis's part.
static fr_quat twist(fr_quat r, fr_vec3 axis) {
    double along = fr_vec3_dot(fr_vec3_make(r.x, r.y, r.z), axis), length = sqrt(r.w * r.w + along * along);
    if (!(length > 0.0)) { return fr_quat_identity(); }
    fr_vec3 v = fr_vec3_scale(along / length, axis);
    return (fr_quat){.w = r.w / length, .x = v.x, .y = v.y, .z = v.z};
}

// Of the turns of a symmetry the one nearest to r.
static fr_quat nearest_turn(const fr_assembly_part *def, fr_quat r) {
    fr_quat best = fr_quat_identity();
    if (fr_vec3_equal(def->axis, fr_vec3_make(0.0, 0.0, 0.0))) { return best; }
    fr_quat flips[2] = {best, {.w = 0.0, .x = def->flip.x, .y = def->flip.y, .z = def->flip.z}};
    int flip_count = fr_vec3_equal(def->flip, fr_vec3_make(0.0, 0.0, 0.0)) ? 1 : 2;
    double most = -1.0;
    for (int f = 0; f < flip_count; f++) {
        fr_quat left = fr_quat_multiply(fr_quat_conjugate(flips[f]), r);
        uint32_t fold = def->fold == 0 ? 1 : def->fold;
        for (uint32_t k = 0; k < fold; k++) {
            fr_quat turn = fr_quat_from_axis_angle(def->axis, 2.0 * FR_PI * (double)k / (double)fold);
            if (def->fold == 0) { turn = twist(left, def->axis); }
            double match = fabs(turn.w * left.w + turn.x * left.x + turn.y * left.y + turn.z * left.z);
            if (match <= most) { continue; }
            most = match;
            best = fr_quat_multiply(flips[f], turn);
        }
    }
    return best;
}

fr_status fr__assembly_measure(const fr_assembly *assembly, const fr_space *space, uint32_t place, uint32_t part,
                               const fr_pose *pose, fr__assembly_error *out, fr_error *error) {
    const fr__assembly_piece *piece = &assembly->pieces[part];
    const fr_assembly_part *def = &assembly->pieces[place].def;
    fr_pose frame;
    fr_status status = frame_of(assembly, space, place, &frame, error);
    if (status != FR_OK) { return status; }

    out->turn = nearest_turn(&piece->def, fr_quat_multiply(fr_quat_conjugate(frame.rotation), pose->rotation));
    fr_pose about = turned(piece, out->turn);
    out->target = fr_pose_compose(&frame, &about);
    out->target.scale = pose->scale;
    fr_quat rest = fr_quat_multiply(fr_quat_conjugate(out->target.rotation), pose->rotation);
    out->angle = fr_vec3_length(fr_quat_to_vector(rest));

    out->insertion = fr_pose_turn(&frame, def->insertion);
    out->displacement = fr_vec3_sub(fr__assembly_middle(piece, &out->target), fr__assembly_middle(piece, pose));
    out->along = fr_vec3_dot(out->displacement, out->insertion);
    double before = fmin(fmax(out->along, 0.0), def->reach);
    out->distance = fr_vec3_length(fr_vec3_add_scaled(out->displacement, -before, out->insertion));
    return FR_OK;
}

fr_status fr_assembly_measure(const fr_assembly *assembly, const fr_space *space, uint32_t part, uint32_t place,
                              const fr_pose *pose, fr_assembly_measure_output *out, fr_error *error) {
    FR_ASSERT(assembly != NULL && space != NULL && pose != NULL && out != NULL);
    if (part >= assembly->count || place >= assembly->count) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the assembly has no part %u or no place %u", (unsigned)part,
                            (unsigned)place);
    }
    fr__assembly_error e;
    fr_pose from = *pose;
    fr_status status = fr_pose_check(&from, error);
    if (status == FR_OK) { status = fr__assembly_measure(assembly, space, place, part, &from, &e, error); }
    if (status != FR_OK) { return status; }
    *out = (fr_assembly_measure_output){e.target, e.insertion, e.distance, e.angle};
    return FR_OK;
}
