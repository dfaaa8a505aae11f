// The report of clash --motion: text, JSON and CSV.
#include "clash_report.h"

#include "csv.h"

#include <stdio.h>

typedef struct report {
    fr_world *world;
    const fr_motion_clash_output *found;
} report;

enum { NAME_BYTES = FR_WORLD_NAME_MAX_BYTES + 16 };

// The name of a part: that of its object, with the part's number where the object has several.
static const char *name_of(const report *r, uint32_t part, char text[NAME_BYTES]) {
    const fr_motion_part *p = &r->found->parts[part];
    const char *name = fr_world_label(r->world, p->owner).name;
    bool is_only = fr_object_get(fr_world_space(r->world), p->owner)->part_count == 1;
    if (is_only) {
        snprintf(text, NAME_BYTES, "%s", name);
    } else {
        snprintf(text, NAME_BYTES, "%s#%u", name, p->number);
    }
    return text;
}

// The end of the last interval; unknown where it lasts.
static double end_of(const fr_motion_clash *c) {
    return c->is_lasting ? FR_UNKNOWN : c->intervals[c->interval_count - 1].end;
}

// The joint that was driven when parts first met; NULL: none is, or they met before.
static const fr_joint_drive *drive_at(const report *r, double time) {
    for (size_t i = 0; i < r->found->drive_count; i++) {
        const fr_joint_drive *drive = &r->found->drives[i];
        if (time > drive->begin && time <= drive->end) { return drive; }
    }
    return NULL;
}

// Its child's name and its value at the time, in degrees or metres.
static const char *joint_at(const report *r, const fr_joint_drive *drive, double time, double *value, bool *is_angle) {
    const fr_joint *joint = fr_joint_get(fr_world_space(r->world), drive->joint);
    *is_angle = joint->kind != FR_JOINT_SLIDER;
    *value = fr_joint_drive_value(drive, time) * (*is_angle ? 180.0 / FR_PI : 1.0);
    return fr_world_label(r->world, joint->child).name;
}

// ---------------------------------------------------------------------------------------------------------------
// Text

static void print_clash(tool *t, const report *r, const fr_motion_clash *c, int columns) {
    char name[NAME_BYTES];
    clash_print_name(t, name_of(r, c->a, name), columns);
    clash_print_name(t, name_of(r, c->b, name), columns);
    tool_print(t, "%-11s  %8zu %s  from %g s", fr_clash_kind_name(c->kind), c->triangle_count,
               c->triangle_count == 1 ? "pair " : "pairs", tool_plain(c->first));
    if (!c->is_lasting) { tool_print(t, " to %g s", tool_plain(end_of(c))); }
    if (c->interval_count > 1) { tool_print(t, ", %zu times", c->interval_count); }
    const fr_joint_drive *drive = drive_at(r, c->first);
    if (drive != NULL) {
        bool is_angle;
        double value;
        tool_print(t, ", joint of ");
        tool_print_name(t, joint_at(r, drive, c->first, &value, &is_angle));
        tool_print(t, " at %.6g %s", tool_plain(value), is_angle ? "degrees" : "m");
    }
    if (!fr_is_unknown(c->depth)) {
        tool_print(t, ", depth %s at %g s", tool_length(c->depth).text, tool_plain(c->at));
    }
    tool_print(t, "\n");
}

static void print_text(tool *t, const report *r, double ms) {
    const fr_motion_clash_output *found = r->found;
    char name[NAME_BYTES];
    int columns = 1;
    for (size_t i = 0; i < found->count; i++) {
        clash_widen(&columns, name_of(r, found->clashes[i].a, name));
        clash_widen(&columns, name_of(r, found->clashes[i].b, name));
    }
    for (size_t i = 0; i < found->count; i++) {
        print_clash(t, r, &found->clashes[i], columns);
    }
    if (found->is_partial) { tool_print(t, "stopped, the report is a part: "); }
    tool_print(t, "%zu %s of %zu %s until %g s in %.1f ms\n", found->count, found->count == 1 ? "clash" : "clashes",
               found->part_count, found->part_count == 1 ? "part" : "parts", found->until, ms);
}

// ---------------------------------------------------------------------------------------------------------------
// JSON

static void write_vector(fr_json_writer *j, const char *key, fr_vec3 v) {
    if (fr_is_unknown(v.x)) {
        fr_json_write_key(j, key);
        fr_json_write_null(j);
    } else {
        json_vec3_field(j, key, v);
    }
}

