// Figures of bodies: a closed skin without crossings at every stature, its weights, its pieces, and the same bits.
#include "failing.h"
#include "frame.h"
#include "fureai/human_figure.h"
#include "random_posture.h"

#include <math.h>
#include <string.h>

static fr_skeleton *body_of(double stature) {
    fr_body_def def = fr_default_body_def();
    def.stature = stature;
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create_body(&def, &skeleton, NULL), FR_OK);
    return skeleton;
}

static fr_figure *figure_of(const fr_skeleton *skeleton, fr_figure_detail detail, double curves) {
    fr_figure_def def = fr_default_figure_def();
    def.skeleton = skeleton;
    def.detail = detail;
    def.curves = curves;
    fr_figure *figure = NULL;
    fr_error error = {0};
    if (fr_figure_create(&def, &figure, &error) != FR_OK) { fail_msg("%s", error.message); }
    return figure;
}

// ---------------------------------------------------------------------------------------------------------------
// Refusals

static void refuses_what_is_no_body(void **state) {
    (void)state;
    fr_figure *figure = NULL;
    fr_error error = {0};
    fr_skeleton *skeleton = body_of(1.7);
    fr_figure_def def;
    memset(&def, 0, sizeof def);
    assert_int_equal(fr_figure_create(&def, &figure, &error), FR_ERROR_ARGUMENT);
    def = fr_default_figure_def();
    assert_int_equal(fr_figure_create(&def, &figure, &error), FR_ERROR_ARGUMENT);
    def.skeleton = skeleton;
    def.detail = (fr_figure_detail)7;
    assert_int_equal(fr_figure_create(&def, &figure, &error), FR_ERROR_ARGUMENT);
    def.detail = FR_FIGURE_COARSE;
    const double wrong[] = {-0.1, 1.1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        def.curves = wrong[i];
        assert_int_equal(fr_figure_create(&def, &figure, &error), FR_ERROR_ARGUMENT);
        assert_null(figure);
    }
    fr_skeleton_release(skeleton);
}

static fr_status create_from(const fr_skeleton_def *skeleton_def, fr_error *error) {
    fr_skeleton *skeleton = NULL;
    assert_int_equal(fr_skeleton_create(skeleton_def, &skeleton, error), FR_OK);
    fr_figure_def def = fr_default_figure_def();
    def.skeleton = skeleton;
    def.detail = FR_FIGURE_COARSE;
    fr_figure *figure = NULL;
    fr_status status = fr_figure_create(&def, &figure, error);
    fr_figure_release(figure);
    fr_skeleton_release(skeleton);
    return status;
}

// Other skeletons: one without a role, one whose links are points, one that is huge.
static void refuses_skeletons_without_roles_or_length(void **state) {
    (void)state;
    fr_skeleton *body = body_of(1.7);
    const fr_skeleton_view *view = fr_skeleton_get(body);
    uint32_t roles[FR_LINK_COUNT];
    fr_vec3 offsets[FR_LINK_COUNT] = {{0}};
    memcpy(roles, view->roles, sizeof roles);
    fr_skeleton_def def = fr_default_skeleton_def();
    def.link_count = view->link_count;
    def.parents = view->parents;
    def.names = view->names;
    def.rests = view->rests;
    def.offsets = offsets;
    def.roles = roles;
    fr_error error = {0};
    assert_int_equal(create_from(&def, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "length"));
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        offsets[i] = fr_vec3_scale(1e60, view->offsets[i]);
    }
    assert_int_not_equal(create_from(&def, &error), FR_OK);
    def.offsets = view->offsets;
    assert_int_equal(create_from(&def, &error), FR_OK);
    roles[FR_LINK_LEFT_RING_2] = FR_NO_LINK;
    assert_int_equal(create_from(&def, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "l_ring2"));
    fr_skeleton_release(body);
}

// ---------------------------------------------------------------------------------------------------------------
// The surface

static double weight_of(const fr_skin_view *skin, uint32_t vertex, uint32_t bone) {
    for (uint32_t k = 0; k < skin->influence_count; k++) {
        uint32_t i = vertex * skin->influence_count + k;
        if (skin->bones[i] == bone && skin->weights[i] > 0.0f) { return (double)skin->weights[i]; }
    }
    return 0.0;
}

typedef struct crossing_search {
    const fr_mesh *mesh;
    uint32_t triangle, crossings;
} crossing_search;

