// Reading INIT: the body, its skeleton and the fields of the task.
#include "act/message.h"

#include "fureai/json.h"

#include <stdlib.h>
#include <string.h>

// A reader of one message, which stops at the first thing that is wrong.
typedef struct init_reader {
    fr_json_reader json;
    fr_arena *arena;
} init_reader;

static const fr_json_range any_number = {-1e308, 1e308};

static fr_json_value member(init_reader *r, fr_json_value object, const char *key) {
    bool is_object = fr_json_is(r->json.json, object, FR_JSON_OBJECT);
    return is_object ? fr_json_member(r->json.json, object, key) : FR_JSON_NONE;
}

// A member that must be there.
static bool need(init_reader *r, fr_json_value object, const char *key, fr_json_value *out) {
    *out = member(r, object, key);
    return *out != FR_JSON_NONE || fr_json_fail(&r->json, object, FR_ERROR_SYNTAX, "\"%s\" is missing", key);
}

static void *take(init_reader *r, size_t count, size_t size) {
    void *memory = fr_arena_alloc(r->arena, count > 0 ? count : 1, size, 16);
    if (memory == NULL) { (void)fr_json_fail_memory(&r->json); }
    return memory;
}

static bool read_numbers(init_reader *r, fr_json_value object, const char *key, size_t count, double *out) {
    fr_json_value value;
    return need(r, object, key, &value) && fr_json_read_numbers(&r->json, value, key, any_number, count, out);
}

static bool check(init_reader *r, fr_json_value value, fr_status status, const fr_error *error) {
    return status == FR_OK || fr_json_fail(&r->json, value, status, "%s", error->message);
}

static bool read_pose(init_reader *r, fr_json_value value, fr_pose *out) {
    *out = fr_pose_identity();
    fr_json_value scale = member(r, value, "s");
    fr_error error = {0};
    return read_numbers(r, value, "p", 3, &out->position.x) && read_numbers(r, value, "q", 4, &out->rotation.w) &&
           (scale == FR_JSON_NONE || fr_json_read_number(&r->json, scale, "s", any_number, &out->scale)) &&
           check(r, value, fr__plug_check_pose(out, &error), &error);
}

// A posture, whose turns are in the arena.
static bool read_posture(init_reader *r, fr_json_value value, const fr_skeleton *skeleton, fr_posture *out) {
    uint32_t count = fr_skeleton_get(skeleton)->link_count;
    double contacts[2] = {0.0, 0.0};
    fr_json_value feet = member(r, value, "c");
    fr_error error = {0};
    *out = (fr_posture){.turns = take(r, count, sizeof(fr_quat)), .count = count};
    bool is_right =
        out->turns != NULL && read_numbers(r, value, "hip", 3, &out->place.x) &&
        read_numbers(r, value, "q", 4 * (size_t)count, &out->turns[0].w) &&
        (feet == FR_JSON_NONE || fr_json_read_numbers(&r->json, feet, "c", (fr_json_range){0.0, 3.0}, 2, contacts));
    if (!is_right) { return false; }
    out->contact_left = (uint8_t)contacts[0];
    out->contact_right = (uint8_t)contacts[1];
    fr_status status = FR_OK;
    for (uint32_t i = 0; i < count && status == FR_OK; i++) {
        status = fr__plug_check_turn(&out->turns[i], &error);
    }
    if (status == FR_OK && !(fr_vec3_is_finite(out->place) && fr_vec3_largest(out->place) <= FR_LENGTH_MAX)) {
        status = fr_error_set(&error, FR_ERROR_NOT_FINITE, "the place of a posture is not finite");
    }
    return check(r, value, status, &error);
}

// ---------------------------------------------------------------------------------------------------------------
// The model

// The index of a link, where -1 stands for none.
static bool read_index(init_reader *r, fr_json_value value, uint32_t count, uint32_t *out) {
    int32_t index = -1;
    if (!fr_json_read_integer(&r->json, value, NULL, (fr_json_range){-1.0, (double)count - 1.0}, &index)) {
        return false;
    }
    *out = index < 0 ? FR_NO_LINK : (uint32_t)index;
    return true;
}

