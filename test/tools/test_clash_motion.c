// The command clash --motion: what it tells of moving parts, against sweep and against looking often.
#include "contact_table.h"
#include "frame.h"

#include "fureai/scene.h"

#include <math.h>
#include <signal.h>

#define DEMO(name) DEMO_FOLDER "/" name

// ---------------------------------------------------------------------------------------------------------------
// Reading the document

typedef struct told_clash {
    char a[32], b[32], kind[16];
    double first, depth;
    double times[32][2]; // ends are infinite where it lasts
    size_t time_count;
    uint32_t triangles[4096][2];
    size_t triangle_count;
} told_clash;

// Reads what follows a key behind `at`.
static const char *behind(const char *at, const char *key) {
    const char *found = strstr(at, key);
    if (found == NULL) { fail_msg("%s is not in %.200s", key, at); }
    return found + strlen(key);
}

static void read_times(const char *at, told_clash *out) {
    for (; *at == '{' || *at == ','; out->time_count++) {
        assert_true(out->time_count < 32);
        at = behind(at, "\"begin\":");
        double *time = out->times[out->time_count];
        time[0] = strtod(at, NULL);
        at = behind(at, "\"end\":");
        time[1] = *at == 'n' ? (double)INFINITY : strtod(at, NULL);
        at = behind(at, "}");
    }
}

static void read_triangles(const char *at, told_clash *out) {
    for (; *at == '[' || *at == ','; at = behind(at, "]")) {
        uint32_t *pair = out->triangles[out->triangle_count];
        assert_true(out->triangle_count < 4096);
        assert_int_equal(sscanf(*at == ',' ? at + 1 : at, "[%u,%u]", &pair[0], &pair[1]), 2);
        out->triangle_count++;
    }
}

// The next clash of the document behind `at`; NULL when there is none.
static const char *read_clash(const char *at, told_clash *out) {
    memset(out, 0, sizeof *out);
    at = strstr(at, "{\"a\":\"");
    if (at == NULL) { return NULL; }
    int got = sscanf(at, "{\"a\":\"%31[^\"]\",\"b\":\"%31[^\"]\",\"kind\":\"%15[^\"]\",\"first\":%lf", out->a, out->b,
                     out->kind, &out->first);
    assert_int_equal(got, 4);
    read_times(behind(at, "\"intervals\":["), out);
    read_triangles(behind(at, "\"triangles\":["), out);
    at = behind(at, "\"depth\":");
    out->depth = *at == 'n' ? FR_UNKNOWN : strtod(at, NULL);
    return at;
}

static void find_clash(const char *a, const char *b, told_clash *out) {
    const char *at = p.out;
    do {
        at = read_clash(at, out);
        if (at == NULL) { fail_msg("no clash of %s and %s in %.400s", a, b, p.out); }
    } while (strcmp(out->a, a) != 0 || strcmp(out->b, b) != 0);
}

static told_clash told; // one at a time: it is large

// ---------------------------------------------------------------------------------------------------------------
// Simple truths

static void a_door_hits_a_chair(void **state) {
    (void)state;
    RUN("clash", "--motion", DEMO("door.json"));
    expect_answer("door#0  chair   protrusion       ");
    expect_in(p.out, " pairs  from 2.86908 s to 7.13092 s, depth ");
    expect_in(p.out, "1 clash of 21 parts until 10 s in ");
    RUN("clash", "--motion", DEMO("door.json"), "--check", "--csv", "door.csv");
    assert_int_equal(p.status, 4);
    expect_in(take_file("door.csv"), "a,b,kind,pairs,depth,first,last,times,x,y,z\n\"door#0\",\"chair\",protrusion,");
    RUN("clash", "--motion", DEMO("door.json"), "--check", "--tolerance", "0.02");
    assert_int_equal(p.status, 0);
    expect_in(p.out, "touching");
}