static bool count_crossing(uint32_t other, void *context) {
    crossing_search *search = context;
    if (other <= search->triangle) { return true; }
    const uint32_t *a = &fr_mesh_get(search->mesh)->triangles[3 * search->triangle];
    const uint32_t *b = &fr_mesh_get(search->mesh)->triangles[3 * other];
    for (int i = 0; i < 9; i++) {
        if (a[i / 3] == b[i % 3]) { return true; }
    }
    fr_vec3 corners_a[3], corners_b[3];
    fr_mesh_corners(search->mesh, search->triangle, corners_a);
    fr_mesh_corners(search->mesh, other, corners_b);
    if (fr_triangle_overlap(corners_a, corners_b)) { search->crossings++; }
    return true;
}

// Triangles that meet without a common vertex.
static uint32_t count_crossings(const fr_mesh *mesh) {
    crossing_search search = {mesh, 0, 0};
    for (uint32_t t = 0; t < fr_mesh_get(mesh)->triangle_count; t++) {
        fr_vec3 corners[3];
        fr_mesh_corners(mesh, t, corners);
        fr_bounds bounds = fr_bounds_of_points(corners, 3);
        search.triangle = t;
        fr_mesh_overlap_bounds(mesh, &bounds, count_crossing, &search);
    }
    return search.crossings;
}

// The least cosine between the normals of triangles with a common edge: -1 is a fold.
static double sharpest_edge(const fr_mesh *mesh, const fr_topology *topology) {
    double least = 1.0;
    for (uint32_t e = 0; e < topology->edge_count; e++) {
        fr_vec3 normals[2];
        for (int i = 0; i < 2; i++) {
            fr_vec3 c[3];
            fr_mesh_corners(mesh, (i == 0 ? e : topology->twin[e]) / 3, c);
            fr_vec3 cross = fr_vec3_cross(fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[0]));
            normals[i] = fr_vec3_unit(cross, cross);
        }
        double cosine = fr_vec3_dot(normals[0], normals[1]);
        if (cosine < least) { least = cosine; }
    }
    return least;
}

static void check_surface(const fr_figure *figure, double volume) {
    const fr_figure_view *view = fr_figure_get(figure);
    const fr_mesh_view *mesh = fr_mesh_get(view->mesh);
    fr_topology_def def = fr_default_topology_def();
    fr_topology *topology = NULL;
    assert_int_equal(fr_topology_create(view->mesh, &def, &topology, NULL), FR_OK);
    assert_true(topology->is_closed && topology->is_manifold);
    assert_int_equal(topology->component_count, 1);
    assert_int_equal(mesh->degenerate_count, 0);
    assert_int_equal(mesh->vertex_count, mesh->triangle_count / 2 + 2); // no handle
    double sharpest = sharpest_edge(view->mesh, topology);
    uint32_t crossings = count_crossings(view->mesh);
    double ratio = fr_mesh_mass(view->mesh).volume / volume;
    if (crossings != 0 || sharpest < -0.97 || fabs(ratio - 1.0) > 0.08) {
        fail_msg("%u crossings, edges of %.3f, %.4f of the volume, height %.3f", crossings, sharpest, ratio,
                 mesh->bounds.max.y);
    }
    assert_near(mesh->bounds.min.y, 0.0, 1e-6);
    fr_topology_destroy(topology);
}

static void is_closed_at_every_stature(void **state) {
    (void)state;
    uint32_t count = test_is_long() ? 41 : 3;
    for (uint32_t i = 0; i < count; i++) {
        double stature = 1.0 + (double)i / (count - 1);
        fr_skeleton *skeleton = body_of(stature);
        for (int k = 0; k < 2; k++) {
            fr_figure *figure = figure_of(skeleton, k == 0 ? FR_FIGURE_COARSE : FR_FIGURE_FINE, 0.5 * (i % 3));
            const fr_mesh_view *mesh = fr_mesh_get(fr_figure_get(figure)->mesh);
            assert_int_equal(mesh->triangle_count, k == 0 ? 1320 : 11880);
            check_surface(figure, fr_skeleton_get(skeleton)->mass / 970.0);
            assert_near(mesh->bounds.max.y, stature, 0.02 * stature);
            fr_figure_release(figure);
        }
        fr_skeleton_release(skeleton);
    }
}

