// A pen as an actor: the strings that it hangs on, how much each pulls, and the force that is felt.
#include "actor/pen.h"

#include <math.h>

#define ROOM 0.1       // metres between the reach of the tip and the frame
#define ARROW 0.1      // metres a newton
#define NOTICEABLE 0.1 // newtons: a change that is reported
#define LAYER "strings"

// ---------------------------------------------------------------------------------------------------------------
// Drawing

static void line(const fr_draw *draw, fr_vec3 a, fr_vec3 b, fr_color color, double width) {
    const double points[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    fr_draw_lines(draw, points, 1, color, width);
}

static void paint_force(const fr_draw *draw, void *user) {
    static const fr_color arrow = {255, 140, 30, 255};
    const fr_pen *p = user;
    line(draw, p->tip, fr_vec3_add_scaled(p->tip, ARROW, p->felt), arrow, 4.0);
}

// Gray and thin at the least tension, red and thick at the greatest.
static void paint_strings(const fr_draw *draw, void *user) {
    const fr_pen *p = user;
    const fr_strings *s = &p->strings;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        double part = (p->pull.tensions[i] - s->tension_min) / (s->tension_max - s->tension_min);
        fr_color color = {(uint8_t)(120.0 + 120.0 * part), (uint8_t)(120.0 - 80.0 * part),
                          (uint8_t)(120.0 - 80.0 * part), 255};
        line(draw, fr_vec3_add(p->home, s->anchors[i]), p->tip, color, 1.0 + 3.0 * part);
    }
    paint_force(draw, user);
}

static void paint(fr_painter *painter, const fr_proposal *proposal, void *user) {
    fr_pen *p = user;
    if (!fr_object_exists(proposal->space, p->object)) { return; }
    bool has_device = p->cast != NULL;
    const fr_cast_layer layer = {
        .name = has_device ? "pen force" : LAYER, .paint = has_device ? paint_force : paint_strings, .user = p};
    (void)fr_painter_draw(painter, &layer, NULL);
    if (has_device) { fr__pen_paint_touched(painter, proposal, p); }
}

// ---------------------------------------------------------------------------------------------------------------
// A tick of the world

fr_status fr__pen_report_force(fr_pen *p, fr_wishes *wishes, fr_error *error) {
    double force = fr_vec3_length(p->felt);
    if (fabs(force - p->reported) < NOTICEABLE && (force > 0.0 || p->reported == 0.0)) { return FR_OK; }
    p->reported = force;
    fr_event event = {.kind = FR_EVENT_FORCE, .a = p->object, .value = force, .point = p->tip};
    return fr_wishes_add_event(wishes, &event, error);
}

static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    fr_pen *p = user;
    if (!fr_object_exists(proposal->space, p->object)) { return FR_OK; }
    fr_status status = fr_pen_step(p, proposal->space, proposal->step, NULL, error);
    if (status != FR_OK) { return status; }
    fr_vec3 tip = fr_vec3_sub(p->tip, p->home);
    status = fr_strings_pull(&p->strings, tip, p->felt, FR_PULL_NEAREST, &p->pull, error);
    return status == FR_OK ? fr__pen_report_force(p, wishes, error) : status;
}

// ---------------------------------------------------------------------------------------------------------------
// Making

void fr__pen_place_frame(fr_pen *p, const fr_bounds *reach) {
    p->strings = fr_default_strings();
    if (fr_bounds_is_empty(reach)) { return; }
    fr_vec3 size = fr_vec3_sub(reach->max, reach->min);
    double half = 0.5 * fmax(size.x, fmax(size.y, size.z)) + ROOM;
    p->home = fr_vec3_scale(0.5, fr_vec3_add(reach->min, reach->max));
    // The tetrahedron holds a third of the cube that it is cut from
    double scale = fmax(1.0, 3.0 * half / 0.25);
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        p->strings.anchors[i] = fr_vec3_scale(scale, p->strings.anchors[i]);
    }
}

static void leave(void *user) { fr_pen_destroy(user); }

fr_actor fr_pen_actor(fr_pen *pen) {
    FR_ASSERT(pen != NULL);
    fr_actor actor = {.name = "pen", .correct = propose, .paint = paint, .leave = leave, .user = pen};
    if (pen->cast != NULL) {
        actor.prepare = fr__pen_prepare;
        actor.begin = fr__pen_begin;
        actor.correct = fr__pen_follow;
    }
    return actor;
}