static bool read_limit(init_reader *r, fr_json_value value, fr_limit *out) {
    fr_json_value kind;
    uint32_t number = 0;
    bool is_right = need(r, value, "kind", &kind) &&
                    fr_json_read_whole(&r->json, kind, "kind", (fr_json_range){0.0, FR_LIMIT_SWING}, &number) &&
                    read_numbers(r, value, "axes", 9, &out->axes[0].x) && read_numbers(r, value, "min", 3, out->min) &&
                    read_numbers(r, value, "max", 3, out->max) &&
                    read_numbers(r, value, "elevations", 4, out->elevations);
    out->kind = (fr_limit_kind)number;
    return is_right;
}

// The arrays of a skeleton's definition, in the arena.
typedef struct link_arrays {
    uint32_t *parents, *partners;
    const char **names;
    fr_vec3 *offsets, *tips;
    fr_quat *rests;
    double *masses;
    fr_limit *limits;
} link_arrays;

static bool make_arrays(init_reader *r, size_t count, link_arrays *out) {
    *out = (link_arrays){.parents = take(r, count, sizeof(uint32_t)),
                         .partners = take(r, count, sizeof(uint32_t)),
                         .names = take(r, count, sizeof(char *)),
                         .offsets = take(r, count, sizeof(fr_vec3)),
                         .tips = take(r, count, sizeof(fr_vec3)),
                         .rests = take(r, count, sizeof(fr_quat)),
                         .masses = take(r, count, sizeof(double)),
                         .limits = take(r, count, sizeof(fr_limit))};
    if (r->json.status != FR_OK) { return false; }
    memset(out->limits, 0, count * sizeof(fr_limit));
    return true;
}

static bool read_link(init_reader *r, fr_json_value value, uint32_t i, uint32_t count, link_arrays *to) {
    fr_json_value name, parent, partner, mass, limit = member(r, value, "limit");
    return need(r, value, "name", &name) && need(r, value, "parent", &parent) && need(r, value, "partner", &partner) &&
           need(r, value, "mass", &mass) &&
           fr_json_read_string(&r->json, name, "name", FR_MAX_LINK_NAME, &to->names[i]) &&
           read_index(r, parent, count, &to->parents[i]) && read_index(r, partner, count, &to->partners[i]) &&
           fr_json_read_number(&r->json, mass, "mass", any_number, &to->masses[i]) &&
           read_numbers(r, value, "offset", 3, &to->offsets[i].x) && read_numbers(r, value, "tip", 3, &to->tips[i].x) &&
           read_numbers(r, value, "rest", 4, &to->rests[i].w) &&
           (limit == FR_JSON_NONE || read_limit(r, limit, &to->limits[i]));
}

static bool read_roles(init_reader *r, fr_json_value model, uint32_t count, uint32_t *roles, fr_link_point *points) {
    fr_json_value list, one;
    const fr_json *json = r->json.json;
    if (!need(r, model, "roles", &list) || !fr_json_read_array(&r->json, list, "roles", FR_LINK_COUNT, FR_LINK_COUNT)) {
        return false;
    }
    one = fr_json_first(json, list);
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++, one = fr_json_next(json, one)) {
        if (!read_index(r, one, count, &roles[i])) { return false; }
    }
    if (!need(r, model, "points", &list) ||
        !fr_json_read_array(&r->json, list, "points", FR_POINT_COUNT, FR_POINT_COUNT)) {
        return false;
    }
    one = fr_json_first(json, list);
    for (uint32_t i = 0; i < FR_POINT_COUNT; i++, one = fr_json_next(json, one)) {
        fr_json_value link;
        bool is_right = need(r, one, "link", &link) && read_index(r, link, count, &points[i].link) &&
                        read_numbers(r, one, "offset", 3, &points[i].offset.x);
        if (!is_right) { return false; }
    }
    return true;
}

static bool read_model(init_reader *r, fr_json_value model, const fr_skeleton **out) {
    fr_json_value links;
    const fr_json *json = r->json.json;
    uint32_t roles[FR_LINK_COUNT];
    fr_link_point points[FR_POINT_COUNT];
    link_arrays arrays;
    if (!need(r, model, "links", &links) || !fr_json_read_array(&r->json, links, "links", 1, FR_MAX_LINKS)) {
        return false;
    }
    uint32_t count = fr_json_count(json, links), i = 0;
    if (!make_arrays(r, count, &arrays)) { return false; }
    for (fr_json_value one = fr_json_first(json, links); one != FR_JSON_NONE; one = fr_json_next(json, one), i++) {
        if (!read_link(r, one, i, count, &arrays)) { return false; }
    }
    if (!read_roles(r, model, count, roles, points)) { return false; }
    fr_skeleton_def def = fr_default_skeleton_def();
    def.link_count = count;
    def.parents = arrays.parents;
    def.partners = arrays.partners;
    def.names = arrays.names;
    def.offsets = arrays.offsets;
    def.tips = arrays.tips;
    def.rests = arrays.rests;
    def.masses = arrays.masses;
    def.limits = arrays.limits;
    def.roles = roles;
    def.points = points;
    fr_skeleton *skeleton = NULL;
    fr_error error = {0};
    bool is_made = check(r, model, fr_skeleton_create(&def, &skeleton, &error), &error);
    *out = skeleton;
    return is_made;
}

