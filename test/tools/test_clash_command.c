// The commands clash and shape, as a user runs them.
#include "scratch.h"

// A box of edge 1 about a centre, as a part of an OBJ file; `first` is the number of its first vertex.
static size_t print_box(char *text, size_t size, const char *name, int first, double x, double y, double z,
                        double edge) {
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    size_t used = (size_t)snprintf(text, size, "o %s\n", name);
    for (int i = 0; i < 8; i++) {
        double h = edge / 2;
        used += (size_t)snprintf(text + used, size - used, "v %g %g %g\n", x + (i % 2 ? h : -h),
                                 y + (i / 2 % 2 ? h : -h), z + (i / 4 ? h : -h));
    }
    for (int i = 0; i < 12; i++) {
        used += (size_t)snprintf(text + used, size - used, "f %d %d %d\n", first + faces[i][0], first + faces[i][1],
                                 first + faces[i][2]);
    }
    return used;
}

// Two boxes in one file: `one` about the origin, and `two`.
static void put_boxes(const char *path, double x, double y, double z, double edge) {
    char text[4096];
    size_t used = print_box(text, sizeof text, "one", 1, 0, 0, 0, 1);
    print_box(text + used, sizeof text - used, "two", 9, x, y, z, edge);
    put_file(path, text);
}

static void kinds_and_depths_are_told(void **state) {
    (void)state;
    put_boxes("apart.obj", 2, 0, 0, 1);
    RUN("clash", "apart.obj");
    expect_answer("0 clashes of 2 parts in ");
    put_boxes("touching.obj", 1, 0.25, 0.25, 1);
    RUN("--json", "clash", "touching.obj");
    expect_answer("{\"parts\":2,\"clashes\":[{\"a\":\"one\",\"b\":\"two\",\"kind\":\"touching\",\"pairs\":");
    expect_in(p.out, "\"depth\":null,\"distance\":0,\"group\":0,\"region\":[[[0.5,");
    put_boxes("protrusion.obj", 0.75, 0.25, 0.375, 1);
    RUN("--json", "clash", "protrusion.obj");
    expect_answer("\"kind\":\"protrusion\",\"pairs\":");
    expect_in(p.out, "\"depth\":0.25,\"distance\":0,\"group\":0,\"region\":[[[");
    put_boxes("enclosed.obj", 0.125, 0, 0, 0.5);
    RUN("--json", "clash", "enclosed.obj");
    expect_answer("\"kind\":\"enclosed\",\"pairs\":0,\"depth\":0.25,\"distance\":null,\"group\":0,\"region\":[]}]");
    put_boxes("same.obj", 0, 0, 0, 1);
    RUN("--json", "clash", "same.obj");
    expect_answer("\"depth\":null");
    assert_null(strstr(p.out, "touching"));
}

// Two boxes of a thousandth of a millimetre; the second is in the first by less than a nanometre, or by more.
static void tiny_depths_are_not_none(void **state) {
    (void)state;
    static const struct {
        double depth;
        const char *text;
    } cases[] = {{4e-10, "  depth under 1e-9 m\n"}, {2e-8, "  depth 2e-08 m\n"}};
    for (size_t i = 0; i < 2; i++) {
        char text[4096];
        size_t used = print_box(text, sizeof text, "one", 1, 0, 0, 0, 1e-6);
        print_box(text + used, sizeof text - used, "two", 9, 1e-6 - cases[i].depth, 2.5e-7, 2.5e-7, 1e-6);
        put_file("tiny.obj", text);
        RUN("clash", "tiny.obj");
        expect_in(p.out, cases[i].text);
    }
}

static void the_check_fails_for_what_is_inside(void **state) {
    (void)state;
    put_boxes("touching.obj", 1, 0, 0, 1);
    put_boxes("protrusion.obj", 0.75, 0.25, 0.375, 1);
    put_boxes("enclosed.obj", 0, 0, 0, 0.5);
    RUN("clash", "--check", "touching.obj");
    expect_answer("one  two  touching ");
    RUN("clash", "--check", "protrusion.obj");
    assert_int_equal(p.status, 4);
    expect_in(p.out, "one  two  protrusion ");
    RUN("--json", "clash", "--check", "enclosed.obj");
    assert_int_equal(p.status, 4);
    expect_in(p.out, "\"kind\":\"enclosed\"");
    RUN("clash", "protrusion.obj");
    assert_int_equal(p.status, 0);
}

