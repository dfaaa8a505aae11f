// What is drawn over the world while people handle things: the faces that hold, the freedom that
// is left, the force, and the places of parts.
#include "actor/hands.h"

#include <math.h>
#include <string.h>

#define LIFT 2e-4             // metres: faces are drawn this far before those they show
#define LARGE 16.0            // times the square of the object's radius
#define ARC_PIECES 24         // of a turn that is left
#define PLACE_TRIANGLES 20000 // of a part; places of larger ones are not drawn
#define SELDOM 2              // ticks between two drawings of what moves

enum { LAYER_FACES, LAYER_FREEDOM, LAYER_FORCE, LAYER_PLACES };

static const char *const layer_names[FR__HANDS_LAYERS] = {"faces that hold", "freedom", "force", "places"};

// What a paint function is given.
typedef struct hand_picture {
    fr_hands *hands;
    const fr_space *space;
} hand_picture;

// ---------------------------------------------------------------------------------------------------------------
// Arrows

static void put(double *out, fr_vec3 point) {
    out[0] = point.x;
    out[1] = point.y;
    out[2] = point.z;
}

static void line(const fr_draw *draw, fr_vec3 a, fr_vec3 b, fr_color color, double width) {
    double points[6];
    put(points, a);
    put(points + 3, b);
    fr_draw_lines(draw, points, 1, color, width);
}

// A head of two strokes in the plane of the arrow and `side`, at the tip.
static void head(const fr_draw *draw, fr_vec3 tip, fr_vec3 along, fr_vec3 side, double size, fr_color color) {
    fr_vec3 back = fr_vec3_add_scaled(tip, -size, along);
    line(draw, tip, fr_vec3_add_scaled(back, 0.5 * size, side), color, 3.0);
    line(draw, tip, fr_vec3_add_scaled(back, -0.5 * size, side), color, 3.0);
}

static void both_directions(const fr_draw *draw, fr_vec3 center, fr_vec3 along, fr_vec3 side, double reach,
                            fr_color color) {
    fr_vec3 tip = fr_vec3_add_scaled(center, reach, along), other = fr_vec3_add_scaled(center, -reach, along);
    line(draw, other, tip, color, 3.0);
    head(draw, tip, along, side, 0.2 * reach, color);
    head(draw, other, fr_vec3_negate(along), side, 0.2 * reach, color);
}

