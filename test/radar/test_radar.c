// How far an object may go, by images and columns, against all pairs of triangles.
#include "heap_calls.h"
#include "seen.h"

#include "failing.h"

static const fr_quat unturned = {1, 0, 0, 0};

// ---------------------------------------------------------------------------------------------------------------
// Against the reference

typedef struct lateness {
    double sum, worst;
    uint64_t count;
} lateness;

// Two rough stars, one ahead of the other; `late` gets what lines add, in pixels, at each of six resolutions.
static void check_pair(uint64_t seed, lateness late[6]) {
    static const uint32_t resolutions[6] = {10, 16, 32, 64, 128, 256};
    fr_random random = fr_random_seed(seed);
    stage s;
    stage_open(&s, NULL);
    fr_object_id a = stage_add_star(&s, &random, 8, 0.3, fr_vec3_make(100, 0, 0));
    fr_vec3 ahead = random_beside(&random, 1, 4);
    fr_object_id b = stage_add_star(&s, &random, 8, 0.3, fr_vec3_add(fr_vec3_make(100, 0, 0), ahead));
    fr_vec3 travel = fr_vec3_make(0.1, -0.2, 6);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    double truth = true_way(s.space, a, b, travel);
    assert_true(truth > 0.0);
    s.input.layers = FR_RADAR_MAX_LAYERS;
    for (int i = 0; i < 6; i++) {
        s.input.resolution = resolutions[i];
        s.input.look = FR_RADAR_CENTRE;
        stage_look(&s, a, travel);
        double pixel = s.output.images.pixel, high = s.output.high;
        assert_true(high >= truth - 1e-9);
        assert_int_equal(s.output.flags & (FR_RADAR_LAYER_OVERFLOW | FR_RADAR_START_OVERLAP), 0);
        if (high < INFINITY) {
            late[i].sum += (high - truth) / pixel;
            late[i].worst = fmax(late[i].worst, (high - truth) / pixel);
            late[i].count++;
        }
        s.input.look = FR_RADAR_CONSERVATIVE;
        stage_look(&s, a, travel);
        assert_true(s.output.low <= truth && s.output.high == high);
    }
    s.input.resolution = 16;
    s.input.look = FR_RADAR_REFINED;
    s.input.tolerance = 1e-3;
    stage_look(&s, a, travel);
    assert_true(s.output.low <= truth && truth <= s.output.high + 1e-9);
    assert_true(truth == INFINITY || s.output.high - s.output.low <= 1e-3 || (s.output.flags & FR_RADAR_WIDE) != 0);
    s.input.look = FR_RADAR_EXACT;
    stage_look(&s, a, travel);
    assert_true(s.output.is_hit == (truth < fr_vec3_length(travel)));
    if (s.output.is_hit) { assert_true(fabs(s.output.distance - truth) <= 2e-9); }
    stage_close(&s);
}

static void lines_are_late_and_columns_early_and_pairs_exact(void **state) {
    (void)state;
    lateness late[6] = {{0}};
    for (uint64_t i = 0; i < test_count(12, 60); i++) {
        check_pair(500 + i, late);
    }
    for (int i = 0; i < 6; i++) {
        assert_true(late[i].count > 0 && late[i].worst <= 3.0);
    }
}

// Lines are late by 0.4 pixels in the mean, and half as fine ones twice as much: told by a sample that is large enough.
static void lines_come_nearer_with_their_number(void **state) {
    (void)state;
    static const uint32_t resolutions[6] = {8, 16, 32, 64, 128, 256};
    double pixels[6] = {0}, metres[6] = {0};
    uint64_t hits = 0, count = test_count(80, 600);
    for (uint64_t seed = 0; seed < count; seed++) {
        fr_random random = fr_random_seed(seed + 9000);
        stage s;
        stage_open(&s, NULL);
        fr_object_id a = stage_add_star(&s, &random, 6, 0.3, fr_vec3_make(0, 0, 0));
        fr_vec3 ahead = random_beside(&random, 0.8, 4);
        stage_add_star(&s, &random, 6, 0.3, ahead);
        fr_vec3 travel = fr_vec3_make(0, 0, 6);
        s.input.look = FR_RADAR_EXACT;
        stage_look(&s, a, travel);
        double truth = s.output.distance, late[6], widths[6];
        bool is_hit = s.output.is_hit;
        s.input.look = FR_RADAR_CENTRE;
        for (int i = 0; i < 6; i++) {
            s.input.resolution = resolutions[i];
            stage_look(&s, a, travel);
            assert_true(s.output.high >= truth - 1e-9);
            is_hit = is_hit && s.output.is_hit;
            late[i] = s.output.high - truth;
            widths[i] = s.output.images.pixel;
        }
        for (int i = 0; i < 6 && is_hit; i++) {
            pixels[i] += late[i] / widths[i];
            metres[i] += late[i];
        }
        hits += is_hit ? 1 : 0;
        stage_close(&s);
    }
    if (hits < 60) { return; }
    for (int i = 0; i < 6; i++) {
        double mean = pixels[i] / (double)hits, factor = i > 0 ? metres[i - 1] / metres[i] : 2.0;
        print_message("%u pixels: late by %.3f of one; half as fine %.2f times\n", resolutions[i], mean, factor);
        assert_true(mean <= 0.4 && factor >= 1.6 && factor <= 2.4);
    }
}

