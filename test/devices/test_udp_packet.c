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
static udp_packet example(udp_kind kind) {
    udp_packet p;
    memset(&p, 0, sizeof p);
    p.kind = kind;
    p.sequence = 0x01020304u;
    p.time_ns = 0x1112131415161718u;
    if (kind == UDP_READING) {
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
    if (kind == UDP_COMMAND) {
        p.command.is_safe = true;
        p.watchdog_ms = 20;
        for (int i = 0; i < FR_STRING_COUNT; i++) {
            p.command.tensions[i] = 0.3 + i;
        }
        p.command.force = fr_vec3_make(1.0, 2.0, 3.0);
        p.command.torque = fr_vec3_make(-0.1, 0.2, -0.3);
    }
    if (kind == UDP_DESCRIPTION) {
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
    return p;
}

static const udp_kind kinds[] = {UDP_READING, UDP_COMMAND, UDP_DESCRIPTION};

static void test_packets_come_back_as_they_went(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        udp_packet p = example(kinds[i]), q;
        uint8_t bytes[UDP_MOST_BYTES];
        size_t size = udp_encode(&p, bytes);
        assert_int_equal(udp_decode(bytes, size, &q), UDP_FINE);
        assert_int_equal(q.sequence, p.sequence);
        assert_true(q.time_ns == p.time_ns && q.heard == p.heard && q.watchdog_ms == p.watchdog_ms);
        uint8_t again[UDP_MOST_BYTES];
        assert_int_equal(udp_encode(&q, again), size);
        assert_memory_equal(bytes, again, size);
    }
    // An arm says nothing of strings
    udp_packet p = example(UDP_DESCRIPTION), q;
    p.description.kind = FR_DEVICE_ARM;
    memset(&p.description.strings, 0, sizeof p.description.strings);
    memset(&p.description.pulleys, 0, sizeof p.description.pulleys);
    uint8_t bytes[UDP_MOST_BYTES];
    assert_int_equal(udp_decode(bytes, udp_encode(&p, bytes), &q), UDP_FINE);
    assert_int_equal(q.description.kind, FR_DEVICE_ARM);
}

// ---------------------------------------------------------------------------------------------------------------
// The page

// The value of a field as bytes; their number.
static size_t bytes_of(const udp_packet *p, const char *field, uint8_t out[128]) {
    const double rotation[] = {p->reading.rotation.w, p->reading.rotation.x, p->reading.rotation.y,
                               p->reading.rotation.z};
    uint16_t version = UDP_VERSION, kind = (uint16_t)p->kind;
    uint32_t flags = p->command.is_safe ? 1 : 0, device = p->description.kind == FR_DEVICE_ARM ? 1 : 0;
    const udp_description *d = &p->description;
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
                  {"force_max", &d->force_max, 8}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(field, fields[i].name) == 0) {
            memcpy(out, fields[i].data, fields[i].size); // tests run where numbers are little endian
            return fields[i].size;
        }
    }
    return 0;
}

