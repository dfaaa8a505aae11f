// Tokens: which files are read, which token gives which role, and that comparing takes the same time for all.
#include "server/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WATCH "w-0123456789abcdef"
#define HANDLE "h-0123456789abcdef"
#define DIRECT "d-0123456789abcdef"

static fr__token_array read_right(const char *text) {
    fr__token_array tokens = fr__token_array_make(NULL);
    fr_error error = {0};
    if (fr__tokens_read(text, strlen(text), "tokens", &tokens, &error) != FR_OK) {
        fail_msg("%s: %s", text, error.message);
    }
    return tokens;
}

static fr_role role_of(const fr__token_array *tokens, const char *text) {
    return fr__tokens_role(tokens, text, strlen(text));
}

static void tokens_give_their_roles(void **state) {
    (void)state;
    fr__token_array tokens = read_right("# of the lab\n\nwatch " WATCH "\r\n  handle\t" HANDLE " \ndirect " DIRECT);
    assert_int_equal(tokens.count, 3);
    assert_int_equal(role_of(&tokens, WATCH), FR_ROLE_WATCH);
    assert_int_equal(role_of(&tokens, HANDLE), FR_ROLE_HANDLE);
    assert_int_equal(role_of(&tokens, DIRECT), FR_ROLE_DIRECT);
    // A part of one, more than one, another case, nothing.
    static const char *const wrong[] = {"",      "w", "w-0123456789abcde", WATCH "0", "W-0123456789abcdef",
                                        "watch", " ", WATCH WATCH};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(role_of(&tokens, wrong[i]), FR_ROLE_NONE);
    }
    // Zeros behind a token are no part of it, and make none.
    assert_int_equal(fr__tokens_role(&tokens, WATCH "\0x", sizeof WATCH + 1), FR_ROLE_NONE);
    char endless[1000];
    memset(endless, 'a', sizeof endless);
    assert_int_equal(fr__tokens_role(&tokens, endless, sizeof endless), FR_ROLE_NONE);
    fr__tokens_forget(&tokens);
}

static void every_bit_of_a_token_counts(void **state) {
    (void)state;
    char text[FR__TOKEN_MAX_BYTES + 1], line[FR__TOKEN_MAX_BYTES + 16];
    memset(text, 'a', FR__TOKEN_MAX_BYTES);
    text[FR__TOKEN_MAX_BYTES] = '\0';
    snprintf(line, sizeof line, "direct %s\n", text);
    fr__token_array tokens = read_right(line);
    assert_int_equal(role_of(&tokens, text), FR_ROLE_DIRECT);
    for (int i = 0; i < 8 * FR__TOKEN_MAX_BYTES; i++) {
        text[i / 8] = (char)(text[i / 8] ^ 1 << i % 8);
        assert_int_equal(fr__tokens_role(&tokens, text, FR__TOKEN_MAX_BYTES), FR_ROLE_NONE);
        text[i / 8] = (char)(text[i / 8] ^ 1 << i % 8);
    }
    fr__tokens_forget(&tokens);
}

static void wrong_files_are_refused_at_their_line(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line;
        fr_status status;
    } cases[] = {{"", 1, FR_ERROR_SYNTAX},
                 {"# nothing\n\n", 2, FR_ERROR_SYNTAX},
                 {"watch\n", 1, FR_ERROR_SYNTAX},
                 {"watch " WATCH " more\n", 1, FR_ERROR_SYNTAX},
                 {"watch " WATCH "\nadmin " HANDLE "\n", 2, FR_ERROR_SYNTAX},
                 {"watch " WATCH "\nhandle " WATCH "\n", 2, FR_ERROR_SYNTAX},
                 {"Watch " WATCH "\n", 1, FR_ERROR_SYNTAX},
                 {"watch short\n", 1, FR_ERROR_LIMIT},
                 {"watch 0123456789abcd\xc3\xa9z\n", 1, FR_ERROR_SYNTAX},
                 {"watch 0123456789\x01"
                  "abcdefgh\n",
                  1, FR_ERROR_SYNTAX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr__token_array tokens = fr__token_array_make(NULL);
        fr_error error = {0};
        assert_int_equal(fr__tokens_read(cases[i].text, strlen(cases[i].text), "tokens", &tokens, &error),
                         cases[i].status);
        assert_int_equal(error.line, cases[i].line);
        assert_string_equal(error.path, "tokens");
        assert_int_equal(tokens.count, 0);
        // No message repeats what may be a secret.
        assert_null(strstr(error.message, "0123456789"));
    }
    char long_one[FR__TOKEN_MAX_BYTES + 32] = "watch ";
    memset(long_one + 6, 'a', FR__TOKEN_MAX_BYTES + 1);
    fr__token_array tokens = fr__token_array_make(NULL);
    assert_int_equal(fr__tokens_read(long_one, strlen(long_one), "tokens", &tokens, NULL), FR_ERROR_LIMIT);
}

