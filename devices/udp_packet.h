// Packets between a host and a device on a network: what their bytes mean. docs/devices.md has it byte by byte for
// whoever builds a device. No sockets here.
#ifndef FUREAI_DEVICES_UDP_PACKET_H
#define FUREAI_DEVICES_UDP_PACKET_H

#include "fureai/haptic.h"

#define UDP_VERSION 1u
#define UDP_READING_BYTES 128u
#define UDP_COMMAND_BYTES 128u
#define UDP_DESCRIPTION_BYTES 256u
#define UDP_MOST_BYTES 256u

typedef enum udp_kind {
    UDP_READING = 1,    // device to host, a thousand times a second
    UDP_COMMAND = 2,    // host to device, as often
    UDP_DESCRIPTION = 3 // device to host, to a new host and once a second
} udp_kind;

// What a device is; what of fr_haptic_device goes over the wire.
typedef struct udp_description {
    fr_device_kind kind;
    fr_strings strings;
    fr_pulleys pulleys;
    double force_max;
} udp_description;

typedef struct udp_packet {
    udp_kind kind;
    uint32_t sequence;           // one more in each packet of a sender; goes round
    uint64_t time_ns;            // of the sender's clock; of a reading when it was so
    fr_device_reading reading;   // of UDP_READING; its time is the packet's
    uint32_t heard;              // of UDP_READING: the sequence of the last command that was taken
    fr_device_command command;   // of UDP_COMMAND
    uint32_t watchdog_ms;        // of UDP_COMMAND, 1 .. 1000: the device lets go when no other comes for so long
    udp_description description; // of UDP_DESCRIPTION
} udp_packet;

// What is wrong with a packet.
typedef enum udp_fault {
    UDP_FINE,
    UDP_WRONG_SIZE,    // shorter or longer than its kind
    UDP_WRONG_MAGIC,   // not ours
    UDP_WRONG_VERSION, // another version's
    UDP_WRONG_KIND,    // none of the three
    UDP_WRONG_CHECK,   // changed in transit
    UDP_WRONG_VALUE    // a number that is none or out of range, a bit that is not known, a byte that shall be 0
} udp_fault;

// A few words for each. Never NULL.
const char *udp_fault_text(udp_fault fault);

// Writes a packet and returns its bytes.
size_t udp_encode(const udp_packet *packet, uint8_t bytes[UDP_MOST_BYTES]);

// Reads `size` bytes, which may be anything. All of `out` is set; all zeros but for what is of its kind.
udp_fault udp_decode(const uint8_t *bytes, size_t size, udp_packet *out);

// CRC-32 as of Ethernet and zip: reflected, polynomial 0xedb88320, from and to all ones.
uint32_t udp_check(const uint8_t *bytes, size_t size);

// Whether a sequence number comes after another, going round.
bool udp_is_after(uint32_t sequence, uint32_t last);

#endif
