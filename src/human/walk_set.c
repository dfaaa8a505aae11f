// Makes the 332 clips of a body's walks.
#include "human/walk_set.h"

#include "human/posture.h"
#include "human/walk_cells.h"

#include <string.h>

#define WALK_SET_DEF_COOKIE 0x57534554u

// Clips of one stride with directions 0 .. 6 and their facings.
#define STRIDE_CLIPS 74u

static const double NATURAL_SPEED = 0.40;

fr_walk_set_def fr_default_walk_set_def(void) {
    fr_walk_set_def def;
    memset(&def, 0, sizeof def);
    def.frame_rate = 60.0;
    def.cookie = WALK_SET_DEF_COOKIE;
    return def;
}

uint32_t fr__walk_clip_index(fr_clip_class clip_class, int direction, int facing, fr_stride stride, int joined) {
    uint32_t small = stride == FR_STRIDE_SMALL ? 1u : 0u;
    switch (clip_class) {
    case FR_CLIP_START: return 4u * STRIDE_CLIPS + (uint32_t)direction;
    case FR_CLIP_STRAIGHT: return 4u * STRIDE_CLIPS + 7u;
    case FR_CLIP_END: return 4u * STRIDE_CLIPS + 8u + 4u * (uint32_t)facing + 2u * small + (uint32_t)joined;
    default: break;
    }
    uint32_t base = (clip_class == FR_CLIP_TWO_STEPS ? 2u * STRIDE_CLIPS : 0u) + small * STRIDE_CLIPS;
    if (direction == 0) { return base + (uint32_t)facing; }
    return direction == 6 ? base + 67u + (uint32_t)facing
                          : base + 7u + 12u * (uint32_t)(direction - 1) + (uint32_t)(facing + 5);
}

static void describe(fr_walk_set *set, fr_clip_class clip_class, int direction, int facing, fr_stride stride,
                     int joined) {
    fr__walk_clip *clip = &set->clips[fr__walk_clip_index(clip_class, direction, facing, stride, joined)];
    clip->clip_class = clip_class;
    clip->direction_deg = 30 * direction;
    clip->facing_deg = 30 * facing;
    clip->stride = stride;
    clip->joined = joined;
}

static void describe_all(fr_walk_set *set) {
    for (int stride = FR_STRIDE_NORMAL; stride <= FR_STRIDE_SMALL; stride++) {
        for (int d = 0; d <= 6; d++) {
            for (int f = d % 6 == 0 ? 0 : -5; f <= 6; f++) {
                describe(set, FR_CLIP_ONE_STEP, d, f, (fr_stride)stride, FR__LEFT);
                describe(set, FR_CLIP_TWO_STEPS, d, f, (fr_stride)stride, FR__LEFT);
            }
        }
        for (int f = 0; f <= 6; f++) {
            describe(set, FR_CLIP_END, 0, f, (fr_stride)stride, FR__LEFT);
            describe(set, FR_CLIP_END, 0, f, (fr_stride)stride, FR__RIGHT);
        }
    }
    for (int d = 0; d <= 6; d++) {
        describe(set, FR_CLIP_START, d, 0, FR_STRIDE_NONE, FR__LEFT);
    }
    describe(set, FR_CLIP_STRAIGHT, 0, 0, FR_STRIDE_NONE, FR__LEFT);
}

// ---------------------------------------------------------------------------------------------------------------
// Clips that meet (Ichiguchi A.4 - A.7, with powers of quaternions)

// A figure moved on the ground: turned about the origin, then moved.
static fr__walk_figure placed(const fr__walk_figure *figure, double heading, fr_vec2 place) {
    fr__walk_figure out = *figure;
    double sine, cosine;
    fr_sincos(heading, &sine, &cosine);
    fr_vec3 *points[3] = {&out.middle, &out.legs[0].ankle, &out.legs[1].ankle};
    for (int i = 0; i < 3; i++) {
        fr_vec3 p = *points[i];
        *points[i] = fr_vec3_make(p.x * cosine + p.z * sine + place.x, p.y, p.z * cosine - p.x * sine + place.y);
    }
    out.turns[FR__FIGURE_HIP] = fr_quat_multiply(fr__turn_y(heading), out.turns[FR__FIGURE_HIP]);
    for (int side = 0; side < 2; side++) {
        out.legs[side].heading += heading;
        out.legs[side].knee += heading;
    }
    return out;
}

