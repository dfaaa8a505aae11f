// Packets: the page that tells their bytes is right, and whatever comes in is read or refused.
#include "frame.h"

#include "udp_packet.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Packets with a different value in every field.
static fr__udp_packet example(fr__udp_kind kind) {
    fr__udp_packet p;
    memset(&p, 0, sizeof p);
    p.kind = kind;
    p.sequence = 0x01020304u;
    p.time_ns = 0x1112131415161718u;
    if (kind == FR__UDP_READING) {
        p.reading.time_ns = p.time_ns;
        p.reading.status = FR_DEVICE_FAULT | FR_DEVICE_UNSET;
        p.reading.buttons = 3;
        for (int i = 0; i < FR_STRING_COUNT; i++) {
            p.reading.counts[i] = -1000 * (i + 1);
        }
        p.reading.tip = fr_vec3_make(0.1, -0.2, 0.3);
        p.reading.rotation = fr_quat_from_vector(fr_vec3_make(0.5, 0.25, -0.125));
        p.heard = 77;
    }
    if (kind == FR__UDP_COMMAND) {
        p.command.is_safe = true;
        p.watchdog_ms = 20;
        for (int i = 0; i < FR_STRING_COUNT; i++) {
            p.command.tensions[i] = 0.3 + i;
        }
        p.command.force = fr_vec3_make(1.0, 2.0, 3.0);
        p.command.torque = fr_vec3_make(-0.1, 0.2, -0.3);
    }
    if (kind == FR__UDP_DESCRIPTION) {
        p.description.kind = FR_DEVICE_STRINGS;
        p.description.strings = fr_default_strings();
        p.description.strings.home = fr_vec3_make(0.01, 0.02, 0.03);
        for (int i = 0; i < FR_STRING_COUNT; i++) {
            p.description.pulleys.length_zero[i] = 0.4 + 0.01 * i;
        }
        p.description.pulleys.radius = 0.01;
        p.description.pulleys.per_turn = 628.0;
        p.description.force_max = 4.0;
    }
    if (kind == FR__UDP_SENSOR) {
        p.sensor.sensor = 0x0a0b0c0du;
        p.sensor.pose = fr_pose_make(fr_vec3_make(0.4, -0.5, 0.6), fr_quat_from_vector(fr_vec3_make(-0.3, 0.2, 0.1)));
        p.sensor.position_error = 0.0015;
        p.sensor.rotation_error = 0.004;
    }
    return p;
}

enum { KINDS = 4 };

static const fr__udp_kind kinds[KINDS] = {FR__UDP_READING, FR__UDP_COMMAND, FR__UDP_DESCRIPTION, FR__UDP_SENSOR};

static void test_packets_come_back_as_they_went(void **state) {
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        fr__udp_packet p = example(kinds[i]), q;
        uint8_t bytes[FR__UDP_MAX_BYTES];
        size_t size = fr__udp_encode(&p, bytes);
        assert_int_equal(fr__udp_decode(bytes, size, &q), FR_UDP_FINE);
        assert_int_equal(q.sequence, p.sequence);
        assert_true(q.time_ns == p.time_ns && q.heard == p.heard && q.watchdog_ms == p.watchdog_ms);
        uint8_t again[FR__UDP_MAX_BYTES];
        assert_int_equal(fr__udp_encode(&q, again), size);
        assert_memory_equal(bytes, again, size);
    }
    // An arm says nothing of strings
    fr__udp_packet p = example(FR__UDP_DESCRIPTION), q;
    p.description.kind = FR_DEVICE_ARM;
    memset(&p.description.strings, 0, sizeof p.description.strings);
    memset(&p.description.pulleys, 0, sizeof p.description.pulleys);
    uint8_t bytes[FR__UDP_MAX_BYTES];
    assert_int_equal(fr__udp_decode(bytes, fr__udp_encode(&p, bytes), &q), FR_UDP_FINE);
    assert_int_equal(q.description.kind, FR_DEVICE_ARM);
}

// ---------------------------------------------------------------------------------------------------------------
// The page

