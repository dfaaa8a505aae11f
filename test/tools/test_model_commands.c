// The commands info and convert, as a user runs them.
#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

static void put_file(const char *name, const char *text) {
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

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
    assert_int_equal(fureai("--json", "info", path_of("tet.obj"), NULL, NULL, NULL), 0);
    printed("\"format\":\"obj\",\"vertices\":4,\"triangles\":4,\"faces\":4,\"parts\":1");
    printed("\"bounds\":{\"min\":[0,0,0],\"max\":[6,6,6]},\"closed\":true,\"volume\":36");
    printed("\"tree\":[{\"name\":\"tet\",\"parent\":null,\"vertices\":4,\"faces\":4,\"mesh\":0}]");
    printed("\"warnings\":[{\"line\":10,\"column\":1,\"message\":\"statement 'what' is passed over\"}]");
    assert_non_null(strstr(p.err, "tet.obj:10:1: warning: statement 'what'"));
    assert_int_equal(fureai("info", path_of("tet.obj"), NULL, NULL, NULL, NULL), 0);
    printed("closed     yes, volume 36");
    printed("tet: 4 faces");
}

static void wrong_files_end_with_3(void **state) {
    (void)state;
    put_file("wrong.obj", "v 0 0 0\nf 1 2 9\n");
    assert_int_equal(fureai("info", path_of("wrong.obj"), NULL, NULL, NULL, NULL), 3);
    assert_non_null(strstr(p.err, "wrong.obj:2:7: vertex 9, but the file has 1"));
    assert_int_equal(fureai("info", path_of("none.obj"), NULL, NULL, NULL, NULL), 3);
    assert_int_equal(fureai("convert", path_of("wrong.obj"), path_of("x.stl"), NULL, NULL, NULL), 3);
    assert_int_not_equal(access(path_of("x.stl"), F_OK), 0);
}

static void convert_writes_every_format(void **state) {
    (void)state;
    static const char *const formats[] = {"obj", "stl", "stl-ascii", "ply", "ply-ascii", "off"};
    put_file("tet.obj", tetrahedron);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(fureai("--json", "convert", "--format", formats[i], path_of("tet.obj"), path_of("out")), 0);
        printed("\"triangles\":4,\"ms\":");
        assert_int_equal(fureai("--json", "info", path_of("out"), NULL, NULL, NULL), 0);
        char words[60];
        snprintf(words, sizeof words, "\"format\":\"%s\"", formats[i]);
        printed(words);
        printed("\"closed\":true,\"volume\":36");
    }
    assert_int_equal(fureai("convert", path_of("tet.obj"), path_of("out.PLY"), NULL, NULL, NULL), 0);
    printed("4 triangles from");
}

static void wrong_usage_ends_with_2(void **state) {
    (void)state;
    assert_int_equal(fureai("convert", path_of("tet.obj"), path_of("out.doc"), NULL, NULL, NULL), 2);
    assert_int_equal(fureai("convert", path_of("tet.obj"), NULL, NULL, NULL, NULL), 2);
    assert_int_equal(fureai("info", NULL, NULL, NULL, NULL, NULL), 2);
}

static void what_cannot_be_written_ends_with_1(void **state) {
    (void)state;
    put_file("tet.obj", tetrahedron);
    assert_int_equal(fureai("convert", path_of("tet.obj"), path_of("no/such/folder.off"), NULL, NULL, NULL), 1);
}

static void info_draws(void **state) {
    (void)state;
    if (!FUREAI_HAVE_PICTURES) { skip(); }
    put_file("tet.obj", tetrahedron);
    assert_int_equal(fureai("info", "--picture", path_of("tet.svg"), path_of("tet.obj"), NULL, NULL), 0);
    struct stat found;
    assert_int_equal(stat(path_of("tet.svg"), &found), 0);
    assert_true(found.st_size > 500);
}

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/fureai-model-XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
    (void)state;
    static const char *const names[] = {"tet.obj", "wrong.obj", "out", "out.PLY", "tet.svg"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        remove(path_of(names[i]));
    }
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_tells_what_is_there),           cmocka_unit_test(wrong_files_end_with_3),
        cmocka_unit_test(convert_writes_every_format),        cmocka_unit_test(wrong_usage_ends_with_2),
        cmocka_unit_test(what_cannot_be_written_ends_with_1), cmocka_unit_test(info_draws),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
