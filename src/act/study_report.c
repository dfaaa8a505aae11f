// A study as a table and as a picture.
#include "act/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Table

typedef struct table_writer {
    fr_bytes_fn *write;
    void *context;
    bool has_failed;
    bool is_first; // of its line
} table_writer;

static void put(table_writer *w, const char *bytes, size_t size) {
    if (!w->has_failed && size > 0) { w->has_failed = !w->write(bytes, size, w->context); }
}

static void separate(table_writer *w) {
    if (!w->is_first) { put(w, ",", 1); }
    w->is_first = false;
}

static void put_text(table_writer *w, const char *text) {
    separate(w);
    put(w, "\"", 1);
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '"') { put(w, "\"", 1); }
        put(w, at, 1);
    }
    put(w, "\"", 1);
}

static void put_number(table_writer *w, double value, double unit) {
    char text[FR_NUMBER_BYTES];
    separate(w);
    double rounded = floor(value / unit + 0.5) / (1.0 / unit);
    put(w, text, fr_number_write(rounded == 0.0 ? 0.0 : rounded, text));
}

static void put_degrees(table_writer *w, double angle) { put_number(w, fr_degrees(angle), 0.1); }

static void end_line(table_writer *w) {
    put(w, "\r\n", 2);
    w->is_first = true;
}

static const char *const columns[] = {
    "time",        "person",     "motion",     "rula_right", "rula_left", "reba_right",  "reba_left",
    "load",        "seated",     "walking",    "static",     "repeated",  "trunk",       "trunk_side",
    "trunk_twist", "neck",       "neck_side",  "neck_twist", "arm_right", "elbow_right", "wrist_right",
    "arm_left",    "elbow_left", "wrist_left", "knee_right", "knee_left", "clearance",   "nearest"};

static void write_row(table_writer *w, const fr_director *d, const fr_study_row *row) {
    const fr_work_angles *a = &row->angles;
    const fr_work_conditions *c = &row->conditions;
    put_number(w, row->time, 0.0001);
    put_text(w, fr_person_name(d->people[row->person]->person));
    put_text(w, row->motion);
    const double scores[] = {row->rula[FR_WORK_RIGHT].score, row->rula[FR_WORK_LEFT].score,
                             row->reba[FR_WORK_RIGHT].score, row->reba[FR_WORK_LEFT].score};
    for (int i = 0; i < 4; i++) {
        put_number(w, scores[i], 1.0);
    }
    put_number(w, c->load, 0.001);
    const bool flags[] = {c->is_seated, c->is_walking, c->is_static, c->is_repeated};
    for (int i = 0; i < 4; i++) {
        put_number(w, flags[i] ? 1.0 : 0.0, 1.0);
    }
    const double trunk[] = {a->trunk_flexion, a->trunk_side, a->trunk_twist,
                            a->neck_flexion,  a->neck_side,  a->neck_twist};
    for (int i = 0; i < 6; i++) {
        put_degrees(w, trunk[i]);
    }
    for (int side = 0; side < FR_WORK_SIDE_COUNT; side++) {
        put_degrees(w, a->arms[side].elevation);
        put_degrees(w, a->arms[side].elbow);
        put_degrees(w, a->arms[side].wrist_flexion);
    }
    put_degrees(w, a->legs[FR_WORK_RIGHT].knee);
    put_degrees(w, a->legs[FR_WORK_LEFT].knee);
    put_number(w, row->clearance, 0.0001);
    const char *nearest = row->nearest.index1 != 0 ? fr_world_label(d->world, row->nearest).name : NULL;
    put_text(w, nearest != NULL ? nearest : "");
    end_line(w);
}

fr_status fr_study_write(const fr_study *study, fr_bytes_fn *write, void *context, fr_error *error) {
    FR_ASSERT(study != NULL && write != NULL);
    table_writer w = {.write = write, .context = context, .is_first = true};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        separate(&w);
        put(&w, columns[i], strlen(columns[i]));
    }
    end_line(&w);
    for (size_t i = 0; i < study->rows.count && !w.has_failed; i++) {
        write_row(&w, study->def.director, &study->rows.data[i]);
    }
    return w.has_failed ? fr_error_set(error, FR_ERROR_FILE, "the table of a study cannot be written") : FR_OK;
}

// ---------------------------------------------------------------------------------------------------------------
// Picture

