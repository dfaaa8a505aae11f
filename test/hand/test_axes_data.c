// The holes of a real plate: against its outlines, and with a peg.
#include "hands.h"

#define HEAD 84
#define RECORD 50

// A binary STL file, which is all this needs.
static fr_mesh *read_mesh(const char *relative) {
    static unsigned char bytes[1 << 18];
    static float positions[9 * 4096];
    static uint32_t triangles[3 * 4096];
    char path[1024];
    FILE *file = fopen(test_shared_path(relative, path, sizeof path), "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    uint32_t count = (uint32_t)((size - HEAD) / RECORD);
    assert_true(size == HEAD + RECORD * (size_t)count && count < 4096);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(positions + 9 * (size_t)i, bytes + HEAD + RECORD * (size_t)i + 12, 36);
        for (uint32_t k = 0; k < 3; k++) {
            triangles[3 * i + k] = 3 * i + k;
        }
    }
    fr_mesh_def def = fr_default_mesh_def();
    def.positions_float = positions;
    def.vertex_count = 3 * count;
    def.triangles = triangles;
    def.triangle_count = count;
    fr_mesh *mesh;
    assert_int_equal(fr_mesh_create(&def, &mesh, NULL), FR_OK);
    return mesh;
}

// A hole in the outline of a face across z that is round: its middle and radius.
typedef struct ring {
    double x, y, z, radius;
    uint32_t corners;
} ring;

static bool ring_of(const fr_mesh *mesh, const uint32_t *loop, uint32_t count, ring *out) {
    const float *p = fr_mesh_get(mesh)->positions_float;
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) {
            double x = (double)p[3 * (size_t)loop[i] + (size_t)k];
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
    }
    *out = (ring){.x = 0.5 * (low[0] + high[0]), .y = 0.5 * (low[1] + high[1]), .corners = count};
    out->z = (double)p[3 * (size_t)loop[0] + 2];
    out->radius = 0.5 * (high[0] - low[0]);
    for (uint32_t i = 0; i < count; i++) {
        const float *q = p + 3 * (size_t)loop[i];
        double x = (double)q[0] - out->x, y = (double)q[1] - out->y;
        if (fabs(sqrt(x * x + y * y) - out->radius) > 1e-3 * out->radius) { return false; }
    }
    return true;
}

static uint32_t rings_of(const fr_mesh *mesh, ring *rings, uint32_t capacity) {
    fr_topology_def topology_def = fr_default_topology_def();
    topology_def.is_welded = true;
    fr_topology *topology;
    fr_planar_faces *planar;
    assert_int_equal(fr_topology_create(mesh, &topology_def, &topology, NULL), FR_OK);
    fr_planar_def def = fr_default_planar_def();
    def.topology = topology;
    assert_int_equal(fr_planar_create(mesh, &def, &planar, NULL), FR_OK);
    uint32_t count = 0;
    for (uint32_t i = 0; i < planar->face_count; i++) {
        const fr_planar_face *f = &planar->faces[i];
        for (uint32_t k = 1; k < f->loop_count && fabs(f->normal.z) > 0.999; k++) {
            uint32_t begin = planar->loop_begin[f->first_loop + k], end = planar->loop_begin[f->first_loop + k + 1];
            ring r;
            if (!ring_of(mesh, planar->loop_vertices + begin, end - begin, &r)) { continue; }
            assert_true(count < capacity);
            rings[count++] = r;
        }
    }
    fr_planar_destroy(planar);
    fr_topology_destroy(topology);
    return count;
}

static bool has_end_at(const fr_aid_axis *axis, const ring *r) {
    double dx = axis->point.x - r->x, dy = axis->point.y - r->y, dz = fabs(axis->point.z - r->z);
    return sqrt(dx * dx + dy * dy) < 1e-2 && fabs(axis->radius - r->radius) < 1e-2 &&
           fabs(dz - 0.5 * axis->length) < 1e-3 && axis->facet_count == r->corners;
}

