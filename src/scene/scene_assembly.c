// Reads the assembly of a scene, and makes it among the objects that were built.
#include "scene/scene_reader.h"

#include <string.h>

static const fr_json_range lengths = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX};

// ---------------------------------------------------------------------------------------------------------------
// What stands for the whole assembly or for one part

enum {
    PART_OBJECT,
    PART_PLACE,
    PART_AFTER,
    PART_TOLERANCE,
    PART_TOLERANCE_DEG,
    PART_MARGIN,
    PART_SLACK,
    PART_MODE,
    PART_INSERTION,
    PART_REACH,
    PART_LIKE,
    PART_SYMMETRY,
    PART_KEYS
};

#define AMOUNT(name, member, low, high)                                                                                \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBER, .offset = offsetof(fr_assembly_part, member), .range = { low, high }   \
    }
#define TOLERANCE AMOUNT("tolerance", tolerance, 1e-9, 10.0)
#define TOLERANCE_DEG AMOUNT("tolerance_deg", angle, 1e-6, 180.0)
#define MARGIN AMOUNT("margin", margin, 0.0, 1e9)
#define SLACK AMOUNT("slack", slack, 0.0, 1e9)

static const fr_json_field part_fields[PART_KEYS] = {
    [PART_OBJECT] = {.key = "object", .is_required = true},
    [PART_PLACE] = {.key = "place", .is_required = true},
    [PART_AFTER] = {.key = "after"},
    [PART_TOLERANCE] = TOLERANCE,
    [PART_TOLERANCE_DEG] = TOLERANCE_DEG,
    [PART_MARGIN] = MARGIN,
    [PART_SLACK] = SLACK,
    [PART_MODE] = {.key = "mode"},
    [PART_INSERTION] = {.key = "insertion"},
    [PART_REACH] = AMOUNT("reach", reach, 0.0, 10.0),
    [PART_LIKE] = {.key = "like"},
    [PART_SYMMETRY] = {.key = "symmetry"},
};

enum { ALL_PARTS, ALL_TOLERANCE, ALL_TOLERANCE_DEG, ALL_MARGIN, ALL_SLACK, ALL_MODE, ALL_KEYS };

static const fr_json_field all_fields[ALL_KEYS] = {
    [ALL_PARTS] = {.key = "parts", .is_required = true},
    [ALL_TOLERANCE] = TOLERANCE,
    [ALL_TOLERANCE_DEG] = TOLERANCE_DEG,
    [ALL_MARGIN] = MARGIN,
    [ALL_SLACK] = SLACK,
    [ALL_MODE] = {.key = "mode"},
};

static bool read_mode(fr__scene_reader *r, fr_json_value token, fr_assembly_mode *out) {
    const char *name;
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_string(&r->reader, token, "mode", FR_WORLD_NAME_MAX_BYTES, &name)) { return false; }
    if (strcmp(name, "box") != 0 && strcmp(name, "polygons") != 0) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "mode is 'box' or 'polygons', not '%s'", name);
    }
    *out = name[0] == 'b' ? FR_ASSEMBLY_BY_BOX : FR_ASSEMBLY_BY_POLYGONS;
    return true;
}

// What all parts may share, from five fields and their values: tolerance, its angle, margin, slack, mode.
static bool read_shared(fr__scene_reader *r, const fr_json_value *values, const fr_json_field *fields,
                        fr_assembly_part *part) {
    if (!fr_json_read_fields(&r->reader, values, fields, 4, part) || !read_mode(r, values[4], &part->mode)) {
        return false;
    }
    if (values[1] != FR_JSON_NONE) { part->angle = fmin(fr_radians(part->angle), FR_PI); }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Parts by name

// The part that an object is.
static uint32_t part_of(const fr__scene_reader *r, uint32_t object) {
    const fr_scene_fit *fits = r->scene->fits.data;
    for (uint32_t i = 0; i < r->scene->fits.count; i++) {
        if (fits[i].object == object) { return i; }
    }
    return FR_NONE;
}

static bool read_part_name(fr__scene_reader *r, fr_json_value token, const char *what, uint32_t *out) {
    uint32_t object;
    if (!fr__scene_read_object_name(r, token, what, &object)) { return false; }
    *out = part_of(r, object);
    if (*out != FR_NONE) { return true; }
    const fr_scene_object *objects = r->scene->objects.data;
    return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "the object '%s' is no part of the assembly",
                        objects[object].name);
}

