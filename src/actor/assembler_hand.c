// The hand without a script: what is to be done next, and the path there.
#include "actor/assembler.h"

#include <math.h>

#define HIGHER 0.1   // metres above where a part lies
#define BEFORE 0.03  // metres before the reach of a place
#define ATTEMPTS 3   // a part
#define PATIENCE 0.5 // seconds at the end of an insertion

fr_status fr__assembler_target(const fr_assembler *a, uint32_t part, uint32_t place, fr_assembly_measure_output *out,
                               fr_error *error) {
    fr_pose now = fr_object_get(a->space, fr_assembly_get(a->assembly, part)->object)->pose;
    return fr_assembly_measure(a->assembly, a->space, part, place, &now, out, error);
}

static bool is_ready(const fr_assembler *a, uint32_t part) {
    const fr_assembly_part *def = fr_assembly_get(a->assembly, part);
    if (fr_assembly_states(a->assembly)[part].place != FR_NONE) { return false; }
    if (def->relative_to != FR_NONE && fr_assembly_in_place(a->assembly, def->relative_to) == FR_NONE) { return false; }
    for (uint32_t i = 0; i < def->after_count; i++) {
        if (fr_assembly_in_place(a->assembly, def->after[i]) == FR_NONE) { return false; }
    }
    return fr_assembly_in_place(a->assembly, part) == FR_NONE;
}

static fr_pose at_height(const fr_pose *pose, double height) {
    fr_pose out = *pose;
    out.position.y = height;
    return out;
}

// Half of the held part's size: so far before its tolerance it is out of any hole.
static double half_of(const fr_assembler *a) {
    fr_bounds box;
    fr_status status = fr_object_bounds(a->space, fr_assembly_get(a->assembly, a->held)->object, &box, NULL);
    return status == FR_OK ? 0.5 * fr_vec3_distance(box.min, box.max) : 0.0;
}

// Up, over, down to before the place, and in; the same again from before the place where it did not fit.
static fr_status carry(fr_assembler *a, uint32_t part, fr_error *error) {
    const fr_assembly_part *def = fr_assembly_get(a->assembly, part);
    fr_assembly_measure_output place;
    fr_status status = fr__assembler_target(a, part, part, &place, error);
    if (status != FR_OK) { return status; }
    bool has_insertion = fr_vec3_length_squared(place.insertion) > 0.25;
    fr_vec3 inwards = has_insertion ? place.insertion : fr_vec3_make(0.0, -1.0, 0.0);
    fr_pose target = place.pose, before = place.pose, from = a->wish;
    double back = def->tolerance + def->reach + BEFORE + half_of(a);
    before.position = fr_vec3_add_scaled(target.position, -back, inwards);
    double height = fmax(from.position.y + HIGHER, before.position.y);
    fr_pose up = at_height(&from, height), over = at_height(&before, height);
    const fr_pose stops[3] = {up, over, before};
    for (int i = 0; i < 3 && status == FR_OK && a->held == part; i++) {
        status = fr_assembler_go(a, &stops[i], 0.0, error);
    }
    for (int i = 0; i < ATTEMPTS && status == FR_OK && a->held == part; i++) {
        if (i > 0) { status = fr_assembler_go(a, &before, 0.0, error); }
        if (status == FR_OK && a->held == part) { status = fr_assembler_go(a, &target, 0.0, error); }
        if (status == FR_OK && a->held == part) { status = fr_assembler_go(a, &target, PATIENCE, error); }
    }
    return status == FR_OK ? fr_assembler_let_go(a, error) : status;
}

// Whose turn it was when time was over.
static fr_status too_long(const fr_assembler *a, uint32_t part, fr_error *error) {
    return fr_error_set(error, FR_ERROR_LIMIT, "the hand has been at work for an hour: '%s' has too far to go",
                        fr_assembler_name(a, part));
}

fr_status fr_assembler_do_all(fr_assembler *a, fr_error *error) {
    uint32_t count = fr_assembly_count(a->assembly);
    bool is_new = true;
    while (is_new) {
        is_new = false;
        for (uint32_t i = 0; i < count; i++) {
            if (!is_ready(a, i) || !fr_is_unknown(fr__assembler_record(a, i)->taken)) { continue; }
            fr_control_progress(a->control, (double)fr_assembly_fitted_count(a->assembly) / (double)count, "parts");
            fr_status status = fr_assembler_take(a, i, error);
            if (status == FR_OK && a->held == i) { status = carry(a, i, error); }
            if (status == FR_ERROR_LIMIT) { return too_long(a, i, error); }
            if (status != FR_OK) { return status; }
            is_new = true;
        }
    }
    return FR_OK;
}
