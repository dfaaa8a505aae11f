// Times of a journal as people write them: 2026-11-18T01:02:03.004Z.
#include "fureai/server_journal.h"

#include <stdio.h>
#include <string.h>

#define DAY_MS INT64_C(86400000)

// Days from 1970-01-01 to a day of the Gregorian calendar. Years begin in March, so that the day which a leap year has
// more is the last one.
static int64_t days_of(int64_t year, int64_t month, int64_t day) {
    int64_t shifted = month > 2 ? month - 3 : month + 9;
    int64_t y = month > 2 ? year : year - 1;
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * shifted + 2) / 5 + day - 1 - 719468;
}

static bool is_leap(int64_t year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

static int64_t days_in(int64_t year, int64_t month) {
    static const int64_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
}

void fr_journal_time_text(int64_t time_ms, char text[FR_JOURNAL_TIME_BYTES]) {
    const int64_t last = (days_of(9999, 12, 31) + 1) * DAY_MS - 1;
    int64_t ms = time_ms < 0 ? 0 : time_ms > last ? last : time_ms;
    int64_t days = ms / DAY_MS, rest = ms % DAY_MS, year = 1970 + days / 366, month = 1;
    while (days_of(year + 1, 1, 1) <= days) {
        year++;
    }
    while (month < 12 && days_of(year, month + 1, 1) <= days) {
        month++;
    }
    int64_t day = days - days_of(year, month, 1) + 1;
    snprintf(text, FR_JOURNAL_TIME_BYTES, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", (int)year, (int)month, (int)day,
             (int)(rest / 3600000), (int)(rest / 60000 % 60), (int)(rest / 1000 % 60), (int)(rest % 1000));
}

// A number of exactly so many digits, and what must follow it.
static bool read_digits(const char **at, int count, char after, int64_t *out) {
    *out = 0;
    for (int i = 0; i < count; i++) {
        char c = (*at)[i];
        if (c < '0' || c > '9') { return false; }
        *out = *out * 10 + (c - '0');
    }
    *at += count;
    if (after == '\0') { return true; }
    if (**at != after) { return false; }
    (*at)++;
    return true;
}

bool fr_journal_time_read(const char *text, int64_t *out) {
    const char *at = text;
    int64_t year, month, day, hour, minute, second, ms = 0;
    if (!read_digits(&at, 4, '-', &year) || !read_digits(&at, 2, '-', &month) || !read_digits(&at, 2, 'T', &day) ||
        !read_digits(&at, 2, ':', &hour) || !read_digits(&at, 2, ':', &minute) || !read_digits(&at, 2, '\0', &second)) {
        return false;
    }
    if (*at == '.') {
        at++;
        if (!read_digits(&at, 3, '\0', &ms)) { return false; }
    }
    if (strcmp(at, "Z") != 0 || year < 1970 || month < 1 || month > 12 || day < 1 || day > days_in(year, month) ||
        hour > 23 || minute > 59 || second > 59) {
        return false;
    }
    *out = days_of(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + ms;
    return true;
}
