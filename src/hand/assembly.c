// The parts of one product: made from their objects, in an order; which are fitted, which may be taken.
#include "hand/assembly.h"

#include <string.h>

#define ASSEMBLY_COOKIE 0x41534d21u

fr_assembly_part fr_default_assembly_part(void) {
    fr_assembly_part part;
    memset(&part, 0, sizeof part);
    part.margin = 0.01;
    part.slack = 1e-4;
    part.place = fr_pose_identity();
    part.relative_to = FR_NONE;
    part.tolerance = 0.015;
    part.angle = fr_radians(15.0);
    part.like = FR_NONE;
    part.fold = 1;
    return part;
}

fr_assembly_def fr_default_assembly_def(void) {
    fr_assembly_def def;
    memset(&def, 0, sizeof def);
    def.cookie = ASSEMBLY_COOKIE;
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// What is given, checked

static bool is_between(double x, double low, double high) { return x >= low && x <= high; }

static bool is_zero(fr_vec3 v) { return fr_vec3_equal(v, fr_vec3_make(0.0, 0.0, 0.0)); }

// A direction is nothing or has a length.
static bool is_direction(fr_vec3 v) {
    return fr_vec3_is_finite(v) && (is_zero(v) || is_between(fr_vec3_length(v), 1e-100, 1e100));
}

static fr_status wrong(fr_error *error, const fr__assembly_piece *piece, const char *what) {
    return fr_error_set(error, FR_ERROR_ARGUMENT, "the part '%s': %s", piece->name, what);
}

static fr_status check_numbers(fr__assembly_piece *piece, fr_error *error) {
    fr_assembly_part *d = &piece->def;
    if (d->mode != FR_ASSEMBLY_BY_BOX && d->mode != FR_ASSEMBLY_BY_POLYGONS) {
        return wrong(error, piece, "its mode is none");
    }
    if (!is_between(d->margin, 0.0, 1e9)) { return wrong(error, piece, "its margin is outside 0 .. 1e9"); }
    if (!is_between(d->slack, 0.0, 1e9)) { return wrong(error, piece, "its slack is outside 0 .. 1e9"); }
    if (!is_between(d->tolerance, 1e-9, 10.0)) { return wrong(error, piece, "its tolerance is outside 1e-9 .. 10"); }
    if (!is_between(d->angle, 1e-9, FR_PI)) { return wrong(error, piece, "its angle is outside 1e-9 .. pi"); }
    if (!is_between(d->reach, 0.0, 10.0)) { return wrong(error, piece, "its reach is outside 0 .. 10"); }
    if (!is_direction(d->insertion) || !is_direction(d->axis) || !is_direction(d->flip)) {
        return wrong(error, piece, "its insertion, axis or flip is no direction");
    }
    if (is_zero(d->insertion) && d->reach > 0.0) { return wrong(error, piece, "it has a reach but no insertion"); }
    if (!fr_vec3_is_finite(d->center) || fr_vec3_largest(d->center) > FR_LENGTH_MAX) {
        return wrong(error, piece, "the point of its axis is not finite");
    }
    if (d->fold > FR_ASSEMBLY_MAX_FOLD) { return wrong(error, piece, "its fold is over 360"); }
    if (is_zero(d->axis) && (d->fold != 1 || !is_zero(d->flip))) { return wrong(error, piece, "it has no axis"); }
    d->insertion = fr_vec3_unit(d->insertion, d->insertion);
    d->axis = fr_vec3_unit(d->axis, d->axis);
    d->flip = fr_vec3_unit(d->flip, d->flip);
    if (fabs(fr_vec3_dot(d->axis, d->flip)) > 1e-6) { return wrong(error, piece, "its flip is not across its axis"); }
    d->place.scale = 1.0;
    return fr_pose_check(&d->place, error);
}

static fr_status check_links(const fr_assembly *assembly, uint32_t part, fr_error *error) {
    const fr__assembly_piece *piece = &assembly->pieces[part];
    const fr_assembly_part *d = &piece->def;
    for (uint32_t i = 0; i < d->after_count; i++) {
        if (d->after[i] >= assembly->count) { return wrong(error, piece, "it comes after a part that is not there"); }
        if (d->after[i] == part) { return wrong(error, piece, "it comes after itself"); }
    }
    if (d->relative_to != FR_NONE && (d->relative_to >= assembly->count || d->relative_to == part)) {
        return wrong(error, piece, "its place counts from a part that is not there");
    }
    if (d->like != FR_NONE && d->like >= part) {
        return wrong(error, piece, "it is like a part that is not before it");
    }
    for (uint32_t i = 0; i < part; i++) {
        if (fr_object_id_equal(assembly->pieces[i].def.object, d->object)) {
            return wrong(error, piece, "its object is another part's already");
        }
    }
    return FR_OK;
}

bool fr__assembly_follows(const fr_assembly *assembly, uint32_t place, uint32_t before) {
    const fr_assembly_part *d = &assembly->pieces[place].def;
    if (d->relative_to == before) { return true; }
    for (uint32_t i = 0; i < d->after_count; i++) {
        if (d->after[i] == before) { return true; }
    }
    return false;
}

// Fills the places one after another as the order allows, in `in_place`, which is empty again at the end. One that is
// never reached comes after itself.
static fr_status check_order(fr_assembly *assembly, fr_error *error) {
    uint32_t done = 0;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (uint32_t i = 0; i < assembly->count; i++) {
            if (assembly->in_place[i] != FR_NONE || fr__assembly_missing(assembly, i) != FR_NONE) { continue; }
            assembly->in_place[i] = i;
            is_new = true;
            done++;
        }
    }
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < assembly->count && done < assembly->count; i++) {
        if (assembly->in_place[i] != FR_NONE) { continue; }
        status = wrong(error, &assembly->pieces[i], "the order leads back to it");
        break;
    }
    fr_assembly_reset(assembly);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