static bool read_after(fr__scene_reader *r, fr_json_value token, uint32_t part, fr_assembly_part *out) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(&r->reader, token, "after", 0, FR_ASSEMBLY_MAX_PARTS)) { return false; }
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        uint32_t before = 0;
        if (!read_part_name(r, value, "after", &before)) { return false; }
        if (before == part) { return fr_json_fail(&r->reader, value, FR_ERROR_ARGUMENT, "a part comes after itself"); }
        uint32_t *place = fr_uint32_array_push(&r->scene->after, 1);
        if (place == NULL) { return fr_json_fail_memory(&r->reader); }
        *place = before;
        out->after_count++;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Places

enum { PLACE_POSITION, PLACE_ROTATION, PLACE_AXIS_ANGLE, PLACE_RELATIVE_TO, PLACE_KEYS };

static const fr_json_field place_fields[PLACE_KEYS] = {
    [PLACE_POSITION] = {.key = "position",
                        .is_required = true,
                        .type = FR_JSON_AS_NUMBERS,
                        .offset = offsetof(fr_assembly_part, place.position),
                        .range = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX},
                        .count = 3},
    [PLACE_ROTATION] = {.key = "rotation"},
    [PLACE_AXIS_ANGLE] = {.key = "axis_angle_deg"},
    [PLACE_RELATIVE_TO] = {.key = "relative_to"}};

static bool read_place(fr__scene_reader *r, fr_json_value token, uint32_t part, fr_assembly_part *out) {
    fr_json_value values[PLACE_KEYS];
    bool right =
        fr_json_read_object(&r->reader, token, "a place", place_fields, PLACE_KEYS, values) &&
        fr_json_read_fields(&r->reader, values, place_fields, PLACE_KEYS, out) &&
        fr_json_read_rotation(&r->reader, values[PLACE_ROTATION], values[PLACE_AXIS_ANGLE], &out->place.rotation);
    if (!right || values[PLACE_RELATIVE_TO] == FR_JSON_NONE) { return right; }
    if (!read_part_name(r, values[PLACE_RELATIVE_TO], "relative_to", &out->relative_to)) { return false; }
    if (out->relative_to != part) { return true; }
    return fr_json_fail(&r->reader, values[PLACE_RELATIVE_TO], FR_ERROR_ARGUMENT,
                        "the place of a part counts from itself");
}

enum { SYMMETRY_AXIS, SYMMETRY_CENTER, SYMMETRY_FOLD, SYMMETRY_FLIP, SYMMETRY_KEYS };

static const fr_json_field symmetry_fields[SYMMETRY_KEYS] = {[SYMMETRY_AXIS] = {.key = "axis", .is_required = true},
                                                             [SYMMETRY_CENTER] = {.key = "center"},
                                                             [SYMMETRY_FOLD] = {.key = "fold"},
                                                             [SYMMETRY_FLIP] = {.key = "flip"}};

// A whole number of turns that look alike, or any angle.
static bool read_fold(fr__scene_reader *r, fr_json_value token, uint32_t *out) {
    const fr_json_range folds = {1.0, FR_ASSEMBLY_MAX_FOLD};
    const char *name;
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_is(r->reader.json, token, FR_JSON_STRING)) {
        return fr_json_read_whole(&r->reader, token, "fold", folds, out);
    }
    if (!fr_json_read_string(&r->reader, token, "fold", FR_WORLD_NAME_MAX_BYTES, &name)) { return false; }
    if (strcmp(name, "any") != 0) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "fold is a number or 'any', not '%s'", name);
    }
    *out = 0;
    return true;
}

