// The command touch: what a pen or a held object touches along its path.
#include "commands.h"
#include "csv.h"
#include "picture_request.h"
#include "scene_file.h"

#include "fureai/actor.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ARROWS 20000 // that a picture shows

// A pen along its path in a scene's space, and what blinks where it touches.
typedef struct touch_session {
    const scene_file *file;
    fr_scene_touch touch; // as the scene has it, or as the user does
    fr_pen *pen;
    fr_blink_marks *marks; // of what blinked
} touch_session;

// A session with its report.
typedef struct touch_report {
    tool *tool;
    scene_file file;
    touch_session session;
    fr_output_file table;     // closed where it was not wanted
    fr_json_writer *document; // NULL: none
    fr_array felt;            // fr_vec3 a step
    fr_array feet;            // double, 3 a touch
    fr_array arrows;          // double, 6 a touch: its force
    fr_array path;            // double, 6 a step: of the operating point
    uint64_t count;           // of touches
    double most_force, most_felt;
} touch_report;

// ---------------------------------------------------------------------------------------------------------------
// The session, step by step

// The number of a pair, from 1.
static uint32_t touch_pair_number(fr_touch_pair pair) {
    uint32_t number = 1;
    for (uint32_t bits = (uint32_t)pair; bits > 1; bits >>= 1) {
        number++;
    }
    return number;
}

// Begins a session in a scene's space; the file must stay. End it whatever the status.
static fr_status session_begin(touch_session *s, const scene_file *file, const fr_scene_touch *touch, fr_error *error) {
    *s = (touch_session){.file = file, .touch = *touch};
    fr_pen_def def = fr_default_pen_def();
    def.space = file->space;
    def.object = file->ids[touch->operated];
    def.settings = touch->settings;
    fr_status status = fr_pen_create(&def, &s->pen, error);
    if (status != FR_OK) { return status; }
    return fr_blink_marks_create(file->space, NULL, &s->marks, error);
}

static void session_end(touch_session *s) {
    fr_blink_marks_destroy(s->marks);
    fr_pen_destroy(s->pen);
}

// Whether a triangle of an object of the scene, by its index, has blinked.
static bool session_has_blinked(const touch_session *s, uint32_t object, uint32_t triangle) {
    uint32_t count;
    return fr_blink_marks_get(s->marks, s->file->ids[object], &count)[triangle] != 0;
}

// How many triangles of an object of the scene, by its index, have blinked; `of` gets how many it has.
static uint32_t session_blinks(const touch_session *s, uint32_t object, uint32_t *of) {
    const unsigned char *marks = fr_blink_marks_get(s->marks, s->file->ids[object], of);
    uint32_t count = 0;
    for (uint32_t i = 0; i < *of; i++) {
        count += marks[i] != 0 ? 1 : 0;
    }
    return count;
}

static fr_status place_objects(const touch_session *s, uint32_t k, fr_error *error) {
    const scene_file *file = s->file;
    fr_status status = fr_scene_place(file->scene, k, file->space, file->ids, error);
    if (status == FR_OK) {
        status = fr_scene_player_place(file->player, file->space, fr_scene_time(file->scene, k), error);
    }
    return status == FR_OK ? fr_space_update(file->space, NULL, error) : status;
}