#define WIDE 9.0   // of the time line
#define TALL 3.0   // of the scores
#define BESIDE 0.8 // from the time line to the bars
#define BAR 2.6    // the longest bar
#define STRIP 0.22 // height of a strip
#define LABELS 14u // motions that are named at most

static const fr_color dark = {50, 55, 65, 255}, pale = {215, 218, 222, 255};
static const fr_color rula_color = {45, 95, 200, 255}, reba_color = {200, 60, 50, 255};
static const fr_color seat_color = {120, 90, 160, 255}, walk_color = {60, 140, 80, 255};
static const fr_color load_color = {190, 120, 30, 255}, near_color = {30, 140, 150, 255};

// What the picture is drawn of.
typedef struct time_line {
    const fr_study *study;
    const fr_draw *draw;
    uint32_t person;
    double base;       // height of the axis
    double begin, end; // seconds
    double step;       // between rows
    double load_max;
} time_line;

static void line(const time_line *l, double x, double y, double to_x, double to_y, fr_color color, double width) {
    const double points[6] = {x, l->base + y, 0.0, to_x, l->base + to_y, 0.0};
    fr_draw_lines(l->draw, points, 1, color, width);
}

static void label(const time_line *l, double x, double y, const char *text, fr_color color) {
    const double point[3] = {x, l->base + y, 0.0};
    fr_draw_text(l->draw, point, text, color, 8.0);
}

static void box(const time_line *l, double x, double y, double to_x, double to_y, fr_color color) {
    y += l->base;
    to_y += l->base;
    const double points[18] = {x, y, 0.0, to_x, y, 0.0, to_x, to_y, 0.0, x, y, 0.0, to_x, to_y, 0.0, x, to_y, 0.0};
    fr_draw_triangles(l->draw, points, 2, color);
}

static double at_time(const time_line *l, double time) {
    return l->end > l->begin ? WIDE * (time - l->begin) / (l->end - l->begin) : 0.0;
}

static double at_score(uint32_t score, uint32_t max) { return TALL * (double)score / (double)max; }

static void draw_axes(const time_line *l) {
    char text[64];
    for (uint32_t i = 1; i <= FR_RULA_MAX; i++) {
        double y = at_score(i, FR_RULA_MAX);
        line(l, 0.0, y, WIDE, y, pale, 1.0);
        snprintf(text, sizeof text, "%u", i);
        label(l, -0.25, y - 0.05, text, rula_color);
    }
    for (uint32_t i = 3; i <= FR_REBA_MAX; i += 3) {
        snprintf(text, sizeof text, "%u", i);
        label(l, WIDE + 0.08, at_score(i, FR_REBA_MAX) - 0.05, text, reba_color);
    }
    for (int i = 0; i <= 6; i++) {
        double time = l->begin + (l->end - l->begin) * i / 6.0, x = at_time(l, time);
        line(l, x, -0.05, x, 0.0, dark, 1.0);
        snprintf(text, sizeof text, "%.0f s", time);
        label(l, x - 0.1, -0.2, text, dark);
    }
    line(l, 0.0, 0.0, WIDE, 0.0, dark, 1.5);
    label(l, -0.25, TALL + 0.1, "RULA", rula_color);
    label(l, WIDE - 0.1, TALL + 0.1, "REBA", reba_color);
}

static double strip_top(int strip) { return -0.45 - STRIP * 1.5 * (double)strip; }

// What lies below the scores while a row lasts.
static void draw_strips(const time_line *l, const fr_study_row *row) {
    double from = at_time(l, row->time), to = fmin(at_time(l, row->time + l->step), WIDE);
    const double parts[] = {row->conditions.is_seated ? 1.0 : 0.0, row->conditions.is_walking ? 1.0 : 0.0,
                            l->load_max > 0.0 ? row->conditions.load / l->load_max : 0.0,
                            row->clearance / FR_STUDY_CLEARANCE_MAX};
    const fr_color colors[] = {seat_color, walk_color, load_color, near_color};
    for (int i = 0; i < 4; i++) {
        double low = strip_top(i) - STRIP;
        if (parts[i] > 0.0) { box(l, from, low, to, low + STRIP * parts[i], colors[i]); }
    }
}

