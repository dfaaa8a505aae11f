// Columns of names, and contact regions as JSON: what clash reports of any clash, at rest or in motion.
#include "clash_report.h"

#include "fureai/base_drawing.h"

void clash_widen(int *columns, const char *name) {
    int width = (int)fr_utf8_count(name);
    *columns = width > *columns ? width : *columns;
}

void clash_print_name(tool *t, const char *name, int columns) {
    tool_print_name(t, name);
    tool_print(t, "%*s  ", columns - (int)fr_utf8_count(name), "");
}

void clash_write_region(fr_json_writer *j, const fr_contact_region *region) {
    fr_json_write_array(j);
    for (size_t i = 0; i < region->line_count; i++) {
        const fr_contact_line *line = &region->lines[i];
        fr_json_write_array(j);
        for (size_t k = line->first; k < line->first + line->count; k++) {
            double numbers[3] = {region->points[k].x, region->points[k].y, region->points[k].z};
            fr_json_write_numbers(j, numbers, 3);
        }
        fr_json_write_array_end(j);
    }
    fr_json_write_array_end(j);
}
