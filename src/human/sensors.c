// Sensors on a body: their mounting is taken out by a posture that is known, and the hip is placed by the feet.
#include "fureai/human_files.h"
#include "posture.h"
#include "words.h"

#include <math.h>
#include <string.h>

#define SENSORS_COOKIE 0x53454e53u
#define EQUAL_STEPS 0.1 // of a step by which times may be off
#define SENSOR_COUNT FR_BODY_LINK_COUNT

FR_ARRAY_TYPE(sensor_quat_array, fr_quat);
FR_ARRAY_TYPE(sensor_time_array, double);
FR_ARRAY_TYPE(sensor_place_array, fr_vec3);

// ---------------------------------------------------------------------------------------------------------------
// Mounting

static fr_status check_roles(const fr_skeleton *skeleton, fr_error *error) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    for (uint32_t i = 0; i < SENSOR_COUNT; i++) {
        if (view->roles[i] == FR_NO_LINK) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the skeleton has no link for sensor %u", i);
        }
    }
    if (view->roles[FR_LINK_HIP] != 0) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the root of the skeleton is not its hip");
    }
    return FR_OK;
}

fr_status fr_sensors_correct(const fr_skeleton *skeleton, const fr_quat upright[SENSOR_COUNT],
                             const fr_quat now[SENSOR_COUNT], fr_posture *posture, fr_error *error) {
    fr_status status = check_roles(skeleton, error);
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    if (status == FR_OK) { status = fr__posture_check_count(posture, view->link_count, error); }
    if (status != FR_OK) { return status; }
    fr_quat world[FR_MAX_LINKS];
    bool has_sensor[FR_MAX_LINKS] = {false};
    for (uint32_t i = 0; i < SENSOR_COUNT; i++) {
        uint32_t link = view->roles[i];
        fr_quat mounting = fr__quat_product(fr_quat_conjugate(upright[i]), view->uprights[link]); // (5.1)
        world[link] = fr__quat_product(now[i], mounting);                                         // (5.2)
        has_sensor[link] = true;
    }
    for (uint32_t link = 0; link < view->link_count; link++) {
        if (link == 0) {
            posture->turns[0] = world[0];
        } else if (has_sensor[link]) {
            posture->turns[link] = fr__quat_product(fr_quat_conjugate(world[view->parents[link]]), world[link]);
        } else {
            world[link] = fr__quat_product(world[view->parents[link]], posture->turns[link]);
        }
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Table

typedef struct sensor_table {
    fr__words words;
    const fr_sensors_input *input;
    sensor_time_array times;
    sensor_quat_array turns; // SENSOR_COUNT a time
    uint32_t seen;           // bits of the sensors of the last time
} sensor_table;

// From the axes of the capture, z up, to ours.
static fr_quat orientation(double yaw_deg, double pitch_deg, double roll_deg) {
    const fr_mat3 to_ours = {{{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}}};
    fr_quat yaw = fr_quat_from_axis_angle((fr_vec3){0.0, 0.0, 1.0}, fr_radians(yaw_deg));
    fr_quat pitch = fr_quat_from_axis_angle((fr_vec3){0.0, 1.0, 0.0}, fr_radians(pitch_deg));
    fr_quat roll = fr_quat_from_axis_angle((fr_vec3){1.0, 0.0, 0.0}, fr_radians(roll_deg));
    return fr__quat_product(fr_quat_from_mat3(to_ours), fr__quat_product(yaw, fr__quat_product(pitch, roll)));
}

// One cell of a line: its bytes, without blanks about it. Goes past the comma.
static size_t next_cell(fr__words *w, const char **begin) {
    while (w->at < w->end && (*w->at == ' ' || *w->at == '\t')) {
        w->at++;
    }
    *begin = w->at;
    while (w->at < w->end && *w->at != ',' && *w->at != '\n') {
        w->at++;
    }
    const char *end = w->at;
    while (end > *begin && fr__words_is_space(end[-1])) {
        end--;
    }
    if (w->at < w->end && *w->at == ',') { w->at++; }
    return (size_t)(end - *begin);
}

static fr_status number_cell(fr__words *w, double *out) {
    const char *begin;
    size_t size = next_cell(w, &begin);
    const char *at = begin;
    if (fr_number_read(&at, begin + size, out) != FR_NUMBER_OK || at != begin + size || !(fabs(*out) <= 1e6)) {
        return fr__words_fail(w, FR_ERROR_SYNTAX, begin, "a finite number of at most 1e6 is expected here");
    }
    return FR_OK;
}

static fr_status sensor_cell(fr__words *w, uint32_t *out) {
#define SENSOR_NAME(name, parent, text, h_anim, bvh) text,
    static const char *const names[FR_LINK_COUNT] = {FR_LINK_TABLE(SENSOR_NAME)};
#undef SENSOR_NAME
    const char *begin;
    size_t size = next_cell(w, &begin);
    const char *at = begin;
    double number = 0.0;
    for (*out = 0; *out < SENSOR_COUNT; (*out)++) {
        if (strlen(names[*out]) == size && memcmp(names[*out], begin, size) == 0) { return FR_OK; }
    }
    bool is_number = fr_number_read(&at, begin + size, &number) == FR_NUMBER_OK && at == begin + size;
    if (!is_number || !(number >= 0.0 && number < SENSOR_COUNT) || number != floor(number)) {
        return fr__words_fail(w, FR_ERROR_SYNTAX, begin, "a sensor is named as its link, or 0 to 14");
    }
    *out = (uint32_t)number;
    return FR_OK;
}

// Begins a new time where the line has one; all sensors of the one before must have been there.
static fr_status take_time(sensor_table *table, double seconds, const char *place) {
    fr__words *w = &table->words;
    size_t count = table->times.count;
    if (count > 0 && table->times.data[count - 1] == seconds) { return FR_OK; }
    if (count > 0 && table->seen != (1u << SENSOR_COUNT) - 1) {
        return fr__words_fail(w, FR_ERROR_SYNTAX, place, "a sensor is missing at the time before");
    }
    if (count > 0 && !(seconds > table->times.data[count - 1])) {
        return fr__words_fail(w, FR_ERROR_SYNTAX, place, "times must rise");
    }
    if (count > 1) {
        double step = (table->times.data[count - 1] - table->times.data[0]) / (double)(count - 1);
        double off = fabs(seconds - table->times.data[count - 1] - step);
        if (off > EQUAL_STEPS * step) {
            return fr__words_fail(w, FR_ERROR_SYNTAX, place, "times must rise by equal steps");
        }
    }
    if (count == FR_MAX_CLIP_FRAMES) {
        return fr__words_fail(w, FR_ERROR_LIMIT, place, "a motion has at most 1,000,000 frames");
    }
    double *time = sensor_time_array_push(&table->times, 1);
    fr_quat *turns = sensor_quat_array_push(&table->turns, SENSOR_COUNT);
    if (time == NULL || turns == NULL) { return fr_error_set(w->error, FR_ERROR_MEMORY, "no memory for a time"); }
    *time = seconds;
    table->seen = 0;
    return FR_OK;
}

static fr_status read_line(sensor_table *table) {
    fr__words *w = &table->words;
    const char *begin = w->at;
    double seconds, angles[3];
    uint32_t sensor;
    fr_status status = number_cell(w, &seconds);
    if (status == FR_OK) { status = sensor_cell(w, &sensor); }
    for (int i = 0; i < 3 && status == FR_OK; i++) {
        status = number_cell(w, &angles[i]);
    }
    if (status == FR_OK) { status = take_time(table, seconds, begin); }
    if (status != FR_OK) { return status; }
    if ((table->seen & 1u << sensor) != 0) {
        return fr__words_fail(w, FR_ERROR_SYNTAX, begin, "this sensor is here twice at one time");
    }
    table->seen |= 1u << sensor;
    fr_quat *turns = table->turns.data + (table->times.count - 1) * SENSOR_COUNT;
    turns[sensor] = orientation(angles[0], angles[1], angles[2]);
    if (w->at < w->end && *w->at != '\n') { return fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "the line goes on"); }
    return FR_OK;
}

static fr_status read_table(sensor_table *table) {
    fr__words *w = &table->words;
    fr__words_skip(w);
    bool is_named = w->at < w->end && ((*w->at >= 'a' && *w->at <= 'z') || (*w->at >= 'A' && *w->at <= 'Z'));
    while (is_named && w->at < w->end && *w->at != '\n') {
        w->at++;
    }
    for (fr__words_skip(w); w->at < w->end; fr__words_skip(w)) {
        fr_status status = read_line(table);
        if (status != FR_OK) { return status; }
    }
    if (table->times.count == 0) { return fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "the table has no line"); }
    if (table->seen != (1u << SENSOR_COUNT) - 1) {
        return fr__words_fail(w, FR_ERROR_SYNTAX, w->at, "a sensor is missing at the last time");
    }
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Place

// The ends of both soles: what may stand.
static bool sole_points(const fr_skeleton *skeleton, const fr_posture *posture, fr_vec3 out[4]) {
    static const fr_body_point soles[4] = {FR_POINT_RIGHT_HEEL, FR_POINT_RIGHT_TOE, FR_POINT_LEFT_HEEL,
                                           FR_POINT_LEFT_TOE};
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    for (int i = 0; i < 4; i++) {
        const fr_link_point *point = &view->points[soles[i]];
        if (point->link == FR_NO_LINK) { return false; }
        fr_pose pose = fr__link_pose(view, posture, point->link);
        out[i] = fr_pose_apply(&pose, point->offset);
    }
    return true;
}

// Where something stands: which point, and where in the world.
typedef struct sensor_stand {
    int point; // -1 before the first frame
    fr_vec3 place;
} sensor_stand;

// Places the hip so that the lowest point of the soles is on the ground, and stays where it was while it is the lowest.
static void place_hip(sensor_stand *s, const fr_vec3 points[4], fr_posture *posture) {
    int lowest = 0;
    for (int i = 1; i < 4; i++) {
        if (points[i].y < points[lowest].y) { lowest = i; }
    }
    if (s->point < 0) {
        s->place = (fr_vec3){points[lowest].x, 0.0, points[lowest].z};
    } else if (lowest != s->point) {
        fr_vec3 change = fr_vec3_sub(points[lowest], points[s->point]);
        s->place = (fr_vec3){s->place.x + change.x, 0.0, s->place.z + change.z};
    }
    s->point = lowest;
    posture->place = fr_vec3_add(posture->place, fr_vec3_sub(s->place, points[lowest]));
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

fr_sensors_input fr_default_sensors_input(void) {
    return (fr_sensors_input){.allocator = fr_default_allocator(), .cookie = SENSORS_COOKIE};
}

// The time nearest to when the person stood upright.
static size_t upright_frame(const sensor_table *table) {
    size_t best = 0;
    for (size_t i = 1; i < table->times.count; i++) {
        double wanted = table->input->upright;
        if (fabs(table->times.data[i] - wanted) < fabs(table->times.data[best] - wanted)) { best = i; }
    }
    return table->input->upright == 0.0 ? 0 : best;
}

static fr_status make_clip(const sensor_table *table, sensor_place_array *places, sensor_quat_array *turns,
                           fr_clip **out) {
    const fr_skeleton *skeleton = table->input->skeleton;
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    size_t frames = table->times.count;
    fr_error *error = table->words.error;
    if (sensor_place_array_push(places, frames) == NULL ||
        sensor_quat_array_push(turns, frames * view->link_count) == NULL) {
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the frames");
    }
    const fr_quat *upright = table->turns.data + upright_frame(table) * SENSOR_COUNT;
    sensor_stand s = {.point = -1};
    for (size_t i = 0; i < frames; i++) {
        fr_posture posture = {.turns = turns->data + i * view->link_count, .count = view->link_count};
        fr_vec3 points[4];
        fr_status status = fr_posture_rest(skeleton, &posture, error);
        if (status == FR_OK) {
            status = fr_sensors_correct(skeleton, upright, table->turns.data + i * SENSOR_COUNT, &posture, error);
        }
        if (status != FR_OK) { return status; }
        if (!sole_points(skeleton, &posture, points)) {
            return fr_error_set(error, FR_ERROR_ARGUMENT, "the feet of the skeleton have no heels and toes");
        }
        place_hip(&s, points, &posture);
        places->data[i] = posture.place;
    }
    fr_clip_def def = fr_default_clip_def();
    def.frame_rate = frames > 1 ? (double)(frames - 1) / (table->times.data[frames - 1] - table->times.data[0]) : 60.0;
    def.frame_count = (uint32_t)frames;
    def.link_count = view->link_count;
    def.places = places->data;
    def.turns = turns->data;
    def.allocator = table->input->allocator;
    return fr_clip_create(&def, out, error);
}

fr_status fr_sensors_read(const fr_sensors_input *input, fr_clip **clip, fr_error *error) {
    *clip = NULL;
    if (input->cookie != SENSORS_COOKIE) { return fr_error_set_cookie(error, "fr_default_sensors_input"); }
    if (input->skeleton == NULL || !isfinite(input->upright)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "sensors need a skeleton and a finite time of standing upright");
    }
    fr_status status = check_roles(input->skeleton, error);
    if (status != FR_OK) { return status; }
    sensor_table table = {.words = fr__words_begin(input->text, input->size, error), .input = input};
    table.times = sensor_time_array_make(&input->allocator);
    table.turns = sensor_quat_array_make(&input->allocator);
    sensor_place_array places = sensor_place_array_make(&input->allocator);
    sensor_quat_array turns = sensor_quat_array_make(&input->allocator);
    status = read_table(&table);
    if (status == FR_OK) { status = make_clip(&table, &places, &turns, clip); }
    sensor_time_array_destroy(&table.times);
    sensor_quat_array_destroy(&table.turns);
    sensor_place_array_destroy(&places);
    sensor_quat_array_destroy(&turns);
    return status;
}