// Measures from their least to their greatest that people have, one at a time.
static void follows_its_measures(void **state) {
    (void)state;
    for (int i = 0; i < 10; i += test_is_long() ? 1 : 3) {
        fr_body_def def = fr_default_body_def();
        if (i == 0) { def.shoulder_width = 0.20; }
        if (i == 1) { def.shoulder_width = 0.25; }
        if (i == 2) { def.hip_width = 0.09; }
        if (i == 3) { def.hip_width = 0.13; }
        if (i == 4) { def.leg = 0.49; }
        if (i == 5) { def.leg = 0.56; }
        if (i == 6) { def.arm = 0.29; }
        if (i == 7) { def.arm = 0.37; }
        if (i == 8) { def.mass = 50.0; }
        if (i == 9) { def.mass = 95.0; }
        fr_skeleton *skeleton = NULL;
        assert_int_equal(fr_skeleton_create_body(&def, &skeleton, NULL), FR_OK);
        fr_figure *figure = figure_of(skeleton, FR_FIGURE_FINE, 0.0);
        check_surface(figure, fr_skeleton_get(skeleton)->mass / 970.0);
        fr_figure_release(figure);
        fr_skeleton_release(skeleton);
    }
}

// Left and right are the same within the rounding of floats, in place and in weights.
static void is_its_own_mirror_image(void **state) {
    (void)state;
    fr_skeleton *skeleton = body_of(1.6);
    const uint32_t *partners = fr_skeleton_get(skeleton)->partners;
    for (int k = 0; k < 2; k++) {
        fr_figure *figure = figure_of(skeleton, k == 0 ? FR_FIGURE_COARSE : FR_FIGURE_FINE, 0.0);
        const fr_figure_view *view = fr_figure_get(figure);
        const fr_mesh_view *mesh = fr_mesh_get(view->mesh);
        const fr_skin_view *skin = fr_skin_get(view->skin);
        uint32_t middle = 0;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            uint32_t other = view->mirrored[v];
            const float *p = &mesh->positions_float[3 * v], *q = &mesh->positions_float[3 * other];
            assert_true(view->mirrored[other] == v && fabsf(p[0] + q[0]) <= 2e-7f && fabsf(p[1] - q[1]) <= 2e-7f &&
                        fabsf(p[2] - q[2]) <= 2e-7f);
            middle += other == v ? 1 : 0;
            for (uint32_t b = 0; b < skin->bone_count; b++) {
                assert_near(weight_of(skin, v, b), weight_of(skin, other, partners[b]), 1e-6);
            }
        }
        assert_true(middle > 20);
        fr_figure_release(figure);
    }
    fr_skeleton_release(skeleton);
}

// ---------------------------------------------------------------------------------------------------------------
// The skin

enum { SIDE_MIDDLE, SIDE_RIGHT, SIDE_LEFT };

static int side_of(uint32_t link) {
    if (link < 3) { return SIDE_MIDDLE; }
    if (link < 15) { return (link - 3) % 6 < 3 ? SIDE_RIGHT : SIDE_LEFT; }
    return link < 29 ? SIDE_RIGHT : SIDE_LEFT;
}

// 0 is no finger, else 1 .. 5 of either hand.
static uint32_t finger_of(uint32_t link) {
    if (link < 15) { return 0; }
    uint32_t k = (link - 15) % 14;
    return k < 2 ? 1 : 2 + (k - 2) / 3;
}

static bool is_leg(uint32_t link) { return link >= 9 && link < 15; }

// Nothing leaks between arm and leg, left and right (but thighs in the middle), and no more than a twentieth between
// fingers that are no neighbours; of fingers that are, only the first links share the web.
static void check_leaks(const fr_skin_view *skin, uint32_t v, float x) {
    for (uint32_t a = 0; a < FR_LINK_COUNT; a++) {
        for (uint32_t b = a + 1; b < FR_LINK_COUNT; b++) {
            double both = fmin(weight_of(skin, v, a), weight_of(skin, v, b));
            if (both == 0.0) { continue; }
            bool is_limb = side_of(a) != SIDE_MIDDLE && side_of(b) != SIDE_MIDDLE;
            if (is_limb && side_of(a) != side_of(b) && !(is_leg(a) && is_leg(b) && fabsf(x) < 0.05f)) {
                fail_msg("vertex %u follows links %u and %u", v, a, b);
            }
            if (is_limb && is_leg(a) != is_leg(b)) { fail_msg("vertex %u follows arm and leg", v); }
            uint32_t f = finger_of(a), g = finger_of(b);
            bool is_first = (a - 15) % 14 == 0 || ((a - 15) % 14 - 2) % 3 == 0;
            if (f != 0 && g != 0 && f != g && both > 0.05 && (f + 1 != g || !is_first)) {
                fail_msg("vertex %u follows links %u and %u", v, a, b);
            }
        }
    }
}

