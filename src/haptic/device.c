// What an adapter of a device needs beside its wires: lengths from counts, and sentences for what is wrong.
#include "fureai/haptic.h"

#include <math.h>

// How much longer a string is than where its counter is 0.
static double paid_out(const fr_pulleys *pulleys, int64_t count) {
    return 2.0 * FR_PI * pulleys->radius * (double)count / pulleys->per_turn;
}

fr_status fr_pulleys_dock(const fr_strings *strings, fr_vec3 dock, const int64_t counts[FR_STRING_COUNT],
                          fr_pulleys *pulleys, fr_error *error) {
    FR_ASSERT(strings != NULL && counts != NULL && pulleys != NULL);
    if (strings->cookie != fr_default_strings().cookie) { return fr_error_set_cookie(error, "fr_default_strings"); }
    if (!fr_vec3_is_finite(dock)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "the dock is not finite"); }
    if (!(pulleys->radius > 0.0 && isfinite(pulleys->radius) && pulleys->per_turn > 0.0)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "radius and counts a turn are not above 0");
    }
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        double length = fr_vec3_distance(strings->anchors[i], dock);
        if (!isfinite(length)) { return fr_error_set(error, FR_ERROR_NOT_FINITE, "anchor %d is not finite", i); }
        pulleys->length_zero[i] = length - paid_out(pulleys, counts[i]);
    }
    return FR_OK;
}

void fr_pulleys_lengths(const fr_pulleys *pulleys, const int64_t counts[FR_STRING_COUNT],
                        double lengths[FR_STRING_COUNT]) {
    FR_ASSERT(pulleys != NULL && counts != NULL && lengths != NULL);
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        lengths[i] = pulleys->length_zero[i] + paid_out(pulleys, counts[i]);
    }
}

typedef struct sentence {
    uint32_t flag;
    const char *text;
} sentence;

// The gravest first.
static const sentence haptic_sentences[] = {
    {FR_HAPTIC_FAULT, "the device or its tracker is faulty: no force"},
    {FR_HAPTIC_SLIPPED, "a string slipped or is slack: no force until the pen is set in its dock again"},
    {FR_HAPTIC_CLOCK, "the clock jumped: no force"},
    {FR_HAPTIC_NOT_FINITE, "the tip or what was sent is no number: no force"},
    {FR_HAPTIC_STALE, "what was touched was not sent again: no force"},
    {FR_HAPTIC_RELEASED, "the dead-man's button is not held: no force"},
    {FR_HAPTIC_JUMPED, "the tip jumped: the force follows slowly"},
    {FR_HAPTIC_PASSIVE, "the force was made smaller, so that no energy is made"},
    {FR_HAPTIC_CLAMPED, "the force is the most that is allowed"},
    {FR_HAPTIC_RISING, "the force rises as fast as it may"},
};

static const sentence track_sentences[] = {
    {FR_TRACK_LOST, "the tracker is lost: no force"},
    {FR_TRACK_CLOCK, "the tracker's clock jumped"},
    {FR_TRACK_NOT_FINITE, "a pose of the tracker is no number and was left out"},
    {FR_TRACK_JUMPED, "a pose of the tracker jumped and was left out"},
    {FR_TRACK_OLD, "the tracker is late: its pose stands"},
    {FR_TRACK_STARTED, "the tracker's pose begins here"},
};

static const char *find(const sentence *list, size_t count, uint32_t flags) {
    for (size_t i = 0; i < count; i++) {
        if ((flags & list[i].flag) != 0) { return list[i].text; }
    }
    return "nothing is wrong";
}

const char *fr_haptic_flags_text(uint32_t flags) {
    return find(haptic_sentences, sizeof haptic_sentences / sizeof haptic_sentences[0], flags);
}

const char *fr_track_flags_text(uint32_t flags) {
    return find(track_sentences, sizeof track_sentences / sizeof track_sentences[0], flags);
}
