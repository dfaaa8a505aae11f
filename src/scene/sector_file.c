// Reads the sector file. docs/schema/sector.schema.json says the same, but for what a schema cannot say.
#include "fureai/scene.h"

#include "fureai/json.h"

#include <string.h>

enum { FILE_VERSION = 1, MAX_DEPTH = 16 };

FR_ARRAY_TYPE(sector_array, fr_sector_entry);
FR_ARRAY_TYPE(query_array, fr_sector_query);

struct fr_sector_file {
    fr_sector_file_view view;
    fr_arena *strings;
    sector_array sectors;
    query_array queries;
    fr_allocator allocator;
};

typedef struct sector_reader {
    fr_json_reader reader;
    fr_sector_file *file;
} sector_reader;

static const fr_json_range lengths = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX}, sizes = {0.0, FR_SCENE_LENGTH_MAX};

// ---------------------------------------------------------------------------------------------------------------
// Small values

static bool read_vector(sector_reader *r, fr_json_value token, const char *what, fr_vec3 *out) {
    double numbers[3];
    if (!fr_json_read_numbers(&r->reader, token, what, lengths, 3, numbers)) { return false; }
    *out = fr_vec3_make(numbers[0], numbers[1], numbers[2]);
    return true;
}

// One of some words; its number.
static bool read_word(sector_reader *r, fr_json_value token, const char *what, const char *const *words, int count,
                      int *out) {
    const char *text;
    if (!fr_json_read_string(&r->reader, token, what, FR_WORLD_NAME_MAX_BYTES, &text)) { return false; }
    fr_suggestion meant = fr_suggestion_begin(text);
    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return true;
        }
        fr_suggestion_offer(&meant, words[i]);
    }
    if (meant.best == NULL) {
        return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "%s cannot be '%s'", what, text);
    }
    return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "%s cannot be '%s'; did you mean '%s'?", what, text,
                        meant.best);
}

// What an object of a kind has: `needed` of the values must be there, `barred` must not.
static bool check_keys(sector_reader *r, fr_json_value token, const fr_json_field *keys, const fr_json_value *values,
                       size_t count, uint32_t needed, uint32_t barred, const char *kind) {
    for (size_t i = 0; i < count; i++) {
        bool is_there = values[i] != FR_JSON_NONE;
        if (!is_there && (needed >> i & 1)) {
            return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "%s needs %s", kind, keys[i].key);
        }
        if (is_there && (barred >> i & 1)) {
            return fr_json_fail(&r->reader, fr_json_key(values[i]), FR_ERROR_SYNTAX, "%s has no %s", kind, keys[i].key);
        }
    }
    return true;
}

static bool read_rotation(sector_reader *r, fr_json_value token, fr_mat3 *axes) {
    *axes = fr_mat3_identity();
    if (token == FR_JSON_NONE) { return true; }
    const fr_json_range range = {-1.01, 1.01};
    double n[4];
    if (!fr_json_read_numbers(&r->reader, token, "rotation", range, 4, n)) { return false; }
    fr_quat q = {n[0], n[1], n[2], n[3]};
    if (fr_quat_normalize(&q, NULL) != FR_OK) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT,
                            "rotation must be a quaternion w, x, y, z of length 1, within 1 %%");
    }
    *axes = fr_mat3_transpose(fr_quat_to_mat3(q));
    return true;
}

static bool read_box(sector_reader *r, fr_json_value center, fr_json_value size, fr_json_value rotation,
                     fr_oriented_box *out) {
    double n[3];
    if (!read_vector(r, center, "center", &out->center) ||
        !fr_json_read_numbers(&r->reader, size, "size", sizes, 3, n)) {
        return false;
    }
    out->half = fr_vec3_make(0.5 * n[0], 0.5 * n[1], 0.5 * n[2]);
    return read_rotation(r, rotation, &out->axes);
}

// ---------------------------------------------------------------------------------------------------------------
// Sectors