static void follows_its_own_limb_alone(void **state) {
    (void)state;
    fr_skeleton *skeleton = body_of(1.7);
    fr_figure *figure = figure_of(skeleton, FR_FIGURE_FINE, 0.0);
    const fr_figure_view *view = fr_figure_get(figure);
    const fr_skin_view *skin = fr_skin_get(view->skin);
    assert_true(fr_skin_validate(view->skin, NULL));
    assert_true(skin->influence_count <= 4);
    assert_int_equal(skin->bone_count, FR_LINK_COUNT);
    double greatest[FR_LINK_COUNT] = {0};
    for (uint32_t v = 0; v < skin->vertex_count; v++) {
        check_leaks(skin, v, fr_mesh_get(view->mesh)->positions_float[3 * v]);
        for (uint32_t b = 0; b < FR_LINK_COUNT; b++) {
            greatest[b] = fmax(greatest[b], weight_of(skin, v, b));
        }
    }
    for (uint32_t b = 0; b < FR_LINK_COUNT; b++) {
        if (greatest[b] < 0.85) { fail_msg("no vertex follows link %u almost alone: %.3f", b, greatest[b]); }
    }
    fr_figure_release(figure);
    fr_skeleton_release(skeleton);
}

// Memory of one posed skin.
typedef struct posed_skin {
    fr_arena *scratch;
    fr_vec3 *vertices;
    fr_pose poses[FR_LINK_COUNT];
    fr_quat turns[FR_LINK_COUNT];
    fr_posture posture;
} posed_skin;

static posed_skin posed_begin(const fr_figure *figure) {
    posed_skin posed = {0};
    assert_int_equal(fr_arena_create(0, NULL, &posed.scratch, NULL), FR_OK);
    posed.vertices = test_malloc(fr_mesh_get(fr_figure_get(figure)->mesh)->vertex_count * sizeof *posed.vertices);
    return posed;
}

static void posed_end(posed_skin *posed) {
    fr_arena_destroy(posed->scratch);
    test_free(posed->vertices);
}

static void pose_skin(const fr_figure *figure, fr_skin_method method, posed_skin *posed) {
    fr_skin_input input = fr_default_skin_input();
    input.skin = fr_figure_get(figure)->skin;
    input.poses = posed->poses;
    input.bone_count = FR_LINK_COUNT;
    input.method = method;
    input.scratch = posed->scratch;
    fr_skin_output output = {.vertices = posed->vertices};
    assert_int_equal(fr_skin_vertices(&input, &output, NULL), FR_OK);
}

static double posed_volume(const fr_figure *figure, const posed_skin *posed) {
    const fr_mesh_view *mesh = fr_mesh_get(fr_figure_get(figure)->mesh);
    double sum = 0.0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *c = &mesh->triangles[3 * t];
        fr_vec3 cross = fr_vec3_cross(posed->vertices[c[0]], posed->vertices[c[1]]);
        sum += fr_vec3_dot(cross, posed->vertices[c[2]]) / 6.0;
    }
    return sum;
}

static void is_the_mesh_where_it_was_bound(void **state) {
    (void)state;
    fr_skeleton *skeleton = body_of(1.3);
    fr_figure *figure = figure_of(skeleton, FR_FIGURE_COARSE, 0.0);
    const fr_mesh_view *mesh = fr_mesh_get(fr_figure_get(figure)->mesh);
    posed_skin posed = posed_begin(figure);
    memcpy(posed.poses, fr_figure_get(figure)->binds, sizeof posed.poses);
    for (int k = 0; k < 2; k++) {
        pose_skin(figure, k == 0 ? FR_SKIN_LINEAR : FR_SKIN_DUAL_QUATERNIONS, &posed);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const float *p = &mesh->positions_float[3 * v];
            fr_vec3 bound = fr_vec3_make((double)p[0], (double)p[1], (double)p[2]);
            assert_true(fr_vec3_distance(posed.vertices[v], bound) < 1e-12);
        }
    }
    posed_end(&posed);
    fr_figure_release(figure);
    fr_skeleton_release(skeleton);
}

