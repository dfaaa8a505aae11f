// What there is of Collada in a build without expat.
#include "builder.h"

fr_status fr__read_collada(fr__reader *reader) {
    return fr__cursor_fail(&reader->cursor, NULL, FR_ERROR_UNSUPPORTED,
                           "this build reads no XML, and so no Collada: convert the file to glTF first");
}
