// Bytes that go into a file, held until there are many.
#include "byte_writer.h"

#include <string.h>

void fr__byte_writer_begin(fr__byte_writer *w, fr_bytes_fn *write, void *context) {
    w->write = write;
    w->context = context;
    w->has_failed = false;
    w->held = 0;
}

static void flush(fr__byte_writer *w) {
    if (w->held > 0 && !w->has_failed) { w->has_failed = !w->write(w->bytes, w->held, w->context); }
    w->held = 0;
}

void fr__byte_writer_put(fr__byte_writer *w, const void *bytes, size_t size) {
    if (size > FR__BYTE_WRITER_HOLD - w->held) { flush(w); }
    memcpy(w->bytes + w->held, bytes, size);
    w->held += size;
}

void fr__byte_writer_text(fr__byte_writer *w, const char *text) { fr__byte_writer_put(w, text, strlen(text)); }

void fr__byte_writer_number(fr__byte_writer *w, double value) {
    char text[FR_NUMBER_BYTES + 1];
    text[0] = ' ';
    fr__byte_writer_put(w, text, 1 + fr_number_write(value, text + 1));
}

void fr__byte_writer_float(fr__byte_writer *w, double value) {
    char text[FR_NUMBER_BYTES + 1];
    text[0] = ' ';
    fr__byte_writer_put(w, text, 1 + fr_number_write_float((float)value, text + 1));
}

void fr__byte_writer_whole(fr__byte_writer *w, uint64_t value) {
    char text[FR_NUMBER_BYTES + 1];
    text[0] = ' ';
    fr__byte_writer_put(w, text, 1 + fr_number_write_whole(value, text + 1));
}

fr_status fr__byte_writer_end(fr__byte_writer *w, fr_error *error) {
    flush(w);
    return w->has_failed ? fr_error_set(error, FR_ERROR_FILE, "the motion could not be written") : FR_OK;
}
