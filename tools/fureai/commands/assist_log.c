// The log of a hand: one line an event.
#include "assist_log.h"

#include <math.h>
#include <string.h>

#define CHUNK 4096      // frames
#define MAX_SECONDS 600 // of sound; the rest is not heard

fr_status assist_log_open(assist_log *log, const char *table_path, const char *sound_path, fr_aid_mode mode,
                          fr_error *error) {
    memset(log, 0, sizeof *log);
    log->samples = fr_array_make(sizeof(int16_t), NULL);
    log->sound_path = sound_path;
    fr_hand_voice_def def = fr_default_hand_voice_def();
    def.mode = mode;
    log->rate = def.rate;
    fr_status status = fr_hand_voice_create(&def, &log->voice, error);
    if (status == FR_OK && table_path != NULL) {
        status = output_file_open(&log->table, table_path, error);
        log->has_table = status == FR_OK;
        if (log->has_table) { output_file_print(&log->table, "subject,trial,%s\n", fr_hand_event_columns()); }
    }
    return status;
}

static uint64_t frames_heard(const assist_log *log) { return log->samples.count / 2; }

// Renders up to this time.
static void hear_until(assist_log *log, double time) {
    uint64_t end = (uint64_t)(fmin(time, MAX_SECONDS) * log->rate);
    while (frames_heard(log) < end && !log->is_silent) {
        uint64_t left = end - frames_heard(log);
        size_t frames = left < CHUNK ? (size_t)left : CHUNK;
        int16_t *room = fr_array_push(&log->samples, 2 * frames);
        log->is_silent = room == NULL;
        if (room != NULL) { fr_hand_voice_render(log->voice, room, frames); }
    }
}

void assist_log_event(const fr_hand_event *event, void *context) {
    assist_log *log = context;
    if (log->has_table) {
        char line[FR_HAND_EVENT_BYTES];
        fr_hand_event_text(event, line, sizeof line);
        output_file_print(&log->table, "%u,%u,%s\n", log->subject, log->trial, line);
    }
    if (log->sound_path == NULL || log->subject != 1 || log->trial != 1) { return; }
    hear_until(log, event->time);
    (void)fr_hand_voice_add(log->voice, event);
}

static fr_status write_sound(assist_log *log, fr_error *error) {
    hear_until(log, (double)frames_heard(log) / log->rate + 1.0); // until the last has faded
    if (log->is_silent) { return fr_error_set(error, FR_ERROR_MEMORY, "no memory for the sound"); }
    fr_wav sound = {log->samples.data, log->samples.count / 2, log->rate};
    uint8_t header[FR_WAV_HEADER_BYTES];
    output_file file;
    fr_status status = fr_wav_header(&sound, header, error);
    if (status == FR_OK) { status = output_file_open(&file, log->sound_path, error); }
    if (status != FR_OK) { return status; }
    output_file_write(&file, header, sizeof header);
    const int16_t *samples = log->samples.data;
    for (size_t i = 0; i < log->samples.count; i++) {
        uint16_t value = (uint16_t)samples[i];
        const uint8_t bytes[2] = {(uint8_t)(value & 0xff), (uint8_t)(value >> 8)};
        output_file_write(&file, bytes, 2);
    }
    return output_file_commit(&file, error);
}

fr_status assist_log_commit(assist_log *log, fr_error *error) {
    fr_status status = FR_OK;
    if (log->has_table) {
        status = output_file_commit(&log->table, error);
        log->has_table = false;
    }
    return status == FR_OK && log->sound_path != NULL ? write_sound(log, error) : status;
}

void assist_log_close(assist_log *log) {
    if (log->has_table) { output_file_discard(&log->table); }
    log->has_table = false;
    fr_array_destroy(&log->samples);
    fr_hand_voice_destroy(log->voice);
    log->voice = NULL;
}
