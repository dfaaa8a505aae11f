#include "pen_layer.h"

#include <math.h>
#include <string.h>

#define ROOM 0.1       // metres between the way of the tip and the frame
#define ARROW 0.1      // metres a newton
#define NOTICEABLE 0.1 // newtons: a change that is told
#define LAYER "strings"

// ---------------------------------------------------------------------------------------------------------------
// Drawing

static void line(const fr_draw *draw, fr_vec3 a, fr_vec3 b, fr_color color, double width) {
    const double points[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    fr_draw_lines(draw, points, 1, color, width);
}

// Gray and thin at the least tension, red and thick at the greatest.
static void paint(const fr_draw *draw, void *user) {
    static const fr_color arrow = {255, 140, 30, 255};
    const pen_layer *p = user;
    const fr_strings *s = &p->strings;
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        double part = (p->pull.tensions[i] - s->tension_min) / (s->tension_max - s->tension_min);
        fr_color color = {(uint8_t)(120.0 + 120.0 * part), (uint8_t)(120.0 - 80.0 * part),
                          (uint8_t)(120.0 - 80.0 * part), 255};
        line(draw, fr_vec3_add(p->home, s->anchors[i]), p->pen.tip, color, 1.0 + 3.0 * part);
    }
    line(draw, p->pen.tip, fr_vec3_add_scaled(p->pen.tip, ARROW, p->pen.felt), arrow, 4.0);
}

// ---------------------------------------------------------------------------------------------------------------
// A tick of the world

static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    pen_layer *p = user;
    if (fr_object_get(proposal->space, p->pen.object) == NULL) { return FR_OK; }
    fr_status status = touch_pen_step(&p->pen, proposal->space, proposal->step, NULL, error);
    if (status != FR_OK) { return status; }
    fr_vec3 tip = fr_vec3_sub(p->pen.tip, p->home);
    status = fr_strings_pull(&p->strings, tip, p->pen.felt, FR_PULL_NEAREST, &p->pull, error);
    if (status != FR_OK) { return status; }
    if (p->server != NULL && *p->server != NULL) { (void)fr_server_draw(*p->server, LAYER, paint, p, NULL); }
    double force = fr_vec3_length(p->pen.felt);
    if (fabs(force - p->told) < NOTICEABLE && (force > 0.0 || p->told == 0.0)) { return FR_OK; }
    p->told = force;
    fr_event event = {.kind = FR_EVENT_FORCE, .a = p->pen.object, .value = force, .point = p->pen.tip};
    return fr_wishes_tell(wishes, &event, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Joining

// A frame that the whole way of the tip is inside of.
static void place_frame(pen_layer *p, const fr_scene *scene) {
    const fr_scene_view *view = fr_scene_get(scene);
    fr_bounds bounds = fr_bounds_empty();
    for (uint32_t k = 0; k <= view->steps; k++) {
        fr_pose pose = fr_scene_pose(scene, p->pen.touch.operated, k);
        bounds = fr_bounds_with_point(&bounds, fr_pose_apply(&pose, p->pen.touch.point));
    }
    fr_vec3 size = fr_vec3_sub(bounds.max, bounds.min);
    double half = 0.5 * fmax(size.x, fmax(size.y, size.z)) + ROOM;
    p->home = fr_vec3_scale(0.5, fr_vec3_add(bounds.min, bounds.max));
    // The tetrahedron holds a third of the cube that it is cut from
    double scale = fmax(1.0, 3.0 * half / 0.25);
    for (int i = 0; i < FR_STRING_COUNT; i++) {
        p->strings.anchors[i] = fr_vec3_scale(scale, p->strings.anchors[i]);
    }
}

fr_status pen_layer_join(pen_layer *p, const fr_scene *scene, fr_world *world, fr_server *const *server) {
    memset(p, 0, sizeof *p);
    const fr_scene_view *view = fr_scene_get(scene);
    if (view->touch == NULL) { return FR_OK; }
    fr_object_id object = fr_world_find(world, view->objects[view->touch->operated].name);
    fr_status status = touch_pen_begin(&p->pen, view->touch, fr_world_space(world), object, NULL);
    if (status != FR_OK) {
        touch_pen_end(&p->pen);
        return status;
    }
    p->server = server;
    p->strings = fr_default_strings();
    place_frame(p, scene);
    const fr_corrector corrector = {.name = "pen", .propose = propose, .user = p};
    return fr_world_add_corrector(world, &corrector);
}

void pen_layer_leave(pen_layer *p) {
    if (p->pen.steps > 0 && p->server != NULL && *p->server != NULL) {
        (void)fr_server_draw(*p->server, LAYER, NULL, NULL, NULL);
    }
    touch_pen_end(&p->pen);
    memset(p, 0, sizeof *p);
}
