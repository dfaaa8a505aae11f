// Bytes that go into a file, held until there are many, for the writers of motion files.
#ifndef FUREAI_HUMAN_BYTE_WRITER_H
#define FUREAI_HUMAN_BYTE_WRITER_H

#include "fureai/human_files.h"

#define FR__BYTE_WRITER_HOLD 8192

typedef struct fr__byte_writer {
    fr_bytes_fn *write;
    void *context;
    bool has_failed;
    size_t held;
    char bytes[FR__BYTE_WRITER_HOLD];
} fr__byte_writer;

void fr__byte_writer_begin(fr__byte_writer *w, fr_bytes_fn *write, void *context);

// At most FR__BYTE_WRITER_HOLD bytes.
void fr__byte_writer_put(fr__byte_writer *w, const void *bytes, size_t size);
void fr__byte_writer_text(fr__byte_writer *w, const char *text);

// A space and a number, as a double or as the nearest float.
void fr__byte_writer_number(fr__byte_writer *w, double value);
void fr__byte_writer_float(fr__byte_writer *w, double value);
void fr__byte_writer_whole(fr__byte_writer *w, uint64_t value);

// Writes what is held. FR_ERROR_FILE where something could not be written.
fr_status fr__byte_writer_end(fr__byte_writer *w, fr_error *error);

#endif