static void a_model_without_faces_is_refused(void **state) {
    (void)state;
    put_boxes("apart.obj", 2, 0, 0, 1);
    put_file("points.obj", "v 0 0 0\nv 1 0 0\n");
    RUN("clash", "--check", "apart.obj", "points.obj", "gone.obj");
    assert_int_equal(p.status, 1);
    expect_in(p.out, "0 clashes of 2 parts");
    expect_in(p.err, "points.obj: the model has no face");
    expect_in(p.err, "2 models could not be read and were left out:");
    RUN("clash", "points.obj", "gone.obj");
    assert_int_equal(p.status, 3);
    put_file("nothing.obj", "");
    RUN("clash", "--check", "nothing.obj");
    expect_failure(3, "nothing.obj: ");
}

// With --memory meshes are made when they are needed; what is found is the same to the last byte.
static void a_limit_of_memory_changes_no_result(void **state) {
    (void)state;
    put_boxes("protrusion.obj", 0.75, 0.25, 0.375, 1);
    put_boxes("enclosed.obj", 0.125, 0.0625, 0.125, 0.25);
    put_file("points.obj", "v 0 0 0\nv 1 0 0\n");
    char *const names[] = {"--ignore", "*:two", "--clearance", "0.25", "protrusion.obj", "enclosed.obj", NULL};
    for (int i = 0; i < 2; i++) {
        char *expected = NULL;
        for (int k = 0; k < 2; k++) {
            if (i == 0) {
                RUN("--json", "clash", names[4], names[5], k == 0 ? "--groups" : "--memory=1");
            } else {
                RUN("--json", "clash", names[0], names[1], names[2], names[3], names[4], names[5],
                    k == 0 ? "--groups" : "--memory=1");
            }
            assert_int_equal(p.status, 0);
            char *ms = strstr(p.out, ",\"ms\":");
            assert_non_null(ms);
            *ms = '\0';
            if (k == 0) { expected = strdup(p.out); }
        }
        expect_in(p.out, "\"kind\"");
        expect_in(p.err, "meshes in ");
        assert_string_equal(p.out, expected);
        free(expected);
    }
    RUN("clash", "protrusion.obj", "points.obj", "--memory", "1");
    assert_int_equal(p.status, 1);
    expect_in(p.out, "1 clash of 2 parts");
    expect_in(p.err, "points.obj: the model has no face");
    RUN("clash", "protrusion.obj", "--memory", "1", "--report", "page.html");
    assert_int_equal(p.status, 0);
    expect_in(p.err, "need all meshes at once");
}

static void one_is_not_told_as_many(void **state) {
    (void)state;
    put_boxes("protrusion.obj", 0.75, 0.25, 0.375, 1);
    RUN("clash", "protrusion.obj");
    expect_answer("\n1 clash of 2 parts in ");
    RUN("shape", "box", "alone.obj");
    RUN("clash", "alone.obj");
    expect_answer("0 clashes of 1 part in ");
    put_file("corner.obj", "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no b\nv 0 0 1\nv 1 0 1\nf 1 4 5\n");
    RUN("clash", "corner.obj");
    expect_answer("a  b  touching            1 pair \n");
}

static void tables_overwrite_no_input(void **state) {
    (void)state;
    put_boxes("protrusion.obj", 0.75, 0.25, 0.375, 1);
    put_boxes("apart.obj", 2, 0, 0, 1);
    assert_int_equal(link("apart.obj", "same.csv"), 0);
    RUN("clash", "protrusion.obj", "apart.obj", "--csv", "same.csv");
    expect_failure(3, "apart.obj: --csv would overwrite this file, which is read\n");
    expect_in(take_file("apart.obj"), "o one\n");
    RUN("clash", "protrusion.obj", "--csv", "same.csv"); // is not read now
    assert_int_equal(p.status, 0);
}

