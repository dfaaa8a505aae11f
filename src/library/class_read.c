// Reads object.json and person.json. docs/schema/ says the same, but for what a schema cannot say.
#include "library/class_reader.h"

#include "fureai/base_order.h"

#include <string.h>

#define READ_COOKIE UINT32_C(0x6c636c31)

enum { MAX_DEPTH = 16 };

// ---------------------------------------------------------------------------------------------------------------
// Texts, paths and free keys

void *fr__class_take(fr__class_reader *r, size_t count, size_t size) {
    void *taken = fr_arena_alloc(r->c->arena, count, size, _Alignof(max_align_t));
    if (taken == NULL) {
        fr_json_fail_memory(&r->reader);
        return NULL;
    }
    memset(taken, 0, count * size);
    return taken;
}

bool fr__class_read_path(fr__class_reader *r, fr_json_value token, const char *what, const char **out) {
    const char *path;
    if (!fr_json_read_string(&r->reader, token, what, FR_CLASS_PATH_MAX_BYTES, &path)) { return false; }
    *out = path;
    if (fr__class_path_is_inside(path)) { return true; }
    return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "%s: '%s' is no file in the folder of the class", what,
                        path);
}

bool fr__class_read_texts(fr__class_reader *r, fr_json_value token, const fr__class_text_kind *kind,
                          fr_class_texts *out) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(&r->reader, token, kind->what, kind->low, kind->high)) { return false; }
    uint32_t count = fr_json_count(r->reader.json, token);
    const char **list = fr__class_take(r, count, sizeof *list);
    if (list == NULL) { return false; }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        bool right = kind->is_path ? fr__class_read_path(r, value, kind->what, &list[i])
                                   : fr_json_read_string(&r->reader, value, kind->what, kind->max_bytes, &list[i]);
        if (!right) { return false; }
    }
    *out = (fr_class_texts){list, count};
    return true;
}

static bool read_value(fr__class_reader *r, fr_json_value token, fr_class_value *out) {
    const fr_json_range numbers = {-FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX};
    const fr_json *json = r->reader.json;
    fr_json_kind kind = fr_json_get_kind(json, token);
    out->text = "";
    if (kind == FR_JSON_STRING) {
        return fr_json_read_string(&r->reader, token, "a value", FR_CLASS_TEXT_MAX_BYTES, &out->text);
    }
    bool is_list = kind == FR_JSON_ARRAY;
    if (is_list && !fr_json_read_array(&r->reader, token, "a value", 0, FR_CLASS_MAX_NUMBERS)) { return false; }
    out->count = is_list ? fr_json_count(json, token) : 1;
    double *list = fr__class_take(r, out->count, sizeof *list);
    if (list == NULL) { return false; }
    out->numbers = list;
    if (is_list) {
        out->kind = FR_CLASS_NUMBERS;
        return fr_json_read_numbers(&r->reader, token, "a value", numbers, out->count, list);
    }
    bool flag;
    if (fr_json_get_bool(json, token, &flag)) {
        out->kind = FR_CLASS_FLAG;
        list[0] = flag ? 1.0 : 0.0;
        return true;
    }
    out->kind = FR_CLASS_NUMBER;
    if (kind == FR_JSON_NUMBER) { return fr_json_read_number(&r->reader, token, "a value", numbers, list); }
    return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX,
                        "a value is a text, a number, true, false or a list of numbers");
}

bool fr__class_read_values(fr__class_reader *r, fr_json_value token, const char *what, fr_class_values *out) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_map(&r->reader, token, what, FR_CLASS_MAX_VALUES)) { return false; }
    uint32_t count = fr_json_count(r->reader.json, token);
    fr_class_value *list = fr__class_take(r, count, sizeof *list);
    if (list == NULL) { return false; }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        bool right =
            fr_json_read_string(&r->reader, fr_json_key(value), "a key", FR_CLASS_NAME_MAX_BYTES, &list[i].key) &&
            read_value(r, value, &list[i]);
        if (!right) { return false; }
    }
    *out = (fr_class_values){list, count};
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Places on an object

enum {
    PLACE_POSITION,
    PLACE_ROTATION,
    PLACE_AXIS_ANGLE,
    PLACE_NAME,
    PLACE_DIAMETER,
    PLACE_FACING,
    PLACE_CLASS,
    PLACE_KEYS
};