static void write_times(fr_json_writer *j, const fr_motion_clash *c) {
    fr_json_write_key(j, "intervals");
    fr_json_write_array(j);
    for (size_t i = 0; i < c->interval_count; i++) {
        bool is_lasting = c->is_lasting && i + 1 == c->interval_count;
        fr_json_write_object(j);
        json_fields(j, "begin", c->intervals[i].begin, "end", is_lasting ? FR_UNKNOWN : c->intervals[i].end);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_triangles(fr_json_writer *j, const fr_motion_clash *c) {
    fr_json_write_key(j, "triangles");
    fr_json_write_array(j);
    for (size_t i = 0; i < c->triangle_count; i++) {
        fr_json_write_array(j);
        fr_json_write_uint(j, c->triangles[i].a);
        fr_json_write_uint(j, c->triangles[i].b);
        fr_json_write_array_end(j);
    }
    fr_json_write_array_end(j);
}

static void write_clash(fr_json_writer *j, const report *r, const fr_motion_clash *c) {
    char name[NAME_BYTES];
    fr_json_write_object(j);
    json_fields(j, "a", name_of(r, c->a, name), "b", name_of(r, c->b, name), "kind", fr_clash_kind_name(c->kind),
                "first", c->first);
    const fr_joint_drive *drive = drive_at(r, c->first);
    if (drive != NULL) {
        bool is_angle;
        double value;
        fr_json_write_string_field(j, "joint", joint_at(r, drive, c->first, &value, &is_angle));
        fr_json_write_number_field(j, is_angle ? "value_deg" : "value", value);
    }
    write_times(j, c);
    write_vector(j, "point", c->point);
    write_vector(j, "normal", c->normal);
    fr_json_write_uint_field(j, "pairs", c->triangle_count);
    write_triangles(j, c);
    json_fields(j, "at", c->at, "depth", c->depth);
    fr_json_write_key(j, "region");
    clash_write_region(j, &c->region);
    fr_json_write_object_end(j);
}

static void write_document(fr_json_writer *j, const report *r, double ms) {
    fr_json_write_object(j);
    fr_json_write_uint_field(j, "parts", r->found->part_count);
    fr_json_write_key(j, "clashes");
    fr_json_write_array(j);
    for (size_t i = 0; i < r->found->count; i++) {
        write_clash(j, r, &r->found->clashes[i]);
    }
    fr_json_write_array_end(j);
    json_fields(j, "partial", r->found->is_partial, "until", r->found->until, "ms", ms);
    fr_json_write_object_end(j);
}

// ---------------------------------------------------------------------------------------------------------------
// CSV

// A clash a line; x, y, z are where it first was.
static void print_row(fr_output_file *file, const report *r, const fr_motion_clash *c) {
    char name[NAME_BYTES];
    csv_text(file, name_of(r, c->a, name));
    fr_output_file_write(file, ",", 1);
    csv_text(file, name_of(r, c->b, name));
    fr_output_file_print(file, ",%s,%zu", fr_clash_kind_name(c->kind), c->triangle_count);
    csv_number(file, c->depth);
    csv_number(file, c->first);
    csv_number(file, end_of(c));
    fr_output_file_print(file, ",%zu", c->interval_count);
    csv_number(file, c->point.x);
    csv_number(file, c->point.y);
    csv_number(file, c->point.z);
    fr_output_file_write(file, "\n", 1);
}

static exit_status write_table(tool *t, const char *path, const report *r) {
    fr_output_file file;
    fr_error error = {0};
    if (output_file_open(&file, path, &error) != FR_OK) { return tool_failed(t, &error); }
    fr_output_file_print(&file, "a,b,kind,pairs,depth,first,last,times,x,y,z\n");
    for (size_t i = 0; i < r->found->count; i++) {
        print_row(&file, r, &r->found->clashes[i]);
    }
    return fr_output_file_commit(&file, &error) == FR_OK ? EXIT_STATUS_DONE : tool_failed(t, &error);
}

exit_status clash_motion_report(tool *t, fr_world *world, const fr_motion_clash_output *found, const char *table_path,
                                double ms) {
    const report r = {world, found};
    exit_status status = EXIT_STATUS_DONE;
    if (table_path != NULL && !found->is_partial) { status = write_table(t, table_path, &r); }
    if (status != EXIT_STATUS_DONE) { return status; }
    print_text(t, &r, ms);
    fr_json_writer *j = tool_json(t);
    if (j != NULL) { write_document(j, &r, ms); }
    return found->is_partial ? tool_stopped(t) : EXIT_STATUS_DONE;
}
