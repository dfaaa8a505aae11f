// Sound as a WAV file: RIFF with one chunk of its format and one of its samples, everything little endian.
#include "fureai/hand.h"

#include <string.h>

#define CHANNELS 2u
#define FRAME_BYTES 4u
#define SAMPLE_BITS 16u
#define FORMAT_PCM 1u
#define FORMAT_BYTES 16u // of the chunk of the format

static uint8_t *put(uint8_t *to, uint32_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++) {
        to[i] = (uint8_t)(value >> (8u * i));
    }
    return to + bytes;
}

static uint8_t *put_name(uint8_t *to, const char *name) {
    memcpy(to, name, 4);
    return to + 4;
}

uint64_t fr_wav_bytes(uint64_t frames) {
    return frames <= FR_WAV_MAX_FRAMES ? FR_WAV_HEADER_BYTES + FRAME_BYTES * frames : 0;
}

fr_status fr_wav_header(const fr_wav *sound, uint8_t bytes[FR_WAV_HEADER_BYTES], fr_error *error) {
    FR_ASSERT(sound != NULL && bytes != NULL);
    if (sound->frames > FR_WAV_MAX_FRAMES) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a WAV file holds %u frames at most", FR_WAV_MAX_FRAMES);
    }
    if (sound->rate < 1 || sound->rate > FR_HAND_RATE_MAX) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "the rate of a sound is 1 .. %d frames a second",
                            FR_HAND_RATE_MAX);
    }
    uint32_t data = FRAME_BYTES * (uint32_t)sound->frames;
    uint8_t *to = put_name(bytes, "RIFF");
    to = put(to, FR_WAV_HEADER_BYTES - 8u + data, 4);
    to = put_name(to, "WAVE");

    to = put_name(to, "fmt ");
    to = put(to, FORMAT_BYTES, 4);
    to = put(to, FORMAT_PCM, 2);
    to = put(to, CHANNELS, 2);
    to = put(to, sound->rate, 4);
    to = put(to, sound->rate * FRAME_BYTES, 4);
    to = put(to, FRAME_BYTES, 2);
    to = put(to, SAMPLE_BITS, 2);

    to = put_name(to, "data");
    (void)put(to, data, 4);
    return FR_OK;
}

fr_status fr_wav_write(const fr_wav *sound, uint8_t *bytes, size_t size, fr_error *error) {
    FR_ASSERT(sound != NULL && bytes != NULL && (sound->stereo != NULL || sound->frames == 0));
    if (sound->frames <= FR_WAV_MAX_FRAMES && size < fr_wav_bytes(sound->frames)) {
        return fr_error_set(error, FR_ERROR_ARGUMENT, "a WAV file of %llu bytes does not fit into %zu",
                            (unsigned long long)fr_wav_bytes(sound->frames), size);
    }
    fr_status status = fr_wav_header(sound, bytes, error);
    if (status != FR_OK) { return status; }
    uint8_t *to = bytes + FR_WAV_HEADER_BYTES;
    for (uint64_t i = 0; i < CHANNELS * sound->frames; i++) {
        to = put(to, (uint16_t)sound->stereo[i], 2);
    }
    return FR_OK;
}