// Five holes through the plate, four of them sunk with a cone, one with a wider hole above: 6 round places.
static void test_the_holes_of_a_plate(void **state) {
    (void)state;
    fr_mesh *mesh = read_mesh("data/mesh-trimesh/plate_holes.STL");
    fr_aid_axis axes[16];
    ring rings[64];
    uint32_t count, ring_count = rings_of(mesh, rings, 64), narrow = 0, wide = 0;
    assert_int_equal(fr_aid_axes(mesh, NULL, axes, 16, &count, NULL), FR_OK);
    assert_int_equal(count, 6);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(axes[i].is_hole && fabs(fabs(axes[i].direction.z) - 1.0) < 1e-9);
        narrow += fabs(axes[i].radius - 3.3782) < 1e-3;
        wide += fabs(axes[i].radius - 5.55625) < 1e-3;
        uint32_t ends = 0;
        for (uint32_t k = 0; k < ring_count; k++) {
            ends += has_end_at(&axes[i], &rings[k]);
        }
        assert_true(ends > 0);
    }
    assert_int_equal(narrow, 5);
    assert_int_equal(wide, 1);
    // All that is round in the underside begins a hole
    uint32_t below = 0;
    for (uint32_t k = 0; k < ring_count; k++) {
        if (fabs(rings[k].z) > 1e-3) { continue; }
        uint32_t holes = 0;
        for (uint32_t i = 0; i < count; i++) {
            holes += has_end_at(&axes[i], &rings[k]);
        }
        assert_int_equal(holes, 1);
        below++;
    }
    assert_int_equal(below, 5);
    fr_mesh_release(mesh);
}

// A peg, 6 degrees askew and a millimetre beside, goes through each hole of the plate, which is in millimetres and
// stands anyhow.
static void test_a_peg_goes_through_each_hole(void **state) {
    (void)state;
    fr_random random = fr_random_seed(2);
    fr_mesh *mesh = read_mesh("data/mesh-trimesh/plate_holes.STL"), *peg;
    fr_aid_axis axes[16];
    uint32_t count;
    assert_int_equal(fr_aid_axes(mesh, NULL, axes, 16, &count, NULL), FR_OK);
    assert_int_equal(fr_mesh_create_cylinder(0.0031, 0.03, 24, FR_AXIS_Y, NULL, &peg, NULL), FR_OK);
    for (uint32_t i = 0; i < count; i++) {
        if (axes[i].radius > 4.0) { continue; }
        fr_pose place = random_pose(&random, 0.5, 3.0);
        place.scale = 0.001;
        scene s;
        open_scene(&s, fr_vec3_make(0.0, 5.0, 0.0));
        assert_int_equal(fr_object_remove(s.space, s.held, NULL), FR_OK);
        s.others[s.other_count++] = add_mesh(&s, mesh, &place);
        // The underside is z = 0, below it is outside
        fr_vec3 mouth = fr_pose_apply(&place, fr_vec3_make(axes[i].point.x, axes[i].point.y, 0.0));
        fr_vec3 in = fr_pose_turn(&place, fr_vec3_make(0.0, 0.0, 1.0)), aside = fr_vec3_perpendicular(in);
        fr_quat askew = fr_quat_from_axis_angle(fr_vec3_cross(in, aside), fr_radians(6.0));
        s.raw.rotation = fr_quat_multiply(askew, fr_quat_between(fr_vec3_make(0.0, 1.0, 0.0), in));
        fr_vec3 tip_local = fr_vec3_make(0.0, 0.015, 0.0);
        for (int k = 0; k <= 30; k++) {
            fr_vec3 at = fr_vec3_add_scaled(fr_vec3_add_scaled(mouth, 0.001, aside), -0.01 + 0.0008 * k, in);
            s.raw.position = fr_vec3_sub(at, fr_pose_turn(&s.raw, tip_local));
            if (k == 0) {
                fr_aid_def def = fr_default_aid_def();
                def.axis_reach = 0.003;
                s.held = add_mesh(&s, peg, &s.raw);
                grasp(&s, &def);
            }
            frame(&s);
            assert_int_equal(crossings(&s, peg), 0);
        }
        assert_int_equal(held_of_kind(&s, FR_AID_AXIS), 1);
        fr_vec3 tip = fr_pose_apply(&s.out.shown, tip_local);
        assert_true(fr_vec3_distance(tip, fr_vec3_add_scaled(mouth, 0.014, in)) < 1e-4);
        close_scene(&s);
    }
    fr_mesh_release(mesh);
    fr_mesh_release(peg);
}

static void test_the_round_end_of_a_pocket(void **state) {
    (void)state;
    fr_mesh *mesh = read_mesh("data/mesh-trimesh/octagonal_pocket.stl");
    fr_aid_axis axes[4];
    uint32_t count;
    assert_int_equal(fr_aid_axes(mesh, NULL, axes, 4, &count, NULL), FR_OK);
    assert_int_equal(count, 1);
    assert_true(axes[0].is_hole && fabs(axes[0].radius - 0.01905) < 1e-6);
    assert_int_equal(axes[0].facet_count, 30);
    assert_true(fabs(fr_degrees(axes[0].angle) - 300.0) < 3.0);
    fr_mesh_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_holes_of_a_plate),
        cmocka_unit_test(test_a_peg_goes_through_each_hole),
        cmocka_unit_test(test_the_round_end_of_a_pocket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
