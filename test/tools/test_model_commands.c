// The commands info and convert, as a user runs them.
#include "frame.h"
#include "scratch.h"

#include "fureai/base.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

// Runs the tool with up to six words.
static int fureai(const char *a, const char *b, const char *c, const char *d, const char *e, const char *f) {
    const char *argv[] = {FUREAI_TOOL, a, b, c, d, e, f, NULL};
    assert_true(process_start(&p, argv, PROCESS_PIPES));
    process_finish(&p);
    return p.status;
}

static void printed(const char *words) {
    if (strstr(p.out, words) == NULL) { fail_msg("'%s' in '%s'", words, p.out); }
}

static const char tetrahedron[] =
    "o tet\nv 0 0 0\nv 6 0 0\nv 0 6 0\nv 0 0 6\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nwhat\n";

static void info_tells_what_is_there(void **state) {
    (void)state;
    put_file("tet.obj", tetrahedron);
    assert_int_equal(fureai("--json", "info", "tet.obj", NULL, NULL, NULL), 0);
    printed("\"format\":\"obj\",\"vertices\":4,\"triangles\":4,\"faces\":4,\"parts\":1");
    printed("\"bounds\":{\"min\":[0,0,0],\"max\":[6,6,6]},\"closed\":true,\"volume\":36");
    printed("\"tree\":[{\"name\":\"tet\",\"parent\":null,\"vertices\":4,\"faces\":4,\"mesh\":0}]");
    printed("\"warnings\":[{\"line\":10,\"column\":1,\"message\":\"statement 'what' is passed over\"}]");
    assert_non_null(strstr(p.err, "tet.obj:10:1: warning: statement 'what'"));
    assert_int_equal(fureai("info", "tet.obj", NULL, NULL, NULL, NULL), 0);
    printed("closed     yes, volume 36");
    printed("tet: 4 faces");
}

static void wrong_files_end_with_3(void **state) {
    (void)state;
    put_file("wrong.obj", "v 0 0 0\nf 1 2 9\n");
    assert_int_equal(fureai("info", "wrong.obj", NULL, NULL, NULL, NULL), 3);
    assert_non_null(strstr(p.err, "wrong.obj:2:7: vertex 9, but the file has 1"));
    assert_int_equal(fureai("info", "none.obj", NULL, NULL, NULL, NULL), 3);
    assert_int_equal(fureai("convert", "wrong.obj", "x.stl", NULL, NULL, NULL), 3);
    assert_int_not_equal(access("x.stl", F_OK), 0);
}

static void convert_writes_every_format(void **state) {
    (void)state;
    static const char *const formats[] = {"obj", "stl", "stl-ascii", "ply", "ply-ascii", "off"};
    put_file("tet.obj", tetrahedron);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(fureai("--json", "convert", "--format", formats[i], "tet.obj", "out"), 0);
        printed("\"triangles\":4,\"ms\":");
        assert_int_equal(fureai("--json", "info", "out", NULL, NULL, NULL), 0);
        char words[60];
        snprintf(words, sizeof words, "\"format\":\"%s\"", formats[i]);
        printed(words);
        printed("\"closed\":true,\"volume\":36");
    }
    assert_int_equal(fureai("convert", "tet.obj", "out.PLY", NULL, NULL, NULL), 0);
    printed("4 triangles from");
}

static void wrong_usage_ends_with_2(void **state) {
    (void)state;
    assert_int_equal(fureai("convert", "tet.obj", "out.doc", NULL, NULL, NULL), 2);
    assert_int_equal(fureai("convert", "tet.obj", NULL, NULL, NULL, NULL), 2);
    assert_int_equal(fureai("info", NULL, NULL, NULL, NULL, NULL), 2);
}

static void what_cannot_be_written_ends_with_1(void **state) {
    (void)state;
    put_file("tet.obj", tetrahedron);
    assert_int_equal(fureai("convert", "tet.obj", "no/such/folder.off", NULL, NULL, NULL), 1);
}

static void info_draws(void **state) {
    (void)state;
    if (!FUREAI_HAVE_PICTURES) { skip(); }
    put_file("tet.obj", tetrahedron);
    assert_int_equal(fureai("info", "--picture", "tet.svg", "tet.obj", NULL, NULL), 0);
    struct stat found;
    assert_int_equal(stat("tet.svg", &found), 0);
    assert_true(found.st_size > 500);
}