enum {
    ENTRY_NAME,
    ENTRY_CENTER,
    ENTRY_AXIS,
    ENTRY_BISECTOR,
    ENTRY_HALF_ANGLE,
    ENTRY_INNER,
    ENTRY_OUTER,
    ENTRY_THICKNESS,
    ENTRY_BOX,
    ENTRY_PIVOT,
    ENTRY_ANGLE,
    ENTRY_SLIDE,
    ENTRY_BUILD,
    ENTRY_COUNT
};

static const fr_json_field entry_fields[ENTRY_COUNT] = {{.key = "name", .is_required = true},
                                                        {.key = "center"},
                                                        {.key = "axis", .is_required = true},
                                                        {.key = "bisector"},
                                                        {.key = "half_angle_deg"},
                                                        {.key = "inner"},
                                                        {.key = "outer"},
                                                        {.key = "half_thickness"},
                                                        {.key = "box"},
                                                        {.key = "pivot"},
                                                        {.key = "angle_deg"},
                                                        {.key = "slide"},
                                                        {.key = "build"}};

#define BIT(key) (UINT32_C(1) << (key))

static const uint32_t given_keys = BIT(ENTRY_CENTER) | BIT(ENTRY_BISECTOR) | BIT(ENTRY_HALF_ANGLE) | BIT(ENTRY_INNER) |
                                   BIT(ENTRY_OUTER) | BIT(ENTRY_THICKNESS);
static const uint32_t swept_keys = BIT(ENTRY_BOX) | BIT(ENTRY_PIVOT) | BIT(ENTRY_ANGLE);

static bool read_given(sector_reader *r, fr_json_value token, const fr_json_value *v, fr_sector_entry *out) {
    const fr_json_range angles = {0.0, 180.0};
    uint32_t barred = BIT(ENTRY_PIVOT) | BIT(ENTRY_ANGLE) | BIT(ENTRY_SLIDE) | BIT(ENTRY_BUILD);
    double half_angle_deg;
    fr_sector *s = &out->sector;
    out->build = FR_SECTOR_GIVEN;
    if (!check_keys(r, token, entry_fields, v, ENTRY_COUNT, given_keys, barred, "a sector without a box") ||
        !read_vector(r, v[ENTRY_CENTER], "center", &s->center) || !read_vector(r, v[ENTRY_AXIS], "axis", &s->axis) ||
        !read_vector(r, v[ENTRY_BISECTOR], "bisector", &s->bisector) ||
        !fr_json_read_number(&r->reader, v[ENTRY_HALF_ANGLE], "half_angle_deg", angles, &half_angle_deg) ||
        !fr_json_read_number(&r->reader, v[ENTRY_INNER], "inner", sizes, &s->inner) ||
        !fr_json_read_number(&r->reader, v[ENTRY_OUTER], "outer", sizes, &s->outer) ||
        !fr_json_read_number(&r->reader, v[ENTRY_THICKNESS], "half_thickness", sizes, &s->half_thickness)) {
        return false;
    }
    s->half_angle = fmin(fr_radians(half_angle_deg), FR_PI);
    fr_error error;
    fr_status status = fr_sector_check(s, &error);
    return status == FR_OK || fr_json_fail(&r->reader, token, status, "%s", error.message);
}

static bool read_entry_box(sector_reader *r, fr_json_value token, fr_oriented_box *out) {
    static const fr_json_field keys[3] = {
        {.key = "center", .is_required = true}, {.key = "size", .is_required = true}, {.key = "rotation"}};
    fr_json_value v[3];
    return fr_json_read_object(&r->reader, token, "box", keys, 3, v) && read_box(r, v[0], v[1], v[2], out);
}

