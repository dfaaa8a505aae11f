// A simulated magnetic tracker: late, noisy and sometimes silent.
#include "tracker.h"

#include <math.h>
#include <string.h>

#define WILD 0.5 // metres
#define DEGREE 0.017453292519943295

tracker_def tracker_default_def(void) {
    return (tracker_def){.half = 1.5,
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
static double share_of(const tracker_def *def, fr_vec3 position) {
    double share = fr_vec3_largest(fr_vec3_sub(position, def->centre)) / def->half;
    return share < 1.0 ? share * share : 1.0;
}

double tracker_noise(const tracker_def *def, fr_vec3 position) {
    return def->noise_centre + (def->noise_screen - def->noise_centre) * share_of(def, position);
}

double tracker_normal(fr_random *random) {
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
        sum += fr_random_unit(random);
    }
    return sum;
}

static fr_vec3 normal_vector(fr_random *random, double deviation) {
    fr_vec3 v;
    v.x = deviation * tracker_normal(random);
    v.y = deviation * tracker_normal(random);
    v.z = deviation * tracker_normal(random);
    return v;
}

tracker tracker_make(const tracker_def *def) {
    tracker t;
    memset(&t, 0, sizeof t);
    t.def = *def;
    t.random = fr_random_seed(def->seed);
    t.silent = -INFINITY;
    return t;
}

void tracker_silence(tracker *t, double until) {
    if (until > t->silent) { t->silent = until; }
    t->waiting = 0;
}

// The same numbers are drawn for every sample, delivered or not, so that a dropout changes nothing after it.
static fr_pose measured(tracker *t, const fr_pose *truth, bool *is_delivered, double now) {
    const tracker_def *d = &t->def;
    double share = share_of(d, truth->position), turn = d->turn_centre + (d->turn_screen - d->turn_centre) * share;
    fr_vec3 off = normal_vector(&t->random, tracker_noise(d, truth->position));
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

static void take(tracker *t, double now, const fr_pose *truth) {
    bool is_delivered;
    fr_pose pose = measured(t, truth, &is_delivered, now);
    if (!is_delivered || t->waiting == TRACKER_WAITING) {
        t->dropped++;
        return;
    }
    t->times[t->waiting] = now;
    t->poses[t->waiting++] = pose;
}

void tracker_tick(tracker *t, double now, const fr_pose *truth, fr_track_input *out) {
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
    t->delivered++;
    t->waiting -= come;
    memmove(t->times, t->times + come, t->waiting * sizeof t->times[0]);
    memmove(t->poses, t->poses + come, t->waiting * sizeof t->poses[0]);
}
