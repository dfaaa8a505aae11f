// The sound of a hand. Each event becomes tones that ring by themselves: partials are arrows that turn and shrink by
// one multiplication a frame, so that a frame takes no trigonometry. Sliding is a band of noise that goes on while its
// events come, pulling a row of clicks. A buffer is cut at every frame where something begins: events are heard at
// their frame, whatever the lengths that are rendered. The numbers are those of hand_sound.h.
#include "fureai/hand.h"

#include <math.h>
#include <string.h>

#define VOICE_COOKIE 0x564f4943u
#define CHUNK 256u     // frames mixed at once
#define LATEST 0x1p+50 // frames from the first one: later is refused
#define PARTIALS 4     // of one tone

// A sound that rings: arrows that turn and shrink from frame to frame, whose y is heard.
typedef struct voice_tone {
    fr_vec2 arrow[PARTIALS];
    fr_vec2 turn[PARTIALS]; // a frame's
    fr_vec2 bend;           // a frame's change of turn[0]; (1, 0): none
    double gain[2];         // left, right
    double fade;            // > 0: it falls straight, to this in its last frame
    uint32_t partial_count;
    uint32_t wait;   // frames until it begins
    uint32_t frames; // left; 0: nothing sounds
    uint64_t birth;  // the smallest is the oldest
} voice_tone;

// The noise of sliding: a band of white noise (a state variable filter).
typedef struct voice_slide {
    double pass[4];   // coefficients of the filter, and what makes it equally loud at every centre
    double state[2];  // of the filter
    double gain[2];   // left, right, now
    double target[2]; // that they go to
    uint64_t until;   // frame at which it begins to fade
} voice_slide;

// An event that waits.
typedef struct voice_note {
    uint64_t at; // frame
    fr_hand_kind kind;
    uint32_t count;
    double speed, area, pull, pan;
} voice_note;

struct fr_hand_voice {
    fr_hand_voice_def def;
    uint64_t now; // frames rendered
    voice_note waiting[FR_HAND_WAITING];
    uint32_t waiting_count;
    voice_tone tones[FR_HAND_TONES];
    uint64_t births;
    voice_slide slide;
    uint64_t pull_until;  // frame at which the clicks of pulling end
    uint64_t click_every; // frames
    double click_pan;     // -1 left .. 1 right
    uint64_t clicked1;    // 1 + frame of the last of them; 0: none yet
    uint64_t contact1;    // 1 + frame of the last contact; 0: none yet
    fr_random random;
};

fr_hand_voice_def fr_default_hand_voice_def(void) {
    fr_hand_voice_def def;
    memset(&def, 0, sizeof def);
    def.mode = FR_AID_MODE_AID_SOUND;
    def.seed = 1;
    def.rate = 48000;
    def.half_width = 0.5;
    def.volume = FR_HAND_SOUND_VOLUME;
    def.hold = FR_HAND_SOUND_HOLD;
    def.cookie = VOICE_COOKIE;
    return def;
}

fr_status fr_hand_voice_create(const fr_hand_voice_def *def, fr_hand_voice **out, fr_error *error) {
    FR_ASSERT(def != NULL && out != NULL);
    *out = NULL;
    if (def->cookie != VOICE_COOKIE) { return fr_error_set_cookie(error, "fr_default_hand_voice_def"); }
    bool is_right = def->rate >= FR_HAND_RATE_MIN && def->rate <= FR_HAND_RATE_MAX && isfinite(def->start) &&
                    def->half_width > 0.0 && isfinite(def->half_width) && def->volume >= 0.0 && def->volume <= 1.0 &&
                    def->hold >= 0.001 && def->hold <= 10.0;
    if (!is_right) { return fr_error_set(error, FR_ERROR_ARGUMENT, "a number of the voice is outside its limits"); }
    fr_allocator allocator = fr_allocator_or_default(&def->allocator);
    fr_hand_voice *voice = fr_allocate(&allocator, 1, sizeof *voice, _Alignof(fr_hand_voice));
    if (voice == NULL) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the sound of a hand"); }
    memset(voice, 0, sizeof *voice);
    voice->def = *def;
    voice->def.allocator = allocator;
    voice->random = fr_random_seed(def->seed);
    *out = voice;
    return FR_OK;
}

