// Trajectories of people: made of walks, and compared with one another (space-time reservations).
#include "act/trajectory.h"

#include <math.h>

// Places of one trajectory: 100 minutes at 60 ticks a second.
static const uint32_t MAX_PLACES = 60000;

// Two who stand nearer to one another than they may do not come nearer by more than this, metres.
static const double SLACK = 0.005;

static fr_status add_place(fr__trajectory *c, fr_vec3 place, fr_error *error) {
    fr__trajectory_place *to = fr__trajectory_place_array_push(&c->places, 1);
    if (to == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the trajectory of a person"); }
    *to = (fr__trajectory_place){(float)place.x, (float)place.z, false};
    bool is_first = c->places.count == 1;
    const float at[2] = {to->x, to->z};
    for (int i = 0; i < 2; i++) {
        c->min[i] = is_first || at[i] < c->min[i] ? at[i] : c->min[i];
        c->max[i] = is_first || at[i] > c->max[i] ? at[i] : c->max[i];
    }
    return FR_OK;
}

fr_status fr__trajectory_stand(fr__trajectory *trajectory, uint64_t tick, fr_vec3 place, fr_error *error) {
    trajectory->begin = tick;
    trajectory->places.count = 0;
    return add_place(trajectory, place, error);
}

fr_status fr__trajectory_walk(fr__trajectory *trajectory, uint64_t tick, uint32_t delay, fr_vec3 place,
                              const fr_walk *walk, fr_error *error) {
    fr_walk_view view = fr_walk_get(walk);
    uint32_t left = view.frame_count - view.frame;
    if ((left + delay) / FR__TRAJECTORY_STEP + 2 > MAX_PLACES) {
        return fr_error_set(error, FR_ERROR_LIMIT, "a walk of %u frames is too long among people", (unsigned)left);
    }
    fr_status status = fr__trajectory_stand(trajectory, tick, place, error);
    fr_walk_cursor cursor = {0, 0.0};
    uint32_t seen = 0;
    for (uint32_t at = FR__TRAJECTORY_STEP; status == FR_OK && at < left + delay + FR__TRAJECTORY_STEP;
         at += FR__TRAJECTORY_STEP) {
        if (at > delay) {
            place = fr_walk_place_on(walk, &cursor, at - delay - seen);
            seen = at - delay;
        }
        status = add_place(trajectory, place, error);
    }
    return status;
}

fr_vec3 fr__trajectory_at(const fr__trajectory *trajectory, uint64_t tick) {
    const fr__trajectory_place *places = trajectory->places.data;
    uint64_t since = tick > trajectory->begin ? tick - trajectory->begin : 0, index = since / FR__TRAJECTORY_STEP;
    if (index + 1 >= trajectory->places.count) {
        const fr__trajectory_place *last = &places[trajectory->places.count - 1];
        return fr_vec3_make((double)last->x, 0.0, (double)last->z);
    }
    double t = (double)(since % FR__TRAJECTORY_STEP) / FR__TRAJECTORY_STEP;
    const fr__trajectory_place *a = &places[index], *b = a + 1;
    return fr_vec3_make((double)a->x + t * ((double)b->x - (double)a->x), 0.0,
                        (double)a->z + t * ((double)b->z - (double)a->z));
}

uint64_t fr__trajectory_end(const fr__trajectory *trajectory) {
    return trajectory->begin + (trajectory->places.count - 1) * FR__TRAJECTORY_STEP;
}

// The square of the smallest distance while both go straight, from a displacement to the next.
static double nearest_square(fr_vec3 from, fr_vec3 to) {
    double dx = to.x - from.x, dz = to.z - from.z, length = dx * dx + dz * dz;
    double t = length > 0.0 ? -(from.x * dx + from.z * dz) / length : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    double x = from.x + t * dx, z = from.z + t * dz;
    return x * x + z * z;
}

bool fr__trajectories_meet(const fr__trajectory *a, const fr__trajectory *b, uint64_t from, uint64_t to, double limit) {
    for (int i = 0; i < 2; i++) {
        if ((double)a->min[i] > (double)b->max[i] + limit || (double)b->min[i] > (double)a->max[i] + limit) {
            return false;
        }
    }
    uint64_t end_a = fr__trajectory_end(a), end_b = fr__trajectory_end(b), end = end_a > end_b ? end_a : end_b;
    end = end < to ? end : to;
    fr_vec3 now = fr_vec3_sub(fr__trajectory_at(b, from), fr__trajectory_at(a, from));
    double apart = sqrt(now.x * now.x + now.z * now.z) - SLACK;
    double least = apart < limit ? apart : limit;
    if (least <= 0.0) { return false; }
    for (uint64_t tick = from; tick < end; tick += FR__TRAJECTORY_STEP) {
        fr_vec3 next = fr_vec3_sub(fr__trajectory_at(b, tick + FR__TRAJECTORY_STEP),
                                   fr__trajectory_at(a, tick + FR__TRAJECTORY_STEP));
        if (nearest_square(now, next) < least * least) { return true; }
        now = next;
    }
    return false;
}

uint64_t fr__trajectory_hash(const fr__trajectory *trajectory, uint64_t hash) {
    hash = fr_hash(&trajectory->begin, sizeof trajectory->begin, hash);
    for (size_t i = 0; i < trajectory->places.count; i++) {
        const float place[2] = {trajectory->places.data[i].x, trajectory->places.data[i].z};
        hash = fr_hash(place, sizeof place, hash);
    }
    return hash;
}