static fr_bounds box_of(const fr_part_view *part) {
    fr_bounds box = fr_mesh_get(part->mesh)->bounds, out = fr_bounds_empty();
    for (int k = 0; k < 8; k++) {
        fr_vec3 corner = fr_vec3_make((k & 1) != 0 ? box.max.x : box.min.x, (k & 2) != 0 ? box.max.y : box.min.y,
                                      (k & 4) != 0 ? box.max.z : box.min.z);
        out = fr_bounds_with_point(&out, fr_pose_apply(&part->pose, corner));
    }
    return out;
}

static fr_status make_parts(const fr_assembly *assembly, fr__assembly_piece *piece, const fr_space *space,
                            fr_error *error) {
    const fr_object_view *view = fr_object_get(space, piece->def.object);
    if (view == NULL) {
        return fr_error_set(error, FR_ERROR_STALE_ID, "the object of the part '%s' is not there", piece->name);
    }
    if (view->vertices != NULL) {
        return fr_error_set(error, FR_ERROR_UNSUPPORTED, "the part '%s' is deformed: it fits nowhere", piece->name);
    }
    piece->scale = view->pose.scale;
    piece->box = fr_bounds_empty();
    piece->parts = fr_allocate(&assembly->allocator, view->part_count, sizeof *piece->parts, _Alignof(fr_part_def));
    if (piece->parts == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a part of the assembly"); }
    memset(piece->parts, 0, view->part_count * sizeof *piece->parts);
    piece->part_count = view->part_count;
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(space, piece->def.object, i);
        fr_bounds box = box_of(&part);
        piece->box = fr_bounds_union(&piece->box, &box);
        piece->parts[i] = fr_default_part_def();
        piece->parts[i].pose = part.pose;
        fr_mesh *thin = NULL;
        double slack = piece->def.slack / (piece->scale * part.pose.scale);
        fr_status status = fr__assembly_thin(part.mesh, slack, &assembly->allocator, &thin, error);
        if (status != FR_OK) { return status; }
        piece->parts[i].mesh = thin;
    }
    return FR_OK;
}

static void copy_parts(fr_assembly *assembly, const fr_assembly_def *def) {
    uint32_t *after = assembly->after;
    for (uint32_t i = 0; i < assembly->count; i++) {
        fr__assembly_piece *piece = &assembly->pieces[i];
        piece->def = def->parts[i];
        size_t length = 0;
        while (length + 1 < sizeof piece->name && def->parts[i].name[length] != '\0') {
            length++;
        }
        // A longer name ends at a whole character
        while (length > 0 && ((unsigned char)def->parts[i].name[length] & 0xc0) == 0x80) {
            length--;
        }
        memcpy(piece->name, def->parts[i].name, length);
        piece->def.name = piece->name;
        for (uint32_t k = 0; k < piece->def.after_count; k++) {
            after[k] = def->parts[i].after[k];
        }
        piece->def.after = after;
        after += piece->def.after_count;
        piece->kind = piece->def.like < i ? assembly->pieces[piece->def.like].kind : i;
    }
}

