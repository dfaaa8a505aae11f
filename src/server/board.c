#include "server/board.h"

fr__board fr__board_make(const fr_allocator *allocator) {
    return (fr__board){.notices = fr_array_make(sizeof(fr__notice), allocator),
                       .allocator = fr_allocator_or_default(allocator)};
}

static fr__notice *notice_at(const fr__board *board, size_t i) { return (fr__notice *)board->notices.data + i; }

void fr__board_clear(fr__board *board) {
    for (size_t i = 0; i < board->notices.count; i++) {
        fr__letter_free(&notice_at(board, i)->letter);
    }
    board->notices.count = 0;
    board->off_count = 0;
    board->farewell_count = 0;
}

void fr__board_free(fr__board *board) {
    fr__board_clear(board);
    fr_array_free(&board->notices);
}

static uint64_t put(fr__board *board, fr__notice notice) {
    fr__notice *place = fr_array_push(&board->notices, 1);
    if (place == NULL) {
        fr__letter_free(&notice.letter);
        return 0;
    }
    notice.serial = ++board->last;
    if (notice.is_farewell) { board->farewell_count++; }
    *place = notice;
    return notice.serial;
}

uint64_t fr__board_put(fr__board *board, fr__letter *letter) { return put(board, (fr__notice){.letter = *letter}); }

uint64_t fr__board_put_mesh(fr__board *board, uint32_t mesh) {
    return put(board, (fr__notice){.mesh = mesh, .letter = fr__letter_make(&board->allocator)});
}

// The first notice whose serial is above one; notices are sorted by it.
static size_t first_above(const fr__board *board, uint64_t serial) {
    size_t low = 0, high = board->notices.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (notice_at(board, middle)->serial > serial) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static void take_off(fr__board *board, fr__notice *notice) {
    if (notice->is_off) { return; }
    fr__letter_free(&notice->letter);
    notice->is_off = true;
    board->off_count++;
    if (notice->is_farewell) { board->farewell_count--; }
}

// Closes the gaps once they are more than what stands.
static void close_gaps(fr__board *board) {
    if (board->off_count <= 16 || board->off_count * 2 <= board->notices.count) { return; }
    size_t kept = 0;
    for (size_t i = 0; i < board->notices.count; i++) {
        if (!notice_at(board, i)->is_off) { *notice_at(board, kept++) = *notice_at(board, i); }
    }
    board->notices.count = kept;
    board->off_count = 0;
}

void fr__board_take(fr__board *board, uint64_t serial, fr__letter *farewell) {
    size_t i = serial > 0 ? first_above(board, serial - 1) : board->notices.count;
    if (i < board->notices.count && notice_at(board, i)->serial == serial) { take_off(board, notice_at(board, i)); }
    close_gaps(board);
    if (farewell != NULL) { put(board, (fr__notice){.letter = *farewell, .is_farewell = true}); }
}

fr__bookmark fr__board_join(const fr__board *board) { return (fr__bookmark){.joined = board->last}; }

uint64_t fr__bookmark_passed(const fr__bookmark *mark) { return mark->read > mark->joined ? mark->read : mark->joined; }

const fr__notice *fr__board_next(const fr__board *board, const fr__bookmark *mark) {
    for (size_t i = first_above(board, mark->read); i < board->notices.count; i++) {
        const fr__notice *notice = notice_at(board, i);
        if (!notice->is_off && !(notice->is_farewell && notice->serial <= mark->joined)) { return notice; }
    }
    return NULL;
}

void fr__board_sweep(fr__board *board, uint64_t read_by_all) {
    for (size_t i = 0; i < board->notices.count && notice_at(board, i)->serial <= read_by_all; i++) {
        if (notice_at(board, i)->is_farewell) { take_off(board, notice_at(board, i)); }
    }
    close_gaps(board);
}
