// Reads the assembly of a scene, and makes it among the objects that were built.
#include "scene/scene_reader.h"

#include <string.h>

static const fr__json_range lengths = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX};

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

static const fr__json_key part_keys[PART_KEYS] = {
    [PART_OBJECT] = {"object", true},
    [PART_PLACE] = {"place", true},
    [PART_AFTER] = {"after", false},
    [PART_TOLERANCE] = {"tolerance", false},
    [PART_TOLERANCE_DEG] = {"tolerance_deg", false},
    [PART_MARGIN] = {"margin", false},
    [PART_SLACK] = {"slack", false},
    [PART_MODE] = {"mode", false},
    [PART_INSERTION] = {"insertion", false},
    [PART_REACH] = {"reach", false},
    [PART_LIKE] = {"like", false},
    [PART_SYMMETRY] = {"symmetry", false},
};

enum { ALL_PARTS, ALL_TOLERANCE, ALL_TOLERANCE_DEG, ALL_MARGIN, ALL_SLACK, ALL_MODE, ALL_KEYS };

static const fr__json_key all_keys[ALL_KEYS] = {
    [ALL_PARTS] = {"parts", true},
    [ALL_TOLERANCE] = {"tolerance", false},
    [ALL_TOLERANCE_DEG] = {"tolerance_deg", false},
    [ALL_MARGIN] = {"margin", false},
    [ALL_SLACK] = {"slack", false},
    [ALL_MODE] = {"mode", false},
};

static bool read_number(fr__scene_reader *r, uint32_t token, const char *what, double low, double high, double *out) {
    const fr__json_range range = {low, high};
    return token == FR__JSON_NONE || fr__json_number(&r->json, token, what, range, out);
}

static bool read_mode(fr__scene_reader *r, uint32_t token, fr_assembly_mode *out) {
    const char *name;
    if (token == FR__JSON_NONE) { return true; }
    if (!fr__json_string(&r->json, token, "mode", FR_WORLD_NAME_MAX_BYTES, &name)) { return false; }
    if (strcmp(name, "box") != 0 && strcmp(name, "polygons") != 0) {
        return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "mode is 'box' or 'polygons', not '%s'", name);
    }
    *out = name[0] == 'b' ? FR_ASSEMBLY_BY_BOX : FR_ASSEMBLY_BY_POLYGONS;
    return true;
}

// The numbers that all parts may share, from their tokens in this order: tolerance, its angle, margin, slack, mode.
static bool read_shared(fr__scene_reader *r, const uint32_t *tokens, fr_assembly_part *part) {
    double angle_deg = fr_degrees(part->angle);
    bool right = read_number(r, tokens[0], "tolerance", 1e-9, 10.0, &part->tolerance) &&
                 read_number(r, tokens[1], "tolerance_deg", 1e-6, 180.0, &angle_deg) &&
                 read_number(r, tokens[2], "margin", 0.0, 1e9, &part->margin) &&
                 read_number(r, tokens[3], "slack", 0.0, 1e9, &part->slack) && read_mode(r, tokens[4], &part->mode);
    if (right && tokens[1] != FR__JSON_NONE) { part->angle = fmin(fr_radians(angle_deg), FR_PI); }
    return right;
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

static bool read_part_name(fr__scene_reader *r, uint32_t token, const char *what, uint32_t *out) {
    uint32_t object;
    if (!fr__scene_read_object_name(r, token, what, &object)) { return false; }
    *out = part_of(r, object);
    if (*out != FR_NONE) { return true; }
    const fr_scene_object *objects = r->scene->objects.data;
    return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "the object '%s' is no part of the assembly",
                          objects[object].name);
}

