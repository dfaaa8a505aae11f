// Stands in for libFuzzer in ordinary builds: gives every file of the folders named on the command line, and an empty
// input, to the target once, in the order of the names. A target that fails stops the program.
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Gives one file to the target; false when it cannot be read.
static bool replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return false; }
    bool done = false;
    uint8_t *data = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        // An exact block, so that a sanitizer sees a read past the end.
        data = size >= 0 ? malloc(size > 0 ? (size_t)size : 1) : NULL;
        if (data != NULL && fseek(file, 0, SEEK_SET) == 0 && fread(data, 1, (size_t)size, file) == (size_t)size) {
            LLVMFuzzerTestOneInput(data, (size_t)size);
            done = true;
        }
    }
    free(data);
    fclose(file);
    return done;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

// Gives every file of a folder to the target; their number, or -1 when one cannot be read.
static int replay_folder(const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, is_visible, alphasort);
    int replayed = count < 0 ? -1 : 0;
    for (int i = 0; i < count; ++i) {
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        bool done = length > 0 && (size_t)length < sizeof path && replay_file(path);
        if (!done) {
            fprintf(stderr, "replay: cannot read %s/%s\n", folder, entries[i]->d_name);
            replayed = -1;
        } else if (replayed >= 0) {
            replayed++;
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    } else {
        fprintf(stderr, "replay: cannot read folder %s: %s\n", folder, strerror(errno));
    }
    return replayed;
}

int main(int argc, char **argv) {
    uint8_t nothing = 0;
    LLVMFuzzerTestOneInput(&nothing, 0);

    int total = 0;
    for (int i = 1; i < argc; ++i) {
        int replayed = replay_folder(argv[i]);
        if (replayed <= 0) {
            fprintf(stderr, "replay: no corpus in %s\n", argv[i]);
            return EXIT_FAILURE;
        }
        total += replayed;
    }
    printf("replay: %d inputs\n", total);
    return EXIT_SUCCESS;
}
