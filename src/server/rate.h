// How much a client may say: a bucket that fills by itself and empties by use.
#ifndef FUREAI_SERVER_RATE_H
#define FUREAI_SERVER_RATE_H

#include "fureai/base.h"

typedef struct fr__rate {
    double level;      // what may be used now; below 0: what is owed
    double per_second; // that is added
    double max;        // that it holds
    uint64_t last_ns;  // when it was filled up to
} fr__rate;

// A full bucket.
fr__rate fr__rate_make(double per_second, double max, uint64_t now_ns);

// Takes `amount` when there is as much; false, and nothing taken, otherwise.
bool fr__rate_take(fr__rate *rate, double amount, uint64_t now_ns);

// Takes `amount` of what was used already: below 0 the bucket owes it, up to what it holds. False when it owes.
bool fr__rate_owe(fr__rate *rate, double amount, uint64_t now_ns);

#endif
