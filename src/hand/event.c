// Events of a hand in words and colours: the names of events, the lines of their log, and the rule of colours.
#include "fureai/hand.h"

#include <math.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Names

const char *fr_hand_kind_name(fr_hand_kind kind) {
    switch (kind) {
    case FR_HAND_CONTACT: return "contact";
    case FR_HAND_SNAP: return "snap";
    case FR_HAND_SLIDE: return "slide";
    case FR_HAND_PULL: return "pull";
    case FR_HAND_RELEASE: return "release";
    case FR_HAND_DONE: return "done";
    case FR_HAND_FITTED: return "fitted";
    }
    return "unknown";
}

const char *fr_aid_cause_name(fr_aid_cause cause) {
    switch (cause) {
    case FR_AID_CAUSE_NONE: return "none";
    case FR_AID_CAUSE_OVERLAP: return "overlap";
    case FR_AID_CAUSE_DISTANCE: return "distance";
    case FR_AID_CAUSE_GONE: return "gone";
    }
    return "unknown";
}

const char *fr_aid_kind_name(fr_aid_kind kind) {
    switch (kind) {
    case FR_AID_FACE: return "face";
    case FR_AID_EDGE: return "edge";
    case FR_AID_VERTEX: return "vertex";
    case FR_AID_AXIS: return "axis";
    }
    return "unknown";
}

// ---------------------------------------------------------------------------------------------------------------
// Log

// A line that is being written, cut where its room ends.
typedef struct csv_line {
    char *text;
    size_t size;
    size_t length; // of the whole line so far
} csv_line;

static void put(csv_line *line, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++, line->length++) {
        if (line->length + 1 < line->size) { line->text[line->length] = text[i]; }
    }
}

static void put_word(csv_line *line, const char *word) { put(line, word, strlen(word)); }

static void put_number(csv_line *line, double value) {
    char text[FR_NUMBER_BYTES];
    put(line, ",", 1);
    if (isfinite(value)) { put(line, text, fr_number_write(value, text)); }
}

static void put_whole(csv_line *line, uint32_t value) {
    char text[FR_NUMBER_BYTES];
    put(line, ",", 1);
    put(line, text, fr_number_write_whole(value, text));
}

static void put_pair(csv_line *line, const fr_aid_pair *pair) {
    if (pair->other.index1 == 0) {
        put_word(line, ",,,,,");
        return;
    }
    put_whole(line, pair->part);
    put_whole(line, pair->face);
    put_whole(line, pair->other.index1);
    put_whole(line, pair->other_part);
    put_whole(line, pair->other_face);
}

const char *fr_hand_event_columns(void) {
    return "time,event,object,part,face,other,other_part,other_face,cause,count,speed,area,pull,x,y,z,held";
}

size_t fr_hand_event_text(const fr_hand_event *event, char *line, size_t size) {
    FR_ASSERT(event != NULL && (line != NULL || size == 0));
    csv_line out = {.text = line, .size = size};
    char time[FR_NUMBER_BYTES];
    if (isfinite(event->time)) { put(&out, time, fr_number_write(event->time, time)); }
    put(&out, ",", 1);
    put_word(&out, fr_hand_kind_name(event->kind));
    put_whole(&out, event->object.index1);
    put_pair(&out, &event->pair);
    put(&out, ",", 1);
    if (event->kind == FR_HAND_RELEASE) { put_word(&out, fr_aid_cause_name(event->cause)); }
    put_whole(&out, event->count);
    put_number(&out, event->speed);
    put_number(&out, event->area);
    put_number(&out, event->pull);
    put_number(&out, event->point.x);
    put_number(&out, event->point.y);
    put_number(&out, event->point.z);
    put(&out, ",", 1);
    bool is_held = event->kind == FR_HAND_SNAP || event->kind == FR_HAND_RELEASE;
    if (is_held) { put_word(&out, fr_aid_kind_name(event->held)); }
    if (size > 0) { line[out.length < size ? out.length : size - 1] = '\0'; }
    return out.length;
}

// ---------------------------------------------------------------------------------------------------------------
// Modes and colours

bool fr_aid_mode_has_aid(fr_aid_mode mode) {
    return mode == FR_AID_MODE_AID || mode == FR_AID_MODE_AID_SOUND || mode == FR_AID_MODE_AID_BOTH;
}

bool fr_aid_mode_has_color(fr_aid_mode mode) {
    return mode == FR_AID_MODE_COLOR || mode == FR_AID_MODE_AID || mode == FR_AID_MODE_AID_BOTH;
}

bool fr_aid_mode_has_sound(fr_aid_mode mode) {
    return mode == FR_AID_MODE_AID_SOUND || mode == FR_AID_MODE_AID_BOTH || mode == FR_AID_MODE_SOUND;
}

static uint8_t mixed(uint8_t from, uint8_t to, double part) {
    return (uint8_t)((double)from + part * ((double)to - (double)from) + 0.5);
}

fr_color fr_hand_color(fr_aid_mode mode, uint32_t held_count, bool is_colliding, bool is_done, double pull) {
    static const fr_color gray = {160, 160, 160, 255}, yellow = {240, 208, 32, 255}, blue = {48, 96, 240, 255};
    static const fr_color held[FR_AID_FACES] = {{32, 192, 64, 255}, {32, 200, 216, 255}, {224, 48, 208, 255}};
    if (!fr_aid_mode_has_color(mode)) { return gray; }
    if (is_done) { return blue; }
    if (!fr_aid_mode_has_aid(mode)) { return is_colliding ? yellow : gray; }
    if (held_count == 0) { return gray; }

    fr_color color = held[held_count < FR_AID_FACES ? held_count - 1 : FR_AID_FACES - 1];
    double part = pull > 0.0 ? fmin(pull, 1.0) : 0.0; // not a number: no tint
    color.r = mixed(color.r, gray.r, part);
    color.g = mixed(color.g, gray.g, part);
    color.b = mixed(color.b, gray.b, part);
    return color;
}