// The value of a field as bytes; their number.
static size_t bytes_of(const fr__udp_packet *p, const char *field, uint8_t out[128]) {
    fr_quat turn = p->kind == FR__UDP_SENSOR ? p->sensor.pose.rotation : p->reading.rotation;
    const double rotation[] = {turn.w, turn.x, turn.y, turn.z};
    uint16_t version = FR__UDP_VERSION, kind = (uint16_t)p->kind;
    uint32_t flags = p->command.is_safe ? 1 : 0, device = p->description.kind == FR_DEVICE_ARM ? 1 : 0;
    const fr__udp_description *d = &p->description;
    const struct {
        const char *name;
        const void *data;
        size_t size;
    } fields[] = {{"magic", "FRHD", 4},
                  {"version", &version, 2},
                  {"kind", &kind, 2},
                  {"sequence", &p->sequence, 4},
                  {"time", &p->time_ns, 8},
                  {"status", &p->reading.status, 4},
                  {"buttons", &p->reading.buttons, 4},
                  {"counts", p->reading.counts, 32},
                  {"tip", &p->reading.tip, 24},
                  {"rotation", rotation, 32},
                  {"heard", &p->heard, 4},
                  {"flags", &flags, 4},
                  {"watchdog", &p->watchdog_ms, 4},
                  {"tensions", p->command.tensions, 32},
                  {"force", &p->command.force, 24},
                  {"torque", &p->command.torque, 24},
                  {"device", &device, 4},
                  {"anchors", d->strings.anchors, 96},
                  {"home", &d->strings.home, 24},
                  {"tension_min", &d->strings.tension_min, 8},
                  {"tension_max", &d->strings.tension_max, 8},
                  {"length_zero", d->pulleys.length_zero, 32},
                  {"radius", &d->pulleys.radius, 8},
                  {"per_turn", &d->pulleys.per_turn, 8},
                  {"force_max", &d->force_max, 8},
                  {"sensor", &p->sensor.sensor, 4},
                  {"position", &p->sensor.pose.position, 24},
                  {"position_error", &p->sensor.position_error, 8},
                  {"rotation_error", &p->sensor.rotation_error, 8}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(field, fields[i].name) == 0) {
            memcpy(out, fields[i].data, fields[i].size); // tests run where numbers are little endian
            return fields[i].size;
        }
    }
    return 0;
}

// One row of a table against the bytes of a packet.
static void check_row(const fr__udp_packet *p, const uint8_t *bytes, size_t offset, size_t count, const char *field) {
    uint8_t expected[128] = {0};
    if (strcmp(field, "check") == 0) {
        uint32_t check = fr__udp_check(bytes, offset);
        memcpy(expected, &check, 4);
    } else if (strcmp(field, "zero") != 0) {
        assert_int_equal(bytes_of(p, field, expected), count);
    }
    assert_memory_equal(bytes + offset, expected, count);
}

static void test_the_page_tells_every_byte(void **state) {
    (void)state;
    FILE *page = fopen(DEVICES_PAGE, "r");
    assert_non_null(page);
    char line[512], field[64];
    size_t kind = 0, at = 0, size = 0, offset, count;
    fr__udp_packet p = example(FR__UDP_READING);
    uint8_t bytes[FR__UDP_MAX_BYTES];
    while (fgets(line, sizeof line, page) != NULL) {
        const char *const heads[] = {"### Reading", "### Command", "### Description", "### Sensor"};
        for (size_t i = 0; i < KINDS; i++) {
            if (strncmp(line, heads[i], strlen(heads[i])) != 0) { continue; }
            assert_int_equal(at, size); // the table before told its packet to the end
            p = example(kinds[i]);
            size = fr__udp_encode(&p, bytes);
            assert_non_null(strstr(line, size == 128 ? " 128 bytes" : " 256 bytes"));
            at = 0;
            kind++;
        }
        if (sscanf(line, "| %zu | %zu | %*[^|]| `%63[^`]`", &offset, &count, field) != 3) { continue; }
        assert_int_equal(offset, at);
        check_row(&p, bytes, offset, count, field);
        at += count;
    }
    fclose(page);
    assert_true(kind == KINDS && at == size);
    assert_true(fr__udp_check((const uint8_t *)"123456789", 9) == 0xcbf43926u);
}

// ---------------------------------------------------------------------------------------------------------------
// What is wrong

static void set_check(uint8_t *bytes, size_t size) {
    uint32_t check = fr__udp_check(bytes, size - 4);
    for (size_t i = 0; i < 4; i++) {
        bytes[size - 4 + i] = (uint8_t)(check >> 8 * i);
    }
}

static void test_every_flipped_bit_is_seen(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        fr__udp_packet p = example(kinds[k]), q;
        uint8_t bytes[FR__UDP_MAX_BYTES];
        size_t size = fr__udp_encode(&p, bytes);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_int_not_equal(fr__udp_decode(bytes, size, &q), FR_UDP_FINE);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        for (size_t shorter = 0; shorter < size; shorter++) {
            fr_udp_fault fault = fr__udp_decode(bytes, shorter, &q);
            assert_int_equal(fault, FR_UDP_WRONG_SIZE);
        }
        uint8_t longer[FR__UDP_MAX_BYTES + 1] = {0};
        memcpy(longer, bytes, size);
        assert_int_equal(fr__udp_decode(longer, size + 1, &q), FR_UDP_WRONG_SIZE);
    }
}

