// Any bytes as a packet of a device on a network: refused, or a packet whose numbers a device can take. The check is
// put right too, or nothing would ever get past it. And any bytes as the name of such a device.
#include "udp_packet.h"

#include "fureai/devices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

static void look(const uint8_t *bytes, size_t size) {
    fr__udp_packet packet, again;
    if (fr__udp_decode(bytes, size, &packet) != FR_UDP_FINE) { return; }
    require(packet.kind >= FR__UDP_READING && packet.kind <= FR__UDP_SENSOR);
    require(fr_vec3_is_finite(packet.reading.tip) && fr_vec3_is_finite(packet.command.force));
    require(fr_vec3_is_finite(packet.command.torque) && isfinite(packet.description.force_max));
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        require(packet.command.tensions[i] >= 0.0 && packet.command.tensions[i] <= 1000.0);
    }
    fr_pose pose = packet.sensor.pose;
    require(packet.kind != FR__UDP_SENSOR || fr_pose_check(&pose, NULL) == FR_OK);
    require(packet.sensor.position_error >= 0.0 && packet.sensor.rotation_error >= 0.0);
    if (packet.kind == FR__UDP_DESCRIPTION) {
        double lengths[FR_STRING_COUNT];
        const int64_t counts[FR_STRING_COUNT] = {0, 1, -1, 1000000};
        fr_strings_tip_output tip;
        fr_strings_pull_output pull;
        if (packet.description.kind == FR_DEVICE_STRINGS) {
            fr_pulleys_lengths(&packet.description.pulleys, counts, lengths);
        } else {
            memset(lengths, 0, sizeof lengths);
        }
        (void)fr_strings_tip(&packet.description.strings, lengths, NULL, &tip, NULL);
        (void)fr_strings_pull(&packet.description.strings, fr_vec3_make(0.1, 0.2, 0.3), fr_vec3_make(1.0, 0.0, 0.0),
                              FR_PULL_SAME_DIRECTION, &pull, NULL);
    }
    uint8_t written[FR__UDP_MAX_BYTES];
    size_t length = fr__udp_encode(&packet, written);
    require(length == size && fr__udp_decode(written, length, &again) == FR_UDP_FINE);
    require(again.sequence == packet.sequence && again.time_ns == packet.time_ns);
}

static void parse_name(const uint8_t *data, size_t size) {
    char text[FR__UDP_MAX_BYTES + 1], address[FR_UDP_ADDRESS_BYTES];
    uint16_t port = 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (!fr_udp_parse_name(text, address, &port)) { return; }
    require(port > 0 && strncmp(text, "udp:", 4) == 0 && strlen(address) < sizeof address);
    require(strncmp(text + 4, address, strlen(address)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    look(data, size);
    if (size < 4 || size > FR__UDP_MAX_BYTES) { return 0; }
    parse_name(data, size);
    uint8_t bytes[FR__UDP_MAX_BYTES];
    memcpy(bytes, data, size);
    uint32_t check = fr__udp_check(bytes, size - 4);
    for (size_t i = 0; i < 4; i++) {
        bytes[size - 4 + i] = (uint8_t)(check >> 8 * i);
    }
    look(bytes, size);
    return 0;
}
