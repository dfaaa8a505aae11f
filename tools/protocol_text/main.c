// Makes text of the description of the protocol in fureai/protocol_messages.h: protocol_text typescript | markdown.
#include "text.h"

#include <string.h>

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "typescript") == 0) {
        print_typescript(stdout);
    } else if (count == 2 && strcmp(arguments[1], "markdown") == 0) {
        print_markdown(stdout);
    } else {
        fputs("usage: protocol_text typescript | markdown\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 && ferror(stdout) == 0 ? 0 : 1;
}
