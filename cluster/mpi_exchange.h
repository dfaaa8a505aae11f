// The exchange of collide by MPI: each rank is a process, and ranks speak to one another through a communicator.
#ifndef FUREAI_CLUSTER_MPI_EXCHANGE_H
#define FUREAI_CLUSTER_MPI_EXCHANGE_H

#include "fureai/collide_exchange.h"

// What the ranks did, for the report of costs.
typedef struct mpi_costs {
    uint64_t gathers;        // that this rank joined: two messages to each of the others
    uint64_t all_to_alls;    // that this rank joined: three messages to each of the others
    uint64_t calls;          // of the counter, by this rank
    uint64_t received_bytes; // from all ranks
    uint64_t faces_bytes;    // of these, those of all_to_all
    double work_s;           // in work that is shared
    double wait_s;           // in gathers, for others and for their bytes
    double call_s;           // in calls of the counter
} mpi_costs;

// What a message and a byte cost here.
typedef struct mpi_link {
    double alpha_s;          // seconds a message
    double bytes_per_second; // of a gather
} mpi_link;

// Makes the exchange of all processes of MPI, which was initialised so that threads may call it one at a time. False
// without memory, or where MPI fails.
bool mpi_exchange_open(fr_exchange *out);
void mpi_exchange_close(fr_exchange *exchange);

// Ends this rank's part: gathers of the others fail from now on. Call it once, when the work is done or has failed.
void mpi_exchange_leave(const fr_exchange *exchange);

mpi_costs mpi_exchange_costs(const fr_exchange *exchange);

// Measures the link by messages of its own; all ranks call it. What it costs is not counted.
mpi_link mpi_exchange_measure(const fr_exchange *exchange);

#endif