// Its path opens the door by 100 degrees from 1 s to 4 s: its hinge meets the chair at the same angle.
static void a_hinge_through_its_limits_finds_what_the_path_finds(void **state) {
    (void)state;
    RUN("--json", "clash", "--motion", DEMO("door.json"));
    find_clash("door#0", "chair", &told);
    double wanted = (told.first - 1.0) / 3.0 * 100.0;
    RUN("--json", "clash", "--moving", DEMO("door.json"));
    assert_int_equal(p.status, 0);
    expect_in(p.out, "\"joint\":\"door\",\"value_deg\":");
    double met = strtod(behind(p.out, "\"value_deg\":"), NULL);
    print_message("the door meets the chair at %.4f degrees, %.4f on its path\n", met, wanted);
    assert_true(fabs(met - wanted) < 0.01);
    RUN("clash", "--moving", DEMO("door.json"));
    expect_in(p.out, ", joint of door at 62.3");
    RUN("clash", "--moving", DEMO("door.json"), DEMO("door.json"));
    assert_int_equal(p.status, 2);
}

// A box of edge 1 and one of edge 4, along x: inside until 0.75 s, out at 1.25 s, and back.
#define BOXES(speed, from, steps)                                                                                      \
    "{\"fureai\":1,\"step\":0.5,\"steps\":" steps ",\"objects\":[{\"name\":\"big\",\"shape\":\"box\",\"scale\":4},"    \
    "{\"name\":\"small\",\"shape\":\"box\",\"position\":[" from ",0.25,0.125],\"velocity\":[" speed ",0,0]}]}"

static void what_is_inside_clashes(void **state) {
    (void)state;
    put_file("stays.json", BOXES("0.125", "0", "4"));
    RUN("--json", "clash", "--motion", "stays.json");
    find_clash("big", "small", &told);
    assert_string_equal(told.kind, "enclosed");
    assert_true(told.time_count == 1 && told.times[0][0] == 0.0 && isinf(told.times[0][1]));
    assert_true(told.first == 0.0 && told.triangle_count == 0 && told.depth > 1.0);

    put_file("leaves.json", BOXES("2", "0", "4"));
    RUN("--json", "clash", "--motion", "leaves.json");
    find_clash("big", "small", &told);
    assert_string_equal(told.kind, "protrusion");
    assert_true(told.time_count == 1 && told.times[0][0] == 0.0 && told.first == 0.0);
    assert_true(told.times[0][1] >= 1.25 && told.times[0][1] < 1.25 + 1e-5);

    // In at 0.75 s, and it stays inside.
    put_file("comes.json", BOXES("2", "-4", "4"));
    RUN("--json", "clash", "--motion", "comes.json");
    find_clash("big", "small", &told);
    assert_true(told.time_count == 1 && isinf(told.times[0][1]));
    assert_true(told.first <= 0.75 && told.first > 0.75 - 1e-5);

    // In and out again, faces touching at neither end of most steps.
    put_file("passes.json", BOXES("2", "-4", "10"));
    RUN("--json", "clash", "--motion", "passes.json");
    find_clash("big", "small", &told);
    assert_true(told.time_count == 1 && told.times[0][1] >= 3.25 && told.times[0][1] < 3.25 + 1e-5);
}

// A box of edge 0.5 flies through one of edge 1 in one step: it is inside from one passage to the other.
static void what_passes_between_instants_is_measured(void **state) {
    (void)state;
    put_file("fly.json",
             "{\"fureai\":1,\"step\":1,\"steps\":1,\"objects\":[{\"name\":\"a\",\"shape\":\"box\"},{\"name\":\"b\","
             "\"shape\":\"box\",\"scale\":0.5,\"position\":[-4,0.125,0.0625],\"velocity\":[8,0,0]}]}");
    RUN("--json", "clash", "--motion", "fly.json");
    find_clash("a", "b", &told);
    assert_string_equal(told.kind, "protrusion");
    assert_true(told.first <= 0.40625 && told.first > 0.40625 - 1e-5 && told.depth > 0.1);
    assert_true(told.time_count == 1 && told.times[0][0] == told.first);
    double end = told.times[0][1];
    assert_true(end >= 0.59375 && end < 0.59375 + 1e-5);
    expect_in(p.out, "\"partial\":false,\"until\":1,\"ms\":");
}

