// Where a worn device is. Samples come a hundred times a second, late and noisy; the pose is wanted a thousand times.
// The newest sample is carried on by a velocity that is filtered more than poses are, since a body speeds up slowly,
// and the pose follows it by a first-order filter that knows the same velocity: it lags behind a change of velocity
// alone. A sample that cannot be right is left out. When none counts for too long the pose is lost, which ends the
// force, and begins again where three samples agree.
#include "fureai/haptic.h"

#include <math.h>
#include <string.h>

#define TRACK_COOKIE 0x5452434bu
#define AGREEING 3 // samples that begin a pose
#define PLACES_MAX 1024

static const fr_vec3 zero = {0.0, 0.0, 0.0};

struct fr_track {
    fr_track_def def;
    fr_allocator allocator;
    bool has_pose;
    fr_pose pose;              // of the sensor, filtered
    fr_pose sample;            // the last that counted
    fr_vec3 velocity, turning; // of the sensor, filtered; a second
    double sample_time, time;  // of that sample, and of the last tick
    bool has_time;
    fr_pose stray; // the last that did not count
    double stray_time;
    uint32_t stray_count; // of them one after another, each where the one before was
};

fr_track_def fr_default_track_def(void) {
    return (fr_track_def){.mount = fr_pose_identity(),
                          .cutoff = 8.0,
                          .velocity_cutoff = 2.0,
                          .ahead = 0.02,
                          .jump = 0.05,
                          .jump_turn = 0.5,
                          .lost = 0.1,
                          .map = NULL,
                          .cookie = TRACK_COOKIE};
}

// ---------------------------------------------------------------------------------------------------------------
// The map of a field

fr_status fr_track_map_check(const fr_track_map *map, fr_error *error) {
    FR_ASSERT(map != NULL);
    const fr_bounds *b = &map->bounds;
    if (!fr_vec3_is_finite(b->min) || !fr_vec3_is_finite(b->max)) {
        return fr_error_set(error, FR_ERROR_NOT_FINITE, "the map's bounds are not finite");
    }
    bool is_right = b->min.x < b->max.x && b->min.y < b->max.y && b->min.z < b->max.z && map->offsets != NULL;
    for (int i = 0; i < 3; i++) {
        is_right = is_right && map->count[i] >= 2 && map->count[i] <= PLACES_MAX;
    }
    if (!is_right) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the map is no grid of 2 .. 1024 places an axis"); }
    size_t count = (size_t)map->count[0] * map->count[1] * map->count[2];
    for (size_t i = 0; i < count; i++) {
        if (!fr_vec3_is_finite(map->offsets[i])) {
            return fr_error_set(error, FR_ERROR_NOT_FINITE, "offset %zu of the map is not finite", i);
        }
    }
    return FR_OK;
}

// The cell along one axis, and how far into it.
static size_t cell_of(double low, double high, uint32_t count, double x, double *into) {
    double place = fmin(fmax((x - low) / (high - low), 0.0), 1.0) * (count - 1);
    double cell = fmin(floor(place), (double)count - 2.0);
    *into = place - cell;
    return (size_t)cell;
}

fr_vec3 fr_track_map_offset(const fr_track_map *map, fr_vec3 position) {
    FR_ASSERT(map != NULL && fr_vec3_is_finite(position));
    const fr_bounds *b = &map->bounds;
    double u, v, w;
    size_t x = cell_of(b->min.x, b->max.x, map->count[0], position.x, &u);
    size_t y = cell_of(b->min.y, b->max.y, map->count[1], position.y, &v);
    size_t z = cell_of(b->min.z, b->max.z, map->count[2], position.z, &w);
    fr_vec3 planes[2];
    for (size_t k = 0; k < 2; k++) {
        const fr_vec3 *near = map->offsets + ((z + k) * map->count[1] + y) * map->count[0] + x;
        const fr_vec3 *far = near + map->count[0];
        planes[k] = fr_vec3_lerp(fr_vec3_lerp(near[0], near[1], u), fr_vec3_lerp(far[0], far[1], u), v);
    }
    return fr_vec3_lerp(planes[0], planes[1], w);
}

