// Which folder of the viewer a server serves: the one that is named, none, or the one that is found.
#define _XOPEN_SOURCE 700 // mkdtemp

#include "provider.h"

#include "server/server.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 2500 };

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

// ---------------------------------------------------------------------------------------------------------------
// An installation

static const char *const folders[] = {"bin", "lib", "share", "share/fureai", "share/fureai/viewer"};
enum { FOLDER_COUNT = sizeof folders / sizeof folders[0] };

// Puts a page of the viewer below a prefix; `viewer` is its folder.
static void install(const char *prefix, char viewer[PATH_BYTES]) {
    char page[PATH_BYTES];
    for (int i = 0; i < FOLDER_COUNT; i++) {
        snprintf(viewer, PATH_BYTES, "%s/%s", prefix, folders[i]);
        (void)mkdir(viewer, 0755);
    }
    snprintf(page, sizeof page, "%s/share/fureai/viewer/index.html", prefix);
    FILE *file = fopen(page, "w");
    assert_non_null(file);
    fclose(file);
}

static void uninstall(const char *prefix) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/share/fureai/viewer/index.html", prefix);
    assert_int_equal(unlink(path), 0);
    for (int i = FOLDER_COUNT - 1; i >= 0; i--) {
        snprintf(path, sizeof path, "%s/%s", prefix, folders[i]);
        (void)rmdir(path);
    }
}

static void copy_file(const char *from, const char *to) {
    static char bytes[1 << 16];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in != NULL && out != NULL);
    size_t size;
    while ((size = fread(bytes, 1, sizeof bytes, in)) > 0) {
        assert_int_equal(fwrite(bytes, 1, size, out), size);
    }
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

// The prefix of this program: it is PREFIX/FOLDER/NAME.
static void the_viewer_beside_the_program_is_found(void **state) {
    (void)state;
    char prefix[PATH_BYTES / 2], viewer[PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", prefix, sizeof prefix - 1);
    assert_true(length > 0);
    prefix[length] = '\0';
    *strrchr(prefix, '/') = '\0';
    *strrchr(prefix, '/') = '\0';
    install(prefix, viewer);
    fr_server *server;
    assert_string_equal(folder_of(NULL, &server), viewer);
    fr_server_destroy(server);
    uninstall(prefix);
}

// A library that was moved finds the viewer that was moved with it, wherever the program is.
static void the_viewer_beside_the_library_is_found(void **state) {
    (void)state;
    char prefix[] = "/tmp/fureai-viewer-XXXXXX", viewer[PATH_BYTES], library[PATH_BYTES];
    assert_non_null(mkdtemp(prefix));
    install(prefix, viewer);
    snprintf(library, sizeof library, "%s/lib/libfureai-world.so", prefix);
    copy_file(WORLD_LIBRARY, library);
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) { fail_msg("%s", dlerror()); }
    fr_status (*create)(const fr_server_def *, fr_server **, fr_error *);
    const char *(*folder)(const fr_server *);
    void (*destroy)(fr_server *);
    *(void **)&create = dlsym(handle, "fr_server_create");
    *(void **)&folder = dlsym(handle, "fr_server_viewer_folder");
    *(void **)&destroy = dlsym(handle, "fr_server_destroy");
    assert_true(create != NULL && folder != NULL && destroy != NULL);

    fr_server_def def = test_server_def("pair");
    fr_server *server;
    assert_int_equal(create(&def, &server, NULL), FR_OK);
    assert_string_equal(folder(server), viewer);
    destroy(server);
    assert_int_equal(dlclose(handle), 0);
    assert_int_equal(unlink(library), 0);
    uninstall(prefix);
    assert_int_equal(rmdir(prefix), 0);
}

static void links_are_followed_and_a_folder_without_a_page_is_none(void **state) {
    (void)state;
    char prefix[] = "/tmp/fureai-viewer-XXXXXX", viewer[PATH_BYTES], file[PATH_BYTES], link_path[PATH_BYTES];
    char found[FR__PATH_BYTES] = "";
    assert_non_null(mkdtemp(prefix));
    install(prefix, viewer);
    snprintf(file, sizeof file, "%s/bin/program", prefix);
    assert_false(fr__viewer_folder_beside(file, found));
    copy_file("/dev/null", file);
    assert_true(fr__viewer_folder_beside(file, found));
    assert_string_equal(found, viewer);
    snprintf(link_path, sizeof link_path, "%s/share/fureai/link", prefix);
    assert_int_equal(symlink(file, link_path), 0);
    assert_true(fr__viewer_folder_beside(link_path, found));
    assert_string_equal(found, viewer);
    assert_int_equal(unlink(link_path), 0);
    snprintf(viewer, sizeof viewer, "%s/share/fureai/viewer/index.html", prefix);
    assert_int_equal(unlink(viewer), 0);
    assert_false(fr__viewer_folder_beside(file, found));
    copy_file("/dev/null", viewer);
    assert_int_equal(unlink(file), 0);
    uninstall(prefix);
    assert_int_equal(rmdir(prefix), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_named_folder_is_served_and_an_empty_name_is_none),
        cmocka_unit_test(the_viewer_beside_the_program_is_found),
        cmocka_unit_test(the_viewer_beside_the_library_is_found),
        cmocka_unit_test(links_are_followed_and_a_folder_without_a_page_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