// Changes bytes of an example, puts the check right, and expects a fault.
static void refuses(fr__udp_kind kind, size_t offset, const void *data, size_t count, fr_udp_fault fault) {
    fr__udp_packet p = example(kind), q;
    uint8_t bytes[FR__UDP_MAX_BYTES];
    size_t size = fr__udp_encode(&p, bytes);
    memcpy(bytes + offset, data, count);
    set_check(bytes, size);
    assert_int_equal(fr__udp_decode(bytes, size, &q), fault);
    assert_string_not_equal(fr_udp_fault_text(fault), fr_udp_fault_text(FR_UDP_FINE));
}

static void test_wrong_values_are_refused(void **state) {
    (void)state;
    const double nan = (double)NAN, huge = 1e9, minus = -0.5, one = 1.0;
    const uint32_t bits = 0x100u, none = 0;
    const int64_t far = INT64_MIN;
    refuses(FR__UDP_READING, 0, "XRHD", 4, FR_UDP_WRONG_MAGIC);
    refuses(FR__UDP_READING, 4, "\2\0", 2, FR_UDP_WRONG_VERSION);
    refuses(FR__UDP_READING, 6, "\7\0", 2, FR_UDP_WRONG_KIND);
    refuses(FR__UDP_READING, 6, "\3\0", 2, FR_UDP_WRONG_SIZE);
    refuses(FR__UDP_READING, 12, "\1", 1, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_READING, 24, &bits, 4, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_READING, 40, &far, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_READING, 64, &nan, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_READING, 72, &huge, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_READING, 96, &one, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_COMMAND, 24, &bits, 4, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_COMMAND, 28, &none, 4, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_COMMAND, 32, &minus, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_COMMAND, 40, &nan, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_COMMAND, 64, &huge, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_COMMAND, 112, "\1", 1, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_DESCRIPTION, 24, &bits, 4, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_DESCRIPTION, 32, &nan, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_DESCRIPTION, 152, &huge, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_DESCRIPTION, 200, &minus, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_DESCRIPTION, 216, &nan, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_DESCRIPTION, 251, "\1", 1, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_SENSOR, 4, "\2\0", 2, FR_UDP_WRONG_VERSION);
    refuses(FR__UDP_SENSOR, 28, "\1", 1, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_SENSOR, 32, &nan, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_SENSOR, 40, &huge, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_SENSOR, 64, &one, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_SENSOR, 88, &minus, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_SENSOR, 96, &nan, 8, FR_UDP_WRONG_VALUE);
    refuses(FR__UDP_SENSOR, 104, "\1", 1, FR_UDP_WRONG_VALUE);
}

static void test_sequences_go_round(void **state) {
    (void)state;
    assert_true(fr__udp_is_after(1, 0) && fr__udp_is_after(0, 0xffffffffu) && fr__udp_is_after(0x7fffffffu, 0));
    assert_false(fr__udp_is_after(5, 5) || fr__udp_is_after(4, 5) || fr__udp_is_after(0x80000000u, 0));
}

static void what_was_left_out_is_said_in_words(void **state) {
    (void)state;
    char text[FR_UDP_COUNTS_TEXT_BYTES];
    fr_udp_counts counts = {.taken = 9, .sent = 9};
    fr_udp_counts_text(&counts, text);
    assert_string_equal(text, "");
    counts.old = 3;
    counts.wrong[FR_UDP_WRONG_VERSION] = 1;
    fr_udp_counts_text(&counts, text);
    assert_string_equal(text, "3 late or doubled, 1 of another version");
    // All of them, as large as they can be: cut at the end
    memset(&counts, 0xff, sizeof counts);
    fr_udp_counts_text(&counts, text);
    assert_true(strlen(text) == sizeof text - 1 && strstr(text, "18446744073709551615 from another address") != NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_left_out_is_said_in_words), cmocka_unit_test(test_packets_come_back_as_they_went),
        cmocka_unit_test(test_the_page_tells_every_byte),     cmocka_unit_test(test_every_flipped_bit_is_seen),
        cmocka_unit_test(test_wrong_values_are_refused),      cmocka_unit_test(test_sequences_go_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