typedef struct spot {
    const char *name, *class_name;
    fr_pose pose;
    double diameter, facing_deg;
} spot;

#define LENGTHS                                                                                                        \
    { -FR_SCENE_LENGTH_MAX, FR_SCENE_LENGTH_MAX }

static const fr_json_field place_fields[PLACE_KEYS] = {
    [PLACE_POSITION] = {.key = "position",
                        .is_required = true,
                        .type = FR_JSON_AS_NUMBERS,
                        .offset = offsetof(spot, pose.position),
                        .range = LENGTHS,
                        .count = 3},
    [PLACE_ROTATION] = {.key = "rotation"},
    [PLACE_AXIS_ANGLE] = {.key = "axis_angle_deg"},
    [PLACE_NAME] = {.key = "name",
                    .type = FR_JSON_AS_STRING,
                    .offset = offsetof(spot, name),
                    .count = FR_CLASS_NAME_MAX_BYTES},
    [PLACE_DIAMETER] = {.key = "diameter",
                        .type = FR_JSON_AS_NUMBER,
                        .offset = offsetof(spot, diameter),
                        .range = {0.0, FR_SCENE_LENGTH_MAX}},
    [PLACE_FACING] = {.key = "facing_deg",
                      .type = FR_JSON_AS_NUMBER,
                      .offset = offsetof(spot, facing_deg),
                      .range = {-FR_SCENE_ANGLE_MAX_DEG, FR_SCENE_ANGLE_MAX_DEG}},
    [PLACE_CLASS] = {.key = "class",
                     .type = FR_JSON_AS_STRING,
                     .offset = offsetof(spot, class_name),
                     .count = FR_CLASS_NAME_MAX_BYTES},
};

// Which keys a place has beside its position, as bits.
#define KEY(index) (1u << (index))
#define TURNED (KEY(PLACE_ROTATION) | KEY(PLACE_AXIS_ANGLE))

static bool read_place(fr__class_reader *r, fr_json_value token, const char *what, unsigned allowed, spot *out) {
    fr_json_value values[PLACE_KEYS];
    *out = (spot){.pose = fr_pose_identity()};
    if (!fr_json_read_object(&r->reader, token, what, place_fields, PLACE_KEYS, values)) { return false; }
    for (unsigned i = 1; i < PLACE_KEYS; i++) {
        if (values[i] == FR_JSON_NONE || (allowed & KEY(i)) != 0) { continue; }
        return fr_json_fail(&r->reader, fr_json_key(values[i]), FR_ERROR_SYNTAX, "%s has no '%s'", what,
                            place_fields[i].key);
    }
    if ((allowed & KEY(PLACE_NAME)) != 0 && values[PLACE_NAME] == FR_JSON_NONE) {
        return fr_json_fail(&r->reader, token, FR_ERROR_SYNTAX, "%s lacks 'name'", what);
    }
    return fr_json_read_fields(&r->reader, values, place_fields, PLACE_KEYS, out) &&
           fr_json_read_rotation(&r->reader, values[PLACE_ROTATION], values[PLACE_AXIS_ANGLE], &out->pose.rotation);
}

static bool read_grip(fr__class_reader *r, fr_json_value token) {
    spot at;
    if (token == FR_JSON_NONE) { return true; }
    if (!read_place(r, token, "a grip", TURNED | KEY(PLACE_DIAMETER), &at)) { return false; }
    fr_class_grip *grip = fr__class_take(r, 1, sizeof *grip);
    if (grip == NULL) { return false; }
    *grip = (fr_class_grip){at.pose, at.diameter};
    r->c->view.grip = grip;
    return true;
}

static bool read_seat(fr__class_reader *r, fr_json_value token) {
    spot at;
    if (token == FR_JSON_NONE) { return true; }
    if (!read_place(r, token, "a seat", KEY(PLACE_FACING), &at)) { return false; }
    fr_class_seat *seat = fr__class_take(r, 1, sizeof *seat);
    if (seat == NULL) { return false; }
    *seat = (fr_class_seat){at.pose.position, fr_radians(at.facing_deg)};
    r->c->view.seat = seat;
    return true;
}

typedef const fr_class_frame *frame_pointer;

static bool frame_is_before(const frame_pointer *a, const frame_pointer *b) {
    return strcmp((*a)->name, (*b)->name) < 0;
}

