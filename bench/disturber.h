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

// Kinds, which are added up.
typedef enum disturbance {
    DISTURB_SLOW = 1,    // one client that says hello and reads a byte a second
    DISTURB_GARBAGE = 2, // one that sends garbage as fast as it is taken, and comes again when it is thrown out
    DISTURB_PASSING = 4, // one that opens and closes without end
    DISTURB_IDLE = 8, // idle ones, which connect, half of them up to the WebSocket, send nothing more, and come again
                      // when they are closed; from addresses of their own, 100 of each
    DISTURB_ALL = 15
} disturbance;

// Begins to disturb, by `idle` idle ones where these are of the kinds. Returns when the idle ones are there.
bool disturber_start(disturber *disturber, uint16_t port, uint32_t kinds, uint32_t idle);

// Ends the process, and with it all connections.
void disturber_stop(disturber *disturber);

#endif