static bool read_symmetry(fr__scene_reader *r, fr_json_value token, fr_assembly_part *out) {
    fr_json_value values[SYMMETRY_KEYS];
    if (token == FR_JSON_NONE) { return true; }
    bool right = fr_json_read_object(&r->reader, token, "symmetry", symmetry_fields, SYMMETRY_KEYS, values) &&
                 fr__scene_read_direction(&r->reader, values[SYMMETRY_AXIS], "axis", &out->axis) &&
                 fr__scene_read_vector(&r->reader, values[SYMMETRY_CENTER], "center", lengths, &out->center) &&
                 read_fold(r, values[SYMMETRY_FOLD], &out->fold) &&
                 fr__scene_read_direction(&r->reader, values[SYMMETRY_FLIP], "flip", &out->flip);
    if (!right || fabs(fr_vec3_dot(out->axis, out->flip)) <= 1e-6) { return right; }
    return fr_json_fail(&r->reader, values[SYMMETRY_FLIP], FR_ERROR_ARGUMENT, "'flip' is not across 'axis'");
}

// ---------------------------------------------------------------------------------------------------------------
// All of it

// Which objects are parts: they are named before they are read.
static bool read_objects(fr__scene_reader *r, fr_json_value token, const fr_assembly_part *shared) {
    const fr_scene_object *objects = r->scene->objects.data;
    fr_json_value values[PART_KEYS];
    uint32_t object;
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        if (!fr_json_read_object(&r->reader, value, "a part", part_fields, PART_KEYS, values) ||
            !fr__scene_read_object_name(r, values[PART_OBJECT], "object", &object)) {
            return false;
        }
        if (objects[object].is_static) {
            return fr_json_fail(&r->reader, values[PART_OBJECT], FR_ERROR_ARGUMENT,
                                "the static object '%s' is no part: it cannot be taken", objects[object].name);
        }
        if (part_of(r, object) != FR_NONE) {
            return fr_json_fail(&r->reader, values[PART_OBJECT], FR_ERROR_ARGUMENT, "'%s' is a part already",
                                objects[object].name);
        }
        fr_scene_fit *fit = fr__scene_fit_array_push(&r->scene->fits, 1);
        if (fit == NULL) { return fr_json_fail_memory(&r->reader); }
        *fit = (fr_scene_fit){.object = object, .part = *shared};
        fit->part.name = objects[object].name;
    }
    return true;
}

static bool read_part(fr__scene_reader *r, fr_json_value token, uint32_t index) {
    fr_json_value values[PART_KEYS];
    if (!fr_json_read_object(&r->reader, token, "a part", part_fields, PART_KEYS, values)) { return false; }
    fr_assembly_part *part = &r->scene->fits.data[index].part;
    bool right = read_place(r, values[PART_PLACE], index, part) && read_after(r, values[PART_AFTER], index, part) &&
                 read_shared(r, values + PART_TOLERANCE, part_fields + PART_TOLERANCE, part) &&
                 fr__scene_read_direction(&r->reader, values[PART_INSERTION], "insertion", &part->insertion) &&
                 fr_json_read_fields(&r->reader, values + PART_REACH, part_fields + PART_REACH, 1, part) &&
                 read_symmetry(r, values[PART_SYMMETRY], part);
    if (!right) { return false; }
    if (part->reach > 0.0 && values[PART_INSERTION] == FR_JSON_NONE) {
        return fr_json_fail(&r->reader, fr_json_key(values[PART_REACH]), FR_ERROR_ARGUMENT,
                            "'reach' needs an 'insertion'");
    }
    if (values[PART_LIKE] == FR_JSON_NONE) { return true; }
    if (!read_part_name(r, values[PART_LIKE], "like", &part->like)) { return false; }
    if (part->like < index) { return true; }
    return fr_json_fail(&r->reader, values[PART_LIKE], FR_ERROR_ARGUMENT, "'like' names a part that is not before it");
}

