// TLS: the check of a server's certificate before it is used, and a client's side of a connection over bytes in memory.
#ifndef FUREAI_SERVER_TLS_H
#define FUREAI_SERVER_TLS_H

#include "fureai/base.h"

// Checks that a certificate and a key are there, belong together and are valid now. FR_ERROR_FILE where one cannot be
// opened, FR_ERROR_SYNTAX where it is none, FR_ERROR_ARGUMENT for a certificate out of its time and for a key of
// another one, each at its path.
fr_status fr__tls_check(const char *certificate_path, const char *key_path, fr_error *error);

typedef struct fr__tls fr__tls;

// Begins a connection to a host, a name or a number, whose certificate must be for it and signed by one of the file
// `authority_path`; NULL: by one that the system trusts. FR_ERROR_FILE, FR_ERROR_MEMORY.
fr_status fr__tls_create(const char *host, const char *authority_path, fr__tls **out, fr_error *error);
void fr__tls_destroy(fr__tls *tls);

// Takes bytes that the server sent and appends what they say to `out`. FR_ERROR_SYSTEM where the certificate is not
// accepted or the server ends, FR_ERROR_MEMORY.
fr_status fr__tls_take(fr__tls *tls, const void *bytes, size_t size, fr_byte_array *out, fr_error *error);

// Appends to `out` what is to be sent: of the handshake and then, once it is done, all of `plain`, which is empty
// afterwards.
fr_status fr__tls_give(fr__tls *tls, fr_byte_array *plain, fr_byte_array *out, fr_error *error);

#endif
