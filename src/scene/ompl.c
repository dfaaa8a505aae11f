// Reads the problem and path files of OMPL.app: lines of "key = value" below "[problem]", and rows of numbers.
#include "fureai/scene.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

FR_ARRAY_TYPE(pose_array, fr_pose);
FR_ARRAY_TYPE(time_array, double);

enum { MAX_KEY_BYTES = 64, MAX_BYTES = 1 << 28, MAX_STATES = 1 << 24 };

typedef struct ompl_reader {
    const char *at, *end; // what is left
    const char *line;     // where the line began
    int lines;            // up to this one
    const char *name;     // of the file
    fr_error *error;
} ompl_reader;

static fr_status wrong(const ompl_reader *r, const char *at, fr_status status, const char *what) {
    fr_error_set(r->error, status, "%s", what);
    fr_error_locate(r->error, r->name, r->lines, (int)(at - r->line) + 1);
    return status;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && is_blank(*at)) {
        at++;
    }
    return at;
}

static const char *find_character(const char *at, const char *end, char c) {
    while (at < end && *at != c) {
        at++;
    }
    return at;
}

// The next line without blanks at its ends and without a comment; false behind the last.
static bool next_line(ompl_reader *r, const char **begin, const char **end) {
    if (r->at == r->end) { return false; }
    r->line = r->at;
    r->lines++;
    const char *last = find_character(r->at, r->end, '\n');
    r->at = last < r->end ? last + 1 : last;
    *begin = skip_blanks(r->line, last);
    *end = find_character(*begin, last, '#');
    while (*end > *begin && is_blank((*end)[-1])) {
        (*end)--;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Problems

// The numbers of a problem.
enum { START, GOAL = 7, LOW = 14, HIGH = 17, NUMBERS = 20 };

static const char *const number_keys[NUMBERS] = {
    "start.x",      "start.y",      "start.z",      "start.theta",  "start.axis.x", "start.axis.y", "start.axis.z",
    "goal.x",       "goal.y",       "goal.z",       "goal.theta",   "goal.axis.x",  "goal.axis.y",  "goal.axis.z",
    "volume.min.x", "volume.min.y", "volume.min.z", "volume.max.x", "volume.max.y", "volume.max.z"};

typedef struct pairs {
    double numbers[NUMBERS];
    bool has[NUMBERS];
    bool has_robot, has_world;
} pairs;

static bool is_key(const char *key, size_t length, const char *name) {
    return strlen(name) == length && memcmp(key, name, length) == 0;
}

static fr_status take_text(const ompl_reader *r, const char *value, const char *end, char *out, size_t size) {
    size_t length = (size_t)(end - value);
    if (length == 0) { return wrong(r, value, FR_ERROR_SYNTAX, "the value is missing"); }
    if (length >= size) { return wrong(r, value, FR_ERROR_LIMIT, "the value is too long"); }
    if (find_character(value, end, '\0') != end) { return wrong(r, value, FR_ERROR_SYNTAX, "a zero byte"); }
    memcpy(out, value, length);
    out[length] = '\0';
    return FR_OK;
}

static fr_status take_number(const ompl_reader *r, const char *value, const char *end, double *out) {
    const char *at = value;
    if (fr_number_read(&at, end, out) != FR_NUMBER_OK || at != end) {
        return wrong(r, value, FR_ERROR_SYNTAX, "this is not a number");
    }
    if (!(fabs(*out) <= FR_SCENE_LENGTH_MAX)) { return wrong(r, value, FR_ERROR_LIMIT, "the number is too large"); }
    return FR_OK;
}

static fr_status take_pair(const ompl_reader *r, const char *begin, const char *end, pairs *p, fr_ompl_problem *out) {
    const char *sign = find_character(begin, end, '='), *key_end = sign;
    if (sign == end) { return wrong(r, begin, FR_ERROR_SYNTAX, "a line of a problem is 'key = value'"); }
    while (key_end > begin && is_blank(key_end[-1])) {
        key_end--;
    }
    size_t length = (size_t)(key_end - begin);
    const char *value = skip_blanks(sign + 1, end);
    if (is_key(begin, length, "control")) {
        return wrong(r, begin, FR_ERROR_UNSUPPORTED, "problems with controls are not planned: bodies move freely here");
    }
    if (is_key(begin, length, "name")) { return take_text(r, value, end, out->name, sizeof out->name); }
    if (is_key(begin, length, "robot")) {
        p->has_robot = true;
        out->robot_line = r->lines;
        return take_text(r, value, end, out->robot, sizeof out->robot);
    }
    if (is_key(begin, length, "world")) {
        p->has_world = true;
        out->world_line = r->lines;
        return take_text(r, value, end, out->world, sizeof out->world);
    }
    for (int i = 0; i < NUMBERS; i++) {
        if (!is_key(begin, length, number_keys[i])) { continue; }
        p->has[i] = true;
        return take_number(r, value, end, &p->numbers[i]);
    }
    return FR_OK;
}

static fr_status read_pairs(ompl_reader *r, pairs *p, fr_ompl_problem *out) {
    const char *begin, *end;
    bool is_inside = false, is_there = false;
    while (next_line(r, &begin, &end)) {
        if (begin == end) { continue; }
        if (*begin == '[') {
            is_inside = is_key(begin, (size_t)(end - begin), "[problem]");
            is_there = is_there || is_inside;
            continue;
        }
        if (!is_inside) { continue; }
        fr_status status = take_pair(r, begin, end, p, out);
        if (status != FR_OK) { return status; }
    }
    if (is_there) { return FR_OK; }
    return wrong(r, r->line, FR_ERROR_SYNTAX, "there is no [problem] in the file");
}

// The turn by an angle about a unit axis, which may be zero where the angle is.
static fr_status take_turn(const ompl_reader *r, fr_vec3 axis, double angle, fr_quat *out) {
    if (angle == 0.0) { return FR_OK; }
    if (!(fabs(angle) <= FR_TURN_MAX)) { return wrong(r, r->line, FR_ERROR_LIMIT, "the angle is too large"); }
    if (fr_vec3_equal(axis, fr_vec3_make(0.0, 0.0, 0.0))) {
        return wrong(r, r->line, FR_ERROR_ARGUMENT, "the axis of a rotation is zero");
    }
    *out = fr_quat_from_axis_angle(axis, angle);
    return FR_OK;
}

static fr_status place_of(const ompl_reader *r, const pairs *p, int first, int dimension, fr_pose *out) {
    const double *n = p->numbers + first;
    *out = fr_pose_identity();
    out->position = fr_vec3_make(n[0], n[1], dimension == 3 ? n[2] : 0.0);
    fr_vec3 zero = {0.0, 0.0, 0.0}, axis = {0.0, 0.0, 1.0};
    if (dimension == 3) { axis = fr_vec3_unit(fr_vec3_make(n[4], n[5], n[6]), zero); }
    return take_turn(r, axis, n[3], &out->rotation);
}

static fr_status check_pairs(const ompl_reader *r, const pairs *p, fr_ompl_problem *out) {
    if (!p->has_robot || !p->has_world) {
        return wrong(r, r->line, FR_ERROR_SYNTAX, "the problem names no robot or no world");
    }
    out->dimension = p->has[START + 2] || p->has[GOAL + 2] ? 3 : 2;
    for (int i = 0; i < 2; i++) {
        int first = i == 0 ? START : GOAL;
        bool is_whole = p->has[first] && p->has[first + 1] && (out->dimension == 2 || p->has[first + 2]);
        if (!is_whole) { return wrong(r, r->line, FR_ERROR_SYNTAX, "the problem lacks its start or its goal"); }
    }
    int low = 0;
    for (int i = LOW; i < NUMBERS; i++) {
        low += p->has[i] ? 1 : 0;
    }
    out->has_bounds = low > 0;
    const double *a = p->numbers + LOW, *b = p->numbers + HIGH;
    out->bounds = (fr_bounds){fr_vec3_make(a[0], a[1], a[2]), fr_vec3_make(b[0], b[1], b[2])};
    if (out->has_bounds && (low != (out->dimension == 3 ? 6 : 4) || fr_bounds_is_empty(&out->bounds))) {
        return wrong(r, r->line, FR_ERROR_ARGUMENT, "the volume is not whole, or has no inside");
    }
    fr_status status = place_of(r, p, START, out->dimension, &out->start);
    return status == FR_OK ? place_of(r, p, GOAL, out->dimension, &out->goal) : status;
}

static fr_status begin(ompl_reader *r, const void *bytes, size_t size, const char *name, fr_error *error) {
    *r = (ompl_reader){bytes, (const char *)bytes + size, bytes, 0, name, error};
    if (size > MAX_BYTES) { return fr_error_set(r->error, FR_ERROR_LIMIT, "the file is too large"); }
    return FR_OK;
}

fr_status fr_ompl_read_problem(const void *bytes, size_t size, const char *name, fr_ompl_problem *out,
                               fr_error *error) {
    FR_ASSERT(out != NULL && (bytes != NULL || size == 0));
    memset(out, 0, sizeof *out);
    ompl_reader r;
    pairs p;
    memset(&p, 0, sizeof p);
    fr_status status = begin(&r, bytes, size, name, error);
    if (status == FR_OK) { status = read_pairs(&r, &p, out); }
    return status == FR_OK ? check_pairs(&r, &p, out) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Paths

// The numbers of a row; how many there are, up to 8: a time may stand before the state.
static fr_status read_row(const ompl_reader *r, const char *at, const char *end, double numbers[8], int *count) {
    *count = 0;
    while (at < end) {
        const char *begin = at;
        if (*count == 8) {
            return wrong(r, at, FR_ERROR_SYNTAX, "a row of a path has 3 or 7 numbers, after a time 4 or 8");
        }
        if (fr_number_read(&at, end, &numbers[*count]) != FR_NUMBER_OK || (at < end && !is_blank(*at))) {
            return wrong(r, begin, FR_ERROR_SYNTAX, "this is not a number");
        }
        if (!(fabs(numbers[(*count)++]) <= FR_SCENE_LENGTH_MAX)) {
            return wrong(r, begin, FR_ERROR_LIMIT, "the number is too large");
        }
        at = skip_blanks(at, end);
    }
    return FR_OK;
}

static fr_status take_state(const ompl_reader *r, const double *n, int count, fr_pose *out) {
    *out = fr_pose_identity();
    out->position = fr_vec3_make(n[0], n[1], count == 7 ? n[2] : 0.0);
    if (count == 3) { return take_turn(r, fr_vec3_make(0.0, 0.0, 1.0), n[2], &out->rotation); }
    out->rotation = (fr_quat){n[6], n[3], n[4], n[5]};
    if (fr_quat_normalize(&out->rotation, NULL) == FR_OK) { return FR_OK; }
    return wrong(r, r->line, FR_ERROR_ARGUMENT, "the last four numbers are no quaternion of length 1");
}

// Times grow from state to state.
static fr_status take_time(const ompl_reader *r, double time, time_array *times) {
    size_t count = times->count;
    if (count > 0 && !(time >= times->data[count - 1])) {
        return wrong(r, r->line, FR_ERROR_ARGUMENT, "the time is before that of the row before");
    }
    double *place = time_array_push(times, 1);
    if (place == NULL) { return fr_error_set(r->error, FR_ERROR_MEMORY, "no memory for a path"); }
    *place = time;
    return FR_OK;
}

static fr_status read_states(ompl_reader *r, pose_array *states, time_array *times, int *columns) {
    const char *begin, *end;
    while (next_line(r, &begin, &end)) {
        double numbers[8];
        int count;
        fr_status status = read_row(r, begin, end, numbers, &count);
        if (status != FR_OK) { return status; }
        if (count == 0) { continue; }
        bool is_timed = count == 4 || count == 8;
        if ((count != 3 && count != 7 && !is_timed) || (*columns != 0 && count != *columns)) {
            return wrong(r, begin, FR_ERROR_SYNTAX,
                         "a row of a path has 3 numbers, or 7, after a time 4 or 8, as the others");
        }
        *columns = count;
        if (states->count == MAX_STATES) { return wrong(r, begin, FR_ERROR_LIMIT, "the path has too many states"); }
        fr_pose *state = pose_array_push(states, 1);
        if (state == NULL) { return fr_error_set(r->error, FR_ERROR_MEMORY, "no memory for a path"); }
        status = take_state(r, numbers + (is_timed ? 1 : 0), count - (is_timed ? 1 : 0), state);
        if (status == FR_OK && is_timed) { status = take_time(r, numbers[0], times); }
        if (status != FR_OK) { return status; }
    }
    if (states->count > 0) { return FR_OK; }
    return wrong(r, r->line, FR_ERROR_SYNTAX, "the path has no states");
}

// Copies what was read.
static fr_status give_path(const pose_array *states, const time_array *times, fr_ompl_path *out, fr_error *error) {
    out->states = fr_allocate(&out->allocator, states->count, sizeof *out->states, alignof(fr_pose));
    bool is_timed = times->count > 0;
    if (is_timed) { out->times = fr_allocate(&out->allocator, states->count, sizeof *out->times, alignof(double)); }
    out->state_count = (uint32_t)states->count;
    if (out->states == NULL || (is_timed && out->times == NULL)) {
        fr_ompl_path_destroy(out);
        return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a path");
    }
    memcpy(out->states, states->data, states->count * sizeof *out->states);
    if (is_timed) { memcpy(out->times, times->data, times->count * sizeof *out->times); }
    return FR_OK;
}

fr_status fr_ompl_read_path(const void *bytes, size_t size, const char *name, const fr_allocator *allocator,
                            fr_ompl_path *out, fr_error *error) {
    FR_ASSERT(out != NULL && (bytes != NULL || size == 0));
    memset(out, 0, sizeof *out);
    ompl_reader r;
    fr_status status = begin(&r, bytes, size, name, error);
    if (status != FR_OK) { return status; }
    out->allocator = fr_allocator_or_default(allocator);
    pose_array states = pose_array_make(&out->allocator);
    time_array times = time_array_make(&out->allocator);
    int columns = 0;
    status = read_states(&r, &states, &times, &columns);
    out->dimension = columns >= 7 ? 3 : 2;
    if (status == FR_OK) { status = give_path(&states, &times, out, error); }
    pose_array_destroy(&states);
    time_array_destroy(&times);
    if (status != FR_OK) { memset(out, 0, sizeof *out); }
    return status;
}

void fr_ompl_path_destroy(fr_ompl_path *path) {
    if (path == NULL) { return; }
    fr_deallocate(&path->allocator, path->states, path->state_count, sizeof *path->states);
    fr_deallocate(&path->allocator, path->times, path->state_count, sizeof *path->times);
    memset(path, 0, sizeof *path);
}
