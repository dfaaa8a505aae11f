// The text of --version.
#include "version.h"

#include "picture.h"
#include "report.h"
#include "tool.h"

#include <stdio.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

static void print_text(tool *t, const char *tool_version, const char *library_version, const char *pictures) {
    tool_print(t, "%s %s\n", report_program(), tool_version);
    tool_print(t, "library: %s\n", library_version);
    tool_print(t, "compiler: %s\n", COMPILER);
    tool_print(t, "pictures: %s\n", pictures != NULL ? pictures : "not in this build");
}

static void print_document(fr_json_writer *j, const char *tool_version, const char *library_version,
                           const char *pictures) {
    fr_json_write_object(j);
    json_fields(j, "version", tool_version, "library", library_version, "compiler", COMPILER, "pictures", pictures);
    fr_json_write_object_end(j);
}

exit_status version_print(tool *t) {
    char tool_version[48];
    char library_version[48];
    fr_version library = fr_get_version();
    snprintf(tool_version, sizeof tool_version, "%d.%d.%d", FR_VERSION_MAJOR, FR_VERSION_MINOR, FR_VERSION_PATCH);
    snprintf(library_version, sizeof library_version, "%d.%d.%d", library.major, library.minor, library.patch);

    if (t->json) {
        print_document(tool_json(t), tool_version, library_version, picture_backend());
    } else {
        print_text(t, tool_version, library_version, picture_backend());
    }
    return EXIT_STATUS_DONE;
}
