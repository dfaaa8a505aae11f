// The terminal: its width, and whether lines can be redrawn.
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 40, USUAL = 80, WIDEST = 120 };

int terminal_columns(int descriptor) {
    int columns = 0;
    if (!isatty(descriptor)) { return USUAL; }
#ifdef TIOCGWINSZ
    struct winsize size = {0};
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0) { columns = size.ws_col; }
#endif
    if (columns == 0) { return USUAL; }
    if (columns < NARROWEST) { return NARROWEST; }
    return columns > WIDEST ? WIDEST : columns;
}

bool terminal_redraws(int descriptor) {
    const char *kind = getenv("TERM");
    return isatty(descriptor) && kind != NULL && kind[0] != '\0' && strcmp(kind, "dumb") != 0;
}
