// Surfaces: against boxes and rays over all triangles, at seats and gaps of known sizes, from scratch and kept current.
#include "fureai/human_surface.h"

#include "failing.h"
#include "fureai/human_skill.h"
#include "furniture.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Rooms

static fr_space *empty_space(void) {
    fr_space_def def = fr_default_space_def();
    fr_space *space = NULL;
    assert_int_equal(fr_space_create(&def, &space, NULL), FR_OK);
    return space;
}

static fr_object_id add_box(fr_space *space, fr_vec3 size, fr_vec3 at, double heading, double scale) {
    fr_mesh *mesh = NULL;
    fr_object_id id;
    assert_int_equal(fr_mesh_create_box(fr_vec3_scale(1.0 / scale, size), NULL, &mesh, NULL), FR_OK);
    fr_pose pose = fr_pose_make(at, fr_quat_from_vector(fr_vec3_make(0, heading, 0)));
    pose.scale = scale;
    assert_int_equal(fr_object_add_mesh(space, mesh, &pose, &id, NULL), FR_OK);
    fr_mesh_release(mesh);
    return id;
}

static void add_floor(fr_space *space, fr_vec3 at, double size) {
    add_box(space, fr_vec3_make(size, 0.1, size), fr_vec3_make(at.x, at.y - 0.05, at.z), 0.0, 1.0);
}

static fr_surfaces *find(const fr_space *space, const fr_surfaces_def *def, const fr_tasks *tasks) {
    fr_surfaces *surfaces = NULL;
    fr_error error = {0};
    assert_int_equal(fr_surfaces_create(def, &surfaces, &error), FR_OK);
    fr_surfaces_input input = fr_default_surfaces_input();
    input.space = space;
    input.tasks = tasks;
    if (fr_surfaces_update(surfaces, &input, &error) != FR_OK) { fail_msg("%s", error.message); }
    return surfaces;
}

static fr_surfaces *find_default(fr_space *space) {
    fr_surfaces_def def = fr_default_surfaces_def();
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return find(space, &def, NULL);
}

