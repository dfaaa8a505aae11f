// Making a path in time better: what is between two of its states is replaced by one motion, and what waits needlessly
// goes on at once. Every motion is checked again.
#include "plan/timed.h"

#include <string.h>

#define MIN_GAIN 1e-3 // of what is replaced

typedef struct timed_line {
    fr__timed *timed;
    fr__timed_state_array *states;
    fr_random random;
} timed_line;

static fr__timed_motion motion_between(const timed_line *l, const fr__timed_state *a, const fr__timed_state *b) {
    return (fr__timed_motion){fr__path_motion(l->timed->body, &a->pose, &b->pose), a->time, b->time};
}

static bool is_clear(const timed_line *l, const fr__timed_state *a, const fr__timed_state *b) {
    fr__timed_motion motion = motion_between(l, a, b);
    return !fr__timed_check(l->timed, &motion).is_hit;
}

// Puts `count` states in the place of the states first + 1 .. last - 1.
static bool replace(timed_line *l, size_t first, size_t last, const fr__timed_state *with, size_t count) {
    size_t old = last - first - 1, tail = l->states->count - last;
    if (count > old && fr__timed_state_array_push(l->states, count - old) == NULL) { return false; }
    fr__timed_state *states = l->states->data;
    memmove(states + first + 1 + count, states + last, tail * sizeof *states);
    memcpy(states + first + 1, with, count * sizeof *states);
    l->states->count = first + 1 + count + tail;
    return true;
}

// Straight from one state to a later one, and then waiting there, or first waiting and then going, for as long as the
// old path takes. What comes after keeps its times.
static void try_straight(timed_line *l) {
    size_t count = l->states->count;
    size_t i = (size_t)fr_random_below(&l->random, count), k = (size_t)fr_random_below(&l->random, count);
    if (i > k) {
        size_t swap = i;
        i = k;
        k = swap;
    }
    if (k < i + 2) { return; }
    const fr__timed_state a = l->states->data[i], b = l->states->data[k];
    double old = 0.0;
    for (size_t n = i; n < k; n++) {
        fr__timed_motion motion = motion_between(l, &l->states->data[n], &l->states->data[n + 1]);
        old += fr__path_size(l->timed->body, &motion.motion);
    }
    fr__timed_motion whole = motion_between(l, &a, &b);
    double fresh = fr__path_size(l->timed->body, &whole.motion),
           seconds = fr__timed_duration(l->timed->body->input, &whole.motion);
    if (!(fresh < old * (1.0 - MIN_GAIN)) || seconds > b.time - a.time) { return; }
    const fr__timed_state early = {b.pose, a.time + seconds}, late = {a.pose, b.time - seconds};
    const fr__timed_state *between = fr_random_below(&l->random, 2) == 0 ? &early : &late;
    if (is_clear(l, &a, between) && is_clear(l, between, &b)) { (void)replace(l, i, k, between, 1); }
}

static bool is_waiting(const timed_line *l, size_t i) {
    fr__timed_motion motion = motion_between(l, &l->states->data[i], &l->states->data[i + 1]);
    return fr__path_size(l->timed->body, &motion.motion) <= 1e-9 * l->timed->body->reach;
}

// All that comes after a wait earlier, by a part of the wait, as far as that is free.
static void try_earlier(timed_line *l) {
    size_t i = (size_t)fr_random_below(&l->random, l->states->count - 1);
    fr__timed_state *states = l->states->data;
    double wait = states[i + 1].time - states[i].time;
    if (!(wait > 0.0) || !is_waiting(l, i)) { return; }
    double shift = wait;
    if (fr_random_below(&l->random, 2) == 0) {
        const fr_path_input *q = l->timed->body->input;
        shift = states[i + 1].time - fr__timed_snap(q, states[i + 1].time - wait * fr_random_unit(&l->random));
    }
    size_t last = l->states->count - 1;
    for (size_t k = i + 1; k < last; k++) {
        fr__timed_state a = states[k], b = states[k + 1];
        a.time -= shift;
        b.time -= shift;
        if (!is_clear(l, &a, &b)) { return; }
    }
    fr__timed_state arrived = states[last], stays = states[last];
    arrived.time -= shift;
    if (!is_clear(l, &arrived, &stays)) { return; }
    for (size_t k = i + 1; k <= last; k++) {
        states[k].time -= shift;
    }
}

// A wait that takes no time, and states that come twice.
static void drop_repeats(timed_line *l) {
    fr__timed_state *states = l->states->data;
    size_t count = 1;
    for (size_t i = 1; i < l->states->count; i++) {
        if (states[i].time - states[count - 1].time <= 0.0) { continue; }
        states[count++] = states[i];
    }
    l->states->count = count;
}

bool fr__timed_optimize(fr__timed *timed, fr__timed_state_array *states, uint64_t moves) {
    timed_line l = {timed, states, fr_random_seed(timed->body->input->seed ^ 0x7061636564u)};
    uint64_t first = timed->body->moves, tries = 0;
    bool is_stopped = false;
    while (timed->body->moves - first < moves && tries++ < 20 * moves && states->count > 2 && !is_stopped) {
        if (tries % 3 == 0) {
            try_earlier(&l);
        } else {
            try_straight(&l);
        }
        is_stopped = fr_control_is_stopped(timed->body->input->control);
    }
    drop_repeats(&l);
    return is_stopped;
}
