// Cells of CSV text.
#include "csv.h"

#include <math.h>

void csv_text(fr_output_file *file, const char *text) {
    fr_output_file_write(file, "\"", 1);
    for (; *text != '\0'; text++) {
        fr_output_file_write(file, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    }
    fr_output_file_write(file, "\"", 1);
}

void csv_number(fr_output_file *file, double value) {
    char text[FR_NUMBER_BYTES];
    fr_output_file_write(file, ",", 1);
    if (isfinite(value)) { fr_output_file_write(file, text, fr_number_write(value, text)); }
}