// The bracket of columns and lines holds the truth of all pairs, whatever the scene.
static void brackets_hold_the_truth(void **state) {
    (void)state;
    uint64_t hits = 0, count = test_count(60, 10000);
    for (uint64_t seed = 0; seed < count; seed++) {
        fr_random random = fr_random_seed(seed + 70000);
        stage s;
        stage_open(&s, NULL);
        fr_object_id a = stage_add_star(&s, &random, 3, 0.4, fr_vec3_make(0, 0, 0));
        fr_vec3 ahead = random_beside(&random, 2, 4);
        fr_object_id b = stage_add_star(&s, &random, 3, 0.4, ahead);
        fr_vec3 travel = fr_vec3_make(0.1, 0.2, 6);
        assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
        double truth = true_way(s.space, a, b, travel);
        hits += truth < INFINITY ? 1 : 0;
        s.input.resolution = 6 + (uint32_t)seed % 20;
        s.input.layers = FR_RADAR_MAX_LAYERS;
        for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT; look++) {
            s.input.look = (fr_radar_look)look;
            stage_look(&s, a, travel);
            bool is_held = s.output.low <= truth + 1e-9 && s.output.high >= truth - 1e-9;
            if (!is_held) { print_error("%llu: %d\n", (unsigned long long)seed, look); }
            assert_true(is_held);
            if (look == FR_RADAR_EXACT && truth < 6.0) { assert_true(fabs(s.output.distance - truth) <= 2e-9); }
        }
        stage_close(&s);
    }
    assert_true(hits > count / 4);
}

// ---------------------------------------------------------------------------------------------------------------
// What shapes are seen as

static fr_mesh *torus(void) {
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_torus(1.0, 0.25, 32, 16, FR_AXIS_Z, NULL, &mesh, NULL), FR_OK);
    return mesh;
}

// A ring goes over a peg that stands in its hole; a disc does not.
static void a_ring_passes_a_peg(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id ring = stage_add(&s, torus(), fr_vec3_make(0, 0, -3), unturned);
    stage_add(&s, box(0.3, 0.3, 2), fr_vec3_make(0, 0, 0), unturned);
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_cylinder(1.25, 0.5, 32, FR_AXIS_Z, NULL, &mesh, NULL), FR_OK);
    fr_object_id disc = stage_add(&s, mesh, fr_vec3_make(0, 0, -3), unturned);
    s.input.filter.ignore = disc;
    for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT; look++) {
        s.input.look = (fr_radar_look)look;
        stage_look(&s, ring, fr_vec3_make(0, 0, 6));
        assert_false(s.output.is_hit);
        assert_true(s.output.distance == 6.0);
    }
    s.input.filter.ignore = ring;
    stage_look(&s, disc, fr_vec3_make(0, 0, 6));
    assert_true(s.output.is_hit && fabs(s.output.distance - 1.75) < 1e-6);
    stage_close(&s);
}

// A body in the hole of a torus that moves across: the second surface of the torus meets it.
static void what_is_in_a_hole_is_met(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id ring = stage_add(&s, torus(), fr_vec3_make(0, 0, 0), unturned);
    fr_object_id ball = stage_add(&s, box(0.3, 0.3, 0.3), fr_vec3_make(0, 0, 0), unturned);
    double truth;
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    truth = true_way(s.space, ring, ball, fr_vec3_make(1, 0, 0));
    for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT; look++) {
        s.input.look = (fr_radar_look)look;
        stage_look(&s, ring, fr_vec3_make(2, 0, 0));
        assert_true(s.output.is_hit);
        assert_true(s.output.low <= truth + 1e-9 && s.output.high >= truth - 1e-9 && s.output.high <= truth + 0.05);
        assert_int_equal(s.output.flags & FR_RADAR_START_OVERLAP, 0);
    }
    s.input.look = FR_RADAR_CENTRE;
    s.input.is_as_printed = true;
    stage_look(&s, ring, fr_vec3_make(2, 0, 0));
    assert_true((s.output.flags & FR_RADAR_AMBIGUOUS) != 0);
    stage_close(&s);
}

