// Which folder of the viewer a server serves: the one that is named, none, or the one that is found.
#include "provider.h"

#include <sys/stat.h>
#include <unistd.h>

static const char *folder_of(const char *named, fr_server **out) {
    fr_server_def def = test_server_def("pair");
    def.viewer_folder = named;
    assert_int_equal(fr_server_create(&def, out, NULL), FR_OK);
    return fr_server_viewer_folder(*out);
}

static void a_named_folder_is_served_and_an_empty_name_is_none(void **state) {
    (void)state;
    fr_server *server;
    assert_string_equal(folder_of(".", &server), ".");
    fr_server_destroy(server);
    assert_null(folder_of("", &server));
    fr_server_destroy(server);
}

// The folder beside that of the program, as an installation has it.
static void the_viewer_beside_the_program_is_found(void **state) {
    (void)state;
    char program[2048], folder[2400], page[2500];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    assert_true(length > 0);
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    *strrchr(program, '/') = '\0';
    static const char *const names[] = {"share", "share/fureai", "share/fureai/viewer"};
    for (int i = 0; i < 3; i++) {
        snprintf(folder, sizeof folder, "%s/%s", program, names[i]);
        (void)mkdir(folder, 0755);
    }
    snprintf(page, sizeof page, "%s/index.html", folder);
    FILE *file = fopen(page, "w");
    assert_non_null(file);
    fclose(file);
    fr_server *server;
    assert_string_equal(folder_of(NULL, &server), folder);
    fr_server_destroy(server);
    assert_int_equal(unlink(page), 0);
    for (int i = 2; i >= 0; i--) {
        snprintf(folder, sizeof folder, "%s/%s", program, names[i]);
        (void)rmdir(folder);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_named_folder_is_served_and_an_empty_name_is_none),
        cmocka_unit_test(the_viewer_beside_the_program_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
