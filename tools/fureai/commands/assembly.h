// Models taken apart: every part a mesh where its file puts it, with a name of its own.
#ifndef FUREAI_TOOL_ASSEMBLY_H
#define FUREAI_TOOL_ASSEMBLY_H

#include "tool.h"

#include "fureai/clash.h"

typedef struct assembly {
    fr_array parts; // fr_clash_part
    fr_array
        names; // char *, one a part, each different: that of the part, with that of its file where there are several
} assembly;

// Reads models. Anything but DONE: return it, there is nothing to release.
exit_status assembly_read(tool *t, char *const *paths, int path_count, assembly *out);
void assembly_release(assembly *a);

const char *assembly_name(const assembly *a, uint32_t part);

#endif
