// Tokens (shared secrets) and the roles that they give.
#ifndef FUREAI_SERVER_TOKEN_H
#define FUREAI_SERVER_TOKEN_H

#include "fureai/protocol.h"

enum {
    FR__TOKEN_MIN_BYTES = 16,
    FR__TOKEN_MAX_BYTES = 128,
    FR__TOKENS_MAX = 256,           // in a file
    FR__TOKEN_FILE_BYTES = 64 << 10 // of a file, at most
};

// A token: printable ASCII without spaces, zeros behind it.
typedef struct fr__token {
    unsigned char text[FR__TOKEN_MAX_BYTES];
    fr_role role;
} fr__token;

FR_ARRAY_TYPE(fr__token_array, fr__token);

// Reads lines of a role (watch, handle, direct) and a token with spaces between; empty lines and those that begin with
// '#' are passed over. FR_ERROR_SYNTAX and FR_ERROR_LIMIT at the line for anything else, no token at all and the same
// token twice included; FR_ERROR_MEMORY. No message repeats a token. The array is empty on failure.
fr_status fr__tokens_read(const char *text, size_t size, const char *path, fr__token_array *out, fr_error *error);

// Reads such a file.
fr_status fr__tokens_load(const char *path, fr__token_array *out, fr_error *error);

// Reads the one token of a client's file: its first line that is neither empty nor a comment, a token alone or behind
// its role. FR_ERROR_FILE, FR_ERROR_SYNTAX at the path.
fr_status fr__token_load_own(const char *path, char out[FR__TOKEN_MAX_BYTES + 1], fr_error *error);

// Overwrites bytes that shall not stay in memory; no compiler leaves it out.
void fr__secret_wipe(void *bytes, size_t size);

// Overwrites the tokens and gives the memory back.
void fr__tokens_forget(fr__token_array *tokens);

// The role that a token gives; FR_ROLE_NONE where it is not known. The time it takes depends on the number of tokens
// and not on any byte of them or of `text`, which has `size` bytes.
fr_role fr__tokens_role(const fr__token_array *tokens, const char *text, size_t size);

#endif
