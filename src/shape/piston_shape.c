// The parts of a piston, made by code.
#include "shape/piston_shape.h"

#include "shape/solid.h"
#include "shape/soup.h"

// All lengths in metres. Clearances: pin 0.1 mm all round, rod beside the bosses 0.15 mm, bolts 0.15 mm all round.
enum { ROUND = 48, BOLT_ROUND = 24, CAPACITY = 2600 };

#define PIN 0.010
#define PIN_HOLE 0.0101
#define PIN_HALF 0.0299
#define BOSS_IN 0.012
#define BOSS_OUT 0.030
#define BOSS_HALF 0.022
#define CROWN_BOTTOM 0.020
#define SKIRT_BOTTOM (-0.030)
#define ROD_HALF 0.01185
#define BIG_END (-0.120) // its centre
#define BORE 0.024
#define NECK 0.029 // where the shoulders begin, beside the bore
#define SHOULDER 0.045
#define BOLT_AT 0.037
#define BOLT 0.004
#define BOLT_HOLE 0.00415

static const fr_vec2 origin = {0.0, 0.0};

// ---------------------------------------------------------------------------------------------------------------
// Piston

// A boss in the plane of y and z: under the crown, round below.
static fr__loop boss_outline(void) {
    fr__loop loop = {.count = 0};
    fr__loop_point(&loop, CROWN_BOTTOM, -BOSS_HALF);
    fr__loop_point(&loop, CROWN_BOTTOM, BOSS_HALF);
    fr__loop_arc(&loop, origin, BOSS_HALF, 90.0, 270.0, ROUND / 4);
    return loop;
}

// Where a boss hangs on the crown, in the plane of z and x.
static fr__loop boss_root(double low, double high) {
    fr__loop loop = {.count = 0};
    fr__loop_point(&loop, -BOSS_HALF, low);
    fr__loop_point(&loop, BOSS_HALF, low);
    fr__loop_point(&loop, BOSS_HALF, high);
    fr__loop_point(&loop, -BOSS_HALF, high);
    return loop;
}

// A skirt in the plane of z and x, about one end of z.
static fr__loop skirt_outline(double middle_deg) {
    fr__loop loop = {.count = 0};
    fr__loop_arc(&loop, origin, 0.0396, middle_deg - 44.0, middle_deg + 44.0, ROUND / 4);
    fr__loop_arc(&loop, origin, 0.034, middle_deg + 44.0, middle_deg - 44.0, ROUND / 4);
    return loop;
}

// Up the side of the crown, with two grooves, to its top.
static void add_crown(fr__solid_builder *s) {
    static const fr_vec2 profile[] = {{0.040, CROWN_BOTTOM}, {0.040, 0.024},  {0.0375, 0.024}, {0.0375, 0.026},
                                      {0.040, 0.026},        {0.040, 0.029},  {0.0375, 0.029}, {0.0375, 0.031},
                                      {0.040, 0.031},        {0.040, 0.0385}, {0.0385, 0.040}};
    enum { COUNT = sizeof profile / sizeof profile[0] };
    fr__loop bottom[5] = {fr__loop_circle(origin, profile[0].x, ROUND), boss_root(BOSS_IN, BOSS_OUT),
                          boss_root(-BOSS_OUT, -BOSS_IN), skirt_outline(0.0), skirt_outline(180.0)};
    fr__solid_face(s, FR_AXIS_Y, CROWN_BOTTOM, false, bottom, 5);
    for (int i = 0; i + 1 < COUNT; i++) {
        fr__loop low = fr__loop_circle(origin, profile[i].x, ROUND);
        fr__loop high = fr__loop_circle(origin, profile[i + 1].x, ROUND);
        fr__solid_wall(s, FR_AXIS_Y, &low, profile[i].y, &high, profile[i + 1].y);
    }
    fr__loop top = fr__loop_circle(origin, profile[COUNT - 1].x, ROUND);
    fr__solid_face(s, FR_AXIS_Y, profile[COUNT - 1].y, true, &top, 1);
}

fr_status fr__piston_create(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    fr__solid_builder s;
    fr_status status = fr__solid_take(CAPACITY, like, &s, error);
    if (status != FR_OK) { return status; }
    add_crown(&s);
    const fr__loop boss[2] = {boss_outline(), fr__loop_circle(origin, PIN_HOLE, ROUND)};
    fr__draw_out out_x = {.axis = FR_AXIS_X, .low = BOSS_IN, .high = BOSS_OUT, .loops = boss, .loop_count = 2};
    out_x.open_sides = 1; // the one on the crown
    fr__solid_draw_out(&s, &out_x);
    out_x.low = -BOSS_OUT;
    out_x.high = -BOSS_IN;
    fr__solid_draw_out(&s, &out_x);
    for (int i = 0; i < 2; i++) {
        const fr__loop skirt = skirt_outline(180.0 * i);
        fr__draw_out out_y = {.axis = FR_AXIS_Y, .low = SKIRT_BOTTOM, .high = CROWN_BOTTOM, .loops = &skirt};
        out_y.loop_count = 1;
        out_y.is_open_high = true;
        fr__solid_draw_out(&s, &out_y);
    }
    return fr__solid_finish(&s, like, out, error);
}

