// The command sector: queries about sectors of a file.
#include "commands.h"
#include "picture_request.h"
#include "tool.h"

#include "fureai/scene.h"
#include "sector/faithful/thesis.h"

#include <math.h>
#include <stdlib.h>

// What a query came to. A number that is not known is NAN.
typedef struct sector_result {
    bool hit;
    double distance; // 0 for a hit
    double angle;    // radians turned until first contact
    bool exact;      // about the sector or sweep itself
} sector_result;

static const fr_color hit_color = {220, 40, 40, 255}, miss_color = {60, 90, 160, 255};

// The sector that an entry stands for: the source's, of an exact sweep the conservative one.
static fr_sector sector_shown(const fr_sector_entry *entry) {
    return entry->build == FR_SECTOR_THESIS ? fr_thesis_sector(&entry->swing) : entry->sector;
}

static void draw_entry(const fr_draw *draw, const fr_sector_entry *entry) {
    const fr_color fill = {240, 190, 90, 90}, line = {150, 100, 20, 255}, box = {40, 40, 40, 255};
    fr_sector sector = sector_shown(entry);
    fr_sector_draw(&sector, draw, fill, line);
    fr_sector_entry_draw_box(entry, draw, box);
}

#define FILE_LIMIT ((size_t)1 << 28)
#define TOLERANCE 1e-6 // of first contact

static const char *const shape_names[] = {"point", "sphere", "capsule", "box", "triangle", "sector"};

// ---------------------------------------------------------------------------------------------------------------
// Results

// The shape as a hull of points.
static fr_convex hull_of(const fr_sector_query *q, fr_vec3 corners[8]) {
    if (q->shape == FR_SECTOR_QUERY_BOX) {
        for (int i = 0; i < 8; i++) {
            const fr_oriented_box *box = &q->box;
            fr_vec3 p = fr_vec3_add_scaled(box->center, i & 1 ? box->half.x : -box->half.x, box->axes.row[0]);
            p = fr_vec3_add_scaled(p, i & 2 ? box->half.y : -box->half.y, box->axes.row[1]);
            corners[i] = fr_vec3_add_scaled(p, i & 4 ? box->half.z : -box->half.z, box->axes.row[2]);
        }
        return (fr_convex){corners, 8, 0.0};
    }
    size_t count = q->shape == FR_SECTOR_QUERY_TRIANGLE ? 3 : (q->shape == FR_SECTOR_QUERY_CAPSULE ? 2 : 1);
    return (fr_convex){q->points, count, q->radius};
}

static double distance_of(const fr_sector *s, const fr_sector_query *q) {
    switch (q->shape) {
    case FR_SECTOR_QUERY_BOX: return fr_sector_box_distance(s, &q->box);
    case FR_SECTOR_QUERY_TRIANGLE: return fr_sector_triangle_distance(s, q->points);
    case FR_SECTOR_QUERY_CAPSULE: return fmax(0.0, fr_sector_segment_distance(s, q->points) - q->radius);
    default: return fmax(0.0, fr_sector_distance(s, q->points[0]) - q->radius);
    }
}

// A box of a file as eight points, for contacts.
static fr_screw_hit contact_of(const fr_sector_entry *e, const fr_sector_query *q) {
    fr_vec3 mine[8], others[8];
    fr_sector_query as_box = {.shape = FR_SECTOR_QUERY_BOX, .box = e->box};
    fr_convex body = hull_of(&as_box, mine), other = hull_of(q, others);
    return fr_screw_contact(&body, &e->screw, &other, TOLERANCE);
}

// About the sweep itself: a ball by its distance, other shapes by following the box.
static void query_exact(const fr_sector_entry *e, const fr_sector_query *q, sector_result *out) {
    if (q->shape == FR_SECTOR_QUERY_POINT || q->shape == FR_SECTOR_QUERY_SPHERE) {
        fr_sweep sweep = fr_sweep_of_swing(&e->swing);
        out->distance = fmax(0.0, fr_sweep_distance(&sweep, q->points[0]) - q->radius);
        out->hit = out->distance == 0.0;
    } else {
        out->hit = isfinite(out->angle);
        out->distance = out->hit ? 0.0 : (double)NAN;
    }
    out->exact = true;
}

static void query(const fr_sector_file_view *view, const fr_sector_query *q, sector_result *out) {
    const fr_sector_entry *e = &view->sectors[q->sector];
    fr_sector sector = sector_shown(e);
    *out = (sector_result){.angle = (double)NAN, .exact = e->build == FR_SECTOR_GIVEN};
    if (q->shape == FR_SECTOR_QUERY_SECTOR) {
        const fr_sector_entry *f = &view->sectors[q->other];
        fr_sector other = sector_shown(f);
        fr_sector_meeting meeting = fr_sector_overlap_sector(&sector, &other, 1e-3 * other.outer);
        out->hit = meeting != FR_SECTORS_APART;
        out->distance = out->hit ? 0.0 : (double)NAN;
        out->exact = out->exact && f->build == FR_SECTOR_GIVEN && meeting != FR_SECTORS_NEAR;
        return;
    }
    out->distance = distance_of(&sector, q);
    out->hit = out->distance == 0.0;
    if (e->build == FR_SECTOR_GIVEN) { return; }
    fr_screw_hit contact = contact_of(e, q);
    if (contact.is_hit && !contact.is_capped) { out->angle = contact.angle; }
    if (e->build == FR_SECTOR_EXACT) { query_exact(e, q, out); }
}

