// Bodies with notches that rest on walls: by outer faces and by the inner ones, near the origin and far from it.
#include "failing.h"
#include "frame.h"
#include "plan/window.h"

#include <math.h>

#define MAX_CORNERS 8
#define HEIGHT 0.5 // of the bodies, along z
#define THICK 0.125

typedef struct outline {
    const char *name;
    uint32_t count;
    fr_vec2 corners[MAX_CORNERS]; // counter-clockwise; all edges along x or y
} outline;

static const outline outlines[3] = {
    {"L", 6, {{0.0, 0.0}, {1.5, 0.0}, {1.5, 0.5}, {0.5, 0.5}, {0.5, 1.5}, {0.0, 1.5}}},
    {"U", 8, {{0.0, 0.0}, {1.5, 0.0}, {1.5, 1.0}, {1.0, 1.0}, {1.0, 0.5}, {0.5, 0.5}, {0.5, 1.0}, {0.0, 1.0}}},
    {"T", 8, {{0.5, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {1.5, 1.0}, {1.5, 1.5}, {0.0, 1.5}, {0.0, 1.0}, {0.5, 1.0}}},
};

static fr_pose within(const fr_pose *frame, fr_vec3 local) {
    return fr_pose_make(fr_pose_apply(frame, local), frame->rotation);
}

// A wall whose face lies in the middle of an edge's face, or so deep in the body.
static void put_wall(fr_space *space, const fr_pose *frame, const outline *o, uint32_t edge, double depth) {
    fr_vec2 a = o->corners[edge], b = o->corners[(edge + 1) % o->count];
    double length = fabs(b.x - a.x) + fabs(b.y - a.y), nx = (b.y - a.y) / length, ny = (a.x - b.x) / length;
    bool is_along_x = ny != 0.0;
    fr_vec3 side = fr_vec3_make(is_along_x ? 0.5 * length : THICK, is_along_x ? THICK : 0.5 * length, 1.0);
    fr_mesh *box = NULL;
    assert_int_equal(fr_mesh_create_box(side, NULL, &box, NULL), FR_OK);
    double out = 0.5 * THICK - depth;
    fr_vec3 middle = fr_vec3_make(0.5 * (a.x + b.x) + out * nx, 0.5 * (a.y + b.y) + out * ny, 0.0);
    fr_part_def part;
    fr_object_def def = test_mesh_object(box, &part);
    def.pose = within(frame, middle);
    fr_object_id id;
    assert_int_equal(fr_object_add(space, &def, &id, NULL), FR_OK);
    fr_mesh_release(box);
}

// Bars as one mesh with corners of their own, as an L of cells is; else drawn out in one.
static fr_mesh *make_body(const outline *o, bool is_of_bars) {
    fr_mesh *mesh = NULL;
    if (!is_of_bars) {
        assert_int_equal(fr_mesh_create_extrusion(o->corners, o->count, HEIGHT, NULL, &mesh, NULL), FR_OK);
        return mesh;
    }
    static const double bars[3][3][4] = {
        {{0.0, 0.0, 1.5, 0.5}, {0.0, 0.5, 0.5, 1.5}},                       // L
        {{0.0, 0.0, 1.5, 0.5}, {0.0, 0.5, 0.5, 1.0}, {1.0, 0.5, 1.5, 1.0}}, // U
        {{0.5, 0.0, 1.0, 1.0}, {0.0, 1.0, 1.5, 1.5}},                       // T
    };
    window_mesh *m = calloc(1, sizeof *m);
    for (int i = 0; i < 3; i++) {
        const double *bar = bars[o - outlines][i];
        const double low[3] = {bar[0], bar[1], -0.5 * HEIGHT}, high[3] = {bar[2], bar[3], 0.5 * HEIGHT};
        if (bar[2] > bar[0]) { window_add_box(m, low, high, 2); }
    }
    mesh = window_finish(m);
    free(m);
    return mesh;
}

typedef struct rest_case {
    const outline *o;
    bool is_of_bars;
    uint32_t first_edge, edge_count; // that walls stand at
    double depth;
    fr_pose frame;
    fr_space *space; // while it is open
    fr_part_def part;
    fr_path_input input; // refers to `part`
} rest_case;

static void open_rest(rest_case *c) {
    fr_space_def def = fr_default_space_def();
    fr_space *space;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    for (uint32_t i = 0; i < c->edge_count; i++) {
        put_wall(space, &c->frame, c->o, c->first_edge + i, c->depth);
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    fr_path_input *input = &c->input;
    c->part = fr_default_part_def();
    c->part.mesh = make_body(c->o, c->is_of_bars);
    *input = fr_default_path_input();
    input->space = space;
    input->parts = &c->part;
    input->part_count = 1;
    input->start = c->frame;
    input->goal = within(&c->frame, fr_vec3_make(0.0, 0.0, 2.0));
    const fr_vec3 room = {4.0, 4.0, 4.0};
    input->bounds = (fr_bounds){fr_vec3_sub(input->start.position, room), fr_vec3_add(input->start.position, room)};
    input->max_moves = 100;
    input->lattice_moves = 0;
    c->space = space;
}

static void close_rest(rest_case *c) {
    fr_mesh_release(c->part.mesh);
    fr_space_destroy(c->space);
}

static fr_path_outcome rest(rest_case *c) {
    open_rest(c);
    fr_path path;
    assert_int_equal(fr_plan_path(&c->input, &path, NULL), FR_OK);
    fr_path_outcome outcome = path.outcome;
    assert_true(!path.is_found || path.is_checked);
    fr_path_destroy(&path);
    close_rest(c);
    return outcome;
}

static void check_rest(rest_case *c, fr_path_outcome expected) {
    if (rest(c) == expected) { return; }
    fail_msg("%s%s at %g with %u walls from edge %u, %g deep", c->o->name, c->is_of_bars ? " of bars" : "",
             c->frame.position.x, c->edge_count, c->first_edge, c->depth);
}

// One wall at each edge in turn, then walls at all edges at once; a thousandth deeper is in the wall.
static void check_outline(const outline *o, bool is_of_bars, const fr_pose *frame) {
    rest_case c = {.o = o, .is_of_bars = is_of_bars, .edge_count = 1, .frame = *frame};
    for (c.first_edge = 0; c.first_edge < o->count; c.first_edge++) {
        c.depth = 0.0;
        check_rest(&c, FR_PATH_FOUND);
        c.depth = 1e-3;
        check_rest(&c, FR_PATH_IMPOSSIBLE);
    }
    c = (rest_case){.o = o, .is_of_bars = is_of_bars, .edge_count = o->count, .frame = *frame};
    check_rest(&c, FR_PATH_FOUND);
}

static void test_notched_bodies_rest_on_walls(void **state) {
    (void)state;
    fr_pose frames[3] = {fr_pose_identity(), fr_pose_identity(), fr_pose_identity()};
    frames[1].position = fr_vec3_make(1e6, -1e6, 1e6);
    frames[2].position = frames[1].position;
    frames[2].rotation = fr_quat_from_vector(fr_vec3_make(0.3, -0.7, 1.1));
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 6; k++) {
            check_outline(&outlines[k % 3], k >= 3, &frames[i]);
        }
    }
}

static void test_every_allocation_may_fail(void **state) {
    (void)state;
    rest_case c = {.o = &outlines[0], .edge_count = 6, .frame = fr_pose_identity()};
    open_rest(&c);
    assert_true(test_every_failure(window_find, &c.input) >= 8);
    close_rest(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_notched_bodies_rest_on_walls),
                                       cmocka_unit_test(test_every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
