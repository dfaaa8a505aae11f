// A body that is moved slides along what it meets, is nowhere nearer to it than it may be, and ends for a reason.
#include "frame.h"
#include "mesh_object.h"

#include "fureai/fureai.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define GAP 1e-4

static _Alignas(max_align_t) unsigned char scratch[FR_SLIDE_SCRATCH_BYTES];

typedef struct room {
    fr_space *space;
    fr_mesh *box;
    fr_part_def part;
    fr_slide_input input;
} room;

// A body of edge 0.2 at the origin, and boxes of edge 1 scaled and placed.
static void open_room(room *r) {
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &r->space, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_box(fr_vec3_make(0.2, 0.2, 0.2), NULL, &r->box, NULL), FR_OK);
    r->part = fr_default_part_def();
    r->part.mesh = r->box;
    r->input = fr_default_slide_input();
    r->input.query.space = r->space;
    r->input.query.parts = &r->part;
    r->input.query.part_count = 1;
    r->input.scratch = scratch;
}

static void add_box(room *r, fr_vec3 size, fr_vec3 at, fr_vec3 turn) {
    fr_mesh *mesh;
    fr_part_def part;
    fr_object_id id;
    assert_int_equal(fr_mesh_create_box(size, NULL, &mesh, NULL), FR_OK);
    fr_object_def def = test_mesh_object(mesh, &part);
    def.pose = fr_pose_make(at, fr_quat_from_vector(turn));
    assert_int_equal(fr_object_add(r->space, &def, &id, NULL), FR_OK);
    assert_int_equal(fr_space_update(r->space, NULL, NULL), FR_OK);
    fr_mesh_release(mesh);
}