fr_status fr__piston_pin_create(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    fr__solid_builder s;
    fr_status status = fr__solid_take(CAPACITY, like, &s, error);
    if (status != FR_OK) { return status; }
    const fr__loop tube[2] = {fr__loop_circle(origin, PIN, ROUND), fr__loop_circle(origin, 0.6 * PIN, ROUND)};
    const fr__draw_out d = {.axis = FR_AXIS_X, .low = -PIN_HALF, .high = PIN_HALF, .loops = tube, .loop_count = 2};
    fr__solid_draw_out(&s, &d);
    return fr__solid_finish(&s, like, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Rod and cap: a middle, drawn out along x, and two shoulders with a bolt's hole, drawn out along y. They share a
// rectangle each, which neither of them has.

static void add_shoulders(fr__solid_builder *s, double low, double high) {
    for (int k = 0; k < 2; k++) {
        double side = k == 0 ? 1.0 : -1.0, from = k == 0 ? NECK : -SHOULDER, to = k == 0 ? SHOULDER : -NECK;
        fr__loop loops[2] = {{.count = 0}, fr__loop_circle((fr_vec2){side * BOLT_AT, 0.0}, BOLT_HOLE, ROUND)};
        fr__loop_point(&loops[0], from, -ROD_HALF);
        fr__loop_point(&loops[0], to, -ROD_HALF);
        fr__loop_point(&loops[0], to, ROD_HALF);
        fr__loop_point(&loops[0], from, ROD_HALF);
        fr__draw_out d = {.axis = FR_AXIS_Y, .low = low, .high = high, .loops = loops, .loop_count = 2};
        d.open_sides = k == 0 ? 1u << 3 : 1u << 1;
        fr__solid_draw_out(s, &d);
    }
}

static fr_status create_half(const fr__loop *loops, uint32_t loop_count, uint64_t open_sides, const double shoulders[2],
                             const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    fr__solid_builder s;
    fr_status status = fr__solid_take(CAPACITY, like, &s, error);
    if (status != FR_OK) { return status; }
    fr__draw_out d = {.axis = FR_AXIS_X, .low = -ROD_HALF, .high = ROD_HALF, .loops = loops, .loop_count = loop_count};
    d.open_sides = open_sides;
    fr__solid_draw_out(&s, &d);
    add_shoulders(&s, shoulders[0], shoulders[1]);
    return fr__solid_finish(&s, like, out, error);
}

fr_status fr__piston_rod_create(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    const double shoulders[2] = {BIG_END, BIG_END + 0.020};
    const fr_vec2 big_end = {BIG_END, 0.0};
    fr__loop loops[2] = {{.count = 0}, fr__loop_circle(origin, PIN_HOLE, ROUND)};
    fr__loop *o = &loops[0];
    fr__loop_arc(o, origin, 0.017, -148.0, 148.0, ROUND / 2);
    fr__loop_point(o, BIG_END + 0.036, 0.012);
    uint32_t first = o->count;
    fr__loop_point(o, shoulders[1], NECK);
    fr__loop_point(o, shoulders[0], NECK);
    fr__loop_arc(o, big_end, BORE, 90.0, -90.0, ROUND / 2);
    uint32_t second = o->count;
    fr__loop_point(o, shoulders[0], -NECK);
    fr__loop_point(o, shoulders[1], -NECK);
    fr__loop_point(o, BIG_END + 0.036, -0.012);
    uint64_t open_sides = (UINT64_C(1) << first) | (UINT64_C(1) << second);
    return create_half(loops, 2, open_sides, shoulders, like, out, error);
}

fr_status fr__piston_cap_create(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    const double shoulders[2] = {-0.018, 0.0};
    double outer = sqrt(NECK * NECK + shoulders[0] * shoulders[0]);
    double corner_deg = fr_degrees(fr_atan2(NECK, shoulders[0]));
    fr__loop loop = {.count = 0};
    fr__loop_point(&loop, shoulders[1], NECK);
    fr__loop_arc(&loop, origin, outer, corner_deg, 360.0 - corner_deg, ROUND / 3);
    // The arc's ends are the shoulders' corners, to the last bit
    loop.points[1] = (fr_vec2){shoulders[0], NECK};
    loop.points[loop.count - 1] = (fr_vec2){shoulders[0], -NECK};
    uint32_t second = loop.count - 1;
    fr__loop_point(&loop, shoulders[1], -NECK);
    fr__loop_arc(&loop, origin, BORE, 270.0, 90.0, ROUND / 2);
    return create_half(&loop, 1, UINT64_C(1) | (UINT64_C(1) << second), shoulders, like, out, error);
}

// ---------------------------------------------------------------------------------------------------------------
// Bolt

enum { BOLT_RINGS = 6 };

// Rings from the head's top down to the tip, about z.
static fr_vec3 bolt_point(uint32_t ring, uint32_t slice, const void *context) {
    (void)context;
    static const double heights[BOLT_RINGS] = {0.006, 0.0055, 0.0, 0.0, -0.041, -0.042};
    static const double radii[BOLT_RINGS] = {0.0057, 0.0, 0.0, BOLT, BOLT, 0.0034}; // 0: the hexagon
    double sine, cosine, radius = radii[ring], side, away;
    fr_sincos(2.0 * FR_PI * (double)slice / BOLT_ROUND, &sine, &cosine);
    if (radius == 0.0) {
        // Six sides, 6 mm from the axis, with corners at whole sixths
        fr_sincos(2.0 * FR_PI * ((double)(slice % (BOLT_ROUND / 6)) / BOLT_ROUND - 1.0 / 12.0), &side, &away);
        radius = 0.006 / away;
    }
    return fr_vec3_make(radius * cosine, radius * sine, heights[ring]);
}

fr_status fr__piston_bolt_create(const fr_mesh_def *like, fr_mesh **out, fr_error *error) {
    fr__spindle spindle = {.rings = BOLT_RINGS, .slices = BOLT_ROUND, .end = FR__SPINDLE_POINT, .axis = FR_AXIS_Y};
    spindle.point = bolt_point;
    spindle.first = fr_vec3_make(0.0, 0.0, 0.006);
    spindle.last = fr_vec3_make(0.0, 0.0, -0.042);
    return fr__spindle_create(&spindle, like, out, error);
}