static void the_tolerance_lets_parts_touch(void **state) {
    (void)state;
    put_boxes("gap.obj", 1.0625, 0, 0, 1);
    RUN("clash", "gap.obj", "--tolerance", "0.05");
    expect_answer("0 clashes of 2 parts");
    RUN("clash", "gap.obj", "--tolerance", "0.07", "--check");
    expect_answer("one  two  touching            0 pairs\n");
    put_boxes("deep.obj", 0.9375, 0.25, 0.25, 1);
    RUN("clash", "deep.obj", "--tolerance", "0.06", "--check");
    assert_int_equal(p.status, 4);
    RUN("clash", "deep.obj", "--tolerance", "0.07", "--check");
    expect_answer("one  two  touching ");
    expect_in(p.out, "depth 0.0625");
}

static void rules_choose_pairs(void **state) {
    (void)state;
    char text[8192];
    size_t used = print_box(text, sizeof text, "plate", 1, 0, 0, 0, 1);
    used += print_box(text + used, sizeof text - used, "bolt.1", 9, 0.75, 0.25, 0.375, 1);
    used += print_box(text + used, sizeof text - used, "bolt.2", 17, -0.75, 0.25, 0.375, 1);
    print_box(text + used, sizeof text - used, "nut", 25, 0, 1.75, 0, 1);
    put_file("rules.obj", text);
    RUN("clash", "rules.obj", "--groups");
    expect_answer("plate   bolt.1  protrusion          2 clashes  depth up to 0.25 m\n");
    expect_in(p.out, "\n2 clashes of 4 parts");
    expect_in(p.out, "\n1 group of like clashes\n");
    RUN("clash", "rules.obj", "--ignore", "bolt.?:pl*,x:y");
    expect_answer("0 clashes of 4 parts");
    RUN("clash", "rules.obj", "--only", "*::bolt.2");
    expect_answer("plate   bolt.2  protrusion");
    expect_in(p.out, "\n1 clash of 4 parts");
    RUN("clash", "rules.obj", "--clearance", "0.125,nut:bolt.1=0.5", "--check");
    assert_int_equal(p.status, 4);
    expect_in(p.out, "bolt.1  nut     clearance           0 pairs  distance 0.5 m\n");
    assert_null(strstr(p.out, "bolt.2  nut"));
    RUN("--json", "clash", "rules.obj", "--clearance", "0.5");
    expect_in(p.out, "\"kind\":\"clearance\",\"pairs\":0,\"depth\":null,\"distance\":0.5,\"group\":1,");
    expect_in(p.out,
              "\"groups\":[{\"kind\":\"protrusion\",\"first\":0,\"count\":2,\"max_depth\":0.25,\"min_distance\":0},");
    RUN("clash", "rules.obj", "--ignore", "bolt");
    expect_failure(2, "--ignore: 'bolt' is no pair of patterns A:B");
    RUN("clash", "rules.obj", "--only", "a:b:c");
    expect_failure(2, "--only: 'a:b:c' has several colons: write A::B");
    RUN("clash", "rules.obj", "--clearance", "a:b=-1");
    expect_failure(2, "--clearance: 'a:b=-1' is neither a length in metres nor A:B=D");
}

static void parts_of_several_files_are_compared(void **state) {
    (void)state;
    put_boxes("a.obj", 3, 0, 0, 1);
    put_boxes("b.obj", 3, 0.5, 0, 1);
    RUN("shape", "sphere_168", "c.obj");
    RUN("clash", "a.obj", "b.obj", "c.obj");
    expect_answer("a.obj:one  b.obj:one  duplicate");
    expect_in(p.out, "a.obj:one  c.obj      enclosed");
    expect_in(p.out, "a.obj:two  b.obj:two  protrusion");
    expect_in(p.out, "5 parts in ");
    RUN("clash", "c.obj", "c.obj");
    expect_answer("c.obj#0  c.obj#1  ");
}