static bool read_swept(sector_reader *r, fr_json_value token, const fr_json_value *v, fr_sector_entry *out) {
    static const char *const builds[] = {"thesis", "conservative", "exact"};
    const fr_json_range angles = {-FR_SCENE_ANGLE_MAX_DEG, FR_SCENE_ANGLE_MAX_DEG};
    double angle_deg;
    int build = 1;
    if (!check_keys(r, token, entry_fields, v, ENTRY_COUNT, swept_keys, given_keys, "a sector of a box") ||
        !read_entry_box(r, v[ENTRY_BOX], &out->box) || !read_vector(r, v[ENTRY_PIVOT], "pivot", &out->screw.point) ||
        !read_vector(r, v[ENTRY_AXIS], "axis", &out->screw.axis) ||
        !fr_json_read_number(&r->reader, v[ENTRY_ANGLE], "angle_deg", angles, &angle_deg) ||
        (v[ENTRY_SLIDE] != FR_JSON_NONE &&
         !fr_json_read_number(&r->reader, v[ENTRY_SLIDE], "slide", lengths, &out->screw.slide)) ||
        (v[ENTRY_BUILD] != FR_JSON_NONE && !read_word(r, v[ENTRY_BUILD], "build", builds, 3, &build))) {
        return false;
    }
    out->build = (fr_sector_build)(FR_SECTOR_THESIS + build);
    out->screw.angle = fr_radians(angle_deg);
    fr_error error;
    fr_status status = fr_screw_check(&out->screw, &error);
    if (status == FR_OK) { status = fr_sector_of_box(&out->box, &out->screw, &out->sector, &error); }
    if (status != FR_OK) { return fr_json_fail(&r->reader, v[ENTRY_AXIS], status, "%s", error.message); }
    if (out->build != FR_SECTOR_CONSERVATIVE && !fr_swing_of_box(&out->box, &out->screw, &out->swing)) {
        return fr_json_fail(&r->reader, v[ENTRY_BUILD], FR_ERROR_ARGUMENT,
                            "only a box that swings is built so: one axis of it along the axis of the turn, another "
                            "pointing away from it, and no slide");
    }
    return true;
}

// The sector of that name; FR_NONE when there is none.
static uint32_t find_sector(const sector_reader *r, const char *name) {
    const fr_sector_entry *entries = r->file->sectors.data;
    for (size_t i = 0; i < r->file->sectors.count; i++) {
        if (strcmp(entries[i].name, name) == 0) { return (uint32_t)i; }
    }
    return FR_NONE;
}

static bool read_entry(sector_reader *r, fr_json_value token) {
    fr_json_value v[ENTRY_COUNT];
    fr_sector_entry entry;
    memset(&entry, 0, sizeof entry);
    if (!fr_json_read_object(&r->reader, token, "a sector", entry_fields, ENTRY_COUNT, v) ||
        !fr_json_read_string(&r->reader, v[ENTRY_NAME], "name", FR_WORLD_NAME_MAX_BYTES, &entry.name)) {
        return false;
    }
    if (find_sector(r, entry.name) != FR_NONE) {
        return fr_json_fail(&r->reader, v[ENTRY_NAME], FR_ERROR_ARGUMENT, "another sector has the name '%s'",
                            entry.name);
    }
    bool right = v[ENTRY_BOX] == FR_JSON_NONE ? read_given(r, token, v, &entry) : read_swept(r, token, v, &entry);
    if (!right) { return false; }
    fr_sector_entry *kept = sector_array_push(&r->file->sectors, 1);
    if (kept == NULL) { return fr_json_fail_memory(&r->reader); }
    *kept = entry;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Queries

enum {
    QUERY_SECTOR,
    QUERY_SHAPE,
    QUERY_POINT,
    QUERY_CENTER,
    QUERY_RADIUS,
    QUERY_FROM,
    QUERY_TO,
    QUERY_SIZE,
    QUERY_ROTATION,
    QUERY_POINTS,
    QUERY_WITH,
    QUERY_COUNT
};

static const fr_json_field query_fields[QUERY_COUNT] = {{.key = "sector", .is_required = true},
                                                        {.key = "shape", .is_required = true},
                                                        {.key = "point"},
                                                        {.key = "center"},
                                                        {.key = "radius"},
                                                        {.key = "from"},
                                                        {.key = "to"},
                                                        {.key = "size"},
                                                        {.key = "rotation"},
                                                        {.key = "points"},
                                                        {.key = "with"}};

static const char *const shape_names[] = {"point", "sphere", "capsule", "box", "triangle", "sector"};

// The keys that each shape needs; it may have no others but a rotation.
static const uint32_t shape_keys[] = {BIT(QUERY_POINT),
                                      BIT(QUERY_CENTER) | BIT(QUERY_RADIUS),
                                      BIT(QUERY_FROM) | BIT(QUERY_TO) | BIT(QUERY_RADIUS),
                                      BIT(QUERY_CENTER) | BIT(QUERY_SIZE),
                                      BIT(QUERY_POINTS),
                                      BIT(QUERY_WITH)};

static bool read_reference(sector_reader *r, fr_json_value token, const char *what, uint32_t *out) {
    const char *name;
    if (!fr_json_read_string(&r->reader, token, what, FR_WORLD_NAME_MAX_BYTES, &name)) { return false; }
    *out = find_sector(r, name);
    if (*out != FR_NONE) { return true; }
    return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "there is no sector '%s'", name);
}

