// The times that fureai sweep tells: against spheres whose times are known, and against looking often.
#include "contact_table.h"
#include "frame.h"

#include "fureai/scene.h"

#include <math.h>

// ---------------------------------------------------------------------------------------------------------------
// Two spheres

// The radius of the largest sphere inside a sphere made of triangles.
static double inner_radius(const char *name) {
    fr_mesh *mesh = NULL;
    assert_int_equal(fr_mesh_create_named(name, NULL, &mesh, NULL), FR_OK);
    double radius = 1.0;
    for (uint32_t i = 0; i < fr_mesh_get(mesh)->triangle_count; i++) {
        fr_vec3 c[3];
        fr_mesh_corners(mesh, i, c);
        fr_vec3 normal = fr_vec3_cross(fr_vec3_sub(c[1], c[0]), fr_vec3_sub(c[2], c[0]));
        double distance = fabs(fr_vec3_dot(normal, c[0])) / fr_vec3_length(normal);
        radius = distance < radius ? distance : radius;
    }
    fr_mesh_release(mesh);
    return radius;
}

#define FLIGHT(speed, angular, steps)                                                                                  \
    "{\"fureai\":1,\"step\":0.125,\"steps\":" steps ",\"objects\":[{\"name\":\"a\",\"shape\":\"sphere_168\","          \
    "\"angular_velocity_deg\":[0,200,30]},{\"name\":\"b\",\"shape\":\"sphere_168\",\"position\":[-6,0.5,0.25],"        \
    "\"velocity\":[" speed ",0,0],\"angular_velocity_deg\":[" angular "]}]}"

// One sphere flies past another at 4 m/s, both turning. The spheres about them meet when their centres are 2 apart, and
// the spheres inside them when these are 2 r apart: contact begins and ends between.
static void check_flight(const char *scene) {
    double r = inner_radius("sphere_168"), aside = 0.5 * 0.5 + 0.25 * 0.25;
    double outer = sqrt(4.0 - aside) / 4.0, inner = sqrt(4.0 * r * r - aside) / 4.0;
    assert_true(r > 0.9 && inner < outer);
    put_file("flight.json", scene);
    RUN("sweep", "flight.json", "--csv", "flight.csv");
    assert_int_equal(p.status, 0);
    contact_table table = read_table("flight.csv");
    double first = (double)INFINITY, last = 0.0;
    for (size_t i = 0; i < table.count; i++) {
        first = table.rows[i].begin < first ? table.rows[i].begin : first;
        last = table.rows[i].end > last ? table.rows[i].end : last;
    }
    assert_true(first >= 1.5 - outer - 1e-6 && first <= 1.5 - inner);
    assert_true(last >= 1.5 + inner && last <= 1.5 + outer + 1e-6);
    // Between, some faces are in contact at any time.
    for (int i = 1; i < 200; i++) {
        double time = 1.5 + inner * (0.01 * i - 1.0);
        size_t k = 0;
        while (k < table.count && !(table.rows[k].begin <= time && table.rows[k].end >= time)) {
            k++;
        }
        assert_true(k < table.count);
    }
    free(table.rows);
}

static void spheres_meet_when_they_must(void **state) {
    (void)state;
    check_flight(FLIGHT("4", "0,0,0", "24"));
    check_flight(FLIGHT("4", "300,100,-500", "24"));
    check_flight(FLIGHT("4", "2000,-4000,3000", "24"));
}

// Whatever the step, a contact over several steps is one: with a step of the whole flight, and with many.
static void steps_do_not_divide_contacts(void **state) {
    (void)state;
    static const char *const steps[] = {"{\"fureai\":1,\"step\":4,\"steps\":1",
                                        "{\"fureai\":1,\"step\":0.03125,\"steps\":128"};
    contact_table tables[2];
    for (int i = 0; i < 2; i++) {
        char scene[512];
        snprintf(scene, sizeof scene,
                 "%s,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\",\"shape\":\"box\",\"position\":"
                 "[-4,0.25,0.125],\"velocity\":[2,0,0]}]}",
                 steps[i]);
        put_file("fly.json", scene);
        RUN("sweep", "fly.json", "--csv", "fly.csv");
        assert_int_equal(p.status, 0);
        tables[i] = read_table("fly.csv");
    }
    assert_true(tables[0].count > 10 && tables[0].count == tables[1].count);
    for (size_t i = 0; i < tables[0].count; i++) {
        const table_contact *one = &tables[0].rows[i];
        size_t k = 0;
        while (k < tables[1].count &&
               (tables[1].rows[k].triangle_a != one->triangle_a || tables[1].rows[k].triangle_b != one->triangle_b)) {
            k++;
        }
        assert_true(k < tables[1].count);
        assert_true(fabs(tables[1].rows[k].begin - one->begin) < 1e-5 && fabs(tables[1].rows[k].end - one->end) < 1e-5);
    }
    free(tables[0].rows);
    free(tables[1].rows);
}

// ---------------------------------------------------------------------------------------------------------------
// Random scenes, looked at often

#define OBJECTS 3
#define STEPS 4
#define STEP 0.25

static double between(fr_random *random, double low, double high) { return fr_random_between(random, low, high); }

