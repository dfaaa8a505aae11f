// The viewer's files over HTTP.
#include "frame.h"
#include "provider.h"

#include <dirent.h>

static running_server running;
static char folder[64];

static int begin(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fureai-http-XXXXXX");
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) { return -1; }
    int made = system("mkdir -p web/assets web/.git && printf '<p>page</p>' >web/index.html && "
                      "printf 'let a;' >web/assets/a.js && echo secret >secret.txt && echo secret >web/.git/c.txt && "
                      "ln -s ../secret.txt web/link.txt && ln -s .. web/up && printf '' >web/empty.txt && "
                      "head -c 3000000 /dev/zero >web/large.wasm && printf x >web/no_type && printf x >'web/a b.txt'");
    if (made != 0) { return -1; }
    fr_server_def def = test_server_def("pair");
    def.viewer_folder = "web";
    server_start(&running, &def);
    return 0;
}

static int end(void **state) {
    (void)state;
    char line[128];
    server_end(&running);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return chdir("/") == 0 ? system(line) : -1;
}

// Asks on a connection of its own and returns the status; the head stays in `c`.
static int ask(test_client *c, const char *method, const char *path, const char *more) {
    client_connect(c, running.port);
    return client_request(c, method, path, more);
}

static int status_of(const char *method, const char *path, const char *more) {
    test_client c;
    int status = ask(&c, method, path, more);
    client_close(&c);
    return status;
}

static void expect_header(const test_client *c, const char *line) {
    if (strstr(c->head, line) == NULL) { fail_msg("'%s' is not in:\n%s", line, c->head); }
}

static void expect_body(test_client *c, const char *text) {
    char body[64] = "";
    assert_int_equal(client_content_length(c), strlen(text));
    assert_true(client_receive(c, body, strlen(text)));
    assert_string_equal(body, text);
}

static void files_come_with_their_types_and_safety(void **state) {
    (void)state;
    test_client c;
    assert_int_equal(ask(&c, "GET", "/", ""), 200);
    expect_header(&c, "content-type: text/html; charset=utf-8\r\n");
    expect_header(&c, "x-content-type-options: nosniff\r\n");
    expect_header(&c, "fureai-protocol: " FR_PROTOCOL_NAME "\r\n");
    expect_header(&c, "referrer-policy: no-referrer\r\n");
    expect_header(&c, "content-security-policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval';");
    expect_header(&c, "frame-ancestors 'none'");
    expect_header(&c, "cache-control: no-cache\r\n");
    expect_header(&c, "etag: \"");
    char connect[64];
    snprintf(connect, sizeof connect, "connect-src 'self' ws://127.0.0.1:%u ", running.port);
    expect_header(&c, connect);
    expect_body(&c, "<p>page</p>");
    // The next request over the same connection.
    assert_int_equal(client_request(&c, "GET", "/assets/a.js?v=1", ""), 200);
    expect_header(&c, "content-type: text/javascript; charset=utf-8\r\n");
    expect_body(&c, "let a;");
    assert_int_equal(client_request(&c, "GET", "/empty.txt", ""), 200);
    expect_body(&c, "");
    assert_int_equal(client_request(&c, "GET", "/a%20b.txt", ""), 200);
    expect_body(&c, "x");
    client_close(&c);
}

static void a_head_has_no_body(void **state) {
    (void)state;
    test_client c;
    assert_int_equal(ask(&c, "HEAD", "/index.html", ""), 200);
    assert_int_equal(client_content_length(&c), 11);
    assert_int_equal(client_request(&c, "GET", "/assets/a.js", ""), 200);
    expect_body(&c, "let a;");
    client_close(&c);
}

static void large_files_come_whole_and_delay_nobody(void **state) {
    (void)state;
    test_client slow, c, watcher;
    assert_int_equal(ask(&slow, "GET", "/large.wasm", ""), 200);
    client_open(&watcher, running.port, "w", FR_WANTS_POSES);
    client_follow_states(&watcher, 5);
    assert_int_equal(ask(&c, "GET", "/large.wasm", ""), 200);
    expect_header(&c, "content-type: application/wasm\r\n");
    assert_int_equal(client_content_length(&c), 3000000);
    static char bytes[3000000];
    assert_true(client_receive(&c, bytes, sizeof bytes));
    client_follow_states(&watcher, 5);
    assert_true(client_receive(&slow, bytes, sizeof bytes));
    client_close(&slow);
    client_close(&c);
    client_close(&watcher);
}

// A client of a slow network gets its file, however long that takes.
static void a_large_file_may_take_long(void **state) {
    (void)state;
    test_client c;
    client_connect(&c, running.port);
    int little = 16384;
    assert_int_equal(setsockopt(c.socket, SOL_SOCKET, SO_RCVBUF, &little, sizeof little), 0);
    assert_int_equal(client_request(&c, "GET", "/large.wasm", ""), 200);
    static char bytes[300000];
    for (int i = 0; i < 10; i++) {
        wait_ms(800);
        if (!client_receive(&c, bytes, sizeof bytes)) { fail_msg("it ends after %d parts of 10", i); }
    }
    client_close(&c);
}

static size_t count_descriptors(void) {
    size_t count = 0;
    DIR *list = opendir("/proc/self/fd");
    assert_non_null(list);
    while (readdir(list) != NULL) {
        count++;
    }
    closedir(list);
    return count;
}