static bool read_corners(sector_reader *r, fr_json_value token, fr_vec3 out[3]) {
    if (!fr_json_read_array(&r->reader, token, "points", 3, 3)) { return false; }
    fr_json_value corner = fr_json_first(r->reader.json, token);
    for (int i = 0; i < 3; i++, corner = fr_json_next(r->reader.json, corner)) {
        if (!read_vector(r, corner, "a corner", &out[i])) { return false; }
    }
    return true;
}

static bool read_shape(sector_reader *r, const fr_json_value *v, fr_sector_query *q) {
    switch (q->shape) {
    case FR_SECTOR_QUERY_POINT: return read_vector(r, v[QUERY_POINT], "point", &q->points[0]);
    case FR_SECTOR_QUERY_SPHERE:
        return read_vector(r, v[QUERY_CENTER], "center", &q->points[0]) &&
               fr_json_read_number(&r->reader, v[QUERY_RADIUS], "radius", sizes, &q->radius);
    case FR_SECTOR_QUERY_CAPSULE:
        return read_vector(r, v[QUERY_FROM], "from", &q->points[0]) &&
               read_vector(r, v[QUERY_TO], "to", &q->points[1]) &&
               fr_json_read_number(&r->reader, v[QUERY_RADIUS], "radius", sizes, &q->radius);
    case FR_SECTOR_QUERY_BOX: return read_box(r, v[QUERY_CENTER], v[QUERY_SIZE], v[QUERY_ROTATION], &q->box);
    case FR_SECTOR_QUERY_TRIANGLE: return read_corners(r, v[QUERY_POINTS], q->points);
    case FR_SECTOR_QUERY_SECTOR: return read_reference(r, v[QUERY_WITH], "with", &q->other);
    }
    return false;
}

