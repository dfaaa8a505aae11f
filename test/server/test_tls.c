// TLS: certificates that a server takes and refuses, clients over it, and those who do not speak it. The certificates
// are made here.
#include "provider.h"

#include "server/tls.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#define TOKEN "direct-0123456789abcdef"

enum { DAY = 24 * 3600 };

static char folder[64];

static const char *path_of(const char *name) {
    static char paths[8][128];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

// A certificate for localhost and 127.0.0.1 that signs itself, valid from `begin` to `end` seconds from now.
static void make_certificate(const char *name, long begin, long end) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    assert_non_null(key);
    assert_non_null(certificate);
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), begin);
    X509_gmtime_adj(X509_getm_notAfter(certificate), end);
    X509_set_pubkey(certificate, key);
    X509_NAME *subject = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)"test", -1, -1, 0);
    X509_set_issuer_name(certificate, subject);
    X509_EXTENSION *names =
        X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:127.0.0.3");
    assert_int_equal(X509_add_ext(certificate, names, -1), 1);
    X509_EXTENSION_free(names);
    assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
    char file[32];
    snprintf(file, sizeof file, "%s.cert", name);
    FILE *out = fopen(path_of(file), "w");
    assert_non_null(out);
    assert_int_equal(PEM_write_X509(out, certificate), 1);
    fclose(out);
    snprintf(file, sizeof file, "%s.key", name);
    out = fopen(path_of(file), "w");
    assert_non_null(out);
    assert_int_equal(PEM_write_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL), 1);
    fclose(out);
    X509_free(certificate);
    EVP_PKEY_free(key);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
}

static int begin(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/fureai-tls-XXXXXX");
    if (mkdtemp(folder) == NULL) { return -1; }
    make_certificate("good", -DAY, 30 * DAY);
    make_certificate("other", -DAY, 30 * DAY);
    make_certificate("expired", -30 * DAY, -DAY);
    make_certificate("early", DAY, 30 * DAY);
    write_file(path_of("tokens"), "direct " TOKEN "\n");
    write_file(path_of("nothing"), "nothing\n");
    return 0;
}

static int end(void **state) {
    (void)state;
    static const char *const names[] = {"good.cert",    "good.key",    "other.cert", "other.key",
                                        "expired.cert", "expired.key", "early.cert", "early.key",
                                        "tokens",       "nothing",     "brief.cert", "brief.key"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unlink(path_of(names[i]));
    }
    return rmdir(folder);
}

static fr_server_def secure_def(void) {
    fr_server_def def = test_server_def("pair");
    def.certificate_path = path_of("good.cert");
    def.key_path = path_of("good.key");
    def.token_path = path_of("tokens");
    return def;
}

// ---------------------------------------------------------------------------------------------------------------
// Certificates

