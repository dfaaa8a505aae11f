// Reads BVH: the hierarchy by a walk over its words, then one frame after another as a stream of numbers.
#include "bvh.h"
#include "posture.h"
#include "words.h"

#include <math.h>
#include <string.h>

#define BVH_COOKIE 0x42564831u
#define FRAMES_BETWEEN_STOPS 256

FR_ARRAY_TYPE(place_array, fr_vec3);
FR_ARRAY_TYPE(turn_array, fr_quat);

// What a number of a frame moves. Rotations of a joint multiply in the order of its channels.
typedef struct bvh_joint {
    uint32_t parent;
    uint8_t channels[6]; // 0 .. 2: position along x, y, z; 3 .. 5: turn about x, y, z
    uint8_t channel_count;
    bool has_offset, has_children;
    fr_vec3 offset, tip;
    char name[FR_MAX_LINK_NAME + 1];
} bvh_joint;

typedef struct reader {
    fr__words words;
    bvh_joint *joints; // FR_MAX_LINKS
    uint32_t count;
    uint32_t channel_count;
    const fr_bvh_input *input;
    fr_bvh_facts *facts;
    place_array places;
    turn_array turns;
} reader;

// ---------------------------------------------------------------------------------------------------------------
// Hierarchy

static fr_status vector(reader *r, fr_vec3 *out) {
    fr_status status = fr__words_number(&r->words, &out->x);
    if (status == FR_OK) { status = fr__words_number(&r->words, &out->y); }
    return status == FR_OK ? fr__words_number(&r->words, &out->z) : status;
}

// The rest of the line up to a brace is the name: some programs write names of several words.
static fr_status read_name(reader *r, char name[FR_MAX_LINK_NAME + 1]) {
    while (r->words.at < r->words.end && (*r->words.at == ' ' || *r->words.at == '\t')) {
        r->words.at++;
    }
    const char *begin = r->words.at;
    while (r->words.at < r->words.end && *r->words.at != '\n' && *r->words.at != '\r' && *r->words.at != '{' &&
           *r->words.at != '}') {
        r->words.at++;
    }
    const char *end = r->words.at;
    while (end > begin && fr__words_is_space(end[-1])) {
        end--;
    }
    size_t length = (size_t)(end - begin);
    if (length == 0) {
        return fr__words_fail(&r->words, FR_ERROR_SYNTAX, begin, "the name of a joint is missing here");
    }
    if (length > FR_MAX_LINK_NAME) {
        return fr__words_fail(&r->words, FR_ERROR_LIMIT, begin, "the name of a joint is too long");
    }
    memcpy(name, begin, length);
    name[length] = '\0';
    for (size_t i = 0; i < length;) {
        size_t bytes = fr_utf8_length(name + i, length - i);
        if (bytes == 0) {
            return fr__words_fail(&r->words, FR_ERROR_SYNTAX, begin, "the name of a joint is not UTF-8");
        }
        i += bytes;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        if (strcmp(r->joints[i].name, name) == 0) {
            return fr__words_fail(&r->words, FR_ERROR_SYNTAX, begin, "two joints have this name");
        }
    }
    return FR_OK;
}

static fr_status read_channels(reader *r, bvh_joint *j) {
    static const char *const words[6] = {"xposition", "yposition", "zposition", "xrotation", "yrotation", "zrotation"};
    const char *begin = r->words.at;
    double count;
    fr_status status = fr__words_number(&r->words, &count);
    if (status != FR_OK) { return status; }
    if (!(count >= 0.0 && count <= 6.0) || count != floor(count)) {
        return fr__words_fail(&r->words, FR_ERROR_SYNTAX, begin, "a joint has 0 to 6 channels");
    }
    if (j->channel_count > 0) {
        return fr__words_fail(&r->words, FR_ERROR_SYNTAX, begin, "this joint has channels already");
    }
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        size_t length = fr__words_peek(&r->words);
        uint8_t kind = 0;
        while (kind < 6 && !fr__words_is(&r->words, length, words[kind])) {
            kind++;
        }
        if (kind == 6) {
            return fr__words_fail(&r->words, FR_ERROR_SYNTAX, r->words.at, "a channel is named Xposition .. Zrotation");
        }
        r->words.at += length;
        for (uint32_t k = 0; k < i; k++) {
            if (j->channels[k] == kind) {
                return fr__words_fail(&r->words, FR_ERROR_SYNTAX, r->words.at - length, "this channel is here twice");
            }
        }
        j->channels[i] = kind;
        j->channel_count = (uint8_t)(i + 1);
    }
    r->channel_count += j->channel_count;
    return FR_OK;
}