static void told(const char *words) {
    if (strstr(p.err, words) == NULL) { fail_msg("'%s' in '%s'", words, p.err); }
}

// A bell that swings and rings, twice the same box, a switch and levels of detail.
static const char bell[] = "#VRML V2.0 utf8\n"
                           "WorldInfo { title \"The bell\" }\n"
                           "DEF clock TimeSensor { cycleInterval 2 loop TRUE }\n"
                           "DEF swing Transform { translation 0 1 0 children [\n"
                           "  Shape { appearance Appearance { material DEF red Material { diffuseColor 1 0 0 } }\n"
                           "    geometry DEF cube Box { size 2 2 2 } }\n"
                           "  Sound { source AudioClip { url \"ring.wav\" } maxFront 20 } ] }\n"
                           "DEF way PositionInterpolator { key [0 1] keyValue [0 1 0, 1 1 0] }\n"
                           "ROUTE clock.fraction_changed TO way.set_fraction\n"
                           "ROUTE way.value_changed TO swing.set_translation\n"
                           "DEF other Transform { translation 10 0 0 children Shape { geometry USE cube } }\n"
                           "Switch { whichChoice 0 choice [ Group { } Shape { geometry Sphere { } } ] }\n"
                           "LOD { level [ Shape { geometry Cone { } } Shape { geometry Box { } } ] }\n";

static void info_tells_the_tree_of_vrml(void **state) {
    (void)state;
    put_file("bell.wrl", bell);
    put_file("ring.wav", "RIFF");
    assert_int_equal(fureai("info", "bell.wrl", NULL, NULL, NULL, NULL), 0);
    printed("format     vrml");
    printed("  swing: 0 faces\n");
    printed("    (no name): 6 faces\n");
    printed(" 6 faces, mesh 0 again\n"); // the cube at its other place
    printed("placed     ");
    printed("  red: colour 1 0 0\n");
    printed("translation of node 0: 2 keys in 2 s, again and again");
    printed("ring.wav: at 0 0 0 m of node");
    printed("WorldInfo: The bell");
    assert_int_equal(fureai("--json", "info", "--split", "def", "bell.wrl", NULL), 0);
    printed("\"tracks\":[{\"kind\":\"translation\",\"node\":0,\"keys\":2,\"cycle\":2,\"start\":0,\"loop\":true}]");
    printed("\"materials\":[{\"name\":\"red\",\"diffuse\":[1,0,0]");
    printed("\"notes\":[{\"kind\":\"WorldInfo\",\"name\":\"\",\"text\":\"The bell\"}]");
    printed("{\"name\":\"swing\",\"node\":0,\"faces\":6,\"triangles\":12,\"min\":[-1,0,-1],\"max\":[1,2,1]}");
    printed("\"min\":[9,-1,-1],\"max\":[11,1,1]}");
}

// A body whose skin follows a joint that turns, with a shape and without one.
#define BODY(displacer)                                                                                                \
    "<X3D><Scene><HAnimHumanoid DEF='body'><HAnimJoint DEF='root' containerField='skeleton' skinCoordIndex='0 "        \
    "1'>" displacer "</HAnimJoint><Coordinate DEF='c' containerField='skinCoord' point='0 0 0 0 0 1 1 0 1'/>"          \
    "<Shape containerField='skin'><IndexedFaceSet coordIndex='0 1 2 -1'><Coordinate USE='c' containerField='coord'/>"  \
    "</IndexedFaceSet></Shape></HAnimHumanoid><TimeSensor DEF='t' loop='true' cycleInterval='2'/>"                     \
    "<OrientationInterpolator DEF='o' key='0 1' keyValue='0 0 1 0 0 0 1 1'/>"                                          \
    "<ROUTE fromNode='t' fromField='fraction_changed' toNode='o' toField='set_fraction'/>"                             \
    "<ROUTE fromNode='o' fromField='value_changed' toNode='root' toField='set_rotation'/></Scene></X3D>"