// A sheet without thickness, seen edge-on: lines miss it, columns do not.
static void a_sheet_seen_edge_on_is_found_by_columns(void **state) {
    (void)state;
    static const float corners[] = {0, -2, 0, 0, 2, 0, 0, 2, 1, 0, -2, 1};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    fr_random random = fr_random_seed(7);
    for (uint64_t i = 0; i < test_count(50, 2000); i++) {
        fr_mesh_def def = fr_default_mesh_def();
        def.positions_float = corners;
        def.vertex_count = 4;
        def.triangles = triangles;
        def.triangle_count = 2;
        fr_mesh *sheet;
        assert_int_equal(fr_mesh_create(&def, &sheet, NULL), FR_OK);
        stage s;
        stage_open(&s, NULL);
        fr_object_id a = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, -2), unturned);
        stage_add(&s, sheet, fr_vec3_make(fr_random_between(&random, -0.45, 0.45), 0, 0), unturned);
        s.input.resolution = 10;
        stage_look(&s, a, fr_vec3_make(0, 0, 3));
        assert_false(s.output.is_hit);
        s.input.look = FR_RADAR_CONSERVATIVE;
        stage_look(&s, a, fr_vec3_make(0, 0, 3));
        assert_true(s.output.is_hit && fabs(s.output.distance - 1.5) < 1e-6);
        s.input.look = FR_RADAR_EXACT;
        stage_look(&s, a, fr_vec3_make(0, 0, 3));
        assert_true(s.output.is_hit && fabs(s.output.distance - 1.5) < 1e-9);
        stage_close(&s);
    }
}

static void what_stands_inside_is_told(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id a = stage_add(&s, box(2, 2, 2), fr_vec3_make(0, 0, 0), unturned);
    stage_add(&s, box(1, 1, 1), fr_vec3_make(0.2, 0.1, 0.3), unturned);
    stage_look(&s, a, fr_vec3_make(0, 0, 1));
    assert_true((s.output.flags & FR_RADAR_START_OVERLAP) != 0);
    stage_close(&s);
}

// From inside a room its walls are met.
static void walls_are_met_from_inside(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id a = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, 0), unturned);
    stage_add(&s, box(10, 10, 10), fr_vec3_make(0, 0, 0), unturned);
    stage_look(&s, a, fr_vec3_make(0, 20, 0));
    assert_true(s.output.is_hit && fabs(s.output.distance - 4.5) < 1e-9);
    stage_close(&s);
}

// ---------------------------------------------------------------------------------------------------------------
// Masks and contacts

// One mask serves all balls and all travels.
static void a_round_mask_is_drawn_once(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_named("sphere_168", NULL, &mesh, NULL), FR_OK);
    fr_object_id balls[10];
    fr_random random = fr_random_seed(3);
    for (int i = 0; i < 10; i++) {
        fr_mesh_retain(mesh);
        balls[i] = stage_add(&s, mesh, fr_vec3_make(3.0 * i, 0, 0), any_turn(&random));
    }
    fr_mesh_release(mesh);
    s.input.is_round = true;
    int drawn = 0;
    for (int i = 0; i < 100; i++) {
        fr_vec3 travel = random_beside(&random, 2, 0.5);
        stage_look(&s, balls[i % 10], travel);
        drawn += s.output.stats.is_mask_drawn ? 1 : 0;
    }
    assert_int_equal(drawn, 1);
    stage_close(&s);
}

