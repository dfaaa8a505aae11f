// Cuts captured walks into pieces: one or two steps, starts, steady steps and ends, by when feet land and where the
// body stands.
#include "human/walk_cells.h"
#include "human/walk_plan.h"

#include <math.h>
#include <string.h>

static const double GAP = 0.1;                         // seconds that a foot which stands may seem not to
static const double SHORTEST_STEP = 0.06;              // metres that a foot moves in a swing
static const double TURNED = 0.25;                     // or radians
static const double SLOW = 0.15;                       // metres a second of the hips of a body that stands
static const double STILL = 0.15;                      // seconds that it does so at least
static const double BEFORE = 0.25, AFTER = 0.30;       // seconds of standing that a piece has
static const double LONGEST = 3.0;                     // seconds of a piece
static const double CURVED = 0.2;                      // radians by which a straight step turns
static const double SMOOTH = 0.06, SMOOTH_WRIST = 0.2; // seconds to both sides over which a mean is taken
static const double STEADY = 0.75;                     // how much slower one of two steady steps may be

#define NO_FRAME UINT32_MAX
#define MAX_SMOOTH 48u // frames

typedef struct cut_frame {
    fr_vec3 middle;
    fr_vec3 ankles[2];
    double headings[2]; // of the feet
    bool stands[2];
} cut_frame;

typedef struct cut_swing {
    int foot;
    uint32_t off, land; // last frame before, first frame after it
    bool is_stop;       // the body stands after it, before the next
} cut_swing;

FR_ARRAY_TYPE(cut_swing_array, cut_swing);

typedef struct cutting {
    fr_walk_cells *cells;
    const fr_clip *clip;
    uint32_t count; // frames
    double rate;
    cut_frame *frames;
    cut_swing_array swings;
    bool is_stop_first; // the body stands before the first swing
    fr_error *error;
} cutting;

// ---------------------------------------------------------------------------------------------------------------
// Frames and swings

static void read_frames(cutting *c) {
    fr_quat turns[FR_MAX_LINKS];
    fr_posture posture = {.turns = turns, .count = fr_skeleton_get(c->cells->skeleton)->link_count};
    for (uint32_t i = 0; i < c->count; i++) {
        fr__walk_figure figure;
        double ground;
        (void)fr_clip_frame(c->clip, i, &posture, NULL); // frame and links were checked
        fr__walk_read(c->cells->skeleton, &c->cells->body, &posture, &figure, &ground);
        cut_frame *frame = &c->frames[i];
        *frame =
            (cut_frame){.middle = figure.middle, .stands = {posture.contact_left != 0, posture.contact_right != 0}};
        for (int foot = 0; foot < 2; foot++) {
            frame->ankles[foot] = figure.legs[foot].ankle;
            frame->headings[foot] = figure.legs[foot].heading;
        }
    }
}

static double ground_distance(fr_vec3 a, fr_vec3 b) {
    double x = b.x - a.x, z = b.z - a.z;
    return sqrt(x * x + z * z);
}

// Whether a foot really goes from one frame to another, or only seems not to stand between.
static bool is_swing(const cutting *c, int foot, uint32_t off, uint32_t land) {
    const cut_frame *a = &c->frames[off], *b = &c->frames[land];
    bool is_long = (double)(land - off) > GAP * c->rate;
    bool has_moved = ground_distance(a->ankles[foot], b->ankles[foot]) > SHORTEST_STEP;
    return (is_long && has_moved) || fabs(fr__wrap(b->headings[foot] - a->headings[foot])) > TURNED;
}

// Adds the swings of a foot; where it did not go anywhere it stands.
static bool find_swings(cutting *c, int foot) {
    uint32_t last = NO_FRAME; // in which it stood
    for (uint32_t i = 0; i < c->count; i++) {
        if (!c->frames[i].stands[foot]) { continue; }
        if (last != NO_FRAME && last + 1 < i) {
            if (is_swing(c, foot, last, i)) {
                cut_swing *swing = cut_swing_array_push(&c->swings, 1);
                if (swing == NULL) { return false; }
                *swing = (cut_swing){foot, last, i, false};
            } else {
                for (uint32_t k = last + 1; k < i; k++) {
                    c->frames[k].stands[foot] = true;
                }
            }
        }
        last = i;
    }
    return true;
}