static void certificates_are_checked_before_they_are_used(void **state) {
    (void)state;
    static const struct {
        const char *certificate, *key;
        fr_status status;
        const char *text;
    } cases[] = {{"good.cert", "good.key", FR_OK, ""},
                 {"expired.cert", "expired.key", FR_ERROR_ARGUMENT, "the certificate has expired on "},
                 {"early.cert", "early.key", FR_ERROR_ARGUMENT, "the certificate is valid from "},
                 {"good.cert", "other.key", FR_ERROR_ARGUMENT, "the key is of another certificate"},
                 {"absent", "good.key", FR_ERROR_FILE, "it cannot be opened"},
                 {"good.cert", "absent", FR_ERROR_FILE, "it cannot be opened"},
                 {"nothing", "good.key", FR_ERROR_SYNTAX, "there is no certificate"},
                 {"good.cert", "nothing", FR_ERROR_SYNTAX, "there is no key"},
                 {"good.key", "good.key", FR_ERROR_SYNTAX, "there is no certificate"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_error error = {0};
        assert_int_equal(fr__tls_check(path_of(cases[i].certificate), path_of(cases[i].key), &error), cases[i].status);
        if (strncmp(error.message, cases[i].text, strlen(cases[i].text)) != 0) { fail_msg("%s", error.message); }
        // A server says the same.
        fr_server_def def = secure_def();
        fr_server *server = NULL;
        def.certificate_path = path_of(cases[i].certificate);
        def.key_path = path_of(cases[i].key);
        assert_int_equal(fr_server_create(&def, &server, &error), cases[i].status);
        fr_server_destroy(server);
    }
}

// An address that other machines reach needs tokens and TLS, in whatever form it is written.
static void other_addresses_need_tokens_and_tls(void **state) {
    (void)state;
    static const char *const open_to_all[] = {"0.0.0.0", "::", "0", "192.0.2.1", "128.0.0.1"};
    fr_error error = {0};
    fr_server *server = NULL;
    for (size_t i = 0; i < sizeof open_to_all / sizeof open_to_all[0]; i++) {
        fr_server_def def = secure_def();
        def.address = open_to_all[i];
        def.token_path = NULL;
        assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_ARGUMENT);
        def = secure_def();
        def.address = open_to_all[i];
        def.certificate_path = def.key_path = NULL;
        assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "tokens, a certificate and its key"));
    }
    static const char *const local[] = {"127.0.0.1", "127.0.0.5", "127.1", "localhost"};
    for (size_t i = 0; i < sizeof local / sizeof local[0]; i++) {
        fr_server_def def = test_server_def("pair");
        def.address = local[i];
        assert_int_equal(fr_server_create(&def, &server, &error), FR_OK);
        fr_server_destroy(server);
    }
    fr_server_def def = secure_def();
    def.key_path = NULL;
    assert_int_equal(fr_server_create(&def, &server, &error), FR_ERROR_ARGUMENT);
}

// ---------------------------------------------------------------------------------------------------------------
// Clients

static void open_secure(test_client *c, uint16_t port, const char *host, const char *authority) {
    static char url[64];
    *c = (test_client){.socket = -1, .port = port, .payload = fr_array_make(1, NULL)};
    snprintf(url, sizeof url, "wss://%s:%u", host, (unsigned)port);
    fr_client_def def = fr_default_client_def();
    def.url = url;
    def.token = TOKEN;
    def.authority_path = authority;
    def.wants = CLIENT_WANTS;
    def.received = client_told;
    def.user = c;
    def.timeout_seconds = CLIENT_WAIT_SECONDS;
    fr_error error = {0};
    if (fr_client_create(&def, &c->link, &error) != FR_OK) { fail_msg("%s", error.message); }
    c->mirror = fr_client_mirror(c->link);
}

static void clients_speak_over_tls(void **state) {
    (void)state;
    fr_server_def def = secure_def();
    running_server running;
    server_start(&running, &def);
    static const char *const hosts[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; i < 2; i++) {
        test_client c;
        open_secure(&c, running.port, hosts[i], path_of("good.cert"));
        client_follow_states(&c, 5);
        assert_int_equal(client_grab(&c, client_ref(&c, "right")), FR_OK);
        client_move(&c, client_ref(&c, "right"), fr_vec3_make(0, 1, 0));
        client_follow_states(&c, 3);
        assert_int_equal(client_drop(&c, client_ref(&c, "right")), FR_OK);
        assert_int_equal(client_play(&c, FR_PLAY_RESTART), FR_OK);
        client_follow_states(&c, 3);
        client_close(&c);
    }
    server_end(&running);
}

