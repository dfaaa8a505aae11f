// Packets of a networked device: to bytes and back, checked.
#include "udp_packet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAGIC 0x44485246u // "FRHD"
#define HEAD_BYTES 24u
#define CHECK_BYTES 4u
#define KNOWN_STATUS (FR_DEVICE_LOST | FR_DEVICE_FAULT | FR_DEVICE_UNSET)
#define MOST_NEWTONS 1000.0
#define MOST_METRES 100.0
#define MOST_COUNT ((int64_t)1 << 48)

const char *fr_udp_fault_text(fr_udp_fault fault) {
    switch (fault) {
    case FR_UDP_FINE: return "fine";
    case FR_UDP_WRONG_SIZE: return "shorter or longer than its kind";
    case FR_UDP_WRONG_MAGIC: return "not of this protocol";
    case FR_UDP_WRONG_VERSION: return "of another version";
    case FR_UDP_WRONG_KIND: return "of an unknown kind";
    case FR_UDP_WRONG_CHECK: return "changed in transit";
    case FR_UDP_WRONG_VALUE: return "with a value out of range";
    default: return "of an unknown fault";
    }
}

static size_t add_text(char *text, size_t used, uint64_t count, const char *what) {
    if (count == 0) { return used; }
    int written = snprintf(text + used, FR_UDP_COUNTS_TEXT_BYTES - used, "%s%llu %s", used > 0 ? ", " : "",
                           (unsigned long long)count, what);
    size_t end = used + (size_t)(written > 0 ? written : 0);
    return end < FR_UDP_COUNTS_TEXT_BYTES ? end : FR_UDP_COUNTS_TEXT_BYTES - 1;
}

void fr_udp_counts_text(const fr_udp_counts *counts, char text[FR_UDP_COUNTS_TEXT_BYTES]) {
    FR_ASSERT(counts != NULL && text != NULL);
    text[0] = '\0';
    size_t used = add_text(text, 0, counts->old, "late or doubled");
    used = add_text(text, used, counts->strangers, "from another address");
    for (int i = FR_UDP_WRONG_SIZE; i <= FR_UDP_WRONG_VALUE; i++) {
        used = add_text(text, used, counts->wrong[i], fr_udp_fault_text((fr_udp_fault)i));
    }
}

uint32_t fr__udp_check(const uint8_t *bytes, size_t size) {
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
        }
    }
    return ~crc;
}

bool fr__udp_is_after(uint32_t sequence, uint32_t last) { return sequence - last - 1u < 0x7fffffffu; }

// ---------------------------------------------------------------------------------------------------------------
// Little endian, whatever the machine

typedef struct cursor {
    uint8_t *out;      // of a writer
    const uint8_t *in; // of a reader
    size_t at;
} cursor;

static void put(cursor *c, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        c->out[c->at++] = (uint8_t)(value >> 8 * i);
    }
}

static void put_double(cursor *c, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(c, bits, 8);
}

static void put_vec3(cursor *c, fr_vec3 v) {
    put_double(c, v.x);
    put_double(c, v.y);
    put_double(c, v.z);
}

static void put_quat(cursor *c, fr_quat q) {
    put_double(c, q.w);
    put_vec3(c, fr_vec3_make(q.x, q.y, q.z));
}

static uint64_t get(cursor *c, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) {
        value |= (uint64_t)c->in[c->at++] << 8 * i;
    }
    return value;
}

