// Limits how often something may happen (a token bucket).
#include "server/rate.h"

fr__rate fr__rate_make(double per_second, double max, uint64_t now_ns) {
    return (fr__rate){.level = max, .per_second = per_second, .max = max, .last_ns = now_ns};
}

static void fill(fr__rate *rate, uint64_t now_ns) {
    if (now_ns <= rate->last_ns) { return; }
    rate->level += rate->per_second * 1e-9 * (double)(now_ns - rate->last_ns);
    if (rate->level > rate->max) { rate->level = rate->max; }
    rate->last_ns = now_ns;
}

bool fr__rate_take(fr__rate *rate, double amount, uint64_t now_ns) {
    fill(rate, now_ns);
    if (rate->level < amount) { return false; }
    rate->level -= amount;
    return true;
}

bool fr__rate_owe(fr__rate *rate, double amount, uint64_t now_ns) {
    fill(rate, now_ns);
    rate->level -= amount;
    if (rate->level < -rate->max) { rate->level = -rate->max; }
    return rate->level >= 0.0;
}