// ---------------------------------------------------------------------------------------------------------------
// The fields

static bool read_number_field(init_reader *r, const char *key, uint32_t bit, double *out, uint32_t *given) {
    fr_json_value value = member(r, FR_JSON_ROOT, key);
    if (value == FR_JSON_NONE) { return true; }
    *given |= bit;
    return fr_json_read_number(&r->json, value, key, (fr_json_range){-1e15, 1e15}, out);
}

static bool read_pose_field(init_reader *r, const char *key, uint32_t bit, fr_pose *out, uint32_t *given) {
    fr_json_value value = member(r, FR_JSON_ROOT, key);
    if (value == FR_JSON_NONE) { return true; }
    *given |= bit;
    return read_pose(r, value, out);
}

static bool read_words(init_reader *r, fr_skill_fields *f) {
    static const fr_json_word sides[] = {
        {"nearest", FR_SIDE_NEAREST}, {"right", FR_SIDE_RIGHT}, {"left", FR_SIDE_LEFT}, {NULL, 0}};
    fr_json_value side = member(r, FR_JSON_ROOT, "side"), word = member(r, FR_JSON_ROOT, "word");
    fr_json_value frames = member(r, FR_JSON_ROOT, "frames");
    if (side != FR_JSON_NONE) {
        int number = 0;
        if (!fr_json_read_word(&r->json, side, "side", sides, &number)) { return false; }
        f->side = (fr_skill_side)number;
        f->given |= FR_FIELD_SIDE;
    }
    if (word != FR_JSON_NONE) {
        const char *text;
        if (!fr_json_read_string(&r->json, word, "word", FR_MAX_SKILL_WORD, &text)) { return false; }
        memcpy(f->word, text, strlen(text) + 1);
        f->given |= FR_FIELD_WORD;
    }
    if (frames == FR_JSON_NONE) { return true; }
    f->given |= FR_FIELD_FRAMES;
    return fr_json_read_whole(&r->json, frames, "frames", (fr_json_range){1.0, FR_MAX_SKILL_FRAMES}, &f->frames);
}

static bool read_poses(init_reader *r, fr_skill_fields *f) {
    fr_json_value list = member(r, FR_JSON_ROOT, "poses");
    if (list == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(&r->json, list, "poses", 1, FR_MAX_SKILL_POSES)) { return false; }
    f->pose_count = fr_json_count(r->json.json, list);
    fr_pose *poses = take(r, f->pose_count, sizeof *poses);
    fr_json_value one = fr_json_first(r->json.json, list);
    for (uint32_t i = 0; poses != NULL && i < f->pose_count; i++, one = fr_json_next(r->json.json, one)) {
        if (!read_pose(r, one, &poses[i])) { return false; }
    }
    f->poses = poses;
    f->given |= FR_FIELD_POSES;
    return poses != NULL;
}

static bool read_posture_fields(init_reader *r, fr__plug_task *task) {
    fr_skill_fields *f = &task->fields;
    fr_json_value value = member(r, FR_JSON_ROOT, "posture"), weights = member(r, FR_JSON_ROOT, "weights");
    if (value != FR_JSON_NONE) {
        fr_posture *posture = take(r, 1, sizeof *posture);
        if (posture == NULL || !read_posture(r, value, task->skeleton, posture)) { return false; }
        f->posture = posture;
        f->given |= FR_FIELD_POSTURE;
    }
    if (weights == FR_JSON_NONE) { return true; }
    size_t count = (size_t)task->body.count + 1;
    double *numbers = take(r, count, sizeof *numbers);
    fr_json_range range = {0.0, FR_MAX_WEIGHT};
    f->weights = numbers;
    f->given |= FR_FIELD_WEIGHTS;
    return numbers != NULL && fr_json_read_numbers(&r->json, weights, "weights", range, count, numbers);
}