// A box about the origin of its first triangles, turned inside out where `is_room`.
static void add_turned_box(room *r, fr_vec3 size, bool is_room, uint32_t triangle_count) {
    fr_mesh *box, *mesh;
    assert_int_equal(fr_mesh_create_box(size, NULL, &box, NULL), FR_OK);
    const fr_mesh_view *view = fr_mesh_get(box);
    uint32_t triangles[36];
    memcpy(triangles, view->triangles, sizeof triangles);
    for (uint32_t t = 0; is_room && t < 12; t++) {
        triangles[3 * t] = view->triangles[3 * t + 1];
        triangles[3 * t + 1] = view->triangles[3 * t];
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = view->positions_float;
    def.positions_double = view->positions_double;
    def.vertex_count = view->vertex_count;
    def.triangles = triangles;
    def.triangle_count = triangle_count;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    fr_part_def part;
    fr_object_id id;
    fr_object_def object = test_mesh_object(mesh, &part);
    assert_int_equal(fr_object_add(r->space, &object, &id, NULL), FR_OK);
    assert_int_equal(fr_space_update(r->space, NULL, NULL), FR_OK);
    fr_mesh_release(mesh);
    fr_mesh_release(box);
}

static void close_room(room *r) {
    fr_space_destroy(r->space);
    fr_mesh_release(r->box);
}

static const fr_vec3 none = {0.0, 0.0, 0.0};

// A floor below the body, its top at -0.1 - height.
static void add_floor(room *r, double height) {
    add_box(r, fr_vec3_make(10.0, 1.0, 10.0), fr_vec3_make(0.0, -0.6 - height, 0.0), none);
}

static fr_slide_output slide(const room *r) {
    fr_slide_output out;
    fr_error error = {0};
    if (fr_collide_slide(&r->input, &out, &error) != FR_OK) { fail_msg("%s", error.message); }
    return out;
}

static bool is_free_at(const room *r, const fr_pose *pose) {
    fr_move_input query = r->input.query;
    fr_move_output move;
    query.motion = fr_motion_still(pose);
    query.tolerance = 0.0;
    query.contacts = NULL;
    assert_int_equal(fr_collide_move(&query, &move, NULL), FR_OK);
    return !move.is_hit;
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void wrong_input_is_refused(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.5);
    fr_slide_output out;
    fr_slide_input input = r.input;
    input.cookie = 0;
    assert_int_equal(fr_collide_slide(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input = r.input;
    input.scratch = NULL;
    assert_int_equal(fr_collide_slide(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input = r.input;
    input.gap = 0.0;
    assert_int_equal(fr_collide_slide(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input = r.input;
    input.query.may_others_move = true;
    assert_int_equal(fr_collide_slide(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input = r.input;
    input.query.part_count = 0;
    assert_int_equal(fr_collide_slide(&input, &out, NULL), FR_ERROR_ARGUMENT);
    input = r.input;
    input.query.motion.travel.x = NAN;
    assert_int_equal(fr_collide_slide(&input, &out, NULL), FR_ERROR_NOT_FINITE);
    fr_object_id first = fr_space_object_at(r.space, 0);
    fr_pose pose = fr_object_get(r.space, first)->pose;
    pose.position.x += 1.0;
    assert_int_equal(fr_object_set_pose(r.space, first, &pose, NULL), FR_OK);
    assert_int_equal(fr_collide_slide(&r.input, &out, NULL), FR_ERROR_STALE_DATA);
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void what_is_free_arrives(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 1.0);
    r.input.query.motion.travel = fr_vec3_make(0.5, -0.5, 0.25);
    r.input.query.motion.turn = fr_vec3_make(0.0, 1.0, 0.0);
    fr_slide_output out = slide(&r);
    fr_pose end = fr_motion_pose(&r.input.query.motion, 1.0);
    assert_true(out.end == FR_SLIDE_ARRIVED && out.rounds == 0 && out.free_part == 1.0 && out.contact_count == 0);
    assert_memory_equal(&out.pose, &end, sizeof end);
    close_room(&r);
}

// Obliquely onto a floor: it ends the gap above it, as far along it as it was to go.
static void a_body_slides_along_a_floor(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.5);
    fr_contact contacts[4];
    r.input.query.contacts = contacts;
    r.input.query.capacity = 4;
    r.input.query.motion.travel = fr_vec3_make(2.0, -1.0, 0.5);
    fr_slide_output out = slide(&r);
    assert_true(out.end == FR_SLIDE_ARRIVED && out.rounds == 1 && out.contact_count == 1);
    assert_true(fabs(out.free_part - 0.5) < 1e-3);
    assert_true(fabs(out.pose.position.x - 2.0) < 1e-9 && fabs(out.pose.position.z - 0.5) < 1e-9);
    double height = out.pose.position.y + 0.5;
    assert_true(height > 0.5 * GAP && height < 2.0 * GAP);
    assert_true(contacts[0].normal.y < -0.99);
    r.input.max_rounds = 0;
    out = slide(&r);
    assert_true(out.end == FR_SLIDE_ROUNDS && out.rounds == 0 && fabs(out.pose.position.x - 1.0) < 1e-2);
    close_room(&r);
}

static void a_margin_is_kept(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.5);
    r.input.query.margin = 0.05;
    r.input.query.motion.travel = fr_vec3_make(2.0, -1.0, 0.5);
    fr_slide_output out = slide(&r);
    double height = out.pose.position.y + 0.5;
    assert_true(out.end == FR_SLIDE_ARRIVED && height > 0.05 && height < 0.05 + 2.0 * GAP);
    close_room(&r);
}

// Two walls: along their crease. Three: held in the corner.
static void creases_lead_and_corners_hold(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.5);
    add_box(&r, fr_vec3_make(1.0, 10.0, 10.0), fr_vec3_make(1.0, 0.0, 0.0), none); // its face at x = 0.5
    r.input.query.motion.travel = fr_vec3_make(1.0, -1.2, 3.0);
    fr_slide_output out = slide(&r);
    assert_true(out.end == FR_SLIDE_ARRIVED && out.rounds == 2);
    assert_true(fabs(out.pose.position.z - 3.0) < 1e-9);
    assert_true(fabs(out.pose.position.x - 0.4) < 2.0 * GAP && fabs(out.pose.position.y + 0.5) < 2.0 * GAP);
    add_box(&r, fr_vec3_make(10.0, 10.0, 1.0), fr_vec3_make(0.0, 0.0, 2.5), none); // its face at z = 2
    out = slide(&r);
    assert_true(out.end == FR_SLIDE_HELD && fabs(out.pose.position.z - 1.9) < 2.0 * GAP);
    assert_true(is_free_at(&r, &out.pose));
    close_room(&r);
}

// Between two walls that close to a wedge it is held, and not pushed through either.
static void a_wedge_holds(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_box(&r, fr_vec3_make(10.0, 1.0, 10.0), fr_vec3_make(0.0, -1.0, 0.0), fr_vec3_make(0.0, 0.0, -0.15));
    add_box(&r, fr_vec3_make(10.0, 1.0, 10.0), fr_vec3_make(0.0, 1.0, 0.0), fr_vec3_make(0.0, 0.0, 0.15));
    fr_vec3 travels[2] = {{3.0, 0.1, 0.0}, {-3.0, 0.1, 0.0}};
    for (int i = 0; i < 2; i++) {
        r.input.query.motion.travel = travels[i];
        fr_slide_output out = slide(&r);
        assert_true(is_free_at(&r, &out.pose) && fabs(out.pose.position.y) < 0.5);
    }
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Edges

static void a_body_that_touches_at_the_start_steps_off(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.0);
    fr_vec3 travels[3] = {{1.0, 0.0, 0.0}, {1.0, -1.0, 0.0}, {0.5, 1.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        r.input.query.motion.travel = travels[i];
        fr_slide_output out = slide(&r);
        assert_true(out.end == FR_SLIDE_ARRIVED);
        assert_true(fabs(out.pose.position.x - travels[i].x) < 2.0 * GAP);
        assert_true(fabs(out.pose.position.y - fmax(travels[i].y, 0.0)) < 3.0 * GAP && is_free_at(&r, &out.pose));
    }
    close_room(&r);
}

static void a_body_that_begins_inside_stays(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, -0.05); // 5 cm deep
    r.input.query.motion.travel = fr_vec3_make(1.0, -1.0, 0.0);
    fr_slide_output out = slide(&r);
    assert_true(out.end == FR_SLIDE_INSIDE && out.free_part == 0.0);
    assert_memory_equal(&out.pose, &r.input.query.motion.start, sizeof out.pose);
    close_room(&r);
}

// Wholly inside a solid, away from its faces. A closed part that is seen from inside is a room, and one that is open is
// no solid.
static void a_body_in_a_solid_is_inside(void **state) {
    (void)state;
    fr_vec3 edge = {2.0, 2.0, 2.0};
    for (int kind = 0; kind < 4; kind++) {
        room r;
        open_room(&r);
        add_turned_box(&r, edge, kind == 1, kind == 2 ? 10 : 12);
        fr_query_filter filter = fr_default_query_filter();
        filter.ignore = fr_space_object_at(r.space, 0);
        if (kind == 3) { r.input.query.filter = &filter; }
        r.input.query.motion.travel = fr_vec3_make(0.1, 0.05, 0.0);
        fr_slide_output out = slide(&r);
        assert_int_equal(out.end, kind == 0 ? FR_SLIDE_INSIDE : FR_SLIDE_ARRIVED);
        assert_true(kind != 0 || (out.free_part == 0.0 && out.pose.position.x == 0.0));
        close_room(&r);
    }
}

// With a margin that is large beside the shapes, a step off may not lead through what is thinner, nor out of a gap
// that leaves no room for the margin.
static void no_step_off_leads_through_anything(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_box(&r, fr_vec3_make(1.0, 4.0, 4.0), fr_vec3_make(-0.65, 0.0, 0.0), none); // 5 cm to the left
    add_box(&r, fr_vec3_make(0.001, 4.0, 4.0), fr_vec3_make(0.3, 0.0, 0.0), none); // a plate, 20 cm to the right
    r.input.query.margin = 1.0;
    r.input.query.motion.travel = fr_vec3_make(0.0, 0.1, 0.0);
    fr_slide_output out = slide(&r);
    assert_true(out.end == FR_SLIDE_INSIDE && out.pose.position.x == 0.0 && out.pose.position.y == 0.0);
    close_room(&r);

    open_room(&r);
    add_box(&r, fr_vec3_make(0.05, 4.0, 4.0), fr_vec3_make(-0.15, 0.0, 0.0), none);
    add_box(&r, fr_vec3_make(0.05, 4.0, 4.0), fr_vec3_make(0.2, 0.0, 0.0), none);
    r.input.query.margin = 0.6;
    r.input.query.motion.travel = fr_vec3_make(0.0, 0.1, 0.0);
    out = slide(&r);
    assert_true(out.end == FR_SLIDE_INSIDE && out.pose.position.x == 0.0);
    close_room(&r);
}

// Random bodies near thin plates: whatever the margin, the straight line of a step off is clear of all that the body
// did not touch at the start. The line is sampled.
static void steps_off_are_clear(void **state) {
    (void)state;
    uint64_t count = test_count(150, 5000), stepped = 0;
    for (uint64_t seed = 0; seed < count; seed++) {
        fr_random random = fr_random_seed(900000 + seed);
        room r;
        open_room(&r);
        for (int i = 0; i < 4; i++) {
            fr_vec3 at = {fr_random_between(&random, -0.5, 0.5), fr_random_between(&random, -0.5, 0.5),
                          fr_random_between(&random, -0.5, 0.5)};
            fr_vec3 turn = {fr_random_between(&random, -3.0, 3.0), fr_random_between(&random, -3.0, 3.0), 0.0};
            add_box(&r, fr_vec3_make(0.002, 0.6, 0.6), at, turn);
        }
        r.input.query.margin = fr_random_between(&random, 0.0, 0.4);
        r.input.max_rounds = 0;
        r.input.query.motion.travel = fr_vec3_make(1e-9, 0.0, 0.0); // what is left of it beside a step off is nothing
        fr_pose start = r.input.query.motion.start;
        fr_slide_output out = slide(&r);
        bool has_stepped = fr_vec3_distance(out.pose.position, start.position) > 1e-6;
        r.input.query.margin = 0.0;
        if (has_stepped && is_free_at(&r, &start)) {
            stepped++;
            for (int i = 0; i <= 200; i++) {
                fr_pose between = start;
                between.position = fr_vec3_lerp(start.position, out.pose.position, i / 200.0);
                assert_true(is_free_at(&r, &between));
            }
        }
        close_room(&r);
    }
    assert_true(stepped > 0);
}

// A triangle without an area, in the plane of a side of the body, says nothing about where the body is to step off.
static void a_thin_triangle_pushes_nothing_sideways(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.0);
    const float positions[9] = {0.1f, -0.1f, -1.0f, 0.1f, -0.1f, 0.0f, 0.1f, -0.1f, 1.0f};
    const uint32_t corners[3] = {0, 1, 2};
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = positions;
    def.vertex_count = 3;
    def.triangles = corners;
    def.triangle_count = 1;
    fr_mesh *line;
    assert_int_equal(fr_mesh_create(&def, &line, NULL), FR_OK);
    fr_part_def part;
    fr_object_def object = test_mesh_object(line, &part);
    fr_object_id id;
    assert_int_equal(fr_object_add(r.space, &object, &id, NULL), FR_OK);
    assert_int_equal(fr_space_update(r.space, NULL, NULL), FR_OK);
    r.input.query.motion.travel = fr_vec3_make(0.0, 0.1, 0.0);
    fr_slide_output out = slide(&r);
    assert_true(out.end == FR_SLIDE_ARRIVED && out.pose.position.y > 0.1);
    assert_true(out.pose.position.x == 0.0 && out.pose.position.z == 0.0);
    fr_mesh_release(line);
    close_room(&r);
}

// A motion to beyond all reason is as right as a short one.
static void the_longest_motions_are_right(void **state) {
    (void)state;
    static const double lengths[3] = {1e9, 1e20, 1e80};
    for (int i = 0; i < 3; i++) {
        double length = lengths[i];
        room r;
        open_room(&r);
        add_box(&r, fr_vec3_make(1.0, 4.0, 4.0), fr_vec3_make(5.6, 0.0, 0.0), none); // from 5.1
        r.input.query.motion.travel = fr_vec3_make(length, 0.0, 0.0);
        fr_slide_output out = slide(&r);
        assert_true(out.end == FR_SLIDE_HELD && fabs(out.pose.position.x - 5.0) < 3.0 * GAP);
        assert_true(out.free_part < 6.0 / length && out.free_part > 4.0 / length);
        r.input.query.motion.travel = fr_vec3_make(-length, 0.0, 0.0);
        out = slide(&r);
        assert_true(out.end == FR_SLIDE_ARRIVED && out.pose.position.x == -length && out.free_part == 1.0);
        r.input.query.motion.turn = fr_vec3_make(0.0, 0.3, 0.0);
        out = slide(&r);
        assert_true(out.end == FR_SLIDE_ARRIVED && fabs(out.pose.position.x + length) < 1e-9 * length);
        close_room(&r);

        open_room(&r);
        add_floor(&r, 0.3);
        r.input.query.motion.travel = fr_vec3_make(length, -length, 0.0);
        out = slide(&r);
        assert_true(out.end == FR_SLIDE_ARRIVED && fabs(out.pose.position.x - length) < 1e-9 * length);
        close_room(&r);
    }
}

static void a_stale_object_is_named(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.5);
    add_box(&r, fr_vec3_make(1.0, 1.0, 1.0), fr_vec3_make(3.0, 3.0, 3.0), none);
    fr_query_filter filter = fr_default_query_filter();
    filter.as_object = fr_space_object_at(r.space, 1);
    fr_object_remove(r.space, filter.as_object, NULL);
    assert_int_equal(fr_space_update(r.space, NULL, NULL), FR_OK);
    r.input.query.filter = &filter;
    fr_error error = {0};
    fr_move_output move;
    assert_int_equal(fr_collide_move(&r.input.query, &move, &error), FR_ERROR_STALE_ID);
    assert_non_null(strstr(error.message, "as_object"));
    fr_slide_output out;
    assert_int_equal(fr_collide_slide(&r.input, &out, &error), FR_ERROR_STALE_ID);
    assert_non_null(strstr(error.message, "as_object"));
    close_room(&r);
}

static void no_motion_goes_nowhere(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.5);
    fr_slide_output out = slide(&r);
    assert_true(out.end == FR_SLIDE_ARRIVED && out.rounds == 0);
    assert_true(fr_vec3_equal(out.pose.position, none));
    close_room(&r);
}

// A turn that presses ends; the travel goes on along the floor.
static void a_turning_body_slides(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.02);
    r.input.query.motion.travel = fr_vec3_make(1.0, 0.0, 0.0);
    r.input.query.motion.turn = fr_vec3_make(0.0, 0.0, fr_radians(-90.0));
    fr_slide_output out = slide(&r);
    assert_true(out.end == FR_SLIDE_ARRIVED && out.rounds > 0 && out.free_part < 1.0);
    assert_true(fabs(out.pose.position.x - 1.0) < 1e-6 && is_free_at(&r, &out.pose));
    for (int i = 0; i <= 1000; i++) {
        fr_pose pose = fr_motion_pose(&r.input.query.motion, out.free_part * i / 1000.0);
        assert_true(is_free_at(&r, &pose));
    }
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Callbacks

typedef struct watcher {
    int calls;
    uint32_t contact_count;
} watcher;

static bool stay(const fr_slide_stop *stop, fr_motion *rest, void *context) {
    watcher *w = context;
    (void)rest;
    w->calls++;
    w->contact_count = stop->contact_count;
    return false;
}

static bool go_up(const fr_slide_stop *stop, fr_motion *rest, void *context) {
    (void)stop, (void)context;
    rest->travel = fr_vec3_make(0.0, 1.0, 0.0);
    return true;
}

static void a_deflection_of_the_caller_rules(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.5);
    watcher w = {0, 0};
    r.input.query.motion.travel = fr_vec3_make(0.0, -1.0, 0.0);
    r.input.deflect = stay;
    r.input.deflect_context = &w;
    fr_slide_output out = slide(&r);
    assert_true(out.end == FR_SLIDE_HELD && w.calls == 1 && w.contact_count > 0);
    assert_true(fabs(out.pose.position.y + 0.5) < 2.0 * GAP);
    r.input.deflect = go_up;
    out = slide(&r);
    assert_true(out.end == FR_SLIDE_ARRIVED && out.rounds == 1 && fabs(out.pose.position.y - 0.5) < 2.0 * GAP);
    close_room(&r);
}

static bool stop_second(void *user) { return ++*(int *)user >= 2; }

static void a_control_stops(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.5);
    int calls = 0;
    const fr_control control = {.stop = stop_second, .user = &calls};
    r.input.control = &control;
    r.input.query.motion.travel = fr_vec3_make(2.0, -1.0, 0.5);
    fr_slide_output out = slide(&r);
    assert_true(out.end == FR_SLIDE_STOPPED && out.rounds == 0 && is_free_at(&r, &out.pose));
    assert_true(fabs(out.pose.position.x - 1.0) < 1e-2);
    close_room(&r);
}

// ---------------------------------------------------------------------------------------------------------------
// Random rooms

static fr_vec3 random_vec3(fr_random *random, double size) {
    fr_vec3 v;
    v.x = fr_random_between(random, -size, size);
    v.y = fr_random_between(random, -size, size);
    v.z = fr_random_between(random, -size, size);
    return v;
}

// The path of a body that does not turn, sampled densely: it shares no point with anything.
static void nothing_is_entered_on_the_path(void **state) {
    (void)state;
    fr_random random = fr_random_seed(21);
    uint64_t ends[5] = {0}, slid = 0;
    for (uint64_t i = 0; i < test_count(300, 20000); i++) {
        room r;
        open_room(&r);
        for (int k = 0; k < 6; k++) {
            fr_vec3 at = random_vec3(&random, 1.0);
            at = fr_vec3_add_scaled(at, 0.8 / fmax(fr_vec3_length(at), 1e-3), at);
            add_box(&r, fr_vec3_make(0.7, 0.5, 0.9), at, random_vec3(&random, 3.0));
        }
        fr_pose at = r.input.query.motion.start;
        r.input.query.motion.travel = random_vec3(&random, 3.0);
        bool is_free_first = is_free_at(&r, &at);
        fr_slide_output out = {.end = FR_SLIDE_ROUNDS};
        for (uint32_t rounds = 0; rounds < 6 && is_free_first && out.end == FR_SLIDE_ROUNDS; rounds++) {
            r.input.max_rounds = rounds;
            out = slide(&r);
            for (int k = 1; k <= 50; k++) {
                fr_pose pose = at;
                pose.position = fr_vec3_lerp(at.position, out.pose.position, k / 50.0);
                if (!is_free_at(&r, &pose)) { fail_msg("room %llu: round %u enters", (unsigned long long)i, rounds); }
            }
            at = out.pose;
        }
        ends[out.end]++;
        slid += out.rounds > 0 ? 1 : 0;
        close_room(&r);
    }
    assert_true(ends[FR_SLIDE_ARRIVED] > 0 && slid > 0);
}

// The same room gives the same bits, whatever the scratch held before.
static void results_do_not_depend_on_the_scratch(void **state) {
    (void)state;
    fr_random random = fr_random_seed(22);
    for (int i = 0; i < 50; i++) {
        room r;
        open_room(&r);
        for (int k = 0; k < 4; k++) {
            add_box(&r, fr_vec3_make(0.7, 0.5, 0.9), random_vec3(&random, 2.0), random_vec3(&random, 3.0));
        }
        r.input.query.motion.travel = random_vec3(&random, 3.0);
        r.input.query.motion.turn = random_vec3(&random, 3.0);
        memset(scratch, 0, sizeof scratch);
        fr_slide_output first = slide(&r);
        memset(scratch, 0xff, sizeof scratch);
        fr_slide_output second = slide(&r);
        assert_memory_equal(&first.pose, &second.pose, sizeof first.pose);
        assert_true(first.end == second.end && first.rounds == second.rounds && first.free_part == second.free_part);
        close_room(&r);
    }
}

static void nothing_is_allocated(void **state) {
    (void)state;
    room r;
    open_room(&r);
    add_floor(&r, 0.5);
    r.input.query.motion.travel = fr_vec3_make(2.0, -1.0, 0.5);
    fr_probe *probe = fr_probe_create();
    fr_set_default_allocator(fr_probe_allocator(probe));
    fr_slide_output out = slide(&r);
    fr_set_default_allocator((fr_allocator){NULL, NULL, NULL});
    assert_true(out.rounds == 1);
    assert_int_equal(fr_probe_get(probe).allocations, 0);
    fr_probe_destroy(probe);
    close_room(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(what_is_free_arrives),
        cmocka_unit_test(a_body_slides_along_a_floor),
        cmocka_unit_test(a_margin_is_kept),
        cmocka_unit_test(creases_lead_and_corners_hold),
        cmocka_unit_test(a_wedge_holds),
        cmocka_unit_test(a_body_that_touches_at_the_start_steps_off),
        cmocka_unit_test(a_body_that_begins_inside_stays),
        cmocka_unit_test(a_body_in_a_solid_is_inside),
        cmocka_unit_test(no_step_off_leads_through_anything),
        cmocka_unit_test(steps_off_are_clear),
        cmocka_unit_test(a_thin_triangle_pushes_nothing_sideways),
        cmocka_unit_test(the_longest_motions_are_right),
        cmocka_unit_test(a_stale_object_is_named),
        cmocka_unit_test(no_motion_goes_nowhere),
        cmocka_unit_test(a_turning_body_slides),
        cmocka_unit_test(a_deflection_of_the_caller_rules),
        cmocka_unit_test(a_control_stops),
        cmocka_unit_test(nothing_is_entered_on_the_path),
        cmocka_unit_test(nothing_is_allocated),
        cmocka_unit_test(results_do_not_depend_on_the_scratch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