static fr_status read_end_site(reader *r, bvh_joint *j) {
    if (!fr__words_take(&r->words, "site")) {
        return fr__words_fail(&r->words, FR_ERROR_SYNTAX, r->words.at, "\"Site\" is missing after \"End\"");
    }
    fr_status status = fr__words_expect(&r->words, "{", "\"{\" is missing here");
    if (status == FR_OK) { status = fr__words_expect(&r->words, "offset", "an end site has an OFFSET"); }
    if (status == FR_OK) { status = vector(r, &j->tip); }
    j->has_children = true;
    return status == FR_OK ? fr__words_expect(&r->words, "}", "\"}\" is missing here") : status;
}

// Adds a joint below a parent, up to its opening brace.
static fr_status open_joint(reader *r, uint32_t parent) {
    const char *begin = r->words.at;
    if (r->count == FR_MAX_LINKS) {
        return fr__words_fail(&r->words, FR_ERROR_LIMIT, begin, "a skeleton has at most 256 joints");
    }
    bvh_joint *j = &r->joints[r->count];
    memset(j, 0, sizeof *j);
    j->parent = parent;
    fr_status status = read_name(r, j->name);
    if (status != FR_OK) { return status; }
    r->count++;
    return fr__words_expect(&r->words, "{", "\"{\" is missing here");
}

// The words of the hierarchy from the first joint's brace to its last; a loop, so that depth costs no stack.
static fr_status read_joints(reader *r) {
    uint32_t current = 0;
    while (current != FR_NO_LINK) {
        bvh_joint *j = &r->joints[current];
        fr_status status = FR_OK;
        if (fr__words_take(&r->words, "offset")) {
            status = vector(r, &j->offset);
            j->has_offset = true;
        } else if (fr__words_take(&r->words, "channels")) {
            status = read_channels(r, j);
        } else if (fr__words_take(&r->words, "joint")) {
            j->has_children = true;
            status = open_joint(r, current);
            current = r->count - 1;
        } else if (fr__words_take(&r->words, "end")) {
            status = read_end_site(r, j);
        } else if (fr__words_take(&r->words, "}")) {
            if (!j->has_offset) {
                return fr__words_fail(&r->words, FR_ERROR_SYNTAX, r->words.at - 1, "a joint ends without an OFFSET");
            }
            current = j->parent;
        } else {
            return fr__words_fail(&r->words, FR_ERROR_SYNTAX, r->words.at,
                                  r->words.at == r->words.end ? "the hierarchy ends early"
                                                              : "OFFSET, CHANNELS, JOINT, End Site or } is expected");
        }
        if (status != FR_OK) { return status; }
    }
    return FR_OK;
}

