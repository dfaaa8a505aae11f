// Clients that disturb a server, for benchmarks, in a process of their own with the lowest priority: on one machine
// they stand for other machines, whose processors are not the server's.
#ifndef FUREAI_BENCH_DISTURBER_H
#define FUREAI_BENCH_DISTURBER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct disturber {
    pid_t process; // 0: none
} disturber;

// One client that says hello and reads a byte a second; one that sends garbage as fast as it is taken, and comes again
// when it is thrown out; one that opens and closes without end; and idle ones, which connect, half of them up to the
// WebSocket, send nothing more, and come again when they are closed. The idle ones come from addresses of their own,
// 100 of each. Returns when the idle ones are there.
bool disturber_start(disturber *disturber, uint16_t port, uint32_t idle);

// Ends the process, and with it all connections.
void disturber_stop(disturber *disturber);

#endif
