// Scripts of a hand: a step a line, read whole before anything is done.
#include "actor/assembler.h"

#include <stdio.h>
#include <string.h>

enum { STEPS_MAX = 100000, NAME_BYTES = FR_WORLD_NAME_MAX_BYTES + 1 };

#define SECONDS_MAX 600.0 // seconds
#define LENGTH_MAX 1e6    // metres
#define TURN_MAX 36000.0  // degrees

typedef enum step_kind { STEP_GRASP, STEP_GRASP_AT, STEP_MOVE, STEP_TURN, STEP_TO, STEP_RELEASE, STEP_WAIT } step_kind;

typedef struct hand_step {
    step_kind kind;
    uint32_t part;     // of GRASP; whose place, of TO
    double numbers[4]; // place, travel, axis and degrees, offset, seconds
    double seconds;    // 0: as long as it takes
    int line;
} hand_step;

FR_ARRAY_TYPE(hand_step_array, hand_step);

typedef struct script_reader {
    const fr_assembler *a;
    const char *name;       // of the file
    const char *at, *end;   // of what is left
    const char *line_begin; //
    const char *word;       // where the last word begins
    int line;
    fr_error *error;
} script_reader;

static fr_status wrong_at(const script_reader *r, const char *where, fr_status status, const char *message) {
    fr_error_set(r->error, status, "%s", message);
    fr_error_locate(r->error, r->name, r->line, (int)(where - r->line_begin) + 1);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Words

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool is_end(const script_reader *r) { return r->at == r->end || *r->at == '\n' || *r->at == '#'; }

static void skip_blanks(script_reader *r) {
    while (r->at < r->end && is_blank(*r->at)) {
        r->at++;
    }
}

// The next word, or a name in quotes, cut to fit; false at the end of the line.
static bool read_word(script_reader *r, char word[NAME_BYTES]) {
    skip_blanks(r);
    if (is_end(r)) { return false; }
    r->word = r->at;
    bool is_quoted = *r->at == '"';
    size_t length = 0;
    r->at += is_quoted ? 1 : 0;
    while (r->at < r->end && *r->at != '\n' && (is_quoted ? *r->at != '"' : !is_blank(*r->at) && *r->at != '#')) {
        if (length + 1 < NAME_BYTES) { word[length++] = *r->at; }
        r->at++;
    }
    bool is_closed = is_quoted && r->at < r->end && *r->at == '"';
    r->at += is_closed ? 1 : 0;
    // Without its other quote it is no name
    word[is_quoted && !is_closed ? 0 : length] = '\0';
    return true;
}

static fr_status read_number(script_reader *r, const char *what, double limit, double *out) {
    skip_blanks(r);
    const char *where = r->at;
    fr_number_result result = fr_number_read(&r->at, r->end, out);
    bool is_whole = result == FR_NUMBER_OK && (is_end(r) || is_blank(*r->at));
    if (is_whole && *out >= -limit && *out <= limit) { return FR_OK; }
    char message[160];
    snprintf(message, sizeof message, "%s is missing, or no number from %g to %g", what, -limit, limit);
    return wrong_at(r, where, is_whole ? FR_ERROR_LIMIT : FR_ERROR_SYNTAX, message);
}

static fr_status read_numbers(script_reader *r, const char *const *names, double limit, int count, double *out) {
    fr_status status = FR_OK;
    for (int i = 0; i < count && status == FR_OK; i++) {
        status = read_number(r, names[i], limit, &out[i]);
    }
    return status;
}

static fr_status read_part(script_reader *r, uint32_t *out) {
    char name[NAME_BYTES], message[FR_ERROR_MESSAGE_BYTES];
    if (!read_word(r, name)) { return wrong_at(r, r->at, FR_ERROR_SYNTAX, "the name of a part is missing"); }
    *out = fr_assembler_find(r->a, name);
    if (*out != FR_NONE) { return FR_OK; }
    fr_suggestion suggestion = fr_suggestion_begin(name);
    for (uint32_t i = 0; i < fr_assembly_count(r->a->assembly); i++) {
        fr_suggestion_offer(&suggestion, fr_assembler_name(r->a, i));
    }
    if (suggestion.best != NULL) {
        snprintf(message, sizeof message, "there is no part '%.80s'; did you mean '%.80s'?", name, suggestion.best);
    } else {
        snprintf(message, sizeof message, "there is no part '%.80s'", name);
    }
    return wrong_at(r, r->word, FR_ERROR_ARGUMENT, message);
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

// "in SECONDS", where it stands.
static fr_status read_seconds(script_reader *r, hand_step *step) {
    char word[NAME_BYTES];
    if (!read_word(r, word)) { return FR_OK; }
    if (strcmp(word, "in") != 0) { return wrong_at(r, r->word, FR_ERROR_SYNTAX, "the line ends with 'in SECONDS'"); }
    fr_status status = read_number(r, "the time", SECONDS_MAX, &step->seconds);
    if (status == FR_OK && step->seconds < 0.0) {
        return wrong_at(r, r->word, FR_ERROR_LIMIT, "time does not go back");
    }
    return status;
}

static fr_status read_grasp(script_reader *r, hand_step *step) {
    static const char *const names[3] = {"x", "y", "z"};
    script_reader before = *r;
    char word[NAME_BYTES];
    // A part may be called "at": then it is quoted
    bool has_word = read_word(r, word);
    if (has_word && strcmp(word, "at") == 0 && *r->word != '"') {
        step->kind = STEP_GRASP_AT;
        return read_numbers(r, names, LENGTH_MAX, 3, step->numbers);
    }
    *r = before;
    return read_part(r, &step->part);
}

// "to PART", with an offset in the axes of its place where numbers follow.
static fr_status read_to(script_reader *r, hand_step *step) {
    static const char *const names[3] = {"the offset's x", "the offset's y", "the offset's z"};
    fr_status status = read_part(r, &step->part);
    if (status != FR_OK) { return status; }
    skip_blanks(r);
    if (!is_end(r) && *r->at != 'i') { status = read_numbers(r, names, LENGTH_MAX, 3, step->numbers); }
    return status == FR_OK ? read_seconds(r, step) : status;
}

static fr_status read_turn(script_reader *r, hand_step *step) {
    static const char *const names[3] = {"the axis's x", "the axis's y", "the axis's z"};
    const char *where = r->at;
    fr_status status = read_numbers(r, names, LENGTH_MAX, 3, step->numbers);
    if (status == FR_OK) { status = read_number(r, "the angle in degrees", TURN_MAX, &step->numbers[3]); }
    if (status != FR_OK) { return status; }
    fr_vec3 axis = {step->numbers[0], step->numbers[1], step->numbers[2]};
    if (!(fr_vec3_length(axis) > 1e-9)) { return wrong_at(r, where, FR_ERROR_ARGUMENT, "the axis is zero"); }
    return read_seconds(r, step);
}

static fr_status read_step(script_reader *r, const char *word, hand_step *step) {
    static const char *const kinds[] = {"grasp", "move", "turn", "to", "release", "wait"};
    static const char *const names[3] = {"x", "y", "z"};
    fr_status status;
    if (strcmp(word, "grasp") == 0) {
        step->kind = STEP_GRASP;
        return read_grasp(r, step);
    }
    if (strcmp(word, "move") == 0) {
        step->kind = STEP_MOVE;
        status = read_numbers(r, names, LENGTH_MAX, 3, step->numbers);
        return status == FR_OK ? read_seconds(r, step) : status;
    }
    if (strcmp(word, "turn") == 0) {
        step->kind = STEP_TURN;
        return read_turn(r, step);
    }
    if (strcmp(word, "to") == 0) {
        step->kind = STEP_TO;
        return read_to(r, step);
    }
    if (strcmp(word, "release") == 0) {
        step->kind = STEP_RELEASE;
        return FR_OK;
    }
    if (strcmp(word, "wait") == 0) {
        step->kind = STEP_WAIT;
        status = read_number(r, "the time", SECONDS_MAX, &step->seconds);
        if (status != FR_OK || step->seconds >= 0.0) { return status; }
        return wrong_at(r, r->word, FR_ERROR_LIMIT, "time does not go back");
    }
    char message[FR_ERROR_MESSAGE_BYTES];
    fr_suggestion suggestion = fr_suggestion_begin(word);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        fr_suggestion_offer(&suggestion, kinds[i]);
    }
    if (suggestion.best != NULL) {
        snprintf(message, sizeof message, "a hand cannot '%.40s'; did you mean '%s'?", word, suggestion.best);
    } else {
        snprintf(message, sizeof message, "no step '%.40s'; there are grasp, move, turn, to, release and wait", word);
    }
    return wrong_at(r, r->word, FR_ERROR_SYNTAX, message);
}

// One line; nothing is added for an empty one.
static fr_status read_line(script_reader *r, hand_step_array *steps) {
    char word[NAME_BYTES];
    r->line++;
    r->line_begin = r->at;
    if (read_word(r, word)) {
        hand_step step = {.part = FR_NONE, .line = r->line};
        fr_status status = read_step(r, word, &step);
        if (status != FR_OK) { return status; }
        if (read_word(r, word)) {
            return wrong_at(r, r->word, FR_ERROR_SYNTAX, "the line goes on where it should end");
        }
        if (steps->count == STEPS_MAX) { return wrong_at(r, r->line_begin, FR_ERROR_LIMIT, "more than 100000 steps"); }
        hand_step *place = hand_step_array_push(steps, 1);
        if (place == NULL) { return fr_error_set(r->error, FR_ERROR_MEMORY, "no memory for a script"); }
        *place = step;
    }
    while (r->at < r->end && *r->at != '\n') {
        r->at++;
    }
    r->at += r->at < r->end ? 1 : 0;
    return FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Playing

static fr_status grasp_at(fr_assembler *a, const hand_step *step, fr_error *error) {
    fr_assembly_find_output grasp;
    fr_vec3 pen = {step->numbers[0], step->numbers[1], step->numbers[2]};
    fr_status status = fr_assembly_find(a->assembly, a->space, pen, &grasp, error);
    if (status != FR_OK) { return status; }
    if (grasp.part != FR_NONE) { return fr_assembler_take(a, grasp.part, error); }
    a->misses++;
    return fr_assembler_let_go(a, error);
}

static fr_status play_to(fr_assembler *a, const hand_step *step, fr_error *error) {
    fr_assembly_measure_output target;
    fr_pose pose = a->wish;
    if (a->held != FR_NONE) {
        fr_status status = fr__assembler_target(a, a->held, step->part, &target, error);
        if (status != FR_OK) { return status; }
        pose = target.pose;
        fr_vec3 offset = {step->numbers[0], step->numbers[1], step->numbers[2]};
        pose.position = fr_vec3_add(pose.position, fr_pose_turn(&pose, offset));
    }
    return fr_assembler_go(a, &pose, step->seconds, error);
}

static fr_status play_turn(fr_assembler *a, const hand_step *step, fr_error *error) {
    fr_vec3 axis = {step->numbers[0], step->numbers[1], step->numbers[2]};
    fr_pose pose = a->wish;
    fr_vec3 middle = fr_pose_apply(&pose, a->middle);
    fr_quat turn = fr_quat_from_axis_angle(axis, fr_radians(step->numbers[3]));
    pose.rotation = fr_quat_multiply(turn, pose.rotation);
    (void)fr_quat_normalize(&pose.rotation, NULL);
    pose.position = fr_vec3_add(pose.position, fr_vec3_sub(middle, fr_pose_apply(&pose, a->middle)));
    return fr_assembler_go(a, &pose, step->seconds, error);
}

static fr_status play_step(fr_assembler *a, const hand_step *step, fr_error *error) {
    fr_pose pose = a->wish;
    switch (step->kind) {
    case STEP_GRASP: return fr_assembler_take(a, step->part, error);
    case STEP_GRASP_AT: return grasp_at(a, step, error);
    case STEP_MOVE:
        pose.position = fr_vec3_add(pose.position, fr_vec3_make(step->numbers[0], step->numbers[1], step->numbers[2]));
        return fr_assembler_go(a, &pose, step->seconds, error);
    case STEP_TURN: return play_turn(a, step, error);
    case STEP_TO: return play_to(a, step, error);
    case STEP_RELEASE: return fr_assembler_let_go(a, error);
    default: return step->seconds > 0.0 ? fr_assembler_go(a, &pose, step->seconds, error) : FR_OK;
    }
}

fr_status fr_assembler_play(fr_assembler *a, const char *text, size_t size, const char *name, fr_error *error) {
    FR_ASSERT(a != NULL && (text != NULL || size == 0));
    script_reader r = {.a = a, .name = name, .at = text, .end = text + size, .error = error};
    hand_step_array steps = hand_step_array_make(&a->allocator);
    fr_status status = FR_OK;
    while (r.at < r.end && status == FR_OK) {
        status = read_line(&r, &steps);
    }
    const hand_step *all = steps.data;
    for (size_t i = 0; i < steps.count && status == FR_OK; i++) {
        fr_control_progress(a->control, (double)i / (double)steps.count, "steps");
        status = play_step(a, &all[i], error);
        if (status == FR_ERROR_LIMIT) { fr_error_locate(error, name, all[i].line, 1); }
    }
    if (status == FR_OK) { status = fr_assembler_let_go(a, error); }
    hand_step_array_destroy(&steps);
    return status;
}