static fr_status read_hierarchy(reader *r) {
    if (r->words.end - r->words.at >= 3 && memcmp(r->words.at, "\xEF\xBB\xBF", 3) == 0) { r->words.at += 3; }
    fr_status status = fr__words_expect(&r->words, "hierarchy", "a BVH file begins with HIERARCHY");
    if (status == FR_OK) { status = fr__words_expect(&r->words, "root", "ROOT is missing here"); }
    if (status == FR_OK) { status = open_joint(r, FR_NO_LINK); }
    return status == FR_OK ? read_joints(r) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Unit

static double height_of(const reader *r) {
    double y[FR_MAX_LINKS], low = 0.0, high = 0.0;
    for (uint32_t i = 0; i < r->count; i++) {
        const bvh_joint *j = &r->joints[i];
        y[i] = j->parent == FR_NO_LINK ? 0.0 : y[j->parent] + j->offset.y;
        double tip = y[i] + j->tip.y;
        low = fmin(low, fmin(y[i], tip));
        high = fmax(high, fmax(y[i], tip));
    }
    return high - low;
}

// Metres a unit: of those in use the one by which the skeleton has the height of a person.
static double guess_unit(double height) {
    static const double units[] = {1.0, 0.01, 0.0254, 0.0254 / 0.45, 0.001, 0.1, 0.3048};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (height * units[i] >= 0.9 && height * units[i] <= 2.5) { return units[i]; }
    }
    return height > 0.0 ? 1.6 / height : 1.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Frames

// One joint of one frame.
static fr_status read_turn(reader *r, const bvh_joint *j, fr_vec3 *place, fr_quat *turn) {
    fr_quat q = fr_quat_identity();
    bool has_turn = false;
    for (uint32_t i = 0; i < j->channel_count; i++) {
        double value;
        const char *begin = r->words.at;
        fr_status status = fr__words_number(&r->words, &value);
        if (status != FR_OK) {
            fr__words_skip(&r->words);
            return r->words.at == r->words.end
                       ? fr__words_fail(&r->words, FR_ERROR_SYNTAX, r->words.at, "the last frame ends early")
                       : status;
        }
        int kind = j->channels[i];
        if (kind < 3) {
            (&place->x)[kind] = value;
            continue;
        }
        if (!(fabs(value) <= 1e6)) {
            return fr__words_fail(&r->words, FR_ERROR_SYNTAX, begin, "this angle is too large");
        }
        fr_quat next = fr__quat_about(kind - 3, fr_radians(value));
        q = has_turn ? fr_quat_multiply(q, next) : next;
        has_turn = true;
    }
    double length = sqrt((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));
    *turn = (fr_quat){q.w / length, q.x / length, q.y / length, q.z / length};
    return FR_OK;
}

static fr_status read_frame(reader *r) {
    fr_vec3 *place = place_array_push(&r->places, 1);
    fr_quat *turns = turn_array_push(&r->turns, r->count);
    if (place == NULL || turns == NULL) {
        return fr_error_set(r->words.error, FR_ERROR_MEMORY, "no memory for a frame");
    }
    for (uint32_t i = 0; i < r->count; i++) {
        const bvh_joint *j = &r->joints[i];
        fr_vec3 at = j->offset;
        fr_status status = read_turn(r, j, &at, &turns[i]);
        if (status != FR_OK) { return status; }
        double lost = i == 0 ? 0.0 : r->facts->unit * fr_vec3_distance(at, j->offset);
        if (lost > r->facts->lost_travel) { r->facts->lost_travel = lost; }
        if (i == 0) { *place = fr_vec3_scale(r->facts->unit, at); }
    }
    return FR_OK;
}

static fr_status read_head_of_frames(reader *r) {
    fr_status status = fr__words_expect(&r->words, "motion", "MOTION is missing here");
    if (status == FR_OK) { status = fr__words_expect(&r->words, "frames:", "\"Frames:\" is missing here"); }
    double declared = 0.0, seconds = 0.0;
    if (status == FR_OK) { status = fr__words_number(&r->words, &declared); }
    if (status == FR_OK) { status = fr__words_expect(&r->words, "frame", "\"Frame Time:\" is missing here"); }
    if (status == FR_OK) { status = fr__words_expect(&r->words, "time:", "\"Frame Time:\" is missing here"); }
    const char *begin = r->words.at;
    if (status == FR_OK) { status = fr__words_number(&r->words, &seconds); }
    if (status != FR_OK) { return status; }
    if (!(seconds >= 1e-5 && seconds <= 1e6)) {
        return fr__words_fail(&r->words, FR_ERROR_SYNTAX, begin, "a frame lasts 0.00001 to 1,000,000 seconds");
    }
    r->facts->declared_frames = declared < 0.0 ? 0 : declared > 4e9 ? UINT32_MAX : (uint32_t)declared;
    r->facts->frame_time = seconds;
    return FR_OK;
}

static fr_status read_frames(reader *r) {
    fr_status status = read_head_of_frames(r);
    if (status != FR_OK) { return status; }
    if (r->channel_count == 0) {
        return fr__words_fail(&r->words, FR_ERROR_SYNTAX, r->words.at, "no joint has a channel");
    }

    // As many frames as were declared and can be there: a number and its space are two bytes at least.
    size_t possible = (size_t)(r->words.end - r->words.at) / (2 * (size_t)r->channel_count) + 1;
    size_t frames = r->facts->declared_frames < possible ? r->facts->declared_frames : possible;
    if (frames > FR_MAX_CLIP_FRAMES) { frames = FR_MAX_CLIP_FRAMES; }
    (void)(place_array_reserve(&r->places, frames) && turn_array_reserve(&r->turns, frames * r->count));
    for (fr__words_skip(&r->words); r->words.at < r->words.end; fr__words_skip(&r->words)) {
        if (r->places.count == FR_MAX_CLIP_FRAMES) {
            return fr__words_fail(&r->words, FR_ERROR_LIMIT, r->words.at, "a motion has at most 1,000,000 frames");
        }
        if (r->places.count % FRAMES_BETWEEN_STOPS == 0 && fr_control_is_stopped(r->input->control)) {
            return fr_error_set(r->words.error, FR_ERROR_STOPPED, "the reading was stopped");
        }
        status = read_frame(r);
        if (status != FR_OK) { return status; }
    }
    return r->places.count > 0 ? FR_OK
                               : fr__words_fail(&r->words, FR_ERROR_SYNTAX, r->words.at, "the motion has no frame");
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

fr_bvh_input fr_default_bvh_input(void) {
    return (fr_bvh_input){.allocator = fr_default_allocator(), .cookie = BVH_COOKIE};
}

static fr_status make_skeleton(const reader *r, fr_skeleton **out) {
    uint32_t parents[FR_MAX_LINKS], roles[FR_LINK_COUNT];
    const char *names[FR_MAX_LINKS];
    fr_vec3 offsets[FR_MAX_LINKS], tips[FR_MAX_LINKS];
    for (uint32_t i = 0; i < r->count; i++) {
        const bvh_joint *j = &r->joints[i];
        parents[i] = j->parent;
        names[i] = j->name;
        offsets[i] = fr_vec3_scale(r->facts->unit, j->offset);
        tips[i] = fr_vec3_scale(r->facts->unit, j->tip);
    }
    fr__bvh_roles(names, r->count, roles);
    fr_skeleton_def def = fr_default_skeleton_def();
    def.link_count = r->count;
    def.parents = parents;
    def.names = names;
    def.offsets = offsets;
    def.tips = tips;
    def.roles = roles;
    def.allocator = r->input->allocator;
    return fr_skeleton_create(&def, out, r->words.error);
}

static fr_status make_clip(const reader *r, fr_clip **out) {
    fr_clip_def def = fr_default_clip_def();
    def.frame_rate = 1.0 / r->facts->frame_time;
    def.frame_count = (uint32_t)r->places.count;
    def.link_count = r->count;
    def.places = r->places.data;
    def.turns = r->turns.data;
    def.allocator = r->input->allocator;
    return fr_clip_create(&def, out, r->words.error);
}

static fr_status read_all(reader *r, fr_skeleton **skeleton, fr_clip **clip) {
    fr_status status = read_hierarchy(r);
    if (status != FR_OK) { return status; }
    double height = height_of(r);
    r->facts->joint_count = r->count;
    r->facts->channel_count = r->channel_count;
    r->facts->unit = r->input->unit > 0.0 ? r->input->unit : guess_unit(height);
    r->facts->height = height * r->facts->unit;
    status = read_frames(r);
    if (status == FR_OK) { status = make_skeleton(r, skeleton); }
    if (status == FR_OK) { status = make_clip(r, clip); }
    return status;
}

fr_status fr_bvh_read(const fr_bvh_input *input, fr_skeleton **skeleton, fr_clip **clip, fr_bvh_facts *facts,
                      fr_error *error) {
    *skeleton = NULL;
    *clip = NULL;
    if (input->cookie != BVH_COOKIE) { return fr_error_set_cookie(error, "fr_default_bvh_input"); }
    if (!(input->unit >= 0.0 && input->unit <= 1e6) || (input->text == NULL && input->size > 0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a unit of %g m is not within 0 .. 1e6", input->unit);
    }
    fr_bvh_facts own;
    reader r = {.words = fr__words_begin(input->text, input->size, error)};
    r.input = input;
    r.facts = facts != NULL ? facts : &own;
    r.places = place_array_make(&input->allocator);
    r.turns = turn_array_make(&input->allocator);
    *r.facts = (fr_bvh_facts){0};
    r.joints = fr_allocate(&input->allocator, FR_MAX_LINKS, sizeof *r.joints, _Alignof(bvh_joint));
    fr_status status = r.joints != NULL ? read_all(&r, skeleton, clip)
                                        : fr_error_set(error, FR_ERROR_MEMORY, "no memory for the joints");
    if (status != FR_OK) {
        fr_skeleton_release(*skeleton);
        *skeleton = NULL;
    }
    fr_deallocate(&input->allocator, r.joints, FR_MAX_LINKS, sizeof *r.joints);
    place_array_destroy(&r.places);
    turn_array_destroy(&r.turns);
    return status;
}