FR_SORT_TYPE(sort_frames, frame_pointer, frame_is_before);

// Names of frames are there once.
static bool check_frames(fr__class_reader *r, fr_json_value token, const fr_class_frame *frames, uint32_t count) {
    fr_arena_mark before = fr_arena_get_mark(r->c->arena);
    frame_pointer *sorted = fr__class_take(r, count, sizeof *sorted);
    if (sorted == NULL) { return false; }
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = &frames[i];
    }
    sort_frames(sorted, count);
    for (uint32_t i = 1; i < count; i++) {
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) != 0) { continue; }
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "two frames have the name '%s'", sorted[i]->name);
    }
    fr_arena_rewind(r->c->arena, before);
    return true;
}

static bool read_frames(fr__class_reader *r, fr_json_value token) {
    if (token == FR_JSON_NONE) { return true; }
    if (!fr_json_read_array(&r->reader, token, "frames", 0, FR_CLASS_MAX_FRAMES)) { return false; }
    uint32_t count = fr_json_count(r->reader.json, token);
    fr_class_frame *frames = fr__class_take(r, count, sizeof *frames);
    if (frames == NULL) { return false; }
    fr_json_value value = fr_json_first(r->reader.json, token);
    for (uint32_t i = 0; i < count; i++, value = fr_json_next(r->reader.json, value)) {
        spot at;
        if (!read_place(r, value, "a frame", TURNED | KEY(PLACE_NAME) | KEY(PLACE_CLASS), &at)) { return false; }
        if (at.class_name != NULL && !fr_class_name_is_right(at.class_name)) {
            return fr_json_fail(&r->reader, value, FR_ERROR_ARGUMENT, "'%s' is no name of a class", at.class_name);
        }
        frames[i] = (fr_class_frame){at.name, at.pose, at.class_name};
    }
    r->c->view.frames = frames;
    r->c->view.frame_count = count;
    return check_frames(r, token, frames, count);
}

static bool read_joint(fr__class_reader *r, fr_json_value token) {
    fr_scene_joint joint;
    if (token == FR_JSON_NONE) { return true; }
    if (!fr__scene_read_joint(&r->reader, token, NULL, &joint)) { return false; }
    if (joint.kind == FR_JOINT_FIXED || joint.kind == FR_JOINT_ATTACHED) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "the joint of a class is a hinge, slider or screw");
    }
    if (r->c->view.is_static) {
        return fr_json_fail(&r->reader, token, FR_ERROR_ARGUMENT, "a static class has no joint");
    }
    fr_scene_joint *place_of = fr__class_take(r, 1, sizeof *place_of);
    if (place_of == NULL) { return false; }
    joint.parent = joint.child = FR_NONE;
    *place_of = joint;
    r->c->view.joint = place_of;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// The file

static bool read_size(fr__class_reader *r, fr_json_value token) {
    const fr_json_range range = {0.0, FR_SCENE_LENGTH_MAX};
    return fr__scene_read_vector(&r->reader, token, "size", range, &r->c->view.size);
}

enum { LOOK_COLOR, LOOK_TEXTURES, LOOK_CURVES, LOOK_SEED, LOOK_KEYS };

static const fr_json_field look_fields[LOOK_KEYS] = {
    [LOOK_COLOR] = {.key = "color"},
    [LOOK_TEXTURES] = {.key = "textures"},
    [LOOK_CURVES] = {.key = "curves",
                     .type = FR_JSON_AS_NUMBER,
                     .offset = offsetof(fr_class_view, curves),
                     .range = {0.0, 1.0}},
    [LOOK_SEED] = {.key = "seed",
                   .type = FR_JSON_AS_WHOLE,
                   .offset = offsetof(fr_class_view, seed),
                   .range = {0.0, UINT32_MAX}},
};