// q^t by the shorter turn.
static fr_quat power(fr_quat q, double t) { return fr_quat_from_vector(fr_vec3_scale(t, fr_quat_to_vector(q))); }

static void add_leg(fr__walk_leg *leg, const fr__walk_leg *is, const fr__walk_leg *wanted, double part) {
    leg->ankle = fr_vec3_add_scaled(leg->ankle, part, fr_vec3_sub(wanted->ankle, is->ankle));
    leg->heading += part * fr__wrap(wanted->heading - is->heading);
    leg->pitch += part * (wanted->pitch - is->pitch);
    leg->knee += part * fr__wrap(wanted->knee - is->knee);
}

// Adds a part of what lacks from a figure `is` to the wanted one.
static void meet(fr__walk_figure *figure, const fr__walk_figure *is, const fr__walk_figure *wanted, double part) {
    for (int i = 0; i < FR__FIGURE_TURNS; i++) {
        fr_quat lacks = fr_quat_multiply(fr_quat_conjugate(is->turns[i]), wanted->turns[i]);
        figure->turns[i] = fr_quat_multiply(figure->turns[i], power(lacks, part));
    }
    figure->middle = fr_vec3_add_scaled(figure->middle, part, fr_vec3_sub(wanted->middle, is->middle));
    for (int side = 0; side < 2; side++) {
        add_leg(&figure->legs[side], &is->legs[side], &wanted->legs[side], part);
    }
}

// The postures that a clip begins and ends with: standing, or the first one of a straight step.
static void wanted_ends(const fr_walk_set *set, const fr__walk_clip *clip, fr__walk_figure *first,
                        fr__walk_figure *last) {
    fr__walk_figure straight;
    const fr__walk_clip *step = &set->clips[fr__walk_clip_index(FR_CLIP_STRAIGHT, 0, 0, FR_STRIDE_NONE, FR__LEFT)];
    fr__walk_set_figure(set, step, 0.0, &straight);
    if (clip->clip_class == FR_CLIP_END) {
        *first = straight;
        if (clip->joined == FR__LEFT) { fr__walk_mirror(first); }
    } else {
        *first = set->stand;
    }
    *last = placed(clip->clip_class == FR_CLIP_START ? &straight : &set->stand, clip->heading, clip->travel);
}

// Where the figures of a clip come from: a timeline, or a captured step.
typedef struct figure_source {
    const fr__walk_timeline *timeline;
    bool is_mirrored;
    const fr_walk_cells *cells; // NULL: the timeline
} figure_source;

static void figure_at(const fr_walk_set *set, const figure_source *source, uint32_t index, uint32_t frame,
                      fr__walk_figure *figure) {
    if (source->cells != NULL) {
        fr__walk_cell_figure(set, source->cells, index, (double)frame, figure);
        return;
    }
    const fr__walk_timeline *t = source->timeline;
    fr__walk_timeline_figure(t, t->duration * (double)frame / (double)(set->clips[index].frame_count - 1), figure);
    if (source->is_mirrored) { fr__walk_mirror(figure); }
}

static void make_frames(fr_walk_set *set, uint32_t index, const figure_source *source, bool is_planted) {
    const fr__walk_clip *clip = &set->clips[index];
    uint32_t last = clip->frame_count - 1;
    fr__walk_figure figure, first, end, wanted_first, wanted_last;
    figure_at(set, source, index, 0, &first);
    figure_at(set, source, index, last, &end);
    bool is_straight = clip->clip_class == FR_CLIP_STRAIGHT;
    if (is_straight) {
        wanted_first = first;
        wanted_last = first;
        fr__walk_mirror(&wanted_last);
        wanted_last = placed(&wanted_last, 0.0, clip->travel);
    } else {
        wanted_ends(set, clip, &wanted_first, &wanted_last);
    }
    for (uint32_t i = 0; i <= last; i++) {
        double b = (double)i / (double)last, a = 1.0 - b;
        figure_at(set, source, index, i, &figure);
        if (!is_straight) { meet(&figure, &first, &wanted_first, a * a); }
        meet(&figure, &end, &wanted_last, is_straight ? b : b * b);
        fr__walk_store(&figure, &set->frames[clip->first + i]);
    }
    if (is_planted) { fr__walk_set_plant(set, index, &wanted_first, &wanted_last, source->cells != NULL); }
}