// ---------------------------------------------------------------------------------------------------------------
// The report

static void write_number(fr_json_writer *j, const char *key, double value) {
    fr_json_write_key(j, key);
    if (isfinite(value)) {
        fr_json_write_number(j, value);
    } else {
        fr_json_write_null(j);
    }
}

static void write_result(fr_json_writer *j, const char *name, const fr_sector_query *q, const sector_result *a) {
    fr_json_write_object(j);
    json_fields(j, "sector", name, "query", shape_names[q->shape], "hit", a->hit);
    write_number(j, "distance", a->distance);
    write_number(j, "angle_deg", fr_degrees(a->angle));
    fr_json_write_bool_field(j, "exact", a->exact);
    fr_json_write_object_end(j);
}

static void print_result(tool *t, const char *name, const fr_sector_query *q, const sector_result *a) {
    tool_print_name(t, name);
    tool_print(t, ", %s: %s", shape_names[q->shape], a->hit ? "hit" : "miss");
    if (!a->hit && isfinite(a->distance)) { tool_print(t, ", %s away", tool_length(a->distance).text); }
    if (isfinite(a->angle)) { tool_print(t, ", touched after %g degrees", tool_plain(fr_degrees(a->angle))); }
    tool_print(t, "\n");
}

static exit_status report(tool *t, const fr_sector_file_view *view, picture *p) {
    fr_draw draw = picture_draw(p);
    for (uint32_t i = 0; i < view->sector_count; i++) {
        draw_entry(&draw, &view->sectors[i]);
    }
    fr_json_writer *j = tool_json(t);
    if (j != NULL) {
        fr_json_write_object(j);
        fr_json_write_key(j, "results");
        fr_json_write_array(j);
    }
    uint32_t hits = 0;
    for (uint32_t i = 0; i < view->query_count; i++) {
        const fr_sector_query *q = &view->queries[i];
        const char *name = view->sectors[q->sector].name;
        sector_result a;
        query(view, q, &a);
        hits += a.hit;
        print_result(t, name, q, &a);
        if (j != NULL) { write_result(j, name, q, &a); }
        fr_sector_query_draw(q, &draw, a.hit ? hit_color : miss_color);
        fr_control_progress(&t->control, (i + 1.0) / view->query_count, "queries");
        if (fr_control_is_stopped(&t->control)) {
            fr_error error;
            fr_error_set(&error, FR_ERROR_STOPPED, "stopped");
            return tool_failed(t, &error);
        }
    }
    if (j != NULL) {
        fr_json_write_array_end(j);
        fr_json_write_object_end(j);
    }
    tool_print(t, "%u sectors, %u queries, %u hits\n", view->sector_count, view->query_count, hits);
    picture_legend(p, hit_color, "hit");
    picture_legend(p, miss_color, "missed");
    return EXIT_STATUS_DONE;
}

static exit_status run(tool *t) {
    const char *path = t->arguments[0];
    picture *p = NULL;
    exit_status status = picture_request_begin(t, path, &p);
    if (status != EXIT_STATUS_DONE) { return status; }
    fr_input_file bytes;
    fr_error error = {0};
    fr_sector_file *file = NULL;
    fr_status read = tool_read(t, path, FILE_LIMIT, &bytes, &error);
    if (read == FR_OK) {
        fr_scene_read_input reading = fr_default_scene_read_input();
        reading.name = path;
        read = fr_sector_file_read(bytes.data, bytes.size, &reading, &file, &error);
        fr_input_file_destroy(&bytes);
    }
    if (read != FR_OK) {
        picture_destroy(p);
        return tool_bad_input(t, &error);
    }
    status = report(t, fr_sector_file_get(file), p);
    fr_sector_file_destroy(file);
    if (status == EXIT_STATUS_DONE) { return picture_request_end(t, p); }
    picture_destroy(p);
    return status;
}

static const argument arguments[] = {{.name = "FILE", .help = "The sector file (docs/sector.md)."}};

static const option options_table[] = {PICTURE_OPTIONS};

static const example examples[] = {
    {.line = "fureai sector swing.json", .does = "What does the bat hit, and after how many degrees?"},
    {.line = "fureai sector swing.json --picture swing.png", .does = "Draws the sectors and what was queried."},
};

const command command_sector = {
    .name = "sector",
    .summary = "reports what turning boxes and ranges meet",
    .description =
        "Reads sectors (pieces of cake, given by their sizes or as what a turning box sweeps) and decides queries "
        "about "
        "points, spheres, capsules, boxes, triangles and other sectors: whether they meet, how far apart they are, and "
        "after which angle the box touches first.\n\n"
        "A result is exact when it is about the sector or the sweep itself, and not about a sector that stands for a "
        "sweep.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