// Three quarters of a circle about `axis`, with a head.
static void arc(const fr_draw *draw, fr_vec3 center, fr_vec3 axis, fr_vec3 u, double reach, fr_color color) {
    fr_vec3 v = fr_vec3_cross(axis, u), last = fr_vec3_add_scaled(center, reach, u);
    for (int i = 1; i <= ARC_PIECES; i++) {
        double sine, cosine;
        fr_sincos(1.5 * FR_PI * i / ARC_PIECES, &sine, &cosine);
        fr_vec3 next = fr_vec3_add_scaled(fr_vec3_add_scaled(center, reach * cosine, u), reach * sine, v);
        line(draw, last, next, color, 2.0);
        if (i == ARC_PIECES) {
            fr_vec3 along = fr_vec3_unit(fr_vec3_sub(next, last), u);
            head(draw, next, along, fr_vec3_cross(axis, along), 0.25 * reach, color);
        }
        last = next;
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Faces

static const fr_planar_faces *planar_of(fr_hands *h, const fr_mesh *mesh) {
    const fr__hands_planar *known = h->planars.data;
    for (size_t i = 0; i < h->planars.count; i++) {
        if (known[i].mesh == mesh) { return known[i].planar; }
    }
    fr__hands_planar made = {0};
    fr_topology *topology = NULL;
    fr_topology_def topology_def = fr_default_topology_def();
    topology_def.is_welded = true; // as the aid has it
    topology_def.allocator = h->allocator;
    if (!fr__hands_planar_array_reserve_more(&h->planars, 1)) { return NULL; }
    if (fr_topology_create(mesh, &topology_def, &topology, NULL) != FR_OK) { return NULL; }
    fr_planar_def def = fr_default_planar_def();
    def.topology = topology;
    def.allocator = h->allocator;
    fr_status status = fr_planar_create(mesh, &def, &made.planar, NULL);
    fr_topology_destroy(topology);
    if (status != FR_OK) { return NULL; }
    made.mesh = fr_mesh_retain(mesh);
    *fr__hands_planar_array_push(&h->planars, 1) = made;
    return made.planar;
}

typedef struct face_frame {
    const fr_mesh *mesh;
    fr_pose part, object;
    fr_vec3 lift;
} face_frame;

static fr_vec3 in_world(const face_frame *frame, fr_vec3 point) {
    return fr_vec3_add(fr_pose_apply(&frame->object, fr_pose_apply(&frame->part, point)), frame->lift);
}

static fr_vec3 vertex_of(const face_frame *frame, uint32_t vertex) {
    const fr_mesh_view *view = fr_mesh_get(frame->mesh);
    size_t at = 3 * (size_t)vertex;
    const float *f = view->positions_float;
    const double *d = view->positions_double;
    fr_vec3 local = f != NULL ? fr_vec3_make((double)f[at], (double)f[at + 1], (double)f[at + 2])
                              : fr_vec3_make(d[at], d[at + 1], d[at + 2]);
    return in_world(frame, local);
}

static void draw_loops(const fr_draw *draw, const face_frame *frame, const fr_planar_faces *planar,
                       const fr_planar_face *face, fr_color color) {
    for (uint32_t i = face->first_loop; i < face->first_loop + face->loop_count; i++) {
        uint32_t begin = planar->loop_begin[i], end = planar->loop_begin[i + 1];
        for (uint32_t k = begin; k < end; k++) {
            uint32_t next = k + 1 < end ? k + 1 : begin;
            fr_vec3 a = vertex_of(frame, planar->loop_vertices[k]);
            fr_vec3 b = vertex_of(frame, planar->loop_vertices[next]);
            line(draw, a, b, color, 3.0);
        }
    }
}

// The face that stands, translucent, with its outline.
static void draw_face(const fr_draw *draw, const hand_picture *p, const fr__hand *hand, const fr_aid_held *held,
                      fr_color color) {
    const fr_object_view *view = fr_object_get(p->space, held->pair.other);
    fr_part_view part = fr_object_part(p->space, held->pair.other, held->pair.other_part);
    const fr_planar_faces *planar = view != NULL && part.mesh != NULL ? planar_of(p->hands, part.mesh) : NULL;
    if (planar == NULL || held->pair.other_face >= planar->face_count) { return; }
    const fr_planar_face *face = &planar->faces[held->pair.other_face];
    face_frame frame = {part.mesh, part.pose, view->pose, fr_vec3_scale(LIFT, held->plane.normal)};
    // A face that is much larger than the object, as a table's, is shown more faintly
    double scale = view->pose.scale * part.pose.scale;
    fr_color fill = color;
    fill.a = face->area * scale * scale > LARGE * hand->radius * hand->radius ? 22 : 70;
    for (uint32_t i = 0; i < face->triangle_count; i++) {
        fr_vec3 corners[3];
        fr_mesh_corners(part.mesh, planar->triangles[face->first_triangle + i], corners);
        for (int k = 0; k < 3; k++) {
            corners[k] = in_world(&frame, corners[k]);
        }
        fr_triangle_draw(corners, draw, fill);
    }
    draw_loops(draw, &frame, planar, face, color);
}

// An edge or a corner that snapped: where it lies. A peg in a hole: its axis.
static void draw_line_held(const fr_draw *draw, const fr__hand *hand, uint32_t index, fr_color color) {
    const fr_aid_held *held = &hand->out.held[index];
    fr_vec3 middle = fr_pose_apply(&hand->shown, held->plane.centroid_local);
    fr_vec3 along = held->plane.normal;
    if (held->kind != FR_AID_AXIS) {
        along = fr_vec3_unit(fr_vec3_cross(along, hand->out.held[0].plane.normal), along);
    }
    double reach = held->kind == FR_AID_VERTEX ? 0.2 * hand->radius : 1.5 * hand->radius;
    line(draw, fr_vec3_add_scaled(middle, -reach, along), fr_vec3_add_scaled(middle, reach, along), color, 4.0);
}

static void paint_faces(const fr_draw *draw, void *user) {
    hand_picture *p = user;
    fr__hand *const *list = p->hands->list.data;
    for (size_t i = 0; i < p->hands->list.count; i++) {
        const fr__hand *hand = list[i];
        for (uint32_t k = 0; hand->phase == FR__HAND_HOLDS && k < hand->out.held_count; k++) {
            fr_color color = fr_hand_color(hand->mode, k + 1, false, false, 0.0);
            if (hand->out.held[k].kind == FR_AID_FACE) {
                draw_face(draw, p, hand, &hand->out.held[k], color);
            } else {
                draw_line_held(draw, hand, k, color);
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Freedom and force

static void draw_freedom(const fr_draw *draw, const fr__hand *hand) {
    static const fr_color color = {250, 250, 250, 230};
    const fr_aid_output *out = &hand->out;
    fr_vec3 center = fr__hand_center(hand, &hand->shown);
    double reach = 1.3 * hand->radius;
    if (out->held_count == 0) { return; }
    fr_vec3 normal = out->held[0].plane.normal;
    fr_vec3 u = fr_vec3_perpendicular(normal);
    u = fr_vec3_unit(u, fr_vec3_make(1.0, 0.0, 0.0));
    if (out->freedom == 3) {
        both_directions(draw, center, u, fr_vec3_cross(normal, u), reach, color);
        both_directions(draw, center, fr_vec3_cross(normal, u), u, reach, color);
        arc(draw, center, normal, u, 0.6 * reach, color);
    } else if (out->held[0].kind == FR_AID_AXIS) {
        if (out->freedom == 2) { both_directions(draw, center, normal, u, reach, color); }
        arc(draw, center, normal, u, 0.6 * reach, color);
    } else if (out->freedom == 1 && out->held_count >= 2) {
        fr_vec3 along = fr_vec3_unit(fr_vec3_cross(normal, out->held[1].plane.normal), u);
        both_directions(draw, center, along, normal, reach, color);
    }
}

static void paint_freedom(const fr_draw *draw, void *user) {
    const hand_picture *p = user;
    fr__hand *const *list = p->hands->list.data;
    for (size_t i = 0; i < p->hands->list.count; i++) {
        if (list[i]->phase == FR__HAND_HOLDS) { draw_freedom(draw, list[i]); }
    }
}

static void draw_force(const fr_draw *draw, const fr__hand *hand) {
    static const fr_color color = {255, 140, 30, 255};
    fr_vec3 center = fr__hand_center(hand, &hand->shown), raw = fr__hand_center(hand, &hand->raw);
    fr_vec3 along = fr_vec3_unit(fr_vec3_sub(center, raw), fr_vec3_make(0.0, 1.0, 0.0));
    double length = 2.0 * hand->radius * hand->force / FR__HAND_FORCE_MAX;
    fr_vec3 tip = fr_vec3_add_scaled(center, hand->radius + length, along);
    fr_vec3 side = fr_vec3_unit(fr_vec3_perpendicular(along), along);
    line(draw, fr_vec3_add_scaled(center, hand->radius, along), tip, color, 5.0);
    head(draw, tip, along, side, 0.3 * hand->radius, color);
    head(draw, tip, along, fr_vec3_cross(along, side), 0.3 * hand->radius, color);
}

static void paint_force(const fr_draw *draw, void *user) {
    const hand_picture *p = user;
    fr__hand *const *list = p->hands->list.data;
    for (size_t i = 0; i < p->hands->list.count; i++) {
        if (list[i]->phase == FR__HAND_HOLDS && list[i]->force > 0.0) { draw_force(draw, list[i]); }
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Places of parts

static void draw_place(const fr_draw *draw, const hand_picture *p, uint32_t place, const fr_pose *pose, uint8_t alpha) {
    fr_object_id object = fr_assembly_get(p->hands->assembly, place)->object;
    const fr_object_view *view = fr_object_get(p->space, object);
    fr_color color = fr_world_label(p->hands->world, object).color;
    color.a = alpha;
    if (view == NULL || view->triangle_count > PLACE_TRIANGLES) { return; }
    for (uint32_t i = 0; i < view->part_count; i++) {
        fr_part_view part = fr_object_part(p->space, object, i);
        const fr_part_def def = {part.mesh, part.pose};
        fr_parts_draw(&def, 1, pose, draw, color);
    }
}

// Faintly what comes next, and clearer where a part in a hand belongs.
static void paint_places(const fr_draw *draw, void *user) {
    const hand_picture *p = user;
    for (uint32_t i = 0; i < fr_assembly_count(p->hands->assembly); i++) {
        fr_pose pose;
        if (!fr__hands_is_next(p->hands, i) || !fr__hands_place(p->hands, i, &pose)) { continue; }
        fr__hand *const *list = p->hands->list.data;
        uint8_t alpha = 48;
        for (size_t k = 0; k < p->hands->list.count; k++) {
            if (list[k]->phase != FR__HAND_HOLDS || list[k]->place != i) { continue; }
            alpha = 100;
            pose = list[k]->target;
        }
        draw_place(draw, p, i, &pose, alpha);
    }
}

static uint64_t sum_places(const fr_hands *h) {
    uint64_t sum = 0;
    if (h->assembly == NULL) { return sum; }
    for (uint32_t i = 0; i < fr_assembly_count(h->assembly); i++) {
        if (!fr__hands_is_next(h, i)) { continue; }
        sum = fr_hash(&i, sizeof i, sum);
        fr__hand *const *list = h->list.data;
        for (size_t k = 0; k < h->list.count; k++) {
            if (list[k]->phase != FR__HAND_HOLDS || list[k]->place != i) { continue; }
            sum = fr_hash(&list[k]->target, sizeof list[k]->target, sum);
        }
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------------------------
// Layers

// What a layer would show of a hand, as a number; `sum` unchanged: nothing.
static uint64_t sum_hand(const fr_space *space, const fr__hand *hand, int layer, uint64_t sum) {
    if (hand->phase != FR__HAND_HOLDS) { return sum; }
    if (layer == LAYER_FORCE) {
        if (!(hand->force > 0.0)) { return sum; }
        sum = fr_hash(&hand->raw, sizeof hand->raw, sum);
        return fr_hash(&hand->shown, sizeof hand->shown, sum);
    }
    for (uint32_t i = 0; i < hand->out.held_count; i++) {
        const fr_aid_pair *pair = &hand->out.held[i].pair;
        const fr_object_view *view = fr_object_get(space, pair->other);
        sum = fr_hash(pair, sizeof *pair, sum);
        sum = fr_hash(&hand->mode, sizeof hand->mode, sum);
        if (layer == LAYER_FREEDOM) { sum = fr_hash(&hand->shown, sizeof hand->shown, sum); }
        if (view != NULL) { sum = fr_hash(&view->pose, sizeof view->pose, sum); }
    }
    return sum;
}

static uint64_t sum_all(const fr_hands *h, const fr_space *space, int layer) {
    fr__hand *const *list = h->list.data;
    uint64_t sum = 0;
    if (layer == LAYER_PLACES) { return sum_places(h); }
    for (size_t i = 0; i < h->list.count; i++) {
        sum = sum_hand(space, list[i], layer, sum);
    }
    return sum;
}

void fr__hands_paint(fr_painter *painter, const fr_proposal *proposal, void *hands) {
    static fr_paint_fn *const paints[FR__HANDS_LAYERS] = {paint_faces, paint_freedom, paint_force, paint_places};
    fr_hands *h = hands;
    hand_picture p = {h, proposal->space};
    if (fr_painter_is_new(painter)) { memset(h->drawn, 0, sizeof h->drawn); }
    for (int i = 0; i < FR__HANDS_LAYERS; i++) {
        uint64_t sum = sum_all(h, proposal->space, i);
        bool is_seldom = i != LAYER_FACES && sum != 0 && h->calls % SELDOM != 0;
        if (sum == h->drawn[i] || is_seldom) { continue; }
        h->drawn[i] = sum;
        const fr_cast_layer layer = {.name = layer_names[i], .paint = sum != 0 ? paints[i] : NULL, .user = &p};
        (void)fr_painter_draw(painter, &layer, NULL);
    }
}