static void name_strips(const time_line *l) {
    char load[64], near[64];
    snprintf(load, sizeof load, "load, up to %.3g kg", l->load_max);
    snprintf(near, sizeof near, "clearance, up to %.3g m", FR_STUDY_CLEARANCE_MAX);
    const char *const names[] = {"seated", "walking", load, near};
    const fr_color colors[] = {seat_color, walk_color, load_color, near_color};
    for (int i = 0; i < 4; i++) {
        double low = strip_top(i) - STRIP;
        line(l, 0.0, low, WIDE, low, pale, 1.0);
        label(l, WIDE + 0.08, low + 0.04, names[i], colors[i]);
    }
}

// How often each score was, as bars to the right.
static void draw_bars(const time_line *l, const fr_study_summary *sum) {
    double x = WIDE + BESIDE, most = 1.0;
    char text[96];
    for (uint32_t i = 0; i <= FR_REBA_MAX; i++) {
        most = fmax(most, (double)sum->reba_counts[i]);
        if (i <= FR_RULA_MAX) { most = fmax(most, (double)sum->rula_counts[i]); }
    }
    for (uint32_t i = 1; i <= FR_RULA_MAX; i++) {
        double y = at_score(i, FR_RULA_MAX);
        box(l, x, y - 0.12, x + BAR * (double)sum->rula_counts[i] / most, y - 0.01, rula_color);
    }
    for (uint32_t i = 1; i <= FR_REBA_MAX; i++) {
        double y = at_score(i, FR_REBA_MAX);
        box(l, x, y - 0.04, x + BAR * (double)sum->reba_counts[i] / most, y + 0.04, reba_color);
    }
    line(l, x, 0.0, x, TALL, dark, 1.0);
    snprintf(text, sizeof text, "RULA %.1f, at most %u", sum->rula_mean, sum->rula_max);
    label(l, x, TALL + 0.3, text, rula_color);
    snprintf(text, sizeof text, "REBA %.1f, at most %u", sum->reba_mean, sum->reba_max);
    label(l, x, TALL + 0.1, text, reba_color);
}

// The names of motions where they begin, in three heights so that they do not cover one another.
static void name_motion(const time_line *l, const fr_study_row *row, uint32_t *named) {
    if (row->motion[0] == '\0' || *named == LABELS) { return; }
    double x = at_time(l, row->time);
    line(l, x, 0.0, x, TALL + 0.2, pale, 1.0);
    label(l, x, TALL + 0.3 + 0.2 * (double)(*named % 3), row->motion, dark);
    (*named)++;
}

static void draw_rows(const time_line *l) {
    const fr_study_row *last = NULL;
    uint32_t named = 0;
    for (size_t i = 0; i < l->study->rows.count; i++) {
        const fr_study_row *row = &l->study->rows.data[i];
        if (row->person != l->person) { continue; }
        draw_strips(l, row);
        if (last == NULL || strcmp(last->motion, row->motion) != 0) { name_motion(l, row, &named); }
        double x = at_time(l, row->time), to = fmin(at_time(l, row->time + l->step), WIDE);
        double rula = at_score(fr_study_rula(row), FR_RULA_MAX), reba = at_score(fr_study_reba(row), FR_REBA_MAX);
        line(l, x, reba, to, reba, reba_color, 2.0);
        line(l, x, rula, to, rula, rula_color, 2.0);
        if (last != NULL) {
            line(l, x, at_score(fr_study_reba(last), FR_REBA_MAX), x, reba, reba_color, 1.0);
            line(l, x, at_score(fr_study_rula(last), FR_RULA_MAX), x, rula, rula_color, 1.0);
        }
        last = row;
    }
}

static void draw_person(const fr_study *study, uint32_t person, double base, const fr_draw *draw) {
    fr_study_summary sum = fr_study_sum(study, person);
    const fr_study_row *rows = study->rows.data;
    time_line l = {.study = study, .draw = draw, .person = person, .base = base, .load_max = sum.load_max};
    l.step = (double)study->ticks * fr_world_step(study->def.director->world);
    l.begin = rows[0].time;
    l.end = rows[study->rows.count - 1].time + l.step;
    draw_axes(&l);
    name_strips(&l);
    draw_rows(&l);
    draw_bars(&l, &sum);
    label(&l, -0.25, TALL + 0.35, fr_person_name(study->def.director->people[person]->person), dark);
}

void fr_study_draw(const fr_study *study, const fr_draw *draw) {
    FR_ASSERT(study != NULL);
    uint32_t count = (uint32_t)study->people.count;
    for (uint32_t i = 0; i < count && i < FR_STUDY_DRAWN_MAX && study->rows.count > 0; i++) {
        draw_person(study, i, -6.2 * (double)i, draw);
    }
}
