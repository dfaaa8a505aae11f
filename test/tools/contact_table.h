// The tables of contacts that fureai sweep --csv writes.
#ifndef FUREAI_TEST_TOOLS_CONTACT_TABLE_H
#define FUREAI_TEST_TOOLS_CONTACT_TABLE_H

#include "scratch.h"

#include "fureai/fureai.h"

typedef struct table_contact {
    char a[32], b[32];
    uint32_t triangle_a, triangle_b;
    uint64_t id;
    double begin, end; // the end is infinite where it lasts
} table_contact;

typedef struct contact_table {
    table_contact *rows;
    size_t count;
} contact_table;

// Names of the table's objects have no quotes and no commas.
static inline table_contact read_contact(const char *line) {
    table_contact c = {.end = (double)INFINITY};
    unsigned long long id = 0;
    char end[64] = "";
    int got = sscanf(line, "\"%31[^\"]\",\"%31[^\"]\",%u,%u,%llu,%lf,%63s", c.a, c.b, &c.triangle_a, &c.triangle_b, &id,
                     &c.begin, end);
    assert_true(got == 6 || got == 7);
    c.id = id;
    if (got == 7) { c.end = strtod(end, NULL); }
    return c;
}

static inline contact_table read_table(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) { fail_msg("%s is not there", path); }
    contact_table table = {0};
    char line[256];
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "a,b,triangle_a,triangle_b,id,begin,end\n");
    for (size_t room = 0; fgets(line, sizeof line, file) != NULL; table.count++) {
        if (table.count == room) {
            room = 2 * room + 64;
            table.rows = realloc(table.rows, room * sizeof *table.rows);
            assert_non_null(table.rows);
        }
        table.rows[table.count] = read_contact(line);
    }
    fclose(file);
    return table;
}

#endif
