// A folder of its own for a test that writes files, and what is in it.
#ifndef FUREAI_TEST_FILE_FOLDER_H
#define FUREAI_TEST_FILE_FOLDER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char file_folder[64];

static int make_folder(void **state) {
    (void)state;
    snprintf(file_folder, sizeof file_folder, "/tmp/fureai-file-XXXXXX");
    return mkdtemp(file_folder) != NULL && chdir(file_folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", file_folder);
    return chdir("/") == 0 ? system(line) : -1;
}

// Entries of a folder beside the two that every folder has.
static inline size_t count_entries(const char *path) {
    size_t count = 0;
    DIR *list = opendir(path);
    assert_non_null(list);
    while (readdir(list) != NULL) {
        count++;
    }
    closedir(list);
    return count - 2;
}

static inline void put_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

// Whether a file holds exactly these bytes.
static inline bool file_holds(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return false; }
    char *held = malloc(size + 1);
    assert_non_null(held);
    bool is_equal = fread(held, 1, size + 1, file) == size && memcmp(held, bytes, size) == 0;
    free(held);
    fclose(file);
    return is_equal;
}

#endif
