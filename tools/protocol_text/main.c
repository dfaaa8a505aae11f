// Writes what the viewer and the documents share with the library: protocol_text typescript |
// markdown | hand | hand_cases | measure_cases | section_cases | direction_cases.
#include "text.h"

#include <string.h>

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "typescript") == 0) {
        print_typescript(stdout);
    } else if (count == 2 && strcmp(arguments[1], "markdown") == 0) {
        print_markdown(stdout);
    } else if (count == 2 && strcmp(arguments[1], "hand") == 0) {
        print_hand(stdout);
    } else if (count == 2 && strcmp(arguments[1], "hand_cases") == 0) {
        print_hand_cases(stdout);
    } else if (count == 2 && strcmp(arguments[1], "measure_cases") == 0) {
        print_measure_cases(stdout);
    } else if (count == 2 && strcmp(arguments[1], "section_cases") == 0) {
        print_section_cases(stdout);
    } else if (count == 2 && strcmp(arguments[1], "direction_cases") == 0) {
        print_direction_cases(stdout);
    } else {
        fputs("usage: protocol_text typescript | markdown | hand | hand_cases | measure_cases | section_cases | "
              "direction_cases\n",
              stderr);
        return 2;
    }
    return fflush(stdout) == 0 && ferror(stdout) == 0 ? 0 : 1;
}
