// A real thing that a tracker follows: smoothed where it stands, taken as it is where it moves, not used where it is
// fast or not seen.
#include "fureai/collide.h"
#include "fureai/hand.h"

#include <string.h>

#define REAL_COOKIE 0x5245414Cu
#define SAMPLES 64
#define WINDOW 0.5 // seconds of measurements that give a speed
#define SURE 5.0   // deviations: a speed that noise alone gives in one of 10^5 windows is not believed

typedef struct real_sample {
    fr_pose pose;
    double time;
} real_sample;

struct fr_real {
    fr_real_def def;
    fr_allocator allocator;
    real_sample samples[SAMPLES]; // the last ones, in a ring
    uint32_t next, count, still;
    fr_pose pose;
    double time, speed;
};

fr_real_def fr_default_real_def(void) {
    fr_real_def def;
    memset(&def, 0, sizeof def);
    def.position_error = 0.001;
    def.rotation_error = fr_radians(0.3);
    def.radius = 0.1;
    def.smoothing = 0.1;
    def.slow = 0.005;
    def.fast = 0.1;
    def.lost = 0.1;
    def.cookie = REAL_COOKIE;
    return def;
}

static bool is_between(double x, double low, double high) { return x >= low && x <= high; }

static bool are_errors(double position_error, double rotation_error) {
    return is_between(position_error, 0.0, 1e6) && is_between(rotation_error, 0.0, FR_PI);
}

fr_status fr_real_create(const fr_real_def *def, fr_real **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != REAL_COOKIE) { return fr_error_set_cookie(error, "fr_default_real_def"); }
    bool is_right = are_errors(def->position_error, def->rotation_error) && is_between(def->radius, 0.0, 1e6) &&
                    is_between(def->smoothing, 0.0, 1e6) && is_between(def->slow, 0.0, 1e6) &&
                    is_between(def->fast, def->slow, 1e6) && is_between(def->lost, 0.0, 1e6);
    if (!is_right) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a number of a real object is outside its limits"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_real *real = fr_allocate(&allocator, 1, sizeof *real, _Alignof(fr_real));
    if (real == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "out of memory for the filter of a real object"); }
    memset(real, 0, sizeof *real);
    real->def = *def;
    real->allocator = allocator;
    real->pose = fr_pose_identity();
    *out = real;
    return FR_OK;
}

fr_status fr_real_set_errors(fr_real *real, double position_error, double rotation_error, fr_error *error) {
    FR_ASSERT(real != NULL);
    if (!are_errors(position_error, rotation_error)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the errors of a measurement are outside their limits");
    }
    real->def.position_error = position_error;
    real->def.rotation_error = rotation_error;
    return FR_OK;
}

void fr_real_destroy(fr_real *real) {
    if (real == NULL) { return; }
    fr_allocator allocator = real->allocator;
    fr_deallocate(&allocator, real, 1, sizeof *real);
}

// ---------------------------------------------------------------------------------------------------------------
// Speed

// Sums of a regression of places and turns over time, about the newest measurement.
typedef struct slopes {
    double count, time, time_square;
    fr_vec3 place, turn;           // sums
    fr_vec3 place_time, turn_time; // sums times time
} slopes;

static void add(slopes *s, double time, fr_vec3 place, fr_vec3 turn) {
    s->count += 1.0;
    s->time += time;
    s->time_square += time * time;
    s->place = fr_vec3_add(s->place, place);
    s->turn = fr_vec3_add(s->turn, turn);
    s->place_time = fr_vec3_add_scaled(s->place_time, time, place);
    s->turn_time = fr_vec3_add_scaled(s->turn_time, time, turn);
}

// What a slope is for certain, given the error of one measurement.
static double sure_slope(const slopes *s, fr_vec3 sum, fr_vec3 sum_time, double error) {
    double spread = s->time_square - s->time * s->time / s->count;
    if (!(spread > 0.0)) { return 0.0; }
    fr_vec3 slope = fr_vec3_scale(1.0 / spread, fr_vec3_add_scaled(sum_time, -s->time / s->count, sum));
    return fmax(0.0, fr_vec3_length(slope) - SURE * error / sqrt(spread));
}

