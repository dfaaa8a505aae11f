// Any bytes as what comes over a broadcast: refused with a sentence, or an envelope that is written to the same bytes
// again and whose list of clients ends.
#include "server/envelope.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fr__envelope envelope, each;
    fr_error error = {0};
    if (fr__envelope_read(data, size, &envelope, &error) != FR_OK) {
        require(error.message[0] != '\0');
        return 0;
    }
    require(strlen(envelope.name) < FR__ENVELOPE_NAME_BYTES && envelope.home != 0 && envelope.size <= size);
    fr_byte_array out = fr_byte_array_make(NULL);
    require(fr__envelope_write(&envelope, &out));
    // A zero within the name ends it.
    if (out.count == size) { require(memcmp(out.data, data, size) == 0); }
    fr_byte_array_destroy(&out);
    size_t at = 0, before = 0;
    while (fr__envelope_next(envelope.bytes, envelope.size, &at, &each)) {
        require(at > before && at <= envelope.size && each.size == 0);
        before = at;
    }
    return 0;
}