// By when they land: an insertion into a list that is nearly sorted.
static void sort_swings(cut_swing_array *swings) {
    for (size_t i = 1; i < swings->count; i++) {
        cut_swing swing = swings->data[i];
        size_t k = i;
        for (; k > 0 && swings->data[k - 1].land > swing.land; k--) {
            swings->data[k] = swings->data[k - 1];
        }
        swings->data[k] = swing;
    }
}

// Speed of the hips, over a fifth of a second.
static double hip_speed(const cutting *c, uint32_t frame) {
    uint32_t half = (uint32_t)(0.1 * c->rate) + 1;
    uint32_t from = frame > half ? frame - half : 0, to = frame + half < c->count ? frame + half : c->count - 1;
    double seconds = (double)(to - from) / c->rate;
    return seconds > 0.0 ? ground_distance(c->frames[from].middle, c->frames[to].middle) / seconds : 0.0;
}

// Whether the body stands somewhere between two frames, long enough.
static bool has_stop(const cutting *c, uint32_t from, uint32_t to) {
    uint32_t still = 0;
    for (uint32_t i = from; i <= to; i++) {
        bool stands = c->frames[i].stands[0] && c->frames[i].stands[1] && hip_speed(c, i) < SLOW;
        still = stands ? still + 1 : 0;
        if ((double)still > STILL * c->rate) { return true; }
    }
    return false;
}