// ---------------------------------------------------------------------------------------------------------------
// Postures at random

// Any posture within the limits. The fingers of a hand are bent alike, or each by itself.
static void random_within_limits(fr_random *random, const fr_skeleton *skeleton, bool is_alike, posed_skin *posed) {
    const fr_skeleton_view *view = fr_skeleton_get(skeleton);
    posed->posture = (fr_posture){.turns = posed->turns, .count = FR_LINK_COUNT, .place = {0.0, 1.0, 0.0}};
    for (uint32_t i = 0; i < FR_LINK_COUNT; i++) {
        fr_quat turn = fr_quat_from_vector(random_about(random, 1.6));
        turn = fr_skeleton_clamp(skeleton, i, fr_quat_multiply(view->rests[i], turn));
        posed->turns[i] = turn;
        if (is_alike && finger_of(i) > 2) { posed->turns[i] = posed->turns[i - 3]; }
    }
    assert_int_equal(fr_posture_poses(skeleton, &posed->posture, 1, posed->poses, NULL), FR_OK);
}

static bool is_held(const fr_figure_view *view, const fr_pose *poses, fr_vec3 point) {
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        fr_pose inverse = fr_pose_inverse(&poses[view->proxies[i].link]);
        fr_vec3 local = fr_pose_apply(&inverse, point);
        const fr_bounds *bounds = &fr_mesh_get(view->proxies[i].mesh)->bounds;
        if (fr_bounds_contain_point(bounds, local) && fr_mesh_contains(view->proxies[i].mesh, local)) { return true; }
    }
    return false;
}

// How far a point is outside all pieces.
static double distance_outside(const fr_figure_view *view, const fr_pose *poses, fr_vec3 point) {
    double least = is_held(view, poses, point) ? 0.0 : INFINITY;
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT && least > 0.0; i++) {
        fr_pose inverse = fr_pose_inverse(&poses[view->proxies[i].link]);
        fr_closest closest = fr_mesh_closest(view->proxies[i].mesh, fr_pose_apply(&inverse, point), least);
        if (closest.triangle != FR_NONE) { least = fmin(least, closest.distance); }
    }
    return least;
}

// The greatest distances of the skin from the pieces: of the body without fingers, and of the fingers.
typedef struct outside {
    double body, fingers;
} outside;

static outside measure_outside(const fr_figure *figure, const posed_skin *posed, uint32_t step) {
    const fr_figure_view *view = fr_figure_get(figure);
    const fr_skin_view *skin = fr_skin_get(view->skin);
    outside worst = {0.0, 0.0};
    for (uint32_t v = 0; v < skin->vertex_count; v += step) {
        double distance = distance_outside(view, posed->poses, posed->vertices[v]);
        double *greatest = finger_of(skin->bones[v * skin->influence_count]) != 0 ? &worst.fingers : &worst.body;
        *greatest = fmax(*greatest, distance);
    }
    return worst;
}

static void holds_the_skin_in_its_pieces(void **state) {
    (void)state;
    fr_skeleton *skeleton = body_of(1.7);
    fr_figure *figure = figure_of(skeleton, FR_FIGURE_FINE, 0.0);
    posed_skin posed = posed_begin(figure);
    fr_random random = fr_random_seed(25);
    outside alike = {0}, apart = {0};
    double least = INFINITY, greatest = 0.0, bound = fr_mesh_mass(fr_figure_get(figure)->mesh).volume;
    uint64_t count = test_count(8, 100);
    for (uint64_t i = 0; i < count; i++) {
        random_within_limits(&random, skeleton, i % 2 == 0, &posed);
        pose_skin(figure, i % 4 < 2 ? FR_SKIN_LINEAR : FR_SKIN_DUAL_QUATERNIONS, &posed);
        outside worst = measure_outside(figure, &posed, test_is_long() ? 2 : 5);
        outside *mine = i % 2 == 0 ? &alike : &apart;
        mine->body = fmax(mine->body, worst.body);
        mine->fingers = fmax(mine->fingers, worst.fingers);
        double volume = posed_volume(figure, &posed) / bound;
        least = fmin(least, volume);
        greatest = fmax(greatest, volume);
    }
    print_message("outside: body %.4f m, fingers bent alike %.4f m, apart %.4f m; volume %.3f .. %.3f\n",
                  fmax(alike.body, apart.body), alike.fingers, apart.fingers, least, greatest);
    assert_true(fmax(alike.body, apart.body) < 0.065 && alike.fingers < 0.035 && apart.fingers < 0.10);
    assert_true(least > 0.85 && greatest < 1.15);
    posed_end(&posed);
    fr_figure_release(figure);
    fr_skeleton_release(skeleton);
}