// How many surfaces of a kind an object offers (all zeros: any object); the last one into `out`.
static uint32_t count_of(const fr_surfaces *surfaces, fr_object_id object, fr_surface_kind kind, fr_surface *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < fr_surfaces_get_stats(surfaces).count; i++) {
        fr_surface s = fr_surfaces_at(surfaces, i);
        if (s.kind != kind || (object.index1 != 0 && !fr_object_id_equal(s.object, object))) { continue; }
        if (out != NULL) { *out = s; }
        count++;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------------------------
// Brute force: boxes and rays against all triangles

typedef struct soup {
    fr_vec3 (*corners)[3];
    size_t count;
} soup;

static soup soup_of(const fr_space *space) {
    soup all = {0};
    for (uint32_t i = 0; i < fr_space_object_places(space); i++) {
        fr_object_id id = fr_space_object_at(space, i);
        const fr_object_view *view = fr_object_get(space, id);
        if (view == NULL) { continue; }
        all.corners = realloc(all.corners, (all.count + view->triangle_count) * sizeof *all.corners);
        assert_non_null(all.corners);
        for (uint32_t t = 0; t < view->triangle_count; t++) {
            assert_int_equal(fr_object_corners(space, id, t, all.corners[all.count++], NULL), FR_OK);
        }
    }
    return all;
}

// Whether a box over a place, turned by a heading, is free: from `low` to `high` over it, of width and depth.
static bool is_box_free(const soup *all, fr_vec3 at, double heading, const double size[2], double low, double high) {
    double s = sin(heading), c = cos(heading);
    fr_bounds box = {{-0.5 * size[0], low, -0.5 * size[1]}, {0.5 * size[0], high, 0.5 * size[1]}};
    for (size_t i = 0; i < all->count; i++) {
        fr_vec3 local[3];
        for (int k = 0; k < 3; k++) {
            fr_vec3 p = fr_vec3_sub(all->corners[i][k], at);
            local[k] = fr_vec3_make(c * p.x - s * p.z, p.y, s * p.x + c * p.z);
        }
        if (fr_triangle_box_overlap(local, &box)) { return false; }
    }
    return true;
}

// The height of the first face below a point; -INFINITY for none.
static double first_below(const soup *all, fr_vec3 from) {
    double best = -INFINITY;
    for (size_t i = 0; i < all->count; i++) {
        const fr_vec3 *p = all->corners[i];
        double area = (p[1].x - p[0].x) * (p[2].z - p[0].z) - (p[2].x - p[0].x) * (p[1].z - p[0].z);
        if (fabs(area) < 1e-12) { continue; }
        double u = ((from.x - p[0].x) * (p[2].z - p[0].z) - (p[2].x - p[0].x) * (from.z - p[0].z)) / area;
        double v = ((p[1].x - p[0].x) * (from.z - p[0].z) - (from.x - p[0].x) * (p[1].z - p[0].z)) / area;
        if (u < 0.0 || v < 0.0 || u + v > 1.0) { continue; }
        double y = p[0].y + u * (p[1].y - p[0].y) + v * (p[2].y - p[0].y);
        if (y <= from.y && y > best) { best = y; }
    }
    return best;
}

// The part of a square about a point that faces bear, by points 2 cm apart.
static double borne_part(const soup *all, fr_vec3 at, double heading, double side) {
    int met = 0, points = 0;
    for (double u = -0.45 * side; u <= 0.45 * side; u += 0.02) {
        for (double v = -0.45 * side; v <= 0.45 * side; v += 0.02, points++) {
            fr_vec3 p = {at.x + u * cos(heading) + v * sin(heading), at.y + 0.03,
                         at.z - u * sin(heading) + v * cos(heading)};
            met += p.y - first_below(all, p) < 0.06 ? 1 : 0;
        }
    }
    return (double)met / points;
}

// Whether a body stands at a surface's place, on ground.
static void check_stand(const soup *all, const fr_surfaces_def *def, const fr_surface *s) {
    const fr_body_measures *m = &def->measures;
    fr_vec3 above = {s->place.x, s->place.y + 0.01, s->place.z};
    double ground = fmax(first_below(all, above), def->ground);
    if (fabs(ground - s->place.y) > 1e-6) { fail_msg("no ground under a %s", fr_surface_word(s->kind)); }
    double size[2] = {0.98 * m->shoulder_width, 0.98 * m->depth};
    if (!is_box_free(all, s->place, s->heading, size, 0.031 * m->stature, 0.99 * m->stature)) {
        fail_msg("nobody can stand before a %s", fr_surface_word(s->kind));
    }
}

static void check_seat(const soup *all, const fr_body_measures *m, const fr_surface *s) {
    fr_vec3 at = s->target.position;
    double seat = 0.30 / 1.7 * m->stature, elbow = 0.13 * m->stature;
    double lap[2] = {0.98 * m->hip_width, 0.98 * seat}, trunk[2] = {0.98 * m->shoulder_width, 0.98 * m->depth};
    assert_true(s->height >= 0.2 * m->stature && s->height <= 0.32 * m->stature);
    assert_true(borne_part(all, at, s->heading, seat) > 0.7);
    assert_true(is_box_free(all, at, s->heading, lap, 0.016, 0.99 * elbow));
    assert_true(is_box_free(all, at, s->heading, trunk, 1.01 * elbow, 0.99 * m->sitting_height));
}

static void check_gap(const soup *all, const fr_body_measures *m, const fr_surface *s) {
    double heading = atan2(s->normal.x, s->normal.z);
    double width = s->kind == FR_SURFACE_SIDEWAYS ? 1.2 * m->depth : 1.3 * m->shoulder_width;
    double high = (s->kind == FR_SURFACE_DUCK ? 0.75 : 1.03) * m->stature;
    fr_vec3 at = {s->center.x, s->place.y, s->center.z};
    double size[2] = {0.98 * width, 2.0 * fr_vec3_distance(s->place, at)};
    assert_true(is_box_free(all, at, heading, size, 0.031 * m->stature, 0.99 * high));
    assert_true(s->kind == FR_SURFACE_DUCK || s->width >= width);
}

// Everything that was found is true.
static void check_all(const fr_space *space, const fr_surfaces_def *def, const fr_surfaces *surfaces) {
    soup all = soup_of(space);
    const fr_body_measures *m = &def->measures;
    for (uint32_t i = 0; i < fr_surfaces_get_stats(surfaces).count; i++) {
        fr_surface s = fr_surfaces_at(surfaces, i);
        assert_true(fr_object_exists(space, s.object));
        assert_non_null(fr_skill_find(fr_surface_skill(s.kind)));
        check_stand(&all, def, &s);
        fr_vec3 at = s.target.position;
        double put[2] = {0.078 * m->stature, 0.078 * m->stature},
               stand[2] = {0.98 * m->shoulder_width, 0.98 * m->depth};
        double lie[2] = {0.98 * m->shoulder_width, 0.98 * m->stature};
        fr_vec3 z = fr_pose_turn(&s.target, fr_vec3_make(0, 0, 1));
        double heading = atan2(z.x, z.z);
        switch (s.kind) {
        case FR_SURFACE_SIT: check_seat(&all, m, &s); break;
        case FR_SURFACE_PUT:
            assert_true(s.height >= 0.35 * m->stature && s.height <= 0.70 * m->stature);
            assert_true(borne_part(&all, at, s.heading, 0.08 * m->stature) > 0.7);
            assert_true(is_box_free(&all, at, s.heading, put, 0.016, 0.149 * m->stature));
            break;
        case FR_SURFACE_STEP_ON:
            assert_true(s.height <= 0.88 * m->leg);
            assert_true(is_box_free(&all, at, s.heading, stand, 0.031 * m->stature, 0.99 * m->stature));
            break;
        case FR_SURFACE_LIE: assert_true(is_box_free(&all, at, heading, lie, 0.016, 0.29 * m->stature)); break;
        case FR_SURFACE_PASS:
        case FR_SURFACE_SIDEWAYS: check_gap(&all, m, &s); break;
        default: break;
        }
    }
    free(all.corners);
}

// ---------------------------------------------------------------------------------------------------------------
// Validity

static void test_bad_input(void **state) {
    (void)state;
    fr_error error = {0};
    fr_surfaces *surfaces = NULL;
    fr_surfaces_def def = fr_default_surfaces_def();
    def.measures.stature = 4.0;
    assert_int_equal(fr_surfaces_create(&def, &surfaces, &error), FR_ERROR_ARGUMENT);
    def = fr_default_surfaces_def();
    def.measures.depth = NAN;
    assert_int_equal(fr_surfaces_create(&def, &surfaces, &error), FR_ERROR_ARGUMENT);
    def = fr_default_surfaces_def();
    def.ground = NAN;
    assert_int_equal(fr_surfaces_create(&def, &surfaces, &error), FR_ERROR_ARGUMENT);
    def = fr_default_surfaces_def();
    def.cookie = 0;
    assert_int_equal(fr_surfaces_create(&def, &surfaces, &error), FR_ERROR_ARGUMENT);
    assert_null(surfaces);

    // A space that is not current is refused; an empty one offers nothing.
    fr_space *space = empty_space();
    fr_surfaces *none = find_default(space);
    assert_int_equal(fr_surfaces_get_stats(none).count, 0);
    add_floor(space, fr_vec3_make(0, 0, 0), 5.0);
    fr_surfaces_input input = fr_default_surfaces_input();
    input.space = space;
    assert_int_equal(fr_surfaces_update(none, &input, &error), FR_ERROR_STALE_DATA);
    fr_surfaces_destroy(none);
    fr_surfaces_destroy(NULL);
    fr_space_destroy(space);
}

// The defaults are the measures of the default body, and every kind has a word and a skill.
static void test_measures(void **state) {
    (void)state;
    person p;
    make_person(&p);
    fr_body_measures m, d = fr_default_surfaces_def().measures;
    assert_int_equal(fr_body_measures_of(p.figure, &m, NULL), FR_OK);
    const double *a = &m.stature, *b = &d.stature;
    for (size_t i = 0; i < sizeof m / sizeof m.stature; i++) {
        if (fabs(a[i] - b[i]) > 1e-3) { fail_msg("measure %d is %g", (int)i, a[i]); }
    }
    for (uint32_t i = 0; i < FR_SURFACE_KIND_COUNT; i++) {
        assert_non_null(fr_surface_word((fr_surface_kind)i));
        assert_non_null(fr_skill_find(fr_surface_skill((fr_surface_kind)i)));
    }
    destroy_person(&p);
}

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

// A stool is a seat between 0.20 and 0.32 of the stature; a table is no seat but a place for things.
static void test_heights(void **state) {
    (void)state;
    for (double height = 0.25; height < 1.3; height += 0.05) {
        fr_space *space = empty_space();
        add_floor(space, fr_vec3_make(0, 0, 0), 6.0);
        fr_object_id block = add_box(space, fr_vec3_make(0.5, height, 0.5), fr_vec3_make(0, 0.5 * height, 0), 0.3, 1.0);
        fr_surfaces *surfaces = find_default(space);
        double part = height / 1.7;
        assert_int_equal(count_of(surfaces, block, FR_SURFACE_SIT, NULL), part >= 0.2 && part <= 0.32 ? 1 : 0);
        assert_int_equal(count_of(surfaces, block, FR_SURFACE_PUT, NULL), part >= 0.35 && part <= 0.7 ? 1 : 0);
        assert_int_equal(count_of(surfaces, block, FR_SURFACE_STEP_ON, NULL), height <= 0.88 * 0.9005 ? 1 : 0);
        fr_surfaces_destroy(surfaces);
        fr_space_destroy(space);
    }
}

// A chair with a back is sat on facing away from it, and not where something lies on it or stands before it.
static void test_chair(void **state) {
    (void)state;
    for (int blocked = 0; blocked < 3; blocked++) {
        fr_space *space = empty_space();
        add_floor(space, fr_vec3_make(0, 0, 0), 6.0);
        fr_object_id seat = add_box(space, fr_vec3_make(0.46, 0.04, 0.44), fr_vec3_make(0, 0.43, 0), 0.0, 1.0);
        add_box(space, fr_vec3_make(0.46, 0.5, 0.03), fr_vec3_make(0, 0.7, -0.2), 0.0, 1.0);
        if (blocked == 1) { add_box(space, fr_vec3_make(0.1, 0.1, 0.1), fr_vec3_make(0, 0.51, 0), 0.0, 1.0); }
        if (blocked == 2) {
            for (int i = 0; i < 3; i++) {
                double side = i == 2 ? 0.0 : i == 0 ? 0.3 : -0.3;
                add_box(space, fr_vec3_make(i == 2 ? 0.7 : 0.1, 1.0, i == 2 ? 0.1 : 0.7),
                        fr_vec3_make(side, 0.5, i == 2 ? 0.35 : 0.05), 0.0, 1.0);
            }
        }
        fr_surfaces *surfaces = find_default(space);
        fr_surface s;
        uint32_t count = count_of(surfaces, seat, FR_SURFACE_SIT, &s);
        assert_int_equal(count, blocked == 0 ? 1 : 0);
        if (count == 1) {
            assert_true(fabs(s.heading) < 1e-6);
            assert_true(s.place.z > 0.3 && fabs(s.place.x) < 0.1);
        }
        fr_surfaces_destroy(surfaces);
        fr_space_destroy(space);
    }
}

// Gaps between two walls, by their width and the height of what is over them.
static void test_gaps(void **state) {
    (void)state;
    fr_surfaces_def def = fr_default_surfaces_def();
    const fr_body_measures *m = &def.measures;
    double pass = 1.3 * m->shoulder_width, side = 1.2 * m->depth;
    const double widths[] = {0.9 * side, 1.02 * side, 0.98 * pass, 1.02 * pass, 1.5 * pass};
    const double heights[] = {0.7 * m->stature, 0.8 * m->stature, 1.0 * m->stature, 1.05 * m->stature, 2.5};
    for (int w = 0; w < 5; w++) {
        for (int h = 0; h < 5; h++) {
            for (double heading = 0.0; heading < 1.0; heading += 0.45) {
                fr_space *space = empty_space();
                add_floor(space, fr_vec3_make(0, 0, 0), 12.0);
                fr_vec3 across = {cos(heading), 0.0, -sin(heading)};
                for (int i = 0; i < 2; i++) {
                    double off = (i == 0 ? 1.0 : -1.0) * (0.5 * widths[w] + 1.5);
                    add_box(space, fr_vec3_make(3.0, 3.0, 0.1), fr_vec3_make(off * across.x, 1.5, off * across.z),
                            heading, 1.0);
                }
                add_box(space, fr_vec3_make(widths[w], 3.0 - heights[h], 0.1),
                        fr_vec3_make(0, 0.5 * (3.0 + heights[h]), 0), heading, 1.0);
                fr_surfaces *surfaces = find_default(space);
                fr_object_id any = {0};
                bool is_pass = w >= 3 && h >= 3, is_side = w >= 1 && !is_pass && h >= 3;
                bool is_duck = w >= 3 && (h == 1 || h == 2);
                assert_int_equal(count_of(surfaces, any, FR_SURFACE_PASS, NULL), is_pass ? 1 : 0);
                assert_int_equal(count_of(surfaces, any, FR_SURFACE_SIDEWAYS, NULL), is_side ? 1 : 0);
                assert_int_equal(count_of(surfaces, any, FR_SURFACE_DUCK, NULL) > 0, is_duck);
                fr_surfaces_destroy(surfaces);
                fr_space_destroy(space);
            }
        }
    }
}

// Feet on the table: a seat before a low table offers it; things to grasp, to press and to hold on to are found.
static void test_feet_and_hands(void **state) {
    (void)state;
    fr_space *space = empty_space();
    fr_mesh *mesh = NULL;
    fr_object_id rail;
    add_floor(space, fr_vec3_make(0, 0, 0), 10.0);
    add_box(space, fr_vec3_make(0.6, 0.45, 0.5), fr_vec3_make(0, 0.225, 0), 0.0, 1.0);
    fr_object_id table = add_box(space, fr_vec3_make(1.0, 0.45, 0.5), fr_vec3_make(0, 0.225, 0.95), 0.0, 1.0);
    add_box(space, fr_vec3_make(0.4, 1.0, 0.4), fr_vec3_make(3, 0.5, 0), 0.0, 1.0);
    fr_object_id can = add_box(space, fr_vec3_make(0.07, 0.12, 0.07), fr_vec3_make(3, 1.06, 0), 0.2, 1.0);
    fr_object_id wall = add_box(space, fr_vec3_make(3, 2.4, 0.1), fr_vec3_make(0, 1.2, -3), 0.0, 1.0);
    fr_object_id button = add_box(space, fr_vec3_make(0.03, 0.03, 0.02), fr_vec3_make(0.5, 1.2, -2.94), 0.0, 1.0);
    assert_int_equal(fr_mesh_create_cylinder(0.02, 1.2, 16, FR_AXIS_X, NULL, &mesh, NULL), FR_OK);
    fr_pose pose = fr_pose_make(fr_vec3_make(-3, 0.9, 0), fr_quat_identity());
    assert_int_equal(fr_object_add_mesh(space, mesh, &pose, &rail, NULL), FR_OK);
    fr_mesh_release(mesh);
    fr_surfaces *surfaces = find_default(space);
    assert_int_equal(count_of(surfaces, table, FR_SURFACE_FEET, NULL), 1);
    assert_int_equal(count_of(surfaces, can, FR_SURFACE_GRASP, NULL), 1);
    assert_int_equal(count_of(surfaces, button, FR_SURFACE_PRESS, NULL), 1);
    assert_int_equal(count_of(surfaces, rail, FR_SURFACE_HOLD, NULL), 1);
    assert_true(count_of(surfaces, wall, FR_SURFACE_LEAN, NULL) >= 1);
    fr_surfaces_destroy(surfaces);
    fr_space_destroy(space);
}

// A beam without posts is gone under; a bench long enough is lain on by a child and not by a tall person.
static void test_beam_and_bench(void **state) {
    (void)state;
    fr_space *space = empty_space();
    add_floor(space, fr_vec3_make(0, 0, 0), 12.0);
    fr_object_id beam = add_box(space, fr_vec3_make(6, 0.2, 0.2), fr_vec3_make(0, 1.6, 3), 0.0, 1.0);
    fr_object_id bench = add_box(space, fr_vec3_make(1.4, 0.35, 0.7), fr_vec3_make(0, 0.175, -2), 0.4, 1.0);
    fr_surfaces *surfaces = find_default(space);
    assert_int_equal(count_of(surfaces, beam, FR_SURFACE_DUCK, NULL), 1);
    assert_int_equal(count_of(surfaces, bench, FR_SURFACE_LIE, NULL), 0);
    fr_surfaces_destroy(surfaces);
    fr_surfaces_def child = fr_default_surfaces_def();
    double *measures = &child.measures.stature;
    for (size_t i = 0; i < sizeof child.measures / sizeof *measures; i++) {
        measures[i] *= 1.0 / 1.7;
    }
    surfaces = find(space, &child, NULL);
    assert_int_equal(count_of(surfaces, beam, FR_SURFACE_DUCK, NULL), 0);
    assert_int_equal(count_of(surfaces, bench, FR_SURFACE_LIE, NULL), 1);
    fr_surfaces_destroy(surfaces);
    fr_space_destroy(space);
}

// ---------------------------------------------------------------------------------------------------------------
// Edges

// Without ground nothing is offered that needs one; far away and scaled the same is found; open shells have two sides.
static void test_degenerate(void **state) {
    (void)state;
    fr_surfaces_def def = fr_default_surfaces_def();
    fr_space *space = empty_space();
    fr_object_id block = add_box(space, fr_vec3_make(0.5, 0.45, 0.5), fr_vec3_make(0, 0.225, 0), 0.0, 1.0);
    fr_surfaces *surfaces = find_default(space);
    assert_int_equal(count_of(surfaces, block, FR_SURFACE_SIT, NULL), 1);
    fr_surfaces_destroy(surfaces);
    def.ground = -INFINITY;
    surfaces = find(space, &def, NULL);
    assert_int_equal(fr_surfaces_get_stats(surfaces).count, 0);
    fr_surfaces_destroy(surfaces);
    fr_space_destroy(space);

    for (int i = 0; i < 2; i++) {
        fr_vec3 far = {1e6, i == 0 ? 0.0 : 1e6, -1e6};
        space = empty_space();
        add_floor(space, far, 6.0);
        block = add_box(space, fr_vec3_make(0.5, 0.45, 0.5), fr_vec3_make(far.x, far.y + 0.225, far.z), 0.3, 125.0);
        surfaces = find_default(space);
        assert_int_equal(count_of(surfaces, block, FR_SURFACE_SIT, NULL), 1);
        fr_surfaces_destroy(surfaces);
        fr_space_destroy(space);
    }

    // A sheet that faces down, and a soup of its two triangles turned against each other.
    static const float corners[] = {-0.3f, 0, -0.3f, 0.3f, 0, -0.3f, 0.3f, 0, 0.3f, -0.3f, 0, 0.3f};
    static const uint32_t sheets[2][6] = {{0, 1, 2, 0, 2, 3}, {0, 1, 2, 0, 3, 2}};
    for (int i = 0; i < 2; i++) {
        fr_mesh_def mesh_def = fr_default_mesh_def();
        mesh_def.positions_float = corners;
        mesh_def.vertex_count = 4;
        mesh_def.triangles = sheets[i];
        mesh_def.triangle_count = 2;
        fr_mesh *mesh = NULL;
        assert_int_equal(fr_mesh_create(&mesh_def, &mesh, NULL), FR_OK);
        space = empty_space();
        fr_pose pose = fr_pose_make(fr_vec3_make(0, 0.45, 0), fr_quat_identity());
        assert_int_equal(fr_object_add_mesh(space, mesh, &pose, &block, NULL), FR_OK);
        fr_mesh_release(mesh);
        surfaces = find_default(space);
        assert_true(count_of(surfaces, block, FR_SURFACE_SIT, NULL) >= 1);
        fr_surfaces_destroy(surfaces);
        fr_space_destroy(space);
    }
}

static void check_same(const fr_surfaces *a, const fr_surfaces *b);

// A mesh of random triangles about the origin; with `size` 0 some are points and lines.
static fr_mesh *random_soup(fr_random *random, uint32_t count, double reach, double size) {
    float *corners = test_malloc(9 * (size_t)count * sizeof *corners);
    uint32_t *triangles = test_malloc(3 * (size_t)count * sizeof *triangles);
    for (uint32_t i = 0; i < count; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = fr_random_between(random, -reach, reach);
        }
        for (uint32_t k = 0; k < 9; k++) {
            double off = i % 100 < 3 ? 0.0 : fr_random_between(random, -size, size);
            corners[9 * i + k] = (float)(at[k % 3] + off);
        }
        for (uint32_t k = 0; k < 3; k++) {
            triangles[3 * i + k] = 3 * i + k;
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = corners;
    def.vertex_count = 3 * count;
    def.triangles = triangles;
    def.triangle_count = count;
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    test_free(corners);
    test_free(triangles);
    return mesh;
}

// 10,000 triangles of no order, points and lines among them, in a room with a floor and in one without: what is found
// holds by the same rules, and stays so where the soup moves.
static void test_soups(void **state) {
    (void)state;
    static const double sizes[] = {0.02, 0.3};
    fr_surfaces_def def = fr_default_surfaces_def();
    for (size_t i = 0; i < 2; i++) {
        fr_random random = fr_random_seed(7 + i);
        fr_mesh *soup_mesh = random_soup(&random, 10000, 2.0, sizes[i]);
        for (int has_floor = 0; has_floor < 2; has_floor++) {
            fr_space *space = empty_space();
            if (has_floor == 1) { add_floor(space, fr_vec3_make(0, 0, 0), 8.0); }
            fr_pose pose = fr_pose_make(fr_vec3_make(0, 2.05, 0), fr_quat_identity());
            fr_object_id id;
            assert_int_equal(fr_object_add_mesh(space, soup_mesh, &pose, &id, NULL), FR_OK);
            assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
            def.ground = has_floor == 1 ? 0.0 : -INFINITY;
            fr_surfaces *kept = find(space, &def, NULL);
            pose.position.x += 0.25;
            assert_int_equal(fr_object_set_pose(space, id, &pose, NULL), FR_OK);
            assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
            fr_surfaces_input input = fr_default_surfaces_input();
            input.space = space;
            assert_int_equal(fr_surfaces_update(kept, &input, NULL), FR_OK);
            fr_surfaces *fresh = find(space, &def, NULL);
            check_same(kept, fresh);
            for (uint32_t k = 0; k < fr_surfaces_get_stats(kept).count; k++) {
                fr_surface s = fr_surfaces_at(kept, k);
                assert_true(fr_vec3_is_finite(s.place) && fr_vec3_is_finite(s.target.position));
                assert_true(isfinite(s.height) && isfinite(s.clearance) && isfinite(s.heading));
            }
            fr_surfaces_stats stats = fr_surfaces_get_stats(kept);
            print_message("soup: %u surfaces of %u faces, %.0f bytes a face\n", stats.count, stats.faces,
                          (double)stats.bytes / 10000);
            assert_true(stats.bytes <= 200u * 10000u);
            fr_surfaces_destroy(fresh);
            fr_surfaces_destroy(kept);
            fr_space_destroy(space);
        }
        fr_mesh_release(soup_mesh);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Random rooms

// Boxes of furniture on a floor.
static fr_space *random_room(fr_random *random, int count) {
    fr_space *space = empty_space();
    add_floor(space, fr_vec3_make(0, 0, 0), 8.0);
    for (int i = 0; i < count; i++) {
        fr_vec3 size = {fr_random_between(random, 0.05, 1.6), fr_random_between(random, 0.1, 1.4),
                        fr_random_between(random, 0.05, 1.0)};
        if (i % 4 == 0) { size.y = fr_random_between(random, 0.35, 0.54); }
        fr_vec3 at = {fr_random_between(random, -3.5, 3.5), 0.5 * size.y, fr_random_between(random, -3.5, 3.5)};
        if (i % 7 == 6) { at.y += fr_random_between(random, 0.0, 1.5); }
        add_box(space, size, at, fr_random_between(random, -3.0, 3.0), i % 3 == 0 ? 2.5 : 1.0);
    }
    assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
    return space;
}

static void test_random_rooms(void **state) {
    (void)state;
    fr_surfaces_def def = fr_default_surfaces_def();
    uint32_t kinds = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        fr_random random = fr_random_seed(seed);
        fr_space *space = random_room(&random, 5 + (int)(seed % 20));
        fr_surfaces *surfaces = find(space, &def, NULL);
        check_all(space, &def, surfaces);
        for (uint32_t i = 0; i < fr_surfaces_get_stats(surfaces).count; i++) {
            kinds |= 1u << fr_surfaces_at(surfaces, i).kind;
        }
        fr_surfaces_destroy(surfaces);
        fr_space_destroy(space);
    }
    assert_int_equal(kinds & 0x7f, 0x7f); // sit, lie, put, step on, feet, lean and pass were among them
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fr_random random = fr_random_seed(seed);
        fr_space *space = random_furniture(&random);
        fr_surfaces *surfaces = find(space, &def, NULL);
        check_all(space, &def, surfaces);
        fr_surfaces_destroy(surfaces);
        fr_space_destroy(space);
    }
}

// Seats that dense sampling finds, every 2 cm along each edge and with 3 cm to spare, are found.
static void test_seats_by_sampling(void **state) {
    (void)state;
    fr_surfaces_def def = fr_default_surfaces_def();
    const fr_body_measures *m = &def.measures;
    double seat = 0.30 / 1.7 * m->stature, front = 0.40 / 1.7 * m->stature, elbow = 0.13 * m->stature;
    int expected = 0, found = 0;
    for (uint64_t seed = 100; seed < 130; seed++) {
        fr_random random = fr_random_seed(seed);
        fr_space *space = random_room(&random, 14);
        fr_surfaces *surfaces = find(space, &def, NULL);
        soup all = soup_of(space);
        for (uint32_t i = 1; i < fr_space_object_places(space); i++) {
            fr_object_id id = fr_space_object_at(space, i);
            fr_pose pose = fr_object_get(space, id)->pose;
            fr_bounds box = fr_mesh_get(fr_object_part(space, id, 0).mesh)->bounds;
            fr_vec3 half = fr_vec3_scale(pose.scale, box.max);
            double top = pose.position.y + half.y;
            bool is_seat = false;
            for (int edge = 0; edge < 4 && !is_seat; edge++) {
                double heading = fr_quat_to_vector(pose.rotation).y + 0.5 * FR_PI * edge;
                double deep = edge % 2 == 0 ? half.z : half.x, wide = edge % 2 == 0 ? half.x : half.z;
                double back = fmax(fmin(deep, 0.15 * m->stature), 0.5 * seat);
                fr_vec3 out = {sin(heading), 0, cos(heading)}, along = {cos(heading), 0, -sin(heading)};
                for (double u = -wide + 0.5 * seat + 0.02; u <= wide - 0.5 * seat - 0.02 && !is_seat; u += 0.02) {
                    fr_vec3 edge_at = fr_vec3_add_scaled(pose.position, u, along);
                    edge_at = fr_vec3_add_scaled(edge_at, deep, out);
                    edge_at.y = top;
                    fr_vec3 at = fr_vec3_add_scaled(edge_at, -back, out);
                    fr_vec3 place = fr_vec3_add_scaled(edge_at, 0.5 * front + 0.015, out);
                    double ground = first_below(&all, fr_vec3_make(place.x, top + 0.05, place.z));
                    if (top - ground < 0.205 * m->stature || top - ground > 0.315 * m->stature) { continue; }
                    place.y = ground;
                    double lap[2] = {m->hip_width + 0.06, seat}, trunk[2] = {m->shoulder_width + 0.06, m->depth + 0.06};
                    double legs[2] = {m->shoulder_width + 0.06, front};
                    is_seat = borne_part(&all, at, heading, seat) > 0.95 &&
                              is_box_free(&all, at, heading, lap, 0.014, elbow) &&
                              is_box_free(&all, at, heading, trunk, elbow, m->sitting_height + 0.03) &&
                              is_box_free(&all, place, heading, legs, 0.029 * m->stature, m->stature + 0.03);
                }
            }
            if (!is_seat) { continue; }
            expected++;
            found += count_of(surfaces, id, FR_SURFACE_SIT, NULL) > 0 ? 1 : 0;
        }
        free(all.corners);
        fr_surfaces_destroy(surfaces);
        fr_space_destroy(space);
    }
    assert_true(expected > 60);
    if (found < 0.95 * expected) { fail_msg("%d of %d seats", found, expected); }
}

// ---------------------------------------------------------------------------------------------------------------
// Kept current, threads, memory

static void check_same(const fr_surfaces *a, const fr_surfaces *b) {
    fr_surfaces_stats p = fr_surfaces_get_stats(a), q = fr_surfaces_get_stats(b);
    assert_int_equal(p.count, q.count);
    assert_int_equal(p.faces, q.faces);
    for (uint32_t i = 0; i < p.count; i++) {
        fr_surface s = fr_surfaces_at(a, i), t = fr_surfaces_at(b, i);
        assert_int_equal(s.kind, t.kind);
        assert_true(fr_object_id_equal(s.object, t.object));
        assert_int_equal(s.triangle, t.triangle);
        assert_true(fr_vec3_equal(s.place, t.place) && fr_vec3_equal(s.target.position, t.target.position));
        assert_true(s.heading == t.heading && s.height == t.height && s.clearance == t.clearance);
        assert_true(fr_vec3_equal(s.center, t.center) && s.width == t.width);
    }
}

// After objects moved, came and went, what is kept equals what is found from scratch, and not all was looked at.
static void test_kept_current(void **state) {
    (void)state;
    fr_surfaces_def def = fr_default_surfaces_def();
    for (uint64_t seed = 1; seed <= 6; seed++) {
        fr_random random = fr_random_seed(seed);
        fr_space *space = random_room(&random, 24);
        fr_surfaces *kept = find(space, &def, NULL);
        fr_surfaces_input input = fr_default_surfaces_input();
        input.space = space;
        uint32_t whole = fr_surfaces_get_stats(kept).looked_at;
        assert_int_equal(fr_surfaces_update(kept, &input, NULL), FR_OK);
        assert_int_equal(fr_surfaces_get_stats(kept).looked_at, 0);
        for (int step = 0; step < 8; step++) {
            uint32_t places = fr_space_object_places(space);
            fr_object_id id = fr_space_object_at(space, 1 + (uint32_t)fr_random_below(&random, places - 1));
            if (step % 4 == 3 && id.index1 != 0) {
                assert_int_equal(fr_object_remove(space, id, NULL), FR_OK);
            } else if (step % 4 == 2) {
                add_box(space, fr_vec3_make(0.5, 0.45, 0.5),
                        fr_vec3_make(fr_random_between(&random, -3, 3), 0.225, 0.5), 0.1, 1.0);
            } else if (id.index1 != 0) {
                fr_pose pose = fr_object_get(space, id)->pose;
                pose.position.x += fr_random_between(&random, -0.5, 0.5);
                assert_int_equal(fr_object_set_pose(space, id, &pose, NULL), FR_OK);
            }
            assert_int_equal(fr_space_update(space, NULL, NULL), FR_OK);
            assert_int_equal(fr_surfaces_update(kept, &input, NULL), FR_OK);
            assert_true(fr_surfaces_get_stats(kept).looked_at <= 2 * whole);
            fr_surfaces *fresh = find(space, &def, NULL);
            check_same(kept, fresh);
            fr_surfaces_destroy(fresh);
        }
        fr_surfaces_destroy(kept);
        fr_space_destroy(space);
    }
}

static void test_threads(void **state) {
    (void)state;
    fr_random random = fr_random_seed(7);
    fr_space *space = random_room(&random, 30);
    fr_surfaces_def def = fr_default_surfaces_def();
    fr_surfaces *serial = find(space, &def, NULL);
    for (int workers = 2; workers <= 5; workers += 3) {
        fr_task_pool_def pool_def = fr_default_task_pool_def();
        pool_def.worker_count = workers;
        fr_task_pool *pool = NULL;
        assert_int_equal(fr_task_pool_create(&pool_def, &pool, NULL), FR_OK);
        fr_tasks tasks = fr_task_pool_tasks(pool);
        fr_surfaces *parallel = find(space, &def, &tasks);
        check_same(serial, parallel);
        fr_surfaces_destroy(parallel);
        fr_task_pool_destroy(pool);
    }
    fr_surfaces_destroy(serial);
    fr_space_destroy(space);
}

// What memory fails in: the room, and what is found in it with memory enough.
typedef struct scarce_room {
    const fr_space *space;
    const fr_surfaces *whole;
} scarce_room;

// After a failure nothing is listed, and the next update finds all.
static fr_status make_surfaces(const fr_allocator *allocator, void *context) {
    const scarce_room *room = context;
    fr_surfaces_def def = fr_default_surfaces_def();
    def.allocator = *allocator;
    fr_surfaces *surfaces = NULL;
    fr_surfaces_input input = fr_default_surfaces_input();
    input.space = room->space;
    fr_status status = fr_surfaces_create(&def, &surfaces, NULL);
    if (status != FR_OK) { return status; }
    status = fr_surfaces_update(surfaces, &input, NULL);
    if (status != FR_OK) {
        assert_int_equal(fr_surfaces_get_stats(surfaces).count, 0);
        test_lift(allocator);
        assert_int_equal(fr_surfaces_update(surfaces, &input, NULL), FR_OK);
    }
    check_same(surfaces, room->whole);
    fr_surfaces_destroy(surfaces);
    return status;
}

static void test_memory(void **state) {
    (void)state;
    fr_random random = fr_random_seed(3);
    fr_space *space = random_room(&random, 6);
    fr_surfaces_def def = fr_default_surfaces_def();
    fr_surfaces *whole = find(space, &def, NULL);
    scarce_room room = {space, whole};
    assert_true(test_every_failure(make_surfaces, &room) > 50);
    fr_surfaces_destroy(whole);
    fr_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_measures),
        cmocka_unit_test(test_heights),
        cmocka_unit_test(test_chair),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_feet_and_hands),
        cmocka_unit_test(test_beam_and_bench),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_soups),
        cmocka_unit_test(test_random_rooms),
        cmocka_unit_test(test_seats_by_sampling),
        cmocka_unit_test(test_kept_current),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