static double get_double(cursor *c) {
    uint64_t bits = get(c, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static fr_vec3 get_vec3(cursor *c) {
    fr_vec3 v;
    v.x = get_double(c);
    v.y = get_double(c);
    v.z = get_double(c);
    return v;
}

static fr_quat get_quat(cursor *c) {
    fr_quat q;
    q.w = get_double(c);
    fr_vec3 v = get_vec3(c);
    q.x = v.x;
    q.y = v.y;
    q.z = v.z;
    return q;
}

static bool is_within(double value, double most) { return value >= -most && value <= most; }

static bool is_vec3_within(fr_vec3 v, double most) {
    return is_within(v.x, most) && is_within(v.y, most) && is_within(v.z, most);
}

static size_t size_of(uint64_t kind) {
    switch (kind) {
    case FR__UDP_READING: return FR__UDP_READING_BYTES;
    case FR__UDP_COMMAND: return FR__UDP_COMMAND_BYTES;
    case FR__UDP_DESCRIPTION: return FR__UDP_DESCRIPTION_BYTES;
    case FR__UDP_SENSOR: return FR__UDP_SENSOR_BYTES;
    default: return 0;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Kinds

static void put_reading(cursor *c, const fr__udp_packet *p) {
    put(c, p->reading.status, 4);
    put(c, p->reading.buttons, 4);
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        put(c, (uint64_t)p->reading.counts[i], 8);
    }
    put_vec3(c, p->reading.tip);
    put_quat(c, p->reading.rotation);
    put(c, p->heard, 4);
}

static bool get_reading(cursor *c, fr__udp_packet *p) {
    fr_device_reading *r = &p->reading;
    r->time_ns = p->time_ns;
    r->status = (uint32_t)get(c, 4);
    r->buttons = (uint32_t)get(c, 4);
    bool is_right = (r->status & ~(uint32_t)KNOWN_STATUS) == 0;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        r->counts[i] = (int64_t)get(c, 8);
        is_right = is_right && r->counts[i] >= -MOST_COUNT && r->counts[i] <= MOST_COUNT;
    }
    r->tip = get_vec3(c);
    r->rotation = get_quat(c);
    p->heard = (uint32_t)get(c, 4);
    fr_quat q = r->rotation;
    bool is_unmeasured = q.w == 0.0 && q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
    bool is_turn = is_unmeasured || fr_quat_normalize(&r->rotation, NULL) == FR_OK;
    return is_right && is_turn && is_vec3_within(r->tip, MOST_METRES);
}

static void put_command(cursor *c, const fr__udp_packet *p) {
    put(c, p->command.is_safe ? 1 : 0, 4);
    put(c, p->watchdog_ms, 4);
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        put_double(c, p->command.tensions[i]);
    }
    put_vec3(c, p->command.force);
    put_vec3(c, p->command.torque);
}

static bool get_command(cursor *c, fr__udp_packet *p) {
    uint64_t flags = get(c, 4);
    p->command.is_safe = (flags & 1) != 0;
    p->watchdog_ms = (uint32_t)get(c, 4);
    bool is_right = flags <= 1 && p->watchdog_ms >= 1 && p->watchdog_ms <= 1000;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        double tension = get_double(c);
        p->command.tensions[i] = tension;
        is_right = is_right && tension >= 0.0 && tension <= MOST_NEWTONS;
    }
    p->command.force = get_vec3(c);
    p->command.torque = get_vec3(c);
    return is_right && is_vec3_within(p->command.force, MOST_NEWTONS) &&
           is_vec3_within(p->command.torque, MOST_NEWTONS);
}

static void put_description(cursor *c, const fr__udp_packet *p) {
    const fr__udp_description *d = &p->description;
    put(c, d->kind == FR_DEVICE_ARM ? 1 : 0, 4);
    put(c, 0, 4);
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        put_vec3(c, d->strings.anchors[i]);
    }
    put_vec3(c, d->strings.home);
    put_double(c, d->strings.tension_min);
    put_double(c, d->strings.tension_max);
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        put_double(c, d->pulleys.length_zero[i]);
    }
    put_double(c, d->pulleys.radius);
    put_double(c, d->pulleys.per_turn);
    put_double(c, d->force_max);
}

// An arm has no strings: what is said of them is not looked at.
static bool get_description(cursor *c, fr__udp_packet *p) {
    fr__udp_description *d = &p->description;
    uint64_t kind = get(c, 4), none = get(c, 4);
    d->kind = kind == 1 ? FR_DEVICE_ARM : FR_DEVICE_STRINGS;
    d->strings = fr_default_strings();
    bool is_right = true;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        d->strings.anchors[i] = get_vec3(c);
        is_right = is_right && is_vec3_within(d->strings.anchors[i], MOST_METRES);
    }
    d->strings.home = get_vec3(c);
    d->strings.tension_min = get_double(c);
    d->strings.tension_max = get_double(c);
    is_right = is_right && is_vec3_within(d->strings.home, MOST_METRES) && d->strings.tension_max <= MOST_NEWTONS;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        d->pulleys.length_zero[i] = get_double(c);
        is_right = is_right && is_within(d->pulleys.length_zero[i], MOST_METRES);
    }
    d->pulleys.radius = get_double(c);
    d->pulleys.per_turn = get_double(c);
    d->force_max = get_double(c);
    is_right = is_right && d->pulleys.radius > 0.0 && d->pulleys.radius <= MOST_METRES && d->pulleys.per_turn > 0.0 &&
               isfinite(d->pulleys.per_turn);
    fr_strings_pull_output pull; // of no force: it looks at anchors and tensions as every tick will
    fr_vec3 nothing = {0.0, 0.0, 0.0};
    is_right =
        is_right && fr_strings_pull(&d->strings, d->strings.home, nothing, FR_PULL_NEAREST, &pull, NULL) == FR_OK;
    if (d->kind == FR_DEVICE_ARM) {
        d->strings = fr_default_strings();
        memset(&d->pulleys, 0, sizeof d->pulleys);
        is_right = true;
    }
    return is_right && kind <= 1 && none == 0 && d->force_max >= 0.0 && d->force_max <= MOST_NEWTONS;
}