// The volume of all pieces together over that of the skin, where it is bound, by points of a grid.
static double union_ratio(const fr_figure_view *view) {
    fr_bounds b = fr_mesh_get(view->mesh)->bounds;
    uint32_t inside = 0, held = 0;
    const double step = test_is_long() ? 0.01 : 0.04;
    for (double x = b.min.x; x < b.max.x; x += step) {
        for (double y = b.min.y - 0.5 * step; y < b.max.y; y += step) {
            for (double z = b.min.z; z < b.max.z; z += step) {
                fr_vec3 p = fr_vec3_make(x, y, z);
                inside += fr_mesh_contains(view->mesh, p) ? 1 : 0;
                held += is_held(view, view->binds, p) ? 1 : 0;
            }
        }
    }
    return (double)held / (double)inside;
}

// Every piece is closed and convex, and all of them have little more volume than the skin.
static void has_nineteen_tight_pieces(void **state) {
    (void)state;
    fr_skeleton *skeleton = body_of(1.7);
    for (int k = 0; k < 2; k++) {
        fr_figure *figure = figure_of(skeleton, k == 0 ? FR_FIGURE_COARSE : FR_FIGURE_FINE, 0.0);
        const fr_figure_view *view = fr_figure_get(figure);
        double volume = 0.0;
        for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
            const fr_mesh *mesh = view->proxies[i].mesh;
            fr_topology_def def = fr_default_topology_def();
            fr_topology *topology = NULL;
            assert_int_equal(fr_topology_create(mesh, &def, &topology, NULL), FR_OK);
            assert_true(topology->is_closed && topology->component_count == 1);
            fr_topology_destroy(topology);
            volume += fr_mesh_mass(mesh).volume;
            assert_true(fr_mesh_mass(mesh).volume > 2e-5);
            assert_true(fr_mesh_get(mesh)->triangle_count <= 2 * FR_HULL_MAX_POINTS - 4);
            assert_int_equal(finger_of(view->proxies[i].link) != 0, i >= FR_BODY_LINK_COUNT);
            assert_true(view->proxies[i].name[0] != '\0');
        }
        double ratio = volume / fr_mesh_mass(view->mesh).volume, apart = union_ratio(view);
        if (ratio > 1.45 || apart < 1.0 || apart > 1.30) {
            fail_msg("the pieces have %.3f of the volume, together %.3f", ratio, apart);
        }
        print_message("pieces: %.3f of the volume in sum, %.3f together\n", ratio, apart);
        fr_figure_release(figure);
    }
    fr_skeleton_release(skeleton);
}

// Every finger link has a closed hull that reaches from its joint to its tip.
static void has_a_piece_for_each_phalanx(void **state) {
    (void)state;
    fr_skeleton *skeleton = body_of(1.7);
    fr_figure *figure = figure_of(skeleton, FR_FIGURE_COARSE, 0.0);
    const fr_figure_view *view = fr_figure_get(figure);
    const fr_skeleton_view *links = fr_skeleton_get(skeleton);
    for (uint32_t i = 0; i < FR_FIGURE_PHALANX_COUNT; i++) {
        const fr_figure_proxy *piece = &view->phalanxes[i];
        assert_int_equal(piece->link, FR_LINK_RIGHT_THUMB_1 + i);
        assert_string_equal(piece->name, links->names[piece->link]);
        fr_topology_def def = fr_default_topology_def();
        fr_topology *topology = NULL;
        assert_int_equal(fr_topology_create(piece->mesh, &def, &topology, NULL), FR_OK);
        assert_true(topology->is_closed && topology->component_count == 1);
        fr_topology_destroy(topology);
        fr_vec3 tip = links->tips[piece->link];
        assert_true(fr_mesh_contains(piece->mesh, fr_vec3_scale(0.5, tip)));
        assert_true(fr_mesh_closest(piece->mesh, tip, INFINITY).distance < 0.015);
    }
    fr_figure_release(figure);
    fr_skeleton_release(skeleton);
}

// ---------------------------------------------------------------------------------------------------------------
// Looks, bits, memory