// ---------------------------------------------------------------------------------------------------------------
// The set

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for a set of walks");
}

static fr_status check_def(const fr_walk_set_def *def, fr_error *error) {
    if (def->cookie != WALK_SET_DEF_COOKIE) { return fr_error_set_cookie(error, "fr_default_walk_set_def"); }
    if (def->skeleton == NULL) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a set of walks has a skeleton"); }
    if (!(def->speed >= 0.0 && def->speed <= FR_LENGTH_MAX)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "a speed of %g metres a second", def->speed);
    }
    if (!(def->frame_rate >= FR_WALK_MIN_RATE && def->frame_rate <= FR_WALK_MAX_RATE)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "%g frames a second, not %g .. %g", def->frame_rate,
                            FR_WALK_MIN_RATE, FR_WALK_MAX_RATE);
    }
    return FR_OK;
}

static uint32_t straight_index(void) { return fr__walk_clip_index(FR_CLIP_STRAIGHT, 0, 0, FR_STRIDE_NONE, FR__LEFT); }

// The gait, with a period of whole frames.
static void set_gait(fr_walk_set *set, const fr_walk_set_def *def) {
    fr__gait *gait = &set->gait;
    double natural = NATURAL_SPEED * sqrt(FR__GRAVITY * set->body.leg), speed = def->speed;
    if (def->cells != NULL && def->cells->clips[straight_index()] != NULL) {
        fr_walk_cells_view cells = fr_walk_cells_get(def->cells);
        speed = cells.speed * set->body.leg / cells.leg;
    }
    fr__gait_init(gait, set->body.leg, speed > 0.0 ? speed : natural, FR__GAIT_DELAY);
    gait->period = 2.0 * floor(0.5 * gait->period * def->frame_rate + 0.5) / def->frame_rate;
    set->view.frame_rate = def->frame_rate;
    set->view.speed = gait->stride / gait->period;
    set->view.step = 0.5 * gait->stride;
    set->view.leg = gait->leg;
}

// What each clip is, and how many frames all have.
static fr_status plan_all(fr_walk_set *set, const fr_walk_cells *cells, size_t *frames, fr_error *error) {
    fr__walk_timeline timeline;
    bool is_mirrored;
    *frames = 0;
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        fr__walk_clip_plan(&set->gait, &set->body, set->view.frame_rate, &set->clips[i], &timeline, &is_mirrored);
        if (cells != NULL && cells->clips[i] != NULL) {
            fr_status status = fr__walk_set_take_cell(set, cells, i, error);
            if (status != FR_OK) { return status; }
        }
        set->clips[i].first = (uint32_t)*frames;
        *frames += set->clips[i].frame_count;
    }
    return FR_OK;
}

// Makes the frames of one clip, which has its place among the frames of the set.
static fr_status make_clip(fr_walk_set *set, const fr_walk_cells *cells, uint32_t index, fr_error *error) {
    fr__walk_clip *clip = &set->clips[index];
    fr__walk_timeline timeline;
    bool is_captured = cells != NULL && cells->clips[index] != NULL;
    // Prints of clips that are made by code fit to one another, but not to a captured straight step.
    bool is_planted = cells != NULL && (is_captured || cells->clips[straight_index()] != NULL);
    figure_source source = {.timeline = &timeline, .cells = is_captured ? cells : NULL};
    if (is_captured) {
        fr_status status = fr__walk_set_cell_travel(set, cells, index, error);
        if (status != FR_OK) { return status; }
    } else {
        fr__walk_clip_plan(&set->gait, &set->body, set->view.frame_rate, clip, &timeline, &source.is_mirrored);
        fr__walk_timeline_finish(&timeline);
    }
    make_frames(set, index, &source, is_planted);
    return FR_OK;
}

