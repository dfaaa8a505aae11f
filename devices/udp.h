// A device on a network, and the host's side of it. No name is looked up and nothing is encrypted: by default both ends
// are on this machine, and a device elsewhere belongs on a wire of its own.
#ifndef FUREAI_DEVICES_UDP_H
#define FUREAI_DEVICES_UDP_H

#include "udp_packet.h"

#define UDP_SILENCE 0.02 // seconds after which the other side is lost

// What came in. Everything but `taken` was left out.
typedef struct udp_counts {
    uint64_t sent, unsent; // packets that went out, and that the system did not take
    uint64_t taken;
    uint64_t strangers;                  // from another address than the one that is known
    uint64_t old;                        // not after the last one by sequence or time
    uint64_t wrong[UDP_WRONG_VALUE + 1]; // by udp_fault; also a kind that does not belong here: UDP_WRONG_KIND
} udp_counts;

// ---------------------------------------------------------------------------------------------------------------
// The host's side: a device to give to a loop

typedef struct udp_host udp_host;

// Finds the device at a numeric IPv4 address and a port, waiting up to `seconds` for it to describe itself. `out` may
// then be used until its close, which `loop` calls. FR_ERROR_ARGUMENT for no address, FR_ERROR_SYSTEM for no socket or
// no response, FR_ERROR_MEMORY.
fr_status udp_host_open(const char *address, uint16_t port, double seconds, fr_haptic_device *out, fr_error *error);

// What came in, of a device of udp_host_open. From the thread that uses it.
udp_counts udp_host_counts(const fr_haptic_device *device);

// ---------------------------------------------------------------------------------------------------------------
// The device's side: any device, put on the network

typedef struct udp_server udp_server;

typedef struct udp_server_def {
    const char *address;     // numeric IPv4; default "127.0.0.1"
    uint16_t port;           // 0: one that is free
    fr_haptic_device device; // used by the server alone until it is destroyed, which closes it
    double patience;         // seconds of silence after which another host may come; default 1
} udp_server_def;

udp_server_def udp_server_default_def(void);

// FR_ERROR_ARGUMENT for no address, FR_ERROR_SYSTEM for no socket, FR_ERROR_MEMORY; then the device is the caller's
// still.
fr_status udp_server_create(const udp_server_def *def, udp_server **out, fr_error *error);

// Lets the device go and closes it. NULL is ignored.
void udp_server_destroy(udp_server *server);

uint16_t udp_server_port(const udp_server *server);

// Takes what has come, and reports the state to the host. To be called a thousand times a second; does not wait.
// `now` in seconds of a clock that never goes back.
void udp_server_step(udp_server *server, double now);

// Whether a host is there now.
bool udp_server_has_host(const udp_server *server);
udp_counts udp_server_counts(const udp_server *server);

#endif