static bool follows_done(const fr_assembly_part *part, const uint32_t *after, const bool *is_done) {
    bool is_ready = part->relative_to == FR_NONE || is_done[part->relative_to];
    for (uint32_t k = 0; k < part->after_count; k++) {
        is_ready = is_ready && is_done[after[k]];
    }
    return is_ready;
}

// Whether every part's turn comes; else the first one whose turn does not.
static bool check_order(fr__scene_reader *r, fr_json_value token) {
    const fr_scene_fit *fits = r->scene->fits.data;
    const fr_scene_object *objects = r->scene->objects.data;
    size_t count = r->scene->fits.count;
    bool is_done[FR_ASSEMBLY_MAX_PARTS] = {false};
    for (bool is_new = true; is_new;) {
        const uint32_t *after = r->scene->after.data; // NULL where no part comes after another
        is_new = false;
        for (size_t i = 0; i < count; i++) {
            bool is_ready = !is_done[i] && follows_done(&fits[i].part, after, is_done);
            is_done[i] = is_done[i] || is_ready;
            is_new = is_new || is_ready;
            if (fits[i].part.after_count > 0) { after += fits[i].part.after_count; }
        }
    }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (size_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        if (is_done[i]) { continue; }
        return fr_json_fail(&r->reader, value, FR_ERROR_ARGUMENT, "the order of the parts leads back to '%s'",
                            objects[fits[i].object].name);
    }
    return true;
}

bool fr__scene_read_assembly(fr__scene_reader *r, fr_json_value token) {
    fr_json_value values[ALL_KEYS];
    uint32_t index = 0;
    fr_assembly_part shared = fr_default_assembly_part();
    if (token == FR_JSON_NONE) { return true; }
    bool right = fr_json_read_object(&r->reader, token, "an assembly", all_fields, ALL_KEYS, values) &&
                 fr_json_read_array(&r->reader, values[ALL_PARTS], "parts", 1, FR_ASSEMBLY_MAX_PARTS) &&
                 read_shared(r, values + ALL_TOLERANCE, all_fields + ALL_TOLERANCE, &shared) &&
                 read_objects(r, values[ALL_PARTS], &shared);
    if (!right) { return false; }
    for (fr_json_value value = fr_json_first(r->reader.json, values[ALL_PARTS]); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        if (!read_part(r, value, index++)) { return false; }
    }
    return check_order(r, values[ALL_PARTS]);
}

// The lists stay where they are from now on.
void fr__scene_settle_assembly(fr_scene *scene) {
    const uint32_t *after = scene->after.data;
    fr_scene_fit *fits = scene->fits.data;
    for (size_t i = 0; i < scene->fits.count; i++) {
        if (fits[i].part.after_count == 0) { continue; } // where none has any there is no list
        fits[i].part.after = after;
        after += fits[i].part.after_count;
    }
    scene->view.fits = fits;
    scene->view.fit_count = (uint32_t)scene->fits.count;
}

fr_status fr_scene_build_assembly(const fr_scene *scene, const fr_space *space, const fr_object_id *ids,
                                  const fr_allocator *allocator, fr_assembly **out, fr_error *error) {
    FR_ASSERT(scene != NULL && space != NULL && ids != NULL && out != NULL);
    *out = NULL;
    uint32_t count = scene->view.fit_count;
    if (count == 0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the scene has no assembly"); }
    fr_assembly_def def = fr_default_assembly_def();
    def.allocator = fr_allocator_or_default(allocator);
    fr_assembly_part *parts = fr_allocate(&def.allocator, count, sizeof *parts, _Alignof(fr_assembly_part));
    if (parts == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the parts of an assembly"); }
    for (uint32_t i = 0; i < count; i++) {
        parts[i] = scene->view.fits[i].part;
        parts[i].object = ids[scene->view.fits[i].object];
    }
    def.parts = parts;
    def.part_count = count;
    fr_status status = fr_assembly_create(&def, space, out, error);
    fr_deallocate(&def.allocator, parts, count, sizeof *parts);
    return status;
}
