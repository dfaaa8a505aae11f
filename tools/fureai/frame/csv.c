// Cells of CSV text.
#include "csv.h"

#include <math.h>

void csv_text(output_file *file, const char *text) {
    output_file_write(file, "\"", 1);
    for (; *text != '\0'; text++) {
        output_file_write(file, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    }
    output_file_write(file, "\"", 1);
}

void csv_number(output_file *file, double value) {
    char text[FR_NUMBER_BYTES];
    output_file_write(file, ",", 1);
    if (isfinite(value)) { output_file_write(file, text, fr_number_write(value, text)); }
}
