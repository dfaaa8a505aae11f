// Any bytes as a file of tokens: refused with a line, or tokens that each give their role.
#include "server/token.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds) { abort(); }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > FR__TOKEN_FILE_BYTES) { return 0; }
    fr__token_array tokens = fr__token_array_make(NULL);
    fr_error error = {0};
    if (fr__tokens_read((const char *)data, size, "tokens", &tokens, &error) != FR_OK) {
        require(error.line >= 1 && error.message[0] != '\0' && tokens.count == 0);
        return 0;
    }
    for (size_t i = 0; i < tokens.count; i++) {
        const char *text = (const char *)tokens.data[i].text;
        size_t length = 0;
        while (length < FR__TOKEN_MAX_BYTES && text[length] != '\0') {
            length++;
        }
        require(length >= FR__TOKEN_MIN_BYTES);
        require(fr__tokens_role(&tokens, text, length) == tokens.data[i].role);
        require(fr__tokens_role(&tokens, text, length - 1) == FR_ROLE_NONE || tokens.count > 1);
    }
    fr__tokens_forget(&tokens);
    return 0;
}