static void wears_what_its_seed_says(void **state) {
    (void)state;
    fr_skeleton *skeleton = body_of(1.7);
    uint64_t looks[8];
    for (uint64_t i = 0; i < 8; i++) {
        fr_figure_def def = fr_default_figure_def();
        def.skeleton = skeleton;
        def.detail = FR_FIGURE_COARSE;
        def.seed = i / 2;
        fr_figure *figure = NULL;
        assert_int_equal(fr_figure_create(&def, &figure, NULL), FR_OK);
        const fr_figure_view *view = fr_figure_get(figure);
        looks[i] = fr_hash(view->colors, fr_mesh_get(view->mesh)->triangle_count * sizeof *view->colors, 0);
        fr_figure_release(figure);
        assert_true(i % 2 == 0 || looks[i] == looks[i - 1]);
        assert_true(i % 2 != 0 || i == 0 || looks[i] != looks[i - 1]);
    }
    fr_skeleton_release(skeleton);
}

static uint64_t hash_figure(const fr_figure *figure) {
    const fr_figure_view *view = fr_figure_get(figure);
    const fr_mesh_view *mesh = fr_mesh_get(view->mesh);
    const fr_skin_view *skin = fr_skin_get(view->skin);
    uint64_t hash = fr_hash(mesh->positions_float, 12 * (size_t)mesh->vertex_count, 0);
    hash = fr_hash(mesh->triangles, 12 * (size_t)mesh->triangle_count, hash);
    hash = fr_hash(skin->weights, sizeof(float) * skin->influence_count * skin->vertex_count, hash);
    hash = fr_hash(skin->inverse_binds, 96 * (size_t)skin->bone_count, hash);
    for (uint32_t i = 0; i < FR_FIGURE_PROXY_COUNT; i++) {
        const fr_mesh_view *proxy = fr_mesh_get(view->proxies[i].mesh);
        hash = fr_hash(proxy->positions_float, 12 * (size_t)proxy->vertex_count, hash);
    }
    return hash;
}

static void has_the_same_bits_everywhere(void **state) {
    (void)state;
    const double statures[] = {1.0, 1.7};
    const uint64_t known[2][2] = {{UINT64_C(0x30ea01374686a3cd), UINT64_C(0x166cdfb4515c6308)},
                                  {UINT64_C(0xbef097c2a27ca2a5), UINT64_C(0xfbb22446fcc37493)}};
    for (int i = 0; i < 2; i++) {
        fr_skeleton *skeleton = body_of(statures[i]);
        for (int k = 0; k < 2; k++) {
            fr_figure *figure = figure_of(skeleton, k == 0 ? FR_FIGURE_COARSE : FR_FIGURE_FINE, 0.25);
            uint64_t hash = hash_figure(figure);
            if (hash != known[i][k]) { fail_msg("%d %d: 0x%016llx", i, k, (unsigned long long)hash); }
            fr_figure_release(figure);
        }
        fr_skeleton_release(skeleton);
    }
}

static fr_status make_figure(const fr_allocator *allocator, void *context) {
    fr_figure_def def = fr_default_figure_def();
    def.skeleton = context;
    def.detail = FR_FIGURE_COARSE;
    def.allocator = *allocator;
    fr_figure *figure = NULL;
    fr_status status = fr_figure_create(&def, &figure, NULL);
    if (status == FR_OK) { test_note_number(hash_figure(figure)); }
    fr_figure_release(figure);
    return status;
}

static void survives_every_failure_of_memory(void **state) {
    (void)state;
    fr_skeleton *skeleton = body_of(1.7);
    assert_true(test_every_failure(make_figure, skeleton) >= 2);
    fr_skeleton_release(skeleton);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_no_body),          cmocka_unit_test(refuses_skeletons_without_roles_or_length),
        cmocka_unit_test(is_closed_at_every_stature),       cmocka_unit_test(follows_its_measures),
        cmocka_unit_test(is_its_own_mirror_image),          cmocka_unit_test(follows_its_own_limb_alone),
        cmocka_unit_test(is_the_mesh_where_it_was_bound),   cmocka_unit_test(has_nineteen_tight_pieces),
        cmocka_unit_test(has_a_piece_for_each_phalanx),     cmocka_unit_test(holds_the_skin_in_its_pieces),
        cmocka_unit_test(wears_what_its_seed_says),         cmocka_unit_test(has_the_same_bits_everywhere),
        cmocka_unit_test(survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