static void tables_are_written(void **state) {
    (void)state;
    char text[4096];
    size_t used = print_box(text, sizeof text, "a \"b\", c", 1, 0, 0, 0, 1);
    print_box(text + used, sizeof text - used, "two", 9, 0.75, 0.25, 0.5, 1);
    put_file("names.obj", text);
    RUN("clash", "names.obj", "--csv", "names.csv");
    assert_int_equal(p.status, 0);
    expect_in(take_file("names.csv"),
              "a,b,kind,pairs,depth,x,y,z,distance,group\n\"a \"\"b\"\", c\",\"two\",protrusion,");
    expect_in(take_file("names.csv"), ",0.375,0.125,0.25,0,0\n");
    RUN("clash", "names.obj", "--csv", "no/such/folder.csv");
    expect_failure(1, "no/such/folder.csv");
}

static size_t count_in(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

// The bytes of a file that pictures make long.
static char *take_long_file(const char *name) {
    const size_t most = 8 << 20;
    char *text = malloc(most);
    FILE *file = fopen(name, "rb");
    assert_true(text != NULL && file != NULL);
    text[fread(text, 1, most - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void a_page_is_written(void **state) {
    (void)state;
    char text[8192];
    size_t used = print_box(text, sizeof text, "<b>&\"1\"\033z", 1, 0, 0, 0, 1);
    used += print_box(text + used, sizeof text - used, "two", 9, -0.9375, 0.125, 0.125, 1);
    print_box(text + used, sizeof text - used, "three", 17, 0.75, 0.25, 0.375, 1);
    put_file("page.obj", text);
    RUN("clash", "page.obj", "--report", "page.html");
    expect_answer("2 clashes of 3 parts");
    char *page = take_long_file("page.html");
    expect_in(page, "<!doctype html>");
    expect_in(page, "&lt;b&gt;&amp;&quot;1&quot;?z</td><td>three</td><td>protrusion</td>");
    // The deeper comes first.
    const char *deepest = strstr(page, "250 mm"), *other = strstr(page, "62.5 mm");
    assert_true(deepest != NULL && other != NULL && deepest < other);
    assert_int_equal(count_in(page, "data:image/png;base64,iVBORw0KGgo"), FUREAI_HAVE_PICTURES ? 3 : 0);
    assert_int_equal(count_in(page, "<h2 id="), 2);
    expect_in(page, "</html>");
    free(page);
    RUN("clash", "page.obj", "--report", "no/such/folder.html");
    expect_failure(1, "no/such/folder.html");
    RUN("clash", "--motion", "page.json", "--report", "page.html");
    expect_failure(2, "--picture and --report draw parts that stand still");
}

static void names_do_not_steer_the_terminal(void **state) {
    (void)state;
    char text[4096];
    size_t used = print_box(text, sizeof text, "a\033[2J", 1, 0, 0, 0, 1);
    print_box(text + used, sizeof text - used, "two", 9, 0.75, 0.25, 0.5, 1);
    put_file("steer.obj", text);
    RUN("clash", "steer.obj");
    expect_answer("a?[2J  two    protrusion");
    RUN("info", "steer.obj");
    expect_answer("  a?[2J: 12 faces\n");
}

static void bad_input_is_told(void **state) {
    (void)state;
    RUN("clash", "nowhere.stl");
    expect_failure(3, "nowhere.stl: ");
    put_file("wrong.obj", "v 0 0 0\nf 1 2 3\n");
    RUN("clash", "wrong.obj");
    expect_failure(3, "wrong.obj:2:");
    RUN("clash");
    expect_failure(2, "MODEL is missing");
    RUN("clash", "--tolerance", "-1", "wrong.obj");
    expect_failure(2, "--tolerance: -1 is outside");
}

static void clashes_are_drawn(void **state) {
    (void)state;
    if (!FUREAI_HAVE_PICTURES) { skip(); }
    put_boxes("protrusion.obj", 0.75, 0.25, 0.375, 1);
    RUN("clash", "protrusion.obj", "--picture", "clash.svg");
    expect_answer("protrusion");
    expect_in(take_file("clash.svg"), "<svg");
}

// Three boxes with materials, two of which collide.
static void put_painted_boxes(const char *name, const char *paint) {
    char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, "mtllib %s\nusemtl first\n", paint);
    used += print_box(text + used, sizeof text - used, "one", 1, 0, 0, 0, 1);
    used += (size_t)snprintf(text + used, sizeof text - used, "usemtl second\n");
    used += print_box(text + used, sizeof text - used, "two", 9, 0.75, 0.25, 0.375, 1);
    used += print_box(text + used, sizeof text - used, "three", 17, 4, 0, 0, 1);
    put_file(name, text);
}

// Colours of legends are printed as they are, those of triangles less the shade.
static void pictures_keep_the_colours_of_models(void **state) {
    (void)state;
    if (!FUREAI_HAVE_PICTURES) { skip(); }
    put_file("green.mtl", "newmtl first\nKd 0 1 0\nnewmtl second\nKd 0 0.6 0.6\n");
    put_painted_boxes("green.obj", "green.mtl");
    RUN("clash", "green.obj", "--picture", "green.svg");
    expect_answer("protrusion");
    const char *drawn = take_file("green.svg");
    expect_in(drawn, "rgb(0%,100%,0%)");
    expect_in(drawn, "rgb(0%,60%,60%)");
    assert_true(count_in(drawn, "rgb(0%,") > 3 + 12); // the third box, too
    expect_in(drawn, "rgb(83.921569%,15.294118%,15.686275%)");

    // Faces of red parts collide in another colour.
    put_file("red.mtl", "newmtl first\nKd 0.9 0.1 0.1\nnewmtl second\nKd 0 0.6 0.6\n");
    put_painted_boxes("red.obj", "red.mtl");
    RUN("clash", "red.obj", "--picture", "red.svg");
    drawn = take_file("red.svg");
    expect_in(drawn, "rgb(90.196078%,10.196078%,10.196078%)");
    expect_in(drawn, "rgb(58.823529%,11.764706%,78.431373%)");
    assert_null(strstr(drawn, "rgb(83.921569%"));
}

// ---------------------------------------------------------------------------------------------------------------
// shape

static void shapes_are_written(void **state) {
    (void)state;
    static const char *const names[] = {"s.obj", "s.stl", "s.ply", "s.off", "s.wrl", "s.glb", "s.frm"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        RUN("--json", "shape", "sphere_24", names[i]);
        expect_answer("\"triangles\":24");
        RUN("--json", "info", names[i]);
        expect_answer("\"triangles\":24");
        expect_in(p.out, "\"closed\":true");
    }
    RUN("shape", "sphere:4x8", "s.obj");
    expect_answer("sphere:4x8: 48 triangles, 26 vertices in s.obj\n");
    RUN("shape", "--list");
    expect_answer("box\ncapsule\nchair\n");
    RUN("--json", "shape", "--list");
    expect_answer("{\"shapes\":[\"box\",");
}

static void wrong_shapes_are_refused(void **state) {
    (void)state;
    RUN("shape", "teapot", "t.obj");
    expect_failure(2, "no shape 'teapot'; known: box, ");
    RUN("shape", "sphere:1x1", "t.obj");
    expect_failure(2, "usage: fureai shape");
    RUN("shape", "box", "t.txt");
    expect_failure(2, "t.txt ends with no format that is written");
    RUN("shape", "box", "t.dxf");
    expect_failure(2, "t.dxf ends with no format that is written");
    RUN("shape", "box");
    expect_failure(2, "OUT is missing");
    RUN("shape", "box", "no/such/t.obj");
    expect_failure(1, "no/such/t.obj");
    assert_int_not_equal(access("t.obj", F_OK), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_and_depths_are_told),
        cmocka_unit_test(tiny_depths_are_not_none),
        cmocka_unit_test(the_check_fails_for_what_is_inside),
        cmocka_unit_test(a_model_without_faces_is_refused),
        cmocka_unit_test(a_limit_of_memory_changes_no_result),
        cmocka_unit_test(one_is_not_told_as_many),
        cmocka_unit_test(tables_overwrite_no_input),
        cmocka_unit_test(the_tolerance_lets_parts_touch),
        cmocka_unit_test(rules_choose_pairs),
        cmocka_unit_test(parts_of_several_files_are_compared),
        cmocka_unit_test(tables_are_written),
        cmocka_unit_test(a_page_is_written),
        cmocka_unit_test(names_do_not_steer_the_terminal),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(clashes_are_drawn),
        cmocka_unit_test(pictures_keep_the_colours_of_models),
        cmocka_unit_test(shapes_are_written),
        cmocka_unit_test(wrong_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
