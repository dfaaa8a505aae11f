// The command convert over the formats that keep the tree, units, axes and checksums, as a user runs it.
#include "scratch.h"

// Runs `fureai convert` with up to five words.
static int convert(const char *a, const char *b, const char *c, const char *d, const char *e) {
    const char *argv[] = {FUREAI_TOOL, "convert", a, b, c, d, e, NULL};
    assert_true(process_start(&p, argv, PROCESS_PIPES));
    process_finish(&p);
    return p.status;
}

static void info_prints(const char *name, const char *words) {
    const char *argv[] = {FUREAI_TOOL, "--json", "info", name, NULL};
    assert_true(process_start(&p, argv, PROCESS_PIPES));
    process_finish(&p);
    if (p.status != 0 || strstr(p.out, words) == NULL) { fail_msg("'%s' in '%s%s'", words, p.out, p.err); }
}

static int set_up(void **state) {
    if (make_folder(state) != 0) { return -1; }
    put_file("part.obj", "o tet\nv 0 0 0\nv 6 0 0\nv 0 3 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    return 0;
}

static void trees_come_back(void **state) {
    (void)state;
    assert_int_equal(convert("part.obj", "a.wrl", NULL, NULL, NULL), 0);
    info_prints("a.wrl", "\"triangles\":4");
    info_prints("a.wrl", "\"name\":\"tet\"");
    assert_int_equal(convert("a.wrl", "b.frm", NULL, NULL, NULL), 0);
    info_prints("b.frm", "\"format\":\"frm\"");
    assert_int_equal(convert("--verify", "b.frm", "c.wrl", NULL, NULL), 0);
    info_prints("c.wrl", "\"triangles\":4");
    assert_int_equal(convert("b.frm", "d.glb", NULL, NULL, NULL), 0);
}

static void damage_is_found_by_verify(void **state) {
    (void)state;
    assert_int_equal(convert("part.obj", "b.frm", NULL, NULL, NULL), 0);
    // A bit of the first coordinates, which stay finite.
    FILE *file = fopen("b.frm", "r+b");
    assert_non_null(file);
    fseek(file, 64, SEEK_SET);
    fputc(1, file);
    fclose(file);
    assert_int_equal(convert("b.frm", "e.obj", NULL, NULL, NULL), 0);
    assert_int_equal(convert("--verify", "b.frm", "e.obj", NULL, NULL), 3);
    assert_non_null(strstr(p.err, "checksum of chunk VERT"));
}

static void units_and_axes_are_turned_both_ways(void **state) {
    (void)state;
    assert_int_equal(convert("--out-unit=mm", "--out-up=z", "part.obj", "e.obj", NULL), 0);
    info_prints("e.obj", "6000");
    assert_int_equal(convert("--unit=mm", "--up=z", "e.obj", "f.obj", NULL), 0);
    info_prints("f.obj", "\"max\":[6,3,1]");
    assert_int_equal(convert("--out-unit=furlong", "part.obj", "f.obj", NULL, NULL), 2);
    assert_int_equal(convert("part.obj", "f.x3d", NULL, NULL, NULL), 2);
    assert_non_null(strstr(p.err, ".wrl, .glb or .frm"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_come_back),
        cmocka_unit_test(damage_is_found_by_verify),
        cmocka_unit_test(units_and_axes_are_turned_both_ways),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
