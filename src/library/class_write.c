// Writes object.json and person.json.
#include "library/class_writer.h"

#include <math.h>

// A document takes at most this many bytes before some of it is written.
enum { HOLD_BYTES = 1 << 16 };

static void write_vector(fr_json_writer *j, const char *key, fr_vec3 v) {
    const double numbers[3] = {v.x, v.y, v.z};
    fr_json_write_numbers_field(j, key, numbers, 3);
}

static void write_pose(fr_json_writer *j, const fr_pose *pose) {
    const fr_quat q = pose->rotation;
    const double turn[4] = {q.w, q.x, q.y, q.z};
    write_vector(j, "position", pose->position);
    fr_json_write_numbers_field(j, "rotation", turn, 4);
}

static void write_texts(fr_json_writer *j, const char *key, const fr_class_texts *texts) {
    if (texts->count == 0) { return; }
    fr_json_write_key(j, key);
    fr_json_write_array(j);
    for (uint32_t i = 0; i < texts->count; i++) {
        fr_json_write_string(j, texts->list[i]);
    }
    fr_json_write_array_end(j);
}

static void write_value(fr_json_writer *j, const fr_class_value *value) {
    switch (value->kind) {
    case FR_CLASS_TEXT: fr_json_write_string_field(j, value->key, value->text); return;
    case FR_CLASS_NUMBER: fr_json_write_number_field(j, value->key, value->numbers[0]); return;
    case FR_CLASS_FLAG: fr_json_write_bool_field(j, value->key, value->numbers[0] != 0.0); return;
    case FR_CLASS_NUMBERS: fr_json_write_numbers_field(j, value->key, value->numbers, value->count); return;
    }
}

static void write_values(fr_json_writer *j, const char *key, const fr_class_values *values) {
    if (values->count == 0) { return; }
    fr_json_write_key(j, key);
    fr_json_write_object(j);
    for (uint32_t i = 0; i < values->count; i++) {
        write_value(j, &values->list[i]);
    }
    fr_json_write_object_end(j);
}

static void write_skill(fr_json_writer *j, const fr_class_skill *skill) {
    fr_json_write_object(j);
    fr_json_write_string_field(j, "skill", skill->name);
    if (skill->start > 0) { fr_json_write_uint_field(j, "start", skill->start); }
    if (skill->frames > 0) { fr_json_write_uint_field(j, "frames", skill->frames); }
    if (skill->data != NULL) { fr_json_write_string_field(j, "data", skill->data); }
    write_values(j, "parameters", &skill->parameters);
    fr_json_write_object_end(j);
}

static void write_fields(fr_json_writer *j, uint32_t fields) {
    if (fields == 0) { return; }
    fr_json_write_key(j, "asks");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < 32; i++) {
        if ((fields & UINT32_C(1) << i) != 0) { fr_json_write_string(j, fr_class_field_name(i)); }
    }
    fr_json_write_array_end(j);
}

static void write_motion(fr_json_writer *j, const fr_class_motion *motion) {
    fr_json_write_object(j);
    fr_json_write_string_field(j, "motion", motion->name);
    write_texts(j, "words", &motion->words);
    fr_json_write_key(j, "human");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < motion->skill_count; i++) {
        write_skill(j, &motion->skills[i]);
    }
    fr_json_write_array_end(j);
    if (motion->is_in_order) { fr_json_write_bool_field(j, "in_order", true); }
    if (motion->object != NULL) {
        fr_json_write_key(j, "object");
        write_skill(j, motion->object);
    }
    write_texts(j, "data", &motion->data);
    write_fields(j, motion->fields);
    write_values(j, "parameters", &motion->parameters);
    fr_json_write_object_end(j);
}

static void write_motions(fr_json_writer *j, const fr_class_state *state) {
    fr_json_write_key(j, "affords");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < state->motion_count; i++) {
        write_motion(j, &state->motions[i]);
    }
    fr_json_write_array_end(j);
}