static bool read_looks(fr__class_reader *r, fr_json_value token) {
    static const fr__class_text_kind textures = {.what = "textures", .high = FR_CLASS_MAX_FILES, .is_path = true};
    fr_class_view *view = &r->c->view;
    fr_json_value values[LOOK_KEYS];
    if (token == FR_JSON_NONE) { return true; }
    // What a person is made with does not concern an object.
    size_t keys = view->kind == FR_CLASS_PERSON ? LOOK_KEYS : LOOK_CURVES;
    if (!fr_json_read_object(&r->reader, token, "looks", look_fields, keys, values)) { return false; }
    view->has_color = values[LOOK_COLOR] != FR_JSON_NONE;
    return fr__scene_read_color(&r->reader, values[LOOK_COLOR], &view->color) &&
           fr__class_read_texts(r, values[LOOK_TEXTURES], &textures, &view->textures) &&
           fr_json_read_fields(&r->reader, values, look_fields, keys, view);
}

#define MEASURE(name, member, low, high)                                                                               \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_NUMBER, .offset = offsetof(fr_body_def, member), .range = { low, high }        \
    }

static const fr_json_field body_fields[] = {
    MEASURE("stature", stature, 1.0, 2.0),
    MEASURE("mass", mass, 1.0, 500.0),
    MEASURE("head", head, 0.10, 0.25),
    MEASURE("leg", leg, 0.35, 0.60),
    MEASURE("arm", arm, 0.20, 0.50),
    MEASURE("shoulder_width", shoulder_width, 0.10, 0.40),
    MEASURE("hip_width", hip_width, 0.05, 0.25),
    MEASURE("foot", foot, 0.08, 0.25),
};
enum { BODY_KEYS = sizeof body_fields / sizeof body_fields[0] };

static bool read_body(fr__class_reader *r, fr_json_value token) {
    fr_json_value values[BODY_KEYS];
    return token == FR_JSON_NONE || (fr_json_read_object(&r->reader, token, "a body", body_fields, BODY_KEYS, values) &&
                                     fr_json_read_fields(&r->reader, values, body_fields, BODY_KEYS, &r->c->view.body));
}

// Keys of both kinds first, then those of objects, then those of people.
enum {
    FILE_FUREAI,
    FILE_TITLE,
    FILE_ABOUT,
    FILE_SHAPES,
    FILE_LOOKS,
    FILE_AFFORDS,
    FILE_STATES,
    FILE_EXTRA,
    FILE_SIZE,
    FILE_MASS,
    FILE_STATIC,
    FILE_GRIP,
    FILE_SEAT,
    FILE_JOINT,
    FILE_FRAMES,
    FILE_BODY,
    FILE_SPEED,
    FILE_KEYS
};

#define TEXT(name, member)                                                                                             \
    {                                                                                                                  \
        .key = name, .type = FR_JSON_AS_STRING, .offset = offsetof(fr_class_view, member),                             \
        .count = FR_CLASS_TEXT_MAX_BYTES                                                                               \
    }

static const fr_json_field file_fields[FILE_KEYS] = {
    [FILE_FUREAI] = {.key = "fureai", .is_required = true},
    [FILE_TITLE] = TEXT("title", title),
    [FILE_ABOUT] = TEXT("about", about),
    [FILE_SHAPES] = {.key = "shapes"},
    [FILE_LOOKS] = {.key = "looks"},
    [FILE_AFFORDS] = {.key = "affords"},
    [FILE_STATES] = {.key = "states"},
    [FILE_EXTRA] = {.key = "extra"},
    [FILE_SIZE] = {.key = "size"},
    [FILE_MASS] = {.key = "mass",
                   .type = FR_JSON_AS_NUMBER,
                   .offset = offsetof(fr_class_view, mass),
                   .range = {0.0, FR_CLASS_MASS_MAX}},
    [FILE_STATIC] = {.key = "static", .type = FR_JSON_AS_BOOL, .offset = offsetof(fr_class_view, is_static)},
    [FILE_GRIP] = {.key = "grip"},
    [FILE_SEAT] = {.key = "seat"},
    [FILE_JOINT] = {.key = "joint"},
    [FILE_FRAMES] = {.key = "frames"},
    [FILE_BODY] = {.key = "body"},
    [FILE_SPEED] = {.key = "speed",
                    .type = FR_JSON_AS_NUMBER,
                    .offset = offsetof(fr_class_view, speed),
                    .range = {0.0, FR_CLASS_SPEED_MAX}},
};