// A box of edge 1 that a model moves by itself, at 5 m/s from 3 m away: its vertices move, and no depth is measured.
static void models_that_move_by_themselves_clash(void **state) {
    (void)state;
    put_file("slide.wrl", "#VRML V2.0 utf8\n"
                          "DEF T Transform { children Shape { geometry Box { size 1 1 1 } } }\n"
                          "DEF C TimeSensor { cycleInterval 2 loop TRUE }\n"
                          "DEF P PositionInterpolator { key [ 0 1 ] keyValue [ 0 0 0, 10 0 0 ] }\n"
                          "ROUTE C.fraction_changed TO P.set_fraction\n"
                          "ROUTE P.value_changed TO T.set_translation\n");
    put_file("slide.json",
             "{\"fureai\":1,\"step\":0.125,\"steps\":15,\"objects\":[{\"name\":\"wall\",\"shape\":\"box\"},"
             "{\"name\":\"slide\",\"model\":\"slide.wrl\",\"position\":[-4,0.25,0.125]}]}");
    RUN("--json", "clash", "--motion", "slide.json");
    find_clash("wall", "slide", &told);
    assert_string_equal(told.kind, "piercing");
    assert_true(told.first <= 0.6 && told.first > 0.6 - 1e-4 && fr_is_unknown(told.depth));
    assert_true(told.time_count == 1 && told.times[0][1] >= 1.0 && told.times[0][1] < 1.0 + 1e-4);
}

static void wrong_usage_is_told(void **state) {
    (void)state;
    put_file("fly.json", BOXES("2", "0", "1"));
    RUN("clash", "--motion", "fly.json", "fly.json");
    expect_failure(2, "--motion takes one SCENE");
    RUN("clash", "--motion", "fly.json", "--picture", "fly.svg");
    expect_failure(2, "--picture and --report draw parts that stand still");
    RUN("clash", "--motion", "nowhere.json");
    expect_failure(3, "nowhere.json: ");
}

static void an_interrupt_gives_a_part(void **state) {
    (void)state;
    const char *const argv[] = {FUREAI_TOOL, "clash", "--motion", DEMO("gears.json"), "--csv", "gears.csv", NULL};
    assert_true(process_start(&p, argv, PROCESS_TERMINAL));
    assert_true(process_wait_for(&p, "steps"));
    assert_int_equal(kill(p.id, SIGINT), 0);
    process_finish(&p);
    assert_int_equal(p.status, 1);
    expect_in(p.err, "stopped");
    expect_in(p.out, "stopped, the report is a part: ");
    assert_int_not_equal(access("gears.csv", F_OK), 0);
}

// ---------------------------------------------------------------------------------------------------------------
// Random scenes of models with two parts

#define OBJECTS 3
#define STEPS 4
#define STEP 0.25

static void write_model(void) {
    FILE *file = fopen("two.obj", "wb");
    assert_non_null(file);
    uint32_t base = 1;
    for (int part = 0; part < 2; part++) {
        fr_mesh *mesh = NULL;
        assert_int_equal(fr_mesh_create_named(part == 0 ? "box" : "sphere_24", NULL, &mesh, NULL), FR_OK);
        const fr_mesh_view *view = fr_mesh_get(mesh);
        fprintf(file, "o part%d\n", part);
        for (uint32_t i = 0; i < view->triangle_count; i++) {
            fr_vec3 c[3];
            fr_mesh_corners(mesh, i, c);
            for (int k = 0; k < 3; k++) {
                fprintf(file, "v %.9g %.9g %.9g\n", 0.6 * c[k].x + 0.9 * part, 0.6 * c[k].y, 0.6 * c[k].z);
            }
            fprintf(file, "f %u %u %u\n", base, base + 1, base + 2);
            base += 3;
        }
        fr_mesh_release(mesh);
    }
    fclose(file);
}