// What a browser does: it offers HTTP/2 before HTTP/1.1, and gets the page by the one that is spoken here.
static void browsers_are_served_by_http_1_1(void **state) {
    (void)state;
    fr_server_def def = secure_def();
    running_server running;
    server_start(&running, &def);
    static const unsigned char offered[] = "\x02h2\x08http/1.1";
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    assert_non_null(context);
    assert_int_equal(SSL_CTX_set_alpn_protos(context, offered, sizeof offered - 1), 0);
    char where[32], request[128], reply[4096] = "";
    snprintf(where, sizeof where, "127.0.0.1:%u", (unsigned)running.port);
    BIO *connection = BIO_new_ssl_connect(context);
    assert_non_null(connection);
    BIO_set_conn_hostname(connection, where);
    assert_true(BIO_do_handshake(connection) > 0);
    SSL *ssl = NULL;
    BIO_get_ssl(connection, &ssl);
    const unsigned char *chosen = NULL;
    unsigned length = 0;
    SSL_get0_alpn_selected(ssl, &chosen, &length);
    assert_int_equal(length, 8);
    assert_memory_equal(chosen, "http/1.1", 8);
    int size = snprintf(request, sizeof request, "GET /nothing HTTP/1.1\r\nHost: %s\r\n\r\n", where);
    assert_int_equal(BIO_write(connection, request, size), size);
    assert_true(BIO_read(connection, reply, sizeof reply - 1) > 0);
    if (strncmp(reply, "HTTP/1.1 404 ", 13) != 0) { fail_msg("%s", reply); }
    BIO_free_all(connection);
    SSL_CTX_free(context);
    server_end(&running);
}

// A world of many triangles comes whole through many records of TLS.
static void much_comes_whole_over_tls(void **state) {
    (void)state;
    fr_server_def def = secure_def();
    def.provider.first = "big";
    running_server running;
    server_start(&running, &def);
    test_client c;
    open_secure(&c, running.port, "127.0.0.1", path_of("good.cert"));
    client_follow_states(&c, 3);
    assert_true(fr_client_get(c.link).bytes_taken > 2000000);
    client_close(&c);
    server_end(&running);
}

static void refuse(uint16_t port, const char *host, const char *authority, const char *text) {
    test_client c;
    open_secure(&c, port, host, authority);
    fr_error error = {0};
    while (fr_client_service(c.link, 100000000, NULL, &error) == FR_OK) {}
    if (strstr(error.message, text) == NULL) { fail_msg("%s, not: %s", error.message, text); }
    client_close(&c);
}

static void only_the_right_certificate_is_accepted(void **state) {
    (void)state;
    fr_server_def def = secure_def();
    def.address = "127.0.0.1";
    running_server running;
    server_start(&running, &def);
    test_client calm;
    open_secure(&calm, running.port, "127.0.0.1", path_of("good.cert"));
    client_follow_states(&calm, 2);
    // Of another authority, of none that the system trusts.
    refuse(running.port, "127.0.0.1", path_of("other.cert"), "the certificate of the server is not accepted: ");
    refuse(running.port, "127.0.0.1", NULL, "the certificate of the server is not accepted: ");
    // A plain client gets no world, and a browser's request no page.
    test_client plain;
    client_connect(&plain, running.port);
    assert_int_equal(client_request(&plain, "GET", "/", CLIENT_UPGRADE CLIENT_PROTOCOL), 0);
    client_close(&plain);
    // One that begins a handshake and goes no further, and one that sends what is none.
    test_client half, garbage;
    client_connect(&half, running.port);
    static const unsigned char begun[] = {0x16, 0x03, 0x01, 0x02, 0x00, 0x01};
    assert_true(client_send(&half, begun, sizeof begun));
    client_connect(&garbage, running.port);
    char bytes[1000];
    memset(bytes, 0x16, sizeof bytes);
    (void)client_send(&garbage, bytes, sizeof bytes);
    client_follow_states(&calm, 20);
    client_close(&garbage);
    client_close(&half);
    client_close(&calm);
    // A name that the certificate is not for.
    server_end(&running);
    def.address = "127.0.0.2";
    server_start(&running, &def);
    refuse(running.port, "127.0.0.2", path_of("good.cert"), "IP address mismatch");
    server_end(&running);
}

