// Which build of Fureai runs: ranks of one job must be of one.
#ifndef FUREAI_CLUSTER_BUILD_ID_H
#define FUREAI_CLUSTER_BUILD_ID_H

#include <stdint.h>

// A hash of the version and of the identities that the linker gave to this program and to the libraries of Fureai that
// it loaded (GNU build ids). Builds without such identities differ by their version alone.
uint64_t build_id(void);

#endif