void fr_hand_voice_destroy(fr_hand_voice *voice) {
    if (voice == NULL) { return; }
    fr_allocator allocator = voice->def.allocator;
    fr_deallocate(&allocator, voice, 1, sizeof *voice);
}

// ---------------------------------------------------------------------------------------------------------------
// Tones

// What a sound is made of: frequency over that of the tone, part of its loudness, and seconds until 1 / e is left.
typedef struct partial {
    double ratio, part, decay;
} partial;

// e to the power of -1 / frames, for 160 frames and more: the first term left out is below 2^-60.
static double shrink_of(double frames) {
    double x = -1.0 / frames;
    return 1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0 * (1.0 + x / 5.0 * (1.0 + x / 6.0)))));
}

static fr_vec2 arrow_of(double angle, double length) {
    double sine, cosine;
    fr_sincos(angle, &sine, &cosine);
    return (fr_vec2){length * cosine, length * sine};
}

static fr_vec2 turned(fr_vec2 a, fr_vec2 by) { return (fr_vec2){a.x * by.x - a.y * by.y, a.x * by.y + a.y * by.x}; }

// Equally loud from left (-1) to right (1).
static void set_gains(double gain[2], double level, double pan) {
    gain[0] = level * sqrt(0.5 * (1.0 - pan));
    gain[1] = level * sqrt(0.5 * (1.0 + pan));
}

static voice_tone *free_tone(fr_hand_voice *v) {
    voice_tone *tone = &v->tones[0];
    for (uint32_t i = 0; i < FR_HAND_TONES && tone->frames > 0; i++) {
        voice_tone *other = &v->tones[i];
        if (other->frames == 0 || other->birth < tone->birth) { tone = other; }
    }
    memset(tone, 0, sizeof *tone);
    tone->birth = v->births++;
    tone->bend = (fr_vec2){1.0, 0.0};
    return tone;
}

// Begins a tone of a frequency after `wait` seconds; it lasts until its slowest partial is gone.
static void ring(fr_hand_voice *v, double frequency, const partial *partials, uint32_t count, double level, double pan,
                 double wait) {
    voice_tone *tone = free_tone(v);
    double rate = (double)v->def.rate, longest = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        double frames = partials[i].decay * rate;
        tone->arrow[i] = (fr_vec2){partials[i].part, 0.0};
        tone->turn[i] = arrow_of(2.0 * FR_PI * frequency * partials[i].ratio / rate, shrink_of(frames));
        longest = fmax(longest, frames);
    }
    tone->partial_count = count;
    tone->wait = (uint32_t)(wait * rate + 0.5);
    tone->frames = (uint32_t)(FR_HAND_SOUND_DEAD_AFTER * longest);
    set_gains(tone->gain, level * v->def.volume, pan);
}

// One arrow whose turning changes evenly: the frequency goes straight from the first to the last.
static void chirp(fr_hand_voice *v, double first, double last, double seconds, double level, double pan) {
    voice_tone *tone = free_tone(v);
    double rate = (double)v->def.rate, frames = floor(seconds * rate);
    tone->arrow[0] = (fr_vec2){1.0, 0.0};
    tone->turn[0] = arrow_of(2.0 * FR_PI * first / rate, 1.0);
    tone->bend = arrow_of(2.0 * FR_PI * (last - first) / (rate * frames), 1.0);
    tone->fade = 1.0 / frames;
    tone->partial_count = 1;
    tone->frames = (uint32_t)frames;
    set_gains(tone->gain, level * v->def.volume, pan);
}

// ---------------------------------------------------------------------------------------------------------------
// What sounds when

double fr_hand_sound_level(double speed) {
    return fmin(fmax(speed / FR_HAND_SOUND_FULL_SPEED, FR_HAND_SOUND_FAINTEST), 1.0);
}

// A large face sounds low, a second and a third one 3 and 7 semitones higher.
double fr_hand_snap_frequency(double area, uint32_t count) {
    double frequency = FR_HAND_SNAP_HIGHEST;
    if (area > 0.0) {
        double exact = FR_HAND_SNAP_FREQUENCY * sqrt(FR_HAND_SNAP_AREA / area);
        frequency = fmin(fmax(exact, FR_HAND_SNAP_LOWEST), FR_HAND_SNAP_HIGHEST);
    }
    if (count == 2) { frequency *= FR_HAND_SNAP_SECOND; }
    if (count >= 3) { frequency *= FR_HAND_SNAP_THIRD; }
    return frequency;
}

