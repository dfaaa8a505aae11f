// TLS by OpenSSL: certificates, and a client's side over bytes in memory.
#include "server/tls.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 16 << 10, DATE_BYTES = 64 };

static fr_status refuse_at(fr_error *error, fr_status status, const char *path, const char *text) {
    fr_error_set(error, status, "%s", text);
    fr_error_locate(error, path, 0, 0);
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// The certificate of a server

// A key that is locked by a password is not read: a server has no one to type it.
static int no_password(char *buffer, int size, int is_writing, void *user) {
    (void)buffer;
    (void)size;
    (void)is_writing;
    (void)user;
    return 0;
}

static fr_status open_file(const char *path, BIO **out, fr_error *error) {
    *out = BIO_new_file(path, "r");
    if (*out != NULL) { return FR_OK; }
    char text[128];
    snprintf(text, sizeof text, "it cannot be opened: %s", strerror(errno));
    ERR_clear_error();
    return refuse_at(error, FR_ERROR_FILE, path, text);
}

static void write_date(const ASN1_TIME *time, char out[DATE_BYTES]) {
    BIO *text = BIO_new(BIO_s_mem());
    int size = text != NULL && ASN1_TIME_print(text, time) == 1 ? BIO_read(text, out, DATE_BYTES - 1) : 0;
    out[size > 0 ? size : 0] = '\0';
    BIO_free(text);
}

static fr_status check_time(const X509 *certificate, const char *path, fr_error *error) {
    char date[DATE_BYTES], text[DATE_BYTES + 64] = "";
    const ASN1_TIME *first = X509_get0_notBefore(certificate), *last = X509_get0_notAfter(certificate);
    if (X509_cmp_current_time(first) >= 0) {
        write_date(first, date);
        snprintf(text, sizeof text, "the certificate is valid from %s on", date);
    } else if (X509_cmp_current_time(last) <= 0) {
        write_date(last, date);
        snprintf(text, sizeof text, "the certificate has expired on %s", date);
    }
    return text[0] == '\0' ? FR_OK : refuse_at(error, FR_ERROR_ARGUMENT, path, text);
}

fr_status fr__tls_check(const char *certificate_path, const char *key_path, fr_error *error) {
    BIO *file = NULL;
    X509 *certificate = NULL;
    EVP_PKEY *key = NULL;
    fr_status status = open_file(certificate_path, &file, error);
    if (status != FR_OK) { return status; }
    certificate = PEM_read_bio_X509(file, NULL, no_password, NULL);
    BIO_free(file);
    if (certificate == NULL) {
        status = refuse_at(error, FR_ERROR_SYNTAX, certificate_path, "there is no certificate in PEM");
    }
    if (status == FR_OK) { status = check_time(certificate, certificate_path, error); }
    if (status == FR_OK) { status = open_file(key_path, &file, error); }
    if (status == FR_OK) {
        key = PEM_read_bio_PrivateKey(file, NULL, no_password, NULL);
        BIO_free(file);
        if (key == NULL) {
            status = refuse_at(error, FR_ERROR_SYNTAX, key_path, "there is no key in PEM without a password");
        } else if (X509_check_private_key(certificate, key) != 1) {
            status = refuse_at(error, FR_ERROR_ARGUMENT, key_path, "the key is of another certificate");
        }
    }
    EVP_PKEY_free(key);
    X509_free(certificate);
    ERR_clear_error();
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// A client's side

struct fr__tls {
    SSL_CTX *context;
    SSL *ssl;
    BIO *from, *to; // the connection's: what came, what is to be sent
};

static fr_status no_memory(fr_error *error) {
    return fr_error_set(error, FR_ERROR_MEMORY, "no memory for an encrypted connection");
}

// Which certificates are accepted: signed by an authority, and for this host.
static fr_status set_trust(fr__tls *tls, const char *host, const char *authority_path, fr_error *error) {
    unsigned char number[16];
    bool is_number = inet_pton(AF_INET, host, number) == 1 || inet_pton(AF_INET6, host, number) == 1;
    SSL_CTX_set_verify(tls->context, SSL_VERIFY_PEER, NULL);
    if (SSL_CTX_set_min_proto_version(tls->context, TLS1_2_VERSION) != 1) { return no_memory(error); }
    if (authority_path == NULL) {
        (void)SSL_CTX_set_default_verify_paths(tls->context);
    } else if (SSL_CTX_load_verify_locations(tls->context, authority_path, NULL) != 1) {
        return refuse_at(error, FR_ERROR_FILE, authority_path, "no certificate can be read from it");
    }
    tls->ssl = SSL_new(tls->context);
    if (tls->ssl == NULL) { return no_memory(error); }
    X509_VERIFY_PARAM *wanted = SSL_get0_param(tls->ssl);
    bool good = is_number ? X509_VERIFY_PARAM_set1_ip_asc(wanted, host) == 1
                          : SSL_set1_host(tls->ssl, host) == 1 && SSL_set_tlsext_host_name(tls->ssl, host) == 1;
    return good ? FR_OK : no_memory(error);
}

fr_status fr__tls_create(const char *host, const char *authority_path, fr__tls **out, fr_error *error) {
    *out = NULL;
    fr__tls *tls = calloc(1, sizeof *tls);
    if (tls == NULL) { return no_memory(error); }
    tls->context = SSL_CTX_new(TLS_client_method());
    fr_status status = tls->context != NULL ? set_trust(tls, host, authority_path, error) : no_memory(error);
    if (status == FR_OK) {
        tls->from = BIO_new(BIO_s_mem());
        tls->to = BIO_new(BIO_s_mem());
        if (tls->from != NULL && tls->to != NULL) {
            SSL_set_bio(tls->ssl, tls->from, tls->to); // they are the connection's from now on
            SSL_set_connect_state(tls->ssl);
        } else {
            BIO_free(tls->from);
            BIO_free(tls->to);
            status = no_memory(error);
        }
    }
    ERR_clear_error();
    if (status != FR_OK) {
        fr__tls_destroy(tls);
        return status;
    }
    *out = tls;
    return FR_OK;
}

void fr__tls_destroy(fr__tls *tls) {
    if (tls == NULL) { return; }
    SSL_free(tls->ssl);
    SSL_CTX_free(tls->context);
    free(tls);
}

// What a call of the library came to: FR_OK where it only waits for more bytes.
static fr_status check_result(fr__tls *tls, int result, fr_error *error) {
    int code = SSL_get_error(tls->ssl, result);
    if (code == SSL_ERROR_WANT_READ || code == SSL_ERROR_WANT_WRITE) { return FR_OK; }
    long verified = SSL_get_verify_result(tls->ssl);
    ERR_clear_error();
    if (verified != X509_V_OK) {
        return fr_error_set(error, FR_ERROR_SYSTEM, "the certificate of the server is not accepted: %s",
                            X509_verify_cert_error_string(verified));
    }
    if (code == SSL_ERROR_ZERO_RETURN) {
        return fr_error_set(error, FR_ERROR_SYSTEM, "the server closed the connection");
    }
    return fr_error_set(error, FR_ERROR_SYSTEM, "the server does not speak TLS as it should");
}

static fr_status shake_hands(fr__tls *tls, fr_error *error) {
    if (SSL_is_init_finished(tls->ssl)) { return FR_OK; }
    int result = SSL_do_handshake(tls->ssl);
    return result == 1 ? FR_OK : check_result(tls, result, error);
}

fr_status fr__tls_take(fr__tls *tls, const void *bytes, size_t size, fr_byte_array *out, fr_error *error) {
    FR_ASSERT(size <= INT32_MAX);
    if (size > 0 && BIO_write(tls->from, bytes, (int)size) != (int)size) { return no_memory(error); }
    fr_status status = shake_hands(tls, error);
    while (status == FR_OK && SSL_is_init_finished(tls->ssl)) {
        unsigned char chunk[CHUNK_BYTES];
        int got = SSL_read(tls->ssl, chunk, sizeof chunk);
        if (got <= 0) { return check_result(tls, got, error); }
        unsigned char *room = fr_byte_array_push(out, (size_t)got);
        if (room == NULL) { return no_memory(error); }
        memcpy(room, chunk, (size_t)got);
    }
    return status;
}

fr_status fr__tls_give(fr__tls *tls, fr_byte_array *plain, fr_byte_array *out, fr_error *error) {
    fr_status status = shake_hands(tls, error);
    if (status != FR_OK) { return status; }
    if (SSL_is_init_finished(tls->ssl) && plain->count > 0) {
        FR_ASSERT(plain->count <= INT32_MAX);
        // Memory takes all of it at once.
        int written = SSL_write(tls->ssl, plain->data, (int)plain->count);
        if (written != (int)plain->count) { return no_memory(error); }
        plain->count = 0;
    }
    size_t waiting = BIO_ctrl_pending(tls->to);
    if (waiting == 0) { return FR_OK; }
    unsigned char *room = fr_byte_array_push(out, waiting);
    if (room == NULL) { return no_memory(error); }
    return BIO_read(tls->to, room, (int)waiting) == (int)waiting ? FR_OK : no_memory(error);
}
