// A simulated magnetic tracker: late, noisy and sometimes silent.
#include "fureai/devices.h"

#include <math.h>
#include <string.h>

#define WILD 0.5 // metres
#define DEGREE 0.017453292519943295
#define WAITING_MAX 16
#define TRACKER_COOKIE 0x54524b52u

struct fr_simulated_tracker {
    fr_simulated_tracker_def def;
    fr_allocator allocator;
    fr_random random;
    double last;   // tick
    double next;   // when the next sample is taken
    double silent; // no samples before this time
    bool has_begun;
    uint32_t waiting; // samples in transit, the oldest first
    double times[WAITING_MAX];
    fr_pose poses[WAITING_MAX];
};

fr_simulated_tracker_def fr_default_simulated_tracker_def(void) {
    return (fr_simulated_tracker_def){.cookie = TRACKER_COOKIE,
                                      .half = 1.5,
                                      .noise_centre = 5e-4,
                                      .noise_screen = 5e-3,
                                      .turn_centre = 0.02 * DEGREE,
                                      .turn_screen = 0.2 * DEGREE,
                                      .rate = 120.0,
                                      .delay = 0.004,
                                      .dropout_seconds = 0.05,
                                      .seed = 1};
}

// 0 at the centre, 1 at a screen.
static double share_of(const fr_simulated_tracker_def *def, fr_vec3 position) {
    double share = fr_vec3_largest(fr_vec3_sub(position, def->centre)) / def->half;
    return share < 1.0 ? share * share : 1.0;
}

double fr_simulated_tracker_noise(const fr_simulated_tracker_def *def, fr_vec3 position) {
    return def->noise_centre + (def->noise_screen - def->noise_centre) * share_of(def, position);
}

double fr_simulated_tracker_turn_noise(const fr_simulated_tracker_def *def, fr_vec3 position) {
    return def->turn_centre + (def->turn_screen - def->turn_centre) * share_of(def, position);
}

static fr_vec3 normal_vector(fr_random *random, double deviation) {
    fr_vec3 v;
    v.x = deviation * fr_random_normal(random);
    v.y = deviation * fr_random_normal(random);
    v.z = deviation * fr_random_normal(random);
    return v;
}

fr_status fr_simulated_tracker_create(const fr_simulated_tracker_def *def, fr_simulated_tracker **out,
                                      fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != TRACKER_COOKIE) { return fr_error_set_cookie(error, "fr_default_simulated_tracker_def"); }
    if (!(def->rate > 0.0 && def->half > 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "rate or room of the simulated tracker is not above 0");
    }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_simulated_tracker *t = fr_allocate(&allocator, 1, sizeof *t, _Alignof(fr_simulated_tracker));
    if (t == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for a simulated tracker"); }
    memset(t, 0, sizeof *t);
    t->def = *def;
    t->allocator = allocator;
    t->random = fr_random_seed(def->seed);
    t->silent = -INFINITY;
    *out = t;
    return FR_OK;
}

void fr_simulated_tracker_destroy(fr_simulated_tracker *t) {
    if (t == NULL) { return; }
    fr_allocator allocator = t->allocator;
    fr_deallocate(&allocator, t, 1, sizeof *t);
}

const fr_simulated_tracker_def *fr_simulated_tracker_get_def(const fr_simulated_tracker *t) { return &t->def; }

void fr_simulated_tracker_silence(fr_simulated_tracker *t, double until) {
    if (until > t->silent) { t->silent = until; }
    t->waiting = 0;
}

// The same numbers are drawn for every sample, delivered or not, so that a dropout changes nothing after it.
static fr_pose measured(fr_simulated_tracker *t, const fr_pose *truth, bool *is_delivered, double now) {
    const fr_simulated_tracker_def *d = &t->def;
    double turn = fr_simulated_tracker_turn_noise(d, truth->position);
    fr_vec3 off = normal_vector(&t->random, fr_simulated_tracker_noise(d, truth->position));
    fr_vec3 turned = normal_vector(&t->random, turn);
    bool drops = fr_random_unit(&t->random) < d->dropouts / d->rate;
    bool is_wild = fr_random_unit(&t->random) < d->wild_share;
    if (drops && now + d->dropout_seconds > t->silent) { t->silent = now + d->dropout_seconds; }
    *is_delivered = now >= t->silent;
    fr_vec3 at = fr_vec3_add(truth->position, off);
    if (d->warp != NULL) { at = fr_vec3_sub(at, fr_track_map_offset(d->warp, truth->position)); }
    if (is_wild) { at.x += WILD; }
    fr_pose pose = fr_pose_make(at, fr_quat_multiply(fr_quat_from_vector(turned), truth->rotation));
    fr_quat_normalize(&pose.rotation, NULL);
    return pose;
}

static void take(fr_simulated_tracker *t, double now, const fr_pose *truth) {
    bool is_delivered;
    fr_pose pose = measured(t, truth, &is_delivered, now);
    if (!is_delivered || t->waiting == WAITING_MAX) { return; }
    t->times[t->waiting] = now;
    t->poses[t->waiting++] = pose;
}

void fr_simulated_tracker_tick(fr_simulated_tracker *t, double now, const fr_pose *truth, fr_track_input *out) {
    memset(out, 0, sizeof *out);
    out->now = now;
    out->sample = fr_pose_identity();
    if (t->has_begun && now < t->last) { // a clock that went back takes the sensor's with it
        t->waiting = 0;
        t->next = now;
        t->silent = -INFINITY;
    }
    t->last = now;
    if (!t->has_begun || now >= t->next) {
        take(t, now, truth);
        double due = t->has_begun ? t->next + 1.0 / t->def.rate : now + 1.0 / t->def.rate;
        t->next = due > now ? due : now + 1.0 / t->def.rate; // a caller that was late does not catch up
        t->has_begun = true;
    }
    uint32_t come = 0;
    while (come < t->waiting && t->times[come] + t->def.delay <= now) {
        come++;
    }
    if (come == 0) { return; }
    out->has_sample = true;
    out->sample_time = t->times[come - 1];
    out->sample = t->poses[come - 1];
    t->waiting -= come;
    memmove(t->times, t->times + come, t->waiting * sizeof t->times[0]);
    memmove(t->poses, t->poses + come, t->waiting * sizeof t->poses[0]);
}