static void find_stops(cutting *c) {
    cut_swing *s = c->swings.data;
    size_t n = c->swings.count;
    c->is_stop_first = has_stop(c, 0, s[0].off);
    for (size_t i = 0; i < n; i++) {
        uint32_t to = i + 1 < n ? s[i + 1].off : c->count - 1;
        s[i].is_stop = to >= s[i].land && has_stop(c, s[i].land, to);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Pieces

// A piece before it is a clip: its frames, and where it begins.
typedef struct cut_piece {
    fr_clip_class clip_class;
    uint32_t begin, end;      // frames
    double heading;           // that becomes +Z
    fr_vec2 origin;           // that becomes 0, 0
    double direction, facing; // radians
    bool is_mirrored;
    int last_foot;
    fr_stride stride;
    double speed, off, length;
} cut_piece;

static double feet_heading(const cut_frame *f) {
    return f->headings[0] + 0.5 * fr__wrap(f->headings[1] - f->headings[0]);
}

static fr_vec2 feet_middle(const cut_frame *f) {
    return (fr_vec2){0.5 * (f->ankles[0].x + f->ankles[1].x), 0.5 * (f->ankles[0].z + f->ankles[1].z)};
}

static fr_vec2 apart(fr_vec2 a, fr_vec2 b) { return (fr_vec2){b.x - a.x, b.y - a.y}; }
static double length_of(fr_vec2 v) { return sqrt(v.x * v.x + v.y * v.y); }
static double heading_of(fr_vec2 v) { return fr_atan2(v.x, v.y); }

static fr_vec2 middle_at(const cutting *c, uint32_t frame) {
    return (fr_vec2){c->frames[frame].middle.x, c->frames[frame].middle.z};
}

// How far an angle is from its multiple of 30 degrees, 0 .. 1.
static double off_cell(double angle) {
    double degrees = fabs(fr_degrees(angle)), nearest = 30.0 * floor(degrees / 30.0 + 0.5);
    return fabs(degrees - nearest) / 15.0;
}

// The directions of the cells are 0 .. 180 degrees; a piece to the other side is mirrored, and so is one that goes
// straight ahead or back with a facing to that side.
static void turn_to_cell(cut_piece *p) {
    bool is_straight = fr__walk_nearest(p->direction) % 6 == 0;
    double side = is_straight ? p->facing : p->direction;
    if (fr__walk_nearest(side) == 0 || fr__walk_nearest(side) == 6) { return; }
    if (side < 0.0) { p->is_mirrored = !p->is_mirrored; }
}

static fr_status add_piece(cutting *c, cut_piece *p);

// One or two steps from standing to standing.
static fr_status add_steps(cutting *c, const cut_swing *s, size_t n, uint32_t begin, uint32_t end) {
    const cut_frame *a = &c->frames[begin], *b = &c->frames[end];
    cut_piece p = {.clip_class = n == 2 ? FR_CLIP_ONE_STEP : FR_CLIP_TWO_STEPS, .begin = begin, .end = end};
    fr_vec2 travel = apart(feet_middle(a), feet_middle(b));
    p.heading = feet_heading(a);
    p.origin = feet_middle(a);
    p.length = length_of(travel);
    if (p.length < 0.1 * c->cells->leg || s[0].foot == s[1].foot) { return FR_OK; }
    p.direction = fr__wrap(heading_of(travel) - p.heading);
    p.facing = fr__wrap(feet_heading(b) - heading_of(travel));
    turn_to_cell(&p);
    // As long as the clips that are made by code, of legs of 0.9 m.
    double sine, cosine;
    fr_sincos(p.direction, &sine, &cosine);
    double full = (n == 2 ? 0.6 : 1.2) * (1.0 - 0.35 * fabs(sine)) * (cosine < -0.42 ? 0.75 : 1.0);
    double ratio = p.length / (full * c->cells->leg / 0.9005);
    p.stride = ratio > 0.75 ? FR_STRIDE_NORMAL : FR_STRIDE_SMALL;
    p.off = off_cell(p.direction) + off_cell(p.facing) + fabs(ratio - (ratio > 0.75 ? 1.0 : 0.5));
    return add_piece(c, &p);
}

// From standing to just before the second foot lands; it walks on until frame `latest`.
static fr_status add_start(cutting *c, const cut_swing *s, uint32_t begin, uint32_t latest) {
    const cut_frame *a = &c->frames[begin];
    cut_piece p = {.clip_class = FR_CLIP_START, .begin = begin, .end = s[1].land};
    uint32_t step = s[1].land - s[0].land, until = s[1].land + 2 * step < latest ? s[1].land + 2 * step : latest;
    if (until < s[1].land + step / 2 || step == 0) { return FR_OK; }
    fr_vec2 on = apart(middle_at(c, s[1].land), middle_at(c, until));
    p.heading = feet_heading(a);
    p.origin = feet_middle(a);
    p.direction = fr__wrap(heading_of(on) - p.heading);
    p.speed = length_of(on) * c->rate / (double)(until - s[1].land);
    p.length = length_of(apart(p.origin, middle_at(c, p.end)));
    // A start with the left foot turns left.
    p.is_mirrored = s[0].foot == FR__RIGHT;
    double turn = p.is_mirrored ? -p.direction : p.direction;
    if (fr__walk_nearest(turn) > 0 && fr__walk_nearest(turn) < 6 && turn < 0.0) { return FR_OK; }
    p.off = off_cell(p.direction);
    return add_piece(c, &p);
}

// From just before a foot lands to standing; `s` are the landing swing and the two after it, and it has walked since
// frame `earliest`.
static fr_status add_end(cutting *c, const cut_swing *s, uint32_t earliest, uint32_t end) {
    const cut_frame *b = &c->frames[end];
    cut_piece p = {.clip_class = FR_CLIP_END, .begin = s[0].land, .end = end};
    uint32_t step = s[1].land - s[0].land, from = s[0].land > earliest + 2 * step ? s[0].land - 2 * step : earliest;
    if (s[0].land < from + step / 2 || step == 0) { return FR_OK; }
    fr_vec2 on = apart(middle_at(c, from), middle_at(c, s[0].land));
    p.heading = heading_of(on);
    p.origin = middle_at(c, s[0].land);
    p.facing = fr__wrap(feet_heading(b) - p.heading);
    p.speed = length_of(on) * c->rate / (double)(s[0].land - from);
    p.length = length_of(apart(p.origin, feet_middle(b)));
    p.last_foot = s[0].foot;
    p.is_mirrored = p.facing < 0.0 && fr__walk_nearest(p.facing) > 0 && fr__walk_nearest(p.facing) < 6;
    fr_vec3 landed = b->ankles[1 - s[0].foot], front = c->frames[s[1].off].ankles[s[0].foot];
    double ratio = ground_distance(landed, front) / (0.72 * c->cells->leg);
    p.stride = ratio > 0.61 ? FR_STRIDE_NORMAL : FR_STRIDE_SMALL;
    p.off = off_cell(p.facing) + fabs(ratio - (ratio > 0.61 ? 0.82 : 0.4));
    return add_piece(c, &p);
}

// A steady step from landing to landing. Its direction is that of a whole stride about it, in which the hips sway to
// both sides.
static fr_status add_straight(cutting *c, const cut_swing *s) {
    cut_piece p = {.clip_class = FR_CLIP_STRAIGHT, .begin = s[0].land, .end = s[1].land};
    uint32_t step = p.end - p.begin, mid = p.begin + step / 2;
    if (mid < step || mid + step >= c->count || step == 0) { return FR_OK; }
    fr_vec2 a = apart(middle_at(c, mid - step), middle_at(c, mid));
    fr_vec2 b = apart(middle_at(c, mid), middle_at(c, mid + step));
    double ratio = length_of(a) / fmax(length_of(b), 1e-6);
    if (fabs(fr__wrap(heading_of(b) - heading_of(a))) > CURVED || ratio < STEADY || ratio > 1.0 / STEADY) {
        return FR_OK;
    }
    p.heading = heading_of((fr_vec2){a.x + b.x, a.y + b.y});
    fr_vec2 from = middle_at(c, p.begin), to = middle_at(c, p.end);
    p.length = length_of(apart(from, to));
    p.speed = p.length * c->rate / (double)step;
    // The line on which it walks goes through the middle between both ends.
    double sine, cosine;
    fr_sincos(p.heading, &sine, &cosine);
    double aside = 0.5 * ((to.x - from.x) * cosine - (to.y - from.y) * sine);
    p.origin = (fr_vec2){from.x + aside * cosine, from.y - aside * sine};
    p.is_mirrored = s[0].foot == FR__LEFT;
    return add_piece(c, &p);
}

// ---------------------------------------------------------------------------------------------------------------
// Clips

// A posture moved so that the piece begins at the origin, facing +Z.
static void move_posture(const cut_piece *p, fr_posture *posture) {
    fr_quat back = fr__turn_y(-p->heading);
    fr_vec3 at = fr_vec3_make(posture->place.x - p->origin.x, posture->place.y, posture->place.z - p->origin.y);
    posture->place = fr_mat3_apply(fr_quat_to_mat3(back), at);
    posture->turns[0] = fr_quat_multiply(back, posture->turns[0]);
}

// Captures tremble: frames about one, with the weights that they count with. Wrists tremble most.
typedef struct smoothing {
    uint32_t half; // frames to each side
    uint32_t count, links;
    fr_quat *turns;  // links of each frame
    double *weights; // links + 1 of each
    fr_weighted_posture *motions;
} smoothing;

// Weight of a frame `offset` seconds away, in a window of that half width.
static double window(double offset, double half) {
    double u = fabs(offset) / half;
    return u < 1.0 ? (1.0 - u * u) * (1.0 - u * u) : 0.0;
}

static bool smoothing_make(const cutting *c, smoothing *s) {
    const fr_skeleton_view *view = fr_skeleton_get(c->cells->skeleton);
    const fr_allocator *allocator = &c->cells->allocator;
    double half = floor(SMOOTH_WRIST * c->rate);
    s->half = half < MAX_SMOOTH ? (uint32_t)half : MAX_SMOOTH;
    s->count = 2 * s->half + 1;
    s->links = view->link_count;
    s->turns = fr_allocate(allocator, (size_t)s->count * s->links, sizeof *s->turns, _Alignof(fr_quat));
    s->weights = fr_allocate(allocator, (size_t)s->count * (s->links + 1), sizeof *s->weights, _Alignof(double));
    s->motions = fr_allocate(allocator, s->count, sizeof *s->motions, _Alignof(fr_weighted_posture));
    if (s->turns == NULL || s->weights == NULL || s->motions == NULL) { return false; }
    for (uint32_t k = 0; k < s->count; k++) {
        double offset = ((double)k - (double)s->half) / c->rate;
        double *weights = s->weights + (size_t)k * (s->links + 1);
        for (uint32_t link = 0; link <= s->links; link++) {
            weights[link] = window(offset, SMOOTH);
        }
        for (int side = 0; side < 2; side++) {
            uint32_t palm = view->roles[side == FR__LEFT ? FR_LINK_LEFT_PALM : FR_LINK_RIGHT_PALM];
            if (palm != FR_NO_LINK) { weights[palm] = window(offset, SMOOTH_WRIST); }
        }
        s->motions[k].weights = weights;
        s->motions[k].posture = (fr_posture){.turns = s->turns + (size_t)k * s->links, .count = s->links};
    }
    return true;
}

static void smoothing_free(const cutting *c, smoothing *s) {
    const fr_allocator *allocator = &c->cells->allocator;
    fr_deallocate(allocator, s->turns, (size_t)s->count * s->links, sizeof *s->turns);
    fr_deallocate(allocator, s->weights, (size_t)s->count * (s->links + 1), sizeof *s->weights);
    fr_deallocate(allocator, s->motions, s->count, sizeof *s->motions);
}

// The posture of a frame, smoothed; its contacts are its own.
static void smooth_frame(const cutting *c, smoothing *s, uint32_t frame, fr_posture *out) {
    for (uint32_t k = 0; k < s->count; k++) {
        uint32_t at = frame + k > s->half ? frame + k - s->half : 0;
        (void)fr_clip_frame(c->clip, at < c->count ? at : c->count - 1, &s->motions[k].posture, NULL);
    }
    fr_posture middle = s->motions[s->half].posture;
    (void)fr_posture_mean(s->motions, s->count, &middle, out, NULL);
    bool stands[2] = {c->frames[frame].stands[FR__LEFT], c->frames[frame].stands[FR__RIGHT]};
    out->contact_left = stands[0] && middle.contact_left == 0 ? 3 : middle.contact_left;
    out->contact_right = stands[1] && middle.contact_right == 0 ? 3 : middle.contact_right;
}

static void fill_piece(const cutting *c, const cut_piece *p, smoothing *s, uint32_t links, fr_vec3 *places,
                       fr_quat *turns, uint8_t *contacts) {
    const fr_skeleton *skeleton = c->cells->skeleton;
    fr_quat all[FR_MAX_LINKS];
    fr_posture posture = {.turns = all, .count = fr_skeleton_get(skeleton)->link_count};
    for (uint32_t i = p->begin; i <= p->end; i++) {
        smooth_frame(c, s, i, &posture);
        move_posture(p, &posture);
        if (p->is_mirrored) { (void)fr_posture_mirror(skeleton, &posture, &posture, NULL); }
        size_t at = i - p->begin;
        places[at] = posture.place;
        memcpy(turns + at * links, all, links * sizeof *turns);
        contacts[2 * at] = posture.contact_left;
        contacts[2 * at + 1] = posture.contact_right;
    }
}

static fr_status make_clip(const cutting *c, const cut_piece *p, fr_clip **out) {
    const fr_allocator *allocator = &c->cells->allocator;
    uint32_t all = fr_skeleton_get(c->cells->skeleton)->link_count, frames = p->end - p->begin + 1;
    uint32_t links = all == FR_LINK_COUNT ? FR_BODY_LINK_COUNT : all;
    fr_vec3 *places = fr_allocate(allocator, frames, sizeof *places, _Alignof(fr_vec3));
    fr_quat *turns = fr_allocate(allocator, (size_t)frames * links, sizeof *turns, _Alignof(fr_quat));
    uint8_t *contacts = fr_allocate(allocator, (size_t)2 * frames, 1, 1);
    smoothing s = {0};
    fr_status status = FR_ERROR_MEMORY;
    if (places != NULL && turns != NULL && contacts != NULL && smoothing_make(c, &s)) {
        fill_piece(c, p, &s, links, places, turns, contacts);
        double sign = p->is_mirrored ? -1.0 : 1.0;
        bool is_left = (p->last_foot == FR__LEFT) != p->is_mirrored;
        fr_clip_def def = fr_default_clip_def();
        def.name = fr_clip_get(c->clip)->name;
        def.clip_class = p->clip_class;
        def.direction = sign * p->direction;
        def.facing = sign * p->facing;
        def.stride = p->stride;
        def.last_foot = p->clip_class != FR_CLIP_END ? FR_FOOT_NONE : is_left ? FR_FOOT_LEFT : FR_FOOT_RIGHT;
        def.frame_rate = c->rate;
        def.length = p->length;
        def.frame_count = frames;
        def.link_count = links;
        def.places = places;
        def.turns = turns;
        def.contacts = contacts;
        def.allocator = *allocator;
        status = fr_clip_create(&def, out, NULL);
    }
    smoothing_free(c, &s);
    fr_deallocate(allocator, places, frames, sizeof *places);
    fr_deallocate(allocator, turns, (size_t)frames * links, sizeof *turns);
    fr_deallocate(allocator, contacts, (size_t)2 * frames, 1);
    return status;
}

static fr_status add_piece(cutting *c, cut_piece *p) {
    double seconds = (double)(p->end - p->begin) / c->rate;
    if (p->end < p->begin + 4 || seconds > LONGEST || p->length < 0.05 * c->cells->leg) { return FR_OK; }
    fr__cell_piece piece = {.speed = p->speed, .off = p->off};
    if (make_clip(c, p, &piece.clip) != FR_OK) {
        return fr_error_set(c->error, FR_ERROR_MEMORY, "no memory for a step");
    }
    piece.cell = fr__walk_cell_of(fr_clip_get(piece.clip));
    fr__cell_piece *place = piece.cell != FR__NO_CELL ? fr__cell_piece_array_push(&c->cells->pieces, 1) : NULL;
    if (place != NULL) {
        *place = piece;
        return FR_OK;
    }
    fr_clip_release(piece.clip);
    return piece.cell == FR__NO_CELL ? FR_OK : fr_error_set(c->error, FR_ERROR_MEMORY, "no memory for a step");
}

// ---------------------------------------------------------------------------------------------------------------
// The whole

// The pieces of swings that follow one another without a stop, left and right in turn.
static fr_status cut_run(cutting *c, const cut_swing *s, size_t n, bool stands_before, uint32_t earliest,
                         uint32_t latest) {
    bool stands_after = s[n - 1].is_stop;
    uint32_t before = (uint32_t)(BEFORE * c->rate), after = (uint32_t)(AFTER * c->rate);
    uint32_t begin = s[0].off > earliest + before ? s[0].off - before : earliest;
    uint32_t end = s[n - 1].land + after < latest ? s[n - 1].land + after : latest;
    if (stands_before && stands_after && (n == 2 || n == 3)) { return add_steps(c, s, n, begin, end); }
    fr_status status = FR_OK;
    if (stands_before && n >= (stands_after ? 4u : 2u)) { status = add_start(c, s, begin, latest); }
    for (size_t k = stands_before ? 1 : 0; k + 1 < n && status == FR_OK; k++) {
        bool is_end = stands_after && k + 3 >= n; // the last steps brake
        if (!is_end) { status = add_straight(c, s + k); }
    }
    if (status == FR_OK && stands_after && n >= (stands_before ? 4u : 3u)) {
        status = add_end(c, s + n - 3, earliest, end);
    }
    return status;
}

static fr_status cut_all(cutting *c) {
    const cut_swing *s = c->swings.data;
    size_t n = c->swings.count;
    fr_status status = FR_OK;
    for (size_t first = 0; first < n && status == FR_OK;) {
        size_t last = first;
        while (last + 1 < n && !s[last].is_stop && s[last + 1].foot != s[last].foot && s[last + 1].off >= s[last].off) {
            last++;
        }
        bool stands = first > 0 ? s[first - 1].is_stop : c->is_stop_first;
        uint32_t earliest = first > 0 ? s[first - 1].land : 0;
        uint32_t latest = last + 1 < n ? s[last + 1].off : c->count - 1;
        status = cut_run(c, s + first, last - first + 1, stands, earliest, latest);
        first = last + 1;
    }
    return status;
}

fr_status fr__walk_cut(fr_walk_cells *cells, const fr_clip *clip, fr_error *error) {
    const fr_clip_view *view = fr_clip_get(clip);
    cutting c = {.cells = cells, .clip = clip, .count = view->frame_count, .rate = view->frame_rate, .error = error};
    c.swings = cut_swing_array_make(&cells->allocator);
    c.frames = fr_allocate(&cells->allocator, c.count, sizeof *c.frames, _Alignof(cut_frame));
    fr_status status = FR_OK;
    if (c.frames == NULL) {
        status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for %u frames", c.count);
    } else {
        read_frames(&c);
        bool has_swings = find_swings(&c, FR__LEFT) && find_swings(&c, FR__RIGHT);
        if (!has_swings) { status = fr_error_set(error, FR_ERROR_MEMORY, "no memory for the steps of a walk"); }
        sort_swings(&c.swings);
        if (status == FR_OK && c.swings.count > 0) {
            find_stops(&c);
            status = cut_all(&c);
        }
    }
    fr_deallocate(&cells->allocator, c.frames, c.count, sizeof *c.frames);
    cut_swing_array_destroy(&c.swings);
    return status;
}
