// Who handles which object: one client at a time, while it goes on speaking of it.
#ifndef FUREAI_SERVER_LEASE_H
#define FUREAI_SERVER_LEASE_H

#include "fureai/space.h"

#define FR__MAX_LEASES_OF_CLIENT 64u

typedef struct fr__lease {
    fr_object_id object;
    uint32_t client;
    uint64_t heard_ns; // when its owner last spoke of it
    uint64_t notice;   // that announces it; the caller's
    uint32_t move;     // sequence of its owner's newest move
    uint32_t reported; // of the newest move that its owner was sent to have counted
} fr__lease;

FR_ARRAY_TYPE(fr__lease_array, fr__lease);

typedef struct fr__leases {
    fr__lease_array list;
} fr__leases;

fr__leases fr__leases_make(const fr_allocator *allocator);
void fr__leases_free(fr__leases *leases);

// The lease of an object; NULL: there is none. To use until the list is changed.
fr__lease *fr__lease_find(fr__leases *leases, fr_object_id object);

// Gives an object to a client, or to it once more. FR_ERROR_BUSY when another has it, FR_ERROR_LIMIT when the
// client has too many, FR_ERROR_MEMORY.
fr_status fr__lease_give(fr__leases *leases, fr_object_id object, uint32_t client, uint64_t now_ns, fr__lease **out);

// Ends a lease and hands it out; false when there is none.
bool fr__lease_end(fr__leases *leases, fr_object_id object, fr__lease *out);

// A lease of the client, or one that was not spoken of since `since_ns`, ended and handed out; false when there is none
// left.
bool fr__lease_end_of_client(fr__leases *leases, uint32_t client, fr__lease *out);
bool fr__lease_end_silent(fr__leases *leases, uint64_t since_ns, fr__lease *out);

#endif