// A mover that turns with its travel looks the same: its mask is drawn once, and serves as a new one would.
static void a_mask_turns_with_its_mover(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_random random = fr_random_seed(21);
    fr_object_id a = stage_add(&s, star(&random, 6, 0.3), fr_vec3_make(0, 0, 0), unturned);
    stage_add(&s, box(40, 40, 40), fr_vec3_make(0, 0, 0), unturned);
    int drawn = 0;
    for (int i = 0; i < 20; i++) {
        fr_pose pose = fr_pose_make(fr_vec3_make(0.1 * i, 0, 0), any_turn(&random));
        fr_vec3 travel = fr_mat3_apply(fr_quat_to_mat3(pose.rotation), fr_vec3_make(10, 20, 30));
        assert_int_equal(fr_object_set_pose(s.space, a, &pose, NULL), FR_OK);
        stage_look(&s, a, travel);
        drawn += s.output.stats.is_mask_drawn ? 1 : 0;
        double kept = s.output.distance;
        fr_radar *fresh;
        assert_int_equal(fr_radar_create(NULL, &fresh, NULL), FR_OK);
        assert_int_equal(fr_radar_move(fresh, &s.input, &s.output, NULL), FR_OK);
        assert_true(s.output.stats.is_mask_drawn && fabs(s.output.distance - kept) < 1e-9);
        fr_radar_destroy(fresh);
    }
    assert_int_equal(drawn, 1);
    stage_close(&s);
}

typedef struct known_contact {
    const char *what;
    fr_quat turn_a, turn_b;
    uint32_t kind;
    double centre_x, centre_y;
} known_contact;

static double degrees_between(fr_vec3 a, fr_vec3 b) {
    return fr_acos(fmin(fmax(fr_vec3_dot(a, b), -1.0), 1.0)) * (180.0 / FR_PI);
}

// A cube on a face, on an edge and on a corner comes down on a plate.
static void contacts_are_points_lines_and_areas(void **state) {
    (void)state;
    fr_vec3 diagonal = fr_vec3_unit(fr_vec3_make(1, 1, 1), fr_vec3_make(1, 0, 0));
    const known_contact known[] = {
        {"face", unturned, unturned, 3, 0, 0},
        {"edge", fr_quat_from_axis_angle(fr_vec3_make(1, 0, 0), 0.78539816339744831), unturned, 2, 0, 0},
        {"corner", fr_quat_between(diagonal, fr_vec3_make(0, 0, 1)), unturned, 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (uint32_t resolution = 17; resolution <= 65; resolution += 16) {
            stage s;
            stage_open(&s, NULL);
            fr_object_id plate = stage_add(&s, box(6, 6, 1), fr_vec3_make(0, 0, 2), unturned);
            fr_object_id cube = stage_add(&s, box(1, 1, 1), fr_vec3_make(0.3, -0.2, 0), known[i].turn_a);
            s.input.resolution = resolution;
            stage_look(&s, cube, fr_vec3_make(0, 0, 3));
            const fr_radar_output *out = &s.output;
            assert_true(out->is_hit);
            if (out->kind != known[i].kind) {
                print_error("%s at %u: kind %u\n", known[i].what, resolution, out->kind);
            }
            assert_int_equal(out->kind, known[i].kind);
            // From the plate, which came first, to the cube.
            assert_true(fr_object_id_equal(out->contact.a, plate) && fr_object_id_equal(out->contact.b, cube));
            assert_true(degrees_between(out->contact.normal, fr_vec3_make(0, 0, -1)) <= 0.1);
            assert_true(fabs(out->contact.point.x - 0.3) <= 1.1 * out->images.pixel);
            assert_true(fabs(out->contact.point.y + 0.2) <= 1.1 * out->images.pixel);
            assert_true(fabs(out->contact.point.z - 1.5) <= 1e-6);
            stage_close(&s);
        }
    }
}

static void balls_meet_along_their_line(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create_sphere(1.0, 48, 96, FR_AXIS_Y, NULL, &mesh, NULL), FR_OK);
    fr_mesh_retain(mesh);
    fr_object_id a = stage_add(&s, mesh, fr_vec3_make(0, 0, 0), unturned);
    stage_add(&s, mesh, fr_vec3_make(0.9, 0.4, 5), unturned);
    s.input.resolution = 64;
    stage_look(&s, a, fr_vec3_make(0, 0, 5));
    assert_true(s.output.is_hit);
    double across = 0.9 * 0.9 + 0.4 * 0.4, along = sqrt(4.0 - across);
    fr_vec3 line = fr_vec3_scale(0.5, fr_vec3_make(0.9, 0.4, along));
    assert_true(degrees_between(s.output.contact.normal, line) <= 2.0);
    assert_true(fabs(s.output.distance - (5.0 - along)) < 0.02);
    s.input.look = FR_RADAR_EXACT;
    stage_look(&s, a, fr_vec3_make(0, 0, 5));
    assert_true(degrees_between(s.output.contact.normal, line) <= 4.0);
    assert_true(s.output.contact.triangle_a != FR_NONE && s.output.contact.feature != FR_FEATURE_UNKNOWN);
    stage_close(&s);
}