// The speed of the farthest point that measurements prove: the largest over all windows that end now, since short ones
// show what is fast at once and long ones what is slow.
static double sure_speed(const fr_real *real) {
    const fr_real_def *def = &real->def;
    uint32_t newest = (real->next + SAMPLES - 1) % SAMPLES;
    const real_sample *now = &real->samples[newest];
    fr_quat back = fr_quat_conjugate(now->pose.rotation);
    slopes s;
    memset(&s, 0, sizeof s);
    double most = 0.0;
    for (uint32_t i = 0; i < real->count; i++) {
        const real_sample *one = &real->samples[(newest + SAMPLES - i) % SAMPLES];
        double time = one->time - now->time;
        if (time < -WINDOW) { break; }
        fr_vec3 turn = fr_quat_to_vector(fr_quat_multiply(one->pose.rotation, back));
        add(&s, time, fr_vec3_sub(one->pose.position, now->pose.position), turn);
        double speed = sure_slope(&s, s.place, s.place_time, def->position_error) +
                       def->radius * sure_slope(&s, s.turn, s.turn_time, def->rotation_error);
        most = fmax(most, speed);
    }
    return most;
}

// ---------------------------------------------------------------------------------------------------------------
// Measuring

static void blend(fr_real *real, const fr_pose *measured, double share) {
    fr_quat off = fr_quat_multiply(measured->rotation, fr_quat_conjugate(real->pose.rotation));
    fr_quat turn = fr_quat_from_vector(fr_vec3_scale(share, fr_quat_to_vector(off)));
    real->pose.position = fr_vec3_lerp(real->pose.position, measured->position, share);
    real->pose.rotation = fr_quat_multiply(turn, real->pose.rotation);
    (void)fr_quat_normalize(&real->pose.rotation, NULL);
}

fr_status fr_real_see(fr_real *real, const fr_pose *measured, double time, fr_error *error) {
    FR_ASSERT(real != NULL && measured != NULL);
    fr_pose pose = *measured;
    fr_status status = fr_pose_check(&pose, error);
    if (status != FR_OK) { return status; }
    if (!isfinite(time)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "the time is not finite"); }
    if (real->count > 0 && time <= real->time) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the measurement is not later than the one before");
    }
    // An object that was not measured for long may be anywhere: the filter starts from scratch.
    double step = real->count > 0 ? time - real->time : 0.0;
    if (step > real->def.lost) { real->count = real->still = 0; }
    real->samples[real->next] = (real_sample){pose, time};
    real->next = (real->next + 1) % SAMPLES;
    real->count += real->count < SAMPLES;
    real->time = time;
    real->speed = sure_speed(real);

    // The mean of the first ones while there are few, then first order
    bool is_slow = real->speed < real->def.slow || real->speed == 0.0;
    real->still = is_slow ? real->still + (real->still < SAMPLES) : 0;
    if (real->still <= 1) {
        real->pose = pose;
    } else {
        double share = real->def.smoothing > 0.0 ? step / (real->def.smoothing + step) : 1.0;
        blend(real, &pose, fmax(share, 1.0 / real->still));
        real->pose.scale = pose.scale;
    }
    return FR_OK;
}

fr_real_state fr_real_now(const fr_real *real, double time) {
    FR_ASSERT(real != NULL);
    fr_real_state state = {.pose = real->pose, .speed = real->speed, .age = HUGE_VAL};
    fr_uncertainty errors = {.position_error = real->def.position_error, .rotation_error = real->def.rotation_error};
    bool is_known = real->count > 0 && !isnan(time);
    if (is_known) {
        state.age = fmax(0.0, time - real->time);
        errors.latency = state.age;
        errors.speed = real->speed;
        state.is_slow = real->still > 0;
        state.is_usable = state.age <= real->def.lost && real->speed <= real->def.fast;
    }
    state.alignment = is_known ? fr_uncertainty_reach(&errors, real->def.radius) : HUGE_VAL;
    return state;
}

fr_status fr_real_put(const fr_real_state *state, fr_space *space, fr_object_id object, fr_error *error) {
    FR_ASSERT(state != NULL && space != NULL);
    const fr_object_view *view = fr_object_get(space, object);
    if (view == NULL) { return fr_error_set(error, FR_ERROR_STALE_ID, "the real object is not there"); }
    uint32_t flags = (view->flags | FR_OBJECT_REAL) & ~(uint32_t)FR_OBJECT_SENSOR;
    if (!state->is_usable) { flags |= FR_OBJECT_SENSOR; }
    fr_status status = fr_object_set_pose(space, object, &state->pose, error);
    if (status == FR_OK && flags != view->flags) {
        status = fr_object_set_flags(space, object, flags, error);
        if (status != FR_OK) { fr_error_set(error, status, "the flags of a real object were refused"); }
    }
    return status;
}