// The share of what is new that a filter takes over dt seconds; all of it after a time so long that it has no number.
static double share_of(double cutoff, double dt) {
    double x = 2.0 * FR_PI * cutoff * dt;
    return x < HUGE_VAL ? x / (1.0 + x) : 1.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Samples

fr_status fr_track_create(const fr_track_def *def, fr_track **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != TRACK_COOKIE) { return fr_error_set_cookie(error, "fr_default_track_def"); }
    const double above_zero[] = {def->cutoff, def->velocity_cutoff, def->jump, def->jump_turn, def->lost};
    bool is_right = def->ahead >= 0.0 && isfinite(def->ahead) && def->cutoff <= FR_TRACK_CUTOFF_MAX &&
                    def->velocity_cutoff <= FR_TRACK_CUTOFF_MAX;
    for (size_t i = 0; i < sizeof above_zero / sizeof above_zero[0]; i++) {
        is_right = is_right && above_zero[i] > 0.0 && isfinite(above_zero[i]);
    }
    if (!is_right) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a number of the definition is outside its limits");
    }
    fr_pose mount = def->mount;
    fr_status status = fr_pose_check(&mount, error);
    if (status != FR_OK) { return status; }
    if (mount.scale != 1.0) { return fr_error_set(error, FR_ERROR_ARGUMENT, "the mount's scale is not 1"); }
    if (def->map != NULL && (status = fr_track_map_check(def->map, error)) != FR_OK) { return status; }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_track *track = fr_allocate(&allocator, 1, sizeof *track, _Alignof(fr_track));
    if (track == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the filter of a sensor"); }
    memset(track, 0, sizeof *track);
    track->def = *def;
    track->allocator = allocator;
    track->def.mount = mount;
    track->pose = track->sample = track->stray = fr_pose_identity();
    *out = track;
    return FR_OK;
}

void fr_track_destroy(fr_track *track) {
    if (track == NULL) { return; }
    fr_allocator allocator = track->allocator;
    fr_deallocate(&allocator, track, 1, sizeof *track);
}

static fr_vec3 turn_between(const fr_pose *from, const fr_pose *to) {
    return fr_quat_to_vector(fr_quat_multiply(to->rotation, fr_quat_conjugate(from->rotation)));
}

static fr_pose carried(const fr_pose *pose, fr_vec3 displacement, fr_vec3 turn) {
    fr_pose out = fr_pose_make(fr_vec3_add(pose->position, displacement),
                               fr_quat_multiply(fr_quat_from_vector(turn), pose->rotation));
    fr_quat_normalize(&out.rotation, NULL); // a product of unit quaternions: near enough to be one
    return out;
}

static bool is_near(const fr_track_def *def, const fr_pose *a, const fr_pose *b) {
    fr_vec3 origin = def->mount.position;
    return fr_vec3_distance(a->position, b->position) <= def->jump &&
           fr_vec3_distance(fr_pose_apply(a, origin), fr_pose_apply(b, origin)) <= def->jump &&
           fr_vec3_length(turn_between(a, b)) <= def->jump_turn;
}

// One that does not count is kept beside: when the pose is lost, and this is where the ones before it were, it may
// begin here.
static uint32_t stray(fr_track *t, const fr_pose *sample, double time) {
    bool agrees = t->stray_count > 0 && time - t->stray_time <= t->def.lost && is_near(&t->def, sample, &t->stray);
    t->stray_count = agrees ? t->stray_count + 1 : 1;
    t->stray = *sample;
    t->stray_time = time;
    if (t->has_pose) { return FR_TRACK_JUMPED; }
    if (t->stray_count < AGREEING) { return 0; }
    t->pose = t->sample = *sample;
    t->sample_time = time;
    t->velocity = t->turning = zero;
    t->stray_count = 0;
    t->has_pose = true;
    return FR_TRACK_STARTED;
}