static void info_tells_skins_and_shapes(void **state) {
    (void)state;
    put_file("body.x3d", BODY(""));
    assert_int_equal(fureai("info", "body.x3d", NULL, NULL, NULL, NULL), 0);
    printed("skins      1\n  body: 2 bones\n");
    printed("animations 1\n  t: 2 s\n");
    printed("played     by 2 bones\n");
    assert_null(strstr(p.out, "shapes "));
    put_file("body.x3d", BODY("<HAnimDisplacer containerField='displacers' coordIndex='2' displacements='0 4 0'/>"));
    assert_int_equal(fureai("info", "body.x3d", NULL, NULL, NULL, NULL), 0);
    printed("shapes     1\n");
    assert_null(strstr(p.out, "played "));
    assert_int_equal(fureai("--json", "info", "body.x3d", NULL, NULL, NULL), 0);
    printed("\"shapes\":1,");
    printed("\"played_bones\":0}");
}

static void info_dumps_all(void **state) {
    (void)state;
    put_file("bell.wrl", bell);
    put_file("ring.wav", "RIFF");
    assert_int_equal(fureai("info", "--dump", "bell.wrl", NULL, NULL, NULL), 0);
    printed("model format vrml unit 1 up ");
    printed("mesh 0 vertices 8 faces 6 box 2 2 2\n");
    printed("vertex -1 -1 -1\n");
    printed("face 0 corners 4 5 7 6 plane 0 0 1 -1");
    printed("clock 0 name \"clock\" cycle 2 start 0 stop 0 loop\n");
    printed("track 0 kind 0 target 0 clock 0 keys 0 1 values 0 1 0 1 1 0\n");
    printed("sound 0 path \"ring.wav\" node ");
    printed("note 0 kind \"WorldInfo\"");
}

static void options_reach_the_reader(void **state) {
    (void)state;
    put_file("bell.wrl", bell);
    assert_int_equal(fureai("--json", "info", "--unit", "cm", "bell.wrl", NULL), 0);
    printed("\"unit\":0.01");
    printed("\"max\":[0.11,0.02,0.01]}");
    assert_int_equal(fureai("--json", "info", "--up=z", "bell.wrl", NULL, NULL), 0);
    printed("\"up\":\"z\"");
    printed("\"max\":[11,1,1]}"); // 2 along the file's y became 2 to the back
    assert_int_equal(fureai("--json", "info", "--lod", "1", "bell.wrl", NULL), 0);
    printed("\"faces\":6,\"parts\":1"); // a box for the cone, the same as the others
    assert_int_equal(fureai("--json", "info", "--all-choices", "bell.wrl", NULL, NULL), 0);
    printed("\"hidden\":true");
    assert_int_equal(fureai("info", "--unit", "furlong", "bell.wrl", NULL, NULL), 2);
    told("--unit: 'furlong' is neither");
    assert_int_equal(fureai("info", "--unit", "-1", "bell.wrl", NULL, NULL), 2);
    put_file("odd.wrl", "#VRML V2.0 utf8\nShape { geometry Box { size -1 1 1 } }\n");
    assert_int_equal(fureai("info", "odd.wrl", NULL, NULL, NULL, NULL), 0);
    told("odd.wrl:2:");
    assert_int_equal(fureai("info", "--strict", "odd.wrl", NULL, NULL, NULL), 3);
    told("odd.wrl:2:");
    assert_int_equal(fureai("--json", "convert", "--unit", "mm", "bell.wrl", "out"), 2);
    assert_int_equal(fureai("convert", "--unit=mm", "--format=off", "bell.wrl", "out", NULL), 0);
    assert_int_equal(fureai("--json", "info", "out", NULL, NULL, NULL), 0);
    printed("\"max\":[0.011,0.002,0.001]}");
}