static bool read_after(fr__scene_reader *r, uint32_t token, uint32_t part, fr_assembly_part *out) {
    if (token == FR__JSON_NONE) { return true; }
    if (!fr__json_array(&r->json, token, "after", 0, FR_ASSEMBLY_MAX_PARTS)) { return false; }
    uint32_t end = fr__json_next(&r->json, token);
    for (uint32_t value = token + 1; value < end; value = fr__json_next(&r->json, value)) {
        uint32_t before = 0;
        if (!read_part_name(r, value, "after", &before)) { return false; }
        if (before == part) { return fr__json_wrong(&r->json, value, FR_ERROR_ARGUMENT, "a part comes after itself"); }
        uint32_t *place = fr_array_push(&r->scene->after, 1);
        if (place == NULL) { return fr__json_no_memory(&r->json); }
        *place = before;
        out->after_count++;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Places

enum { PLACE_POSITION, PLACE_ROTATION, PLACE_AXIS_ANGLE, PLACE_RELATIVE_TO, PLACE_KEYS };

static const fr__json_key place_keys[PLACE_KEYS] = {[PLACE_POSITION] = {"position", true},
                                                    [PLACE_ROTATION] = {"rotation", false},
                                                    [PLACE_AXIS_ANGLE] = {"axis_angle_deg", false},
                                                    [PLACE_RELATIVE_TO] = {"relative_to", false}};

static bool read_place(fr__scene_reader *r, uint32_t token, uint32_t part, fr_assembly_part *out) {
    uint32_t values[PLACE_KEYS];
    bool right = fr__json_object(&r->json, token, "a place", place_keys, PLACE_KEYS, values) &&
                 fr__scene_read_vector(r, values[PLACE_POSITION], "position", lengths, &out->place.position) &&
                 fr__scene_read_rotation(r, values[PLACE_ROTATION], values[PLACE_AXIS_ANGLE], &out->place.rotation);
    if (!right || values[PLACE_RELATIVE_TO] == FR__JSON_NONE) { return right; }
    if (!read_part_name(r, values[PLACE_RELATIVE_TO], "relative_to", &out->relative_to)) { return false; }
    if (out->relative_to != part) { return true; }
    return fr__json_wrong(&r->json, values[PLACE_RELATIVE_TO], FR_ERROR_ARGUMENT,
                          "the place of a part counts from itself");
}

static bool read_direction(fr__scene_reader *r, uint32_t token, const char *what, fr_vec3 *out) {
    const fr_vec3 zero = {0.0, 0.0, 0.0};
    if (token == FR__JSON_NONE) { return true; }
    if (!fr__scene_read_vector(r, token, what, lengths, out)) { return false; }
    *out = fr_vec3_unit(*out, zero);
    if (!fr_vec3_equal(*out, zero)) { return true; }
    return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "'%s' is zero", what);
}

enum { SYMMETRY_AXIS, SYMMETRY_CENTER, SYMMETRY_FOLD, SYMMETRY_FLIP, SYMMETRY_KEYS };

static const fr__json_key symmetry_keys[SYMMETRY_KEYS] = {[SYMMETRY_AXIS] = {"axis", true},
                                                          [SYMMETRY_CENTER] = {"center", false},
                                                          [SYMMETRY_FOLD] = {"fold", false},
                                                          [SYMMETRY_FLIP] = {"flip", false}};

// A whole number of turns that look alike, or any angle.
static bool read_fold(fr__scene_reader *r, uint32_t token, uint32_t *out) {
    const fr__json_range folds = {1.0, FR_ASSEMBLY_MAX_FOLD};
    const char *name;
    if (token == FR__JSON_NONE) { return true; }
    if (r->json.json->tokens[token].kind != FR__JSON_STRING) {
        return fr__json_whole(&r->json, token, "fold", folds, out);
    }
    if (!fr__json_string(&r->json, token, "fold", FR_WORLD_NAME_MAX_BYTES, &name)) { return false; }
    if (strcmp(name, "any") != 0) {
        return fr__json_wrong(&r->json, token, FR_ERROR_ARGUMENT, "fold is a number or 'any', not '%s'", name);
    }
    *out = 0;
    return true;
}

static bool read_symmetry(fr__scene_reader *r, uint32_t token, fr_assembly_part *out) {
    uint32_t values[SYMMETRY_KEYS];
    if (token == FR__JSON_NONE) { return true; }
    bool right = fr__json_object(&r->json, token, "symmetry", symmetry_keys, SYMMETRY_KEYS, values) &&
                 read_direction(r, values[SYMMETRY_AXIS], "axis", &out->axis) &&
                 fr__scene_read_vector(r, values[SYMMETRY_CENTER], "center", lengths, &out->center) &&
                 read_fold(r, values[SYMMETRY_FOLD], &out->fold) &&
                 read_direction(r, values[SYMMETRY_FLIP], "flip", &out->flip);
    if (!right || fabs(fr_vec3_dot(out->axis, out->flip)) <= 1e-6) { return right; }
    return fr__json_wrong(&r->json, values[SYMMETRY_FLIP], FR_ERROR_ARGUMENT, "'flip' is not across 'axis'");
}

// ---------------------------------------------------------------------------------------------------------------
// All of it

// Which objects are parts: they are named before they are read.
static bool read_objects(fr__scene_reader *r, uint32_t token, const fr_assembly_part *shared) {
    const fr_scene_object *objects = r->scene->objects.data;
    uint32_t end = fr__json_next(&r->json, token), values[PART_KEYS], object;
    for (uint32_t value = token + 1; value < end; value = fr__json_next(&r->json, value)) {
        if (!fr__json_object(&r->json, value, "a part", part_keys, PART_KEYS, values) ||
            !fr__scene_read_object_name(r, values[PART_OBJECT], "object", &object)) {
            return false;
        }
        if (objects[object].is_static) {
            return fr__json_wrong(&r->json, values[PART_OBJECT], FR_ERROR_ARGUMENT,
                                  "the static object '%s' is no part: nobody can take it", objects[object].name);
        }
        if (part_of(r, object) != FR_NONE) {
            return fr__json_wrong(&r->json, values[PART_OBJECT], FR_ERROR_ARGUMENT, "'%s' is a part already",
                                  objects[object].name);
        }
        fr_scene_fit *fit = fr_array_push(&r->scene->fits, 1);
        if (fit == NULL) { return fr__json_no_memory(&r->json); }
        *fit = (fr_scene_fit){.object = object, .part = *shared};
        fit->part.name = objects[object].name;
    }
    return true;
}

static bool read_part(fr__scene_reader *r, uint32_t token, uint32_t index) {
    uint32_t values[PART_KEYS];
    if (!fr__json_object(&r->json, token, "a part", part_keys, PART_KEYS, values)) { return false; }
    fr_assembly_part *part = &((fr_scene_fit *)r->scene->fits.data)[index].part;
    bool right = read_place(r, values[PART_PLACE], index, part) && read_after(r, values[PART_AFTER], index, part) &&
                 read_shared(r, &values[PART_TOLERANCE], part) &&
                 read_direction(r, values[PART_INSERTION], "insertion", &part->insertion) &&
                 read_number(r, values[PART_REACH], "reach", 0.0, 10.0, &part->reach) &&
                 read_symmetry(r, values[PART_SYMMETRY], part);
    if (!right) { return false; }
    if (part->reach > 0.0 && values[PART_INSERTION] == FR__JSON_NONE) {
        return fr__json_wrong(&r->json, values[PART_REACH] - 1, FR_ERROR_ARGUMENT, "'reach' needs an 'insertion'");
    }
    if (values[PART_LIKE] == FR__JSON_NONE) { return true; }
    if (!read_part_name(r, values[PART_LIKE], "like", &part->like)) { return false; }
    if (part->like < index) { return true; }
    return fr__json_wrong(&r->json, values[PART_LIKE], FR_ERROR_ARGUMENT, "'like' names a part that is not before it");
}

static bool follows_done(const fr_assembly_part *part, const uint32_t *after, const bool *is_done) {
    bool is_ready = part->relative_to == FR_NONE || is_done[part->relative_to];
    for (uint32_t k = 0; k < part->after_count; k++) {
        is_ready = is_ready && is_done[after[k]];
    }
    return is_ready;
}

// Whether every part's turn comes; else the first one whose turn does not.
static bool check_order(fr__scene_reader *r, uint32_t token) {
    const fr_scene_fit *fits = r->scene->fits.data;
    const fr_scene_object *objects = r->scene->objects.data;
    size_t count = r->scene->fits.count;
    bool is_done[FR_ASSEMBLY_MAX_PARTS] = {false};
    for (bool is_new = true; is_new;) {
        const uint32_t *after = r->scene->after.data;
        is_new = false;
        for (size_t i = 0; i < count; i++) {
            bool is_ready = !is_done[i] && follows_done(&fits[i].part, after, is_done);
            is_done[i] = is_done[i] || is_ready;
            is_new = is_new || is_ready;
            after += fits[i].part.after_count;
        }
    }
    uint32_t value = token + 1;
    for (size_t i = 0; i < count; i++, value = fr__json_next(&r->json, value)) {
        if (is_done[i]) { continue; }
        return fr__json_wrong(&r->json, value, FR_ERROR_ARGUMENT, "the order of the parts leads back to '%s'",
                              objects[fits[i].object].name);
    }
    return true;
}

bool fr__scene_read_assembly(fr__scene_reader *r, uint32_t token) {
    uint32_t values[ALL_KEYS], index = 0;
    fr_assembly_part shared = fr_default_assembly_part();
    if (token == FR__JSON_NONE) { return true; }
    bool right = fr__json_object(&r->json, token, "an assembly", all_keys, ALL_KEYS, values) &&
                 fr__json_array(&r->json, values[ALL_PARTS], "parts", 1, FR_ASSEMBLY_MAX_PARTS) &&
                 read_shared(r, &values[ALL_TOLERANCE], &shared) && read_objects(r, values[ALL_PARTS], &shared);
    if (!right) { return false; }
    uint32_t end = fr__json_next(&r->json, values[ALL_PARTS]);
    for (uint32_t value = values[ALL_PARTS] + 1; value < end; value = fr__json_next(&r->json, value)) {
        if (!read_part(r, value, index++)) { return false; }
    }
    return check_order(r, values[ALL_PARTS]);
}

// The lists stay where they are from now on.
void fr__scene_settle_assembly(fr_scene *scene) {
    const uint32_t *after = scene->after.data;
    fr_scene_fit *fits = scene->fits.data;
    for (size_t i = 0; i < scene->fits.count; i++) {
        if (fits[i].part.after_count > 0) { fits[i].part.after = after; }
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
    fr_release(&def.allocator, parts, count, sizeof *parts);
    return status;
}
