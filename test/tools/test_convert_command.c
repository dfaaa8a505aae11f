// The command convert over the formats that keep the tree, units, axes and checksums, as a user runs it.
#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static process p;
static char folder[64];

static const char *path_of(const char *name) {
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

// Runs `fureai convert` with up to five words.
static int convert(const char *a, const char *b, const char *c, const char *d, const char *e) {
    const char *argv[] = {FUREAI_TOOL, "convert", a, b, c, d, e, NULL};
    assert_true(process_start(&p, argv, PROCESS_PIPES));
    process_finish(&p);
    return p.status;
}

static void info_prints(const char *name, const char *words) {
    const char *argv[] = {FUREAI_TOOL, "--json", "info", path_of(name), NULL};
    assert_true(process_start(&p, argv, PROCESS_PIPES));
    process_finish(&p);
    if (p.status != 0 || strstr(p.out, words) == NULL) { fail_msg("'%s' in '%s%s'", words, p.out, p.err); }
}

static int set_up(void **state) {
    (void)state;
    strcpy(folder, "/tmp/fureai-convert-XXXXXX");
    if (mkdtemp(folder) == NULL) { return -1; }
    FILE *file = fopen(path_of("part.obj"), "wb");
    if (file == NULL) { return -1; }
    fputs("o tet\nv 0 0 0\nv 6 0 0\nv 0 3 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", file);
    return fclose(file);
}

static int tear_down(void **state) {
    (void)state;
    static const char *const names[] = {"part.obj", "a.wrl", "b.frm", "c.wrl", "d.glb", "e.obj", "f.obj"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        remove(path_of(names[i]));
    }
    return rmdir(folder);
}

static void trees_come_back(void **state) {
    (void)state;
    assert_int_equal(convert(path_of("part.obj"), path_of("a.wrl"), NULL, NULL, NULL), 0);
    info_prints("a.wrl", "\"triangles\":4");
    info_prints("a.wrl", "\"name\":\"tet\"");
    assert_int_equal(convert(path_of("a.wrl"), path_of("b.frm"), NULL, NULL, NULL), 0);
    info_prints("b.frm", "\"format\":\"frm\"");
    assert_int_equal(convert("--verify", path_of("b.frm"), path_of("c.wrl"), NULL, NULL), 0);
    info_prints("c.wrl", "\"triangles\":4");
    assert_int_equal(convert(path_of("b.frm"), path_of("d.glb"), NULL, NULL, NULL), 0);
}

static void damage_is_found_by_verify(void **state) {
    (void)state;
    assert_int_equal(convert(path_of("part.obj"), path_of("b.frm"), NULL, NULL, NULL), 0);
    // A bit of the first coordinates, which stay finite.
    FILE *file = fopen(path_of("b.frm"), "r+b");
    assert_non_null(file);
    fseek(file, 64, SEEK_SET);
    fputc(1, file);
    fclose(file);
    assert_int_equal(convert(path_of("b.frm"), path_of("e.obj"), NULL, NULL, NULL), 0);
    assert_int_equal(convert("--verify", path_of("b.frm"), path_of("e.obj"), NULL, NULL), 3);
    assert_non_null(strstr(p.err, "checksum of chunk VERT"));
}

static void units_and_axes_are_turned_both_ways(void **state) {
    (void)state;
    assert_int_equal(convert("--out-unit=mm", "--out-up=z", path_of("part.obj"), path_of("e.obj"), NULL), 0);
    info_prints("e.obj", "6000");
    assert_int_equal(convert("--unit=mm", "--up=z", path_of("e.obj"), path_of("f.obj"), NULL), 0);
    info_prints("f.obj", "\"max\":[6,3,1]");
    assert_int_equal(convert("--out-unit=furlong", path_of("part.obj"), path_of("f.obj"), NULL, NULL), 2);
    assert_int_equal(convert(path_of("part.obj"), path_of("f.x3d"), NULL, NULL, NULL), 2);
    assert_non_null(strstr(p.err, ".wrl, .glb or .frm"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_come_back),
        cmocka_unit_test(damage_is_found_by_verify),
        cmocka_unit_test(units_and_axes_are_turned_both_ways),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