// An edge across an edge: neither side is flat there, so images tell the normal but roughly, however fine; the faces
// tell it to rounding. How roughly is what the page says.
static void normals_of_crossed_edges_are_rough(void **state) {
    (void)state;
    for (uint32_t resolution = 16; resolution <= 64; resolution *= 2) {
        double worst = 0.0, sum = 0.0;
        uint64_t count = 0, cases = test_count(40, 400);
        for (uint64_t seed = 0; seed < cases; seed++) {
            fr_random random = fr_random_seed(seed + 3);
            stage s;
            stage_open(&s, NULL);
            // Two roofs, one turned over and about the travel, edge to edge.
            fr_quat lean = fr_quat_from_axis_angle(fr_vec3_make(1, 0, 0), 0.78539816339744831);
            fr_quat about = fr_quat_from_axis_angle(fr_vec3_make(0, 0, 1), fr_random_between(&random, 0.3, 2.8));
            fr_quat tilt = fr_quat_from_axis_angle(fr_vec3_make(0, 1, 0), fr_random_between(&random, -0.3, 0.3));
            fr_object_id a = stage_add(&s, box(3, 1, 1), fr_vec3_make(0, 0, 0), fr_quat_multiply(tilt, lean));
            fr_vec3 place = random_beside(&random, 0.3, 4);
            stage_add(&s, box(3, 1, 1), place, fr_quat_multiply(about, lean));
            s.input.look = FR_RADAR_EXACT;
            stage_look(&s, a, fr_vec3_make(0, 0, 6));
            fr_vec3 truth = s.output.contact.normal;
            bool is_edge = s.output.is_hit && s.output.contact.feature == FR_FEATURE_EDGE_EDGE;
            s.input.look = FR_RADAR_CENTRE;
            s.input.resolution = resolution;
            stage_look(&s, a, fr_vec3_make(0, 0, 6));
            if (is_edge && s.output.is_hit) {
                double off = degrees_between(s.output.contact.normal, truth);
                worst = fmax(worst, off);
                sum += off;
                count++;
            }
            stage_close(&s);
        }
        print_message("%u pixels: edges across edges, %llu: mean %.1f, worst %.1f degrees\n", resolution,
                      (unsigned long long)count, sum / (double)count, worst);
        assert_true(count >= cases / 2 && sum / (double)count <= 15.0 && worst <= 45.0);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Wrong input, memory, instruction sets

static void what_is_no_question_is_refused(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_object_id a = stage_add(&s, box(1, 1, 1), fr_vec3_make(0, 0, 0), unturned);
    s.input.mover = a;
    s.input.travel = fr_vec3_make(1, 0, 0);
    fr_radar_output *out = &s.output;
    assert_int_equal(fr_radar_move(s.radar, &s.input, out, NULL), FR_ERROR_STALE_DATA);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_radar_move(s.radar, &s.input, out, NULL), FR_OK);
    assert_true(!out->is_hit && out->distance == 1.0);
    const fr_vec3 no_travels[] = {{0, 0, 0}, {NAN, 0, 0}, {INFINITY, 0, 0}, {0x1p+301, 0, 0}};
    for (size_t i = 0; i < sizeof no_travels / sizeof no_travels[0]; i++) {
        s.input.travel = no_travels[i];
        assert_int_equal(fr_radar_move(s.radar, &s.input, out, NULL), FR_ERROR_ARGUMENT);
    }
    s.input.travel = fr_vec3_make(1, 0, 0);
    s.input.resolution = 0;
    assert_int_equal(fr_radar_move(s.radar, &s.input, out, NULL), FR_ERROR_ARGUMENT);
    s.input.resolution = FR_RADAR_MAX_RESOLUTION + 1;
    assert_int_equal(fr_radar_move(s.radar, &s.input, out, NULL), FR_ERROR_ARGUMENT);
    s.input.resolution = 8;
    s.input.layers = 9;
    assert_int_equal(fr_radar_move(s.radar, &s.input, out, NULL), FR_ERROR_ARGUMENT);
    s.input.layers = 4;
    s.input.tolerance = NAN;
    assert_int_equal(fr_radar_move(s.radar, &s.input, out, NULL), FR_ERROR_ARGUMENT);
    s.input.tolerance = 0;
    s.input.look = (fr_radar_look)(FR_RADAR_EXACT + 1);
    assert_int_equal(fr_radar_move(s.radar, &s.input, out, NULL), FR_ERROR_ARGUMENT);
    s.input.look = FR_RADAR_CENTRE;
    fr_object_remove(s.space, a, NULL);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    assert_int_equal(fr_radar_move(s.radar, &s.input, out, NULL), FR_ERROR_STALE_ID);
    stage_close(&s);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    stage s;
    stage_open(&s, NULL);
    fr_random random = fr_random_seed(9);
    s.input.mover = stage_add(&s, star(&random, 4, 0.3), fr_vec3_make(0, 0, 0), unturned);
    stage_add(&s, star(&random, 4, 0.3), fr_vec3_make(0.2, 0.1, 4), unturned);
    assert_int_equal(fr_space_update(s.space, NULL, NULL), FR_OK);
    s.input.look = FR_RADAR_CENTRE;
    s.input.travel = fr_vec3_make(0, 0, 6);
    stage_question query = {fr_radar_move, s.input, FR_RADAR_EXACT};
    assert_true(test_every_failure(stage_ask_new_radar, &query) > 5);
    stage_close(&s);
}

static void a_second_look_allocates_nothing(void **state) {
    (void)state;
    fr_probe *probe = fr_probe_create();
    assert_non_null(probe);
    fr_allocator allocator = fr_probe_allocator(probe);
    stage s;
    stage_open(&s, &allocator);
    fr_random random = fr_random_seed(4);
    fr_object_id a = stage_add(&s, star(&random, 24, 0.2), fr_vec3_make(0, 0, 0), unturned);
    stage_add(&s, star(&random, 24, 0.2), fr_vec3_make(0.1, 0.2, 4), unturned);
    uint64_t before = 0;
    for (int round = 0; round < 2; round++) {
        for (int look = FR_RADAR_CENTRE; look <= FR_RADAR_EXACT; look++) {
            s.input.look = (fr_radar_look)look;
            stage_look(&s, a, fr_vec3_make(0, 0, 6));
        }
        if (round == 0) { before = test_allocations(probe); }
    }
    assert_int_equal(test_allocations(probe), before);
    stage_close(&s);
    fr_probe_destroy(probe);
}

static void instruction_sets_agree(void **state) {
    (void)state;
    fr_random random = fr_random_seed(11);
    for (int i = 0; i < 20; i++) {
        stage s;
        stage_open(&s, NULL);
        fr_object_id a = stage_add_star(&s, &random, 6, 0.3, fr_vec3_make(0, 0, 0));
        stage_add_star(&s, &random, 6, 0.3, fr_vec3_make(0.3, 0.2, 4));
        fr_radar_output first = {0};
        double travels[32 * 32] = {0};
        for (int set = 0; set < 2; set++) {
            fr_simd_set(set == 0 ? FR_SIMD_BASELINE : fr_simd_best());
            stage_look(&s, a, fr_vec3_make(0, 0, 6));
            size_t count = (size_t)s.output.images.stride * s.output.images.height;
            assert_true(count <= 32 * 32);
            for (size_t k = 0; k < count; k++) {
                if (set == 0) { travels[k] = s.output.images.free_travel[k]; }
                assert_true(travels[k] == s.output.images.free_travel[k]);
            }
            if (set == 0) { first = s.output; }
            assert_true(first.distance == s.output.distance && first.contact.triangle_b == s.output.contact.triangle_b);
        }
        stage_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_late_and_columns_early_and_pairs_exact),
        cmocka_unit_test(lines_come_nearer_with_their_number),
        cmocka_unit_test(brackets_hold_the_truth),
        cmocka_unit_test(a_ring_passes_a_peg),
        cmocka_unit_test(what_is_in_a_hole_is_met),
        cmocka_unit_test(a_sheet_seen_edge_on_is_found_by_columns),
        cmocka_unit_test(what_stands_inside_is_told),
        cmocka_unit_test(walls_are_met_from_inside),
        cmocka_unit_test(a_round_mask_is_drawn_once),
        cmocka_unit_test(a_mask_turns_with_its_mover),
        cmocka_unit_test(contacts_are_points_lines_and_areas),
        cmocka_unit_test(balls_meet_along_their_line),
        cmocka_unit_test(normals_of_crossed_edges_are_rough),
        cmocka_unit_test(what_is_no_question_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_second_look_allocates_nothing),
        cmocka_unit_test(instruction_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