double fr_hand_slide_frequency(double speed) {
    if (!(speed >= FR_HAND_SLIDE_SPEED)) { return 0.0; }
    return fmin(FR_HAND_SLIDE_FREQUENCY + FR_HAND_SLIDE_RISE * speed, FR_HAND_SLIDE_HIGHEST);
}

// From 2 clicks a second at one half to 15 where it comes off.
double fr_hand_pull_rate(double pull) {
    if (!(pull >= FR_HAND_PULL_FROM)) { return 0.0; }
    return FR_HAND_PULL_RATE + FR_HAND_PULL_RISE * (fmin(pull, 1.0) - FR_HAND_PULL_FROM);
}

static void sound_snap(fr_hand_voice *v, const voice_note *note) {
    static const partial partials[] = {FR_HAND_SNAP_PARTIALS};
    double frequency = fr_hand_snap_frequency(note->area, note->count), level = fr_hand_sound_level(note->speed);
    ring(v, frequency, partials, 3, level, note->pan, 0.0);
}

static void sound_contact(fr_hand_voice *v, const voice_note *note) {
    static const partial partials[] = {FR_HAND_CONTACT_PARTIALS};
    if (v->contact1 > 0 && note->at - (v->contact1 - 1) < (uint64_t)(FR_HAND_CONTACT_PAUSE * (double)v->def.rate)) {
        return;
    }
    v->contact1 = note->at + 1;
    double level = FR_HAND_CONTACT_LEVEL * fr_hand_sound_level(note->speed);
    ring(v, FR_HAND_CONTACT_FREQUENCY, partials, 1, level, note->pan, 0.0);
}

static void sound_slide(fr_hand_voice *v, const voice_note *note) {
    voice_slide *slide = &v->slide;
    slide->until = note->at;
    double center = fr_hand_slide_frequency(note->speed);
    if (!(center > 0.0)) { return; }

    double rate = (double)v->def.rate, sine, cosine;
    fr_sincos(FR_PI * center / rate, &sine, &cosine);
    double g = sine / cosine;
    slide->pass[0] = 1.0 / (1.0 + g * (g + FR_HAND_SLIDE_WIDTH));
    slide->pass[1] = g * slide->pass[0];
    slide->pass[2] = g * slide->pass[1];

    // White noise of 1/3 in a band of pi/2 width center, of the rate/2 that it fills.
    slide->pass[3] = FR_HAND_SLIDE_WIDTH * sqrt(3.0 * rate / (FR_PI * FR_HAND_SLIDE_WIDTH * center));
    set_gains(slide->target, FR_HAND_SLIDE_LEVEL * fr_hand_sound_level(note->speed) * v->def.volume, note->pan);
    slide->until = note->at + (uint64_t)(v->def.hold * rate + 0.5);
}

// The next clicks come `click_every` frames after the last one.
static void sound_pull(fr_hand_voice *v, const voice_note *note) {
    double rate = (double)v->def.rate;
    v->pull_until = note->at;
    double clicks = fr_hand_pull_rate(note->pull);
    if (!(clicks > 0.0)) { return; }
    v->click_every = (uint64_t)(rate / clicks + 0.5);
    v->click_pan = note->pan;
    v->pull_until = note->at + (uint64_t)(v->def.hold * rate + 0.5);
}

static void sound_click(fr_hand_voice *v) {
    static const partial partials[] = {FR_HAND_PULL_PARTIALS};
    ring(v, FR_HAND_PULL_FREQUENCY, partials, 1, FR_HAND_PULL_LEVEL, v->click_pan, 0.0);
    v->clicked1 = v->now + 1;
}

static void sound_release(fr_hand_voice *v, const voice_note *note) {
    chirp(v, FR_HAND_RELEASE_FIRST, FR_HAND_RELEASE_LAST, FR_HAND_RELEASE_SECONDS, FR_HAND_RELEASE_LEVEL, note->pan);
}