// One row of a table against the bytes of a packet.
static void check_row(const udp_packet *p, const uint8_t *bytes, size_t offset, size_t count, const char *field) {
    uint8_t expected[128] = {0};
    if (strcmp(field, "check") == 0) {
        uint32_t check = udp_check(bytes, offset);
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
    udp_packet p = example(UDP_READING);
    uint8_t bytes[UDP_MOST_BYTES];
    while (fgets(line, sizeof line, page) != NULL) {
        const char *const heads[] = {"### Reading", "### Command", "### Description"};
        for (size_t i = 0; i < 3; i++) {
            if (strncmp(line, heads[i], strlen(heads[i])) != 0) { continue; }
            assert_int_equal(at, size); // the table before told its packet to the end
            p = example(kinds[i]);
            size = udp_encode(&p, bytes);
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
    assert_true(kind == 3 && at == size);
    assert_true(udp_check((const uint8_t *)"123456789", 9) == 0xcbf43926u);
}

// ---------------------------------------------------------------------------------------------------------------
// What is wrong

static void set_check(uint8_t *bytes, size_t size) {
    uint32_t check = udp_check(bytes, size - 4);
    for (size_t i = 0; i < 4; i++) {
        bytes[size - 4 + i] = (uint8_t)(check >> 8 * i);
    }
}

static void test_every_flipped_bit_is_seen(void **state) {
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        udp_packet p = example(kinds[k]), q;
        uint8_t bytes[UDP_MOST_BYTES];
        size_t size = udp_encode(&p, bytes);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            assert_int_not_equal(udp_decode(bytes, size, &q), UDP_FINE);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        }
        for (size_t shorter = 0; shorter < size; shorter++) {
            udp_fault fault = udp_decode(bytes, shorter, &q);
            assert_int_equal(fault, UDP_WRONG_SIZE);
        }
        uint8_t longer[UDP_MOST_BYTES + 1] = {0};
        memcpy(longer, bytes, size);
        assert_int_equal(udp_decode(longer, size + 1, &q), UDP_WRONG_SIZE);
    }
}

// Changes bytes of an example, puts the check right, and expects a fault.
static void refuses(udp_kind kind, size_t offset, const void *data, size_t count, udp_fault fault) {
    udp_packet p = example(kind), q;
    uint8_t bytes[UDP_MOST_BYTES];
    size_t size = udp_encode(&p, bytes);
    memcpy(bytes + offset, data, count);
    set_check(bytes, size);
    assert_int_equal(udp_decode(bytes, size, &q), fault);
    assert_string_not_equal(udp_fault_text(fault), udp_fault_text(UDP_FINE));
}

static void test_wrong_values_are_refused(void **state) {
    (void)state;
    const double nan = (double)NAN, huge = 1e9, minus = -0.5, one = 1.0;
    const uint32_t bits = 0x100u, none = 0;
    const int64_t far = INT64_MIN;
    refuses(UDP_READING, 0, "XRHD", 4, UDP_WRONG_MAGIC);
    refuses(UDP_READING, 4, "\2\0", 2, UDP_WRONG_VERSION);
    refuses(UDP_READING, 6, "\7\0", 2, UDP_WRONG_KIND);
    refuses(UDP_READING, 6, "\3\0", 2, UDP_WRONG_SIZE);
    refuses(UDP_READING, 12, "\1", 1, UDP_WRONG_VALUE);
    refuses(UDP_READING, 24, &bits, 4, UDP_WRONG_VALUE);
    refuses(UDP_READING, 40, &far, 8, UDP_WRONG_VALUE);
    refuses(UDP_READING, 64, &nan, 8, UDP_WRONG_VALUE);
    refuses(UDP_READING, 72, &huge, 8, UDP_WRONG_VALUE);
    refuses(UDP_READING, 96, &one, 8, UDP_WRONG_VALUE);
    refuses(UDP_COMMAND, 24, &bits, 4, UDP_WRONG_VALUE);
    refuses(UDP_COMMAND, 28, &none, 4, UDP_WRONG_VALUE);
    refuses(UDP_COMMAND, 32, &minus, 8, UDP_WRONG_VALUE);
    refuses(UDP_COMMAND, 40, &nan, 8, UDP_WRONG_VALUE);
    refuses(UDP_COMMAND, 64, &huge, 8, UDP_WRONG_VALUE);
    refuses(UDP_COMMAND, 112, "\1", 1, UDP_WRONG_VALUE);
    refuses(UDP_DESCRIPTION, 24, &bits, 4, UDP_WRONG_VALUE);
    refuses(UDP_DESCRIPTION, 32, &nan, 8, UDP_WRONG_VALUE);
    refuses(UDP_DESCRIPTION, 152, &huge, 8, UDP_WRONG_VALUE);
    refuses(UDP_DESCRIPTION, 200, &minus, 8, UDP_WRONG_VALUE);
    refuses(UDP_DESCRIPTION, 216, &nan, 8, UDP_WRONG_VALUE);
    refuses(UDP_DESCRIPTION, 251, "\1", 1, UDP_WRONG_VALUE);
}

static void test_sequences_go_round(void **state) {
    (void)state;
    assert_true(udp_is_after(1, 0) && udp_is_after(0, 0xffffffffu) && udp_is_after(0x7fffffffu, 0));
    assert_false(udp_is_after(5, 5) || udp_is_after(4, 5) || udp_is_after(0x80000000u, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packets_come_back_as_they_went),
        cmocka_unit_test(test_the_page_tells_every_byte),
        cmocka_unit_test(test_every_flipped_bit_is_seen),
        cmocka_unit_test(test_wrong_values_are_refused),
        cmocka_unit_test(test_sequences_go_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