// One that expires while it is served: those who are there go on, who comes gets the reason, and the server refuses to
// begin again.
static void a_certificate_that_expires_meanwhile_is_refused(void **state) {
    (void)state;
    enum { VALID_SECONDS = 4 };
    make_certificate("brief", -60, VALID_SECONDS);
    uint64_t begin_ns = fr_clock_ns();
    fr_server_def def = secure_def();
    def.certificate_path = path_of("brief.cert");
    def.key_path = path_of("brief.key");
    running_server running;
    server_start(&running, &def);
    test_client calm;
    open_secure(&calm, running.port, "127.0.0.1", path_of("brief.cert"));
    while (fr_clock_ms_since(begin_ns) < 1e3 * (VALID_SECONDS + 2)) {
        client_follow_states(&calm, 1);
    }
    refuse(running.port, "127.0.0.1", path_of("brief.cert"), "certificate has expired");
    client_follow_states(&calm, 5);
    assert_int_equal(client_set_state(&calm, client_ref(&calm, "right"), "open", 1.0), FR_OK);
    client_close(&calm);
    server_end(&running);
    fr_server *again = NULL;
    fr_error error = {0};
    assert_int_equal(fr_server_create(&def, &again, &error), FR_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the certificate has expired on "));
}

static void a_client_needs_an_authority_that_is_one(void **state) {
    (void)state;
    fr_client_def def = fr_default_client_def();
    fr_client *client;
    fr_error error = {0};
    def.url = "wss://127.0.0.1:1";
    def.authority_path = path_of("nothing");
    assert_int_equal(fr_client_create(&def, &client, &error), FR_ERROR_FILE);
    def.authority_path = path_of("absent");
    assert_int_equal(fr_client_create(&def, &client, &error), FR_ERROR_FILE);
    assert_string_equal(error.path, path_of("absent"));
    // A plain server does not speak TLS.
    fr_server_def server_def = test_server_def("pair");
    running_server running;
    server_start(&running, &server_def);
    refuse(running.port, "127.0.0.1", path_of("good.cert"), "the server");
    server_end(&running);
}

// What the server says over TLS byte by byte, and what is cut, ends with a sentence.
static void bytes_that_are_no_tls_end_with_a_sentence(void **state) {
    (void)state;
    fr_random random = fr_random_seed(11);
    for (int i = 0; i < 200; i++) {
        fr__tls *tls;
        fr_byte_array plain = fr_byte_array_make(NULL), out = fr_byte_array_make(NULL);
        fr_error error = {0};
        assert_int_equal(fr__tls_create("127.0.0.1", path_of("good.cert"), &tls, &error), FR_OK);
        assert_int_equal(fr__tls_give(tls, &plain, &out, &error), FR_OK);
        assert_true(out.count > 100);
        unsigned char bytes[300];
        size_t size = 1 + fr_random_below(&random, sizeof bytes);
        for (size_t k = 0; k < size; k++) {
            bytes[k] = (unsigned char)fr_random_below(&random, 256);
        }
        bytes[0] = i % 2 == 0 ? 0x16 : bytes[0];
        if (i % 4 == 0 && size > 3) { bytes[1] = bytes[2] = 3; }
        fr_status status = fr__tls_take(tls, bytes, size, &plain, &error);
        assert_true(status == FR_OK || error.message[0] != '\0');
        assert_int_equal(plain.count, 0);
        fr__tls_destroy(tls);
        fr_byte_array_destroy(&plain);
        fr_byte_array_destroy(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certificates_are_checked_before_they_are_used),
        cmocka_unit_test(other_addresses_need_tokens_and_tls),
        cmocka_unit_test(clients_speak_over_tls),
        cmocka_unit_test(browsers_are_served_by_http_1_1),
        cmocka_unit_test(much_comes_whole_over_tls),
        cmocka_unit_test(only_the_right_certificate_is_accepted),
        cmocka_unit_test(a_certificate_that_expires_meanwhile_is_refused),
        cmocka_unit_test(a_client_needs_an_authority_that_is_one),
        cmocka_unit_test(bytes_that_are_no_tls_end_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