static void write_scene(fr_random *random, char *text, size_t size) {
    int at = snprintf(text, size, "{\"fureai\":1,\"step\":%g,\"steps\":%d,\"objects\":[", STEP, STEPS);
    for (int i = 0; i < OBJECTS; i++) {
        double n[9];
        for (int k = 0; k < 9; k++) {
            n[k] = fr_random_between(random, -1.0, 1.0);
        }
        at += snprintf(text + at, size - (size_t)at,
                       "%s{\"name\":\"%c\",\"model\":\"two.obj\",\"position\":[%.6f,%.6f,%.6f],\"velocity\":[%.6f,%.6f,"
                       "%.6f],\"angular_velocity_deg\":[%.6f,%.6f,%.6f]}",
                       i > 0 ? "," : "", 'a' + i, 1.6 * n[0], 1.6 * n[1], 1.6 * n[2], 3 * n[3], 3 * n[4], 3 * n[5],
                       500 * n[6], 500 * n[7], 500 * n[8]);
    }
    snprintf(text + at, size - (size_t)at, "]}");
}

static fr_status load_model(const char *path, const void **bytes, size_t *size, void *context, fr_error *error) {
    (void)context, (void)error;
    const char *text = take_file(path);
    *bytes = text;
    *size = strlen(text);
    return FR_OK;
}

static void unload_model(const void *bytes, size_t size, void *context) { (void)bytes, (void)size, (void)context; }

typedef struct sampled {
    fr_scene *scene;
    fr_space *space;
    fr_object_id ids[OBJECTS];
    fr_collide *asker;
    size_t found;
} sampled;

static bool holds_time(const told_clash *c, double time) {
    for (size_t i = 0; i < c->time_count; i++) {
        if (c->times[i][0] <= time && c->times[i][1] >= time) { return true; }
    }
    return false;
}

static bool holds_triangles(const told_clash *c, uint32_t a, uint32_t b) {
    for (size_t i = 0; i < c->triangle_count; i++) {
        if (c->triangles[i][0] == a && c->triangles[i][1] == b) { return true; }
    }
    return false;
}

// Every two parts whose faces collide at an instant clash then, by these triangles.
static void check_instant(sampled *s, uint32_t k, double fraction) {
    for (uint32_t i = 0; i < OBJECTS; i++) {
        fr_motion motion = fr_scene_motion(s->scene, i, k);
        fr_pose pose = fr_motion_pose(&motion, fraction);
        assert_int_equal(fr_object_set_pose(s->space, s->ids[i], &pose, NULL), FR_OK);
    }
    assert_int_equal(fr_space_update(s->space, NULL, NULL), FR_OK);
    fr_collide_input input = fr_default_collide_input();
    input.space = s->space;
    input.want = FR_WANT_PAIRS;
    fr_collide_output output;
    assert_int_equal(fr_collide_static(s->asker, &input, &output, NULL), FR_OK);
    char a[8] = "", b[8] = "";
    for (size_t i = 0; i < output.pair_count; i++) {
        const fr_face_pair *pair = &output.pairs[i];
        char name_a[8], name_b[8];
        uint32_t part_a = fr_object_part_of_triangle(s->space, s->ids[pair->a], pair->triangle_a);
        uint32_t part_b = fr_object_part_of_triangle(s->space, s->ids[pair->b], pair->triangle_b);
        snprintf(name_a, sizeof name_a, "%c#%u", 'a' + (int)pair->a, part_a);
        snprintf(name_b, sizeof name_b, "%c#%u", 'a' + (int)pair->b, part_b);
        if (strcmp(name_a, a) != 0 || strcmp(name_b, b) != 0) {
            find_clash(name_a, name_b, &told);
            strcpy(a, name_a);
            strcpy(b, name_b);
        }
        assert_true(holds_time(&told, STEP * (k + fraction)));
        assert_true(holds_triangles(&told, pair->triangle_a, pair->triangle_b));
    }
    s->found += output.pair_count;
}