static fr_status make_all(fr_walk_set *set, const fr_walk_cells *cells, fr_error *error) {
    describe_all(set);
    size_t frames;
    fr_status status = plan_all(set, cells, &frames, error);
    if (status != FR_OK) { return status; }
    set->frames = fr_allocate(&set->allocator, frames, sizeof *set->frames, _Alignof(fr__walk_frame));
    if (set->frames == NULL) { return no_memory(error); }
    set->view.frames = set->capacity = frames;
    set->view.bytes = sizeof *set + frames * sizeof *set->frames;

    // The straight step comes first: the others meet it.
    for (uint32_t i = 0; i < FR_WALK_CLIPS && status == FR_OK; i++) {
        status = make_clip(set, cells, (i + straight_index()) % FR_WALK_CLIPS, error);
        if (i == 0 && status == FR_OK && cells != NULL && cells->clips[straight_index()] != NULL) {
            const fr__walk_clip *step = &set->clips[straight_index()];
            set->view.step = step->travel.y;
            set->view.speed = step->travel.y * set->view.frame_rate / (double)(step->frame_count - 1);
        }
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Clips that are made when they are needed

static void plan_clip(fr_walk_set *set, uint32_t index) {
    fr__walk_timeline timeline;
    bool is_mirrored;
    fr__walk_clip_plan(&set->gait, &set->body, set->view.frame_rate, &set->clips[index], &timeline, &is_mirrored);
}

// Room for so many frames more.
static bool reserve(fr_walk_set *set, size_t count) {
    size_t wanted = set->view.frames + count, capacity = set->capacity + set->capacity / 2;
    if (wanted <= set->capacity) { return true; }
    capacity = capacity > wanted ? capacity : wanted;
    fr__walk_frame *frames = fr_allocate(&set->allocator, capacity, sizeof *frames, _Alignof(fr__walk_frame));
    if (frames == NULL) { return false; }
    if (set->view.frames > 0) { memcpy(frames, set->frames, set->view.frames * sizeof *frames); }
    fr_deallocate(&set->allocator, set->frames, set->capacity, sizeof *frames);
    set->frames = frames;
    set->capacity = capacity;
    set->view.bytes = sizeof *set + capacity * sizeof *frames;
    return true;
}

// A set that makes its clips when they are needed is one thread's, so that what is const for its callers may change.
const fr__walk_clip *fr__walk_set_look_up(const fr_walk_set *set, uint32_t index) {
    fr_walk_set *own = (fr_walk_set *)set;
    if (set->is_lazy && set->clips[index].frame_count == 0) { plan_clip(own, index); }
    return &set->clips[index];
}

bool fr__walk_set_need(const fr_walk_set *set, uint32_t index) {
    fr_walk_set *own = (fr_walk_set *)set;
    fr__walk_clip *clip = &own->clips[index];
    if (clip->first != FR__NO_FRAMES) { return true; }
    (void)fr__walk_set_look_up(set, index);
    if (!reserve(own, clip->frame_count)) { return false; }
    clip->first = (uint32_t)own->view.frames;
    own->view.frames += clip->frame_count;
    (void)make_clip(own, NULL, index, NULL); // without captured steps nothing can fail
    return true;
}

// The straight step comes first here, too.
static fr_status begin_lazily(fr_walk_set *set, fr_error *error) {
    set->is_lazy = true;
    describe_all(set);
    for (uint32_t i = 0; i < FR_WALK_CLIPS; i++) {
        set->clips[i].first = FR__NO_FRAMES;
    }
    return fr__walk_set_need(set, straight_index()) ? FR_OK : no_memory(error);
}

fr_status fr_walk_set_create(const fr_walk_set_def *def, fr_walk_set **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    fr_status status = check_def(def, error);
    fr__walk_body body;
    if (status == FR_OK) { status = fr__walk_body_read(def->skeleton, &body, error); }
    if (status != FR_OK) { return status; }

    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_walk_set *set = fr_allocate(&allocator, 1, sizeof *set, _Alignof(fr_walk_set));
    if (set == NULL) { return no_memory(error); }
    memset(set, 0, sizeof *set);
    set->allocator = allocator;
    atomic_init(&set->references, 1u);
    set->body = body;
    set->view.skeleton = fr_skeleton_retain(def->skeleton);
    set_gait(set, def);
    fr__walk_stand(&set->body, &set->stand);
    bool is_lazy = def->is_lazy && def->cells == NULL;
    status = is_lazy ? begin_lazily(set, error) : make_all(set, def->cells, error);
    if (status != FR_OK) {
        fr_walk_set_release(set);
        return status;
    }
    *out = set;
    return FR_OK;
}

fr_walk_set *fr_walk_set_retain(const fr_walk_set *set) {
    FR_ASSERT(set != NULL);
    fr_walk_set *held = (fr_walk_set *)set;
    (void)atomic_fetch_add_explicit(&held->references, 1u, memory_order_relaxed);
    return held;
}

void fr_walk_set_release(const fr_walk_set *set) {
    if (set == NULL) { return; }
    fr_walk_set *held = (fr_walk_set *)set;
    if (atomic_fetch_sub_explicit(&held->references, 1u, memory_order_acq_rel) != 1u) { return; }
    fr_skeleton_release(held->view.skeleton);
    fr_allocator allocator = held->allocator;
    fr_deallocate(&allocator, held->frames, held->capacity, sizeof *held->frames);
    fr_deallocate(&allocator, held, 1, sizeof *held);
}

const fr_walk_set_view *fr_walk_set_get(const fr_walk_set *set) {
    FR_ASSERT(set != NULL);
    return &set->view;
}

void fr__walk_set_figure(const fr_walk_set *set, const fr__walk_clip *clip, double frame, fr__walk_figure *figure) {
    double last = (double)(clip->frame_count - 1), time = frame < 0.0 ? 0.0 : (frame > last ? last : frame);
    uint32_t whole = (uint32_t)time;
    whole = whole + 2 > clip->frame_count ? clip->frame_count - 2 : whole;
    const fr__walk_frame *at = &set->frames[clip->first + whole];
    fr__walk_load(at, at + 1, time - (double)whole, figure);
}

bool fr__walk_stands(const fr__walk_clip *clip, int foot, double frame, uint32_t *contact) {
    uint32_t i = 0;
    while (i + 1 < clip->contact_counts[foot] && frame >= clip->contacts[foot][i + 1].begin) {
        i++;
    }
    *contact = i;
    return frame <= clip->contacts[foot][i].end;
}

uint8_t fr__walk_contact_bits(double pitch) {
    return pitch > 0.0 ? FR_CONTACT_HEEL : (pitch < 0.0 ? FR_CONTACT_TOE : FR_CONTACT_HEEL | FR_CONTACT_TOE);
}

fr_status fr_walk_set_stand(const fr_walk_set *set, fr_vec3 place, double heading, fr_posture *posture,
                            fr_error *error) {
    FR_ASSERT(set != NULL && posture != NULL);
    fr_status status = fr__posture_check_count(posture, fr_skeleton_get(set->view.skeleton)->link_count, error);
    if (status != FR_OK) { return status; }
    if (!(fr_vec3_is_finite(place) && fr_vec3_largest(place) <= FR_LENGTH_MAX && fabs(heading) <= FR_TURN_MAX)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the place or heading to stand at is not finite");
    }
    fr__walk_figure figure = placed(&set->stand, fr__wrap(heading), (fr_vec2){place.x, place.z});
    fr__walk_pose_planned(set->view.skeleton, &set->body, &figure, posture);
    posture->place.y += place.y;
    posture->contact_left = posture->contact_right = FR_CONTACT_HEEL | FR_CONTACT_TOE;
    return FR_OK;
}