static bool read_query(sector_reader *r, fr_json_value token) {
    fr_json_value v[QUERY_COUNT];
    fr_sector_query query;
    memset(&query, 0, sizeof query);
    int shape = 0;
    if (!fr_json_read_object(&r->reader, token, "a query", query_fields, QUERY_COUNT, v) ||
        !read_reference(r, v[QUERY_SECTOR], "sector", &query.sector) ||
        !read_word(r, v[QUERY_SHAPE], "shape", shape_names, 6, &shape)) {
        return false;
    }
    query.shape = (fr_sector_query_shape)shape;
    uint32_t may = shape_keys[shape] | BIT(QUERY_SECTOR) | BIT(QUERY_SHAPE);
    if (query.shape == FR_SECTOR_QUERY_BOX) { may |= BIT(QUERY_ROTATION); }
    char kind[32] = "a query by ";
    memcpy(kind + 11, shape_names[shape], strlen(shape_names[shape]) + 1);
    if (!check_keys(r, token, query_fields, v, QUERY_COUNT, shape_keys[shape], ~may, kind) ||
        !read_shape(r, v, &query)) {
        return false;
    }
    fr_sector_query *kept = query_array_push(&r->file->queries, 1);
    if (kept == NULL) { return fr_json_fail_memory(&r->reader); }
    *kept = query;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The file

static bool read_list(sector_reader *r, fr_json_value token, const char *what, size_t most,
                      bool (*read)(sector_reader *r, fr_json_value token)) {
    if (!fr_json_read_array(&r->reader, token, what, 0, most)) { return false; }
    for (fr_json_value value = fr_json_first(r->reader.json, token); value != FR_JSON_NONE;
         value = fr_json_next(r->reader.json, value)) {
        if (!read(r, value)) { return false; }
    }
    return true;
}

static bool read_file(sector_reader *r) {
    static const fr_json_field keys[3] = {
        {.key = "fureai", .is_required = true}, {.key = "sectors", .is_required = true}, {.key = "queries"}};
    const fr_json_range versions = {0.0, 1e9};
    fr_json_value v[3];
    uint32_t version;
    if (!fr_json_read_object(&r->reader, FR_JSON_ROOT, "a sector file", keys, 3, v) ||
        !fr_json_read_whole(&r->reader, v[0], "fureai", versions, &version)) {
        return false;
    }
    if (version != FILE_VERSION) {
        return fr_json_fail(&r->reader, v[0], FR_ERROR_VERSION, "this is version %u of the format; known is %d",
                            version, FILE_VERSION);
    }
    return read_list(r, v[1], "sectors", FR_SECTOR_FILE_MAX_SECTORS, read_entry) &&
           (v[2] == FR_JSON_NONE || read_list(r, v[2], "queries", FR_SECTOR_FILE_MAX_QUERIES, read_query));
}

static fr_sector_file *make_file(const fr_allocator *allocator) {
    fr_allocator kept = fr_allocator_or_default(allocator);
    fr_sector_file *file = fr_allocate(&kept, 1, sizeof *file, _Alignof(fr_sector_file));
    if (file == NULL) { return NULL; }
    memset(file, 0, sizeof *file);
    file->allocator = kept;
    file->sectors = sector_array_make(&kept);
    file->queries = query_array_make(&kept);
    if (fr_arena_create(0, &kept, &file->strings, NULL) == FR_OK) { return file; }
    fr_deallocate(&kept, file, 1, sizeof *file);
    return NULL;
}

void fr_sector_file_destroy(fr_sector_file *file) {
    if (file == NULL) { return; }
    sector_array_destroy(&file->sectors);
    query_array_destroy(&file->queries);
    fr_arena_destroy(file->strings);
    fr_allocator allocator = file->allocator;
    fr_deallocate(&allocator, file, 1, sizeof *file);
}

const fr_sector_file_view *fr_sector_file_get(const fr_sector_file *file) { return &file->view; }

fr_status fr_sector_file_read(const void *bytes, size_t size, const fr_scene_read_input *options, fr_sector_file **out,
                              fr_error *error) {
    fr_scene_read_input defaults = fr_default_scene_read_input();
    if (options == NULL) { options = &defaults; }
    *out = NULL;
    if (options->cookie != defaults.cookie) { return fr_error_set_cookie(error, "fr_default_scene_read_input"); }
    fr_json_def def = fr_default_json_def();
    def.name = options->name;
    def.max_bytes = options->max_bytes;
    def.max_depth = MAX_DEPTH;
    def.is_container = true;
    def.allocator = options->allocator;
    fr_json *json;
    fr_status status = fr_json_create(bytes, size, &def, &json, error);
    if (status != FR_OK) { return status; }
    fr_sector_file *file = make_file(&options->allocator);
    sector_reader r = {.reader = fr_json_reader_make(json, file != NULL ? file->strings : NULL, error), .file = file};
    bool right = file != NULL ? read_file(&r) : fr_json_fail_memory(&r.reader);
    fr_json_destroy(json);
    if (!right) {
        fr_sector_file_destroy(file);
        return r.reader.status;
    }
    file->view = (fr_sector_file_view){file->sectors.data, (uint32_t)file->sectors.count, file->queries.data,
                                       (uint32_t)file->queries.count};
    *out = file;
    return FR_OK;
}