// A file that is not taken is not offered for ever.
static void a_file_that_is_not_taken_is_closed(void **state) {
    (void)state;
    if (!test_is_long()) { skip(); } // it takes ten seconds
    test_client c;
    client_connect(&c, running.port);
    int little = 4096;
    assert_int_equal(setsockopt(c.socket, SOL_SOCKET, SO_RCVBUF, &little, sizeof little), 0);
    assert_int_equal(client_request(&c, "GET", "/large.wasm", ""), 200);
    size_t before = count_descriptors();
    uint64_t begin_ns = fr_clock_ns();
    while (count_descriptors() != before - 2 && fr_clock_ms_since(begin_ns) < 60e3) {
        wait_ms(100);
    }
    print_message("closed after %.1f s\n", 1e-3 * fr_clock_ms_since(begin_ns));
    assert_int_equal(count_descriptors(), before - 2); // the server's, and that of the file
    client_close(&c);
}

static void what_is_known_is_not_sent_again(void **state) {
    (void)state;
    test_client c;
    assert_int_equal(ask(&c, "GET", "/assets/a.js", ""), 200);
    char *tag = strstr(c.head, "etag: \""), more[128];
    assert_non_null(tag);
    snprintf(more, sizeof more, "If-None-Match: %.*s\r\n", (int)strcspn(tag + 6, "\r"), tag + 6);
    client_close(&c);
    assert_int_equal(ask(&c, "GET", "/assets/a.js", more), 304);
    assert_int_equal(client_content_length(&c), 0);
    client_close(&c);
    assert_int_equal(status_of("GET", "/assets/a.js", "If-None-Match: \"other\"\r\n"), 200);
}

static void no_path_leads_out(void **state) {
    (void)state;
    static const char *const paths[] = {"/../secret.txt",
                                        "/assets/../../secret.txt",
                                        "/%2e%2e/secret.txt",
                                        "/..%2fsecret.txt",
                                        "/%2e%2e%2fsecret.txt",
                                        "/%252e%252e/secret.txt",
                                        "/..%5csecret.txt",
                                        "/..\\secret.txt",
                                        "/....//secret.txt",
                                        "/up/secret.txt",
                                        "/link.txt",
                                        "/.git/c.txt",
                                        "/%2egit/c.txt",
                                        "//etc/passwd",
                                        "/etc/passwd",
                                        "/file:///etc/passwd",
                                        "/index.html%00.txt",
                                        "/\xff\xfe.txt",
                                        "/assets",
                                        "/assets/",
                                        "/no_type",
                                        "/index.html/",
                                        "/none.html",
                                        "/secret.txt",
                                        "http://127.0.0.1/../secret.txt",
                                        "*"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        test_client c;
        int status = ask(&c, "GET", paths[i], "");
        bool refused = status == 0 || (status >= 400 && status < 500);
        if (!refused) { fail_msg("%s gave %d", paths[i], status); }
        char body[512] = "";
        (void)recv(c.socket, body, sizeof body - 1, 0);
        assert_null(strstr(body, "secret"));
        assert_null(strstr(body, "root:"));
        client_close(&c);
    }
    char endless[4000] = "/";
    memset(endless + 1, 'a', sizeof endless - 2);
    int status = status_of("GET", endless, "");
    assert_true(status == 0 || status >= 400);
}

static void only_get_and_head_are_answered(void **state) {
    (void)state;
    static const char *const methods[] = {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        int status = status_of(methods[i], "/", "Content-Length: 0\r\n");
        if (status != 405) { fail_msg("%s gave %d", methods[i], status); }
    }
    int status = status_of("NONSENSE", "/", "");
    assert_true(status == 0 || status >= 400);
}

static void only_hosts_of_ours_are_answered(void **state) {
    (void)state;
    assert_int_equal(status_of("GET", "/", "Host: evil.example\r\n"), 403);
    assert_int_equal(status_of("GET", "/", "Host: 127.0.0.1\r\n"), 403);
    test_client c;
    client_connect(&c, running.port);
    assert_true(client_send_text(&c, "GET / HTTP/1.1\r\n\r\n"));
    int status = client_read_head(&c);
    assert_true(status == 0 || status >= 400);
    client_close(&c);
}

static void without_a_folder_there_are_no_files(void **state) {
    (void)state;
    fr_server_def def = test_server_def("pair");
    running_server bare;
    server_start(&bare, &def);
    test_client c;
    client_connect(&c, bare.port);
    assert_int_equal(client_request(&c, "GET", "/", ""), 404);
    client_close(&c);
    server_end(&bare);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_come_with_their_types_and_safety),
        cmocka_unit_test(a_head_has_no_body),
        cmocka_unit_test(large_files_come_whole_and_delay_nobody),
        cmocka_unit_test(a_large_file_may_take_long),
        cmocka_unit_test(a_file_that_is_not_taken_is_closed),
        cmocka_unit_test(what_is_known_is_not_sent_again),
        cmocka_unit_test(no_path_leads_out),
        cmocka_unit_test(only_get_and_head_are_answered),
        cmocka_unit_test(only_hosts_of_ours_are_answered),
        cmocka_unit_test(without_a_folder_there_are_no_files),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