static uint32_t take_sample(fr_track *t, const fr_track_input *in) {
    fr_pose sample = in->sample;
    sample.scale = 1.0;
    if (fr_pose_check(&sample, NULL) != FR_OK) { return FR_TRACK_NOT_FINITE; }
    double time = in->sample_time;
    bool is_after = (!t->has_pose || time > t->sample_time) && (t->stray_count == 0 || time > t->stray_time);
    if (!(isfinite(time) && time <= in->now && is_after)) { return FR_TRACK_CLOCK; }
    if (t->def.map != NULL) {
        sample.position = fr_vec3_add(sample.position, fr_track_map_offset(t->def.map, sample.position));
    }
    if (!t->has_pose) { return stray(t, &sample, time); }

    double dt = time - t->sample_time;
    fr_pose expected = carried(&t->sample, fr_vec3_scale(dt, t->velocity), fr_vec3_scale(dt, t->turning));
    if (!is_near(&t->def, &sample, &expected)) { return stray(t, &sample, time); }
    double part = share_of(t->def.velocity_cutoff, dt);
    fr_vec3 velocity = fr_vec3_scale(1.0 / dt, fr_vec3_sub(sample.position, t->sample.position));
    fr_vec3 turning = fr_vec3_scale(1.0 / dt, turn_between(&t->sample, &sample));
    t->velocity = fr_vec3_lerp(t->velocity, velocity, part);
    t->turning = fr_vec3_lerp(t->turning, turning, part);
    t->sample = sample;
    t->sample_time = time;
    t->stray_count = 0;
    return 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The pose between them

// By dt seconds, at the end of which the newest sample is `age` old. Beyond `ahead` nothing is carried on.
static void follow(fr_track *t, double dt, double age) {
    double ahead = fmin(age, t->def.ahead), moving = fmin(fmax(t->def.ahead - (age - dt), 0.0), dt);
    fr_pose aim = carried(&t->sample, fr_vec3_scale(ahead, t->velocity), fr_vec3_scale(ahead, t->turning));
    fr_pose here = carried(&t->pose, fr_vec3_scale(moving, t->velocity), fr_vec3_scale(moving, t->turning));
    double part = share_of(t->def.cutoff, dt);
    fr_vec3 displacement = fr_vec3_sub(aim.position, here.position);
    t->pose = carried(&here, fr_vec3_scale(part, displacement), fr_vec3_scale(part, turn_between(&here, &aim)));
}

// Whoever feels the pose must see that it is lost, so what begins it again comes after.
static void lose(fr_track *t) {
    t->has_pose = false;
    t->stray_count = 0;
}

void fr_track_tick(fr_track *track, const fr_track_input *input, fr_track_output *output) {
    FR_ASSERT(track != NULL && input != NULL && output != NULL);
    fr_track *t = track;
    uint32_t flags = 0;
    if (!isfinite(input->now)) {
        flags |= FR_TRACK_CLOCK;
    } else {
        if (t->has_time && input->now < t->time) {
            lose(t); // a clock that goes back leaves nothing to go on from
            t->time = input->now;
            flags |= FR_TRACK_CLOCK;
        }
        double dt = t->has_time ? input->now - t->time : 0.0;
        t->time = input->now;
        t->has_time = true;
        if (t->has_pose && input->now - t->sample_time > t->def.lost) { lose(t); }
        if (input->has_sample) { flags |= take_sample(t, input); }
        double age = input->now - t->sample_time;
        if (t->has_pose && age > t->def.lost) { lose(t); } // a sample that was old when it came
        if (t->has_pose) {
            if ((flags & FR_TRACK_STARTED) == 0) { follow(t, dt, age); }
            if (age > t->def.ahead) { flags |= FR_TRACK_OLD; }
        }
    }
    if (!t->has_pose || !isfinite(input->now)) { flags = (flags & ~(uint32_t)FR_TRACK_STARTED) | FR_TRACK_LOST; }
    output->sensor = t->pose;
    output->mount = t->def.mount;
    output->flags = flags;
}

fr_vec3 fr_track_point(const fr_track_output *output, fr_vec3 point_device) {
    FR_ASSERT(output != NULL);
    return fr_pose_apply(&output->sensor, fr_pose_apply(&output->mount, point_device));
}