static bool read_fields(init_reader *r, fr__plug_task *task) {
    fr_skill_fields *f = &task->fields;
    uint32_t *given = &f->given;
    f->target = f->goal = fr_pose_identity();
    if (member(r, FR_JSON_ROOT, "object") != FR_JSON_NONE) {
        f->object = (fr_object_id){1, 0, 1};
        *given |= FR_FIELD_OBJECT;
    }
    return read_pose_field(r, "at", FR_FIELD_TARGET, &f->target, given) &&
           read_pose_field(r, "goal", FR_FIELD_GOAL, &f->goal, given) &&
           read_number_field(r, "heading", FR_FIELD_HEADING, &f->heading, given) &&
           read_number_field(r, "value", FR_FIELD_VALUE, &f->value, given) &&
           read_number_field(r, "diameter", FR_FIELD_DIAMETER, &f->diameter, given) &&
           read_number_field(r, "speed", FR_FIELD_SPEED, &f->speed, given) && read_words(r, f) && read_poses(r, f) &&
           read_posture_fields(r, task);
}

// ---------------------------------------------------------------------------------------------------------------

static bool read_text(init_reader *r, const char *key, const char **out) {
    fr_json_value value = member(r, FR_JSON_ROOT, key);
    *out = "";
    if (value == FR_JSON_NONE || fr_json_equals(r->json.json, value, "")) { return true; }
    return fr_json_read_string(&r->json, value, key, 255, out);
}

static bool read_path(init_reader *r, const char **out) {
    fr_json_value value = member(r, FR_JSON_ROOT, "data");
    *out = "";
    if (value == FR_JSON_NONE || fr_json_equals(r->json.json, value, "")) { return true; }
    return fr_json_read_string(&r->json, value, "data", 4095, out);
}

static bool read_task(init_reader *r, const fr_skeleton *before, fr__plug_task *out) {
    fr_json_value version, fps, pose, model = member(r, FR_JSON_ROOT, "model"), walk = member(r, FR_JSON_ROOT, "walk");
    uint32_t number = 0;
    const char *seed;
    bool is_right = need(r, FR_JSON_ROOT, "v", &version) && need(r, FR_JSON_ROOT, "fps", &fps) &&
                    need(r, FR_JSON_ROOT, "pose", &pose) &&
                    fr_json_read_whole(&r->json, version, "v", (fr_json_range){0.0, 1e6}, &number) &&
                    fr_json_read_number(&r->json, fps, "fps",
                                        (fr_json_range){FR_PERFORMER_MIN_RATE, FR_PERFORMER_MAX_RATE}, &out->rate) &&
                    read_text(r, "human", &out->human) && read_text(r, "skill", &out->skill) &&
                    read_text(r, "target", &out->target) && read_path(r, &out->data) && read_text(r, "seed", &seed) &&
                    (walk == FR_JSON_NONE ||
                     fr_json_read_number(&r->json, walk, "walk", (fr_json_range){0.0, 100.0}, &out->walk_speed));
    if (!is_right) { return false; }
    if (number != FR_PLUG_IN_VERSION) {
        return fr_json_fail(&r->json, version, FR_ERROR_VERSION, "version %u of the messages is not known", number);
    }
    out->person = strtoull(seed, NULL, 16);
    if (model == FR_JSON_NONE && before == NULL) {
        return fr_json_fail(&r->json, FR_JSON_ROOT, FR_ERROR_SYNTAX, "\"model\" is missing");
    }
    if (model == FR_JSON_NONE) {
        out->skeleton = fr_skeleton_retain(before);
    } else if (!read_model(r, model, &out->skeleton)) {
        return false;
    }
    fr_json_value binary = member(r, FR_JSON_ROOT, "bin");
    double is_binary = 0.0;
    out->is_binary = binary != FR_JSON_NONE && fr_json_get_number(r->json.json, binary, &is_binary) && is_binary == 1.0;
    return read_posture(r, pose, out->skeleton, &out->body) && read_fields(r, out);
}

fr_status fr__plug_read_init(const fr_json *json, const fr_skeleton *before, fr_arena *arena, fr__plug_task *out,
                             fr_error *error) {
    *out = (fr__plug_task){0};
    init_reader r = {fr_json_reader_make(json, arena, error), arena};
    if (read_task(&r, before, out)) { return FR_OK; }
    fr_skeleton_release(out->skeleton);
    *out = (fr__plug_task){0};
    return r.json.status;
}