// What a model refers to is looked for in its own folder alone.
static void files_outside_are_not_opened(void **state) {
    (void)state;
    static const char box[] = "#VRML V2.0 utf8\nShape { geometry Box { } }\n";
    assert_int_equal(mkdir("inner", 0700), 0);
    put_file("outside.wrl", box);
    put_file("inner/beside.wrl", box);
    assert_int_equal(symlink("../outside.wrl", "inner/link.wrl"), 0);
    put_file("inner/all.wrl", "#VRML V2.0 utf8\nInline { url \"beside.wrl\" }\nInline { url \"../outside.wrl\" }\n"
                              "Inline { url \"link.wrl\" }\nInline { url \"/etc/passwd\" }\n");
    assert_int_equal(fureai("--json", "info", "inner/all.wrl", NULL, NULL, NULL), 0);
    printed("\"faces\":6,");
    printed("\"warning_count\":3");
    told("all.wrl:3:");
    told("all.wrl:4:");
    told("all.wrl:5:");
    static const char *const names[] = {"inner/all.wrl", "inner/link.wrl", "inner/beside.wrl", "outside.wrl"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        remove(names[i]);
    }
    assert_int_equal(rmdir("inner"), 0);
}

// Seconds of the processor that a child has taken; below 0 once it has ended.
static double taken_by(pid_t id) {
    char path[64];
    unsigned long long ns = 0;
    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)id);
    FILE *file = fopen(path, "r");
    if (file == NULL) { return -1.0; }
    int count = fscanf(file, "%llu", &ns);
    fclose(file);
    return count == 1 ? 1e-9 * (double)ns : -1.0;
}

static double taken_by_children(void) {
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

// Two million boxes in 673 bytes: whatever the tool is at when a signal comes, it ends within 0.2 s. Time is the
// processor's, which a busy machine does not lengthen.
static void a_signal_ends_a_reading_soon(void **state) {
    (void)state;
    static const double moments[] = {0.1, 0.3, 0.9, 0.15, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.1};
    // Before its first lines the tool has no handler, and a signal ends it at once.
    const bool is_fast = TEST_SAMPLE_DIVISOR == 1;
    const double soon = is_fast ? 0.2 : 2.0, begins = is_fast ? 0.0 : 0.4;
    char text[4096];
    int size = snprintf(text, sizeof text, "#VRML V2.0 utf8\nPROTO P0 [] { Shape { geometry Box {} } }\n");
    for (int level = 1; level <= 7; level++) {
        size += snprintf(text + size, sizeof text - (size_t)size, "PROTO P%d [] { Group { children [", level);
        for (int i = 0; i < 8; i++) {
            size += snprintf(text + size, sizeof text - (size_t)size, " P%d {}", level - 1);
        }
        size += snprintf(text + size, sizeof text - (size_t)size, " ] } }\n");
    }
    snprintf(text + size, sizeof text - (size_t)size, "P7 {}\n");
    put_file("nested.wrl", text);
    const char *argv[] = {FUREAI_TOOL, "info", "nested.wrl", NULL};
    double worst = 0.0;
    for (size_t i = 0; i < (test_is_long() ? sizeof moments / sizeof moments[0] : 3); i++) {
        double before = taken_by_children(), at = 0.0;
        assert_true(process_start(&p, argv, PROCESS_PIPES));
        for (uint64_t since = fr_clock_ns(); at < begins + moments[i] && fr_clock_ms_since(since) < 20000.0;) {
            nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
            at = taken_by(p.id);
            if (at < 0.0) { skip(); } // a system without this count
        }
        assert_int_equal(kill(p.id, i % 2 == 0 ? SIGTERM : SIGINT), 0);
        process_finish(&p);
        assert_int_equal(p.status, 1);
        told("stopped");
        double after = taken_by_children() - before - at;
        if (after > soon) { fail_msg("%.3f s after a signal at %.3f s", after, at); }
        worst = after > worst ? after : worst;
    }
    print_message("at most %.3f s after a signal\n", worst);
    remove("nested.wrl");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_tells_what_is_there),
        cmocka_unit_test(wrong_files_end_with_3),
        cmocka_unit_test(convert_writes_every_format),
        cmocka_unit_test(wrong_usage_ends_with_2),
        cmocka_unit_test(what_cannot_be_written_ends_with_1),
        cmocka_unit_test(info_draws),
        cmocka_unit_test(info_tells_the_tree_of_vrml),
        cmocka_unit_test(info_tells_skins_and_shapes),
        cmocka_unit_test(info_dumps_all),
        cmocka_unit_test(options_reach_the_reader),
        cmocka_unit_test(files_outside_are_not_opened),
        cmocka_unit_test(a_signal_ends_a_reading_soon),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