static void so_many_tokens_and_no_more(void **state) {
    (void)state;
    static char text[(FR__TOKENS_MAX + 1) * 32];
    size_t size = 0;
    for (int i = 0; i <= FR__TOKENS_MAX; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "watch 0123456789abcdef%03d\n", i);
    }
    fr__token_array tokens = fr__token_array_make(NULL);
    fr_error error = {0};
    assert_int_equal(fr__tokens_read(text, size, "tokens", &tokens, &error), FR_ERROR_LIMIT);
    assert_int_equal(error.line, FR__TOKENS_MAX + 1);
    assert_int_equal(fr__tokens_read(text, size - 26, "tokens", &tokens, &error), FR_OK);
    assert_int_equal(tokens.count, FR__TOKENS_MAX);
    fr__tokens_forget(&tokens);
}

static void files_are_read(void **state) {
    (void)state;
    char path[] = "/tmp/fureai-token-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    static const char text[] = "handle " HANDLE "\n";
    assert_int_equal(write(descriptor, text, sizeof text - 1), sizeof text - 1);
    close(descriptor);
    fr__token_array tokens = fr__token_array_make(NULL);
    assert_int_equal(fr__tokens_load(path, &tokens, NULL), FR_OK);
    assert_int_equal(role_of(&tokens, HANDLE), FR_ROLE_HANDLE);
    fr__tokens_forget(&tokens);
    unlink(path);
    fr_error error = {0};
    assert_int_equal(fr__tokens_load(path, &tokens, &error), FR_ERROR_FILE);
    assert_string_equal(error.path, path);
}

// ---------------------------------------------------------------------------------------------------------------
// Time

enum { ROUNDS = 400, BATCH = 200 };

static double batch_ns(const fr__token_array *tokens, const char *text) {
    volatile uint32_t sink = 0;
    uint64_t begin = fr_clock_ns();
    for (int i = 0; i < BATCH; i++) {
        sink = sink + (uint32_t)fr__tokens_role(tokens, text, 64);
    }
    return (double)(fr_clock_ns() - begin) / BATCH;
}

// The least time of many batches, in turn, so that what else the machine does touches all alike. A comparison that ends
// at the first byte that differs is ten times as fast for the second text.
static void comparing_takes_as_long_for_every_text(void **state) {
    (void)state;
    char right[65], first_wrong[65], last_wrong[65], line[100];
    memset(right, 'k', 64);
    right[64] = '\0';
    memcpy(first_wrong, right, 65);
    memcpy(last_wrong, right, 65);
    first_wrong[0] = 'x';
    last_wrong[63] = 'x';
    snprintf(line, sizeof line, "direct %s\n", right);
    fr__token_array tokens = read_right(line);
    const char *const texts[3] = {right, first_wrong, last_wrong};
    double least[3] = {1e9, 1e9, 1e9};
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < 3; k++) {
            double ns = batch_ns(&tokens, texts[k]);
            least[k] = ns < least[k] ? ns : least[k];
        }
    }
    print_message("right %.1f ns, wrong at the first byte %.1f, at the last %.1f\n", least[0], least[1], least[2]);
    for (int k = 1; k < 3; k++) {
        assert_true(least[k] > 0.8 * least[0] - 1.0 && least[k] < 1.25 * least[0] + 1.0);
    }
    fr__tokens_forget(&tokens);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_give_their_roles),
        cmocka_unit_test(every_bit_of_a_token_counts),
        cmocka_unit_test(wrong_files_are_refused_at_their_line),
        cmocka_unit_test(so_many_tokens_and_no_more),
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(comparing_takes_as_long_for_every_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