static void sound_done(fr_hand_voice *v, const voice_note *note) {
    static const partial partials[] = {FR_HAND_DONE_PARTIALS};
    ring(v, FR_HAND_DONE_FIRST, partials, 1, FR_HAND_DONE_LEVEL, note->pan, 0.0);
    ring(v, FR_HAND_DONE_SECOND, partials, 1, FR_HAND_DONE_LEVEL, note->pan, FR_HAND_DONE_LATER);
}

static void sound_fitted(fr_hand_voice *v, const voice_note *note) {
    static const partial bell[] = {FR_HAND_FITTED_PARTIALS};
    ring(v, FR_HAND_FITTED_FIRST, bell, 4, FR_HAND_FITTED_LEVEL, note->pan, 0.0);
    ring(v, FR_HAND_FITTED_SECOND, bell, 4, FR_HAND_FITTED_LEVEL, note->pan, FR_HAND_FITTED_LATER);
}

static void sound(fr_hand_voice *v, const voice_note *note) {
    switch (note->kind) {
    case FR_HAND_CONTACT: sound_contact(v, note); break;
    case FR_HAND_SNAP: sound_snap(v, note); break;
    case FR_HAND_SLIDE: sound_slide(v, note); break;
    case FR_HAND_PULL: sound_pull(v, note); break;
    case FR_HAND_RELEASE: sound_release(v, note); break;
    case FR_HAND_DONE: sound_done(v, note); break;
    case FR_HAND_FITTED: sound_fitted(v, note); break;
    }

    // What nothing holds any more neither slides nor is about to come off.
    bool is_loose = note->kind == FR_HAND_DONE || (note->kind == FR_HAND_RELEASE && note->count == 0);
    if (is_loose) {
        v->slide.until = v->slide.until < note->at ? v->slide.until : note->at;
        v->pull_until = v->pull_until < note->at ? v->pull_until : note->at;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Events

bool fr_hand_is_heard(fr_aid_mode mode, fr_hand_kind kind) {
    if (!fr_aid_mode_has_sound(mode)) { return false; }
    switch (kind) {
    case FR_HAND_CONTACT: return !fr_aid_mode_has_aid(mode);
    case FR_HAND_SNAP:
    case FR_HAND_SLIDE:
    case FR_HAND_PULL:
    case FR_HAND_RELEASE:
    case FR_HAND_DONE:
    case FR_HAND_FITTED: return true;
    }
    return false;
}

bool fr_hand_voice_add(fr_hand_voice *voice, const fr_hand_event *event) {
    FR_ASSERT(voice != NULL && event != NULL);
    if (!fr_hand_is_heard(voice->def.mode, event->kind) || voice->waiting_count == FR_HAND_WAITING) { return false; }
    if (!isfinite(event->speed) || !isfinite(event->area) || !isfinite(event->pull) || !isfinite(event->point.x)) {
        return false;
    }
    double frame = (event->time - voice->def.start) * (double)voice->def.rate + 0.5;
    if (!(frame < LATEST) || !isfinite(frame)) { return false; }
    uint64_t at = frame > 0.0 ? (uint64_t)frame : 0;
    voice_note note = {.at = at > voice->now ? at : voice->now, .kind = event->kind, .count = event->count};
    note.speed = event->speed;
    note.area = event->area;
    note.pull = event->pull;
    note.pan = fmin(fmax(event->point.x / voice->def.half_width, -1.0), 1.0);

    // Behind those of the same frame.
    uint32_t i = voice->waiting_count++;
    for (; i > 0 && voice->waiting[i - 1].at > note.at; i--) {
        voice->waiting[i] = voice->waiting[i - 1];
    }
    voice->waiting[i] = note;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------
// Rendering

static void mix_tone(voice_tone *tone, double (*mix)[2], uint32_t count) {
    uint32_t i = tone->wait < count ? tone->wait : count;
    tone->wait -= i;
    for (; i < count && tone->frames > 0; i++, tone->frames--) {
        double sum = 0.0;
        for (uint32_t k = 0; k < tone->partial_count; k++) {
            tone->arrow[k] = turned(tone->arrow[k], tone->turn[k]);
            sum += tone->arrow[k].y;
        }
        if (tone->fade > 0.0) {
            tone->turn[0] = turned(tone->turn[0], tone->bend);
            sum *= tone->fade * (double)tone->frames;
        }
        mix[i][0] += tone->gain[0] * sum;
        mix[i][1] += tone->gain[1] * sum;
    }
}

// The frame at which nothing is left of the noise.
static uint64_t slide_end(const fr_hand_voice *v) {
    if (v->slide.until == 0) { return 0; }
    return v->slide.until + (uint64_t)(FR_HAND_SOUND_DEAD_AFTER * FR_HAND_SLIDE_SMOOTH * (double)v->def.rate);
}

static void mix_slide(fr_hand_voice *v, double (*mix)[2], uint32_t count) {
    voice_slide *slide = &v->slide;
    uint64_t end = slide_end(v);
    double near = 1.0 - shrink_of(FR_HAND_SLIDE_SMOOTH * (double)v->def.rate);
    for (uint32_t i = 0; i < count && v->now + i < end; i++) {
        double input = 2.0 * fr_random_unit(&v->random) - 1.0 - slide->state[1];
        double band = slide->pass[0] * slide->state[0] + slide->pass[1] * input;
        double low = slide->state[1] + slide->pass[1] * slide->state[0] + slide->pass[2] * input;
        slide->state[0] = 2.0 * band - slide->state[0];
        slide->state[1] = 2.0 * low - slide->state[1];
        bool is_on = v->now + i < slide->until;
        for (int side = 0; side < 2; side++) {
            slide->gain[side] += near * ((is_on ? slide->target[side] : 0.0) - slide->gain[side]);
            mix[i][side] += slide->gain[side] * slide->pass[3] * band;
        }
    }
    if (v->now + count >= end) { memset(slide, 0, sizeof *slide); }
}

// The frame of the next click of pulling; UINT64_MAX: none.
static uint64_t next_click(const fr_hand_voice *v) {
    uint64_t at = v->clicked1 > 0 ? v->clicked1 - 1 + v->click_every : v->now;
    if (at < v->now) { at = v->now; }
    return at < v->pull_until ? at : UINT64_MAX;
}

static int16_t sample_of(double x) {
    double scaled = fmin(fmax(32767.0 * x, -32767.0), 32767.0);
    return (int16_t)(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5);
}

// Begins what begins at this frame; returns the frames until something begins again.
static uint64_t begin(fr_hand_voice *v) {
    uint32_t due = 0;
    for (; due < v->waiting_count && v->waiting[due].at <= v->now; due++) {
        sound(v, &v->waiting[due]);
    }
    v->waiting_count -= due;
    memmove(v->waiting, v->waiting + due, v->waiting_count * sizeof *v->waiting);
    if (next_click(v) == v->now) { sound_click(v); }
    uint64_t next = next_click(v);
    if (v->waiting_count > 0 && v->waiting[0].at < next) { next = v->waiting[0].at; }
    return next - v->now;
}

void fr_hand_voice_render(fr_hand_voice *voice, int16_t *stereo, size_t frames) {
    FR_ASSERT(voice != NULL && (stereo != NULL || frames == 0));
    while (frames > 0) {
        uint64_t free_frames = begin(voice);
        uint32_t count = frames < CHUNK ? (uint32_t)frames : CHUNK;
        if (free_frames < count) { count = (uint32_t)free_frames; }

        double mix[CHUNK][2];
        memset(mix, 0, count * sizeof *mix);
        for (uint32_t i = 0; i < FR_HAND_TONES; i++) {
            if (voice->tones[i].frames > 0) { mix_tone(&voice->tones[i], mix, count); }
        }
        mix_slide(voice, mix, count);
        for (uint32_t i = 0; i < count; i++) {
            *stereo++ = sample_of(mix[i][0]);
            *stereo++ = sample_of(mix[i][1]);
        }
        voice->now += count;
        frames -= count;
    }
}

bool fr_hand_voice_is_silent(const fr_hand_voice *voice) {
    FR_ASSERT(voice != NULL);
    bool is_silent = voice->waiting_count == 0 && next_click(voice) == UINT64_MAX && voice->now >= slide_end(voice);
    for (uint32_t i = 0; i < FR_HAND_TONES; i++) {
        is_silent = is_silent && voice->tones[i].frames == 0;
    }
    return is_silent;
}
