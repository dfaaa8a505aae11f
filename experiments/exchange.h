// Messages between two ends of a loopback connection (TCP): as the source sent them, in two small writes each, and as
// we do, in one.
#ifndef FUREAI_EXPERIMENTS_EXCHANGE_H
#define FUREAI_EXPERIMENTS_EXCHANGE_H

#include "fureai/base.h"

#define EXCHANGE_MESSAGE_BYTES 1120u // a person and 12 objects: what a display needs for one picture
#define EXCHANGE_FRAME_BYTES 700u    // a posture of 43 links in floats
#define EXCHANGE_MAX_PEERS 3

typedef enum exchange_mode {
    EXCHANGE_TWO_WRITES, // a request, and a reply whose head and body are written one after the other (Nagle's
                         // algorithm is on, as it is where nothing is said)
    EXCHANGE_ONE_WRITE,  // a request and a reply, one write each, TCP_NODELAY
    EXCHANGE_PUSH        // no request: a message of one write, TCP_NODELAY
} exchange_mode;

// What the replying end computes before each message; may be NULL.
typedef void exchange_work_fn(void *context);

typedef struct exchange_input {
    exchange_mode mode;
    uint32_t bytes;  // of a message
    uint32_t peers;  // that get a request at the same time, 1 .. EXCHANGE_MAX_PEERS
    uint32_t rounds; // of requests, one after another, in one exchange
    uint32_t count;  // of exchanges that are timed, after as many that are not
    exchange_work_fn *work;
    void *context;
} exchange_input;

// The median time of an exchange with all peers, seconds. FR_ERROR_SYSTEM where there is no loopback, FR_ERROR_MEMORY.
fr_status exchange_measure(const exchange_input *input, double *seconds, fr_error *error);

#endif
