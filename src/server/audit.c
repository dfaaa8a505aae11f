// Writes what was refused to a file.
#include "server/audit.h"

#include "fureai/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_MAX_BYTES = 256 << 10, PATH_BYTES = 4096, FILE_MODE = 0600 };

static bool open_file(fr__audit *audit) {
    struct stat about;
    audit->descriptor = open(audit->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, FILE_MODE);
    if (audit->descriptor < 0) { return false; }
    audit->bytes = fstat(audit->descriptor, &about) == 0 && about.st_size > 0 ? (uint64_t)about.st_size : 0;
    return true;
}

fr_status fr__audit_open(fr__audit *audit, const char *path, const fr_allocator *allocator, fr_error *error) {
    *audit = (fr__audit){.path = path,
                         .descriptor = -1,
                         .max_bytes = FR__AUDIT_MAX_BYTES,
                         .lines = fr__rate_make(FR__AUDIT_RATE, 5.0 * FR__AUDIT_RATE, fr_clock_ns()),
                         .text = fr_array_make(1, allocator)};
    if (path == NULL || open_file(audit)) { return FR_OK; }
    fr_error_set(error, FR_ERROR_FILE, "cannot append to the audit: %s", strerror(errno));
    fr_error_locate(error, path, 0, 0);
    return FR_ERROR_FILE;
}

static bool write_bytes(const void *bytes, size_t size, void *context) {
    void *room = fr_array_push(context, size);
    if (room != NULL) { memcpy(room, bytes, size); }
    return room != NULL;
}

// The time of day, as ISO 8601 has it.
static void write_time(char out[32]) {
    struct timespec now = {0};
    struct tm parts;
    char day[24];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(out, 32, "%s.%03dZ", day, (int)(now.tv_nsec / 1000000));
}

static void write_text(fr_json_writer *writer, const char *key, const char *text) {
    if (text != NULL && text[0] != '\0') { fr_json_write_string_field(writer, key, text); }
}

void fr__audit_take(fr__audit *audit, const fr__refusal *refusal, uint64_t now_ns) {
    if (audit->path == NULL) { return; }
    if (!fr__rate_take(&audit->lines, 1.0, now_ns) || audit->text.count > TEXT_MAX_BYTES) {
        audit->left_out++;
        return;
    }
    char time[32];
    size_t before = audit->text.count;
    write_time(time);
    fr_json_writer writer = fr_json_writer_make(write_bytes, &audit->text, 0, NULL);
    fr_json_write_object(&writer);
    fr_json_write_string_field(&writer, "time", time);
    if (audit->left_out > 0) { fr_json_write_uint_field(&writer, "left_out", audit->left_out); }
    write_text(&writer, "address", refusal->address);
    if (refusal->client != 0) { fr_json_write_uint_field(&writer, "client", refusal->client); }
    write_text(&writer, "name", refusal->name);
    write_text(&writer, "message", refusal->message);
    fr_json_write_string_field(&writer, "status", fr_status_text(refusal->status));
    write_text(&writer, "reason", refusal->reason);
    fr_json_write_object_end(&writer);
    bool is_written = fr_json_writer_end(&writer);
    if (is_written) {
        audit->left_out = 0;
    } else {
        audit->text.count = before;
        audit->left_out++;
    }
}

// The file is full: it becomes FILE.1, in place of the one before.
static bool turn_over(fr__audit *audit) {
    char before[PATH_BYTES];
    int length = snprintf(before, sizeof before, "%s.1", audit->path);
    close(audit->descriptor);
    audit->descriptor = -1;
    return length > 0 && length < PATH_BYTES && rename(audit->path, before) == 0 && open_file(audit);
}

static bool write_all(fr__audit *audit) {
    const char *at = audit->text.data;
    size_t left = audit->text.count;
    if (audit->descriptor < 0 && !open_file(audit)) { return false; }
    if (audit->bytes > 0 && audit->bytes + left > audit->max_bytes && !turn_over(audit)) { return false; }
    while (left > 0) {
        ssize_t written = write(audit->descriptor, at, left);
        if (written < 0 && errno == EINTR) { continue; }
        if (written <= 0) { return false; }
        at += written;
        left -= (size_t)written;
        audit->bytes += (uint64_t)written;
    }
    return true;
}

void fr__audit_flush(fr__audit *audit) {
    if (audit->path == NULL || audit->text.count == 0) { return; }
    bool is_written = write_all(audit);
    if (!is_written && !audit->has_failed) {
        fr_log(FR_LOG_ERROR, "server: the audit %s cannot be written: %s", audit->path, strerror(errno));
    }
    audit->has_failed = !is_written;
    audit->text.count = 0;
}

void fr__audit_close(fr__audit *audit) {
    if (audit->path == NULL) { return; }
    fr__audit_flush(audit);
    if (audit->descriptor >= 0) { close(audit->descriptor); }
    audit->descriptor = -1;
    fr_array_destroy(&audit->text);
}