// Keys of the other kind are refused.
static bool check_kind(fr__class_reader *r, const fr_json_value *values) {
    bool is_person = r->c->view.kind == FR_CLASS_PERSON;
    int first = is_person ? FILE_SIZE : FILE_BODY, end = is_person ? FILE_BODY : FILE_KEYS;
    for (int i = first; i < end; i++) {
        if (values[i] == FR_JSON_NONE) { continue; }
        return fr_json_fail(&r->reader, fr_json_key(values[i]), FR_ERROR_SYNTAX, "%s has no '%s'",
                            is_person ? "a person" : "an object", file_fields[i].key);
    }
    if (is_person || values[FILE_SHAPES] != FR_JSON_NONE) { return true; }
    return fr_json_fail(&r->reader, FR_JSON_ROOT, FR_ERROR_SYNTAX, "an object lacks 'shapes'");
}

static bool read_file(fr__class_reader *r) {
    static const fr__class_text_kind shapes = {
        .what = "shapes", .low = 1, .high = FR_CLASS_MAX_SHAPES, .is_path = true};
    fr_json_value values[FILE_KEYS];
    fr_class_view *view = &r->c->view;
    return fr_json_read_object(&r->reader, FR_JSON_ROOT, "a class", file_fields, FILE_KEYS, values) &&
           fr__scene_read_version(&r->reader, values[FILE_FUREAI]) && check_kind(r, values) &&
           fr_json_read_fields(&r->reader, values, file_fields, FILE_KEYS, view) &&
           fr__class_read_texts(r, values[FILE_SHAPES], &shapes, &view->shapes) && read_looks(r, values[FILE_LOOKS]) &&
           read_size(r, values[FILE_SIZE]) && read_grip(r, values[FILE_GRIP]) && read_seat(r, values[FILE_SEAT]) &&
           read_joint(r, values[FILE_JOINT]) && read_frames(r, values[FILE_FRAMES]) &&
           read_body(r, values[FILE_BODY]) && fr__class_read_values(r, values[FILE_EXTRA], "extra", &view->extra) &&
           fr__class_read_states(r, values[FILE_AFFORDS], values[FILE_STATES]);
}

// ---------------------------------------------------------------------------------------------------------------
// Reading

fr_class_read_input fr_default_class_read_input(void) {
    return (fr_class_read_input){.name = "object", .cookie = READ_COOKIE};
}

static bool begin(fr__class_reader *r, const fr_class_read_input *input) {
    fr_class_view *view = &r->c->view;
    size_t bytes = strlen(input->name) + 1;
    char *name = fr__class_take(r, bytes, 1);
    if (name == NULL) { return false; }
    memcpy(name, input->name, bytes);
    view->name = name;
    view->kind = input->kind;
    view->title = view->about = "";
    view->color = fr_default_label().color;
    view->body = fr_default_body_def();
    return true;
}

fr_status fr_class_read(const void *bytes, size_t size, const fr_class_read_input *input, fr_class **out,
                        fr_error *error) {
    FR_ASSERT((bytes != NULL || size == 0) && out != NULL);
    fr_class_read_input defaults = fr_default_class_read_input();
    if (input == NULL) { input = &defaults; }
    *out = NULL;
    if (input->cookie != READ_COOKIE) { return fr_error_set_cookie(error, "fr_default_class_read_input"); }
    if (!fr_class_name_is_right(input->name)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT,
                            "the name of a class has 1 to %d bytes and no slash, no control "
                            "character and no dot at its begin",
                            FR_CLASS_NAME_MAX_BYTES);
    }
    fr_json_def def = fr_default_json_def();
    def.name = input->path;
    def.max_bytes = FR_CLASS_MAX_BYTES;
    def.max_depth = MAX_DEPTH;
    def.is_container = true;
    def.has_unique_keys = true;
    def.allocator = input->allocator;
    fr_json *json;
    fr_status status = fr_json_create(bytes, size, &def, &json, error);
    if (status != FR_OK) { return status; }

    fr__class_reader r = {.c = fr__class_make(&input->allocator)};
    r.reader = fr_json_reader_make(json, r.c != NULL ? r.c->arena : NULL, error);
    bool right = r.c != NULL ? begin(&r, input) && read_file(&r) : fr_json_fail_memory(&r.reader);
    fr_json_destroy(json);
    if (!right) {
        fr_class_release(r.c);
        return r.reader.status;
    }
    r.c->view.bytes = sizeof *r.c + fr_arena_used(r.c->arena);
    *out = r.c;
    return FR_OK;
}
