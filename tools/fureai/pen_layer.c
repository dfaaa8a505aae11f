#include "pen_layer.h"

#include <math.h>
#include <string.h>

#define TICK 1e-3      // seconds
#define MOST_TICKS 100 // of a step of the world
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
        line(draw, fr_vec3_add(p->home, s->anchors[i]), p->tip, color, 1.0 + 3.0 * part);
    }
    line(draw, p->tip, fr_vec3_add_scaled(p->tip, ARROW, p->force), arrow, 4.0);
}

// ---------------------------------------------------------------------------------------------------------------
// Feeling

static int compare_hits(const fr_touch_hit *a, const fr_touch_hit *b) {
    return (a->distance > b->distance) - (a->distance < b->distance);
}

// The same as long as it is the same face.
static uint32_t id_of(const fr_touch_hit *hit) {
    uint32_t id = (hit->object.index1 * 31 + hit->part) * 31 + hit->element;
    return id != 0 ? id : 1;
}

// The nearest faces, each with another normal than those before it: what a hand leans on.
static uint32_t choose_planes(pen_layer *p, uint32_t count, fr_haptic_plane *planes) {
    uint32_t chosen = 0;
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = i; k > 0 && compare_hits(&p->hits[k], &p->hits[k - 1]) < 0; k--) {
            fr_touch_hit swap = p->hits[k];
            p->hits[k] = p->hits[k - 1];
            p->hits[k - 1] = swap;
        }
    }
    for (uint32_t i = 0; i < count && chosen < FR_HAPTIC_PLANES; i++) {
        const fr_touch_hit *hit = &p->hits[i];
        bool is_new = hit->side != 0;
        for (uint32_t k = 0; k < chosen && is_new; k++) {
            is_new = fr_vec3_dot(planes[k].normal, hit->normal) < 0.99;
        }
        if (!is_new) { continue; }
        planes[chosen] = (fr_haptic_plane){.id = id_of(hit),
                                           .normal = hit->normal,
                                           .offset = fr_vec3_dot(hit->normal, hit->foot),
                                           .distance = p->touch.is_at_surface ? 0.0 : p->touch.distance};
        chosen++;
    }
    return chosen;
}

static fr_status feel(pen_layer *p, const fr_space *space, const fr_pose *pose, double step, fr_error *error) {
    fr_query_filter filter = fr_default_query_filter();
    filter.ignore = p->pen;
    fr_touch_input input = fr_default_touch_input();
    input.space = space;
    input.pose = *pose;
    input.origin_local = p->touch.point;
    input.filter = &filter;
    input.distance = p->touch.distance;
    input.options = FR_TOUCH_CLOSEST;
    input.hits = p->hits;
    input.capacity = PEN_HITS;
    uint32_t count;
    fr_status status = fr_touch_pairs(&input, &count, error);
    if (status != FR_OK) { return status; }
    int ticks = (int)fmin(fmax(step / TICK, 1.0), MOST_TICKS);
    fr_haptic_input in = {.dt = step / ticks, .is_held = true, .has_planes = true};
    in.plane_count = choose_planes(p, count < PEN_HITS ? count : PEN_HITS, in.planes);
    fr_vec3 to = fr_pose_apply(pose, p->touch.point), from = p->has_tip ? p->tip : to;
    fr_haptic_output out = {0};
    for (int i = 1; i <= ticks; i++) {
        in.tip = fr_vec3_lerp(from, to, (double)i / ticks);
        fr_haptic_tick(&p->haptic, &in, &out);
        in.has_planes = false;
    }
    p->tip = to;
    p->has_tip = true;
    p->force = out.force;
    return fr_strings_pull(&p->strings, fr_vec3_sub(to, p->home), out.force, FR_PULL_NEAREST, &p->pull, error);
}

static fr_status propose(const fr_proposal *proposal, fr_wishes *wishes, void *user, fr_error *error) {
    pen_layer *p = user;
    const fr_object_view *view = fr_object_get(proposal->space, p->pen);
    if (view == NULL) { return FR_OK; }
    fr_status status = feel(p, proposal->space, &view->pose, proposal->step, error);
    if (status != FR_OK) { return status; }
    if (p->server != NULL && *p->server != NULL) { (void)fr_server_draw(*p->server, LAYER, paint, p, NULL); }
    double force = fr_vec3_length(p->force);
    if (fabs(force - p->told) < NOTICEABLE && (force > 0.0 || p->told == 0.0)) { return FR_OK; }
    p->told = force;
    fr_event event = {.kind = FR_EVENT_FORCE, .a = p->pen, .value = force, .point = p->tip};
    return fr_wishes_tell(wishes, &event, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Joining

// A frame that the whole way of the tip is inside of.
static void place_frame(pen_layer *p, const fr_scene *scene) {
    const fr_scene_view *view = fr_scene_get(scene);
    fr_bounds bounds = fr_bounds_empty();
    for (uint32_t k = 0; k <= view->steps; k++) {
        fr_pose pose = fr_scene_pose(scene, p->touch.operated, k);
        bounds = fr_bounds_with_point(&bounds, fr_pose_apply(&pose, p->touch.point));
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
    p->server = server;
    p->touch = *view->touch;
    p->strings = fr_default_strings();
    p->pen = fr_world_find(world, view->objects[p->touch.operated].name);
    fr_haptic_def def = fr_default_haptic_def();
    def.stiffness = p->touch.stiffness;
    def.damping = p->touch.damping;
    def.force_max = p->touch.force_max;
    fr_status status = fr_haptic_make(&def, &p->haptic, NULL);
    if (status != FR_OK) { return status; }
    place_frame(p, scene);
    const fr_corrector corrector = {.name = "pen", .propose = propose, .user = p};
    return fr_world_add_corrector(world, &corrector);
}

void pen_layer_leave(pen_layer *p) {
    if (p->has_tip && p->server != NULL && *p->server != NULL) {
        (void)fr_server_draw(*p->server, LAYER, NULL, NULL, NULL);
    }
    memset(p, 0, sizeof *p);
}
