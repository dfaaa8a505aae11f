// Packets between a host and a device on a network: what their bytes mean. docs/devices.md has it byte by byte for
// whoever builds a device. No sockets here.
#ifndef FUREAI_DEVICES_UDP_PACKET_H
#define FUREAI_DEVICES_UDP_PACKET_H

#include "fureai/devices.h"

#define FR__UDP_VERSION 1u
#define FR__UDP_READING_BYTES 128u
#define FR__UDP_COMMAND_BYTES 128u
#define FR__UDP_DESCRIPTION_BYTES 256u
#define FR__UDP_SENSOR_BYTES 128u
#define FR__UDP_MAX_BYTES 256u

typedef enum fr__udp_kind {
    FR__UDP_READING = 1,     // device to host, a thousand times a second
    FR__UDP_COMMAND = 2,     // host to device, as often
    FR__UDP_DESCRIPTION = 3, // device to host, to a new host and once a second
    FR__UDP_SENSOR = 4       // tracker to host, as often as it measures
} fr__udp_kind;

// What a device is; what of fr_haptic_device goes over the wire.
typedef struct fr__udp_description {
    fr_device_kind kind;
    fr_strings strings;
    fr_pulleys pulleys;
    double force_max;
} fr__udp_description;

typedef struct fr__udp_packet {
    fr__udp_kind kind;
    uint32_t sequence;         // one more in each packet of a sender; goes round
    uint64_t time_ns;          // of the sender's clock; of a reading when it was so
    fr_device_reading reading; // of FR__UDP_READING; its time is the packet's
    uint32_t heard;            // of FR__UDP_READING: the sequence of the last command that was taken
    fr_device_command command; // of FR__UDP_COMMAND
    uint32_t watchdog_ms;      // of FR__UDP_COMMAND, 1 .. 1000: the device lets go when no other comes for so long
    fr__udp_description description; // of FR__UDP_DESCRIPTION
    fr_sensor_pose sensor;           // of FR__UDP_SENSOR; its time is the packet's, in seconds
} fr__udp_packet;

// Writes a packet and returns its bytes.
size_t fr__udp_encode(const fr__udp_packet *packet, uint8_t bytes[FR__UDP_MAX_BYTES]);

// Reads `size` bytes, which may be anything. All of `out` is set; all zeros but for what is of its kind.
fr_udp_fault fr__udp_decode(const uint8_t *bytes, size_t size, fr__udp_packet *out);

// CRC-32 as of Ethernet and zip: reflected, polynomial 0xedb88320, from and to all ones.
uint32_t fr__udp_check(const uint8_t *bytes, size_t size);

// Whether a sequence number comes after another, going round.
bool fr__udp_is_after(uint32_t sequence, uint32_t last);

#endif