static void write_scene(fr_random *random, char *text, size_t size) {
    static const char *const shapes[] = {"box", "sphere_24", "sphere_48"};
    int at = snprintf(text, size, "{\"fureai\":1,\"step\":%g,\"steps\":%d,\"objects\":[", STEP, STEPS);
    for (int i = 0; i < OBJECTS; i++) {
        double n[10];
        for (int k = 0; k < 10; k++) {
            n[k] = between(random, -1.0, 1.0);
        }
        at +=
            snprintf(text + at, size - (size_t)at,
                     "%s{\"name\":\"%c\",\"shape\":\"%s\",\"position\":[%.6f,%.6f,%.6f],\"velocity\":[%.6f,%.6f,%.6f],"
                     "\"axis_angle_deg\":[%.6f,1,%.6f,70],\"angular_velocity_deg\":[%.6f,%.6f,200]}",
                     i > 0 ? "," : "", 'a' + i, shapes[i], 1.5 * n[0], 1.5 * n[1], 1.5 * n[2], 3 * n[3], 3 * n[4],
                     3 * n[5], n[6], n[7], 600 * n[8], 600 * n[9]);
    }
    snprintf(text + at, size - (size_t)at, "]}");
}

typedef struct sampled {
    fr_scene *scene;
    fr_space *space;
    fr_object_id ids[OBJECTS];
    fr_collide *asker;
    contact_table table;
} sampled;

// Puts the objects where they are at a part of a step.
static void place(sampled *s, uint32_t k, double fraction) {
    for (uint32_t i = 0; i < OBJECTS; i++) {
        fr_motion motion = fr_scene_motion(s->scene, i, k);
        fr_pose pose = fr_motion_pose(&motion, fraction);
        assert_int_equal(fr_object_set_pose(s->space, s->ids[i], &pose, NULL), FR_OK);
    }
    assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK);
}

static const table_contact *find_contact(const sampled *s, const fr_face_pair *pair, double time) {
    for (size_t i = 0; i < s->table.count; i++) {
        const table_contact *c = &s->table.rows[i];
        bool is_same = c->a[0] == (char)('a' + (int)pair->a) && c->b[0] == (char)('a' + (int)pair->b) &&
                       c->triangle_a == pair->triangle_a && c->triangle_b == pair->triangle_b;
        if (is_same && c->begin <= time && c->end >= time) { return c; }
    }
    return NULL;
}

// Every pair that collides at an instant is in contact then. How many there were.
static size_t check_instants(sampled *s, uint32_t samples) {
    size_t found = 0;
    fr_collide_input input = fr_default_collide_input();
    input.space = s->space;
    input.want = FR_WANT_PAIRS;
    for (uint32_t k = 0; k < STEPS; k++) {
        for (uint32_t i = 0; i <= samples; i++) {
            double fraction = (double)i / samples;
            place(s, k, fraction);
            fr_collide_output output;
            assert_int_equal(fr_collide_static(s->asker, &input, &output, NULL), FR_OK);
            for (size_t q = 0; q < output.pair_count; q++) {
                assert_non_null(find_contact(s, &output.pairs[q], STEP * (k + fraction)));
            }
            found += output.pair_count;
        }
    }
    return found;
}

static double distance_at(sampled *s, const table_contact *c, double time) {
    uint32_t k = (uint32_t)(time / STEP);
    k = k < STEPS ? k : STEPS - 1;
    place(s, k, time / STEP - k);
    fr_vec3 a[3], b[3];
    assert_int_equal(fr_object_corners(s->space, s->ids[c->a[0] - 'a'], c->triangle_a, a, NULL), FR_OK);
    assert_int_equal(fr_object_corners(s->space, s->ids[c->b[0] - 'a'], c->triangle_b, b, NULL), FR_OK);
    return fr_triangle_distance(a, b, NULL, NULL);
}

// Faces are together where a contact begins, nearly so where it ends, and those of one pair are told once at a time.
static void check_contacts(sampled *s) {
    for (size_t i = 0; i < s->table.count; i++) {
        const table_contact *c = &s->table.rows[i];
        assert_true(distance_at(s, c, c->begin) < 1e-5);
        if (isfinite(c->end)) { assert_true(distance_at(s, c, c->end) < 1e-3); }
        for (size_t k = 0; k < i; k++) {
            const table_contact *o = &s->table.rows[k];
            bool is_same = strcmp(o->a, c->a) == 0 && strcmp(o->b, c->b) == 0 && o->triangle_a == c->triangle_a &&
                           o->triangle_b == c->triangle_b;
            assert_true(o->id != c->id && (!is_same || o->end < c->begin || c->end < o->begin));
        }
    }
}

static size_t check_scene(fr_random *random, uint32_t samples) {
    char text[2048];
    sampled s = {0};
    write_scene(random, text, sizeof text);
    put_file("random.json", text);
    RUN("sweep", "random.json", "--csv", "random.csv");
    assert_int_equal(p.status, 0);
    s.table = read_table("random.csv");
    assert_int_equal(fr_scene_read(text, strlen(text), NULL, &s.scene, NULL), FR_OK);
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &s.space, NULL), FR_OK);
    assert_int_equal(fr_collide_create(NULL, &s.asker, NULL), FR_OK);
    assert_int_equal(fr_scene_build(s.scene, NULL, s.space, s.ids, NULL), FR_OK);
    size_t found = check_instants(&s, samples);
    check_contacts(&s);
    fr_collide_destroy(s.asker);
    fr_space_destroy(s.space);
    fr_scene_destroy(s.scene);
    free(s.table.rows);
    return found;
}

static void whoever_looks_often_sees_nothing_more(void **state) {
    (void)state;
    fr_random random = fr_random_seed(6);
    uint64_t scenes = test_count(8, 300);
    size_t found = 0;
    for (uint64_t i = 0; i < scenes; i++) {
        found += check_scene(&random, test_is_long() ? 500 : 60);
    }
    assert_true(found > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_meet_when_they_must),
        cmocka_unit_test(steps_do_not_divide_contacts),
        cmocka_unit_test(whoever_looks_often_sees_nothing_more),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