// What sweep tells of the same scene: each contact is in a clash, and the first of them is when it begins. Whether all
// triangles of clashes are among the contacts is counted.
static void check_sweep(const contact_table *table, const fr_space *space, const fr_object_id *ids) {
    size_t in_clashes = 0, distinct = 0;
    for (const char *at = read_clash(p.out, &told); at != NULL; at = read_clash(at, &told)) {
        double first = (double)INFINITY;
        for (size_t i = 0; i < table->count; i++) {
            const table_contact *c = &table->rows[i];
            uint32_t part_a = fr_object_part_of_triangle(space, ids[c->a[0] - 'a'], c->triangle_a);
            uint32_t part_b = fr_object_part_of_triangle(space, ids[c->b[0] - 'a'], c->triangle_b);
            char name_a[8], name_b[8];
            snprintf(name_a, sizeof name_a, "%c#%u", c->a[0], part_a);
            snprintf(name_b, sizeof name_b, "%c#%u", c->b[0], part_b);
            if (strcmp(name_a, told.a) != 0 || strcmp(name_b, told.b) != 0) { continue; }
            first = c->begin < first ? c->begin : first;
            assert_true(holds_triangles(&told, c->triangle_a, c->triangle_b));
            assert_true(holds_time(&told, c->begin) && (isinf(c->end) || holds_time(&told, c->end)));
            in_clashes++;
        }
        assert_true(told.triangle_count == 0 ? told.first == 0.0 : told.first == first || told.first == 0.0);
        distinct += told.triangle_count;
    }
    assert_int_equal(in_clashes, table->count);
    assert_true(distinct <= table->count);
}

static size_t check_scene(fr_random *random, uint32_t samples) {
    char text[2048];
    sampled s = {0};
    write_scene(random, text, sizeof text);
    put_file("random.json", text);
    RUN("sweep", "random.json", "--csv", "random.csv");
    contact_table table = read_table("random.csv");
    assert_int_equal(fr_scene_read(text, strlen(text), NULL, &s.scene, NULL), FR_OK);
    fr_space_def def = fr_default_space_def();
    assert_int_equal(fr_space_create(&def, &s.space, NULL), FR_OK);
    assert_int_equal(fr_collide_create(NULL, &s.asker, NULL), FR_OK);
    fr_scene_build_input building = fr_default_scene_build_input();
    building.load = load_model;
    building.unload = unload_model;
    building.is_double = true;
    assert_int_equal(fr_scene_build(s.scene, &building, s.space, s.ids, NULL), FR_OK);
    RUN("--json", "clash", "--motion", "random.json");
    assert_int_equal(p.status, 0);
    check_sweep(&table, s.space, s.ids);
    for (uint32_t k = 0; k < STEPS; k++) {
        for (uint32_t i = 0; i <= samples; i++) {
            check_instant(&s, k, (double)i / samples);
        }
    }
    fr_collide_destroy(s.asker);
    fr_space_destroy(s.space);
    fr_scene_destroy(s.scene);
    free(table.rows);
    return s.found;
}

static void nothing_is_missed(void **state) {
    (void)state;
    write_model();
    fr_random random = fr_random_seed(7);
    uint64_t scenes = test_count(4, 100);
    size_t found = 0;
    for (uint64_t i = 0; i < scenes; i++) {
        found += check_scene(&random, test_is_long() ? 300 : 25);
    }
    assert_true(found > 250 * scenes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_door_hits_a_chair),
        cmocka_unit_test(a_hinge_through_its_limits_finds_what_the_path_finds),
        cmocka_unit_test(what_is_inside_clashes),
        cmocka_unit_test(what_passes_between_instants_is_measured),
        cmocka_unit_test(models_that_move_by_themselves_clash),
        cmocka_unit_test(wrong_usage_is_told),
        cmocka_unit_test(an_interrupt_gives_a_part),
        cmocka_unit_test(nothing_is_missed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
