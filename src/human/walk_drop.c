// Smooths the needs of a walk's legs: the greatest need of a window, averaged over another one.
#include "human/walk_drop.h"

void fr__walk_drops_clear(fr__walk_drops *drops) { drops->first = drops->end = 0; }

// Computes the needs that are not known yet of the frames from `from` up to and with `to`.
static void fill(fr__walk_drops *drops, int64_t from, int64_t to, fr__walk_need_fn *need, void *context) {
    FR_ASSERT(to - from < FR__DROP_RING);
    if (from < drops->first || from > drops->end) { drops->first = drops->end = from; }
    for (; drops->end <= to; drops->end++) {
        drops->needs[(uint64_t)drops->end % FR__DROP_RING] = need(drops->end, context);
    }
    drops->first = drops->end - drops->first > FR__DROP_RING ? drops->end - FR__DROP_RING : drops->first;
}

double fr__walk_drops_at(fr__walk_drops *drops, double time, double width, fr__walk_need_fn *need, void *context) {
    int64_t reach = (int64_t)width + 1, at = (int64_t)floor(time);
    fill(drops, at - 2 * reach, at + 1 + 2 * reach, need, context);
    double sum = 0.0, weights = 0.0;
    for (int64_t i = at - reach + 1; i <= at + reach; i++) {
        double x = ((double)i - time) / (double)reach, weight = 1.0 - x * x, most = 0.0;
        for (int64_t k = i - reach; k <= i + reach; k++) {
            double one = drops->needs[(uint64_t)k % FR__DROP_RING];
            most = one > most ? one : most;
        }
        weight = weight > 0.0 ? weight * weight : 0.0;
        sum += weight * most;
        weights += weight;
    }
    return sum / weights;
}
