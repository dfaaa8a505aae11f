// The leases of a server: which client handles which object.
#include "server/lease.h"

fr__leases fr__leases_make(const fr_allocator *allocator) {
    return (fr__leases){.list = fr__lease_array_make(allocator)};
}

void fr__leases_free(fr__leases *leases) { fr__lease_array_destroy(&leases->list); }

static fr__lease *lease_at(fr__leases *leases, size_t i) { return leases->list.data + i; }

fr__lease *fr__lease_find(fr__leases *leases, fr_object_id object) {
    for (size_t i = 0; i < leases->list.count; i++) {
        if (fr_object_id_equal(lease_at(leases, i)->object, object)) { return lease_at(leases, i); }
    }
    return NULL;
}

static size_t count_of(fr__leases *leases, uint32_t client) {
    size_t count = 0;
    for (size_t i = 0; i < leases->list.count; i++) {
        count += lease_at(leases, i)->client == client;
    }
    return count;
}

fr_status fr__lease_give(fr__leases *leases, fr_object_id object, uint32_t client, uint64_t now_ns, fr__lease **out) {
    fr__lease *lease = fr__lease_find(leases, object);
    if (lease != NULL && lease->client != client) { return FR_ERROR_BUSY; }
    if (lease == NULL) {
        if (count_of(leases, client) >= FR__MAX_LEASES_OF_CLIENT) { return FR_ERROR_LIMIT; }
        lease = fr__lease_array_push(&leases->list, 1);
        if (lease == NULL) { return FR_ERROR_MEMORY; }
        *lease = (fr__lease){.object = object, .client = client};
    }
    lease->heard_ns = now_ns;
    *out = lease;
    return FR_OK;
}

// The last one takes its place.
static void remove_at(fr__leases *leases, size_t i, fr__lease *out) {
    *out = *lease_at(leases, i);
    *lease_at(leases, i) = *lease_at(leases, --leases->list.count);
}

bool fr__lease_end(fr__leases *leases, fr_object_id object, fr__lease *out) {
    fr__lease *lease = fr__lease_find(leases, object);
    if (lease == NULL) { return false; }
    remove_at(leases, (size_t)(lease - lease_at(leases, 0)), out);
    return true;
}

bool fr__lease_end_of_client(fr__leases *leases, uint32_t client, fr__lease *out) {
    for (size_t i = 0; i < leases->list.count; i++) {
        if (lease_at(leases, i)->client != client) { continue; }
        remove_at(leases, i, out);
        return true;
    }
    return false;
}

bool fr__lease_end_silent(fr__leases *leases, uint64_t since_ns, fr__lease *out) {
    for (size_t i = 0; i < leases->list.count; i++) {
        if (lease_at(leases, i)->heard_ns >= since_ns) { continue; }
        remove_at(leases, i, out);
        return true;
    }
    return false;
}
