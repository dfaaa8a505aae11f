// Which paths of requests open a file.
#include "server/web_path.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fureai-web-XXXXXX");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) { return -1; }
    return system("mkdir -p web/assets web/.git && echo page >web/index.html && echo code >web/assets/a.js && "
                  "echo secret >secret.txt && echo secret >web/.git/config.txt && ln -s ../secret.txt web/link.txt && "
                  "ln -s .. web/up && ln -s index.html web/inner.html && mkfifo web/pipe.txt && mkdir web/dir.txt");
}

static int remove_folder(void **state) {
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return chdir("/") == 0 ? system(line) : -1;
}

static void paths_that_leave_the_folder_are_refused(void **state) {
    (void)state;
    static const char *const right[] = {"/",      "/index.html", "/assets/a-b_c.js", "/a/b/c", "/\xc3\xa4.html",
                                        "/a.b.c", "/a b.html"};
    static const char *const wrong[] = {"",       "index.html", "/..",     "/../a",   "/a/..", "/a/../b", "/./a",
                                        "//a",    "/a//b",      "/a/",     "/.git",   "/a/.b", "/a\\b",   "/a\nb",
                                        "/a\x7f", "/c:/a",      "/\xff.a", "/a/\xc3", "/...",  "/ /../a"};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        assert_true(fr__web_path_check(right[i], strlen(right[i])));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(fr__web_path_check(wrong[i], strlen(wrong[i])));
    }
    assert_false(fr__web_path_check("/a\0b", 4));
    char longest[FR__WEB_PATH_MAX_BYTES + 2];
    memset(longest, 'a', sizeof longest);
    longest[0] = '/';
    assert_true(fr__web_path_check(longest, FR__WEB_PATH_MAX_BYTES));
    assert_false(fr__web_path_check(longest, FR__WEB_PATH_MAX_BYTES + 1));
}

static void types_follow_from_endings(void **state) {
    (void)state;
    assert_string_equal(fr__web_path_type("/"), "text/html; charset=utf-8");
    assert_string_equal(fr__web_path_type("/a/b.js"), "text/javascript; charset=utf-8");
    assert_string_equal(fr__web_path_type("/a.min.css"), "text/css; charset=utf-8");
    assert_string_equal(fr__web_path_type("/a.wasm"), "application/wasm");
    assert_null(fr__web_path_type("/a"));
    assert_null(fr__web_path_type("/a.exe"));
    assert_null(fr__web_path_type("/a.js.bak"));
}

static bool opens(int web, const char *path) {
    fr__web_file file;
    bool is_open = fr__web_file_open(web, path, &file);
    fr__web_file_close(&file);
    return is_open;
}

static void only_plain_files_of_the_folder_are_opened(void **state) {
    (void)state;
    int web = open("web", O_RDONLY | O_DIRECTORY);
    assert_true(web >= 0);
    assert_true(opens(web, "/"));
    assert_true(opens(web, "/index.html"));
    assert_true(opens(web, "/assets/a.js"));
    static const char *const wrong[] = {"/none.html", "/link.txt", "/inner.html", "/up/secret.txt",
                                        "/pipe.txt",  "/dir.txt",  "/assets",     "/index.html/a.js"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(opens(web, wrong[i]));
    }
    close(web);
}

static void a_changed_file_has_another_tag(void **state) {
    (void)state;
    int web = open("web", O_RDONLY | O_DIRECTORY);
    fr__web_file before, after;
    assert_true(fr__web_file_open(web, "/index.html", &before));
    assert_int_equal(before.size, 5);
    assert_int_equal(before.tag[0], '"');
    fr__web_file_close(&before);
    assert_int_equal(system("echo longer >>web/index.html"), 0);
    assert_true(fr__web_file_open(web, "/index.html", &after));
    assert_string_not_equal(before.tag, after.tag);
    fr__web_file_close(&after);
    close(web);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_that_leave_the_folder_are_refused),
        cmocka_unit_test(types_follow_from_endings),
        cmocka_unit_test(only_plain_files_of_the_folder_are_opened),
        cmocka_unit_test(a_changed_file_has_another_tag),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
