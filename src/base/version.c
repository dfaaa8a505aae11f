// The version of the library.
#include "fureai/base.h"

fr_version fr_get_version(void) { return (fr_version){FR_VERSION_MAJOR, FR_VERSION_MINOR, FR_VERSION_PATCH}; }