// A class with one unnamed state has its motions at the top.
static void write_states(fr_json_writer *j, const fr_class_view *view) {
    if (view->state_count == 1 && view->states[0].name[0] == '\0') {
        if (view->states[0].motion_count > 0) { write_motions(j, &view->states[0]); }
        return;
    }
    fr_json_write_key(j, "states");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->state_count; i++) {
        fr_json_write_object(j);
        fr_json_write_string_field(j, "name", view->states[i].name);
        write_motions(j, &view->states[i]);
        fr__class_write_state(j, view, &view->states[i]);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

// An angle in degrees that reads back as the same radians, where there is one within a few steps of rounding.
static double degrees_of(double radians) {
    double near = fr_degrees(radians), down = near, up = near;
    for (int i = 0; i < 8; i++) {
        if (fr_radians(down) == radians) { return down; }
        if (fr_radians(up) == radians) { return up; }
        down = nextafter(down, -INFINITY);
        up = nextafter(up, INFINITY);
    }
    return near;
}

void fr__class_write_joint(fr_json_writer *j, const fr_scene_joint *joint) {
    bool turns = joint->kind != FR_JOINT_SLIDER;
    double low = turns ? degrees_of(joint->low) : joint->low, high = turns ? degrees_of(joint->high) : joint->high;
    const double limits[2] = {low, high};
    fr_json_write_key(j, "joint");
    fr_json_write_object(j);
    fr_json_write_string_field(j, "kind",
                               joint->kind == FR_JOINT_HINGE   ? "hinge"
                               : joint->kind == FR_JOINT_SCREW ? "screw"
                                                               : "slider");
    if (turns) { write_vector(j, "position", joint->position); }
    write_vector(j, "axis", joint->axis);
    if (isfinite(low) && isfinite(high)) { fr_json_write_numbers_field(j, turns ? "limits_deg" : "limits", limits, 2); }
    if (joint->kind == FR_JOINT_SCREW) { fr_json_write_number_field(j, "pitch", 2.0 * FR_PI * joint->pitch); }
    if (joint->value != 0.0) {
        fr_json_write_number_field(j, turns ? "value_deg" : "value", turns ? degrees_of(joint->value) : joint->value);
    }
    fr_json_write_object_end(j);
}

static void write_looks(fr_json_writer *j, const fr_class_view *view) {
    bool is_person = view->kind == FR_CLASS_PERSON;
    const double color[3] = {view->color.r, view->color.g, view->color.b};
    fr_json_write_key(j, "looks");
    fr_json_write_object(j);
    if (view->has_color) { fr_json_write_numbers_field(j, "color", color, 3); }
    write_texts(j, "textures", &view->textures);
    if (is_person && view->curves != 0.0) { fr_json_write_number_field(j, "curves", view->curves); }
    if (is_person && view->seed != 0) { fr_json_write_uint_field(j, "seed", view->seed); }
    fr_json_write_object_end(j);
}

static void write_frames(fr_json_writer *j, const fr_class_view *view) {
    if (view->frame_count == 0) { return; }
    fr_json_write_key(j, "frames");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->frame_count; i++) {
        fr_json_write_object(j);
        fr_json_write_string_field(j, "name", view->frames[i].name);
        write_pose(j, &view->frames[i].pose);
        if (view->frames[i].class_name != NULL) { fr_json_write_string_field(j, "class", view->frames[i].class_name); }
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_object(fr_json_writer *j, const fr_class_view *view) {
    const fr_vec3 none = {0.0, 0.0, 0.0};
    if (!fr_vec3_equal(view->size, none)) { write_vector(j, "size", view->size); }
    if (view->mass > 0.0) { fr_json_write_number_field(j, "mass", view->mass); }
    if (view->is_static) { fr_json_write_bool_field(j, "static", true); }
    if (view->grip != NULL) {
        fr_json_write_key(j, "grip");
        fr_json_write_object(j);
        write_pose(j, &view->grip->pose);
        if (view->grip->diameter > 0.0) { fr_json_write_number_field(j, "diameter", view->grip->diameter); }
        fr_json_write_object_end(j);
    }
    if (view->seat != NULL) {
        fr_json_write_key(j, "seat");
        fr_json_write_object(j);
        write_vector(j, "position", view->seat->position);
        fr_json_write_number_field(j, "facing_deg", degrees_of(view->seat->facing));
        fr_json_write_object_end(j);
    }
    if (view->joint != NULL) { fr__class_write_joint(j, view->joint); }
    write_frames(j, view);
}

static void write_person(fr_json_writer *j, const fr_class_view *view) {
    const fr_body_def *body = &view->body;
    const struct {
        const char *key;
        double value;
    } measures[] = {{"stature", body->stature},
                    {"mass", body->mass},
                    {"head", body->head},
                    {"leg", body->leg},
                    {"arm", body->arm},
                    {"shoulder_width", body->shoulder_width},
                    {"hip_width", body->hip_width},
                    {"foot", body->foot}};
    fr_json_write_key(j, "body");
    fr_json_write_object(j);
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        if (measures[i].value != 0.0) { fr_json_write_number_field(j, measures[i].key, measures[i].value); }
    }
    fr_json_write_object_end(j);
    if (view->speed > 0.0) { fr_json_write_number_field(j, "speed", view->speed); }
}

fr_status fr_class_write(const fr_class_view *view, fr_json_write_fn *write, void *context,
                         const fr_allocator *allocator, fr_error *error) {
    FR_ASSERT(view != NULL && write != NULL);
    fr_json_writer writer = fr_json_writer_make(write, context, HOLD_BYTES, allocator), *j = &writer;
    writer.indent = 2;
    writer.line_depth = 3;
    fr_json_write_object(j);
    fr_json_write_int_field(j, "fureai", 1);
    if (view->title[0] != '\0') { fr_json_write_string_field(j, "title", view->title); }
    if (view->about[0] != '\0') { fr_json_write_string_field(j, "about", view->about); }
    write_texts(j, "shapes", &view->shapes);
    write_looks(j, view);
    if (view->kind == FR_CLASS_OBJECT) { write_object(j, view); }
    if (view->kind == FR_CLASS_PERSON) { write_person(j, view); }
    write_values(j, "extra", &view->extra);
    write_states(j, view);
    fr_json_write_object_end(j);
    if (fr_json_writer_end(j)) { return FR_OK; }
    return fr_error_set(error, FR_ERROR_FILE, "the file of the class '%s' could not be written", view->name);
}
