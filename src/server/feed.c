// A feed of notices, in order, with farewells for what no longer holds.
#include "server/feed.h"

fr__feed fr__feed_make(const fr_allocator *allocator) {
    return (fr__feed){.notices = fr__notice_array_make(allocator), .allocator = fr_allocator_or_default(allocator)};
}

static fr__notice *notice_at(const fr__feed *feed, size_t i) { return feed->notices.data + i; }

void fr__feed_clear(fr__feed *feed) {
    for (size_t i = 0; i < feed->notices.count; i++) {
        fr__packet_free(&notice_at(feed, i)->packet);
    }
    feed->notices.count = 0;
    feed->off_count = 0;
    feed->farewell_count = 0;
    feed->changes++;
}

void fr__feed_free(fr__feed *feed) {
    fr__feed_clear(feed);
    fr__notice_array_destroy(&feed->notices);
}

static uint64_t put(fr__feed *feed, fr__notice notice) {
    fr__notice *place = fr__notice_array_push(&feed->notices, 1);
    if (place == NULL) {
        fr__packet_free(&notice.packet);
        return 0;
    }
    notice.serial = ++feed->last;
    feed->changes++;
    if (notice.is_farewell) { feed->farewell_count++; }
    *place = notice;
    return notice.serial;
}

uint64_t fr__feed_put(fr__feed *feed, fr__packet *packet) { return put(feed, (fr__notice){.packet = *packet}); }

uint64_t fr__feed_put_mesh(fr__feed *feed, uint32_t mesh) {
    return put(feed, (fr__notice){.mesh = mesh, .packet = fr__packet_make(&feed->allocator)});
}

// The first notice whose serial is above one; notices are sorted by it.
static size_t first_above(const fr__feed *feed, uint64_t serial) {
    size_t low = 0, high = feed->notices.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (notice_at(feed, middle)->serial > serial) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static void take_off(fr__feed *feed, fr__notice *notice) {
    if (notice->is_off) { return; }
    fr__packet_free(&notice->packet);
    notice->is_off = true;
    feed->off_count++;
    feed->changes++;
    if (notice->is_farewell) { feed->farewell_count--; }
}

// Closes the gaps once they are more than what stands.
static void close_gaps(fr__feed *feed) {
    if (feed->off_count <= 16 || feed->off_count * 2 <= feed->notices.count) { return; }
    size_t kept = 0;
    for (size_t i = 0; i < feed->notices.count; i++) {
        if (!notice_at(feed, i)->is_off) { *notice_at(feed, kept++) = *notice_at(feed, i); }
    }
    feed->notices.count = kept;
    feed->off_count = 0;
}

void fr__feed_take(fr__feed *feed, uint64_t serial, fr__packet *farewell) {
    size_t i = serial > 0 ? first_above(feed, serial - 1) : feed->notices.count;
    if (i < feed->notices.count && notice_at(feed, i)->serial == serial) { take_off(feed, notice_at(feed, i)); }
    close_gaps(feed);
    if (farewell != NULL) { put(feed, (fr__notice){.packet = *farewell, .is_farewell = true}); }
}

fr__feed_cursor fr__feed_join(const fr__feed *feed) { return (fr__feed_cursor){.joined = feed->last}; }

uint64_t fr__cursor_passed(const fr__feed_cursor *mark) {
    return mark->read > mark->joined ? mark->read : mark->joined;
}

const fr__notice *fr__feed_next(const fr__feed *feed, const fr__feed_cursor *mark) {
    for (size_t i = first_above(feed, mark->read); i < feed->notices.count; i++) {
        const fr__notice *notice = notice_at(feed, i);
        if (!notice->is_off && !(notice->is_farewell && notice->serial <= mark->joined)) { return notice; }
    }
    return NULL;
}

void fr__feed_sweep(fr__feed *feed, uint64_t read_by_all) {
    for (size_t i = 0; i < feed->notices.count && notice_at(feed, i)->serial <= read_by_all; i++) {
        if (notice_at(feed, i)->is_farewell) { take_off(feed, notice_at(feed, i)); }
    }
    close_gaps(feed);
}
