#include "clash_motion_report.h"

#include "csv.h"
#include "utf8.h"

static const motion_clash *clash_at(const motion_clashes *clashes, size_t i) {
    return (const motion_clash *)clashes->list.data + i;
}

static const char *name_of(const motion_clashes *clashes, uint32_t part) {
    return clash_parts_at(&clashes->parts, part)->name;
}

// The end of the last time; unknown where it lasts.
static double end_of(const motion_clash *c) {
    const clash_time *times = c->times.data;
    return c->lasts ? FR_UNKNOWN : times[c->times.count - 1].end;
}

// ---------------------------------------------------------------------------------------------------------------
// Text

static int name_columns(const motion_clashes *clashes) {
    size_t columns = 1;
    for (size_t i = 0; i < clashes->list.count; i++) {
        const motion_clash *c = clash_at(clashes, i);
        size_t a = utf8_count(name_of(clashes, c->a)), b = utf8_count(name_of(clashes, c->b));
        columns = a > columns ? a : columns;
        columns = b > columns ? b : columns;
    }
    return (int)columns;
}

static void print_name(tool *t, const char *name, int columns) {
    tool_print_name(t, name);
    tool_print(t, "%*s  ", columns - (int)utf8_count(name), "");
}

static void print_clash(tool *t, const motion_clashes *clashes, const motion_clash *c, int columns) {
    print_name(t, name_of(clashes, c->a), columns);
    print_name(t, name_of(clashes, c->b), columns);
    tool_print(t, "%-11s  %8zu %s  from %g s", clash_kind_name(c->kind), c->triangles.count,
               c->triangles.count == 1 ? "pair " : "pairs", c->first);
    if (!c->lasts) { tool_print(t, " to %g s", end_of(c)); }
    if (c->times.count > 1) { tool_print(t, ", %zu times", c->times.count); }
    if (!fr_is_unknown(c->depth)) { tool_print(t, ", depth %g at %g s", c->depth, c->at); }
    tool_print(t, "\n");
}

static void print_text(tool *t, const motion_clashes *clashes, double ms) {
    int columns = name_columns(clashes);
    for (size_t i = 0; i < clashes->list.count; i++) {
        print_clash(t, clashes, clash_at(clashes, i), columns);
    }
    size_t count = clashes->list.count, parts = clashes->parts.list.count;
    if (clashes->is_partial) { tool_print(t, "stopped, what is told is a part: "); }
    tool_print(t, "%zu %s of %zu %s until %g s in %.1f ms\n", count, count == 1 ? "clash" : "clashes", parts,
               parts == 1 ? "part" : "parts", clashes->until, ms);
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static void write_vector(json *j, const char *key, fr_vec3 v) {
    double numbers[3] = {v.x, v.y, v.z};
    if (fr_is_unknown(v.x)) {
        json_key(j, key);
        json_null(j);
    } else {
        json_numbers_field(j, key, numbers, 3);
    }
}

static void write_times(json *j, const motion_clash *c) {
    const clash_time *times = c->times.data;
    json_key(j, "intervals");
    json_array(j);
    for (size_t i = 0; i < c->times.count; i++) {
        bool lasts = c->lasts && i + 1 == c->times.count;
        json_object(j);
        json_number_field(j, "begin", times[i].begin);
        json_number_field(j, "end", lasts ? FR_UNKNOWN : times[i].end);
        json_object_end(j);
    }
    json_array_end(j);
}

static void write_triangles(json *j, const motion_clash *c) {
    const clash_triangles *list = c->triangles.data;
    json_key(j, "triangles");
    json_array(j);
    for (size_t i = 0; i < c->triangles.count; i++) {
        json_array(j);
        json_uint(j, list[i].a);
        json_uint(j, list[i].b);
        json_array_end(j);
    }
    json_array_end(j);
}

static void write_clash(json *j, const motion_clashes *clashes, const motion_clash *c) {
    json_object(j);
    json_string_field(j, "a", name_of(clashes, c->a));
    json_string_field(j, "b", name_of(clashes, c->b));
    json_string_field(j, "kind", clash_kind_name(c->kind));
    json_number_field(j, "first", c->first);
    write_times(j, c);
    write_vector(j, "point", c->point);
    write_vector(j, "normal", c->normal);
    json_uint_field(j, "pairs", c->triangles.count);
    write_triangles(j, c);
    json_number_field(j, "at", c->at);
    json_number_field(j, "depth", c->depth);
    json_key(j, "region");
    contact_region_write(&c->region, j);
    json_object_end(j);
}

static void write_document(json *j, const motion_clashes *clashes, double ms) {
    json_object(j);
    json_uint_field(j, "parts", clashes->parts.list.count);
    json_key(j, "clashes");
    json_array(j);
    for (size_t i = 0; i < clashes->list.count; i++) {
        write_clash(j, clashes, clash_at(clashes, i));
    }
    json_array_end(j);
    json_bool_field(j, "partial", clashes->is_partial);
    json_number_field(j, "until", clashes->until);
    json_number_field(j, "ms", ms);
    json_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// CSV

// A clash a line; x, y, z are where it first was.
static void print_row(output_file *file, const motion_clashes *clashes, const motion_clash *c) {
    csv_text(file, name_of(clashes, c->a));
    output_file_write(file, ",", 1);
    csv_text(file, name_of(clashes, c->b));
    output_file_print(file, ",%s,%zu", clash_kind_name(c->kind), c->triangles.count);
    csv_number(file, c->depth);
    csv_number(file, c->first);
    csv_number(file, end_of(c));
    output_file_print(file, ",%zu", c->times.count);
    csv_number(file, c->point.x);
    csv_number(file, c->point.y);
    csv_number(file, c->point.z);
    output_file_write(file, "\n", 1);
}

static exit_status write_table(tool *t, const char *path, const motion_clashes *clashes) {
    output_file file;
    fr_error error = {0};
    if (output_file_open(&file, path, &error) != FR_OK) { return tool_failed(t, &error); }
    output_file_print(&file, "a,b,kind,pairs,depth,first,last,times,x,y,z\n");
    for (size_t i = 0; i < clashes->list.count; i++) {
        print_row(&file, clashes, clash_at(clashes, i));
    }
    return output_file_commit(&file, &error) == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

exit_status motion_clashes_tell(tool *t, const motion_clashes *clashes, const char *table_path, double ms) {
    exit_status status = EXIT_STATUS_DONE;
    if (table_path != NULL && !clashes->is_partial) { status = write_table(t, table_path, clashes); }
    if (status != EXIT_STATUS_DONE) { return status; }
    print_text(t, clashes, ms);
    json *j = tool_json(t);
    if (j != NULL) { write_document(j, clashes, ms); }
    return clashes->is_partial ? tool_stopped(t) : EXIT_STATUS_DONE;
}
