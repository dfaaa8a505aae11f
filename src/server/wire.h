// What came over a socket, as the kernel counts it: the sockets' library does not report control frames and empty
// fragments.
#ifndef FUREAI_SERVER_WIRE_H
#define FUREAI_SERVER_WIRE_H

#include "fureai/base.h"

// What is known of the bytes that came over a socket.
typedef struct fr__traffic {
    int64_t taken;   // bytes that were read from the socket since it was counted first
    int64_t heard;   // of them in messages, with what may stand around these
    int64_t charged; // those that were found to carry no message
    uint64_t first;  // bytes that the socket had received when it was counted first
} fr__traffic;

// Bytes that a TCP socket received since it was opened and that were read from it; false where the system does not
// count them.
bool fr__wire_read(int descriptor, uint64_t *out);

// A piece of a message was read.
void fr__wire_hear(fr__traffic *wire, size_t size);

// Counts again: `bytes` were read since the socket was opened. Returns how many more of them carried no message:
// control frames, empty fragments. What the library has read but not given out yet counts as such until it is given
// out; that is little.
uint64_t fr__wire_count(fr__traffic *wire, uint64_t bytes);

#endif