static fr_status check_def(const fr_assembly_def *def, uint32_t *after_count, fr_error *error) {
    if (def->cookie != ASSEMBLY_COOKIE) { return fr_error_set_cookie(error, "fr_default_assembly_def"); }
    if (def->part_count == 0 || def->part_count > FR_ASSEMBLY_MAX_PARTS || def->parts == NULL) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "an assembly has 1 .. %d parts", FR_ASSEMBLY_MAX_PARTS);
    }
    *after_count = 0;
    for (uint32_t i = 0; i < def->part_count; i++) {
        const fr_assembly_part *part = &def->parts[i];
        if (part->name == NULL || part->name[0] == '\0') {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "part %u has no name", (unsigned)i);
        }
        if (part->after_count > FR_ASSEMBLY_MAX_PARTS || (part->after_count > 0 && part->after == NULL)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the part '%s' comes after more parts than there may be",
                                part->name);
        }
        *after_count += part->after_count;
    }
    return FR_OK;
}

static fr_status make(const fr_assembly_def *def, const fr_space *space, fr_assembly *assembly, fr_error *error) {
    fr_status status = FR_OK;
    copy_parts(assembly, def);
    for (uint32_t i = 0; i < assembly->count && status == FR_OK; i++) {
        status = check_numbers(&assembly->pieces[i], error);
        if (status == FR_OK) { status = check_links(assembly, i, error); }
    }
    if (status == FR_OK) { status = check_order(assembly, error); }
    for (uint32_t i = 0; i < assembly->count && status == FR_OK; i++) {
        status = make_parts(assembly, &assembly->pieces[i], space, error);
    }
    return status;
}

fr_status fr_assembly_create(const fr_assembly_def *def, const fr_space *space, fr_assembly **out, fr_error *error) {
    FR_ASSERT(def != NULL && space != NULL && out != NULL);
    *out = NULL;
    uint32_t after_count = 0;
    fr_status status = check_def(def, &after_count, error);
    if (status != FR_OK) { return status; }
    fr_allocator a = fr_allocator_or_default(&def->allocator);
    fr_assembly *assembly = fr_allocate(&a, 1, sizeof *assembly, _Alignof(fr_assembly));
    if (assembly == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an assembly"); }
    memset(assembly, 0, sizeof *assembly);
    assembly->allocator = a;
    assembly->count = def->part_count;
    assembly->after_count = after_count + 1; // never none, so that NULL means no memory
    assembly->pieces = fr_allocate(&a, assembly->count, sizeof *assembly->pieces, _Alignof(fr__assembly_piece));
    if (assembly->pieces != NULL) { memset(assembly->pieces, 0, assembly->count * sizeof *assembly->pieces); }
    assembly->states = fr_allocate(&a, assembly->count, sizeof *assembly->states, _Alignof(fr_assembly_state));
    assembly->in_place = fr_allocate(&a, assembly->count, sizeof *assembly->in_place, _Alignof(uint32_t));
    assembly->after = fr_allocate(&a, assembly->after_count, sizeof *assembly->after, _Alignof(uint32_t));
    if (assembly->pieces == NULL || assembly->states == NULL || assembly->in_place == NULL || assembly->after == NULL) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for an assembly");
    } else {
        fr_assembly_reset(assembly);
        status = make(def, space, assembly, error);
    }
    if (status != FR_OK) {
        fr_assembly_destroy(assembly);
        return status;
    }
    *out = assembly;
    return FR_OK;
}

void fr_assembly_destroy(fr_assembly *assembly) {
    if (assembly == NULL) { return; }
    fr_allocator a = assembly->allocator;
    for (uint32_t i = 0; assembly->pieces != NULL && i < assembly->count; i++) {
        fr__assembly_piece *piece = &assembly->pieces[i];
        for (uint32_t k = 0; k < piece->part_count; k++) {
            if (piece->parts[k].mesh != NULL) { fr_mesh_release(piece->parts[k].mesh); }
        }
        fr_deallocate(&a, piece->parts, piece->part_count, sizeof *piece->parts);
    }
    fr_deallocate(&a, assembly->pieces, assembly->count, sizeof *assembly->pieces);
    fr_deallocate(&a, assembly->states, assembly->count, sizeof *assembly->states);
    fr_deallocate(&a, assembly->in_place, assembly->count, sizeof *assembly->in_place);
    fr_deallocate(&a, assembly->after, assembly->after_count, sizeof *assembly->after);
    fr_deallocate(&a, assembly, 1, sizeof *assembly);
}