static void put_sensor(cursor *c, const fr__udp_packet *p) {
    const fr_sensor_pose *s = &p->sensor;
    put(c, s->sensor, 4);
    put(c, 0, 4);
    put_vec3(c, s->pose.position);
    put_quat(c, s->pose.rotation);
    put_double(c, s->position_error);
    put_double(c, s->rotation_error);
}

static bool get_sensor(cursor *c, fr__udp_packet *p) {
    fr_sensor_pose *s = &p->sensor;
    s->time = 1e-9 * (double)p->time_ns;
    s->sensor = (uint32_t)get(c, 4);
    uint64_t none = get(c, 4);
    fr_vec3 position = get_vec3(c);
    fr_quat rotation = get_quat(c);
    bool is_right = fr_quat_normalize(&rotation, NULL) == FR_OK && is_vec3_within(position, MOST_METRES);
    s->pose = is_right ? fr_pose_make(position, rotation) : fr_pose_identity();
    s->position_error = get_double(c);
    s->rotation_error = get_double(c);
    return is_right && none == 0 && s->position_error >= 0.0 && s->position_error <= MOST_METRES &&
           s->rotation_error >= 0.0 && s->rotation_error <= FR_PI;
}

// ---------------------------------------------------------------------------------------------------------------
// Packets

size_t fr__udp_encode(const fr__udp_packet *packet, uint8_t bytes[FR__UDP_MAX_BYTES]) {
    size_t size = size_of(packet->kind);
    FR_ASSERT(size > 0);
    memset(bytes, 0, FR__UDP_MAX_BYTES);
    cursor c = {.out = bytes};
    put(&c, MAGIC, 4);
    put(&c, FR__UDP_VERSION, 2);
    put(&c, packet->kind, 2);
    put(&c, packet->sequence, 4);
    put(&c, 0, 4);
    put(&c, packet->time_ns, 8);
    switch (packet->kind) {
    case FR__UDP_READING: put_reading(&c, packet); break;
    case FR__UDP_COMMAND: put_command(&c, packet); break;
    case FR__UDP_DESCRIPTION: put_description(&c, packet); break;
    case FR__UDP_SENSOR: put_sensor(&c, packet); break;
    }
    c.at = size - CHECK_BYTES;
    put(&c, fr__udp_check(bytes, size - CHECK_BYTES), CHECK_BYTES);
    return size;
}

// Header and check; the kind's own bytes come after.
static fr_udp_fault get_head(cursor *c, size_t size, fr__udp_packet *out) {
    if (size < HEAD_BYTES + CHECK_BYTES) { return FR_UDP_WRONG_SIZE; }
    if (get(c, 4) != MAGIC) { return FR_UDP_WRONG_MAGIC; }
    if (get(c, 2) != FR__UDP_VERSION) { return FR_UDP_WRONG_VERSION; }
    uint64_t kind = get(c, 2);
    if (size_of(kind) == 0) { return FR_UDP_WRONG_KIND; }
    if (size != size_of(kind)) { return FR_UDP_WRONG_SIZE; }
    cursor end = {.in = c->in, .at = size - CHECK_BYTES};
    if (get(&end, CHECK_BYTES) != fr__udp_check(c->in, size - CHECK_BYTES)) { return FR_UDP_WRONG_CHECK; }
    out->kind = (fr__udp_kind)kind;
    out->sequence = (uint32_t)get(c, 4);
    uint64_t none = get(c, 4);
    out->time_ns = get(c, 8);
    return none == 0 ? FR_UDP_FINE : FR_UDP_WRONG_VALUE;
}

fr_udp_fault fr__udp_decode(const uint8_t *bytes, size_t size, fr__udp_packet *out) {
    memset(out, 0, sizeof *out);
    cursor c = {.in = bytes};
    fr_udp_fault fault = get_head(&c, size, out);
    if (fault != FR_UDP_FINE) { return fault; }
    bool is_right = false;
    switch (out->kind) {
    case FR__UDP_READING: is_right = get_reading(&c, out); break;
    case FR__UDP_COMMAND: is_right = get_command(&c, out); break;
    case FR__UDP_DESCRIPTION: is_right = get_description(&c, out); break;
    case FR__UDP_SENSOR: is_right = get_sensor(&c, out); break;
    }
    while (c.at < size - CHECK_BYTES) {
        bool is_zero = get(&c, 1) == 0;
        is_right = is_right && is_zero;
    }
    return is_right ? FR_UDP_FINE : FR_UDP_WRONG_VALUE;
}