// Puts the objects where they are at t_K and finds what the pen touches there, as fr_pen_step does; K grows from 0
// by 1.
static fr_status session_step(touch_session *s, uint32_t k, const fr_control *control, fr_error *error) {
    fr_status status = place_objects(s, k, error);
    if (status != FR_OK) { return status; }
    status = fr_pen_step(s->pen, s->file->space, fr_scene_get(s->file->scene)->step, control, error);
    const fr_pen_output pen = fr_pen_get(s->pen);
    for (uint32_t i = 0; i < pen.contact_count && status == FR_OK; i++) {
        status = fr_blink_marks_add(s->marks, &pen.contacts[i].hit, error);
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The query

static const char *const strategy_names[] = {"box", "polygon-all", "combined", "combined-near"};

// Numbers from 1 with commas between them; false when it is no list of such.
static bool parse_pairs(const char *text, uint32_t *out) {
    *out = 0;
    for (;;) {
        char *end;
        unsigned long number = strtoul(text, &end, 10);
        if (end == text || *text < '0' || *text > '9' || number < 1 || number > FR_TOUCH_PAIRS) { return false; }
        *out |= 1u << (number - 1);
        if (*end == '\0') { return true; }
        if (*end != ',') { return false; }
        text = end + 1;
    }
}

// The scene's session, with what the options say otherwise.
static exit_status settle(tool *t, const scene_file *file, fr_scene_touch *out) {
    const options *o = &t->options;
    const fr_scene_view *view = fr_scene_get(file->scene);
    if (view->touch == NULL) {
        fr_error error = {0};
        fr_error_set(&error, FR_ERROR_ARGUMENT, "the scene has no 'touch' that says who touches the others");
        fr_error_locate(&error, t->arguments[0], 0, 0);
        return tool_bad_input(t, &error);
    }
    *out = *view->touch;
    if (options_given(o, "distance")) { out->settings.distance = options_number(o, "distance"); }
    if (options_flag(o, "closest")) { out->settings.flags |= FR_TOUCH_CLOSEST; }
    if (options_flag(o, "way")) { out->settings.flags |= FR_TOUCH_SWEPT; }
    const char *strategy = options_string(o, "strategy"), *pairs = options_string(o, "pairs");
    for (int i = 0; strategy != NULL && i < 4; i++) {
        if (strcmp(strategy, strategy_names[i]) == 0) { out->settings.strategy = (fr_touch_strategy)i; }
    }
    if (pairs != NULL && !parse_pairs(pairs, &out->settings.pairs)) {
        return tool_wrong_usage(t, "--pairs: '%s' is no list of numbers from 1 to %d, such as 6,8", pairs,
                                FR_TOUCH_PAIRS);
    }
    return EXIT_STATUS_DONE;
}

// ---------------------------------------------------------------------------------------------------------------
// The report of a step

static const char *object_name(const touch_report *w, const fr_touch_hit *hit) {
    return scene_file_name(&w->file, hit->object.index1 - 1);
}

static void write_vector(fr_json_writer *j, const char *key, fr_vec3 v) { json_vec3_field(j, key, v); }

static void write_hit(fr_json_writer *j, const touch_report *w, const fr_pen_contact *c, uint32_t k) {
    const fr_touch_hit *hit = &c->hit;
    fr_json_write_object(j);
    json_fields(j, "step", k, "time", fr_scene_time(w->file.scene, k), "pair", touch_pair_number(hit->pair), "object",
                object_name(w, hit), "part", hit->part, "element", hit->element);
    fr_json_write_key(j, "triangle");
    if (hit->triangle != FR_NONE) {
        fr_json_write_uint(j, hit->triangle);
    } else {
        fr_json_write_null(j);
    }
    fr_json_write_number_field(j, "distance", hit->distance);
    write_vector(j, "point", hit->point);
    write_vector(j, "foot", hit->foot);
    write_vector(j, "normal", hit->normal);
    fr_json_write_int_field(j, "side", c->side);
    write_vector(j, "force", c->force);
    fr_json_write_bool_field(j, "new", c->is_new);
    fr_json_write_object_end(j);
}

static void write_row(fr_output_file *f, const touch_report *w, const fr_pen_contact *c, uint32_t k) {
    const fr_touch_hit *hit = &c->hit;
    fr_output_file_print(f, "%u", k);
    csv_number(f, fr_scene_time(w->file.scene, k));
    fr_output_file_print(f, ",%u,", touch_pair_number(hit->pair));
    csv_text(f, object_name(w, hit));
    fr_output_file_print(f, ",%u,%u,", hit->part, hit->element);
    if (hit->triangle != FR_NONE) { fr_output_file_print(f, "%u", hit->triangle); }
    csv_number(f, hit->distance);
    const fr_vec3 vectors[4] = {hit->point, hit->foot, hit->normal, c->force};
    for (int i = 0; i < 4; i++) {
        csv_number(f, vectors[i].x);
        csv_number(f, vectors[i].y);
        csv_number(f, vectors[i].z);
    }
    fr_output_file_print(f, "\n");
}

static void print_hit(touch_report *w, const fr_pen_contact *c, uint32_t k) {
    const fr_touch_hit *hit = &c->hit;
    tool_print(w->tool, "step %u, %g s: pair %u, ", k, fr_scene_time(w->file.scene, k), touch_pair_number(hit->pair));
    tool_print_name(w->tool, object_name(w, hit));
    tool_print(w->tool, " %s %u, %.4g m at %.4g %.4g %.4g m, %.3g N\n",
               hit->triangle != FR_NONE ? "face"
               : c->side != 0           ? "side"
                                        : "corner",
               hit->element, hit->distance, tool_plain(hit->foot.x), tool_plain(hit->foot.y), tool_plain(hit->foot.z),
               fr_vec3_length(c->force));
}

static bool keep(fr_array *array, fr_vec3 a) {
    double *place = fr_array_push(array, 3);
    if (place == NULL) { return false; }
    memcpy(place, (const double[3]){a.x, a.y, a.z}, 3 * sizeof *place);
    return true;
}

// Feet and forces for the picture: 10 cm a newton.
static bool keep_arrow(touch_report *w, const fr_pen_contact *c) {
    if (w->feet.count >= (size_t)3 * MOST_ARROWS) { return true; }
    return keep(&w->feet, c->hit.foot) && keep(&w->arrows, c->hit.foot) &&
           keep(&w->arrows, fr_vec3_add_scaled(c->hit.foot, 0.1, c->force));
}

static fr_status report_step(touch_report *w, uint32_t k, fr_error *error) {
    const fr_pen_output pen = fr_pen_get(w->session.pen);
    const fr_pen_contact *contacts = pen.contacts;
    bool has_memory = true;
    for (size_t i = 0; i < pen.contact_count; i++) {
        const fr_pen_contact *c = &contacts[i];
        double force = fr_vec3_length(c->force);
        w->most_force = force > w->most_force ? force : w->most_force;
        w->count++;
        if (c->is_new) { print_hit(w, c, k); }
        if (w->document != NULL) { write_hit(w->document, w, c, k); }
        if (w->table.is_open) { write_row(&w->table, w, c, k); }
        has_memory = has_memory && keep_arrow(w, c);
    }
    double felt = fr_vec3_length(pen.felt);
    w->most_felt = felt > w->most_felt ? felt : w->most_felt;
    fr_vec3 *place = fr_array_push(&w->felt, 1);
    has_memory = has_memory && place != NULL && keep(&w->path, pen.tip);
    if (has_memory) { *place = pen.felt; }
    return has_memory ? FR_OK : fr_error_set(error, FR_ERROR_MEMORY, "no memory for what was touched");
}

// ---------------------------------------------------------------------------------------------------------------
// The report at the end

static void begin_document(touch_report *w) {
    const fr_scene_touch *touch = &w->session.touch;
    fr_json_writer *j = w->document;
    if (j == NULL) { return; }
    fr_json_write_object(j);
    json_fields(j, "operated", fr_scene_get(w->file.scene)->objects[touch->operated].name, "strategy",
                strategy_names[touch->settings.strategy], "distance", touch->settings.distance);
    fr_json_write_key(j, "pairs");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < FR_TOUCH_PAIRS; i++) {
        if ((touch->settings.pairs >> i & 1u) != 0) { fr_json_write_uint(j, i + 1); }
    }
    fr_json_write_array_end(j);
    fr_json_write_key(j, "hits");
    fr_json_write_array(j);
}

static void end_document(touch_report *w) {
    fr_json_writer *j = w->document;
    const fr_scene_view *view = fr_scene_get(w->file.scene);
    const fr_vec3 *felt = w->felt.data;
    if (j == NULL) { return; }
    fr_json_write_array_end(j);
    fr_json_write_key(j, "felt");
    fr_json_write_array(j);
    for (size_t i = 0; i < w->felt.count; i++) {
        if (fr_vec3_length(felt[i]) == 0.0) { continue; }
        fr_json_write_object(j);
        fr_json_write_uint_field(j, "step", i);
        write_vector(j, "force", felt[i]);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_key(j, "blinks");
    fr_json_write_array(j);
    for (uint32_t i = 0; i < view->object_count; i++) {
        uint32_t all, count = session_blinks(&w->session, i, &all);
        if (count == 0) { continue; }
        fr_json_write_object(j);
        json_fields(j, "object", view->objects[i].name, "triangles", count, "of", all);
        fr_json_write_object_end(j);
    }
    fr_json_write_array_end(j);
    fr_json_write_object_end(j);
}

static void print_end(touch_report *w) {
    const fr_scene_view *view = fr_scene_get(w->file.scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        uint32_t all, count = session_blinks(&w->session, i, &all);
        if (count == 0) { continue; }
        tool_print_name(w->tool, view->objects[i].name);
        tool_print(w->tool, " blinks: %u of %u triangles\n", count, all);
    }
    tool_print(w->tool, "%u steps, %llu touches, at most %.3g N each; %.3g N felt\n", view->steps,
               (unsigned long long)w->count, w->most_force, w->most_felt);
}

static void draw_objects(const touch_report *w, const fr_draw *draw) {
    const fr_color plain = {160, 170, 180, 255}, lit = {255, 140, 0, 255}, held = {70, 110, 200, 255};
    const fr_scene_view *view = fr_scene_get(w->file.scene);
    for (uint32_t i = 0; i < view->object_count; i++) {
        uint32_t count = fr_object_get(w->file.space, w->file.ids[i])->triangle_count;
        for (uint32_t k = 0; k < count; k++) {
            fr_vec3 corners[3];
            (void)fr_object_corners(w->file.space, w->file.ids[i], k, corners, NULL);
            bool is_lit = session_has_blinked(&w->session, i, k);
            fr_triangle_draw(corners, draw, i == w->session.touch.operated ? held : is_lit ? lit : plain);
        }
    }
}

static void draw(const touch_report *w, picture *p) {
    const fr_color path = {70, 110, 200, 255}, foot = {200, 30, 30, 255}, arrow = {20, 120, 60, 255};
    fr_draw to = picture_draw(p);
    draw_objects(w, &to);
    const double *places = w->path.data;
    for (size_t i = 1; i < w->path.count / 3; i++) {
        fr_draw_lines(&to, places + 3 * (i - 1), 1, path, 1.5);
    }
    fr_draw_points(&to, w->feet.data, w->feet.count / 3, foot, 5.0);
    fr_draw_lines(&to, w->arrows.data, w->arrows.count / 6, arrow, 2.0);
    picture_legend(p, path, "the operated object and its path");
    picture_legend(p, (fr_color){255, 140, 0, 255}, "blinks");
    picture_legend(p, foot, "touched");
    picture_legend(p, arrow, "force, 10 cm a newton");
}

// ---------------------------------------------------------------------------------------------------------------
// The command

static fr_status go(touch_report *w, fr_error *error) {
    uint32_t steps = fr_scene_get(w->file.scene)->steps;
    fr_status status = FR_OK;
    for (uint32_t k = 0; k <= steps && status == FR_OK; k++) {
        fr_control_progress(&w->tool->control, (double)k / (double)(steps + 1), "steps");
        if (fr_control_is_stopped(&w->tool->control)) { return fr_error_set(error, FR_ERROR_STOPPED, "stopped"); }
        status = session_step(&w->session, k, &w->tool->control, error);
        if (status == FR_OK) { status = report_step(w, k, error); }
    }
    return status;
}

static fr_status report(touch_report *w, fr_error *error) {
    fr_scene_touch touch = w->session.touch;
    const char *path = options_string(&w->tool->options, "csv");
    fr_status status = path != NULL ? output_file_open(&w->table, path, error) : FR_OK;
    if (status == FR_OK) { status = session_begin(&w->session, &w->file, &touch, error); }
    if (status != FR_OK) { return status; }
    if (w->table.is_open) {
        fr_output_file_print(&w->table,
                             "step,time,pair,object,part,element,triangle,distance,px,py,pz,fx,fy,fz,nx,ny,nz,"
                             "force_x,force_y,force_z\n");
    }
    w->document = tool_json(w->tool);
    begin_document(w);
    status = go(w, error);
    if (status != FR_OK) { return status; }
    end_document(w);
    print_end(w);
    return w->table.is_open ? fr_output_file_commit(&w->table, error) : FR_OK;
}

static exit_status run_scene(tool *t, touch_report *w, picture **p) {
    exit_status status = settle(t, &w->file, &w->session.touch);
    if (status != EXIT_STATUS_DONE) { return status; }
    fr_error error = {0};
    fr_status reported = report(w, &error);
    if (reported == FR_OK && *p != NULL) {
        draw(w, *p);
        status = picture_request_end(t, *p);
        *p = NULL;
    }
    return reported == FR_OK ? status : tool_failed(t, &error);
}

static exit_status run(tool *t) {
    touch_report w;
    memset(&w, 0, sizeof w);
    w.tool = t;
    w.felt = fr_array_make(sizeof(fr_vec3), NULL);
    w.feet = fr_array_make(sizeof(double), NULL);
    w.arrows = fr_array_make(sizeof(double), NULL);
    w.path = fr_array_make(sizeof(double), NULL);
    picture *p = NULL;
    exit_status status = picture_request_begin(t, t->arguments[0], &p);
    if (status != EXIT_STATUS_DONE) { return status; }
    status = scene_file_read(t, t->arguments[0], 0, &w.file);
    if (status == EXIT_STATUS_DONE) {
        status = run_scene(t, &w, &p);
        session_end(&w.session);
        scene_file_release(&w.file);
    }
    fr_output_file_discard(&w.table);
    fr_array *arrays[] = {&w.felt, &w.feet, &w.arrows, &w.path};
    for (size_t i = 0; i < 4; i++) {
        fr_array_destroy(arrays[i]);
    }
    picture_destroy(p);
    return status;
}

static const argument arguments[] = {
    {.name = "SESSION", .help = "A scene file with a touch session (docs/scene.md)."},
};

static const option options_table[] = {
    CHOICE_OPTION("strategy", "NAME", "box,polygon-all,combined,combined-near", NULL,
                  "How polygons are found; all but box give the same. Default: the session's."),
    STRING_OPTION(
        "pairs", "LIST", NULL,
        "Element pairs by their numbers, 1 to 10 as in the source and 11 for polygon against polygon, such as 6,8. "
        "Default: the session's."),
    NUMBER_OPTION("distance", "D", NULL, 0, 1e15, "What is not farther is touched, metres. Default: the session's."),
    FLAG_OPTION("closest", "Edges and corners belong to faces: no gaps outside them."),
    FLAG_OPTION("way", "The whole path of a step counts, not its end alone: nothing is jumped."),
    OUTPUT_OPTION("csv", "FILE", "Also write what was touched as a table, a line each."),
    PICTURE_OPTIONS,
};

static const example examples[] = {
    {.line = "fureai touch demos/touch.json", .does = "What a pen touches along a cube."},
    {.line = "fureai touch demos/touch.json --pairs 6 --strategy box", .does = "The same by boxes alone."},
    {.line = "fureai touch demos/touch.json --picture touch.png", .does = "What blinks, where, and with what force."},
    {.line = "fureai --json touch demos/touch.json --way", .does = "Each touch in each step."},
};

const command command_touch = {
    .name = "touch",
    .summary = "moves a pen or a held object along its path and reports what it touches",
    .description =
        "Goes through the steps of a touch session: a scene with a key 'touch', which says which object is operated, "
        "which of its elements count against which of the others, and from what distance. A line is printed where a "
        "touch begins, with the force of it alone: along the face's normal, or a pulse where points met. The document "
        "and the table have every touch of every step.\n\n"
        "'felt' is what a device would give, a thousand ticks a second, from at most three planes at once, limited in "
        "its rise. 'blinks' has the triangles that would show it: all of an object where points or boxes met, else "
        "those of the struck face's inclination.",
    .arguments = COMMAND_LIST(arguments),
    .options = COMMAND_LIST(options_table),
    .examples = COMMAND_LIST(examples),
    .run = run,
};
